/* SPDX-License-Identifier: MIT */
/* classifier_roles.c -- the property by which a classifier marks its class
 * variable. */
#include <string.h>

#include "models/classify.h"

static const char ROLE[] = "role = class";

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
