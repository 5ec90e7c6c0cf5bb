/* SPDX-License-Identifier: MIT */
/* cuts.c -- the cut points of a variable's states, stored as a property of the
 * variable, so that formats that keep properties keep them. */
#include "network/cuts.h"

#include <string.h>

#include "base/text.h"

static const char CUTS[] = "cuts =";

bool bestdag_variable_is_cut(const struct bestdag_variable *x)
{
    for (int i = 0; i < x->properties; i++)
        if (!strncmp(x->property[i], CUTS, sizeof CUTS - 1))
            return true;
    return false;
}

int bestdag_variable_mark_cuts(struct bestdag_run *run,
                               struct bestdag_variable *x,
                               const struct bestdag_cuts *cuts)
{
    struct bestdag_buffer b = {.run = run};
    bestdag_buffer_text(&b, CUTS);
    for (int i = 0; i < cuts->count; i++) {
        char number[BESTDAG_NUMBER_ROOM];
        bestdag_number_format(cuts->at[i], number);
        bestdag_buffer_format(&b, " %s", number);
    }
    if (!bestdag_run_status(run))
        bestdag_network_add_property(run, &x->property, &x->properties, b.at);
    bestdag_buffer_release(&b);
    return bestdag_run_status(run);
}

static int wrong(struct bestdag_run *run, const struct bestdag_variable *x)
{
    return bestdag_fail(run, BESTDAG_INPUT,
                        "the property 'cuts' of variable '%s' has other than "
                        "%d ascending numbers",
                        x->name, x->states - 1);
}

static int read_cuts(struct bestdag_run *run, const struct bestdag_variable *x,
                     const char *text, struct bestdag_cuts *to)
{
    while (*(text += strspn(text, " \t"))) {
        size_t n = strcspn(text, " \t");
        double cut;
        if (!bestdag_number_parse(text, n, &cut) ||
            (to->count && cut <= to->at[to->count - 1]))
            return wrong(run, x);
        if (bestdag_cuts_add(run, to, cut))
            return bestdag_run_status(run);
        text += n;
    }
    return to->count + 1 == x->states ? BESTDAG_OK : wrong(run, x);
}

int bestdag_variable_cuts(struct bestdag_run *run,
                          const struct bestdag_variable *x,
                          struct bestdag_cuts *to, bool *is_cut)
{
    *is_cut = false;
    for (int i = 0; i < x->properties && !*is_cut; i++)
        if (!strncmp(x->property[i], CUTS, sizeof CUTS - 1)) {
            *is_cut = true;
            return read_cuts(run, x, x->property[i] + sizeof CUTS - 1, to);
        }
    return BESTDAG_OK;
}
