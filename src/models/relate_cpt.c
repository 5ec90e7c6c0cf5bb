/* SPDX-License-Identifier: MIT */
/* relate_cpt.c -- the conditional table of a variable as JSON:
 *
 *     "cpt": {"variable": "wet", "states": ["no", "yes"], "parents": ["rain"],
 *             "rows": [{"given": ["no"], "probability": [0.9, 0.1],
 *                       "count": 80}, ...]}
 *
 * "given" has the states of the parents in their order; "count" is the number
 * of data rows that the probabilities were estimated from, where the network
 * has it. */
#include "models/relate.h"

/* The states of the parents in row j, the last fastest. */
static void add_given(struct bestdag_relation *r, int v, int64_t j)
{
    const struct bestdag_parents *p = &r->network->dag->parents[v];
    for (int i = p->count - 1; i >= 0; i--) {
        int states = r->network->variable[p->at[i]].states;
        r->list[i] = (int)(j % states);
        j /= states;
    }
    bestdag_json_open(&r->w, "given", '[');
    for (int i = 0; i < p->count; i++)
        bestdag_json_add_text(
            &r->w, NULL, r->network->variable[p->at[i]].labels[r->list[i]]);
    bestdag_json_close(&r->w, ']');
}

static void add_row(struct bestdag_relation *r, int v, int64_t j)
{
    const struct bestdag_variable *x = &r->network->variable[v];
    bestdag_json_open(&r->w, NULL, '{');
    add_given(r, v, j);
    bestdag_json_open(&r->w, "probability", '[');
    for (int s = 0; s < x->states; s++)
        bestdag_json_add_number(&r->w, NULL, x->table[j * x->states + s]);
    bestdag_json_close(&r->w, ']');
    if (x->counts)
        bestdag_json_add_integer(&r->w, "count", x->counts[j]);
    bestdag_json_close(&r->w, '}');
}

/* The states of the parents that have states, in configuration j. */
static void add_states(struct bestdag_relation *r, int v, int64_t j)
{
    const struct bestdag_parents *p = &r->network->dag->parents[v];
    for (int i = p->count - 1; i >= 0; i--) {
        const struct bestdag_variable *x = &r->network->variable[p->at[i]];
        if (x->is_number)
            continue;
        r->list[i] = (int)(j % x->states);
        j /= x->states;
    }
    bestdag_json_open(&r->w, "given", '{');
    for (int i = 0; i < p->count; i++) {
        const struct bestdag_variable *x = &r->network->variable[p->at[i]];
        if (!x->is_number)
            bestdag_json_add_text(&r->w, x->name, x->labels[r->list[i]]);
    }
    bestdag_json_close(&r->w, '}');
}

/* The regressions of a number. */
static int add_regressions(struct bestdag_relation *r, int v)
{
    const struct bestdag_network *net = r->network;
    const struct bestdag_variable *x = &net->variable[v];
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t q = bestdag_network_configurations(net, v);
    const double *term = x->regression;
    bestdag_json_open(&r->w, "cpt", '{');
    bestdag_json_add_text(&r->w, "variable", x->name);
    bestdag_relation_names(r, "parents", p->at, p->count);
    bestdag_json_open(&r->w, "regressions", '[');
    for (int64_t j = 0; j < q; j++) {
        bestdag_json_open(&r->w, NULL, '{');
        add_states(r, v, j);
        bestdag_json_add_number(&r->w, "intercept", *term++);
        bestdag_json_open(&r->w, "coefficients", '{');
        for (int i = 0; i < p->count; i++)
            if (net->variable[p->at[i]].is_number)
                bestdag_json_add_number(&r->w, net->variable[p->at[i]].name,
                                        *term++);
        bestdag_json_close(&r->w, '}');
        bestdag_json_add_number(&r->w, "sd", *term++);
        if (x->counts)
            bestdag_json_add_integer(&r->w, "count", x->counts[j]);
        bestdag_json_close(&r->w, '}');
    }
    bestdag_json_close(&r->w, ']');
    bestdag_json_close(&r->w, '}');
    return bestdag_run_status(r->run);
}

int bestdag_relation_cpt(struct bestdag_relation *r, int variable)
{
    const struct bestdag_variable *x = &r->network->variable[variable];
    const struct bestdag_parents *p = &r->network->dag->parents[variable];
    if (x->regression)
        return add_regressions(r, variable);
    if (!x->table)
        return bestdag_fail(r->run, BESTDAG_USAGE,
                            "'%s' has no probabilities: 'bestdag fit' "
                            "estimates them from data",
                            x->name);
    bestdag_json_open(&r->w, "cpt", '{');
    bestdag_json_add_text(&r->w, "variable", x->name);
    bestdag_json_open(&r->w, "states", '[');
    for (int s = 0; s < x->states; s++)
        bestdag_json_add_text(&r->w, NULL, x->labels[s]);
    bestdag_json_close(&r->w, ']');
    bestdag_relation_names(r, "parents", p->at, p->count);
    bestdag_json_open(&r->w, "rows", '[');
    for (int64_t j = 0;
         j < bestdag_network_configurations(r->network, variable); j++)
        add_row(r, variable, j);
    bestdag_json_close(&r->w, ']');
    bestdag_json_close(&r->w, '}');
    return bestdag_run_status(r->run);
}
