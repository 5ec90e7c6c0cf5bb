/* SPDX-License-Identifier: MIT */
/* small_graphs.h -- graphs of at most 32 nodes as bit masks, and the plain
 * definitions that the tests hold the library to. */
#ifndef BESTDAG_TESTS_SMALLGRAPHS_H
#define BESTDAG_TESTS_SMALLGRAPHS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graph/pdag.h"

enum { MOST_NODES = 32 };

/* Bit u of parents[v]: u -> v; of neighbours[v]: u - v, both ways. */
struct small {
    int n;
    uint32_t parents[MOST_NODES], neighbours[MOST_NODES];
};

enum relation { NONE, FORTH, BACK, UNDIRECTED }; /* of a pair a < b */

static inline bool has(uint32_t set, int v)
{
    return set >> v & 1;
}

static inline void relate(struct small *g, int a, int b, enum relation r)
{
    g->parents[b] |= (uint32_t)(r == FORTH) << a;
    g->parents[a] |= (uint32_t)(r == BACK) << b;
    g->neighbours[a] |= (uint32_t)(r == UNDIRECTED) << b;
    g->neighbours[b] |= (uint32_t)(r == UNDIRECTED) << a;
}

static inline enum relation relation(const struct small *g, int a, int b)
{
    return has(g->parents[b], a)      ? FORTH
           : has(g->parents[a], b)    ? BACK
           : has(g->neighbours[a], b) ? UNDIRECTED
                                      : NONE;
}

static inline bool adjacent(const struct small *g, int a, int b)
{
    return relation(g, a, b) != NONE;
}

static inline bool same(const struct small *a, const struct small *b)
{
    return !memcmp(a, b, sizeof *a);
}

static inline bool acyclic(const struct small *g)
{
    uint32_t placed = 0;
    for (int round = 0; round < g->n; round++)
        for (int v = 0; v < g->n; v++)
            if (!(g->parents[v] & ~placed))
                placed |= (uint32_t)1 << v;
    return placed == (uint32_t)(((uint64_t)1 << g->n) - 1);
}

/* a -> c <- b, both directed, a and b not adjacent? */
static inline bool is_v(const struct small *g, int a, int c, int b)
{
    return a != b && has(g->parents[c], a) && has(g->parents[c], b) &&
           !adjacent(g, a, b);
}

static inline bool same_skeleton(const struct small *g, const struct small *h)
{
    for (int b = 0; b < g->n; b++)
        for (int a = 0; a < b; a++)
            if (adjacent(g, a, b) != adjacent(h, a, b))
                return false;
    return true;
}

static inline bool same_v(const struct small *g, const struct small *h)
{
    for (int c = 0; c < g->n; c++)
        for (int b = 0; b < g->n; b++)
            for (int a = 0; a < b; a++)
                if (is_v(g, a, c, b) != is_v(h, a, c, b))
                    return false;
    return true;
}

/* Number `code` in base `kinds`, a digit per pair: 3 kinds give all directed
 * graphs without two-cycles, 4 all PDAGs. */
static inline struct small decode(int n, int kinds, int code)
{
    struct small g = {.n = n};
    for (int b = 0; b < n; b++)
        for (int a = 0; a < b; a++, code /= kinds)
            relate(&g, a, b, (enum relation)(code % kinds));
    return g;
}

static inline int encode(const struct small *g, int kinds)
{
    int code = 0;
    for (int b = g->n - 1; b >= 0; b--)
        for (int a = b - 1; a >= 0; a--)
            code = code * kinds + (int)relation(g, a, b);
    return code;
}

static inline int codes(int n, int kinds)
{
    int count = 1;
    for (int pair = 0; pair < n * (n - 1) / 2; pair++)
        count *= kinds;
    return count;
}

static inline void shuffle(struct bestdag_random *random, int *list, int n)
{
    for (int i = 0; i < n; i++)
        list[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = (int)bestdag_random_below(random, (uint64_t)i + 1);
        int other = list[i];
        list[i] = list[k];
        list[k] = other;
    }
}

/* Each pair is an arc with probability p, along a random order. */
static inline struct small random_small(struct bestdag_random *random, int n,
                                        double p)
{
    int order[MOST_NODES];
    struct small g = {.n = n};
    shuffle(random, order, n);
    for (int b = 0; b < n; b++)
        for (int a = 0; a < b; a++)
            if (bestdag_random_unit(random) < p)
                g.parents[order[b]] |= (uint32_t)1 << order[a];
    return g;
}

static inline bool meek_says(const struct small *g, int x, int y)
{
    for (int w = 0; w < g->n; w++) {
        if (has(g->parents[x], w) && !adjacent(g, w, y) && w != y)
            return true; /* w -> x - y */
        if (has(g->parents[w], x) && has(g->parents[y], w))
            return true; /* x -> w -> y, x - y */
        for (int u = 0; u < w; u++)
            if (has(g->neighbours[x], w) && has(g->parents[y], w) &&
                has(g->neighbours[x], u) && has(g->parents[y], u) &&
                !adjacent(g, u, w))
                return true; /* x - w -> y, x - u -> y */
    }
    return false;
}

