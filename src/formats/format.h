/* SPDX-License-Identifier: MIT */
/* format.h -- network formats. A new format is one file that defines
 * bestdag_format_foo, and one row in format.c. */
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
    bool needs_tables;  /* writing a network without tables is refused */
    bool may_be_bare;   /* unless it has states; that it lacks tables is then
                           noted */
    bool holds_numbers; /* for formats that keep all: variables that are numbers
                           can be written */
    bool drops_properties; /* for formats that keep all: lost cut points are
                              noted */
    /* Does the text look like this format? For files without a suffix. May be
     * NULL. */
    bool (*sniff)(const struct bestdag_file *file);
    /* Returns NULL if failed, with an error in the run. file->bytes is
     * NUL-terminated. format.c calls bestdag_network_check_consistency() on the
     * result. NULL: write only.
     */
    struct bestdag_network *(*read)(struct bestdag_run *run,
                                    const struct bestdag_file *file);
    /* Errors go into the run. */
    void (*write)(struct bestdag_run *run,
                  const struct bestdag_network *network,
                  struct bestdag_sink *to);
    /* Writes a graph with directed and undirected arcs; NULL: cannot. */
    void (*write_class)(struct bestdag_run *run,
                        const struct bestdag_network *network,
                        const struct bestdag_pdag *pdag,
                        struct bestdag_sink *to);
    /* Writes what the format cannot hold to a second file beside `path`,
     * FILE.names (never for standard output or a device); NULL: nothing.
     * Returns the sink, which format.c closes; NULL: failed. Errors go into the
     * run. read_beside gets the checked network, which is checked again
     * afterwards. */
    struct bestdag_sink *(*write_beside)(struct bestdag_run *run,
                                         const struct bestdag_network *network,
                                         const char *path);
    void (*read_beside)(struct bestdag_run *run,
                        struct bestdag_network *network, const char *path);
};

const struct bestdag_format *bestdag_format_at(int i);
/* NULL if there is none, with the nearest name in the run's error. */
const struct bestdag_format *bestdag_format_named(struct bestdag_run *run,
                                                  const char *name);
/* The format of this name, or (NULL: no name) of the path, that can hold a
 * graph with undirected arcs; NULL, and an error, if it cannot. */
const struct bestdag_format *bestdag_format_for_class(struct bestdag_run *run,
                                                      const char *name,
                                                      const char *path);
/* Reads and checks a network from the bytes of a file. */
struct bestdag_network *bestdag_format_read(struct bestdag_run *run,
                                            const struct bestdag_format *format,
                                            const struct bestdag_file *file);

#endif
