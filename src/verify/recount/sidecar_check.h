/* SPDX-License-Identifier: MIT */
/* sidecar_check.h -- FILE.json beside a score file, as the checker reads it:
 * how the lists were made, what the variables are called, which lists are
 * complete. Only the names are used unchecked; everything else is reported as
 * stated. */
#ifndef BESTDAG_VERIFY_SIDECAR_H
#define BESTDAG_VERIFY_SIDECAR_H

#include "base/json.h"
#include "verify/kernel/score_lists.h"

struct verify_sidecar {
    struct bestdag_json *root; /* owns; NULL: there is no sidecar */
    char *path;                /* owns */
    bool complete;             /* it says so of all lists */
    int limit; /* the smallest limit on parents of a list; -1: there is none */
};

/* Reads the sidecar of a score file. If the score file has numbers for names,
 * the lists get the names that stand here. Release it in any case. */
int bestdag_verify_sidecar_read(struct bestdag_run *run, const char *scores,
                                struct kernel_lists *lists,
                                struct verify_sidecar *to);
void bestdag_verify_sidecar_release(struct verify_sidecar *c);
/* A note; NULL: there is none. */
const char *bestdag_verify_sidecar_note(const struct verify_sidecar *c,
                                        const char *key);

#endif
