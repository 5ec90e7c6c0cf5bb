/* SPDX-License-Identifier: MIT */
/* violated_cluster.h -- clusters that a fractional network breaks: what the
 * searches for them share.
 *
 * A cluster is broken if its members miss it by less than they must in all:
 *
 *     sum over v in C of the share of v's sets that miss C  <  least of C.
 *
 * To find the most broken one is hard, so we look where it is likely: along
 * short cycles (cycle_separation.c), at whom others depend on (separation.c),
 * among few that want each other as parents (block_separation.c); and from
 * there variables join as long as that makes the sum less. */
#ifndef BESTDAG_BOUNDS_VIOLATED_CLUSTER_H
#define BESTDAG_BOUNDS_VIOLATED_CLUSTER_H

#include "bounds/relaxation.h"

/* A set with a share. */
struct bestdag_set_share {
    int32_t set;
    float share;
};

/* From a child to a member of its sets: as long as the share of its sets
 * without it. */
struct bestdag_need {
    int32_t to;
    float length;
};

enum { BESTDAG_OUTSIDE, BESTDAG_INSIDE, BESTDAG_BLOCKED };

struct bestdag_violated {
    struct bestdag_relaxation *r;
    int64_t *part_start, *need_start; /* own; [n + 1] */
    struct bestdag_set_share *part;   /* owns */
    struct bestdag_need *need;        /* owns */
    double *gain;                     /* owns; [n]: 0 in between */
    int32_t *near;                    /* owns; [n]: those with a gain */
    /* a cluster that is tried */
    int least;
    char *role;       /* owns; [n]: who is in it */
    int32_t *cluster; /* owns; [n] */
    int size;
    /* of cycle_separation.c */
    double *distance;      /* owns; [n] */
    int32_t *from;         /* owns; [n]: the one before */
    int32_t *heap, *place; /* own; [n], and where it is there, or -1 */
    int heaped;
    int32_t *visited; /* owns; [n] */
    int visits;
};

/* `share` has one number a set of each list in turn. */
int bestdag_violated_init(struct bestdag_violated *b,
                          struct bestdag_relaxation *relax,
                          const double *share);
void bestdag_violated_release(struct bestdag_violated *b);

/* Puts a variable into the cluster that is tried, if it is not in it. */
void bestdag_violated_add(struct bestdag_violated *b, int v, char role);
/* Takes all out of it. */
void bestdag_violated_clear(struct bestdag_violated *b);
/* By how much its members miss it in all. */
double bestdag_violated_sum(const struct bestdag_violated *b);
/* Makes the most of the cluster that is tried, adds it to the pool if it is
 * broken, and clears it. Negative: failed. */
int bestdag_violated_use(struct bestdag_violated *b);

/* Puts a short cycle through `root` into the cluster; false: there is none. */
bool bestdag_violated_cycle(struct bestdag_violated *b, int root);
/* Tries clusters of which two members must miss, with v in them. */
int bestdag_violated_blocks(struct bestdag_violated *b, int v);

#endif
