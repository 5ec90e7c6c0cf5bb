/* SPDX-License-Identifier: MIT */
/* dense.c -- levels over all sets: each is counted once for all its members.
 *
 * Level m takes every set S of m variables; each member X has the rest P = S -
 * X as parents, and
 *
 *     local(X | P) = factor * (top(S) - bottom(P)) - penalty(X, P)
 *
 * is a difference of known numbers. Kept are the sums of the last three sizes,
 * and for each child and set of the last size the best score of the set and its
 * subsets (BESTDAG_DEAD if the set was given up), all in lexicographic order.
 * If no set is given up, the sums of all sizes are kept instead, and nothing is
 * scored before the lists are made (dense_list.c). A set is a prefix T and a
 * last member l: in a loop over l all reads are contiguous, for T - X + l too.
 *
 * Memory: 8 bytes per set and function, 8 bytes per set and child; at the last
 * level neither, unless all sets are kept. Work is cut into blocks of prefixes;
 * each number is written by one block, so results do not depend on threads. */
#include <limits.h>
#include <string.h>

#include "base/random.h"
#include "base/communicator.h"
#include "parallel/collective.h"
#include "parallel/parallel.h"
#include "parents/exhaustive/dense.h"

enum {
    BLOCK = 1 << 13, /* sets per item of work, about */
    SAMPLE = 4096    /* families: a share of 0.03 is known to a tenth */
};

/* Limits of a level without a memory limit: sets, and bytes. */
static const int64_t MOST_SETS = (int64_t)1 << 34, ROOM = (int64_t)8 << 30;

static void find_numbers(struct bestdag_dense_task *t)
{
    const struct bestdag_ranks *r = &t->d->ranks;
    int one[BESTDAG_DENSE_MOST], two[BESTDAG_DENSE_MOST], count = t->count;
    t->rank = bestdag_rank(r, t->prefix, count);
    t->base = bestdag_rank_base(r, t->prefix, count);
    for (int i = 0; i < count; i++) {
        bestdag_dense_drop(t->prefix, count, i, one);
        t->rank_less[i] = bestdag_rank(r, one, count - 1);
        t->base_less[i] = bestdag_rank_base(r, one, count - 1);
        for (int j = i + 1; j < count; j++) {
            bestdag_dense_drop(one, count - 1, j - 1, two);
            t->base_two[i][j] = t->base_two[j][i] =
                bestdag_rank_base(r, two, count - 2);
        }
    }
}

/* ---- the best of subsets --------------------------------------------- */

/* Member x of T as the child of T - x + l: fills best[x * n + l]. False: T - x
 * is dead. */
static bool best_of_member(const struct bestdag_dense_task *t, int x)
{
    const int64_t *best = bestdag_dense_bests(t->d, t->count - 1, t->prefix[x]);
    int64_t *to = t->w->best + x * t->d->levels->n, own = best[t->rank_less[x]];
    for (int l = t->from; l < t->to; l++)
        to[l] = own;
    for (int y = 0; y < t->count && own < BESTDAG_DEAD; y++) {
        if (y == x)
            continue;
        const int64_t *other = best + t->base_two[x][y];
        for (int l = t->from; l < t->to; l++)
            to[l] = other[l] > to[l] ? other[l] : to[l];
    }
    return own < BESTDAG_DEAD;
}

/* The same for l as the child of T. */
static void best_of_last(const struct bestdag_dense_task *t)
{
    const struct bestdag_dense *d = t->d;
    int64_t *to = t->w->best + t->count * d->levels->n;
    for (int l = t->from; l < t->to; l++)
        to[l] = BESTDAG_NOTHING;
    for (int y = 0; y < t->count; y++) {
        int64_t sets_before = bestdag_dense_sets(d, t->count - 1);
        const int64_t *best =
            bestdag_dense_bests(d, t->count - 1, t->from) + t->rank_less[y];
        for (int l = t->from; l < t->to; l++, best += sets_before)
            to[l] = *best > to[l] ? *best : to[l];
    }
}

/* Marks forbidden families as dead: too many parents, or, at the second level,
 * a forbidden parent; supersets of dead sets stay dead. */
