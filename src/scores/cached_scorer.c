/* SPDX-License-Identifier: MIT */
/* cached_scorer.c -- a cache of scores. */
#include "scores/cached_scorer.h"

enum { MEMO_BYTES = 1 << 30 }; /* of cached scores, at most */

/* Half of what the memory limit leaves, for both caches together. */
static int64_t memo_bytes(const struct bestdag_run *run)
{
    int64_t limit = bestdag_memory_limit(run);
    int64_t left = (limit - bestdag_memory_used(run)) / 2;
    if (!limit || left > MEMO_BYTES)
        return MEMO_BYTES;
    return left > 0 ? left : 0;
}

int bestdag_shared_scores_init(struct bestdag_run *run,
                               struct bestdag_shared_scores *a,
                               const struct bestdag_scorer *scorer,
                               int max_parents)
{
    int64_t bytes = memo_bytes(run);
    int n = scorer->n;
    *a = (struct bestdag_shared_scores){.scorer = scorer,
                                        .words = bestdag_row_words(n)};
    a->max_parents = max_parents < 0 || max_parents >= n ? n - 1 : max_parents;
    a->family = bestdag_score_cache_new(run, a->words, 1, bytes / 4);
    a->row = bestdag_score_cache_new(run, a->words, n, bytes - bytes / 4);
    return bestdag_run_status(run);
}

void bestdag_shared_scores_limit(const struct bestdag_run *run,
                                 struct bestdag_shared_scores *a)
{
    int64_t bytes = memo_bytes(run);
    bestdag_score_cache_limit(a->family, bytes / 4);
    bestdag_score_cache_limit(a->row, bytes - bytes / 4);
}

void bestdag_shared_scores_release(struct bestdag_shared_scores *a)
{
    bestdag_score_cache_free(a->family);
    bestdag_score_cache_free(a->row);
    *a = (struct bestdag_shared_scores){0};
}

int bestdag_cached_scorer_init(struct bestdag_run *run,
                               struct bestdag_cached_scorer *a,
                               const struct bestdag_shared_scores *shared)
{
    size_t n = (size_t)shared->scorer->n;
    *a = (struct bestdag_cached_scorer){.run = run, .shared = shared};
    a->scratch = bestdag_scorer_scratch_new(run, shared->scorer);
    a->toggle = bestdag_neighbour_scores_new(run, shared->scorer);
    a->list = bestdag_alloc(run, (n + 1) * sizeof *a->list);
    a->scores = bestdag_alloc(run, n * sizeof *a->scores);
    return bestdag_run_status(run);
}

void bestdag_cached_scorer_release(struct bestdag_cached_scorer *a)
{
    bestdag_scorer_scratch_free(a->scratch);
    bestdag_neighbour_scores_free(a->toggle);
    bestdag_free(a->list);
    bestdag_free(a->scores);
    *a = (struct bestdag_cached_scorer){0};
}

static int list_parents(struct bestdag_cached_scorer *a,
                        const uint64_t *parents)
{
    int count = 0;
    for (int u = bestdag_row_next(parents, a->shared->words, 0); u >= 0;
         u = bestdag_row_next(parents, a->shared->words, u + 1))
        a->list[count++] = u;
    return count;
}

static int64_t score(struct bestdag_cached_scorer *a, int child,
                     const uint64_t *parents)
{
    const struct bestdag_scorer *s = a->shared->scorer;
    struct bestdag_family family;
    int count = list_parents(a, parents);
    if (bestdag_scorer_penalty(s, child, a->list, count) >=
            bestdag_neighbour_scores_limit(s) ||
        bestdag_scorer_family(s, a->scratch, child, a->list, count, &family) ||
        family.score <= -BESTDAG_UNITS_MOST)
        return BESTDAG_NO_FAMILY;
    return family.score;
}

int64_t bestdag_cached_score(struct bestdag_cached_scorer *a, int child,
                             const uint64_t *parents)
{
    const int64_t *known =
        bestdag_score_cache_find(a->shared->family, child, parents);
    a->asked++;
    if (known)
        return *known;
    a->counted++;
    int64_t units = score(a, child, parents);
    bestdag_score_cache_keep(a->shared->family, child, parents, &units);
    return units;
}

const int64_t *bestdag_cached_scores_row(struct bestdag_cached_scorer *a,
                                         int child, const uint64_t *parents)
{
    const int64_t *known =
        bestdag_score_cache_find(a->shared->row, child, parents);
    int n = a->shared->scorer->n;
    a->asked += n;
    if (known)
        return known;
    a->counted += n;
    int count = list_parents(a, parents);
    struct bestdag_neighbours ask = {.child = child,
                                     .parents = a->list,
                                     .count = count,
                                     .adds = count < a->shared->max_parents,
                                     .to = n,
                                     .score = a->scores};
    for (int u = 0; u < n; u++)
        a->scores[u] = BESTDAG_NO_FAMILY;
    if (bestdag_neighbour_scores_scores(a->toggle, &ask))
        return NULL;
    known = bestdag_score_cache_keep(a->shared->row, child, parents, a->scores);
    return known ? known : a->scores;
}
