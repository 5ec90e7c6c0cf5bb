/* SPDX-License-Identifier: MIT */
/* check.c -- what is in a table, as JSON.
 *
 *     rows            rows as stored
 *     total_weight    sum of their weights; rows if there are none
 *     columns         number of columns
 *     distinct_rows   different rows, opaque columns not looked at; null if
 *                     stopped before
 *     cells_missing   missing values
 *     rows_complete   rows without any (opaque columns not looked at)
 *     column          for each column, in order:
 *         name
 *         kind            "codes", "numbers", or "opaque" (text of too many
 *                         values to be kept, or nothing at all)
 *         states          of codes: states that the column has
 *         distinct        different values that occur (opaque: at least)
 *         missing         rows in which it is missing
 *         least, most, mean       of numbers, by weight; null without numbers
 *         most_common, share      of codes: the state of highest weight and its
 *                                 part of the weight of all rows not missing
 *     constant        names of columns with one value or none
 *     likely_identifiers  codes, whole numbers or text that have more different
 *                     values than 0.9 of the weight, from a weight of 20 on;
 *                     text of more values than a column can have states
 *     dates           codes whose labels all are dates or times, more than 10
 *     need_discretising   columns of numbers
 *     many_states     codes, identifiers and dates aside, of more than 50
 *                     values, or more than 10 and less than 5 rows for each;
 *                     opaque columns that are not constant
 *     duplicated      groups of columns that are equal up to the names of their
 *                     values, missing in the same rows
 *     dependent       {"column", "determined_by"}: columns whose value follows
 *                     from that of another one. The one named has the fewest
 *                     values of all that determine it. Rows in which either is
 *                     missing are not looked at, and the others must be so
 *                     many that it is no chance. Constant columns, identifiers,
 *                     columns with less than two rows for each value and, of
 *                     duplicates, all but the first determine nothing; constant
 *                     columns and all but the first of duplicates are left out
 *     searched        false: stopped, or given up, before `duplicated` and
 *                     `dependent` were complete */
#include <math.h>

#include "base/json.h"
#include "data/check/check.h"
#include "data/check/column_facts.h"
#include "data/check/warnings.h"
#include "data/groups.h"
#include "parallel/parallel.h"

struct check {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    struct bestdag_column_facts *facts; /* owns; [columns] */
    int64_t distinct_rows;              /* -1: not known */
    int64_t complete;
    bool is_searched;
};

/* ---- finding out --------------------------------------------------------- */

static int find_facts(void *data, int64_t item, int worker)
{
    struct check *k = data;
    (void)worker;
    return bestdag_column_facts_find(k->run, k->table, (int)item,
                                     &k->facts[item]);
}

static void mark_missing(const struct bestdag_column *c, int64_t rows,
                         uint8_t *missing)
{
    if (c->kind == BESTDAG_CODES)
        for (int64_t r = 0; r < rows; r++)
            missing[r] |= bestdag_column_code(c, r) < 0;
    else if (c->kind == BESTDAG_NUMBERS)
        for (int64_t r = 0; r < rows; r++)
            if (isnan(((const double *)c->cells)[r]))
                missing[r] = 1;
}

static int count_complete(struct check *k)
{
    const struct bestdag_table *t = k->table;
    uint8_t *missing = bestdag_calloc(k->run, (size_t)t->rows, 1);
    if (!missing)
        return bestdag_run_status(k->run);
    for (int c = 0; c < t->columns; c++)
        if (t->column[c].missing)
            mark_missing(&t->column[c], t->rows, missing);
    for (int64_t r = 0; r < t->rows; r++)
        k->complete += !missing[r];
    bestdag_free(missing);
    return BESTDAG_OK;
}

static int count_distinct(struct check *k)
{
    struct bestdag_groups groups;
    int status = bestdag_groups_make(k->run, k->table, &groups);
    k->distinct_rows = groups.row ? groups.count : -1;
    bestdag_groups_release(&groups);
    return status;
}

/* The facts about single columns must be complete; the rest may be cut
 * short. */
static int examine(struct check *k)
{
    struct bestdag_work work = {
        .job = k, .items = k->table->columns, .work = find_facts};
    int64_t done = 0;
    int status = bestdag_groups_need_few(k->run, k->table);
    if (status)
        return status;
    k->facts = bestdag_calloc(k->run, (size_t)work.items, sizeof *k->facts);
    if (!k->facts)
        return BESTDAG_MEMORY;
    bestdag_run_phase(k->run, "checking", work.items);
    if (bestdag_parallel(k->run, &work, &done) || count_complete(k))
        return bestdag_run_status(k->run);
    if (done < work.items)
        return bestdag_fail(k->run, BESTDAG_FAILED,
                            "stopped before all columns were examined");
    if (count_distinct(k) ||
        bestdag_duplicates_find(k->run, k->table, k->facts))
        return bestdag_run_status(k->run);
    return bestdag_dependences_find(k->run, k->table, k->facts,
                                    &k->is_searched);
}

/* ---- telling ------------------------------------------------------------- */