static void strike_forbidden(struct bestdag_dense_task *t)
{
    const struct bestdag_levels *levels = t->d->levels;
    int n = levels->n;
    int64_t *last = t->w->best + t->count * n;
    for (int x = 0; x < t->count; x++) {
        int64_t *best = t->w->best + x * n;
        bool full = levels->limit[t->prefix[x]] < t->count;
        for (int l = t->from; l < t->to; l++)
            if (full || (t->count == 1 &&
                         !bestdag_levels_allow(levels, t->prefix[x], l)))
                best[l] = BESTDAG_DEAD;
        if (full)
            t->alive &= ~((uint32_t)1 << x);
    }
    for (int l = t->from; l < t->to; l++)
        if (levels->limit[l] < t->count ||
            (t->count == 1 && !bestdag_levels_allow(levels, l, t->prefix[0])))
            last[l] = BESTDAG_DEAD;
}

/* ---- blocks ----------------------------------------------------------- */

/* Marks all families of member x as dead. */
static void mark_member_dead(const struct bestdag_dense_task *t, int x)
{
    int64_t *slot =
        bestdag_dense_bests(t->d, t->count, t->prefix[x]) + t->base_less[x];
    for (int l = t->from; l < t->to; l++)
        slot[l] = BESTDAG_DEAD;
}

static int work_prefix(struct bestdag_dense_task *t)
{
    struct bestdag_dense *d = t->d;
    const struct bestdag_levels *levels = d->levels;
    for (int i = 0; i < t->count; i++) {
        t->place[i] = t->prefix[i] + levels->from;
        t->variable[i] = bestdag_levels_variable(levels, t->prefix[i]);
    }
    t->from = t->count ? t->prefix[t->count - 1] + 1 : 0;
    t->to = levels->n;
    find_numbers(t);
    if (levels->job->prune) {
        t->alive = (uint32_t)1 << t->count;
        for (int x = 0; x < t->count; x++)
            t->alive |= (uint32_t)best_of_member(t, x) << x;
        best_of_last(t);
        if (levels->job->universe || levels->job->limit)
            strike_forbidden(t);
    }
    if (d->is_early) {
        bestdag_dense_prune_last(t);
        if (!t->alive)
            return BESTDAG_OK;
    }
    if (bestdag_dense_count(t))
        return BESTDAG_MEMORY;
    if (d->sum[d->size])
        for (int f = 0; f < d->functions; f++)
            memcpy(bestdag_dense_sums(d, d->size, f) + t->from + t->base,
                   t->w->sum + f * levels->n + t->from,
                   (size_t)(t->to - t->from) * sizeof(int64_t));
    for (int x = 0; levels->job->prune && x <= t->count; x++)
        if (t->alive >> x & 1) {
            if (bestdag_dense_score(t, x))
                return BESTDAG_MEMORY;
        } else if (!d->last)
            mark_member_dead(t, x);
    if (!levels->job->prune) {
        t->w->scored += (int64_t)(t->to - t->from) * d->size;
        t->w->kept += (int64_t)(t->to - t->from) * d->size;
    }
    return BESTDAG_OK;
}

/* Without pruning, families are scored when lists are made; until then, those
 * of counted sets stand for them. */
static void close_block(struct bestdag_dense *d, struct bestdag_dense_worker *w)
{
    d->levels->scored += w->scored;
    d->levels->kept += w->kept;
    w->scored = w->kept = 0;
    bestdag_levels_check_time(d->levels);
}

static int take(void *job, int64_t item)
{
    struct bestdag_dense *d = job;
    (void)item;
    bestdag_levels_report(d->levels);
    return BESTDAG_OK;
}

static int work(void *job, int64_t item, int worker)
{
    struct bestdag_dense *d = job;
    int count = d->size - 1;
    struct bestdag_dense_task t = {.d = d,
                                   .w = &d->worker[worker],
                                   .scored_sets = d->levels->scored_sets +
                                                  worker * d->levels->n,
                                   .count = count};
    if (d->worker_of)
        bestdag_dense_pass_begin(d, item, worker);
    if (count)
        memcpy(t.prefix, d->block + item * count,
               (size_t)count * sizeof *t.prefix);
    for (int64_t i = 0; i < d->blocked[item]; i++) {
        if (bestdag_run_stopped(d->levels->run))
            break;
        if ((!count || t.prefix[count - 1] < d->levels->n - 1) &&
            work_prefix(&t))
            return BESTDAG_MEMORY;
        bestdag_rank_next(d->levels->n, t.prefix, count);
    }
    bestdag_dense_pass_end(t.w);
    close_block(d, t.w);
    return BESTDAG_OK;
}

