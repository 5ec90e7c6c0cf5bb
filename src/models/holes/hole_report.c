/* SPDX-License-Identifier: MIT */
/* hole_report.c -- what `check` says about missing values, as JSON.
 *
 *     holes: null, or
 *         share        missing cells, of all cells of columns that count
 *         rows         rows that lack something
 *         rows_share   of all rows
 *         patterns     different sets of columns that are missing together
 *         pattern      the most frequent, at most 20: {"rows", "missing"}
 *         empty        columns without any value
 *         tests        made: is a column missing more often where another has
 *                      some value, or is missing, too?
 *         level        of all tests together (Holm's method)
 *         tested_all   false: stopped, or only the columns that lack most
 *         dependences  significant ones; `depends` has the clearest 20:
 *                      {"column", "on", "state", "share_there",
 *                      "share_elsewhere", "statistic", "freedom", "p",
 *                      "adjusted"}; of numbers, state is "quarter 1" to 4
 *         pairs        pairs that are missing together more often than by
 *                      chance; `together` has the clearest 20: {"column",
 *                      "with", "both", "expected", "p", "adjusted"}
 *         random       is nothing significant? Then nothing speaks against
 *                      values that are missing completely at random
 *         recommended  "drop", "em" or "available"
 *         reason       one sentence
 *
 * What is recommended: rows may be dropped if few are (at most 5 %) and nothing
 * is significant; else em, which is right also where being missing depends on
 * values that are there (missing at random). Of tables so wide that em would
 * take long, available, unless something is significant. */
#include "models/holes/hole_report.h"

#include <stdio.h>
#include <string.h>

#include "data/hole_patterns.h"
#include "models/holes/hole_tests.h"

enum {
    SHOWN = 20,
    WIDE = 500 /* columns; em takes an inference for each row with holes */
};
static const double FEW = 0.05; /* share of rows */

