/* SPDX-License-Identifier: MIT */
/* effect.h -- the effect of an intervention on one variable on another:
 * declarations that the files of `effect` share. */
#ifndef BESTDAG_MODELS_EFFECT_H
#define BESTDAG_MODELS_EFFECT_H

#include "graph/d_separation.h"
#include "models/class_members.h"
#include "network/network.h"

/* The assumptions without which no answer is causal. */
extern const char bestdag_effect_assumption[];

/* The question: P(effect | do(cause), seen). */
struct bestdag_effect_question {
    const struct bestdag_network *network;
    const struct bestdag_options *options; /* or NULL */
    int cause, effect;
    const int *seen,
        *state; /* [count]: variables, and the state of each; -1: see weight */
    double *const *weight; /* [count][states]: likelihoods */
    int count;
    int causes, effects; /* numbers of states of cause and effect */
};

/* The answer for one graph. */
struct bestdag_effect {
    int *parents, parent_count; /* owns; of the cause, ascending */
    int *set, size; /* owns; a smallest adjustment set, ascending; size -1:
                       there is none, since the effect is a parent of the cause.
                       It includes non-descendants of the cause that have a
                       likelihood, which is no state to condition on */
    bool reaches;   /* a directed path leads from the cause to the effect */
    double *p; /* owns; [causes * effects]; P(effect | do(cause), seen); NaN in
                  a row: the evidence is impossible under do(), or a possible
                  state of the set never occurs with that state of the cause */
    bool sampled; /* p is an estimate */
};

/* Computes the effect in a graph of the network's equivalence class by
 * adjustment; the tables give the network's distribution. `to` starts zeroed
 * and must be released, also on failure. p is NULL unless `computes`. */
int bestdag_effect_adjust(struct bestdag_run *run,
                          const struct bestdag_effect_question *question,
                          const struct bestdag_dag *dag, bool computes,
                          struct bestdag_effect *to);
void bestdag_effect_release(struct bestdag_effect *effect);

/* Sets item `i` of the question's evidence. */
int bestdag_effect_observe(struct bestdag_run *run,
                           const struct bestdag_effect_question *question,
                           int i, struct bestdag_session *session);

/* As bestdag_network_effect(), for a network whose variables all have states;
 * `dag` is the graph whose class is enumerated, with is_number as in
 * class_members.h.
 */
struct bestdag_effect_graph {
    const struct bestdag_dag *dag;
    const bool *is_number; /* or NULL */
};
char *bestdag_states_effect(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            struct bestdag_effect_graph graph,
                            const char *cause, const char *effect,
                            const struct bestdag_rules *rules,
                            const struct bestdag_options *options);

/* The effects in all graphs of the class. */
struct bestdag_effects {
    struct bestdag_effect
        *at; /* owns; [count]; the network's own comes first */
    int64_t count, room;
    struct bestdag_class_found class;
    const char *method; /* of inference */
    double *errors; /* owns; as p of the first, standard errors; NULL: exact */
    double sample_size; /* 0: exact */
    double *value; /* owns; [effects]: numbers or ranks of the states; NULL:
                      they have no order */
    bool ranks;
};

/* Do all graphs have an answer, and the same one? */
bool bestdag_effects_are_same(const struct bestdag_effect_question *question,
                              const struct bestdag_effects *effects);
char *bestdag_effects_report(struct bestdag_run *run,
                             const struct bestdag_effect_question *question,
                             const struct bestdag_rules *rules,
                             const struct bestdag_effects *effects);

#endif
