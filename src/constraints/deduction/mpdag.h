/* SPDX-License-Identifier: MIT */
/* mpdag.h -- the equivalence class of a DAG under rules: the maximally oriented
 * graph (Meek 1995).
 *
 * Rules that forbid or require arcs (tiers, `allow only`, `parents`, `root`,
 * `leaf` too) and order rules leave fewer DAGs of the class. An arc is
 * compelled if all that are left have it. Other rules are not considered: some
 * arcs that they fix are called reversible. */
#ifndef BESTDAG_CONSTRAINTS_DEDUCTION_MPDAG_H
#define BESTDAG_CONSTRAINTS_DEDUCTION_MPDAG_H

#include "constraints/deduction/compile.h"
#include "graph/cpdag.h"

/* As bestdag_cpdag_label(), for the DAGs of the class that obey the rules;
 * knowledge NULL: all DAGs. The DAG itself must obey. */
int bestdag_mpdag_label(struct bestdag_run *run, const struct bestdag_dag *dag,
                        const struct bestdag_knowledge *knowledge,
                        struct bestdag_labels *to);
/* The same from the rules themselves, which may be NULL. Fails where they make
 * no sense for these variables, and where the DAG breaks one. */
int bestdag_mpdag_label_under(struct bestdag_run *run,
                              const struct bestdag_dag *dag,
                              const struct bestdag_rules *rules,
                              const char *const *names,
                              struct bestdag_labels *to);
/* Is the whole rule considered? True also if it holds for all DAGs of a class
 * or for none. */
bool bestdag_mpdag_considers(const struct bestdag_rule *rule);

#endif
