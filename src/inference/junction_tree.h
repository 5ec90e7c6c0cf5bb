/* SPDX-License-Identifier: MIT */
/* junction_tree.h -- factors compiled into a junction tree; immutable. */
#ifndef BESTDAG_INFERENCE_JUNCTION_TREE_H
#define BESTDAG_INFERENCE_JUNCTION_TREE_H

#include "inference/triangulation.h"

enum { BESTDAG_MOST_AXES = 64 }; /* in a table of at most 2^40 numbers */

/* A product of factors over variables 0 .. n - 1. A factor is row-major, the
 * last variable of its scope changes fastest. */
struct bestdag_potential {
    int count;
    const int *scope;   /* [count] */
    const double *cell; /* borrowed */
    int head; /* the variable whose conditional probability it is; -1: none */
};

struct bestdag_potentials {
    int n, count;
    const int *states;                    /* [n] */
    const struct bestdag_potential *item; /* [count] */
    const bool *cut; /* [n]: fixed to a given state, and in no clique; variables
                        of one state must be cut */
};

struct bestdag_tree_factor {
    int axes;        /* without cut variables */
    int *axis;       /* in the clique: ascending; [axes] */
    int64_t *stride; /* [axes] */
    int cuts;
    int *cut;            /* [cuts]: variables */
    int64_t *cut_stride; /* [cuts] */
    int64_t cell;        /* where its numbers begin */
    int head;
};

/* Children have smaller numbers than parents. */
struct bestdag_clique {
    int parent;     /* -1: a root */
    int axes;       /* variables, slowest first */
    int separator;  /* the first `separator` axes are shared with the parent */
    int *axis;      /* [axes] */
    int *in_parent; /* [separator]: the same variables' axes in the parent */
    int *factor;    /* [factors] */
    int *child;     /* [children] */
    int *home;      /* [homes]: variables whose evidence enters here */
    int *placed;    /* [placings]: variables whose marginals are read from this
                       table */
    int *placed_up; /* [placings_up]: from this separator */
    int factors, children, homes, placings, placings_up;
    int64_t cells, separator_cells;
    int64_t message; /* where its messages begin; roots: one number */
    bool unit;       /* without evidence below, what it sends up is 1 */
    bool hub;     /* messages to its children are made together, by division */
    bool divided; /* below a hub: the message from its parent depends on
                     all evidence */
};

struct bestdag_junction_tree {
    int n;
    int *states; /* owns; [n] */
    bool *cut;   /* owns; [n] */
    int cliques;
    struct bestdag_clique *clique;      /* owns */
    struct bestdag_tree_factor *factor; /* owns */
    int factors;
    double *linear, *logarithm; /* owns; numbers of all factors, and their ln */
    int64_t numbers;
    int *home;          /* owns; [n]: clique; -1: cut */
    int *place;         /* owns; [n]: clique that the marginal is read from */
    bool *place_shared; /* owns; [n]: from its separator */
    int *containing;  /* owns; cliques of each variable, one after the other */
    int *first;       /* owns; [n + 1]: where those of a variable begin */
    int64_t messages; /* numbers in all messages of one direction */
    int64_t total, largest; /* numbers in all tables; in the largest */
    double work;            /* multiplications for all marginals */
    int operands;  /* most factors and messages in the product of one table */
    int widest;    /* most states of a variable */
    int *int_room; /* owns: what the cliques point into */
    int64_t *long_room;
};

/* NULL: failed. The order must be one of the graph of the factors. */
struct bestdag_junction_tree *bestdag_junction_tree_new(
    struct bestdag_run *run, const struct bestdag_potentials *potentials,
    const struct bestdag_interaction *graph,
    const struct bestdag_triangulation *order);
void bestdag_junction_tree_free(struct bestdag_junction_tree *tree);
/* The graph of the factors without cut variables, which stay as variables
 * without neighbours. */
int bestdag_potentials_graph(struct bestdag_run *run,
                             const struct bestdag_potentials *potentials,
                             struct bestdag_interaction *to);

#endif
