/* SPDX-License-Identifier: MIT */
/* cutting_planes.c -- rounds of ascent, smoothing and new clusters.
 *
 * A round costs time and gains less than the one before. Edges become sharper
 * when a round gained little; when they are so sharp that the smooth function
 * is as good as B, and nothing new is found, it is over. */
#include "bounds/cutting_planes.h"

#include <assert.h>

enum { STEPS = 40, CALM_ROUNDS = 3 };

struct rounds {
    struct bestdag_relaxation *r;
    struct bestdag_cutting_settings *polish;
    int64_t begun;  /* work, when it began */
    int64_t *y;     /* owns; [kept]: the best multipliers */
    int kept, room; /* of them: the pool may have grown since */
    int64_t best;
    int *order;    /* owns; [n] */
    double *share; /* owns; [all sets] */
};

static bool is_over(const struct rounds *s)
{
    return s->best >= s->polish->upper || bestdag_run_stopped(s->r->run) ||
           (s->polish->most_work &&
            s->r->work - s->begun > s->polish->most_work);
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
    assert(s->r->bound == s->best); /* the best multipliers, once more */
}

/* ---- a round ----------------------------------------------------------------
 */

/* What costs as much as the network that is known stays: its own sets do. */
static int drop_sets(struct rounds *s)
{
    struct bestdag_cutting_settings *p = s->polish;
    if (!p->on_delete || s->r->bound >= p->upper)
        return BESTDAG_OK;
    if (p->on_delete(p->job, s->r, p->upper + 1))
        return bestdag_run_status(s->r->run);
    bestdag_reduced_cost_fixing(s->r, p->upper + 1);
    return BESTDAG_OK;
}

/* Ascent from where it is; what is better than before is kept. */
static int ascend(struct rounds *s)
{
    struct bestdag_cutting_settings *p = s->polish;
    bool is_dag = bestdag_dual_ascent(s->r, p->upper, s->order);
    if (bestdag_run_status(s->r->run))
        return bestdag_run_status(s->r->run);
    if (is_dag && p->on_order)
        p->on_order(p->job, p, s->order);
    return s->r->bound > s->best ? keep(s) : BESTDAG_OK;
}

/* How many clusters it found, or negative. */
static int play(struct rounds *s, double width)
{
    if (bestdag_smooth_dual(s->r, width, STEPS, s->share))
        return -1;
    if (bestdag_relaxation_stopped(s->r))
        return 0;
    int found = bestdag_separate(s->r, s->share, s->r->n);
    return found < 0 || ascend(s) ? -1 : found;
}

static int play_all(struct rounds *s)
{
    struct bestdag_relaxation *r = s->r;
    bool is_known = s->polish->upper < BESTDAG_UNKNOWN_COST;
    double gap =
        (double)(is_known ? s->polish->upper - s->best : s->best + s->r->n);
    double width = gap / (4.0 * r->n), sharp = width * 1e-4;
    int calm = 0;
    while (!is_over(s) && calm < CALM_ROUNDS && width > sharp) {
        int64_t before = s->best;
        int found = play(s, width);
        if (found < 0)
            return bestdag_run_status(r->run);
        gap = (double)(s->polish->upper - s->best);
        double gain = (double)(s->best - before);
        bool is_new = found > r->n / 50;
        if (gain < (is_new ? 0.02 : 0.1) * gap && width * r->n > 0.002 * gap)
            width *= gain < 0.01 * gap && !is_new ? 0.4 : 0.7;
        calm = gain < 0.001 * gap && width * r->n < 0.05 * gap ? calm + 1 : 0;
        if (s->r->bound == s->best)
            bestdag_relaxation_drop_idle(r), keep(s);
    }
    restore(s);
    return drop_sets(s);
}

int bestdag_cutting_planes(struct bestdag_relaxation *r,
                           struct bestdag_cutting_settings *polish)
{
    struct rounds s = {
        .r = r, .polish = polish, .begun = r->work, .best = INT64_MIN};
    size_t sets = 1;
    for (int v = 0; v < r->n; v++)
        sets += (size_t)r->list[v].count;
    s.order = bestdag_alloc(r->run, (size_t)r->n * sizeof *s.order);
    s.share = bestdag_alloc(r->run, sets * sizeof *s.share);
    if (s.order && s.share && !keep(&s) && !ascend(&s) && !drop_sets(&s))
        play_all(&s);
    bestdag_free(s.y);
    bestdag_free(s.order);
    bestdag_free(s.share);
    return bestdag_run_status(r->run);
}
