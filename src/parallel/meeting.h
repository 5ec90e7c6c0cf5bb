/* SPDX-License-Identifier: MIT */
/* meeting.h -- where the ranks of a run wait for each other.
 *
 * All ranks come to the same meetings in the same order, because all run the
 * same program on the same input, and what a clock or a signal decides is
 * agreed on. Should they not (a clock decided something that was not agreed
 * on), it shows here: the numbers of the meetings or their digests differ. Then
 * rank 0 goes on alone, and the others end, so that the answer is always one
 * that a single process could have given, and nobody waits for ever.
 *
 * All functions are for the calling thread. Without other ranks they do
 * nothing. */
#ifndef BESTDAG_PARALLEL_MEETING_H
#define BESTDAG_PARALLEL_MEETING_H

#include "base/parcel.h"
#include "base/team.h"

enum { /* kinds of letters */
       BESTDAG_LETTER_HELLO =
           1, /* meeting, digest, ending, status; text: the error */
       BESTDAG_LETTER_START, /* ending, status, decision; text: the error */
       BESTDAG_LETTER_LEAVE, /* go separate ways */
       BESTDAG_LETTER_BYE,  /* the program has ended: exit code; text: the error
                             */
       BESTDAG_LETTER_ASK,  /* for items */
       BESTDAG_LETTER_GIVE, /* first item, items */
       BESTDAG_LETTER_RESULT,  /* items packed */
       BESTDAG_LETTER_STOPPED, /* ending */
       BESTDAG_LETTER_STOP,    /* ending */
       BESTDAG_LETTER_SETTLED, /* nothing is begun any more, and all was sent */
       BESTDAG_LETTER_BROKEN,  /* status; text: the error */
       BESTDAG_LETTER_BATCH,   /* bytes, which are shared next */
       BESTDAG_LETTER_END      /* ending, status; text: the error */
};

/* All ranks are here, with the same digest; then they agree on whether the run
 * was stopped, and how, and on whether it failed. False: alone. */
bool bestdag_meet(struct bestdag_run *run, uint64_t digest);
/* What rank 0 has decided, by its clock perhaps; alone: `own`. */
bool bestdag_meet_decide(struct bestdag_run *run, uint64_t digest, bool own);
/* The same of a number, such as the seconds that are left. */
double bestdag_meet_number(struct bestdag_run *run, uint64_t digest,
                           double own);
/* What rank 0 passes, the others get. False: alone, or the run failed. */
bool bestdag_meet_share(struct bestdag_run *run, uint64_t digest,
                        bestdag_pass_fn *pass, void *state);
/* The same of bytes: on the other ranks *b is replaced. */
bool bestdag_meet_bytes(struct bestdag_run *run, uint64_t digest,
                        struct bestdag_buffer *b);
/* Each number becomes the sum of those of all ranks. */
bool bestdag_meet_sum(struct bestdag_run *run, uint64_t digest, int64_t *number,
                      int64_t count);
/* All ranks have read the same file `what`: `mark` is a hash of it. Else the
 * run fails, and names the rank, as it does if one could not read it. */
int bestdag_meet_agree(struct bestdag_run *run, uint64_t mark,
                       const char *what);

/* ---- for parallel/ --------------------------------------------------------
 */

/* A hash of a text, for digests. */
uint64_t bestdag_meeting_hash(const char *text);
/* On the thread that called the library, also from a coroutine. */
void bestdag_team_call(struct bestdag_run *run, void (*call)(void *),
                       void *argument);
int bestdag_team_send(struct bestdag_run *run, int to,
                      const struct bestdag_letter *letter);
void bestdag_team_send_all(struct bestdag_run *run,
                           const struct bestdag_letter *letter);
bool bestdag_team_receive(struct bestdag_run *run, struct bestdag_letter *to);
void bestdag_team_bytes(struct bestdag_run *run, void *bytes, int64_t size);
/* Stops the run as another rank's was, unless it is stopped. */
void bestdag_team_end(struct bestdag_run *run, int64_t ending);
/* Fails with the error of another rank, unless it has failed. */
void bestdag_team_fail(struct bestdag_run *run, int from, int64_t status,
                       const struct bestdag_letter *letter);
/* A team with this wire becomes the run's; false: failed, and the wire is
 * closed. */
bool bestdag_team_join(struct bestdag_run *run, struct bestdag_team draft);
/* The program ends with this code: the others are told, and rank 0 waits for
 * them. Returns the code of rank 0. */
int bestdag_team_leave(struct bestdag_run *run, int code);

#endif
