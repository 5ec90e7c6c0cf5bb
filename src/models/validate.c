/* SPDX-License-Identifier: MIT */
/* validate.c -- how well a classifier predicts rows that it was not trained on.
 *
 * K-fold cross-validation, a split, or a table for testing: in each case there
 * are parts, each trained and tested in a single-threaded slice of the run, in
 * parallel. All that depends on rows, including cuts of numbers, uses only the
 * training rows of the part. Results are kept by row and added up at the end,
 * so they do not depend on threads.
 *
 * Rows with a missing value are not trained on (classify.c) but tested on; rows
 * without a class are neither. */
#include <math.h>
#include <string.h>

#include "data/check/warnings.h"
#include "data/missing.h"
#include "data/states.h"
#include "models/accuracy.h"
#include "models/classify.h"
#include "models/predictions.h"
#include "models/stratify.h"
#include "parallel/parallel.h"

/* The result of one model. */
struct trial {
    double train, predict; /* seconds */
    int64_t arcs;          /* between attributes */
    bool is_forest;        /* no attribute has two attributes as parents */
    struct bestdag_predictions count; /* of holes; without rows */
};

struct job {
    struct bestdag_run *run;
    struct bestdag_classify how;
    const struct bestdag_options *options; /* of inference */
    const struct bestdag_table *table;     /* trained on */
    const struct bestdag_table *test;      /* tested on; may be the same */
    int class, test_class;                 /* columns of them */
    int *part;                             /* owns; [rows of test] */
    int parts;
    struct trial *trial; /* owns; [parts] */
    int *predicted; /* owns; [rows of test]: class, as numbered in verdict */
    double *p;      /* owns; [rows of test]: of the true class */
    struct bestdag_accuracy verdict; /* owns */
    int *truth; /* owns; class in the verdict, by code of the test's class */
    double start;
};

/* ---- parts --------------------------------------------------------------- */

