/* SPDX-License-Identifier: MIT */
/* run.h -- the run context: what replaces every global.
 *
 * A run carries the first error, the stop flag, the deadline, the memory
 * budget, the number of threads, the seed and the progress callback. A slice
 * is a run inside a run: it has its own deadline, budget, threads and derived
 * seed, and what stops or fills the outer one stops or fills it too. */
#ifndef BESTDAG_BASE_RUN_H
#define BESTDAG_BASE_RUN_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bestdag.h"

#if defined(__GNUC__)
#define BESTDAG_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define BESTDAG_PRINTF(a, b)
#endif

struct bestdag_budget;
struct bestdag_progress_log;
struct bestdag_checkpoint;
struct bestdag_coroutine;
struct bestdag_communicator;

enum { BESTDAG_MOST_UNFINISHED = 16 };

/* Best score and upper bound so far of a learning or a solving, in nats. They
 * only improve: best is the greatest that was reported, bound the least, until
 * the lists that the bound is over grow. Written through progress_log.h. */
struct bestdag_attained {
    double best, bound; /* NaN: not known */
    double improved;    /* second of the last better network; NaN: none */
    int64_t sets;       /* that the bound is over; 0: not known */
    int grown;          /* times that the number of sets has grown */
};

struct bestdag_run {
    struct bestdag_run *outer; /* of a slice; NULL for a whole run */
    _Atomic int status;
    _Atomic int claimed; /* a thread is writing, or has written, the error */
    _Atomic int stop;    /* 2: because time is up */
    char error[1024];
    struct bestdag_budget *budget; /* owns one reference */
    int threads;
    uint64_t seed;
    double time_limit; /* seconds; 0: none */
    double limited;    /* when it was set; 0: there is none */
    double gap;
    bool is_counted; /* the deadline ends it, and decides nothing before */
    double effort;   /* what amounts of work are multiplied with, where no time
                        limit is given: see work.h */
    double start;    /* on the monotonic clock, as what follows */
    _Atomic double deadline;     /* 0: none; any thread may look */
    double reported;             /* when progress was last called */
    struct bestdag_progress now; /* of the phase and the search alone */
    struct bestdag_attained own;
    struct bestdag_attained *attained; /* what progress reports: own, or that of
                                          the run that a slice reports to */
    bestdag_progress_fn *on_progress;
    void *user;
    struct bestdag_coroutine *inside; /* borrowed: who works on this run;
                                         NULL: the calling thread */
    struct bestdag_progress_log *progress_log; /* borrowed: best and bound over
                                                  time; NULL: not logged */
    struct bestdag_checkpoint *checkpoint; /* NULL: none is kept. Owns; a slice
                                              that reports borrows it */
    struct bestdag_communicator
        *communicator; /* other processes that work on it (communicator.h);
                  NULL: none. Owns; a slice that reports borrows it */
    /* Temporary files of sinks, in the outermost run; NULL: a free place. Who
     * takes a name away, by exchange, owns it (base/sink.c). */
    _Atomic(char *) unfinished[BESTDAG_MOST_UNFINISHED];
};

/* Records the first error (any thread) and returns `status`, which is not
 * BESTDAG_OK. The text becomes one line that is fit for a terminal. */
int bestdag_fail(struct bestdag_run *run, int status, const char *format, ...)
    BESTDAG_PRINTF(3, 4);
/* Clears the error, copies its text to text[size], and returns its status. The
 * stop flag and the deadline stay. No other thread may be at work. */
int bestdag_run_recover(struct bestdag_run *run, char *text, size_t size);
/* Public functions begin with this: has the run failed, or is the argument
 * NULL? Then it fails with "no <what> was given". */
static inline bool bestdag_lacks(struct bestdag_run *run, const void *given,
                                 const char *what)
{
    if (bestdag_run_status(run))
        return true;
    if (given)
        return false;
    bestdag_fail(run, BESTDAG_USAGE, "no %s was given", what);
    return true;
}
/* A line for people. detail 0: always shown; 1: with -v only. Calling thread
 * only. */
