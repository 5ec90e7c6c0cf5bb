/* SPDX-License-Identifier: MIT */
/* portfolio.h -- runs several solvers in turns of growing length; each passes
 * on what it has learned. */
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
    struct bestdag_supply *supply; /* of the task's problem, if lists may grow;
                                      or NULL */
    struct bestdag_outcome *to;    /* best network and bound so far */
    struct bestdag_work_budget whole;       /* time or work that is left */
    struct bestdag_saved_clusters clusters; /* owns */
    struct bestdag_attempt attempt[BESTDAG_STAGES]; /* provers, over the present
                                                       lists */
    struct bestdag_attempt classes;                 /* class search, which needs
                                                       no lists */
    struct bestdag_options *class_options;          /* owns; of the class
                                                       search, or NULL */
    int seen_by_classes;                            /* value of `better` */
    int seen[BESTDAG_STAGES];  /* value of `better` at its last turn */
    int better;                /* incumbents so far */
    bool idle[BESTDAG_STAGES]; /* its last slices found nothing */
    bool needs_certificate;    /* only `cluster` writes one */
    bool is_certified;         /* there is a certificate of the present lists */
    int largest;               /* variables of the largest component */
    double started;            /* seconds on the clock */
    double amount;             /* of the round */
    uint64_t seeds;            /* seeds drawn for slices of `orders` */
    int tries;                 /* slices of `orders` without a better network */
    bool is_afresh; /* the next one does not start from the incumbent */
};

/* Runs all stages until one proves optimality, the budget is spent, or the run
 * is stopped. `to` must be empty; `clusters` are released. */
int bestdag_portfolio_run(struct bestdag_portfolio *p);

#endif
