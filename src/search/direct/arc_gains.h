/* SPDX-License-Identifier: MIT */
/* arc_gains.h -- the gain of every change of one arc of a network.
 *
 *     gain(v, u) = score of v's family with u added, or dropped if it is a
 *                  parent of v, less its present score
 *
 * Reversing u -> v gains gain(v, u) + gain(u, v). A change of the parents of v
 * changes row v only; rows are cached for graphs that return to earlier
 * parents. Memory: n^2 integers, 32 MB for 2,000 variables, and up to 64 MB of
 * cached rows. If only likely parents are considered
 * (parents/likely_parents.h), a row has one integer for each of these and none
 * is cached; arcs from other parents stay as they are. */
#ifndef BESTDAG_SEARCH_DIRECT_ARC_GAINS_H
#define BESTDAG_SEARCH_DIRECT_ARC_GAINS_H

#include "graph/closure.h"
#include "parents/likely_parents.h"
#include "scores/neighbour_scores.h"
#include "search/direct/gain_cache.h"

/* The gain of a forbidden change. */
#define BESTDAG_NO_GAIN BESTDAG_NO_FAMILY

struct bestdag_arc_gains {
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    const struct bestdag_closure *graph;
    int n;
    int width;       /* average length of a row */
    int max_parents; /* n - 1 if there is no limit */
    const struct bestdag_likely_parents *likely; /* NULL: all */
    size_t *start;   /* owns; [n]: offsets of rows in `gain`; NULL: v * n */
    int64_t *gain;   /* owns; [n * n]: row v; the score of v at (v, v). With
                        likely parents: in the order of their list, then the
                        score */
    int64_t asked;   /* families requested */
    int64_t counted; /* of these, families not in the cache */
    struct bestdag_gain_cache *cache;         /* owns; NULL for likely
                                                 parents */
    struct bestdag_neighbour_scores **worker; /* owns; [threads], one each */
    int threads;
    int *list;    /* owns; [threads * n]: parents of a worker's row */
    int64_t *row; /* owns; [threads * n]: a whole row, for likely parents */
    bool *among;  /* owns; [threads * n]: is it a likely parent? */
    int *wanted;  /* owns; [n]: children whose rows are being computed */
};

/* Computes no row yet. Scorer, graph and likely parents (NULL: all) are
 * borrowed. max_parents -1: no limit. NULL: error. */
struct bestdag_arc_gains *bestdag_arc_gains_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    const struct bestdag_closure *graph,
    const struct bestdag_likely_parents *likely, int max_parents);
void bestdag_arc_gains_free(struct bestdag_arc_gains *gains);
/* Bytes needed, without the cache. */
int64_t bestdag_arc_gains_bytes(int n,
                                const struct bestdag_likely_parents *likely);

/* Computes the rows of these children, each listed once, for the present graph.
 * If the run is stopped meanwhile (bestdag_run_stopped()), the contents of
 * these rows are undefined. */
int bestdag_arc_gains_renew(struct bestdag_arc_gains *gains,
                            const int *children, int count);

static inline int64_t *bestdag_arc_gains_row(const struct bestdag_arc_gains *g,
                                             int child)
{
    return g->gain +
           (g->start ? g->start[child] : (size_t)child * (size_t)g->n);
}

/* The number of other variables in a row, and the i-th of them. */
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

/* The score of a child's family, in units. */
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

/* Columns with one state get no arcs, which would change nothing. */
static inline bool bestdag_arc_gains_is_constant(
    const struct bestdag_arc_gains *g, int v)
{
    return g->scorer->states[v] < 2;
}

/* May a child have another parent? */
static inline bool bestdag_arc_gains_has_room(const struct bestdag_arc_gains *g,
                                              int child)
{
    return g->graph->count[child] < g->max_parents &&
           !bestdag_arc_gains_is_constant(g, child);
}

#endif
