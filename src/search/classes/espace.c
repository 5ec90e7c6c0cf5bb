/* SPDX-License-Identifier: MIT */
/* espace.c -- search in the space of equivalence classes.
 *
 * Searches from the class of the empty network (or of a given one) with all six
 * operators (Chickering 2002; Munteanu and Bendou 2001):
 *
 *   greedy     the move that gains most, until none gains
 *   annealing  random valid moves; one that loses is made with a probability
 *              that shrinks while it cools; then greedy
 *   walk       greedy, with a random valid move now and then; then greedy
 *
 * Then some random moves are made from the best class so far, and the search
 * restarts. A step is a move, so a limit in steps is the same work on every
 * machine. If it takes turns with others (search/turn.h), it begins without
 * arcs, whatever they have found, and takes over a better network at a restart.
 *
 * Under rules only classes with a DAG that obeys them are visited
 * (class_rules.h), and that DAG is the answer. */
#include <math.h>

#include "base/work.h"
#include "search/classes/fges.h"
#include "search/saved_state.h"
#include "search/turn.h"

static const struct bestdag_option settings[] = {
    {"search", BESTDAG_CHOICE, "greedy", .choices = "greedy|annealing|walk",
     .value = "NAME",
     .help =
         "greedy takes the move of largest gain; annealing takes random moves, "
         "at first also losing ones; walk alternates greedy and random moves"},
    {"operators", BESTDAG_CHOICE, "six", .choices = "six|fges", .value = "NAME",
     .help = "six: Chickering's operators on single edges; fges: insertions, "
             "then deletions, each with a set of neighbours whose edges are "
             "directed (the search is greedy then)"},
    {"validity", BESTDAG_CHOICE, "cached", .choices = "full|restricted|cached",
     .value = "NAME",
     .help = "how valid moves are found: full tests every pair, restricted "
             "only nearby pairs, cached only what the last move can have "
             "changed; all find the same moves"},
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help = "stop after this many moves"},
    {"restarts", BESTDAG_INTEGER, NULL, 0, 1e9, .value = "N",
     .help = "restart N times from the perturbed best class; by default 5 "
             "times the effort, or as often as steps and time limit allow"},
    {"perturb", BESTDAG_INTEGER, NULL, 1, 1e6, .value = "N",
     .help = "random moves per perturbation; by default 5 + n / 10 for n "
             "variables"},
    {0}};

enum { GREEDY, ANNEALING, WALK };

/* Scores of 3 to 5 runs each on two generated tables, of 25 and 60 variables
 * (bench/log/2026-11-17-sensitivity.csv). */
enum {
    TRIES = 200,         /* draws for each random move; annealing with 20: 0.05
                            to 0.12 % worse, 2000: 0.02 to 0.04 % better in 2.3
                            times the time */
    RESTARTS = 5,        /* if nothing else is given; more is better */
    LENGTH = 20,         /* moves of an annealing, times n; 10: 0.13 to 0.17 %
                            worse, 40: -0.04 to +0.11 % in twice the time */
    WALK_LENGTH = 2,     /* moves of a walk, times n; 1: 0.003 to 0.04 % worse,
                            4: 0.01 to 0.16 % better in 1.6 times the time */
    RANDOM_MOVES = 10,   /* of a walk: one in this many; 5, 20: within 0.05 % */
    LEAST_PERTURBED = 5, /* random moves of a restart; 2, 10: within 0.05 % */
    PERTURBED_PART = 10  /* and one per this many variables; 5, 20: within
                            0.07 % */
};

/* Initial temperature in nats. 3: +0.12 % on 25 variables, -0.36 % on 60; 30:
 * -0.04 and -0.36 %. */
#define TEMPERATURE 10.0
#define LEAST_TEMPERATURE 1e-9 /* nats, at the end: not 0 */

/* Nominal seconds per requested score, and the number of rows whose counting
 * costs as much as the fixed part of a family. With these, counted work is 0.9
 * to 1.3 times the processor time on samples of insurance, win95pts, andes,
 * alarm. */
#define ASKED 6e-8
#define FAMILY_ROWS 1000

struct search {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_shared_scores shared_scores; /* owns */
    struct bestdag_search_rules *rules;         /* owns; NULL: none */
    struct bestdag_class_state state;           /* owns */
    struct bestdag_random random;
    struct bestdag_dag *best; /* owns */
    int64_t record;           /* units, of the best */
    int64_t most_steps, most_restarts, restarts;
    int64_t moves_before; /* moves made when the present search began */
    bool has_better;      /* the start was replaced by a better one (turn.h) */
    int how, perturb;
    bool is_fges;
    struct bestdag_fges *fges; /* owns; NULL: the six operators */
};

