/* SPDX-License-Identifier: MIT */
/* available_rows.h -- counts of families over the rows in which they are
 * complete. */
#ifndef BESTDAG_SCORES_AVAILABLE_ROWS_H
#define BESTDAG_SCORES_AVAILABLE_ROWS_H

#include "data/table.h"

/* Counts of one family; cell[group * states + state of the child]. */
struct bestdag_available_counts {
    int64_t rows; /* weight of the complete rows */
    int64_t groups;
    int states;
    const int64_t *cell;
};

/* Scratch of one thread. */
struct bestdag_available_rows;

struct bestdag_available_rows *bestdag_available_rows_new(
    struct bestdag_run *run, const struct bestdag_table *table);
void bestdag_available_rows_free(struct bestdag_available_rows *a);
/* Fast when the parents stay the same or are extended at their end. Groups are
 * the joint states of the parents that occur, in order of first occurrence. Not
 * OK: out of memory. */
int bestdag_available_rows_count(struct bestdag_available_rows *a, int child,
                                 const int *parents, int count,
                                 struct bestdag_available_counts *to);

#endif
