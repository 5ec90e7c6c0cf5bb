/* SPDX-License-Identifier: MIT */
/* class_rules.h -- rules for a search over equivalence classes: arcs that are
 * required or forbidden (tiers, `allow only`, `parents`, `root` and `leaf`
 * too), and orders. All others are refused by name.
 *
 * A class is allowed if one of its DAGs obeys. That is decided for each class
 * that a move leads to (graph/class_moves.h); moves of which it is plain that
 * they lead to none are left out before. */
#ifndef BESTDAG_SEARCH_CLASSES_CLASS_RULES_H
#define BESTDAG_SEARCH_CLASSES_CLASS_RULES_H

#include "search/classes/operators.h"
#include "search/solver.h"

struct bestdag_search_rules {
    struct bestdag_class_rules of;                 /* of classes */
    uint64_t *allowed, *required, *before, *after; /* own; rows of n bits */
    size_t words;
    struct bestdag_dag *first; /* owns; the required arcs alone */
};

/* What the task asks for; *to is NULL without rules. Fails where it asks for
 * more, and where there is no such network with at most max-parents. */
int bestdag_search_rules_new(const struct bestdag_task *task,
                             struct bestdag_search_rules **to);
void bestdag_search_rules_free(struct bestdag_search_rules *rules);
/* Where a search starts: the task's start if it obeys, all of its families have
 * a score, and constant columns no arcs. NULL: without arcs. */
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
/* Does no class that this operation leads to obey? False: it may. */
bool bestdag_search_rules_bar(const struct bestdag_search_rules *rules,
                              const struct bestdag_operation *operation);

#endif
