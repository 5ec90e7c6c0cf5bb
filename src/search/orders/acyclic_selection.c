/* SPDX-License-Identifier: MIT */
/* acyclic_selection.c -- acyclic selection, and adjacent swaps in its order. */
#include "search/orders/acyclic_selection.h"

#include <assert.h>
#include <string.h>

#include "base/invariant.h"
#include "base/row.h"

static int widest(const struct bestdag_problem *p)
{
    int words = 1;
    for (int v = 0; v < p->n; v++)
        if (p->candidates[v].words > words)
            words = p->candidates[v].words;
    return words;
}

int64_t bestdag_acyclic_selection_bytes(const struct bestdag_problem *p)
{
    return (int64_t)p->n * (26 + (int64_t)sizeof(struct bestdag_retaken)) +
           p->user_start[p->n] * 4 + widest(p) * (int64_t)8;
}

struct bestdag_acyclic_selection *bestdag_acyclic_selection_new(
    struct bestdag_run *run, const struct bestdag_problem *p)
{
    struct bestdag_acyclic_selection *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    size_t n = (size_t)p->n, users = (size_t)p->user_start[p->n];
    s->problem = p;
    s->n = p->n;
    s->at = bestdag_alloc(run, n * sizeof *s->at);
    s->turn = bestdag_alloc(run, n * sizeof *s->turn);
    s->choice = bestdag_alloc(run, n * sizeof *s->choice);
    s->may_change = bestdag_calloc(run, n, sizeof *s->may_change);
    s->child = bestdag_alloc(run, users * sizeof *s->child);
    s->degree = bestdag_alloc(run, n * sizeof *s->degree);
    s->seen = bestdag_calloc(run, n, sizeof *s->seen);
    s->stack = bestdag_alloc(run, n * sizeof *s->stack);
    s->available = bestdag_alloc(run, (size_t)widest(p) * sizeof *s->available);
    s->touched =
        bestdag_calloc(run, bestdag_row_words(p->n), sizeof *s->touched);
    s->retaken = bestdag_alloc(run, n * sizeof *s->retaken);
    if (!bestdag_run_status(run))
        return s;
    bestdag_acyclic_selection_free(s);
    return NULL;
}

void bestdag_acyclic_selection_free(struct bestdag_acyclic_selection *s)
{
    if (!s)
        return;
    bestdag_free(s->at);
    bestdag_free(s->turn);
    bestdag_free(s->choice);
    bestdag_free(s->may_change);
    bestdag_free(s->child);
    bestdag_free(s->degree);
    bestdag_free(s->seen);
    bestdag_free(s->stack);
    bestdag_free(s->available);
    bestdag_free(s->touched);
    bestdag_free(s->retaken);
    bestdag_free(s);
}

/* ---- the network --------------------------------------------------------- */

static bool is_set(const struct bestdag_acyclic_selection *s, int v,
                   int32_t set)
{
    return set >= 0 && set < s->problem->candidates[v].count;
}

/* The least local number from `from` on in the choice of v; -1: none. It uses
 * masks, not lists, since variables that must precede v count as parents. */
static int next_parent(const struct bestdag_acyclic_selection *s, int v,
                       int from)
{
    const struct bestdag_indexed_list *m = &s->problem->candidates[v];
    int32_t set = s->choice[v];
    return is_set(s, v, set)
               ? bestdag_row_next(bestdag_indexed_list_mask(m, set),
                                  (size_t)m->words, from)
               : -1;
}

static void unlink_parents(struct bestdag_acyclic_selection *s, int v)
{
    for (int k = next_parent(s, v, 0); k >= 0; k = next_parent(s, v, k + 1)) {
        int u = s->problem->candidates[v].member[k], i = 0;
        int32_t *child = s->child + s->problem->user_start[u];
        while (child[i] != v)
            i++;
        assert(i < s->degree[u]); /* the arc exists */
        child[i] = child[--s->degree[u]];
    }
}

static void link_parents(struct bestdag_acyclic_selection *s, int v)
{
    for (int k = next_parent(s, v, 0); k >= 0; k = next_parent(s, v, k + 1)) {
        int u = s->problem->candidates[v].member[k];
        s->child[s->problem->user_start[u] + s->degree[u]++] = v;
        assert(s->problem->user_start[u] + s->degree[u] <=
               s->problem->user_start[u + 1]);
    }
}

static void set_choice(struct bestdag_acyclic_selection *s, int v, int32_t set)
{
    const int64_t *cost = s->problem->candidates[v].cost;
    if (s->choice[v] == set)
        return;
    unlink_parents(s, v);
    s->cost += cost[set] - (s->choice[v] < 0 ? 0 : cost[s->choice[v]]);
    s->choice[v] = set;
    link_parents(s, v);
    assert(s->cost >= 0);
}

/* ---- one turn ------------------------------------------------------------ */

/* Marks the descendants of v along arcs to turns below t. Returns whether there
 * are any. */
static bool mark_descendants(struct bestdag_acyclic_selection *s, int v, int t)
{
    int top = 0, marked = 0;
    if (!++s->stamp) {
        memset(s->seen, 0, (size_t)s->n * sizeof *s->seen);
        s->stamp = 1;
    }
    s->stack[top++] = v;
    while (top) {
        int u = s->stack[--top];
        const int32_t *child = s->child + s->problem->user_start[u];
        for (int i = 0; i < s->degree[u]; i++) {
            int c = child[i];
            if (s->turn[c] >= t || s->seen[c] == s->stamp)
                continue;
            s->seen[c] = s->stamp;
            s->stack[top++] = c;
            marked++;
        }
    }
    return marked;
}

