/* SPDX-License-Identifier: MIT */
/* block_separation.c -- 2-clusters: two members have at most one parent inside.
 *
 * Starts are three variables of which one has the other two as parents, and two
 * variables that have each other as parents, as a block, with two of their
 * neighbours: of all pairs of neighbours the one with the least sum. */
#include "bounds/violated_cluster.h"

/* Gaps are those of hailfinder and soybean at the same work
 * (bench/log/2026-11-17-sensitivity.csv). */

/* Of a set or an arc that may be a start. 0.05: gaps x 0.94..0.99; 0.2: x
 * 0.71..1.01. */
#define GOOD_FRACTION 0.1F
/* The sum of a start, as others may join. 2.0: gaps x 0.96..1.05; 2.6: x
 * 0.91..1.01. */
#define NEARLY_VIOLATED 2.2

enum {
    MOST_AROUND = 9, /* neighbours of a pair; 4: gaps x 0.99..1.06, the proof of
                        munin1 takes 1.3 times as long; 18: gaps x 0.99..1 */
    MOST_PARENTS = 8 /* of a set, whose pairs make triples; 4..16: the same */
};

/* ---- three ------------------------------------------------------------------
 */

static int list_members(const struct bestdag_reduced_list *s, int set,
                        int32_t *to, int most)
{
    const uint64_t *mask = bestdag_reduced_list_mask(s, set);
    int count = 0;
    for (int w = 0; w < s->words; w++)
        for (uint64_t rest = mask[w]; rest && count < most; rest &= rest - 1)
            to[count++] = s->member[w * 64 + __builtin_ctzll(rest)];
    return count;
}

static int use_triples(struct bestdag_violated *b, int v, int set)
{
    int32_t m[MOST_PARENTS];
    int count = list_members(&b->r->list[v], set, m, MOST_PARENTS);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            bestdag_violated_add(b, v, BESTDAG_INSIDE);
            bestdag_violated_add(b, m[i], BESTDAG_INSIDE);
            bestdag_violated_add(b, m[k], BESTDAG_INSIDE);
            if (bestdag_violated_use(b) < 0)
                return -1;
        }
    return 0;
}

/* ---- two and two ------------------------------------------------------------
 */

/* Variables in the support of u or v, the shortest arcs first, without u, v. */
static int list_around(const struct bestdag_violated *b, int u, int v,
                       int32_t *to)
{
    float length[MOST_AROUND];
    int count = 0;
    for (int turn = 0; turn < 2; turn++) {
        int x = turn ? u : v;
        for (int64_t i = b->arc_start[x]; i < b->arc_start[x + 1]; i++) {
            struct bestdag_fractional_arc n = b->arc[i];
            int at = 0, k = 0;
            while (k < count && to[k] != n.to)
                k++;
            if (n.to == u || n.to == v || k < count)
                continue;
            while (at < count && length[at] <= n.length)
                at++;
            count += count < MOST_AROUND;
            for (k = count - 1; k > at; k--) {
                to[k] = to[k - 1];
                length[k] = length[k - 1];
            }
            if (at < count) {
                to[at] = n.to;
                length[at] = n.length;
            }
        }
    }
    return count;
}

static double try_four(struct bestdag_violated *b, int u, int v, int32_t x,
                       int32_t y)
{
    bestdag_violated_clear(b);
    bestdag_violated_add(b, u, BESTDAG_BLOCKED);
    bestdag_violated_add(b, v, BESTDAG_BLOCKED);
    bestdag_violated_add(b, x, BESTDAG_INSIDE);
    bestdag_violated_add(b, y, BESTDAG_INSIDE);
    return bestdag_violated_sum(b);
}

static int use_block(struct bestdag_violated *b, int u, int v)
{
    int32_t around[MOST_AROUND];
    int count = list_around(b, u, v, around), x = -1, y = -1;
    double least = NEARLY_VIOLATED;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            double sum = try_four(b, u, v, around[i], around[k]);
            if (sum >= least)
                continue;
            least = sum;
            x = around[i];
            y = around[k];
        }
    b->r->work += 8 * (int64_t)count * count;
    bestdag_violated_clear(b);
    if (x < 0)
        return 0;
    try_four(b, u, v, x, y);
    return bestdag_violated_use(b);
}

int bestdag_violated_blocks(struct bestdag_violated *b, int v)
{
    b->least = 2;
    for (int64_t i = b->support_start[v]; i < b->support_start[v + 1]; i++)
        if (b->support[i].value >= GOOD_FRACTION &&
            use_triples(b, v, b->support[i].set) < 0)
            return -1;
    for (int64_t i = b->arc_start[v]; i < b->arc_start[v + 1]; i++)
        if (!bestdag_relaxation_stopped(b->r) &&
            b->arc[i].length <= 1 - GOOD_FRACTION &&
            use_block(b, b->arc[i].to, v) < 0)
            return -1;
    b->least = 1;
    return 0;
}
