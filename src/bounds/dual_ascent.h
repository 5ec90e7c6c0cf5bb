/* SPDX-License-Identifier: MIT */
/* dual_ascent.h -- the acyclicity check behind dual ascent: an order of the
 * variables over their tight sets, those of reduced cost 0.
 *
 * A variable is ordered if it has a tight set whose members are all ordered.
 * Every tight set of a variable that is not has a member that is not, and
 * watches one (as clauses watch literals in unit propagation). A strongly
 * connected component of the graph from variables to the watched ones that no
 * watch leaves (a sink) is a cluster whose multiplier can be raised. */
#ifndef BESTDAG_BOUNDS_DUAL_ASCENT_H
#define BESTDAG_BOUNDS_DUAL_ASCENT_H

#include "bounds/relaxation.h"

/* A tight set and the member that it watches, which is not ordered. */
struct bestdag_watch {
    int32_t child, set, on, next;
};

struct bestdag_tight_order {
    struct bestdag_run *run;
    bool *is_ordered;            /* owns; [n] */
    int32_t *head;               /* owns; [n]: watches on this one; -1: none */
    int32_t *first;              /* owns; [n + 1]: watches of a child */
    struct bestdag_watch *watch; /* owns; [room] */
    int64_t watches, room;       /* as many as there are */
    int64_t looks;               /* at words, since they were counted */
    int32_t *stack;              /* owns; [n] */
    int32_t *order;              /* owns; [n]: as they were ordered */
    int32_t *low, *seen, *top;   /* own; [n]: of the search for components */
    int32_t *arc;                /* owns; [n]: likewise */
    int32_t *part, *rest;        /* own; [n]: variables that are not ordered; a
                                    subset of them */
    int32_t *sunk, *size;        /* own; [n]: sinks, and their sizes */
};

struct bestdag_tight_order *bestdag_tight_order_new(
    const struct bestdag_relaxation *relax);
void bestdag_tight_order_free(struct bestdag_tight_order *t);

/* The first member of a set that is not ordered; -1: all are. */
int bestdag_tight_order_member(const struct bestdag_tight_order *t,
                               const struct bestdag_reduced_list *list,
                               int set);
/* Orders what can be ordered of member[count], all others being as they are.
 * How many became ordered, into t->order; negative: failed. */
int bestdag_tight_order(struct bestdag_relaxation *relax, const int32_t *member,
                        int count);
/* Is watch i one of child v, which is not ordered? The first one is
 * t->first[v].
 */
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
