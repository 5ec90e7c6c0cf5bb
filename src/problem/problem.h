/* SPDX-License-Identifier: MIT */
/* problem.h -- what a search over candidate sets gets: a candidate list per
 * variable, integer costs, and for every variable the lists that it is in.
 *
 * Costs are units of 2^-shift nat above each variable's best set, so that the
 * sum over a network is the same in every order of summation, and no sum is
 * below 0. Sets that cannot be in an optimal network may cost less than their
 * score says, so that they do not make the unit coarse: cost_unit.h. Read by
 * any number of threads.
 *
 * With "order" rules the mask of a set contains, in addition to its parents,
 * the variables that must precede the child: everything that must be placed
 * before the child can take this set. So a search over orders obeys these rules
 * without knowing them. The parents alone are in `sets`. */
#ifndef BESTDAG_PROBLEM_PROBLEM_H
#define BESTDAG_PROBLEM_PROBLEM_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"
#include "parents/sets.h"
#include "problem/indexed_list.h"

/* A child in whose list u occurs, the bit of u there, and the number of the
 * cheapest of its sets that contain u. */
struct bestdag_occurrence {
    int32_t child, local, first;
};

struct bestdag_problem {
    const struct bestdag_sets *sets; /* borrowed */
    int n;
    int shift;   /* a unit is 2^-shift nat */
    int words;   /* of one mask per list, together */
    int *offset; /* owns; [n + 1]: where each mask begins there */
    struct bestdag_indexed_list *candidates; /* owns; [n] */
    int64_t *user_start;                     /* owns; [n + 1] */
    struct bestdag_occurrence
        *user;      /* owns; user[user_start[u] ..): by child */
    int64_t none;   /* cost where no set fits */
    int64_t cap;    /* no set costs more: cost_unit.h */
    int32_t *known; /* owns; [n]: the sets of a network that obeys
                       the rules and costs less than any capped set;
                       NULL: nothing was capped, or none is known */
    double best;    /* nats: every variable takes its best set */
};

/* Sets stay the caller's and must outlive the problem. */
struct bestdag_problem *bestdag_problem_new(struct bestdag_run *run,
                                            const struct bestdag_sets *sets);
/* The same under rules (NULL: none), of which it takes "order" into account;
 * the sets obey the local ones already. */
struct bestdag_problem *bestdag_problem_under(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge);
/* The same sets and costs, without "order" rules in the masks. */
struct bestdag_problem *bestdag_problem_without_order(
    struct bestdag_run *run, const struct bestdag_problem *from);
void bestdag_problem_free(struct bestdag_problem *problem);
/* Bytes that it takes for these sets. */
int64_t bestdag_problem_bytes(const struct bestdag_sets *sets);

/* The score, in nats, of a network of this cost; more than that if a set of it
 * is capped. */
double bestdag_problem_nats(const struct bestdag_problem *problem,
                            int64_t cost);
/* A bound, in nats, that holds in spite of the rounding of costs to units. */
double bestdag_problem_round_up(const struct bestdag_problem *problem,
                                double bound);
/* No network that costs at least this scores above; allows for the rounding to
 * units. */
double bestdag_problem_bound(const struct bestdag_problem *problem,
                             int64_t least);
/* The bit of u in the list of v; -1: it does not occur there. */
int bestdag_problem_local(const struct bestdag_problem *problem, int v, int u);
/* The DAG in which v takes set choice[v]. NULL: failed, or a set is none. */
struct bestdag_dag *bestdag_problem_dag(struct bestdag_run *run,
                                        const struct bestdag_problem *problem,
                                        const int32_t *choice);
/* The number of the set of v that is `parents`, ascending; -1: it is not in
 * the list. */
int bestdag_problem_find(const struct bestdag_problem *problem, int v,
                         const int *parents, int count);

#endif
