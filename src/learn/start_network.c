/* SPDX-License-Identifier: MIT */
/* start_network.c -- the network that a search starts from, renumbered for the
 * search: variables are matched by name. A variable that the network lacks has
 * no parents; one unknown to the search is an error. */
#include "learn/start_network.h"

#include "base/text.h"
#include "network/network.h"
#include "search/solver.h"

/* number[i]: index of the name of variable i among the n names; -1: none. */
static int match(struct bestdag_run *run, struct bestdag_network *net,
                 char *const *names, int n, int *number)
{
    for (int i = 0; i < net->dag->n; i++)
        number[i] = -1;
    for (int v = 0; v < n; v++) {
        int i = bestdag_network_find(run, net, names[v]);
        if (i >= 0)
            number[i] = v;
    }
    return bestdag_run_status(run);
}

static int check_known(struct bestdag_run *run, const char *path,
                       const struct bestdag_network *net, const int *number,
                       char *const *names, int n)
{
    char suggestion[128];
    for (int i = 0; i < net->dag->n; i++)
        if (number[i] < 0) {
            const char *name = net->variable[i].name;
            const char *near =
                bestdag_nearest(name, bestdag_name_of_list, names, n);
            return bestdag_fail(run, BESTDAG_INPUT,
                                "%s: there is no variable '%s' to start from%s",
                                path, name, bestdag_suggest(suggestion, near));
        }
    return BESTDAG_OK;
}

static int copy_arcs(struct bestdag_run *run, const struct bestdag_dag *from,
                     const int *number, struct bestdag_dag *to)
{
    int *parents = bestdag_alloc(run, (size_t)to->n * sizeof *parents);
    for (int i = 0; i < from->n && parents; i++) {
        const struct bestdag_parents *p = &from->parents[i];
        for (int k = 0; k < p->count; k++)
            parents[k] = number[p->at[k]];
        if (bestdag_dag_set_parents(run, to, number[i], parents, p->count))
            break;
    }
    bestdag_free(parents);
    return bestdag_run_status(run);
}

static struct bestdag_dag *renumber(struct bestdag_run *run, const char *path,
                                    struct bestdag_network *net,
                                    char *const *names, int n)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, n);
    int *number = bestdag_alloc(run, (size_t)net->dag->n * sizeof *number);
    bool fine = dag && number && !match(run, net, names, n, number) &&
                !check_known(run, path, net, number, names, n) &&
                !copy_arcs(run, net->dag, number, dag);
    bestdag_free(number);
    if (fine)
        return dag;
    bestdag_dag_free(dag);
    return NULL;
}

struct bestdag_dag *bestdag_start_read(struct bestdag_run *run,
                                       const struct bestdag_options *options,
                                       char *const *names, int n)
{
    const char *path =
        bestdag_option_value(options, &bestdag_solve_options, "start").text;
    struct bestdag_network *net = path ? bestdag_network_read(run, path) : NULL;
    struct bestdag_dag *dag = net ? renumber(run, path, net, names, n) : NULL;
    bestdag_network_free(net);
    return dag;
}
