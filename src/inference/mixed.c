/* SPDX-License-Identifier: MIT */
/* mixed.c -- exact inference in networks with numbers.
 *
 * Given the variables with states, all numbers are jointly normal. Numbers that
 * nothing is asked or known about, nor about their descendants, are left out.
 * The others fall into components: an unknown number is in one component with
 * its unknown parents, and a known number joins the components of its unknown
 * parents. A component with known numbers is a factor over the parents with
 * states of its members: the density of what is known, the rest integrated out,
 * once for each configuration (gaussian.c). The factor becomes an observed
 * variable of two states with these parents, whose table is the factor divided
 * by its largest value, in a network without numbers that the engine handles as
 * any other. So answers about states are exact. A number that is asked for is a
 * mixture of normals, one for each configuration that its component depends on,
 * with the probability that the engine gives it; its mean and variance, and
 * covariances, follow (Lauritzen 1992 does the same by passing messages; here
 * the largest component decides the cost).
 *
 * Where components have too many configurations, answers are sampled
 * (mixed_sampling.c). */
#include "inference/mixed.h"

#include <math.h>
#include <string.h>

#include "inference/mixed_parts.h"

/* ---- answers ------------------------------------------------------------- */

const char *bestdag_mixed_method(const struct bestdag_mixed *m)
{
    static const char *const names[][2] = {
        {"junction tree", "junction tree, joint normals"},
        {"variable elimination", "variable elimination, joint normals"},
        {"conditioning", "conditioning, joint normals"}};
    const char *method =
        m->session ? bestdag_session_method(m->session) : "joint normal";
    for (size_t i = 0; m->components && i < 3; i++)
        if (!strcmp(method, names[i][0]))
            return names[i][1];
    return method;
}

/* Called after every answer of the session. */
static int take_errors(struct bestdag_mixed *m, struct bestdag_mixed_answer *to,
                       double *error, int count)
{
    double size = bestdag_session_sample_size(m->session);
    to->method = bestdag_mixed_method(m);
    for (int i = 0; i < count; i++)
        error[i] = 0;
    if (!(size > 0))
        return bestdag_run_status(m->run);
    if (!(to->sample_size > 0) || size < to->sample_size)
        to->sample_size = size;
    return bestdag_session_errors(m->run, m->session, error, count);
}

static int find_evidence(struct bestdag_mixed *m,
                         struct bestdag_mixed_answer *to)
{
    to->method = "joint normal";
    to->ln_evidence = m->ln;
    to->ln_error = to->sample_size = 0;
    if (!m->session || m->ln == -INFINITY)
        return BESTDAG_OK;
    to->ln_evidence += bestdag_session_evidence(m->run, m->session);
    return bestdag_run_status(m->run) ? bestdag_run_status(m->run)
                                      : take_errors(m, to, &to->ln_error, 1);
}

/* The moments of a mixture of normals over the members of a component. */
struct mixture {
    const struct bestdag_number_group *c;
    double *weight;            /* owns; [configurations] */
    double *mean;              /* owns; [members] */
    double *covariance;        /* owns; [members * members] */
    double *value;             /* owns; [members] */
    struct bestdag_gaussian g; /* owns; of one configuration */
};

static void release_mixture(struct mixture *x)
{
    bestdag_gaussian_release(&x->g);
    bestdag_free(x->weight);
    bestdag_free(x->mean);
    bestdag_free(x->covariance);
    bestdag_free(x->value);
}

static int weigh(struct bestdag_mixed *m, struct mixture *x,
                 struct bestdag_mixed_answer *to)
{
    const struct bestdag_number_group *c = x->c;
    int *scope = bestdag_alloc(m->run, ((size_t)c->scopes + 1) * sizeof *scope);
    double *error =
        bestdag_calloc(m->run, (size_t)c->configurations + 1, sizeof *error);
    x->weight[0] = 1;
    for (int i = 0; scope && i < c->scopes; i++)
        scope[i] = m->local[c->scope[i]];
    if (scope && error && c->scopes &&
        !bestdag_session_joint(m->run, m->session, scope, c->scopes, x->weight,
                               c->configurations))
        take_errors(m, to, error, (int)c->configurations);
    bestdag_free(scope);
    bestdag_free(error);
    return bestdag_run_status(m->run);
}

/* Adds configuration j: differences to the means of all that came before (West
 * 1979), so that large means do not spoil small variances. */
static void add_normal(struct mixture *x, double weight, double *all)
{
    int n = x->c->members;
    *all += weight;
    double share = weight / *all;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double a = x->g.mean[i] - x->mean[i], b = x->g.mean[j] - x->mean[j];
            double *to = &x->covariance[i * n + j];
            *to += share * (x->g.covariance[i * n + j] - *to) +
                   share * (1 - share) * a * b;
            x->covariance[j * n + i] = *to;
        }
    for (int i = 0; i < n; i++)
        x->mean[i] += share * (x->g.mean[i] - x->mean[i]);
}

