/* SPDX-License-Identifier: MIT */
/* solver.c -- the table of solvers, and what all of them share. */
#include "search/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/course.h"
#include "bounds/rooting.h"
#include "search/rulings.h"
#include "search/saved.h"

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
                             : "; 'bestdag list solvers -v' has all");
}

static int check_rules(const struct bestdag_task *task)
{
    char who[80];
    snprintf(who, sizeof who, "the solver '%s'", task->solver->name);
    return bestdag_knowledge_demand(task->run, task->knowledge,
                                    task->solver->takes, who);
}

int bestdag_task_check(const struct bestdag_task *task)
{
    const char *text = bestdag_option_value(task->options, "set").text;
    char key[64], value[256];
    while (next_pair(&text, key, value))
        if (check_setting(task, key, value))
            return bestdag_run_status(task->run);
    return check_rules(task);
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

void bestdag_task_tell(struct bestdag_task *task, double best, int64_t restarts)
{
    struct bestdag_progress *now = &task->run->now;
    double seconds = bestdag_seconds() - task->run->start;
    if (!(best <= now->best)) /* or there was none */
        now->improved = seconds;
    now->best = best;
    now->bound = task->bound;
    now->restarts = restarts;
    bestdag_course_add(task->run->course,
                       (struct bestdag_point){seconds, now->best, now->bound});
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
    if (placed < dag->n)
        return bestdag_fail(run, BESTDAG_FAILED,
                            "internal error: the search gave a graph with a "
                            "cycle; please report it");
    return BESTDAG_OK;
}

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
    *score = total;
    return BESTDAG_OK;
}

/* ---- bound, gap, status ----------------------------------------------------
 */

/* Units are rounded by at most half of one a variable, and the sum of the best
 * scores by less: n units more is never too little. */
static double round_up(const struct bestdag_problem *p, double bound)
{
    return bound + ldexp((double)p->n, -p->shift);
}

/* What the bounds are made of, or NULL. */
static const struct bestdag_problem *lists_of(const struct bestdag_task *task)
{
    return task->problem ? task->problem : task->lists;
}

/* The cluster bound of the lists in an eighth of the time that is left, as a
 * score; that of each for itself, or none, if it cannot be. */
static double bound_by_clusters(struct bestdag_task *task,
                                const struct bestdag_problem *p, bool open)
{
    struct bestdag_run *run = task->run;
    int64_t cost = 0;
    double left = run->deadline - bestdag_seconds();
    struct bestdag_share share = {
        .seconds = run->deadline > 0 ? (left > 0 ? left / 8 : 1e-9) : 0,
        .reports = true};
    if (!bestdag_relax_fits(run, p, share.seconds)) {
        bestdag_note(run, 1, "no memory or time for the bound by clusters");
        return open ? (double)NAN : round_up(p, p->best);
    }
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (!slice)
        return (double)NAN;
    bestdag_run_phase(slice, "bound", 0);
    bestdag_root_bound(slice, p, open, &cost);
    bestdag_run_join(slice);
    return round_up(p, bestdag_problem_nats(p, cost));
}

bool bestdag_task_enough(const struct bestdag_task *task, double score)
{
    const struct bestdag_problem *p = lists_of(task);
    double scale = fabs(score) > 1 ? fabs(score) : 1;
    double slack = p ? 2 * round_up(p, 0) : 0;
    double enough = task->run->gap * scale;
    return task->bound - score <= (enough > slack ? enough : slack);
}

void bestdag_task_bound_simply(struct bestdag_task *task)
{
    const struct bestdag_problem *p = lists_of(task);
    task->bound = p ? round_up(p, p->best) : (double)NAN;
    task->global_bound = (double)NAN;
    task->has_bounds = true;
}

