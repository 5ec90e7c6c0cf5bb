/* SPDX-License-Identifier: MIT */
/* slope_effect.c -- the total effect of a number on a number.
 *
 * In a configuration s of the variables with states all numbers are linear in
 * each other: the mean of the effect grows with the value that the cause is set
 * to by a slope b(s), the sum over directed paths of the products of their
 * coefficients. Setting a number changes no states, so that the mean of the
 * effect grows by the mean of b(s) over the distribution of states, given the
 * evidence. Where b(s) depends on s, cause and states interact: the slopes of
 * all relevant configurations of the states are reported as well.
 *
 * In another network of the equivalence class, fitted to the same joint
 * distribution, b(s) is the coefficient of the cause in the regression, within
 * s, of the effect on the cause and the cause's numeric parents there (0 if the
 * effect is one of these): Maathuis, Kalisch and Buehlmann 2009, given s.
 *
 * Time: configurations times parent sets times the cube of the parents. */
#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/growing_array.h"
#include "inference/gaussian.h"
#include "models/number_effect.h"

static const double MOST_CONFIGURATIONS = 0x1p20;

/* Numeric parents of the cause in a member of the class. */
struct parent_set {
    int *at, count; /* owns */
    bool has_effect;
    double slope;
};

struct job {
    struct bestdag_number_question *q;
    struct bestdag_run *run;
    const struct bestdag_network *net;
    int *order, *place;      /* own; [n] */
    double *value;           /* owns; [n]: all unknown */
    bool *reached, *matters; /* own; [n]: descendants of the cause; numbers that
                                the slopes depend on */
    int *member, members;    /* owns; the latter, parents first */
    int *scope, scopes;      /* owns; their parents with states */
    int *path,
        paths; /* owns; parents with states of numbers on directed paths */
    int64_t cells, path_cells;       /* configurations of both */
    double *share;                   /* owns; [cells] */
    double *path_share, *path_slope; /* own; [path_cells] */
    int *state;                      /* owns; [n] */
    double *grows;                   /* owns; [n] */
    struct bestdag_gaussian g;       /* owns; the members in a configuration */
    struct parent_set *set;          /* owns; [sets]; the network's own first */
    int64_t sets, room;
    struct bestdag_class_found class; /* owns open */
};

/* ---- what matters -------------------------------------------------------- */

static bool is_number(const struct job *job, int v)
{
    return job->net->variable[v].is_number;
}

/* Marks descendants of the cause, and numeric ancestors of the cause, the
 * effect and the cause's neighbours. */
static void mark(struct job *job)
{
    const struct bestdag_dag *dag = job->net->dag;
    int x = job->q->cause;
    job->matters[x] = job->matters[job->q->effect] = job->reached[x] = true;
    for (int i = 0; i < dag->n; i++) {
        int v = job->order[i];
        const struct bestdag_parents *p = &dag->parents[v];
        for (int k = 0; k < p->count; k++) {
            job->reached[v] |= job->reached[p->at[k]];
            job->matters[v] |= p->at[k] == x;
        }
    }
    for (int i = dag->n - 1; i >= 0; i--) {
        const struct bestdag_parents *p = &dag->parents[job->order[i]];
        for (int k = 0; k < p->count && job->matters[job->order[i]]; k++)
            job->matters[p->at[k]] = true;
    }
}

/* Adds the parents of v with states to an ascending list. */
static void add_scope(const struct job *job, int v, int *list, int *count)
{
    const struct bestdag_parents *p = &job->net->dag->parents[v];
    for (int i = 0; i < p->count; i++) {
        int u = p->at[i], at = 0;
        if (is_number(job, u))
            continue;
        while (at < *count && list[at] < u)
            at++;
        if (at < *count && list[at] == u)
            continue;
        memmove(list + at + 1, list + at, (size_t)(*count - at) * sizeof *list);
        list[at] = u;
        ++*count;
    }
}

