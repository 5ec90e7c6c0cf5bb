/* SPDX-License-Identifier: MIT */
/* xmlbif_read.h -- reads XMLBIF; without libexpat it only says so. */
#ifndef BESTDAG_FORMATS_XMLBIF_READ_H
#define BESTDAG_FORMATS_XMLBIF_READ_H

#include "base/stream.h"
#include "network/network.h"

struct bestdag_network *bestdag_xml_read(struct bestdag_run *run,
                                         const struct bestdag_file *file);

#endif
