/* SPDX-License-Identifier: MIT */
/* effect.h -- what an intervention on one variable does to another: what the
 * files of `effect` share. */
#ifndef BESTDAG_MODELS_EFFECT_H
#define BESTDAG_MODELS_EFFECT_H

#include "graph/d_separation.h"
#include "models/class_members.h"
#include "network/network.h"

/* Without which no answer is causal. */
extern const char bestdag_effect_assumption[];

/* P(effect | do(cause), seen): the question. */
struct bestdag_effect_question {
    const struct bestdag_network *network;
    const struct bestdag_options *options; /* or NULL */
    int cause, effect;
    const int *seen, *state; /* [count]: variables, and the state of each; -1:
                                there is a likelihood */
    double *const *weight;   /* [count][states]: likelihoods */
    int count;
    int causes, effects; /* states of these two */
};

/* The answer for one graph. */
struct bestdag_effect {
    int *parents, parent_count; /* owns; of the cause, ascending */
    int *set,
        size;     /* owns; a smallest adjustment set, ascending; size -1: there
                     is none, since the effect is a parent of the cause. With
                     it are variables above the cause that have a likelihood:
                     what is said of them is no state to condition on */
    bool reaches; /* a directed path leads from the cause to the effect */
    double *p;    /* owns; [causes * effects]; P(effect | do(cause), seen);
                     NaN in a row: the evidence is impossible then, or states
                     of the set have a probability, but not with the cause */
    bool sampled; /* p is no exact answer */
};

/* Of a graph of the network's equivalence class, with the tables that give the
 * distribution of the network: by adjustment. `to` starts zeroed and must be
 * released, also on failure. p is NULL unless `computes`. */
int bestdag_effect_adjust(struct bestdag_run *run,
                          const struct bestdag_effect_question *question,
                          const struct bestdag_dag *dag, bool computes,
                          struct bestdag_effect *to);
void bestdag_effect_release(struct bestdag_effect *effect);

/* Gives a session evidence `i` of the question. */
int bestdag_effect_observe(struct bestdag_run *run,
                           const struct bestdag_effect_question *question,
                           int i, struct bestdag_session *session);

/* bestdag_network_effect() of a network whose variables all have states; `dag`
 * is the graph whose class it is about, with is_number as in class_members.h.
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

/* What is known of all graphs of the class. */
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

/* Same for all graphs: with an answer for all of them. */
bool bestdag_effects_are_same(const struct bestdag_effect_question *question,
                              const struct bestdag_effects *effects);
char *bestdag_effects_report(struct bestdag_run *run,
                             const struct bestdag_effect_question *question,
                             const struct bestdag_rules *rules,
                             const struct bestdag_effects *effects);

#endif
