/* SPDX-License-Identifier: MIT */
/* exact_score.c -- scores in double directly from the counts, by libm: of a
 * family, and of all families of a network, which the threads share.
 *
 * A network is scored when it is found, and again when it is returned, and so
 * are its neighbours: the last family counted of each variable is cached, so
 * that a large table is not counted again for it.
 *
 * The order in which the cells of a family are added depends only on its path:
 * a tally that is reused starts over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/parallel.h"
#include "scores/score.h"

struct counter {
    struct bestdag_tally *tally; /* owns; NULL: type->families is used */
    void *own;                   /* owns; opened by type->families */
    struct bestdag_beliefs beliefs;
};

struct all {
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    const struct bestdag_dag *dag;
    double *nats;
    struct counter *counter; /* owns; [threads] */
    int threads;
};

static void subtract_loss(struct bestdag_run *run,
                          const struct bestdag_scorer *s,
                          const struct bestdag_score_view *v, double *nats)
{
    void *scratch = s->hook->open(run, s->hook);
    double loss;
    int64_t units;
    if (scratch && !s->hook->loss(s->hook, scratch, s, v, &loss, &units))
        *nats -= s->factor * loss;
    s->hook->close(scratch);
}

static int measure(struct bestdag_run *run, const struct bestdag_scorer *s,
                   struct counter *c, int child,
                   const struct bestdag_parents *parents, double *nats)
{
    struct bestdag_tally *t = c->tally;
    *nats = (double)NAN;
    if (s->type->families) {
        s->type->families->exact(s, c->own, child, parents->at, parents->count,
                                 nats);
        *nats -= s->arc_cost * parents->count;
        return bestdag_run_status(run);
    }
    if (bestdag_tally_path(t, NULL, 0) ||
        bestdag_tally_path(t, parents->at, parents->count) ||
        bestdag_tally_ahead(t, &child, 1))
        return bestdag_run_status(run);
    struct bestdag_score_view v =
        bestdag_score_view_of(t, child, parents->at, parents->count);
    v.beliefs = &c->beliefs;
    if (bestdag_tally_cells(t, child, &v.cell, &v.cells))
        return bestdag_run_status(run);
    *nats = s->type->nats(s, &v) - s->arc_cost * parents->count;
    if (bestdag_scorer_is_constrained(s, child))
        subtract_loss(run, s, &v, nats);
    return bestdag_run_status(run);
}

static int open_counter(struct bestdag_run *run, const struct bestdag_scorer *s,
                        struct counter *c)
{
    const struct bestdag_score_families *own = s->type->families;
    *c = (struct counter){.beliefs = {.run = run}};
    if (!own)
        c->tally = bestdag_tally_new(run, s->columns);
    else if (own->open)
        c->own = own->open(run, s);
    return bestdag_run_status(run);
}

static void close_counter(const struct bestdag_scorer *s, struct counter *c)
{
    if (c->own)
        s->type->families->close(c->own);
    bestdag_beliefs_release(&c->beliefs);
    bestdag_tally_free(c->tally);
}

int bestdag_scorer_exact(struct bestdag_run *run,
                         const struct bestdag_scorer *s, int child,
                         const int *parents, int count, double *nats)
{
    struct counter c;
    struct bestdag_parents set = {.at = (int *)(uintptr_t)parents,
                                  .count = count};
    *nats = (double)NAN;
    if (!open_counter(run, s, &c))
        measure(run, s, &c, child, &set, nats);
    close_counter(s, &c);
    return bestdag_run_status(run);
}

/* ---- a network ----------------------------------------------------------- */

struct bestdag_known {
    int *parents; /* owns, outside the memory budget: a few bytes; NULL: none */
    int count;
    double nats;
};

static pthread_mutex_t *lock_of(const struct bestdag_scorer *s)
{
    return (pthread_mutex_t *)(uintptr_t)&s->lock;
}

static bool is_known(const struct bestdag_scorer *s, int v,
                     const struct bestdag_parents *p, double *nats)
{
    const struct bestdag_known *k = &s->known[v];
    pthread_mutex_lock(lock_of(s));
    bool is_same = k->parents && k->count == p->count &&
                   (!p->count || !memcmp(k->parents, p->at,
                                         (size_t)p->count * sizeof *p->at));
    if (is_same)
        *nats = k->nats;
    pthread_mutex_unlock(lock_of(s));
    return is_same;
}

