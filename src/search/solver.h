/* SPDX-License-Identifier: MIT */
/* solver.h -- the interface of the searches. A new solver is one file that
 * defines bestdag_solver_foo with the rows of its settings, and one row in
 * solver.c.
 *
 * A solver only searches. bestdag_search() refuses rules that the solver does
 * not take, checks that the answer is acyclic and obeys the rules, scores it
 * again from the data or the score file, and attaches bound, gap and status. */
#ifndef BESTDAG_SEARCH_SOLVER_H
#define BESTDAG_SEARCH_SOLVER_H

#include "base/options.h"
#include "problem/problem.h"
#include "scores/scorer.h"

struct bestdag_shared_scores;
struct bestdag_incumbent;
struct bestdag_likely_parents;
struct bestdag_saved_clusters;
struct bestdag_solver;
struct bestdag_turn;

/* The input of a solver. */
struct bestdag_task {
    struct bestdag_run *run;
    const struct bestdag_solver *solver;
    const struct bestdag_options *options;
    const struct bestdag_problem *problem; /* NULL: the solver works on the
                                              table */
    const struct bestdag_problem *lists;   /* for the bound, if the solver works
                                              on the table; or NULL */
    const struct bestdag_scorer *scorer;   /* NULL: no table */
    /* Hill climbing adds arcs from these parents only; NULL: from all. */
    const struct bestdag_likely_parents *likely;
    const struct bestdag_dag *start; /* initial network, or NULL */
    /* The rules, or NULL. The candidate lists obey those about one child, and
     * the problem was made under them. */
    const struct bestdag_knowledge *knowledge;
    int n;
    int max_parents; /* for solvers on the table; -1: no limit */
    int64_t steps;   /* most look-ups; 0: as the settings say */
    double work;     /* most counted work, in nominal seconds (base/work.h), set
                        by a caller without a time limit; 0: as `steps` */
    bool is_resumed; /* it continues from a state of the checkpoint */
    bool is_trial;   /* networks found may break rules and are not reported */
    bool is_once;    /* return the first local optimum, without restarts */
    struct bestdag_shared_scores
        *shared_scores; /* scores cached by an earlier search of the same table;
                           or NULL */
    /* Clusters and multipliers of the root, passed from one prover to the next;
     * or NULL. */
    struct bestdag_saved_clusters *clusters;
    struct bestdag_turn *turn; /* one of several provers in turns, whose
                                  incumbent is the start (turn.h); NULL: it runs
                                  alone */
    bool has_bounds;           /* bound and global_bound are known */
    double bound; /* nats: no network over the lists scores more; NaN: none */
    double global_bound; /* nor any other network within the limits; NaN: none,
                            or the lists are complete */
    struct bestdag_checkpoint *checkpoint; /* for its state (saved_state.h);
                                              NULL: none */
    struct bestdag_incumbent *incumbent;   /* recorded for solver.c:
                                              incumbent.h */
};

/* The answer of a solver. */
struct bestdag_answer {
    struct bestdag_dag *dag; /* owned by the caller; acyclic; also after a
                                failure */
    double bound;            /* nats, proved by the solver; NaN: none */
    int64_t steps;           /* look-ups in the candidate lists */
    int64_t restarts;
    double work;     /* nominal seconds counted */
    bool is_limited; /* ended by a limit of steps or memory */
};

enum bestdag_ground {
    BESTDAG_ON_SETS, /* needs candidate lists */
    BESTDAG_ON_TABLE /* scores families as it goes; needs the table */
};

/* Rules that every search over orders takes, since it needs no code for
 * them. */
enum {
    BESTDAG_TAKES_ORDERS =
        BESTDAG_NEEDS_LOCAL | BESTDAG_NEEDS_ORDER | BESTDAG_NEEDS_PARAMETERS
};

struct bestdag_solver {
    const char *name, *help;
    enum bestdag_ground ground;
    unsigned takes; /* rules: bits of bestdag_rule_needs */
    bool proves;    /* it computes a bound */
    const struct bestdag_option *settings; /* for --set; NULL: none */
    /* Whenever the search ends, by itself or because the run was stopped, `to`
     * has the best DAG so far. A status other than OK is a failure, which the
     * run explains; then `to` or the incumbent (incumbent.h) has the best DAG
     * before it, if any, which becomes the outcome unless the failure is an
     * internal error. */
    int (*solve)(struct bestdag_task *task, struct bestdag_answer *to);
};

