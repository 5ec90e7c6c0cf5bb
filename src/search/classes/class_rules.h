/* SPDX-License-Identifier: MIT */
/* class_rules.h -- rules for a search over equivalence classes: required and
 * forbidden arcs (also from tiers, `allow only`, `parents`, `root` and `leaf`),
 * and orders. Other rules are refused by name.
 *
 * A class is allowed if one of its DAGs obeys the rules. That is decided for
 * each class that a move leads to (graph/class_moves.h); moves that obviously
 * lead to none are excluded before. */
#ifndef BESTDAG_SEARCH_CLASSES_CLASS_RULES_H
#define BESTDAG_SEARCH_CLASSES_CLASS_RULES_H

#include "search/classes/operators.h"
#include "search/solver.h"

struct bestdag_search_rules {
    struct bestdag_class_rules of;                 /* for graph/class_moves.h */
    uint64_t *allowed, *required, *before, *after; /* own; rows of n bits */
    size_t words;
    struct bestdag_dag *first; /* owns; the required arcs only */
};

/* The task's rules; *to is NULL without rules. Fails if there are rules of
 * other kinds, or if no network with at most max-parents obeys them. */
int bestdag_search_rules_new(const struct bestdag_task *task,
                             struct bestdag_search_rules **to);
void bestdag_search_rules_free(struct bestdag_search_rules *rules);
/* The initial network: the task's start if it obeys, all its families have a
 * score, and constant columns no arcs; else the required arcs. NULL: no
 * arcs. */
const struct bestdag_dag *bestdag_search_rules_start(
    const struct bestdag_task *task, const struct bestdag_search_rules *rules);

/* May u be a parent of v; must it? */
static inline bool bestdag_search_rules_allow(
    const struct bestdag_search_rules *r, int v, int u)
{
    return !r || bestdag_row_has(r->allowed + (size_t)v * r->words, u);
}
static inline bool bestdag_search_rules_require(
    const struct bestdag_search_rules *r, int v, int u)
{
    return r && bestdag_row_has(r->required + (size_t)v * r->words, u);
}
/* Does the operation certainly break a rule? False: it may not. */
bool bestdag_search_rules_bar(const struct bestdag_search_rules *rules,
                              const struct bestdag_operation *operation);

#endif
