/* SPDX-License-Identifier: MIT */
/* dense.c -- levels over all sets: each is counted once for all its members.
 *
 * Level m takes every set S of m variables; each member X has the rest P = S -
 * X as parents, and
 *
 *     local(X | P) = factor * (top(S) - bottom(P)) - penalty(X, P)
 *
 * is a difference of numbers at hand. Kept are the sums of the last three
 * sizes, and for each child and set of the last size the best score of that set
 * and its subsets (BESTDAG_DEAD if the set was given up), all in lexicographic
 * order. A set is taken as a prefix T and a last member l: in a loop over l
 * everything that is read lies side by side, for T - X + l too.
 *
 * Memory: 8 bytes a set and function, 8 bytes a set and child; at the last
 * level neither. Work is cut into blocks of prefixes; each number is written by
 * one block, so threads do not show. */
#include <limits.h>
#include <string.h>

#include "counts/cube.h"
#include "parallel/parallel.h"
#include "parents/levels.h"

enum {
    BLOCK = 1 << 13, /* sets in an item of work, about */
    DEEPEST = BESTDAG_CUBE_MOST
};

#define ABSENT BESTDAG_ABSENT
#define NOTHING (INT64_MIN / 4) /* best of no sets */

struct worker {
    struct bestdag_desk *desk;
    struct bestdag_cubes *cubes;
    int64_t *sum;   /* owns; [functions * n]: of T + l */
    int64_t *best;  /* owns; [(DEEPEST + 1) * n]: of members, and of l last */
    int32_t *cells; /* owns; [n]: that occur */
    int64_t scored, alive;
};

struct bestdag_dense {
    struct bestdag_levels *levels;
    struct bestdag_ranks ranks;
    struct bestdag_cube *cube; /* owns */
    int functions;
    int size;              /* of the sets of this level: m */
    bool last;             /* there is no level after this */
    int64_t *sum[3];       /* own; by size % 3: [functions][sets] */
    int64_t *best[2];      /* own; by parents % 2: [n][sets] */
    struct worker *worker; /* owns; [threads] */
    int *block;            /* owns; [blocks * (size - 1)]: first prefixes */
    int64_t *blocked;      /* owns; [blocks]: prefixes in it */
    int64_t blocks;
    int64_t alive; /* families of the last level */
    int *run;      /* owns; [n]: first place behind with more states */
};

/* A prefix, and what a worker needs to know of it. */
struct task {
    struct bestdag_dense *d;
    struct worker *w;
    struct bestdag_sheaf *sheaf; /* of the worker: [n] */
    int count;                   /* members of the prefix */
    int prefix[DEEPEST], place[DEEPEST], variable[DEEPEST];
    int from, to; /* l */
    /* Numbers of T and of T - i; and what l is added to for the numbers of
     * T + l, T - i + l and T - i - j + l. */
    int64_t rank, rank_less[DEEPEST];
    int64_t base, base_less[DEEPEST], base_two[DEEPEST][DEEPEST];
};

static int64_t sets(const struct bestdag_dense *d, int size)
{
    return bestdag_choose(&d->ranks, d->levels->n, size);
}

static int64_t *sums_of(const struct bestdag_dense *d, int size, int function)
{
    return d->sum[size % 3] + function * sets(d, size);
}

static int64_t *bests_of(const struct bestdag_dense *d, int parents, int child)
{
    return d->best[parents % 2] + child * sets(d, parents);
}

static int drop(const int *set, int count, int which, int *to)
{
    for (int i = 0, j = 0; i < count; i++)
        if (i != which)
            to[j++] = set[i];
    return count - 1;
}

static void find_numbers(struct task *t)
{
    const struct bestdag_ranks *r = &t->d->ranks;
    int one[DEEPEST], two[DEEPEST], count = t->count;
    t->rank = bestdag_rank(r, t->prefix, count);
    t->base = bestdag_rank_base(r, t->prefix, count);
    for (int i = 0; i < count; i++) {
        drop(t->prefix, count, i, one);
        t->rank_less[i] = bestdag_rank(r, one, count - 1);
        t->base_less[i] = bestdag_rank_base(r, one, count - 1);
        for (int j = i + 1; j < count; j++) {
            drop(one, count - 1, j - 1, two);
            t->base_two[i][j] = t->base_two[j][i] =
                bestdag_rank_base(r, two, count - 2);
        }
    }
}

