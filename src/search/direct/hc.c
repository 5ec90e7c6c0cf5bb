/* SPDX-License-Identifier: MIT */
/* hc.c -- greedy hill climbing with tabu search and restarts.
 *
 * Beginning with the empty network (or a given one), the best of all single
 * moves is made: add, drop or reverse an arc. Where no move gains, tabu search
 * continues for a while with the move that loses least and does not lead back
 * to a recent graph (Glover 1989); then some random moves are made from the
 * best network so far, and climbing begins again (iterated local search). The
 * search ends after a number of steps or restarts.
 *
 * With rules it begins with a network that obeys them, and makes only moves
 * that keep them.
 *
 * A step is a request for the score of a family, cached or not, so a limit in
 * steps is the same work on every machine and with any number of threads. Time:
 * about 2n moves from the empty network, each of which scores one or two rows
 * of n families. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/work.h"
#include "search/direct/arc_moves.h"
#include "search/direct/feasible_start.h"
#include "search/rule_check.h"
#include "search/saved_state.h"

static const struct bestdag_option settings[] = {
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help = "stop after this many requests of local scores; a variable whose "
             "parents change requests one per variable; without a time limit "
             "and restarts the default is 10 n^2 + 500000 for n variables, "
             "times the effort"},
    {"tabu", BESTDAG_INTEGER, "10", 0, 1e5, .value = "N",
     .help =
         "length of the tabu list: do not return to the last N graphs, and "
         "continue for N moves without improvement; 0: plain hill climbing"},
    {"restarts", BESTDAG_INTEGER, NULL, 0, 1e9, .value = "N",
     .help = "restart N times from the perturbed best network; by default as "
             "often as the steps and the time limit allow"},
    {"perturb", BESTDAG_INTEGER, NULL, 1, 1e6, .value = "N",
     .help = "random moves per perturbation; by default 5 + n / 10 for n "
             "variables"},
    {0}};

/* Scores after the same number of steps on baudio and two generated tables
 * (bench/log/2026-11-17-sensitivity.csv). */
enum {
    TRIES = 50,          /* draws per random move, which ends the loop if no
                            move is legal; 5..500: the same */
    LEAST_PERTURBED = 5, /* random moves of a restart; 2: 0.003 to 0.16 % worse,
                            10: -0.01 to +0.06 % */
    PERTURBED_PART = 10, /* and one per this many variables; 5: -0.01 to +0.02
                            %, 20: 0.01 to 0.04 % worse */
    STEPS = 500000,      /* if nothing else limits the search: some 0.1 s; more
                            is better */
    STEPS_PER_PAIR = 10, /* and this many per pair of variables */
    FAMILY_ROWS = 1000   /* rows whose counting takes as long as the rest of a
                            family's score; converts work to steps */
};

struct climber {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_closure *graph;   /* owns */
    struct bestdag_arc_gains *gains; /* owns */
    struct bestdag_arc_moves *moves; /* owns */
    struct bestdag_dag *feasible;    /* owns; initial network under rules */
    struct bestdag_random random;
    int n, tabu, perturb;
    int64_t limit;          /* on steps */
    int64_t most, restarts; /* limit on restarts; restarts so far */
    int64_t now, record;    /* units: score of the graph; of the best one */
    int64_t top;            /* best score of this climb */
    int idle;               /* moves since `top` was reached */
    int64_t arcs;           /* of the best graph */
    bool is_best;           /* the graph is the best, not yet stored in
                               `best` */
    uint64_t *best;         /* owns; its parents' rows */
    uint64_t *saved;        /* owns; rows of a resumed graph; NULL */
    bool *is_changed;       /* owns; [n]: its gains must be renewed */
    int *changed, changes;  /* owns; [n]; their number */
    bool is_lost, gave_up;  /* no initial network was found; one may exist */
};

/* ---- settings ------------------------------------------------------------ */

/* Nominal seconds of a family: most requests add one parent to the same set and
 * are counted together. */
static double family_work(const struct climber *c)
{
    return BESTDAG_WORK_NEIGHBOUR * c->task->scorer->slowness *
           ((double)c->task->scorer->table->rows + FAMILY_ROWS);
}

static int64_t standard_steps(int n)
{
    return STEPS_PER_PAIR * (int64_t)n * n + STEPS;
}

