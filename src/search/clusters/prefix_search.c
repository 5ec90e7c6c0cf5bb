/* SPDX-License-Identifier: MIT */
/* prefix_search.c -- rounds of a few nodes each, bounded by all threads.
 *
 *     take the BATCH best nodes   each worker: bound one, generate successors
 *     in their order:             insert successors into the table, or drop
 *
 * The result does not depend on the number of threads. */
#include "search/clusters/prefix_search.h"

#include <assert.h>

#include "base/row.h"
#include "bounds/prefix_relaxation.h"
#include "parallel/parallel.h"
#include "search/clusters/certificate_writer.h"
#include "search/clusters/prefix_open_list.h"

/* Nodes of a round, which threads share. 64: nodes x 0.67..1, 256: x 1..1.45,
 * on water1000, hailfinder, 300 variables
 * (bench/log/2026-11-17-sensitivity.csv). */
enum { BATCH = 128 };

/* A node, bounded and expanded. */
struct expansion {
    int32_t node;
    int64_t h;
    int64_t work;               /* sets examined */
    bool is_done;               /* pruned by its bound: no successors */
    bool is_forced;             /* all successors are placed at once */
    int count;                  /* of successors */
    int32_t *next;              /* owns; [n] */
    int64_t *cost;              /* owns; [n]: of placing it */
    int64_t *h2;                /* owns; [n]: h of the successor */
    struct bestdag_duals duals; /* for the certificate */
};

struct worker {
    struct bestdag_relaxation *relax; /* owns */
    struct bestdag_after *after;      /* owns */
    int64_t *to;                      /* owns; [n] */
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
    const struct bestdag_reduced_list *s = &j->f->root->list[v];
    int64_t cost = best_cost(j, v, set);
    if (cost < 0)
        return false;
    for (int i = 0; i < s->count && s->cost[i] < cost; i++)
        if (r->list[v].reduced[i] < spare)
            return false;
    return true;
}

static void list_forced(const struct job *j, const struct bestdag_relaxation *r,
                        struct expansion *l, const uint64_t *set)
{
    int64_t spare = j->f->upper - j->open.node[l->node].g - r->bound;
    for (int v = 0; v < j->n; v++)
        if (!r->is_placed[v] && is_forced(j, r, v, set, spare)) {
            l->next[l->count] = v;
            l->cost[l->count++] = best_cost(j, v, set);
        }
    l->is_forced = l->count > 0;
}

static int list_next(struct job *j, const struct worker *w, struct expansion *l,
                     const uint64_t *set)
{
    const struct bestdag_prefix_node *node = &j->open.node[l->node];
    if (bestdag_relaxation_after(w->relax, w->after, w->to))
        return bestdag_run_status(j->f->run);
    for (int v = 0; v < j->n; v++) {
        int64_t cost = bestdag_row_has(set, v) ? -1 : best_cost(j, v, set);
        if (cost < 0)
            continue;
        int64_t h = l->h - cost > w->to[v] ? l->h - cost : w->to[v];
        if (node->g + cost + h >= j->f->upper)
            continue;
        l->next[l->count] = v;
        l->cost[l->count] = cost;
        l->h2[l->count++] = h;
    }
    return BESTDAG_OK;
}

static int look_at(void *job, int64_t item, int worker)
{
    struct job *j = job;
    struct worker *w = &j->worker[worker];
    struct expansion *l = &j->look[item];
    const struct bestdag_prefix_node *node = &j->open.node[l->node];
    const uint64_t *set = bestdag_prefix_open_list_set(&j->open, l->node);
    int64_t room = j->f->upper - node->g, before = w->relax->work;
    w->relax->random =
        bestdag_random_init(j->f->run->seed, (uint64_t)l->node + 1);
    if (bestdag_relaxation_place(w->relax, j->f->root, set))
        return bestdag_run_status(j->f->run);
    bestdag_dual_ascent(w->relax, room, NULL);
    l->h = w->relax->bound > node->h ? w->relax->bound : node->h;
    l->count = 0;
    l->is_done = l->h >= room;
    if (j->f->certificate && bestdag_duals_copy(j->f->run, &l->duals, w->relax))
        return bestdag_run_status(j->f->run);
    l->is_forced = false;
    l->work = w->relax->work - before + 2 * j->sets;
    if (!l->is_done)
        list_forced(j, w->relax, l, set);
    return l->is_done || l->is_forced ? BESTDAG_OK : list_next(j, w, l, set);
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
    if (to.g + to.h >= j->f->upper)
        return BESTDAG_OK;
    if (j->f->certificate) {
        make_set(j, from, next, to.length);
        force(j, j->set, j->f->certificate);
    }
    if (bestdag_row_count(j->set, (size_t)j->words) < j->n)
        return bestdag_prefix_open_list_put(&j->open, j->set, to, next);
    j->f->upper = to.g;
    j->f->is_better = true;
    trace(j, from, next, to.length);
    return bestdag_run_status(j->f->run);
}

