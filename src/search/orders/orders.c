/* SPDX-License-Identifier: MIT */
/* orders.c -- iterated local search over orders: kicks, islands, epochs, elite.
 *
 * States are orders (order_state.h). A perturbation (kick) gives a variable
 * that lacks its best set a better one, moves the variables that depend on it
 * along, and continues with its neighbours; climbing repairs the rest; the
 * result is kept if it is no worse. Kick and repair touch a neighbourhood, not
 * the order, so there are tens of thousands of them per second at any n.
 *
 *   round   islands start from the same order and search on their own for a
 *           fixed number of steps. The best one becomes the common order, and
 *           adopts from the others what they improved elsewhere.
 *   epoch   rounds, until kicks no longer help. Then every variable takes the
 *           set that acyclic selection allows, the order joins the elite, and
 *           the next epoch starts from a random order, from two of the elite
 *           crossed, or from the best one perturbed.
 *
 * Insertion climbing and the elite with its crossover are MINOBS's (Lee and van
 * Beek 2017), moving blocks and acyclic selection WINASOBS's (Scanagatta et al.
 * 2017). Decisions are made by counted look-ups, never by the clock, and the
 * number of islands does not depend on the number of threads. Islands are
 * spread over ranks; rank 0 decides when the search ends. */
#include <string.h>

#include "base/work.h"
#include "parallel/collective.h"
#include "parallel/parallel.h"
#include "search/incumbent.h"
#include "search/orders/initial_order.h"
#include "search/orders/order_state.h"
#include "search/saved_state.h"
#include "search/turn.h"

static const struct bestdag_option settings[] = {
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help =
         "stop after this many look-ups in the candidate sets; without a time "
         "limit the default depends on the number of variables and --effort"},
    {"islands", BESTDAG_INTEGER, "4", 1, 256, .value = "N",
     .help = "number of islands: parallel searches that exchange their best "
             "networks at intervals; also the largest number of threads that "
             "helps"},
    {0}};

/* "within": how much scores differ at the same number of look-ups, on munin1,
 * link, soybean and 300 generated variables; seeds alone differ by 0.02 % on
 * munin1. Constants of epochs ("the same") have no measured effect: 4 to 6 M
 * look-ups on munin1, hailfinder and 300 generated variables reach the same
 * score, the optimum on the last (bench/log/2026-11-17-sensitivity.csv). */
enum {
    ELITE = 8,           /* orders to cross; 2..32: the same */
    LEAST_PERTURBED = 2, /* kicks of the best order; 1..10: the same */
    PERTURBED_PART = 10, /* and one per this many variables; 3..30: the same */
    ROUND_STEPS = 20000, /* look-ups of an island in a round; 10000..40000:
                            within 0.07 % */
    ROUND_PER_VARIABLE = 100, /* and this many per variable; 50..200: within
                                 0.06 % */
    PATIENCE = 4000,          /* kicks without a gain that end an epoch;
                                   2000..8000: the same */
    PATIENCE_PER_VARIABLE =
        40,          /* and this many per variable; 20, 80: the same */
    STEPS = 3000000, /* look-ups if nothing else limits the search; more is
                        better; 1 s is 1 to 4 M */
    STEPS_PER_VARIABLE = 20000 /* and this many per variable */
};

struct island {
    struct bestdag_order_state *at; /* owns */
    int32_t *moved;                 /* owns; [n]: variables moved by kicks that
                                       gained */
    bool *is_moved;                 /* owns; [n] */
    int moves;
    int64_t kicks;
    bool has_run; /* in this round */
};

struct elite {
    int *order; /* owns */
    int64_t cost;
};

