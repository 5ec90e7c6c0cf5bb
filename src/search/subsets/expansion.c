/* SPDX-License-Identifier: MIT */
/* expansion.c -- expands nodes, and runs the two steps of a round. */
#include "search/subsets/expansion.h"

#include <assert.h>
#include <string.h>

#include "parallel/collective.h"
#include "parallel/parallel.h"

enum {
    FEWEST = 32,     /* messages that a part writes per round, about, .. */
    MOST = 32768,    /* .. however small or large the memory; 16384, 65536: time
                        of `astar`, `bfbnb` within noise */
    FIRST_ROOM = 24, /* words, for a few messages */
    MUCH = 20000,    /* messages of a round that are worth threads: 3 ms */
    SMALL = 16       /* variables: memory limits do not matter */
};

/* Messages of all parts take at most an eighth of the memory; their arrays may
 * be twice as large as their contents. */
static int64_t choose_batch(const struct bestdag_expansion *g, int64_t bytes)
{
    int64_t message = (g->words + 2) * (int64_t)sizeof(uint64_t);
    int64_t messages = bytes / (BESTDAG_PARTS * 16 * message);
    messages = messages < FEWEST ? FEWEST : messages > MOST ? MOST : messages;
    return 1 + messages / g->n;
}

int64_t bestdag_expansion_init(struct bestdag_expansion *g, int64_t bytes)
{
    g->n = g->at->n;
    g->words = g->at->words;
    if (g->n > SMALL)
        bytes = (int64_t)bestdag_collective_number(
            g->run, bestdag_collective_hash("expansion"), (double)bytes);
    g->batch = choose_batch(g, bytes);
    memset(g->all, 0, sizeof g->all);
    for (int v = 0; v < g->n; v++)
        g->all[v / 64] |= (uint64_t)1 << (v % 64);
    for (int v = 0; v < g->n; v++)
        g->future[v] = bestdag_best_parents_best(g->lookup, v, g->all);
    return bytes - bytes / 8;
}

void bestdag_expansion_release(struct bestdag_expansion *g)
{
    for (int p = 0; p < BESTDAG_PARTS; p++) {
        struct bestdag_expansion_part *part = &g->part[p];
        bestdag_free(part->node.at);
        for (int q = 0; q < BESTDAG_PARTS; q++)
            bestdag_free(part->to[q].at);
        *part = (struct bestdag_expansion_part){0};
    }
}

struct bestdag_expansion_part bestdag_expansion_sum(
    const struct bestdag_expansion *g)
{
    struct bestdag_expansion_part sum = {0};
    for (int p = 0; p < BESTDAG_PARTS; p++) {
        sum.steps += g->part[p].steps;
        sum.expanded += g->part[p].expanded;
        sum.generated += g->part[p].generated;
    }
    return sum;
}

uint64_t *bestdag_messages_add(struct bestdag_run *run,
                               struct bestdag_messages *l, int64_t size)
{
    if (l->used + size > l->room) {
        int64_t room = l->room ? 2 * l->room : FIRST_ROOM;
        room = room < l->used + size ? l->used + size : room;
        uint64_t *at =
            bestdag_realloc(run, l->at, (size_t)room * sizeof *l->at);
        if (!at)
            return NULL;
        l->at = at;
        l->room = room;
    }
    uint64_t *record = l->at + l->used;
    l->used += size;
    assert(l->used <= l->room);
    return record;
}

/* ---- a node -------------------------------------------------------------- */

struct next {
    int count;
    int v[BESTDAG_MOST_VARIABLES];
    int64_t cost[BESTDAG_MOST_VARIABLES];
    int64_t to_go[BESTDAG_MOST_VARIABLES];
};

/* Lists the missing variables with their present costs; or only one, if its
 * cost can never be lower. */
BESTDAG_INLINE void weigh(const struct bestdag_expansion *g,
                          const uint64_t *set, struct next *next, int words)
{
    next->count = 0;
    for (int w = 0; w < words; w++)
        for (uint64_t left = g->all[w] & ~set[w]; left; left &= left - 1) {
            int v = 64 * w + __builtin_ctzll(left), i = next->count++;
            int64_t cost = bestdag_best_parents_best(g->lookup, v, set);
            next->v[i] = v;
            next->cost[i] = cost;
            if (cost > g->future[v])
                continue;
            next->v[0] = v;
            next->cost[0] = cost;
            next->count = 1;
            return;
        }
}

