/* SPDX-License-Identifier: MIT */
/* gaussian_rows.c -- the rows of a table of numbers, sorted by the columns that
 * they lack, and scaled columns. Memory: 8 bytes for each cell. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "models/holes/gaussian_em.h"
#include "scores/moments.h"

struct keyed {
    uint64_t pattern;
    int64_t row;
};

/* A standard deviation below this part of the largest value is rounding. */
static const double ROUNDING = 1e-13;

static int by_pattern(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->pattern != y->pattern)
        return x->pattern < y->pattern ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Lists the rows that count, with their pattern; complete rows have pattern
 * 0. */
static struct keyed *find_rows(struct bestdag_run *run,
                               const double *const *number, int64_t rows,
                               const int32_t *weights,
                               struct bestdag_gaussian_em *to)
{
    struct keyed *key = bestdag_alloc(run, ((size_t)rows + 1) * sizeof *key);
    for (int64_t r = 0; key && r < rows; r++) {
        struct keyed k = {0, r};
        int64_t weight = weights ? weights[r] : 1;
        int holes = 0;
        for (int v = 0; v < to->n; v++) {
            bool is_hole = isnan(number[v][r]);
            holes += is_hole;
            k.pattern ^= is_hole ? bestdag_mix((uint64_t)v + 1) : 0;
        }
        if (weight <= 0)
            continue;
        if (holes == to->n) {
            to->empty += weight;
            continue;
        }
        to->lacking += holes ? weight : 0;
        to->total += (double)weight;
        key[to->count++] = k;
    }
    if (key)
        qsort(key, (size_t)to->count, sizeof *key, by_pattern);
    return key;
}

static int allocate(struct bestdag_run *run, const int32_t *weights,
                    struct bestdag_gaussian_em *to)
{
    size_t n = (size_t)to->n, rows = (size_t)to->count + 1;
    size_t pairs = n * (n + 1) / 2 + 1;
    to->row = bestdag_alloc(run, rows * sizeof *to->row);
    to->weight = weights ? bestdag_alloc(run, rows * sizeof *to->weight) : NULL;
    to->centre = bestdag_calloc(run, n + 1, sizeof *to->centre);
    to->variance = bestdag_calloc(run, n + 1, sizeof *to->variance);
    to->exponent = bestdag_calloc(run, n + 1, sizeof *to->exponent);
    to->constant = bestdag_calloc(run, n + 1, sizeof *to->constant);
    to->value = bestdag_calloc(run, n + 1, sizeof *to->value);
    to->values = bestdag_calloc(run, n * rows, sizeof *to->values);
    to->pattern_of = bestdag_alloc(run, rows * sizeof *to->pattern_of);
    to->spread = bestdag_calloc(run, pairs, sizeof *to->spread);
    to->ln = bestdag_calloc(run, rows, sizeof *to->ln);
    for (size_t v = 0; to->value && to->values && v < n; v++)
        to->value[v] = to->values + v * rows;
    return bestdag_run_status(run);
}

/* Do two rows lack the same columns? Should different patterns have equal
 * hashes, they are only split into more groups. */
static bool is_same(const double *const *number, int n, int64_t a, int64_t b)
{
    for (int v = 0; v < n; v++)
        if (isnan(number[v][a]) != isnan(number[v][b]))
            return false;
    return true;
}

static int find_patterns(struct bestdag_run *run, const double *const *number,
                         struct bestdag_gaussian_em *to)
{
    size_t patterns = 0, holes = 0;
    int at = 0;
    for (int64_t i = 0; i < to->count; i++) {
        if (i && is_same(number, to->n, to->row[i], to->row[i - 1]))
            continue;
        patterns++;
        for (int v = 0; v < to->n; v++)
            holes += isnan(number[v][to->row[i]]) ? 1 : 0;
    }
    to->pattern = bestdag_calloc(run, patterns + 1, sizeof *to->pattern);
    to->hole = bestdag_alloc(run, (holes + 1) * sizeof *to->hole);
    for (int64_t i = 0; to->pattern && to->hole && i < to->count; i++) {
        struct bestdag_number_pattern *p = &to->pattern[to->patterns];
        if (i && is_same(number, to->n, to->row[i], to->row[i - 1]))
            p--;
        else {
            *p = (struct bestdag_number_pattern){.first = i, .hole = at};
            for (int v = 0; v < to->n; v++)
                if (isnan(number[v][to->row[i]]))
                    to->hole[at++] = v;
            p->holes = at - p->hole;
            to->patterns++;
        }
        p->rows++;
        p->weight += to->weight ? to->weight[i] : 1;
        to->pattern_of[i] = (int32_t)(p - to->pattern);
    }
    return bestdag_run_status(run);
}

