/* SPDX-License-Identifier: MIT */
/* refusal.h -- names and labels that a format cannot hold, detected before
 * anything is written. */
#ifndef BESTDAG_FORMATS_REFUSAL_H
#define BESTDAG_FORMATS_REFUSAL_H

#include "network/network.h"

struct bestdag_refusal {
    const char *format; /* for the message: "a modelstring" */
    /* Can the character that begins here not be written? NULL: all can. */
    bool (*unfit)(const char *at);
    bool labels; /* labels and properties are written, too */
};

/* BESTDAG_USAGE, naming the variable and the character, if something does not
 * fit or is not UTF-8. */
int bestdag_refusal_check(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_refusal *refusal);
/* An `unfit`: characters below the blank. */
bool bestdag_refusal_control(const char *at);

#endif
