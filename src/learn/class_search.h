/* SPDX-License-Identifier: MIT */
/* class_search.h -- greedy search over equivalence classes on the table, as a
 * stage of `auto`. */
#ifndef BESTDAG_LEARN_CLASS_SEARCH_H
#define BESTDAG_LEARN_CLASS_SEARCH_H

#include "learn/portfolio.h"

/* Are the lists incomplete, and is there a table of at most some hundred
 * variables whose score is the same for all networks of a class, and no rule?
 */
bool bestdag_class_search_applies(const struct bestdag_portfolio *p);
/* It goes on for so much; the lists grow around what is better. *is_idle: it
 * has found a network, but none now that is better than that of the others. */
int bestdag_class_search_turn(struct bestdag_portfolio *p, double amount,
                              bool *is_idle);
/* Ends it. */
void bestdag_class_search_release(struct bestdag_portfolio *p);

#endif
