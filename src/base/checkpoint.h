/* SPDX-License-Identifier: MIT */
/* checkpoint.h -- a folder with the state that a long run needs to continue
 * after it was killed.
 *
 * A checkpoint belongs to one command: its fingerprint, a text of lines
 * "key=value", identifies it, and another command is refused. Each state has a
 * name and its own file, which is written beside the old one, synced and
 * renamed, so that a kill at any moment leaves the old one or the new one.
 *
 * A state is defined by one function that passes every field to an archive,
 * which either writes it or fills it in. So saving and loading cannot differ. A
 * full disk only causes a note.
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

/* Opens the checkpoint of the options "checkpoint" and "checkpoint-every" as
 * run->checkpoint; the time that was used before counts against the run's
 * limit. Does nothing if the option is not given; a full disk is noted. Fails
 * with BESTDAG_USAGE if the folder belongs to another command or another run
 * uses it. */
int bestdag_checkpoint_open(struct bestdag_run *run,
                            const struct bestdag_options *options,
                            const char *fingerprint);
/* Closes run->checkpoint, if there is one; files stay. */
void bestdag_checkpoint_close(struct bestdag_run *run);
/* Makes the folder if it does not exist. False: the run failed, or the disk is
 * full, which is noted. */
bool bestdag_checkpoint_folder(struct bestdag_run *run, const char *folder);
/* Does this errno mean that the disk, or the user's quota, is full? */
bool bestdag_disk_is_full(int error);

/* Is it time to save? Never if c is NULL, or the run was stopped; not more
 * often than was asked for, and so that saving takes a twentieth of the time at
 * most. */
bool bestdag_checkpoint_due(const struct bestdag_checkpoint *c);
/* Names are made of letters, digits and '-'. */
void bestdag_checkpoint_save(struct bestdag_checkpoint *c, const char *name,
                             bestdag_pass_fn *pass, void *state);
/* False: there is no such file, it is damaged (which is noted), or the run
 * failed because it does not fit. Then `state` may be filled in part. */
bool bestdag_checkpoint_load(struct bestdag_checkpoint *c, const char *name,
                             bestdag_pass_fn *pass, void *state);
/* Saves how much time was used, if that is due. */
void bestdag_checkpoint_tick(struct bestdag_checkpoint *c);
/* Removes the files of a checkpoint, and the folder if it is then empty. */
void bestdag_checkpoint_remove(const char *folder);

extern const struct bestdag_option_group bestdag_checkpoint_options;

#endif
