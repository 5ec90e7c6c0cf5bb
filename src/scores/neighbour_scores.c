/* SPDX-License-Identifier: MIT */
/* neighbour_scores.c -- the scores of a family's neighbours. */
#include "scores/neighbour_scores.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/invariant.h"
#include "scores/score.h"

struct bestdag_neighbour_scores {
    const struct bestdag_scorer *scorer;
    struct bestdag_scorer_scratch *scratch; /* owns */
    int64_t limit;
    int *set;        /* owns; [n]: the parents with one more or less */
    int *ahead;      /* owns; [n]: variables to count together */
    int *parents;    /* owns; [n]: parents that `bottom` belongs to */
    int count;       /* of `parents` */
    int function;    /* of `bottom`; -1: none yet */
    int64_t *bottom; /* owns; [n]: sums of parents + u */
    bool *known;     /* owns; [n]: bottom[u] is computed */
};

int64_t bestdag_neighbour_scores_limit(const struct bestdag_scorer *scorer)
{
    return BESTDAG_UNITS_MOST / (scorer->n + 1);
}

struct bestdag_neighbour_scores *bestdag_neighbour_scores_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer)
{
    struct bestdag_neighbour_scores *t = bestdag_calloc(run, 1, sizeof *t);
    if (!t)
        return NULL;
    size_t n = (size_t)scorer->n;
    t->scorer = scorer;
    t->limit = bestdag_neighbour_scores_limit(scorer);
    t->function = -1;
    t->scratch = bestdag_scorer_scratch_new(run, scorer);
    t->set = bestdag_alloc(run, n * sizeof *t->set);
    t->ahead = bestdag_alloc(run, n * sizeof *t->ahead);
    t->parents = bestdag_alloc(run, n * sizeof *t->parents);
    t->bottom = bestdag_alloc(run, n * sizeof *t->bottom);
    t->known = bestdag_alloc(run, n * sizeof *t->known);
    if (t->scratch && t->set && t->ahead && t->parents && t->bottom && t->known)
        return t;
    bestdag_neighbour_scores_free(t);
    return NULL;
}

void bestdag_neighbour_scores_free(struct bestdag_neighbour_scores *t)
{
    if (!t)
        return;
    bestdag_scorer_scratch_free(t->scratch);
    bestdag_free(t->set);
    bestdag_free(t->ahead);
    bestdag_free(t->parents);
    bestdag_free(t->bottom);
    bestdag_free(t->known);
    bestdag_free(t);
}

int bestdag_neighbour_score(const int *set, int count, int u, int *to)
{
    assert(bestdag_is_set(set, count, INT_MAX));
    int size = 0, i = 0;
    while (i < count && set[i] < u)
        to[size++] = set[i++];
    if (i < count && set[i] == u)
        i++;
    else
        to[size++] = u;
    while (i < count)
        to[size++] = set[i++];
    return size;
}

static int64_t guarded(const struct bestdag_neighbour_scores *t, int64_t score)
{
    return score > -2 * t->limit ? score : BESTDAG_NO_FAMILY;
}

static int score_plainly(struct bestdag_neighbour_scores *t,
                         const struct bestdag_neighbours *ask,
                         const int *parents, int count, int64_t *score)
{
    struct bestdag_family family;
    if (bestdag_scorer_penalty(t->scorer, ask->child, parents, count) >=
        t->limit) {
        *score = BESTDAG_NO_FAMILY;
        return BESTDAG_OK;
    }
    if (bestdag_scorer_family(t->scorer, t->scratch, ask->child, parents, count,
                              &family))
        return BESTDAG_MEMORY;
    *score = guarded(t, family.score);
    return BESTDAG_OK;
}

/* Scores the family itself, and those with one parent less. */
static int score_drops(struct bestdag_neighbour_scores *t,
                       const struct bestdag_neighbours *ask)
{
    for (int i = 0; i < ask->count; i++) {
        int u = ask->parents[i];
        if (u < ask->from || u >= ask->to)
            continue;
        int count =
            bestdag_neighbour_score(ask->parents, ask->count, u, t->set);
        if (score_plainly(t, ask, t->set, count, &ask->score[u]))
            return BESTDAG_MEMORY;
    }
    if (ask->child < ask->from || ask->child >= ask->to)
        return BESTDAG_OK;
    int64_t *own = &ask->score[ask->child];
    int status = score_plainly(t, ask, ask->parents, ask->count, own);
    if (*own == BESTDAG_NO_FAMILY)
        *own = -2 * t->limit;
    return status;
}

