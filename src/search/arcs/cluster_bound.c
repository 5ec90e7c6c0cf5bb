/* SPDX-License-Identifier: MIT */
/* cluster_bound.c -- the bound by the cluster relaxation, for cycles of any
 * length.
 *
 * The problem under the rules alone is relaxed once, with cutting planes
 * (bounds/relaxation.h). Decisions only remove sets, so the multipliers of the
 * root give a bound B under any decisions: with rise(v) the least reduced cost
 * of a set of v that is left,
 *
 *     bound = B + sum over v of rise(v)
 *
 * A child that is only evaluated gets this bound. A node that is to be split is
 * tightened first, in the thread's own relaxation: over the sets that are left,
 * beginning with the multipliers of the root, by dual ascent. Reduced-cost
 * fixing removes more sets, and arcs that all remaining sets of a variable
 * have, or none, are decided. From then on rises refer to this node: the state
 * has a word per variable for its rise, and one for the number of the node that
 * they refer to. If the thread has moved to another node since, they refer to
 * the root again.
 *
 * Time: a child costs the sets of the variables with new decisions, a node all
 * sets, and the ascent over those that are left. */
#include <string.h>

#include "bounds/cutting_planes.h"
#include "bounds/filtered_relaxation.h"
#include "bounds/root_bound.h"
#include "bounds/saved_clusters.h"
#include "search/arcs/arc_bound.h"

/* No network costs as much; see fits_scale(). */
#define IMPOSSIBLE (INT64_MAX / 16)

/* Sets examined by the cutting planes: a few seconds. */
static const int64_t MOST_WORK = (int64_t)1 << 30;

/* Measured on water1000, hailfinder (bench/log/2026-11-17-sensitivity.csv). */
enum {
    THREADS = 8,      /* to reserve memory for */
    MOST_CLIMBS = 20, /* per node; 10..40: the same */
    LOOKS = 8,        /* accesses per set that a node copies from another */
    LITTLE = 200      /* a gain below one in this many of the gap ends the
                         ascent; 100, 400: the same */
};

struct clusters {
    int n;
    struct bestdag_relaxation *root; /* owns; NULL: not made yet */
    int64_t work; /* sets examined for the root, and by fixing */
};

/* Data of a thread. */
struct local {
    struct bestdag_relaxation *relax; /* owns */
    int64_t node, nodes;       /* the tightened node; never 0, which is the
                                  root */
    int *order;                /* owns; [n] */
    int32_t *pick;             /* owns; [n]: tight sets in `order` */
    bool has_order;            /* order and pick are valid */
    int64_t work;              /* sets examined */
    uint64_t *all, *any, *row; /* own; scratch */
};

/* ---- the root ------------------------------------------------------------ */

static void drop(void *data)
{
    struct clusters *c = data;
    if (!c)
        return;
    bestdag_relaxation_free(c->root);
    bestdag_free(c);
}

static int make(struct bestdag_run *run, const struct bestdag_problem *problem,
                void **data, size_t *room)
{
    struct clusters *c = *data = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return bestdag_run_status(run);
    c->n = problem->n;
    *room = (size_t)c->n + 1;
    return BESTDAG_OK;
}

static bool fits_scale(const struct bestdag_problem *p)
{
    int64_t sum = 0;
    for (int v = 0; v < p->n; v++) {
        int count = p->candidates[v].count;
        if (!count || p->candidates[v].cost[count - 1] >= IMPOSSIBLE / 4 - sum)
            return false;
        sum += p->candidates[v].cost[count - 1];
    }
    return true;
}

/* Is there memory for the sets once, and once for each of THREADS threads?
 * Their actual number must not change the answer. */
static bool fits_memory(const struct bestdag_arc_state *m)
{
    const struct bestdag_problem *p = m->problem;
    int64_t limit = bestdag_memory_limit(m->run), bytes = 0;
    for (int v = 0; v < p->n; v++)
        bytes +=
            p->candidates[v].count * (int64_t)(8 * p->candidates[v].words + 24);
    bytes *= THREADS + 2;
    return !limit || bytes < (limit - bestdag_memory_used(m->run)) / 2;
}

/* Is there time to set up the sets twice, and to use them? */
static bool fits_time(const struct bestdag_arc_state *m)
{
    double left = m->run->deadline - bestdag_seconds();
    return m->run->deadline <= 0 ||
           bestdag_relaxation_fits(m->run, m->problem, left / 3);
}

