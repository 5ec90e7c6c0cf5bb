/* SPDX-License-Identifier: MIT */
/* missing.c -- policies for missing values: one function on tables, so that
 * tables from files and tables built by calls are treated alike. */
#include "data/missing.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/check/warnings.h"
#include "data/hole_patterns.h"
#include "data/states.h"

static int no_row_left(struct bestdag_run *run,
                       const struct bestdag_table *table)
{
    const struct bestdag_column *worst = NULL;
    for (int i = 0; i < table->columns; i++) {
        const struct bestdag_column *c = &table->column[i];
        if (bestdag_column_has_holes(c) &&
            (!worst || c->missing > worst->missing))
            worst = c;
    }
    return bestdag_fail(run, BESTDAG_INPUT,
                        "every row has a missing value (column '%s' lacks %lld "
                        "of %lld); use the values that are there "
                        "(--missing em, --missing available), make missing a "
                        "state (--missing state) or leave columns out "
                        "(--ignore)",
                        worst ? worst->name : "",
                        worst ? (long long)worst->missing : 0,
                        (long long)table->rows);
}

/* Instead of dropping rows, by what the table's columns are. */
static const char *alternatives(const struct bestdag_table *table)
{
    int numbers = 0;
    for (int c = 0; c < table->columns; c++)
        numbers += table->column[c].kind == BESTDAG_NUMBERS;
    if (!numbers)
        return "); --missing em and --missing available use what such rows "
               "have, --missing state makes 'missing' a state, --ignore leaves "
               "columns out; see 'bestdag check'";
    return numbers == table->columns
               ? "); --missing em uses what such rows have, --ignore leaves "
                 "columns out; see 'bestdag check'"
               : "); --missing em and --missing available use what such rows "
                 "have if --discretize makes the numbers states, --missing "
                 "state makes 'missing' a state, --ignore leaves columns out; "
                 "see 'bestdag check'";
}

/* If many rows were dropped, also names the columns that caused it and what
 * would help. */
void bestdag_table_note_dropped(struct bestdag_run *run,
                                const struct bestdag_table *table)
{
    struct bestdag_buffer lacking = {.run = run};
    bool are_many = bestdag_table_dropped_many(table);
    if (are_many)
        bestdag_table_note_lacking(table, &lacking);
    bestdag_note(
        run, 0,
        "%s%lld of %lld rows have missing values and were dropped%s%s%s",
        are_many ? "warning: " : "", (long long)table->dropped,
        (long long)(table->rows + table->dropped), are_many ? " (" : "",
        lacking.at ? lacking.at : "", are_many ? alternatives(table) : "");
    bestdag_buffer_release(&lacking);
}

static int drop(struct bestdag_run *run, struct bestdag_table *table)
{
    int64_t rows = table->rows, dropped = 0;
    uint8_t *gone = bestdag_calloc(run, (size_t)rows, 1);
    if (!gone)
        return bestdag_run_status(run);
    for (int i = 0; i < table->columns; i++) {
        const struct bestdag_column *c = &table->column[i];
        for (int64_t r = 0; bestdag_column_has_holes(c) && r < rows; r++)
            gone[r] |= bestdag_column_is_hole(c, r);
    }
    for (int64_t r = 0; r < rows; r++)
        dropped += gone[r];
    if (dropped == rows)
        no_row_left(run, table);
    else if (!bestdag_table_drop(run, table, gone)) {
        table->dropped = dropped;
        bestdag_table_note_dropped(run, table);
    }
    bestdag_free(gone);
    return bestdag_run_status(run);
}

static bool has_label(const struct bestdag_column *c, const char *label)
{
    for (int s = 0; s < c->states; s++)
        if (!strcmp(c->labels[s], label))
            return true;
    return false;
}

static int add_label(struct bestdag_run *run, struct bestdag_column *c)
{
    char label[32] = "missing";
    for (int k = 2; has_label(c, label); k++)
        snprintf(label, sizeof label, "missing_%d", k);
    char **labels = bestdag_realloc(
        run, c->labels, ((size_t)c->states + 1) * sizeof *c->labels);
    if (!labels)
        return bestdag_run_status(run);
    c->labels = labels;
    labels[c->states] = bestdag_strdup(run, label);
    if (!labels[c->states])
        return bestdag_run_status(run);
    c->states++;
    c->ordered = false; /* it is neither low nor high */
    return BESTDAG_OK;
}

int bestdag_column_make_missing(struct bestdag_run *run,
                                struct bestdag_column *c, int64_t rows)
{
    if (c->states == BESTDAG_MOST_STATES)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "column '%s' has %d states already, no room for "
                            "one that means missing",
                            c->name, c->states);
    uint16_t *same = bestdag_alloc(run, ((size_t)c->states + 1) * sizeof *same);
    if (!same)
        return bestdag_run_status(run);
    for (int s = 0; s <= c->states; s++)
        same[s] = (uint16_t)s;
    int state = c->states, bytes = bestdag_code_bytes(state + 1);
    if (!(bytes > c->bytes &&
          bestdag_column_recode(run, c, rows, same, bytes)) &&
        !add_label(run, c)) {
        for (int64_t r = 0; r < rows; r++)
            if (bytes == 1) {
                uint8_t *cell = (uint8_t *)c->cells + r;
                *cell = *cell == BESTDAG_MISSING_1 ? (uint8_t)state : *cell;
            } else {
                uint16_t *cell = (uint16_t *)c->cells + r;
                *cell = *cell == BESTDAG_MISSING_2 ? (uint16_t)state : *cell;
            }
        c->missing = 0;
    }
    bestdag_free(same);
    return bestdag_run_status(run);
}

