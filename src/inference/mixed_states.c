/* SPDX-License-Identifier: MIT */
/* mixed_states.c -- the network without numbers that stands for one with them:
 * its variables with states, and an observed variable for each component: see
 * mixed.c.
 *
 * Densities may be thousands of nats apart, and the largest may belong to a
 * configuration that is impossible, or that another component rules out: then
 * all others, divided by it, are below the smallest double. If the evidence
 * comes out that improbable, one variable stands for all components, over the
 * states that any of them depends on, and its table is scaled by the largest of
 * the configurations that are possible without it. */
#include <math.h>
#include <stdio.h>

#include "inference/mixed_parts.h"

/* Nats: 2^-1022, below which doubles lose digits, is 708 below 1, and the rest
 * is for the probabilities of states. */
static const double LEAST_EVIDENCE = -600;

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

/* Adds the tables in ascending order of variables, so that they keep their
 * layout. */
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
    return BESTDAG_OK;
}

static int fill_factor(struct bestdag_mixed *m,
                       const struct bestdag_number_group *c)
{
    if (bestdag_network_new_table(m->run, m->states, c->local))
        return bestdag_run_status(m->run);
    double *table = m->states->variable[c->local].table;
    for (int64_t j = 0; j < c->configurations; j++) {
        table[2 * j + 1] = exp(c->ln[j] - c->largest);
        table[2 * j] = 1 - table[2 * j + 1];
    }
    return BESTDAG_OK;
}

/* Steps through the components that have a variable; NULL: no more. */
static struct bestdag_number_group *next_factor(struct bestdag_mixed *m,
                                                int *at)
{
    while (*at < m->components && !m->is_joined) {
        struct bestdag_number_group *c = &m->component[(*at)++];
        if (c->ln && c->scopes)
            return c;
    }
    return m->is_joined && m->joined.ln && !(*at)++ ? &m->joined : NULL;
}

/* Numbers the variables of the network of states; returns how many there
 * are. */
static int number_states(struct bestdag_mixed *m)
{
    int count = 0;
    for (int v = 0; v < m->n; v++)
        if (m->matters[v] && !m->net->variable[v].is_number)
            m->local[v] = count++;
    struct bestdag_number_group *c;
    for (int i = 0; (c = next_factor(m, &i));)
        c->local = count++;
    return count;
}

