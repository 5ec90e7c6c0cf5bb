/* SPDX-License-Identifier: MIT */
/* prefix_search.c -- rounds of a few nodes each, bounded by all threads.
 *
 *     take the BATCH best nodes   each worker: bound one, sharply; generate its
 *                                 successors, and bound each by ascent alone,
 *                                 from the multipliers of the node
 *     in their order:             insert successors into the table, or drop
 *
 * A successor that stays open keeps its multipliers: it begins with them when
 * its turn comes. The result does not depend on the number of threads. */
#include "search/clusters/prefix_search.h"

#include <assert.h>

#include "base/row.h"
#include "bounds/prefix_relaxation.h"
#include "parallel/parallel.h"
#include "search/clusters/certificate_writer.h"
#include "search/clusters/prefix_open_list.h"

/* Nodes of a round, which threads share. */
enum { BATCH = 16 };

/* Bytes that the multipliers of open nodes may take, and the share of what all
 * nodes may. */
#define RECORD_BYTES ((int64_t)1 << 28)
enum { RECORD_SHARE = 4 };

/* One variable more. */
struct successor {
    int32_t v;
    int64_t cost, h;                       /* of placing it; after it */
    struct bestdag_saved_clusters *record; /* owns; NULL: pruned */
    /* for the certificate: what it has more than the node; without multipliers
     * if it was not bounded */
    struct bestdag_saved_clusters raised;
    bool is_bounded;
};

/* A node, bounded and expanded. */
struct expansion {
    int32_t node;
    int64_t h;
    int64_t work;           /* sets examined */
    bool is_done;           /* pruned by its bound: no successors */
    bool is_forced;         /* all successors are placed at once */
    int count;              /* of successors */
    int bounded;            /* among them */
    struct successor *next; /* owns; [n] */
    struct bestdag_saved_clusters *record;     /* owns; if is_forced */
    struct bestdag_saved_clusters multipliers; /* for the certificate */
};

struct worker {
    struct bestdag_relaxation *relax; /* owns; of the node, */
    struct bestdag_relaxation *more;  /* owns; and of a successor */
    struct bestdag_after *after;      /* owns */
    int64_t *to;                      /* owns; [n] */
    uint64_t *set;                    /* owns; scratch */
};

struct job {
    struct bestdag_prefix_search *f;
    int n, words, threads;
    uint64_t *wide;  /* owns; masks of all sets over the part */
    int64_t *offset; /* owns; [n]: where those of a variable begin */
    int64_t *least;  /* owns; [n]: least cost of each variable */
    int64_t sets;    /* of all variables */
    struct bestdag_prefix_open_list open;
    struct worker *worker; /* owns; [threads] */
    struct expansion look[BATCH];
    int looks;
    uint64_t *set, *way; /* own; scratch */
    int32_t *forced;     /* owns; [n]: likewise */
};

/* ---- placing ----------------------------------------------------------------
 */

/* The cheapest set of v inside `set`; -1: there is none. */
static int64_t best_cost(const struct job *j, int v, const uint64_t *set)
{
    const struct bestdag_reduced_list *s = &j->f->root->list[v];
    const uint64_t *wide = j->wide + j->offset[v];
    for (int i = 0; i < s->count; i++, wide += j->words) {
        uint64_t outside = 0;
        for (int w = 0; w < j->words; w++)
            outside |= wide[w] & ~set[w];
        if (!outside)
            return s->cost[i];
    }
    return -1;
}

/* The first variable outside `set` that can do no better later; -1: none. */
static int find_forced(const struct job *j, const uint64_t *set)
{
    for (int v = 0; v < j->n; v++)
        if (!bestdag_row_has(set, v) && best_cost(j, v, set) == j->least[v])
            return v;
    return -1;
}

/* Places all such variables; their cost. `certificate` (or NULL) records them.
 */
static int64_t force(const struct job *j, uint64_t *set,
                     struct bestdag_certificate *certificate)
{
    int64_t cost = 0;
    for (int32_t v; (v = find_forced(j, set)) >= 0;) {
        bestdag_certificate_forced(certificate, set, &v, 1);
        bestdag_row_add(set, v);
        assert(j->least[v] >= 0);
        cost += j->least[v];
    }
    return cost;
}

/* ---- a node, on a worker ----------------------------------------------------
 */

/* Do all sets of v that are cheaper than its best available one have a reduced
 * cost that closes the gap? Then v can be placed now. */
