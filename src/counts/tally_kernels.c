/* SPDX-License-Identifier: MIT */
/* tally_kernels.c -- counts one more variable: the sums over its cells by the
 * cheapest of three kernels (tally.h), and the cells themselves.
 *
 * Time: 1 ns per row; with bits groups * states * rows / 64 / 4 ns. */
#include <string.h>

#include "counts/tally_step.h"

static const double ROW_NS = 1.2, WORD_NS = 0.22, CELL_NS = 1.0, CALL_NS = 4;

/* ---- the kernels --------------------------------------------------------- */

struct sums {
    const struct bestdag_score_terms *const *terms;
    int count;
    int64_t *sum, cells;
};

static inline void add_cell(struct sums *s, int64_t count)
{
    s->sum[0] += bestdag_score_terms_at(s->terms[0], count);
    if (s->count > 1)
        s->sum[1] += bestdag_score_terms_at(s->terms[1], count);
    s->cells++;
}

static inline void add_array(struct sums *s, const uint32_t *count, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (count[i])
            add_cell(s, count[i]);
}

static uint32_t *count_dense(struct bestdag_tally *t,
                             const struct bestdag_step *s, int variable)
{
    const struct bestdag_column *c = &t->columns->table->column[variable];
    const int32_t *weight = t->columns->table->weights;
    int64_t rows = t->columns->rows, cells = s->groups * c->states;
    uint32_t *count = bestdag_tally_scratch(t, cells),
             states = (uint32_t)c->states;
    if (!count)
        return NULL;
    memset(count, 0, (size_t)cells * sizeof *count);
    if (weight || c->bytes != 1) {
        for (int64_t r = 0; r < rows; r++)
            count[s->code[r] * (size_t)states + bestdag_column_code(c, r)] +=
                weight ? (uint32_t)weight[r] : 1;
        return count;
    }
    const uint8_t *code = c->cells;
    for (int64_t r = 0; r < rows; r++)
        count[s->code[r] * (size_t)states + code[r]]++;
    return count;
}

static int sum_dense(struct bestdag_tally *t, struct bestdag_step *s,
                     int variable, struct sums *to)
{
    bestdag_step_code(t, s);
    uint32_t *count = count_dense(t, s, variable);
    if (!count)
        return BESTDAG_MEMORY;
    add_array(to, count, s->groups * t->columns->states[variable]);
    return BESTDAG_OK;
}

static void sum_group(struct bestdag_tally *t, const struct bestdag_column *c,
                      const uint32_t *row, int64_t count, struct sums *to)
{
    for (int64_t i = 0; i < count; i++)
        t->counter[bestdag_column_code(c, row[i])] +=
            bestdag_columns_weight(t->columns, row[i]);
    for (int64_t i = 0; i < count; i++) {
        int64_t *n = &t->counter[bestdag_column_code(c, row[i])];
        if (*n)
            add_cell(to, *n);
        *n = 0;
    }
}

/* Groups of one row: their cells have the row's weight. */
static void sum_singles(const struct bestdag_tally *t,
                        const struct bestdag_step *s, struct sums *to)
{
    int64_t from = s->start[s->several], rows = t->columns->rows;
    if (t->columns->table->weights) {
        for (int64_t i = from; i < rows; i++)
            if (bestdag_columns_weight(t->columns, s->row[i]))
                add_cell(to, bestdag_columns_weight(t->columns, s->row[i]));
        return;
    }
    for (int f = 0; f < to->count; f++)
        to->sum[f] += (rows - from) * bestdag_score_terms_at(to->terms[f], 1);
    to->cells += rows - from;
}

static int sum_groups(struct bestdag_tally *t, struct bestdag_step *s,
                      int variable, struct sums *to)
{
    const struct bestdag_column *c = &t->columns->table->column[variable];
    if (!s->sorted && bestdag_step_sort(t, s))
        return BESTDAG_MEMORY;
    for (int64_t g = 0; g < s->several; g++)
        sum_group(t, c, s->row + s->start[g], s->start[g + 1] - s->start[g],
                  to);
    sum_singles(t, s, to);
    return BESTDAG_OK;
}

