/* SPDX-License-Identifier: MIT */
/* joint.c -- the joint probability of some variables, by elimination.
 *
 * Only the variables asked for and their ancestors matter. Their tables are the
 * factors; the other variables are summed out one by one in a greedy order
 * (elimination.c), each with the product of the factors that mention it
 * (factor.c). A factor waits in the bucket of the variable of its scope that
 * goes first; what has nothing left to sum is multiplied at the end:
 *
 *     bucket[step of x]: factors with x and nothing eliminated before x
 *     bucket[steps]:     factors of the variables asked for
 *
 * (Dechter 1996.) The order fixes all sizes, so the peak of memory is known,
 * and checked against the budget, before any number is computed. Cost:
 * exponential in the width of the graph of ancestors at worst. */
#include "inference/joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inference/elimination.h"
#include "inference/factor.h"

struct bestdag_joint {
    const struct bestdag_network *network;
    bool watches;
    int *local;  /* owns; [n]: its place there; -1: does not matter */
    int *global; /* owns; [n]: the relevant variables, those asked for first */
    int relevant;
    const struct bestdag_evidence *evidence; /* of this computation, or NULL */
};

/* One computation; variables have local numbers. */
struct query {
    struct bestdag_joint *joint;
    const int *asked; /* owns; [count] */
    int count;
    struct bestdag_elimination plan;
    int *step;   /* owns; [relevant]: when it is summed out; kept: plan.steps */
    int *bucket; /* owns; [plan.steps + 1]: first factor; -1: none */
    int *scope;  /* owns; of the network's own tables */
    struct bestdag_factor *factor; /* owns; [3 * relevant] */
    int factors;
    int *list;    /* owns; [3 * relevant]: those of one bucket */
    int exponent; /* of 2, which the results so far lack */
};

struct bestdag_joint *bestdag_joint_new(struct bestdag_run *run,
                                        const struct bestdag_network *network,
                                        bool watches)
{
    size_t n = (size_t)network->dag->n;
    struct bestdag_joint *j = bestdag_calloc(run, 1, sizeof *j);
    if (!j)
        return NULL;
    j->network = network;
    j->watches = watches;
    j->local = bestdag_alloc(run, n * sizeof *j->local);
    j->global = bestdag_alloc(run, n * sizeof *j->global);
    if (!j->local || !j->global) {
        bestdag_joint_free(j);
        return NULL;
    }
    for (size_t v = 0; v < n; v++)
        j->local[v] = -1;
    return j;
}

void bestdag_joint_free(struct bestdag_joint *joint)
{
    if (!joint)
        return;
    bestdag_free(joint->local);
    bestdag_free(joint->global);
    bestdag_free(joint);
}

/* ---- what is asked --------------------------------------------------------
 */

static int check(struct bestdag_run *run, struct bestdag_joint *j,
                 const int *variables, int count, int64_t room)
{
    const struct bestdag_network *net = j->network;
    int64_t cells = 1;
    for (int i = 0; i < count; i++) {
        int v = variables[i];
        if (v < 0 || v >= net->dag->n)
            return bestdag_fail(run, BESTDAG_USAGE, "there is no variable %d",
                                v);
        if (j->local[v] >= 0)
            return bestdag_fail(run, BESTDAG_USAGE,
                                "variable '%s' is requested twice",
                                net->variable[v].name);
        j->local[v] = 0;
        j->global[j->relevant++] = v;
        if (__builtin_mul_overflow(cells, net->variable[v].states, &cells))
            cells = INT64_MAX;
    }
    if (cells != room)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "the joint probability of %d variables has %lld "
                            "numbers, there is room for %lld",
                            count, (long long)cells, (long long)room);
    return BESTDAG_OK;
}

static bool is_forced(const struct bestdag_joint *j, int v)
{
    return j->evidence && j->evidence->doing[v] >= 0;
}

/* Adds what there is evidence on and all ancestors, and numbers them. */
static void find_relevant(struct bestdag_joint *j)
{
    const struct bestdag_dag *dag = j->network->dag;
    for (int v = 0; j->evidence && v < dag->n; v++)
        if (j->evidence->known[v] && j->local[v] < 0) {
            j->local[v] = 0;
            j->global[j->relevant++] = v;
        }
    for (int i = 0; i < j->relevant; i++) {
        const struct bestdag_parents *p = &dag->parents[j->global[i]];
        for (int k = 0; !is_forced(j, j->global[i]) && k < p->count; k++)
            if (j->local[p->at[k]] < 0) {
                j->local[p->at[k]] = 0;
                j->global[j->relevant++] = p->at[k];
            }
    }
    for (int i = 0; i < j->relevant; i++)
        j->local[j->global[i]] = i;
}

