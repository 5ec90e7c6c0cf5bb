/* SPDX-License-Identifier: MIT */
/* mixed_states.c -- the network without numbers that stands for one with them:
 * its variables with states, and an observed variable for each component: see
 * mixed.c.
 *
 * Densities may be thousands of nats apart, and the largest may belong to a
 * configuration that something else rules out: then the others, as parts of it,
 * are less than the smallest double. If the evidence comes out that improbable,
 * all is made again with several observed variables for a component, whose
 * tables are roots of its factor. */
#include <math.h>
#include <stdio.h>

#include "inference/mixed_parts.h"

/* Nats that a table may span: 2^-1022, below which doubles lose digits, is 708
 * below 1, and the rest is for the probabilities of states. */
static const double MOST_SPAN = 600;
enum { MOST_COPIES = 1000 }; /* a number 1,000 standard deviations away */

/* A variable that do() sets has no parents, and any table. */
static int add_states(struct bestdag_mixed *m, int v, int *parent)
{
    const struct bestdag_variable *x = &m->net->variable[v];
    const struct bestdag_parents *p = &m->net->dag->parents[v];
    int to = m->local[v], count = m->q->doing[v] >= 0 ? 0 : p->count;
    if (bestdag_network_set_variable(
            m->run, m->states, to, bestdag_strdup(m->run, x->name),
            bestdag_labels_copy(m->run, x->labels, x->states), x->states))
        return bestdag_run_status(m->run);
    for (int i = 0; i < count; i++)
        parent[i] = m->local[p->at[i]];
    return bestdag_dag_set_parents(m->run, m->states->dag, to, parent, count);
}

/* A variable that stands for a component, observed in its state 1. */
static int add_factor(struct bestdag_mixed *m,
                      const struct bestdag_number_group *c, int local,
                      int *parent)
{
    char zero[] = "0", one[] = "1", *labels[] = {zero, one}, name[32];
    snprintf(name, sizeof name, " %d", local);
    if (bestdag_network_set_variable(m->run, m->states, local,
                                     bestdag_strdup(m->run, name),
                                     bestdag_labels_copy(m->run, labels, 2), 2))
        return bestdag_run_status(m->run);
    for (int i = 0; i < c->scopes; i++)
        parent[i] = m->local[c->scope[i]];
    return bestdag_dag_set_parents(m->run, m->states->dag, local, parent,
                                   c->scopes);
}

/* The factor, or a root of it. */
static int fill_factor(struct bestdag_mixed *m,
                       const struct bestdag_number_group *c, int local)
{
    if (bestdag_network_new_table(m->run, m->states, local))
        return bestdag_run_status(m->run);
    double *table = m->states->variable[local].table;
    for (int64_t j = 0; j < c->configurations; j++) {
        table[2 * j + 1] = exp((c->ln[j] - c->largest) / c->copies);
        table[2 * j] = 1 - table[2 * j + 1];
    }
    return BESTDAG_OK;
}

/* Numbers go to the network in ascending order, so that tables stay as they
 * are. */
static int fill_tables(struct bestdag_mixed *m)
{
    for (int v = 0; v < m->n; v++) {
        int to = m->local[v], states = m->net->variable[v].states;
        if (to < 0)
            continue;
        if (bestdag_network_new_table(m->run, m->states, to))
            return bestdag_run_status(m->run);
        double *table = m->states->variable[to].table;
        int64_t cells = bestdag_network_configurations(m->states, to) * states;
        for (int64_t i = 0; i < cells; i++)
            table[i] = m->q->doing[v] >= 0 ? 1.0 / states
                                           : m->net->variable[v].table[i];
    }
    for (int i = 0; i < m->components; i++) {
        const struct bestdag_number_group *c = &m->component[i];
        for (int k = 0; k < c->copies; k++)
            if (fill_factor(m, c, c->local + k))
                return bestdag_run_status(m->run);
    }
    return BESTDAG_OK;
}

