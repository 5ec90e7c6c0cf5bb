/* SPDX-License-Identifier: MIT */
/* arc_gains.c -- what every change of one arc would do to the score.
 *
 * A row is n families, two counts each. Rows are cut into stretches that
 * threads take; each writes to its own part of the row, so the number of
 * threads does not show. */
#include "search/direct/arc_gains.h"

#include <assert.h>
#include <string.h>

#include "parallel/parallel.h"

enum {
    RECALL_BYTES = 64 << 20, /* of remembered rows */
    LEAST_STRETCH = 8,       /* families: one cache line of a row */
    MOST_STRETCH = 1 << 24,  /* families times rows between two watches */
    WORTH_THREADS = 1 << 22, /* families times rows */
    STRETCHES_A_THREAD = 4   /* evens out their ends */
};

/* ---- making and ending -----------------------------------------------------
 */

int64_t bestdag_arc_gains_bytes(int n)
{
    return (int64_t)n * n * (int64_t)sizeof(int64_t);
}

/* What rows may be remembered in: some of what is left of a limit. */
static int64_t recall_bytes(const struct bestdag_run *run)
{
    int64_t limit = bestdag_memory_limit(run);
    int64_t left = (limit - bestdag_memory_used(run)) / 4;
    return limit && left < RECALL_BYTES ? left : RECALL_BYTES;
}

static int make_workers(struct bestdag_arc_gains *g)
{
    g->threads = bestdag_parallel_threads(g->run, g->n);
    g->list = bestdag_alloc(g->run, (size_t)g->threads * (size_t)g->n *
                                        sizeof *g->list);
    g->worker = bestdag_calloc(g->run, (size_t)g->threads, sizeof *g->worker);
    for (int i = 0; g->worker && i < g->threads; i++)
        if (!(g->worker[i] = bestdag_neighbour_scores_new(g->run, g->scorer)))
            return BESTDAG_MEMORY;
    return g->worker && g->list ? BESTDAG_OK : BESTDAG_MEMORY;
}

struct bestdag_arc_gains *bestdag_arc_gains_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    const struct bestdag_closure *graph, int max_parents)
{
    size_t n = (size_t)graph->n;
    struct bestdag_arc_gains *g = bestdag_calloc(run, 1, sizeof *g);
    if (!g)
        return NULL;
    g->run = run;
    g->scorer = scorer;
    g->graph = graph;
    g->n = graph->n;
    g->max_parents =
        max_parents < 0 || max_parents >= g->n ? g->n - 1 : max_parents;
    g->gain = bestdag_alloc(run, n * n * sizeof *g->gain);
    g->wanted = bestdag_alloc(run, n * sizeof *g->wanted);
    if (g->gain && g->wanted && !make_workers(g) &&
        (g->recall = bestdag_gain_cache_new(run, g->n, recall_bytes(run))))
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
    bestdag_gain_cache_free(g->recall);
    bestdag_free(g->gain);
    bestdag_free(g->wanted);
    bestdag_free(g);
}

/* ---- computing rows --------------------------------------------------------
 */

static int64_t *row_of(const struct bestdag_arc_gains *g, int child)
{
    return g->gain + (size_t)child * (size_t)g->n;
}

/* Some rows, cut into stretches. */
struct errand {
    struct bestdag_arc_gains *gains;
    const int *child; /* [rows] */
    int64_t rows, stretches;
};

static int score_stretch(void *job, int64_t item, int worker)
{
    const struct errand *e = job;
    const struct bestdag_arc_gains *g = e->gains;
    int64_t part = item % e->stretches, n = g->n;
    int child = e->child[item / e->stretches];
    int *list = g->list + (int64_t)worker * n;
    struct bestdag_neighbours ask = {
        .child = child,
        .parents = list,
        .count = bestdag_closure_list(
            g->graph, bestdag_closure_parents(g->graph, child), list),
        .adds = bestdag_arc_gains_has_room(g, child),
        .from = (int)(n * part / e->stretches),
        .to = (int)(n * (part + 1) / e->stretches),
        .score = row_of(g, child),
    };
    return bestdag_neighbour_scores_scores(g->worker[worker], &ask);
}

/* How many stretches a row is cut into. */
static int64_t cut(const struct bestdag_arc_gains *g, int64_t rows)
{
    int64_t work = g->n * (g->scorer->table->rows + 1);
    int64_t parts = work / MOST_STRETCH + 1;
    int64_t share = (STRETCHES_A_THREAD * g->threads + rows - 1) / rows;
    int64_t most = g->n / LEAST_STRETCH + 1;
    if (work * rows >= WORTH_THREADS && share > parts)
        parts = share;
    return parts < most ? parts : most;
}

static int run_errand(struct errand *e)
{
    struct bestdag_arc_gains *g = e->gains;
    int64_t items = e->rows * e->stretches;
    int64_t work = g->n * (g->scorer->table->rows + 1) * e->rows;
    struct bestdag_work crew = {
        .job = e, .items = items, .work = score_stretch};
    if (g->threads > 1 && work >= WORTH_THREADS)
        return bestdag_parallel(g->run, &crew, NULL);
    for (int64_t i = 0; i < items; i++)
        if (score_stretch(e, i, 0) || bestdag_run_watch(g->run, g->asked))
            return bestdag_run_status(g->run);
    return BESTDAG_OK;
}

/* Scores become differences; the diagonal stays. No variable gets a constant
 * parent: it would change nothing. */
static void subtract(const struct bestdag_arc_gains *g, int child)
{
    const uint64_t *parents = bestdag_closure_parents(g->graph, child);
    int64_t *row = row_of(g, child), now = row[child];
    assert(!bestdag_row_has(parents, child));
    for (int u = 0; u < g->n; u++)
        if (bestdag_arc_gains_is_constant(g, u) &&
            !bestdag_row_has(parents, u) && u != child)
            row[u] = BESTDAG_NO_GAIN;
        else if (u != child && row[u] != BESTDAG_NO_FAMILY)
            row[u] -= now;
}

static int compute(struct bestdag_arc_gains *g, const int *children,
                   int64_t count)
{
    struct errand e = {.gains = g, .child = children, .rows = count};
    if (!count)
        return BESTDAG_OK;
    e.stretches = cut(g, count);
    if (!run_errand(&e) && !bestdag_run_stopped(g->run))
        for (int64_t i = 0; i < count; i++) {
            subtract(g, children[i]);
            bestdag_gain_cache_keep(
                g->recall, children[i],
                bestdag_closure_parents(g->graph, children[i]),
                row_of(g, children[i]));
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
        const int64_t *known = bestdag_gain_cache_find(
            g->recall, v, bestdag_closure_parents(g->graph, v));
        int families =
            bestdag_arc_gains_has_room(g, v) ? g->n : g->graph->count[v] + 1;
        g->asked += families;
        g->counted += known ? 0 : families;
        if (known)
            memcpy(row_of(g, v), known, bytes);
        else
            g->wanted[wanted++] = v;
    }
    return compute(g, g->wanted, wanted);
}
