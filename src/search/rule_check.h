/* SPDX-License-Identifier: MIT */
/* rule_check.h -- rules before and after a search. */
#ifndef BESTDAG_SEARCH_RULE_CHECK_H
#define BESTDAG_SEARCH_RULE_CHECK_H

#include "search/solver.h"

/* Does the acyclic graph obey the task's rules? If not, `place` gets the place
 * of the first rule that it breaks. False also after an error. */
bool bestdag_task_obeys(const struct bestdag_task *task,
                        const struct bestdag_dag *dag, char place[128]);
/* Fails with an internal error if an answer breaks a rule. */
int bestdag_task_enforce(const struct bestdag_task *task,
                         const struct bestdag_dag *dag);
/* Before the search: fails with BESTDAG_INFEASIBLE, naming the lines, if the
 * rules contradict each other. */
int bestdag_task_possible(const struct bestdag_task *task);
/* Fails with the reason why there is no network. */
int bestdag_task_report_conflict(const struct bestdag_task *task, bool gave_up);

#endif
