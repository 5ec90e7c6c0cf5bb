/* SPDX-License-Identifier: MIT */
/* node_exchange.c -- the parts of an expansion on several ranks.
 *
 * A rank has a contiguous range of parts, with all their nodes, open and
 * closed. After the first step of a round it sends each other rank the messages
 * to the parts there, and the counters of its own parts, so that all ranks know
 * the same sums. More ranks than parts do not help. */
#include "base/communicator.h"
#include "base/random.h"
#include "parallel/collective.h"
#include "search/subsets/expansion.h"

/* The same on all ranks as long as they have not diverged. */
static uint64_t digest(const struct bestdag_expansion *g)
{
    return bestdag_mix((uint64_t)g->exchanges ^
                       bestdag_mix((uint64_t)g->limit)) ^
           (uint64_t)g->n;
}

static int rank_of(const struct bestdag_expansion *g, int part)
{
    return part * g->ranks / BESTDAG_PARTS;
}

bool bestdag_expansion_spread(struct bestdag_expansion *g)
{
    const struct bestdag_communicator *c = bestdag_communicator_of(g->run);
    if (g->is_spread || !c || bestdag_expansion_sum(g).steps < g->spread_after)
        return false;
    g->is_spread = true;
    g->rank = c->rank;
    g->ranks = c->ranks;
    return true;
}

bool bestdag_expansion_least(struct bestdag_expansion *g, int64_t *number,
                             int count)
{
    if (!g->is_spread)
        return true;
    g->exchanges++;
    return bestdag_collective_least(g->run, digest(g), number, count);
}

static void pass_messages(struct bestdag_run *run, struct bestdag_messages *l,
                          struct bestdag_archive *p)
{
    int64_t used = l->used;
    BESTDAG_PASS(p, used);
    if (bestdag_archive_opens(p)) {
        l->used = 0;
        if (used && !bestdag_messages_add(run, l, used)) {
            bestdag_archive_skip(p);
            return;
        }
    }
    bestdag_archive_pass(p, l->at, (size_t)used * sizeof *l->at);
}

/* What the parts of one rank send to those of another. */
static void pass_parts(struct bestdag_expansion *g, int from, int to,
                       struct bestdag_archive *p)
{
    for (int i = 0; i < BESTDAG_PARTS; i++) {
        struct bestdag_expansion_part *part = &g->part[i];
        if (rank_of(g, i) != from)
            continue;
        BESTDAG_PASS(p, part->node.used);
        BESTDAG_PASS(p, part->steps);
        BESTDAG_PASS(p, part->expanded);
        BESTDAG_PASS(p, part->generated);
        for (int q = 0; q < BESTDAG_PARTS; q++)
            if (rank_of(g, q) == to)
                pass_messages(g->run, &part->to[q], p);
    }
}

/* Its size: a count for each list, and four for each part. */
static size_t bytes_for(const struct bestdag_expansion *g, int to)
{
    int64_t words = (4 + BESTDAG_PARTS) * BESTDAG_PARTS;
    for (int p = 0; p < BESTDAG_PARTS; p++)
        for (int q = 0; q < BESTDAG_PARTS; q++)
            if (rank_of(g, p) == g->rank && rank_of(g, q) == to)
                words += g->part[p].to[q].used;
    return (size_t)words * sizeof(uint64_t);
}

/* Drops messages that were sent, and those of the last round. */
static void drop_messages(struct bestdag_expansion *g)
{
    for (int p = 0; p < BESTDAG_PARTS; p++)
        for (int q = 0; q < BESTDAG_PARTS; q++)
            if (rank_of(g, p) != g->rank || rank_of(g, q) != g->rank)
                g->part[p].to[q].used = 0;
}

static void open_parts(struct bestdag_expansion *g, int from,
                       const struct bestdag_buffer *b)
{
    struct bestdag_archive in = {
        .opens = true, .from = b->at, .left = (int64_t)b->length};
    pass_parts(g, from, g->rank, &in);
    if (in.is_bad)
        bestdag_fail(g->run, BESTDAG_FAILED, "what rank %d sent cannot be read",
                     from);
}

bool bestdag_expansion_exchange(struct bestdag_expansion *g)
{
    size_t ranks = (size_t)g->ranks;
    struct bestdag_buffer *to = bestdag_calloc(g->run, 2 * ranks, sizeof *to);
    struct bestdag_buffer *from = to ? to + ranks : NULL;
    for (int i = 0; to && i < g->ranks; i++) {
        struct bestdag_archive out = {.to = &to[i]};
        to[i].run = g->run;
        if (i != g->rank && bestdag_buffer_reserve(&to[i], bytes_for(g, i)))
            pass_parts(g, g->rank, i, &out);
    }
    drop_messages(g);
    g->exchanges++;
    bool is_done = bestdag_collective_exchange(g->run, digest(g), to, from);
    for (int i = 0; to && i < g->ranks; i++) {
        bestdag_buffer_release(&to[i]);
        if (is_done && i != g->rank)
            open_parts(g, i, &from[i]);
        bestdag_buffer_release(&from[i]);
    }
    bestdag_free(to);
    return is_done && !bestdag_run_status(g->run);
}