/* What can be said before the search. */
static int find_bounds(struct bestdag_task *task)
{
    const struct bestdag_problem *p = lists_of(task);
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

/* Is this family on its list, or no better than one that is? */
static bool is_covered(const struct bestdag_problem *p, int v,
                       const struct bestdag_parents *parents)
{
    const struct bestdag_list *list = &p->sets->list[v];
    bool is_complete =
        list->ceiling == -INFINITY &&
        (list->max_parents < 0 || parents->count <= list->max_parents);
    return is_complete ||
           bestdag_problem_find(p, v, parents->at, parents->count) >= 0;
}

/* Does the bound of the lists say something of the answer? */
static bool is_inside(const struct bestdag_problem *p,
                      const struct bestdag_dag *dag)
{
    for (int v = 0; v < dag->n; v++)
        if (!is_covered(p, v, &dag->parents[v]))
            return false;
    return true;
}

static void attach_bound(const struct bestdag_task *task,
                         const struct bestdag_answer *answer,
                         struct bestdag_outcome *to)
{
    const struct bestdag_problem *p = lists_of(task);
    bool on_lists = p && is_inside(p, to->dag);
    to->bound = on_lists ? task->bound : task->global_bound;
    to->global_bound = task->global_bound;
    if (on_lists && answer->bound < to->bound)
        to->bound = answer->bound;
    if (to->bound < to->score) /* by rounding alone */
        to->bound = to->score;
    if (to->global_bound < to->bound) /* made with other multipliers */
        to->global_bound = to->bound;
    double scale = fabs(to->score) > 1 ? fabs(to->score) : 1;
    to->gap = (to->bound - to->score) / scale;
}

const char *bestdag_ending_word(enum bestdag_ending ending)
{
    static const char *const words[] = {"heuristic", "stopped", "interrupted"};
    return words[ending];
}

/* Did the steps end that were asked for, or is the gap as small as was asked?
 */
static bool has_met_limit(const struct bestdag_task *task,
                          const struct bestdag_outcome *outcome)
{
    struct bestdag_value steps = bestdag_task_setting(task, "steps");
    return outcome->is_limited ||
           (steps.text && outcome->steps >= steps.integer) ||
           (task->run->gap > 0 && outcome->gap <= task->run->gap);
}

/* What the lists, which the bound is made of, say of a network within them. The
 * score from the table differs by how scores are rounded. */
static double listed_score(const struct bestdag_task *task,
                           const struct bestdag_dag *dag)
{
    const struct bestdag_problem *p = lists_of(task);
    double sum = 0;
    for (int v = 0; v < dag->n; v++) {
        int set = bestdag_problem_find(p, v, dag->parents[v].at,
                                       dag->parents[v].count);
        sum += set < 0 ? -INFINITY : p->sets->list[v].score[set];
    }
    return sum;
}

/* Optimal means: within what units of the search can tell. */
static const char *status_of(const struct bestdag_task *task,
                             const struct bestdag_outcome *outcome)
{
    if (!isnan(outcome->bound)) {
        double slack = round_up(lists_of(task), 0) * 2;
        slack += fabs(outcome->score) * 1e-13;
        if (outcome->bound - outcome->score <= slack ||
            outcome->bound - listed_score(task, outcome->dag) <= slack)
            return "optimal";
    }
    enum bestdag_ending ending = bestdag_run_ending(task->run);
    if (ending == BESTDAG_ENDED && has_met_limit(task, outcome))
        ending = BESTDAG_TIMED_OUT;
    return bestdag_ending_word(ending);
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
            const struct bestdag_menu *m = &p->menu[v];
            uint64_t *mask = available + p->offset[v];
            for (int i = 0; i < m->universe; i++)
                if (place[m->member[i]] < place[v])
                    mask[i / 64] |= (uint64_t)1 << (i % 64);
            choice[v] = bestdag_menu_first(m, mask, 0);
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

/* A solver's answer becomes the outcome: without a cycle, and scored anew. */
static int take_answer(const struct bestdag_task *task,
                       const struct bestdag_answer *answer,
                       struct bestdag_outcome *to)
{
    to->dag = answer->dag;
    to->steps = answer->steps;
    to->restarts = answer->restarts;
    to->is_limited = answer->is_limited;
    if (bestdag_run_status(task->run) || !to->dag ||
        check_acyclic(task->run, to->dag) ||
        bestdag_task_enforce(task, to->dag))
        return bestdag_run_status(task->run);
    return score_anew(task, to->dag, &to->score);
}

int bestdag_search(struct bestdag_task *task, struct bestdag_outcome *to)
{
    struct bestdag_answer answer = {.bound = (double)NAN};
    double start = bestdag_seconds();
    *to = (struct bestdag_outcome){.score = (double)NAN};
    if (bestdag_task_check(task) || bestdag_task_possible(task))
        return bestdag_run_status(task->run);
    if (find_bounds(task))
        return bestdag_run_status(task->run);
    bestdag_run_phase(task->run, task->solver->name, 0);
    task->solver->solve(task, &answer);
    if (answer.bound < task->bound)
        task->bound = answer.bound; /* for a search after this one, too */
    if (take_answer(task, &answer, to) || consider_start(task, to) ||
        consider_kept(task, to))
        return bestdag_run_status(task->run);
    if (!to->dag)
        return bestdag_task_lament(task, answer.is_limited);
    attach_bound(task, &answer, to);
    to->status = status_of(task, to);
    to->seconds = bestdag_seconds() - start;
    to->found = task->run->now.improved - (start - task->run->start);
    return BESTDAG_OK;
}
