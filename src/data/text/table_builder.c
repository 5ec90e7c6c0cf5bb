/* SPDX-License-Identifier: MIT */
/* table_builder.c -- columns while a table is read: adding cells, turning codes
 * into numbers.
 *
 * Cells come by column, some thousand rows at a time, so that one dictionary
 * at a time is in the cache. */
#include "data/text/table_builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void bestdag_table_builder_init(struct bestdag_table_builder *g,
                                struct bestdag_window *window,
                                const struct bestdag_settings *settings)
{
    struct bestdag_run *run = window->run;
    *g = (struct bestdag_table_builder){.run = run,
                                        .window = window,
                                        .settings = settings,
                                        .store = {.run = run},
                                        .scratch = {.run = run},
                                        .wrong_at = SIZE_MAX};
    g->refuse_missing = !strcmp(settings->missing, "error");
}

static void release_builder(struct bestdag_column_builder *s)
{
    bestdag_dictionary_release(&s->values);
    bestdag_free(s->cells);
    bestdag_free(s->name);
    *s = (struct bestdag_column_builder){0};
}

void bestdag_table_builder_release(struct bestdag_table_builder *g)
{
    for (int c = 0; g->column && c < g->count; c++)
        release_builder(&g->column[c]);
    bestdag_free(g->column);
    bestdag_buffer_release(&g->store);
    bestdag_buffer_release(&g->scratch);
    g->column = NULL;
}

static int make_builders(struct bestdag_table_builder *g)
{
    if (g->count == BESTDAG_MOST_COLUMNS)
        return bestdag_fail(g->run, BESTDAG_INPUT, "%s: more than %d columns",
                            bestdag_source_name(g->window->source),
                            BESTDAG_MOST_COLUMNS);
    int room = g->builder_room ? g->builder_room * 2 : 16;
    void *builder =
        bestdag_realloc(g->run, g->column, (size_t)room * sizeof *g->column);
    if (!builder)
        return bestdag_run_status(g->run);
    g->column = builder;
    g->builder_room = room;
    return BESTDAG_OK;
}

struct bestdag_column_builder *bestdag_table_builder_append(
    struct bestdag_table_builder *g, char *name)
{
    if (!name || (g->count == g->builder_room && make_builders(g))) {
        bestdag_free(name);
        return NULL;
    }
    struct bestdag_column_builder *s = &g->column[g->count++];
    *s = (struct bestdag_column_builder){.name = name, .bytes = 1};
    return s;
}

/* ---- kinds --------------------------------------------------------------- */

static void set_kind(struct bestdag_column_builder *s,
                     enum bestdag_builder_kind kind, int bytes)
{
    s->kind = kind;
    s->bytes = bytes;
}

/* ---- room ---------------------------------------------------------------- */

/* Estimates the number of rows of the file from what was read so far; 0:
 * unknown. */
static int64_t expected_rows(const struct bestdag_table_builder *g,
                             int64_t rows, size_t offset)
{
    const struct bestdag_source *source = g->window->source;
    int64_t size = bestdag_source_size(source);
    int64_t used =
        bestdag_source_consumed(source) - (int64_t)(g->window->end - offset);
    if (bestdag_source_packed(source) || size <= 0 || used <= 0)
        return 0;
    double rest = (double)size / (double)used;
    return rest < 1e6 ? (int64_t)((double)rows * rest * 1.01) + 64 : 0;
}

static int64_t bytes_a_row(const struct bestdag_table_builder *g)
{
    int64_t bytes = 0;
    for (int c = 0; c < g->count; c++)
        bytes += g->column[c].bytes;
    return bytes;
}

