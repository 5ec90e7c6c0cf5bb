/* SPDX-License-Identifier: MIT */
/* mixed_sampling.c -- likelihood weighting in networks with numbers (Fung and
 * Chang 1990; Shachter and Peot 1990).
 *
 * Variables are drawn parents first; what is known is not drawn but weighs the
 * sample by its probability or density. States with a likelihood are drawn from
 * the product of table and likelihood, whose sum is the weight. Samples are
 * drawn twice from the same seed: the first pass gives the sum of weights and
 * the means, the second variances, covariances and standard errors, which are
 * those of a ratio of sums. One thread; time: samples times arcs. */
#include <math.h>
#include <string.h>

#include "base/random_normal.h"
#include "inference/gaussian.h"
#include "inference/mixed.h"

enum { SALT = 0x6d71, PATIENCE = 1024 /* samples between checks of limits */ };

struct sampling {
    struct bestdag_run *run;
    const struct bestdag_mixed_question *q;
    struct bestdag_mixed_answer *to;
    int64_t samples;
    int width, numbers;
    int *order;          /* owns; parents first */
    bool *matters;       /* owns */
    int *state;          /* owns; [n]: of the sample */
    double *value;       /* owns; [n] */
    double *row;         /* owns; [most states] */
    double *distance;    /* owns; [numbers]: to the mean, of the sample */
    double ln, largest;  /* ln of the sample's weight; the largest of these */
    double sum, squares; /* of weights and their squares, over exp(largest) */
    double *second;      /* owns; [width]: sums of weights times squares */
    double *weighed, *fourth; /* owns; [width]: sums of squared weights times
                                 squares, and times fourth powers */
};

/* ---- one sample ---------------------------------------------------------- */

/* Draws a state of v from its table times its likelihood. */
static void draw_state(struct sampling *s, int v, struct bestdag_random *random)
{
    const struct bestdag_network *net = s->q->network;
    const struct bestdag_variable *x = &net->variable[v];
    const double *weight = s->q->weight[v];
    const double *p =
        x->table + bestdag_gaussian_configuration(net, v, s->state) * x->states;
    double sum = 0, u = bestdag_random_unit(random);
    if (s->q->doing[v] >= 0) {
        s->state[v] = s->q->doing[v];
        s->ln += weight ? log(weight[s->state[v]]) : 0;
        return;
    }
    for (int k = 0; k < x->states; k++)
        sum += s->row[k] = p[k] * (weight ? weight[k] : 1);
    s->ln += weight ? log(sum) : 0;
    s->state[v] = x->states - 1;
    for (int k = 0; k < x->states && sum > 0; k++) {
        if (s->row[k] > 0)
            s->state[v] = k;
        if (u * sum < s->row[k])
            break;
        u -= s->row[k] / sum;
    }
}

static void draw_number(struct sampling *s, int v,
                        struct bestdag_random *random)
{
    const struct bestdag_network *net = s->q->network;
    const double *known = s->q->value, constant = 0.91893853320467274178;
    double normal = bestdag_random_normal(random);
    if (s->q->is_set[v]) {
        s->value[v] = known[v];
        return;
    }
    int64_t j = bestdag_gaussian_configuration(net, v, s->state);
    int terms = bestdag_network_terms(net, v);
    double sd = net->variable[v].regression[(j + 1) * terms - 1];
    double mean = bestdag_network_mean(net, v, j, s->value);
    s->value[v] = isnan(known[v]) ? mean + sd * normal : known[v];
    if (isnan(known[v]))
        return;
    double z = (known[v] - mean) / sd;
    if (sd > 0)
        s->ln -= 0.5 * z * z + log(sd) + constant;
    else if (fabs(known[v] - mean) > 1e-9 * fmax(fabs(known[v]), fabs(mean)))
        s->ln = -INFINITY;
}

static void draw(struct sampling *s, int64_t i)
{
    struct bestdag_random random =
        bestdag_random_init(s->run->seed ^ SALT, (uint64_t)i);
    const struct bestdag_network *net = s->q->network;
    s->ln = 0;
    for (int k = 0; k < net->dag->n; k++) {
        int v = s->order[k];
        if (!s->matters[v])
            continue;
        if (net->variable[v].is_number)
            draw_number(s, v, &random);
        else
            draw_state(s, v, &random);
    }
}

/* ---- sums ---------------------------------------------------------------- */

/* The number of values that a target has in the answer: its states, or its
 * value and standard deviation. */
static int width_of(const struct sampling *s, int target)
{
    return bestdag_mixed_width(s->q->network, s->q->target + target, 1);
}

static void add_first(struct sampling *s)
{
    double *to = s->to->value;
    if (s->ln > s->largest) {
        double scale = exp(s->largest - s->ln);
        s->sum *= scale;
        s->squares *= scale * scale;
        for (int i = 0; i < s->width; i++)
            to[i] *= scale;
        s->largest = s->ln;
    }
    double w = exp(s->ln - s->largest);
    s->sum += w;
    s->squares += w * w;
    for (int i = 0; i < s->q->targets; to += width_of(s, i++)) {
        int v = s->q->target[i];
        if (s->q->network->variable[v].is_number)
            to[0] += w * s->value[v];
        else
            to[s->state[v]] += w;
    }
}