/* Is u to be added, and requested? `next` moves along the parents while u
 * ascends. */
static bool is_new(const struct bestdag_neighbours *ask, int u, int *next)
{
    while (*next < ask->count && ask->parents[*next] < u)
        ++*next;
    return u != ask->child && (!ask->among || ask->among[u]) &&
           (*next == ask->count || ask->parents[*next] != u);
}

/* Clears the sums if they belong to other parents. */
static void begin_bottoms(struct bestdag_neighbour_scores *t,
                          const struct bestdag_neighbours *ask)
{
    size_t bytes = (size_t)ask->count * sizeof *ask->parents;
    int function = t->scorer->bottom[ask->child];
    if (t->function == function && t->count == ask->count &&
        (!bytes || !memcmp(t->parents, ask->parents, bytes)))
        return;
    memset(t->known, 0, (size_t)t->scorer->n * sizeof *t->known);
    t->function = function;
    t->count = ask->count;
    if (bytes)
        memcpy(t->parents, ask->parents, bytes);
}

/* The sum over the cells of the tally's path and u. */
static int add_up(struct bestdag_tally *tally,
                  const struct bestdag_score_terms *terms, int u, int64_t *sum)
{
    int64_t cells;
    if (!terms || bestdag_tally_sum(tally, u, &terms, 1, sum, &cells))
        return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

/* If rows are spread over ranks: counts the tables of all u that will be
 * scored. */
static int count_ahead(struct bestdag_neighbour_scores *t,
                       struct bestdag_tally *tally,
                       const struct bestdag_neighbours *ask)
{
    int next = 0, wanted = 0;
    if (!bestdag_columns_are_sharded(t->scorer->columns))
        return BESTDAG_OK;
    for (int u = ask->from; u < ask->to; u++) {
        if (!is_new(ask, u, &next))
            continue;
        int count =
            bestdag_neighbour_score(ask->parents, ask->count, u, t->set);
        if (bestdag_scorer_penalty(t->scorer, ask->child, t->set, count) <
            t->limit)
            t->ahead[wanted++] = u;
    }
    return bestdag_tally_ahead(tally, t->ahead, wanted);
}

/* Computes bottom(P + u) where it is not known; marks in `score` families that
 * are not scored. */
static int sum_bottoms(struct bestdag_neighbour_scores *t,
                       struct bestdag_tally *tally,
                       const struct bestdag_neighbours *ask)
{
    const struct bestdag_scorer *s = t->scorer;
    int next = 0;
    for (int u = ask->from; u < ask->to; u++) {
        if (!is_new(ask, u, &next))
            continue;
        int count =
            bestdag_neighbour_score(ask->parents, ask->count, u, t->set);
        int64_t penalty = bestdag_scorer_penalty(s, ask->child, t->set, count);
        ask->score[u] = penalty < t->limit ? -penalty : BESTDAG_NO_FAMILY;
        if (penalty >= t->limit || t->known[u])
            continue;
        double states = bestdag_scorer_joint_states(s, t->set, count);
        if (add_up(tally, bestdag_scorer_terms(s, t->function, states), u,
                   &t->bottom[u]))
            return BESTDAG_MEMORY;
        t->known[u] = true;
    }
    return BESTDAG_OK;
}

static int sum_tops(struct bestdag_neighbour_scores *t,
                    struct bestdag_tally *tally,
                    const struct bestdag_neighbours *ask)
{
    const struct bestdag_scorer *s = t->scorer;
    int next = 0, top = s->top[ask->child];
    for (int u = ask->from; u < ask->to; u++) {
        int64_t sum;
        if (!is_new(ask, u, &next) || ask->score[u] == BESTDAG_NO_FAMILY)
            continue;
        int count =
            bestdag_neighbour_score(ask->parents, ask->count, u, t->set);
        double states = bestdag_scorer_joint_states(s, t->set, count) *
                        s->states[ask->child];
        if (add_up(tally, bestdag_scorer_terms(s, top, states), u, &sum))
            return BESTDAG_MEMORY;
        ask->score[u] =
            guarded(t, ask->score[u] + s->factor * (sum - t->bottom[u]));
    }
    return BESTDAG_OK;
}

/* Adds parents, by two sums each. */
static int score_adds(struct bestdag_neighbour_scores *t,
                      const struct bestdag_neighbours *ask)
{
    struct bestdag_tally *tally = bestdag_scorer_scratch_tally(t->scratch);
    begin_bottoms(t, ask);
    if (bestdag_tally_path(tally, ask->parents, ask->count) ||
        count_ahead(t, tally, ask) || sum_bottoms(t, tally, ask))
        return BESTDAG_MEMORY;
    if (ask->count)
        memcpy(t->set, ask->parents, (size_t)ask->count * sizeof *t->set);
    t->set[ask->count] = ask->child;
    if (bestdag_tally_path(tally, t->set, ask->count + 1) ||
        count_ahead(t, tally, ask))
        return BESTDAG_MEMORY;
    return sum_tops(t, tally, ask);
}

/* Adds parents one by one, for scores that look at each cell. */
static int score_adds_plainly(struct bestdag_neighbour_scores *t,
                              const struct bestdag_neighbours *ask)
{
    int next = 0;
    for (int u = ask->from; u < ask->to; u++) {
        if (!is_new(ask, u, &next))
            continue;
        int count =
            bestdag_neighbour_score(ask->parents, ask->count, u, t->set);
        if (score_plainly(t, ask, t->set, count, &ask->score[u]))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Scores several families with one additional parent at once. */
static int score_some(struct bestdag_neighbour_scores *t,
                      const struct bestdag_neighbours *ask, const int *added,
                      int many)
{
    struct bestdag_family to[BESTDAG_MOST_ADDED];
    struct bestdag_added_families some = {.child = ask->child,
                                          .parents = ask->parents,
                                          .count = ask->count,
                                          .added = added,
                                          .many = many};
    if (bestdag_scorer_add_each(t->scorer, t->scratch, &some, to))
        return BESTDAG_MEMORY;
    for (int i = 0; i < many; i++)
        ask->score[added[i]] = guarded(t, to[i].score);
    return BESTDAG_OK;
}

static int score_adds_at_once(struct bestdag_neighbour_scores *t,
                              const struct bestdag_neighbours *ask)
{
    int added[BESTDAG_MOST_ADDED], many = 0, next = 0;
    for (int u = ask->from; u < ask->to; u++) {
        if (!is_new(ask, u, &next))
            continue;
        added[many++] = u;
        if (many < BESTDAG_MOST_ADDED)
            continue;
        if (score_some(t, ask, added, many))
            return BESTDAG_MEMORY;
        many = 0;
    }
    return many ? score_some(t, ask, added, many) : BESTDAG_OK;
}

static bool has_large_penalty(const struct bestdag_neighbour_scores *t,
                              const struct bestdag_neighbours *ask)
{
    return t->scorer->additive &&
           bestdag_scorer_penalty(t->scorer, ask->child, NULL,
                                  ask->count + 1) >= t->limit;
}

int bestdag_neighbour_scores_scores(struct bestdag_neighbour_scores *t,
                                    const struct bestdag_neighbours *ask)
{
    int next = 0;
    if (score_drops(t, ask))
        return BESTDAG_MEMORY;
    if (ask->adds && bestdag_scorer_can_add(t->scorer) &&
        !has_large_penalty(t, ask))
        return score_adds_at_once(t, ask);
    if (ask->adds)
        return t->scorer->by_family ||
                       bestdag_scorer_is_constrained(t->scorer, ask->child)
                   ? score_adds_plainly(t, ask)
                   : score_adds(t, ask);
    for (int u = ask->from; u < ask->to; u++)
        if (is_new(ask, u, &next))
            ask->score[u] = BESTDAG_NO_FAMILY;
    return BESTDAG_OK;
}