/* ---- levels ---------------------------------------------------------- */

/* Cuts prefixes into blocks with about equally many sets, or counts them. */
static int64_t cut_blocks(struct bestdag_dense *d)
{
    int set[BESTDAG_DENSE_MOST], count = d->size - 1, n = d->levels->n;
    int64_t blocks = 0, filled = 0;
    for (int i = 0; i < count; i++)
        set[i] = i;
    do {
        if (!filled && d->block) {
            if (count)
                memcpy(d->block + blocks * count, set,
                       (size_t)count * sizeof *set);
            d->blocked[blocks] = 0;
        }
        if (d->block)
            d->blocked[blocks]++;
        filled += 1 + (count ? n - 1 - set[count - 1] : n);
        if (filled >= BLOCK) {
            blocks++;
            filled = 0;
        }
    } while (bestdag_rank_next(n, set, count));
    return blocks + (filled > 0);
}

static int make_blocks(struct bestdag_dense *d)
{
    struct bestdag_run *run = d->levels->run;
    bestdag_free(d->block);
    bestdag_free(d->blocked);
    d->block = NULL;
    d->blocked = NULL;
    d->blocks = cut_blocks(d);
    int *block = bestdag_alloc(run, ((size_t)d->blocks * (size_t)d->size) *
                                        sizeof *d->block);
    d->blocked = bestdag_alloc(run, (size_t)d->blocks * sizeof *d->blocked);
    d->block = block;
    if (!d->block || !d->blocked)
        return BESTDAG_MEMORY;
    cut_blocks(d);
    return BESTDAG_OK;
}

static int64_t times(int64_t a, int64_t b)
{
    int64_t c;
    return __builtin_mul_overflow(a, b, &c) ? INT64_MAX / 8 : c;
}

static int64_t bytes_of(const struct bestdag_dense *d, int size)
{
    bool is_last = size - 1 == d->levels->most;
    int64_t sums = times(8 * d->functions, bestdag_dense_sets(d, size));
    int64_t bests = times(8 * d->levels->n, bestdag_dense_sets(d, size - 1));
    if (!d->levels->job->prune)
        bests = 0;
    if (is_last)
        return d->levels->job->prune ? 0 : sums;
    if (sums + bests > (int64_t)1 << 44)
        return sums + bests;
    return sums + bests + bestdag_count_cube_bytes(d->cube, size);
}

/* All are absent, in case the run is stopped before they are made. */
static int make_sums(struct bestdag_dense *d)
{
    int64_t count = d->functions * bestdag_dense_sets(d, d->size);
    int64_t *sum =
        bestdag_alloc(d->levels->run, (size_t)count * sizeof(int64_t));
    d->sum[d->size] = sum;
    for (int64_t i = 0; sum && i < count; i++)
        sum[i] = BESTDAG_ABSENT;
    return sum ? BESTDAG_OK : BESTDAG_MEMORY;
}

static int make_arrays(struct bestdag_dense *d)
{
    struct bestdag_run *run = d->levels->run;
    int size = d->size, best = (size - 1) % 2;
    bool prune = d->levels->job->prune;
    if (bestdag_count_cube_level(run, d->cube, size, !d->last))
        return BESTDAG_MEMORY;
    if (d->last && prune)
        return BESTDAG_OK;
    if (prune && size >= 3) {
        bestdag_free(d->sum[size - 3]);
        d->sum[size - 3] = NULL;
    }
    if (make_sums(d))
        return BESTDAG_MEMORY;
    if (!prune)
        return BESTDAG_OK;
    bestdag_free(d->best[best]);
    /* zero: sets that contain the child are never read */
    d->best[best] = bestdag_calloc(
        run, (size_t)(d->levels->n * bestdag_dense_sets(d, size - 1)),
        sizeof(int64_t));
    return d->best[best] ? BESTDAG_OK : BESTDAG_MEMORY;
}

