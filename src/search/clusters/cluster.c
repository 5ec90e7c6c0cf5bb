/* SPDX-License-Identifier: MIT */
/* cluster.c -- the solver `cluster`: proofs by the cluster relaxation.
 *
 *     incumbent                      search over orders, for a short while
 *     part (first: all variables)    lower bound by cutting planes;
 *                                    reduced-cost fixing;
 *       several components left?     each is a part of its own
 *       else                         A* over prefixes
 *
 * A part is solved when its lower bound reaches the cost of its order. If the
 * search ends early, the sum of the lower bounds of all parts is the bound.
 *
 * This folder: cluster.c the solver, cluster_parts.[ch] parts and their
 * components, certificate_writer.[ch] the proof as a file. The relaxation
 * itself is in bounds/, A* in subsets/part_search.h. The first network comes
 * from orders/first_network.h. */
#include <assert.h>
#include <math.h>

#include "base/invariant.h"
#include "base/work.h"
#include "bounds/cutting_planes.h"
#include "bounds/root_bound.h"
#include "bounds/saved_clusters.h"
#include "search/clusters/certificate_writer.h"
#include "search/clusters/cluster_parts.h"
#include "search/incumbent.h"
#include "search/orders/first_network.h"
#include "search/subsets/part_search.h"
#include "search/turn.h"

static const struct bestdag_option settings[] = {
    BESTDAG_SPREAD_SETTING,
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help =
         "stop after this many prefixes were expanded; no limit by default"},
    {0}};

/* Measured on water1000, alarm1000, hailfinder and two generated problems
 * before clusters had classes (bench/log/2026-11-17-sensitivity.csv). */
enum {
    DEEPEST = 60,    /* nesting of parts, to limit the stack; 1: the same */
    FIRST_SHARE = 4, /* one in this many look-ups of the incumbent's search
                        precede the bound, the rest follow if a gap is left; 1:
                        time x 1..1.5, 16: x 0.8..1 */
    IDLE_WORK = 20000000, /* sets that rounds of cutting planes with very little
                             gain may examine */
    IDLE_WORK_PER_SET = 100000 /* and this many more per candidate set */
};

/* Climbing from orders of the bound may take this part of its work. Halving it
 * after each climb without a gain lost 28 nats on accidents, 3 parents. */
#define CLIMBING 0.1

struct proof {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_certificate *certificate; /* NULL: not wanted */
    int64_t upper, lower;                    /* of the whole problem, now */
    int64_t bytes, most_steps, steps;
    int64_t most_work, work; /* sets examined: limit, so far */
    int64_t climbed;         /* look-ups of climbs, included in `steps` */
    int64_t looked, expanded;
    int parts;
    bool is_limited;
    bool has_rounds; /* rounds of cutting planes have begun */
};

static void report(struct proof *p)
{
    const struct bestdag_problem *problem = p->task->problem;
    bestdag_task_prove(p->task, problem, p->lower);
    bestdag_task_report(p->task, bestdag_problem_nats(problem, p->upper), 0);
}

/* ---- orders of a part ---------------------------------------------------- */

/* Takes the order if it costs less than that of the part. */
static int consider(struct bestdag_part *t, const int *order)
{
    struct bestdag_run *run = t->proof->run;
    int64_t *cost = bestdag_alloc(run, (size_t)t->n * sizeof *cost);
    int64_t sum = cost ? bestdag_relaxation_cost(t->relax, order, cost) : -1;
    if (sum >= 0 && sum < t->upper) {
        assert(bestdag_is_permutation(order, t->n));
        assert(sum >= t->proved); /* no order costs less than the lower bound */
        t->proof->upper += sum - t->upper;
        t->upper = sum;
        memcpy(t->cost, cost, (size_t)t->n * sizeof *cost);
        memcpy(t->order, order, (size_t)t->n * sizeof *order);
        if (t->depth == 0) /* it is the whole problem, with its own numbers */
            bestdag_task_keep_incumbent_order(t->proof->task, order, sum);
        report(t->proof);
    }
    bestdag_free(cost);
    return bestdag_run_status(run);
}

/* ---- the bound ----------------------------------------------------------- */

static void prove(struct bestdag_part *t, int64_t bound)
{
    if (bound > t->upper)
        bound = t->upper;
    if (bound <= t->proved)
        return;
    t->proof->lower += bound - t->proved;
    t->proved = bound;
    assert(t->proved <= t->upper);
    assert(t->proof->lower <= t->proof->upper);
    report(t->proof);
}

