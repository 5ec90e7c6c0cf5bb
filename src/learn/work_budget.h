/* SPDX-License-Identifier: MIT */
/* work_budget.h -- what `auto` may spend.
 *
 * Under a time limit that is the seconds that are left on the clock. Else it is
 * an amount of counted work (base/work.h) that the effort and the number of
 * variables give, so that the same seed gives the same answer everywhere. An
 * "amount" is of the one or of the other, as the run has a deadline or not. */
#ifndef BESTDAG_LEARN_WORK_BUDGET_H
#define BESTDAG_LEARN_WORK_BUDGET_H

#include "base/run.h"

struct bestdag_work_budget {
    struct bestdag_run *run;
    double work; /* left, if the run has no deadline */
};

/* is_brief: one of many searches, such as that of a resample. */
struct bestdag_work_budget bestdag_work_budget_begin(struct bestdag_run *run,
                                                     int n, bool is_brief);
/* What is left, at least 0. Of several ranks, as the first sees it. */
double bestdag_work_budget_left(const struct bestdag_work_budget *whole);
/* Was the run stopped? As the first rank sees it, too. */
bool bestdag_work_budget_is_stopped(const struct bestdag_work_budget *whole);
void bestdag_work_budget_spend(struct bestdag_work_budget *whole, double work);

#endif
