/* SPDX-License-Identifier: MIT */
/* exact.c -- scores in double straight from the counts, by libm: of a family,
 * and of all families of a network, which the threads share.
 *
 * The order in which the cells of a family are added is that of its path alone:
 * a tally that is used again begins anew. */
#include <math.h>

#include "parallel/parallel.h"
#include "scores/score.h"

struct counter {
    struct bestdag_tally *tally; /* owns */
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
                          const struct bestdag_view *v, double *nats)
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
    if (bestdag_tally_path(t, NULL, 0) ||
        bestdag_tally_path(t, parents->at, parents->count))
        return bestdag_run_status(run);
    struct bestdag_view v =
        bestdag_view_of(t, child, parents->at, parents->count);
    v.beliefs = &c->beliefs;
    if (bestdag_tally_cells(t, child, &v.cell, &v.cells))
        return bestdag_run_status(run);
    *nats = s->type->nats(s, &v) - s->arc_cost * parents->count;
    if (bestdag_scorer_hooked(s, child))
        subtract_loss(run, s, &v, nats);
    return bestdag_run_status(run);
}

static int open_counter(struct bestdag_run *run, const struct bestdag_scorer *s,
                        struct counter *c)
{
    *c = (struct counter){.tally = bestdag_tally_new(run, s->columns),
                          .beliefs = {.run = run}};
    return c->tally ? BESTDAG_OK : bestdag_run_status(run);
}

static void close_counter(struct counter *c)
{
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
    close_counter(&c);
    return bestdag_run_status(run);
}

/* ---- a network -------------------------------------------------------------
 */

static int count_item(void *job, int64_t item, int worker)
{
    struct all *a = job;
    int v = (int)item;
    return measure(a->run, a->scorer, &a->counter[worker], v,
                   &a->dag->parents[v], &a->nats[v]);
}

/* Tallies that there is memory for, at least one: a step has up to 20 bytes a
 * row and some bits, a cell 32. */
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
    int64_t done;
    int open = 0;
    a->counter = bestdag_calloc(a->run, (size_t)a->threads, sizeof *a->counter);
    while (a->counter && open < a->threads &&
           !open_counter(a->run, a->scorer, &a->counter[open++]))
        ;
    if (!bestdag_run_status(a->run))
        bestdag_parallel(a->run, &work, &done);
    while (open)
        close_counter(&a->counter[--open]);
    bestdag_free(a->counter);
    return bestdag_run_status(a->run);
}

int bestdag_scorer_exact_all(struct bestdag_run *run,
                             const struct bestdag_scorer *s,
                             const struct bestdag_dag *dag, double *nats)
{
    struct all all = {.scorer = s, .dag = dag, .nats = nats};
    struct bestdag_share share = {.threads = affordable(run, s, dag)};
    struct bestdag_run *calm = bestdag_run_slice(run, share);
    if (!calm)
        return bestdag_run_status(run);
    calm->outer = NULL;
    calm->deadline = 0;
    all.run = calm;
    all.threads = bestdag_parallel_threads(calm, dag->n);
    count_all(&all);
    calm->outer = run;
    return bestdag_run_join(calm);
}
