/* SPDX-License-Identifier: MIT */
/* acoe.c -- ant colony optimisation over equivalence classes (ACO-E; Daly and
 * Shen 2009).
 *
 * An ant starts from the class without arcs (under rules: of the required arcs)
 * and makes moves that gain until none does: mostly the one with the largest
 * pheromone * gain^beta, otherwise one drawn in proportion to it. It reduces
 * the pheromone on its path; after each round the best path so far gets more.
 * Every tstep-th round ends with a greedy search by all moves from where the
 * ants are. The best class of all is the answer.
 *
 * Every other ant moves with sets of neighbours (fges.h), the others with the
 * six operators of the paper: each kind ends higher than the other on some
 * tables. With the paper's q0 = 0.9 and beta = 3 the ants mostly repeat the
 * greedy search: on alarm, child, insurance, hailfinder, water, win95pts (2,000
 * rows each) and soybean, BDeu, ants with the six operators end above it on
 * three of seven, by 6, 34 and 80 nats. With both kinds, q0 = 0.8 and beta = 1
 * they do on all, by 6 to 76 nats. Other settings matter little: beta = 2, the
 * paper's two values with both kinds, rho = 0.3, or twice the ants in half the
 * rounds are at most 2 nats lower, except on soybean, where two seeds differ by
 * up to 24 and none is clearly better (bench/log/2026-11-17-acoe.csv).
 *
 * The ants of a round see the pheromone as it was at the beginning of the
 * round, and their own changes, which are added in the order of the ants. So
 * they can run in parallel, and the answer does not depend on the number of
 * threads. */
#include <math.h>

#include "parallel/parallel.h"
#include "base/growing_array.h"
#include "search/classes/fges.h"
#include "search/classes/pheromone.h"
#include "search/saved_state.h"

static const struct bestdag_option settings[] = {
    {"tmax", BESTDAG_INTEGER, "100", 0, 1e9, .value = "N",
     .help = "number of rounds of ants"},
    {"tstep", BESTDAG_INTEGER, "6", 0, 1e9, .value = "N",
     .help = "every N-th round ends with a greedy search; 0: never"},
    {"ants", BESTDAG_INTEGER, "5", 1, 10000, .value = "N",
     .help = "number of ants per round; they run in parallel"},
    {"rho", BESTDAG_NUMBER, "0.1", 0, 1, .value = "X",
     .help = "rate at which pheromone evaporates and is deposited"},
    {"q0", BESTDAG_NUMBER, "0.8", 0, 1, .value = "X",
     .help =
         "probability that an ant takes the best move instead of drawing one"},
    {"beta", BESTDAG_NUMBER, "1", 0, 100, .value = "X",
     .help = "exponent of a move's gain relative to its pheromone"},
    {"operators", BESTDAG_CHOICE, "both", .choices = "both|fges|six",
     .value = "NAME",
     .help = "moves of the ants: fges, insertions and deletions with a set of "
             "neighbours whose edges are directed; six, Chickering's operators "
             "on single edges, as in the paper; both: every other ant"},
    {"validity", BESTDAG_CHOICE, "cached", .choices = "full|restricted|cached",
     .value = "NAME",
     .help = "how valid moves are found; all find the same moves"},
    {0}};

struct path {
    uint64_t *move; /* owns */
    int64_t count, room;
};

struct choice {
    struct bestdag_operation move;
    int64_t gain;
    double weight; /* logarithm of pheromone * gain^beta */
};

struct ant {
    struct bestdag_class_state state; /* owns */
    struct bestdag_fges *fges;        /* owns; NULL: the six operators */
    struct bestdag_random random;
    struct bestdag_pheromone own; /* owns; its changes in this round */
    struct path path;             /* owns */
    struct choice *choice;        /* owns */
    int64_t choices, room;
    bool is_best;    /* takes the heaviest choice instead of drawing */
    double heaviest; /* largest weight so far */
    struct colony *colony;
};