static void forget_relevant(struct bestdag_joint *j)
{
    for (int i = 0; i < j->relevant; i++)
        j->local[j->global[i]] = -1;
    j->relevant = 0;
}

/* ---- factors and buckets --------------------------------------------------
 */

static void put_in_bucket(struct query *q, struct bestdag_factor factor)
{
    int first = q->plan.steps;
    for (int i = 0; i < factor.count; i++)
        if (q->step[factor.scope[i]] < first)
            first = q->step[factor.scope[i]];
    factor.next = q->bucket[first];
    q->bucket[first] = q->factors;
    q->factor[q->factors++] = factor;
}

/* Scope of a variable's own table, as the table is laid out. */
static int own_scope(const struct query *q, int v, int *scope)
{
    const struct bestdag_joint *j = q->joint;
    const struct bestdag_parents *p = &j->network->dag->parents[j->global[v]];
    int count = is_forced(j, j->global[v]) ? 0 : p->count;
    for (int i = 0; i < count; i++)
        scope[i] = j->local[p->at[i]];
    scope[count] = v;
    return count + 1;
}

static int make_plan(struct bestdag_run *run, struct query *q)
{
    const struct bestdag_joint *j = q->joint;
    int *scope = q->scope;
    for (int v = 0; v < j->relevant; v++) {
        q->plan.states[v] = j->network->variable[j->global[v]].states;
        int count = own_scope(q, v, scope);
        if (bestdag_elimination_join(run, &q->plan, scope, count))
            return bestdag_run_status(run);
    }
    for (int i = 0; i < q->count; i++)
        q->plan.kept[q->asked[i]] = true;
    if (bestdag_elimination_plan(run, &q->plan))
        return bestdag_run_status(run);
    for (int v = 0; v < j->relevant; v++)
        q->step[v] = q->plan.steps;
    for (int i = 0; i < q->plan.steps; i++)
        q->step[q->plan.order[i]] = i;
    return BESTDAG_OK;
}

/* Most bytes that results hold at a time. */
static int check_memory(struct bestdag_run *run, const struct query *q)
{
    const struct bestdag_elimination *e = &q->plan;
    int64_t *ends = bestdag_calloc(run, (size_t)e->steps + 1, sizeof *ends);
    int64_t now = 0, peak = 0;
    if (!ends)
        return bestdag_run_status(run);
    for (int i = 0; i < e->steps; i++) {
        const struct bestdag_scope *s = &e->scope[e->order[i]];
        int64_t cells = bestdag_elimination_cells(e, e->order[i]);
        int end = e->steps;
        for (int k = 0; k < s->count; k++)
            if (q->step[s->at[k]] < end)
                end = q->step[s->at[k]];
        ends[end] += cells;
        now += cells;
        if (now > peak)
            peak = now;
        now -= ends[i];
    }
    bestdag_free(ends);
    return bestdag_reserve(run, peak * (int64_t)sizeof(double),
                           "the joint probability");
}

static int list_bucket(struct query *q, int step)
{
    int count = 0;
    for (int f = q->bucket[step]; f >= 0; f = q->factor[f].next)
        q->list[count++] = f;
    return count;
}

static void empty_bucket(struct query *q, int step)
{
    for (int f = q->bucket[step]; f >= 0; f = q->factor[f].next) {
        bestdag_free(q->factor[f].own);
        q->factor[f].own = NULL;
    }
}

/* By a power of 2, so that the largest cell is in [1/2, 1). */
static void rescale(struct query *q, double *cell, int64_t cells)
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
    q->exponent += exponent;
}

static int sum_out(struct bestdag_run *run, struct query *q, int step)
{
    int v = q->plan.order[step];
    const struct bestdag_scope *s = &q->plan.scope[v];
    int64_t cells = bestdag_elimination_cells(&q->plan, v);
    double *own = bestdag_alloc(run, (size_t)cells * sizeof *own);
    if (!own)
        return bestdag_run_status(run);
    struct bestdag_product p = {.factor = q->factor,
                                .list = q->list,
                                .factors = list_bucket(q, step),
                                .axis = s->at,
                                .axes = s->count,
                                .summed = v,
                                .states = q->plan.states,
                                .watches = q->joint->watches};
    int status = bestdag_product_compute(run, &p, own);
    if (!status)
        rescale(q, own, cells);
    empty_bucket(q, step);
    put_in_bucket(q, (struct bestdag_factor){s->count, s->at, own, own, -1});
    return status;
}

/* Tables are probabilities up to rounding; so is the result. Returns what it
 * was before. */
static double normalise(double *to, int64_t cells)
{
    double sum = 0;
    for (int64_t i = 0; i < cells; i++)
        sum += to[i];
    for (int64_t i = 0; i < cells && sum > 0; i++)
        to[i] /= sum;
    return sum;
}

