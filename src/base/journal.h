/* SPDX-License-Identifier: MIT */
/* journal.h -- a file to which finished items are appended, so that work can
 * continue after a crash.
 *
 * The first line, the head, is text and identifies the request: a name of the
 * kind of file, and "key=value" separated by tabs; it ends in a checksum. A
 * file with another head is refused. An item is any bytes; before them are
 * their number and a checksum, as this machine has its numbers. It is flushed
 * to the system as a whole when it is appended. If a crash leaves an incomplete
 * last item, it is cut off, and the item has to be computed again.
 *
 * A journal is for items that never change once they are finished, of which
 * there may be many. State that changes as a whole is kept in a checkpoint
 * (checkpoint.h), which replaces its files. */
#ifndef BESTDAG_BASE_JOURNAL_H
#define BESTDAG_BASE_JOURNAL_H

#include <stdio.h>

#include "base/text.h"

struct bestdag_journal {
    struct bestdag_run *run;
    char *path;                 /* owns */
    FILE *file;                 /* owns; NULL: it could not be made */
    struct bestdag_buffer item; /* read last, or to be appended */
    int64_t head_end, valid;    /* offsets: of the first item; of the end of
                                   what is kept */
    bool is_tolerant; /* a damaged head costs a note, and the file is not used
                         (it is in a checkpoint, whose owner is known) */
    bool is_full;     /* the disk: nothing is written any more */
};

/* For tests that forge items. */
uint64_t bestdag_journal_checksum(const void *bytes, size_t n);

/* Takes over `path`, also on failure. */
void bestdag_journal_init(struct bestdag_journal *j, struct bestdag_run *run,
                          char *path);
void bestdag_journal_release(struct bestdag_journal *j);
/* Opens a file whose head is `head`; its items can then be read. False: there
 * is none, or only a part of its head, so that a new one must be started; or
 * the run failed: it belongs to another request (BESTDAG_USAGE), or does not
 * begin with the first `kind` characters of the head (BESTDAG_INPUT). */
bool bestdag_journal_open(struct bestdag_journal *j, const char *head,
                          size_t kind);
/* Reads the next complete item into j->item, followed by a 0. False: there is
 * none, or memory failed. */
bool bestdag_journal_next(struct bestdag_journal *j);
/* Keeps the items read so far. */
void bestdag_journal_keep(struct bestdag_journal *j);
/* Drops the items read so far. */
void bestdag_journal_discard(struct bestdag_journal *j);
/* Cuts off what is not kept; items can then be appended. */
int bestdag_journal_resume(struct bestdag_journal *j);
/* Starts an empty journal with this head, replacing any existing file. A full
 * disk is noted, and nothing is written from then on. */
int bestdag_journal_start(struct bestdag_journal *j, const char *head);
/* Appends j->item. */
int bestdag_journal_append(struct bestdag_journal *j);

#endif
