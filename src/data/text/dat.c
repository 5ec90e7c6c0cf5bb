/* SPDX-License-Identifier: MIT */
/* dat.c -- the .dat format: a line of names, a line with the number of states
 * of each, rows; separated by blanks, or by commas if the names are. Lines that
 * begin with # are comments. */
#include <string.h>

#include "data/text/reading.h"

/* A whole number from 1 to 999999; 0: it is none. */
static int count_of(const struct bestdag_window *w, struct bestdag_field f)
{
    int count = 0;
    if (f.quoted || !f.length || f.length > 6)
        return 0;
    for (uint32_t i = 0; i < f.length; i++) {
        char c = w->bytes[f.at + i];
        if (c < '0' || c > '9')
            return 0;
        count = count * 10 + (c - '0');
    }
    return count;
}

static int take_arities(struct bestdag_table_reader *r,
                        const struct bestdag_row *row)
{
    for (int c = 0; c < r->builder.count; c++) {
        int arity = count_of(&r->window, row->field[c]);
        if (arity > BESTDAG_MOST_STATES)
            return bestdag_window_fail(
                &r->window, row->field[c].at,
                "column '%s' declares %d states; at most %d were expected",
                r->builder.column[c].name, arity, BESTDAG_MOST_STATES);
        r->builder.column[c].arity = arity;
    }
    bestdag_window_step(&r->window, row->next, row->lines);
    return BESTDAG_OK;
}

static int read_arities(struct bestdag_table_reader *r)
{
    struct bestdag_row row;
    const char *file = bestdag_source_name(r->window.source);
    if (bestdag_rows_next(r, &row))
        return bestdag_run_status(r->run);
    int c = 0;
    while (c < row.count && count_of(&r->window, row.field[c]))
        c++;
    if (c < row.count && r->asked)
        return bestdag_window_fail(&r->window, row.field[c].at,
                                   "expected the number of states of each "
                                   "column");
    if (c == row.count && c != r->builder.count)
        return bestdag_rows_wrong_count(r, r->window.at, c, r->builder.count);
    if (c == row.count)
        return take_arities(r, &row);
    bestdag_note(r->run, 0,
                 "%s: the second line does not hold numbers of states; read as "
                 "rows below a line of names",
                 file);
    return BESTDAG_OK;
}

int bestdag_dat_read(struct bestdag_table_reader *r)
{
    struct bestdag_row row;
    char given = r->settings.delimiter;
    r->dialect.comment = '#';
    r->dialect.delimiter = given ? given : ' ';
    if (!r->settings.header)
        return bestdag_csv_read(r);
    if (bestdag_rows_next(r, &row))
        return bestdag_run_status(r->run);
    if (!given &&
        memchr(r->window.bytes + r->window.at, ',', row.next - r->window.at)) {
        r->dialect.delimiter = ',';
        if (bestdag_rows_next(r, &row))
            return bestdag_run_status(r->run);
    }
    if (bestdag_rows_names(r, &row))
        return bestdag_run_status(r->run);
    bestdag_window_step(&r->window, row.next, row.lines);
    if (read_arities(r))
        return bestdag_run_status(r->run);
    return bestdag_rows_read(r);
}
