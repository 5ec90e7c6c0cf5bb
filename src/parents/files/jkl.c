/* SPDX-License-Identifier: MIT */
/* jkl.c -- reads score files in the format of GOBNILP, BLIP and others:
 *
 *     # a line that begins with # is a comment
 *     8                       number of variables
 *     smoke 2                 a variable and the number of its sets
 *     -12.5 2 age cough       score, number of parents, the parents
 *     -13.25 0
 *     ...
 *
 * Files can have tens of gigabytes, so they are read as a stream. Parents may
 * be named before their own block: a name gets a number when it is first seen,
 * and variables are renumbered in the order of the blocks at the end. Nothing
 * is allocated on the basis of announced numbers alone. */
#include "parents/files/jkl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/place.h"
#include "base/random.h"
#include "base/text.h"
#include "parallel/collective.h"

/* ---- words --------------------------------------------------------------- */

enum { BLOCK = 1 << 16, MOST_WORD = 4096 };

struct reader {
    struct bestdag_run *run;
    struct bestdag_source *from;
    char *block; /* owns; [BLOCK] */
    int64_t at, size;
    struct bestdag_place now, word_place;
    char word[MOST_WORD + 1];
    int length;
    struct names *names;
};

static int fail_at(struct reader *r, struct bestdag_place p, const char *format,
                   ...) BESTDAG_PRINTF(3, 4);

static int fail_at(struct reader *r, struct bestdag_place p, const char *format,
                   ...)
{
    va_list list;
    va_start(list, format);
    int status = bestdag_fail_at_list(r->run, bestdag_source_name(r->from), p,
                                      format, list);
    va_end(list);
    return status;
}

static int fail_here(struct reader *r, const char *expected)
{
    if (bestdag_run_status(r->run))
        return bestdag_run_status(r->run);
    if (!r->length)
        return fail_at(r, r->word_place, "the file ends here, expected %s",
                       expected);
    return fail_at(r, r->word_place, "expected %s, found '%.100s'", expected,
                   r->word);
}

