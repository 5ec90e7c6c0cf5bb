/* SPDX-License-Identifier: MIT */
/* renumber.c -- renumbers the variables of a component. */
#include "problem/renumber.h"

#include <assert.h>
#include <string.h>

#include "base/invariant.h"
#include "base/row.h"
#include "problem/problem_check.h"

static int copy_piece(struct bestdag_run *run,
                      const struct bestdag_component *from, int v,
                      const int *place, struct bestdag_candidates *to)
{
    const struct bestdag_candidates *p = &from->piece[v];
    size_t words = (size_t)from->words, count = (size_t)p->count;
    to->mask = bestdag_calloc(run, count * words, sizeof *to->mask);
    to->cost = bestdag_alloc(run, (count + 1) * sizeof *to->cost);
    if (!to->mask || !to->cost)
        return bestdag_run_status(run);
    to->count = p->count;
    memcpy(to->cost, p->cost, (count + 1) * sizeof *to->cost);
    for (size_t i = 0; i < count * words; i++) {
        int first = (int)(i % words) * 64;
        uint64_t *mask = to->mask + i / words * words;
        for (uint64_t left = p->mask[i]; left; left &= left - 1)
            bestdag_row_add(mask, place[first + __builtin_ctzll(left)]);
    }
    return BESTDAG_OK;
}

static int copy(struct bestdag_run *run, const struct bestdag_component *from,
                const int *order, struct bestdag_component *to)
{
    size_t n = (size_t)from->n;
    int32_t *variable = bestdag_alloc(run, n * sizeof *variable);
    int *place = bestdag_alloc(run, n * sizeof *place);
    to->variable = variable;
    to->piece = bestdag_calloc(run, n, sizeof *to->piece);
    if (variable && place && to->piece) {
        to->n = from->n;
        to->words = from->words;
        for (int i = 0; i < to->n; i++) {
            variable[i] = from->variable[order[i]];
            place[order[i]] = i;
        }
        for (int i = 0; i < to->n; i++)
            if (copy_piece(run, from, order[i], place, &to->piece[i]))
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
    for (int v = 0; c->piece && v < c->n; v++) {
        bestdag_free(c->piece[v].mask);
        bestdag_free(c->piece[v].cost);
    }
    bestdag_free((int32_t *)c->variable);
    bestdag_free(c->piece);
    bestdag_free(c);
}