struct search {
    struct bestdag_task *task;
    struct bestdag_run *run;
    const struct bestdag_problem *problem;
    struct island *island; /* owns; [islands] */
    int islands;
    struct bestdag_order_state *common; /* owns; the order that islands start
                                           from */
    struct bestdag_initial_order *draw; /* owns; makes orders feasible */
    struct bestdag_random random;
    int64_t round_steps; /* per island */
    int64_t most_steps;  /* in total; 0: no limit */
    int64_t steps, epochs;
    int64_t patience; /* kicks without a gain that end an epoch */
    int64_t gained;   /* kicks at the last gain of the epoch */
    int64_t cost;     /* of the common order after its last round */
    struct elite elite[ELITE];
    int elites;
    int *order;      /* owns; scratch */
    int *best_order; /* owns */
    int64_t best;    /* its cost; -1: none yet */
    bool has_better; /* another solver found a better network: task->start */
};

static int pick(struct bestdag_random *r, int64_t n)
{
    return (int)bestdag_random_below(r, (uint64_t)n);
}

/* ---- an island ----------------------------------------------------------- */

static void note_moved(struct island *s)
{
    for (int64_t i = 0; i < s->at->logged; i++) {
        int v = s->at->log[i].v;
        if (!s->is_moved[v])
            s->moved[s->moves++] = v;
        s->is_moved[v] = true;
    }
}

static void forget_moved(struct island *s)
{
    for (int i = 0; i < s->moves; i++)
        s->is_moved[s->moved[i]] = false;
    s->moves = 0;
}

static void try_kick(struct island *s)
{
    struct bestdag_order_state *p = s->at;
    int64_t old = p->cost;
    bestdag_order_state_kick(p);
    bestdag_order_state_insert_all(p);
    s->kicks++;
    if (p->cost < old)
        note_moved(s);
    if (p->cost <= old)
        bestdag_order_state_keep(p);
    else
        bestdag_order_state_undo(p);
}

static int run_island(void *argument, int64_t item, int worker)
{
    struct search *s = argument;
    struct island *island = &s->island[item];
    struct bestdag_order_state *p = island->at;
    (void)worker;
    bestdag_order_state_copy(p, s->common);
    forget_moved(island);
    island->has_run = true;
    int64_t end = p->steps + s->round_steps;
    while (p->steps < end && p->cost > 0 && !p->status &&
           !bestdag_run_stopped(s->run))
        try_kick(island);
    return p->status;
}

/* Passes the result of an island to other ranks. */
static int pass_island(void *argument, int64_t item, struct bestdag_archive *p)
{
    struct search *s = argument;
    struct island *island = &s->island[item];
    if (bestdag_archive_opens(p))
        forget_moved(island);
    BESTDAG_PASS(p, island->moves);
    if (island->moves < 0 || island->moves > s->problem->n) {
        bestdag_archive_reject(p);
        island->moves = 0;
    }
    bestdag_archive_pass(p, island->moved,
                         (size_t)island->moves * sizeof *island->moved);
    for (int i = 0; i < island->moves; i++)
        island->is_moved[island->moved[i]] = true;
    BESTDAG_PASS(p, island->kicks);
    island->has_run = true;
    bestdag_order_state_pass(island->at, p);
    return bestdag_run_status(s->run);
}

/* ---- a round ------------------------------------------------------------- */

static int find_best(const struct search *s)
{
    int best = -1;
    for (int i = 0; i < s->islands; i++)
        if (s->island[i].has_run &&
            (best < 0 || s->island[i].at->cost < s->island[best].at->cost))
            best = i;
    return best;
}

static int64_t count_steps(const struct search *s)
{
    int64_t steps = s->common->steps;
    for (int i = 0; i < s->islands; i++)
        steps += s->island[i].at->steps;
    return steps;
}

/* The common order becomes the best island's, and adopts improvements of others
 * elsewhere. */
static void merge(struct search *s)
{
    int best = find_best(s);
    if (best < 0 || s->island[best].at->cost > s->common->cost)
        return;
    bestdag_order_state_copy(s->common, s->island[best].at);
    for (int i = 0; i < s->islands; i++)
        if (i != best && s->island[i].has_run && s->island[i].moves)
            bestdag_order_state_adopt(s->common, s->island[i].at,
                                      s->island[i].moved, s->island[i].moves);
}

