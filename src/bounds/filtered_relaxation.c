/* SPDX-License-Identifier: MIT */
/* filtered_relaxation.c -- copies of a relaxation over fewer sets. */
#include "bounds/filtered_relaxation.h"

#include <assert.h>

#include "bounds/dual_ascent.h"

/* Shares lists and clusters with `root`. */
static struct bestdag_relaxation *copy(struct bestdag_relaxation *root)
{
    struct bestdag_relaxation *r = bestdag_relaxation_new(root->run, root->n);
    if (!r)
        return NULL;
    r->is_copy = true;
    for (int v = 0; v < r->n; v++) {
        struct bestdag_reduced_list *s = &r->list[v];
        *s = root->list[v];
        s->reduced =
            bestdag_alloc(r->run, (size_t)s->count * sizeof *s->reduced);
        s->tight = bestdag_alloc(r->run, (size_t)s->count * sizeof *s->tight);
    }
    r->tight_order = bestdag_tight_order_new(r);
    while (!bestdag_run_status(r->run) && r->pool.room < root->pool.count)
        bestdag_pool_grow(r);
    if (bestdag_run_status(r->run)) {
        bestdag_relaxation_free(r);
        return NULL;
    }
    if (root->pool.count)
        memcpy(r->pool.at, root->pool.at,
               (size_t)root->pool.count * sizeof *r->pool.at);
    r->pool.borrowed = r->pool.count = root->pool.count;
    return r;
}

static void forget(struct bestdag_pool *p)
{
    for (int i = p->borrowed; i < p->count; i++)
        bestdag_free(p->at[i]);
    p->count = p->borrowed;
    if (p->slots)
        bestdag_pool_index(p);
}

/* Copies the multipliers, pi and the bound. */
static void begin_at(struct bestdag_relaxation *r,
                     const struct bestdag_relaxation *root)
{
    struct bestdag_pool *p = &r->pool;
    forget(p);
    if (p->count)
        memcpy(p->y, root->pool.y, (size_t)p->count * sizeof *p->y);
    memcpy(r->pi, root->pi, (size_t)r->n * sizeof *r->pi);
    r->bound = root->bound;
    r->random = root->random;
}

/* Keeps the sets of reduced cost below `spare` that pass the filter; returns
 * the least reduced cost, or -1 if none is left. */
static int64_t filter_list(struct bestdag_reduced_list *to,
                           const struct bestdag_reduced_list *from, int v,
                           const struct bestdag_set_filter *filter,
                           int64_t spare)
{
    int64_t least = -1;
    int kept = 0;
    size_t words = (size_t)from->words;
    for (int set = 0; set < from->count; set++) {
        assert(from->reduced[set] >= 0);
        if (from->reduced[set] >= spare ||
            !filter->keeps(filter->job, v, from->id[set]))
            continue;
        memmove(to->mask + (size_t)kept * words,
                from->mask + (size_t)set * words, words * sizeof *to->mask);
        to->cost[kept] = from->cost[set];
        to->id[kept] = from->id[set];
        to->reduced[kept] = from->reduced[set];
        if (least < 0 || to->reduced[kept] < least)
            least = to->reduced[kept];
        kept++;
    }
    to->count = kept;
    return least;
}

bool bestdag_relaxation_filter(struct bestdag_relaxation *r,
                               const struct bestdag_relaxation *from,
                               const struct bestdag_set_filter *filter)
{
    if (from != r)
        begin_at(r, from);
    for (int v = 0; v < r->n; v++) {
        struct bestdag_reduced_list *s = &r->list[v];
        int64_t spare = filter->limit - r->bound;
        int64_t least = filter_list(s, &from->list[v], v, filter, spare);
        if (least < 0)
            return false;
        assert(s->count > 0 && s->count <= from->list[v].count);
        for (int set = 0; set < s->count && least; set++)
            s->reduced[set] -= least;
        bestdag_reduced_list_tighten(s);
        r->pi[v] += least;
        r->bound += least;
    }
    return r->bound < filter->limit;
}

struct bestdag_relaxation *bestdag_relaxation_scratch(
    struct bestdag_relaxation *root)
{
    struct bestdag_relaxation *r = copy(root);
    if (!r)
        return NULL;
    r->owns_lists = true;
    for (int v = 0; v < r->n; v++) {
        struct bestdag_reduced_list *s = &r->list[v];
        size_t count = (size_t)s->count;
        s->count = s->tights = 0;
        s->member =
            bestdag_alloc(r->run, (size_t)s->universe * sizeof *s->member);
        s->mask =
            bestdag_alloc(r->run, count * (size_t)s->words * sizeof *s->mask);
        s->cost = bestdag_alloc(r->run, (count + 1) * sizeof *s->cost);
        s->id = bestdag_alloc(r->run, count * sizeof *s->id);
        if (s->member && s->universe)
            memcpy(s->member, root->list[v].member,
                   (size_t)s->universe * sizeof *s->member);
    }
    if (!bestdag_run_status(r->run))
        return r;
    bestdag_relaxation_free(r);
    return NULL;
}
