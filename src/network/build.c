/* SPDX-License-Identifier: MIT */
/* build.c -- networks that a user of the library builds: names, then states,
 * arcs (bestdag_network_set_parents) and tables, each checked when it is
 * given. */
#include <string.h>

#include "base/text.h"
#include "network/network.h"

struct bestdag_network *bestdag_network_build(struct bestdag_run *run,
                                              int variables,
                                              const char *const *names)
{
    if (bestdag_lacks(run, names, "list of names"))
        return NULL;
    if (variables < 1) {
        bestdag_fail(run, BESTDAG_USAGE, "%d variables, expected at least 1",
                     variables);
        return NULL;
    }
    struct bestdag_network *net = bestdag_network_empty(run, variables);
    for (int v = 0; net && v < variables; v++)
        if (bestdag_lacks(run, names[v], "name of a variable") ||
            bestdag_network_set_variable(
                run, net, v, bestdag_strdup(run, names[v]), NULL, 0))
            break;
    if (!bestdag_network_check_consistency(run, net, "network"))
        return net;
    bestdag_network_free(net);
    return NULL;
}

/* Checks that v is a variable, and that neither it nor its children have
 * tables. */
static int check_variable(struct bestdag_run *run,
                          const struct bestdag_network *network, int v)
{
    if (bestdag_lacks(run, network, "network"))
        return bestdag_run_status(run);
    if (v < 0 || v >= network->dag->n)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "there is no variable %d, expected 0 to %d", v,
                            network->dag->n - 1);
    return BESTDAG_OK;
}

int bestdag_network_set_states(struct bestdag_run *run,
                               struct bestdag_network *network, int variable,
                               int states, const char *const *labels)
{
    const char *twice = NULL;
    if (check_variable(run, network, variable) ||
        bestdag_lacks(run, labels, "list of labels"))
        return bestdag_run_status(run);
    struct bestdag_variable *x = &network->variable[variable];
    if (states < 1 || x->states || x->is_number)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "%d states for '%s', expected at least 1, once",
                            states, x->name);
    for (int s = 0; s < states; s++)
        if (bestdag_lacks(run, labels[s], "label of a state"))
            return bestdag_run_status(run);
    if (bestdag_text_twice(run, labels, states, &twice))
        return bestdag_run_status(run);
    if (twice)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "two states of '%s' are called '%s'", x->name,
                            twice);
    x->labels = bestdag_labels_copy(run, (char *const *)labels, states);
    x->states = x->labels ? states : 0;
    return bestdag_run_status(run);
}

int bestdag_network_set_probabilities(struct bestdag_run *run,
                                      struct bestdag_network *network,
                                      int variable, const double *table,
                                      int64_t count)
{
    int64_t changed = 0;
    if (check_variable(run, network, variable) ||
        bestdag_lacks(run, table, "table of probabilities"))
        return bestdag_run_status(run);
    struct bestdag_variable *x = &network->variable[variable];
    double *old = x->table;
    x->table = NULL;
    if (!bestdag_network_new_table(run, network, variable)) {
        int64_t cells =
            bestdag_network_configurations(network, variable) * x->states;
        if (cells != count)
            bestdag_fail(run, BESTDAG_USAGE,
                         "the table of '%s' has %lld numbers, expected %lld",
                         x->name, (long long)count, (long long)cells);
        else {
            memcpy(x->table, table, (size_t)count * sizeof *table);
            bestdag_network_check_table(run, network, variable, "network",
                                        &changed);
        }
    }
    bestdag_free(bestdag_run_status(run) ? x->table : old);
    if (bestdag_run_status(run))
        x->table = old;
    return bestdag_run_status(run);
}
