/* SPDX-License-Identifier: MIT */
/* table_layers.c -- proves a bound by dynamic programming over prefixes.
 *
 * A DAG places one variable after the other; S is the set of those placed so
 * far, g(S) the least that they can cost. From {} on, layer by layer, for every
 * prefix that is reached the remaining cost must be large enough, g(S) + H(S)
 * >= L (table_heuristic.c), or it must be expanded by a record. Variables that
 * may follow all at once lose nothing in a network that costs less, and hinder
 * no other. */
#include <stdio.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/row.h"
#include "verify/kernel/table_proof.h"

/* A prefix that is reached. */
struct kernel_reached {
    int64_t cost; /* g */
    int32_t last; /* the variable placed last, on the way that costs so much */
};

const char *bestdag_prefix_text(const struct kernel_table *t,
                                const uint64_t *mask, char to[32])
{
    size_t w = t->words;
    while (w > 1 && !mask[w - 1])
        w--;
    snprintf(to, 32, w > 1 ? "%llx..." : "%llx",
             (unsigned long long)mask[w - 1]);
    return to;
}

static bool refuse(struct kernel_table *t, const uint64_t *prefix, int64_t g,
                   const char *why)
{
    char text[32];
    return bestdag_proof_refuse(
        t->proof, "prefix %s is reached at cost %lld, and %s",
        bestdag_prefix_text(t, prefix, text), (long long)g, why);
}

/* The prefix in t->grown is reached. */
static bool reach(struct kernel_table *t, int64_t cost, int last)
{
    bool fresh = false;
    int size = bestdag_row_count(t->grown, t->words);
    struct kernel_reached *to =
        bestdag_row_table_add(t->proof->run, &t->layer[size], t->grown, &fresh);
    if (to && (fresh || cost < to->cost))
        *to = (struct kernel_reached){cost, last};
    return to != NULL;
}

static bool follow_all(struct kernel_table *t, const uint64_t *prefix,
                       int64_t g)
{
    for (int v = 0; v < t->n; v++) {
        if (bestdag_row_has(prefix, v))
            continue;
        int64_t cost = bestdag_table_best(t, v, prefix, NULL);
        bestdag_row_copy(t->grown, prefix, t->words);
        bestdag_row_add(t->grown, v);
        if (cost != KERNEL_NEVER && !reach(t, g + cost, v))
            return false;
    }
    return true;
}

/* Are all `sets` sets that would be better too expensive, by one b record or
 * another? */
static bool check_expensive(struct kernel_table *t, const uint64_t *mask,
                            const struct kernel_prefix *prefix, int64_t g,
                            int64_t sets)
{
    int64_t at = prefix->b, bound, v;
    if (!BESTDAG_GROW(t->proof->run, t->expensive, t->expensive_room, sets))
        return false;
    memset(t->expensive, 0, (size_t)sets);
    while (at >= 0) {
        char *expensive = t->expensive;
        int64_t f = prefix->f;
        int count;
        if (!bestdag_records_take(t, mask, &at) ||
            !bestdag_table_bound(t, mask, &bound))
            return false;
        kernel_wide enough = (kernel_wide)t->goal - g - bound;
        while (bound != INT64_MIN && (v = (int64_t)bestdag_number_at(t, &f))) {
            bestdag_table_best(t, (int)v - 1, mask, &count);
            bestdag_table_price(t, (int)v - 1, count, enough, expensive);
            expensive += count;
        }
    }
    return !memchr(t->expensive, 0, (size_t)sets) ||
           refuse(t, mask, g,
                  "a variable that is to follow could do better later");
}

static bool follow_forced(struct kernel_table *t, const uint64_t *mask,
                          const struct kernel_prefix *prefix, int64_t g)
{
    int64_t cost = g, sets = 0, f = prefix->f, v;
    bool never = false;
    int cheaper;
    bestdag_row_copy(t->grown, mask, t->words);
    while ((v = (int64_t)bestdag_number_at(t, &f))) {
        int64_t best = bestdag_table_best(t, (int)v - 1, mask, &cheaper);
        bestdag_row_add(t->grown, (int)v - 1);
        sets += cheaper;
        never |= best == KERNEL_NEVER;
        cost += never ? 0 : best;
    }
    if (sets && !check_expensive(t, mask, prefix, g, sets))
        return false;
    return never || reach(t, cost, -1);
}

/* A prefix of `size` variables; that of all is in the last layer. */
static bool visit(struct kernel_table *t, const uint64_t *mask, int size,
                  const struct kernel_reached *r)
{
    const struct kernel_prefix *prefix =
        bestdag_row_table_find(&t->prefixes, mask);
    bool enough = false;
    if (size == t->n)
        return r->cost >= t->goal ||
               refuse(t, mask, r->cost, "that is less than the table claims");
    t->proof->reached++;
    if (!bestdag_table_remaining(t, mask, r->last,
                                 (kernel_wide)t->goal - r->cost, &enough))
        return false;
    if (enough)
        return true;
    if (prefix && prefix->is_expanded)
        return follow_all(t, mask, r->cost);
    if (prefix && prefix->f >= 0)
        return follow_forced(t, mask, prefix, r->cost);
    return refuse(t, mask, r->cost, "the table does not say what follows");
}

static bool visit_layer(struct kernel_table *t, int size)
{
    const struct bestdag_row_table *now = &t->layer[size];
    struct bestdag_word_reader *in = &t->proof->in;
    for (int64_t i = 0; i < now->room; i++) {
        const uint64_t *mask = now->key + (size_t)i * t->words;
        const struct kernel_reached *r =
            (const struct kernel_reached *)now->value + i;
        if (now->used[i] && !visit(t, mask, size, r))
            return false;
        if (!(i & 1023)) {
            bestdag_run_watch(in->run, bestdag_source_consumed(in->from));
            if (!bestdag_kernel_goes_on(in->run))
                return false;
        }
    }
    return true;
}

static bool visit_layers(struct kernel_table *t)
{
    for (int i = 0; i <= t->n; i++)
        t->layer[i] = (struct bestdag_row_table){
            .words = t->words, .size = sizeof(struct kernel_reached)};
    memset(t->grown, 0, t->words * sizeof *t->grown);
    if (!reach(t, 0, -1))
        return false;
    for (int i = 0; i <= t->n; i++) {
        if (!visit_layer(t, i))
            return false;
        bestdag_row_table_release(&t->layer[i]);
    }
    return true;
}

bool bestdag_table_prove(struct kernel_proof *p, int64_t *cost)
{
    struct kernel_table t;
    if (!bestdag_end_line(&p->in))
        return false;
    bool holds = bestdag_table_start(&t, p) && bestdag_records_read(&t) &&
                 visit_layers(&t);
    *cost = t.goal;
    bestdag_table_release(&t);
    p->tables++;
    return holds;
}
