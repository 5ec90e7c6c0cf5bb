/* SPDX-License-Identifier: MIT */
/* completed_counts.c -- expected counts of one family of a completed table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "inference/engine.h"
#include "models/holes/completed_rows.h"
#include "models/holes/completed_table.h"

enum {
    DENSE = 1 << 16, /* joint states that are counted in an array */
    MOST_MEMBERS = 64
};

/* Counts by joint state: an array, or a hash of those that occur. */
struct bestdag_completed_scratch {
    struct bestdag_run *run;
    const struct bestdag_completion *c;
    struct bestdag_session *session; /* owns; NULL: not yet needed */
    int *member;                     /* owns; [n]: of the family, ascending */
    int64_t *stride;                 /* owns; [n]: in the joint state */
    int members;
    int64_t states; /* joint states of the family */
    bool is_dense;
    int64_t *dense; /* owns; [DENSE]; 0 between calls */
    int64_t *key;   /* owns; joint states that occur; of a hash */
    int64_t keys, room;
    int64_t *hash;   /* owns; key of a bucket; -1: free */
    int64_t *amount; /* owns; its count */
    int64_t buckets; /* a power of 2 */
    double *part;    /* owns; marginals of the components of a family */
    int64_t parts;   /* room */
    /* of one row: */
    int factors;
    const struct bestdag_completed_row *row;
    struct factor {
        bool is_part; /* it is at part + at; else in the row's marginals */
        int64_t at;
        int first, holes; /* open[first ..] */
    } factor[MOST_MEMBERS];
    struct open {
        int states;
        int64_t stride;
    } open[MOST_MEMBERS];
    int *asked; /* owns; [n] */
};

int bestdag_completed_counts_new(struct bestdag_run *run,
                                 const struct bestdag_completion *completion,
                                 struct bestdag_completed_counts *to)
{
    size_t n = (size_t)completion->n;
    struct bestdag_completed_scratch *s = bestdag_calloc(run, 1, sizeof *s);
    *to = (struct bestdag_completed_counts){.scratch = s};
    if (!s)
        return bestdag_run_status(run);
    s->run = run;
    s->c = completion;
    s->member = bestdag_alloc(run, n * sizeof *s->member);
    s->stride = bestdag_alloc(run, n * sizeof *s->stride);
    s->asked = bestdag_alloc(run, n * sizeof *s->asked);
    s->dense = bestdag_calloc(run, DENSE, sizeof *s->dense);
    return bestdag_run_status(run);
}

void bestdag_completed_counts_release(struct bestdag_completed_counts *counts)
{
    struct bestdag_completed_scratch *s = counts->scratch;
    bestdag_free(counts->cell);
    bestdag_free(counts->group);
    bestdag_free(counts->state);
    if (s) {
        bestdag_session_free(s->session);
        bestdag_free(s->member);
        bestdag_free(s->stride);
        bestdag_free(s->asked);
        bestdag_free(s->dense);
        bestdag_free(s->key);
        bestdag_free(s->hash);
        bestdag_free(s->amount);
        bestdag_free(s->part);
    }
    bestdag_free(s);
    *counts = (struct bestdag_completed_counts){0};
}

/* ---- counts by joint state -------------------------------------------------
 */

static int64_t bucket_of(const struct bestdag_completed_scratch *s, int64_t key)
{
    uint64_t x = (uint64_t)key * 0x9e3779b97f4a7c15u;
    int64_t at = (int64_t)(x >> 20) & (s->buckets - 1);
    while (s->hash[at] >= 0 && s->hash[at] != key)
        at = (at + 1) & (s->buckets - 1);
    return at;
}

static int rehash(struct bestdag_completed_scratch *s)
{
    int64_t old = s->buckets, *hash = s->hash, *amount = s->amount;
    int64_t buckets = old ? 2 * old : 1 << 12;
    s->hash = bestdag_alloc(s->run, (size_t)buckets * sizeof *s->hash);
    s->amount = bestdag_alloc(s->run, (size_t)buckets * sizeof *s->amount);
    if (!s->hash || !s->amount) {
        bestdag_free(s->hash);
        bestdag_free(s->amount);
        s->hash = hash;
        s->amount = amount;
        return BESTDAG_MEMORY;
    }
    s->buckets = buckets;
    memset(s->hash, -1, (size_t)buckets * sizeof *s->hash);
    for (int64_t i = 0; i < old; i++)
        if (hash[i] >= 0) {
            int64_t at = bucket_of(s, hash[i]);
            s->hash[at] = hash[i];
            s->amount[at] = amount[i];
        }
    bestdag_free(hash);
    bestdag_free(amount);
    return BESTDAG_OK;
}

