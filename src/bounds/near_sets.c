/* SPDX-License-Identifier: MIT */
/* near_sets.c -- chooses the working set of the smooth bound. */
#include "bounds/near_sets.h"

#include <assert.h>

enum { SHARE_OF_LIMIT = 16 }; /* the table may take 1/16 of the memory limit */

/* ---- views --------------------------------------------------------------- */

static void list_views(struct bestdag_near_sets *s)
{
    const struct bestdag_relaxation *r = s->r;
    const struct bestdag_pool *p = &r->pool;
    for (int i = 0; i < p->count; i++) {
        s->base[i] = p->at[i]->least;
        for (int k = 0; k < p->at[i]->size; k++) {
            s->base[i] -= r->list[p->at[i]->member[k]].count > 0;
            s->view_start[p->at[i]->member[k] + 1]++;
        }
    }
    for (int v = 0; v < r->n; v++)
        s->view_start[v + 1] += s->view_start[v];
    for (int i = 0; i < p->count; i++)
        for (struct bestdag_walk w = {0};
             bestdag_cluster_walk(r, p->at[i], &w);)
            s->view[s->view_start[w.v]++] =
                (struct bestdag_near_view){i, w.view};
    for (int v = r->n; v > 0; v--)
        s->view_start[v] = s->view_start[v - 1];
    s->view_start[0] = 0;
}

int bestdag_near_sets_init(struct bestdag_near_sets *near,
                           struct bestdag_relaxation *r)
{
    const struct bestdag_pool *p = &r->pool;
    size_t views = 0, n = (size_t)r->n;
    int64_t limit = bestdag_memory_limit(r->run);
    *near = (struct bestdag_near_sets){.r = r, .most_hits = INT64_MAX};
    if (limit)
        near->most_hits = limit / SHARE_OF_LIMIT / (int64_t)sizeof *near->hit;
    for (int i = 0; i < p->count; i++)
        views += (size_t)p->at[i]->size;
    near->view_start = bestdag_calloc(r->run, n + 1, sizeof *near->view_start);
    near->view = bestdag_alloc(r->run, views * sizeof *near->view);
    near->base = bestdag_alloc(r->run, (size_t)p->count * sizeof *near->base);
    near->start = bestdag_calloc(r->run, n + 1, sizeof *near->start);
    near->last_start = bestdag_calloc(r->run, n + 1, sizeof *near->last_start);
    if (!bestdag_run_status(r->run))
        list_views(near);
    return bestdag_run_status(r->run);
}

void bestdag_near_sets_release(struct bestdag_near_sets *near)
{
    void *all[] = {near->view_start, near->view,       near->base,
                   near->start,      near->set,        near->last,
                   near->hit_start,  near->last_start, near->hit,
                   near->mask,       near->meets};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
}

/* ---- choosing sets ------------------------------------------------------- */

enum { STEPS_OF_FAR = 1024 };

/* The largest reduced cost of the nearest `most` sets, as a multiple of far /
 * STEPS_OF_FAR. */
static int64_t limit_of(const struct bestdag_reduced_list *s, int64_t far,
                        int most)
{
    int32_t count[STEPS_OF_FAR] = {0};
    int64_t step = far / STEPS_OF_FAR + 1, sum = 0;
    if (s->count <= most)
        return far;
    for (int set = 0; set < s->count; set++)
        if (s->reduced[set] <= far)
            count[s->reduced[set] / step]++;
    for (int i = 0; i < STEPS_OF_FAR; i++)
        if ((sum += count[i]) > most)
            return i ? i * step - 1 : step;
    return far;
}

static bool is_empty(const uint64_t *mask, int words)
{
    uint64_t any = 0;
    for (int w = 0; w < words; w++)
        any |= mask[w];
    return !any;
}

/* Appends the near sets of v; there must be room. */
static void choose(struct bestdag_near_sets *s, int v, int64_t far, int most)
{
    const struct bestdag_reduced_list *list = &s->r->list[v];
    int64_t limit = limit_of(list, far, most);
    int64_t k = s->last_start[v], end = s->last_start[v + 1], at = s->start[v];
    for (int set = 0; set < list->count; set++) {
        bool was = k < end && s->last[k] == set;
        k += was;
        if (list->reduced[set] <= (was ? far : limit) ||
            is_empty(bestdag_reduced_list_mask(list, set), list->words))
            s->set[at++] = set;
    }
    s->is_whole &= at - s->start[v] == list->count;
    s->start[v + 1] = at;
}

static int choose_all(struct bestdag_near_sets *s, int64_t far, int most)
{
    for (int v = 0; v < s->r->n; v++) {
        int64_t room = s->start[v] + s->r->list[v].count;
        if (room > s->room) {
            int32_t *more = bestdag_realloc(s->r->run, s->set,
                                            (size_t)(room * 2) * sizeof *more);
            if (!more)
                return bestdag_run_status(s->r->run);
            s->set = more;
            s->room = room * 2;
        }
        s->start[v + 1] = s->start[v];
        choose(s, v, far, most);
    }
    return BESTDAG_OK;
}

/* ---- clusters met -------------------------------------------------------- */

static int make_room(struct bestdag_run *run, void *at, size_t *room,
                     size_t words)
{
    uint64_t **to = at;
    if (words <= *room)
        return BESTDAG_OK;
    bestdag_free(*to);
    *room = 0;
    *to = bestdag_alloc(run, 2 * words * sizeof **to);
    if (*to)
        *room = 2 * words;
    return bestdag_run_status(run);
}

