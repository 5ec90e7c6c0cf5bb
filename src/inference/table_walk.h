/* SPDX-License-Identifier: MIT */
/* table_walk.h -- products of tables, and their sums or maxima, in blocks. */
#ifndef BESTDAG_INFERENCE_TABLE_WALK_H
#define BESTDAG_INFERENCE_TABLE_WALK_H

#include "inference/junction_tree.h"

/* How numbers are combined. */
enum bestdag_algebra {
    BESTDAG_SUM_PRODUCT,
    BESTDAG_MAX_PRODUCT, /* of logarithms: products are sums */
    BESTDAG_LOG_SUM      /* sum-product of logarithms: nothing underflows */
};

/* The neutral element of the algebra's sums. */
static inline double bestdag_algebra_zero(enum bestdag_algebra algebra)
{
    return algebra == BESTDAG_SUM_PRODUCT ? 0 : -__builtin_inf();
}
static inline double bestdag_algebra_one(enum bestdag_algebra algebra)
{
    return algebra == BESTDAG_SUM_PRODUCT ? 1 : 0;
}

/* The product table, which is never held: axes of at least 2 states, slowest
 * first. */
struct bestdag_frame {
    enum bestdag_algebra algebra;
    int axes;
    int extent[BESTDAG_MOST_AXES];
    /* set by bestdag_frame_begin: */
    int lead;              /* the first `lead` axes are outside the blocks */
    int64_t block, blocks; /* numbers in a block; how many there are */
};

enum { BESTDAG_INDEXED = 256 }; /* most numbers that an index covers */

/* Another table along the frame: a factor of the product, or a result. */
struct bestdag_operand {
    double *cell;                      /* at the frame's first number */
    int64_t stride[BESTDAG_MOST_AXES]; /* along the frame's axes; 0: does not
                                          depend on the axis */
    /* set by bestdag_operand_begin: runs of axes inside a block, fastest first
     */
    int runs;
    int extent[BESTDAG_MOST_AXES];
    int64_t along[BESTDAG_MOST_AXES];
    int inner; /* numbers that index[] covers; 0: the first run is used */
    int outer; /* the first run outside of that */
    int32_t index[BESTDAG_INDEXED];
};

void bestdag_frame_begin(struct bestdag_frame *frame);
void bestdag_operand_begin(const struct bestdag_frame *frame,
                           struct bestdag_operand *operand);
/* Numbers that a block may have, for the scratch of bestdag_frame_walk. */
int64_t bestdag_frame_room(int widest);
/* The product of the factors, summed into the results, which the caller has set
 * to the zero of the algebra. False: it was stopped. */
bool bestdag_frame_walk(const struct bestdag_run *run,
                        const struct bestdag_frame *frame,
                        const struct bestdag_operand *factor, int factors,
                        const struct bestdag_operand *result, int results,
                        double *scratch);
/* One block of the product; state[lead]: of the axes outside of it. */
void bestdag_frame_block(const struct bestdag_frame *frame,
                         const struct bestdag_operand *factor, int factors,
                         const int *state, double *scratch);
/* Steps `state` to the next block. */
void bestdag_frame_next(const struct bestdag_frame *frame, int *state);

#endif
