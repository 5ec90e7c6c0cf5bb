/* SPDX-License-Identifier: MIT */
/* run.c -- the run context: errors, stopping, limits, progress. */
#include "base/run.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "base/coroutine.h"
#include "base/options.h"
#include "base/progress_log.h"
#include "base/random.h"
#include "base/communicator.h"
#include "base/text.h"
#include "base/work.h"

static const struct bestdag_option option_rows[] = {
    {"threads", BESTDAG_INTEGER, "0", 0, 4096, .letter = 'j', .value = "N",
     .help = "number of threads, 0 for all cores; does not change the result"},
    {"seed", BESTDAG_INTEGER, "1", 0, 9007199254740992.0, .value = "N",
     .help = "seed of the random numbers"},
    {"time-limit", BESTDAG_DURATION, NULL, 0, 1e9, .letter = 't', .value = "T",
     .help = "stop after this time (30s, 10m, 2h)"},
    {"memory-limit", BESTDAG_SIZE, NULL, 0, 9e18, .value = "SIZE",
     .help = "use at most this much memory (512M, 4G)"},
    {"effort", BESTDAG_CHOICE, "default", .choices = "low|default|high",
     .value = "HOW",
     .help =
         "amount of work without a time limit: low, default or high; applies "
         "to auto, to candidate lists that cannot be completed, and to "
         "heuristics; low is a tenth of the default, high ten times as much"},
    {"gap", BESTDAG_NUMBER, "0", 0, 1, .value = "G",
     .help =
         "stop when the relative gap between score and bound is at most this"},
    {0}};
const struct bestdag_option_group bestdag_run_options = {"run", option_rows};

enum { BY_TIME = 2 }; /* in run->stop */

const char *bestdag_version(void)
{
    return BESTDAG_VERSION;
}

double bestdag_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct bestdag_run *run_new(struct bestdag_budget *outer)
{
    struct bestdag_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->budget = bestdag_budget_new(outer);
    if (!run->budget) {
        free(run);
        return NULL;
    }
    run->seed = 1;
    run->effort = 1;
    run->start = bestdag_seconds();
    run->now.size = (int)sizeof run->now;
    run->now.phase = "";
    run->now.best = run->now.bound = run->now.improved = NAN;
    run->attained = &run->own;
    bestdag_attained_clear(run);
    return run;
}

struct bestdag_run *bestdag_run_new(void)
{
    return run_new(NULL);
}

static void communicator_free(struct bestdag_run *run)
{
    if (!run->communicator || run->outer)
        return;
    run->communicator->by->close(run->communicator->wire);
    for (int i = 0; run->communicator->waiting && i < run->communicator->ranks;
         i++)
        bestdag_free(run->communicator->waiting[i].bytes);
    bestdag_free(run->communicator->waiting);
    bestdag_free(run->communicator);
}

void bestdag_run_free(struct bestdag_run *run)
{
    if (!run)
        return;
    bestdag_checkpoint_close(run);
    communicator_free(run);
    bestdag_budget_release(run->budget);
    free(run);
}

int bestdag_fail(struct bestdag_run *run, int status, const char *format, ...)
{
    va_list list;
    if (atomic_exchange(&run->claimed, 1)) {
        /* The run has failed when this returns, even while another thread still
         * writes the text. */
        while (!atomic_load(&run->status))
            sched_yield();
        return status;
    }
    va_start(list, format);
    vsnprintf(run->error, sizeof run->error, format, list);
    va_end(list);
    bestdag_text_tidy(run->error);
    atomic_store(&run->status, status ? status : BESTDAG_FAILED);
    return status;
}

int bestdag_run_status(const struct bestdag_run *run)
{
    return run ? atomic_load(&run->status) : BESTDAG_FAILED;
}

const char *bestdag_run_error(const struct bestdag_run *run)
{
    if (!run)
        return "out of memory";
    return atomic_load(&run->status) ? run->error : "";
}

