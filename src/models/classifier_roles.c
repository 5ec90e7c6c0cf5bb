/* SPDX-License-Identifier: MIT */
/* classifier_roles.c -- what a classifier stores about its variables, as
 * properties: which one is the class, and where numbers were cut. */
#include <math.h>
#include <string.h>

#include "models/classify.h"

static const char ROLE[] = "role = class", CUTS[] = "cuts =";

int bestdag_classify_mark(struct bestdag_run *run, struct bestdag_variable *x)
{
    return bestdag_network_add_property(run, &x->property, &x->properties,
                                        ROLE);
}

int bestdag_classify_marked(const struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        for (int i = 0; i < network->variable[v].properties; i++)
            if (!strcmp(network->variable[v].property[i], ROLE))
                return v;
    return -1;
}

int bestdag_classify_mark_cuts(struct bestdag_run *run,
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

int bestdag_classify_cuts(struct bestdag_run *run,
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