struct colony {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_shared_scores own;            /* owns */
    struct bestdag_shared_scores *shared_scores; /* the task's, or `own` */
    struct bestdag_search_rules *rules;          /* owns; NULL: none */
    struct bestdag_pheromone pheromone;          /* owns */
    struct ant *ant;                             /* owns; [ants] */
    int ants;
    int64_t rounds, step, round;
    double rho, q0, beta;
    char operators;           /* first letter of the setting */
    struct bestdag_dag *best; /* owns */
    struct path path;         /* owns; path of `best` */
    int64_t record;
    bool is_greedy; /* this round ends with climbs */
};

/* ---- paths --------------------------------------------------------------- */

static int add_move(struct bestdag_run *run, struct path *p, uint64_t move)
{
    if (!BESTDAG_GROW(run, p->move, p->room, p->count + 1))
        return bestdag_run_status(run);
    p->move[p->count++] = move;
    return BESTDAG_OK;
}

static int copy_path(struct bestdag_run *run, const struct path *from,
                     struct path *to)
{
    to->count = 0;
    for (int64_t i = 0; i < from->count; i++)
        if (add_move(run, to, from->move[i]))
            break;
    return bestdag_run_status(run);
}

/* ---- an ant -------------------------------------------------------------- */

/* The pheromone that the ant sees; its own table has NaN for moves that it has
 * not changed. */
static double level_of(const struct ant *a, uint64_t move)
{
    double own = bestdag_pheromone_level(&a->own, move);
    return isnan(own) ? bestdag_pheromone_level(&a->colony->pheromone, move)
                      : own;
}

/* The logarithm of pheromone * gain^beta. */
static double weigh(const struct ant *a, const struct bestdag_operation *move,
                    int64_t gain)
{
    const struct colony *c = a->colony;
    double nats = bestdag_scorer_nats(c->task->scorer, gain);
    double level = level_of(a, bestdag_operation_key(move));
    return log(level) + c->beta * log(nats);
}

static void add_choice(void *user, const struct bestdag_operation *move,
                       int64_t gain)
{
    struct ant *a = user;
    if (!BESTDAG_GROW(a->state.run, a->choice, a->room, a->choices + 1))
        return;
    struct choice one = {*move, gain, weigh(a, move, gain)};
    a->choice[a->choices++] = one;
    a->heaviest = one.weight > a->heaviest ? one.weight : a->heaviest;
}

/* An ant that takes the heaviest choice skips moves that cannot be it. */
static bool wants(void *user, const struct bestdag_operation *move,
                  int64_t most)
{
    const struct ant *a = user;
    return !a->is_best || weigh(a, move, most) > a->heaviest;
}

static int64_t find_heaviest(const struct ant *a)
{
    int64_t best = 0;
    for (int64_t i = 1; i < a->choices; i++)
        if (a->choice[i].weight > a->choice[best].weight)
            best = i;
    return best;
}

/* Draws a choice in proportion to exp(weight). */
static int64_t draw(struct ant *a)
{
    int64_t best = find_heaviest(a);
    double most = a->choice[best].weight, sum = 0;
    for (int64_t i = 0; i < a->choices; i++)
        sum += exp(a->choice[i].weight - most);
    double left = bestdag_random_unit(&a->random) * sum;
    for (int64_t i = 0; i < a->choices; i++) {
        left -= exp(a->choice[i].weight - most);
        if (left < 0)
            return i;
    }
    return best;
}

static double blend(const struct colony *c, double level, double target)
{
    return (1 - c->rho) * level + c->rho * target;
}

/* Reduces the pheromone of a move of the ant. */
static int evaporate(struct ant *a, uint64_t move)
{
    const struct colony *c = a->colony;
    double level = blend(c, level_of(a, move), c->pheromone.least);
    if (bestdag_pheromone_set(&a->own, move, level))
        return bestdag_run_status(a->state.run);
    return add_move(a->state.run, &a->path, move);
}

