/* SPDX-License-Identifier: MIT */
/* score_lists.c -- the checker's own reader of .jkl files, and costs in whole
 * units.
 *
 * Line breaks are like blanks; a line that begins with # is a comment. A name
 * may be used before its own block: names are numbered in order of appearance,
 * and renumbered in the order of the blocks at the end. Nothing is allocated on
 * the strength of announced counts alone. */
#include "verify/kernel/score_lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "base/growing_array.h"
#include "base/word_reader.h"

struct kernel_name {
    char *text;       /* owns */
    int block;        /* -1: none yet */
    int64_t last_set; /* number + 1 of the last set that contains it */
};

struct kernel_list_reader {
    struct bestdag_word_reader in;
    int64_t n; /* as announced */
    struct kernel_name *name;
    int64_t names, name_room;
    int32_t *bucket; /* owns; open addressing; number + 1, 0 is free */
    size_t buckets;  /* a power of two */
    struct kernel_lists *to;
    int64_t score_room, start_room, member_room, first_room;
    int blocks;
};

/* ---- names ---- */

/* The bucket that holds the name, or the free one where it belongs. */
static size_t find_bucket(const struct kernel_list_reader *r, const char *text)
{
    uint64_t hash = 7;
    for (const char *c = text; *c; c++)
        hash = bestdag_mix(hash + (unsigned char)*c);
    size_t b = (uint32_t)hash & (r->buckets - 1);
    while (r->bucket[b] && strcmp(r->name[r->bucket[b] - 1].text, text) != 0)
        b = (b + 1) & (r->buckets - 1);
    return b;
}

/* Buckets are at most a quarter full. */
static bool grow_buckets(struct kernel_list_reader *r)
{
    if ((size_t)r->names * 4 < r->buckets)
        return true;
    bestdag_free(r->bucket);
    r->buckets = r->buckets ? 2 * r->buckets : 128;
    r->bucket = bestdag_calloc(r->in.run, r->buckets, sizeof *r->bucket);
    for (int i = 0; r->bucket && i < r->names; i++)
        r->bucket[find_bucket(r, r->name[i].text)] = i + 1;
    return r->bucket != NULL;
}

/* Takes the next word as a name; returns its number. */
static bool take_name(struct kernel_list_reader *r, const char *what, int *to)
{
    struct bestdag_word_reader *in = &r->in;
    if (!bestdag_next_word(in))
        return false;
    if (!in->length)
        return bestdag_expected(in, what);
    if (!grow_buckets(r))
        return false;
    size_t b = find_bucket(r, in->word);
    *to = r->bucket[b] - 1;
    if (*to >= 0)
        return true;
    size_t length = (size_t)in->length;
    if (bestdag_utf8_valid(in->word, length) < length)
        return bestdag_misread(in, "this name is no UTF-8");
    if (r->names >= r->n)
        return bestdag_misread(in,
                               "'%.100s' is one variable more than the "
                               "file announces",
                               in->word);
    char *text = BESTDAG_GROW(in->run, r->name, r->name_room, r->names + 1)
                     ? bestdag_strdup(in->run, in->word)
                     : NULL;
    if (!text)
        return false;
    *to = (int)r->names;
    r->name[r->names++] = (struct kernel_name){text, -1, 0};
    r->bucket[b] = (int32_t)r->names;
    return true;
}

/* ---- sets ---- */

static bool take_number(struct kernel_list_reader *r, const char *what,
                        double *to)
{
    return bestdag_next_word(&r->in) &&
           ((r->in.length &&
             bestdag_number_parse(r->in.word, (size_t)r->in.length, to)) ||
            bestdag_expected(&r->in, what));
}

static bool take_count(struct kernel_list_reader *r, const char *what,
                       double most, int64_t *to)
{
    double x = 0;
    if (!take_number(r, what, &x))
        return false;
    if (x < 0 || x > most || x != floor(x))
        return bestdag_expected(&r->in, what);
    *to = (int64_t)x;
    return true;
}

static bool take_parents(struct kernel_list_reader *r, int child, int64_t count)
{
    struct kernel_lists *l = r->to;
    int64_t at = l->start[l->sets];
    for (int parent; count > 0; count--) {
        if (!take_name(r, "a parent", &parent))
            return false;
        if (parent == child)
            return bestdag_misread(&r->in, "'%.100s' is its own parent",
                                   r->in.word);
        if (r->name[parent].last_set == l->sets + 1)
            return bestdag_misread(&r->in, "this set has '%.100s' twice",
                                   r->in.word);
        r->name[parent].last_set = l->sets + 1;
        if (!BESTDAG_GROW(r->in.run, l->member, r->member_room, at + 1))
            return false;
        l->member[at++] = parent;
    }
    l->start[l->sets + 1] = at;
    return true;
}

static bool take_set(struct kernel_list_reader *r, int child)
{
    struct kernel_lists *l = r->to;
    int64_t count = 0;
    double score = 0;
    if (!take_number(r, "the score of a set", &score) ||
        !take_count(r, "a number of parents less than that of variables",
                    (double)r->n - 1, &count) ||
        !BESTDAG_GROW(r->in.run, l->score, r->score_room, l->sets + 1) ||
        !BESTDAG_GROW(r->in.run, l->start, r->start_room, l->sets + 2) ||
        !take_parents(r, child, count))
        return false;
    l->score[l->sets++] = score;
    return true;
}

