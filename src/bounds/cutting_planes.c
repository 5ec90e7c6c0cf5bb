/* SPDX-License-Identifier: MIT */
/* cutting_planes.c -- rounds of smoothing, separation and dual ascent.
 *
 * Each round takes longer and gains less than the one before. When a round
 * gains little, clusters with classes are searched for from then on, the next
 * round takes as many steps as it needs to converge, and the width of the
 * smoothing decreases. The rounds end when the width is so small that the
 * smooth function is as good as B, and no new clusters are found. */
#include "bounds/cutting_planes.h"

#include <assert.h>
#include <math.h>

/* Measured before there were working sets (near_sets.h) and classes, except for
 * STEPS; constants without numbers were not varied. "gaps" are those of
 * hailfinder and soybean at the same work, "time" is that of proving munin1
 * (bench/log/2026-11-17-sensitivity.csv). The gap of hailfinder varies by 10 %
 * with any change: only a trend over several counts. "the same" held on
 * water1000 and alarm1000, too. */
enum {
    STEPS = 80,       /* L-BFGS steps per call; with both, user seconds of link,
                         munin1 and hailfinder: 40: x 0.8, 2.7, 0.7; 160: x
                         0.85, 1, 1.2 */
    MOST_TIMES = 12,  /* calls per round, at most */
    MOST_CLASSES = 3, /* times n: clusters with classes per round, at most */
    STALLED_ROUNDS = 3 /* stalled rounds in a row that end it; 2..6: the same */
};

/* The following are parts of the gap between bound and incumbent; widths are
 * per variable. */

/* The width of the first round. 0.125: gaps x 0.65..0.99, time x 1.4; 0.5: gaps
 * x 0.96..1.28, time x 0.8. */
#define START_WIDTH 0.25
/* If the mean logarithm of the lists' lengths exceeds this (55 sets), the first
 * width is smaller by the square of the ratio. Chosen on accidents.test, one
 * run each: after 12 and 16 s the gap was x 0.62 (up to 3 parents) and x 0.66
 * (4) of that without; on rows drawn from a network of it, with 300 sets per
 * list, x 1.09. On baudio.test, with 24,600 sets per list, START_WIDTH 0.1 and
 * 0.04 instead gave x 0.95 and 1.06; on link, with 51, 0.12 stopped 391 nats
 * above the optimum. */
#define LOG_LENGTH 4.0
/* The largest width of later rounds, relative to the gap at that time. */
#define MOST_WIDTH 10
/* Relative to the first width: a smaller width, or 0, ends the rounds.
 * 1e-5..1e-3: the same. */
#define LEAST_WIDTH 1e-4
/* The width decreases no further below this. 0.001..0.004: the same. */
#define NARROW 0.002
/* A round with a smaller width can count as stalled. 0.025..0.1: the same. */
#define STALLED_WIDTH 0.05
/* It does if it gains less than this. 0.0005..0.002: the same. */
#define STALLED_GAIN 0.001
/* A round that gains less than this decreases the width. 0.05..0.2: the
 * same. */
#define LITTLE_GAIN 0.1
/* The same if it found many new clusters. 0.01..0.04: gaps x 0.98..1.02. */
#define LITTLE_IF_NEW 0.02
/* More than n / this are many. 25..100: the same. */
#define NEW_CLUSTERS 50
/* A call that gains less than this ends the smoothing of a round. */
#define CONVERGED 0.005
/* Sets are fixed out when the gap is below this part of the gap at the last
 * fixing. */
#define FIXING 0.25
/* The factor by which the width decreases. 0.5: time x 1.3; 0.85: gap of
 * soybean x 1.05. */
#define SLOWER 0.7
/* A round that gains less, and finds few clusters, decreases the width faster.
 * 0.005..0.02: the same. */
#define TINY_GAIN 0.01
/* That factor. 0.2..0.7: the same. */
#define FASTER 0.4

struct rounds {
    struct bestdag_relaxation *r;
    struct bestdag_cutting_settings *settings;
    int64_t begun;  /* work at the start */
    int64_t *y;     /* owns; [kept]: the best multipliers */
    int kept, room; /* length and room of y; the pool may have grown since */
    int64_t best;
    int *order;       /* owns; [n] */
    double *fraction; /* owns; [all sets] */
    bool is_slow;     /* the last round gained very little */
    bool has_classes; /* a round gained little: clusters with classes are
                         searched for */
    int64_t idle;     /* work of rounds that gained very little */
    double fixed;     /* the gap at the last fixing */
};

static bool is_over(const struct rounds *s)
{
    return s->best >= s->settings->upper || bestdag_run_stopped(s->r->run) ||
           (s->settings->most_idle && s->idle > s->settings->most_idle) ||
           (s->settings->most_work &&
            s->r->work - s->begun > s->settings->most_work);
}

/* ---- the best so far ----------------------------------------------------- */

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
    assert(s->r->bound >= s->best); /* the bound never falls */
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
    assert(s->r->bound == s->best); /* the best multipliers give the best
                                       bound */
}

/* ---- a round ------------------------------------------------------------- */

/* Reduced-cost fixing. Sets of networks as good as the incumbent stay, as its
 * own sets must. */
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

/* Dual ascent from the present multipliers; keeps a better bound. */
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

/* A call of the smoothing; if the last round gained very little, calls until
 * they gain little: lack of convergence is then more likely than lack of
 * clusters. */
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

/* Returns the number of clusters found, or a negative number. The search for
 * classes takes as long as the smoothing. */
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

/* Called before each round. */
static bool goes_on(struct rounds *s)
{
    struct bestdag_cutting_settings *p = s->settings;
    if (p->on_round)
        p->on_round(p->job, p, s->best, s->r->work - s->begun);
    return !is_over(s);
}

/* The divisor of the first width: n, or more where lists are long, since many
 * sets are then within the width. */
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
