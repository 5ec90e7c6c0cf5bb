/* SPDX-License-Identifier: MIT */
/* configurations.h -- groups the rows of a mixed table by the joint states of
 * some of its discrete columns, with the moments of its numbers in each group.
 *
 * Used by one thread. The last few sets are cached; moments are computed when
 * they are first needed, over the rows of a group in their order, so that
 * values do not depend on earlier calls. Time: O(rows) for a set, and for each
 * pair of columns. */
#ifndef BESTDAG_SCORES_CONFIGURATIONS_H
#define BESTDAG_SCORES_CONFIGURATIONS_H

#include "scores/accurate_moments.h"

/* The groups of one set of discrete columns. */
struct bestdag_state_groups {
    int *set, count;     /* owns; ascending columns of the table */
    int groups;          /* joint states that occur, by first row */
    int64_t *start;      /* owns; [groups + 1]: offsets in `row` */
    int32_t *row;        /* owns; [rows]: by group, ascending */
    double *weight;      /* owns; [groups]: of its rows */
    double least_weight; /* of a group */
    double *mean;        /* owns; [numbers * groups]; NAN: not computed yet */
    /* Cross-products, [numbers][(row + 1) * groups]. Rows are allocated, and
     * elements computed, when first requested; NULL, NAN: not yet. */
    double **cross;                          /* owns; NULL: too many to keep */
    struct bestdag_double_double **accurate; /* owns; likewise */
};

struct bestdag_configurations;
struct bestdag_configurations *bestdag_configurations_new(
    struct bestdag_run *run, const struct bestdag_moments *moments);
void bestdag_configurations_free(struct bestdag_configurations *c);
/* The groups of an ascending set, valid until the next call. NULL: out of
 * memory. */
struct bestdag_state_groups *bestdag_configurations_find(
    struct bestdag_configurations *c, const int *set, int count);
/* The centred cross-product of two places in each group, [groups]; valid until
 * the next call. */
const double *bestdag_configurations_cross(struct bestdag_configurations *c,
                                           struct bestdag_state_groups *g,
                                           int i, int j);
/* The same in one group, in double-double arithmetic. */
struct bestdag_double_double bestdag_configurations_accurate_cross(
    struct bestdag_configurations *c, struct bestdag_state_groups *g, int i,
    int j, int group);

#endif
