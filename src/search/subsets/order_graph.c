/* SPDX-License-Identifier: MIT */
/* order_graph.c -- searches the components one by one and combines the
 * results. */
#include "search/subsets/order_graph.h"

#include <assert.h>
#include <math.h>

#include "base/invariant.h"
#include "base/work.h"
#include "bounds/grouping.h"
#include "problem/renumber.h"
#include "search/incumbent.h"
#include "bounds/saved_clusters.h"
#include "search/orders/first_network.h"
#include "search/outcome.h"
#include "search/saved_state.h"
#include "search/subsets/cluster_heuristic.h"
#include "search/subsets/part_search.h"
#include "search/turn.h"

static const char *heuristic_name(int i)
{
    const struct bestdag_heuristic_row *row = bestdag_heuristic_at(i);
    return row ? row->name : NULL;
}

static const char *grouping_name(int i)
{
    const struct bestdag_grouping_row *row = bestdag_grouping_at(i);
    return row ? row->name : NULL;
}

static const char *lookup_name(int i)
{
    const struct bestdag_best_parents_form *row = bestdag_best_parents_at(i);
    return row ? row->name : NULL;
}

const struct bestdag_option bestdag_order_graph_settings[] = {
    {"heuristic", BESTDAG_CHOICE, "static", .names = heuristic_name,
     .value = "NAME",
     .help = "lower bound on the remaining cost: simple lets each variable "
             "take its best set; dynamic and static are pattern databases"},
    {"k", BESTDAG_INTEGER, "3", 2, 4, .value = "K",
     .help = "largest pattern of the dynamic heuristic, in variables"},
    {"groups", BESTDAG_INTEGER, "0", 0, 64, .value = "N",
     .help = "number of groups of the static heuristic; 0: as few as memory "
             "and time allow"},
    {"grouping", BESTDAG_CHOICE, "components", .names = grouping_name,
     .value = "NAME",
     .help = "how variables are grouped: halves puts consecutive variables "
             "together, components those that occur in each other's best "
             "candidate sets"},
    {"lookup", BESTDAG_CHOICE, "trie", .names = lookup_name, .value = "NAME",
     .help = "how the best candidate set within a subset of variables is "
             "found; full stores the answers for all subsets"},
    {"first", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help = "look-ups after which the search of a component begins again with "
             "the cluster bound beside the heuristic; about half a second of "
             "them by default"},
    BESTDAG_SPREAD_SETTING,
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help = "stop after this many look-ups in the candidate sets; no limit by "
             "default"},
    {0}};

/* Nominal seconds of the first search of a component, without its cluster
 * bound: what ends sooner needs none. */
#define FIRST_WORK 1.0
/* The same if another prover has left clusters. */
#define FIRST_IF_KNOWN 0.1

#define SETUP 1e-6 /* nominal seconds per candidate set to index the lists */

/* Nominal seconds per pattern and variable, and per set of an average list: 0.1
 * s for a group of 20 variables with short lists. */
#define PATTERN 5e-9
#define PATTERN_SET 5e-11
enum { USUAL_GROUP = 20 }; /* grouping.c */

enum { LOOKUPS_PER_NODE = 1000 }; /* if a caller limits the nodes */

struct plan {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_components *components; /* owns */
    struct bestdag_heuristic_plan heuristics;
    char lookup[32], heuristic[32], grouping[32];
    int *order, *rank;   /* own; [n]: the incumbent's order, then the answer */
    int64_t bytes;       /* limit for the whole search */
    int64_t first_steps; /* of the first search of a component */
    int64_t most_steps, steps, expanded, generated;
    int64_t bound; /* lower bound on the cost of all components */
    int64_t cost;  /* cost of the present orders; `none`: some has none */
    int next;      /* next component */
    bool is_possible, is_limited;
};

/* ---- while a component is searched --------------------------------------- */

double bestdag_order_graph_step_work(const struct bestdag_problem *p)
{
    double length = (double)bestdag_sets_total(p->sets) / (p->n + 1.0);
    double most = BESTDAG_WORK_PREFIX_MOST;
    double n = p->n < BESTDAG_MOST_VARIABLES ? p->n : BESTDAG_MOST_VARIABLES;
    return BESTDAG_WORK_PREFIX + BESTDAG_WORK_PREFIX_VARIABLE * n +
           BESTDAG_WORK_PREFIX_SET * (length < most ? length : most);
}