/* Copies the sets of v that the decisions leave. */
static int fill(struct bestdag_relaxation *to,
                const struct bestdag_arc_state *m, int v, bool is_whole)
{
    struct bestdag_run *run = to->run;
    const struct bestdag_indexed_list *candidates = &m->problem->candidates[v];
    size_t count = (size_t)candidates->count, words = (size_t)candidates->words;
    struct bestdag_candidates left = {.universe = candidates->universe,
                                      .words = candidates->words,
                                      .member = candidates->member};
    left.mask = bestdag_alloc(run, count * words * sizeof *left.mask);
    left.cost = bestdag_alloc(run, (count + 1) * sizeof *left.cost);
    left.id = bestdag_alloc(run, count * sizeof *left.id);
    if (left.mask && left.cost && left.id) {
        for (int set = (int)m->set[v]; set < candidates->count;
             set = bestdag_arc_state_first(m, v, set + 1)) {
            memcpy(left.mask + (size_t)left.count * words,
                   bestdag_indexed_list_mask(candidates, set),
                   words * sizeof *left.mask);
            left.cost[left.count] = candidates->cost[set];
            left.id[left.count++] = set;
        }
        left.cost[left.count] = m->problem->none;
        bestdag_relaxation_fill(to, v, &left, NULL, is_whole);
    }
    left.member = NULL; /* owned by the problem */
    bestdag_candidates_release(&left);
    return bestdag_run_status(run);
}

static bool is_placed(const struct bestdag_reduced_list *s, int set,
                      const uint64_t *row)
{
    const uint64_t *mask = bestdag_reduced_list_mask(s, set);
    for (int w = 0; w < s->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1)
            if (!bestdag_row_has(row,
                                 s->member[w * 64 + __builtin_ctzll(rest)]))
                return false;
    return true;
}

static void on_order(void *job, struct bestdag_cutting_settings *settings,
                     const int *order)
{
    int64_t cost = bestdag_relaxation_cost(job, order, NULL);
    if (cost >= 0 && cost < settings->upper)
        settings->upper = cost;
}

/* Finds an order first, as the gap determines the width of the smoothing. Rules
 * do not matter here. */
static int run_cutting_planes(struct bestdag_relaxation *r, int64_t limit)
{
    struct bestdag_cutting_settings plan = {
        .upper = limit < IMPOSSIBLE ? limit : IMPOSSIBLE,
        .most_work = MOST_WORK,
        .job = r,
        .on_order = on_order};
    int *order = bestdag_alloc(r->run, (size_t)r->n * sizeof *order);
    if (order && bestdag_dual_ascent(r, plan.upper, order))
        on_order(r, &plan, order);
    bestdag_free(order);
    if (bestdag_run_status(r->run) || plan.upper >= IMPOSSIBLE)
        return bestdag_run_status(r->run);
    return bestdag_cutting_planes(r, &plan);
}

/* NULL: error. */
static struct bestdag_relaxation *relax(const struct bestdag_arc_state *m,
                                        bool is_whole)
{
    struct bestdag_relaxation *r = bestdag_relaxation_new(m->run, m->n);
    int status = r ? BESTDAG_OK : bestdag_run_status(m->run);
    for (int v = 0; v < m->n && !status; v++)
        status = fill(r, m, v, is_whole);
    if (r && !status)
        status = bestdag_relaxation_ready(r);
    if (!status)
        return r;
    bestdag_relaxation_free(r);
    return NULL;
}

/* A set with an equally cheap subset is paid no more than that, so the bound is
 * the same without such sets: the cutting planes run without them, unless
 * another prover has left clusters. */
static int make_root(struct clusters *c, const struct bestdag_arc_state *m,
                     int64_t limit)
{
    struct bestdag_saved_clusters own = {0};
    struct bestdag_saved_clusters *saved =
        m->arc_bound->clusters ? m->arc_bound->clusters : &own;
    struct bestdag_relaxation *small = saved->count ? NULL : relax(m, false);
    if (small && !run_cutting_planes(small, limit))
        bestdag_saved_clusters_take(saved, small);
    c->work += small ? small->work : 0;
    bestdag_relaxation_free(small);
    if (!bestdag_run_status(m->run) && (c->root = relax(m, true))) {
        bestdag_saved_clusters_give(saved, c->root);
        c->work += c->root->work;
    }
    bestdag_saved_clusters_release(&own);
    return bestdag_run_status(m->run);
}

