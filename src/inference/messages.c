/* SPDX-License-Identifier: MIT */
/* messages.c -- messages between cliques, and marginals from them.
 *
 * The table of a clique is the product of its factors, of the evidence on the
 * variables whose home it is, and of messages: operands along the axes that are
 * left (table_walk.c). Here are those products; evidence_update.c says what the
 * messages are and when they are lost. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "inference/messages.h"

/* Numbers below this are near to underflow. */
static const double TINY = 1e-200;

/* ---- operands ------------------------------------------------------------ */

static bool is_linear(const struct bestdag_tree_messages *p)
{
    return p->algebra == BESTDAG_SUM_PRODUCT;
}

static void scale(struct bestdag_tree_messages *p, double x)
{
    p->scalar = is_linear(p) ? p->scalar * x : p->scalar + x;
}

/* The state that v is fixed to, or -1. */
static int state_of(const struct bestdag_tree_messages *p, int v)
{
    return p->fixed[v] >= 0 ? p->fixed[v] : p->slice[v];
}

/* Makes a frame of the clique's axes that are not fixed, among its first
 * `axes`. where[axis]: index in the frame, or -1. */
static void make_frame(const struct bestdag_tree_messages *p, int clique,
                       int axes, struct bestdag_frame *frame, int *where)
{
    const struct bestdag_clique *c = &p->tree->clique[clique];
    frame->algebra = p->algebra;
    frame->axes = 0;
    for (int k = 0; k < axes; k++) {
        where[k] = -1;
        if (state_of(p, c->axis[k]) < 0) {
            where[k] = frame->axes;
            frame->extent[frame->axes++] = p->tree->states[c->axis[k]];
        }
    }
    bestdag_frame_begin(frame);
}

static struct bestdag_operand *begin(struct bestdag_operand *o,
                                     const struct bestdag_frame *frame,
                                     double *cell)
{
    o->cell = cell;
    for (int k = 0; k < frame->axes; k++)
        o->stride[k] = 0;
    return o;
}

/* Ends a factor; one that depends on no axis of the frame is a scalar. */
static void end_factor(struct bestdag_tree_messages *p,
                       const struct bestdag_frame *frame)
{
    struct bestdag_operand *o = &p->factor[p->factors];
    bool depends = false;
    for (int k = 0; k < frame->axes; k++)
        depends |= o->stride[k] != 0;
    if (!depends) {
        scale(p, *o->cell);
        return;
    }
    bestdag_operand_begin(frame, o);
    p->factors++;
}

static void add_factor(struct bestdag_tree_messages *p, int clique,
                       const struct bestdag_tree_factor *f,
                       const struct bestdag_frame *frame, const int *where)
{
    const struct bestdag_clique *c = &p->tree->clique[clique];
    const double *from = is_linear(p) ? p->tree->linear : p->tree->logarithm;
    if (f->head >= 0 && p->forced[f->head])
        return;
    struct bestdag_operand *o =
        begin(&p->factor[p->factors], frame, (double *)from + f->cell);
    for (int k = 0; k < f->cuts; k++)
        o->cell += p->fixed[f->cut[k]] * f->cut_stride[k];
    for (int k = 0; k < f->axes; k++) {
        int axis = f->axis[k];
        if (where[axis] >= 0)
            o->stride[where[axis]] = f->stride[k];
        else
            o->cell += state_of(p, c->axis[axis]) * f->stride[k];
    }
    end_factor(p, frame);
}

static void add_evidence(struct bestdag_tree_messages *p, int clique, int v,
                         const struct bestdag_frame *frame, const int *where)
{
    const struct bestdag_clique *c = &p->tree->clique[clique];
    double *weight = (is_linear(p) ? p->weight : p->log_weight) + p->offset[v];
    int axis = 0;
    if (!p->known[v])
        return;
    if (state_of(p, v) >= 0) {
        scale(p, weight[state_of(p, v)]);
        return;
    }
    while (c->axis[axis] != v)
        axis++;
    struct bestdag_operand *o = begin(&p->factor[p->factors], frame, weight);
    o->stride[where[axis]] = 1;
    end_factor(p, frame);
}

/* Along the separator of clique i; axes[k]: of the frame's table. */
static void set_message(const struct bestdag_tree_messages *p, int i,
                        double *message, const int *axes, const int *where,
                        const struct bestdag_frame *frame,
                        struct bestdag_operand *o)
{
    const struct bestdag_clique *c = &p->tree->clique[i];
    int64_t stride = 1;
    begin(o, frame, message + c->message);
    for (int k = c->separator - 1; k >= 0; k--) {
        int v = c->axis[k];
        if (p->fixed[v] >= 0)
            continue;
        int axis = axes ? axes[k] : k;
        if (where[axis] >= 0)
            o->stride[where[axis]] = stride;
        else
            o->cell += p->slice[v] * stride;
        stride *= p->tree->states[v];
    }
}

