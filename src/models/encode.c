/* SPDX-License-Identifier: MIT */
/* encode.c -- cells of any table as states of a model.
 *
 * A new table need not be read as the training table was: states come in
 * another order, some are new, and a column of numbers may have been read as
 * states or the reverse. So
 *
 *     codes    go through a map made of the labels once
 *     numbers  are cut if the variable was, else looked up among the labels
 *
 * A value without a state in the model is a hole, like a missing value; a
 * column without any value is all holes. */
#include "models/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/classify.h"

static bool read_number(const char *text, double *to)
{
    return bestdag_number_parse(text, strlen(text), to);
}

/* ---- looking up ---------------------------------------------------------- */

static int state_of_value(const struct bestdag_encoder *e, double x)
{
    int low = 0, high = e->values;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (e->value[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->values && e->value[low] == x ? e->state[low] : e->states;
}

static int encode_number(const struct bestdag_encoder *e, double x)
{
    if (isnan(x))
        return e->states;
    int state =
        e->is_cut ? bestdag_cuts_state(&e->cuts, x) : state_of_value(e, x);
    bool is_one = state < e->states && (!e->is_seen || e->is_seen[state]);
    return is_one ? state : e->states;
}

/* ---- labels -------------------------------------------------------------- */

struct named {
    const char *label;
    int state;
};

static int by_label(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->label,
                  ((const struct named *)b)->label);
}

struct valued {
    double value;
    int state;
};

static int by_value(const void *a, const void *b)
{
    const struct valued *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state);
}

/* Lists the labels that are numbers, ascending. */
static int list_values(struct bestdag_run *run, struct bestdag_encoder *e,
                       const struct bestdag_variable *x)
{
    size_t n = (size_t)x->states;
    struct valued *v = bestdag_alloc(run, n * sizeof *v);
    e->value = bestdag_alloc(run, n * sizeof *e->value);
    e->state = bestdag_alloc(run, n * sizeof *e->state);
    if (v && e->value && e->state) {
        for (int s = 0; s < x->states; s++)
            if (read_number(x->labels[s], &v[e->values].value))
                v[e->values++].state = s;
        qsort(v, (size_t)e->values, sizeof *v, by_value);
        for (int i = 0; i < e->values; i++) {
            e->value[i] = v[i].value;
            e->state[i] = (uint16_t)v[i].state;
        }
    }
    bestdag_free(v);
    return bestdag_run_status(run);
}

/* The state of a label: by its text, or else by its value as a number. */
static int state_of_label(const struct bestdag_encoder *e,
                          const struct named *names, const char *label)
{
    struct named key = {.label = label};
    double x;
    const struct named *found =
        e->is_cut
            ? NULL
            : bsearch(&key, names, (size_t)e->states, sizeof *names, by_label);
    if (found)
        return found->state;
    return read_number(label, &x) ? encode_number(e, x) : e->states;
}

static int make_map(struct bestdag_run *run, struct bestdag_encoder *e,
                    const struct bestdag_variable *x)
{
    const struct bestdag_column *c = e->column;
    int codes = c->bytes == 1 ? BESTDAG_MISSING_1 : BESTDAG_MISSING_2;
    struct named *names = bestdag_alloc(run, (size_t)x->states * sizeof *names);
    e->map = bestdag_alloc(run, ((size_t)codes + 1) * sizeof *e->map);
    if (names && e->map) {
        for (int s = 0; s < x->states; s++)
            names[s] = (struct named){x->labels[s], s};
        qsort(names, (size_t)x->states, sizeof *names, by_label);
        for (int code = 0; code <= codes; code++)
            e->map[code] =
                (uint16_t)(code < c->states
                               ? state_of_label(e, names, c->labels[code])
                               : e->states);
    }
    bestdag_free(names);
    return bestdag_run_status(run);
}

/* ---- making -------------------------------------------------------------- */

