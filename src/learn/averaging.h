/* SPDX-License-Identifier: MIT */
/* averaging.h -- one network from the votes of many. */
#ifndef BESTDAG_LEARN_AVERAGING_H
#define BESTDAG_LEARN_AVERAGING_H

#include "learn/edge_votes.h"
#include "scores/scorer.h"

/* The strength above which an edge is taken for real; see averaging.c. */
double bestdag_votes_threshold(const struct bestdag_votes *votes);

struct bestdag_averaging {
    const struct bestdag_votes *votes;
    double threshold;
    const struct bestdag_scorer *scorer;       /* of the whole table */
    const struct bestdag_knowledge *knowledge; /* NULL: no rules */
    const char *const *names;
    int max_parents; /* -1: no limit */
    /* The networks, all of which obey the rules, for an average that does not.
     * Elements may be NULL. */
    const struct bestdag_edge_set *const *ballots;
    int64_t networks;
};

struct bestdag_average {
    struct bestdag_dag *dag; /* owns */
    int64_t turned;          /* arcs reversed against the votes to avoid a
                                cycle */
    int64_t left_out;        /* edges above the threshold that the average
                                lacks */
    int broken;              /* a rule that the average broke before its repair;
                                -1: none */
};

/* The result is acyclic and obeys the rules. */
int bestdag_average_make(struct bestdag_run *run,
                         const struct bestdag_averaging *how,
                         struct bestdag_average *to);

/* averaging_repair.c: replaces *dag by the nearest network that obeys the rules
 * on the path to it from one of the networks. */
int bestdag_average_move(struct bestdag_run *run,
                         const struct bestdag_averaging *how,
                         struct bestdag_dag **dag);

#endif
