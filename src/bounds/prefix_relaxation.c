/* SPDX-License-Identifier: MIT */
/* prefix_relaxation.c -- copies of a relaxation with some variables placed. */
#include "bounds/prefix_relaxation.h"

#include <assert.h>

#include "base/growing_array.h"
#include "base/row.h"
#include "bounds/dual_ascent.h"

struct bestdag_relaxation *bestdag_relaxation_copy(
    struct bestdag_relaxation *root)
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

static bool has_member(const struct bestdag_cluster *c, int v)
{
    for (int i = 0; i < c->size; i++)
        if (c->member[i] == v)
            return true;
    return false;
}

static bool meets(const struct bestdag_cluster *c, const bool *is_placed)
{
    for (int i = 0; i < c->size; i++)
        if (is_placed[c->member[i]])
            return true;
    return false;
}

static void forget(struct bestdag_pool *p)
{
    for (int i = p->borrowed; i < p->count; i++)
        bestdag_free(p->at[i]);
    p->count = p->borrowed;
    if (p->slots)
        bestdag_pool_index(p);
}

/* Multipliers, and what they amount to. */
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

/* Less than `spare` and kept; the least reduced cost, or -1: nothing is left.
 */
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
    struct bestdag_relaxation *r = bestdag_relaxation_copy(root);
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

/* Sets of a list that a later one is compared with; to leave a set in is no
 * mistake. */
enum { MOST_COMPARED = 64 };

/* Has one of the first sets no member outside the prefix that this one has not?
 * It costs no more. */
static bool is_dominated(const struct bestdag_reduced_list *s,
                         const uint64_t *mask, const uint64_t *placed)
{
    for (int i = 0; i < s->count && i < MOST_COMPARED; i++) {
        const uint64_t *other = bestdag_reduced_list_mask(s, i);
        uint64_t more = 0;
        for (int w = 0; w < s->words; w++)
            more |= other[w] & ~mask[w] & ~placed[w];
        if (!more)
            return true;
    }
    return false;
}

/* The sets of the root that differ by what is not placed. `placed` is
 * scratch. */
static void fit_list(struct bestdag_reduced_list *to,
                     const struct bestdag_reduced_list *from,
                     const bool *is_placed, uint64_t *placed)
{
    size_t words = (size_t)from->words;
    memset(placed, 0, words * sizeof *placed);
    for (int b = 0; b < from->universe; b++)
        if (is_placed[from->member[b]])
            bestdag_row_add(placed, b);
    to->count = 0;
    for (int set = 0; set < from->count; set++) {
        const uint64_t *mask = bestdag_reduced_list_mask(from, set);
        if (is_dominated(to, mask, placed))
            continue;
        memcpy(to->mask + (size_t)to->count * words, mask,
               words * sizeof *mask);
        to->cost[to->count] = from->cost[set];
        to->id[to->count++] = from->id[set];
    }
}

/* Places the set. A scratch gets shorter lists by that. */
static int place(struct bestdag_relaxation *r,
                 const struct bestdag_relaxation *root, const uint64_t *set)
{
    size_t words = 1;
    forget(&r->pool);
    for (int v = 0; v < r->n; v++) {
        r->is_placed[v] = bestdag_row_has(set, v);
        if ((size_t)root->list[v].words > words)
            words = (size_t)root->list[v].words;
    }
    if (!r->owns_lists)
        return BESTDAG_OK;
    uint64_t *placed = bestdag_alloc(r->run, words * sizeof *placed);
    for (int v = 0; placed && v < r->n; v++)
        if (!r->is_placed[v]) {
            fit_list(&r->list[v], &root->list[v], r->is_placed, placed);
            r->work += root->list[v].count;
        }
    bestdag_free(placed);
    return bestdag_run_status(r->run);
}

int bestdag_relaxation_place(struct bestdag_relaxation *relax,
                             const struct bestdag_relaxation *root,
                             const uint64_t *set)
{
    struct bestdag_pool *p = &relax->pool;
    if (place(relax, root, set))
        return bestdag_run_status(relax->run);
    for (int i = 0; i < p->count; i++)
        p->y[i] = meets(p->at[i], relax->is_placed) ? 0 : root->pool.y[i];
    bestdag_relaxation_set(relax, p->y);
    return bestdag_run_status(relax->run);
}

