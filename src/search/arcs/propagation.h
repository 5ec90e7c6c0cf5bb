/* SPDX-License-Identifier: MIT */
/* propagation.h -- decisions and what follows from them.
 *
 * Most facts are decisions about arcs (arc_bound.h). Facts that these cannot
 * express are pending: that a variable has a child, that there is a path or
 * none. Clauses over several children are visited whenever a decision concerns
 * them: if one literal is left, it is decided (unit propagation); if none is,
 * there is a conflict. Pending facts are undone together with decisions. */
#ifndef BESTDAG_SEARCH_ARCS_PROPAGATION_H
#define BESTDAG_SEARCH_ARCS_PROPAGATION_H

#include "search/arcs/arc_bound.h"

enum bestdag_truth { BESTDAG_UNTRUE, BESTDAG_UNSURE, BESTDAG_TRUE };

/* A fact that must hold, or must not. */
struct bestdag_pending {
    struct bestdag_fact fact;
    bool holds;
};

/* One per thread. */
struct bestdag_propagation {
    struct bestdag_arc_state state;    /* owns */
    const struct bestdag_knowledge *k; /* NULL: no rules */
    struct bestdag_pending *pending;   /* owns; the first *state.spare are
                                          valid */
    int64_t pending_room;
    int64_t *start;  /* owns; [n + 1] */
    int64_t *clause; /* owns; clauses that name v: clause[start[v] ..) */
    int64_t *path;   /* owns; clauses with path literals */
    int64_t paths;
    int *queue;      /* owns; [n]: scratch */
    uint64_t *reach; /* owns; two rows of scratch */
    size_t base;     /* length of the trail without branching decisions */
    bool possible;   /* the rules alone have no conflict */
};

/* Makes the decisions that the rules require. */
int bestdag_propagation_init(struct bestdag_run *run,
                             struct bestdag_propagation *d,
                             const struct bestdag_problem *problem,
                             const struct bestdag_arc_bound *arc_bound,
                             const struct bestdag_knowledge *knowledge);
void bestdag_propagation_release(struct bestdag_propagation *d);

/* Decides that the fact holds, or does not. False: a conflict with earlier
 * decisions, or out of memory. */
bool bestdag_propagate(struct bestdag_propagation *d,
                       const struct bestdag_fact *fact, bool holds);
/* Propagates all decisions, chooses sets, updates the bound. False: as
 * above. */
bool bestdag_propagation_settle(struct bestdag_propagation *d);
/* The truth of a fact under the decisions. */
enum bestdag_truth bestdag_propagation_truth(struct bestdag_propagation *d,
                                             const struct bestdag_fact *fact);

/* Fills a row with the variables reachable from u, including u, along required
 * arcs, or, if `may`, along arcs that are not forbidden. */
void bestdag_propagation_reach(const struct bestdag_propagation *d, int u,
                               bool may, uint64_t *row);
/* The same backwards from v. */
void bestdag_propagation_origins(const struct bestdag_propagation *d, int v,
                                 bool may, uint64_t *row);

#endif
