/* SPDX-License-Identifier: MIT */
/* arc_bound.h -- decisions about arcs, and the door of the lower bounds under
 * them.
 *
 * Decisions require or forbid an arc, put one variable before another, or limit
 * a variable's number of parents. Each variable then chooses the first set of
 * its list that they allow. Required arcs are closed transitively: if they lead
 * from u to v, no arc goes from v to u. All of it can be undone.
 *
 * A bound is a cost that no network under the decisions is below. Its rows:
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

/* A cluster that pays more members than it must: each of these has too few
 * parents in it. */
enum { BESTDAG_SLACK = 4 };
struct bestdag_slack {
    int child[BESTDAG_SLACK], children;
    const int32_t *member; /* [size] */
    int size;
};

struct bestdag_arc_bound_row {
    const char *name, *help;
    /* Sets *data, which any number of threads read, and *room, the words of a
     * state that the row needs for its own. NULL: nothing to make. */
    int (*make)(struct bestdag_run *run, const struct bestdag_problem *problem,
                void **data, size_t *room);
    void (*drop)(void *data);
    /* Strengthens it under the rules alone; networks that cost `limit` do not
     * count. Threads enter afterwards, and leave before it is called again with
     * a lower limit. NULL: nothing. */
    int (*prepare)(void *data, const struct bestdag_arc_state *m,
                   int64_t limit);
    /* The thread's own data, m->mine; may be NULL. NULL: nothing.
     */
    void *(*enter)(struct bestdag_run *run, const void *data);
    void (*leave)(void *mine);
    /* The bound after decisions about changed[count], whose sets are chosen.
     * problem->none: no network is left. */
    int64_t (*update)(const void *data, struct bestdag_arc_state *m,
                      const int *changed, int count);
    /* Raises the bound of a settled state with more effort, here and for later
     * decisions; networks that cost `limit` do not count from now on. It may
     * make decisions that follow. False: none is left, or it
     * failed. NULL: nothing. */
    bool (*tighten)(const void *data, struct bestdag_arc_state *m,
                    int64_t limit);
    /* The cheapest sets that are left, or those that the bound is the cost of:
     * if they are a network that obeys, no other one that is left is cheaper.
     */
    void (*choose)(const void *data, const struct bestdag_arc_state *m,
                   int32_t *choice);
    /* After sharpening: sets that make a DAG and may be cheap; false: none are
     * known. NULL: likewise. */
    bool (*guess)(const void *data, const struct bestdag_arc_state *m,
                  int32_t *choice);
    /* Likewise: sets that make a DAG, from which the bound differs only by what
     * clusters pay more members than they need to. */
    bool (*settled)(const void *data, const struct bestdag_arc_state *m,
                    int32_t *choice);
    /* Sets examined so far by a thread, or, if `mine` is NULL, by prepare():
     * the same for a node on whatever thread. NULL: they are not counted. */
    int64_t (*work)(const void *data, const void *mine);
    /* The cluster that weighs most of these; false: there is none. */
    bool (*slack)(const void *data, const struct bestdag_arc_state *m,
                  struct bestdag_slack *to);
};

/* A row for one problem. */
struct bestdag_arc_bound {
    const struct bestdag_arc_bound_row *row;
    void *data; /* owns; the row's */
    size_t room;
    /* Of the task; NULL: none. */
    struct bestdag_saved_clusters *clusters;
};

/* The i-th row; NULL after the last. */
const struct bestdag_arc_bound_row *bestdag_arc_bound_at(int i);
/* For a problem whose masks are parents alone, and which must outlive it. */
int bestdag_arc_bound_init(struct bestdag_run *run, const char *name,
                           const struct bestdag_problem *problem,
                           struct bestdag_arc_bound *to);
void bestdag_arc_bound_release(struct bestdag_arc_bound *arc_bound);

/* A word of the state and its old value. */
struct bestdag_undo {
    uint64_t *at, old;
};

/* One per thread. */
struct bestdag_arc_state {
    struct bestdag_run *run;
    const struct bestdag_problem *problem; /* its masks are parents alone */
    const struct bestdag_arc_bound *arc_bound;
    void *mine; /* owns; the arc_bound's, of this thread */
    int n;
    size_t words; /* of a row of n bits */
    /* What can be undone; all of it is in `state`. */
    uint64_t *state; /* owns */
    uint64_t *required,
        *forbidden;           /* masks of lists: those of v at offset[v] */
    uint64_t *after, *before; /* rows, closed: what comes after, before v */
    int64_t *low, *high;      /* [n]: parents, at least and at most */
    int64_t *set;   /* [n]: chosen; the candidate list's count: none */
    int64_t *bound; /* one word */
    int64_t *spare; /* one word for the caller */
    int64_t *own;   /* [arc_bound->room] */
    struct bestdag_undo *trail; /* owns */
    size_t trailed, trail_room;
    /* Pairs child, parent of the decisions since the log was cleared; a
     * variable twice: its number of parents. */
    int *log; /* owns */
    size_t logged, log_room;
    int *changed;      /* owns; [n]: scratch */
    uint64_t *scratch; /* owns; three rows */
};

/* No decisions; the sets are chosen. */
int bestdag_arc_state_init(struct bestdag_run *run, struct bestdag_arc_state *m,
                           const struct bestdag_problem *problem,
                           const struct bestdag_arc_bound *arc_bound);
void bestdag_arc_state_release(struct bestdag_arc_state *m);

/* Decisions. False: a conflict, or memory failed, and the run says so; what was
 * decided until then stays. */
bool bestdag_arc_state_require(struct bestdag_arc_state *m, int child,
                               int parent);
bool bestdag_arc_state_forbid(struct bestdag_arc_state *m, int child,
                              int parent);
bool bestdag_arc_state_degree(struct bestdag_arc_state *m, int child,
                              int64_t low, int64_t high);
/* u comes before v in every order. */
bool bestdag_arc_state_precede(struct bestdag_arc_state *m, int u, int v);
/* Chooses the sets of those in the log, updates the bound and clears the log.
 * False: a variable has no set left, or memory failed. */
bool bestdag_arc_state_settle(struct bestdag_arc_state *m);
/* Do the decisions allow this set of v? */
bool bestdag_arc_state_allows(const struct bestdag_arc_state *m, int v,
                              int set);
/* The first set of v from `from` on that the decisions allow; count: none. */
int bestdag_arc_state_first(const struct bestdag_arc_state *m, int v, int from);

/* For the rows of bounds and for `spare`: a word of the state becomes `value`.
 */
void bestdag_arc_state_write(struct bestdag_arc_state *m, uint64_t *at,
                             uint64_t value);
/* Undoes everything after the first `trailed` changes, and clears the log. */
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