static void remember(const struct bestdag_scorer *s, int v,
                     const struct bestdag_parents *p, double nats)
{
    struct bestdag_known *k = &s->known[v];
    size_t bytes = (size_t)p->count * sizeof *p->at;
    int *parents = malloc(bytes + sizeof *parents); /* never zero bytes */
    if (!parents)
        return;
    if (bytes)
        memcpy(parents, p->at, bytes);
    pthread_mutex_lock(lock_of(s));
    free(k->parents);
    *k = (struct bestdag_known){parents, p->count, nats};
    pthread_mutex_unlock(lock_of(s));
}

struct bestdag_known *bestdag_known_new(struct bestdag_run *run, int n)
{
    return bestdag_calloc(run, (size_t)n, sizeof(struct bestdag_known));
}

void bestdag_known_free(struct bestdag_scorer *s)
{
    for (int v = 0; s->known && v < s->n; v++)
        free(s->known[v].parents);
    bestdag_free(s->known);
    s->known = NULL;
}

static int count_item(void *job, int64_t item, int worker)
{
    struct all *a = job;
    int v = (int)item;
    const struct bestdag_parents *p = &a->dag->parents[v];
    if (is_known(a->scorer, v, p, &a->nats[v]))
        return BESTDAG_OK;
    int status =
        measure(a->run, a->scorer, &a->counter[worker], v, p, &a->nats[v]);
    if (!status)
        remember(a->scorer, v, p, a->nats[v]);
    return status;
}

/* The number of tallies that memory allows, at least one: a step takes up to 20
 * bytes per row and some bits, a cell 32. */
static int affordable(const struct bestdag_run *run,
                      const struct bestdag_scorer *s,
                      const struct bestdag_dag *dag)
{
    int64_t limit = bestdag_memory_limit(run), steps = 1;
    for (int v = 0; v < dag->n; v++)
        steps =
            dag->parents[v].count >= steps ? dag->parents[v].count + 1 : steps;
    int64_t bytes =
        s->table->rows * (20 * steps + 40) + (steps + 1) * (2 << 20);
    int64_t fit = (limit - bestdag_memory_used(run)) / bytes;
    int threads = bestdag_parallel_threads(run, dag->n);
    return !limit || fit > threads ? threads : fit > 1 ? (int)fit : 1;
}

static int count_all(struct all *a)
{
    struct bestdag_work work = {
        .job = a, .items = a->dag->n, .work = count_item};
    int64_t done = 0;
    int open = 0;
    a->counter = bestdag_calloc(a->run, (size_t)a->threads, sizeof *a->counter);
    while (a->counter && open < a->threads &&
           !open_counter(a->run, a->scorer, &a->counter[open++]))
        ;
    if (!bestdag_run_status(a->run)) {
        bestdag_parallel(a->run, &work, &done);
        if (done < work.items && !bestdag_run_status(a->run))
            bestdag_fail(a->run, BESTDAG_FAILED,
                         "stopped before the network was scored");
    }
    while (open)
        close_counter(a->scorer, &a->counter[--open]);
    bestdag_free(a->counter);
    return bestdag_run_status(a->run);
}

int bestdag_scorer_exact_all(struct bestdag_run *run,
                             const struct bestdag_scorer *s,
                             const struct bestdag_dag *dag, double *nats)
{
    struct bestdag_slice_limits share = {.threads = affordable(run, s, dag)};
    struct bestdag_run *unlimited = bestdag_run_slice(run, share);
    if (!unlimited)
        return bestdag_run_status(run);
    unlimited->outer = NULL;
    unlimited->deadline = 0;
    bestdag_scorer_exact_until_stopped(unlimited, s, dag, nats);
    unlimited->outer = run;
    return bestdag_run_join(unlimited);
}

int bestdag_scorer_exact_until_stopped(struct bestdag_run *run,
                                       const struct bestdag_scorer *s,
                                       const struct bestdag_dag *dag,
                                       double *nats)
{
    struct all all = {.scorer = s, .dag = dag, .nats = nats};
    struct bestdag_slice_limits share = {.threads = affordable(run, s, dag)};
    all.run = bestdag_run_slice(run, share);
    if (!all.run)
        return bestdag_run_status(run);
    all.threads = bestdag_parallel_threads(all.run, dag->n);
    count_all(&all);
    return bestdag_run_join(all.run);
}
