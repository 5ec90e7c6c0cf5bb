/* SPDX-License-Identifier: MIT */
/* portfolio.h -- several solvers in turns that grow; each passes on what it
 * learned. */
#ifndef BESTDAG_LEARN_PORTFOLIO_H
#define BESTDAG_LEARN_PORTFOLIO_H

#include "bounds/saved_clusters.h"
#include "learn/attempt.h"
#include "learn/candidate_supply.h"
#include "learn/work_budget.h"
#include "search/solver.h"

enum { BESTDAG_STAGE_CLUSTER = 4, BESTDAG_STAGES = 8 };

struct bestdag_portfolio {
    struct bestdag_task *task;
    struct bestdag_supply *supply; /* of the task's problem, if it may grow */
    struct bestdag_outcome *to;    /* best network and bound so far */
    struct bestdag_work_budget whole;       /* time or work that is left */
    struct bestdag_saved_clusters clusters; /* owns */
    struct bestdag_attempt attempt[BESTDAG_STAGES]; /* of those that take turns:
                                                       over the present lists */
    struct bestdag_attempt classes;                 /* whatever the lists */
    struct bestdag_options *class_options;          /* owns; its own, or NULL */
    int seen_by_classes;                            /* as `seen` */
    int seen[BESTDAG_STAGES];  /* better networks that each has seen of .. */
    int better;                /* .. so many */
    bool idle[BESTDAG_STAGES]; /* its last slices brought nothing */
    bool needs_certificate;    /* which only `cluster` writes */
    bool is_certified;         /* the certificate is of the lists as they are */
    int largest;               /* variables of a component */
    double started;            /* on the clock */
    double amount;             /* of the round */
    uint64_t seeds;            /* of slices of `orders` that were drawn */
    int tries;                 /* slices of `orders` without a better network */
    bool is_afresh; /* the next one does not begin with the best network */
};

/* Runs all stages until one proves, nothing is left of the whole, or the run is
 * stopped. `to` must be empty, `clusters` are released. */
int bestdag_portfolio_run(struct bestdag_portfolio *p);

#endif
