/* SPDX-License-Identifier: MIT */
/* class_members.h -- members of the equivalence class of a DAG, one for each
 * set of parents that a variable can have. */
#ifndef BESTDAG_MODELS_CLASS_MEMBERS_H
#define BESTDAG_MODELS_CLASS_MEMBERS_H

#include "base/json.h"
#include "constraints/language/rules.h"
#include "graph/cpdag.h"
#include "graph/dag.h"
#include "network/network.h"

/* Gets a DAG of the class; a result other than 0 ends the enumeration. */
typedef int bestdag_class_member_fn(void *user,
                                    const struct bestdag_dag *member);

struct bestdag_class_request {
    const struct bestdag_dag *dag;
    const struct bestdag_rules
        *rules;               /* that members obey, as in mpdag.h; or NULL */
    const char *const *names; /* [n] */
    const bool *
        is_number; /* [n]: such a variable may not be a parent of one of another
                      kind (graph/number_arcs.h); NULL: no restriction */
    int variable;
    int64_t most; /* sets of parents to try, at most */
    bestdag_class_member_fn *each;
    void *user;
};

/* Results. Release `open` with bestdag_free(), also after a failure. */
struct bestdag_class_found {
    int *open; /* owns; [opens], ascending: an arc between these and the
                  variable has both directions in the class */
    int opens;
    int64_t members; /* passed to the function */
    bool complete;   /* false: there are more sets than `most` */
};

/* Calls `each` once for each set of parents that the variable has in a DAG of
 * the class that obeys the rules, with such a DAG; the first call is with the
 * DAG itself. Time per set: a consistent extension of the undirected component
 * of the variable, or of the whole class under order rules. */
int bestdag_class_members(struct bestdag_run *run,
                          const struct bestdag_class_request *request,
                          struct bestdag_class_found *to);
/* Restricts the labels of the class of a network's graph to members in which no
 * number is a parent of states. */
int bestdag_class_label_kinds(struct bestdag_run *run,
                              const struct bestdag_network *network,
                              struct bestdag_labels *labels);
/* Adds member "reversible_ignores": rules (may be NULL) that members of the
 * class may break. */
void bestdag_class_add_ignored(struct bestdag_json_writer *w,
                               const struct bestdag_rules *rules);

#endif
