/* SPDX-License-Identifier: MIT */
/* json_network.c -- networks as JSON: our own format, which keeps everything.
 *
 *     { "bestdag": "network", "version": 1, "name": "sprinkler",
 *       "properties": ["..."], "provenance": { "key": "value" },
 *       "variables": [
 *         { "name": "rain", "states": ["no", "yes"], "parents": [],
 *           "table": [ [0.8, 0.2] ] },
 *         { "name": "wet", "states": ["no", "yes"], "parents": ["rain"],
 *           "table": [ [0.9, 0.1], [0.2, 0.8] ], "counts": [80, 20],
 *           "properties": ["..."] } ] }
 *
 * A table has one row for each configuration of the parents, in the order of
 * "parents", the last changing fastest; "counts" has for each row the number of
 * data rows that it was estimated from, if that is known. Numbers have
 * "regressions" in place of states and table: see json_numbers.c. We write
 * parents in the order of the variables; the reader accepts any order. A bare
 * structure has no "states" and no "table". "version" increases when a reader
 * of the old version could be misled.
 *
 * The text is written piece by piece; reading holds one tree of the file. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "formats/format.h"
#include "formats/json_numbers.h"
#include "formats/refusal.h"

/* ---- writing ------------------------------------------------------------- */

struct writer {
    struct bestdag_sink *to;
    struct bestdag_buffer b; /* one text at a time */
};

static void write_text(struct writer *w, const char *text)
{
    w->b.length = 0;
    bestdag_json_quote(&w->b, text);
    if (!bestdag_run_status(w->b.run))
        bestdag_sink_write(w->to, w->b.at, w->b.length);
}

static void write_texts(struct writer *w, char *const *text, int count)
{
    bestdag_sink_text(w->to, "[");
    for (int i = 0; i < count; i++) {
        bestdag_sink_text(w->to, i ? ", " : "");
        write_text(w, text[i]);
    }
    bestdag_sink_text(w->to, "]");
}

static void write_notes(struct writer *w, const struct bestdag_network *net)
{
    bestdag_sink_text(w->to, ",\n  \"provenance\": {");
    for (int i = 0; i < net->notes; i++) {
        bestdag_sink_text(w->to, i ? ",\n    " : "\n    ");
        write_text(w, net->note[2 * i]);
        bestdag_sink_text(w->to, ": ");
        write_text(w, net->note[2 * i + 1]);
    }
    bestdag_sink_text(w->to, "\n  }");
}

static void write_parents(struct writer *w, const struct bestdag_network *net,
                          int v)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    bestdag_sink_text(w->to, ",\n      \"parents\": [");
    for (int i = 0; i < p->count; i++) {
        bestdag_sink_text(w->to, i ? ", " : "");
        write_text(w, net->variable[p->at[i]].name);
    }
    bestdag_sink_text(w->to, "]");
}

static void write_table(struct bestdag_sink *to,
                        const struct bestdag_network *net, int v)
{
    const struct bestdag_variable *x = &net->variable[v];
    int64_t rows = bestdag_network_configurations(net, v);
    bestdag_sink_text(to, ",\n      \"table\": [");
    for (int64_t j = 0; j < rows; j++) {
        bestdag_sink_text(to, j ? ",\n        [" : "\n        [");
        for (int s = 0; s < x->states; s++) {
            bestdag_sink_text(to, s ? ", " : "");
            bestdag_sink_number(to, x->table[j * x->states + s]);
        }
        bestdag_sink_text(to, "]");
    }
    bestdag_sink_text(to, "\n      ]");
}

static void write_counts(struct bestdag_sink *to,
                         const struct bestdag_network *net, int v)
{
    int64_t rows = bestdag_network_configurations(net, v);
    bestdag_sink_text(to, ",\n      \"counts\": [");
    for (int64_t j = 0; j < rows; j++)
        bestdag_sink_format(to, "%s%lld", j ? ", " : "",
                            (long long)net->variable[v].counts[j]);
    bestdag_sink_text(to, "]");
}

