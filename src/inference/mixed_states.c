/* SPDX-License-Identifier: MIT */
/* mixed_states.c -- the network without numbers that stands for one with them:
 * its variables with states, and an observed variable for each component: see
 * mixed.c. */
#include <math.h>
#include <stdio.h>

#include "inference/mixed_parts.h"

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

/* The variable that stands for a component, observed in its state 1. */
static int add_factor(struct bestdag_mixed *m,
                      const struct bestdag_number_group *c, int *parent)
{
    char zero[] = "0", one[] = "1", *labels[] = {zero, one}, name[32];
    snprintf(name, sizeof name, " %d", c->local);
    if (bestdag_network_set_variable(m->run, m->states, c->local,
                                     bestdag_strdup(m->run, name),
                                     bestdag_labels_copy(m->run, labels, 2), 2))
        return bestdag_run_status(m->run);
    for (int i = 0; i < c->scopes; i++)
        parent[i] = m->local[c->scope[i]];
    return bestdag_dag_set_parents(m->run, m->states->dag, c->local, parent,
                                   c->scopes);
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
        if (c->local < 0)
            continue;
        if (bestdag_network_new_table(m->run, m->states, c->local))
            return bestdag_run_status(m->run);
        double *table = m->states->variable[c->local].table;
        for (int64_t j = 0; j < c->configurations; j++) {
            table[2 * j + 1] = exp(c->ln[j] - c->largest);
            table[2 * j] = 1 - table[2 * j + 1];
        }
    }
    return BESTDAG_OK;
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
        if (c->ln && c->scopes)
            c->local = count++;
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
    for (int i = 0; !bestdag_run_status(m->run) && i < m->components; i++)
        if (m->component[i].local >= 0)
            add_factor(m, &m->component[i], parent);
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
    for (int i = 0; i < m->components; i++)
        if (m->component[i].local >= 0)
            bestdag_session_observe(m->run, m->session, m->component[i].local,
                                    1);
    return bestdag_run_status(m->run);
}

int bestdag_mixed_open(struct bestdag_mixed *m,
                       const struct bestdag_options *options)
{
    if (bestdag_mixed_factors(m) || m->ln == -INFINITY)
        return bestdag_run_status(m->run);
    int count = number_states(m);
    if (!count)
        return BESTDAG_OK;
    if (build_states(m, count))
        return bestdag_run_status(m->run);
    m->engine = bestdag_engine_new(m->run, m->states, NULL, 0, options);
    m->session = m->engine ? bestdag_session_new(m->run, m->engine) : NULL;
    return m->session ? tell(m) : bestdag_run_status(m->run);
}
