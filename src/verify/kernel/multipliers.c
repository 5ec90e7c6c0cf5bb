/* SPDX-License-Identifier: MIT */
/* multipliers.c -- multipliers of clusters, and deletions by reduced cost.
 *
 * A cluster C has a number a and is divided into classes. Parents P span a
 * member v if they meet the class of v, or a classes. If not, v misses C.
 *
 * LEMMA. Of at least a classes, a members at least miss C in every DAG.
 * Proof. Of the first members of the classes in the DAG's order, take the first
 * a. Before such a member come fewer than a classes, and its own does not. Its
 * parents come before it. So they do not span it.
 *
 * So with multipliers y a network of the part costs at least
 *
 *     B = sum a_C y_C + sum_v min_P [ cost(v,P) - sum{ y_C : v misses C } ]
 *
 * and with a set that is r above the minimum of its variable at least B + r.
 * Time per cluster: all sets of its members are examined. */
#include <string.h>

#include "verify/kernel/certificate.h"
#include "base/growing_array.h"

void bestdag_clusters_reset(struct kernel_proof *p)
{
    const struct kernel_lists *l = p->lists;
    p->clusters.words = bestdag_row_words(p->count ? p->count : 1);
    p->clusters.count = p->clusters.masks = 0;
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

/* ---- clusters ---- */

/* Adds an empty mask; NULL: no memory. */
static uint64_t *add_mask(struct kernel_proof *p)
{
    struct kernel_clusters *all = &p->clusters;
    size_t bytes = all->words * sizeof *all->mask;
    if (!bestdag_array_grow(p->run, &all->mask, &all->mask_room, all->masks + 1,
                            bytes))
        return NULL;
    return memset(all->mask + (size_t)all->masks++ * all->words, 0, bytes);
}

/* The masks of the last cluster. */
static uint64_t *last_masks(const struct kernel_clusters *all)
{
    return all->mask + (size_t)all->one[all->count - 1].at * all->words;
}

/* Adds a cluster with its first two masks. */
static bool add_cluster(struct kernel_proof *p, int64_t few)
{
    struct kernel_clusters *all = &p->clusters;
    if (!BESTDAG_GROW(p->run, all->one, all->room, all->count + 1))
        return false;
    all->one[all->count++] =
        (struct kernel_cluster){.at = all->masks, .few = (int32_t)few};
    if (!add_mask(p)) /* of its members, */
        return false;
    return add_mask(p); /* and of those alone in their class */
}

/* The last mask becomes a class of the cluster. */
static bool divide(struct kernel_proof *p)
{
    const struct kernel_clusters *all = &p->clusters;
    size_t w = all->words;
    const uint64_t *class = all->mask + (size_t)(all->masks - 1) * w;
    uint64_t *alone = last_masks(all) + w;
    if (bestdag_row_count(class, w) < 2 || !bestdag_row_within(class, alone, w))
        return bestdag_misread(&p->in, "expected a class of two members or "
                                       "more that are in no other");
    for (size_t i = 0; i < w; i++)
        alone[i] &= ~class[i];
    all->one[all->count - 1].classes++;
    return true;
}

/* Called when all classes are read. */
static bool check_rank(struct kernel_proof *p)
{
    const struct kernel_clusters *all = &p->clusters;
    const struct kernel_cluster *c = &all->one[all->count - 1];
    const uint64_t *alone = last_masks(all) + all->words;
    return bestdag_row_count(alone, all->words) + c->classes > c->few ||
           bestdag_misread(&p->in, "a cluster of rank %d or less", c->few);
}

/* A cluster as seen by one member. */
struct kernel_view {
    const uint64_t *mask; /* all masks but the first */
    int32_t few, classes;
    int32_t own; /* the member's class, from 1; 0: it is alone in its class */
};

static struct kernel_view view_of(const struct kernel_cluster *c,
                                  const uint64_t *mask, int v, size_t w)
{
    struct kernel_view to = {mask + w, c->few, c->classes, 0};
    for (int i = 1; i <= c->classes; i++)
        if (bestdag_row_has(to.mask + (size_t)i * w, v))
            to.own = i;
    return to;
}

/* Does the member miss the cluster, with these parents? */
static bool is_missed(const struct kernel_view *c, const uint64_t *parents,
                      size_t w)
{
    int few = c->few;
    for (int i = 1; i <= c->classes; i++)
        if (bestdag_row_meets(c->mask + (size_t)i * w, parents, w))
            few = i == c->own ? 0 : few - 1;
    for (size_t i = 0; i < w; i++)
        for (uint64_t x = c->mask[i] & parents[i]; x && few > 0; x &= x - 1)
            few--;
    return few > 0;
}

/* ---- reading ---- */

/* Reads v1 .. vk, members of the part, into a mask. */
static bool take_list(struct kernel_proof *p, const char *what, int64_t count,
                      uint64_t *mask)
{
    int64_t id = p->part[p->depth - 1].id, v;
    for (int64_t i = 0; i < count; i++) {
        if (!bestdag_next_integer(&p->in, what, 0, p->lists->n - 1, &v))
            return false;
        if (p->home[v] != id || bestdag_row_has(mask, p->local[v]))
            return bestdag_misread(
                &p->in, "%lld is repeated or not in this part", (long long)v);
        bestdag_row_add(mask, p->local[v]);
    }
    return true;
}

/* Reads m u1 .. um, until the end of the line. */
static bool take_classes(struct kernel_proof *p)
{
    int64_t count;
    while (bestdag_line_word(&p->in) && p->in.length) {
        uint64_t *mask = add_mask(p);
        if (!mask ||
            !bestdag_this_integer(&p->in, "the size of a class", 2, p->count,
                                  &count) ||
            !take_list(p, "a variable of the class", count, mask) || !divide(p))
            return false;
    }
    return !bestdag_run_status(p->run);
}

/* Does the member miss the cluster, with these parents and those of p->row? */
static bool misses(const struct kernel_proof *p, const struct kernel_view *c,
                   int64_t set)
{
    const struct kernel_lists *l = p->lists;
    int64_t id = p->part[p->depth - 1].id;
    size_t w = p->clusters.words;
    bestdag_row_copy(p->row + w, p->row, w);
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++)
        if (p->home[l->member[i]] == id)
            bestdag_row_add(p->row + w, p->local[l->member[i]]);
    return is_missed(c, p->row + w, w);
}

