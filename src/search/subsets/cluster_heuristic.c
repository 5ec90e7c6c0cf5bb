/* SPDX-License-Identifier: MIT */
/* cluster_heuristic.c -- computes and evaluates the cluster bound of a
 * component. */
#include "search/subsets/cluster_heuristic.h"

#include <assert.h>

#include "base/row.h"
#include "base/simd.h"
#include "bounds/cutting_planes.h"
#include "bounds/root_bound.h"
#include "bounds/saved_clusters.h"
#include "problem/renumber.h"

/* Sets that the cutting planes may examine: a base, and so many per candidate
 * set, as at the root of a problem (root_bound.c). */
enum { CUT_WORK = 200000000, CUT_WORK_PER_SET = 3000 };

/* Divides these numbers if another prover has left clusters. */
enum { KNOWN_SHARE = 16 };

enum { MOST_WORDS = 4 }; /* of a set of variables; see node_table.h */

/* ---- the relaxation ------------------------------------------------------ */

/* The cost of order[n], the component's incumbent, converted to its numbers. */
static int64_t find_upper(const struct bestdag_relaxation *r,
                          const struct bestdag_component *c, const int *order)
{
    int *own = bestdag_alloc(r->run, (size_t)c->n * sizeof *own);
    int64_t cost = -1;
    for (int i = 0; own && i < c->n; i++) {
        int v = 0;
        while (c->variable[v] != order[i])
            v++;
        own[i] = v;
    }
    if (own)
        cost = bestdag_relaxation_cost(r, own, NULL);
    bestdag_free(own);
    return cost < 0 ? BESTDAG_UNKNOWN_COST : cost;
}

struct bestdag_relaxation *bestdag_component_relaxation(
    const struct bestdag_task *task, const struct bestdag_component *c,
    const int *order)
{
    struct bestdag_run *run = task->run;
    const struct bestdag_saved_clusters *saved = task->clusters;
    struct bestdag_relaxation *r = bestdag_relaxation_new(run, c->n);
    struct bestdag_cutting_settings plan = {.most_work = CUT_WORK};
    for (int v = 0; r && v < c->n; v++) {
        if (bestdag_relaxation_fill(r, v, &c->list[v], NULL, false))
            break;
        plan.most_work += CUT_WORK_PER_SET * (int64_t)r->list[v].count;
    }
    if (!bestdag_run_status(run) && !bestdag_relaxation_ready(r) &&
        (!saved ||
         !bestdag_saved_clusters_give_part(saved, c->variable, task->n, r))) {
        plan.upper = find_upper(r, c, order);
        if (saved && saved->count)
            plan.most_work /= KNOWN_SHARE;
        if (!bestdag_cutting_planes(r, &plan) && r->bound < plan.upper)
            bestdag_reduced_cost_fixing(r, plan.upper + 1);
    }
    if (!bestdag_run_status(run))
        return r;
    bestdag_relaxation_free(r);
    return NULL;
}

struct bestdag_component *bestdag_component_of(
    struct bestdag_run *run, const struct bestdag_component *c,
    const struct bestdag_relaxation *relax, int64_t none)
{
    size_t n = (size_t)c->n;
    struct bestdag_component *to = NULL, shell = *c;
    int *order = bestdag_alloc(run, n * sizeof *order);
    shell.list = bestdag_alloc(run, n * sizeof *shell.list);
    for (int v = 0; order && shell.list && v < c->n; v++) {
        order[v] = v;
        shell.list[v] = relax->list[v].head;
        shell.list[v].cost[shell.list[v].count] = none;
    }
    if (order && shell.list)
        to = bestdag_component_renumber(run, &shell, order);
    bestdag_free(order);
    bestdag_free(shell.list);
    return to;
}

/* ---- the heuristic ------------------------------------------------------- */

/* A cluster's masks: members alone in their class, then one per class. */
struct one {
    int64_t y;
    int32_t least, classes;
    int32_t at; /* index of its first mask in `mask` */
};

struct clusters {
    struct bestdag_heuristic *other; /* owns */
    int n, words, count;
    int64_t *pi;     /* owns; [n] */
    struct one *one; /* owns; [count] */
    uint64_t *mask;  /* owns */
    uint64_t all[MOST_WORDS];
};

/* How many more members must miss the cluster; unless that is 0, raises[words]
 * gets the variables that would lower this number. Members are counted one by
 * one, since most clusters need one or two. */
BESTDAG_INLINE int32_t missing(const struct clusters *c, const struct one *one,
                               const uint64_t *set, uint64_t *raises, int words)
{
    const uint64_t *mask = c->mask + (int64_t)one->at * words;
    int32_t left = one->least;
    for (int w = 0; w < words; w++) {
        for (uint64_t met = mask[w] & set[w]; met; met &= met - 1)
            if (!--left)
                return 0;
        raises[w] = mask[w];
    }
    for (int w = 0; w < words; w++)
        raises[w] &= ~set[w];
    for (int k = 0; k < one->classes; k++) {
        uint64_t shared = 0;
        mask += words;
        for (int w = 0; w < words; w++)
            shared |= mask[w] & set[w];
        if (shared && !--left)
            return 0;
        for (int w = 0; w < words && !shared; w++)
            raises[w] |= mask[w];
    }
    return left;
}

