/* SPDX-License-Identifier: MIT */
/* dual_ascent.c -- dual ascent: raises the multipliers of minimal clusters one
 * by one (Trösser, de Givry and Katsirelos 2021).
 *
 * One depth-first search finds all sinks. They are disjoint, so all are raised
 * before the next search. Each is made minimal first: a member is taken as
 * ordered, and if others stay unordered without it, these are the cluster. A
 * search costs the members of all tight sets. */
#include "bounds/cutting_planes.h"
#include "bounds/dual_ascent.h"
#include "bounds/long_lists.h"
#include "bounds/relaxation.h"

#include <assert.h>
#include <stdlib.h>

struct bestdag_tight_order *bestdag_tight_order_new(
    const struct bestdag_relaxation *r)
{
    struct bestdag_run *run = r->run;
    size_t n = (size_t)r->n + 1;
    struct bestdag_tight_order *t = bestdag_calloc(run, 1, sizeof *t);
    if (!t)
        return NULL;
    t->run = run;
    t->is_ordered = bestdag_calloc(run, n, sizeof *t->is_ordered);
    int32_t **all[] = {&t->head, &t->first, &t->stack, &t->order,
                       &t->low,  &t->seen,  &t->top,   &t->arc,
                       &t->part, &t->rest,  &t->sunk,  &t->size};
    bool fine = t->is_ordered != NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = bestdag_calloc(run, n, sizeof **all[i]);
        fine &= *all[i] != NULL;
    }
    if (!fine) {
        bestdag_tight_order_free(t);
        return NULL;
    }
    return t;
}

void bestdag_tight_order_free(struct bestdag_tight_order *t)
{
    if (!t)
        return;
    int32_t *all[] = {t->head, t->first, t->stack, t->order, t->low,  t->seen,
                      t->top,  t->arc,   t->part,  t->rest,  t->sunk, t->size};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
    bestdag_free(t->watch);
    bestdag_free(t->is_ordered);
    bestdag_free(t);
}

/* ---- the order over tight sets ------------------------------------------- */

int bestdag_tight_order_member(const struct bestdag_tight_order *t,
                               const struct bestdag_reduced_list *list, int set)
{
    const uint64_t *mask = bestdag_reduced_list_mask(list, set);
    for (int w = 0; w < list->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            int u = list->member[w * 64 + __builtin_ctzll(rest)];
            if (!t->is_ordered[u])
                return u;
        }
    return -1;
}

/* The cost of a watch, in sets examined. */
enum { LOOKS = 4 };

/* Makes a set watch an unordered member; false: there is none. */
static bool watch_member(struct bestdag_tight_order *t,
                         const struct bestdag_relaxation *r, int32_t number)
{
    struct bestdag_watch *w = &t->watch[number];
    t->looks += LOOKS + r->list[w->child].words;
    w->on = bestdag_tight_order_member(t, &r->list[w->child], w->set);
    if (w->on < 0)
        return false;
    assert(!t->is_ordered[w->on]);
    w->next = t->head[w->on];
    t->head[w->on] = number;
    return true;
}

/* Orders v and all variables that become orderable; appends them to t->order
 * from index `ordered` on. Returns the new length. */
static int add_to_order(struct bestdag_tight_order *t,
                        const struct bestdag_relaxation *r, int v, int ordered)
{
    int done = ordered;
    assert(!t->is_ordered[v]);
    t->is_ordered[v] = true;
    t->order[ordered++] = v;
    for (; done < ordered; done++) {
        int32_t next, i = t->head[t->order[done]];
        t->head[t->order[done]] = -1;
        for (; i >= 0; i = next) {
            int child = t->watch[i].child;
            next = t->watch[i].next;
            if (t->is_ordered[child] || watch_member(t, r, i))
                continue;
            t->is_ordered[child] = true;
            t->order[ordered++] = child;
        }
    }
    return ordered;
}

static int make_room(struct bestdag_tight_order *t, int64_t watches)
{
    if (watches <= t->room)
        return BESTDAG_OK;
    struct bestdag_watch *more =
        bestdag_realloc(t->run, t->watch, (size_t)(2 * watches) * sizeof *more);
    if (!more)
        return bestdag_run_status(t->run);
    t->watch = more;
    t->room = 2 * watches;
    return BESTDAG_OK;
}

