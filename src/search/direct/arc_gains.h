/* SPDX-License-Identifier: MIT */
/* arc_gains.h -- what every change of one arc would do to the score of a
 * network.
 *
 *     gain(v, u) = score of v's family with u added, or dropped if it is a
 *                  parent of v, less the score as it is
 *
 * Reversing u -> v gains gain(v, u) + gain(u, v). A change of the parents
 * of v changes row v alone; rows that were left and come back are remembered.
 * Memory: n^2 whole numbers, 32 MB for 2,000 variables, and as much as 64 MB
 * of remembered rows. Where only likely parents are looked at
 * (parents/likely_parents.h), a row has a number for each of these alone and
 * none is remembered; arcs from others stay as they are. */
#ifndef BESTDAG_SEARCH_DIRECT_ARC_GAINS_H
#define BESTDAG_SEARCH_DIRECT_ARC_GAINS_H

#include "graph/closure.h"
#include "parents/likely_parents.h"
#include "scores/neighbour_scores.h"
#include "search/direct/gain_cache.h"

/* As a gain: this is not allowed. */
#define BESTDAG_NO_GAIN BESTDAG_NO_FAMILY

struct bestdag_arc_gains {
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    const struct bestdag_closure *graph;
    int n;
    int width;       /* of a row, on average */
    int max_parents; /* n - 1 if there is no limit */
    const struct bestdag_likely_parents *likely; /* NULL: all */
    size_t *start; /* owns; [n]: of a row in `gain`; NULL: v * n */
    int64_t *gain; /* owns; [n * n]: row v; at (v, v) the score of v. Of likely
                      parents, as they are listed, and then the score of v */
    int64_t asked; /* families whose score was wanted */
    int64_t counted; /* of these, those that were not remembered */
    struct bestdag_gain_cache *cache;         /* owns; NULL: of likely ones */
    struct bestdag_neighbour_scores **worker; /* owns; [threads], one each */
    int threads;
    int *list;    /* owns; [threads * n]: parents of the row a worker is at */
    int64_t *row; /* owns; [threads * n]: all of a row, of likely ones */
    bool *among;  /* owns; [threads * n]: is it a likely one? */
    int *wanted;  /* owns; [n]: rows that are being computed */
};

/* No row is computed yet. Scorer, graph and likely parents (NULL: all) stay the
 * caller's. max_parents -1: no limit. NULL: failed. */
struct bestdag_arc_gains *bestdag_arc_gains_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    const struct bestdag_closure *graph,
    const struct bestdag_likely_parents *likely, int max_parents);
void bestdag_arc_gains_free(struct bestdag_arc_gains *gains);
/* Bytes that it takes at least. */
int64_t bestdag_arc_gains_bytes(int n,
                                const struct bestdag_likely_parents *likely);

/* Computes the rows of these children, each listed once, from the graph as it
 * is. If the run is stopped meanwhile (bestdag_run_stopped()) rows of the list
 * are as they were, done, or neither. */
int bestdag_arc_gains_renew(struct bestdag_arc_gains *gains,
                            const int *children, int count);

static inline int64_t *bestdag_arc_gains_row(const struct bestdag_arc_gains *g,
                                             int child)
{
    return g->gain +
           (g->start ? g->start[child] : (size_t)child * (size_t)g->n);
}

/* How many others a row is about, and the i-th of them. */
static inline int bestdag_arc_gains_others(const struct bestdag_arc_gains *g,
                                           int child)
{
    return g->likely ? g->likely->count[child] : g->n;
}
static inline int bestdag_arc_gains_other(const struct bestdag_arc_gains *g,
                                          int child, int i)
{
    return g->likely ? g->likely->at[child][i] : i;
}

/* Units: the score of a child's family. */
static inline int64_t bestdag_arc_gains_score(const struct bestdag_arc_gains *g,
                                              int child)
{
    return bestdag_arc_gains_row(
        g, child)[g->likely ? g->likely->count[child] : child];
}

static inline int64_t bestdag_gain(const struct bestdag_arc_gains *g, int child,
                                   int other)
{
    int at = g->likely ? bestdag_likely_parents_find(g->likely, child, other)
                       : other;
    return at < 0 ? BESTDAG_NO_GAIN : bestdag_arc_gains_row(g, child)[at];
}

/* A column of one state stays without arcs, which would change nothing. */
static inline bool bestdag_arc_gains_is_constant(
    const struct bestdag_arc_gains *g, int v)
{
    return g->scorer->states[v] < 2;
}

/* May a child have one parent more? */
static inline bool bestdag_arc_gains_has_room(const struct bestdag_arc_gains *g,
                                              int child)
{
    return g->graph->count[child] < g->max_parents &&
           !bestdag_arc_gains_is_constant(g, child);
}

#endif
