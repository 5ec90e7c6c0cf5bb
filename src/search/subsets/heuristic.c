/* SPDX-License-Identifier: MIT */
/* heuristic.c -- the table of heuristics, and their construction. */
#include "search/subsets/heuristic.h"

#include <string.h>

/* One row per heuristic; the last is the fallback. */
#define HEURISTICS(ROW)                                                        \
    ROW(static)                                                                \
    ROW(dynamic)                                                               \
    ROW(simple)

#define DECLARE(name)                                                          \
    extern const struct bestdag_heuristic_row bestdag_heuristic_##name;
#define ENTRY(name) &bestdag_heuristic_##name,
HEURISTICS(DECLARE)
static const struct bestdag_heuristic_row *const ROWS[] = {HEURISTICS(ENTRY)};

enum { COUNT = sizeof ROWS / sizeof *ROWS };

const struct bestdag_heuristic_row *bestdag_heuristic_at(int i)
{
    return i >= 0 && i < COUNT ? ROWS[i] : NULL;
}

static const struct bestdag_heuristic_row *find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (!name || !strcmp(ROWS[i]->name, name))
            return ROWS[i];
    return NULL;
}

static void clear(struct bestdag_heuristic *t)
{
    if (t->row)
        t->row->drop(t->data);
    *t = (struct bestdag_heuristic){0};
}

static int make(struct bestdag_run *run,
                const struct bestdag_heuristic_request *job,
                const struct bestdag_heuristic_row *row,
                struct bestdag_heuristic *to)
{
    to->row = row;
    return row->make(run, job, to);
}

struct bestdag_heuristic *bestdag_heuristic_new(
    struct bestdag_run *run, const struct bestdag_heuristic_request *job)
{
    if (bestdag_lacks(run, job->component, "component") ||
        bestdag_lacks(run, job->lookup, "lookup"))
        return NULL;
    const struct bestdag_heuristic_row *row = find(job->plan.name);
    struct bestdag_heuristic *t = bestdag_calloc(run, 1, sizeof *t);
    if (t && !row)
        bestdag_fail(run, BESTDAG_USAGE,
                     "unknown heuristic '%s', expected simple, dynamic or "
                     "static",
                     job->plan.name);
    if (t && row && !make(run, job, row, t) && !t->value) {
        clear(t);
        make(run, job, ROWS[COUNT - 1], t);
    }
    if (!bestdag_run_status(run))
        return t;
    bestdag_heuristic_free(t);
    return NULL;
}

void bestdag_heuristic_free(struct bestdag_heuristic *heuristics)
{
    if (heuristics)
        clear(heuristics);
    bestdag_free(heuristics);
}