static bool is_forced(const struct job *j, const struct bestdag_relaxation *r,
                      int v, const uint64_t *set, int64_t spare)
{
    const struct bestdag_reduced_list *s = &r->list[v];
    int64_t cost = best_cost(j, v, set);
    if (cost < 0)
        return false;
    for (int i = 0; i < s->count && s->cost[i] < cost; i++)
        if (s->reduced[i] < spare)
            return false;
    return true;
}

static void list_forced(const struct job *j, const struct bestdag_relaxation *r,
                        struct expansion *l, const uint64_t *set)
{
    int64_t spare = j->f->upper - j->open.node[l->node].g - r->bound;
    for (int v = 0; v < j->n; v++)
        if (!r->is_placed[v] && is_forced(j, r, v, set, spare)) {
            struct successor *s = &l->next[l->count++];
            s->v = v;
            s->cost = best_cost(j, v, set);
        }
    l->is_forced = l->count > 0;
}

/* The node that v leads to, at cost g, with all that is forced then, if it is
 * known: is nothing gained by this way to it? Else h may rise. */
static bool is_known(const struct job *j, const struct worker *w,
                     const uint64_t *set, int64_t g, struct successor *s)
{
    memcpy(w->set, set, (size_t)j->words * sizeof *set);
    bestdag_row_add(w->set, s->v);
    int64_t forced = force(j, w->set, NULL);
    int32_t at = bestdag_prefix_open_list_find(&j->open, w->set);
    if (at < 0)
        return false;
    const struct bestdag_prefix_node *node = &j->open.node[at];
    if (node->h + forced > s->h)
        s->h = node->h + forced;
    return node->g <= g + s->cost + forced;
}

/* By ascent from the multipliers of the node. */
static int bound_next(const struct job *j, const struct worker *w,
                      struct expansion *l, struct successor *s)
{
    struct bestdag_run *run = j->f->run;
    int64_t room = j->f->upper - j->open.node[l->node].g - s->cost;
    w->more->random = bestdag_random_init(
        run->seed, ((uint64_t)l->node + 1) * (uint64_t)j->n + (uint64_t)s->v);
    if (bestdag_relaxation_place_next(w->more, w->relax, s->v))
        return bestdag_run_status(run);
    bestdag_dual_ascent(w->more, room, NULL);
    s->h = w->more->bound > s->h ? w->more->bound : s->h;
    s->is_bounded = true;
    l->bounded++;
    if (j->f->certificate &&
        bestdag_saved_clusters_take_raised(&s->raised, w->more, w->relax))
        return bestdag_run_status(run);
    if (s->h < room)
        s->record = bestdag_saved_clusters_new(w->more);
    return bestdag_run_status(run);
}

static int list_next(struct job *j, const struct worker *w, struct expansion *l,
                     const uint64_t *set)
{
    int64_t g = j->open.node[l->node].g, upper = j->f->upper;
    if (bestdag_relaxation_after(w->relax, w->after, w->to))
        return bestdag_run_status(j->f->run);
    for (int v = 0; v < j->n && !bestdag_run_stopped(j->f->run); v++) {
        struct successor *s = &l->next[l->count];
        s->v = v;
        s->cost = bestdag_row_has(set, v) ? -1 : best_cost(j, v, set);
        if (s->cost < 0)
            continue;
        s->h = l->h - s->cost > w->to[v] ? l->h - s->cost : w->to[v];
        if (g + s->cost + s->h >= upper)
            continue;
        l->count++;
        if (!is_known(j, w, set, g, s) && g + s->cost + s->h < upper &&
            bound_next(j, w, l, s))
            return bestdag_run_status(j->f->run);
    }
    return BESTDAG_OK;
}

/* From the multipliers that the node has, or those of the root. */
static int begin_node(const struct job *j, const struct worker *w,
                      const struct bestdag_prefix_node *node,
                      const uint64_t *set, int64_t room)
{
    if (node->record
            ? bestdag_relaxation_resume(w->relax, j->f->root, node->record, set)
            : bestdag_relaxation_place(w->relax, j->f->root, set))
        return bestdag_run_status(j->f->run);
    bestdag_dual_ascent(w->relax, room, NULL);
    return bestdag_relaxation_sharpen(w->relax, room);
}

static void clear_expansion(const struct job *j, struct expansion *l)
{
    l->count = l->bounded = 0;
    l->is_forced = false;
    for (int i = 0; i < j->n; i++) {
        bestdag_saved_clusters_release(&l->next[i].raised);
        bestdag_saved_clusters_free(l->next[i].record);
        l->next[i] = (struct successor){0};
    }
    bestdag_saved_clusters_free(l->record);
    l->record = NULL;
}