static void write_variable(struct writer *w, const struct bestdag_network *net,
                           int v)
{
    const struct bestdag_variable *x = &net->variable[v];
    bestdag_sink_text(w->to, "\n    {\n      \"name\": ");
    write_text(w, x->name);
    if (x->states) {
        bestdag_sink_text(w->to, ",\n      \"states\": ");
        write_texts(w, x->labels, x->states);
    }
    if (x->is_number)
        bestdag_sink_text(w->to, ",\n      \"kind\": \"number\"");
    write_parents(w, net, v);
    if (x->table)
        write_table(w->to, net, v);
    if (x->regression) {
        bestdag_sink_text(w->to, ",\n      ");
        bestdag_json_write_regressions(w->b.run, w->to, net, v);
    }
    if (x->counts)
        write_counts(w->to, net, v);
    if (x->properties) {
        bestdag_sink_text(w->to, ",\n      \"properties\": ");
        write_texts(w, x->property, x->properties);
    }
    bestdag_sink_text(w->to, "\n    }");
}

static void write_network(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          struct bestdag_sink *to)
{
    static const struct bestdag_refusal refusal = {.format = "JSON",
                                                   .labels = true};
    struct writer w = {.to = to, .b = {.run = run}};
    if (bestdag_refusal_check(run, network, &refusal))
        return;
    bestdag_sink_text(to, "{\n  \"bestdag\": \"network\",\n  \"version\": 1");
    if (network->name) {
        bestdag_sink_text(to, ",\n  \"name\": ");
        write_text(&w, network->name);
    }
    if (network->properties) {
        bestdag_sink_text(to, ",\n  \"properties\": ");
        write_texts(&w, network->property, network->properties);
    }
    if (network->notes)
        write_notes(&w, network);
    bestdag_sink_text(to, ",\n  \"variables\": [");
    for (int v = 0; v < network->dag->n; v++) {
        bestdag_sink_text(to, v ? "," : "");
        write_variable(&w, network, v);
    }
    bestdag_sink_text(to, "\n  ]\n}\n");
    bestdag_buffer_release(&w.b);
}

/* ---- reading ------------------------------------------------------------- */

struct reader {
    struct bestdag_run *run;
    const char *file;
    struct bestdag_network *net;
};

static int fail(const struct reader *r, const struct bestdag_json *at,
                const char *what)
{
    return bestdag_fail_at(r->run, r->file, bestdag_json_place(at), "%s", what);
}

static int fail_about(const struct reader *r, const struct bestdag_json *at,
                      const char *what, const char *name)
{
    return bestdag_fail_at(r->run, r->file, bestdag_json_place(at), "%s '%s'",
                           what, name);
}

static int want(const struct reader *r, const struct bestdag_json *value,
                enum bestdag_json_kind kind)
{
    static const char *const names[] = {"null",   "true or false", "a number",
                                        "a text", "a list",        "an object"};
    char what[160];
    if (value->kind == kind)
        return BESTDAG_OK;
    snprintf(what, sizeof what, "expected %s%s%.64s%s, found %s", names[kind],
             value->key ? " for '" : "", value->key ? value->key : "",
             value->key ? "'" : "", names[value->kind]);
    return fail(r, value, what);
}

static int want_texts(const struct reader *r, const struct bestdag_json *list)
{
    if (want(r, list, BESTDAG_JSON_ARRAY))
        return BESTDAG_INPUT;
    for (int64_t i = 0; i < list->count; i++)
        if (want(r, &list->items[i], BESTDAG_JSON_TEXT))
            return BESTDAG_INPUT;
    return list->count > INT_MAX / 2 ? fail(r, list, "this list is too long")
                                     : BESTDAG_OK;
}

/* Members of an object that the reader knows; key is the word in the file. */
struct member {
    const char *key;
    const struct bestdag_json *value; /* NULL: absent, or null */
};

static int take_members(const struct reader *r,
                        const struct bestdag_json *object,
                        struct member *member, int count)
{
    char place[BESTDAG_PLACE_ROOM];
    if (want(r, object, BESTDAG_JSON_OBJECT))
        return BESTDAG_INPUT;
    for (int64_t i = 0; i < object->count; i++) {
        const struct bestdag_json *item = &object->items[i];
        int m = 0;
        while (m < count && strcmp(member[m].key, item->key))
            m++;
        if (m == count)
            bestdag_note(
                r->run, 1, "%s: ignored '%.64s'",
                bestdag_place_text(r->file, bestdag_json_place(item), place),
                item->key);
        else if (item->kind != BESTDAG_JSON_NULL)
            member[m].value = item;
    }
    return BESTDAG_OK;
}

