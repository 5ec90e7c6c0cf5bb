/* SPDX-License-Identifier: MIT */
/* astar.c -- the optimal network by A* over prefixes of orders (order_graph.h).
 *
 * Nodes are expanded by least f = g + h, in rounds: the parts of the node table
 * take nodes from the least bucket of their open lists, expand them, and read
 * each other's messages (expansion.h). A set that is reached at lower cost is
 * opened again, so neither the order inside a bucket nor an inconsistent
 * heuristic loses anything. Reaching the goal lowers the limit; when no f below
 * it is open, the answer is proved.
 *
 * If the search ends early, the least open f bounds the component. Memory: at
 * most 24 bytes per node (up to 64 variables) and 8 per open entry; nothing
 * large is ever copied. The path is recovered from the costs. */
#include "search/subsets/order_graph.h"

#include <assert.h>

#include "base/communicator.h"
#include "search/subsets/open_list.h"

enum {
    FEWEST = 8,  /* buckets of a part, however small the memory */
    MOST = 1024, /* 512, 2048: nodes within 1 % on water1000, alarm1000,
                    insurance (bench/log/2026-11-17-sensitivity.csv) */
    AHEAD = 16   /* nodes prefetched before they are read; 8..32: time within
                    noise */
};

static const int64_t CLOSED = INT64_MIN; /* the sign of a node's cost */

struct search {
    struct bestdag_order_graph *p;
    struct bestdag_expansion *expansion;
    struct bestdag_node_table nodes;
    struct bestdag_open_list queue[BESTDAG_PARTS];
    int bucket; /* of this round */
    _Atomic bool is_full;
};

/* ---- the two steps of a round -------------------------------------------- */

/* Takes up to AHEAD sets out of the bucket and prefetches their nodes. */
BESTDAG_INLINE int take_sets(struct search *s, int p, int most,
                             uint64_t sets[][BESTDAG_MOST_WORDS],
                             uint64_t *hash, int words)
{
    int count = 0;
    most = most < AHEAD ? most : AHEAD;
    while (count < most && bestdag_open_list_take(&s->queue[p], s->bucket,
                                                  sets[count], words)) {
        hash[count] = bestdag_set_hash(sets[count], words);
        bestdag_node_table_fetch(&s->nodes, hash[count]);
        count++;
    }
    return count;
}

/* Closes nodes of the bucket and passes them to the expansion. */
BESTDAG_INLINE int take_nodes(struct search *s, int p, int words)
{
    struct bestdag_messages *to = &s->expansion->part[p].node;
    uint64_t sets[AHEAD][BESTDAG_MOST_WORDS], hash[AHEAD];
    int64_t most = s->expansion->batch;
    to->used = 0;
    for (int count; most > 0 && (count = take_sets(s, p, (int)most, sets, hash,
                                                   words)) > 0;) {
        for (int i = 0; i < count; i++) {
            uint64_t *node =
                bestdag_node_table_find(&s->nodes, sets[i], hash[i], words);
            if (!node || *bestdag_node_cost(node, words) < 0)
                continue; /* it was expanded since it was added */
            uint64_t *copy =
                bestdag_messages_add(s->expansion->run, to, words + 1);
            if (!copy)
                return bestdag_run_status(s->expansion->run);
            for (int w = 0; w <= words; w++)
                copy[w] = node[w];
            *bestdag_node_cost(node, words) |= CLOSED;
            most--;
        }
    }
    return BESTDAG_OK;
}

static int grow(void *argument, int64_t part, int worker)
{
    struct search *s = argument;
    int p = (int)part;
    (void)worker;
    if (BESTDAG_WORDS(s->expansion->words, take_nodes, s, p))
        return bestdag_run_status(s->expansion->run);
    return bestdag_expansion_expand(s->expansion, p);
}

BESTDAG_INLINE int reach(struct search *s, int q, const uint64_t *message,
                         int words)
{
    int64_t reached = (int64_t)message[words];
    assert(reached >= 0 && (int64_t)message[words + 1] >= reached); /* h >= 0 */
    uint64_t *node = bestdag_node_table_put(
        &s->nodes, message, bestdag_set_hash(message, words), words);
    if (!node) {
        s->is_full = true;
        return BESTDAG_MEMORY;
    }
    int64_t *cost = bestdag_node_cost(node, words);
    if ((*cost & ~CLOSED) <= reached)
        return BESTDAG_OK;
    *cost = reached;
    return bestdag_open_list_put(&s->queue[q], (int64_t)message[words + 1],
                                 message, words);
}

