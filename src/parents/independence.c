/* SPDX-License-Identifier: MIT */
/* independence.c -- candidate parent sets by independence selection
 * (Scanagatta, de Campos, Corani, Zaffalon, NIPS 2015): best first by an
 * estimate of the score that needs no look at the data,
 *
 *     BIC*(X, P + Y) = LL(P) + LL(Y) - LL(0) - penalty(P + Y),
 *
 * which is exact when P and Y do not interact about X. Sets wait in a heap,
 * `open`; the best is scored, and its extensions are estimated.
 *
 * A set can be reached from several splits. The truth lies between the largest
 * of LL(P), LL(Y) and the smallest of 0, LL(P) + N H(Y), LL(Y) + N H(P) over
 * all known splits, so an estimate is clamped into that bracket. Of several
 * estimates the lowest counts: parents more often repeat than complete each
 * other.
 *
 * Before a set its subsets are scored, so that what is listed is compared with
 * all its subsets. Other scores than BIC and AIC are guided by BIC* in the same
 * way and keep their own values.
 *
 * Memory is bounded: pairs and extensions use the REACH variables whose
 * singletons are best, and when the heap is full its worse half is given up.
 * Everything that waits, or was given up, when the search ends has a bound of
 * what it and its supersets could score: the largest is the ceiling. Each set
 * that was not scored and is better than its subsets contains one of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parents/explorer.h"

enum { REACH = 300 };

struct waiting {
    int64_t key;       /* BIC*, clamped */
    int64_t low, high; /* of the likelihood */
    int64_t base;      /* record; the set is base + universe[added] */
    int64_t cells;     /* of a subset */
    uint64_t hash;
    int64_t place; /* in the heap */
    int added;
    bool leaf; /* Theorem 2: nothing above it is worth a look */
};

struct search {
    struct bestdag_explorer *e;
    struct waiting *waiting; /* owns */
    int64_t waitings, waiting_room;
    int64_t *heap;    /* owns; numbers of `waiting`, best key first */
    int64_t count;    /* in the heap */
    int64_t floor;    /* keys below are given up at once */
    int64_t expanded; /* records before this one have been extended */
    int reach;
};

/* ---- the heap
 * ------------------------------------------------------------------- */

static bool is_before(const struct waiting *x, const struct waiting *y)
{
    return x->key != y->key ? x->key > y->key : x->hash < y->hash;
}

static void place(struct search *s, int64_t i, int64_t number)
{
    s->heap[i] = number;
    s->waiting[number].place = i;
}

static void sift_up(struct search *s, int64_t i)
{
    int64_t number = s->heap[i];
    for (; i > 0; i = (i - 1) / 2) {
        int64_t up = s->heap[(i - 1) / 2];
        if (!is_before(&s->waiting[number], &s->waiting[up]))
            break;
        place(s, i, up);
    }
    place(s, i, number);
}

static void sift_down(struct search *s, int64_t i)
{
    int64_t number = s->heap[i];
    for (int64_t child; (child = 2 * i + 1) < s->count; i = child) {
        if (child + 1 < s->count && is_before(&s->waiting[s->heap[child + 1]],
                                              &s->waiting[s->heap[child]]))
            child++;
        if (!is_before(&s->waiting[s->heap[child]], &s->waiting[number]))
            break;
        place(s, i, s->heap[child]);
    }
    place(s, i, number);
}

/* Takes the waiting set at place i out; the last number fills its place in
 * `waiting`, so that numbers stay dense. */
static struct waiting take_out(struct search *s, int64_t i)
{
    int64_t number = s->heap[i];
    struct waiting w = s->waiting[number];
    s->count--;
    if (i < s->count) {
        place(s, i, s->heap[s->count]);
        sift_up(s, i);
        sift_down(s, i);
    }
    int64_t last = --s->waitings;
    if (number != last) {
        s->waiting[number] = s->waiting[last];
        s->heap[s->waiting[number].place] = number;
        bestdag_explorer_put(s->e, s->waiting[number].hash, 2 * number + 1);
    }
    return w;
}