/* Counts from now; 0: no limit. Clears a stop that a time limit has caused. */
static void limit_time(struct bestdag_run *run, double seconds)
{
    int late = BY_TIME;
    double now = bestdag_seconds();
    run->time_limit = seconds;
    run->limited = seconds > 0 ? now : 0;
    run->deadline = seconds > 0 ? now + seconds : 0;
    atomic_compare_exchange_strong(&run->stop, &late, 0);
}

void bestdag_run_clear(struct bestdag_run *run)
{
    if (!run)
        return;
    run->error[0] = 0;
    atomic_store(&run->status, BESTDAG_OK);
    atomic_store(&run->claimed, 0);
    atomic_store(&run->stop, 0);
    if (run->outer)
        return; /* a slice keeps the deadline that it was given */
    run->start = bestdag_seconds();
    limit_time(run, run->time_limit);
}

int bestdag_run_recover(struct bestdag_run *run, char *text, size_t size)
{
    int status = bestdag_run_status(run);
    snprintf(text, size, "%s", bestdag_run_error(run));
    run->error[0] = 0;
    atomic_store(&run->status, BESTDAG_OK);
    atomic_store(&run->claimed, 0);
    return status;
}

void bestdag_run_stop(struct bestdag_run *run)
{
    if (run)
        atomic_store(&run->stop, 1);
}

void bestdag_run_expire(struct bestdag_run *run)
{
    int asked = 0; /* an earlier request to stop is kept */
    atomic_compare_exchange_strong(&run->stop, &asked, BY_TIME);
}

/* Some nanoseconds, and some milliseconds behind. */
static bool is_late(const struct bestdag_run *run)
{
    struct timespec now;
    if (run->deadline <= 0)
        return false;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec >= run->deadline;
}

bool bestdag_run_stopped(const struct bestdag_run *run)
{
    if (run && is_late(run)) /* a slice has the deadline that it was given */
        return true;
    for (; run; run = run->outer)
        if (atomic_load_explicit(&run->stop, memory_order_relaxed) ||
            atomic_load_explicit(&run->status, memory_order_relaxed))
            return true;
    return false;
}

void bestdag_run_on_progress(struct bestdag_run *run, bestdag_progress_fn *fn,
                             void *user)
{
    if (!run)
        return;
    run->on_progress = fn;
    run->user = user;
}

/* What progress shows of best and bound does not depend on what reports: a
 * phase or a solver cannot lose it. A callback about a slice that asks to stop
 * stops the whole run. */
static void call_back(void *argument)
{
    struct bestdag_run *run = argument;
    struct bestdag_progress shown = run->now;
    bestdag_attained_fill(run, &shown);
    if (run->on_progress(run->user, &shown))
        for (; run; run = run->outer)
            bestdag_run_stop(run);
}

static void report(struct bestdag_run *run, double now)
{
    run->reported = now;
    run->now.seconds = now - run->start;
    run->now.memory = bestdag_memory_used(run);
    if (run->on_progress && run->inside)
        bestdag_coroutine_ask(run->inside, call_back, run);
    else if (run->on_progress)
        call_back(run);
}

void bestdag_note(struct bestdag_run *run, int detail, const char *format, ...)
{
    char text[1024];
    if (!run->on_progress)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    bestdag_text_tidy(text);
    run->now.note = text;
    run->now.detail = detail;
    report(run, bestdag_seconds());
    run->now.note = NULL;
    run->now.detail = 0;
}

void bestdag_run_phase(struct bestdag_run *run, const char *phase,
                       int64_t total)
{
    run->now.phase = phase;
    run->now.done = 0;
    run->now.total = total;
    run->now.scored = run->now.kept = run->now.restarts = 0;
}

