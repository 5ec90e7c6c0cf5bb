/* SPDX-License-Identifier: MIT */
/* operators.h -- Chickering's six operators on CPDAGs, and their validity.
 *
 * N are undirected neighbours, P parents, C children; Nxy is the intersection
 * of Nx and Ny, Oxy that of Px and Ny.
 *
 *   InsertU x - y        every undirected path x .. y meets Nxy, and Px = Py
 *   DeleteU x - y        Nxy is a clique
 *   InsertD x -> y       every semi-directed path y .. x meets Oxy, Oxy is a
 *                        clique, and Px != Py
 *   DeleteD x -> y       Ny is a clique
 *   ReverseD x -> y      every other semi-directed path x .. y meets Oyx or Ny,
 *                        and Oyx is a clique
 *   MakeV x -> z <- y    of x - z - y: every undirected path x .. y meets Nxy
 *
 * Valid moves are rows of bits: row (o, x) has the y for which o is valid; for
 * InsertU and InsertD without the comparison of parents, which is made by two
 * hashes when needed. There are three ways to compute the rows, with equal
 * results (Daly and Shen 2007, with their tables corrected):
 *
 *   full        every y is tested
 *   restricted  only those near x are; the others follow from what can
 *               be reached from x
 *   cached      as restricted, and only rows that the last move can have
 *               changed */
#ifndef BESTDAG_SEARCH_CLASSES_OPERATORS_H
#define BESTDAG_SEARCH_CLASSES_OPERATORS_H

#include "graph/class_moves.h"

enum bestdag_operator {
    BESTDAG_INSERT_U,
    BESTDAG_DELETE_U,
    BESTDAG_INSERT_D,
    BESTDAG_DELETE_D,
    BESTDAG_REVERSE_D,
    BESTDAG_MAKE_V,
    BESTDAG_OPERATORS
};

enum bestdag_validity_test { BESTDAG_FULL, BESTDAG_RESTRICTED, BESTDAG_CACHED };

struct bestdag_operator_tests {
    int n;
    size_t words;
    enum bestdag_validity_test way;
    uint64_t *row;       /* owns; [OPERATORS * n] rows */
    uint64_t *fresh;     /* owns; [OPERATORS] rows: x whose row is current */
    uint64_t *scratch;   /* owns; 4 rows */
    int *queue;          /* owns; [n] */
    int64_t made, saved; /* tests made; tests not needed */
};

struct bestdag_operator_tests *bestdag_operator_tests_new(
    struct bestdag_run *run, int n, enum bestdag_validity_test way);
void bestdag_operator_tests_free(struct bestdag_operator_tests *v);
/* Marks all rows as stale: the search has moved elsewhere. */
void bestdag_operator_tests_forget(struct bestdag_operator_tests *v);
/* To be called after a move. */
void bestdag_operator_tests_update(struct bestdag_operator_tests *v,
                                   const struct bestdag_equivalence_class *e);
/* The row (o, x), computed if it is stale. */
const uint64_t *bestdag_operator_tests_row(
    struct bestdag_operator_tests *v, const struct bestdag_equivalence_class *e,
    enum bestdag_operator o, int x);
/* One test by the table above, including parents. For MakeV without z, which
 * must be a neighbour of both. */
bool bestdag_operator_is_valid(struct bestdag_operator_tests *v,
                               const struct bestdag_equivalence_class *e,
                               enum bestdag_operator o, int x, int y);

/* Is there a semi-directed path (each edge undirected or forward) that avoids a
 * row? */
bool bestdag_operator_tests_has_path(struct bestdag_operator_tests *v,
                                     const struct bestdag_equivalence_class *e,
                                     int from, int to, const uint64_t *avoid);

struct bestdag_operation {
    enum bestdag_operator operation;
    int x, y, z; /* z of MakeV, else -1 */
};

/* Applies the move to the CPDAG; false: see bestdag_class_move(). */
bool bestdag_operation_apply(struct bestdag_run *run,
                             struct bestdag_equivalence_class *e,
                             const struct bestdag_operation *move, int most);

#endif
