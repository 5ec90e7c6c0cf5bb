/* SPDX-License-Identifier: MIT */
/* count_cube.h -- the contingency tables of all sets of a size, from bit
 * columns and subtraction.
 *
 * Only the core of a set is counted: the cells in which no variable is in its
 * last state; all others follow from the cores of its subsets. For variables
 * with two states that is one AND and one population count per set, whatever
 * its size. Sets are processed by prefix: a prefix T and all T + l with l
 * behind T. The cores of a prefix are adjacent for all l and their states,
 *
 *     core cell c of T:  | l = 7: 0 | l = 8: 0 | l = 8: 1 | l = 9: 0 | ...
 *
 * so that whole rows are subtracted at once.
 *
 * Variables are given by their places (columns.h). A prefix is counted here up
 * to a place from which on codes are cheaper; since places ascend in states,
 * the subsets of a set that is counted here are counted here, too. */
#ifndef BESTDAG_COUNTS_COUNT_CUBE_H
#define BESTDAG_COUNTS_COUNT_CUBE_H

#include "counts/columns.h"

enum { BESTDAG_CUBE_MOST = 20 }; /* variables in a set */

struct bestdag_count_cube;

/* Uses the places from .. columns->n - 1. */
struct bestdag_count_cube *bestdag_count_cube_new(
    struct bestdag_run *run, const struct bestdag_columns *columns, int from);
void bestdag_count_cube_free(struct bestdag_count_cube *cube);
/* Makes room for the cores of sets of `size`, which must be one more than
 * before; keep false: no larger sets will be requested. */
int bestdag_count_cube_level(struct bestdag_run *run,
                             struct bestdag_count_cube *cube, int size,
                             bool keep);
/* Bytes that bestdag_count_cube_level() would take. */
int64_t bestdag_count_cube_bytes(const struct bestdag_count_cube *cube,
                                 int size);

/* Scratch of one thread. */
struct bestdag_count_cubes;
struct bestdag_count_cubes *bestdag_count_cubes_new(
    struct bestdag_run *run, const struct bestdag_count_cube *cube);
void bestdag_count_cubes_free(struct bestdag_count_cubes *scratch);

/* The tables of prefix + l for all l from the place behind the prefix to `cut`.
 * For cell e of the prefix: total[e] rows, and row[e][z] of them with l in a
 * state other than its last; z numbers the bit columns from first[from] on. */
struct bestdag_prefix_tables {
    int from, cut; /* places of l */
    int cells;
    const int32_t *total;
    int32_t *const *row;
};
int bestdag_count_cubes_count(struct bestdag_count_cubes *scratch,
                              const int *prefix, int count,
                              struct bestdag_prefix_tables *to);

#endif
