/* SPDX-License-Identifier: MIT */
/* dual_ascent.h -- which variables the sets of reduced cost 0 leave trapped.
 *
 * A variable is free if it has such a set whose members are all free. Those
 * that are not free trap each other: every such set of theirs has a member
 * among them. Each waits, for every set, for one such member; a closed part of
 * this graph is a cluster whose multiplier can be raised. */
#ifndef BESTDAG_BOUNDS_DUAL_ASCENT_H
#define BESTDAG_BOUNDS_DUAL_ASCENT_H

#include "bounds/relaxation.h"

/* A set of reduced cost 0 and the trapped member that it waits for. */
struct bestdag_wait {
    int32_t child, set, on, next;
};

struct bestdag_tight {
    struct bestdag_run *run;
    bool *is_free;             /* owns; [n] */
    int32_t *head;             /* owns; [n]: waits for this one; -1: none */
    int32_t *first;            /* owns; [n + 1]: waits of a child */
    struct bestdag_wait *wait; /* owns; [room] */
    int64_t waits, room;       /* as many as there are */
    int32_t *stack;            /* owns; [n] */
    int32_t *order;            /* owns; [n]: as they became free */
    int32_t *low, *seen, *top; /* own; [n]: of the walk for components */
    int32_t *arc;              /* owns; [n]: likewise */
    int32_t *part, *rest;      /* own; [n]: who is trapped, a smaller part */
    int32_t *sunk, *size;      /* own; [n]: sinks, and how large they are */
};

struct bestdag_tight *bestdag_tight_new(const struct bestdag_relaxation *relax);
void bestdag_tight_free(struct bestdag_tight *trap);

/* The first trapped member of a set; -1: all are free. */
int bestdag_tight_member(const struct bestdag_tight *trap,
                         const struct bestdag_reduced_list *list, int set);
/* Which of member[count] are trapped by the sets in `tight` of their lists,
 * all others being what they were. How many became free, into trap->order;
 * negative: failed. */
int bestdag_tight_some(struct bestdag_relaxation *relax, const int32_t *member,
                       int count);
/* Is wait i one of trapped child v? Its first one is trap->first[v]. */
static inline bool bestdag_wait_of(const struct bestdag_tight *t, int32_t i,
                                   int v)
{
    return i < t->waits && t->wait[i].child == v;
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