/* Climbs from an order of the relaxation, while that takes a small part of the
 * work: better networks are often close to it. Not before the first round,
 * whose width follows from the gap. */
static int climb(struct bestdag_part *t, const int *order)
{
    struct proof *p = t->proof;
    double spent = (double)p->climbed * bestdag_lookup_work(p->task->problem);
    int64_t before = p->steps;
    if (t->depth || !p->has_rounds || t->relax->bound >= t->upper ||
        spent > CLIMBING * (double)t->relax->work * BESTDAG_WORK_RELAX)
        return BESTDAG_OK;
    int *higher = bestdag_alloc(p->run, (size_t)t->n * sizeof *higher);
    if (higher)
        memcpy(higher, order, (size_t)t->n * sizeof *higher);
    if (higher && !bestdag_first_network_climb(p->task, 1, higher, &p->steps))
        consider(t, higher);
    p->climbed += p->steps - before;
    bestdag_free(higher);
    return bestdag_run_status(p->run);
}

static void on_order(void *job, struct bestdag_cutting_settings *cutting,
                     const int *order)
{
    struct bestdag_part *t = job;
    if (!consider(t, order))
        climb(t, order);
    prove(t, t->relax->bound);
    cutting->upper = t->upper;
}

/* ---- turns --------------------------------------------------------------- */

/* Nominal seconds so far, including `more` sets examined since. */
static double work_of(const struct proof *p, int64_t more)
{
    return (double)(p->work + more) * BESTDAG_WORK_RELAX +
           (double)p->steps * bestdag_lookup_work(p->task->problem);
}

/* The order of the task's start restricted to the part, and its cost; -1: an
 * error. */
static int64_t order_of_start(struct bestdag_part *t, int *order)
{
    struct proof *p = t->proof;
    int n = p->task->n, count = 0;
    int *whole = bestdag_alloc(p->run, (size_t)n * sizeof *whole);
    int *place = bestdag_alloc(p->run, (size_t)n * sizeof *place);
    int64_t *cost = bestdag_alloc(p->run, (size_t)t->n * sizeof *cost);
    int64_t sum = -1;
    if (whole && place && cost &&
        !bestdag_first_network_begin(
            p->task, bestdag_first_network_steps(p->task->problem), whole,
            &p->steps)) {
        for (int v = 0; v < n; v++)
            place[v] = -1;
        for (int k = 0; k < t->n; k++)
            place[t->variable[k]] = k;
        for (int i = 0; i < n; i++)
            if (place[whole[i]] >= 0)
                order[count++] = place[whole[i]];
        assert(count == t->n);
        sum = bestdag_relaxation_cost(t->relax, order, cost);
    }
    bestdag_free(whole);
    bestdag_free(place);
    bestdag_free(cost);
    return sum;
}

/* Pauses while others have their turns; they get these clusters. */
static bool wait_for_turn(struct bestdag_part *t)
{
    struct bestdag_task *task = t->proof->task;
    if (t->depth == 0 && task->clusters &&
        bestdag_saved_clusters_take(task->clusters, t->relax))
        return false;
    return bestdag_turn_pass(task);
}

/* Considers the order of the task's start, which may be better now. */
static void take_start(struct bestdag_part *t)
{
    int *order = bestdag_alloc(t->proof->run, (size_t)t->n * sizeof *order);
    if (order && order_of_start(t, order) >= 0)
        consider(t, order);
    bestdag_free(order);
}

static void on_round(void *job, struct bestdag_cutting_settings *cutting,
                     int64_t bound, int64_t work)
{
    struct bestdag_part *t = job;
    t->proof->has_rounds = true;
    if (!bestdag_turn_is_over(t->proof->task, work_of(t->proof, work)))
        return;
    prove(t, bound);
    if (wait_for_turn(t))
        take_start(t);
    cutting->upper = t->upper;
}

static int64_t on_turn(void *job)
{
    struct bestdag_part *t = job;
    take_start(t);
    return t->upper;
}

/* ---- cutting planes ------------------------------------------------------ */

static int on_delete(void *job, const struct bestdag_relaxation *relax,
                     int64_t limit)
{
    struct bestdag_part *t = job;
    bestdag_certificate_multipliers(t->proof->certificate, relax, t->variable);
    bestdag_certificate_delete(t->proof->certificate, limit);
    return BESTDAG_OK;
}

/* Sets that may still be examined, at least 1; 0: no limit. */
static int64_t work_left(const struct proof *p)
{
    int64_t left = p->most_work - p->work;
    return !p->most_work ? 0 : left > 1 ? left : 1;
}

