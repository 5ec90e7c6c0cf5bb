/* SPDX-License-Identifier: MIT */
/* score_lists.h -- the candidate parent sets of a score file as the checker
 * sees them: its own reader, its own costs in whole numbers. */
#ifndef BESTDAG_VERIFY_SCORE_LISTS_H
#define BESTDAG_VERIFY_SCORE_LISTS_H

#include "base/stream.h"
#include "verify/kernel/fixed_point.h"

struct kernel_lists {
    int n;
    char **names;     /* owns; [n] */
    int64_t *first;   /* owns; [n + 1]: sets of v are first[v] .. first[v+1] */
    int64_t sets;     /* of all variables */
    double *score;    /* owns; [sets] */
    int64_t *start;   /* owns; [sets + 1] */
    int32_t *member;  /* owns; parents of set s: member[start[s]..start[s+1]),
                         ascending */
    int64_t *cost;    /* owns; [sets]; units, see bestdag_lists_cost() */
    char *remains;    /* owns; [sets]; 0: dropped by the rules or a deletion */
    double *best;     /* owns; [n]; nats; -INFINITY: no set remains */
    kernel_wide most; /* at least the sum of best[]; 2^-64 nat */
    kernel_wide excess; /* see bestdag_lists_cost() */
    bool numbered;      /* the names in the file are 0, 1, ... */
};

/* NULL: failed, with the error in the run. */
struct kernel_lists *bestdag_lists_read(struct bestdag_run *run,
                                        struct bestdag_source *from);
void bestdag_lists_free(struct kernel_lists *lists);
/* Computes `best` and `most` of the remaining sets; BESTDAG_INPUT if scores are
 * too large to be added. `where` begins the message. */
int bestdag_lists_rate(struct bestdag_run *run, struct kernel_lists *lists,
                       const char *where);
/* Costs of all sets in units of 2^-shift nat, shift 0 .. 64, from `best`. They
 * are rounded to the nearest, and huge ones are lowered so that those of one
 * set per variable add up to less than 2^61. `excess`: for every choice of one
 * remaining set per variable, their costs together exceed the sum of best -
 * score by at most this. */
void bestdag_lists_cost(struct kernel_lists *lists, int shift);

static inline int bestdag_lists_size(const struct kernel_lists *lists,
                                     int64_t set)
{
    return (int)(lists->start[set + 1] - lists->start[set]);
}

/* False, with an error, if the run must stop. */
static inline bool bestdag_kernel_goes_on(struct bestdag_run *run)
{
    return !bestdag_run_stopped(run) ||
           !bestdag_fail(run, BESTDAG_FAILED, "verification was stopped");
}

/* For qsort() of int32_t. */
int bestdag_lists_ascending(const void *a, const void *b);

#endif
