/* SPDX-License-Identifier: MIT */
/* table_builder_finish.c -- makes columns from builders: their kind, states in
 * natural (or declared) order, and notes.
 *
 * Works builder by builder and in place: the table takes the cells over. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/states.h"
#include "data/text/table_builder.h"

/* ---- what a builder is --------------------------------------------------- */

int bestdag_builder_most_states(const struct bestdag_table_builder *g,
                                const struct bestdag_column_builder *s)
{
    int most = g->settings->most_states;
    return s->fractions && most > BESTDAG_FRACTIONAL_STATES
               ? BESTDAG_FRACTIONAL_STATES
               : most;
}

static bool is_number_column(const struct bestdag_table_builder *g,
                             const struct bestdag_column_builder *s)
{
    if (s->as_states)
        return false;
    if (s->as_numbers)
        return true;
    return bestdag_builder_is_free(s) && s->numbers == s->values.count &&
           s->numbers > bestdag_builder_most_states(g, s);
}

static bool has_no_value(const struct bestdag_table_builder *g,
                         const struct bestdag_column_builder *s)
{
    if (bestdag_builder_is_free(s)) /* each of its values was seen */
        return !s->values.count;
    if (g->settings->declared)
        return false;
    int64_t r = 0;
    if (s->bytes == 1)
        while (r < g->rows &&
               ((const uint8_t *)s->cells)[r] == BESTDAG_MISSING_1)
            r++;
    else
        while (r < g->rows &&
               ((const uint16_t *)s->cells)[r] == BESTDAG_MISSING_2)
            r++;
    return r == g->rows;
}

static int decide(struct bestdag_table_builder *g,
                  struct bestdag_column_builder *s)
{
    if (s->kind != BESTDAG_STRAND_CODES)
        return BESTDAG_OK;
    if (has_no_value(g, s)) {
        s->values.count = 0;
        bestdag_builder_to_opaque(s, g->rows, NULL);
    } else if (is_number_column(g, s))
        return bestdag_builder_to_numbers(g, s, g->rows);
    else if (bestdag_builder_is_free(s) && s->fractions && !s->as_states &&
             s->numbers > BESTDAG_MOST_FRACTIONS) {
        struct bestdag_word text = bestdag_builder_text(g, s);
        bestdag_builder_to_opaque(s, g->rows, &text);
    }
    return BESTDAG_OK;
}

/* ---- declared states that were not seen ---------------------------------- */

static bool has_value(const struct bestdag_table_builder *g,
                      const struct bestdag_column_builder *s, int64_t number)
{
    char text[32] = {0};
    int n = snprintf(text, sizeof text, "%lld", (long long)number);
    struct bestdag_word w = bestdag_word_make(text, (size_t)n);
    return bestdag_dictionary_find(&s->values, &g->store, w) >= 0;
}

/* Are all values among first .. first + arity - 1? */
static bool counts_from(const struct bestdag_table_builder *g,
                        const struct bestdag_column_builder *s, int first)
{
    int found = 0;
    for (int i = 0; i < s->arity; i++)
        found += has_value(g, s, first + i);
    return found == s->values.count;
}

/* Do the codes of this file count from 1? A column in which 0 or the arity
 * itself occurs decides. */
static int first_code(const struct bestdag_table_builder *g)
{
    int first = 0;
    for (int c = 0; c < g->count; c++) {
        const struct bestdag_column_builder *s = &g->column[c];
        if (!s->arity || s->kind != BESTDAG_STRAND_CODES)
            continue;
        if (has_value(g, s, 0))
            return 0;
        if (has_value(g, s, s->arity))
            first = 1;
    }
    return first;
}

/* If the values of a column with a declared number of states are numbers that
 * count from 0 or 1, they may not exceed what is declared. Other values are
 * labels. */
