/* SPDX-License-Identifier: MIT */
/* prefix_open_list.h -- prefixes with g (cost) and h (lower bound on the
 * remaining cost) in a hash table, and a heap of the open ones.
 *
 * For searches whose nodes are expensive to bound: a node may have any number
 * of variables, and space is no concern. */
#ifndef BESTDAG_SEARCH_CLUSTERS_PREFIX_OPEN_LIST_H
#define BESTDAG_SEARCH_CLUSTERS_PREFIX_OPEN_LIST_H

#include "bounds/saved_clusters.h"

struct bestdag_prefix_node {
    int64_t g;    /* the least cost of a path here so far */
    int64_t h;    /* lower bound on the remaining cost */
    int32_t from; /* predecessor; -1: none */
    int32_t way;  /* variables placed since: way[way ..) of the list */
    int32_t length;
    bool is_open;
    /* owns; multipliers to begin with; NULL: those of the root */
    struct bestdag_saved_clusters *record;
};

struct bestdag_open_entry {
    int64_t f;
    int32_t node;
};

struct bestdag_prefix_open_list {
    struct bestdag_run *run;
    int words;                               /* of a set */
    int64_t bytes;                           /* that it may take */
    int64_t record_bytes, most_record_bytes; /* likewise, records besides */
    int32_t count, room;
    uint64_t *set;                    /* owns; [room * words] */
    struct bestdag_prefix_node *node; /* owns; [room] */
    int32_t *slot;                    /* owns; [slots], -1: empty */
    int64_t slots;
    int32_t *way; /* owns */
    int64_t ways, way_room;
    struct bestdag_open_entry *heap; /* owns */
    int64_t heaped, heap_room;
    bool is_full;
};

static inline const uint64_t *bestdag_prefix_open_list_set(
    const struct bestdag_prefix_open_list *f, int32_t node)
{
    return f->set + (int64_t)node * f->words;
}

/* The node of a set; -1: there is none. */
int32_t bestdag_prefix_open_list_find(const struct bestdag_prefix_open_list *f,
                                      const uint64_t *set);
/* The node no longer needs its record. */
void bestdag_prefix_open_list_forget(struct bestdag_prefix_open_list *f,
                                     int32_t node);
void bestdag_prefix_open_list_release(struct bestdag_prefix_open_list *f);
/* A path to `set`, by placing next[node.length] after node.from: makes a node,
 * or improves one, and opens it if it is new or cheaper. Not OK: failed.
 * is_full: there was no room for it. Takes node.record in any case, and frees
 * it if records take too much. */
int bestdag_prefix_open_list_put(struct bestdag_prefix_open_list *f,
                                 const uint64_t *set,
                                 struct bestdag_prefix_node node,
                                 const int32_t *next);
/* The open node of least g + h, which is closed by this; -1: there is none. */
int32_t bestdag_prefix_open_list_take(struct bestdag_prefix_open_list *f);
/* The least g + h of what is open; INT64_MAX: nothing is. */
int64_t bestdag_prefix_open_list_least(struct bestdag_prefix_open_list *f);

#endif
