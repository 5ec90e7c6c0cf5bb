/* SPDX-License-Identifier: MIT */
/* read_by_rank.c -- reads the rows of many files, or of one, divided among the
 * ranks.
 *
 * Files are sorted by name, and every rank has a run of them; a single plain
 * file is cut where lines begin. So the rows of rank 0, rank 1 and so on, in
 * this order, are those of a single reader. All ranks read the names of the
 * first file; all files must have the same. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/place.h"
#include "data/shards.h"
#include "data/text/read.h"
#include "data/text/reading.h"
#include "data/text/shard_columns.h"
#include "parallel/collective.h"

struct files {
    glob_t found;
    char **path; /* inside found */
    int count;
    int rank, ranks;
    struct bestdag_source *source; /* owns; the one that is being read */
};

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The same on all ranks. */
static int find_files(struct bestdag_run *run, const char *pattern,
                      struct files *f)
{
    uint64_t names = 0;
    const struct bestdag_communicator *all = bestdag_communicator_of(run);
    f->rank = all ? all->rank : 0;
    f->ranks = all ? all->ranks : 1;
    int status = glob(pattern, GLOB_NOSORT | GLOB_NOCHECK, NULL, &f->found);
    f->path = f->found.gl_pathv;
    f->count = (int)f->found.gl_pathc;
    if (status || !f->count)
        bestdag_fail(run, BESTDAG_INPUT, "%s: cannot list the files", pattern);
    else if (f->count == 1 && strpbrk(pattern, "*?[") &&
             !strcmp(f->path[0], pattern))
        bestdag_fail(run, BESTDAG_INPUT, "%s: no file has such a name",
                     pattern);
    else
        qsort(f->path, (size_t)f->count, sizeof *f->path, compare_paths);
    for (int i = 0; i < f->count; i++)
        names = names * 31 + bestdag_collective_hash(f->path[i]);
    return bestdag_collective_agree(run, names, pattern);
}

/* ---- one file after the other -------------------------------------------- */

static int open_source(struct bestdag_table_reader *r, struct files *f,
                       struct bestdag_source *source)
{
    bestdag_window_release(&r->window);
    bestdag_source_close(f->source);
    f->source = source;
    return source ? bestdag_window_open(&r->window, r->run, source, 0)
                  : bestdag_run_status(r->run);
}

static int open_path(struct bestdag_table_reader *r, struct files *f, int i)
{
    return open_source(r, f, bestdag_source_open(r->run, f->path[i]));
}

static int wrong_name(struct bestdag_table_reader *r, const struct files *f,
                      const struct bestdag_row *row, int c, const char *name)
{
    size_t start;
    struct bestdag_place place = {
        bestdag_window_line_of(&r->window, row->field[c].at, &start), 0};
    return bestdag_fail_at(r->run, bestdag_source_name(f->source), place,
                           "column %d is called '%s', expected '%s' as in %s",
                           c + 1, name ? name : "", r->builder.column[c].name,
                           f->path[0]);
}

/* Skips the names, which must be those of the first file. */
static int skip_names(struct bestdag_table_reader *r, const struct files *f)
{
    struct bestdag_row row;
    int columns = r->builder.count;
    if (!r->settings.header)
        return BESTDAG_OK;
    if (bestdag_rows_next(r, &row))
        return bestdag_run_status(r->run);
    if (row.count != columns + r->dialect.ends_with_delimiter)
        return bestdag_rows_wrong_count(r, r->window.at, row.count, columns);
    for (int c = 0; c < columns; c++) {
        char *name = bestdag_field_text(&r->window, &r->dialect, row.field[c]);
        if (!name || strcmp(name, r->builder.column[c].name) != 0)
            wrong_name(r, f, &row, c, name);
        bestdag_free(name);
        if (bestdag_run_status(r->run))
            return bestdag_run_status(r->run);
    }
    bestdag_window_step(&r->window, row.next, row.lines);
    return BESTDAG_OK;
}

/* The window is after the names of the first file. */
static int read_files(struct bestdag_table_reader *r, struct files *f)
{
    int first = (int)((int64_t)f->count * f->rank / f->ranks),
        end = (int)((int64_t)f->count * (f->rank + 1) / f->ranks);
    for (int i = first; i < end; i++)
        if ((i && (open_path(r, f, i) || skip_names(r, f))) ||
            bestdag_rows_add(r))
            return bestdag_run_status(r->run);
    return BESTDAG_OK;
}

/* ---- a range of one file ------------------------------------------------- */

/* The beginning of the first line at or after `at`; a line begins at
 * `first`. */
static int64_t next_line(struct bestdag_run *run, const char *path,
                         int64_t first, int64_t at, int64_t end)
{
    char block[4096];
    bool is_return = false;
    if (at <= first || at >= end)
        return at <= first ? first : end;
    struct bestdag_source *s = bestdag_source_range(run, path, at - 1, end);
    int64_t n, to = at - 1;
    while (s && (n = bestdag_source_read(s, block, sizeof block)) > 0)
        for (int64_t i = 0; i < n; i++, to++) {
            if (is_return && block[i] != '\n')
                goto found;
            is_return = block[i] == '\r';
            if (block[i] == '\n') {
                to++;
                goto found;
            }
        }
found:
    bestdag_source_close(s);
    return to;
}

