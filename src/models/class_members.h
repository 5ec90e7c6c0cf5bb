/* SPDX-License-Identifier: MIT */
/* class_members.h -- the members of the equivalence class of a DAG, as far as
 * they differ in the parents of one variable. */
#ifndef BESTDAG_MODELS_CLASS_MEMBERS_H
#define BESTDAG_MODELS_CLASS_MEMBERS_H

#include "base/json.h"
#include "constraints/language/rules.h"
#include "graph/cpdag.h"
#include "graph/dag.h"
#include "network/network.h"

/* Gets a DAG of the class; not 0 ends it. */
typedef int bestdag_class_member_fn(void *user,
                                    const struct bestdag_dag *member);

struct bestdag_class_request {
    const struct bestdag_dag *dag;
    const struct bestdag_rules
        *rules;               /* that it obeys, as in mpdag.h; or NULL */
    const char *const *names; /* [n] */
    const bool *is_number;    /* [n]: none of these may be a parent of another
                                 kind (graph/number_arcs.h); NULL: no matter */
    int variable;
    int64_t most; /* sets of parents that are tried */
    bestdag_class_member_fn *each;
    void *user;
};

/* What is found meanwhile. Release `open` with bestdag_free(), also after a
 * failure. */
struct bestdag_class_found {
    int *open; /* owns; [opens], ascending: an arc between these and the
                  variable has both directions in the class */
    int opens;
    int64_t members; /* that were given to the function */
    bool complete;   /* else there are more sets than `most` */
};

/* Calls `each` once for each set of parents that the variable has in a DAG of
 * the class that obeys the rules, with such a DAG; with the DAG itself first,
 * for its own set. Time: for each of them that of a consistent extension of the
 * part of the class that is undirected around the variable, and under order
 * rules of all of it. */
int bestdag_class_members(struct bestdag_run *run,
                          const struct bestdag_class_request *request,
                          struct bestdag_class_found *to);
/* Labels of the class of a network's graph become those of its members in which
 * no number is a parent of states. */
int bestdag_class_label_kinds(struct bestdag_run *run,
                              const struct bestdag_network *network,
                              struct bestdag_labels *labels);
/* Member "reversible_ignores": rules, which may be NULL, that the members of
 * the class may break. */
void bestdag_class_add_ignored(struct bestdag_json_writer *w,
                               const struct bestdag_rules *rules);

#endif
