/* SPDX-License-Identifier: MIT */
/* layer.h -- all prefixes of one size, in memory or on disk.
 *
 * A layer consists of runs; a run has its nodes by segment of their hash, and,
 * if there are several runs, sorted by their sets within a segment. A set may
 * be in several runs: reading the layer merges them and gives every set once,
 * at its least cost (delayed duplicate detection; Korf 2004, and Malone, Yuan,
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
    struct bestdag_spill_file file;      /* if it is on disk */
};

struct bestdag_layer {
    int words;
    struct bestdag_layer_run *sorted; /* owns; [room] */
    int runs, room;
};

/* Makes a run of all nodes of a table and empties it. is_alone: the only run of
 * its layer, which need not be sorted. If the bestdag_run is stopped, the
 * result may be partial, and the search ends. */
int bestdag_layer_add(struct bestdag_layer *layer,
                      struct bestdag_node_table *nodes, bool is_alone);
/* Bytes in memory. */
int64_t bestdag_layer_bytes(const struct bestdag_layer *layer);
/* Moves the runs in memory to files. False: the disk is full and errno says
 * why, or an error; then some runs stay in memory. *wrote grows. */
bool bestdag_layer_store(struct bestdag_run *run, struct bestdag_layer *layer,
                         const char *directory, int64_t *wrote);
/* Frees the nodes of a part that are in memory. */
void bestdag_layer_drop(struct bestdag_layer *layer, int part);
void bestdag_layer_release(struct bestdag_layer *layer);
/* The least cost of a set; BESTDAG_NO_NODE: it is not there, or an error. */
int64_t bestdag_layer_cost(struct bestdag_run *run,
                           const struct bestdag_layer *layer,
                           const uint64_t *set);

/* The position of a reader in one run. The layer may be stored between two
 * reads. */
struct bestdag_layer_window {
    uint64_t *node;    /* owns; [size]: copies of the run's nodes */
    int64_t next, end; /* in the run: the next node to copy, and the end */
    int64_t at, count; /* in the copies: the next one, and their number */
};

struct bestdag_layer_reader {
    int part;
    int segment, last;                   /* the current one, and the end */
    struct bestdag_layer_window *window; /* owns; one per run */
    int windows;
    int64_t size; /* nodes per window */
};

/* Opens a reader for part r->part that uses about these bytes. */
int bestdag_layer_reader_open(struct bestdag_run *run,
                              struct bestdag_layer_reader *r,
                              const struct bestdag_layer *layer, int64_t bytes);
/* Appends up to `most` nodes to `to`; none: the end. */
int bestdag_layer_reader_take(struct bestdag_run *run,
                              struct bestdag_layer_reader *r,
                              const struct bestdag_layer *layer, int64_t most,
                              struct bestdag_messages *to);
void bestdag_layer_reader_close(struct bestdag_layer_reader *r);

#endif
