/* SPDX-License-Identifier: MIT */
/* format.h -- the door of the network formats. A new format is one file that
 * defines bestdag_format_foo, and one row in format.c. */
#ifndef BESTDAG_FORMATS_FORMAT_H
#define BESTDAG_FORMATS_FORMAT_H

#include "base/stream.h"
#include "graph/pdag.h"
#include "network/network.h"

enum bestdag_keeps {
    BESTDAG_KEEPS_PICTURE,   /* written only */
    BESTDAG_KEEPS_STRUCTURE, /* names and arcs */
    BESTDAG_KEEPS_ALL        /* states and every number, too */
};

struct bestdag_format {
    const char *name;     /* "bif" */
    const char *suffixes; /* "bif" or "xmlbif|bifxml|xml" */
    const char *help;     /* one line */
    enum bestdag_keeps keeps;
    bool needs_tables;  /* the door refuses to write a network that has none */
    bool may_be_bare;   /* but not if it has states, which is noted */
    bool holds_numbers; /* of those that keep all: the door refuses to write
                           variables that are numbers in others */
    bool drops_properties; /* of those that keep all: cut points are noted */
    /* Does this text look like it? For files without a suffix. May be NULL. */
    bool (*sniff)(const struct bestdag_file *file);
    /* NULL: the run says why. file->bytes ends in 0. The door calls
     * bestdag_network_check_consistency() on what comes back. NULL: write only.
     */
    struct bestdag_network *(*read)(struct bestdag_run *run,
                                    const struct bestdag_file *file);
    /* Errors go into the run. */
    void (*write)(struct bestdag_run *run,
                  const struct bestdag_network *network,
                  struct bestdag_sink *to);
    /* A graph with directed and undirected arcs; NULL: cannot. */
    void (*write_class)(struct bestdag_run *run,
                        const struct bestdag_network *network,
                        const struct bestdag_pdag *pdag,
                        struct bestdag_sink *to);
    /* What the format cannot hold, in a second file beside `path`, FILE.names
     * (never called for standard output or a device); NULL: nothing. It is
     * written, not closed: the door does that; NULL: failed. Errors go into the
     * run. read_beside gets the settled network, which the door settles
     * again. */
    struct bestdag_sink *(*write_beside)(struct bestdag_run *run,
                                         const struct bestdag_network *network,
                                         const char *path);
    void (*read_beside)(struct bestdag_run *run,
                        struct bestdag_network *network, const char *path);
};

const struct bestdag_format *bestdag_format_at(int i);
/* NULL, and the nearest name in the run's error, if there is none. */
const struct bestdag_format *bestdag_format_named(struct bestdag_run *run,
                                                  const char *name);
/* The format of this name, or (NULL: no name) of the path, that can hold a
 * graph with undirected arcs; NULL, and an error, if it cannot. */
const struct bestdag_format *bestdag_format_for_class(struct bestdag_run *run,
                                                      const char *name,
                                                      const char *path);
/* A network from the bytes of a file, settled. */
struct bestdag_network *bestdag_format_read(struct bestdag_run *run,
                                            const struct bestdag_format *format,
                                            const struct bestdag_file *file);

#endif
