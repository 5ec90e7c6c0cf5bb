/* SPDX-License-Identifier: MIT */
/* class_moves.h -- an equivalence class of DAGs as the state of a search: its
 * CPDAG, one of its DAGs, and data that make tests of moves cheap.
 *
 * All nodes of an undirected component have the same parents; hashes tell
 * whether two nodes do. Moves edit the CPDAG; the result is extended to a DAG
 * and completed to a CPDAG again (Chickering 2002). */
#ifndef BESTDAG_GRAPH_CLASS_MOVES_H
#define BESTDAG_GRAPH_CLASS_MOVES_H

#include "graph/pdag.h"

/* Rules about single arcs, and an order. A class obeys them if one of its DAGs
 * does. Rows of n bits per variable. */
struct bestdag_class_rules {
    const uint64_t *allowed;    /* possible parents */
    const uint64_t *required;   /* required parents */
    struct bestdag_order order; /* before NULL: no order */
};

struct bestdag_equivalence_class {
    int n;
    size_t words;
    struct bestdag_pdag *pdag;   /* owns; the CPDAG */
    struct bestdag_pdag *before; /* owns; CPDAG before the last move, or NULL */
    struct bestdag_dag *dag;     /* owns; a member of the class that obeys the
                                    rules */
    const struct bestdag_class_rules *rules; /* borrowed; NULL: none */
    uint64_t *changed; /* owns; a row: nodes whose edges the last move
                          changed */
    uint64_t *hash;    /* owns; [n]: hash of the parents */
};

/* The class of a DAG; NULL: of the empty graph. */
struct bestdag_equivalence_class *bestdag_equivalence_class_new(
    struct bestdag_run *run, int n, const struct bestdag_dag *dag);
void bestdag_equivalence_class_free(struct bestdag_equivalence_class *e);

static inline const uint64_t *bestdag_equivalence_class_row(
    const struct bestdag_equivalence_class *e, const uint64_t *rows, int v)
{
    return rows + (size_t)v * e->words;
}

static inline bool bestdag_equivalence_class_same_parents(
    const struct bestdag_equivalence_class *e, int x, int y)
{
    return e->hash[x] == e->hash[y];
}

static inline uint64_t bestdag_equivalence_class_adjacent(
    const struct bestdag_equivalence_class *e, int v, size_t word)
{
    size_t at = (size_t)v * e->words + word;
    return e->pdag->parents[at] | e->pdag->children[at] |
           e->pdag->neighbours[at];
}

static inline bool bestdag_equivalence_class_are_adjacent(
    const struct bestdag_equivalence_class *e, int x, int y)
{
    return bestdag_equivalence_class_adjacent(e, x, (size_t)y / 64) >>
               (y % 64) &
           1;
}

/* A copy of the CPDAG, to be edited. NULL: error. */
struct bestdag_pdag *bestdag_equivalence_class_draft(
    struct bestdag_run *run, const struct bestdag_equivalence_class *e);
/* Takes over an edited copy and moves to the class of its consistent
 * extensions. False: there is none, or none that obeys the rules, or a node
 * would have more than `most` parents, and nothing has changed; or an error. */
bool bestdag_class_move(struct bestdag_run *run,
                        struct bestdag_equivalence_class *e,
                        struct bestdag_pdag *draft, int most);

/* A DAG of the class of this CPDAG that obeys the rules; NULL: none, or an
 * error. */
struct bestdag_dag *bestdag_class_obeying(
    struct bestdag_run *run, const struct bestdag_pdag *pdag,
    const struct bestdag_class_rules *rules);

#endif
