/* SPDX-License-Identifier: MIT */
/* pair_workers.h -- what each thread needs to score all pairs with a child and
 * to rank the other variables by what they are worth as its parents. */
#ifndef BESTDAG_PARENTS_PAIR_WORKERS_H
#define BESTDAG_PARENTS_PAIR_WORKERS_H

#include "scores/pairwise.h"
#include "scores/score.h"

struct bestdag_ranked_parent {
    int64_t worth;
    int variable;
};

/* Ties go to the variable that comes first. */
static inline bool bestdag_ranked_is_better(
    const struct bestdag_ranked_parent *x,
    const struct bestdag_ranked_parent *y)
{
    return x->worth != y->worth ? x->worth > y->worth
                                : x->variable < y->variable;
}

struct bestdag_pair_worker {
    struct bestdag_scorer_scratch *scratch; /* owns */
    struct bestdag_pairwise *pairwise;      /* owns */
    struct bestdag_ranked_parent *ranked;   /* owns; [n] */
};

struct bestdag_pair_workers {
    struct bestdag_pair_worker *at; /* owns; [threads] */
    int threads;
};

/* Starts zeroed; must be released, also on failure. */
int bestdag_pair_workers_init(struct bestdag_pair_workers *to,
                              struct bestdag_run *run,
                              const struct bestdag_scorer *scorer);
void bestdag_pair_workers_release(struct bestdag_pair_workers *to);

#endif
