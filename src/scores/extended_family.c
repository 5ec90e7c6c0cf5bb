/* SPDX-License-Identifier: MIT */
/* extended_family.c -- the family of a child whose parents are a known set and
 * one more variable. */
#include "scores/extended_family.h"

#include "scores/score.h"

/* The functions to sum; 0: out of memory. */
static int find_terms(const struct bestdag_scorer *s, int child, double states,
                      struct bestdag_extended_terms *to)
{
    const struct bestdag_score_terms *bottom =
        bestdag_scorer_terms(s, s->bottom[child], states);
    const struct bestdag_score_terms *top =
        bestdag_scorer_terms(s, s->top[child], states * s->states[child]);
    if (!bottom || !top)
        return 0;
    *to = (struct bestdag_extended_terms){
        {s->xlogx, top}, {s->xlogx, bottom}, top->a < 0 ? 1 : 2};
    return to->count;
}

int bestdag_scorer_grow(const struct bestdag_scorer *s,
                        struct bestdag_scorer_scratch *scratch,
                        struct bestdag_extended_counts *extension,
                        const struct bestdag_extended *set,
                        struct bestdag_family *to)
{
    int count = set->count + 1;
    double states = bestdag_scorer_joint_states(s, set->base, count);
    struct bestdag_extended_terms terms;
    struct bestdag_extended_sums sums;
    if (!extension || s->by_family ||
        bestdag_scorer_is_constrained(s, set->child) ||
        !bestdag_extended_counts_pays(extension, states))
        return bestdag_scorer_family(s, scratch, set->child, set->base, count,
                                     to);
    if (!find_terms(s, set->child, states, &terms))
        return BESTDAG_MEMORY;
    if (!bestdag_extended_counts_sum(extension, set, &terms, &sums))
        return bestdag_scorer_family(s, scratch, set->child, set->base, count,
                                     to);
    int last = terms.count - 1;
    *to = (struct bestdag_family){
        .score = s->factor * (sums.top[last] - sums.bottom[last]) -
                 bestdag_scorer_penalty(s, set->child, set->base, count),
        .likelihood = sums.top[0] - sums.bottom[0],
        .parents_joint = sums.bottom[0],
        .configurations = sums.configurations,
        .cells = sums.cells};
    return BESTDAG_OK;
}
