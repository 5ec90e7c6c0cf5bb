/* SPDX-License-Identifier: MIT */
/* optimal_tree.c -- gains of all arcs, and the best tree.
 *
 * Where an arc gains the same in both directions, each pair is scored once, and
 * the maximum spanning tree is built from the stream of pairs (spanning.h; Chow
 * and Liu 1968 for the likelihood) with memory O(n). Otherwise all n^2 gains
 * are stored, and Edmonds' algorithm finds the branching (branching.h; Carvalho
 * and Oliveira 2007). Threads share the variables. */
#include "search/direct/optimal_tree.h"

#include <string.h>

#include "base/growing_array.h"
#include "graph/branching.h"
#include "graph/spanning.h"
#include "parallel/parallel.h"
#include "scores/neighbour_scores.h"
#include "scores/pairwise.h"
#include "scores/score.h"

/* Variables whose edges may wait to be taken: memory is WINDOW rows of n
 * edges. */
enum { WINDOW = 64 };

struct worker {
    struct bestdag_scorer_scratch *scratch; /* owns */
    struct bestdag_pairwise *pairwise;      /* owns */
};

/* Edges of one variable. */
struct edge_list {
    struct bestdag_edge *edge; /* owns */
    int64_t count, room;
};

struct search {
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    int n;
    struct worker *worker; /* owns; [threads] */
    int threads;
    int64_t *alone;               /* owns; [n]: scores without parents */
    int64_t limit;                /* penalties from here on cannot be scored */
    struct bestdag_spanning best; /* owns; if symmetric */
    _Atomic int64_t floor;        /* least gain that the spanning tree
                                     accepts */
    struct edge_list *edge_list;  /* owns; [n] */
    int64_t *gain;                /* owns; [n * n]; if not symmetric */
    int64_t steps;
};

static bool is_symmetric(const struct bestdag_scorer *s)
{
    return s->type->equivalent || s->type->symmetric;
}

/* ---- gains --------------------------------------------------------------- */

/* The gain of an arc into child; BESTDAG_NO_ARC: it cannot be scored, or was
 * not. */
static int64_t gain_of(const struct search *s, int child, int parent,
                       const struct bestdag_family *f)
{
    if (f->configurations < 0 || s->alone[child] == BESTDAG_NO_ARC ||
        bestdag_scorer_has_constant(s->scorer, child, &parent, 1) ||
        bestdag_scorer_penalty(s->scorer, child, &parent, 1) >= s->limit ||
        f->score <= -BESTDAG_UNITS_MOST)
        return BESTDAG_NO_ARC;
    return f->score - s->alone[child];
}

static int score_alone(struct search *s)
{
    for (int v = 0; v < s->n; v++) {
        struct bestdag_family family;
        s->alone[v] = BESTDAG_NO_ARC;
        if (bestdag_run_stopped(s->run))
            continue;
        if (bestdag_scorer_family(s->scorer, s->worker[0].scratch, v, NULL, 0,
                                  &family))
            return bestdag_run_status(s->run);
        s->alone[v] = family.score;
    }
    return BESTDAG_OK;
}

static int keep_edge(struct search *s, struct edge_list *h,
                     struct bestdag_edge edge)
{
    if (!BESTDAG_GROW(s->run, h->edge, h->room, h->count + 1))
        return bestdag_run_status(s->run);
    h->edge[h->count++] = edge;
    return BESTDAG_OK;
}

/* Scores the pairs of the variable at this place with those after it. */
static int look_after(void *job, int64_t place, int worker)
{
    struct search *s = job;
    const int *order = s->scorer->order;
    int child = order[place];
    const struct bestdag_family *f =
        bestdag_pairwise_score_after(s->worker[worker].pairwise, child);
    if (!f)
        return bestdag_run_status(s->run);
    int64_t floor = s->floor;
    for (int64_t i = place + 1; i < s->n; i++) {
        int other = order[i];
        int64_t gain = gain_of(s, child, other, &f[other]);
        struct bestdag_edge edge = {gain, child < other ? child : other,
                                    child < other ? other : child};
        if (gain != BESTDAG_NO_ARC && gain >= floor &&
            keep_edge(s, &s->edge_list[place], edge))
            return bestdag_run_status(s->run);
    }
    return BESTDAG_OK;
}

static int take_edges(void *job, int64_t place)
{
    struct search *s = job;
    struct edge_list *h = &s->edge_list[place];
    for (int64_t i = 0; i < h->count; i++)
        bestdag_spanning_add(&s->best, h->edge[i]);
    s->floor = s->best.floor;
    bestdag_free(h->edge);
    *h = (struct edge_list){0};
    return BESTDAG_OK;
}

/* Scores all arcs into a child. */
static int look_at_child(void *job, int64_t item, int worker)
{
    struct search *s = job;
    int child = (int)item;
    const struct bestdag_family *f =
        bestdag_pairwise_score(s->worker[worker].pairwise, child);
    if (!f)
        return bestdag_run_status(s->run);
    for (int u = 0; u < s->n; u++)
        s->gain[(size_t)u * (size_t)s->n + (size_t)child] =
            u == child ? BESTDAG_NO_ARC : gain_of(s, child, u, &f[u]);
    return BESTDAG_OK;
}

