/* SPDX-License-Identifier: MIT */
/* resampling.c -- learns networks from resamples, several at a time.
 *
 * Each resample is learned with one thread, in a slice of the run with its own
 * seed. A slice has no deadline from the run: searches without a limit end
 * after a number of steps that the problem fixes, so they give the same answer
 * on every machine. When the run is stopped, they are, too, and their networks
 * count only if no resample was learned to its end.
 *
 * Memory: with a limit one resample is learned alone first, and its peak
 * determines how many fit side by side. Each slice may use all that is left at
 * the beginning, so that what a search plans does not depend on their number;
 * one that runs out of memory beside others is learned again, alone. */
#include "learn/resampling.h"

#include <string.h>

#include "learn/result.h"
#include "network/network.h"
#include "parallel/parallel.h"

enum { ROWS = 0x626f6f74 }; /* random stream for drawing rows */

struct workers {
    struct bestdag_resampling *r;
    struct bestdag_run *run; /* parent of the slices */
    int *item;               /* owns; [resamples]: those to learn */
    int64_t bytes;           /* limit of each slice; 0: none */
    int64_t peak;            /* bytes, of the last resample learned alone */
    bool alone;              /* one at a time */
};

/* ---- one resample -------------------------------------------------------- */

/* Did the search end by itself, or by a limit that the user set? */
static bool is_done(const struct workers *c, const char *status)
{
    if (!strcmp(status, "interrupted"))
        return false;
    return strcmp(status, "stopped") != 0 || !bestdag_run_stopped(c->run);
}

static void learn_one(const struct workers *c, struct bestdag_run *slice,
                      struct bestdag_trial *to)
{
    const struct bestdag_resampling *r = c->r;
    struct bestdag_random random = bestdag_random_init(slice->seed, ROWS);
    struct bestdag_table *table =
        bestdag_resampler_draw(slice, &r->resampler, &random);
    struct bestdag_result *result =
        bestdag_learn_briefly(slice, table, r->rules, r->options);
    const char *reason = result ? bestdag_result_text(result, "reason") : NULL;
    bestdag_table_free(table);
    if (reason) /* a search that ran out of memory does not vote */
        bestdag_fail(slice, BESTDAG_MEMORY, "%s", reason);
    if (result && !reason &&
        !bestdag_edge_set_fill(slice, bestdag_result_network(result)->dag,
                               r->knowledge, r->resampler.table, r->by_class,
                               &to->ballot)) {
        const char *status = bestdag_result_text(result, "status");
        to->optimal = !strcmp(status, "optimal");
        to->state = is_done(c, status) ? BESTDAG_TRIAL_DONE : BESTDAG_TRIAL_CUT;
    }
    bestdag_result_free(result);
}

/* Runs on a worker. */
static int try_one(void *argument, int64_t item, int worker)
{
    struct workers *c = argument;
    int i = c->item[item];
    struct bestdag_trial *trial = &c->r->trial[i];
    struct bestdag_slice_limits share = {
        .threads = 1, .bytes = c->bytes, .index = (uint64_t)i};
    struct bestdag_run *slice = bestdag_run_slice(c->run, share);
    (void)worker;
    if (!slice)
        return bestdag_run_status(c->run);
    slice->deadline = c->r->seconds > 0 ? bestdag_seconds() + c->r->seconds : 0;
    learn_one(c, slice, trial);
    if (c->alone)
        c->peak = bestdag_memory_peak(slice);
    if (trial->state == BESTDAG_TRIAL_NONE)
        bestdag_edge_set_release(&trial->ballot);
    if (c->bytes && !c->alone && bestdag_run_status(slice) == BESTDAG_MEMORY) {
        trial->state = BESTDAG_TRIAL_LACKED;
        bestdag_run_free(slice);
        return BESTDAG_OK;
    }
    return bestdag_run_join(slice);
}

static int pass_trial(void *argument, int64_t item, struct bestdag_archive *p)
{
    struct workers *c = argument;
    struct bestdag_trial *trial = &c->r->trial[c->item[item]];
    void *edge = trial->ballot.edge;
    BESTDAG_PASS(p, trial->state);
    BESTDAG_PASS(p, trial->optimal);
    BESTDAG_PASS(p, trial->ballot.count);
    BESTDAG_PASS(p, c->peak);
    bestdag_archive_array(p, c->run, &edge, trial->ballot.count,
                          sizeof *trial->ballot.edge);
    trial->ballot.edge = edge;
    return bestdag_run_status(c->run);
}

/* ---- all of them --------------------------------------------------------- */