static void write_column(struct bestdag_json_writer *w,
                         const struct bestdag_column *c,
                         const struct bestdag_column_facts *f)
{
    static const char *const kinds[] = {"codes", "numbers", "opaque"};
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "name", c->name);
    bestdag_json_add_text(w, "kind", kinds[c->kind]);
    if (c->kind == BESTDAG_CODES)
        bestdag_json_add_integer(w, "states", c->states);
    bestdag_json_add_integer(w, "distinct", f->distinct);
    bestdag_json_add_integer(w, "missing", c->missing);
    if (c->kind == BESTDAG_NUMBERS) {
        bestdag_json_add_number(w, "least", f->least);
        bestdag_json_add_number(w, "most", f->most);
        bestdag_json_add_number(w, "mean", f->mean);
    }
    if (c->kind == BESTDAG_CODES) {
        bool is_known = f->common >= 0;
        bestdag_json_add_text(w, "most_common",
                              is_known ? c->labels[f->common] : NULL);
        bestdag_json_add_number(
            w, "share",
            is_known ? (double)f->common_weight / (double)f->weight : NAN);
    }
    bestdag_json_close(w, '}');
}

static bool is_constant(const struct bestdag_column *c,
                        const struct bestdag_column_facts *f)
{
    (void)c;
    return f->is_constant;
}

static bool is_identifier(const struct bestdag_column *c,
                          const struct bestdag_column_facts *f)
{
    (void)c;
    return f->is_identifier;
}

static bool is_of_numbers(const struct bestdag_column *c,
                          const struct bestdag_column_facts *f)
{
    (void)f;
    return c->kind == BESTDAG_NUMBERS;
}

static bool has_many_states(const struct bestdag_column *c,
                            const struct bestdag_column_facts *f)
{
    if (c->kind != BESTDAG_CODES)
        return c->kind == BESTDAG_OPAQUE && !f->is_constant;
    return bestdag_column_warning(c, f->distinct, f->weight) ==
           BESTDAG_MANY_STATES;
}

static bool has_dates(const struct bestdag_column *c,
                      const struct bestdag_column_facts *f)
{
    return bestdag_column_warning(c, f->distinct, f->weight) == BESTDAG_DATES;
}

typedef bool test_fn(const struct bestdag_column *c,
                     const struct bestdag_column_facts *f);

static void write_names(struct bestdag_json_writer *w, const struct check *k,
                        const char *key, test_fn *test)
{
    bestdag_json_open(w, key, '[');
    for (int c = 0; c < k->table->columns; c++)
        if (test(&k->table->column[c], &k->facts[c]))
            bestdag_json_add_text(w, NULL, k->table->column[c].name);
    bestdag_json_close(w, ']');
}

/* next[c] is the next column of c's group; -1: none. */
static int link_groups(const struct check *k, int **to)
{
    int columns = k->table->columns;
    int *next = bestdag_calloc(k->run, (size_t)columns * 2, sizeof *next);
    *to = next;
    if (!next)
        return bestdag_run_status(k->run);
    int *last = next + columns;
    for (int c = 0; c < columns; c++) {
        next[c] = -1;
        last[c] = c;
        int leader = k->facts[c].leader;
        if (leader == c)
            continue;
        next[last[leader]] = c;
        last[leader] = c;
    }
    return BESTDAG_OK;
}

static void write_duplicated(struct bestdag_json_writer *w,
                             const struct check *k)
{
    int *next;
    if (link_groups(k, &next))
        return;
    bestdag_json_open(w, "duplicated", '[');
    for (int c = 0; c < k->table->columns; c++) {
        if (k->facts[c].leader != c || next[c] < 0)
            continue;
        bestdag_json_open(w, NULL, '[');
        for (int member = c; member >= 0; member = next[member])
            bestdag_json_add_text(w, NULL, k->table->column[member].name);
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
    bestdag_free(next);
}

static void write_dependent(struct bestdag_json_writer *w,
                            const struct check *k)
{
    const struct bestdag_column *column = k->table->column;
    bestdag_json_open(w, "dependent", '[');
    for (int c = 0; c < k->table->columns; c++) {
        int by = k->facts[c].determined_by;
        if (by < 0)
            continue;
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_text(w, "column", column[c].name);
        bestdag_json_add_text(w, "determined_by", column[by].name);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static void write_counts(struct bestdag_json_writer *w, const struct check *k)
{
    const struct bestdag_table *t = k->table;
    bestdag_json_add_integer(w, "rows", t->rows);
    bestdag_json_add_integer(w, "total_weight", t->total);
    bestdag_json_add_integer(w, "columns", t->columns);
    if (k->distinct_rows < 0)
        bestdag_json_add_text(w, "distinct_rows", NULL);
    else
        bestdag_json_add_integer(w, "distinct_rows", k->distinct_rows);
    bestdag_json_add_integer(w, "cells_missing", bestdag_table_missing(t));
    bestdag_json_add_integer(w, "rows_complete", k->complete);
}

static void write_all(const struct check *k, struct bestdag_json_writer *w)
{
    write_counts(w, k);
    bestdag_json_open(w, "column", '[');
    for (int c = 0; c < k->table->columns; c++)
        write_column(w, &k->table->column[c], &k->facts[c]);
    bestdag_json_close(w, ']');
    write_names(w, k, "constant", is_constant);
    write_names(w, k, "likely_identifiers", is_identifier);
    write_names(w, k, "dates", has_dates);
    write_names(w, k, "need_discretising", is_of_numbers);
    write_names(w, k, "many_states", has_many_states);
    write_duplicated(w, k);
    write_dependent(w, k);
    bestdag_json_add_bool(w, "searched",
                          k->is_searched && !bestdag_run_stopped(k->run));
}

int bestdag_check_write(struct bestdag_run *run,
                        const struct bestdag_table *table,
                        struct bestdag_json_writer *w)
{
    struct check k = {.run = run, .table = table, .distinct_rows = -1};
    if (!examine(&k))
        write_all(&k, w);
    bestdag_free(k.facts);
    return bestdag_run_status(run);
}
