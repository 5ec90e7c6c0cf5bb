/* SPDX-License-Identifier: MIT */
/* ckg.c -- the optimal consistent k-graph (Carvalho and Oliveira 2007).
 *
 * The best tree orders the variables: the possible parents of v are its
 * ancestors in the tree. Among these each v takes its best set of at most k on
 * its own, found by the search for candidate sets with its pruning. The parent
 * in the tree is one of them, so the score is never below the tree's.
 *
 *   order=bfs  all that come before v, layer by layer, not only its ancestors
 *   roots=all  a tree without direction can hang from any of its nodes, and
 *              ancestors differ. All are tried:
 *
 *                  path v .. r grows by r   ->   sets of the path with r in it
 *
 *              so each set is scored once for v, whatever the roots
 *
 * Tree and forest (arcs that gain) are both tried: a tree has more ancestors, a
 * forest may be the better start. The better result is the answer. The paper
 * has the tree only, from one root: branching=tree. */
#include <math.h>
#include <string.h>

#include "base/row.h"
#include "parents/exhaustive/sequential.h"
#include "scores/cached_scorer.h"
#include "search/direct/optimal_tree.h"

static const struct bestdag_option settings[] = {
    {"order", BESTDAG_CHOICE, "tree", .choices = "tree|bfs", .value = "NAME",
     .help = "possible parents: tree, the ancestors in the best tree, or bfs, "
             "all predecessors in its breadth-first order"},
    {"branching", BESTDAG_CHOICE, "both", .choices = "both|tree|forest",
     .value = "NAME",
     .help = "what orders the variables: tree, the best tree over all of them, "
             "as in the paper; forest, only its arcs of positive gain; both: "
             "the better result"},
    {"roots", BESTDAG_CHOICE, "one", .choices = "one|all", .value = "NAME",
     .help = "all: try every variable as the root of the tree, if its arcs "
             "score the same in both directions"},
    {0}};

enum { DEFAULT_PARENTS = 2 };

struct search {
    struct bestdag_task *task;
    struct bestdag_run *run;
    int n, k;
    size_t words;
    bool is_wide, tries_roots;
    char branching;     /* first letter of the setting */
    uint64_t *universe; /* owns; [n] rows */
    int *order;         /* owns; [n]: scratch */
    int64_t steps;
    struct bestdag_dag *best; /* owns */
    double score;             /* of `best`, in nats */
};

/* ---- possible parents ---------------------------------------------------- */

/* Sorts parents before children, layer by layer, into s->order. */
static void sort_by_layers(struct search *s,
                           const struct bestdag_optimal_tree *tree)
{
    int count = 0;
    for (int v = 0; v < s->n; v++)
        if (tree->parent[v] < 0)
            s->order[count++] = v;
    for (int i = 0; i < count; i++)
        for (int v = 0; v < s->n; v++)
            if (tree->parent[v] == s->order[i])
                s->order[count++] = v;
}

static void fill_universe(struct search *s,
                          const struct bestdag_optimal_tree *tree)
{
    sort_by_layers(s, tree);
    for (int i = 0; i < s->n; i++) {
        int v = s->order[i], parent = tree->parent[v];
        int from = s->is_wide ? (i ? s->order[i - 1] : -1) : parent;
        uint64_t *row = s->universe + (size_t)v * s->words;
        memset(row, 0, s->words * sizeof *row);
        if (from < 0)
            continue;
        bestdag_row_join(row, s->universe + (size_t)from * s->words, s->words);
        bestdag_row_add(row, from);
    }
}

/* ---- one order ----------------------------------------------------------- */

/* Gives each variable the first set of its list. */
static int take_best(struct search *s, const struct bestdag_sets *sets)
{
    struct bestdag_dag *dag = bestdag_dag_new(s->run, s->n);
    double score = 0;
    for (int v = 0; dag && v < s->n; v++) {
        const struct bestdag_list *list = &sets->list[v];
        if (!list->count) {
            score = -INFINITY;
            continue;
        }
        score += list->score[0];
        if (bestdag_dag_set_parents(s->run, dag, v, list->member,
                                    (int)list->start[1]))
            break;
    }
    if (bestdag_run_status(s->run) || (s->best && score <= s->score)) {
        bestdag_dag_free(dag);
        return bestdag_run_status(s->run);
    }
    bestdag_dag_free(s->best);
    s->best = dag;
    s->score = score;
    if (score > -INFINITY)
        bestdag_task_report(s->task, score, 0);
    return BESTDAG_OK;
}