static int keep_best(struct search *s)
{
    if (s->best >= 0 && s->common->cost >= s->best)
        return BESTDAG_OK;
    s->best = s->common->cost;
    bestdag_task_report(s->task, bestdag_problem_nats(s->problem, s->best),
                        s->epochs);
    if (bestdag_order_state_get(s->common, s->best_order))
        return bestdag_run_status(s->run);
    bestdag_task_keep_incumbent_order(s->task, s->best_order, s->best);
    return BESTDAG_OK;
}

/* The same on all ranks as long as they have not diverged. */
static uint64_t digest(const struct search *s)
{
    return bestdag_mix((uint64_t)s->best ^ bestdag_mix((uint64_t)s->steps)) ^
           bestdag_mix((uint64_t)s->common->cost);
}

/* Nominal seconds since the search began. */
static double work_of(const struct search *s)
{
    return (double)s->steps * bestdag_lookup_work(s->problem);
}

/* Has a limit or the target been reached? Rank 0 decides. Pauses first if the
 * turn is over. */
static bool is_over(struct search *s)
{
    if (bestdag_turn_is_over(s->task, work_of(s)))
        s->has_better |= bestdag_turn_pass(s->task);
    double best = bestdag_problem_nats(s->problem, s->best);
    bool is_over = bestdag_run_watch(s->run, s->steps) ||
                   (s->most_steps && s->steps >= s->most_steps) ||
                   bestdag_task_enough(s->task, best);
    return bestdag_collective_decide(s->run, digest(s), is_over);
}

static int run_round(struct search *s)
{
    struct bestdag_work work = {.job = s,
                                .items = s->islands,
                                .work = run_island,
                                .pass = pass_island,
                                .is_even = true,
                                .digest = digest(s)};
    int64_t done;
    for (int i = 0; i < s->islands; i++)
        s->island[i].has_run = false;
    bestdag_order_state_spread(s->common);
    if (bestdag_parallel(s->run, &work, &done))
        return bestdag_run_status(s->run);
    merge(s);
    s->steps = count_steps(s);
    return keep_best(s);
}

/* ---- checkpoint ---------------------------------------------------------- */

/* The state between two rounds: islands copy everything else from the common
 * order. */
static void pass_search(void *argument, struct bestdag_archive *p)
{
    struct search *s = argument;
    int n = s->problem->n;
    BESTDAG_PASS(p, s->random);
    bestdag_pass_count(p, &s->steps);
    bestdag_pass_count(p, &s->epochs);
    bestdag_pass_count(p, &s->gained);
    bestdag_pass_within(p, &s->cost, 0, INT64_MAX);
    bestdag_pass_within(p, &s->best, 0, INT64_MAX);
    BESTDAG_PASS(p, s->elites);
    bestdag_pass_order(p, s->best_order, n);
    if (s->elites < 0 || s->elites > ELITE) {
        bestdag_archive_reject(p);
        s->elites = 0;
    }
    for (int i = 0; i < s->elites; i++) {
        BESTDAG_PASS(p, s->elite[i].cost);
        bestdag_pass_order(p, s->elite[i].order, n);
    }
    bestdag_order_state_pass(s->common, p);
    for (int i = 0; i < s->islands; i++) {
        bestdag_pass_count(p, &s->island[i].kicks);
        bestdag_pass_count(p, &s->island[i].at->steps);
        BESTDAG_PASS(p, s->island[i].at->random);
    }
}

/* ---- an epoch ------------------------------------------------------------ */

static int64_t count_kicks(const struct search *s)
{
    int64_t kicks = 0;
    for (int i = 0; i < s->islands; i++)
        kicks += s->island[i].kicks;
    return kicks;
}

/* Begins an epoch by climbing from the order. */
static int begin_epoch(struct search *s, const int *order)
{
    bestdag_initial_order_near(s->draw, order);
    bestdag_order_state_set(s->common, s->draw->order);
    bestdag_order_state_insert_all(s->common);
    bestdag_order_state_select_acyclic(s->common);
    bestdag_order_state_gather(s->common);
    s->gained = count_kicks(s);
    s->cost = s->common->cost;
    return keep_best(s);
}