/* ---- counting -------------------------------------------------------- */

/* Adds the terms of the slab's cells for l from .. to - 1, which all have
 * `states` states. */
static void add_cells(const struct bestdag_slab *slab, int z, int lots,
                      int states, const struct bestdag_terms *terms,
                      int64_t *restrict sum)
{
    const int64_t *restrict value = terms->value;
    for (int e = 0; e < slab->cells; e++) {
        const int32_t *restrict row = slab->row[e] + z;
        int32_t total = slab->total[e];
        if (!total)
            continue;
        if (states == 2 && total < terms->limit)
            for (int i = 0; i < lots; i++)
                sum[i] += value[row[i]] + value[total - row[i]];
        else if (states == 3 && total < terms->limit)
            for (int i = 0; i < lots; i++, row += 2)
                sum[i] += value[row[0]] + value[row[1]] +
                          value[total - row[0] - row[1]];
        else
            for (int i = 0; i < lots; i++) {
                int32_t rest = total;
                for (int k = 1; k < states; k++, row++) {
                    sum[i] += bestdag_terms_at(terms, *row);
                    rest -= *row;
                }
                sum[i] += bestdag_terms_at(terms, rest);
            }
    }
}

static void count_cells(const struct bestdag_slab *slab, int z, int lots,
                        int states, int32_t *restrict cells)
{
    for (int e = 0; e < slab->cells; e++) {
        const int32_t *restrict row = slab->row[e] + z;
        int32_t total = slab->total[e];
        if (!total)
            continue;
        for (int i = 0; i < lots; i++) {
            int32_t rest = total;
            for (int k = 1; k < states; k++, row++) {
                cells[i] += *row != 0;
                rest -= *row;
            }
            cells[i] += rest != 0;
        }
    }
}

/* Is function f needed at this level? Bottoms are not at the last. */
static bool is_wanted(const struct bestdag_dense *d, int f)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    if (!d->last || d->functions == 1)
        return true;
    for (int v = 0; v < s->n; v++)
        if (s->top[v] == f)
            return true;
    return false;
}

/* One past the last l, from `l` on, that has as many states. */
static int same_states(const struct task *t, int l, int end)
{
    return t->d->run[l] < end ? t->d->run[l] : end;
}

static int sum_slab(struct task *t, const struct bestdag_slab *slab)
{
    const struct bestdag_levels *levels = t->d->levels;
    const struct bestdag_scorer *s = levels->scorer;
    const int *first = s->columns->first;
    double joint = bestdag_scorer_joint_states(s, t->variable, t->count);
    for (int l = t->from, end, cut = slab->cut - levels->from; l < cut;
         l = end) {
        int states = bestdag_levels_states(levels, l);
        int z = first[levels->from + l] - first[slab->from];
        end = same_states(t, l, cut);
        for (int f = 0; f < t->d->functions; f++) {
            const struct bestdag_terms *terms =
                bestdag_scorer_terms(s, f, joint * states);
            if (!terms)
                return BESTDAG_MEMORY;
            if (is_wanted(t->d, f))
                add_cells(slab, z, end - l, states, terms,
                          t->w->sum + f * levels->n + l);
        }
        if (levels->kind == BESTDAG_PRUNE_URN)
            count_cells(slab, z, end - l, states, t->w->cells + l);
    }
    return BESTDAG_OK;
}

