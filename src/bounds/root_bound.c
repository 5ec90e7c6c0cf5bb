/* SPDX-License-Identifier: MIT */
/* root_bound.c -- the relaxation of a whole problem, improved within a limit of
 * work. */
#include "bounds/root_bound.h"

#include <assert.h>
#include <math.h>

#include "bounds/cutting_planes.h"

/* Sets that the cutting planes may examine: a base, and so many per candidate
 * set. */
enum { CUT_WORK = 200000000, CUT_WORK_PER_SET = 3000 };

#define LAYOUT_SECONDS 5e-7 /* per set, until the ascent begins */

/* ---- the relaxation of a problem ----------------------------------------- */

/* Bytes of the relaxation, without clusters. */
static int64_t relaxation_bytes(const struct bestdag_problem *p)
{
    int64_t bytes = (int64_t)p->n * 200;
    for (int v = 0; v < p->n; v++)
        bytes +=
            (int64_t)p->candidates[v].count * (p->candidates[v].words * 9 + 42);
    return bytes;
}

bool bestdag_relaxation_fits(const struct bestdag_run *run,
                             const struct bestdag_problem *p, double seconds)
{
    int64_t limit = bestdag_memory_limit(run);
    double layout = LAYOUT_SECONDS * (double)bestdag_sets_total(p->sets);
    return (run->deadline <= 0 || seconds > layout) &&
           (!limit ||
            2 * relaxation_bytes(p) <= limit - bestdag_memory_used(run));
}

/* The largest absolute cost of a set outside a list, in units: sums of n of
 * these do not overflow. */
static double most_outside(const struct bestdag_problem *p)
{
    return floor((double)p->none / ((double)p->n + 1));
}

/* A lower bound on the cost of sets outside the list of v; negative if they may
 * be better than all listed ones. */
static double outside_cost(const struct bestdag_problem *p, int v)
{
    const struct bestdag_list *list = &p->sets->list[v];
    return floor(ldexp(list->score[0] - list->ceiling, p->shift));
}

bool bestdag_root_opens(const struct bestdag_problem *p)
{
    bool has_more = false;
    for (int v = 0; v < p->n; v++) {
        const struct bestdag_list *list = &p->sets->list[v];
        if (list->ceiling == -INFINITY)
            continue;
        if (!list->count || !(outside_cost(p, v) >= -most_outside(p)))
            return false;
        has_more = true;
    }
    return has_more;
}

/* Fills the list of v with its sets that cost less than those outside the list
 * may, and one empty set of that cost. */
static int fill_open(struct bestdag_relaxation *r,
                     const struct bestdag_problem *p, int v)
{
    struct bestdag_candidates c = p->candidates[v].head;
    int64_t ceiling = (int64_t)fmin(outside_cost(p, v), most_outside(p));
    size_t words = (size_t)c.words;
    int count = 0;
    while (count < c.count && c.cost[count] < ceiling)
        count++;
    uint64_t *mask =
        bestdag_calloc(r->run, ((size_t)count + 1) * words, sizeof *mask);
    int64_t *cost = bestdag_alloc(r->run, ((size_t)count + 2) * sizeof *cost);
    if (mask && cost) {
        memcpy(mask, c.mask, (size_t)count * words * sizeof *mask);
        memcpy(cost, c.cost, (size_t)count * sizeof *cost);
        cost[count] = ceiling;
        cost[count + 1] = p->none;
        c.mask = mask;
        c.cost = cost;
        c.count = count + 1;
        bestdag_relaxation_fill(r, v, &c, NULL, false);
    }
    bestdag_free(mask);
    bestdag_free(cost);
    return bestdag_run_status(r->run);
}

struct bestdag_relaxation *bestdag_relaxation_of(
    struct bestdag_run *run, const struct bestdag_problem *p, bool is_open)
{
    struct bestdag_relaxation *r = bestdag_relaxation_new(run, p->n);
    for (int v = 0; r && v < p->n; v++) {
        bool may_more = is_open && p->sets->list[v].ceiling > -INFINITY;
        if (may_more ? fill_open(r, p, v)
                     : bestdag_relaxation_fill(r, v, &p->candidates[v].head,
                                               NULL, false))
            break;
    }
    if (r && (bestdag_run_status(run) || bestdag_relaxation_ready(r))) {
        bestdag_relaxation_free(r);
        return NULL;
    }
    return r;
}

/* ---- orders -------------------------------------------------------------- */

static bool fits(const struct bestdag_reduced_list *s, int set,
                 const bool *is_placed)
{
    const uint64_t *mask = bestdag_reduced_list_mask(s, set);
    for (int w = 0; w < s->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1)
            if (!is_placed[s->member[w * 64 + __builtin_ctzll(rest)]])
                return false;
    return true;
}

int64_t bestdag_relaxation_cost(const struct bestdag_relaxation *r,
                                const int *order, int64_t *cost)
{
    int64_t sum = 0;
    bool *is_placed = bestdag_calloc(r->run, (size_t)r->n, sizeof *is_placed);
    for (int i = 0; is_placed && i < r->n && sum >= 0; i++) {
        const struct bestdag_reduced_list *s = &r->list[order[i]];
        int set = 0;
        while (set < s->count && !fits(s, set, is_placed))
            set++;
        assert(!is_placed[order[i]]);
        is_placed[order[i]] = true;
        sum = set < s->count ? sum + s->cost[set] : -1;
        if (cost && set < s->count)
            cost[order[i]] = s->cost[set];
    }
    bestdag_free(is_placed);
    return is_placed ? sum : -1;
}

/* ---- the bound ----------------------------------------------------------- */

static void on_order(void *job, struct bestdag_cutting_settings *settings,
                     const int *order)
{
    const struct bestdag_relaxation *r = job;
    int64_t cost = bestdag_relaxation_cost(r, order, NULL);
    if (cost >= 0 && cost < settings->upper)
        settings->upper = cost;
}

int bestdag_root_bound_saved(struct bestdag_run *run,
                             const struct bestdag_problem *p,
                             const struct bestdag_saved_clusters *from,
                             int64_t *bound)
{
    struct bestdag_relaxation *r = bestdag_relaxation_of(run, p, false);
    if (r && !bestdag_saved_clusters_give(from, r) && r->bound > *bound)
        *bound = r->bound;
    bestdag_relaxation_free(r);
    return bestdag_run_status(run);
}

int bestdag_root_bound(struct bestdag_run *run, const struct bestdag_problem *p,
                       bool is_open, const struct bestdag_saved_clusters *from,
                       int64_t most_work, int64_t *bound)
{
    struct bestdag_relaxation *r = bestdag_relaxation_of(run, p, is_open);
    if (!r || (from && bestdag_saved_clusters_give(from, r))) {
        bestdag_relaxation_free(r);
        return bestdag_run_status(run);
    }
    struct bestdag_cutting_settings plan = {.upper = BESTDAG_UNKNOWN_COST,
                                            .most_work = CUT_WORK,
                                            .job = r,
                                            .on_order = on_order};
    for (int v = 0; v < r->n; v++)
        plan.most_work += CUT_WORK_PER_SET * (int64_t)r->list[v].count;
    if (most_work && most_work < plan.most_work)
        plan.most_work = most_work;
    int status = bestdag_cutting_planes(r, &plan);
    assert(status || r->bound <= plan.upper ||
           r->bound == BESTDAG_UNKNOWN_COST);
    *bound = r->bound;
    bestdag_relaxation_free(r);
    return status;
}
