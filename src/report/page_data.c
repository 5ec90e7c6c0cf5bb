/* SPDX-License-Identifier: MIT */
/* page_data.c -- the data of the page, as JSON.
 *
 *     title, summary: {...}, size: [width, height], height: of a node
 *     nodes: [[name, x, y, width, [label ...], rows, shown, "0.1 0.9 ..."] ...]
 *     arcs: [[from, to, lost, compelled, [x, y ...], strength, direction] ...]
 *     course: [[seconds, best, bound] ...]
 *     table: {rows, weight, dropped, columns: [[missing, [count ...]] ...]}
 *     rules: [[place, text, met, parameters, considered] ...]
 *     settings, notes, machine: [[key, value] ...], begun: seconds since 1970
 *
 * Tables of probabilities that are large are cut after `shown` of their rows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/layout.h"
#include "report/machine.h"
#include "report/page.h"

enum {
    CHARACTER = 8,        /* width of one in a node */
    WIDEST = 24,          /* characters shown of a name */
    MOST_NUMBERS = 4096,  /* of one table */
    ALL_NUMBERS = 1000000 /* of all tables, about */
};

/* ---- the drawing -----------------------------------------------------------
 */

static double width_of(const char *name)
{
    int characters = 0;
    for (; *name; name++)
        characters += ((unsigned char)*name & 0xc0) != 0x80; /* UTF-8 */
    characters = characters < 4 ? 4 : characters > WIDEST ? WIDEST : characters;
    return 22 + CHARACTER * characters;
}

static int lay_out(struct bestdag_run *run, const struct bestdag_network *net,
                   double **width, struct bestdag_layout *to)
{
    int n = net->dag->n;
    *width = bestdag_alloc(run, ((size_t)n + 1) * sizeof **width);
    for (int v = 0; *width && v < n; v++)
        (*width)[v] = width_of(net->variable[v].name);
    return *width ? bestdag_layout_make(run, net->dag, *width, to)
                  : bestdag_run_status(run);
}

/* ---- nodes
 * -------------------------------------------------------------------
 */

/* How many rows of a table are shown. */
static int64_t rows_shown(const struct bestdag_network *net, int v,
                          int64_t rows)
{
    int64_t numbers = ALL_NUMBERS / net->dag->n;
    numbers = numbers > MOST_NUMBERS ? MOST_NUMBERS : numbers;
    int64_t most = numbers / net->variable[v].states;
    most = most < 16 ? 16 : most;
    return rows < most ? rows : most;
}

static void add_table(struct bestdag_json_writer *w,
                      const struct bestdag_network *net, int v)
{
    const struct bestdag_variable *variable = &net->variable[v];
    int64_t rows = variable->table ? bestdag_network_configurations(net, v) : 0;
    int64_t shown = rows > 0 ? rows_shown(net, v, rows) : 0;
    struct bestdag_buffer numbers = {.run = w->out.run};
    char text[BESTDAG_NUMBER_ROOM];
    for (int64_t i = 0; i < shown * variable->states; i++) {
        bestdag_number_brief(variable->table[i], text);
        bestdag_buffer_text(&numbers, i ? " " : "");
        bestdag_buffer_text(&numbers, text);
    }
    bestdag_json_add_integer(w, NULL, rows);
    bestdag_json_add_integer(w, NULL, shown);
    bestdag_json_add_text(w, NULL, numbers.at ? numbers.at : "");
    bestdag_buffer_release(&numbers);
}

static void add_nodes(struct bestdag_json_writer *w,
                      const struct bestdag_network *net,
                      const struct bestdag_layout *layout, const double *width)
{
    bestdag_json_open(w, "nodes", '[');
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *variable = &net->variable[v];
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_text(w, NULL, variable->name);
        bestdag_json_add_integer(w, NULL, lround(layout->x[v]));
        bestdag_json_add_integer(w, NULL, lround(layout->y[v]));
        bestdag_json_add_integer(w, NULL, lround(width[v]));
        bestdag_json_open(w, NULL, '[');
        for (int s = 0; s < variable->states; s++)
            bestdag_json_add_text(w, NULL, variable->labels[s]);
        bestdag_json_close(w, ']');
        add_table(w, net, v);
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
}

/* ---- arcs
 * --------------------------------------------------------------------
 */

static void add_arc(struct bestdag_json_writer *w,
                    const struct bestdag_report *report,
                    const struct bestdag_layout *layout, int64_t arc)
{
    const struct bestdag_run_record *record = report->record;
    const struct bestdag_support *support = report->support;
    bestdag_json_add_number(w, NULL, record ? record->lost[arc] : (double)NAN);
    bestdag_json_add_bool(w, NULL, record && record->labels.compelled[arc]);
    bestdag_json_open(w, NULL, '[');
    for (int64_t i = 2 * layout->bend_start[arc];
         i < 2 * layout->bend_start[arc + 1]; i++)
        bestdag_json_add_integer(w, NULL, lround(layout->bend[i]));
    bestdag_json_close(w, ']');
    if (support) {
        bestdag_json_add_number(w, NULL, support[arc].strength);
        bestdag_json_add_number(w, NULL, support[arc].direction);
    }
}

static void add_arcs(struct bestdag_json_writer *w,
                     const struct bestdag_report *report,
                     const struct bestdag_layout *layout)
{
    const struct bestdag_dag *dag = report->network->dag;
    int64_t arc = 0;
    bestdag_json_open(w, "arcs", '[');
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++, arc++) {
            bestdag_json_open(w, NULL, '[');
            bestdag_json_add_integer(w, NULL, dag->parents[v].at[i]);
            bestdag_json_add_integer(w, NULL, v);
            add_arc(w, report, layout, arc);
            bestdag_json_close(w, ']');
        }
    bestdag_json_close(w, ']');
}

