/* SPDX-License-Identifier: MIT */
/* sniff.c -- detects the delimiter of a text file.
 *
 * Each delimiter is tried on the first rows, quotes respected. The first of tab
 * ; , | blank that cuts the first row into at least two fields and all others
 * (else: most others) into as many is taken: a comma may be a decimal sign and
 * a blank part of a name, the others are seldom inside fields. If none does,
 * the table has one column, or is broken: then the delimiter that gives the
 * first row the most fields is taken, and the reader reports the error. */
#include <string.h>

#include "data/text/reading.h"

enum { SAMPLE = 100 /* rows */ };

struct guess {
    int fields;      /* of the first row */
    int rows, agree; /* rows seen; those with as many fields */
    bool single;     /* all rows have one field */
};

static bool fits(const struct bestdag_row *row, int fields,
                 bool ends_with_delimiter)
{
    bool nothing = !row->last.length && !row->last.quoted;
    return row->count == fields || (row->count == fields + 1 && nothing) ||
           (row->count == fields - 1 && ends_with_delimiter);
}

static struct guess try_delimiter(const struct bestdag_window *w,
                                  struct bestdag_dialect d)
{
    struct guess g = {.single = true};
    size_t at = w->at;
    bool ends_with_delimiter = false;
    bestdag_dialect_prepare(&d);
    while (g.rows < SAMPLE && at < w->end) {
        struct bestdag_row row = {0};
        enum bestdag_split result = bestdag_split_row(w, &d, at, &row);
        if (result == BESTDAG_CUT)
            break;
        g.rows += row.count || result == BESTDAG_BROKEN;
        g.single = g.single && row.count <= 1 && result != BESTDAG_BROKEN;
        if (result == BESTDAG_BROKEN)
            break;
        at = row.next;
        if (!row.count)
            continue;
        if (g.rows == 1) {
            g.fields = row.count;
            ends_with_delimiter = !row.last.length && !row.last.quoted;
        }
        g.agree += fits(&row, g.fields, ends_with_delimiter);
    }
    return g;
}

static char choose(const char *candidates, const struct guess *guess)
{
    size_t n = strlen(candidates), most = 0;
    for (size_t i = 0; i < n; i++)
        if (guess[i].fields > 1 && guess[i].agree == guess[i].rows)
            return candidates[i];
    for (size_t i = 0; i < n; i++)
        if (guess[i].fields > 1 && guess[i].agree * 2 > guess[i].rows)
            return candidates[i];
    size_t comma = (size_t)(strchr(candidates, ',') - candidates);
    if (guess[comma].single)
        return ',';
    for (size_t i = 1; i < n; i++)
        if (guess[i].fields > guess[most].fields)
            most = i;
    return candidates[most];
}

int bestdag_sniff_delimiter(struct bestdag_table_reader *r)
{
    static const char candidates[] = "\t;,| ";
    struct guess guess[sizeof candidates - 1];
    char name[16];
    if (bestdag_window_fill(&r->window, BESTDAG_WINDOW_BLOCK))
        return bestdag_run_status(r->run);
    for (size_t i = 0; candidates[i]; i++) {
        struct bestdag_dialect d = r->dialect;
        d.delimiter = candidates[i];
        guess[i] = try_delimiter(&r->window, d);
    }
    r->dialect.delimiter = choose(candidates, guess);
    bestdag_note(r->run, 1, "%s: fields are separated by %s",
                 bestdag_source_name(r->window.source),
                 bestdag_delimiter_name(r->dialect.delimiter, name));
    return BESTDAG_OK;
}
