/* SPDX-License-Identifier: MIT */
/* grouping.c -- groups of a static pattern database.
 *
 * The heuristic excludes cycles inside a group, but not those between groups.
 * So variables that are in each other's best sets should be together:
 *
 *   halves      variables along their numbers, in equal parts
 *   components  strongly connected components of the graph of each variable's p
 *               best sets, p the largest for which they fit into a group (Fan
 *               and Yuan 2015), merged by how strongly they are linked; then
 *               variables change their group while that makes links inside
 *               groups stronger
 *
 * The link of two variables estimates the cost of the fact that one must come
 * first: the smaller of what each loses without the other, plus a small part of
 * the sum of both, which accounts for longer cycles.
 *
 * Time: n^2 scans for the links, n^3 for merging, for a component of n
 * variables. */
#include "bounds/grouping.h"

#include <assert.h>
#include <string.h>

#include "base/invariant.h"
#include "base/row.h"
#include "graph/components.h"

/* Measured with `astar`, `bfbnb` on water1000, alarm1000, insurance and 25
 * generated variables (bench/log/2026-11-17-sensitivity.csv). */
enum {
    USUAL = 20,   /* variables of a group: a table of 8 MB, some 0.1 s; 16: 438
                     times the nodes on alarm1000 (three groups instead of
                     two), 22: the same */
    MOST = 28,    /* if the user wants few groups: 2 GB */
    ALONE = 8,    /* variables that need no second group; 4..16: the same */
    PASSES = 20,  /* over all variables, to improve the groups; limits the time;
                     1: the same */
    LINKED = 512, /* variables of components whose links are computed: n^3
                     steps */
    JOINT = 16    /* one in so many of the sum of losses counts for a link;
                     8..32: the same */
};

/* ---- number and size ----------------------------------------------------- */

static int part_of(int n, int groups)
{
    return (n + groups - 1) / groups;
}

/* Would the tables of groups of this size take more than a quarter of the
 * memory? */
static bool is_too_large(struct bestdag_run *run, int groups, int size)
{
    int64_t limit = bestdag_memory_limit(run);
    limit = (limit ? limit : bestdag_memory_physical()) / 4;
    return size > MOST ||
           (limit && (int64_t)sizeof(int64_t) << size > limit / groups);
}

/* The number of groups: as wanted, or more if they would be too large. */
static int choose_groups(struct bestdag_run *run, int n, int wanted)
{
    int most = wanted > 0 ? MOST : USUAL;
    int asked = wanted > 0 ? wanted : n > ALONE ? 2 : 1;
    asked = asked < n ? asked : n;
    int groups = asked;
    while (groups < n && (part_of(n, groups) > most ||
                          is_too_large(run, groups, part_of(n, groups))))
        groups++;
    if (wanted > 0 && groups > asked)
        bestdag_note(run, 1,
                     "%d groups of %d variables are too large: using %d groups",
                     asked, n, groups);
    return groups;
}

/* The largest size of a group. */
static int choose_size(struct bestdag_run *run, int n, int groups, int slack)
{
    int part = part_of(n, groups), size = part + (groups > 1 ? slack : 0);
    while (size > part && (size > n || is_too_large(run, groups, size)))
        size--;
    return size;
}

/* ---- links --------------------------------------------------------------- */

struct finder {
    struct bestdag_run *run;
    const struct bestdag_component *at;
    int n, groups, most; /* most: largest size of a group */
    double *link;        /* owns; [n * n] */
    int *group;          /* owns; [n]: of each variable */
    int *size;           /* owns; [n]: of each group */
    double *tie;         /* owns; [n * n]: link of two groups, while merging */
};

/* What v loses if u is never available. */
static double loss(const struct finder *f, int v, int u)
{
    const struct bestdag_candidates *p = &f->at->list[v];
    int set = 0;
    while (set < p->count &&
           bestdag_row_has(p->mask + (int64_t)set * f->at->words, u))
        set++;
    return (double)(p->cost[set] - p->cost[0]);
}

