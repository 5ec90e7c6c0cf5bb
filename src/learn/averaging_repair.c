/* SPDX-License-Identifier: MIT */
/* averaging_repair.c -- repairs an average that breaks a rule.
 *
 * Each of the networks obeys the rules. Start from the one most similar to the
 * average and remove its differences one by one while the rules hold: first add
 * the arcs that only the average has, strongest first, then remove those that
 * it lacks, weakest first. Time: one check of all rules for each difference. */
#include "constraints/deduction/checker.h"
#include "graph/closure.h"
#include "learn/averaging.h"

struct moving {
    struct bestdag_run *run;
    const struct bestdag_averaging *how;
    const struct bestdag_dag *target;
    struct bestdag_closure *graph; /* owns */
    struct bestdag_dag *dag;       /* owns; the same graph */
    int *list;                     /* owns; [n]: scratch */
};

/* Twice the number of common arcs, less the arcs of the ballot. */
static int64_t likeness(const struct bestdag_edge_set *b,
                        const struct bestdag_dag *dag)
{
    int64_t both = 0;
    for (int64_t i = 0; i < b->count; i++)
        both += bestdag_dag_has_arc(dag, bestdag_edge_set_from(b->edge[i]),
                                    bestdag_edge_set_to(b->edge[i]));
    return 2 * both - b->count;
}

static const struct bestdag_edge_set *most_alike(
    const struct bestdag_averaging *how, const struct bestdag_dag *dag)
{
    const struct bestdag_edge_set *best = NULL;
    for (int64_t i = 0; i < how->networks; i++) {
        const struct bestdag_edge_set *b = how->ballots[i];
        if (b && (!best || likeness(b, dag) > likeness(best, dag)))
            best = b;
    }
    return best;
}

/* Copies the parents of v from the closure to the DAG. */
static void copy_parents(struct moving *m, int v)
{
    int count = bestdag_closure_list(
        m->graph, bestdag_closure_parents(m->graph, v), m->list);
    bestdag_dag_set_parents(m->run, m->dag, v, m->list, count);
}

static void add(struct moving *m, int from, int to)
{
    bestdag_closure_add(m->graph, from, to);
    copy_parents(m, to);
}

static void drop(struct moving *m, int from, int to)
{
    bestdag_closure_drop(m->graph, from, to);
    copy_parents(m, to);
}

static bool obeys(struct moving *m)
{
    int broken = -1, most = m->how->max_parents;
    for (int v = 0; most >= 0 && v < m->dag->n; v++)
        if (m->dag->parents[v].count > most)
            return false;
    return !bestdag_run_status(m->run) &&
           !bestdag_rules_check(m->run, m->how->knowledge->rules, m->how->names,
                                m->dag, &broken) &&
           broken < 0;
}

/* Adds an arc of the target, replacing its reverse. */
static void approach(struct moving *m, int from, int to)
{
    bool turns = bestdag_dag_has_arc(m->dag, to, from);
    if (bestdag_dag_has_arc(m->dag, from, to))
        return;
    if (turns)
        drop(m, to, from);
    bool added = bestdag_closure_can_add(m->graph, from, to);
    if (added)
        add(m, from, to);
    if (added && obeys(m))
        return;
    if (added)
        drop(m, from, to);
    if (turns)
        add(m, to, from);
}

static void leave(struct moving *m, int from, int to)
{
    if (!bestdag_dag_has_arc(m->dag, from, to) ||
        bestdag_dag_has_arc(m->target, from, to))
        return;
    drop(m, from, to);
    if (!obeys(m))
        add(m, from, to);
}

static void move(struct moving *m)
{
    const struct bestdag_votes *v = m->how->votes;
    for (int64_t i = 0; i < v->count && !bestdag_run_status(m->run); i++) {
        const struct bestdag_edge_votes *p = &v->pair[i];
        if (bestdag_dag_has_arc(m->target, p->a, p->b))
            approach(m, p->a, p->b);
        else if (bestdag_dag_has_arc(m->target, p->b, p->a))
            approach(m, p->b, p->a);
    }
    for (int64_t i = v->count - 1; i >= 0 && !bestdag_run_status(m->run); i--) {
        leave(m, v->pair[i].a, v->pair[i].b);
        leave(m, v->pair[i].b, v->pair[i].a);
    }
}

int bestdag_average_move(struct bestdag_run *run,
                         const struct bestdag_averaging *how,
                         struct bestdag_dag **dag)
{
    struct moving m = {.run = run, .how = how, .target = *dag};
    const struct bestdag_edge_set *start = most_alike(how, *dag);
    int n = (*dag)->n;
    m.graph = bestdag_closure_new(run, n);
    m.list = bestdag_alloc(run, ((size_t)n + 1) * sizeof *m.list);
    m.dag = start ? bestdag_edge_set_dag(run, start, n) : NULL;
    if (m.graph && m.list && m.dag) {
        for (int64_t i = 0; i < start->count; i++)
            bestdag_closure_add(m.graph, bestdag_edge_set_from(start->edge[i]),
                                bestdag_edge_set_to(start->edge[i]));
        move(&m);
        bestdag_dag_free(*dag);
        *dag = m.dag;
        m.dag = NULL;
    }
    bestdag_closure_free(m.graph);
    bestdag_free(m.list);
    bestdag_dag_free(m.dag);
    return bestdag_run_status(run);
}