static int try_order(struct search *s, const struct bestdag_optimal_tree *tree)
{
    struct bestdag_sequential_request job = {
        .max_parents = s->k, .prune = true, .universe = s->universe};
    struct bestdag_sets *sets = bestdag_sets_new(s->run, s->n);
    if (!sets)
        return bestdag_run_status(s->run);
    fill_universe(s, tree);
    if (!bestdag_sequential(s->run, s->task->scorer, &job, sets))
        take_best(s, sets);
    s->steps += sets->scored;
    bestdag_sets_free(sets);
    return bestdag_run_status(s->run);
}

/* ---- all roots ----------------------------------------------------------- */

/* Neighbours in the undirected tree. */
struct neighbours {
    int *start, *to; /* own; [n + 1], [2 n] */
};

static int make_neighbours(struct search *s,
                           const struct bestdag_optimal_tree *tree,
                           struct neighbours *h)
{
    size_t n = (size_t)s->n;
    h->start = bestdag_calloc(s->run, n + 2, sizeof *h->start);
    h->to = bestdag_alloc(s->run, (2 * n + 1) * sizeof *h->to);
    if (!h->start || !h->to)
        return bestdag_run_status(s->run);
    for (int v = 0; v < s->n; v++)
        if (tree->parent[v] >= 0) {
            h->start[v + 2]++;
            h->start[tree->parent[v] + 2]++;
        }
    for (int v = 0; v < s->n; v++)
        h->start[v + 2] += h->start[v + 1];
    for (int v = 0; v < s->n; v++)
        if (tree->parent[v] >= 0) {
            h->to[h->start[v + 1]++] = tree->parent[v];
            h->to[h->start[tree->parent[v] + 1]++] = v;
        }
    return BESTDAG_OK;
}

/* The traversal of the tree from one child. */
struct walk {
    struct search *s;
    const struct neighbours *neighbours;
    struct bestdag_cached_scorer *appraiser;
    int child;
    int *path;     /* [n]: from the child outwards, excluding it */
    uint64_t *set; /* a row */
    double *total; /* [n]: sum of scores for each root */
};

/* The best score, in units, of sets that contain the end of the path and up to
 * `left` more of path[0 .. below). */
static int64_t best_with_end(struct walk *w, int below, int left, int64_t best)
{
    int64_t score = bestdag_cached_score(w->appraiser, w->child, w->set);
    best = score > best ? score : best;
    for (int i = 0; left > 0 && i < below; i++) {
        bestdag_row_add(w->set, w->path[i]);
        best = best_with_end(w, i, left - 1, best);
        bestdag_row_drop(w->set, w->path[i]);
    }
    return best;
}

struct step {
    int node, from;
    int64_t best; /* best score within the path up to `from` */
};

/* Visits every root r; adds the child's best score on the path to r to
 * total[r]. */
static void walk_from(struct walk *w, struct step *stack)
{
    const struct bestdag_scorer *scorer = w->s->task->scorer;
    int *depth = w->s->order; /* path length of each node on the stack */
    int count = 0;
    int64_t alone = bestdag_cached_score(w->appraiser, w->child, w->set);
    w->total[w->child] += bestdag_scorer_nats(scorer, alone);
    depth[w->child] = 0;
    for (int i = w->neighbours->start[w->child];
         i < w->neighbours->start[w->child + 1]; i++)
        stack[count++] = (struct step){w->neighbours->to[i], w->child, alone};
    while (count) {
        struct step at = stack[--count];
        int length = depth[at.from];
        int64_t best = at.best;
        depth[at.node] = length + 1;
        if (scorer->states[at.node] > 1) {
            bestdag_row_add(w->set, at.node);
            best = best_with_end(w, length, w->s->k - 1, best);
            bestdag_row_drop(w->set, at.node);
        }
        w->path[length] = at.node;
        w->total[at.node] += bestdag_scorer_nats(scorer, best);
        for (int i = w->neighbours->start[at.node];
             i < w->neighbours->start[at.node + 1]; i++)
            if (w->neighbours->to[i] != at.from)
                stack[count++] =
                    (struct step){w->neighbours->to[i], at.node, best};
    }
}

