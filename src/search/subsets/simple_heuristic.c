/* SPDX-License-Identifier: MIT */
/* simple_heuristic.c -- the simple heuristic: every missing variable takes its
 * best set, even if that makes cycles. Consistent. Time O(n) per set. */
#include "search/subsets/heuristic.h"

struct simple {
    int words;
    uint64_t last;   /* mask of the last word of a set */
    int64_t least[]; /* [n]: least cost of v */
};

static int64_t value(const void *data, const uint64_t *set)
{
    const struct simple *s = data;
    int64_t sum = 0;
    for (int w = 0; w < s->words; w++) {
        uint64_t missing = ~set[w];
        if (w == s->words - 1)
            missing &= s->last;
        for (; missing; missing &= missing - 1)
            sum += s->least[w * 64 + __builtin_ctzll(missing)];
    }
    return sum;
}

static void after(const void *data, const uint64_t *set, const int *next,
                  int count, int64_t *h)
{
    const struct simple *s = data;
    int64_t now = value(data, set);
    for (int i = 0; i < count; i++)
        h[i] = now - s->least[next[i]];
}

static int make(struct bestdag_run *run,
                const struct bestdag_heuristic_request *job,
                struct bestdag_heuristic *to)
{
    const struct bestdag_component *at = job->component;
    size_t bytes = sizeof(struct simple) + (size_t)at->n * sizeof(int64_t);
    struct simple *s = bestdag_alloc(run, bytes);
    to->data = s;
    if (!s)
        return bestdag_run_status(run);
    s->words = at->words;
    s->last = ~(uint64_t)0 >> (at->words * 64 - at->n);
    for (int v = 0; v < at->n; v++)
        s->least[v] = at->list[v].cost[0];
    to->value = value;
    to->after = after;
    to->is_consistent = true;
    to->patterns = at->n;
    to->bytes = (int64_t)bytes;
    return BESTDAG_OK;
}

extern const struct bestdag_heuristic_row bestdag_heuristic_simple;
const struct bestdag_heuristic_row bestdag_heuristic_simple = {
    .name = "simple",
    .help = "every variable takes its best set, cycles or not",
    .make = make,
    .drop = bestdag_free,
};
