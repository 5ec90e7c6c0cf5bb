/* SPDX-License-Identifier: MIT */
/* lists.h -- the score file as the checker of certificates sees it: its own
 * reader, its own costs, what the sidecar states. */
#ifndef BESTDAG_VERIFY_LISTS_H
#define BESTDAG_VERIFY_LISTS_H

#include "base/stream.h"
#include "verify/kernel/fixed_point.h"

struct kernel_lists {
    int n;
    char **names;    /* owns; [n] */
    int64_t *first;  /* owns; [n + 1]: sets of v are first[v] .. first[v+1] */
    int64_t sets;    /* of all variables */
    double *score;   /* owns; [sets] */
    int64_t *start;  /* owns; [sets + 1] */
    int32_t *member; /* owns; parents of set s: member[start[s]..start[s+1]) */
    int64_t *cost;   /* owns; [sets]; units, see bestdag_lists_cost() */
    char *remains;   /* owns; [sets]; 0: a rule or a deletion took it off */
    double *best;    /* owns; [n]; nats; -INFINITY: no set remains */
    bestdag_wide most;   /* no less than the sum of best[]; 2^-64 nat */
    bestdag_wide excess; /* see bestdag_lists_cost() */
    bool numbered;       /* the names in the file are 0, 1, ... */
};

/* NULL: the run says why. */
struct kernel_lists *bestdag_lists_read(struct bestdag_run *run,
                                        struct bestdag_source *from);
void bestdag_lists_free(struct kernel_lists *lists);
/* The number of the variable with this name; -1: none. O(n). */
int bestdag_lists_find(const struct kernel_lists *lists, const char *name);
/* `best` and `most` of what remains; BESTDAG_INPUT if scores are too large to
 * be added. `where` begins the message. */
int bestdag_lists_rate(struct bestdag_run *run, struct kernel_lists *lists,
                       const char *where);
/* Costs of all sets with units of 2^-shift nat, shift 0 .. 64, from `best`.
 * They are rounded to the nearest, and huge ones are lowered so that those of
 * one set for each variable add up to less than 2^61. In `excess`: if every
 * variable has a set that remains, their costs are together at most so much
 * above the sum of best - score, whichever sets these are. */
void bestdag_lists_cost(struct kernel_lists *lists, int shift);

static inline int bestdag_lists_size(const struct kernel_lists *lists,
                                     int64_t set)
{
    return (int)(lists->start[set + 1] - lists->start[set]);
}

#endif