static int make_states(struct bestdag_run *run, struct bestdag_table *table)
{
    int64_t kept = 0;
    for (int i = 0; i < table->columns; i++) {
        struct bestdag_column *c = &table->column[i];
        if (bestdag_column_has_holes(c) && c->kind == BESTDAG_CODES &&
            bestdag_column_make_missing(run, c, table->rows))
            return bestdag_run_status(run);
        kept += bestdag_column_has_holes(c) ? c->missing : 0;
    }
    if (kept)
        bestdag_note(run, 0,
                     "columns of numbers keep their %lld missing values: only "
                     "columns of states can have a state 'missing'",
                     (long long)kept);
    return BESTDAG_OK;
}

static int refuse(struct bestdag_run *run, struct bestdag_table *table)
{
    for (int64_t r = 0; r < table->rows; r++)
        for (int i = 0; i < table->columns; i++) {
            const struct bestdag_column *c = &table->column[i];
            if (bestdag_column_has_holes(c) && bestdag_column_is_hole(c, r))
                return bestdag_fail(run, BESTDAG_INPUT,
                                    "column '%s', row %lld: a missing value",
                                    c->name, (long long)r);
        }
    return BESTDAG_OK;
}

/* Values stay missing: learners use the values that are there. */
static int keep(struct bestdag_run *run, struct bestdag_table *table)
{
    (void)table;
    return bestdag_run_status(run);
}

static const struct policy {
    const char *name;
    int (*apply)(struct bestdag_run *, struct bestdag_table *);
    enum bestdag_hole_use use;
} policies[] = {{"drop", drop, BESTDAG_HOLES_UNUSED},
                {"state", make_states, BESTDAG_HOLES_UNUSED},
                {"error", refuse, BESTDAG_HOLES_UNUSED},
                {"keep", keep, BESTDAG_HOLES_UNUSED},
                {"available", keep, BESTDAG_HOLES_AVAILABLE},
                {"em", keep, BESTDAG_HOLES_EM}};

const char *bestdag_hole_use_name(enum bestdag_hole_use use)
{
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (use && policies[i].use == use)
            return policies[i].name;
    return NULL;
}

const char *bestdag_missing_policy(int i)
{
    return i >= 0 && i < (int)(sizeof policies / sizeof *policies)
               ? policies[i].name
               : NULL;
}

static int fail_policy(struct bestdag_run *run, const char *policy)
{
    struct bestdag_buffer names = {.run = run};
    for (int i = 0; bestdag_missing_policy(i); i++)
        bestdag_buffer_format(&names, "%s%s", i ? "|" : "",
                              bestdag_missing_policy(i));
    if (names.at)
        bestdag_fail(run, BESTDAG_USAGE, "missing: '%s' is not one of %s",
                     policy, names.at);
    bestdag_buffer_release(&names);
    return bestdag_run_status(run);
}

int bestdag_table_complete(struct bestdag_run *run, struct bestdag_table *table,
                           const char *policy)
{
    const struct policy *found = NULL;
    bool any = false;
    if (bestdag_lacks(run, table, "table") ||
        bestdag_lacks(run, policy, "policy for missing values"))
        return bestdag_run_status(run);
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (!strcmp(policies[i].name, policy))
            found = &policies[i];
    if (!found)
        return fail_policy(run, policy);
    for (int c = 0; c < table->columns; c++) {
        table->column[c].lacked = table->column[c].missing;
        any = any || bestdag_column_has_holes(&table->column[c]);
    }
    table->use = any ? found->use : BESTDAG_HOLES_UNUSED;
    if (!any)
        return BESTDAG_OK;
    bestdag_hole_patterns_free(table->holes);
    table->holes = bestdag_hole_patterns_new(run, table);
    return table->holes ? found->apply(run, table) : bestdag_run_status(run);
}

static int copy_columns(struct bestdag_run *run,
                        const struct bestdag_table *from,
                        struct bestdag_table *to)
{
    to->column = bestdag_calloc(run, (size_t)from->columns, sizeof *to->column);
    if (!to->column)
        return bestdag_run_status(run);
    to->room = from->columns;
    for (; to->columns < from->columns; to->columns++) {
        const struct bestdag_column *old = &from->column[to->columns];
        struct bestdag_column *c = &to->column[to->columns];
        size_t size = (size_t)from->rows * (size_t)old->bytes;
        if (bestdag_column_copy_head(run, old, c) ||
            (old->cells && !(c->cells = bestdag_alloc(run, size)))) {
            to->columns++; /* half-built, to be freed */
            return bestdag_run_status(run);
        }
        if (old->cells)
            memcpy(c->cells, old->cells, size);
        c->missing = old->missing;
    }
    return BESTDAG_OK;
}

struct bestdag_table *bestdag_table_copy(struct bestdag_run *run,
                                         const struct bestdag_table *table)
{
    struct bestdag_table *copy = bestdag_table_new(run, table->rows);
    if (!copy || copy_columns(run, table, copy)) {
        bestdag_table_free(copy);
        return NULL;
    }
    copy->total = table->total;
    if (table->weights) {
        size_t size = (size_t)table->rows * sizeof *copy->weights;
        copy->weights = bestdag_alloc(run, size);
        if (!copy->weights) {
            bestdag_table_free(copy);
            return NULL;
        }
        memcpy(copy->weights, table->weights, size);
    }
    return copy;
}
