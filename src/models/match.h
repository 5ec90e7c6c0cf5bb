/* SPDX-License-Identifier: MIT */
/* match.h -- a network's variables found in a table, by name and by label. */
#ifndef BESTDAG_MODELS_MATCH_H
#define BESTDAG_MODELS_MATCH_H

#include "data/table.h"
#include "models/joint_state.h"
#include "network/network.h"

struct bestdag_match {
    int n;
    int *column;      /* owns; [n]: the column of each variable */
    bool is_lenient;  /* labels that the network does not know count as missing,
                         with a note; else they are an error. And the caller has
                         a use for rows with missing values */
    bool keeps_holes; /* the caller has; unknown labels are an error */
    /* Set by bestdag_match_cells(): */
    struct bestdag_digit *digit; /* owns; [n]: cells in the network's codes; of
                                    numbers nothing */
    const double **number;       /* owns; [n]: cells of numbers; NULL: states */
    void **copy;                 /* owns; [n]: cells that had to be recoded */
    const int32_t *weights;      /* NULL: all 1; negative: left out */
    int32_t *own_weights;        /* owns; NULL: the table's */
    int64_t rows;                /* that count */
    int64_t left_out;            /* rows with a missing value */
    int64_t unknown;             /* cells with a label that it does not know */
    int64_t total;               /* sum of weights */
};

/* Every variable has a column that it can take: a number one of numbers, or of
 * codes whose labels are numbers; states one of codes, or of numbers if it was
 * cut. Columns that no variable wants are noted. The match starts zeroed and
 * must be released, also on failure. */
int bestdag_match_columns(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_table *table,
                          struct bestdag_match *match);
/* The cells, once all variables have states. Rows with a missing value in a
 * column that is used get a negative weight, which is noted. */
int bestdag_match_cells(struct bestdag_run *run,
                        const struct bestdag_network *network,
                        const struct bestdag_table *table,
                        struct bestdag_match *match);
void bestdag_match_release(struct bestdag_match *match);

/* Digits of v's parents, then v itself: the order of its table. Numbers have
 * none. Returns how many. */
int bestdag_match_family(const struct bestdag_match *match,
                         const struct bestdag_dag *dag, int v,
                         struct bestdag_digit *to);
/* The cells of a number of the network, which has match->column set; the
 * column's own, or a copy in match->copy[v]. */
int bestdag_match_numbers(struct bestdag_run *run,
                          const struct bestdag_variable *x,
                          const struct bestdag_table *table, int v,
                          struct bestdag_match *match);
/* A copy of a column of codes whose labels are numbers; NaN is missing. The
 * caller's; NULL: failed, also if a label is no number. */
double *bestdag_column_to_numbers(struct bestdag_run *run,
                                  const struct bestdag_column *column,
                                  int64_t rows);
/* Codes of a column of numbers for states that were cut. */
int bestdag_match_cuts(struct bestdag_run *run,
                       const struct bestdag_variable *x,
                       const struct bestdag_table *table, int v,
                       struct bestdag_match *match);
/* Variables in the largest family. */
int bestdag_match_widest(const struct bestdag_dag *dag);

#endif
