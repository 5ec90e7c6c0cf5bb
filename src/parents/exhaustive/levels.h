/* SPDX-License-Identifier: MIT */
/* levels.h -- shared by the two halves of sequential.
 *
 * Dense levels take all sets of a size, count each once for all its members,
 * and keep arrays over all of them. Sparse levels take one child at a time and
 * keep only the sets that are alive. Dense levels come first; sparse ones
 * continue once few sets are alive, or memory cannot hold all. */
#ifndef BESTDAG_PARENTS_EXHAUSTIVE_LEVELS_H
#define BESTDAG_PARENTS_EXHAUSTIVE_LEVELS_H

#include "base/row.h"
#include "counts/ranks.h"
#include "parents/exhaustive/list_sort.h"
#include "parents/exhaustive/sequential.h"
#include "parents/pruning.h"

enum { BESTDAG_SET_MOST = 256 }; /* members of a set */

/* The sum of a set that was not counted because no member of it was alive. */
#define BESTDAG_ABSENT (INT64_MIN / 4)

struct bestdag_levels {
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    const struct bestdag_sequential_request *job;
    enum bestdag_pruning kind; /* DOMINATED if pruning is off */
    int from, n;               /* first place with two states; number of places
                                  from it on */
    int most;                  /* largest number of parents */
    int *limit;                /* owns; [n]: limit on parents; -1: the child is
                                  skipped */
    struct bestdag_keys keys;  /* for places - from */
    int threads;
    struct bestdag_scored_sets
        *scored_sets; /* owns; [(threads + 1) * n]: by worker and child; then
                         sets from other ranks */
    int *incomplete;  /* owns; [n]: first incomplete size, or -1 */
    _Atomic int64_t scored, kept;
    double begun, spent; /* at the beginning: the clock, and the process's own
                            time */
};

static inline struct bestdag_scored_sets *bestdag_levels_sent(
    const struct bestdag_levels *l, int child)
{
    return &l->scored_sets[(int64_t)l->threads * l->n + child];
}

/* On the calling thread, after items of work: updates progress. */
static inline void bestdag_levels_report(const struct bestdag_levels *l)
{
    l->run->now.scored = l->scored;
    l->run->now.kept = l->kept;
}

/* On any thread, after a block of work: ends the levels if the time left is
 * needed to sort the sets kept. */
void bestdag_levels_check_time(const struct bestdag_levels *levels);

/* The sets of one size of a child that are alive, for sparse levels. */
struct bestdag_tier {
    int size;
    int64_t count, room;
    uint16_t *member;    /* owns; [room * size]: places - from, ascending */
    int64_t *best;       /* owns; [room]: best score of the set and its
                            subsets */
    int64_t *joint;      /* owns; [room]: sum of n ln n of the set */
    int64_t *likelihood; /* owns; [room]: of the child given the set */
    uint32_t *slot;      /* owns; [slots]: 1 + index of a set, by its hash */
    int64_t slots;
};

void bestdag_tier_release(struct bestdag_tier *tier);
int bestdag_tier_add(struct bestdag_run *run, struct bestdag_tier *tier,
                     const int *places, const int64_t values[3]);
/* To be called when all sets are added. */
int bestdag_tier_index(struct bestdag_run *run, struct bestdag_tier *tier);
/* The index of a set, or -1. */
int64_t bestdag_tier_find(const struct bestdag_tier *tier,
                          const uint16_t *member);

/* ---- dense.c ---- */

struct bestdag_dense;
/* Computes levels as long as dense ones are better. *next: number of parents
 * with which sparse levels continue; more than levels->most: none. */
struct bestdag_dense *bestdag_dense_run(struct bestdag_levels *levels,
                                        int *next);
void bestdag_dense_free(struct bestdag_dense *dense);
/* The sets of a child that are alive after the last dense level. */
int bestdag_dense_tier(struct bestdag_run *run,
                       const struct bestdag_dense *dense, int child,
                       struct bestdag_tier *to);

/* ---- dense_list.c: if all sets are kept ---------------------------------- */

struct bestdag_level_store;
struct bestdag_level_store *bestdag_level_store_new(
    const struct bestdag_dense *dense);
void bestdag_level_store_free(struct bestdag_level_store *shelf);
/* Makes the list of all sets of a child; to be called once per child. */
int bestdag_level_store_list(const struct bestdag_level_store *shelf, int child,
                             int worker, struct bestdag_list *to);
/* Puts the sets of all children into the first worker's scored sets instead. */
int bestdag_dense_spill(const struct bestdag_dense *dense);

/* ---- sparse.c ---- */

/* All children, beginning with sets of `size` parents. dense NULL: size is
 * 0. */
int bestdag_sparse_run(struct bestdag_levels *levels,
                       const struct bestdag_dense *dense, int size);

static inline int bestdag_levels_variable(const struct bestdag_levels *l, int i)
{
    return l->scorer->order[l->from + i];
}

/* May place i be a parent of the child at place x? */
static inline bool bestdag_levels_allow(const struct bestdag_levels *l, int x,
                                        int i)
{
    const struct bestdag_sequential_request *job = l->job;
    size_t words = bestdag_row_words(l->scorer->n);
    return !job->universe ||
           bestdag_row_has(job->universe +
                               (size_t)bestdag_levels_variable(l, x) * words,
                           bestdag_levels_variable(l, i));
}

static inline int bestdag_levels_states(const struct bestdag_levels *l, int i)
{
    return l->scorer->states[bestdag_levels_variable(l, i)];
}

/* A proper superset of P has at least one more parent, with no fewer states
 * than the first place. So its penalty is at least this, .. */
static inline int64_t bestdag_levels_penalty_more(
    const struct bestdag_levels *l, int variable, int64_t penalty, double joint)
{
    return penalty + bestdag_cost_on_top(l->scorer, l->scorer->states[variable],
                                         bestdag_levels_states(l, 0), joint);
}

/* .. and Y costs at least this on top of the rest: bestdag_cost_on_top() with R
 * and the other parent, less the rounding error of sums. */
static inline int64_t bestdag_levels_cost_with_more(
    const struct bestdag_levels *l, int x_states, int y_states,
    double r_joint_states)
{
    return bestdag_cost_on_top(l->scorer, x_states, y_states,
                               r_joint_states * bestdag_levels_states(l, 0)) -
           2 * (l->scorer->table->rows + 1);
}

#endif
