/* SPDX-License-Identifier: MIT */
/* machine.h -- the system that this runs on, without names. */
#ifndef BESTDAG_REPORT_MACHINE_H
#define BESTDAG_REPORT_MACHINE_H

#include "base/json.h"

/* Writes an array of pairs: system, processor, cores, memory. */
void bestdag_machine_write(struct bestdag_json_writer *w, const char *key);

#endif
