/* SPDX-License-Identifier: MIT */
/* table_heuristic.c -- a bound on the remaining cost after a prefix, H(S), from
 * all that a table says.
 *
 * Bounds pass along chains of prefixes, whether these are reached or not;
 * docs/certificates.md lists where they come from.
 *
 * A question is whether H(S) is as much as needed; what is cheap to compute
 * comes first. Only if that is not enough, prefixes before S are asked for the
 * same and what it costs to come from them. One that does not have enough is
 * settled: its H is known and not computed again. One that has ends all. */
#include "base/growing_array.h"
#include "base/row.h"
#include "verify/kernel/table_proof.h"

/* What was looked at, the cheap before the expensive. */
enum { SETS, NEAR, OWN, SMALLER, PART, BEFORE, SETTLED };

/* A prefix that is asked. Its mask is in t->asked. */
struct kernel_question {
    struct kernel_prefix *prefix; /* NULL: it has no records */
    struct kernel_prefix alone;   /* in place of them */
    kernel_wide need;
    int64_t cost; /* of coming from here to the prefix that asks */
    int64_t link; /* the next f record to go back by; -1: none */
    int next;     /* the next variable to go back by */
};

/* A prefix before another one. Its mask is in t->back. */
struct kernel_before {
    struct kernel_prefix *prefix;
    int64_t cost; /* of coming from there */
};

static uint64_t *mask_of(const struct kernel_table *t, int64_t question)
{
    return t->asked + (size_t)question * t->words;
}

static struct kernel_prefix *prefix_of(struct kernel_question *q)
{
    return q->prefix ? q->prefix : &q->alone;
}

/* A bound was found; is it enough? */
static bool raise(struct kernel_question *q, int64_t bound)
{
    struct kernel_prefix *prefix = prefix_of(q);
    if (bound > prefix->ahead)
        prefix->ahead = bound;
    return prefix->ahead >= q->need;
}

/* The same by what is known of a prefix before. */
static bool raise_from(struct kernel_question *q, const struct kernel_before *b)
{
    if (b->cost == KERNEL_NEVER || b->prefix->ahead == INT64_MIN)
        return false;
    kernel_wide bound = (kernel_wide)b->prefix->ahead - b->cost;
    return bound > prefix_of(q)->ahead && raise(q, (int64_t)bound);
}

/* ---- prefixes before ---- */

/* The prefix without variable v; false: it has no records. */
static bool step_back(struct kernel_table *t, const uint64_t *mask, int v,
                      struct kernel_before *to)
{
    if (!bestdag_row_has(mask, v))
        return false;
    bestdag_row_copy(t->back, mask, t->words);
    bestdag_row_drop(t->back, v);
    to->prefix = bestdag_row_table_find(&t->prefixes, t->back);
    if (to->prefix)
        to->cost = bestdag_table_best(t, v, t->back, NULL);
    return to->prefix != NULL;
}

/* The prefix that an f record of several variables begins at. */
static void leap_back(struct kernel_table *t, struct kernel_question *q,
                      const uint64_t *mask, struct kernel_before *to)
{
    int64_t at = q->link;
    q->link = (int64_t)bestdag_number_at(t, &at) - 1;
    for (size_t w = 0; w < t->words; w++)
        t->back[w] = bestdag_number_at(t, &at);
    to->prefix = bestdag_row_table_find(&t->prefixes, t->back);
    to->cost = 0;
    for (int v = 0; v < t->n && to->cost != KERNEL_NEVER; v++) {
        if (!bestdag_row_has(mask, v) || bestdag_row_has(t->back, v))
            continue;
        int64_t cost = bestdag_table_best(t, v, t->back, NULL);
        to->cost = cost == KERNEL_NEVER || to->cost > KERNEL_MOST
                       ? KERNEL_NEVER
                       : to->cost + cost;
    }
}

/* The next prefix before that of the question; false: there are no more. */
static bool go_back(struct kernel_table *t, struct kernel_question *q,
                    const uint64_t *mask, struct kernel_before *to)
{
    while (q->next < t->n)
        if (step_back(t, mask, q->next++, to))
            return true;
    if (q->link < 0)
        return false;
    leap_back(t, q, mask, to);
    return true;
}

static void start_back(struct kernel_question *q)
{
    q->next = 0;
    q->link = prefix_of(q)->link;
}

/* ---- one prefix alone ---- */

static int64_t sum_least(const struct kernel_table *t, const uint64_t *mask)
{
    kernel_wide sum = 0;
    for (int v = 0; v < t->n && sum < KERNEL_MOST; v++)
        if (!bestdag_row_has(mask, v))
            sum +=
                t->candidates[v].count ? t->candidates[v].cost[0] : KERNEL_MOST;
    return sum < KERNEL_MOST ? (int64_t)sum : KERNEL_MOST;
}