static void read_settings(struct search *s)
{
    struct bestdag_value steps = bestdag_task_setting(s->task, "steps");
    struct bestdag_value restarts = bestdag_task_setting(s->task, "restarts");
    struct bestdag_value perturb = bestdag_task_setting(s->task, "perturb");
    char how[32];
    s->is_fges = bestdag_task_word(s->task, "operators", how)[0] == 'f';
    bestdag_task_word(s->task, "search", how);
    s->how = how[0] == 'a' ? ANNEALING : how[0] == 'w' ? WALK : GREEDY;
    bool ends = steps.text || s->run->deadline > 0 || s->task->work > 0 ||
                s->task->turn;
    s->most_steps = steps.text ? steps.integer : INT64_MAX;
    s->most_restarts = restarts.text ? restarts.integer
                       : ends        ? INT64_MAX
                              : bestdag_effort_times(s->run->effort, RESTARTS);
    s->perturb = perturb.text ? (int)perturb.integer
                              : LEAST_PERTURBED + s->task->n / PERTURBED_PART;
}

/* Nominal seconds so far. */
static double work_of(const struct search *s)
{
    const struct bestdag_cached_scorer *a = &s->state.appraiser;
    const struct bestdag_scorer *scorer = s->task->scorer;
    double family = BESTDAG_WORK_NEIGHBOUR * scorer->slowness *
                    ((double)scorer->table->rows + FAMILY_ROWS);
    return ASKED * (double)a->asked + family * (double)a->counted;
}

/* Called between two moves. */
static void end_turn(struct search *s)
{
    if (s->task->turn && bestdag_turn_is_over(s->task, work_of(s)))
        s->has_better |= bestdag_turn_pass(s->task);
}

static bool is_over(struct search *s)
{
    end_turn(s);
    return bestdag_run_watch(s->run, s->state.moves) ||
           s->state.moves >= s->most_steps ||
           (s->task->work > 0 && work_of(s) >= s->task->work);
}

static int keep_best(struct search *s)
{
    if (s->best && s->state.score <= s->record)
        return BESTDAG_OK;
    struct bestdag_dag *dag = bestdag_dag_copy(s->run, s->state.at->dag);
    if (!dag)
        return bestdag_run_status(s->run);
    bestdag_dag_free(s->best);
    s->best = dag;
    s->record = s->state.score;
    if (s->task->turn) {
        s->task->turn->found = dag;
        s->task->turn->finds++;
    }
    if (s->record > BESTDAG_NO_FAMILY)
        bestdag_task_report(s->task,
                            bestdag_scorer_nats(s->task->scorer, s->record),
                            s->restarts);
    return BESTDAG_OK;
}

static void climb(struct search *s)
{
    struct bestdag_operation move;
    int64_t gain;
    while (!is_over(s) && bestdag_class_state_best(&s->state, 0, &move, &gain))
        bestdag_class_state_make(&s->state, &move, gain);
}

/* Makes a random move; false: none found. */
static bool random_move(struct search *s)
{
    struct bestdag_operation move;
    int64_t gain;
    for (int i = 0; i < TRIES; i++)
        if (bestdag_class_state_draw(&s->state, &s->random, &move, &gain) &&
            bestdag_class_state_make(&s->state, &move, gain))
            return true;
    return false;
}

/* Cools from ten nats, more than most moves gain or lose, to zero. */
static void anneal(struct search *s)
{
    int64_t length = (int64_t)LENGTH * s->task->n;
    double unit = bestdag_scorer_nats(s->task->scorer, 1);
    for (int64_t i = 0; i < length && !is_over(s); i++) {
        double left = (double)(length - i) / (double)length;
        double temperature = TEMPERATURE * left * left + LEAST_TEMPERATURE;
        struct bestdag_operation move;
        int64_t gain;
        for (int k = 0; k < TRIES; k++) {
            if (!bestdag_class_state_draw(&s->state, &s->random, &move, &gain))
                continue;
            double nats = (double)gain * unit;
            if (nats < 0 &&
                bestdag_random_unit(&s->random) >= exp(nats / temperature))
                continue;
            bestdag_class_state_make(&s->state, &move, gain);
            break;
        }
    }
}

static void random_walk(struct search *s)
{
    int64_t length = (int64_t)WALK_LENGTH * s->task->n;
    struct bestdag_operation move;
    int64_t gain;
    for (int64_t i = 0; i < length && !is_over(s); i++) {
        if (bestdag_random_below(&s->random, RANDOM_MOVES) == 0)
            random_move(s);
        else if (bestdag_class_state_best(&s->state, 0, &move, &gain))
            bestdag_class_state_make(&s->state, &move, gain);
        else
            random_move(s);
        if (keep_best(s))
            return;
    }
}

static void see_move(void *search, const struct bestdag_operation *turn,
                     int64_t gain)
{
    (void)turn;
    (void)gain;
    end_turn(search);
}

