/* SPDX-License-Identifier: MIT */
/* read.c -- reads tables of all formats: chooses one by option, suffix or
 * content; the steps after the rows are the same for all. */
#include "data/text/read.h"

#include <string.h>

#include "data/digest.h"
#include "data/missing.h"
#include "data/states.h"
#include "data/text/reading.h"
#include "data/text/write.h"
#include "parallel/collective.h"

/* One row per format. To add a format, add a row here and its two functions. */
static const struct bestdag_table_format formats[] = {
    {"csv", "csv|txt|data", "delimited text; the delimiter is detected",
     bestdag_csv_read, bestdag_csv_write},
    {"tsv", "tsv|tab", "separated by tabs", bestdag_tsv_read,
     bestdag_tsv_write},
    {"dat", "dat", "names, numbers of states and rows, separated by blanks",
     bestdag_dat_read, bestdag_dat_write},
    {"arff", "arff", "Weka's format, with declared states", bestdag_arff_read,
     bestdag_arff_write},
};

enum { FORMATS = sizeof formats / sizeof *formats };

const struct bestdag_table_format *bestdag_table_format_at(int i)
{
    return i >= 0 && i < FORMATS ? &formats[i] : NULL;
}

static const char *name_of_format(const void *of, int i)
{
    (void)of;
    return formats[i].name;
}

