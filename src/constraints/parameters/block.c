/* SPDX-License-Identifier: MIT */
/* block.c -- building of blocks, and their split into pieces.
 *
 * Ties make classes of rows; a constraint connects the classes that it
 * involves. Connected classes are a piece. Constraints are kept as given until
 * the pieces are known. */
#include "constraints/parameters/block.h"

#include <math.h>
#include <string.h>

#include "base/growing_array.h"
#include "constraints/parameters/linked_rows.h"

/* A constraint as it was given. */
struct given {
    int count, *entry;            /* owns */
    double *factor;               /* owns; of a sphere: its centre */
    int relation;                 /* of limits */
    double bound;                 /* or the sphere's */
    bool is_sphere;               /* entries: of its row */
    struct bestdag_convex convex; /* function NULL: none */
};

struct bestdag_block {
    int states, rows;
    int *tie;            /* owns; [rows]: union-find, ties; then the class */
    int *join;           /* owns; [rows]: union-find, pieces; then the piece */
    int *place;          /* owns; [rows]: row in its piece */
    struct given *given; /* owns */
    int givens;
    int64_t room;
    struct bestdag_linked_rows *piece; /* owns */
    int pieces;
    int *first;  /* owns; [pieces + 1]: where a piece's rows begin in member */
    int *member; /* owns; [rows] */
};

struct bestdag_block *bestdag_block_new(struct bestdag_run *run, int states,
                                        int rows)
{
    struct bestdag_block *b = bestdag_calloc(run, 1, sizeof *b);
    if (!b)
        return NULL;
    b->states = states;
    b->rows = rows;
    b->tie = bestdag_calloc(run, (size_t)rows, sizeof *b->tie);
    b->join = bestdag_calloc(run, (size_t)rows, sizeof *b->join);
    b->place = bestdag_calloc(run, (size_t)rows, sizeof *b->place);
    b->first = bestdag_calloc(run, (size_t)rows + 1, sizeof *b->first);
    b->member = bestdag_calloc(run, (size_t)rows, sizeof *b->member);
    if (!b->tie || !b->join || !b->place || !b->first || !b->member) {
        bestdag_block_free(b);
        return NULL;
    }
    for (int i = 0; i < rows; i++)
        b->tie[i] = b->join[i] = i;
    return b;
}

void bestdag_block_free(struct bestdag_block *block)
{
    if (!block)
        return;
    for (int i = 0; i < block->givens; i++) {
        bestdag_free(block->given[i].entry);
        bestdag_free(block->given[i].factor);
    }
    for (int i = 0; i < block->pieces; i++)
        bestdag_linked_rows_release(&block->piece[i]);
    bestdag_free(block->given);
    bestdag_free(block->piece);
    bestdag_free(block->tie);
    bestdag_free(block->join);
    bestdag_free(block->place);
    bestdag_free(block->first);
    bestdag_free(block->member);
    bestdag_free(block);
}

/* ---- building ------------------------------------------------------------ */