/* Settings that were not given follow from the limits and the size. */
static void read_settings(struct climber *c)
{
    struct bestdag_value steps = bestdag_task_setting(c->task, "steps");
    struct bestdag_value most = bestdag_task_setting(c->task, "restarts");
    struct bestdag_value perturb = bestdag_task_setting(c->task, "perturb");
    bool ends = most.text || c->run->deadline > 0;
    c->limit = steps.text ? steps.integer
               : ends     ? INT64_MAX
               : c->task->work > 0
                   ? bestdag_work_units(c->task->work, family_work(c))
                   : bestdag_effort_times(c->run->effort, standard_steps(c->n));
    c->most = c->task->is_once ? 0 : most.text ? most.integer : INT64_MAX;
    c->perturb = perturb.text ? (int)perturb.integer
                              : LEAST_PERTURBED + c->n / PERTURBED_PART;
    c->tabu = (int)bestdag_task_setting(c->task, "tabu").integer;
}

static int make(struct climber *c)
{
    size_t n = (size_t)c->n;
    int64_t bytes = bestdag_arc_gains_bytes(c->n, c->task->likely) +
                    bestdag_closure_bytes(c->n) + bestdag_arc_moves_bytes(c->n);
    if (bestdag_reserve(c->run, bytes, "hill climbing"))
        return bestdag_run_status(c->run);
    c->graph = bestdag_closure_new(c->run, c->n);
    if (!c->graph)
        return BESTDAG_MEMORY;
    c->best = bestdag_calloc(c->run, n * c->graph->words, sizeof *c->best);
    c->is_changed = bestdag_calloc(c->run, n, sizeof *c->is_changed);
    c->changed = bestdag_alloc(c->run, n * sizeof *c->changed);
    c->gains = bestdag_arc_gains_new(c->run, c->task->scorer, c->graph,
                                     c->task->likely, c->task->max_parents);
    if (c->gains)
        c->moves = bestdag_arc_moves_new(c->run, c->graph, c->gains, c->tabu);
    if (c->moves && c->task->knowledge)
        bestdag_arc_moves_obey(c->run, c->moves, c->task->knowledge);
    return bestdag_run_status(c->run);
}

static void release(struct climber *c)
{
    bestdag_arc_moves_free(c->moves);
    bestdag_arc_gains_free(c->gains);
    bestdag_closure_free(c->graph);
    bestdag_dag_free(c->feasible);
    bestdag_free(c->best);
    bestdag_free(c->saved);
    bestdag_free(c->is_changed);
    bestdag_free(c->changed);
}

/* ---- moving -------------------------------------------------------------- */

static bool is_over(const struct climber *c)
{
    return bestdag_run_stopped(c->run) || c->gains->asked >= c->limit;
}

static void change(struct climber *c, int v)
{
    if (!c->is_changed[v])
        c->changed[c->changes++] = v;
    c->is_changed[v] = true;
}

/* Copies the graph to `best` before it is left for a worse one: while each
 * graph is better than the last, n^2 bits need not be copied. */
static void store_best(struct climber *c)
{
    if (c->is_best)
        memcpy(c->best, c->graph->parents,
               (size_t)c->n * c->graph->words * sizeof *c->best);
    c->is_best = false;
}

/* Makes a move; the gains must be renewed before the next pick. */
static void make_move(struct climber *c, const struct bestdag_move *move)
{
    int child[2];
    int count = bestdag_arc_moves_make(c->moves, move, child);
    for (int i = 0; i < count; i++)
        change(c, child[i]);
}

static int renew(struct climber *c)
{
    int count = c->changes;
    c->changes = 0;
    for (int i = 0; i < count; i++)
        c->is_changed[c->changed[i]] = false;
    return bestdag_arc_gains_renew(c->gains, c->changed, count);
}

/* Keeps the graph if it is the best so far, or as good with no more arcs: its
 * neighbourhood differs. */
static void keep_best(struct climber *c)
{
    const struct bestdag_closure *g = c->graph;
    bool better = c->now > c->record;
    if (!better && (c->now < c->record || g->arcs > c->arcs))
        return;
    assert(c->now >= c->record);
    c->record = c->now;
    c->arcs = g->arcs;
    c->is_best = true;
    if (better)
        bestdag_task_report(c->task,
                            bestdag_scorer_nats(c->task->scorer, c->record),
                            c->restarts);
}

static void add_up(struct climber *c)
{
    c->now = 0;
    for (int v = 0; v < c->n; v++)
        c->now += bestdag_arc_gains_score(c->gains, v);
}

/* ---- checkpoint ---------------------------------------------------------- */

static bool is_below(int64_t x, int64_t most)
{
    return x >= 0 && x < most;
}

