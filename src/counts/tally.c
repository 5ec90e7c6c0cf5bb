/* SPDX-License-Identifier: MIT */
/* tally.c -- counts of a set of variables, by adding one at a time.
 *
 * A step of the path numbers its groups without gaps, so that no array is ever
 * larger than what occurs: groups <= rows. From a step's group numbers follow,
 * when they are wanted, the rows in order of their groups (groups of a single
 * row at the end, where they need no counting) and the bits of every group.
 * While groups are few a step is made from the bits of the one before by AND,
 * and has no group numbers until they are wanted.
 *
 * Time: about 5 ns a row to add a variable, 1 ns a row to count one; with bits
 * groups * states * rows / 64 / 4 ns for either. Memory: 4 to 12 bytes a row
 * and step. */
#include "counts/tally.h"

#include <string.h>

#include "counts/popcount.h"

struct step {
    int variable;      /* added last */
    int64_t groups;    /* that occur */
    bool coded;        /* the next is made */
    uint32_t *code;    /* owns; [rows]: group of a row */
    int64_t *weight;   /* owns; [rows]: of a group */
    int asked;         /* sums asked for since it was made */
    bool sorted;       /* the next three are made */
    uint32_t *row;     /* owns; [rows]: rows by group, single ones last */
    uint32_t *start;   /* owns; [rows + 1]: of groups with several rows */
    int64_t several;   /* groups with several rows */
    bool has_bits;     /* the next is made */
    uint64_t *bits;    /* inside block: [groups * words] */
    void *block;       /* owns */
    int64_t bits_room; /* words at bits */
};

struct bestdag_tally {
    struct bestdag_run *run;
    const struct bestdag_columns *columns;
    bestdag_popcount_fn *popcount;
    enum bestdag_kernel forced;
    struct step *step; /* owns; [room]; step[0] is the empty path */
    int depth, room;
    uint32_t *scratch; /* owns; [scratch_room] */
    int64_t scratch_room;
    int64_t *counter;          /* owns; [most states]: zero between uses */
    struct bestdag_cell *cell; /* owns; [cell_room] */
    int64_t cell_room;
};

static const double ROW_NS = 1.2, WORD_NS = 0.22, CELL_NS = 1.0, CALL_NS = 4;
static const double REFINE_ROW_NS = 5, AND_WORD_NS = 0.3;

enum { MOST_STEP_WORDS = 1 << 18 }; /* of the bits of a step made by AND */

/* ---- making and ending ----------------------------------------------------
 */

static int64_t row_room(const struct bestdag_tally *t)
{
    return t->columns->rows > 0 ? t->columns->rows : 1;
}

static int make_step(struct bestdag_tally *t, struct step *s)
{
    size_t rows = (size_t)row_room(t);
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
    memset(t->step[0].code, 0, (size_t)row_room(t) * sizeof(uint32_t));
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
    bestdag_free(t);
}

void bestdag_tally_force(struct bestdag_tally *t, enum bestdag_kernel k)
{
    t->forced = k;
}

static uint32_t *scratch(struct bestdag_tally *t, int64_t count)
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

/* Is an array of groups x states worth clearing and reading? */
static bool is_dense(const struct bestdag_tally *t, const struct step *s,
                     int states)
{
    return t->columns->total <= UINT32_MAX &&
           s->groups <= (4 * t->columns->rows + 1024) / states;
}

/* ---- bits of groups -------------------------------------------------------
 */

static int reserve_bits(struct bestdag_tally *t, struct step *s, int64_t need)
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

/* From the group numbers. */
static int make_bits(struct bestdag_tally *t, struct step *s)
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

/* The group numbers, from the bits. Only steps made by AND need it, and these
 * are of tables without weights: a bit is a row. */
static void make_code(const struct bestdag_tally *t, struct step *s)
{
    int64_t words = t->columns->words;
    for (int64_t g = 0; g < s->groups && !s->coded; g++)
        for (int64_t w = 0; w < words; w++)
            for (uint64_t b = s->bits[g * words + w]; b; b &= b - 1)
                s->code[64 * w + __builtin_ctzll(b)] = (uint32_t)g;
    s->coded = true;
}

static bool has_columns(const struct bestdag_columns *c, int variable)
{
    return c->place[variable] < c->bit_places && c->states[variable] > 0;
}

/* ---- rows by group --------------------------------------------------------
 */

