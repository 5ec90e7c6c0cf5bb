/* SPDX-License-Identifier: MIT */
/* predictor.h -- the probabilities of the class of many rows. */
#ifndef BESTDAG_MODELS_PREDICTOR_H
#define BESTDAG_MODELS_PREDICTOR_H

#include "data/text/settings.h"
#include "models/encode.h"

/* A family that contains the class, as logarithms. */
struct bestdag_predictor_term {
    int *member; /* owns; the other members of the family */
    int members;
    double *log; /* owns; [joint states of the members, with holes][classes] */
};

struct bestdag_predictor {
    const struct bestdag_network *model; /* borrowed; has tables */
    int n, class, classes;
    struct bestdag_encoder *encoder;     /* owns; [n]; the class has none */
    struct bestdag_predictor_term *term; /* owns */
    int terms;
    bool *is_parent; /* owns; [n] */
    struct bestdag_column
        absent; /* a column without values: stands for ignored ones */
    const struct bestdag_options *options; /* of inference; borrowed, or NULL */
};

enum { BESTDAG_PREDICTOR_BLOCK = 1024 }; /* rows that are encoded together */

/* The results for some rows. */
struct bestdag_predictions {
    uint16_t *best;  /* [rows]: the likeliest class */
    double **share;  /* [classes][rows] */
    int64_t holes;   /* cells that are missing, or have no state of the model */
    int64_t missing; /* among `holes`: missing cells */
    int64_t summed;  /* rows in which a parent was summed out */
    int64_t
        sampled; /* among `summed`: rows whose probabilities are estimates */
    int64_t impossible; /* rows of probability 0 for every class */
};

/* class -1: the marked one. The table must outlive the predictor, too. Columns
 * that the table lacks are an error, unless they are among `ignored` (or NULL):
 * these are missing in all rows. `options` may be set afterwards. */
int bestdag_predictor_init(struct bestdag_run *run,
                           struct bestdag_predictor *to,
                           const struct bestdag_network *model, int class,
                           const struct bestdag_table *table,
                           const struct bestdag_words *ignored);
void bestdag_predictor_release(struct bestdag_predictor *p);
/* Predicts all rows of the table; `to` has room for them. */
int bestdag_predictor_run(struct bestdag_run *run,
                          const struct bestdag_predictor *p, int64_t rows,
                          struct bestdag_predictions *to);

/* predictor_holes.c: repeats the rows of some blocks in which a parent is
 * missing. */
int bestdag_predictor_sum_holes(struct bestdag_run *run,
                                const struct bestdag_predictor *p, int64_t rows,
                                const bool *is_open_block,
                                struct bestdag_predictions *to);

#endif
