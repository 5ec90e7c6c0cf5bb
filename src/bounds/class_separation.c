/* SPDX-License-Identifier: MIT */
/* class_separation.c -- finds clusters of rank 2 and their classes by local
 * search.
 *
 * A labelling gives variables a class, or leaves them out. A search starts with
 * a child and one of its parents in different classes; a step gives one
 * variable near the cluster another label: none, that of another class, or a
 * new one. The best step is taken even if the sum increases, but a variable
 * that has just changed keeps its label for some steps (tabu search, Glover
 * 1989). The best labelling with at least three classes is added to the pool if
 * it is violated.
 *
 * What v contributes to the sum as a member of class t, together with the sets
 * of other members that contain v, is base - bonus[t] for all t at once, and
 * `out` if v has no class. So a step costs the members of the sets of all
 * variables near the cluster, and of the sets that contain one of them. */
#include "bounds/violated_cluster.h"

#include <assert.h>
#include <stdlib.h>

#include "graph/components.h"

#define GOOD_FRACTION 0.1F  /* least fraction of an arc to start from .. */
#define SOME_FRACTION 0.02F /* .. and if the search is thorough */
#define VIOLATED 1.98       /* the sum of a violated cluster is below this */
#define ROUNDING 1e-9       /* of a sum */
#define LEAST_GAIN 1e-6     /* by which a labelling must beat the best so far */
#define NEARLY_ZERO 1e-300  /* stands for a bonus of 0 that is listed */

enum {
    STEPS = 60,      /* per search */
    PATIENCE = 15,   /* steps without a gain that end a search */
    LEAST_TENURE = 3 /* steps that a label is held, at least; at most twice */
};

struct search {
    struct bestdag_violated *b;
    int *component; /* owns; [n]: strongly connected components of the
                       support */
    /* the present labelling */
    int32_t *label;  /* owns; [n]: the class, from 1; 0: none */
    int32_t *size;   /* owns; [n + 2]: members of a class */
    int32_t *member; /* owns; [n] */
    int members, classes;
    double sum;
    /* the best so far */
    int32_t *best, *best_label; /* own; [n] */
    int best_members;
    double best_sum;
    /* scratch */
    int32_t *held;    /* owns; [n]: the label is held until this step */
    int32_t *seen;    /* owns; [n]: the last step that considered it */
    int32_t *near;    /* owns; [n]: to be considered */
    double *bonus;    /* owns; [n + 2]: 0 between uses */
    int32_t *touched; /* owns; [n + 2]: classes with a bonus */
    int touches;
    double base, out;
};

struct step {
    int v, to;
    double change;
};

/* ---- setting up --------------------------------------------------------- */

static int find_components(struct search *s)
{
    const struct bestdag_violated *b = s->b;
    struct bestdag_run *run = b->r->run;
    size_t n = (size_t)b->r->n;
    struct bestdag_adjacency graph = {.n = b->r->n};
    graph.start = bestdag_alloc(run, (n + 1) * sizeof *graph.start);
    graph.to = bestdag_alloc(run, (size_t)b->arc_start[n] * sizeof *graph.to);
    if (graph.start && graph.to) {
        for (size_t v = 0; v <= n; v++)
            graph.start[v] = b->arc_start[v];
        for (int64_t i = 0; i < b->arc_start[n]; i++)
            graph.to[i] = b->arc[i].to;
        bestdag_components_strong(run, &graph, s->component);
    }
    bestdag_adjacency_release(&graph);
    return bestdag_run_status(run);
}

static int prepare(struct search *s)
{
    struct bestdag_run *run = s->b->r->run;
    size_t n = (size_t)s->b->r->n;
    s->component = bestdag_alloc(run, n * sizeof *s->component);
    s->bonus = bestdag_calloc(run, n + 2, sizeof *s->bonus);
    int32_t **all[] = {&s->label, &s->size,       &s->member,
                       &s->best,  &s->best_label, &s->held,
                       &s->seen,  &s->near,       &s->touched};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = bestdag_calloc(run, n + 2, sizeof **all[i]);
    return bestdag_run_status(run) ? bestdag_run_status(run)
                                   : find_components(s);
}

static void release(struct search *s)
{
    void *all[] = {s->component, s->label,      s->size,   s->member,
                   s->best,      s->best_label, s->held,   s->seen,
                   s->near,      s->bonus,      s->touched};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
}

/* ---- steps --------------------------------------------------------------- */

enum { NONE = 0, SPANNED = -1 };

/* The only class in which set i has members other than x, or NONE; SPANNED: the
 * set spans its child, which is in class `own`, whatever the label of x. */
static int only_class(const struct search *s, int64_t i, int own, int x)
{
    int one = NONE;
    for (int64_t k = s->b->first[i]; k < s->b->first[i + 1]; k++) {
        int l = s->b->parent[k] == x ? NONE : s->label[s->b->parent[k]];
        if (l == NONE || l == one)
            continue;
        if (one != NONE || l == own)
            return SPANNED;
        one = l;
    }
    return one;
}