/* ---- trees --------------------------------------------------------------- */

static int find_spanning(struct search *s, bool forest, int *parent)
{
    struct bestdag_work work = {.job = s,
                                .items = s->n,
                                .work = look_after,
                                .take = take_edges,
                                .window = WINDOW};
    s->floor = forest ? 1 : INT64_MIN;
    s->edge_list = bestdag_calloc(s->run, (size_t)s->n, sizeof *s->edge_list);
    if (!s->edge_list || bestdag_spanning_init(s->run, &s->best, s->n))
        return bestdag_run_status(s->run);
    s->best.floor = s->floor;
    if (bestdag_parallel(s->run, &work, NULL))
        return bestdag_run_status(s->run);
    bestdag_spanning_finish(&s->best, forest);
    s->steps = (int64_t)s->n * (s->n - 1) / 2;
    return bestdag_spanning_direct(&s->best, 0, parent);
}

static int find_branching(struct search *s, bool forest, int *parent)
{
    struct bestdag_work work = {.job = s, .items = s->n, .work = look_at_child};
    size_t cells = (size_t)s->n * (size_t)s->n;
    if (bestdag_reserve(s->run, (int64_t)(cells * (sizeof *s->gain + 4)),
                        "the gains of all arcs"))
        return bestdag_run_status(s->run);
    s->gain = bestdag_alloc(s->run, cells * sizeof *s->gain);
    if (!s->gain)
        return bestdag_run_status(s->run);
    for (size_t i = 0; i < cells; i++)
        s->gain[i] = BESTDAG_NO_ARC;
    if (bestdag_parallel(s->run, &work, NULL))
        return bestdag_run_status(s->run);
    s->steps = (int64_t)s->n * (s->n - 1);
    return bestdag_branching_find(s->run, s->n, s->gain, forest, parent);
}

static int make_workers(struct search *s)
{
    s->threads = bestdag_parallel_threads(s->run, s->n);
    s->worker = bestdag_calloc(s->run, (size_t)s->threads, sizeof *s->worker);
    s->alone = bestdag_alloc(s->run, (size_t)s->n * sizeof *s->alone);
    for (int i = 0; s->worker && i < s->threads; i++) {
        struct worker *w = &s->worker[i];
        w->scratch = bestdag_scorer_scratch_new(s->run, s->scorer);
        if (w->scratch)
            w->pairwise = bestdag_pairwise_new(s->run, s->scorer, w->scratch);
    }
    return bestdag_run_status(s->run);
}

static void release(struct search *s)
{
    for (int i = 0; s->worker && i < s->threads; i++) {
        bestdag_pairwise_free(s->worker[i].pairwise);
        bestdag_scorer_scratch_free(s->worker[i].scratch);
    }
    for (int v = 0; s->edge_list && v < s->n; v++)
        bestdag_free(s->edge_list[v].edge);
    bestdag_free(s->worker);
    bestdag_free(s->alone);
    bestdag_free(s->edge_list);
    bestdag_free(s->gain);
    bestdag_spanning_release(&s->best);
}

int bestdag_optimal_tree_find(const struct bestdag_task *task, bool forest,
                              struct bestdag_optimal_tree *to)
{
    struct search s = {.run = task->run, .scorer = task->scorer, .n = task->n};
    *to = (struct bestdag_optimal_tree){
        .n = task->n, .is_symmetric = is_symmetric(task->scorer)};
    to->parent = bestdag_alloc(s.run, (size_t)s.n * sizeof *to->parent);
    for (int v = 0; to->parent && v < s.n; v++)
        to->parent[v] = -1;
    s.limit = bestdag_neighbour_scores_limit(s.scorer);
    if (to->parent && s.n > 1 && !make_workers(&s) && !score_alone(&s)) {
        bestdag_run_phase(s.run, task->solver->name, s.n);
        if (to->is_symmetric)
            find_spanning(&s, forest, to->parent);
        else
            find_branching(&s, forest, to->parent);
    }
    to->steps = s.steps;
    release(&s);
    return bestdag_run_status(task->run);
}

void bestdag_optimal_tree_release(struct bestdag_optimal_tree *tree)
{
    bestdag_free(tree->parent);
    *tree = (struct bestdag_optimal_tree){0};
}

void bestdag_optimal_tree_direct(struct bestdag_optimal_tree *tree, int root)
{
    for (int v = root, before = -1; v >= 0;) {
        int next = tree->parent[v];
        tree->parent[v] = before;
        before = v;
        v = next;
    }
}

struct bestdag_dag *bestdag_optimal_tree_dag(
    struct bestdag_run *run, const struct bestdag_optimal_tree *tree)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, tree->n);
    for (int v = 0; dag && v < tree->n; v++)
        if (tree->parent[v] >= 0 &&
            bestdag_dag_set_parents(run, dag, v, &tree->parent[v], 1)) {
            bestdag_dag_free(dag);
            return NULL;
        }
    return dag;
}
