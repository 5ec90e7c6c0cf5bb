/* SPDX-License-Identifier: MIT */
/* prefix_expansion.c -- "expand N L": the checker itself searches the prefixes
 * of all orders of a part, guided by the part's multipliers.
 *
 * A DAG places one variable after the other; S is the set of those placed so
 * far, g(S) the least that they can cost. With the multipliers y let pi_v =
 * min_P [cost(v,P) - sum{ y_C : v misses C }], and rank_C(S) the number of
 * classes of C that S meets.
 *
 * LEMMA. In every DAG that places S first, the variables outside S cost at
 * least
 *
 *     h(S) = sum_{v not in S} pi_v + sum_C max(0, a_C - rank_C(S)) y_C.
 *
 * Proof. Let k = a_C - rank_C(S) > 0. There are at least a_C classes, so S does
 * not meet k of them at least. Of their first members in the DAG's order, take
 * the first k. Before such a member come fewer than rank_C(S) + k = a_C
 * classes, and its own does not. Its parents come before it: it misses C. So k
 * members outside S miss C. A set P of v costs at least pi_v and y of what v
 * misses with P; sum over v outside S.
 *
 * They also cost at least the sum of the least costs of each. H(S) is the
 * larger of the two. A DAG that costs less than L has no prefix with g + H >=
 * L. If the cheapest set of v lies within S, then v may come next in it, alone:
 * it costs no more there and hinders no other. So from {} on, layer by layer,
 * all prefixes with g + H < L are expanded, by every variable or by such a v.
 * If all variables together are not reached at less than L, every DAG costs L
 * at least.
 *
 * Limits: the certificate states N; MOST_PREFIXES, divided by the words of a
 * prefix, is the most that is accepted, and MOST_WORK clusters and sets looked
 * at in the whole certificate. Memory: two layers. */
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "base/row_table.h"
#include "verify/kernel/certificate.h"

#define MOST_PREFIXES ((int64_t)1 << 24) /* about a gigabyte */
#define MOST_WORK ((int64_t)1 << 40)     /* an hour or two */

/* Subsets are searched among this many cheaper sets: a dominated set that is
 * kept costs time, never correctness. */
enum { LOOKS = 512 };

struct kernel_ranked {
    int64_t cost, set;
};

/* Candidate sets of one variable as masks over the part, cheapest first. One
 * with a subset that costs no more may be left out: a network with the subset
 * costs no more and has no new arc. */
struct kernel_candidates {
    int count;
    struct kernel_ranked *at; /* owns */
    uint64_t *mask;           /* owns; [count * words] */
};

struct kernel_expansion {
    struct kernel_proof *proof;
    int n; /* variables of the part, in the order of the `part` line */
    size_t words;
    struct kernel_candidates *candidates; /* owns; [n] */
    int64_t most, goal;                   /* N, L */
    int64_t expanded;
    struct bestdag_row_table now, next; /* prefixes with g */
    /* of the current prefix: h(S) - h(S + v), the cost of v, the next prefix */
    kernel_wide *loss; /* owns; [n] */
    int64_t *cost;     /* owns; [n] */
    uint64_t *grown;   /* owns */
};

/* ---- candidates ---- */

static int by_cost(const void *a, const void *b)
{
    const struct kernel_ranked *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

/* The parents of the set within the part, and the variables that must come
 * before v. */
static void fill_mask(const struct kernel_proof *p, int v, int64_t set,
                      uint64_t *mask)
{
    const struct kernel_lists *l = p->lists;
    int64_t id = p->part[p->depth - 1].id;
    memset(mask, 0, p->clusters.words * sizeof *mask);
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++)
        if (p->home[l->member[i]] == id)
            bestdag_row_add(mask, p->local[l->member[i]]);
    for (int i = 0; p->before && i < p->count; i++)
        if (bestdag_proof_precedes(p, p->member[i], v))
            bestdag_row_add(mask, i);
}

static bool has_subset(const struct kernel_candidates *c, const uint64_t *mask,
                       size_t words)
{
    for (int i = 0; i < c->count && i < LOOKS; i++)
        if (bestdag_row_within(c->mask + (size_t)i * words, mask, words) ||
            BESTDAG_FAULT("kernel-subset"))
            return true;
    return false;
}

/* Lists the remaining sets of member m. */
static bool fill_candidates(struct kernel_expansion *e, int m)
{
    struct kernel_proof *p = e->proof;
    const struct kernel_lists *l = p->lists;
    struct kernel_candidates *to = &e->candidates[m];
    int v = p->member[m];
    size_t room = (size_t)(l->first[v + 1] - l->first[v]) + 1, count = 0;
    to->at = bestdag_alloc(p->run, room * sizeof *to->at);
    to->mask = bestdag_alloc(p->run, room * e->words * sizeof *to->mask);
    if (!to->at || !to->mask)
        return false;
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
        if (l->remains[s])
            to->at[count++] = (struct kernel_ranked){l->cost[s], s};
    qsort(to->at, count, sizeof *to->at, by_cost);
    for (size_t i = 0; i < count; i++) {
        uint64_t *mask = to->mask + (size_t)to->count * e->words;
        fill_mask(p, v, to->at[i].set, mask);
        if (!has_subset(to, mask, e->words))
            to->at[to->count++] = to->at[i];
    }
    return true;
}

