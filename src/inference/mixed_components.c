/* SPDX-License-Identifier: MIT */
/* mixed_components.c -- numbers that depend on each other given the states, and
 * the density of those that are known in each configuration: see mixed.c. */
#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "inference/mixed_parts.h"

/* Limits: configurations of a component, and multiplications for all of
 * them. */
static const double MOST_CONFIGURATIONS = BESTDAG_MOST_CONFIGURATIONS;
static const double MOST_WORK = 2e10;

/* ---- what matters -------------------------------------------------------- */

static bool is_known(const struct bestdag_mixed_question *q, int v)
{
    return q->network->variable[v].is_number ? !isnan(q->value[v])
                                             : q->weight[v] != NULL;
}

static bool is_done(const struct bestdag_mixed_question *q, int v)
{
    return q->network->variable[v].is_number ? q->is_set[v] : q->doing[v] >= 0;
}

void bestdag_mixed_relevant(const struct bestdag_mixed_question *q,
                            const int *order, bool *to)
{
    const struct bestdag_dag *dag = q->network->dag;
    for (int v = 0; v < dag->n; v++)
        to[v] = is_known(q, v);
    for (int i = 0; i < q->targets; i++)
        to[q->target[i]] = true;
    for (int i = dag->n - 1; i >= 0; i--) {
        const struct bestdag_parents *p = &dag->parents[order[i]];
        for (int k = 0; k < p->count && to[order[i]]; k++)
            if (!is_done(q, order[i]))
                to[p->at[k]] = true;
    }
}

/* The only state of v that the question allows, or -1. */
static int only_state(const struct bestdag_mixed_question *q, int v)
{
    int only = -1;
    if (q->doing[v] >= 0)
        return q->doing[v];
    for (int s = 0; q->weight[v] && s < q->network->variable[v].states; s++)
        if (q->weight[v][s] > 0) {
            if (only >= 0)
                return -1;
            only = s;
        }
    return only;
}

static int prepare(struct bestdag_mixed *m)
{
    size_t n = (size_t)m->n + 1;
    struct bestdag_run *run = m->run;
    m->order = bestdag_alloc(run, n * sizeof *m->order);
    m->matters = bestdag_calloc(run, n, sizeof *m->matters);
    m->value = bestdag_alloc(run, n * sizeof *m->value);
    m->known = bestdag_alloc(run, n * sizeof *m->known);
    m->state = bestdag_calloc(run, n, sizeof *m->state);
    m->place = bestdag_calloc(run, n, sizeof *m->place);
    m->root = bestdag_alloc(run, n * sizeof *m->root);
    m->component_of = bestdag_alloc(run, n * sizeof *m->component_of);
    m->local = bestdag_alloc(run, n * sizeof *m->local);
    if (bestdag_run_status(run) ||
        bestdag_dag_order(run, m->net->dag, m->order) < 0)
        return bestdag_run_status(run);
    bestdag_mixed_relevant(m->q, m->order, m->matters);
    for (int v = 0; v < m->n; v++) {
        bool is_number = m->net->variable[v].is_number;
        m->value[v] = is_number ? m->q->value[v] : NAN;
        m->known[v] = is_number ? -1 : only_state(m->q, v);
        m->root[v] = v;
        m->component_of[v] = -1;
        m->local[v] = -1;
    }
    return BESTDAG_OK;
}

/* ---- components ---------------------------------------------------------- */

static int root_of(const struct bestdag_mixed *m, int v)
{
    while (m->root[v] != v)
        v = m->root[v] = m->root[m->root[v]];
    return v;
}

static void join(struct bestdag_mixed *m, int a, int b)
{
    a = root_of(m, a);
    b = root_of(m, b);
    if (a != b)
        m->root[a > b ? a : b] = a > b ? b : a;
}

/* Is v a number whose value was not set? Only these are in components. */
static bool is_member(const struct bestdag_mixed *m, int v)
{
    return m->matters[v] && m->net->variable[v].is_number && !m->q->is_set[v];
}

static void join_all(struct bestdag_mixed *m)
{
    int first = -1;
    for (int v = 0; v < m->n; v++) {
        const struct bestdag_parents *p = &m->net->dag->parents[v];
        for (int i = 0; i < p->count && is_member(m, v); i++)
            if (m->net->variable[p->at[i]].is_number &&
                isnan(m->value[p->at[i]]))
                join(m, v, p->at[i]);
    }
    for (int i = 0; i < m->q->targets && m->q->has_covariance; i++) {
        int v = m->q->target[i];
        if (!is_member(m, v) || !isnan(m->value[v]))
            continue;
        if (first >= 0)
            join(m, first, v);
        first = v;
    }
}

