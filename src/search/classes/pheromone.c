/* SPDX-License-Identifier: MIT */
/* pheromone.c -- an open-addressing table of moves. */
#include "search/classes/pheromone.h"

#include <assert.h>

#include "base/random.h"

uint64_t bestdag_operation_key(const struct bestdag_operation *move)
{
    assert(move->x >= 0 && move->y >= 0 && move->z >= -1);
    assert(move->x < 1 << 20 && move->y < 1 << 20 && move->z + 1 < 1 << 20);
    return ((uint64_t)move->operation + 1) << 60 |
           (uint64_t)(move->z + 1) << 40 | (uint64_t)move->y << 20 |
           (uint64_t)move->x;
}

static struct bestdag_pheromone_entry *find(const struct bestdag_pheromone *p,
                                            uint64_t move)
{
    size_t at = (size_t)bestdag_mix(move) & (p->slots - 1);
    while (p->slot[at].move && p->slot[at].move != move)
        at = (at + 1) & (p->slots - 1);
    return &p->slot[at];
}

double bestdag_pheromone_level(const struct bestdag_pheromone *p, uint64_t move)
{
    const struct bestdag_pheromone_entry *s = p->slots ? find(p, move) : NULL;
    return s && s->move ? s->level : p->least;
}

static int widen(struct bestdag_pheromone *p)
{
    struct bestdag_pheromone to = *p;
    to.slots = p->slots ? 2 * p->slots : 256;
    to.slot = bestdag_calloc(p->run, to.slots, sizeof *to.slot);
    if (!to.slot)
        return bestdag_run_status(p->run);
    for (size_t i = 0; i < p->slots; i++)
        if (p->slot[i].move)
            *find(&to, p->slot[i].move) = p->slot[i];
    bestdag_free(p->slot);
    *p = to;
    return BESTDAG_OK;
}

int bestdag_pheromone_set(struct bestdag_pheromone *p, uint64_t move,
                          double level)
{
    if (2 * p->used >= p->slots && widen(p))
        return bestdag_run_status(p->run);
    assert(move && p->used < p->slots);
    struct bestdag_pheromone_entry *s = find(p, move);
    p->used += !s->move;
    *s = (struct bestdag_pheromone_entry){move, level};
    return BESTDAG_OK;
}

void bestdag_pheromone_release(struct bestdag_pheromone *p)
{
    bestdag_free(p->slot);
    p->slot = NULL;
    p->slots = p->used = 0;
}
