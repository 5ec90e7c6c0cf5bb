/* SPDX-License-Identifier: MIT */
/* violated_cluster.h -- cluster constraints that a fractional solution
 * violates: shared by the separation heuristics.
 *
 * The constraint of cluster C is violated if
 *
 *     sum over v in C of the fraction of v's sets that miss C  <  least of C.
 *
 * Finding the most violated one is NP-hard, so the heuristics start where
 * violations are likely: at short cycles (cycle_separation.c) and at variables
 * that others depend on (separation.c); from there the cluster grows greedily
 * while the sum decreases. Clusters of rank 2 and their classes are found by
 * local search (class_separation.c). */
#ifndef BESTDAG_BOUNDS_VIOLATED_CLUSTER_H
#define BESTDAG_BOUNDS_VIOLATED_CLUSTER_H

#include "bounds/relaxation.h"

/* A set and its fraction. */
struct bestdag_fraction {
    int32_t set;
    float value;
};

/* An arc from a child to a member of its sets; its length is the fraction of
 * the child's sets without that member. */
struct bestdag_fractional_arc {
    int32_t to;
    float length;
};

struct bestdag_violated {
    struct bestdag_relaxation *r;
    int64_t *support_start, *arc_start; /* own; [n + 1] */
    struct bestdag_fraction *support;   /* owns */
    int32_t *child;                     /* owns; [sets of the support] */
    int64_t *first;      /* owns; [sets + 1]: offset of its members in .. */
    int32_t *parent;     /* .. this array; owns */
    int64_t *with_start; /* owns; [n + 1] */
    int32_t *with;       /* owns; indices of sets that contain v */
    struct bestdag_fractional_arc *arc; /* owns */
    double *gain;                       /* owns; [n]: 0 between uses */
    int32_t *near;                      /* owns; [n]: variables with a gain */
    /* the present cluster, of rank 1 */
    bool *is_inside;  /* owns; [n] */
    int32_t *hits;    /* owns; [sets]: members of the set in the cluster */
    int32_t *cluster; /* owns; [n] */
    int size;
    /* for cycle_separation.c */
    double *distance;      /* owns; [n] */
    int32_t *from;         /* owns; [n]: predecessor */
    int32_t *heap, *place; /* own; [n]; place: index in the heap, or -1 */
    int heaped;
    int32_t *visited; /* owns; [n] */
    int visits;
};

/* `fraction` has one number per set, list after list. */
int bestdag_violated_init(struct bestdag_violated *b,
                          struct bestdag_relaxation *relax,
                          const double *fraction);
void bestdag_violated_release(struct bestdag_violated *b);

/* Adds a variable to the present cluster, unless it is in it. */
void bestdag_violated_add(struct bestdag_violated *b, int v);
/* Grows the present cluster greedily, adds it to the pool if it is violated,
 * and empties it. Negative: error. */
int bestdag_violated_use(struct bestdag_violated *b);

/* Adds a short cycle through `root` to the present cluster; false: none. */
bool bestdag_violated_cycle(struct bestdag_violated *b, int root);
/* Searches for clusters of rank 2. Negative: error. */
int bestdag_violated_classes(struct bestdag_violated *b,
                             const struct bestdag_class_limits *limits);

#endif