static int sum_bits(struct bestdag_tally *t, struct bestdag_step *s,
                    int variable, struct sums *to)
{
    const struct bestdag_columns *c = t->columns;
    int others = c->states[variable] - 1;
    const uint64_t *column = bestdag_bit_column(c, c->place[variable], 0);
    if (!s->has_bits && bestdag_step_bits(t, s))
        return BESTDAG_MEMORY;
    int32_t *count = (int32_t *)bestdag_tally_scratch(t, others + 1);
    if (!count)
        return BESTDAG_MEMORY;
    for (int64_t g = 0; g < s->groups; g++) {
        int64_t last = s->weight[g];
        t->popcount(s->bits + g * c->words, column, c->words, others, count);
        for (int i = 0; i < others; i++) {
            last -= count[i];
            if (count[i])
                add_cell(to, count[i]);
        }
        if (last)
            add_cell(to, last);
    }
    return BESTDAG_OK;
}

/* Bits that must be computed first pay from the second request on. */
static bool prefers_bits(const struct bestdag_tally *t,
                         const struct bestdag_step *s, int states)
{
    const struct bestdag_columns *c = t->columns;
    double cells = (double)s->groups * states;
    double bits = (double)s->groups *
                  ((states - 1) * (double)c->words * WORD_NS + CALL_NS);
    return (s->has_bits || s->asked > 1) && s->groups * c->words < (1 << 20) &&
           bits < (double)c->rows * ROW_NS + cells * CELL_NS;
}

static enum bestdag_kernel choose(const struct bestdag_tally *t,
                                  const struct bestdag_step *s, int variable)
{
    int states = t->columns->states[variable];
    bool has_bits = bestdag_has_bit_columns(t->columns, variable);
    bool dense = bestdag_step_is_dense(t, s, states);
    if (t->forced == BESTDAG_KERNEL_GROUPS)
        return t->forced;
    if (has_bits && (t->forced == BESTDAG_KERNEL_BITS ||
                     (!t->forced && prefers_bits(t, s, states))))
        return BESTDAG_KERNEL_BITS;
    return dense ? BESTDAG_KERNEL_DENSE : BESTDAG_KERNEL_GROUPS;
}

int bestdag_tally_sum(struct bestdag_tally *t, int variable,
                      const struct bestdag_score_terms *const *terms, int count,
                      int64_t *sums, int64_t *cells)
{
    if (t->sharded)
        return bestdag_sharded_tally_sum(t->sharded, variable, terms, count,
                                         sums, cells);
    struct bestdag_step *s = &t->step[t->depth];
    struct sums to = {.terms = terms, .count = count, .sum = sums};
    int status;
    memset(sums, 0, (size_t)count * sizeof *sums);
    s->asked += s->asked < 2;
    switch (choose(t, s, variable)) {
    case BESTDAG_KERNEL_BITS:
        status = sum_bits(t, s, variable, &to);
        break;
    case BESTDAG_KERNEL_GROUPS:
        status = sum_groups(t, s, variable, &to);
        break;
    default:
        status = sum_dense(t, s, variable, &to);
    }
    *cells = to.cells;
    return status;
}

/* ---- listing cells ------------------------------------------------------- */

static void list_group(struct bestdag_tally *t, const struct bestdag_column *c,
                       const uint32_t *row, int64_t count, int64_t *used)
{
    const struct bestdag_step *s = &t->step[t->depth];
    for (int64_t i = 0; i < count; i++)
        t->counter[bestdag_column_code(c, row[i])] +=
            bestdag_columns_weight(t->columns, row[i]);
    for (int64_t i = 0; i < count; i++) {
        int state = bestdag_column_code(c, row[i]);
        if (t->counter[state])
            t->cell[(*used)++] =
                (struct bestdag_cell){.group = s->code[row[i]],
                                      .state = state,
                                      .count = t->counter[state],
                                      .row = row[i]};
        t->counter[state] = 0;
    }
}

int bestdag_tally_cells(struct bestdag_tally *t, int variable,
                        const struct bestdag_cell **cells, int64_t *count)
{
    if (t->sharded)
        return bestdag_sharded_tally_cells(t->sharded, variable, cells, count);
    struct bestdag_step *s = &t->step[t->depth];
    const struct bestdag_column *c = &t->columns->table->column[variable];
    if (!t->cell)
        t->cell = bestdag_alloc(t->run, (size_t)bestdag_tally_rows(t) *
                                            sizeof *t->cell);
    if (!t->cell || (!s->sorted && bestdag_step_sort(t, s)))
        return BESTDAG_MEMORY;
    *count = 0;
    for (int64_t g = 0; g < s->several; g++)
        list_group(t, c, s->row + s->start[g], s->start[g + 1] - s->start[g],
                   count);
    for (int64_t i = s->start[s->several]; i < t->columns->rows; i++)
        list_group(t, c, s->row + i, 1, count);
    *cells = t->cell;
    return BESTDAG_OK;
}
