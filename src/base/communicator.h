/* SPDX-License-Identifier: MIT */
/* communicator.h -- the processes that work on one run together.
 *
 * Every rank runs the whole program on the same input. Work that is not spread
 * is done by all ranks, with the same results; of work that is
 * (parallel/spread.h) each rank does a part, and the results are exchanged.
 * Rank 0 leads: its clock and its signals decide, and it alone prints and
 * writes. A transport carries messages; the only one in the product is MPI
 * (parallel/mpi_transport.c). */
#ifndef BESTDAG_BASE_COMMUNICATOR_H
#define BESTDAG_BASE_COMMUNICATOR_H

#include "base/text.h"

struct bestdag_message {
    int from;
    int kind;
    int64_t number[4];
    char *bytes; /* owns when it was received; free with bestdag_free() */
    int64_t size;
};

/* All calls come from one thread: the one that called the library. */
struct bestdag_transport {
    /* The message is copied; returns at once. */
    int (*send)(void *wire, struct bestdag_run *run, int to,
                const struct bestdag_message *message);
    /* Receives a message that has arrived from any rank; false: there is none.
     * Messages of one rank arrive in order. */
    bool (*receive)(void *wire, struct bestdag_run *run,
                    struct bestdag_message *to);
    /* On all ranks at once: copies the bytes of rank 0 to the others. */
    void (*share)(void *wire, void *bytes, int64_t size);
    /* On all ranks at once: replaces each number by its sum over all ranks;
     * they are int64_t, or int32_t if they have 4 bytes. */
    void (*sum)(void *wire, void *number, int64_t count, int bytes);
    /* Frees the wire. */
    void (*close)(void *wire);
};

struct bestdag_communicator {
    const struct bestdag_transport *by;
    void *wire; /* owns */
    int rank, ranks;
    int here;        /* ranks on this machine, which share its memory */
    bool is_alone;   /* the ranks have separated: rank 0 continues without the
                        others, which end */
    bool serves;     /* each rank has some of the rows: rank 0 works alone, and
                        the others count for it (data/shards.h) */
    bool has_parted; /* they separated before the run was stopped */
    bool is_busy;    /* in a collective: messages are for it */
    int gone;        /* ranks whose program has ended */
    int code;        /* the exit code of rank 0, once it has ended */
    int64_t collectives;
    struct bestdag_message
        *waiting; /* owns; [ranks]; on rank 0: arrivals at the next collective;
                     on others: messages that came too early; kind 0: none */
    int64_t messages, bytes; /* that this rank has sent */
    double waited;           /* seconds, for other ranks */
    /* Copies the bytes of rank 0 to the others, on all ranks at once
     * (collective.h). False: alone, or the run failed. */
    bool (*share)(struct bestdag_run *run, uint64_t digest,
                  struct bestdag_buffer *b);
    /* Checks, now and then, whether another rank has ended or failed. */
    void (*look)(struct bestdag_run *run);
};

/* The one that a run shares its work with; NULL: it is alone. */
static inline struct bestdag_communicator *bestdag_communicator_of(
    const struct bestdag_run *run)
{
    return run->communicator && !run->communicator->is_alone &&
                   !run->communicator->serves && run->communicator->ranks > 1
               ? run->communicator
               : NULL;
}
/* Does the run poll for messages while it works? A rank that counts rows does
 * so where it waits for requests. */
static inline bool bestdag_communicator_listens(const struct bestdag_run *run)
{
    const struct bestdag_communicator *c = run->communicator;
    return c && !c->is_alone && !c->is_busy && c->ranks > 1 &&
           !(c->serves && c->rank);
}
/* Does this process only help rank 0, and write nothing? */
static inline bool bestdag_run_helps(const struct bestdag_run *run)
{
    while (run->outer)
        run = run->outer;
    return run->communicator && run->communicator->rank > 0;
}

#endif
