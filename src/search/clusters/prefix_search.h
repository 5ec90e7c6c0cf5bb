/* SPDX-License-Identifier: MIT */
/* prefix_search.h -- the optimal order of a part whose relaxation leaves a gap.
 *
 * Best first over sets of placed variables, each kept once with its cheapest
 * way; what is still to come is bounded by the clusters among the others,
 * raised anew for every set that is looked at. A variable that has its best set
 * already is placed at once. */
#ifndef BESTDAG_SEARCH_CLUSTERS_PREFIX_SEARCH_H
#define BESTDAG_SEARCH_CLUSTERS_PREFIX_SEARCH_H

#include "bounds/relaxation.h"

struct bestdag_certificate;

struct bestdag_prefix_search {
    struct bestdag_run *run;
    struct bestdag_relaxation *root;     /* polished; read only here */
    struct bestdag_certificate *witness; /* NULL: no certificate is wanted */
    int64_t bytes;                       /* that nodes may take */
    int64_t most_nodes;                  /* expanded, at most; 0: no limit */
    int64_t most_work;                   /* sets looked at; 0: no limit */
    int64_t upper;                       /* an order costs this; lowered */
    int *order;                          /* [n]: that order, if is_better */
    void (*tell)(void *job, int64_t upper, int64_t bound); /* NULL: nobody */
    void *job;
    /* what came out */
    int64_t bound; /* no order costs less: `upper` if all was searched */
    int64_t looked, expanded;
    int64_t work; /* sets looked at, by all threads together */
    bool is_better, is_limited;
};

int bestdag_prefix_search_search(struct bestdag_prefix_search *f);

#endif