/* Where each group begins: groups of several rows first. */
static void place_groups(struct step *s, const uint32_t *size, uint32_t *at)
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

static int sort_rows(struct bestdag_tally *t, struct step *s)
{
    int64_t rows = t->columns->rows;
    size_t room = (size_t)row_room(t) + 1;
    uint32_t *size = scratch(t, 2 * s->groups + 1);
    if (!s->row)
        s->row = bestdag_alloc(t->run, room * sizeof *s->row);
    if (!s->start)
        s->start = bestdag_alloc(t->run, room * sizeof *s->start);
    if (!size || !s->row || !s->start)
        return BESTDAG_MEMORY;
    make_code(t, s);
    memset(size, 0, (size_t)s->groups * sizeof *size);
    for (int64_t r = 0; r < rows; r++)
        size[s->code[r]]++;
    uint32_t *at = size + s->groups;
    place_groups(s, size, at);
    for (int64_t r = 0; r < rows; r++)
        s->row[at[s->code[r]]++] = (uint32_t)r;
    s->sorted = true;
    return BESTDAG_OK;
}

/* ---- adding a variable ------------------------------------------------------
 */

/* Is a step to be made by AND? */
static bool refines_bits(const struct bestdag_tally *t, const struct step *from,
                         int variable)
{
    const struct bestdag_columns *c = t->columns;
    int states = c->states[variable];
    if (c->table->weights || !has_columns(c, variable) ||
        !(from->has_bits || from == t->step) ||
        from->groups > MOST_STEP_WORDS / c->words / states)
        return false;
    double cells = (double)from->groups * states;
    double bits = cells * (AND_WORD_NS * (double)c->words + CALL_NS);
    return t->forced ? t->forced == BESTDAG_KERNEL_BITS
                     : bits < REFINE_ROW_NS * (double)c->rows;
}

/* What is in `from` and in none of the columns. */
static void keep_rest(const uint64_t *from, const uint64_t *column,
                      int64_t words, int columns, uint64_t *to)
{
    if (!columns)
        memcpy(to, from, (size_t)words * sizeof *to);
    for (int i = 0; i < columns; i++, column += words, from = to)
        for (int64_t w = 0; w < words; w++)
            to[w] = from[w] & ~column[w];
}

