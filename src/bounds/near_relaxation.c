/* SPDX-License-Identifier: MIT */
/* near_relaxation.c -- a relaxation of the nearest sets of long lists. */
#include "bounds/near_relaxation.h"

#include <assert.h>

#include "bounds/long_lists.h"

/* times near_length: with fewer sets per list it is not worth while */
enum { MANY = 100 };

bool bestdag_near_relaxation_pays(const struct bestdag_relaxation *r)
{
    int64_t sets = 0, left = 0;
    for (int v = 0; v < r->n; v++) {
        int count = r->list[v].count;
        sets += count;
        left += count < r->near_length ? count : r->near_length;
    }
    return sets >= (int64_t)MANY * r->near_length && left < sets / 2;
}

/* The element of a[count] that would have index `rank` if it were sorted (Hoare
 * 1961); permutes a. */
static int64_t select_rank(int64_t *a, int count, int rank)
{
    int from = 0, to = count - 1;
    while (from < to) {
        int64_t pivot = a[from + (to - from) / 2];
        int i = from, k = to;
        while (i <= k) {
            while (a[i] < pivot)
                i++;
            while (a[k] > pivot)
                k--;
            if (i <= k) {
                int64_t other = a[i];
                a[i++] = a[k];
                a[k--] = other;
            }
        }
        if (rank <= k)
            to = k;
        else if (rank >= i)
            from = i;
        else
            break;
    }
    return a[rank];
}

/* The largest reduced cost of the sets taken. */
static int64_t limit_of(const struct bestdag_reduced_list *s, int part,
                        int least, int64_t *scratch)
{
    int most = s->count / part;
    most = most < least ? least : most;
    if (s->count <= most)
        return INT64_MAX;
    memcpy(scratch, s->reduced, (size_t)s->count * sizeof *scratch);
    return select_rank(scratch, s->count, most - 1);
}

static bool is_taken(const struct bestdag_reduced_list *s, int set,
                     int64_t limit)
{
    uint64_t any = 0;
    if (s->reduced[set] <= limit)
        return true;
    for (int w = 0; w < s->words; w++)
        any |= bestdag_reduced_list_mask(s, set)[w];
    return !any;
}

static int take(struct bestdag_run *run, const struct bestdag_reduced_list *s,
                int64_t limit, struct bestdag_reduced_list *to)
{
    size_t words = (size_t)s->words, count = 0, universe = (size_t)s->universe;
    for (int set = 0; set < s->count; set++)
        count += is_taken(s, set, limit);
    to->universe = s->universe;
    to->words = s->words;
    to->member = bestdag_alloc(run, universe * sizeof *to->member);
    to->mask = bestdag_alloc(run, count * words * sizeof *to->mask);
    to->cost = bestdag_alloc(run, count * sizeof *to->cost);
    to->reduced = bestdag_alloc(run, count * sizeof *to->reduced);
    to->tight = bestdag_alloc(run, count * sizeof *to->tight);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (universe)
        memcpy(to->member, s->member, universe * sizeof *to->member);
    for (int set = 0; set < s->count; set++) {
        if (!is_taken(s, set, limit))
            continue;
        memcpy(to->mask + (size_t)to->count * words,
               bestdag_reduced_list_mask(s, set), words * sizeof *to->mask);
        to->cost[to->count++] = s->cost[set];
    }
    assert((size_t)to->count == count);
    return BESTDAG_OK;
}

static int take_lists(struct bestdag_relaxation *near,
                      const struct bestdag_relaxation *r, int part)
{
    struct bestdag_run *run = r->run;
    size_t longest = 1;
    for (int v = 0; v < r->n; v++)
        if ((size_t)r->list[v].count > longest)
            longest = (size_t)r->list[v].count;
    int64_t *scratch = bestdag_alloc(run, longest * sizeof *scratch);
    for (int v = 0; scratch && v < r->n; v++) {
        near->work += 4 * (int64_t)r->list[v].count;
        if (take(run, &r->list[v],
                 limit_of(&r->list[v], part, r->near_length, scratch),
                 &near->list[v]))
            break;
    }
    bestdag_free(scratch);
    return bestdag_run_status(run);
}

/* Borrows the clusters, which fit, since the universes are the same. */
static int take_clusters(struct bestdag_relaxation *near,
                         const struct bestdag_relaxation *r)
{
    size_t count = (size_t)r->pool.count;
    while (near->pool.room < r->pool.count)
        if (bestdag_pool_grow(near))
            return bestdag_run_status(r->run);
    if (count) {
        memcpy(near->pool.at, r->pool.at, count * sizeof *near->pool.at);
        memcpy(near->pool.y, r->pool.y, count * sizeof *near->pool.y);
    }
    near->pool.borrowed = near->pool.count = r->pool.count;
    return BESTDAG_OK;
}

struct bestdag_relaxation *bestdag_near_relaxation_new(
    const struct bestdag_relaxation *r, int part)
{
    struct bestdag_relaxation *near = bestdag_relaxation_new(r->run, r->n);
    if (!near)
        return NULL;
    near->is_copy = r->is_copy;
    near->owns_lists = true;
    if (!take_lists(near, r, part) && !take_clusters(near, r))
        near->long_lists = bestdag_long_lists_new(near);
    if (bestdag_run_status(r->run)) {
        bestdag_relaxation_free(near);
        return NULL;
    }
    bestdag_relaxation_set(near, near->pool.y);
    return near;
}
