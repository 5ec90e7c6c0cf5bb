/* SPDX-License-Identifier: MIT */
/* likely_parents.c -- for each variable the few others that score best as its
 * only parent, and the next best. Time: all pairs. Memory: 8 bytes for each
 * likely parent, 4 for each of the next, and 72 per variable and thread. */
#include "parents/likely_parents.h"

#include <stdlib.h>
#include <string.h>

#include "parallel/parallel.h"
#include "parents/pair_workers.h"

enum { WIDE = 8 }; /* the next best are this many times as many */

struct job {
    struct bestdag_run *run;
    struct bestdag_likely_parents *to;
    const struct bestdag_scorer *scorer;
    const struct bestdag_knowledge *knowledge; /* NULL: no rules */
    int most;
    struct bestdag_pair_workers workers; /* owns */
};

/* ---- one variable -------------------------------------------------------- */

/* Moves the best `most` to the front, by quickselect. */
static void select_best(struct bestdag_ranked_parent *at, int count, int most)
{
    int low = 0, high = count - 1;
    while (low < high) {
        struct bestdag_ranked_parent pivot = at[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (bestdag_ranked_is_better(&at[i], &pivot))
                i++;
            while (bestdag_ranked_is_better(&pivot, &at[j]))
                j--;
            if (i <= j) {
                struct bestdag_ranked_parent swap = at[i];
                at[i++] = at[j];
                at[j--] = swap;
            }
        }
        if (most <= j)
            high = j;
        else if (most >= i)
            low = i;
        else
            return;
    }
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool is_allowed(const struct job *job, int child, int v)
{
    return v != child && job->scorer->states[v] > 1 &&
           (!job->knowledge ||
            bestdag_knowledge_allows(job->knowledge, child, v));
}

static int *sorted_copy(struct bestdag_run *run,
                        const struct bestdag_ranked_parent *ranked, int count)
{
    int *at = bestdag_alloc(run, (size_t)count * sizeof *at);
    for (int i = 0; at && i < count; i++)
        at[i] = ranked[i].variable;
    if (at && count)
        qsort(at, (size_t)count, sizeof *at, ascending);
    return at;
}

static int keep_best(struct job *job, int child,
                     struct bestdag_ranked_parent *ranked, int count)
{
    struct bestdag_likely_parents *to = job->to;
    int64_t room = (int64_t)job->most * (WIDE + 1);
    int all = room < count ? (int)room : count;
    int few = job->most < count ? job->most : count;
    if (all < count)
        select_best(ranked, count, all);
    if (few < all)
        select_best(ranked, all, few);
    to->at[child] = sorted_copy(job->run, ranked, few);
    to->wide[child] = sorted_copy(job->run, ranked + few, all - few);
    if (!to->at[child] || !to->wide[child])
        return bestdag_run_status(job->run);
    to->count[child] = few;
    to->wides[child] = all - few;
    return BESTDAG_OK;
}

static int work(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_likely_parents *to = job->to;
    struct bestdag_ranked_parent *ranked = job->workers.at[worker].ranked;
    int child = (int)item, count = 0;
    if (job->scorer->states[child] < 2)
        return BESTDAG_OK;
    const struct bestdag_family *family =
        bestdag_pairwise_score(job->workers.at[worker].pairwise, child);
    for (int v = 0; family && v < to->n; v++)
        if (is_allowed(job, child, v) && family[v].configurations >= 0 &&
            !bestdag_scorer_lacks(job->scorer, child, family[v].score))
            ranked[count++] =
                (struct bestdag_ranked_parent){family[v].score, v};
    return family ? keep_best(job, child, ranked, count)
                  : bestdag_run_status(job->run);
}

/* ---- symmetry ------------------------------------------------------------ */

/* Sorts the list of v and removes duplicates. */
static void settle(struct bestdag_likely_parents *to, int v)
{
    int *at = to->at[v], count = 0;
    if (to->count[v])
        qsort(at, (size_t)to->count[v], sizeof *at, ascending);
    for (int i = 0; i < to->count[v]; i++)
        if (!count || at[i] != at[count - 1])
            at[count++] = at[i];
    to->count[v] = count;
}

/* Adds u to the list of v if v is in the list of u. */
static int turn_round(struct job *job)
{
    struct bestdag_likely_parents *to = job->to;
    size_t n = (size_t)to->n;
    int *own = bestdag_alloc(job->run, n * sizeof *own);
    int *more = bestdag_calloc(job->run, n, sizeof *more);
    for (int v = 0; own && more && v < to->n; v++) {
        own[v] = to->count[v];
        for (int i = 0; i < own[v]; i++)
            more[to->at[v][i]]++;
    }
    for (int v = 0; own && more && v < to->n; v++) {
        int *at = bestdag_realloc(job->run, to->at[v],
                                  (size_t)(own[v] + more[v]) * sizeof *at);
        if (!at)
            break;
        to->at[v] = at;
    }
    for (int v = 0; !bestdag_run_status(job->run) && v < to->n; v++)
        for (int i = 0; i < own[v]; i++) {
            int u = to->at[v][i];
            if (is_allowed(job, u, v))
                to->at[u][to->count[u]++] = v;
        }
    for (int v = 0; !bestdag_run_status(job->run) && v < to->n; v++)
        settle(to, v);
    bestdag_free(own);
    bestdag_free(more);
    return bestdag_run_status(job->run);
}

/* ---- all variables ------------------------------------------------------- */

static void pass_some(struct job *job, struct bestdag_archive *p, int **at,
                      int *count)
{
    void *to = *at;
    int64_t some = *count;
    BESTDAG_PASS(p, some);
    bestdag_archive_array(p, job->run, &to, some, sizeof(int));
    *at = to;
    *count = to ? (int)some : 0;
}

static int pass(void *data, int64_t item, struct bestdag_archive *p)
{
    struct job *job = data;
    pass_some(job, p, &job->to->at[item], &job->to->count[item]);
    pass_some(job, p, &job->to->wide[item], &job->to->wides[item]);
    return bestdag_run_status(job->run);
}

struct bestdag_likely_parents *bestdag_likely_parents_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    const struct bestdag_knowledge *knowledge, int most)
{
    struct bestdag_likely_parents *to = bestdag_calloc(run, 1, sizeof *to);
    if (!to)
        return NULL;
    struct job job = {.run = run,
                      .to = to,
                      .scorer = scorer,
                      .knowledge = knowledge,
                      .most = most};
    struct bestdag_work w = {
        .job = &job, .items = scorer->n, .work = work, .pass = pass};
    to->n = scorer->n;
    to->at = bestdag_calloc(run, (size_t)to->n, sizeof *to->at);
    to->count = bestdag_calloc(run, (size_t)to->n, sizeof *to->count);
    to->wide = bestdag_calloc(run, (size_t)to->n, sizeof *to->wide);
    to->wides = bestdag_calloc(run, (size_t)to->n, sizeof *to->wides);
    bestdag_run_phase(run, "pairs", to->n);
    if (to->at && to->count && to->wide && to->wides &&
        !bestdag_pair_workers_init(&job.workers, run, scorer) &&
        !bestdag_parallel(run, &w, NULL))
        turn_round(&job);
    bestdag_pair_workers_release(&job.workers);
    if (!bestdag_run_status(run))
        return to;
    bestdag_likely_parents_free(to);
    return NULL;
}

