/* SPDX-License-Identifier: MIT */
/* ascent.h -- the parent sets of a child under rules, from a base upwards.
 *
 * Of the candidates of a child some are marked: a rule may ask for them. The
 * sets with the same marked parents are a class; its base is the required
 * parents and the marked ones, and its sets are the base and some of the other,
 * free candidates. Within a class a set that obeys the rules about the child
 * still does so without a free parent, and does as well for all other rules, as
 * long as `settled` parents are left (compile.h). So there, and only there, the
 * usual pruning is right:
 *
 *   - a set is left out for a subset that scores as well,
 *   - a set is given up with its supersets by the rules of pruning.h, which
 *     compare it with the set less one free parent, or with the best of its
 *     subsets in the class,
 *   - a set of `settled` parents that breaks a rule is given up with its
 *     supersets, and not scored.
 *
 * For a child on a path that an "ancestor" rule asks for nothing of this holds,
 * and every set that obeys is listed. Time: one family a set that is tried.
 * Memory: some 60 bytes a set of two sizes, and the list. */
#ifndef BESTDAG_PARENTS_ASCENT_H
#define BESTDAG_PARENTS_ASCENT_H

#include "parents/levels.h"
#include "parents/parents.h"

struct bestdag_ascent {
    const struct bestdag_plan *plan;
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    struct bestdag_desk *desk;           /* owns */
    struct bestdag_collector *collector; /* owns; what is found goes there */

    /* Of a child, by the caller. */
    int child, limit, settled;
    bool prunes;               /* domination, and the rules of: */
    enum bestdag_pruning kind; /* DOMINATED: none of them */
    int *base;                 /* owns; [n]: the base, variables in any order */
    int bases;
    int *free; /* owns; [n]: variables */
    int frees;
    int64_t floor; /* score of a set that is a subset of all of this class and
                      may prune them; BESTDAG_FLOORLESS: there is none */
    int mark;      /* of its sets in the collector: a member beyond the
                      variables; -1: none */

    int64_t scored;
    int64_t bytes;   /* of what is in the collector, about */
    double deadline; /* 0: none */
    bool ended;      /* a limit was reached */

    int64_t ground;  /* score of the base, if it was listed; else FLOORLESS */
    int *set;        /* owns; [n]: base and members */
    int *sorted;     /* owns; [n + 1]: ascending */
    int *place;      /* owns; [n]: members, in `free` */
    uint16_t *less;  /* owns; [n] */
    int64_t *subset; /* owns; [n]: number in `now` of it without a member */
    struct bestdag_tier now, next;
};

#define BESTDAG_FLOORLESS (INT64_MIN / 4)

int bestdag_ascent_init(struct bestdag_ascent *a,
                        const struct bestdag_plan *plan);
void bestdag_ascent_release(struct bestdag_ascent *a);
/* All sets of the class, as far as the limits let it: then ended is set. */
int bestdag_ascent_climb(struct bestdag_ascent *a);
/* Has a limit of the plan been reached? */
bool bestdag_ascent_ended(struct bestdag_ascent *a);

#endif
