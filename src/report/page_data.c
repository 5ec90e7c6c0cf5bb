/* SPDX-License-Identifier: MIT */
/* page_data.c -- the data of the page, as JSON.
 *
 *     title, summary: {...}, size: [width, height]
 *     whole: are all tables there, uncut
 *     bars: most states that a node of the drawing has room for, 0: none
 *     nodes: [[name, x, y, width, [label ...], rows, shown, "0.1 0.9 ...",
 *              height, "counts ..."] ...]
 *     arcs: [[from, to, lost, compelled, [x, y ...], strength, direction] ...]
 *     course: [[seconds, best, bound] ...]
 *     table: {rows, weight, dropped, columns: [[missing, [count ...]] ...]}
 *     holes: {rows, incomplete, different, patterns: [[rows, [column]] ...]}
 *     rules: [[place, text, met, parameters, considered] ...]
 *     settings, notes, machine: [[key, value] ...], begun: seconds since 1970
 *
 * Holes are there if something was missing, with the most frequent patterns.
 * page_numbers.c has the texts of tables and counts; large tables are cut after
 * `shown` of their rows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/layout.h"
#include "network/regression.h"
#include "report/machine.h"
#include "report/page.h"

enum {
    CHARACTER = 8,  /* width of one in a node */
    WIDEST = 24,    /* characters shown of a name */
    HEIGHT = 30,    /* of a node without bars */
    BAR_NODES = 24, /* most nodes that fit on a screen with their bars */
    BARS =
        8, /* bars of a node, at most; the last one stands for further states */
    BAR_HEIGHT = 17,
    BAR_WIDTH = 184 /* least width of a node with bars */
};

/* ---- the drawing --------------------------------------------------------- */

static bool has_bars(const struct bestdag_network *net)
{
    return net->dag->n <= BAR_NODES && bestdag_network_has_tables(net) &&
           bestdag_page_is_whole(net);
}

static struct bestdag_node_box box_of(const struct bestdag_variable *v,
                                      bool bars)
{
    int characters = 0, states = v->states < BARS ? v->states : BARS;
    for (const char *at = v->name; *at; at++)
        characters += ((unsigned char)*at & 0xc0) != 0x80; /* UTF-8 */
    characters = characters < 4 ? 4 : characters > WIDEST ? WIDEST : characters;
    double width = 22 + CHARACTER * characters;
    return bars ? (struct bestdag_node_box){fmax(width, BAR_WIDTH),
                                            HEIGHT + BAR_HEIGHT * states + 6}
                : (struct bestdag_node_box){width, HEIGHT};
}

static int lay_out(struct bestdag_run *run, const struct bestdag_network *net,
                   struct bestdag_node_box **box, struct bestdag_layout *to)
{
    int n = net->dag->n;
    bool bars = has_bars(net);
    *box = bestdag_alloc(run, ((size_t)n + 1) * sizeof **box);
    for (int v = 0; *box && v < n; v++)
        (*box)[v] = box_of(&net->variable[v], bars);
    return *box ? bestdag_layout_make(run, net->dag, *box, to)
                : bestdag_run_status(run);
}

/* ---- nodes
 * -------------------------------------------------------------------
 */

static void add_node(struct bestdag_json_writer *w,
                     const struct bestdag_network *net, int v,
                     struct bestdag_node_box box)
{
    const struct bestdag_variable *x = &net->variable[v];
    int64_t rows = x->table ? bestdag_network_configurations(net, v) : 0;
    int64_t shown = bestdag_page_rows(net, v);
    bestdag_json_add_integer(w, NULL, lround(box.width));
    bestdag_json_open(w, NULL, '[');
    for (int s = 0; s < x->states; s++)
        bestdag_json_add_text(w, NULL, x->labels[s]);
    bestdag_json_close(w, ']');
    bestdag_json_add_integer(w, NULL, rows);
    bestdag_json_add_integer(w, NULL, shown);
    bestdag_page_add_numbers(w, x->table, shown * x->states);
    bestdag_json_add_integer(w, NULL, lround(box.height));
    if (!x->is_number) {
        bestdag_page_add_counts(w, x->counts, shown);
        return;
    }
    rows = x->regression && bestdag_page_is_whole(net)
               ? bestdag_network_configurations(net, v)
               : 0;
    bestdag_page_add_counts(w, x->counts, rows);
    bestdag_page_add_numbers(w, x->regression,
                             rows * bestdag_network_terms(net, v));
}

