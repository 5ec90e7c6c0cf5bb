/* SPDX-License-Identifier: MIT */
/* averaging.c -- the network of the edges that most resamples have.
 *
 * Threshold. Scutari and Nagarajan, Identifying significant edges in graphical
 * models of molecular networks (Artificial Intelligence in Medicine 57, 2013):
 * had we all the data in the world, strengths would be 0 or 1, and their
 * distribution function F would be a constant t between the two. Take the t
 * that is nearest to F in the L1 norm, and as the threshold its quantile, the
 * least strength x with F(x) >= t; edges above it are real.
 *     The t that minimises the integral over x in [0, 1] of |F(x) - t| is a
 * median of F(U), U uniform; F does not decrease, so that is F(1/2). The
 * quantile of F(1/2) is the greatest strength of a pair that is at most 1/2, of
 * all n (n - 1) / 2 pairs: most have strength 0. Hence no search is needed.
 *
 * Arcs. Edges above the threshold are added strongest first, in the direction
 * of most resamples. Where that would close a cycle or break a rule about
 * single arcs, the edge is reversed if some resample has it so, else left out.
 * Edges without a direction (most resamples find them reversible, or votes are
 * even) come last: all at once without a v-structure that was not voted for
 * (Dor and Tarsi's extension), or, if there is no such extension, one by one in
 * the direction of the better score on the whole table.
 *
 * Rules about more than one arc are checked at the end; an average that breaks
 * one is repaired (averaging_repair.c). Time O(edges * n), memory 3/8 n^2
 * bytes. */
#include "learn/averaging.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "constraints/deduction/checker.h"
#include "graph/closure.h"
#include "graph/pdag.h"

double bestdag_votes_threshold(const struct bestdag_votes *votes)
{
    for (int64_t i = 0; i < votes->count; i++) {
        int count = bestdag_edge_votes_total(&votes->pair[i]);
        assert(count >= 0 && count <= votes->networks);
        assert(!i || count <= bestdag_edge_votes_total(&votes->pair[i - 1]));
        if (2 * (int64_t)count <= votes->networks)
            return (double)count / votes->networks;
    }
    return 0;
}

/* ---- drawing ------------------------------------------------------------- */

struct drawing {
    struct bestdag_run *run;
    const struct bestdag_averaging *how;
    struct bestdag_closure *graph; /* owns */
    int64_t above;                 /* pairs above the threshold */
    bool *open;                    /* owns; [above]: no direction yet */
    int *list;                     /* owns; [n]: scratch */
};

static bool may_point(const struct drawing *d, int from, int to)
{
    const struct bestdag_knowledge *k = d->how->knowledge;
    return !k || bestdag_knowledge_allows(k, to, from);
}

static bool has_place(const struct drawing *d, int to)
{
    const struct bestdag_knowledge *k = d->how->knowledge;
    int count = d->graph->count[to], most = d->how->max_parents;
    return (most < 0 || count < most) && (!k || count < k->most[to]);
}

static bool may_add(const struct drawing *d, int from, int to)
{
    return may_point(d, from, to) && has_place(d, to) &&
           bestdag_closure_can_add(d->graph, from, to);
}

static bool is_joined(const struct drawing *d, int a, int b)
{
    return bestdag_row_has(bestdag_closure_parents(d->graph, a), b) ||
           bestdag_row_has(bestdag_closure_parents(d->graph, b), a);
}

/* 1: a -> b, -1: b -> a, 0: undecided. */
static int direction_of(const struct drawing *d,
                        const struct bestdag_edge_votes *p)
{
    bool along = may_point(d, p->a, p->b), against = may_point(d, p->b, p->a);
    if (along != against)
        return along ? 1 : -1;
    if (p->forward > p->backward && p->forward > p->either)
        return 1;
    return p->backward > p->forward && p->backward > p->either ? -1 : 0;
}

/* Required arcs are drawn whatever the votes: every network has them. */
static void draw_required(struct drawing *d)
{
    const struct bestdag_knowledge *k = d->how->knowledge;
    int n = d->graph->n;
    for (int v = 0; k && k->required && v < n; v++) {
        const uint64_t *row = bestdag_knowledge_row(k, k->required, v);
        for (int u = -1; (u = bestdag_row_next(row, k->words, u + 1)) >= 0;)
            if (bestdag_closure_can_add(d->graph, u, v))
                bestdag_closure_add(d->graph, u, v);
    }
}

