/* SPDX-License-Identifier: MIT */
/* renumber.c -- renumbers the variables of a component. */
#include "problem/renumber.h"

#include <assert.h>

#include "base/invariant.h"
#include "problem/problem_check.h"

static int copy(struct bestdag_run *run, const struct bestdag_component *from,
                const int *order, struct bestdag_component *to)
{
    size_t n = (size_t)from->n;
    int32_t *variable = bestdag_alloc(run, n * sizeof *variable);
    int32_t *place = bestdag_alloc(run, n * sizeof *place);
    to->variable = variable;
    to->list = bestdag_calloc(run, n, sizeof *to->list);
    if (variable && place && to->list) {
        to->n = from->n;
        to->words = from->words;
        for (int i = 0; i < to->n; i++) {
            variable[i] = from->variable[order[i]];
            place[order[i]] = i;
        }
        for (int i = 0; i < to->n; i++)
            if (bestdag_candidates_restrict(
                    run, &from->list[order[i]],
                    &(struct bestdag_restriction){.rename = place,
                                                  .bits = from->n},
                    &to->list[i], NULL))
                break;
    }
    bestdag_free(place);
    return bestdag_run_status(run);
}

struct bestdag_component *bestdag_component_renumber(
    struct bestdag_run *run, const struct bestdag_component *component,
    const int *order)
{
    struct bestdag_component *c = bestdag_calloc(run, 1, sizeof *c);
    assert(bestdag_is_permutation(order, component->n));
    if (c && !copy(run, component, order, c)) {
        assert(bestdag_component_is_sound(c));
        return c;
    }
    bestdag_component_free(c);
    return NULL;
}

void bestdag_component_free(struct bestdag_component *c)
{
    if (!c)
        return;
    for (int v = 0; c->list && v < c->n; v++)
        bestdag_candidates_release(&c->list[v]);
    bestdag_free((int32_t *)c->variable);
    bestdag_free(c->list);
    bestdag_free(c);
}
