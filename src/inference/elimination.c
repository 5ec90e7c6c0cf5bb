/* SPDX-License-Identifier: MIT */
/* elimination.c -- greedy elimination orders.
 *
 * The next variable is the one whose removal makes the smallest product of
 * factors (minimum weight; the lower number among equals). Removing it makes
 * its neighbours neighbours of each other. A heap with positions holds the
 * candidates; only neighbours change their weight, so a step costs the square
 * of the number of neighbours, and a heap move for each of them.
 *
 * Neighbours are ascending lists, not a matrix: memory grows with the edges. */
#include "inference/elimination.h"

#include <assert.h>
#include <string.h>

static const double MOST_CELLS = 0x1p40;

int bestdag_elimination_new(struct bestdag_run *run, int n,
                            struct bestdag_elimination *to)
{
    *to = (struct bestdag_elimination){.n = n};
    to->states = bestdag_calloc(run, (size_t)n, sizeof *to->states);
    to->kept = bestdag_calloc(run, (size_t)n, sizeof *to->kept);
    to->order = bestdag_calloc(run, (size_t)n, sizeof *to->order);
    to->scope = bestdag_calloc(run, (size_t)n, sizeof *to->scope);
    return bestdag_run_status(run);
}

void bestdag_elimination_release(struct bestdag_elimination *e)
{
    for (int v = 0; e->scope && v < e->n; v++)
        bestdag_free(e->scope[v].at);
    bestdag_free(e->scope);
    bestdag_free(e->states);
    bestdag_free(e->kept);
    bestdag_free(e->order);
}

/* ---- ascending lists ----------------------------------------------------- */

/* The index of v in the list, or where it would be inserted. */
static int place_of(const struct bestdag_scope *s, int v)
{
    int low = 0, high = s->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->at[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int insert(struct bestdag_run *run, struct bestdag_scope *s, int v)
{
    int i = place_of(s, v);
    if (i < s->count && s->at[i] == v)
        return BESTDAG_OK;
    if (s->count == s->room) {
        int room = s->room ? 2 * s->room : 8;
        int *at = bestdag_realloc(run, s->at, (size_t)room * sizeof *at);
        if (!at)
            return bestdag_run_status(run);
        s->at = at;
        s->room = room;
    }
    memmove(s->at + i + 1, s->at + i, (size_t)(s->count - i) * sizeof *s->at);
    s->at[i] = v;
    s->count++;
    return BESTDAG_OK;
}

static void take_out(struct bestdag_scope *s, int v)
{
    int i = place_of(s, v);
    assert(i < s->count && s->at[i] == v);
    s->count--;
    memmove(s->at + i, s->at + i + 1, (size_t)(s->count - i) * sizeof *s->at);
}

int bestdag_elimination_join(struct bestdag_run *run,
                             struct bestdag_elimination *e, const int *members,
                             int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (i != k && insert(run, &e->scope[members[i]], members[k]))
                return bestdag_run_status(run);
    return BESTDAG_OK;
}

/* ---- the heap: least weight first ---------------------------------------- */

struct heap {
    int *at;        /* owns; variables */
    int *position;  /* owns; [n]: index of each variable in `at` */
    double *weight; /* owns; [n] */
    int count;
};

static bool is_before(const struct heap *h, int a, int b)
{
    double x = h->weight[a], y = h->weight[b];
    return x < y || (x == y && a < b);
}

static void put(struct heap *h, int i, int v)
{
    h->at[i] = v;
    h->position[v] = i;
}

/* Moves v from slot i up or down to its place. */
static void settle(struct heap *h, int i, int v)
{
    for (; i && is_before(h, v, h->at[(i - 1) / 2]); i = (i - 1) / 2)
        put(h, i, h->at[(i - 1) / 2]);
    for (int k; (k = 2 * i + 1) < h->count; i = k) {
        if (k + 1 < h->count && is_before(h, h->at[k + 1], h->at[k]))
            k++;
        if (!is_before(h, h->at[k], v))
            break;
        put(h, i, h->at[k]);
    }
    put(h, i, v);
}

static int pop(struct heap *h)
{
    assert(h->count > 0);
    int least = h->at[0], last = h->at[--h->count];
    if (h->count)
        settle(h, 0, last);
    return least;
}

/* ---- the order ----------------------------------------------------------- */

static double weight_of(const struct bestdag_elimination *e, int v)
{
    double weight = e->states[v];
    for (int i = 0; i < e->scope[v].count; i++)
        weight *= e->states[e->scope[v].at[i]];
    return weight;
}

static int remove_variable(struct bestdag_run *run,
                           struct bestdag_elimination *e, int v, struct heap *h)
{
    const struct bestdag_scope *s = &e->scope[v];
    for (int i = 0; i < s->count; i++)
        take_out(&e->scope[s->at[i]], v);
    if (bestdag_elimination_join(run, e, s->at, s->count))
        return bestdag_run_status(run);
    for (int i = 0; i < s->count; i++) {
        int other = s->at[i];
        if (e->kept[other])
            continue;
        h->weight[other] = weight_of(e, other);
        assert(h->at[h->position[other]] == other);
        settle(h, h->position[other], other);
    }
    return BESTDAG_OK;
}

static int empty_heap(struct bestdag_run *run, struct bestdag_elimination *e,
                      struct heap *h)
{
    for (int v = 0; v < e->n; v++)
        if (!e->kept[v]) {
            h->weight[v] = weight_of(e, v);
            h->count++;
            settle(h, h->count - 1, v);
        }
    while (h->count) {
        int v = pop(h);
        if (h->weight[v] > MOST_CELLS)
            return bestdag_fail(run, BESTDAG_MEMORY,
                                "the joint probability needs a table of %.3g "
                                "numbers",
                                h->weight[v]);
        if (remove_variable(run, e, v, h))
            return bestdag_run_status(run);
        e->order[e->steps++] = v;
        assert(e->steps <= e->n);
    }
    return BESTDAG_OK;
}

int bestdag_elimination_plan(struct bestdag_run *run,
                             struct bestdag_elimination *e)
{
    size_t n = (size_t)e->n;
    struct heap h = {.at = bestdag_alloc(run, n * sizeof *h.at),
                     .position = bestdag_alloc(run, n * sizeof *h.position),
                     .weight = bestdag_alloc(run, n * sizeof *h.weight)};
    if (h.at && h.position && h.weight)
        empty_heap(run, e, &h);
    bestdag_free(h.at);
    bestdag_free(h.position);
    bestdag_free(h.weight);
    return bestdag_run_status(run);
}

int64_t bestdag_elimination_cells(const struct bestdag_elimination *e, int v)
{
    int64_t cells = 1;
    for (int i = 0; i < e->scope[v].count; i++)
        cells *= e->states[e->scope[v].at[i]];
    return cells;
}
