/* SPDX-License-Identifier: MIT */
/* separation.c -- new clusters from a fractional network: along short cycles,
 * from variables that others depend on, and with classes. */
#include "bounds/dual_ascent.h"
#include "bounds/violated_cluster.h"

/* Of sets that stand for tight ones. 0.01: gaps of hailfinder, soybean x 1.03
 * at the same work; 0.04: x 0.9, but the proof of munin1 takes 1.3 times as
 * long (before there were classes; bench/log/2026-11-17-sensitivity.csv). */
#define GOOD_FRACTION 0.02F

/* ---- what others depend on --------------------------------------------------
 */

/* The sets with a good fraction stand in for those of reduced cost 0. */
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

/* If x is not ordered, some others cannot be, either: x, the variables that its
 * sets watch then, those that theirs watch, and so on, are a cluster that x
 * alone misses. */
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

/* ---- all --------------------------------------------------------------------
 */

enum { CYCLES, DOMINATED, KINDS };

static int look(struct bestdag_violated *b, int kind, int v)
{
    if (kind == CYCLES)
        bestdag_violated_cycle(b, v);
    else
        add_dominated(b, v);
    return bestdag_violated_use(b);
}

int bestdag_separate(struct bestdag_relaxation *r, const double *fraction,
                     int most, const struct bestdag_class_limits *classes)
{
    struct bestdag_violated b;
    int before = r->pool.count;
    bool fine = !bestdag_violated_init(&b, r, fraction);
    for (int kind = 0; kind < KINDS && fine; kind++) {
        int begun = r->pool.count;
        if (kind == DOMINATED)
            show_fractions(&b);
        for (int v = 0; v < r->n && fine && r->pool.count - begun < most; v++)
            fine = !bestdag_relaxation_stopped(r) && look(&b, kind, v) >= 0;
    }
    if (classes->work && fine)
        bestdag_violated_classes(&b, classes);
    for (int v = 0; v < r->n; v++)
        bestdag_reduced_list_tighten(&r->list[v]);
    bestdag_violated_release(&b);
    return bestdag_run_status(r->run) ? -1 : r->pool.count - before;
}
