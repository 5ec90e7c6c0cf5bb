/* SPDX-License-Identifier: MIT */
/* long_lists.c -- payments in blocks of 512 sets; the nearest sets. */
#include "bounds/long_lists.h"

#include <assert.h>
#include <stdlib.h>

#include "bounds/dual_ascent.h"

enum {
    LONG = 256,    /* sets; shorter lists gain nothing */
    MOST_DUE = 64, /* payments per list */
    BLOCK = 8,     /* words of 64 sets that are processed together */
    SUMS = 256,    /* of a table */
    GROUP = 8,     /* clusters per table */
    MOST_LEAST = 3 /* rank of clusters that are processed by columns */
};

/* ---- allocation ---------------------------------------------------------- */

static void make_list(const struct bestdag_relaxation *r, int v,
                      struct bestdag_long_list *l)
{
    const struct bestdag_reduced_list *s = &r->list[v];
    size_t room = (size_t)s->count / 8 + 64;
    l->due = bestdag_alloc(r->run, MOST_DUE * sizeof *l->due);
    l->near = bestdag_alloc(r->run, room * sizeof *l->near);
    l->reduced = bestdag_alloc(r->run, room * sizeof *l->reduced);
    l->mask = bestdag_alloc(r->run, room * (size_t)s->words * sizeof *l->mask);
    l->room = (int)room;
}

struct bestdag_long_lists *bestdag_long_lists_new(
    const struct bestdag_relaxation *r)
{
    int words = 0;
    for (int v = 0; v < r->n; v++)
        if (r->list[v].count >= LONG && r->list[v].words > words)
            words = r->list[v].words;
    if (!words)
        return NULL;
    struct bestdag_long_lists *l = bestdag_calloc(r->run, 1, sizeof *l);
    if (!l)
        return NULL;
    l->n = r->n;
    l->list = bestdag_calloc(r->run, (size_t)r->n, sizeof *l->list);
    l->column =
        bestdag_alloc(r->run, (size_t)words * 64 * BLOCK * sizeof *l->column);
    l->table = bestdag_alloc(r->run, (size_t)MOST_DUE / GROUP * SUMS *
                                         sizeof *l->table);
    for (int v = 0; l->list && v < r->n; v++)
        if (r->list[v].count >= LONG)
            make_list(r, v, &l->list[v]);
    if (!bestdag_run_status(r->run))
        return l;
    bestdag_long_lists_free(l);
    return NULL;
}

void bestdag_long_lists_free(struct bestdag_long_lists *l)
{
    if (!l)
        return;
    for (int v = 0; l->list && v < l->n; v++) {
        bestdag_free(l->list[v].due);
        bestdag_free(l->list[v].near);
        bestdag_free(l->list[v].reduced);
        bestdag_free(l->list[v].mask);
    }
    bestdag_free(l->list);
    bestdag_free(l->column);
    bestdag_free(l->table);
    bestdag_free(l);
}

/* ---- blocks -------------------------------------------------------------- */

/* Bit i of word k becomes bit k of word i. */
static void transpose(uint64_t a[64])
{
    uint64_t low = 0xffffffff;
    for (int half = 32; half; half /= 2, low ^= low << half)
        for (int k = 0; k < 64; k = (k + half + 1) & ~half) {
            uint64_t change = (a[k] >> half ^ a[k + half]) & low;
            a[k] ^= change << half;
            a[k + half] ^= change;
        }
}

/* column[b * BLOCK + j]: bits of the 64 sets from first + 64 j on that contain
 * b. */
static void fill_columns(const struct bestdag_reduced_list *s, int first,
                         uint64_t *column)
{
    for (int j = 0; j < BLOCK; j++) {
        int from = first + 64 * j, left = s->count - from;
        for (int w = 0; w < s->words; w++) {
            uint64_t a[64] = {0};
            for (int i = 0; i < 64 && i < left; i++)
                a[i] = s->mask[(int64_t)(from + i) * s->words + w];
            if (left > 0)
                transpose(a);
            for (int b = 0; b < 64; b++)
                column[(w * 64 + b) * BLOCK + j] = a[b];
        }
    }
}

/* Counts a class that the sets in `row` meet: met[k] has the sets that meet
 * more than k classes. */
static void count_row(uint64_t met[][BLOCK], int least, const uint64_t *row)
{
    for (int k = least - 1; k > 0; k--)
        for (int j = 0; j < BLOCK; j++)
            met[k][j] |= met[k - 1][j] & row[j];
    for (int j = 0; j < BLOCK; j++)
        met[0][j] |= row[j];
}