static int build_states(struct bestdag_mixed *m, int count)
{
    int *parent = bestdag_alloc(m->run, ((size_t)m->n + 1) * sizeof *parent);
    m->states = parent ? bestdag_network_empty(m->run, count) : NULL;
    for (int v = 0; m->states && v < m->n; v++)
        if (m->local[v] >= 0 && add_states(m, v, parent))
            break;
    const struct bestdag_number_group *c;
    for (int i = 0; !bestdag_run_status(m->run) && (c = next_factor(m, &i));)
        add_factor(m, c, parent);
    bestdag_free(parent);
    if (bestdag_run_status(m->run) || fill_tables(m))
        return bestdag_run_status(m->run);
    for (int i = 0; (c = next_factor(m, &i));)
        if (fill_factor(m, c))
            break;
    return bestdag_run_status(m->run);
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
    const struct bestdag_number_group *c;
    for (int i = 0; (c = next_factor(m, &i));)
        bestdag_session_observe(m->run, m->session, c->local, 1);
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

/* ---- densities that are far apart ---------------------------------------- */

static void close_session(struct bestdag_mixed *m)
{
    bestdag_session_free(m->session);
    bestdag_engine_free(m->engine);
    bestdag_network_free(m->states);
    m->session = NULL;
    m->engine = NULL;
    m->states = NULL;
}

/* Is the evidence so improbable that doubles may have underflowed? */
static bool is_too_small(struct bestdag_mixed *m)
{
    bool has_factor = false;
    for (int i = 0; i < m->components; i++)
        has_factor |= m->component[i].local >= 0;
    return has_factor && m->session &&
           bestdag_session_evidence(m->run, m->session) < LEAST_EVIDENCE &&
           !(bestdag_session_sample_size(m->session) > 0);
}

/* Collects the scopes of all components with known numbers. */
static int join_scopes(struct bestdag_mixed *m)
{
    struct bestdag_number_group *to = &m->joined;
    double all = 1;
    to->scope = bestdag_alloc(m->run, ((size_t)m->n + 1) * sizeof *to->scope);
    for (int v = 0; to->scope && v < m->n; v++) {
        bool is_in = false;
        for (int i = 0; i < m->components; i++)
            for (int k = 0; k < m->component[i].scopes; k++)
                is_in |= m->component[i].ln && m->component[i].scope[k] == v;
        if (is_in) {
            to->scope[to->scopes++] = v;
            all *= m->net->variable[v].states;
        }
    }
    if (all > BESTDAG_MOST_CONFIGURATIONS)
        return bestdag_fail(m->run, BESTDAG_MEMORY,
                            "what is known of the numbers is too improbable "
                            "for an answer with doubles, and depends on too "
                            "many configurations of states for another one");
    to->configurations = (int64_t)all;
    return bestdag_run_status(m->run);
}

/* Adds up the components' ln in every configuration of positive probability;
 * m->ln then includes the largest sum. */
static void add_components(struct bestdag_mixed *m, const double *share)
{
    struct bestdag_number_group *to = &m->joined;
    to->largest = -INFINITY;
    for (int64_t j = 0; j < to->configurations; j++) {
        int64_t rest = j;
        for (int i = to->scopes - 1; i >= 0; i--) {
            int states = m->net->variable[to->scope[i]].states;
            m->state[to->scope[i]] = (int)(rest % states);
            rest /= states;
        }
        to->ln[j] = share[j] > 0 ? 0 : -INFINITY;
        for (int i = 0; i < m->components; i++) {
            const struct bestdag_number_group *c = &m->component[i];
            if (c->ln && c->scopes)
                to->ln[j] += c->ln[bestdag_mixed_index(m, c, m->state)];
        }
        to->largest = fmax(to->largest, to->ln[j]);
    }
    for (int i = 0; i < m->components; i++)
        if (m->component[i].ln && m->component[i].scopes)
            m->ln -= m->component[i].largest;
    m->ln += to->largest;
}

/* Finds the configurations that are possible without the numbers, then adds the
 * numbers' densities. */
static int join_components(struct bestdag_mixed *m,
                           const struct bestdag_options *options)
{
    struct bestdag_number_group *to = &m->joined;
    close_session(m);
    m->is_joined = true;
    if (join_scopes(m) || open_session(m, options) ||
        bestdag_session_evidence(m->run, m->session) == -INFINITY)
        return bestdag_run_status(m->run);
    size_t room = (size_t)to->configurations + 1;
    double *share = bestdag_alloc(m->run, room * sizeof *share);
    double *ln = bestdag_alloc(m->run, room * sizeof *ln);
    int *local = bestdag_alloc(m->run, ((size_t)m->n + 1) * sizeof *local);
    for (int i = 0; local && i < to->scopes; i++)
        local[i] = m->local[to->scope[i]];
    to->ln = ln;
    if (share && ln && local &&
        !bestdag_session_joint(m->run, m->session, local, to->scopes, share,
                               to->configurations))
        add_components(m, share);
    bestdag_free(share);
    bestdag_free(local);
    close_session(m);
    return bestdag_run_status(m->run) || m->ln == -INFINITY
               ? bestdag_run_status(m->run)
               : open_session(m, options);
}

int bestdag_mixed_open(struct bestdag_mixed *m,
                       const struct bestdag_options *options)
{
    if (bestdag_mixed_factors(m) || m->ln == -INFINITY ||
        open_session(m, options) || !is_too_small(m))
        return bestdag_run_status(m->run);
    return join_components(m, options);
}
