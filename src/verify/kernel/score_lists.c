/* SPDX-License-Identifier: MIT */
/* lists.c -- the checker's own reader of .jkl files, and costs in whole units.
 *
 * Words may stand on any line; a line that begins with # is a comment. Names
 * can be used before their own block comes: they are numbered as they are seen,
 * and renumbered in the order of the blocks at the end. Nothing is allocated
 * for what the file only announces. */
#include "verify/kernel/score_lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "verify/kernel/growing_array.h"
#include "verify/kernel/reader.h"

struct name {
    char *text; /* owns */
    int64_t line;
    int block; /* -1: none yet */
};

struct reader {
    struct bestdag_run *run;
    struct kernel_reader *words;
    int64_t n; /* as announced */
    struct name *name;
    int names, name_room;
    int32_t *bucket; /* open addressing; number + 1, 0 is free */
    uint32_t mask;
    struct kernel_lists *to;
    int64_t set_room, member_room, block_room;
    int32_t *sorted; /* scratch: the set at hand */
    int64_t sorted_room;
    int blocks;
};

/* ---- names ----------------------------------------------------------------
 */

static uint32_t hash_text(const char *text)
{
    uint64_t hash = 7;
    for (; *text; text++)
        hash = bestdag_mix(hash + (unsigned char)*text);
    return (uint32_t)hash;
}

static void enter_name(struct reader *r, int i)
{
    uint32_t b = hash_text(r->name[i].text) & r->mask;
    while (r->bucket[b])
        b = (b + 1) & r->mask;
    r->bucket[b] = i + 1;
}

static bool grow_names(struct reader *r)
{
    if (r->names < r->name_room)
        return true;
    int room = r->name_room ? 2 * r->name_room : 32;
    void *more =
        bestdag_realloc(r->run, r->name, (size_t)room * sizeof *r->name);
    if (!more)
        return false;
    r->name = more;
    int32_t *bucket =
        bestdag_calloc(r->run, 4 * (size_t)room, sizeof *r->bucket);
    if (!bucket)
        return false;
    bestdag_free(r->bucket);
    r->bucket = bucket;
    r->mask = 4 * (uint32_t)room - 1;
    r->name_room = room;
    for (int i = 0; i < r->names; i++)
        enter_name(r, i);
    return true;
}

/* The number of the current word; -1: failed. */
static int name_of_word(struct reader *r)
{
    const char *word = r->words->word;
    uint32_t b = r->names ? hash_text(word) & r->mask : 0;
    for (; r->names && r->bucket[b]; b = (b + 1) & r->mask)
        if (!strcmp(r->name[r->bucket[b] - 1].text, word))
            return r->bucket[b] - 1;
    if (bestdag_utf8_valid(word, (size_t)r->words->length) <
        (size_t)r->words->length) {
        bestdag_words_fail(r->words, "this name is no UTF-8");
        return -1;
    }
    if (r->names >= r->n) {
        bestdag_words_fail(
            r->words, "'%.100s' is one variable more than the file announces",
            word);
        return -1;
    }
    char *text = grow_names(r) ? bestdag_strdup(r->run, word) : NULL;
    if (!text)
        return -1;
    r->name[r->names] = (struct name){text, r->words->line, -1};
    enter_name(r, r->names);
    return r->names++;
}

/* ---- sets -----------------------------------------------------------------
 */

static int take_number(struct reader *r, const char *what, double *to)
{
    if (bestdag_words_next(r->words))
        return bestdag_run_status(r->run);
    size_t n = (size_t)r->words->length;
    if (!n || !bestdag_number_parse(r->words->word, n, to))
        return bestdag_words_expected(r->words, what);
    return BESTDAG_OK;
}

