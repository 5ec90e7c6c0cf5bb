/* SPDX-License-Identifier: MIT */
/* layer.h -- all sets of one size, in memory or on disk.
 *
 * A layer has sorted runs; a run has nodes by segment of their hash, and in a
 * segment, if there are several runs, by their sets. One set may be in
 * several runs: reading the layer merges them and gives every set once, at
 * its least cost (delayed duplicate detection; Korf 2004, and Malone, Yuan,
 * Hansen and Bridges 2011).
 *
 *     table of nodes --full--> run --no room--> file
 *     run, run, file  --reader of part p-->  its sets, once each */
#ifndef BESTDAG_SEARCH_SUBSETS_LAYER_H
#define BESTDAG_SEARCH_SUBSETS_LAYER_H

#include "search/subsets/expansion.h"
#include "search/subsets/spill_file.h"

struct bestdag_layer_run {
    int64_t start[BESTDAG_SEGMENTS + 1]; /* nodes before each segment */
    uint64_t *node[BESTDAG_SEGMENTS];    /* owns; all NULL on disk */
    struct bestdag_spill_file file;      /* if it is there */
};

struct bestdag_layer {
    int words;
    struct bestdag_layer_run *sorted; /* owns; [room] */
    int runs, room;
};

/* Makes a run of all nodes of a table, which is empty then. One that stays
 * alone need not be sorted. A run that is stopped may leave it half made: it
 * ends there. */
int bestdag_layer_add(struct bestdag_layer *layer,
                      struct bestdag_node_table *nodes, bool is_alone);
/* Bytes in memory. */
int64_t bestdag_layer_bytes(const struct bestdag_layer *layer);
/* Moves what is in memory to files. False: the disk is full, errno says why, or
 * the run failed; then some of it stays in memory. *wrote grows. */
bool bestdag_layer_store(struct bestdag_run *run, struct bestdag_layer *layer,
                         const char *directory, int64_t *wrote);
/* Gives back the nodes of a part that are in memory. */
void bestdag_layer_drop(struct bestdag_layer *layer, int part);
void bestdag_layer_release(struct bestdag_layer *layer);
/* The least cost of a set; BESTDAG_NO_NODE: it is not there, or the run failed.
 */
int64_t bestdag_layer_cost(struct bestdag_run *run,
                           const struct bestdag_layer *layer,
                           const uint64_t *set);

/* Where one part has got to. The layer may be stored between two reads. */
struct bestdag_layer_window {
    uint64_t *node;    /* owns; [size]: copies of a run's nodes */
    int64_t next, end; /* of the run's: the next to copy */
    int64_t at, count; /* of the copies: the next one, how many */
};

struct bestdag_layer_reader {
    int part;
    int segment, last; /* the one at work, and the one to stop at */
    struct bestdag_layer_window *window; /* owns; one per run */
    int windows;
    int64_t size; /* nodes of a window */
};

/* For part r->part, with about these bytes. */
int bestdag_layer_reader_open(struct bestdag_run *run,
                              struct bestdag_layer_reader *r,
                              const struct bestdag_layer *layer, int64_t bytes);
/* Up to `most` nodes into `to`; none: it has ended. */
int bestdag_layer_reader_take(struct bestdag_run *run,
                              struct bestdag_layer_reader *r,
                              const struct bestdag_layer *layer, int64_t most,
                              struct bestdag_messages *to);
void bestdag_layer_reader_close(struct bestdag_layer_reader *r);

#endif