static int search(struct search *s)
{
    if (s->state.score == BESTDAG_NO_FAMILY)
        return keep_best(s);
    if (s->how == ANNEALING)
        anneal(s);
    if (s->how == WALK)
        random_walk(s);
    if (s->fges)
        bestdag_fges_climb(s->fges, s->most_steps, see_move, s);
    else
        climb(s);
    return bestdag_run_status(s->run) ? bestdag_run_status(s->run)
                                      : keep_best(s);
}

/* The state between two searches: the next begins from the best class. */
static void pass_search(void *argument, struct bestdag_archive *p)
{
    struct search *s = argument;
    bestdag_pass_dag(p, s->run, &s->best, s->task->n);
    BESTDAG_PASS(p, s->record);
    BESTDAG_PASS(p, s->random);
    bestdag_pass_count(p, &s->restarts);
    bestdag_pass_count(p, &s->state.moves);
}

/* False: there is no saved state, or an error. */
static bool resume(struct search *s)
{
    if (!bestdag_task_resume(s->task, pass_search, s))
        return false;
    bestdag_task_report(
        s->task, bestdag_scorer_nats(s->task->scorer, s->record), s->restarts);
    return true;
}

/* Takes over another search's network if it is better. */
static int take_better(struct search *s)
{
    s->has_better = false;
    return bestdag_class_state_place(&s->state, s->task->start)
               ? bestdag_run_status(s->run)
               : keep_best(s);
}

/* Restarts from the best class, perturbed; false: a limit was reached, or an
 * error. If the last search made no move, not even a perturbation, no class has
 * a neighbour. */
static bool begin_again(struct search *s)
{
    bestdag_task_save(s->task, pass_search, s);
    if (s->restarts && s->state.moves == s->moves_before)
        return false;
    s->moves_before = s->state.moves;
    if (s->restarts >= s->most_restarts || is_over(s) ||
        s->record == BESTDAG_NO_FAMILY || (s->has_better && take_better(s)) ||
        bestdag_class_state_place(&s->state, s->best))
        return false;
    for (int i = 0; i < s->perturb && !is_over(s); i++)
        if (!random_move(s))
            break;
    s->restarts++;
    return !bestdag_run_stopped(s->run);
}

static void note_work(struct search *s)
{
    const struct bestdag_class_state *w = &s->state;
    bestdag_note(s->run, 1,
                 "espace: %lld moves, %lld validity tests made, %lld saved; "
                 "%lld scores requested, %lld computed",
                 (long long)w->moves, (long long)w->validity->made,
                 (long long)w->validity->saved, (long long)w->appraiser.asked,
                 (long long)w->appraiser.counted);
}

static int make(struct search *s)
{
    int64_t promises = s->is_fges ? bestdag_fges_bytes(s->task->n) : 0;
    s->state.watches = true;
    if (bestdag_class_state_check(s->task, &s->rules))
        return bestdag_run_status(s->run);
    s->state.rules = s->rules;
    if (bestdag_class_state_reserve(s->task, 1, promises) ||
        bestdag_shared_scores_init(s->run, &s->shared_scores, s->task->scorer,
                                   s->task->max_parents) ||
        bestdag_class_state_init(s->run, &s->state, &s->shared_scores,
                                 bestdag_class_state_testing(s->task)))
        return bestdag_run_status(s->run);
    if (s->is_fges && !(s->fges = bestdag_fges_new(&s->state)))
        return bestdag_run_status(s->run);
    bestdag_shared_scores_limit(s->run, &s->shared_scores);
    return BESTDAG_OK;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct search s = {.task = task,
                       .run = task->run,
                       .random = bestdag_random_init(task->run->seed, 0x6573)};
    read_settings(&s);
    const struct bestdag_dag *start = NULL;
    if (!make(&s) && !task->turn)
        start = bestdag_search_rules_start(task, s.rules);
    if (!bestdag_run_status(s.run) &&
        !bestdag_class_state_place(&s.state, start)) {
        bool goes_on = resume(&s);
        while (!bestdag_run_status(s.run) && (goes_on || !search(&s)) &&
               begin_again(&s))
            goes_on = false;
        note_work(&s);
    }
    to->dag = s.best;
    to->steps = s.state.moves;
    to->restarts = s.restarts;
    to->work = s.state.appraiser.shared ? work_of(&s) : 0;
    if (task->turn)
        task->turn->found = NULL; /* the caller owns it now */
    bestdag_fges_free(s.fges);
    bestdag_class_state_release(&s.state);
    bestdag_search_rules_free(s.rules);
    bestdag_shared_scores_release(&s.shared_scores);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_espace = {
    .name = "espace",
    .help = "search over equivalence classes on the table: six operators; "
            "greedy, annealing or random walk; restarts; rules: required and "
            "forbidden arcs, orders",
    .ground = BESTDAG_ON_TABLE,
    .takes = BESTDAG_NEEDS_LOCAL | BESTDAG_NEEDS_ORDER,
    .settings = settings,
    .solve = solve,
};
