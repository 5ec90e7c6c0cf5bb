/* SPDX-License-Identifier: MIT */
/* fitting.c -- estimates the parameters of a learned graph, whatever ended the
 * search. */
#include "learn/fitting.h"

#include <math.h>
#include <stdio.h>

#include "models/fit_limit.h"
#include "network/network.h"

/* A network of the table's variables with the arcs of a graph, without
 * parameters. */
static struct bestdag_network *draw_arcs(struct bestdag_run *run,
                                         const struct bestdag_dag *dag,
                                         const struct bestdag_table *table)
{
    struct bestdag_network *net = bestdag_network_new(run, table);
    for (int v = 0; net && v < dag->n; v++)
        if (bestdag_dag_set_parents(run, net->dag, v, dag->parents[v].at,
                                    dag->parents[v].count)) {
            bestdag_network_free(net);
            return NULL;
        }
    return net;
}

/* Fits in a slice without a time limit. NULL: error. */
static struct bestdag_network *fit_without_limits(
    struct bestdag_run *unlimited, const struct bestdag_network *net,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options)
{
    struct bestdag_network *fitted =
        bestdag_network_fit_under(unlimited, net, table, rules, options);
    if (fitted || !atomic_load(&unlimited->stop))
        return fitted;
    double deadline =
        unlimited->deadline; /* for EM, which has an answer at any time */
    bestdag_run_clear(unlimited);
    unlimited->deadline = deadline;
    unlimited->on_progress = NULL; /* it is what asked to stop */
    return bestdag_network_fit_under(unlimited, net, table, rules, options);
}

/* Returns the graph without tables if these are too large. */
static struct bestdag_network *keep_without_tables(struct bestdag_run *run,
                                                   struct bestdag_network *net,
                                                   const char *reason)
{
    bestdag_note(run, 0, "the network has no probabilities: %s", reason);
    if (!bestdag_network_note(run, net, "unfitted", reason))
        return net;
    bestdag_network_free(net);
    return NULL;
}

/* Writes why the tables are too large; an empty text if they are not. */
static void describe_excess(const struct bestdag_run *run,
                            const struct bestdag_network *net, int64_t limit,
                            char *text, size_t size)
{
    int widest;
    int64_t most, all = bestdag_network_entries(net, &widest, &most);
    bool is_large = all > limit;
    *text = 0;
    if (most < INT64_MAX && (is_large || bestdag_tables_are_late(run, all)))
        snprintf(text, size,
                 "its tables have %lld entries, that of '%.200s' %lld, %s",
                 (long long)all, net->variable[widest].name, (long long)most,
                 is_large ? "more than --max-entries allows ('bestdag fit "
                            "--max-entries' computes them; --max-parents "
                            "gives smaller ones)"
                          : "too many for the remaining time ('bestdag fit' "
                            "computes them)");
}

/* EM has tables whenever it is stopped: it gets the time that is left, and a
 * little more. */
static double em_deadline(const struct bestdag_run *run)
{
    double now = bestdag_seconds(), grace = fmax(1, run->time_limit / 20);
    if (bestdag_run_stopped(run))
        return now + grace;
    return run->deadline > 0 ? fmax(run->deadline, now) + grace : 0;
}

struct bestdag_network *bestdag_fitting_unstopped(
    struct bestdag_run *run, const struct bestdag_dag *dag,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options)
{
    char reason[1024] = "";
    struct bestdag_network *net = draw_arcs(run, dag, table), *fitted = NULL;
    struct bestdag_slice_limits share = {.reports = true};
    struct bestdag_run *unlimited = net ? bestdag_run_slice(run, share) : NULL;
    if (net)
        describe_excess(run, net, bestdag_fit_most(options), reason,
                        sizeof reason);
    if (unlimited) {
        unlimited->outer = NULL;
        unlimited->deadline =
            table->use == BESTDAG_HOLES_EM ? em_deadline(run) : 0;
        fitted =
            *reason ? NULL
                    : fit_without_limits(unlimited, net, table, rules, options);
        if (bestdag_run_status(unlimited) == BESTDAG_MEMORY)
            bestdag_run_recover(unlimited, reason, sizeof reason);
        unlimited->outer = run;
        bestdag_run_join(unlimited);
    }
    if (*reason && !bestdag_run_status(run))
        return keep_without_tables(run, net, reason);
    bestdag_network_free(net);
    return fitted;
}
