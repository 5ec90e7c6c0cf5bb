/* SPDX-License-Identifier: MIT */
/* outcome.c -- bound, gap and status of a network. */
#include "search/outcome.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fault.h"

const struct bestdag_problem *bestdag_task_lists(
    const struct bestdag_task *task)
{
    return task->problem ? task->problem : task->lists;
}

/* How far apart, in nats, bound and score of an optimal network may be;
 * `listed` is the network's score according to the lists, `score` the
 * recomputed one. */
static double tolerance_of(const struct bestdag_problem *p, double score,
                           double listed)
{
    return 2 * bestdag_problem_round_up(p, 0) + fabs(score) * 1e-14 +
           fabs(score - listed);
}

/* ---- which bound holds --------------------------------------------------- */

/* Is this family listed, or no better than a listed one? */
static bool is_covered(const struct bestdag_problem *p, int v,
                       const struct bestdag_parents *parents)
{
    const struct bestdag_list *list = &p->sets->list[v];
    bool is_complete =
        list->ceiling == -INFINITY &&
        (list->max_parents < 0 || parents->count <= list->max_parents);
    return is_complete || BESTDAG_FAULT("wrong-scope") ||
           bestdag_problem_find(p, v, parents->at, parents->count) >= 0;
}

/* Does the bound over the lists hold for the answer? */
static bool is_inside(const struct bestdag_problem *p,
                      const struct bestdag_dag *dag)
{
    for (int v = 0; v < dag->n; v++)
        if (!is_covered(p, v, &dag->parents[v]))
            return false;
    return true;
}

/* ---- the score according to the lists ------------------------------------ */

/* The score of a family that is not listed, from the table, rounded to
 * units. */
static int score_unlisted(const struct bestdag_task *task,
                          struct bestdag_scorer_scratch **scratch, int v,
                          const struct bestdag_parents *p, double *nats)
{
    struct bestdag_family family;
    if (!*scratch)
        *scratch = bestdag_scorer_scratch_new(task->run, task->scorer);
    if (!*scratch || bestdag_scorer_family(task->scorer, *scratch, v, p->at,
                                           p->count, &family))
        return bestdag_run_status(task->run);
    *nats = bestdag_scorer_nats(task->scorer, family.score);
    return BESTDAG_OK;
}

/* The network's score according to the lists, or as if they had its families:
 * with the rounding of local scores that the bound has. */
static int score_by_lists(const struct bestdag_task *task,
                          const struct bestdag_dag *dag, double *score)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    struct bestdag_scorer_scratch *scratch = NULL;
    double total = 0, carry = 0; /* Kahan summation */
    for (int v = 0; v < dag->n; v++) {
        const struct bestdag_parents *parents = &dag->parents[v];
        int set = bestdag_problem_find(p, v, parents->at, parents->count);
        double nats = set < 0 ? 0 : p->sets->list[v].score[set];
        if (set < 0 && score_unlisted(task, &scratch, v, parents, &nats))
            break;
        double term = nats - carry, sum = total + term;
        carry = (sum - total) - term;
        total = sum;
    }
    bestdag_scorer_scratch_free(scratch);
    *score = total;
    return bestdag_run_status(task->run);
}

/* ---- bound, gap, status -------------------------------------------------- */

static int check_bound(const struct bestdag_task *task, double bound,
                       double listed)
{
    double tolerance = tolerance_of(bestdag_task_lists(task), listed, listed);
    if (!(bound < listed - tolerance) /* false if NaN */
        || BESTDAG_FAULT("hidden-lie"))
        return BESTDAG_OK;
    if (task->is_resumed)
        return bestdag_fail(task->run, BESTDAG_INPUT,
                            "the state of '%s' in the checkpoint is "
                            "inconsistent: remove it and start again",
                            task->solver->name);
    return bestdag_fail(task->run, BESTDAG_FAILED,
                        "internal error: '%s' claims that no network scores "
                        "above %.17g, and gave one that scores %.17g; please "
                        "report it",
                        task->solver->name, bound, listed);
}

/* *tolerance: see outcome.h. */
static int attach_bound(const struct bestdag_task *task, double proved,
                        struct bestdag_outcome *to, double *tolerance)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    bool on_lists = p && is_inside(p, to->dag);
    double listed = to->score;
    *tolerance = 0;
    to->bound = on_lists ? task->bound : task->global_bound;
    to->global_bound = task->global_bound;
    if (on_lists && proved < to->bound)
        to->bound = proved;
    if (isnan(to->bound))
        return BESTDAG_OK;
    if (score_by_lists(task, to->dag, &listed) ||
        check_bound(task, to->bound, listed))
        return bestdag_run_status(task->run);
    *tolerance = tolerance_of(p, to->score, listed);
    if (to->bound < to->score) /* only because of rounding */
        to->bound = to->score;
    if (to->global_bound < to->bound) /* it came from other multipliers */
        to->global_bound = to->bound;
    return BESTDAG_OK;
}

/* Was a limit of steps reached, or the gap that the user wants? */
static bool has_met_limit(const struct bestdag_task *task,
                          const struct bestdag_outcome *outcome)
{
    struct bestdag_value steps = bestdag_task_setting(task, "steps");
    return outcome->is_limited ||
           (steps.text && outcome->steps >= steps.integer) ||
           (task->run->gap > 0 && outcome->gap <= task->run->gap);
}

static bool is_optimal(const struct bestdag_outcome *o, double tolerance)
{
    return !isnan(o->bound) && !BESTDAG_FAULT("no-proof") &&
           o->bound - o->score <= tolerance;
}

static const char *status_of(const struct bestdag_task *task,
                             const struct bestdag_outcome *outcome,
                             double tolerance)
{
    if (is_optimal(outcome, tolerance))
        return "optimal";
    if (BESTDAG_FAULT("false-status"))
        return "optimal";
    enum bestdag_ending ending = bestdag_run_ending(task->run);
    if (ending == BESTDAG_ENDED && has_met_limit(task, outcome))
        ending = BESTDAG_TIMED_OUT;
    return bestdag_ending_word(ending);
}

const char *bestdag_ending_word(enum bestdag_ending ending)
{
    static const char *const words[] = {"heuristic", "stopped", "interrupted"};
    return words[ending];
}

int bestdag_outcome_judge(const struct bestdag_task *task, double proved,
                          struct bestdag_outcome *to)
{
    double tolerance;
    if (attach_bound(task, proved, to, &tolerance))
        return bestdag_run_status(task->run);
    double scale = fabs(to->score) > 1 ? fabs(to->score) : 1;
    to->gap = (to->bound - to->score) / scale;
    to->status = status_of(task, to, tolerance);
    assert(isnan(to->bound) || to->bound >= to->score);
    assert(!strcmp(to->status, "optimal") == is_optimal(to, tolerance));
    return BESTDAG_OK;
}
