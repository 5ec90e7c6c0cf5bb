/* SPDX-License-Identifier: MIT */
/* adjacent_swaps.c -- the table of swaps. */
#include "search/orders/adjacent_swaps.h"

#include <assert.h>
#include <string.h>

#include "base/invariant.h"
#include "base/row.h"

static int leaves_for(int n)
{
    int leaves = 1;
    while (leaves < n - 1)
        leaves *= 2;
    return leaves;
}

int64_t bestdag_swaps_bytes(const struct bestdag_problem *p)
{
    int64_t leaf = sizeof(struct bestdag_swap) + 2 * sizeof(int32_t);
    return (int64_t)p->n * 8 + (int64_t)p->words * 8 + leaves_for(p->n) * leaf;
}

struct bestdag_swaps *bestdag_swaps_new(struct bestdag_run *run,
                                        const struct bestdag_problem *p)
{
    struct bestdag_swaps *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    size_t n = (size_t)p->n;
    s->problem = p;
    s->n = p->n;
    s->leaves = leaves_for(p->n);
    s->order = bestdag_alloc(run, n * sizeof *s->order);
    s->choice = bestdag_alloc(run, n * sizeof *s->choice);
    s->available = bestdag_alloc(run, (size_t)p->words * sizeof *s->available);
    s->swap = bestdag_alloc(run, (size_t)s->leaves * sizeof *s->swap);
    s->winner = bestdag_alloc(run, 2 * (size_t)s->leaves * sizeof *s->winner);
    if (s->order && s->choice && s->available && s->swap && s->winner)
        return s;
    bestdag_swaps_free(s);
    return NULL;
}

void bestdag_swaps_free(struct bestdag_swaps *s)
{
    if (!s)
        return;
    bestdag_free(s->order);
    bestdag_free(s->choice);
    bestdag_free(s->available);
    bestdag_free(s->swap);
    bestdag_free(s->winner);
    bestdag_free(s);
}

void bestdag_swaps_load(struct bestdag_swaps *s, const int *order)
{
    const struct bestdag_problem *p = s->problem;
    assert(bestdag_is_permutation(order, s->n));
    memset(s->available, 0, (size_t)p->words * sizeof *s->available);
    s->cost = 0;
    for (int v = 0; v < s->n; v++)
        s->choice[v] = -1; /* not placed yet */
    for (int i = 0; i < s->n; i++) {
        int v = s->order[i] = order[i];
        const struct bestdag_indexed_list *m = &p->candidates[v];
        s->choice[v] =
            bestdag_indexed_list_first(m, s->available + p->offset[v], 0);
        s->cost += m->cost[s->choice[v]];
        for (int64_t k = p->user_start[v]; k < p->user_start[v + 1]; k++) {
            struct bestdag_occurrence u = p->user[k];
            if (s->choice[u.child] < 0)
                bestdag_row_add(s->available + p->offset[u.child], u.local);
        }
    }
    s->steps += s->n;
}

/* ---- one swap ------------------------------------------------------------ */

/* The set of a if b, which has local number i in its list, preceded it. */
static int32_t with_one_more(struct bestdag_swaps *s, int a, int i)
{
    if (i < 0 || !s->choice[a])
        return s->choice[a];
    s->steps++;
    return bestdag_indexed_list_first_with(&s->problem->candidates[a],
                                           s->available + s->problem->offset[a],
                                           i, s->choice[a]);
}

/* The set of b if a, which has local number i in its list, did not precede
 * it. */
static int32_t with_one_less(struct bestdag_swaps *s, int b, int i)
{
    const struct bestdag_indexed_list *m = &s->problem->candidates[b];
    if (i < 0 || !bestdag_indexed_list_holds(m, s->choice[b], i))
        return s->choice[b];
    uint64_t *available = s->available + s->problem->offset[b];
    s->steps++;
    bestdag_row_drop(available, i);
    int32_t set = bestdag_indexed_list_first(m, available, s->choice[b] + 1);
    bestdag_row_add(available, i);
    return set;
}

static void evaluate(struct bestdag_swaps *s, int i)
{
    const struct bestdag_problem *p = s->problem;
    int a = s->order[i], b = s->order[i + 1];
    const int64_t *cost_a = p->candidates[a].cost,
                  *cost_b = p->candidates[b].cost;
    struct bestdag_swap *w = &s->swap[i];
    w->b_on_a = bestdag_problem_local(p, a, b);
    w->a_on_b = bestdag_problem_local(p, b, a);
    w->set_a = with_one_more(s, a, w->b_on_a);
    w->set_b = with_one_less(s, b, w->a_on_b);
    assert(w->set_a <= s->choice[a]); /* more available parents never cost
                                         more */
    assert(w->set_b >= s->choice[b]);
    w->change = cost_a[w->set_a] - cost_a[s->choice[a]] + cost_b[w->set_b] -
                cost_b[s->choice[b]];
}

/* ---- the tree ------------------------------------------------------------ */

static void update_winner(struct bestdag_swaps *s, int node)
{
    int32_t left = s->winner[2 * node], right = s->winner[2 * node + 1];
    s->winner[node] =
        s->swap[right].change < s->swap[left].change ? right : left;
}

static void update_winners(struct bestdag_swaps *s, int i)
{
    for (int node = (s->leaves + i) / 2; node; node /= 2)
        update_winner(s, node);
}

void bestdag_swaps_weigh(struct bestdag_swaps *s)
{
    for (int i = 0; i < s->leaves; i++) {
        s->winner[s->leaves + i] = i;
        if (i < s->n - 1)
            evaluate(s, i);
        else
            s->swap[i] = (struct bestdag_swap){.change = INT64_MAX};
    }
    for (int node = s->leaves - 1; node; node--)
        update_winner(s, node);
}

int bestdag_swaps_best(const struct bestdag_swaps *s)
{
    int i = s->winner[1];
    return s->swap[i].change < 0 ? i : -1;
}

void bestdag_swaps_apply(struct bestdag_swaps *s, int i)
{
    struct bestdag_swap w = s->swap[i];
    int a = s->order[i], b = s->order[i + 1];
    assert(i >= 0 && i + 1 < s->n);
    s->swap[i] = (struct bestdag_swap){.change = -w.change,
                                       .set_a = s->choice[b],
                                       .set_b = s->choice[a],
                                       .b_on_a = w.a_on_b,
                                       .a_on_b = w.b_on_a};
    s->choice[a] = w.set_a;
    s->choice[b] = w.set_b;
    s->cost += w.change;
    assert(s->cost >= 0);
    if (w.b_on_a >= 0)
        bestdag_row_add(s->available + s->problem->offset[a], w.b_on_a);
    if (w.a_on_b >= 0)
        bestdag_row_drop(s->available + s->problem->offset[b], w.a_on_b);
    s->order[i] = b;
    s->order[i + 1] = a;
    if (i > 0) {
        evaluate(s, i - 1);
        update_winners(s, i - 1);
    }
    if (i + 2 < s->n) {
        evaluate(s, i + 1);
        update_winners(s, i + 1);
    }
    update_winners(s, i);
}
