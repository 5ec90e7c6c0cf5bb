/* SPDX-License-Identifier: MIT */
/* result.h -- what learning and solving give back: a network and a report. */
#ifndef BESTDAG_LEARN_RESULT_H
#define BESTDAG_LEARN_RESULT_H

#include "network/network.h"
#include "parents/sets.h"
#include "search/solver.h"

/* Everything that the report tells; borrowed, for bestdag_result_new(). */
struct bestdag_tale {
    const struct bestdag_task *task;
    const struct bestdag_outcome *outcome;
    const struct bestdag_sets *sets; /* NULL: none were made */
    const char *score_name;
    int64_t rows;            /* -1: not known */
    double read, score, fit; /* seconds of the phases; NaN: there was none */
    char *const *names;      /* of the variables */
};

/* Takes over the network, also on failure. */
struct bestdag_result *bestdag_result_new(struct bestdag_run *run,
                                          const struct bestdag_tale *tale,
                                          struct bestdag_network *network);

#endif