/* The least cost of v within the prefix; NEVER: it is not below `most`. */
BESTDAG_INLINE int64_t find_best(struct kernel_expansion *e, int v,
                                 const uint64_t *prefix, kernel_wide most,
                                 size_t w)
{
    const struct kernel_candidates *c = &e->candidates[v];
    int i = 0;
    while (i < c->count && c->at[i].cost < most &&
           !bestdag_row_within(c->mask + (size_t)i * w, prefix, w))
        i++;
    e->proof->work += i + 1;
    return i < c->count && c->at[i].cost < most ? c->at[i].cost : KERNEL_NEVER;
}

/* ---- bounds ---- */

/* The variables of the mask outside the prefix increase the rank of a
 * cluster. */
BESTDAG_INLINE void add_losses(struct kernel_expansion *e, const uint64_t *mask,
                               const uint64_t *prefix, int64_t y, size_t w)
{
    for (size_t i = 0; i < w; i++)
        for (uint64_t x = mask[i] & ~prefix[i]; x; x &= x - 1)
            e->loss[64 * i + (size_t)__builtin_ctzll(x)] += y;
}

/* The contribution of a cluster to h(S), and to the loss of each v. */
BESTDAG_INLINE kernel_wide add_cluster(struct kernel_expansion *e,
                                       const struct kernel_cluster *c,
                                       const uint64_t *prefix, size_t w)
{
    const uint64_t *alone = e->proof->clusters.mask + ((size_t)c->at + 1) * w;
    int left = c->few;
    for (size_t i = 0; i < w; i++)
        left -= __builtin_popcountll(alone[i] & prefix[i]);
    for (int k = 1; k <= c->classes; k++)
        left -= bestdag_row_meets(alone + (size_t)k * w, prefix, w);
    if (BESTDAG_FAULT("kernel-rank"))
        left = c->few;
    if (left <= 0)
        return 0;
    add_losses(e, alone, prefix, c->y, w);
    for (int k = 1; k <= c->classes && !BESTDAG_FAULT("kernel-loss"); k++)
        if (!bestdag_row_meets(alone + (size_t)k * w, prefix, w))
            add_losses(e, alone + (size_t)k * w, prefix, c->y, w);
    return (kernel_wide)left * c->y;
}

/* Computes h(S) and e->loss; *least: the sum of the least costs. */
BESTDAG_INLINE kernel_wide find_h(struct kernel_expansion *e,
                                  const uint64_t *prefix, kernel_wide *least,
                                  size_t w)
{
    const struct kernel_clusters *all = &e->proof->clusters;
    kernel_wide h = 0;
    *least = 0;
    for (int v = 0; v < e->n; v++) {
        bool is_placed = bestdag_row_has(prefix, v);
        e->loss[v] = e->proof->least[v];
        h += is_placed ? 0 : e->loss[v];
        *least += is_placed ? 0 : e->candidates[v].at[0].cost;
    }
    for (int64_t k = 0; k < all->count; k++)
        h += add_cluster(e, &all->one[k], prefix, w);
    e->proof->work += all->count;
    return h;
}

/* ---- layers ---- */

/* Stores the prefix with v (-1: unchanged) with this cost. */
static bool reach(struct kernel_expansion *e, const uint64_t *prefix, int v,
                  int64_t cost)
{
    bool fresh = false;
    bestdag_row_copy(e->grown, prefix, e->words);
    if (v >= 0)
        bestdag_row_add(e->grown, v);
    int64_t *to =
        bestdag_row_table_add(e->proof->run, &e->next, e->grown, &fresh);
    if (to && (fresh || cost < *to || BESTDAG_FAULT("kernel-last-cost")))
        *to = cost;
    return to != NULL;
}

/* Fills e->cost; NEVER: v need not follow. If some variable has its cheapest
 * set, only it follows. room: L - g. */
BESTDAG_INLINE void find_next(struct kernel_expansion *e,
                              const uint64_t *prefix, kernel_wide room,
                              size_t w)
{
    kernel_wide least, h = find_h(e, prefix, &least, w);
    for (int v = 0; v < e->n; v++)
        e->cost[v] = KERNEL_NEVER;
    for (int v = 0; v < e->n; v++) {
        kernel_wide cheapest = e->candidates[v].at[0].cost;
        /* with v, the cost must be below L by both bounds */
        kernel_wide most = room - h + e->loss[v], other = room - least;
        most = other + cheapest < most ? other + cheapest : most;
        if (bestdag_row_has(prefix, v))
            continue;
        int64_t cost =
            find_best(e, v, prefix, most > cheapest ? most : cheapest + 1, w);
        bool is_forced = cost == cheapest || BESTDAG_FAULT("kernel-forced");
        for (int u = 0; u < v && is_forced; u++)
            e->cost[u] = KERNEL_NEVER;
        e->cost[v] = cost < most ? cost : KERNEL_NEVER;
        if (is_forced)
            return;
    }
}

