/* SPDX-License-Identifier: MIT */
/* discretize.c -- numbers become codes: the door of all methods.
 *
 * Each chosen column is sorted (rows of weight 0, missing values and, for
 * methods that look at a class, rows of unknown class left out), its method
 * adds cuts, and the door brings them into form: ascending, each one once, none
 * that leaves nothing on one side. A value's state is the number of cuts that
 * are not above it:
 *
 *     x < cut 1: state 0     cut 1 <= x < cut 2: state 1     ...
 *
 * A column without a cut (all values equal, or mdl found none) gets one state.
 * Columns are worked on in parallel; notes are told in the order of columns.
 * Time O(rows) a column, apart from mdl. */
#include "data/discretize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "data/groups.h"
#include "data/intervals.h"
#include "parallel/parallel.h"

/* One row a method. A new method is a row here and a file beside this one. */
#define METHODS(ROW)                                                           \
    ROW(mean)                                                                  \
    ROW(median)                                                                \
    ROW(width)                                                                 \
    ROW(quantile)                                                              \
    ROW(mdl)
#define DECLARE(name)                                                          \
    extern const struct bestdag_discretizer bestdag_discretizer_##name;
#define ENTRY(name) &bestdag_discretizer_##name,

METHODS(DECLARE)
static const struct bestdag_discretizer *const methods[] = {METHODS(ENTRY)};

enum { COUNT = sizeof methods / sizeof *methods };

const struct bestdag_discretizer *bestdag_discretizer_at(int i)
{
    return i >= 0 && i < COUNT ? methods[i] : NULL;
}

int64_t bestdag_sample_below(const struct bestdag_sample *s, double x)
{
    uint64_t key = bestdag_key_of_double(x);
    int64_t low = 0, high = s->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->at[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int bestdag_cuts_add(struct bestdag_run *run, struct bestdag_cuts *cuts,
                     double x)
{
    if (cuts->count == cuts->room) {
        int room = cuts->room ? cuts->room * 2 : 8;
        void *at =
            bestdag_realloc(run, cuts->at, (size_t)room * sizeof *cuts->at);
        if (!at)
            return bestdag_run_status(run);
        cuts->at = at;
        cuts->room = room;
    }
    cuts->at[cuts->count++] = x + 0.0; /* -0 becomes 0 */
    return BESTDAG_OK;
}

/* ---- settings -------------------------------------------------------------
 */

struct job {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    const struct bestdag_discretizer *method;
    int intervals;    /* K; 0: the method has none */
    const char *text; /* "width:5" */
    const struct bestdag_column *class;
    struct bestdag_interval_list list;
    int merged, single, empty; /* columns that the notes tell of */
    struct finding *found;     /* owns; [list.count] */
    struct bestdag_table *to;
};

/* What the notes say about a column. */
struct finding {
    int asked, got; /* intervals */
    int empty;      /* of them without a value */
};

static const char *method_name(const void *unused, int i)
{
    (void)unused;
    return methods[i]->name;
}

static int find_method(struct job *job, const char *name)
{
    char suggestion[128];
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(methods[i]->name, name)) {
            job->method = methods[i];
            return BESTDAG_OK;
        }
    return bestdag_fail(
        job->run, BESTDAG_USAGE,
        "method: '%s' is not one of mean, median, width:K, quantile:K, mdl%s",
        name,
        bestdag_suggest(suggestion,
                        bestdag_nearest(name, method_name, NULL, COUNT)));
}

/* "width:5" */
static int read_method(struct job *job, const char *text)
{
    char name[32];
    const char *colon = strchr(text, ':');
    double k = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (find_method(job, name))
        return BESTDAG_USAGE;
    if (colon && !job->method->is_counted)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "method: '%s' takes no number", name);
    if (job->method->is_counted &&
        (!colon || !bestdag_number_parse(colon + 1, strlen(colon + 1), &k) ||
         k != floor(k) || k < BESTDAG_FEWEST_INTERVALS ||
         k > BESTDAG_MOST_INTERVALS))
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "method: '%s' is not %s:K with a whole number K "
                            "from %d to %d",
                            text, name, BESTDAG_FEWEST_INTERVALS,
                            BESTDAG_MOST_INTERVALS);
    job->intervals = (int)k;
    job->text = text;
    return BESTDAG_OK;
}

