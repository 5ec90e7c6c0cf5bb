/* SPDX-License-Identifier: MIT */
/* classifier_tables.c -- the tables of a classifier, smoothed towards the
 * marginal.
 *
 * For each configuration j of the parents, s imaginary rows are added,
 * distributed over the states of the child as all rows are (Friedman, Geiger
 * and Goldszmidt 1997):
 *
 *     theta_ijk = (n_ijk + s n_k / n) / (n_ij + s)
 *
 * So a state that occurs has positive probability everywhere, and one that does
 * not occur has probability 0. With s = 0 a configuration without rows gets the
 * marginal.
 *
 * Time: rows times (variables + arcs); families are distributed over
 * threads. */
#include "models/classifier_tables.h"

#include <string.h>

#include "models/joint_state.h"
#include "parallel/parallel.h"

enum { BLOCK = 4096 };

struct job {
    struct bestdag_run *run;
    struct bestdag_network *network;
    const struct bestdag_table *table;
    double smoothing;
    uint32_t *index;             /* owns; [threads * BLOCK] */
    struct bestdag_digit *digit; /* owns; [threads * widest] */
    int widest;
};

static int list_digits(const struct job *job, int v, struct bestdag_digit *to)
{
    const struct bestdag_parents *p = &job->network->dag->parents[v];
    for (int i = 0; i <= p->count; i++) {
        const struct bestdag_column *c =
            &job->table->column[i < p->count ? p->at[i] : v];
        to[i] = (struct bestdag_digit){c->cells, c->bytes, c->states};
    }
    return p->count + 1;
}

static int count_family(const struct job *job, int v, int worker, double *cell)
{
    struct bestdag_digit *digit =
        job->digit + (size_t)worker * (size_t)job->widest;
    uint32_t *index = job->index + (size_t)worker * BLOCK;
    const int32_t *weights = job->table->weights;
    int count = list_digits(job, v, digit);
    for (int64_t from = 0; from < job->table->rows; from += BLOCK) {
        int64_t left = job->table->rows - from;
        int n = left < BLOCK ? (int)left : BLOCK;
        if (bestdag_run_stopped(job->run))
            return BESTDAG_OK;
        bestdag_digits_index(digit, count, from, n, index);
        for (int i = 0; i < n; i++)
            cell[index[i]] += weights ? weights[from + i] : 1;
    }
    return BESTDAG_OK;
}

static void smooth(const struct job *job, double *cell, int64_t q, int r,
                   double *share)
{
    double total = 0;
    for (int64_t i = 0; i < q * r; i++) {
        share[i % r] += cell[i];
        total += cell[i];
    }
    for (int k = 0; k < r; k++)
        share[k] = total > 0 ? share[k] / total : 1.0 / r;
    for (int64_t j = 0; j < q; j++, cell += r) {
        double sum = 0;
        for (int k = 0; k < r; k++)
            sum += cell[k];
        for (int k = 0; k < r; k++)
            cell[k] = sum + job->smoothing > 0
                          ? (cell[k] + job->smoothing * share[k]) /
                                (sum + job->smoothing)
                          : share[k];
    }
}

static int fit_family(void *argument, int64_t item, int worker)
{
    struct job *job = argument;
    int v = (int)item;
    struct bestdag_variable *x = &job->network->variable[v];
    double *share = bestdag_calloc(job->run, (size_t)x->states, sizeof *share);
    if (share && !count_family(job, v, worker, x->table))
        smooth(job, x->table, bestdag_network_configurations(job->network, v),
               x->states, share);
    bestdag_free(share);
    return bestdag_run_status(job->run);
}

static int new_tables(struct bestdag_run *run, struct bestdag_network *network)
{
    int64_t bytes = 0;
    for (int v = 0; v < network->dag->n; v++) {
        int64_t q = bestdag_network_configurations(network, v);
        int r = network->variable[v].states;
        if (q < 0 || q > BESTDAG_DIGITS_MOST / r)
            return bestdag_fail(run, BESTDAG_MEMORY,
                                "the table of '%s' with %d parents is too "
                                "large",
                                network->variable[v].name,
                                network->dag->parents[v].count);
        bytes += q * r * (int64_t)sizeof(double);
    }
    if (bestdag_reserve(run, bytes, "the classifier's tables"))
        return bestdag_run_status(run);
    for (int v = 0; v < network->dag->n; v++)
        if (bestdag_network_new_table(run, network, v))
            break;
    return bestdag_run_status(run);
}

static int fit_all(struct job *job)
{
    int n = job->network->dag->n;
    size_t threads = (size_t)bestdag_parallel_threads(job->run, n);
    struct bestdag_work work = {.job = job, .items = n, .work = fit_family};
    int64_t done = 0;
    for (int v = 0; v < n; v++) {
        int width = job->network->dag->parents[v].count + 1;
        job->widest = width > job->widest ? width : job->widest;
    }
    job->index = bestdag_alloc(job->run, threads * BLOCK * sizeof *job->index);
    job->digit = bestdag_alloc(job->run, threads * (size_t)job->widest *
                                             sizeof *job->digit);
    bestdag_run_phase(job->run, "fitting", n);
    if (!bestdag_run_status(job->run) &&
        !bestdag_parallel(job->run, &work, &done) &&
        (done < n || bestdag_run_stopped(job->run)))
        bestdag_fail(job->run, BESTDAG_FAILED,
                     "stopped before all tables were fitted");
    return bestdag_run_status(job->run);
}

int bestdag_smoothing_fit(struct bestdag_run *run,
                          struct bestdag_network *network,
                          const struct bestdag_table *table, double smoothing)
{
    struct job job = {
        .run = run, .network = network, .table = table, .smoothing = smoothing};
    if (!new_tables(run, network))
        fit_all(&job);
    bestdag_free(job.index);
    bestdag_free(job.digit);
    return bestdag_run_status(run);
}