/* Runs rounds until the patience is exhausted or there is a better start. */
static int run_epoch(struct search *s)
{
    while (!is_over(s) && !s->has_better &&
           count_kicks(s) - s->gained < s->patience) {
        if (run_round(s))
            return bestdag_run_status(s->run);
        bool is_exhausted = count_kicks(s) - s->gained >= s->patience;
        if (is_exhausted)
            bestdag_order_state_select_acyclic(s->common);
        if (s->common->cost < s->cost)
            s->gained = count_kicks(s);
        s->cost = s->common->cost;
        bestdag_task_save(s->task, pass_search, s);
    }
    s->epochs++;
    return keep_best(s);
}

/* Adds the order to the elite, unless one has the same cost; when it is full, a
 * better order replaces the worst. */
static int join_elite(struct search *s)
{
    int64_t cost = s->common->cost;
    int worst = 0;
    for (int i = 0; i < s->elites; i++) {
        if (s->elite[i].cost == cost)
            return BESTDAG_OK;
        if (s->elite[i].cost > s->elite[worst].cost)
            worst = i;
    }
    if (s->elites < ELITE)
        worst = s->elites++;
    else if (s->elite[worst].cost <= cost)
        return BESTDAG_OK;
    s->elite[worst].cost = cost;
    return bestdag_order_state_get(s->common, s->elite[worst].order);
}

/* ---- initial orders of epochs -------------------------------------------- */

