/* SPDX-License-Identifier: MIT */
/* marked_classes.h -- classes of the parent sets of a child under rules.
 *
 * Some candidates of a child are marked: rules mention them. The sets with the
 * same marked parents are a class; its base is the required and the marked
 * parents, and its sets are the base plus some of the other, free candidates.
 * Within a class, a set that obeys the rules about the child still does so
 * without a free parent, and is as good for all other rules, as long as
 * `settled` parents are left (compile.h). So there, and only there, the usual
 * pruning is valid:
 *
 *   - a set is left out for a subset that scores as well,
 *   - a set is given up with its supersets by the rules of pruning.h, which
 *     compare it with the set less one free parent, or with the best of its
 *     subsets in the class,
 *   - a set of `settled` parents that breaks a rule is given up with its
 *     supersets, and not scored.
 *
 * For a child on a path that an "ancestor" rule requires none of this holds,
 * and every set that obeys is listed.
 *
 * Between classes, a set may also be left out for a subset if both are
 * equivalent for the rules across children: marked parents that only rules
 * about the child itself mention do not matter then. Lists are made by a
 * collector that compares only sets of one kind: with the same marked parents
 * of rules across children, and the same number of parents up to `settled`. The
 * kind is stored there as an additional member. */
#ifndef BESTDAG_PARENTS_RULED_MARKED_CLASSES_H
#define BESTDAG_PARENTS_RULED_MARKED_CLASSES_H

#include "parents/parents.h"

struct bestdag_marked_classes {
    const struct bestdag_plan *plan;
    /* For the child: */
    int child;
    int limit;   /* on parents */
    int settled; /* see above */
    bool prunes; /* else nothing is left out */
    int required, frees;
    double classes; /* number of classes */
    int *free;      /* owns; [n]: variables, ascending */
    /* For the class: */
    int *base; /* owns; [n]: required parents, then marked ones */
    int bases;
    bool floors; /* the class without marked parents may prune its sets */

    int *marked; /* owns; [n]: marked candidates; those of rules across children
                    first */
    int *chosen; /* owns; [n]: chosen ones, ascending */
    int *set;    /* owns; [n + 1] */
    int marks, across, count;
    bool started;
    int kind, kinds; /* -1: all sets are of one kind; kinds: number used so
                        far */
};

int bestdag_marked_classes_init(struct bestdag_marked_classes *m,
                                const struct bestdag_plan *plan);
void bestdag_marked_classes_release(struct bestdag_marked_classes *m);
void bestdag_marked_classes_start(struct bestdag_marked_classes *m, int child);
/* Moves to the first or next class, those with few marked parents first; false:
 * none. The first class has no marked parents. */
bool bestdag_marked_classes_next(struct bestdag_marked_classes *m);
/* Adds a set of this class (ascending) that obeys the rules. */
int bestdag_marked_classes_add(const struct bestdag_marked_classes *m,
                               struct bestdag_collector *c, const int *set,
                               int count, double score);
/* Makes the list of all sets added; only score, start, member and count. */
int bestdag_marked_classes_finish(const struct bestdag_marked_classes *m,
                                  struct bestdag_collector *c,
                                  struct bestdag_list *to);
/* Fails because no set of the child obeys the rules. */
int bestdag_marked_classes_refuse(const struct bestdag_marked_classes *m);
/* An upper bound, in nats, on the scores of all sets of the child. */
double bestdag_marked_classes_bound(const struct bestdag_marked_classes *m);

#endif
