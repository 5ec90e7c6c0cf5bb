/* SPDX-License-Identifier: MIT */
/* work_budget.h -- what `auto` may spend.
 *
 * Under a time limit it is the seconds left on the clock. Otherwise it is
 * counted work (base/work.h), determined by the effort and the number of
 * variables, so that the same seed gives the same answer everywhere. An
 * "amount" is in seconds if the run has a deadline, else in counted work. */
#ifndef BESTDAG_LEARN_WORK_BUDGET_H
#define BESTDAG_LEARN_WORK_BUDGET_H

#include "base/run.h"

struct bestdag_work_budget {
    struct bestdag_run *run;
    double work; /* left, used if the run has no deadline */
};

/* is_brief: one of many searches, such as that of a resample. */
struct bestdag_work_budget bestdag_work_budget_begin(struct bestdag_run *run,
                                                     int n, bool is_brief);
/* What is left, at least 0; all ranks get the value of rank 0. */
double bestdag_work_budget_left(const struct bestdag_work_budget *whole);
/* Was the run stopped? All ranks get the answer of rank 0. */
bool bestdag_work_budget_is_stopped(const struct bestdag_work_budget *whole);
void bestdag_work_budget_spend(struct bestdag_work_budget *whole, double work);

#endif