/* The sums of the empty set. */
static int make_root(struct bestdag_dense *d)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    d->sum[0] =
        bestdag_alloc(d->levels->run, (size_t)d->functions * sizeof(int64_t));
    for (int f = 0; d->sum[0] && f < d->functions; f++) {
        const struct bestdag_score_terms *t = bestdag_scorer_terms(s, f, 1);
        if (!t)
            return BESTDAG_MEMORY;
        d->sum[0][f] = bestdag_score_terms_at(t, s->total);
    }
    return d->sum[0] ? BESTDAG_OK : BESTDAG_MEMORY;
}

static int make_worker(struct bestdag_dense *d, struct bestdag_dense_worker *w)
{
    struct bestdag_run *run = d->levels->run;
    size_t n = (size_t)d->levels->n;
    w->scratch = bestdag_scorer_scratch_new(run, d->levels->scorer);
    w->cubes = bestdag_count_cubes_new(run, d->cube);
    w->sum = bestdag_alloc(run, n * (size_t)d->functions * sizeof *w->sum);
    w->best =
        bestdag_alloc(run, n * (BESTDAG_DENSE_MOST + 1) * sizeof *w->best);
    w->cells = bestdag_alloc(run, n * sizeof *w->cells);
    w->before = bestdag_alloc(run, n * sizeof *w->before);
    return bestdag_run_status(run);
}

static struct bestdag_dense *dense_new(struct bestdag_levels *levels)
{
    struct bestdag_run *run = levels->run;
    struct bestdag_dense *d = bestdag_calloc(run, 1, sizeof *d);
    if (!d)
        return NULL;
    d->levels = levels;
    d->functions = levels->scorer->functions ? levels->scorer->functions : 1;
    d->cube =
        bestdag_count_cube_new(run, levels->scorer->columns, levels->from);
    d->worker = bestdag_calloc(run, (size_t)levels->threads, sizeof *d->worker);
    d->run = bestdag_alloc(run, (size_t)levels->n * sizeof *d->run);
    for (int l = levels->n - 1, end = l + 1; d->run && l >= 0; l--) {
        if (bestdag_levels_states(levels, l) !=
            bestdag_levels_states(levels, end - 1))
            end = l + 1;
        d->run[l] = end;
    }
    if (d->cube && d->worker && d->run &&
        !bestdag_ranks_init(run, &d->ranks, levels->n) && !make_root(d)) {
        int made = 0;
        while (made < levels->threads && !make_worker(d, &d->worker[made]))
            made++;
        if (made == levels->threads)
            return d;
    }
    bestdag_dense_free(d);
    return NULL;
}

void bestdag_dense_free(struct bestdag_dense *d)
{
    if (!d)
        return;
    for (int i = 0; d->worker && i < d->levels->threads; i++) {
        bestdag_scorer_scratch_free(d->worker[i].scratch);
        bestdag_count_cubes_free(d->worker[i].cubes);
        bestdag_free(d->worker[i].sum);
        bestdag_free(d->worker[i].best);
        bestdag_free(d->worker[i].cells);
        bestdag_free(d->worker[i].before);
    }
    for (int i = 0; i <= BESTDAG_DENSE_MOST; i++)
        bestdag_free(d->sum[i]);
    for (int i = 0; i < 2; i++)
        bestdag_free(d->best[i]);
    bestdag_count_cube_free(d->cube);
    bestdag_free(d->worker);
    bestdag_free(d->block);
    bestdag_free(d->blocked);
    bestdag_free(d->worker_of);
    bestdag_free(d->ranks.choose);
    bestdag_free(d->run);
    bestdag_free(d);
}

/* A model of time, in nanoseconds: for a set, with bit columns per word and per
 * cell, with codes per row, and per child; for a family of a sparse level, per
 * row and constant. Half and double of each: time within 6 % on 60 variables
 * (bench/log/2026-11-17-sensitivity.csv). PER_BYTE of a level is a price of
 * memory rather than a time: 0 and 2 took the same memory on 10 of 12 tables of
 * 22 to 56 variables; 500 rows of hailfinder 1.5 s and 500 MB or 2.05 s and 71
 * MB (1.0: as 0), 200 rows of 40 variables 0.22 s and 67 MB or 0.3 s and 14
 * MB. */
