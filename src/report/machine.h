/* SPDX-License-Identifier: MIT */
/* machine.h -- what this runs on; not whose it is. */
#ifndef BESTDAG_REPORT_MACHINE_H
#define BESTDAG_REPORT_MACHINE_H

#include "base/json.h"

/* An array of pairs: system, processor, cores, memory. */
void bestdag_machine_write(struct bestdag_json_writer *w, const char *key);

#endif
