/* SPDX-License-Identifier: MIT */
/* clusters.c -- multipliers of clusters, and deletions by them.
 *
 * Of a cluster C with number a, at least a members miss it in every DAG: have
 * fewer than a parents in it (the first a of them in its order have). If it has
 * a block A, whoever is in it stands for all of it: a parent in A counts once
 * for those outside A, and as a for those in A. (The members that are not
 * spanned by those before them are a basis of a matroid of rank a in which A is
 * a parallel class.) So with multipliers y a network of the part costs at least
 *
 *     B = sum a_C y_C + sum_v min_P [ cost(v,P) - sum{ y_C : v misses C } ]
 *
 * and with a set that is r above the minimum of its variable at least B + r.
 * A cluster of k members costs the time to look at all their sets. */
#include <string.h>

#include "verify/kernel/certificate.h"
#include "verify/kernel/growing_array.h"

/* Multipliers of a part may add up to so much: less than this, no difference
 * of them and costs overflows. */
static const int64_t MOST_SUM = (int64_t)1 << 61;

void bestdag_clusters_release(struct kernel_clusters *c)
{
    bestdag_free(c->start);
    bestdag_free(c->member);
    bestdag_free(c->y);
    bestdag_free(c->few);
}

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

bestdag_wide bestdag_clusters_value(struct kernel_proof *p, int64_t *pi,
                                    bool *never)
{
    const struct kernel_lists *l = p->lists;
    bestdag_wide sum = p->clusters.sum;
    *never = false;
    for (int i = 0; i < p->count; i++) {
        int v = p->member[i];
        int64_t least = BESTDAG_PROOF_NEVER;
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            if (l->remains[s] && p->rest[s] < least)
                least = p->rest[s];
        *never |= least == BESTDAG_PROOF_NEVER;
        sum += least == BESTDAG_PROOF_NEVER ? 0 : least;
        if (pi)
            pi[i] = least;
    }
    return sum;
}

/* ---- reading --------------------------------------------------------------
 */

static int grow(struct kernel_proof *p, int64_t members)
{
    struct kernel_clusters *c = &p->clusters;
    int64_t count = c->count + 2;
    if (bestdag_array_grow(p->run, &c->start, &c->room, count,
                           sizeof *c->start) ||
        bestdag_array_grow(p->run, &c->y, &c->y_room, count, sizeof *c->y) ||
        bestdag_array_grow(p->run, &c->few, &c->few_room, count,
                           sizeof *c->few) ||
        bestdag_array_grow(p->run, &c->member, &c->member_room, members,
                           sizeof *c->member))
        return BESTDAG_MEMORY;
    c->start[0] = 0;
    return BESTDAG_OK;
}

/* Of the cluster at hand a member has the stamp p->stamps, one of its block the
 * next. */
static int take_members(struct kernel_proof *p, int64_t at, int64_t count)
{
    struct kernel_clusters *c = &p->clusters;
    int64_t id = p->part[p->depth - 1].id, v;
    p->stamps += 2;
    for (int64_t i = 0; i < count; i++) {
        if (bestdag_words_integer(p->words, "a variable of the cluster", 0,
                                  p->lists->n - 1, &v))
            return bestdag_run_status(p->run);
        if (p->home[v] != id)
            return bestdag_words_fail(p->words, "%lld is not in this part",
                                      (long long)v);
        if (p->stamp[v] == p->stamps)
            return bestdag_words_fail(p->words, "%lld is there twice",
                                      (long long)v);
        p->stamp[v] = p->stamps;
        c->member[at + i] = (int32_t)v;
    }
    return BESTDAG_OK;
}

/* m u1 .. um, if the line goes on. *size: members outside, and one for it. */
static int take_block(struct kernel_proof *p, int64_t *size)
{
    int64_t count, v;
    if (bestdag_words_more(p->words) || !p->words->length)
        return bestdag_run_status(p->run);
    if (!bestdag_words_whole(p->words->word, &count) || count < 2 ||
        count > *size)
        return bestdag_words_expected(p->words, "the size of a block");
    for (int64_t i = 0; i < count; i++) {
        if (bestdag_words_integer(p->words, "a variable of the block", 0,
                                  p->lists->n - 1, &v))
            return bestdag_run_status(p->run);
        if (p->stamp[v] != p->stamps)
            return bestdag_words_fail(p->words,
                                      "%lld is there twice, or not in the "
                                      "cluster",
                                      (long long)v);
        p->stamp[v]++;
    }
    *size -= count - 1;
    return bestdag_words_end_line(p->words);
}

/* What one parent more takes from the number that is missed. */
struct hits {
    int few;     /* so many are left */
    bool in;     /* the child is in the block */
    bool is_met; /* so is a parent */
};

