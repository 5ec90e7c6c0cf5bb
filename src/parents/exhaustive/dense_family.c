/* SPDX-License-Identifier: MIT */
/* dense_family.c -- the families of all sets T + l of a prefix T: scores as
 * differences of known sums, and the pruning of families. See dense.c. */
#include <string.h>

#include "parents/exhaustive/dense.h"

/* The entropy rule for one parent Y, with R = P - Y: the sums of R and R + X;
 * those that depend on l are indexed by it. */
struct rule {
    const int64_t *r, *rx;
    bool r_moves, rx_moves;
    double cost;  /* of Y on top of R, in units, without the states of l */
    int64_t now;  /* with the states of l */
    int64_t more; /* and with the fewest states of one more parent */
    bool has_l;   /* l is in R; else l is Y, or the child */
};

/* A child and its parents A + l, or T for child l, for places l with equally
 * many states. */
struct families {
    struct bestdag_dense_task *t;
    int x; /* member of T that is the child; count: l is */
    int rest[BESTDAG_DENSE_MOST]; /* T without the child */
    int rest_variable[BESTDAG_DENSE_MOST];
    int count; /* of rest */
    int64_t penalty;
    int64_t penalty_more; /* lower bound for proper supersets */
    uint64_t key;         /* of rest */
    const int64_t *below; /* sums of the parents, by l; or of T */
    struct rule *rule;    /* borrowed; [BESTDAG_DENSE_MOST] */
    int rules;
};

static int child_of(const struct families *f, int l)
{
    return f->x < f->t->count ? f->t->prefix[f->x] : l;
}

/* The sum of a set that was skipped before; rare. */
static int64_t sum_now(struct families *f, int l)
{
    struct bestdag_dense_task *t = f->t;
    struct bestdag_dense_task other = {.d = t->d, .w = t->w, .count = f->count};
    int last = l, n = t->d->levels->n;
    const struct bestdag_scorer *s = t->d->levels->scorer;
    memcpy(other.variable, f->rest_variable, sizeof other.variable);
    if (f->x == t->count) /* the parents are T itself */
        last = f->rest[--other.count];
    int child = bestdag_levels_variable(t->d->levels, child_of(f, l));
    int function = s->functions ? s->bottom[child] : 0;
    int64_t *slot = &t->w->sum[function * n + last];
    int64_t kept[64] = {0};
    int32_t cells = t->w->cells[last];
    for (int i = 0; i < t->d->functions && i < 64; i++)
        kept[i] = t->w->sum[i * n + last];
    int64_t value =
        bestdag_dense_sum_one(&other, last) ? BESTDAG_ABSENT : *slot;
    for (int i = 0; i < t->d->functions && i < 64; i++)
        t->w->sum[i * n + last] = kept[i];
    t->w->cells[last] = cells;
    return value;
}

static int64_t parents_sum(struct families *f, int l)
{
    int64_t sum = f->x < f->t->count ? f->below[l] : *f->below;
    return sum == BESTDAG_ABSENT ? sum_now(f, l) : sum;
}

/* For child x of T and parents T - x + l, or child l and parents T (x =
 * count). */
static void make_rules(struct families *f)
{
    const struct bestdag_dense_task *t = f->t;
    const struct bestdag_dense *d = t->d;
    bool is_last = f->x == t->count;
    const int64_t *before = bestdag_dense_sums(d, d->size - 1, 0),
                  *two_before = before;
    double joint = 1; /* states of the rest of T */
    if (d->size > 1)
        two_before = bestdag_dense_sums(d, d->size - 2, 0);
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

/* To be called when the states of l are known. */
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
        rule->more = bestdag_levels_cost_with_more(levels, x_states, 2, joint);
    }
}

/* Is the family dead because of some parent Y? `parents` is the sum of the
 * parents. with_more: for supersets with another parent. */
static bool is_dead_by_entropy(const struct families *f, int l, int64_t parents,
                               bool with_more)
{
    for (int i = 0; i < f->rules; i++) {
        const struct rule *rule = &f->rule[i];
        int64_t r = rule->r[rule->r_moves ? l : 0];
        int64_t rx = rule->rx[rule->rx_moves ? l : 0];
        if (r != BESTDAG_ABSENT &&
            bestdag_prune_by_entropy(r, rx, parents,
                                     with_more ? rule->more : rule->now))
            return true;
    }
    return false;
}

/* Are all proper supersets excluded, whatever happens to the set itself? `best`
 * includes its own score. See pruning.h. */
static bool is_barren(const struct families *f, int l, int64_t best,
                      int64_t parents)
{
    return f->t->d->levels->kind == BESTDAG_PRUNE_PENALTY &&
           (bestdag_prune_by_penalty(f->penalty_more, best) ||
            is_dead_by_entropy(f, l, parents, true));
}

