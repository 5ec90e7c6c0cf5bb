/* SPDX-License-Identifier: MIT */
/* bfbnb.c -- the optimal network by breadth-first branch and bound.
 *
 * Prefixes of orders (order_graph.h) are searched by size: a layer is expanded
 * into the next, nodes that cannot beat the incumbent are dropped, and only two
 * layers are in use (Malone, Yuan, Hansen and Bridges 2011). Duplicates are
 * found in the table of the next layer; when that outgrows its memory, older
 * layers are moved to disk, then the table itself, sorted, as often as
 * necessary: reading the layer merges its runs (layer.h). Finished layers are
 * kept, to recover the path.
 *
 * Every order passes through every layer, so the least f of a complete layer is
 * a bound: a stopped search ends with it and the incumbent. A full disk stops
 * the search. */
#include <errno.h>
#include <string.h>

#include "base/temp_bytes.h"
#include "base/text.h"
#include "search/subsets/layer.h"
#include "search/subsets/order_graph.h"

enum { AHEAD = 16 };

struct search {
    struct bestdag_order_graph *p;
    struct bestdag_expansion *expansion;
    struct bestdag_node_table nodes; /* of the next layer */
    struct bestdag_layer layer[BESTDAG_MOST_VARIABLES + 1];
    struct bestdag_layer_reader reader[BESTDAG_PARTS];
    int64_t least[BESTDAG_PARTS]; /* least f of the sets that a part received */
    int depth;                    /* of the layer being expanded */
    const char *directory;        /* borrowed; NULL: no disk */
    int64_t wrote;
};

/* ---- the steps of a round ------------------------------------------------ */

static int grow(void *argument, int64_t part, int worker)
{
    struct search *s = argument;
    struct bestdag_expansion *g = s->expansion;
    int p = (int)part;
    (void)worker;
    if (bestdag_layer_reader_take(g->run, &s->reader[p], &s->layer[s->depth],
                                  g->batch, &g->part[p].node))
        return bestdag_run_status(g->run);
    return bestdag_expansion_expand(g, p);
}

BESTDAG_INLINE int reach(struct search *s, const uint64_t *message, int words)
{
    int64_t reached = (int64_t)message[words];
    uint64_t *node = bestdag_node_table_put(
        &s->nodes, message, bestdag_set_hash(message, words), words);
    if (!node)
        return bestdag_run_status(s->expansion->run);
    if (reached < *bestdag_node_cost(node, words))
        *bestdag_node_cost(node, words) = reached;
    return BESTDAG_OK;
}

