/* SPDX-License-Identifier: MIT */
/* learn.c -- learns a network from a table or from candidate lists.
 *
 * learn: candidate lists (at most half of a time limit), search, parameters.
 * solve: search only. Both end with the same report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress_log.h"
#include "constraints/parameters/constrained_score.h"
#include "data/check/warnings.h"
#include "data/table.h"
#include "learn/auto.h"
#include "learn/candidate_supply.h"
#include "learn/fitting.h"
#include "learn/result.h"
#include "learn/resume.h"
#include "learn/work_budget.h"
#include "learn/numbers.h"
#include "learn/start_network.h"
#include "learn/structural_em.h"
#include "parents/ruled/rule_filter.h"
#include "scores/score.h"
#include "models/fit_limit.h"
#include "parents/parents.h"

/* The part of the time or work that candidate lists may take. */
#define SETS 0.5

static const struct bestdag_option option_rows[] = {
    {"bound", BESTDAG_FLAG, "no",
     .help = "compute candidate sets also for solvers that need none (hc, "
             "espace, acoe, tree, ckg), to obtain a bound"},
    {"discretize", BESTDAG_TEXT, .value = "METHOD",
     .help = "cut columns of numbers into states first, by a method of "
             "'bestdag discretize' such as quantile:3; the network keeps the "
             "cuts"},
    {"save-scores", BESTDAG_OUTPUT, .value = "FILE",
     .help = "also write the candidate sets to this .jkl file"},
    {0}};
const struct bestdag_option_group bestdag_learn_options = {"learn",
                                                           option_rows};

/* ---- shared -------------------------------------------------------------- */

/* Starts logging best score and bound. Returns the previous log, which
 * end_progress_log() restores. */
static struct bestdag_progress_log *begin_progress_log(struct bestdag_run *run)
{
    struct bestdag_progress_log *before = run->progress_log;
    run->progress_log = bestdag_calloc(run, 1, sizeof *run->progress_log);
    bestdag_attained_clear(run);
    return before;
}

static void end_progress_log(struct bestdag_run *run,
                             struct bestdag_progress_log *before)
{
    bestdag_free(run->progress_log);
    run->progress_log = before;
    bestdag_attained_clear(run);
}

/* NULL with status OK: no rules. */
static struct bestdag_knowledge *compile(struct bestdag_run *run,
                                         const struct bestdag_rules *rules,
                                         char *const *names, int n)
{
    return bestdag_rules_count(rules)
               ? bestdag_knowledge_new(run, rules, (const char *const *)names,
                                       n)
               : NULL;
}

/* ---- solve --------------------------------------------------------------- */

static struct bestdag_network *bare_network(struct bestdag_run *run,
                                            const struct bestdag_sets *sets,
                                            const struct bestdag_dag *dag)
{
    struct bestdag_network *net = bestdag_network_empty(run, sets->n);
    for (int v = 0; net && v < sets->n; v++)
        if (bestdag_network_set_variable(
                run, net, v, bestdag_strdup(run, sets->names[v]), NULL, 0) ||
            bestdag_dag_set_parents(run, net->dag, v, dag->parents[v].at,
                                    dag->parents[v].count)) {
            bestdag_network_free(net);
            return NULL;
        }
    return net;
}

static struct bestdag_result *solve(struct bestdag_task *task,
                                    const struct bestdag_sets *sets)
{
    struct bestdag_outcome outcome = {0};
    struct bestdag_result *result = NULL;
    double before = bestdag_seconds() - task->run->start;
    if (!bestdag_auto_search(task, NULL, false, &outcome)) {
        const char *rows = bestdag_sets_noted(sets, "rows");
        struct bestdag_run_facts facts = {
            .task = task,
            .outcome = &outcome,
            .sets = sets,
            .score_name = bestdag_sets_noted(sets, "score"),
            .rows = rows ? strtoll(rows, NULL, 10) : -1,
            .read = before,
            .score = (double)NAN,
            .fit = (double)NAN,
            .names = sets->names,
            .rules = task->knowledge ? task->knowledge->rules : NULL,
        };
        struct bestdag_network *net =
            bare_network(task->run, sets, outcome.dag);
        result = net ? bestdag_result_new(task->run, &facts, net) : NULL;
    }
    bestdag_dag_free(outcome.dag);
    return result;
}

