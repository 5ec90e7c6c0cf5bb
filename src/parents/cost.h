/* SPDX-License-Identifier: MIT */
/* cost.h -- the number of families to score, estimated from the size of a
 * table. */
#ifndef BESTDAG_PARENTS_COST_H
#define BESTDAG_PARENTS_COST_H

#include "base/options.h"
#include "data/table.h"

/* Up to this many families `auto` scores all: about a minute at most. */
#define BESTDAG_FEW_FAMILIES 2e9

struct bestdag_cost {
    int variables;   /* without constant ones */
    int candidates;  /* possible parents of each */
    int parents;     /* size of the largest sets counted */
    bool limited;    /* by max-parents; else by what the penalty allows */
    double families; /* pairs of child and parent set */
    double work;     /* in units of families that are counted together */
};

/* The number of sets of up to `parents` among `candidates`. */
double bestdag_cost_sets(int candidates, int parents);
struct bestdag_cost bestdag_cost_of(const struct bestdag_table *table,
                                    const struct bestdag_options *options);

/* Adds the estimate to the open JSON object. */
void bestdag_cost_write(struct bestdag_json_writer *w,
                        const struct bestdag_table *table,
                        const struct bestdag_options *options);

#endif
