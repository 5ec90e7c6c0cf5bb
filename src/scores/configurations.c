/* SPDX-License-Identifier: MIT */
/* configurations.c -- groups rows by joint states of columns, with moments. */
#include "scores/configurations.h"

#include <math.h>
#include <string.h>

enum {
    KEPT = 64,           /* number of cached sets */
    MOST_BYTES = 1 << 25 /* accurate cross-products of a set; more are not
                            kept */
};

struct bestdag_configurations {
    struct bestdag_run *run;
    const struct bestdag_moments *moments;  /* borrowed */
    struct bestdag_state_groups kept[KEPT]; /* own; by hash */
    int32_t *group;                         /* owns; [rows]: scratch */
    double *x, *y;                          /* own; [rows]: values of one
                                               group */
    int32_t *weight; /* owns; [rows]: weights of one group; NULL: all are 1 */
    double *sums;    /* owns; [room]: of a set whose cross is NULL */
    int room;
};

struct bestdag_configurations *bestdag_configurations_new(
    struct bestdag_run *run, const struct bestdag_moments *moments)
{
    struct bestdag_configurations *c = bestdag_calloc(run, 1, sizeof *c);
    size_t rows = (size_t)moments->rows + 1;
    if (!c)
        return NULL;
    c->run = run;
    c->moments = moments;
    c->group = bestdag_alloc(run, rows * sizeof *c->group);
    c->x = bestdag_alloc(run, rows * sizeof *c->x);
    c->y = bestdag_alloc(run, rows * sizeof *c->y);
    if (moments->table->weights)
        c->weight = bestdag_alloc(run, rows * sizeof *c->weight);
    if (!bestdag_run_status(run))
        return c;
    bestdag_configurations_free(c);
    return NULL;
}

static void release(const struct bestdag_configurations *c,
                    struct bestdag_state_groups *g)
{
    for (int i = 0; i < c->moments->numbers && g->cross && g->accurate; i++) {
        bestdag_free(g->cross[i]);
        bestdag_free(g->accurate[i]);
    }
    bestdag_free(g->set);
    bestdag_free(g->start);
    bestdag_free(g->row);
    bestdag_free(g->weight);
    bestdag_free(g->mean);
    bestdag_free(g->cross);
    bestdag_free(g->accurate);
    *g = (struct bestdag_state_groups){0};
}

void bestdag_configurations_free(struct bestdag_configurations *c)
{
    if (!c)
        return;
    for (int i = 0; i < KEPT; i++)
        release(c, &c->kept[i]);
    bestdag_free(c->group);
    bestdag_free(c->x);
    bestdag_free(c->y);
    bestdag_free(c->weight);
    bestdag_free(c->sums);
    bestdag_free(c);
}

/* ---- groups -------------------------------------------------------------- */

/* Rows of weight 0 are in no group. */
static int weight_of(const struct bestdag_table *t, int64_t row)
{
    return t->weights ? t->weights[row] : 1;
}

/* Splits the groups by another column; returns their number, or -1. */
static int split(struct bestdag_configurations *c, int groups,
                 const struct bestdag_column *column)
{
    size_t cells = (size_t)groups * (size_t)column->states;
    int32_t *number = bestdag_calloc(c->run, cells, sizeof *number);
    int count = 0;
    for (int64_t r = 0; number && r < c->moments->rows; r++) {
        if (!weight_of(c->moments->table, r))
            continue;
        size_t cell = (size_t)c->group[r] * (size_t)column->states +
                      (size_t)bestdag_column_code(column, r);
        if (!number[cell])
            number[cell] = ++count;
        c->group[r] = number[cell] - 1;
    }
    bestdag_free(number);
    return number ? count : -1;
}

