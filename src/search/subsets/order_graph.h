/* SPDX-License-Identifier: MIT */
/* order_graph.h -- what searches over prefixes of orders share.
 *
 * A node is a set S of variables whose order is settled; a path from the empty
 * set to all variables of a component is an order, and the shortest path an
 * optimal one (Yuan and Malone 2012). Each component is searched alone, in a
 * numbering that suits the heuristic, below the cost of an incumbent. If the
 * search ends early, a component keeps its incumbent and has a bound. */
#ifndef BESTDAG_SEARCH_SUBSETS_ORDER_GRAPH_H
#define BESTDAG_SEARCH_SUBSETS_ORDER_GRAPH_H

#include "search/solver.h"
#include "search/subsets/expansion.h"

/* The search of one component. */
struct bestdag_order_graph {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_expansion
        expansion;      /* its limit is the cost of the incumbent */
    int64_t bytes;      /* that it may use, besides the expansion */
    int64_t most_steps; /* of the expansion; 0: no limit */
    int64_t most_nodes; /* to expand, plus at most a round; 0: no limit */
    /* Called after a turn of others; returns the cost of an order known now.
     * May be NULL. */
    int64_t (*on_turn)(void *job);
    void *job;
    double before;        /* nominal seconds counted before this search */
    int64_t first_steps;  /* 0, or the limit of a first search */
    int64_t least;        /* a known lower bound on the cost of every order */
    int64_t others;       /* lower bound on the cost of the other components
                             .. */
    int64_t their_orders; /* .. and the cost of their orders; < 0: some has
                             none */
    /* results */
    int64_t bound;   /* no order costs less */
    bool is_solved;  /* an order has that cost: `order`, or the incumbent */
    bool is_better;  /* it is `order` */
    bool is_limited; /* ended by memory or by steps */
    bool is_disk_full;
    bool is_first_try; /* it ended as a first search: another is to follow */
    int order[BESTDAG_MOST_VARIABLES]; /* in numbers of the component */
};

/* Should the search end? Sets is_limited if steps or nodes have run out. If
 * nodes are on several ranks, only these end it here: rounds end alike on all
 * ranks. */
bool bestdag_order_graph_over(struct bestdag_order_graph *p);
/* Fills p->order from the back: `cost_of` returns the cost of a set, or
 * BESTDAG_NO_NODE, also for a set on another rank. For each set reached there
 * is a predecessor from which it is reached at its cost, or at less if the
 * predecessor was improved since. False: an error, or the ranks have diverged;
 * then the order is unchanged. */
struct bestdag_cost_lookup {
    void *job;
    int64_t (*cost_of)(void *job, const uint64_t *set);
};
bool bestdag_order_graph_trace(struct bestdag_order_graph *p,
                               const struct bestdag_cost_lookup *w);
/* Searches one component by A*; see astar.c. */
int bestdag_astar_search(struct bestdag_order_graph *p);
/* A solver; `search` searches one component. */
int bestdag_order_graph_solve(struct bestdag_task *task,
                              struct bestdag_answer *to,
                              int (*search)(struct bestdag_order_graph *p));

/* Nominal seconds of a look-up in the lists. */
double bestdag_order_graph_step_work(const struct bestdag_problem *problem);
/* Nominal seconds of the setup for a component of n variables: indexing the
 * lists and filling pattern databases. */
double bestdag_order_graph_setup(const struct bestdag_problem *problem, int n);

/* Settings of astar and bfbnb. */
extern const struct bestdag_option bestdag_order_graph_settings[];

#endif