static int read_range(struct bestdag_table_reader *r, struct files *f)
{
    const struct bestdag_window *w = &r->window;
    const char *path = f->path[0];
    int64_t end = bestdag_source_size(f->source);
    int64_t first =
        bestdag_source_consumed(f->source) - (int64_t)(w->end - w->at);
    if (bestdag_source_packed(f->source))
        return bestdag_fail(r->run, BESTDAG_USAGE,
                            "%s: rows-by-rank cannot cut a packed file: unpack "
                            "it, or give the rows as several files",
                            path);
    int64_t length = end - first;
    int64_t from = next_line(r->run, path, first,
                             first + length * f->rank / f->ranks, end);
    int64_t to = next_line(r->run, path, first,
                           first + length * (f->rank + 1) / f->ranks, end);
    r->is_range = true;
    if (bestdag_run_status(r->run) || from >= to)
        return bestdag_run_status(r->run);
    return open_source(r, f, bestdag_source_range(r->run, path, from, to))
               ? bestdag_run_status(r->run)
               : bestdag_rows_add(r);
}

/* ---- all ----------------------------------------------------------------- */

/* Refuses settings that need all rows. */
static int check_settings(struct bestdag_table_reader *r, const struct files *f)
{
    const char *missing = r->settings.missing;
    if (f->ranks > 1 && strcmp(missing, "drop") != 0 &&
        strcmp(missing, "state") != 0 && strcmp(missing, "error") != 0)
        return bestdag_fail(r->run, BESTDAG_USAGE,
                            "rows-by-rank with several ranks and --missing %s: "
                            "rows must be complete (--missing drop, state or "
                            "error)",
                            missing);
    return BESTDAG_OK;
}

static int read_rows(struct bestdag_table_reader *r, struct files *f)
{
    if (check_settings(r, f) || open_path(r, f, 0))
        return bestdag_run_status(r->run);
    bestdag_table_builder_init(&r->builder, &r->window, &r->settings);
    const struct bestdag_table_format *format = bestdag_reader_choose(r);
    if (!format)
        return bestdag_run_status(r->run);
    if (format->read != bestdag_csv_read && format->read != bestdag_tsv_read)
        return bestdag_fail(r->run, BESTDAG_USAGE,
                            "%s: rows-by-rank reads csv and tsv, not %s",
                            f->path[0], format->name);
    if (format->read == bestdag_tsv_read)
        r->dialect.delimiter = '\t';
    if (bestdag_csv_head(r) || bestdag_rows_begin(r))
        return bestdag_run_status(r->run);
    return f->count == 1 && f->ranks > 1 ? read_range(r, f) : read_files(r, f);
}

/* One rank has all rows: makes an ordinary table. */
static struct bestdag_table *finish_alone(struct bestdag_table_reader *r)
{
    if (!bestdag_run_status(r->run) && !r->builder.rows)
        bestdag_fail(r->run, BESTDAG_INPUT, "%s: no rows",
                     bestdag_source_name(r->window.source));
    struct bestdag_table *table =
        bestdag_run_status(r->run) ? NULL
                                   : bestdag_table_builder_finish(&r->builder);
    if (table && !bestdag_reader_settle(r, table))
        return table;
    bestdag_table_free(table);
    return NULL;
}

/* From now on rank 0 works alone, and the others count for it. */
static struct bestdag_table *divide(struct bestdag_run *run,
                                    struct bestdag_table *table,
                                    struct bestdag_shards *shards)
{
    bool is_helper = run->communicator->rank > 0;
    if (!bestdag_run_status(run)) {
        run->communicator->serves = true;
        if (table && !is_helper) {
            table->shards = shards;
            return table;
        }
        bestdag_shards_serve(run, shards);
    }
    bestdag_shards_free(shards);
    bestdag_table_free(table);
    return NULL;
}

struct bestdag_table *bestdag_table_read_by_rank(
    struct bestdag_run *run, const char *path,
    const struct bestdag_options *options)
{
    struct bestdag_table_reader r = {.run = run, .builder.run = run};
    struct files f = {0};
    struct bestdag_table *table = NULL;
    struct bestdag_shards *shards = NULL;
    if (bestdag_run_status(run) || bestdag_lacks(run, path, "file to read"))
        return NULL;
    if (!bestdag_option_value(options, &bestdag_table_options, "rows-by-rank")
             .integer)
        return bestdag_table_read(run, path, options);
    bestdag_run_phase(run, "reading", 0);
    if (!find_files(run, path, &f) &&
        !bestdag_settings_init(&r.settings, run, options))
        read_rows(&r, &f);
    if (f.ranks == 1)
        table = finish_alone(&r);
    else
        table = bestdag_shard_columns_finish(&r, &shards);
    bestdag_reader_release(&r);
    bestdag_source_close(f.source);
    globfree(&f.found);
    return f.ranks == 1 ? table : divide(run, table, shards);
}
