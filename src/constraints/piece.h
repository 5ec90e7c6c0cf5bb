/* SPDX-License-Identifier: MIT */
/* piece.h -- inside a block: rows that its constraints connect, solved
 * together.
 *
 * Entries are local: row * states + state. Constraints are dense here. */
#ifndef BESTDAG_CONSTRAINTS_PIECE_H
#define BESTDAG_CONSTRAINTS_PIECE_H

#include "constraints/block.h"
#include "constraints/interior.h"

enum bestdag_piece_kind {
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

struct bestdag_piece {
    int states, rows, n;
    enum bestdag_piece_kind kind;
    int uppers, upper_room; /* <= */
    double *upper;          /* owns; [uppers * (n + 1)], the bound last */
    int equals, equal_room;
    double *equal; /* owns; the same for = */
    int spheres, sphere_room;
    struct bestdag_sphere *sphere; /* owns */
    int convexes, convex_room;
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
    double ease;      /* what convex functions may exceed 0 by */
};

int bestdag_piece_init(struct bestdag_run *run, struct bestdag_piece *p,
                       int states, int rows);
void bestdag_piece_release(struct bestdag_piece *p);
/* A new row of zeros, n + 1 long; NULL: memory failed. */
double *bestdag_piece_upper(struct bestdag_run *run, struct bestdag_piece *p);
double *bestdag_piece_equal(struct bestdag_run *run, struct bestdag_piece *p);

/* Finds out which kind it is; FREE, CHAIN and PAIR need no settling. */
int bestdag_piece_sort(struct bestdag_run *run, struct bestdag_piece *p);
/* Finds a point inside: see foothold.c. */
int bestdag_piece_settle(struct bestdag_run *run, struct bestdag_piece *p,
                         bool *feasible);

/* A convex function as a curve over v: theta = origin + basis v. */
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

size_t bestdag_piece_room(const struct bestdag_piece *p);
/* counts and theta are local; loss is not found. */
enum bestdag_block_end bestdag_piece_solve(const struct bestdag_piece *p,
                                           const double *counts, double *theta,
                                           double *scratch);

#endif
