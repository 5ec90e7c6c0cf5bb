/* SPDX-License-Identifier: MIT */
/* mixed_parts.h -- what the files of mixed.c share. */
#ifndef BESTDAG_INFERENCE_MIXED_PARTS_H
#define BESTDAG_INFERENCE_MIXED_PARTS_H

#include "inference/gaussian.h"
#include "inference/mixed.h"

enum { BESTDAG_MOST_CONFIGURATIONS = 1 << 20 }; /* of a group */

/* Numbers that depend on each other however the states are. */
struct bestdag_number_group {
    int *member; /* owns; those that are not known, parents first; then known */
    int members, unknown;
    int *scope; /* owns; parents with states that are not known, ascending */
    int scopes;
    int64_t configurations;
    double *ln;     /* owns; [configurations]: density of what is known */
    double largest; /* of ln; 0 of a component without known numbers */
    int rank;       /* of a mode: targets with a density; -1: not known yet */
    bool is_asked;  /* has a target */
    int local;      /* its variable in the network of states; -1: none */
};

struct bestdag_mixed {
    struct bestdag_run *run;
    const struct bestdag_mixed_question *q;
    const struct bestdag_network *net;
    int n;
    bool is_mode;  /* factors are densities at the most probable values of the
                      targets */
    int *order;    /* owns; parents first */
    bool *matters; /* owns; [n] */
    double *value; /* owns; [n]: known, or NaN */
    int *known;    /* owns; [n]: the only possible state, or -1 */
    int *state;    /* owns; [n]: a configuration at work */
    int *place;    /* owns; [n]: for gaussian.c */
    int *root;     /* owns; [n]: of the component, while they are found */
    int *component_of;                      /* owns; [n]; -1: none */
    struct bestdag_number_group *component; /* owns */
    int components;
    bool is_joined; /* `joined` stands for all components with a scope */
    struct bestdag_number_group joined; /* owns; of its members nothing */
    double ln; /* of components without scope, and largest of the others */
    struct bestdag_network *states;  /* owns; the network without numbers */
    int *local;                      /* owns; [n]: in it; -1: not there */
    struct bestdag_engine *engine;   /* owns; NULL: nothing has states */
    struct bestdag_session *session; /* owns */
};

/* Finds what matters, and the components. */
int bestdag_mixed_split(struct bestdag_mixed *m);
/* Is there little enough to do for an exact answer? */
bool bestdag_mixed_is_small(const struct bestdag_mixed *m);
/* The factors of components with known numbers; m->ln. */
int bestdag_mixed_factors(struct bestdag_mixed *m);
/* The numbers of a component given its j-th configuration and what is known: g
 * and its members have the same indices. value: room for the members. */
int bestdag_mixed_condition(struct bestdag_mixed *m,
                            const struct bestdag_number_group *c, int64_t j,
                            struct bestdag_gaussian *g, double *value,
                            double *ln);
/* Where a configuration of the network's states is among the component's. */
int64_t bestdag_mixed_index(const struct bestdag_mixed *m,
                            const struct bestdag_number_group *c,
                            const int *state);
/* Factors, and a session that knows the states; none if m->ln is -INFINITY, or
 * if nothing has states. */
int bestdag_mixed_open(struct bestdag_mixed *m,
                       const struct bestdag_options *options);
/* How the session answered, and that there were numbers. */
const char *bestdag_mixed_method(const struct bestdag_mixed *m);
/* As bestdag_mixed_split() and bestdag_mixed_open(), by an exact method or not
 * at all: BESTDAG_MEMORY; `what` is for the message. */
int bestdag_mixed_open_exactly(struct bestdag_mixed *m,
                               const struct bestdag_options *options,
                               const char *what);
void bestdag_mixed_release(struct bestdag_mixed *m);

#endif