static bool take_move(struct ant *a)
{
    struct bestdag_class_state *w = &a->state;
    a->choices = 0;
    a->heaviest = -INFINITY;
    a->is_best = bestdag_random_unit(&a->random) <= a->colony->q0;
    if (a->fges)
        bestdag_fges_look(a->fges, wants, add_choice, a);
    else
        bestdag_class_state_look(w, 0, add_choice, a);
    if (!a->choices || bestdag_run_stopped(w->run))
        return false;
    struct choice c = a->choice[a->is_best ? find_heaviest(a) : draw(a)];
    if (a->fges ? bestdag_fges_make(a->fges, &c.move)
                : bestdag_class_state_make(w, &c.move, c.gain))
        evaporate(a, bestdag_operation_key(&c.move));
    return !bestdag_run_stopped(w->run);
}

static void note_move(void *user, const struct bestdag_operation *move,
                      int64_t gain)
{
    struct ant *a = user;
    (void)gain;
    add_move(a->state.run, &a->path, bestdag_operation_key(move));
}

/* Makes moves of all kinds until none gains. */
static void climb(struct ant *a)
{
    struct bestdag_class_state *w = &a->state;
    for (int64_t before = INT64_MIN;
         w->score > before && !bestdag_run_stopped(w->run);) {
        before = w->score;
        if (a->fges)
            bestdag_fges_climb(a->fges, INT64_MAX, note_move, a);
        bestdag_class_state_climb(w, note_move, a);
        if (!a->fges)
            break;
    }
}

static int send_ant(void *job, int64_t item, int worker)
{
    struct colony *c = job;
    struct ant *a = &c->ant[item];
    (void)worker;
    a->random = bestdag_random_init(c->run->seed,
                                    (uint64_t)(c->round * c->ants + item));
    a->path.count = 0;
    bestdag_pheromone_release(&a->own);
    if (bestdag_class_state_place(&a->state, NULL))
        return bestdag_run_status(c->run);
    if (a->state.score == BESTDAG_NO_FAMILY) /* stopped */
        return BESTDAG_OK;
    if (a->fges)
        bestdag_fges_begin(a->fges);
    while (take_move(a))
        continue;
    if (c->is_greedy)
        climb(a);
    return bestdag_run_status(c->run);
}

/* ---- the colony ---------------------------------------------------------- */

/* Keeps an ant's class if it is the best so far. */
static int consider(struct colony *c, const struct ant *a)
{
    if (c->best && a->state.score <= c->record)
        return BESTDAG_OK;
    struct bestdag_dag *dag = bestdag_dag_copy(c->run, a->state.at->dag);
    if (!dag || copy_path(c->run, &a->path, &c->path)) {
        bestdag_dag_free(dag);
        return bestdag_run_status(c->run);
    }
    bestdag_dag_free(c->best);
    c->best = dag;
    c->record = a->state.score;
    if (c->record > BESTDAG_NO_FAMILY)
        bestdag_task_report(
            c->task, bestdag_scorer_nats(c->task->scorer, c->record), c->round);
    return BESTDAG_OK;
}

/* 1 / |score|, in nats. */
static double reward(const struct colony *c)
{
    double nats = fabs(bestdag_scorer_nats(c->task->scorer, c->record));
    return 1 / (nats > 1e-9 ? nats : 1e-9);
}

static int mark_path(struct colony *c, const struct path *path, double target)
{
    for (int64_t i = 0; i < path->count; i++) {
        double level = bestdag_pheromone_level(&c->pheromone, path->move[i]);
        if (bestdag_pheromone_set(&c->pheromone, path->move[i],
                                  blend(c, level, target)))
            break;
    }
    return bestdag_run_status(c->run);
}

static int put_down(struct colony *c)
{
    for (int k = 0; k < c->ants; k++)
        if (mark_path(c, &c->ant[k].path, c->pheromone.least))
            return bestdag_run_status(c->run);
    return mark_path(c, &c->path, reward(c));
}

/* ---- checkpoint ---------------------------------------------------------- */

