/* SPDX-License-Identifier: MIT */
/* dual_ascent.c -- dual ascent: clusters that trap their members, raised one by
 * one.
 *
 * All closed parts without smaller closed parts (sinks among the strongly
 * connected components of who waits for whom) are found in one walk. They share
 * no member, so all are raised before the walk is made anew. Each is made as
 * small as it goes first: a member is set free, and if others stay trapped
 * without it, they are the cluster (Trosser, de Givry and Katsirelos 2021).
 * A walk costs the members of all sets of reduced cost 0. */
#include "bounds/cutting_planes.h"
#include "bounds/dual_ascent.h"
#include "bounds/relaxation.h"

#include <assert.h>
#include <stdlib.h>

struct bestdag_tight *bestdag_tight_new(const struct bestdag_relaxation *r)
{
    struct bestdag_run *run = r->run;
    size_t n = (size_t)r->n + 1;
    struct bestdag_tight *t = bestdag_calloc(run, 1, sizeof *t);
    if (!t)
        return NULL;
    t->run = run;
    t->is_free = bestdag_calloc(run, n, sizeof *t->is_free);
    int32_t **all[] = {&t->head, &t->first, &t->stack, &t->order,
                       &t->low,  &t->seen,  &t->top,   &t->arc,
                       &t->part, &t->rest,  &t->sunk,  &t->size};
    bool fine = t->is_free != NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = bestdag_calloc(run, n, sizeof **all[i]);
        fine &= *all[i] != NULL;
    }
    if (!fine) {
        bestdag_tight_free(t);
        return NULL;
    }
    return t;
}

void bestdag_tight_free(struct bestdag_tight *t)
{
    if (!t)
        return;
    int32_t *all[] = {t->head, t->first, t->stack, t->order, t->low,  t->seen,
                      t->top,  t->arc,   t->part,  t->rest,  t->sunk, t->size};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
    bestdag_free(t->wait);
    bestdag_free(t->is_free);
    bestdag_free(t);
}

/* ---- who is free ------------------------------------------------------------
 */

int bestdag_tight_member(const struct bestdag_tight *t,
                         const struct bestdag_reduced_list *s, int set)
{
    const uint64_t *mask = bestdag_reduced_list_mask(s, set);
    for (int w = 0; w < s->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            int u = s->member[w * 64 + __builtin_ctzll(rest)];
            if (!t->is_free[u])
                return u;
        }
    return -1;
}

/* Lets a set wait for a trapped member; false: there is none. */
static bool wait_for(struct bestdag_tight *t,
                     const struct bestdag_relaxation *r, int32_t number)
{
    struct bestdag_wait *w = &t->wait[number];
    w->on = bestdag_tight_member(t, &r->list[w->child], w->set);
    if (w->on < 0)
        return false;
    assert(!t->is_free[w->on]);
    w->next = t->head[w->on];
    t->head[w->on] = number;
    return true;
}

/* Frees v and all that this frees; they come into t->order from `freed` on.
 * Returns how many are there then. */
static int set_free(struct bestdag_tight *t, const struct bestdag_relaxation *r,
                    int v, int freed)
{
    int done = freed;
    assert(!t->is_free[v]);
    t->is_free[v] = true;
    t->order[freed++] = v;
    for (; done < freed; done++) {
        int32_t next, i = t->head[t->order[done]];
        t->head[t->order[done]] = -1;
        for (; i >= 0; i = next) {
            int child = t->wait[i].child;
            next = t->wait[i].next;
            if (t->is_free[child] || wait_for(t, r, i))
                continue;
            t->is_free[child] = true;
            t->order[freed++] = child;
        }
    }
    return freed;
}

static int make_room(struct bestdag_tight *t, int64_t waits)
{
    if (waits <= t->room)
        return BESTDAG_OK;
    struct bestdag_wait *more =
        bestdag_realloc(t->run, t->wait, (size_t)(2 * waits) * sizeof *more);
    if (!more)
        return bestdag_run_status(t->run);
    t->wait = more;
    t->room = 2 * waits;
    return BESTDAG_OK;
}

