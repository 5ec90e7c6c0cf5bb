/* SPDX-License-Identifier: MIT */
/* intervals.c -- lists of cut columns, and the file that keeps them.
 *
 *     {"bestdag": "cuts", "version": 1, "columns": [
 *       {"name": "height", "method": "width:3", "cuts": [1.6, 1.8],
 *        "labels": ["s1_below_1.6", "s2_1.6_to_1.8", "s3_from_1.8"]}]}
 *
 * Cuts ascend; there is one label more than cuts, all different. Numbers are
 * written so that they read back exactly. Other keys are ignored. */
#include "data/discretize/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int bestdag_intervals_new(struct bestdag_run *run, int count,
                          struct bestdag_interval_list *to)
{
    to->of = bestdag_calloc(run, (size_t)count, sizeof *to->of);
    to->count = to->of ? count : 0;
    return bestdag_run_status(run);
}

void bestdag_intervals_release(struct bestdag_interval_list *list)
{
    for (int i = 0; i < list->count; i++) {
        struct bestdag_intervals *one = &list->of[i];
        for (int l = 0; one->labels && l <= one->cuts.count; l++)
            bestdag_free(one->labels[l]);
        bestdag_free(one->labels);
        bestdag_free(one->cuts.at);
        bestdag_free(one->method);
    }
    bestdag_free(list->of);
    *list = (struct bestdag_interval_list){0};
}

/* ---- writing ------------------------------------------------------------- */

static void write_one(struct bestdag_json_writer *w, const char *name,
                      const struct bestdag_intervals *one)
{
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "name", name);
    bestdag_json_add_text(w, "method", one->method);
    bestdag_json_open(w, "cuts", '[');
    for (int i = 0; i < one->cuts.count; i++)
        bestdag_json_add_number(w, NULL, one->cuts.at[i]);
    bestdag_json_close(w, ']');
    bestdag_json_open(w, "labels", '[');
    for (int i = 0; i <= one->cuts.count; i++)
        bestdag_json_add_text(w, NULL, one->labels[i]);
    bestdag_json_close(w, ']');
    bestdag_json_close(w, '}');
}

int bestdag_intervals_write(struct bestdag_run *run, const char *path,
                            const struct bestdag_table *table,
                            const struct bestdag_interval_list *list)
{
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "bestdag", "cuts");
    bestdag_json_add_integer(&w, "version", 1);
    bestdag_json_open(&w, "columns", '[');
    for (int i = 0; i < list->count; i++)
        write_one(&w, table->column[list->of[i].column].name, &list->of[i]);
    bestdag_json_close(&w, ']');
    bestdag_json_close(&w, '}');
    char *text = bestdag_json_take(&w);
    if (!text)
        return bestdag_run_status(run);
    struct bestdag_sink *sink = bestdag_sink_open(run, path);
    if (sink)
        bestdag_sink_text(sink, text);
    bestdag_free(text);
    return sink ? bestdag_sink_close(sink) : bestdag_run_status(run);
}

/* ---- reading ------------------------------------------------------------- */

struct reader {
    struct bestdag_run *run;
    const char *file;
    const struct bestdag_table *table;
    struct bestdag_interval_list *to;
    int *by_name; /* owns; the table's columns, sorted by name */
    bool *is_cut; /* owns; [columns]: the file has named this column before */
};

static int wrong(struct reader *r, const struct bestdag_json *where,
                 const char *what)
{
    return bestdag_fail_at(r->run, r->file, bestdag_json_place(where), "%s",
                           what);
}

/* A member that must exist and be of this kind. */
static const struct bestdag_json *member(struct reader *r,
                                         const struct bestdag_json *of,
                                         const char *key,
                                         enum bestdag_json_kind kind)
{
    static const char *const kinds[] = {"null",   "true or false", "a number",
                                        "a text", "an array",      "an object"};
    const struct bestdag_json *value = bestdag_json_get(of, key);
    if (value && value->kind == kind)
        return value;
    bestdag_fail_at(r->run, r->file, bestdag_json_place(value ? value : of),
                    "%s '%s', expected %s", value ? "wrong" : "there is no",
                    key, kinds[kind]);
    return NULL;
}

static int compare_names(const void *a, const void *b, void *table)
{
    const struct bestdag_column *column =
        ((const struct bestdag_table *)table)->column;
    return strcmp(column[*(const int *)a].name, column[*(const int *)b].name);
}

static int make_index(struct reader *r)
{
    size_t n = (size_t)r->table->columns;
    r->by_name = bestdag_calloc(r->run, n, sizeof *r->by_name);
    r->is_cut = bestdag_calloc(r->run, n, sizeof *r->is_cut);
    if (!r->by_name || !r->is_cut)
        return bestdag_run_status(r->run);
    for (int c = 0; c < r->table->columns; c++)
        r->by_name[c] = c;
    qsort_r(r->by_name, n, sizeof *r->by_name, compare_names, (void *)r->table);
    return BESTDAG_OK;
}

