/* SPDX-License-Identifier: MIT */
/* obs.c -- order-based search: adjacent swaps in an order.
 *
 * Beginning with a random order, the adjacent swap that raises the score of the
 * order's best network most is made until none raises it; then comes the next
 * random order. Teyssier and Koller, UAI 2005, as described by Scanagatta et
 * al., NIPS 2015, section 4, who leave out the tabu list. See
 * adjacent_swaps.h. */
#include "search/orders/adjacent_swaps.h"
#include "search/orders/restarts.h"

static void *open_swaps(struct bestdag_run *run,
                        const struct bestdag_problem *problem)
{
    return bestdag_swaps_new(run, problem);
}

static void close_swaps(void *state)
{
    bestdag_swaps_free(state);
}

static void climb(void *state, struct bestdag_climb *c)
{
    struct bestdag_swaps *s = state;
    s->steps = 0;
    bestdag_swaps_load(s, c->order);
    if (!bestdag_climb_ends(c, s->steps))
        bestdag_swaps_weigh(s);
    while (!bestdag_climb_ends(c, s->steps)) {
        int i = bestdag_swaps_best(s);
        if (i < 0)
            break;
        bestdag_swaps_apply(s, i);
    }
    c->choice = s->choice;
    c->cost = s->cost;
    c->steps = s->steps;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    static const struct bestdag_climber climber = {.bytes = bestdag_swaps_bytes,
                                                   .open = open_swaps,
                                                   .close = close_swaps,
                                                   .climb = climb};
    return bestdag_restarts(task, &climber, to);
}

const struct bestdag_solver bestdag_solver_obs = {
    .name = "obs",
    .help = "order-based search: swaps of neighbours in an order, with "
            "restarts (Teyssier and Koller 2005)",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .settings = bestdag_reorder_settings,
    .solve = solve,
};