/* Doubles the room, or takes the expected room at once if the budget allows. */
static int64_t room_for(const struct bestdag_table_builder *g, int64_t rows,
                        size_t offset)
{
    int64_t room = g->room * 2 > rows ? g->room * 2 : rows;
    int64_t expected = expected_rows(g, rows, offset);
    int64_t limit = bestdag_memory_limit(g->run);
    int64_t left = limit ? (limit - bestdag_memory_used(g->run)) / 2 : 0;
    int64_t a_row = bytes_a_row(g) + 1;
    if (expected >= rows && expected < INT64_MAX / a_row &&
        (!limit || expected * a_row < left))
        room = expected;
    return room;
}

static int resize(struct bestdag_table_builder *g,
                  struct bestdag_column_builder *s, int64_t room, int bytes)
{
    size_t size;
    if (!bytes)
        return BESTDAG_OK;
    if (__builtin_mul_overflow((size_t)room, (size_t)bytes, &size))
        size = SIZE_MAX;
    void *cells = bestdag_realloc(g->run, s->cells, size);
    if (!cells)
        return bestdag_run_status(g->run);
    s->cells = cells;
    return BESTDAG_OK;
}

int bestdag_table_builder_reserve(struct bestdag_table_builder *g, int64_t more,
                                  size_t offset)
{
    if (g->rows + more <= g->room)
        return BESTDAG_OK;
    int64_t room = room_for(g, g->rows + more, offset);
    for (int c = 0; c < g->count; c++)
        if (resize(g, &g->column[c], room, g->column[c].bytes))
            return bestdag_run_status(g->run);
    g->room = room;
    return BESTDAG_OK;
}

/* ---- turning ------------------------------------------------------------- */

/* The code of a cell; -1: missing. */
static int code_at(const struct bestdag_column_builder *s, int64_t row)
{
    if (s->bytes == 1) {
        int code = ((const uint8_t *)s->cells)[row];
        return code == BESTDAG_MISSING_1 ? -1 : code;
    }
    int code = ((const uint16_t *)s->cells)[row];
    return code == BESTDAG_MISSING_2 ? -1 : code;
}

static void set_code(struct bestdag_column_builder *s, int64_t row, int code)
{
    if (s->bytes == 1)
        ((uint8_t *)s->cells)[row] = (uint8_t)code;
    else
        ((uint16_t *)s->cells)[row] = (uint16_t)code;
}

static int widen(struct bestdag_table_builder *g,
                 struct bestdag_column_builder *s, int64_t rows)
{
    if (resize(g, s, g->room, 2))
        return bestdag_run_status(g->run);
    for (int64_t r = rows - 1; r >= 0; r--) /* in place: from the last row on */
        ((uint16_t *)s->cells)[r] = (uint16_t)code_at(s, r);
    s->bytes = 2;
    return BESTDAG_OK;
}

int bestdag_builder_to_numbers(struct bestdag_table_builder *g,
                               struct bestdag_column_builder *s, int64_t rows)
{
    size_t n;
    double *value =
        bestdag_alloc(g->run, (size_t)s->values.count * sizeof *value);
    if (!value || resize(g, s, g->room, sizeof(double))) {
        bestdag_free(value);
        return bestdag_run_status(g->run);
    }
    for (int i = 0; i < s->values.count; i++) {
        const char *text =
            bestdag_dictionary_text(&s->values, &g->store, i, &n);
        bestdag_settings_number(g->settings, text, n, &value[i]);
    }
    for (int64_t r = rows - 1; r >= 0; r--) {
        int code = code_at(s, r);
        ((double *)s->cells)[r] = code < 0 ? NAN : value[code];
    }
    set_kind(s, BESTDAG_STRAND_NUMBERS, sizeof(double));
    s->distinct = s->values.count;
    bestdag_dictionary_release(&s->values);
    bestdag_free(value);
    return BESTDAG_OK;
}

static int shown_length(const struct bestdag_word *w, int most)
{
    if (w->length <= (size_t)most)
        return (int)w->length;
    while (most > 0 && (w->text[most] & 0xc0) == 0x80)
        most--; /* not within a character */
    return most;
}

