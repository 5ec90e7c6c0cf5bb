/* SPDX-License-Identifier: MIT */
/* dense.h -- shared by the dense levels: counting (dense_count.c), families
 * (dense_family.c) and levels (dense.c, which explains them). */
#ifndef BESTDAG_PARENTS_EXHAUSTIVE_DENSE_H
#define BESTDAG_PARENTS_EXHAUSTIVE_DENSE_H

#include "counts/count_cube.h"
#include "parents/exhaustive/levels.h"

enum { BESTDAG_DENSE_MOST = BESTDAG_CUBE_MOST };

#define BESTDAG_NOTHING (INT64_MIN / 4) /* best score of no sets */

struct bestdag_dense_worker {
    struct bestdag_scorer_scratch *scratch;
    struct bestdag_count_cubes *cubes;
    int64_t *sum;   /* owns; [functions * n]: sums of T + l */
    int64_t *best;  /* owns; [(BESTDAG_DENSE_MOST + 1) * n]: best scores for
                       members, and for l last */
    int32_t *cells; /* owns; [n]: cells that occur */
    int64_t scored, kept; /* of the current block */
    int64_t alive;        /* of the level */
    int64_t *before;      /* owns; [n]: scored sets before the present block */
    int64_t block_scored, block_kept; /* of a finished block */
};

struct bestdag_dense {
    struct bestdag_levels *levels;
    struct bestdag_ranks ranks;
    struct bestdag_count_cube *cube; /* owns */
    int functions;
    int size;        /* m, of the sets of this level */
    bool last;       /* it is the last level */
    bool is_early;   /* families are pruned before their sets are counted */
    bool is_partial; /* the run was stopped: sums of this level may be absent */
    int64_t *sum[BESTDAG_DENSE_MOST + 1]; /* own; by size: [functions][sets];
                                             the last three, or all */
    int64_t *best[2];                     /* own; by parents % 2: [n][sets] */
    struct bestdag_dense_worker *worker;  /* owns; [threads] */
    int *block;       /* owns; [blocks * (size - 1)]: first prefixes */
    int64_t *blocked; /* owns; [blocks]: prefixes in it */
    int *worker_of;   /* owns; [blocks]: its worker */
    int64_t blocks;
    int64_t alive; /* families of the last level */
    int *run;      /* owns; [n]: first later place with more states */
};

/* A prefix T, and what a worker knows about it. */
struct bestdag_dense_task {
    struct bestdag_dense *d;
    struct bestdag_dense_worker *w;
    struct bestdag_scored_sets *scored_sets; /* the worker's: [n] */
    int count;                               /* members of the prefix */
    int prefix[BESTDAG_DENSE_MOST], place[BESTDAG_DENSE_MOST],
        variable[BESTDAG_DENSE_MOST];
    int from, to;   /* range of l */
    uint32_t alive; /* bit x: member x, or l (x = count), has a family that is
                       alive */
    /* Ranks of T and of T - i; and what to add l to for the ranks of T + l, T -
     * i + l and T - i - j + l. */
    int64_t rank, rank_less[BESTDAG_DENSE_MOST];
    int64_t base, base_less[BESTDAG_DENSE_MOST],
        base_two[BESTDAG_DENSE_MOST][BESTDAG_DENSE_MOST];
};

static inline int64_t bestdag_dense_sets(const struct bestdag_dense *d,
                                         int size)
{
    return bestdag_choose(&d->ranks, d->levels->n, size);
}

static inline int64_t *bestdag_dense_sums(const struct bestdag_dense *d,
                                          int size, int function)
{
    return d->sum[size] + function * bestdag_dense_sets(d, size);
}

static inline int64_t *bestdag_dense_bests(const struct bestdag_dense *d,
                                           int parents, int child)
{
    return d->best[parents % 2] + child * bestdag_dense_sets(d, parents);
}

static inline int bestdag_dense_drop(const int *set, int count, int which,
                                     int *to)
{
    for (int i = 0, j = 0; i < count; i++)
        if (i != which)
            to[j++] = set[i];
    return count - 1;
}

/* The end of the run of places from l on with equally many states. */
static inline int bestdag_dense_same(const struct bestdag_dense_task *t, int l,
                                     int end)
{
    return t->d->run[l] < end ? t->d->run[l] : end;
}

/* Prunes families that cannot be kept at the last level: sets best to
 * BESTDAG_DEAD, and t->alive to the members with families left. */
void bestdag_dense_prune_last(struct bestdag_dense_task *t);
/* Computes the sums of T + l for all l, in the worker. */
int bestdag_dense_count(struct bestdag_dense_task *t);
/* Counts one set, T + l, by the tally. */
int bestdag_dense_sum_one(struct bestdag_dense_task *t, int l);
/* Scores the families of child x of T with parents T - x + l, or of child l
 * with parents T (x = count). */
int bestdag_dense_score(struct bestdag_dense_task *t, int x);

/* dense_pass.c: spreads the blocks of the last level over ranks. */

/* Called when a worker begins a block, and when it has finished it. */
void bestdag_dense_pass_begin(struct bestdag_dense *d, int64_t block,
                              int worker);
void bestdag_dense_pass_end(struct bestdag_dense_worker *w);
/* The function `pass` of the work. */
int bestdag_dense_pass(void *job, int64_t item, struct bestdag_archive *p);

#endif
