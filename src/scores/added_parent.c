/* SPDX-License-Identifier: MIT */
/* added_parent.c -- residuals of a column given a set and one more column, for
 * many of the latter at once.
 *
 * A family has its parents in ascending order, so the added column u comes
 * between members of the set: members before it keep their rows of the factor,
 * those after it, and the child, get new ones. Columns that come between the
 * same two members are computed alike and fill the lanes of a block. A lane
 * does the same as bestdag_least_squares_set() and _residual(), in the same
 * order, so the bits are the same; ill-conditioned families are computed one by
 * one. Time for k members, p of them after u: k^2 / 2 + p^3 / 6 products,
 * several lanes at a time. */
#include "scores/least_squares.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"

enum {
    LANES = 16,
    MOST = 48, /* members of a set; larger sets are computed one by one */
    PLACES = MOST + 1
};

typedef double lanes[LANES];

/* Added columns that come after the same members of the set. */
struct block {
    const struct bestdag_least_squares *r;
    int child;
    const int *added; /* [many] */
    int many;         /* up to LANES; unused lanes repeat the last */
    int before;       /* members of the set before them */
    int place[LANES];
    lanes rest;      /* pivot, or residual, of the last row */
    lanes root;      /* square roots of the pivots of the added columns */
    lanes z[PLACES]; /* their rows of the factor */
    lanes a[PLACES]; /* later rows, in the added columns */
    lanes b[PLACES * (PLACES + 1) / 2];   /* later rows, in later columns */
    struct bestdag_determinant of[LANES]; /* of the set with the added column */
    bool is_ill[LANES];
};

/* Row j, column l, both after the added one. */
BESTDAG_INLINE double *later(struct block *b, int j, int l)
{
    return b->b[bestdag_triangle(j - b->before, l - b->before)];
}

BESTDAG_INLINE void load(const struct block *b, int place, double *to)
{
    for (int t = 0; t < LANES; t++)
        to[t] = bestdag_moments_cross(b->r->moments, b->place[t], place);
}

BESTDAG_INLINE void subtract(double *from, double x, const double *y)
{
    for (int t = 0; t < LANES; t++)
        from[t] -= x * y[t];
}

BESTDAG_INLINE void subtract_product(double *from, const double *x,
                                     const double *y)
{
    for (int t = 0; t < LANES; t++)
        from[t] -= x[t] * y[t];
}

BESTDAG_INLINE void divide(double *to, const double *by)
{
    for (int t = 0; t < LANES; t++)
        to[t] /= by[t];
}

/* Takes `rest` as the pivots of the columns place[t * step] in lanes t. */
BESTDAG_INLINE void take_pivots(struct block *b, const int *place, int step,
                                double *root)
{
    for (int t = 0; t < LANES; t++)
        root[t] = sqrt(b->rest[t]);
    for (int t = 0; t < b->many; t++) {
        double own = bestdag_least_squares_diagonal(b->r, place[t * step]);
        b->is_ill[t] |= !(b->rest[t] > BESTDAG_ILL_CONDITIONED * own);
        bestdag_determinant_multiply(&b->of[t], b->rest[t]);
    }
}

/* Computes the rows of the added columns. */
BESTDAG_INLINE void solve_added(struct block *b)
{
    const struct bestdag_least_squares *r = b->r;
    const double *row = r->factor;
    for (int t = 0; t < LANES; t++)
        b->rest[t] = bestdag_least_squares_diagonal(r, b->place[t]);
    for (int j = 0; j < b->before; row += ++j) {
        double *to = b->z[j];
        load(b, r->set[j], to);
        for (int l = 0; l < j; l++)
            subtract(to, row[l], b->z[l]);
        for (int t = 0; t < LANES; t++)
            to[t] /= row[j];
        subtract_product(b->rest, to, to);
    }
    take_pivots(b, b->place, 1, b->root);
}

/* Computes row j in the columns of the set from `before` on; `row` is the old
 * one. The sums over the members before are the same in all lanes. */
