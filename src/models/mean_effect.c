/* SPDX-License-Identifier: MIT */
/* mean_effect.c -- the total effect of a variable with states on a number: the
 * means of the effect for each state that the cause is set to.
 *
 * In the network itself by graph surgery (inference/mixed.c). In another
 * network of the equivalence class, fitted to the same joint distribution, by
 * adjusting for the parents Z of the cause there, which have states:
 *
 *     E(y | do(x), g) = sum over z of P(z | g) E(y | x, z, g)
 *
 * (Maathuis, Kalisch and Buehlmann 2009), where g, the evidence, is on no
 * descendants of the cause. Where a possible state of Z never occurs with a
 * state of the cause, the mean is not determined: it is NaN.
 *
 * Time: parent sets times configurations of the parents, each a query. */
#include <math.h>
#include <string.h>

#include "base/growing_array.h"
#include "graph/adjacency.h"
#include "graph/reach.h"
#include "models/number_effect.h"

static const double MOST_QUERIES = 1e6;

/* The means in one member of the class. */
struct means {
    double *mean; /* owns; [causes] */
};

struct job {
    struct bestdag_number_question *q;
    struct bestdag_run *run;
    const struct bestdag_network *net;
    int causes;
    struct bestdag_mixed_question ask; /* its arrays are owned */
    double **weight;                   /* owns the list; [n] */
    double **only; /* owns; [n]: room for one state of each */
    int *doing;    /* owns; [n] */
    double *value; /* owns; [n]: all unknown */
    bool *is_set;  /* owns; [n] */
    double *sd;    /* owns; [causes]: in the network itself */
    const char *method;
    struct means *at; /* owns; [count]; the network's own first */
    int64_t count, room;
    double queries;
    struct bestdag_class_found class; /* owns open */
};

/* ---- one query ----------------------------------------------------------- */

/* Mean and standard deviation of the effect; NaN: the evidence is
 * impossible. */
static int ask(struct job *job, double to[2])
{
    double error[2];
    struct bestdag_mixed_answer answer = {.value = to, .error = error};
    if (bestdag_mixed_ask(job->run, &job->ask, job->q->options, &answer))
        return bestdag_run_status(job->run);
    if (answer.sample_size > 0)
        return bestdag_fail(job->run, BESTDAG_MEMORY,
                            "the effect would have to be sampled, which is not "
                            "available for effects on numbers; 'bestdag query' "
                            "answers do() with standard errors");
    job->method = answer.method;
    if (answer.ln_evidence == -INFINITY)
        to[0] = to[1] = NAN;
    return BESTDAG_OK;
}

/* Restricts v to this state, with the weight of its evidence. */
static void observe_state(struct job *job, int v, int state)
{
    const double *given = job->q->weight[v];
    memset(job->only[v], 0,
           (size_t)job->net->variable[v].states * sizeof **job->only);
    job->only[v][state] = given ? given[state] : 1;
    job->weight[v] = job->only[v];
}

static void restore_evidence(struct job *job)
{
    memcpy(job->weight, job->q->weight,
           (size_t)job->net->dag->n * sizeof *job->weight);
    job->doing[job->q->cause] = -1;
}

/* ---- members ------------------------------------------------------------- */

static int find_own(struct job *job, double *mean)
{
    double got[2];
    bool is_possible = false;
    for (int x = 0; x < job->causes; x++) {
        restore_evidence(job);
        job->doing[job->q->cause] = x;
        if (ask(job, got))
            return bestdag_run_status(job->run);
        mean[x] = got[0];
        job->sd[x] = got[1];
        is_possible |= !isnan(got[0]);
    }
    restore_evidence(job);
    return is_possible ? BESTDAG_OK
                       : bestdag_fail(job->run, BESTDAG_INFEASIBLE,
                                      "the evidence is impossible, whatever "
                                      "state '%s' is set to",
                                      job->q->names[job->q->cause]);
}

/* Observes the parents in configuration j. */
static void observe_parents(struct job *job, const struct bestdag_parents *p,
                            int64_t j)
{
    restore_evidence(job);
    for (int i = p->count - 1; i >= 0; i--) {
        int states = job->net->variable[p->at[i]].states;
        observe_state(job, p->at[i], (int)(j % states));
        j /= states;
    }
}

