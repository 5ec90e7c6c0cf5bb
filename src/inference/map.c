/* SPDX-License-Identifier: MIT */
/* map.c -- the most probable states of some variables, the others summed out.
 *
 * Maxima and sums do not commute, so the other variables are summed out first
 * (reduction.c); the factors that are left over the variables asked for are
 * compiled into a junction tree of their own, and their best assignments are
 * found as explanations are. Exact; the constraint on the order makes tables
 * larger than those of a marginal, up to all variables asked for (Park and
 * Darwiche 2004): what does not fit is refused before any work. */
#include <math.h>

#include "inference/session.h"

enum { TRIES = 8 };

/* Compiles the remaining factors into a tree and explains them. */
static int explain_rest(struct bestdag_run *run,
                        const struct bestdag_reduction *r,
                        const struct bestdag_potentials *potentials, int best,
                        int *states, double *ln)
{
    struct bestdag_interaction graph = {0};
    struct bestdag_triangulation order = {0};
    struct bestdag_junction_tree *tree = NULL;
    struct bestdag_tree_messages *p = NULL;
    struct bestdag_evidence none = {0};
    int found = -1;
    if (!bestdag_potentials_graph(run, potentials, &graph) &&
        !bestdag_triangulate(run, &graph, TRIES, &order)) {
        if (order.largest > BESTDAG_MOST_NUMBERS ||
            4 * order.total > bestdag_most_work(run))
            bestdag_fail(run, BESTDAG_MEMORY,
                         "the most probable states of %d variables need "
                         "tables of %.3g numbers",
                         r->asked, order.total);
        else
            tree = bestdag_junction_tree_new(run, potentials, &graph, &order);
    }
    if (tree && !bestdag_reserve(run, bestdag_messages_bytes(tree),
                                 "the most probable states"))
        p = bestdag_messages_new(run, tree);
    if (p && !bestdag_evidence_new(run, r->asked, potentials->states, &none))
        found = bestdag_explain(run, p, &none, NULL, NULL, best, states, ln);
    bestdag_evidence_release(&none);
    bestdag_messages_free(p);
    bestdag_junction_tree_free(tree);
    bestdag_interaction_release(&graph);
    bestdag_triangulation_release(&order);
    return found;
}

static int explain_some(struct bestdag_run *run, struct bestdag_reduction *r,
                        int best, int *states, double *ln)
{
    size_t left = (size_t)r->left, asked = (size_t)r->asked;
    struct bestdag_potential *item = bestdag_alloc(run, left * sizeof *item);
    bool *cut = bestdag_alloc(run, asked * sizeof *cut);
    int found = -1;
    if (item && cut) {
        for (int i = 0; i < r->left; i++) {
            const struct bestdag_factor *f = &r->factor[r->list[i]];
            item[i] =
                (struct bestdag_potential){f->count, f->scope, f->cell, -1};
        }
        for (int v = 0; v < r->asked; v++)
            cut[v] = r->plan.states[v] == 1;
        struct bestdag_potentials potentials = {r->asked, r->left,
                                                r->plan.states, item, cut};
        found = explain_rest(run, r, &potentials, best, states, ln);
    }
    bestdag_free(item);
    bestdag_free(cut);
    return found;
}

int bestdag_session_map(struct bestdag_run *run, struct bestdag_session *s,
                        const int *variables, int count, int best, int *states,
                        double *ln)
{
    struct bestdag_reduction r;
    int found = -1;
    if (!bestdag_joint_plan(run, s->joint, &s->evidence, false, variables,
                            count, &r)) {
        if (r.work > bestdag_most_work(run))
            bestdag_fail(run, BESTDAG_MEMORY,
                         "the most probable states of %d variables need %.3g "
                         "multiplications: ask for fewer variables, or for "
                         "all",
                         count, r.work);
        else if (!bestdag_reduction_run(run, &r))
            found = explain_some(run, &r, best, states, ln);
    }
    for (int k = 0; k < found; k++)
        ln[k] += r.exponent * log(2);
    bestdag_reduction_release(&r);
    return found;
}