static int add_texts(const struct reader *r, const struct bestdag_json *list,
                     char ***to, int *count)
{
    if (!list || want_texts(r, list))
        return bestdag_run_status(r->run);
    for (int64_t i = 0; i < list->count; i++)
        if (bestdag_network_add_property(r->run, to, count,
                                         list->items[i].text))
            break;
    return bestdag_run_status(r->run);
}

static int take_notes(const struct reader *r, const struct bestdag_json *notes)
{
    struct bestdag_network *net = r->net;
    if (!notes || want(r, notes, BESTDAG_JSON_OBJECT))
        return bestdag_run_status(r->run);
    for (int64_t i = 0; i < notes->count; i++) {
        const struct bestdag_json *item = &notes->items[i];
        int texts = 2 * net->notes;
        if (want(r, item, BESTDAG_JSON_TEXT) ||
            bestdag_network_add_property(r->run, &net->note, &texts, item->key))
            return bestdag_run_status(r->run);
        if (bestdag_network_add_property(r->run, &net->note, &texts,
                                         item->text)) {
            bestdag_free(net->note[texts - 1]);
            return bestdag_run_status(r->run);
        }
        net->notes++;
    }
    return BESTDAG_OK;
}

enum {
    NAME,
    KIND,
    STATES,
    PARENTS,
    TABLE,
    REGRESSIONS,
    COUNTS,
    PROPERTIES,
    MEMBERS
};

static int take_variable(const struct reader *r, int v,
                         const struct member *member)
{
    struct bestdag_variable *x = &r->net->variable[v];
    const struct bestdag_json *name = member[NAME].value;
    if (want(r, name, BESTDAG_JSON_TEXT))
        return BESTDAG_INPUT;
    if (!*name->text)
        return fail(r, name, "a name is empty");
    x->name = bestdag_strdup(r->run, name->text);
    x->line = name->line;
    x->column = name->column;
    if (!x->name || add_texts(r, member[STATES].value, &x->labels, &x->states))
        return bestdag_run_status(r->run);
    if (member[STATES].value && !x->states)
        return fail_about(r, member[STATES].value, "expected states of",
                          x->name);
    if (bestdag_json_take_kind(r->run, r->file, member[KIND].value, x))
        return bestdag_run_status(r->run);
    return add_texts(r, member[PROPERTIES].value, &x->property, &x->properties);
}

static int unknown_parent(const struct reader *r, const struct bestdag_json *at)
{
    char hint[128];
    const struct bestdag_network *net = r->net;
    bestdag_suggest(hint, bestdag_nearest(at->text, bestdag_network_name_at,
                                          net, net->dag->n));
    return bestdag_fail_at(r->run, r->file, bestdag_json_place(at),
                           "unknown parent '%.256s'%s", at->text, hint);
}

/* mark[u] == v + 1: u was seen among the parents of v. */
static int take_parents(const struct reader *r, int v,
                        const struct bestdag_json *list, int *mark, int *parent)
{
    int count = 0;
    if (!list || want_texts(r, list))
        return bestdag_run_status(r->run);
    for (int64_t i = 0; i < list->count; i++) {
        const struct bestdag_json *item = &list->items[i];
        int u = bestdag_network_find(r->run, r->net, item->text);
        if (u < 0)
            return unknown_parent(r, item);
        if (u == v || mark[u] == v + 1)
            return fail_about(r, item,
                              u == v ? "a variable cannot be its own parent:"
                                     : "this parent is listed twice:",
                              item->text);
        mark[u] = v + 1;
        parent[count++] = u;
    }
    return bestdag_dag_set_parents(r->run, r->net->dag, v, parent, count);
}

static int take_row(const struct reader *r, const struct bestdag_json *row,
                    int states, double *to)
{
    char what[96];
    if (want(r, row, BESTDAG_JSON_ARRAY))
        return BESTDAG_INPUT;
    snprintf(what, sizeof what, "expected a row of %d numbers, found %lld",
             states, (long long)row->count);
    if (row->count != states)
        return fail(r, row, what);
    for (int s = 0; s < states; s++) {
        if (want(r, &row->items[s], BESTDAG_JSON_NUMBER))
            return BESTDAG_INPUT;
        to[s] = row->items[s].number;
    }
    return BESTDAG_OK;
}

