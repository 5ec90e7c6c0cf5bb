/* SPDX-License-Identifier: MIT */
/* part_search.h -- the optimal order of a part of a problem whose relaxation
 * leaves a gap: A* over prefixes with the cluster bound of the relaxation
 * (cluster_heuristic.h), below the cost of a known order.
 *
 * The multipliers stay as they are at the root. Adjusting them at every prefix,
 * by dual ascent and smoothing, expands far fewer prefixes, but takes longer,
 * and its certificate needs the multipliers of each. Processor seconds and
 * prefixes expanded by `cluster` until proved, with adjusted ("moving") and
 * with fixed multipliers:
 *
 *                     moving              as they are
 *     soybean         12.1 s     191       2.9 s  61,224
 *     chess, 3 par.    8.8 s      14       5.8 s   3,260
 *     random-100x4    10.0 s     256       0.8 s     463
 *     random-30x20     2.1 s     256       0.5 s   3,614
 *
 * hailfinder-5000, link-5000, Diabetes_1000_1_2 and munin1-5000 need no search.
 * Time: that of A*; memory about 24 bytes per prefix. */
#ifndef BESTDAG_SEARCH_SUBSETS_PART_SEARCH_H
#define BESTDAG_SEARCH_SUBSETS_PART_SEARCH_H

#include "bounds/relaxation.h"
#include "search/solver.h"

/* A setting of all searches over prefixes; 2,000,000: a second, or less. The
 * result does not depend on it. */
#define BESTDAG_SPREAD_SETTING                                                 \
    {                                                                          \
        "spread", BESTDAG_INTEGER, "2000000", 0, 9e15,                         \
            .value = "N",                                                      \
            .help = "with several ranks: look-ups after which each keeps a "   \
                    "part of the prefixes, instead of all"                     \
    }

struct bestdag_part_search {
    struct bestdag_task *task;
    const struct bestdag_relaxation *relax;
    const int32_t *variable; /* [n]: numbers in the problem, ascending */
    int64_t bytes;           /* limit on memory */
    int64_t most_nodes;      /* limit on nodes, about; 0: none */
    double most_work;        /* nominal seconds, limit; 0: none */
    double before;           /* nominal seconds counted before */
    int64_t others;          /* lower bound on the cost of the other parts .. */
    int64_t their_orders;    /* .. and the cost of their orders */
    /* Called after a turn of others; returns the cost of an order known now.
     * May be NULL. */
    int64_t (*on_turn)(void *job);
    void *job;
    int64_t upper; /* cost of a known order; lowered by the search */
    int *order;    /* [n]: an order of that cost, if is_better */
    /* results */
    int64_t bound; /* no order costs less; `upper` if the search was complete */
    int64_t expanded, generated;
    double work; /* nominal seconds */
    bool is_better, is_limited;
};

/* Is a part of n variables small enough for this search? */
bool bestdag_part_search_fits(int n);
int bestdag_part_search_run(struct bestdag_part_search *f);

#endif
