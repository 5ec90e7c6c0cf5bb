/* SPDX-License-Identifier: MIT */
/* cluster.c -- proved optimal by clusters.
 *
 *     an order that is good        orders, for a short while
 *     a part (first: everything)   its bound by clusters, polished;
 *                                  sets too dear for a better network go;
 *       falls into pieces?         each is a part of its own
 *       else                       the optimal order, best first
 *
 * A part ends when its bound reaches the cost of its order. Whatever ends it
 * early, what was proved of all parts together is the bound. */
#include <assert.h>
#include <math.h>

#include "base/invariant.h"
#include "base/row.h"
#include "base/work.h"
#include "bounds/polish.h"
#include "bounds/rooting.h"
#include "graph/components.h"
#include "search/deposit.h"
#include "search/closing.h"
#include "search/incumbent.h"
#include "search/solver.h"
#include "search/witness.h"

enum { DEEPEST = 60 }; /* parts within parts */

struct proof {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_witness *witness; /* NULL: none is wanted */
    int64_t upper, lower;            /* of the whole, as they are now */
    int64_t bytes, most_steps, steps;
    int64_t most_work, work; /* sets looked at, at most; so far */
    int64_t looked, expanded;
    int parts;
    bool is_limited;
};

/* Variables that depend on each other, and the best order of them so far. */
struct part {
    struct proof *proof;
    struct bestdag_relax *relax; /* owns */
    int n;
    int32_t *variable; /* owns; [n]: numbers in the problem */
    int *order;        /* owns; [n]: local numbers */
    int64_t *cost;     /* owns; [n]: what each costs in that order */
    int64_t upper;     /* the sum of these */
    int64_t proved;    /* it costs at least this */
    int depth;
};

static void tell(struct proof *p)
{
    const struct bestdag_problem *problem = p->task->problem;
    bestdag_task_prove(p->task, problem, p->lower);
    bestdag_task_tell(p->task, bestdag_problem_nats(problem, p->upper), 0);
}

/* ---- orders of a part -------------------------------------------------------
 */

static void release_part(struct part *t)
{
    bestdag_relax_free(t->relax);
    bestdag_free(t->variable);
    bestdag_free(t->order);
    bestdag_free(t->cost);
}

static int make_part(struct part *t, int n)
{
    struct bestdag_run *run = t->proof->run;
    t->n = n;
    t->variable = bestdag_alloc(run, (size_t)n * sizeof *t->variable);
    t->order = bestdag_alloc(run, (size_t)n * sizeof *t->order);
    t->cost = bestdag_calloc(run, (size_t)n, sizeof *t->cost);
    return bestdag_run_status(run);
}

/* Takes the order if it costs less than the part's. */
static int consider(struct part *t, const int *order)
{
    struct bestdag_run *run = t->proof->run;
    int64_t *cost = bestdag_alloc(run, (size_t)t->n * sizeof *cost);
    int64_t sum = cost ? bestdag_relax_cost(t->relax, order, cost) : -1;
    if (sum >= 0 && sum < t->upper) {
        assert(bestdag_is_permutation(order, t->n));
        assert(sum >= t->proved); /* no order is below what was proved */
        t->proof->upper += sum - t->upper;
        t->upper = sum;
        memcpy(t->cost, cost, (size_t)t->n * sizeof *cost);
        memcpy(t->order, order, (size_t)t->n * sizeof *order);
        if (t->depth == 0) /* the whole problem, in its own numbers */
            bestdag_task_deposit_order(t->proof->task, order, sum);
        tell(t->proof);
    }
    bestdag_free(cost);
    return bestdag_run_status(run);
}

/* ---- the bound --------------------------------------------------------------
 */

static void prove(struct part *t, int64_t bound)
{
    if (bound > t->upper)
        bound = t->upper;
    if (bound <= t->proved)
        return;
    t->proof->lower += bound - t->proved;
    t->proved = bound;
    assert(t->proved <= t->upper);
    assert(t->proof->lower <= t->proof->upper);
    tell(t->proof);
}

static void on_order(void *job, struct bestdag_polish *polish, const int *order)
{
    struct part *t = job;
    consider(t, order);
    prove(t, t->relax->bound);
    polish->upper = t->upper;
}

static int on_delete(void *job, const struct bestdag_relax *relax,
                     int64_t limit)
{
    struct part *t = job;
    bestdag_witness_multipliers(t->proof->witness, relax, t->variable);
    bestdag_witness_delete(t->proof->witness, limit);
    return BESTDAG_OK;
}

