/* SPDX-License-Identifier: MIT */
/* mixed_parts.h -- what the files of mixed.c share. */
#ifndef BESTDAG_INFERENCE_MIXED_PARTS_H
#define BESTDAG_INFERENCE_MIXED_PARTS_H

#include "inference/gaussian.h"
#include "inference/mixed.h"

enum { BESTDAG_MOST_CONFIGURATIONS = 1 << 20 }; /* of a component */

/* A component: numbers that depend on each other given any states. */
struct bestdag_number_group {
    int *member; /* owns; unknown numbers, parents first; then known ones */
    int members, unknown;
    int *scope; /* owns; parents with unknown states, ascending */
    int scopes;
    int64_t configurations;
    double *ln;     /* owns; [configurations]: density of the known members */
    double largest; /* largest ln; 0 for a component without known numbers */
    int rank;      /* for modes: targets with a density; -1: not computed yet */
    bool is_asked; /* has a target */
    int local;     /* its variable in the network of states; -1: none */
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
    int *state;    /* owns; [n]: the current configuration */
    int *place;    /* owns; [n]: for gaussian.c */
    int *root;     /* owns; [n]: union-find, while components are found */
    int *component_of;                      /* owns; [n]; -1: none */
    struct bestdag_number_group *component; /* owns */
    int components;
    bool is_joined; /* `joined` stands for all components with a scope */
    struct bestdag_number_group joined; /* owns; has a scope but no members */
    double ln; /* of components without scope, plus `largest` of the others */
    struct bestdag_network *states;  /* owns; the network without numbers */
    int *local;                      /* owns; [n]: in it; -1: not there */
    struct bestdag_engine *engine;   /* owns; NULL: nothing has states */
    struct bestdag_session *session; /* owns */
};

/* Finds the relevant variables and the components. */
int bestdag_mixed_split(struct bestdag_mixed *m);
/* Is the work small enough for an exact answer? */
bool bestdag_mixed_is_small(const struct bestdag_mixed *m);
/* Computes the factors of components with known numbers, and m->ln. */
int bestdag_mixed_factors(struct bestdag_mixed *m);
/* The numbers of a component given its j-th configuration and the known
 * numbers: g has the indices of its members. value: room for the members. */
int bestdag_mixed_condition(struct bestdag_mixed *m,
                            const struct bestdag_number_group *c, int64_t j,
                            struct bestdag_gaussian *g, double *value,
                            double *ln);
/* The index of a configuration of the network's states in the component. */
int64_t bestdag_mixed_index(const struct bestdag_mixed *m,
                            const struct bestdag_number_group *c,
                            const int *state);
/* Computes the factors and opens a session with the evidence on states; no
 * session if m->ln is -INFINITY or no variable has states. */
int bestdag_mixed_open(struct bestdag_mixed *m,
                       const struct bestdag_options *options);
/* The session's method, with a mention of numbers. */
const char *bestdag_mixed_method(const struct bestdag_mixed *m);
/* As bestdag_mixed_split() and bestdag_mixed_open(), but fails with
 * BESTDAG_MEMORY if no exact method fits; `what` is for the message. */
int bestdag_mixed_open_exactly(struct bestdag_mixed *m,
                               const struct bestdag_options *options,
                               const char *what);
void bestdag_mixed_release(struct bestdag_mixed *m);

#endif
