/* SPDX-License-Identifier: MIT */
/* sampling.c -- likelihood weighting, where exact inference does not fit.
 *
 * Variables are drawn parents first; one with evidence is drawn from its row
 * times the likelihood, and the sum of that product is a factor of the sample's
 * weight (Fung and Chang 1990). A probability is the share of the weights; its
 * standard error is that of a ratio of means (totals.h), and the effective
 * sample size is (sum of weights)^2 / sum of squares (Kong 1992). Errors are
 * estimated from the samples: they miss states of large weight that no sample
 * met.
 *
 * Batches have random streams of their own, and are added up in order: results
 * depend on the seed alone. Cost: samples times (variables + arcs). */
#include "base/random.h"
#include "inference/session.h"

enum { BATCH = 512 };

struct sampler {
    const struct bestdag_engine *engine;
    const struct bestdag_evidence *evidence;
    int *state;  /* [n of the network] */
    double *row; /* [widest] */
};

/* Draws a state with probability row[state] / sum; sum > 0. */
static int draw_state(struct bestdag_random *random, const double *row,
                      int states, double sum)
{
    double u = bestdag_random_unit(random) * sum;
    int last = -1;
    for (int s = 0; s < states; s++) {
        if (row[s] <= 0)
            continue;
        last = s;
        u -= row[s];
        if (u < 0)
            break;
    }
    return last;
}

/* Draws a sample; returns ln of its weight. */
static double draw(const struct sampler *x, struct bestdag_random *random)
{
    const struct bestdag_network *net = x->engine->network;
    const struct bestdag_evidence *e = x->evidence;
    double ln = 0;
    for (int i = 0; i < x->engine->n; i++) {
        int v = x->engine->order[i], states = net->variable[v].states;
        const struct bestdag_parents *p = &net->dag->parents[v];
        const double *weight = bestdag_evidence_of(e, v), *row = x->row;
        if (e->doing[v] >= 0) {
            x->state[v] = e->doing[v];
            ln += e->known[v] ? log(weight[x->state[v]]) : 0;
            continue;
        }
        int64_t j = 0;
        for (int k = 0; k < p->count; k++)
            j = j * net->variable[p->at[k]].states + x->state[p->at[k]];
        const double *table = net->variable[v].table + j * states;
        double sum = 0;
        for (int s = 0; s < states; s++) {
            x->row[s] = e->known[v] ? table[s] * weight[s] : table[s];
            sum += x->row[s];
        }
        if (!(sum > 0))
            return -INFINITY;
        ln += e->known[v] ? log(sum) : 0;
        x->state[v] = draw_state(random, row, states, sum);
    }
    return ln;
}

/* Adds a sample to the marginals and, if asked for, to a joint. */
static void count(const struct sampler *x, double ln,
                  struct bestdag_totals *all, const int *asked, int variables,
                  struct bestdag_totals *joint)
{
    const struct bestdag_engine *e = x->engine;
    double weight = bestdag_totals_weigh(all, ln);
    for (int i = 0; weight > 0 && i < e->n; i++)
        bestdag_totals_add(all, e->offset[i] + x->state[e->of[i]], weight);
    if (!joint)
        return;
    int64_t cell = 0;
    weight = bestdag_totals_weigh(joint, ln);
    for (int i = 0; i < variables; i++)
        cell = cell * e->states[asked[i]] + x->state[e->of[asked[i]]];
    if (weight > 0)
        bestdag_totals_add(joint, cell, weight);
}

int bestdag_session_sample(struct bestdag_run *run, struct bestdag_session *s,
                           const int *asked, int variables,
                           struct bestdag_totals *joint)
{
    const struct bestdag_engine *e = s->engine;
    struct sampler x = {e, &s->evidence, NULL, s->weight};
    x.state = bestdag_alloc(run, (size_t)s->evidence.n * sizeof *x.state);
    if (!x.state)
        return bestdag_run_status(run);
    bestdag_totals_clear(&s->all);
    bestdag_run_phase(run, "sampling", e->samples);
    for (int64_t b = 0; b * BATCH < e->samples; b++) {
        struct bestdag_random random =
            bestdag_random_init(run->seed, (uint64_t)b);
        if (b && bestdag_run_watch(run, s->all.count))
            break; /* the samples so far count, with their errors */
        for (int64_t i = b * BATCH; i < e->samples && i < (b + 1) * BATCH; i++)
            count(&x, draw(&x, &random), &s->all, asked, variables, joint);
    }
    bestdag_free(x.state);
    s->method = BESTDAG_BY_SAMPLING;
    s->has_all = true;
    if (!(s->all.sum > 0))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "none of %lld samples agrees with the evidence: it "
                            "is impossible, or too improbable for sampling",
                            (long long)s->all.count);
    s->ln = s->all.most + log(s->all.sum / (double)s->all.count) +
            bestdag_evidence_scale(&s->evidence);
    return bestdag_run_status(run);
}
