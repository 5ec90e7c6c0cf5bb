/* SPDX-License-Identifier: MIT */
/* cutting.c -- finding the cuts of columns.
 *
 * Each column is sorted; rows of weight 0, missing values and, for methods that
 * use a class, rows of unknown class are left out. The cuts of the method are
 * normalised: ascending, no duplicates, none with an empty side, without
 * rounding noise (3.35, where halfway from 3.3 to 3.4 came out as
 * 3.3499999999999996). Columns are processed in parallel; notes are in the
 * order of columns. Time O(rows) per column, apart from mdl; memory 32 bytes
 * per row for each thread. */
#include "data/discretize/cutting.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "parallel/parallel.h"

enum { SHORT_DIGITS = 12 };

/* What is noted about a column. */
struct finding {
    int asked, got; /* intervals */
    int empty;      /* intervals without a value */
};

struct job {
    struct bestdag_run *run;
    const struct bestdag_cutting *how;
    struct bestdag_interval_list *list;
    struct finding *found;     /* owns; [list->count] */
    int single, merged, empty; /* columns that the notes are about */
};

int bestdag_values_new(struct bestdag_run *run, const struct bestdag_column *c,
                       struct bestdag_values *to)
{
    *to = (struct bestdag_values){.column = c};
    if (c->kind != BESTDAG_CODES)
        return BESTDAG_OK;
    to->of_state = bestdag_alloc(run, (size_t)c->states * sizeof(double));
    for (int s = 0; to->of_state && s < c->states; s++)
        bestdag_number_parse(c->labels[s], strlen(c->labels[s]),
                             &to->of_state[s]);
    return bestdag_run_status(run);
}

/* ---- one column ---------------------------------------------------------- */

