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
    bool is_lenient;  /* labels unknown to the network count as missing, with a
                         note (else they are an error), and rows with missing
                         values are kept */
    bool keeps_holes; /* rows with missing values are kept; unknown labels are
                         an error */
    /* Set by bestdag_match_cells(): */
    struct bestdag_digit
        *digit; /* owns; [n]: cells in the network's codes; unset for numbers */
    const double **number;  /* owns; [n]: cells of numbers; NULL: states */
    void **copy;            /* owns; [n]: cells that had to be recoded */
    const int32_t *weights; /* NULL: all 1; negative: left out */
    int32_t *own_weights;   /* owns; NULL: the table's */
    int64_t rows;           /* rows that are used */
    int64_t left_out;       /* rows with a missing value */
    int64_t unknown;        /* cells with a label unknown to the network */
    int64_t total;          /* sum of weights */
};

/* Finds a column for every variable: for a number, one of numbers or of codes
 * whose labels are numbers; for states, one of codes, or of numbers if the
 * variable was cut. Unused columns are noted. The match starts zeroed and must
 * be released, also on failure. */
int bestdag_match_columns(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_table *table,
                          struct bestdag_match *match);
/* Sets the cells, once all variables have states. Rows with a missing value in
 * a used column get a negative weight, which is noted. */
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
/* Finds the cells of a number of the network, which has match->column set: the
 * column's own, or a copy in match->copy[v]. */
int bestdag_match_numbers(struct bestdag_run *run,
                          const struct bestdag_variable *x,
                          const struct bestdag_table *table, int v,
                          struct bestdag_match *match);
/* A copy of a column of codes whose labels are numbers; NaN: missing. Owned by
 * the caller; NULL: failed, also if a label is not a number. */
double *bestdag_column_to_numbers(struct bestdag_run *run,
                                  const struct bestdag_column *column,
                                  int64_t rows);
/* Codes a column of numbers by the cuts of a variable. */
int bestdag_match_cuts(struct bestdag_run *run,
                       const struct bestdag_variable *x,
                       const struct bestdag_table *table, int v,
                       struct bestdag_match *match);
/* Variables in the largest family. */
int bestdag_match_widest(const struct bestdag_dag *dag);

#endif