/* Sets that may still be looked at, at least 1; 0: no limit. */
static int64_t work_left(const struct proof *p)
{
    int64_t left = p->most_work - p->work;
    return !p->most_work ? 0 : left > 1 ? left : 1;
}

static int polish(struct part *t)
{
    struct bestdag_polish plan = {.upper = t->upper,
                                  .most_work = 20000000,
                                  .job = t,
                                  .on_order = on_order,
                                  .on_delete = on_delete};
    int64_t left = work_left(t->proof), before = t->relax->work;
    for (int v = 0; v < t->n; v++)
        plan.most_work += 100000 * (int64_t)t->relax->stock[v].count;
    if (left && left < plan.most_work)
        plan.most_work = left;
    int status = bestdag_relax_polish(t->relax, &plan);
    t->proof->work += t->relax->work - before;
    if (!status)
        prove(t, t->relax->bound);
    return status;
}

/* ---- pieces -----------------------------------------------------------------
 */

/* How a part falls apart. */
struct split {
    struct bestdag_run *run;
    int count;
    int *component;  /* owns; [n]: numbers follow the arcs, parents first */
    int32_t *start;  /* owns; [count + 1] */
    int32_t *member; /* owns; [n]: by component, ascending in each */
    int32_t *rename; /* owns; [n]: the number in its piece while that is made,
                        else -1 */
    int32_t *inside; /* owns; [clusters]: the component it lies in, or -1 */
};

static void release_split(struct split *s)
{
    bestdag_free(s->component);
    bestdag_free(s->start);
    bestdag_free(s->member);
    bestdag_free(s->rename);
    bestdag_free(s->inside);
}

/* Adds the arcs from all that v may take to v; `to` NULL: counts them only. */
static int64_t list_arcs(const struct bestdag_stock *s, int v, uint64_t *used,
                         int64_t *start, int *to)
{
    int64_t count = 0;
    memset(used, 0, (size_t)s->words * sizeof *used);
    for (int i = 0; i < s->count; i++)
        bestdag_row_join(used, bestdag_stock_mask(s, i), (size_t)s->words);
    for (int b = 0; b < s->universe; b++)
        if (bestdag_row_has(used, b)) {
            if (to)
                to[start[s->member[b] + 1]++] = v;
            else
                start[s->member[b] + 2]++;
            count++;
        }
    return count;
}

static int find_components(const struct part *t, struct split *s)
{
    const struct bestdag_stock *stock = t->relax->stock;
    struct bestdag_adjacency graph = {.n = t->n};
    int64_t arcs = 0;
    int words = 1;
    for (int v = 0; v < t->n; v++)
        words = stock[v].words > words ? stock[v].words : words;
    uint64_t *used = bestdag_alloc(s->run, (size_t)words * sizeof *used);
    graph.start = bestdag_calloc(s->run, (size_t)t->n + 2, sizeof *graph.start);
    for (int v = 0; used && graph.start && v < t->n; v++)
        arcs += list_arcs(&stock[v], v, used, graph.start, NULL);
    graph.to = bestdag_alloc(s->run, (size_t)arcs * sizeof *graph.to);
    if (used && graph.start && graph.to) {
        for (int v = 0; v < t->n; v++)
            graph.start[v + 2] += graph.start[v + 1];
        for (int v = 0; v < t->n; v++)
            list_arcs(&stock[v], v, used, graph.start, graph.to);
        s->count = bestdag_components_strong(s->run, &graph, s->component);
    }
    bestdag_free(used);
    bestdag_free(graph.start);
    bestdag_free(graph.to);
    return bestdag_run_status(s->run);
}

/* The component that all members of a cluster are in, or -1. */
static int component_of(const struct split *s, const struct bestdag_cluster *c)
{
    for (int i = 1; i < c->size; i++)
        if (s->component[c->member[i]] != s->component[c->member[0]])
            return -1;
    return s->component[c->member[0]];
}