static int improve_bound(struct bestdag_part *t)
{
    struct bestdag_cutting_settings plan = {.upper = t->upper,
                                            .most_work = work_left(t->proof),
                                            .most_idle = IDLE_WORK,
                                            .job = t,
                                            .on_order = on_order,
                                            .on_round = on_round,
                                            .on_delete = on_delete};
    int64_t before = t->relax->work;
    for (int v = 0; v < t->n; v++)
        plan.most_idle += IDLE_WORK_PER_SET * (int64_t)t->relax->list[v].count;
    int status = bestdag_cutting_planes(t->relax, &plan);
    t->proof->work += t->relax->work - before;
    if (!status)
        prove(t, t->relax->bound);
    return status;
}

/* ---- parts --------------------------------------------------------------- */

static int solve_part(struct bestdag_part *t);

/* Solves a subproblem; its costs go to t->cost, its order to order[its n]. */
static int solve_subproblem(struct bestdag_part *t,
                            const struct bestdag_part_split *split, int i,
                            int *order)
{
    const int32_t *member = split->member + split->start[i];
    struct bestdag_part sub = {0};
    if (!bestdag_part_take(&sub, t, split, i) && !solve_part(&sub)) {
        t->proved += sub.proved;
        t->upper += sub.upper;
        for (int k = 0; k < sub.n; k++) {
            t->cost[member[k]] = sub.cost[k];
            order[k] = member[sub.order[k]];
        }
    }
    bestdag_part_release(&sub);
    return bestdag_run_status(t->proof->run);
}

/* Leaves a subproblem with its order and lower bound 0. */
static void skip_subproblem(struct bestdag_part *t,
                            const struct bestdag_part_split *split, int i,
                            int *order)
{
    for (int k = 0; k < t->n; k++)
        if (split->component[t->order[k]] == i) {
            *order++ = t->order[k];
            t->upper += t->cost[t->order[k]];
        }
}

/* A run that was stopped, or whose work is spent, skips the other subproblems,
 * which take time to make. A certificate needs all of them. */
static bool skips_rest(const struct proof *p)
{
    bool is_spent = p->most_work && p->work >= p->most_work;
    return !p->certificate && (is_spent || bestdag_run_stopped(p->run));
}

/* The orders of the subproblems, concatenated, are an order of the part. The
 * part's earlier lower bound still holds. */
static int solve_subproblems(struct bestdag_part *t,
                             const struct bestdag_part_split *split)
{
    int *whole = bestdag_alloc(split->run, (size_t)t->n * sizeof *whole);
    int64_t before = t->proved;
    bool is_passed = false;
    if (!whole)
        return bestdag_run_status(split->run);
    t->proof->lower -= t->proved; /* subproblems add their own */
    t->proved = t->upper = 0;
    for (int i = 0; i < split->count; i++) {
        int *order = whole + split->start[i];
        if (skips_rest(t->proof)) {
            skip_subproblem(t, split, i, order);
            is_passed = true;
        } else if (solve_subproblem(t, split, i, order))
            break;
    }
    if (is_passed)
        prove(t, before);
    memcpy(t->order, whole, (size_t)t->n * sizeof *whole);
    bestdag_free(whole);
    return bestdag_run_status(split->run);
}

/* Prefixes that the checker may expand: those expanded here, and some more,
 * since it may know rules that the lists do not show. */
static int64_t allowance(const struct bestdag_part_search *f)
{
    return 2 * f->expanded + 100;
}

static int take_search(struct bestdag_part *t,
                       const struct bestdag_part_search *f)
{
    struct proof *p = t->proof;
    p->expanded += f->expanded;
    p->looked += f->generated;
    p->work += (int64_t)(f->work / BESTDAG_WORK_RELAX);
    p->is_limited |= f->is_limited;
    if (p->certificate && f->expanded >= bestdag_certificate_prefixes(t->n))
        bestdag_note(p->run, 0,
                     "cluster: a part ends after %lld prefixes, as many as a "
                     "certificate may have",
                     (long long)f->expanded);
    if (f->is_better)
        consider(t, f->order);
    int64_t bound = f->bound < t->upper ? f->bound : t->upper;
    if (bound > t->proved)
        bestdag_certificate_expand(p->certificate, allowance(f), bound);
    prove(t, bound);
    return bestdag_run_status(p->run);
}

/* The number of prefixes of a part of n variables that may be expanded, at
 * least 1; 0: no limit. */