void bestdag_builder_to_opaque(struct bestdag_column_builder *s, int64_t rows,
                               const struct bestdag_word *example)
{
    for (int64_t r = 0; r < rows; r++)
        s->missing += s->kind == BESTDAG_STRAND_NUMBERS
                          ? isnan(((const double *)s->cells)[r]) != 0
                          : code_at(s, r) < 0;
    if (example)
        snprintf(s->example, sizeof s->example, "%.*s",
                 shown_length(example, 31), example->text);
    if (s->kind == BESTDAG_STRAND_CODES)
        s->distinct = s->values.count;
    bestdag_dictionary_release(&s->values);
    bestdag_free(s->cells);
    s->cells = NULL;
    set_kind(s, BESTDAG_STRAND_OPAQUE, 0);
}

/* ---- cells --------------------------------------------------------------- */

/* Cells being added to a builder. */
struct adding {
    struct bestdag_table_builder *g;
    struct bestdag_column_builder *s;
    struct bestdag_cells cells;
    int64_t done; /* of cells.rows */
};

/* The text of a field; its key is made when it is looked up. */
static struct bestdag_word text_of(struct bestdag_table_builder *g,
                                   struct bestdag_field f)
{
    static const char zero[8] = "0";
    struct bestdag_word w = {.text = zero, .length = 1};
    if (f.omitted)
        return w;
    if (!f.escaped) {
        w.text = g->window->bytes + f.at;
        w.length = f.length;
        return w;
    }
    size_t room = (size_t)f.length + 8;
    if (g->scratch.room < room) {
        char *at = bestdag_realloc(g->run, g->scratch.at, room);
        if (!at)
            return w; /* the run has failed */
        g->scratch.at = at;
        g->scratch.room = room;
    }
    w.text = g->scratch.at;
    w.length = bestdag_field_resolve(g->window, g->dialect, f, g->scratch.at);
    memset(g->scratch.at + w.length, 0, 8);
    return w;
}

static bool is_missing(const struct bestdag_table_builder *g,
                       struct bestdag_field f, struct bestdag_word w)
{
    return !f.quoted && !f.omitted &&
           bestdag_settings_is_missing(g->settings, w.text, w.length);
}

/* Keeps the message if no earlier field is wrong, and skips the rest of the
 * cells. */
static void refuse(struct adding *a, struct bestdag_field f, const char *format,
                   ...) BESTDAG_PRINTF(3, 4);

static void refuse(struct adding *a, struct bestdag_field f, const char *format,
                   ...)
{
    struct bestdag_table_builder *g = a->g;
    va_list list;
    a->done = a->cells.rows;
    if (f.at >= g->wrong_at)
        return;
    g->wrong_at = f.at;
    va_start(list, format);
    vsnprintf(g->wrong, sizeof g->wrong, format, list);
    va_end(list);
}

static void refuse_value(struct adding *a, struct bestdag_field f,
                         struct bestdag_word w, const char *expected)
{
    int n = shown_length(&w, 64);
    if (*a->s->name)
        refuse(a, f, "column '%.100s' has the value '%.*s', expected %s",
               a->s->name, n, w.text, expected);
    else
        refuse(a, f, "the row has '%.*s', expected %s", n, w.text, expected);
}

static void refuse_undeclared(struct adding *a, struct bestdag_field f,
                              struct bestdag_word w)
{
    char expected[96];
    snprintf(expected, sizeof expected,
             "no more than the %d values that the second line declares",
             a->s->arity);
    refuse_value(a, f, w,
                 a->s->closed ? "one of the declared states" : expected);
}

/* False: missing values are refused. */
static bool accept_missing(struct adding *a, struct bestdag_field f)
{
    a->s->has_missing = true;
    if (a->g->refuse_missing)
        refuse(a, f, "a missing value (--missing drop or state accepts it)");
    return !a->g->refuse_missing;
}

