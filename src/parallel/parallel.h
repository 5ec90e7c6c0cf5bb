/* SPDX-License-Identifier: MIT */
/* parallel.h -- the one parallel primitive: items in, results taken in order.
 *
 * Workers do `work` on items in any order; the calling thread takes the results
 * in index order, watches the clock, reports progress and passes a stop on.
 * Results never depend on the number of threads. Work that can pass its results
 * is spread over the ranks of the run, if there are several (spread.h): then
 * each rank does some of the items, and takes the results of all. */
#ifndef BESTDAG_PARALLEL_PARALLEL_H
#define BESTDAG_PARALLEL_PARALLEL_H

#include "base/archive.h"
#include "base/run.h"

struct bestdag_work {
    void *job;
    int64_t items;
    /* Runs on a worker; `worker` is 0 .. threads - 1, for its scratch. If not
     * OK, no more items are begun and the status is returned. */
    int (*work)(void *job, int64_t item, int worker);
    /* Runs on the calling thread, in index order; NULL: nothing to take. */
    int (*take)(void *job, int64_t item);
    /* Passes the result of an item to other ranks, where it is as if work() had
     * been done there: packs it on a worker after work(), unpacks it on the
     * calling thread before take(). NULL: every rank does all items. */
    int (*pass)(void *job, int64_t item, struct bestdag_archive *p);
    /* Items are short and take about the same time: ranks get equal shares at
     * the beginning, instead of asking. */
    bool is_even;
    /* Checked to be equal on all ranks, that is, that they do the same work. */
    uint64_t digest;
    /* Items of the phase that were done before, for progress. */
    int64_t before;
    /* At most this many items are begun but not taken (0: no limit). Ignored
     * where the work is spread. */
    int64_t window;
    /* At most this many threads (0: those of the run). */
    int threads;
    /* Items are begun even after a stop, unless the run failed. */
    bool to_the_end;
};

/* Threads that bestdag_parallel() will use for this many items. */
int bestdag_parallel_threads(const struct bestdag_run *run, int64_t items);
/* For work() that needs the thread that called the library, for example for
 * messages: that thread makes this call, and the worker waits for it. On that
 * thread itself it is a plain call. */
void bestdag_parallel_ask(struct bestdag_run *run, void (*call)(void *),
                          void *argument);
/* Returns when all items are done, or after a stop: *done items were taken. */
int bestdag_parallel(struct bestdag_run *run, const struct bestdag_work *work,
                     int64_t *done);

#endif
