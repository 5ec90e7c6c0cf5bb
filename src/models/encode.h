/* SPDX-License-Identifier: MIT */
/* encode.h -- cells of any table as states of a model. */
#ifndef BESTDAG_MODELS_ENCODE_H
#define BESTDAG_MODELS_ENCODE_H

#include "data/discretize/discretize.h"
#include "models/unknown_values.h"
#include "network/network.h"

/* How the cells of one column become states of one variable. */
struct bestdag_encoder {
    const struct bestdag_column *column; /* borrowed */
    int states;                          /* of the variable; also the hole */
    uint16_t *map;            /* owns; by code; NULL: numbers, or no values */
    struct bestdag_cuts cuts; /* owns; of a variable that was cut */
    bool is_cut;
    double *value;   /* owns; ascending: labels that are numbers */
    uint16_t *state; /* owns; of these values */
    int values;
    bool *is_seen; /* owns; [states]: has a probability above 0 somewhere, or
                      that does not matter */
};

/* `only_seen`: a state that has probability 0 everywhere was never seen in
 * training and is a hole; else it is a state as others are, and impossible. */
int bestdag_encoder_init(struct bestdag_run *run, struct bestdag_encoder *to,
                         const struct bestdag_network *model, int variable,
                         const struct bestdag_column *column, bool only_seen);
void bestdag_encoder_release(struct bestdag_encoder *e);
/* Adds what has no state that was seen, of `rows` rows. */
void bestdag_encoder_unknown(const struct bestdag_encoder *e, int64_t rows,
                             struct bestdag_unknown *to);
/* States of rows from .. from + n - 1; what is missing or has no state that was
 * seen is a hole, e->states. Returns how many are. */
int bestdag_encode(const struct bestdag_encoder *e, int64_t from, int n,
                   uint16_t *to);

#endif
