/* SPDX-License-Identifier: MIT */
/* answer_file.h -- answers of many rows, written as they are computed. */
#ifndef BESTDAG_MODELS_QUERY_ANSWER_FILE_H
#define BESTDAG_MODELS_QUERY_ANSWER_FILE_H

#include "base/json.h"
#include "data/text/write.h"

/* The functions by which a job answers. */
struct bestdag_row_answers {
    void *job;
    /* Answers some rows from `first` on; returns how many, 0 at the end. */
    int64_t (*answer)(void *job, int64_t first);
    /* Makes a table of those answers. */
    struct bestdag_table *(*make_table)(void *job);
    /* Writes all answers, flushing to the sink every now and then. */
    void (*write_json)(void *job, struct bestdag_json_writer *w,
                       struct bestdag_sink *sink);
};

/* Writes a table or, without a format, JSON. */
int bestdag_answer_file_write(struct bestdag_run *run,
                              const struct bestdag_row_answers *answers,
                              const struct bestdag_table_format *format,
                              const char *path);

#endif
