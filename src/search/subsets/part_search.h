/* SPDX-License-Identifier: MIT */
/* part_search.h -- the optimal order of a part of a problem whose relaxation
 * leaves a gap: A* over prefixes with the cluster bound of the relaxation
 * (cluster_heuristic.h), below the cost of a known order.
 *
 * The multipliers stay as they are: one that moves them at each prefix expands
 * fewer prefixes and takes longer. Of `cluster`, in processor seconds:
 *
 * (figures)
 */
#ifndef BESTDAG_SEARCH_SUBSETS_PART_SEARCH_H
#define BESTDAG_SEARCH_SUBSETS_PART_SEARCH_H

#include "bounds/relaxation.h"
#include "search/solver.h"

struct bestdag_part_search {
    struct bestdag_task *task;
    const struct bestdag_relaxation *relax;
    const int32_t *variable; /* [n]: numbers in the problem, ascending */
    int64_t bytes;           /* that it may take */
    int64_t most_nodes;      /* expanded, about; 0: no limit */
    double most_work;        /* nominal seconds; 0: no limit */
    double before;           /* nominal seconds until now */
    int64_t others;          /* what the other parts cost at least .. */
    int64_t their_orders;    /* .. and in their orders */
    /* After a turn of others: what an order costs by now. May be NULL. */
    int64_t (*on_turn)(void *job);
    void *job;
    int64_t upper; /* an order costs this; lowered */
    int *order;    /* [n]: that order, if is_better */
    /* the result */
    int64_t bound; /* no order costs less: `upper` if all was searched */
    int64_t expanded, generated;
    double work; /* nominal seconds */
    bool is_better, is_limited;
};

/* Are they not too many? Otherwise there is no search. */
bool bestdag_part_search_fits(int n);
int bestdag_part_search_run(struct bestdag_part_search *f);

#endif