/* Sorts the rows by their group. */
static void sort_rows(const struct bestdag_configurations *c,
                      struct bestdag_state_groups *g)
{
    const struct bestdag_table *t = c->moments->table;
    for (int64_t r = 0; r < t->rows; r++)
        if (weight_of(t, r)) {
            g->start[c->group[r] + 1]++;
            g->weight[c->group[r]] += weight_of(t, r);
        }
    for (int j = 0; j < g->groups; j++)
        g->start[j + 1] += g->start[j];
    int64_t rows = g->start[g->groups];
    for (int64_t r = t->rows; r-- > 0;)
        if (weight_of(t, r))
            g->row[--g->start[c->group[r] + 1]] = (int32_t)r;
    for (int j = 0; j < g->groups; j++)
        g->start[j] = g->start[j + 1];
    g->start[g->groups] = rows;
    g->least_weight = INFINITY;
    for (int j = 0; j < g->groups; j++)
        if (g->weight[j] < g->least_weight)
            g->least_weight = g->weight[j];
}

/* A new array of `count` NANs; NULL: out of memory. */
static double *make_unset(struct bestdag_run *run, size_t count)
{
    double *at = bestdag_alloc(run, (count + 1) * sizeof *at);
    for (size_t i = 0; at && i < count; i++)
        at[i] = (double)NAN;
    return at;
}

static int allocate(struct bestdag_configurations *c,
                    struct bestdag_state_groups *g, const int *set, int count)
{
    size_t groups = (size_t)g->groups, n = (size_t)c->moments->numbers;
    size_t pairs = n * (n + 1) / 2 * groups;
    bool is_small = pairs * sizeof **g->accurate <= MOST_BYTES;
    g->set = bestdag_alloc(c->run, ((size_t)count + 1) * sizeof *g->set);
    g->start = bestdag_calloc(c->run, groups + 1, sizeof *g->start);
    g->row =
        bestdag_alloc(c->run, ((size_t)c->moments->rows + 1) * sizeof *g->row);
    g->weight = bestdag_calloc(c->run, groups + 1, sizeof *g->weight);
    g->mean = make_unset(c->run, n * groups);
    if (is_small) {
        g->cross = bestdag_calloc(c->run, n + 1, sizeof *g->cross);
        g->accurate = bestdag_calloc(c->run, n + 1, sizeof *g->accurate);
    }
    if (bestdag_run_status(c->run))
        return BESTDAG_MEMORY;
    if (count)
        memcpy(g->set, set, (size_t)count * sizeof *set);
    g->count = count;
    return BESTDAG_OK;
}

static int make(struct bestdag_configurations *c,
                struct bestdag_state_groups *g, const int *set, int count)
{
    release(c, g);
    memset(c->group, 0, (size_t)c->moments->rows * sizeof *c->group);
    g->groups = c->moments->total > 0;
    for (int i = 0; i < count && g->groups >= 0; i++)
        g->groups = split(c, g->groups, &c->moments->table->column[set[i]]);
    if (g->groups < 0 || allocate(c, g, set, count)) {
        release(c, g);
        return BESTDAG_MEMORY;
    }
    sort_rows(c, g);
    return BESTDAG_OK;
}

struct bestdag_state_groups *bestdag_configurations_find(
    struct bestdag_configurations *c, const int *set, int count)
{
    uint64_t hash = (uint64_t)count;
    for (int i = 0; i < count; i++)
        hash = (hash ^ (uint64_t)set[i]) * 0x9e3779b97f4a7c15u;
    struct bestdag_state_groups *g = &c->kept[hash >> 32 & (KEPT - 1)];
    if (g->set && g->count == count &&
        (!count || !memcmp(g->set, set, (size_t)count * sizeof *set)))
        return g;
    return make(c, g, set, count) ? NULL : g;
}

/* ---- moments ------------------------------------------------------------- */

static double mean_of(const struct bestdag_moments *m,
                      struct bestdag_state_groups *g, int place, int group)
{
    double *mean = &g->mean[(size_t)place * (size_t)g->groups + (size_t)group];
    if (!isnan(*mean))
        return *mean;
    const double *value = m->value[place];
    long double sum = 0;
    for (int64_t i = g->start[group]; i < g->start[group + 1]; i++)
        sum += (long double)value[g->row[i]] * weight_of(m->table, g->row[i]);
    *mean = (double)(sum / g->weight[group]);
    return *mean;
}

