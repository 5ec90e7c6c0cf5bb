/* SPDX-License-Identifier: MIT */
/* order_state.c -- orders as keys: evaluation, moves, input and output. */
#include "search/orders/order_state_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "search/saved_state.h"

/* ---- allocation ---------------------------------------------------------- */

static int64_t most_users(const struct bestdag_problem *problem)
{
    int64_t most = 0;
    for (int v = 0; v < problem->n; v++) {
        int64_t users = problem->user_start[v + 1] - problem->user_start[v];
        most = users > most ? users : most;
    }
    return most;
}

static size_t widest(const struct bestdag_problem *problem)
{
    int words = 1;
    for (int v = 0; v < problem->n; v++)
        words = problem->candidates[v].words > words
                    ? problem->candidates[v].words
                    : words;
    return (size_t)words;
}

int64_t bestdag_order_state_bytes(const struct bestdag_problem *problem)
{
    return (int64_t)problem->n * 64 + (int64_t)problem->words * 8 +
           most_users(problem) * 16 + 65536;
}

static int allocate(struct bestdag_run *run, struct bestdag_order_state *p)
{
    const struct bestdag_problem *problem = p->problem;
    size_t n = (size_t)problem->n;
    p->key = bestdag_calloc(run, n, sizeof *p->key);
    p->available =
        bestdag_calloc(run, (size_t)problem->words, sizeof *p->available);
    p->choice = bestdag_calloc(run, n, sizeof *p->choice);
    p->queue = bestdag_calloc(run, n, sizeof *p->queue);
    p->is_queued = bestdag_calloc(run, n, sizeof *p->is_queued);
    p->passed =
        bestdag_calloc(run, (size_t)most_users(problem), sizeof *p->passed);
    p->scratch = bestdag_calloc(run, widest(problem), sizeof *p->scratch);
    p->stack = bestdag_calloc(run, n, sizeof *p->stack);
    p->block = bestdag_calloc(run, n, sizeof *p->block);
    p->order = bestdag_calloc(run, n, sizeof *p->order);
    p->is_above = bestdag_calloc(run, n, sizeof *p->is_above);
    p->is_below = bestdag_calloc(run, n, sizeof *p->is_below);
    return bestdag_run_status(run);
}

struct bestdag_order_state *bestdag_order_state_new(
    struct bestdag_run *run, const struct bestdag_problem *problem)
{
    struct bestdag_order_state *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    p->run = run;
    p->problem = problem;
    if (!allocate(run, p))
        return p;
    bestdag_order_state_free(p);
    return NULL;
}

void bestdag_order_state_free(struct bestdag_order_state *p)
{
    if (!p)
        return;
    bestdag_free(p->key);
    bestdag_free(p->available);
    bestdag_free(p->choice);
    bestdag_free(p->log);
    bestdag_free(p->queue);
    bestdag_free(p->is_queued);
    bestdag_free(p->passed);
    bestdag_free(p->scratch);
    bestdag_free(p->stack);
    bestdag_free(p->block);
    bestdag_free(p->order);
    bestdag_free(p->is_above);
    bestdag_free(p->is_below);
    bestdag_free(p);
}

/* ---- the queue ----------------------------------------------------------- */

static void push(struct bestdag_order_state *p, int v)
{
    if (p->is_queued[v])
        return;
    assert(v >= 0 && v < p->problem->n && p->queued < p->problem->n);
    int at = p->queue_from + p->queued++;
    p->queue[at < p->problem->n ? at : at - p->problem->n] = v;
    p->is_queued[v] = true;
}

int bestdag_order_state_pop(struct bestdag_order_state *p)
{
    assert(p->queued > 0);
    int v = p->queue[p->queue_from];
    assert(p->is_queued[v]);
    p->queue_from = p->queue_from + 1 < p->problem->n ? p->queue_from + 1 : 0;
    p->queued--;
    p->is_queued[v] = false;
    return v;
}

static void clear_queue(struct bestdag_order_state *p)
{
    while (p->queued)
        bestdag_order_state_pop(p);
}

/* If set `set` of x lacks exactly one variable, pushes that variable: by moving
 * before x it could help x. */
static void push_last_lacking(struct bestdag_order_state *p, int x, int set)
{
    const struct bestdag_indexed_list *m = list_of(p, x);
    const uint64_t *mask = bestdag_indexed_list_mask(m, set);
    const uint64_t *available = available_of(p, x);
    int found = -1;
    for (int w = 0; w < m->words; w++) {
        uint64_t lacks = mask[w] & ~available[w];
        if (!lacks)
            continue;
        if (found >= 0 || (lacks & (lacks - 1)))
            return;
        found = w * 64 + __builtin_ctzll(lacks);
    }
    if (found >= 0)
        push(p, m->member[found]);
}

