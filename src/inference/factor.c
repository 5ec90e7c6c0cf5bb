/* SPDX-License-Identifier: MIT */
/* factor.c -- products of factors, one variable summed out.
 *
 *     to[a, b, ...] = sum over s of f1[.., s] * f2[.., s] * ...
 *
 * The product is made in blocks, never held (table_walk.c). Variables of one
 * state are not axes. */
#include "inference/factor.h"

#include "inference/table_walk.h"

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

/* The axes with more than one state; variable[k]: the k-th. */
static void make_frame(const struct bestdag_product *p,
                       struct bestdag_frame *frame, int *variable)
{
    frame->algebra = BESTDAG_SUM_PRODUCT;
    frame->axes = 0;
    for (int a = 0; a <= p->axes; a++) {
        int v = a < p->axes ? p->axis[a] : p->summed;
        if (v < 0 || p->states[v] == 1)
            continue;
        variable[frame->axes] = v;
        frame->extent[frame->axes++] = p->states[v];
    }
    bestdag_frame_begin(frame);
}

static void set_result(const struct bestdag_product *p,
                       const struct bestdag_frame *frame, const int *variable,
                       double *to, struct bestdag_operand *o)
{
    int64_t stride = 1;
    o->cell = to;
    for (int k = frame->axes - 1; k >= 0; k--) {
        o->stride[k] = variable[k] == p->summed ? 0 : stride;
        stride *= variable[k] == p->summed ? 1 : frame->extent[k];
    }
    for (int64_t i = 0; i < stride; i++)
        to[i] = 0;
    bestdag_operand_begin(frame, o);
}

int bestdag_product_compute(struct bestdag_run *run,
                            const struct bestdag_product *p, double *to)
{
    struct bestdag_frame frame;
    int variable[BESTDAG_MOST_AXES] = {0}, widest = 1;
    make_frame(p, &frame, variable);
    for (int k = 0; k < frame.axes; k++)
        widest = frame.extent[k] > widest ? frame.extent[k] : widest;
    struct bestdag_operand *o =
        bestdag_alloc(run, ((size_t)p->factors + 1) * sizeof *o);
    double *block =
        bestdag_alloc(run, (size_t)bestdag_frame_room(widest) * sizeof *block);
    int status = bestdag_run_status(run);
    if (!status) {
        for (int i = 0; i < p->factors; i++) {
            const struct bestdag_factor *f = &p->factor[p->list[i]];
            o[i].cell = (double *)f->cell;
            for (int k = 0; k < frame.axes; k++)
                o[i].stride[k] = stride_of(f, p->states, variable[k]);
            bestdag_operand_begin(&frame, &o[i]);
        }
        set_result(p, &frame, variable, to, &o[p->factors]);
        bool stopped =
            p->watches ? bestdag_run_watch(run, 0) : bestdag_run_stopped(run);
        if (stopped || !bestdag_frame_walk(run, &frame, o, p->factors,
                                           o + p->factors, 1, block))
            status = bestdag_fail(run, BESTDAG_FAILED,
                                  "stopped while a joint probability was "
                                  "computed");
    }
    bestdag_free(o);
    bestdag_free(block);
    return status;
}