static void add_bonus(struct search *s, int class, double by)
{
    if (s->bonus[class] == 0)
        s->touched[s->touches++] = class;
    s->bonus[class] += by;
    if (s->bonus[class] == 0) /* so that it is listed once */
        s->bonus[class] = NEARLY_ZERO;
}

/* Computes base, bonus and out of v. */
static void weigh(struct search *s, int v)
{
    const struct bestdag_violated *b = s->b;
    int64_t work = 0;
    s->base = s->out = 0;
    s->touches = 0;
    for (int64_t i = b->support_start[v]; i < b->support_start[v + 1]; i++) {
        int one = only_class(s, i, NONE, v);
        work += s->b->first[i + 1] - s->b->first[i] + 1;
        if (one == SPANNED)
            continue;
        s->base += (double)b->support[i].value;
        if (one != NONE)
            add_bonus(s, one, (double)b->support[i].value);
    }
    for (int64_t k = s->b->with_start[v]; k < s->b->with_start[v + 1]; k++) {
        int32_t i = s->b->with[k], own = s->label[s->b->child[i]];
        double value = (double)b->support[i].value;
        work++;
        if (!own)
            continue;
        int one = only_class(s, i, own, v);
        work += s->b->first[i + 1] - s->b->first[i];
        if (one == SPANNED)
            continue;
        s->out += value;
        s->base += one == NONE ? value : 0;
        add_bonus(s, one == NONE ? own : one, one == NONE ? value : -value);
    }
    b->r->work += work;
}

static void forget_bonus(struct search *s)
{
    while (s->touches)
        s->bonus[s->touched[--s->touches]] = 0;
}

static int new_class(const struct search *s)
{
    int class = 1;
    while (s->size[class])
        class ++;
    return class;
}

static void label(struct search *s, int v, int to)
{
    int from = s->label[v];
    if (from)
        s->classes -= !--s->size[from];
    if (to)
        s->classes += !s->size[to]++;
    s->label[v] = to;
    if (from && !to) {
        int i = 0;
        while (s->member[i] != v)
            i++;
        s->member[i] = s->member[--s->members];
    } else if (to && !from)
        s->member[s->members++] = v;
}

/* Takes a label for v if the step is better than the best so far. */
static void consider(struct search *s, struct step *best, int v, int to)
{
    int from = s->label[v];
    bool is_alone = from && s->size[from] == 1;
    int classes = s->classes - is_alone + (to && !s->size[to]);
    double now = from ? s->base - s->bonus[from] : s->out;
    double then = to ? s->base - s->bonus[to] : s->out;
    if (to == from || (is_alone && to && !s->size[to]) ||
        (from && classes < 3) || then - now >= best->change - ROUNDING)
        return;
    *best = (struct step){v, to, then - now};
}

static void consider_all(struct search *s, struct step *best, int v)
{
    weigh(s, v);
    consider(s, best, v, NONE);
    consider(s, best, v, new_class(s));
    for (int i = 0; i < s->touches; i++)
        consider(s, best, v, s->touched[i]);
    forget_bonus(s);
}

static void list_if_new(struct search *s, int v, int step, int *near)
{
    if (s->seen[v] == step || s->component[v] != s->component[s->member[0]])
        return;
    s->seen[v] = step;
    if (s->held[v] <= step)
        s->near[(*near)++] = v;
}

/* Lists members, their parents and children, except those that are held. */
static int list_near(struct search *s, int step)
{
    const struct bestdag_violated *b = s->b;
    int near = 0;
    for (int m = 0; m < s->members; m++) {
        int v = s->member[m];
        list_if_new(s, v, step, &near);
        for (int64_t i = b->arc_start[v]; i < b->arc_start[v + 1]; i++)
            list_if_new(s, b->arc[i].to, step, &near);
        for (int64_t i = s->b->with_start[v]; i < s->b->with_start[v + 1]; i++)
            list_if_new(s, s->b->child[s->b->with[i]], step, &near);
    }
    return near;
}

/* ---- one search ---------------------------------------------------------- */

static void keep_best(struct search *s)
{
    s->best_sum = s->sum;
    s->best_members = s->members;
    for (int i = 0; i < s->members; i++) {
        s->best[i] = s->member[i];
        s->best_label[s->member[i]] = s->label[s->member[i]];
    }
}

/* Steps from the present labelling; `clock` counts the steps of all
 * searches. */
