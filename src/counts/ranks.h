/* SPDX-License-Identifier: MIT */
/* ranks.h -- ranks of subsets in lexicographic order.
 *
 * The subsets of size k of n elements, each ascending, are numbered in
 * lexicographic order. Those that share all but their last member l have ranks
 * base + l. */
#ifndef BESTDAG_COUNTS_RANKS_H
#define BESTDAG_COUNTS_RANKS_H

#include "base/run.h"

#include <assert.h>

enum { BESTDAG_RANK_MOST = 24 }; /* members of a set */

struct bestdag_ranks {
    int n;
    int64_t *choose; /* owns; [(n + 1) * (BESTDAG_RANK_MOST + 1)] */
};

/* n choose k; INT64_MAX if it exceeds 2^60. */
static inline int64_t bestdag_choose(const struct bestdag_ranks *r, int n,
                                     int k)
{
    assert(n <= r->n && k >= 0 && k <= BESTDAG_RANK_MOST);
    return n < 0 ? 0 : r->choose[n * (BESTDAG_RANK_MOST + 1) + k];
}

static inline int bestdag_ranks_init(struct bestdag_run *run,
                                     struct bestdag_ranks *r, int n)
{
    const int64_t most = (int64_t)1 << 60;
    enum { WIDTH = BESTDAG_RANK_MOST + 1 };
    r->n = n;
    r->choose = bestdag_calloc(run, ((size_t)n + 1) * WIDTH, sizeof *r->choose);
    if (!r->choose)
        return BESTDAG_MEMORY;
    for (int i = 0; i <= n; i++) {
        r->choose[i * WIDTH] = 1;
        for (int k = 1; i && k < WIDTH; k++) {
            int64_t a = r->choose[(i - 1) * WIDTH + k - 1];
            int64_t b = r->choose[(i - 1) * WIDTH + k];
            r->choose[i * WIDTH + k] =
                a > most || b > most || a + b > most ? INT64_MAX : a + b;
        }
    }
    return BESTDAG_OK;
}

/* Adding l gives the rank of set[0 .. count - 1] + l, with l behind the set. */
static inline int64_t bestdag_rank_base(const struct bestdag_ranks *r,
                                        const int *set, int count)
{
    int64_t rank = bestdag_choose(r, r->n, count + 1) - r->n;
    for (int i = 0; i < count; i++)
        rank -= bestdag_choose(r, r->n - 1 - set[i], count + 1 - i);
    return rank;
}

static inline int64_t bestdag_rank(const struct bestdag_ranks *r,
                                   const int *set, int count)
{
    return count ? bestdag_rank_base(r, set, count - 1) + set[count - 1] : 0;
}

/* The next set in lexicographic order; false after the last. */
static inline bool bestdag_rank_next(int n, int *set, int count)
{
    int i = count - 1;
    while (i >= 0 && set[i] == n - count + i)
        i--;
    if (i < 0)
        return false;
    set[i]++;
    for (int j = i + 1; j < count; j++)
        set[j] = set[j - 1] + 1;
    return true;
}

#endif