static void pass_path(struct colony *c, struct bestdag_archive *p)
{
    int64_t count = c->path.count;
    BESTDAG_PASS(p, count);
    if (bestdag_archive_opens(p))
        c->path.count = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t move = bestdag_archive_opens(p) ? 0 : c->path.move[i];
        BESTDAG_PASS(p, move);
        if (bestdag_archive_opens(p) &&
            (!move || add_move(c->run, &c->path, move))) {
            bestdag_archive_reject(p);
            return;
        }
    }
}

static void pass_pheromone(struct colony *c, struct bestdag_archive *p)
{
    bool opens = bestdag_archive_opens(p);
    uint64_t count = c->pheromone.used;
    BESTDAG_PASS(p, c->pheromone.least);
    BESTDAG_PASS(p, count);
    for (size_t i = 0; count && (opens || i < c->pheromone.slots); i++) {
        struct bestdag_pheromone_entry one = {0};
        if (!opens)
            one = c->pheromone.slot[i];
        if (!opens && !one.move)
            continue;
        BESTDAG_PASS(p, one);
        count--;
        if (opens && (!one.move || bestdag_pheromone_set(
                                       &c->pheromone, one.move, one.level))) {
            bestdag_archive_reject(p);
            return;
        }
    }
}

/* The state between two rounds: ants start again in each. */
static void pass_colony(void *argument, struct bestdag_archive *p)
{
    struct colony *c = argument;
    bestdag_pass_count(p, &c->round);
    BESTDAG_PASS(p, c->record);
    bestdag_pass_dag(p, c->run, &c->best, c->task->n);
    pass_path(c, p);
    pass_pheromone(c, p);
    for (int k = 0; k < c->ants; k++)
        bestdag_pass_count(p, &c->ant[k].state.moves);
}

/* False: there is no saved state, or an error. */
static bool resume(struct colony *c)
{
    if (!bestdag_task_resume(c->task, pass_colony, c))
        return false;
    for (int k = 0; k < c->ants; k++)
        c->ant[k].own.least = (double)NAN;
    bestdag_task_report(
        c->task, bestdag_scorer_nats(c->task->scorer, c->record), c->round);
    return true;
}

/* ---- rounds -------------------------------------------------------------- */

static bool play_round(struct colony *c)
{
    struct bestdag_work work = {.job = c,
                                .items = c->ants,
                                .work = send_ant,
                                .before = c->round * c->ants};
    int64_t done = 0;
    c->round++;
    c->is_greedy = c->step && c->round % c->step == 0;
    if (bestdag_parallel(c->run, &work, &done))
        return false;
    for (int64_t k = 0; k < done; k++)
        if (consider(c, &c->ant[k]))
            return false;
    if (done < c->ants || put_down(c) ||
        bestdag_run_watch(c->run, c->round * c->ants))
        return false;
    bestdag_task_save(c->task, pass_colony, c);
    return true;
}

/* Finds the greedy answer, which scales the pheromone. */
static int begin(struct colony *c)
{
    struct ant *a = &c->ant[0];
    a->state.watches = true;
    if (bestdag_class_state_place(
            &a->state, bestdag_search_rules_start(c->task, c->rules)))
        return bestdag_run_status(c->run);
    if (a->state.score > BESTDAG_NO_FAMILY)
        climb(a);
    a->state.watches = false;
    if (bestdag_run_status(c->run) || consider(c, a))
        return bestdag_run_status(c->run);
    c->pheromone.least = reward(c) / (c->task->n > 0 ? c->task->n : 1);
    for (int k = 0; k < c->ants; k++)
        c->ant[k].own.least = (double)NAN;
    return BESTDAG_OK;
}

/* Does the k-th ant move with sets of neighbours? */
static bool has_sets(const struct colony *c, int k)
{
    return c->operators == 'f' || (c->operators == 'b' && k % 2 == 0);
}

