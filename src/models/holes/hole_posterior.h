/* SPDX-License-Identifier: MIT */
/* hole_posterior.h -- the posterior of the holes of a row, given its values. */
#ifndef BESTDAG_MODELS_HOLES_HOLE_POSTERIOR_H
#define BESTDAG_MODELS_HOLES_HOLE_POSTERIOR_H

#include "models/holes/hole_rows.h"
#include "network/network.h"

/* Holes that share a family are dependent given the row's values. A component
 * is a connected component of that relation; different components are
 * independent. */
struct bestdag_hole_component {
    int first, holes;     /* plan->hole[first ..] */
    int family, families; /* plan->family[family ..]: those with a hole of the
                             component */
    int64_t cells;        /* joint states of its holes; -1: too many to list */
};

/* A factor: the table of a variable, restricted to the row's values. */
struct bestdag_hole_family {
    int child, component;
    int open;     /* members that are holes */
    int place;    /* of these members in plan->member */
    int64_t base; /* offset in its table that the members with values give */
};

struct bestdag_open_member {
    int hole;       /* which of the component's */
    int64_t stride; /* in the table */
};

/* For one pattern of holes and one structure; the base of families is that of
 * one row. Used by one thread. */
struct bestdag_hole_plan {
    const struct bestdag_network *network;
    int n;
    uint64_t pattern; /* hash; valid if has_pattern */
    bool has_pattern;
    int *child, *child_start; /* own: children of each variable */
    int holes, components, families;
    int *hole;  /* owns; [n]: by component, ascending within */
    int *place; /* owns; [n]: place of a variable in `hole`; -1: has a value */
    int *root;  /* owns; [n]: scratch */
    bool *listed;                             /* owns; [n]: scratch */
    struct bestdag_hole_component *component; /* owns; [n] */
    struct bestdag_hole_family *family;       /* owns; [n] */
    struct bestdag_open_member *member;       /* owns; [arcs + n] */
    double *cell; /* owns; [most_cells]: posterior of one component */
    int64_t most_cells;
};

int bestdag_hole_plan_new(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          int64_t most_cells, struct bestdag_hole_plan *to);
void bestdag_hole_plan_release(struct bestdag_hole_plan *plan);
/* Sets the plan to a row. If the pattern is that of the row before, only the
 * values change. */
void bestdag_hole_plan_set(struct bestdag_hole_plan *plan, const uint16_t *row,
                           uint64_t pattern);
/* plan->cell becomes the joint posterior of a component's holes, the last hole
 * fastest. Returns ln of the sum of the products: -infinity if the row is
 * impossible, and then the cells are 0. cells must not be -1. */
double bestdag_hole_plan_enumerate(struct bestdag_hole_plan *plan, int which);

#endif
