/* SPDX-License-Identifier: MIT */
/* available_rows.c -- counts of families over the rows in which they are
 * complete.
 *
 * Each row has the number of its joint state of the parents so far, -1 if it
 * lacks one of them. Another parent splits the groups; those that occur are
 * renumbered in the order of their first rows, so that there are never more
 * than rows. The numbers of every prefix of the parents are kept: a family
 * whose parents extend the last one's costs one pass over the rows for each new
 * parent and one for the child. Memory: 4 bytes per row and parent. */
#include "scores/available_rows.h"

#include <string.h>

#include "base/growing_array.h"

struct bestdag_available_rows {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    int *parent;     /* owns; [columns]: the path */
    int depth;       /* parents whose groups are known */
    int32_t **group; /* owns; [columns + 1]: [rows] of each prefix, or NULL */
    int64_t *groups; /* owns; [columns + 1] */
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
            bestdag_calloc(run, (size_t)table->rows + 1, sizeof **a->group);
    if (!bestdag_run_status(run)) {
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

/* Splits the groups of the first a->depth parents by one more. */
static int extend(struct bestdag_available_rows *a, int parent)
{
    const struct bestdag_column *c = &a->table->column[parent];
    int d = a->depth;
    int64_t wide = a->groups[d] * c->states, next = 0;
    if (!a->group[d + 1])
        a->group[d + 1] = bestdag_alloc(a->run, ((size_t)a->table->rows + 1) *
                                                    sizeof **a->group);
    if (!a->group[d + 1] || !BESTDAG_GROW(a->run, a->label, a->labels, wide))
        return BESTDAG_MEMORY;
    const int32_t *from = a->group[d];
    int32_t *to = a->group[d + 1];
    memset(a->label, -1, (size_t)wide * sizeof *a->label);
    for (int64_t r = 0; r < a->table->rows; r++) {
        int code = bestdag_column_code(c, r);
        to[r] = -1;
        if (code < 0 || from[r] < 0)
            continue;
        int32_t *label = &a->label[(int64_t)from[r] * c->states + code];
        if (*label < 0)
            *label = (int32_t)next++;
        to[r] = *label;
    }
    a->groups[d + 1] = next;
    a->parent[a->depth++] = parent;
    return BESTDAG_OK;
}

int bestdag_available_rows_count(struct bestdag_available_rows *a, int child,
                                 const int *parents, int count,
                                 struct bestdag_available_counts *to)
{
    const struct bestdag_column *c = &a->table->column[child];
    const int32_t *weights = a->table->weights;
    int same = 0;
    while (same < count && same < a->depth && a->parent[same] == parents[same])
        same++;
    a->depth = same;
    while (a->depth < count)
        if (extend(a, parents[a->depth]))
            return BESTDAG_MEMORY;
    const int32_t *group = a->group[count];
    int64_t cells = a->groups[count] * c->states;
    if (!BESTDAG_GROW(a->run, a->cell, a->cells, cells + 1))
        return BESTDAG_MEMORY;
    memset(a->cell, 0, (size_t)cells * sizeof *a->cell);
    *to = (struct bestdag_available_counts){
        .groups = a->groups[count], .states = c->states, .cell = a->cell};
    for (int64_t r = 0; r < a->table->rows; r++) {
        int code = bestdag_column_code(c, r);
        if (code < 0 || group[r] < 0)
            continue;
        int64_t w = weights ? weights[r] : 1;
        a->cell[(int64_t)group[r] * c->states + code] += w;
        to->rows += w;
    }
    return BESTDAG_OK;
}