/* The value of `set`. Unless `loss` is NULL, adds to loss[v], for all v, y of
 * the clusters whose rank v raises. The loss of v is this sum and pi_v. */
BESTDAG_INLINE int64_t sum_clusters(const struct clusters *c,
                                    const uint64_t *set, int64_t *loss,
                                    int words)
{
    uint64_t raises[MOST_WORDS];
    int64_t sum = 0;
    for (int w = 0; w < words; w++)
        for (uint64_t rest = c->all[w] & ~set[w]; rest; rest &= rest - 1)
            sum += c->pi[64 * w + __builtin_ctzll(rest)];
    for (int i = 0; i < c->count; i++) {
        const struct one *one = &c->one[i];
        int32_t left = missing(c, one, set, raises, words);
        sum += left * one->y;
        for (int w = 0; w < words && left && loss; w++)
            for (uint64_t rest = raises[w]; rest; rest &= rest - 1)
                loss[64 * w + __builtin_ctzll(rest)] += one->y;
    }
    return sum;
}

static int64_t own_value(const struct clusters *c, const uint64_t *set,
                         int64_t *loss)
{
    return c->words == 1 ? sum_clusters(c, set, loss, 1)
                         : sum_clusters(c, set, loss, c->words);
}

static int64_t value(const void *data, const uint64_t *set)
{
    const struct clusters *c = data;
    int64_t own = own_value(c, set, NULL);
    int64_t other = bestdag_heuristic_value(c->other, set);
    return own > other ? own : other;
}

static void after(const void *data, const uint64_t *set, const int *next,
                  int count, int64_t *h)
{
    const struct clusters *c = data;
    int64_t loss[64 * MOST_WORDS];
    memcpy(loss, c->pi, (size_t)c->n * sizeof *loss);
    int64_t own = own_value(c, set, loss);
    bestdag_heuristic_after(c->other, set, next, count, h);
    for (int i = 0; i < count; i++)
        if (own - loss[next[i]] > h[i])
            h[i] = own - loss[next[i]];
}

static void drop(void *data)
{
    struct clusters *c = data;
    if (!c)
        return;
    bestdag_heuristic_free(c->other);
    bestdag_free(c->pi);
    bestdag_free(c->one);
    bestdag_free(c->mask);
    bestdag_free(c);
}

/* Not in the table of heuristics: it is combined with one of those. */
static const struct bestdag_heuristic_row row = {
    .name = "clusters and patterns", .drop = drop};

/* Copies the clusters with a multiplier, in the component's numbers. */
static void fill(struct clusters *c, const struct bestdag_pool *p,
                 const int32_t *place)
{
    int32_t at = 0;
    for (int i = 0; i < p->count; i++) {
        const struct bestdag_cluster *from = p->at[i];
        if (!p->y[i])
            continue;
        assert(from->least > 0); /* missing() requires it */
        for (int k = 0; k < from->size; k++)
            bestdag_row_add(c->mask + (int64_t)(at + from->label[k]) * c->words,
                            place[from->member[k]]);
        c->one[c->count++] =
            (struct one){p->y[i], from->least, from->classes, at};
        at += from->classes + 1;
    }
}

static int make(const struct bestdag_relaxation *r, const int *order,
                struct clusters *c)
{
    struct bestdag_run *run = r->run;
    size_t n = (size_t)r->n, masks = 1;
    int32_t *place = bestdag_alloc(run, n * sizeof *place);
    c->n = r->n;
    c->words = (int)bestdag_row_words(r->n);
    for (int i = 0; i < r->pool.count; i++)
        masks += (size_t)r->pool.at[i]->classes + 1;
    c->pi = bestdag_alloc(run, n * sizeof *c->pi);
    c->one = bestdag_alloc(run, ((size_t)r->pool.count + 1) * sizeof *c->one);
    c->mask = bestdag_calloc(run, masks * (size_t)c->words, sizeof *c->mask);
    for (int i = 0; !bestdag_run_status(run) && i < c->n; i++) {
        place[order[i]] = i;
        c->pi[i] = r->pi[order[i]];
        bestdag_row_add(c->all, i);
    }
    if (!bestdag_run_status(run))
        fill(c, &r->pool, place);
    bestdag_free(place);
    return bestdag_run_status(run);
}

struct bestdag_heuristic *bestdag_cluster_heuristic_new(
    const struct bestdag_relaxation *relax, const int *order,
    struct bestdag_heuristic *other)
{
    struct bestdag_heuristic *t = bestdag_calloc(relax->run, 1, sizeof *t);
    struct clusters *c = bestdag_calloc(relax->run, 1, sizeof *c);
    if (!t || !c || make(relax, order, c)) {
        bestdag_heuristic_free(other);
        drop(c);
        bestdag_free(t);
        return NULL;
    }
    c->other = other;
    *t = (struct bestdag_heuristic){.row = &row,
                                    .is_consistent = other->is_consistent,
                                    .patterns = other->patterns + c->count,
                                    .bytes = other->bytes,
                                    .data = c,
                                    .value = value,
                                    .after = after};
    return t;
}