/* The CPDAG by v-structures and the first three of Meek's rules. */
static inline struct small meek(const struct small *dag)
{
    struct small g = {.n = dag->n};
    for (int b = 0; b < g.n; b++)
        for (int a = 0; a < b; a++) {
            enum relation r = relation(dag, a, b);
            int from = r == FORTH ? a : b, to = r == FORTH ? b : a;
            bool in_v = false;
            for (int c = 0; r != NONE && c < g.n; c++)
                in_v |= is_v(dag, from, to, c);
            relate(&g, a, b, r == NONE || in_v ? r : UNDIRECTED);
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (int x = 0; x < g.n; x++)
            for (int y = 0; y < g.n; y++)
                if (has(g.neighbours[x], y) && meek_says(&g, x, y)) {
                    g.neighbours[x] &= ~((uint32_t)1 << y);
                    g.neighbours[y] &= ~((uint32_t)1 << x);
                    g.parents[y] |= (uint32_t)1 << x;
                    changed = true;
                }
    }
    return g;
}

/* ---- to and from the library --------------------------------------------- */

static inline void set_parents(struct bestdag_run *run, struct bestdag_dag *dag,
                               int v, uint32_t parents)
{
    int list[MOST_NODES], count = 0;
    for (int u = 0; u < MOST_NODES; u++)
        if (has(parents, u))
            list[count++] = u;
    assert_int_equal(bestdag_dag_set_parents(run, dag, v, list, count),
                     BESTDAG_OK);
}

static inline struct bestdag_dag *to_dag(struct bestdag_run *run,
                                         const struct small *g)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, g->n);
    for (int v = 0; v < g->n; v++)
        set_parents(run, dag, v, g->parents[v]);
    return dag;
}

static inline struct small of_dag(const struct bestdag_dag *dag)
{
    struct small g = {.n = dag->n};
    for (int v = 0; v < g.n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            g.parents[v] |= (uint32_t)1 << dag->parents[v].at[i];
    return g;
}

static inline struct bestdag_pdag *to_pdag(struct bestdag_run *run,
                                           const struct small *g)
{
    struct bestdag_pdag *pdag = bestdag_pdag_new(run, g->n);
    for (int b = 0; b < g->n; b++)
        for (int a = 0; a < b; a++) {
            enum relation r = relation(g, a, b);
            if (r == UNDIRECTED)
                bestdag_pdag_add_edge(pdag, a, b);
            else if (r != NONE)
                bestdag_pdag_add_arc(pdag, r == FORTH ? a : b,
                                     r == FORTH ? b : a);
        }
    return pdag;
}

/* Also checks that children mirror parents and neighbours themselves. */
static inline struct small of_pdag(const struct bestdag_pdag *pdag)
{
    struct small g = {.n = pdag->n};
    for (int v = 0; v < g.n; v++) {
        g.parents[v] = (uint32_t)pdag->parents[v];
        g.neighbours[v] = (uint32_t)pdag->neighbours[v];
    }
    for (int v = 0; v < g.n; v++)
        for (int u = 0; u < g.n; u++) {
            assert_int_equal(has(g.parents[v], u),
                             has((uint32_t)pdag->children[u], v));
            assert_int_equal(has(g.neighbours[v], u), has(g.neighbours[u], v));
        }
    return g;
}

/* A random graph too large for masks: about `arcs` arcs along a random order.
 */
static inline struct bestdag_dag *random_dag(struct bestdag_run *run,
                                             uint64_t seed, int n, int arcs)
{
    enum { MOST_PARENTS = 64 };
    struct bestdag_random random = bestdag_random_init(seed, 0);
    struct bestdag_dag *dag = bestdag_dag_new(run, n);
    int *order = malloc((size_t)n * sizeof *order);
    int parents[MOST_PARENTS], left = arcs;
    shuffle(&random, order, n);
    for (int i = 1; i < n; i++) {
        int count = 0, most = i < MOST_PARENTS ? i : MOST_PARENTS;
        int want = (int)bestdag_random_below(
            &random, 2 * (uint64_t)left / (uint64_t)(n - i) + 1);
        while (count < (want < most ? want : most)) {
            int u = order[bestdag_random_below(&random, (uint64_t)i)], k = 0;
            while (k < count && parents[k] != u)
                k++;
            if (k == count)
                parents[count++] = u;
        }
        left -= count;
        assert_int_equal(
            bestdag_dag_set_parents(run, dag, order[i], parents, count),
            BESTDAG_OK);
    }
    free(order);
    return dag;
}

/* ---- failing allocations ------------------------------------------------- */

/* Does some work, frees what it made, says whether it succeeded. */
typedef bool work_fn(struct bestdag_run *run, const void *input);

/* Fails the first allocation, then the second, ... until the work succeeds. */
static inline void survives_failing_allocations(work_fn *work,
                                                const void *input)
{
    for (int n = 1; n < 10000; n++) {
        struct bestdag_run *run = bestdag_run_new();
        bestdag_memory_fail_at(run, n);
        bool done = work(run, input);
        int status = bestdag_run_status(run);
        assert_int_equal(status, done ? BESTDAG_OK : BESTDAG_MEMORY);
        assert_int_equal(bestdag_memory_used(run), 0);
        bestdag_run_free(run);
        if (done) {
            assert_true(n > 1);
            return;
        }
    }
    fail_msg("the work never succeeded");
}

#endif