static void draw_decided(struct drawing *d, const struct bestdag_edge_votes *p,
                         int direction)
{
    int from = direction > 0 ? p->a : p->b, to = direction > 0 ? p->b : p->a;
    int along = bestdag_edge_votes_along(p),
        all = 2 * bestdag_edge_votes_total(p);
    int against = direction > 0 ? all - along : along;
    if (may_add(d, from, to))
        bestdag_closure_add(d->graph, from, to);
    else if (against && may_add(d, to, from))
        bestdag_closure_add(d->graph, to, from);
}

/* Draws all edges with a direction and marks the others as open. */
static void draw_all_decided(struct drawing *d)
{
    for (int64_t i = 0; i < d->above; i++) {
        const struct bestdag_edge_votes *p = &d->how->votes->pair[i];
        int direction = direction_of(d, p);
        if (is_joined(d, p->a, p->b))
            continue;
        d->open[i] = !direction;
        if (direction)
            draw_decided(d, p, direction);
    }
}

/* ---- open edges ---------------------------------------------------------- */

static struct bestdag_pdag *sketch(struct drawing *d)
{
    const struct bestdag_closure *c = d->graph;
    struct bestdag_pdag *p = bestdag_pdag_new(d->run, c->n);
    for (int v = 0; p && v < c->n; v++) {
        const uint64_t *row = bestdag_closure_parents(c, v);
        for (int u = -1; (u = bestdag_row_next(row, c->words, u + 1)) >= 0;)
            bestdag_pdag_add_arc(p, u, v);
    }
    for (int64_t i = 0; p && i < d->above; i++)
        if (d->open[i])
            bestdag_pdag_add_edge(p, d->how->votes->pair[i].a,
                                  d->how->votes->pair[i].b);
    return p;
}

static bool may_be(const struct drawing *d, const struct bestdag_dag *dag)
{
    const struct bestdag_knowledge *k = d->how->knowledge;
    int most = d->how->max_parents;
    for (int v = 0; v < dag->n; v++) {
        const struct bestdag_parents *p = &dag->parents[v];
        if ((most >= 0 && p->count > most) || (k && p->count > k->most[v]))
            return false;
        for (int i = 0; i < p->count; i++)
            if (!may_point(d, p->at[i], v))
                return false;
    }
    return true;
}

/* Directs all open edges without a new v-structure; false: impossible. */
static bool extend(struct drawing *d)
{
    struct bestdag_pdag *pdag = sketch(d);
    struct bestdag_dag *dag = pdag ? bestdag_pdag_extend(d->run, pdag) : NULL;
    bool fits = dag && may_be(d, dag);
    for (int64_t i = 0; fits && i < d->above; i++) {
        const struct bestdag_edge_votes *p = &d->how->votes->pair[i];
        if (!d->open[i])
            continue;
        assert(bestdag_dag_has_arc(dag, p->a, p->b) !=
               bestdag_dag_has_arc(dag, p->b, p->a));
        if (bestdag_dag_has_arc(dag, p->a, p->b))
            bestdag_closure_add(d->graph, p->a, p->b);
        else
            bestdag_closure_add(d->graph, p->b, p->a);
    }
    bestdag_pdag_free(pdag);
    bestdag_dag_free(dag);
    return fits;
}

/* Score of the family of `child`, with `more` as an additional parent unless it
 * is -1. */
static double score_family(struct drawing *d, int child, int more)
{
    double nats = -INFINITY;
    int count = bestdag_closure_list(
        d->graph, bestdag_closure_parents(d->graph, child), d->list);
    if (more >= 0)
        d->list[count++] = more;
    bestdag_scorer_exact(d->run, d->how->scorer, child, d->list, count, &nats);
    return nats;
}

/* Does the table prefer a -> b? Votes decide where scores differ by no more
 * than rounding. */
static bool prefers_along(struct drawing *d, const struct bestdag_edge_votes *p)
{
    double along = score_family(d, p->a, -1) + score_family(d, p->b, p->a);
    double against = score_family(d, p->a, p->b) + score_family(d, p->b, -1);
    if (fabs(along - against) > 1e-9 * fabs(along))
        return along > against;
    return bestdag_edge_votes_along(p) >= bestdag_edge_votes_total(p);
}

