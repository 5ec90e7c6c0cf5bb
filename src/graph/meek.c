/* SPDX-License-Identifier: MIT */
/* meek.c -- the rules of Meek, Causal inference and causal explanation with
 * background knowledge (UAI 1995), until none applies. An edge a - b becomes a
 * -> b if the other direction would make
 *
 *     1  a v-structure:    c -> a, c and b not adjacent
 *     2  a cycle:          a -> c -> b
 *     3  one of the two:   c -> b <- d, a - c, a - d, c and d not adjacent
 *     4  one of the two:   d -> c -> b, a - d, a and c adjacent, b and d not
 *
 * Time O(edges^2 * degree * n / 64) in the worst case; there are few passes in
 * practice. */
#include "graph/meek.h"

static uint64_t *row(const struct bestdag_pdag *p, uint64_t *rows, int v)
{
    return rows + (size_t)v * p->words;
}

static bool is_adjacent(const struct bestdag_pdag *p, int a, int b)
{
    return bestdag_row_has(row(p, p->parents, a), b) ||
           bestdag_row_has(row(p, p->children, a), b) ||
           bestdag_row_has(row(p, p->neighbours, a), b);
}

static bool makes_v(const struct bestdag_pdag *p, int a, int b)
{
    const uint64_t *parents = row(p, p->parents, a);
    for (int c = -1; (c = bestdag_row_next(parents, p->words, c + 1)) >= 0;)
        if (!is_adjacent(p, c, b))
            return true;
    return false;
}

static bool makes_cycle(const struct bestdag_pdag *p, int a, int b)
{
    const uint64_t *children = row(p, p->children, a);
    const uint64_t *parents = row(p, p->parents, b);
    for (size_t w = 0; w < p->words; w++)
        if (children[w] & parents[w])
            return true;
    return false;
}

/* Rules 3 and 4 for one parent c of b that is adjacent to a. */
static bool is_forced_by(const struct bestdag_pdag *p, int a, int b, int c)
{
    const uint64_t *near = row(p, p->neighbours, a);
    bool third = bestdag_row_has(near, c);
    for (int d = -1; (d = bestdag_row_next(near, p->words, d + 1)) >= 0;) {
        if (d == b || d == c)
            continue;
        if (third && bestdag_row_has(row(p, p->parents, b), d) &&
            !is_adjacent(p, c, d))
            return true;
        if (bestdag_row_has(row(p, p->parents, c), d) && !is_adjacent(p, b, d))
            return true;
    }
    return false;
}

static bool is_forced(const struct bestdag_pdag *p, int a, int b)
{
    if (makes_v(p, a, b) || makes_cycle(p, a, b))
        return true;
    const uint64_t *parents = row(p, p->parents, b);
    for (int c = -1; (c = bestdag_row_next(parents, p->words, c + 1)) >= 0;)
        if (is_adjacent(p, a, c) && is_forced_by(p, a, b, c))
            return true;
    return false;
}

void bestdag_pdag_direct(struct bestdag_pdag *p)
{
    for (bool again = true; again;) {
        again = false;
        for (int a = 0; a < p->n; a++) {
            const uint64_t *near = row(p, p->neighbours, a);
            for (int b = -1;
                 (b = bestdag_row_next(near, p->words, b + 1)) >= 0;)
                if (is_forced(p, a, b)) {
                    bestdag_pdag_add_arc(p, a, b);
                    again = true;
                }
        }
    }
}
