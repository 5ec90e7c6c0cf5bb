/* SPDX-License-Identifier: MIT */
/* expansion.h -- expands prefixes by one variable, on all threads.
 *
 * A search over sets works in rounds of two steps, with one item per part:
 *
 *     part p:   expands some of its nodes               -> messages to all
 *     part q:   reads the messages to q, in order of p  -> its nodes
 *
 * Results do not depend on threads: the number of parts is fixed, and messages
 * are read in a fixed order. Nor do they depend on ranks: at first each rank
 * does everything; when the work becomes large, each keeps some of the parts
 * with their nodes, and messages are exchanged between the two steps
 * (node_exchange.c).
 *
 * A set S at cost g leads to S + v at g + best(v, S), unless its f is too high.
 * If some v already has the best set that it can ever have, only v is added:
 * waiting gains nothing (Karan and Zola 2016). */
#ifndef BESTDAG_SEARCH_SUBSETS_EXPANSION_H
#define BESTDAG_SEARCH_SUBSETS_EXPANSION_H

#include "problem/best_parents.h"
#include "search/subsets/heuristic.h"
#include "search/subsets/node_table.h"

enum { BESTDAG_MOST_VARIABLES = 64 * BESTDAG_MOST_WORDS };

/* A growing array of records. */
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
    int64_t limit; /* nodes with f from here on are dropped */
    int64_t batch; /* nodes that a part should expand per round */
    int64_t future[BESTDAG_MOST_VARIABLES]; /* least cost of v */
    uint64_t all[BESTDAG_MOST_WORDS];
    int64_t spread_after; /* steps, if there are other ranks */
    bool is_spread;       /* parts are on different ranks */
    int rank, ranks;      /* if is_spread */
    int64_t exchanges;
    struct bestdag_expansion_part part[BESTDAG_PARTS];
};

/* For a component; g->run, at, lookup and heuristics must be set. Will use at
 * most an eighth of `bytes`; returns the rest, the same on all ranks. */
int64_t bestdag_expansion_init(struct bestdag_expansion *g, int64_t bytes);
void bestdag_expansion_release(struct bestdag_expansion *g);
/* The sum of the counters of all parts. */
struct bestdag_expansion_part bestdag_expansion_sum(
    const struct bestdag_expansion *g);

/* Is part p on this rank? */
static inline bool bestdag_expansion_has(const struct bestdag_expansion *g,
                                         int p)
{
    return !g->is_spread || p * g->ranks / BESTDAG_PARTS == g->rank;
}
/* Before a round: are the parts to be spread over the ranks from now on? Then
 * the caller must drop the nodes of parts on other ranks. */
bool bestdag_expansion_spread(struct bestdag_expansion *g);
/* Between the two steps: sends messages to the ranks of their parts. False: an
 * error, or the ranks have diverged. */
bool bestdag_expansion_exchange(struct bestdag_expansion *g);
/* If the parts are spread: each number becomes its minimum over all ranks.
 * False: as above. */
bool bestdag_expansion_least(struct bestdag_expansion *g, int64_t *number,
                             int count);

/* Appends `size` words and returns them. NULL: error. */
uint64_t *bestdag_messages_add(struct bestdag_run *run,
                               struct bestdag_messages *l, int64_t size);
/* Expands the nodes of part p and replaces its messages. */
int bestdag_expansion_expand(struct bestdag_expansion *g, int p);

/* The number of messages to read. */
int64_t bestdag_expansion_messages(const struct bestdag_expansion *g);

/* Runs both steps, `grow` for every part and then `read` for every part, on all
 * threads if there is enough work; between them `between`, which may be NULL,
 * on the calling thread. Returns whether all local parts were completed and the
 * run goes on. */
struct bestdag_expansion_round {
    void *job;
    int (*grow)(void *job, int64_t part, int worker);
    int (*between)(void *job);
    int (*read)(void *job, int64_t part, int worker);
};
bool bestdag_expansion_round(struct bestdag_expansion *g,
                             const struct bestdag_expansion_round *round);

#endif
