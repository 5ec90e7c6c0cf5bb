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
    BLOCK = 256,     /* rows that are looked at together */
    MOST_BITS = 16,  /* members of a family whose holes are bits */
    MOST_MEMBERS = 64
};

/* A member of a family. */
struct member {
    int variable, states;
    int64_t stride;       /* in the joint state */
    const uint16_t *code; /* by row */
    const int16_t *component;
    const double *next; /* posterior of the next row that lacks the member */
};

/* The joint posterior of the family's holes that are in one component. */
struct factor {
    const double *value; /* the last hole is fastest; NULL: at part + at */
    int64_t at;
    int first, holes; /* open[first ..] */
};

/* Counts by joint state: an array, or a hash of the states that occur. */
struct bestdag_completed_scratch {
    struct bestdag_run *run;
    const struct bestdag_completion *c;
    struct bestdag_run *calm;        /* owns; for the session; NULL: not yet */
    struct bestdag_session *session; /* owns; NULL: not yet needed */
    struct member member[MOST_MEMBERS]; /* ascending */
    int members;
    int64_t states; /* joint states of the family */
    bool is_dense;
    int64_t *dense; /* owns; [DENSE]; 0 between calls */
    int64_t *key;   /* owns; joint states that occur, of array or hash */
    int64_t keys, room;
    int64_t *hash;   /* owns; key of a bucket; -1: free */
    int64_t *amount; /* owns; its count */
    int64_t buckets; /* a power of 2 */
    double *part;    /* owns; marginals of the components of a family */
    int64_t parts;   /* room */
    /* of one row: */
    int64_t row;
    int opens, factors;
    struct member *open[MOST_MEMBERS];
    struct factor factor[MOST_MEMBERS];
};

int bestdag_completed_counts_new(struct bestdag_run *run,
                                 const struct bestdag_completion *completion,
                                 struct bestdag_completed_counts *to)
{
    struct bestdag_completed_scratch *s = bestdag_calloc(run, 1, sizeof *s);
    *to = (struct bestdag_completed_counts){.scratch = s};
    if (!s)
        return bestdag_run_status(run);
    s->run = run;
    s->c = completion;
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
        bestdag_run_free(s->calm);
        bestdag_free(s->dense);
        bestdag_free(s->key);
        bestdag_free(s->hash);
        bestdag_free(s->amount);
        bestdag_free(s->part);
    }
    bestdag_free(s);
    *counts = (struct bestdag_completed_counts){0};
}

/* ---- counts by joint state ----------------------------------------------- */

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

/* ---- sessions ------------------------------------------------------------ */

/* Opens a session in a slice that nothing stops: a stopped search still needs
 * the families that it asks for, and each is little work. */
static int open_session(struct bestdag_completed_scratch *s)
{
    struct bestdag_slice_limits share = {.threads = 1};
    s->calm = bestdag_run_slice(s->run, share);
    if (!s->calm)
        return bestdag_run_status(s->run);
    s->calm->outer = NULL;
    s->calm->deadline = 0;
    s->session = bestdag_session_new(s->calm, s->c->engine);
    return s->session ? BESTDAG_OK : bestdag_run_status(s->calm);
}

/* Asks the session for the joint posterior of holes of the row. */
static int ask_session(struct bestdag_completed_scratch *s, const int *asked,
                       int count, double *to, int64_t cells)
{
    int status = s->session ? BESTDAG_OK : open_session(s);
    if (!status)
        status = bestdag_completion_tell(s->calm, s->session, s->c, s->row);
    if (!status)
        status =
            bestdag_session_joint(s->calm, s->session, asked, count, to, cells);
    return status ? bestdag_fail(s->run, status, "%s",
                                 s->calm ? bestdag_run_error(s->calm) : "")
                  : BESTDAG_OK;
}

/* ---- rows with holes of the family --------------------------------------- */

/* Sums a component's list onto some of its holes. */
static void sum_list(const struct bestdag_completed_row *row, int component,
                     int width, const int *place, const int64_t *step,
                     int holes, double *to)
{
    const uint16_t *digit = row->digit + row->from[component];
    for (int32_t i = row->start[component]; i < row->start[component + 1];
         i++, digit += width) {
        int64_t at = 0;
        for (int h = 0; h < holes; h++)
            at += digit[place[h]] * step[h];
        to[at] += row->p[i];
    }
}

