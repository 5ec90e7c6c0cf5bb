/* SPDX-License-Identifier: MIT */
/* sequential.c -- all parent sets by size, as far as pruning allows.
 *
 * Complete up to max_parents: a set that is not listed is dominated by a listed
 * subset. Dense levels (dense.c) come first, then sparse ones (sparse.c). De
 * Campos, Zeng and Ji 2009; the rules are in pruning.h. */
#include "parents/exhaustive/sequential.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "parallel/parallel.h"
#include "parents/exhaustive/levels.h"
#include "parents/trace.h"

enum { HANDFUL = 20 }; /* variables up to which all subsets may be enumerated */

/* ---- the clock -------------------------------------------------------- */

/* Seconds, rather too many, that a thread takes to move a kept set from its
 * scored sets into a list. */
#define SORTING 1.5e-7

#define LEAST_CORES 0.2 /* of a thread on a busy machine */

/* Processor seconds of all threads of the process. */
static double seconds_spent(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bestdag_levels_check_time(const struct bestdag_levels *l)
{
    if (l->run->deadline <= 0)
        return;
    double now = bestdag_seconds(), threads = l->threads;
    double cores = (seconds_spent() - l->spent) / (now - l->begun + 1e-3);
    cores = cores < LEAST_CORES ? LEAST_CORES
            : cores > threads   ? threads
                                : cores;
    if (now + SORTING * (double)l->kept / cores >= l->run->deadline)
        bestdag_run_expire(l->run);
}

/* ---- preparation --------------------------------------------------------- */

static double families_up_to(int n, int most)
{
    double sum = 0, sets = 1; /* choose(n - 1, k) */
    for (int k = 0; k <= most && sum < 1e300; k++) {
        sum += sets * n;
        sets = sets * (n - 1 - k) / (k + 1);
    }
    return sum;
}

/* Refuses what would never end, or not fit into memory. */
static int check(struct bestdag_levels *l)
{
    const char *score = l->scorer->type->name;
    bool all = l->kind == BESTDAG_PRUNE_DOMINATED; /* no set is given up */
    double families = families_up_to(l->n, l->most);
    if ((l->job->universe && !l->job->wide) || !all)
        return BESTDAG_OK;
    if (l->job->max_parents < 0 && l->most >= HANDFUL)
        return bestdag_fail(
            l->run, BESTDAG_USAGE,
            "%s enumerates all subsets of %d variables: set --max-parents",
            l->job->prune ? score : "no-prune", l->n);
    if (l->job->prune)
        return BESTDAG_OK;
    double bytes = families * (40 + 4.0 * l->most);
    return bestdag_reserve(l->run, bytes < 4e18 ? (int64_t)bytes : -1,
                           "keeping every parent set");
}

/* Before this, l->most is the limit of all. */
static void find_limits(struct bestdag_levels *l)
{
    int most = 0;
    for (int i = 0; i < l->n; i++) {
        int own =
            l->job->limit ? l->job->limit[bestdag_levels_variable(l, i)] : -1;
        l->limit[i] = own == -2 ? -1 : own < 0 || own > l->most ? l->most : own;
        most = l->limit[i] > most ? l->limit[i] : most;
    }
    l->most = most;
}

static int prepare(struct bestdag_levels *l)
{
    const struct bestdag_scorer *s = l->scorer;
    while (l->from < s->n && s->states[s->order[l->from]] < 2)
        l->from++;
    l->n = s->n - l->from;
    l->most = l->n > 0 ? l->n - 1 : 0;
    if (l->job->max_parents >= 0 && l->job->max_parents < l->most)
        l->most = l->job->max_parents;
    if (l->n > UINT16_MAX)
        return bestdag_fail(l->run, BESTDAG_USAGE,
                            "sequential supports at most %d variables",
                            UINT16_MAX);
    l->kind = l->job->prune ? s->pruning : BESTDAG_PRUNE_DOMINATED;
    l->keys = bestdag_keys_of(l->n, l->from, s->order, s->scale);
    l->threads = bestdag_run_threads(l->run);
    l->scored_sets =
        bestdag_calloc(l->run, ((size_t)l->threads + 1) * (size_t)l->n + 1,
                       sizeof *l->scored_sets);
    l->incomplete = bestdag_alloc(l->run, ((size_t)l->n + 1) * sizeof(int));
    l->limit = bestdag_alloc(l->run, ((size_t)l->n + 1) * sizeof(int));
    if (!l->scored_sets || !l->incomplete || !l->limit)
        return BESTDAG_MEMORY;
    find_limits(l);
    for (int i = 0; i < l->n; i++)
        l->incomplete[i] = -1;
    return check(l);
}

/* ---- lists --------------------------------------------------------------- */

/* An upper bound on the scores of sets of a child with at least `size`
 * parents. */
static double ceiling(const struct bestdag_levels *l, int child, int size)
{
    const struct bestdag_scorer *s = l->scorer;
    int variable = bestdag_levels_variable(l, child);
    double most =
        -s->arc_cost * size - bestdag_scorer_nats(s, s->base[variable]);
    if (s->pruning == BESTDAG_PRUNE_PENALTY && s->additive)
        most -= s->weight * size;
    else if (s->pruning == BESTDAG_PRUNE_PENALTY) {
        double joint = 1; /* of the parents with fewest states */
        for (int i = 0, used = 0; i < l->n && used < size; i++)
            if (i != child) {
                joint *= bestdag_levels_states(l, i);
                used++;
            }
        most -= s->weight * (s->states[variable] - 1) * joint;
    }
    if (s->pruning == BESTDAG_PRUNE_URN) {
        const struct bestdag_column *c = &s->table->column[variable];
        most -= log(c->states) * (s->total > 0); /* at least one state occurs */
    }
    return most;
}

struct finish {
    struct bestdag_levels *levels;
    struct bestdag_sets *to;
    struct bestdag_sorted_lists *barn; /* owns; [threads] */
    struct bestdag_level_store *shelf; /* owns; NULL: the sets are in
                                          scored_sets */
};

static int finish_child(void *job, int64_t item, int worker)
{
    struct finish *f = job;
    struct bestdag_levels *l = f->levels;
    struct bestdag_list *list =
        &f->to->list[bestdag_levels_variable(l, (int)item)];
    if (l->limit[item] < 0)
        return BESTDAG_OK;
    const struct bestdag_sort_job crop = {.keys = &l->keys,
                                          .scored_sets = l->scored_sets + item,
                                          .count = l->threads + 1,
                                          .stride = l->n};
    list->max_parents = l->job->max_parents;
    list->ceiling = l->incomplete[item] < 0
                        ? -INFINITY
                        : ceiling(l, (int)item, l->incomplete[item]);
    int status =
        f->shelf ? bestdag_level_store_list(f->shelf, (int)item, worker, list)
                 : bestdag_list_sort(l->run, &crop, &f->barn[worker], list);
    for (int i = 0; i <= l->threads; i++)
        bestdag_scored_sets_release(&l->scored_sets[(int64_t)i * l->n + item]);
    return status;
}

/* A column with one state has neither parents nor children. */
static int finish_constant(struct bestdag_levels *l, struct bestdag_list *list,
                           int variable)
{
    double score = 0;
    list->ceiling = -INFINITY;
    list->max_parents = l->job->max_parents;
    list->score = bestdag_alloc(l->run, sizeof *list->score);
    list->start = bestdag_calloc(l->run, 2, sizeof *list->start);
    list->member = bestdag_alloc(l->run, 0);
    if (!list->score || !list->start || !list->member ||
        bestdag_scorer_exact(l->run, l->scorer, variable, NULL, 0, &score))
        return BESTDAG_MEMORY;
    list->score[0] = score;
    list->count = 1;
    return BESTDAG_OK;
}

/* Its only set is the empty one. */
static int trace_constant(struct bestdag_levels *l,
                          const struct bestdag_list *list, int variable)
{
    struct bestdag_buffer line = {.run = l->run};
    bestdag_trace_add(&line, 1, 0, list->score[0]);
    l->job->trace[variable] = bestdag_buffer_take(&line);
    return bestdag_run_status(l->run);
}

static int finish_constants(struct bestdag_levels *l, struct bestdag_sets *to)
{
    for (int i = 0; i < l->from; i++) {
        int v = l->scorer->order[i];
        if (l->job->limit && l->job->limit[v] == -2)
            continue;
        bestdag_note(l->run, 1, "'%s' has one state: it gets no arcs",
                     l->scorer->table->column[v].name);
        if (finish_constant(l, &to->list[v], v))
            return BESTDAG_MEMORY;
        l->scored++;
        if (l->job->trace && trace_constant(l, &to->list[v], v))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Finishes lists even if the time is up. */
static int finish(struct bestdag_levels *l, const struct bestdag_dense *dense,
                  struct bestdag_sets *to)
{
    struct finish f = {.levels = l, .to = to};
    struct bestdag_work w = {
        .job = &f, .items = l->n, .work = finish_child, .to_the_end = true};
    int status = finish_constants(l, to);
    f.barn = bestdag_calloc(l->run, (size_t)l->threads, sizeof *f.barn);
    if (dense)
        f.shelf = bestdag_level_store_new(dense);
    if (!status)
        status = bestdag_run_status(l->run);
    bestdag_run_phase(l->run, "sorting", l->n);
    if (!status && f.barn)
        status = bestdag_parallel(l->run, &w, NULL);
    for (int i = 0; f.barn && i < l->threads; i++)
        bestdag_free(f.barn[i].at);
    bestdag_free(f.barn);
    bestdag_level_store_free(f.shelf);
    to->scored += l->scored;
    return status ? status : bestdag_run_status(l->run);
}

/* Lowers l->most: with more parents, even those with the fewest states cost
 * more than the empty set's distance from the largest possible score, for every
 * child. */
static int lower_most(struct bestdag_levels *l)
{
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(l->run, l->scorer);
    struct bestdag_family f;
    double joint = 1, worst = 0; /* limit on the penalty */
    int size = 0;
    for (int x = 0; scratch && x < l->n; x++) {
        int variable = bestdag_levels_variable(l, x);
        if (l->limit[x] < 0)
            continue;
        if (bestdag_scorer_family(l->scorer, scratch, variable, NULL, 0, &f))
            break;
        double loss = -bestdag_scorer_nats(l->scorer,
                                           f.score + l->scorer->base[variable]);
        if (!l->scorer->additive)
            loss /= l->scorer->states[variable] - 1;
        worst = loss > worst ? loss : worst;
    }
    bestdag_scorer_scratch_free(scratch);
    worst *= 1 + 1e-9;
    while (size < l->most &&
           (l->scorer->additive ? size + 1
                                : joint * bestdag_levels_states(l, size)) *
                   l->scorer->weight <
               worst)
        joint *= bestdag_levels_states(l, size++);
    l->most = size;
    for (int x = 0; x < l->n; x++)
        if (l->limit[x] > size)
            l->limit[x] = size;
    return bestdag_run_status(l->run);
}

/* *whole: the levels, if they contain every set of the lists; else NULL. */
static int take_levels(struct bestdag_levels *l, struct bestdag_dense **whole)
{
    if (l->kind == BESTDAG_PRUNE_PENALTY && lower_most(l))
        return bestdag_run_status(l->run);
    bool narrow = l->job->universe && !l->job->wide;
    bool ruled = l->job->universe || l->job->limit;
    bool sets = !l->scorer->by_family && l->scorer->functions <= 64 &&
                !narrow && (l->job->prune || !ruled) && !l->job->trace;
    struct bestdag_dense *dense = NULL;
    int next = 0;
    if (sets) {
        dense = bestdag_dense_run(l, &next);
        if (!dense)
            return bestdag_run_status(l->run);
    }
    int status = BESTDAG_OK;
    if (dense && !l->job->prune) {
        l->scored = l->kept = 0; /* from now on exact */
        if (next > l->most) {
            *whole = dense;
            return bestdag_run_status(l->run);
        }
        status = bestdag_dense_spill(dense);
    }
    if (!status && next <= l->most && !bestdag_run_stopped(l->run))
        status = bestdag_sparse_run(l, next ? dense : NULL, next);
    bestdag_dense_free(dense);
    return status ? status : bestdag_run_status(l->run);
}

int bestdag_sequential(struct bestdag_run *run,
                       const struct bestdag_scorer *scorer,
                       const struct bestdag_sequential_request *job,
                       struct bestdag_sets *to)
{
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    struct bestdag_levels l = {.run = run,
                               .scorer = scorer,
                               .job = job,
                               .begun = bestdag_seconds(),
                               .spent = seconds_spent()};
    struct bestdag_dense *whole = NULL;
    int status = prepare(&l);
    if (!status && l.n)
        status = take_levels(&l, &whole);
    if (!status)
        status = finish(&l, whole, to);
    bestdag_dense_free(whole);
    for (int64_t i = 0; l.scored_sets && i < (int64_t)(l.threads + 1) * l.n;
         i++)
        bestdag_scored_sets_release(&l.scored_sets[i]);
    bestdag_free(l.scored_sets);
    bestdag_free(l.incomplete);
    bestdag_free(l.limit);
    return status ? status : bestdag_run_status(run);
}
