/* SPDX-License-Identifier: MIT */
/* rule_check.h -- rules, as the door of the searches treats them. */
#ifndef BESTDAG_SEARCH_RULE_CHECK_H
#define BESTDAG_SEARCH_RULE_CHECK_H

#include "search/solver.h"

/* Does the graph, which has no cycle, obey the task's rules? If not, the place
 * of the first that it breaks goes to `place`. False as well if that failed. */
bool bestdag_task_obeys(const struct bestdag_task *task,
                        const struct bestdag_dag *dag, char place[128]);
/* An answer that breaks a rule is an internal error. */
int bestdag_task_enforce(const struct bestdag_task *task,
                         const struct bestdag_dag *dag);
/* Known before the search: do the rules contradict each other? Then
 * BESTDAG_INFEASIBLE, and the lines that do. */
int bestdag_task_possible(const struct bestdag_task *task);
/* There is no network: fails with the reason. */
int bestdag_task_report_conflict(const struct bestdag_task *task, bool gave_up);

#endif
