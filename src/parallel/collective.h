/* SPDX-License-Identifier: MIT */
/* collective.h -- collective operations of the ranks of a run.
 *
 * All ranks call the same collectives in the same order, because all run the
 * same program on the same input, and decisions by a clock or a signal are
 * agreed on. If they ever diverge (because a decision was not agreed on), it is
 * detected here: the numbers of the collectives or their digests differ. Then
 * rank 0 continues alone and the others end, so that the result is always one
 * that a single process could have given, and no rank waits for ever.
 *
 * All functions must be called on the calling thread. Without other ranks they
 * do nothing. */
#ifndef BESTDAG_PARALLEL_COLLECTIVE_H
#define BESTDAG_PARALLEL_COLLECTIVE_H

#include "base/archive.h"
#include "base/communicator.h"

enum { /* kinds of messages */
       BESTDAG_MESSAGE_HELLO =
           1, /* collective, digest, ending, status; text: the error */
       BESTDAG_MESSAGE_START, /* ending, status, decision; text: the error */
       BESTDAG_MESSAGE_LEAVE, /* the ranks separate */
       BESTDAG_MESSAGE_BYE,   /* the program has ended: exit code, ending; text:
                                 the   error */
       BESTDAG_MESSAGE_ASK,   /* for items */
       BESTDAG_MESSAGE_GIVE,  /* first item, items */
       BESTDAG_MESSAGE_RESULT,  /* items packed */
       BESTDAG_MESSAGE_STOPPED, /* ending */
       BESTDAG_MESSAGE_STOP,    /* ending */
       BESTDAG_MESSAGE_SETTLED, /* no more items are begun, and all results were
                                   sent */
       BESTDAG_MESSAGE_BROKEN,  /* status; text: the error */
       BESTDAG_MESSAGE_BATCH,   /* bytes, which are broadcast next */
       BESTDAG_MESSAGE_END,     /* ending, status; text: the error */
       BESTDAG_MESSAGE_EXCHANGE, /* collective; bytes for one rank */
       BESTDAG_MESSAGE_PART,     /* bytes of a rank for a gather */
       BESTDAG_MESSAGE_COUNT,    /* sets to be counted: data/shards.c */
       BESTDAG_MESSAGE_HASH      /* column; bytes: a hash to be continued */
};

/* Waits until all ranks are here with the same digest; then they agree on
 * whether, and how, the run was stopped, and whether it failed. False:
 * alone. */
bool bestdag_collective_sync(struct bestdag_run *run, uint64_t digest);
/* Rank 0's decision, which may depend on its clock; alone: `own`. */
bool bestdag_collective_decide(struct bestdag_run *run, uint64_t digest,
                               bool own);
/* The same for a number, such as the seconds that are left. */
double bestdag_collective_number(struct bestdag_run *run, uint64_t digest,
                                 double own);
/* Copies rank 0's data to the others. False: alone, or the run failed. */
bool bestdag_collective_broadcast(struct bestdag_run *run, uint64_t digest,
                                  bestdag_pass_fn *pass, void *state);
/* The same for bytes: on the other ranks *b is replaced. */
bool bestdag_collective_broadcast_bytes(struct bestdag_run *run,
                                        uint64_t digest,
                                        struct bestdag_buffer *b);
/* Replaces each number by its sum over all ranks. */
bool bestdag_collective_sum(struct bestdag_run *run, uint64_t digest,
                            int64_t *number, int64_t count);
/* Replaces each number by its minimum over all ranks. */
bool bestdag_collective_least(struct bestdag_run *run, uint64_t digest,
                              int64_t *number, int64_t count);
/* Sends to[i] to rank i and receives from[i] from it; [ranks], empty for the
 * rank itself. False: alone, or the run failed. */
bool bestdag_collective_exchange(struct bestdag_run *run, uint64_t digest,
                                 const struct bestdag_buffer *to,
                                 struct bestdag_buffer *from);
/* Rank 0 gets the bytes of every rank, its own included: to[rank], which are
 * empty on the other ranks; the caller releases them. False: alone, or the run
 * failed. */
bool bestdag_collective_gather(struct bestdag_run *run, uint64_t digest,
                               const struct bestdag_buffer *own,
                               struct bestdag_buffer *to);
/* Checks that all ranks have read the same file `what`, whose hash is `mark`.
 * If not, or if a rank could not read it, the run fails, naming the rank. */
int bestdag_collective_agree(struct bestdag_run *run, uint64_t mark,
                             const char *what);

/* ---- for parallel/ ------------------------------------------------------- */

/* A hash of a text, for digests. */
uint64_t bestdag_collective_hash(const char *text);
/* Makes the call on the thread that called the library, also from a
 * coroutine. */
void bestdag_communicator_call(struct bestdag_run *run, void (*call)(void *),
                               void *argument);
int bestdag_communicator_send(struct bestdag_run *run, int to,
                              const struct bestdag_message *message);
void bestdag_communicator_send_all(struct bestdag_run *run,
                                   const struct bestdag_message *message);
bool bestdag_communicator_receive(struct bestdag_run *run,
                                  struct bestdag_message *to);
/* Waits for a message. */
void bestdag_communicator_wait(struct bestdag_run *run,
                               struct bestdag_message *to);
void bestdag_communicator_bytes(struct bestdag_run *run, void *bytes,
                                int64_t size);
/* Stops the run as another rank's was stopped, unless it is stopped already. */
void bestdag_communicator_end(struct bestdag_run *run, int64_t ending);
/* Fails with the error of another rank, unless the run has failed already. */
void bestdag_communicator_fail(struct bestdag_run *run, int from,
                               int64_t status,
                               const struct bestdag_message *message);
/* Handles a message that the present work does not wait for: an arrival at the
 * next collective, or a rank that ends. Takes its bytes. */
void bestdag_communicator_open(struct bestdag_run *run,
                               struct bestdag_message message);
/* Called between two polls, of which there were *looks (initially 0): yields,
 * or sleeps, longer each time. */
void bestdag_communicator_back_off(int *looks);
/* Makes a communicator with this wire the run's; false: failed, and the wire is
 * closed. */
bool bestdag_communicator_join(struct bestdag_run *run,
                               struct bestdag_communicator draft);
/* The program ends with this code: informs the other ranks; rank 0 waits for
 * them. Returns the code of rank 0. */
int bestdag_communicator_leave(struct bestdag_run *run, int code);

#endif