static void add_message(struct bestdag_tree_messages *p, int i, double *message,
                        const int *axes, const int *where,
                        const struct bestdag_frame *frame)
{
    set_message(p, i, message, axes, where, frame, &p->factor[p->factors]);
    end_factor(p, frame);
}

static void add_own(struct bestdag_tree_messages *p, int i, int but_child,
                    const struct bestdag_frame *frame, const int *where)
{
    const struct bestdag_clique *c = &p->tree->clique[i];
    p->factors = p->results = 0;
    p->scalar = bestdag_algebra_one(p->algebra);
    for (int k = 0; k < c->factors; k++)
        add_factor(p, i, &p->tree->factor[c->factor[k]], frame, where);
    for (int k = 0; k < c->homes; k++)
        add_evidence(p, i, c->home[k], frame, where);
    for (int k = 0; k < c->children; k++)
        if (c->child[k] != but_child && !p->is_unit[c->child[k]])
            add_message(p, c->child[k], p->up,
                        p->tree->clique[c->child[k]].in_parent, where, frame);
}

void bestdag_messages_frame(struct bestdag_tree_messages *p, int clique,
                            struct bestdag_frame *frame, int *axis)
{
    const struct bestdag_clique *c = &p->tree->clique[clique];
    int where[BESTDAG_MOST_AXES] = {0};
    make_frame(p, clique, c->axes, frame, where);
    for (int k = 0; k < c->axes; k++)
        if (where[k] >= 0)
            axis[where[k]] = k;
    add_own(p, clique, -1, frame, where);
}

/* ---- messages ------------------------------------------------------------ */

static int64_t left_of(const struct bestdag_tree_messages *p, int i)
{
    const struct bestdag_clique *c = &p->tree->clique[i];
    int64_t cells = 1;
    for (int k = 0; k < c->separator; k++)
        if (p->fixed[c->axis[k]] < 0)
            cells *= p->tree->states[c->axis[k]];
    return cells;
}

static void clear(const struct bestdag_tree_messages *p, double *to,
                  int64_t cells)
{
    for (int64_t i = 0; i < cells; i++)
        to[i] = bestdag_algebra_zero(p->algebra);
}

static int walk(struct bestdag_tree_messages *p,
                const struct bestdag_frame *frame)
{
    p->work +=
        (double)(frame->block * frame->blocks) * (p->factors + p->results);
    if (bestdag_frame_walk(p->run, frame, p->factor, p->factors, p->result,
                           p->results, p->block))
        return BESTDAG_OK;
    return bestdag_fail(p->run, BESTDAG_FAILED,
                        "stopped while probabilities were computed");
}

/* Multiplies by the scalar and, for linear numbers, by a power of 2. Returns
 * its exponent. */
static int rescale(struct bestdag_tree_messages *p, double *to, int64_t cells)
{
    double most = bestdag_algebra_zero(p->algebra), factor = p->scalar;
    int exponent = 0, own = 0;
    p->was_tiny = false;
    if (!is_linear(p)) {
        for (int64_t i = 0; i < cells; i++)
            to[i] += factor;
        return 0;
    }
    for (int64_t i = 0; i < cells; i++)
        most = to[i] > most ? to[i] : most;
    p->was_tiny = most < TINY || factor < TINY;
    factor = frexp(factor, &own);
    frexp(most * factor, &exponent);
    factor = ldexp(factor, -exponent);
    for (int64_t i = 0; i < cells; i++)
        to[i] *= factor;
    return exponent + own;
}

static int send_up(struct bestdag_tree_messages *p, int i)
{
    const struct bestdag_clique *c = &p->tree->clique[i];
    struct bestdag_frame frame;
    int where[BESTDAG_MOST_AXES] = {0};
    int64_t cells = left_of(p, i);
    make_frame(p, i, c->axes, &frame, where);
    add_own(p, i, -1, &frame, where);
    set_message(p, i, p->up, NULL, where, &frame, &p->result[p->results]);
    bestdag_operand_begin(&frame, &p->result[p->results++]);
    clear(p, p->up + c->message, cells);
    if (walk(p, &frame))
        return bestdag_run_status(p->run);
    p->exponent[i] = rescale(p, p->up + c->message, cells);
    p->tiny_up[i] = p->was_tiny;
    for (int k = 0; k < c->children; k++)
        if (!p->is_unit[c->child[k]])
            p->exponent[i] += p->exponent[c->child[k]];
    p->has_up[i] = true;
    return BESTDAG_OK;
}

