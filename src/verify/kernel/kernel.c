/* SPDX-License-Identifier: MIT */
/* kernel.c -- the given network: matched with the lists by names, searched for
 * cycles, its families looked up; and the conclusion from the bound. */
#include "verify/kernel/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the network's variables in the lists; the caller frees. */
static int *match_names(struct bestdag_run *run, const struct kernel_lists *l,
                        const struct bestdag_network *net)
{
    int n = bestdag_network_variables(net);
    int *to = bestdag_calloc(run, (size_t)n + 1, sizeof *to);
    char *taken = bestdag_calloc(run, (size_t)l->n + 1, 1);
    if (to && taken && n != l->n)
        bestdag_fail(run, BESTDAG_INPUT,
                     "the network has %d variables, and the score file %d", n,
                     l->n);
    for (int i = 0; i < n && !bestdag_run_status(run); i++) {
        const char *name = bestdag_network_name(net, i);
        to[i] = i;
        if (strcmp(l->names[i], name) != 0)
            for (to[i] = n - 1; to[i] >= 0; to[i]--)
                if (!strcmp(l->names[to[i]], name))
                    break;
        if (to[i] < 0)
            bestdag_fail(run, BESTDAG_INPUT,
                         "the score file has no variable '%s', which the "
                         "network has",
                         name);
        else if (taken[to[i]]++)
            bestdag_fail(run, BESTDAG_INPUT,
                         "the network has two variables '%s'", name);
    }
    bestdag_free(taken);
    return to;
}

int bestdag_kernel_take(struct bestdag_run *run,
                        const struct kernel_lists *lists,
                        const struct bestdag_network *from,
                        struct kernel_network *to)
{
    int *number = match_names(run, lists, from), n = lists->n;
    to->n = n;
    to->start = bestdag_calloc(run, (size_t)n + 1, sizeof *to->start);
    for (int i = 0; i < n && !bestdag_run_status(run); i++)
        to->start[number[i] + 1] = bestdag_network_parents(from, i, NULL, 0);
    for (int v = 0; v < n && to->start; v++)
        to->start[v + 1] += to->start[v];
    to->parent = bestdag_calloc(run, (size_t)(to->start ? to->start[n] : 0) + 1,
                                sizeof *to->parent);
    for (int i = 0; i < n && !bestdag_run_status(run); i++) {
        int32_t *parent = to->parent + to->start[number[i]];
        int count = bestdag_network_parents(from, i, parent, n);
        for (int k = 0; k < count; k++)
            parent[k] = number[parent[k]];
        qsort(parent, (size_t)count, sizeof *parent, bestdag_lists_ascending);
    }
    bestdag_free(number);
    return bestdag_run_status(run);
}

void bestdag_kernel_release(struct kernel_network *g)
{
    bestdag_free(g->start);
    bestdag_free(g->parent);
}

/* Repeatedly places all variables whose parents are placed. Time: number of
 * arcs times the length of the longest path, at worst. */
int bestdag_kernel_cyclic(struct bestdag_run *run,
                          const struct kernel_network *g, const int *extra,
                          int64_t count, bool *cyclic)
{
    char *placed = bestdag_calloc(run, (size_t)g->n + 1, 1);
    char *waits = bestdag_calloc(run, (size_t)g->n + 1, 1);
    int left = g->n, before = left + 1;
    while (placed && waits && left && left < before) {
        before = left;
        memset(waits, 0, (size_t)g->n);
        for (int64_t i = 0; i < count; i++)
            waits[extra[2 * i + 1]] |= !placed[extra[2 * i]];
        for (int v = 0; v < g->n; v++) {
            for (int64_t i = g->start[v]; i < g->start[v + 1]; i++)
                waits[v] |= !placed[g->parent[i]];
            left -= !placed[v] && !waits[v];
            placed[v] |= !waits[v];
        }
    }
    *cyclic = left > 0;
    bestdag_free(placed);
    bestdag_free(waits);
    return bestdag_run_status(run);
}

/* The listed family of v with the best score; -1: it is not listed. */
static int64_t find_family(const struct kernel_lists *l,
                           const struct kernel_network *g, int v)
{
    const int32_t *parents = g->parent + g->start[v];
    int64_t found = -1, count = g->start[v + 1] - g->start[v];
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
        if (bestdag_lists_size(l, s) == count &&
            (!count || !memcmp(parents, l->member + l->start[s],
                               (size_t)count * sizeof *parents)) &&
            (found < 0 || l->score[s] > l->score[found]))
            found = s;
    return found;
}

void bestdag_kernel_rate(const struct kernel_lists *l, struct kernel_network *g,
                         char why[200])
{
    g->listed = true;
    for (int v = 0; v < l->n && g->listed; v++) {
        int64_t s = find_family(l, g, v);
        g->listed =
            s >= 0 && fabs(l->score[s]) <= KERNEL_FIXED_MOST &&
            kernel_fixed_add(&g->exact_score, kernel_fixed_floor(l->score[s]));
        if (g->listed)
            g->cost += l->cost[s];
        else
            snprintf(why, 200,
                     s < 0 ? "the family of '%.100s' in the network "
                             "is not in its list"
                           : "the score of the family of '%.100s' in "
                             "the network is too large to be added "
                             "exactly",
                     l->names[v]);
    }
}

/* sum of best(v) - claim + sum of e(v): no admissible network scores more. */
static bool bound_exactly(const struct kernel_proof *p, kernel_wide *bound)
{
    int left = KERNEL_FIXED_BITS - p->shift;
    kernel_wide claim = p->claim * ((kernel_wide)1 << left);
    *bound = p->lists->excess;
    return kernel_fixed_add(bound, -claim) &&
           kernel_fixed_add(bound, p->lists->most);
}

int bestdag_kernel_conclude(const struct kernel_proof *p,
                            const struct kernel_network *g, bool accepted,
                            struct kernel_verdict *to)
{
    const struct kernel_lists *l = p->lists;
    kernel_wide bound = 0;
    to->score = g->listed ? kernel_fixed_down(g->exact_score) : (double)NAN;
    to->bound = NAN;
    /* at least half of the last printed digit, what solvers round off with
     * units of 2^-32 nat, and the precision of a double */
    to->tolerance = fmax(fmax(5e-7, 1e-9 * l->n), 0x1p-50 * fabs(to->score));
    if (p->refused)
        return BESTDAG_OK;
    if (!bound_exactly(p, &bound))
        return bestdag_fail(p->run, BESTDAG_INPUT,
                            "the scores are too large to be added exactly");
    to->bound = kernel_fixed_up(bound);
    for (int v = 0; v < l->n; v++)
        if (!(l->best[v] > -INFINITY)) /* no set remains: there is no network */
            to->bound = -INFINITY;
    if (!accepted)
        return BESTDAG_OK;
    /* the network is admissible, so the bound holds for it */
    if (g->cost < p->claim || g->exact_score > bound)
        return bestdag_fail(p->run, BESTDAG_FAILED,
                            "internal error: the network costs %lld, less "
                            "than was proved",
                            (long long)g->cost);
    to->optimal = to->bound - to->score <= to->tolerance;
    return BESTDAG_OK;
}
