/* SPDX-License-Identifier: MIT */
/* dense_list.c -- lists of all sets, from the sums of dense levels.
 *
 * If no set is given up, a score need not be stored until a list is made: it is
 * a difference of two sums. The scores of a child are computed in the order of
 * its sets (by size, then lexicographic among the other places), so that a set
 * is a number, and the numbers mean the same for all children except for the
 * child's own place. Score and number form one word, scores first, and the
 * words are sorted by radix, lowest digit first (three digits of 11 bits: the
 * highest bits of the score differences). Words that are equal in these bits
 * are then sorted by score, size and members.
 *
 * Time: about 10 ns per set. Memory: 24 bytes per set and thread, for the
 * present child, and 2 bytes per member for all. */
#include <string.h>

#include "parents/exhaustive/dense.h"

enum { DIGIT = 11, DIGITS = 3, RADIX = 1 << DIGIT };

#define NONE INT64_MIN /* no candidate, or not counted */

struct bestdag_level_store {
    const struct bestdag_dense *d;
    int top;                               /* parents in the largest sets */
    int64_t first[BESTDAG_DENSE_MOST + 2]; /* first set of each size; then the
                                              end */
    int64_t members;                       /* sum over all sets of a child */
    uint16_t *member; /* owns; [sets * top]: places, skipping the child */
    bool in_order;    /* variables ascend with their places */
    int64_t **value;  /* owns; [threads]: [3 * sets], for the present child */
};

static int64_t sets_of(const struct bestdag_level_store *s)
{
    return s->first[s->top + 1];
}

/* ---- allocation ---------------------------------------------------------- */

static void count_sets(struct bestdag_level_store *s)
{
    const struct bestdag_dense *d = s->d;
    for (int size = 0; size <= s->top; size++) {
        int64_t sets = bestdag_choose(&d->ranks, d->levels->n - 1, size);
        s->first[size + 1] = s->first[size] + sets;
        s->members += size * sets;
    }
}

static void write_members(struct bestdag_level_store *s)
{
    int set[BESTDAG_DENSE_MOST];
    uint16_t *to = s->member;
    for (int size = 0; size <= s->top; size++) {
        for (int i = 0; i < size; i++)
            set[i] = i;
        for (int64_t j = s->first[size]; j < s->first[size + 1]; j++) {
            for (int i = 0; i < size; i++)
                to[i] = (uint16_t)set[i];
            to += s->top;
            bestdag_rank_next(s->d->levels->n - 1, set, size);
        }
    }
}

static int fill_store(struct bestdag_level_store *s)
{
    const struct bestdag_levels *l = s->d->levels;
    size_t sets = (size_t)sets_of(s);
    if (sets >= UINT32_MAX)
        return bestdag_fail(l->run, BESTDAG_MEMORY,
                            "%lld parent sets of one variable are more than "
                            "can be kept",
                            (long long)sets);
    s->member =
        bestdag_alloc(l->run, sets * (size_t)s->top * sizeof *s->member);
    s->value = bestdag_calloc(l->run, (size_t)l->threads, sizeof *s->value);
    for (int i = 0; s->value && i < l->threads; i++)
        s->value[i] = bestdag_alloc(l->run, 3 * sets * sizeof **s->value);
    if (bestdag_run_status(l->run))
        return BESTDAG_MEMORY;
    write_members(s);
    s->in_order = true;
    for (int i = 1; i < l->n; i++)
        if (bestdag_levels_variable(l, i) < bestdag_levels_variable(l, i - 1))
            s->in_order = false;
    return BESTDAG_OK;
}

struct bestdag_level_store *bestdag_level_store_new(
    const struct bestdag_dense *d)
{
    struct bestdag_level_store *s =
        bestdag_calloc(d->levels->run, 1, sizeof *s);
    if (!s)
        return NULL;
    s->d = d;
    s->top = d->size - 1;
    count_sets(s);
    if (!fill_store(s))
        return s;
    bestdag_level_store_free(s);
    return NULL;
}

void bestdag_level_store_free(struct bestdag_level_store *s)
{
    if (!s)
        return;
    const struct bestdag_levels *l = s->d->levels;
    for (int i = 0; s->value && i < l->threads; i++)
        bestdag_free(s->value[i]);
    bestdag_free(s->value);
    bestdag_free(s->member);
    bestdag_free(s);
}

/* ---- scores ---------------------------------------------------------- */