static int make(struct colony *c)
{
    const struct bestdag_task *task = c->task;
    enum bestdag_validity_test way = bestdag_class_state_testing(task);
    char word[32];
    c->operators = bestdag_task_word(task, "operators", word)[0];
    c->rounds = bestdag_task_setting(task, "tmax").integer;
    c->step = bestdag_task_setting(task, "tstep").integer;
    c->ants = (int)bestdag_task_setting(task, "ants").integer;
    c->rho = bestdag_task_setting(task, "rho").number;
    c->q0 = bestdag_task_setting(task, "q0").number;
    c->beta = bestdag_task_setting(task, "beta").number;
    c->pheromone.run = c->run;
    int64_t promises = c->ants * bestdag_fges_bytes(task->n);
    if (bestdag_class_state_reserve(task, c->ants, promises))
        return bestdag_run_status(c->run);
    c->ant = bestdag_calloc(c->run, (size_t)c->ants, sizeof *c->ant);
    c->shared_scores = task->shared_scores ? task->shared_scores : &c->own;
    if (!c->ant || (!task->shared_scores &&
                    bestdag_shared_scores_init(c->run, &c->own, task->scorer,
                                               task->max_parents)))
        return bestdag_run_status(c->run);
    for (int k = 0; k < c->ants; k++) {
        c->ant[k].colony = c;
        c->ant[k].own.run = c->run;
        c->ant[k].state.rules = c->rules;
        if (bestdag_class_state_init(c->run, &c->ant[k].state, c->shared_scores,
                                     way) ||
            (has_sets(c, k) &&
             !(c->ant[k].fges = bestdag_fges_new(&c->ant[k].state))))
            break;
    }
    if (!task->shared_scores && !bestdag_run_status(c->run))
        bestdag_shared_scores_limit(c->run, &c->own);
    return bestdag_run_status(c->run);
}

static void release(struct colony *c)
{
    for (int k = 0; c->ant && k < c->ants; k++) {
        bestdag_fges_free(c->ant[k].fges);
        bestdag_class_state_release(&c->ant[k].state);
        bestdag_pheromone_release(&c->ant[k].own);
        bestdag_free(c->ant[k].path.move);
        bestdag_free(c->ant[k].choice);
    }
    bestdag_free(c->ant);
    bestdag_pheromone_release(&c->pheromone);
    bestdag_shared_scores_release(&c->own);
    bestdag_search_rules_free(c->rules);
    bestdag_free(c->path.move);
}

static void note_work(const struct colony *c, int64_t *moves)
{
    int64_t made = 0, saved = 0, asked = 0, counted = 0;
    for (int k = 0; k < c->ants; k++) {
        const struct bestdag_class_state *w = &c->ant[k].state;
        *moves += w->moves;
        made += w->validity->made;
        saved += w->validity->saved;
        asked += w->appraiser.asked;
        counted += w->appraiser.counted;
    }
    bestdag_note(c->run, 1,
                 "acoe: %lld rounds, %lld moves, %lld validity tests made, "
                 "%lld saved; %lld scores requested, %lld computed",
                 (long long)c->round, (long long)*moves, (long long)made,
                 (long long)saved, (long long)asked, (long long)counted);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct colony c = {.task = task, .run = task->run};
    if (!bestdag_class_state_check(task, &c.rules) && !make(&c) &&
        (resume(&c) || (!bestdag_run_status(c.run) && !begin(&c)))) {
        bestdag_run_phase(c.run, task->solver->name, c.rounds * c.ants);
        while (c.record > BESTDAG_NO_FAMILY && c.round < c.rounds &&
               play_round(&c))
            continue;
        if (!bestdag_run_status(c.run))
            note_work(&c, &to->steps);
    }
    to->dag = c.best;
    to->restarts = c.round;
    release(&c);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_acoe = {
    .name = "acoe",
    .help = "ant colony optimisation over equivalence classes on the table "
            "(ACO-E); rules: required and forbidden arcs, orders",
    .ground = BESTDAG_ON_TABLE,
    .takes = BESTDAG_NEEDS_LOCAL | BESTDAG_NEEDS_ORDER,
    .settings = settings,
    .solve = solve,
};
