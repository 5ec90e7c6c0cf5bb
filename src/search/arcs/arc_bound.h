/* SPDX-License-Identifier: MIT */
/* arc_bound.h -- decisions about arcs, and lower bounds under them.
 *
 * Decisions require or forbid an arc, put one variable before another, or limit
 * a variable's number of parents. Each variable then chooses the first set of
 * its list that they allow. Required arcs are closed transitively: if they lead
 * from u to v, no arc goes from v to u. All decisions can be undone.
 *
 * A bound is a lower bound on the cost of all networks under the decisions. Its
 * rows:
 *
 *   simple    each variable chooses on its own; cycles are ignored (de Campos,
 *             Zeng and Ji 2009)
 *   patterns  variables are in groups of at most 6 and choose together with
 *             those of their group, without a cycle among them
 *   cluster   multipliers of cluster constraints (bounds/relaxation.h), with
 *             dual ascent again at each node
 *
 * A new row is one file and one line in arc_bound.c. */
#ifndef BESTDAG_SEARCH_ARCS_ARC_BOUND_H
#define BESTDAG_SEARCH_ARCS_ARC_BOUND_H

#include "base/row.h"
#include "problem/problem.h"

struct bestdag_arc_state;

/* A cluster whose multiplier is paid for more members than its constraint
 * requires: each of these children has too few parents in it. */
enum { BESTDAG_SLACK = 4 };
struct bestdag_slack {
    int child[BESTDAG_SLACK], children;
    const int32_t *member; /* [size] */
    int size;
};

struct bestdag_arc_bound_row {
    const char *name, *help;
    /* Sets *data, which any number of threads may read, and *room, the words of
     * a state that the row needs. NULL: nothing to do. */
    int (*make)(struct bestdag_run *run, const struct bestdag_problem *problem,
                void **data, size_t *room);
    void (*drop)(void *data);
    /* Strengthens the bound under the rules alone; networks that cost `limit`
     * or more are ignored. Threads enter afterwards, and leave before it is
     * called again with a lower limit. NULL: nothing to do. */
    int (*prepare)(void *data, const struct bestdag_arc_state *m,
                   int64_t limit);
    /* Data of one thread, m->mine; may be NULL. NULL: nothing to do. */
    void *(*enter)(struct bestdag_run *run, const void *data);
    void (*leave)(void *mine);
    /* The bound after decisions about changed[count], whose sets are chosen.
     * problem->none: no network is left. */
    int64_t (*update)(const void *data, struct bestdag_arc_state *m,
                      const int *changed, int count);
    /* Raises the bound of a settled state with more effort, for this state and
     * later decisions; networks that cost `limit` or more are ignored from now
     * on. It may make implied decisions. False: no network is left, or an
     * error. NULL: nothing to do. */
    bool (*tighten)(const void *data, struct bestdag_arc_state *m,
                    int64_t limit);
    /* The cheapest sets that are left, or those whose cost is the bound: if
     * they are a network that obeys the rules, no other one left is cheaper. */
    void (*choose)(const void *data, const struct bestdag_arc_state *m,
                   int32_t *choice);
    /* After tighten(): sets that make a DAG and may be cheap; false: none
     * known. NULL: as false. */
    bool (*guess)(const void *data, const struct bestdag_arc_state *m,
                  int32_t *choice);
    /* The same: sets that make a DAG whose cost differs from the bound only by
     * multipliers that are paid for too many members. */
    bool (*settled)(const void *data, const struct bestdag_arc_state *m,
                    int32_t *choice);
    /* Sets examined so far by a thread, or, if `mine` is NULL, by prepare():
     * independent of the thread. NULL: not counted. */
    int64_t (*work)(const void *data, const void *mine);
    /* The one of these clusters with the largest weight; false: none. */
    bool (*slack)(const void *data, const struct bestdag_arc_state *m,
                  struct bestdag_slack *to);
};

