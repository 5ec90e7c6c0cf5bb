/* SPDX-License-Identifier: MIT */
/* ruled_lists.c -- all sets of children that rules constrain, one child after
 * the other on all threads (class_levels.h). At least one family is scored for
 * every choice of marked parents that the rules allow. */
#include "parents/ruled/ruled_lists.h"

#include "constraints/deduction/compile.h"
#include "constraints/parameters/constrained_score.h"
#include "parallel/parallel.h"
#include "parents/candidate_parents.h"
#include "parents/cost.h"
#include "parents/ruled/class_levels.h"

/* More sets of one child without any pruning are too many to list, at 40 bytes
 * each and more. */
#define MOST_SETS 0x1p27

struct yield {
    int child;
    int64_t scored;
    bool final; /* not cut short by the end of the run */
};

struct job {
    struct bestdag_plan *plan;
    struct yield *yield;                 /* owns; [items] */
    struct bestdag_class_levels *ascent; /* owns; [threads] */
    int threads;
};

/* ---- rules --------------------------------------------------------------- */

static bool is_in_row(const struct bestdag_knowledge *k, uint64_t *rows, int v)
{
    const uint64_t *row = bestdag_knowledge_row(k, rows, v);
    return row && bestdag_row_next(row, k->words, 0) >= 0;
}

bool bestdag_knowledge_constrains(const struct bestdag_knowledge *k, int v)
{
    return is_in_row(k, k->required, v) || is_in_row(k, k->marked, v) ||
           k->settled[v] > 0 || k->local_start[v] < k->local_start[v + 1] ||
           bestdag_knowledge_on_path(k, v) || k->parameters[v];
}

bool bestdag_plan_constrains(const struct bestdag_plan *plan, int v)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    return k && bestdag_knowledge_constrains(k, v) &&
           (plan->complete || k->parameters[v]);
}

int bestdag_plan_limits(struct bestdag_plan *plan)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    if (!k)
        return BESTDAG_OK;
    plan->limit =
        bestdag_alloc(plan->run, (size_t)plan->n * sizeof *plan->limit);
    for (int v = 0; plan->limit && v < plan->n; v++) {
        int most = k->most[v] < plan->n - 1 ? k->most[v] : -1;
        plan->limit[v] = plan->max_parents;
        if (most >= 0 && (plan->max_parents < 0 || most < plan->max_parents))
            plan->limit[v] = most;
    }
    return bestdag_run_status(plan->run);
}

double bestdag_ruled_lists_sets(const struct bestdag_plan *plan, int child)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    bool all = bestdag_knowledge_on_path(k, child);
    int limit = bestdag_plan_limit(plan, child), required = 0, marks = 0;
    for (int v = 0; v < plan->n; v++)
        if (bestdag_knowledge_requires(k, child, v))
            required++;
        else if (bestdag_knowledge_allows(k, child, v))
            marks += all || bestdag_knowledge_marks(k, child, v);
    return bestdag_cost_sets(marks, limit < 0 ? plan->n : limit - required);
}

/* ---- one child --------------------------------------------------------- */

/* Fails, naming the rule, if no set of the child is left. */
static int refuse(const struct bestdag_class_levels *a)
{
    int child = a->markings.child;
    if (a->hooked && a->scored)
        return bestdag_parameters_exclude(
            a->run, bestdag_scorer_parameters(a->scorer), child,
            a->scorer->table->column[child].name);
    return bestdag_marked_classes_refuse(&a->markings);
}

static int find_child(struct bestdag_class_levels *a, int child)
{
    struct bestdag_list *list = &a->plan->sets->list[child];
    if (bestdag_class_levels_climb(a, child) ||
        bestdag_marked_classes_finish(&a->markings, a->collector, list))
        return bestdag_run_status(a->run);
    if (!list->count && !a->ended)
        return refuse(a);
    double left_out = bestdag_candidate_parents_ceiling(a->plan, child);
    double unseen = bestdag_marked_classes_bound(&a->markings);
    list->max_parents = a->plan->max_parents;
    list->ceiling = a->ended && unseen > left_out ? unseen : left_out;
    return BESTDAG_OK;
}

