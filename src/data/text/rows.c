/* SPDX-License-Identifier: MIT */
/* rows.c -- all rows of a table, block by block: by the fast path as long as it
 * applies, else by the general splitter, some thousand rows at a time. */

#include "base/place.h"
#include "data/text/reading.h"

enum {
    BATCH =
        1 << 16, /* fields to split before they are added to their columns */
    MOST_FAST = 1 << 16, /* columns that the fast path has tables for */
    ROWS_AT_ONCE = 128   /* needed for adding column by column to pay */
};

const char bestdag_no_spanning_rows[] =
    "; rows-by-rank cannot cut a file with line breaks in quotes: give it as "
    "several files, or to one rank";

static enum bestdag_split split(struct bestdag_table_reader *r, size_t at,
                                struct bestdag_row *row)
{
    bestdag_split_fn *fn =
        r->dialect.split ? r->dialect.split : bestdag_split_row;
    return fn(&r->window, &r->dialect, at, row);
}

static int make_fields(struct bestdag_table_reader *r, size_t room)
{
    if (room <= r->field_room)
        return BESTDAG_OK;
    void *field = bestdag_realloc(r->run, r->field, room * sizeof *r->field);
    if (!field)
        return bestdag_run_status(r->run);
    r->field = field;
    r->field_room = room;
    return BESTDAG_OK;
}

static int no_rows(struct bestdag_table_reader *r)
{
    return bestdag_fail(r->run, BESTDAG_INPUT, "%s: no rows",
                        bestdag_source_name(r->window.source));
}

int bestdag_rows_next(struct bestdag_table_reader *r, struct bestdag_row *row)
{
    struct bestdag_window *w = &r->window;
    bestdag_dialect_prepare(&r->dialect);
    for (;;) {
        *row =
            (struct bestdag_row){.field = r->field, .room = (int)r->field_room};
        enum bestdag_split result =
            w->at == w->end ? BESTDAG_CUT : split(r, w->at, row);
        if (result == BESTDAG_BROKEN)
            return bestdag_window_fail(w, row->wrong_at, "%s", row->wrong);
        if (result == BESTDAG_CUT) {
            if (w->last)
                return no_rows(r);
            if (bestdag_window_more(w))
                return bestdag_run_status(r->run);
        } else if (!row->count)
            bestdag_window_step(w, row->next, row->lines);
        else if (row->count <= row->room)
            return BESTDAG_OK;
        else if (make_fields(r, (size_t)row->count))
            return bestdag_run_status(r->run);
    }
}

/* ---- names --------------------------------------------------------------- */

static int take_name(struct bestdag_table_reader *r,
                     const struct bestdag_row *row, int c)
{
    struct bestdag_column_builder *s = bestdag_table_builder_append(
        &r->builder,
        bestdag_field_text(&r->window, &r->dialect, row->field[c]));
    if (!s)
        return bestdag_run_status(r->run);
    if (*s->name)
        return BESTDAG_OK;
    if (c || row->count == 1)
        return bestdag_window_fail(&r->window, row->field[c].at,
                                   "column %d has no name", c + 1);
    s->kind = BESTDAG_STRAND_SKIPPED;
    s->bytes = 0;
    bestdag_note(r->run, 0,
                 "%s: the first column has no name and is left out (row names)",
                 bestdag_source_name(r->window.source));
    return BESTDAG_OK;
}

static bool is_nothing(struct bestdag_field f)
{
    return !f.length && !f.quoted;
}

static void note_last_delimiter(struct bestdag_table_reader *r)
{
    r->dialect.ends_with_delimiter = true;
    bestdag_note(r->run, 1, "%s: rows end with a delimiter",
                 bestdag_source_name(r->window.source));
}

int bestdag_rows_names(struct bestdag_table_reader *r,
                       const struct bestdag_row *row)
{
    int count = row->count;
    if (count > 1 && is_nothing(row->last)) {
        note_last_delimiter(r);
        count--;
    }
    for (int c = 0; c < count; c++)
        if (take_name(r, row, c))
            return bestdag_run_status(r->run);
    return BESTDAG_OK;
}

/* ---- rows ---------------------------------------------------------------- */

int bestdag_rows_wrong_count(struct bestdag_table_reader *r, size_t at,
                             int found, int expected)
{
    size_t start;
    struct bestdag_place place = {
        bestdag_window_line_of(&r->window, at, &start), 0};
    return bestdag_fail_at(r->run, bestdag_source_name(r->window.source), place,
                           "found %d field%s, expected %d", found,
                           found == 1 ? "" : "s", expected);
}

static bool has_right_count(struct bestdag_table_reader *r,
                            const struct bestdag_row *row, bool first)
{
    int expected = r->builder.count;
    if (row->count == expected + 1 && is_nothing(row->last)) {
        if (first && !r->dialect.ends_with_delimiter)
            note_last_delimiter(r);
        return r->dialect.ends_with_delimiter;
    }
    return row->count == expected;
}

/* Why a batch ends. An error in a row is reported after the rows before it were
 * added to their columns, as these may have errors, too. */
enum ending { FULL, CUT, BROKEN, MISCOUNTED, HOLE, SPANNING };

/* Rows that were split and wait in r->field, by row. */
struct batch {
    int64_t rows, most;
    size_t next;   /* offset after them */
    int64_t lines; /* of the file that they take */
    enum ending ending;
    struct bestdag_row row; /* the last row that was split */
};

/* Blank lines before a row: missing values of a table of one column, if an
 * empty field is missing. */