BESTDAG_INLINE int read_messages(struct search *s, int q, int words)
{
    for (int p = 0; p < BESTDAG_PARTS; p++) {
        const struct bestdag_messages *from = &s->expansion->part[p].to[q];
        int size = words + 2, ahead = AHEAD * size;
        for (int64_t i = 0; i < from->used; i += size) {
            if (i + ahead < from->used)
                bestdag_node_table_fetch(
                    &s->nodes, bestdag_set_hash(from->at + i + ahead, words));
            int status = reach(s, q, from->at + i, words);
            if (status)
                return status;
        }
    }
    return BESTDAG_OK;
}

static int read_part(void *argument, int64_t part, int worker)
{
    struct search *s = argument;
    int q = (int)part;
    (void)worker;
    return BESTDAG_WORDS(s->expansion->words, read_messages, s, q);
}

/* ---- the search ---------------------------------------------------------- */

static int64_t cost_of(void *argument, const uint64_t *set)
{
    const struct search *s = argument;
    int words = s->expansion->words;
    uint64_t hash = BESTDAG_WORDS(words, bestdag_set_hash, set);
    uint64_t *node =
        BESTDAG_WORDS(words, bestdag_node_table_find, &s->nodes, set, hash);
    return node ? *bestdag_node_cost(node, words) & ~CLOSED : BESTDAG_NO_NODE;
}

/* The state after a round, the same on all ranks. */
struct round_state {
    bool is_whole;  /* the round was completed, and the run goes on */
    int64_t bucket; /* the least non-empty one of all parts */
    int64_t goal;   /* cost of the set of all variables */
};

static struct round_state find_standing(struct search *s, bool is_whole)
{
    enum { WHOLE, ROOM, BUCKET, GOAL, NUMBERS };
    int64_t number[NUMBERS] = {[WHOLE] = is_whole,
                               [ROOM] = !s->is_full,
                               [BUCKET] = s->queue[0].buckets,
                               [GOAL] = cost_of(s, s->expansion->all)};
    for (int p = 0; p < BESTDAG_PARTS; p++) {
        int own = bestdag_open_list_least(&s->queue[p]);
        number[BUCKET] = own < number[BUCKET] ? own : number[BUCKET];
    }
    if (!bestdag_expansion_least(s->expansion, number, NUMBERS))
        number[WHOLE] = false;
    s->is_full = !number[ROOM];
    return (struct round_state){number[WHOLE], number[BUCKET], number[GOAL]};
}

/* Is a node below the limit open? */
static bool is_open(const struct search *s, int64_t bucket)
{
    return bucket < s->queue[0].buckets &&
           bestdag_open_list_edge(&s->queue[0], (int)bucket) <
               s->expansion->limit;
}

/* Drops the parts that other ranks have from now on. */
static void drop_parts(struct search *s)
{
    for (int p = 0; p < BESTDAG_PARTS; p++)
        if (!bestdag_expansion_has(s->expansion, p)) {
            bestdag_open_list_clear(&s->queue[p]);
            bestdag_node_table_drop(&s->nodes, p);
        }
}

/* A bucket may have a nearly empty chunk: these take at most an eighth of the
 * memory. */
static int choose_buckets(const struct search *s)
{
    int64_t most =
        s->p->bytes / 8 / BESTDAG_PARTS / (int64_t)sizeof(struct bestdag_chunk);
    return most < FEWEST ? FEWEST : most > MOST ? MOST : (int)most;
}

/* Nodes get the memory that the open lists do not use, nor may use in the next
 * round. */
static void share_memory(struct search *s)
{
    const struct bestdag_expansion *g = s->expansion;
    int64_t taken = g->batch * g->n * BESTDAG_PARTS * g->words * 8;
    for (int p = 0; p < BESTDAG_PARTS; p++)
        taken += s->queue[p].taken;
    s->nodes.bytes = s->p->bytes - taken;
}