double bestdag_order_graph_setup(const struct bestdag_problem *p, int n)
{
    double sets = (double)bestdag_sets_total(p->sets);
    int groups = n > USUAL_GROUP ? (n + USUAL_GROUP - 1) / USUAL_GROUP : 2;
    double patterns = groups * exp2((double)n / groups);
    double price = PATTERN + PATTERN_SET * sets / (p->n + 1.0);
    return SETUP * sets + patterns * n / groups * price;
}

/* Work so far, without the present component. */
static double work_of(const struct plan *p)
{
    return (double)p->steps * bestdag_order_graph_step_work(p->task->problem);
}

/* Reports bound and cost of all components together. */
static void show(const struct bestdag_order_graph *p)
{
    const struct bestdag_problem *problem = p->task->problem;
    if (p->bound < problem->none)
        bestdag_task_prove(p->task, problem, p->others + p->bound);
    if (p->their_orders >= 0 && p->expansion.limit < problem->none)
        bestdag_task_report(
            p->task,
            bestdag_problem_nats(problem, p->their_orders + p->expansion.limit),
            0);
}

/* May a first search exceed its limit? Yes, until there are clusters to begin
 * again with. */
static bool goes_on(const struct bestdag_order_graph *p)
{
    const struct bestdag_task *task = p->task;
    return p->is_first_try && task->turn && task->clusters &&
           !task->clusters->is_final;
}

/* Another search has found an order of this cost. */
static void take_limit(struct bestdag_order_graph *p, int64_t cost)
{
    if (cost >= p->expansion.limit)
        return;
    p->expansion.limit = cost;
    p->is_better = false;
}

bool bestdag_order_graph_over(struct bestdag_order_graph *p)
{
    struct bestdag_expansion_part sum = bestdag_expansion_sum(&p->expansion);
    if ((p->most_steps && sum.steps >= p->most_steps && !goes_on(p)) ||
        (p->most_nodes && sum.expanded >= p->most_nodes))
        p->is_limited = true;
    show(p);
    double work =
        (double)sum.steps * bestdag_order_graph_step_work(p->task->problem);
    if (bestdag_turn_is_over(p->task, p->before + work) &&
        bestdag_turn_pass(p->task) && p->on_turn)
        take_limit(p, p->on_turn(p->job));
    bool is_stopped = bestdag_run_watch(p->run, sum.expanded);
    return p->is_limited || (is_stopped && !p->expansion.is_spread);
}

/* ---- a component --------------------------------------------------------- */

/* The cost of order[n], which has numbers of the whole problem. */
static int64_t cost_of_order(const struct bestdag_expansion *g,
                             const int *order)
{
    uint64_t before[BESTDAG_MOST_WORDS] = {0};
    int64_t cost = 0;
    for (int i = 0; i < g->n; i++) {
        int v = 0;
        while (g->at->variable[v] != order[i])
            v++;
        assert(v < g->n);
        cost += bestdag_best_parents_best(g->lookup, v, before);
        before[v / 64] |= (uint64_t)1 << (v % 64);
    }
    return cost;
}

static void take_result(struct plan *p, const struct bestdag_order_graph *found,
                        int *order)
{
    struct bestdag_expansion_part sum =
        bestdag_expansion_sum(&found->expansion);
    int64_t none = p->task->problem->none;
    p->steps += sum.steps;
    p->expanded += sum.expanded;
    p->generated += sum.generated;
    if (!found->is_first_try) {
        p->is_limited |= found->is_limited;
        p->is_possible &= !found->is_solved || found->bound < none;
        p->bound += found->bound < none ? found->bound : 0;
    }
    for (int i = 0; found->is_better && i < found->expansion.n; i++)
        order[i] = found->expansion.at->variable[found->order[i]];
}

