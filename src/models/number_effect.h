/* SPDX-License-Identifier: MIT */
/* number_effect.h -- total effects in networks with numbers. */
#ifndef BESTDAG_MODELS_NUMBER_EFFECT_H
#define BESTDAG_MODELS_NUMBER_EFFECT_H

#include "base/json.h"
#include "inference/mixed.h"
#include "models/class_members.h"
#include "models/effect.h"
#include "network/regression.h"

/* The parsed question. */
struct bestdag_number_question {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    const struct bestdag_rules *rules;     /* or NULL */
    const struct bestdag_options *options; /* or NULL */
    struct bestdag_network
        *states; /* owns; the network with its numbers replaced by variables of
                    one state without parents */
    const char **names; /* owns; [n] */
    bool *is_number;    /* owns; [n] */
    double **weight;    /* owns; [n]: evidence; NULL: none */
    int cause, effect;
};

/* As bestdag_network_effect(), for networks with numbers. */
char *bestdag_number_effect(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const char *cause, const char *effect,
                            const struct bestdag_rules *rules,
                            const struct bestdag_options *options);

/* Number on number: the slope of the effect's mean in the cause. */
char *bestdag_slope_effect(struct bestdag_number_question *q);
/* States on number: the means of the effect. */
char *bestdag_mean_effect(struct bestdag_number_question *q);

/* Shared functions: */

/* The joint probability of variables with states given the evidence; all zero:
 * it is impossible. Fails if it cannot be exact. */
int bestdag_number_effect_joint(const struct bestdag_number_question *q,
                                const int *variables, int count, double *to,
                                int64_t cells);
/* Enumerates the class. */
int bestdag_number_effect_class(const struct bestdag_number_question *q,
                                bestdag_class_member_fn *each, void *user,
                                struct bestdag_class_found *to);
/* Begins an object with "cause", "effect", "given". */
void bestdag_number_effect_begin(struct bestdag_json_writer *w,
                                 const struct bestdag_number_question *q);
void bestdag_number_effect_names(struct bestdag_json_writer *w,
                                 const struct bestdag_number_question *q,
                                 const char *key, const int *list, int count);
/* "adjustment" and "causal_path" of the network itself. */
int bestdag_number_effect_adjustment(struct bestdag_json_writer *w,
                                     const struct bestdag_number_question *q);
/* Writes "reversible", "parent_sets", "complete", "assumption", and closes the
 * object. */
char *bestdag_number_effect_end(struct bestdag_json_writer *w,
                                const struct bestdag_number_question *q,
                                const struct bestdag_class_found *found);

#endif