static int check_codes(struct bestdag_table_builder *g,
                       const struct bestdag_column_builder *s)
{
    int64_t most = -1;
    for (int i = 0; i < s->values.count; i++) {
        size_t n;
        const char *text =
            bestdag_dictionary_text(&s->values, &g->store, i, &n);
        int64_t code = bestdag_code_of(text, n);
        if (code < 0)
            return BESTDAG_OK;
        most = code > most ? code : most;
    }
    int first = !has_value(g, s, 0);
    if ((first && !has_value(g, s, 1)) || most < first + s->arity)
        return BESTDAG_OK;
    return bestdag_fail(g->run, BESTDAG_INPUT,
                        "%s: column '%s' has the value '%lld', expected %d to "
                        "%d: the second line declares %d states",
                        bestdag_source_name(g->window->source), s->name,
                        (long long)most, first, first + s->arity - 1, s->arity);
}

static int add_unseen(struct bestdag_table_builder *g,
                      struct bestdag_column_builder *s, int first)
{
    bool plain = counts_from(g, s, first);
    if (!plain) {
        first = !first;
        plain = counts_from(g, s, first);
    }
    for (int k = plain ? first : 1; s->values.count < s->arity; k++) {
        char text[32] = {0};
        int n = snprintf(text, sizeof text, plain ? "%d" : "unseen_%d", k);
        struct bestdag_word w = bestdag_word_make(text, (size_t)n);
        if (bestdag_dictionary_find(&s->values, &g->store, w) < 0 &&
            bestdag_dictionary_add(g->run, &s->values, &g->store, w) < 0)
            return bestdag_run_status(g->run);
    }
    return BESTDAG_OK;
}

/* ---- states in order ----------------------------------------------------- */

struct level {
    char *label;
    double value;
    bool number;
    uint16_t code; /* its number in order of appearance */
};

/* The natural order, with numbers parsed once. */
static int compare_levels(const void *a, const void *b)
{
    const struct level *x = a, *y = b;
    if (x->number != y->number)
        return x->number ? -1 : 1;
    if (!x->number)
        return bestdag_natural_compare(x->label, y->label);
    if (x->value < y->value || x->value > y->value)
        return x->value < y->value ? -1 : 1;
    return strcmp(x->label, y->label);
}

static int fill_levels(struct bestdag_table_builder *g,
                       struct bestdag_column_builder *s, struct level *level)
{
    for (int i = 0; i < s->values.count; i++) {
        size_t n;
        const char *text =
            bestdag_dictionary_text(&s->values, &g->store, i, &n);
        level[i].code = (uint16_t)i;
        level[i].number =
            bestdag_settings_number(g->settings, text, n, &level[i].value);
        level[i].label = bestdag_strndup(g->run, text, n);
        if (!level[i].label)
            return bestdag_run_status(g->run);
    }
    if (!s->closed)
        qsort(level, (size_t)s->values.count, sizeof *level, compare_levels);
    return BESTDAG_OK;
}

/* Moves the labels to the column in order; to[code] is the new code. */
static bool take_levels(struct bestdag_column *c, struct level *level,
                        int count, uint16_t *to)
{
    bool moved = false;
    c->states = count;
    for (int i = 0; i < count; i++) {
        c->labels[i] = level[i].label;
        level[i].label = NULL;
        to[level[i].code] = (uint16_t)i;
        moved = moved || level[i].code != i;
    }
    return moved;
}

static int finish_codes(struct bestdag_table_builder *g,
                        struct bestdag_column_builder *s,
                        struct bestdag_column *c)
{
    int count = s->values.count;
    struct level *level = bestdag_calloc(g->run, (size_t)count, sizeof *level);
    uint16_t *to = bestdag_alloc(g->run, (size_t)count * sizeof *to);
    c->labels = bestdag_calloc(g->run, (size_t)count, sizeof *c->labels);
    if (level && to && c->labels && !fill_levels(g, s, level)) {
        bool moved = take_levels(c, level, count, to);
        c->ordered = s->closed;
        int bytes = bestdag_code_bytes(count);
        if (moved || bytes != c->bytes)
            bestdag_column_recode(g->run, c, g->rows, to, bytes);
    }
    for (int i = 0; level && i < count; i++)
        bestdag_free(level[i].label);
    bestdag_free(level);
    bestdag_free(to);
    return bestdag_run_status(g->run);
}

