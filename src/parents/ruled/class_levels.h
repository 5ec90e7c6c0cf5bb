/* SPDX-License-Identifier: MIT */
/* class_levels.h -- all sets of one class of the parent sets of a child under
 * rules (marked_classes.h), from its base upwards, as far as pruning allows.
 * Time: one family per set that is tried. Memory: some 60 bytes per set of two
 * sizes.
 *
 * If rules constrain the parameters of the child, its entropies mislead: with
 * 50 rows (a=1, x=0, y=0), 50 rows (a=0, x=1, y=1) and "positive A -> X",
 * H(X|A) = 0 would prune {A, Y}, which scores -9.2 under the rule, while {A}
 * scores -73.9. Two rules replace the entropy rule:
 *   gain  Y adds at most N H(Y) to the likelihood of any set: mix the solutions
 *         for the states of Y by their frequencies; convex constraints hold for
 *         the mixture
 *   none  where no parameters of P satisfy the rules, none of its supersets
 *         do */
#ifndef BESTDAG_PARENTS_RULED_CLASS_LEVELS_H
#define BESTDAG_PARENTS_RULED_CLASS_LEVELS_H

#include "parents/exhaustive/levels.h"
#include "parents/parents.h"
#include "parents/ruled/marked_classes.h"

struct bestdag_class_levels {
    const struct bestdag_plan *plan;
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    struct bestdag_scorer_scratch *scratch; /* owns */
    struct bestdag_collector *collector;    /* owns; gets the sets found */

    struct bestdag_marked_classes markings; /* owns */

    enum bestdag_pruning kind; /* DOMINATED: none of these rules applies */
    int64_t floor; /* score of a common subset of all sets of the class that may
                      prune them; BESTDAG_FLOORLESS: none */
    int64_t scored;
    int64_t bytes;   /* of the sets in the collector, about */
    double deadline; /* 0: none */
    bool ended;      /* a limit was reached */

    int64_t ground;  /* score of the base, if it is listed; else FLOORLESS */
    bool hooked;     /* rules constrain the child's parameters */
    int64_t *gain;   /* owns; [n]: N H(Y), in units; NULL: not needed yet */
    int *set;        /* owns; [n]: base and members */
    int *sorted;     /* owns; [n + 1]: ascending */
    int *place;      /* owns; [n]: members, as indices in `free` */
    uint16_t *less;  /* owns; [n] */
    int64_t *subset; /* owns; [n]: index in `now` of the set without a member */
    struct bestdag_tier now, next;
};

#define BESTDAG_FLOORLESS (INT64_MIN / 4)

int bestdag_class_levels_init(struct bestdag_class_levels *a,
                              const struct bestdag_plan *plan);
void bestdag_class_levels_release(struct bestdag_class_levels *a);
/* Adds all sets of a child to the collector. If a limit of the plan ends it,
 * `ended` is set. */
int bestdag_class_levels_climb(struct bestdag_class_levels *a, int child);

#endif
