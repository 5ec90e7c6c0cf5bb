/* SPDX-License-Identifier: MIT */
/* places.h -- what placing.c, climbing.c and pulling.c share, and nobody else
 * needs. */
#ifndef BESTDAG_SEARCH_PLACES_H
#define BESTDAG_SEARCH_PLACES_H

#include <math.h>

#include "search/placing.h"

static inline const struct bestdag_menu *menu_of(
    const struct bestdag_placing *p, int v)
{
    return &p->problem->menu[v];
}

static inline uint64_t *available_of(const struct bestdag_placing *p, int v)
{
    return p->available + p->problem->offset[v];
}

/* The menus on which v stands: from, to. */
static inline const struct bestdag_user *first_user(
    const struct bestdag_placing *p, int v)
{
    return p->problem->user + p->problem->user_start[v];
}

static inline const struct bestdag_user *end_user(
    const struct bestdag_placing *p, int v)
{
    return p->problem->user + p->problem->user_start[v + 1];
}

/* The largest key of a set's members. */
static inline double last_member(const struct bestdag_placing *p,
                                 const struct bestdag_menu *m, int set)
{
    const uint64_t *mask = bestdag_menu_mask(m, set);
    double last = -INFINITY;
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            double key = p->key[m->member[w * 64 + __builtin_ctzll(rest)]];
            last = key > last ? key : last;
        }
    return last;
}

/* The next one in the queue, which is not empty. */
int bestdag_placing_pop(struct bestdag_placing *p);
/* Logged; who may be better off for it is queued. */
void bestdag_placing_move(struct bestdag_placing *p, int v, double key);
/* A key for v next to `at`, with nobody that matters to v in between. False if
 * the keys are too crowded. */
bool bestdag_placing_above(struct bestdag_placing *p, int v, double at,
                           double *key);
bool bestdag_placing_below(struct bestdag_placing *p, int v, double at,
                           double *key);

#endif