static void count_looks(struct bestdag_relaxation *r)
{
    r->work += r->tight_order->looks;
    r->tight_order->looks = 0;
}

int bestdag_tight_order(struct bestdag_relaxation *r, const int32_t *member,
                        int count)
{
    struct bestdag_tight_order *t = r->tight_order;
    int64_t watches = 0;
    int ordered = 0;
    for (int i = 0; i < count; i++)
        watches += r->list[member[i]].tights;
    if (make_room(t, watches))
        return -1;
    for (int i = 0; i < count; i++) {
        t->is_ordered[member[i]] = false;
        t->head[member[i]] = -1;
    }
    watches = 0;
    for (int i = 0; i < count; i++) {
        int v = member[i];
        const struct bestdag_reduced_list *s = &r->list[v];
        bool is_ordered = false;
        t->first[v] = (int32_t)watches;
        for (int k = 0; k < s->tights && !is_ordered && !t->is_ordered[v];
             k++) {
            t->watch[watches] = (struct bestdag_watch){v, s->tight[k], -1, -1};
            is_ordered = !watch_member(t, r, (int32_t)watches);
            watches++;
        }
        if (is_ordered && !t->is_ordered[v])
            ordered = add_to_order(t, r, v, ordered);
    }
    t->watches = watches;
    assert(watches <= t->room && ordered <= count);
    count_looks(r);
    return ordered;
}

/* ---- sinks --------------------------------------------------------------- */

struct walk {
    const struct bestdag_relaxation *r;
    int32_t clock;
    int tops, depth;
    int found; /* members of all sinks found */
};

/* Does no watch of top[from .. to) lead to a closed component (-1)? */
static bool is_sink(const struct bestdag_tight_order *t, int from, int to)
{
    for (int k = from; k < to; k++)
        for (int32_t i = t->first[t->top[k]]; bestdag_watch_of(t, i, t->top[k]);
             i++)
            if (t->seen[t->watch[i].on] < 0)
                return false;
    return true;
}

static void enter(struct walk *w, int v)
{
    struct bestdag_tight_order *t = w->r->tight_order;
    t->stack[w->depth++] = v;
    t->arc[v] = t->first[v];
    t->seen[v] = t->low[v] = ++w->clock;
    t->top[w->tops++] = v;
}

/* Closes the component with root v and records it if it is a sink. */
static void close_component(struct walk *w, int v)
{
    struct bestdag_tight_order *t = w->r->tight_order;
    int from = w->tops - 1;
    while (t->top[from] != v)
        from--;
    int size = w->tops - from;
    assert(from >= 0 && size >= 1);
    if (is_sink(t, from, w->tops)) {
        memcpy(t->sunk + w->found, t->top + from,
               (size_t)size * sizeof *t->sunk);
        t->size[w->found] = size;
        w->found += size;
    }
    for (int k = from; k < w->tops; k++)
        t->seen[t->top[k]] = -1;
    w->tops = from;
}

/* Tarjan's algorithm (1972) with an explicit stack. seen[v]: 0 new; time of
 * entry while open; -1 closed. */
static void walk_from(struct walk *w, int root)
{
    struct bestdag_tight_order *t = w->r->tight_order;
    enter(w, root);
    while (w->depth) {
        int v = t->stack[w->depth - 1];
        if (bestdag_watch_of(t, t->arc[v], v)) {
            int u = t->watch[t->arc[v]++].on;
            if (!t->seen[u])
                enter(w, u);
            else if (t->seen[u] > 0 && t->seen[u] < t->low[v])
                t->low[v] = t->seen[u];
            continue;
        }
        if (t->low[v] == t->seen[v])
            close_component(w, v);
        if (--w->depth && t->low[v] < t->low[t->stack[w->depth - 1]])
            t->low[t->stack[w->depth - 1]] = t->low[v];
    }
}

/* Finds all sinks, one after the other in t->sunk, with the size of each at its
 * first member; returns the number of members. */
