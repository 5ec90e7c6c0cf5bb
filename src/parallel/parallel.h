/* SPDX-License-Identifier: MIT */
/* parallel.h -- the one parallel primitive: items in, results taken in order.
 *
 * Workers do `work` on items in any order; the calling thread takes the results
 * in index order, watches the clock, reports progress and passes a stop on. The
 * number of threads never shows in the results. Work that can pass its results
 * is spread over the ranks of the run, if it has some (spread.h): then each
 * rank does some of the items, and takes all of them. */
#ifndef BESTDAG_PARALLEL_PARALLEL_H
#define BESTDAG_PARALLEL_PARALLEL_H

#include "base/archive.h"
#include "base/run.h"

struct bestdag_work {
    void *job;
    int64_t items;
    /* On a worker; `worker` is 0 .. threads - 1, for its scratch. Not OK: the
     * rest is given up and the status comes back. */
    int (*work)(void *job, int64_t item, int worker);
    /* On the calling thread, in index order; NULL: nothing to take. */
    int (*take)(void *job, int64_t item);
    /* Passes what came of an item to other ranks, where it is as if work() had
     * been done there: packs it on a worker after work(), opens it on the
     * calling thread before take(). NULL: every rank does all the items. */
    int (*pass)(void *job, int64_t item, struct bestdag_archive *p);
    /* Items take about the same time, and not much: ranks have an equal share
     * of them from the beginning, instead of asking. */
    bool is_even;
    /* The same on all ranks, if they are at the same work: checked. */
    uint64_t digest;
    /* Items of the phase that were done before these; progress counts on. */
    int64_t before;
    /* Items begun but not taken are at most this many (0: no limit). Does not
     * hold where the work is spread. */
    int64_t window;
    /* At most this many threads (0: those of the run). */
    int threads;
    /* Items are begun also when the run is stopped, unless it failed. */
    bool to_the_end;
};

/* Threads that bestdag_parallel() will use for this many items. */
int bestdag_parallel_threads(const struct bestdag_run *run, int64_t items);
/* For work() that needs something of the thread that called the library, such
 * as messages: it makes this call, and the worker waits for it. On that thread
 * itself it is a plain call. */
void bestdag_parallel_ask(struct bestdag_run *run, void (*call)(void *),
                          void *argument);
/* Returns when all is done, or stopped: then *done items were taken. */
int bestdag_parallel(struct bestdag_run *run, const struct bestdag_work *work,
                     int64_t *done);

#endif
