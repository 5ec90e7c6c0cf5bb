/* SPDX-License-Identifier: MIT */
/* discretize.h -- methods that cut a column of numbers into intervals.
 *
 * A method is a row: it gets the values of one column, sorted, and adds the
 * points where it would cut. A cut c separates x < c from x >= c. discretize.c
 * does what all methods share. */
#ifndef BESTDAG_DATA_DISCRETIZE_DISCRETIZE_H
#define BESTDAG_DATA_DISCRETIZE_DISCRETIZE_H

#include "data/keysort.h"
#include "data/table.h"

enum { BESTDAG_FEWEST_INTERVALS = 2, BESTDAG_MOST_INTERVALS = 1000 };

/* The values of one column, ascending; all finite, with weights above 0. */
struct bestdag_sample {
    const struct bestdag_keyed *at; /* [count]; key of the number, and row */
    int64_t count;
    int64_t total; /* sum of the weights */
    const struct bestdag_table *table;
    const struct bestdag_column *class; /* of codes, none missing; or NULL */
    int intervals;                      /* the K of "width:K" */
};

static inline double bestdag_sample_value(const struct bestdag_sample *s,
                                          int64_t i)
{
    return bestdag_double_of_key(s->at[i].key);
}

static inline int64_t bestdag_sample_weight(const struct bestdag_sample *s,
                                            int64_t i)
{
    return s->table->weights ? s->table->weights[s->at[i].row] : 1;
}

static inline int bestdag_sample_class(const struct bestdag_sample *s,
                                       int64_t i)
{
    return bestdag_column_code(s->class, s->at[i].row);
}

/* How many values are below x. Time O(log count). */
int64_t bestdag_sample_below(const struct bestdag_sample *s, double x);
double bestdag_sample_mean(const struct bestdag_sample *s);

/* Cut points; ascending once cutting.c has normalised them. Start from { 0
 * }. */
struct bestdag_cuts {
    double *at; /* owns */
    int count;
    int64_t room;
};

int bestdag_cuts_add(struct bestdag_run *run, struct bestdag_cuts *cuts,
                     double x);
/* The state of a number: how many cuts are not above it. */
static inline int bestdag_cuts_state(const struct bestdag_cuts *cuts, double x)
{
    int low = 0, high = cuts->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cuts->at[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct bestdag_discretizer {
    const char *name, *help;
    bool is_counted; /* "name:K" */
    bool is_classed; /* uses a class column */
    /* Runs on a worker thread. The sample is not empty. Cuts may come in any
     * order, with duplicates and cuts that separate nothing. */
    int (*cut)(struct bestdag_run *run, const struct bestdag_sample *sample,
               struct bestdag_cuts *cuts);
};

/* The i-th row; NULL after the last. */
const struct bestdag_discretizer *bestdag_discretizer_at(int i);

#endif