static int find_sinks(const struct bestdag_relaxation *r)
{
    struct bestdag_tight_order *t = r->tight_order;
    struct walk w = {.r = r};
    memset(t->seen, 0, (size_t)r->n * sizeof *t->seen);
    for (int v = 0; v < r->n; v++)
        if (!t->is_ordered[v] && !t->seen[v])
            walk_from(&w, v);
    assert(!w.depth && !w.tops && w.found <= r->n);
    assert(w.found); /* every unordered variable leads to a sink */
    return w.found;
}

/* ---- minimal clusters ---------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Takes the members [i, end) of part[size] as ordered; those that stay
 * unordered, if any, become the part. Returns their number; negative: error.
 * Leaves all ordered. */
static int keep_unordered(struct bestdag_relaxation *r, int32_t *part, int size,
                          int i, int end)
{
    struct bestdag_tight_order *t = r->tight_order;
    int ordered = bestdag_tight_order(r, part, size);
    if (ordered < 0)
        return -1;
    for (; i < end; i++)
        if (!t->is_ordered[part[i]])
            ordered = add_to_order(t, r, part[i], ordered);
    count_looks(r);
    int left = 0;
    for (int k = 0; k < size; k++) {
        if (!t->is_ordered[part[k]])
            t->rest[left++] = part[k];
        t->is_ordered[part[k]] = true;
    }
    if (left)
        memcpy(part, t->rest, (size_t)left * sizeof *part);
    return left;
}

/* The same, but returns the old size if none stays unordered. */
static int try_without(struct bestdag_relaxation *r, int32_t *part, int size,
                       int i, int end)
{
    int left = keep_unordered(r, part, size, i, end);
    return left ? left : size;
}

/* Unsuccessful removals per cluster. 30..120: the same on water1000,
 * hailfinder, soybean; the proof of munin1 takes x 0.8..1.1, on 300 variables
 * there are x 0.85..1.07 nodes (bench/log/2026-11-17-sensitivity.csv). */
enum { MOST_TRIES = 60 };

/* Swaps a random member of part[at .. size) to index `at`. */
static void draw(struct bestdag_relaxation *r, int32_t *part, int size, int at)
{
    int pick =
        at + (int)bestdag_random_below(&r->random, (uint64_t)(size - at));
    int32_t v = part[pick];
    part[pick] = part[at];
    part[at] = v;
}

/* Members: larger sinks are divided into blocks, or halved until this few are
 * left. Removing thousands of members one by one would take quadratic time for
 * one cluster. */
enum { LARGE = 256, BLOCK = 64, MOST_HALVINGS = 4 };

/* Removes random halves, or smaller parts if no cluster is left. Returns the
 * size; negative: error. */
static int halve(struct bestdag_relaxation *r, int32_t *part, int size)
{
    for (int tries = 0; size > LARGE && tries < MOST_HALVINGS;) {
        int some = size >> (tries + 1);
        for (int i = 0; i < some; i++)
            draw(r, part, size, i);
        int less = try_without(r, part, size, 0, some);
        tries = less < size ? 0 : tries + 1;
        size = less;
    }
    return size;
}

/* Removes members in random order until none can be removed. Leaves the part
 * ordered. Returns the size; negative: error. */
static int shrink(struct bestdag_relaxation *r, int32_t *part, int size)
{
    int tries = 0, tried = 0;
    size = halve(r, part, size);
    if (size < 0)
        return -1;
    while (size > 2 && tried < size && tries++ < MOST_TRIES) {
        draw(r, part, size, tried);
        int less = try_without(r, part, size, tried, tried + 1);
        if (less < 0)
            return -1;
        tried = less < size ? 0 : tried + 1;
        tries = less < size ? 0 : tries;
        size = less;
    }
    qsort(part, (size_t)size, sizeof *part, ascending);
    return size;
}

/* ---- raising ------------------------------------------------------------- */

/* The least reduced cost of a set without members of the cluster. */
static int64_t room_above(struct bestdag_relaxation *r,
                          const struct bestdag_cluster *c)
{
    int64_t room = INT64_MAX;
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(r, c, &w);) {
        const struct bestdag_reduced_list *s = &r->list[w.v];
        if (bestdag_long_list_of(r, w.v)) {
            room = bestdag_long_list_room(r, w.v, &w.view, room);
            continue;
        }
        r->work += s->count;
        for (int set = 0; set < s->count; set++)
            if (s->reduced[set] < room &&
                bestdag_cluster_view_missed(
                    &w.view, bestdag_reduced_list_mask(s, set), s->words))
                room = s->reduced[set];
    }
    return room;
}

