/* SPDX-License-Identifier: MIT */
/* completed_table.h -- a table completed by a network: expected counts of any
 * family. */
#ifndef BESTDAG_MODELS_HOLES_COMPLETED_TABLE_H
#define BESTDAG_MODELS_HOLES_COMPLETED_TABLE_H

#include "models/holes/hole_posterior.h"

struct bestdag_completed_pattern; /* completed_rows.h */
struct bestdag_completed_row;
struct bestdag_engine;

/* Rows are those of `rows`, including complete ones; row i has, for each
 * component of its holes, the posterior given the row's values. */
struct bestdag_completion {
    const struct bestdag_network *network; /* borrowed */
    const struct bestdag_hole_rows *rows;  /* borrowed; all rows */
    int n;
    int64_t total;      /* rows of the table, that is weight of all kinds */
    int shift;          /* counts are in units of 2^-shift rows */
    double *weight;     /* owns; [rows->count]: of the kinds, in units */
    uint16_t *code;     /* owns; [n * rows->count]: column after column */
    int16_t *component; /* owns; same layout: the row's component that a hole is
                           in */
    double **marginal;  /* owns; [n]: posteriors of a variable, for each kind of
                           row that lacks it, in order */
    struct bestdag_completed_pattern *pattern; /* owns */
    int64_t patterns;
    int64_t *pattern_of;               /* owns; [rows->count] */
    struct bestdag_completed_row *row; /* owns; [rows->count] */
    int64_t large;                     /* kinds of rows that need sessions */
    struct bestdag_engine *engine;     /* owns; NULL: none are large */
    struct bestdag_options *exact;     /* owns */
};

/* The network has tables; it and the rows outlive the completion. *done: false
 * if it was stopped. Release in any case. */
int bestdag_completion_make(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const struct bestdag_hole_rows *rows,
                            struct bestdag_completion *to, bool *done);
void bestdag_completion_release(struct bestdag_completion *completion);
/* The fraction of the kinds of rows that have holes. */
double bestdag_completion_share(const struct bestdag_completion *completion);

/* Counts of families; one thread's. */
struct bestdag_completed_counts {
    int64_t *cell;  /* owns; counts that are not 0, in units */
    int64_t *group; /* owns; the parents' joint state of each cell, ascending */
    int *state;     /* owns; the child's state of each cell */
    int64_t count;  /* of cells */
    int64_t room;   /* for cells */
    struct bestdag_completed_scratch *scratch; /* owns */
};

int bestdag_completed_counts_new(struct bestdag_run *run,
                                 const struct bestdag_completion *completion,
                                 struct bestdag_completed_counts *to);
void bestdag_completed_counts_release(struct bestdag_completed_counts *counts);
/* Counts the family of a child and its parents, given in any order; groups are
 * numbered with ascending parents, the last fastest. Fails only if memory or
 * inference failed. */
int bestdag_completed_counts_find(struct bestdag_completed_counts *counts,
                                  int child, const int *parents, int count);

#endif
