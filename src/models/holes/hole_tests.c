/* SPDX-License-Identifier: MIT */
/* hole_tests.c -- does being missing depend on other columns?
 *
 * Where it does, the rows without missing values are a biased sample of all
 * rows (values are not missing completely at random: Little 1988 tests the same
 * for means of numbers). For every column with missing values and every other
 * column: Pearson's chi-square test of independence between "is missing" and
 * the other's state, in the rows that have the other; and for every two columns
 * with missing values, between "is missing" of both. Columns of numbers are cut
 * into quarters of their values. States whose expected counts are below 5 are
 * pooled, so that the distribution of the statistic is nearly chi-square. All
 * p-values are adjusted together by Holm's method (1979), which holds the
 * probability of any false alarm below the level.
 *
 * Time: rows times columns times columns with missing values. Where that is
 * more than MOST_WORK, only the columns that lack most are tested. */
#include "models/holes/hole_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/hole_patterns.h"
#include "parallel/parallel.h"
#include "scores/special.h"

enum {
    QUARTERS = 4,
    LEAST_EXPECTED = 5, /* counts: the rule of thumb of Cochran (1954) */
    MOST_STATES = 1000  /* of a column to test against */
};
static const double MOST_WORK = 2e10;     /* cells: about ten seconds */
static const double MOST_TESTS = 1 << 20; /* 100 MB */

/* One column as small codes. */
struct coded {
    int states;
    uint16_t *own;       /* owns; of numbers; else NULL */
    const uint16_t *two; /* codes of two bytes, or NULL */
    const uint8_t *one;
    uint8_t *lacks; /* owns; [rows]; NULL: has no holes */
};

struct job {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    struct coded *coded; /* owns; [columns] */
    int *tested;         /* owns; columns with holes that are tested */
    int count;
    struct bestdag_hole_test *test; /* owns; [count * columns * 2] */
    int64_t *made;                  /* owns; [count] */
};

/* Counts of one test, by state of the other column. */
struct cross {
    int64_t with[MOST_STATES], all[MOST_STATES];
    int states;
    int64_t sum_with, sum;
};

/* ---- columns as codes ---------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int cut_quarters(struct bestdag_run *run, const struct bestdag_column *c,
                        int64_t rows, struct coded *to)
{
    const double *cell = c->cells;
    double *sorted = bestdag_alloc(run, ((size_t)rows + 1) * sizeof *sorted);
    int64_t n = 0;
    to->own = bestdag_alloc(run, ((size_t)rows + 1) * sizeof *to->own);
    if (!sorted || !to->own) {
        bestdag_free(sorted);
        return bestdag_run_status(run);
    }
    for (int64_t r = 0; r < rows; r++)
        if (!isnan(cell[r]))
            sorted[n++] = cell[r];
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    for (int64_t r = 0; r < rows; r++) {
        int quarter = 0;
        for (int k = 1; k < QUARTERS; k++)
            quarter += n && cell[r] > sorted[n * k / QUARTERS];
        to->own[r] =
            isnan(cell[r]) ? (uint16_t)BESTDAG_MISSING_2 : (uint16_t)quarter;
    }
    to->two = to->own;
    to->states = n ? QUARTERS : 0;
    bestdag_free(sorted);
    return BESTDAG_OK;
}

static int code_column(struct job *job, int column)
{
    const struct bestdag_column *c = &job->table->column[column];
    struct coded *to = &job->coded[column];
    int64_t rows = job->table->rows;
    if (c->kind == BESTDAG_OPAQUE)
        return BESTDAG_OK;
    if (bestdag_column_has_holes(c)) {
        to->lacks = bestdag_alloc(job->run, (size_t)rows + 1);
        for (int64_t r = 0; to->lacks && r < rows; r++)
            to->lacks[r] = bestdag_column_is_hole(c, r);
    }
    if (c->kind == BESTDAG_NUMBERS)
        return cut_quarters(job->run, c, rows, to);
    to->states = c->states <= MOST_STATES ? c->states : 0;
    to->one = c->bytes == 1 ? c->cells : NULL;
    to->two = c->bytes == 2 ? c->cells : NULL;
    return bestdag_run_status(job->run);
}

/* ---- one test ------------------------------------------------------------ */

static int code_at(const struct coded *c, int64_t r)
{
    if (c->one)
        return c->one[r] == BESTDAG_MISSING_1 ? -1 : c->one[r];
    return c->two[r] == BESTDAG_MISSING_2 ? -1 : c->two[r];
}

