/* SPDX-License-Identifier: MIT */
/* edge_votes.c -- encodes edges as integers, sorts and counts them. */
#include "learn/edge_votes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/deduction/mpdag.h"
#include "learn/numbers.h"

/* ---- one network --------------------------------------------------------- */

static uint64_t edge_of(int from, int to, bool reversible)
{
    bool turned = from > to;
    uint64_t a = (uint64_t)(turned ? to : from);
    uint64_t b = (uint64_t)(turned ? from : to);
    assert(from != to && from >= 0 && to >= 0);
    return a << 33 | b << 2 | (uint64_t)reversible << 1 | (uint64_t)turned;
}

static int compare_numbers(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

int bestdag_edge_set_fill(struct bestdag_run *run,
                          const struct bestdag_dag *dag,
                          const struct bestdag_knowledge *knowledge,
                          const struct bestdag_table *table, bool by_class,
                          struct bestdag_edge_set *to)
{
    struct bestdag_labels labels = {0};
    size_t arcs = (size_t)bestdag_dag_arcs(dag);
    *to = (struct bestdag_edge_set){0};
    to->edge = bestdag_alloc(run, arcs * sizeof *to->edge);
    bool failed =
        !to->edge ||
        (by_class && (bestdag_mpdag_label(run, dag, knowledge, &labels) ||
                      bestdag_numbers_label(run, table, dag, &labels)));
    for (int v = 0; !failed && v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            to->edge[to->count++] =
                edge_of(dag->parents[v].at[i], v,
                        by_class && !labels.compelled[labels.start[v] + i]);
    assert(failed || to->count == (int64_t)arcs);
    bestdag_cpdag_release(&labels);
    if (to->count)
        qsort(to->edge, arcs, sizeof *to->edge, compare_numbers);
    return bestdag_run_status(run);
}

void bestdag_edge_set_release(struct bestdag_edge_set *ballot)
{
    bestdag_free(ballot->edge);
    *ballot = (struct bestdag_edge_set){0};
}

struct bestdag_dag *bestdag_edge_set_dag(struct bestdag_run *run,
                                         const struct bestdag_edge_set *ballot,
                                         int n)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, n);
    int *start = bestdag_calloc(run, (size_t)n + 2, sizeof *start);
    int *parent = bestdag_alloc(run, (size_t)ballot->count * sizeof *parent);
    for (int64_t i = 0; start && i < ballot->count; i++)
        start[bestdag_edge_set_to(ballot->edge[i]) + 2]++;
    for (int v = 0; start && v < n; v++)
        start[v + 2] += start[v + 1];
    for (int64_t i = 0; start && parent && i < ballot->count; i++)
        parent[start[bestdag_edge_set_to(ballot->edge[i]) + 1]++] =
            bestdag_edge_set_from(ballot->edge[i]);
    for (int v = 0; dag && start && parent && v < n; v++)
        bestdag_dag_set_parents(run, dag, v, parent + start[v],
                                start[v + 1] - start[v]);
    bestdag_free(start);
    bestdag_free(parent);
    if (!bestdag_run_status(run))
        return dag;
    bestdag_dag_free(dag);
    return NULL;
}

/* ---- all of them --------------------------------------------------------- */

static int compare_votes(const void *x, const void *y)
{
    const struct bestdag_edge_votes *p = x, *q = y;
    int votes = bestdag_edge_votes_total(q) - bestdag_edge_votes_total(p);
    if (votes)
        return votes;
    return p->a != q->a ? (p->a < q->a ? -1 : 1)
                        : (p->b > q->b) - (p->b < q->b);
}

/* Merges consecutive edges between the same two variables; returns the number
 * of pairs. pair may be NULL, to count only. */
static int64_t add_up(const uint64_t *edge, size_t edges,
                      struct bestdag_edge_votes *pair)
{
    int64_t at = -1;
    for (size_t i = 0; i < edges; i++) {
        bool is_new = !i || edge[i] >> 2 != edge[i - 1] >> 2;
        at += is_new;
        if (!pair)
            continue;
        if (is_new)
            pair[at] = (struct bestdag_edge_votes){
                .a = bestdag_edge_set_from(edge[i] & ~(uint64_t)1),
                .b = bestdag_edge_set_to(edge[i] & ~(uint64_t)1)};
        pair[at].either += (edge[i] & 2) != 0;
        pair[at].forward += (edge[i] & 3) == 0;
        pair[at].backward += (edge[i] & 3) == 1;
    }
    return at + 1;
}

int bestdag_votes_count(struct bestdag_run *run, int n,
                        const struct bestdag_edge_set *const *ballots,
                        int64_t count, struct bestdag_votes *to)
{
    size_t edges = 0, at = 0;
    *to = (struct bestdag_votes){.n = n};
    for (int64_t i = 0; i < count; i++)
        edges += ballots[i] ? (size_t)ballots[i]->count : 0;
    uint64_t *all = bestdag_alloc(run, edges * sizeof *all);
    for (int64_t i = 0; all && i < count; i++) {
        if (!ballots[i])
            continue;
        size_t more = (size_t)ballots[i]->count;
        if (more)
            memcpy(all + at, ballots[i]->edge, more * sizeof *all);
        at += more;
        to->networks++;
    }
    if (all && edges)
        qsort(all, edges, sizeof *all, compare_numbers);
    if (all) {
        to->count = add_up(all, edges, NULL);
        to->pair = bestdag_alloc(run, (size_t)to->count * sizeof *to->pair);
    }
    if (to->pair && to->count) {
        add_up(all, edges, to->pair);
        qsort(to->pair, (size_t)to->count, sizeof *to->pair, compare_votes);
    }
    bestdag_free(all);
    return bestdag_run_status(run);
}

void bestdag_votes_release(struct bestdag_votes *votes)
{
    bestdag_free(votes->pair);
    *votes = (struct bestdag_votes){0};
}