/* A bound for one problem. */
struct bestdag_arc_bound {
    const struct bestdag_arc_bound_row *row;
    void *data; /* owns; the row's */
    size_t room;
    /* The task's clusters; NULL: none. */
    struct bestdag_saved_clusters *clusters;
};

/* The i-th row; NULL after the last. */
const struct bestdag_arc_bound_row *bestdag_arc_bound_at(int i);
/* The problem's masks must be parents only; it must outlive the bound. */
int bestdag_arc_bound_init(struct bestdag_run *run, const char *name,
                           const struct bestdag_problem *problem,
                           struct bestdag_arc_bound *to);
void bestdag_arc_bound_release(struct bestdag_arc_bound *arc_bound);

/* A word of the state and its old value. */
struct bestdag_undo {
    uint64_t *at, old;
};

/* Decisions and chosen sets; one per thread. */
struct bestdag_arc_state {
    struct bestdag_run *run;
    const struct bestdag_problem *problem; /* its masks are parents only */
    const struct bestdag_arc_bound *arc_bound;
    void *mine; /* owns; the bound's data of this thread */
    int n;
    size_t words; /* of a row of n bits */
    /* What can be undone is all in `state`. */
    uint64_t *state;                /* owns */
    uint64_t *required, *forbidden; /* masks of lists, for v at offset[v] */
    uint64_t *after, *before;   /* rows, closed: variables after, before v */
    int64_t *low, *high;        /* [n]: least and largest number of parents */
    int64_t *set;               /* [n]: chosen; the list's count: none */
    int64_t *bound;             /* one word */
    int64_t *spare;             /* one word for the caller */
    int64_t *own;               /* [arc_bound->room] */
    struct bestdag_undo *trail; /* owns */
    size_t trailed, trail_room;
    /* Pairs child, parent of the decisions since the log was cleared; a
     * variable twice means its number of parents. */
    int *log; /* owns */
    size_t logged, log_room;
    int *changed;      /* owns; [n]: scratch */
    uint64_t *scratch; /* owns; three rows */
};

/* Begins without decisions; the sets are chosen. */
int bestdag_arc_state_init(struct bestdag_run *run, struct bestdag_arc_state *m,
                           const struct bestdag_problem *problem,
                           const struct bestdag_arc_bound *arc_bound);
void bestdag_arc_state_release(struct bestdag_arc_state *m);

/* Decisions. False: a conflict, or out of memory; earlier decisions stay. */
bool bestdag_arc_state_require(struct bestdag_arc_state *m, int child,
                               int parent);
bool bestdag_arc_state_forbid(struct bestdag_arc_state *m, int child,
                              int parent);
bool bestdag_arc_state_degree(struct bestdag_arc_state *m, int child,
                              int64_t low, int64_t high);
/* u comes before v in every order. */
bool bestdag_arc_state_precede(struct bestdag_arc_state *m, int u, int v);
/* Chooses sets for the variables in the log, updates the bound and clears the
 * log. False: a variable has no set left, or out of memory. */
bool bestdag_arc_state_settle(struct bestdag_arc_state *m);
/* Do the decisions allow this set of v? */
bool bestdag_arc_state_allows(const struct bestdag_arc_state *m, int v,
                              int set);
/* The first set of v from `from` on that the decisions allow; count: none. */
int bestdag_arc_state_first(const struct bestdag_arc_state *m, int v, int from);

/* For bounds and for `spare`: sets a word of the state to `value`. */
void bestdag_arc_state_write(struct bestdag_arc_state *m, uint64_t *at,
                             uint64_t value);
/* Undoes all but the first `trailed` changes, and clears the log. */
void bestdag_arc_state_undo(struct bestdag_arc_state *m, size_t trailed);

static inline bool bestdag_arc_state_is(const struct bestdag_arc_state *m,
                                        const uint64_t *marks, int v, int local)
{
    return bestdag_row_has(marks + m->problem->offset[v], local);
}

static inline uint64_t *bestdag_arc_state_row(const struct bestdag_arc_state *m,
                                              uint64_t *rows, int v)
{
    return rows + (size_t)v * m->words;
}

#endif
