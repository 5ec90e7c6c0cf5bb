/* SPDX-License-Identifier: MIT */
/* number_columns.h -- a number of a network over the rows of a table: its means
 * given its parents, drawing it, and how likely it is. */
#ifndef BESTDAG_MODELS_NUMBER_COLUMNS_H
#define BESTDAG_MODELS_NUMBER_COLUMNS_H

#include "models/joint_state.h"
#include "network/regression.h"

/* Where the parents of a number are found. */
struct bestdag_number_family {
    const struct bestdag_variable *x;
    int terms;                   /* of one regression */
    struct bestdag_digit *digit; /* owns; parents with states */
    int digits;
    const double **parent; /* owns; cells of the parents that are numbers */
    int64_t configurations;
};

/* Room for the parents of v; the caller adds digits and parents. Release also
 * on failure. */
int bestdag_number_family_init(struct bestdag_run *run,
                               const struct bestdag_network *network, int v,
                               struct bestdag_number_family *to);
void bestdag_number_family_release(struct bestdag_number_family *f);

/* A block of rows: from .. from + n - 1. */
struct bestdag_row_block {
    int64_t from;
    int n;
    uint32_t *index; /* room for n: configurations */
};

/* to[i]: the mean of row i of the block; block->index is set. An arbitrary
 * index (missing cells) is replaced by 0. */
void bestdag_number_means(const struct bestdag_number_family *f,
                          const struct bestdag_row_block *block, double *to);
/* Draws the number for the rows of the block; `to` is the column. */
void bestdag_number_draw(const struct bestdag_number_family *f,
                         const struct bestdag_row_block *block, uint64_t seed,
                         uint64_t stream, double *to);
/* row[i] += ln density of the number in row i, whose cells are those of the
 * table's column. With standard deviation 0 it is infinite: positive if the
 * value is the mean, up to rounding. mean: room for n. */
void bestdag_number_log_density(const struct bestdag_number_family *f,
                                const struct bestdag_row_block *block,
                                const double *cells, double *mean, double *row);

/* ln of the density at x of a normal; sd may be 0, as above. */
double bestdag_normal_log_density(double x, double mean, double sd);

#endif