/* The goal was reached at this cost. With several ranks the order is recovered
 * at once: if ranks diverge later, the nodes are lost. */
static void take_goal(struct search *s, int64_t goal)
{
    struct bestdag_order_graph *p = s->p;
    struct bestdag_cost_lookup lookup = {.job = s, .cost_of = cost_of};
    if (goal >= s->expansion->limit)
        return;
    assert(goal >= p->bound); /* the heuristic is admissible */
    if (!bestdag_communicator_of(p->run) ||
        bestdag_order_graph_trace(p, &lookup)) {
        s->expansion->limit = goal;
        p->is_better = true;
    }
}

/* Rounds until no node is open, or until the search has to end. */
static void walk(struct search *s)
{
    struct bestdag_expansion_round round = {
        .job = s, .grow = grow, .read = read_part};
    struct bestdag_order_graph *p = s->p;
    struct round_state now = find_standing(s, true);
    while (is_open(s, now.bucket)) {
        s->bucket = (int)now.bucket;
        int64_t edge = bestdag_open_list_edge(&s->queue[0], s->bucket);
        p->bound = edge > p->bound ? edge : p->bound;
        share_memory(s);
        if (bestdag_order_graph_over(p))
            return;
        if (bestdag_expansion_spread(s->expansion))
            drop_parts(s);
        now = find_standing(s, bestdag_expansion_round(s->expansion, &round));
        if (!now.is_whole)
            return;
        take_goal(s, now.goal);
    }
    assert(p->bound <= s->expansion->limit); /* the bound is below the
                                                incumbent */
    p->is_solved = true;
    p->bound = s->expansion->limit;
}

/* An f that no order of finite cost reaches. */
static int64_t find_end(const struct bestdag_expansion *g)
{
    int64_t worst = 1;
    for (int v = 0; v < g->n; v++) {
        const struct bestdag_candidates *list = &g->at->list[v];
        worst += list->count ? list->cost[list->count - 1] : 0;
    }
    return worst < g->limit ? worst : g->limit;
}

/* Opens the root and makes open lists from its f to the limit; no node is open
 * if the limit is below. */
static int begin(struct search *s)
{
    struct bestdag_expansion *g = s->expansion;
    uint64_t message[BESTDAG_MOST_WORDS + 2] = {0};
    int64_t f = bestdag_heuristic_value(g->heuristics, message);
    s->nodes.run = g->run;
    s->nodes.words = g->words;
    share_memory(s);
    int64_t end = find_end(g);
    f = f < end ? f : g->limit;
    for (int p = 0; p < BESTDAG_PARTS; p++) {
        s->queue[p].run = g->run;
        if (bestdag_open_list_init(&s->queue[p], f, end < f ? f : end,
                                   choose_buckets(s)))
            return bestdag_run_status(g->run);
    }
    s->p->bound = f;
    if (f == g->limit)
        return BESTDAG_OK;
    message[g->words + 1] = (uint64_t)f;
    int q =
        bestdag_hash_part(BESTDAG_WORDS(g->words, bestdag_set_hash, message));
    return BESTDAG_WORDS(g->words, reach, s, q, message);
}

int bestdag_astar_search(struct bestdag_order_graph *p)
{
    struct search s = {.p = p, .expansion = &p->expansion};
    struct bestdag_cost_lookup lookup = {.job = &s, .cost_of = cost_of};
    begin(&s);
    if (!bestdag_run_status(p->run) && !s.is_full)
        walk(&s);
    p->is_limited |= s.is_full;
    if (p->is_better)
        bestdag_order_graph_trace(p, &lookup);
    bestdag_node_table_clear(&s.nodes);
    for (int i = 0; i < BESTDAG_PARTS; i++)
        bestdag_open_list_release(&s.queue[i]);
    return bestdag_run_status(p->run);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    return bestdag_order_graph_solve(task, to, bestdag_astar_search);
}

const struct bestdag_solver bestdag_solver_astar = {
    .name = "astar",
    .help = "exact: A* over the order graph with pattern databases and the "
            "cluster bound, for components of up to 256 variables; anytime",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .proves = true,
    .settings = bestdag_order_graph_settings,
    .solve = solve,
};