static void count(const struct job *job, const struct coded *a,
                  const struct coded *b, bool is_pair, struct cross *to)
{
    const int32_t *weights = job->table->weights;
    to->states = is_pair ? 2 : b->states;
    to->sum_with = to->sum = 0;
    memset(to->with, 0, (size_t)to->states * sizeof *to->with);
    memset(to->all, 0, (size_t)to->states * sizeof *to->all);
    for (int64_t r = 0; r < job->table->rows; r++) {
        int s = is_pair ? b->lacks[r] : code_at(b, r);
        int64_t w = weights ? weights[r] : 1;
        if (s < 0)
            continue;
        to->all[s] += w;
        to->with[s] += a->lacks[r] ? w : 0;
    }
    for (int s = 0; s < to->states; s++) {
        to->sum += to->all[s];
        to->sum_with += to->with[s];
    }
}

static double term(int64_t with, int64_t all, double rate)
{
    double expected = (double)all * rate;
    double off = (double)with - expected;
    return off * off / (expected * (1 - rate));
}

/* Returns false if there is nothing to test. States of small expected counts
 * are pooled; a pool that is still too small is left out. */
static bool examine(const struct cross *k, struct bestdag_hole_test *t)
{
    double rate = (double)k->sum_with / (double)k->sum;
    double small = fmin(rate, 1 - rate), best = -1;
    int64_t with = 0, all = 0;
    int kept = 0;
    t->statistic = 0;
    for (int s = 0; s < k->states; s++) {
        if ((double)k->all[s] * small < LEAST_EXPECTED) {
            with += k->with[s];
            all += k->all[s];
            continue;
        }
        double x = term(k->with[s], k->all[s], rate);
        kept++;
        t->statistic += x;
        if ((double)k->with[s] > (double)k->all[s] * rate && x > best) {
            best = x;
            t->state = s;
        }
    }
    if ((double)all * small >= LEAST_EXPECTED) {
        t->statistic += term(with, all, rate);
        kept++;
    }
    t->freedom = kept - 1;
    return kept > 1 && t->state >= 0;
}

static double share(int64_t part, int64_t all)
{
    return all ? (double)part / (double)all : 0;
}

static bool test(const struct job *job, int column, int on, bool is_pair,
                 struct cross *k, struct bestdag_hole_test *to)
{
    const struct coded *a = &job->coded[column], *b = &job->coded[on];
    *to = (struct bestdag_hole_test){
        .column = column, .on = on, .is_pair = is_pair, .state = -1};
    if (is_pair ? !b->lacks || on <= column : b->states < 2)
        return false;
    count(job, a, b, is_pair, k);
    if (!k->sum || !k->sum_with || k->sum_with == k->sum || !examine(k, to))
        return false;
    int s = to->state;
    to->there = share(k->with[s], k->all[s]);
    to->elsewhere = share(k->sum_with - k->with[s], k->sum - k->all[s]);
    to->both = is_pair ? k->with[1] : 0;
    to->expected = is_pair ? (double)k->all[1] * share(k->sum_with, k->sum) : 0;
    bool is_instead = is_pair && s == 0; /* either is missing, but not both */
    to->p = is_instead ? 1 : bestdag_chi2_upper(to->statistic, to->freedom);
    return true;
}

static int test_column(void *data, int64_t item, int worker)
{
    struct job *job = data;
    int n = job->table->columns, column = job->tested[item];
    struct bestdag_hole_test *to = job->test + item * 2 * n;
    struct cross *k = bestdag_alloc(job->run, sizeof *k);
    (void)worker;
    for (int on = 0; k && on < n; on++) {
        if (on == column)
            continue;
        if (bestdag_run_stopped(job->run))
            break;
        for (int pair = 0; pair < 2; pair++)
            job->made[item] +=
                test(job, column, on, pair, k, &to[job->made[item]]);
    }
    bestdag_free(k);
    return bestdag_run_status(job->run);
}

/* ---- all of them --------------------------------------------------------- */

struct lack {
    int64_t missing;
    int column;
};

static int by_missing(const void *a, const void *b)
{
    const struct lack *x = a, *y = b;
    if (x->missing != y->missing)
        return x->missing > y->missing ? -1 : 1;
    return x->column - y->column;
}