static int take_table(const struct reader *r, int v,
                      const struct bestdag_json *rows, const int *parent)
{
    int states = r->net->variable[v].states;
    int64_t expected = bestdag_network_configurations(r->net, v);
    char what[96];
    if (!rows || want(r, rows, BESTDAG_JSON_ARRAY))
        return bestdag_run_status(r->run);
    if (!states || expected < 0)
        return fail_about(r, rows, "unknown states for the table of",
                          r->net->variable[v].name);
    snprintf(what, sizeof what, "expected a table of %lld rows, found %lld",
             (long long)expected, (long long)rows->count);
    if (rows->count != expected)
        return fail(r, rows, what);
    r->net->variable[v].line = rows->line;
    r->net->variable[v].column = rows->column;
    double *table = bestdag_calloc(r->run, (size_t)expected * (size_t)states,
                                   sizeof *table);
    int status = table ? BESTDAG_OK : BESTDAG_MEMORY;
    for (int64_t j = 0; !status && j < expected; j++)
        status = take_row(r, &rows->items[j], states, table + j * states);
    if (!status)
        status = bestdag_network_set_table(
            r->run, r->net, v, parent, r->net->dag->parents[v].count, table);
    bestdag_free(table);
    return status;
}

/* Whole numbers, as many as the table has rows. */
static int take_counts(const struct reader *r, int v,
                       const struct bestdag_json *list, const int *parent)
{
    int64_t expected = bestdag_network_configurations(r->net, v);
    char what[96];
    if (!list || want(r, list, BESTDAG_JSON_ARRAY))
        return bestdag_run_status(r->run);
    snprintf(what, sizeof what, "expected %lld counts, found %lld",
             (long long)expected, (long long)list->count);
    if (!r->net->variable[v].table && !r->net->variable[v].regression)
        return fail_about(r, list, "counts without the table of",
                          r->net->variable[v].name);
    if (list->count != expected)
        return fail(r, list, what);
    int64_t *counts = bestdag_calloc(r->run, (size_t)expected, sizeof *counts);
    for (int64_t j = 0; counts && j < expected; j++) {
        const struct bestdag_json *item = &list->items[j];
        if (want(r, item, BESTDAG_JSON_NUMBER))
            break;
        counts[j] = (int64_t)fmin(fmax(item->number, -1), 0x1p53);
        if ((double)counts[j] != item->number || counts[j] < 0) {
            fail(r, item, "expected a whole number of data rows");
            break;
        }
    }
    if (counts && !bestdag_run_status(r->run))
        bestdag_network_set_counts(r->run, r->net, v, parent,
                                   r->net->dag->parents[v].count, counts);
    bestdag_free(counts);
    return bestdag_run_status(r->run);
}

static int take_arcs(const struct reader *r, struct member (*member)[MEMBERS])
{
    int n = r->net->dag->n, status = BESTDAG_OK;
    int *mark = bestdag_calloc(r->run, (size_t)n, sizeof *mark);
    int *parent = bestdag_alloc(r->run, (size_t)n * sizeof *parent);
    for (int v = 0; mark && parent && !status && v < n; v++) {
        const char *name = r->net->variable[v].name;
        if (bestdag_network_find(r->run, r->net, name) != v &&
            !bestdag_run_status(r->run))
            status = fail_about(r, member[v][NAME].value,
                                "two variables are called", name);
        if (!status)
            status = take_parents(r, v, member[v][PARENTS].value, mark, parent);
        if (!status)
            status = take_table(r, v, member[v][TABLE].value, parent);
        if (!status)
            status = bestdag_json_take_regressions(
                r->run,
                &(struct bestdag_json_regressions){
                    r->file, member[v][REGRESSIONS].value, r->net, v, parent});
        if (!status)
            status = take_counts(r, v, member[v][COUNTS].value, parent);
    }
    bestdag_free(mark);
    bestdag_free(parent);
    return bestdag_run_status(r->run);
}

