/* SPDX-License-Identifier: MIT */
/* solver.c -- the table of solvers, and what all of them share. */
#include "search/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fault.h"
#include "base/progress_log.h"
#include "bounds/root_bound.h"
#include "search/incumbent.h"
#include "search/outcome.h"
#include "search/rule_check.h"
#include "search/saved_state.h"
#include "search/subsets/spill_file.h"

/* ---- the table -----------------------------------------------------------
 */

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

/* ---- settings --------------------------------------------------------------
 */

/* The next "key=value" of a text of lines; false after the last. */
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

/* The key of row i if it is a setting of this solver, else "". */
static const char *key_of(const void *solver, int i)
{
    const struct bestdag_option *o = bestdag_option_at(i);
    return o && !strcmp(o->group, solver) ? o->key : "";
}

static int check_setting(const struct bestdag_task *task, const char *key,
                         const char *value)
{
    const char *solver = task->solver->name;
    struct bestdag_value got;
    char suggestion[128];
    int rows = 0;
    bool known = false;
    for (; bestdag_option_at(rows); rows++)
        known |= !strcmp(key_of(solver, rows), key);
    if (known)
        return bestdag_option_parse(task->run, solver, key, value, &got);
    const char *near = bestdag_nearest(key, key_of, solver, rows);
    return bestdag_fail(task->run, BESTDAG_USAGE,
                        "the solver '%s' has no setting '%s'%s", solver, key,
                        near ? bestdag_suggest(suggestion, near)
                             : "; 'bestdag list solvers -v' shows all");
}

static int check_rules(const struct bestdag_task *task)
{
    char who[80];
    snprintf(who, sizeof who, "the solver '%s'", task->solver->name);
    return bestdag_knowledge_demand(task->run, task->knowledge,
                                    task->solver->takes, who);
}

/* Can the folder for temporary files be used? Asked before it is needed. */
static int check_temp_dir(const struct bestdag_task *task)
{
    const char *folder = bestdag_option_value(task->options, "temp-dir").text;
    struct bestdag_spill_file file = {0};
    if (folder)
        bestdag_spill_file_open(task->run, folder, &file);
    bestdag_spill_file_close(&file);
    return bestdag_run_status(task->run);
}

int bestdag_task_check(const struct bestdag_task *task)
{
    const char *text = bestdag_option_value(task->options, "set").text;
    char key[64], value[256];
    while (next_pair(&text, key, value))
        if (check_setting(task, key, value))
            return bestdag_run_status(task->run);
    return check_rules(task) ? bestdag_run_status(task->run)
                             : check_temp_dir(task);
}

/* The last of --set that gives this key; false: none does. */
static bool find_pair(const struct bestdag_task *task, const char *key,
                      char to[256])
{
    const char *text = bestdag_option_value(task->options, "set").text;
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
    char name[128], value[256];
    snprintf(name, sizeof name, "%s.%s", task->solver->name, key);
    struct bestdag_value found = bestdag_option_value(task->options, name);
    if (find_pair(task, key, value)) {
        bestdag_option_parse(task->run, task->solver->name, key, value, &found);
        found.text = "given"; /* the value itself ends here */
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
    if (!(best <= now->best)) /* or there was none */
        now->improved = seconds;
    now->best = best;
    now->restarts = restarts;
    if (!task->is_trial)
        bestdag_attained_best(task->run, best);
}

/* The bound that the answer will have. What works on the table may leave the
 * lists: then the one over all sets holds, where there is one. */
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
    if (!(bound >= task->bound)) /* or there was none */
        task->bound = bound;
    show_bound(task);
}

/* ---- the answer, looked at with other eyes ---------------------------------
 */

static int check_acyclic(struct bestdag_run *run, const struct bestdag_dag *dag)
{
    int *order = bestdag_alloc(run, (size_t)dag->n * sizeof *order);
    int placed = order ? bestdag_dag_order(run, dag, order) : -1;
    bestdag_free(order);
    if (placed < 0)
        return bestdag_run_status(run);
    if (placed < dag->n && !BESTDAG_FAULT("cycle"))
        return bestdag_fail(run, BESTDAG_FAILED,
                            "internal error: the search gave a graph with a "
                            "cycle; please report it");
    return BESTDAG_OK;
}

