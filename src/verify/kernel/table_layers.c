/* SPDX-License-Identifier: MIT */
/* prefixes.c -- proves a bound by a table of prefixes.
 *
 * A DAG is a way of placing the variables one after the other; S is the set of
 * those placed so far, g(S) the least that they can cost. From {} on, layer by
 * layer, for every prefix that is reached what is left must cost enough, g(S) +
 * H(S) >= L (onward.c), or it must be expanded by a record.
 *
 * Some variables may follow all at once, with the best that they can have in S,
 * if whatever would be better for one of them leads to L at least: in a network
 * that costs less they lose nothing, and placed now they hinder nobody. */
#include <string.h>

#include "base/row.h"
#include "verify/kernel/mask.h"
#include "verify/kernel/table_proof.h"
#include "verify/kernel/growing_array.h"

/* A prefix that is reached. */
struct reached {
    int64_t cost; /* g */
    int32_t last; /* the variable placed last, on the way that costs so much */
};

/* ---- layers ---------------------------------------------------------------
 */

struct layers {
    struct kernel_table *t;
    int64_t least;                     /* L */
    struct kernel_prefix_table *layer; /* owns; [n + 1], of struct reached */
    uint64_t *grown;                   /* owns; scratch */
};

static int refuse(struct layers *a, const uint64_t *prefix, int64_t g,
                  const char *why)
{
    char text[80];
    return bestdag_proof_refuse(
        a->t->proof, "prefix %s is reached at cost %lld, and %s",
        bestdag_records_show(prefix, a->t->words, text), (long long)g, why);
}

/* The prefix in a->grown is reached. */
static int reach(struct layers *a, int64_t cost, int last)
{
    bool fresh = false;
    int size = bestdag_row_count(a->grown, a->t->words);
    struct reached *to = bestdag_prefix_table_add(
        a->t->proof->run, &a->layer[size], a->grown, &fresh);
    if (!to)
        return BESTDAG_MEMORY;
    if (fresh || cost < to->cost)
        *to = (struct reached){cost, last};
    return BESTDAG_OK;
}