/* Options of all solvers. */
extern const struct bestdag_option_group bestdag_solve_options;

/* The i-th row; NULL after the last. */
const struct bestdag_solver *bestdag_solver_at(int i);
/* The settings of a solver, as a group with its name. */
static inline struct bestdag_option_group bestdag_solver_settings(
    const struct bestdag_solver *solver)
{
    return (struct bestdag_option_group){solver->name, solver->settings};
}
static inline bool bestdag_solver_has(const struct bestdag_solver *solver,
                                      const char *setting)
{
    struct bestdag_option_group group = bestdag_solver_settings(solver);
    return bestdag_option_row(&group, setting) != NULL;
}
const struct bestdag_solver *bestdag_solver_find(const char *name);

/* For solvers: the value of one of their settings (--set, else default). */
struct bestdag_value bestdag_task_setting(const struct bestdag_task *task,
                                          const char *key);
/* The same as a word, into `to`. */
const char *bestdag_task_word(const struct bestdag_task *task, const char *key,
                              char to[32]);
/* For solvers, on the calling thread: reports the best score so far, in nats,
 * and the number of restarts to the progress line. */
void bestdag_task_report(struct bestdag_task *task, double best,
                         int64_t restarts);
/* The same for a proof: no network over the lists costs less than `least`, in
 * units of `problem`, which is the task's or made from the same lists. Lowers
 * task->bound. */
void bestdag_task_prove(struct bestdag_task *task,
                        const struct bestdag_problem *problem, int64_t least);
/* For solvers: has a network with this score, in nats, reached the bound, or
 * the gap that the user wants? */
bool bestdag_task_enough(const struct bestdag_task *task, double score);
/* For solvers: the DAG of an order, in which each variable has its cheapest set
 * among its predecessors; cost may be NULL. NULL: error. */
struct bestdag_dag *bestdag_order_dag(struct bestdag_run *run,
                                      const struct bestdag_problem *problem,
                                      const int *order, int64_t *cost);

/* Nominal seconds of a look-up by a search over orders: lists are scanned, best
 * set first. */
double bestdag_lookup_work(const struct bestdag_problem *problem);

/* The result of a search. */
struct bestdag_outcome {
    struct bestdag_dag *dag; /* owns */
    double score;            /* nats, recomputed */
    double bound, gap;       /* NaN: none */
    double global_bound;     /* on networks not over the lists, too; NaN:
                                none */
    const char *status;      /* "optimal" "heuristic" "stopped" "interrupted" */
    int64_t steps, restarts;
    double work;      /* nominal seconds counted */
    bool is_limited;  /* ended by a limit of steps or memory */
    char reason[256]; /* message of the failure that ended it; "": none */
    double seconds;
    double found; /* seconds until the best network was reported */
};

/* The status of an unproved answer. */
const char *bestdag_ending_word(enum bestdag_ending ending);
/* Checks that the solver has the settings that --set gives, that their values
 * are valid, and that it takes the rules. To be called before long work;
 * bestdag_search() calls it, too. */
int bestdag_task_check(const struct bestdag_task *task);
/* For an intermediate search: sets the bound to the sum of the best local
 * scores, lowered by what these clusters prove, which may come from other
 * lists. */
int bestdag_task_bound_saved(struct bestdag_task *task,
                             const struct bestdag_saved_clusters *saved);
/* Computes the cluster bound on all networks with about this much counted work
 * (nominal seconds), if ceilings of the incomplete lists are known, and lowers
 * task->global_bound to it. */
int bestdag_task_bound_all(struct bestdag_task *task, double work);
/* Bytes that a search may use in total, including what is in use: a part of the
 * memory limit stays free for small allocations. Without a limit, a part of the
 * machine's memory, which its ranks share. */
int64_t bestdag_search_bytes(const struct bestdag_run *run);
/* Runs the task's solver and fills `to`, whose dag the caller owns; sets the
 * task's bounds. With a start the answer is never worse than it, nor than the
 * best network over the lists that agrees with its order. */
int bestdag_search(struct bestdag_task *task, struct bestdag_outcome *to);

#endif