/* Has another prover found better clusters since? */
static bool is_outdone(const struct clusters *c,
                       const struct bestdag_arc_state *m)
{
    const struct bestdag_saved_clusters *saved = m->arc_bound->clusters;
    return c->root && saved && saved->count && saved->bound > c->root->bound;
}

static int prepare(void *data, const struct bestdag_arc_state *m, int64_t limit)
{
    struct clusters *c = data;
    if (!c->root &&
        (!fits_scale(m->problem) || !fits_memory(m) || !fits_time(m))) {
        bestdag_note(m->run, 1,
                     "the cluster bound does not fit into scale, memory or "
                     "time: using the simple bound");
        return BESTDAG_OK;
    }
    if (is_outdone(c, m)) {
        bestdag_relaxation_free(c->root);
        c->root = NULL;
    }
    if (!c->root && make_root(c, m, limit))
        return bestdag_run_status(m->run);
    int64_t gone = bestdag_reduced_cost_fixing(c->root, limit), left = 0;
    for (int v = 0; v < c->n; v++)
        left += c->root->list[v].count;
    bestdag_note(m->run, 1,
                 "%d clusters: bound %.6f, %lld parent sets left, %lld fixed "
                 "out by reduced cost",
                 c->root->pool.count,
                 bestdag_problem_nats(m->problem, c->root->bound),
                 (long long)left, (long long)gone);
    return BESTDAG_OK;
}

/* ---- threads ------------------------------------------------------------- */

static void leave(void *mine)
{
    struct local *l = mine;
    if (!l)
        return;
    bestdag_relaxation_free(l->relax);
    bestdag_free(l->order);
    bestdag_free(l->pick);
    bestdag_free(l->all);
    bestdag_free(l->any);
    bestdag_free(l->row);
    bestdag_free(l);
}

