/* SPDX-License-Identifier: MIT */
/* order_block_move.c -- moves a variable with its ancestors or descendants. */
#include <string.h>

#include "search/orders/order_state_parts.h"

/* Adds u and its ancestors with keys above `floor` to the block, except those
 * in `not`, and marks them as above. */
static int add_ancestors(struct bestdag_order_state *p, int u, double floor,
                         const uint32_t * not, int count)
{
    int top = 0;
    if (p->is_above[u] == p->stamp)
        return count;
    p->is_above[u] = p->stamp;
    p->stack[top++] = p->block[count++] = u;
    while (top) {
        int x = p->stack[--top];
        const struct bestdag_indexed_list *m = list_of(p, x);
        if (p->choice[x] == m->count)
            continue;
        const uint64_t *mask = bestdag_indexed_list_mask(m, p->choice[x]);
        for (int w = 0; w < m->words; w++)
            for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
                int y = m->member[w * 64 + __builtin_ctzll(rest)];
                if (p->key[y] <= floor || p->is_above[y] == p->stamp ||
                    not [y] == p->stamp)
                    continue;
                p->is_above[y] = p->stamp;
                p->stack[top++] = p->block[count++] = y;
            }
    }
    return count;
}

/* The same for v and its descendants up to `ceiling`, marked as below. */
static int add_descendants(struct bestdag_order_state *p, int v, double ceiling,
                           const uint32_t * not )
{
    int top = 0, count = 0;
    p->is_below[v] = p->stamp;
    p->stack[top++] = p->block[count++] = v;
    while (top) {
        int y = p->stack[--top];
        const struct bestdag_occurrence *end = end_user(p, y);
        for (const struct bestdag_occurrence *u = first_user(p, y); u < end;
             u++) {
            int x = u->child;
            if (p->key[x] > ceiling || p->is_below[x] == p->stamp ||
                not [x] == p->stamp ||
                !bestdag_indexed_list_holds(list_of(p, x), p->choice[x],
                                            u->local))
                continue;
            p->is_below[x] = p->stamp;
            p->stack[top++] = p->block[count++] = x;
        }
    }
    return count;
}

/* Sorts by key, with Shell's sort: mostly a few, sometimes thousands. */
static void sort_block(struct bestdag_order_state *p, int count, double sign)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            int x = p->block[i], j = i;
            double key = sign * p->key[x];
            for (; j >= gap && sign * p->key[p->block[j - gap]] > key; j -= gap)
                p->block[j] = p->block[j - gap];
            p->block[j] = x;
        }
}

/* Adds the parents in `set` that come after v, with their ancestors. */
static int add_lacking(struct bestdag_order_state *p, int v, int set,
                       const uint32_t * not )
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    const uint64_t *mask = bestdag_indexed_list_mask(m, set);
    int count = 0;
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            int u = m->member[w * 64 + __builtin_ctzll(rest)];
            if (p->key[u] > p->key[v])
                count = add_ancestors(p, u, p->key[v], not, count);
        }
    return count;
}

static void new_stamp(struct bestdag_order_state *p)
{
    if (++p->stamp)
        return;
    memset(p->is_above, 0, (size_t)p->problem->n * sizeof *p->is_above);
    memset(p->is_below, 0, (size_t)p->problem->n * sizeof *p->is_below);
    p->stamp = 1;
}

void bestdag_order_state_block_move(struct bestdag_order_state *p, int v,
                                    int set, bool forward)
{
    double here = p->key[v], last = last_member(p, list_of(p, v), set), key;
    int count;
    new_stamp(p);
    if (forward) {
        add_lacking(p, v, set, p->is_below);
        count = add_descendants(p, v, last, p->is_above);
        sort_block(p, count, -1); /* the last one moves first */
        for (int i = 0;
             i < count && bestdag_order_state_above(p, p->block[i], last, &key);
             i++)
            bestdag_order_state_move(p, p->block[i], key);
    } else {
        add_descendants(p, v, last, p->is_above);
        count = add_lacking(p, v, set, p->is_below);
        sort_block(p, count, 1);
        for (int i = 0;
             i < count && bestdag_order_state_below(p, p->block[i], here, &key);
             i++)
            bestdag_order_state_move(p, p->block[i], key);
    }
}

/* Is v an ancestor of u? It is not of those marked as above. Only variables
 * after v can descend from it, and a variable has few parents. */
static bool descends_from(struct bestdag_order_state *p, int u, int v)
{
    int top = 0, count = 0;
    if (p->key[u] < p->key[v] || p->is_above[u] == p->stamp)
        return false;
    p->is_above[u] = p->stamp;
    p->stack[top++] = p->block[count++] = u;
    while (top) {
        int x = p->stack[--top];
        const struct bestdag_indexed_list *m = list_of(p, x);
        if (p->choice[x] == m->count)
            continue;
        const uint64_t *mask = bestdag_indexed_list_mask(m, p->choice[x]);
        for (int w = 0; w < m->words; w++)
            for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
                int y = m->member[w * 64 + __builtin_ctzll(rest)];
                if (y == v) { /* some of these descend from v, some may not */
                    while (count)
                        p->is_above[p->block[--count]] = 0;
                    return true;
                }
                if (p->key[y] < p->key[v] || p->is_above[y] == p->stamp)
                    continue;
                p->is_above[y] = p->stamp;
                p->stack[top++] = p->block[count++] = y;
            }
    }
    return false;
}

/* Would v with this set close a cycle? */
static bool closes_cycle(struct bestdag_order_state *p, int v, int set)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    const uint64_t *mask = bestdag_indexed_list_mask(m, set);
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1)
            if (descends_from(p, m->member[w * 64 + __builtin_ctzll(rest)], v))
                return true;
    return false;
}

/* The best set of v that closes no cycle. */
static int best_acyclic(struct bestdag_order_state *p, int v)
{
    new_stamp(p);
    for (int set = 0; set < p->choice[v]; set++)
        if (!closes_cycle(p, v, set))
            return set;
    return p->choice[v];
}

void bestdag_order_state_select_acyclic(struct bestdag_order_state *p)
{
    int n = p->problem->n, since = 0; /* variables since the last improvement */
    for (int v = 0; since < n && !p->status; v = v + 1 < n ? v + 1 : 0) {
        since++;
        if (bestdag_run_stopped(p->run))
            return;
        if (bestdag_order_state_regret(p, v) <= 0)
            continue;
        int set = best_acyclic(p, v);
        int64_t old = p->cost;
        if (set == p->choice[v])
            continue;
        bestdag_order_state_block_move(p, v, set, true);
        bestdag_order_state_insert_all(p);
        if (p->cost < old) /* else the keys were too close */
            since = 0;
    }
}

void bestdag_order_state_perturb(struct bestdag_order_state *p, int v)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    int64_t users = end_user(p, v) - first_user(p, v);
    int64_t all = users + m->universe;
    double key;
    if (!all)
        return;
    int64_t i = (int64_t)bestdag_random_below(&p->random, (uint64_t)all);
    int x = i < users ? first_user(p, v)[i].child : m->member[i - users];
    bool up = bestdag_random_bits(&p->random) & 1;
    if (up ? bestdag_order_state_above(p, v, p->key[x], &key)
           : bestdag_order_state_below(p, v, p->key[x], &key))
        bestdag_order_state_move(p, v, key);
}