/* The scores of the lists into nats[n], which may be NULL; the network must
 * have its families there. */
static int look_up(const struct bestdag_task *task,
                   const struct bestdag_dag *dag, double *nats)
{
    const struct bestdag_problem *problem = task->problem;
    for (int v = 0; v < dag->n; v++) {
        const struct bestdag_parents *p = &dag->parents[v];
        int set = bestdag_problem_find(problem, v, p->at, p->count);
        if (set < 0)
            return bestdag_fail(task->run, BESTDAG_FAILED,
                                "internal error: the search gave '%s' parents "
                                "that are not in its list; please report it",
                                problem->sets->names[v]);
        if (nats)
            nats[v] = problem->sets->list[v].score[set];
    }
    return BESTDAG_OK;
}

/* From the data if they are there, else from the lists. */
static int score_anew(const struct bestdag_task *task,
                      const struct bestdag_dag *dag, double *score)
{
    double total = 0, carry = 0; /* Kahan's sum: 10,000 terms lose nothing */
    double *nats =
        bestdag_alloc(task->run, ((size_t)dag->n + 1) * sizeof *nats);
    if (!nats || (task->scorer ? bestdag_scorer_exact_all(
                                     task->run, task->scorer, dag, nats)
                               : look_up(task, dag, nats))) {
        bestdag_free(nats);
        return bestdag_run_status(task->run);
    }
    for (int v = 0; v < dag->n; v++) {
        double term = nats[v] - carry, sum = total + term;
        carry = (sum - total) - term;
        total = sum;
    }
    bestdag_free(nats);
    *score = BESTDAG_FAULT("wrong-score") ? total - 0.5 : total;
    return BESTDAG_OK;
}

/* ---- bounds before the search
 * ----------------------------------------------------
 */

enum { BOUND_SHARE = 8 }; /* one in so many seconds are for the bound */

/* The cluster bound of the lists in an eighth of the time that is left, as a
 * score; that of each for itself, or none, if it cannot be. */
static double bound_by_clusters(struct bestdag_task *task,
                                const struct bestdag_problem *p, bool open)
{
    struct bestdag_run *run = task->run;
    int64_t cost = 0;
    double left = run->deadline - bestdag_seconds();
    struct bestdag_share share = {
        .seconds =
            run->deadline > 0 ? (left > 0 ? left / BOUND_SHARE : 1e-9) : 0,
        .reports = true};
    if (!bestdag_relaxation_fits(run, p, share.seconds)) {
        bestdag_note(run, 1, "not enough memory or time for the cluster bound");
        return open ? (double)NAN : bestdag_problem_round_up(p, p->best);
    }
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (!slice)
        return (double)NAN;
    bestdag_run_phase(slice, "bound", 0);
    bestdag_root_bound(slice, p, open, &cost);
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

void bestdag_task_bound_simply(struct bestdag_task *task)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    task->bound = p ? bestdag_problem_round_up(p, p->best) : (double)NAN;
    task->global_bound = (double)NAN;
    task->has_bounds = true;
}

/* What can be said before the search. */
static int find_bounds(struct bestdag_task *task)
{
    const struct bestdag_problem *p = bestdag_task_lists(task);
    if (task->has_bounds)
        return BESTDAG_OK;
    bestdag_task_bound_simply(task);
    task->has_bounds = false;
    if (p && !task->solver->proves)
        task->bound = bound_by_clusters(task, p, false);
    if (p && !bestdag_run_status(task->run) && bestdag_root_opens(p))
        task->global_bound = bound_by_clusters(task, p, true);
    return bestdag_run_status(task->run);
}

/* ---- the network of an order ------------------------------------------------
 */

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

/* ---- the start -------------------------------------------------------------
 */

/* Takes over `dag`: it becomes the answer if it is better by more than
 * rounding, else it is freed. */