void bestdag_likely_parents_free(struct bestdag_likely_parents *likely)
{
    if (!likely)
        return;
    for (int v = 0; likely->at && v < likely->n; v++)
        bestdag_free(likely->at[v]);
    for (int v = 0; likely->wide && v < likely->n; v++)
        bestdag_free(likely->wide[v]);
    bestdag_free(likely->at);
    bestdag_free(likely->count);
    bestdag_free(likely->wide);
    bestdag_free(likely->wides);
    bestdag_free(likely);
}

/* ---- lookup -------------------------------------------------------------- */

/* The index of u, or where it would be inserted. */
static int place_of(const struct bestdag_likely_parents *likely, int v, int u)
{
    const int *at = likely->at[v];
    int low = 0, high = likely->count[v];
    while (low < high) {
        int middle = (low + high) / 2;
        if (at[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int bestdag_likely_parents_find(const struct bestdag_likely_parents *likely,
                                int v, int u)
{
    int i = place_of(likely, v, u);
    return i < likely->count[v] && likely->at[v][i] == u ? i : -1;
}

static int insert(struct bestdag_run *run,
                  struct bestdag_likely_parents *likely, int v, int u)
{
    int count = likely->count[v], i = place_of(likely, v, u);
    if (i < count && likely->at[v][i] == u)
        return BESTDAG_OK;
    int *at =
        bestdag_realloc(run, likely->at[v], (size_t)(count + 1) * sizeof *at);
    if (!at)
        return BESTDAG_MEMORY;
    memmove(at + i + 1, at + i, (size_t)(count - i) * sizeof *at);
    at[i] = u;
    likely->at[v] = at;
    likely->count[v]++;
    return BESTDAG_OK;
}

int bestdag_likely_parents_add(struct bestdag_run *run,
                               struct bestdag_likely_parents *likely, int v,
                               int u)
{
    return insert(run, likely, v, u) || insert(run, likely, u, v)
               ? BESTDAG_MEMORY
               : BESTDAG_OK;
}

int64_t bestdag_likely_parents_total(
    const struct bestdag_likely_parents *likely)
{
    int64_t total = 0;
    for (int v = 0; v < likely->n; v++)
        total += likely->count[v];
    return total;
}
