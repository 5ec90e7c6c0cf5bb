/* SPDX-License-Identifier: MIT */
/* separate.c -- new clusters from a fractional network: along short cycles,
 * blocks, and those whom others depend on. */
#include "bounds/breach.h"
#include "bounds/trap.h"

#define GOOD_SHARE 0.02F

/* ---- whom others depend on --------------------------------------------------
 */

/* The sets with a good share stand in for those of reduced cost 0. */
static void show_shares(const struct bestdag_breach *b)
{
    for (int v = 0; v < b->r->n; v++) {
        struct bestdag_stock *stock = &b->r->stock[v];
        stock->tights = 0;
        for (int64_t i = b->part_start[v]; i < b->part_start[v + 1]; i++)
            if (b->part[i].share >= GOOD_SHARE)
                stock->tight[stock->tights++] = b->part[i].set;
    }
}

/* If x cannot be free, neither can some others: x with those of them that its
 * sets wait for, and so on, is a cluster that x alone misses. */
static void add_dominated(struct bestdag_breach *b, int x)
{
    struct bestdag_trap *t = b->r->trap;
    struct bestdag_stock *stock = &b->r->stock[x];
    int tights = stock->tights, n = b->r->n;
    for (int v = 0; v < n; v++)
        t->part[v] = v;
    stock->tights = 0;
    int freed = bestdag_trap_some(b->r, t->part, n);
    stock->tights = tights;
    if (freed < 0 || freed >= n - 1)
        return;
    bestdag_breach_add(b, x, BESTDAG_INSIDE);
    for (int i = 0; i < tights; i++) {
        int u = bestdag_trap_member(t, stock, stock->tight[i]);
        if (u >= 0)
            bestdag_breach_add(b, u, BESTDAG_INSIDE);
    }
    for (int k = 1; k < b->size; k++)
        for (int32_t i = t->first[b->cluster[k]];
             bestdag_wait_of(t, i, b->cluster[k]); i++)
            bestdag_breach_add(b, t->wait[i].on, BESTDAG_INSIDE);
}

/* ---- all --------------------------------------------------------------------
 */

enum { CYCLES, BLOCKS, DOMINATED, KINDS };

static int look(struct bestdag_breach *b, int kind, int v)
{
    if (kind == BLOCKS)
        return bestdag_breach_blocks(b, v);
    if (kind == CYCLES)
        bestdag_breach_cycle(b, v);
    else
        add_dominated(b, v);
    return bestdag_breach_use(b);
}

int bestdag_relax_separate(struct bestdag_relax *r, const double *share,
                           int most)
{
    struct bestdag_breach b;
    int before = r->pool.count;
    bool fine = !bestdag_breach_init(&b, r, share);
    for (int kind = 0; kind < KINDS && fine; kind++) {
        int begun = r->pool.count;
        if (kind == DOMINATED)
            show_shares(&b);
        for (int v = 0; v < r->n && fine && r->pool.count - begun < most; v++)
            fine = !bestdag_relax_stopped(r) && look(&b, kind, v) >= 0;
    }
    for (int v = 0; v < r->n; v++)
        bestdag_stock_tighten(&r->stock[v]);
    bestdag_breach_release(&b);
    return bestdag_run_status(r->run) ? -1 : r->pool.count - before;
}
