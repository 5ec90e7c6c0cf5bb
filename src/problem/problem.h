/* SPDX-License-Identifier: MIT */
/* problem.h -- the input of a search over candidate lists: a list per variable,
 * integer costs, and for every variable the lists that contain it.
 *
 * Costs are in units of 2^-shift nat above each variable's best set, so that
 * the sum over a network does not depend on the order of summation, and is
 * never below 0. Sets that cannot be in an optimal network may cost less than
 * their score says, so that they do not make the unit coarse: cost_unit.h. Any
 * number of threads may read a problem.
 *
 * With "order" rules the mask of a set contains, in addition to its parents,
 * the variables that must precede the child: all variables that must be placed
 * before the child can take this set. So a search over orders obeys these rules
 * without knowing them. `sets` has the parents only. */
#ifndef BESTDAG_PROBLEM_PROBLEM_H
#define BESTDAG_PROBLEM_PROBLEM_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"
#include "parents/sets.h"
#include "problem/indexed_list.h"

/* A child whose list contains u, the bit of u there, and the index of the
 * cheapest set with u. */
struct bestdag_occurrence {
    int32_t child, local, first;
};

struct bestdag_problem {
    const struct bestdag_sets *sets; /* borrowed */
    int n;
    int shift;   /* a unit is 2^-shift nat */
    int words;   /* of one mask per list, in total */
    int *offset; /* owns; [n + 1]: offset of each mask there */
    struct bestdag_indexed_list *candidates; /* owns; [n] */
    int64_t *user_start;                     /* owns; [n + 1] */
    struct bestdag_occurrence
        *user;      /* owns; lists that contain u, by child: user[user_start[u]
                       ..) */
    int64_t none;   /* cost if no set fits */
    int64_t cap;    /* no set costs more; see cost_unit.h */
    int32_t *known; /* owns; [n]: sets of a network that obeys the rules and
                       costs less than any capped set; NULL: nothing was capped,
                       or none is known */
    double best;    /* sum of the best scores, in nats */
};

/* Borrows the sets, which must outlive the problem. */
struct bestdag_problem *bestdag_problem_new(struct bestdag_run *run,
                                            const struct bestdag_sets *sets);
/* The same under rules (NULL: none): the masks include "order" rules; the sets
 * obey the local rules already. */
struct bestdag_problem *bestdag_problem_under(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge);
/* The same sets and costs, without "order" rules in the masks. */
struct bestdag_problem *bestdag_problem_without_order(
    struct bestdag_run *run, const struct bestdag_problem *from);
void bestdag_problem_free(struct bestdag_problem *problem);
/* Bytes of a problem with these sets. */
int64_t bestdag_problem_bytes(const struct bestdag_sets *sets);

/* The score, in nats, of a network of this cost; an upper bound on it if one of
 * its sets is capped. */
double bestdag_problem_nats(const struct bestdag_problem *problem,
                            int64_t cost);
/* A bound, in nats, raised such that it holds in spite of the rounding of
 * costs. */
double bestdag_problem_round_up(const struct bestdag_problem *problem,
                                double bound);
/* An upper bound on the score of all networks that cost at least this; allows
 * for rounding. */
double bestdag_problem_bound(const struct bestdag_problem *problem,
                             int64_t least);
/* The bit of u in the list of v; -1: not in it. */
int bestdag_problem_local(const struct bestdag_problem *problem, int v, int u);
/* The DAG in which v takes set choice[v]. NULL: an error, or a set does not
 * exist. */
struct bestdag_dag *bestdag_problem_dag(struct bestdag_run *run,
                                        const struct bestdag_problem *problem,
                                        const int32_t *choice);
/* The index of the set `parents` (ascending) in the list of v; -1: not in
 * it. */
int bestdag_problem_find(const struct bestdag_problem *problem, int v,
                         const int *parents, int count);

#endif