static int add(struct bestdag_completed_scratch *s, int64_t at, int64_t units)
{
    if (s->is_dense) {
        s->dense[at] += units;
        return BESTDAG_OK;
    }
    if (!units)
        return BESTDAG_OK;
    if (2 * (s->keys + 1) > s->buckets && rehash(s))
        return BESTDAG_MEMORY;
    int64_t b = bucket_of(s, at);
    bool is_new = s->hash[b] < 0;
    s->amount[b] = (is_new ? 0 : s->amount[b]) + units;
    s->hash[b] = at;
    if (!is_new)
        return BESTDAG_OK;
    if (!BESTDAG_GROW(s->run, s->key, s->room, s->keys + 1))
        return BESTDAG_MEMORY;
    s->key[s->keys++] = at;
    return BESTDAG_OK;
}

static void clear(struct bestdag_completed_scratch *s)
{
    if (s->is_dense)
        memset(s->dense, 0, (size_t)s->states * sizeof *s->dense);
    else if (s->buckets)
        memset(s->hash, -1, (size_t)s->buckets * sizeof *s->hash);
    s->keys = 0;
}

/* ---- rows with holes of the family ----------------------------------------
 */

/* A component's posterior, summed onto its holes that are in the family. */
static int sum_component(struct bestdag_completed_scratch *s,
                         const struct bestdag_completed_pattern *p, int c,
                         struct factor *f, int64_t *used)
{
    const struct bestdag_completed_component *k = &p->component[c];
    const uint16_t *digit = s->row->digit + s->row->from[c];
    int place[MOST_MEMBERS], holes = 0;
    int64_t step[MOST_MEMBERS], cells = 1;
    /* the last hole fastest */
    for (int m = s->members - 1; m >= 0; m--) {
        int slot = p->slot_of[s->member[m]];
        if (slot >= k->first && slot < k->first + k->holes) {
            place[holes] = p->slot[slot].place;
            step[holes++] = cells;
            cells *= p->slot[slot].states;
        }
    }
    if (!BESTDAG_GROW(s->run, s->part, s->parts, *used + cells))
        return BESTDAG_MEMORY;
    double *to = s->part + *used;
    memset(to, 0, (size_t)cells * sizeof *to);
    for (int32_t i = s->row->start[c]; i < s->row->start[c + 1]; i++) {
        int64_t at = 0;
        for (int h = 0; h < holes; h++)
            at += digit[place[h]] * step[h];
        to[at] += s->row->p[i];
        digit += k->holes;
    }
    f->is_part = true;
    f->at = *used;
    *used += cells;
    return BESTDAG_OK;
}