static void hit(const struct kernel_proof *p, int parent, struct hits *h)
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
                   struct hits h)
{
    const struct kernel_lists *l = p->lists;
    for (int64_t i = l->start[set]; i < l->start[set + 1] && h.few > 0; i++)
        if (!bestdag_proof_precedes(p, l->member[i], v))
            hit(p, l->member[i], &h);
    return h.few > 0;
}

/* Takes y from the sets that miss the cluster. */
static void apply(struct kernel_proof *p, int64_t cluster)
{
    const struct kernel_clusters *c = &p->clusters;
    const struct kernel_lists *l = p->lists;
    int64_t from = c->start[cluster], to = c->start[cluster + 1];
    for (int64_t i = from; i < to; i++) {
        int v = c->member[i];
        struct hits h = {.few = c->few[cluster],
                         .in = p->stamp[v] == p->stamps + 1};
        for (int64_t j = from; p->before && j < to && h.few > 0; j++)
            if (bestdag_proof_precedes(p, c->member[j], v))
                hit(p, c->member[j], &h);
        for (int64_t s = l->first[v]; s < l->first[v + 1] && h.few > 0; s++)
            if (l->remains[s] && misses(p, v, s, h))
                p->rest[s] -= c->y[cluster];
    }
}

/* From now on those of the block are -1 - v. */
static void mark_block(struct kernel_proof *p, int64_t at, int64_t count)
{
    int32_t *member = p->clusters.member;
    for (int64_t i = at; i < at + count; i++)
        if (p->stamp[member[i]] == p->stamps + 1)
            member[i] = -1 - member[i];
}

/* Y a k v1 .. vk [m u1 .. um] */
static int read_cluster(struct kernel_proof *p)
{
    struct kernel_clusters *c = &p->clusters;
    int64_t y, few, count;
    if (bestdag_words_next(p->words))
        return bestdag_run_status(p->run);
    if (!bestdag_words_whole(p->words->word, &y) || y < 1 || y > MOST_SUM)
        return bestdag_words_expected(p->words, "a multiplier above 0");
    if (bestdag_words_integer(p->words, "the number a of the cluster", 1,
                              p->count, &few) ||
        bestdag_words_integer(p->words,
                              "the size of the cluster, more than its number",
                              few + 1, p->count, &count))
        return bestdag_run_status(p->run);
    int64_t at = c->count ? c->start[c->count] : 0;
    int64_t size = count;
    if (grow(p, at + count) || take_members(p, at, count) ||
        take_block(p, &size))
        return bestdag_run_status(p->run);
    if (size <= few)
        return bestdag_words_fail(p->words, "a cluster of rank %lld or less",
                                  (long long)few);
    c->sum += (bestdag_wide)y * few;
    if (c->sum > MOST_SUM)
        return bestdag_words_fail(p->words, "these multipliers are too large");
    c->few[c->count] = (int32_t)few;
    c->y[c->count++] = y;
    c->start[c->count] = at + count;
    apply(p, c->count - 1);
    mark_block(p, at, count);
    return BESTDAG_OK;
}

int bestdag_clusters_read(struct kernel_proof *p)
{
    int64_t count;
    if (bestdag_words_integer(p->words, "the number of clusters", 0,
                              BESTDAG_PROOF_MOST, &count) ||
        bestdag_words_end_line(p->words))
        return bestdag_run_status(p->run);
    bestdag_clusters_reset(p);
    for (int64_t i = 0; i < count; i++) {
        if (read_cluster(p))
            return bestdag_run_status(p->run);
        p->multipliers++;
        if (bestdag_proof_stopped(p))
            return BESTDAG_FAILED;
    }
    return BESTDAG_OK;
}

/* ---- deletions ------------------------------------------------------------
 */

int bestdag_clusters_delete(struct kernel_proof *p)
{
    const struct kernel_lists *l = p->lists;
    struct kernel_part *part = &p->part[p->depth - 1];
    int64_t x;
    bool never;
    if (bestdag_words_integer(p->words, "a cost", -BESTDAG_PROOF_MOST,
                              BESTDAG_PROOF_MOST, &x) ||
        bestdag_words_end_line(p->words))
        return bestdag_run_status(p->run);
    int64_t *pi = bestdag_alloc(p->run, (size_t)p->count * sizeof *pi);
    if (!pi)
        return BESTDAG_MEMORY;
    bestdag_wide value = bestdag_clusters_value(p, pi, &never);
    for (int i = 0; i < p->count && !never; i++) {
        int v = p->member[i];
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            if (l->remains[s] && value + p->rest[s] - pi[i] >= x) {
                l->remains[s] = 0;
                p->deletions++;
            }
    }
    bestdag_free(pi);
    part->least = x < part->least ? x : part->least;
    return BESTDAG_OK;
}