static int64_t count_done(const struct bestdag_resampling *r)
{
    int64_t done = 0;
    for (int i = 0; i < r->resamples; i++)
        done += r->trial[i].state == BESTDAG_TRIAL_DONE;
    return done;
}

/* Learns the listed resamples, at_once side by side, unless the run was
 * stopped. */
static int learn_some(struct workers *c, int items, int at_once)
{
    struct bestdag_resampling *r = c->r;
    struct bestdag_slice_limits share = {.threads = at_once, .reports = true};
    if (!items || r->ending != BESTDAG_ENDED)
        return BESTDAG_OK;
    c->run = bestdag_run_slice(r->run, share);
    if (!c->run)
        return bestdag_run_status(r->run);
    c->run->seed = r->run->seed; /* slices derive their seeds from it */
    c->alone = at_once == 1;
    bestdag_run_phase(c->run, "resampling", r->resamples);
    struct bestdag_work work = {.job = c,
                                .items = items,
                                .work = try_one,
                                .pass = pass_trial,
                                .before = count_done(r)};
    bestdag_parallel(c->run, &work, NULL);
    r->ending = bestdag_run_ending(c->run);
    return bestdag_run_join(c->run);
}

/* How many resamples fit side by side. */
static int count_places(const struct workers *c)
{
    int threads = bestdag_run_threads(c->r->run);
    int64_t each = c->peak + c->peak / 4 + 1;
    if (!c->bytes || c->bytes / each >= threads)
        return threads;
    int places = c->bytes / each < 1 ? 1 : (int)(c->bytes / each);
    bestdag_note(c->r->run, 1,
                 "memory limit: %d resample%s at a time, with %d threads",
                 places, places == 1 ? "" : "s", threads);
    return places;
}

/* Lists the resamples in this state, beginning with number `from`. */
static int list(struct workers *c, enum bestdag_trial_state state, int from)
{
    int items = 0;
    for (int i = from; i < c->r->resamples; i++)
        if (c->r->trial[i].state == state)
            c->item[items++] = i;
    return items;
}

static bool has_some(const struct bestdag_resampling *r)
{
    for (int i = 0; i < r->resamples; i++)
        if (r->trial[i].state == BESTDAG_TRIAL_DONE ||
            r->trial[i].state == BESTDAG_TRIAL_CUT)
            return true;
    return false;
}

/* If the run was stopped before there was any network: learns the first
 * resample in a stopped slice, which gives what can be had at once. */
static int learn_least(struct workers *c)
{
    struct bestdag_slice_limits share = {.threads = 1};
    c->run = bestdag_run_slice(c->r->run, share);
    if (!c->run)
        return bestdag_run_status(c->r->run);
    c->run->seed = c->r->run->seed;
    c->alone = true;
    c->item[0] = 0;
    bestdag_run_stop(c->run);
    try_one(c, 0, 0);
    return bestdag_run_join(c->run);
}

static int learn_all(struct workers *c)
{
    struct bestdag_resampling *r = c->r;
    int64_t limit = bestdag_memory_limit(r->run);
    if (limit) { /* a sixteenth is reserved for the ballots */
        int64_t left = limit - bestdag_memory_used(r->run);
        c->bytes = left > 16 ? left - left / 16 : 1;
        if (learn_some(c, list(c, BESTDAG_TRIAL_NONE, r->resamples - 1), 1))
            return bestdag_run_status(r->run);
    }
    int rest = list(c, BESTDAG_TRIAL_NONE, 0);
    if (learn_some(c, rest, count_places(c)))
        return bestdag_run_status(r->run);
    int lacked = list(c, BESTDAG_TRIAL_LACKED, 0);
    if (learn_some(c, lacked, 1))
        return bestdag_run_status(r->run);
    return has_some(r) ? BESTDAG_OK : learn_least(c);
}

int bestdag_resampling_run(struct bestdag_resampling *r)
{
    size_t count = (size_t)r->resamples;
    struct workers c = {.r = r};
    r->trial = bestdag_calloc(r->run, count, sizeof *r->trial);
    c.item = bestdag_alloc(r->run, count * sizeof *c.item);
    if (r->trial && c.item)
        learn_all(&c);
    bestdag_free(c.item);
    return bestdag_run_status(r->run);
}

void bestdag_resampling_release(struct bestdag_resampling *r)
{
    for (int i = 0; r->trial && i < r->resamples; i++)
        bestdag_edge_set_release(&r->trial[i].ballot);
    bestdag_free(r->trial);
    bestdag_resampler_release(&r->resampler);
    r->trial = NULL;
}
