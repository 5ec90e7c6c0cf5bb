/* SPDX-License-Identifier: MIT */
/* checker.h -- does a finished graph obey the rules? Reads them as they were
 * parsed and shares nothing with their compiled form: so an error in compiling
 * the rules is detected here. */
#ifndef BESTDAG_CONSTRAINTS_DEDUCTION_CHECKER_H
#define BESTDAG_CONSTRAINTS_DEDUCTION_CHECKER_H

#include "constraints/language/rules.h"
#include "graph/dag.h"

/* *broken gets the first rule, in their order, that the graph breaks; -1: it
 * obeys all. Of rules about parameters only the parents that they name are
 * checked. The graph must be acyclic. Time: each rule once for each of its
 * choices. */
int bestdag_rules_check(struct bestdag_run *run,
                        const struct bestdag_rules *rules,
                        const char *const *names, const struct bestdag_dag *dag,
                        int *broken);
/* The same, and a broken rule is an error (BESTDAG_FAILED): "the network breaks
 * expert.rules:7: A -> B". */
int bestdag_rules_enforce(struct bestdag_run *run,
                          const struct bestdag_rules *rules,
                          const char *const *names,
                          const struct bestdag_dag *dag);

#endif
