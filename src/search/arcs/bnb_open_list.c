/* SPDX-License-Identifier: MIT */
/* bnb_open_list.c -- a heap of open nodes, and the tree of inner nodes above
 * them. */
#include "search/arcs/bnb_open_list.h"

#include <assert.h>
#include <string.h>

enum { OVERHEAD = 48 }; /* bytes of an allocation besides its contents */

static int64_t fork_bytes(int count)
{
    return OVERHEAD + (int64_t)sizeof(struct bestdag_bnb_inner_node) +
           count * (int64_t)sizeof(struct bestdag_fact);
}

int64_t bestdag_bnb_open_bytes(const struct bestdag_bnb_open *o)
{
    return o->bytes + o->count * (int64_t)sizeof *o->heap;
}

/* ---- the heap ------------------------------------------------------------ */

static bool is_before(const struct bestdag_bnb_open *o,
                      const struct bestdag_bnb_leaf *a,
                      const struct bestdag_bnb_leaf *b)
{
    if (o->is_deep && a->depth != b->depth)
        return a->depth > b->depth;
    if (a->bound != b->bound)
        return a->bound < b->bound;
    if (a->depth != b->depth)
        return a->depth > b->depth;
    return a->number < b->number;
}

static void sink(struct bestdag_bnb_open *o, int64_t i)
{
    struct bestdag_bnb_leaf leaf = o->heap[i];
    for (int64_t k; (k = 2 * i + 1) < o->count; i = k) {
        if (k + 1 < o->count && is_before(o, &o->heap[k + 1], &o->heap[k]))
            k++;
        if (!is_before(o, &o->heap[k], &leaf))
            break;
        o->heap[i] = o->heap[k];
    }
    o->heap[i] = leaf;
}

static int grow(struct bestdag_bnb_open *o)
{
    int64_t room = o->room + o->room / 4 + 256;
    void *more =
        bestdag_realloc(o->run, o->heap, (size_t)room * sizeof *o->heap);
    if (!more)
        return bestdag_run_status(o->run);
    o->heap = more;
    o->room = room;
    return BESTDAG_OK;
}

int bestdag_bnb_open_put(struct bestdag_bnb_open *o,
                         struct bestdag_bnb_leaf leaf)
{
    if (o->count == o->room && grow(o))
        return bestdag_run_status(o->run);
    if (leaf.fork)
        leaf.fork->alive++;
    leaf.number = o->made++;
    assert(leaf.bound >= 0 && leaf.depth >= 0);
    assert(!leaf.fork || (leaf.index >= 0 && leaf.index <= leaf.fork->count));
    int64_t i = o->count++;
    for (; i > 0 && is_before(o, &leaf, &o->heap[(i - 1) / 2]); i = (i - 1) / 2)
        o->heap[i] = o->heap[(i - 1) / 2];
    o->heap[i] = leaf;
    return BESTDAG_OK;
}

struct bestdag_bnb_leaf bestdag_bnb_open_take(struct bestdag_bnb_open *o)
{
    assert(o->count > 0);
    struct bestdag_bnb_leaf first = o->heap[0];
    o->heap[0] = o->heap[--o->count];
    if (o->count)
        sink(o, 0);
    assert(!o->count || is_before(o, &first, &o->heap[0]));
    return first;
}

static void make_heap(struct bestdag_bnb_open *o)
{
    for (int64_t i = o->count / 2 - 1; i >= 0; i--)
        sink(o, i);
}

void bestdag_bnb_open_order(struct bestdag_bnb_open *o, bool is_deep)
{
    if (o->is_deep == is_deep)
        return;
    o->is_deep = is_deep;
    make_heap(o);
}

void bestdag_bnb_open_prune(struct bestdag_bnb_open *o, int64_t limit)
{
    int64_t left = 0;
    for (int64_t i = 0; i < o->count; i++) {
        if (o->heap[i].bound < limit)
            o->heap[left++] = o->heap[i];
        else
            bestdag_bnb_open_drop(o, o->heap[i].fork);
    }
    assert(left <= o->count);
    if (left == o->count)
        return;
    o->count = left;
    make_heap(o);
}

int64_t bestdag_bnb_open_least(const struct bestdag_bnb_open *o, int64_t none)
{
    int64_t least = o->count ? o->heap[0].bound : none;
    for (int64_t i = 0; o->is_deep && i < o->count; i++)
        least = o->heap[i].bound < least ? o->heap[i].bound : least;
    return least;
}

/* ---- inner nodes --------------------------------------------------------- */

void bestdag_bnb_open_drop(struct bestdag_bnb_open *o,
                           struct bestdag_bnb_inner_node *fork)
{
    assert(!fork || fork->alive > 0);
    while (fork && !--fork->alive) {
        struct bestdag_bnb_inner_node *up = fork->up;
        o->bytes -= fork_bytes(fork->count);
        assert(o->bytes >= 0);
        bestdag_free(fork);
        fork = up;
    }
}

struct bestdag_bnb_inner_node *bestdag_bnb_open_split(
    struct bestdag_bnb_open *o, const struct bestdag_bnb_leaf *leaf,
    const struct bestdag_fact *fact, int count)
{
    int64_t bytes = fork_bytes(count);
    struct bestdag_bnb_inner_node *fork = bestdag_alloc(o->run, (size_t)bytes);
    if (!fork)
        return NULL;
    o->bytes += bytes;
    *fork = (struct bestdag_bnb_inner_node){
        .up = leaf->fork, .index = leaf->index, .alive = 1, .count = count};
    memcpy(fork->fact, fact, (size_t)count * sizeof *fact);
    return fork;
}

void bestdag_bnb_open_release(struct bestdag_bnb_open *o)
{
    for (int64_t i = 0; i < o->count; i++)
        bestdag_bnb_open_drop(o, o->heap[i].fork);
    assert(o->bytes == 0); /* inner nodes are freed with their last child */
    bestdag_free(o->heap);
    *o = (struct bestdag_bnb_open){0};
}
