/* SPDX-License-Identifier: MIT */
/* marked_classes.h -- the parent sets of a child under rules fall into classes.
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
 * and every set that obeys is listed.
 *
 * Between classes a set may be left out for a subset as well if both do the
 * same for the rules across children: marked parents that only rules about the
 * child itself name do not matter then. Lists are made by a collector that
 * compares all sets of one kind: the same marked parents of rules across
 * children, and the same number of parents up to `settled`. The kind is stored
 * there as a member beyond the variables. */
#ifndef BESTDAG_PARENTS_RULED_MARKED_CLASSES_H
#define BESTDAG_PARENTS_RULED_MARKED_CLASSES_H

#include "parents/parents.h"

struct bestdag_marked_classes {
    const struct bestdag_plan *plan;
    /* Of the child. */
    int child;
    int limit;   /* parents */
    int settled; /* see above */
    bool prunes; /* else nothing is left out */
    int required, frees;
    double classes; /* how many there are */
    int *free;      /* owns; [n]: variables, ascending */
    /* Of the class. */
    int *base; /* owns; [n]: required parents, then marked ones */
    int bases;
    bool floors; /* the class without marked parents may prune its sets */

    int *marked; /* owns; [n]: candidates; those of rules across first */
    int *chosen; /* owns; [n]: of them, ascending */
    int *set;    /* owns; [n + 1] */
    int marks, across, count;
    bool started;
    int kind, kinds; /* -1: all are of one kind; used so far, as numbers */
};

int bestdag_marked_classes_init(struct bestdag_marked_classes *m,
                                const struct bestdag_plan *plan);
void bestdag_marked_classes_release(struct bestdag_marked_classes *m);
void bestdag_marked_classes_start(struct bestdag_marked_classes *m, int child);
/* To the first class, or the next, those with few marked parents first; false:
 * there is none. The first has no marked parents. */
bool bestdag_marked_classes_next(struct bestdag_marked_classes *m);
/* A set of this class, ascending, that obeys. */
int bestdag_marked_classes_add(const struct bestdag_marked_classes *m,
                               struct bestdag_collector *c, const int *set,
                               int count, double score);
/* The list of all that were added; only score, start, member and count. */
int bestdag_marked_classes_finish(const struct bestdag_marked_classes *m,
                                  struct bestdag_collector *c,
                                  struct bestdag_list *to);
/* Fails because no set of the child obeys. */
int bestdag_marked_classes_refuse(const struct bestdag_marked_classes *m);
/* What any set of the child can score at most, in nats. */
double bestdag_marked_classes_bound(const struct bestdag_marked_classes *m);

#endif
