/* SPDX-License-Identifier: MIT */
/* portfolio_state.h -- what the stages of `auto` share: the best network, the
 * bound, what is left, and lists that grow. */
#ifndef BESTDAG_LEARN_PORTFOLIO_STATE_H
#define BESTDAG_LEARN_PORTFOLIO_STATE_H

#include "learn/portfolio.h"

/* Less of it is not worth a slice. */
#define BESTDAG_LEAST_AMOUNT 1e-3

/* May the lists grow? */
bool bestdag_portfolio_is_open(const struct bestdag_portfolio *p);
bool bestdag_portfolio_is_proved(const struct bestdag_portfolio *p);
/* Proved, stopped, spent, or the gap is what is asked for. */
bool bestdag_portfolio_is_over(const struct bestdag_portfolio *p);

void bestdag_portfolio_spend(struct bestdag_portfolio *p, double amount);
/* Takes over the network, which was found by a search and may be better. */
bool bestdag_portfolio_take_network(struct bestdag_portfolio *p,
                                    struct bestdag_dag *dag, double score);
/* Of lists that have changed only what the clusters so far prove is known. The
 * bound of all networks still holds. */
void bestdag_portfolio_begin_bounds(struct bestdag_portfolio *p);
/* Bound, gap and status of what there is now. */
int bestdag_portfolio_judge(struct bestdag_portfolio *p);
int bestdag_portfolio_take_bound(struct bestdag_portfolio *p, double bound);
/* Of a prover that is over. */
int bestdag_portfolio_take_outcome(struct bestdag_portfolio *p, int stage);
/* All provers end with what they have. */
int bestdag_portfolio_stop_provers(struct bestdag_portfolio *p);

/* Gives a network families of the lists for those that were pruned when these
 * grew. */
int bestdag_portfolio_follow_lists(struct bestdag_portfolio *p,
                                   struct bestdag_dag *dag, double *score);
/* Whatever adds to the lists: provers were at work on those that were. */
int bestdag_portfolio_lists_grow(struct bestdag_portfolio *p, int64_t more);
/* Around a network; *more: sets that are new. */
int bestdag_portfolio_grow(struct bestdag_portfolio *p,
                           const struct bestdag_dag *dag, double amount,
                           int64_t *more);

#endif
