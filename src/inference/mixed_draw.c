/* SPDX-License-Identifier: MIT */
/* mixed_draw.c -- draws from a network with numbers, given what is known.
 *
 * First come the states of targets and of variables that a component with
 * targets depends on: from their joint table where that is small, else one
 * after the other, each given those before it. Given these, the numbers of a
 * component are jointly normal: mean plus L times standard normals, L the
 * Cholesky factor of their covariance. All of it is exact (mixed.c). */
#include <math.h>

#include "base/cholesky.h"
#include "base/random_normal.h"
#include "inference/mixed_parts.h"

enum { MOST_JOINT = 1024 /* numbers in a table to draw from, at most */ };

struct drawing {
    struct bestdag_mixed *m;
    struct bestdag_random *random;
    int *variable, *local; /* own; [count]: with states, to be drawn */
    int count;
    int64_t cells;  /* of their joint table; more than MOST_JOINT: too many */
    double *share;  /* owns; [cells], or the most states */
    double *factor; /* owns; [members * members] of the largest component */
    double *known;  /* owns; [members] */
    double *normal; /* owns; [members] */
};

/* ---- states -------------------------------------------------------------- */

static bool is_drawn(const struct bestdag_mixed *m, int v)
{
    for (int i = 0; i < m->q->targets; i++)
        if (m->q->target[i] == v)
            return true;
    for (int i = 0; i < m->components; i++)
        for (int k = 0; m->component[i].is_asked && k < m->component[i].scopes;
             k++)
            if (m->component[i].scope[k] == v)
                return true;
    return false;
}

static void list_states(struct drawing *d)
{
    const struct bestdag_mixed *m = d->m;
    d->cells = 1;
    for (int v = 0; v < m->n; v++) {
        if (m->local[v] < 0 || !is_drawn(m, v))
            continue;
        d->variable[d->count] = v;
        d->local[d->count++] = m->local[v];
        if (d->cells <= MOST_JOINT)
            d->cells *= m->net->variable[v].states;
    }
}

/* The first index at which the cumulative sum passes a random number. */
static int64_t pick(struct drawing *d, int64_t count)
{
    double u = bestdag_random_unit(d->random), all = 0;
    int64_t last = 0;
    for (int64_t i = 0; i < count; i++)
        all += d->share[i];
    u *= all;
    for (int64_t i = 0; i < count; i++) {
        if (!(d->share[i] > 0))
            continue;
        last = i;
        u -= d->share[i];
        if (u < 0)
            break;
    }
    return last;
}

static void draw_together(struct drawing *d, int *state)
{
    int64_t rest = pick(d, d->cells);
    for (int i = d->count - 1; i >= 0; i--) {
        int states = d->m->net->variable[d->variable[i]].states;
        state[d->variable[i]] = (int)(rest % states);
        rest /= states;
    }
}

/* Draws variable by variable, observing each drawn state, and retracts these
 * observations at the end. */
static int draw_singly(struct drawing *d, int *state)
{
    struct bestdag_mixed *m = d->m;
    for (int i = 0; i < d->count; i++) {
        int v = d->variable[i], states = m->net->variable[v].states;
        if (bestdag_session_marginal(m->run, m->session, d->local[i], d->share,
                                     states))
            return bestdag_run_status(m->run);
        state[v] = (int)pick(d, states);
        if (bestdag_session_observe(m->run, m->session, d->local[i], state[v]))
            return bestdag_run_status(m->run);
    }
    for (int i = 0; i < d->count; i++) {
        const double *weight = m->q->weight[d->variable[i]];
        if (weight)
            bestdag_session_weigh(m->run, m->session, d->local[i], weight,
                                  m->net->variable[d->variable[i]].states);
        else
            bestdag_session_observe(m->run, m->session, d->local[i], -1);
    }
    return bestdag_run_status(m->run);
}

/* ---- numbers ------------------------------------------------------------- */