int bestdag_tight_some(struct bestdag_relaxation *r, const int32_t *member,
                       int count)
{
    struct bestdag_tight *t = r->trap;
    int64_t waits = 0;
    int freed = 0;
    for (int i = 0; i < count; i++)
        waits += r->list[member[i]].tights;
    if (make_room(t, waits))
        return -1;
    r->work += 4 * waits;
    for (int i = 0; i < count; i++) {
        t->is_free[member[i]] = false;
        t->head[member[i]] = -1;
    }
    waits = 0;
    for (int i = 0; i < count; i++) {
        int v = member[i];
        const struct bestdag_reduced_list *s = &r->list[v];
        bool is_free = false;
        t->first[v] = (int32_t)waits;
        for (int k = 0; k < s->tights && !is_free && !t->is_free[v]; k++) {
            t->wait[waits] = (struct bestdag_wait){v, s->tight[k], -1, -1};
            is_free = !wait_for(t, r, (int32_t)waits);
            waits++;
        }
        if (is_free && !t->is_free[v])
            freed = set_free(t, r, v, freed);
    }
    t->waits = waits;
    assert(waits <= t->room && freed <= count);
    return freed;
}

/* ---- closed parts -----------------------------------------------------------
 */

struct walk {
    const struct bestdag_relaxation *r;
    int32_t clock;
    int tops, depth;
    int found; /* members of all sinks so far */
};

/* Does no wait of top[from ..) lead out of it, to what is closed (-1)? */
static bool is_sink(const struct bestdag_tight *t, int from, int to)
{
    for (int k = from; k < to; k++)
        for (int32_t i = t->first[t->top[k]]; bestdag_wait_of(t, i, t->top[k]);
             i++)
            if (t->seen[t->wait[i].on] < 0)
                return false;
    return true;
}

static void enter(struct walk *w, int v)
{
    struct bestdag_tight *t = w->r->trap;
    t->stack[w->depth++] = v;
    t->arc[v] = t->first[v];
    t->seen[v] = t->low[v] = ++w->clock;
    t->top[w->tops++] = v;
}

