/* SPDX-License-Identifier: MIT */
/* sequential_strategy.c -- the strategy `sequential`: connects the plan with
 * the levels of sequential.c, which process all variables at once. */
#include "base/row.h"
#include "constraints/deduction/compile.h"
#include "parents/candidate_parents.h"
#include "parents/exhaustive/family_lists.h"
#include "parents/exhaustive/sequential.h"
#include "parents/parents.h"
#include "parents/ruled/ruled_lists.h"
#include "parents/trace.h"

static uint64_t *rows_of(struct bestdag_plan *plan)
{
    size_t words = bestdag_row_words(plan->n);
    uint64_t *rows =
        bestdag_calloc(plan->run, (size_t)plan->n * words, sizeof *rows);
    for (int v = 0; rows && v < plan->n; v++)
        for (int i = 0; i < plan->candidates[v]; i++)
            bestdag_row_add(rows + (size_t)v * words, plan->candidate[v][i]);
    return rows;
}

/* Is this child not processed by the strategy? */
static bool is_taken(const struct bestdag_plan *plan, int v)
{
    return plan->is_done[v] || bestdag_plan_constrains(plan, v);
}

#define WIDE 0.25 /* of all sets of two parents; time only, not measured */

/* Do the rules leave so many arcs that counting sets for all children at once
 * is worth while? */
static bool is_wide(const struct bestdag_plan *plan)
{
    double pairs = 0, all = 0;
    for (int v = 0; v < plan->n; v++)
        if (plan->scorer->states[v] > 1) {
            double own = is_taken(plan, v) ? 0 : plan->candidates[v];
            pairs += own * own;
            all++;
        }
    return !plan->restricted && pairs > WIDE * all * all * all;
}

/* The largest number of parents of each child, or -2 if it is taken; owned by
 * the caller. */
static int *limits_of(const struct bestdag_plan *plan)
{
    int *limit = bestdag_alloc(plan->run, (size_t)plan->n * sizeof *limit);
    for (int v = 0; limit && v < plan->n; v++)
        limit[v] = is_taken(plan, v) ? -2 : bestdag_plan_limit(plan, v);
    return limit;
}

static bool has_done(const struct bestdag_plan *plan)
{
    for (int v = 0; v < plan->n; v++)
        if (plan->is_done[v])
            return true;
    return false;
}

/* Sets are counted for all variables together, so these share the time that
 * each may take on one thread. False: a limit ended it. */
static bool count_all(struct bestdag_plan *plan,
                      const struct bestdag_sequential_request *job)
{
    struct bestdag_slice_limits share = {.reports = true};
    int children = 0, threads = bestdag_run_threads(plan->run);
    if (!plan->is_timed || job->trace) { /* then each variable has its own
                                            time */
        bestdag_sequential(plan->run, plan->scorer, job, plan->sets);
        return !bestdag_run_stopped(plan->run);
    }
    for (int v = 0; v < plan->n; v++)
        children += !is_taken(plan, v);
    if (children > threads)
        children = (children + threads - 1) / threads;
    share.seconds = plan->seconds * (children > 1 ? children : 1);
    struct bestdag_run *slice = bestdag_run_slice(plan->run, share);
    if (!slice)
        return false;
    bestdag_sequential(slice, plan->scorer, job, plan->sets);
    bool is_cut = bestdag_run_stopped(slice);
    if (is_cut && plan->run->deadline > 0 &&
        slice->deadline >= plan->run->deadline)
        bestdag_run_expire(plan->run); /* the limit of the whole run was
                                          reached */
    bestdag_run_join(slice);
    return !is_cut;
}

/* Lists without a set, because time ran out, are left to parents.c. */
static int finish_lists(struct bestdag_plan *plan, bool is_whole)
{
    for (int v = 0; v < plan->n; v++) {
        double left_out = bestdag_candidate_parents_ceiling(plan, v);
        if (plan->sets->list[v].ceiling < left_out)
            plan->sets->list[v].ceiling = left_out;
    }
    for (int v = 0; v < plan->n && !bestdag_run_stopped(plan->run); v++)
        if (!is_taken(plan, v) && (is_whole || plan->sets->list[v].count) &&
            bestdag_plan_finish(plan, v, 0))
            break;
    return bestdag_run_status(plan->run);
}

/* Takes over the traces; NULL: none. */
static void write_traces(struct bestdag_plan *plan, char **trace)
{
    for (int v = 0; trace && v < plan->n; v++) {
        bestdag_trace_write(plan, v, trace[v]);
        bestdag_free(trace[v]);
    }
    bestdag_free(trace);
}

/* Uses the score's own enumeration. */
static int find_families(struct bestdag_plan *plan)
{
    bool *taken = bestdag_alloc(plan->run, (size_t)plan->n * sizeof *taken);
    for (int v = 0; taken && v < plan->n; v++)
        taken[v] = is_taken(plan, v);
    if (taken)
        bestdag_family_lists_find(plan, taken);
    bestdag_free(taken);
    return bestdag_run_status(plan->run);
}

static int find_sequential(struct bestdag_plan *plan)
{
    if (bestdag_family_lists_can(plan))
        return find_families(plan);
    struct bestdag_sequential_request job = {.max_parents = plan->max_parents,
                                             .prune = plan->prune};
    uint64_t *rows = NULL;
    int *limit = NULL;
    if (plan->trace) {
        job.trace =
            bestdag_calloc(plan->run, (size_t)plan->n, sizeof *job.trace);
        job.seconds = plan->is_timed ? plan->seconds : 0;
    }
    if (plan->knowledge || has_done(plan))
        job.limit = limit = limits_of(plan);
    /* constant columns are left out anyway */
    if (plan->restricted || (plan->knowledge && plan->knowledge->allowed)) {
        job.universe = rows = rows_of(plan);
        job.wide = is_wide(plan);
    }
    bool is_whole = !bestdag_run_status(plan->run) && count_all(plan, &job);
    bestdag_free(rows);
    bestdag_free(limit);
    write_traces(plan, job.trace);
    return finish_lists(plan, is_whole);
}

const struct bestdag_strategy bestdag_strategy_sequential = {
    .name = "sequential",
    .help = "all sets by size, with pruning; complete lists",
    .find = find_sequential,
};
