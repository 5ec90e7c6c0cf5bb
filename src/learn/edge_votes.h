/* SPDX-License-Identifier: MIT */
/* edge_votes.h -- how many networks have an edge between two variables, and in
 * which direction.
 *
 * A ballot has the edges of one network: the pair a < b, the direction of the
 * arc, and whether it is reversible. */
#ifndef BESTDAG_LEARN_EDGE_VOTES_H
#define BESTDAG_LEARN_EDGE_VOTES_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"

struct bestdag_edge_set {
    int64_t count;
    uint64_t *edge; /* owns; ascending: a << 33 | b << 2 | reversible << 1 |
                       (the arc goes from b to a) */
};

static inline int bestdag_edge_set_from(uint64_t edge)
{
    return edge & 1 ? (int)(edge >> 2 & 0x7fffffff) : (int)(edge >> 33);
}

static inline int bestdag_edge_set_to(uint64_t edge)
{
    return bestdag_edge_set_from(edge ^ 1);
}

/* by_class: an arc is reversible if it has the other direction in some DAG of
 * the equivalence class that obeys the rules (NULL: none) about arcs and orders
 * (constraints/deduction/mpdag.h) and in which no numeric column of the table
 * (or NULL) is a parent of a categorical one. Otherwise no arc is reversible.
 * Release `to` also after an error. */
int bestdag_edge_set_fill(struct bestdag_run *run,
                          const struct bestdag_dag *dag,
                          const struct bestdag_knowledge *knowledge,
                          const struct bestdag_table *table, bool by_class,
                          struct bestdag_edge_set *to);
void bestdag_edge_set_release(struct bestdag_edge_set *ballot);
/* The network of a ballot; NULL: error. */
struct bestdag_dag *bestdag_edge_set_dag(struct bestdag_run *run,
                                         const struct bestdag_edge_set *ballot,
                                         int n);

/* Networks with an edge between a < b: with a -> b, with b -> a, and with a
 * reversible arc. */
struct bestdag_edge_votes {
    int a, b;
    int forward, backward, either;
};

static inline int bestdag_edge_votes_total(const struct bestdag_edge_votes *p)
{
    return p->forward + p->backward + p->either;
}

/* Twice the votes for a -> b; reversible arcs count half. */
static inline int bestdag_edge_votes_along(const struct bestdag_edge_votes *p)
{
    return 2 * p->forward + p->either;
}

struct bestdag_votes {
    int n, networks; /* variables; ballots counted */
    int64_t count;
    struct bestdag_edge_votes
        *pair; /* owns; most votes first, then by a and b */
};

/* Counts the ballots that are not NULL. Time O(E log E) for E edges in
 * total. */
int bestdag_votes_count(struct bestdag_run *run, int n,
                        const struct bestdag_edge_set *const *ballots,
                        int64_t count, struct bestdag_votes *to);
void bestdag_votes_release(struct bestdag_votes *votes);

#endif