int bestdag_relaxation_resume(struct bestdag_relaxation *r,
                              const struct bestdag_relaxation *root,
                              const struct bestdag_saved_clusters *from,
                              const uint64_t *set)
{
    if (place(r, root, set))
        return bestdag_run_status(r->run);
    for (int i = 0; i < r->pool.count; i++)
        r->pool.y[i] = 0;
    return bestdag_saved_clusters_give(from, r);
}

static int borrow_clusters(struct bestdag_relaxation *r,
                           const struct bestdag_pool *from)
{
    struct bestdag_pool *p = &r->pool;
    for (int i = p->borrowed; i < p->count; i++)
        bestdag_free(p->at[i]);
    p->count = p->borrowed = 0;
    while (p->room < from->count)
        if (bestdag_pool_grow(r))
            return bestdag_run_status(r->run);
    if (from->count) {
        memcpy(p->at, from->at, (size_t)from->count * sizeof *p->at);
        memcpy(p->y, from->y, (size_t)from->count * sizeof *p->y);
        p->count = p->borrowed = from->count;
        bestdag_pool_index(p);
    }
    return BESTDAG_OK;
}

/* The same sets, borrowed. */
static void copy_list(struct bestdag_reduced_list *to,
                      const struct bestdag_reduced_list *from)
{
    int64_t *reduced = to->reduced;
    int32_t *tight = to->tight;
    *to = *from;
    to->reduced = reduced;
    to->tight = tight;
    memcpy(to->reduced, from->reduced,
           (size_t)from->count * sizeof *to->reduced);
    memcpy(to->tight, from->tight, (size_t)from->tights * sizeof *to->tight);
}

/* The clusters that have v pay no more. */
static void drop_clusters(struct bestdag_relaxation *r, int v)
{
    struct bestdag_pool *p = &r->pool;
    int32_t *is_touched = r->tight_order->seen;
    memset(is_touched, 0, (size_t)r->n * sizeof *is_touched);
    for (int i = 0; i < p->count; i++) {
        const struct bestdag_cluster *c = p->at[i];
        int64_t y = p->y[i];
        if (!y || !has_member(c, v))
            continue;
        bestdag_relaxation_pay(r, c, -y);
        r->bound -= c->least * y;
        p->y[i] = 0;
        for (int k = 0; k < c->size; k++)
            is_touched[c->member[k]] = 1;
    }
    for (int u = 0; u < r->n; u++)
        if (is_touched[u] && !r->is_placed[u]) {
            struct bestdag_reduced_list *s = &r->list[u];
            int64_t least = s->count ? INT64_MAX : 0;
            for (int set = 0; set < s->count; set++)
                least = s->reduced[set] < least ? s->reduced[set] : least;
            for (int set = 0; set < s->count && least; set++)
                s->reduced[set] -= least;
            bestdag_reduced_list_tighten(s);
            r->pi[u] += least;
            r->bound += least;
        }
}

int bestdag_relaxation_place_next(struct bestdag_relaxation *r,
                                  const struct bestdag_relaxation *from, int v)
{
    assert(!from->is_placed[v] && r != from);
    if (borrow_clusters(r, &from->pool))
        return bestdag_run_status(r->run);
    for (int u = 0; u < r->n; u++) {
        r->is_placed[u] = from->is_placed[u] || u == v;
        r->pi[u] = u == v ? 0 : from->pi[u];
        if (!from->is_placed[u]) /* v, too: clusters take back from its list */
            copy_list(&r->list[u], &from->list[u]);
    }
    r->bound = from->bound - from->pi[v];
    drop_clusters(r, v);
    return BESTDAG_OK;
}

/* ---- sharper ----------------------------------------------------------------
 */

/* Measured on soybean, whose prefixes they decide most; more or wider rounds
 * halve the nodes and double the time of each. */
enum {
    ROUNDS = 8, /* at most; 6: the same */
    STEPS = 20  /* of L-BFGS in each; 40: nodes x 0.9, time x 1.1 */
};
/* The width of the smoothing per variable, of the gap, in the first round. 0.5:
 * nodes x 1.4, time x 1.05. */
#define WIDTH 2.0
/* It decreases by this factor. 0.4: nodes x 1.2, the same time. */
#define NARROWER 0.6
/* A round goes on if all that are left, each gaining as much as the last, would
 * close this share of the gap. 0.25..1.5: the same. */
#define HOPE 0.5

