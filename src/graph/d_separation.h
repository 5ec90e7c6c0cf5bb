/* SPDX-License-Identifier: MIT */
/* d_separation.h -- which nodes of a DAG are d-separated, a path that is open
 * if they are not, and smallest sets that separate them.
 *
 * A path is blocked by a set if it has a node in the set that is no collider of
 * the path, or a collider that is neither in the set nor an ancestor of one of
 * its members (Pearl 1988). Sets that no path but blocked ones connects are
 * d-separated. */
#ifndef BESTDAG_GRAPH_D_SEPARATION_H
#define BESTDAG_GRAPH_D_SEPARATION_H

#include "graph/adjacency.h"

/* What a node is in a question; each is one of these. */
enum bestdag_role {
    BESTDAG_ROLE_NONE,
    BESTDAG_ROLE_FROM,
    BESTDAG_ROLE_TO,
    BESTDAG_ROLE_GIVEN,
    BESTDAG_ROLE_BARRED /* of separators: must not be in it */
};

/* The DAG, its children, the role of every node: what functions below take. */
struct bestdag_d_question {
    const struct bestdag_dag *dag;
    const struct bestdag_adjacency *children; /* of this DAG */
    const enum bestdag_role *role;            /* [n] */
};

/* A shortest open path from a node FROM to a node TO; `path` has room for n.
 * Returns its nodes; 0: they are d-separated; negative: failed. No node is
 * there twice, and only its ends are FROM or TO. Time O(n + arcs). */
int bestdag_d_separation_path(struct bestdag_run *run,
                              const struct bestdag_d_question *question,
                              int *path);
/* Why a collider leaves its path open: a shortest directed path from it to a
 * node that is GIVEN, maybe itself. Returns its nodes; 0: there is none;
 * negative: failed. */
int bestdag_d_separation_reason(struct bestdag_run *run,
                                const struct bestdag_d_question *question,
                                int collider, int *path);

/* A smallest set that, with all that is GIVEN, d-separates FROM from TO; it has
 * no node BARRED. `to` has room for n, ascending; *count is -1 if there is
 * none, as between adjacent nodes. Of several smallest sets, that nearest to
 * FROM. Time O((count + 1) (n + arcs)). children may be NULL. */
int bestdag_d_separator(struct bestdag_run *run,
                        const struct bestdag_d_question *question, int *to,
                        int *count);

#endif