/* ---- all children ------------------------------------------------------ */

static int work(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_class_levels *a = &job->ascent[worker];
    struct yield *yield = &job->yield[item];
    int status = find_child(a, yield->child);
    yield->scored = a->scored;
    yield->final = !bestdag_run_stopped(a->run) || !a->ended;
    return status;
}

static int take(void *data, int64_t item)
{
    struct job *job = data;
    const struct yield *yield = &job->yield[item];
    if (yield->final)
        return bestdag_plan_finish(job->plan, yield->child, yield->scored);
    job->plan->sets->scored += yield->scored;
    return BESTDAG_OK;
}

static int pass(void *data, int64_t item, struct bestdag_archive *p)
{
    struct job *job = data;
    struct bestdag_run *run = job->plan->run;
    struct yield *yield = &job->yield[item];
    BESTDAG_PASS(p, yield->scored);
    BESTDAG_PASS(p, yield->final);
    bestdag_list_pass(run, &job->plan->sets->list[yield->child], p);
    return bestdag_run_status(run);
}

static int prepare(struct job *job, int items)
{
    struct bestdag_plan *plan = job->plan;
    job->threads = bestdag_parallel_threads(plan->run, items);
    job->ascent = bestdag_calloc(plan->run, (size_t)job->threads + 1,
                                 sizeof *job->ascent);
    for (int i = 0; job->ascent && i < job->threads; i++)
        bestdag_class_levels_init(&job->ascent[i], plan);
    return bestdag_run_status(plan->run);
}

static void release(struct job *job)
{
    for (int i = 0; job->ascent && i < job->threads; i++)
        bestdag_class_levels_release(&job->ascent[i]);
    bestdag_free(job->ascent);
    bestdag_free(job->yield);
}

/* Checks the cost of an ancestor rule, or of a rule across children. */
static int weigh(struct bestdag_plan *plan, int child)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    bool path = bestdag_knowledge_on_path(k, child);
    int need = path ? 3 : 2;
    char place[128];
    double sets = bestdag_ruled_lists_sets(plan, child);
    if (!plan->complete || sets <= MOST_SETS)
        return BESTDAG_OK;
    return bestdag_fail(
        plan->run, BESTDAG_USAGE,
        "'%s' rules (%s) keep %.2g parent sets of '%s' that must not be "
        "pruned: set --max-parents, or forbid arcs",
        bestdag_need_name(need),
        k->first[need] >= 0
            ? bestdag_rule_place(&k->rules->rule[k->first[need]], place)
            : "the first",
        sets, plan->scorer->table->column[child].name);
}

static void note_paths(struct bestdag_plan *plan)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    int count = 0;
    for (int v = 0; v < plan->n; v++)
        count += bestdag_knowledge_on_path(k, v);
    if (count)
        bestdag_note(
            plan->run, 0,
            "'ancestor' rules: dominated parent sets of %d variables are kept",
            count);
}

int bestdag_ruled_lists_find(struct bestdag_plan *plan)
{
    struct job job = {.plan = plan};
    struct bestdag_work w = {
        .job = &job, .work = work, .take = take, .pass = pass};
    if (!plan->knowledge)
        return BESTDAG_OK;
    note_paths(plan);
    job.yield =
        bestdag_calloc(plan->run, (size_t)plan->n + 1, sizeof *job.yield);
    for (int v = 0; job.yield && v < plan->n; v++)
        if (!plan->is_done[v] && bestdag_plan_constrains(plan, v)) {
            job.yield[w.items++].child = v;
            if (weigh(plan, v))
                break;
        }
    if (w.items && !bestdag_run_status(plan->run) &&
        !prepare(&job, (int)w.items)) {
        bestdag_run_phase(plan->run, "scoring", w.items);
        bestdag_parallel(plan->run, &w, NULL);
    }
    release(&job);
    return bestdag_run_status(plan->run);
}
