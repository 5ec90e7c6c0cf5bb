/* SPDX-License-Identifier: MIT */
/* cached_scorer.h -- scores of families given as rows of bits, cached for all
 * threads: single ones, or all that differ from one by a parent. */
#ifndef BESTDAG_SCORES_CACHED_SCORER_H
#define BESTDAG_SCORES_CACHED_SCORER_H

#include "scores/neighbour_scores.h"
#include "scores/score_cache.h"

/* Shared by all threads. */
struct bestdag_shared_scores {
    const struct bestdag_scorer *scorer; /* borrowed */
    size_t words;
    int max_parents;                    /* n - 1 if there is no limit */
    struct bestdag_score_cache *family; /* owns; one score each */
    struct bestdag_score_cache *row;    /* owns; n scores each */
};

int bestdag_shared_scores_init(struct bestdag_run *run,
                               struct bestdag_shared_scores *a,
                               const struct bestdag_scorer *scorer,
                               int max_parents);
/* To be called when all lasting memory is allocated: the caches may use half of
 * what a memory limit leaves now. */
void bestdag_shared_scores_limit(const struct bestdag_run *run,
                                 struct bestdag_shared_scores *a);
void bestdag_shared_scores_release(struct bestdag_shared_scores *a);

/* Data of one thread. */
struct bestdag_cached_scorer {
    struct bestdag_run *run;
    const struct bestdag_shared_scores *shared;
    struct bestdag_scorer_scratch *scratch;  /* owns */
    struct bestdag_neighbour_scores *toggle; /* owns */
    int *list;                               /* owns; [n] */
    int64_t *scores;        /* owns; [n]: of a row that is not cached */
    int64_t asked, counted; /* families: requested; not in the cache */
};

int bestdag_cached_scorer_init(struct bestdag_run *run,
                               struct bestdag_cached_scorer *a,
                               const struct bestdag_shared_scores *shared);
void bestdag_cached_scorer_release(struct bestdag_cached_scorer *a);

/* The score in units, for any number of parents; BESTDAG_NO_FAMILY: not a
 * candidate, or an error. */
int64_t bestdag_cached_score(struct bestdag_cached_scorer *a, int child,
                             const uint64_t *parents);
/* The scores with each other variable added, if there are not too many parents,
 * or dropped if it is a parent; at the child, that of the family itself. Valid
 * until the next call. NULL: error. */
const int64_t *bestdag_cached_scores_row(struct bestdag_cached_scorer *a,
                                         int child, const uint64_t *parents);

#endif
