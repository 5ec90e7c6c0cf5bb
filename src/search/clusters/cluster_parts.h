/* SPDX-License-Identifier: MIT */
/* cluster_parts.h -- parts of a problem in the solver `cluster`, and their
 * decomposition into components. */
#ifndef BESTDAG_SEARCH_CLUSTERS_CLUSTER_PARTS_H
#define BESTDAG_SEARCH_CLUSTERS_CLUSTER_PARTS_H

#include "bounds/relaxation.h"

struct proof;

/* A set of variables that depend on each other, and their best order so far. */
struct bestdag_part {
    struct bestdag_run *run;
    struct proof *proof;              /* of cluster.c */
    struct bestdag_relaxation *relax; /* owns */
    int n;
    int32_t *variable; /* owns; [n]: numbers in the problem */
    int *order;        /* owns; [n]: in local numbers */
    int64_t *cost;     /* owns; [n]: cost of each variable in that order */
    int64_t upper;     /* sum of `cost` */
    int64_t proved;    /* lower bound */
    int depth;
};

/* The components of a part after sets were fixed out. */
struct bestdag_part_split {
    struct bestdag_run *run;
    int count;
    int *component;  /* owns; [n]: numbered along the arcs, parents first */
    int32_t *start;  /* owns; [count + 1] */
    int32_t *member; /* owns; [n]: by component, each ascending */
    int32_t *rename; /* owns; [n]: number in the subproblem that is being made,
                        else -1 */
    int32_t *inside; /* owns; [clusters]: component that contains it, or -1 */
};

/* A part of n variables, without relaxation. */
int bestdag_part_init(struct bestdag_part *t, int n);
void bestdag_part_release(struct bestdag_part *t);

/* Release `s` also after an error. */
int bestdag_part_split_find(const struct bestdag_part *t,
                            struct bestdag_part_split *s);
void bestdag_part_split_release(struct bestdag_part_split *s);
/* Makes the part of one component, with its order, clusters and multipliers.
 * Release `to` also after an error. */
int bestdag_part_take(struct bestdag_part *to, const struct bestdag_part *from,
                      const struct bestdag_part_split *split, int sub);

#endif
