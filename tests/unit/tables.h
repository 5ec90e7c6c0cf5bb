/* SPDX-License-Identifier: MIT */
/* tables.h -- what the tests of tables share: reading from text, the notes that
 * come along, comparing tables. */
#ifndef BESTDAG_TESTS_TABLES_H
#define BESTDAG_TESTS_TABLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "data/text/read.h"
#include "data/table.h"

struct talk {
    char notes[4][4096]; /* by detail */
};

static inline int hear(void *user, const struct bestdag_progress *now)
{
    struct talk *talk = user;
    if (now->note) {
        char *to = talk->notes[now->detail];
        size_t n = strlen(to);
        snprintf(to + n, sizeof talk->notes[0] - n, "%s\n", now->note);
    }
    return 0;
}

static struct talk heard;

static inline struct bestdag_run *new_run(void)
{
    struct bestdag_run *run = bestdag_run_new();
    assert_non_null(run);
    memset(&heard, 0, sizeof heard);
    bestdag_run_on_progress(run, hear, &heard);
    return run;
}

/* settings: "missing=state no-header=yes", or NULL; values without blanks. */
static inline struct bestdag_options *options_of(struct bestdag_run *run,
                                                 const char *settings)
{
    struct bestdag_options *options = bestdag_options_new(run);
    char copy[512], *save = NULL;
    snprintf(copy, sizeof copy, "%s", settings ? settings : "");
    for (char *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(word, '=');
        assert_non_null(equals);
        *equals = 0;
        bestdag_options_set(run, options, word, equals + 1);
    }
    return options;
}

struct text {
    const char *name, *bytes;
    size_t size; /* 0: up to the NUL */
    const char *settings;
    struct bestdag_probe probe;
};

static inline struct bestdag_table *read_text(struct bestdag_run *run,
                                              struct text t)
{
    size_t size = t.size ? t.size : strlen(t.bytes);
    struct bestdag_options *options = options_of(run, t.settings);
    struct bestdag_source *source =
        bestdag_source_memory(run, t.name ? t.name : "t.csv", t.bytes, size);
    struct bestdag_table *table =
        bestdag_table_from(run, source, options, &t.probe);
    bestdag_source_close(source);
    bestdag_options_free(options);
    return table;
}

/* The cell as text: a label, a number, or "-" if it is missing. */
static inline const char *cell(const struct bestdag_table *t, int column,
                               int64_t row)
{
    static char text[4][64];
    static int next;
    char *to = text[next++ % 4];
    int code;
    double x;
    if (bestdag_table_codes(t, column, row, 1, &code) == 1)
        return code < 0 ? "-" : bestdag_table_label(t, column, code);
    if (bestdag_table_numbers(t, column, row, 1, &x) != 1)
        return "opaque";
    snprintf(to, 64, "%.15g", x);
    return x != x ? "-" : to;
}

/* All rows: "a b|c d". */
static inline const char *rows_of(const struct bestdag_table *t)
{
    static char text[4096];
    size_t n = 0;
    text[0] = 0;
    for (int64_t r = 0; r < bestdag_table_rows(t); r++)
        for (int c = 0; c < bestdag_table_columns(t); c++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
                                  c   ? " "
                                  : r ? "|"
                                      : "",
                                  cell(t, c, r));
    return text;
}

/* "name(a,b) name(0..)": names and labels. */
static inline const char *head_of(const struct bestdag_table *t)
{
    static char text[4096];
    size_t n = 0;
    text[0] = 0;
    for (int c = 0; c < bestdag_table_columns(t); c++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s(", c ? " " : "",
                              bestdag_table_name(t, c));
        for (int s = 0; s < bestdag_table_states(t, c); s++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
                                  s ? "," : "", bestdag_table_label(t, c, s));
        n += (size_t)snprintf(text + n, sizeof text - n, ")");
    }
    return text;
}

/* Reads; the table must have this head and these rows (NULL: not looked at). */
static inline void expect_table(struct text t, const char *head,
                                const char *rows)
{
    struct bestdag_run *run = new_run();
    struct bestdag_table *table = read_text(run, t);
    assert_string_equal(bestdag_run_error(run), "");
    assert_non_null(table);
    if (head)
        assert_string_equal(head_of(table), head);
    if (rows)
        assert_string_equal(rows_of(table), rows);
    bestdag_table_free(table);
    bestdag_run_free(run);
}

static inline void expect_error(struct text t, int status, const char *error)
{
    struct bestdag_run *run = new_run();
    struct bestdag_table *table = read_text(run, t);
    assert_null(table);
    assert_string_equal(bestdag_run_error(run), error);
    assert_int_equal(bestdag_run_status(run), status);
    bestdag_run_free(run);
}

static inline void expect_note(int detail, const char *part)
{
    if (!strstr(heard.notes[detail], part))
        fail_msg("no note of detail %d has '%s'; heard:\n%s", detail, part,
                 heard.notes[detail]);
}

static inline void assert_same_column(const struct bestdag_column *a,
                                      const struct bestdag_column *b,
                                      int64_t rows)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->missing, b->missing);
    for (int s = 0; s < a->states; s++)
        assert_string_equal(a->labels[s], b->labels[s]);
    if (a->bytes && rows)
        assert_memory_equal(a->cells, b->cells,
                            (size_t)rows * (size_t)a->bytes);
}

static inline void assert_same_tables(const struct bestdag_table *a,
                                      const struct bestdag_table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->total, b->total);
    for (int c = 0; c < a->columns; c++)
        assert_same_column(&a->column[c], &b->column[c], a->rows);
    assert_int_equal(a->weights != NULL, b->weights != NULL);
    for (int64_t r = 0; a->weights && r < a->rows; r++)
        assert_int_equal(a->weights[r], b->weights[r]);
}

#endif
