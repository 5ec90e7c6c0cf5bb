/* SPDX-License-Identifier: MIT */
/* prefixes.c -- proves a bound by a table of prefixes.
 *
 * A DAG is a way of placing the variables one after the other; S is the set of
 * those placed so far, g(S) the least that they can cost. From {} on, layer by
 * layer, every prefix that is reached must be expanded by a record, or what is
 * left must cost enough: g(S) + h(S) >= L, by multipliers of its own, of a
 * prefix one smaller, or of the part. (Any multipliers will do of clusters that
 * lie outside S, wherever they come from.) Two layers are held at a time. */
#include <string.h>

#include "base/row.h"
#include "verify/masks.h"
#include "verify/prefixes.h"

/* A prefix that is reached. */
struct reached {
    int64_t cost; /* g */
    int32_t last; /* the variable placed last, on the way that costs so much */
};

/* ---- layers ---------------------------------------------------------------
 */

struct layers {
    struct bestdag_prefixes *t;
    int64_t least;                  /* L */
    struct bestdag_hoard now, next; /* of struct reached */
    uint64_t *grown;                /* scratch */
};

static int refuse(struct layers *a, const uint64_t *prefix, int64_t g,
                  const char *why)
{
    char text[80];
    return bestdag_proof_refuse(
        a->t->proof, "prefix %s is reached at cost %lld, and %s",
        bestdag_records_show(prefix, a->t->words, text), (long long)g, why);
}

/* Variable i follows: its cheapest set that fits. */
static int follow(struct layers *a, const uint64_t *prefix, int64_t g, int i)
{
    struct bestdag_prefixes *t = a->t;
    int64_t cost = bestdag_prefixes_best(t, i, prefix);
    bool fresh = false;
    if (cost == BESTDAG_PROOF_NEVER)
        return BESTDAG_OK;
    bestdag_mask_copy(a->grown, prefix, t->words);
    bestdag_row_add(a->grown, i);
    struct reached *to =
        bestdag_hoard_add(t->proof->run, &a->next, a->grown, &fresh);
    if (!to)
        return BESTDAG_MEMORY;
    if (fresh || g + cost < to->cost)
        *to = (struct reached){g + cost, i};
    return BESTDAG_OK;
}

