/* SPDX-License-Identifier: MIT */
/* numeric_impute.c -- fills the missing numbers of a table from a Gaussian
 * network.
 *
 * Given the numbers of a row that are there, those that are missing are jointly
 * normal. Their mean is their most probable value, together and each alone;
 * draws are the mean plus L times standard normals, L the Cholesky factor of
 * their covariance. Every row and table has its own stream of random numbers.
 * Time: rows times the cube of the variables, at most. */
#include "models/query/numeric_impute.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/options.h"
#include "base/random_normal.h"
#include "inference/gaussian.h"
#include "models/query/impute.h"
#include "models/query/numeric_rows.h"

struct job {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    const struct bestdag_table *table;
    struct bestdag_numeric_rows rows; /* owns */
    int tables;
    bool is_drawn, is_numbered;
    struct bestdag_gaussian all, row; /* own; of the network; given a row */
    int *order;                       /* owns; parents first */
    int *place;                       /* owns; [n]: in the joint normal */
    double *value, *known;   /* own; [n]: of a row, by place; all NaN */
    double **filled;         /* owns; [sources]: [tables * rows] */
    double *factor, *normal; /* own; [n * n], [n] */
    int64_t holes, impossible;
};

static int read_wishes(struct job *job, const struct bestdag_options *options)
{
    const struct bestdag_option_group *g = &bestdag_impute_options;
    const char *fill = bestdag_option_value(options, g, "fill").text;
    job->is_numbered = bestdag_option_given(options, g, "tables");
    job->is_drawn = job->is_numbered || !strcmp(fill, "draws");
    job->tables = job->is_numbered
                      ? (int)bestdag_option_value(options, g, "tables").integer
                      : 1;
    if (bestdag_option_value(options, g, "probabilities").integer)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "probabilities: numbers have none; 'bestdag query "
                            "--evidence' gives their means and standard "
                            "deviations");
    if (job->is_numbered && bestdag_option_given(options, g, "fill") &&
        strcmp(fill, "draws") != 0)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "tables are drawn: fill=%s would make them all the "
                            "same",
                            fill);
    return BESTDAG_OK;
}

static int open_job(struct job *job)
{
    int n = job->network->dag->n;
    size_t room = (size_t)n + 1, rows = (size_t)job->table->rows;
    struct bestdag_run *run = job->run;
    job->rows.run = run;
    job->rows.network = job->network;
    job->order = bestdag_alloc(run, room * sizeof *job->order);
    job->place = bestdag_calloc(run, room, sizeof *job->place);
    job->value = bestdag_alloc(run, room * sizeof *job->value);
    job->known = bestdag_alloc(run, room * sizeof *job->known);
    job->factor = bestdag_alloc(run, room * room * sizeof *job->factor);
    job->normal = bestdag_alloc(run, room * sizeof *job->normal);
    job->filled = bestdag_calloc(run, room, sizeof *job->filled);
    if (bestdag_run_status(run) || bestdag_gaussian_init(run, &job->all, n) ||
        bestdag_gaussian_init(run, &job->row, n) ||
        bestdag_numeric_rows_init(&job->rows, job->table, NULL) ||
        bestdag_dag_order(run, job->network->dag, job->order) < 0)
        return bestdag_run_status(run);
    for (int v = 0; v < n; v++)
        job->known[v] = NAN;
    struct bestdag_gaussian_part part = {job->network, job->order, n,
                                         NULL,         job->known, job->place};
    if (bestdag_gaussian_of(run, &part, &job->all))
        return bestdag_run_status(run);
    for (int i = 0; i < job->rows.sources; i++)
        job->filled[i] = bestdag_alloc(run, (rows * (size_t)job->tables + 1) *
                                                sizeof **job->filled);
    return bestdag_run_status(run);
}

/* Normals with the covariance of what is missing: L times standard ones. */
static void draw(struct job *job, struct bestdag_random *random)
{
    int n = job->row.n;
    double standard[2];
    for (int i = 0; i < n; i++)
        job->normal[i] = 0;
    for (int j = 0; j < n; j++) {
        if (j % 2 == 0)
            bestdag_random_normals(random, standard);
        for (int i = j; i < n; i++)
            job->normal[i] +=
                job->factor[(ptrdiff_t)i * n + j] * standard[j % 2];
    }
}

static void put_row(struct job *job, int64_t r, int table, bool is_known)
{
    for (int i = 0; i < job->rows.sources; i++) {
        const struct bestdag_numeric_source *s = &job->rows.source[i];
        int at = job->place[s->variable];
        bool is_hole = isnan(s->number[r]);
        double x = job->row.mean[at] + (job->is_drawn ? job->normal[at] : 0);
        job->filled[i][table * job->table->rows + r] =
            is_hole && is_known ? x : s->number[r];
        job->holes += is_hole && !table;
    }
}

