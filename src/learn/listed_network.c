/* SPDX-License-Identifier: MIT */
/* listed_network.c -- adapts a network to lists that have grown.
 *
 * When lists grow around a network, a subset of one of its families may turn
 * out to score better; then the family is pruned as dominated, and a bound
 * proved over the lists would not hold for the network. With the subset instead
 * it does, and the network's score does not fall. Time: one pass over all
 * lists. */
#include "learn/listed_network.h"

#include "search/answer_check.h"

/* Is set[size] a subset of parents[count]? Both ascend. */
static bool is_subset(const int32_t *set, int64_t size, const int *parents,
                      int count)
{
    int i = 0;
    for (int64_t k = 0; k < size; k++, i++) {
        while (i < count && parents[i] < set[k])
            i++;
        if (i == count || parents[i] != set[k])
            return false;
    }
    return true;
}

/* The first, hence best, listed subset; -1: none. */
static int best_subset(const struct bestdag_list *list,
                       const struct bestdag_parents *parents)
{
    for (int i = 0; i < list->count; i++)
        if (is_subset(list->member + list->start[i],
                      list->start[i + 1] - list->start[i], parents->at,
                      parents->count))
            return i;
    return -1;
}

static int replace(const struct bestdag_task *task, struct bestdag_dag *dag,
                   int v, int *changed)
{
    const struct bestdag_parents *p = &dag->parents[v];
    const struct bestdag_list *list = &task->problem->sets->list[v];
    if (bestdag_problem_find(task->problem, v, p->at, p->count) >= 0)
        return BESTDAG_OK;
    int set = best_subset(list, p);
    if (set < 0)
        return BESTDAG_OK;
    ++*changed;
    return bestdag_dag_set_parents(
        task->run, dag, v, list->member + list->start[set],
        (int)(list->start[set + 1] - list->start[set]));
}

int bestdag_network_keep_listed(const struct bestdag_task *task,
                                struct bestdag_dag *dag, double *score,
                                int *changed)
{
    *changed = 0;
    for (int v = 0; v < dag->n; v++)
        if (replace(task, dag, v, changed))
            return bestdag_run_status(task->run);
    return *changed ? bestdag_task_rescore(task, dag, score) : BESTDAG_OK;
}