static int best_first(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;
    return is_before(x, y) ? -1 : is_before(y, x);
}

static void give_up(struct search *s, const struct waiting *w)
{
    struct bestdag_explorer *e = s->e;
    const struct bestdag_record *base = &e->record[w->base];
    struct bestdag_reach reach = {base->states *
                                      e->scorer->states[e->universe[w->added]],
                                  base->count + 1, w->cells, w->high};
    bestdag_explorer_give_up(e, bestdag_explorer_bound(e, reach));
}

/* The worse half of the heap is given up, and what is no better as long as the
 * heap is not nearly empty. */
static void halve(struct search *s)
{
    int64_t keep = s->count / 2;
    qsort(s->waiting, (size_t)s->count, sizeof *s->waiting, best_first);
    s->floor = s->waiting[keep].key;
    for (int64_t i = keep; i < s->count; i++) {
        give_up(s, &s->waiting[i]);
        bestdag_explorer_drop(s->e, s->waiting[i].hash);
    }
    for (int64_t i = 0; i < keep; i++) { /* sorted: is a heap */
        place(s, i, i);
        bestdag_explorer_put(s->e, s->waiting[i].hash, 2 * i + 1);
    }
    s->count = s->waitings = keep;
}

static int grow(struct search *s)
{
    int64_t room = s->waiting_room ? 2 * s->waiting_room : 1024;
    if (s->waitings < s->waiting_room)
        return BESTDAG_OK;
    struct waiting *waiting =
        bestdag_realloc(s->e->run, s->waiting, (size_t)room * sizeof *waiting);
    if (!waiting)
        return BESTDAG_MEMORY;
    s->waiting = waiting;
    int64_t *heap =
        bestdag_realloc(s->e->run, s->heap, (size_t)room * sizeof *heap);
    if (!heap)
        return BESTDAG_MEMORY;
    s->heap = heap;
    s->waiting_room = room;
    return BESTDAG_OK;
}

static int push(struct search *s, const struct waiting *w)
{
    if (s->count >= s->e->plan->most_open)
        halve(s);
    if (grow(s) || bestdag_explorer_put(s->e, w->hash, 2 * s->waitings + 1))
        return BESTDAG_MEMORY;
    s->waiting[s->waitings] = *w;
    place(s, s->count++, s->waitings++);
    sift_up(s, s->count - 1);
    return BESTDAG_OK;
}

/* ---- estimates
 * ------------------------------------------------------------------ */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* N H(P) */
static int64_t entropy(const struct bestdag_explorer *e,
                       const struct bestdag_record *r)
{
    return e->record[0].joint - r->joint;
}

/* The penalty of BIC*, in units; huge ones are cut. */
static int64_t penalty(const struct bestdag_explorer *e, double states,
                       int count)
{
    double units =
        (e->guide * states + e->scorer->arc_cost * count) * e->scorer->scale;
    return units < 0x1p60 ? (int64_t)units : (int64_t)1 << 60;
}

/* Theorem 2: no superset of the union of two sets with this BIC* can be best if
 * N min(H(X), H(P), H(Y)) is less than BIC* and the penalty of the smallest
 * superset together. */
static bool is_leaf(const struct bestdag_explorer *e, int64_t estimate,
                    int64_t entropies, double states, int count)
{
    if (!e->plan->theorem_2 || !e->plan->prune || !e->bounded ||
        e->pruning != BESTDAG_PRUNE_PENALTY || e->scorer->arc_cost > 0)
        return false;
    int64_t above = penalty(e, states * e->least_states, count + 1);
    return estimate - penalty(e, states, count) + above > entropies + e->slack;
}

/* What the split into base and universe[added] tells. */
static struct waiting estimate(const struct bestdag_explorer *e, int64_t base,
                               int added)
{
    const struct bestdag_record *p = &e->record[base];
    const struct bestdag_record *y = &e->record[e->single[added]];
    double states = p->states * y->states;
    int64_t guess = p->likelihood + y->likelihood - e->record[0].likelihood;
    struct waiting w = {
        .base = base, .added = added, .hash = p->hash ^ y->hash};
    w.low = most(p->likelihood, y->likelihood) - e->slack;
    w.high =
        least(p->likelihood + entropy(e, y), y->likelihood + entropy(e, p));
    w.high = least(0, w.high + e->slack);
    w.cells = most(p->cells, y->cells);
    w.leaf = is_leaf(
        e, guess,
        least(-e->record[0].likelihood, least(entropy(e, p), entropy(e, y))),
        states, p->count + 1);
    w.key =
        least(most(guess, w.low), w.high) - penalty(e, states, p->count + 1);
    return w;
}