const struct bestdag_table_format *bestdag_table_format_named(
    struct bestdag_run *run, const char *name)
{
    char suggestion[128];
    for (int i = 0; i < FORMATS; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    const char *near = bestdag_nearest(name, name_of_format, NULL, FORMATS);
    bestdag_fail(run, BESTDAG_USAGE, "there is no table format '%s'%s", name,
                 near ? bestdag_suggest(suggestion, near)
                      : "; known: csv, tsv, dat, arff");
    return NULL;
}

const struct bestdag_table_format *bestdag_table_format_of(const char *path)
{
    char suffix[16];
    size_t n = strlen(bestdag_path_suffix(path, suffix));
    for (int i = 0; n && i < FORMATS; i++)
        for (const char *s = formats[i].suffixes; *s;) {
            size_t m = strcspn(s, "|");
            if (m == n && !memcmp(s, suffix, n))
                return &formats[i];
            s += m + (s[m] == '|');
        }
    return NULL;
}

const struct bestdag_table_format *bestdag_reader_choose(
    struct bestdag_table_reader *r)
{
    const char *path = bestdag_source_name(r->window.source);
    r->asked = strcmp(r->settings.format, "auto") != 0;
    if (r->asked)
        return bestdag_table_format_named(r->run, r->settings.format);
    const struct bestdag_table_format *f = bestdag_table_format_of(path);
    if (!f && bestdag_window_fill(&r->window, BESTDAG_WINDOW_BLOCK))
        return NULL;
    if (!f)
        f = bestdag_table_format_named(
            r->run, bestdag_arff_sniff(&r->window) ? "arff" : "csv");
    bestdag_note(r->run, 1, "%s: read as %s", path, f->name);
    return f;
}

/* ---- after the rows ------------------------------------------------------ */

static int drop_weightless(struct bestdag_run *run, struct bestdag_table *table)
{
    bool any = false;
    for (int64_t r = 0; table->weights && r < table->rows; r++)
        any = any || !table->weights[r];
    if (!any)
        return BESTDAG_OK;
    uint8_t *gone = bestdag_alloc(run, (size_t)table->rows);
    if (!gone)
        return bestdag_run_status(run);
    for (int64_t r = 0; r < table->rows; r++)
        gone[r] = !table->weights[r];
    bestdag_table_drop(run, table, gone);
    bestdag_free(gone);
    if (!bestdag_run_status(run) && !table->rows)
        bestdag_fail(run, BESTDAG_INPUT, "all rows have weight 0");
    return bestdag_run_status(run);
}

static bool has_declared(const struct bestdag_table_builder *g)
{
    for (int c = 0; c < g->count; c++)
        if (g->column[c].closed)
            return true;
    return false;
}

/* Removes unused states where the file declares none. The table has a column
 * for every builder that is neither weights nor left out.
 */
static int prune_free(struct bestdag_table_reader *r,
                      struct bestdag_table *table)
{
    int column = 0;
    for (int c = 0; c < r->builder.count; c++) {
        const struct bestdag_column_builder *s = &r->builder.column[c];
        if (s->kind >= BESTDAG_STRAND_WEIGHTS)
            continue;
        struct bestdag_column *to = &table->column[column++];
        if (to->states && bestdag_builder_is_free(s) &&
            bestdag_column_prune(r->run, to, table->rows))
            break;
    }
    return bestdag_run_status(r->run);
}

int bestdag_reader_settle(struct bestdag_table_reader *r,
                          struct bestdag_table *table)
{
    int64_t rows = table->rows;
    if (drop_weightless(r->run, table) ||
        bestdag_table_complete(r->run, table, r->settings.missing))
        return bestdag_run_status(r->run);
    if (!r->settings.declared &&
        (table->rows < rows || has_declared(&r->builder)))
        return bestdag_table_prune(r->run, table);
    return table->rows < rows ? prune_free(r, table) : BESTDAG_OK;
}

static struct bestdag_table *read_table(struct bestdag_table_reader *r)
{
    const struct bestdag_table_format *format = bestdag_reader_choose(r);
    if (!format || format->read(r))
        return NULL;
    struct bestdag_table *table = bestdag_table_builder_finish(&r->builder);
    if (table && !bestdag_reader_settle(r, table))
        return table;
    bestdag_table_free(table);
    return NULL;
}

/* ---- the ways in --------------------------------------------------------- */

void bestdag_reader_release(struct bestdag_table_reader *r)
{
    bestdag_table_builder_release(&r->builder);
    bestdag_single_character_release(&r->single);
    bestdag_free(r->field);
    bestdag_window_release(&r->window);
    bestdag_settings_release(&r->settings);
}

struct bestdag_table *bestdag_table_from(struct bestdag_run *run,
                                         struct bestdag_source *source,
                                         const struct bestdag_options *options,
                                         const struct bestdag_probe *probe)
{
    struct bestdag_table_reader r = {.run = run};
    struct bestdag_table *table = NULL;
    if (bestdag_run_status(run) || !source)
        return NULL;
    if (probe)
        r.only_general = probe->only_general;
    bestdag_run_phase(run, "reading", bestdag_source_size(source));
    if (!bestdag_settings_init(&r.settings, run, options) &&
        !bestdag_window_open(&r.window, run, source,
                             probe ? probe->block : 0)) {
        bestdag_table_builder_init(&r.builder, &r.window, &r.settings);
        table = read_table(&r);
    }
    bestdag_reader_release(&r);
    return table;
}

static struct bestdag_table *read_and_close(
    struct bestdag_run *run, struct bestdag_source *source,
    const struct bestdag_options *options)
{
    struct bestdag_table *table =
        source ? bestdag_table_from(run, source, options, NULL) : NULL;
    bestdag_source_close(source);
    return table;
}

/* Makes sure that all ranks have the same table, or all fail, with the error of
 * one. */
static struct bestdag_table *agree(struct bestdag_run *run, const char *path,
                                   struct bestdag_table *table)
{
    char hex[BESTDAG_SHA256_HEX] = "";
    if (!bestdag_communicator_of(run))
        return table;
    if (table)
        bestdag_table_digest(run, table, hex);
    bestdag_collective_agree(run, bestdag_collective_hash(hex), path);
    if (!bestdag_run_status(run))
        return table;
    bestdag_table_free(table);
    return NULL;
}

struct bestdag_table *bestdag_table_read(struct bestdag_run *run,
                                         const char *path,
                                         const struct bestdag_options *options)
{
    if (bestdag_run_status(run))
        return NULL;
    if (bestdag_option_value(options, &bestdag_table_options, "rows-by-rank")
            .integer) {
        if (bestdag_communicator_of(run))
            bestdag_fail(run, BESTDAG_USAGE,
                         "rows-by-rank: with several ranks only learn, score "
                         "and fit count rows that are spread over them");
        return bestdag_table_read_by_rank(run, path, options);
    }
    return agree(run, path,
                 read_and_close(run, bestdag_source_open(run, path), options));
}

struct bestdag_table *bestdag_table_parse(struct bestdag_run *run,
                                          const char *name, const void *bytes,
                                          int64_t size,
                                          const struct bestdag_options *options)
{
    if (bestdag_run_status(run))
        return NULL;
    return read_and_close(run, bestdag_text_source(run, name, bytes, size),
                          options);
}