/* The code of a new value; -1: it was refused, the builder has changed its
 * kind, or the run has failed. */
static int new_value(struct adding *a, struct bestdag_field f,
                     struct bestdag_word w)
{
    struct bestdag_table_builder *g = a->g;
    struct bestdag_column_builder *s = a->s;
    double x = 0;
    int64_t rows = g->rows + a->done;
    if (s->closed || (s->arity && s->values.count == s->arity)) {
        refuse_undeclared(a, f, w);
        return -1;
    }
    bool number = bestdag_settings_number(g->settings, w.text, w.length, &x);
    if (s->numeric && !number) {
        refuse_value(a, f, w, "a number");
        return -1;
    }
    bool all =
        number && s->numbers == s->values.count && !s->arity && !s->as_states;
    s->fractions = s->fractions || (number && x != floor(x));
    if (all && (s->values.count == BESTDAG_MOST_STATES ||
                (s->fractions && s->values.count >= BESTDAG_MOST_FRACTIONS))) {
        bestdag_builder_to_numbers(g, s, rows);
        return -1;
    }
    if (s->values.count == BESTDAG_MOST_STATES) {
        bestdag_builder_to_opaque(s, rows, NULL);
        s->distinct++;
        return -1;
    }
    if (s->values.count == BESTDAG_MISSING_1 && widen(g, s, rows))
        return -1;
    s->numbers += number;
    if (f.quoted && !s->token_is_value)
        s->token_is_value =
            bestdag_settings_is_missing(g->settings, w.text, w.length);
    return bestdag_dictionary_add(g->run, &s->values, &g->store, w);
}

/* The code of a value seen before; -1: new, or missing. Missing-value tokens
 * are tested first where one is also a value: in quotes, or declared ('?' in
 * quotes may be declared, unquoted it is never a value). */
static int known_code(const struct adding *a, struct bestdag_field f,
                      struct bestdag_word w)
{
    const struct bestdag_column_builder *s = a->s;
    bool unsure =
        s->token_is_value || (s->closed && w.length == 1 && *w.text == '?');
    if (f.omitted && s->closed)
        return 0;
    if (unsure && is_missing(a->g, f, w))
        return -1;
    return bestdag_dictionary_find(&s->values, &a->g->store, w);
}

static int add_codes(struct adding *a)
{
    struct bestdag_table_builder *g = a->g;
    struct bestdag_column_builder *s = a->s;
    for (; a->done < a->cells.rows; a->done++) {
        struct bestdag_field f =
            a->cells.field[(size_t)a->done * a->cells.stride];
        struct bestdag_word w = text_of(g, f);
        w = bestdag_word_make(w.text, w.length);
        int code = known_code(a, f, w);
        bool missing = code < 0 && is_missing(g, f, w);
        if (missing && !accept_missing(a, f))
            break;
        if (code < 0 && !missing) {
            code = new_value(a, f, w);
            if (code < 0)
                break;
        } /* the code -1 is "missing" in any width */
        set_code(s, g->rows + a->done, code);
    }
    return bestdag_run_status(g->run);
}

/* Handles a text among numbers: false if the builder changes its kind. */
static bool accept_text(struct adding *a, struct bestdag_field f,
                        struct bestdag_word w)
{
    if (is_missing(a->g, f, w))
        return accept_missing(a, f);
    if (a->s->numeric)
        refuse_value(a, f, w, "a number");
    else
        bestdag_builder_to_opaque(a->s, a->g->rows + a->done, &w);
    return false;
}

static int add_numbers(struct adding *a)
{
    struct bestdag_table_builder *g = a->g;
    for (; a->done < a->cells.rows; a->done++) {
        struct bestdag_field f =
            a->cells.field[(size_t)a->done * a->cells.stride];
        struct bestdag_word w = text_of(g, f);
        double x;
        if (!bestdag_settings_number(g->settings, w.text, w.length, &x)) {
            if (!accept_text(a, f, w))
                break;
            x = NAN;
        }
        ((double *)a->s->cells)[g->rows + a->done] = x;
    }
    return bestdag_run_status(g->run);
}

