/* SPDX-License-Identifier: MIT */
/* arc_reversals.c -- children of each variable, and their losses. */
#include "parents/arc_reversals.h"

#include <math.h>

static int find_places(struct bestdag_run *run, struct bestdag_arc_reversals *a,
                       const struct bestdag_dag *dag)
{
    int *order = bestdag_alloc(run, (size_t)dag->n * sizeof *order);
    if (order && bestdag_dag_order(run, dag, order) >= 0)
        for (int i = 0; i < dag->n; i++)
            a->place[order[i]] = i;
    bestdag_free(order);
    return bestdag_run_status(run);
}

/* first[v + 1] is the position of the next child of v, until all are listed. */
static void find_children(struct bestdag_arc_reversals *a,
                          const struct bestdag_dag *dag)
{
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            a->first[dag->parents[v].at[i] + 2]++;
    for (int v = 0; v < dag->n; v++)
        a->first[v + 1] += a->first[v];
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            a->child[a->first[dag->parents[v].at[i] + 1]++] = v;
}

int bestdag_arc_reversals_init(struct bestdag_run *run,
                               struct bestdag_arc_reversals *a,
                               const struct bestdag_dag *dag)
{
    size_t n = (size_t)dag->n, arcs = (size_t)bestdag_dag_arcs(dag);
    a->place = bestdag_alloc(run, n * sizeof *a->place);
    a->first = bestdag_calloc(run, n + 2, sizeof *a->first);
    a->child = bestdag_alloc(run, arcs * sizeof *a->child);
    a->own = bestdag_alloc(run, n * sizeof *a->own);
    a->loss = bestdag_alloc(run, arcs * sizeof *a->loss);
    if (bestdag_run_status(run) || find_places(run, a, dag))
        return bestdag_run_status(run);
    find_children(a, dag);
    return BESTDAG_OK;
}

/* The score of the best listed set among the predecessors of v, without u. */
static double best_before(const struct bestdag_arc_reversals *a,
                          const struct bestdag_list *list, int v, int u)
{
    for (int64_t i = 0; i < list->count; i++) {
        int64_t k = list->start[i];
        while (k < list->start[i + 1] && list->member[k] != u &&
               a->place[list->member[k]] < a->place[v])
            k++;
        if (k == list->start[i + 1])
            return list->score[i];
    }
    return -INFINITY;
}

void bestdag_arc_reversals_weigh(struct bestdag_arc_reversals *a,
                                 const struct bestdag_dag *dag,
                                 const struct bestdag_sets *sets)
{
    for (int v = 0; v < dag->n; v++)
        a->own[v] = best_before(a, &sets->list[v], v, v);
    for (int v = 0; v < dag->n; v++)
        for (int i = a->first[v]; i < a->first[v + 1]; i++) {
            int c = a->child[i];
            a->loss[i] = a->own[c] - best_before(a, &sets->list[c], c, v);
        }
}

void bestdag_arc_reversals_release(struct bestdag_arc_reversals *a)
{
    bestdag_free(a->place);
    bestdag_free(a->child);
    bestdag_free(a->first);
    bestdag_free(a->own);
    bestdag_free(a->loss);
}
