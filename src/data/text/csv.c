/* SPDX-License-Identifier: MIT */
/* csv.c -- separated text: a line of names, unless there is none, and rows. */
#include <stdio.h>

#include "data/text/reading.h"

static int number_columns(struct bestdag_table_reader *r, int count)
{
    char name[32];
    for (int c = 0; c < count; c++) {
        snprintf(name, sizeof name, "V%d", c + 1);
        if (!bestdag_table_builder_append(&r->builder,
                                          bestdag_strdup(r->run, name)))
            return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

int bestdag_csv_head(struct bestdag_table_reader *r)
{
    struct bestdag_row row;
    if (r->settings.delimiter)
        r->dialect.delimiter = r->settings.delimiter;
    else if (!r->dialect.delimiter && bestdag_sniff_delimiter(r))
        return bestdag_run_status(r->run);
    if (bestdag_rows_next(r, &row))
        return bestdag_run_status(r->run);
    if (!r->settings.header) {
        if (number_columns(r, row.count))
            return bestdag_run_status(r->run);
    } else {
        if (bestdag_rows_names(r, &row))
            return bestdag_run_status(r->run);
        bestdag_window_step(&r->window, row.next, row.lines);
        r->builder.has_header = true;
    }
    r->dialect.holes = r->builder.count == 1;
    return BESTDAG_OK;
}

int bestdag_csv_read(struct bestdag_table_reader *r)
{
    return bestdag_csv_head(r) ? bestdag_run_status(r->run)
                               : bestdag_rows_read(r);
}

int bestdag_tsv_read(struct bestdag_table_reader *r)
{
    r->dialect.delimiter = '\t';
    return bestdag_csv_read(r);
}
