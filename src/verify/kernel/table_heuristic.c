/* SPDX-License-Identifier: MIT */
/* onward.c -- what at least is still to pay after a prefix, H(S), from all that
 * a table says.
 *
 * H(S) is the largest of
 *
 *     the least sets of all that are left
 *     multipliers of b records of S, of S without one variable, of the part,
 *         always of clusters outside S only
 *     H(S - v) - best(v, S - v)        if S - v has records
 *     H(Q) - sum of best(i, Q)         if an f record leads from Q to S
 *
 * for to place v and then the others is one way to go on from S - v. So bounds
 * pass along chains of prefixes, whether these are reached or not.
 *
 * A question is whether H(S) is as much as needed, and what is cheap to look at
 * comes first. Only if that is not enough, prefixes before S are asked for the
 * same and what it costs to come from them. One that has not enough is settled
 * by that: its H is known and not computed again. One that has ends all. */
#include "base/row.h"
#include "verify/kernel/mask.h"
#include "verify/kernel/table_proof.h"
#include "verify/kernel/growing_array.h"

/* What was looked at, the cheap before the dear. */
enum { SETS, NEAR, OWN, SMALLER, PART, BEFORE, SETTLED };

/* A prefix that is asked. Its mask is in t->asked. */
struct kernel_question {
    struct kernel_prefix *fate; /* NULL: it has no records */
    struct kernel_prefix alone; /* in place of them */
    bestdag_wide need;
    int64_t cost; /* of coming from here to the prefix that asks */
    int64_t link; /* the next f record to go back by; -1: none */
    int next;     /* the next variable to go back by */
};

/* A prefix before another one. */
struct before {
    struct kernel_prefix *fate;
    int64_t cost; /* of coming from there */
};

static uint64_t *mask_of(const struct kernel_table *t, int64_t depth)
{
    return t->asked + (size_t)depth * t->words;
}

static struct kernel_prefix *fate_of(struct kernel_question *q)
{
    return q->fate ? q->fate : &q->alone;
}

static bool raise(struct kernel_question *q, int64_t bound)
{
    struct kernel_prefix *f = fate_of(q);
    if (bound > f->ahead)
        f->ahead = bound;
    return f->ahead >= q->need;
}

/* What comes over from a prefix before. */
static bool raise_from(struct kernel_question *q, const struct before *b)
{
    if (b->cost == BESTDAG_PROOF_NEVER || b->fate->ahead == INT64_MIN)
        return false;
    bestdag_wide bound = (bestdag_wide)b->fate->ahead - b->cost;
    return bound > fate_of(q)->ahead && raise(q, (int64_t)bound);
}

/* ---- prefixes before ------------------------------------------------------
 */

/* The prefix without variable i, in t->back; false: it has no records. */
static bool step_back(struct kernel_table *t, const uint64_t *prefix, int i,
                      struct before *to)
{
    if (!bestdag_row_has(prefix, i))
        return false;
    bestdag_mask_copy(t->back, prefix, t->words);
    bestdag_row_drop(t->back, i);
    to->fate = bestdag_prefix_table_find(&t->fates, t->back);
    if (!to->fate)
        return false;
    to->cost = bestdag_prefixes_best(t, i, t->back);
    return true;
}

/* The prefix that an f record of several variables begins at, in t->back. */
static void leap_back(struct kernel_table *t, const uint64_t *prefix,
                      int64_t link, struct before *to)
{
    bestdag_mask_copy(t->back, t->link_from + (size_t)link * t->words,
                      t->words);
    to->fate = bestdag_prefix_table_find(&t->fates, t->back);
    to->cost = 0;
    for (int i = 0; i < t->n; i++) {
        if (!bestdag_row_has(prefix, i) || bestdag_row_has(t->back, i))
            continue;
        int64_t cost = bestdag_prefixes_best(t, i, t->back);
        if (cost == BESTDAG_PROOF_NEVER || to->cost > BESTDAG_PROOF_MOST) {
            to->cost = BESTDAG_PROOF_NEVER;
            return;
        }
        to->cost += cost;
    }
}

/* The next prefix before that of the question; false: there are no more. */
static bool go_back(struct kernel_table *t, struct kernel_question *q,
                    const uint64_t *prefix, struct before *to)
{
    while (q->next < t->n)
        if (step_back(t, prefix, q->next++, to))
            return true;
    if (q->link < 0)
        return false;
    leap_back(t, prefix, q->link, to);
    q->link = t->link_next[q->link];
    return true;
}

static void start_back(struct kernel_question *q)
{
    q->next = 0;
    q->link = fate_of(q)->link;
}

/* ---- one prefix alone -----------------------------------------------------
 */

static int64_t sum_least(const struct kernel_table *t, const uint64_t *prefix)
{
    bestdag_wide sum = 0;
    for (int v = 0; v < t->n && sum < BESTDAG_PROOF_MOST; v++)
        if (!bestdag_row_has(prefix, v))
            sum += t->choices[v].count ? t->choices[v].cost[0]
                                       : BESTDAG_PROOF_MOST;
    return sum < BESTDAG_PROOF_MOST ? (int64_t)sum : BESTDAG_PROOF_MOST;
}

