/* SPDX-License-Identifier: MIT */
/* dictionary.h -- the different values of a column, numbered in order of
 * appearance.
 *
 * A text of at most 8 bytes is its own key: the bytes as one word, zeroes
 * behind (no text has NUL bytes). A longer one has a hash as key and its bytes
 * in a store that all columns share. Open addressing, at most half full; one
 * look-up of a short text is a multiplication and, mostly, two loads. */
#ifndef BESTDAG_DATA_TEXT_DICTIONARY_H
#define BESTDAG_DATA_TEXT_DICTIONARY_H

#include <string.h>

#include "base/text.h"

struct bestdag_entry {
    uint64_t key;
    uint64_t place; /* of a long text: 1 + its place in the store; short: 0 */
};

struct bestdag_dictionary {
    struct bestdag_entry *entry; /* owns; [room]; by number */
    uint16_t *slot;              /* owns; [2^(64 - shift)]: number + 1, or 0 */
    int count, room, shift;
};

/* A text with its key. At least 8 bytes can be read at text. */
struct bestdag_word {
    const char *text;
    size_t length;
    uint64_t key;
};

uint64_t bestdag_word_hash(const char *text, size_t n); /* of long ones */

static inline struct bestdag_word bestdag_word_make(const char *text, size_t n)
{
    struct bestdag_word w = {.text = text, .length = n};
    if (n > 8)
        w.key = bestdag_word_hash(text, n);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    else if (n) {
        memcpy(&w.key, text, 8);
        w.key &= ~(uint64_t)0 >> (64 - 8 * n);
    }
#else
    else
        memcpy(&w.key, text, n);
#endif
    return w;
}

static inline size_t bestdag_dictionary_home(uint64_t key, int shift)
{
    return (size_t)(((key ^ (key >> 32)) * 0x9e3779b97f4a7c15u) >> shift);
}

/* Its number, or -1. */
int bestdag_dictionary_find_long(const struct bestdag_dictionary *d,
                                 const struct bestdag_buffer *store,
                                 struct bestdag_word w);
static inline int bestdag_dictionary_find(const struct bestdag_dictionary *d,
                                          const struct bestdag_buffer *store,
                                          struct bestdag_word w)
{
    if (!d->slot)
        return -1;
    if (w.length > 8)
        return bestdag_dictionary_find_long(d, store, w);
    size_t mask = ((size_t)1 << (64 - d->shift)) - 1;
    size_t i = bestdag_dictionary_home(w.key, d->shift);
    for (; d->slot[i]; i = (i + 1) & mask) {
        const struct bestdag_entry *e = &d->entry[d->slot[i] - 1];
        if (e->key == w.key && !e->place)
            return d->slot[i] - 1;
    }
    return -1;
}
/* Returns the number of a text, adding it if it is new; at most 65535.
 * Negative: failed. */
int bestdag_dictionary_add(struct bestdag_run *run,
                           struct bestdag_dictionary *d,
                           struct bestdag_buffer *store, struct bestdag_word w);
/* Its text, not NUL-terminated. */
const char *bestdag_dictionary_text(const struct bestdag_dictionary *d,
                                    const struct bestdag_buffer *store,
                                    int number, size_t *length);
void bestdag_dictionary_release(struct bestdag_dictionary *d);

#endif
