/* SPDX-License-Identifier: MIT */
/* reduction.c -- a network cut down to factors over the variables asked for.
 *
 * Relevant tables are those of the variables asked for, of evidence and of
 * their ancestors; or, pruned, those that Bayes-ball requires from the
 * variables asked for (Shachter 1998), which excludes barren and d-separated
 * variables. Tables are restricted to the observed states. The other variables
 * are summed out one by one in a greedy order (elimination.c), each with the
 * product of the factors that mention it (factor.c). A factor waits in the
 * bucket of the variable of its scope that is eliminated first (Dechter 1996):
 *
 *     bucket[step of x]: factors with x and nothing eliminated before x
 *     bucket[steps]:     factors of the variables asked for
 *
 * The order fixes all sizes, so work and the peak of memory are known before
 * any number is computed. Cost: exponential in the width of the graph of
 * relevant variables, at worst. */
#include "inference/reduction.h"

#include <math.h>
#include <string.h>

#include "network/network.h"

/* ---- what matters -------------------------------------------------------- */

static bool is_forced(const struct bestdag_reduction *r, int v)
{
    return r->evidence && r->evidence->doing[v] >= 0;
}

/* The only possible state of v, unless v is asked for; -1: several. */
static int state_of(const struct bestdag_reduction *r, int v)
{
    if (!r->evidence || (r->local[v] >= 0 && r->local[v] < r->asked))
        return -1;
    return r->evidence->doing[v] >= 0 ? r->evidence->doing[v]
                                      : r->evidence->seen[v];
}

static void add(struct bestdag_reduction *r, int v)
{
    if (r->local[v] >= 0)
        return;
    r->local[v] = r->relevant;
    r->global[r->relevant++] = v;
}

static void find_ancestors(struct bestdag_reduction *r)
{
    const struct bestdag_dag *dag = r->network->dag;
    for (int v = 0; r->evidence && v < dag->n; v++)
        if (r->evidence->known[v])
            add(r, v);
    for (int i = 0; i < r->relevant; i++) {
        const struct bestdag_parents *p = &dag->parents[r->global[i]];
        for (int k = 0; !is_forced(r, r->global[i]) && k < p->count; k++)
            add(r, p->at[k]);
    }
}

struct ball {
    int *first, *child; /* children of v: child[first[v]] .. */
    int *stack;         /* variable * 2 + 1 if visited from a parent */
    unsigned char *was; /* [n]: 1: visited from a child, 2: from a parent, 4:
                           its table is relevant */
    int count;
};

static void throw_ball(struct ball *b, int v, bool from_parent)
{
    unsigned char bit = from_parent ? 2 : 1;
    if (b->was[v] & bit)
        return;
    b->was[v] |= bit;
    b->stack[b->count++] = 2 * v + from_parent;
}

static void bounce(const struct bestdag_reduction *r, struct ball *b, int v,
                   bool from_parent)
{
    const struct bestdag_parents *p = &r->network->dag->parents[v];
    const struct bestdag_evidence *e = r->evidence;
    bool asked = r->local[v] >=
                 0; /* so far only variables asked for have local numbers */
    bool known = e && e->known[v], seen = known && e->seen[v] >= 0 && !asked;
    if (is_forced(r, v) && !asked && !known)
        return;
    bool up = from_parent ? known : !seen, down = !seen;
    if (up || asked)
        b->was[v] |= 4;
    for (int k = 0; (up || asked) && !is_forced(r, v) && k < p->count; k++)
        throw_ball(b, p->at[k], false);
    for (int k = b->first[v]; down && k < b->first[v + 1]; k++)
        throw_ball(b, b->child[k], true);
}

static void list_children(const struct bestdag_dag *dag, struct ball *b)
{
    int *first =
        b->first + 1; /* first[v + 1]: where v's next child is written */
    for (int v = 0; v < dag->n; v++)
        for (int k = 0; k < dag->parents[v].count; k++)
            first[dag->parents[v].at[k] + 1]++;
    for (int v = 0; v < dag->n; v++)
        first[v + 1] += first[v];
    for (int v = 0; v < dag->n; v++)
        for (int k = 0; k < dag->parents[v].count; k++)
            b->child[first[dag->parents[v].at[k]]++] = v;
}

/* Bayes-ball. A likelihood acts as an observed child: the ball passes through,
 * and also bounces back. */
static int find_requisite(struct bestdag_run *run, struct bestdag_reduction *r)
{
    const struct bestdag_dag *dag = r->network->dag;
    size_t n = (size_t)dag->n, arcs = 0;
    for (int v = 0; v < dag->n; v++)
        arcs += (size_t)dag->parents[v].count;
    struct ball b = {
        .first = bestdag_calloc(run, n + 2, sizeof *b.first),
        .child = bestdag_alloc(run, arcs * sizeof *b.child),
        .stack = bestdag_alloc(run, 2 * n * sizeof *b.stack),
        .was = bestdag_calloc(run, n, 1),
    };
    if (!bestdag_run_status(run)) {
        list_children(dag, &b);
        for (int i = 0; i < r->asked; i++)
            throw_ball(&b, r->global[i], false);
        while (b.count) {
            int top = b.stack[--b.count];
            bounce(r, &b, top / 2, top % 2);
        }
        for (int v = 0; v < dag->n; v++)
            if (b.was[v] & 4)
                add(r, v);
    }
    bestdag_free(b.first);
    bestdag_free(b.child);
    bestdag_free(b.stack);
    bestdag_free(b.was);
    return bestdag_run_status(run);
}

