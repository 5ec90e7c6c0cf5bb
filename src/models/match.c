/* SPDX-License-Identifier: MIT */
/* match.c -- a network's variables and states found in a table.
 *
 * Names are looked up in a sorted list, so that ten thousand variables or
 * states take no quadratic time. Columns whose codes are the network's already
 * are borrowed; the others are recoded once, in a copy. */
#include "models/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "network/cuts.h"
#include "models/unknown_values.h"

enum { SHOWN = 5 }; /* names in a note */

/* ---- names --------------------------------------------------------------- */

struct name {
    const char *text;
    int index;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->text,
                  ((const struct name *)b)->text);
}

static const char *name_of_column(const void *table, int c)
{
    return ((const struct bestdag_table *)table)->column[c].name;
}

static const char *name_of_state(const void *variable, int s)
{
    return ((const struct bestdag_variable *)variable)->labels[s];
}

static struct name *sort_names(struct bestdag_run *run, bestdag_name_fn *name,
                               const void *of, int count)
{
    struct name *list = bestdag_alloc(run, (size_t)count * sizeof *list);
    for (int i = 0; list && i < count; i++)
        list[i] = (struct name){name(of, i), i};
    if (list)
        qsort(list, (size_t)count, sizeof *list, by_text);
    return list;
}

static int find_name(const struct name *list, int count, const char *text)
{
    struct name wanted = {text, 0};
    const struct name *found =
        count ? bsearch(&wanted, list, (size_t)count, sizeof *list, by_text)
              : NULL;
    return found ? found->index : -1;
}

/* ---- columns ------------------------------------------------------------- */

/* A column that is a variable of the network cannot be skipped. */
static int need_fit(struct bestdag_run *run, const struct bestdag_variable *x,
                    const struct bestdag_column *c)
{
    bool is_bare = !x->states && !x->is_number;
    if (c->kind == BESTDAG_CODES ||
        (c->kind == BESTDAG_NUMBERS &&
         (x->is_number || is_bare || bestdag_variable_is_cut(x))))
        return BESTDAG_OK;
    return bestdag_fail(
        run, BESTDAG_INPUT, "column '%s' %s, and %s expected%s", c->name,
        c->kind == BESTDAG_NUMBERS ? "holds numbers"
        : c->distinct              ? "has too many different values for states"
                                   : "has no value at all",
        x->is_number ? "numbers were" : "states of the network's variable were",
        c->kind == BESTDAG_NUMBERS
            ? ": discretise it first (bestdag discretize, with --cuts for "
              "saved cuts), or raise --max-states if they are whole"
            : "");
}

