/* SPDX-License-Identifier: MIT */
/* class_state.h -- the state of a search over equivalence classes: the class,
 * its valid moves, and their gains.
 *
 * The gain of a move is a difference of local scores of one or two nodes
 * (Chickering 2002), if the score is the same for all DAGs of a class. Most
 * moves insert an edge between unrelated nodes: their gains are in a table, of
 * which a row changes only with the parents of a node. */
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
    bool watches; /* it watches the run: it is on the calling thread */
    int n;
    size_t words;
    int64_t *plain; /* owns; [n * n]: at x * n + y, the gain of x as an
                       additional parent of y */
    uint64_t *set;  /* owns; 3 rows: scratch */
    int64_t score;  /* of the class, in units; BESTDAG_NO_FAMILY: unknown, see
                       bestdag_class_state_place() */
    int64_t moves;  /* made */
    struct bestdag_operation *barred; /* owns; valid, but with too many parents
                                         or against the rules: excluded until
                                         the next move */
    int bars;
    int64_t bar_room;
};

int bestdag_class_state_init(struct bestdag_run *run,
                             struct bestdag_class_state *w,
                             const struct bestdag_shared_scores *shared,
                             enum bestdag_validity_test way);
void bestdag_class_state_release(struct bestdag_class_state *w);
/* Moves to the class of a DAG that obeys the rules; NULL: of the required arcs,
 * if any. The score is BESTDAG_NO_FAMILY if a family has none, or if the run
 * was stopped before all were scored: then no search may start here. */
int bestdag_class_state_place(struct bestdag_class_state *w,
                              const struct bestdag_dag *dag);

/* Calls `visit` for every valid move that gains more than `least`, in a fixed
 * order. */
typedef void bestdag_visit_move_fn(void *user,
                                   const struct bestdag_operation *move,
                                   int64_t gain);
void bestdag_class_state_look(struct bestdag_class_state *w, int64_t least,
                              bestdag_visit_move_fn *visit, void *user);
/* The move that gains most; false: none gains more than `least`. */
bool bestdag_class_state_best(struct bestdag_class_state *w, int64_t least,
                              struct bestdag_operation *move, int64_t *gain);
/* A random valid move; false: it found none. */
bool bestdag_class_state_draw(struct bestdag_class_state *w,
                              struct bestdag_random *random,
                              struct bestdag_operation *move, int64_t *gain);
/* Makes a move. False: it would give a node too many parents or break a rule,
 * and is excluded now; or an error. */
bool bestdag_class_state_make(struct bestdag_class_state *w,
                              const struct bestdag_operation *move,
                              int64_t gain);
/* To be called after the class was changed directly: updates gains and
 * tests. */
int bestdag_class_state_settle(struct bestdag_class_state *w, int64_t gain);
/* Makes the best move while one gains; returns how many. `path`, if not NULL,
 * is called for each. */
int64_t bestdag_class_state_climb(struct bestdag_class_state *w,
                                  bestdag_visit_move_fn *path, void *user);

/* How moves are tested, from the setting "validity". */
enum bestdag_validity_test bestdag_class_state_testing(
    const struct bestdag_task *task);
/* Fails if this many search states, and `more` bytes, do not fit into
 * memory. */
int bestdag_class_state_reserve(const struct bestdag_task *task, int states,
                                int64_t more);
/* Fails if the score differs between DAGs of a class, if the start has too many
 * parents, or if there are unsupported rules; *to: the rules, freed by the
 * caller. */
int bestdag_class_state_check(const struct bestdag_task *task,
                              struct bestdag_search_rules **to);

#endif
