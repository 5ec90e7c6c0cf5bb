/* SPDX-License-Identifier: MIT */
/* dense.h -- inside the dense levels: what counting (dense_count.c), families
 * (dense_family.c) and levels (dense.c, which explains them) share. */
#ifndef BESTDAG_PARENTS_EXHAUSTIVE_DENSE_H
#define BESTDAG_PARENTS_EXHAUSTIVE_DENSE_H

#include "counts/count_cube.h"
#include "parents/exhaustive/levels.h"

enum { BESTDAG_DENSE_MOST = BESTDAG_CUBE_MOST };

#define BESTDAG_NOTHING (INT64_MIN / 4) /* best of no sets */

struct bestdag_dense_worker {
    struct bestdag_scorer_scratch *scratch;
    struct bestdag_count_cubes *cubes;
    int64_t *sum;  /* owns; [functions * n]: of T + l */
    int64_t *best; /* owns; [(BESTDAG_DENSE_MOST + 1) * n]: of members, and of l
                      last */
    int32_t *cells;       /* owns; [n]: that occur */
    int64_t scored, kept; /* of the current block */
    int64_t alive;        /* of the level */
    int64_t *before;      /* owns; [n]: scored sets before the current block */
    int64_t block_scored, block_kept; /* of a block that is done */
};

struct bestdag_dense {
    struct bestdag_levels *levels;
    struct bestdag_ranks ranks;
    struct bestdag_count_cube *cube; /* owns */
    int functions;
    int size;        /* of the sets of this level: m */
    bool last;       /* there is no level after this */
    bool is_early;   /* families are pruned before they are counted */
    bool is_partial; /* the run was stopped: sums of this level are absent */
    int64_t *sum[BESTDAG_DENSE_MOST + 1]; /* own; by size: [functions][sets];
                                             the last three, or all */
    int64_t *best[2];                     /* own; by parents % 2: [n][sets] */
    struct bestdag_dense_worker *worker;  /* owns; [threads] */
    int *block;       /* owns; [blocks * (size - 1)]: first prefixes */
    int64_t *blocked; /* owns; [blocks]: prefixes in it */
    int *worker_of;   /* owns; [blocks]: who did it */
    int64_t blocks;
    int64_t alive; /* families of the last level */
    int *run;      /* owns; [n]: first place behind with more states */
};

/* A prefix, and what a worker needs to know of it. */
struct bestdag_dense_task {
    struct bestdag_dense *d;
    struct bestdag_dense_worker *w;
    struct bestdag_scored_sets *scored_sets; /* of the worker: [n] */
    int count;                               /* members of the prefix */
    int prefix[BESTDAG_DENSE_MOST], place[BESTDAG_DENSE_MOST],
        variable[BESTDAG_DENSE_MOST];
    int from, to;   /* l */
    uint32_t alive; /* bit x: a family of member x, or of l (x = count), is */
    /* Numbers of T and of T - i; and what l is added to for the numbers of
     * T + l, T - i + l and T - i - j + l. */
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

/* One past the last l, from `l` on, that has as many states. */
static inline int bestdag_dense_same(const struct bestdag_dense_task *t, int l,
                                     int end)
{
    return t->d->run[l] < end ? t->d->run[l] : end;
}

/* Prunes what cannot be kept at the last level: best becomes
 * BESTDAG_DEAD, and t->alive says for which members something is left. */
void bestdag_dense_prune_last(struct bestdag_dense_task *t);
/* The sums of T + l for all l, into the worker. */
int bestdag_dense_count(struct bestdag_dense_task *t);
/* One set by the tally: T + l. */
int bestdag_dense_sum_one(struct bestdag_dense_task *t, int l);
/* Scores the families of child x of T, parents T - x + l; or of child l,
 * parents T (x = count). */
int bestdag_dense_score(struct bestdag_dense_task *t, int x);

/* dense_pass.c: blocks of the last level are spread over ranks. */

/* A worker begins a block, and has done it. */
void bestdag_dense_pass_begin(struct bestdag_dense *d, int64_t block,
                              int worker);
void bestdag_dense_pass_end(struct bestdag_dense_worker *w);
/* The function `pass` of the work. */
int bestdag_dense_pass(void *job, int64_t item, struct bestdag_archive *p);

#endif
