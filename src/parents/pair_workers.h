/* SPDX-License-Identifier: MIT */
/* pair_workers.h -- data of a thread that scores all pairs with a child and
 * ranks the other variables as its parents. */
#ifndef BESTDAG_PARENTS_PAIR_WORKERS_H
#define BESTDAG_PARENTS_PAIR_WORKERS_H

#include "scores/pairwise.h"
#include "scores/score.h"

struct bestdag_ranked_parent {
    int64_t worth;
    int variable;
};

/* Ties go to the first variable. */
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

/* *to must be zeroed; release it even after an error. */
int bestdag_pair_workers_init(struct bestdag_pair_workers *to,
                              struct bestdag_run *run,
                              const struct bestdag_scorer *scorer);
void bestdag_pair_workers_release(struct bestdag_pair_workers *to);

#endif
