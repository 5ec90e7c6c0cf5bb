/* SPDX-License-Identifier: MIT */
/* hole_tests.h -- does being missing depend on other columns? */
#ifndef BESTDAG_MODELS_HOLES_HOLE_TESTS_H
#define BESTDAG_MODELS_HOLES_HOLE_TESTS_H

#include "data/table.h"

/* A test of two columns: is `column` missing more often where `on` has a
 * certain value, or where `on` is missing, too (is_pair)? */
struct bestdag_hole_test {
    int column, on;
    bool is_pair;
    double statistic, freedom; /* Pearson's chi-square */
    double p, adjusted;        /* adjusted: by Holm, over all tests */
    int state; /* of `on`: where `column` is missing most unexpectedly; of
                  numbers: the quarter of its values */
    double there, elsewhere; /* share of rows that lack `column` where `on` is
                                in that state (or missing), and in the others */
    int64_t both;            /* rows that lack both */
    double expected;         /* rows that would lack both by chance */
};

struct bestdag_hole_tests {
    struct bestdag_hole_test *at; /* owns; the smallest p first */
    int64_t count;                /* tests made */
    int64_t dependent, pairs;     /* significant ones, by kind */
    bool is_complete; /* false: stopped, or only the columns that lack most */
};

static const double BESTDAG_HOLE_LEVEL = 0.05; /* for all tests together */

/* Release in any case. Being stopped is no error. */
int bestdag_hole_tests_run(struct bestdag_run *run,
                           const struct bestdag_table *table,
                           struct bestdag_hole_tests *to);
void bestdag_hole_tests_release(struct bestdag_hole_tests *tests);

static inline bool bestdag_hole_test_is_significant(
    const struct bestdag_hole_test *t)
{
    return t->adjusted < BESTDAG_HOLE_LEVEL;
}

#endif
