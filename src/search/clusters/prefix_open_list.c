/* SPDX-License-Identifier: MIT */
/* prefix_open_list.c -- a hash table of prefixes and a heap. Entries of the
 * heap whose node was closed or improved since are skipped. */
#include "search/clusters/prefix_open_list.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"

void bestdag_prefix_open_list_forget(struct bestdag_prefix_open_list *f,
                                     int32_t node)
{
    struct bestdag_saved_clusters *record = f->node[node].record;
    if (record)
        f->record_bytes -= bestdag_saved_clusters_bytes(record);
    bestdag_saved_clusters_free(record);
    f->node[node].record = NULL;
}

void bestdag_prefix_open_list_release(struct bestdag_prefix_open_list *f)
{
    for (int32_t i = 0; i < f->count; i++)
        bestdag_saved_clusters_free(f->node[i].record);
    bestdag_free(f->set);
    bestdag_free(f->node);
    bestdag_free(f->slot);
    bestdag_free(f->heap);
    bestdag_free(f->way);
}

/* ---- the table --------------------------------------------------------------
 */

static uint64_t hash_of(const uint64_t *set, int words)
{
    uint64_t hash = 0;
    for (int w = 0; w < words; w++)
        hash = bestdag_mix(hash ^ set[w]);
    return hash;
}

/* Where the set is, or would be. */
static int32_t *find(const struct bestdag_prefix_open_list *f,
                     const uint64_t *set)
{
    uint64_t at = hash_of(set, f->words), mask = (uint64_t)f->slots - 1;
    size_t size = (size_t)f->words * sizeof *set;
    while (f->slot[at & mask] >= 0 &&
           memcmp(bestdag_prefix_open_list_set(f, f->slot[at & mask]), set,
                  size) != 0)
        at++;
    return &f->slot[at & mask];
}

static int64_t bytes_of(const struct bestdag_prefix_open_list *f, int64_t room)
{
    int64_t node = f->words * 8 + (int64_t)sizeof *f->node;
    return room * (node + 4 * 4 + 2 * (int64_t)sizeof *f->heap);
}

static int grow(struct bestdag_prefix_open_list *f)
{
    int64_t room = f->room ? f->room + f->room / 2 : 256, slots = 512;
    while (slots < 2 * room)
        slots *= 2;
    /* the old ones are there while the new ones are made */
    if (room > INT32_MAX / 2 || bytes_of(f, room) * 2 > f->bytes) {
        f->is_full = true;
        return BESTDAG_OK;
    }
    uint64_t *set = bestdag_realloc(
        f->run, f->set, (size_t)room * (size_t)f->words * sizeof *set);
    if (set)
        f->set = set;
    struct bestdag_prefix_node *node =
        bestdag_realloc(f->run, f->node, (size_t)room * sizeof *node);
    if (node)
        f->node = node;
    int32_t *slot = bestdag_alloc(f->run, (size_t)slots * sizeof *slot);
    if (!set || !node || !slot) {
        bestdag_free(slot);
        return bestdag_run_status(f->run);
    }
    bestdag_free(f->slot);
    f->slot = slot;
    f->slots = slots;
    f->room = (int32_t)room;
    memset(slot, -1, (size_t)slots * sizeof *slot);
    for (int32_t i = 0; i < f->count; i++)
        *find(f, bestdag_prefix_open_list_set(f, i)) = i;
    return BESTDAG_OK;
}

/* ---- the heap ---------------------------------------------------------------
 */

static bool before(struct bestdag_open_entry a, struct bestdag_open_entry b)
{
    return a.f < b.f || (a.f == b.f && a.node > b.node);
}

static int push(struct bestdag_prefix_open_list *f, int32_t node)
{
    assert(node >= 0 && f->node[node].g >= 0 && f->node[node].h >= 0);
    struct bestdag_open_entry e = {f->node[node].g + f->node[node].h, node};
    if (f->heaped == f->heap_room) {
        int64_t room = 2 * f->heap_room + 64;
        struct bestdag_open_entry *more =
            bestdag_realloc(f->run, f->heap, (size_t)room * sizeof *more);
        if (!more)
            return bestdag_run_status(f->run);
        f->heap = more;
        f->heap_room = room;
    }
    int64_t i = f->heaped++;
    for (; i && before(e, f->heap[(i - 1) / 2]); i = (i - 1) / 2)
        f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = e;
    return BESTDAG_OK;
}

