/* SPDX-License-Identifier: MIT */
/* separation.c -- new clusters from a fractional solution: along short cycles,
 * from variables that others depend on, and with classes. */
#include "bounds/dual_ascent.h"
#include "bounds/violated_cluster.h"

/* Least fraction of sets that are treated as tight. 0.01: gaps of hailfinder,
 * soybean x 1.03 at the same work; 0.04: x 0.9, but the proof of munin1 takes
 * 1.3 times as long (before there were classes;
 * bench/log/2026-11-17-sensitivity.csv). */
#define GOOD_FRACTION 0.02F

/* ---- dependent variables ------------------------------------------------- */

/* Replaces the tight sets by those with a large fraction. */
static void show_fractions(const struct bestdag_violated *b)
{
    for (int v = 0; v < b->r->n; v++) {
        struct bestdag_reduced_list *list = &b->r->list[v];
        list->tights = 0;
        for (int64_t i = b->support_start[v]; i < b->support_start[v + 1]; i++)
            if (b->support[i].value >= GOOD_FRACTION)
                list->tight[list->tights++] = b->support[i].set;
    }
}

/* If x is unordered, so are some others: x, the variables that its sets would
 * watch, those that theirs watch, and so on are a cluster that only x
 * misses. */
static void add_dominated(struct bestdag_violated *b, int x)
{
    struct bestdag_tight_order *t = b->r->tight_order;
    struct bestdag_reduced_list *list = &b->r->list[x];
    int tights = list->tights, left = b->r->n;
    for (int v = 0; v < left; v++) {
        t->is_ordered[v] = false;
        t->part[v] = v;
    }
    list->tights = 0;
    int ordered = bestdag_tight_order(b->r, t->part, left);
    list->tights = tights;
    if (ordered < 0 || ordered >= left - 1)
        return;
    bestdag_violated_add(b, x);
    for (int i = 0; i < tights; i++) {
        int u = bestdag_tight_order_member(t, list, list->tight[i]);
        if (u >= 0)
            bestdag_violated_add(b, u);
    }
    for (int k = 1; k < b->size; k++)
        for (int32_t i = t->first[b->cluster[k]];
             bestdag_watch_of(t, i, b->cluster[k]); i++)
            bestdag_violated_add(b, t->watch[i].on);
}

/* ---- all heuristics ------------------------------------------------------ */

enum { CYCLES, DOMINATED, KINDS };

/* Variables per round whose dependent variables are searched for, beginning
 * with a random one: each takes a pass over all sets with a large fraction. */
enum { MOST_DOMINATED = 1024 };

static int look(struct bestdag_violated *b, int kind, int v)
{
    if (kind == CYCLES)
        bestdag_violated_cycle(b, v);
    else
        add_dominated(b, v);
    return bestdag_violated_use(b);
}

/* Looks from all variables, or as many as the kind allows. False: stopped, or
 * an error. */
static bool look_around(struct bestdag_violated *b, int kind, int most)
{
    struct bestdag_relaxation *r = b->r;
    int begun = r->pool.count, roots = r->n, first = 0;
    if (kind == DOMINATED && r->n > MOST_DOMINATED) {
        roots = MOST_DOMINATED;
        first = (int)bestdag_random_below(&r->random, (uint64_t)r->n);
    }
    for (int i = 0; i < roots && r->pool.count - begun < most; i++) {
        int v = (first + i) % r->n;
        if (bestdag_relaxation_stopped(r) || look(b, kind, v) < 0)
            return false;
    }
    return true;
}

int bestdag_separate(struct bestdag_relaxation *r, const double *fraction,
                     int most, const struct bestdag_class_limits *classes)
{
    struct bestdag_violated b;
    int before = r->pool.count;
    bool fine = !bestdag_violated_init(&b, r, fraction);
    for (int kind = 0; kind < KINDS && fine; kind++) {
        if (kind == DOMINATED)
            show_fractions(&b);
        fine = look_around(&b, kind, most);
    }
    if (classes->work && fine)
        bestdag_violated_classes(&b, classes);
    for (int v = 0; v < r->n; v++)
        bestdag_reduced_list_tighten(&r->list[v]);
    bestdag_violated_release(&b);
    return bestdag_run_status(r->run) ? -1 : r->pool.count - before;
}