/* Generates the successors of a prefix that may cost less than L. */
static bool expand(struct kernel_expansion *e, const uint64_t *prefix,
                   int64_t g)
{
    kernel_wide room = (kernel_wide)e->goal - g;
    if (e->words == 1)
        find_next(e, prefix, room, 1);
    else
        find_next(e, prefix, room, e->words);
    e->expanded++;
    e->proof->prefixes++;
    for (int v = 0; v < e->n; v++)
        if (e->cost[v] != KERNEL_NEVER && !reach(e, prefix, v, g + e->cost[v]))
            return false;
    return true;
}

/* The prefixes of the next layer count: they will be expanded, too. */
static bool check_limits(struct kernel_expansion *e)
{
    struct kernel_proof *p = e->proof;
    if (e->expanded + e->next.count > e->most &&
        !BESTDAG_FAULT("kernel-budget"))
        return bestdag_proof_refuse(
            p, "the expansion needs more prefixes than the %lld it states",
            (long long)e->most);
    if (p->work > MOST_WORK)
        return bestdag_proof_refuse(
            p, "the expansion needs more work than is accepted");
    return bestdag_kernel_goes_on(p->run);
}

static bool expand_layer(struct kernel_expansion *e)
{
    const struct bestdag_row_table *now = &e->now;
    for (int64_t i = 0; i < now->room; i++) {
        if (!now->used[i])
            continue;
        if (!expand(e, now->key + (size_t)i * e->words,
                    ((const int64_t *)now->value)[i]) ||
            !check_limits(e))
            return false;
    }
    return true;
}

/* Expands the layers from {} to all but one variable; then `next` has the set
 * of all variables, or nothing.
 */
static bool expand_all(struct kernel_expansion *e)
{
    struct bestdag_row_table empty = {.words = e->words,
                                      .size = sizeof(int64_t)};
    e->now = e->next = empty;
    if (!reach(e, e->grown, -1, 0) || !check_limits(e))
        return false;
    for (int i = 0; i < e->n; i++) {
        bestdag_row_table_release(&e->now);
        e->now = e->next;
        e->next = empty;
        if (!expand_layer(e))
            return false;
    }
    return true;
}

/* Refuses if all variables were reached: their cost is then less than L. */
static bool check_goal(struct kernel_expansion *e)
{
    for (int v = 0; v < e->n; v++)
        bestdag_row_add(e->grown, v);
    const int64_t *cost = bestdag_row_table_find(&e->next, e->grown);
    return !cost || *cost >= e->goal || BESTDAG_FAULT("kernel-goal") ||
           bestdag_proof_refuse(
               e->proof, "an order of this part costs %lld, less than %lld",
               (long long)*cost, (long long)e->goal);
}

static bool start(struct kernel_expansion *e)
{
    struct bestdag_run *run = e->proof->run;
    size_t n = (size_t)e->n + 1;
    e->candidates = bestdag_calloc(run, n, sizeof *e->candidates);
    e->loss = bestdag_calloc(run, n, sizeof *e->loss);
    e->cost = bestdag_calloc(run, n, sizeof *e->cost);
    e->grown = bestdag_calloc(run, e->words, sizeof *e->grown);
    for (int i = 0; i < e->n && !bestdag_run_status(run); i++)
        fill_candidates(e, i);
    return !bestdag_run_status(run);
}

static void release(struct kernel_expansion *e)
{
    for (int i = 0; e->candidates && i < e->n; i++) {
        bestdag_free(e->candidates[i].at);
        bestdag_free(e->candidates[i].mask);
    }
    bestdag_free(e->candidates);
    bestdag_free(e->loss);
    bestdag_free(e->cost);
    bestdag_free(e->grown);
    bestdag_row_table_release(&e->now);
    bestdag_row_table_release(&e->next);
}

bool bestdag_expansion_prove(struct kernel_proof *p, int64_t *cost)
{
    struct kernel_expansion e = {
        .proof = p, .n = p->count, .words = p->clusters.words};
    bool never = false, holds = true;
    if (!bestdag_next_integer(&p->in, "a number of prefixes", 0,
                              MOST_PREFIXES / (int64_t)e.words, &e.most) ||
        !bestdag_next_integer(&p->in, "a cost", -KERNEL_MOST, KERNEL_MOST,
                              &e.goal) ||
        !bestdag_end_line(&p->in))
        return false;
    bestdag_clusters_value(p, &never);
    if (!never) { /* else there is no network */
        holds = start(&e) && expand_all(&e) && check_goal(&e);
        release(&e);
    }
    *cost = e.goal;
    p->expansions++;
    return holds;
}