static void join_rows(const uint64_t *inside, int words, const uint64_t *column,
                      uint64_t *row)
{
    for (int w = 0; w < words; w++)
        for (uint64_t rest = inside[w]; rest; rest &= rest - 1) {
            const uint64_t *one =
                column + (w * 64 + __builtin_ctzll(rest)) * BLOCK;
            for (int j = 0; j < BLOCK; j++)
                row[j] |= one[j];
        }
}

/* The sets that do not miss the cluster: bestdag_cluster_view_missed() for all
 * at once. */
static void find_met(const struct bestdag_cluster_view *view, int words,
                     const uint64_t *column, uint64_t *to)
{
    uint64_t met[MOST_LEAST][BLOCK] = {{0}};
    memset(to, 0, BLOCK * sizeof *to);
    if (view->least == 1) {
        join_rows(view->inside, words, column, to);
        return;
    }
    for (int w = 0; w < words; w++)
        for (uint64_t rest = view->inside[w]; rest; rest &= rest - 1)
            count_row(met, view->least,
                      column + (w * 64 + __builtin_ctzll(rest)) * BLOCK);
    for (int k = 1; k <= view->classes; k++) {
        uint64_t row[BLOCK] = {0};
        join_rows(view->inside + (size_t)k * (size_t)words, words, column,
                  k == view->own ? to : row);
        count_row(met, view->least, row);
    }
    for (int j = 0; j < BLOCK; j++)
        to[j] |= met[view->least - 1][j];
}

/* Byte i of the result has bit k if bit i of byte k is set. */
static uint64_t turn_bytes(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000cccc;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
    return x ^ t ^ t << 28;
}

/* Subtracts the sums of a table from `reduced`, by the clusters met. */
static void take_off(uint64_t met[GROUP][BLOCK], const int64_t *table,
                     int64_t *reduced, int count)
{
    for (int i = 0; i < count; i += 8) {
        uint64_t bytes = 0;
        for (int k = 0; k < GROUP; k++)
            bytes |= (met[k][i / 64] >> i % 64 & 0xff) << 8 * k;
        bytes = turn_bytes(bytes);
        for (int b = i; b < i + 8 && b < count; b++, bytes >>= 8)
            reduced[b] -= table[bytes & 0xff];
    }
}

/* table[bits]: the sum of payments of the group's clusters whose bit is not
 * set. */
static void fill_table(const struct bestdag_payment *due, int count,
                       int64_t *table)
{
    int64_t all = 0;
    for (int k = 0; k < count; k++)
        all += due[k].y;
    table[0] = all;
    for (int bits = 1; bits < 1 << count; bits++)
        table[bits] = table[bits & (bits - 1)] - due[__builtin_ctz(bits)].y;
}

/* Makes the payment of one cluster, set by set. */
static void pay_one(struct bestdag_reduced_list *s,
                    const struct bestdag_payment *p)
{
    for (int set = 0; set < s->count; set++)
        if (bestdag_cluster_view_missed(
                &p->view, bestdag_reduced_list_mask(s, set), s->words))
            s->reduced[set] -= p->y;
}

static void pay_block(const struct bestdag_long_lists *all,
                      struct bestdag_long_list *l,
                      struct bestdag_reduced_list *s, int first)
{
    uint64_t met[GROUP][BLOCK];
    int count = s->count - first;
    if (count > 64 * BLOCK)
        count = 64 * BLOCK;
    fill_columns(s, first, all->column);
    for (int g = 0; g < l->dues; g += GROUP) {
        int most = l->dues - g < GROUP ? l->dues - g : GROUP;
        memset(met, 0, sizeof met);
        for (int k = 0; k < most; k++)
            find_met(&l->due[g + k].view, s->words, all->column, met[k]);
        take_off(met, all->table + g / GROUP * SUMS, s->reduced + first, count);
    }
}

static void settle(struct bestdag_relaxation *r, int v)
{
    const struct bestdag_long_lists *all = r->long_lists;
    struct bestdag_long_list *l = bestdag_long_list_of(r, v);
    struct bestdag_reduced_list *s = &r->list[v];
    int kept = 0;
    for (int k = 0; k < l->dues; k++)
        if (l->due[k].view.least > MOST_LEAST)
            pay_one(s, &l->due[k]);
        else
            l->due[kept++] = l->due[k];
    l->dues = kept;
    for (int g = 0; g < kept; g += GROUP)
        fill_table(l->due + g, kept - g < GROUP ? kept - g : GROUP,
                   all->table + g / GROUP * SUMS);
    for (int first = 0; kept && first < s->count; first += 64 * BLOCK)
        pay_block(all, l, s, first);
    r->work += (int64_t)s->count * (kept / 4 + 8);
    l->dues = 0;
}

/* ---- the nearest sets ---------------------------------------------------- */

