/* SPDX-License-Identifier: MIT */
/* arc_bound.c -- the table of lower bounds under decisions. */
#include "search/arcs/arc_bound.h"

#include <string.h>

/* One row per bound; the first is the default. */
#define BOUNDS(ROW)                                                            \
    ROW(simple)                                                                \
    ROW(patterns)                                                              \
    ROW(cluster)

#define DECLARE(name)                                                          \
    extern const struct bestdag_arc_bound_row bestdag_arc_bound_##name;
#define ENTRY(name) &bestdag_arc_bound_##name,
BOUNDS(DECLARE)
static const struct bestdag_arc_bound_row *const ROWS[] = {BOUNDS(ENTRY)};

enum { COUNT = sizeof ROWS / sizeof *ROWS };

const struct bestdag_arc_bound_row *bestdag_arc_bound_at(int i)
{
    return i >= 0 && i < COUNT ? ROWS[i] : NULL;
}

int bestdag_arc_bound_init(struct bestdag_run *run, const char *name,
                           const struct bestdag_problem *problem,
                           struct bestdag_arc_bound *to)
{
    *to = (struct bestdag_arc_bound){0};
    for (int i = 0; i < COUNT && !to->row; i++)
        if (!name || !*name || !strcmp(ROWS[i]->name, name))
            to->row = ROWS[i];
    if (!to->row)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "unknown bound '%s', expected simple, patterns or "
                            "cluster",
                            name);
    if (!to->row->make)
        return BESTDAG_OK;
    return to->row->make(run, problem, &to->data, &to->room);
}

void bestdag_arc_bound_release(struct bestdag_arc_bound *arc_bound)
{
    if (arc_bound->row && arc_bound->row->drop)
        arc_bound->row->drop(arc_bound->data);
    *arc_bound = (struct bestdag_arc_bound){0};
}
