/* SPDX-License-Identifier: MIT */
/* violated_cluster.c -- the support of a fractional solution, and greedy growth
 * of clusters. */
#include "bounds/violated_cluster.h"

#include <math.h>
#include <stdlib.h>

/* "gaps" are those of hailfinder and soybean at the same work
 * (bench/log/2026-11-17-sensitivity.csv), before there were classes. */

/* Least fraction of a set in the support. 0.0005: gaps x 0.98..1.1, the proof
 * of munin1 takes 1.2 times as long; 0.002: gaps x 0.91..0.97. */
#define LEAST_FRACTION 1e-3
/* The sum of a violated cluster is below this. 0.9: gaps x 0.9..1.02, the proof
 * of munin1 takes 1.2 times as long; 0.999: gaps x 0.94..1.02. */
#define VIOLATED 0.98
/* Least gain of a variable that joins, above rounding. 1e-4: gaps x 1.01..1.03;
 * 1e-9: the same. */
#define LEAST_GAIN 1e-6
/* Rounding error of a sum. 0..1e-6: the same. */
#define ROUNDING 1e-9
/* Members of a cluster: growing one takes quadratic time, and thousands of
 * variables have clusters of thousands. */
enum { LARGEST = 256 };

/* ---- the support --------------------------------------------------------- */

static void list_support(struct bestdag_violated *b, const double *fraction)
{
    int64_t count = 0;
    for (int v = 0; v < b->r->n; v++) {
        b->support_start[v] = count;
        for (int i = 0; i < b->r->list[v].count; i++, fraction++)
            if (*fraction >= LEAST_FRACTION)
                b->support[count++] =
                    (struct bestdag_fraction){i, (float)*fraction};
    }
    b->support_start[b->r->n] = count;
}

static void list_set(struct bestdag_violated *b, int v, int set, int64_t *count)
{
    const struct bestdag_reduced_list *list = &b->r->list[v];
    const uint64_t *mask = bestdag_reduced_list_mask(list, set);
    for (int w = 0; w < list->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            int32_t u = list->member[w * 64 + __builtin_ctzll(rest)];
            if (b->parent)
                b->parent[*count] = u;
            ++*count;
        }
}

/* Fills child, first and, if it is not NULL, parent; returns the number of
 * members of all sets. */
static int64_t list_sets(struct bestdag_violated *b)
{
    int64_t count = 0;
    for (int v = 0; v < b->r->n; v++)
        for (int64_t i = b->support_start[v]; i < b->support_start[v + 1];
             i++) {
            b->child[i] = v;
            b->first[i] = count;
            list_set(b, v, b->support[i].set, &count);
        }
    b->first[b->support_start[b->r->n]] = count;
    return count;
}

static void list_with(struct bestdag_violated *b)
{
    int n = b->r->n;
    int64_t sets = b->support_start[n];
    for (int64_t k = 0; k < b->first[sets]; k++)
        b->with_start[b->parent[k] + 1]++;
    for (int v = 0; v < n; v++)
        b->with_start[v + 1] += b->with_start[v];
    for (int64_t i = 0; i < sets; i++)
        for (int64_t k = b->first[i]; k < b->first[i + 1]; k++)
            b->with[b->with_start[b->parent[k]]++] = (int32_t)i;
    for (int v = n; v > 0; v--)
        b->with_start[v] = b->with_start[v - 1];
    b->with_start[0] = 0;
}

static int list_members(struct bestdag_violated *b)
{
    struct bestdag_run *run = b->r->run;
    size_t n = (size_t)b->r->n, sets = (size_t)b->support_start[n];
    b->child = bestdag_alloc(run, sets * sizeof *b->child);
    b->first = bestdag_alloc(run, (sets + 1) * sizeof *b->first);
    b->hits = bestdag_calloc(run, sets, sizeof *b->hits);
    b->with_start = bestdag_calloc(run, n + 1, sizeof *b->with_start);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    size_t members = (size_t)list_sets(b);
    b->parent = bestdag_alloc(run, members * sizeof *b->parent);
    b->with = bestdag_alloc(run, members * sizeof *b->with);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    list_sets(b);
    list_with(b);
    b->r->work += 4 * (int64_t)members;
    return BESTDAG_OK;
}

