/* SPDX-License-Identifier: MIT */
/* row_sessions.h -- rows of a table as evidence for sessions, one per
 * worker. */
#ifndef BESTDAG_MODELS_QUERY_ROW_SESSIONS_H
#define BESTDAG_MODELS_QUERY_ROW_SESSIONS_H

#include "data/table.h"
#include "models/encode.h"
#include "models/query/asking.h"

enum { BESTDAG_ROW_BLOCK = 16, BESTDAG_HOLE = -1 };

/* A column of the table that is evidence about a variable. */
struct bestdag_row_source {
    struct bestdag_encoder encoder; /* owns */
    int variable, column;
};

struct bestdag_row_worker {
    struct bestdag_run *run;         /* owns; a slice of the asking's run */
    struct bestdag_session *session; /* owns */
    int *now;       /* owns; [sources]: the evidence that is set */
    double *weight; /* owns; [most states] */
    uint16_t *code; /* owns; [sources][BESTDAG_ROW_BLOCK] */
};

struct bestdag_row_sessions {
    struct bestdag_asking *a; /* borrowed */
    int64_t rows;
    int64_t first, count;              /* rows to work on; initially all */
    struct bestdag_row_source *source; /* owns */
    int sources;
    struct bestdag_row_worker *worker; /* owns; [threads] */
    int threads;
};

/* Finds the columns and compiles the asking's engine for them. Starts zeroed
 * but for `a`; must be released, also on failure. */
int bestdag_row_sessions_init(struct bestdag_row_sessions *s,
                              const struct bestdag_table *table);
void bestdag_row_sessions_release(struct bestdag_row_sessions *s);
/* Works on blocks of the rows first .. first + count - 1: `work` gets `job`,
 * the number of a block and of the worker. Each worker has a session while this
 * runs.
 */
int bestdag_row_sessions_run(struct bestdag_row_sessions *s, void *job,
                             int (*work)(void *job, int64_t block, int worker));
/* Encodes a block's rows, the first of which is *from; returns how many. */
int bestdag_row_sessions_encode(const struct bestdag_row_sessions *s,
                                int worker, int64_t block, int64_t *from);
/* The state of source `i` in row `at` of the block, or BESTDAG_HOLE. */
static inline int bestdag_row_state(const struct bestdag_row_sessions *s,
                                    int worker, int i, int at)
{
    int code = s->worker[worker].code[i * BESTDAG_ROW_BLOCK + at];
    return code == s->source[i].encoder.states ? BESTDAG_HOLE : code;
}
/* Sets row `at` of the block as the session's evidence; *is_excluded: it
 * contradicts the query's evidence on one of its variables. */
int bestdag_row_sessions_tell(const struct bestdag_row_sessions *s, int worker,
                              int at, bool *is_excluded);

#endif