static int offer(const struct bestdag_task *task, struct bestdag_dag *dag,
                 struct bestdag_outcome *to)
{
    double score = (double)NAN;
    struct bestdag_dag *worse = dag;
    score_anew(task, dag, &score);
    if (!to->dag || score > to->score + 1e-12 * fabs(to->score)) {
        worse = to->dag;
        to->dag = dag;
        to->score = score;
    }
    bestdag_dag_free(worse);
    return bestdag_run_status(task->run);
}

/* May v have these parents? With the table any within the limit, else those of
 * its list. */
static bool may_have(const struct bestdag_task *task, int v,
                     const struct bestdag_parents *p)
{
    if (task->scorer)
        return task->max_parents < 0 || p->count <= task->max_parents;
    return bestdag_problem_find(task->problem, v, p->at, p->count) >= 0;
}

/* The start as it is, if it may be the answer; a note if not. */
static int offer_start(const struct bestdag_task *task,
                       struct bestdag_outcome *to)
{
    const char *else_used = task->problem ? "; only its order is used" : "";
    char place[128];
    int foreign = 0;
    for (int v = 0; v < task->n; v++)
        foreign += !may_have(task, v, &task->start->parents[v]);
    bool obeys = bestdag_task_obeys(task, task->start, place);
    if (bestdag_run_status(task->run))
        return bestdag_run_status(task->run);
    if (!foreign && obeys) {
        struct bestdag_dag *copy = bestdag_dag_copy(task->run, task->start);
        return copy ? offer(task, copy, to) : bestdag_run_status(task->run);
    }
    if (!obeys)
        bestdag_note(task->run, 0, "start: it breaks %s%s", place, else_used);
    else
        bestdag_note(task->run, 0, "start: %d of %d families %s%s", foreign,
                     task->n,
                     task->scorer ? "have more parents than max-parents"
                                  : "are not among the candidate sets",
                     else_used);
    return BESTDAG_OK;
}

/* The best network over the sets whose arcs agree with an order of the start.
 */
static int offer_order(const struct bestdag_task *task,
                       struct bestdag_outcome *to)
{
    struct bestdag_dag *dag = NULL;
    int *order = bestdag_alloc(task->run, (size_t)task->n * sizeof *order);
    if (order && bestdag_dag_order(task->run, task->start, order) == task->n)
        dag = bestdag_order_dag(task->run, task->problem, order, NULL);
    bestdag_free(order);
    char place[128];
    if (dag && bestdag_task_obeys(task, dag, place))
        return offer(task, dag, to);
    bestdag_dag_free(dag);
    return bestdag_run_status(task->run);
}

/* The answer is never worse than the start, whatever the solver made of it. */
static int consider_start(const struct bestdag_task *task,
                          struct bestdag_outcome *to)
{
    if (!task->start)
        return BESTDAG_OK;
    if (task->problem && offer_order(task, to))
        return bestdag_run_status(task->run);
    return offer_start(task, to);
}

/* What was known before the run was killed, if this one was cut short; then
 * what is best now stays for the next. One that ended by itself is as if it had
 * never been killed. */
static int consider_kept(struct bestdag_task *task, struct bestdag_outcome *to)
{
    if (!task->checkpoint || bestdag_run_ending(task->run) == BESTDAG_ENDED)
        return BESTDAG_OK;
    struct bestdag_dag *dag = bestdag_task_kept(task);
    char place[128];
    bool is_fine = dag && !check_acyclic(task->run, dag) &&
                   bestdag_task_obeys(task, dag, place);
    for (int v = 0; is_fine && v < task->n; v++)
        is_fine = may_have(task, v, &dag->parents[v]);
    if (is_fine)
        offer(task, dag, to);
    else
        bestdag_dag_free(dag);
    if (!bestdag_run_status(task->run))
        bestdag_task_keep_last(task, to->dag);
    return bestdag_run_status(task->run);
}

/* ---- the door
 * -------------------------------------------------------------- */

/* A solver's answer becomes the outcome: without a cycle, over the lists if it
 * searched there, and scored anew. */
