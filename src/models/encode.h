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
    int states;               /* of the variable; also the code of a hole */
    uint16_t *map;            /* owns; by code; NULL: numbers, or no values */
    struct bestdag_cuts cuts; /* owns; of a variable that was cut */
    bool is_cut;
    double *value;   /* owns; ascending: labels that are numbers */
    uint16_t *state; /* owns; of these values */
    int values;
    bool *is_seen; /* owns; [states + 1]: states that count; NULL: all */
};

int bestdag_encoder_init(struct bestdag_run *run, struct bestdag_encoder *to,
                         const struct bestdag_network *model, int variable,
                         const struct bestdag_column *column);
/* Makes states whose probability is 0 in all rows of the table holes, too: a
 * state that a classifier never saw is no evidence about the class. */
int bestdag_encoder_only_seen(struct bestdag_run *run,
                              struct bestdag_encoder *e,
                              const struct bestdag_network *model,
                              int variable);
void bestdag_encoder_release(struct bestdag_encoder *e);
/* Adds the values without a state among `rows` rows. */
void bestdag_encoder_unknown(const struct bestdag_encoder *e, int64_t rows,
                             struct bestdag_unknown *to);
/* Encodes rows from .. from + n - 1; a cell that is missing or has no state
 * becomes a hole, e->states. Returns the number of holes. */
int bestdag_encode(const struct bestdag_encoder *e, int64_t from, int n,
                   uint16_t *to);

#endif