/* One set by the tally: T + l. */
static int sum_one(struct task *t, int l)
{
    const struct bestdag_levels *levels = t->d->levels;
    const struct bestdag_scorer *s = levels->scorer;
    struct bestdag_tally *tally = bestdag_desk_tally(t->w->desk);
    int variable = bestdag_levels_variable(levels, l);
    double joint = bestdag_scorer_joint_states(s, t->variable, t->count) *
                   s->states[variable];
    if (bestdag_tally_path(tally, t->variable, t->count))
        return BESTDAG_MEMORY;
    for (int f = 0; f < t->d->functions; f++) {
        const struct bestdag_terms *terms = bestdag_scorer_terms(s, f, joint);
        int64_t cells;
        if (!terms || bestdag_tally_sum(tally, variable, &terms, 1,
                                        &t->w->sum[f * levels->n + l], &cells))
            return BESTDAG_MEMORY;
        t->w->cells[l] = (int32_t)cells;
    }
    return BESTDAG_OK;
}

static bool is_alive(const struct task *t, int l)
{
    int n = t->d->levels->n;
    if (!t->d->levels->job->prune)
        return true;
    for (int i = 0; i <= t->count; i++)
        if (t->w->best[i * n + l] < BESTDAG_DEAD)
            return true;
    return false;
}