bool bestdag_run_watch(struct bestdag_run *run, int64_t done)
{
    double now = bestdag_seconds();
    run->now.done = done;
    if (run->deadline > 0 && now >= run->deadline)
        bestdag_run_expire(run);
    if (now - run->reported >= 0.1) {
        report(run, now);
        if (bestdag_communicator_listens(run))
            run->communicator->look(run);
        if (run->checkpoint)
            bestdag_checkpoint_tick(run->checkpoint);
    }
    return bestdag_run_stopped(run);
}

int bestdag_run_threads(const struct bestdag_run *run)
{
    if (run->threads > 0)
        return run->threads;
    cpu_set_t set;
    long cores = sched_getaffinity(0, sizeof set, &set)
                     ? sysconf(_SC_NPROCESSORS_ONLN) /* more than the set has */
                     : CPU_COUNT(&set);
    return cores > 0 ? (int)cores : 1;
}

int bestdag_run_set(struct bestdag_run *run, const char *key, const char *value)
{
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    struct bestdag_value got;
    const struct bestdag_option *row =
        bestdag_option_row(&bestdag_run_options, key ? key : "");
    if (!row)
        return bestdag_option_unknown(run, &bestdag_run_options, key);
    if (bestdag_option_parse(run, row, value, &got))
        return bestdag_run_status(run);
    if (!strcmp(key, "threads"))
        run->threads = (int)got.integer;
    else if (!strcmp(key, "seed"))
        run->seed = (uint64_t)got.integer;
    else if (!strcmp(key, "gap"))
        run->gap = got.number;
    else if (!strcmp(key, "effort"))
        run->effort = bestdag_effort_scale(value);
    else if (!strcmp(key, "memory-limit"))
        bestdag_budget_limit(run->budget, got.integer);
    else if (!strcmp(key, "time-limit"))
        limit_time(run, got.number);
    return BESTDAG_OK;
}

enum bestdag_ending bestdag_run_ending(const struct bestdag_run *run)
{
    if (!bestdag_run_stopped(run))
        return BESTDAG_ENDED;
    bool late = run->deadline > 0 && bestdag_seconds() >= run->deadline;
    return late || atomic_load(&run->stop) == BY_TIME ? BESTDAG_TIMED_OUT
                                                      : BESTDAG_INTERRUPTED;
}

struct bestdag_run *bestdag_run_slice(struct bestdag_run *outer,
                                      struct bestdag_slice_limits share)
{
    struct bestdag_run *run = run_new(outer->budget);
    if (!run) {
        bestdag_fail(outer, BESTDAG_MEMORY, "out of memory");
        return NULL;
    }
    run->outer = outer;
    run->threads = share.threads ? share.threads : bestdag_run_threads(outer);
    run->seed = bestdag_mix(outer->seed ^ bestdag_mix(share.index + 1));
    run->gap = outer->gap;
    run->effort = outer->effort;
    run->deadline = outer->deadline;
    if (share.seconds > 0 &&
        (run->deadline <= 0 || run->start + share.seconds < run->deadline))
        run->deadline = run->start + share.seconds;
    if (share.reports) {
        run->start = outer->start;
        run->on_progress = outer->on_progress;
        run->user = outer->user;
        run->inside = outer->inside;
        run->progress_log = outer->progress_log;
        run->attained = outer->attained;
        run->checkpoint = outer->checkpoint;
        run->communicator = outer->communicator;
    }
    if (share.bytes > 0)
        bestdag_budget_limit(run->budget, share.bytes);
    return run;
}

int bestdag_run_join(struct bestdag_run *slice)
{
    if (!slice)
        return BESTDAG_FAILED;
    int status = bestdag_run_status(slice);
    if (status)
        bestdag_fail(slice->outer, status, "%s", slice->error);
    bestdag_run_free(slice);
    return status;
}

int bestdag_run_join_cut(struct bestdag_run *slice, bool *is_cut)
{
    char text[256];
    *is_cut = slice && bestdag_run_status(slice) == BESTDAG_FAILED &&
              bestdag_run_stopped(slice->outer);
    if (*is_cut)
        bestdag_run_recover(slice, text, sizeof text);
    return bestdag_run_join(slice);
}