/* The columns that lack most, as many as the work allows. */
static int choose(struct job *job, bool *are_all)
{
    const struct bestdag_table *t = job->table;
    struct lack *lack =
        bestdag_alloc(job->run, (size_t)t->columns * sizeof *lack);
    double tests = fmin(MOST_TESTS, MOST_WORK / (double)(t->rows + 1));
    double most = tests / (2.0 * t->columns);
    int found = 0;
    job->tested = bestdag_alloc(job->run, (size_t)t->columns * sizeof(int));
    if (!lack || !job->tested) {
        bestdag_free(lack);
        return bestdag_run_status(job->run);
    }
    for (int c = 0; c < t->columns; c++)
        if (bestdag_column_has_holes(&t->column[c]))
            lack[found++] = (struct lack){t->column[c].missing, c};
    qsort(lack, (size_t)found, sizeof *lack, by_missing);
    job->count = most < found ? (int)fmax(most, 1) : found;
    *are_all = job->count == found;
    for (int i = 0; i < job->count; i++)
        job->tested[i] = lack[i].column;
    bestdag_free(lack);
    return BESTDAG_OK;
}

static int by_p(const void *a, const void *b)
{
    const struct bestdag_hole_test *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    if (x->statistic != y->statistic) /* p may be 0 for both */
        return x->statistic > y->statistic ? -1 : 1;
    if (x->column != y->column)
        return x->column - y->column;
    return x->on != y->on ? x->on - y->on : x->is_pair - y->is_pair;
}

/* Holm: the k-th smallest of m times m - k + 1, never falling. */
static void adjust(struct bestdag_hole_tests *t)
{
    double last = 0;
    qsort(t->at, (size_t)t->count, sizeof *t->at, by_p);
    for (int64_t i = 0; i < t->count; i++) {
        last = fmax(last, fmin(1, t->at[i].p * (double)(t->count - i)));
        t->at[i].adjusted = last;
        if (bestdag_hole_test_is_significant(&t->at[i])) {
            t->pairs += t->at[i].is_pair;
            t->dependent += !t->at[i].is_pair;
        }
    }
}

static void collect(struct job *job, struct bestdag_hole_tests *to)
{
    for (int i = 0; i < job->count; i++) {
        size_t from = (size_t)i * 2 * (size_t)job->table->columns;
        memmove(job->test + to->count, job->test + from,
                (size_t)job->made[i] * sizeof *job->test);
        to->count += job->made[i];
    }
    to->at = job->test;
    job->test = NULL;
    adjust(to);
}

static int run_tests(struct job *job, struct bestdag_hole_tests *to)
{
    int n = job->table->columns;
    struct bestdag_work work = {.job = job, .work = test_column};
    int64_t done = 0;
    bool are_all = false;
    job->coded = bestdag_calloc(job->run, (size_t)n, sizeof *job->coded);
    for (int c = 0; job->coded && c < n; c++)
        if (code_column(job, c))
            break;
    if (bestdag_run_status(job->run) || choose(job, &are_all))
        return bestdag_run_status(job->run);
    job->test = bestdag_alloc(
        job->run, ((size_t)job->count * (size_t)n * 2 + 1) * sizeof *job->test);
    job->made =
        bestdag_calloc(job->run, (size_t)job->count + 1, sizeof *job->made);
    if (!job->test || !job->made)
        return bestdag_run_status(job->run);
    work.items = job->count;
    bestdag_run_phase(job->run, "testing missing values", work.items);
    if (bestdag_parallel(job->run, &work, &done))
        return bestdag_run_status(job->run);
    to->is_complete = are_all && done == work.items;
    collect(job, to);
    return BESTDAG_OK;
}

int bestdag_hole_tests_run(struct bestdag_run *run,
                           const struct bestdag_table *table,
                           struct bestdag_hole_tests *to)
{
    struct job job = {.run = run, .table = table};
    *to = (struct bestdag_hole_tests){0};
    int status = run_tests(&job, to);
    for (int c = 0; job.coded && c < table->columns; c++) {
        bestdag_free(job.coded[c].own);
        bestdag_free(job.coded[c].lacks);
    }
    bestdag_free(job.coded);
    bestdag_free(job.tested);
    bestdag_free(job.test);
    bestdag_free(job.made);
    return status;
}

void bestdag_hole_tests_release(struct bestdag_hole_tests *tests)
{
    bestdag_free(tests->at);
    *tests = (struct bestdag_hole_tests){0};
}
