/* SPDX-License-Identifier: MIT */
/* restarts.c -- the loop over random orders. */
#include "search/restarts.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/row.h"
#include "parallel/parallel.h"

enum {
    ROUND = 1 << 14,    /* bundles between two starts of the threads */
    BUNDLE = 4096,      /* look-ups that a bundle has at least, or so */
    BY_DEFAULT = 10000, /* look-ups a variable where nothing else ends it */
    ENOUGH = -1         /* what take() gives where the rest is not needed */
};

/* What a bundle of searches gave. */
struct finding {
    int64_t cost;
    int32_t *choice; /* owns */
    int64_t steps, limit, searches;
};

struct worker {
    void *state;         /* owns; the climber's */
    int *order, *wait;   /* own; [n] */
    bool *ready;         /* owns; [n]: has a set among those placed */
    uint64_t *available; /* owns; [words]: of those placed */
};

struct loop {
    struct bestdag_task *task;
    const struct bestdag_climber *climber;
    const struct bestdag_problem *problem;
    int n;
    int64_t limit;  /* of steps */
    int64_t most;   /* searches */
    int64_t bundle; /* searches in one */
    int64_t round;  /* first bundle of this round */
    int *start;     /* owns; order of the start network, or NULL */
    bool *alone;    /* owns; [n]: can be without parents */
    bool all_alone;
    int workers;           /* and one for the calling thread */
    struct worker *worker; /* owns; [workers + 1] */
    int window;
    struct finding *finding; /* owns; [window]: of bundles not yet taken */
    struct finding best;     /* steps and searches of all */
    struct finding last;     /* of the bundle in which the steps ended */
    _Atomic int64_t steps;   /* those of `best`, for workers */
    _Atomic bool enough;
};

/* ---- where a search begins -------------------------------------------------
 */

static void note_lone(struct loop *l)
{
    l->all_alone = true;
    for (int v = 0; v < l->n; v++) {
        const struct bestdag_menu *m = &l->problem->menu[v];
        const uint64_t *none = l->worker[0].available;
        l->alone[v] = bestdag_menu_first(m, none, 0) < m->count;
        l->all_alone &= l->alone[v];
    }
}

/* v is placed: which others have a set now? */
static void announce(const struct loop *l, struct worker *w, int v)
{
    const struct bestdag_problem *p = l->problem;
    for (int64_t k = p->user_start[v]; k < p->user_start[v + 1]; k++) {
        struct bestdag_user u = p->user[k];
        const struct bestdag_menu *m = &p->menu[u.child];
        uint64_t *available = w->available + p->offset[u.child];
        bestdag_row_add(available, u.local);
        if (!w->ready[u.child])
            w->ready[u.child] = bestdag_menu_first_with(m, available, u.local,
                                                        m->count) < m->count;
    }
}

/* Lets those wait that have no set among those before them, and else keeps
 * their order. Returns how many got a set: fewer than n means that there is no
 * network at all. */
static int settle(const struct loop *l, struct worker *w)
{
    int placed = 0, waiting = l->n, left = 0;
    if (l->all_alone)
        return l->n;
    memset(w->available, 0, (size_t)l->problem->words * sizeof *w->available);
    memcpy(w->ready, l->alone, (size_t)l->n * sizeof *w->ready);
    memcpy(w->wait, w->order, (size_t)l->n * sizeof *w->wait);
    for (; waiting; waiting = left) {
        left = 0;
        for (int i = 0; i < waiting; i++) {
            int v = w->wait[i];
            if (!w->ready[v]) {
                w->wait[left++] = v;
                continue;
            }
            w->order[placed++] = v;
            announce(l, w, v);
        }
        if (left == waiting)
            break;
    }
    for (int i = 0; i < waiting; i++)
        w->order[placed + i] = w->wait[i];
    return placed;
}

/* The order of search number k. Returns what settle() does. */
static int draw(const struct loop *l, struct worker *w, int64_t k)
{
    if (l->start && !k) {
        memcpy(w->order, l->start, (size_t)l->n * sizeof *w->order);
        return settle(l, w);
    }
    struct bestdag_random r =
        bestdag_random_init(l->task->run->seed, (uint64_t)k);
    for (int i = 0; i < l->n; i++) {
        int j = (int)bestdag_random_below(&r, (uint64_t)i + 1);
        w->order[i] = w->order[j];
        w->order[j] = i;
    }
    return settle(l, w);
}

