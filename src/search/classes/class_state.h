/* SPDX-License-Identifier: MIT */
/* class_state.h -- the state of a search over equivalence classes: the class,
 * which moves are valid there, and what each would gain.
 *
 * The gain of a move is a difference of local scores of one or two
 * nodes (Chickering 2002), if the score is the same for all DAGs of a class.
 * Most moves insert an edge between nodes that have nothing to do with each
 * other: their gains are in a table, and a row of it changes only with the
 * parents of a node. */
#ifndef BESTDAG_SEARCH_CLASSES_CLASS_STATE_H
#define BESTDAG_SEARCH_CLASSES_CLASS_STATE_H

#include "base/random.h"
#include "scores/cached_scorer.h"
#include "search/classes/class_rules.h"

struct bestdag_class_state {
    struct bestdag_run *run;
    struct bestdag_cached_scorer appraiser;
    struct bestdag_equivalence_class *at;     /* owns */
    struct bestdag_operator_tests *validity;  /* owns */
    const struct bestdag_search_rules *rules; /* borrowed; NULL: none */
    bool watches; /* the run, since it is on the calling thread */
    int n;
    size_t words;
    int64_t
        *plain;    /* owns; [n * n]: at x * n + y, of x as a parent more of y */
    uint64_t *set; /* owns; 3 rows: scratch */
    int64_t score; /* units, of the class; INT64_MIN: it was stopped before it
                      was known */
    int64_t moves; /* made */
    struct bestdag_operation *barred; /* owns; valid, but too many parents or
                                    against the rules: not again before the
                                    next move */
    int bars;
    int64_t bar_room;
};

int bestdag_class_state_init(struct bestdag_run *run,
                             struct bestdag_class_state *w,
                             const struct bestdag_shared_scores *shared,
                             enum bestdag_validity_test way);
void bestdag_class_state_release(struct bestdag_class_state *w);
/* Stands on the class of a DAG, which obeys the rules; NULL: of the graph
 * without arcs, or of what the rules require. The score is BESTDAG_NO_FAMILY if
 * a family has none, or the run was stopped before all were scored: then no
 * search may start from here. */
int bestdag_class_state_place(struct bestdag_class_state *w,
                              const struct bestdag_dag *dag);

/* Calls `visit` for every valid move that gains more than `least`, always in
 * the same order. */
typedef void bestdag_visit_move_fn(void *user,
                                   const struct bestdag_operation *move,
                                   int64_t gain);
void bestdag_class_state_look(struct bestdag_class_state *w, int64_t least,
                              bestdag_visit_move_fn *visit, void *user);
/* The one that gains most; false: none gains more than `least`. */
bool bestdag_class_state_best(struct bestdag_class_state *w, int64_t least,
                              struct bestdag_operation *move, int64_t *gain);
/* A move drawn from those that are valid; false: it drew none. */
bool bestdag_class_state_draw(struct bestdag_class_state *w,
                              struct bestdag_random *random,
                              struct bestdag_operation *move, int64_t *gain);
/* Makes it. False: it would give a node too many parents, or breaks a rule, and
 * is barred now; or the run failed. */
bool bestdag_class_state_make(struct bestdag_class_state *w,
                              const struct bestdag_operation *move,
                              int64_t gain);
/* After the class was moved by hand: brings all up to date. Not OK: failed. */
int bestdag_class_state_settle(struct bestdag_class_state *w, int64_t gain);
/* Takes the best move while one gains. How many were made. `path`, if not
 * NULL, is called for each. */
int64_t bestdag_class_state_climb(struct bestdag_class_state *w,
                                  bestdag_visit_move_fn *path, void *user);

/* How classes are tested, by the setting "validity" of the task. */
enum bestdag_validity_test bestdag_class_state_testing(
    const struct bestdag_task *task);
/* Fails if this many search states, and `more` bytes beside, do not fit into
 * memory. */
int bestdag_class_state_reserve(const struct bestdag_task *task, int states,
                                int64_t more);
/* Fails if the score is not the same for all DAGs of a class, if the start has
 * more parents than are allowed, or if rules say what is not taken; *to are
 * those that are, which the caller frees. */
int bestdag_class_state_check(const struct bestdag_task *task,
                              struct bestdag_search_rules **to);

#endif