/* One factor for each component with a hole in the family, by first member. */
static int make_factors(struct bestdag_completed_scratch *s,
                        const struct bestdag_completed_pattern *p,
                        const int *open, int count)
{
    int64_t used = 0;
    int opens = 0;
    bool is_taken[MOST_MEMBERS] = {false};
    s->factors = 0;
    for (int i = 0; i < count; i++) {
        if (is_taken[i])
            continue;
        int c = p->slot[p->slot_of[s->member[open[i]]]].component;
        struct factor *f = &s->factor[s->factors++];
        *f = (struct factor){.first = opens};
        for (int k = i; k < count; k++) {
            const struct bestdag_hole_slot *slot =
                &p->slot[p->slot_of[s->member[open[k]]]];
            if (slot->component != c)
                continue;
            is_taken[k] = true;
            s->open[opens++] = (struct open){slot->states, s->stride[open[k]]};
            f->at = slot->marginal;
        }
        f->holes = opens - f->first;
        if (f->holes > 1 && sum_component(s, p, c, f, &used))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Adds the product of the factors from i on, at all open states. */
static int add_product(struct bestdag_completed_scratch *s, int i, int64_t at,
                       double weight)
{
    if (i == s->factors)
        return add(s, at, (int64_t)(weight + 0.5));
    const struct factor *f = &s->factor[i];
    const struct open *open = s->open + f->first;
    const double *value = (f->is_part ? s->part : s->row->marginal) + f->at;
    int64_t cells = 1;
    for (int h = 0; h < f->holes; h++)
        cells *= open[h].states;
    for (int64_t j = 0; j < cells; j++) {
        int64_t to = at, rest = j;
        for (int h = f->holes - 1; h >= 0; h--) {
            to += rest % open[h].states * open[h].stride;
            rest /= open[h].states;
        }
        if (value[j] > 0 && add_product(s, i + 1, to, weight * value[j]))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* One factor, from a session: the joint of all holes of the family. */
static int ask_session(struct bestdag_completed_scratch *s,
                       const struct bestdag_completed_pattern *p, int64_t row)
{
    int opens = 0;
    int64_t cells = 1;
    const uint16_t *code = bestdag_hole_row(s->c->rows, row);
    if (!s->session)
        s->session = bestdag_session_new(s->run, s->c->engine);
    if (!s->session)
        return bestdag_run_status(s->run);
    for (int v = 0; v < s->c->n; v++)
        if (bestdag_session_observe(s->run, s->session, v,
                                    code[v] == BESTDAG_HOLE ? -1 : code[v]))
            return bestdag_run_status(s->run);
    for (int m = 0; m < s->members; m++)
        if (p->slot_of[s->member[m]] >= 0) {
            int states = p->slot[p->slot_of[s->member[m]]].states;
            s->asked[opens] = s->member[m];
            s->open[opens++] = (struct open){states, s->stride[m]};
            cells *= states;
        }
    if (!BESTDAG_GROW(s->run, s->part, s->parts, cells))
        return BESTDAG_MEMORY;
    s->factor[0] = (struct factor){.is_part = true, .holes = opens};
    s->factors = 1;
    return bestdag_session_joint(s->run, s->session, s->asked, opens, s->part,
                                 cells);
}

/* ---- a family --------------------------------------------------------------
 */

/* The family's holes in a pattern: members. */
static int find_open(const struct bestdag_completed_scratch *s,
                     const struct bestdag_completed_pattern *p, int *open)
{
    int count = 0;
    for (int m = 0; m < s->members; m++)
        if (p->slot_of[s->member[m]] >= 0)
            open[count++] = m;
    return count;
}

/* The counts of one hole, or of two of a component, which rows have ready; -1:
 * they have not. */
static int ready_at(const struct bestdag_completed_scratch *s,
                    const struct bestdag_completed_pattern *p, const int *open,
                    int count)
{
    const struct bestdag_hole_slot *a =
        &p->slot[p->slot_of[s->member[open[0]]]];
    if (count == 1)
        return a->marginal;
    const struct bestdag_hole_slot *b =
        &p->slot[p->slot_of[s->member[open[1]]]];
    int pair = p->component[a->component].pair;
    if (count > 2 || a->component != b->component || pair < 0)
        return -1;
    return p->pair[pair + b->place * (b->place - 1) / 2 + a->place];
}

/* Adds what a row has ready: of two holes the second is fastest. */
static int add_ready(struct bestdag_completed_scratch *s,
                     const struct bestdag_completed_pattern *p, const int *open,
                     int count, const int64_t *unit, int64_t at)
{
    int first = p->slot[p->slot_of[s->member[open[0]]]].states;
    int second = count > 1 ? p->slot[p->slot_of[s->member[open[1]]]].states : 1;
    int64_t stride = count > 1 ? s->stride[open[1]] : 0;
    for (int i = 0; i < first; i++, at += s->stride[open[0]])
        for (int k = 0; k < second; k++)
            if (add(s, at + k * stride, *unit++))
                return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

static int64_t base_of(const struct bestdag_completed_scratch *s,
                       const struct bestdag_completed_pattern *p, int64_t row)
{
    int64_t at = 0, rows = s->c->rows->count;
    for (int m = 0; m < s->members; m++)
        if (p->slot_of[s->member[m]] < 0)
            at += s->c->code[s->member[m] * rows + row] * s->stride[m];
    return at;
}

static int count_row(struct bestdag_completed_scratch *s,
                     const struct bestdag_completed_pattern *p, const int *open,
                     int count, int64_t r)
{
    int64_t weight = s->c->rows->weight[r], at = base_of(s, p, r);
    if (!count)
        return add(s, at, weight << s->c->shift);
    s->row = &s->c->row[r];
    int ready = s->row->unit ? ready_at(s, p, open, count) : -1;
    if (ready >= 0)
        return add_ready(s, p, open, count, s->row->unit + ready, at);
    int status =
        s->row->p ? make_factors(s, p, open, count) : ask_session(s, p, r);
    return status ? status
                  : add_product(s, 0, at, ldexp((double)weight, s->c->shift));
}

static int count_pattern(struct bestdag_completed_scratch *s,
                         const struct bestdag_completed_pattern *p)
{
    int open[MOST_MEMBERS], count = find_open(s, p, open);
    for (int64_t r = p->first; r < p->first + p->rows; r++)
        if (count_row(s, p, open, count, r))
            return bestdag_run_status(s->run);
    return BESTDAG_OK;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The child is fastest, so that a group's cells are side by side. */
static int set_members(struct bestdag_completed_scratch *s, int child,
                       const int *parents, int count, double *states)
{
    int64_t stride = s->c->network->variable[child].states;
    *states = (double)stride;
    if (count + 1 > MOST_MEMBERS)
        return bestdag_fail(s->run, BESTDAG_MEMORY,
                            "a family of %d parents cannot be counted", count);
    s->members = 0;
    for (int i = 0; i <= count; i++) {
        int v = i < count ? parents[i] : child, at = s->members++;
        for (; at > 0 && s->member[at - 1] > v; at--)
            s->member[at] = s->member[at - 1];
        s->member[at] = v;
    }
    for (int m = s->members - 1; m >= 0; m--) {
        int r = s->c->network->variable[s->member[m]].states;
        s->stride[m] = s->member[m] == child ? 1 : stride;
        if (s->member[m] == child)
            continue;
        *states *= r;
        if (*states >= 0x1p62)
            return BESTDAG_OK; /* the caller gives up */
        stride *= r;
    }
    return BESTDAG_OK;
}

static int widen(struct bestdag_completed_counts *to, int64_t cells)
{
    struct bestdag_run *run = to->scratch->run;
    size_t room = (size_t)cells + (size_t)cells / 2 + 16;
    if (cells <= to->room)
        return BESTDAG_OK;
    bestdag_free(to->cell);
    bestdag_free(to->group);
    bestdag_free(to->state);
    to->cell = bestdag_alloc(run, room * sizeof *to->cell);
    to->group = bestdag_alloc(run, room * sizeof *to->group);
    to->state = bestdag_alloc(run, room * sizeof *to->state);
    to->room = to->cell && to->group && to->state ? (int64_t)room : 0;
    return to->room ? BESTDAG_OK : BESTDAG_MEMORY;
}

static void hand_cell(struct bestdag_completed_counts *to, int64_t key,
                      int states, int64_t amount)
{
    to->cell[to->count] = amount;
    to->group[to->count] = key / states;
    to->state[to->count++] = (int)(key % states);
}

/* The cells that are not 0, ascending. */
static int hand_over(struct bestdag_completed_counts *to, int states)
{
    struct bestdag_completed_scratch *s = to->scratch;
    int64_t cells = s->keys;
    for (int64_t i = 0; s->is_dense && i < s->states; i++)
        cells += s->dense[i] != 0;
    to->count = 0;
    if (widen(to, cells))
        return BESTDAG_MEMORY;
    for (int64_t i = 0; s->is_dense && i < s->states; i++)
        if (s->dense[i])
            hand_cell(to, i, states, s->dense[i]);
    if (s->keys)
        qsort(s->key, (size_t)s->keys, sizeof *s->key, by_number);
    for (int64_t i = 0; i < s->keys; i++)
        hand_cell(to, s->key[i], states, s->amount[bucket_of(s, s->key[i])]);
    return BESTDAG_OK;
}

int bestdag_completed_counts_find(struct bestdag_completed_counts *counts,
                                  int child, const int *parents, int count)
{
    struct bestdag_completed_scratch *s = counts->scratch;
    double states;
    int status = set_members(s, child, parents, count, &states);
    if (status)
        return status;
    if (states >= 0x1p62)
        return bestdag_fail(s->run, BESTDAG_MEMORY,
                            "a family of %d parents has too many joint states",
                            count);
    s->is_dense = states <= DENSE;
    s->states = (int64_t)states;
    for (int64_t i = 0; !status && i < s->c->patterns; i++)
        status = count_pattern(s, &s->c->pattern[i]);
    if (!status)
        status = hand_over(counts, s->c->network->variable[child].states);
    clear(s);
    return status;
}