static void find_links(struct finder *f)
{
    for (int v = 0; v < f->n; v++)
        for (int u = 0; u < v; u++) {
            double a = loss(f, v, u), b = loss(f, u, v);
            double link = (a < b ? a : b) + (a + b) / JOINT;
            f->link[v * f->n + u] = f->link[u * f->n + v] = link;
        }
}

/* ---- components of the best sets ----------------------------------------- */

static void count_sizes(struct finder *f)
{
    memset(f->size, 0, (size_t)f->n * sizeof *f->size);
    for (int v = 0; v < f->n; v++)
        f->size[f->group[v]]++;
}

/* Makes the components of the graph of the p best sets the groups. Negative:
 * error. */
static int split(struct finder *f, int p, uint64_t *row)
{
    const struct bestdag_component *at = f->at;
    size_t words = (size_t)at->words;
    struct bestdag_adjacency graph = {.n = f->n};
    graph.start =
        bestdag_alloc(f->run, ((size_t)f->n + 1) * sizeof *graph.start);
    graph.to =
        bestdag_alloc(f->run, (size_t)f->n * (size_t)f->n * sizeof *graph.to);
    int count = -1;
    if (graph.start && graph.to) {
        int64_t arcs = 0;
        for (int v = 0; v < f->n; v++) { /* arcs from v to its parents */
            graph.start[v] = arcs;
            memset(row, 0, words * sizeof *row);
            for (int i = 0; i < p && i < at->list[v].count; i++)
                bestdag_row_join(row, at->list[v].mask + (size_t)i * words,
                                 words);
            for (int u = bestdag_row_next(row, words, 0); u >= 0;
                 u = bestdag_row_next(row, words, u + 1))
                graph.to[arcs++] = u;
        }
        graph.start[f->n] = arcs;
        count = bestdag_components_strong(f->run, &graph, f->group);
    }
    bestdag_adjacency_release(&graph);
    if (count >= 0)
        count_sizes(f);
    return count;
}

static int find_largest(const struct finder *f)
{
    int largest = 0;
    for (int i = 0; i < f->n; i++)
        largest = f->size[i] > largest ? f->size[i] : largest;
    return largest;
}

/* Makes the components for the largest p at which they have at most `most`
 * variables the groups; single variables if p = 1 does not fit. */
static int find_components(struct finder *f)
{
    int fits = 0, above = 1;
    uint64_t *row = bestdag_alloc(f->run, (size_t)f->at->words * sizeof *row);
    for (int v = 0; v < f->n; v++)
        if (f->at->list[v].count >= above)
            above = f->at->list[v].count + 1;
    while (row && above - fits > 1) {
        int p = fits + (above - fits) / 2;
        if (split(f, p, row) < 0)
            break;
        *(find_largest(f) <= f->most ? &fits : &above) = p;
    }
    if (row && !bestdag_run_status(f->run))
        split(f, fits, row);
    bestdag_free(row);
    return bestdag_run_status(f->run);
}

/* ---- merging ------------------------------------------------------------- */

static void merge(struct finder *f, int a, int b)
{
    for (int v = 0; v < f->n; v++)
        if (f->group[v] == b)
            f->group[v] = a;
    f->size[a] += f->size[b];
    f->size[b] = 0;
    for (int i = 0; i < f->n; i++) {
        f->tie[a * f->n + i] += f->tie[b * f->n + i];
        f->tie[i * f->n + a] = f->tie[a * f->n + i];
    }
}

/* Finds the two groups with the strongest average link that fit together. */
static bool find_pair(const struct finder *f, int *a, int *b)
{
    double best = -1;
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k < i; k++) {
            if (!f->size[i] || !f->size[k] || f->size[i] + f->size[k] > f->most)
                continue;
            double tie =
                f->tie[i * f->n + k] / ((double)f->size[i] * f->size[k]);
            if (tie > best) {
                best = tie;
                *a = k;
                *b = i;
            }
        }
    return best >= 0;
}

static int count_groups(const struct finder *f)
{
    int count = 0;
    for (int i = 0; i < f->n; i++)
        count += f->size[i] > 0;
    return count;
}

