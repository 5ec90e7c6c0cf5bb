/* SPDX-License-Identifier: MIT */
/* long_lists.h -- reduced costs of long lists, computed late.
 *
 * To pay for a cluster changes most reduced costs of its members' lists. On
 * long lists payments wait until there are many of them, and then are made
 * together: 64 sets are a column of bits per parent, so that one word tells of
 * 64 sets whether they meet a cluster; the words of eight clusters give each
 * set a byte, and a table of 256 sums what the set is paid.
 *
 * Dual ascent asks only for small reduced costs. So the nearest sets have
 * theirs at once, in copies; of all others is known that they are at least
 * `edge` less what is due. As long as that is more than what is asked for, the
 * answers are exact, and the same as without all this; if not, payments are
 * made, and other sets become the nearest. */
#ifndef BESTDAG_BOUNDS_LONG_LISTS_H
#define BESTDAG_BOUNDS_LONG_LISTS_H

#include "bounds/relaxation.h"

struct bestdag_payment {
    struct bestdag_cluster_view view;
    int64_t y;
};

struct bestdag_long_list {
    struct bestdag_payment *due; /* owns; NULL: the list is short */
    int dues;
    bool has_near;    /* what follows is known */
    int nears, room;  /* how many are near; how many may be */
    int rank;         /* of the edge in a sample */
    int32_t *near;    /* owns; [room]: sets, ascending */
    int64_t *reduced; /* owns; [room]: their reduced costs */
    uint64_t *mask;   /* owns; [room * words]: copies */
    int64_t edge;     /* other sets have at least this, */
    int64_t paid;     /* less at most this */
};

struct bestdag_long_lists {
    int n;
    struct bestdag_long_list *list; /* owns; [n] */
    uint64_t *column;               /* owns; scratch */
    int64_t *table;                 /* owns; scratch */
};

/* NULL: no list is long, or failed. */
struct bestdag_long_lists *bestdag_long_lists_new(
    const struct bestdag_relaxation *relax);
void bestdag_long_lists_free(struct bestdag_long_lists *l);

/* The long list of v; NULL: it is short. */
static inline struct bestdag_long_list *bestdag_long_list_of(
    const struct bestdag_relaxation *relax, int v)
{
    if (!relax->long_lists || !relax->long_lists->list[v].due)
        return NULL;
    return &relax->long_lists->list[v];
}

/* Takes y off the reduced cost of every set of v that misses the cluster, when
 * the list is looked at next. */
void bestdag_long_list_pay(struct bestdag_relaxation *relax, int v,
                           const struct bestdag_cluster_view *view, int64_t y);
/* The least of `room` and the reduced costs of the sets of v that miss it. */
int64_t bestdag_long_list_room(struct bestdag_relaxation *relax, int v,
                               const struct bestdag_cluster_view *view,
                               int64_t room);
/* Lists the sets of v of reduced cost 0. */
void bestdag_long_list_tighten(struct bestdag_relaxation *relax, int v);
/* Payments are made on all lists; no sets are near. */
void bestdag_long_lists_settle(struct bestdag_relaxation *relax);

#endif