static int find_split(const struct part *t, struct split *s)
{
    const struct bestdag_pool *pool = &t->relax->pool;
    size_t n = (size_t)t->n, clusters = (size_t)pool->count;
    *s = (struct split){.run = t->proof->run};
    s->component = bestdag_alloc(s->run, n * sizeof *s->component);
    s->member = bestdag_alloc(s->run, n * sizeof *s->member);
    s->rename = bestdag_alloc(s->run, n * sizeof *s->rename);
    s->inside = bestdag_alloc(s->run, clusters * sizeof *s->inside);
    if (bestdag_run_status(s->run) || find_components(t, s))
        return bestdag_run_status(s->run);
    s->start = bestdag_calloc(s->run, (size_t)s->count + 2, sizeof *s->start);
    if (!s->start)
        return bestdag_run_status(s->run);
    for (int v = 0; v < t->n; v++)
        s->start[s->component[v] + 2]++;
    for (int i = 0; i < s->count; i++)
        s->start[i + 2] += s->start[i + 1];
    for (int v = 0; v < t->n; v++) {
        s->member[s->start[s->component[v] + 1]++] = v;
        s->rename[v] = -1;
    }
    for (int i = 0; i < pool->count; i++)
        s->inside[i] = component_of(s, pool->at[i]);
    return BESTDAG_OK;
}

static int fill_piece(struct part *to, const struct part *from,
                      const struct split *split, int piece)
{
    for (int k = split->start[piece]; k < split->start[piece + 1]; k++) {
        int v = split->member[k];
        const struct bestdag_stock *s = &from->relax->stock[v];
        struct bestdag_supply supply = {.count = s->count,
                                        .words = s->words,
                                        .universe = s->universe,
                                        .member = s->member,
                                        .mask = s->mask,
                                        .cost = s->cost,
                                        .number = s->number,
                                        .rename = split->rename};
        if (bestdag_relax_fill(to->relax, split->rename[v], &supply))
            return bestdag_run_status(split->run);
    }
    return bestdag_relax_ready(to->relax);
}

/* Clusters of the whole that lie in the piece, with their multipliers. */
static int inherit(struct part *to, const struct part *from,
                   const struct split *split, int piece)
{
    const struct bestdag_pool *p = &from->relax->pool;
    int32_t *member =
        bestdag_alloc(split->run, (size_t)to->n * 2 * sizeof *member);
    for (int i = 0; member && i < p->count; i++) {
        const struct bestdag_cluster *c = p->at[i];
        struct bestdag_shape shape = {.member = member,
                                      .block = member + c->size,
                                      .size = c->size,
                                      .blocked = c->blocked,
                                      .least = c->least};
        if (split->inside[i] != piece)
            continue;
        for (int k = 0; k < c->size; k++)
            member[k] = split->rename[c->member[k]];
        for (int k = 0; k < c->blocked; k++)
            member[c->size + k] = split->rename[c->block[k]];
        int number = bestdag_relax_cluster(to->relax, &shape);
        if (number >= 0)
            to->relax->pool.y[number] = p->y[i];
    }
    bestdag_free(member);
    if (!bestdag_run_status(split->run))
        bestdag_relax_set(to->relax, to->relax->pool.y);
    return bestdag_run_status(split->run);
}

static int make_piece(struct part *to, const struct part *from,
                      const struct split *split, int piece)
{
    const int32_t *member = split->member + split->start[piece];
    int placed = 0;
    *to = (struct part){.proof = from->proof, .depth = from->depth + 1};
    if (make_part(to, split->start[piece + 1] - split->start[piece]))
        return bestdag_run_status(split->run);
    for (int i = 0; i < to->n; i++) {
        split->rename[member[i]] = i;
        to->variable[i] = from->variable[member[i]];
        to->cost[i] = from->cost[member[i]];
        to->upper += to->cost[i];
    }
    for (int i = 0; i < from->n && placed < to->n; i++)
        if (split->rename[from->order[i]] >= 0)
            to->order[placed++] = split->rename[from->order[i]];
    to->relax = bestdag_relax_new(split->run, to->n);
    if (to->relax && !fill_piece(to, from, split, piece))
        inherit(to, from, split, piece);
    for (int i = 0; i < to->n; i++)
        split->rename[member[i]] = -1;
    return bestdag_run_status(split->run);
}

/* ---- parts ------------------------------------------------------------------
 */

static int solve_part(struct part *t);

/* Solves a piece; what it found comes to t->cost and order[n of the piece]. */
static int solve_piece(struct part *t, const struct split *split, int i,
                       int *order)
{
    const int32_t *member = split->member + split->start[i];
    struct part piece = {0};
    if (!make_piece(&piece, t, split, i) && !solve_part(&piece)) {
        t->proved += piece.proved;
        t->upper += piece.upper;
        for (int k = 0; k < piece.n; k++) {
            t->cost[member[k]] = piece.cost[k];
            order[k] = member[piece.order[k]];
        }
    }
    release_part(&piece);
    return bestdag_run_status(t->proof->run);
}