static int look_at(void *job, int64_t item, int worker)
{
    struct job *j = job;
    struct worker *w = &j->worker[worker];
    struct expansion *l = &j->look[item];
    const struct bestdag_prefix_node *node = &j->open.node[l->node];
    const uint64_t *set = bestdag_prefix_open_list_set(&j->open, l->node);
    int64_t room = j->f->upper - node->g;
    clear_expansion(j, l);
    w->relax->work = w->more->work = 0;
    w->relax->random =
        bestdag_random_init(j->f->run->seed, (uint64_t)l->node + 1);
    if (begin_node(j, w, node, set, room))
        return bestdag_run_status(j->f->run);
    l->h = w->relax->bound > node->h ? w->relax->bound : node->h;
    l->is_done = l->h >= room;
    if (j->f->certificate &&
        bestdag_saved_clusters_take(&l->multipliers, w->relax))
        return bestdag_run_status(j->f->run);
    if (!l->is_done)
        list_forced(j, w->relax, l, set);
    if (l->is_forced)
        l->record = bestdag_saved_clusters_new(w->relax);
    else if (!l->is_done)
        list_next(j, w, l, set);
    l->work = w->relax->work + w->more->work + 2 * j->sets;
    return bestdag_run_status(j->f->run);
}

/* ---- the table, on the calling thread ---------------------------------------
 */

/* Appends variables to the order, and all that they force. */
static int append(struct job *j, const int32_t *next, int length, int placed)
{
    int *order = j->f->order;
    for (int i = 0; i < length; i++) {
        assert(placed < j->n && !bestdag_row_has(j->way, next[i]));
        order[placed++] = next[i];
        bestdag_row_add(j->way, next[i]);
    }
    for (int v; (v = find_forced(j, j->way)) >= 0;) {
        order[placed++] = v;
        bestdag_row_add(j->way, v);
    }
    assert(placed <= j->n);
    return placed;
}

/* Fills f->order: the path to `node`, then next[length], then what they
 * force. */
static void trace(struct job *j, int32_t node, const int32_t *next, int length)
{
    int placed = 0, depth = 0;
    int32_t *chain =
        bestdag_alloc(j->f->run, ((size_t)j->n + 1) * sizeof *chain);
    memset(j->way, 0, (size_t)j->words * sizeof *j->way);
    for (int32_t i = node; chain && i >= 0; i = j->open.node[i].from)
        chain[depth++] = i;
    while (chain && depth--) {
        const struct bestdag_prefix_node *at = &j->open.node[chain[depth]];
        placed = append(j, j->open.way + at->way, at->length, placed);
    }
    if (chain)
        append(j, next, length, placed);
    bestdag_free(chain);
}

/* The set of a node and next[length] in j->set. */
static void make_set(struct job *j, int32_t from, const int32_t *next,
                     int length)
{
    memcpy(j->set, bestdag_prefix_open_list_set(&j->open, from),
           (size_t)j->words * sizeof *j->set);
    for (int i = 0; i < length; i++)
        bestdag_row_add(j->set, next[i]);
}

/* From a node on to the set with next[length] in it, at this cost. */
static int put_next(struct job *j, int32_t from, struct bestdag_prefix_node to,
                    const int32_t *next)
{
    make_set(j, from, next, to.length);
    int64_t forced = force(j, j->set, NULL);
    to.g += forced;
    to.h = to.h > forced ? to.h - forced : 0;
    to.from = from;
    if (j->f->certificate) {
        make_set(j, from, next, to.length);
        force(j, j->set, j->f->certificate);
    }
    if (bestdag_row_count(j->set, (size_t)j->words) < j->n)
        return bestdag_prefix_open_list_put(&j->open, j->set, to, next);
    bestdag_saved_clusters_free(to.record);
    if (to.g >= j->f->upper)
        return BESTDAG_OK;
    j->f->upper = to.g;
    j->f->is_better = true;
    trace(j, from, next, to.length);
    return bestdag_run_status(j->f->run);
}

