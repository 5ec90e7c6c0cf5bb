/* SPDX-License-Identifier: MIT */
/* explanation.c -- the most probable assignments: the best one, and K of them.
 *
 * Max-product messages towards the roots, then from the roots down: with the
 * separator of a clique decided, the best states of the rest of it are where
 * its table, cut down to the separator, is largest (Dawid 1992).
 *
 * For more than one, the space without its best assignment x is partitioned
 * (Lawler 1972, Nilsson 1998). Variables are ranked in the order in which they
 * are decided; part k agrees with x on all variables before v_k and differs at
 * v_k. The best value in part k can be read where v_k is decided: everything
 * outside the cut-down table of that clique is as good as in x, so
 *
 *     best(part k) = best(x) - largest number + largest with v_k not as in x.
 *
 * The part of largest value gives the next assignment, after one propagation
 * with what the part fixes as evidence, and is partitioned in turn.
 *
 * Cost: a propagation for each assignment, of changed messages only. */
#include "inference/explanation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The assignments that agree with assignment `origin` before v and differ in v
 * from it and from the assignments of the chain of `previous` parts. */
struct part {
    double value;
    int origin;
    int v;
    int previous; /* a part that differs in the same v; -1: none */
};

struct search {
    struct bestdag_run *run;
    struct bestdag_tree_messages *p;
    int n;
    int *states; /* [best * n] */
    double *ln;  /* [best] */
    int found;
    int *
        rank; /* owns; [n]: step at which a variable is decided; n: it is cut */
    struct bestdag_evidence given, now; /* own; of the tree's variables */
    double *weight;                     /* owns; [widest] */
    struct part *part;                  /* owns */
    int parts, room;
    int *heap; /* owns; [room] */
    int waiting;
};

/* ---- deciding ------------------------------------------------------------ */

/* Returns the largest number of the product, and its cell. */
static double find_most(struct bestdag_tree_messages *p,
                        const struct bestdag_frame *frame, int64_t *cell)
{
    int state[BESTDAG_MOST_AXES] = {0};
    double most = -INFINITY;
    *cell = 0;
    for (int64_t b = 0; b < frame->blocks; b++) {
        bestdag_frame_block(frame, p->factor, p->factors, state, p->block);
        for (int64_t i = 0; i < frame->block; i++)
            if (p->block[i] > most) {
                most = p->block[i];
                *cell = b * frame->block + i;
            }
        bestdag_frame_next(frame, state);
    }
    return most;
}

static double most_in(const double *block, int64_t first, int64_t from,
                      int64_t to, int64_t cells)
{
    double most = -INFINITY;
    from = from > first ? from : first;
    to = to < first + cells ? to : first + cells;
    for (int64_t i = from; i < to; i++)
        most = block[i - first] > most ? block[i - first] : most;
    return most;
}

/* most[k]: the largest number of a cell that first differs from `cell` in axis
 * k. */
static void find_next(struct bestdag_tree_messages *p,
                      const struct bestdag_frame *frame, int64_t cell,
                      double *most)
{
    int state[BESTDAG_MOST_AXES] = {0};
    int64_t cells = frame->block * frame->blocks;
    for (int k = 0; k < frame->axes; k++)
        most[k] = -INFINITY;
    for (int64_t b = 0; b < frame->blocks; b++) {
        int64_t first = b * frame->block, low = 0, size = cells;
        bestdag_frame_block(frame, p->factor, p->factors, state, p->block);
        for (int k = 0; k < frame->axes; k++) {
            int64_t high = low + size, inner = size / frame->extent[k];
            int64_t same = low + (cell - low) / inner * inner;
            double x = most_in(p->block, first, low, same, frame->block);
            double y =
                most_in(p->block, first, same + inner, high, frame->block);
            most[k] = fmax(most[k], fmax(x, y));
            low = same;
            size = inner;
        }
        bestdag_frame_next(frame, state);
    }
}

/* Sets p->slice of the variables that the clique decides. */
static void decide(struct bestdag_tree_messages *p, int clique,
                   const struct bestdag_frame *frame, const int *axis,
                   int64_t cell)
{
    const struct bestdag_clique *c = &p->tree->clique[clique];
    for (int k = frame->axes - 1; k >= 0; k--) {
        p->slice[c->axis[axis[k]]] = (int)(cell % frame->extent[k]);
        cell /= frame->extent[k];
    }
}

/* Moves the decided states to `to`. */
static void take(struct bestdag_tree_messages *p, int *to)
{
    for (int v = 0; v < p->tree->n; v++) {
        to[v] = p->fixed[v] >= 0 ? p->fixed[v] : p->slice[v];
        p->slice[v] = -1;
    }
}

/* ---- parts --------------------------------------------------------------- */

static bool is_before(const struct search *s, int a, int b)
{
    double x = s->part[a].value, y = s->part[b].value;
    return x > y || (!(y > x) && a < b);
}

