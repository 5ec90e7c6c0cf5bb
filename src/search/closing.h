/* SPDX-License-Identifier: MIT */
/* closing.h -- the optimal order of a part whose relaxation leaves a gap.
 *
 * Best first over sets of placed variables, each kept once with its cheapest
 * way; what is still to come is bounded by the clusters among the others,
 * raised anew for every set that is looked at. A variable that has its best set
 * already is placed at once. */
#ifndef BESTDAG_SEARCH_CLOSING_H
#define BESTDAG_SEARCH_CLOSING_H

#include "bounds/relax.h"

struct bestdag_witness;

struct bestdag_closing {
    struct bestdag_run *run;
    struct bestdag_relax *root;      /* polished; read only here */
    struct bestdag_witness *witness; /* NULL: no certificate is wanted */
    int64_t bytes;                   /* that nodes may take */
    int64_t most_nodes;              /* expanded, at most; 0: no limit */
    int64_t most_work;               /* sets looked at; 0: no limit */
    int64_t upper;                   /* an order costs this; lowered */
    int *order;                      /* [n]: that order, if is_better */
    void (*tell)(void *job, int64_t upper, int64_t bound); /* NULL: nobody */
    void *job;
    /* what came out */
    int64_t bound; /* no order costs less: `upper` if all was searched */
    int64_t looked, expanded;
    int64_t work; /* sets looked at, by all threads together */
    bool is_better, is_limited;
};

int bestdag_closing_search(struct bestdag_closing *f);

#endif