static int32_t choose(struct bestdag_acyclic_selection *s, int v, int t)
{
    const struct bestdag_indexed_list *m = &s->problem->candidates[v];
    s->steps++;
    if (!mark_descendants(s, v, t))
        return 0; /* the best set, or none if the list is empty */
    memset(s->available, 0, (size_t)m->words * sizeof *s->available);
    for (int i = 0; i < m->universe; i++)
        s->available[i / 64] |= (uint64_t)(s->seen[m->member[i]] != s->stamp)
                                << (i % 64);
    return bestdag_indexed_list_first(m, s->available, 0);
}

/* Takes turn t. A swap of turns t - 1 and t can change something only if the
 * variable at t reaches the one at t - 1; otherwise both have the same
 * descendants, which exclude their sets, in either order. */
static void take_turn(struct bestdag_acyclic_selection *s, int t)
{
    int v = s->at[t];
    assert(s->turn[v] == t && s->retakes < s->n);
    s->retaken[s->retakes++] =
        (struct bestdag_retaken){.turn = t,
                                 .variable = v,
                                 .choice = s->choice[v],
                                 .may_change = s->may_change[t]};
    int32_t set = choose(s, v, t);
    s->may_change[t] = t > 0 && s->seen[s->at[t - 1]] == s->stamp;
    set_choice(s, v, set);
}

void bestdag_acyclic_selection_load(struct bestdag_acyclic_selection *s,
                                    const int *order)
{
    assert(bestdag_is_permutation(order, s->n));
    s->cost = 0;
    s->retakes = 0;
    for (int t = 0; t < s->n; t++) {
        int v = s->at[t] = order[s->n - 1 - t];
        s->turn[v] = t;
        s->choice[v] = -1;
        s->degree[v] = 0;
    }
    for (int t = 0; t < s->n; t++)
        take_turn(s, t);
}

/* ---- a swap -------------------------------------------------------------- */

static void exchange(struct bestdag_acyclic_selection *s, int t)
{
    int v = s->at[t], u = s->at[t + 1];
    s->at[t] = u;
    s->at[t + 1] = v;
    s->turn[u] = t;
    s->turn[v] = t + 1;
}

static void undo(struct bestdag_acyclic_selection *s)
{
    while (s->retakes) {
        struct bestdag_retaken r = s->retaken[--s->retakes];
        set_choice(s, r.variable, r.choice);
        s->may_change[r.turn] = r.may_change;
    }
}

/* Touches u and all variables that reach it along arcs to turns up to t. */
static void touch(struct bestdag_acyclic_selection *s, int u, int t)
{
    int top = 0;
    if (bestdag_row_has(s->touched, s->turn[u]))
        return;
    bestdag_row_add(s->touched, s->turn[u]);
    s->stack[top++] = u;
    while (top) {
        int v = s->stack[--top];
        if (s->turn[v] > t)
            continue;
        for (int k = next_parent(s, v, 0); k >= 0;
             k = next_parent(s, v, k + 1)) {
            int w = s->problem->candidates[v].member[k];
            if (bestdag_row_has(s->touched, s->turn[w]))
                continue;
            bestdag_row_add(s->touched, s->turn[w]);
            s->stack[top++] = w;
        }
    }
}

static uint64_t mask_word(const struct bestdag_acyclic_selection *s, int v,
                          int32_t set, int w)
{
    const struct bestdag_indexed_list *m = &s->problem->candidates[v];
    return is_set(s, v, set) ? bestdag_indexed_list_mask(m, set)[w] : 0;
}

/* Touches the parents of v that were added or removed since it had set `old`,
 * and with `all` those that stayed, too. Turns up to t have been taken. */
static void touch_parents(struct bestdag_acyclic_selection *s, int v,
                          int32_t old, bool all, int t)
{
    const struct bestdag_indexed_list *m = &s->problem->candidates[v];
    for (int w = 0; w < m->words; w++) {
        uint64_t before = mask_word(s, v, old, w);
        uint64_t now = mask_word(s, v, s->choice[v], w);
        uint64_t bits = all ? before | now : before ^ now;
        for (; bits; bits &= bits - 1)
            touch(s, m->member[w * 64 + __builtin_ctzll(bits)], t);
    }
}

/* Takes the touched turns from t on again. */
static void take_touched(struct bestdag_acyclic_selection *s, int t)
{
    size_t words = bestdag_row_words(s->n);
    for (t = bestdag_row_next(s->touched, words, t); t >= 0;
         t = bestdag_row_next(s->touched, words, t + 1)) {
        int32_t old = s->choice[s->at[t]];
        take_turn(s, t);
        touch_parents(s, s->at[t], old, true, t);
    }
    memset(s->touched, 0, words * sizeof *s->touched);
}

bool bestdag_acyclic_selection_swap(struct bestdag_acyclic_selection *s, int t)
{
    assert(t >= 0 && t + 1 < s->n);
    int64_t before = s->cost;
    int first = s->at[t + 1], second = s->at[t];
    int32_t old_first = s->choice[first], old_second = s->choice[second];
    if (!s->may_change[t + 1])
        return false;
    s->retakes = 0;
    exchange(s, t);
    take_turn(s, t);
    take_turn(s, t + 1);
    bool same =
        s->choice[first] == old_first && s->choice[second] == old_second;
    if (!same) {
        touch_parents(s, first, old_first, false, t + 1);
        touch_parents(s, second, old_second, false, t + 1);
        take_touched(s, t + 2);
    }
    /* Turn t + 2 has a new predecessor, `second`. Some arc that was added or
     * removed has its tail at `second` or below, or nothing would have changed;
     * so all variables that reach it were taken again, and the others have no
     * may_change. */
    if (s->cost < before)
        return true;
    undo(s);
    exchange(s, t);
    assert(s->cost == before); /* the old state is restored */
    s->may_change[t + 1] = !same;
    return false;
}