/* Places all variables that reduced costs force. */
static int put_forced(struct job *j, struct expansion *l)
{
    struct bestdag_prefix_node to = {
        .g = j->open.node[l->node].g, .length = l->count, .record = l->record};
    for (int k = 0; k < l->count; k++) {
        j->forced[k] = l->next[k].v;
        to.g += l->next[k].cost;
    }
    bestdag_certificate_forced(j->f->certificate,
                               bestdag_prefix_open_list_set(&j->open, l->node),
                               j->forced, l->count);
    l->record = NULL;
    to.h = l->h + j->open.node[l->node].g - to.g;
    to.h = to.h > 0 ? to.h : 0;
    return put_next(j, l->node, to, j->forced);
}

static int put_each(struct job *j, struct expansion *l)
{
    for (int k = 0; k < l->count; k++) {
        struct successor *s = &l->next[k];
        struct bestdag_prefix_node to = {.g = j->open.node[l->node].g + s->cost,
                                         .h = s->h,
                                         .length = 1,
                                         .record = s->record};
        s->record = NULL;
        if (s->is_bounded)
            bestdag_certificate_bound_next(
                j->f->certificate,
                bestdag_prefix_open_list_set(&j->open, l->node), s->v,
                &s->raised);
        if (put_next(j, l->node, to, &s->v))
            break;
    }
    return bestdag_run_status(j->f->run);
}

/* A cheaper path to a node was found in the round that expanded it, so dropped
 * successors may be needed: it stays open, with the bound that was found. */
static int take_later(struct job *j, const struct expansion *l)
{
    struct bestdag_prefix_node to = j->open.node[l->node];
    to.h = l->h;
    to.record = NULL;
    make_set(j, l->node, NULL, 0);
    return bestdag_prefix_open_list_put(&j->open, j->set, to, NULL);
}

static int take(struct job *j, struct expansion *l)
{
    struct bestdag_prefix_node *node = &j->open.node[l->node];
    j->f->looked += 1 + l->bounded;
    j->f->work += l->work;
    bestdag_certificate_bound(j->f->certificate,
                              bestdag_prefix_open_list_set(&j->open, l->node),
                              &l->multipliers);
    if (node->is_open)
        return take_later(j, l);
    node->h = l->h;
    bestdag_prefix_open_list_forget(&j->open, l->node);
    if (l->is_done)
        return BESTDAG_OK;
    j->f->expanded++;
    if (l->is_forced)
        return put_forced(j, l);
    bestdag_certificate_expanded(
        j->f->certificate, bestdag_prefix_open_list_set(&j->open, l->node));
    return put_each(j, l);
}

/* ---- rounds -----------------------------------------------------------------
 */

static int64_t bound_now(struct job *j)
{
    int64_t least = bestdag_prefix_open_list_least(&j->open);
    return least < j->f->upper ? least : j->f->upper;
}

static int search_round(struct job *j)
{
    for (j->looks = 0; j->looks < BATCH; j->looks++) {
        if (bestdag_prefix_open_list_least(&j->open) >= j->f->upper)
            break;
        j->look[j->looks].node = bestdag_prefix_open_list_take(&j->open);
    }
    struct bestdag_work work = {.job = j, .items = j->looks, .work = look_at};
    int64_t done = 0;
    if (bestdag_parallel(j->f->run, &work, &done))
        return bestdag_run_status(j->f->run);
    for (int i = 0; i < j->looks && !bestdag_run_stopped(j->f->run); i++)
        if (take(j, &j->look[i]))
            break;
    return bestdag_run_status(j->f->run);
}

static bool is_over(struct job *j)
{
    struct bestdag_prefix_search *f = j->f;
    if (f->on_round)
        f->on_round(f->job, f);
    if (j->open.is_full || (f->most_nodes && f->expanded >= f->most_nodes) ||
        (f->most_work && f->work >= f->most_work))
        f->is_limited = true;
    return f->is_limited || f->bound >= f->upper ||
           bestdag_run_watch(f->run, f->expanded);
}

static int search(struct job *j)
{
    struct bestdag_prefix_search *f = j->f;
    memset(j->set, 0, (size_t)j->words * sizeof *j->set);
    struct bestdag_prefix_node first = {.from = -1};
    first.g = force(j, j->set, f->certificate);
    if (bestdag_row_count(j->set, (size_t)j->words) == j->n) {
        f->is_better = first.g < f->upper;
        f->upper = f->bound = f->is_better ? first.g : f->upper;
        if (f->is_better)
            trace(j, -1, NULL, 0);
        return bestdag_run_status(f->run);
    }
    first.h = f->root->bound - first.g;
    if (bestdag_prefix_open_list_put(&j->open, j->set, first, NULL))
        return bestdag_run_status(f->run);
    f->bound = f->root->bound;
    while (!is_over(j)) {
        if (search_round(j))
            return bestdag_run_status(f->run);
        if (j->open.is_full || bestdag_run_stopped(f->run))
            continue; /* the bounds of dropped nodes still count */
        int64_t bound = bound_now(j);
        f->bound = bound > f->bound ? bound : f->bound;
        if (f->report)
            f->report(f->job, f->upper, f->bound);
    }
    return bestdag_run_status(f->run);
}