static int find_columns(struct bestdag_run *run,
                        const struct bestdag_network *network,
                        const struct bestdag_table *table,
                        const struct name *names, int *column)
{
    char suggestion[128];
    for (int v = 0; v < network->dag->n; v++) {
        const char *name = network->variable[v].name;
        column[v] = find_name(names, table->columns, name);
        if (column[v] < 0)
            return bestdag_fail(
                run, BESTDAG_INPUT,
                "the table has no column for variable '%s' of the network%s",
                name,
                bestdag_suggest(suggestion,
                                bestdag_nearest(name, name_of_column, table,
                                                table->columns)));
        if (need_fit(run, &network->variable[v], &table->column[column[v]]))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

static void note_ignored(struct bestdag_run *run,
                         const struct bestdag_table *table, const bool *used,
                         int ignored)
{
    struct bestdag_buffer b = {.run = run};
    int shown = 0;
    for (int c = 0; c < table->columns && shown < SHOWN; c++)
        if (!used[c])
            bestdag_buffer_format(&b, "%s'%s'", shown++ ? ", " : "",
                                  table->column[c].name);
    char *names = bestdag_buffer_take(&b);
    if (names)
        bestdag_note(run, 0,
                     "%d column%s of the table %s not in the network and %s "
                     "ignored: %s%s",
                     ignored, ignored == 1 ? "" : "s",
                     ignored == 1 ? "is" : "are", ignored == 1 ? "is" : "are",
                     names, ignored > shown ? ", ..." : "");
    bestdag_free(names);
}

int bestdag_match_columns(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_table *table,
                          struct bestdag_match *match)
{
    match->n = network->dag->n;
    match->column = bestdag_alloc(run, (size_t)match->n * sizeof(int));
    bool *used = bestdag_calloc(run, (size_t)table->columns, sizeof *used);
    struct name *names = sort_names(run, name_of_column, table, table->columns);
    if (match->column && used && names &&
        !find_columns(run, network, table, names, match->column)) {
        for (int v = 0; v < match->n; v++)
            used[match->column[v]] = true;
        if (table->columns > match->n)
            note_ignored(run, table, used, table->columns - match->n);
    }
    bestdag_free(names);
    bestdag_free(used);
    return bestdag_run_status(run);
}

/* ---- cells --------------------------------------------------------------- */

static bool has_same_codes(const struct bestdag_variable *x,
                           const struct bestdag_column *c)
{
    for (int s = 0; s < c->states; s++)
        if (s >= x->states || strcmp(c->labels[s], x->labels[s]) != 0)
            return false;
    return true;
}

/* Is one of the column's labels a state of the variable? Then its cells are
 * intervals already, not numbers. */
static bool has_same_labels(const struct bestdag_variable *x,
                            const struct bestdag_column *c)
{
    for (int s = 0; s < c->states; s++)
        if (bestdag_variable_state(x, c->labels[s]) >= 0)
            return true;
    return !c->states;
}

static int fail_label(struct bestdag_run *run, const struct bestdag_variable *x,
                      const char *label)
{
    char suggestion[128];
    return bestdag_fail(
        run, BESTDAG_INPUT,
        "column '%s' has '%s', which is not a state of the network's "
        "variable%s",
        x->name, label,
        bestdag_suggest(suggestion,
                        bestdag_nearest(label, name_of_state, x, x->states)));
}

/* The network's code for each code of the column; -1: it has none. */
static int *map_states(struct bestdag_run *run,
                       const struct bestdag_variable *x,
                       const struct bestdag_column *c)
{
    struct name *names = sort_names(run, name_of_state, x, x->states);
    int *map = bestdag_alloc(run, (size_t)c->states * sizeof *map);
    for (int s = 0; names && map && s < c->states; s++)
        map[s] = find_name(names, x->states, c->labels[s]);
    bestdag_free(names);
    if (!bestdag_run_status(run))
        return map;
    bestdag_free(map);
    return NULL;
}

/* lost[code] counts cells with labels unknown to the network; NULL: these are
 * errors. */
static int recode_cells(struct bestdag_run *run,
                        const struct bestdag_variable *x,
                        const struct bestdag_column *c, const int *map,
                        struct bestdag_digit *digit, void *to, int64_t rows,
                        int64_t *lost)
{
    for (int64_t r = 0; r < rows; r++) {
        int code = bestdag_column_code(c, r), state = code;
        if (code >= 0) {
            state = map[code];
            if (state < 0 && !lost)
                return fail_label(run, x, c->labels[code]);
            if (state < 0)
                lost[code]++;
        }
        if (digit->bytes == 1)
            ((uint8_t *)to)[r] = (uint8_t)state; /* -1: missing */
        else
            ((uint16_t *)to)[r] = (uint16_t)state;
    }
    return BESTDAG_OK;
}

/* Copies the cells in the network's codes. */
static int recode(struct bestdag_run *run, const struct bestdag_variable *x,
                  const struct bestdag_column *c, int64_t rows,
                  struct bestdag_digit *digit, void **copy,
                  struct bestdag_unknown *unknown)
{
    int *map = map_states(run, x, c);
    int64_t *lost = bestdag_calloc(run, (size_t)c->states, sizeof *lost);
    digit->bytes = bestdag_code_bytes(x->states);
    *copy = bestdag_alloc(run, (size_t)rows * (size_t)digit->bytes);
    digit->cells = *copy;
    if (map && lost && *copy &&
        !recode_cells(run, x, c, map, digit, *copy, rows,
                      unknown ? lost : NULL))
        for (int s = 0; unknown && s < c->states; s++)
            if (lost[s])
                bestdag_unknown_add(unknown, x->name, c->labels[s], lost[s]);
    bestdag_free(lost);
    bestdag_free(map);
    return bestdag_run_status(run);
}

static void leave_out(const struct bestdag_match *m, int v, int64_t rows,
                      int32_t *weights)
{
    const struct bestdag_digit *d = &m->digit[v];
    if (m->number[v]) {
        for (int64_t r = 0; r < rows; r++)
            if (isnan(m->number[v][r]))
                weights[r] = -1;
        return;
    }
    for (int64_t r = 0; r < rows; r++)
        if (d->bytes == 1
                ? ((const uint8_t *)d->cells)[r] == BESTDAG_MISSING_1
                : ((const uint16_t *)d->cells)[r] == BESTDAG_MISSING_2)
            weights[r] = -1;
}

static int weigh(struct bestdag_run *run, const struct bestdag_table *table,
                 struct bestdag_match *m)
{
    int32_t *weights =
        bestdag_alloc(run, (size_t)table->rows * sizeof *weights);
    m->weights = m->own_weights = weights;
    if (!weights)
        return bestdag_run_status(run);
    for (int64_t r = 0; r < table->rows; r++)
        weights[r] = table->weights ? table->weights[r] : 1;
    for (int v = 0; v < m->n; v++)
        if (table->column[m->column[v]].missing || m->copy[v])
            leave_out(m, v, table->rows, weights);
    m->total = 0;
    for (int64_t r = 0; r < table->rows; r++)
        if (weights[r] < 0)
            m->left_out++;
        else
            m->total += weights[r];
    m->rows = table->rows - m->left_out;
    if (m->left_out)
        bestdag_note(run, 0, "%lld of %lld rows have a missing value%s",
                     (long long)m->left_out, (long long)table->rows,
                     m->is_lenient || m->keeps_holes ? ", which is summed out"
                                                     : " and are not used");
    return BESTDAG_OK;
}

static int match_column(struct bestdag_run *run,
                        const struct bestdag_variable *x,
                        const struct bestdag_table *table, int v,
                        struct bestdag_match *m,
                        struct bestdag_unknown *unknown)
{
    const struct bestdag_column *c = &table->column[m->column[v]];
    if (x->is_number)
        return bestdag_match_numbers(run, x, table, v, m);
    if (bestdag_variable_is_cut(x) &&
        (c->kind == BESTDAG_NUMBERS || !has_same_labels(x, c)))
        return bestdag_match_cuts(run, x, table, v, m);
    m->digit[v] = (struct bestdag_digit){c->cells, c->bytes, x->states};
    if (table->shards && (x->states != c->states || !has_same_codes(x, c)))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "rows-by-rank needs a network with the states of "
                            "the rows: those of '%s' differ",
                            x->name);
    if (has_same_codes(x, c))
        return BESTDAG_OK;
    return recode(run, x, c, table->rows, &m->digit[v], &m->copy[v],
                  m->is_lenient ? unknown : NULL);
}

int bestdag_match_cells(struct bestdag_run *run,
                        const struct bestdag_network *network,
                        const struct bestdag_table *table,
                        struct bestdag_match *m)
{
    int64_t missing = 0;
    struct bestdag_unknown unknown = {.text.run = run};
    m->digit = bestdag_calloc(run, (size_t)m->n, sizeof *m->digit);
    m->copy = bestdag_calloc(run, (size_t)m->n, sizeof *m->copy);
    m->number = bestdag_calloc(run, (size_t)m->n, sizeof *m->number);
    if (!m->digit || !m->copy || !m->number)
        return bestdag_run_status(run);
    for (int v = 0; v < m->n; v++) {
        missing += table->column[m->column[v]].missing;
        if (match_column(run, &network->variable[v], table, v, m, &unknown))
            break;
    }
    m->unknown = unknown.cells;
    missing += unknown.cells;
    bestdag_unknown_note(&unknown);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    m->weights = table->weights;
    m->rows = table->rows;
    m->total = table->total;
    return missing ? weigh(run, table, m) : BESTDAG_OK;
}

void bestdag_match_release(struct bestdag_match *m)
{
    for (int v = 0; m->copy && v < m->n; v++)
        bestdag_free(m->copy[v]);
    bestdag_free(m->copy);
    bestdag_free(m->digit);
    bestdag_free(m->number);
    bestdag_free(m->own_weights);
    bestdag_free(m->column);
}

/* ---- families ------------------------------------------------------------ */

int bestdag_match_family(const struct bestdag_match *m,
                         const struct bestdag_dag *dag, int v,
                         struct bestdag_digit *to)
{
    const struct bestdag_parents *p = &dag->parents[v];
    int count = 0;
    for (int i = 0; i < p->count; i++)
        if (!m->number[p->at[i]])
            to[count++] = m->digit[p->at[i]];
    if (!m->number[v])
        to[count++] = m->digit[v];
    return count;
}

int bestdag_match_widest(const struct bestdag_dag *dag)
{
    int widest = 0;
    for (int v = 0; v < dag->n; v++)
        if (dag->parents[v].count >= widest)
            widest = dag->parents[v].count + 1;
    return widest;
}