static int64_t nodes_left(const struct proof *p, int n)
{
    int64_t left = p->most_steps - p->expanded;
    int64_t written = bestdag_certificate_prefixes(n);
    left = !p->most_steps ? 0 : left > 1 ? left : 1;
    return p->certificate && (!left || written < left) ? written : left;
}

static int search_prefixes(struct bestdag_part *t)
{
    struct proof *p = t->proof;
    struct bestdag_part_search f = {.task = p->task,
                                    .relax = t->relax,
                                    .variable = t->variable,
                                    .bytes = p->bytes,
                                    .most_nodes = nodes_left(p, t->n),
                                    .most_work = (double)work_left(p) *
                                                 BESTDAG_WORK_RELAX,
                                    .before = work_of(p, 0),
                                    .others = p->lower - t->proved,
                                    .their_orders = p->upper - t->upper,
                                    .on_turn = on_turn,
                                    .job = t,
                                    .upper = t->upper};
    if (!bestdag_part_search_fits(t->n)) {
        bestdag_note(p->run, 0,
                     "cluster: a part has %d variables, too many to search "
                     "prefixes: it keeps its order and its bound",
                     t->n);
        return BESTDAG_OK;
    }
    f.order = bestdag_alloc(p->run, (size_t)t->n * sizeof *f.order);
    if (f.order && !bestdag_part_search_run(&f))
        take_search(t, &f);
    bestdag_free(f.order);
    return bestdag_run_status(p->run);
}

static int continue_part(struct bestdag_part *t)
{
    struct proof *p = t->proof;
    struct bestdag_part_split split;
    if (bestdag_run_stopped(p->run)) /* the bound so far holds */
        return bestdag_run_status(p->run);
    if (!bestdag_part_split_find(t, &split)) {
        if (split.count > 1 && t->depth < DEEPEST)
            solve_subproblems(t, &split);
        else if (!p->is_limited)
            search_prefixes(t);
    }
    bestdag_part_split_release(&split);
    return bestdag_run_status(p->run);
}

/* If the bound leaves a gap: searches orders for longer, then repeats
 * reduced-cost fixing with a better incumbent. */
static int search_longer(struct bestdag_part *t)
{
    struct proof *p = t->proof;
    int64_t before = t->upper;
    int *order = bestdag_alloc(p->run, (size_t)t->n * sizeof *order);
    if (order &&
        !bestdag_first_network_begin(
            p->task, bestdag_first_network_steps(p->task->problem), order,
            &p->steps) &&
        !consider(t, order) && t->upper < before) {
        on_delete(t, t->relax, t->upper + 1);
        bestdag_reduced_cost_fixing(t->relax, t->upper + 1);
    }
    bestdag_run_phase(p->run, "cluster", 0);
    bestdag_free(order);
    return bestdag_run_status(p->run);
}

static int solve_part(struct bestdag_part *t)
{
    struct proof *p = t->proof;
    p->parts++;
    bestdag_certificate_part(p->certificate, t->variable, t->n);
    prove(t, t->relax->bound);
    if (t->proved < t->upper && improve_bound(t))
        return bestdag_run_status(p->run);
    if (t->depth == 0 && t->proved < t->upper && !bestdag_run_stopped(p->run) &&
        search_longer(t))
        return bestdag_run_status(p->run);
    bestdag_certificate_multipliers(p->certificate, t->relax, t->variable);
    if (t->depth == 0 && p->task->clusters) {
        if (bestdag_saved_clusters_take(p->task->clusters, t->relax))
            return bestdag_run_status(p->run);
        p->task->clusters->is_final = true;
    }
    if (t->depth == 0)
        bestdag_note(
            p->run, 1, "cluster: %d clusters leave a gap of %.3f of %.3f nats",
            t->relax->pool.count,
            ldexp((double)(t->upper - t->proved), -p->task->problem->shift),
            ldexp((double)t->upper, -p->task->problem->shift));
    if (t->proved < t->upper && continue_part(t))
        return bestdag_run_status(p->run);
    bestdag_certificate_end(p->certificate);
    return BESTDAG_OK;
}

/* ---- the solver ---------------------------------------------------------- */

/* Begins with the clusters of another prover, if there are any. */
static int goes_on(const struct proof *p, struct bestdag_relaxation *relax)
{
    return p->task->clusters
               ? bestdag_saved_clusters_give(p->task->clusters, relax)
               : BESTDAG_OK;
}