static void settle(struct search *s, int i, int part)
{
    for (; i > 0 && is_before(s, part, s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    for (int k; (k = 2 * i + 1) < s->waiting; i = k) {
        if (k + 1 < s->waiting && is_before(s, s->heap[k + 1], s->heap[k]))
            k++;
        if (!is_before(s, s->heap[k], part))
            break;
        s->heap[i] = s->heap[k];
    }
    s->heap[i] = part;
}

static int pop(struct search *s)
{
    int best = s->heap[0], last = s->heap[--s->waiting];
    if (s->waiting)
        settle(s, 0, last);
    return best;
}

static void push(struct search *s, struct part part)
{
    if (!(part.value > -INFINITY) || bestdag_run_status(s->run))
        return;
    if (s->parts == s->room) {
        int room = 2 * s->room + 64;
        struct part *parts =
            bestdag_realloc(s->run, s->part, (size_t)room * sizeof *parts);
        if (parts)
            s->part = parts;
        int *heap =
            bestdag_realloc(s->run, s->heap, (size_t)room * sizeof *heap);
        if (heap)
            s->heap = heap;
        if (!parts || !heap)
            return;
        s->room = room;
    }
    s->part[s->parts] = part;
    s->waiting++;
    settle(s, s->waiting - 1, s->parts++);
}

/* ---- one assignment ------------------------------------------------------ */

/* Finds the best assignment under the current evidence, whose value is `ln`,
 * and the parts that the rest of the space falls into. part: number of this
 * space, or -1. */
static int trace(struct search *s, double ln, int part)
{
    struct bestdag_tree_messages *p = s->p;
    double next[BESTDAG_MOST_AXES];
    int axis[BESTDAG_MOST_AXES];
    for (int i = p->tree->cliques - 1; i >= 0; i--) {
        struct bestdag_frame frame;
        int64_t cell;
        if (bestdag_run_stopped(p->run))
            return bestdag_fail(p->run, BESTDAG_FAILED,
                                "stopped while explanations were computed");
        bestdag_messages_frame(p, i, &frame, axis);
        double most = find_most(p, &frame, &cell);
        if (s->rank)
            find_next(p, &frame, cell, next);
        decide(p, i, &frame, axis, cell);
        for (int k = 0; s->rank && k < frame.axes; k++) {
            int v = p->tree->clique[i].axis[axis[k]];
            bool same = part >= 0 && s->part[part].v == v;
            push(s, (struct part){ln + (next[k] - most), s->found, v,
                                  same ? part : -1});
        }
    }
    take(p, s->states + (size_t)s->found * (size_t)s->n);
    s->ln[s->found++] = ln;
    return bestdag_run_status(p->run);
}

/* Sets the evidence that restricts the assignments to a part. */
static void restrict_to(struct search *s, int part)
{
    const int *x = s->states + (size_t)s->part[part].origin * (size_t)s->n;
    int end = s->part[part].v;
    for (int v = 0; v < s->n; v++) {
        const double *given = bestdag_evidence_of(&s->given, v);
        int states = bestdag_evidence_states(&s->given, v);
        bestdag_evidence_copy(&s->now, v, &s->given, v);
        if (s->given.doing[v] >= 0 || s->rank[v] > s->rank[end])
            continue;
        for (int k = 0; k < states; k++)
            s->weight[k] = v != end && k != x[v] ? 0 : given[k];
        for (int i = part; v == end && i >= 0; i = s->part[i].previous)
            s->weight[s->states[(size_t)s->part[i].origin * (size_t)s->n +
                                (size_t)v]] = 0;
        bestdag_evidence_weigh(&s->now, v, s->weight);
        s->now.exponent[v] = 0; /* weights of `given` are scaled already */
    }
}

static int prepare(struct search *s, const struct bestdag_evidence *e,
                   const int *of)
{
    const struct bestdag_junction_tree *tree = s->p->tree;
    s->rank = bestdag_alloc(s->run, (size_t)s->n * sizeof *s->rank);
    s->weight = bestdag_alloc(s->run, (size_t)tree->widest * sizeof *s->weight);
    if (bestdag_evidence_new(s->run, s->n, tree->states, &s->given) ||
        bestdag_evidence_new(s->run, s->n, tree->states, &s->now) ||
        bestdag_run_status(s->run))
        return bestdag_run_status(s->run);
    int next = 0;
    for (int v = 0; v < s->n; v++) {
        bestdag_evidence_copy(&s->given, v, e, of ? of[v] : v);
        s->rank[v] = s->n;
    }
    for (int i = tree->cliques - 1; i >= 0; i--)
        for (int k = tree->clique[i].separator; k < tree->clique[i].axes; k++)
            s->rank[tree->clique[i].axis[k]] = next++;
    return BESTDAG_OK;
}

static int run_search(struct search *s, const int *cut, int best)
{
    double ln;
    if (bestdag_messages_collect(s->p, &ln))
        return bestdag_run_status(s->run);
    if (!(ln > -INFINITY))
        return BESTDAG_OK;
    if (trace(s, ln, -1))
        return bestdag_run_status(s->run);
    while (s->found < best && s->waiting) {
        int part = pop(s);
        restrict_to(s, part);
        bestdag_messages_set(s->run, s->p, &s->now, NULL, cut,
                             BESTDAG_MAX_PRODUCT);
        if (bestdag_messages_collect(s->p, &ln) || trace(s, ln, part))
            return bestdag_run_status(s->run);
    }
    return BESTDAG_OK;
}

int bestdag_explain(struct bestdag_run *run, struct bestdag_tree_messages *p,
                    const struct bestdag_evidence *evidence, const int *of,
                    const int *cut, int best, int *states, double *ln)
{
    struct search s = {
        .run = run, .p = p, .n = p->tree->n, .states = states, .ln = ln};
    if (best > 1 && prepare(&s, evidence, of))
        best = 0;
    bestdag_messages_set(run, p, evidence, of, cut, BESTDAG_MAX_PRODUCT);
    if (best > 0)
        run_search(&s, cut, best);
    bestdag_free(s.rank);
    bestdag_free(s.weight);
    bestdag_free(s.part);
    bestdag_free(s.heap);
    bestdag_evidence_release(&s.given);
    bestdag_evidence_release(&s.now);
    return bestdag_run_status(run) ? -1 : s.found;
}