/* Subtracts y from the cost of the sets that miss the last cluster. */
static void apply(struct kernel_proof *p)
{
    const struct kernel_lists *l = p->lists;
    const struct kernel_cluster *c = &p->clusters.one[p->clusters.count - 1];
    size_t w = p->clusters.words;
    const uint64_t *mask = p->clusters.mask + (size_t)c->at * w;
    for (int i = -1; (i = bestdag_row_next(mask, w, i + 1)) >= 0;) {
        int v = p->member[i];
        struct kernel_view seen = view_of(c, mask, i, w);
        memset(p->row, 0,
               w * sizeof *p->row); /* variables that must come before v */
        for (int j = 0; p->before && j < p->count; j++)
            if (bestdag_proof_precedes(p, p->member[j], v))
                bestdag_row_add(p->row, j);
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            if (l->remains[s] && misses(p, &seen, s))
                p->rest[s] -= c->y;
    }
}

/* Reads Y a k v1 .. vk [m u1 .. um]... */
static bool read_cluster(struct kernel_proof *p)
{
    struct kernel_clusters *all = &p->clusters;
    int64_t y, few, count;
    if (!bestdag_next_word(&p->in) ||
        !bestdag_this_integer(&p->in, "a multiplier above 0", 1,
                              KERNEL_MOST_SUM, &y) ||
        !bestdag_next_integer(&p->in, "the number a of the cluster", 1,
                              p->count, &few) ||
        !bestdag_next_integer(&p->in,
                              "the size of the cluster, more than its number",
                              few + 1, p->count, &count) ||
        !add_cluster(p, few))
        return false;
    uint64_t *mask = last_masks(all);
    if (!take_list(p, "a variable of the cluster", count, mask))
        return false;
    bestdag_row_copy(mask + all->words, mask, all->words);
    if (!take_classes(p) || !check_rank(p))
        return false;
    all->one[all->count - 1].y = y;
    all->sum += (kernel_wide)y * few;
    if (all->sum > KERNEL_MOST_SUM)
        return bestdag_misread(&p->in, "these multipliers are too large");
    apply(p);
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
