/* SPDX-License-Identifier: MIT */
/* solver.c -- the table of solvers, and what they share. */
#include "search/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fault.h"
#include "base/progress_log.h"
#include "base/work.h"
#include "bounds/root_bound.h"
#include "parallel/collective.h"
#include "search/answer_check.h"
#include "search/incumbent.h"
#include "search/outcome.h"
#include "search/rule_check.h"
#include "search/saved_state.h"
#include "search/subsets/spill_file.h"

/* ---- the table ----------------------------------------------------------- */

#define SOLVERS(X)                                                             \
    X(os)                                                                      \
    X(obs)                                                                     \
    X(asobs)                                                                   \
    X(orders)                                                                  \
    X(dp)                                                                      \
    X(astar)                                                                   \
    X(bfbnb)                                                                   \
    X(cluster)                                                                 \
    X(bnb)                                                                     \
    X(hc)                                                                      \
    X(espace)                                                                  \
    X(acoe)                                                                    \
    X(tree)                                                                    \
    X(ckg)

#define DECLARE(name) extern const struct bestdag_solver bestdag_solver_##name;
SOLVERS(DECLARE)

#define ROW(name) &bestdag_solver_##name,
static const struct bestdag_solver *const solvers[] = {SOLVERS(ROW)};

enum { ROWS = sizeof solvers / sizeof *solvers };

const struct bestdag_solver *bestdag_solver_at(int i)
{
    return i >= 0 && i < ROWS ? solvers[i] : NULL;
}

const struct bestdag_solver *bestdag_solver_find(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (!strcmp(solvers[i]->name, name))
            return solvers[i];
    return NULL;
}

static const char *solver_name(int i)
{
    return i < ROWS ? solvers[i]->name : NULL;
}

static const struct bestdag_option option_rows[] = {
    {"solver", BESTDAG_CHOICE, "auto", .choices = "auto", .names = solver_name,
     .value = "NAME",
     .help = "search algorithm; auto: dp where it takes no time, otherwise "
             "orders, cluster, bnb and astar in growing slices until one "
             "proves optimality; orders alone if settings are given"},
    {"set", BESTDAG_PAIRS, .value = "KEY=VALUE",
     .help = "a setting of the solver; can be repeated; 'bestdag list solvers "
             "-v' shows all"},
    {"start", BESTDAG_FILE, .value = "NET",
     .help = "network to start from; the result is never worse"},
    {"require-optimal", BESTDAG_FLAG, "no",
     .help = "exit code 5 if the network is not proved optimal; it is still "
             "written"},
    {"temp-dir", BESTDAG_FOLDER, .value = "DIR",
     .help = "where bfbnb stores layers that do not fit into memory; nothing "
             "is left there, however the run ends"},
    {"certificate", BESTDAG_OUTPUT, .value = "FILE",
     .help = "write a proof of the bound for 'bestdag verify'; needs the "
             "solver auto or cluster"},
    {0}};
const struct bestdag_option_group bestdag_solve_options = {"solve",
                                                           option_rows};

/* ---- settings ------------------------------------------------------------ */

/* The next "key=value" line of a text; false after the last. */
static bool next_pair(const char **text, char key[64], char value[256])
{
    if (!*text || !**text)
        return false;
    size_t length = strcspn(*text, "\n"), split = strcspn(*text, "=");
    snprintf(key, 64, "%.*s", (int)split, *text);
    snprintf(value, 256, "%.*s", (int)(length - split - 1), *text + split + 1);
    *text += length + ((*text)[length] == '\n');
    return true;
}

