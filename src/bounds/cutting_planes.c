/* SPDX-License-Identifier: MIT */
/* cutting_planes.c -- rounds of smoothing, separation and dual ascent.
 *
 * A round takes longer and gains less than the one before. When one gains
 * little, clusters with classes are looked for from then on, the next one takes
 * as many steps as it needs to converge, and the width of the smoothing
 * decreases; when it is so narrow that the smooth function is as good as B, and
 * no new clusters are found, it is over. */
#include "bounds/cutting_planes.h"

#include <assert.h>
#include <math.h>

/* Measured before there were working sets (near_sets.h) and classes, but for
 * STEPS; what has no numbers was not varied. "gaps" are those of hailfinder and
 * soybean at the same work, "time" is that of proving munin1
 * (bench/log/2026-11-17-sensitivity.csv). The gap of hailfinder moved by 10 %
 * with anything: a trend shows in several. "the same" held on water1000 and
 * alarm1000, too. */
enum {
    STEPS = 80, /* of L-BFGS at a time; with both, user seconds of link, munin1,
                   hailfinder: 40: x 0.8, 2.7, 0.7; 160: x 0.85, 1, 1.2 */
    MOST_TIMES = 12,  /* STEPS in a round */
    MOST_CLASSES = 3, /* times n: clusters with classes that a round adds */
    STALLED_ROUNDS =
        3 /* without gain at a narrow width end it; 2..6: the same */
};

/* Of the gap between bound and incumbent; widths are per variable. */

/* The width of the first round. 0.125: gaps x 0.65..0.99, time x 1.4; 0.5: gaps
 * x 0.96..1.28, time x 0.8. */
#define START_WIDTH 0.25
/* Mean logarithm of the lists' lengths (of 55 sets) above which it is smaller,
 * by the square. Chosen on accidents.test, one run each: after 12 and 16 s the
 * gap was x 0.62 (up to 3 parents) and x 0.66 (4) of that without; on rows
 * drawn from a network of it, with 300 sets a list, x 1.09. On baudio.test,
 * with 24,600 sets a list, START_WIDTH 0.1 and 0.04 instead gave x 0.95
 * and 1.06; on link, with 51, 0.12 stopped 391 nats above the optimum. */
#define LOG_LENGTH 4.0
/* Of any later round, by the gap then. */
#define MOST_WIDTH 10
/* Of the first one: narrower than this, or no width at all, ends it.
 * 1e-5..1e-3: the same. */
#define LEAST_WIDTH 1e-4
/* The width decreases no further below this. 0.001..0.004: the same. */
#define NARROW 0.002
/* A round at a smaller width may be stalled. 0.025..0.1: the same. */
#define STALLED_WIDTH 0.05
/* It is if it gains less than this. 0.0005..0.002: the same. */
#define STALLED_GAIN 0.001
/* A round that gains less makes the width smaller. 0.05..0.2: the same. */
#define LITTLE_GAIN 0.1
/* Likewise if it found many new clusters. 0.01..0.04: gaps x 0.98..1.02. */
#define LITTLE_IF_NEW 0.02
/* Many are more than n / this. 25..100: the same. */
#define NEW_CLUSTERS 50
/* STEPS that gain less end the smoothing of a round. */
#define CONVERGED 0.005
/* Sets are fixed out when the gap is below this share of what it was the last
 * time. */
#define FIXING 0.25
/* The width decreases by this factor. 0.5: time x 1.3; 0.85: gap of soybean x
 * 1.05. */
#define SLOWER 0.7
/* A round that gains less, and finds few clusters, narrows faster. 0.005..0.02:
 * the same. */
#define TINY_GAIN 0.01
/* By this factor. 0.2..0.7: the same. */
#define FASTER 0.4

struct rounds {
    struct bestdag_relaxation *r;
    struct bestdag_cutting_settings *settings;
    int64_t begun;  /* work at the start */
    int64_t *y;     /* owns; [kept]: the best multipliers */
    int kept, room; /* of y; the pool may have grown since */
    int64_t best;
    int *order;       /* owns; [n] */
    double *fraction; /* owns; [all sets] */
    bool is_slow;     /* the last round gained very little */
    bool has_classes; /* some round gained little: clusters with classes are
                         looked for since */
    int64_t idle;     /* work of rounds that gained very little */
    double fixed;     /* the gap when sets were fixed out last */
};

static bool is_over(const struct rounds *s)
{
    return s->best >= s->settings->upper || bestdag_run_stopped(s->r->run) ||
           (s->settings->most_idle && s->idle > s->settings->most_idle) ||
           (s->settings->most_work &&
            s->r->work - s->begun > s->settings->most_work);
}

/* ---- the best so far --------------------------------------------------------
 */

static int keep(struct rounds *s)
{
    const struct bestdag_pool *p = &s->r->pool;
    if (p->count > s->room) {
        int64_t *more =
            bestdag_realloc(s->r->run, s->y, (size_t)p->room * sizeof *more);
        if (!more)
            return bestdag_run_status(s->r->run);
        s->y = more;
        s->room = p->room;
    }
    assert(s->r->bound >= s->best); /* never worse */
    if (p->count)
        memcpy(s->y, p->y, (size_t)p->count * sizeof *s->y);
    s->kept = p->count;
    s->best = s->r->bound;
    return BESTDAG_OK;
}

static void restore(struct rounds *s)
{
    struct bestdag_pool *p = &s->r->pool;
    if (s->r->bound >= s->best)
        return;
    for (int i = 0; i < p->count; i++)
        p->y[i] = i < s->kept ? s->y[i] : 0;
    bestdag_relaxation_set(s->r, p->y);
    assert(s->r->bound == s->best); /* the best multipliers */
}