/* order[n] is the incumbent's; a better one replaces it. */
static int search_arranged(struct plan *p, struct bestdag_order_graph *found,
                           int *order,
                           int (*search)(struct bestdag_order_graph *p))
{
    int64_t none = p->task->problem->none;
    int64_t first = cost_of_order(&found->expansion, order);
    found->expansion.limit = first < none ? first : none;
    found->others = p->bound;
    found->their_orders = p->cost < none ? p->cost - first : -1;
    int64_t left = p->most_steps - p->steps; /* 0 would mean no limit */
    found->before = work_of(p);
    found->most_steps = !p->most_steps ? 0 : left > 0 ? left : 1;
    if (found->first_steps &&
        (!found->most_steps || found->first_steps < left)) {
        found->most_steps = found->first_steps;
        found->is_first_try = true;
    }
    int status = search(found);
    found->is_first_try &= !status && found->is_limited &&
                           !found->is_disk_full && !bestdag_run_stopped(p->run);
    found->bound = found->bound > found->least ? found->bound : found->least;
    assert(status || found->bound <= found->expansion.limit);
    assert(status || found->expansion.limit <= first || first >= none);
    found->is_better &= !status; /* else `order` may not be set */
    take_result(p, found, order);
    if (p->cost < none && found->is_better)
        p->cost +=
            (found->is_solved ? found->bound : found->expansion.limit) - first;
    return status;
}

/* What the search of a component needs. */
struct setup {
    struct bestdag_grouping grouping;     /* owns */
    struct bestdag_component *component;  /* owns; renumbered by the grouping */
    struct bestdag_best_parents *lookup;  /* owns */
    struct bestdag_heuristic *heuristics; /* owns */
};

static int make_setup(struct plan *p, const struct bestdag_component *c,
                      const struct bestdag_relaxation *relax, struct setup *to)
{
    struct bestdag_heuristic_request job = {.plan = p->heuristics};
    if (bestdag_grouping_find(p->run, c, &p->heuristics, &to->grouping))
        return bestdag_run_status(p->run);
    to->component = bestdag_component_renumber(p->run, c, to->grouping.order);
    if (to->component)
        to->lookup = bestdag_best_parents_new(p->run, to->component, p->lookup);
    if (!to->lookup)
        return bestdag_run_status(p->run);
    job.component = to->component;
    job.lookup = to->lookup;
    job.size = to->grouping.size;
    job.groups = to->grouping.groups;
    to->heuristics = bestdag_heuristic_new(p->run, &job);
    if (to->heuristics && relax)
        to->heuristics = bestdag_cluster_heuristic_new(
            relax, to->grouping.order, to->heuristics);
    if (to->heuristics && c->n > 1)
        bestdag_note(p->run, 1, "%s: %d variables, %s, %lld patterns, %s",
                     p->task->solver->name, c->n, to->heuristics->row->name,
                     (long long)to->heuristics->patterns,
                     to->lookup->form->name);
    return bestdag_run_status(p->run);
}

static void release_setup(struct setup *setup)
{
    bestdag_heuristic_free(setup->heuristics);
    bestdag_best_parents_free(setup->lookup);
    bestdag_component_free(setup->component);
    bestdag_grouping_release(&setup->grouping);
}

/* Searches with the cluster bound of `relax`, unless it is NULL. */
static int search_once(struct plan *p, const struct bestdag_component *c,
                       const struct bestdag_relaxation *relax,
                       struct bestdag_order_graph *found, int *order,
                       int (*search)(struct bestdag_order_graph *p))
{
    struct bestdag_expansion *g = &found->expansion;
    struct setup setup = {0};
    if (!make_setup(p, c, relax, &setup)) {
        g->run = p->run;
        g->at = setup.component;
        g->lookup = setup.lookup;
        g->heuristics = setup.heuristics;
        g->spread_after = bestdag_task_setting(p->task, "spread").integer;
        found->bytes =
            bestdag_expansion_init(g, p->bytes - bestdag_memory_used(p->run));
        search_arranged(p, found, order, search);
        bestdag_expansion_release(g);
    }
    release_setup(&setup);
    return bestdag_run_status(p->run);
}

/* The relaxation of a component; its work is counted as look-ups. */
static struct bestdag_relaxation *relax_component(
    struct plan *p, const struct bestdag_component *c, const int *order)
{
    struct bestdag_relaxation *relax =
        bestdag_component_relaxation(p->task, c, order);
    if (relax)
        p->steps += (int64_t)((double)relax->work * BESTDAG_WORK_RELAX /
                              bestdag_order_graph_step_work(p->task->problem));
    return relax;
}

/* A component that is too large keeps its order; the cluster bound is a lower
 * bound on its cost. */
