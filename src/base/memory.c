/* SPDX-License-Identifier: MIT */
/* memory.c -- allocation against a budget.
 *
 * Each block is preceded by a header of 16 bytes with its size and the budget
 * it counts against, so that bestdag_free() needs nothing but the pointer, and
 * a table may outlive the run that read it:
 *
 *     | budget | bytes | what the caller sees ...
 *
 * A budget lives as long as its run or one of its blocks. The budget of a slice
 * charges its outer one as well. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/run.h"
#include "base/text.h"

struct bestdag_budget {
    struct bestdag_budget *outer; /* one reference; NULL: outermost */
    _Atomic int64_t used, peak, limit, references, countdown;
};

struct header {
    struct bestdag_budget *budget;
    size_t bytes;
};

struct bestdag_budget *bestdag_budget_new(struct bestdag_budget *outer)
{
    struct bestdag_budget *budget = calloc(1, sizeof *budget);
    if (!budget)
        return NULL;
    budget->references = 1;
    budget->outer = outer;
    if (outer)
        atomic_fetch_add(&outer->references, 1);
    return budget;
}

void bestdag_budget_release(struct bestdag_budget *budget)
{
    while (budget && atomic_fetch_sub(&budget->references, 1) == 1) {
        struct bestdag_budget *outer = budget->outer;
        free(budget);
        budget = outer;
    }
}

void bestdag_budget_limit(struct bestdag_budget *budget, int64_t bytes)
{
    atomic_store(&budget->limit, bytes);
}

static void raise_peak(struct bestdag_budget *budget, int64_t used)
{
    int64_t peak = atomic_load(&budget->peak);
    while (used > peak &&
           !atomic_compare_exchange_weak(&budget->peak, &peak, used))
        ;
}

static void refund(struct bestdag_budget *budget, int64_t bytes,
                   const struct bestdag_budget *until)
{
    for (; budget != until; budget = budget->outer)
        atomic_fetch_sub(&budget->used, bytes);
}

/* False, with nothing charged, if a budget of the chain would be passed. */
static bool charge(struct bestdag_budget *budget, int64_t bytes)
{
    for (struct bestdag_budget *b = budget; b; b = b->outer) {
        int64_t used = atomic_fetch_add(&b->used, bytes) + bytes;
        int64_t limit = atomic_load(&b->limit);
        if (limit > 0 && used > limit && bytes > 0) {
            refund(budget, bytes, b->outer);
            return false;
        }
        raise_peak(b, used);
    }
    return true;
}

static bool is_told_to_fail(struct bestdag_budget *budget)
{
    return atomic_load(&budget->countdown) > 0 &&
           atomic_fetch_sub(&budget->countdown, 1) == 1;
}

static void *refuse(struct bestdag_run *run, size_t bytes)
{
    char more[32], used[32], limit[32];
    bestdag_size_format((int64_t)bytes, more);
    bestdag_size_format(bestdag_memory_used(run), used);
    bestdag_size_format(bestdag_memory_limit(run), limit);
    if (bestdag_memory_limit(run) > 0)
        bestdag_fail(run, BESTDAG_MEMORY,
                     "out of memory: %s more needed, %s in use, limit %s", more,
                     used, limit);
    else
        bestdag_fail(run, BESTDAG_MEMORY,
                     "out of memory: %s more needed, %s in use", more, used);
    return NULL;
}

void *bestdag_alloc(struct bestdag_run *run, size_t bytes)
{
    struct header *head;
    if (bytes > (size_t)INT64_MAX / 2 || is_told_to_fail(run->budget) ||
        !charge(run->budget, (int64_t)bytes))
        return refuse(run, bytes);
    head = malloc(sizeof *head + bytes);
    if (!head) {
        refund(run->budget, (int64_t)bytes, NULL);
        return refuse(run, bytes);
    }
    atomic_fetch_add(&run->budget->references, 1);
    head->budget = run->budget;
    head->bytes = bytes;
    return head + 1;
}

void *bestdag_calloc(struct bestdag_run *run, size_t count, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all))
        return refuse(run, SIZE_MAX / 2);
    void *p = bestdag_alloc(run, all);
    if (p)
        memset(p, 0, all);
    return p;
}

void *bestdag_realloc(struct bestdag_run *run, void *p, size_t bytes)
{
    if (!p)
        return bestdag_alloc(run, bytes);
    struct header *head = (struct header *)p - 1;
    struct bestdag_budget *budget = head->budget;
    int64_t more = (int64_t)bytes - (int64_t)head->bytes;
    if (bytes > (size_t)INT64_MAX / 2 || is_told_to_fail(budget) ||
        !charge(budget, more))
        return refuse(run, bytes);
    head = realloc(head, sizeof *head + bytes);
    if (!head) {
        refund(budget, more, NULL);
        return refuse(run, bytes);
    }
    head->bytes = bytes;
    return head + 1;
}

void bestdag_free(void *p)
{
    if (!p)
        return;
    struct header *head = (struct header *)p - 1;
    struct bestdag_budget *budget = head->budget;
    refund(budget, (int64_t)head->bytes, NULL);
    free(head);
    bestdag_budget_release(budget);
}

char *bestdag_strndup(struct bestdag_run *run, const char *text, size_t n)
{
    char *copy = bestdag_alloc(run, n + 1);
    if (!copy)
        return NULL;
    if (n)
        memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

char *bestdag_strdup(struct bestdag_run *run, const char *text)
{
    return bestdag_strndup(run, text, strlen(text));
}

int bestdag_reserve(struct bestdag_run *run, int64_t bytes, const char *what)
{
    for (struct bestdag_budget *b = run->budget; b; b = b->outer) {
        int64_t limit = atomic_load(&b->limit), used = atomic_load(&b->used);
        if (limit > 0 && (bytes < 0 || bytes > limit - used)) {
            char more[32], now[32], most[32];
            bestdag_size_format(bytes, more);
            bestdag_size_format(used, now);
            bestdag_size_format(limit, most);
            return bestdag_fail(run, BESTDAG_MEMORY,
                                "%s needs %s; %s in use, limit %s", what, more,
                                now, most);
        }
    }
    return BESTDAG_OK;
}

int64_t bestdag_memory_used(const struct bestdag_run *run)
{
    return atomic_load(&run->budget->used);
}

int64_t bestdag_memory_peak(const struct bestdag_run *run)
{
    return atomic_load(&run->budget->peak);
}

int64_t bestdag_memory_limit(const struct bestdag_run *run)
{
    int64_t least = 0;
    for (struct bestdag_budget *b = run->budget; b; b = b->outer) {
        int64_t limit = atomic_load(&b->limit);
        if (limit > 0 && (!least || limit < least))
            least = limit;
    }
    return least;
}

void bestdag_memory_fail_at(struct bestdag_run *run, int64_t n)
{
    atomic_store(&run->budget->countdown, n);
}