/* x lost its set: queues x and the variables that could help it. */
static void push_helpers(struct bestdag_order_state *p, int x)
{
    push(p, x);
    for (int set = 0; set < p->choice[x]; set++)
        push_last_lacking(p, x, set);
}

/* x can now have i: queues x, the variables that could help it together with i,
 * and its parents, which it may need less. */
static void push_partners(struct bestdag_order_state *p, int x, int i)
{
    const struct bestdag_indexed_list *m = list_of(p, x);
    push(p, x);
    for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
        if (m->with[k] >= p->choice[x])
            break;
        push_last_lacking(p, x, m->with[k]);
    }
    if (p->choice[x] == m->count)
        return;
    const uint64_t *mask = bestdag_indexed_list_mask(m, p->choice[x]);
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            int u = m->member[w * 64 + __builtin_ctzll(rest)];
            if (p->choice[u])
                push(p, u);
        }
}

/* ---- moving -------------------------------------------------------------- */

static void choose(struct bestdag_order_state *p, int v, int set)
{
    const int64_t *cost = list_of(p, v)->cost;
    assert(set >= 0 && set <= list_of(p, v)->count);
    p->cost += cost[set] - cost[p->choice[v]];
    p->choice[v] = set;
    assert(p->cost >= 0);
}

/* The members between the keys low and high become available to v, or cease to
 * be. */
static void update_available(struct bestdag_order_state *p, int v, double low,
                             double high)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    uint64_t *available = available_of(p, v);
    bool changed = false;
    for (int i = 0; i < m->universe; i++) {
        double key = p->key[m->member[i]];
        if (key > low && key < high) {
            available[i / 64] ^= (uint64_t)1 << (i % 64);
            changed = true;
        }
    }
    if (!changed)
        return;
    p->steps++;
    choose(p, v, bestdag_indexed_list_first(m, available, 0));
}

/* v becomes available to the variables between the keys (if it moves down), or
 * ceases to be. */
static void update_children(struct bestdag_order_state *p, int v, double from,
                            double to, bool queue)
{
    double low = from < to ? from : to, high = from < to ? to : from;
    const struct bestdag_occurrence *end = end_user(p, v);
    for (const struct bestdag_occurrence *u = first_user(p, v); u < end; u++) {
        int x = u->child, i = u->local, old = p->choice[x];
        double key = p->key[x];
        if (key < low || key > high) {
            if (queue && to < from && key < low && u->first < old)
                push(p, x); /* v has come closer to it */
            continue;
        }
        const struct bestdag_indexed_list *m = list_of(p, x);
        uint64_t *available = available_of(p, x);
        available[i / 64] ^= (uint64_t)1 << (i % 64);
        if (to < from) {
            if (u->first < old) {
                p->steps++;
                choose(p, x,
                       bestdag_indexed_list_first_with(m, available, i, old));
            }
            if (queue)
                push_partners(p, x, i);
        } else if (bestdag_indexed_list_holds(m, old, i)) {
            p->steps++;
            choose(p, x, bestdag_indexed_list_first(m, available, old + 1));
            if (queue)
                push_helpers(p, x);
        }
    }
}

static void put(struct bestdag_order_state *p, int v, double key, bool queue)
{
    double from = p->key[v];
    p->key[v] = key;
    update_available(p, v, from < key ? from : key, from < key ? key : from);
    update_children(p, v, from, key, queue);
    if (queue)
        push_helpers(p, v);
}

static bool grow_log(struct bestdag_order_state *p)
{
    int64_t room = p->log_room * 2 + 256;
    struct bestdag_logged_move *more =
        bestdag_realloc(p->run, p->log, (size_t)room * sizeof *more);
    if (!more) {
        p->status = BESTDAG_MEMORY;
        return false;
    }
    p->log = more;
    p->log_room = room;
    return true;
}

void bestdag_order_state_move(struct bestdag_order_state *p, int v, double key)
{
    if (p->logged == p->log_room && !grow_log(p))
        return;
    p->log[p->logged++] =
        (struct bestdag_logged_move){.v = v, .key = p->key[v]};
    put(p, v, key, true);
}