static int adjust(struct job *job, const struct bestdag_parents *p,
                  const double *share, int64_t cells, double *mean)
{
    double got[2], sum = 0;
    for (int64_t j = 0; j < cells; j++)
        sum += share[j];
    for (int x = 0; x < job->causes; x++) {
        mean[x] = 0;
        for (int64_t j = 0; j < cells; j++) {
            if (!(share[j] > 0))
                continue;
            observe_parents(job, p, j);
            observe_state(job, job->q->cause, x);
            if (bestdag_run_stopped(job->run))
                return bestdag_fail(job->run, BESTDAG_FAILED,
                                    "stopped before the effect was known");
            if (ask(job, got))
                return bestdag_run_status(job->run);
            mean[x] += share[j] / sum * got[0];
        }
    }
    restore_evidence(job);
    return BESTDAG_OK;
}

/* Computes the means in a member by adjusting for the cause's parents. */
static int find_other(struct job *job, const struct bestdag_parents *p,
                      double *mean)
{
    double cells = 1;
    for (int i = 0; i < p->count; i++)
        cells *= job->net->variable[p->at[i]].states;
    job->queries += cells * job->causes;
    if (job->queries > MOST_QUERIES)
        return bestdag_fail(job->run, BESTDAG_MEMORY,
                            "the parents of '%s' have too many configurations "
                            "to adjust for",
                            job->q->names[job->q->cause]);
    double *share = bestdag_alloc(job->run, (size_t)cells * sizeof *share);
    if (share && !bestdag_number_effect_joint(job->q, p->at, p->count, share,
                                              (int64_t)cells))
        adjust(job, p, share, (int64_t)cells, mean);
    bestdag_free(share);
    return bestdag_run_status(job->run);
}

/* Fails if there is evidence on descendants of the cause. */
static int check_evidence(struct job *job, const struct bestdag_dag *dag)
{
    struct bestdag_adjacency children = {0};
    bool *below = bestdag_calloc(job->run, (size_t)dag->n + 1, sizeof *below);
    bestdag_adjacency_of_children(job->run, dag, &children);
    if (below && !bestdag_run_status(job->run)) {
        below[job->q->cause] = true;
        bestdag_reach_mark_descendants(job->run, &children, below);
        for (int v = 0; v < dag->n && !bestdag_run_status(job->run); v++)
            if (job->q->weight[v] && below[v])
                bestdag_fail(job->run, BESTDAG_USAGE,
                             "evidence on '%s', which '%s' affects in a "
                             "network of the equivalence class, is not "
                             "available for effects on numbers",
                             job->q->names[v], job->q->names[job->q->cause]);
    }
    bestdag_adjacency_release(&children);
    bestdag_free(below);
    return bestdag_run_status(job->run);
}

static int add_member(void *user, const struct bestdag_dag *member)
{
    struct job *job = user;
    struct means m = {
        bestdag_alloc(job->run, ((size_t)job->causes + 1) * sizeof *m.mean)};
    if (!m.mean || check_evidence(job, member) ||
        (job->count ? find_other(job, &member->parents[job->q->cause], m.mean)
                    : find_own(job, m.mean)) ||
        !BESTDAG_GROW(job->run, job->at, job->room, job->count + 1))
        bestdag_free(m.mean);
    else
        job->at[job->count++] = m;
    return bestdag_run_status(job->run);
}

/* ---- the report ---------------------------------------------------------- */

/* The mean at `to`, minus that at `from` (-1: nothing). */
static double measure(const struct means *m, int from, int to)
{
    return m->mean[to] - (from < 0 ? 0 : m->mean[from]);
}

static void find_range(const struct job *job, int from, int to, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int64_t i = 0; i < job->count; i++) {
        double x = measure(&job->at[i], from, to);
        range[0] = fmin(range[0], x); /* fmin ignores NaN */
        range[1] = fmax(range[1], x);
    }
}

static void add_range(const struct job *job, struct bestdag_json_writer *w,
                      const char *key, int from, int to)
{
    double range[2];
    find_range(job, from, to, range);
    bestdag_json_open(w, key, '[');
    bestdag_json_add_number(w, NULL, range[0]);
    bestdag_json_add_number(w, NULL, range[1]);
    bestdag_json_close(w, ']');
}

