/* SPDX-License-Identifier: MIT */
/* prefix_search.h -- the optimal order of a part whose relaxation leaves a gap.
 *
 * Best-first search over prefixes, each stored once with its cheapest path; the
 * remaining cost is bounded by the clusters among the other variables, with
 * dual ascent again at every node. A variable whose best set is available is
 * placed at once. */
#ifndef BESTDAG_SEARCH_CLUSTERS_PREFIX_SEARCH_H
#define BESTDAG_SEARCH_CLUSTERS_PREFIX_SEARCH_H

#include "bounds/relaxation.h"

struct bestdag_certificate;

struct bestdag_prefix_search {
    struct bestdag_run *run;
    struct bestdag_relaxation *root; /* after cutting planes; read only */
    struct bestdag_certificate
        *certificate;   /* NULL: no certificate is wanted */
    int64_t bytes;      /* that nodes may take */
    int64_t most_nodes; /* expanded, at most; 0: no limit */
    int64_t most_work;  /* sets examined; 0: no limit */
    int64_t upper;      /* an order costs this; lowered */
    int *order;         /* [n]: that order, if is_better */
    void (*report)(void *job, int64_t upper, int64_t bound); /* may be NULL */
    /* Before each round; may lower `upper`, with `order` and is_better. May be
     * NULL. */
    void (*on_round)(void *job, struct bestdag_prefix_search *search);
    void *job;
    /* the result */
    int64_t bound; /* no order costs less: `upper` if all was searched */
    int64_t looked, expanded;
    int64_t work; /* sets examined, by all threads together */
    bool is_better, is_limited;
};

int bestdag_prefix_search_run(struct bestdag_prefix_search *f);

#endif