static void add_noise(struct drawing *d, const struct bestdag_number_group *c,
                      const struct bestdag_gaussian *g, double *value)
{
    int n = c->unknown;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            d->factor[i * n + j] = g->covariance[(ptrdiff_t)i * g->room + j];
    bestdag_cholesky(d->factor, n, 1e-11);
    for (int i = 0; i < n; i++)
        d->normal[i] = bestdag_random_normal(d->random);
    for (int i = 0; i < n; i++) {
        double x = g->mean[i];
        for (int j = 0; j <= i; j++)
            x += d->factor[i * n + j] * d->normal[j];
        value[c->member[i]] = x;
    }
}

static int draw_numbers(struct drawing *d, const int *state, double *value)
{
    struct bestdag_mixed *m = d->m;
    double ln;
    for (int i = 0; i < m->components; i++) {
        const struct bestdag_number_group *c = &m->component[i];
        struct bestdag_gaussian g = {0};
        if (!c->is_asked)
            continue;
        if (!bestdag_gaussian_init(m->run, &g, c->members) &&
            !bestdag_mixed_condition(m, c, bestdag_mixed_index(m, c, state), &g,
                                     d->known, &ln))
            add_noise(d, c, &g, value);
        bestdag_gaussian_release(&g);
        if (bestdag_run_status(m->run))
            return bestdag_run_status(m->run);
    }
    return BESTDAG_OK;
}

/* ---- the whole ----------------------------------------------------------- */

static int prepare(struct drawing *d)
{
    struct bestdag_run *run = d->m->run;
    size_t n = (size_t)d->m->n + 1, members = 1, cells = MOST_JOINT;
    for (int i = 0; i < d->m->components; i++)
        if ((size_t)d->m->component[i].members >= members)
            members = (size_t)d->m->component[i].members + 1;
    for (int v = 0; v < d->m->n; v++)
        if ((size_t)d->m->net->variable[v].states > cells)
            cells = (size_t)d->m->net->variable[v].states;
    d->variable = bestdag_alloc(run, n * sizeof *d->variable);
    d->local = bestdag_alloc(run, n * sizeof *d->local);
    d->share = bestdag_alloc(run, cells * sizeof *d->share);
    d->factor = bestdag_alloc(run, members * members * sizeof *d->factor);
    d->known = bestdag_alloc(run, members * sizeof *d->known);
    d->normal = bestdag_alloc(run, members * sizeof *d->normal);
    if (!bestdag_run_status(run))
        list_states(d);
    return bestdag_run_status(run);
}

static int draw_all(struct drawing *d, int draws, int *state, double *value)
{
    struct bestdag_mixed *m = d->m;
    bool is_joint = d->count && d->cells <= MOST_JOINT;
    if (is_joint && bestdag_session_joint(m->run, m->session, d->local,
                                          d->count, d->share, d->cells))
        return bestdag_run_status(m->run);
    for (int k = 0; k < draws; k++, state += m->n, value += m->n) {
        for (int v = 0; v < m->n; v++) {
            state[v] = m->known[v];
            value[v] = m->value[v];
        }
        if (is_joint)
            draw_together(d, state);
        else if (d->count && draw_singly(d, state))
            return bestdag_run_status(m->run);
        if (draw_numbers(d, state, value))
            return bestdag_run_status(m->run);
    }
    return BESTDAG_OK;
}

int bestdag_mixed_draw(struct bestdag_run *run,
                       const struct bestdag_mixed_question *q,
                       const struct bestdag_options *options,
                       struct bestdag_random *random, int draws, int *state,
                       double *value, bool *is_possible)
{
    struct bestdag_mixed m = {
        .run = run, .q = q, .net = q->network, .n = q->network->dag->n};
    struct drawing d = {.m = &m, .random = random};
    double ln = -INFINITY;
    if (!bestdag_mixed_open_exactly(&m, options, "a draw"))
        ln = m.ln;
    if (ln > -INFINITY && m.session)
        ln += bestdag_session_evidence(run, m.session);
    *is_possible = ln > -INFINITY && !bestdag_run_status(run);
    if (*is_possible && !prepare(&d))
        draw_all(&d, draws, state, value);
    bestdag_free(d.variable);
    bestdag_free(d.local);
    bestdag_free(d.share);
    bestdag_free(d.factor);
    bestdag_free(d.known);
    bestdag_free(d.normal);
    bestdag_mixed_release(&m);
    return bestdag_run_status(run);
}
