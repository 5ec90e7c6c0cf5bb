/* SPDX-License-Identifier: MIT */
/* triangulation.h -- an elimination order whose cliques have small tables. */
#ifndef BESTDAG_INFERENCE_TRIANGULATION_H
#define BESTDAG_INFERENCE_TRIANGULATION_H

#include "base/run.h"

/* Variables 0 .. n - 1, an edge between any two that share a factor. */
struct bestdag_interaction {
    int n, words;  /* words: of a row of n bits */
    int *states;   /* owns; [n] */
    uint64_t *row; /* owns; [n * words]: neighbours of each */
};

int bestdag_interaction_new(struct bestdag_run *run, int n,
                            struct bestdag_interaction *to);
void bestdag_interaction_release(struct bestdag_interaction *graph);
/* All members become neighbours of each other. */
void bestdag_interaction_join(struct bestdag_interaction *graph,
                              const int *members, int count);

struct bestdag_triangulation {
    int *order;  /* owns; [n] */
    int *parent; /* owns; [n]: the neighbour that is eliminated next among those
                    that remain when the variable is; -1: none remain */
    uint64_t *row;  /* owns; [n * words]: those remaining neighbours */
    double total;   /* numbers in the tables of all maximal cliques */
    double largest; /* in the largest of them */
    const char *heuristic;
    int tries;
};

/* The best of several tries by total table size. Same seed, same order. A stop
 * ends it after the first try. */
int bestdag_triangulate(struct bestdag_run *run,
                        const struct bestdag_interaction *graph, int tries,
                        struct bestdag_triangulation *to);
void bestdag_triangulation_release(struct bestdag_triangulation *t);

#endif
