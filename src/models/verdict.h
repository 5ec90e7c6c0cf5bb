/* SPDX-License-Identifier: MIT */
/* verdict.h -- how good predictions were. */
#ifndef BESTDAG_MODELS_VERDICT_H
#define BESTDAG_MODELS_VERDICT_H

#include "base/json.h"

struct bestdag_verdict {
    int classes;
    char **label;       /* owns; [classes] */
    int64_t *confusion; /* owns; [true class][predicted class]: weights */
    int64_t total;      /* of all weights */
    double loss;        /* sum of -ln p(true class), weighted */
    int64_t denied;     /* weight of rows whose class had probability 0 */
};

/* All labels of `first`, then those of `second` (may be NULL) that it lacks. */
int bestdag_verdict_init(struct bestdag_run *run, struct bestdag_verdict *to,
                         char *const *first, int first_count,
                         char *const *second, int second_count);
void bestdag_verdict_release(struct bestdag_verdict *v);
int bestdag_verdict_find(const struct bestdag_verdict *v, const char *label);
/* One row; p: the probability that its class had. */
void bestdag_verdict_add(struct bestdag_verdict *v, int truth, int predicted,
                         double p, int64_t weight);
/* accuracy, interval, log_loss, classes, per_class, confusion. */
void bestdag_verdict_write(const struct bestdag_verdict *v,
                           struct bestdag_json_writer *w);

#endif