static void walk(struct search *s, int *clock)
{
    int patience = PATIENCE;
    s->best_sum = 2;
    s->best_members = 0;
    for (int k = 0; k < STEPS && patience--; k++) {
        struct step best = {.v = -1, .change = 1e9};
        int near = list_near(s, ++*clock);
        for (int i = 0; i < near; i++)
            consider_all(s, &best, s->near[i]);
        if (best.v < 0)
            break;
        label(s, best.v, best.to);
        s->sum += best.change;
        s->held[best.v] =
            *clock + LEAST_TENURE +
            (int)bestdag_random_below(&s->b->r->random, LEAST_TENURE + 1);
        if (s->classes > 2 && s->sum < s->best_sum - LEAST_GAIN) {
            keep_best(s);
            patience = PATIENCE;
        }
    }
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Adds the best labelling, in canonical form. */
static int put_into_pool(struct search *s)
{
    struct bestdag_shape shape = {.member = s->best,
                                  .label = s->near,
                                  .size = s->best_members,
                                  .least = 2};
    qsort(s->best, (size_t)shape.size, sizeof *s->best, ascending);
    for (int i = 0; i < shape.size; i++) {
        int class = s->best_label[s->best[i]], first = 0, members = 0;
        for (int k = shape.size - 1; k >= 0; k--)
            if (s->best_label[s->best[k]] == class) {
                members++;
                first = k;
            }
        if (members > 1 && first == i)
            shape.classes++;
        s->near[i] = members == 1 ? 0
                     : first == i ? shape.classes
                                  : s->near[first];
    }
    return bestdag_relaxation_cluster(s->b->r, &shape);
}

/* Adds a random parent of u. */
static void start_with_more(struct search *s, int u)
{
    const struct bestdag_violated *b = s->b;
    int64_t arcs = b->arc_start[u + 1] - b->arc_start[u];
    int64_t i =
        arcs ? (int64_t)bestdag_random_below(&b->r->random, (uint64_t)arcs) : 0;
    int x = arcs ? b->arc[b->arc_start[u] + i].to : u;
    if (s->label[x] || s->component[x] != s->component[u])
        return;
    weigh(s, x);
    s->sum += s->base - s->out;
    forget_bonus(s);
    label(s, x, new_class(s));
}

static int look_from(struct search *s, int v, int u, bool is_more, int *clock)
{
    label(s, v, new_class(s));
    label(s, u, new_class(s));
    s->sum = 2;
    if (is_more)
        start_with_more(s, u);
    walk(s, clock);
    *clock += 2 * LEAST_TENURE; /* releases all labels */
    while (s->members)
        label(s, s->member[s->members - 1], NONE);
    return s->best_sum < VIOLATED ? put_into_pool(s) : 0;
}

/* ---- all searches -------------------------------------------------------- */

/* Lists the arcs to start from, in random order; returns their number. */
static int64_t list_starts(const struct search *s, float least, int32_t *child,
                           int64_t *start)
{
    const struct bestdag_violated *b = s->b;
    int64_t count = 0;
    for (int v = 0; v < b->r->n; v++)
        for (int64_t i = b->arc_start[v]; i < b->arc_start[v + 1]; i++) {
            child[i] = v;
            if (b->arc[i].length <= 1 - least &&
                s->component[v] == s->component[b->arc[i].to])
                start[count++] = i;
        }
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t k =
            (int64_t)bestdag_random_below(&b->r->random, (uint64_t)i + 1);
        int64_t other = start[i];
        start[i] = start[k];
        start[k] = other;
    }
    return count;
}

/* Searches from all starts; if `is_thorough`, again with an additional variable
 * as long as that finds clusters. */
static void look_from_all(struct search *s,
                          const struct bestdag_class_limits *l, int32_t *child,
                          int64_t *start)
{
    const struct bestdag_violated *b = s->b;
    struct bestdag_relaxation *r = b->r;
    int64_t until = r->work + l->work;
    int before = r->pool.count, found = before, clock = 0, number = 0;
    int64_t count = list_starts(
        s, l->is_thorough ? SOME_FRACTION : GOOD_FRACTION, child, start);
    for (int64_t i = 0, pass = 0;
         number >= 0 && r->work < until && r->pool.count - before < l->most &&
         !bestdag_relaxation_stopped(r);
         i++) {
        if (i == count) {
            if (!l->is_thorough || found == r->pool.count)
                break;
            found = r->pool.count;
            pass++;
            i = 0;
        }
        number = look_from(s, child[start[i]], b->arc[start[i]].to, pass > 0,
                           &clock);
    }
}

int bestdag_violated_classes(struct bestdag_violated *b,
                             const struct bestdag_class_limits *limits)
{
    struct search s = {.b = b};
    struct bestdag_run *run = b->r->run;
    size_t arcs = (size_t)b->arc_start[b->r->n];
    int32_t *child = bestdag_alloc(run, arcs * sizeof *child);
    int64_t *start = bestdag_alloc(run, arcs * sizeof *start);
    if (child && start && !prepare(&s))
        look_from_all(&s, limits, child, start);
    release(&s);
    bestdag_free(child);
    bestdag_free(start);
    return bestdag_run_status(run) ? -1 : 0;
}
