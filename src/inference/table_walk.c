/* SPDX-License-Identifier: MIT */
/* table_walk.c -- products of tables, and their sums or maxima, in blocks.
 *
 * The table of a clique is never held: it is made in blocks of the fastest axes
 * that fit into the first-level cache. Each factor is multiplied into the block
 * in one pass, then each result takes its sums from it:
 *
 *     for each block:  t = f1;  t *= f2;  ...;  r1 += t;  r2 += t;  ...
 *
 * Adjacent axes along which a table is contiguous, or constant, are one run, so
 * that the inner loop is a plain loop with stride 1 or 0 over many numbers. If
 * that run is short, the offsets of up to 256 numbers are listed once and used
 * for every block.
 *
 * Cost: numbers of the frame times (factors + results). */
#include "inference/table_walk.h"

#include <math.h>

enum {
    BLOCK = 2048,  /* numbers: 16 KB, half of a first-level cache */
    SHORT_RUN = 8, /* numbers; below this, an index is faster than a loop */
    BLOCKS_A_LOOK = 256 /* between two checks of the stop flag */
};

int64_t bestdag_frame_room(int widest)
{
    return widest > BLOCK ? widest : BLOCK;
}

void bestdag_frame_begin(struct bestdag_frame *frame)
{
    int k = frame->axes;
    frame->block = frame->blocks = 1;
    while (k > 0 &&
           (frame->block == 1 || frame->block * frame->extent[k - 1] <= BLOCK))
        frame->block *= frame->extent[--k];
    frame->lead = k;
    while (k > 0)
        frame->blocks *= frame->extent[--k];
}

/* ---- runs ---------------------------------------------------------------- */

static void find_runs(const struct bestdag_frame *frame,
                      struct bestdag_operand *o)
{
    o->runs = 0;
    for (int k = frame->axes - 1; k >= frame->lead; k--) {
        int last = o->runs - 1;
        if (last >= 0 && o->stride[k] == o->along[last] * o->extent[last]) {
            o->extent[last] *= frame->extent[k];
            continue;
        }
        o->extent[o->runs] = frame->extent[k];
        o->along[o->runs++] = o->stride[k];
    }
    if (!o->runs) {
        o->extent[0] = 1;
        o->along[0] = 0;
        o->runs = 1;
    }
}

void bestdag_operand_begin(const struct bestdag_frame *frame,
                           struct bestdag_operand *o)
{
    find_runs(frame, o);
    o->inner = 0;
    o->outer = 1;
    if (o->runs == 1 || o->extent[0] >= SHORT_RUN)
        return;
    o->inner = 1;
    o->index[0] = 0;
    for (o->outer = 0; o->outer < o->runs; o->outer++) {
        int extent = o->extent[o->outer];
        if (o->inner * extent > BESTDAG_INDEXED ||
            o->along[o->outer] > INT32_MAX / BESTDAG_INDEXED / 2)
            break;
        for (int s = 1; s < extent; s++)
            for (int i = 0; i < o->inner; i++)
                o->index[s * o->inner + i] =
                    o->index[i] + (int32_t)(s * o->along[o->outer]);
        o->inner *= extent;
    }
}

/* ---- inner loops --------------------------------------------------------- */

enum action { COPY, MULTIPLY, ADD, SUM, MAX, LOG_SUM };

static inline double log_add(double a, double b)
{
    double more = a > b ? a : b, less = a > b ? b : a;
    return less == -INFINITY ? more : more + log1p(exp(less - more));
}

static inline double sum_of(const double *t, int n)
{
    double s[4] = {0, 0, 0, 0}, rest = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            s[k] += t[i + k];
    for (; i < n; i++)
        rest += t[i];
    return (s[0] + s[1]) + (s[2] + s[3]) + rest;
}

static inline double max_of(const double *t, int n)
{
    double most = t[0];
    for (int i = 1; i < n; i++)
        most = t[i] > most ? t[i] : most;
    return most;
}

/* Combines one number of t and one of the operand. */
static inline __attribute__((always_inline)) void act(enum action action,
                                                      double *t, double *f)
{
    switch (action) {
    case COPY:
        *t = *f;
        break;
    case MULTIPLY:
        *t *= *f;
        break;
    case ADD:
        *t += *f;
        break;
    case SUM:
        *f += *t;
        break;
    case MAX:
        *f = *t > *f ? *t : *f;
        break;
    case LOG_SUM:
        *f = log_add(*f, *t);
        break;
    }
}

