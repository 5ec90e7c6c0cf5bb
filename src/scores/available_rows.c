/* SPDX-License-Identifier: MIT */
/* available_rows.c -- counts of families over the rows in which they are
 * complete.
 *
 * Each row has the number of its joint state of the parents so far, from 1; 0
 * if it lacks one of them. Another parent splits the groups; those that occur
 * are renumbered in the order of their first rows, so that there are never more
 * than rows. Incomplete rows are counted like the others, in cells that are
 * dropped in the end: branches on missing values would be mispredicted. The
 * numbers of every prefix of the parents are kept: a family whose parents
 * extend the last one's costs one pass over the rows for each new parent and
 * one for the child. Memory: 4 bytes per row and parent. */
#include "scores/available_rows.h"

#include <string.h>

#include "base/growing_array.h"

struct bestdag_available_rows {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    int *parent;     /* owns; [columns]: the path */
    int depth;       /* parents whose groups are known */
    int32_t **group; /* owns; [columns + 1]: [rows] of each prefix, or NULL */
    int64_t *groups; /* owns; [columns + 1]: numbers of groups, without 0 */
    int32_t *label;  /* owns: new numbers of groups */
    int64_t labels;  /* room of `label` */
    int64_t *cell;   /* owns */
    int64_t cells;   /* room of `cell` */
};

struct bestdag_available_rows *bestdag_available_rows_new(
    struct bestdag_run *run, const struct bestdag_table *table)
{
    struct bestdag_available_rows *a = bestdag_calloc(run, 1, sizeof *a);
    size_t n = (size_t)table->columns + 1;
    if (!a)
        return NULL;
    *a = (struct bestdag_available_rows){.run = run, .table = table};
    a->parent = bestdag_alloc(run, n * sizeof *a->parent);
    a->group = bestdag_calloc(run, n, sizeof *a->group);
    a->groups = bestdag_calloc(run, n, sizeof *a->groups);
    if (a->group)
        a->group[0] =
            bestdag_alloc(run, ((size_t)table->rows + 1) * sizeof **a->group);
    if (!bestdag_run_status(run)) {
        for (int64_t r = 0; r < table->rows; r++)
            a->group[0][r] = 1;
        a->groups[0] = 1;
        return a;
    }
    bestdag_available_rows_free(a);
    return NULL;
}

void bestdag_available_rows_free(struct bestdag_available_rows *a)
{
    if (!a)
        return;
    for (int i = 0; a->group && i <= a->table->columns; i++)
        bestdag_free(a->group[i]);
    bestdag_free(a->parent);
    bestdag_free(a->group);
    bestdag_free(a->groups);
    bestdag_free(a->label);
    bestdag_free(a->cell);
    bestdag_free(a);
}

/* The state of a cell; if it is missing, the number of states. */
static inline int64_t state_of(const void *cells, int bytes, int64_t row,
                               int states)
{
    int code = bytes == 1 ? ((const uint8_t *)cells)[row]
                          : ((const uint16_t *)cells)[row];
    return code < states ? code : states;
}

/* Splits the groups `from` of the rows by column c; returns the number of new
 * ones. label[group * (states + 1) + state]: new number; -1: none yet. */
static inline int64_t split(const struct bestdag_column *c, int bytes,
                            const int32_t *from, int64_t rows, int32_t *label,
                            int32_t *to)
{
    int32_t next = 0;
    for (int64_t r = 0; r < rows; r++) {
        int64_t state = state_of(c->cells, bytes, r, c->states);
        int32_t *now = &label[(int64_t)from[r] * (c->states + 1) + state];
        if (*now < 0)
            *now = ++next;
        to[r] = *now;
    }
    return next;
}

/* Splits the groups of the first a->depth parents by one more. */
static int extend(struct bestdag_available_rows *a, int parent)
{
    const struct bestdag_column *c = &a->table->column[parent];
    int d = a->depth;
    int64_t rows = a->table->rows, wide = c->states + 1;
    int64_t labels = (a->groups[d] + 1) * wide;
    if (!a->group[d + 1])
        a->group[d + 1] =
            bestdag_alloc(a->run, ((size_t)rows + 1) * sizeof **a->group);
    if (!a->group[d + 1] || !BESTDAG_GROW(a->run, a->label, a->labels, labels))
        return BESTDAG_MEMORY;
    memset(a->label, -1, (size_t)labels * sizeof *a->label);
    memset(a->label, 0, (size_t)wide * sizeof *a->label);
    for (int64_t g = 1; g <= a->groups[d]; g++)
        a->label[g * wide + c->states] = 0;
    a->groups[d + 1] =
        c->bytes == 1
            ? split(c, 1, a->group[d], rows, a->label, a->group[d + 1])
            : split(c, 2, a->group[d], rows, a->label, a->group[d + 1]);
    a->parent[a->depth++] = parent;
    return BESTDAG_OK;
}

static inline void count_cells(const struct bestdag_column *c, int bytes,
                               const int32_t *group, const int32_t *weights,
                               int64_t rows, int64_t *cell)
{
    for (int64_t r = 0; r < rows; r++)
        cell[(int64_t)group[r] * (c->states + 1) +
             state_of(c->cells, bytes, r, c->states)] +=
            weights ? weights[r] : 1;
}

/* Drops the cells of incomplete rows; returns the number of complete ones. */
static int64_t pack(int64_t *cell, int64_t groups, int states)
{
    int64_t rows = 0, *to = cell;
    for (int64_t g = 1; g <= groups; g++)
        for (int k = 0; k < states; k++) {
            *to = cell[g * (states + 1) + k];
            rows += *to++;
        }
    return rows;
}

int bestdag_available_rows_count(struct bestdag_available_rows *a, int child,
                                 const int *parents, int count,
                                 struct bestdag_available_counts *to)
{
    const struct bestdag_column *c = &a->table->column[child];
    const int32_t *weights = a->table->weights;
    int64_t rows = a->table->rows;
    int same = 0;
    while (same < count && same < a->depth && a->parent[same] == parents[same])
        same++;
    a->depth = same;
    while (a->depth < count)
        if (extend(a, parents[a->depth]))
            return BESTDAG_MEMORY;
    int64_t cells = (a->groups[count] + 1) * (c->states + 1);
    if (!BESTDAG_GROW(a->run, a->cell, a->cells, cells + 1))
        return BESTDAG_MEMORY;
    memset(a->cell, 0, (size_t)cells * sizeof *a->cell);
    if (c->bytes == 1)
        count_cells(c, 1, a->group[count], weights, rows, a->cell);
    else
        count_cells(c, 2, a->group[count], weights, rows, a->cell);
    *to = (struct bestdag_available_counts){
        .groups = a->groups[count], .states = c->states, .cell = a->cell};
    to->rows = pack(a->cell, a->groups[count], c->states);
    return BESTDAG_OK;
}
