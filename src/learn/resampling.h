/* SPDX-License-Identifier: MIT */
/* resampling.h -- learns a network from each of many resamples of a table. */
#ifndef BESTDAG_LEARN_RESAMPLING_H
#define BESTDAG_LEARN_RESAMPLING_H

#include "base/options.h"
#include "data/resample.h"
#include "learn/edge_votes.h"

enum bestdag_trial_state {
    BESTDAG_TRIAL_NONE, /* not begun, or without a result */
    BESTDAG_TRIAL_DONE,
    BESTDAG_TRIAL_CUT,   /* the run was stopped; the best network till then */
    BESTDAG_TRIAL_LACKED /* ran out of memory beside others */
};

struct bestdag_trial {
    enum bestdag_trial_state state;
    bool optimal; /* proved so */
    struct bestdag_edge_set ballot;
};

struct bestdag_resampling {
    struct bestdag_run *run;
    const struct bestdag_rules *rules;         /* NULL: none */
    const struct bestdag_knowledge *knowledge; /* the same; NULL: none */
    const struct bestdag_options *options;     /* of learning */
    struct bestdag_resampler resampler;        /* owns */
    bool by_class;               /* arcs of equivalence classes, not of DAGs */
    double seconds;              /* for each, at most; 0: no limit */
    int resamples;               /* number wanted */
    struct bestdag_trial *trial; /* owns; [resamples] */
    enum bestdag_ending ending;
};

/* Fills trial and ending. The network of resample i does not depend on the
 * number of threads. If the run was stopped, resamples not begun are missing,
 * but there is at least one. */
int bestdag_resampling_run(struct bestdag_resampling *r);
void bestdag_resampling_release(struct bestdag_resampling *r);

#endif
