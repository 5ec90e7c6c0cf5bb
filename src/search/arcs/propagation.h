/* SPDX-License-Identifier: MIT */
/* propagation.h -- facts are decided, and what follows is marked.
 *
 * Most facts are marks (search/arcs/arc_bound.h). What no mark can say is owed:
 * that a variable is somebody's parent, that there is a path or none. Clauses
 * over several children are looked at whenever a mark of theirs is new: with
 * one literal left it is a fact, with none the decisions contradict each other.
 * What is owed is taken back together with the marks. */
#ifndef BESTDAG_SEARCH_ARCS_PROPAGATION_H
#define BESTDAG_SEARCH_ARCS_PROPAGATION_H

#include "search/arcs/arc_bound.h"

enum bestdag_truth { BESTDAG_UNTRUE, BESTDAG_UNSURE, BESTDAG_TRUE };

/* A fact that is to hold, or not to. */
struct bestdag_owed {
    struct bestdag_fact fact;
    bool holds;
};

/* One a thread. */
struct bestdag_propagation {
    struct bestdag_arc_marks marked;   /* owns */
    const struct bestdag_knowledge *k; /* NULL: no rules */
    struct bestdag_owed *owed;         /* owns; marked.spare of them count */
    int64_t owed_room;
    int64_t *start;  /* owns; [n + 1] */
    int64_t *clause; /* owns; clause[start[v] ..): those that name v */
    int64_t *path;   /* owns; clauses with paths */
    int64_t paths;
    int *queue;      /* owns; [n]: scratch */
    uint64_t *reach; /* owns; two rows of scratch */
    size_t base;     /* undos: the state without any decision */
    bool possible;   /* what the rules alone say does not contradict itself */
};

/* Makes the marks that the rules ask for. */
int bestdag_propagation_init(struct bestdag_run *run,
                             struct bestdag_propagation *d,
                             const struct bestdag_problem *problem,
                             const struct bestdag_arc_bound *ceiling,
                             const struct bestdag_knowledge *knowledge);
void bestdag_propagation_release(struct bestdag_propagation *d);

/* The fact holds, or does not. False: that contradicts what was decided, or
 * memory failed. */
bool bestdag_propagate(struct bestdag_propagation *d,
                       const struct bestdag_fact *fact, bool holds);
/* Draws what follows from the decisions until now, chooses sets, updates the
 * bound. False likewise. */
bool bestdag_propagation_settle(struct bestdag_propagation *d);
/* What the marks say of a fact. */
enum bestdag_truth bestdag_propagation_truth(struct bestdag_propagation *d,
                                             const struct bestdag_fact *fact);

/* Fills a row with what can be reached from u, u too, along arcs that must be,
 * or, if `may`, that are not barred. */
void bestdag_propagation_reach(const struct bestdag_propagation *d, int u,
                               bool may, uint64_t *row);
/* Likewise backwards. */
void bestdag_propagation_origins(const struct bestdag_propagation *d, int v,
                                 bool may, uint64_t *row);

#endif