static int take_variables(struct reader *r, const struct bestdag_json *list)
{
    static const struct member known[MEMBERS] = {
        {"name", NULL},    {"kind", NULL},       {"states", NULL},
        {"parents", NULL}, {"table", NULL},      {"regressions", NULL},
        {"counts", NULL},  {"properties", NULL},
    };
    struct member(*member)[MEMBERS] =
        bestdag_calloc(r->run, (size_t)list->count, sizeof *member);
    for (int v = 0; member && v < r->net->dag->n; v++) {
        const struct bestdag_json *item = &list->items[v];
        memcpy(member[v], known, sizeof known);
        if (take_members(r, item, member[v], MEMBERS))
            break;
        if (!member[v][NAME].value) {
            fail(r, item, "this variable has no \"name\"");
            break;
        }
        if (take_variable(r, v, member[v]))
            break;
    }
    if (!bestdag_run_status(r->run))
        take_arcs(r, member);
    bestdag_free(member);
    return bestdag_run_status(r->run);
}

enum { MAGIC, VERSION, TITLE, TEXTS, NOTES, VARIABLES, PARTS };

static int check_head(const struct reader *r, const struct bestdag_json *root,
                      const struct member *part)
{
    const char *magic = bestdag_json_text(part[MAGIC].value);
    double version = bestdag_json_number(part[VERSION].value);
    if (!magic || strcmp(magic, "network"))
        return fail(r, part[MAGIC].value ? part[MAGIC].value : root,
                    "expected \"bestdag\": \"network\"");
    if (!(version >= 1))
        return fail(r, part[VERSION].value ? part[VERSION].value : root,
                    "expected \"version\": 1");
    if (version >= 2)
        return fail(
            r, part[VERSION].value,
            "this version is newer than this program, which reads version 1");
    if (!part[VARIABLES].value)
        return fail(r, root, "expected \"variables\"");
    if (part[TITLE].value && want(r, part[TITLE].value, BESTDAG_JSON_TEXT))
        return BESTDAG_INPUT;
    if (want(r, part[VARIABLES].value, BESTDAG_JSON_ARRAY))
        return BESTDAG_INPUT;
    return part[VARIABLES].value->count > INT_MAX / 4
               ? fail(r, part[VARIABLES].value, "too many variables")
               : BESTDAG_OK;
}

static int take_root(struct reader *r, const struct bestdag_json *root)
{
    struct member part[PARTS] = {
        {"bestdag", NULL},    {"version", NULL},    {"name", NULL},
        {"properties", NULL}, {"provenance", NULL}, {"variables", NULL},
    };
    if (take_members(r, root, part, PARTS) || check_head(r, root, part))
        return bestdag_run_status(r->run);
    const struct bestdag_json *list = part[VARIABLES].value;
    r->net = bestdag_network_empty(r->run, (int)list->count);
    if (r->net && part[TITLE].value)
        r->net->name = bestdag_strdup(r->run, part[TITLE].value->text);
    if (bestdag_run_status(r->run) ||
        add_texts(r, part[TEXTS].value, &r->net->property,
                  &r->net->properties) ||
        take_notes(r, part[NOTES].value))
        return bestdag_run_status(r->run);
    return take_variables(r, list);
}

static struct bestdag_network *read_network(struct bestdag_run *run,
                                            const struct bestdag_file *file)
{
    struct reader r = {.run = run, .file = file->name};
    struct bestdag_json *root = bestdag_json_parse(run, file);
    if (root && take_root(&r, root)) {
        bestdag_network_free(r.net);
        r.net = NULL;
    }
    bestdag_json_free(root);
    return r.net;
}

static bool looks_like_network(const struct bestdag_file *file)
{
    const char *at = file->bytes;
    if (!strncmp(at, "\xef\xbb\xbf", 3))
        at += 3;
    at += strspn(at, " \t\r\n");
    return *at == '{' && strstr(at, "\"bestdag\"");
}

const struct bestdag_format bestdag_format_json = {
    .name = "json",
    .suffixes = "json",
    .help = "everything, with provenance, as JSON",
    .keeps = BESTDAG_KEEPS_ALL,
    .holds_numbers = true,
    .sniff = looks_like_network,
    .read = read_network,
    .write = write_network,
};
