/* SPDX-License-Identifier: MIT */
/* separate.c -- clusters that a fractional network breaks.
 *
 * A cluster C is broken if its members miss it by less than one in all:
 *
 *     sum over v in C of the share of v's sets without members in C  <  1.
 *
 * To find the most broken one is hard, so we look where it is likely. Let the
 * way from v to u be as long as the share of v's sets without u: a cycle that
 * is shorter than 1 is a broken cluster. From each variable the shortest cycle
 * (Dijkstra) is a beginning, also if it is a little too long; variables join it
 * as long as that makes it less. */
#include "bounds/relax.h"
#include "bounds/trap.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_SHARE 1e-3
#define GOOD_SHARE 0.02
#define LONGEST 1.6 /* of a cycle to begin with */
#define BROKEN 0.98 /* less than this counts */

enum { MOST_MEMBERS = 60, MOST_VISITS = 400 };

/* A set with a share. */
struct part {
    int32_t set;
    float share;
};

/* From a child to a member of its sets. */
struct arc {
    int32_t to;
    float length;
};

struct search {
    struct bestdag_relax *r;
    int64_t *part_start, *arc_start; /* own; [n + 1] */
    struct part *part;               /* owns */
    struct arc *arc;                 /* owns */
    double *distance;                /* owns; [n] */
    int32_t *from;                   /* owns; [n]: the one before */
    int32_t *heap, *place; /* own; [n], and where it is there, or -1 */
    int heaped;
    int32_t *visited; /* owns; [n] */
    int visits;
    int least;        /* of the clusters that are looked for */
    double *gain;     /* owns; [n] */
    int32_t *near;    /* owns; [n]: those with a gain */
    bool *is_in;      /* owns; [n] */
    int32_t *cluster; /* owns; [MOST_MEMBERS + n] */
};

static void release(struct search *s)
{
    void *all[] = {s->part_start, s->arc_start, s->part, s->arc,
                   s->distance,   s->from,      s->heap, s->place,
                   s->visited,    s->gain,      s->near, s->is_in,
                   s->cluster};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
}

/* ---- what has a share -------------------------------------------------------
 */

static void list_parts(struct search *s, const double *share)
{
    int64_t count = 0;
    for (int v = 0; v < s->r->n; v++) {
        s->part_start[v] = count;
        for (int i = 0; i < s->r->stock[v].count; i++, share++)
            if (*share >= LEAST_SHARE)
                s->part[count++] = (struct part){i, (float)*share};
    }
    s->part_start[s->r->n] = count;
}

/* Adds up in s->gain[u] the share of v's sets that have u, for all u. */
static int add_up(struct search *s, int v)
{
    const struct bestdag_stock *stock = &s->r->stock[v];
    int near = 0;
    for (int64_t i = s->part_start[v]; i < s->part_start[v + 1]; i++) {
        const uint64_t *mask = bestdag_stock_mask(stock, s->part[i].set);
        for (int w = 0; w < stock->words; w++)
            for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
                int u = stock->member[w * 64 + __builtin_ctzll(rest)];
                if (s->gain[u] == 0)
                    s->near[near++] = u;
                s->gain[u] += (double)s->part[i].share;
            }
    }
    return near;
}

static int list_arcs(struct search *s)
{
    int64_t count = 0, room = 0;
    for (int v = 0; v < s->r->n; v++) {
        int near = add_up(s, v);
        s->arc_start[v] = count;
        if (count + near > room) {
            room = 2 * (count + near) + 64;
            struct arc *more =
                bestdag_realloc(s->r->run, s->arc, (size_t)room * sizeof *more);
            if (!more)
                return bestdag_run_status(s->r->run);
            s->arc = more;
        }
        for (int i = 0; i < near; i++) {
            int u = s->near[i];
            double length = 1 - s->gain[u];
            s->arc[count++] =
                (struct arc){u, length > 0 ? (float)length : 0.0F};
            s->gain[u] = 0;
        }
    }
    s->arc_start[s->r->n] = count;
    return BESTDAG_OK;
}