/* A child, and a prefix A of its parents A + l. */
struct row {
    const struct bestdag_dense *d;
    int child;
    int place[BESTDAG_DENSE_MOST + 1], variable[BESTDAG_DENSE_MOST + 1];
    int count;
    const int64_t *below; /* sums of A + l, by l */
    const int64_t *above; /* sums of sets with one more member */
    bool is_partial;
};

static int64_t score_of(const struct row *r, int64_t top, int64_t bottom,
                        int64_t penalty)
{
    if (r->is_partial && top == BESTDAG_ABSENT)
        return NONE;
    return r->d->levels->scorer->factor * (top - bottom) - penalty;
}

/* Scores for l before the child, which comes last. */
static void score_before(const struct row *r, int from, int to, int64_t penalty,
                         int64_t *value)
{
    int n = r->d->levels->n, with[BESTDAG_DENSE_MOST + 1];
    memcpy(with, r->place, sizeof with);
    with[r->count] = from;
    const int64_t *above = r->above +
                           bestdag_rank_base(&r->d->ranks, with, r->count + 1) +
                           r->child;
    for (int l = from; l < to; above += n - 2 - l++)
        *value++ = score_of(r, *above, r->below[l], penalty);
}

/* Scores for l behind the child; l comes last. */
static void score_behind(const struct row *r, int from, int to, int64_t penalty,
                         int64_t *restrict value)
{
    int with[BESTDAG_DENSE_MOST + 1], i = 0, factor;
    for (; i < r->count && r->place[i] < r->child; i++)
        with[i] = r->place[i];
    with[i] = r->child;
    for (; i < r->count; i++)
        with[i + 1] = r->place[i];
    const int64_t *above =
        r->above + bestdag_rank_base(&r->d->ranks, with, r->count + 1);
    if (r->is_partial) {
        for (int l = from; l < to; l++)
            *value++ = score_of(r, above[l], r->below[l], penalty);
        return;
    }
    factor = r->d->levels->scorer->factor;
    for (int l = from; l < to; l++)
        *value++ = factor * (above[l] - r->below[l]) - penalty;
}

/* Scores all l behind A other than the child; places with equally many states
 * share a penalty. Returns the beginning of the next row. */
static int64_t *score_row(struct row *r, int64_t *value)
{
    const struct bestdag_levels *levels = r->d->levels;
    int child = bestdag_levels_variable(levels, r->child);
    int from = r->count ? r->place[r->count - 1] + 1 : 0;
    for (int l = from, end; l < levels->n; l = end) {
        end = l + 1;
        if (l == r->child)
            continue;
        end = r->d->run[l];
        if (l < r->child && end > r->child)
            end = r->child;
        r->variable[r->count] = bestdag_levels_variable(levels, l);
        int64_t penalty = bestdag_scorer_penalty(levels->scorer, child,
                                                 r->variable, r->count + 1);
        if (penalty >= BESTDAG_UNITS_MOST)
            for (int i = 0; i < end - l; i++)
                value[i] = NONE;
        else if (l < r->child)
            score_before(r, l, end, penalty, value);
        else
            score_behind(r, l, end, penalty, value);
        value += end - l;
    }
    return value;
}

static int64_t score_empty(const struct bestdag_dense *d, int child)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    int v = bestdag_levels_variable(d->levels, child);
    int64_t penalty = bestdag_scorer_penalty(s, v, NULL, 0);
    struct row r = {.d = d, .is_partial = d->is_partial};
    if (penalty >= BESTDAG_UNITS_MOST)
        return NONE;
    return score_of(
        &r, bestdag_dense_sums(d, 1, s->functions ? s->top[v] : 0)[child],
        *bestdag_dense_sums(d, 0, s->functions ? s->bottom[v] : 0), penalty);
}

/* The scores of all sets of a child with `size` >= 1 parents. */
static void score_size(const struct bestdag_dense *d, int child, int size,
                       int64_t *value)
{
    const struct bestdag_scorer *s = d->levels->scorer;
    int v = bestdag_levels_variable(d->levels, child), n = d->levels->n;
    int set[BESTDAG_DENSE_MOST];
    struct row r = {.d = d,
                    .child = child,
                    .count = size - 1,
                    .is_partial = d->is_partial && size + 1 == d->size};
    const int64_t *below =
        bestdag_dense_sums(d, size, s->functions ? s->bottom[v] : 0);
    r.above = bestdag_dense_sums(d, size + 1, s->functions ? s->top[v] : 0);
    for (int i = 0; i < r.count; i++)
        set[i] = i;
    do {
        for (int i = 0; i < r.count; i++) {
            r.place[i] = set[i] + (set[i] >= child);
            r.variable[i] = bestdag_levels_variable(d->levels, r.place[i]);
        }
        r.below = below + bestdag_rank_base(&d->ranks, r.place, r.count);
        value = score_row(&r, value);
    } while (bestdag_rank_next(n - 1, set, r.count));
}