static void add_nodes(struct bestdag_json_writer *w,
                      const struct bestdag_network *net,
                      const struct bestdag_layout *layout,
                      const struct bestdag_node_box *box)
{
    bestdag_json_open(w, "nodes", '[');
    for (int v = 0; v < net->dag->n; v++) {
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_text(w, NULL, net->variable[v].name);
        bestdag_json_add_integer(w, NULL, lround(layout->x[v]));
        bestdag_json_add_integer(w, NULL, lround(layout->y[v]));
        add_node(w, net, v, box[v]);
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
    const struct bestdag_labels *labels =
        record ? &record->labels : report->labels;
    const struct bestdag_support *support = report->support;
    bestdag_json_add_number(w, NULL, record ? record->lost[arc] : (double)NAN);
    bestdag_json_add_bool(w, NULL, labels && labels->compelled[arc]);
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
    struct bestdag_node_box *box = NULL;
    if (!lay_out(run, report->network, &box, &layout)) {
        bestdag_json_open(w, "size", '[');
        bestdag_json_add_integer(w, NULL, lround(layout.wide));
        bestdag_json_add_integer(w, NULL, lround(layout.high));
        bestdag_json_close(w, ']');
        bestdag_json_add_integer(w, "bars",
                                 has_bars(report->network) ? BARS : 0);
        bestdag_json_add_bool(w, "whole",
                              bestdag_network_has_tables(report->network) &&
                                  bestdag_page_is_whole(report->network));
        add_nodes(w, report->network, &layout, box);
        add_arcs(w, report, &layout);
    }
    bestdag_layout_release(&layout);
    bestdag_free(box);
    return bestdag_run_status(run);
}

/* ---- the rest
 * ----------------------------------------------------------------
 */

/* Adds numbers, texts and objects of these, but not arrays. */
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
            add_summary(w, item->key,
                        item); /* nested no deeper than we write */
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

static void add_holes(struct bestdag_json_writer *w,
                      const struct bestdag_hole_patterns *p)
{
    if (!p)
        return;
    bestdag_json_open(w, "holes", '{');
    bestdag_json_add_integer(w, "rows", p->rows);
    bestdag_json_add_integer(w, "incomplete", p->incomplete);
    bestdag_json_add_integer(w, "different", p->different);
    bestdag_json_open(w, "patterns", '[');
    for (int i = 0; i < p->count; i++) {
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_integer(w, NULL, p->size[i]);
        bestdag_json_open(w, NULL, '[');
        for (int c = 0; c < p->columns; c++)
            if (p->lacks[(size_t)i * (size_t)p->columns + (size_t)c])
                bestdag_json_add_integer(w, NULL, c);
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
    add_holes(w, s->holes);
    add_rules(w, s);
    add_pairs(w, "settings", s->setting, s->settings);
    add_pairs(w, "notes", s->note, s->notes);
    bestdag_json_add_integer(w, "begun", s->begun);
}

/* ---- all of it
 * ---------------------------------------------------------------
 */

/* Escapes '<', which occurs only in texts. */
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

const char *bestdag_report_noted(const struct bestdag_report *report,
                                 const char *key)
{
    return report->record ? bestdag_record_noted(report->record, key)
                          : bestdag_network_noted(report->network, key);
}

char *bestdag_report_data(struct bestdag_run *run,
                          const struct bestdag_report *report)
{
    const struct bestdag_network *network = report->network;
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "title", bestdag_report_noted(report, "title"));
    bestdag_json_add_text(&w, "hash",
                          bestdag_network_noted(network, "data_sha256"));
    bestdag_json_add_text(&w, "version", bestdag_version());
    add_summary(&w, "summary", report->summary);
    if (report->record) {
        add_story(&w, report->record);
        bestdag_machine_write(&w, "machine");
    } else
        add_pairs(&w, "notes", network->note, 2 * network->notes);
    add_drawing(&w, report);
    bestdag_json_close(&w, '}');
    char *json = bestdag_json_take(&w);
    return json ? make_harmless(run, json) : NULL;
}