/* ---- a round ----------------------------------------------------------------
 */

/* Reduced-cost fixing. Sets of networks as good as the incumbent stay: its own
 * sets must. */
static int drop_sets(struct rounds *s)
{
    struct bestdag_cutting_settings *p = s->settings;
    if (!p->on_delete || s->r->bound >= p->upper)
        return BESTDAG_OK;
    if (p->on_delete(p->job, s->r, p->upper + 1))
        return bestdag_run_status(s->r->run);
    bestdag_reduced_cost_fixing(s->r, p->upper + 1);
    s->fixed = (double)(p->upper - s->r->bound);
    return BESTDAG_OK;
}

/* Ascent from the present multipliers; a better bound is kept. */
static int ascend(struct rounds *s)
{
    struct bestdag_cutting_settings *p = s->settings;
    bool is_dag = bestdag_dual_ascent(s->r, p->upper, s->order);
    if (bestdag_run_status(s->r->run))
        return bestdag_run_status(s->r->run);
    if (is_dag && p->on_order)
        p->on_order(p->job, p, s->order);
    return s->r->bound > s->best ? keep(s) : BESTDAG_OK;
}

/* Some steps; if the last round gained very little, as many as gain something:
 * then it is more likely that they have not converged than that clusters are
 * missing. */
static int smooth(struct rounds *s, double width)
{
    double gap = (double)(s->settings->upper - s->best), gain;
    int times = 0;
    do {
        int64_t before = s->r->bound;
        if (bestdag_smooth_dual(s->r, width, STEPS, s->fraction))
            return bestdag_run_status(s->r->run);
        gain = times ? (double)(s->r->bound - before) : gap;
    } while (s->is_slow && ++times < MOST_TIMES && gain > CONVERGED * gap &&
             !is_over(s));
    return BESTDAG_OK;
}

/* How many clusters it found, or negative. The search for classes takes as long
 * as smoothing took. */
static int run_round(struct rounds *s, double width)
{
    int64_t before = s->r->work;
    if (smooth(s, width))
        return -1;
    if (bestdag_relaxation_stopped(s->r))
        return 0;
    struct bestdag_class_limits classes = {
        .work = s->has_classes ? s->r->work - before : 0,
        .most = MOST_CLASSES * s->r->n,
        .is_thorough = s->is_slow};
    int found = bestdag_separate(s->r, s->fraction, s->r->n, &classes);
    return found < 0 || ascend(s) ? -1 : found;
}

/* Before a round. */
static bool goes_on(struct rounds *s)
{
    struct bestdag_cutting_settings *p = s->settings;
    if (p->on_round)
        p->on_round(p->job, p, s->best, s->r->work - s->begun);
    return !is_over(s);
}

/* The width of the first round is by the number of variables; where lists are
 * long, many sets are within it, and it has to be smaller. */
static double spread_of(const struct bestdag_relaxation *r)
{
    double sum = 0;
    for (int v = 0; v < r->n; v++)
        sum += log(r->list[v].count + 1.0);
    double longer = sum / (LOG_LENGTH * r->n);
    return longer > 1 ? r->n * longer * longer : r->n;
}

static int run_rounds(struct rounds *s)
{
    struct bestdag_relaxation *r = s->r;
    bool is_known = s->settings->upper < BESTDAG_UNKNOWN_COST;
    double gap =
        (double)(is_known ? s->settings->upper - s->best : s->best + s->r->n);
    double width = START_WIDTH * gap / spread_of(r),
           least = width * LEAST_WIDTH;
    int stalled = 0;
    while (goes_on(s) && stalled < STALLED_ROUNDS && width > least) {
        int64_t before = s->best, work = r->work;
        int found = run_round(s, width);
        if (found < 0)
            return bestdag_run_status(r->run);
        gap = (double)(s->settings->upper - s->best);
        double gain = (double)(s->best - before);
        bool is_new = found > r->n / NEW_CLUSTERS;
        s->is_slow = gain < LITTLE_IF_NEW * gap;
        s->has_classes |= gain < LITTLE_GAIN * gap;
        s->idle += s->is_slow ? r->work - work : 0;
        if (gain < (is_new ? LITTLE_IF_NEW : LITTLE_GAIN) * gap &&
            width * r->n > NARROW * gap)
            width *= gain < TINY_GAIN * gap && !is_new ? FASTER : SLOWER;
        if (width * r->n > MOST_WIDTH * gap)
            width = MOST_WIDTH * gap / r->n;
        bool is_stalled =
            gain < STALLED_GAIN * gap && width * r->n < STALLED_WIDTH * gap;
        stalled = is_stalled ? stalled + 1 : 0;
        if (s->r->bound != s->best)
            continue;
        bestdag_relaxation_drop_idle(r);
        if (keep(s) || (gap < FIXING * s->fixed && drop_sets(s)))
            break;
    }
    restore(s);
    return drop_sets(s);
}

int bestdag_cutting_planes(struct bestdag_relaxation *r,
                           struct bestdag_cutting_settings *settings)
{
    struct rounds s = {
        .r = r, .settings = settings, .begun = r->work, .best = INT64_MIN};
    size_t sets = 1;
    for (int v = 0; v < r->n; v++)
        sets += (size_t)r->list[v].count;
    s.order = bestdag_alloc(r->run, (size_t)r->n * sizeof *s.order);
    s.fraction = bestdag_alloc(r->run, sets * sizeof *s.fraction);
    if (s.order && s.fraction && !keep(&s) && !ascend(&s) && !drop_sets(&s))
        run_rounds(&s);
    bestdag_free(s.y);
    bestdag_free(s.order);
    bestdag_free(s.fraction);
    return bestdag_run_status(r->run);
}
