/* SPDX-License-Identifier: MIT */
/* consistent_extension.c -- a consistent extension of a PDAG.
 *
 * Dor and Tarsi, A simple algorithm to construct a consistent extension of a
 * partially oriented graph (UCLA R-185, 1992): find a node x without children
 * whose undirected neighbours are each adjacent to all other nodes adjacent to
 * x; direct its undirected edges towards x; remove it; repeat. Any such node
 * will do, and if there is none, there is no extension.
 *
 * Instead of testing all nodes again, each node that is no such sink records an
 * obstacle: a child, or a neighbour and a node not adjacent to it. It is tested
 * again only when one of these is removed. A neighbour once found to be
 * adjacent to all stays so, hence each node visits its children and neighbours
 * once. Time O((n + edges) * n / 64).
 *
 * A partial order that the DAG must agree with adds one condition: no remaining
 * node comes after x. The choice among sinks stays free: take a DAG that agrees
 * with the order, and a linear order of its nodes that does, too. Moving x to
 * the end of the linear order reverses only edges at x, towards x, and changes
 * nothing between the others, so there is a DAG that agrees and has x as a
 * sink.
 *
 * Invariant: a remaining node is on the stack or has an obstacle. */
#include "graph/pdag.h"

#include <assert.h>
#include <string.h>

struct node {
    int child, later, neighbour; /* all before these are removed, or no
                                    obstacle */
    int obstacle[2];
};

struct sinks {
    const struct bestdag_pdag *pdag;
    const uint64_t *before, *after; /* rows; NULL: no order */
    uint64_t *left;                 /* owns; row of the remaining nodes */
    struct node *node;              /* owns; [n] */
    int *stack;                     /* owns; [n]; nodes that can be removed */
    int count;
    int *parents; /* owns; [n]; scratch */
};

static uint64_t adjacent(const struct bestdag_pdag *p, int v, size_t word)
{
    size_t at = (size_t)v * p->words + word;
    return p->parents[at] | p->children[at] | p->neighbours[at];
}

static const uint64_t *row(const uint64_t *rows, const struct sinks *s, int v)
{
    return rows + (size_t)v * s->pdag->words;
}

/* The least remaining member >= from of a row; -1: none. */
static int next_left(const struct sinks *s, const uint64_t *members, int from)
{
    int v = bestdag_row_next(members, s->pdag->words, from);
    while (v >= 0 && !bestdag_row_has(s->left, v))
        v = bestdag_row_next(members, s->pdag->words, v + 1);
    return v;
}

/* A node adjacent to x, other than y, that is not adjacent to y; -1: none. */
static int apart(const struct sinks *s, int x, int y)
{
    for (size_t w = 0; w < s->pdag->words; w++) {
        uint64_t rest = adjacent(s->pdag, x, w) & s->left[w];
        rest &= ~adjacent(s->pdag, y, w);
        if (w == (size_t)y / 64)
            rest &= ~((uint64_t)1 << (y % 64));
        if (rest)
            return (int)(w * 64) + __builtin_ctzll(rest);
    }
    return -1;
}

/* Is there a remaining node in this row, from *from on? Then it is an
 * obstacle. */
static bool obstructs(const struct sinks *s, const uint64_t *members, int *from,
                      struct node *node)
{
    int v = members ? next_left(s, members, *from) : -1;
    *from = v < 0 ? s->pdag->n : v;
    if (v >= 0)
        node->obstacle[0] = node->obstacle[1] = v;
    return v >= 0;
}

/* Puts x on the stack if it is a sink, else records its obstacle. */
static void look_at(struct sinks *s, int x)
{
    struct node *node = &s->node[x];
    const uint64_t *after = s->after ? row(s->after, s, x) : NULL;
    if (obstructs(s, row(s->pdag->children, s, x), &node->child, node) ||
        obstructs(s, after, &node->later, node))
        return;
    const uint64_t *neighbours = row(s->pdag->neighbours, s, x);
    int y = node->neighbour;
    while ((y = next_left(s, neighbours, y)) >= 0) {
        int z = apart(s, x, y);
        if (z >= 0) {
            node->neighbour = node->obstacle[0] = y;
            node->obstacle[1] = z;
            return;
        }
        y++;
    }
    node->obstacle[0] = node->obstacle[1] = -1;
    assert(s->count < s->pdag->n);
    s->stack[s->count++] = x;
}

static int add_parents(struct bestdag_run *run, struct sinks *s, int x,
                       struct bestdag_dag *to)
{
    int count = 0;
    for (size_t w = 0; w < s->pdag->words; w++)
        for (uint64_t rest = adjacent(s->pdag, x, w) & s->left[w]; rest;
             rest &= rest - 1)
            s->parents[count++] = (int)(w * 64) + __builtin_ctzll(rest);
    return bestdag_dag_set_parents(run, to, x, s->parents, count);
}

/* To be called after x was removed. */
static void look_again(struct sinks *s, int v, int x)
{
    const int *obstacle = s->node[v].obstacle;
    if (obstacle[0] == x || obstacle[1] == x)
        look_at(s, v);
}

/* Returns the number of removed nodes; negative: error. */
static int remove_sinks(struct bestdag_run *run, struct sinks *s,
                        struct bestdag_dag *to)
{
    int removed = 0;
    for (int v = 0; v < s->pdag->n; v++)
        bestdag_row_add(s->left, v);
    for (int v = 0; v < s->pdag->n; v++)
        look_at(s, v);
    for (; s->count; removed++) {
        assert(s->count <= s->pdag->n - removed);
        int x = s->stack[--s->count];
        assert(bestdag_row_has(s->left, x));
        assert(next_left(s, row(s->pdag->children, s, x), 0) < 0);
        bestdag_row_drop(s->left, x);
        if (add_parents(run, s, x, to))
            return -1;
        for (int i = 0; i < to->parents[x].count; i++)
            look_again(s, to->parents[x].at[i], x);
        const uint64_t *before = s->before ? row(s->before, s, x) : NULL;
        for (int v = before ? next_left(s, before, 0) : -1; v >= 0;
             v = next_left(s, before, v + 1))
            look_again(s, v, x);
    }
    return removed;
}

struct bestdag_dag *bestdag_pdag_extend(struct bestdag_run *run,
                                        const struct bestdag_pdag *pdag)
{
    return bestdag_pdag_extend_under(run, pdag, NULL);
}

struct bestdag_dag *bestdag_pdag_extend_under(struct bestdag_run *run,
                                              const struct bestdag_pdag *pdag,
                                              const struct bestdag_order *order)
{
    int removed = -1;
    size_t n = (size_t)pdag->n;
    struct sinks s = {.pdag = pdag};
    if (order) {
        s.before = order->before;
        s.after = order->after;
    }
    struct bestdag_dag *dag = bestdag_dag_new(run, pdag->n);
    s.left = bestdag_calloc(run, pdag->words, sizeof *s.left);
    s.node = bestdag_calloc(run, n, sizeof *s.node);
    s.stack = bestdag_alloc(run, n * sizeof *s.stack);
    s.parents = bestdag_alloc(run, n * sizeof *s.parents);
    if (dag && s.left && s.node && s.stack && s.parents)
        removed = remove_sinks(run, &s, dag);
    bestdag_free(s.left);
    bestdag_free(s.node);
    bestdag_free(s.stack);
    bestdag_free(s.parents);
    if (removed == pdag->n)
        return dag;
    bestdag_dag_free(dag);
    return NULL;
}
