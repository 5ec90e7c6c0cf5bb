/* SPDX-License-Identifier: MIT */
/* match.h -- a network's variables found in a table, by name and by label. */
#ifndef BESTDAG_MODELS_MATCH_H
#define BESTDAG_MODELS_MATCH_H

#include "data/table.h"
#include "models/joint_state.h"
#include "network/network.h"

struct bestdag_match {
    int n;
    int *column;     /* owns; [n]: the column of each variable */
    bool is_lenient; /* labels that the network does not know count as missing,
                        with a note; else they are an error. And the caller has
                        a use for rows with missing values */
    /* Set by bestdag_match_cells(): */
    struct bestdag_digit *digit; /* owns; [n]: cells in the network's codes */
    void **copy;                 /* owns; [n]: cells that had to be recoded */
    const int32_t *weights;      /* NULL: all 1; negative: left out */
    int32_t *own_weights;        /* owns; NULL: the table's */
    int64_t rows;                /* that count */
    int64_t left_out;            /* rows with a missing value */
    int64_t unknown;             /* cells with a label that it does not know */
    int64_t total;               /* sum of weights */
};

/* Every variable has a column of codes; columns that no variable wants are
 * noted. The match starts zeroed and must be released, also on failure. */
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

/* Digits of v's parents, then v itself: the order of its table. Returns how
 * many. */
int bestdag_match_family(const struct bestdag_match *match,
                         const struct bestdag_dag *dag, int v,
                         struct bestdag_digit *to);
/* Variables in the largest family. */
int bestdag_match_widest(const struct bestdag_dag *dag);

#endif
