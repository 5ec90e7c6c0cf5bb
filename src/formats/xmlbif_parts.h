/* SPDX-License-Identifier: MIT */
/* xmlbif_parts.h -- the contents of an XMLBIF file, before the network is
 * built.
 */
#ifndef BESTDAG_FORMATS_XMLBIF_PARTS_H
#define BESTDAG_FORMATS_XMLBIF_PARTS_H

#include "formats/cursor.h"
#include "network/network.h"

struct bestdag_xml_variable {
    struct bestdag_variable v; /* owns what is in it */
    struct bestdag_place place;
    char type[16];
};

struct bestdag_xml_definition {
    char *of;     /* owns */
    char **given; /* owns */
    int givens;
    double *number; /* owns */
    int64_t numbers, room;
    bool has_table;
    struct bestdag_place place, table_place;
};

struct bestdag_xml_parts {
    struct bestdag_run *run;
    const char *file; /* its name, for messages */
    char *name;       /* owns; of the network */
    char **property;  /* owns; of the network */
    int properties;
    struct bestdag_xml_variable *variable; /* owns */
    int variables, variable_room;
    struct bestdag_xml_definition *definition; /* owns */
    int definitions, definition_room;
};

/* "file:line:column: <message>"; BESTDAG_INPUT. */
int bestdag_xml_fail(const struct bestdag_xml_parts *parts,
                     struct bestdag_place at, const char *format, ...)
    BESTDAG_PRINTF(3, 4);
/* Builds the network; NULL: failed, with an error in the run. Empties the parts
 * that it takes over. */
struct bestdag_network *bestdag_xml_build(struct bestdag_xml_parts *parts);
void bestdag_xml_release(struct bestdag_xml_parts *parts);

#endif