static int follow_all(struct layers *a, const uint64_t *prefix, int64_t g)
{
    struct kernel_table *t = a->t;
    for (int i = 0; i < t->n; i++) {
        if (bestdag_row_has(prefix, i))
            continue;
        int64_t cost = bestdag_prefixes_best(t, i, prefix);
        bestdag_mask_copy(a->grown, prefix, t->words);
        bestdag_row_add(a->grown, i);
        if (cost != BESTDAG_PROOF_NEVER && reach(a, g + cost, i))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* ---- several at once ------------------------------------------------------
 */

/* How many sets of i are cheaper than the best that fits. */
static int count_cheaper(const struct kernel_table *t, int i, int64_t best)
{
    const struct kernel_candidates *c = &t->choices[i];
    int low = 0, high = c->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->cost[middle] < best)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looks with the record at hand at the sets that would be better for those who
 * are to follow: are they `enough` above the least? */
static void price_all(struct layers *a, const uint64_t *prefix, int64_t at,
                      bestdag_wide enough)
{
    struct kernel_table *t = a->t;
    int64_t sets = 0, i;
    while ((i = bestdag_records_number(t, &at))) {
        int count = count_cheaper(t, (int)i - 1,
                                  bestdag_prefixes_best(t, (int)i - 1, prefix));
        bestdag_prefixes_price(t, (int)i - 1, count, enough, t->dear + sets);
        sets += count;
    }
}

/* Those who are to follow join a->grown; *cost: what that costs, *sets: how
 * many sets would be better for one of them. */
static void join(struct layers *a, const uint64_t *prefix, int64_t at,
                 int64_t *cost, int64_t *sets)
{
    struct kernel_table *t = a->t;
    int64_t i;
    *sets = 0;
    bestdag_mask_copy(a->grown, prefix, t->words);
    while ((i = bestdag_records_number(t, &at))) {
        int64_t best = bestdag_prefixes_best(t, (int)i - 1, prefix);
        *sets += count_cheaper(t, (int)i - 1, best);
        bestdag_row_add(a->grown, (int)i - 1);
        if (best == BESTDAG_PROOF_NEVER || *cost == BESTDAG_PROOF_NEVER)
            *cost = BESTDAG_PROOF_NEVER;
        else
            *cost += best;
    }
}

/* Are all sets that would be better too dear, by one b record or another? */
static int check_dear(struct layers *a, const uint64_t *prefix,
                      const struct kernel_prefix *fate, int64_t g, int64_t sets)
{
    struct kernel_table *t = a->t;
    int64_t at = fate->pairs, bound;
    if (bestdag_array_grow(t->proof->run, &t->dear, &t->dear_room, sets, 1))
        return BESTDAG_MEMORY;
    memset(t->dear, 0, (size_t)sets);
    while (at >= 0) {
        if (bestdag_records_take(t, prefix, &at) ||
            bestdag_prefixes_bound(t, prefix, &bound))
            return bestdag_run_status(t->proof->run);
        if (bound != INT64_MIN)
            price_all(a, prefix, fate->forced,
                      (bestdag_wide)a->least - g - bound);
    }
    return memchr(t->dear, 0, (size_t)sets)
               ? refuse(a, prefix, g,
                        "a variable that is to follow could do better later")
               : BESTDAG_OK;
}

static int follow_forced(struct layers *a, const uint64_t *prefix,
                         const struct kernel_prefix *fate, int64_t g)
{
    int64_t cost = g, sets;
    int status = BESTDAG_OK;
    join(a, prefix, fate->forced, &cost, &sets);
    if (sets)
        status = check_dear(a, prefix, fate, g, sets);
    if (status || cost == BESTDAG_PROOF_NEVER)
        return status;
    return reach(a, cost, -1);
}

/* ---- all layers -----------------------------------------------------------
 */

static int visit(struct layers *a, const uint64_t *prefix,
                 const struct reached *r)
{
    struct kernel_table *t = a->t;
    const struct kernel_prefix *fate =
        bestdag_prefix_table_find(&t->fates, prefix);
    bool enough = false;
    t->proof->reached++;
    int status = bestdag_prefixes_ahead(
        t, prefix, r->last, (bestdag_wide)a->least - r->cost, &enough);
    if (status || enough)
        return status;
    if (fate && fate->is_expanded)
        return follow_all(a, prefix, r->cost);
    if (fate && fate->forced >= 0)
        return follow_forced(a, prefix, fate, r->cost);
    return refuse(a, prefix, r->cost, "the table does not say what follows");
}

static int visit_layer(struct layers *a, struct kernel_prefix_table *now)
{
    struct kernel_proof *p = a->t->proof;
    int status = BESTDAG_OK;
    for (int64_t i = 0; i < now->room && !status; i++) {
        if (now->used[i])
            status = visit(a, now->key + (size_t)i * a->t->words,
                           (struct reached *)now->value + i);
        if (!(i & 1023)) {
            bestdag_run_watch(p->run, bestdag_source_consumed(p->words->from));
            if (!status && bestdag_proof_stopped(p))
                status = BESTDAG_FAILED;
        }
    }
    return status;
}

/* The last layer has at most one prefix: all. */
static int check_all(struct layers *a, const struct kernel_prefix_table *now)
{
    const struct reached *r = now->value;
    for (int64_t i = 0; i < now->room; i++)
        if (now->used[i] && r[i].cost < a->least)
            return refuse(a, now->key + (size_t)i * a->t->words, r[i].cost,
                          "that is less than the table claims");
    return BESTDAG_OK;
}

static int visit_layers(struct layers *a)
{
    int n = a->t->n, status;
    for (int i = 0; i <= n; i++)
        a->layer[i] = (struct kernel_prefix_table){
            .words = a->t->words, .size = sizeof(struct reached)};
    status = reach(a, 0, -1); /* a->grown is empty */
    for (int i = 0; i < n && !status; i++) {
        status = visit_layer(a, &a->layer[i]);
        bestdag_prefix_table_release(&a->layer[i]);
    }
    return status ? status : check_all(a, &a->layer[n]);
}

static int prove(struct kernel_table *t, int64_t least)
{
    struct bestdag_run *run = t->proof->run;
    struct layers a = {.t = t, .least = least};
    a.layer = bestdag_calloc(run, (size_t)t->n + 1, sizeof *a.layer);
    a.grown = bestdag_calloc(run, t->words, sizeof *a.grown);
    int status =
        a.layer && a.grown ? visit_layers(&a) : bestdag_run_status(run);
    for (int i = 0; a.layer && i <= t->n; i++)
        bestdag_prefix_table_release(&a.layer[i]);
    bestdag_free(a.layer);
    bestdag_free(a.grown);
    return status;
}

int bestdag_prefixes_prove(struct kernel_proof *p, int64_t *cost)
{
    struct kernel_table t;
    int status = bestdag_words_end_line(p->words);
    if (status)
        return status;
    status = bestdag_prefixes_start(&t, p);
    if (!status)
        status = bestdag_records_read(&t, cost);
    if (!status)
        status = prove(&t, *cost);
    bestdag_prefixes_release(&t);
    p->tables++;
    return status;
}