static int find_smallest(const struct finder *f)
{
    int smallest = -1;
    for (int i = 0; i < f->n; i++)
        if (f->size[i] && (smallest < 0 || f->size[i] < f->size[smallest]))
            smallest = i;
    return smallest;
}

/* The sum of the links of v to the others of a group. */
static double link_with_group(const struct finder *f, int v, int group)
{
    double sum = 0;
    for (int u = 0; u < f->n; u++)
        if (f->group[u] == group && u != v)
            sum += f->link[v * f->n + u];
    return sum;
}

/* If no two groups fit together: moves the members of the smallest group, one
 * by one, to the group with the strongest links. There is room: groups times
 * most is at least n. */
static void scatter(struct finder *f, int group)
{
    for (int v = 0; v < f->n; v++) {
        int to = -1;
        double best = -1;
        for (int i = 0; i < f->n && f->group[v] == group; i++) {
            double sum = link_with_group(f, v, i);
            if (i != group && f->size[i] && f->size[i] < f->most &&
                sum > best) {
                best = sum;
                to = i;
            }
        }
        if (to < 0)
            continue;
        f->group[v] = to;
        f->size[to]++;
        f->size[group]--;
    }
}

static void merge_all(struct finder *f)
{
    memset(f->tie, 0, (size_t)f->n * (size_t)f->n * sizeof *f->tie);
    for (int v = 0; v < f->n; v++)
        for (int u = 0; u < f->n; u++)
            if (u != v)
                f->tie[f->group[v] * f->n + f->group[u]] +=
                    f->link[v * f->n + u];
    int a = 0, b = 0, left = count_groups(f);
    for (; left > f->groups && find_pair(f, &a, &b); left--)
        merge(f, a, b);
    for (; left > f->groups; left--)
        scatter(f, find_smallest(f));
}

/* ---- improving groups ---------------------------------------------------- */

/* Sets tie[v * n + group] to the sum of the links of v to each group. */
static void sum_links(struct finder *f)
{
    memset(f->tie, 0, (size_t)f->n * (size_t)f->n * sizeof *f->tie);
    for (int v = 0; v < f->n; v++)
        for (int u = 0; u < f->n; u++)
            if (u != v)
                f->tie[v * f->n + f->group[u]] += f->link[v * f->n + u];
}

static void move(struct finder *f, int v, int to)
{
    int from = f->group[v];
    for (int u = 0; u < f->n; u++) {
        double link = u == v ? 0 : f->link[u * f->n + v];
        f->tie[u * f->n + from] -= link;
        f->tie[u * f->n + to] += link;
    }
    f->group[v] = to;
    f->size[from]--;
    f->size[to]++;
    assert(f->size[from] >= 0);
}

/* The gain of swapping v and u. */
static double gain_of_swap(const struct finder *f, int v, int u)
{
    const double *of_v = f->tie + (int64_t)v * f->n;
    const double *of_u = f->tie + (int64_t)u * f->n;
    int from = f->group[v], to = f->group[u];
    return of_v[to] - of_v[from] + of_u[from] - of_u[to] -
           2 * f->link[v * f->n + u];
}

/* Moves v to another group with room, or swaps it with a member; true: links
 * inside groups are stronger now. */
static bool improve(struct finder *f, int v)
{
    const double *of_v = f->tie + (int64_t)v * f->n;
    int from = f->group[v], with = -1, to = -1;
    double best = 1e-6 * (1 + of_v[from]); /* exceeds rounding */
    for (int u = 0; u < f->n; u++) {
        int there = f->group[u];
        if (there == from)
            continue;
        bool has_room = f->size[there] < f->most && f->size[from] > 1;
        double gain = of_v[there] - of_v[from], swap = gain_of_swap(f, v, u);
        if (has_room && gain > best) {
            best = gain;
            to = there;
            with = -1;
        }
        if (swap > best) {
            best = swap;
            to = there;
            with = u;
        }
    }
    if (to >= 0)
        move(f, v, to);
    if (with >= 0)
        move(f, with, from);
    return to >= 0;
}