/* Dual ascent, with turns; false: stopped, or an error. */
static bool ascend(struct proof *p, struct bestdag_relaxation *r, int *order)
{
    bool is_dag = false, is_over = false;
    while (!is_dag && !is_over && !bestdag_run_stopped(p->run)) {
        double left = bestdag_turn_left(p->task, work_of(p, r->work));
        int64_t more = bestdag_work_units(fmin(left, 1e6), BESTDAG_WORK_RELAX);
        r->most = isinf(left) ? 0 : r->work + more;
        is_dag = bestdag_dual_ascent(r, INT64_MAX / 8, order);
        is_over = !r->most || r->work <= r->most;
        if (!is_dag && !is_over &&
            bestdag_turn_is_over(p->task, work_of(p, r->work)))
            bestdag_turn_pass(p->task);
    }
    r->most = 0;
    return is_dag;
}

/* Dual ascent alone proves easy problems and finds their order; otherwise the
 * incumbent comes from a short search over orders. */
static int begin(struct proof *p, struct bestdag_part *all)
{
    if (bestdag_part_init(all, p->task->n))
        return bestdag_run_status(p->run);
    int *order = bestdag_alloc(p->run, (size_t)all->n * sizeof *order);
    all->relax = bestdag_relaxation_of(p->run, p->task->problem, false);
    all->upper = p->upper = BESTDAG_UNKNOWN_COST;
    for (int v = 0; v < all->n; v++)
        all->variable[v] = v;
    if (order && all->relax && !goes_on(p, all->relax)) {
        if (ascend(p, all->relax, order))
            consider(all, order);
        p->work += all->relax->work;
        if (all->relax->bound < all->upper &&
            !bestdag_first_network_begin(
                p->task,
                bestdag_first_network_steps(p->task->problem) / FIRST_SHARE,
                order, &p->steps))
            consider(all, order);
    }
    bestdag_free(order);
    return bestdag_run_status(p->run);
}

/* Certifies the trivial bound: no network costs less than 0. */
static void claim_nothing(const struct bestdag_task *task, const char *path)
{
    struct bestdag_certificate *w = bestdag_certificate_open(
        task->run, path, task->n, task->problem->shift);
    int32_t *all = bestdag_alloc(task->run, (size_t)task->n * sizeof *all);
    for (int v = 0; all && v < task->n; v++)
        all[v] = v;
    if (all)
        bestdag_certificate_part(w, all, task->n);
    bestdag_certificate_end(w);
    bestdag_certificate_close(w, 0);
    bestdag_free(all);
}

/* Without enough time for the relaxation: a good network, and no proof. */
static int give_up(struct bestdag_task *task, const char *certificate,
                   struct bestdag_answer *to)
{
    if (!bestdag_first_network_only(task, to))
        claim_nothing(task, certificate);
    return bestdag_run_status(task->run);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct proof p = {.task = task, .run = task->run};
    struct bestdag_part all = {.run = task->run, .proof = &p};
    const char *path = bestdag_option_value(
                           task->options, &bestdag_solve_options, "certificate")
                           .text;
    if (!bestdag_relaxation_fits(p.run, task->problem,
                                 p.run->deadline - bestdag_seconds()))
        return give_up(task, path, to);
    p.most_steps = task->steps;
    if (!p.most_steps)
        p.most_steps = bestdag_task_setting(task, "steps").integer;
    if (task->work > 0)
        p.most_work = bestdag_work_units(task->work, BESTDAG_WORK_RELAX);
    p.bytes = bestdag_search_bytes(p.run);
    if (!begin(&p, &all)) {
        bestdag_run_phase(p.run, "cluster", 0);
        p.certificate = bestdag_certificate_open(p.run, path, task->n,
                                                 task->problem->shift);
        if (!bestdag_run_status(p.run) && !solve_part(&all) &&
            all.upper < BESTDAG_UNKNOWN_COST)
            bestdag_first_network_answer(task, all.order, all.proved, to);
        bestdag_certificate_close(p.certificate, all.proved);
    }
    if (!bestdag_run_status(p.run))
        bestdag_note(p.run, 1,
                     "cluster: %d parts, %lld nodes expanded, %lld generated",
                     p.parts, (long long)p.expanded, (long long)p.looked);
    to->steps = p.steps + p.looked;
    to->work = work_of(&p, 0);
    to->is_limited = p.is_limited;
    bestdag_part_release(&all);
    return bestdag_run_status(p.run);
}

const struct bestdag_solver bestdag_solver_cluster = {
    .name = "cluster",
    .help =
        "exact: bound by cluster constraints (one variable of a cluster has no "
        "parent inside), close to the optimum also where subsets are too many",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .proves = true,
    .settings = settings,
    .solve = solve,
};
