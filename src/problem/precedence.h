/* SPDX-License-Identifier: MIT */
/* precedence.h -- the direct predecessors that "order" rules require of each
 * variable: with a < b < c, a precedes b and b precedes c; that a precedes c is
 * implied, and left out. */
#ifndef BESTDAG_PROBLEM_PRECEDENCE_H
#define BESTDAG_PROBLEM_PRECEDENCE_H

#include "constraints/deduction/compile.h"

struct bestdag_precedence {
    int64_t *start; /* owns; [n + 1]; NULL: no order rules */
    int32_t *at;    /* owns; predecessors of v, ascending: at[start[v] ..) */
};

/* knowledge may be NULL. Time: n^2, and n / 64 for each arc of the result. */
int bestdag_precedence_init(struct bestdag_run *run,
                            struct bestdag_precedence *ahead,
                            const struct bestdag_knowledge *knowledge);
void bestdag_precedence_release(struct bestdag_precedence *ahead);

static inline int bestdag_precedence_count(const struct bestdag_precedence *a,
                                           int v)
{
    return a->start ? (int)(a->start[v + 1] - a->start[v]) : 0;
}

static inline const int32_t *bestdag_precedence_of(
    const struct bestdag_precedence *a, int v)
{
    return a->start ? a->at + a->start[v] : NULL;
}

#endif
