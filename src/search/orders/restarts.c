/* SPDX-License-Identifier: MIT */
/* restarts.c -- the loop over random orders. */
#include "search/orders/restarts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/work.h"
#include "parallel/parallel.h"
#include "search/incumbent.h"
#include "search/orders/initial_order.h"
#include "search/saved_state.h"

const struct bestdag_option bestdag_restart_settings[] = {
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help = "stop after this many look-ups in the candidate sets; without "
             "restarts and a time limit the default depends on the number of "
             "variables and --effort"},
    {"restarts", BESTDAG_INTEGER, "0", 0, 9e15, .value = "N",
     .help = "stop after this many restarts from random orders; 0: no limit"},
    {0}};
const struct bestdag_option bestdag_reorder_settings[] = {
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help = "stop after this many look-ups in the candidate sets; without "
             "restarts and a time limit the default depends on the number of "
             "variables and --effort"},
    {"restarts", BESTDAG_INTEGER, "0", 0, 9e15, .value = "N",
     .help = "stop after this many restarts from random orders; 0: no limit"},
    {"reorders", BESTDAG_INTEGER, "0", 0, 9e15, .value = "N",
     .help =
         "at a local optimum continue from another order of the same network, "
         "until this many in a row gain nothing; 0: never, as in the paper"},
    {0}};

enum {
    ROUND = 1 << 14,    /* batches per parallel call */
    BATCH = 4096,       /* least look-ups per batch, about; 2048..8192: the
                           same, as it must be */
    BY_DEFAULT = 10000, /* look-ups per variable if nothing else limits the
                           search */
    WINDOW = 4,         /* batches per thread that may be ahead */
    ENOUGH = -1         /* returned by take() when no more is needed */
};

/* The result of a batch of searches. */
struct finding {
    int64_t cost;
    int32_t *choice; /* owns */
    int64_t steps, limit, searches;
};

struct worker {
    void *state;                        /* owns; the climber's */
    struct bestdag_initial_order *draw; /* owns */
};

struct loop {
    struct bestdag_task *task;
    const struct bestdag_climber *climber;
    const struct bestdag_problem *problem;
    int n;
    int64_t limit;         /* on steps */
    int64_t most;          /* limit on searches */
    int64_t reorders;      /* consecutive reorders without a gain that end a
                              search */
    int64_t batch;         /* searches per batch */
    int64_t round;         /* first batch of this round */
    int64_t next;          /* the next batch to take */
    int *start;            /* owns; order of the start network, or NULL */
    int workers;           /* plus one for the calling thread */
    struct worker *worker; /* owns; [workers + 1] */
    int window;
    struct finding *finding; /* owns; [window]: batches not yet taken */
    struct finding best;     /* steps and searches: totals */
    struct finding last;     /* the batch in which the steps ran out */
    _Atomic int64_t steps;   /* those of `best`, for workers */
    _Atomic bool enough;
};

/* ---- a batch ------------------------------------------------------------- */

/* Is the cost optimal, or good enough for the user? */
static bool is_enough(const struct loop *l, int64_t cost)
{
    return bestdag_task_enough(l->task, bestdag_problem_nats(l->problem, cost));
}

static void keep(struct finding *best, int64_t cost, const int32_t *choice,
                 int n)
{
    if (cost >= best->cost)
        return;
    assert(cost >= 0);
    best->cost = cost;
    memcpy(best->choice, choice, (size_t)n * sizeof *choice);
}

/* Draws the order that search k begins with. Returns how many variables have a
 * set. */
static int draw_first(const struct loop *l, struct bestdag_initial_order *d,
                      struct bestdag_random *r, int64_t k)
{
    *r = bestdag_random_init(l->task->run->seed, (uint64_t)k);
    return l->start && !k ? bestdag_initial_order_near(d, l->start)
                          : bestdag_initial_order_random(d, r);
}

/* Climbs from w's order within the rest of f->limit. False: the limit is
 * reached. */
static bool climb(const struct loop *l, struct worker *w,
                  struct bestdag_climb *c, struct finding *f)
{
    c->limit = f->limit - f->steps;
    l->climber->climb(w->state, c);
    f->steps += c->steps;
    keep(f, c->cost, c->choice, l->n);
    c->limit = f->limit - f->steps;
    return !is_enough(l, f->cost) && !bestdag_climb_ends(c, 0);
}

/* Continues from other orders of the network that was found. */
static bool reorder(const struct loop *l, struct worker *w,
                    struct bestdag_climb *c, struct bestdag_random *r,
                    struct finding *f)
{
    for (int64_t quiet = 0; quiet < l->reorders; quiet++) {
        int64_t before = c->cost;
        bestdag_initial_order_again(w->draw, r, c->choice);
        if (!climb(l, w, c, f))
            return false;
        if (c->cost < before)
            quiet = -1;
    }
    return true;
}