void bestdag_note(struct bestdag_run *run, int detail, const char *format, ...)
    BESTDAG_PRINTF(3, 4);

/* Begins a phase of `total` items (0: unknown). */
void bestdag_run_phase(struct bestdag_run *run, const char *phase,
                       int64_t total);
/* Any thread: was the run asked to stop, is the time up, or has an error
 * occurred? */
bool bestdag_run_stopped(const struct bestdag_run *run);
/* Any thread: stops as if the time were up now, for code that needs the
 * remaining time to complete its result. */
void bestdag_run_expire(struct bestdag_run *run);
/* Calling thread, in long loops: checks the clock, reports progress ten times
 * per second, and returns whether to stop. */
bool bestdag_run_watch(struct bestdag_run *run, int64_t done);
double bestdag_seconds(void); /* monotonic clock */
/* The number of threads to use: as set, or all cores. */
int bestdag_run_threads(const struct bestdag_run *run);

/* How the work so far ended. */
enum bestdag_ending {
    BESTDAG_ENDED,      /* on its own */
    BESTDAG_TIMED_OUT,  /* a limit ended it */
    BESTDAG_INTERRUPTED /* it was asked to stop */
};
enum bestdag_ending bestdag_run_ending(const struct bestdag_run *run);

/* What a slice may use; 0 keeps the outer run's. */
struct bestdag_slice_limits {
    double seconds;
    int64_t bytes;
    int threads;
    uint64_t index; /* of this slice: gives it its own seed */
    bool reports;   /* progress goes to the outer run's callback; only for a
                       slice that the calling thread works on */
};
struct bestdag_run *bestdag_run_slice(struct bestdag_run *outer,
                                      struct bestdag_slice_limits share);
/* Passes the slice's error on to the outer run and frees it. */
int bestdag_run_join(struct bestdag_run *slice);
/* The same for work that may be abandoned: an error caused by a stop of the
 * outer run is ignored. *is_cut: there was one. */
int bestdag_run_join_cut(struct bestdag_run *slice, bool *is_cut);

/* ---- memory: every allocation counts against the budget ----------------- */

/* NULL and an error in the run when the budget or the machine has no more.
 * Zero bytes give a pointer that may be freed. */
void *bestdag_alloc(struct bestdag_run *run, size_t bytes);
void *bestdag_calloc(struct bestdag_run *run, size_t count, size_t bytes);
/* The old block stays as it is on failure. p may be NULL. */
void *bestdag_realloc(struct bestdag_run *run, void *p, size_t bytes);
void bestdag_free(void *p);
char *bestdag_strdup(struct bestdag_run *run, const char *text);
char *bestdag_strndup(struct bestdag_run *run, const char *text, size_t n);
/* Would `bytes` more fit? If not, fails, naming the purpose. Negative bytes
 * never fit. */
int bestdag_reserve(struct bestdag_run *run, int64_t bytes, const char *what);
int64_t bestdag_memory_used(const struct bestdag_run *run);
int64_t bestdag_memory_peak(const struct bestdag_run *run);
int64_t bestdag_memory_limit(const struct bestdag_run *run); /* 0: none */
int64_t bestdag_memory_physical(void); /* of the machine; 0: not known */
/* For tests: the n-th allocation from now, in the run or one of its slices,
 * fails (0: none does). */
void bestdag_memory_fail_at(struct bestdag_run *run, int64_t n);
/* For tests: was that allocation requested, and refused? */
bool bestdag_memory_has_failed(const struct bestdag_run *run);
/* Used by run.c only. */
struct bestdag_budget *bestdag_budget_new(struct bestdag_budget *outer);
void bestdag_budget_release(struct bestdag_budget *budget);
void bestdag_budget_limit(struct bestdag_budget *budget, int64_t bytes);

#endif
