/* SPDX-License-Identifier: MIT */
/* dense_last.c -- the last level of bic and aic: families that cannot be kept
 * are pruned before their sets are counted. See dense.c.
 *
 * A sum of n ln n never rises when a variable is added. So for a set S and its
 * member X, with the sums of the sets of one member less,
 *
 *     local(X | S - X) <= min over Y of sum(S - Y) - sum(S - X) - penalty
 *
 * and if that does not exceed the best score of the subsets of S - X, the
 * family is not kept. Supersets would still need it, but at the last level
 * there are none. Each rule of pruning.h is weaker here. */
#include "parents/exhaustive/dense.h"

/* Upper bounds on the sums of T + l, in `most`. */
static void bound_sums(const struct bestdag_dense_task *t, int64_t *most)
{
    const struct bestdag_dense *d = t->d;
    const int64_t *before = bestdag_dense_sums(d, d->size - 1, 0);
    /* Terms are rounded by at most half a unit each; no more cells occur than
     * rows. */
    int64_t own = before[t->rank], slack = d->levels->scorer->table->rows + 1;
    if (own == BESTDAG_ABSENT)
        own = BESTDAG_UNITS_MOST;
    for (int l = t->from; l < t->to; l++)
        most[l] = own;
    for (int y = 0; y < t->count; y++) {
        const int64_t *other = before + t->base_less[y];
        for (int l = t->from; l < t->to; l++)
            if (other[l] < most[l] && other[l] != BESTDAG_ABSENT)
                most[l] = other[l];
    }
    for (int l = t->from; l < t->to; l++)
        most[l] += slack;
}

/* Prunes the families of member x of T, or of l (x = count); is one left? */
static bool strike_out(const struct bestdag_dense_task *t, int x,
                       const int64_t *most)
{
    const struct bestdag_dense *d = t->d;
    const struct bestdag_scorer *s = d->levels->scorer;
    const int64_t *before = bestdag_dense_sums(d, d->size - 1, 0);
    int64_t *best = t->w->best + x * d->levels->n;
    int parents[BESTDAG_DENSE_MOST];
    bool is_last = x == t->count, left = false;
    bestdag_dense_drop(t->variable, t->count, x, parents);
    for (int l = t->from, end; l < t->to; l = end) {
        int variable = bestdag_levels_variable(d->levels, l);
        end = bestdag_dense_same(t, l, t->to);
        if (!is_last)
            parents[t->count - 1] = variable;
        int64_t penalty = bestdag_scorer_penalty(
            s, is_last ? variable : t->variable[x], parents, t->count);
        for (int i = l; i < end; i++) {
            int64_t below = before[is_last ? t->rank : t->base_less[x] + i];
            if (best[i] < BESTDAG_DEAD && below != BESTDAG_ABSENT &&
                most[i] - below - penalty <= best[i])
                best[i] = BESTDAG_DEAD;
            left |= best[i] < BESTDAG_DEAD;
        }
    }
    return left;
}

void bestdag_dense_prune_last(struct bestdag_dense_task *t)
{
    int64_t *most = t->w->sum; /* nothing is counted in it yet */
    if (t->alive)
        bound_sums(t, most);
    for (int x = 0; x <= t->count; x++)
        if (t->alive >> x & 1 && !strike_out(t, x, most))
            t->alive &= ~((uint32_t)1 << x);
}
