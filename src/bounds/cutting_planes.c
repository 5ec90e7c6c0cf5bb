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

enum {
    STEPS = 40,      /* of L-BFGS at a time, */
    MOST_TIMES = 25, /* and so often in a round */
    CALM_ROUNDS = 3  /* without gain at a narrow width end it */
};

/* Of the gap between bound and incumbent; widths are per variable. */
#define START_WIDTH 0.25   /* of the first round */
#define MOST_WIDTH 10      /* of any later one, by the gap then */
#define LEAST_WIDTH 1e-4   /* of the first one: narrower than this ends it */
#define NARROW 0.002       /* the width decreases no further below this */
#define CALM_WIDTH 0.05    /* a round at a smaller width may be calm */
#define CALM_GAIN 0.001    /* and gains less than this */
#define LITTLE_GAIN 0.1    /* a round below it makes the width smaller, */
#define LITTLE_IF_NEW 0.02 /* below this if it found many new clusters, */
#define NEW_CLUSTERS 50    /* more than n / this, */
#define CONVERGED 0.005    /* steps that gain less than this end smoothing, */
#define FIXING                                                                 \
    0.25               /* sets are fixed out when the gap is this of what      \
                          it was the last time */
#define SLOWER 0.7     /* by this factor, */
#define TINY_GAIN 0.01 /* or, below this gain, */
#define FASTER 0.4     /* by this one */

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
    double gap = (double)(s->settings->upper - s->best), gain = gap;
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
        .most = 3 * s->r->n,
        .is_thorough = s->is_slow};
    int found = bestdag_separate(s->r, s->fraction, s->r->n, &classes);
    return found < 0 || ascend(s) ? -1 : found;
}

static int run_rounds(struct rounds *s)
{
    struct bestdag_relaxation *r = s->r;
    bool is_known = s->settings->upper < BESTDAG_UNKNOWN_COST;
    double gap =
        (double)(is_known ? s->settings->upper - s->best : s->best + s->r->n);
    double width = START_WIDTH * gap / r->n, least = width * LEAST_WIDTH;
    int calm = 0;
    while (!is_over(s) && calm < CALM_ROUNDS && width > least) {
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
        bool is_calm =
            gain < CALM_GAIN * gap && width * r->n < CALM_WIDTH * gap;
        calm = is_calm ? calm + 1 : 0;
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