/* Saves between two moves. Gains are recomputed from the graph. */
static void pass_climber(void *argument, struct bestdag_archive *p)
{
    struct climber *c = argument;
    struct bestdag_tabu_list *t = &c->moves->tabu_list;
    size_t bytes = (size_t)c->n * c->graph->words * sizeof *c->best;
    store_best(c);
    bestdag_archive_pass(p, c->best, bytes);
    bestdag_archive_pass(
        p, bestdag_archive_opens(p) ? c->saved : c->graph->parents, bytes);
    BESTDAG_PASS(p, c->random);
    bestdag_pass_count(p, &c->restarts);
    BESTDAG_PASS(p, c->now);
    BESTDAG_PASS(p, c->record);
    bestdag_pass_count(p, &c->arcs);
    BESTDAG_PASS(p, c->top);
    BESTDAG_PASS(p, c->idle);
    bestdag_pass_count(p, &c->gains->asked);
    bestdag_archive_pass(p, t->seen, (size_t)t->room * sizeof *t->seen);
    BESTDAG_PASS(p, t->used);
    BESTDAG_PASS(p, t->next);
    if (c->idle < 0 || !is_below(t->used, t->room + 1) ||
        !is_below(t->next, t->room ? t->room : 1))
        bestdag_archive_reject(p);
}

/* ---- climbing ------------------------------------------------------------ */

/* Climbs until no move gains, and then makes up to `tabu` more moves without an
 * improvement. */
static int climb(struct climber *c)
{
    while (!is_over(c)) {
        struct bestdag_move move = bestdag_arc_moves_pick(c->moves);
        if (!move.kind || (move.gain <= 0 && c->idle >= c->tabu))
            break;
        assert(bestdag_arc_moves_is_legal(c->moves, &move));
        if (move.gain <= 0)
            store_best(c);
        make_move(c, &move);
        c->now += move.gain;
        c->idle = c->now > c->top ? 0 : c->idle + 1;
        c->top = c->now > c->top ? c->now : c->top;
        keep_best(c);
        if (renew(c))
            return bestdag_run_status(c->run);
        bestdag_run_watch(c->run, c->gains->asked);
        bestdag_task_save(c->task, pass_climber, c);
    }
    return BESTDAG_OK;
}

static void begin_climb(struct climber *c)
{
    add_up(c);
    keep_best(c);
    c->top = c->now;
    c->idle = 0;
    assert(c->record >= c->now);
    bestdag_arc_moves_forget(c->moves);
}

/* ---- restarts ------------------------------------------------------------ */

/* Changes the graph to these rows: drops the other arcs, then adds missing
 * ones. */
static void return_to(struct climber *c, const uint64_t *rows)
{
    size_t words = c->graph->words;
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < c->n; v++)
            for (size_t w = 0; w < words; w++) {
                uint64_t wanted = rows[(size_t)v * words + w];
                uint64_t is = bestdag_closure_parents(c->graph, v)[w];
                uint64_t differs = pass ? wanted & ~is : is & ~wanted;
                for (; differs; differs &= differs - 1) {
                    struct bestdag_move move = {
                        .from = (int)(64 * w) + __builtin_ctzll(differs),
                        .to = v,
                        .kind = pass ? BESTDAG_ADD : BESTDAG_DROP};
                    make_move(c, &move);
                }
            }
    assert(
        !memcmp(rows, c->graph->parents, (size_t)c->n * words * sizeof *rows));
}

static int below(struct climber *c, int64_t n)
{
    return (int)bestdag_random_below(&c->random, (uint64_t)n);
}

/* Draws an arc of the graph, which must have one. */
static void draw_arc(struct climber *c, struct bestdag_move *move)
{
    const struct bestdag_closure *g = c->graph;
    int64_t k = (int64_t)bestdag_random_below(&c->random, (uint64_t)g->arcs);
    int v = 0;
    while (k >= g->count[v])
        k -= g->count[v++];
    assert(v < c->n);
    const uint64_t *row = bestdag_closure_parents(g, v);
    int u = bestdag_row_next(row, g->words, 0);
    for (; k > 0; k--)
        u = bestdag_row_next(row, g->words, u + 1);
    move->from = u;
    move->to = v;
}

/* Can the family of u with this additional parent be scored? */
static bool can_take(struct climber *c, int u, int parent)
{
    const struct bestdag_scorer *s = c->task->scorer;
    int *list = c->gains->list;
    int count = bestdag_closure_list(
        c->graph, bestdag_closure_parents(c->graph, u), list);
    list[count++] = parent;
    if (bestdag_arc_gains_is_constant(c->gains, parent))
        return false;
    return bestdag_scorer_penalty(s, u, list, count) <
           bestdag_neighbour_scores_limit(s);
}

