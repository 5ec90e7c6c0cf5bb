/* SPDX-License-Identifier: MIT */
/* multipliers.c -- multipliers of clusters, and deletions by reduced cost.
 *
 * Of a cluster C with number a, at least a members miss it in every DAG: have
 * fewer than a parents in it (the first a of them in its order have). If it has
 * a block A, each of its members stands for all of it: a parent in A counts
 * once for those outside A, and as a for those in A. (The members that are not
 * spanned by those before them are a basis of a matroid of rank a in which A is
 * a parallel class.) So with multipliers y a network of the part costs at least
 *
 *     B = sum a_C y_C + sum_v min_P [ cost(v,P) - sum{ y_C : v misses C } ]
 *
 * and with a set that is r above the minimum of its variable at least B + r.
 * A cluster of k members costs the time to look at all their sets. */
#include <string.h>

#include "verify/kernel/certificate.h"
#include "base/growing_array.h"

void bestdag_clusters_reset(struct kernel_proof *p)
{
    const struct kernel_lists *l = p->lists;
    p->clusters.count = 0;
    p->clusters.sum = 0;
    for (int i = 0; i < p->count; i++) {
        int v = p->member[i];
        memcpy(p->rest + l->first[v], l->cost + l->first[v],
               (size_t)(l->first[v + 1] - l->first[v]) * sizeof *p->rest);
    }
}

kernel_wide bestdag_clusters_value(struct kernel_proof *p, bool *never)
{
    const struct kernel_lists *l = p->lists;
    kernel_wide sum = p->clusters.sum;
    *never = false;
    for (int i = 0; i < p->count; i++) {
        int v = p->member[i];
        int64_t least = KERNEL_NEVER;
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            if (l->remains[s] && p->rest[s] < least)
                least = p->rest[s];
        *never |= least == KERNEL_NEVER;
        sum += least == KERNEL_NEVER ? 0 : least;
        p->least[i] = least;
    }
    return sum;
}

/* ---- reading ---- */

/* Of the cluster at hand a member has the stamp p->stamps, one of its block the
 * next. */
static bool take_members(struct kernel_proof *p, int64_t at, int64_t count)
{
    int64_t id = p->part[p->depth - 1].id, v;
    p->stamps += 2;
    for (int64_t i = 0; i < count; i++) {
        if (!bestdag_next_integer(&p->in, "a variable of the cluster", 0,
                                  p->lists->n - 1, &v))
            return false;
        if (p->home[v] != id || p->stamp[v] == p->stamps)
            return bestdag_misread(&p->in,
                                   "%lld is there twice, or not in this part",
                                   (long long)v);
        p->stamp[v] = p->stamps;
        p->clusters.member[at + i] = (int32_t)v;
    }
    return true;
}

/* m u1 .. um, if the line goes on. *size: members outside, and one for it. */
static bool take_block(struct kernel_proof *p, int64_t *size)
{
    int64_t count, v;
    if (!bestdag_line_word(&p->in) || !p->in.length)
        return !bestdag_run_status(p->run);
    if (!bestdag_this_integer(&p->in, "the size of a block", 2, *size, &count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!bestdag_next_integer(&p->in, "a variable of the block", 0,
                                  p->lists->n - 1, &v))
            return false;
        if (p->stamp[v] != p->stamps)
            return bestdag_misread(&p->in, "%lld cannot be in the block",
                                   (long long)v);
        p->stamp[v]++;
    }
    *size -= count - 1;
    return bestdag_end_line(&p->in);
}

/* What the parents so far leave of the number a of a cluster. */
struct kernel_hits {
    int few;     /* so much is left; 0: the child does not miss it */
    bool in;     /* the child is in the block */
    bool is_met; /* so is a parent */
};

static void hit(const struct kernel_proof *p, int parent, struct kernel_hits *h)
{
    if (p->stamp[parent] == p->stamps)
        h->few--;
    else if (p->stamp[parent] == p->stamps + 1 && !h->is_met) {
        h->is_met = true;
        h->few = h->in ? 0 : h->few - 1;
    }
}

/* Does v, with this set, miss the cluster? h: with all that must come before v
 * anyway. */
