/* SPDX-License-Identifier: MIT */
/* evidence.c -- likelihoods and interventions of a session. */
#include "inference/evidence.h"

#include <string.h>

int bestdag_evidence_new(struct bestdag_run *run,
                         const struct bestdag_network *network,
                         struct bestdag_evidence *to)
{
    size_t n = (size_t)network->dag->n;
    *to = (struct bestdag_evidence){.n = (int)n};
    to->offset = bestdag_calloc(run, n + 1, sizeof *to->offset);
    if (!to->offset)
        return bestdag_run_status(run);
    for (size_t v = 0; v < n; v++)
        to->offset[v + 1] = to->offset[v] + network->variable[v].states;
    size_t all = (size_t)to->offset[n];
    to->weight = bestdag_alloc(run, all * sizeof *to->weight);
    to->forced = bestdag_alloc(run, all * sizeof *to->forced);
    to->known = bestdag_alloc(run, n * sizeof *to->known);
    to->seen = bestdag_alloc(run, n * sizeof *to->seen);
    to->doing = bestdag_alloc(run, n * sizeof *to->doing);
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
    for (int s = 0; s < states; s++) {
        to[s] = weight ? weight[s] : 1;
        if (weight && to[s] > 0) {
            e->seen[v] = positive ? -1 : s;
            positive++;
        }
    }
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
