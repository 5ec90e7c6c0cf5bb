/* SPDX-License-Identifier: MIT */
/* warnings.c -- properties of a table that make a learned network doubtful. */
#include "data/check/warnings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
    FEWEST_ROWS = 20, /* with fewer rows, unique values mean nothing */
    MANY = 50,        /* states */
    SOME = 10,
    ROWS_A_STATE = 5,
    NAMED = 5 /* columns that a warning names */
};

/* ---- columns ------------------------------------------------------------- */

/* Splits a label into runs of digits and the characters between them:
 * "2024-01-31" has 3 runs, of 4, 2 and 2. Returns how many; 0: there is
 * something else. */
static int take_apart(const char *label, int length[6], char between[6])
{
    int runs = 0;
    while (runs < 6 && isdigit((unsigned char)*label)) {
        int n = 0;
        for (; isdigit((unsigned char)*label); label++)
            n++;
        length[runs] = n;
        between[runs++] = *label;
        if (!*label || *label == 'Z')
            return runs;
        if (!strchr("-/.: T", *label))
            return 0;
        label++;
    }
    return 0;
}

/* "2024-01-31", "31.1.2024", "1/31/24", "12:30", "2024-01-31T12:30:00Z" */
static bool is_date(const char *label)
{
    int length[6];
    char between[6];
    int runs = take_apart(label, length, between);
    for (int i = 0; i < runs; i++)
        if (length[i] > 2 && length[i] != 4)
            return false;
    if (runs >= 2 && between[0] == ':')
        return length[0] <= 2 && length[1] == 2;
    return runs >= 3 && between[0] == between[1] && strchr("-/.", between[0]) &&
           (length[0] == 4 || length[2] == 4 || length[2] == 2);
}

static bool holds_dates(const struct bestdag_column *c)
{
    for (int s = 0; s < c->states; s++)
        if (!is_date(c->labels[s]))
            return false;
    return c->states > SOME;
}

enum bestdag_warning bestdag_column_warning(const struct bestdag_column *c,
                                            int64_t distinct, int64_t weight)
{
    if (c->kind != BESTDAG_CODES)
        return BESTDAG_NO_WARNING;
    if (holds_dates(c))
        return BESTDAG_DATES;
    if (weight >= FEWEST_ROWS && (double)distinct > 0.9 * (double)weight)
        return BESTDAG_IDENTIFIER;
    bool is_thin = distinct > SOME && weight / ROWS_A_STATE < distinct;
    return distinct > MANY || is_thin ? BESTDAG_MANY_STATES
                                      : BESTDAG_NO_WARNING;
}

/* ---- rows that were dropped ---------------------------------------------- */

/* More than a tenth of the rows. */
bool bestdag_table_dropped_many(const struct bestdag_table *t)
{
    return t->dropped > (t->rows + t->dropped) / 10;
}

/* The column that follows `after` (-1: the first) in descending order of
 * missing values; -1: none. */
static int next_lacking(const struct bestdag_table *t, int after)
{
    int worst = -1;
    for (int c = 0; c < t->columns; c++) {
        int64_t lacked = t->column[c].lacked;
        bool is_next = after < 0 || lacked < t->column[after].lacked ||
                       (lacked == t->column[after].lacked && c > after);
        if (lacked > 0 && is_next &&
            (worst < 0 || lacked > t->column[worst].lacked))
            worst = c;
    }
    return worst;
}

void bestdag_table_note_lacking(const struct bestdag_table *t,
                                struct bestdag_buffer *to)
{
    int column = -1;
    for (int i = 0; i < 3 && (column = next_lacking(t, column)) >= 0; i++)
        bestdag_buffer_format(to, "%s'%.60s' %s%lld", i ? ", " : "",
                              t->column[column].name, i ? "" : "lacks ",
                              (long long)t->column[column].lacked);
}

/* ---- warnings ------------------------------------------------------------ */

static const struct kind {
    enum bestdag_warning doubt;
    const char *one, *many;
} kinds[] = {
    {BESTDAG_IDENTIFIER,
     "has a value of its own in nearly every row, like an identifier",
     "have a value of their own in nearly every row, like identifiers"},
    {BESTDAG_DATES, "holds dates or times, each a state of its own",
     "hold dates or times, each a state of its own"},
    {BESTDAG_MANY_STATES, "has very many states", "have very many states"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* "column 'id' has ..." into `to`, or nothing. */
static void describe(const struct bestdag_table *t, const struct kind *kind,
                     struct bestdag_buffer *to)
{
    struct bestdag_buffer names = {.run = to->run};
    int count = 0;
    for (int i = 0; i < t->columns; i++) {
        const struct bestdag_column *c = &t->column[i];
        if (bestdag_column_warning(c, c->states, t->total) == kind->doubt &&
            ++count <= NAMED)
            bestdag_buffer_format(&names, "%s'%.60s' (%d states)",
                                  count > 1 ? ", " : "", c->name, c->states);
    }
    if (count == 1 && names.at)
        bestdag_buffer_format(to, "column %s", names.at);
    else if (count && names.at)
        bestdag_buffer_format(to, "%d columns: %s%s", count, names.at,
                              count > NAMED ? ", ..." : "");
    if (count)
        bestdag_buffer_format(to, " %s; --ignore leaves columns out",
                              count == 1 ? kind->one : kind->many);
    bestdag_buffer_release(&names);
}

void bestdag_table_warn(struct bestdag_run *run,
                        const struct bestdag_table *table)
{
    for (int k = 0; k < KINDS && !run->outer && run->on_progress; k++) {
        struct bestdag_buffer text = {.run = run};
        describe(table, &kinds[k], &text);
        if (text.length)
            bestdag_note(run, 0, "warning: %s", text.at);
        bestdag_buffer_release(&text);
    }
}

static void describe_dropped(const struct bestdag_table *t,
                             struct bestdag_buffer *to)
{
    if (!bestdag_table_dropped_many(t))
        return;
    bestdag_buffer_format(to,
                          "%lld of %lld rows have missing values and were "
                          "dropped (",
                          (long long)t->dropped,
                          (long long)(t->dropped + t->rows));
    bestdag_table_note_lacking(t, to);
    bestdag_buffer_text(to, "); --missing em and --missing available use what "
                            "such rows have");
}

int bestdag_warnings_write(struct bestdag_run *run,
                           const struct bestdag_table *table,
                           struct bestdag_json_writer *w)
{
    bestdag_json_open(w, "warnings", '[');
    for (int k = -2; k < KINDS; k++) {
        struct bestdag_buffer text = {.run = run};
        if (k == -2 && table->has_odd_names)
            bestdag_buffer_text(&text, "the first line of the table looks like "
                                       "a row, not like names; --no-header");
        else if (k == -1)
            describe_dropped(table, &text);
        else if (k >= 0)
            describe(table, &kinds[k], &text);
        if (text.length)
            bestdag_json_add_text(w, NULL, text.at);
        bestdag_buffer_release(&text);
    }
    bestdag_json_close(w, ']');
    return bestdag_run_status(run);
}