static void shuffle(struct search *s, int *order)
{
    for (int i = 0; i < s->problem->n; i++)
        order[i] = i;
    for (int i = s->problem->n - 1; i > 0; i--) {
        int j = pick(&s->random, i + 1), other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
}

/* A segment of one order, then the rest in the order of the other. */
static void cross(struct search *s, const int *one, const int *other)
{
    int n = s->problem->n, from = pick(&s->random, n), count = 0;
    int length = 1 + pick(&s->random, n);
    bool *is_in = s->island[0].is_moved; /* all false between rounds */
    forget_moved(&s->island[0]);
    for (int i = 0; i < length; i++)
        is_in[one[(from + i) % n]] = true;
    for (int i = 0; i < n; i++)
        if (!is_in[other[i]] && i < from)
            s->order[count++] = other[i];
    for (int i = 0; i < n; i++)
        if (is_in[one[i]])
            s->order[count++] = one[i];
    for (int i = 0; i < n; i++)
        if (!is_in[other[i]] && i >= from)
            s->order[count++] = other[i];
    memset(is_in, 0, (size_t)n * sizeof *is_in);
}

/* Kicks the best order, about once per ten variables. */
static int perturb_best(struct search *s)
{
    struct bestdag_order_state *p = s->common;
    bestdag_order_state_set(p, s->best_order);
    for (int i = 0; i < LEAST_PERTURBED + s->problem->n / PERTURBED_PART; i++) {
        bestdag_order_state_kick(p);
        bestdag_order_state_keep(p);
        bestdag_order_state_spread(p);
    }
    return bestdag_order_state_get(p, s->order);
}

static int start(struct search *s)
{
    const struct bestdag_dag *dag = s->task->start;
    s->has_better = false;
    if (dag) /* it is acyclic, so all are placed */
        return bestdag_dag_order(s->run, dag, s->order) < 0;
    shuffle(s, s->order);
    return BESTDAG_OK;
}

static int next_start(struct search *s)
{
    if (s->has_better)
        return start(s);
    int way = pick(&s->random, 3);
    if (way == 0 && s->elites > 1) {
        int one = pick(&s->random, s->elites);
        int other = pick(&s->random, s->elites - 1);
        cross(s, s->elite[one].order, s->elite[other + (other >= one)].order);
        return BESTDAG_OK;
    }
    if (way == 1)
        return perturb_best(s);
    shuffle(s, s->order);
    return BESTDAG_OK;
}

/* ---- the solver ---------------------------------------------------------- */

static int allocate(struct search *s)
{
    size_t n = (size_t)s->problem->n;
    int64_t bytes = bestdag_order_state_bytes(s->problem) + (int64_t)n * 8;
    bytes = bytes * (s->islands + 1) + bestdag_initial_order_bytes(s->problem);
    if (bestdag_reserve(s->run, bytes, "the islands"))
        return bestdag_run_status(s->run);
    s->island = bestdag_calloc(s->run, (size_t)s->islands, sizeof *s->island);
    s->common = bestdag_order_state_new(s->run, s->problem);
    if (s->common)
        s->common->random = bestdag_random_init(s->run->seed, 0);
    s->draw = s->common ? bestdag_initial_order_new(s->run, s->problem) : NULL;
    s->order = bestdag_calloc(s->run, n, sizeof *s->order);
    s->best_order = bestdag_calloc(s->run, n, sizeof *s->best_order);
    for (int i = 0; s->island && i < s->islands; i++) {
        struct island *island = &s->island[i];
        island->at = bestdag_order_state_new(s->run, s->problem);
        island->moved = bestdag_calloc(s->run, n, sizeof *island->moved);
        island->is_moved = bestdag_calloc(s->run, n, sizeof *island->is_moved);
        if (island->at)
            island->at->random =
                bestdag_random_init(s->run->seed, (uint64_t)i + 2);
    }
    for (int i = 0; i < ELITE; i++)
        s->elite[i].order = bestdag_calloc(s->run, n, sizeof *s->order);
    return bestdag_run_status(s->run);
}

static void release(struct search *s)
{
    for (int i = 0; s->island && i < s->islands; i++) {
        bestdag_order_state_free(s->island[i].at);
        bestdag_free(s->island[i].moved);
        bestdag_free(s->island[i].is_moved);
    }
    for (int i = 0; i < ELITE; i++)
        bestdag_free(s->elite[i].order);
    bestdag_order_state_free(s->common);
    bestdag_initial_order_free(s->draw);
    bestdag_free(s->island);
    bestdag_free(s->order);
    bestdag_free(s->best_order);
}

static void plan(struct search *s)
{
    int64_t n = s->problem->n;
    struct bestdag_value steps = bestdag_task_setting(s->task, "steps");
    s->islands = (int)bestdag_task_setting(s->task, "islands").integer;
    s->round_steps = ROUND_STEPS + ROUND_PER_VARIABLE * n;
    s->patience = PATIENCE + PATIENCE_PER_VARIABLE * n;
    s->most_steps =
        s->task->steps ? s->task->steps
        : steps.text   ? steps.integer
        : s->task->work > 0
            ? bestdag_work_units(s->task->work, bestdag_lookup_work(s->problem))
        : s->run->deadline > 0 || s->task->turn
            ? 0
            : bestdag_effort_times(s->run->effort,
                                   STEPS + STEPS_PER_VARIABLE * n);
    s->random = bestdag_random_init(s->run->seed, 1);
    s->best = -1;
}

static void search(struct search *s)
{
    if (bestdag_task_resume(s->task, pass_search, s))
        bestdag_task_report(s->task, bestdag_problem_nats(s->problem, s->best),
                            s->epochs);
    else if (bestdag_run_status(s->run) || begin_epoch(s, s->order))
        return;
    while (!run_epoch(s) && !is_over(s) && !join_elite(s) && !next_start(s) &&
           !begin_epoch(s, s->order))
        ;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct search s = {
        .task = task, .run = task->run, .problem = task->problem};
    plan(&s);
    if (!allocate(&s) && !start(&s) &&
        bestdag_initial_order_near(s.draw, s.order) ==
            task->n) /* otherwise there is no network */
        search(&s);
    if (!bestdag_run_status(task->run)) {
        to->steps = count_steps(&s);
        to->work = (double)to->steps * bestdag_lookup_work(s.problem);
        if (s.best >= 0 && s.best < task->problem->none)
            to->dag =
                bestdag_order_dag(task->run, task->problem, s.best_order, NULL);
    }
    to->restarts = s.epochs;
    release(&s);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_orders = {
    .name = "orders",
    .help = "search over orders: insertion, block moves, acyclic selection, "
            "islands and an elite; the best heuristic at any size",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .settings = settings,
    .solve = solve,
};