/* Do all members have an answer, and the same one? */
static bool is_identified(const struct job *job)
{
    for (int64_t i = 1; i < job->count; i++)
        for (int x = 0; x < job->causes; x++) {
            double own = job->at[0].mean[x], other = job->at[i].mean[x];
            if (!(fabs(own - other) <= 1e-7 * (1e-9 + fabs(own) + job->sd[x])))
                return false;
        }
    return job->class.complete;
}

static char *write_report(const struct job *job)
{
    struct bestdag_json_writer w = {.out.run = job->run};
    char **label = job->net->variable[job->q->cause].labels;
    bestdag_number_effect_begin(&w, job->q);
    bestdag_json_open(&w, "means", '{');
    for (int x = 0; x < job->causes; x++)
        bestdag_json_add_number(&w, label[x], job->at[0].mean[x]);
    bestdag_json_close(&w, '}');
    bestdag_json_open(&w, "sds", '{');
    for (int x = 0; x < job->causes; x++)
        bestdag_json_add_number(&w, label[x], job->sd[x]);
    bestdag_json_close(&w, '}');
    bestdag_json_open(&w, "differences", '[');
    for (int to = 1; to < job->causes; to++)
        for (int from = 0; from < to; from++) {
            bestdag_json_open(&w, NULL, '{');
            bestdag_json_add_text(&w, "from", label[from]);
            bestdag_json_add_text(&w, "to", label[to]);
            bestdag_json_add_number(&w, "mean", measure(&job->at[0], from, to));
            add_range(job, &w, "mean_range", from, to);
            bestdag_json_close(&w, '}');
        }
    bestdag_json_close(&w, ']');
    bestdag_number_effect_adjustment(&w, job->q);
    bestdag_json_add_bool(&w, "identified", is_identified(job));
    bestdag_json_open(&w, "range", '{');
    for (int x = 0; x < job->causes; x++)
        add_range(job, &w, label[x], -1, x);
    bestdag_json_close(&w, '}');
    bestdag_json_add_text(&w, "method", job->method);
    return bestdag_number_effect_end(&w, job->q, &job->class);
}

/* ---- the whole ----------------------------------------------------------- */

static int prepare(struct job *job)
{
    int n = job->net->dag->n;
    size_t room = (size_t)n + 1;
    struct bestdag_run *run = job->run;
    job->causes = job->net->variable[job->q->cause].states;
    job->weight = bestdag_calloc(run, room, sizeof *job->weight);
    job->only = bestdag_calloc(run, room, sizeof *job->only);
    job->doing = bestdag_alloc(run, room * sizeof *job->doing);
    job->value = bestdag_alloc(run, room * sizeof *job->value);
    job->is_set = bestdag_calloc(run, room, sizeof *job->is_set);
    job->sd = bestdag_calloc(run, (size_t)job->causes + 1, sizeof *job->sd);
    for (int v = 0; !bestdag_run_status(run) && v < n; v++) {
        job->only[v] = bestdag_calloc(
            run, (size_t)job->net->variable[v].states + 1, sizeof **job->only);
        job->doing[v] = -1;
        job->value[v] = NAN;
    }
    job->ask = (struct bestdag_mixed_question){.network = job->net,
                                               .weight = job->weight,
                                               .doing = job->doing,
                                               .value = job->value,
                                               .is_set = job->is_set,
                                               .target = &job->q->effect,
                                               .targets = 1};
    return bestdag_run_status(run);
}

static void release(struct job *job)
{
    for (int64_t i = 0; i < job->count; i++)
        bestdag_free(job->at[i].mean);
    for (int v = 0; job->only && v < job->net->dag->n; v++)
        bestdag_free(job->only[v]);
    bestdag_free(job->at);
    bestdag_free(job->only);
    bestdag_free(job->weight);
    bestdag_free(job->doing);
    bestdag_free(job->value);
    bestdag_free(job->is_set);
    bestdag_free(job->sd);
    bestdag_free(job->class.open);
}

char *bestdag_mean_effect(struct bestdag_number_question *q)
{
    struct job job = {.q = q, .run = q->run, .net = q->network};
    char *report = NULL;
    if (!prepare(&job) &&
        !bestdag_number_effect_class(q, add_member, &job, &job.class))
        report = write_report(&job);
    release(&job);
    return report;
}