static int take_answer(const struct bestdag_task *task,
                       const struct bestdag_answer *answer,
                       struct bestdag_outcome *to)
{
    to->dag = answer->dag;
    to->steps = answer->steps;
    to->restarts = answer->restarts;
    to->work = answer->work;
    to->is_limited |= answer->is_limited;
    if (bestdag_run_status(task->run) || !to->dag ||
        check_acyclic(task->run, to->dag) ||
        bestdag_task_enforce(task, to->dag) ||
        (task->problem && look_up(task, to->dag, NULL)))
        return bestdag_run_status(task->run);
    return score_anew(task, to->dag, &to->score);
}

/* The network that caps the costs: no answer is worse. */
static int consider_known(const struct bestdag_task *task,
                          struct bestdag_outcome *to)
{
    const struct bestdag_problem *p = task->problem;
    if (!p || !p->known)
        return BESTDAG_OK;
    struct bestdag_dag *dag = bestdag_problem_dag(task->run, p, p->known);
    return dag ? offer(task, dag, to) : bestdag_run_status(task->run);
}

/* A failure that says nothing against the network that was found before. */
static bool is_survivable(const struct bestdag_run *run)
{
    int status = bestdag_run_status(run);
    return status == BESTDAG_MEMORY ||
           (status == BESTDAG_FAILED &&
            strncmp(bestdag_run_error(run), "internal error", 14) != 0);
}

/* The search failed: what it has deposited becomes its answer. */
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

/* From the answer to the outcome; no network: BESTDAG_OK. */
static int conclude(struct bestdag_task *task,
                    const struct bestdag_answer *answer,
                    struct bestdag_outcome *to)
{
    if (take_answer(task, answer, to) || consider_start(task, to) ||
        consider_known(task, to) || consider_kept(task, to) || !to->dag)
        return bestdag_run_status(task->run);
    return bestdag_outcome_judge(task, answer->bound, to);
}

#ifdef BESTDAG_FAULTS
/* The network of the order of the numbers, or, with a cycle, of the best sets.
 */
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

/* What a solver with a fault would give. */
static void spoil(struct bestdag_task *task, struct bestdag_answer *answer)
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
    if (dag && BESTDAG_FAULT("false-proof") && !score_anew(task, dag, &score))
        answer->bound = score;
    if (BESTDAG_FAULT("cycle")) {
        bestdag_task_bound_simply(task);
        answer->bound = (double)NAN;
    }
}
#endif

/* Bounds and search. A failure of them is not the end if there is a network:
 * it goes to to->reason, and *failed is what the run failed with. */
static void run_solver(struct bestdag_task *task, struct bestdag_answer *answer,
                       struct bestdag_outcome *to, int *failed)
{
    if (!find_bounds(task)) {
        show_bound(task);
        task->run->now.best = task->run->now.improved = (double)NAN;
        bestdag_run_phase(task->run, task->solver->name, 0);
        task->solver->solve(task, answer);
#ifdef BESTDAG_FAULTS
        spoil(task, answer);
#endif
        if (answer->bound < task->bound)
            task->bound = answer->bound; /* for a search after this one, too */
    }
    if (!is_survivable(task->run))
        return;
    *failed = bestdag_run_recover(task->run, to->reason, sizeof to->reason);
    to->is_limited = true;
    fall_back(task, answer);
}

int bestdag_search(struct bestdag_task *task, struct bestdag_outcome *to)
{
    struct bestdag_answer answer = {.bound = (double)NAN};
    struct bestdag_incumbent deposit = {0};
    struct bestdag_run *run = task->run;
    double start = bestdag_seconds();
    int failed = BESTDAG_OK;
    *to = (struct bestdag_outcome){.score = (double)NAN};
    task->is_resumed = false;
    if (bestdag_task_check(task) || bestdag_task_possible(task))
        return bestdag_run_status(run);
    if (!bestdag_incumbent_open(task, &deposit)) {
        run_solver(task, &answer, to, &failed);
        conclude(task, &answer, to);
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
    return BESTDAG_OK;
}
