/* SPDX-License-Identifier: MIT */
/* tally_path.c -- the path of a tally: adds variables one at a time.
 *
 * While groups are few, a step is made from the bits of the previous one by
 * AND, and gets group numbers only when these are needed; otherwise from the
 * group numbers, or from the rows by group.
 *
 * Time: about 5 ns per row to add a variable; with bits groups * states * rows
 * / 64 / 4 ns. Memory: 4 to 12 bytes per row and step. */
#include <assert.h>
#include <string.h>

#include "counts/tally_step.h"

static const double REFINE_ROW_NS = 5, AND_WORD_NS = 0.3, CALL_NS = 4;

enum { MOST_STEP_WORDS = 1 << 18 }; /* of the bits of a step made by AND */

/* ---- allocation ---------------------------------------------------------- */

static int make_step(struct bestdag_tally *t, struct bestdag_step *s)
{
    size_t rows = (size_t)bestdag_tally_rows(t);
    if (!s->code)
        s->code = bestdag_alloc(t->run, rows * sizeof *s->code);
    if (!s->weight)
        s->weight = bestdag_alloc(t->run, rows * sizeof *s->weight);
    s->coded = s->sorted = s->has_bits = false;
    s->asked = 0;
    return s->code && s->weight ? BESTDAG_OK : BESTDAG_MEMORY;
}

static int make_root(struct bestdag_tally *t)
{
    if (make_step(t, &t->step[0]))
        return BESTDAG_MEMORY;
    memset(t->step[0].code, 0,
           (size_t)bestdag_tally_rows(t) * sizeof(uint32_t));
    t->step[0].coded = true;
    t->step[0].groups = t->columns->rows > 0;
    t->step[0].weight[0] = t->columns->total;
    return BESTDAG_OK;
}

struct bestdag_tally *bestdag_tally_new(struct bestdag_run *run,
                                        const struct bestdag_columns *columns)
{
    int most = 1;
    struct bestdag_tally *t = bestdag_calloc(run, 1, sizeof *t);
    if (!t)
        return NULL;
    t->run = run;
    t->columns = columns;
    if (bestdag_columns_are_sharded(columns)) {
        t->sharded = bestdag_sharded_tally_new(run, columns->table);
        if (t->sharded)
            return t;
        bestdag_tally_free(t);
        return NULL;
    }
    t->popcount = bestdag_popcount_pick();
    t->room = 8;
    for (int v = 0; v < columns->n; v++)
        most = columns->states[v] > most ? columns->states[v] : most;
    t->step = bestdag_calloc(run, (size_t)t->room, sizeof *t->step);
    t->counter = bestdag_calloc(run, (size_t)most, sizeof *t->counter);
    if (t->step && t->counter && !make_root(t))
        return t;
    bestdag_tally_free(t);
    return NULL;
}

void bestdag_tally_free(struct bestdag_tally *t)
{
    if (!t)
        return;
    for (int i = 0; t->step && i < t->room; i++) {
        bestdag_free(t->step[i].code);
        bestdag_free(t->step[i].weight);
        bestdag_free(t->step[i].row);
        bestdag_free(t->step[i].start);
        bestdag_free(t->step[i].block);
    }
    bestdag_free(t->step);
    bestdag_free(t->scratch);
    bestdag_free(t->counter);
    bestdag_free(t->cell);
    bestdag_sharded_tally_free(t->sharded);
    bestdag_free(t);
}

void bestdag_tally_force(struct bestdag_tally *t, enum bestdag_kernel k)
{
    t->forced = k;
}

uint32_t *bestdag_tally_scratch(struct bestdag_tally *t, int64_t count)
{
    if (count > t->scratch_room) {
        uint32_t *more =
            bestdag_realloc(t->run, t->scratch, (size_t)count * sizeof *more);
        if (!more)
            return NULL;
        t->scratch = more;
        t->scratch_room = count;
    }
    return t->scratch;
}

/* ---- bits of groups ------------------------------------------------------ */

static int reserve_bits(struct bestdag_tally *t, struct bestdag_step *s,
                        int64_t need)
{
    if (need <= s->bits_room)
        return BESTDAG_OK;
    bestdag_free(s->block);
    s->bits_room = 0;
    s->block = bestdag_alloc(t->run, (size_t)need * 8 + 64);
    if (!s->block)
        return BESTDAG_MEMORY;
    s->bits = (uint64_t *)(((uintptr_t)s->block + 63) / 64 * 64);
    s->bits_room = need;
    return BESTDAG_OK;
}

