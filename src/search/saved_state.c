/* SPDX-License-Identifier: MIT */
/* saved_state.c -- states of searches in a checkpoint. */
#include "search/saved_state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- states -------------------------------------------------------------- */

/* Identifies the search that a state belongs to. One solver may search several
 * times in a run, with other seeds, other lists or more work. */
struct label {
    char solver[16];
    int64_t n, words, steps;
    int64_t best, work; /* bits of doubles of the problem and the task */
    int64_t sets;
    uint64_t seed;
};

struct packed {
    const struct bestdag_task *task;
    bestdag_pass_fn *pass;
    void *state;
    bool fits; /* the state was read */
};

static struct label label_of(const struct bestdag_task *task)
{
    struct label l = {.words = -1};
    snprintf(l.solver, sizeof l.solver, "%s", task->solver->name);
    l.n = task->n;
    l.steps = task->steps;
    memcpy(&l.work, &task->work, sizeof l.work);
    l.seed = task->run->seed;
    if (task->problem) {
        l.words = task->problem->words;
        l.sets = bestdag_sets_total(task->problem->sets);
        memcpy(&l.best, &task->problem->best, sizeof l.best);
    }
    return l;
}

static void pass_packed(void *argument, struct bestdag_archive *p)
{
    struct packed *k = argument;
    struct label own = label_of(k->task), found = own;
    BESTDAG_PASS(p, found);
    k->fits = !memcmp(&own, &found, sizeof own);
    if (k->fits)
        k->pass(k->state, p);
    else
        bestdag_archive_skip(p);
}

/* There is one state per solver, since several can take turns. */
static void name_of(const struct bestdag_task *task, char to[32])
{
    snprintf(to, 32, "search-%.16s", task->solver->name);
}

void bestdag_task_save(struct bestdag_task *task, bestdag_pass_fn *pass,
                       void *state)
{
    struct packed k = {task, pass, state, false};
    char name[32];
    if (!bestdag_checkpoint_due(task->checkpoint))
        return;
    name_of(task, name);
    bestdag_checkpoint_save(task->checkpoint, name, pass_packed, &k);
}

bool bestdag_task_resume(struct bestdag_task *task, bestdag_pass_fn *pass,
                         void *state)
{
    struct packed k = {task, pass, state, false};
    char name[32];
    name_of(task, name);
    task->is_resumed |=
        task->checkpoint &&
        bestdag_checkpoint_load(task->checkpoint, name, pass_packed, &k) &&
        k.fits;
    return task->is_resumed && k.fits;
}

/* ---- the best network ---------------------------------------------------- */

struct kept {
    struct bestdag_task *task;
    struct bestdag_dag *dag;
};

static void pass_kept(void *argument, struct bestdag_archive *p)
{
    struct kept *k = argument;
    bestdag_pass_dag(p, k->task->run, &k->dag, k->task->n);
}

static void keep(struct bestdag_task *task, const struct bestdag_dag *dag)
{
    struct kept k = {task, (struct bestdag_dag *)dag};
    bestdag_checkpoint_save(task->checkpoint, "best", pass_kept, &k);
}

void bestdag_task_keep(struct bestdag_task *task, const struct bestdag_dag *dag)
{
    if (bestdag_checkpoint_due(task->checkpoint))
        keep(task, dag);
}

void bestdag_task_keep_last(struct bestdag_task *task,
                            const struct bestdag_dag *dag)
{
    if (task->checkpoint && dag)
        keep(task, dag);
}

struct bestdag_dag *bestdag_task_kept(struct bestdag_task *task)
{
    struct kept k = {task, NULL};
    if (!task->checkpoint ||
        bestdag_checkpoint_load(task->checkpoint, "best", pass_kept, &k))
        return k.dag;
    bestdag_dag_free(k.dag);
    return NULL;
}

/* ---- parts --------------------------------------------------------------- */

void bestdag_pass_within(struct bestdag_archive *p, int64_t *value,
                         int64_t least, int64_t most)
{
    BESTDAG_PASS(p, *value);
    if (bestdag_archive_opens(p) && (*value < least || *value > most)) {
        bestdag_archive_reject(p);
        *value = least;
    }
}

/* Is this a permutation of 0 .. n - 1? Marks elements seen by adding n. */
static bool is_order(int *order, int n)
{
    bool is_one = n <= INT_MAX / 2;
    for (int i = 0; i < n && is_one; i++)
        is_one = order[i] >= 0 && order[i] < n;
    for (int i = 0; i < n && is_one; i++) {
        int v = order[i] % n;
        is_one = order[v] < n;
        order[v] += n;
    }
    for (int i = 0; i < n && is_one; i++)
        order[i] -= n;
    return is_one;
}

void bestdag_pass_order(struct bestdag_archive *p, int *order, int n)
{
    bestdag_archive_pass(p, order, (size_t)n * sizeof *order);
    if (bestdag_archive_opens(p) && !is_order(order, n)) {
        bestdag_archive_reject(p);
        for (int i = 0; i < n; i++)
            order[i] = i;
    }
}

static bool is_order_of(const struct bestdag_component *c, const int *order)
{
    for (int i = 0; i < c->n; i++) {
        int k = 0;
        while (k < c->n && order[k] != c->variable[i])
            k++;
        if (k == c->n)
            return false;
    }
    return true;
}

int bestdag_pass_components(struct bestdag_archive *p,
                            const struct bestdag_components *core, int *done,
                            int *order)
{
    int placed = 0;
    BESTDAG_PASS(p, *done);
    if (*done < 0 || *done > core->components) {
        bestdag_archive_reject(p);
        *done = 0;
    }
    for (int i = 0; i < *done; i++) {
        const struct bestdag_component *c = &core->component[i];
        bestdag_archive_pass(p, order + placed, (size_t)c->n * sizeof *order);
        if (!is_order_of(c, order + placed))
            bestdag_archive_reject(p);
        placed += c->n;
    }
    return placed;
}

static void pass_parents(struct bestdag_archive *p, struct bestdag_run *run,
                         struct bestdag_dag *dag, int v, int *list)
{
    struct bestdag_parents *own = &dag->parents[v];
    int count = own->count;
    BESTDAG_PASS(p, count);
    if (!bestdag_archive_opens(p)) {
        bestdag_archive_pass(p, own->at, (size_t)count * sizeof *own->at);
        return;
    }
    if (count < 0 || count >= dag->n) {
        bestdag_archive_reject(p);
        return;
    }
    bestdag_archive_pass(p, list, (size_t)count * sizeof *list);
    if (count && bestdag_dag_set_parents(run, dag, v, list, count))
        bestdag_archive_reject(p);
}

void bestdag_pass_dag(struct bestdag_archive *p, struct bestdag_run *run,
                      struct bestdag_dag **dag, int n)
{
    int *list = NULL;
    if (bestdag_archive_opens(p)) {
        bestdag_dag_free(*dag);
        *dag = bestdag_dag_new(run, n);
        list = bestdag_alloc(run, ((size_t)n + 1) * sizeof *list);
        if (!*dag || !list)
            bestdag_archive_reject(p);
    }
    for (int v = 0; v < n && *dag && (list || !bestdag_archive_opens(p)); v++)
        pass_parents(p, run, *dag, v, list);
    bestdag_free(list);
}
