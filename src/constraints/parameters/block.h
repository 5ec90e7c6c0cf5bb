/* SPDX-License-Identifier: MIT */
/* block.h -- the constrained maximum likelihood of some distributions.
 *
 * A block is `rows` distributions over `states` states (a child, for each
 * configuration of the parents that its parameter rules name), entry
 * theta[row * states + state], and convex constraints on the entries. Given
 * counts, the block's theta maximises
 *
 *     sum of counts * log(theta)            (0 log 0 = 0)
 *
 * Building and settling look at the constraints only: they split the rows into
 * pieces that no constraint connects (linked_rows.h) and find out whether there
 * is any solution. A settled block does not change; threads solve with scratch
 * of their own. */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_BLOCK_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_BLOCK_H

#include "base/run.h"

enum { BESTDAG_BLOCK_MOST = 1024 }; /* entries */

struct bestdag_block;
struct bestdag_block *bestdag_block_new(struct bestdag_run *run, int states,
                                        int rows);
void bestdag_block_free(struct bestdag_block *block);

/* sum of factor[i] * theta[entry[i]]  <= (-1), = (0), >= (1)  bound */
struct bestdag_limit {
    int count;
    const int *entry;
    const double *factor;
    int relation;
    double bound;
};
/* The function at these entries is at most 0. */
struct bestdag_convex {
    bestdag_convex_fn *function;
    void *data;
    int count;
    const int *entry; /* of the block, in the order the function has them */
};

/* All of these copy their arguments. */
int bestdag_block_limit(struct bestdag_run *run, struct bestdag_block *block,
                        const struct bestdag_limit *limit);
/* Makes rows a and b equal. */
int bestdag_block_tie(struct bestdag_run *run, struct bestdag_block *block,
                      int a, int b);
/* The squared distance of a row to centre[states] is at most `most`. */
int bestdag_block_near(struct bestdag_run *run, struct bestdag_block *block,
                       int row, const double *centre, double most);
int bestdag_block_convex(struct bestdag_run *run, struct bestdag_block *block,
                         const struct bestdag_convex *convex);

/* Ends the building. feasible: is there any theta? Not OK if memory failed, or
 * a function gave no number. */
int bestdag_block_settle(struct bestdag_run *run, struct bestdag_block *block,
                         bool *feasible);
/* Doubles of scratch that solving takes. */
size_t bestdag_block_room(const struct bestdag_block *block);

enum bestdag_block_end {
    BESTDAG_BLOCK_SOLVED,
    BESTDAG_BLOCK_EXCLUDED, /* the constraints give probability 0 to observed
                               states; theta is some feasible point */
    BESTDAG_BLOCK_STUCK     /* theta is feasible, perhaps not optimal */
};
/* Of a settled, feasible block. theta is feasible to 1e-9. loss: what the
 * constraints cost, in nats: the sum of counts * log(frequency / theta). Closed
 * forms are right to rounding, the others to 1e-10 or 1e-14 times the counts;
 * where the best point is hardly determined, to 1e-8 times the counts. */
enum bestdag_block_end bestdag_block_solve(const struct bestdag_block *block,
                                           const double *counts, double *theta,
                                           double *loss, double *scratch);

#endif
