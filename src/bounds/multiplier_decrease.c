/* SPDX-License-Identifier: MIT */
/* multiplier_decrease.c -- lowers multipliers where that raises the bound.
 *
 * A cluster C is tight if exactly as many members as it requires (`least`) take
 * sets that it pays for. If more do, it pays too much. Let m_v be the least
 * reduced cost of a set of v that C does not pay for. Then lowering y_C by d
 * changes the bound by
 *
 *     - least d + sum over v in C of min(d, m_v),
 *
 * which grows until d is the (least + 1)-th largest m_v. Dual ascent never
 * lowers a multiplier; if sets were removed since, as at a node of a search,
 * this makes room for it. A DAG of sets of reduced cost 0 shows which clusters
 * matter: those that pay for too many of its sets. Time: one comparison per
 * member of a cluster that pays; all its sets if it matters. */
#include "bounds/relaxation.h"

#include <assert.h>
#include "bounds/dual_ascent.h"

/* `least` of clusters that can be lowered: separation makes 1 and 2. 1: `bnb`
 * needs 13 times the nodes on water1000; 6: the same
 * (bench/log/2026-11-17-sensitivity.csv). */
enum { MOST_LEAST = 3 };
/* The cost of a member of a cluster, in sets examined. */
enum { LOOKS = 4 };

/* m_v; `seen` is v's view of the cluster. */
static int64_t least_unpaid(struct bestdag_relaxation *r,
                            const struct bestdag_reduced_list *s,
                            const struct bestdag_cluster_view *seen)
{
    int64_t found = INT64_MAX;
    for (int i = 0; i < s->tights; i++)
        if (!bestdag_cluster_view_missed(
                seen, bestdag_reduced_list_mask(s, s->tight[i]), s->words))
            return 0;
    r->work += s->count;
    for (int set = 0; set < s->count; set++)
        if (s->reduced[set] < found &&
            !bestdag_cluster_view_missed(
                seen, bestdag_reduced_list_mask(s, set), s->words))
            found = s->reduced[set];
    return found;
}

/* Can m_v be above 0? Not if the picked set has reduced cost 0 and is not paid
 * for. */
static bool may_rise(const struct bestdag_reduced_list *s, int set,
                     const struct bestdag_cluster_view *seen)
{
    return s->reduced[set] ||
           bestdag_cluster_view_missed(seen, bestdag_reduced_list_mask(s, set),
                                       s->words);
}

/* Can it be for more than `least` members? */
static bool pays_many(struct bestdag_relaxation *r,
                      const struct bestdag_cluster *c, const int32_t *pick)
{
    int paid = 0;
    r->work += (int64_t)LOOKS * c->size;
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(r, c, &w);)
        paid += may_rise(&r->list[w.v], pick[w.v], &w.view);
    return paid > c->least;
}

/* By how much y is to be lowered; 0: not at all. */
static int64_t room_below(struct bestdag_relaxation *r,
                          const struct bestdag_cluster *c, const int32_t *pick,
                          int64_t y)
{
    int64_t top[MOST_LEAST + 1] = {0}; /* the largest m_v, descending */
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(r, c, &w);) {
        const struct bestdag_reduced_list *s = &r->list[w.v];
        int64_t m =
            may_rise(s, pick[w.v], &w.view) ? least_unpaid(r, s, &w.view) : 0;
        for (int k = 0; k <= c->least; k++)
            if (m > top[k]) {
                int64_t other = top[k];
                top[k] = m;
                m = other;
            }
    }
    return top[c->least] < y ? top[c->least] : y;
}

static void lower(struct bestdag_relaxation *r, int number, int64_t by)
{
    assert(by > 0 && by <= r->pool.y[number]);
    const struct bestdag_cluster *c = r->pool.at[number];
    r->pool.y[number] -= by;
    r->bound -= c->least * by;
    bestdag_relaxation_pay(r, c, -by);
    for (int i = 0; i < c->size; i++) {
        int v = c->member[i];
        struct bestdag_reduced_list *s = &r->list[v];
        int64_t least = INT64_MAX;
        for (int set = 0; set < s->count; set++)
            least = s->reduced[set] < least ? s->reduced[set] : least;
        assert(least >= 0 && s->count);
        for (int set = 0; set < s->count; set++)
            s->reduced[set] -= least;
        r->pi[v] += least;
        r->bound += least;
        bestdag_reduced_list_tighten(s);
    }
}

int64_t bestdag_multipliers_decrease(struct bestdag_relaxation *r,
                                     const int32_t *pick)
{
    const struct bestdag_pool *p = &r->pool;
    int64_t before = r->bound;
    for (int i = 0; i < p->count; i++) {
        const struct bestdag_cluster *c = p->at[i];
        if (!p->y[i] || c->least > MOST_LEAST || !pays_many(r, c, pick))
            continue;
        int64_t by = room_below(r, c, pick, p->y[i]);
        int64_t now = r->bound;
        if (by > 0)
            lower(r, i, by);
        assert(r->bound >= now); /* lowering raised the bound */
        (void)now;
    }
    return r->bound - before;
}
