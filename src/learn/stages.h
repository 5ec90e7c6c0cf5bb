/* SPDX-License-Identifier: MIT */
/* stages.h -- the stages of `auto`, and what share of the whole each has.
 *
 * Under a time limit the whole is the seconds that are left on the clock. Else
 * it is an amount of counted work (base/work.h) that the effort and the number
 * of variables give, so that the same seed gives the same answer everywhere. An
 * "amount" is of the one or of the other, as the run has a deadline or not. */
#ifndef BESTDAG_LEARN_STAGES_H
#define BESTDAG_LEARN_STAGES_H

#include "base/run.h"

enum bestdag_stage {
    BESTDAG_STAGE_OPENING, /* hc, on the table */
    BESTDAG_STAGE_SETS,    /* candidate sets */
    BESTDAG_STAGE_ROUNDS,  /* orders, while the lists grow: all rounds */
    BESTDAG_STAGE_ROUND,   /* one of them, at most */
    BESTDAG_STAGE_GROWING, /* the lists, in a round */
    BESTDAG_STAGE_ASTAR,   /* turns */
    BESTDAG_STAGE_CLUSTER,
    BESTDAG_STAGE_ORDERS
};

struct bestdag_budget_share {
    const struct bestdag_run *run;
    double work;        /* left, if the run has no deadline */
    bool has_no_limits; /* nor shall it have one */
};

struct bestdag_budget_share bestdag_budget_share_begin(
    const struct bestdag_run *run, int n);
/* What is left: never 0 where there is a limit; 0: there is none. */
double bestdag_budget_share_left(const struct bestdag_budget_share *whole);
void bestdag_budget_share_spend(struct bestdag_budget_share *whole,
                                double work);
/* The amount that does what a second on the clock does. */
double bestdag_budget_share_second(const struct bestdag_budget_share *whole);
/* The share of a stage of what is left. is_few: of variables that depend on
 * each other, so that a proof is likely. */
double bestdag_budget_share_of_stage(const struct bestdag_budget_share *whole,
                                     enum bestdag_stage stage, bool is_few);

#endif
