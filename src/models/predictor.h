/* SPDX-License-Identifier: MIT */
/* predictor.h -- the probabilities of the class of many rows. */
#ifndef BESTDAG_MODELS_PREDICTOR_H
#define BESTDAG_MODELS_PREDICTOR_H

#include "data/text/settings.h"
#include "models/encode.h"

/* A family that holds the class, as logarithms. */
struct bestdag_predictor_term {
    int *member; /* owns; the others of the family */
    int members;
    double *log; /* owns; [joint states of the members, holes too][classes] */
};

struct bestdag_predictor {
    const struct bestdag_network *model; /* borrowed; has tables */
    int n, class, classes;
    struct bestdag_encoder *encoder;     /* owns; [n]; the class has none */
    struct bestdag_predictor_term *term; /* owns */
    int terms;
    bool *is_parent;              /* owns; [n] */
    struct bestdag_column absent; /* without any value: for those ignored */
    const struct bestdag_options *options; /* of inference; borrowed, or NULL */
};

enum { BESTDAG_PREDICTOR_BLOCK = 1024 }; /* rows that are encoded together */

/* What became of some rows. */
struct bestdag_predictions {
    uint16_t *best;  /* [rows]: the likeliest class */
    double **share;  /* [classes][rows] */
    int64_t holes;   /* cells that are missing, or have no state of the model */
    int64_t missing; /* of them: those that are missing */
    int64_t summed;  /* rows in which a parent was summed out */
    int64_t sampled; /* of them: those whose probabilities are estimates */
    int64_t impossible; /* rows of probability 0 whatever the class */
};

/* class -1: the one that is marked. The table must outlive it, too. Columns
 * that it lacks are an error, unless they are among `ignored` (or NULL): these
 * are missing in all rows. `options` may be set afterwards. */
int bestdag_predictor_init(struct bestdag_run *run,
                           struct bestdag_predictor *to,
                           const struct bestdag_network *model, int class,
                           const struct bestdag_table *table,
                           const struct bestdag_words *ignored);
void bestdag_predictor_release(struct bestdag_predictor *p);
/* All rows of the table; `to` has room for them. */
int bestdag_predictor_run(struct bestdag_run *run,
                          const struct bestdag_predictor *p, int64_t rows,
                          struct bestdag_predictions *to);

/* predictor_holes.c: again the rows of some blocks, those in which a parent is
 * missing. */
int bestdag_predictor_sum_holes(struct bestdag_run *run,
                                const struct bestdag_predictor *p, int64_t rows,
                                const bool *is_open_block,
                                struct bestdag_predictions *to);

#endif
