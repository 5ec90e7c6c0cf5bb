/* SPDX-License-Identifier: MIT */
/* collapse.c -- one row of each kind, with the sum of the weights.
 *
 * Rows come in the order of their codes and numbers, column by column, missing
 * last. Numbers compare by value (-0 is 0); missing equals missing. A weight is
 * an int32: if the sum of weights is larger, the row is repeated, all but the
 * last with the highest weight, so that the total never changes. */
#include <string.h>

#include "data/groups.h"

enum { HEAVIEST = INT32_MAX };

/* The row of the old table that each new row copies, and its weight. */
struct plan {
    int64_t rows;
    uint32_t *from;   /* owns */
    int32_t *weights; /* owns */
    bool is_weighted; /* some weight is not 1 */
};

static int64_t weight_of_group(const struct bestdag_table *t,
                               const struct bestdag_groups *g, int64_t start,
                               int64_t *end)
{
    int64_t sum = 0, i = start;
    do
        sum += t->weights ? t->weights[g->row[i].row] : 1;
    while (++i < t->rows && !g->first[i]);
    *end = i;
    return sum;
}

static int64_t count_rows(const struct bestdag_table *t,
                          const struct bestdag_groups *g)
{
    int64_t rows = 0;
    for (int64_t i = 0, end; i < t->rows; i = end) {
        int64_t sum = weight_of_group(t, g, i, &end);
        rows += sum > HEAVIEST ? (sum - 1) / HEAVIEST + 1 : 1;
    }
    return rows;
}

static int make_plan(struct bestdag_run *run, const struct bestdag_table *t,
                     const struct bestdag_groups *g, struct plan *p)
{
    p->rows = count_rows(t, g);
    p->from = bestdag_calloc(run, (size_t)p->rows, sizeof *p->from);
    p->weights = bestdag_calloc(run, (size_t)p->rows, sizeof *p->weights);
    if (!p->from || !p->weights)
        return BESTDAG_MEMORY;
    int64_t to = 0;
    for (int64_t i = 0, end; i < t->rows; i = end) {
        int64_t sum = weight_of_group(t, g, i, &end);
        do {
            p->from[to] = g->row[i].row;
            p->weights[to] = (int32_t)(sum > HEAVIEST ? HEAVIEST : sum);
            p->is_weighted |= p->weights[to] != 1;
            sum -= p->weights[to++];
        } while (sum > 0);
    }
    return BESTDAG_OK;
}

static int64_t copy_cells(const struct bestdag_column *from,
                          const struct plan *p, void *cells)
{
    int64_t missing = 0;
    for (int64_t r = 0; r < p->rows; r++)
        if (from->bytes == 1) {
            uint8_t x = ((const uint8_t *)from->cells)[p->from[r]];
            ((uint8_t *)cells)[r] = x;
            missing += x == BESTDAG_MISSING_1;
        } else if (from->bytes == 2) {
            uint16_t x = ((const uint16_t *)from->cells)[p->from[r]];
            ((uint16_t *)cells)[r] = x;
            missing += x == BESTDAG_MISSING_2;
        } else {
            double x = ((const double *)from->cells)[p->from[r]];
            ((double *)cells)[r] = x;
            missing += isnan(x) != 0;
        }
    return missing;
}

static int copy_column(struct bestdag_run *run,
                       const struct bestdag_column *from, const struct plan *p,
                       struct bestdag_table *to)
{
    struct bestdag_column *c = bestdag_table_add_like(run, to, from);
    if (c)
        c->cells = bestdag_alloc(run, (size_t)p->rows * (size_t)from->bytes);
    if (c && c->cells)
        c->missing = copy_cells(from, p, c->cells);
    return bestdag_run_status(run);
}

static int stopped(struct bestdag_run *run)
{
    return bestdag_fail(run, BESTDAG_FAILED,
                        "stopped before the rows were collapsed");
}

static struct bestdag_table *apply(struct bestdag_run *run,
                                   const struct bestdag_table *t,
                                   struct plan *p)
{
    struct bestdag_table *to = bestdag_table_new(run, p->rows);
    if (!to)
        return NULL;
    to->total = t->total;
    to->use = t->use;
    if (p->is_weighted) {
        to->weights = p->weights;
        p->weights = NULL;
    }
    for (int c = 0; c < t->columns && !bestdag_run_status(run); c++) {
        copy_column(run, &t->column[c], p, to);
        if (bestdag_run_watch(run, c))
            stopped(run);
    }
    if (!bestdag_run_status(run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

static int refuse(struct bestdag_run *run, const struct bestdag_table *t)
{
    if (!t)
        return bestdag_fail(run, BESTDAG_USAGE, "there is no table");
    for (int c = 0; c < t->columns; c++)
        if (t->column[c].kind == BESTDAG_OPAQUE)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' has too many different values to "
                                "compare rows: leave it out",
                                t->column[c].name);
    return BESTDAG_OK;
}

struct bestdag_table *bestdag_table_collapse(struct bestdag_run *run,
                                             const struct bestdag_table *table)
{
    struct bestdag_groups groups;
    struct bestdag_table *to = NULL;
    struct plan p = {0};
    if (bestdag_run_status(run) || refuse(run, table))
        return NULL;
    bestdag_run_phase(run, "collapsing", table->columns);
    if (!bestdag_groups_make(run, table, &groups) && !groups.row)
        stopped(run);
    if (groups.row && !bestdag_run_status(run) &&
        !make_plan(run, table, &groups, &p)) {
        bestdag_groups_release(&groups); /* makes room for the table */
        to = apply(run, table, &p);
    }
    bestdag_groups_release(&groups);
    bestdag_free(p.from);
    bestdag_free(p.weights);
    return to;
}