BESTDAG_INLINE int read_messages(struct search *s, int q, int words)
{
    int size = words + 2, ahead = AHEAD * size;
    for (int p = 0; p < BESTDAG_PARTS; p++) {
        const struct bestdag_messages *from = &s->expansion->part[p].to[q];
        for (int64_t i = 0; i < from->used; i += size) {
            const uint64_t *message = from->at + i;
            int64_t f = (int64_t)message[words + 1];
            s->least[q] = f < s->least[q] ? f : s->least[q];
            if (i + ahead < from->used)
                bestdag_node_table_fetch(
                    &s->nodes, bestdag_set_hash(message + ahead, words));
            if (reach(s, message, words))
                return bestdag_run_status(s->expansion->run);
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

/* ---- memory -------------------------------------------------------------- */

/* An upper bound on the table's size after the messages are read: segments are
 * at least 64 per cent full, or small. */
static int64_t bytes_needed(const struct search *s)
{
    int64_t nodes = bestdag_node_table_count(&s->nodes) +
                    bestdag_expansion_messages(s->expansion);
    return nodes * (s->expansion->words + 1) * 8 * 25 / 16;
}

static int64_t bytes_left(const struct search *s)
{
    int64_t bytes = s->p->bytes - s->p->bytes / 8; /* readers use the rest */
    for (int i = 0; i <= s->depth + 1; i++) {
        const struct bestdag_layer *layer = &s->layer[i];
        bytes -= bestdag_layer_bytes(layer);
        bytes -= 2 * layer->room * (int64_t)sizeof *layer->sorted;
    }
    return bytes;
}

static int end_for_memory(struct search *s)
{
    char size[32];
    bestdag_size_format(s->p->bytes, size);
    bestdag_note(s->p->run, 0,
                 "bfbnb: layer %d does not fit into %s; --temp-dir allows it "
                 "to continue on disk",
                 s->depth + 1, size);
    s->p->is_limited = true;
    return BESTDAG_MEMORY;
}

static int end_for_disk(struct search *s)
{
    char size[32];
    if (bestdag_run_status(s->p->run))
        return bestdag_run_status(s->p->run);
    bestdag_size_format(s->wrote, size);
    bestdag_note(s->p->run, 0, "bfbnb: writing to '%s' failed after %s: %s",
                 s->directory, size, strerror(errno));
    s->p->is_limited = s->p->is_disk_full = true;
    return BESTDAG_FAILED;
}

/* The oldest layer in memory; NULL: none. */
static struct bestdag_layer *find_movable(struct search *s)
{
    for (int i = 0; i <= s->depth + 1; i++)
        if (bestdag_layer_bytes(&s->layer[i]) > 0)
            return &s->layer[i];
    return NULL;
}

static int move_one(struct search *s)
{
    struct bestdag_run *run = s->p->run;
    struct bestdag_layer *layer = find_movable(s);
    if (!s->directory)
        return end_for_memory(s);
    if (!s->wrote)
        bestdag_note(run, 0, "bfbnb: memory is full, continuing in '%s'",
                     s->directory);
    if (!layer) {
        layer = &s->layer[s->depth + 1];
        if (bestdag_layer_add(layer, &s->nodes, false))
            return bestdag_run_status(run);
    }
    if (!bestdag_layer_store(run, layer, s->directory, &s->wrote))
        return end_for_disk(s);
    return BESTDAG_OK;
}

/* Makes room for the messages before they are read. */
static int make_room(void *argument)
{
    struct search *s = argument;
    while (bytes_needed(s) > bytes_left(s) &&
           (find_movable(s) || bestdag_node_table_count(&s->nodes))) {
        int status = move_one(s);
        if (status)
            return status;
    }
    return BESTDAG_OK;
}

/* ---- layers -------------------------------------------------------------- */

static void close_readers(struct search *s)
{
    for (int p = 0; p < BESTDAG_PARTS; p++)
        bestdag_layer_reader_close(&s->reader[p]);
}

static int open_readers(struct search *s)
{
    for (int p = 0; p < BESTDAG_PARTS; p++) {
        s->least[p] = INT64_MAX;
        s->reader[p].part = p;
        if (bestdag_expansion_has(s->expansion, p) &&
            bestdag_layer_reader_open(s->p->run, &s->reader[p],
                                      &s->layer[s->depth],
                                      s->p->bytes / 8 / BESTDAG_PARTS))
            break;
    }
    return bestdag_run_status(s->p->run);
}

static bool has_nodes(const struct search *s)
{
    for (int p = 0; p < BESTDAG_PARTS; p++)
        if (s->expansion->part[p].node.used)
            return true;
    return false;
}

/* Is it true on all ranks? A limit reached on one rank ends all. *least becomes
 * the least of all ranks. */
static bool agree(struct search *s, bool is_so, int64_t *least)
{
    enum { SO, ROOM, DISK, LEAST, NUMBERS };
    struct bestdag_order_graph *p = s->p;
    int64_t number[NUMBERS] = {is_so, !p->is_limited, !p->is_disk_full, *least};
    bool is_together = bestdag_expansion_least(s->expansion, number, NUMBERS);
    if (!number[ROOM] && !p->is_limited)
        bestdag_note(p->run, 0, "bfbnb: another rank has no room left");
    p->is_limited = !number[ROOM];
    p->is_disk_full = !number[DISK];
    *least = number[LEAST];
    return is_together && number[SO];
}

/* Drops the parts that other ranks have from now on. */
static void drop_parts(struct search *s)
{
    for (int p = 0; p < BESTDAG_PARTS; p++)
        for (int i = 0; i <= s->depth; i++)
            if (!bestdag_expansion_has(s->expansion, p))
                bestdag_layer_drop(&s->layer[i], p);
}

static int64_t find_least(const struct search *s)
{
    int64_t least = s->expansion->limit;
    for (int p = 0; p < BESTDAG_PARTS; p++)
        least = s->least[p] < least ? s->least[p] : least;
    return least;
}

/* Makes the next layer and *least, its least f; false: ended early. */
static bool expand_layer(struct search *s, int64_t *least)
{
    struct bestdag_expansion_round round = {
        .job = s, .grow = grow, .between = make_room, .read = read_part};
    struct bestdag_layer *next = &s->layer[s->depth + 1];
    bool goes_on = true, is_done = false;
    if (bestdag_expansion_spread(s->expansion))
        drop_parts(s);
    open_readers(s); /* after an error the round fails */
    while (goes_on && !is_done && !bestdag_order_graph_over(s->p)) {
        goes_on =
            agree(s, bestdag_expansion_round(s->expansion, &round), least);
        is_done = goes_on && !has_nodes(s);
    }
    close_readers(s);
    if (!is_done)
        return false;
    is_done = !bestdag_layer_add(next, &s->nodes, !next->runs) &&
              !bestdag_run_stopped(s->p->run);
    *least = find_least(s);
    return agree(s, is_done, least);
}

/* The least f of each complete layer is a bound; of an empty layer, the
 * limit. */
static void walk(struct search *s)
{
    struct bestdag_order_graph *p = s->p;
    for (s->depth = 0; s->depth < s->expansion->n; s->depth++) {
        if (p->bound >= s->expansion->limit)
            break;
        int64_t least = s->expansion->limit;
        if (!expand_layer(s, &least))
            return;
        p->bound = least > p->bound ? least : p->bound;
    }
    p->is_solved = true;
    p->is_better = p->bound < s->expansion->limit;
}

static int64_t cost_of(void *argument, const uint64_t *set)
{
    const struct search *s = argument;
    int size = 0;
    for (int w = 0; w < s->expansion->words; w++)
        size += __builtin_popcountll(set[w]);
    return bestdag_layer_cost(s->p->run, &s->layer[size], set);
}

/* Makes the first layer, which has the empty set. */
static int begin(struct search *s)
{
    struct bestdag_expansion *g = s->expansion;
    uint64_t message[BESTDAG_MOST_WORDS + 2] = {0};
    s->nodes.run = g->run;
    s->nodes.words = g->words;
    s->nodes.bytes = INT64_MAX; /* make_room() limits it */
    for (int i = 0; i <= g->n; i++)
        s->layer[i].words = g->words;
    int64_t f = bestdag_heuristic_value(g->heuristics, message);
    s->p->bound = f < g->limit ? f : g->limit;
    if (BESTDAG_WORDS(g->words, reach, s, message))
        return bestdag_run_status(g->run);
    return bestdag_layer_add(&s->layer[0], &s->nodes, true);
}

static void release(struct search *s)
{
    bestdag_node_table_clear(&s->nodes);
    for (int i = 0; i <= s->expansion->n; i++)
        bestdag_layer_release(&s->layer[i]);
}

static int search(struct bestdag_order_graph *p)
{
    struct search s = {.p = p, .expansion = &p->expansion};
    struct bestdag_cost_lookup lookup = {.job = &s, .cost_of = cost_of};
    s.directory = bestdag_option_value(p->task->options, &bestdag_solve_options,
                                       "temp-dir")
                      .text;
    if (!begin(&s))
        walk(&s);
    if (p->is_better && !bestdag_order_graph_trace(p, &lookup))
        p->is_solved = p->is_better = false; /* the order is the incumbent's */
    if (s.wrote) {
        char size[32];
        bestdag_temp_bytes_add(p->run, s.wrote);
        bestdag_size_format(s.wrote, size);
        bestdag_note(p->run, 0, "bfbnb: wrote %s to '%s', now released", size,
                     s.directory);
    }
    release(&s);
    return bestdag_run_status(p->run);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    return bestdag_order_graph_solve(task, to, search);
}

const struct bestdag_solver bestdag_solver_bfbnb = {
    .name = "bfbnb",
    .help = "exact: breadth-first branch and bound over the order graph, layer "
            "by layer, on disk when memory is full (--temp-dir); anytime",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .proves = true,
    .settings = bestdag_order_graph_settings,
    .solve = solve,
};
