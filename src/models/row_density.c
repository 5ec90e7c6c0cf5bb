/* SPDX-License-Identifier: MIT */
/* row_density.c -- see row_density.h. Each row is one question without targets
 * (inference/mixed.c). */
#include "models/row_density.h"

#include <math.h>
#include <string.h>

int bestdag_row_density_init(struct bestdag_run *run,
                             struct bestdag_row_density *to,
                             const struct bestdag_network *network,
                             const struct bestdag_options *options)
{
    size_t n = (size_t)network->dag->n + 1, states = 0;
    *to = (struct bestdag_row_density){.network = network, .options = options};
    for (int v = 0; v < network->dag->n; v++)
        states += (size_t)network->variable[v].states;
    to->weight = bestdag_calloc(run, n, sizeof *to->weight);
    to->value = bestdag_alloc(run, n * sizeof *to->value);
    to->likelihood = bestdag_alloc(run, (states + 1) * sizeof *to->likelihood);
    to->doing = bestdag_alloc(run, n * sizeof *to->doing);
    to->is_set = bestdag_calloc(run, n, sizeof *to->is_set);
    for (int v = 0; to->doing && v < network->dag->n; v++)
        to->doing[v] = -1;
    return bestdag_run_status(run);
}

void bestdag_row_density_release(struct bestdag_row_density *d)
{
    bestdag_free(d->weight);
    bestdag_free(d->value);
    bestdag_free(d->likelihood);
    bestdag_free(d->doing);
    bestdag_free(d->is_set);
    *d = (struct bestdag_row_density){0};
}

/* Sets the row's values as evidence. */
static void read_row(struct bestdag_row_density *d,
                     const struct bestdag_match *match, int64_t row)
{
    double *likelihood = d->likelihood;
    for (int v = 0; v < match->n; v++) {
        const struct bestdag_digit *digit = &match->digit[v];
        int states = d->network->variable[v].states;
        d->weight[v] = NULL;
        d->value[v] = match->number[v] ? match->number[v][row] : NAN;
        if (match->number[v])
            continue;
        int code = digit->bytes == 1 ? ((const uint8_t *)digit->cells)[row]
                                     : ((const uint16_t *)digit->cells)[row];
        if (code < states) {
            memset(likelihood, 0, (size_t)states * sizeof *likelihood);
            likelihood[code] = 1;
            d->weight[v] = likelihood;
        }
        likelihood += states;
    }
}

int bestdag_row_density(struct bestdag_run *run, struct bestdag_row_density *d,
                        const struct bestdag_match *match, int64_t row,
                        double *ln, bool *is_sampled)
{
    struct bestdag_mixed_question q = {.network = d->network,
                                       .weight = d->weight,
                                       .doing = d->doing,
                                       .value = d->value,
                                       .is_set = d->is_set};
    double none[1];
    struct bestdag_mixed_answer answer = {.value = none, .error = none};
    read_row(d, match, row);
    if (bestdag_mixed_ask(run, &q, d->options, &answer))
        return bestdag_run_status(run);
    *ln = answer.ln_evidence;
    *is_sampled = answer.sample_size > 0;
    return BESTDAG_OK;
}