static int find_halves(struct finder *f)
{
    for (int i = 0; i < f->groups; i++)
        for (int v = (int)((int64_t)i * f->n / f->groups);
             v < (int)((int64_t)(i + 1) * f->n / f->groups); v++)
            f->group[v] = i;
    return BESTDAG_OK;
}

static int find_by_components(struct finder *f)
{
    if (f->n > LINKED)
        return find_halves(f);
    find_links(f);
    if (find_components(f))
        return bestdag_run_status(f->run);
    merge_all(f);
    sum_links(f);
    bool is_better = true;
    for (int pass = 0; pass < PASSES && is_better; pass++) {
        is_better = false;
        for (int v = 0; v < f->n; v++)
            is_better |= improve(f, v);
        if (bestdag_run_watch(f->run, 0))
            break;
    }
    return BESTDAG_OK;
}

/* ---- interface ----------------------------------------------------------- */

struct row {
    struct bestdag_grouping_row row;
    int slack; /* size of a group above equal parts, at most */
    int (*find)(struct finder *f);
};

/* The first is the default. */
static const struct row ROWS[] = {
    {{"components", "variables in each other's best candidate sets together"},
     2,
     find_by_components},
    {{"halves", "equal parts of consecutive variables"}, 0, find_halves},
};

enum { COUNT = sizeof ROWS / sizeof *ROWS };

const struct bestdag_grouping_row *bestdag_grouping_at(int i)
{
    return i >= 0 && i < COUNT ? &ROWS[i].row : NULL;
}

/* Sorts groups by their first variables; variables ascend in each. */
static void put_in_order(struct finder *f, struct bestdag_grouping *to)
{
    int at = 0;
    for (int v = 0; v < f->n; v++) {
        int group = f->group[v];
        if (group < 0)
            continue;
        int first = at;
        for (int u = v; u < f->n; u++)
            if (f->group[u] == group) {
                to->order[at++] = u;
                f->group[u] = -1;
            }
        to->size[to->groups++] = at - first;
    }
    assert(at == f->n && bestdag_is_permutation(to->order, f->n));
}

static int find(struct finder *f, const struct row *row,
                struct bestdag_grouping *to)
{
    size_t n = (size_t)f->n;
    f->group = bestdag_calloc(f->run, n, sizeof *f->group);
    f->size = bestdag_calloc(f->run, n, sizeof *f->size);
    f->link = bestdag_calloc(f->run, n * n, sizeof *f->link);
    f->tie = bestdag_calloc(f->run, n * n, sizeof *f->tie);
    to->size = bestdag_alloc(f->run, n * sizeof *to->size);
    to->order = bestdag_alloc(f->run, n * sizeof *to->order);
    if (!bestdag_run_status(f->run) && !row->find(f))
        put_in_order(f, to);
    bestdag_free(f->group);
    bestdag_free(f->size);
    bestdag_free(f->link);
    bestdag_free(f->tie);
    return bestdag_run_status(f->run);
}

static const struct row *find_row(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (!name || !strcmp(ROWS[i].row.name, name))
            return &ROWS[i];
    return NULL;
}

int bestdag_grouping_find(struct bestdag_run *run,
                          const struct bestdag_component *component,
                          const struct bestdag_heuristic_plan *plan,
                          struct bestdag_grouping *to)
{
    *to = (struct bestdag_grouping){0};
    if (bestdag_lacks(run, component, "component"))
        return bestdag_run_status(run);
    struct finder f = {
        .run = run, .at = component, .n = component->n, .groups = 1};
    bool is_static = !plan->name || !strcmp(plan->name, "static");
    const struct row *row = find_row(is_static ? plan->grouping : "halves");
    if (!row)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "unknown grouping '%s', expected halves or "
                            "components",
                            plan->grouping);
    if (is_static)
        f.groups = choose_groups(run, f.n, plan->groups);
    f.most = choose_size(run, f.n, f.groups, row->slack);
    int status = find(&f, row, to);
    if (status)
        bestdag_grouping_release(to);
    return status;
}

void bestdag_grouping_release(struct bestdag_grouping *g)
{
    bestdag_free(g->size);
    bestdag_free(g->order);
    *g = (struct bestdag_grouping){0};
}
