/* SPDX-License-Identifier: MIT */
/* triangulation.c -- greedy elimination orders, the best of several.
 *
 * A step removes the variable of least score and joins its neighbours; the
 * scores are (Kjaerulff 1990)
 *
 *     min-fill            edges that this adds
 *     min-weight          numbers in the table of the variable and neighbours
 *     min-size            neighbours
 *     weighted-min-fill   edges that this adds, each by the product of states
 *
 * and ties are broken at random. No heuristic is best on all networks, and
 * tries differ (by factors of 4 on networks of 700 variables), so the
 * heuristics take turns and the order with the least sum of the tables of its
 * maximal cliques is returned. No further try is made once the tries have cost
 * as much as they can save.
 *
 * Neighbours are rows of bits. Cost of a step: for each variable whose score
 * changes (neighbours; with fill also theirs) its degree times n / 64. */
#include "inference/triangulation.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/row.h"

enum heuristic { FILL, WEIGHT, SIZE, WEIGHTED_FILL, HEURISTICS };
static const char *const NAMES[] = {"min-fill", "min-weight", "min-size",
                                    "weighted-min-fill"};

/* Words that may be scanned to save one number in the tables: a number costs
 * some 10 operations in each propagation, of which there are usually many. */
static const double WORDS_A_NUMBER = 4;
/* Upper limit of the numbers that tries can save: half a second of tries. */
static const double WORTH_TRYING = 5e7;

int bestdag_interaction_new(struct bestdag_run *run, int n,
                            struct bestdag_interaction *to)
{
    size_t words = ((size_t)n + 63) / 64;
    *to = (struct bestdag_interaction){.n = n, .words = (int)words};
    to->states = bestdag_calloc(run, (size_t)n, sizeof *to->states);
    to->row = bestdag_calloc(run, (size_t)n * words, sizeof *to->row);
    return bestdag_run_status(run);
}

void bestdag_interaction_release(struct bestdag_interaction *graph)
{
    bestdag_free(graph->states);
    bestdag_free(graph->row);
}

void bestdag_interaction_join(struct bestdag_interaction *graph,
                              const int *members, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (members[i] != members[k])
                bestdag_row_add(graph->row +
                                    (size_t)members[i] * (size_t)graph->words,
                                members[k]);
}

void bestdag_triangulation_release(struct bestdag_triangulation *t)
{
    bestdag_free(t->order);
    bestdag_free(t->parent);
    bestdag_free(t->row);
}

/* ---- one try ------------------------------------------------------------- */

struct attempt {
    const struct bestdag_interaction *graph;
    enum heuristic heuristic;
    struct bestdag_random random;
    uint64_t *row;      /* [n * words] */
    uint64_t *affected; /* [words] */
    double *score;      /* [n] */
    double *weight;     /* [n]: table of the variable and its neighbours, when
                           eliminated */
    int *left;          /* [n]: remaining variables, in any order */
    int *order, *position, *parent, *degree; /* [n] */
    int count;                               /* of `left` */
    double work;
};

static size_t words_of(const struct attempt *a)
{
    return (size_t)a->graph->words;
}

static uint64_t *row_of(const struct attempt *a, int v)
{
    return a->row + (size_t)v * words_of(a);
}

/* Iterates over the members of a row. */
#define EACH(v, row, words)                                                    \
    int v = -1;                                                                \
    (v = bestdag_row_next(row, words, v + 1)) >= 0;

static double weight_of(const struct attempt *a, int v)
{
    const uint64_t *row = row_of(a, v);
    double weight = a->graph->states[v];
    for (EACH(u, row, words_of(a)))
        weight *= a->graph->states[u];
    return weight;
}

/* Neighbours of v that are not neighbours of u, weighted if the score is. */
static double missing_of(const struct attempt *a, const uint64_t *row, int u)
{
    const uint64_t *other = row_of(a, u);
    double sum = 0;
    for (size_t w = 0; w < words_of(a); w++) {
        uint64_t bits = row[w] & ~other[w];
        if (a->heuristic == FILL)
            sum += __builtin_popcountll(bits);
        else
            for (; bits; bits &= bits - 1)
                sum += a->graph->states[(size_t)__builtin_ctzll(bits) + 64 * w];
    }
    return sum;
}

static double fill_of(struct attempt *a, int v)
{
    const uint64_t *row = row_of(a, v);
    bool weighs = a->heuristic == WEIGHTED_FILL;
    double fill = 0;
    for (EACH(u, row, words_of(a))) {
        int s = a->graph->states[u];
        a->work += (double)words_of(a);
        fill += weighs ? s * (missing_of(a, row, u) - s)
                       : missing_of(a, row, u) - 1; /* u itself */
    }
    return fill / 2;
}

static double score_of(struct attempt *a, int v)
{
    a->work += (double)words_of(a);
    if (a->heuristic == WEIGHT)
        return weight_of(a, v);
    if (a->heuristic == SIZE)
        return bestdag_row_count(row_of(a, v), words_of(a));
    return fill_of(a, v);
}

/* Removes one of the variables of least score from `left`; returns it. */
static int choose(struct attempt *a)
{
    int at = 0;
    uint64_t ties = 1;
    for (int i = 1; i < a->count; i++) {
        double difference = a->score[a->left[i]] - a->score[a->left[at]];
        if (difference < 0) {
            at = i;
            ties = 1;
        } else if (difference <= 0 &&
                   bestdag_random_below(&a->random, ++ties) == 0)
            at = i;
    }
    int v = a->left[at];
    a->left[at] = a->left[--a->count];
    a->work += a->count / 8.0;
    return v;
}