/* A set that waits already is seen from another side: the brackets meet. */
static void meet(struct search *s, int64_t number, const struct waiting *seen)
{
    struct waiting *w = &s->waiting[number];
    const struct bestdag_explorer *e = s->e;
    double states =
        e->record[w->base].states * e->scorer->states[e->universe[w->added]];
    int64_t cost = penalty(e, states, e->record[w->base].count + 1);
    w->low = most(w->low, seen->low);
    w->high = least(w->high, seen->high);
    w->cells = most(w->cells, seen->cells);
    w->leaf |= seen->leaf;
    int64_t guess = least(w->key, seen->key) + cost;
    w->key = least(most(guess, w->low), most(w->low, w->high)) - cost;
    sift_up(s, w->place);
    sift_down(s, s->waiting[number].place);
}

/* ---- extending
 * ------------------------------------------------------------------ */

/* Estimates base + universe[added] unless it is known or dominated. What needs
 * no look into memory comes first: this is the inner loop. */
static int offer(struct search *s, int64_t base, int added)
{
    struct bestdag_explorer *e = s->e;
    const struct bestdag_record *p = &e->record[base];
    const struct bestdag_record *y = &e->record[e->single[added]];
    struct bestdag_reach reach = {p->states * y->states, p->count + 1,
                                  most(p->cells, y->cells), 0};
    if (bestdag_explorer_kills_step(e, base, added) ||
        bestdag_explorer_kills(e, &reach, most(p->best, y->best)) ||
        bestdag_explorer_has(e, base, e->universe[added]))
        return BESTDAG_OK;
    struct waiting w = estimate(e, base, added);
    if (w.key < s->floor) {
        give_up(s, &w);
        return BESTDAG_OK;
    }
    int64_t known = bestdag_explorer_find(e, w.hash);
    if (known < 0)
        return push(s, &w);
    if (known % 2)
        meet(s, known / 2, &w);
    return BESTDAG_OK;
}

/* All that was scored since the last time is extended. */
static int extend(struct search *s)
{
    struct bestdag_explorer *e = s->e;
    int limit = e->plan->max_parents;
    for (; s->expanded < e->records; s->expanded++) {
        const struct bestdag_record *r = &e->record[s->expanded];
        if (!r->alive || r->leaf || (limit >= 0 && r->count >= limit))
            continue;
        if (r->count == BESTDAG_MOST_EXPLORED) {
            struct bestdag_reach reach = {r->states * e->least_states,
                                          r->count + 1, r->cells, 0};
            bestdag_explorer_give_up(e, bestdag_explorer_bound(e, reach));
            continue;
        }
        for (int i = 0; i < s->reach; i++)
            if (offer(s, s->expanded, i))
                return bestdag_run_status(e->run);
    }
    return BESTDAG_OK;
}

/* ---- scoring
 * ------------------------------------------------------------------- */

static uint64_t hash_without(const int *set, int count, int without)
{
    uint64_t hash = 0;
    for (int i = 0; i < count; i++)
        if (i != without)
            hash ^= bestdag_explorer_hash(set[i]);
    return hash;
}

static int64_t settle(struct search *s, const int *set, int count);

/* What the subsets that lack one member tell; false: a limit was reached, or
 * memory failed. */
