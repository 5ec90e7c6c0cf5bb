/* SPDX-License-Identifier: MIT */
/* consistency.c -- the checks with which every reader of networks ends.
 *
 * Names and labels must be unique, the graph without cycles, the rows of tables
 * probabilities, regressions finite, and no number a parent of states. Linear
 * in the network. */
#include <math.h>
#include <string.h>

#include "base/place.h"
#include "base/text.h"
#include "network/regression.h"

int bestdag_variable_fail(struct bestdag_run *run, const char *file,
                          const struct bestdag_variable *v, const char *format,
                          ...)
{
    struct bestdag_place at = {v->line, v->line ? v->column : 0};
    va_list list;
    va_start(list, format);
    int status = bestdag_fail_at_list(run, file, at, format, list);
    va_end(list);
    return status;
}

int bestdag_network_check_acyclic(struct bestdag_run *run,
                                  const struct bestdag_network *network,
                                  const char *file)
{
    int *cycle = bestdag_alloc(run, (size_t)network->dag->n * sizeof *cycle);
    int length = cycle ? bestdag_dag_cycle(run, network->dag, cycle) : -1;
    if (length > 0) {
        struct bestdag_buffer b = {.run = run};
        int shown = length > 8 ? 8 : length;
        for (int i = 0; i < shown; i++)
            bestdag_buffer_format(&b, "%s -> ",
                                  network->variable[cycle[i]].name);
        bestdag_buffer_text(
            &b, length > shown ? "..." : network->variable[cycle[0]].name);
        char *text = bestdag_buffer_take(&b);
        if (text)
            bestdag_variable_fail(run, file, &network->variable[cycle[0]],
                                  "the arcs form a cycle: %s", text);
        bestdag_free(text);
    }
    bestdag_free(cycle);
    return bestdag_run_status(run);
}

static int check_names(struct bestdag_run *run, struct bestdag_network *network,
                       const char *file)
{
    for (int v = 0; v < network->dag->n; v++)
        if (!network->variable[v].name || !*network->variable[v].name)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "%s: variable %d has no name", file, v);
    bestdag_free(network->bucket);
    network->bucket = NULL;
    for (int v = 0; v < network->dag->n; v++) {
        const char *name = network->variable[v].name;
        if (bestdag_network_find(run, network, name) != v)
            return bestdag_run_status(run)
                       ? bestdag_run_status(run)
                       : bestdag_fail(run, BESTDAG_INPUT,
                                      "%s: two variables are called '%s'", file,
                                      name);
    }
    return BESTDAG_OK;
}

static int check_labels(struct bestdag_run *run,
                        const struct bestdag_variable *v, const char *file)
{
    const char *twice;
    if (bestdag_text_twice(run, (const char *const *)v->labels, v->states,
                           &twice))
        return bestdag_run_status(run);
    return twice ? bestdag_variable_fail(run, file, v,
                                         "two states of '%s' are called '%s'",
                                         v->name, twice)
                 : BESTDAG_OK;
}

/* Returns 1 if a row had to be changed, negative: failed. */
static int settle_row(struct bestdag_run *run, const struct bestdag_variable *v,
                      double *row, const char *file)
{
    char number[BESTDAG_NUMBER_ROOM];
    double sum = 0;
    for (int s = 0; s < v->states; s++) {
        if (!(row[s] >= 0 && row[s] <= 1.01)) {
            bestdag_number_brief(row[s], number);
            bestdag_variable_fail(
                run, file, v,
                "the table of '%s' has %s, expected a probability", v->name,
                number);
            return -1;
        }
        sum += row[s];
    }
    if (!(fabs(sum - 1) <= 0.01)) {
        bestdag_number_brief(sum, number);
        bestdag_variable_fail(
            run, file, v, "a row of the table of '%s' sums to %s, expected 1",
            v->name, number);
        return -1;
    }
    if (fabs(sum - 1) <= 1e-6)
        return 0;
    for (int s = 0; s < v->states; s++)
        row[s] /= sum;
    return 1;
}

int bestdag_network_check_table(struct bestdag_run *run,
                                struct bestdag_network *network, int v,
                                const char *file, int64_t *changed)
{
    struct bestdag_variable *x = &network->variable[v];
    int64_t q = x->table ? bestdag_network_configurations(network, v) : 0;
    for (int64_t j = 0; j < q; j++) {
        int got = settle_row(run, x, x->table + j * x->states, file);
        if (got < 0)
            return BESTDAG_INPUT;
        *changed += got;
    }
    return BESTDAG_OK;
}

static int settle_tables(struct bestdag_run *run,
                         struct bestdag_network *network, const char *file)
{
    int64_t changed = 0;
    for (int v = 0; v < network->dag->n; v++)
        if (bestdag_network_check_table(run, network, v, file, &changed))
            return BESTDAG_INPUT;
    if (changed)
        bestdag_note(run, 0,
                     "%s: %lld table rows did not sum to 1 and were scaled",
                     file, (long long)changed);
    return BESTDAG_OK;
}

int bestdag_network_check_consistency(struct bestdag_run *run,
                                      struct bestdag_network *network,
                                      const char *file)
{
    if (bestdag_run_status(run) || check_names(run, network, file))
        return bestdag_run_status(run);
    for (int v = 0; v < network->dag->n; v++)
        if (check_labels(run, &network->variable[v], file))
            return bestdag_run_status(run);
    if (bestdag_network_check_acyclic(run, network, file))
        return bestdag_run_status(run);
    if (bestdag_network_check_numbers(run, network, file))
        return bestdag_run_status(run);
    return settle_tables(run, network, file);
}
