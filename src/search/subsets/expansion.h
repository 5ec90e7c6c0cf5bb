/* SPDX-License-Identifier: MIT */
/* expansion.h -- from settled sets to those with one variable more, on all
 * threads.
 *
 * A search over sets works in rounds of two steps, with one item per part:
 *
 *     part p:   expands some of its nodes               -> messages to all
 *     part q:   reads the messages to q, in order of p  -> its nodes
 *
 * Results do not depend on threads: the number of parts is fixed, and messages
 * are read in a fixed order. Nor do they depend on ranks: each does everything
 * at first; when that becomes much, each keeps some of the parts, with their
 * nodes, and messages are exchanged between the two steps (node_exchange.c).
 *
 * A set S at cost g leads to S + v at g + best(v, S), unless the heuristic of
 * that is too high. If some v already has the best set it can ever have, it
 * alone is added: nothing is gained by waiting (Karan and Zola 2016). */
#ifndef BESTDAG_SEARCH_SUBSETS_EXPANSION_H
#define BESTDAG_SEARCH_SUBSETS_EXPANSION_H

#include "problem/best_parents.h"
#include "search/subsets/heuristic.h"
#include "search/subsets/node_table.h"

enum { BESTDAG_MOST_VARIABLES = 64 * BESTDAG_MOST_WORDS };

/* Records, one after the other, that grow in number. */
struct bestdag_messages {
    uint64_t *at; /* owns */
    int64_t used, room;
};

/* A message: set | g | f. A node: set | g. */
struct bestdag_expansion_part {
    struct bestdag_messages node; /* to be expanded */
    struct bestdag_messages to[BESTDAG_PARTS];
    int64_t steps, expanded, generated;
};

struct bestdag_expansion {
    struct bestdag_run *run;
    const struct bestdag_component *at;
    const struct bestdag_best_parents *lookup;
    const struct bestdag_heuristic *heuristics;
    int n, words;
    int64_t limit; /* f from here on is not wanted */
    int64_t batch; /* nodes that a part should take in one round */
    int64_t future[BESTDAG_MOST_VARIABLES]; /* the least that v can cost */
    uint64_t all[BESTDAG_MOST_WORDS];
    int64_t spread_after; /* steps, where there are other ranks */
    bool is_spread;       /* parts are on different ranks */
    int rank, ranks;      /* if so */
    int64_t exchanges;
    struct bestdag_expansion_part part[BESTDAG_PARTS];
};

/* Of a component; g->run, at, lookup and heuristics are set. It will take an
 * eighth of these bytes at most; returns what is left of them, the same on all
 * ranks. */
int64_t bestdag_expansion_init(struct bestdag_expansion *g, int64_t bytes);
void bestdag_expansion_release(struct bestdag_expansion *g);
/* What all parts did so far. */
struct bestdag_expansion_part bestdag_expansion_sum(
    const struct bestdag_expansion *g);

/* Is part p on this rank? */
static inline bool bestdag_expansion_has(const struct bestdag_expansion *g,
                                         int p)
{
    return !g->is_spread || p * g->ranks / BESTDAG_PARTS == g->rank;
}
/* Before a round: is it to be spread from now on? Then the nodes of parts that
 * are elsewhere are to be dropped. */
bool bestdag_expansion_spread(struct bestdag_expansion *g);
/* Between the two steps: messages go to the ranks of their parts. False: the
 * run failed, or ranks have gone separate ways. */
bool bestdag_expansion_exchange(struct bestdag_expansion *g);
/* If it is spread: each number becomes the least of those of all ranks. False:
 * as above. */
bool bestdag_expansion_least(struct bestdag_expansion *g, int64_t *number,
                             int count);

/* Adds one record, or several, and returns it. NULL: failed. */
uint64_t *bestdag_messages_add(struct bestdag_run *run,
                               struct bestdag_messages *l, int64_t size);
/* Expands the nodes of part p, and writes its messages again. */
int bestdag_expansion_expand(struct bestdag_expansion *g, int p);

/* Messages there are to read. */
int64_t bestdag_expansion_messages(const struct bestdag_expansion *g);

/* Does both steps, `grow` for every part and then `read` for every part, on
 * all threads if there is much to do, and `between` on the calling one, which
 * may be NULL. Returns whether all was done, of the parts that are here, and
 * the run goes on. */
struct bestdag_expansion_round {
    void *job;
    int (*grow)(void *job, int64_t part, int worker);
    int (*between)(void *job);
    int (*read)(void *job, int64_t part, int worker);
};
bool bestdag_expansion_round(struct bestdag_expansion *g,
                             const struct bestdag_expansion_round *round);

#endif