/* What is known by now of prefixes before. */
static bool look_near(struct kernel_table *t, struct kernel_question *q,
                      const uint64_t *prefix)
{
    struct before b;
    start_back(q);
    while (go_back(t, q, prefix, &b))
        if (raise_from(q, &b))
            return true;
    return false;
}

/* The b records from `at` on, of this prefix or of `owner`, a part of it. */
static int look_at_records(struct kernel_table *t, struct kernel_question *q,
                           const uint64_t *owner, int64_t at,
                           const uint64_t *prefix, bool *enough)
{
    while (at >= 0 && !*enough) {
        int64_t bound;
        if (bestdag_records_take(t, owner, &at) ||
            bestdag_prefixes_bound(t, prefix, &bound))
            return bestdag_run_status(t->proof->run);
        *enough = raise(q, bound);
    }
    return BESTDAG_OK;
}

/* Those of prefixes one smaller; `last`: the variable to try first. */
static int look_at_smaller(struct kernel_table *t, struct kernel_question *q,
                           int last, const uint64_t *prefix, bool *enough)
{
    int status = BESTDAG_OK;
    for (int i = -1; i < t->n && !status && !*enough; i++) {
        int v = i < 0 ? last : i;
        struct before b;
        if (v >= 0 && (i < 0 || v != last) && step_back(t, prefix, v, &b))
            status =
                look_at_records(t, q, t->back, b.fate->pairs, prefix, enough);
    }
    return status;
}

/* All but asking others. */
static int look(struct kernel_table *t, struct kernel_question *q, int last,
                const uint64_t *prefix, bool *enough)
{
    struct kernel_prefix *f = fate_of(q);
    int64_t bound;
    int status = BESTDAG_OK;
    *enough = f->ahead >= q->need;
    for (; f->stage < BEFORE && !status && !*enough; f->stage++) {
        if (f->stage == SETS)
            *enough = raise(q, sum_least(t, prefix));
        else if (f->stage == NEAR)
            *enough = look_near(t, q, prefix);
        else if (f->stage == OWN)
            status = look_at_records(t, q, prefix, f->pairs, prefix, enough);
        else if (f->stage == SMALLER)
            status = look_at_smaller(t, q, last, prefix, enough);
        else if (!(status = bestdag_prefixes_inherit(t, prefix, &bound)))
            *enough = raise(q, bound);
        if (*enough || status)
            break; /* it may hold more than was needed now */
    }
    start_back(q);
    return status;
}

/* ---- asking ---------------------------------------------------------------
 */

/* The mask is in t->back. */
static int ask(struct kernel_table *t, const struct before *b,
               bestdag_wide need)
{
    struct bestdag_run *run = t->proof->run;
    if (bestdag_array_grow(run, &t->question, &t->question_room,
                           t->questions + 1, sizeof *t->question) ||
        bestdag_array_grow(run, &t->asked, &t->asked_room, t->questions + 1,
                           t->words * sizeof *t->asked))
        return BESTDAG_MEMORY;
    bestdag_mask_copy(mask_of(t, t->questions), t->back, t->words);
    t->question[t->questions++] =
        (struct kernel_question){.fate = b->fate,
                                 .alone = bestdag_fate_none(),
                                 .need = need,
                                 .cost = b->cost};
    return BESTDAG_OK;
}

/* The last question is over; who asked takes over what was found. */
static void answer(struct kernel_table *t)
{
    struct kernel_question *q = &t->question[--t->questions];
    struct before b = {fate_of(q), q->cost};
    if (t->questions)
        raise_from(q - 1, &b);
}

/* The last question goes on: a prefix before is asked, or it is settled. */
static int go_on(struct kernel_table *t, bool *enough)
{
    struct kernel_question *q = &t->question[t->questions - 1];
    struct before b;
    while (go_back(t, q, mask_of(t, t->questions - 1), &b)) {
        *enough = raise_from(q, &b);
        if (*enough)
            return BESTDAG_OK;
        if (b.cost == BESTDAG_PROOF_NEVER || b.fate->stage == SETTLED)
            continue;
        if (ask(t, &b, q->need + b.cost))
            return BESTDAG_MEMORY;
        q = &t->question[t->questions - 1];
        return look(t, q, -1, mask_of(t, t->questions - 1), enough);
    }
    fate_of(q)->stage = SETTLED;
    answer(t);
    return BESTDAG_OK;
}

int bestdag_prefixes_ahead(struct kernel_table *t, const uint64_t *prefix,
                           int last, bestdag_wide need, bool *enough)
{
    struct before first = {bestdag_prefix_table_find(&t->fates, prefix), 0};
    t->questions = 0;
    *enough = false;
    bestdag_mask_copy(t->back, prefix, t->words);
    if (ask(t, &first, need))
        return BESTDAG_MEMORY;
    int status = look(t, &t->question[0], last, prefix, enough);
    while (!status && !*enough && t->questions)
        status = go_on(t, enough);
    while (!status && t->questions)
        answer(t);
    return status;
}
