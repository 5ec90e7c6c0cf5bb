/* SPDX-License-Identifier: MIT */
/* collective.h -- where the ranks of a run wait for each other.
 *
 * All ranks come to the same collectives in the same order, because all run the
 * same program on the same input, and what a clock or a signal decides is
 * agreed on. Should they not (a clock decided something that was not agreed
 * on), it shows here: the numbers of the collectives or their digests differ.
 * Then rank 0 goes on alone, and the others end, so that the answer is always
 * one that a single process could have given, and nobody waits for ever.
 *
 * All functions are for the calling thread. Without other ranks they do
 * nothing. */
#ifndef BESTDAG_PARALLEL_COLLECTIVE_H
#define BESTDAG_PARALLEL_COLLECTIVE_H

#include "base/archive.h"
#include "base/communicator.h"

enum { /* kinds of messages */
       BESTDAG_MESSAGE_HELLO =
           1, /* collective, digest, ending, status; text: the error */
       BESTDAG_MESSAGE_START, /* ending, status, decision; text: the error */
       BESTDAG_MESSAGE_LEAVE, /* go separate ways */
       BESTDAG_MESSAGE_BYE,   /* the program has ended: exit code, ending; text:
                                 the   error */
       BESTDAG_MESSAGE_ASK,   /* for items */
       BESTDAG_MESSAGE_GIVE,  /* first item, items */
       BESTDAG_MESSAGE_RESULT,   /* items packed */
       BESTDAG_MESSAGE_STOPPED,  /* ending */
       BESTDAG_MESSAGE_STOP,     /* ending */
       BESTDAG_MESSAGE_SETTLED,  /* nothing is begun any more, and all was sent
                                  */
       BESTDAG_MESSAGE_BROKEN,   /* status; text: the error */
       BESTDAG_MESSAGE_BATCH,    /* bytes, which are shared next */
       BESTDAG_MESSAGE_END,      /* ending, status; text: the error */
       BESTDAG_MESSAGE_EXCHANGE, /* collective; bytes for one rank */
       BESTDAG_MESSAGE_PART,     /* bytes of a rank that are gathered */
       BESTDAG_MESSAGE_COUNT,    /* sets to be counted: data/shards.c */
       BESTDAG_MESSAGE_HASH      /* column; bytes: a hash to be continued */
};

/* All ranks are here, with the same digest; then they agree on whether the run
 * was stopped, and how, and on whether it failed. False: alone. */
bool bestdag_collective_sync(struct bestdag_run *run, uint64_t digest);
/* What rank 0 has decided, by its clock perhaps; alone: `own`. */
bool bestdag_collective_decide(struct bestdag_run *run, uint64_t digest,
                               bool own);
/* The same of a number, such as the seconds that are left. */
double bestdag_collective_number(struct bestdag_run *run, uint64_t digest,
                                 double own);
/* What rank 0 passes, the others get. False: alone, or the run failed. */
bool bestdag_collective_broadcast(struct bestdag_run *run, uint64_t digest,
                                  bestdag_pass_fn *pass, void *state);
/* The same of bytes: on the other ranks *b is replaced. */
bool bestdag_collective_broadcast_bytes(struct bestdag_run *run,
                                        uint64_t digest,
                                        struct bestdag_buffer *b);
/* Each number becomes the sum of those of all ranks. */
bool bestdag_collective_sum(struct bestdag_run *run, uint64_t digest,
                            int64_t *number, int64_t count);
/* Each number becomes the least of those of all ranks. */
bool bestdag_collective_least(struct bestdag_run *run, uint64_t digest,
                              int64_t *number, int64_t count);
/* to[i] goes to rank i, and from[i] becomes what it sent; [ranks],
 * and nothing for or from itself. False: alone, or the run failed. */
bool bestdag_collective_exchange(struct bestdag_run *run, uint64_t digest,
                                 const struct bestdag_buffer *to,
                                 struct bestdag_buffer *from);
/* Rank 0 gets the bytes of every rank, its own included: to[rank], which are
 * empty on the other ranks; the caller releases them. False: alone, or the run
 * failed. */
bool bestdag_collective_gather(struct bestdag_run *run, uint64_t digest,
                               const struct bestdag_buffer *own,
                               struct bestdag_buffer *to);
/* All ranks have read the same file `what`: `mark` is a hash of it. Else the
 * run fails, and names the rank, as it does if one could not read it. */
int bestdag_collective_agree(struct bestdag_run *run, uint64_t mark,
                             const char *what);

/* ---- for parallel/ --------------------------------------------------------
 */

/* A hash of a text, for digests. */
uint64_t bestdag_collective_hash(const char *text);
/* On the thread that called the library, also from a coroutine. */
void bestdag_communicator_call(struct bestdag_run *run, void (*call)(void *),
                               void *argument);
int bestdag_communicator_send(struct bestdag_run *run, int to,
                              const struct bestdag_message *message);
void bestdag_communicator_send_all(struct bestdag_run *run,
                                   const struct bestdag_message *message);
bool bestdag_communicator_receive(struct bestdag_run *run,
                                  struct bestdag_message *to);
/* Waits for one. */
void bestdag_communicator_wait(struct bestdag_run *run,
                               struct bestdag_message *to);
void bestdag_communicator_bytes(struct bestdag_run *run, void *bytes,
                                int64_t size);
/* Stops the run as another rank's was, unless it is stopped. */
void bestdag_communicator_end(struct bestdag_run *run, int64_t ending);
/* Fails with the error of another rank, unless it has failed. */
void bestdag_communicator_fail(struct bestdag_run *run, int from,
                               int64_t status,
                               const struct bestdag_message *message);
/* A message that no work at hand waits for: a greeting for the next collective,
 * or a rank that ends. Takes its bytes. */
void bestdag_communicator_open(struct bestdag_run *run,
                               struct bestdag_message message);
/* Between two looks for messages, of which there were *looks, 0 at first: lets
 * others work, or sleeps, longer each time. */
void bestdag_communicator_back_off(int *looks);
/* A communicator with this wire becomes the run's; false: failed, and the wire
 * is closed. */
bool bestdag_communicator_join(struct bestdag_run *run,
                               struct bestdag_communicator draft);
/* The program ends with this code: the others are told, and rank 0 waits for
 * them. Returns the code of rank 0. */
int bestdag_communicator_leave(struct bestdag_run *run, int code);

#endif