int bestdag_messages_collect(struct bestdag_tree_messages *p, double *ln)
{
    const struct bestdag_junction_tree *tree = p->tree;
    *ln = 0;
    p->is_tiny = false;
    for (int i = 0; i < tree->cliques; i++) {
        const struct bestdag_clique *c = &tree->clique[i];
        if (!p->has_up[i] && !p->is_unit[i] && send_up(p, i))
            return bestdag_run_status(p->run);
        p->is_tiny |= !p->is_unit[i] && p->tiny_up[i];
        if (c->parent >= 0 || p->is_unit[i])
            continue;
        double x = p->up[c->message];
        *ln += is_linear(p) ? log(x) + p->exponent[i] * log(2) : x;
    }
    for (int v = 0; v < tree->n;
         v++) /* evidence of cut variables; others have a home */
        if (tree->cut[v] && p->known[v])
            *ln += log(p->weight[p->offset[v] + p->fixed[v]]);
    return BESTDAG_OK;
}

/* The message to one child: the product without the child's own message. */
static int send_down(struct bestdag_tree_messages *p, int i)
{
    const struct bestdag_clique *c = &p->tree->clique[i];
    const struct bestdag_clique *up = &p->tree->clique[c->parent];
    struct bestdag_frame frame;
    int where[BESTDAG_MOST_AXES] = {0};
    int64_t cells = left_of(p, i);
    make_frame(p, c->parent, up->axes, &frame, where);
    add_own(p, c->parent, i, &frame, where);
    if (up->parent >= 0)
        add_message(p, c->parent, p->down, NULL, where, &frame);
    set_message(p, i, p->down, c->in_parent, where, &frame,
                &p->result[p->results]);
    bestdag_operand_begin(&frame, &p->result[p->results++]);
    clear(p, p->down + c->message, cells);
    if (walk(p, &frame))
        return bestdag_run_status(p->run);
    rescale(p, p->down + c->message, cells);
    p->tiny_down[i] = p->was_tiny;
    p->has_down[i] = true;
    return BESTDAG_OK;
}

/* ---- marginals ----------------------------------------------------------- */

static void add_marginal(struct bestdag_tree_messages *p, int v, int axis,
                         const struct bestdag_frame *frame, const int *where)
{
    double *to = p->marginal + p->offset[v];
    if (p->fixed[v] >= 0)
        return;
    struct bestdag_operand *o = begin(&p->result[p->results++], frame, to);
    o->stride[where[axis]] = 1;
    bestdag_operand_begin(frame, o);
    clear(p, to, p->tree->states[v]);
}

static int axis_of(const struct bestdag_clique *c, int v)
{
    int axis = 0;
    while (c->axis[axis] != v)
        axis++;
    return axis;
}

/* Divides the full product by the child's message. */
static void divide(struct bestdag_tree_messages *p, int i)
{
    int64_t message = p->tree->clique[i].message, cells = left_of(p, i);
    double *down = p->down + message, *up = p->up + message;
    double zero = bestdag_algebra_zero(p->algebra);
    for (int64_t k = 0; !p->is_unit[i] && k < cells; k++)
        if (!(up[k] > zero))
            down[k] = zero; /* any value will do: it is multiplied by this 0 */
        else
            down[k] = is_linear(p) ? down[k] / up[k] : down[k] - up[k];
    p->has_down[i] = true;
    rescale(p, down, cells);
    p->tiny_down[i] = p->was_tiny;
}

/* Computes the marginals that are read from this clique and, if it is a hub,
 * the messages to its children.
 */
static int visit(struct bestdag_tree_messages *p, int i)
{
    const struct bestdag_clique *c = &p->tree->clique[i];
    struct bestdag_frame frame;
    int where[BESTDAG_MOST_AXES] = {0};
    make_frame(p, i, c->axes, &frame, where);
    add_own(p, i, -1, &frame, where);
    if (c->parent >= 0)
        add_message(p, i, p->down, NULL, where, &frame);
    for (int k = 0; k < c->placings; k++)
        add_marginal(p, c->placed[k], axis_of(c, c->placed[k]), &frame, where);
    for (int k = 0; c->hub && k < c->children; k++) {
        int child = c->child[k];
        set_message(p, child, p->down, p->tree->clique[child].in_parent, where,
                    &frame, &p->result[p->results]);
        bestdag_operand_begin(&frame, &p->result[p->results++]);
        clear(p, p->down + p->tree->clique[child].message, left_of(p, child));
    }
    if (walk(p, &frame))
        return bestdag_run_status(p->run);
    for (int k = 0; c->hub && k < c->children; k++)
        divide(p, c->child[k]);
    p->has_place[i] = true;
    return BESTDAG_OK;
}