static void add_member(struct bestdag_mixed *m, struct bestdag_number_group *c,
                       int v)
{
    const struct bestdag_parents *p = &m->net->dag->parents[v];
    c->member[c->members++] = v;
    c->unknown += isnan(m->value[v]) ? 1 : 0;
    for (int i = 0; i < p->count; i++) {
        int u = p->at[i], at = 0;
        if (m->net->variable[u].is_number || m->known[u] >= 0)
            continue;
        while (at < c->scopes && c->scope[at] < u)
            at++;
        if (at < c->scopes && c->scope[at] == u)
            continue;
        memmove(c->scope + at + 1, c->scope + at,
                (size_t)(c->scopes - at) * sizeof *c->scope);
        c->scope[at] = u;
        c->scopes++;
    }
}

/* Lists the members: unknown ones first, in topological order. */
static int fill_component(struct bestdag_mixed *m,
                          struct bestdag_number_group *c, int root)
{
    size_t n = (size_t)m->n + 1;
    c->member = bestdag_alloc(m->run, n * sizeof *c->member);
    c->scope = bestdag_alloc(m->run, n * sizeof *c->scope);
    c->local = c->rank = -1;
    if (!c->member || !c->scope)
        return bestdag_run_status(m->run);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < m->n; i++) {
            int v = m->order[i];
            if (is_member(m, v) && root_of(m, v) == root &&
                (pass == 1) == !isnan(m->value[v])) {
                add_member(m, c, v);
                m->component_of[v] = m->components - 1;
            }
        }
    double all = 1;
    for (int i = 0; i < c->scopes; i++)
        all *= m->net->variable[c->scope[i]].states;
    c->configurations = all <= MOST_CONFIGURATIONS ? (int64_t)all : -1;
    return BESTDAG_OK;
}

static int find_components(struct bestdag_mixed *m)
{
    int count = 0;
    join_all(m);
    for (int v = 0; v < m->n; v++)
        count += is_member(m, v) && root_of(m, v) == v;
    m->component =
        bestdag_calloc(m->run, (size_t)count + 1, sizeof *m->component);
    for (int v = 0; m->component && v < m->n; v++)
        if (is_member(m, v) && root_of(m, v) == v &&
            fill_component(m, &m->component[m->components++], v))
            break;
    for (int i = 0; !bestdag_run_status(m->run) && i < m->q->targets; i++)
        if (m->component_of[m->q->target[i]] >= 0)
            m->component[m->component_of[m->q->target[i]]].is_asked = true;
    return bestdag_run_status(m->run);
}

bool bestdag_mixed_is_small(const struct bestdag_mixed *m)
{
    double work = 0;
    for (int i = 0; i < m->components; i++) {
        const struct bestdag_number_group *c = &m->component[i];
        double size = c->members, known = c->members - c->unknown;
        if (c->configurations < 0)
            return false;
        work += (double)c->configurations *
                (size * size * (1 + known) + known * known * known);
    }
    return work <= MOST_WORK;
}

int bestdag_mixed_split(struct bestdag_mixed *m)
{
    return prepare(m) ? bestdag_run_status(m->run) : find_components(m);
}

void bestdag_mixed_release(struct bestdag_mixed *m)
{
    for (int i = 0; i < m->components; i++) {
        bestdag_free(m->component[i].member);
        bestdag_free(m->component[i].scope);
        bestdag_free(m->component[i].ln);
    }
    bestdag_free(m->component);
    bestdag_free(m->joined.scope);
    bestdag_free(m->joined.ln);
    bestdag_free(m->order);
    bestdag_free(m->matters);
    bestdag_free(m->value);
    bestdag_free(m->known);
    bestdag_free(m->state);
    bestdag_free(m->place);
    bestdag_free(m->root);
    bestdag_free(m->component_of);
    bestdag_free(m->local);
    bestdag_session_free(m->session);
    bestdag_engine_free(m->engine);
    bestdag_network_free(m->states);
}

/* ---- factors ------------------------------------------------------------- */

/* Sets the states of a configuration of the component's scope, and those of
 * variables whose state is known. */
static void set_states(struct bestdag_mixed *m,
                       const struct bestdag_number_group *c, int64_t j)
{
    for (int v = 0; v < m->n; v++)
        m->state[v] = m->known[v] >= 0 ? m->known[v] : 0;
    for (int i = c->scopes - 1; i >= 0; i--) {
        int states = m->net->variable[c->scope[i]].states;
        m->state[c->scope[i]] = (int)(j % states);
        j /= states;
    }
}

/* Does the question exclude the configuration? */
static bool is_excluded(const struct bestdag_mixed *m,
                        const struct bestdag_number_group *c)
{
    for (int i = 0; i < c->scopes; i++) {
        const double *w = m->q->weight[c->scope[i]];
        if (w && !(w[m->state[c->scope[i]]] > 0))
            return true;
    }
    return false;
}