/* A piece stays as it is, and costs no less than nothing. */
static void pass_piece(struct part *t, const struct split *split, int i,
                       int *order)
{
    for (int k = 0; k < t->n; k++)
        if (split->component[t->order[k]] == i) {
            *order++ = t->order[k];
            t->upper += t->cost[t->order[k]];
        }
}

/* To lay out pieces takes time that a stopped run, or one whose work is done,
 * does not have. Certificates want all of them. */
static bool passes(const struct proof *p)
{
    bool is_spent = p->most_work && p->work >= p->most_work;
    return !p->witness && (is_spent || bestdag_run_stopped(p->run));
}

/* The pieces' orders one after the other are an order of the whole. What was
 * proved of the whole before they were taken apart holds. */
static int solve_pieces(struct part *t, const struct split *split)
{
    int *whole = bestdag_alloc(split->run, (size_t)t->n * sizeof *whole);
    int64_t before = t->proved;
    bool is_passed = false;
    if (!whole)
        return bestdag_run_status(split->run);
    t->proof->lower -= t->proved; /* pieces count their own from now on */
    t->proved = t->upper = 0;
    for (int i = 0; i < split->count; i++) {
        int *order = whole + split->start[i];
        if (passes(t->proof)) {
            pass_piece(t, split, i, order);
            is_passed = true;
        } else if (solve_piece(t, split, i, order))
            break;
    }
    if (is_passed)
        prove(t, before);
    memcpy(t->order, whole, (size_t)t->n * sizeof *whole);
    bestdag_free(whole);
    return bestdag_run_status(split->run);
}

static void tell_finish(void *job, int64_t upper, int64_t bound)
{
    struct part *t = job;
    if (upper < t->upper) { /* its order comes at the end */
        t->proof->upper += upper - t->upper;
        t->upper = upper;
    }
    prove(t, bound);
}

static int finish(struct part *t)
{
    struct proof *p = t->proof;
    int *order = bestdag_alloc(p->run, (size_t)t->n * sizeof *order);
    struct bestdag_closing f = {
        .run = p->run,
        .root = t->relax,
        .witness = p->witness,
        .bytes = (p->bytes - bestdag_memory_used(p->run)) / 4 * 3,
        .most_nodes = p->most_steps ? p->most_steps - p->expanded : 0,
        .most_work = work_left(p),
        .upper = t->upper,
        .order = order,
        .tell = tell_finish,
        .job = t};
    if (!order || bestdag_witness_table(p->witness, t->n))
        return bestdag_run_status(p->run);
    int status = bestdag_closing_search(&f);
    if (!status) {
        p->looked += f.looked;
        p->expanded += f.expanded;
        p->work += f.work;
        p->is_limited |= f.is_limited;
        bestdag_witness_done(p->witness, f.bound);
        tell_finish(t, f.upper, f.bound);
        if (f.is_better) {
            t->upper = BESTDAG_UNKNOWN_COST; /* costs are counted anew */
            p->upper += t->upper - f.upper;
            consider(t, order);
        }
    }
    bestdag_free(order);
    return status;
}

static int continue_part(struct part *t)
{
    struct proof *p = t->proof;
    struct split split;
    if (bestdag_run_stopped(p->run)) /* what is proved stands */
        return bestdag_run_status(p->run);
    if (!find_split(t, &split)) {
        if (split.count > 1 && t->depth < DEEPEST)
            solve_pieces(t, &split);
        else if (!p->is_limited)
            finish(t);
    }
    release_split(&split);
    return bestdag_run_status(p->run);
}

/* The bound leaves a gap: a longer look for a good order, and what is too dear
 * for a better one goes. */
static int look_longer(struct part *t)
{
    struct proof *p = t->proof;
    int64_t before = t->upper;
    int *order = bestdag_alloc(p->run, (size_t)t->n * sizeof *order);
    if (order &&
        !bestdag_incumbent_find(p->task,
                                bestdag_incumbent_steps(p->task->problem),
                                order, &p->steps) &&
        !consider(t, order) && t->upper < before) {
        on_delete(t, t->relax, t->upper + 1);
        bestdag_relax_delete(t->relax, t->upper + 1);
    }
    bestdag_run_phase(p->run, "cluster", 0);
    bestdag_free(order);
    return bestdag_run_status(p->run);
}

