/* SPDX-License-Identifier: MIT */
/* small_paths.h -- paths of small graphs by enumeration, and what the
 * definitions of d-separation and of adjustment say of them. Sets are bit
 * masks. */
#ifndef BESTDAG_TESTS_SMALL_PATHS_H
#define BESTDAG_TESTS_SMALL_PATHS_H

#include "small_graphs.h"

static inline uint32_t bit(int v)
{
    return (uint32_t)1 << v;
}

static inline uint32_t ancestors(const struct small *g, uint32_t of)
{
    for (uint32_t before = 0; before != of;) {
        before = of;
        for (int v = 0; v < g->n; v++)
            of |= has(of, v) ? g->parents[v] : 0;
    }
    return of;
}

static inline uint32_t descendants(const struct small *g, uint32_t of)
{
    for (uint32_t before = 0; before != of;) {
        before = of;
        for (int v = 0; v < g->n; v++)
            of |= g->parents[v] & of ? bit(v) : 0;
    }
    return of;
}

/* A path is open if every collider is an ancestor of the given, or given, and
 * nothing else on it is given. */
static inline bool is_open_path(const struct small *g, const int *path,
                                int count, uint32_t given)
{
    for (int i = 1; i + 1 < count; i++) {
        int v = path[i];
        bool collider =
            has(g->parents[v], path[i - 1]) && has(g->parents[v], path[i + 1]);
        if (collider ? !has(ancestors(g, given), v) : has(given, v))
            return false;
    }
    return true;
}

/* Calls back for each path from a to b of the skeleton. */
typedef void path_fn(void *user, const struct small *g, const int *path,
                     int count);

static inline void extend_path(const struct small *g, int *path, int count,
                               int b, path_fn *each, void *user)
{
    if (path[count - 1] == b) {
        each(user, g, path, count);
        return;
    }
    for (int v = 0; v < g->n; v++) {
        bool passed = false;
        for (int i = 0; i < count; i++)
            passed |= path[i] == v;
        if (passed || !adjacent(g, path[count - 1], v))
            continue;
        path[count] = v;
        extend_path(g, path, count + 1, b, each, user);
    }
}

static inline void all_paths(const struct small *g, int a, int b, path_fn *each,
                             void *user)
{
    int path[MOST_NODES] = {a};
    extend_path(g, path, 1, b, each, user);
}

struct shortest {
    uint32_t given;
    int nodes; /* of the shortest open path; 0: none is open */
};

static inline void keep_shortest(void *user, const struct small *g,
                                 const int *path, int count)
{
    struct shortest *s = user;
    if ((!s->nodes || count < s->nodes) &&
        is_open_path(g, path, count, s->given))
        s->nodes = count;
}

/* Nodes on a shortest open path between two sets; 0: they are separated. */
static inline int shortest_open(const struct small *g, uint32_t from,
                                uint32_t to, uint32_t given)
{
    struct shortest s = {.given = given};
    for (int a = 0; a < g->n; a++)
        for (int b = 0; b < g->n; b++)
            if (has(from, a) && has(to, b))
                all_paths(g, a, b, keep_shortest, &s);
    return s.nodes;
}

struct noncausal {
    uint32_t given;
    bool open;
};

static inline void look_noncausal(void *user, const struct small *g,
                                  const int *path, int count)
{
    struct noncausal *s = user;
    bool causal = true;
    for (int i = 1; i < count; i++)
        causal &= has(g->parents[path[i]], path[i - 1]);
    s->open |= !causal && is_open_path(g, path, count, s->given);
}

/* The adjustment criterion (Shpitser, VanderWeele, Robins 2010) for one cause:
 * no descendant of what is on a causal path, and no open path but causal ones.
 */
static inline bool adjusts(const struct small *g, int x, uint32_t y, uint32_t z)
{
    uint32_t on = descendants(g, bit(x)) & ancestors(g, y) & ~bit(x);
    struct noncausal s = {.given = z};
    if (z & (descendants(g, on) | bit(x) | y))
        return false;
    for (int b = 0; b < g->n; b++)
        if (has(y, b))
            all_paths(g, x, b, look_noncausal, &s);
    return !s.open;
}

#endif
