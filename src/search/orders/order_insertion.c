/* SPDX-License-Identifier: MIT */
/* order_insertion.c -- the best position of one variable after another.
 *
 * A variable that moves down (to an earlier position) becomes available to more
 * variables, which may gain, and has fewer to choose from; one that moves up
 * gains, and its children lose it. What others gain or lose depends only on
 * whether it precedes them, so all positions are evaluated in one pass over the
 * variables concerned, without moving anything. */
#include <string.h>

#include "base/row.h"
#include "search/orders/order_state_parts.h"

/* ---- the best position of one variable ----------------------------------- */

static void sort_passed(struct bestdag_passed *a, int n, double sign)
{
    for (int i = 1; i < n; i++) { /* nearly always a handful */
        struct bestdag_passed x = a[i];
        int j = i;
        for (; j > 0 && sign * a[j - 1].key > sign * x.key; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

/* The variables that would gain if v preceded them, and their gains. */
static int find_gains(struct bestdag_order_state *p, int v, int64_t *total)
{
    const struct bestdag_occurrence *end = end_user(p, v);
    double here = p->key[v];
    int n = 0;
    *total = 0;
    for (const struct bestdag_occurrence *u = first_user(p, v); u < end; u++) {
        int x = u->child, old = p->choice[x];
        if (u->first >= old || p->key[x] >= here)
            continue;
        const struct bestdag_indexed_list *m = list_of(p, x);
        p->steps++;
        int set = bestdag_indexed_list_first_with(m, available_of(p, x),
                                                  u->local, old);
        int64_t gain = m->cost[old] - m->cost[set];
        if (gain <= 0)
            continue;
        *total += gain;
        p->passed[n++] =
            (struct bestdag_passed){.key = p->key[x], .change = gain};
    }
    return n;
}

/* The set of v just below `key`, given that it has `set` further up. Clears in
 * p->scratch the members that no longer precede v. */
static int set_below(struct bestdag_order_state *p, int v, double key, int set)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    for (int i = 0; i < m->universe; i++)
        if (p->key[m->member[i]] >= key)
            bestdag_row_drop(p->scratch, i);
    p->steps++;
    return bestdag_indexed_list_first(m, p->scratch, set);
}

/* Moving down: others gain, v loses. Returns the change, negative if the move
 * pays, and the key of the last variable passed. */
static int64_t look_down(struct bestdag_order_state *p, int v, double *at)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    int64_t left, gained = 0, best = 0;
    int n = find_gains(p, v, &left), set = p->choice[v];
    if (!n)
        return 0;
    sort_passed(p->passed, n, -1);
    memcpy(p->scratch, available_of(p, v), (size_t)m->words * 8);
    for (int i = 0; i < n; i++) {
        set = set_below(p, v, p->passed[i].key, set);
        gained += p->passed[i].change;
        left -= p->passed[i].change;
        int64_t change = m->cost[set] - m->cost[p->choice[v]] - gained;
        if (change < best) {
            best = change;
            *at = p->passed[i].key;
        }
        if (change - left >= best)
            break;
    }
    return best;
}

/* The later variables that have v as a parent, in order; change: what each and
 * those before it would lose together, as long as that is below `most`. *limit:
 * the first key at which it is not. */
static int find_losses(struct bestdag_order_state *p, int v, int64_t most,
                       double *limit)
{
    const struct bestdag_occurrence *end = end_user(p, v);
    double here = p->key[v];
    int n = 0;
    *limit = INFINITY;
    for (const struct bestdag_occurrence *u = first_user(p, v); u < end; u++)
        if (p->key[u->child] > here &&
            bestdag_indexed_list_holds(list_of(p, u->child),
                                       p->choice[u->child], u->local))
            p->passed[n++] = (struct bestdag_passed){
                .key = p->key[u->child], .change = u - p->problem->user};
    sort_passed(p->passed, n, 1);
    int64_t lost = 0;
    for (int i = 0; i < n; i++) {
        struct bestdag_occurrence u = p->problem->user[p->passed[i].change];
        const struct bestdag_indexed_list *m = list_of(p, u.child);
        uint64_t *available = available_of(p, u.child);
        int old = p->choice[u.child];
        bestdag_row_drop(available, u.local);
        p->steps++;
        int set = bestdag_indexed_list_first(m, available, old + 1);
        bestdag_row_add(available, u.local);
        lost += m->cost[set] - m->cost[old];
        p->passed[i].change = lost;
        if (lost >= most) {
            *limit = p->passed[i].key;
            return i;
        }
    }
    return n;
}

/* Moving up: v gains, its children lose. */
static int64_t look_up(struct bestdag_order_state *p, int v, double *at)
{
    const struct bestdag_indexed_list *m = list_of(p, v);
    int64_t own = bestdag_order_state_regret(p, v), best = 0;
    double limit;
    if (own <= 0)
        return 0;
    int n = find_losses(p, v, own, &limit);
    p->steps++;
    for (int set = 0; set < p->choice[v] && m->cost[set] - own < best; set++) {
        double last = last_member(p, m, set);
        int64_t lost = 0;
        if (last >= limit)
            continue;
        for (int i = 0; i < n && p->passed[i].key <= last; i++)
            lost = p->passed[i].change;
        if (m->cost[set] - own + lost < best) {
            best = m->cost[set] - own + lost;
            *at = last;
        }
    }
    return best;
}

static void improve(struct bestdag_order_state *p, int v)
{
    double low = 0, high = 0, key;
    p->looks++;
    int64_t down = look_down(p, v, &low), up = look_up(p, v, &high);
    if (down < 0 && down <= up && bestdag_order_state_below(p, v, low, &key))
        bestdag_order_state_move(p, v, key);
    else if (up < 0 && bestdag_order_state_above(p, v, high, &key))
        bestdag_order_state_move(p, v, key);
}

/* Each move lowers the cost, so that at most a whole queue passes without one.
 * Keys adopted from another state can tie with those here, and then a move may
 * gain less than computed; if a whole queue passes without a gain, it is a loop
 * and ends. */
void bestdag_order_state_insert_all(struct bestdag_order_state *p)
{
    int64_t least = p->cost;
    int idle = 0;
    for (int64_t i = 0; p->queued && !p->status; i++) {
        if (i % 64 == 63 && bestdag_run_stopped(p->run))
            return;
        int v = bestdag_order_state_pop(p);
        if (idle <= p->problem->n) /* otherwise the queue is only emptied */
            improve(p, v);
        idle = p->cost < least ? 0 : idle + 1;
        least = p->cost < least ? p->cost : least;
    }
}