static int follow_all(struct layers *a, const uint64_t *prefix, int64_t g)
{
    for (int i = 0; i < a->t->n; i++)
        if (!bestdag_row_has(prefix, i) && follow(a, prefix, g, i))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

/* Nothing that comes later is better for i, and i hinders nobody. */
static int follow_one(struct layers *a, const uint64_t *prefix, int64_t g,
                      int i)
{
    const struct bestdag_choices *c = &a->t->choices[i];
    if (!c->count || bestdag_prefixes_best(a->t, i, prefix) != c->cost[0])
        return refuse(a, prefix, g,
                      "the variable that is to follow alone could do better "
                      "later");
    return follow(a, prefix, g, i);
}

/* Is g enough with the b records from `at` on, of this prefix or of `owner`,
 * which is one smaller? */
static int rests_on(struct layers *a, const uint64_t *owner, int64_t at,
                    const uint64_t *prefix, int64_t g, bool *enough)
{
    struct bestdag_prefixes *t = a->t;
    while (at >= 0 && !*enough) {
        int64_t bound;
        if (bestdag_records_take(t, owner, &at) ||
            bestdag_prefixes_bound(t, prefix, &bound))
            return bestdag_run_status(t->proof->run);
        *enough = bound != INT64_MIN && (bestdag_wide)g + bound >= a->least;
    }
    return BESTDAG_OK;
}

/* The prefix without variable i: have its records enough? */
static int rests_on_smaller(struct layers *a, const uint64_t *prefix, int64_t g,
                            int i, bool *enough)
{
    struct bestdag_prefixes *t = a->t;
    bestdag_mask_copy(a->grown, prefix, t->words);
    bestdag_row_drop(a->grown, i);
    const struct bestdag_fate *fate = bestdag_hoard_find(&t->fates, a->grown);
    return fate ? rests_on(a, a->grown, fate->pairs, prefix, g, enough)
                : BESTDAG_OK;
}

/* Nothing follows it: does the rest cost enough? */
static int end_here(struct layers *a, const uint64_t *prefix,
                    const struct reached *r)
{
    struct bestdag_prefixes *t = a->t;
    bool enough = false;
    int64_t bound;
    int status = BESTDAG_OK;
    if (r->last >= 0)
        status = rests_on_smaller(a, prefix, r->cost, r->last, &enough);
    for (int i = 0; i < t->n && !status && !enough; i++)
        if (i != r->last && bestdag_row_has(prefix, i))
            status = rests_on_smaller(a, prefix, r->cost, i, &enough);
    if (status || enough)
        return status;
    if (bestdag_prefixes_inherit(t, prefix, &bound))
        return bestdag_run_status(t->proof->run);
    if (bound != INT64_MIN && (bestdag_wide)r->cost + bound >= a->least)
        return BESTDAG_OK;
    return refuse(a, prefix, r->cost, "the table does not say what follows");
}

static int visit(struct layers *a, const uint64_t *prefix,
                 const struct reached *r)
{
    struct bestdag_prefixes *t = a->t;
    const struct bestdag_fate *fate = bestdag_hoard_find(&t->fates, prefix);
    bool enough = false;
    t->proof->reached++;
    if (fate && rests_on(a, prefix, fate->pairs, prefix, r->cost, &enough))
        return bestdag_run_status(t->proof->run);
    if (enough)
        return BESTDAG_OK;
    if (fate && fate->next == BESTDAG_EXPANDED)
        return follow_all(a, prefix, r->cost);
    if (fate && fate->next >= 0)
        return follow_one(a, prefix, r->cost, fate->next);
    return end_here(a, prefix, r);
}

static int visit_layer(struct layers *a)
{
    struct bestdag_proof *p = a->t->proof;
    int status = BESTDAG_OK;
    for (int64_t i = 0; i < a->now.room && !status; i++) {
        if (a->now.used[i])
            status = visit(a, a->now.key + (size_t)i * a->t->words,
                           (struct reached *)a->now.value + i);
        if (!(i & 4095)) {
            bestdag_run_watch(p->run, bestdag_source_consumed(p->words->from));
            if (!status && bestdag_proof_stopped(p))
                status = BESTDAG_FAILED;
        }
    }
    return status;
}

/* The last layer has at most one prefix: all. */
static int check_all(struct layers *a)
{
    const struct reached *r = a->now.value;
    for (int64_t i = 0; i < a->now.room; i++)
        if (a->now.used[i] && r[i].cost < a->least)
            return refuse(a, a->now.key + (size_t)i * a->t->words, r[i].cost,
                          "that is less than the table claims");
    return BESTDAG_OK;
}

static int visit_layers(struct layers *a)
{
    struct bestdag_prefixes *t = a->t;
    bool fresh;
    struct reached *start =
        bestdag_hoard_add(t->proof->run, &a->now, a->grown, &fresh);
    int status = start ? BESTDAG_OK : BESTDAG_MEMORY;
    if (start)
        *start = (struct reached){0, -1};
    for (int layer = 0; layer < t->n && !status; layer++) {
        status = visit_layer(a);
        bestdag_hoard_release(&a->now);
        a->now = a->next;
        a->next = (struct bestdag_hoard){.words = t->words,
                                         .size = sizeof(struct reached)};
    }
    return status ? status : check_all(a);
}

/* grown: an empty prefix, scratch. */
static int prove(struct bestdag_prefixes *t, int64_t least, uint64_t *grown)
{
    struct layers a = {.t = t, .least = least, .grown = grown};
    a.now = a.next = (struct bestdag_hoard){.words = t->words,
                                            .size = sizeof(struct reached)};
    int status = visit_layers(&a);
    bestdag_hoard_release(&a.now);
    bestdag_hoard_release(&a.next);
    return status;
}

int bestdag_prefixes_prove(struct bestdag_proof *p, int64_t *cost)
{
    struct bestdag_prefixes t;
    int status = bestdag_words_end_line(p->words);
    if (status)
        return status;
    status = bestdag_prefixes_start(&t, p);
    if (!status)
        status = bestdag_records_read(&t, cost);
    uint64_t *grown =
        status ? NULL : bestdag_calloc(p->run, t.words, sizeof *grown);
    if (grown)
        status = prove(&t, *cost, grown);
    else if (!status)
        status = BESTDAG_MEMORY;
    bestdag_free(grown);
    bestdag_prefixes_release(&t);
    p->tables++;
    return status;
}