int bestdag_mixed_condition(struct bestdag_mixed *m,
                            const struct bestdag_number_group *c, int64_t j,
                            struct bestdag_gaussian *g, double *value,
                            double *ln)
{
    struct bestdag_gaussian_part part = {m->net,   c->member, c->members,
                                         m->state, m->value,  m->place};
    set_states(m, c, j);
    *ln = -INFINITY;
    if (is_excluded(m, c))
        return BESTDAG_OK;
    for (int i = 0; i < c->members; i++)
        value[i] = m->value[c->member[i]];
    if (bestdag_gaussian_of(m->run, &part, g))
        return bestdag_run_status(m->run);
    return bestdag_gaussian_condition(m->run, g, value, ln);
}

int64_t bestdag_mixed_index(const struct bestdag_mixed *m,
                            const struct bestdag_number_group *c,
                            const int *state)
{
    int64_t j = 0;
    for (int i = 0; i < c->scopes; i++)
        j = j * m->net->variable[c->scope[i]].states + state[c->scope[i]];
    return j;
}

/* Is the i-th member an unknown target? */
static bool is_free_target(const struct bestdag_mixed *m,
                           const struct bestdag_number_group *c, int i)
{
    for (int k = 0; k < m->q->targets && i < c->unknown; k++)
        if (m->q->target[k] == c->member[i])
            return true;
    return false;
}

/* Adds the density of the targets at their mean, where it is largest. Densities
 * of different dimensions cannot be compared. */
static int add_peak(struct bestdag_mixed *m, struct bestdag_number_group *c,
                    const struct bestdag_gaussian *g, double *ln)
{
    const double constant = 0.91893853320467274178; /* ln of root of 2 pi */
    size_t room = (size_t)c->unknown + 1;
    double *matrix = bestdag_alloc(m->run, room * room * sizeof *matrix);
    int *asked = bestdag_alloc(m->run, room * sizeof *asked);
    int count = 0, rank = 0;
    for (int i = 0; asked && i < c->unknown; i++)
        if (is_free_target(m, c, i))
            asked[count++] = i;
    for (int i = 0; matrix && asked && i < count; i++)
        for (int j = 0; j < count; j++)
            matrix[i * count + j] =
                g->covariance[(ptrdiff_t)asked[i] * g->room + asked[j]];
    if (matrix && asked)
        bestdag_cholesky(matrix, count, 1e-11);
    for (int i = 0; matrix && asked && i < count; i++)
        if (matrix[i * count + i] > 0) {
            *ln -= log(matrix[i * count + i]) + constant;
            rank++;
        }
    bestdag_free(matrix);
    bestdag_free(asked);
    if (c->rank >= 0 && c->rank != rank)
        bestdag_fail(m->run, BESTDAG_USAGE,
                     "the most probable values are not defined: numbers that "
                     "depend on '%s' have a density in some configurations of "
                     "states only (standard deviation 0 in others)",
                     m->net->variable[c->member[0]].name);
    c->rank = rank;
    return bestdag_run_status(m->run);
}

static int find_factor(struct bestdag_mixed *m, struct bestdag_number_group *c)
{
    struct bestdag_gaussian g = {0};
    size_t q = (size_t)c->configurations;
    double *value =
        bestdag_alloc(m->run, ((size_t)c->members + 1) * sizeof *value);
    c->ln = bestdag_alloc(m->run, (q + 1) * sizeof *c->ln);
    c->largest = -INFINITY;
    if (c->ln && value && !bestdag_gaussian_init(m->run, &g, c->members))
        for (int64_t j = 0; j < c->configurations; j++) {
            if (bestdag_run_stopped(m->run))
                bestdag_fail(m->run, BESTDAG_FAILED,
                             "stopped before the query was answered");
            if (bestdag_run_status(m->run) ||
                bestdag_mixed_condition(m, c, j, &g, value, &c->ln[j]))
                break;
            if (m->is_mode && c->ln[j] > -INFINITY &&
                add_peak(m, c, &g, &c->ln[j]))
                break;
            c->largest = fmax(c->largest, c->ln[j]);
        }
    bestdag_gaussian_release(&g);
    bestdag_free(value);
    return bestdag_run_status(m->run);
}

int bestdag_mixed_factors(struct bestdag_mixed *m)
{
    for (int i = 0; i < m->components; i++) {
        struct bestdag_number_group *c = &m->component[i];
        if (c->unknown == c->members && !m->is_mode)
            continue; /* nothing is known, so it is no evidence about states */
        if (find_factor(m, c))
            return bestdag_run_status(m->run);
        m->ln += c->largest;
    }
    return BESTDAG_OK;
}
