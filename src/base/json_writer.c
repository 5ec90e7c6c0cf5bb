/* SPDX-License-Identifier: MIT */
/* json_writer.c -- JSON text, indented, key by key. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/communicator.h"
#include "base/temp_bytes.h"

static void quote_valid(struct bestdag_buffer *b, const char *text, size_t n)
{
    const char *from = text, *end = text + n;
    for (; text < end; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= ' ' && c != '"' && c != '\\')
            continue;
        bestdag_buffer_add(b, from, (size_t)(text - from));
        bestdag_buffer_format(b, c < ' ' ? "\\u%04x" : "\\%c", c);
        from = text + 1;
    }
    bestdag_buffer_add(b, from, (size_t)(end - from));
}

void bestdag_json_quote(struct bestdag_buffer *b, const char *text)
{
    const char *end = text + strlen(text);
    bestdag_buffer_text(b, "\"");
    while (text < end) {
        size_t n = bestdag_utf8_valid(text, (size_t)(end - text));
        quote_valid(b, text, n);
        text += n;
        if (text++ < end)
            bestdag_buffer_text(b, "\\ufffd");
    }
    bestdag_buffer_text(b, "\"");
}

/* Small values inside arrays share a line; members have a line each. */
static void begin(struct bestdag_json_writer *w, const char *key)
{
    if (w->started)
        bestdag_buffer_text(&w->out, key ? "," : ", ");
    if (key) {
        bestdag_buffer_text(&w->out, "\n");
        for (int i = 0; i < w->depth; i++)
            bestdag_buffer_text(&w->out, "  ");
        bestdag_json_quote(&w->out, key);
        bestdag_buffer_text(&w->out, ": ");
    }
    w->started = true;
}

void bestdag_json_open(struct bestdag_json_writer *w, const char *key,
                       char open)
{
    begin(w, key);
    bestdag_buffer_add(&w->out, &open, 1);
    w->depth++;
    w->started = false;
}

void bestdag_json_close(struct bestdag_json_writer *w, char close)
{
    w->depth--;
    if (close == '}' && w->started) {
        bestdag_buffer_text(&w->out, "\n");
        for (int i = 0; i < w->depth; i++)
            bestdag_buffer_text(&w->out, "  ");
    }
    bestdag_buffer_add(&w->out, &close, 1);
    w->started = true;
}

void bestdag_json_add_text(struct bestdag_json_writer *w, const char *key,
                           const char *value)
{
    begin(w, key);
    if (value)
        bestdag_json_quote(&w->out, value);
    else
        bestdag_buffer_text(&w->out, "null");
}

void bestdag_json_add_number(struct bestdag_json_writer *w, const char *key,
                             double value)
{
    char text[BESTDAG_NUMBER_ROOM];
    begin(w, key);
    if (isfinite(value))
        bestdag_buffer_add(&w->out, text,
                           (size_t)bestdag_number_format(value, text));
    else
        bestdag_buffer_text(&w->out, "null");
}

void bestdag_json_add_integer(struct bestdag_json_writer *w, const char *key,
                              int64_t value)
{
    begin(w, key);
    bestdag_buffer_format(&w->out, "%lld", (long long)value);
}

void bestdag_json_add_bool(struct bestdag_json_writer *w, const char *key,
                           bool value)
{
    begin(w, key);
    bestdag_buffer_text(&w->out, value ? "true" : "false");
}

char *bestdag_json_take(struct bestdag_json_writer *w)
{
    bestdag_buffer_text(&w->out, "\n");
    return bestdag_buffer_take(&w->out);
}

void bestdag_json_flush(struct bestdag_json_writer *w,
                        struct bestdag_sink *sink)
{
    if (!w->depth)
        bestdag_buffer_text(&w->out, "\n");
    if (w->out.at)
        bestdag_sink_write(sink, w->out.at, w->out.length);
    w->out.length = 0;
}

void bestdag_json_add_run(struct bestdag_json_writer *w,
                          const struct bestdag_run *run)
{
    bestdag_json_add_integer(w, "peak_memory_bytes", bestdag_memory_peak(run));
    if (bestdag_temp_bytes(run))
        bestdag_json_add_integer(w, "temp_file_bytes", bestdag_temp_bytes(run));
    bestdag_json_add_integer(w, "seed", (int64_t)run->seed);
    bestdag_json_add_integer(w, "threads", bestdag_run_threads(run));
    if (run->communicator)
        bestdag_json_add_integer(w, "ranks", run->communicator->ranks);
    bestdag_json_add_text(w, "version", bestdag_version());
}