static void collect(const struct bestdag_values *v, struct bestdag_keyed *at,
                    struct bestdag_sample *s)
{
    const struct bestdag_table *t = s->table;
    for (int64_t r = 0; r < t->rows; r++) {
        double x = bestdag_value_at(v, r);
        int64_t weight = t->weights ? t->weights[r] : 1;
        if (isnan(x) || weight <= 0 ||
            (s->class && bestdag_column_code(s->class, r) < 0))
            continue;
        at[s->count].key = bestdag_key_of_double(x);
        at[s->count++].row = (uint32_t)r;
        s->total += weight;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A short number near x that separates the values in the same way, if there is
 * one; else x. */
static double without_noise(const struct bestdag_sample *s, double x)
{
    double y = bestdag_number_rounded(x, SHORT_DIGITS);
    if (fabs(y - x) <= 4 * DBL_EPSILON * fabs(x) &&
        bestdag_sample_below(s, y) == bestdag_sample_below(s, x))
        return y;
    return x;
}

/* Sorts the cuts, and removes duplicates and cuts with an empty side. */
static void tidy(const struct bestdag_sample *s, struct bestdag_cuts *cuts)
{
    int count = 0;
    for (int i = 0; i < cuts->count; i++)
        cuts->at[i] = without_noise(s, cuts->at[i]);
    if (cuts->count > 1)
        qsort(cuts->at, (size_t)cuts->count, sizeof *cuts->at, compare_doubles);
    for (int i = 0; i < cuts->count; i++) {
        double x = cuts->at[i];
        int64_t below = bestdag_sample_below(s, x);
        if (below && below < s->count && (!count || x > cuts->at[count - 1]))
            cuts->at[count++] = x;
    }
    cuts->count = count;
}

static int count_empty(const struct bestdag_sample *s,
                       const struct bestdag_cuts *cuts)
{
    int64_t before = 0;
    int empty = 0;
    for (int i = 0; i < cuts->count; i++) {
        int64_t below = bestdag_sample_below(s, cuts->at[i]);
        empty += below == before;
        before = below;
    }
    return empty;
}

static int cut_sample(const struct job *job, const struct bestdag_sample *s,
                      struct bestdag_intervals *to, struct finding *f)
{
    if (s->count && job->how->method->cut(job->run, s, &to->cuts))
        return bestdag_run_status(job->run);
    f->asked = to->cuts.count + 1;
    tidy(s, &to->cuts);
    f->got = to->cuts.count + 1;
    f->empty = count_empty(s, &to->cuts);
    if (f->got > BESTDAG_MOST_STATES)
        return bestdag_fail(job->run, BESTDAG_INPUT,
                            "column '%s': %d intervals, expected at most %d",
                            s->table->column[to->column].name, f->got,
                            BESTDAG_MOST_STATES);
    to->method = bestdag_strdup(job->run, job->how->text);
    return to->method ? bestdag_intervals_label(job->run, s, to)
                      : bestdag_run_status(job->run);
}

/* On a worker: all for one column. */
static int cut_column(void *data, int64_t item, int worker)
{
    struct job *job = data;
    const struct bestdag_cutting *how = job->how;
    struct bestdag_intervals *to = &job->list->of[item];
    struct bestdag_sample s = {
        .table = how->table, .class = how->class, .intervals = how->intervals};
    struct bestdag_values v;
    (void)worker;
    struct bestdag_keyed *at =
        bestdag_alloc(job->run, (size_t)s.table->rows * 2 * sizeof *at);
    if (!bestdag_values_new(job->run, &s.table->column[to->column], &v) && at) {
        collect(&v, at, &s);
        bestdag_keyed_sort(at, at + s.count, (size_t)s.count);
        s.at = at;
        cut_sample(job, &s, to, &job->found[item]);
    }
    bestdag_free(v.of_state);
    bestdag_free(at);
    return bestdag_run_status(job->run);
}

/* ---- telling ------------------------------------------------------------- */

static int note_column(void *data, int64_t item)
{
    struct job *job = data;
    const struct finding *f = &job->found[item];
    const char *name = job->how->table->column[job->list->of[item].column].name;
    job->single += f->got == 1;
    job->merged += f->got > 1 && f->got < f->asked;
    job->empty += f->empty > 0;
    if (f->got == 1)
        bestdag_note(job->run, 1, "column '%s': no cut, one state", name);
    else if (f->got < f->asked)
        bestdag_note(job->run, 1,
                     "column '%s': %d states instead of %d, equal cuts merged",
                     name, f->got, f->asked);
    if (f->empty)
        bestdag_note(job->run, 1, "column '%s': %d of %d states are empty",
                     name, f->empty, f->got);
    return BESTDAG_OK;
}

static void note_all(const struct job *job)
{
    int count = job->list->count;
    if (!count)
        bestdag_note(job->run, 0, "no numeric column, nothing to discretise");
    if (job->single)
        bestdag_note(job->run, 0, "%d of %d columns: no cut, one state",
                     job->single, count);
    if (job->merged)
        bestdag_note(
            job->run, 0,
            "%d of %d columns: fewer states than requested, equal cuts merged",
            job->merged, count);
    if (job->empty)
        bestdag_note(job->run, 0, "%d of %d columns: some states are empty",
                     job->empty, count);
}

int bestdag_cutting_find(struct bestdag_run *run,
                         const struct bestdag_cutting *how,
                         struct bestdag_interval_list *list)
{
    struct job job = {.run = run, .how = how, .list = list};
    struct bestdag_work work = {.job = &job,
                                .items = list->count,
                                .work = cut_column,
                                .take = note_column};
    int64_t done = 0;
    job.found = bestdag_calloc(run, (size_t)list->count, sizeof *job.found);
    if (!job.found)
        return bestdag_run_status(run);
    bestdag_run_phase(run, "cutting", work.items);
    if (!bestdag_parallel(run, &work, &done)) {
        if (bestdag_run_stopped(run)) /* also after a stop within mdl */
            bestdag_fail(run, BESTDAG_FAILED,
                         "stopped before all columns were cut");
        else
            note_all(&job);
    }
    bestdag_free(job.found);
    return bestdag_run_status(run);
}

struct bestdag_table *bestdag_cutting_all(struct bestdag_run *run,
                                          const struct bestdag_cutting *how,
                                          struct bestdag_interval_list *list)
{
    const struct bestdag_table *table = how->table;
    int count = 0, i = 0;
    for (int c = 0; c < table->columns; c++)
        count += table->column[c].kind == BESTDAG_NUMBERS;
    if (bestdag_intervals_new(run, count, list))
        return NULL;
    for (int c = 0; c < table->columns; c++)
        if (table->column[c].kind == BESTDAG_NUMBERS)
            list->of[i++].column = c;
    if (count && bestdag_cutting_find(run, how, list))
        return NULL;
    return bestdag_cutting_apply(run, table, list);
}
