/* SPDX-License-Identifier: MIT */
/* least_squares.c -- residuals of columns given others, by a Cholesky
 * factor. */
#include "scores/least_squares.h"

#include <math.h>
#include <string.h>

int bestdag_least_squares_init(struct bestdag_run *run,
                               struct bestdag_least_squares *r,
                               const struct bestdag_moments *moments)
{
    *r = (struct bestdag_least_squares){.run = run, .moments = moments};
    size_t bytes = ((size_t)moments->numbers + 1) * sizeof *r->sorted;
    r->sorted = bestdag_alloc(run, bytes);
    r->larger = bestdag_alloc(run, bytes);
    return bestdag_run_status(run);
}

void bestdag_least_squares_release(struct bestdag_least_squares *r)
{
    bestdag_free(r->set);
    bestdag_free(r->factor);
    bestdag_free(r->determinant);
    bestdag_free(r->block);
    bestdag_accurate_moments_free(r->accurate);
    bestdag_free(r->z);
    bestdag_free(r->sorted);
    bestdag_free(r->larger);
}

static int widen(struct bestdag_least_squares *r, int count)
{
    if (count < r->room)
        return BESTDAG_OK;
    size_t room = 2 * (size_t)count + 8;
    int *set = bestdag_realloc(r->run, r->set, room * sizeof *set);
    r->set = set ? set : r->set;
    double *factor = bestdag_realloc(r->run, r->factor,
                                     room * (room + 1) / 2 * sizeof *factor);
    r->factor = factor ? factor : r->factor;
    struct bestdag_determinant *determinant =
        bestdag_realloc(r->run, r->determinant, room * sizeof *determinant);
    r->determinant = determinant ? determinant : r->determinant;
    double *z = bestdag_realloc(r->run, r->z, room * sizeof *z);
    r->z = z ? z : r->z;
    if (!set || !factor || !determinant || !z)
        return BESTDAG_MEMORY;
    r->room = (int)room;
    return BESTDAG_OK;
}

static void sort(int *to, const int *from, int count)
{
    for (int i = 0; i < count; i++) { /* insertion sort: nearly sorted */
        int j = i;
        for (; j > 0 && to[j - 1] > from[i]; j--)
            to[j] = to[j - 1];
        to[j] = from[i];
    }
}

/* Computes the row of a place given the first `count` of the set, in `to`;
 * returns its residual. */
static double solve(const struct bestdag_least_squares *r, int place, int count,
                    double *to)
{
    const double *row = r->factor;
    double rest = bestdag_least_squares_diagonal(r, place);
    for (int j = 0; j < count; row += ++j) {
        double sum = bestdag_moments_cross(r->moments, place, r->set[j]);
        for (int k = 0; k < j; k++)
            sum -= to[k] * row[k];
        to[j] = sum / row[j];
        rest -= to[j] * to[j];
    }
    return rest;
}

int bestdag_least_squares_set(struct bestdag_least_squares *r,
                              const int *places, int count)
{
    int same = 0;
    if (widen(r, count))
        return BESTDAG_MEMORY;
    sort(r->sorted, places, count);
    while (same < count && same < r->rank && r->set[same] == r->sorted[same])
        same++;
    if (count > same)
        memcpy(r->set + same, r->sorted + same,
               (size_t)(count - same) * sizeof *r->set);
    r->count = count;
    for (r->rank = same; r->rank < count; r->rank++) {
        int i = r->rank, place = r->set[i];
        double *row = r->factor + (size_t)i * ((size_t)i + 1) / 2;
        double pivot = solve(r, place, i, row);
        if (!(pivot > BESTDAG_ILL_CONDITIONED *
                          bestdag_least_squares_diagonal(r, place)))
            break;
        row[i] = sqrt(pivot);
        r->determinant[i] = bestdag_determinant_of(r, i);
        bestdag_determinant_multiply(&r->determinant[i], pivot);
    }
    return BESTDAG_OK;
}

double bestdag_least_squares_residual(struct bestdag_least_squares *r,
                                      int place)
{
    double rest = solve(r, place, r->count, r->z);
    return rest > BESTDAG_ILL_CONDITIONED *
                       bestdag_least_squares_diagonal(r, place)
               ? rest
               : 0;
}

int bestdag_least_squares_fit(struct bestdag_least_squares *r,
                              const int *places, int count, int child,
                              struct bestdag_residual *to)
{
    if (bestdag_least_squares_set(r, places, count))
        return BESTDAG_MEMORY;
    *to = (struct bestdag_residual){0};
    if (!bestdag_least_squares_is_ill(r)) {
        to->squares = bestdag_least_squares_residual(r, child);
        to->determinant = bestdag_determinant_of(r, count);
    }
    return to->squares > 0 ? BESTDAG_OK
                           : bestdag_least_squares_fit_accurately(
                                 r, places, count, child, to);
}