/* The sums of T + l for all l. */
static int count(struct task *t)
{
    const struct bestdag_levels *levels = t->d->levels;
    int n = levels->n, lots = t->to - t->from;
    struct bestdag_slab slab;
    for (int f = 0; f < t->d->functions; f++)
        memset(t->w->sum + f * n + t->from, 0, (size_t)lots * sizeof(int64_t));
    memset(t->w->cells + t->from, 0, (size_t)lots * sizeof(int32_t));
    if (bestdag_cubes_count(t->w->cubes, t->place, t->count, &slab) ||
        sum_slab(t, &slab))
        return BESTDAG_MEMORY;
    for (int l = slab.cut - levels->from; l < t->to; l++)
        if (!is_alive(t, l))
            for (int f = 0; f < t->d->functions; f++)
                t->w->sum[f * n + l] = ABSENT;
        else if (sum_one(t, l))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

/* ---- the best of subsets --------------------------------------------- */

/* For member x of T as the child of T - x + l: into best[x * n + l]. */
static void best_of_member(const struct task *t, int x)
{
    const int64_t *best = bests_of(t->d, t->count - 1, t->prefix[x]);
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
}

/* For l as the child of T. */
static void best_of_last(const struct task *t)
{
    const struct bestdag_dense *d = t->d;
    int64_t *to = t->w->best + t->count * d->levels->n;
    for (int l = t->from; l < t->to; l++)
        to[l] = NOTHING;
    for (int y = 0; y < t->count; y++) {
        int64_t sets_before = sets(d, t->count - 1);
        const int64_t *best =
            bests_of(d, t->count - 1, t->from) + t->rank_less[y];
        for (int l = t->from; l < t->to; l++, best += sets_before)
            to[l] = *best > to[l] ? *best : to[l];
    }
}

/* ---- families -------------------------------------------------------- */

/* A child and its parents A + l, or T for l itself, while l runs over places
 * with the same number of states. */
/* The entropy rule for one parent Y, R = P - Y: where the sums of R and R + X
 * are; those that change with l are indexed by it. */
struct rule {
    const int64_t *r, *rx;
    bool r_moves, rx_moves;
    double cost; /* of Y on top of R, in units, but for the states of l */
    int64_t now; /* with them */
    bool has_l;  /* R has l in it; else Y is l, or l is the child */
};

struct families {
    struct task *t;
    int x;             /* member of T that is the child; count: l is */
    int rest[DEEPEST]; /* T without it */
    int rest_variable[DEEPEST];
    int count; /* of rest */
    int64_t penalty;
    uint64_t key;         /* of rest */
    const int64_t *below; /* sums of the parents, by l; or of T */
    struct rule rule[DEEPEST + 1];
    int rules;
};

static int child_of(const struct families *f, int l)
{
    return f->x < f->t->count ? f->t->prefix[f->x] : l;
}

/* The sum of a set that was skipped when its turn was; rare. */
static int64_t sum_now(struct families *f, int l)
{
    struct task *t = f->t;
    struct task other = {.d = t->d, .w = t->w, .count = f->count};
    int last = l, n = t->d->levels->n;
    const struct bestdag_scorer *s = t->d->levels->scorer;
    memcpy(other.variable, f->rest_variable, sizeof other.variable);
    if (f->x == t->count) /* the parents are T itself */
        last = f->rest[--other.count];
    int child = bestdag_levels_variable(t->d->levels, child_of(f, l));
    int function = s->functions ? s->bottom[child] : 0;
    int64_t *slot = &t->w->sum[function * n + last], kept[64];
    int32_t cells = t->w->cells[last];
    for (int i = 0; i < t->d->functions && i < 64; i++)
        kept[i] = t->w->sum[i * n + last];
    int64_t value = sum_one(&other, last) ? ABSENT : *slot;
    for (int i = 0; i < t->d->functions && i < 64; i++)
        t->w->sum[i * n + last] = kept[i];
    t->w->cells[last] = cells;
    return value;
}

static int64_t parents_sum(struct families *f, int l)
{
    int64_t sum = f->x < f->t->count ? f->below[l] : *f->below;
    return sum == ABSENT ? sum_now(f, l) : sum;
}

/* Child x of T, parents T - x + l; or child l, parents T (x = count). */
static void make_rules(struct families *f)
{
    const struct task *t = f->t;
    const struct bestdag_dense *d = t->d;
    bool is_last = f->x == t->count;
    const int64_t *before = sums_of(d, d->size - 1, 0), *two_before = before;
    double joint = 1; /* states of the rest of T */
    if (d->size > 1)
        two_before = sums_of(d, d->size - 2, 0);
    for (int i = 0; i < f->count; i++)
        joint *= bestdag_levels_states(d->levels, f->rest[i]);
    for (int y = 0; y < t->count; y++) {
        if (y == f->x)
            continue;
        int states = bestdag_levels_states(d->levels, t->prefix[y]);
        int64_t r = is_last ? t->rank_less[y] : t->base_two[f->x][y];
        f->rule[f->rules++] =
            (struct rule){.r = two_before + r,
                          .rx = before + t->base_less[y],
                          .r_moves = !is_last,
                          .rx_moves = true,
                          .has_l = !is_last,
                          .cost = joint / states * (states - 1)};
    }
    if (!is_last) /* Y is l */
        f->rule[f->rules++] =
            (struct rule){.r = two_before + t->rank_less[f->x],
                          .rx = before + t->rank,
                          .cost = joint};
}

/* Once the states of l are known. */
static void price_rules(struct families *f, int l)
{
    const struct bestdag_levels *levels = f->t->d->levels;
    int l_states = bestdag_levels_states(levels, l);
    int x_states = bestdag_levels_states(levels, child_of(f, l));
    for (int i = 0; i < f->rules; i++) {
        struct rule *rule = &f->rule[i];
        double joint = rule->cost;
        if (rule->has_l)
            joint *= l_states;
        else if (!rule->rx_moves)
            joint *= l_states - 1;
        rule->now = bestdag_cost_on_top(levels->scorer, x_states, 2, joint);
    }
}

/* Any Y of the parents, whose own sum is `parents`. */
static bool is_dead_by_entropy(const struct families *f, int l, int64_t parents)
{
    for (int i = 0; i < f->rules; i++) {
        const struct rule *rule = &f->rule[i];
        int64_t r = rule->r[rule->r_moves ? l : 0];
        int64_t rx = rule->rx[rule->rx_moves ? l : 0];
        if (r != ABSENT && bestdag_prune_by_entropy(r, rx, parents, rule->now))
            return true;
    }
    return false;
}

static bool is_dead(struct families *f, int l, int64_t best, int64_t parents)
{
    const struct bestdag_levels *levels = f->t->d->levels;
    int size = f->t->d->size, child = child_of(f, l);
    if (levels->kind == BESTDAG_PRUNE_PENALTY)
        return bestdag_prune_by_penalty(f->penalty, best) ||
               is_dead_by_entropy(f, l, parents);
    if (levels->kind == BESTDAG_PRUNE_URN)
        return best >= bestdag_urn_bound(levels->scorer,
                                         bestdag_levels_variable(levels, child),
                                         size - 1, f->t->w->cells[l]);
    return false;
}

static inline uint64_t key_with(const struct families *f, int l)
{
    return f->x < f->t->count
               ? bestdag_key_add(&f->t->d->levels->keys, f->key, f->count, l)
               : f->key;
}

static int keep(const struct families *f, int l, int64_t score)
{
    struct bestdag_sheaf *sheaf = &f->t->sheaf[child_of(f, l)];
    if (bestdag_sheaf_reserve(f->t->d->levels->run, sheaf, 1))
        return BESTDAG_MEMORY;
    sheaf->found[sheaf->count++] =
        (struct bestdag_found){.score = score, .key = key_with(f, l)};
    return BESTDAG_OK;
}

static int64_t *best_slot(const struct families *f, int l)
{
    const struct bestdag_dense *d = f->t->d;
    const struct task *t = f->t;
    if (d->last)
        return NULL;
    return f->x < t->count ? bests_of(d, d->size - 1, t->prefix[f->x]) +
                                 t->base_less[f->x] + l
                           : bests_of(d, d->size - 1, l) + t->rank;
}

/* With pruning, for l in from .. to - 1. */
static int score_pruned(struct families *f, int from, int to)
{
    struct task *t = f->t;
    const struct bestdag_scorer *s = t->d->levels->scorer;
    int n = t->d->levels->n;
    const int64_t *best = t->w->best + f->x * n;
    int64_t *slot = best_slot(f, from);
    int64_t step = f->x < t->count ? 1 : sets(t->d, t->d->size - 1);
    for (int l = from; l < to; l++, slot += slot ? step : 0) {
        int child = bestdag_levels_variable(t->d->levels, child_of(f, l));
        int64_t now = best[l], below;
        if (now < BESTDAG_DEAD) {
            below = parents_sum(f, l);
            if (below == ABSENT)
                return BESTDAG_MEMORY;
            if (f->penalty >= BESTDAG_UNITS_MOST || is_dead(f, l, now, below))
                now = BESTDAG_DEAD;
        }
        if (now < BESTDAG_DEAD) {
            int64_t top = t->w->sum[(s->functions ? s->top[child] : 0) * n + l];
            int64_t score = s->factor * (top - below) - f->penalty;
            t->w->scored++;
            t->w->alive++;
            if (score > now) {
                now = score;
                if (keep(f, l, score))
                    return BESTDAG_MEMORY;
            }
        } else if (best[l] < BESTDAG_DEAD) {
            t->w->scored += t->d->levels->kind == BESTDAG_PRUNE_URN;
        }
        if (slot)
            *slot = now;
    }
    return BESTDAG_OK;
}

/* Without: every set is kept. The child is a member of T. */
static int score_member(struct families *f, int from, int to)
{
    const struct bestdag_dense *d = f->t->d;
    const struct bestdag_scorer *s = d->levels->scorer;
    int v = f->t->variable[f->x], n = d->levels->n;
    struct bestdag_sheaf *sheaf = &f->t->sheaf[f->t->prefix[f->x]];
    const int64_t *top = f->t->w->sum + (s->functions ? s->top[v] : 0) * n;
    if (f->penalty >= BESTDAG_UNITS_MOST)
        return BESTDAG_OK;
    if (bestdag_sheaf_reserve(d->levels->run, sheaf, to - from))
        return BESTDAG_MEMORY;
    struct bestdag_found *at = sheaf->found + sheaf->count;
    for (int l = from; l < to; l++)
        *at++ = (struct bestdag_found){
            .score = s->factor * (top[l] - f->below[l]) - f->penalty,
            .key = key_with(f, l)};
    sheaf->count += to - from;
    f->t->w->scored += to - from;
    f->t->w->alive += to - from;
    return BESTDAG_OK;
}

static int score_last(struct families *f, int from, int to)
{
    const struct bestdag_dense *d = f->t->d;
    const struct bestdag_scorer *s = d->levels->scorer;
    int n = d->levels->n;
    if (f->penalty >= BESTDAG_UNITS_MOST)
        return BESTDAG_OK;
    for (int l = from; l < to; l++) {
        int v = bestdag_levels_variable(d->levels, l);
        int64_t top = f->t->w->sum[(s->functions ? s->top[v] : 0) * n + l];
        if (keep(f, l, s->factor * (top - *f->below) - f->penalty))
            return BESTDAG_MEMORY;
    }
    f->t->w->scored += to - from;
    f->t->w->alive += to - from;
    return BESTDAG_OK;
}

/* Sets what depends on the states of l, and on l itself where it is the child:
 * one past the last l for which it holds. */
static int prepare_run(struct families *f, int l)
{
    const struct task *t = f->t;
    const struct bestdag_dense *d = t->d;
    const struct bestdag_scorer *s = d->levels->scorer;
    bool is_last = f->x == t->count;
    int end = same_states(t, l, t->to), count = f->count;
    int child = bestdag_levels_variable(d->levels, child_of(f, l));
    int bottom = s->functions ? s->bottom[child] : 0;
    if (is_last) {
        f->below = sums_of(d, d->size - 1, bottom) + t->rank;
        /* base and functions belong to a child */
        if (s->type->pruning == BESTDAG_PRUNE_DOMINATED || s->functions > 1)
            end = l + 1;
    } else {
        f->rest_variable[count++] = bestdag_levels_variable(d->levels, l);
        f->below = sums_of(d, d->size - 1, bottom) + t->base_less[f->x];
    }
    f->penalty = bestdag_scorer_penalty(s, child, f->rest_variable, count);
    price_rules(f, l);
    return end;
}

static int score_families(struct task *t, int x)
{
    struct families f; /* large: not cleared */
    bool prune = t->d->levels->job->prune;
    f.t = t;
    f.x = x;
    f.key = 0;
    f.rules = 0;
    if (x < t->count) {
        f.count = drop(t->prefix, t->count, x, f.rest);
    } else {
        memcpy(f.rest, t->prefix, sizeof f.rest);
        f.count = t->count;
    }
    for (int i = 0; i < f.count; i++) {
        f.rest_variable[i] = bestdag_levels_variable(t->d->levels, f.rest[i]);
        f.key = bestdag_key_add(&t->d->levels->keys, f.key, i, f.rest[i]);
    }
    if (t->d->levels->kind == BESTDAG_PRUNE_PENALTY)
        make_rules(&f);
    f.key |= bestdag_key_end(&t->d->levels->keys, t->count);
    for (int l = t->from, end; l < t->to; l = end) {
        end = prepare_run(&f, l);
        int status = prune          ? score_pruned(&f, l, end)
                     : x < t->count ? score_member(&f, l, end)
                                    : score_last(&f, l, end);
        if (status)
            return status;
    }
    return BESTDAG_OK;
}

static int work_prefix(struct task *t)
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
        for (int x = 0; x < t->count; x++)
            best_of_member(t, x);
        best_of_last(t);
    }
    if (count(t))
        return BESTDAG_MEMORY;
    if (!d->last)
        for (int f = 0; f < d->functions; f++)
            memcpy(sums_of(d, d->size, f) + t->from + t->base,
                   t->w->sum + f * levels->n + t->from,
                   (size_t)(t->to - t->from) * sizeof(int64_t));
    for (int x = 0; x <= t->count; x++)
        if (score_families(t, x))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

