/* SPDX-License-Identifier: MIT */
/* answer_file.h -- answers of many rows, written while they are found. */
#ifndef BESTDAG_MODELS_QUERY_ANSWER_FILE_H
#define BESTDAG_MODELS_QUERY_ANSWER_FILE_H

#include "base/json.h"
#include "data/text/write.h"

/* How a job answers. */
struct bestdag_row_answers {
    void *job;
    /* Answers some rows from `first` on; returns how many, 0 at the end. */
    int64_t (*answer)(void *job, int64_t first);
    /* Those answers. */
    struct bestdag_table *(*make_table)(void *job);
    /* All answers; writes to the sink every now and then. */
    void (*write_json)(void *job, struct bestdag_json_writer *w,
                       struct bestdag_sink *sink);
};

/* As a table, or, without a format, as JSON. */
int bestdag_answer_file_write(struct bestdag_run *run,
                              const struct bestdag_row_answers *answers,
                              const struct bestdag_table_format *format,
                              const char *path);

#endif
