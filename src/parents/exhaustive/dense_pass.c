/* SPDX-License-Identifier: MIT */
/* dense_pass.c -- passes the sets kept by a block of the last dense level to
 * other ranks.
 *
 * Earlier levels fill arrays over all sets, and count cubes, that the next
 * level reads everywhere; each rank computes them itself. The last level is by
 * far the largest if the number of parents is limited, and leaves only the kept
 * sets. */
#include "parallel/parallel.h"
#include "parents/exhaustive/dense.h"

static const struct bestdag_scored_sets *sets_of(const struct bestdag_dense *d,
                                                 int64_t block)
{
    return d->levels->scored_sets + (int64_t)d->worker_of[block] * d->levels->n;
}

void bestdag_dense_pass_begin(struct bestdag_dense *d, int64_t block,
                              int worker)
{
    d->worker_of[block] = worker;
    for (int x = 0; x < d->levels->n; x++)
        d->worker[worker].before[x] = sets_of(d, block)[x].count;
}

void bestdag_dense_pass_end(struct bestdag_dense_worker *w)
{
    w->block_scored = w->scored;
    w->block_kept = w->kept;
}

/* Passes each child that has sets, with its sets. */
static int pack(struct bestdag_dense *d, int64_t block,
                struct bestdag_archive *p)
{
    struct bestdag_levels *l = d->levels;
    const struct bestdag_dense_worker *w = &d->worker[d->worker_of[block]];
    int32_t children = 0;
    for (int x = 0; x < l->n; x++)
        children += sets_of(d, block)[x].count > w->before[x];
    BESTDAG_PASS(p, children);
    for (int32_t x = 0; x < l->n; x++)
        if (sets_of(d, block)[x].count > w->before[x]) {
            BESTDAG_PASS(p, x);
            bestdag_scored_sets_pass(
                l->run, (struct bestdag_scored_sets *)&sets_of(d, block)[x],
                w->before[x], p);
        }
    return bestdag_run_status(l->run);
}

static int unpack(struct bestdag_dense *d, struct bestdag_archive *p)
{
    struct bestdag_levels *l = d->levels;
    int32_t children = 0, x = 0;
    BESTDAG_PASS(p, children);
    for (int i = 0; i < children && !p->is_bad; i++) {
        BESTDAG_PASS(p, x);
        if (x < 0 || x >= l->n)
            bestdag_archive_reject(p);
        else if (bestdag_scored_sets_pass(l->run, bestdag_levels_sent(l, x), 0,
                                          p))
            return bestdag_run_status(l->run);
    }
    return BESTDAG_OK;
}

int bestdag_dense_pass(void *job, int64_t item, struct bestdag_archive *p)
{
    struct bestdag_dense *d = job;
    int64_t scored = 0, kept = 0;
    bool opens = bestdag_archive_opens(p);
    if (!opens) {
        scored = d->worker[d->worker_of[item]].block_scored;
        kept = d->worker[d->worker_of[item]].block_kept;
    }
    BESTDAG_PASS(p, scored);
    BESTDAG_PASS(p, kept);
    if (!opens)
        return pack(d, item, p);
    d->levels->scored += scored;
    d->levels->kept += kept;
    return unpack(d, p);
}