static void pop(struct bestdag_prefix_open_list *f)
{
    assert(f->heaped > 0);
    struct bestdag_open_entry e = f->heap[--f->heaped];
    int64_t i = 0;
    for (int64_t k; (k = 2 * i + 1) < f->heaped; i = k) {
        if (k + 1 < f->heaped && before(f->heap[k + 1], f->heap[k]))
            k++;
        if (!before(f->heap[k], e))
            break;
        f->heap[i] = f->heap[k];
    }
    f->heap[i] = e;
}

/* Removes outdated entries from the top. */
static void clear_top(struct bestdag_prefix_open_list *f)
{
    while (f->heaped) {
        const struct bestdag_prefix_node *n = &f->node[f->heap[0].node];
        if (n->is_open && n->g + n->h == f->heap[0].f)
            return;
        pop(f);
    }
}

int64_t bestdag_prefix_open_list_least(struct bestdag_prefix_open_list *f)
{
    clear_top(f);
    return f->heaped ? f->heap[0].f : INT64_MAX;
}

int32_t bestdag_prefix_open_list_take(struct bestdag_prefix_open_list *f)
{
    clear_top(f);
    if (!f->heaped)
        return -1;
    int32_t node = f->heap[0].node;
    f->node[node].is_open = false;
    pop(f);
    return node;
}

/* Records the variables placed on the edge to a node. */
static int note_way(struct bestdag_prefix_open_list *f,
                    struct bestdag_prefix_node *node, const int32_t *next)
{
    if (f->ways + node->length > f->way_room) {
        int64_t room = 2 * f->way_room + node->length + 64;
        int32_t *more =
            room > INT32_MAX
                ? NULL
                : bestdag_realloc(f->run, f->way, (size_t)room * sizeof *more);
        if (!more) {
            f->is_full = true;
            return bestdag_run_status(f->run);
        }
        f->way = more;
        f->way_room = room;
    }
    node->way = (int32_t)f->ways;
    for (int i = 0; i < node->length; i++)
        f->way[f->ways++] = next[i];
    return BESTDAG_OK;
}

int32_t bestdag_prefix_open_list_find(const struct bestdag_prefix_open_list *f,
                                      const uint64_t *set)
{
    return f->slots ? *find(f, set) : -1;
}

/* A cheaper way to a node, or another bound of it. */
static int improve(struct bestdag_prefix_open_list *f, int32_t at,
                   struct bestdag_prefix_node *node, const int32_t *next)
{
    struct bestdag_prefix_node *old = &f->node[at];
    if (old->g <= node->g) {
        if (node->h <= old->h || !old->is_open)
            return BESTDAG_OK;
        old->h = node->h;
        return push(f, at);
    }
    if (note_way(f, node, next) || f->is_full)
        return bestdag_run_status(f->run);
    node->h = old->h > node->h ? old->h : node->h;
    if (node->record) {
        bestdag_prefix_open_list_forget(f, at);
        f->record_bytes += bestdag_saved_clusters_bytes(node->record);
    } else
        node->record = old->record;
    *old = *node;
    node->record = NULL;
    return push(f, at);
}

int bestdag_prefix_open_list_put(struct bestdag_prefix_open_list *f,
                                 const uint64_t *set,
                                 struct bestdag_prefix_node node,
                                 const int32_t *next)
{
    int32_t known = bestdag_prefix_open_list_find(f, set);
    int64_t bytes = node.record ? bestdag_saved_clusters_bytes(node.record) : 0;
    assert(node.from < f->count && node.length >= 0);
    node.is_open = true;
    if (f->record_bytes + bytes > f->most_record_bytes) {
        bestdag_saved_clusters_free(node.record);
        node.record = NULL;
    }
    if (known >= 0)
        improve(f, known, &node, next);
    else if ((f->count < f->room || !grow(f)) && f->count < f->room &&
             !note_way(f, &node, next) && !f->is_full) {
        assert(f->count < f->room && f->room <= f->slots / 2);
        *find(f, set) = f->count;
        memcpy(f->set + (int64_t)f->count * f->words, set,
               (size_t)f->words * sizeof *set);
        f->node[f->count] = node;
        f->record_bytes += node.record ? bytes : 0;
        node.record = NULL;
        push(f, f->count++);
    }
    bestdag_saved_clusters_free(node.record);
    return bestdag_run_status(f->run);
}
