/* SPDX-License-Identifier: MIT */
/* numeric_rows.h -- the cells of a table as evidence about a network with
 * numbers. */
#ifndef BESTDAG_MODELS_QUERY_NUMERIC_ROWS_H
#define BESTDAG_MODELS_QUERY_NUMERIC_ROWS_H

#include "models/encode.h"

/* A column that is a variable of the network. */
struct bestdag_numeric_source {
    int variable, column;
    const double *number; /* of a number: its cells, NaN: missing */
    double *copy;         /* owns; `number`, if it had to be read from labels */
    struct bestdag_encoder encoder; /* owns; for states */
    bool is_states;
};

struct bestdag_numeric_rows {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    struct bestdag_numeric_source *source; /* owns */
    int sources;
    double **likelihood; /* owns; [n]: room for a weight of each state */
};

/* Uses all columns that are variables of the network, except those in skip[]
 * (or NULL). Release also on failure. */
int bestdag_numeric_rows_init(struct bestdag_numeric_rows *to,
                              const struct bestdag_table *table,
                              const bool *skip);
void bestdag_numeric_rows_release(struct bestdag_numeric_rows *rows);
/* Sets the evidence of row r for a question: weight[v] points into likelihood,
 * or is NULL; given[v] (or NULL) is the query's own evidence on v. Returns
 * false if the two exclude each other. */
bool bestdag_numeric_rows_give(struct bestdag_numeric_rows *rows, int64_t r,
                               double *const *given, double **weight,
                               double *value);

#endif
