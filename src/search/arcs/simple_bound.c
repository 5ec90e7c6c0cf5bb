/* SPDX-License-Identifier: MIT */
/* simple_bound.c -- the simple bound: the total cost of the chosen sets, even
 * if they make cycles. Time: one addition per variable. */
#include "search/arcs/arc_bound.h"

static int64_t update(const void *data, struct bestdag_arc_state *m,
                      const int *changed, int count)
{
    const struct bestdag_problem *p = m->problem;
    int64_t sum = 0;
    (void)data;
    (void)changed;
    (void)count;
    for (int v = 0; v < m->n; v++) {
        if (m->set[v] >= p->candidates[v].count)
            return p->none;
        sum += p->candidates[v].cost[m->set[v]];
    }
    return sum;
}

static void choose(const void *data, const struct bestdag_arc_state *m,
                   int32_t *choice)
{
    (void)data;
    for (int v = 0; v < m->n; v++)
        choice[v] = (int32_t)m->set[v];
}

const struct bestdag_arc_bound_row bestdag_arc_bound_simple = {
    .name = "simple",
    .help = "every variable takes its best remaining set",
    .update = update,
    .choose = choose,
};