#define PER_WORD 0.3
#define PER_CELL 4.0
#define PER_ROW 1.5
#define PER_CHILD 20.0
#define PER_BYTE 2.0
#define SPARSE_PER_ROW 2.5
#define SPARSE_FAMILY 500.0

/* May the family of child set[which] be alive: are all sets with one parent
 * less alive, and is the penalty not too large? */
static bool may_be_alive(const struct bestdag_dense *d, const int *set,
                         int size, int which)
{
    const struct bestdag_levels *l = d->levels;
    int parents[BESTDAG_DENSE_MOST] = {0}, less[BESTDAG_DENSE_MOST] = {0},
        variable[BESTDAG_DENSE_MOST];
    int count = bestdag_dense_drop(set, size, which, parents);
    const int64_t *best = bestdag_dense_bests(d, count - 1, set[which]);
    int64_t most = BESTDAG_NOTHING;
    for (int y = 0; y < count; y++) {
        bestdag_dense_drop(parents, count, y, less);
        int64_t own = best[bestdag_rank(&d->ranks, less, count - 1)];
        if (own >= BESTDAG_DEAD)
            return false;
        most = own > most ? own : most;
        variable[y] = bestdag_levels_variable(l, parents[y]);
    }
    return l->kind != BESTDAG_PRUNE_PENALTY ||
           !bestdag_prune_by_penalty(
               bestdag_scorer_penalty(l->scorer,
                                      bestdag_levels_variable(l, set[which]),
                                      variable, count),
               most);
}

/* The part of the next level's families that must be counted, estimated from a
 * fixed sample. */
static double share_of_next(const struct bestdag_dense *d, int size)
{
    struct bestdag_random r = bestdag_random_init(SAMPLE, (uint64_t)size);
    int set[BESTDAG_DENSE_MOST] = {0}, alive = 0;
    for (int i = 0; i < SAMPLE; i++) {
        for (int k = 0; k < size; k++) { /* Floyd: uniform over sets */
            int top = d->levels->n - size + k;
            int place = (int)bestdag_random_below(&r, (uint64_t)top + 1), at;
            for (int j = 0; j < k; j++)
                if (set[j] == place)
                    place = top;
            for (at = k; at > 0 && set[at - 1] > place; at--)
                set[at] = set[at - 1];
            set[at] = place;
        }
        alive += may_be_alive(d, set, size,
                              (int)bestdag_random_below(&r, (uint64_t)size));
    }
    return (double)alive / SAMPLE;
}

/* Is a dense level cheaper than the families that may be alive? */
static bool is_cheap(const struct bestdag_dense *d, int size)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    double share = share_of_next(d, size), rows = (double)s->table->rows;
    double cells = PER_CELL * (double)((int64_t)1 << (size < 40 ? size : 40));
    double bytes =
        (double)bytes_of(d, size) / (double)bestdag_dense_sets(d, size);
    double bits = (double)s->columns->words * PER_WORD + cells;
    double set = bits < PER_ROW * rows ? bits : PER_ROW * rows;
    return set + PER_CHILD * size + PER_BYTE * bytes <
           size * share * (SPARSE_PER_ROW * rows + SPARSE_FAMILY);
}

static bool goes_on(struct bestdag_dense *d, int size)
{
    struct bestdag_run *run = d->levels->run;
    int64_t limit = bestdag_memory_limit(run);
    if (size > BESTDAG_DENSE_MOST ||
        size - 1 > bestdag_keys_most(&d->levels->keys) ||
        bestdag_dense_sets(d, size) > MOST_SETS)
        return false;
    if (size > 3 && d->levels->job->prune && !is_cheap(d, size))
        return false;
    int64_t room = limit ? limit / 2 : ROOM;
    return bytes_of(d, size) <= room;
}

/* Sums the counters of the workers. */
static void close_level(struct bestdag_dense *d)
{
    struct bestdag_levels *levels = d->levels;
    d->alive = 0;
    for (int i = 0; i < levels->threads; i++) {
        d->alive += d->worker[i].alive;
        d->worker[i].alive = 0;
    }
}