static void direct_one(struct drawing *d, const struct bestdag_edge_votes *p)
{
    bool along = may_add(d, p->a, p->b), against = may_add(d, p->b, p->a);
    if (along && against) {
        along = prefers_along(d, p);
        against = !along;
    }
    if (along)
        bestdag_closure_add(d->graph, p->a, p->b);
    else if (against)
        bestdag_closure_add(d->graph, p->b, p->a);
}

static void direct_open(struct drawing *d)
{
    if (!memchr(d->open, 1, (size_t)d->above) || extend(d))
        return;
    for (int64_t i = 0; i < d->above && !bestdag_run_status(d->run); i++)
        if (d->open[i])
            direct_one(d, &d->how->votes->pair[i]);
}

/* ---- the door ------------------------------------------------------------ */

/* NULL: error. */
static struct bestdag_dag *graph_of_closure(
    struct bestdag_run *run, const struct bestdag_closure *closure)
{
    int n = closure->n;
    struct bestdag_dag *dag = bestdag_dag_new(run, n);
    int *list = bestdag_alloc(run, ((size_t)n + 1) * sizeof *list);
    for (int v = 0; dag && list && v < n; v++) {
        int count = bestdag_closure_list(
            closure, bestdag_closure_parents(closure, v), list);
        bestdag_dag_set_parents(run, dag, v, list, count);
    }
    bestdag_free(list);
    if (!bestdag_run_status(run))
        return dag;
    bestdag_dag_free(dag);
    return NULL;
}

static int obey(struct bestdag_run *run, const struct bestdag_averaging *how,
                struct bestdag_average *to)
{
    const struct bestdag_rules *rules =
        how->knowledge ? how->knowledge->rules : NULL;
    if (!rules ||
        bestdag_rules_check(run, rules, how->names, to->dag, &to->broken) ||
        to->broken < 0 || bestdag_average_move(run, how, &to->dag))
        return bestdag_run_status(run);
    return bestdag_rules_enforce(run, rules, how->names, to->dag);
}

/* Counts the differences from the votes. */
static void compare(const struct drawing *d, struct bestdag_average *to)
{
    for (int64_t i = 0; i < d->above; i++) {
        const struct bestdag_edge_votes *p = &d->how->votes->pair[i];
        bool along = bestdag_dag_has_arc(to->dag, p->a, p->b);
        bool against = bestdag_dag_has_arc(to->dag, p->b, p->a);
        int direction = direction_of(d, p);
        to->turned += direction > 0 ? against : direction < 0 && along;
        to->left_out += !along && !against;
    }
}

/* An edge of all networks is above every threshold. */
static bool is_above(const struct bestdag_averaging *how,
                     const struct bestdag_edge_votes *p)
{
    int votes = bestdag_edge_votes_total(p), all = how->votes->networks;
    return votes == all || (double)votes / all > how->threshold;
}

static int64_t count_above(const struct bestdag_averaging *how)
{
    int64_t i = 0;
    while (i < how->votes->count && is_above(how, &how->votes->pair[i]))
        i++;
    return i;
}

int bestdag_average_make(struct bestdag_run *run,
                         const struct bestdag_averaging *how,
                         struct bestdag_average *to)
{
    struct drawing d = {.run = run, .how = how};
    size_t n = (size_t)how->votes->n;
    *to = (struct bestdag_average){.broken = -1};
    d.above = count_above(how);
    d.graph = bestdag_closure_new(run, how->votes->n);
    d.open = bestdag_calloc(run, (size_t)d.above + 1, sizeof *d.open);
    d.list = bestdag_alloc(run, (n + 1) * sizeof *d.list);
    if (d.graph && d.open && d.list) {
        draw_required(&d);
        draw_all_decided(&d);
        direct_open(&d);
        if (!bestdag_run_status(run))
            to->dag = graph_of_closure(run, d.graph);
        if (to->dag && !obey(run, how, to))
            compare(&d, to);
    }
    bestdag_closure_free(d.graph);
    bestdag_free(d.open);
    bestdag_free(d.list);
    return bestdag_run_status(run);
}
