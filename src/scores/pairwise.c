/* SPDX-License-Identifier: MIT */
/* pairwise.c -- the families of a child with one parent, all parents at once.
 *
 * Parents with equally many states share the functions of a cell; since places
 * ascend in states, they are runs of places, which counts/pairs.h counts in
 * blocks. A pair without bit columns, or with too many states for them, is
 * counted by a tally whose path is the child. Scores that are by_family compute
 * every family on its own.
 *
 * Every pair of variables is counted twice, once from either side. Keeping the
 * first count would take n^2 / 2 numbers, 400 MB for 10,000 variables, to save
 * less than a millisecond per variable. Memory: 56 bytes per variable. */
#include "scores/pairwise.h"

#include "counts/pairs.h"
#include "data/shards.h"
#include "scores/score.h"

struct bestdag_pairwise {
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    struct bestdag_scorer_scratch *scratch; /* borrowed */
    struct bestdag_pairs *pairs;            /* owns */
    int64_t **margin;                       /* owns; [n]: pointers into
                                               margins */
    int64_t *margins;                       /* owns */
    int64_t *joint;                         /* owns; [n]: sum of n ln n */
    int *occur;                             /* owns; [n]: states that occur */
    struct bestdag_family *family;          /* owns; [n] */
    struct bestdag_pair *pair;              /* owns; [n] */
};

/* ---- margins ---------------------------------------------------------- */

static void count_margin(struct bestdag_pairwise *p, int v)
{
    const struct bestdag_scorer *s = p->scorer;
    const struct bestdag_columns *c = s->columns;
    const struct bestdag_column *column = &s->table->column[v];
    int64_t *margin = p->margin[v];
    if (c->place[v] < c->bit_places) {
        const int32_t *from = bestdag_pairs_margin(p->pairs, c->place[v]);
        for (int k = 0; k < s->states[v]; k++)
            margin[k] = from[k];
    } else if (bestdag_columns_are_sharded(c)) {
        struct bestdag_shard_request request = {.variables = &v, .count = 1};
        bestdag_shards_count(p->run, s->table, &request, margin);
    } else {
        for (int64_t row = 0; row < c->rows; row++)
            margin[bestdag_column_code(column, row)] +=
                bestdag_columns_weight(c, row);
    }
    for (int k = 0; k < s->states[v]; k++) {
        p->joint[v] += bestdag_score_terms_at(s->xlogx, margin[k]);
        p->occur[v] += margin[k] > 0;
    }
}

static int make_margins(struct bestdag_pairwise *p)
{
    const struct bestdag_scorer *s = p->scorer;
    size_t n = (size_t)s->n, cells = 1;
    for (int v = 0; v < s->n; v++)
        cells += (size_t)s->states[v];
    p->margin = bestdag_alloc(p->run, n * sizeof *p->margin);
    p->margins = bestdag_calloc(p->run, cells, sizeof *p->margins);
    p->joint = bestdag_calloc(p->run, n, sizeof *p->joint);
    p->occur = bestdag_calloc(p->run, n, sizeof *p->occur);
    if (!p->margin || !p->margins || !p->joint || !p->occur)
        return BESTDAG_MEMORY;
    int64_t *next = p->margins;
    for (int v = 0; v < s->n; v++) {
        p->margin[v] = next;
        next += s->states[v];
        count_margin(p, v);
    }
    return BESTDAG_OK;
}

/* ---- allocation ---------------------------------------------------------- */

struct bestdag_pairwise *bestdag_pairwise_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    struct bestdag_scorer_scratch *scratch)
{
    struct bestdag_pairwise *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    size_t n = (size_t)scorer->n;
    p->run = run;
    p->scorer = scorer;
    p->scratch = scratch;
    p->family = bestdag_alloc(run, n * sizeof *p->family);
    if (p->family && scorer->type->families)
        return p;
    p->pairs = bestdag_pairs_new(run, scorer->columns);
    p->pair = bestdag_alloc(run, n * sizeof *p->pair);
    if (p->pairs && p->family && p->pair && !make_margins(p))
        return p;
    bestdag_pairwise_free(p);
    return NULL;
}

void bestdag_pairwise_free(struct bestdag_pairwise *p)
{
    if (!p)
        return;
    bestdag_pairs_free(p->pairs);
    bestdag_free(p->margin);
    bestdag_free(p->margins);
    bestdag_free(p->joint);
    bestdag_free(p->occur);
    bestdag_free(p->family);
    bestdag_free(p->pair);
    bestdag_free(p);
}

/* ---- scores ------------------------------------------------------------- */

/* What the pairs of a child with parents of equally many states share. */
struct like {
    int child;
    const struct bestdag_score_terms *bottom, *terms[2];
    int count;       /* of terms */
    int64_t penalty; /* units */
};

static int find_like(const struct bestdag_scorer *s, int child, int parent,
                     struct like *to)
{
    double states = s->states[parent];
    to->child = child;
    to->bottom = bestdag_scorer_terms(s, s->bottom[child], states);
    to->terms[0] = s->xlogx;
    to->terms[1] =
        bestdag_scorer_terms(s, s->top[child], states * s->states[child]);
    if (!to->bottom || !to->terms[1])
        return BESTDAG_MEMORY;
    to->count = to->terms[1]->a < 0 ? 1 : 2;
    to->penalty = bestdag_scorer_penalty(s, child, &parent, 1);
    return BESTDAG_OK;
}