static void score_all(const struct bestdag_level_store *s, int child,
                      int64_t *value)
{
    *value = score_empty(s->d, child);
    for (int size = 1; size <= s->top; size++)
        score_size(s->d, child, size, value + s->first[size]);
}

/* ---- order ----------------------------------------------------------- */

/* The sets of a child as words: difference from the best score, then the
 * number. */
struct words {
    uint64_t *at, *spare;
    int64_t count;
    int bits; /* of a number */
    uint32_t start[DIGITS][RADIX];
};

static void pack(const int64_t *value, int64_t sets, struct words *w)
{
    int64_t best = INT64_MIN, worst = INT64_MAX;
    int shift = 0, room;
    for (int64_t i = 0; i < sets; i++) {
        best = value[i] > best ? value[i] : best;
        worst = value[i] < worst && value[i] != NONE ? value[i] : worst;
    }
    for (w->bits = 0; sets >> w->bits; w->bits++)
        ;
    room = 64 - w->bits < DIGITS * DIGIT ? 64 - w->bits : DIGITS * DIGIT;
    w->count = 0;
    memset(w->start, 0, sizeof w->start);
    if (best == NONE)
        return;
    while (((uint64_t)best - (uint64_t)worst) >> shift >> room)
        shift++;
    for (int64_t i = 0; i < sets; i++) {
        uint64_t order = ((uint64_t)best - (uint64_t)value[i]) >> shift;
        if (value[i] == NONE)
            continue;
        w->at[w->count++] = order << w->bits | (uint64_t)i;
        for (int d = 0; d < DIGITS; d++)
            w->start[d][order >> (d * DIGIT) & (RADIX - 1)]++;
    }
}

static void sort(struct words *w)
{
    for (int d = 0; d < DIGITS; d++) {
        uint32_t *start = w->start[d], sum = 0;
        int shift = w->bits + d * DIGIT;
        if (!w->count || start[w->at[0] >> shift & (RADIX - 1)] == w->count)
            continue;
        for (int i = 0; i < RADIX; i++) {
            uint32_t here = start[i];
            start[i] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < w->count; i++)
            w->spare[start[w->at[i] >> shift & (RADIX - 1)]++] = w->at[i];
        uint64_t *swap = w->at;
        w->at = w->spare;
        w->spare = swap;
    }
}

/* ---- lists ----------------------------------------------------------- */

struct reader {
    const struct bestdag_level_store *shelf;
    int32_t *variable; /* of all places except the child's */
    const int64_t *value;
    uint64_t mask; /* of a set's number in a word */
};

/* The variables of a set, ascending; returns their number. */
static inline int read_set(const struct reader *r, uint64_t word, int32_t *to)
{
    const struct bestdag_level_store *s = r->shelf;
    int64_t number = (int64_t)(word & r->mask);
    const uint16_t *member = s->member + number * s->top;
    int size = s->top;
    while (number < s->first[size])
        size--;
    for (int i = 0; i < size; i++)
        to[i] = r->variable[member[i]];
    if (!s->in_order)
        bestdag_members_sort(to, size);
    return size;
}

static int order_ties(const struct reader *r, uint64_t *word, int64_t count)
{
    struct bestdag_run *run = r->shelf->d->levels->run;
    size_t most = (size_t)count * (size_t)r->shelf->top;
    struct bestdag_tie *tie = bestdag_alloc(run, (size_t)count * sizeof *tie);
    int32_t *member = bestdag_alloc(run, most * sizeof *member), *at;
    if (tie && (at = member)) {
        for (int64_t i = 0; i < count; at += tie[i++].size)
            tie[i] = (struct bestdag_tie){
                .order =
                    (uint64_t)INT64_MAX - (uint64_t)r->value[word[i] & r->mask],
                .key = word[i],
                .member = at,
                .size = read_set(r, word[i], at)};
        bestdag_ties_sort(tie, count);
        for (int64_t i = 0; i < count; i++)
            word[i] = tie[i].key;
    }
    bestdag_free(tie);
    bestdag_free(member);
    return bestdag_run_status(run);
}

