/* SPDX-License-Identifier: MIT */
/* mixed_explain.c -- the most probable explanations of networks with numbers.
 *
 * MAP of states: the factors of components (mixed.c) integrate numbers out, so
 * the MAP of the network of states is the MAP of the whole network.
 *
 * Modes of the joint density: given all states, the density of the numbers that
 * are not known is largest at their mean, where it is the reciprocal of the
 * root of det(2 pi covariance). With these densities as factors the engine's
 * most probable explanation of the states, with the means, is the mode of all;
 * further ones are the modes of other assignments of the states. A change of
 * units multiplies all densities by the same factor, which changes no order. */
#include <math.h>
#include <string.h>

#include "inference/mixed_parts.h"

static struct bestdag_options *exact_options(
    struct bestdag_run *run, const struct bestdag_options *options)
{
    struct bestdag_options *to =
        options ? bestdag_options_copy(run, options) : bestdag_options_new(run);
    if (to)
        bestdag_options_need_exact(run, to);
    return to;
}

int bestdag_mixed_open_exactly(struct bestdag_mixed *m,
                               const struct bestdag_options *options,
                               const char *what)
{
    struct bestdag_options *exact;
    if (!strcmp(bestdag_option_value(options, &bestdag_inference_options,
                                     "inference")
                    .text,
                "sampling"))
        return bestdag_fail(m->run, BESTDAG_USAGE,
                            "%s cannot be sampled (--inference sampling)",
                            what);
    if (bestdag_mixed_split(m))
        return bestdag_run_status(m->run);
    if (!bestdag_mixed_is_small(m))
        return bestdag_fail(m->run, BESTDAG_MEMORY,
                            "the numbers on which %s would depend have too "
                            "many configurations of states, and it cannot be "
                            "sampled",
                            what);
    exact = exact_options(m->run, options);
    if (exact)
        bestdag_mixed_open(m, exact);
    bestdag_options_free(exact);
    return bestdag_run_status(m->run);
}

static struct bestdag_mixed of_question(struct bestdag_run *run,
                                        const struct bestdag_mixed_question *q)
{
    return (struct bestdag_mixed){
        .run = run, .q = q, .net = q->network, .n = q->network->dag->n};
}

static double evidence_of(struct bestdag_mixed *m)
{
    return m->ln + (m->session && m->ln > -INFINITY
                        ? bestdag_session_evidence(m->run, m->session)
                        : 0);
}

/* Copies the states of the targets from the engine's explanations, which have
 * `columns` states each: those of `local`, by number in the network of states
 * (NULL: all). */
static void take_states(const struct bestdag_mixed *m, const int *state,
                        int columns, const int *listed,
                        struct bestdag_mixed_explanations *to)
{
    for (int k = 0; k < to->found; k++) {
        int *row = to->state + (ptrdiff_t)k * m->n;
        for (int v = 0; v < m->n; v++)
            row[v] = -1;
        for (int i = 0; i < m->q->targets; i++) {
            int v = m->q->target[i];
            if (m->local[v] >= 0)
                row[v] = state[(ptrdiff_t)k * columns +
                               (listed ? listed[i] : m->local[v])];
        }
    }
}

/* ---- states -------------------------------------------------------------- */

static int find_map(struct bestdag_mixed *m,
                    struct bestdag_mixed_explanations *to)
{
    int count = m->q->targets;
    size_t room = (size_t)count + 1;
    int *variable = bestdag_alloc(m->run, room * sizeof *variable);
    int *place = bestdag_alloc(m->run, room * sizeof *place);
    int *state = bestdag_alloc(m->run, (size_t)to->best * room * sizeof *state);
    for (int i = 0; variable && place && i < count; i++) {
        variable[i] = m->local[m->q->target[i]];
        place[i] = i;
    }
    if (variable && place && state)
        to->found = bestdag_session_explain(m->run, m->session, variable, count,
                                            to->best, state, to->ln);
    if (!bestdag_run_status(m->run))
        take_states(m, state, count, place, to);
    bestdag_free(variable);
    bestdag_free(place);
    bestdag_free(state);
    return bestdag_run_status(m->run);
}

