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
    int *order;                   /* owns; [n]: parents before children */
    struct bestdag_column absent; /* without any value: for those ignored */
    int64_t most_cells; /* of a table on the way to summing out holes */
};

/* What became of some rows. */
struct bestdag_predictions {
    uint16_t *best;  /* [rows]: the likeliest class */
    double **share;  /* [classes][rows] */
    int64_t holes;   /* cells that are missing, or have no state of the model */
    int64_t missing; /* of them: those that are missing */
    int64_t summed;  /* rows in which a parent was summed out */
    int64_t rough;   /* of them: those where that was too much */
    int64_t impossible; /* rows of probability 0 whatever the class */
};

/* class -1: the one that is marked. The table must outlive it, too. Columns
 * that it lacks are an error, unless they are among `ignored` (or NULL): these
 * are missing in all rows. */
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

/* Rows in which parents are missing, one at a time; see missing_parents.c. One
 * a thread.
 */
struct bestdag_missing_parents;
struct bestdag_missing_parents *bestdag_missing_parents_new(
    struct bestdag_run *run, const struct bestdag_predictor *p);
void bestdag_missing_parents_free(struct bestdag_missing_parents *h);
/* state[n], -1 for holes and the class. Fills log_of[classes], the logarithm of
 * P(class, what is seen) up to a constant. *rough: not exact. */
int bestdag_missing_parents_sum(struct bestdag_missing_parents *h,
                                const int *state, double *log_of, bool *rough);

#endif
