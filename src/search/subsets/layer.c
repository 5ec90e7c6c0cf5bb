/* SPDX-License-Identifier: MIT */
/* layer.c -- makes sorted runs, moves them to disk, and merges them. */
#include "search/subsets/layer.h"

#include <assert.h>
#include <string.h>

#include "parallel/parallel.h"

enum {
    SMALLEST = 16,  /* nodes of a window, however small the memory */
    LARGEST = 2048, /* reads of 32 KB and more */
    MANY = 20000    /* nodes that are worth threads */
};

static size_t node_size(const struct bestdag_layer *layer)
{
    return (size_t)(layer->words + 1) * sizeof(uint64_t);
}

static int compare(const uint64_t *a, const uint64_t *b, int words)
{
    for (int w = words - 1; w >= 0; w--)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

/* ---- runs ---------------------------------------------------------------- */

static struct bestdag_layer_run *add_run(struct bestdag_run *run,
                                         struct bestdag_layer *layer)
{
    if (layer->runs == layer->room) {
        int room = layer->room ? 2 * layer->room : 1;
        struct bestdag_layer_run *sorted =
            bestdag_realloc(run, layer->sorted, (size_t)room * sizeof *sorted);
        if (!sorted)
            return NULL;
        layer->sorted = sorted;
        layer->room = room;
    }
    struct bestdag_layer_run *b = &layer->sorted[layer->runs++];
    memset(b, 0, sizeof *b);
    return b;
}

struct making {
    struct bestdag_node_table *from;
    struct bestdag_layer_run *to;
    bool is_alone;
};

/* Packs a segment and releases memory that it does not need. */
static int take_segment(void *argument, int64_t i, int worker)
{
    struct making *m = argument;
    struct bestdag_node_table *nodes = m->from;
    struct bestdag_segment *s = &nodes->segment[i];
    size_t bytes = (size_t)s->used * (size_t)(nodes->words + 1) * 8;
    (void)worker;
    bestdag_segment_pack(s, nodes->words);
    if (!m->is_alone)
        bestdag_segment_sort(s, nodes->words);
    if (s->used) {
        m->to->node[i] = bestdag_realloc(nodes->run, s->slot, bytes);
        if (!m->to->node[i])
            return bestdag_run_status(nodes->run);
        s->slot = NULL;
    }
    bestdag_segment_clear(nodes, s);
    return BESTDAG_OK;
}

int bestdag_layer_add(struct bestdag_layer *layer,
                      struct bestdag_node_table *nodes, bool is_alone)
{
    struct making m = {nodes, add_run(nodes->run, layer), is_alone};
    struct bestdag_work work = {
        .job = &m, .items = BESTDAG_SEGMENTS, .work = take_segment};
    if (!m.to)
        return bestdag_run_status(nodes->run);
    for (int i = 0; i < BESTDAG_SEGMENTS; i++)
        m.to->start[i + 1] = m.to->start[i] + nodes->segment[i].used;
    if (m.to->start[BESTDAG_SEGMENTS] > MANY &&
        bestdag_run_threads(nodes->run) > 1)
        return bestdag_parallel(nodes->run, &work, NULL);
    for (int i = 0; i < BESTDAG_SEGMENTS; i++)
        if (take_segment(&m, i, 0))
            break;
    return bestdag_run_status(nodes->run);
}

static void free_nodes(struct bestdag_layer_run *b)
{
    for (int i = 0; i < BESTDAG_SEGMENTS; i++) {
        bestdag_free(b->node[i]);
        b->node[i] = NULL;
    }
}

int64_t bestdag_layer_bytes(const struct bestdag_layer *layer)
{
    int64_t nodes = 0;
    for (int i = 0; i < layer->runs; i++)
        if (!layer->sorted[i].file.is_open)
            nodes += layer->sorted[i].start[BESTDAG_SEGMENTS];
    return nodes * (int64_t)node_size(layer);
}

static bool store(struct bestdag_run *run, const struct bestdag_layer *layer,
                  struct bestdag_layer_run *b, const char *directory)
{
    struct bestdag_spill_file file;
    if (bestdag_spill_file_open(run, directory, &file))
        return false;
    for (int i = 0; i < BESTDAG_SEGMENTS; i++) {
        int64_t count = b->start[i + 1] - b->start[i];
        if (count && !bestdag_spill_file_write(
                         &file, b->node[i], (size_t)count * node_size(layer))) {
            bestdag_spill_file_close(&file);
            return false;
        }
    }
    free_nodes(b);
    b->file = file;
    return true;
}

bool bestdag_layer_store(struct bestdag_run *run, struct bestdag_layer *layer,
                         const char *directory, int64_t *wrote)
{
    for (int i = 0; i < layer->runs; i++) {
        struct bestdag_layer_run *b = &layer->sorted[i];
        if (b->file.is_open || !b->start[BESTDAG_SEGMENTS])
            continue;
        if (!store(run, layer, b, directory))
            return false;
        *wrote += b->file.size;
    }
    return true;
}

/* Drops a segment; the indices of the nodes behind it fall. */
static void drop_segment(struct bestdag_layer_run *b, int segment)
{
    int64_t count = b->start[segment + 1] - b->start[segment];
    bestdag_free(b->node[segment]);
    b->node[segment] = NULL;
    for (int i = segment + 1; i <= BESTDAG_SEGMENTS; i++)
        b->start[i] -= count;
}

void bestdag_layer_drop(struct bestdag_layer *layer, int part)
{
    for (int i = 0; i < layer->runs; i++)
        for (int k = 0; k < BESTDAG_PART_SEGMENTS; k++)
            if (!layer->sorted[i].file.is_open)
                drop_segment(&layer->sorted[i],
                             part * BESTDAG_PART_SEGMENTS + k);
}

void bestdag_layer_release(struct bestdag_layer *layer)
{
    for (int i = 0; i < layer->runs; i++) {
        free_nodes(&layer->sorted[i]);
        bestdag_spill_file_close(&layer->sorted[i].file);
    }
    bestdag_free(layer->sorted);
    *layer = (struct bestdag_layer){.words = layer->words};
}

/* Copies nodes [from, from + count) of a run; all are in one segment. */
static int copy_nodes(struct bestdag_run *run,
                      const struct bestdag_layer *layer, int number,
                      struct bestdag_layer_window range, int segment,
                      uint64_t *to)
{
    const struct bestdag_layer_run *b = &layer->sorted[number];
    size_t size = node_size(layer), bytes = (size_t)range.count * size;
    if (b->file.is_open)
        return bestdag_spill_file_read(run, &b->file,
                                       range.next * (int64_t)size, to, bytes);
    memcpy(to,
           b->node[segment] +
               (range.next - b->start[segment]) * (int64_t)(layer->words + 1),
           bytes);
    return BESTDAG_OK;
}

/* ---- looking up a set ---------------------------------------------------- */

/* Scans the segment, which need not be sorted; needed only to recover the
 * path. */
static int64_t cost_in_run(struct bestdag_run *run,
                           const struct bestdag_layer *layer, int number,
                           const uint64_t *set)
{
    enum { SOME = 256 };
    const struct bestdag_layer_run *b = &layer->sorted[number];
    int segment = bestdag_hash_segment(
        BESTDAG_WORDS(layer->words, bestdag_set_hash, set));
    uint64_t node[SOME * (BESTDAG_MOST_WORDS + 1)];
    struct bestdag_layer_window w = {.next = b->start[segment],
                                     .end = b->start[segment + 1]};
    for (; w.next < w.end; w.next += w.count) {
        w.count = w.end - w.next < SOME ? w.end - w.next : SOME;
        if (copy_nodes(run, layer, number, w, segment, node))
            return BESTDAG_NO_NODE;
        for (w.at = 0; w.at < w.count; w.at++) {
            uint64_t *one = node + w.at * (layer->words + 1);
            if (!compare(one, set, layer->words))
                return *bestdag_node_cost(one, layer->words);
        }
    }
    return BESTDAG_NO_NODE;
}

int64_t bestdag_layer_cost(struct bestdag_run *run,
                           const struct bestdag_layer *layer,
                           const uint64_t *set)
{
    int64_t least = BESTDAG_NO_NODE;
    for (int i = 0; i < layer->runs; i++) {
        int64_t cost = cost_in_run(run, layer, i, set);
        least = cost < least ? cost : least;
    }
    return least;
}

/* ---- reading a part ------------------------------------------------------ */

static void begin_segment(struct bestdag_layer_reader *r,
                          const struct bestdag_layer *layer)
{
    for (int i = 0; i < r->windows; i++) {
        struct bestdag_layer_window *w = &r->window[i];
        w->next = layer->sorted[i].start[r->segment];
        w->end = layer->sorted[i].start[r->segment + 1];
        w->at = w->count = 0;
    }
}

int bestdag_layer_reader_open(struct bestdag_run *run,
                              struct bestdag_layer_reader *r,
                              const struct bestdag_layer *layer, int64_t bytes)
{
    int64_t size = bytes / (layer->runs + 1) / (int64_t)node_size(layer);
    r->segment = r->part * BESTDAG_PART_SEGMENTS;
    r->last = r->segment + BESTDAG_PART_SEGMENTS;
    r->size = size < SMALLEST ? SMALLEST : size > LARGEST ? LARGEST : size;
    r->window = bestdag_calloc(run, (size_t)layer->runs, sizeof *r->window);
    if (!r->window)
        return bestdag_run_status(run);
    r->windows = layer->runs;
    for (int i = 0; i < r->windows; i++)
        if (!(r->window[i].node =
                  bestdag_alloc(run, (size_t)r->size * node_size(layer))))
            return bestdag_run_status(run);
    begin_segment(r, layer);
    return BESTDAG_OK;
}

void bestdag_layer_reader_close(struct bestdag_layer_reader *r)
{
    for (int i = 0; i < r->windows; i++)
        bestdag_free(r->window[i].node);
    bestdag_free(r->window);
    *r = (struct bestdag_layer_reader){0};
}

/* The next node of window i; NULL: none left in this segment, or an error. */
static uint64_t *peek(struct bestdag_run *run, struct bestdag_layer_reader *r,
                      const struct bestdag_layer *layer, int i)
{
    struct bestdag_layer_window *w = &r->window[i];
    if (w->at == w->count) {
        w->at = 0;
        w->count = w->end - w->next < r->size ? w->end - w->next : r->size;
        if (!w->count || copy_nodes(run, layer, i, *w, r->segment, w->node)) {
            w->count = 0;
            return NULL;
        }
        assert(w->next + w->count <= w->end);
        w->next += w->count;
    }
    return w->node + w->at * (layer->words + 1);
}

/* Takes the least set of all windows, at its least cost; false: the segment has
 * ended. */
static bool take_least(struct bestdag_run *run, struct bestdag_layer_reader *r,
                       const struct bestdag_layer *layer, uint64_t *to)
{
    bool is_there = false;
    int words = layer->words;
    for (int i = 0; i < r->windows; i++) {
        const uint64_t *node = peek(run, r, layer, i);
        if (node && (!is_there || compare(node, to, words) < 0)) {
            memcpy(to, node, node_size(layer));
            is_there = true;
        }
    }
    for (int i = 0; is_there && i < r->windows; i++) {
        uint64_t *node = peek(run, r, layer, i);
        if (!node || compare(node, to, words))
            continue;
        if (*bestdag_node_cost(node, words) < *bestdag_node_cost(to, words))
            to[words] = node[words];
        r->window[i].at++;
    }
    return is_there;
}

int bestdag_layer_reader_take(struct bestdag_run *run,
                              struct bestdag_layer_reader *r,
                              const struct bestdag_layer *layer, int64_t most,
                              struct bestdag_messages *to)
{
    uint64_t node[BESTDAG_MOST_WORDS + 1] = {0};
    to->used = 0;
    while (most > 0 && r->segment < r->last && !bestdag_run_status(run)) {
        if (!take_least(run, r, layer, node)) {
            if (++r->segment < r->last)
                begin_segment(r, layer);
            continue;
        }
        uint64_t *copy = bestdag_messages_add(run, to, layer->words + 1);
        if (copy)
            memcpy(copy, node, node_size(layer));
        most--;
    }
    return bestdag_run_status(run);
}