static int refine_bits(struct bestdag_tally *t, struct step *from,
                       struct step *to)
{
    const struct bestdag_columns *c = t->columns;
    int others = c->states[to->variable] - 1;
    const uint64_t *column = bestdag_bit_column(c, c->place[to->variable], 0);
    int64_t words = c->words;
    int32_t *count = (int32_t *)scratch(t, others + 1);
    if (!count || (!from->has_bits && make_bits(t, from)) ||
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

static int refine_dense(struct bestdag_tally *t, const struct step *from,
                        struct step *to)
{
    const struct bestdag_column *c = &t->columns->table->column[to->variable];
    int states = c->states;
    uint32_t *number = scratch(t, from->groups * states), groups = 0;
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
    return BESTDAG_OK;
}

/* counter[state] is 1 + the new group while an old one is looked at. */
static void split_group(struct bestdag_tally *t, struct step *to,
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

static int refine_groups(struct bestdag_tally *t, struct step *from,
                         struct step *to)
{
    if (!from->sorted && sort_rows(t, from))
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
    struct step *more =
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
    struct step *from = &t->step[t->depth], *to = from + 1;
    if (make_step(t, to))
        return BESTDAG_MEMORY;
    to->variable = variable;
    bool bits = refines_bits(t, from, variable);
    if (!bits)
        make_code(t, from);
    int failed = bits ? refine_bits(t, from, to)
                 : is_dense(t, from, t->columns->states[variable])
                     ? refine_dense(t, from, to)
                     : refine_groups(t, from, to);
    to->coded = !bits;
    t->depth += !failed;
    return failed;
}

int bestdag_tally_path(struct bestdag_tally *t, const int *variables, int count)
{
    int same = 0;
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
    return t->step[t->depth].groups;
}

const int64_t *bestdag_tally_weights(const struct bestdag_tally *t)
{
    return t->step[t->depth].weight;
}

/* ---- the kernels ------------------------------------------------------------
 */

struct sums {
    const struct bestdag_terms *const *terms;
    int count;
    int64_t *sum, cells;
};

static inline void add_cell(struct sums *s, int64_t count)
{
    s->sum[0] += bestdag_terms_at(s->terms[0], count);
    if (s->count > 1)
        s->sum[1] += bestdag_terms_at(s->terms[1], count);
    s->cells++;
}

static inline void add_array(struct sums *s, const uint32_t *count, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (count[i])
            add_cell(s, count[i]);
}

static uint32_t *count_dense(struct bestdag_tally *t, const struct step *s,
                             int variable)
{
    const struct bestdag_column *c = &t->columns->table->column[variable];
    const int32_t *weight = t->columns->table->weights;
    int64_t rows = t->columns->rows, cells = s->groups * c->states;
    uint32_t *count = scratch(t, cells), states = (uint32_t)c->states;
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

static int sum_dense(struct bestdag_tally *t, struct step *s, int variable,
                     struct sums *to)
{
    make_code(t, s);
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

/* Groups of one row: their cells weigh what the row does. */
static void sum_singles(const struct bestdag_tally *t, const struct step *s,
                        struct sums *to)
{
    int64_t from = s->start[s->several], rows = t->columns->rows;
    if (t->columns->table->weights) {
        for (int64_t i = from; i < rows; i++)
            if (bestdag_columns_weight(t->columns, s->row[i]))
                add_cell(to, bestdag_columns_weight(t->columns, s->row[i]));
        return;
    }
    for (int f = 0; f < to->count; f++)
        to->sum[f] += (rows - from) * bestdag_terms_at(to->terms[f], 1);
    to->cells += rows - from;
}

static int sum_groups(struct bestdag_tally *t, struct step *s, int variable,
                      struct sums *to)
{
    const struct bestdag_column *c = &t->columns->table->column[variable];
    if (!s->sorted && sort_rows(t, s))
        return BESTDAG_MEMORY;
    for (int64_t g = 0; g < s->several; g++)
        sum_group(t, c, s->row + s->start[g], s->start[g + 1] - s->start[g],
                  to);
    sum_singles(t, s, to);
    return BESTDAG_OK;
}

static int sum_bits(struct bestdag_tally *t, struct step *s, int variable,
                    struct sums *to)
{
    const struct bestdag_columns *c = t->columns;
    int others = c->states[variable] - 1;
    const uint64_t *column = bestdag_bit_column(c, c->place[variable], 0);
    if (!s->has_bits && make_bits(t, s))
        return BESTDAG_MEMORY;
    int32_t *count = (int32_t *)scratch(t, others + 1);
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

/* Bits that have to be made first pay from the second question on. */
static bool prefers_bits(const struct bestdag_tally *t, const struct step *s,
                         int states)
{
    const struct bestdag_columns *c = t->columns;
    double cells = (double)s->groups * states;
    double bits = (double)s->groups *
                  ((states - 1) * (double)c->words * WORD_NS + CALL_NS);
    return (s->has_bits || s->asked > 1) && s->groups * c->words < (1 << 20) &&
           bits < (double)c->rows * ROW_NS + cells * CELL_NS;
}

static enum bestdag_kernel choose(const struct bestdag_tally *t,
                                  const struct step *s, int variable)
{
    int states = t->columns->states[variable];
    bool has_bits = has_columns(t->columns, variable);
    bool dense = is_dense(t, s, states);
    if (t->forced == BESTDAG_KERNEL_GROUPS)
        return t->forced;
    if (has_bits && (t->forced == BESTDAG_KERNEL_BITS ||
                     (!t->forced && prefers_bits(t, s, states))))
        return BESTDAG_KERNEL_BITS;
    return dense ? BESTDAG_KERNEL_DENSE : BESTDAG_KERNEL_GROUPS;
}

int bestdag_tally_sum(struct bestdag_tally *t, int variable,
                      const struct bestdag_terms *const *terms, int count,
                      int64_t *sums, int64_t *cells)
{
    struct step *s = &t->step[t->depth];
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

/* ---- the cells themselves ---------------------------------------------------
 */

static void list_group(struct bestdag_tally *t, const struct bestdag_column *c,
                       const uint32_t *row, int64_t count, int64_t *used)
{
    const struct step *s = &t->step[t->depth];
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
    struct step *s = &t->step[t->depth];
    const struct bestdag_column *c = &t->columns->table->column[variable];
    if (!t->cell)
        t->cell = bestdag_alloc(t->run, (size_t)row_room(t) * sizeof *t->cell);
    if (!t->cell || (!s->sorted && sort_rows(t, s)))
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