/* ---- memory -----------------------------------------------------------------
 */

static int widen(struct job *j)
{
    const struct bestdag_relaxation *r = j->f->root;
    int64_t at = 0;
    for (int v = 0; v < j->n; v++) {
        j->offset[v] = at;
        at += (int64_t)r->list[v].count * j->words;
        j->sets += r->list[v].count;
    }
    j->wide = bestdag_calloc(j->f->run, (size_t)at, sizeof *j->wide);
    for (int v = 0; j->wide && v < j->n; v++) {
        const struct bestdag_reduced_list *s = &r->list[v];
        j->least[v] = s->count ? s->cost[0] : -2;
        for (int i = 0; i < s->count; i++)
            for (int b = 0; b < s->universe; b++)
                if (bestdag_row_has(bestdag_reduced_list_mask(s, i), b))
                    bestdag_row_add(j->wide + j->offset[v] +
                                        (int64_t)i * j->words,
                                    s->member[b]);
    }
    return bestdag_run_status(j->f->run);
}

static int prepare(struct job *j)
{
    struct bestdag_run *run = j->f->run;
    size_t n = (size_t)j->n;
    j->words = (j->n + 63) / 64;
    j->open = (struct bestdag_prefix_open_list){
        .run = run, .words = j->words, .bytes = j->f->bytes};
    j->open.most_record_bytes = j->f->bytes / RECORD_SHARE;
    if (j->open.most_record_bytes > RECORD_BYTES)
        j->open.most_record_bytes = RECORD_BYTES;
    j->threads = bestdag_parallel_threads(run, BATCH);
    j->offset = bestdag_alloc(run, n * sizeof *j->offset);
    j->least = bestdag_alloc(run, n * sizeof *j->least);
    j->set = bestdag_alloc(run, (size_t)j->words * sizeof *j->set);
    j->way = bestdag_alloc(run, (size_t)j->words * sizeof *j->way);
    j->forced = bestdag_alloc(run, n * sizeof *j->forced);
    j->worker = bestdag_calloc(run, (size_t)j->threads, sizeof *j->worker);
    for (int i = 0; j->worker && i < j->threads; i++) {
        struct worker *w = &j->worker[i];
        w->relax = bestdag_relaxation_scratch(j->f->root);
        w->more = bestdag_relaxation_copy(j->f->root);
        w->after = w->relax ? bestdag_after_new(w->relax) : NULL;
        w->set = bestdag_alloc(run, (size_t)j->words * sizeof *w->set);
        w->to = bestdag_alloc(run, n * sizeof *w->to);
    }
    for (int i = 0; i < BATCH; i++)
        j->look[i].next = bestdag_calloc(run, n, sizeof *j->look[i].next);
    return bestdag_run_status(run) ? bestdag_run_status(run) : widen(j);
}

static void release(struct job *j)
{
    for (int i = 0; j->worker && i < j->threads; i++) {
        bestdag_relaxation_free(j->worker[i].more); /* may borrow clusters */
        bestdag_relaxation_free(j->worker[i].relax);
        bestdag_free(j->worker[i].set);
        bestdag_after_free(j->worker[i].after);
        bestdag_free(j->worker[i].to);
    }
    for (int i = 0; i < BATCH; i++) {
        if (j->look[i].next)
            clear_expansion(j, &j->look[i]);
        bestdag_free(j->look[i].next);
        bestdag_saved_clusters_release(&j->look[i].multipliers);
    }
    bestdag_prefix_open_list_release(&j->open);
    bestdag_free(j->wide);
    bestdag_free(j->offset);
    bestdag_free(j->least);
    bestdag_free(j->worker);
    bestdag_free(j->set);
    bestdag_free(j->way);
    bestdag_free(j->forced);
}

int bestdag_prefix_search_run(struct bestdag_prefix_search *f)
{
    struct job j = {.f = f, .n = f->root->n};
    if (!prepare(&j))
        search(&j);
    release(&j);
    return bestdag_run_status(f->run);
}
