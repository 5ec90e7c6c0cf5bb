/* SPDX-License-Identifier: MIT */
/* arc_gains.c -- the gain of every change of one arc.
 *
 * A row has n families, two counts each. Threads take stretches of rows and
 * write to disjoint parts, so results do not depend on their number. */
#include "search/direct/arc_gains.h"

#include <assert.h>
#include <string.h>

#include "parallel/parallel.h"

enum {
    CACHE_BYTES = 64 << 20,  /* of cached rows */
    LEAST_STRETCH = 8,       /* families: one cache line of a row */
    MOST_STRETCH = 1 << 24,  /* families times rows between two checks of the
                                clock */
    WORTH_THREADS = 1 << 22, /* families times rows */
    STRETCHES_A_THREAD = 4   /* balances the load of threads */
};

/* ---- allocation ---------------------------------------------------------- */

int64_t bestdag_arc_gains_bytes(int n,
                                const struct bestdag_likely_parents *likely)
{
    int64_t numbers =
        likely ? bestdag_likely_parents_total(likely) + n : (int64_t)n * n;
    return numbers * (int64_t)sizeof(int64_t);
}

/* Memory for the cache: at most a quarter of what a limit leaves. */
static int64_t cache_bytes(const struct bestdag_run *run)
{
    int64_t limit = bestdag_memory_limit(run);
    int64_t left = (limit - bestdag_memory_used(run)) / 4;
    return limit && left < CACHE_BYTES ? left : CACHE_BYTES;
}

static int make_workers(struct bestdag_arc_gains *g)
{
    g->threads = bestdag_parallel_threads(g->run, g->n);
    size_t all = (size_t)g->threads * (size_t)g->n;
    g->list = bestdag_alloc(g->run, all * sizeof *g->list);
    if (g->likely) {
        g->row = bestdag_alloc(g->run, all * sizeof *g->row);
        g->among = bestdag_calloc(g->run, all, sizeof *g->among);
    }
    g->worker = bestdag_calloc(g->run, (size_t)g->threads, sizeof *g->worker);
    for (int i = 0; g->worker && i < g->threads; i++)
        if (!(g->worker[i] = bestdag_neighbour_scores_new(g->run, g->scorer)))
            return BESTDAG_MEMORY;
    return bestdag_run_status(g->run);
}

/* Allocates the rows, their offsets, and the cache. */
static int make_rows(struct bestdag_arc_gains *g)
{
    size_t n = (size_t)g->n, next = 0;
    g->gain =
        bestdag_alloc(g->run, (size_t)bestdag_arc_gains_bytes(g->n, g->likely));
    if (!g->likely) {
        g->cache = bestdag_gain_cache_new(g->run, g->n, cache_bytes(g->run));
        return bestdag_run_status(g->run);
    }
    g->width = (int)(bestdag_likely_parents_total(g->likely) / (g->n + 1)) + 1;
    g->start = bestdag_alloc(g->run, n * sizeof *g->start);
    for (int v = 0; g->start && v < g->n; v++) {
        g->start[v] = next;
        next += (size_t)g->likely->count[v] + 1;
    }
    return bestdag_run_status(g->run);
}

struct bestdag_arc_gains *bestdag_arc_gains_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    const struct bestdag_closure *graph,
    const struct bestdag_likely_parents *likely, int max_parents)
{
    size_t n = (size_t)graph->n;
    struct bestdag_arc_gains *g = bestdag_calloc(run, 1, sizeof *g);
    if (!g)
        return NULL;
    g->run = run;
    g->scorer = scorer;
    g->graph = graph;
    g->likely = likely;
    g->n = g->width = graph->n;
    g->max_parents =
        max_parents < 0 || max_parents >= g->n ? g->n - 1 : max_parents;
    g->wanted = bestdag_alloc(run, n * sizeof *g->wanted);
    if (g->wanted && !make_rows(g) && !make_workers(g))
        return g;
    bestdag_arc_gains_free(g);
    return NULL;
}

void bestdag_arc_gains_free(struct bestdag_arc_gains *g)
{
    if (!g)
        return;
    for (int i = 0; g->worker && i < g->threads; i++)
        bestdag_neighbour_scores_free(g->worker[i]);
    bestdag_free(g->worker);
    bestdag_free(g->list);
    bestdag_free(g->row);
    bestdag_free(g->among);
    bestdag_free(g->start);
    bestdag_gain_cache_free(g->cache);
    bestdag_free(g->gain);
    bestdag_free(g->wanted);
    bestdag_free(g);
}

/* ---- computing rows ------------------------------------------------------ */

/* Some rows, cut into stretches. */
struct batch {
    struct bestdag_arc_gains *gains;
    const int *child; /* [rows] */
    int64_t rows, stretches;
};

/* What to compute for a row. */
static struct bestdag_neighbours ask_of(const struct bestdag_arc_gains *g,
                                        int child, int worker)
{
    int *list = g->list + (size_t)worker * (size_t)g->n;
    return (struct bestdag_neighbours){
        .child = child,
        .parents = list,
        .count = bestdag_closure_list(
            g->graph, bestdag_closure_parents(g->graph, child), list),
        .adds = bestdag_arc_gains_has_room(g, child),
        .to = g->n,
        .score = bestdag_arc_gains_row(g, child),
    };
}