static int fill_row(struct job *job, int64_t r)
{
    int n = job->network->dag->n;
    double ln;
    bool has_hole = false;
    for (int i = 0; i < n; i++)
        job->value[i] = NAN;
    for (int i = 0; i < job->rows.sources; i++) {
        const struct bestdag_numeric_source *s = &job->rows.source[i];
        has_hole |= isnan(s->number[r]);
        job->value[job->place[s->variable]] = s->number[r];
    }
    bestdag_gaussian_copy(&job->all, &job->row);
    if (has_hole &&
        bestdag_gaussian_condition(job->run, &job->row, job->value, &ln))
        return bestdag_run_status(job->run);
    bool is_known = has_hole && ln > -INFINITY;
    job->impossible += has_hole && !is_known;
    if (job->is_drawn && is_known) {
        memcpy(job->factor, job->row.covariance,
               (size_t)n * (size_t)n * sizeof *job->factor);
        bestdag_cholesky(job->factor, n, 1e-11);
    }
    for (int t = 0; t < job->tables; t++) {
        struct bestdag_random random = bestdag_random_init(
            job->run->seed, (uint64_t)r << 20 ^ (uint64_t)t);
        if (job->is_drawn && is_known)
            draw(job, &random);
        put_row(job, r, t, is_known);
    }
    return BESTDAG_OK;
}

/* ---- the table ------------------------------------------------------------
 */

/* Columns that the network does not have, as they are. */
static int add_other(struct job *job, struct bestdag_table *to,
                     const struct bestdag_column *c)
{
    int64_t rows = job->table->rows;
    struct bestdag_column *copy = bestdag_table_add_like(job->run, to, c);
    if (!copy || !c->bytes)
        return bestdag_run_status(job->run);
    size_t bytes = (size_t)rows * (size_t)c->bytes;
    copy->cells = bestdag_alloc(job->run, bytes * (size_t)job->tables + 1);
    for (int t = 0; copy->cells && t < job->tables; t++)
        memcpy((char *)copy->cells + (size_t)t * bytes, c->cells, bytes);
    copy->missing = c->missing * job->tables;
    return bestdag_run_status(job->run);
}

static int add_numbers_of_tables(struct job *job, struct bestdag_table *to)
{
    int64_t rows = job->table->rows;
    double *number =
        bestdag_alloc(job->run, ((size_t)to->rows + 1) * sizeof *number);
    for (int64_t i = 0; number && i < to->rows; i++) {
        int64_t table = i / rows + 1;
        number[i] = (double)table;
    }
    if (number)
        bestdag_table_add_numbers(job->run, to, "table", number);
    bestdag_free(number);
    return bestdag_run_status(job->run);
}

static struct bestdag_table *make_table(struct job *job)
{
    const struct bestdag_table *from = job->table;
    struct bestdag_table *to =
        bestdag_table_new(job->run, from->rows * job->tables);
    if (to && job->is_numbered)
        add_numbers_of_tables(job, to);
    for (int c = 0; to && !bestdag_run_status(job->run) && c < from->columns;
         c++) {
        int i = 0;
        while (i < job->rows.sources && job->rows.source[i].column != c)
            i++;
        if (i < job->rows.sources)
            bestdag_table_add_numbers(job->run, to, from->column[c].name,
                                      job->filled[i]);
        else
            add_other(job, to, &from->column[c]);
    }
    if (!bestdag_run_status(job->run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

static int fill_all(struct job *job)
{
    for (int64_t r = 0; r < job->table->rows; r++) {
        if (bestdag_run_stopped(job->run))
            return bestdag_fail(job->run, BESTDAG_FAILED,
                                "stopped before all rows were filled");
        if (fill_row(job, r))
            return bestdag_run_status(job->run);
    }
    bestdag_note(job->run, 1, "missing cells that are filled: %lld",
                 (long long)job->holes);
    if (job->impossible)
        bestdag_note(job->run, 0,
                     "rows that the network excludes: %lld; their missing "
                     "cells are left as they are",
                     (long long)job->impossible);
    return BESTDAG_OK;
}

static void release(struct job *job)
{
    for (int i = 0; job->filled && i < job->rows.sources; i++)
        bestdag_free(job->filled[i]);
    bestdag_free(job->filled);
    bestdag_free(job->order);
    bestdag_free(job->place);
    bestdag_free(job->value);
    bestdag_free(job->known);
    bestdag_free(job->factor);
    bestdag_free(job->normal);
    bestdag_gaussian_release(&job->all);
    bestdag_gaussian_release(&job->row);
    bestdag_numeric_rows_release(&job->rows);
}

struct bestdag_table *bestdag_numeric_impute(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_table *table, const struct bestdag_options *options)
{
    struct job job = {.run = run, .network = network, .table = table};
    struct bestdag_table *to = NULL;
    if (!bestdag_network_is_gaussian(network) ||
        !bestdag_network_is_fitted(network))
        bestdag_fail(run, BESTDAG_USAGE,
                     bestdag_network_is_fitted(network)
                         ? "the network has both numbers and states, from "
                           "which missing cells are not filled; all numbers or "
                           "all states were expected"
                         : "the network has no parameters to fill cells with: "
                           "'bestdag fit' estimates them");
    else if (!read_wishes(&job, options) && !open_job(&job) && !fill_all(&job))
        to = make_table(&job);
    release(&job);
    return to;
}