/* Places all variables that reduced costs force. */
static int put_forced(struct job *j, const struct expansion *l)
{
    bestdag_certificate_forced(j->f->certificate,
                               bestdag_prefix_open_list_set(&j->open, l->node),
                               l->next, l->count);
    struct bestdag_prefix_node to = {.g = j->open.node[l->node].g,
                                     .length = l->count};
    for (int k = 0; k < l->count; k++)
        to.g += l->cost[k];
    to.h = l->h + j->open.node[l->node].g - to.g;
    to.h = to.h > 0 ? to.h : 0;
    return put_next(j, l->node, to, l->next);
}

static int put_each(struct job *j, const struct expansion *l)
{
    for (int k = 0; k < l->count; k++) {
        struct bestdag_prefix_node to = {.g = j->open.node[l->node].g +
                                              l->cost[k],
                                         .h = l->h2[k],
                                         .length = 1};
        if (put_next(j, l->node, to, &l->next[k]))
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
    make_set(j, l->node, NULL, 0);
    return bestdag_prefix_open_list_put(&j->open, j->set, to, NULL);
}

static int take(struct job *j, const struct expansion *l)
{
    struct bestdag_prefix_node *node = &j->open.node[l->node];
    j->f->looked++;
    j->f->work += l->work;
    bestdag_certificate_bound(j->f->certificate,
                              bestdag_prefix_open_list_set(&j->open, l->node),
                              &l->duals);
    if (node->is_open)
        return take_later(j, l);
    node->h = l->h;
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
    j->threads = bestdag_parallel_threads(run, BATCH);
    j->offset = bestdag_alloc(run, n * sizeof *j->offset);
    j->least = bestdag_alloc(run, n * sizeof *j->least);
    j->set = bestdag_alloc(run, (size_t)j->words * sizeof *j->set);
    j->way = bestdag_alloc(run, (size_t)j->words * sizeof *j->way);
    j->worker = bestdag_calloc(run, (size_t)j->threads, sizeof *j->worker);
    for (int i = 0; j->worker && i < j->threads; i++) {
        struct worker *w = &j->worker[i];
        w->relax = bestdag_relaxation_copy(j->f->root);
        w->after = w->relax ? bestdag_after_new(w->relax) : NULL;
        w->to = bestdag_alloc(run, n * sizeof *w->to);
    }
    for (int i = 0; i < BATCH; i++) {
        j->look[i].next = bestdag_alloc(run, n * sizeof *j->look[i].next);
        j->look[i].cost = bestdag_alloc(run, n * sizeof *j->look[i].cost);
        j->look[i].h2 = bestdag_alloc(run, n * sizeof *j->look[i].h2);
    }
    return bestdag_run_status(run) ? bestdag_run_status(run) : widen(j);
}

static void release(struct job *j)
{
    for (int i = 0; j->worker && i < j->threads; i++) {
        bestdag_relaxation_free(j->worker[i].relax);
        bestdag_after_free(j->worker[i].after);
        bestdag_free(j->worker[i].to);
    }
    for (int i = 0; i < BATCH; i++) {
        bestdag_free(j->look[i].next);
        bestdag_free(j->look[i].cost);
        bestdag_free(j->look[i].h2);
        bestdag_duals_release(&j->look[i].duals);
    }
    bestdag_prefix_open_list_release(&j->open);
    bestdag_free(j->wide);
    bestdag_free(j->offset);
    bestdag_free(j->least);
    bestdag_free(j->worker);
    bestdag_free(j->set);
    bestdag_free(j->way);
}

int bestdag_prefix_search_run(struct bestdag_prefix_search *f)
{
    struct job j = {.f = f, .n = f->root->n};
    if (!prepare(&j))
        search(&j);
    release(&j);
    return bestdag_run_status(f->run);
}
