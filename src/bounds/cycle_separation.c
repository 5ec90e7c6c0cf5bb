/* SPDX-License-Identifier: MIT */
/* cycle_separation.c -- short cycles: the variables of a cycle of length below
 * 1 are a violated cluster; those of a slightly longer one may be when
 * variables are added. */
#include <math.h>

#include "bounds/violated_cluster.h"

/* The longest cycle to start from. 1.0: gap of hailfinder x 1.54 at the same
 * work; 3.2: x 0.91 (bench/log/2026-11-17-sensitivity.csv). */
#define LONGEST 1.6

enum {
    MOST_VISITS = 400
}; /* variables reached from one root; 200..800: the
      same */

static void put_at(struct bestdag_violated *b, int i, int32_t v)
{
    b->heap[i] = v;
    b->place[v] = i;
}

static void sift_up(struct bestdag_violated *b, int i)
{
    int32_t v = b->heap[i];
    for (; i && b->distance[b->heap[(i - 1) / 2]] > b->distance[v];
         i = (i - 1) / 2)
        put_at(b, i, b->heap[(i - 1) / 2]);
    put_at(b, i, v);
}

static int32_t take_least(struct bestdag_violated *b)
{
    int32_t least = b->heap[0], v = b->heap[--b->heaped];
    int i = 0;
    b->place[least] = -1;
    for (int k; (k = 2 * i + 1) < b->heaped; i = k) {
        if (k + 1 < b->heaped &&
            b->distance[b->heap[k + 1]] < b->distance[b->heap[k]])
            k++;
        if (b->distance[b->heap[k]] >= b->distance[v])
            break;
        put_at(b, i, b->heap[k]);
    }
    if (b->heaped)
        put_at(b, i, v);
    return least;
}

static void reach(struct bestdag_violated *b, int32_t u, int32_t from,
                  double distance)
{
    if (distance >= b->distance[u])
        return;
    if (isinf(b->distance[u]))
        b->visited[b->visits++] = u;
    b->distance[u] = distance;
    b->from[u] = from;
    if (b->place[u] < 0)
        b->place[u] = b->heaped++, b->heap[b->place[u]] = u;
    sift_up(b, b->place[u]);
}

/* Resets the variables that were reached. */
static void clean_up(struct bestdag_violated *b)
{
    for (int i = 0; i < b->visits; i++) {
        b->distance[b->visited[i]] = INFINITY;
        b->place[b->visited[i]] = -1;
    }
    b->r->work += 4 * b->visits;
}

/* Dijkstra's algorithm from the root back to the root. */
bool bestdag_violated_cycle(struct bestdag_violated *b, int root)
{
    int32_t v = root;
    double at = 0;
    b->visits = b->heaped = 0;
    for (int done = 0; done < MOST_VISITS; done++) {
        for (int64_t i = b->arc_start[v]; i < b->arc_start[v + 1]; i++)
            if (at + (double)b->arc[i].length < LONGEST)
                reach(b, b->arc[i].to, v, at + (double)b->arc[i].length);
        if (!b->heaped)
            break;
        v = take_least(b);
        at = b->distance[v];
        if (v == root)
            break;
    }
    bool is_closed = !isinf(b->distance[root]) && b->place[root] < 0;
    if (is_closed)
        do {
            bestdag_violated_add(b, v);
            v = b->from[v];
        } while (v != root);
    clean_up(b);
    return is_closed;
}