/* Computes the joint of several holes of a component, in s->part. */
static int sum_component(struct bestdag_completed_scratch *s,
                         const struct bestdag_completed_pattern *p,
                         int component, struct factor *f, int64_t *used)
{
    const struct bestdag_completed_row *row = &s->c->row[s->row];
    struct member *const *open = s->open + f->first;
    int place[MOST_MEMBERS], asked[MOST_MEMBERS];
    int64_t step[MOST_MEMBERS], cells = 1;
    for (int h = f->holes - 1; h >= 0; h--) {
        asked[h] = open[h]->variable;
        place[h] = p->slot[p->slot_of[asked[h]]].place;
        step[h] = cells;
        cells *= open[h]->states;
    }
    if (!BESTDAG_GROW(s->run, s->part, s->parts, *used + cells))
        return BESTDAG_MEMORY;
    double *to = s->part + *used;
    f->at = *used;
    *used += cells;
    if (!bestdag_completed_length(row, component))
        return ask_session(s, asked, f->holes, to, cells);
    memset(to, 0, (size_t)cells * sizeof *to);
    sum_list(row, component, p->component[component].holes, place, step,
             f->holes, to);
    return BESTDAG_OK;
}

/* The stored joint of two holes of a component; NULL: it is not stored. */
static const double *find_pair(const struct bestdag_completed_scratch *s,
                               const struct bestdag_completed_pattern *p,
                               int component, const struct factor *f)
{
    int pair = p->component[component].pair;
    if (f->holes != 2 || pair < 0)
        return NULL;
    int a = p->slot[p->slot_of[s->open[f->first]->variable]].place;
    int b = p->slot[p->slot_of[s->open[f->first + 1]->variable]].place;
    return s->c->row[s->row].pair + p->pair[pair + b * (b - 1) / 2 + a];
}

/* Groups the holes by component, ascending within each, and makes a factor for
 * each component. */
static int make_factors(struct bestdag_completed_scratch *s)
{
    const struct bestdag_completed_pattern *p =
        &s->c->pattern[s->c->pattern_of[s->row]];
    int64_t used = 0;
    s->factors = 0;
    for (int i = 0; i < s->opens;) {
        struct factor *f = &s->factor[s->factors++];
        int component = s->open[i]->component[s->row], end = i + 1;
        for (int k = end; k < s->opens; k++) {
            struct member *m = s->open[k];
            if (m->component[s->row] != component)
                continue;
            memmove(s->open + end + 1, s->open + end,
                    (size_t)(k - end) * sizeof(struct member *));
            s->open[end++] = m;
        }
        *f = (struct factor){.first = i, .holes = end - i};
        f->value =
            f->holes == 1 ? s->open[i]->next : find_pair(s, p, component, f);
        if (!f->value && sum_component(s, p, component, f, &used))
            return bestdag_run_status(s->run);
        i = end;
    }
    return BESTDAG_OK;
}

/* Adds the product of the factors from i on, for all states of the holes. */
static int add_product(struct bestdag_completed_scratch *s, int i, int64_t at,
                       double weight)
{
    const struct factor *f = &s->factor[i];
    struct member *const *open = s->open + f->first;
    const struct member *last = open[f->holes - 1];
    const double *value = f->value ? f->value : s->part + f->at;
    bool is_end = i + 1 == s->factors;
    int64_t slow = 1; /* joint states of the holes before the last */
    for (int h = 0; h < f->holes - 1; h++)
        slow *= open[h]->states;
    for (int64_t j = 0; j < slow; j++) {
        int64_t to = at, rest = j;
        for (int h = f->holes - 2; h >= 0; h--) {
            to += rest % open[h]->states * open[h]->stride;
            rest /= open[h]->states;
        }
        for (int k = 0; k < last->states; k++, to += last->stride) {
            double part = weight * *value++;
            if (is_end ? add(s, to, (int64_t)(part + 0.5))
                       : part > 0 && add_product(s, i + 1, to, part))
                return BESTDAG_MEMORY;
        }
    }
    return BESTDAG_OK;
}

/* ---- a family ------------------------------------------------------------ */

static int count_row(struct bestdag_completed_scratch *s, int64_t row)
{
    double weight = s->c->weight[row];
    int64_t at = 0;
    s->opens = 0;
    for (int i = 0; i < s->members; i++) {
        struct member *m = &s->member[i];
        if (m->code[row] == BESTDAG_HOLE)
            s->open[s->opens++] = m;
        else
            at += m->code[row] * m->stride;
    }
    if (!s->opens)
        return add(s, at, (int64_t)weight);
    s->row = row;
    s->factor[0] = (struct factor){s->open[0]->next, 0, 0, 1};
    s->factors = 1;
    if ((s->opens > 1 && make_factors(s)) || add_product(s, 0, at, weight))
        return bestdag_run_status(s->run);
    for (int i = 0; i < s->opens; i++)
        s->open[i]->next += s->open[i]->states;
    return BESTDAG_OK;
}

