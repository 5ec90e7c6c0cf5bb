/* SPDX-License-Identifier: MIT */
/* fitting.c -- parameters for a learned graph, whatever ended the search. */
#include "learn/fitting.h"

#include "network/network.h"

/* The table's variables with the arcs of a graph. */
static struct bestdag_network *draw_arcs(struct bestdag_run *run,
                                         const struct bestdag_dag *dag,
                                         const struct bestdag_table *table)
{
    struct bestdag_network *net = bestdag_network_new(run, table);
    for (int v = 0; net && v < dag->n; v++)
        if (bestdag_dag_set_parents(run, net->dag, v, dag->parents[v].at,
                                    dag->parents[v].count)) {
            bestdag_network_free(net);
            return NULL;
        }
    return net;
}

struct bestdag_network *bestdag_fitting_calm(
    struct bestdag_run *run, const struct bestdag_dag *dag,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options)
{
    struct bestdag_network *net = draw_arcs(run, dag, table), *fitted = NULL;
    struct bestdag_share share = {.reports = true};
    struct bestdag_run *calm = net ? bestdag_run_slice(run, share) : NULL;
    if (calm) {
        calm->outer = NULL;
        calm->deadline = 0;
        fitted = bestdag_network_fit_under(calm, net, table, rules, options);
        if (!fitted && atomic_load(&calm->stop)) {
            bestdag_run_clear(calm);
            calm->on_progress = NULL; /* it asked to stop */
            fitted =
                bestdag_network_fit_under(calm, net, table, rules, options);
        }
        calm->outer = run;
        bestdag_run_join(calm);
    }
    bestdag_network_free(net);
    return fitted;
}