/* Marks the numeric ancestors of the effect. */
static void mark_above(const struct job *job, bool *above)
{
    above[job->q->effect] = true;
    for (int i = job->net->dag->n - 1; i >= 0; i--) {
        int v = job->order[i];
        const struct bestdag_parents *p = &job->net->dag->parents[v];
        for (int k = 0; k < p->count && above[v]; k++)
            above[p->at[k]] = true;
    }
}

static double count_cells(const struct job *job, const int *list, int count)
{
    double cells = 1;
    for (int i = 0; i < count; i++)
        cells *= job->net->variable[list[i]].states;
    return cells;
}

static int list_all(struct job *job)
{
    int n = job->net->dag->n;
    bool *above = bestdag_calloc(job->run, (size_t)n + 1, sizeof *above);
    if (!above)
        return bestdag_run_status(job->run);
    mark(job);
    mark_above(job, above);
    for (int i = 0; i < n; i++) {
        int v = job->order[i];
        if (!job->matters[v] || !is_number(job, v))
            continue;
        job->member[job->members++] = v;
        add_scope(job, v, job->scope, &job->scopes);
        if (v != job->q->cause && job->reached[v] && above[v])
            add_scope(job, v, job->path, &job->paths);
    }
    bestdag_free(above);
    double cells = count_cells(job, job->scope, job->scopes);
    if (cells > MOST_CONFIGURATIONS)
        return bestdag_fail(job->run, BESTDAG_MEMORY,
                            "the numbers on which the slope depends have %.3g "
                            "configurations of states, more than an effect is "
                            "computed for",
                            cells);
    job->cells = (int64_t)cells;
    job->path_cells = (int64_t)count_cells(job, job->path, job->paths);
    return BESTDAG_OK;
}

static int prepare(struct job *job)
{
    size_t n = (size_t)job->net->dag->n + 1;
    struct bestdag_run *run = job->run;
    job->order = bestdag_alloc(run, n * sizeof *job->order);
    job->place = bestdag_calloc(run, n, sizeof *job->place);
    job->value = bestdag_alloc(run, n * sizeof *job->value);
    job->reached = bestdag_calloc(run, n, sizeof *job->reached);
    job->matters = bestdag_calloc(run, n, sizeof *job->matters);
    job->member = bestdag_alloc(run, n * sizeof *job->member);
    job->scope = bestdag_alloc(run, n * sizeof *job->scope);
    job->path = bestdag_alloc(run, n * sizeof *job->path);
    job->state = bestdag_calloc(run, n, sizeof *job->state);
    job->grows = bestdag_calloc(run, n, sizeof *job->grows);
    if (bestdag_run_status(run) ||
        bestdag_dag_order(run, job->net->dag, job->order) < 0 || list_all(job))
        return bestdag_run_status(run);
    for (int v = 0; v < job->net->dag->n; v++)
        job->value[v] = NAN;
    size_t cells = (size_t)job->cells, paths = (size_t)job->path_cells;
    job->share = bestdag_alloc(run, cells * sizeof *job->share);
    job->path_share = bestdag_calloc(run, paths, sizeof *job->path_share);
    job->path_slope = bestdag_calloc(run, paths, sizeof *job->path_slope);
    if (bestdag_run_status(run) ||
        bestdag_gaussian_init(run, &job->g, job->members))
        return bestdag_run_status(run);
    return bestdag_number_effect_joint(job->q, job->scope, job->scopes,
                                       job->share, job->cells);
}

static void release(struct job *job)
{
    for (int64_t i = 0; i < job->sets; i++)
        bestdag_free(job->set[i].at);
    bestdag_free(job->set);
    bestdag_free(job->order);
    bestdag_free(job->place);
    bestdag_free(job->value);
    bestdag_free(job->reached);
    bestdag_free(job->matters);
    bestdag_free(job->member);
    bestdag_free(job->scope);
    bestdag_free(job->path);
    bestdag_free(job->share);
    bestdag_free(job->path_share);
    bestdag_free(job->path_slope);
    bestdag_free(job->state);
    bestdag_free(job->grows);
    bestdag_free(job->class.open);
    bestdag_gaussian_release(&job->g);
}

