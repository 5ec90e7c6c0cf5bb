/* SPDX-License-Identifier: MIT */
/* pattern_bound.c -- a bound that excludes cycles inside small groups.
 *
 * The variables are partitioned into groups of at most 6 that are in each
 * other's sets (grouping.h). For each variable v and each subset S of its
 * group, best(v, S) is the cost of the best remaining set whose parents inside
 * the group are in S. Then
 *
 *     c({}) = 0,   c(U) = min over v in U of best(v, U - v) + c(U - v)
 *
 * is the cost of U in the best order of its members. The bound is the sum of c
 * over all groups. Only tables with a set that new decisions have removed, and
 * the sums of their groups, are recomputed. The state has 64 words per variable
 * and one per group.
 *
 * Time: for a table, a scan of the list from the chosen set on, up to the first
 * set whose only parents in the group are required; for a sum 64 x 6 steps. */
#include <stdlib.h>
#include <string.h>

#include "bounds/grouping.h"
#include "problem/component.h"
#include "search/arcs/arc_bound.h"

enum {
    MOST = 6, /* variables of a group: its table has 64 words */
    SUBSETS = 1 << MOST,
    AVERAGE = 4 /* variables of a group, on average; 3: nodes x 3..5, 5: x 1..3
                   (bench/log/2026-11-17-sensitivity.csv) */
};

static const int64_t STALE = -1; /* the sum of the group must be recomputed */

struct patterns {
    int n, groups;
    int *group;        /* owns; [n]: of a variable */
    int *place;        /* owns; [n]: index in its group */
    int *member;       /* owns; [groups * MOST] */
    int *size;         /* owns; [groups] */
    uint8_t **pattern; /* own; [n]: for each set, its parents in the group */
};

/* ---- groups -------------------------------------------------------------- */

static void drop(void *data)
{
    struct patterns *p = data;
    if (!p)
        return;
    for (int v = 0; p->pattern && v < p->n; v++)
        bestdag_free(p->pattern[v]);
    bestdag_free(p->pattern);
    bestdag_free(p->group);
    bestdag_free(p->place);
    bestdag_free(p->member);
    bestdag_free(p->size);
    bestdag_free(p);
}

static void add_group(struct patterns *p, const struct bestdag_component *c,
                      const int *order, int size)
{
    int g = p->groups++;
    p->size[g] = size;
    for (int i = 0; i < size; i++) {
        int v = c->variable[order[i]];
        p->group[v] = g;
        p->place[v] = i;
        p->member[g * MOST + i] = v;
    }
}

/* Adds the groups of a component, cut into pieces of at most MOST variables. */
static int add_component(struct bestdag_run *run, struct patterns *p,
                         const struct bestdag_component *c)
{
    struct bestdag_heuristic_plan plan = {.name = "static"};
    struct bestdag_grouping found;
    plan.groups = c->n <= MOST ? 1 : (c->n + AVERAGE - 1) / AVERAGE;
    if (bestdag_grouping_find(run, c, &plan, &found))
        return bestdag_run_status(run);
    const int *at = found.order;
    for (int g = 0; g < found.groups; at += found.size[g++])
        for (int i = 0; i < found.size[g]; i += MOST)
            add_group(p, c, at + i,
                      found.size[g] - i < MOST ? found.size[g] - i : MOST);
    bestdag_grouping_release(&found);
    return BESTDAG_OK;
}

static int add_patterns(struct bestdag_run *run, struct patterns *p,
                        const struct bestdag_problem *problem, int v)
{
    const struct bestdag_indexed_list *m = &problem->candidates[v];
    uint8_t *to = bestdag_calloc(run, (size_t)m->count, sizeof *to);
    if (!to)
        return bestdag_run_status(run);
    p->pattern[v] = to;
    for (int i = 0; i < m->universe; i++) {
        int u = m->member[i];
        if (p->group[u] != p->group[v])
            continue;
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++)
            to[m->with[k]] |= (uint8_t)(1 << p->place[u]);
    }
    return BESTDAG_OK;
}

static int fill(struct bestdag_run *run, struct patterns *p,
                const struct bestdag_problem *problem)
{
    size_t n = (size_t)problem->n;
    p->n = problem->n;
    p->group = bestdag_alloc(run, n * sizeof *p->group);
    p->place = bestdag_alloc(run, n * sizeof *p->place);
    p->member = bestdag_alloc(run, n * MOST * sizeof *p->member);
    p->size = bestdag_alloc(run, n * sizeof *p->size);
    p->pattern = bestdag_calloc(run, n, sizeof *p->pattern);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    struct bestdag_components *core = bestdag_components_new(run, problem);
    int status = core ? BESTDAG_OK : bestdag_run_status(run);
    for (int i = 0; core && i < core->components && !status; i++)
        status = add_component(run, p, &core->component[i]);
    bestdag_components_free(core);
    for (int v = 0; v < p->n && !status; v++)
        status = add_patterns(run, p, problem, v);
    return status;
}

static int make(struct bestdag_run *run, const struct bestdag_problem *problem,
                void **data, size_t *room)
{
    struct patterns *p = *data = bestdag_calloc(run, 1, sizeof *p);
    if (!p || fill(run, p, problem))
        return bestdag_run_status(run);
    *room = (size_t)p->n * SUBSETS + (size_t)p->groups + 1;
    return BESTDAG_OK;
}