static int read_class(struct job *job, const char *name)
{
    if (!job->method->is_classed)
        return BESTDAG_OK;
    if (!name)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "method '%s' needs a class column (class)",
                            job->method->name);
    int c = bestdag_table_find_or_fail(job->run, job->table, name);
    if (c < 0)
        return bestdag_run_status(job->run);
    job->class = &job->table->column[c];
    if (job->class->kind != BESTDAG_CODES)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "class: column '%s' has no states", name);
    return BESTDAG_OK;
}

/* ---- choosing columns -----------------------------------------------------
 */

static bool is_number(const char *label)
{
    double x;
    return bestdag_number_parse(label, strlen(label), &x);
}

/* Numbers, or codes whose labels all are numbers. */
static int need_numbers(struct bestdag_run *run, const struct bestdag_column *c)
{
    if (c->kind == BESTDAG_OPAQUE)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "column '%s' holds text, numbers were expected",
                            c->name);
    for (int s = 0; c->kind == BESTDAG_CODES && s < c->states; s++)
        if (!is_number(c->labels[s]))
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' has the state '%s', numbers were "
                                "expected",
                                c->name, c->labels[s]);
    return BESTDAG_OK;
}

/* A name of the list as it stands, or else without the blanks around it. */
static int find_listed(struct job *job, const char *from, size_t n)
{
    char *name = bestdag_strndup(job->run, from, n);
    int c = name ? bestdag_table_find(job->table, name) : -1;
    if (name && c < 0) {
        char *start = name + strspn(name, " ");
        for (n = strlen(start); n && start[n - 1] == ' '; n--)
            start[n - 1] = 0;
        c = bestdag_table_find_or_fail(job->run, job->table, start);
    }
    bestdag_free(name);
    return c;
}

static int choose_listed(struct job *job, const char *list, bool *chosen)
{
    for (const char *p = list;; p++) {
        size_t n = strcspn(p, ",");
        int c = find_listed(job, p, n);
        if (c < 0 || need_numbers(job->run, &job->table->column[c]))
            return bestdag_run_status(job->run);
        if (job->class == &job->table->column[c])
            return bestdag_fail(job->run, BESTDAG_USAGE,
                                "columns: '%s' is the class", job->class->name);
        chosen[c] = true;
        p += n;
        if (!*p)
            return BESTDAG_OK;
    }
}

static int choose_columns(struct job *job, const char *list)
{
    const struct bestdag_table *t = job->table;
    bool *chosen = bestdag_calloc(job->run, (size_t)t->columns, sizeof *chosen);
    if (!chosen)
        return bestdag_run_status(job->run);
    int count = 0, i = 0;
    if (list)
        choose_listed(job, list, chosen);
    for (int c = 0; c < t->columns; c++) {
        chosen[c] |= !list && t->column[c].kind == BESTDAG_NUMBERS;
        count += chosen[c];
    }
    if (!bestdag_run_status(job->run) &&
        !bestdag_intervals_new(job->run, count, &job->list))
        for (int c = 0; c < t->columns; c++)
            if (chosen[c])
                job->list.of[i++].column = c;
    bestdag_free(chosen);
    return bestdag_run_status(job->run);
}

/* ---- finding cuts ---------------------------------------------------------
 */

/* Cells of a column as numbers; codes through their labels. */
struct values {
    const struct bestdag_column *column;
    double *of_state; /* owns; NULL: a column of numbers */
};

static int values_new(struct bestdag_run *run, const struct bestdag_column *c,
                      struct values *to)
{
    *to = (struct values){.column = c};
    if (c->kind != BESTDAG_CODES)
        return BESTDAG_OK;
    to->of_state = bestdag_alloc(run, (size_t)c->states * sizeof(double));
    for (int s = 0; to->of_state && s < c->states; s++)
        bestdag_number_parse(c->labels[s], strlen(c->labels[s]),
                             &to->of_state[s]);
    return bestdag_run_status(run);
}