/* -1: there is none. */
static int find_column(const struct reader *r, const char *name)
{
    int low = 0, high = r->table->columns;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int c = r->by_name[middle];
        int order = strcmp(r->table->column[c].name, name);
        if (!order)
            return c;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static const char *name_of_column(const void *table, int c)
{
    return ((const struct bestdag_table *)table)->column[c].name;
}

static int read_name(struct reader *r, const struct bestdag_json *from,
                     struct bestdag_intervals *to)
{
    char suggestion[128];
    const struct bestdag_json *name =
        member(r, from, "name", BESTDAG_JSON_TEXT);
    if (!name)
        return BESTDAG_INPUT;
    to->column = find_column(r, name->text);
    if (to->column < 0)
        return bestdag_fail_at(
            r->run, r->file, bestdag_json_place(name),
            "the table has no column '%s'%s", name->text,
            bestdag_suggest(suggestion,
                            bestdag_nearest(name->text, name_of_column,
                                            r->table, r->table->columns)));
    if (r->is_cut[to->column])
        return wrong(r, name, "this column is repeated");
    r->is_cut[to->column] = true;
    return BESTDAG_OK;
}

static int read_cuts(struct reader *r, const struct bestdag_json *from,
                     struct bestdag_cuts *to)
{
    const struct bestdag_json *cuts =
        member(r, from, "cuts", BESTDAG_JSON_ARRAY);
    if (!cuts)
        return BESTDAG_INPUT;
    if (cuts->count >= BESTDAG_MOST_STATES)
        return wrong(r, cuts, "too many cuts");
    for (int64_t i = 0; i < cuts->count; i++) {
        const struct bestdag_json *cut = &cuts->items[i];
        if (cut->kind != BESTDAG_JSON_NUMBER || !isfinite(cut->number))
            return wrong(r, cut, "expected a number");
        if (i && cut->number <= cuts->items[i - 1].number)
            return wrong(r, cut, "expected a number above the one before");
        if (bestdag_cuts_add(r->run, to, cut->number))
            return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

static int read_labels(struct reader *r, const struct bestdag_json *from,
                       struct bestdag_intervals *to)
{
    const struct bestdag_json *labels =
        member(r, from, "labels", BESTDAG_JSON_ARRAY);
    if (!labels)
        return BESTDAG_INPUT;
    if (labels->count != to->cuts.count + 1)
        return wrong(r, labels, "expected one label more than cuts");
    for (int64_t i = 0; i < labels->count; i++)
        if (labels->items[i].kind != BESTDAG_JSON_TEXT ||
            !*labels->items[i].text)
            return wrong(r, &labels->items[i], "expected a label");
    to->labels =
        bestdag_calloc(r->run, (size_t)labels->count, sizeof *to->labels);
    for (int64_t i = 0; to->labels && i < labels->count; i++) {
        to->labels[i] = bestdag_strdup(r->run, labels->items[i].text);
        if (!to->labels[i])
            break;
    }
    const char *twice = NULL;
    if (!bestdag_run_status(r->run) &&
        !bestdag_text_twice(r->run, (const char *const *)to->labels,
                            (int)labels->count, &twice) &&
        twice)
        wrong(r, labels, "two labels are the same");
    return bestdag_run_status(r->run);
}

static int read_one(struct reader *r, const struct bestdag_json *from,
                    struct bestdag_intervals *to)
{
    if (from->kind != BESTDAG_JSON_OBJECT)
        return wrong(r, from, "expected an object");
    const char *method = bestdag_json_text(bestdag_json_get(from, "method"));
    if (read_name(r, from, to) || read_cuts(r, from, &to->cuts) ||
        read_labels(r, from, to))
        return bestdag_run_status(r->run);
    to->method = bestdag_strdup(r->run, method ? method : "cuts");
    return bestdag_run_status(r->run);
}

static int read_root(struct reader *r, const struct bestdag_json *root)
{
    if (root->kind != BESTDAG_JSON_OBJECT)
        return wrong(r, root, "expected an object");
    const struct bestdag_json *kind =
        member(r, root, "bestdag", BESTDAG_JSON_TEXT);
    if (!kind)
        return BESTDAG_INPUT;
    if (strcmp(kind->text, "cuts"))
        return wrong(r, kind, "this is not a file of cuts, expected \"cuts\"");
    const struct bestdag_json *version =
        member(r, root, "version", BESTDAG_JSON_NUMBER);
    if (!version)
        return BESTDAG_INPUT;
    if (version->number != 1)
        return wrong(r, version, "unknown version, expected 1");
    const struct bestdag_json *columns =
        member(r, root, "columns", BESTDAG_JSON_ARRAY);
    if (!columns)
        return BESTDAG_INPUT;
    if (columns->count > INT32_MAX)
        return wrong(r, columns, "too many columns");
    if (bestdag_intervals_new(r->run, (int)columns->count, r->to))
        return bestdag_run_status(r->run);
    for (int i = 0; i < r->to->count; i++)
        if (read_one(r, &columns->items[i], &r->to->of[i]))
            return bestdag_run_status(r->run);
    return BESTDAG_OK;
}

static int parse_file(struct bestdag_run *run, const struct bestdag_file *file,
                      const struct bestdag_table *table,
                      struct bestdag_interval_list *to)
{
    struct reader r = {
        .run = run, .file = file->name, .table = table, .to = to};
    struct bestdag_json *root = bestdag_json_parse(run, file);
    if (root && !make_index(&r))
        read_root(&r, root);
    bestdag_free(r.by_name);
    bestdag_free(r.is_cut);
    bestdag_json_free(root);
    return bestdag_run_status(run);
}

int bestdag_intervals_read(struct bestdag_run *run, const char *path,
                           const struct bestdag_table *table,
                           struct bestdag_interval_list *to)
{
    struct bestdag_file file;
    int status = bestdag_file_read(run, path, &file);
    if (!status)
        status = parse_file(run, &file, table, to);
    bestdag_free(file.bytes);
    return status;
}