/* Computes the marginals that are read from the separator of clique i. */
static int visit_separator(struct bestdag_tree_messages *p, int i)
{
    const struct bestdag_clique *c = &p->tree->clique[i];
    struct bestdag_frame frame;
    int where[BESTDAG_MOST_AXES] = {0};
    make_frame(p, i, c->separator, &frame, where);
    p->factors = p->results = 0;
    p->scalar = bestdag_algebra_one(p->algebra);
    if (!p->is_unit[i])
        add_message(p, i, p->up, NULL, where, &frame);
    add_message(p, i, p->down, NULL, where, &frame);
    for (int k = 0; k < c->placings_up; k++)
        add_marginal(p, c->placed_up[k], axis_of(c, c->placed_up[k]), &frame,
                     where);
    p->has_place_up[i] = true;
    return walk(p, &frame);
}

/* Computes the message from the parent, and those above that it needs. */
static int need_down(struct bestdag_tree_messages *p, int clique)
{
    const struct bestdag_clique *c = p->tree->clique;
    while (c[clique].parent >= 0 && !p->has_down[clique]) {
        int top = clique; /* the highest clique that lacks it */
        while (c[c[top].parent].parent >= 0 && !p->has_down[c[top].parent])
            top = c[top].parent;
        if (c[c[top].parent].hub ? visit(p, c[top].parent) : send_down(p, top))
            return bestdag_run_status(p->run);
    }
    for (; clique >= 0; clique = c[clique].parent)
        p->is_tiny |= c[clique].parent >= 0 && p->tiny_down[clique];
    return BESTDAG_OK;
}

/* Turns numbers of the algebra into probabilities. */
static int normalise(struct bestdag_tree_messages *p, double *to, int64_t cells)
{
    double sum = 0, most = -INFINITY;
    for (int64_t i = 0; i < cells; i++)
        most = to[i] > most ? to[i] : most;
    for (int64_t i = 0; i < cells; i++) {
        to[i] = is_linear(p) ? to[i] : exp(to[i] - most);
        sum += to[i];
    }
    if (!(sum > 0) || !isfinite(sum))
        return bestdag_fail(p->run, BESTDAG_INPUT,
                            "the evidence has probability 0");
    if (sum < TINY)
        p->is_tiny = true;
    for (int64_t i = 0; i < cells; i++)
        to[i] /= sum;
    return BESTDAG_OK;
}

int bestdag_messages_marginal(struct bestdag_tree_messages *p, int v,
                              double *to)
{
    const struct bestdag_junction_tree *tree = p->tree;
    int states = tree->states[v];
    if (p->fixed[v] >= 0) {
        for (int s = 0; s < states; s++)
            to[s] = s == p->fixed[v];
        return BESTDAG_OK;
    }
    bool shared = tree->place_shared[v];
    int i = tree->place[v];
    if (!(shared ? p->has_place_up[i] : p->has_place[i]) &&
        (need_down(p, i) || (shared ? visit_separator(p, i) : visit(p, i))))
        return bestdag_run_status(p->run);
    memcpy(to, p->marginal + p->offset[v], (size_t)states * sizeof *to);
    return normalise(p, to, states);
}

int bestdag_messages_clique(const struct bestdag_tree_messages *p,
                            const int *variables, int count)
{
    const struct bestdag_junction_tree *tree = p->tree;
    int best = -1;
    for (int i = 0; i < tree->cliques; i++) {
        const struct bestdag_clique *c = &tree->clique[i];
        int inside = 0;
        for (int k = 0; k < count; k++) {
            bool has = p->fixed[variables[k]] >= 0;
            for (int a = 0; !has && a < c->axes; a++)
                has = c->axis[a] == variables[k];
            inside += has;
        }
        if (inside == count &&
            (best < 0 || c->cells < tree->clique[best].cells))
            best = i;
    }
    return best;
}

int bestdag_messages_joint(struct bestdag_tree_messages *p, int clique,
                           const int *variables, int count, double *to,
                           int64_t room)
{
    const struct bestdag_clique *c = &p->tree->clique[clique];
    struct bestdag_frame frame;
    int where[BESTDAG_MOST_AXES] = {0};
    int64_t stride = 1;
    if (need_down(p, clique))
        return bestdag_run_status(p->run);
    make_frame(p, clique, c->axes, &frame, where);
    add_own(p, clique, -1, &frame, where);
    if (c->parent >= 0)
        add_message(p, clique, p->down, NULL, where, &frame);
    struct bestdag_operand *o = begin(&p->result[p->results++], &frame, to);
    for (int k = count - 1; k >= 0; k--) {
        int v = variables[k];
        if (p->fixed[v] >= 0)
            o->cell += p->fixed[v] * stride;
        else
            o->stride[where[axis_of(c, v)]] = stride;
        stride *= p->tree->states[v];
    }
    assert(stride == room);
    bestdag_operand_begin(&frame, o);
    clear(p, to, room);
    if (walk(p, &frame))
        return bestdag_run_status(p->run);
    return normalise(p, to, room);
}