static int prepare(struct search *s, const double *share)
{
    struct bestdag_run *run = s->r->run;
    size_t n = (size_t)s->r->n, parts = 0;
    for (int v = 0; v < s->r->n; v++)
        parts += (size_t)s->r->stock[v].count;
    s->part_start = bestdag_alloc(run, (n + 1) * sizeof *s->part_start);
    s->arc_start = bestdag_alloc(run, (n + 1) * sizeof *s->arc_start);
    s->part = bestdag_alloc(run, parts * sizeof *s->part);
    s->distance = bestdag_alloc(run, n * sizeof *s->distance);
    s->gain = bestdag_calloc(run, n, sizeof *s->gain);
    s->is_in = bestdag_calloc(run, n, sizeof *s->is_in);
    int32_t **all[] = {&s->from,    &s->heap, &s->place,
                       &s->visited, &s->near, &s->cluster};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = bestdag_alloc(run, (n + MOST_MEMBERS) * sizeof **all[i]);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    for (size_t v = 0; v < n; v++) {
        s->distance[v] = INFINITY;
        s->place[v] = -1;
    }
    list_parts(s, share);
    return list_arcs(s);
}

/* ---- short cycles -----------------------------------------------------------
 */

static void put_at(struct search *s, int i, int32_t v)
{
    s->heap[i] = v;
    s->place[v] = i;
}

static void sift_up(struct search *s, int i)
{
    int32_t v = s->heap[i];
    for (; i && s->distance[s->heap[(i - 1) / 2]] > s->distance[v];
         i = (i - 1) / 2)
        put_at(s, i, s->heap[(i - 1) / 2]);
    put_at(s, i, v);
}

static int32_t take_least(struct search *s)
{
    int32_t least = s->heap[0], v = s->heap[--s->heaped];
    int i = 0;
    s->place[least] = -1;
    for (int k; (k = 2 * i + 1) < s->heaped; i = k) {
        if (k + 1 < s->heaped &&
            s->distance[s->heap[k + 1]] < s->distance[s->heap[k]])
            k++;
        if (s->distance[s->heap[k]] >= s->distance[v])
            break;
        put_at(s, i, s->heap[k]);
    }
    if (s->heaped)
        put_at(s, i, v);
    return least;
}

static void reach(struct search *s, int32_t u, int32_t from, double distance)
{
    if (distance >= s->distance[u])
        return;
    if (isinf(s->distance[u]))
        s->visited[s->visits++] = u;
    s->distance[u] = distance;
    s->from[u] = from;
    if (s->place[u] < 0)
        s->place[u] = s->heaped++, s->heap[s->place[u]] = u;
    sift_up(s, s->place[u]);
}

/* The shortest cycle through `root` into s->cluster, its length; 0: none that
 * is short enough. */
static int find_cycle(struct search *s, int32_t root)
{
    int size = 0, done = 0;
    s->visits = s->heaped = 0;
    int32_t v = root;
    double at = 0; /* the root is reached for the second time only */
    for (;;) {
        for (int64_t i = s->arc_start[v]; i < s->arc_start[v + 1]; i++)
            if (at + (double)s->arc[i].length < LONGEST)
                reach(s, s->arc[i].to, v, at + (double)s->arc[i].length);
        if (!s->heaped || done++ == MOST_VISITS)
            break;
        v = take_least(s);
        at = s->distance[v];
        if (v == root)
            break;
    }
    if (!isinf(s->distance[root]) && s->place[root] < 0)
        do {
            s->cluster[size++] = v;
            v = s->from[v];
        } while (v != root && size < MOST_MEMBERS);
    for (int i = 0; i < s->visits; i++) {
        s->distance[s->visited[i]] = INFINITY;
        s->place[s->visited[i]] = -1;
    }
    s->r->work += 4 * s->visits;
    return size < MOST_MEMBERS ? size : 0;
}

