/* SPDX-License-Identifier: MIT */
/* part_search.c -- sets up A* for a part of a problem. */
#include "search/subsets/part_search.h"

#include "base/row.h"
#include "base/work.h"
#include "problem/renumber.h"
#include "search/subsets/cluster_heuristic.h"
#include "search/subsets/order_graph.h"

/* One in so many of the allowed nodes may be expanded per round. */
enum { SHARE = 8 * BESTDAG_PARTS };

/* The part as a component, in its own numbers. */
struct setup {
    struct bestdag_component *component;  /* owns */
    struct bestdag_best_parents *lookup;  /* owns */
    struct bestdag_heuristic *heuristics; /* owns */
};

static int make_setup(const struct bestdag_part_search *f, struct setup *to)
{
    struct bestdag_run *run = f->task->run;
    int n = f->relax->n;
    struct bestdag_component shell = {
        .n = n, .words = (int)bestdag_row_words(n), .variable = f->variable};
    struct bestdag_heuristic_request job = {.plan = {.name = "simple"}};
    int *order = bestdag_alloc(run, (size_t)n * sizeof *order);
    for (int v = 0; order && v < n; v++)
        order[v] = v;
    if (order)
        to->component =
            bestdag_component_of(run, &shell, f->relax, f->task->problem->none);
    if (to->component)
        to->lookup = bestdag_best_parents_new(run, to->component, NULL);
    job.component = to->component;
    job.lookup = to->lookup;
    if (to->lookup)
        to->heuristics = bestdag_heuristic_new(run, &job);
    if (to->heuristics)
        to->heuristics =
            bestdag_cluster_heuristic_new(f->relax, order, to->heuristics);
    bestdag_free(order);
    return bestdag_run_status(run);
}

static void release_setup(struct setup *setup)
{
    bestdag_heuristic_free(setup->heuristics);
    bestdag_best_parents_free(setup->lookup);
    bestdag_component_free(setup->component);
}

static void take_result(struct bestdag_part_search *f,
                        const struct bestdag_order_graph *found)
{
    struct bestdag_expansion_part sum =
        bestdag_expansion_sum(&found->expansion);
    f->expanded = sum.expanded;
    f->generated = sum.generated;
    f->work =
        (double)sum.steps * bestdag_order_graph_step_work(f->task->problem);
    f->is_limited = found->is_limited;
    f->bound = found->bound;
    f->upper = found->expansion.limit;
    f->is_better = found->is_better;
    for (int i = 0; f->is_better && i < f->relax->n; i++)
        f->order[i] = found->order[i];
}

static void search(struct bestdag_part_search *f, const struct setup *setup)
{
    struct bestdag_run *run = f->task->run;
    struct bestdag_order_graph found = {
        .task = f->task,
        .run = run,
        .before = f->before,
        .most_nodes = f->most_nodes,
        .others = f->others,
        .their_orders = f->their_orders,
        .on_turn = f->on_turn,
        .job = f->job,
        .expansion = {.run = run,
                      .at = setup->component,
                      .lookup = setup->lookup,
                      .heuristics = setup->heuristics}};
    int64_t none = f->task->problem->none;
    if (f->most_work > 0)
        found.most_steps = bestdag_work_units(
            f->most_work, bestdag_order_graph_step_work(f->task->problem));
    found.expansion.spread_after =
        bestdag_task_setting(f->task, "spread").integer;
    found.bytes = bestdag_expansion_init(&found.expansion,
                                         f->bytes - bestdag_memory_used(run));
    if (f->most_nodes && found.expansion.batch > 1 + f->most_nodes / SHARE)
        found.expansion.batch = 1 + f->most_nodes / SHARE;
    found.expansion.limit = f->upper < none ? f->upper : none;
    if (!bestdag_astar_search(&found))
        take_result(f, &found);
    bestdag_expansion_release(&found.expansion);
}

bool bestdag_part_search_fits(int n)
{
    return n <= BESTDAG_MOST_VARIABLES;
}

int bestdag_part_search_run(struct bestdag_part_search *f)
{
    struct setup setup = {0};
    if (!make_setup(f, &setup))
        search(f, &setup);
    release_setup(&setup);
    return bestdag_run_status(f->task->run);
}