static int take_count(struct reader *r, const char *what, double most,
                      int64_t *to)
{
    double x = 0;
    int status = take_number(r, what, &x);
    if (!status && (x < 0 || x > most || x != floor(x)))
        status = bestdag_words_expected(r->words, what);
    if (!status)
        *to = (int64_t)x;
    return status;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Is a parent there twice? */
static int check_twice(struct reader *r, int64_t at, int64_t count)
{
    if (bestdag_array_grow(r->run, &r->sorted, &r->sorted_room, count,
                           sizeof *r->sorted))
        return BESTDAG_MEMORY;
    if (count < 2)
        return BESTDAG_OK;
    memcpy(r->sorted, r->to->member + at, (size_t)count * sizeof *r->sorted);
    qsort(r->sorted, (size_t)count, sizeof *r->sorted, ascending);
    for (int64_t i = 1; i < count; i++)
        if (r->sorted[i] == r->sorted[i - 1])
            return bestdag_words_fail(r->words, "this set has '%.100s' twice",
                                      r->name[r->sorted[i]].text);
    return BESTDAG_OK;
}

static int take_parents(struct reader *r, int child, int64_t count)
{
    struct kernel_lists *l = r->to;
    int64_t at = l->start[l->sets];
    for (int64_t i = 0; i < count; i++) {
        if (bestdag_words_next(r->words))
            return bestdag_run_status(r->run);
        if (!r->words->length)
            return bestdag_words_expected(r->words, "a parent");
        int parent = name_of_word(r);
        if (parent < 0)
            return bestdag_run_status(r->run);
        if (parent == child)
            return bestdag_words_fail(r->words, "'%.100s' is its own parent",
                                      r->words->word);
        if (bestdag_array_grow(r->run, &l->member, &r->member_room, at + i + 1,
                               sizeof *l->member))
            return BESTDAG_MEMORY;
        l->member[at + i] = parent;
    }
    return check_twice(r, at, count);
}

static int take_set(struct reader *r, int child)
{
    struct kernel_lists *l = r->to;
    int64_t count = 0, room = r->set_room, room_too = r->set_room;
    double score = 0;
    if (take_number(r, "the score of a set", &score) ||
        take_count(r, "a number of parents less than that of variables",
                   (double)r->n - 1, &count) ||
        take_parents(r, child, count))
        return bestdag_run_status(r->run);
    if (bestdag_array_grow(r->run, &l->score, &room, l->sets + 2,
                           sizeof *l->score) ||
        bestdag_array_grow(r->run, &l->start, &room_too, l->sets + 2,
                           sizeof *l->start))
        return BESTDAG_MEMORY;
    r->set_room = room;
    l->score[l->sets] = score;
    l->start[l->sets + 1] = l->start[l->sets] + count;
    l->sets++;
    return BESTDAG_OK;
}

static int take_block(struct reader *r)
{
    int64_t sets = 0;
    if (bestdag_words_next(r->words))
        return bestdag_run_status(r->run);
    if (!r->words->length)
        return bestdag_words_expected(r->words, "the name of a variable");
    int child = name_of_word(r);
    if (child < 0)
        return bestdag_run_status(r->run);
    if (r->name[child].block >= 0)
        return bestdag_words_fail(r->words, "a second block of '%.100s'",
                                  r->words->word);
    r->name[child].block = r->blocks++;
    if (take_count(r, "the number of its sets", 1e15, &sets))
        return bestdag_run_status(r->run);
    for (int64_t i = 0; i < sets; i++)
        if (take_set(r, child))
            return bestdag_run_status(r->run);
    if (bestdag_array_grow(r->run, &r->to->first, &r->block_room, r->blocks + 1,
                           sizeof *r->to->first))
        return BESTDAG_MEMORY;
    r->to->first[r->blocks] = r->to->sets;
    return BESTDAG_OK;
}

/* ---- the whole ------------------------------------------------------------
 */

static int take_blocks(struct reader *r)
{
    struct kernel_lists *l = r->to;
    if (take_count(r, "the number of variables", 1e9, &r->n))
        return bestdag_run_status(r->run);
    if (bestdag_array_grow(r->run, &l->first, &r->block_room, 1,
                           sizeof *l->first) ||
        bestdag_array_grow(r->run, &l->start, &r->set_room, 1,
                           sizeof *l->start) ||
        !(l->score =
              bestdag_alloc(r->run, (size_t)r->set_room * sizeof *l->score)))
        return BESTDAG_MEMORY;
    l->first[0] = l->start[0] = 0;
    for (int64_t v = 0; v < r->n; v++) {
        if (take_block(r))
            return bestdag_run_status(r->run);
        if (bestdag_run_stopped(r->run))
            return bestdag_fail(r->run, BESTDAG_FAILED,
                                "verification was stopped");
    }
    if (bestdag_words_next(r->words))
        return bestdag_run_status(r->run);
    return r->words->length
               ? bestdag_words_expected(r->words, "the end of the file")
               : BESTDAG_OK;
}

/* Names and members in the order of the blocks. */
static int settle(struct reader *r)
{
    struct kernel_lists *l = r->to;
    char number[24];
    l->n = r->blocks;
    l->names = bestdag_calloc(r->run, (size_t)l->n + 1, sizeof *l->names);
    l->best = bestdag_calloc(r->run, (size_t)l->n + 1, sizeof *l->best);
    l->cost = bestdag_calloc(r->run, (size_t)l->sets + 1, sizeof *l->cost);
    l->remains = bestdag_alloc(r->run, (size_t)l->sets + 1);
    if (bestdag_run_status(r->run))
        return BESTDAG_MEMORY;
    memset(l->remains, 1, (size_t)l->sets + 1);
    l->numbered = true;
    for (int i = 0; i < r->names; i++) {
        struct name *name = &r->name[i];
        l->names[name->block] = name->text;
        snprintf(number, sizeof number, "%d", name->block);
        l->numbered &= !strcmp(number, name->text);
        name->text = NULL;
    }
    for (int64_t s = 0; s < l->sets; s++) {
        for (int64_t i = l->start[s]; i < l->start[s + 1]; i++)
            l->member[i] = r->name[l->member[i]].block;
        if (bestdag_lists_size(l, s) > 1)
            qsort(l->member + l->start[s], (size_t)bestdag_lists_size(l, s),
                  sizeof *l->member, ascending);
    }
    return BESTDAG_OK;
}

static void release_reader(struct reader *r)
{
    for (int i = 0; i < r->names; i++)
        bestdag_free(r->name[i].text);
    bestdag_free(r->name);
    bestdag_free(r->bucket);
    bestdag_free(r->sorted);
}

struct kernel_lists *bestdag_lists_read(struct bestdag_run *run,
                                        struct bestdag_source *from)
{
    struct kernel_reader *words = bestdag_calloc(run, 1, sizeof *words);
    struct reader r = {.run = run, .words = words};
    r.to = bestdag_calloc(run, 1, sizeof *r.to);
    bestdag_run_phase(run, "reading", bestdag_source_size(from));
    if (words && r.to && !bestdag_words_start(words, run, from) &&
        !take_blocks(&r))
        settle(&r);
    release_reader(&r);
    if (words)
        bestdag_words_release(words);
    bestdag_free(words);
    if (!bestdag_run_status(run))
        return r.to;
    bestdag_lists_free(r.to);
    return NULL;
}

void bestdag_lists_free(struct kernel_lists *l)
{
    if (!l)
        return;
    for (int v = 0; l->names && v < l->n; v++)
        bestdag_free(l->names[v]);
    bestdag_free(l->names);
    bestdag_free(l->first);
    bestdag_free(l->score);
    bestdag_free(l->start);
    bestdag_free(l->member);
    bestdag_free(l->cost);
    bestdag_free(l->remains);
    bestdag_free(l->best);
    bestdag_free(l);
}

int bestdag_lists_find(const struct kernel_lists *l, const char *name)
{
    for (int v = 0; v < l->n; v++)
        if (!strcmp(l->names[v], name))
            return v;
    return -1;
}

/* ---- costs ----------------------------------------------------------------
 */

int bestdag_lists_rate(struct bestdag_run *run, struct kernel_lists *l,
                       const char *where)
{
    bool fits = true;
    l->most = 0;
    for (int v = 0; v < l->n && fits; v++) {
        l->best[v] = -INFINITY;
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            if (l->remains[s] && l->score[s] > l->best[v])
                l->best[v] = l->score[s];
        if (l->best[v] > -INFINITY)
            fits = fabs(l->best[v]) <= BESTDAG_FIXED_MOST &&
                   bestdag_fixed_add(&l->most, bestdag_fixed_ceil(l->best[v]));
    }
    return fits ? BESTDAG_OK
                : bestdag_fail(run, BESTDAG_INPUT,
                               "%s: the best scores are too large to be added "
                               "exactly",
                               where);
}

/* How far a set is from the best, in units: as the solvers compute it, in
 * double. What rounding adds is found in add_excess(). */
static double distance(const struct kernel_lists *l, int v, int64_t set,
                       int shift)
{
    return l->best[v] > -INFINITY ? ldexp(l->best[v] - l->score[set], shift)
                                  : 0;
}

/* One cost of each variable, none above `limit`, adds up to this at most. */
static double most_total(const struct kernel_lists *l, int shift, double limit)
{
    double total = 0;
    for (int v = 0; v < l->n; v++) {
        double most = 0;
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            most = fmax(most, fabs(distance(l, v, s, shift)));
        total += fmin(most + 1, limit);
    }
    return total;
}

/* The largest power of two that costs must be lowered to. */
static double choose_limit(const struct kernel_lists *l, int shift)
{
    double limit = 0x1p60;
    while (limit > 1 && most_total(l, shift, limit) > 0x1p60)
        limit /= 2;
    return limit;
}

/* By how much costs of v are above best - score at most, exactly. Scores below
 * the range are raised to it: that makes best - score smaller. */
static bestdag_wide excess_of(const struct kernel_lists *l, int v, int shift)
{
    bestdag_wide unit = (bestdag_wide)1 << (BESTDAG_FIXED_BITS - shift);
    bestdag_wide best = bestdag_fixed_floor(l->best[v]), most = 0;
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++) {
        if (!l->remains[s])
            continue;
        double score = fmax(l->score[s], -BESTDAG_FIXED_MOST);
        bestdag_wide excess =
            l->cost[s] * unit - (best - bestdag_fixed_ceil(score));
        most = excess > most ? excess : most;
    }
    return most;
}

void bestdag_lists_cost(struct kernel_lists *l, int shift)
{
    double limit = choose_limit(l, shift);
    l->excess = 0;
    for (int v = 0; v < l->n; v++) {
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++) {
            /* a set that a rule took off may be better than the best */
            double x = distance(l, v, s, shift);
            l->cost[s] = llround(fmax(-limit, fmin(x, limit)));
        }
        if (l->best[v] > -INFINITY)
            l->excess += excess_of(l, v, shift);
    }
}
