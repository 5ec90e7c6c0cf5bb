/* SPDX-License-Identifier: MIT */
/* pheromone.h -- the pheromone on each move; moves that no ant has made share a
 * small initial level. */
#ifndef BESTDAG_SEARCH_CLASSES_PHEROMONE_H
#define BESTDAG_SEARCH_CLASSES_PHEROMONE_H

#include "search/classes/operators.h"

struct bestdag_pheromone_entry {
    uint64_t move; /* 0: the slot is empty */
    double level;
};

struct bestdag_pheromone {
    struct bestdag_run *run;
    double least;                         /* level of moves not in the table */
    struct bestdag_pheromone_entry *slot; /* owns; [slots], a power of two */
    size_t slots, used;
};

/* A move as an integer, never 0. */
uint64_t bestdag_operation_key(const struct bestdag_operation *move);
double bestdag_pheromone_level(const struct bestdag_pheromone *p,
                               uint64_t move);
int bestdag_pheromone_set(struct bestdag_pheromone *p, uint64_t move,
                          double level);
void bestdag_pheromone_release(struct bestdag_pheromone *p);

#endif
