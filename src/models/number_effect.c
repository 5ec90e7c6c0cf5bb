/* SPDX-License-Identifier: MIT */
/* number_effect.c -- total effects in networks of numbers.
 *
 * In a linear network the mean of the effect grows with the value that the
 * cause is set to by a fixed slope: the sum over directed paths of the products
 * of their coefficients. Another network of the equivalence class that is
 * fitted to the same joint normal has as its slope the coefficient of the cause
 * in the regression of the effect on the cause and its parents there (0 if the
 * effect is one of these): Maathuis, Kalisch and Buehlmann 2009. */
#include "models/number_effect.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/json.h"
#include "graph/adjacency.h"
#include "graph/adjustment.h"
#include "inference/gaussian.h"
#include "models/class_members.h"
#include "models/effect.h"
#include "models/query/language.h"

enum { MOST_SETS = 4096 /* of parents of the cause; as for states */ };

struct job {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    int cause, effect;
    const char **names; /* owns */
    int *order, *place; /* own */
    double *value;      /* owns; nothing is known */
    int *set, size;     /* owns; a smallest adjustment set, ascending; -1: none
                         */
    struct bestdag_gaussian all;
    struct bestdag_class_found class; /* owns open */
    double slope, least, most;
    bool has_path;
};

/* The sum over directed paths: d effect / d cause, in topological order. */
static int follow_paths(struct job *job)
{
    const struct bestdag_network *net = job->network;
    int n = net->dag->n;
    double *grows = bestdag_calloc(job->run, (size_t)n + 1, sizeof *grows);
    bool *reached = bestdag_calloc(job->run, (size_t)n + 1, sizeof *reached);
    for (int i = 0; grows && reached && i < n; i++) {
        int v = job->order[i];
        const struct bestdag_parents *p = &net->dag->parents[v];
        reached[v] = v == job->cause;
        grows[v] = reached[v];
        for (int k = 0; k < p->count && v != job->cause; k++) {
            grows[v] += net->variable[v].regression[k + 1] * grows[p->at[k]];
            reached[v] |= reached[p->at[k]];
        }
    }
    if (grows && reached) {
        job->slope = grows[job->effect];
        job->has_path = reached[job->effect];
    }
    bestdag_free(grows);
    bestdag_free(reached);
    return bestdag_run_status(job->run);
}

static double covariance(const struct job *job, int u, int v)
{
    return job->all
        .covariance[(ptrdiff_t)job->place[u] * job->all.room + job->place[v]];
}

/* The coefficient of the last of `count` variables in the regression of the
 * effect on them. */
static int regress(const struct job *job, const int *on, int count,
                   double *slope)
{
    size_t k = (size_t)count;
    double *matrix = bestdag_alloc(job->run, k * k * sizeof *matrix);
    double *x = bestdag_alloc(job->run, k * sizeof *x);
    if (matrix && x) {
        for (int i = 0; i < count; i++) {
            x[i] = covariance(job, on[i], job->effect);
            for (int j = 0; j < count; j++)
                matrix[i * count + j] = covariance(job, on[i], on[j]);
        }
        if (bestdag_cholesky(matrix, count, 1e-11) < 0)
            bestdag_fail(job->run, BESTDAG_INPUT,
                         "the covariances of the network are too large, or too "
                         "close to dependent, for doubles");
        bestdag_cholesky_solve(matrix, count, x);
        *slope = x[count - 1];
    }
    bestdag_free(matrix);
    bestdag_free(x);
    return bestdag_run_status(job->run);
}

static int add_member(void *user, const struct bestdag_dag *member)
{
    struct job *job = user;
    const struct bestdag_parents *p = &member->parents[job->cause];
    int *on = bestdag_alloc(job->run, ((size_t)p->count + 1) * sizeof *on);
    bool is_parent = false;
    double slope = 0;
    for (int i = 0; on && i < p->count; i++) {
        on[i] = p->at[i];
        is_parent |= p->at[i] == job->effect;
    }
    if (on) {
        on[p->count] = job->cause;
        if (!is_parent)
            regress(job, on, p->count + 1, &slope);
    }
    bestdag_free(on);
    job->least = fmin(job->least, slope);
    job->most = fmax(job->most, slope);
    return bestdag_run_status(job->run);
}

/* Given this set and the cause, the regression of the effect has the slope. */
static int find_set(struct job *job)
{
    const struct bestdag_dag *dag = job->network->dag;
    struct bestdag_adjacency children = {0};
    size_t n = (size_t)dag->n;
    enum bestdag_role *role = bestdag_calloc(job->run, n, sizeof *role);
    job->set = bestdag_alloc(job->run, n * sizeof *job->set);
    bestdag_adjacency_of_children(job->run, dag, &children);
    if (!bestdag_run_status(job->run)) {
        struct bestdag_d_question graph = {dag, &children, role};
        role[job->cause] = BESTDAG_ROLE_FROM;
        role[job->effect] = BESTDAG_ROLE_TO;
        bestdag_adjustment_find(job->run, &graph, job->set, &job->size);
    }
    bestdag_adjacency_release(&children);
    bestdag_free(role);
    return bestdag_run_status(job->run);
}

