/* SPDX-License-Identifier: MIT */
/* greedy_network.c -- places variables in the order of their losses.
 *
 * Every set counts its members that are not placed yet; at 0 it fits. Variables
 * with a set that fits are in a binary heap by the distance of their best such
 * set. More placed variables never make a set unfit, so every variable that can
 * be placed is placed in the end. */
#include "problem/greedy_network.h"

#include <assert.h>
#include <math.h>

#include "base/row.h"

struct greedy {
    const struct bestdag_problem *p;
    int64_t *first;   /* owns; [n]: index of the sets of v in `missing` */
    int32_t *missing; /* owns; members of each set that are not placed */
    int32_t *choice;  /* the best set that fits; its list's count: none */
    int32_t *heap;    /* owns; [n]: variables, the least distance first */
    int32_t *place;   /* owns; [n]: index in the heap; -1: not yet; -2:
                         placed */
    int waiting;
};

static double distance_of(const struct greedy *g, int v)
{
    const double *score = g->p->sets->list[v].score;
    return score[0] - score[g->choice[v]];
}

static bool is_before(const struct greedy *g, int a, int b)
{
    double x = distance_of(g, a), y = distance_of(g, b);
    return x < y || (x == y && a < b);
}

static void put(struct greedy *g, int at, int v)
{
    g->heap[at] = v;
    g->place[v] = at;
}

static void sift_up(struct greedy *g, int v)
{
    int at = g->place[v];
    for (int up; at > 0; at = up) {
        up = (at - 1) / 2;
        if (!is_before(g, v, g->heap[up]))
            break;
        put(g, at, g->heap[up]);
    }
    put(g, at, v);
}

static void sift_down(struct greedy *g, int v)
{
    int at = 0;
    for (int down; (down = 2 * at + 1) < g->waiting; at = down) {
        if (down + 1 < g->waiting &&
            is_before(g, g->heap[down + 1], g->heap[down]))
            down++;
        if (!is_before(g, g->heap[down], v))
            break;
        put(g, at, g->heap[down]);
    }
    put(g, at, v);
}

/* A set of v now fits. */
static void fit(struct greedy *g, int v, int set)
{
    if (g->place[v] == -2 || set >= g->choice[v])
        return;
    g->choice[v] = set;
    if (g->place[v] < 0)
        put(g, g->waiting++, v);
    sift_up(g, v);
}

static int take_first(struct greedy *g)
{
    int v = g->heap[0];
    g->place[v] = -2;
    if (--g->waiting)
        sift_down(g, g->heap[g->waiting]);
    return v;
}

/* Places u: sets that contain u miss one member less. */
static void place(struct greedy *g, int u)
{
    const struct bestdag_problem *p = g->p;
    for (int64_t i = p->user_start[u]; i < p->user_start[u + 1]; i++) {
        int v = p->user[i].child, local = p->user[i].local;
        const struct bestdag_indexed_list *m = &p->candidates[v];
        for (int32_t k = m->start[local]; k < m->start[local + 1]; k++) {
            assert(g->missing[g->first[v] + m->with[k]] > 0);
            if (!--g->missing[g->first[v] + m->with[k]])
                fit(g, v, m->with[k]);
        }
    }
}

static void count_missing(struct greedy *g)
{
    for (int v = 0; v < g->p->n; v++) {
        const struct bestdag_indexed_list *m = &g->p->candidates[v];
        g->place[v] = -1;
        g->choice[v] = m->count;
        for (int set = 0; set < m->count; set++) {
            int missing = bestdag_row_count(bestdag_indexed_list_mask(m, set),
                                            (size_t)m->words);
            g->missing[g->first[v] + set] = missing;
            if (!missing)
                fit(g, v, set);
        }
    }
}

static double find(struct greedy *g)
{
    double sum = 0;
    int placed = 0;
    count_missing(g);
    for (; g->waiting; placed++) {
        int v = take_first(g);
        sum += distance_of(g, v);
        place(g, v);
    }
    return placed == g->p->n ? sum : (double)INFINITY;
}

int bestdag_greedy_network(struct bestdag_run *run,
                           const struct bestdag_problem *p, int32_t *choice,
                           double *distance)
{
    struct greedy g = {.p = p, .choice = choice};
    size_t n = (size_t)p->n + 1;
    int64_t sets = 0;
    g.first = bestdag_alloc(run, n * sizeof *g.first);
    g.heap = bestdag_alloc(run, n * sizeof *g.heap);
    g.place = bestdag_alloc(run, n * sizeof *g.place);
    for (int v = 0; g.first && v < p->n; v++) {
        g.first[v] = sets;
        sets += p->candidates[v].count;
    }
    g.missing = bestdag_alloc(run, ((size_t)sets + 1) * sizeof *g.missing);
    if (g.first && g.heap && g.place && g.missing)
        *distance = find(&g);
    bestdag_free(g.first);
    bestdag_free(g.heap);
    bestdag_free(g.place);
    bestdag_free(g.missing);
    return bestdag_run_status(run);
}