static int check_setting(const struct bestdag_task *task, const char *key,
                         const char *value)
{
    const struct bestdag_option_group group =
        bestdag_solver_settings(task->solver);
    const struct bestdag_option *row = bestdag_option_row(&group, key);
    struct bestdag_value got;
    char suggestion[128];
    if (row)
        return bestdag_option_parse(task->run, row, value, &got);
    const char *near = bestdag_nearest(key, bestdag_option_key, &group,
                                       bestdag_option_count(&group));
    return bestdag_fail(task->run, BESTDAG_USAGE,
                        "the solver '%s' has no setting '%s'%s", group.name,
                        key,
                        near ? bestdag_suggest(suggestion, near)
                             : "; 'bestdag list solvers -v' shows all");
}

static int check_rules(const struct bestdag_task *task)
{
    char user[80];
    snprintf(user, sizeof user, "the solver '%s'", task->solver->name);
    return bestdag_knowledge_demand(task->run, task->knowledge,
                                    task->solver->takes, user);
}

/* Checks that the folder for temporary files is usable, before it is needed. */
static int check_temp_dir(const struct bestdag_task *task)
{
    const char *folder =
        bestdag_option_value(task->options, &bestdag_solve_options, "temp-dir")
            .text;
    struct bestdag_spill_file file = {0};
    if (folder)
        bestdag_spill_file_open(task->run, folder, &file);
    bestdag_spill_file_close(&file);
    return bestdag_run_status(task->run);
}

int bestdag_task_check(const struct bestdag_task *task)
{
    const char *text =
        bestdag_option_value(task->options, &bestdag_solve_options, "set").text;
    char key[64], value[256];
    while (next_pair(&text, key, value))
        if (check_setting(task, key, value))
            return bestdag_run_status(task->run);
    return check_rules(task) ? bestdag_run_status(task->run)
                             : check_temp_dir(task);
}

/* The last value that --set gives this key; false: none. */
static bool find_pair(const struct bestdag_task *task, const char *key,
                      char to[256])
{
    const char *text =
        bestdag_option_value(task->options, &bestdag_solve_options, "set").text;
    char one[64], value[256];
    bool is_there = false;
    while (next_pair(&text, one, value))
        if (!strcmp(one, key)) {
            memcpy(to, value, sizeof value);
            is_there = true;
        }
    return is_there;
}

struct bestdag_value bestdag_task_setting(const struct bestdag_task *task,
                                          const char *key)
{
    char value[256];
    const struct bestdag_option_group group =
        bestdag_solver_settings(task->solver);
    const struct bestdag_option *row = bestdag_option_row(&group, key);
    struct bestdag_value found =
        bestdag_option_value(task->options, &group, key);
    if (row && find_pair(task, key, value)) {
        bestdag_option_parse(task->run, row, value, &found);
        found.text = "given"; /* the pointer to the value would dangle */
    }
    return found;
}

const char *bestdag_task_word(const struct bestdag_task *task, const char *key,
                              char to[32])
{
    char value[256];
    bool is_given = find_pair(task, key, value);
    const char *text = bestdag_task_setting(task, key).text;
    snprintf(to, 32, "%.31s", is_given ? value : text ? text : "");
    return to;
}

void bestdag_task_report(struct bestdag_task *task, double best,
                         int64_t restarts)
{
    struct bestdag_progress *now = &task->run->now;
    double seconds = bestdag_seconds() - task->run->start;
    if (!(best <= now->best)) /* true if `now->best` is NaN */
        now->improved = seconds;
    now->best = best;
    now->restarts = restarts;
    if (!task->is_trial)
        bestdag_attained_best(task->run, best);
}

/* Shows the bound that the answer will have. Solvers on the table may leave the
 * lists: then the bound over all sets holds, if there is one. */
static void show_bound(const struct bestdag_task *task)
{
    bool is_inside = task->problem || isnan(task->global_bound);
    bestdag_attained_bound(task->run,
                           is_inside ? task->bound : task->global_bound);
}

void bestdag_task_prove(struct bestdag_task *task,
                        const struct bestdag_problem *p, int64_t least)
{
    double bound = bestdag_problem_bound(p, least);
    if (!(bound >= task->bound)) /* true if it was NaN */
        task->bound = bound;
    show_bound(task);
}