static int order_all_ties(const struct reader *r, struct words *w)
{
    for (int64_t i = 0, j; i < w->count; i = j) {
        for (j = i + 1;
             j < w->count && w->at[j] >> w->bits == w->at[i] >> w->bits;)
            j++;
        if (j > i + 1 && order_ties(r, w->at + i, j - i))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

static int make_list(const struct bestdag_level_store *s, int64_t count,
                     struct bestdag_list *to)
{
    struct bestdag_run *run = s->d->levels->run;
    int64_t members = count == sets_of(s) ? s->members : count * s->top;
    to->score = bestdag_alloc(run, (size_t)count * sizeof *to->score);
    to->start = bestdag_alloc(run, ((size_t)count + 1) * sizeof *to->start);
    to->member = bestdag_alloc(run, (size_t)members * sizeof *to->member);
    return to->score && to->start && to->member ? BESTDAG_OK : BESTDAG_MEMORY;
}

static void write_list(const struct reader *r, const struct words *w,
                       struct bestdag_list *to)
{
    double unit = 1 / r->shelf->d->levels->scorer->scale; /* a power of two */
    int64_t members = 0;
    to->start[0] = 0;
    for (int64_t i = 0; i < w->count; i++) {
        to->score[i] = (double)r->value[w->at[i] & r->mask] * unit;
        members += read_set(r, w->at[i], to->member + members);
        to->start[i + 1] = members;
    }
    to->count = w->count;
}

int bestdag_level_store_list(const struct bestdag_level_store *s, int child,
                             int worker, struct bestdag_list *to)
{
    const struct bestdag_levels *l = s->d->levels;
    int64_t sets = sets_of(s), *value = s->value[worker];
    struct words w;
    struct reader r = {.shelf = s, .value = value};
    w.at = (uint64_t *)value + sets;
    w.spare = w.at + sets;
    r.variable = bestdag_alloc(l->run, (size_t)l->n * sizeof *r.variable);
    if (!r.variable)
        return BESTDAG_MEMORY;
    for (int i = 0; i < l->n - 1; i++)
        r.variable[i] = bestdag_levels_variable(l, i + (i >= child));
    score_all(s, child, value);
    pack(value, sets, &w);
    sort(&w);
    s->d->levels->scored += w.count;
    r.mask = ((uint64_t)1 << w.bits) - 1;
    int status = order_all_ties(&r, &w);
    if (!status)
        status = make_list(s, w.count, to);
    if (!status)
        write_list(&r, &w, to);
    bestdag_free(r.variable);
    return status;
}

/* ---- conversion for sparse levels ---------------------------------------- */

/* value: room for the scores of one size. */
static int spill_size(const struct bestdag_dense *d, int child, int size,
                      int64_t *value)
{
    struct bestdag_levels *l = d->levels;
    int set[BESTDAG_DENSE_MOST], place[BESTDAG_DENSE_MOST];
    int64_t sets = bestdag_choose(&d->ranks, l->n - 1, size);
    for (int i = 0; i < size; i++)
        set[i] = i;
    if (size)
        score_size(d, child, size, value);
    else
        *value = score_empty(d, child);
    for (int64_t j = 0; j < sets; j++) {
        for (int i = 0; i < size; i++)
            place[i] = set[i] + (set[i] >= child);
        l->scored += value[j] != NONE;
        l->kept += value[j] != NONE;
        if (value[j] != NONE &&
            bestdag_scored_sets_add(l->run, &l->scored_sets[child], &l->keys,
                                    place, size, value[j]))
            return BESTDAG_MEMORY;
        bestdag_rank_next(l->n - 1, set, size);
    }
    return BESTDAG_OK;
}

int bestdag_dense_spill(const struct bestdag_dense *d)
{
    struct bestdag_levels *l = d->levels;
    int64_t most = 1;
    for (int size = 1; size < d->size; size++) {
        int64_t sets = bestdag_choose(&d->ranks, l->n - 1, size);
        most = sets > most ? sets : most;
    }
    int64_t *value = bestdag_alloc(l->run, (size_t)most * sizeof *value);
    for (int child = 0; value && child < l->n; child++)
        for (int size = 0; size < d->size; size++)
            if (spill_size(d, child, size, value))
                child = l->n;
    bestdag_free(value);
    return bestdag_run_status(l->run);
}
