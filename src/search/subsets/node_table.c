/* SPDX-License-Identifier: MIT */
/* node_table.c -- growing, sorting and freeing the segments of the table. */
#include "search/subsets/node_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Slots; small segments double, others grow by a quarter, as memory is
 * scarce. */
enum { FIRST = 8, SMALL = 64 };

static size_t bytes_of(uint32_t slots, int words)
{
    return (size_t)slots * (size_t)(words + 1) * sizeof(uint64_t);
}

static uint32_t next_size(uint32_t slots)
{
    return !slots ? FIRST : slots < SMALL ? 2 * slots : slots + slots / 4;
}

static void move_nodes(const struct bestdag_segment *from,
                       struct bestdag_segment *to, int words)
{
    size_t size = (size_t)(words + 1);
    for (size_t i = 0; i < from->slots; i++) {
        uint64_t *node = from->slot + i * size;
        if (*bestdag_node_cost(node, words) == BESTDAG_NO_NODE)
            continue;
        uint64_t hash = BESTDAG_WORDS(words, bestdag_set_hash, node);
        uint64_t *at =
            BESTDAG_WORDS(words, bestdag_segment_find, to, node, hash);
        memcpy(at, node, size * sizeof *at);
    }
}

bool bestdag_segment_grow(struct bestdag_node_table *nodes,
                          struct bestdag_segment *s)
{
    struct bestdag_segment to = {.slots = next_size(s->slots), .used = s->used};
    int words = nodes->words;
    int64_t more =
        (int64_t)(bytes_of(to.slots, words) - bytes_of(s->slots, words));
    if (to.slots < s->slots || nodes->taken + more > nodes->bytes)
        return false;
    to.slot = bestdag_alloc(nodes->run, bytes_of(to.slots, words));
    if (!to.slot)
        return false;
    for (size_t i = 0; i < to.slots; i++)
        *bestdag_node_cost(to.slot + i * (size_t)(words + 1), words) =
            BESTDAG_NO_NODE;
    move_nodes(s, &to, words);
    assert(to.used < to.slots && nodes->taken >= 0);
    bestdag_free(s->slot);
    *s = to;
    nodes->taken += more;
    return true;
}

int64_t bestdag_node_table_count(const struct bestdag_node_table *nodes)
{
    int64_t count = 0;
    for (int i = 0; i < BESTDAG_SEGMENTS; i++)
        count += nodes->segment[i].used;
    return count;
}

static int compare(const void *a, const void *b, int words)
{
    const uint64_t *one = a, *other = b;
    for (int w = words - 1; w >= 0; w--)
        if (one[w] != other[w])
            return one[w] < other[w] ? -1 : 1;
    return 0;
}

static int compare1(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int compare2(const void *a, const void *b)
{
    return compare(a, b, 2);
}

static int compare3(const void *a, const void *b)
{
    return compare(a, b, 3);
}

static int compare4(const void *a, const void *b)
{
    return compare(a, b, 4);
}

void bestdag_segment_pack(struct bestdag_segment *s, int words)
{
    size_t size = (size_t)(words + 1);
    uint64_t *to = s->slot;
    for (size_t i = 0; i < s->slots; i++) {
        uint64_t *node = s->slot + i * size;
        if (*bestdag_node_cost(node, words) == BESTDAG_NO_NODE)
            continue;
        for (size_t w = 0; w < size; w++)
            to[w] = node[w];
        to += size;
    }
    assert(to == s->slot + (size_t)s->used * size);
}

void bestdag_segment_sort(struct bestdag_segment *s, int words)
{
    static int (*const by[])(const void *, const void *) = {compare1, compare2,
                                                            compare3, compare4};
    if (s->used)
        qsort(s->slot, s->used, (size_t)(words + 1) * sizeof *s->slot,
              by[words - 1]);
}

void bestdag_segment_clear(struct bestdag_node_table *nodes,
                           struct bestdag_segment *s)
{
    nodes->taken -= (int64_t)bytes_of(s->slots, nodes->words);
    assert(nodes->taken >= 0);
    bestdag_free(s->slot);
    *s = (struct bestdag_segment){0};
}

void bestdag_node_table_drop(struct bestdag_node_table *nodes, int part)
{
    for (int i = 0; i < BESTDAG_PART_SEGMENTS; i++)
        bestdag_segment_clear(
            nodes, &nodes->segment[part * BESTDAG_PART_SEGMENTS + i]);
}

void bestdag_node_table_clear(struct bestdag_node_table *nodes)
{
    for (int p = 0; p < BESTDAG_PARTS; p++)
        bestdag_node_table_drop(nodes, p);
}