/* What is known by now of prefixes before. */
static bool look_near(struct kernel_table *t, struct kernel_question *q,
                      const uint64_t *mask)
{
    struct kernel_before b;
    start_back(q);
    while (go_back(t, q, mask, &b))
        if (raise_from(q, &b))
            return true;
    return false;
}

/* The b records from `at` on: of this prefix, of `owner`, which is a part of
 * it, or of the part (NULL). */
static bool look_at_records(struct kernel_table *t, struct kernel_question *q,
                            const uint64_t *owner, int64_t at,
                            const uint64_t *mask, bool *enough)
{
    while (at >= 0 && !*enough) {
        int64_t bound;
        if (!bestdag_records_take(t, owner, &at) ||
            !bestdag_table_bound(t, mask, &bound))
            return false;
        *enough = raise(q, bound);
    }
    return true;
}

/* Those of prefixes one smaller; `last`: the variable to try first. */
static bool look_at_smaller(struct kernel_table *t, struct kernel_question *q,
                            int last, const uint64_t *mask, bool *enough)
{
    for (int i = -1; i < t->n && !*enough; i++) {
        int v = i < 0 ? last : i;
        struct kernel_before b;
        if (v >= 0 && (i < 0 || v != last) && step_back(t, mask, v, &b) &&
            !look_at_records(t, q, t->back, b.prefix->b, mask, enough))
            return false;
    }
    return true;
}

/* All but asking others. A stage that had enough may have more for a later
 * question, and is looked at again. */
static bool look(struct kernel_table *t, struct kernel_question *q, int last,
                 const uint64_t *mask, bool *enough)
{
    struct kernel_prefix *prefix = prefix_of(q);
    bool goes_on = true;
    *enough = prefix->ahead >= q->need;
    while (prefix->stage < BEFORE && goes_on && !*enough) {
        if (prefix->stage == SETS)
            *enough = raise(q, sum_least(t, mask));
        else if (prefix->stage == NEAR)
            *enough = look_near(t, q, mask);
        else if (prefix->stage == OWN)
            goes_on = look_at_records(t, q, mask, prefix->b, mask, enough);
        else if (prefix->stage == SMALLER)
            goes_on = look_at_smaller(t, q, last, mask, enough);
        else
            goes_on = look_at_records(t, q, NULL, t->part_b, mask, enough);
        if (goes_on && !*enough)
            prefix->stage++;
    }
    start_back(q);
    return goes_on;
}

/* ---- asking ---- */

/* A question about the prefix in t->back. */
static bool ask(struct kernel_table *t, const struct kernel_before *b, int last,
                kernel_wide need, bool *enough)
{
    struct bestdag_run *run = t->proof->run;
    int64_t at = t->questions;
    if (!BESTDAG_GROW(run, t->question, t->question_room, at + 1) ||
        !bestdag_array_grow(run, &t->asked, &t->asked_room, at + 1,
                            t->words * sizeof *t->asked))
        return false;
    bestdag_row_copy(mask_of(t, at), t->back, t->words);
    t->question[at] = (struct kernel_question){.prefix = b->prefix,
                                               .alone = KERNEL_PREFIX_NONE,
                                               .need = need,
                                               .cost = b->cost};
    t->questions++;
    return look(t, &t->question[at], last, mask_of(t, at), enough);
}

/* The last question is answered; the one that asked it takes the result. */
static void answer(struct kernel_table *t)
{
    struct kernel_question *q = &t->question[--t->questions];
    struct kernel_before b = {prefix_of(q), q->cost};
    if (t->questions)
        raise_from(q - 1, &b);
}

/* The last question continues: asks about a prefix before, or is settled. */
static bool go_on(struct kernel_table *t, bool *enough)
{
    struct kernel_question *q = &t->question[t->questions - 1];
    struct kernel_before b;
    while (go_back(t, q, mask_of(t, t->questions - 1), &b)) {
        *enough = raise_from(q, &b);
        if (*enough)
            return true;
        if (b.cost != KERNEL_NEVER && b.prefix->stage != SETTLED)
            return ask(t, &b, -1, q->need + b.cost, enough);
    }
    prefix_of(q)->stage = SETTLED;
    answer(t);
    return true;
}

bool bestdag_table_remaining(struct kernel_table *t, const uint64_t *prefix,
                             int last, kernel_wide need, bool *enough)
{
    struct kernel_before first = {bestdag_row_table_find(&t->prefixes, prefix),
                                  0};
    bestdag_row_copy(t->back, prefix, t->words);
    t->questions = 0;
    if (!ask(t, &first, last, need, enough))
        return false;
    while (!*enough && t->questions)
        if (!go_on(t, enough))
            return false;
    while (t->questions)
        answer(t);
    return true;
}