static bool is_dead(struct families *f, int l, int64_t best, int64_t parents)
{
    const struct bestdag_levels *levels = f->t->d->levels;
    int size = f->t->d->size, child = child_of(f, l);
    if (f->t->d->is_early)
        return false;
    if (levels->kind == BESTDAG_PRUNE_PENALTY)
        return bestdag_prune_by_penalty(f->penalty, best) ||
               is_dead_by_entropy(f, l, parents, false);
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
    struct bestdag_scored_sets *scored_sets =
        &f->t->scored_sets[child_of(f, l)];
    if (bestdag_scored_sets_reserve(f->t->d->levels->run, scored_sets, 1))
        return BESTDAG_MEMORY;
    scored_sets->found[scored_sets->count++] =
        (struct bestdag_scored_set){.score = score, .key = key_with(f, l)};
    f->t->w->kept++;
    return BESTDAG_OK;
}

static int64_t *best_slot(const struct families *f, int l)
{
    const struct bestdag_dense *d = f->t->d;
    const struct bestdag_dense_task *t = f->t;
    if (d->last)
        return NULL;
    return f->x < t->count
               ? bestdag_dense_bests(d, d->size - 1, t->prefix[f->x]) +
                     t->base_less[f->x] + l
               : bestdag_dense_bests(d, d->size - 1, l) + t->rank;
}

/* Scores all l in from .. to - 1. */
static int score_all(struct families *f, int from, int to)
{
    struct bestdag_dense_task *t = f->t;
    const struct bestdag_scorer *s = t->d->levels->scorer;
    int n = t->d->levels->n;
    const int64_t *best = t->w->best + f->x * n;
    int64_t *slot = best_slot(f, from);
    int64_t step =
        f->x < t->count ? 1 : bestdag_dense_sets(t->d, t->d->size - 1);
    for (int l = from; l < to; l++, slot = slot ? slot + step : NULL) {
        int child = bestdag_levels_variable(t->d->levels, child_of(f, l));
        int64_t now = best[l], below;
        if (now < BESTDAG_DEAD) {
            below = parents_sum(f, l);
            if (below == BESTDAG_ABSENT)
                return BESTDAG_MEMORY;
            if (f->penalty >= BESTDAG_UNITS_MOST || is_dead(f, l, now, below))
                now = BESTDAG_DEAD;
        }
        if (now < BESTDAG_DEAD) {
            int64_t top = t->w->sum[(s->functions ? s->top[child] : 0) * n + l];
            int64_t score = s->factor * (top - below) - f->penalty;
            t->w->scored++;
            if (score > now) {
                now = score;
                if (keep(f, l, score))
                    return BESTDAG_MEMORY;
            }
            if (slot && is_barren(f, l, now, below))
                now = BESTDAG_DEAD;
            else
                t->w->alive++;
        } else if (best[l] < BESTDAG_DEAD) {
            t->w->scored += t->d->levels->kind == BESTDAG_PRUNE_URN;
        }
        if (slot)
            *slot = now;
    }
    return BESTDAG_OK;
}

/* Sets what depends on the states of l, and on l itself if it is the child;
 * returns the end of the range of l for which that holds. */
static int prepare_run(struct families *f, int l)
{
    const struct bestdag_dense_task *t = f->t;
    const struct bestdag_dense *d = t->d;
    const struct bestdag_scorer *s = d->levels->scorer;
    bool is_last = f->x == t->count;
    int end = bestdag_dense_same(t, l, t->to), count = f->count;
    int child = bestdag_levels_variable(d->levels, child_of(f, l));
    int bottom = s->functions ? s->bottom[child] : 0;
    if (is_last) {
        f->below = bestdag_dense_sums(d, d->size - 1, bottom) + t->rank;
        /* base and functions depend on the child */
        if (s->pruning == BESTDAG_PRUNE_DOMINATED || s->functions > 1)
            end = l + 1;
    } else {
        f->rest_variable[count++] = bestdag_levels_variable(d->levels, l);
        f->below =
            bestdag_dense_sums(d, d->size - 1, bottom) + t->base_less[f->x];
    }
    f->penalty = bestdag_scorer_penalty(s, child, f->rest_variable, count);
    if (d->levels->kind == BESTDAG_PRUNE_PENALTY)
        f->penalty_more = bestdag_levels_penalty_more(
            d->levels, child, f->penalty,
            bestdag_scorer_joint_states(s, f->rest_variable, count));
    price_rules(f, l);
    return end;
}

int bestdag_dense_score(struct bestdag_dense_task *t, int x)
{
    struct rule rule[BESTDAG_DENSE_MOST]; /* large: only filled as far as
                                             used */
    struct families f = {.t = t, .x = x, .rule = rule};
    if (x < t->count) {
        f.count = bestdag_dense_drop(t->prefix, t->count, x, f.rest);
    } else {
        memcpy(f.rest, t->prefix, sizeof f.rest);
        f.count = t->count;
    }
    for (int i = 0; i < f.count; i++) {
        f.rest_variable[i] = bestdag_levels_variable(t->d->levels, f.rest[i]);
        f.key = bestdag_key_add(&t->d->levels->keys, f.key, i, f.rest[i]);
    }
    if (t->d->levels->kind == BESTDAG_PRUNE_PENALTY && !t->d->is_early)
        make_rules(&f);
    f.key |= bestdag_key_end(&t->d->levels->keys, t->count);
    for (int l = t->from, end; l < t->to; l = end) {
        end = prepare_run(&f, l);
        if (score_all(&f, l, end))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}
