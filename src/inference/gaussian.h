/* SPDX-License-Identifier: MIT */
/* gaussian.h -- joint normals defined by linear equations, given observations.
 *
 * A joint normal of n numbers is a mean and a covariance matrix. Numbers are
 * added in topological order, each by its regression on earlier ones;
 * conditioning works in place: observed numbers keep their index, with their
 * value as mean and variance 0. To condition again, keep a copy.
 *
 *     struct bestdag_gaussian g;
 *     bestdag_gaussian_init(run, &g, 2);
 *     bestdag_gaussian_add(&g, &(struct bestdag_gaussian_term){.sd = 1});
 *     ... x1 = 3 + 2 x0 + 0.5 normal ...
 *     bestdag_gaussian_condition(run, &g, (double[]){NAN, 4}, &ln_density);
 *     g.mean[0], g.covariance[0]
 *
 * Everything is plain double; covariances are symmetric to the last bit. */
#ifndef BESTDAG_INFERENCE_GAUSSIAN_H
#define BESTDAG_INFERENCE_GAUSSIAN_H

#include "network/regression.h"

struct bestdag_gaussian {
    int n, room;
    double *mean;       /* owns; [room] */
    double *covariance; /* owns; [room * room], rows of `room` */
};

/* Room for `room` numbers, none yet. Release also on failure. */
int bestdag_gaussian_init(struct bestdag_run *run, struct bestdag_gaussian *g,
                          int room);
void bestdag_gaussian_release(struct bestdag_gaussian *g);
/* `to` has the same room. */
void bestdag_gaussian_copy(const struct bestdag_gaussian *from,
                           struct bestdag_gaussian *to);

/* intercept + coefficient[i] * number parent[i] + sd * a standard normal */
struct bestdag_gaussian_term {
    double intercept, sd;
    const int *parent; /* earlier numbers */
    const double *coefficient;
    int count;
};
/* Adds a number, whose index is the old n. Time O(n * count). */
void bestdag_gaussian_add(struct bestdag_gaussian *g,
                          const struct bestdag_gaussian_term *term);

/* value[n]; NaN: not observed. *ln_density is that of the observed numbers;
 * -INFINITY: they are impossible, and g is undefined. A number that other
 * observed ones determine (up to rounding) adds nothing to the density if it
 * agrees with them, and is impossible if not. Time O(k^3 + k^2 n + k n^2) for k
 * observed numbers. */
int bestdag_gaussian_condition(struct bestdag_run *run,
                               struct bestdag_gaussian *g, const double *value,
                               double *ln_density);

/* The joint normal of some numbers of a network, `member` in topological order,
 * in the configuration state[] of the variables with states (by number in the
 * network). A parent whose value[] is known (not NaN) is a constant, also where
 * it is a member itself; all others are members. place[v] becomes the index of
 * member v. The caller conditions on the values of members. */
struct bestdag_gaussian_part {
    const struct bestdag_network *network;
    const int *member;
    int members;
    const int *state;
    const double *value;
    int *place;
};
/* g has room for the members. Fails if numbers overflow. */
int bestdag_gaussian_of(struct bestdag_run *run,
                        const struct bestdag_gaussian_part *part,
                        struct bestdag_gaussian *g);
/* The number of the configuration of v's parents with states. */
int64_t bestdag_gaussian_configuration(const struct bestdag_network *network,
                                       int v, const int *state);

#endif
