/* SPDX-License-Identifier: MIT */
/* order_graph.h -- what searches over prefixes of orders share.
 *
 * A node is a set S of variables whose order is settled; the way from nothing
 * to all variables of a component is an order, and the cheapest way an optimal
 * one (Yuan and Malone 2012). Each component of the core is searched alone, in
 * a numbering that suits the cost to go, below the cost of an incumbent. Ended
 * early, a component keeps its incumbent and a bound. */
#ifndef BESTDAG_SEARCH_SUBSETS_ORDER_GRAPH_H
#define BESTDAG_SEARCH_SUBSETS_ORDER_GRAPH_H

#include "search/solver.h"
#include "search/subsets/expansion.h"

/* One component, for the search of it. */
struct bestdag_order_graph {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_expansion
        expansion;      /* its limit is what the incumbent costs */
    int64_t bytes;      /* that it may take, beside the expansion */
    int64_t most_steps; /* of the expansion; 0: no limit */
    int64_t most_nodes; /* to expand, up to a round more; 0: no limit */
    /* After a turn of others: what an order that is known costs. May be NULL.
     */
    int64_t (*on_turn)(void *job);
    void *job;
    double before;        /* nominal seconds of what was done before it */
    int64_t first_steps;  /* 0, or: it is to end after this many, as a try */
    int64_t least;        /* it is known that no order costs less */
    int64_t others;       /* what the other components cost at least .. */
    int64_t their_orders; /* .. and in their orders; < 0: some has none */
    /* what the search found */
    int64_t bound;   /* no order costs less */
    bool is_solved;  /* and one costs just that: `order`, or the incumbent */
    bool is_better;  /* it is `order` */
    bool is_limited; /* ended by memory or by steps */
    bool is_disk_full;
    bool is_first_try; /* it ended as one: another is to follow */
    int order[BESTDAG_MOST_VARIABLES]; /* numbers of the component */
};

/* Is it time to end? Sets is_limited if it is the steps. Where nodes are on
 * several ranks, only the steps end it here: rounds end alike on all of them.
 */
bool bestdag_order_graph_over(struct bestdag_order_graph *p);
/* Fills p->order from the back: `cost_of` has what a set costs, or
 * BESTDAG_NO_NODE, also if it is on another rank. A set that was reached is
 * there with one from which it can be reached at that cost, or at less if that
 * one was improved since. False: failed, or ranks have gone separate ways; then
 * the order is as it was. */
struct bestdag_cost_lookup {
    void *job;
    int64_t (*cost_of)(void *job, const uint64_t *set);
};
bool bestdag_order_graph_trace(struct bestdag_order_graph *p,
                               const struct bestdag_cost_lookup *w);
/* One component by A*; see astar.c. */
int bestdag_astar_search(struct bestdag_order_graph *p);
/* A solver: `search` does one component. */
int bestdag_order_graph_solve(struct bestdag_task *task,
                              struct bestdag_answer *to,
                              int (*search)(struct bestdag_order_graph *p));

/* Nominal seconds of a look-up in the lists. */
double bestdag_order_graph_step_work(const struct bestdag_problem *problem);
/* Nominal seconds until the search of a component of n variables begins: the
 * lists are indexed, and pattern databases filled. */
double bestdag_order_graph_setup(const struct bestdag_problem *problem, int n);

/* Settings of astar and bfbnb. */
extern const struct bestdag_option bestdag_order_graph_settings[];

#endif