/* The best multipliers so far. */
struct best {
    int64_t *y; /* owns; [room] */
    int count;
    int64_t room, bound;
};

static int keep(struct bestdag_relaxation *r, struct best *best)
{
    if (r->bound <= best->bound)
        return BESTDAG_OK;
    if (!BESTDAG_GROW(r->run, best->y, best->room, r->pool.count))
        return bestdag_run_status(r->run);
    if (r->pool.count)
        memcpy(best->y, r->pool.y, (size_t)r->pool.count * sizeof *best->y);
    best->count = r->pool.count;
    best->bound = r->bound;
    return BESTDAG_OK;
}

static int sharpen_once(struct bestdag_relaxation *r, double width, int left,
                        int64_t enough, double *fraction)
{
    static const struct bestdag_class_limits no_classes = {0};
    if (bestdag_smooth_dual(r, width, STEPS, fraction) ||
        bestdag_run_stopped(r->run) ||
        bestdag_separate(r, fraction, left, &no_classes) < 0)
        return bestdag_run_status(r->run);
    bestdag_dual_ascent(r, enough, NULL);
    return bestdag_run_status(r->run);
}

static int sharpen(struct bestdag_relaxation *r, int64_t enough,
                   struct best *best, double *fraction)
{
    double width = WIDTH;
    int left = 0;
    for (int v = 0; v < r->n; v++)
        left += !r->is_placed[v];
    for (int i = 0; i < ROUNDS && best->bound < enough; i++) {
        double before = (double)best->bound, gap = (double)enough - before;
        if (sharpen_once(r, width * gap / left, left, enough, fraction) ||
            keep(r, best) || bestdag_run_stopped(r->run))
            break;
        double gain = (double)best->bound - before;
        if (gain * (ROUNDS - 1 - i) < HOPE * (gap - gain))
            break;
        width *= NARROWER;
    }
    if (r->bound >= best->bound)
        return bestdag_run_status(r->run);
    for (int i = 0; i < r->pool.count; i++)
        r->pool.y[i] = i < best->count ? best->y[i] : 0;
    bestdag_relaxation_set(r, r->pool.y);
    return bestdag_run_status(r->run);
}

int bestdag_relaxation_sharpen(struct bestdag_relaxation *r, int64_t enough)
{
    size_t sets = 1;
    struct best best = {.bound = INT64_MIN};
    for (int v = 0; v < r->n; v++)
        sets += (size_t)r->list[v].count;
    double *fraction = bestdag_alloc(r->run, sets * sizeof *fraction);
    if (fraction && r->bound < enough && !keep(r, &best))
        sharpen(r, enough, &best, fraction);
    bestdag_free(best.y);
    bestdag_free(fraction);
    return bestdag_run_status(r->run);
}

/* ---- one more ---------------------------------------------------------------
 */

/* What a cluster paid a member, and pays no more. */
struct loss {
    struct bestdag_cluster_view seen;
    int64_t y;
    int32_t next;
};

struct bestdag_after {
    struct bestdag_run *run;
    int32_t *touched;         /* owns; [n]: those that lose something */
    int32_t *head;            /* owns; [n]: their losses; -1: none */
    int32_t *start, *cluster; /* own; clusters with a multiplier, by member */
    struct loss *loss;        /* owns; [room] */
    int64_t room;
};

struct bestdag_after *bestdag_after_new(const struct bestdag_relaxation *r)
{
    size_t n = (size_t)r->n;
    struct bestdag_after *a = bestdag_calloc(r->run, 1, sizeof *a);
    if (!a)
        return NULL;
    a->run = r->run;
    a->touched = bestdag_alloc(r->run, n * sizeof *a->touched);
    a->head = bestdag_alloc(r->run, n * sizeof *a->head);
    a->start = bestdag_alloc(r->run, (n + 2) * sizeof *a->start);
    for (size_t v = 0; a->head && v < n; v++)
        a->head[v] = -1;
    if (bestdag_run_status(r->run)) {
        bestdag_after_free(a);
        return NULL;
    }
    return a;
}

void bestdag_after_free(struct bestdag_after *a)
{
    if (!a)
        return;
    bestdag_free(a->touched);
    bestdag_free(a->head);
    bestdag_free(a->start);
    bestdag_free(a->cluster);
    bestdag_free(a->loss);
    bestdag_free(a);
}

