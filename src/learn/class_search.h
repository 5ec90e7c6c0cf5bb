/* SPDX-License-Identifier: MIT */
/* class_search.h -- greedy search over equivalence classes on the table, as a
 * stage of `auto`. */
#ifndef BESTDAG_LEARN_CLASS_SEARCH_H
#define BESTDAG_LEARN_CLASS_SEARCH_H

#include "learn/portfolio.h"

/* Are the lists incomplete, is there a table of at most a few hundred
 * variables, is its score the same for equivalent networks, and are there no
 * rules? */
bool bestdag_class_search_applies(const struct bestdag_portfolio *p);
/* Continues the search for `amount`; the lists grow around a better network.
 * *is_idle: the search has a network, but none this time that improves on the
 * incumbent. */
int bestdag_class_search_turn(struct bestdag_portfolio *p, double amount,
                              bool *is_idle);
/* Ends the search. */
void bestdag_class_search_release(struct bestdag_portfolio *p);

#endif
