/* SPDX-License-Identifier: MIT */
/* order_kick.c -- kicks: perturbations of an order along candidate lists. */
#include "search/orders/order_state.h"

/* "within" and "the same" are explained in orders.c. */
enum {
    LONGEST_KICK = 24,    /* links; 12..48: within 0.07 % */
    KICK_LENGTHS = 4,     /* 2, 4, 8 ... links on average; 2..8: within 0.12 %,
                             both worse on munin1, 8 also on soybean */
    TRIES = 1000,         /* draws of a variable without its best set, which end
                             the loop if there is none; 100: the same */
    NEIGHBOUR_TRIES = 20, /* the same among neighbours; 5..80: within 0.06 % */
};

static int pick(struct bestdag_order_state *p, int64_t n)
{
    return (int)bestdag_random_below(&p->random, (uint64_t)n);
}

/* A random variable without its best set, if one is found soon. */
static int pick_unsatisfied(struct bestdag_order_state *p)
{
    int v = 0;
    for (int tries = 0; tries < TRIES; tries++) {
        v = pick(p, p->problem->n);
        if (p->choice[v])
            return v;
    }
    return v;
}

/* The same among the members of v's list and the variables with v in theirs. */
static int pick_neighbour(struct bestdag_order_state *p, int v)
{
    const struct bestdag_problem *problem = p->problem;
    const struct bestdag_indexed_list *m = &problem->candidates[v];
    const struct bestdag_occurrence *user =
        problem->user + problem->user_start[v];
    int64_t users = problem->user_start[v + 1] - problem->user_start[v];
    int x = v;
    if (!users && !m->universe)
        return v;
    for (int tries = 0; tries < NEIGHBOUR_TRIES; tries++) {
        int64_t i = pick(p, users + m->universe);
        x = i < users ? user[i].child : m->member[i - users];
        if (p->choice[x])
            return x;
    }
    return x;
}

void bestdag_order_state_kick(struct bestdag_order_state *p)
{
    int v = pick_unsatisfied(p), length = 2 << pick(p, KICK_LENGTHS);
    for (int i = 0; i < LONGEST_KICK; i++) {
        if (p->choice[v])
            bestdag_order_state_block_move(p, v, pick(p, p->choice[v]),
                                           bestdag_random_bits(&p->random) & 1);
        else
            bestdag_order_state_perturb(p, v);
        if (!pick(p, length))
            return;
        v = pick_neighbour(p, v);
    }
}
