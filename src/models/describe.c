/* SPDX-License-Identifier: MIT */
/* describe.c -- summary statistics of a network, as JSON. */
#include "base/json.h"
#include "network/regression.h"

static int64_t free_parameters(const struct bestdag_network *net, int v)
{
    int64_t q = bestdag_network_configurations(net, v);
    if (net->variable[v].is_number)
        return q < 0 ? 0 : q * bestdag_network_terms(net, v);
    return q < 0 || !net->variable[v].states
               ? 0
               : q * (net->variable[v].states - 1);
}

static void add_sizes(struct bestdag_json_writer *w,
                      const struct bestdag_network *net)
{
    int most_parents = 0, most_states = 0, numbers = 0;
    int64_t parameters = 0, rows = 0;
    for (int v = 0; v < net->dag->n; v++) {
        if (net->dag->parents[v].count > most_parents)
            most_parents = net->dag->parents[v].count;
        if (net->variable[v].states > most_states)
            most_states = net->variable[v].states;
        parameters += free_parameters(net, v);
        numbers += net->variable[v].is_number;
        if (net->variable[v].table)
            rows += bestdag_network_configurations(net, v);
    }
    bestdag_json_add_integer(w, "variables", net->dag->n);
    if (numbers)
        bestdag_json_add_integer(w, "numbers", numbers);
    bestdag_json_add_integer(w, "arcs", bestdag_dag_arcs(net->dag));
    bestdag_json_add_integer(w, "most_parents", most_parents);
    bestdag_json_add_integer(w, "most_states", most_states);
    bestdag_json_add_integer(w, "free_parameters", parameters);
    bestdag_json_add_integer(w, "table_rows", rows);
    bestdag_json_add_bool(w, "fitted", bestdag_network_is_fitted(net));
}

char *bestdag_network_describe(struct bestdag_run *run,
                               const struct bestdag_network *network)
{
    if (bestdag_lacks(run, network, "network"))
        return NULL;
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "name", network->name);
    add_sizes(&w, network);
    bestdag_json_open(&w, "provenance", '{');
    for (int i = 0; i < network->notes; i++)
        bestdag_json_add_text(&w, network->note[2 * i],
                              network->note[2 * i + 1]);
    bestdag_json_close(&w, '}');
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}
