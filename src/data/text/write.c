/* SPDX-License-Identifier: MIT */
/* write.c -- writes tables: the public functions, and the loop over rows that
 * all formats share. Labels are quoted once; a row is assembled in a buffer
 * with room for the longest. */
#include "data/text/write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/text/read.h"

enum { BUFFER = 1 << 16, SHORT = 16 };

/* ---- labels, ready to write ---------------------------------------------- */

static struct bestdag_written_block add_piece(struct bestdag_table_writer *w,
                                              const char *label)
{
    struct bestdag_written_block p = {.at = w->text.length};
    if (label)
        w->quote(w, label, &w->text);
    else
        bestdag_buffer_text(&w->text, w->missing);
    p.length = w->text.length - p.at;
    return p;
}

static int make_pieces(struct bestdag_table_writer *w)
{
    const struct bestdag_table *t = w->table;
    size_t pieces = 0;
    for (int c = 0; c < t->columns; c++)
        pieces += (size_t)t->column[c].states + 1;
    w->piece = bestdag_alloc(w->run, pieces * sizeof *w->piece);
    w->of = bestdag_alloc(w->run, (size_t)t->columns * sizeof *w->of);
    if (!w->piece || !w->of)
        return bestdag_run_status(w->run);
    struct bestdag_written_block *next = w->piece;
    for (int c = 0; c < t->columns; c++) {
        w->of[c] = next;
        for (int s = 0; s < t->column[c].states; s++)
            *next++ = add_piece(w, t->column[c].labels[s]);
        *next++ = add_piece(w, NULL);
    }
    char pad[SHORT] = {0};
    bestdag_buffer_add(&w->text, pad, sizeof pad);
    return bestdag_run_status(w->run);
}

/* ---- rows ---------------------------------------------------------------- */

/* An upper limit of the bytes of a row. */
static size_t longest_row(const struct bestdag_table_writer *w)
{
    const struct bestdag_table *t = w->table;
    size_t all = 64 + SHORT; /* weight, line break, short copies */
    for (int c = 0; c < t->columns; c++) {
        size_t most =
            t->column[c].kind == BESTDAG_NUMBERS ? BESTDAG_NUMBER_ROOM : 0;
        for (int s = 0; s <= t->column[c].states; s++)
            if (w->of[c][s].length > most)
                most = w->of[c][s].length;
        all += most + 1;
    }
    return all;
}

static char *put_piece(const struct bestdag_table_writer *w,
                       const struct bestdag_written_block *p, char *to)
{
    const char *from = w->text.at + p->at;
    if (p->length <= SHORT)
        memcpy(to, from, SHORT); /* one load and store; both have room */
    else
        memcpy(to, from, p->length);
    return to + p->length;
}

static char *put_cell(const struct bestdag_table_writer *w, int column,
                      int64_t row, char *to)
{
    const struct bestdag_column *c = &w->table->column[column];
    if (c->kind == BESTDAG_OPAQUE)
        return put_piece(w, w->of[column], to);
    if (c->kind == BESTDAG_NUMBERS) {
        double x = ((const double *)c->cells)[row];
        if (isnan(x))
            return put_piece(w, w->of[column], to);
        char text[BESTDAG_NUMBER_ROOM];
        int n = bestdag_number_format(x, text);
        memcpy(to, text, (size_t)n);
        return to + n;
    }
    int code = bestdag_column_code(c, row);
    return put_piece(w, w->of[column] + (code < 0 ? c->states : code), to);
}

static char *put_row(const struct bestdag_table_writer *w, int64_t row,
                     char *to)
{
    const struct bestdag_table *t = w->table;
    for (int c = 0; c < t->columns; c++) {
        if (c)
            *to++ = w->delimiter;
        to = put_cell(w, c, row, to);
    }
    if (t->weights && w->weights == BESTDAG_AS_COLUMN)
        to += sprintf(to, "%c%d", w->delimiter, (int)t->weights[row]);
    else if (t->weights && w->weights == BESTDAG_AS_BRACES)
        to += sprintf(to, "%c{%d}", w->delimiter, (int)t->weights[row]);
    *to++ = '\n';
    return to;
}

static int64_t times(const struct bestdag_table_writer *w, int64_t row)
{
    return w->table->weights && w->weights == BESTDAG_AS_ROWS
               ? w->table->weights[row]
               : 1;
}

