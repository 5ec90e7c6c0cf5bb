/* SPDX-License-Identifier: MIT */
/* tree.c -- the best network with at most one parent per variable. */
#include "search/direct/optimal_tree.h"

static const struct bestdag_option settings[] = {
    {"forest", BESTDAG_FLAG, "no",
     .help = "keep only arcs of positive gain; otherwise one tree spans all "
             "variables"},
    {0}};

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct bestdag_optimal_tree tree = {0};
    bool forest = bestdag_task_setting(task, "forest").integer != 0;
    if (task->max_parents == 0)
        to->dag = bestdag_dag_new(task->run, task->n);
    else if (!bestdag_optimal_tree_find(task, forest, &tree))
        to->dag = bestdag_optimal_tree_dag(task->run, &tree);
    to->steps = tree.steps;
    bestdag_optimal_tree_release(&tree);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_tree = {
    .name = "tree",
    .help = "the best tree over all variables, on the table: Chow and Liu's "
            "for any score, Edmonds' branching where direction matters",
    .ground = BESTDAG_ON_TABLE,
    .settings = settings,
    .solve = solve,
};
