/* SPDX-License-Identifier: MIT */
/* evidence.c -- likelihoods and interventions of a session. */
#include "inference/evidence.h"

#include <math.h>
#include <string.h>

int bestdag_evidence_new(struct bestdag_run *run, int n, const int *states,
                         struct bestdag_evidence *to)
{
    size_t count = (size_t)n;
    *to = (struct bestdag_evidence){.n = n};
    to->offset = bestdag_calloc(run, count + 1, sizeof *to->offset);
    if (!to->offset)
        return bestdag_run_status(run);
    for (int v = 0; v < n; v++)
        to->offset[v + 1] = to->offset[v] + states[v];
    size_t all = (size_t)to->offset[n];
    to->weight = bestdag_alloc(run, all * sizeof *to->weight);
    to->forced = bestdag_alloc(run, all * sizeof *to->forced);
    to->known = bestdag_alloc(run, count * sizeof *to->known);
    to->seen = bestdag_alloc(run, count * sizeof *to->seen);
    to->doing = bestdag_alloc(run, count * sizeof *to->doing);
    to->exponent = bestdag_alloc(run, count * sizeof *to->exponent);
    if (!bestdag_run_status(run))
        bestdag_evidence_clear(to);
    return bestdag_run_status(run);
}

void bestdag_evidence_release(struct bestdag_evidence *e)
{
    bestdag_free(e->offset);
    bestdag_free(e->weight);
    bestdag_free(e->forced);
    bestdag_free(e->known);
    bestdag_free(e->seen);
    bestdag_free(e->doing);
    bestdag_free(e->exponent);
}

void bestdag_evidence_clear(struct bestdag_evidence *e)
{
    for (int v = 0; v < e->n; v++) {
        bestdag_evidence_weigh(e, v, NULL);
        bestdag_evidence_intervene(e, v, -1);
    }
}

void bestdag_evidence_weigh(struct bestdag_evidence *e, int v,
                            const double *weight)
{
    int states = bestdag_evidence_states(e, v), positive = 0;
    double *to = e->weight + e->offset[v];
    e->known[v] = weight != NULL;
    e->seen[v] = -1;
    e->exponent[v] = 0;
    for (int s = 0; s < states; s++) {
        to[s] = weight ? weight[s] : 1;
        if (weight && to[s] > 0) {
            e->seen[v] = positive ? -1 : s;
            positive++;
        }
    }
}

void bestdag_evidence_likelihood(struct bestdag_evidence *e, int v,
                                 const double *likelihood)
{
    int states = bestdag_evidence_states(e, v);
    double *to = e->weight + e->offset[v], most = 0;
    bestdag_evidence_weigh(e, v, likelihood);
    for (int s = 0; s < states; s++)
        most = to[s] > most ? to[s] : most;
    if (most > 1 || (most > 0 && most < 0.5))
        frexp(most, &e->exponent[v]);
    for (int s = 0; s < states; s++)
        to[s] = ldexp(to[s], -e->exponent[v]);
}

double bestdag_evidence_scale(const struct bestdag_evidence *e)
{
    int64_t exponent = 0;
    for (int v = 0; v < e->n; v++)
        exponent += e->exponent[v];
    return (double)exponent * log(2);
}

void bestdag_evidence_observe(struct bestdag_evidence *e, int v, int state)
{
    bestdag_evidence_weigh(e, v, NULL);
    if (state < 0)
        return;
    double *to = e->weight + e->offset[v];
    memset(to, 0, (size_t)bestdag_evidence_states(e, v) * sizeof *to);
    to[state] = 1;
    e->known[v] = true;
    e->seen[v] = state;
}

void bestdag_evidence_intervene(struct bestdag_evidence *e, int v, int state)
{
    double *to = e->forced + e->offset[v];
    memset(to, 0, (size_t)bestdag_evidence_states(e, v) * sizeof *to);
    e->doing[v] = state;
    if (state >= 0)
        to[state] = 1;
}

void bestdag_evidence_copy(struct bestdag_evidence *e, int v,
                           const struct bestdag_evidence *from, int x)
{
    bestdag_evidence_weigh(
        e, v, from->known[x] ? bestdag_evidence_of(from, x) : NULL);
    e->exponent[v] = from->exponent[x];
    bestdag_evidence_intervene(e, v, from->doing[x]);
}