/* ---- who had better join ----------------------------------------------------
 */

/* Members of the set in the cluster. */
static int meets(const struct search *s, int v, int set)
{
    const struct bestdag_stock *stock = &s->r->stock[v];
    int count = 0;
    const uint64_t *mask = bestdag_stock_mask(stock, set);
    for (int w = 0; w < stock->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1)
            count += s->is_in[stock->member[w * 64 + __builtin_ctzll(rest)]];
    return count;
}

/* The share of v's sets that miss the cluster. */
static double missing(const struct search *s, int v)
{
    double sum = 0;
    for (int64_t i = s->part_start[v]; i < s->part_start[v + 1]; i++)
        if (meets(s, v, s->part[i].set) < s->least)
            sum += (double)s->part[i].share;
    return sum;
}

/* Adds to s->gain what each variable would save v. */
static int count_gains(struct search *s, int v, int near)
{
    const struct bestdag_stock *stock = &s->r->stock[v];
    for (int64_t i = s->part_start[v]; i < s->part_start[v + 1]; i++) {
        const uint64_t *mask = bestdag_stock_mask(stock, s->part[i].set);
        if (meets(s, v, s->part[i].set) != s->least - 1)
            continue;
        for (int w = 0; w < stock->words; w++)
            for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
                int u = stock->member[w * 64 + __builtin_ctzll(rest)];
                if (s->is_in[u])
                    continue;
                if (s->gain[u] == 0)
                    s->near[near++] = u;
                s->gain[u] += (double)s->part[i].share;
            }
    }
    return near;
}

/* The variable that lessens the cluster's sum most, or -1. */
static int best_to_join(struct search *s, int size)
{
    int near = 0, best = -1;
    double most = 1e-6;
    for (int i = 0; i < size; i++)
        near = count_gains(s, s->cluster[i], near);
    for (int i = 0; i < near; i++) {
        int u = s->near[i];
        double gain = s->gain[u];
        s->gain[u] = 0;
        if (gain <= most || (gain -= missing(s, u)) <= most)
            continue;
        most = gain;
        best = u;
    }
    s->r->work += 16 * near;
    return best;
}

/* What the cluster's members miss it by; those leave it without whom that is
 * less. */
static double sum_up(const struct search *s, int size)
{
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += missing(s, s->cluster[i]);
    return sum;
}

