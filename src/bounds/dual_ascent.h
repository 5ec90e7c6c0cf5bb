/* SPDX-License-Identifier: MIT */
/* dual_ascent.h -- the acyclicity check of dual ascent: an order of the
 * variables over their tight sets, those of reduced cost 0.
 *
 * A variable is ordered if it has a tight set whose members are all ordered.
 * Every tight set of an unordered variable has an unordered member, and watches
 * one (as clauses watch literals in unit propagation). In the graph from
 * variables to watched variables, a strongly connected component that no watch
 * leaves (a sink) is a cluster whose multiplier can be raised. */
#ifndef BESTDAG_BOUNDS_DUAL_ASCENT_H
#define BESTDAG_BOUNDS_DUAL_ASCENT_H

#include "bounds/relaxation.h"

/* A tight set and the unordered member that it watches. */
struct bestdag_watch {
    int32_t child, set, on, next;
};

struct bestdag_tight_order {
    struct bestdag_run *run;
    bool *is_ordered;            /* owns; [n] */
    int32_t *head;               /* owns; [n]: list of watches on it; -1:
                                    none */
    int32_t *first;              /* owns; [n + 1]: first watch of a child */
    struct bestdag_watch *watch; /* owns; [room] */
    int64_t watches, room;       /* number, and room */
    int64_t looks;               /* words examined since work was last
                                    counted */
    int32_t *stack;              /* owns; [n] */
    int32_t *order;              /* owns; [n]: in the order of their ordering */
    int32_t *low, *seen, *top;   /* own; [n]: for the search for components */
    int32_t *arc;                /* owns; [n]: for the same */
    int32_t *part, *rest;        /* own; [n]: unordered variables; a subset of
                                    them */
    int32_t *sunk, *size;        /* own; [n]: sinks, and their sizes */
};

struct bestdag_tight_order *bestdag_tight_order_new(
    const struct bestdag_relaxation *relax);
void bestdag_tight_order_free(struct bestdag_tight_order *t);

/* The first unordered member of a set; -1: none. */
int bestdag_tight_order_member(const struct bestdag_tight_order *t,
                               const struct bestdag_reduced_list *list,
                               int set);
/* Orders as many as possible of member[count]; the others keep their state.
 * Returns the number ordered, in t->order; negative: error. */
int bestdag_tight_order(struct bestdag_relaxation *relax, const int32_t *member,
                        int count);
/* Is watch i one of child v, which is unordered? The first is t->first[v]. */
static inline bool bestdag_watch_of(const struct bestdag_tight_order *t,
                                    int32_t i, int v)
{
    return i < t->watches && t->watch[i].child == v;
}

/* Lists the sets of reduced cost 0. */
static inline void bestdag_reduced_list_tighten(struct bestdag_reduced_list *s)
{
    s->tights = 0;
    for (int set = 0; set < s->count; set++) {
        s->tight[s->tights] = set;
        s->tights += !s->reduced[set];
    }
}

#endif