static int find_mixture(struct bestdag_mixed *m, struct mixture *x,
                        struct bestdag_mixed_answer *to)
{
    const struct bestdag_number_group *c = x->c;
    size_t n = (size_t)c->members + 1;
    double all = 0, ln;
    x->weight = bestdag_alloc(m->run, ((size_t)c->configurations + 1) *
                                          sizeof *x->weight);
    x->mean = bestdag_calloc(m->run, n, sizeof *x->mean);
    x->covariance = bestdag_calloc(m->run, n * n, sizeof *x->covariance);
    x->value = bestdag_alloc(m->run, n * sizeof *x->value);
    if (bestdag_run_status(m->run) ||
        bestdag_gaussian_init(m->run, &x->g, c->members) || weigh(m, x, to))
        return bestdag_run_status(m->run);
    for (int64_t j = 0; j < c->configurations; j++) {
        if (!(x->weight[j] > 0))
            continue;
        if (bestdag_mixed_condition(m, c, j, &x->g, x->value, &ln))
            return bestdag_run_status(m->run);
        if (ln > -INFINITY)
            add_normal(x, x->weight[j], &all);
    }
    return BESTDAG_OK;
}

/* Where the values of a target begin. */
static int offset_of(const struct bestdag_mixed_question *q, int target)
{
    return bestdag_mixed_width(q->network, q->target, target);
}

static int number_of(const struct bestdag_mixed_question *q, int target)
{
    int count = 0;
    for (int i = 0; i < target; i++)
        count += q->network->variable[q->target[i]].is_number;
    return count;
}

static void put_moments(struct bestdag_mixed *m, const struct mixture *x,
                        struct bestdag_mixed_answer *to)
{
    const struct bestdag_mixed_question *q = m->q;
    int n = x->c->members, numbers = number_of(q, q->targets);
    for (int i = 0; i < q->targets; i++) {
        int v = q->target[i];
        if (m->component_of[v] < 0 || &m->component[m->component_of[v]] != x->c)
            continue;
        int at = offset_of(q, i), a = m->place[v];
        to->value[at] = x->mean[a];
        to->value[at + 1] = sqrt(fmax(x->covariance[a * n + a], 0));
        for (int k = 0; k < q->targets && to->covariance; k++) {
            int u = q->target[k];
            if (m->component_of[u] == m->component_of[v])
                to->covariance[number_of(q, i) * numbers + number_of(q, k)] =
                    x->covariance[a * n + m->place[u]];
        }
    }
}

static int answer_numbers(struct bestdag_mixed *m,
                          struct bestdag_mixed_answer *to)
{
    for (int i = 0; i < m->components; i++) {
        struct mixture x = {.c = &m->component[i]};
        if (!m->component[i].is_asked)
            continue;
        if (!find_mixture(m, &x, to))
            put_moments(m, &x, to);
        release_mixture(&x);
        if (bestdag_run_status(m->run))
            return bestdag_run_status(m->run);
    }
    return BESTDAG_OK;
}

static int answer_targets(struct bestdag_mixed *m,
                          struct bestdag_mixed_answer *to)
{
    const struct bestdag_mixed_question *q = m->q;
    int width = bestdag_mixed_width(m->net, q->target, q->targets);
    int numbers = number_of(q, q->targets);
    memset(to->error, 0, (size_t)width * sizeof *to->error);
    if (to->covariance)
        memset(to->covariance, 0,
               (size_t)numbers * (size_t)numbers * sizeof *to->covariance);
    for (int i = 0, at = 0; i < q->targets; i++) {
        int v = q->target[i], states = m->net->variable[v].states;
        if (m->net->variable[v].is_number) {
            to->value[at] = m->value[v]; /* NaN is replaced below */
            to->value[at + 1] = 0;
            at += 2;
            continue;
        }
        if (bestdag_session_marginal(m->run, m->session, m->local[v],
                                     to->value + at, states) ||
            take_errors(m, to, to->error + at, states))
            return bestdag_run_status(m->run);
        at += states;
    }
    return answer_numbers(m, to);
}

int bestdag_mixed_width(const struct bestdag_network *network,
                        const int *target, int targets)
{
    int width = 0;
    for (int i = 0; i < targets; i++)
        width += network->variable[target[i]].is_number
                     ? 2
                     : network->variable[target[i]].states;
    return width;
}

/* ---- the whole ----------------------------------------------------------- */

static int answer_exactly(struct bestdag_mixed *m,
                          const struct bestdag_options *options,
                          struct bestdag_mixed_answer *to)
{
    if (bestdag_mixed_open(m, options))
        return bestdag_run_status(m->run);
    if (find_evidence(m, to) || to->ln_evidence == -INFINITY)
        return bestdag_run_status(m->run);
    return answer_targets(m, to);
}

static const char *wish(const struct bestdag_options *options)
{
    return bestdag_option_value(options, &bestdag_inference_options,
                                "inference")
        .text;
}

int bestdag_mixed_ask(struct bestdag_run *run,
                      const struct bestdag_mixed_question *q,
                      const struct bestdag_options *options,
                      struct bestdag_mixed_answer *to)
{
    struct bestdag_mixed m = {
        .run = run, .q = q, .net = q->network, .n = q->network->dag->n};
    int64_t samples =
        bestdag_option_value(options, &bestdag_inference_options, "samples")
            .integer;
    if (!bestdag_mixed_split(&m)) {
        bool is_small = bestdag_mixed_is_small(&m);
        if (!is_small && !strcmp(wish(options), "exact"))
            bestdag_fail(run, BESTDAG_MEMORY,
                         "the numbers that the answer depends on have too many "
                         "configurations of states for an exact answer");
        else if (!is_small || !strcmp(wish(options), "sampling"))
            bestdag_mixed_sample(run, q, samples, to);
        else if (!answer_exactly(&m, options, to) && to->sample_size > 0)
            bestdag_mixed_sample(run, q, samples, to); /* all of it */
    }
    bestdag_mixed_release(&m);
    return bestdag_run_status(run);
}