/* ---- the plan ------------------------------------------------------------ */

/* Scope of a variable's own table without variables in one state. */
static int own_scope(const struct bestdag_reduction *r, int v, int *scope)
{
    int x = r->global[v], count = 0;
    const struct bestdag_parents *p = &r->network->dag->parents[x];
    for (int i = 0; !is_forced(r, x) && i < p->count; i++)
        if (state_of(r, p->at[i]) < 0)
            scope[count++] = r->local[p->at[i]];
    if (state_of(r, x) < 0)
        scope[count++] = v;
    return count;
}

/* Computes the work and the peak memory of results. */
static int predict(struct bestdag_run *run, struct bestdag_reduction *r)
{
    const struct bestdag_elimination *e = &r->plan;
    int64_t *ends = bestdag_calloc(run, (size_t)e->steps + 1, sizeof *ends);
    int64_t now = 0, peak = 0;
    for (int i = 0; ends && i < e->steps; i++) {
        const struct bestdag_scope *s = &e->scope[e->order[i]];
        int64_t cells = bestdag_elimination_cells(e, e->order[i]);
        int end = e->steps;
        for (int k = 0; k < s->count; k++)
            if (r->step[s->at[k]] < end)
                end = r->step[s->at[k]];
        ends[end] += cells;
        now += cells;
        peak = now > peak ? now : peak;
        now -= ends[i];
        r->work += 3.0 * (double)cells * e->states[e->order[i]];
    }
    r->bytes = peak * (int64_t)sizeof(double);
    bestdag_free(ends);
    return bestdag_run_status(run);
}

static int64_t scope_room(const struct bestdag_reduction *r)
{
    int64_t room = r->relevant;
    for (int i = 0; i < r->relevant; i++)
        room += r->network->dag->parents[r->global[i]].count;
    return room;
}

static int make_plan(struct bestdag_run *run, struct bestdag_reduction *r)
{
    for (int v = 0; v < r->relevant; v++) {
        r->plan.states[v] = r->network->variable[r->global[v]].states;
        r->plan.kept[v] = v < r->asked || state_of(r, r->global[v]) >= 0;
    }
    for (int v = 0; v < r->relevant; v++)
        if (bestdag_elimination_join(run, &r->plan, r->scope,
                                     own_scope(r, v, r->scope)))
            return bestdag_run_status(run);
    if (bestdag_elimination_plan(run, &r->plan))
        return bestdag_run_status(run);
    for (int v = 0; v < r->relevant; v++)
        r->step[v] = r->plan.steps;
    for (int i = 0; i < r->plan.steps; i++)
        r->step[r->plan.order[i]] = i;
    return predict(run, r);
}

int bestdag_reduction_plan(struct bestdag_run *run, struct bestdag_reduction *r,
                           bool pruned)
{
    r->relevant = r->asked;
    if (!pruned)
        find_ancestors(r);
    else if (find_requisite(run, r))
        return bestdag_run_status(run);
    size_t m = (size_t)r->relevant;
    r->step = bestdag_alloc(run, m * sizeof *r->step);
    r->bucket = bestdag_alloc(run, (m + 1) * sizeof *r->bucket);
    r->scope = bestdag_alloc(run, (size_t)scope_room(r) * sizeof *r->scope);
    r->factor = bestdag_calloc(run, 3 * m, sizeof *r->factor);
    r->list = bestdag_alloc(run, 3 * m * sizeof *r->list);
    if (!bestdag_run_status(run) &&
        !bestdag_elimination_new(run, r->relevant, &r->plan))
        make_plan(run, r);
    return bestdag_run_status(run);
}

void bestdag_reduction_release(struct bestdag_reduction *r)
{
    for (int i = 0; i < r->relevant; i++)
        r->local[r->global[i]] = -1;
    for (int f = 0; f < r->factors; f++)
        bestdag_free(r->factor[f].own);
    bestdag_elimination_release(&r->plan);
    bestdag_free(r->step);
    bestdag_free(r->bucket);
    bestdag_free(r->scope);
    bestdag_free(r->factor);
    bestdag_free(r->list);
}

/* ---- factors and buckets ------------------------------------------------- */

static void put_in_bucket(struct bestdag_reduction *r,
                          struct bestdag_factor factor)
{
    int first = r->plan.steps;
    for (int i = 0; i < factor.count; i++)
        if (r->step[factor.scope[i]] < first)
            first = r->step[factor.scope[i]];
    factor.next = r->bucket[first];
    r->bucket[first] = r->factors;
    r->factor[r->factors++] = factor;
}