void bestdag_order_state_undo(struct bestdag_order_state *p)
{
    clear_queue(p);
    while (p->logged) {
        struct bestdag_logged_move past = p->log[--p->logged];
        put(p, past.v, past.key, false);
    }
    assert(!p->queued && !p->logged);
}

/* ---- keys ---------------------------------------------------------------- */

/* The nearest key above `at` among the neighbours of v. */
static double next_key(const struct bestdag_order_state *p, int v, double at)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    const struct bestdag_occurrence *end = end_user(p, v);
    double next = INFINITY;
    for (int i = 0; i < m->universe; i++) {
        double key = p->key[m->member[i]];
        next = key > at && key < next ? key : next;
    }
    for (const struct bestdag_occurrence *u = first_user(p, v); u < end; u++) {
        double key = p->key[u->child];
        next = key > at && key < next ? key : next;
    }
    return isinf(next) ? at + 1 : next;
}

static double last_key(const struct bestdag_order_state *p, int v, double at)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    const struct bestdag_occurrence *end = end_user(p, v);
    double last = -INFINITY;
    for (int i = 0; i < m->universe; i++) {
        double key = p->key[m->member[i]];
        last = key < at && key > last ? key : last;
    }
    for (const struct bestdag_occurrence *u = first_user(p, v); u < end; u++) {
        double key = p->key[u->child];
        last = key < at && key > last ? key : last;
    }
    return isinf(last) ? at - 1 : last;
}

/* The part of the interval between two keys that stays free on each side. 0.01:
 * scores within 0.07 % on munin1, link; 0.45: up to 0.16 % worse on link
 * (bench/log/2026-11-17-sensitivity.csv). */
#define MARGIN 0.25

/* A key strictly between two others; false, and is_crowded, if there is
 * none. */
static bool between(struct bestdag_order_state *p, double low, double high,
                    double *key)
{
    double share = MARGIN + (1 - 2 * MARGIN) * bestdag_random_unit(&p->random);
    *key = low + (high - low) * share;
    if (*key > low && *key < high)
        return true;
    p->is_crowded = true;
    return false;
}

bool bestdag_order_state_above(struct bestdag_order_state *p, int v, double at,
                               double *key)
{
    return between(p, at, next_key(p, v, at), key);
}

bool bestdag_order_state_below(struct bestdag_order_state *p, int v, double at,
                               double *key)
{
    return between(p, last_key(p, v, at), at, key);
}

/* ---- input and output ---------------------------------------------------- */

static int compare_passed(const void *a, const void *b)
{
    const struct bestdag_passed *x = a, *y = b;
    if (x->key < y->key || x->key > y->key)
        return x->key < y->key ? -1 : 1;
    return x->change < y->change ? -1 : x->change > y->change;
}

int bestdag_order_state_get(struct bestdag_order_state *p, int *order)
{
    size_t n = (size_t)p->problem->n;
    struct bestdag_passed *all = bestdag_alloc(p->run, n * sizeof *all);
    if (!all)
        return bestdag_run_status(p->run);
    for (size_t v = 0; v < n; v++)
        all[v] =
            (struct bestdag_passed){.key = p->key[v], .change = (int64_t)v};
    qsort(all, n, sizeof *all, compare_passed);
    for (size_t i = 0; i < n; i++)
        order[i] = (int)all[i].change;
    bestdag_free(all);
    return BESTDAG_OK;
}

void bestdag_order_state_keep(struct bestdag_order_state *p)
{
    p->logged = 0;
}

void bestdag_order_state_spread(struct bestdag_order_state *p)
{
    if (!p->is_crowded)
        return;
    p->status = bestdag_order_state_get(p, p->order);
    for (int i = 0; i < p->problem->n && !p->status; i++)
        p->key[p->order[i]] = i;
    p->is_crowded = false;
}

/* The number of parents of v. */
static int count_parents(const struct bestdag_order_state *p, int v)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    return p->choice[v] == m->count
               ? 0
               : bestdag_row_count(bestdag_indexed_list_mask(m, p->choice[v]),
                                   (size_t)m->words);
}

/* Kahn's algorithm with a stack: depth first, parents before children. */
static void order_depth_first(struct bestdag_order_state *p, int *order)
{
    int n = p->problem->n, top = 0, count = 0;
    int32_t *waits = p->block, *ready = p->stack;
    for (int v = n - 1; v >= 0; v--) {
        waits[v] = count_parents(p, v);
        if (!waits[v])
            ready[top++] = v;
    }
    while (top) {
        int u = ready[--top];
        const struct bestdag_occurrence *end = end_user(p, u);
        order[count++] = u;
        for (const struct bestdag_occurrence *x = first_user(p, u); x < end;
             x++)
            if (bestdag_indexed_list_holds(list_of(p, x->child),
                                           p->choice[x->child], x->local) &&
                !--waits[x->child])
                ready[top++] = x->child;
    }
}