static int refuse_table_solver(const struct bestdag_task *task)
{
    return task->solver->ground == BESTDAG_ON_SETS
               ? BESTDAG_OK
               : bestdag_fail(task->run, BESTDAG_USAGE,
                              "the solver '%s' scores families itself and "
                              "needs the table: use learn",
                              task->solver->name);
}

/* Parameter rules cannot change the scores of a file. */
static int refuse_parameters(const struct bestdag_task *task,
                             const struct bestdag_sets *sets)
{
    if (task->knowledge &&
        bestdag_sets_made_under(task->run, sets, task->knowledge->rules))
        return bestdag_run_status(task->run);
    return bestdag_knowledge_demand(
        task->run, task->knowledge, ~(unsigned)BESTDAG_NEEDS_PARAMETERS,
        "a score file, whose scores were computed without them,");
}

/* The sets that obey the rules, owned by the caller; NULL if the sets were made
 * under these rules. */
static struct bestdag_sets *obeying(struct bestdag_run *run,
                                    const struct bestdag_sets *sets,
                                    const struct bestdag_knowledge *knowledge)
{
    if (!knowledge && bestdag_sets_noted(sets, "rules"))
        bestdag_note(run, 0,
                     "the score file was made under rules and lacks the sets "
                     "that they exclude");
    return knowledge && !bestdag_run_status(run) &&
                   !bestdag_sets_made_under(run, sets, knowledge->rules)
               ? bestdag_sets_obeying(run, sets, knowledge)
               : NULL;
}

static struct bestdag_result *solve_under(struct bestdag_task *task,
                                          const struct bestdag_sets *all)
{
    struct bestdag_run *run = task->run;
    struct bestdag_dag *start =
        bestdag_start_read(run, task->options, all->names, all->n);
    struct bestdag_sets *some = obeying(run, all, task->knowledge);
    const struct bestdag_sets *sets = some ? some : all;
    struct bestdag_problem *problem =
        bestdag_run_status(run)
            ? NULL
            : bestdag_problem_from_sets(run, sets, task->knowledge);
    task->start = start;
    task->problem = problem;
    task->checkpoint = run->checkpoint;
    struct bestdag_result *result = problem ? solve(task, sets) : NULL;
    bestdag_problem_free(problem);
    bestdag_sets_free(some);
    bestdag_dag_free(start);
    return result;
}

struct bestdag_result *bestdag_solve(struct bestdag_run *run,
                                     const struct bestdag_sets *sets,
                                     const struct bestdag_rules *rules,
                                     const struct bestdag_options *options)
{
    if (bestdag_lacks(run, sets, "set of candidate sets"))
        return NULL;
    struct bestdag_progress_log *before = begin_progress_log(run);
    struct bestdag_knowledge *knowledge =
        compile(run, rules, sets->names, sets->n);
    struct bestdag_task task = {.run = run,
                                .options = options,
                                .knowledge = knowledge,
                                .n = sets->n,
                                .max_parents = -1};
    struct bestdag_resume_input input = {
        .sets = sets, .rules = rules, .options = options};
    bool fine = !bestdag_run_status(run) && !bestdag_auto_first(&task) &&
                !refuse_table_solver(&task) &&
                !refuse_parameters(&task, sets) && !bestdag_resume(run, &input);
    struct bestdag_result *result = fine ? solve_under(&task, sets) : NULL;
    bestdag_checkpoint_close(run);
    bestdag_knowledge_free(knowledge);
    end_progress_log(run, before);
    return result;
}

/* ---- learn --------------------------------------------------------------- */

