/* SPDX-License-Identifier: MIT */
/* json_numbers.h -- the regressions of numbers in our JSON format. */
#ifndef BESTDAG_FORMATS_JSON_NUMBERS_H
#define BESTDAG_FORMATS_JSON_NUMBERS_H

#include "base/json.h"
#include "base/stream.h"
#include "network/network.h"

/* Writes "regressions": [...] of v, without the text around it. */
void bestdag_json_write_regressions(struct bestdag_run *run,
                                    struct bestdag_sink *to,
                                    const struct bestdag_network *net, int v);
/* kind: "number" or "states"; NULL: not given. */
int bestdag_json_take_kind(struct bestdag_run *run, const char *file,
                           const struct bestdag_json *kind,
                           struct bestdag_variable *x);

struct bestdag_json_regressions {
    const char *file;
    const struct bestdag_json *list; /* NULL: none */
    struct bestdag_network *net;
    int variable;
    const int *parents; /* of v, in the file's order */
};
int bestdag_json_take_regressions(struct bestdag_run *run,
                                  const struct bestdag_json_regressions *job);

#endif