static int add_opaque(struct adding *a)
{
    for (; a->done < a->cells.rows; a->done++) {
        struct bestdag_field f =
            a->cells.field[(size_t)a->done * a->cells.stride];
        if (!is_missing(a->g, f, text_of(a->g, f)))
            continue;
        if (!accept_missing(a, f))
            break;
        a->s->missing++;
    }
    return bestdag_run_status(a->g->run);
}

static int add_weights(struct adding *a)
{
    struct bestdag_table_builder *g = a->g;
    for (; a->done < a->cells.rows; a->done++) {
        struct bestdag_field f =
            a->cells.field[(size_t)a->done * a->cells.stride];
        double x = !*a->s->name; /* an omitted weight is 1, a value 0 */
        if (!f.omitted) {
            struct bestdag_word w = text_of(g, f);
            if (!bestdag_settings_number(g->settings, w.text, w.length, &x) ||
                x != floor(x) || x < 0 || x > INT32_MAX) {
                refuse_value(a, f, w,
                             "a weight: a whole number from 0 to 2147483647");
                break;
            }
        }
        ((int32_t *)a->s->cells)[g->rows + a->done] = (int32_t)x;
    }
    return bestdag_run_status(g->run);
}

int bestdag_table_builder_add(struct bestdag_table_builder *g, int column,
                              struct bestdag_cells cells)
{
    static int (*const add[])(struct adding *) = {add_codes, add_numbers,
                                                  add_opaque, add_weights};
    struct adding a = {.g = g, .s = &g->column[column], .cells = cells};
    /* a builder that changes its kind returns early and continues as its new
     * kind */
    while (a.done < cells.rows && a.s->kind != BESTDAG_STRAND_SKIPPED)
        if (add[a.s->kind](&a))
            return bestdag_run_status(g->run);
    return BESTDAG_OK;
}

int bestdag_table_builder_commit(struct bestdag_table_builder *g, int64_t more)
{
    g->rows += more;
    if (g->wrong_at != SIZE_MAX)
        return bestdag_window_fail(g->window, g->wrong_at, "%s", g->wrong);
    return BESTDAG_OK;
}

int bestdag_table_builder_declare(struct bestdag_table_builder *g, int column,
                                  const char *text, size_t n)
{
    struct bestdag_column_builder *s = &g->column[column];
    struct bestdag_word w = bestdag_word_make(text, n);
    if (bestdag_dictionary_find(&s->values, &g->store, w) >= 0)
        return BESTDAG_INPUT;
    if (s->values.count == BESTDAG_MISSING_1)
        s->bytes = 2; /* no cells yet */
    bestdag_dictionary_add(g->run, &s->values, &g->store, w);
    return bestdag_run_status(g->run);
}

int bestdag_table_builder_adopt(struct bestdag_table_builder *g,
                                struct bestdag_column_builder *s,
                                const char *text, size_t n)
{
    double x = 0;
    struct bestdag_word w = bestdag_word_make(text, n);
    if (bestdag_dictionary_find(&s->values, &g->store, w) >= 0)
        return BESTDAG_OK;
    if (s->values.count == BESTDAG_MOST_STATES)
        return bestdag_fail(g->run, BESTDAG_INPUT,
                            "column '%s' has more than %d values", s->name,
                            BESTDAG_MOST_STATES);
    if (s->values.count == BESTDAG_MISSING_1 && widen(g, s, g->rows))
        return bestdag_run_status(g->run);
    bool number = bestdag_settings_number(g->settings, text, n, &x);
    s->numbers += number;
    s->fractions = s->fractions || (number && x != floor(x));
    bestdag_dictionary_add(g->run, &s->values, &g->store, w);
    return bestdag_run_status(g->run);
}
