/* SPDX-License-Identifier: MIT */
/* xmlreader.h -- reads XMLBIF; without libexpat it only says so. */
#ifndef BESTDAG_FORMATS_XMLREADER_H
#define BESTDAG_FORMATS_XMLREADER_H

#include "base/stream.h"
#include "network/network.h"

struct bestdag_network *bestdag_xml_read(struct bestdag_run *run,
                                         const struct bestdag_file *file);

#endif