/* The component that v was the first of is whole: a sink is noted. */
static void close_part(struct walk *w, int v)
{
    struct bestdag_tight *t = w->r->trap;
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

/* Tarjan's (1972) algorithm with a stack of its own. seen[v]: 0 new, when it
 * was entered while it is open, -1 closed. */
static void walk_from(struct walk *w, int root)
{
    struct bestdag_tight *t = w->r->trap;
    enter(w, root);
    while (w->depth) {
        int v = t->stack[w->depth - 1];
        if (bestdag_wait_of(t, t->arc[v], v)) {
            int u = t->wait[t->arc[v]++].on;
            if (!t->seen[u])
                enter(w, u);
            else if (t->seen[u] > 0 && t->seen[u] < t->low[v])
                t->low[v] = t->seen[u];
            continue;
        }
        if (t->low[v] == t->seen[v])
            close_part(w, v);
        if (--w->depth && t->low[v] < t->low[t->stack[w->depth - 1]])
            t->low[t->stack[w->depth - 1]] = t->low[v];
    }
}

/* All sinks, one after the other in t->sunk, the size of each at its first
 * member; how many members. */
static int find_sinks(const struct bestdag_relaxation *r)
{
    struct bestdag_tight *t = r->trap;
    struct walk w = {.r = r};
    memset(t->seen, 0, (size_t)r->n * sizeof *t->seen);
    for (int v = 0; v < r->n; v++)
        if (!t->is_free[v] && !t->seen[v])
            walk_from(&w, v);
    assert(!w.depth && !w.tops && w.found <= r->n);
    assert(w.found); /* who is trapped waits for a sink */
    return w.found;
}

/* ---- small clusters ---------------------------------------------------------
 */

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Tries to free member `i` of part[size]: those who stay trapped all the same
 * are the part then. Its new size, or the old one. */
static int try_without(struct bestdag_relaxation *r, int32_t *part, int size,
                       int i)
{
    struct bestdag_tight *t = r->trap;
    int freed = bestdag_tight_some(r, part, size);
    if (freed < 0)
        return -1;
    if (!t->is_free[part[i]])
        set_free(t, r, part[i], freed);
    int left = 0;
    for (int k = 0; k < size; k++) {
        if (!t->is_free[part[k]])
            t->rest[left++] = part[k];
        t->is_free[part[k]] = true;
    }
    if (left)
        memcpy(part, t->rest, (size_t)left * sizeof *part);
    return left ? left : size;
}

enum { MOST_TRIES = 60 }; /* in vain, for one cluster */

/* Sets members free in a random turn until nobody can be spared. Leaves all of
 * the part free. Its size; negative: failed. */
static int shrink(struct bestdag_relaxation *r, int32_t *part, int size)
{
    int tries = 0, tried = 0;
    while (size > 2 && tried < size && tries++ < MOST_TRIES) {
        uint64_t rest = (uint64_t)(size - tried);
        int pick = tried + (int)bestdag_random_below(&r->random, rest);
        int32_t v = part[pick];
        part[pick] = part[tried];
        part[tried] = v;
        int less = try_without(r, part, size, tried);
        if (less < 0)
            return -1;
        tried = less < size ? 0 : tried + 1;
        tries = less < size ? 0 : tries;
        size = less;
    }
    qsort(part, (size_t)size, sizeof *part, ascending);
    return size;
}

/* ---- raising ----------------------------------------------------------------
 */

/* The least reduced cost of a set without members of the cluster. */
static int64_t room_above(struct bestdag_relaxation *r,
                          const struct bestdag_cluster *c)
{
    int64_t room = INT64_MAX;
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(r, c, &w);) {
        const struct bestdag_reduced_list *s = &r->list[w.v];
        r->work += s->count;
        for (int set = 0; set < s->count; set++)
            if (s->reduced[set] < room &&
                bestdag_cluster_view_missed(
                    &w.view, bestdag_reduced_list_mask(s, set), s->words))
                room = s->reduced[set];
    }
    return room;
}

/* What no network costs, known or not: some variable has no set that could ever
 * be taken. */
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
    assert(by > 0); /* they were trapped, so the bound rises */
    r->pool.y[number] += by;
    r->bound += by;
    bestdag_relaxation_pay(r, c, by);
    for (int i = 0; i < c->size; i++)
        bestdag_reduced_list_tighten(&r->list[c->member[i]]);
    return BESTDAG_OK;
}

/* Raises every sink; they share nothing, so what one does is no matter to the
 * others. */
static int raise_all(struct bestdag_relaxation *r, int found, int64_t enough)
{
    struct bestdag_tight *t = r->trap;
    for (int v = 0; v < r->n; v++)
        t->is_free[v] = true;
    for (int at = 0; at < found && r->bound < enough; at += t->size[at])
        if (bestdag_relaxation_stopped(r) ||
            raise(r, t->sunk + at, t->size[at]))
            break;
    return bestdag_run_status(r->run);
}

bool bestdag_dual_ascent(struct bestdag_relaxation *r, int64_t enough,
                         int *order)
{
    struct bestdag_tight *t = r->trap;
    while (r->bound < enough && !bestdag_relaxation_stopped(r)) {
        int left = 0;
        for (int v = 0; v < r->n; v++) {
            t->is_free[v] = r->is_placed[v];
            if (!r->is_placed[v])
                t->part[left++] = v;
        }
        int freed = bestdag_tight_some(r, t->part, left);
        if (freed < 0)
            return false;
        if (freed == left) {
            for (int i = 0; order && i < left; i++)
                order[i] = t->order[i];
            return true;
        }
        if (raise_all(r, find_sinks(r), enough))
            return false;
    }
    return false;
}
