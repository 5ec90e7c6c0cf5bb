/* SPDX-License-Identifier: MIT */
/* averaging.h -- one network of what many say. */
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
    /* The networks, for the case that their average breaks a rule; all of them
     * obey. Some may be NULL. */
    const struct bestdag_edge_set *const *ballots;
    int64_t networks;
};

struct bestdag_average {
    struct bestdag_dag *dag; /* owns */
    int64_t turned;          /* arcs against the votes, to close no cycle */
    int64_t left_out;        /* edges above the threshold that it lacks */
    int broken;              /* a rule that the average broke before it was
                                moved; -1: none */
};

/* The result has no cycle and obeys the rules. */
int bestdag_average_make(struct bestdag_run *run,
                         const struct bestdag_averaging *how,
                         struct bestdag_average *to);

/* averaging_repair.c: the network nearest to `dag` that obeys the rules and is
 * on the way from one of the networks to it; replaces dag. */
int bestdag_average_move(struct bestdag_run *run,
                         const struct bestdag_averaging *how,
                         struct bestdag_dag **dag);

#endif
