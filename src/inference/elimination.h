/* SPDX-License-Identifier: MIT */
/* elimination.h -- orders in which variables are summed out of a product. */
#ifndef BESTDAG_INFERENCE_ELIMINATION_H
#define BESTDAG_INFERENCE_ELIMINATION_H

#include "base/run.h"

/* Variables 0 .. n - 1, an edge between any two that share a factor. */
struct bestdag_scope {
    int count, room;
    int *at; /* owns; ascending */
};

struct bestdag_elimination {
    int n;
    int *states;                 /* owns; [n] */
    bool *kept;                  /* owns; [n]: not to be summed out */
    struct bestdag_scope *scope; /* owns; [n]: neighbours; once v is summed out,
                                    the scope of the factor that this makes */
    int *order, steps;           /* owns; [n]: variables to sum out, in order */
};

int bestdag_elimination_new(struct bestdag_run *run, int n,
                            struct bestdag_elimination *to);
void bestdag_elimination_release(struct bestdag_elimination *e);
/* All members of a set (any order) become neighbours of each other. */
int bestdag_elimination_join(struct bestdag_run *run,
                             struct bestdag_elimination *e, const int *members,
                             int count);
/* Finds the order. BESTDAG_MEMORY if a factor of more than 2^40 numbers would
 * arise. */
int bestdag_elimination_plan(struct bestdag_run *run,
                             struct bestdag_elimination *e);
/* Numbers in the factor that summing out v makes. */
int64_t bestdag_elimination_cells(const struct bestdag_elimination *e, int v);

#endif
