/* SPDX-License-Identifier: MIT */
/* resampling.c -- learns from resamples, side by side.
 *
 * Each is learned with one thread in a slice of the run with a seed of its own.
 * A slice has no deadline from the run, because searches without a limit end
 * after a number of steps fixed by the problem, and so are the same on every
 * machine; what ends the run ends them, too, and what they had till then counts
 * only if none was done.
 *
 * Memory: with a limit the first resample is learned alone, and as many go side
 * by side as its peak has room for. A slice may use all that is left at the
 * beginning, so that what a search plans for does not depend on how many there
 * are; one that then finds no room beside others is learned again, alone. */
#include "learn/resampling.h"

#include <string.h>

#include "learn/result.h"
#include "network/network.h"
#include "parallel/parallel.h"

enum { ROWS = 0x626f6f74 }; /* the stream of random numbers of the rows */

struct workers {
    struct bestdag_resampling *r;
    struct bestdag_run *run; /* what the slices are of */
    int *item;               /* owns; [resamples]: what is to be learned */
    int64_t bytes;           /* for each; 0: no limit */
    int64_t peak;            /* of the last one that was alone */
    bool alone;              /* one at a time */
};

/* ---- one resample -----------------------------------------------------------
 */

/* Did it end on its own, or by a limit that was asked for? */
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
    if (reason) /* a search that was cut by memory is no vote */
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

/* On a worker. */
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

/* ---- all of them ------------------------------------------------------------
 */

static int64_t count_done(const struct bestdag_resampling *r)
{
    int64_t done = 0;
    for (int i = 0; i < r->resamples; i++)
        done += r->trial[i].state == BESTDAG_TRIAL_DONE;
    return done;
}

/* Those of the list, this many at once, unless the run was stopped before. */
static int learn_some(struct workers *c, int items, int at_once)
{
    struct bestdag_resampling *r = c->r;
    struct bestdag_slice_limits share = {.threads = at_once, .reports = true};
    if (!items || r->ending != BESTDAG_ENDED)
        return BESTDAG_OK;
    c->run = bestdag_run_slice(r->run, share);
    if (!c->run)
        return bestdag_run_status(r->run);
    c->run->seed = r->run->seed; /* that of the slices comes from it */
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

/* How many can go side by side. */
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

/* Lists those in this state from the resample `from` on. */
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

/* Stopped before anything came of the first: what comes of it at once. */
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
    if (limit) { /* a sixteenth stays for what is kept of each */
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
