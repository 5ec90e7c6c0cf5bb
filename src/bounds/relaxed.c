/* SPDX-License-Identifier: MIT */
/* relaxed.c -- the simple bound: what the chosen sets cost together, cycles or
 * not. Time: one addition a variable. */
#include "bounds/marked.h"

static int64_t update(const void *data, struct bestdag_marked *m,
                      const int *changed, int count)
{
    const struct bestdag_problem *p = m->problem;
    int64_t sum = 0;
    (void)data;
    (void)changed;
    (void)count;
    for (int v = 0; v < m->n; v++) {
        if (m->set[v] >= p->menu[v].count)
            return p->none;
        sum += p->menu[v].cost[m->set[v]];
    }
    return sum;
}

static void choose(const void *data, const struct bestdag_marked *m,
                   int32_t *choice)
{
    (void)data;
    for (int v = 0; v < m->n; v++)
        choice[v] = (int32_t)m->set[v];
}

const struct bestdag_ceiling_row bestdag_ceiling_simple = {
    .name = "simple",
    .help = "every variable takes its best remaining set",
    .update = update,
    .choose = choose,
};
