/* SPDX-License-Identifier: MIT */
/* impute.h -- the missing cells of a table, and what they were filled with. */
#ifndef BESTDAG_MODELS_QUERY_IMPUTE_H
#define BESTDAG_MODELS_QUERY_IMPUTE_H

#include "models/query/row_sessions.h"

enum bestdag_fill {
    BESTDAG_FILL_JOINT, /* the most probable states of a row together */
    BESTDAG_FILL_CELLS, /* the most probable state of each cell */
    BESTDAG_FILL_DRAWS  /* states drawn given the row */
};

struct bestdag_hole {
    int source; /* the column that it is in */
    int64_t at; /* of its first probability, where these are wanted */
};

struct bestdag_imputation {
    struct bestdag_asking a; /* owns; of all variables, without evidence */
    struct bestdag_row_sessions rows;  /* owns */
    const struct bestdag_table *table; /* borrowed */
    enum bestdag_fill fill;
    bool has_probabilities;
    int tables; /* number of tables drawn; else 1 */
    bool is_numbered;
    bool *can_fill; /* owns; [sources]: can the column hold the states? */
    int64_t *first; /* owns; [rows + 1]: the first hole of each row */
    struct bestdag_hole *hole; /* owns; [holes], by row */
    int64_t holes, numbers;
    int32_t *state; /* owns; [tables][holes]; -1: the row is impossible */
    double *value;  /* owns; [tables][holes]: of holes of numbers, NaN: the row
                       is impossible; NULL: there are no numbers */
    const double *const *cells; /* [sources]: those of numbers; or NULL */
    double *share; /* owns; [numbers]: probabilities of the states of holes */
    double *error; /* owns; [numbers]: their standard errors */
    _Atomic bool is_sampled; /* something rests on sampled probabilities */
    int most;                /* most holes in a row */
};

extern const struct bestdag_option_group bestdag_impute_options;

/* Reads the options. */
int bestdag_imputation_choose(struct bestdag_imputation *m,
                              const struct bestdag_options *options);
/* Lists the holes of m->table in columns of m->rows.source, and makes room for
 * their values. */
int bestdag_imputation_find_holes(struct bestdag_imputation *m);
/* Notes which cells were filled, which were not, and why. */
int bestdag_imputation_note(const struct bestdag_imputation *m,
                            int64_t impossible);
/* The most probable of some states. */
int bestdag_imputation_best(const double *share, int states);
/* Releases all but a and rows. */
void bestdag_imputation_release(struct bestdag_imputation *m);

/* The table with its holes filled, repeated for each draw. */
struct bestdag_table *bestdag_imputation_table(
    const struct bestdag_imputation *m);
/* A table with one row for each state of each hole. */
struct bestdag_table *bestdag_imputation_probabilities(
    const struct bestdag_imputation *m);
/* Reads a label as a number; false: it is none. */
bool bestdag_imputation_number(const char *label, double *to);

#endif