/* Scores a row of likely parents. */
static int score_row(const struct bestdag_arc_gains *g, int child, int worker)
{
    struct bestdag_neighbours ask = ask_of(g, child, worker);
    size_t all = (size_t)worker * (size_t)g->n;
    const int *at = g->likely->at[child];
    int count = g->likely->count[child];
    int64_t *to = ask.score;
    ask.score = g->row + all;
    ask.among = g->among + all;
    for (int i = 0; i < count; i++)
        g->among[all + (size_t)at[i]] = true;
    int status = bestdag_neighbour_scores_scores(g->worker[worker], &ask);
    for (int i = 0; i < count; i++) {
        g->among[all + (size_t)at[i]] = false;
        to[i] = ask.score[at[i]];
    }
    to[count] = ask.score[child];
    return status;
}

static int score_stretch(void *job, int64_t item, int worker)
{
    const struct batch *e = job;
    const struct bestdag_arc_gains *g = e->gains;
    int64_t part = item % e->stretches, n = g->n;
    int child = e->child[item / e->stretches];
    if (g->likely)
        return score_row(g, child, worker);
    struct bestdag_neighbours ask = ask_of(g, child, worker);
    ask.from = (int)(n * part / e->stretches);
    ask.to = (int)(n * (part + 1) / e->stretches);
    return bestdag_neighbour_scores_scores(g->worker[worker], &ask);
}

/* Work of a row: families times rows of the table. */
static int64_t row_work(const struct bestdag_arc_gains *g)
{
    return g->width * (g->scorer->table->rows + 1);
}

/* The number of stretches per row. */
static int64_t cut(const struct bestdag_arc_gains *g, int64_t rows)
{
    int64_t work = row_work(g);
    int64_t parts = work / MOST_STRETCH + 1;
    int64_t share = (STRETCHES_A_THREAD * g->threads + rows - 1) / rows;
    int64_t most = g->n / LEAST_STRETCH + 1;
    if (g->likely)
        return 1;
    if (work * rows >= WORTH_THREADS && share > parts)
        parts = share;
    return parts < most ? parts : most;
}

static int run_batch(struct batch *e)
{
    struct bestdag_arc_gains *g = e->gains;
    int64_t items = e->rows * e->stretches;
    int64_t work = row_work(g) * e->rows;
    struct bestdag_work all = {.job = e, .items = items, .work = score_stretch};
    if (g->threads > 1 && work >= WORTH_THREADS)
        return bestdag_parallel(g->run, &all, NULL);
    for (int64_t i = 0; i < items; i++)
        if (score_stretch(e, i, 0) || bestdag_run_watch(g->run, g->asked))
            return bestdag_run_status(g->run);
    return BESTDAG_OK;
}

/* Replaces scores by differences; the diagonal keeps the score. A constant
 * column is never added as a parent: it would change nothing. */
static void subtract(const struct bestdag_arc_gains *g, int child)
{
    const uint64_t *parents = bestdag_closure_parents(g->graph, child);
    int64_t *row = bestdag_arc_gains_row(g, child);
    int64_t now = bestdag_arc_gains_score(g, child);
    assert(!bestdag_row_has(parents, child));
    for (int i = 0; i < bestdag_arc_gains_others(g, child); i++) {
        int u = bestdag_arc_gains_other(g, child, i);
        if (bestdag_arc_gains_is_constant(g, u) &&
            !bestdag_row_has(parents, u) && u != child)
            row[i] = BESTDAG_NO_GAIN;
        else if (u != child && row[i] != BESTDAG_NO_FAMILY)
            row[i] -= now;
    }
}

static void keep(struct bestdag_arc_gains *g, int child)
{
    if (g->cache)
        bestdag_gain_cache_keep(g->cache, child,
                                bestdag_closure_parents(g->graph, child),
                                bestdag_arc_gains_row(g, child));
}

static int compute(struct bestdag_arc_gains *g, const int *children,
                   int64_t count)
{
    struct batch e = {.gains = g, .child = children, .rows = count};
    if (!count)
        return BESTDAG_OK;
    e.stretches = cut(g, count);
    if (!run_batch(&e) && !bestdag_run_stopped(g->run))
        for (int64_t i = 0; i < count; i++) {
            subtract(g, children[i]);
            keep(g, children[i]);
        }
    return bestdag_run_status(g->run);
}

int bestdag_arc_gains_renew(struct bestdag_arc_gains *g, const int *children,
                            int count)
{
    size_t bytes = (size_t)g->n * sizeof *g->gain;
    int wanted = 0;
    for (int i = 0; i < count; i++) {
        int v = children[i];
        const int64_t *known =
            g->cache ? bestdag_gain_cache_find(
                           g->cache, v, bestdag_closure_parents(g->graph, v))
                     : NULL;
        int families = bestdag_arc_gains_has_room(g, v)
                           ? bestdag_arc_gains_others(g, v)
                           : g->graph->count[v] + 1;
        g->asked += families;
        g->counted += known ? 0 : families;
        if (known)
            memcpy(bestdag_arc_gains_row(g, v), known, bytes);
        else
            g->wanted[wanted++] = v;
    }
    return compute(g, g->wanted, wanted);
}