static int find(int *up, int i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

static void unite(int *up, int a, int b)
{
    a = find(up, a);
    b = find(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

/* The next constraint, over these entries; factors may be NULL. */
static struct given *add(struct bestdag_run *run, struct bestdag_block *b,
                         int count, const int *entry, const double *factor)
{
    if (!BESTDAG_GROW(run, b->given, b->room, b->givens + 1))
        return NULL;
    struct given *g = &b->given[b->givens++];
    *g = (struct given){.count = count};
    g->entry = bestdag_calloc(run, (size_t)count, sizeof *g->entry);
    g->factor = bestdag_calloc(run, (size_t)count, sizeof *g->factor);
    if (!g->entry || !g->factor)
        return NULL;
    for (int i = 0; i < count; i++) {
        g->entry[i] = entry[i];
        g->factor[i] = factor ? factor[i] : 0;
        unite(b->join, entry[0] / b->states, entry[i] / b->states);
    }
    return g;
}

int bestdag_block_limit(struct bestdag_run *run, struct bestdag_block *block,
                        const struct bestdag_limit *limit)
{
    struct given *g =
        add(run, block, limit->count, limit->entry, limit->factor);
    if (!g)
        return bestdag_run_status(run);
    g->relation = limit->relation;
    g->bound = limit->bound;
    return BESTDAG_OK;
}

int bestdag_block_tie(struct bestdag_run *run, struct bestdag_block *block,
                      int a, int b)
{
    unite(block->tie, a, b);
    unite(block->join, a, b);
    return bestdag_run_status(run);
}

int bestdag_block_near(struct bestdag_run *run, struct bestdag_block *block,
                       int row, const double *centre, double most)
{
    int r = block->states;
    int *entry = bestdag_calloc(run, (size_t)r, sizeof *entry);
    if (!entry)
        return bestdag_run_status(run);
    for (int k = 0; k < r; k++)
        entry[k] = row * r + k;
    struct given *g = add(run, block, r, entry, centre);
    bestdag_free(entry);
    if (!g)
        return bestdag_run_status(run);
    g->is_sphere = true;
    g->bound = most;
    return BESTDAG_OK;
}

int bestdag_block_convex(struct bestdag_run *run, struct bestdag_block *block,
                         const struct bestdag_convex *convex)
{
    struct given *g = add(run, block, convex->count, convex->entry, NULL);
    if (!g)
        return bestdag_run_status(run);
    g->convex = *convex;
    return BESTDAG_OK;
}

/* ---- pieces -------------------------------------------------------------- */

/* Numbers the pieces and the classes in them; sizes[] gets their rows. */
static void number(struct bestdag_block *b, int *sizes)
{
    for (int i = 0; i < b->rows; i++) {
        b->tie[i] = find(b->tie, i);
        b->join[i] = find(b->join, i);
    }
    for (int i = 0; i < b->rows; i++) /* a piece's root is its first row */
        b->join[i] = b->join[i] == i ? b->pieces++ : b->join[b->join[i]];
    for (int i = 0; i < b->rows; i++)
        b->place[i] =
            b->tie[i] == i ? sizes[b->join[i]]++ : b->place[b->tie[i]];
}

/* The rows by piece: a sort by counting. */
static void list_members(struct bestdag_block *b)
{
    for (int i = 0; i < b->rows; i++)
        b->first[b->join[i] + 1]++;
    for (int i = 0; i < b->pieces; i++)
        b->first[i + 1] += b->first[i];
    for (int i = b->rows - 1; i >= 0; i--)
        b->member[--b->first[b->join[i] + 1]] = i;
    /* now first[i + 1] is where piece i begins */
    for (int i = 0; i < b->pieces; i++)
        b->first[i] = b->first[i + 1];
    b->first[b->pieces] = b->rows;
}

static int local(const struct bestdag_block *b, int entry)
{
    return b->place[entry / b->states] * b->states + entry % b->states;
}

static int pass_limit(struct bestdag_run *run, const struct bestdag_block *b,
                      struct bestdag_linked_rows *p, const struct given *g)
{
    double sign = g->relation > 0 ? -1 : 1;
    double *row = g->relation ? bestdag_linked_rows_upper(run, p)
                              : bestdag_linked_rows_equal(run, p);
    if (!row)
        return bestdag_run_status(run);
    for (int i = 0; i < g->count; i++)
        row[local(b, g->entry[i])] += sign * g->factor[i];
    row[p->n] = sign * g->bound;
    return BESTDAG_OK;
}

static int pass_sphere(struct bestdag_run *run, const struct bestdag_block *b,
                       struct bestdag_linked_rows *p, struct given *g)
{
    if (!BESTDAG_GROW(run, p->sphere, p->sphere_room, p->spheres + 1))
        return bestdag_run_status(run);
    p->sphere[p->spheres++] = (struct bestdag_sphere){
        b->place[g->entry[0] / b->states], g->bound, g->factor};
    g->factor = NULL;
    return BESTDAG_OK;
}

static int pass_convex(struct bestdag_run *run, const struct bestdag_block *b,
                       struct bestdag_linked_rows *p, struct given *g)
{
    if (!BESTDAG_GROW(run, p->convex, p->convex_room, p->convexes + 1))
        return bestdag_run_status(run);
    for (int i = 0; i < g->count; i++)
        g->entry[i] = local(b, g->entry[i]);
    p->convex[p->convexes] = g->convex;
    p->convex[p->convexes++].entry = g->entry;
    g->entry = NULL;
    return BESTDAG_OK;
}

static int pass_on(struct bestdag_run *run, struct bestdag_block *b)
{
    int status = BESTDAG_OK;
    for (int i = 0; i < b->givens && !status; i++) {
        struct given *g = &b->given[i];
        int row = g->count ? g->entry[0] / b->states : 0; /* 0 <= bound */
        struct bestdag_linked_rows *p = &b->piece[b->join[row]];
        status = g->convex.function ? pass_convex(run, b, p, g)
                 : g->is_sphere     ? pass_sphere(run, b, p, g)
                                    : pass_limit(run, b, p, g);
    }
    return status;
}

static int make_pieces(struct bestdag_run *run, struct bestdag_block *b)
{
    int *sizes = bestdag_calloc(run, (size_t)b->rows, sizeof *sizes);
    if (!sizes)
        return bestdag_run_status(run);
    number(b, sizes);
    list_members(b);
    int pieces = b->pieces, status = BESTDAG_OK;
    b->pieces = 0;
    b->piece = bestdag_calloc(run, (size_t)pieces, sizeof *b->piece);
    if (!b->piece)
        status = bestdag_run_status(run);
    for (int i = 0; i < pieces && !status; i++, b->pieces++)
        status =
            bestdag_linked_rows_init(run, &b->piece[i], b->states, sizes[i]);
    bestdag_free(sizes);
    return status ? status : pass_on(run, b);
}

int bestdag_block_settle(struct bestdag_run *run, struct bestdag_block *block,
                         bool *feasible)
{
    *feasible = true;
    int status = make_pieces(run, block);
    for (int i = 0; i < block->pieces && !status && *feasible; i++) {
        struct bestdag_linked_rows *p = &block->piece[i];
        status = bestdag_linked_rows_sort(run, p);
        if (!status && p->kind == BESTDAG_PIECE_GENERAL)
            status = bestdag_linked_rows_settle(run, p, feasible);
    }
    return status;
}

/* ---- solving ------------------------------------------------------------- */

size_t bestdag_block_room(const struct bestdag_block *block)
{
    size_t most = 0;
    for (int i = 0; i < block->pieces; i++) {
        const struct bestdag_linked_rows *p = &block->piece[i];
        size_t room = 2 * (size_t)p->n + bestdag_linked_rows_room(p);
        most = room > most ? room : most;
    }
    return most;
}

/* The loss of a row relative to its frequencies. */
static double loss_of(const double *counts, const double *theta, size_t states)
{
    double total = 0, loss = 0;
    for (size_t k = 0; k < states; k++)
        total += counts[k];
    for (size_t k = 0; k < states; k++) {
        double share = counts[k] > 0 ? counts[k] / total : theta[k];
        if (share != theta[k]) /* else 0, to the last digit */
            loss += counts[k] * log(share / theta[k]);
    }
    return loss;
}

/* Solves piece i; adds to the loss. */
static enum bestdag_block_end solve_piece(const struct bestdag_block *b, int i,
                                          const double *counts, double *theta,
                                          double *loss, double *scratch)
{
    const struct bestdag_linked_rows *p = &b->piece[i];
    size_t r = (size_t)b->states;
    double *sum = scratch, *found = scratch + p->n;
    memset(sum, 0, (size_t)p->n * sizeof *sum);
    for (int m = b->first[i]; m < b->first[i + 1]; m++) {
        size_t j = (size_t)b->member[m], to = (size_t)b->place[j];
        for (size_t k = 0; k < r; k++)
            sum[to * r + k] += counts[j * r + k];
    }
    enum bestdag_block_end end =
        bestdag_linked_rows_solve(p, sum, found, scratch + 2 * (size_t)p->n);
    for (int m = b->first[i]; m < b->first[i + 1]; m++) {
        size_t j = (size_t)b->member[m];
        const double *from = found + (size_t)b->place[j] * r;
        memcpy(theta + j * r, from, r * sizeof *theta);
        *loss += loss_of(counts + j * r, from, r);
    }
    return end;
}

enum bestdag_block_end bestdag_block_solve(const struct bestdag_block *block,
                                           const double *counts, double *theta,
                                           double *loss, double *scratch)
{
    enum bestdag_block_end end = BESTDAG_BLOCK_SOLVED;
    *loss = 0;
    for (int i = 0; i < block->pieces; i++) {
        enum bestdag_block_end how =
            solve_piece(block, i, counts, theta, loss, scratch);
        if (how == BESTDAG_BLOCK_EXCLUDED || end == BESTDAG_BLOCK_SOLVED)
            end = how;
    }
    if (*loss < 0) /* rounding */
        *loss = 0;
    if (end == BESTDAG_BLOCK_EXCLUDED)
        *loss = INFINITY;
    return end;
}