static void write_patterns(const struct bestdag_table *t,
                           const struct bestdag_hole_patterns *p,
                           struct bestdag_json_writer *w)
{
    bestdag_json_add_integer(w, "patterns", p->different);
    bestdag_json_open(w, "pattern", '[');
    for (int i = 0; i < p->count && i < SHOWN; i++) {
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_integer(w, "rows", p->size[i]);
        bestdag_json_open(w, "missing", '[');
        for (int c = 0; c < p->columns; c++)
            if (p->lacks[(size_t)i * (size_t)p->columns + (size_t)c])
                bestdag_json_add_text(w, NULL, t->column[c].name);
        bestdag_json_close(w, ']');
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static void write_state(const struct bestdag_column *c, int state,
                        struct bestdag_json_writer *w)
{
    char quarter[32];
    snprintf(quarter, sizeof quarter, "quarter %d", state + 1);
    bestdag_json_add_text(
        w, "state", c->kind == BESTDAG_NUMBERS ? quarter : c->labels[state]);
}

static void write_test(const struct bestdag_table *t,
                       const struct bestdag_hole_test *test,
                       struct bestdag_json_writer *w)
{
    const struct bestdag_column *on = &t->column[test->on];
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "column", t->column[test->column].name);
    bestdag_json_add_text(w, test->is_pair ? "with" : "on", on->name);
    if (test->is_pair) {
        bestdag_json_add_integer(w, "both", test->both);
        bestdag_json_add_number(w, "expected", test->expected);
    } else {
        write_state(on, test->state, w);
        bestdag_json_add_number(w, "share_there", test->there);
        bestdag_json_add_number(w, "share_elsewhere", test->elsewhere);
        bestdag_json_add_number(w, "statistic", test->statistic);
        bestdag_json_add_number(w, "freedom", test->freedom);
    }
    bestdag_json_add_number(w, "p", test->p);
    bestdag_json_add_number(w, "adjusted", test->adjusted);
    bestdag_json_close(w, '}');
}

static void write_tests(const struct bestdag_table *t,
                        const struct bestdag_hole_tests *tests, bool are_pairs,
                        struct bestdag_json_writer *w)
{
    int shown = 0;
    bestdag_json_open(w, are_pairs ? "together" : "depends", '[');
    for (int64_t i = 0; i < tests->count && shown < SHOWN; i++)
        if (tests->at[i].is_pair == are_pairs &&
            bestdag_hole_test_is_significant(&tests->at[i])) {
            write_test(t, &tests->at[i], w);
            shown++;
        }
    bestdag_json_close(w, ']');
}

static void write_empty(const struct bestdag_table *t,
                        struct bestdag_json_writer *w)
{
    bestdag_json_open(w, "empty", '[');
    for (int c = 0; c < t->columns; c++)
        if (t->rows && t->column[c].missing == t->rows)
            bestdag_json_add_text(w, NULL, t->column[c].name);
    bestdag_json_close(w, ']');
}

/* Does this policy need states? em takes a table of numbers as it is. */
static bool needs_states(const struct bestdag_table *t, const char *how)
{
    int numbers = 0, states = 0;
    for (int v = 0; v < t->columns; v++) {
        numbers += t->column[v].kind == BESTDAG_NUMBERS;
        states += t->column[v].kind == BESTDAG_CODES;
    }
    return numbers && strcmp(how, "drop") != 0 &&
           (states || strcmp(how, "em") != 0);
}

static void recommend(const struct bestdag_table *t,
                      const struct bestdag_hole_tests *tests, double lost,
                      struct bestdag_json_writer *w)
{
    bool is_random = !tests->dependent && !tests->pairs;
    const char *how = "em", *why;
    char reason[400];
    if (tests->dependent)
        why = "values are missing more often in some rows than in others, so "
              "that complete rows are a biased sample: dropping rows would "
              "distort what is learned";
    else if (lost <= FEW) {
        how = "drop";
        why = "few rows lack a value, and nothing shows that they differ from "
              "the others";
    } else if (t->columns > WIDE) {
        how = "available";
        why = "dropping rows would lose many of them; the table is wide, and "
              "this needs no inference";
    } else
        why = "dropping rows would lose many of them";
    bestdag_json_add_bool(w, "random", is_random);
    bestdag_json_add_text(w, "recommended", how);
    snprintf(reason, sizeof reason, "%s%s", why,
             needs_states(t, how)
                 ? " (numbers must become states first: --discretize)"
                 : "");
    bestdag_json_add_text(w, "reason", reason);
}

static double share_of_cells(const struct bestdag_table *t)
{
    double missing = 0, all = 0;
    for (int c = 0; c < t->columns; c++)
        if (t->column[c].kind != BESTDAG_OPAQUE) {
            missing += (double)t->column[c].missing;
            all += (double)t->rows;
        }
    return all > 0 ? missing / all : 0;
}

static void write_all(const struct bestdag_table *t,
                      const struct bestdag_hole_patterns *p,
                      const struct bestdag_hole_tests *tests,
                      struct bestdag_json_writer *w)
{
    double lost = (double)p->incomplete / (double)t->rows;
    bestdag_json_open(w, "holes", '{');
    bestdag_json_add_number(w, "share", share_of_cells(t));
    bestdag_json_add_integer(w, "rows", p->incomplete);
    bestdag_json_add_number(w, "rows_share", lost);
    write_patterns(t, p, w);
    write_empty(t, w);
    bestdag_json_add_integer(w, "tests", tests->count);
    bestdag_json_add_number(w, "level", BESTDAG_HOLE_LEVEL);
    bestdag_json_add_bool(w, "tested_all", tests->is_complete);
    bestdag_json_add_integer(w, "dependences", tests->dependent);
    write_tests(t, tests, false, w);
    bestdag_json_add_integer(w, "pairs", tests->pairs);
    write_tests(t, tests, true, w);
    recommend(t, tests, lost, w);
    bestdag_json_close(w, '}');
}

int bestdag_hole_report_write(struct bestdag_run *run,
                              const struct bestdag_table *table,
                              struct bestdag_json_writer *w)
{
    struct bestdag_hole_tests tests = {0};
    bool any = false;
    for (int c = 0; c < table->columns; c++)
        any = any || bestdag_column_has_holes(&table->column[c]);
    if (!any) {
        bestdag_json_add_text(w, "holes", NULL);
        return bestdag_run_status(run);
    }
    struct bestdag_hole_patterns *p = bestdag_hole_patterns_new(run, table);
    if (p && !bestdag_hole_tests_run(run, table, &tests))
        write_all(table, p, &tests, w);
    bestdag_hole_tests_release(&tests);
    bestdag_hole_patterns_free(p);
    return bestdag_run_status(run);
}