int bestdag_step_bits(struct bestdag_tally *t, struct bestdag_step *s)
{
    const struct bestdag_columns *c = t->columns;
    int64_t need = s->groups * c->words, bit = 0;
    if (reserve_bits(t, s, need))
        return BESTDAG_MEMORY;
    memset(s->bits, 0, (size_t)need * 8);
    for (int64_t r = 0; r < c->rows; r++) {
        uint64_t *to = s->bits + s->code[r] * c->words;
        int64_t end = bit + bestdag_columns_weight(c, r);
        for (; bit < end; bit++)
            to[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    s->has_bits = true;
    return BESTDAG_OK;
}

/* Only needed for steps made by AND, on tables without weights: a bit is a
 * row. */
void bestdag_step_code(const struct bestdag_tally *t, struct bestdag_step *s)
{
    int64_t words = t->columns->words;
    for (int64_t g = 0; g < s->groups && !s->coded; g++)
        for (int64_t w = 0; w < words; w++)
            for (uint64_t b = s->bits[g * words + w]; b; b &= b - 1)
                s->code[64 * w + __builtin_ctzll(b)] = (uint32_t)g;
    s->coded = true;
}

/* ---- rows by group ------------------------------------------------------- */

/* Finds where each group begins: groups of several rows first. */
static void place_groups(struct bestdag_step *s, const uint32_t *size,
                         uint32_t *at)
{
    uint32_t next = 0;
    s->several = 0;
    for (int64_t g = 0; g < s->groups; g++)
        if (size[g] > 1) {
            s->start[s->several++] = at[g] = next;
            next += size[g];
        }
    s->start[s->several] = next;
    for (int64_t g = 0; g < s->groups; g++)
        if (size[g] == 1)
            at[g] = next++;
}

int bestdag_step_sort(struct bestdag_tally *t, struct bestdag_step *s)
{
    int64_t rows = t->columns->rows;
    size_t room = (size_t)bestdag_tally_rows(t) + 1;
    uint32_t *size = bestdag_tally_scratch(t, 2 * s->groups + 1);
    if (!s->row)
        s->row = bestdag_alloc(t->run, room * sizeof *s->row);
    if (!s->start)
        s->start = bestdag_alloc(t->run, room * sizeof *s->start);
    if (!size || !s->row || !s->start)
        return BESTDAG_MEMORY;
    bestdag_step_code(t, s);
    memset(size, 0, (size_t)s->groups * sizeof *size);
    for (int64_t r = 0; r < rows; r++)
        size[s->code[r]]++;
    uint32_t *at = size + s->groups;
    place_groups(s, size, at);
    for (int64_t r = 0; r < rows; r++)
        s->row[at[s->code[r]]++] = (uint32_t)r;
    assert(s->start[s->several] <= rows);
    s->sorted = true;
    return BESTDAG_OK;
}

/* ---- adding a variable --------------------------------------------------- */

/* Is AND the cheapest way to make the step? */
static bool refines_bits(const struct bestdag_tally *t,
                         const struct bestdag_step *from, int variable)
{
    const struct bestdag_columns *c = t->columns;
    int states = c->states[variable];
    if (c->table->weights || !bestdag_has_bit_columns(c, variable) ||
        !(from->has_bits || from == t->step) ||
        from->groups > MOST_STEP_WORDS / c->words / states)
        return false;
    double cells = (double)from->groups * states;
    double bits = cells * (AND_WORD_NS * (double)c->words + CALL_NS);
    return t->forced ? t->forced == BESTDAG_KERNEL_BITS
                     : bits < REFINE_ROW_NS * (double)c->rows;
}

/* The bits of `from` that are in none of the columns. */
static void keep_rest(const uint64_t *from, const uint64_t *column,
                      int64_t words, int columns, uint64_t *to)
{
    if (!columns)
        memcpy(to, from, (size_t)words * sizeof *to);
    for (int i = 0; i < columns; i++, column += words, from = to)
        for (int64_t w = 0; w < words; w++)
            to[w] = from[w] & ~column[w];
}

static int refine_bits(struct bestdag_tally *t, struct bestdag_step *from,
                       struct bestdag_step *to)
{
    const struct bestdag_columns *c = t->columns;
    int others = c->states[to->variable] - 1;
    const uint64_t *column = bestdag_bit_column(c, c->place[to->variable], 0);
    int64_t words = c->words;
    int32_t *count = (int32_t *)bestdag_tally_scratch(t, others + 1);
    if (!count || (!from->has_bits && bestdag_step_bits(t, from)) ||
        reserve_bits(t, to, from->groups * (others + 1) * words))
        return BESTDAG_MEMORY;
    to->groups = 0;
    for (int64_t g = 0; g < from->groups; g++) {
        const uint64_t *mask = from->bits + g * words;
        int64_t last = from->weight[g];
        t->popcount(mask, column, words, others, count);
        for (int i = 0; i < others; i++) {
            uint64_t *at = to->bits + to->groups * words;
            for (int64_t w = 0; w < words && count[i]; w++)
                at[w] = mask[w] & column[i * words + w];
            last -= count[i];
            assert(count[i] >= 0 && last >= 0);
            if (count[i])
                to->weight[to->groups++] = count[i];
        }
        if (last) {
            keep_rest(mask, column, words, others,
                      to->bits + to->groups * words);
            to->weight[to->groups++] = last;
        }
    }
    to->has_bits = true;
    return BESTDAG_OK;
}

static int refine_dense(struct bestdag_tally *t,
                        const struct bestdag_step *from,
                        struct bestdag_step *to)
{
    const struct bestdag_column *c = &t->columns->table->column[to->variable];
    int states = c->states;
    uint32_t *number = bestdag_tally_scratch(t, from->groups * states),
             groups = 0;
    if (!number)
        return BESTDAG_MEMORY;
    memset(number, 0, (size_t)(from->groups * states) * sizeof *number);
    for (int64_t r = 0; r < t->columns->rows; r++) {
        int64_t cell =
            (int64_t)from->code[r] * states + bestdag_column_code(c, r);
        if (!number[cell]) {
            to->weight[groups] = 0;
            number[cell] = ++groups;
        }
        to->code[r] = number[cell] - 1;
        to->weight[number[cell] - 1] += bestdag_columns_weight(t->columns, r);
    }
    to->groups = groups;
    assert((int64_t)groups >= from->groups || !t->columns->rows);
    return BESTDAG_OK;
}

/* counter[state] is 1 + the new group while an old group is split. */
static void split_group(struct bestdag_tally *t, struct bestdag_step *to,
                        const uint32_t *row, int64_t count)
{
    const struct bestdag_column *c = &t->columns->table->column[to->variable];
    for (int64_t i = 0; i < count; i++) {
        int state = bestdag_column_code(c, row[i]);
        if (!t->counter[state]) {
            to->weight[to->groups] = 0;
            t->counter[state] = ++to->groups;
        }
        int64_t group = t->counter[state] - 1;
        to->code[row[i]] = (uint32_t)group;
        to->weight[group] += bestdag_columns_weight(t->columns, row[i]);
    }
    for (int64_t i = 0; i < count; i++)
        t->counter[bestdag_column_code(c, row[i])] = 0;
}

static int refine_groups(struct bestdag_tally *t, struct bestdag_step *from,
                         struct bestdag_step *to)
{
    if (!from->sorted && bestdag_step_sort(t, from))
        return BESTDAG_MEMORY;
    to->groups = 0;
    for (int64_t g = 0; g < from->several; g++)
        split_group(t, to, from->row + from->start[g],
                    from->start[g + 1] - from->start[g]);
    for (int64_t i = from->start[from->several]; i < t->columns->rows; i++) {
        uint32_t row = from->row[i];
        to->code[row] = (uint32_t)to->groups;
        to->weight[to->groups++] = bestdag_columns_weight(t->columns, row);
    }
    return BESTDAG_OK;
}

static int add_room(struct bestdag_tally *t)
{
    struct bestdag_step *more =
        bestdag_realloc(t->run, t->step, 2 * (size_t)t->room * sizeof *more);
    if (!more)
        return BESTDAG_MEMORY;
    memset(more + t->room, 0, (size_t)t->room * sizeof *more);
    t->step = more;
    t->room *= 2;
    return BESTDAG_OK;
}

static int add_step(struct bestdag_tally *t, int variable)
{
    if (t->depth + 1 == t->room && add_room(t))
        return BESTDAG_MEMORY;
    struct bestdag_step *from = &t->step[t->depth], *to = from + 1;
    if (make_step(t, to))
        return BESTDAG_MEMORY;
    to->variable = variable;
    bool bits = refines_bits(t, from, variable);
    if (!bits)
        bestdag_step_code(t, from);
    int failed = bits ? refine_bits(t, from, to)
                 : bestdag_step_is_dense(t, from, t->columns->states[variable])
                     ? refine_dense(t, from, to)
                     : refine_groups(t, from, to);
    to->coded = !bits;
    t->depth += !failed;
    return failed;
}

int bestdag_tally_path(struct bestdag_tally *t, const int *variables, int count)
{
    int same = 0;
    if (t->sharded)
        return bestdag_sharded_tally_path(t->sharded, variables, count);
    while (same < count && same < t->depth &&
           t->step[same + 1].variable == variables[same])
        same++;
    t->depth = same;
    for (int i = same; i < count; i++)
        if (add_step(t, variables[i]))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

int64_t bestdag_tally_groups(const struct bestdag_tally *t)
{
    return t->sharded ? bestdag_sharded_tally_groups(t->sharded)
                      : t->step[t->depth].groups;
}

const int64_t *bestdag_tally_weights(const struct bestdag_tally *t)
{
    return t->sharded ? bestdag_sharded_tally_weights(t->sharded)
                      : t->step[t->depth].weight;
}

int bestdag_tally_ahead(struct bestdag_tally *t, const int *variables,
                        int count)
{
    return t->sharded
               ? bestdag_sharded_tally_ahead(t->sharded, variables, count)
               : BESTDAG_OK;
}

int bestdag_tally_ahead_of(struct bestdag_tally *t,
                           const struct bestdag_parents_ahead *ahead)
{
    return t->sharded ? bestdag_sharded_tally_ahead_of(t->sharded, ahead)
                      : BESTDAG_OK;
}
