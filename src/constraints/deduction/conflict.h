/* SPDX-License-Identifier: MIT */
/* conflict.h -- which rules contradict each other?
 *
 * A deletion filter: rules are removed as long as the remaining ones cannot be
 * satisfied. The result is irreducible: without any one of its rules the others
 * can be satisfied. Rules of one line, and all "allow only" rules, are removed
 * or kept together. */
#ifndef BESTDAG_CONSTRAINTS_DEDUCTION_CONFLICT_H
#define BESTDAG_CONSTRAINTS_DEDUCTION_CONFLICT_H

#include "constraints/language/rules.h"

enum bestdag_satisfiability { BESTDAG_NO, BESTDAG_YES, BESTDAG_UNKNOWN };

/* Can the rules with chosen[i] be satisfied together? */
typedef enum bestdag_satisfiability bestdag_satisfiable_fn(void *user,
                                                           const bool *chosen);

/* `chosen` has rules that cannot be satisfied together, and is reduced. If
 * satisfiability is unknown, it counts as satisfiable; then *irreducible is
 * false. */
int bestdag_conflict_reduce(struct bestdag_run *run,
                            const struct bestdag_rules *rules,
                            bestdag_satisfiable_fn *satisfiable, void *user,
                            bool *chosen, bool *irreducible);
/* "no network satisfies lines 2, 5 and 8 of expert.rules together (any two of
 * them can be satisfied)"; the caller's. NULL: failed. */
char *bestdag_conflict_text(struct bestdag_run *run,
                            const struct bestdag_rules *rules,
                            const bool *chosen, bool irreducible);

/* Is there a DAG over these variables that obeys the rules chosen (NULL: all),
 * and for which what is assumed holds?
 * A complete search over arcs, without scores, that gives up after a number of
 * steps. Of rules about parameters it knows the parents that they name. */
struct bestdag_knowledge_query;
enum bestdag_satisfiability bestdag_rules_satisfiable(
    struct bestdag_run *run, const struct bestdag_knowledge_query *question);
/* BESTDAG_INFEASIBLE and that text if there is none, else BESTDAG_OK. If there
 * is one without what is assumed, `reason` ends the text; NULL: nothing is. */
int bestdag_rules_need_network(struct bestdag_run *run,
                               const struct bestdag_knowledge_query *question,
                               const char *reason);

#endif
