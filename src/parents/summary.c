/* SPDX-License-Identifier: MIT */
/* summary.c -- a summary of candidate lists: how they were found, how many sets
 * there are, what is proved. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "parents/sets.h"

static int64_t count_complete(const struct bestdag_sets *sets, int *max_parents)
{
    int64_t complete = 0;
    *max_parents = -1;
    for (int v = 0; v < sets->n; v++) {
        complete += sets->list[v].ceiling == -INFINITY;
        if (sets->list[v].max_parents > *max_parents)
            *max_parents = sets->list[v].max_parents;
    }
    return complete;
}

bool bestdag_sets_scope(const struct bestdag_sets *sets, char to[64])
{
    int limit;
    bool complete = count_complete(sets, &limit) == sets->n;
    const char *rules =
        bestdag_sets_noted(sets, "rules") ? " that the rules allow" : "";
    if (!complete)
        snprintf(to, 64, "candidate sets");
    else if (limit < 0)
        snprintf(to, 64, "all parent sets%s", rules);
    else
        snprintf(to, 64, "parent sets up to %d%s", limit, rules);
    return complete;
}

static void add_seconds(struct bestdag_json_writer *w, struct bestdag_run *run,
                        const struct bestdag_sets *sets)
{
    bestdag_json_open(w, "seconds", '{');
    bestdag_json_add_number(w, "read", sets->seconds_before);
    bestdag_json_add_number(w, "score", sets->seconds);
    bestdag_json_add_number(w, "total", bestdag_seconds() - run->start);
    bestdag_json_close(w, '}');
    bestdag_json_add_run(w, run);
}

static const char *status_of(const struct bestdag_sets *sets, bool complete)
{
    static const char *const words[] = {"heuristic", "stopped", "interrupted"};
    return complete ? "optimal" : words[sets->ending];
}

char *bestdag_sets_describe(struct bestdag_run *run,
                            const struct bestdag_sets *sets)
{
    struct bestdag_json_writer w = {.out.run = run};
    char scope[64];
    int limit;
    if (bestdag_lacks(run, sets, "set of candidate sets"))
        return NULL;
    const char *rows = bestdag_sets_noted(sets, "rows");
    int64_t complete = count_complete(sets, &limit);
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "status", status_of(sets, complete == sets->n));
    bestdag_json_add_text(&w, "proved_over",
                          bestdag_sets_scope(sets, scope) ? scope : NULL);
    bestdag_json_add_text(&w, "score_name", bestdag_sets_noted(sets, "score"));
    bestdag_json_add_text(&w, "parents", bestdag_sets_noted(sets, "parents"));
    bestdag_json_add_integer(&w, "parent_sets", bestdag_sets_total(sets));
    bestdag_json_add_integer(&w, "scores_computed", sets->scored);
    bestdag_json_add_integer(&w, "variables", sets->n);
    bestdag_json_add_integer(&w, "complete_variables", complete);
    bestdag_json_add_number(&w, "rows",
                            rows ? strtod(rows, NULL) : (double)NAN);
    add_seconds(&w, run, sets);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}
