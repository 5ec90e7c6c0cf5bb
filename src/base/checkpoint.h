/* SPDX-License-Identifier: MIT */
/* checkpoint.h -- a folder in which a long run keeps what it would need to
 * continue after it was killed.
 *
 * A checkpoint belongs to one command: its fingerprint, a text of lines
 * "key=value", says which, and another command is refused. What is kept has a
 * name and is a file of its own, written beside, synced and renamed, so that a
 * kill at any moment leaves the old one or the new one.
 *
 * What is kept is defined by one function that passes every field to a archive;
 * the archive writes it, or fills it in again. So what is saved and what is
 * taken over cannot differ. A disk that is full costs a note and nothing else.
 *
 * A file holds one state as a whole, which the next one replaces. Items that
 * are finished one after the other and never change are appended to a journal
 * instead (journal.h); that of the candidate lists is in the same folder.
 *
 * Only the calling thread may use it. */
#ifndef BESTDAG_BASE_CHECKPOINT_H
#define BESTDAG_BASE_CHECKPOINT_H

#include "base/options.h"
#include "base/archive.h"

struct bestdag_checkpoint;

/* ---- the folder ---------------------------------------------------------- */

/* Of the options "checkpoint" and "checkpoint-every". Becomes run->checkpoint;
 * the time that was used before counts against the run's limit. Nothing is done
 * if the option is not given; if the disk is full, a note says so. Fails with
 * BESTDAG_USAGE if the folder belongs to another command or another run works
 * with it. */
int bestdag_checkpoint_open(struct bestdag_run *run,
                            const struct bestdag_options *options,
                            const char *fingerprint);
/* Of run->checkpoint, if there is one; files stay. */
void bestdag_checkpoint_close(struct bestdag_run *run);
/* Makes the folder if it is not there. False: the run failed, or the disk is
 * full, which a note says. */
bool bestdag_checkpoint_folder(struct bestdag_run *run, const char *folder);
/* Does this errno say that there is no room, now or for this user? */
bool bestdag_disk_is_full(int error);

/* Is it time to save? Never if c is NULL, or the run was stopped; not more
 * often than was asked for, and so that saving takes a twentieth of the time at
 * most. */
bool bestdag_checkpoint_due(const struct bestdag_checkpoint *c);
/* Names are made of letters, digits and '-'. */
void bestdag_checkpoint_save(struct bestdag_checkpoint *c, const char *name,
                             bestdag_pass_fn *pass, void *state);
/* False: there is none, what there is is damaged (a note says so), or the run
 * failed: it does not fit. Then `state` may be filled in part. */
bool bestdag_checkpoint_load(struct bestdag_checkpoint *c, const char *name,
                             bestdag_pass_fn *pass, void *state);
/* Saves how much time was used, if that is due. */
void bestdag_checkpoint_tick(struct bestdag_checkpoint *c);
/* Removes what may be in the folder, and the folder if nothing else is. */
void bestdag_checkpoint_remove(const char *folder);

extern const struct bestdag_option_group bestdag_checkpoint_options;

#endif