static int make_room(struct bestdag_after *a, int64_t count)
{
    if (count <= a->room)
        return BESTDAG_OK;
    bestdag_free(a->cluster);
    bestdag_free(a->loss);
    a->room = 2 * count;
    a->cluster = bestdag_alloc(a->run, (size_t)a->room * sizeof *a->cluster);
    a->loss = bestdag_alloc(a->run, (size_t)a->room * sizeof *a->loss);
    if (!a->cluster || !a->loss)
        a->room = 0;
    return bestdag_run_status(a->run);
}

/* Clusters that pay, by member. */
static int index_clusters(const struct bestdag_relaxation *r,
                          struct bestdag_after *a)
{
    const struct bestdag_pool *p = &r->pool;
    int64_t count = 0;
    memset(a->start, 0, ((size_t)r->n + 2) * sizeof *a->start);
    for (int i = 0; i < p->count; i++)
        for (int k = 0; p->y[i] && k < p->at[i]->size; k++, count++)
            a->start[p->at[i]->member[k] + 2]++;
    if (make_room(a, count))
        return bestdag_run_status(a->run);
    for (int v = 0; v < r->n; v++)
        a->start[v + 2] += a->start[v + 1];
    for (int i = 0; i < p->count; i++)
        for (int k = 0; p->y[i] && k < p->at[i]->size; k++)
            a->cluster[a->start[p->at[i]->member[k] + 1]++] = i;
    return BESTDAG_OK;
}

/* Who loses what when cluster i is dropped. `losses` there were before. */
static int list_losses(const struct bestdag_relaxation *r,
                       struct bestdag_after *a, int i, int losses)
{
    for (struct bestdag_walk w = {0};
         bestdag_cluster_walk(r, r->pool.at[i], &w);) {
        a->loss[losses] = (struct loss){w.view, r->pool.y[i], a->head[w.v]};
        a->head[w.v] = losses++;
    }
    return losses;
}

/* What a set of u loses. */
static int64_t loss_of(const struct bestdag_after *a,
                       const struct bestdag_reduced_list *s, int u, int set)
{
    int64_t sum = 0;
    for (int32_t i = a->head[u]; i >= 0; i = a->loss[i].next)
        if (bestdag_cluster_view_missed(
                &a->loss[i].seen, bestdag_reduced_list_mask(s, set), s->words))
            sum += a->loss[i].y;
    return sum;
}

/* How much the least reduced cost of u rises by its losses: nothing, if a set
 * of reduced cost 0 loses nothing, and that is common. */
static int64_t rise_of(const struct bestdag_relaxation *r,
                       const struct bestdag_after *a, int u)
{
    const struct bestdag_reduced_list *s = &r->list[u];
    int64_t least = s->count ? INT64_MAX : 0;
    for (int i = 0; i < s->tights && least; i++) {
        int64_t now = loss_of(a, s, u, s->tight[i]);
        least = now < least ? now : least;
    }
    for (int set = 0; set < s->count && least; set++)
        if (s->reduced[set] && s->reduced[set] < least) {
            int64_t now = s->reduced[set] + loss_of(a, s, u, set);
            least = now < least ? now : least;
        }
    assert(least >= 0); /* to lose something never makes it cheaper */
    return least;
}

static int64_t bound_after(const struct bestdag_relaxation *r,
                           struct bestdag_after *a, int v)
{
    int64_t bound = r->bound - r->pi[v];
    int losses = 0, touched = 0;
    for (int32_t k = a->start[v]; k < a->start[v + 1]; k++) {
        int i = a->cluster[k], from = losses;
        bound -= r->pool.at[i]->least * r->pool.y[i];
        losses = list_losses(r, a, i, losses);
        for (int m = from; m < losses; m++)
            if (a->loss[m].next < 0)
                a->touched[touched++] = r->pool.at[i]->member[m - from];
    }
    for (int i = 0; i < touched; i++) {
        if (a->touched[i] != v)
            bound += rise_of(r, a, a->touched[i]);
        a->head[a->touched[i]] = -1;
    }
    return bound;
}

int bestdag_relaxation_after(const struct bestdag_relaxation *r,
                             struct bestdag_after *a, int64_t *to)
{
    if (index_clusters(r, a))
        return bestdag_run_status(r->run);
    for (int v = 0; v < r->n; v++)
        if (!r->is_placed[v])
            to[v] = bound_after(r, a, v);
    return BESTDAG_OK;
}