double bestdag_determinant_ln(struct bestdag_determinant d)
{
    return log(d.scale) + d.power * M_LN2;
}

/* ---- double-double ------------------------------------------------------- */

/* Parents in ascending order, then the child. */
static void line_up(const int *places, int count, int child, int *to)
{
    sort(to, places, count);
    to[count] = child;
}

int bestdag_least_squares_fit_accurately(struct bestdag_least_squares *r,
                                         const int *places, int count,
                                         int child, struct bestdag_residual *to)
{
    size_t size = (size_t)count + 1;
    struct bestdag_double_double *triangle =
        bestdag_alloc(r->run, size * (size + 1) / 2 * sizeof *triangle);
    int *set = bestdag_alloc(r->run, size * sizeof *set);
    double *least = bestdag_alloc(r->run, size * sizeof *least);
    if (!r->accurate)
        r->accurate = bestdag_accurate_moments_new(r->run, r->moments);
    *to = (struct bestdag_residual){0};
    if (triangle && set && least && r->accurate) {
        line_up(places, count, child, set);
        for (int i = 0; i <= count; i++) {
            least[i] =
                BESTDAG_SINGULAR * bestdag_least_squares_diagonal(r, set[i]);
            for (int j = 0; j <= i; j++) {
                struct bestdag_double_double *x =
                    &triangle[bestdag_triangle(i, j)];
                *x =
                    bestdag_accurate_moments_cross(r->accurate, set[i], set[j]);
                if (i == j && r->ridge)
                    *x = bestdag_dd_add(*x, (struct bestdag_double_double){
                                                r->ridge[set[i]], 0});
            }
        }
        *to = bestdag_accurate_residual(triangle, count + 1, least);
    }
    bestdag_free(triangle);
    bestdag_free(set);
    bestdag_free(least);
    return bestdag_run_status(r->run);
}

/* ---- long double --------------------------------------------------------- */

/* Factorises the places in place; returns the rank. */
static int factorise(const struct bestdag_least_squares *r, const int *places,
                     int count, long double *factor)
{
    for (int i = 0; i < count; i++) {
        long double *row = factor + (size_t)i * ((size_t)i + 1) / 2;
        long double rest = bestdag_least_squares_diagonal(r, places[i]);
        for (int j = 0; j < i; j++) {
            const long double *other = factor + (size_t)j * ((size_t)j + 1) / 2;
            long double sum =
                bestdag_moments_cross(r->moments, places[i], places[j]);
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum / other[j];
            rest -= row[j] * row[j];
        }
        if (!(rest > (long double)BESTDAG_ILL_CONDITIONED *
                         bestdag_least_squares_diagonal(r, places[i])))
            return i;
        row[i] = sqrtl(rest);
    }
    return count;
}

static int accurately(struct bestdag_least_squares *r, const int *places,
                      int count, int place, double *residual,
                      double *ln_determinant)
{
    struct bestdag_residual a;
    if (bestdag_least_squares_fit_accurately(r, places, count, place, &a))
        return BESTDAG_MEMORY;
    *residual = a.squares;
    if (a.squares > 0)
        *ln_determinant = bestdag_determinant_ln(a.determinant);
    return BESTDAG_OK;
}

int bestdag_least_squares_exactly(struct bestdag_least_squares *r,
                                  const int *places, int count, int place,
                                  double *residual, double *ln_determinant)
{
    size_t size = (size_t)count + 1;
    long double *factor =
        bestdag_alloc(r->run, size * (size + 1) / 2 * sizeof *factor);
    int *set = bestdag_alloc(r->run, size * sizeof *set);
    *residual = 0;
    *ln_determinant = NAN;
    if (factor && set) {
        line_up(places, count, place, set);
        if (factorise(r, set, count + 1, factor) > count) {
            long double sum = 0, last = factor[size * (size + 1) / 2 - 1];
            for (size_t i = 0; i < size - 1; i++)
                sum += 2 * logl(factor[i * (i + 3) / 2]);
            *residual = (double)(last * last);
            *ln_determinant = (double)sum;
        }
    }
    bestdag_free(factor);
    bestdag_free(set);
    return bestdag_run_status(r->run) || *residual > 0
               ? bestdag_run_status(r->run)
               : accurately(r, places, count, place, residual, ln_determinant);
}