/* A row that lacks one member; at: of the states that it has. */
static void count_hole(struct bestdag_completed_scratch *s, struct member *m,
                       uint32_t at, double weight)
{
    int64_t *to = s->dense + at;
    for (int k = 0; k < m->states; k++, to += m->stride)
        *to += (int64_t)(weight * m->next[k] + 0.5);
    m->next += m->states;
}

/* A row that lacks two, a before b, which are independent given the others. */
static void count_two(struct bestdag_completed_scratch *s, struct member *a,
                      struct member *b, uint32_t at, double weight)
{
    for (int j = 0; j < a->states; j++, at += (uint32_t)a->stride) {
        double part = weight * a->next[j];
        int64_t *to = s->dense + at;
        for (int k = 0; part > 0 && k < b->states; k++, to += b->stride)
            *to += (int64_t)(part * b->next[k] + 0.5);
    }
    a->next += a->states;
    b->next += b->states;
}

/* A row of a block; lacks: a bit for each member. */
static int count_lacking(struct bestdag_completed_scratch *s, int64_t row,
                         unsigned lacks, uint32_t at)
{
    double weight = s->c->weight[row];
    unsigned rest = lacks & (lacks - 1);
    struct member *a = &s->member[__builtin_ctz(lacks)];
    struct member *b = rest ? &s->member[__builtin_ctz(rest)] : a;
    at -= BESTDAG_HOLE * (uint32_t)a->stride;
    if (!rest)
        count_hole(s, a, at, weight);
    else if (!(rest & (rest - 1)) && a->component[row] != b->component[row])
        count_two(s, a, b, at - BESTDAG_HOLE * (uint32_t)b->stride, weight);
    else
        return count_row(s, row);
    return BESTDAG_OK;
}

/* Counts a block of rows; rows without holes of the family only add their
 * weight. */
static int count_block(struct bestdag_completed_scratch *s, int64_t from, int n)
{
    uint32_t at[BLOCK] = {0};
    uint16_t lacks[BLOCK] = {0};
    const double *weight = s->c->weight + from;
    for (int m = 0; m < s->members; m++) {
        const uint16_t *code = s->member[m].code + from;
        uint32_t stride = (uint32_t)s->member[m].stride;
        for (int i = 0; i < n; i++) {
            at[i] += code[i] * stride;
            lacks[i] |= (uint16_t)((code[i] == BESTDAG_HOLE) << m);
        }
    }
    for (int i = 0; i < n; i++)
        if (!lacks[i])
            s->dense[at[i]] += (int64_t)weight[i];
        else if (count_lacking(s, from + i, lacks[i], at[i]))
            return bestdag_run_status(s->run);
    return BESTDAG_OK;
}

static int count_rows(struct bestdag_completed_scratch *s)
{
    int64_t rows = s->c->rows->count, step = s->is_dense ? BLOCK : 1;
    int status = BESTDAG_OK;
    for (int64_t r = 0; !status && r < rows; r += step)
        status =
            s->is_dense
                ? count_block(s, r, (int)(rows - r < step ? rows - r : step))
                : count_row(s, r);
    return status;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static struct member member_of(const struct bestdag_completion *c, int v)
{
    return (struct member){.variable = v,
                           .states = c->network->variable[v].states,
                           .code = c->code + v * c->rows->count,
                           .component = c->component + v * c->rows->count,
                           .next = c->marginal[v]};
}

/* The child is the fastest digit, so that a group's cells are adjacent. */
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
        for (; at > 0 && s->member[at - 1].variable > v; at--)
            s->member[at] = s->member[at - 1];
        s->member[at] = member_of(s->c, v);
    }
    for (int i = s->members - 1; i >= 0; i--) {
        struct member *m = &s->member[i];
        m->stride = m->variable == child ? 1 : stride;
        if (m->variable == child)
            continue;
        *states *= m->states;
        if (*states >= 0x1p62)
            return BESTDAG_OK; /* the caller rejects the family */
        stride *= m->states;
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

static void add_cell(struct bestdag_completed_counts *to, int64_t key,
                     int states, int64_t amount)
{
    to->cell[to->count] = amount;
    to->group[to->count] = key / states;
    to->state[to->count++] = (int)(key % states);
}

/* Writes the cells that are not 0, in ascending order. */
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
            add_cell(to, i, states, s->dense[i]);
    if (s->keys)
        qsort(s->key, (size_t)s->keys, sizeof *s->key, by_number);
    for (int64_t i = 0; i < s->keys; i++)
        add_cell(to, s->key[i], states, s->amount[bucket_of(s, s->key[i])]);
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
    s->is_dense = states <= DENSE && s->members <= MOST_BITS;
    s->states = (int64_t)states;
    status = count_rows(s);
    if (!status)
        status = hand_over(counts, s->c->network->variable[child].states);
    clear(s);
    return status;
}