static int work(void *job, int64_t item, int worker)
{
    struct bestdag_dense *d = job;
    int count = d->size - 1;
    struct task t = {.d = d,
                     .w = &d->worker[worker],
                     .sheaf = d->levels->sheaf + worker * d->levels->n,
                     .count = count};
    if (count)
        memcpy(t.prefix, d->block + item * count,
               (size_t)count * sizeof *t.prefix);
    for (int64_t i = 0; i < d->blocked[item]; i++) {
        if (bestdag_run_stopped(d->levels->run))
            return BESTDAG_OK;
        if ((!count || t.prefix[count - 1] < d->levels->n - 1) &&
            work_prefix(&t))
            return BESTDAG_MEMORY;
        bestdag_rank_next(d->levels->n, t.prefix, count);
    }
    return BESTDAG_OK;
}

/* ---- levels ---------------------------------------------------------- */

/* Blocks of prefixes with about the same number of sets. Counts them first. */
static int64_t cut_blocks(struct bestdag_dense *d)
{
    int set[DEEPEST], count = d->size - 1, n = d->levels->n;
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

/* Bytes of the arrays of a level that is not the last. */
static int64_t bytes_of(const struct bestdag_dense *d, int size)
{
    int64_t sums = times(8 * d->functions, sets(d, size));
    int64_t bests = times(8 * d->levels->n, sets(d, size - 1));
    if (!d->levels->job->prune)
        bests = 0;
    if (sums + bests > (int64_t)1 << 44)
        return sums + bests;
    return sums + bests + bestdag_cube_bytes(d->cube, size);
}

static int make_arrays(struct bestdag_dense *d)
{
    struct bestdag_run *run = d->levels->run;
    int size = d->size, sum = size % 3, best = (size - 1) % 2;
    if (bestdag_cube_level(run, d->cube, size, !d->last))
        return BESTDAG_MEMORY;
    if (d->last)
        return BESTDAG_OK;
    bestdag_free(d->sum[sum]);
    d->sum[sum] = bestdag_alloc(run, (size_t)(d->functions * sets(d, size)) *
                                         sizeof(int64_t));
    if (!d->sum[sum])
        return BESTDAG_MEMORY;
    if (!d->levels->job->prune)
        return BESTDAG_OK;
    bestdag_free(d->best[best]);
    /* zero: sets that contain the child are never looked at */
    d->best[best] = bestdag_calloc(
        run, (size_t)(d->levels->n * sets(d, size - 1)), sizeof(int64_t));
    return d->best[best] ? BESTDAG_OK : BESTDAG_MEMORY;
}

/* The sums of the empty set. */
static int make_root(struct bestdag_dense *d)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    d->sum[0] =
        bestdag_alloc(d->levels->run, (size_t)d->functions * sizeof(int64_t));
    for (int f = 0; d->sum[0] && f < d->functions; f++) {
        const struct bestdag_terms *t = bestdag_scorer_terms(s, f, 1);
        if (!t)
            return BESTDAG_MEMORY;
        d->sum[0][f] = bestdag_terms_at(t, s->total);
    }
    return d->sum[0] ? BESTDAG_OK : BESTDAG_MEMORY;
}