/* Is a byte available? If not: the end, or an error. */
static bool refill(struct reader *r)
{
    if (r->at < r->size)
        return true;
    r->at = 0;
    r->size = bestdag_source_read(r->from, r->block, BLOCK);
    bestdag_run_watch(r->run, bestdag_source_consumed(r->from));
    if (r->size > 0)
        return true;
    r->size = 0;
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_comment(struct reader *r)
{
    for (; refill(r) && r->block[r->at] != '\n'; r->at++)
        r->now.column++;
}

static void skip_blanks(struct reader *r)
{
    bool fresh = r->now.column == 1; /* only blanks so far on this line */
    while (refill(r)) {
        char c = r->block[r->at];
        if (fresh && c == '#') {
            skip_comment(r);
            continue;
        }
        if (!is_blank(c))
            return;
        r->at++;
        r->now.column++;
        if (c == '\n') {
            fresh = true;
            r->now = (struct bestdag_place){r->now.line + 1, 1};
        }
    }
}

/* Appends the available part of the present word to r->word: up to a byte that
 * does not belong to it, or the end of the block. *high gets the union of its
 * bytes' bits. */
static void take_run(struct reader *r, unsigned char *high)
{
    const char *from = r->block + r->at, *p = from;
    int64_t most = r->size - r->at, room = MOST_WORD - r->length;
    const char *end = from + (most < room ? most : room);
    for (; p < end && (unsigned char)*p > ' '; p++)
        *high |= (unsigned char)*p;
    int n = (int)(p - from);
    memcpy(r->word + r->length, from, (size_t)n);
    r->length += n;
    r->at += n;
    r->now.column += n;
}

/* length 0: the end of the file. */
static int next_word(struct reader *r)
{
    unsigned char high = 0;
    skip_blanks(r);
    r->word_place = r->now;
    r->length = 0;
    while (refill(r) && !is_blank(r->block[r->at])) {
        if ((unsigned char)r->block[r->at] < ' ')
            return fail_at(r, r->now, "a control character: not a .jkl file");
        if (r->length == MOST_WORD)
            return fail_at(r, r->word_place,
                           "a word of more than 4096 bytes: not a .jkl file");
        take_run(r, &high);
    }
    r->word[r->length] = 0;
    if (high >= 0x80 &&
        bestdag_utf8_valid(r->word, (size_t)r->length) < (size_t)r->length)
        return fail_at(r, r->word_place, "this is not UTF-8");
    return bestdag_run_status(r->run);
}

static int take_count(struct reader *r, const char *what, double most,
                      int64_t *to)
{
    double x;
    if (next_word(r))
        return bestdag_run_status(r->run);
    if (!r->length || !bestdag_number_parse(r->word, (size_t)r->length, &x) ||
        x < 0 || x > most || x != floor(x))
        return fail_here(r, what);
    *to = (int64_t)x;
    return BESTDAG_OK;
}

/* ---- names --------------------------------------------------------------- */

struct name {
    char *text; /* owns */
    size_t length;
    struct bestdag_place seen;
    int block; /* index of its block; -1: none yet */
};

struct names {
    struct name *at; /* owns */
    int count, room;
    int32_t *bucket; /* owns; open addressing; number + 1, 0 is free */
    uint32_t mask;
};

static uint32_t hash_name(const char *text, size_t n)
{
    uint64_t hash = n, word;
    for (; n >= sizeof word; n -= sizeof word, text += sizeof word) {
        memcpy(&word, text, sizeof word);
        hash = bestdag_mix(hash ^ word);
    }
    for (word = 0; n; n--)
        word = word << 8 | (unsigned char)text[n - 1];
    return (uint32_t)bestdag_mix(hash ^ word);
}

static void enter(struct names *names, int i)
{
    uint32_t b =
        hash_name(names->at[i].text, names->at[i].length) & names->mask;
    while (names->bucket[b])
        b = (b + 1) & names->mask;
    names->bucket[b] = i + 1;
}

static int grow_names(struct bestdag_run *run, struct names *names)
{
    if (names->count < names->room)
        return BESTDAG_OK;
    int room = names->room ? 2 * names->room : 64;
    struct name *at =
        bestdag_realloc(run, names->at, (size_t)room * sizeof *at);
    if (!at)
        return BESTDAG_MEMORY;
    names->at = at;
    int32_t *bucket = bestdag_calloc(run, 4 * (size_t)room, sizeof *bucket);
    if (!bucket)
        return BESTDAG_MEMORY;
    bestdag_free(names->bucket);
    names->bucket = bucket;
    names->mask = 4 * (uint32_t)room - 1;
    names->room = room;
    for (int i = 0; i < names->count; i++)
        enter(names, i);
    return BESTDAG_OK;
}

/* The number of the present word, new if need be; -1: error. */
static int number_of_word(struct reader *r, int64_t most)
{
    struct names *names = r->names;
    if (names->count) {
        size_t n = (size_t)r->length;
        uint32_t b = hash_name(r->word, n) & names->mask;
        for (; names->bucket[b]; b = (b + 1) & names->mask) {
            const struct name *name = &names->at[names->bucket[b] - 1];
            if (name->length == n && !memcmp(name->text, r->word, n))
                return names->bucket[b] - 1;
        }
    }
    if (names->count >= most) {
        fail_at(r, r->word_place,
                "'%.100s' is one variable more than the file announces",
                r->word);
        return -1;
    }
    if (grow_names(r->run, names))
        return -1;
    char *text = bestdag_strdup(r->run, r->word);
    if (!text)
        return -1;
    names->at[names->count] =
        (struct name){text, (size_t)r->length, r->word_place, -1};
    enter(names, names->count);
    return names->count++;
}

static void release_names(struct names *names)
{
    for (int i = 0; i < names->count; i++)
        bestdag_free(names->at[i].text);
    bestdag_free(names->at);
    bestdag_free(names->bucket);
}

/* ---- sets ---------------------------------------------------------------- */

struct blocks {
    struct bestdag_list *list; /* owns; by block */
    int count;
    int64_t room;
    int32_t *parents; /* owns; of the present set */
    int64_t parent_room;
    struct bestdag_collector *collector; /* owns */
    int without_empty;                   /* blocks without the empty set */
    int first_without;                   /* name of the first of them */
    int64_t doubles;
};

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

enum { FEW = 16 }; /* numbers sorted by insertion */

static void sort_numbers(int32_t *at, int count)
{
    if (count > FEW) {
        qsort(at, (size_t)count, sizeof *at, ascending);
        return;
    }
    for (int i = 1; i < count; i++) {
        int32_t x = at[i];
        int j = i;
        for (; j > 0 && at[j - 1] > x; j--)
            at[j] = at[j - 1];
        at[j] = x;
    }
}

static int add_parent(struct reader *r, struct blocks *b, int count, int parent)
{
    if (!BESTDAG_GROW(r->run, b->parents, b->parent_room, count + 1))
        return BESTDAG_MEMORY;
    b->parents[count] = parent;
    return BESTDAG_OK;
}

static int take_parents(struct reader *r, struct blocks *b, int child,
                        int64_t count, int64_t n)
{
    for (int i = 0; i < count; i++) {
        if (next_word(r))
            return bestdag_run_status(r->run);
        if (!r->length)
            return fail_here(r, "a parent");
        int parent = number_of_word(r, n);
        if (parent < 0)
            return bestdag_run_status(r->run);
        if (parent == child)
            return fail_at(r, r->word_place, "'%.100s' is a parent of itself",
                           r->word);
        if (add_parent(r, b, i, parent))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

static int take_set(struct reader *r, struct blocks *b, int child, int64_t n,
                    bool *empty)
{
    double score;
    int64_t count = 0;
    if (next_word(r))
        return bestdag_run_status(r->run);
    struct bestdag_place place = r->word_place;
    if (!r->length || !bestdag_number_parse(r->word, (size_t)r->length, &score))
        return fail_here(r, "the score of a set");
    if (take_count(r, "a number of parents less than that of variables",
                   (double)n - 1, &count) ||
        take_parents(r, b, child, count, n))
        return bestdag_run_status(r->run);
    sort_numbers(b->parents, (int)count);
    for (int i = 1; i < count; i++)
        if (b->parents[i] == b->parents[i - 1])
            return fail_at(r, place, "this set has '%.100s' twice",
                           r->names->at[b->parents[i]].text);
    *empty |= !count;
    return bestdag_collector_add(b->collector, b->parents, (int)count, score);
}

static int add_block(struct reader *r, struct blocks *b)
{
    if (!BESTDAG_GROW(r->run, b->list, b->room, b->count + 1))
        return BESTDAG_MEMORY;
    b->list[b->count++] =
        (struct bestdag_list){.ceiling = INFINITY, .max_parents = -1};
    return BESTDAG_OK;
}

static int take_block(struct reader *r, struct blocks *b, int64_t n)
{
    int64_t sets = 0;
    bool empty = false;
    if (next_word(r))
        return bestdag_run_status(r->run);
    if (!r->length)
        return fail_here(r, "the name of a variable");
    int child = number_of_word(r, n);
    if (child < 0)
        return bestdag_run_status(r->run);
    if (r->names->at[child].block >= 0)
        return fail_at(r, r->word_place, "a second block of '%.100s'", r->word);
    r->names->at[child].block = b->count;
    if (take_count(r, "the number of its sets", 1e15, &sets))
        return bestdag_run_status(r->run);
    for (int64_t i = 0; i < sets; i++)
        if (take_set(r, b, child, n, &empty))
            return bestdag_run_status(r->run);
    if (!empty && !b->without_empty++)
        b->first_without = child;
    if (add_block(r, b))
        return BESTDAG_MEMORY;
    return bestdag_collector_hand_over(b->collector, &b->list[b->count - 1]);
}

/* ---- the whole ----------------------------------------------------------- */

/* Renumbers members by block, ascending again. */
static void renumber(const struct names *names, struct bestdag_list *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        int32_t *at = list->member + list->start[i];
        int count = (int)(list->start[i + 1] - list->start[i]);
        for (int j = 0; j < count; j++)
            at[j] = names->at[at[j]].block;
        sort_numbers(at, count);
    }
}

static bool is_in_order(const struct names *names)
{
    for (int i = 0; i < names->count; i++)
        if (names->at[i].block != i)
            return false;
    return true;
}

/* Sorts the lists now that the numbers are known, which break ties. */
static int settle_lists(struct reader *r, struct blocks *b)
{
    bool in_order = is_in_order(r->names);
    for (int v = 0; v < b->count; v++) {
        int64_t sets = b->list[v].count;
        if (!in_order)
            renumber(r->names, &b->list[v]);
        bestdag_collector_take_back(b->collector, &b->list[v]);
        if (bestdag_collector_finish(b->collector, false, &b->list[v]))
            return bestdag_run_status(r->run);
        b->doubles += sets - b->list[v].count;
    }
    return BESTDAG_OK;
}

static void warn(struct reader *r, const struct blocks *b)
{
    const char *file = bestdag_source_name(r->from);
    if (b->without_empty == 1)
        bestdag_note(r->run, 0,
                     "%s: '%s' has no empty set: it must have a parent", file,
                     r->names->at[b->first_without].text);
    else if (b->without_empty)
        bestdag_note(r->run, 0,
                     "%s: %d variables, '%s' first, have no empty set: they "
                     "must have a parent",
                     file, b->without_empty,
                     r->names->at[b->first_without].text);
    if (b->doubles)
        bestdag_note(r->run, 0,
                     "%s: %lld sets are repeated; the better score is used",
                     file, (long long)b->doubles);
}

static struct bestdag_sets *make_sets(struct reader *r, struct blocks *b)
{
    struct bestdag_sets *sets = bestdag_sets_new(r->run, b->count);
    if (!sets)
        return NULL;
    for (int i = 0; i < r->names->count; i++) {
        struct name *name = &r->names->at[i];
        sets->names[name->block] = name->text;
        name->text = NULL;
    }
    for (int v = 0; v < b->count; v++) {
        sets->list[v] = b->list[v];
        b->list[v] = (struct bestdag_list){0};
    }
    return sets;
}

static int take_blocks(struct reader *r, struct blocks *b)
{
    int64_t n = 0;
    if (take_count(r, "the number of variables", 1e9, &n))
        return bestdag_run_status(r->run);
    for (int64_t v = 0; v < n; v++) {
        if (bestdag_run_stopped(r->run) && !bestdag_run_status(r->run))
            return bestdag_fail(r->run, BESTDAG_FAILED,
                                "%s: reading was stopped",
                                bestdag_source_name(r->from));
        if (take_block(r, b, n))
            return bestdag_run_status(r->run);
    }
    if (next_word(r))
        return bestdag_run_status(r->run);
    return r->length ? fail_here(r, "the end of the file") : BESTDAG_OK;
}

struct bestdag_sets *bestdag_jkl_read(struct bestdag_run *run,
                                      struct bestdag_source *from)
{
    struct names names = {0};
    struct blocks b = {.collector = bestdag_collector_new(run)};
    struct reader *r = bestdag_calloc(run, 1, sizeof *r);
    struct bestdag_sets *sets = NULL;
    if (r) {
        *r = (struct reader){.run = run, .from = from, .now = {1, 1}};
        r->names = &names;
        r->block = bestdag_alloc(run, BLOCK);
    }
    bestdag_run_phase(run, "reading", bestdag_source_size(from));
    if (r && r->block && b.collector && !take_blocks(r, &b) &&
        !settle_lists(r, &b)) {
        warn(r, &b);
        sets = make_sets(r, &b);
        if (sets &&
            bestdag_sets_check_sums(run, sets, bestdag_source_name(from))) {
            bestdag_sets_free(sets);
            sets = NULL;
        }
    }
    for (int v = 0; v < b.count; v++)
        bestdag_list_release(&b.list[v]);
    bestdag_free(b.list);
    bestdag_free(b.parents);
    bestdag_collector_free(b.collector);
    release_names(&names);
    if (r)
        bestdag_free(r->block);
    bestdag_free(r);
    return sets;
}

struct bestdag_sets *bestdag_sets_parse(struct bestdag_run *run,
                                        const char *name, const void *bytes,
                                        int64_t size)
{
    if (bestdag_run_status(run))
        return NULL;
    struct bestdag_source *from = bestdag_text_source(run, name, bytes, size);
    struct bestdag_sets *sets = from ? bestdag_jkl_read(run, from) : NULL;
    bestdag_source_close(from);
    return sets;
}

/* A hash of all scores, by which ranks check that they read the same. */
static uint64_t mark_of(const struct bestdag_sets *sets)
{
    uint64_t mark = 1;
    for (int v = 0; sets && v < sets->n; v++)
        for (int64_t i = 0; i < sets->list[v].count; i++) {
            uint64_t bits;
            memcpy(&bits, &sets->list[v].score[i], sizeof bits);
            mark = bestdag_mix(mark ^ bits);
        }
    return mark;
}

struct bestdag_sets *bestdag_sets_read(struct bestdag_run *run,
                                       const char *path)
{
    if (bestdag_run_status(run))
        return NULL;
    if (!path) {
        bestdag_fail(run, BESTDAG_USAGE, "there is no path to read from");
        return NULL;
    }
    struct bestdag_source *from = bestdag_source_open(run, path);
    struct bestdag_sets *sets = from ? bestdag_jkl_read(run, from) : NULL;
    bestdag_source_close(from);
    if (sets && strcmp(path, "-") != 0) {
        char *beside = bestdag_sidecar_path(run, path);
        if (!beside || bestdag_sidecar_read(run, sets, beside)) {
            bestdag_sets_free(sets);
            sets = NULL;
        }
        bestdag_free(beside);
    }
    bestdag_collective_agree(run, mark_of(sets), path);
    if (sets && bestdag_run_status(run)) { /* another rank has failed */
        bestdag_sets_free(sets);
        sets = NULL;
    }
    return sets;
}
