/* SPDX-License-Identifier: MIT */
/* cpdag.c -- the equivalence class of a DAG.
 *
 * Chickering, A transformational characterization of equivalent Bayesian
 * network structures (UAI 1995), labels arcs as compelled or reversible, heads
 * in topological order and into one head y the latest tail x first. Each of
 * these cases settles all arcs into y at once, so that only the first tail
 * needs to be examined:
 *
 *   a compelled w -> x with w not a parent of y: all into y are compelled;
 *   a parent z of y, z != x, that is not a parent of x: the same;
 *   otherwise x -> y is reversible, and for the other parents w of y (they are
 *   parents of x too) w -> y is what w -> x is.
 *
 * One merge of two ascending lists per node: O(n log n + arcs + n * most
 * parents) time, O(n + arcs) memory.
 *
 * Invariant: when y is labelled, all arcs into its parents are. */
#include "graph/cpdag.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "graph/pdag.h"

/* The parents of a node and the labels of their arcs. */
struct into {
    const int *at;
    int count;
    bool *compelled;
};

static struct into arcs_into(const struct bestdag_dag *dag,
                             const struct bestdag_labels *labels, int v)
{
    return (struct into){dag->parents[v].at, dag->parents[v].count,
                         labels->compelled + labels->start[v]};
}

/* x is the latest parent of y. False: all arcs into y are compelled. */
static bool inherit(const struct into *x, const struct into *y, int latest)
{
    int i = 0, j = 0;
    while (i < x->count || j < y->count) {
        int w = i < x->count ? x->at[i] : INT_MAX;
        int z = j < y->count ? y->at[j] : INT_MAX;
        if (w == z)
            y->compelled[j++] = x->compelled[i++];
        else if (w < z ? x->compelled[i++] : y->at[j++] != latest)
            return false;
    }
    return true;
}

static void label(const struct bestdag_dag *dag, const int *order,
                  int *position, const struct bestdag_labels *to)
{
    for (int i = 0; i < dag->n; i++) {
        int latest = -1;
        struct into y = arcs_into(dag, to, order[i]);
        position[order[i]] = i;
        for (int k = 0; k < y.count; k++)
            if (latest < 0 || position[y.at[k]] > position[latest])
                latest = y.at[k];
        if (latest < 0)
            continue;
        for (int k = 0; k < y.count; k++) /* labelled before y */
            assert(position[y.at[k]] < i &&
                   order[position[y.at[k]]] == y.at[k]);
        struct into x = arcs_into(dag, to, latest);
        if (!inherit(&x, &y, latest))
            memset(y.compelled, true, (size_t)y.count);
    }
}

static int label_in_order(struct bestdag_run *run,
                          const struct bestdag_dag *dag, int *order,
                          const struct bestdag_labels *to)
{
    int placed = bestdag_dag_order(run, dag, order);
    if (placed < 0)
        return bestdag_run_status(run);
    if (placed < dag->n)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "a graph with a cycle has no equivalence class");
    int *position = bestdag_alloc(run, (size_t)dag->n * sizeof *position);
    if (position)
        label(dag, order, position, to);
    bestdag_free(position);
    return bestdag_run_status(run);
}

int bestdag_cpdag_label(struct bestdag_run *run, const struct bestdag_dag *dag,
                        struct bestdag_labels *to)
{
    size_t n = (size_t)dag->n;
    int *order = bestdag_alloc(run, n * sizeof *order);
    to->start = bestdag_calloc(run, n + 1, sizeof *to->start);
    to->compelled = bestdag_calloc(run, (size_t)bestdag_dag_arcs(dag),
                                   sizeof *to->compelled);
    if (order && to->start && to->compelled) {
        for (size_t v = 0; v < n; v++)
            to->start[v + 1] = to->start[v] + dag->parents[v].count;
        label_in_order(run, dag, order, to);
    }
    bestdag_free(order);
    return bestdag_run_status(run);
}

void bestdag_cpdag_release(struct bestdag_labels *labels)
{
    bestdag_free(labels->start);
    bestdag_free(labels->compelled);
    *labels = (struct bestdag_labels){0};
}

struct bestdag_pdag *bestdag_pdag_labelled(struct bestdag_run *run,
                                           const struct bestdag_dag *dag,
                                           const struct bestdag_labels *labels)
{
    struct bestdag_pdag *to = bestdag_pdag_new(run, dag->n);
    for (int v = 0; to && v < dag->n; v++) {
        struct into arcs = arcs_into(dag, labels, v);
        for (int i = 0; i < arcs.count; i++)
            if (arcs.compelled[i])
                bestdag_pdag_add_arc(to, arcs.at[i], v);
            else
                bestdag_pdag_add_edge(to, arcs.at[i], v);
    }
    return to;
}

struct bestdag_pdag *bestdag_pdag_class(struct bestdag_run *run,
                                        const struct bestdag_dag *dag)
{
    struct bestdag_labels labels;
    struct bestdag_pdag *to = NULL;
    if (!bestdag_cpdag_label(run, dag, &labels))
        to = bestdag_pdag_labelled(run, dag, &labels);
    bestdag_cpdag_release(&labels);
    return to;
}

int64_t bestdag_cpdag_v_structures(struct bestdag_run *run,
                                   const struct bestdag_dag *dag)
{
    int64_t found = 0;
    int *child_of = bestdag_calloc(run, (size_t)dag->n, sizeof *child_of);
    if (!child_of)
        return -1;
    for (int v = 0; v < dag->n; v++) {
        const struct bestdag_parents *p = &dag->parents[v];
        if (bestdag_run_watch(run, v)) {
            bestdag_fail(run, BESTDAG_FAILED,
                         "stopped before all v-structures were counted");
            break;
        }
        found += (int64_t)p->count * (p->count - 1) / 2;
        for (int i = 0; i < p->count; i++)
            child_of[p->at[i]] = v + 1;
        for (int i = 0; i < p->count; i++) { /* less the adjacent pairs */
            const struct bestdag_parents *up = &dag->parents[p->at[i]];
            for (int k = 0; k < up->count; k++)
                found -= child_of[up->at[k]] == v + 1;
        }
    }
    bestdag_free(child_of);
    return bestdag_run_status(run) ? -1 : found;
}
