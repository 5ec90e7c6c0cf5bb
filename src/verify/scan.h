/* SPDX-License-Identifier: MIT */
/* scan.h -- the words and signs of one rule at a time. */
#ifndef BESTDAG_VERIFY_SCAN_H
#define BESTDAG_VERIFY_SCAN_H

#include "base/stream.h"

enum bestdag_scan_kind {
    BESTDAG_SCAN_END,
    BESTDAG_SCAN_WORD,
    BESTDAG_SCAN_QUOTED,
    BESTDAG_SCAN_SIGN
};

struct bestdag_scanned {
    enum bestdag_scan_kind kind;
    const char *text; /* in the file */
    int length, line;
};

struct bestdag_scan {
    struct bestdag_run *run;
    const char *name, *at, *end; /* the file, and where we are */
    int line;
    struct bestdag_scanned *token; /* owns; of the rule; an END last */
    int count, room;
    const char *from, *to; /* the rule in the file */
};

/* The tokens of the next rule; count 0: there is none any more. */
int bestdag_scan_rule(struct bestdag_scan *s);
int bestdag_scan_fail(struct bestdag_scan *s, int line, const char *format, ...)
    BESTDAG_PRINTF(3, 4);
/* Is the token this sign, or this word without quotes? */
bool bestdag_scan_is(const struct bestdag_scanned *t, const char *text);

#endif