/* ---- a bundle --------------------------------------------------------------
 */

/* Can it not get better, or is it good enough for the user? */
static bool is_enough(const struct loop *l, int64_t cost)
{
    double score = bestdag_problem_nats(l->problem, cost);
    double scale = fabs(score) > 1 ? fabs(score) : 1;
    double gap = l->task->run->gap;
    return !cost || (gap > 0 && l->task->bound - score <= gap * scale);
}

static void keep(struct finding *best, int64_t cost, const int32_t *choice,
                 int n)
{
    if (cost >= best->cost)
        return;
    best->cost = cost;
    memcpy(best->choice, choice, (size_t)n * sizeof *choice);
}

/* The searches of one bundle, one after the other, as far as f->limit goes. */
static void search(const struct loop *l, struct worker *w, int64_t number,
                   const _Atomic bool *enough, struct finding *f)
{
    int64_t first = number * l->bundle;
    int64_t end = l->most - first > l->bundle ? first + l->bundle : l->most;
    struct bestdag_climb c = {
        .run = l->task->run, .enough = enough, .order = w->order};
    f->cost = INT64_MAX;
    f->steps = f->searches = 0;
    for (int64_t k = first; k < end; k++) {
        c.limit = f->limit - f->steps;
        if (bestdag_climb_ends(&c, 0))
            break;
        draw(l, w, k);
        l->climber->climb(w->state, &c);
        f->steps += c.steps;
        f->searches++;
        keep(f, c.cost, c.choice, l->n);
        if (is_enough(l, f->cost))
            break;
    }
}

static int work(void *job, int64_t item, int worker)
{
    struct loop *l = job;
    struct finding *f = &l->finding[item % l->window];
    f->limit = l->limit - atomic_load(&l->steps);
    search(l, &l->worker[worker], l->round + item, &l->enough, f);
    return BESTDAG_OK;
}

/* The steps ended within this bundle: made again with what was left of them.
 * Cut by the clock, the whole bundle stays what it was: the best so far. */
static const struct finding *shorten(struct loop *l, int64_t number,
                                     const struct finding *whole)
{
    l->last.limit = l->limit - l->best.steps;
    atomic_store(&l->enough, true); /* the workers need not go on */
    search(l, &l->worker[l->workers], number, NULL, &l->last);
    return bestdag_run_stopped(l->task->run) ? whole : &l->last;
}

static void tell(struct loop *l)
{
    bestdag_task_tell(l->task, bestdag_problem_nats(l->problem, l->best.cost),
                      l->best.searches);
}

static int take(void *job, int64_t item)
{
    struct loop *l = job;
    const struct finding *f = &l->finding[item % l->window];
    int64_t left = l->limit - l->best.steps;
    if (f->steps >= left && f->limit != left)
        f = shorten(l, l->round + item, f);
    keep(&l->best, f->cost, f->choice, l->n);
    l->best.steps += f->steps;
    l->best.searches += f->searches;
    atomic_store(&l->steps, l->best.steps);
    if (l->best.steps >= l->limit || is_enough(l, l->best.cost))
        atomic_store(&l->enough, true);
    tell(l);
    return atomic_load(&l->enough) ? ENOUGH : BESTDAG_OK;
}

/* ---- the loop --------------------------------------------------------------
 */

static int repeat(struct loop *l)
{
    struct bestdag_work w = {
        .job = l, .work = work, .take = take, .window = l->window};
    int64_t bundles = l->most / l->bundle + (l->most % l->bundle > 0);
    while (l->round < bundles && !atomic_load(&l->enough) &&
           !bestdag_run_stopped(l->task->run)) {
        w.items = bundles - l->round < ROUND ? bundles - l->round : ROUND;
        if (bestdag_parallel(l->task->run, &w, NULL))
            break;
        l->round += w.items;
    }
    return bestdag_run_status(l->task->run);
}

/* The first order as it is, so that there is an answer before the clock is
 * looked at. Not counted: the first search begins there, too. False: no network
 * exists. */
static bool begin(struct loop *l)
{
    struct worker *w = &l->worker[l->workers];
    struct bestdag_climb c = {.run = l->task->run, .order = w->order};
    note_lone(l);
    if (draw(l, w, 0) < l->n)
        return false;
    l->climber->climb(w->state, &c);
    l->best.cost = INT64_MAX;
    keep(&l->best, c.cost, c.choice, l->n);
    atomic_store(&l->enough, is_enough(l, l->best.cost));
    tell(l);
    return true;
}