static void eliminate(struct attempt *a, int v)
{
    size_t words = words_of(a);
    const uint64_t *row = row_of(a, v);
    bool fills = a->heuristic == FILL || a->heuristic == WEIGHTED_FILL;
    bool spreads = fills && a->score[v] > 0;
    memcpy(a->affected, row, words * sizeof *row);
    for (EACH(u, row, words)) {
        uint64_t *other = row_of(a, u);
        bestdag_row_join(other, row, words);
        bestdag_row_drop(other, u);
        bestdag_row_drop(other, v);
        if (spreads)
            bestdag_row_join(a->affected, other, words);
    }
    for (EACH(u, a->affected, words))
        a->score[u] = score_of(a, u);
}

/* Sets parents; returns the sum of the tables of maximal cliques, and the
 * largest. */
static double total_of(struct attempt *a, double *largest)
{
    const struct bestdag_interaction *g = a->graph;
    double total = 0;
    *largest = 0;
    for (int i = 0; i < g->n; i++) {
        int v = a->order[i];
        const uint64_t *row = row_of(a, v);
        a->parent[v] = -1;
        for (EACH(u, row, words_of(a)))
            if (a->parent[v] < 0 || a->position[u] < a->position[a->parent[v]])
                a->parent[v] = u;
        a->degree[v] = bestdag_row_count(row, words_of(a));
        total += a->weight[v];
        *largest = fmax(*largest, a->weight[v]);
    }
    /* u's clique is contained in that of a child if it equals the child's
     * neighbours; it is subtracted once */
    for (int i = 0; i < g->n; i++) {
        int v = a->order[i], u = a->parent[v];
        if (u >= 0 && a->degree[v] == a->degree[u] + 1) {
            total -= a->weight[u];
            a->weight[u] = 0;
        }
    }
    return total;
}

static double run_attempt(struct attempt *a, double *largest)
{
    const struct bestdag_interaction *g = a->graph;
    size_t n = (size_t)g->n;
    memcpy(a->row, g->row, n * words_of(a) * sizeof *g->row);
    for (int v = 0; v < g->n; v++) {
        a->left[v] = v;
        a->score[v] = score_of(a, v);
    }
    a->count = g->n;
    for (int i = 0; i < g->n; i++) {
        int v = choose(a);
        a->order[i] = v;
        a->position[v] = i;
        a->weight[v] = weight_of(a, v);
        eliminate(a, v);
    }
    return total_of(a, largest);
}

/* ---- the best of several ------------------------------------------------- */

static void keep(const struct attempt *a, double total, double largest,
                 struct bestdag_triangulation *to)
{
    size_t n = (size_t)a->graph->n;
    memcpy(to->order, a->order, n * sizeof *to->order);
    memcpy(to->parent, a->parent, n * sizeof *to->parent);
    memcpy(to->row, a->row, n * words_of(a) * sizeof *to->row);
    to->total = total;
    to->largest = largest;
    to->heuristic = NAMES[a->heuristic];
}

static void try_all(struct bestdag_run *run, struct attempt *a, int tries,
                    struct bestdag_triangulation *to)
{
    for (int t = 0; t < tries; t++) {
        double largest, total;
        a->heuristic = (enum heuristic)(t % HEURISTICS);
        a->random = bestdag_random_init(run->seed, (uint64_t)t);
        total = run_attempt(a, &largest);
        if (t == 0 || total < to->total)
            keep(a, total, largest, to);
        to->tries = t + 1;
        double worth = WORDS_A_NUMBER * fmin(to->total, WORTH_TRYING);
        if ((t + 1 >= HEURISTICS && a->work > worth) ||
            bestdag_run_stopped(run))
            return;
    }
}

int bestdag_triangulate(struct bestdag_run *run,
                        const struct bestdag_interaction *graph, int tries,
                        struct bestdag_triangulation *to)
{
    size_t n = (size_t)graph->n, rows = n * (size_t)graph->words;
    int *numbers = bestdag_alloc(run, 5 * n * sizeof *numbers);
    double *scores = bestdag_alloc(run, 2 * n * sizeof *scores);
    struct attempt a = {.graph = graph,
                        .row = bestdag_alloc(run, rows * sizeof *a.row),
                        .affected = bestdag_alloc(
                            run, ((size_t)graph->words + 1) * sizeof *a.row)};
    *to = (struct bestdag_triangulation){
        .order = bestdag_alloc(run, n * sizeof *to->order),
        .parent = bestdag_alloc(run, n * sizeof *to->parent),
        .row = bestdag_alloc(run, rows * sizeof *to->row)};
    if (!bestdag_run_status(run) && n > 0) {
        a.score = scores;
        a.weight = scores + n;
        a.left = numbers;
        a.order = numbers + n;
        a.position = numbers + 2 * n;
        a.parent = numbers + 3 * n;
        a.degree = numbers + 4 * n;
        try_all(run, &a, tries, to);
    }
    bestdag_free(numbers);
    bestdag_free(scores);
    bestdag_free(a.row);
    bestdag_free(a.affected);
    return bestdag_run_status(run);
}