static bool misses(const struct kernel_proof *p, int v, int64_t set,
                   struct kernel_hits h)
{
    const struct kernel_lists *l = p->lists;
    for (int64_t i = l->start[set]; i < l->start[set + 1] && h.few > 0; i++)
        if (!bestdag_proof_precedes(p, l->member[i], v))
            hit(p, l->member[i], &h);
    return h.few > 0;
}

/* Takes y from the sets that miss the cluster. */
static void apply(struct kernel_proof *p, const struct kernel_cluster *c)
{
    const struct kernel_lists *l = p->lists;
    const int32_t *member = p->clusters.member;
    for (int64_t i = c->from; i < c->to; i++) {
        int v = member[i];
        struct kernel_hits h = {.few = c->few,
                                .in = p->stamp[v] == p->stamps + 1};
        for (int64_t j = c->from; p->before && j < c->to && h.few > 0; j++)
            if (bestdag_proof_precedes(p, member[j], v))
                hit(p, member[j], &h);
        for (int64_t s = l->first[v]; s < l->first[v + 1] && h.few > 0; s++)
            if (l->remains[s] && misses(p, v, s, h))
                p->rest[s] -= c->y;
    }
}

/* Y a k v1 .. vk [m u1 .. um] */
static bool read_cluster(struct kernel_proof *p)
{
    struct kernel_clusters *all = &p->clusters;
    int64_t at = all->count ? all->one[all->count - 1].to : 0;
    int64_t y, few, count, size;
    if (!bestdag_next_word(&p->in) ||
        !bestdag_this_integer(&p->in, "a multiplier above 0", 1,
                              KERNEL_MOST_SUM, &y) ||
        !bestdag_next_integer(&p->in, "the number a of the cluster", 1,
                              p->count, &few) ||
        !bestdag_next_integer(&p->in,
                              "the size of the cluster, more than its number",
                              few + 1, p->count, &count))
        return false;
    size = count;
    if (!BESTDAG_GROW(p->run, all->one, all->room, all->count + 1) ||
        !BESTDAG_GROW(p->run, all->member, all->member_room, at + count) ||
        !take_members(p, at, count) || !take_block(p, &size))
        return false;
    if (size <= few)
        return bestdag_misread(&p->in, "a cluster of rank %lld or less",
                               (long long)few);
    all->sum += (kernel_wide)y * few;
    if (all->sum > KERNEL_MOST_SUM)
        return bestdag_misread(&p->in, "these multipliers are too large");
    struct kernel_cluster *c = &all->one[all->count++];
    *c = (struct kernel_cluster){at, at + count, y, (int32_t)few};
    apply(p, c);
    for (int64_t i = c->from; i < c->to; i++)
        if (p->stamp[all->member[i]] == p->stamps + 1)
            all->member[i] = -1 - all->member[i];
    return true;
}

bool bestdag_clusters_read(struct kernel_proof *p)
{
    int64_t count;
    if (!bestdag_next_integer(&p->in, "the number of clusters", 0, KERNEL_MOST,
                              &count) ||
        !bestdag_end_line(&p->in))
        return false;
    bestdag_clusters_reset(p);
    for (int64_t i = 0; i < count; i++) {
        if (!read_cluster(p))
            return false;
        p->multipliers++;
        if (!bestdag_kernel_goes_on(p->run))
            return false;
    }
    return true;
}

bool bestdag_clusters_delete(struct kernel_proof *p)
{
    const struct kernel_lists *l = p->lists;
    struct kernel_part *part = &p->part[p->depth - 1];
    int64_t x;
    bool never;
    if (!bestdag_next_integer(&p->in, "a cost", -KERNEL_MOST, KERNEL_MOST,
                              &x) ||
        !bestdag_end_line(&p->in))
        return false;
    kernel_wide value = bestdag_clusters_value(p, &never);
    for (int i = 0; i < p->count && !never; i++) {
        int v = p->member[i];
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            if (l->remains[s] && value + p->rest[s] - p->least[i] >= x) {
                l->remains[s] = 0;
                p->deletions++;
            }
    }
    part->least = x < part->least ? x : part->least;
    return true;
}