/* Runs the searches of one batch, as far as f->limit allows. */
static void search(const struct loop *l, struct worker *w, int64_t number,
                   const _Atomic bool *enough, struct finding *f)
{
    int64_t first = number * l->batch;
    int64_t end = l->most - first > l->batch ? first + l->batch : l->most;
    struct bestdag_climb c = {
        .run = l->task->run, .enough = enough, .order = w->draw->order};
    struct bestdag_random r;
    f->cost = INT64_MAX;
    f->steps = f->searches = 0;
    for (int64_t k = first; k < end; k++) {
        draw_first(l, w->draw, &r, k);
        f->searches++;
        if (!climb(l, w, &c, f) || !reorder(l, w, &c, &r, f))
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

/* The steps ran out within this batch: repeats it with the steps that were
 * left. If the clock stops that, the whole batch counts, as the best so far. */
static const struct finding *shorten(struct loop *l, int64_t number,
                                     const struct finding *whole)
{
    l->last.limit = l->limit - l->best.steps;
    atomic_store(&l->enough, true); /* workers need not go on */
    search(l, &l->worker[l->workers], number, NULL, &l->last);
    return bestdag_run_stopped(l->task->run) ? whole : &l->last;
}

static void report_best(struct loop *l)
{
    bestdag_task_keep_incumbent_sets(l->task, l->best.choice, l->best.cost);
    bestdag_task_report(l->task, bestdag_problem_nats(l->problem, l->best.cost),
                        l->best.searches);
}

/* ---- checkpoint ---------------------------------------------------------- */

static bool is_possible(const struct loop *l)
{
    int64_t cost = 0;
    for (int v = 0; v < l->n; v++) {
        const struct bestdag_indexed_list *m = &l->problem->candidates[v];
        int32_t set = l->best.choice[v];
        if (set < 0 || set >= m->count)
            return false;
        cost += m->cost[set];
    }
    return cost == l->best.cost && l->next >= 0 && l->best.steps >= 0;
}

/* Searches are numbered, so the best one and the next number suffice. */
static void pass_loop(void *argument, struct bestdag_archive *p)
{
    struct loop *l = argument;
    bestdag_pass_count(p, &l->next);
    BESTDAG_PASS(p, l->best.cost);
    bestdag_pass_count(p, &l->best.steps);
    bestdag_pass_count(p, &l->best.searches);
    bestdag_archive_pass(p, l->best.choice,
                         (size_t)l->n * sizeof *l->best.choice);
    if (bestdag_archive_opens(p) && !is_possible(l))
        bestdag_archive_reject(p);
}

static void resume(struct loop *l)
{
    if (!bestdag_task_resume(l->task, pass_loop, l))
        return;
    l->round = l->next;
    atomic_store(&l->steps, l->best.steps);
    atomic_store(&l->enough,
                 l->best.steps >= l->limit || is_enough(l, l->best.cost));
    report_best(l);
}

/* ---- taking results ------------------------------------------------------ */

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
    report_best(l);
    l->next = l->round + item + 1;
    bestdag_task_save(l->task, pass_loop, l);
    return atomic_load(&l->enough) ? ENOUGH : BESTDAG_OK;
}

/* ---- the loop ------------------------------------------------------------ */

static int repeat(struct loop *l)
{
    struct bestdag_work w = {
        .job = l, .work = work, .take = take, .window = l->window};
    int64_t batches = l->most / l->batch + (l->most % l->batch > 0);
    while (l->round < batches && !atomic_load(&l->enough) &&
           !bestdag_run_stopped(l->task->run)) {
        w.items = batches - l->round < ROUND ? batches - l->round : ROUND;
        if (bestdag_parallel(l->task->run, &w, NULL))
            break;
        l->round += w.items;
    }
    return bestdag_run_status(l->task->run);
}

/* Evaluates the first order, so that there is an answer before the clock is
 * checked. Not counted, since the first search begins there, too. False: no
 * network exists. */
static bool begin(struct loop *l)
{
    struct worker *w = &l->worker[l->workers];
    struct bestdag_climb c = {.run = l->task->run, .order = w->draw->order};
    struct bestdag_random r;
    if (draw_first(l, w->draw, &r, 0) < l->n)
        return false;
    l->climber->climb(w->state, &c);
    l->best.cost = INT64_MAX;
    keep(&l->best, c.cost, c.choice, l->n);
    atomic_store(&l->enough, is_enough(l, l->best.cost));
    report_best(l);
    resume(l);
    return true;
}

static void set_limits(struct loop *l)
{
    struct bestdag_value steps = bestdag_task_setting(l->task, "steps");
    int64_t restarts = bestdag_task_setting(l->task, "restarts").integer;
    l->most = restarts ? restarts : INT64_MAX;
    l->reorders = bestdag_task_setting(l->task, "reorders").integer;
    l->batch = BATCH / (l->n + 1) + 1;
    if (steps.text)
        l->limit = steps.integer;
    else if (restarts || l->task->run->deadline > 0)
        l->limit = INT64_MAX;
    else
        l->limit = bestdag_effort_times(l->task->run->effort,
                                        (int64_t)BY_DEFAULT * (l->n + 1));
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
    w->state = l->climber->open(l->task->run, l->problem);
    w->draw =
        w->state ? bestdag_initial_order_new(l->task->run, l->problem) : NULL;
    return bestdag_run_status(l->task->run);
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
    l->window = WINDOW * l->workers;
    int64_t bytes =
        (l->workers + 1) * (l->climber->bytes(l->problem) +
                            bestdag_initial_order_bytes(l->problem)) +
        (l->window + 3) * l->n * (int64_t)sizeof(int32_t);
    if (bestdag_reserve(run, bytes, "the state of the search"))
        return bestdag_run_status(run);
    l->worker = bestdag_calloc(run, (size_t)l->workers + 1, sizeof *l->worker);
    l->finding = bestdag_calloc(run, (size_t)l->window, sizeof *l->finding);
    if (!l->worker || !l->finding || open_finding(l, &l->best) ||
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
        bestdag_initial_order_free(l->worker[i].draw);
    }
    for (int i = 0; l->finding && i < l->window; i++)
        bestdag_free(l->finding[i].choice);
    bestdag_free(l->worker);
    bestdag_free(l->finding);
    bestdag_free(l->best.choice);
    bestdag_free(l->last.choice);
    bestdag_free(l->start);
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