/* Writes a message about `set` + v. NULL: error. */
BESTDAG_INLINE uint64_t *write_message(struct bestdag_expansion *g,
                                       struct bestdag_expansion_part *part,
                                       const uint64_t *set, int v, int words)
{
    uint64_t with[BESTDAG_MOST_WORDS];
    assert(!(set[v / 64] >> (v % 64) & 1));
    for (int w = 0; w < words; w++)
        with[w] = set[w];
    with[v / 64] |= (uint64_t)1 << (v % 64);
    int q = bestdag_hash_part(bestdag_set_hash(with, words));
    uint64_t *message = bestdag_messages_add(g->run, &part->to[q], words + 2);
    for (int w = 0; message && w < words; w++)
        message[w] = with[w];
    return message;
}

BESTDAG_INLINE int expand(struct bestdag_expansion *g,
                          struct bestdag_expansion_part *part, uint64_t *node,
                          int words)
{
    struct next next;
    int64_t cost = *bestdag_node_cost(node, words);
    weigh(g, node, &next, words);
    bestdag_heuristic_after(g->heuristics, node, next.v, next.count,
                            next.to_go);
    part->expanded++;
    part->generated += next.count;
    for (int i = 0; i < next.count; i++) {
        int64_t reached = cost + next.cost[i], f = reached + next.to_go[i];
        assert(next.cost[i] >= g->future[next.v[i]] && next.to_go[i] >= 0);
        assert(!g->heuristics->is_consistent ||
               f >= cost + bestdag_heuristic_value(g->heuristics, node));
        if (f >= g->limit)
            continue;
        uint64_t *message = write_message(g, part, node, next.v[i], words);
        if (!message)
            return bestdag_run_status(g->run);
        message[words] = (uint64_t)reached;
        message[words + 1] = (uint64_t)f;
    }
    return BESTDAG_OK;
}

BESTDAG_INLINE int expand_all(struct bestdag_expansion *g,
                              struct bestdag_expansion_part *part, int words)
{
    for (int64_t i = 0; i < part->node.used; i += words + 1)
        if (expand(g, part, part->node.at + i, words))
            return bestdag_run_status(g->run);
    return BESTDAG_OK;
}

int bestdag_expansion_expand(struct bestdag_expansion *g, int p)
{
    struct bestdag_expansion_part *part = &g->part[p];
    for (int q = 0; q < BESTDAG_PARTS; q++)
        part->to[q].used = 0;
    int64_t before = part->generated;
    int status = BESTDAG_WORDS(g->words, expand_all, g, part);
    part->steps += part->generated - before;
    return status;
}

/* ---- a round ------------------------------------------------------------- */

int64_t bestdag_expansion_messages(const struct bestdag_expansion *g)
{
    int64_t words = 0;
    for (int p = 0; p < BESTDAG_PARTS; p++)
        for (int q = 0; q < BESTDAG_PARTS; q++)
            words += g->part[p].to[q].used;
    return words / (g->words + 2);
}

struct step {
    const struct bestdag_expansion *g;
    void *job;
    int (*work)(void *job, int64_t part, int worker);
};

static int work_part(void *argument, int64_t part, int worker)
{
    struct step *s = argument;
    return bestdag_expansion_has(s->g, (int)part)
               ? s->work(s->job, part, worker)
               : BESTDAG_OK;
}

static bool do_step(struct bestdag_expansion *g, bool is_much, void *job,
                    int (*work)(void *job, int64_t part, int worker))
{
    struct step step = {g, job, work};
    struct bestdag_work all = {.job = &step,
                               .items = BESTDAG_PARTS,
                               .work = work_part,
                               .before = bestdag_expansion_sum(g).expanded};
    int64_t done = 0;
    if (is_much && bestdag_run_threads(g->run) > 1)
        return !bestdag_parallel(g->run, &all, &done) && done == all.items;
    for (; done < all.items; done++)
        if (work_part(&step, done, 0))
            return false;
    return !bestdag_run_watch(g->run, all.before);
}

bool bestdag_expansion_round(struct bestdag_expansion *g,
                             const struct bestdag_expansion_round *round)
{
    bool is_much =
        bestdag_expansion_messages(g) > MUCH; /* those of the previous round */
    bool has_grown = do_step(g, is_much, round->job, round->grow);
    if (g->is_spread) /* other ranks wait, even after an error here */
        has_grown &= bestdag_expansion_exchange(g);
    return has_grown && (!round->between || !round->between(round->job)) &&
           do_step(g, is_much, round->job, round->read);
}
