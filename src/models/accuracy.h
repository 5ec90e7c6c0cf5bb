/* SPDX-License-Identifier: MIT */
/* accuracy.h -- how good predictions were. */
#ifndef BESTDAG_MODELS_ACCURACY_H
#define BESTDAG_MODELS_ACCURACY_H

#include "base/json.h"

struct bestdag_accuracy {
    int classes;
    char **label;       /* owns; [classes] */
    int64_t *confusion; /* owns; [true class][predicted class]: weights */
    int64_t total;      /* of all weights */
    double loss;        /* sum of -ln p(true class), weighted */
    int64_t denied;     /* weight of rows whose class had probability 0 */
};

/* Takes all labels of `first`, then those of `second` (may be NULL) that
 * `first` lacks. */
int bestdag_accuracy_init(struct bestdag_run *run, struct bestdag_accuracy *to,
                          char *const *first, int first_count,
                          char *const *second, int second_count);
void bestdag_accuracy_release(struct bestdag_accuracy *v);
int bestdag_accuracy_find(const struct bestdag_accuracy *v, const char *label);
/* Adds one row; p: the probability that its class was given. */
void bestdag_accuracy_add(struct bestdag_accuracy *v, int truth, int predicted,
                          double p, int64_t weight);
/* Writes accuracy, interval, log_loss, classes, per_class, confusion. */
void bestdag_accuracy_write(const struct bestdag_accuracy *v,
                            struct bestdag_json_writer *w);

#endif