static int make_worker(struct bestdag_dense *d, struct worker *w)
{
    struct bestdag_run *run = d->levels->run;
    size_t n = (size_t)d->levels->n;
    w->desk = bestdag_desk_new(run, d->levels->scorer);
    w->cubes = bestdag_cubes_new(run, d->cube);
    w->sum = bestdag_alloc(run, n * (size_t)d->functions * sizeof *w->sum);
    w->best = bestdag_alloc(run, n * (DEEPEST + 1) * sizeof *w->best);
    w->cells = bestdag_alloc(run, n * sizeof *w->cells);
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
    d->cube = bestdag_cube_new(run, levels->scorer->columns, levels->from);
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
        bestdag_desk_free(d->worker[i].desk);
        bestdag_cubes_free(d->worker[i].cubes);
        bestdag_free(d->worker[i].sum);
        bestdag_free(d->worker[i].best);
        bestdag_free(d->worker[i].cells);
    }
    for (int i = 0; i < 3; i++)
        bestdag_free(d->sum[i]);
    for (int i = 0; i < 2; i++)
        bestdag_free(d->best[i]);
    bestdag_cube_free(d->cube);
    bestdag_free(d->worker);
    bestdag_free(d->block);
    bestdag_free(d->blocked);
    bestdag_free(d->ranks.choose);
    bestdag_free(d->run);
    bestdag_free(d);
}