/* Fills in the known numbers. */
static void take_known(const struct bestdag_mixed *m,
                       struct bestdag_mixed_explanations *to)
{
    for (ptrdiff_t k = 0; k < to->found; k++)
        for (int v = 0; v < m->n; v++)
            to->value[k * m->n + v] = m->value[v];
}

int bestdag_mixed_map(struct bestdag_run *run,
                      const struct bestdag_mixed_question *q,
                      const struct bestdag_options *options,
                      struct bestdag_mixed_explanations *to)
{
    struct bestdag_mixed m = of_question(run, q);
    to->found = 0;
    to->ln_evidence = -INFINITY;
    if (!bestdag_mixed_open_exactly(&m, options,
                                    "the most probable explanation")) {
        to->ln_evidence = evidence_of(&m);
        if (!bestdag_run_status(run) && to->ln_evidence > -INFINITY &&
            !find_map(&m, to)) {
            take_known(&m, to);
            to->method = bestdag_mixed_method(&m);
            for (int k = 0; k < to->found; k++)
                to->ln[k] += m.ln - to->ln_evidence;
        }
    }
    bestdag_mixed_release(&m);
    return bestdag_run_status(run);
}

/* ---- modes --------------------------------------------------------------- */

/* The means of the component's targets in the k-th explanation. */
static int take_values(struct bestdag_mixed *m,
                       const struct bestdag_number_group *c,
                       struct bestdag_gaussian *g, int k,
                       struct bestdag_mixed_explanations *to)
{
    const int *state = to->state + (ptrdiff_t)k * m->n;
    double *value = to->value + (ptrdiff_t)k * m->n, ln;
    double *known =
        bestdag_alloc(m->run, ((size_t)c->members + 1) * sizeof *known);
    if (known && !bestdag_mixed_condition(
                     m, c, bestdag_mixed_index(m, c, state), g, known, &ln))
        for (int i = 0; i < c->unknown; i++)
            value[c->member[i]] = g->mean[i];
    bestdag_free(known);
    return bestdag_run_status(m->run);
}

static int take_all_values(struct bestdag_mixed *m,
                           struct bestdag_mixed_explanations *to)
{
    take_known(m, to);
    for (int i = 0; i < m->components && !bestdag_run_status(m->run); i++) {
        const struct bestdag_number_group *c = &m->component[i];
        struct bestdag_gaussian g = {0};
        if (!bestdag_gaussian_init(m->run, &g, c->members))
            for (int k = 0; k < to->found && c->is_asked; k++)
                if (take_values(m, c, &g, k, to))
                    break;
        bestdag_gaussian_release(&g);
    }
    return bestdag_run_status(m->run);
}

static int find_modes(struct bestdag_mixed *m,
                      struct bestdag_mixed_explanations *to)
{
    int count = m->session ? m->states->dag->n : 0;
    int *state = bestdag_alloc(m->run, (size_t)to->best * ((size_t)count + 1) *
                                           sizeof *state);
    if (!state)
        return bestdag_run_status(m->run);
    to->found = 1;
    to->ln[0] = 0;
    if (m->session)
        to->found = bestdag_session_explain(m->run, m->session, NULL, count,
                                            to->best, state, to->ln);
    if (!bestdag_run_status(m->run)) {
        take_states(m, state, count, NULL, to);
        take_all_values(m, to);
    }
    bestdag_free(state);
    return bestdag_run_status(m->run);
}

int bestdag_mixed_modes(struct bestdag_run *run,
                        const struct bestdag_mixed_question *q,
                        const struct bestdag_options *options,
                        struct bestdag_mixed_explanations *to)
{
    static const char what[] = "the most probable explanation";
    struct bestdag_mixed all = of_question(run, q), m = of_question(run, q);
    m.is_mode = true;
    to->found = 0;
    to->ln_evidence = -INFINITY;
    if (!bestdag_mixed_open_exactly(&all, options, what))
        to->ln_evidence = evidence_of(&all);
    if (!bestdag_run_status(run) && to->ln_evidence > -INFINITY &&
        !bestdag_mixed_open_exactly(&m, options, what) && !find_modes(&m, to)) {
        to->method = bestdag_mixed_method(&m);
        for (int k = 0; k < to->found; k++)
            to->ln[k] += m.ln - to->ln_evidence;
    }
    bestdag_mixed_release(&all);
    bestdag_mixed_release(&m);
    return bestdag_run_status(run);
}