struct learning {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    const struct bestdag_rules *rules; /* NULL: none */
    const struct bestdag_options *options;
    struct bestdag_knowledge *knowledge;   /* owns; NULL: no rules */
    struct bestdag_supply supply;          /* owns; empty: not needed */
    struct bestdag_scorer *scorer;         /* owns */
    struct bestdag_dag *start;             /* owns */
    struct bestdag_likely_parents *likely; /* owns; NULL: all are */
    struct bestdag_outcome first;          /* owns its graph */
    char **names;                          /* owns the array only */
    struct bestdag_task task;
    struct bestdag_structural_em em;       /* owns; of a table with missing
                                              values */
    const struct bestdag_score_type *type; /* NULL: that of the options */
    const struct bestdag_dag *before;      /* initial network instead of the
                                              option "start"; or NULL */
    double read;                           /* seconds */
    bool is_brief;                         /* no arc strengths */
    bool is_quick; /* no candidate lists, whatever the options */
    bool is_noted; /* notes about the table were printed */
};

/* Checks at the start what fitting would refuse at the end. */
static int check_priors(struct bestdag_run *run,
                        const struct bestdag_options *options)
{
    struct bestdag_fit_prior prior;
    return bestdag_fit_prior(run, options, "fit-", &prior);
}

static int find_sets(struct learning *l)
{
    struct bestdag_work_budget whole =
        bestdag_work_budget_begin(l->run, l->table->columns, l->is_brief);
    int64_t more;
    l->supply = (struct bestdag_supply){
        .run = l->run,
        .table = l->table,
        .rules = l->rules,
        .options = l->options,
        .knowledge = l->knowledge,
        .scorer = l->scorer,
        .type = l->type,
        .likely = l->likely,
        .saved = -1,
        .is_free = !l->is_brief && bestdag_auto_is_free(&l->task) &&
                   bestdag_supply_is_free(l->options)};
    double amount = SETS * bestdag_work_budget_left(&whole);
    if (l->supply.is_free)
        amount = fmin(amount, bestdag_supply_first_amount(&l->supply));
    if (bestdag_supply_find(&l->supply, amount, &more) ||
        bestdag_supply_save(&l->supply))
        return bestdag_run_status(l->run);
    if (l->task.solver->ground == BESTDAG_ON_TABLE)
        l->task.lists = l->supply.problem;
    else
        l->task.problem = l->supply.problem;
    return BESTDAG_OK;
}

/* For `auto`: a first network before any long work. */
static int find_first_network(struct learning *l)
{
    if (!l->is_brief)
        l->task.likely = l->likely = bestdag_auto_likely(&l->task);
    if (bestdag_run_status(l->run) ||
        (!l->is_brief && bestdag_auto_first_network(&l->task, &l->first)))
        return bestdag_run_status(l->run);
    if (l->first.dag)
        l->task.start = l->first.dag;
    return BESTDAG_OK;
}

static int prepare(struct learning *l)
{
    struct bestdag_task *task = &l->task;
    struct bestdag_value limit = bestdag_option_value(
        l->options, &bestdag_parents_options, "max-parents");
    l->scorer = l->type
                    ? bestdag_scorer_of(l->run, l->table, l->type, l->options)
                    : bestdag_scorer_new(l->run, l->table, l->options);
    if (!l->scorer || bestdag_scorer_constrain(l->run, l->scorer, l->rules))
        return bestdag_run_status(l->run);
    if (!l->is_brief && !l->is_noted)
        bestdag_scorer_note(l->run, l->scorer);
    l->is_noted = true;
    l->start = l->before ? bestdag_dag_copy(l->run, l->before)
                         : bestdag_start_read(l->run, l->options, l->names,
                                              l->table->columns);
    bool needs_sets =
        !l->is_quick &&
        (task->solver->ground == BESTDAG_ON_SETS ||
         bestdag_option_value(l->options, &bestdag_learn_options, "bound")
             .integer);
    task->scorer = l->scorer;
    task->start = l->start;
    task->checkpoint = l->run->checkpoint;
    task->max_parents = limit.text ? (int)limit.integer : -1;
    if (!bestdag_run_status(l->run) && needs_sets && !find_first_network(l))
        find_sets(l);
    return bestdag_run_status(l->run);
}