/* ---- slopes in a configuration ------------------------------------------- */

static void set_states(struct job *job, int64_t j)
{
    for (int i = job->scopes - 1; i >= 0; i--) {
        int states = job->net->variable[job->scope[i]].states;
        job->state[job->scope[i]] = (int)(j % states);
        j /= states;
    }
}

static int64_t path_index(const struct job *job)
{
    int64_t j = 0;
    for (int i = 0; i < job->paths; i++)
        j = j * job->net->variable[job->path[i]].states +
            job->state[job->path[i]];
    return j;
}

/* The sum over directed paths: d effect / d cause, in topological order. */
static double follow_paths(struct job *job)
{
    const struct bestdag_network *net = job->net;
    for (int i = 0; i < job->members; i++) {
        int v = job->member[i];
        const struct bestdag_parents *p = &net->dag->parents[v];
        const double *c = net->variable[v].regression +
                          bestdag_gaussian_configuration(net, v, job->state) *
                              bestdag_network_terms(net, v);
        job->grows[v] = v == job->q->cause;
        for (int k = 0; k < p->count && v != job->q->cause; k++)
            if (is_number(job, p->at[k]))
                job->grows[v] += *++c * job->grows[p->at[k]];
    }
    return job->grows[job->q->effect];
}

static double covariance(const struct job *job, int u, int v)
{
    return job->g
        .covariance[(ptrdiff_t)job->place[u] * job->g.room + job->place[v]];
}

/* The coefficient of the cause in the regression of the effect on it and the
 * set. */