static void set_limits(struct loop *l)
{
    struct bestdag_value steps = bestdag_task_setting(l->task, "steps");
    int64_t restarts = bestdag_task_setting(l->task, "restarts").integer;
    l->most = restarts ? restarts : INT64_MAX;
    l->bundle = BUNDLE / (l->n + 1) + 1;
    if (steps.text)
        l->limit = steps.integer;
    else if (restarts || l->task->run->deadline > 0)
        l->limit = INT64_MAX;
    else
        l->limit = (int64_t)BY_DEFAULT * (l->n + 1);
}

static int open_start(struct loop *l)
{
    const struct bestdag_dag *dag = l->task->start;
    if (!dag)
        return BESTDAG_OK;
    l->start = bestdag_alloc(l->task->run, (size_t)l->n * sizeof *l->start);
    if (l->start && bestdag_dag_order(l->task->run, dag, l->start) < l->n)
        return bestdag_fail(l->task->run, BESTDAG_USAGE,
                            "the network to start from has a cycle");
    return bestdag_run_status(l->task->run);
}

static int open_worker(struct loop *l, struct worker *w)
{
    struct bestdag_run *run = l->task->run;
    size_t n = (size_t)l->n, words = (size_t)l->problem->words;
    w->state = l->climber->open(run, l->problem);
    w->order = bestdag_alloc(run, n * sizeof *w->order);
    w->wait = bestdag_alloc(run, n * sizeof *w->wait);
    w->ready = bestdag_alloc(run, n * sizeof *w->ready);
    w->available = bestdag_calloc(run, words, sizeof *w->available);
    return bestdag_run_status(run);
}

static int open_finding(struct loop *l, struct finding *f)
{
    f->choice = bestdag_alloc(l->task->run, (size_t)l->n * sizeof *f->choice);
    return bestdag_run_status(l->task->run);
}

static int open_loop(struct loop *l)
{
    struct bestdag_run *run = l->task->run;
    l->workers = bestdag_parallel_threads(run, ROUND);
    l->window = 4 * l->workers;
    int64_t each = l->climber->bytes(l->problem) + (int64_t)l->n * 9 +
                   (int64_t)l->problem->words * 8;
    if (bestdag_reserve(run,
                        (l->workers + 1) * each + l->window * l->n * (int64_t)4,
                        "the state of the search"))
        return bestdag_run_status(run);
    l->alone = bestdag_alloc(run, (size_t)l->n * sizeof *l->alone);
    l->worker = bestdag_calloc(run, (size_t)l->workers + 1, sizeof *l->worker);
    l->finding = bestdag_calloc(run, (size_t)l->window, sizeof *l->finding);
    if (!l->alone || !l->worker || !l->finding || open_finding(l, &l->best) ||
        open_finding(l, &l->last) || open_start(l))
        return bestdag_run_status(run);
    for (int i = 0; i <= l->workers; i++)
        if (open_worker(l, &l->worker[i]))
            return bestdag_run_status(run);
    for (int i = 0; i < l->window; i++)
        if (open_finding(l, &l->finding[i]))
            return bestdag_run_status(run);
    return BESTDAG_OK;
}

static void close_loop(struct loop *l)
{
    for (int i = 0; l->worker && i <= l->workers; i++) {
        l->climber->close(l->worker[i].state);
        bestdag_free(l->worker[i].order);
        bestdag_free(l->worker[i].wait);
        bestdag_free(l->worker[i].ready);
        bestdag_free(l->worker[i].available);
    }
    for (int i = 0; l->finding && i < l->window; i++)
        bestdag_free(l->finding[i].choice);
    bestdag_free(l->worker);
    bestdag_free(l->finding);
    bestdag_free(l->best.choice);
    bestdag_free(l->last.choice);
    bestdag_free(l->start);
    bestdag_free(l->alone);
}

int bestdag_restarts(struct bestdag_task *task,
                     const struct bestdag_climber *climber,
                     struct bestdag_answer *to)
{
    struct loop l = {.task = task,
                     .climber = climber,
                     .problem = task->problem,
                     .n = task->n};
    set_limits(&l);
    if (!open_loop(&l) && begin(&l) && !repeat(&l))
        to->dag = bestdag_problem_dag(task->run, l.problem, l.best.choice);
    to->steps = l.best.steps;
    to->restarts = l.best.searches;
    close_loop(&l);
    return bestdag_run_status(task->run);
}