static int write_rows(struct bestdag_table_writer *w, char *buffer)
{
    char *at = buffer, *full = buffer + BUFFER;
    for (int64_t r = 0; r < w->table->rows; r++)
        for (int64_t k = times(w, r); k > 0; k--) {
            at = put_row(w, r, at);
            if (at < full)
                continue;
            bestdag_sink_write(w->sink, buffer, (size_t)(at - buffer));
            at = buffer;
            if (bestdag_run_watch(w->run, r))
                return bestdag_fail(w->run, BESTDAG_FAILED,
                                    "stopped while writing %s",
                                    bestdag_sink_path(w->sink));
        }
    bestdag_sink_write(w->sink, buffer, (size_t)(at - buffer));
    return bestdag_run_status(w->run);
}

int bestdag_write_rows(struct bestdag_table_writer *w)
{
    if (bestdag_run_status(w->run) || make_pieces(w))
        return bestdag_run_status(w->run);
    char *buffer = bestdag_alloc(w->run, BUFFER + longest_row(w));
    if (!buffer)
        return bestdag_run_status(w->run);
    bestdag_run_phase(w->run, "writing", w->table->rows);
    write_rows(w, buffer);
    bestdag_free(buffer);
    return bestdag_run_status(w->run);
}

/* ---- the ways in --------------------------------------------------------- */

static int check(struct bestdag_run *run, const struct bestdag_table *table)
{
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (!table || !table->columns)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "a table without columns cannot be written");
    for (int c = 0; c < table->columns; c++)
        if (table->column[c].kind == BESTDAG_OPAQUE &&
            table->column[c].distinct)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' has no states: its values were "
                                "not kept and cannot be written; leave it out "
                                "(--ignore)",
                                table->column[c].name);
    return BESTDAG_OK;
}

int bestdag_table_append(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         const struct bestdag_table_format *format,
                         struct bestdag_sink *sink, bool is_continued)
{
    struct bestdag_table_writer w = {.run = run,
                                     .table = table,
                                     .sink = sink,
                                     .is_continued = is_continued,
                                     .text = {.run = run}};
    if (check(run, table))
        return bestdag_run_status(run);
    format->write(&w);
    bestdag_buffer_release(&w.text);
    bestdag_free(w.piece);
    bestdag_free(w.of);
    return bestdag_run_status(run);
}

static int write_file(struct bestdag_run *run,
                      const struct bestdag_table *table,
                      const struct bestdag_table_format *format,
                      const char *path)
{
    struct bestdag_sink *sink = bestdag_sink_open(run, path);
    if (!sink)
        return bestdag_run_status(run);
    bestdag_table_append(run, table, format, sink, false);
    return bestdag_sink_close(sink);
}

char *bestdag_table_text(struct bestdag_run *run,
                         const struct bestdag_table *table, const char *format,
                         int64_t *size)
{
    if (check(run, table) || bestdag_lacks(run, format, "format"))
        return NULL;
    const struct bestdag_table_format *f =
        bestdag_table_format_named(run, format);
    struct bestdag_sink *sink = f ? bestdag_sink_memory(run) : NULL;
    if (!sink)
        return NULL;
    bestdag_table_append(run, table, f, sink, false);
    return bestdag_sink_hand_over(sink, size);
}

const struct bestdag_table_format *bestdag_table_format_for(
    struct bestdag_run *run, const char *name, const char *path)
{
    if (name)
        return bestdag_table_format_named(run, name);
    const struct bestdag_table_format *format =
        strcmp(path, "-") ? bestdag_table_format_of(path)
                          : bestdag_table_format_at(0);
    if (!format)
        bestdag_fail(run, BESTDAG_USAGE,
                     "%s: not the suffix of a table format, expected .csv .tsv "
                     ".dat or .arff",
                     path);
    return format;
}

int bestdag_table_write(struct bestdag_run *run,
                        const struct bestdag_table *table, const char *path)
{
    return bestdag_table_write_as(run, table, NULL, path);
}

int bestdag_table_write_as(struct bestdag_run *run,
                           const struct bestdag_table *table,
                           const char *format, const char *path)
{
    if (check(run, table) || bestdag_lacks(run, path, "file to write"))
        return bestdag_run_status(run);
    const struct bestdag_table_format *f =
        bestdag_table_format_for(run, format, path);
    return f ? write_file(run, table, f, path) : bestdag_run_status(run);
}
