/* SPDX-License-Identifier: MIT */
/* linked_rows.h -- inside a block: rows that its constraints connect, solved
 * together.
 *
 * Entries are local: row * states + state. Constraints are dense here. */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_LINKED_ROWS_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_LINKED_ROWS_H

#include "constraints/parameters/block.h"
#include "constraints/parameters/interior_point.h"

enum bestdag_linked_rows_kind {
    BESTDAG_PIECE_FREE,  /* one row, no constraint: frequencies */
    BESTDAG_PIECE_CHAIN, /* two states, rows in rising order: pooled */
    BESTDAG_PIECE_PAIR,  /* two rows in stochastic order: pooled */
    BESTDAG_PIECE_RANGE, /* one row of two states, linear: cut off */
    BESTDAG_PIECE_GENERAL
};

struct bestdag_sphere {
    int row;
    double most;
    double *centre; /* owns; [states] */
};

struct bestdag_linked_rows {
    int states, rows, n;
    enum bestdag_linked_rows_kind kind;
    int uppers, upper_room; /* <= */
    double *upper;          /* owns; [uppers * (n + 1)], the bound last */
    int equals, equal_room;
    double *equal; /* owns; the same for = */
    int spheres;
    int64_t sphere_room;
    struct bestdag_sphere *sphere; /* owns */
    int convexes;
    int64_t convex_room;
    struct bestdag_convex *convex; /* owns, with the entries: local */
    int *order; /* owns; CHAIN: rows from low to high; PAIR: the states, after
                   the low and the high row */

    /* After settling, of kinds RANGE and GENERAL: theta = centre + basis y. */
    int dim;
    double *centre;   /* owns; [n]: a point inside all constraints */
    double *basis;    /* owns; [n * dim] */
    bool *is_zero;    /* owns; [n]: the constraints make it 0 */
    int bounds;       /* entries that are not; then come linear constraints */
    int inside;       /* rows of these two */
    double *row;      /* owns; [inside * dim] */
    double *limit;    /* owns; [inside] */
    int rounds;       /* spheres that are not a point */
    int *round;       /* owns; [rounds]: their numbers */
    double *distance; /* owns; [rounds * states]: centre - sphere's centre */
    double ease;      /* tolerance of convex functions above 0 */
};

int bestdag_linked_rows_init(struct bestdag_run *run,
                             struct bestdag_linked_rows *p, int states,
                             int rows);
void bestdag_linked_rows_release(struct bestdag_linked_rows *p);
/* A new row of zeros, n + 1 long; NULL: memory failed. */
double *bestdag_linked_rows_upper(struct bestdag_run *run,
                                  struct bestdag_linked_rows *p);
double *bestdag_linked_rows_equal(struct bestdag_run *run,
                                  struct bestdag_linked_rows *p);

/* Determines the kind; FREE, CHAIN and PAIR need no settling. */
int bestdag_linked_rows_sort(struct bestdag_run *run,
                             struct bestdag_linked_rows *p);
/* Finds an interior point: see phase_one.c. */
int bestdag_linked_rows_settle(struct bestdag_run *run,
                               struct bestdag_linked_rows *p, bool *feasible);

/* A convex function as one of v: theta = origin + basis v. */
struct bestdag_bend {
    const struct bestdag_convex *convex;
    int dim;                      /* of v that theta depends on */
    const double *origin, *basis; /* [n], [n * dim] */
    double last; /* of v[dim]; only if it is not 0, v has one more */
    double ease;
    double *gathered; /* [2 * convex->count] */
};
double bestdag_bend_value(const void *bend, const double *v, double *gradient);
/* The function at a point; scratch: [2 * convex->count]. */
double bestdag_convex_value(const struct bestdag_convex *convex,
                            const double *theta, double *scratch);

size_t bestdag_linked_rows_room(const struct bestdag_linked_rows *p);
/* counts and theta are local; the loss is not computed. */
enum bestdag_block_end bestdag_linked_rows_solve(
    const struct bestdag_linked_rows *p, const double *counts, double *theta,
    double *scratch);

#endif
