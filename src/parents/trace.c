/* SPDX-License-Identifier: MIT */
/* trace.c -- lines of the --trace file. A worker collects them without the name
 * of the variable, which may need quotes; the calling thread adds it. */
#include "parents/trace.h"

#include <string.h>

int bestdag_trace_open(struct bestdag_plan *plan,
                       const struct bestdag_options *options)
{
    const char *path =
        bestdag_option_value(options, &bestdag_parents_options, "trace").text;
    if (!path)
        return BESTDAG_OK;
    plan->trace = bestdag_sink_open(plan->run, path);
    if (plan->trace)
        bestdag_sink_text(plan->trace, "variable,step,size,score\n");
    return bestdag_run_status(plan->run);
}

void bestdag_trace_add(struct bestdag_buffer *trace, int64_t step, int count,
                       double score)
{
    char number[BESTDAG_NUMBER_ROOM];
    bestdag_number_format(score, number);
    bestdag_buffer_format(trace, "%lld,%d,%s\n", (long long)step, count,
                          number);
}

/* Writes the name as a CSV field. */
static void write_name(struct bestdag_sink *to, const char *name)
{
    if (!strpbrk(name, ",\"\r\n")) {
        bestdag_sink_text(to, name);
        return;
    }
    bestdag_sink_text(to, "\"");
    for (; *name; name++)
        bestdag_sink_write(to, *name == '"' ? "\"\"" : name,
                           *name == '"' ? 2 : 1);
    bestdag_sink_text(to, "\"");
}

void bestdag_trace_write(struct bestdag_plan *plan, int child,
                         const char *trace)
{
    for (const char *at = trace; plan->trace && at && *at;) {
        size_t n = strcspn(at, "\n") + 1;
        write_name(plan->trace, plan->sets->names[child]);
        bestdag_sink_text(plan->trace, ",");
        bestdag_sink_write(plan->trace, at, n);
        at += n;
    }
}