static void add_second(struct sampling *s)
{
    double w = exp(s->ln - s->largest);
    int numbers = 0;
    for (int i = 0, at = 0; i < s->q->targets; at += width_of(s, i++)) {
        int v = s->q->target[i];
        bool is_number = s->q->network->variable[v].is_number;
        for (int k = 0; k < (is_number ? 1 : width_of(s, i)); k++) {
            double x = is_number ? s->value[v] : s->state[v] == k;
            double d = x - s->to->value[at + k];
            if (is_number && !isnan(s->q->value[v]))
                d = 0;
            s->second[at + k] += w * d * d;
            s->weighed[at + k] += w * w * d * d;
            s->fourth[at + k] += w * w * d * d * d * d;
            if (is_number)
                s->distance[numbers++] = d;
        }
    }
    for (int i = 0; i < numbers && s->to->covariance; i++)
        for (int j = 0; j < numbers; j++)
            s->to->covariance[i * numbers + j] +=
                w * s->distance[i] * s->distance[j];
}

static int pass(struct sampling *s, void (*add)(struct sampling *))
{
    for (int64_t i = 0; i < s->samples; i++) {
        if (i % PATIENCE == 0 && bestdag_run_stopped(s->run))
            return bestdag_fail(s->run, BESTDAG_FAILED,
                                "stopped before the query was answered");
        draw(s, i);
        if (s->ln > -INFINITY)
            add(s);
    }
    return BESTDAG_OK;
}

/* ---- the whole ----------------------------------------------------------- */

static int prepare(struct sampling *s)
{
    const struct bestdag_network *net = s->q->network;
    size_t n = (size_t)net->dag->n + 1, most = 1, width;
    s->width = bestdag_mixed_width(net, s->q->target, s->q->targets);
    width = (size_t)s->width + 1;
    for (int v = 0; v < net->dag->n; v++)
        if ((size_t)net->variable[v].states > most)
            most = (size_t)net->variable[v].states;
    for (int i = 0; i < s->q->targets; i++)
        s->numbers += net->variable[s->q->target[i]].is_number;
    s->order = bestdag_alloc(s->run, n * sizeof *s->order);
    s->matters = bestdag_calloc(s->run, n, sizeof *s->matters);
    s->state = bestdag_calloc(s->run, n, sizeof *s->state);
    s->value = bestdag_calloc(s->run, n, sizeof *s->value);
    s->row = bestdag_alloc(s->run, most * sizeof *s->row);
    s->distance = bestdag_calloc(s->run, width, sizeof *s->distance);
    s->second = bestdag_calloc(s->run, width, sizeof *s->second);
    s->weighed = bestdag_calloc(s->run, width, sizeof *s->weighed);
    s->fourth = bestdag_calloc(s->run, width, sizeof *s->fourth);
    if (bestdag_run_status(s->run) ||
        bestdag_dag_order(s->run, net->dag, s->order) < 0)
        return bestdag_run_status(s->run);
    bestdag_mixed_relevant(s->q, s->order, s->matters);
    memset(s->to->value, 0, (size_t)s->width * sizeof *s->to->value);
    memset(s->to->error, 0, (size_t)s->width * sizeof *s->to->error);
    if (s->to->covariance)
        memset(s->to->covariance, 0,
               (size_t)(s->numbers * s->numbers) * sizeof(double));
    s->largest = -INFINITY;
    return BESTDAG_OK;
}

static void release(struct sampling *s)
{
    bestdag_free(s->order);
    bestdag_free(s->matters);
    bestdag_free(s->state);
    bestdag_free(s->value);
    bestdag_free(s->row);
    bestdag_free(s->distance);
    bestdag_free(s->second);
    bestdag_free(s->weighed);
    bestdag_free(s->fourth);
}

/* Computes errors of means and shares; those of standard deviations by the
 * delta method. */
static void finish(struct sampling *s)
{
    double *value = s->to->value, *error = s->to->error;
    for (int i = 0, at = 0; i < s->q->targets; at += width_of(s, i++)) {
        bool is_number = s->q->network->variable[s->q->target[i]].is_number;
        for (int k = 0; k < (is_number ? 1 : width_of(s, i)); k++)
            error[at + k] = sqrt(s->weighed[at + k]) / s->sum;
        if (!is_number)
            continue;
        double known = s->q->value[s->q->target[i]];
        if (!isnan(known)) {
            value[at] = known;
            value[at + 1] = error[at] = error[at + 1] = 0;
            continue;
        }
        double v = s->second[at] / s->sum, sd = sqrt(v);
        double spread =
            s->fourth[at] - 2 * v * s->weighed[at] + v * v * s->squares;
        value[at + 1] = sd;
        error[at + 1] = sd > 0 ? sqrt(fmax(spread, 0)) / s->sum / (2 * sd) : 0;
    }
    for (int i = 0; i < s->numbers * s->numbers && s->to->covariance; i++)
        s->to->covariance[i] /= s->sum;
}

int bestdag_mixed_sample(struct bestdag_run *run,
                         const struct bestdag_mixed_question *q,
                         int64_t samples, struct bestdag_mixed_answer *to)
{
    struct sampling s = {.run = run, .q = q, .to = to, .samples = samples};
    to->method = "likelihood weighting";
    to->ln_evidence = -INFINITY;
    if (!prepare(&s) && !pass(&s, add_first) && s.sum > 0) {
        double share = s.squares / (s.sum * s.sum);
        to->ln_evidence = s.largest + log(s.sum / (double)samples);
        to->ln_error = sqrt(fmax(share - 1 / (double)samples, 0));
        to->sample_size = 1 / share;
        for (int i = 0; i < s.width; i++)
            to->value[i] /= s.sum;
        if (!pass(&s, add_second))
            finish(&s);
    }
    release(&s);
    return bestdag_run_status(run);
}