enum { SAMPLE = 256, FIRST_RANK = 8, EASY = 24 };

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Copies the sets of reduced cost below the edge; false: too many. */
static bool copy_near(struct bestdag_long_list *l,
                      const struct bestdag_reduced_list *s)
{
    size_t words = (size_t)s->words;
    l->nears = 0;
    for (int set = 0; set < s->count; set++) {
        if (s->reduced[set] >= l->edge)
            continue;
        if (l->nears == l->room)
            return false;
        l->near[l->nears] = set;
        l->reduced[l->nears] = s->reduced[set];
        memcpy(l->mask + (size_t)l->nears * words,
               bestdag_reduced_list_mask(s, set), words * sizeof *l->mask);
        l->nears++;
    }
    return true;
}

/* Makes all payments, then chooses the nearest sets by a sample of reduced
 * costs; more of them if the last choice lasted for few payments. False: too
 * many have reduced cost 0. */
static bool refresh(struct bestdag_relaxation *r, int v)
{
    struct bestdag_long_list *l = bestdag_long_list_of(r, v);
    const struct bestdag_reduced_list *s = &r->list[v];
    int64_t sample[SAMPLE];
    if (!l->rank)
        l->rank = FIRST_RANK;
    else if (l->has_near && l->dues < EASY && l->rank < SAMPLE / 10)
        l->rank += l->rank / 2 + 1;
    else if (l->dues == MOST_DUE && l->rank > 2)
        l->rank--;
    settle(r, v);
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = s->reduced[(int64_t)i * s->count / SAMPLE];
    qsort(sample, SAMPLE, sizeof *sample, ascending);
    l->has_near = false;
    l->paid = 0;
    r->work += s->count;
    for (int rank = l->rank; !l->has_near; rank /= 2) {
        l->edge = sample[rank] > 0 ? sample[rank] : 1;
        l->has_near = copy_near(l, s);
        if (!rank)
            break;
    }
    return l->has_near;
}

void bestdag_long_list_pay(struct bestdag_relaxation *r, int v,
                           const struct bestdag_cluster_view *view, int64_t y)
{
    struct bestdag_long_list *l = bestdag_long_list_of(r, v);
    int words = r->list[v].words;
    if (l->dues == MOST_DUE && l->has_near)
        refresh(r, v);
    else if (l->dues == MOST_DUE)
        settle(r, v);
    l->due[l->dues++] = (struct bestdag_payment){*view, y};
    l->paid += y;
    for (int i = 0; l->has_near && i < l->nears; i++)
        if (bestdag_cluster_view_missed(view, l->mask + (int64_t)i * words,
                                        words))
            l->reduced[i] -= y;
}

static int64_t least_missed(const struct bestdag_reduced_list *s,
                            const struct bestdag_cluster_view *view,
                            int64_t room)
{
    for (int set = 0; set < s->count; set++)
        if (s->reduced[set] < room &&
            bestdag_cluster_view_missed(view, bestdag_reduced_list_mask(s, set),
                                        s->words))
            room = s->reduced[set];
    return room;
}

int64_t bestdag_long_list_room(struct bestdag_relaxation *r, int v,
                               const struct bestdag_cluster_view *view,
                               int64_t room)
{
    struct bestdag_long_list *l = bestdag_long_list_of(r, v);
    const struct bestdag_reduced_list *s = &r->list[v];
    for (int turn = 0; turn < 2; turn++) {
        if (!l->has_near && !refresh(r, v))
            break;
        int64_t least = room;
        r->work += l->nears;
        for (int i = 0; i < l->nears; i++)
            if (l->reduced[i] < least &&
                bestdag_cluster_view_missed(
                    view, l->mask + (int64_t)i * s->words, s->words))
                least = l->reduced[i];
        if (least <= l->edge - l->paid)
            return least;
        refresh(r, v);
    }
    settle(r, v);
    r->work += s->count;
    return least_missed(s, view, room);
}

void bestdag_long_list_tighten(struct bestdag_relaxation *r, int v)
{
    struct bestdag_long_list *l = bestdag_long_list_of(r, v);
    struct bestdag_reduced_list *s = &r->list[v];
    if ((!l->has_near || l->edge <= l->paid) && !refresh(r, v)) {
        bestdag_reduced_list_tighten(s);
        return;
    }
    s->tights = 0;
    for (int i = 0; i < l->nears; i++) {
        assert(l->reduced[i] >= 0);
        if (!l->reduced[i])
            s->tight[s->tights++] = l->near[i];
    }
}

void bestdag_long_lists_settle(struct bestdag_relaxation *r)
{
    for (int v = 0; r->long_lists && v < r->n; v++)
        if (bestdag_long_list_of(r, v)) {
            settle(r, v);
            r->long_lists->list[v].has_near = false;
        }
}