static bool take_block(struct kernel_list_reader *r)
{
    int64_t sets = 0;
    int child = 0;
    if (!take_name(r, "the name of a variable", &child))
        return false;
    if (r->name[child].block >= 0)
        return bestdag_misread(&r->in, "a second block of '%.100s'",
                               r->in.word);
    r->name[child].block = r->blocks++;
    if (!take_count(r, "the number of its sets", 1e15, &sets))
        return false;
    for (int64_t i = 0; i < sets; i++)
        if (!take_set(r, child))
            return false;
    if (!BESTDAG_GROW(r->in.run, r->to->first, r->first_room, r->blocks + 1))
        return false;
    r->to->first[r->blocks] = r->to->sets;
    return true;
}

/* ---- the whole ---- */

static bool take_blocks(struct kernel_list_reader *r)
{
    struct kernel_lists *l = r->to;
    if (!take_count(r, "the number of variables", 1e9, &r->n) ||
        !BESTDAG_GROW(r->in.run, l->first, r->first_room, 1) ||
        !BESTDAG_GROW(r->in.run, l->score, r->score_room, 1) ||
        !BESTDAG_GROW(r->in.run, l->start, r->start_room, 1))
        return false;
    l->first[0] = l->start[0] = 0;
    for (int64_t v = 0; v < r->n; v++)
        if (!take_block(r) || !bestdag_kernel_goes_on(r->in.run))
            return false;
    return bestdag_next_word(&r->in) &&
           (!r->in.length || bestdag_expected(&r->in, "the end of the file"));
}

int bestdag_lists_ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Renumbers names and members in the order of the blocks. */
static void settle(struct kernel_list_reader *r)
{
    struct kernel_lists *l = r->to;
    char number[24];
    l->n = r->blocks;
    l->names = bestdag_calloc(r->in.run, (size_t)l->n + 1, sizeof *l->names);
    l->best = bestdag_calloc(r->in.run, (size_t)l->n + 1, sizeof *l->best);
    l->cost = bestdag_calloc(r->in.run, (size_t)l->sets + 1, sizeof *l->cost);
    l->remains = bestdag_alloc(r->in.run, (size_t)l->sets + 1);
    if (bestdag_run_status(r->in.run))
        return;
    memset(l->remains, 1, (size_t)l->sets + 1);
    l->numbered = true;
    for (int i = 0; i < r->names; i++) {
        struct kernel_name *name = &r->name[i];
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
                  sizeof *l->member, bestdag_lists_ascending);
    }
}

struct kernel_lists *bestdag_lists_read(struct bestdag_run *run,
                                        struct bestdag_source *from)
{
    struct kernel_list_reader r = {.in = {.run = run, .from = from}};
    r.to = bestdag_calloc(run, 1, sizeof *r.to);
    bestdag_run_phase(run, "reading", bestdag_source_size(from));
    if (r.to && bestdag_words_start(&r.in) && take_blocks(&r))
        settle(&r);
    for (int i = 0; i < r.names; i++)
        bestdag_free(r.name[i].text);
    bestdag_free(r.name);
    bestdag_free(r.bucket);
    bestdag_words_release(&r.in);
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
    void *const owned[] = {l->names, l->first, l->score,   l->start, l->member,
                           l->cost,  l->best,  l->remains, l};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
}

/* ---- costs ---- */

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
            fits = fabs(l->best[v]) <= KERNEL_FIXED_MOST &&
                   kernel_fixed_add(&l->most, kernel_fixed_ceil(l->best[v]));
    }
    return fits ? BESTDAG_OK
                : bestdag_fail(run, BESTDAG_INPUT,
                               "%s: the best scores are too large to be added "
                               "exactly",
                               where);
}

/* The distance of a set from the best, in units: in double, as solvers compute
 * it. excess_of() measures the rounding. */
static double distance(const struct kernel_lists *l, int v, int64_t set,
                       int shift)
{
    return l->best[v] > -INFINITY ? ldexp(l->best[v] - l->score[set], shift)
                                  : 0;
}

/* An upper bound on the sum of one cost per variable, each at most `limit`. */
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

/* By how much costs of v exceed best - score, at most, exactly. Scores below
 * the range are raised to it, which makes best - score smaller. */
static kernel_wide excess_of(const struct kernel_lists *l, int v, int shift)
{
    kernel_wide unit = (kernel_wide)1 << (KERNEL_FIXED_BITS - shift);
    kernel_wide best = kernel_fixed_floor(l->best[v]), most = 0;
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++) {
        if (!l->remains[s])
            continue;
        double score = fmax(l->score[s], -KERNEL_FIXED_MOST);
        kernel_wide excess =
            l->cost[s] * unit - (best - kernel_fixed_ceil(score));
        most = excess > most ? excess : most;
    }
    return most;
}

void bestdag_lists_cost(struct kernel_lists *l, int shift)
{
    double limit = 0x1p60; /* costs above it are lowered to it */
    while (limit > 1 && most_total(l, shift, limit) > 0x1p60)
        limit /= 2;
    l->excess = 0;
    for (int v = 0; v < l->n; v++) {
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++) {
            /* a set that the rules dropped may be better than the best */
            double x = distance(l, v, s, shift);
            l->cost[s] = llround(fmax(-limit, fmin(x, limit)));
        }
        if (l->best[v] > -INFINITY)
            l->excess += excess_of(l, v, shift);
    }
}