/* False: the move that was drawn is impossible. */
static bool draw(struct climber *c, struct bestdag_move *move)
{
    if (!c->n)
        return false;
    move->kind = (enum bestdag_move_kind)(BESTDAG_ADD + below(c, 3));
    if (move->kind == BESTDAG_ADD) {
        move->from = below(c, c->n);
        move->to = below(c, c->n);
    } else if (c->graph->arcs) {
        draw_arc(c, move);
    } else {
        return false;
    }
    return bestdag_arc_moves_is_legal(c->moves, move) &&
           (move->kind == BESTDAG_DROP ||
            (move->kind == BESTDAG_ADD ? can_take(c, move->to, move->from)
                                       : can_take(c, move->from, move->to)));
}

/* Makes random moves; returns how many. */
static int perturb(struct climber *c)
{
    int64_t tries = (int64_t)TRIES * c->perturb;
    int made = 0;
    for (int64_t i = 0; i < tries && made < c->perturb; i++) {
        struct bestdag_move move = {0};
        if (!draw(c, &move))
            continue;
        make_move(c, &move);
        made++;
    }
    return made;
}

/* Perturbs the best network; false: a limit was reached, no move is possible,
 * or an error. */
static bool begin_again(struct climber *c)
{
    if (is_over(c) || c->restarts == c->most)
        return false;
    store_best(c);
    return_to(c, c->best);
    if (!perturb(c))
        return false;
    c->restarts++;
    if (renew(c) || bestdag_run_watch(c->run, c->gains->asked))
        return false;
    begin_climb(c);
    return true;
}

/* ---- the solver ---------------------------------------------------------- */

static struct bestdag_dag *dag_of(const struct climber *c, const uint64_t *rows)
{
    struct bestdag_dag *dag = bestdag_dag_new(c->run, c->n);
    int *list = c->gains->list;
    for (int v = 0; dag && v < c->n; v++) {
        int count = bestdag_closure_list(
            c->graph, rows + (size_t)v * c->graph->words, list);
        if (count && bestdag_dag_set_parents(c->run, dag, v, list, count)) {
            bestdag_dag_free(dag);
            return NULL;
        }
    }
    return dag;
}

/* Does the family have a score above minus infinity? */
static bool has_score(const struct climber *c, int v,
                      const struct bestdag_parents *p)
{
    const struct bestdag_scorer *s = c->task->scorer;
    double nats = 0;
    return s->columns ||
           (!bestdag_scorer_has_constant(s, v, p->at, p->count) &&
            !bestdag_scorer_exact(c->run, s, v, p->at, p->count, &nats) &&
            nats > -INFINITY);
}

/* May the start's family be used? One that cannot be scored loses its parents,
 * unless rules require them. */
static int check_start(struct climber *c, const struct bestdag_dag *start,
                       int v, bool *fits)
{
    const struct bestdag_parents *p = &start->parents[v];
    const struct bestdag_scorer *s = c->task->scorer;
    if (p->count > c->gains->max_parents)
        return bestdag_fail(c->run, BESTDAG_USAGE,
                            "the network to start from gives '%s' %d parents, "
                            "max-parents is %d",
                            s->table->column[v].name, p->count,
                            c->gains->max_parents);
    *fits = bestdag_scorer_penalty(s, v, p->at, p->count) <
            bestdag_neighbour_scores_limit(s);
    if (!*fits && c->task->knowledge)
        return bestdag_fail(c->run, BESTDAG_USAGE,
                            "'%s' has %d parents in the network to start from, "
                            "more than can be scored",
                            s->table->column[v].name, p->count);
    *fits = *fits && (c->task->knowledge || has_score(c, v, p));
    return bestdag_run_status(c->run);
}

/* The given start; under rules another one, if it breaks them. */
static const struct bestdag_dag *find_start(struct climber *c)
{
    const struct bestdag_task *task = c->task;
    char place[128];
    if (!task->knowledge)
        return task->start;
    if (task->start && bestdag_task_obeys(task, task->start, place))
        return task->start;
    c->feasible =
        bestdag_run_status(c->run)
            ? NULL
            : bestdag_feasible_start_find(c->run, task->knowledge,
                                          task->max_parents, &c->gave_up);
    c->is_lost = !c->feasible;
    return c->feasible;
}