int bestdag_encoder_init(struct bestdag_run *run, struct bestdag_encoder *to,
                         const struct bestdag_network *model, int variable,
                         const struct bestdag_column *column)
{
    const struct bestdag_variable *x = &model->variable[variable];
    *to = (struct bestdag_encoder){.column = column, .states = x->states};
    if (x->states > BESTDAG_MOST_STATES)
        return bestdag_fail(run, BESTDAG_INPUT, "variable '%s' has %d states",
                            x->name, x->states);
    if (bestdag_variable_cuts(run, x, &to->cuts, &to->is_cut) ||
        (!to->is_cut && list_values(run, to, x)))
        return bestdag_run_status(run);
    return column->kind == BESTDAG_CODES ? make_map(run, to, x)
                                         : bestdag_run_status(run);
}

int bestdag_encoder_only_seen(struct bestdag_run *run,
                              struct bestdag_encoder *e,
                              const struct bestdag_network *model, int variable)
{
    const double *p = model->variable[variable].table;
    int64_t q = bestdag_network_configurations(model, variable);
    int codes = e->column->bytes == 1 ? BESTDAG_MISSING_1 : BESTDAG_MISSING_2;
    e->is_seen = bestdag_calloc(run, (size_t)e->states + 1, sizeof *e->is_seen);
    if (!e->is_seen)
        return bestdag_run_status(run);
    for (int64_t j = 0; j < q; j++, p += e->states)
        for (int s = 0; s < e->states; s++)
            e->is_seen[s] |= p[s] > 0;
    for (int code = 0; e->map && code <= codes; code++)
        if (!e->is_seen[e->map[code]])
            e->map[code] = (uint16_t)e->states;
    return BESTDAG_OK;
}

void bestdag_encoder_release(struct bestdag_encoder *e)
{
    bestdag_free(e->map);
    bestdag_free(e->cuts.at);
    bestdag_free(e->value);
    bestdag_free(e->state);
    bestdag_free(e->is_seen);
    *e = (struct bestdag_encoder){0};
}

/* ---- what has no place --------------------------------------------------- */

/* Counts the rows with this code, or with a number that has no state. */
static int64_t count_cells(const struct bestdag_encoder *e, int64_t rows,
                           int code)
{
    const struct bestdag_column *c = e->column;
    int64_t count = 0;
    for (int64_t r = 0; r < rows; r++)
        if (c->kind == BESTDAG_CODES)
            count += bestdag_column_code(c, r) == code;
        else {
            double x = ((const double *)c->cells)[r];
            count += !isnan(x) && encode_number(e, x) == e->states;
        }
    return count;
}

void bestdag_encoder_unknown(const struct bestdag_encoder *e, int64_t rows,
                             struct bestdag_unknown *to)
{
    const struct bestdag_column *c = e->column;
    int64_t count = 0;
    for (int s = 0; c->kind == BESTDAG_CODES && s < c->states; s++)
        if (e->map[s] == e->states && (count = count_cells(e, rows, s)))
            bestdag_unknown_add(to, c->name, c->labels[s], count);
    if (c->kind == BESTDAG_NUMBERS && (count = count_cells(e, rows, 0)))
        bestdag_unknown_add(to, c->name, "other numbers", count);
    if (c->kind == BESTDAG_OPAQUE && c->distinct)
        bestdag_unknown_add(to, c->name, "text of too many values",
                            rows - c->missing);
}

/* ---- rows ---------------------------------------------------------------- */

int bestdag_encode(const struct bestdag_encoder *e, int64_t from, int n,
                   uint16_t *to)
{
    const struct bestdag_column *c = e->column;
    int holes = 0;
    if (c->kind == BESTDAG_NUMBERS)
        for (int i = 0; i < n; i++)
            to[i] = (uint16_t)encode_number(
                e, ((const double *)c->cells)[from + i]);
    else if (c->kind == BESTDAG_OPAQUE)
        for (int i = 0; i < n; i++)
            to[i] = (uint16_t)e->states;
    else if (c->bytes == 1)
        for (int i = 0; i < n; i++)
            to[i] = e->map[((const uint8_t *)c->cells)[from + i]];
    else
        for (int i = 0; i < n; i++)
            to[i] = e->map[((const uint16_t *)c->cells)[from + i]];
    for (int i = 0; i < n; i++)
        holes += to[i] == e->states;
    return holes;
}