/* How far its factor reaches below the largest value, in nats. */
static double span_of(const struct bestdag_number_group *c)
{
    double span = 0;
    for (int64_t j = 0; c->ln && j < c->configurations; j++)
        if (c->ln[j] > -INFINITY)
            span = fmax(span, c->largest - c->ln[j]);
    return span;
}

/* Numbers its variables; returns how many there are. */
static int number_states(struct bestdag_mixed *m)
{
    int count = 0;
    for (int v = 0; v < m->n; v++)
        if (m->matters[v] && !m->net->variable[v].is_number)
            m->local[v] = count++;
    for (int i = 0; i < m->components; i++) {
        struct bestdag_number_group *c = &m->component[i];
        if (!c->ln || !c->scopes)
            continue;
        c->local = count;
        c->copies =
            m->is_spread ? (int)fmax(1, ceil(span_of(c) / MOST_SPAN)) : 1;
        count += c->copies;
    }
    return count;
}

static int build_states(struct bestdag_mixed *m, int count)
{
    int *parent = bestdag_alloc(m->run, ((size_t)m->n + 1) * sizeof *parent);
    m->states = parent ? bestdag_network_empty(m->run, count) : NULL;
    for (int v = 0; m->states && v < m->n; v++)
        if (m->local[v] >= 0 && add_states(m, v, parent))
            break;
    for (int i = 0; i < m->components; i++) {
        const struct bestdag_number_group *c = &m->component[i];
        for (int k = 0; k < c->copies && !bestdag_run_status(m->run); k++)
            add_factor(m, c, c->local + k, parent);
    }
    bestdag_free(parent);
    return bestdag_run_status(m->run) ? bestdag_run_status(m->run)
                                      : fill_tables(m);
}

static int tell(struct bestdag_mixed *m)
{
    for (int v = 0; v < m->n; v++) {
        int to = m->local[v];
        if (to < 0)
            continue;
        if (m->q->doing[v] >= 0)
            bestdag_session_intervene(m->run, m->session, to, m->q->doing[v]);
        if (m->q->weight[v])
            bestdag_session_weigh(m->run, m->session, to, m->q->weight[v],
                                  m->net->variable[v].states);
    }
    for (int i = 0; i < m->components; i++) {
        const struct bestdag_number_group *c = &m->component[i];
        for (int k = 0; k < c->copies; k++)
            bestdag_session_observe(m->run, m->session, c->local + k, 1);
    }
    return bestdag_run_status(m->run);
}

static int open_session(struct bestdag_mixed *m,
                        const struct bestdag_options *options)
{
    int count = number_states(m);
    if (!count)
        return BESTDAG_OK;
    if (build_states(m, count))
        return bestdag_run_status(m->run);
    m->engine = bestdag_engine_new(m->run, m->states, NULL, 0, options);
    m->session = m->engine ? bestdag_session_new(m->run, m->engine) : NULL;
    return m->session ? tell(m) : bestdag_run_status(m->run);
}

/* May doubles have been too small for the answer? */
static bool is_too_small(struct bestdag_mixed *m, double *span)
{
    *span = 0;
    for (int i = 0; i < m->components; i++)
        if (m->component[i].local >= 0)
            *span = fmax(*span, span_of(&m->component[i]));
    return m->session && *span > MOST_SPAN &&
           bestdag_session_evidence(m->run, m->session) < -MOST_SPAN &&
           !(bestdag_session_sample_size(m->session) > 0);
}

int bestdag_mixed_open(struct bestdag_mixed *m,
                       const struct bestdag_options *options)
{
    double span;
    if (bestdag_mixed_factors(m) || m->ln == -INFINITY ||
        open_session(m, options) || !is_too_small(m, &span))
        return bestdag_run_status(m->run);
    if (span > MOST_SPAN * MOST_COPIES)
        return bestdag_fail(m->run, BESTDAG_INPUT,
                            "what is known of the numbers is too improbable "
                            "for an answer: densities e^%.3g apart",
                            span);
    bestdag_session_free(m->session);
    bestdag_engine_free(m->engine);
    bestdag_network_free(m->states);
    m->session = NULL;
    m->engine = NULL;
    m->states = NULL;
    m->is_spread = true;
    return open_session(m, options);
}