static int bound_component(struct plan *p, const struct bestdag_component *c,
                           const int *order)
{
    bestdag_note(p->run, 0,
                 "%s: a component has %d variables, more than %d: it keeps the "
                 "order found first",
                 p->task->solver->name, c->n, BESTDAG_MOST_VARIABLES);
    if (bestdag_run_stopped(p->run) || p->is_limited)
        return bestdag_run_status(p->run);
    struct bestdag_relaxation *relax = relax_component(p, c, order);
    if (relax && relax->bound > 0 && relax->bound < p->task->problem->none)
        p->bound += relax->bound;
    bestdag_relaxation_free(relax);
    return bestdag_run_status(p->run);
}

/* After a first search that did not end: searches again from the start, with
 * the cluster bound and without the sets that it fixes out, if that bound is
 * higher. */
static int search_again(struct plan *p, const struct bestdag_component *c,
                        int64_t bound, int *order,
                        int (*search)(struct bestdag_order_graph *p))
{
    struct bestdag_order_graph found = {
        .task = p->task, .run = p->run, .least = bound};
    struct bestdag_relaxation *relax = relax_component(p, c, order);
    struct bestdag_component *reduced = NULL;
    if (relax && relax->bound > bound)
        reduced =
            bestdag_component_of(p->run, c, relax, p->task->problem->none);
    if (!bestdag_run_status(p->run))
        search_once(p, reduced ? reduced : c, reduced ? relax : NULL, &found,
                    order, search);
    bestdag_component_free(reduced);
    bestdag_relaxation_free(relax);
    return bestdag_run_status(p->run);
}

static int search_component(struct plan *p, const struct bestdag_component *c,
                            int *order,
                            int (*search)(struct bestdag_order_graph *p))
{
    struct bestdag_order_graph found = {.task = p->task, .run = p->run};
    found.first_steps = p->first_steps;
    p->steps += (int64_t)(bestdag_order_graph_setup(p->task->problem, c->n) /
                          bestdag_order_graph_step_work(p->task->problem));
    if (search_once(p, c, NULL, &found, order, search) || !found.is_first_try)
        return bestdag_run_status(p->run);
    return search_again(p, c, found.bound, order, search);
}

/* ---- the solver ---------------------------------------------------------- */

/* The caller's limit: work, or nodes of LOOKUPS_PER_NODE look-ups each. */
static int64_t task_steps(const struct bestdag_task *task)
{
    return task->work > 0
               ? bestdag_work_units(
                     task->work, bestdag_order_graph_step_work(task->problem))
               : LOOKUPS_PER_NODE * task->steps;
}

/* The incumbent's cost after its order was split into components: no more than
 * before, as all possible parents still come before. */
static int find_cost(struct plan *p)
{
    int *order = bestdag_alloc(p->run, (size_t)p->task->n * sizeof *order);
    struct bestdag_dag *dag = NULL;
    for (int i = 0, from = 0; order && i < p->components->components; i++) {
        bestdag_first_network_part(&p->components->component[i], p->rank,
                                   order + from);
        from += p->components->component[i].n;
    }
    if (order)
        dag = bestdag_order_dag(p->run, p->task->problem, order, &p->cost);
    bestdag_dag_free(dag);
    bestdag_free(order);
    return bestdag_run_status(p->run);
}

static int prepare(struct plan *p)
{
    struct bestdag_value steps = bestdag_task_setting(p->task, "steps");
    struct bestdag_value first = bestdag_task_setting(p->task, "first");
    size_t n = (size_t)p->task->n;
    bool has_clusters = p->task->clusters && p->task->clusters->count;
    p->bytes = bestdag_search_bytes(p->run);
    p->most_steps = steps.text ? steps.integer : task_steps(p->task);
    p->first_steps = first.text
                         ? first.integer
                         : bestdag_work_units(
                               has_clusters ? FIRST_IF_KNOWN : FIRST_WORK,
                               bestdag_order_graph_step_work(p->task->problem));
    bestdag_task_word(p->task, "lookup", p->lookup);
    p->heuristics = (struct bestdag_heuristic_plan){
        .name = bestdag_task_word(p->task, "heuristic", p->heuristic),
        .grouping = bestdag_task_word(p->task, "grouping", p->grouping),
        .k = (int)bestdag_task_setting(p->task, "k").integer,
        .groups = (int)bestdag_task_setting(p->task, "groups").integer,
    };
    p->is_possible = true;
    p->components = bestdag_components_new(p->run, p->task->problem);
    p->order = bestdag_calloc(p->run, n, sizeof *p->order);
    p->rank = bestdag_calloc(p->run, n, sizeof *p->rank);
    if (bestdag_run_status(p->run) ||
        bestdag_first_network_begin(
            p->task, bestdag_first_network_steps(p->task->problem), p->order,
            &p->steps))
        return bestdag_run_status(p->run);
    for (int i = 0; i < p->task->n; i++)
        p->rank[p->order[i]] = i;
    return find_cost(p);
}

