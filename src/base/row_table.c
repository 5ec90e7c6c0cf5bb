/* SPDX-License-Identifier: MIT */
/* row_table.c -- a hash table whose keys are rows of bits. */
#include "base/row_table.h"

#include <string.h>

#include "base/random.h"
#include "base/row.h"

void bestdag_row_table_release(struct bestdag_row_table *h)
{
    bestdag_free(h->key);
    bestdag_free(h->value);
    bestdag_free(h->used);
    *h = (struct bestdag_row_table){.words = h->words, .size = h->size};
}

/* The slot of the key, or where it would be inserted. */
static size_t place(const struct bestdag_row_table *h, const uint64_t *key)
{
    uint64_t hash = 0, mask = (uint64_t)h->room - 1;
    for (size_t i = 0; i < h->words; i++)
        hash = bestdag_mix(hash ^ key[i]);
    uint64_t at = hash & mask;
    while (h->used[at] &&
           !bestdag_row_same(h->key + at * h->words, key, h->words))
        at = (at + 1) & mask;
    return at;
}

static void *value_at(const struct bestdag_row_table *h, size_t at)
{
    return (char *)h->value + at * h->size;
}

static bool grow(struct bestdag_run *run, struct bestdag_row_table *h)
{
    struct bestdag_row_table to = {.words = h->words, .size = h->size};
    to.room = h->room ? 2 * h->room : 64;
    to.key = bestdag_alloc(run, (size_t)to.room * h->words * sizeof *to.key);
    to.value = bestdag_alloc(run, (size_t)to.room * h->size);
    to.used = bestdag_calloc(run, (size_t)to.room, 1);
    if (!to.key || !to.value || !to.used) {
        bestdag_row_table_release(&to);
        return false;
    }
    for (size_t i = 0; i < (size_t)h->room; i++) {
        if (!h->used[i])
            continue;
        size_t at = place(&to, h->key + i * h->words);
        bestdag_row_copy(to.key + at * h->words, h->key + i * h->words,
                         h->words);
        memcpy(value_at(&to, at), value_at(h, i), h->size);
        to.used[at] = 1;
    }
    to.count = h->count;
    bestdag_row_table_release(h);
    *h = to;
    return true;
}

void *bestdag_row_table_add(struct bestdag_run *run,
                            struct bestdag_row_table *h, const uint64_t *key,
                            bool *fresh)
{
    if (2 * (h->count + 1) > h->room && !grow(run, h))
        return NULL;
    size_t at = place(h, key);
    *fresh = !h->used[at];
    if (*fresh) {
        bestdag_row_copy(h->key + at * h->words, key, h->words);
        h->used[at] = 1;
        h->count++;
    }
    return value_at(h, at);
}

void *bestdag_row_table_find(const struct bestdag_row_table *h,
                             const uint64_t *key)
{
    size_t at = h->room ? place(h, key) : 0;
    return h->room && h->used[at] ? value_at(h, at) : NULL;
}