/* ---- bounds before the search -------------------------------------------- */

/* Seconds that a bound from saved clusters may take beyond the time limit,
 * enough for 600,000 sets. */
#define GRACE 0.3
enum { BOUND_SHARE = 8 }; /* the bound may take one in so many seconds */

/* Seconds for a bound before the search; 0: no limit. */
static double bound_seconds(const struct bestdag_run *run)
{
    double left = run->deadline - bestdag_seconds();
    return run->deadline > 0 ? (left > 0 ? left / BOUND_SHARE : 1e-9) : 0;
}

/* The cluster bound of the lists, as a score. If memory or time do not suffice:
 * the sum of the best local scores, or NaN if `open`. */
static double bound_by_clusters(struct bestdag_task *task,
                                const struct bestdag_problem *p, bool open,
                                double seconds, double work)
{
    struct bestdag_run *run = task->run;
    int64_t cost = 0;
    struct bestdag_slice_limits share = {.seconds = seconds, .reports = true};
    int64_t most = work > 0 ? bestdag_work_units(work, BESTDAG_WORK_RELAX) : 0;
    if (!bestdag_relaxation_fits(run, p, seconds)) {
        bestdag_note(run, 1, "not enough memory or time for the cluster bound");
        return open ? (double)NAN : bestdag_problem_round_up(p, p->best);
    }
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (!slice)
        return (double)NAN;
    bestdag_run_phase(slice, "bound", 0);
    bestdag_root_bound(slice, p, open, task->clusters, most, &cost);
    bestdag_run_join(slice);
    return bestdag_problem_bound(p, cost);
}

bool bestdag_task_enough(const struct bestdag_task *task, double score)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    double scale = fabs(score) > 1 ? fabs(score) : 1;
    double slack = p ? 2 * bestdag_problem_round_up(p, 0) : 0;
    double enough = task->run->gap * scale;
    return task->bound - score <= (enough > slack ? enough : slack);
}

static void bound_simply(struct bestdag_task *task)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    task->bound = p ? bestdag_problem_round_up(p, p->best) : (double)NAN;
    task->global_bound = (double)NAN;
    task->has_bounds = true;
}

int bestdag_task_bound_saved(struct bestdag_task *task,
                             const struct bestdag_saved_clusters *saved)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    int64_t cost = 0;
    double left = fmax(task->run->deadline - bestdag_seconds(), GRACE);
    bound_simply(task);
    if (p && saved->count && bestdag_relaxation_fits(task->run, p, left) &&
        !bestdag_root_bound_saved(task->run, p, saved, &cost))
        bestdag_task_prove(task, p, cost);
    return bestdag_run_status(task->run);
}

int bestdag_task_bound_all(struct bestdag_task *task, double work)
{
    double left = task->run->deadline - bestdag_seconds();
    const struct bestdag_problem *p = bestdag_task_lists(task);
    if (!p || !bestdag_root_opens(p))
        return bestdag_run_status(task->run);
    double bound = bound_by_clusters(
        task, p, true, task->run->deadline > 0 ? fmax(left, 1e-9) : 0, work);
    if (!(bound >= task->global_bound)) /* true if it was NaN */
        task->global_bound = bound;
    return bestdag_run_status(task->run);
}

/* Bounds before the search. */
static int find_bounds(struct bestdag_task *task)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    if (task->has_bounds)
        return BESTDAG_OK;
    bound_simply(task);
    task->has_bounds = false;
    if (p && !task->solver->proves)
        task->bound =
            bound_by_clusters(task, p, false, bound_seconds(task->run), 0);
    return bestdag_run_status(task->run)
               ? bestdag_run_status(task->run)
               : bestdag_task_bound_all(task, bound_seconds(task->run));
}

/* ---- the network of an order --------------------------------------------- */

