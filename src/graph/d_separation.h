/* SPDX-License-Identifier: MIT */
/* d_separation.h -- which nodes of a DAG are d-separated, an open path if they
 * are not, and smallest sets that separate them.
 *
 * A path is blocked by a set if it has a node in the set that is no collider of
 * the path, or a collider that is neither in the set nor an ancestor of one of
 * its members (Pearl 1988). Two sets are d-separated if all paths between them
 * are blocked. */
#ifndef BESTDAG_GRAPH_D_SEPARATION_H
#define BESTDAG_GRAPH_D_SEPARATION_H

#include "graph/adjacency.h"

/* The role of a node in a question. */
enum bestdag_role {
    BESTDAG_ROLE_NONE,
    BESTDAG_ROLE_FROM,
    BESTDAG_ROLE_TO,
    BESTDAG_ROLE_GIVEN,
    BESTDAG_ROLE_BARRED /* for separators: must not be in the set */
};

/* The DAG, its children, and the role of every node: input of the functions
 * below. */
struct bestdag_d_question {
    const struct bestdag_dag *dag;
    const struct bestdag_adjacency *children; /* of this DAG */
    const enum bestdag_role *role;            /* [n] */
};

/* A shortest open path from a node FROM to a node TO; `path` has room for n.
 * Returns the number of its nodes; 0: they are d-separated; negative: error. No
 * node occurs twice, and only its ends are FROM or TO. Time O(n + arcs). */
int bestdag_d_separation_path(struct bestdag_run *run,
                              const struct bestdag_d_question *question,
                              int *path);
/* Why a collider leaves its path open: a shortest directed path from it to a
 * GIVEN node, maybe itself. Returns the number of its nodes; 0: none; negative:
 * error. */
int bestdag_d_separation_reason(struct bestdag_run *run,
                                const struct bestdag_d_question *question,
                                int collider, int *path);

/* A smallest set that, with all nodes GIVEN, d-separates FROM from TO, without
 * BARRED nodes. `to` has room for n and gets it, ascending; *count is -1 if
 * there is none, as between adjacent nodes. Of several smallest sets, the one
 * nearest to FROM. Time O((count + 1) (n + arcs)). children may be NULL. */
int bestdag_d_separator(struct bestdag_run *run,
                        const struct bestdag_d_question *question, int *to,
                        int *count);

#endif
