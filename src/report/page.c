/* SPDX-License-Identifier: MIT */
/* page.c -- writes the page: page.html with the style, the data and the script
 * in the places that it marks with @NAME@. */
#include "report/page.h"

#include <stdio.h>
#include <string.h>

#include "learn/result.h"

static const char *text_of(const unsigned char *bytes)
{
    return (const char *)bytes;
}

/* Text between tags. */
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
    const char *title = bestdag_story_noted(report->story, "title");
    bestdag_sink_text(sink, "bestdag");
    if (title) {
        bestdag_sink_text(sink, ": ");
        put_escaped(sink, title);
    }
}

/* What stands for @NAME@. */
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

int bestdag_report_write(struct bestdag_run *run,
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
    struct bestdag_report report = {.network = result->network,
                                    .story = result->story,
                                    .summary = result->report};
    return bestdag_report_write(run, &report, path);
}
