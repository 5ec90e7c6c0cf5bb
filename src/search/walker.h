/* SPDX-License-Identifier: MIT */
/* walker.h -- one searcher in the space of equivalence classes: where it
 * stands, which turns are valid there, and what each would gain.
 *
 * The gain of a turn is a difference of local scores of one or two nodes
 * (Chickering 2002), if the score is the same for all DAGs of a class. Most
 * turns insert an edge between nodes that have nothing to do with each other:
 * their gains are in a table, and a row of it changes only with the parents of
 * a node. */
#ifndef BESTDAG_SEARCH_WALKER_H
#define BESTDAG_SEARCH_WALKER_H

#include "base/random.h"
#include "scores/appraiser.h"
#include "search/operators.h"
#include "search/solver.h"

struct bestdag_walker {
    struct bestdag_run *run;
    struct bestdag_appraiser appraiser;
    struct bestdag_essential *at;      /* owns */
    struct bestdag_validity *validity; /* owns */
    bool watches; /* the run, since it is on the calling thread */
    int n;
    size_t words;
    int64_t
        *plain;    /* owns; [n * n]: at x * n + y, of x as a parent more of y */
    uint64_t *set; /* owns; 3 rows: scratch */
    int64_t score; /* units, of the class; INT64_MIN: it was stopped before it
                      was known */
    int64_t turns; /* made */
    struct bestdag_turn *barred; /* owns; valid, but too many parents: not
                                    again before the next turn */
    int bars, bar_room;
};

int bestdag_walker_init(struct bestdag_run *run, struct bestdag_walker *w,
                        const struct bestdag_appraisal *shared,
                        enum bestdag_testing way);
void bestdag_walker_release(struct bestdag_walker *w);
/* Stands on the class of a DAG; NULL: of the graph without arcs. */
int bestdag_walker_place(struct bestdag_walker *w,
                         const struct bestdag_dag *dag);

/* Calls `see` for every valid turn that gains more than `least`, always in the
 * same order. */
typedef void bestdag_see_fn(void *user, const struct bestdag_turn *turn,
                            int64_t gain);
void bestdag_walker_look(struct bestdag_walker *w, int64_t least,
                         bestdag_see_fn *see, void *user);
/* The one that gains most; false: none gains more than `least`. */
bool bestdag_walker_best(struct bestdag_walker *w, int64_t least,
                         struct bestdag_turn *turn, int64_t *gain);
/* A turn drawn from those that are valid; false: it drew none. */
bool bestdag_walker_draw(struct bestdag_walker *w,
                         struct bestdag_random *random,
                         struct bestdag_turn *turn, int64_t *gain);
/* Makes it. False: it would give a node too many parents and is barred now, or
 * the run failed. */
bool bestdag_walker_make(struct bestdag_walker *w,
                         const struct bestdag_turn *turn, int64_t gain);
/* After the class was moved by hand: brings all up to date. Not OK: failed. */
int bestdag_walker_settle(struct bestdag_walker *w, int64_t gain);
/* Takes the best turn while one gains. How many were made. `path`, if not
 * NULL, is told of each. */
int64_t bestdag_walker_climb(struct bestdag_walker *w, bestdag_see_fn *path,
                             void *user);

/* How classes are tested, by the setting "validity" of the task. */
enum bestdag_testing bestdag_walker_testing(const struct bestdag_task *task);
/* Fails if so many walkers, and `more` bytes beside, do not fit into memory. */
int bestdag_walker_reserve(const struct bestdag_task *task, int walkers,
                           int64_t more);
/* Fails if the score is not the same for all DAGs of a class, or if the start
 * has more parents than are allowed. */
int bestdag_walker_check(const struct bestdag_task *task);

#endif