/* Refuses what can be refused before long work. */
static int check(struct learning *l)
{
    int n = l->table->columns;
    l->names = bestdag_alloc(l->run, (size_t)n * sizeof *l->names);
    for (int v = 0; l->names && v < n; v++)
        l->names[v] = l->table->column[v].name;
    if (l->names)
        l->knowledge = compile(l->run, l->rules, l->names, n);
    l->task.knowledge = l->knowledge;
    l->task.n = n;
    if (bestdag_run_status(l->run) ||
        bestdag_numbers_check(l->run, l->table, l->knowledge,
                              (const char *const *)l->names) ||
        bestdag_auto_first(&l->task) ||
        bestdag_parents_check(l->run, l->options))
        return bestdag_run_status(l->run);
    return check_priors(l->run, l->options);
}

/* If a limit or the user cut the search for candidate sets short, the status
 * says so, even if the search over them ended by itself. But a proof over sets
 * that a time limit left stays a proof: `proved_over` says over which. */
static void take_ending_of_sets(const struct learning *l,
                                struct bestdag_outcome *outcome)
{
    const struct bestdag_sets *sets = l->supply.sets;
    bool is_proved = !strcmp(outcome->status, "optimal");
    if (!sets || sets->ending == BESTDAG_ENDED ||
        !strcmp(outcome->status, "interrupted") ||
        (is_proved && sets->ending == BESTDAG_TIMED_OUT))
        return;
    outcome->status = bestdag_ending_word(sets->ending);
}

/* Estimated seconds of what follows the search (scoring again, parameters, the
 * table's hash), but at most a quarter of what is left. */
static double time_after(const struct learning *l)
{
    const double cell = 25e-9; /* seconds, on one thread */
    double left = l->run->deadline - bestdag_seconds();
    double cells = (double)l->table->rows * l->table->columns;
    double need = cells * cell / bestdag_run_threads(l->run);
    return l->run->deadline <= 0 || left <= 0 ? 0 : fmin(need, left / 4);
}

/* Candidate lists and search, which end a little before the limit. */
static int search(struct learning *l, struct bestdag_outcome *to)
{
    double kept = time_after(l);
    l->run->deadline = l->run->deadline - kept;
    if (!prepare(l))
        bestdag_auto_search(&l->task, &l->supply, l->is_brief, to);
    l->run->deadline = l->run->deadline + kept;
    if (l->supply.sets && !bestdag_run_status(l->run))
        bestdag_supply_save(&l->supply); /* they may have grown */
    return bestdag_run_status(l->run);
}

/* ---- missing values ------------------------------------------------------ */

/* Releases what belongs to the previous search. */
static void release_search(struct learning *l)
{
    bestdag_supply_release(&l->supply);
    bestdag_scorer_free(l->scorer);
    bestdag_dag_free(l->first.dag);
    bestdag_likely_parents_free(l->likely);
    bestdag_dag_free(l->start);
    l->supply = (struct bestdag_supply){0};
    l->first = (struct bestdag_outcome){0};
    l->scorer = NULL;
    l->likely = NULL;
    l->start = NULL;
    l->task.problem = l->task.lists = NULL;
    l->task.scorer = NULL;
    l->task.likely = NULL;
    l->task.start = NULL;
    l->task.has_bounds = false;
}

/* Hill climbing, without restarts. */
static int climb(struct learning *l, struct bestdag_outcome *to)
{
    const struct bestdag_solver *solver = l->task.solver;
    l->task.solver = bestdag_solver_find("hc");
    l->task.is_once = true;
    l->is_quick = true;
    if (!prepare(l))
        bestdag_search(&l->task, to);
    l->is_quick = false;
    l->task.is_once = false;
    l->task.solver = solver;
    return bestdag_run_status(l->run);
}

static int search_completed(void *learning,
                            const struct bestdag_completed_search *what,
                            struct bestdag_outcome *to,
                            const struct bestdag_scorer **scorer)
{
    struct learning *l = learning;
    const struct bestdag_table *table = l->table;
    release_search(l);
    l->table = what->table;
    l->type = what->type;
    l->before = what->start;
    bestdag_attained_clear(l->run); /* they belong to another problem */
    int status = what->is_quick ? climb(l, to) : search(l, to);
    l->table = table;
    l->before = NULL;
    *scorer = l->scorer;
    return status;
}

/* May the search start from networks of hill climbing? Not if it is restricted
 * to trees or k-graphs. */
