/* SPDX-License-Identifier: MIT */
/* sidecar.c -- what a .jkl file cannot express, as a JSON file beside it:
 * score, rows, limits, pruning, data hash; and for every variable its true
 * name, the number of its sets, and whether the list is complete, or its
 * ceiling. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "parents/files/jkl.h"

char *bestdag_sidecar_path(struct bestdag_run *run, const char *path)
{
    struct bestdag_buffer b = {.run = run};
    size_t n = strlen(path);
    if (n > 3 && !strcmp(path + n - 3, ".gz"))
        n -= 3;
    else if (n > 4 && !strcmp(path + n - 4, ".zst"))
        n -= 4;
    bestdag_buffer_add(&b, path, n);
    bestdag_buffer_text(&b, ".json");
    return bestdag_buffer_take(&b);
}

/* ---- writing ------------------------------------------------------------- */

static void add_variable(struct bestdag_json_writer *w,
                         const struct bestdag_sets *sets, int v)
{
    const struct bestdag_list *list = &sets->list[v];
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "name", sets->names[v]);
    bestdag_json_add_integer(w, "sets", list->count);
    if (list->max_parents >= 0)
        bestdag_json_add_integer(w, "max_parents", list->max_parents);
    else
        bestdag_json_add_text(w, "max_parents", NULL);
    bestdag_json_add_bool(w, "complete", list->ceiling == -INFINITY);
    if (list->ceiling == INFINITY)
        bestdag_json_add_text(w, "ceiling", "unknown");
    else
        bestdag_json_add_number(w, "ceiling", list->ceiling);
    bestdag_json_close(w, '}');
}

struct bestdag_sink *bestdag_sidecar_write(struct bestdag_run *run,
                                           const struct bestdag_sets *sets,
                                           const char *path)
{
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "format", "bestdag candidate parent sets");
    bestdag_json_add_text(&w, "version", bestdag_version());
    bestdag_json_open(&w, "notes", '{');
    for (int i = 0; i < sets->notes; i += 2)
        bestdag_json_add_text(&w, sets->note[i], sets->note[i + 1]);
    bestdag_json_close(&w, '}');
    bestdag_json_add_integer(&w, "scores_computed", sets->scored);
    bestdag_json_open(&w, "variables", '[');
    for (int v = 0; v < sets->n; v++)
        add_variable(&w, sets, v);
    bestdag_json_close(&w, ']');
    bestdag_json_close(&w, '}');
    char *text = bestdag_json_take(&w);
    struct bestdag_sink *to = text ? bestdag_sink_open(run, path) : NULL;
    if (to)
        bestdag_sink_text(to, text);
    bestdag_free(text);
    return to;
}

/* ---- reading ------------------------------------------------------------- */

static int stale(struct bestdag_run *run, const char *path,
                 const struct bestdag_json *at, const char *what)
{
    return bestdag_fail_at(run, path, bestdag_json_place(at),
                           "%s differs from the .jkl file: remove this file if "
                           "it belongs to another one",
                           what);
}

/* An integer of at least `least`, or `otherwise`. */
static int64_t whole(const struct bestdag_json *value, int64_t least,
                     int64_t otherwise)
{
    double x = bestdag_json_number(value);
    return x >= (double)least && x <= 9e15 && x == floor(x) ? (int64_t)x
                                                            : otherwise;
}

static double ceiling_of(const struct bestdag_json *entry)
{
    const struct bestdag_json *complete = bestdag_json_get(entry, "complete");
    const struct bestdag_json *ceiling = bestdag_json_get(entry, "ceiling");
    double x = bestdag_json_number(ceiling);
    if (complete && complete->kind == BESTDAG_JSON_BOOL && complete->number > 0)
        return -INFINITY;
    return isnan(x) ? INFINITY : x;
}

static int take_variable(struct bestdag_run *run, struct bestdag_sets *sets,
                         int v, const struct bestdag_json *entry,
                         const char *path, bool numbered)
{
    struct bestdag_list *list = &sets->list[v];
    const char *name = bestdag_json_text(bestdag_json_get(entry, "name"));
    if (!name || (!numbered && strcmp(name, sets->names[v]) != 0))
        return stale(run, path, entry, "the name of this variable");
    if (whole(bestdag_json_get(entry, "sets"), 0, -1) != list->count)
        return stale(run, path, entry, "the number of its sets");
    list->ceiling = ceiling_of(entry);
    int64_t limit = whole(bestdag_json_get(entry, "max_parents"), 0, -1);
    list->max_parents = limit < sets->n ? (int)limit : sets->n;
    if (!numbered)
        return BESTDAG_OK;
    char *copy = bestdag_strdup(run, name);
    if (!copy)
        return BESTDAG_MEMORY;
    bestdag_free(sets->names[v]);
    sets->names[v] = copy;
    return BESTDAG_OK;
}

static int take_notes(struct bestdag_run *run, struct bestdag_sets *sets,
                      const struct bestdag_json *notes)
{
    for (int64_t i = 0; i < bestdag_json_count(notes) && i < 256; i++) {
        const char *key = bestdag_json_key(notes, i);
        const char *value = bestdag_json_text(bestdag_json_at(notes, i));
        if (key && value && bestdag_sets_note(run, sets, key, value))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

static int take(struct bestdag_run *run, struct bestdag_sets *sets,
                const struct bestdag_json *root, const char *path)
{
    const struct bestdag_json *variables = bestdag_json_get(root, "variables");
    bool numbered = bestdag_sets_numbered(sets);
    if (!variables || variables->kind != BESTDAG_JSON_ARRAY)
        return bestdag_fail_at(run, path, BESTDAG_FILE_BEGIN,
                               "expected an object with \"variables\"");
    if (variables->count != sets->n)
        return stale(run, path, variables, "the number of variables");
    for (int v = 0; v < sets->n; v++)
        if (take_variable(run, sets, v, &variables->items[v], path, numbered))
            return bestdag_run_status(run);
    sets->scored = whole(bestdag_json_get(root, "scores_computed"), 0, 0);
    return take_notes(run, sets, bestdag_json_get(root, "notes"));
}

/* Names from the sidecar must be unique, too. */
static int check_names(struct bestdag_run *run, const struct bestdag_sets *sets,
                       const char *path)
{
    const char *twice = NULL;
    if (bestdag_text_twice(run, (const char *const *)sets->names, sets->n,
                           &twice))
        return bestdag_run_status(run);
    return twice
               ? bestdag_fail(run, BESTDAG_INPUT,
                              "%s: two variables are called '%s'", path, twice)
               : BESTDAG_OK;
}

int bestdag_sidecar_read(struct bestdag_run *run, struct bestdag_sets *sets,
                         const char *path)
{
    struct bestdag_file file;
    if (access(path, F_OK))
        return BESTDAG_OK;
    if (bestdag_file_read(run, path, &file))
        return bestdag_run_status(run);
    struct bestdag_json *root = bestdag_json_parse(run, &file);
    bestdag_free(file.bytes);
    if (root && !take(run, sets, root, path))
        check_names(run, sets, path);
    bestdag_json_free(root);
    return bestdag_run_status(run);
}