struct bestdag_dag *bestdag_order_dag(struct bestdag_run *run,
                                      const struct bestdag_problem *p,
                                      const int *order, int64_t *cost)
{
    int32_t *choice = bestdag_alloc(run, (size_t)p->n * sizeof *choice);
    int *place = bestdag_alloc(run, (size_t)p->n * sizeof *place);
    uint64_t *available =
        bestdag_calloc(run, (size_t)p->words + 1, sizeof *available);
    struct bestdag_dag *dag = NULL;
    int64_t total = 0;
    if (choice && place && available) {
        for (int i = 0; i < p->n; i++)
            place[order[i]] = i;
        for (int v = 0; v < p->n; v++) {
            const struct bestdag_indexed_list *m = &p->candidates[v];
            uint64_t *mask = available + p->offset[v];
            for (int i = 0; i < m->universe; i++)
                if (place[m->member[i]] < place[v])
                    mask[i / 64] |= (uint64_t)1 << (i % 64);
            choice[v] = bestdag_indexed_list_first(m, mask, 0);
            total += m->cost[choice[v]];
        }
        dag = bestdag_problem_dag(run, p, choice);
    }
    if (cost)
        *cost = total;
    bestdag_free(choice);
    bestdag_free(place);
    bestdag_free(available);
    return dag;
}

/* ---- the search ---------------------------------------------------------- */

/* Does the failure leave the network found before it valid? */
static bool is_survivable(const struct bestdag_run *run)
{
    int status = bestdag_run_status(run);
    return status == BESTDAG_MEMORY ||
           (status == BESTDAG_FAILED &&
            strncmp(bestdag_run_error(run), "internal error", 14) != 0);
}

/* After a failure: the recorded incumbent becomes the answer. */
static void fall_back(struct bestdag_task *task, struct bestdag_answer *answer)
{
    char place[128];
    if (!answer->dag)
        answer->dag = bestdag_incumbent_dag(task);
    if (answer->dag && (!bestdag_task_obeys(task, answer->dag, place) ||
                        BESTDAG_FAULT("lost-network"))) {
        bestdag_dag_free(answer->dag);
        answer->dag = NULL;
    }
}

#ifdef BESTDAG_FAULTS
/* The network of the order 0 .. n - 1, or, for the fault "cycle", of each
 * variable's best set. */
static struct bestdag_dag *wrong_dag(struct bestdag_task *task)
{
    int order[64] = {0};
    int32_t best[64] = {0};
    for (int v = 0; v < task->n; v++)
        order[v] = v;
    return BESTDAG_FAULT("cycle")
               ? bestdag_problem_dag(task->run, task->problem, best)
               : bestdag_order_dag(task->run, task->problem, order, NULL);
}

/* Simulates a faulty solver. */
static void inject_fault(struct bestdag_task *task,
                         struct bestdag_answer *answer)
{
    double score = (double)NAN;
    if (BESTDAG_FAULT("low-bound"))
        answer->bound -= 1;
    if (BESTDAG_FAULT("false-bound") || BESTDAG_FAULT("hidden-lie"))
        answer->bound = -1e300;
    if (!task->problem || bestdag_run_status(task->run) ||
        !(BESTDAG_FAULT("suboptimal") || BESTDAG_FAULT("false-proof") ||
          BESTDAG_FAULT("hidden-lie") || BESTDAG_FAULT("cycle")))
        return;
    struct bestdag_dag *dag = wrong_dag(task);
    if (dag) {
        bestdag_dag_free(answer->dag);
        answer->dag = dag;
    }
    if (dag && BESTDAG_FAULT("false-proof") &&
        !bestdag_task_rescore(task, dag, &score))
        answer->bound = score;
    if (BESTDAG_FAULT("cycle")) {
        bound_simply(task);
        answer->bound = (double)NAN;
    }
}
#endif

/* Computes bounds and searches. If these fail but there is a network, the
 * message goes to to->reason, and *failed is the status. */