/* A bound above the cost of every network: some variable has no set that an
 * order allows. */
#define IMPOSSIBLE BESTDAG_UNKNOWN_COST

static int raise(struct bestdag_relaxation *r, int32_t *part, int size)
{
    size = shrink(r, part, size);
    struct bestdag_shape shape = {.member = part, .size = size, .least = 1};
    int number = size < 0 ? -1 : bestdag_relaxation_cluster(r, &shape);
    if (number < 0)
        return bestdag_run_status(r->run);
    const struct bestdag_cluster *c = r->pool.at[number];
    int64_t by = room_above(r, c);
    if (by == INT64_MAX) {
        r->bound = IMPOSSIBLE;
        return BESTDAG_OK;
    }
    assert(by > 0); /* it is a sink: no tight set misses it */
    r->pool.y[number] += by;
    r->bound += by;
    bestdag_relaxation_pay_late(r, c, by);
    for (int i = 0; i < c->size; i++)
        if (bestdag_long_list_of(r, c->member[i]))
            bestdag_long_list_tighten(r, c->member[i]);
        else
            bestdag_reduced_list_tighten(&r->list[c->member[i]]);
    return BESTDAG_OK;
}

/* For a large sink: raises clusters within blocks of its members, which are
 * disjoint, too; members found consecutively are often close together. If there
 * are none, raises one cluster of all members and counts it in *singles. */
static int raise_blocks(struct bestdag_relaxation *r, int32_t *sink, int size,
                        int *singles)
{
    bool is_any = false;
    for (int at = 0; at < size; at += BLOCK) {
        int count = size - at < BLOCK ? size - at : BLOCK;
        int left = keep_unordered(r, sink + at, count, 0, 0);
        is_any |= left > 0;
        if (left < 0 || (left && raise(r, sink + at, left)))
            return bestdag_run_status(r->run);
    }
    *singles += !is_any;
    return is_any ? BESTDAG_OK : raise(r, sink, size);
}

/* Raises all sinks; they are disjoint, so their order does not matter. */
static int raise_all(struct bestdag_relaxation *r, int found, int64_t enough,
                     int *singles)
{
    struct bestdag_tight_order *t = r->tight_order;
    for (int v = 0; v < r->n; v++)
        t->is_ordered[v] = true;
    for (int at = 0; at < found && r->bound < enough; at += t->size[at])
        if (bestdag_relaxation_stopped(r) ||
            (t->size[at] > LARGE
                 ? raise_blocks(r, t->sunk + at, t->size[at], singles)
                 : raise(r, t->sunk + at, t->size[at])))
            break;
    return bestdag_run_status(r->run);
}

/* Clusters found one by one in large sinks. Each takes several passes over all
 * tight sets, and with thousands of variables there are thousands of them:
 * beyond this number, smoothing and separation gain more in the same time. */
enum { MOST_SINGLES = 64 };

static bool goes_on(struct bestdag_relaxation *r, int64_t enough)
{
    return r->bound < enough && !(r->most && r->work > r->most) &&
           !bestdag_relaxation_stopped(r);
}

/* bestdag_dual_ascent() without the payments due at the end. */
static bool ascend(struct bestdag_relaxation *r, int64_t enough, int *order)
{
    struct bestdag_tight_order *t = r->tight_order;
    int singles = 0;
    while (singles < MOST_SINGLES && goes_on(r, enough)) {
        int left = r->n;
        for (int v = 0; v < r->n; v++) {
            t->is_ordered[v] = false;
            t->part[v] = v;
        }
        int ordered = bestdag_tight_order(r, t->part, left);
        if (ordered < 0)
            return false;
        if (ordered == left) {
            for (int i = 0; order && i < left; i++)
                order[i] = t->order[i];
            return true;
        }
        if (raise_all(r, find_sinks(r), enough, &singles))
            return false;
    }
    return false;
}

bool bestdag_dual_ascent(struct bestdag_relaxation *r, int64_t enough,
                         int *order)
{
    bool is_dag = ascend(r, enough, order);
    bestdag_long_lists_settle(r);
    return is_dag;
}