static inline double value_at(const struct values *v, int64_t row)
{
    if (!v->of_state)
        return ((const double *)v->column->cells)[row];
    int code = bestdag_column_code(v->column, row);
    return code < 0 ? NAN : v->of_state[code];
}

static int collect(const struct job *job, const struct values *v,
                   struct bestdag_keyed *at, struct bestdag_sample *s)
{
    const struct bestdag_table *t = job->table;
    for (int64_t r = 0; r < t->rows; r++) {
        double x = value_at(v, r);
        int64_t weight = t->weights ? t->weights[r] : 1;
        if (isnan(x) || weight <= 0 ||
            (s->class && bestdag_column_code(s->class, r) < 0))
            continue;
        if (isinf(x))
            return bestdag_fail(job->run, BESTDAG_INPUT,
                                "column '%s', row %lld: an infinite number "
                                "cannot be discretised",
                                v->column->name, (long long)r + 1);
        at[s->count++] =
            (struct bestdag_keyed){bestdag_key_of_double(x), (uint32_t)r};
        s->total += weight;
    }
    return BESTDAG_OK;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Ascending, each once, none that leaves nothing on one side. */
static void tidy(const struct bestdag_sample *s, struct bestdag_cuts *cuts)
{
    int count = 0;
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

static void look_at(const struct bestdag_sample *s,
                    const struct bestdag_cuts *cuts, struct finding *f)
{
    int64_t before = 0;
    f->got = cuts->count + 1;
    for (int i = 0; i < cuts->count; i++) {
        int64_t below = bestdag_sample_below(s, cuts->at[i]);
        f->empty += below == before;
        before = below;
    }
}

static int cut_sample(const struct job *job, const struct bestdag_sample *s,
                      struct bestdag_intervals *to, struct finding *f)
{
    if (s->count && job->method->cut(job->run, s, &to->cuts))
        return bestdag_run_status(job->run);
    f->asked = to->cuts.count + 1;
    tidy(s, &to->cuts);
    look_at(s, &to->cuts, f);
    if (to->cuts.count >= BESTDAG_MOST_STATES)
        return bestdag_fail(job->run, BESTDAG_INPUT,
                            "column '%s': %d intervals are too many",
                            job->table->column[to->column].name, f->got);
    to->method = bestdag_strdup(job->run, job->text);
    return to->method ? bestdag_intervals_label(job->run, s, to)
                      : bestdag_run_status(job->run);
}

/* On a worker: all for one column. */
static int find_cuts(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_intervals *to = &job->list.of[item];
    struct bestdag_sample s = {
        .table = job->table, .class = job->class, .intervals = job->intervals};
    struct values v;
    size_t rows = (size_t)job->table->rows;
    (void)worker;
    struct bestdag_keyed *at = bestdag_calloc(job->run, rows, 2 * sizeof *at);
    if (!values_new(job->run, &job->table->column[to->column], &v) && at &&
        !collect(job, &v, at, &s)) {
        bestdag_radix_sort(at, at + s.count, (size_t)s.count);
        s.at = at;
        cut_sample(job, &s, to, &job->found[item]);
    }
    bestdag_free(v.of_state);
    bestdag_free(at);
    return bestdag_run_status(job->run);
}

/* ---- telling --------------------------------------------------------------
 */

static int tell_column(void *data, int64_t item)
{
    struct job *job = data;
    const struct finding *f = &job->found[item];
    const char *name = job->table->column[job->list.of[item].column].name;
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

static void tell_all(struct job *job)
{
    if (!job->list.count)
        bestdag_note(job->run, 0,
                     "no column of numbers: nothing to "
                     "discretise");
    if (job->single)
        bestdag_note(job->run, 0,
                     "%d of %d columns have no cut and get one state",
                     job->single, job->list.count);
    if (job->merged)
        bestdag_note(job->run, 0,
                     "%d of %d columns have fewer states than asked for: equal "
                     "cuts merged",
                     job->merged, job->list.count);
    if (job->empty)
        bestdag_note(job->run, 0, "%d of %d columns have empty states",
                     job->empty, job->list.count);
}

static int stopped(struct bestdag_run *run)
{
    return bestdag_fail(run, BESTDAG_FAILED,
                        "stopped before all columns were discretised");
}

static int find_all(struct job *job)
{
    struct bestdag_work work = {.job = job,
                                .items = job->list.count,
                                .work = find_cuts,
                                .take = tell_column};
    int64_t done = 0;
    job->found =
        bestdag_calloc(job->run, (size_t)job->list.count, sizeof *job->found);
    if (!job->found)
        return bestdag_run_status(job->run);
    bestdag_run_phase(job->run, "cutting", work.items);
    if (bestdag_parallel(job->run, &work, &done))
        return bestdag_run_status(job->run);
    if (done < work.items || bestdag_run_stopped(job->run))
        return stopped(job->run);
    tell_all(job);
    return BESTDAG_OK;
}

/* ---- cuts of a file -------------------------------------------------------
 */

/* Keeps the listed columns only. */
static int keep_listed(struct job *job, const char *list, const char *path)
{
    struct bestdag_interval_list all = job->list;
    job->list = (struct bestdag_interval_list){0};
    choose_columns(job, list);
    for (int i = 0; i < job->list.count && !bestdag_run_status(job->run); i++) {
        struct bestdag_intervals *to = &job->list.of[i];
        int k = 0;
        while (k < all.count && all.of[k].column != to->column)
            k++;
        if (k == all.count) {
            bestdag_fail(job->run, BESTDAG_USAGE,
                         "columns: '%s' has no cuts for column '%s'", path,
                         job->table->column[to->column].name);
            break;
        }
        *to = all.of[k];
        all.of[k] = (struct bestdag_intervals){0};
    }
    bestdag_intervals_release(&all);
    return bestdag_run_status(job->run);
}

static int read_cuts(struct job *job, const struct bestdag_options *options,
                     const char *path)
{
    const char *listed = bestdag_option_value(options, "columns").text;
    if (bestdag_option_given(options, "method"))
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "method and cuts exclude each other");
    if (bestdag_intervals_read(job->run, path, job->table, &job->list) ||
        (listed && keep_listed(job, listed, path)))
        return bestdag_run_status(job->run);
    for (int i = 0; i < job->list.count; i++)
        if (need_numbers(job->run, &job->table->column[job->list.of[i].column]))
            return bestdag_run_status(job->run);
    return BESTDAG_OK;
}

/* ---- the new table --------------------------------------------------------
 */

static int code_of(const struct bestdag_cuts *cuts, double x)
{
    int low = 0, high = cuts->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cuts->at[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void fill_codes(const struct values *v, const struct bestdag_cuts *cuts,
                       struct bestdag_column *to, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        double x = value_at(v, r);
        int code = isnan(x) ? -1 : code_of(cuts, x);
        to->missing += code < 0;
        if (to->bytes == 1)
            ((uint8_t *)to->cells)[r] = (uint8_t)code; /* -1: all bits set */
        else
            ((uint16_t *)to->cells)[r] = (uint16_t)code;
    }
}

/* On a worker. */
static int apply_cuts(void *data, int64_t item, int worker)
{
    struct job *job = data;
    const struct bestdag_intervals *from = &job->list.of[item];
    struct bestdag_column *to = &job->to->column[from->column];
    struct values v;
    (void)worker;
    to->cells =
        bestdag_alloc(job->run, (size_t)job->table->rows * (size_t)to->bytes);
    if (!values_new(job->run, &job->table->column[from->column], &v) &&
        to->cells)
        fill_codes(&v, &from->cuts, to, job->table->rows);
    bestdag_free(v.of_state);
    return bestdag_run_status(job->run);
}

static int copy_column(struct job *job, const struct bestdag_column *from)
{
    size_t bytes = (size_t)job->table->rows * (size_t)from->bytes;
    struct bestdag_column *c = bestdag_table_add_like(job->run, job->to, from);
    if (c)
        c->cells = bestdag_alloc(job->run, bytes);
    if (!c || !c->cells)
        return bestdag_run_status(job->run);
    if (bytes)
        memcpy(c->cells, from->cells, bytes);
    c->missing = from->missing;
    return BESTDAG_OK;
}

/* A column of states without cells. */
static int add_head(struct job *job, const struct bestdag_intervals *from)
{
    struct bestdag_column head = {.name = job->table->column[from->column].name,
                                  .kind = BESTDAG_CODES,
                                  .states = from->cuts.count + 1,
                                  .labels = from->labels,
                                  .bytes =
                                      bestdag_code_bytes(from->cuts.count + 1)};
    bestdag_table_add_like(job->run, job->to, &head);
    return bestdag_run_status(job->run);
}

static int add_columns(struct job *job)
{
    int columns = job->table->columns, status = BESTDAG_OK;
    int *which = bestdag_calloc(job->run, (size_t)columns, sizeof *which);
    if (!which)
        return bestdag_run_status(job->run);
    for (int i = 0; i < job->list.count; i++)
        which[job->list.of[i].column] = i + 1;
    for (int c = 0; c < columns && !status; c++) {
        status = which[c] ? add_head(job, &job->list.of[which[c] - 1])
                          : copy_column(job, &job->table->column[c]);
        if (bestdag_run_watch(job->run, c))
            status = stopped(job->run);
    }
    bestdag_free(which);
    return status;
}

static int copy_weights(struct job *job)
{
    size_t bytes = (size_t)job->table->rows * sizeof *job->table->weights;
    job->to->total = job->table->total;
    if (!job->table->weights)
        return BESTDAG_OK;
    job->to->weights = bestdag_alloc(job->run, bytes);
    if (job->to->weights && bytes)
        memcpy(job->to->weights, job->table->weights, bytes);
    return bestdag_run_status(job->run);
}

static int make_table(struct job *job)
{
    struct bestdag_work work = {
        .job = job, .items = job->list.count, .work = apply_cuts};
    int64_t done = 0;
    bestdag_run_phase(job->run, "discretizing", work.items);
    job->to = bestdag_table_new(job->run, job->table->rows);
    if (!job->to || copy_weights(job) || add_columns(job) ||
        bestdag_parallel(job->run, &work, &done))
        return bestdag_run_status(job->run);
    if (done < work.items)
        return stopped(job->run);
    return BESTDAG_OK;
}

/* ---- the public function --------------------------------------------------
 */

static int prepare(struct job *job, const struct bestdag_options *options)
{
    const char *cuts = bestdag_option_value(options, "cuts").text;
    if (!job->table)
        return bestdag_fail(job->run, BESTDAG_USAGE, "there is no table");
    if (bestdag_groups_need_few(job->run, job->table))
        return bestdag_run_status(job->run);
    if (cuts)
        return read_cuts(job, options, cuts);
    if (read_method(job, bestdag_option_value(options, "method").text) ||
        read_class(job, bestdag_option_value(options, "class").text) ||
        choose_columns(job, bestdag_option_value(options, "columns").text))
        return bestdag_run_status(job->run);
    return find_all(job);
}

struct bestdag_table *bestdag_table_discretize(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_options *options)
{
    struct job job = {.run = run, .table = table};
    const char *save = bestdag_option_value(options, "save-cuts").text;
    if (bestdag_run_status(run))
        return NULL;
    if (!prepare(&job, options) && !make_table(&job) && save)
        bestdag_intervals_write(run, save, table, &job.list);
    bestdag_intervals_release(&job.list);
    bestdag_free(job.found);
    if (!bestdag_run_status(run))
        return job.to;
    bestdag_table_free(job.to);
    return NULL;
}