static void copy_masks(struct bestdag_near_sets *s, int v)
{
    const struct bestdag_reduced_list *list = &s->r->list[v];
    size_t words = (size_t)list->words;
    uint64_t *to = s->mask;
    for (int64_t i = s->start[v]; i < s->start[v + 1]; i++, to += words)
        memcpy(to, bestdag_reduced_list_mask(list, s->set[i]),
               words * sizeof *to);
}

/* The row of a view: the sets that meet the cluster. */
static void fill_row(const uint64_t *mask, int words, int count,
                     const struct bestdag_cluster_view *seen, uint64_t *row)
{
    for (int i = 0; i < count; i += 64, row++) {
        int end = count - i < 64 ? count - i : 64;
        uint64_t bits = 0;
        if (words == 1 && seen->least == 1)
            for (int b = 0; b < end; b++)
                bits |= (uint64_t) !!(mask[i + b] & *seen->inside) << b;
        else
            for (int b = 0; b < end; b++)
                bits |= (uint64_t)!bestdag_cluster_view_missed(
                            seen, mask + (int64_t)(i + b) * words, words)
                        << b;
        *row = bits;
    }
}

/* Adds to hit_start[i + 1] the number of clusters that set i of v meets. */
static int64_t count_hits(struct bestdag_near_sets *s, int v, int64_t row)
{
    int64_t views = s->view_start[v + 1] - s->view_start[v], sum = 0;
    int64_t *hits = s->hit_start + s->start[v] + 1;
    for (int64_t k = 0; k < views * row; k++) {
        int64_t from = k % row * 64;
        sum += __builtin_popcountll(s->meets[k]);
        for (uint64_t rest = s->meets[k]; rest; rest &= rest - 1)
            hits[from + __builtin_ctzll(rest)]++;
    }
    return sum;
}

static void list_hits(struct bestdag_near_sets *s, int v, int64_t row)
{
    int64_t views = s->view_start[v + 1] - s->view_start[v];
    int64_t *at = s->hit_start + s->start[v];
    for (int64_t k = 0; k < views; k++)
        for (int64_t w = 0; w < row; w++)
            for (uint64_t rest = s->meets[k * row + w]; rest; rest &= rest - 1)
                s->hit[at[w * 64 + __builtin_ctzll(rest)]++] =
                    s->view[s->view_start[v] + k].cluster;
}

/* Fills the table from hit_start[start[v]] on, which must be set. */
static int add_hits(struct bestdag_near_sets *s, int v)
{
    const struct bestdag_reduced_list *list = &s->r->list[v];
    int64_t first = s->start[v], end = s->start[v + 1];
    int64_t views = s->view_start[v + 1] - s->view_start[v];
    int64_t row = (end - first + 63) / 64, begun = s->hit_start[first];
    if (make_room(s->r->run, &s->mask, &s->masks,
                  (size_t)(end - first) * (size_t)list->words) ||
        make_room(s->r->run, &s->meets, &s->rows, (size_t)(views * row)))
        return bestdag_run_status(s->r->run);
    s->r->work += views * (end - first);
    copy_masks(s, v);
    for (int64_t k = 0; k < views; k++)
        fill_row(s->mask, list->words, (int)(end - first),
                 &s->view[s->view_start[v] + k].seen, s->meets + k * row);
    for (int64_t i = first; i < end; i++)
        s->hit_start[i + 1] = 0;
    int64_t hits = begun + count_hits(s, v, row);
    if (hits > s->hits) {
        int32_t *more = bestdag_realloc(
            s->r->run, s->hit, (size_t)(hits + hits / 2) * sizeof *more);
        if (!more)
            return bestdag_run_status(s->r->run);
        s->hit = more;
        s->hits = hits + hits / 2;
    }
    for (int64_t i = first; i < end; i++)
        s->hit_start[i + 1] += s->hit_start[i];
    list_hits(s, v, row); /* moves each start to the next one */
    for (int64_t i = end; i > first; i--)
        s->hit_start[i] = s->hit_start[i - 1];
    s->hit_start[first] = begun;
    assert(s->hit_start[end] == hits);
    return BESTDAG_OK;
}

/* The present choice becomes the last one, whose memory is reused. */
static void swap_buffers(struct bestdag_near_sets *s)
{
    int64_t *start = s->start, room = s->room;
    int32_t *set = s->set;
    s->start = s->last_start;
    s->set = s->last;
    s->room = s->last_room;
    s->last_start = start;
    s->last = set;
    s->last_room = room;
    s->start[0] = 0;
    s->is_whole = true;
}

/* Makes the table of the chosen sets; true: it is too large, and may_shrink. */
static bool is_too_large(struct bestdag_near_sets *s, bool may_shrink)
{
    struct bestdag_run *run = s->r->run;
    bestdag_free(s->hit_start);
    s->hit_start = bestdag_calloc(run, (size_t)s->start[s->r->n] + 1,
                                  sizeof *s->hit_start);
    for (int v = 0; v < s->r->n && !bestdag_run_status(run); v++) {
        if (may_shrink && s->hit_start[s->start[v]] > s->most_hits)
            return true;
        add_hits(s, v);
    }
    return false;
}

int bestdag_near_sets_choose(struct bestdag_near_sets *near, double far,
                             int most)
{
    struct bestdag_run *run = near->r->run;
    int64_t limit = far < 0x1p62 ? (int64_t)far : INT64_MAX / 2;
    swap_buffers(near);
    while (!choose_all(near, limit, most) && is_too_large(near, most > 1)) {
        most /= 2;
        near->is_whole = true;
        memset(near->last_start, 0,
               ((size_t)near->r->n + 1) * sizeof *near->last_start);
    }
    return bestdag_run_status(run);
}
