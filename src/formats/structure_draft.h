/* SPDX-License-Identifier: MIT */
/* structure_draft.h -- a bare structure that is read name by name and arc by
 * arc. */
#ifndef BESTDAG_FORMATS_STRUCTURE_DRAFT_H
#define BESTDAG_FORMATS_STRUCTURE_DRAFT_H

#include "network/network.h"

struct bestdag_arc {
    int from, to;
};

/* Start from { .run = run }. Variables are numbered in order of appearance. */
struct bestdag_draft {
    struct bestdag_run *run;
    char **name; /* owns */
    int names, name_room;
    struct bestdag_arc *arc; /* owns */
    int64_t arcs, arc_room;
    int32_t *bucket; /* owns; open addressing; v + 1, 0 is free */
    int buckets;     /* a power of two, at least 2 * names */
};

/* The number of the variable called text[0..n); -1: there is none. */
int bestdag_draft_find(const struct bestdag_draft *d, const char *text,
                       size_t n);
/* The same, but adds a new variable if there is none; -1: failed. */
int bestdag_draft_variable(struct bestdag_draft *d, const char *text, size_t n);
int bestdag_draft_add_arc(struct bestdag_draft *d, int from, int to);
/* Makes the network; repeated arcs are merged, and that is noted. `file` is for
 * messages. Afterwards the draft can only be released. */
struct bestdag_network *bestdag_draft_finish(struct bestdag_draft *d,
                                             const char *file);
void bestdag_draft_release(struct bestdag_draft *d);

#endif
