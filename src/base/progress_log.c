/* SPDX-License-Identifier: MIT */
/* progress_log.c -- best and bound over time, thinned out. */
#include "base/progress_log.h"

#include <assert.h>
#include <math.h>

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || !(a < b || a > b || isnan(a) || isnan(b));
}

static bool is_change(const struct bestdag_progress_log *c,
                      struct bestdag_point p)
{
    if (isnan(p.best) && isnan(p.bound))
        return false;
    if (!c->count)
        return true;
    const struct bestdag_point *last = &c->at[c->count - 1];
    return !is_same(last->best, p.best) || !is_same(last->bound, p.bound);
}

static void halve(struct bestdag_progress_log *c)
{
    int kept = 0;
    for (int i = 0; i < c->count; i += 2)
        c->at[kept++] = c->at[i];
    c->count = kept;
    c->stride *= 2;
}

/* The last place always has the last change, whether it will be kept or not. */
void bestdag_progress_log_add(struct bestdag_progress_log *c,
                              struct bestdag_point p)
{
    if (!c || !is_change(c, p))
        return;
    if (!c->stride)
        c->stride = 1;
    if (++c->skipped < c->stride && c->count > 1) {
        c->at[c->count - 1] = p;
        return;
    }
    if (c->count == BESTDAG_PROGRESS_LOG_MOST)
        halve(c);
    assert(c->count < BESTDAG_PROGRESS_LOG_MOST);
    c->at[c->count++] = p;
    c->skipped = 0;
}

/* ---- best and bound
 * ----------------------------------------------------------
 */

void bestdag_attained_clear(struct bestdag_run *run)
{
    *run->attained = (struct bestdag_attained){
        .best = (double)NAN, .bound = (double)NAN, .improved = (double)NAN};
}

static void log_attained(struct bestdag_run *run)
{
    struct bestdag_progress now = {.size = (int)sizeof now};
    bestdag_attained_fill(run, &now);
    bestdag_progress_log_add(
        run->progress_log,
        (struct bestdag_point){bestdag_seconds() - run->start, now.best,
                               now.bound});
}

void bestdag_attained_best(struct bestdag_run *run, double best)
{
    struct bestdag_attained *s = run->attained;
    if (isnan(best) || best <= s->best)
        return;
    s->best = best;
    s->improved = bestdag_seconds() - run->start;
    log_attained(run);
}

void bestdag_attained_bound(struct bestdag_run *run, double bound)
{
    struct bestdag_attained *s = run->attained;
    if (isnan(bound) || bound >= s->bound)
        return;
    s->bound = bound;
    log_attained(run);
}

void bestdag_attained_lists(struct bestdag_run *run, int64_t sets, double bound)
{
    struct bestdag_attained *s = run->attained;
    s->grown += s->sets > 0 && sets != s->sets;
    s->sets = sets;
    s->bound = bound;
    log_attained(run);
}

void bestdag_attained_fill(const struct bestdag_run *run,
                           struct bestdag_progress *to)
{
    const struct bestdag_attained *s = run->attained;
    double slack = 1e-9 * fabs(s->best) + 1e-6; /* of rounding to units */
    to->best = s->best;
    to->bound = s->bound;
    to->improved = s->improved;
    to->sets = s->sets;
    to->grown = s->grown;
    if (s->bound < s->best)
        to->bound = s->bound < s->best - slack ? (double)NAN : s->best;
}