/* What all sets of the next level cost against the families alive. */
static bool is_cheap(const struct bestdag_dense *d, int size)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    double families = (double)sets(d, size - 1) * (size - 1);
    double share = (double)d->alive / families, rows = (double)s->table->rows;
    double cells = 4.0 * (double)((int64_t)1 << (size < 40 ? size : 40));
    double bits = (double)s->columns->words * 0.3 + cells;
    double set = bits < 1.5 * rows ? bits : 1.5 * rows;
    return set + 20.0 * size < size * share * (2.5 * rows + 500);
}

static bool goes_on(struct bestdag_dense *d, int size)
{
    struct bestdag_run *run = d->levels->run;
    int64_t limit = bestdag_memory_limit(run);
    bool is_last = size - 1 == d->levels->most;
    if (size > DEEPEST || size - 1 > bestdag_keys_most(&d->levels->keys) ||
        sets(d, size) > (int64_t)1 << 34)
        return false;
    if (size > 3 && d->levels->job->prune && !is_cheap(d, size))
        return false;
    int64_t room = limit ? limit / 2 : (int64_t)8 << 30;
    return is_last || bytes_of(d, size) <= room;
}

/* Adds up what the workers did at a level. */
static void close_level(struct bestdag_dense *d)
{
    struct bestdag_levels *levels = d->levels;
    d->alive = 0;
    for (int i = 0; i < levels->threads; i++) {
        d->alive += d->worker[i].alive;
        levels->scored += d->worker[i].scored;
        d->worker[i].alive = d->worker[i].scored = 0;
    }
}

