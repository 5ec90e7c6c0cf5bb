/* SPDX-License-Identifier: MIT */
/* dense_count.c -- the sums of all sets T + l of a prefix T: by the count cube
 * if few cells need counting, else by the tally. See dense.c. */
#include <string.h>

#include "parents/exhaustive/dense.h"

enum { AT_ONCE = 1024 }; /* sets per message */

/* Adds the terms of the tables' cells for all l of a range with `states`
 * states. */
static void add_cells(const struct bestdag_prefix_tables *tables, int z,
                      int lots, int states,
                      const struct bestdag_score_terms *terms,
                      int64_t *restrict sum)
{
    const int64_t *restrict value = terms->value;
    for (int e = 0; e < tables->cells; e++) {
        const int32_t *restrict row = tables->row[e] + z;
        int32_t total = tables->total[e];
        if (!total)
            continue;
        if (states == 2 && total < terms->limit)
            for (int i = 0; i < lots; i++)
                sum[i] += value[row[i]] + value[total - row[i]];
        else if (states == 3 && total < terms->limit)
            for (int i = 0; i < lots; i++, row += 2)
                sum[i] += value[row[0]] + value[row[1]] +
                          value[total - row[0] - row[1]];
        else
            for (int i = 0; i < lots; i++) {
                int32_t rest = total;
                for (int k = 1; k < states; k++, row++) {
                    sum[i] += bestdag_score_terms_at(terms, *row);
                    rest -= *row;
                }
                sum[i] += bestdag_score_terms_at(terms, rest);
            }
    }
}

static void count_cells(const struct bestdag_prefix_tables *tables, int z,
                        int lots, int states, int32_t *restrict cells)
{
    for (int e = 0; e < tables->cells; e++) {
        const int32_t *restrict row = tables->row[e] + z;
        int32_t total = tables->total[e];
        if (!total)
            continue;
        for (int i = 0; i < lots; i++) {
            int32_t rest = total;
            for (int k = 1; k < states; k++, row++) {
                cells[i] += *row != 0;
                rest -= *row;
            }
            cells[i] += rest != 0;
        }
    }
}

/* Is function f needed at this level? Bottoms are not at the last one. */
static bool is_wanted(const struct bestdag_dense *d, int f)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    if (!d->last || d->functions == 1)
        return true;
    for (int v = 0; v < s->n; v++)
        if (s->top[v] == f)
            return true;
    return false;
}

static int sum_tables(struct bestdag_dense_task *t,
                      const struct bestdag_prefix_tables *tables)
{
    const struct bestdag_levels *levels = t->d->levels;
    const struct bestdag_scorer *s = levels->scorer;
    const int *first = s->columns->first;
    double joint = bestdag_scorer_joint_states(s, t->variable, t->count);
    for (int l = t->from, end, cut = tables->cut - levels->from; l < cut;
         l = end) {
        int states = bestdag_levels_states(levels, l);
        int z = first[levels->from + l] - first[tables->from];
        end = bestdag_dense_same(t, l, cut);
        for (int f = 0; f < t->d->functions; f++) {
            const struct bestdag_score_terms *terms =
                bestdag_scorer_terms(s, f, joint * states);
            if (!terms)
                return BESTDAG_MEMORY;
            if (is_wanted(t->d, f))
                add_cells(tables, z, end - l, states, terms,
                          t->w->sum + f * levels->n + l);
        }
        if (levels->kind == BESTDAG_PRUNE_URN)
            count_cells(tables, z, end - l, states, t->w->cells + l);
    }
    return BESTDAG_OK;
}

int bestdag_dense_sum_one(struct bestdag_dense_task *t, int l)
{
    const struct bestdag_levels *levels = t->d->levels;
    const struct bestdag_scorer *s = levels->scorer;
    struct bestdag_tally *tally = bestdag_scorer_scratch_tally(t->w->scratch);
    int variable = bestdag_levels_variable(levels, l);
    double joint = bestdag_scorer_joint_states(s, t->variable, t->count) *
                   s->states[variable];
    if (bestdag_tally_path(tally, t->variable, t->count))
        return BESTDAG_MEMORY;
    for (int f = 0; f < t->d->functions; f++) {
        const struct bestdag_score_terms *terms =
            bestdag_scorer_terms(s, f, joint);
        int64_t cells;
        if (!terms || bestdag_tally_sum(tally, variable, &terms, 1,
                                        &t->w->sum[f * levels->n + l], &cells))
            return BESTDAG_MEMORY;
        t->w->cells[l] = (int32_t)cells;
    }
    return BESTDAG_OK;
}

static bool is_alive(const struct bestdag_dense_task *t, int l)
{
    int n = t->d->levels->n;
    if (!t->d->levels->job->prune)
        return true;
    for (int i = 0; i <= t->count; i++)
        if (t->w->best[i * n + l] < BESTDAG_DEAD)
            return true;
    return false;
}

/* If rows are spread over ranks: counts all sets of the prefix at once. */
static int count_ahead(struct bestdag_dense_task *t, int first)
{
    const struct bestdag_levels *levels = t->d->levels;
    struct bestdag_tally *tally = bestdag_scorer_scratch_tally(t->w->scratch);
    int ahead[AT_ONCE], count = 0;
    if (!bestdag_columns_are_sharded(levels->scorer->columns))
        return BESTDAG_OK;
    if (bestdag_tally_path(tally, t->variable, t->count))
        return BESTDAG_MEMORY;
    for (int l = first; l < t->to; l++) {
        if (is_alive(t, l))
            ahead[count++] = bestdag_levels_variable(levels, l);
        if (count == AT_ONCE) {
            if (bestdag_tally_ahead(tally, ahead, count))
                return BESTDAG_MEMORY;
            count = 0;
        }
    }
    return bestdag_tally_ahead(tally, ahead, count);
}

int bestdag_dense_count(struct bestdag_dense_task *t)
{
    const struct bestdag_levels *levels = t->d->levels;
    int n = levels->n, lots = t->to - t->from;
    struct bestdag_prefix_tables tables;
    for (int f = 0; f < t->d->functions; f++)
        memset(t->w->sum + f * n + t->from, 0, (size_t)lots * sizeof(int64_t));
    memset(t->w->cells + t->from, 0, (size_t)lots * sizeof(int32_t));
    if (bestdag_count_cubes_count(t->w->cubes, t->place, t->count, &tables) ||
        sum_tables(t, &tables) || count_ahead(t, tables.cut - levels->from))
        return BESTDAG_MEMORY;
    for (int l = tables.cut - levels->from; l < t->to; l++)
        if (!is_alive(t, l))
            for (int f = 0; f < t->d->functions; f++)
                t->w->sum[f * n + l] = BESTDAG_ABSENT;
        else if (bestdag_dense_sum_one(t, l))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}
