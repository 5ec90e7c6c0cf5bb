/* SPDX-License-Identifier: MIT */
/* long_lists.h -- delayed computation of reduced costs of long lists.
 *
 * Paying for a cluster changes most reduced costs of its members' lists. On
 * long lists payments wait until there are many, and are then made together:
 * each parent has a column of bits, one per set, so that one word tells for 64
 * sets whether they meet a cluster; the words of eight clusters give each set a
 * byte, and a table of 256 sums gives its payment.
 *
 * Dual ascent only asks for small reduced costs. So the nearest sets are
 * copied, and their reduced costs are kept current; all others have at least
 * `edge` less the payments due. As long as that exceeds what is asked for,
 * answers are exact and the same as without delay; otherwise payments are made,
 * and the nearest sets are chosen again. */
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
    bool has_near;    /* the following is valid */
    int nears, room;  /* number of near sets; at most */
    int rank;         /* of the edge in a sample */
    int32_t *near;    /* owns; [room]: near sets, ascending */
    int64_t *reduced; /* owns; [room]: their reduced costs */
    uint64_t *mask;   /* owns; [room * words]: copies of their masks */
    int64_t edge;     /* other sets have at least this .. */
    int64_t paid;     /* .. less at most this */
};

struct bestdag_long_lists {
    int n;
    struct bestdag_long_list *list; /* owns; [n] */
    uint64_t *column;               /* owns; scratch */
    int64_t *table;                 /* owns; scratch */
};

/* NULL: no list is long, or an error. */
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

/* Subtracts y from the reduced cost of every set of v that misses the cluster,
 * no later than the list is next examined. */
void bestdag_long_list_pay(struct bestdag_relaxation *relax, int v,
                           const struct bestdag_cluster_view *view, int64_t y);
/* The minimum of `room` and the reduced costs of the sets of v that miss the
 * cluster. */
int64_t bestdag_long_list_room(struct bestdag_relaxation *relax, int v,
                               const struct bestdag_cluster_view *view,
                               int64_t room);
/* Lists the sets of v of reduced cost 0. */
void bestdag_long_list_tighten(struct bestdag_relaxation *relax, int v);
/* Makes the payments on all lists; no sets are near then. */
void bestdag_long_lists_settle(struct bestdag_relaxation *relax);

#endif
