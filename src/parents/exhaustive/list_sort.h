/* SPDX-License-Identifier: MIT */
/* list_sort.h -- scored sets on their way into a list.
 *
 * A set of one child is a score and a key. Keys of up to 64 places are masks;
 * of more places the size (6 bits) above the members in ascending order,
 * `width` bits each. Sets too large for that have size 63 there and lie in a
 * pool, their size first. A bestdag_scored_sets holds sets of one child; a
 * worker has one for each. */
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

/* What keys mean. */
struct bestdag_keys {
    int places;       /* that there are */
    int width;        /* bits per member; 0: masks */
    const int *order; /* variable at a place */
    int from;         /* number of the first place */
    double scale;     /* units a nat */
};

struct bestdag_keys bestdag_keys_of(int places, int from, const int *order,
                                    double scale);
/* Members that fit into a key. */
int bestdag_keys_most(const struct bestdag_keys *keys);

enum { BESTDAG_KEY_BITS = 58, BESTDAG_KEY_POOL = 63 };

static inline uint64_t bestdag_key_add(const struct bestdag_keys *k,
                                       uint64_t key, int members, int place)
{
    return k->width ? key | (uint64_t)place << (k->width * members)
                    : key | (uint64_t)1 << place;
}

/* What a key ends with once its members are in it. */
static inline uint64_t bestdag_key_end(const struct bestdag_keys *k, int size)
{
    return k->width ? (uint64_t)size << BESTDAG_KEY_BITS : 0;
}

/* Room for `more` sets. */
int bestdag_scored_sets_reserve(struct bestdag_run *run,
                                struct bestdag_scored_sets *scored_sets,
                                int64_t more);
/* Adds a set of any size. */
int bestdag_scored_sets_add(struct bestdag_run *run,
                            struct bestdag_scored_sets *scored_sets,
                            const struct bestdag_keys *keys, const int *places,
                            int count, int64_t score);
/* Passes the sets from number `from` on, and the pool; when the archive is
 * opened, they are added behind. A pool can only be added to none. */
struct bestdag_archive;
int bestdag_scored_sets_pass(struct bestdag_run *run,
                             struct bestdag_scored_sets *scored_sets,
                             int64_t from, struct bestdag_archive *p);
void bestdag_scored_sets_release(struct bestdag_scored_sets *scored_sets);

/* The sheaves of one child: `count` of them, `stride` apart. */
struct bestdag_sort_job {
    const struct bestdag_keys *keys;
    const struct bestdag_scored_sets *scored_sets;
    int count, stride;
};

/* Sets of nearly one score. */
struct bestdag_tie {
    uint64_t order; /* the best score minus this one */
    uint64_t key;
    const int32_t *member; /* ascending */
    int size;
};

/* By score, size and members. */
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

/* Scratch that goes from child to child; start from zeros, free `at`. */
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