/* Combines a constant operand with n numbers. */
static inline __attribute__((always_inline)) void act_constant(
    enum action action, double *t, double *f, int n)
{
    double x = *f;
    switch (action) {
    case COPY:
    case MULTIPLY:
    case ADD:
        for (int i = 0; i < n; i++)
            act(action, t + i, &x);
        break;
    case SUM:
        *f += sum_of(t, n);
        break;
    case MAX:
        x = max_of(t, n);
        *f = x > *f ? x : *f;
        break;
    case LOG_SUM:
        for (int i = 0; i < n; i++)
            *f = log_add(*f, t[i]);
        break;
    }
}

static inline __attribute__((always_inline)) void act_inner(
    enum action action, double *restrict t, double *restrict f,
    const struct bestdag_operand *o)
{
    int n = o->inner ? o->inner : o->extent[0];
    int64_t along = o->along[0];
    if (o->inner)
        for (int i = 0; i < n; i++)
            act(action, t + i, f + o->index[i]);
    else if (along == 0)
        act_constant(action, t, f, n);
    else if (along == 1)
        for (int i = 0; i < n; i++)
            act(action, t + i, f + i);
    else
        for (int i = 0; i < n; i++)
            act(action, t + i, f + i * along);
}

static inline __attribute__((always_inline)) void act_block(
    enum action action, double *t, const struct bestdag_operand *o, int64_t at)
{
    int inner = o->inner ? o->inner : o->extent[0];
    int state[BESTDAG_MOST_AXES];
    double *f = o->cell + at;
    for (int k = o->outer; k < o->runs; k++)
        state[k] = 0;
    for (;;) {
        int k = o->outer;
        act_inner(action, t, f, o);
        t += inner;
        for (; k < o->runs; k++) {
            f += o->along[k];
            if (++state[k] < o->extent[k])
                break;
            f -= state[k] * o->along[k];
            state[k] = 0;
        }
        if (k == o->runs)
            return;
    }
}

/* ---- blocks -------------------------------------------------------------- */

static void multiply(const struct bestdag_frame *frame, double *t,
                     const struct bestdag_operand *o, int64_t at, bool first)
{
    if (first)
        act_block(COPY, t, o, at);
    else if (frame->algebra == BESTDAG_SUM_PRODUCT)
        act_block(MULTIPLY, t, o, at);
    else
        act_block(ADD, t, o, at);
}

static void collect(const struct bestdag_frame *frame, double *t,
                    const struct bestdag_operand *o, int64_t at)
{
    if (frame->algebra == BESTDAG_SUM_PRODUCT)
        act_block(SUM, t, o, at);
    else if (frame->algebra == BESTDAG_MAX_PRODUCT)
        act_block(MAX, t, o, at);
    else
        act_block(LOG_SUM, t, o, at);
}

static int64_t offset_of(const struct bestdag_frame *frame,
                         const struct bestdag_operand *o, const int *state)
{
    int64_t at = 0;
    for (int k = 0; k < frame->lead; k++)
        at += state[k] * o->stride[k];
    return at;
}

void bestdag_frame_block(const struct bestdag_frame *frame,
                         const struct bestdag_operand *factor, int factors,
                         const int *state, double *scratch)
{
    for (int64_t i = 0; !factors && i < frame->block; i++)
        scratch[i] = bestdag_algebra_one(frame->algebra);
    for (int f = 0; f < factors; f++)
        multiply(frame, scratch, &factor[f],
                 offset_of(frame, &factor[f], state), f == 0);
}

void bestdag_frame_next(const struct bestdag_frame *frame, int *state)
{
    for (int k = frame->lead - 1; k >= 0; k--) {
        if (++state[k] < frame->extent[k])
            return;
        state[k] = 0;
    }
}

bool bestdag_frame_walk(const struct bestdag_run *run,
                        const struct bestdag_frame *frame,
                        const struct bestdag_operand *factor, int factors,
                        const struct bestdag_operand *result, int results,
                        double *scratch)
{
    int state[BESTDAG_MOST_AXES] = {0};
    for (int64_t b = 0; b < frame->blocks; b++) {
        if (b % BLOCKS_A_LOOK == BLOCKS_A_LOOK - 1 && bestdag_run_stopped(run))
            return false;
        bestdag_frame_block(frame, factor, factors, state, scratch);
        for (int r = 0; r < results; r++)
            collect(frame, scratch, &result[r],
                    offset_of(frame, &result[r], state));
        bestdag_frame_next(frame, state);
    }
    return true;
}
