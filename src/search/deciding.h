/* SPDX-License-Identifier: MIT */
/* deciding.h -- facts are decided, and what follows is marked.
 *
 * Most facts are marks (bounds/marked.h). What no mark can say is owed: that a
 * variable is somebody's parent, that there is a path or none. Clauses over
 * several children are looked at whenever a mark of theirs is new: with one
 * literal left it is a fact, with none the decisions contradict each other.
 * What is owed is taken back together with the marks. */
#ifndef BESTDAG_SEARCH_DECIDING_H
#define BESTDAG_SEARCH_DECIDING_H

#include "bounds/marked.h"

enum bestdag_truth { BESTDAG_UNTRUE, BESTDAG_UNSURE, BESTDAG_TRUE };

/* A fact that is to hold, or not to. */
struct bestdag_owed {
    struct bestdag_fact fact;
    bool holds;
};

/* One a thread. */
struct bestdag_decider {
    struct bestdag_marked marked;      /* owns */
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
int bestdag_decider_init(struct bestdag_run *run, struct bestdag_decider *d,
                         const struct bestdag_problem *problem,
                         const struct bestdag_ceiling *ceiling,
                         const struct bestdag_knowledge *knowledge);
void bestdag_decider_release(struct bestdag_decider *d);

/* The fact holds, or does not. False: that contradicts what was decided, or
 * memory failed. */
bool bestdag_decide(struct bestdag_decider *d, const struct bestdag_fact *fact,
                    bool holds);
/* Draws what follows from the decisions until now, chooses sets, updates the
 * bound. False likewise. */
bool bestdag_decider_settle(struct bestdag_decider *d);
/* What the marks say of a fact. */
enum bestdag_truth bestdag_decider_truth(struct bestdag_decider *d,
                                         const struct bestdag_fact *fact);

/* Fills a row with what can be reached from u, u too, along arcs that must be,
 * or, if `may`, that are not barred. */
void bestdag_decider_reach(const struct bestdag_decider *d, int u, bool may,
                           uint64_t *row);
/* Likewise backwards. */
void bestdag_decider_origins(const struct bestdag_decider *d, int v, bool may,
                             uint64_t *row);

#endif