/* Copies the values of a place in a group, less `mean`, to `to`. */
static void gather(const struct bestdag_moments *m,
                   const struct bestdag_state_groups *g, int place, int group,
                   double mean, double *to)
{
    const double *value = m->value[place];
    for (int64_t i = g->start[group]; i < g->start[group + 1]; i++)
        *to++ = value[g->row[i]] - mean;
}

static double cross_of(struct bestdag_configurations *c,
                       struct bestdag_state_groups *g, int i, int j, int group)
{
    const struct bestdag_table *t = c->moments->table;
    int64_t from = g->start[group], rows = g->start[group + 1] - from;
    gather(c->moments, g, i, group, mean_of(c->moments, g, i, group), c->x);
    if (i != j)
        gather(c->moments, g, j, group, mean_of(c->moments, g, j, group), c->y);
    else
        memcpy(c->y, c->x, (size_t)rows * sizeof *c->y);
    for (int64_t r = 0; t->weights && r < rows; r++)
        c->x[r] *= t->weights[g->row[from + r]];
    return (double)bestdag_moments_product(c->x, c->y, rows);
}

/* The place of the cross-products of a pair; NULL: not kept, or no memory. */
static double *kept_at(struct bestdag_configurations *c,
                       struct bestdag_state_groups *g, int high, int low)
{
    size_t groups = (size_t)g->groups;
    if (!g->cross)
        return NULL;
    if (!g->cross[high])
        g->cross[high] = make_unset(c->run, ((size_t)high + 1) * groups);
    return g->cross[high] ? g->cross[high] + (size_t)low * groups : NULL;
}

/* Scratch for cross-products that are not kept; NULL: out of memory. */
static double *unkept(struct bestdag_configurations *c, int groups)
{
    if (groups > c->room) {
        double *sums =
            bestdag_realloc(c->run, c->sums, (size_t)groups * sizeof *sums);
        if (!sums)
            return NULL;
        c->sums = sums;
        c->room = groups;
    }
    return c->sums;
}

const double *bestdag_configurations_cross(struct bestdag_configurations *c,
                                           struct bestdag_state_groups *g,
                                           int i, int j)
{
    int high = i > j ? i : j, low = i > j ? j : i;
    double *kept = kept_at(c, g, high, low);
    double *to = kept ? kept : unkept(c, g->groups);
    if (to && (!kept || isnan(to[0])))
        for (int group = 0; group < g->groups; group++)
            to[group] = cross_of(c, g, high, low, group);
    return to;
}

/* kept_at() for accurate cross-products; i >= j. */
static struct bestdag_double_double *kept_accurately(
    struct bestdag_configurations *c, struct bestdag_state_groups *g, int i,
    int j)
{
    size_t groups = (size_t)g->groups, size = ((size_t)i + 1) * groups;
    if (!g->accurate)
        return NULL;
    struct bestdag_double_double *row = g->accurate[i];
    if (!row) {
        row = bestdag_alloc(c->run, (size + 1) * sizeof *row);
        for (size_t k = 0; row && k < size; k++)
            row[k].high = NAN;
        g->accurate[i] = row;
    }
    return row ? row + (size_t)j * groups : NULL;
}

struct bestdag_double_double bestdag_configurations_accurate_cross(
    struct bestdag_configurations *c, struct bestdag_state_groups *g, int i,
    int j, int group)
{
    const int32_t *weights = c->moments->table->weights;
    int64_t from = g->start[group], rows = g->start[group + 1] - from;
    int high = i > j ? i : j, low = i > j ? j : i;
    struct bestdag_double_double *kept = kept_accurately(c, g, high, low);
    if (kept && !isnan(kept[group].high))
        return kept[group];
    gather(c->moments, g, high, group, 0, c->x);
    gather(c->moments, g, low, group, 0, c->y);
    for (int64_t r = 0; weights && r < rows; r++)
        c->weight[r] = weights[g->row[from + r]];
    struct bestdag_double_double cross =
        bestdag_accurate_product(c->x, c->y, c->weight, rows);
    if (kept)
        kept[group] = cross;
    return cross;
}
