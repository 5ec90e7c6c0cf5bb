/* SPDX-License-Identifier: MIT */
/* solver.h -- the door of the searches. A new solver is one file that defines
 * bestdag_solver_foo with the rows of its settings, and one row in solver.c.
 *
 * A solver only searches. The door refuses rules that the solver does not take,
 * checks that the answer has no cycle and obeys the rules, scores it again from
 * the data or the score file, and attaches bound, gap and status, with code of
 * its own. */
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

/* What a solver gets. */
struct bestdag_task {
    struct bestdag_run *run;
    const struct bestdag_solver *solver;
    const struct bestdag_options *options;
    const struct bestdag_problem *problem; /* NULL: it works on the table */
    const struct bestdag_problem *lists;   /* for the bound of one that works
                                              on the table; or NULL */
    const struct bestdag_scorer *scorer;   /* NULL: there is no table */
    /* Hill climbing only adds arcs from these; NULL: from all. */
    const struct bestdag_likely_parents *likely;
    const struct bestdag_dag *start; /* where to begin, or NULL */
    /* The rules, or NULL. Candidate sets obey those about one child, and the
     * problem was made under them. */
    const struct bestdag_knowledge *knowledge;
    int n;
    int max_parents; /* of those that work on the table; -1: no limit */
    int64_t steps;   /* look-ups at most; 0: as the settings say */
    double work;     /* nominal seconds (base/work.h) of counted work at most,
                        by a caller that has no time limit; 0: as `steps` */
    bool is_resumed; /* it goes on from a state of the checkpoint */
    bool is_trial;   /* what is found may break rules: it is not reported */
    bool is_once;    /* the first network from which no step leads up will do,
                        for those that begin again */
    struct bestdag_shared_scores
        *shared_scores; /* scores remembered from a search
                   of the same table before; or NULL */
    /* Clusters and multipliers of the root, from one prover to the next; or
     * NULL. */
    struct bestdag_saved_clusters *clusters;
    struct bestdag_turn *turn; /* one of several provers, whose incumbent is the
                                  start (turn.h); NULL: it is alone */
    bool has_bounds;           /* these two are known from a search before */
    double bound; /* nats: no network over the lists is above; NaN: none */
    double global_bound; /* nor any other that the limits allow; NaN: none, or
                            the lists have all that matter */
    struct bestdag_checkpoint *checkpoint; /* where its state is kept:
                                              saved_state.h; NULL: nowhere */
    struct bestdag_incumbent *incumbent;   /* of the door: incumbent.h */
};

/* What it gives back. */
struct bestdag_answer {
    struct bestdag_dag *dag; /* the caller's; acyclic; also if it failed */
    double bound;            /* nats, proved by the solver; NaN: none */
    int64_t steps;           /* look-ups in the candidate sets */
    int64_t restarts;
    double work;     /* nominal seconds of what was counted */
    bool is_limited; /* by steps or memory, and not by the end of the search */
};

enum bestdag_ground {
    BESTDAG_ON_SETS, /* needs candidate sets */
    BESTDAG_ON_TABLE /* scores families as it goes; needs the table */
};

/* What every search over orders of candidate sets takes: it has nothing to do
 * for it. */
enum {
    BESTDAG_TAKES_ORDERS =
        BESTDAG_NEEDS_LOCAL | BESTDAG_NEEDS_ORDER | BESTDAG_NEEDS_PARAMETERS
};

struct bestdag_solver {
    const char *name, *help;
    enum bestdag_ground ground;
    unsigned takes; /* rules: bits of bestdag_rule_needs */
    bool proves;    /* it has a bound of its own */
    const struct bestdag_option *settings; /* of --set; NULL: none */
    /* Whenever it ends, on its own or because the run was stopped, `to` has the
     * best DAG so far. Not OK: it failed, and the run says why; then `to` or
     * the incumbent (incumbent.h) has the best DAG before that, if there was
     * one, which becomes the outcome unless the failure is an internal error.
     */
    int (*solve)(struct bestdag_task *task, struct bestdag_answer *to);
};

/* Of every solver. */
extern const struct bestdag_option_group bestdag_solve_options;

/* The i-th row; NULL after the last. */
const struct bestdag_solver *bestdag_solver_at(int i);
/* Its settings; the group has its name. */
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

/* For solvers: the value of one of its own settings (--set, else default). */
struct bestdag_value bestdag_task_setting(const struct bestdag_task *task,
                                          const char *key);
/* The same as a word, into `to`. */
const char *bestdag_task_word(const struct bestdag_task *task, const char *key,
                              char to[32]);
/* For solvers, on the calling thread: the best score so far, in nats, and the
 * searches begun. Shown by the progress line. */
void bestdag_task_report(struct bestdag_task *task, double best,
                         int64_t restarts);
/* The same for what was proved: no network over the lists costs less than
 * `least`, in units of `problem`, which is the task's or made of the same
 * lists. Lowers task->bound. */
void bestdag_task_prove(struct bestdag_task *task,
                        const struct bestdag_problem *problem, int64_t least);
/* For solvers: is a network of this score, in nats, as good as the bound, or as
 * good as the user asked for? */
bool bestdag_task_enough(const struct bestdag_task *task, double score);
/* For solvers: the DAG of an order, each variable with its cheapest set of
 * those before it; *cost may be NULL. NULL: failed. */
struct bestdag_dag *bestdag_order_dag(struct bestdag_run *run,
                                      const struct bestdag_problem *problem,
                                      const int *order, int64_t *cost);

/* Nominal seconds of a look-up by a search over orders: lists are walked
 * through from the best set on. */
double bestdag_lookup_work(const struct bestdag_problem *problem);

/* What a search ended with. */
struct bestdag_outcome {
    struct bestdag_dag *dag; /* owns */
    double score;            /* nats, recomputed */
    double bound, gap;       /* NaN: none */
    double global_bound;     /* of what is not on the lists, too; NaN: none */
    const char *status;      /* "optimal" "heuristic" "stopped" "interrupted" */
    int64_t steps, restarts;
    double work;      /* nominal seconds of what was counted */
    bool is_limited;  /* the solver ended by steps or memory */
    char reason[256]; /* the failure that ended it; "": none did */
    double seconds;
    double found; /* second of the search at which the best one was reported */
};

/* The status of an unproved answer. */
const char *bestdag_ending_word(enum bestdag_ending ending);
/* Does its solver have the settings that --set gives, may they be that, and
 * does it take the rules? To be asked before long work; bestdag_search() asks,
 * too.
 */
int bestdag_task_check(const struct bestdag_task *task);
/* For a search that is only a step on the way: the bound is the sum of the best
 * sets, with what these clusters prove, which may be of other lists. */
int bestdag_task_bound_saved(struct bestdag_task *task,
                             const struct bestdag_saved_clusters *saved);
/* Lowers task->global_bound, if it is NaN or the cluster bound is less, with
 * about so much counted work (nominal seconds), where it is known what lists
 * that are not complete lack at most. */
int bestdag_task_bound_all(struct bestdag_task *task, double work);
/* Bytes that a search may take in all, with what is taken already: a part of
 * the limit stays free for what is small. Without one, a part of the machine,
 * which ranks on it share. */
int64_t bestdag_search_bytes(const struct bestdag_run *run);
/* Runs the task's solver and fills `to`, whose dag is the caller's. The task's
 * bound is set here. With a start the answer is never worse than it, nor than
 * the best network over the sets that agrees with its order. */
int bestdag_search(struct bestdag_task *task, struct bestdag_outcome *to);

#endif