static int find_name(struct job *job, const char *text, const char *what,
                     int *to)
{
    struct bestdag_query_reader r;
    if (bestdag_query_open(&r, job->run, job->network, text, what) ||
        bestdag_query_read_name(&r, to))
        return bestdag_run_status(job->run);
    return bestdag_query_close(
        &r, "nothing: slopes given evidence are not available; 'bestdag query' "
            "answers do() with evidence");
}

static int prepare(struct job *job, const char *cause, const char *effect)
{
    const struct bestdag_network *net = job->network;
    size_t n = (size_t)net->dag->n + 1;
    if (!bestdag_network_is_gaussian(net))
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "effects in a network with both numbers and states "
                            "are not available; 'bestdag query' answers do()");
    if (!bestdag_network_is_fitted(net))
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "the network has no parameters: 'bestdag fit' "
                            "estimates them");
    if (find_name(job, cause, "cause", &job->cause) ||
        find_name(job, effect, "effect", &job->effect))
        return bestdag_run_status(job->run);
    if (job->cause == job->effect)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "cause and effect are the same variable, '%s'",
                            net->variable[job->cause].name);
    job->names = bestdag_alloc(job->run, n * sizeof *job->names);
    job->order = bestdag_alloc(job->run, n * sizeof *job->order);
    job->place = bestdag_calloc(job->run, n, sizeof *job->place);
    job->value = bestdag_alloc(job->run, n * sizeof *job->value);
    if (bestdag_run_status(job->run) ||
        bestdag_dag_order(job->run, net->dag, job->order) < 0 ||
        bestdag_gaussian_init(job->run, &job->all, net->dag->n))
        return bestdag_run_status(job->run);
    for (int v = 0; v < net->dag->n; v++) {
        job->names[v] = net->variable[v].name;
        job->value[v] = NAN;
    }
    struct bestdag_gaussian_part part = {net,  job->order, net->dag->n,
                                         NULL, job->value, job->place};
    return bestdag_gaussian_of(job->run, &part, &job->all);
}

static int ask_class(struct job *job, const struct bestdag_rules *rules)
{
    struct bestdag_class_request request = {.dag = job->network->dag,
                                            .rules = rules,
                                            .names = job->names,
                                            .variable = job->cause,
                                            .most = MOST_SETS,
                                            .each = add_member,
                                            .user = job};
    job->least = job->most = job->slope;
    return bestdag_class_members(job->run, &request, &job->class);
}

/* Are all slopes the same, but for rounding? The unit of a slope is that of the
 * effect by that of the cause, and so is the rounding of one that is 0. */
static bool is_identified(const struct job *job)
{
    double y = sqrt(covariance(job, job->effect, job->effect));
    double x = sqrt(covariance(job, job->cause, job->cause));
    double size = fmax(fabs(job->most), fabs(job->least));
    double unit = x > 0 ? y / x : 0;
    return job->class.complete &&
           job->most - job->least <= 1e-9 * fmax(size, unit);
}

static void write_set(struct bestdag_json_writer *w, const struct job *job)
{
    if (job->size < 0) {
        bestdag_json_add_text(w, "adjustment", NULL);
        return;
    }
    bestdag_json_open(w, "adjustment", '[');
    for (int i = 0; i < job->size; i++)
        bestdag_json_add_text(w, NULL, job->names[job->set[i]]);
    bestdag_json_close(w, ']');
}

static char *write_report(const struct job *job,
                          const struct bestdag_rules *rules)
{
    struct bestdag_json_writer w = {.out.run = job->run};
    bool is_same = is_identified(job);
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "cause", job->names[job->cause]);
    bestdag_json_add_text(&w, "effect", job->names[job->effect]);
    bestdag_json_add_number(&w, "slope", job->slope);
    write_set(&w, job);
    bestdag_json_add_bool(&w, "causal_path", job->has_path);
    bestdag_json_add_bool(&w, "identified", is_same);
    bestdag_json_open(&w, "range", '[');
    bestdag_json_add_number(&w, NULL, is_same ? job->slope : job->least);
    bestdag_json_add_number(&w, NULL, is_same ? job->slope : job->most);
    bestdag_json_close(&w, ']');
    bestdag_json_open(&w, "reversible", '[');
    for (int i = 0; i < job->class.opens; i++)
        bestdag_json_add_text(&w, NULL, job->names[job->class.open[i]]);
    bestdag_json_close(&w, ']');
    bestdag_json_add_integer(&w, "parent_sets", job->class.members);
    bestdag_json_add_bool(&w, "complete", job->class.complete);
    if (rules && rules->count)
        bestdag_class_add_ignored(&w, rules);
    bestdag_json_add_text(&w, "assumption", bestdag_effect_assumption);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

char *bestdag_number_effect(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const char *cause, const char *effect,
                            const struct bestdag_rules *rules)
{
    struct job job = {.run = run, .network = network};
    char *report = NULL;
    if (!prepare(&job, cause, effect) && !follow_paths(&job) &&
        !find_set(&job) && !ask_class(&job, rules))
        report = write_report(&job, rules);
    bestdag_free(job.names);
    bestdag_free(job.order);
    bestdag_free(job.place);
    bestdag_free(job.value);
    bestdag_free(job.set);
    bestdag_free(job.class.open);
    bestdag_gaussian_release(&job.all);
    return report;
}