/* The state between two components. */
static void pass_plan(void *argument, struct bestdag_archive *p)
{
    struct plan *plan = argument;
    int flags = plan->is_possible + 2 * plan->is_limited;
    bestdag_pass_count(p, &plan->steps);
    bestdag_pass_count(p, &plan->expanded);
    bestdag_pass_count(p, &plan->generated);
    BESTDAG_PASS(p, plan->bound);
    BESTDAG_PASS(p, flags);
    plan->is_possible = flags & 1;
    plan->is_limited = flags & 2;
    bestdag_pass_components(p, plan->components, &plan->next, plan->order);
}

static int search_all(struct plan *p,
                      int (*search)(struct bestdag_order_graph *p))
{
    int from = 0;
    bestdag_run_phase(p->run, p->task->solver->name, 0);
    if (bestdag_task_resume(p->task, pass_plan, p))
        bestdag_note(p->run, 1, "%s: %d components are already solved",
                     p->task->solver->name, p->next);
    for (int i = 0; i < p->next; i++)
        from += p->components->component[i].n;
    while (!bestdag_run_status(p->run) && p->next < p->components->components) {
        const struct bestdag_component *c =
            &p->components->component[p->next++];
        bestdag_first_network_part(c, p->rank, p->order + from);
        if (c->n > BESTDAG_MOST_VARIABLES) {
            if (bound_component(p, c, p->order + from))
                break;
        } else if (!bestdag_run_stopped(p->run) && !p->is_limited &&
                   search_component(p, c, p->order + from, search))
            break;
        from += c->n;
        bestdag_task_save(p->task, pass_plan, p);
    }
    return bestdag_run_status(p->run);
}

/* Under a time limit: can components and look-ups be set up in half of the time
 * left? */
static bool fits(const struct bestdag_task *task)
{
    double left = task->run->deadline - bestdag_seconds();
    double setup = SETUP * (double)bestdag_sets_total(task->problem->sets);
    return task->run->deadline <= 0 || 2 * setup < left;
}

/* After an error: solved components keep their orders, others the
 * incumbent's. */
static void incumbent(struct plan *p)
{
    int from = 0;
    if (!p->next) /* it is recorded already, if there is one */
        return;
    for (int i = 0; i < p->components->components; i++) {
        const struct bestdag_component *c = &p->components->component[i];
        if (i >= p->next)
            bestdag_first_network_part(c, p->rank, p->order + from);
        from += c->n;
    }
    /* It is no worse than the recorded one and replaces it, whatever its
     * cost. */
    bestdag_task_keep_incumbent_order(p->task, p->order, -1);
}

int bestdag_order_graph_solve(struct bestdag_task *task,
                              struct bestdag_answer *to,
                              int (*search)(struct bestdag_order_graph *p))
{
    struct plan p = {.task = task, .run = task->run};
    if (!fits(task)) {
        bestdag_note(task->run, 1,
                     "%s: not enough time for lists of this length",
                     task->solver->name);
        return bestdag_first_network_only(task, to);
    }
    if (!prepare(&p) && !search_all(&p, search) && p.is_possible) {
        assert(bestdag_is_permutation(p.order, task->n));
        bestdag_first_network_answer(task, p.order, p.bound, to);
    }
    if (bestdag_run_status(task->run)) {
        incumbent(&p);
        to->bound = bestdag_problem_bound(task->problem, p.bound);
    } else
        bestdag_note(task->run, 1, "%s: %lld nodes expanded, %lld generated",
                     task->solver->name, (long long)p.expanded,
                     (long long)p.generated);
    to->steps = p.steps;
    to->work = work_of(&p);
    to->is_limited = p.is_limited;
    bestdag_components_free(p.components);
    bestdag_free(p.order);
    bestdag_free(p.rank);
    return bestdag_run_status(task->run);
}
