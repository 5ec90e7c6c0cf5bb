/* SPDX-License-Identifier: MIT */
/* intervals.h -- columns cut into intervals: their labels, and the cuts file.
 */
#ifndef BESTDAG_DATA_DISCRETIZE_INTERVALS_H
#define BESTDAG_DATA_DISCRETIZE_INTERVALS_H

#include "base/stream.h"
#include "data/discretize/discretize.h"

/* How one column is cut. */
struct bestdag_intervals {
    int column;               /* of the table */
    char *method;             /* owns; "width:5" */
    struct bestdag_cuts cuts; /* finite, strictly ascending */
    char **labels;            /* owns; [cuts.count + 1] */
};

struct bestdag_interval_list {
    int count;
    struct bestdag_intervals *of; /* owns */
};

/* Makes a list of `count` elements, all zero. */
int bestdag_intervals_new(struct bestdag_run *run, int count,
                          struct bestdag_interval_list *to);
void bestdag_intervals_release(struct bestdag_interval_list *list);

/* Labels for the cuts: see labels.c. The sample is that of the cuts. */
int bestdag_intervals_label(struct bestdag_run *run,
                            const struct bestdag_sample *sample,
                            struct bestdag_intervals *to);

/* x with this many significant digits, at most 17. */
double bestdag_number_rounded(double x, int digits);

/* Reads a cuts file; every column that it names must be in the table. */
int bestdag_intervals_read(struct bestdag_run *run, const char *path,
                           const struct bestdag_table *table,
                           struct bestdag_interval_list *to);
int bestdag_intervals_write(struct bestdag_run *run, const char *path,
                            const struct bestdag_table *table,
                            const struct bestdag_interval_list *list);

#endif