static void *enter(struct bestdag_run *run, const void *data)
{
    const struct clusters *c = data;
    size_t words = bestdag_row_words(c->n);
    struct local *l = c->root ? bestdag_calloc(run, 1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    l->relax = bestdag_relaxation_scratch(c->root);
    l->order = bestdag_alloc(run, (size_t)c->n * sizeof *l->order);
    l->pick = bestdag_alloc(run, (size_t)c->n * sizeof *l->pick);
    l->all = bestdag_alloc(run, words * sizeof *l->all);
    l->any = bestdag_alloc(run, words * sizeof *l->any);
    l->row = bestdag_alloc(run, words * sizeof *l->row);
    if (bestdag_run_status(run)) {
        leave(l);
        return NULL;
    }
    l->node = l->nodes = 1;
    return l;
}

/* ---- bounds by rises ----------------------------------------------------- */

/* The least reduced cost of the remaining sets of v. */
static int64_t rise_of(const struct bestdag_arc_state *m,
                       const struct bestdag_reduced_list *s, int v)
{
    int64_t least = IMPOSSIBLE;
    for (int i = 0; i < s->tights; i++)
        if (bestdag_arc_state_allows(m, v, s->id[s->tight[i]]))
            return 0;
    for (int i = 0; i < s->count; i++)
        if (s->reduced[i] < least && bestdag_arc_state_allows(m, v, s->id[i]))
            least = s->reduced[i];
    return least;
}

/* The relaxation that the rises of this state refer to; NULL: it was
 * overwritten. */
static const struct bestdag_relaxation *origin(
    const struct clusters *c, const struct bestdag_arc_state *m)
{
    const struct local *l = m->mine;
    int64_t node = m->own[c->n];
    return !node ? c->root : node == l->node ? l->relax : NULL;
}

static void note_rise(struct bestdag_arc_state *m,
                      const struct bestdag_relaxation *r, int v)
{
    struct local *l = m->mine;
    l->work += r->list[v].count;
    int64_t rise = rise_of(m, &r->list[v], v);
    bestdag_arc_state_write(m, (uint64_t *)&m->own[v], (uint64_t)rise);
}

/* The simple bound. */
static int64_t sum_chosen(const struct bestdag_arc_state *m)
{
    int64_t sum = 0;
    for (int v = 0; v < m->n; v++) {
        if (m->set[v] >= m->problem->candidates[v].count)
            return m->problem->none;
        sum += m->problem->candidates[v].cost[m->set[v]];
    }
    return sum;
}

static int64_t update(const void *data, struct bestdag_arc_state *m,
                      const int *changed, int count)
{
    const struct clusters *c = data;
    int64_t simple = sum_chosen(m);
    if (!m->mine || simple >= m->problem->none)
        return simple;
    const struct bestdag_relaxation *r = origin(c, m);
    for (int i = 0; r && i < count; i++)
        note_rise(m, r, changed[i]);
    if (!r) {
        r = c->root;
        bestdag_arc_state_write(m, (uint64_t *)&m->own[c->n], 0);
        for (int v = 0; v < c->n; v++)
            note_rise(m, r, v);
    }
    int64_t sum = r->bound;
    for (int v = 0; v < c->n && sum < IMPOSSIBLE; v++)
        sum += m->own[v];
    if (sum >= IMPOSSIBLE)
        return m->problem->none;
    return sum > simple ? sum : simple;
}

/* ---- tightening a node --------------------------------------------------- */

static bool keeps(const void *job, int v, int number)
{
    return bestdag_arc_state_allows(job, v, number);
}

/* Requires arcs that all remaining sets of v have, and forbids those that none
 * has. */
static bool mark_common(struct bestdag_arc_state *m, struct local *l, int v)
{
    const struct bestdag_reduced_list *s = &l->relax->list[v];
    memset(l->all, 0xff, (size_t)s->words * sizeof *l->all);
    memset(l->any, 0, (size_t)s->words * sizeof *l->any);
    for (int i = 0; i < s->count; i++) {
        const uint64_t *mask = bestdag_reduced_list_mask(s, i);
        for (int w = 0; w < s->words; w++) {
            l->all[w] &= mask[w];
            l->any[w] |= mask[w];
        }
    }
    bool good = true;
    for (int b = 0; b < s->universe && good; b++)
        if (bestdag_row_has(l->all, b))
            good = bestdag_arc_state_require(m, v, s->member[b]);
        else if (!bestdag_row_has(l->any, b))
            good = bestdag_arc_state_forbid(m, v, s->member[b]);
    return good;
}

/* In the order of the last ascent: the cheapest set of each variable, of all
 * sets or of the tight ones. False: none. */
static bool pick_sets(const struct local *l, bool tight, int32_t *pick)
{
    const struct bestdag_relaxation *r = l->relax;
    memset(l->row, 0, bestdag_row_words(r->n) * sizeof *l->row);
    for (int i = 0; i < r->n; i++) {
        int v = l->order[i], set = 0;
        const struct bestdag_reduced_list *s = &r->list[v];
        while (set < s->count &&
               ((tight && s->reduced[set]) || !is_placed(s, set, l->row)))
            set++;
        if (set == s->count)
            return false;
        pick[v] = set;
        bestdag_row_add(l->row, v);
    }
    return true;
}

static void ascend(struct local *l, int64_t enough)
{
    l->has_order = bestdag_dual_ascent(l->relax, enough, l->order) &&
                   pick_sets(l, true, l->pick);
}

/* Dual ascent, then repeatedly multiplier decrease and ascent. */
static void climb(struct local *l, int64_t enough)
{
    struct bestdag_relaxation *r = l->relax;
    ascend(l, enough);
    for (int i = 0; i < MOST_CLIMBS && l->has_order; i++) {
        int64_t before = r->bound;
        if (bestdag_multipliers_decrease(r, l->pick) <= 0)
            return;
        ascend(l, enough);
        if (r->bound - before < (enough - r->bound) / LITTLE)
            return;
    }
}

static bool tighten(const void *data, struct bestdag_arc_state *m,
                    int64_t limit)
{
    const struct clusters *c = data;
    struct local *l = m->mine;
    struct bestdag_set_filter filter = {
        .job = m, .keeps = keeps, .limit = limit};
    if (!l)
        return true;
    const struct bestdag_relaxation *from = origin(c, m);
    if (limit > IMPOSSIBLE)
        filter.limit = IMPOSSIBLE;
    l->node = ++l->nodes; /* the old node is overwritten */
    from = from ? from : c->root;
    for (int v = 0; v < c->n; v++)
        l->work += LOOKS * (int64_t)from->list[v].count;
    if (!bestdag_relaxation_filter(l->relax, from, &filter))
        return false;
    l->relax->work = 0;
    climb(l, filter.limit);
    l->work += l->relax->work;
    if (bestdag_run_status(m->run) || l->relax->bound >= filter.limit ||
        !bestdag_relaxation_filter(l->relax, l->relax, &filter))
        return false;
    l->has_order = l->has_order && pick_sets(l, true, l->pick);
    bestdag_arc_state_write(m, (uint64_t *)&m->own[c->n], (uint64_t)l->node);
    for (int v = 0; v < c->n; v++)
        bestdag_arc_state_write(m, (uint64_t *)&m->own[v], 0);
    if (l->relax->bound > *m->bound)
        bestdag_arc_state_write(m, (uint64_t *)m->bound,
                                (uint64_t)l->relax->bound);
    bool good = true;
    for (int v = 0; v < c->n && good; v++)
        good = mark_common(m, l, v);
    return good;
}

/* ---- networks ------------------------------------------------------------ */

static void choose(const void *data, const struct bestdag_arc_state *m,
                   int32_t *choice)
{
    const struct clusters *c = data;
    const struct bestdag_relaxation *r = m->mine ? origin(c, m) : NULL;
    for (int v = 0; v < m->n; v++) {
        choice[v] = (int32_t)m->set[v];
        const struct bestdag_reduced_list *s = r ? &r->list[v] : NULL;
        for (int i = 0; s && i < s->count; i++)
            if (bestdag_arc_state_allows(m, v, s->id[i])) {
                choice[v] = s->id[i];
                break;
            }
    }
}

/* Converts picked sets to numbers of the problem; false: later decisions have
 * removed one of them. */
static bool translate(const struct bestdag_arc_state *m, const int32_t *pick,
                      int32_t *choice)
{
    const struct local *l = m->mine;
    for (int v = 0; v < m->n; v++) {
        choice[v] = l->relax->list[v].id[pick[v]];
        if (!bestdag_arc_state_allows(m, v, choice[v]))
            return false;
    }
    return true;
}

static bool guess(const void *data, const struct bestdag_arc_state *m,
                  int32_t *choice)
{
    const struct local *l = m->mine;
    (void)data;
    return l && l->has_order && pick_sets(l, false, choice) &&
           translate(m, choice, choice);
}

static bool settled(const void *data, const struct bestdag_arc_state *m,
                    int32_t *choice)
{
    const struct local *l = m->mine;
    (void)data;
    return l && l->has_order && translate(m, l->pick, choice);
}

/* By how many picked sets the cluster is paid in excess; `to` gets their
 * variables. */
static int find_paid(const struct local *l, const struct bestdag_cluster *c,
                     struct bestdag_slack *to)
{
    int paid = 0;
    *to = (struct bestdag_slack){
        .children = c->least + 1, .member = c->member, .size = c->size};
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(l->relax, c, &w);) {
        const struct bestdag_reduced_list *s = &l->relax->list[w.v];
        if (!bestdag_cluster_view_missed(
                &w.view, bestdag_reduced_list_mask(s, l->pick[w.v]), s->words))
            continue;
        if (paid < to->children)
            to->child[paid] = w.v;
        paid++;
    }
    return paid > c->least ? paid - c->least : 0;
}

