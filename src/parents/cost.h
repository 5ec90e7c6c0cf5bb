/* SPDX-License-Identifier: MIT */
/* cost.h -- how many families there are to score, from the sizes of a table. */
#ifndef BESTDAG_PARENTS_COST_H
#define BESTDAG_PARENTS_COST_H

#include "base/options.h"
#include "data/table.h"

/* Up to this many, auto scores them all: less than a minute or so. */
#define BESTDAG_FEW_FAMILIES 2e9

struct bestdag_cost {
    int variables;   /* that are not constant */
    int candidates;  /* of each for a parent */
    int parents;     /* largest set that is counted */
    bool limited;    /* by max-parents; else by what the penalty lets live */
    double families; /* children and sets */
    double work;     /* the same in families that are counted together */
};

/* Sets of up to `parents` among `candidates`. */
double bestdag_cost_sets(int candidates, int parents);
struct bestdag_cost bestdag_cost_of(const struct bestdag_table *table,
                                    const struct bestdag_options *options);

/* Adds it to the object that is open. */
void bestdag_cost_write(struct bestdag_json_writer *w,
                        const struct bestdag_table *table,
                        const struct bestdag_options *options);

#endif