/* Adds the fraction of set i of the support to b->gain of its members. */
static int add_members(struct bestdag_violated *b, int64_t i, int near)
{
    for (int64_t k = b->first[i]; k < b->first[i + 1]; k++) {
        int32_t u = b->parent[k];
        if (b->gain[u] == 0)
            b->near[near++] = u;
        b->gain[u] += (double)b->support[i].value;
    }
    return near;
}

/* Sums in b->gain[u], for all u, the fractions of the sets of v that contain
 * u. */
static int add_up(struct bestdag_violated *b, int v)
{
    int near = 0;
    for (int64_t i = b->support_start[v]; i < b->support_start[v + 1]; i++)
        near = add_members(b, i, near);
    return near;
}

static int list_arcs(struct bestdag_violated *b)
{
    int64_t count = 0, room = 0;
    for (int v = 0; v < b->r->n; v++) {
        int near = add_up(b, v);
        b->arc_start[v] = count;
        if (count + near > room) {
            room = 2 * (count + near) + 64;
            struct bestdag_fractional_arc *more =
                bestdag_realloc(b->r->run, b->arc, (size_t)room * sizeof *more);
            if (!more)
                return bestdag_run_status(b->r->run);
            b->arc = more;
        }
        for (int i = 0; i < near; i++) {
            int u = b->near[i];
            double length = 1 - b->gain[u];
            b->arc[count++] = (struct bestdag_fractional_arc){
                u, length > 0 ? (float)length : 0.0F};
            b->gain[u] = 0;
        }
    }
    b->arc_start[b->r->n] = count;
    return BESTDAG_OK;
}

int bestdag_violated_init(struct bestdag_violated *b,
                          struct bestdag_relaxation *r, const double *fraction)
{
    struct bestdag_run *run = r->run;
    size_t n = (size_t)r->n, parts = 0;
    *b = (struct bestdag_violated){.r = r};
    for (int v = 0; v < r->n; v++)
        parts += (size_t)r->list[v].count;
    b->support_start = bestdag_alloc(run, (n + 1) * sizeof *b->support_start);
    b->arc_start = bestdag_alloc(run, (n + 1) * sizeof *b->arc_start);
    b->support = bestdag_alloc(run, parts * sizeof *b->support);
    b->distance = bestdag_alloc(run, n * sizeof *b->distance);
    b->gain = bestdag_calloc(run, n, sizeof *b->gain);
    b->is_inside = bestdag_calloc(run, n, sizeof *b->is_inside);
    int32_t **all[] = {&b->from,    &b->heap, &b->place,
                       &b->visited, &b->near, &b->cluster};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = bestdag_alloc(run, n * sizeof **all[i]);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    for (size_t v = 0; v < n; v++) {
        b->distance[v] = INFINITY;
        b->place[v] = -1;
    }
    list_support(b, fraction);
    return list_members(b) ? bestdag_run_status(run) : list_arcs(b);
}

void bestdag_violated_release(struct bestdag_violated *b)
{
    void *all[] = {b->support_start, b->arc_start, b->support,    b->arc,
                   b->distance,      b->from,      b->heap,       b->place,
                   b->visited,       b->gain,      b->near,       b->is_inside,
                   b->child,         b->first,     b->with_start, b->with,
                   b->parent,        b->hits,      b->cluster};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
}

/* ---- the cluster under construction -------------------------------------- */

