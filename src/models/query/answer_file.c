/* SPDX-License-Identifier: MIT */
/* answer_file.c -- answers of many rows, written as they are computed, so that
 * only some rows are in memory at a time. */
#include "models/query/answer_file.h"

static void write_tables(struct bestdag_run *run,
                         const struct bestdag_row_answers *a,
                         const struct bestdag_table_format *format,
                         struct bestdag_sink *sink)
{
    int64_t done = 0, count;
    do { /* a table without rows still has a header */
        count = a->answer(a->job, done);
        struct bestdag_table *part = bestdag_run_status(run) || (!count && done)
                                         ? NULL
                                         : a->make_table(a->job);
        if (part)
            bestdag_table_append(run, part, format, sink, done > 0);
        bestdag_table_free(part);
        done += count;
    } while (count && !bestdag_run_status(run));
}

int bestdag_answer_file_write(struct bestdag_run *run,
                              const struct bestdag_row_answers *answers,
                              const struct bestdag_table_format *format,
                              const char *path)
{
    struct bestdag_json_writer w = {.out.run = run};
    struct bestdag_sink *sink = bestdag_sink_open(run, path);
    if (sink && format)
        write_tables(run, answers, format, sink);
    else if (sink) {
        answers->write_json(answers->job, &w, sink);
        bestdag_json_flush(&w, sink);
    }
    if (sink)
        bestdag_sink_close(sink);
    bestdag_buffer_release(&w.out);
    return bestdag_run_status(run);
}
