/* SPDX-License-Identifier: MIT */
/* discretize.c -- turns numbers into codes: the common entry of all methods.
 *
 * Settings say which columns are cut and how, or a file has the cuts already
 * (intervals.c). The cuts are found (cutting.c) and applied (coding.c):
 *
 *     x < cut 1: state 0     cut 1 <= x < cut 2: state 1     ...
 *
 * A column without a cut (all values equal, or mdl found none) gets one state;
 * cuts of a file keep all their states, whether they occur or not. */
#include "data/discretize/discretize.h"

#include <stdio.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/options.h"
#include "data/discretize/cutting.h"
#include "data/groups.h"

static const struct bestdag_option option_rows[] = {
    {"method", BESTDAG_TEXT, "mean", .value = "METHOD",
     .help = "mean, median, width:K, quantile:K or mdl; mean and median give "
             "two states, width and quantile K intervals (2 to 1000), mdl as "
             "many as separate the states of --class"},
    {"columns", BESTDAG_TEXT, .value = "LIST",
     .help = "columns to discretise, separated by commas; may name columns of "
             "states that are numbers; all numeric columns by default"},
    {"class", BESTDAG_TEXT, .value = "COLUMN", .help = "class column for mdl"},
    {"cuts", BESTDAG_FILE, .value = "FILE",
     .help = "apply the cut points of this file instead of computing new ones"},
    {"save-cuts", BESTDAG_OUTPUT, .value = "FILE",
     .help = "write the cut points to this file (JSON)"},
    {0}};
const struct bestdag_option_group bestdag_discretize_options = {"discretize",
                                                                option_rows};

/* One row per method. To add a method, add a row here and a file in this
 * folder. */
#define METHODS(ROW)                                                           \
    ROW(mean)                                                                  \
    ROW(median)                                                                \
    ROW(width)                                                                 \
    ROW(quantile)                                                              \
    ROW(mdl)
#define DECLARE(name)                                                          \
    extern const struct bestdag_discretizer bestdag_discretizer_##name;
#define ENTRY(name) &bestdag_discretizer_##name,
#define NUMBER(name) NUMBER_##name,

METHODS(DECLARE)
static const struct bestdag_discretizer *const methods[] = {METHODS(ENTRY)};

enum { METHODS(NUMBER) COUNT };

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
    if (!BESTDAG_GROW(run, cuts->at, cuts->room, cuts->count + 1))
        return bestdag_run_status(run);
    cuts->at[cuts->count++] = x + 0.0; /* -0 becomes 0 */
    return BESTDAG_OK;
}

/* ---- settings ------------------------------------------------------------ */

struct job {
    struct bestdag_run *run;
    struct bestdag_cutting how;
    struct bestdag_interval_list list; /* owns */
};

static const char *method_name(const void *unused, int i)
{
    (void)unused;
    return methods[i]->name;
}

/* "mean, median, width:K, ..." */
static void name_all(char *to, size_t room)
{
    size_t n = 0;
    to[0] = 0;
    for (int i = 0; i < COUNT && n < room; i++)
        n += (size_t)snprintf(to + n, room - n, "%s%s%s", i ? ", " : "",
                              methods[i]->name,
                              methods[i]->is_counted ? ":K" : "");
}

static int find_method(struct bestdag_run *run, const char *name,
                       struct bestdag_cutting *how)
{
    char suggestion[128], all[256];
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(methods[i]->name, name)) {
            how->method = methods[i];
            return BESTDAG_OK;
        }
    name_all(all, sizeof all);
    return bestdag_fail(
        run, BESTDAG_USAGE, "method: '%s' is not one of %s%s", name, all,
        bestdag_suggest(suggestion,
                        bestdag_nearest(name, method_name, NULL, COUNT)));
}

int bestdag_cutting_method(struct bestdag_run *run, const char *text,
                           struct bestdag_cutting *how)
{
    char name[32];
    const char *colon = strchr(text, ':');
    double k = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (find_method(run, name, how))
        return BESTDAG_USAGE;
    if (colon && !how->method->is_counted)
        return bestdag_fail(run, BESTDAG_USAGE, "method: '%s' takes no number",
                            name);
    if (how->method->is_counted &&
        (!colon || !bestdag_number_parse(colon + 1, strlen(colon + 1), &k) ||
         k != floor(k) || k < BESTDAG_FEWEST_INTERVALS ||
         k > BESTDAG_MOST_INTERVALS))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "method: '%s' is not %s:K with a whole number K "
                            "from %d to %d",
                            text, name, BESTDAG_FEWEST_INTERVALS,
                            BESTDAG_MOST_INTERVALS);
    how->intervals = (int)k;
    how->text = text;
    return BESTDAG_OK;
}

