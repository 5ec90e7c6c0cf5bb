/* SPDX-License-Identifier: MIT */
/* os.c -- ordering sampling: the best networks of random orders.
 *
 * Given an order, every variable takes its best set among its predecessors, so
 * there are no cycles. de Campos, Zeng and Ji, ICML 2009, section 5, use it as
 * a baseline. An order costs n look-ups. */
#include "search/orders/adjacent_swaps.h"
#include "search/orders/restarts.h"

static void *open_order(struct bestdag_run *run,
                        const struct bestdag_problem *problem)
{
    return bestdag_swaps_new(run, problem);
}

static void close_order(void *state)
{
    bestdag_swaps_free(state);
}

static void climb(void *state, struct bestdag_climb *c)
{
    struct bestdag_swaps *s = state;
    s->steps = 0;
    bestdag_swaps_load(s, c->order);
    c->choice = s->choice;
    c->cost = s->cost;
    c->steps = s->steps;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    static const struct bestdag_climber climber = {.bytes = bestdag_swaps_bytes,
                                                   .open = open_order,
                                                   .close = close_order,
                                                   .climb = climb};
    return bestdag_restarts(task, &climber, to);
}

const struct bestdag_solver bestdag_solver_os = {
    .name = "os",
    .help = "the best networks for random orders (de Campos, Zeng and Ji 2009)",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .settings = bestdag_restart_settings,
    .solve = solve,
};