static bool climbs(const struct bestdag_task *task)
{
    const char *name = task->solver->name;
    return bestdag_auto_takes_rules(task, "hc") && strcmp(name, "tree") != 0 &&
           strcmp(name, "ckg") != 0;
}

static int search_holes(struct learning *l, struct bestdag_outcome *to)
{
    if (bestdag_option_value(l->options, &bestdag_solve_options, "start").text)
        return bestdag_fail(l->run, BESTDAG_USAGE,
                            "--missing em has starts of its own: not with "
                            "--start");
    l->em = (struct bestdag_structural_em){
        .run = l->run,
        .table = l->table,
        .like = bestdag_score_asked(l->table, l->options),
        .is_quick = climbs(&l->task),
        .learning = l,
        .search = search_completed};
    if (bestdag_structural_em_check(l->run, l->table, l->em.like) ||
        bestdag_structural_em_run(&l->em, to))
        return bestdag_run_status(l->run);
    if (!l->em.is_of_last) /* scores are those of another table */
        release_search(l);
    return BESTDAG_OK;
}

static bool is_em(const struct learning *l)
{
    return l->table->use == BESTDAG_HOLES_EM;
}

/* ---- interface ----------------------------------------------------------- */

static struct bestdag_result *search_and_fit(struct learning *l)
{
    struct bestdag_outcome outcome = {0};
    struct bestdag_result *result = NULL;
    if (!(is_em(l) ? search_holes(l, &outcome) : search(l, &outcome))) {
        double before = bestdag_seconds();
        take_ending_of_sets(l, &outcome);
        struct bestdag_network *net = bestdag_fitting_unstopped(
            l->run, outcome.dag, l->table, l->rules, l->options);
        struct bestdag_run_facts facts = {
            .task = &l->task,
            .outcome = &outcome,
            .sets = l->supply.sets,
            .score_name = l->scorer ? l->scorer->type->name : l->em.like->name,
            .rows = l->scorer ? l->scorer->total : l->table->total,
            .read = l->read,
            .score = l->supply.sets ? l->supply.seconds : (double)NAN,
            .fit = bestdag_seconds() - before,
            .names = l->names,
            .table = l->table,
            .rules = l->rules,
            .em = is_em(l) ? &l->em : NULL,
            .is_brief = l->is_brief,
        };
        result = net ? bestdag_result_new(l->run, &facts, net) : NULL;
    }
    bestdag_dag_free(outcome.dag);
    return result;
}

static struct bestdag_result *learn(struct learning *l)
{
    if (bestdag_lacks(l->run, l->table, "table"))
        return NULL;
    l->read = bestdag_seconds() - l->run->start;
    l->task.run = l->run;
    l->task.options = l->options;
    struct bestdag_resume_input input = {
        .table = l->table, .rules = l->rules, .options = l->options};
    if (!l->is_brief)
        bestdag_table_warn(l->run, l->table);
    struct bestdag_progress_log *before = begin_progress_log(l->run);
    bool fine = !check(l) && !bestdag_resume(l->run, &input);
    struct bestdag_result *result = fine ? search_and_fit(l) : NULL;
    bestdag_checkpoint_close(l->run);
    end_progress_log(l->run, before);
    bestdag_knowledge_free(l->knowledge);
    release_search(l);
    bestdag_structural_em_release(&l->em);
    bestdag_free(l->names);
    return result;
}

static struct bestdag_result *learn_table(struct bestdag_run *run,
                                          const struct bestdag_table *table,
                                          const struct bestdag_rules *rules,
                                          const struct bestdag_options *options)
{
    struct learning l = {
        .run = run, .table = table, .rules = rules, .options = options};
    return learn(&l);
}

struct bestdag_result *bestdag_learn(struct bestdag_run *run,
                                     const struct bestdag_table *table,
                                     const struct bestdag_rules *rules,
                                     const struct bestdag_options *options)
{
    return bestdag_numbers_learn(learn_table, run, table, rules, options);
}

struct bestdag_result *bestdag_learn_briefly(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options)
{
    struct learning l = {.run = run,
                         .table = table,
                         .rules = rules,
                         .options = options,
                         .is_brief = true};
    return learn(&l);
}