/* The number of blocks of the levels below, about; 0: too many. */
static int64_t blocks_before(const struct bestdag_dense *d, int size)
{
    double sets = 0;
    for (int s = 1; s < size && s <= BESTDAG_RANK_MOST; s++)
        sets += (double)bestdag_dense_sets(d, s) +
                (double)bestdag_dense_sets(d, s - 1) + BLOCK / 2.0;
    return sets < 1e15 ? (int64_t)(sets / BLOCK) : 0;
}

static int work_level(struct bestdag_dense *d, int size)
{
    struct bestdag_levels *levels = d->levels;
    int64_t done;
    d->size = size;
    d->last = size - 1 == levels->most;
    d->is_early = d->last && size > 1 && levels->kind == BESTDAG_PRUNE_PENALTY;
    if (make_arrays(d) || make_blocks(d))
        return bestdag_run_status(levels->run);
    struct bestdag_work w = {.job = d,
                             .items = d->blocks,
                             .work = work,
                             .take = take,
                             .before = blocks_before(d, size)};
    if (size == 1)
        bestdag_run_phase(levels->run, "counting",
                          blocks_before(d, levels->most + 2));
    if (d->last && levels->job->prune && bestdag_communicator_of(levels->run)) {
        d->worker_of = bestdag_calloc(levels->run, (size_t)d->blocks,
                                      sizeof *d->worker_of);
        w.pass = bestdag_dense_pass;
    }
    int status = bestdag_parallel(levels->run, &w, &done);
    close_level(d);
    if (!w.pass && !status) /* every rank did the level: were all stopped? */
        bestdag_collective_sync(levels->run, (uint64_t)size);
    d->is_partial = bestdag_run_stopped(levels->run);
    if (!status && d->is_partial)
        for (int x = 0; x < levels->n; x++)
            levels->incomplete[x] = levels->limit[x] < size - 1 ? -1 : size - 1;
    return status;
}

struct bestdag_dense *bestdag_dense_run(struct bestdag_levels *levels,
                                        int *next)
{
    struct bestdag_dense *d = dense_new(levels);
    int size = 1;
    for (; d && size - 1 <= levels->most && goes_on(d, size); size++) {
        if (work_level(d, size)) {
            bestdag_dense_free(d);
            return NULL;
        }
        if (d->is_partial || (levels->job->prune && !d->alive))
            size = levels->most + 1; /* no set to extend */
    }
    *next = size - 1;
    return d;
}

int bestdag_dense_tier(struct bestdag_run *run, const struct bestdag_dense *d,
                       int child, struct bestdag_tier *to)
{
    int set[BESTDAG_DENSE_MOST] = {0}, with[BESTDAG_DENSE_MOST + 1] = {0},
        parents = d->size - 1;
    /* without pruning there is none, and all sets are alive */
    const int64_t *best =
        d->best[parents % 2] ? bestdag_dense_bests(d, parents, child) : NULL;
    to->size = parents;
    for (int i = 0; i < parents; i++)
        set[i] = i;
    for (int64_t rank = 0; rank < bestdag_dense_sets(d, parents); rank++) {
        int i = 0, j = 0;
        bool inside = false;
        for (; i < parents; i++)
            inside |= set[i] == child;
        for (i = 0; i < parents && set[i] < child; i++)
            with[j++] = set[i];
        with[j++] = child;
        for (; i < parents; i++)
            with[j++] = set[i];
        if (!inside && (!best || best[rank] < BESTDAG_DEAD)) {
            int64_t joint = bestdag_dense_sums(d, parents, 0)[rank];
            int64_t all = bestdag_dense_sums(
                d, parents + 1, 0)[bestdag_rank(&d->ranks, with, parents + 1)];
            int64_t values[] = {best ? best[rank] : BESTDAG_NOTHING, joint,
                                all - joint};
            if (bestdag_tier_add(run, to, set, values))
                return BESTDAG_MEMORY;
        }
        bestdag_rank_next(d->levels->n, set, parents);
    }
    return BESTDAG_OK;
}