static bool settle_subsets(struct search *s, const int *set, int count,
                           struct bestdag_record *sum)
{
    struct bestdag_explorer *e = s->e;
    int subset[BESTDAG_MOST_EXPLORED];
    *sum = (struct bestdag_record){.best = INT64_MIN, .alive = true};
    for (int i = 0; i < count; i++) {
        int64_t known = bestdag_explorer_find(e, hash_without(set, count, i));
        if (known < 0 || known % 2) {
            memcpy(subset, set, (size_t)i * sizeof *set);
            memcpy(subset + i, set + i + 1,
                   (size_t)(count - 1 - i) * sizeof *set);
            int64_t record = settle(s, subset, count - 1);
            if (record < 0)
                return false;
            known = 2 * record;
        }
        const struct bestdag_record *r = &e->record[known / 2];
        sum->best = most(sum->best, r->best);
        sum->cells = most(sum->cells, r->cells);
        sum->alive &= r->alive && !r->leaf;
    }
    return true;
}

/* The record of a set: scores it and, before it, all its subsets. -1: a limit
 * was reached, or memory failed. As deep as the set is large. */
static int64_t settle(struct search *s, const int *set, int count)
{
    struct bestdag_explorer *e = s->e;
    struct bestdag_record sum;
    bool leaf = false;
    if (!settle_subsets(s, set, count, &sum) || bestdag_explorer_ended(e))
        return -1;
    int64_t known = bestdag_explorer_find(e, hash_without(set, count, -1));
    if (known >= 0 && known % 2)
        leaf = take_out(s, s->waiting[known / 2].place).leaf;
    struct bestdag_reach reach = {
        bestdag_scorer_joint_states(e->scorer, set, count), count, sum.cells,
        0};
    if (!sum.alive || bestdag_explorer_kills(e, &reach, sum.best))
        return bestdag_explorer_bury(e, set, count);
    int64_t record = bestdag_explorer_score(e, set, count, sum.best);
    if (record >= 0)
        e->record[record].leaf = leaf;
    return record;
}

/* Scores the most promising set; one that cannot be finished waits on. */
static int step(struct search *s)
{
    int set[BESTDAG_MOST_EXPLORED + 1];
    const struct waiting *w = &s->waiting[s->heap[0]];
    int count = bestdag_explorer_join(s->e, w->base, w->added, set);
    settle(s, set, count);
    if (s->count < s->e->plan->most_open / 8)
        s->floor = INT64_MIN;
    return bestdag_run_status(s->e->run) ? bestdag_run_status(s->e->run)
                                         : extend(s);
}

/* ---- the whole
 * ------------------------------------------------------------------ */

/* Sets of two or more with a variable out of reach. */
static void give_up_far(struct search *s)
{
    struct bestdag_explorer *e = s->e;
    int limit = e->plan->max_parents;
    if (s->reach == e->universe_count || limit == 1)
        return;
    struct bestdag_reach reach = {INFINITY, 2, INT64_MAX, 0};
    for (int i = s->reach; i < e->universe_count; i++) {
        const struct bestdag_record *r = &e->record[e->single[i]];
        if (r->states * e->least_states < reach.states)
            reach.states = r->states * e->least_states;
        reach.cells = least(reach.cells, r->cells);
    }
    bestdag_explorer_give_up(e, bestdag_explorer_bound(e, reach));
}

static int explore(struct bestdag_explorer *e)
{
    struct search s = {.e = e, .floor = INT64_MIN};
    s.reach = e->universe_count < REACH ? e->universe_count : REACH;
    int singles = (int)e->records;
    give_up_far(&s);
    int status = BESTDAG_OK;
    for (int i = 0; i < s.reach && !status; i++)
        for (int j = 0; j < i && !status && e->plan->max_parents != 1; j++)
            status = offer(&s, e->single[j], i);
    s.expanded = singles;
    while (!status && s.count && !bestdag_explorer_ended(e))
        status = step(&s);
    for (int64_t i = 0; i < s.waitings; i++)
        give_up(&s, &s.waiting[i]);
    bestdag_free(s.waiting);
    bestdag_free(s.heap);
    return status;
}

static int find(struct bestdag_plan *plan)
{
    return bestdag_plan_explore(plan, explore);
}

const struct bestdag_strategy bestdag_strategy_independence = {
    .name = "independence",
    .help = "best first by an estimate that needs no look at the data; any "
            "time, for any number of variables",
    .find = find,
};
