/* SPDX-License-Identifier: MIT */
/* dictionary.c -- the different values of a column, numbered in order of
 * appearance. */
#include "data/text/dictionary.h"

#include <assert.h>

#include "base/random.h"

uint64_t bestdag_word_hash(const char *text, size_t n)
{
    uint64_t hash = bestdag_mix(n), part;
    for (; n >= 8; text += 8, n -= 8) {
        memcpy(&part, text, 8);
        hash = bestdag_mix(hash ^ part);
    }
    part = 0;
    memcpy(&part, text, n);
    return bestdag_mix(hash ^ part);
}

const char *bestdag_dictionary_text(const struct bestdag_dictionary *d,
                                    const struct bestdag_buffer *store,
                                    int number, size_t *length)
{
    assert(number >= 0 && number < d->count);
    const struct bestdag_entry *e = &d->entry[number];
    if (!e->place) {
        const char *text = (const char *)&e->key;
        *length = strnlen(text, 8);
        return text;
    }
    uint64_t n;
    const char *at = store->at + e->place - 1;
    memcpy(&n, at, sizeof n);
    *length = (size_t)n;
    return at + sizeof n;
}

int bestdag_dictionary_find_long(const struct bestdag_dictionary *d,
                                 const struct bestdag_buffer *store,
                                 struct bestdag_word w)
{
    size_t mask = ((size_t)1 << (64 - d->shift)) - 1, length;
    size_t i = bestdag_dictionary_home(w.key, d->shift);
    for (; d->slot[i]; i = (i + 1) & mask) {
        const struct bestdag_entry *e = &d->entry[d->slot[i] - 1];
        if (e->key != w.key || !e->place)
            continue;
        const char *text =
            bestdag_dictionary_text(d, store, d->slot[i] - 1, &length);
        if (length == w.length && !memcmp(text, w.text, length))
            return d->slot[i] - 1;
    }
    return -1;
}

static void put(struct bestdag_dictionary *d, int number)
{
    size_t mask = ((size_t)1 << (64 - d->shift)) - 1;
    size_t i = bestdag_dictionary_home(d->entry[number].key, d->shift);
    while (d->slot[i])
        i = (i + 1) & mask;
    d->slot[i] = (uint16_t)(number + 1);
}

static int grow(struct bestdag_run *run, struct bestdag_dictionary *d)
{
    int room = d->room ? d->room * 2 : 8, shift = d->room ? d->shift - 1 : 60;
    size_t slots = (size_t)1 << (64 - shift);
    struct bestdag_entry *entry =
        bestdag_realloc(run, d->entry, (size_t)room * sizeof *entry);
    if (!entry)
        return bestdag_run_status(run);
    d->entry = entry;
    uint16_t *slot = bestdag_calloc(run, slots, sizeof *slot);
    if (!slot)
        return bestdag_run_status(run);
    bestdag_free(d->slot);
    d->slot = slot;
    d->room = room;
    d->shift = shift;
    for (int i = 0; i < d->count; i++)
        put(d, i);
    return BESTDAG_OK;
}

int bestdag_dictionary_add(struct bestdag_run *run,
                           struct bestdag_dictionary *d,
                           struct bestdag_buffer *store, struct bestdag_word w)
{
    if (d->count == d->room && grow(run, d))
        return -1;
    struct bestdag_entry e = {.key = w.key};
    if (w.length > 8) {
        uint64_t n = w.length;
        e.place = store->length + 1;
        bestdag_buffer_add(store, (const char *)&n, sizeof n);
        bestdag_buffer_add(store, w.text, w.length);
        if (bestdag_run_status(run))
            return -1;
    }
    assert(d->count < d->room && d->count < UINT16_MAX);
    d->entry[d->count] = e;
    put(d, d->count);
    return d->count++;
}

void bestdag_dictionary_release(struct bestdag_dictionary *d)
{
    bestdag_free(d->entry);
    bestdag_free(d->slot);
    *d = (struct bestdag_dictionary){0};
}
