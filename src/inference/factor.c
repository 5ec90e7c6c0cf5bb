/* SPDX-License-Identifier: MIT */
/* factor.c -- products of factors, one variable summed out.
 *
 * The product is never held: for each cell of the result an odometer over the
 * axes gives every factor's offset, and the sum runs over the last variable:
 *
 *     to[a, b, ...] = sum over s of f1[.., s] * f2[.., s] * ...
 *
 * A factor without an axis has stride 0 along it. */
#include "inference/factor.h"

#include <string.h>

enum { CELLS_A_LOOK = 1 << 16 }; /* between two looks at the stop flag */

struct walk {
    const struct bestdag_product *product;
    const double **cell; /* [factors] */
    int64_t *offset;     /* [factors]: where each stands */
    int64_t *step;       /* [factors]: along the summed variable */
    int64_t *stride;     /* [axes * factors]: along each axis */
    int *state;          /* [axes] */
};

/* Stride of a factor along variable v. */
static int64_t stride_of(const struct bestdag_factor *f, const int *states,
                         int v)
{
    int64_t stride = 1;
    for (int i = f->count - 1; i >= 0; i--) {
        if (f->scope[i] == v)
            return stride;
        stride *= states[f->scope[i]];
    }
    return 0;
}

static void set_strides(struct walk *w)
{
    const struct bestdag_product *p = w->product;
    for (int k = 0; k < p->factors; k++) {
        const struct bestdag_factor *f = &p->factor[p->list[k]];
        w->cell[k] = f->cell;
        w->step[k] = stride_of(f, p->states, p->summed);
        for (int a = 0; a < p->axes; a++)
            w->stride[a * p->factors + k] = stride_of(f, p->states, p->axis[a]);
    }
}

static double sum_one(const struct walk *w, int states)
{
    const struct bestdag_product *p = w->product;
    double sum = 0;
    for (int s = 0; s < states; s++) {
        double x = 1;
        for (int k = 0; k < p->factors; k++)
            x *= w->cell[k][w->offset[k] + s * w->step[k]];
        sum += x;
    }
    return sum;
}

static void count_up(struct walk *w)
{
    const struct bestdag_product *p = w->product;
    for (int a = p->axes - 1; a >= 0; a--) {
        const int64_t *stride = w->stride + (int64_t)a * p->factors;
        int states = p->states[p->axis[a]];
        bool turns = ++w->state[a] == states;
        int64_t times = turns ? 1 - states : 1;
        for (int k = 0; k < p->factors; k++)
            w->offset[k] += times * stride[k];
        if (!turns)
            return;
        w->state[a] = 0;
    }
}

static bool is_stopped(struct bestdag_run *run, const struct bestdag_product *p)
{
    return p->watches ? bestdag_run_watch(run, 0) : bestdag_run_stopped(run);
}

static int walk_all(struct bestdag_run *run, struct walk *w, double *to)
{
    const struct bestdag_product *p = w->product;
    int states = p->summed < 0 ? 1 : p->states[p->summed];
    int64_t cells = 1;
    for (int a = 0; a < p->axes; a++)
        cells *= p->states[p->axis[a]];
    for (int64_t i = 0; i < cells; i++) {
        if (i % CELLS_A_LOOK == 0 && is_stopped(run, p))
            return bestdag_fail(run, BESTDAG_FAILED,
                                "stopped while a joint probability was "
                                "computed");
        to[i] = sum_one(w, states);
        count_up(w);
    }
    return BESTDAG_OK;
}

int bestdag_product_compute(struct bestdag_run *run,
                            const struct bestdag_product *p, double *to)
{
    size_t k = (size_t)p->factors, axes = (size_t)p->axes;
    struct walk w = {
        .product = p,
        .cell = bestdag_alloc(run, k * sizeof *w.cell),
        .offset = bestdag_calloc(run, k, sizeof *w.offset),
        .step = bestdag_alloc(run, k * sizeof *w.step),
        .stride = bestdag_alloc(run, k * axes * sizeof *w.stride),
        .state = bestdag_calloc(run, axes, sizeof *w.state),
    };
    int status = bestdag_run_status(run);
    if (!status) {
        set_strides(&w);
        status = walk_all(run, &w, to);
    }
    bestdag_free(w.cell);
    bestdag_free(w.offset);
    bestdag_free(w.step);
    bestdag_free(w.stride);
    bestdag_free(w.state);
    return status;
}
