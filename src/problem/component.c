/* SPDX-License-Identifier: MIT */
/* component.c -- strongly connected components of the parent relation, and the
 * lists of each. Sets are thinned by the collector of parents/sets.h, which
 * compares scores: it gets, for a set of cost c, minus the number of the first
 * set of that cost, which a double holds exactly. */
#include "problem/component.h"

#include <assert.h>

#include "base/row.h"
#include "graph/components.h"
#include "problem/problem_check.h"

enum { MOST_AGAIN = 2000 }; /* variables of what is split once more */

/* ---- who belongs together --------------------------------------------------
 */

/* component[v] for all v; how many there are, or negative: failed. */
static int split(struct bestdag_run *run, const struct bestdag_problem *p,
                 int *component)
{
    int64_t users = p->user_start[p->n];
    struct bestdag_adjacency graph = {.n = p->n, .start = p->user_start};
    graph.to = bestdag_alloc(run, (size_t)users * sizeof *graph.to);
    if (!graph.to)
        return -1;
    for (int64_t i = 0; i < users; i++)
        graph.to[i] = p->user[i].child;
    int count = bestdag_components_strong(run, &graph, component);
    bestdag_free(graph.to);
    return count;
}

static int find_largest(struct bestdag_run *run, const int *component, int n,
                        int components)
{
    int largest = 0;
    int *size = bestdag_calloc(run, (size_t)components, sizeof *size);
    if (!size)
        return -1;
    for (int v = 0; v < n; v++)
        if (++size[component[v]] > largest)
            largest = size[component[v]];
    bestdag_free(size);
    return largest;
}

int bestdag_components_largest(struct bestdag_run *run,
                               const struct bestdag_problem *p)
{
    int *component = bestdag_alloc(run, (size_t)p->n * sizeof *component);
    int count = component ? split(run, p, component) : -1;
    int largest = count < 0 ? -1 : find_largest(run, component, p->n, count);
    bestdag_free(component);
    return largest;
}

/* ---- their lists -----------------------------------------------------------
 */

struct maker {
    struct bestdag_run *run;
    const struct bestdag_problem *problem;
    struct bestdag_components *core;
    struct bestdag_collector *collector; /* owns */
    int *component;                      /* owns; [n]: of each variable */
    int *local;                          /* owns; [n]: its number there */
    int *parents;                        /* owns; [n]: scratch */
};

/* The sets of v, as their masks have them, without what is outside its
 * component; their scores are ranks. */
static int collect(struct maker *m, int v)
{
    const struct bestdag_indexed_list *menu = &m->problem->menu[v];
    size_t words = (size_t)menu->words;
    int rank = 0;
    for (int set = 0; set < menu->count; set++) {
        const uint64_t *mask = bestdag_indexed_list_mask(menu, set);
        int count = 0;
        for (int i = bestdag_row_next(mask, words, 0); i >= 0;
             i = bestdag_row_next(mask, words, i + 1)) {
            int u = menu->member[i];
            if (m->component[u] == m->component[v])
                m->parents[count++] = m->local[u];
        }
        assert(menu->cost[set] >= menu->cost[rank]);
        if (menu->cost[set] > menu->cost[rank])
            rank = set;
        if (bestdag_collector_add(m->collector, m->parents, count,
                                  0 - (double)rank))
            return bestdag_run_status(m->run);
    }
    return BESTDAG_OK;
}

static int make_masks(struct maker *m, int v, const struct bestdag_list *list,
                      int words, struct bestdag_candidates *to)
{
    size_t count = (size_t)list->count;
    to->mask = bestdag_calloc(m->run, count * (size_t)words, sizeof *to->mask);
    to->cost = bestdag_alloc(m->run, (count + 1) * sizeof *to->cost);
    if (!to->mask || !to->cost)
        return bestdag_run_status(m->run);
    for (size_t i = 0; i < count; i++) {
        assert(list->score[i] <= 0 &&
               -list->score[i] < m->problem->menu[v].count);
        to->cost[i] = m->problem->menu[v].cost[(int)-list->score[i]];
        for (int64_t k = list->start[i]; k < list->start[i + 1]; k++)
            bestdag_row_add(to->mask + i * (size_t)words, list->member[k]);
    }
    to->cost[count] = m->problem->none;
    to->count = (int)count;
    return BESTDAG_OK;
}

static int make_piece(struct maker *m, int v, int words,
                      struct bestdag_candidates *to)
{
    struct bestdag_list list = {0};
    int status = collect(m, v);
    if (!status)
        status = bestdag_collector_finish(m->collector, true, &list);
    if (!status)
        status = make_masks(m, v, &list, words, to);
    bestdag_list_release(&list);
    return status;
}

/* ---- the door --------------------------------------------------------------
 */

/* Sizes first, then places: variable[] by component, ascending in each. */
static void place(struct maker *m)
{
    struct bestdag_components *core = m->core;
    int before = 0;
    for (int v = 0; v < core->n; v++)
        core->component[m->component[v]].n++;
    for (int i = 0; i < core->components; i++) {
        struct bestdag_component *c = &core->component[i];
        c->variable = core->variable + before;
        c->piece = core->piece + before;
        c->words = (c->n + 63) / 64;
        before += c->n;
        if (c->n > core->largest)
            core->largest = c->n;
        c->n = 0;
    }
    for (int v = 0; v < core->n; v++) {
        struct bestdag_component *c = &core->component[m->component[v]];
        core->variable[c->variable - core->variable + c->n] = v;
        m->local[v] = c->n++;
    }
}