static int set_out(struct climber *c)
{
    const struct bestdag_dag *start = find_start(c);
    for (int v = 0; start && v < c->n; v++) {
        bool fits = false;
        if (check_start(c, start, v, &fits))
            return bestdag_run_status(c->run);
        for (int i = 0; fits && i < start->parents[v].count; i++) {
            struct bestdag_move arc = {
                .from = start->parents[v].at[i], .to = v, .kind = BESTDAG_ADD};
            if (!bestdag_closure_can_add(c->graph, arc.from, v))
                return bestdag_fail(c->run, BESTDAG_INPUT,
                                    "the network to start from has a cycle");
            make_move(c, &arc);
        }
    }
    memcpy(c->best, c->graph->parents,
           (size_t)c->n * c->graph->words * sizeof *c->best);
    for (int v = 0; v < c->n; v++)
        change(c, v);
    return bestdag_run_status(c->run);
}

/* Do these rows represent a DAG? */
static bool is_graph(const struct climber *c, const uint64_t *rows)
{
    size_t words = c->graph->words, used = bestdag_row_words(c->n);
    for (size_t v = 0; v < (size_t)c->n; v++) /* no bits beyond the last
                                                 variable */
        if (c->n % 64 && rows[v * words + used - 1] >> (c->n % 64))
            return false;
    struct bestdag_dag *dag = dag_of(c, rows);
    int *order = bestdag_alloc(c->run, (size_t)c->n * sizeof *order);
    bool is_one = dag && order && bestdag_dag_order(c->run, dag, order) == c->n;
    bestdag_free(order);
    bestdag_dag_free(dag);
    return is_one;
}

/* False: there is no saved state, or an error. */
static bool resume(struct climber *c)
{
    size_t words = (size_t)c->n * c->graph->words;
    if (!c->task->checkpoint)
        return false;
    c->saved = bestdag_calloc(c->run, words, sizeof *c->saved);
    if (!c->saved || !bestdag_task_resume(c->task, pass_climber, c))
        return false;
    if (!is_graph(c, c->best) || !is_graph(c, c->saved)) {
        bestdag_fail(c->run, BESTDAG_USAGE,
                     "checkpoint: its content is not a network");
        return false;
    }
    uint64_t *seen = c->moves->tabu_list.seen;
    struct bestdag_tabu_list tabu_list = c->moves->tabu_list;
    uint64_t *kept =
        bestdag_alloc(c->run, (size_t)tabu_list.room * sizeof *kept);
    if (!kept)
        return false;
    memcpy(kept, seen, (size_t)tabu_list.room * sizeof *kept);
    return_to(c, c->saved); /* this changes the tabu list */
    memcpy(seen, kept, (size_t)tabu_list.room * sizeof *kept);
    c->moves->tabu_list.used = tabu_list.used;
    c->moves->tabu_list.next = tabu_list.next;
    bestdag_free(kept);
    bestdag_task_report(
        c->task, bestdag_scorer_nats(c->task->scorer, c->record), c->restarts);
    return true;
}

static int search(struct climber *c)
{
    if (set_out(c) || c->is_lost || bestdag_run_watch(c->run, 0))
        return bestdag_run_status(c->run);
    bool goes_on = resume(c);
    int64_t asked = c->gains->asked;
    if (bestdag_run_status(c->run) || renew(c) || bestdag_run_stopped(c->run))
        return bestdag_run_status(c->run);
    if (goes_on)
        c->gains->asked = asked;
    else
        begin_climb(c);
    while (!climb(c) && begin_again(c))
        continue;
    return bestdag_run_status(c->run);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct climber c = {
        .task = task,
        .run = task->run,
        .n = task->n,
        .record = INT64_MIN,
        .random = bestdag_random_init(task->run->seed, 0x6863),
    };
    read_settings(&c);
    if (!make(&c) && (!search(&c) || c.record > INT64_MIN)) {
        store_best(&c);
        to->dag = c.is_lost ? NULL : dag_of(&c, c.best);
        to->is_limited = c.gave_up;
        to->steps = c.gains->asked;
        to->work = (double)to->steps * family_work(&c);
        to->restarts = c.restarts;
    }
    release(&c);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_hc = {
    .name = "hc",
    .help = "greedy hill climbing on the table: add, remove or reverse an arc; "
            "tabu list and restarts",
    .ground = BESTDAG_ON_TABLE,
    .takes = BESTDAG_NEEDS_LOCAL | BESTDAG_NEEDS_ORDER,
    .settings = settings,
    .solve = solve};
