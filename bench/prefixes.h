/* SPDX-License-Identifier: MIT */
/* prefixes.h -- for measurements: the largest component of a score file, and
 * prefix sets of its variables, drawn at random or as A* expands them. */
#ifndef PREFIXES_H
#define PREFIXES_H

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "base/random.h"
#include "bounds/grouping.h"
#include "problem/renumber.h"
#include "search/subsets/heuristic.h"

/* What a solver has of a component for a plan. */
struct bench {
    struct bestdag_run *run;
    struct bestdag_sets *sets;
    struct bestdag_problem *problem;
    struct bestdag_components *components;
    struct bestdag_grouping grouping;
    struct bestdag_component *at; /* the largest one, arranged */
    struct bestdag_best_parents *lookup;
    struct bestdag_heuristic *heuristics;
    double lookup_seconds, heuristic_seconds; /* of making, on the wall */
};

static inline void bench_forget(struct bench *b)
{
    bestdag_heuristic_free(b->heuristics);
    bestdag_best_parents_free(b->lookup);
    bestdag_component_free(b->at);
    bestdag_grouping_release(&b->grouping);
    b->heuristics = NULL;
    b->lookup = NULL;
    b->at = NULL;
}

/* Ends the program if anything fails. */
static inline void bench_need(const struct bench *b)
{
    if (!bestdag_run_status(b->run))
        return;
    fprintf(stderr, "%s\n", bestdag_run_error(b->run));
    exit(1);
}

static inline void bench_plan(struct bench *b,
                              struct bestdag_heuristic_plan plan)
{
    const struct bestdag_component *from = b->components->component;
    bench_forget(b);
    for (int i = 0; i < b->components->components; i++)
        if (b->components->component[i].n > from->n)
            from = &b->components->component[i];
    bestdag_grouping_find(b->run, from, &plan, &b->grouping);
    bench_need(b);
    b->at = bestdag_component_renumber(b->run, from, b->grouping.order);
    bench_need(b);
    double start = bestdag_seconds();
    b->lookup = bestdag_best_parents_new(b->run, b->at, NULL);
    b->lookup_seconds = bestdag_seconds() - start;
    struct bestdag_heuristic_request job = {.component = b->at,
                                            .lookup = b->lookup,
                                            .plan = plan,
                                            .size = b->grouping.size,
                                            .groups = b->grouping.groups};
    bench_need(b);
    start = bestdag_seconds();
    b->heuristics = bestdag_heuristic_new(b->run, &job);
    b->heuristic_seconds = bestdag_seconds() - start;
    bench_need(b);
}

static inline struct bench bench_open(const char *path)
{
    struct bench b = {.run = bestdag_run_new()};
    b.sets = bestdag_sets_read(b.run, path);
    bench_need(&b);
    b.problem = bestdag_problem_new(b.run, b.sets);
    bench_need(&b);
    b.components = bestdag_components_new(b.run, b.problem);
    bench_need(&b);
    bench_plan(&b, (struct bestdag_heuristic_plan){0});
    if (b.at->n > 64) {
        fprintf(stderr, "%s: more than 64 variables depend on each other\n",
                path);
        exit(1);
    }
    return b;
}

static inline void bench_close(struct bench *b)
{
    bench_forget(b);
    bestdag_components_free(b->components);
    bestdag_problem_free(b->problem);
    bestdag_sets_free(b->sets);
    bestdag_run_free(b->run);
}

static inline uint64_t bench_all(const struct bench *b)
{
    return ~(uint64_t)0 >> (64 - b->at->n);
}

/* ---- prefixes --------------------------------------------------------------
 */

/* Sets of all sizes below n, each size as often. */
static inline void random_prefixes(const struct bench *b, uint64_t *set,
                                   int count)
{
    struct bestdag_random r = bestdag_random_init(1, 2);
    uint64_t n = (uint64_t)b->at->n;
    for (int i = 0; i < count; i++) {
        int size = (int)bestdag_random_below(&r, n);
        set[i] = 0;
        while (__builtin_popcountll(set[i]) < size)
            set[i] |= (uint64_t)1 << bestdag_random_below(&r, n);
    }
}

struct bench_node {
    uint64_t set;
    int64_t g; /* -1: empty */
    bool is_closed;
};

struct bench_entry {
    int64_t f;
    uint64_t set;
};

struct bench_search {
    const struct bench *bench;
    struct bench_node *node; /* [slots], which is a power of two */
    uint64_t slots, nodes;
    struct bench_entry *open; /* [slots * 2]: a heap */
    size_t opened;
};

static inline struct bench_node *find_node(struct bench_search *s, uint64_t set)
{
    uint64_t at = bestdag_mix(set) & (s->slots - 1);
    while (s->node[at].g >= 0 && s->node[at].set != set)
        at = (at + 1) & (s->slots - 1);
    return &s->node[at];
}

static inline bool is_sooner(struct bench_entry a, struct bench_entry b)
{
    return a.f != b.f ? a.f < b.f : a.set > b.set;
}

static inline void push(struct bench_search *s, struct bench_entry e)
{
    size_t i = s->opened++;
    for (; i && is_sooner(e, s->open[(i - 1) / 2]); i = (i - 1) / 2)
        s->open[i] = s->open[(i - 1) / 2];
    s->open[i] = e;
}

static inline struct bench_entry pop(struct bench_search *s)
{
    struct bench_entry top = s->open[0], last = s->open[--s->opened];
    size_t i = 0;
    for (size_t k; (k = 2 * i + 1) < s->opened; i = k) {
        if (k + 1 < s->opened && is_sooner(s->open[k + 1], s->open[k]))
            k++;
        if (!is_sooner(s->open[k], last))
            break;
        s->open[i] = s->open[k];
    }
    s->open[i] = last;
    return top;
}

static inline void reach(struct bench_search *s, uint64_t set, int64_t g)
{
    struct bench_node *node = find_node(s, set);
    if (node->g >= 0 && node->g <= g)
        return;
    s->nodes += node->g < 0;
    *node = (struct bench_node){set, g, false};
    push(s, (struct bench_entry){
                g + bestdag_heuristic_value(s->bench->heuristics, &set), set});
}

/* The sets that A* expands first, with the plan's heuristic; how many there
 * are, at most `count`. */
static inline int search_prefixes(const struct bench *b, uint64_t *set,
                                  int count)
{
    struct bench_search s = {.bench = b, .slots = 1 << 23};
    int expanded = 0;
    uint64_t all = bench_all(b);
    s.node = malloc(s.slots * sizeof *s.node);
    s.open = malloc(s.slots * 2 * sizeof *s.open);
    if (!s.node || !s.open)
        exit(1);
    for (uint64_t i = 0; i < s.slots; i++)
        s.node[i].g = -1;
    reach(&s, 0, 0);
    while (s.opened && expanded < count && s.nodes < s.slots / 4 * 3 &&
           s.opened + 64 < s.slots * 2) {
        struct bench_entry e = pop(&s);
        struct bench_node *node = find_node(&s, e.set);
        int64_t g = node->g;
        if (e.set == all)
            break;
        if (node->is_closed)
            continue;
        node->is_closed = true;
        set[expanded++] = e.set;
        for (uint64_t left = all & ~e.set; left; left &= left - 1) {
            int v = __builtin_ctzll(left);
            reach(&s, e.set | (left & -left),
                  g + bestdag_best_parents_best(b->lookup, v, &e.set));
        }
    }
    free(s.node);
    free(s.open);
    return expanded;
}

#endif
