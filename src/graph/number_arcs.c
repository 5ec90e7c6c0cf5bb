/* SPDX-License-Identifier: MIT */
/* number_arcs.c -- see number_arcs.h. Time and memory as for a PDAG. */
#include "graph/number_arcs.h"

#include "base/row.h"
#include "graph/meek.h"

int bestdag_number_arcs_label(struct bestdag_run *run,
                              const struct bestdag_dag *dag,
                              const bool *is_number,
                              struct bestdag_labels *labels)
{
    struct bestdag_pdag *graph = bestdag_pdag_labelled(run, dag, labels);
    if (!graph)
        return bestdag_run_status(run);
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            if (is_number[v] && !is_number[dag->parents[v].at[i]])
                bestdag_pdag_add_arc(graph, dag->parents[v].at[i], v);
    bestdag_pdag_direct(graph);
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            labels->compelled[labels->start[v] + i] =
                !bestdag_row_has(graph->neighbours + (size_t)v * graph->words,
                                 dag->parents[v].at[i]);
    bestdag_pdag_free(graph);
    return bestdag_run_status(run);
}