/* The pieces of all components, by m->component. */
static int make_pieces(struct maker *m, int count)
{
    struct bestdag_components *core = m->core;
    core->component =
        bestdag_calloc(m->run, (size_t)count, sizeof *core->component);
    if (!core->component)
        return bestdag_run_status(m->run);
    core->components = count;
    core->largest = 0;
    place(m);
    for (int v = 0; v < core->n; v++) {
        struct bestdag_component *c = &core->component[m->component[v]];
        if (make_piece(m, v, c->words, &c->piece[m->local[v]]))
            break;
    }
    return bestdag_run_status(m->run);
}

static void free_pieces(struct bestdag_components *core)
{
    for (int i = 0; core->piece && i < core->n; i++) {
        bestdag_free(core->piece[i].mask);
        bestdag_free(core->piece[i].cost);
        core->piece[i] = (struct bestdag_candidates){0};
    }
    bestdag_free(core->component);
    core->component = NULL;
}

/* ---- once more -------------------------------------------------------------
 *
 * Sets that left the lists may have held a component together. What is found
 * dominated stays so when more parents become free, so all begins anew with the
 * finer components until nothing changes.
 */

/* The parents that the sets of a piece still hold. */
static void gather(const struct bestdag_candidates *p, int words, uint64_t *row)
{
    for (int w = 0; w < words; w++)
        row[w] = 0;
    for (int i = 0; i < p->count; i++)
        for (int w = 0; w < words; w++)
            row[w] |= p->mask[(int64_t)i * words + w];
}

/* Arcs from each child to the parents that it may still have. */
static void write_arcs(const struct bestdag_component *c, uint64_t *row,
                       int64_t *start, int *to)
{
    int64_t arcs = 0;
    for (int v = 0; v < c->n; v++) {
        start[v] = arcs;
        gather(&c->piece[v], c->words, row);
        for (int u = bestdag_row_next(row, (size_t)c->words, 0); u >= 0;
             u = bestdag_row_next(row, (size_t)c->words, u + 1))
            to[arcs++] = u;
    }
    start[c->n] = arcs;
}

/* Splits component c and writes numbers from `first` on to m->component, what
 * may be a parent first. How many there are; negative: failed. */
static int split_again(struct maker *m, const struct bestdag_component *c,
                       int first)
{
    size_t n = (size_t)c->n;
    int64_t *start = bestdag_alloc(m->run, (n + 1) * sizeof *start);
    int *to = bestdag_alloc(m->run, n * n * sizeof *to);
    uint64_t *row = bestdag_alloc(m->run, (size_t)c->words * sizeof *row);
    int count = -1;
    if (start && to && row) {
        struct bestdag_adjacency graph = {.n = c->n, .start = start, .to = to};
        write_arcs(c, row, start, to);
        count = bestdag_components_strong(m->run, &graph, m->parents);
    }
    for (int v = 0; count > 0 && v < c->n; v++)
        m->component[c->variable[v]] = first + count - 1 - m->parents[v];
    bestdag_free(start);
    bestdag_free(to);
    bestdag_free(row);
    return count;
}

/* Splits all; how many there are then; negative: failed. */
static int split_all_again(struct maker *m)
{
    int count = 0;
    for (int i = 0; i < m->core->components; i++) {
        const struct bestdag_component *c = &m->core->component[i];
        int parts = 1;
        if (c->n > 1 && c->n <= MOST_AGAIN)
            parts = split_again(m, c, count);
        else
            for (int v = 0; v < c->n; v++)
                m->component[c->variable[v]] = count;
        if (parts < 0)
            return -1;
        count += parts;
    }
    return count;
}

static int make(struct maker *m)
{
    struct bestdag_components *core = m->core;
    size_t n = (size_t)m->problem->n;
    m->collector = bestdag_collector_new(m->run);
    m->component = bestdag_alloc(m->run, n * sizeof *m->component);
    m->local = bestdag_alloc(m->run, n * sizeof *m->local);
    m->parents = bestdag_alloc(m->run, n * sizeof *m->parents);
    core->variable = bestdag_alloc(m->run, n * sizeof *core->variable);
    core->piece = bestdag_calloc(m->run, n, sizeof *core->piece);
    if (bestdag_run_status(m->run))
        return bestdag_run_status(m->run);
    core->n = (int)n;
    int count = split(m->run, m->problem, m->component);
    while (count >= 0 && !make_pieces(m, count)) {
        int finer = split_all_again(m);
        assert(finer < 0 || finer >= count); /* only ever finer */
        if (finer == count)
            break;
        count = finer;
        free_pieces(core);
    }
    return bestdag_run_status(m->run);
}

struct bestdag_components *bestdag_components_new(
    struct bestdag_run *run, const struct bestdag_problem *problem)
{
    struct maker m = {.run = run, .problem = problem};
    m.core = bestdag_calloc(run, 1, sizeof *m.core);
    if (m.core && make(&m)) {
        bestdag_components_free(m.core);
        m.core = NULL;
    }
    assert(!m.core || bestdag_components_is_sound(m.core));
    bestdag_collector_free(m.collector);
    bestdag_free(m.component);
    bestdag_free(m.local);
    bestdag_free(m.parents);
    return m.core;
}

void bestdag_components_free(struct bestdag_components *core)
{
    if (!core)
        return;
    free_pieces(core);
    bestdag_free(core->variable);
    bestdag_free(core->piece);
    bestdag_free(core);
}
