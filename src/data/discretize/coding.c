/* SPDX-License-Identifier: MIT */
/* coding.c -- the table with the cut columns as codes.
 *
 * A value's state is the number of cuts that are not above it; missing values
 * stay missing. Other columns and the weights are copied. Columns are filled in
 * parallel. Time O(rows log cuts) per column. */
#include <string.h>

#include "data/discretize/cutting.h"
#include "parallel/parallel.h"

struct job {
    struct bestdag_run *run;
    const struct bestdag_table *from;
    const struct bestdag_interval_list *list;
    struct bestdag_table *to;
    int *which; /* owns; [columns]: index in the list, -1 for other columns */
};

static void fill_codes(const struct bestdag_values *v,
                       const struct bestdag_cuts *cuts,
                       struct bestdag_column *to, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        double x = bestdag_value_at(v, r);
        int code =
            isnan(x) ? -1 : bestdag_cuts_state(cuts, x); /* -1: all bits set */
        if (to->bytes == 1)
            ((uint8_t *)to->cells)[r] = (uint8_t)code;
        else
            ((uint16_t *)to->cells)[r] = (uint16_t)code;
    }
}

/* On a worker. */
static int fill_column(void *data, int64_t item, int worker)
{
    const struct job *job = data;
    const struct bestdag_column *from = &job->from->column[item];
    struct bestdag_column *to = &job->to->column[item];
    struct bestdag_values v;
    size_t bytes = (size_t)job->from->rows * (size_t)to->bytes;
    (void)worker;
    to->cells = bestdag_alloc(job->run, bytes);
    if (!to->cells)
        return bestdag_run_status(job->run);
    to->missing = from->missing;
    if (job->which[item] < 0) {
        if (bytes)
            memcpy(to->cells, from->cells, bytes);
        return BESTDAG_OK;
    }
    if (bestdag_values_new(job->run, from, &v))
        return bestdag_run_status(job->run);
    fill_codes(&v, &job->list->of[job->which[item]].cuts, to, job->from->rows);
    bestdag_free(v.of_state);
    return BESTDAG_OK;
}

/* Adds names, states and labels; the cells follow. */
static int add_head(struct job *job, int column)
{
    const struct bestdag_column *from = &job->from->column[column];
    struct bestdag_column head = *from;
    if (job->which[column] >= 0) {
        const struct bestdag_intervals *cut =
            &job->list->of[job->which[column]];
        head.kind = BESTDAG_CODES;
        head.states = cut->cuts.count + 1;
        head.labels = cut->labels;
        head.ordered = true;
        head.bytes = bestdag_code_bytes(head.states);
    }
    bestdag_table_add_like(job->run, job->to, &head);
    return bestdag_run_status(job->run);
}

static int add_heads(struct job *job)
{
    int columns = job->from->columns;
    job->which = bestdag_calloc(job->run, (size_t)columns, sizeof *job->which);
    for (int c = 0; job->which && c < columns; c++)
        job->which[c] = -1;
    for (int i = 0; job->which && i < job->list->count; i++)
        job->which[job->list->of[i].column] = i;
    for (int c = 0; job->which && c < columns; c++)
        if (add_head(job, c))
            break;
    return bestdag_run_status(job->run);
}

static int copy_weights(const struct job *job)
{
    size_t bytes = (size_t)job->from->rows * sizeof *job->from->weights;
    job->to->total = job->from->total;
    if (!job->from->weights)
        return BESTDAG_OK;
    job->to->weights = bestdag_alloc(job->run, bytes);
    if (job->to->weights && bytes)
        memcpy(job->to->weights, job->from->weights, bytes);
    return bestdag_run_status(job->run);
}

struct bestdag_table *bestdag_cutting_apply(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_interval_list *list)
{
    struct job job = {.run = run, .from = table, .list = list};
    struct bestdag_work work = {
        .job = &job, .items = table->columns, .work = fill_column};
    int64_t done = 0;
    bestdag_run_phase(run, "discretizing", work.items);
    job.to = bestdag_table_new(run, table->rows);
    if (job.to)
        job.to->use = table->use;
    if (job.to && !copy_weights(&job) && !add_heads(&job) &&
        !bestdag_parallel(run, &work, &done) && done < work.items)
        bestdag_fail(run, BESTDAG_FAILED,
                     "stopped before all columns were discretised");
    bestdag_free(job.which);
    if (!bestdag_run_status(run))
        return job.to;
    bestdag_table_free(job.to);
    return NULL;
}