static int solve_part(struct part *t)
{
    struct proof *p = t->proof;
    p->parts++;
    bestdag_witness_part(p->witness, t->variable, t->n);
    prove(t, t->relax->bound);
    if (t->proved < t->upper && polish(t))
        return bestdag_run_status(p->run);
    if (t->depth == 0 && t->proved < t->upper && !bestdag_run_stopped(p->run) &&
        look_longer(t))
        return bestdag_run_status(p->run);
    bestdag_witness_multipliers(p->witness, t->relax, t->variable);
    if (t->depth == 0)
        bestdag_note(
            p->run, 1, "cluster: %d clusters leave a gap of %.3f of %.3f nats",
            t->relax->pool.count,
            ldexp((double)(t->upper - t->proved), -p->task->problem->shift),
            ldexp((double)t->upper, -p->task->problem->shift));
    if (t->proved < t->upper && continue_part(t))
        return bestdag_run_status(p->run);
    bestdag_witness_end(p->witness);
    return BESTDAG_OK;
}

/* ---- the solver -------------------------------------------------------------
 */

/* Ascent alone proves what is easy, and finds its order. Else a short search
 * does. */
static int begin(struct proof *p, struct part *all)
{
    if (make_part(all, p->task->n))
        return bestdag_run_status(p->run);
    int *order = bestdag_alloc(p->run, (size_t)all->n * sizeof *order);
    all->relax = bestdag_relax_of(p->run, p->task->problem, false);
    all->upper = p->upper = BESTDAG_UNKNOWN_COST;
    for (int v = 0; v < all->n; v++)
        all->variable[v] = v;
    if (order && all->relax) {
        if (bestdag_relax_ascend(all->relax, INT64_MAX / 8, order))
            consider(all, order);
        if (all->relax->bound < all->upper &&
            !bestdag_incumbent_find(
                p->task, bestdag_incumbent_steps(p->task->problem) / 4, order,
                &p->steps))
            consider(all, order);
    }
    bestdag_free(order);
    return bestdag_run_status(p->run);
}

static int64_t bytes_allowed(const struct bestdag_run *run)
{
    int64_t limit = bestdag_memory_limit(run) / 16 * 15;
    int64_t most = bestdag_memory_physical() / 10 * 8;
    return limit && (!most || limit < most) ? limit : most ? most : INT64_MAX;
}

/* A certificate that claims what is clear without one: nobody costs less than
 * nothing. */
static void claim_nothing(const struct bestdag_task *task, const char *path)
{
    struct bestdag_witness *w =
        bestdag_witness_open(task->run, path, task->n, task->problem->shift);
    int32_t *all = bestdag_alloc(task->run, (size_t)task->n * sizeof *all);
    for (int v = 0; all && v < task->n; v++)
        all[v] = v;
    if (all)
        bestdag_witness_part(w, all, task->n);
    bestdag_witness_end(w);
    bestdag_witness_close(w, 0);
    bestdag_free(all);
}

/* Too much for the time that is left: a good network, and no proof. */
static int give_up(struct bestdag_task *task, const char *certificate,
                   struct bestdag_answer *to)
{
    if (!bestdag_incumbent_only(task, to))
        claim_nothing(task, certificate);
    return bestdag_run_status(task->run);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct proof p = {.task = task, .run = task->run};
    struct part all = {.proof = &p};
    const char *path = bestdag_option_value(task->options, "certificate").text;
    if (!bestdag_relax_fits(p.run, task->problem,
                            p.run->deadline - bestdag_seconds()))
        return give_up(task, path, to);
    p.most_steps = task->steps;
    if (!p.most_steps)
        p.most_steps = bestdag_task_setting(task, "steps").integer;
    if (task->work > 0)
        p.most_work = bestdag_work_units(task->work, BESTDAG_WORK_RELAX);
    p.bytes = bytes_allowed(p.run);
    if (!begin(&p, &all)) {
        bestdag_run_phase(p.run, "cluster", 0);
        p.witness =
            bestdag_witness_open(p.run, path, task->n, task->problem->shift);
        if (!bestdag_run_status(p.run) && !solve_part(&all) &&
            all.upper < BESTDAG_UNKNOWN_COST)
            bestdag_incumbent_answer(task, all.order, all.proved, to);
        bestdag_witness_close(p.witness, all.proved);
    }
    if (!bestdag_run_status(p.run))
        bestdag_note(p.run, 1,
                     "cluster: %d parts, %lld nodes bounded, %lld expanded",
                     p.parts, (long long)p.looked, (long long)p.expanded);
    to->steps = p.steps + p.looked;
    to->work = (double)p.work * BESTDAG_WORK_RELAX +
               (double)p.steps * bestdag_lookup_work(task->problem);
    to->is_limited = p.is_limited;
    release_part(&all);
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
    .solve = solve,
};