/* Centre, scale and variance of a column's values. */
static int describe(struct bestdag_run *run, const double *x, int v,
                    struct bestdag_gaussian_em *to)
{
    long double sum = 0, squares = 0, total = 0;
    double most = 0;
    for (int64_t i = 0; i < to->count; i++) {
        double cell = x[to->row[i]], weight = to->weight ? to->weight[i] : 1;
        if (isnan(cell))
            continue;
        if (isinf(cell) || fabs(cell) > 1e150)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "row %lld has %g: too large for a regression",
                                (long long)to->row[i] + 1, cell);
        sum += (long double)cell * weight;
        total += weight;
        most = fmax(most, fabs(cell));
    }
    to->centre[v] = total > 0 ? (double)(sum / total) : 0;
    for (int64_t i = 0; i < to->count; i++) {
        long double d = (long double)x[to->row[i]] - to->centre[v];
        if (!isnan(x[to->row[i]]))
            squares += d * d * (to->weight ? to->weight[i] : 1);
    }
    double deviation = total > 0 ? (double)sqrtl(squares / total) : 0;
    to->constant[v] = !(deviation > ROUNDING * most);
    to->exponent[v] = to->constant[v] ? 0 : ilogb(deviation);
    to->variance[v] = to->constant[v] ? 0
                                      : pow(ldexp(deviation, -to->exponent[v]),
                                            2); /* 1 .. 4 */
    for (int64_t i = 0; i < to->count; i++) {
        double cell = x[to->row[i]];
        to->value[v][i] = isnan(cell) || to->constant[v]
                              ? 0
                              : ldexp(cell - to->centre[v], -to->exponent[v]);
    }
    return BESTDAG_OK;
}

int bestdag_gaussian_em_new(struct bestdag_run *run,
                            const double *const *number, int n, int64_t rows,
                            const int32_t *weights,
                            struct bestdag_gaussian_em *to)
{
    *to = (struct bestdag_gaussian_em){.n = n, .table_rows = rows};
    struct keyed *key = find_rows(run, number, rows, weights, to);
    if (key && !allocate(run, weights, to)) {
        for (int64_t i = 0; i < to->count; i++) {
            to->row[i] = key[i].row;
            if (weights)
                to->weight[i] = weights[key[i].row];
        }
        find_patterns(run, number, to);
    }
    bestdag_free(key);
    for (int v = 0; v < n && !bestdag_run_status(run); v++)
        describe(run, number[v], v, to);
    if (!bestdag_run_status(run) && !to->count)
        bestdag_fail(run, BESTDAG_INPUT, "no row has a value");
    return bestdag_run_status(run);
}

void bestdag_gaussian_em_release(struct bestdag_gaussian_em *em)
{
    bestdag_free(em->row);
    bestdag_free(em->weight);
    bestdag_free(em->centre);
    bestdag_free(em->variance);
    bestdag_free(em->exponent);
    bestdag_free(em->constant);
    bestdag_free(em->value);
    bestdag_free(em->values);
    bestdag_free(em->pattern);
    bestdag_free(em->pattern_of);
    bestdag_free(em->hole);
    bestdag_free(em->spread);
    bestdag_free(em->ln);
    *em = (struct bestdag_gaussian_em){0};
}

double bestdag_gaussian_em_floor(const struct bestdag_gaussian_em *em, int v)
{
    return BESTDAG_SINGULAR * em->variance[v];
}

void bestdag_gaussian_em_blank(struct bestdag_gaussian_em *em)
{
    size_t pairs = (size_t)em->n * ((size_t)em->n + 1) / 2;
    memset(em->spread, 0, pairs * sizeof *em->spread);
    for (int64_t p = 0; p < em->patterns; p++) {
        const struct bestdag_number_pattern *k = &em->pattern[p];
        for (int h = k->hole; h < k->hole + k->holes; h++) {
            int v = em->hole[h];
            double *x = em->value[v] + k->first;
            memset(x, 0, (size_t)k->rows * sizeof *x);
            em->spread[bestdag_triangle(v, v)] += (bestdag_wide)ldexp(
                k->weight * em->variance[v], BESTDAG_SPREAD_SHIFT);
        }
    }
}