static void put_all(struct query *q)
{
    const struct bestdag_joint *j = q->joint;
    const struct bestdag_evidence *e = j->evidence;
    int *scope = q->scope;
    for (int i = 0; i <= q->plan.steps; i++)
        q->bucket[i] = -1;
    for (int v = 0; v < j->relevant; v++) {
        int x = j->global[v], count = own_scope(q, v, scope);
        const double *cell = j->network->variable[x].table;
        if (is_forced(j, x))
            cell = e->forced + e->offset[x];
        put_in_bucket(q, (struct bestdag_factor){count, scope, cell, NULL, -1});
        scope += count;
        if (e && e->known[x])
            put_in_bucket(q, (struct bestdag_factor){1, scope - 1,
                                                     bestdag_evidence_of(e, x),
                                                     NULL, -1});
    }
}

static int run_plan(struct bestdag_run *run, struct query *q, double *to,
                    int64_t room, double *ln)
{
    const struct bestdag_joint *j = q->joint;
    put_all(q);
    for (int i = 0; i < q->plan.steps; i++)
        if (sum_out(run, q, i))
            return bestdag_run_status(run);
    struct bestdag_product p = {.factor = q->factor,
                                .list = q->list,
                                .factors = list_bucket(q, q->plan.steps),
                                .axis = q->asked,
                                .axes = q->count,
                                .summed = -1,
                                .states = q->plan.states,
                                .watches = j->watches};
    if (bestdag_product_compute(run, &p, to))
        return bestdag_run_status(run);
    *ln = log(normalise(to, room)) + q->exponent * log(2);
    return BESTDAG_OK;
}

/* ---- the whole ------------------------------------------------------------
 */

static int64_t scope_room(const struct bestdag_joint *j)
{
    int64_t room = j->relevant;
    for (int i = 0; i < j->relevant; i++)
        room += j->network->dag->parents[j->global[i]].count;
    return room;
}

static int compute(struct bestdag_run *run, struct bestdag_joint *j, int count,
                   double *to, int64_t room, double *ln)
{
    size_t m = (size_t)j->relevant;
    int *asked = bestdag_alloc(run, (size_t)count * sizeof *asked);
    struct query q = {
        .joint = j,
        .asked = asked,
        .count = count,
        .step = bestdag_alloc(run, m * sizeof *q.step),
        .bucket = bestdag_alloc(run, (m + 1) * sizeof *q.bucket),
        .scope = bestdag_alloc(run, (size_t)scope_room(j) * sizeof *q.scope),
        .factor = bestdag_calloc(run, 3 * m, sizeof *q.factor),
        .list = bestdag_alloc(run, 3 * m * sizeof *q.list)};
    for (int i = 0; asked && i < count; i++)
        asked[i] = i; /* they were found first */
    if (!bestdag_run_status(run) &&
        !bestdag_elimination_new(run, j->relevant, &q.plan) &&
        !make_plan(run, &q) && !check_memory(run, &q))
        run_plan(run, &q, to, room, ln);
    for (int f = 0; f < q.factors; f++)
        bestdag_free(q.factor[f].own);
    bestdag_elimination_release(&q.plan);
    bestdag_free(asked);
    bestdag_free(q.step);
    bestdag_free(q.bucket);
    bestdag_free(q.scope);
    bestdag_free(q.factor);
    bestdag_free(q.list);
    return bestdag_run_status(run);
}

int bestdag_joint_given(struct bestdag_run *run, struct bestdag_joint *joint,
                        const struct bestdag_evidence *evidence,
                        const int *variables, int count, double *to,
                        int64_t room, double *ln)
{
    int status = check(run, joint, variables, count, room);
    joint->evidence = evidence;
    if (!status) {
        find_relevant(joint);
        status = compute(run, joint, count, to, room, ln);
    }
    forget_relevant(joint);
    return status;
}

int bestdag_joint_compute(struct bestdag_run *run, struct bestdag_joint *joint,
                          const int *variables, int count, double *to,
                          int64_t room)
{
    double ln;
    return bestdag_joint_given(run, joint, NULL, variables, count, to, room,
                               &ln);
}

int bestdag_network_joint(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const int *variables, int count, double *to,
                          int64_t room)
{
    if (bestdag_lacks(run, network, "network") ||
        (count > 0 && bestdag_lacks(run, variables, "list of variables")) ||
        bestdag_lacks(run, to, "place for the probabilities"))
        return bestdag_run_status(run);
    if (count < 0 || !bestdag_network_has_tables(network))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "a joint probability needs a network with tables: "
                            "fit it first");
    struct bestdag_joint *joint = bestdag_joint_new(run, network, true);
    if (joint)
        bestdag_joint_compute(run, joint, variables, count, to, room);
    bestdag_joint_free(joint);
    return bestdag_run_status(run);
}
