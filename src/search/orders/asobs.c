/* SPDX-License-Identifier: MIT */
/* asobs.c -- acyclic-selection OBS: adjacent swaps in an order.
 *
 * As obs.c, but an order stands for the network of acyclic_selection.h, which
 * is never worse and may have arcs against the order. A swap is expensive here,
 * so the first one that raises the score is made, from the last pair to the
 * first, repeatedly until no pair does. Scanagatta et al., NIPS 2015. */
#include "search/orders/acyclic_selection.h"
#include "search/orders/restarts.h"

static void *open_selection(struct bestdag_run *run,
                            const struct bestdag_problem *problem)
{
    return bestdag_acyclic_selection_new(run, problem);
}

static void close_selection(void *state)
{
    bestdag_acyclic_selection_free(state);
}

static void climb(void *state, struct bestdag_climb *c)
{
    struct bestdag_acyclic_selection *s = state;
    s->steps = 0;
    bestdag_acyclic_selection_load(s, c->order);
    int quiet = 0; /* consecutive pairs without a gain */
    for (int t = 0; quiet < s->n - 1 && !bestdag_climb_ends(c, s->steps);
         t = t + 2 < s->n ? t + 1 : 0)
        quiet = bestdag_acyclic_selection_swap(s, t) ? 0 : quiet + 1;
    c->choice = s->choice;
    c->cost = s->cost;
    c->steps = s->steps;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    static const struct bestdag_climber climber = {
        .bytes = bestdag_acyclic_selection_bytes,
        .open = open_selection,
        .close = close_selection,
        .climb = climb};
    return bestdag_restarts(task, &climber, to);
}

const struct bestdag_solver bestdag_solver_asobs = {
    .name = "asobs",
    .help = "as obs, with acyclic selection: arcs against the order where they "
            "close no cycle (Scanagatta et al. 2015)",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .settings = bestdag_reorder_settings,
    .solve = solve,
};
