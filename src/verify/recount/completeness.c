/* SPDX-License-Identifier: MIT */
/* completeness.c -- do the lists lack a parent set that could matter?
 *
 * A list is complete if every allowed set has a listed subset (possibly itself)
 * that scores as well. All sets of a variable are enumerated, depth first, in
 * the order of their members; a set whose ceiling is no higher than the score
 * of a listed subset has no missing supersets. The number of families is
 * limited by a budget, and the answer says how far the enumeration got. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "verify/recount/recount.h"

struct verify_level {
    struct verify_grouping rows; /* owns rows.of */
    double q;
    int next;      /* the candidate to try next */
    int variable;  /* the one that was added here */
    double listed; /* score of the best listed subset */
};

struct verify_walk {
    struct verify_recount *r;
    int v, limit;
    int *candidate; /* owns */
    int candidates;
    struct verify_level *level; /* owns; [levels] */
    int levels, depth;
    int64_t *order; /* owns; sets of v, best first */
    char *in;       /* owns; [n]: is it in the current set? */
};

static int by_score(const void *a, const void *b, void *scores)
{
    const double *score = scores;
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    if (score[x] != score[y])
        return score[x] > score[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* The best score of a listed subset of the current set; -INFINITY: none. */
static double best_listed(const struct verify_walk *w)
{
    const struct kernel_lists *l = w->r->lists;
    int64_t count = l->first[w->v + 1] - l->first[w->v];
    for (int64_t k = 0; k < count; k++) {
        int64_t s = w->order[k], i = l->start[s];
        while (i < l->start[s + 1] && w->in[l->member[i]])
            i++;
        if (i == l->start[s + 1])
            return l->score[s];
    }
    return -INFINITY;
}

static void say_missing(struct verify_walk *w, double score)
{
    struct bestdag_run *run = w->r->run;
    struct bestdag_buffer b = {.run = run};
    for (int d = 1; d <= w->depth; d++)
        bestdag_buffer_format(&b, " %s",
                              w->r->lists->names[w->level[d].variable]);
    snprintf(w->r->wrong, sizeof w->r->wrong,
             "the list of '%.60s' lacks the parents {%.100s }, which score "
             "%.9g",
             w->r->lists->names[w->v], b.at ? b.at : "", score);
    bestdag_buffer_release(&b);
}

static int grow_levels(struct verify_walk *w)
{
    if (w->depth + 1 < w->levels)
        return BESTDAG_OK;
    void *more = bestdag_realloc(w->r->run, w->level,
                                 (size_t)(w->levels + 1) * sizeof *w->level);
    if (!more)
        return BESTDAG_MEMORY;
    w->level = more;
    w->level[w->levels] = (struct verify_level){0};
    w->level[w->levels].rows.of = bestdag_alloc(
        w->r->run, (size_t)(w->r->rows + 1) * sizeof *w->level->rows.of);
    w->levels += w->level[w->levels].rows.of != NULL;
    return bestdag_run_status(w->r->run);
}

/* Checks the set at the new depth: is it listed, or no better than a listed
 * subset? *deeper: a superset could be better. */
static int look(struct verify_walk *w, bool *deeper)
{
    struct verify_level *level = &w->level[w->depth];
    double score, ceiling;
    w->r->numbers = 0;
    for (int d = 1; d <= w->depth; d++)
        if (w->r->value[w->level[d].variable])
            w->r->number[w->r->numbers++] = w->level[d].variable;
    w->r->later = w->candidate + level->next;
    w->r->laters = w->candidates - level->next;
    if (bestdag_recount_score(w->r, w->v, &level->rows, level->q, w->depth,
                              &score, &ceiling))
        return BESTDAG_MEMORY;
    level->listed = best_listed(w);
    if (score > level->listed + bestdag_recount_slack(w->r, score))
        say_missing(w, score);
    *deeper = ceiling > level->listed && w->depth < w->limit;
    return BESTDAG_OK;
}

/* Does the penalty alone exclude any gain from this candidate? */
static bool is_hopeless(const struct verify_walk *w,
                        const struct verify_level *at, int u)
{
    const struct verify_recount *r = w->r;
    return r->formula == VERIFY_FORMULA_PENALISED &&
           -r->weight * (r->states[w->v] - 1) * at->q * r->states[u] -
                   r->arc_cost * (w->depth + 1) <=
               at->listed;
}

/* A number does not split the rows. */
static int join(struct verify_recount *r, const struct verify_grouping *from,
                int u, struct verify_grouping *to)
{
    if (!r->value[u])
        return bestdag_recount_split(r, from, u, to);
    memcpy(to->of, from->of, (size_t)r->rows * sizeof *to->of);
    to->count = from->count;
    return BESTDAG_OK;
}

static int step(struct verify_walk *w)
{
    struct verify_level *at = &w->level[w->depth];
    bool deeper = false;
    if (at->next == w->candidates) {
        if (w->depth)
            w->in[at->variable] = 0;
        w->depth--;
        return BESTDAG_OK;
    }
    int u = w->candidate[at->next++], next = at->next;
    if (is_hopeless(w, at, u))
        return BESTDAG_OK;
    if (grow_levels(w))
        return BESTDAG_MEMORY;
    at = &w->level[w->depth];
    struct verify_level *to = &w->level[w->depth + 1];
    if (join(w->r, &at->rows, u, &to->rows))
        return BESTDAG_MEMORY;
    to->q = at->q * (w->r->value[u] ? 1 : w->r->states[u]);
    to->variable = u;
    to->next = next;
    w->in[u] = 1;
    w->depth++;
    if (look(w, &deeper))
        return BESTDAG_MEMORY;
    if (!deeper) {
        w->in[u] = 0;
        w->depth--;
    }
    return BESTDAG_OK;
}

static void set_limit(struct verify_walk *w, const struct verify_reach *reach)
{
    w->limit = reach->limit < 0 ? w->r->lists->n : reach->limit;
    if (reach->most && reach->most[w->v] < w->limit)
        w->limit = reach->most[w->v];
}

static int walk_variable(struct verify_walk *w,
                         const struct verify_reach *reach)
{
    const uint64_t *allowed = reach->allowed;
    struct verify_recount *r = w->r;
    const struct kernel_lists *l = r->lists;
    size_t words = bestdag_row_words(l->n);
    int64_t count = l->first[w->v + 1] - l->first[w->v];
    bool deeper = false;
    for (int64_t k = 0; k < count; k++)
        w->order[k] = l->first[w->v] + k;
    qsort_r(w->order, (size_t)count, sizeof *w->order, by_score, l->score);
    set_limit(w, reach);
    w->candidates = 0;
    for (int u = 0; u < l->n; u++) /* a variable of one state changes nothing */
        if (u != w->v && r->states[u] > 1 && r->states[w->v] > 1 &&
            (r->value[w->v] || !r->value[u]) &&
            (!allowed || bestdag_row_has(allowed + (size_t)w->v * words, u)))
            w->candidate[w->candidates++] = u;
    bestdag_recount_rank(r, w->v, w->candidate, w->candidates);
    memset(w->in, 0, (size_t)l->n);
    w->depth = -1;
    if (grow_levels(w))
        return BESTDAG_MEMORY;
    w->depth = 0;
    bestdag_recount_whole(r, &w->level[0].rows);
    w->level[0].q = 1;
    w->level[0].next = 0;
    int status = look(w, &deeper);
    w->depth = deeper ? 0 : -1;
    while (!status && w->depth >= 0 && r->budget > 0 && !r->wrong[0]) {
        status = step(w);
        if (!status && bestdag_run_watch(r->run, r->families))
            status = bestdag_fail(r->run, BESTDAG_FAILED,
                                  "verification was stopped");
    }
    r->complete += !status && w->depth < 0 && !r->wrong[0];
    return status;
}

int bestdag_recount_completeness(struct verify_recount *r,
                                 const struct verify_reach *reach)
{
    const struct kernel_lists *l = r->lists;
    int64_t longest = 0;
    struct verify_walk w = {.r = r};
    for (int v = 0; v < l->n; v++)
        if (l->first[v + 1] - l->first[v] > longest)
            longest = l->first[v + 1] - l->first[v];
    w.candidate = bestdag_calloc(r->run, (size_t)l->n + 1, sizeof *w.candidate);
    w.order = bestdag_calloc(r->run, (size_t)longest + 1, sizeof *w.order);
    w.in = bestdag_calloc(r->run, (size_t)l->n + 1, 1);
    int status = bestdag_run_status(r->run);
    r->enumerated = true;
    bestdag_run_phase(r->run, "enumerating", 0);
    for (w.v = 0; w.v < l->n && !status && r->budget > 0 && !r->wrong[0]; w.v++)
        status = walk_variable(&w, reach);
    for (int i = 0; i < w.levels; i++)
        bestdag_free(w.level[i].rows.of);
    bestdag_free(w.level);
    bestdag_free(w.candidate);
    bestdag_free(w.order);
    bestdag_free(w.in);
    return bestdag_run_status(r->run);
}
