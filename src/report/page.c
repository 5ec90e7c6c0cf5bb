/* SPDX-License-Identifier: MIT */
/* page.c -- writes the page: page.html with the style, the data and the script
 * in the places that it marks with @NAME@. */
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "learn/result.h"
#include "models/class_members.h"

static const char *text_of(const unsigned char *bytes)
{
    return (const char *)bytes;
}

/* Writes text between tags. */
static void put_escaped(struct bestdag_sink *sink, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            bestdag_sink_text(sink, "&lt;");
            break;
        case '>':
            bestdag_sink_text(sink, "&gt;");
            break;
        case '&':
            bestdag_sink_text(sink, "&amp;");
            break;
        case '"':
            bestdag_sink_text(sink, "&quot;");
            break;
        default:
            bestdag_sink_write(sink, text, 1);
        }
}

static void put_title(struct bestdag_sink *sink,
                      const struct bestdag_report *report)
{
    const char *title = bestdag_report_noted(report, "title");
    bestdag_sink_text(sink, "bestdag");
    if (title) {
        bestdag_sink_text(sink, ": ");
        put_escaped(sink, title);
    }
}

/* Writes the text that replaces @NAME@. */
static void put_part(struct bestdag_sink *sink, const char *name, size_t n,
                     const struct bestdag_report *report, const char *data)
{
    if (!strncmp(name, "TITLE", n))
        put_title(sink, report);
    else if (!strncmp(name, "STYLE", n))
        bestdag_sink_text(sink, text_of(bestdag_page_css));
    else if (!strncmp(name, "SCRIPT", n))
        bestdag_sink_text(sink, text_of(bestdag_page_js));
    else
        bestdag_sink_text(sink, data);
}

static void put_page(struct bestdag_sink *sink,
                     const struct bestdag_report *report, const char *data)
{
    const char *at = text_of(bestdag_page_html);
    while (*at) {
        size_t n = strcspn(at, "@");
        bestdag_sink_write(sink, at, n);
        at += n;
        if (!*at)
            break;
        size_t name = strcspn(++at, "@");
        put_part(sink, at, name, report, data);
        at += name + 1;
    }
}

/* "-": standard output. */
static int write_page(struct bestdag_run *run,
                      const struct bestdag_report *report, const char *path)
{
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    char *data = bestdag_report_data(run, report);
    struct bestdag_sink *sink = data ? bestdag_sink_open(run, path) : NULL;
    if (sink) {
        put_page(sink, report, data);
        bestdag_sink_close(sink);
    }
    bestdag_text_free(data);
    return bestdag_run_status(run);
}

/* ---- results ------------------------------------------------------------- */

/* The support of the network's arcs in resamples; NULL: there is none, or the
 * run failed. */
static struct bestdag_support *find_support(struct bestdag_run *run,
                                            const struct bestdag_result *r)
{
    const struct bestdag_dag *dag = r->network->dag;
    struct bestdag_support *support = NULL;
    if (r->strengths && r->record)
        support = bestdag_alloc(run, ((size_t)bestdag_dag_arcs(dag) + 1) *
                                         sizeof *support);
    if (!support)
        return NULL;
    for (int64_t a = 0; a < bestdag_dag_arcs(dag); a++)
        support[a] = (struct bestdag_support){(double)NAN, (double)NAN};
    for (int64_t i = 0; i < r->strengths; i++) {
        const struct bestdag_strength *s = &r->strength[i];
        int at = bestdag_dag_parent_at(dag, s->from, s->to);
        int back = bestdag_dag_parent_at(dag, s->to, s->from);
        if (at >= 0)
            support[r->record->labels.start[s->to] + at] =
                (struct bestdag_support){s->strength, s->direction};
        else if (back >= 0)
            support[r->record->labels.start[s->from] + back] =
                (struct bestdag_support){s->strength, 1 - s->direction};
    }
    return support;
}

int bestdag_result_write(struct bestdag_run *run,
                         const struct bestdag_result *result, const char *what,
                         const char *path)
{
    if (bestdag_lacks(run, result, "result") ||
        bestdag_lacks(run, path, "path"))
        return bestdag_run_status(run);
    if (!what || strcmp(what, "report"))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "a result has no '%s' to write, expected report",
                            what ? what : "");
    struct bestdag_support *support = find_support(run, result);
    struct bestdag_report report = {.network = result->network,
                                    .record = result->record,
                                    .summary = result->report,
                                    .support = support};
    write_page(run, &report, path);
    bestdag_free(support);
    return bestdag_run_status(run);
}

int bestdag_network_report(struct bestdag_run *run,
                           const struct bestdag_network *network,
                           const char *path)
{
    struct bestdag_labels labels = {0};
    struct bestdag_report report = {.network = network, .labels = &labels};
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, path, "path"))
        return bestdag_run_status(run);
    if (!bestdag_cpdag_label(run, network->dag, &labels) &&
        !bestdag_class_label_kinds(run, network, &labels))
        write_page(run, &report, path);
    bestdag_cpdag_release(&labels);
    return bestdag_run_status(run);
}