static void count_missing(struct bestdag_column *c, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++)
        c->missing += c->kind == BESTDAG_NUMBERS
                          ? isnan(((const double *)c->cells)[r]) != 0
                          : bestdag_column_code(c, r) < 0;
}

/* ---- the table ----------------------------------------------------------- */

static int take_cells(struct bestdag_table_builder *g,
                      struct bestdag_column_builder *s,
                      struct bestdag_column *c)
{
    void *cells = s->cells;
    if (g->rows < g->room)
        cells = bestdag_realloc(g->run, s->cells,
                                (size_t)g->rows * (size_t)s->bytes);
    if (!cells)
        return bestdag_run_status(g->run);
    c->cells = cells;
    c->bytes = s->bytes;
    s->cells = NULL;
    return BESTDAG_OK;
}

static int finish_builder(struct bestdag_table_builder *g,
                          struct bestdag_column_builder *s,
                          struct bestdag_table *table)
{
    static const enum bestdag_column_kind kinds[] = {
        BESTDAG_CODES, BESTDAG_NUMBERS, BESTDAG_OPAQUE};
    struct bestdag_column *c =
        bestdag_table_add(g->run, table, bestdag_strdup(g->run, s->name));
    if (!c)
        return bestdag_run_status(g->run);
    c->kind = kinds[s->kind];
    c->distinct = s->distinct;
    if (c->kind == BESTDAG_OPAQUE) {
        c->missing = s->missing;
        return BESTDAG_OK;
    }
    if (take_cells(g, s, c))
        return bestdag_run_status(g->run);
    if (s->has_missing)
        count_missing(c, g->rows);
    return c->kind == BESTDAG_CODES ? finish_codes(g, s, c) : BESTDAG_OK;
}

static int finish_weights(struct bestdag_table_builder *g,
                          struct bestdag_column_builder *s,
                          struct bestdag_table *table)
{
    const int32_t *weight = s->cells;
    int64_t total = 0;
    bool all_one = true;
    for (int64_t r = 0; r < g->rows; r++) {
        total += weight[r];
        all_one = all_one && weight[r] == 1;
    }
    if (all_one)
        return BESTDAG_OK;
    if (table->weights)
        return bestdag_fail(
            g->run, BESTDAG_INPUT,
            "%s: rows have weights in addition to the column '%s'",
            bestdag_source_name(g->window->source), g->settings->weights);
    table->weights = s->cells;
    table->total = total;
    s->cells = NULL;
    return BESTDAG_OK;
}

/* ---- all ----------------------------------------------------------------- */

struct bestdag_table *bestdag_table_builder_finish(
    struct bestdag_table_builder *g)
{
    struct bestdag_table *table = bestdag_table_new(g->run, g->rows);
    int first = first_code(g);
    for (int c = 0; table && c < g->count; c++) {
        struct bestdag_column_builder *s = &g->column[c];
        if (s->kind == BESTDAG_STRAND_WEIGHTS)
            finish_weights(g, s, table);
        else if (s->kind < BESTDAG_STRAND_WEIGHTS && !decide(g, s) &&
                 !(s->arity && check_codes(g, s)) &&
                 !(s->kind == BESTDAG_STRAND_CODES && s->arity &&
                   g->settings->declared && add_unseen(g, s, first)))
            finish_builder(g, s, table);
        if (bestdag_run_status(g->run))
            break;
    }
    if (table && !bestdag_run_status(g->run)) {
        bestdag_table_builder_note(g);
        table->has_odd_names = bestdag_table_builder_has_odd_names(g, table);
        return table;
    }
    bestdag_table_free(table);
    return NULL;
}