/* Members whose leaving makes the sum less, or no more, leave. */
static int drop_useless(struct search *s, int size, double *sum)
{
    for (int i = 0; i < size && size > s->least + 1; i++) {
        int32_t v = s->cluster[i];
        s->is_in[v] = false;
        s->cluster[i] = s->cluster[size - 1];
        double without = sum_up(s, size - 1);
        if (without <= *sum + 1e-9) {
            *sum = without;
            size--;
            i--;
            continue;
        }
        s->cluster[i] = v;
        s->is_in[v] = true;
    }
    return size;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Makes the most of the cycle in s->cluster; its size, 0: it is not broken. */
static int improve(struct search *s, int size)
{
    for (int i = 0; i < size; i++)
        s->is_in[s->cluster[i]] = true;
    for (int u; size < s->r->n && (u = best_to_join(s, size)) >= 0;) {
        s->cluster[size++] = u;
        s->is_in[u] = true;
    }
    double sum = sum_up(s, size);
    size = drop_useless(s, size, &sum);
    for (int i = 0; i < size; i++)
        s->is_in[s->cluster[i]] = false;
    qsort(s->cluster, (size_t)size, sizeof *s->cluster, ascending);
    return sum < s->least - 1 + BROKEN && size > s->least ? size : 0;
}

/* ---- whom others depend on --------------------------------------------------
 */

/* The sets with a good share stand in for those of reduced cost 0. */
static void show_shares(struct search *s)
{
    for (int v = 0; v < s->r->n; v++) {
        struct bestdag_stock *stock = &s->r->stock[v];
        stock->tights = 0;
        for (int64_t i = s->part_start[v]; i < s->part_start[v + 1]; i++)
            if (s->part[i].share >= GOOD_SHARE)
                stock->tight[stock->tights++] = s->part[i].set;
    }
}

static void join(struct search *s, int u, int *size)
{
    if (s->is_in[u] || *size == s->r->n)
        return;
    s->is_in[u] = true;
    s->cluster[(*size)++] = u;
}

/* If x cannot be free, neither can some others: x with those of them that its
 * sets wait for, and so on, is a cluster that x alone misses. Its size. */
static int find_dominated(struct search *s, int x)
{
    struct bestdag_trap *t = s->r->trap;
    struct bestdag_stock *stock = &s->r->stock[x];
    int size = 0, tights = stock->tights, n = s->r->n;
    for (int v = 0; v < n; v++)
        t->part[v] = v;
    stock->tights = 0;
    int freed = bestdag_trap_some(s->r, t->part, n);
    stock->tights = tights;
    if (freed < 0 || freed >= n - 1)
        return 0;
    join(s, x, &size);
    for (int i = 0; i < tights; i++) {
        int u = bestdag_trap_member(t, stock, stock->tight[i]);
        if (u >= 0)
            join(s, u, &size);
    }
    for (int k = 1; k < size; k++)
        for (int32_t i = t->first[s->cluster[k]];
             bestdag_wait_of(t, i, s->cluster[k]); i++)
            join(s, t->wait[i].on, &size);
    for (int i = 0; i < size; i++)
        s->is_in[s->cluster[i]] = false;
    return size;
}

static int use(struct search *s, int size)
{
    if (size > 1)
        size = improve(s, size);
    return size > 1 ? bestdag_relax_cluster(s->r, s->cluster, size, s->least)
                    : 0;
}

/* ---- triples ----------------------------------------------------------------
 */

static void use_triples(struct search *s, int v, int most)
{
    const struct bestdag_stock *stock = &s->r->stock[v];
    for (int64_t i = s->part_start[v]; i < s->part_start[v + 1]; i++) {
        if (s->part[i].share < 0.1F)
            continue;
        const uint64_t *mask = bestdag_stock_mask(stock, s->part[i].set);
        int32_t m[64];
        int c = 0;
        for (int w = 0; w < stock->words; w++)
            for (uint64_t rest = mask[w]; rest && c < 64; rest &= rest - 1)
                m[c++] = stock->member[w * 64 + __builtin_ctzll(rest)];
        for (int a = 0; a < c; a++)
            for (int b = 0; b < a; b++) {
                s->cluster[0] = v;
                s->cluster[1] = m[a];
                s->cluster[2] = m[b];
                if (s->r->pool.count < most)
                    use(s, 3);
            }
    }
}

int bestdag_relax_separate(struct bestdag_relax *r, const double *share,
                           int most)
{
    struct search s = {.r = r, .least = 1};
    int found = 0, before = r->pool.count;
    if (!prepare(&s, share)) {
        for (int v = 0; v < r->n && found < most; v++) {
            if (use(&s, find_cycle(&s, v)) < 0)
                break;
            found = r->pool.count - before;
        }
        s.least = 2;
        for (int v = 0; v < r->n; v++)
            use_triples(&s, v, before + most * 2);
        s.least = 1;
        show_shares(&s);
        for (int v = 0; v < r->n && found < most; v++) {
            if (use(&s, find_dominated(&s, v)) < 0)
                break;
            found = r->pool.count - before;
        }
    }
    for (int v = 0; v < r->n; v++)
        bestdag_stock_tighten(&r->stock[v]);
    release(&s);
    return bestdag_run_status(r->run) ? -1 : found;
}
