/* SPDX-License-Identifier: MIT */
/* joint_list.c -- the joint states of a component of holes that have a
 * posterior worth counting.
 *
 * Holes get their states parents first, depth first; a partial state's weight
 * is the product of the tables of all families that it completes. Tables are
 * probabilities, so all completions of a partial state together weigh at most
 * as much as it does: a partial state below `floor` is left out, and the sum of
 * these weights bounds what is lost. If that exceeds 2^-LOST of the total, the
 * floor is lowered and the list made again. Long tails of improbable states
 * thus cost nothing, and the error is bounded. */
#include <math.h>
#include <string.h>

#include "base/growing_array.h"
#include "models/holes/completed_rows.h"

enum {
    LOST = 14,           /* 2^-14 of a row: 6e-5 */
    FIRST = 20,          /* the first floor: 2^-20 of a greedy state */
    MOST_LISTED = 20000, /* joint states of a component */
    MOST_NODES = 400000
};

int bestdag_joint_list_new(struct bestdag_run *run,
                           const struct bestdag_hole_plan *plan,
                           const int *rank, struct bestdag_joint_list *to)
{
    size_t n = (size_t)plan->n;
    *to = (struct bestdag_joint_list){.run = run, .plan = plan, .rank = rank};
    to->order = bestdag_alloc(run, n * sizeof *to->order);
    to->step_of = bestdag_alloc(run, n * sizeof *to->step_of);
    to->last = bestdag_alloc(run, n * sizeof *to->last);
    to->state = bestdag_alloc(run, n * sizeof *to->state);
    return bestdag_run_status(run);
}

void bestdag_joint_list_release(struct bestdag_joint_list *list)
{
    bestdag_free(list->p);
    bestdag_free(list->digit);
    bestdag_free(list->order);
    bestdag_free(list->step_of);
    bestdag_free(list->last);
    bestdag_free(list->state);
    *list = (struct bestdag_joint_list){0};
}

static int variable_at(const struct bestdag_joint_list *l,
                       const struct bestdag_hole_component *c, int place)
{
    return l->plan->hole[c->first + place];
}

/* Orders the holes parents first, and finds the step that completes each
 * family. */
static void plan_steps(struct bestdag_joint_list *l,
                       const struct bestdag_hole_component *c)
{
    const struct bestdag_hole_plan *p = l->plan;
    l->holes = c->holes;
    for (int i = 0; i < c->holes; i++) {
        int at = i, rank = l->rank[variable_at(l, c, i)];
        for (; at > 0 && l->rank[variable_at(l, c, l->order[at - 1])] > rank;
             at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = i;
    }
    for (int i = 0; i < c->holes; i++)
        l->step_of[l->order[i]] = i;
    for (int f = 0; f < c->families; f++) {
        const struct bestdag_hole_family *family = &p->family[c->family + f];
        l->last[f] = 0;
        for (int i = 0; i < family->open; i++) {
            int step = l->step_of[p->member[family->place + i].hole];
            l->last[f] = step > l->last[f] ? step : l->last[f];
        }
    }
}

/* The product of the families that this step completes. */
static double factor_at(const struct bestdag_joint_list *l,
                        const struct bestdag_hole_component *c, int step)
{
    const struct bestdag_hole_plan *p = l->plan;
    double product = 1;
    for (int f = 0; f < c->families; f++) {
        const struct bestdag_hole_family *family = &p->family[c->family + f];
        if (l->last[f] != step)
            continue;
        int64_t at = family->base;
        for (int i = 0; i < family->open; i++) {
            const struct bestdag_open_member *m = &p->member[family->place + i];
            at += l->state[m->hole] * m->stride;
        }
        product *= p->network->variable[family->child].table[at];
    }
    return product;
}

/* Builds a complete state greedily, by the best choice at every step; returns
 * its weight. */
static double descend(struct bestdag_joint_list *l,
                      const struct bestdag_hole_component *c)
{
    double weight = 1;
    for (int step = 0; step < l->holes; step++) {
        int place = l->order[step], best = 0;
        int states =
            l->plan->network->variable[variable_at(l, c, place)].states;
        double most = -1;
        for (int k = 0; k < states; k++) {
            l->state[place] = k;
            double factor = factor_at(l, c, step);
            best = factor > most ? k : best;
            most = fmax(factor, most);
        }
        l->state[place] = best;
        weight *= most;
    }
    return weight;
}

static int emit(struct bestdag_joint_list *l, double weight)
{
    if (!BESTDAG_GROW(l->run, l->p, l->room, l->count + 1) ||
        !BESTDAG_GROW(l->run, l->digit, l->digit_room, l->digits + l->holes))
        return BESTDAG_MEMORY;
    l->p[l->count++] = weight;
    for (int i = 0; i < l->holes; i++)
        l->digit[l->digits++] = (uint16_t)l->state[i];
    l->sum += weight;
    return BESTDAG_OK;
}

static int expand(struct bestdag_joint_list *l,
                  const struct bestdag_hole_component *c, int step,
                  double weight, int64_t before)
{
    if (step == l->holes) {
        l->is_full = l->count - before >= MOST_LISTED;
        return l->is_full ? BESTDAG_OK : emit(l, weight);
    }
    int place = l->order[step];
    int states = l->plan->network->variable[variable_at(l, c, place)].states;
    for (int k = 0; k < states && !l->is_full; k++) {
        l->state[place] = k;
        double w = weight * factor_at(l, c, step);
        l->is_full = ++l->nodes > MOST_NODES;
        if (!(w > 0))
            continue;
        if (w < l->floor)
            l->lost += w;
        else if (expand(l, c, step + 1, w, before))
            return BESTDAG_MEMORY;
        l->state[place] = k;
    }
    return BESTDAG_OK;
}

int bestdag_joint_list_add(struct bestdag_joint_list *l, int component,
                           bool *fits)
{
    const struct bestdag_hole_component *c = &l->plan->component[component];
    int64_t before = l->count, digits = l->digits;
    plan_steps(l, c);
    double greedy = descend(l, c);
    *fits = false;
    l->nodes = 0;
    l->is_full = !(greedy > 0x1p-900); /* too improbable: left to a session */
    l->floor = ldexp(greedy, -FIRST);
    for (; !l->is_full && !*fits; l->floor = ldexp(l->floor, -4)) {
        l->count = before;
        l->digits = digits;
        l->lost = l->sum = 0;
        if (expand(l, c, 0, 1, before))
            return BESTDAG_MEMORY;
        *fits = !l->is_full && l->lost <= ldexp(l->sum, -LOST);
    }
    if (!*fits) {
        l->count = before;
        l->digits = digits;
    }
    for (int64_t i = before; i < l->count; i++)
        l->p[i] /= l->sum;
    return BESTDAG_OK;
}