/* The root with the best total score; -1: stopped, or an error. */
static int find_root(struct search *s, const struct neighbours *neighbours)
{
    size_t n = (size_t)s->n;
    struct bestdag_shared_scores shared = {0};
    struct bestdag_cached_scorer appraiser = {0};
    struct walk w = {.s = s, .neighbours = neighbours, .appraiser = &appraiser};
    struct step *stack = bestdag_alloc(s->run, n * sizeof *stack);
    int best = 0;
    w.path = bestdag_alloc(s->run, n * sizeof *w.path);
    w.set = bestdag_calloc(s->run, s->words + 1, sizeof *w.set);
    w.total = bestdag_calloc(s->run, n, sizeof *w.total);
    if (stack && w.path && w.set && w.total &&
        !bestdag_shared_scores_init(s->run, &shared, s->task->scorer, s->k) &&
        !bestdag_cached_scorer_init(s->run, &appraiser, &shared))
        for (; w.child < s->n && !bestdag_run_watch(s->run, w.child); w.child++)
            walk_from(&w, stack);
    for (int r = 1; w.total && r < s->n; r++)
        if (w.total[r] > w.total[best])
            best = r;
    s->steps += appraiser.asked;
    if (w.child < s->n)
        best = -1;
    bestdag_cached_scorer_release(&appraiser);
    bestdag_shared_scores_release(&shared);
    bestdag_free(stack);
    bestdag_free(w.path);
    bestdag_free(w.set);
    bestdag_free(w.total);
    return best;
}

/* Tries every root in turn, for orders that need more than paths. */
static int try_all_roots(struct search *s, struct bestdag_optimal_tree *tree)
{
    for (int r = 0; r < s->n && !bestdag_run_watch(s->run, r); r++) {
        bestdag_optimal_tree_direct(tree, r);
        if (try_order(s, tree))
            break;
    }
    return bestdag_run_status(s->run);
}

static int try_best_root(struct search *s, struct bestdag_optimal_tree *tree)
{
    struct neighbours neighbours = {0};
    int root =
        make_neighbours(s, tree, &neighbours) ? -1 : find_root(s, &neighbours);
    bestdag_free(neighbours.start);
    bestdag_free(neighbours.to);
    if (bestdag_run_status(s->run) || root < 0)
        return bestdag_run_status(s->run);
    bestdag_optimal_tree_direct(tree, root);
    return try_order(s, tree);
}

/* ---- the solver ---------------------------------------------------------- */

static int try_tree(struct search *s, bool forest)
{
    struct bestdag_optimal_tree tree;
    int status = bestdag_optimal_tree_find(s->task, forest, &tree);
    s->steps += tree.steps;
    if (!status)
        status = try_order(s, &tree);
    if (!status && s->tries_roots && tree.is_symmetric && !forest &&
        !bestdag_run_stopped(s->run))
        status = s->is_wide ? try_all_roots(s, &tree) : try_best_root(s, &tree);
    bestdag_optimal_tree_release(&tree);
    return status;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    char word[32];
    struct search s = {.task = task,
                       .run = task->run,
                       .n = task->n,
                       .k = task->max_parents < 0 ? DEFAULT_PARENTS
                                                  : task->max_parents,
                       .words = bestdag_row_words(task->n)};
    s.is_wide = bestdag_task_word(task, "order", word)[0] == 'b';
    s.tries_roots = bestdag_task_word(task, "roots", word)[0] == 'a';
    s.branching = bestdag_task_word(task, "branching", word)[0];
    s.universe =
        bestdag_calloc(s.run, (size_t)s.n * s.words + 1, sizeof *s.universe);
    s.order = bestdag_alloc(s.run, (size_t)s.n * sizeof *s.order);
    if (s.universe && s.order && s.branching != 'f')
        try_tree(&s, false);
    if (!bestdag_run_status(s.run) && s.branching != 't' &&
        (!s.best || !bestdag_run_stopped(s.run)))
        try_tree(&s, true);
    to->dag = s.best;
    to->steps = s.steps;
    bestdag_free(s.universe);
    bestdag_free(s.order);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_ckg = {
    .name = "ckg",
    .help = "the best network of at most 2 (--max-parents) parents that is "
            "consistent with the best tree, on the table",
    .ground = BESTDAG_ON_TABLE,
    .settings = settings,
    .solve = solve,
};