void bestdag_order_state_gather(struct bestdag_order_state *p)
{
    order_depth_first(p, p->order);
    bestdag_order_state_set(p, p->order);
    clear_queue(p);
}

void bestdag_order_state_copy(struct bestdag_order_state *p,
                              const struct bestdag_order_state *from)
{
    size_t n = (size_t)p->problem->n;
    clear_queue(p);
    p->logged = 0;
    p->cost = from->cost;
    p->is_crowded = from->is_crowded;
    memcpy(p->key, from->key, n * sizeof *p->key);
    memcpy(p->choice, from->choice, n * sizeof *p->choice);
    memcpy(p->available, from->available,
           (size_t)p->problem->words * sizeof *p->available);
}

void bestdag_order_state_adopt(struct bestdag_order_state *p,
                               const struct bestdag_order_state *from,
                               const int32_t *moved, int count)
{
    int64_t old = p->cost;
    for (int i = 0; i < count; i++)
        bestdag_order_state_move(p, moved[i], from->key[moved[i]]);
    bestdag_order_state_insert_all(p);
    if (p->cost < old)
        bestdag_order_state_keep(p);
    else
        bestdag_order_state_undo(p);
}

void bestdag_order_state_set(struct bestdag_order_state *p, const int *order)
{
    const struct bestdag_problem *problem = p->problem;
    p->logged = 0;
    p->cost = 0;
    p->is_crowded = false;
    clear_queue(p);
    for (int i = 0; i < problem->n; i++)
        p->key[order[i]] = i;
    memset(p->available, 0, (size_t)problem->words * sizeof *p->available);
    for (int v = 0; v < problem->n; v++) {
        const struct bestdag_indexed_list *m = list_of(p, v);
        uint64_t *available = available_of(p, v);
        for (int i = 0; i < m->universe; i++)
            if (p->key[m->member[i]] < p->key[v])
                bestdag_row_add(available, i);
        p->choice[v] = bestdag_indexed_list_first(m, available, 0);
        p->cost += m->cost[p->choice[v]];
        push(p, v);
    }
    p->steps += problem->n;
}

/* ---- checkpoint ---------------------------------------------------------- */

static void pass_queue(struct bestdag_order_state *p,
                       struct bestdag_archive *archive)
{
    int n = p->problem->n, count = p->queued;
    bool opens = bestdag_archive_opens(archive);
    BESTDAG_PASS(archive, count);
    if (opens)
        clear_queue(p);
    if (count < 0 || count > n)
        bestdag_archive_reject(archive);
    for (int i = 0; i < count && i < n; i++) {
        int at = p->queue_from + i;
        int32_t v = p->queue[at < n ? at : at - n];
        BESTDAG_PASS(archive, v);
        if (v < 0 || v >= n)
            bestdag_archive_reject(archive);
        else if (opens)
            push(p, v);
    }
}

/* Recomputes what follows from the order. */
static void choose_anew(struct bestdag_order_state *p)
{
    p->cost = 0;
    for (int v = 0; v < p->problem->n; v++) {
        const struct bestdag_indexed_list *m = list_of(p, v);
        p->choice[v] = bestdag_indexed_list_first(m, available_of(p, v), 0);
        p->cost += m->cost[p->choice[v]];
    }
}

void bestdag_order_state_pass(struct bestdag_order_state *p,
                              struct bestdag_archive *archive)
{
    size_t n = (size_t)p->problem->n;
    int crowded = p->is_crowded;
    bestdag_archive_pass(archive, p->key, n * sizeof *p->key);
    bestdag_archive_pass(archive, p->available,
                         (size_t)p->problem->words * sizeof *p->available);
    bestdag_pass_count(archive, &p->steps);
    BESTDAG_PASS(archive, p->random);
    BESTDAG_PASS(archive, crowded);
    p->is_crowded = crowded != 0;
    pass_queue(p, archive);
    if (!bestdag_archive_opens(archive))
        return;
    for (size_t v = 0; v < n; v++)
        if (!isfinite(p->key[v]))
            bestdag_archive_reject(archive);
    p->logged = 0;
    choose_anew(p);
}
