/* SPDX-License-Identifier: MIT */
/* portfolio_state.h -- what the stages of `auto` share: incumbent, bound,
 * budget, and growing lists. */
#ifndef BESTDAG_LEARN_PORTFOLIO_STATE_H
#define BESTDAG_LEARN_PORTFOLIO_STATE_H

#include "learn/portfolio.h"

/* A slice of less is not worth while. */
#define BESTDAG_LEAST_AMOUNT 1e-3

/* May the lists grow? */
bool bestdag_portfolio_is_open(const struct bestdag_portfolio *p);
bool bestdag_portfolio_is_proved(const struct bestdag_portfolio *p);
/* Is optimality proved, the run stopped, the budget spent, or the gap as small
 * as the user wants? */
bool bestdag_portfolio_is_over(const struct bestdag_portfolio *p);

void bestdag_portfolio_spend(struct bestdag_portfolio *p, double amount);
/* Takes over a network that a search has found; is it a new incumbent? */
bool bestdag_portfolio_take_network(struct bestdag_portfolio *p,
                                    struct bestdag_dag *dag, double score);
/* Recomputes the bound over lists that have changed, from the clusters so far.
 * The bound on all networks still holds. */
void bestdag_portfolio_begin_bounds(struct bestdag_portfolio *p);
/* Sets bound, gap and status from what is known now. */
int bestdag_portfolio_judge(struct bestdag_portfolio *p);
int bestdag_portfolio_take_bound(struct bestdag_portfolio *p, double bound);
/* Requires that the prover is over. */
int bestdag_portfolio_take_outcome(struct bestdag_portfolio *p, int stage);
/* Ends all provers and takes their results. */
int bestdag_portfolio_stop_provers(struct bestdag_portfolio *p);

/* Replaces families of a network that were pruned when the lists grew by listed
 * ones. */
int bestdag_portfolio_follow_lists(struct bestdag_portfolio *p,
                                   struct bestdag_dag *dag, double *score);
/* To be called after adding `more` sets to the lists, with no prover at
 * work. */
int bestdag_portfolio_lists_grow(struct bestdag_portfolio *p, int64_t more);
/* Grows the lists around a network; *more: new sets. */
int bestdag_portfolio_grow(struct bestdag_portfolio *p,
                           const struct bestdag_dag *dag, double amount,
                           int64_t *more);

#endif