static enum ending fill_holes(struct bestdag_table_reader *r, struct batch *b)
{
    if (r->builder.refuse_missing &&
        bestdag_settings_is_missing(&r->settings, "", 0))
        return HOLE;
    for (; r->holes && b->rows < b->most; r->holes--)
        r->field[b->rows++] = (struct bestdag_field){.at = (uint32_t)b->next};
    return FULL;
}

static enum ending add_row(struct bestdag_table_reader *r, struct batch *b)
{
    const struct bestdag_row *row = &b->row;
    if (r->is_range && row->lines > 1)
        return SPANNING;
    if (row->count) {
        if (!has_right_count(r, row, !b->rows && !r->builder.rows))
            return MISCOUNTED;
        b->rows++;
    } else if (r->dialect.holes && !row->comment) {
        if (!r->holes++)
            r->hole_line = r->window.line + b->lines;
    } else
        r->skipped += !row->comment;
    b->next = row->next;
    b->lines += row->lines;
    return FULL;
}

static enum ending take_row(struct bestdag_table_reader *r, struct batch *b)
{
    int columns = r->builder.count;
    b->row = (struct bestdag_row){.field = r->field + b->rows * columns,
                                  .room = columns};
    if (b->next == r->window.end)
        return CUT;
    enum bestdag_split result = split(r, b->next, &b->row);
    if (result != BESTDAG_SPLIT)
        return result == BESTDAG_CUT ? CUT : BROKEN;
    /* after holes the row is split again, behind them */
    return b->row.count && r->holes ? fill_holes(r, b) : add_row(r, b);
}

/* The window is at the row that ended the batch. */
static int report_ending(struct bestdag_table_reader *r, const struct batch *b)
{
    int hidden = r->dialect.hidden;
    switch (b->ending) {
    case BROKEN:
        return bestdag_window_fail(&r->window, b->row.wrong_at, "%s%s",
                                   b->row.wrong,
                                   r->is_range ? bestdag_no_spanning_rows : "");
    case SPANNING:
        return bestdag_window_fail(&r->window, b->next,
                                   "a row of several lines%s",
                                   bestdag_no_spanning_rows);
    case MISCOUNTED:
        return bestdag_rows_wrong_count(r, b->next, b->row.count - hidden,
                                        r->builder.count - hidden);
    case HOLE:
        return bestdag_fail_at(
            r->run, bestdag_source_name(r->window.source),
            (struct bestdag_place){
                r->hole_line + bestdag_source_lines_before(r->window.source),
                1},
            "a missing value (--missing drop or state accepts it)");
    default:
        return BESTDAG_OK;
    }
}

static int add_batch(struct bestdag_table_reader *r, const struct batch *b)
{
    struct bestdag_table_builder *g = &r->builder;
    if (bestdag_table_builder_reserve(g, b->rows, b->next))
        return bestdag_run_status(r->run);
    for (int c = 0; c < g->count && b->rows; c++) {
        struct bestdag_cells cells = {r->field + c, (size_t)g->count, b->rows};
        if (bestdag_table_builder_add(g, c, cells))
            return bestdag_run_status(r->run);
    }
    if (bestdag_table_builder_commit(g, b->rows))
        return bestdag_run_status(r->run);
    bestdag_window_step(&r->window, b->next, b->lines);
    return BESTDAG_OK;
}

/* Reads the complete rows of the window. */
static int read_window(struct bestdag_table_reader *r)
{
    struct bestdag_window *w = &r->window;
    struct batch b = {0};
    bool fast = !r->only_general && !r->dialect.arff &&
                !r->dialect.ends_with_delimiter &&
                r->builder.count <= MOST_FAST;
    while (b.ending != CUT) {
        if (fast && !r->holes &&
            bestdag_single_character_add(&r->single, &r->builder) < 0)
            return bestdag_run_status(r->run);
        b = (struct batch){.next = w->at};
        b.most = (int64_t)r->field_room / r->builder.count;
        while (b.rows < b.most && b.ending == FULL)
            b.ending = take_row(r, &b);
        if (add_batch(r, &b) || report_ending(r, &b))
            return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

static int read_blocks(struct bestdag_table_reader *r)
{
    struct bestdag_window *w = &r->window;
    for (;;) {
        if (read_window(r))
            return bestdag_run_status(r->run);
        if (bestdag_run_watch(r->run, bestdag_source_consumed(w->source)))
            return bestdag_fail(r->run, BESTDAG_FAILED,
                                "stopped while reading %s",
                                bestdag_source_name(w->source));
        if (w->last)
            return BESTDAG_OK;
        if (bestdag_window_more(w))
            return bestdag_run_status(r->run);
    }
}

int bestdag_rows_begin(struct bestdag_table_reader *r)
{
    size_t columns = (size_t)r->builder.count;
    r->builder.dialect = &r->dialect;
    bestdag_dialect_prepare(&r->dialect);
    if (bestdag_table_builder_settle(&r->builder))
        return bestdag_run_status(r->run);
    return make_fields(r, columns > BATCH ? columns : BATCH);
}

int bestdag_rows_add(struct bestdag_table_reader *r)
{
    size_t columns = (size_t)r->builder.count;
    if (bestdag_window_widen(&r->window, 2 * columns * ROWS_AT_ONCE))
        return bestdag_run_status(r->run);
    return read_blocks(r);
}

int bestdag_rows_read(struct bestdag_table_reader *r)
{
    if (bestdag_rows_begin(r) || bestdag_rows_add(r))
        return bestdag_run_status(r->run);
    if (!r->builder.rows)
        return no_rows(r);
    if (r->skipped)
        bestdag_note(r->run, 1, "%s: %lld blank lines were skipped",
                     bestdag_source_name(r->window.source),
                     (long long)r->skipped);
    return BESTDAG_OK;
}