/* The rows of the part, or all other rows that have a class. */
static struct bestdag_table *rows_of(struct bestdag_run *run,
                                     const struct bestdag_table *table,
                                     const int *part, int which, bool inside)
{
    struct bestdag_table *to = bestdag_table_copy(run, table);
    uint8_t *gone = bestdag_calloc(run, (size_t)table->rows + 1, 1);
    for (int64_t r = 0; gone && r < table->rows; r++)
        gone[r] = part[r] == BESTDAG_NO_PART || (part[r] == which) != inside;
    if (to && gone)
        bestdag_table_drop(run, to, gone);
    bestdag_free(gone);
    if (!bestdag_run_status(run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

static struct bestdag_network *train_part(struct job *job,
                                          struct bestdag_run *run, int part)
{
    double start = bestdag_seconds();
    struct bestdag_table *own =
        job->test == job->table
            ? rows_of(run, job->table, job->part, part, false)
            : NULL;
    struct bestdag_network *net =
        bestdag_run_status(run)
            ? NULL
            : bestdag_classify_train(run, own ? own : job->table, &job->how);
    bestdag_table_free(own);
    job->trial[part].train = bestdag_seconds() - start;
    return net;
}

static void look_at_structure(const struct bestdag_network *net,
                              struct trial *to)
{
    int class = bestdag_classify_marked(net);
    to->is_forest = true;
    for (int v = 0; v < net->dag->n; v++) {
        int others = net->dag->parents[v].count -
                     bestdag_dag_has_arc(net->dag, class, v);
        to->arcs += others;
        to->is_forest &= others < 2;
    }
}

/* A row's class, as numbered in the verdict. */
static int truth_of(const struct job *job, int64_t row)
{
    const struct bestdag_column *c = &job->test->column[job->test_class];
    return job->truth[bestdag_column_code(c, row)];
}

/* Maps classes of the model to those of the verdict, and the reverse (-1: the
 * model does not have it). */
static int *number_classes(struct bestdag_run *run, const struct job *job,
                           const struct bestdag_variable *class, int **reverse)
{
    size_t n = (size_t)job->verdict.classes;
    int *to = bestdag_alloc(run, (size_t) class->states * sizeof *to);
    *reverse = bestdag_alloc(run, n * sizeof **reverse);
    if (!to || !*reverse)
        return to;
    for (int c = 0; c < job->verdict.classes; c++)
        (*reverse)[c] = -1;
    for (int c = 0; c < class->states; c++) {
        to[c] = bestdag_accuracy_find(&job->verdict, class->labels[c]);
        (*reverse)[to[c]] = c;
    }
    return to;
}

static void keep_rows(struct bestdag_run *run, struct job *job, int part,
                      const struct bestdag_predictor *p,
                      const struct bestdag_predictions *f)
{
    int64_t i = 0;
    int *reverse;
    int *number =
        number_classes(run, job, &p->model->variable[p->class], &reverse);
    for (int64_t r = 0;
         !bestdag_run_status(run) && number && r < job->test->rows; r++) {
        if (job->part[r] != part)
            continue;
        int truth = reverse[truth_of(job, r)];
        job->predicted[r] = number[f->best[i]];
        job->p[r] = truth < 0 ? 0 : f->share[truth][i];
        i++;
    }
    bestdag_free(number);
    bestdag_free(reverse);
}

static int test_part(struct job *job, struct bestdag_run *run, int part,
                     const struct bestdag_network *net)
{
    double start = bestdag_seconds();
    struct bestdag_predictor p = {0};
    struct bestdag_predictions f = {0};
    struct trial *trial = &job->trial[part];
    struct bestdag_table *rows = rows_of(run, job->test, job->part, part, true);
    bool is_made =
        rows && !bestdag_predictor_init(run, &p, net, -1, rows, NULL);
    p.options = job->options;
    if (is_made && !bestdag_predictions_new(run, rows->rows, p.classes, &f) &&
        !bestdag_predictor_run(run, &p, rows->rows, &f)) {
        keep_rows(run, job, part, &p, &f);
        trial->count = f;
        trial->count.best = NULL;
        trial->count.share = NULL;
    }
    trial->predict = bestdag_seconds() - start;
    bestdag_predictions_release(&f, p.classes);
    bestdag_predictor_release(&p);
    bestdag_table_free(rows);
    return bestdag_run_status(run);
}

/* Runs on a worker. */
static int try_part(void *argument, int64_t item, int worker)
{
    struct job *job = argument;
    struct bestdag_slice_limits share = {.threads = job->parts > 1 ? 1 : 0,
                                         .index = (uint64_t)item};
    struct bestdag_run *slice = bestdag_run_slice(job->run, share);
    (void)worker;
    if (!slice)
        return bestdag_run_status(job->run);
    struct bestdag_network *net = train_part(job, slice, (int)item);
    if (net && !test_part(job, slice, (int)item, net))
        look_at_structure(net, &job->trial[item]);
    bestdag_network_free(net);
    return bestdag_run_join(slice);
}

/* The rows of a part are the same on every rank. */
static int pass_part(void *argument, int64_t item, struct bestdag_archive *p)
{
    struct job *job = argument;
    BESTDAG_PASS(p, job->trial[item]); /* it has no pointers */
    for (int64_t r = 0; r < job->test->rows; r++)
        if (job->part[r] == item) {
            BESTDAG_PASS(p, job->predicted[r]);
            BESTDAG_PASS(p, job->p[r]);
        }
    return BESTDAG_OK;
}

/* ---- before -------------------------------------------------------------- */

static int assign_rows(struct job *job, const struct bestdag_options *options)
{
    struct bestdag_value split =
        bestdag_option_value(options, &bestdag_classify_options, "split");
    const struct bestdag_column *class = &job->test->column[job->test_class];
    job->parts = 1;
    if (job->test != job->table) {
        for (int64_t r = 0; r < job->test->rows; r++)
            job->part[r] =
                bestdag_column_code(class, r) < 0 ? BESTDAG_NO_PART : 0;
        return BESTDAG_OK;
    }
    if (split.text)
        return bestdag_stratify_split(job->run, class, job->test->rows,
                                      split.number, job->part);
    job->parts =
        (int)bestdag_option_value(options, &bestdag_classify_options, "folds")
            .integer;
    return bestdag_stratify_folds(job->run, class, job->test->rows, job->parts,
                                  job->part);
}

static int check_options(struct bestdag_run *run,
                         const struct bestdag_table *test,
                         const struct bestdag_options *options)
{
    bool splits =
        bestdag_option_given(options, &bestdag_classify_options, "split");
    bool folds =
        bestdag_option_given(options, &bestdag_classify_options, "folds");
    if ((test && (splits || folds)) || (splits && folds))
        return bestdag_fail(run, BESTDAG_USAGE, "%s and %s exclude each other",
                            test ? "test" : "folds",
                            splits ? "split" : "folds");
    return BESTDAG_OK;
}

static int find_test_class(struct job *job)
{
    const char *name = job->table->column[job->class].name;
    job->test_class = bestdag_table_find(job->test, name);
    if (job->test_class < 0)
        return bestdag_fail(job->run, BESTDAG_INPUT,
                            "the table to test on has no column '%s'", name);
    return bestdag_column_need_codes(job->run,
                                     &job->test->column[job->test_class]);
}

static int prepare(struct job *job, const struct bestdag_options *options)
{
    struct bestdag_run *run = job->run;
    size_t rows = (size_t)job->test->rows + 1;
    job->class = bestdag_classify_class(run, job->table, &job->how);
    if (job->class < 0 || find_test_class(job))
        return bestdag_run_status(run);
    const struct bestdag_column *a = &job->table->column[job->class];
    const struct bestdag_column *b = &job->test->column[job->test_class];
    job->part = bestdag_alloc(run, rows * sizeof *job->part);
    job->predicted = bestdag_calloc(run, rows, sizeof *job->predicted);
    job->p = bestdag_calloc(run, rows, sizeof *job->p);
    job->truth =
        bestdag_alloc(run, ((size_t)b->states + 1) * sizeof *job->truth);
    if (bestdag_accuracy_init(run, &job->verdict, a->labels, a->states,
                              b->labels, a == b ? 0 : b->states) ||
        assign_rows(job, options))
        return bestdag_run_status(run);
    for (int c = 0; c < b->states; c++)
        job->truth[c] = bestdag_accuracy_find(&job->verdict, b->labels[c]);
    job->trial = bestdag_calloc(run, (size_t)job->parts, sizeof *job->trial);
    return bestdag_run_status(run);
}

/* ---- after --------------------------------------------------------------- */

static void judge(struct job *job)
{
    for (int64_t r = 0; r < job->test->rows; r++)
        if (job->part[r] >= 0 && job->part[r] < job->parts)
            bestdag_accuracy_add(
                &job->verdict, truth_of(job, r), job->predicted[r], job->p[r],
                job->test->weights ? job->test->weights[r] : 1);
}

static void add_notes(struct job *job)
{
    struct bestdag_predictions sum = {0};
    int64_t unknown = job->test->column[job->test_class].missing;
    for (int i = 0; i < job->parts; i++) {
        sum.holes += job->trial[i].count.holes;
        sum.missing += job->trial[i].count.missing;
        sum.summed += job->trial[i].count.summed;
        sum.sampled += job->trial[i].count.sampled;
        sum.impossible += job->trial[i].count.impossible;
    }
    if (unknown)
        bestdag_note(job->run, 0, "rows without a class: %lld, left out",
                     (long long)unknown);
    if (bestdag_table_missing(job->table) >
        job->table->column[job->class].missing)
        bestdag_note(
            job->run, 0,
            "rows with a missing value are used for testing, not for training");
    bestdag_predictions_note(job->run, &sum);
    if (sum.holes > sum.missing)
        bestdag_note(job->run, 0,
                     "values not seen in training: %lld, treated as missing",
                     (long long)(sum.holes - sum.missing));
}

static void write_models(const struct job *job, struct bestdag_json_writer *w)
{
    double train = 0, predict = 0;
    int64_t forests = 0, arcs = 0;
    for (int i = 0; i < job->parts; i++) {
        forests += job->trial[i].is_forest;
        arcs += job->trial[i].arcs;
        train += job->trial[i].train;
        predict += job->trial[i].predict;
    }
    bestdag_json_add_integer(w, "models", job->parts);
    bestdag_json_add_integer(w, "forests", forests);
    bestdag_json_add_number(w, "attribute_arcs",
                            (double)arcs / (double)job->parts);
    bestdag_json_open(w, "seconds", '{');
    bestdag_json_add_number(w, "train", train);
    bestdag_json_add_number(w, "predict", predict);
    bestdag_json_add_number(w, "total", bestdag_seconds() - job->start);
    bestdag_json_close(w, '}');
}

static char *write_report(const struct job *job,
                          const struct bestdag_options *options)
{
    struct bestdag_json_writer w = {.out.run = job->run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(
        &w, "model",
        bestdag_option_value(options, &bestdag_classify_options, "model").text);
    bestdag_json_add_text(
        &w, "score_name",
        bestdag_option_value(options, &bestdag_score_options, "score").text);
    bestdag_json_add_text(&w, "class", job->table->column[job->class].name);
    bestdag_json_add_text(&w, "validation",
                          job->parts > 1 ? "cross-validation" : "holdout");
    bestdag_accuracy_write(&job->verdict, &w);
    write_models(job, &w);
    bestdag_json_add_run(&w, job->run);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

/* ---- the whole ----------------------------------------------------------- */

static char *validate(struct job *job, const struct bestdag_options *options)
{
    int64_t done = 0;
    if (prepare(job, options))
        return NULL;
    struct bestdag_work work = {
        .job = job, .items = job->parts, .work = try_part, .pass = pass_part};
    bestdag_run_phase(job->run, "validating", work.items);
    if (bestdag_parallel(job->run, &work, &done))
        return NULL;
    if (done < work.items) {
        bestdag_fail(job->run, BESTDAG_FAILED,
                     "stopped after %lld of %d models were validated",
                     (long long)done, job->parts);
        return NULL;
    }
    judge(job);
    add_notes(job);
    return write_report(job, options);
}

char *bestdag_classifier_validate(struct bestdag_run *run,
                                  const struct bestdag_table *table,
                                  const struct bestdag_table *test,
                                  const struct bestdag_options *options)
{
    struct job job = {.run = run,
                      .options = options,
                      .table = table,
                      .test = test ? test : table,
                      .start = bestdag_seconds()};
    if (bestdag_lacks(run, table, "table") ||
        bestdag_classify_settings(run, options, &job.how) ||
        check_options(run, test, options))
        return NULL;
    bestdag_table_warn(run, table);
    char *report = validate(&job, options);
    bestdag_accuracy_release(&job.verdict);
    bestdag_free(job.part);
    bestdag_free(job.trial);
    bestdag_free(job.predicted);
    bestdag_free(job.p);
    bestdag_free(job.truth);
    return report;
}