/* The weight favours small clusters, which make few subcases. */
static bool slack(const void *data, const struct bestdag_arc_state *m,
                  struct bestdag_slack *to)
{
    const struct local *l = m->mine;
    const struct bestdag_pool *p = &l->relax->pool;
    double most = 0;
    (void)data;
    for (int i = 0; i < p->count; i++) {
        struct bestdag_slack now;
        if (!p->y[i] || p->at[i]->least > BESTDAG_SLACK - 1)
            continue;
        int paid = find_paid(l, p->at[i], &now);
        double weight = (double)p->y[i] * paid / now.size;
        if (weight > most) {
            most = weight;
            *to = now;
        }
    }
    return most > 0;
}

static int64_t work(const void *data, const void *mine)
{
    const struct clusters *c = data;
    const struct local *l = mine;
    return l ? l->work : c->work;
}

const struct bestdag_arc_bound_row bestdag_arc_bound_cluster = {
    .name = "cluster",
    .help = "multipliers on cluster constraints: one variable of a cluster has "
            "no parent inside",
    .make = make,
    .drop = drop,
    .prepare = prepare,
    .enter = enter,
    .leave = leave,
    .update = update,
    .tighten = tighten,
    .choose = choose,
    .guess = guess,
    .settled = settled,
    .slack = slack,
    .work = work,
};