/* Updates is_inside and hits when v joins or leaves; b->cluster stays. */
static void put(struct bestdag_violated *b, int v, bool is_inside)
{
    b->is_inside[v] = is_inside;
    for (int64_t k = b->with_start[v]; k < b->with_start[v + 1]; k++)
        b->hits[b->with[k]] += is_inside ? 1 : -1;
    b->r->work += b->with_start[v + 1] - b->with_start[v];
}

void bestdag_violated_add(struct bestdag_violated *b, int v)
{
    if (b->is_inside[v])
        return;
    put(b, v, true);
    b->cluster[b->size++] = v;
}

/* The sum of the fractions of v's sets that miss the cluster. */
static double missing(const struct bestdag_violated *b, int v)
{
    double sum = 0;
    for (int64_t i = b->support_start[v]; i < b->support_start[v + 1]; i++)
        if (!b->hits[i])
            sum += (double)b->support[i].value;
    b->r->work += b->support_start[v + 1] - b->support_start[v];
    return sum;
}

/* The left-hand side of its constraint. */
static double left_side(const struct bestdag_violated *b)
{
    double sum = 0;
    for (int i = 0; i < b->size; i++)
        sum += missing(b, b->cluster[i]);
    return sum;
}

/* Adds to b->gain how much each variable would lower v's term by joining. */
static int count_gains(struct bestdag_violated *b, int v, int near)
{
    for (int64_t i = b->support_start[v]; i < b->support_start[v + 1]; i++)
        if (!b->hits[i])
            near = add_members(b, i, near);
    b->r->work += b->support_start[v + 1] - b->support_start[v];
    return near;
}

/* The variable that lowers the sum most by joining, or -1. */
static int best_to_join(struct bestdag_violated *b)
{
    int near = 0, best = -1;
    double most = LEAST_GAIN;
    for (int i = 0; i < b->size; i++)
        near = count_gains(b, b->cluster[i], near);
    for (int i = 0; i < near; i++) {
        int u = b->near[i];
        double gain = b->gain[u];
        b->gain[u] = 0;
        if (gain <= most || (gain -= missing(b, u)) <= most)
            continue;
        most = gain;
        best = u;
    }
    b->r->work += 16 * near;
    return best;
}

/* By how much the sum increases if v leaves: the fractions of other members'
 * sets that meet the cluster only in v, less those of v's sets that miss it. */
static double increase_without(const struct bestdag_violated *b, int v)
{
    double sum = -missing(b, v);
    for (int64_t k = b->with_start[v]; k < b->with_start[v + 1]; k++) {
        int32_t i = b->with[k];
        if (b->hits[i] == 1 && b->is_inside[b->child[i]])
            sum += (double)b->support[i].value;
    }
    b->r->work += b->with_start[v + 1] - b->with_start[v];
    return sum;
}

/* Removes members whose removal does not increase the sum. */
static void drop_useless(struct bestdag_violated *b)
{
    for (int i = 0; i < b->size && b->size > 2;) {
        int32_t v = b->cluster[i];
        if (increase_without(b, v) > ROUNDING) {
            i++;
            continue;
        }
        put(b, v, false);
        b->cluster[i] = b->cluster[--b->size];
    }
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int put_into_pool(struct bestdag_violated *b)
{
    struct bestdag_shape shape = {
        .member = b->cluster, .size = b->size, .least = 1};
    qsort(b->cluster, (size_t)b->size, sizeof *b->cluster, ascending);
    return bestdag_relaxation_cluster(b->r, &shape);
}

int bestdag_violated_use(struct bestdag_violated *b)
{
    int number = 0;
    if (b->size > 1 && b->size <= LARGEST) {
        for (int u; b->size < LARGEST && (u = best_to_join(b)) >= 0;)
            bestdag_violated_add(b, u);
        drop_useless(b);
        if (left_side(b) < VIOLATED)
            number = put_into_pool(b);
    }
    while (b->size)
        put(b, b->cluster[--b->size], false);
    return number < 0 ? -1 : 0;
}