BESTDAG_INLINE void solve_later(struct block *b, int j, int place,
                                const double *row)
{
    const struct bestdag_least_squares *r = b->r;
    double own = bestdag_least_squares_diagonal(r, place), *a = b->a[j];
    load(b, place, a);
    for (int l = 0; l < b->before; l++) {
        subtract(a, row[l], b->z[l]);
        own -= row[l] * row[l];
    }
    divide(a, b->root);
    for (int t = 0; t < LANES; t++)
        b->rest[t] = own - a[t] * a[t];
    for (int l = b->before; l < j; l++) {
        const double *other = r->factor + (size_t)l * ((size_t)l + 1) / 2;
        double sum = bestdag_moments_cross(r->moments, place, r->set[l]);
        double *to = later(b, j, l);
        for (int q = 0; q < b->before; q++)
            sum -= row[q] * other[q];
        for (int t = 0; t < LANES; t++)
            to[t] = sum - a[t] * b->a[l][t];
        for (int q = b->before; q < l; q++)
            subtract_product(to, later(b, j, q), later(b, l, q));
        divide(to, later(b, l, l));
        subtract_product(b->rest, to, to);
    }
}

BESTDAG_INLINE void solve_block(struct block *b)
{
    const struct bestdag_least_squares *r = b->r;
    solve_added(b);
    for (int j = b->before; j < r->count; j++) {
        solve_later(b, j, r->set[j],
                    r->factor + (size_t)j * ((size_t)j + 1) / 2);
        take_pivots(b, &r->set[j], 0, later(b, j, j));
    }
    solve_later(b, r->count, b->child, r->z);
}

static void solve_plainly(struct block *b)
{
    solve_block(b);
}

BESTDAG_AVX2 static void solve_by_avx2(struct block *b)
{
    solve_block(b);
}

static void start_block(struct block *b)
{
    const struct bestdag_least_squares *r = b->r;
    for (int t = 0; t < LANES; t++)
        b->place[t] = b->added[t < b->many ? t : b->many - 1];
    for (int t = 0; t < b->many; t++) {
        b->of[t] = bestdag_determinant_of(r, b->before);
        b->is_ill[t] = false;
    }
}

/* Chooses columns from `from` on that have the same members before them. */
static void choose_block(struct block *b, const int *added, int from, int many)
{
    const struct bestdag_least_squares *r = b->r;
    int end = from + 1;
    while (b->before < r->count && r->set[b->before] < added[from])
        b->before++;
    while (end < many && end < from + LANES &&
           (b->before == r->count || added[end] < r->set[b->before]))
        end++;
    b->added = added + from;
    b->many = end - from;
}

static void add_by_blocks(struct block *b, const int *added, int many,
                          struct bestdag_residual *to)
{
    double least = BESTDAG_ILL_CONDITIONED *
                   bestdag_least_squares_diagonal(b->r, b->child);
    for (int from = 0; from < many; from += b->many) {
        choose_block(b, added, from, many);
        start_block(b);
        (bestdag_has_avx2() ? solve_by_avx2 : solve_plainly)(b);
        for (int t = 0; t < b->many; t++) {
            bool is_fine = !b->is_ill[t] && b->rest[t] > least;
            to[from + t].squares = is_fine ? b->rest[t] : 0;
            to[from + t].determinant = b->of[t];
        }
    }
}

/* Adds columns that are in no block, or ill-conditioned. */
static int add_one_by_one(struct bestdag_least_squares *r, const int *places,
                          int count, int child, const int *added, int many,
                          struct bestdag_residual *to)
{
    if (count)
        memcpy(r->larger, places, (size_t)count * sizeof *r->larger);
    for (int i = 0; i < many; i++) {
        r->larger[count] = added[i];
        if (!(to[i].squares > 0) &&
            bestdag_least_squares_fit(r, r->larger, count + 1, child, &to[i]))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

int bestdag_least_squares_add(struct bestdag_least_squares *r,
                              const int *places, int count, int child,
                              const int *added, int many,
                              struct bestdag_residual *to)
{
    if (!r->block)
        r->block = bestdag_alloc(r->run, sizeof *r->block);
    if (!r->block || bestdag_least_squares_set(r, places, count))
        return BESTDAG_MEMORY;
    struct block *b = r->block;
    for (int i = 0; i < many; i++)
        to[i].squares = 0;
    if (count <= MOST && !bestdag_least_squares_is_ill(r)) {
        bestdag_least_squares_residual(r, child); /* computes its row */
        b->r = r;
        b->child = child;
        b->before = 0;
        add_by_blocks(b, added, many, to);
    }
    return add_one_by_one(r, places, count, child, added, many, to);
}