static void run_solver(struct bestdag_task *task, struct bestdag_answer *answer,
                       struct bestdag_outcome *to, int *failed)
{
    if (!find_bounds(task)) {
        show_bound(task);
        task->run->now.best = task->run->now.improved = (double)NAN;
        bestdag_run_phase(task->run, task->solver->name, 0);
        task->solver->solve(task, answer);
#ifdef BESTDAG_FAULTS
        inject_fault(task, answer);
#endif
        if (answer->bound < task->bound)
            task->bound = answer->bound; /* also for later searches */
    }
    if (!is_survivable(task->run))
        return;
    *failed = bestdag_run_recover(task->run, to->reason, sizeof to->reason);
    to->is_limited = true;
    fall_back(task, answer);
}

struct agreement {
    struct bestdag_task *task;
    struct bestdag_answer *answer;
};

static void pass_answer(void *state, struct bestdag_archive *p)
{
    struct agreement *a = state;
    struct bestdag_answer *answer = a->answer;
    bool has_dag = answer->dag != NULL;
    BESTDAG_PASS(p, has_dag);
    BESTDAG_PASS(p, answer->bound);
    BESTDAG_PASS(p, answer->steps);
    BESTDAG_PASS(p, answer->restarts);
    BESTDAG_PASS(p, answer->work);
    BESTDAG_PASS(p, answer->is_limited);
    BESTDAG_PASS(p, a->task->bound);
    BESTDAG_PASS(p, a->task->global_bound);
    if (has_dag)
        bestdag_pass_dag(p, a->task->run, &answer->dag, a->task->n);
    else {
        bestdag_dag_free(answer->dag);
        answer->dag = NULL;
    }
}

/* If a clock may have decided, all ranks take the answer of rank 0. */
static void share_answer(struct bestdag_task *task,
                         struct bestdag_answer *answer)
{
    struct agreement a = {task, answer};
    if (task->run->deadline > 0 && !bestdag_run_status(task->run))
        bestdag_collective_broadcast(
            task->run, bestdag_collective_hash(task->solver->name), pass_answer,
            &a);
}

int64_t bestdag_search_bytes(const struct bestdag_run *run)
{
    const struct bestdag_communicator *ranks = run->communicator;
    int64_t limit = bestdag_memory_limit(run) / 16 * 15;
    int64_t most = bestdag_memory_physical() / 10 * 8;
    if (ranks && ranks->here > 1)
        most /= ranks->here;
    if (!limit || (most && most < limit))
        limit = most ? most : INT64_MAX / 4;
    return limit;
}

int bestdag_search(struct bestdag_task *task, struct bestdag_outcome *to)
{
    struct bestdag_answer answer = {.bound = (double)NAN};
    struct bestdag_incumbent incumbent = {0};
    struct bestdag_run *run = task->run;
    double start = bestdag_seconds();
    int failed = BESTDAG_OK;
    *to = (struct bestdag_outcome){.score = (double)NAN};
    task->is_resumed = false;
    if (bestdag_task_check(task) || bestdag_task_possible(task))
        return bestdag_run_status(run);
    if (!bestdag_incumbent_open(task, &incumbent)) {
        run_solver(task, &answer, to, &failed);
        share_answer(task, &answer);
        bestdag_task_conclude(task, &answer, to);
    }
    bestdag_incumbent_close(task);
    if (!bestdag_run_status(run) && !to->dag)
        return failed ? bestdag_fail(run, failed, "%s", to->reason)
                      : bestdag_task_report_conflict(task, answer.is_limited);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (failed)
        bestdag_note(run, 0, "%s: %s; the best network so far is the result",
                     task->solver->name, to->reason);
    to->seconds = bestdag_seconds() - start;
    to->found = run->now.improved - (start - run->start);
    bestdag_note(run, 1, "%s: %.3f s, %.3f s of counted work, score %.6f",
                 task->solver->name, to->seconds, to->work, to->score);
    return BESTDAG_OK;
}