static int regress(const struct job *job, const struct parent_set *set,
                   double *slope)
{
    int count = set->count + 1;
    size_t k = (size_t)count;
    double *matrix = bestdag_alloc(job->run, k * k * sizeof *matrix);
    double *x = bestdag_alloc(job->run, k * sizeof *x);
    if (matrix && x) {
        for (int i = 0; i < count; i++) {
            int u = i < set->count ? set->at[i] : job->q->cause;
            x[i] = covariance(job, u, job->q->effect);
            for (int j = 0; j < count; j++)
                matrix[i * count + j] = covariance(
                    job, u, j < set->count ? set->at[j] : job->q->cause);
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

static int add_configuration(struct job *job, int64_t j)
{
    double share = job->share[j], slope;
    struct bestdag_gaussian_part part = {job->net,   job->member, job->members,
                                         job->state, job->value,  job->place};
    set_states(job, j);
    slope = follow_paths(job);
    job->path_share[path_index(job)] += share;
    job->path_slope[path_index(job)] = slope;
    job->set[0].slope += share * slope;
    if (job->sets < 2)
        return BESTDAG_OK;
    if (bestdag_gaussian_of(job->run, &part, &job->g))
        return bestdag_run_status(job->run);
    for (int64_t i = 1; i < job->sets; i++) {
        if (job->set[i].has_effect)
            continue;
        if (regress(job, &job->set[i], &slope))
            return bestdag_run_status(job->run);
        job->set[i].slope += share * slope;
    }
    return BESTDAG_OK;
}

static int add_all(struct job *job)
{
    bool is_possible = false;
    for (int64_t j = 0; j < job->cells; j++) {
        if (bestdag_run_stopped(job->run))
            return bestdag_fail(job->run, BESTDAG_FAILED,
                                "stopped before the effect was known");
        is_possible |= job->share[j] > 0;
        if (job->share[j] > 0 && add_configuration(job, j))
            return bestdag_run_status(job->run);
    }
    return is_possible ? BESTDAG_OK
                       : bestdag_fail(job->run, BESTDAG_INFEASIBLE,
                                      "the evidence is impossible");
}

/* ---- the class ----------------------------------------------------------- */

static int add_member(void *user, const struct bestdag_dag *member)
{
    struct job *job = user;
    const struct bestdag_parents *p = &member->parents[job->q->cause];
    struct parent_set set = {
        .at = bestdag_alloc(job->run, ((size_t)p->count + 1) * sizeof *p->at)};
    for (int i = 0; set.at && i < p->count; i++) {
        if (is_number(job, p->at[i]))
            set.at[set.count++] = p->at[i];
        set.has_effect |= p->at[i] == job->q->effect;
    }
    if (!set.at || !BESTDAG_GROW(job->run, job->set, job->room, job->sets + 1))
        bestdag_free(set.at);
    else
        job->set[job->sets++] = set;
    return bestdag_run_status(job->run);
}

/* ---- the report ---------------------------------------------------------- */

/* Does the slope depend on states? */
static bool interacts(const struct job *job)
{
    double least = INFINITY, most = -INFINITY;
    for (int64_t j = 0; j < job->path_cells; j++)
        if (job->path_share[j] > 0) {
            least = fmin(least, job->path_slope[j]);
            most = fmax(most, job->path_slope[j]);
        }
    return most - least > 1e-12 * (fabs(most) + fabs(least));
}

static void add_slopes(const struct job *job, struct bestdag_json_writer *w)
{
    bestdag_json_open(w, "slopes", '[');
    for (int64_t j = 0; j < job->path_cells; j++) {
        if (!(job->path_share[j] > 0))
            continue;
        bestdag_json_open(w, NULL, '{');
        bestdag_json_open(w, "states", '{');
        int64_t below = job->path_cells, rest = j;
        for (int i = 0; i < job->paths; i++) {
            const struct bestdag_variable *x =
                &job->net->variable[job->path[i]];
            below /= x->states;
            bestdag_json_add_text(w, x->name, x->labels[rest / below]);
            rest %= below;
        }
        bestdag_json_close(w, '}');
        bestdag_json_add_number(w, "probability", job->path_share[j]);
        bestdag_json_add_number(w, "slope", job->path_slope[j]);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

/* Are all slopes equal up to rounding? A slope has the unit of the effect
 * divided by that of the cause, and so has the rounding error of a slope of
 * 0. */
static bool is_identified(const struct job *job, double least, double most)
{
    double y = sqrt(covariance(job, job->q->effect, job->q->effect));
    double x = sqrt(covariance(job, job->q->cause, job->q->cause));
    double size = fmax(fabs(most), fabs(least)), unit = x > 0 ? y / x : 0;
    return job->class.complete && most - least <= 1e-9 * fmax(size, unit);
}

static char *write_report(const struct job *job)
{
    struct bestdag_json_writer w = {.out.run = job->run};
    double least = INFINITY, most = -INFINITY;
    for (int64_t i = 0; i < job->sets; i++) {
        least = fmin(least, job->set[i].slope);
        most = fmax(most, job->set[i].slope);
    }
    bool is_same = is_identified(job, least, most);
    bestdag_number_effect_begin(&w, job->q);
    bestdag_json_add_number(&w, "slope", job->set[0].slope);
    if (interacts(job))
        add_slopes(job, &w);
    bestdag_number_effect_adjustment(&w, job->q);
    bestdag_json_add_bool(&w, "identified", is_same);
    bestdag_json_open(&w, "range", '[');
    bestdag_json_add_number(&w, NULL, is_same ? job->set[0].slope : least);
    bestdag_json_add_number(&w, NULL, is_same ? job->set[0].slope : most);
    bestdag_json_close(&w, ']');
    return bestdag_number_effect_end(&w, job->q, &job->class);
}

char *bestdag_slope_effect(struct bestdag_number_question *q)
{
    struct job job = {.q = q, .run = q->run, .net = q->network};
    char *report = NULL;
    if (!prepare(&job) &&
        !bestdag_number_effect_class(q, add_member, &job, &job.class) &&
        !add_all(&job))
        report = write_report(&job);
    release(&job);
    return report;
}