/* ---- tables -------------------------------------------------------------- */

/* The required parents in a variable's group, as a pattern. */
static unsigned needed(const struct patterns *p,
                       const struct bestdag_arc_state *m, int v)
{
    int g = p->group[v];
    unsigned needs = 0;
    for (int i = 0; i < p->size[g]; i++) {
        int local =
            bestdag_problem_local(m->problem, v, p->member[g * MOST + i]);
        if (local >= 0 && bestdag_arc_state_is(m, m->required, v, local))
            needs |= 1u << i;
    }
    return needs;
}

/* Are all sets of the table still allowed? */
static bool is_sound(const struct patterns *p,
                     const struct bestdag_arc_state *m, int v)
{
    const int64_t *table = m->own + (size_t)v * SUBSETS;
    int count = m->problem->candidates[v].count, last = -1;
    for (int s = 0; s < 1 << p->size[p->group[v]]; s++) {
        int set = (int)table[s];
        if (set != last && set < count &&
            bestdag_arc_state_first(m, v, set) != set)
            return false;
        last = set;
    }
    return true;
}

/* The table of v: for each S the best remaining set inside it; count: none.
 * Sets are sorted by cost. */
static void fill_table(const struct patterns *p, struct bestdag_arc_state *m,
                       int v)
{
    const struct bestdag_indexed_list *candidates = &m->problem->candidates[v];
    int subsets = 1 << p->size[p->group[v]];
    unsigned least = needed(p, m, v);
    int best[SUBSETS];
    int64_t *to = m->own + (size_t)v * SUBSETS;
    for (int s = 0; s < subsets; s++)
        best[s] = candidates->count;
    for (int set = (int)m->set[v]; set < candidates->count;
         set = bestdag_arc_state_first(m, v, set + 1)) {
        unsigned pattern = p->pattern[v][set];
        if (set < best[pattern])
            best[pattern] = set;
        if (pattern == least) /* it is in every S that matters */
            break;
    }
    for (int bit = 1; bit < subsets; bit <<= 1)
        for (int s = 0; s < subsets; s++)
            if (s & bit && best[s ^ bit] < best[s])
                best[s] = best[s ^ bit];
    for (int s = 0; s < subsets; s++)
        bestdag_arc_state_write(m, (uint64_t *)&to[s], (uint64_t)best[s]);
}

/* c of all subsets of a group; last[U] is the last variable of U. */
static int64_t solve_group(const struct patterns *p,
                           const struct bestdag_arc_state *m, int g,
                           int8_t last[SUBSETS])
{
    int64_t cost[SUBSETS], none = m->problem->none;
    int size = p->size[g];
    cost[0] = 0;
    for (int set = 1; set < 1 << size; set++) {
        cost[set] = none;
        last[set] = 0;
        for (int i = 0; i < size; i++) {
            int rest = set & ~(1 << i);
            if (rest == set || cost[rest] >= none)
                continue;
            int v = p->member[g * MOST + i];
            int64_t own = m->problem->candidates[v]
                              .cost[m->own[(size_t)v * SUBSETS + (size_t)rest]];
            if (own < none && cost[rest] + own < cost[set]) {
                cost[set] = cost[rest] + own;
                last[set] = (int8_t)i;
            }
        }
    }
    return cost[(1 << size) - 1];
}

/* ---- the row ------------------------------------------------------------- */

static int64_t update(const void *data, struct bestdag_arc_state *m,
                      const int *changed, int count)
{
    const struct patterns *p = data;
    int64_t *value = m->own + (size_t)p->n * SUBSETS, sum = 0;
    int64_t *is_made = value + p->groups;
    int8_t last[SUBSETS];
    for (int i = 0; i < count; i++) {
        int g = p->group[changed[i]];
        if (*is_made && is_sound(p, m, changed[i]))
            continue;
        fill_table(p, m, changed[i]);
        bestdag_arc_state_write(m, (uint64_t *)&value[g], (uint64_t)STALE);
    }
    *is_made = 1; /* at first all variables have changed */
    for (int g = 0; g < p->groups; g++) {
        if (value[g] == STALE)
            bestdag_arc_state_write(m, (uint64_t *)&value[g],
                                    (uint64_t)solve_group(p, m, g, last));
        if (value[g] >= m->problem->none)
            return m->problem->none;
        sum += value[g];
    }
    return sum;
}

static void choose(const void *data, const struct bestdag_arc_state *m,
                   int32_t *choice)
{
    const struct patterns *p = data;
    int8_t last[SUBSETS];
    for (int g = 0; g < p->groups; g++) {
        solve_group(p, m, g, last);
        for (int set = (1 << p->size[g]) - 1; set;) {
            int v = p->member[g * MOST + last[set]];
            set &= ~(1 << last[set]);
            choice[v] = (int32_t)m->own[(size_t)v * SUBSETS + (size_t)set];
        }
    }
}

const struct bestdag_arc_bound_row bestdag_arc_bound_patterns = {
    .name = "patterns",
    .help = "up to 6 variables choose together, without a cycle among them",
    .make = make,
    .drop = drop,
    .update = update,
    .choose = choose,
};