static int add_drawing(struct bestdag_json_writer *w,
                       const struct bestdag_report *report)
{
    struct bestdag_run *run = w->out.run;
    struct bestdag_layout layout = {0};
    double *width = NULL;
    if (!lay_out(run, report->network, &width, &layout)) {
        bestdag_json_open(w, "size", '[');
        bestdag_json_add_integer(w, NULL, lround(layout.wide));
        bestdag_json_add_integer(w, NULL, lround(layout.high));
        bestdag_json_close(w, ']');
        bestdag_json_add_integer(w, "height", BESTDAG_NODE_HEIGHT);
        add_nodes(w, report->network, &layout, width);
        add_arcs(w, report, &layout);
    }
    bestdag_layout_release(&layout);
    bestdag_free(width);
    return bestdag_run_status(run);
}

/* ---- the rest
 * ----------------------------------------------------------------
 */

/* Numbers, texts and objects of these, not arrays. */
static void add_summary(struct bestdag_json_writer *w, const char *key,
                        const struct bestdag_json *object)
{
    bestdag_json_open(w, key, '{');
    for (int64_t i = 0; object && i < object->count; i++) {
        const struct bestdag_json *item = &object->items[i];
        if (item->kind == BESTDAG_JSON_NUMBER)
            bestdag_json_add_number(w, item->key, item->number);
        else if (item->kind == BESTDAG_JSON_TEXT)
            bestdag_json_add_text(w, item->key, item->text);
        else if (item->kind == BESTDAG_JSON_OBJECT && w->depth < 4)
            add_summary(w, item->key, item); /* no deeper than we write */
    }
    bestdag_json_close(w, '}');
}

static void add_course(struct bestdag_json_writer *w,
                       const struct bestdag_run_record *s)
{
    bestdag_json_open(w, "course", '[');
    for (int i = 0; i < s->points; i++) {
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_number(w, NULL, s->point[i].seconds);
        bestdag_json_add_number(w, NULL, s->point[i].best);
        bestdag_json_add_number(w, NULL, s->point[i].bound);
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
}

static void add_columns(struct bestdag_json_writer *w,
                        const struct bestdag_run_record *s)
{
    if (!s->columns)
        return;
    bestdag_json_open(w, "table", '{');
    bestdag_json_add_integer(w, "rows", s->rows);
    bestdag_json_add_integer(w, "weight", s->weight);
    bestdag_json_add_integer(w, "dropped", s->dropped);
    bestdag_json_open(w, "columns", '[');
    for (int v = 0; v < s->columns; v++) {
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_integer(w, NULL, s->lacked[v]);
        bestdag_json_open(w, NULL, '[');
        for (int64_t i = s->count_start[v]; i < s->count_start[v + 1]; i++)
            bestdag_json_add_integer(w, NULL, s->count[i]);
        bestdag_json_close(w, ']');
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
    bestdag_json_close(w, '}');
}

static void add_rules(struct bestdag_json_writer *w,
                      const struct bestdag_run_record *s)
{
    bestdag_json_open(w, "rules", '[');
    for (int i = 0; i < s->rules; i++) {
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_text(w, NULL, s->rule[i].place);
        bestdag_json_add_text(w, NULL, s->rule[i].text);
        bestdag_json_add_bool(w, NULL, s->rule[i].is_met);
        bestdag_json_add_bool(w, NULL, s->rule[i].has_parameters);
        bestdag_json_add_bool(w, NULL, s->rule[i].is_in_labels);
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
}

static void add_pairs(struct bestdag_json_writer *w, const char *key,
                      char *const *pair, int count)
{
    bestdag_json_open(w, key, '[');
    for (int i = 0; i < count; i += 2) {
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_text(w, NULL, pair[i]);
        bestdag_json_add_text(w, NULL, pair[i + 1]);
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
}

static void add_story(struct bestdag_json_writer *w,
                      const struct bestdag_run_record *s)
{
    add_course(w, s);
    add_columns(w, s);
    add_rules(w, s);
    add_pairs(w, "settings", s->setting, s->settings);
    add_pairs(w, "notes", s->note, s->notes);
    bestdag_json_add_integer(w, "begun", s->begun);
}

/* ---- all of it
 * ---------------------------------------------------------------
 */

/* '<' occurs in texts only, and has another spelling there. */
static char *make_harmless(struct bestdag_run *run, char *json)
{
    struct bestdag_buffer b = {.run = run};
    for (const char *at = json; at && *at;) {
        size_t n = strcspn(at, "<");
        bestdag_buffer_add(&b, at, n);
        at += n;
        if (*at)
            bestdag_buffer_text(&b, "\\u003c");
        at += *at != 0;
    }
    bestdag_text_free(json);
    return bestdag_buffer_take(&b);
}

char *bestdag_report_data(struct bestdag_run *run,
                          const struct bestdag_report *report)
{
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "title",
                          bestdag_record_noted(report->record, "title"));
    bestdag_json_add_text(
        &w, "hash", bestdag_network_noted(report->network, "data_sha256"));
    bestdag_json_add_text(&w, "version", bestdag_version());
    add_summary(&w, "summary", report->summary);
    if (report->record)
        add_story(&w, report->record);
    bestdag_machine_write(&w, "machine");
    add_drawing(&w, report);
    bestdag_json_close(&w, '}');
    char *json = bestdag_json_take(&w);
    return json ? make_harmless(run, json) : NULL;
}
