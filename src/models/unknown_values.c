/* SPDX-License-Identifier: MIT */
/* unknown_values.c -- values of a table that a network does not know. */
#include "models/unknown_values.h"

enum { SHOWN = 8 }; /* labels that the note names */

void bestdag_unknown_add(struct bestdag_unknown *u, const char *column,
                         const char *label, int64_t count)
{
    bool is_new = u->column != column;
    u->cells += count;
    u->labels++;
    u->columns += is_new;
    u->column = column;
    if (u->shown == SHOWN)
        return;
    if (is_new)
        bestdag_buffer_format(&u->text, "%scolumn '%.60s' has",
                              u->shown ? "; " : "", column);
    bestdag_buffer_format(&u->text, "%s '%.60s' (%lld)", is_new ? "" : ",",
                          label, (long long)count);
    u->shown++;
}

void bestdag_unknown_note(struct bestdag_unknown *u)
{
    if (u->labels > u->shown)
        bestdag_buffer_format(&u->text, "; and %d more in %d columns",
                              u->labels - u->shown, u->columns);
    if (u->cells && u->text.at)
        bestdag_note(
            u->text.run, 0,
            "values unknown to the network: %lld, treated as missing: %s",
            (long long)u->cells, u->text.at);
    bestdag_buffer_release(&u->text);
}