/* Copies v's own table where all fixed variables are in their states. */
static double *cut_down(struct bestdag_run *run,
                        const struct bestdag_reduction *r, int x,
                        int64_t *cells)
{
    const struct bestdag_network *net = r->network;
    const struct bestdag_parents *p = &net->dag->parents[x];
    const double *table = net->variable[x].table;
    *cells = 1;
    for (int i = 0; i <= p->count; i++) {
        int u = i < p->count ? p->at[i] : x;
        *cells *= state_of(r, u) < 0 ? net->variable[u].states : 1;
    }
    double *to = bestdag_alloc(run, (size_t)*cells * sizeof *to);
    for (int64_t j = 0; to && j < *cells; j++) {
        int64_t at = 0, stride = 1, rest = j;
        for (int i = p->count; i >= 0; i--) {
            int u = i < p->count ? p->at[i] : x, s = state_of(r, u);
            int states = net->variable[u].states;
            if (s < 0) { /* not fixed: a digit of j, the last fastest */
                s = (int)(rest % states);
                rest /= states;
            }
            at += s * stride;
            stride *= states;
        }
        to[j] = table[at];
    }
    return to;
}

/* Adds the table and the likelihood of local variable v. */
static int put_own(struct bestdag_run *run, struct bestdag_reduction *r, int v,
                   int *scope)
{
    const struct bestdag_evidence *e = r->evidence;
    int x = r->global[v], count = own_scope(r, v, scope),
        state = state_of(r, x);
    struct bestdag_factor f = {count, scope, r->network->variable[x].table,
                               NULL, -1};
    if (is_forced(r, x))
        f.cell = e->forced + e->offset[x] + (state < 0 ? 0 : state);
    else if (count <= r->network->dag->parents[x].count) {
        int64_t cells;
        f.cell = f.own = cut_down(run, r, x, &cells);
        if (!f.own)
            return bestdag_run_status(run);
    }
    put_in_bucket(r, f);
    if (e && e->known[x])
        put_in_bucket(r, (struct bestdag_factor){state < 0, scope + count - 1,
                                                 bestdag_evidence_of(e, x) +
                                                     (state < 0 ? 0 : state),
                                                 NULL, -1});
    return BESTDAG_OK;
}

static int put_all(struct bestdag_run *run, struct bestdag_reduction *r)
{
    int *scope = r->scope;
    for (int i = 0; i <= r->plan.steps; i++)
        r->bucket[i] = -1;
    for (int v = 0; v < r->relevant; v++) {
        if (put_own(run, r, v, scope))
            return bestdag_run_status(run);
        scope += r->network->dag->parents[r->global[v]].count + 1;
    }
    return BESTDAG_OK;
}

static int list_bucket(struct bestdag_reduction *r, int step)
{
    int count = 0;
    for (int f = r->bucket[step]; f >= 0; f = r->factor[f].next)
        r->list[count++] = f;
    return count;
}

static void empty_bucket(struct bestdag_reduction *r, int step)
{
    for (int f = r->bucket[step]; f >= 0; f = r->factor[f].next) {
        bestdag_free(r->factor[f].own);
        r->factor[f].own = NULL;
    }
}

/* Scales by a power of 2, so that the largest cell is in [1/2, 1). */
static void rescale(struct bestdag_reduction *r, double *cell, int64_t cells)
{
    double most = 0;
    int exponent;
    for (int64_t i = 0; i < cells; i++)
        most = cell[i] > most ? cell[i] : most;
    if (most <= 0)
        return;
    frexp(most, &exponent);
    double scale = ldexp(1, -exponent);
    for (int64_t i = 0; i < cells; i++)
        cell[i] *= scale;
    r->exponent += exponent;
}

static int sum_out(struct bestdag_run *run, struct bestdag_reduction *r,
                   int step)
{
    int v = r->plan.order[step];
    const struct bestdag_scope *s = &r->plan.scope[v];
    int64_t cells = bestdag_elimination_cells(&r->plan, v);
    double *own = bestdag_alloc(run, (size_t)cells * sizeof *own);
    if (!own)
        return bestdag_run_status(run);
    struct bestdag_product p = {.factor = r->factor,
                                .list = r->list,
                                .factors = list_bucket(r, step),
                                .axis = s->at,
                                .axes = s->count,
                                .summed = v,
                                .states = r->plan.states,
                                .watches = r->watches};
    int status = bestdag_product_compute(run, &p, own);
    if (!status)
        rescale(r, own, cells);
    empty_bucket(r, step);
    put_in_bucket(r, (struct bestdag_factor){s->count, s->at, own, own, -1});
    return status;
}

int bestdag_reduction_run(struct bestdag_run *run, struct bestdag_reduction *r)
{
    if (bestdag_reserve(run, r->bytes, "the joint probability") ||
        put_all(run, r))
        return bestdag_run_status(run);
    for (int i = 0; i < r->plan.steps; i++)
        if (sum_out(run, r, i))
            return bestdag_run_status(run);
    r->left = list_bucket(r, r->plan.steps);
    return BESTDAG_OK;
}