static void set_family(struct bestdag_pairwise *p, const struct like *like,
                       int parent, const struct bestdag_pair *pair)
{
    const struct bestdag_scorer *s = p->scorer;
    int64_t likelihood = pair->sum[0] - p->joint[parent];
    int64_t score = likelihood;
    if (like->count > 1) {
        score = pair->sum[1];
        for (int k = 0; k < s->states[parent]; k++)
            score -= bestdag_score_terms_at(like->bottom, p->margin[parent][k]);
    }
    p->family[parent] =
        (struct bestdag_family){.score = s->factor * score - like->penalty,
                                .likelihood = likelihood,
                                .parents_joint = p->joint[parent],
                                .configurations = p->occur[parent],
                                .cells = pair->cells};
}

/* The end of the run of places with equally many states that begins at
 * `from`. */
static int end_of_like(const struct bestdag_scorer *s, int from)
{
    const int *order = s->columns->order;
    int end = from + 1;
    while (end < s->n && s->states[order[end]] == s->states[order[from]])
        end++;
    return end;
}

static int score_by_bits(struct bestdag_pairwise *p, const struct like *like,
                         int from, int end)
{
    const struct bestdag_columns *c = p->scorer->columns;
    for (int next; from < end; from = next) {
        if (bestdag_run_stopped(p->run))
            return BESTDAG_OK;
        next = bestdag_pairs_end(p->pairs, from);
        next = next < end ? next : end;
        bestdag_pairs_sum(p->pairs, c->place[like->child], from, next,
                          like->terms, like->count, p->pair);
        for (int place = from; place < next; place++)
            set_family(p, like, c->order[place], &p->pair[place - from]);
    }
    return BESTDAG_OK;
}

static int score_by_tally(struct bestdag_pairwise *p, const struct like *like,
                          int from, int end)
{
    struct bestdag_tally *t = bestdag_scorer_scratch_tally(p->scratch);
    if (bestdag_tally_path(t, &like->child, 1) ||
        bestdag_tally_ahead(t, p->scorer->order + from, end - from))
        return BESTDAG_MEMORY;
    for (int place = from; place < end && !bestdag_run_stopped(p->run);
         place++) {
        int parent = p->scorer->columns->order[place];
        struct bestdag_pair pair;
        if (bestdag_tally_sum(t, parent, like->terms, like->count, pair.sum,
                              &pair.cells))
            return BESTDAG_MEMORY;
        set_family(p, like, parent, &pair);
    }
    return BESTDAG_OK;
}

/* Scores ascending parents, without the child, many at once. */
static int add_each(struct bestdag_pairwise *p, int child, const int *parents,
                    int count)
{
    struct bestdag_family to[BESTDAG_MOST_ADDED];
    struct bestdag_added_families ask = {
        .child = child, .added = parents, .many = count};
    if (bestdag_run_stopped(p->run))
        return BESTDAG_OK;
    if (bestdag_scorer_add_each(p->scorer, p->scratch, &ask, to))
        return BESTDAG_MEMORY;
    for (int i = 0; i < count; i++)
        p->family[parents[i]] = to[i];
    return BESTDAG_OK;
}

/* Scores all parents from this place on, which are marked as not reached. */
static int add_all(struct bestdag_pairwise *p, int child, int first)
{
    const int *order = p->scorer->order;
    int n = p->scorer->n;
    for (int from = first, end; from < n; from = end) {
        end = from + 1;
        if (order[from] == child)
            continue;
        while (end < n && end < from + BESTDAG_MOST_ADDED &&
               order[end] != child && order[end] > order[end - 1])
            end++;
        if (add_each(p, child, order + from, end - from))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

const struct bestdag_family *bestdag_pairwise_score_some(
    struct bestdag_pairwise *p, int child, const int *parents, int count)
{
    for (int i = 0; i < count; i++) {
        int parent = parents[i];
        if (bestdag_run_stopped(p->run))
            p->family[parent].configurations = -1;
        else if (bestdag_scorer_family(p->scorer, p->scratch, child, &parent, 1,
                                       &p->family[parent]))
            return NULL;
    }
    return p->family;
}

/* Scores all parents from this place on. */
static const struct bestdag_family *score_from(struct bestdag_pairwise *p,
                                               int child, int first)
{
    const struct bestdag_scorer *s = p->scorer;
    const int *order = s->order;
    for (int i = first; i < s->n; i++)
        p->family[order[i]].configurations = -1;
    if (bestdag_scorer_can_add(s))
        return add_all(p, child, first) ? NULL : p->family;
    for (int i = first; i < s->n && s->by_family; i++)
        if (order[i] != child &&
            !bestdag_pairwise_score_some(p, child, &order[i], 1))
            return NULL;
    for (int from = first, end; from < s->n && !s->by_family; from = end) {
        struct like like;
        int place = s->columns->place[child];
        end = end_of_like(s, from);
        bool bits = bestdag_pairs_can(p->pairs, place, from);
        if (find_like(s, child, order[from], &like) ||
            (bits ? score_by_bits : score_by_tally)(p, &like, from, end))
            return NULL;
    }
    return p->family;
}

const struct bestdag_family *bestdag_pairwise_score(struct bestdag_pairwise *p,
                                                    int child)
{
    return score_from(p, child, 0);
}

const struct bestdag_family *bestdag_pairwise_score_after(
    struct bestdag_pairwise *p, int child)
{
    int place = 0;
    while (p->scorer->order[place] != child)
        place++;
    return score_from(p, child, place + 1);
}
