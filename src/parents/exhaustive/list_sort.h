/* SPDX-License-Identifier: MIT */
/* list_sort.h -- scored sets before they become a list.
 *
 * A set of one child is a score and a key. For up to 64 places keys are masks;
 * for more, the size (6 bits) above the members in ascending order, `width`
 * bits each. Sets too large for that have size 63 in the key and are in a pool,
 * their size first. A bestdag_scored_sets holds sets of one child; a worker has
 * one for each child. */
#ifndef BESTDAG_PARENTS_EXHAUSTIVE_LIST_SORT_H
#define BESTDAG_PARENTS_EXHAUSTIVE_LIST_SORT_H

#include "parents/sets.h"

struct bestdag_scored_set {
    int64_t score;
    uint64_t key;
};

struct bestdag_scored_sets {
    struct bestdag_scored_set *found; /* owns */
    int64_t count, room;
    int32_t *pool; /* owns; size and members of large sets */
    int64_t pool_count, pool_room;
};

/* How keys are encoded. */
struct bestdag_keys {
    int places;       /* number of places */
    int width;        /* bits per member; 0: masks */
    const int *order; /* variable at a place */
    int from;         /* first place */
    double scale;     /* units per nat */
};

struct bestdag_keys bestdag_keys_of(int places, int from, const int *order,
                                    double scale);
/* The largest number of members that fit into a key. */
int bestdag_keys_most(const struct bestdag_keys *keys);

enum { BESTDAG_KEY_BITS = 58, BESTDAG_KEY_POOL = 63 };

static inline uint64_t bestdag_key_add(const struct bestdag_keys *k,
                                       uint64_t key, int members, int place)
{
    return k->width ? key | (uint64_t)place << (k->width * members)
                    : key | (uint64_t)1 << place;
}

/* The last part of a key, added after its members. */
static inline uint64_t bestdag_key_end(const struct bestdag_keys *k, int size)
{
    return k->width ? (uint64_t)size << BESTDAG_KEY_BITS : 0;
}

/* Makes room for `more` sets. */
int bestdag_scored_sets_reserve(struct bestdag_run *run,
                                struct bestdag_scored_sets *scored_sets,
                                int64_t more);
/* Adds a set of any size. */
int bestdag_scored_sets_add(struct bestdag_run *run,
                            struct bestdag_scored_sets *scored_sets,
                            const struct bestdag_keys *keys, const int *places,
                            int count, int64_t score);
/* Passes the sets from index `from` on, and the pool; on reading, appends them.
 * A pool can only be appended to an empty one. */
struct bestdag_archive;
int bestdag_scored_sets_pass(struct bestdag_run *run,
                             struct bestdag_scored_sets *scored_sets,
                             int64_t from, struct bestdag_archive *p);
void bestdag_scored_sets_release(struct bestdag_scored_sets *scored_sets);

/* The scored sets of one child: `count` of them, `stride` apart. */
struct bestdag_sort_job {
    const struct bestdag_keys *keys;
    const struct bestdag_scored_sets *scored_sets;
    int count, stride;
};

/* A set among sets of nearly equal score. */
struct bestdag_tie {
    uint64_t order; /* best score minus this one */
    uint64_t key;
    const int32_t *member; /* ascending */
    int size;
};

/* Sorts by score, size and members. */
void bestdag_ties_sort(struct bestdag_tie *ties, int64_t count);

static inline void bestdag_members_sort(int32_t *member, int count)
{
    for (int i = 1; i < count; i++) {
        int32_t m = member[i];
        int j = i;
        for (; j > 0 && member[j - 1] > m; j--)
            member[j] = member[j - 1];
        member[j] = m;
    }
}

/* Scratch that is reused from child to child; zeroed at first; free `at`. */
struct bestdag_sorted_lists {
    void *at; /* owns */
    size_t bytes;
};

/* Sorts the sets of one child and makes a list of them. */
int bestdag_list_sort(struct bestdag_run *run,
                      const struct bestdag_sort_job *crop,
                      struct bestdag_sorted_lists *barn,
                      struct bestdag_list *to);

#endif