/* Where every set is kept it is known how many there will be. */
static int reserve_sheaves(struct bestdag_dense *d)
{
    const struct bestdag_levels *levels = d->levels;
    int threads = levels->threads;
    int64_t all = bestdag_choose(&d->ranks, levels->n - 1, d->size - 1);
    if (levels->job->prune)
        return BESTDAG_OK;
    for (int64_t i = 0; i < (int64_t)threads * levels->n; i++)
        if (bestdag_sheaf_reserve(levels->run, &levels->sheaf[i],
                                  all / threads + 1))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

static int work_level(struct bestdag_dense *d, int size)
{
    struct bestdag_levels *levels = d->levels;
    int64_t done;
    d->size = size;
    d->last = size - 1 == levels->most;
    if (make_arrays(d) || make_blocks(d) || reserve_sheaves(d))
        return bestdag_run_status(levels->run);
    struct bestdag_work w = {.job = d, .items = d->blocks, .work = work};
    bestdag_run_phase(levels->run, "scoring", d->blocks);
    int status = bestdag_parallel(levels->run, &w, &done);
    close_level(d);
    if (!status && bestdag_run_stopped(levels->run))
        for (int x = 0; x < levels->n; x++)
            levels->incomplete[x] = size - 1;
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
        if (bestdag_run_stopped(levels->run) || !d->alive)
            size = levels->most + 1; /* there is nothing to go on with */
    }
    *next = size - 1;
    return d;
}

int bestdag_dense_tier(struct bestdag_run *run, const struct bestdag_dense *d,
                       int child, struct bestdag_tier *to)
{
    int set[DEEPEST], with[DEEPEST + 1], parents = d->size - 1;
    const int64_t *best = bests_of(d, parents, child);
    to->size = parents;
    for (int i = 0; i < parents; i++)
        set[i] = i;
    for (int64_t rank = 0; rank < sets(d, parents); rank++) {
        int i = 0, j = 0;
        bool inside = false;
        for (; i < parents; i++)
            inside |= set[i] == child;
        for (i = 0; i < parents && set[i] < child; i++)
            with[j++] = set[i];
        with[j++] = child;
        for (; i < parents; i++)
            with[j++] = set[i];
        if (!inside && best[rank] < BESTDAG_DEAD) {
            int64_t joint = sums_of(d, parents, 0)[rank];
            int64_t all = sums_of(
                d, parents + 1, 0)[bestdag_rank(&d->ranks, with, parents + 1)];
            int64_t values[] = {best[rank], joint, all - joint};
            if (bestdag_tier_add(run, to, set, values))
                return BESTDAG_MEMORY;
        }
        bestdag_rank_next(d->levels->n, set, parents);
    }
    return BESTDAG_OK;
}