static int read_class(struct job *job, const char *name)
{
    if (!job->how.method->is_classed)
        return BESTDAG_OK;
    if (!name)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "method '%s' needs a class column (class)",
                            job->how.method->name);
    int c = bestdag_table_find_or_fail(job->run, job->how.table, name);
    if (c < 0)
        return bestdag_run_status(job->run);
    job->how.class = &job->how.table->column[c];
    if (job->how.class->kind != BESTDAG_CODES)
        return bestdag_fail(job->run, BESTDAG_USAGE,
                            "class: column '%s' has no states", name);
    return BESTDAG_OK;
}

/* ---- choosing columns ---------------------------------------------------- */

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

/* Finds a name of the list as it stands, or else without blanks around it. */
static int find_listed(struct job *job, const char *from, size_t n)
{
    char *name = bestdag_strndup(job->run, from, n);
    int c = name ? bestdag_table_find(job->how.table, name) : -1;
    if (name && c < 0) {
        char *start = name + strspn(name, " ");
        for (n = strlen(start); n && start[n - 1] == ' '; n--)
            start[n - 1] = 0;
        c = bestdag_table_find_or_fail(job->run, job->how.table, start);
    }
    bestdag_free(name);
    return c;
}

static int choose_listed(struct job *job, const char *list, bool *chosen)
{
    for (const char *p = list;; p++) {
        size_t n = strcspn(p, ",");
        int c = find_listed(job, p, n);
        if (c < 0 || need_numbers(job->run, &job->how.table->column[c]))
            return bestdag_run_status(job->run);
        if (job->how.class == &job->how.table->column[c])
            return bestdag_fail(job->run, BESTDAG_USAGE,
                                "columns: '%s' is the class",
                                job->how.class->name);
        chosen[c] = true;
        p += n;
        if (!*p)
            return BESTDAG_OK;
    }
}

static int choose_columns(struct job *job, const char *list)
{
    const struct bestdag_table *t = job->how.table;
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

/* ---- the public function ------------------------------------------------- */

static int read_cuts(struct job *job, const struct bestdag_options *options,
                     const char *path)
{
    static const char *const others[] = {"method", "columns", "class"};
    const struct bestdag_table *t = job->how.table;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (bestdag_option_given(options, &bestdag_discretize_options,
                                 others[i]))
            return bestdag_fail(job->run, BESTDAG_USAGE,
                                "%s and cuts exclude each other", others[i]);
    if (bestdag_intervals_read(job->run, path, t, &job->list))
        return bestdag_run_status(job->run);
    for (int i = 0; i < job->list.count; i++)
        if (need_numbers(job->run, &t->column[job->list.of[i].column]))
            return bestdag_run_status(job->run);
    return BESTDAG_OK;
}

static int find_cuts(struct job *job, const struct bestdag_options *options)
{
    const char *method =
        bestdag_option_value(options, &bestdag_discretize_options, "method")
            .text;
    const char *class =
        bestdag_option_value(options, &bestdag_discretize_options, "class")
            .text;
    const char *columns =
        bestdag_option_value(options, &bestdag_discretize_options, "columns")
            .text;
    if (bestdag_cutting_method(job->run, method, &job->how) ||
        read_class(job, class) || choose_columns(job, columns))
        return bestdag_run_status(job->run);
    return bestdag_cutting_find(job->run, &job->how, &job->list);
}

static int get_cuts(struct job *job, const struct bestdag_options *options)
{
    const char *path =
        bestdag_option_value(options, &bestdag_discretize_options, "cuts").text;
    if (!job->how.table)
        return bestdag_fail(job->run, BESTDAG_USAGE, "there is no table");
    if (bestdag_groups_need_few(job->run, job->how.table))
        return bestdag_run_status(job->run);
    return path ? read_cuts(job, options, path) : find_cuts(job, options);
}

struct bestdag_table *bestdag_table_discretize(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_options *options)
{
    struct job job = {.run = run, .how.table = table};
    struct bestdag_table *to = NULL;
    const char *save =
        bestdag_option_value(options, &bestdag_discretize_options, "save-cuts")
            .text;
    if (bestdag_run_status(run))
        return NULL;
    if (!get_cuts(&job, options))
        to = bestdag_cutting_apply(run, table, &job.list);
    if (to && save)
        bestdag_intervals_write(run, save, table, &job.list);
    bestdag_intervals_release(&job.list);
    if (!bestdag_run_status(run))
        return to;
    bestdag_table_free(to);
    return NULL;
}
