/* SPDX-License-Identifier: MIT */
/* mpi_transport.c -- messages between ranks by MPI, which no other file uses.
 *
 * A message is one MPI message of bytes with a header, sent without waiting;
 * its bytes are kept until it has been sent. All calls come from the thread
 * that calls the library (MPI_THREAD_FUNNELED). An error inside MPI, such as a
 * rank that is gone, ends all ranks, which is what MPI does by default. Without
 * BESTDAG_MPI the functions only report that MPI is missing. */
#include "parallel/collective.h"

#ifdef BESTDAG_MPI
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG = 1,
    AT_ONCE = 1 << 28 /* bytes or numbers in one call: counts are ints */
};

struct message_header {
    int64_t kind, number[4];
};

struct pending_send {
    MPI_Request request;
    char *bytes; /* owns */
    struct pending_send *next;
};

struct wire {
    MPI_Comm comm;
    struct pending_send *first; /* owns; not yet sent */
    bool is_ours;               /* MPI was started here and is ended here */
};

/* Frees messages that have been sent; `wait`: waits until all have been. */
static void complete_sends(struct wire *w, bool wait)
{
    for (struct pending_send **at = &w->first; *at;) {
        struct pending_send *s = *at;
        int has_left = 1;
        if (wait)
            MPI_Wait(&s->request, MPI_STATUS_IGNORE);
        else
            MPI_Test(&s->request, &has_left, MPI_STATUS_IGNORE);
        if (!has_left) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free(s->bytes);
        free(s);
    }
}

/* Not from the run's memory: a run that is out of memory must be able to say
 * so. */
static int send_async(void *wire, struct bestdag_run *run, int to,
                      const struct bestdag_message *message)
{
    struct wire *w = wire;
    struct message_header head = {.kind = message->kind};
    size_t size = sizeof head + (size_t)message->size;
    complete_sends(w, false);
    struct pending_send *s = malloc(sizeof *s);
    char *bytes = malloc(size);
    (void)run;
    if (!s || !bytes || size > INT_MAX) /* no rank could be informed */
        MPI_Abort(w->comm, BESTDAG_MEMORY);
    memcpy(head.number, message->number, sizeof head.number);
    memcpy(bytes, &head, sizeof head);
    if (message->size)
        memcpy(bytes + sizeof head, message->bytes, (size_t)message->size);
    s->bytes = bytes;
    s->next = w->first;
    w->first = s;
    MPI_Isend(bytes, (int)size, MPI_BYTE, to, TAG, w->comm, &s->request);
    return BESTDAG_OK;
}

static bool fetch(void *wire, struct bestdag_run *run,
                  struct bestdag_message *to)
{
    struct wire *w = wire;
    MPI_Status status;
    MPI_Message message;
    struct message_header head;
    int is_there = 0, size = 0;
    complete_sends(w, false);
    MPI_Improbe(MPI_ANY_SOURCE, TAG, w->comm, &is_there, &message, &status);
    if (!is_there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    char *bytes = malloc((size_t)size);
    if (!bytes)
        MPI_Abort(w->comm, BESTDAG_MEMORY);
    MPI_Mrecv(bytes, size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    memcpy(&head, bytes, sizeof head);
    *to = (struct bestdag_message){.from = status.MPI_SOURCE,
                                   .kind = (int)head.kind,
                                   .size = size - (int64_t)sizeof head};
    memcpy(to->number, head.number, sizeof head.number);
    to->bytes = bestdag_alloc(run, (size_t)to->size);
    if (to->bytes && to->size)
        memcpy(to->bytes, bytes + sizeof head, (size_t)to->size);
    if (!to->bytes)
        to->size = 0;
    free(bytes);
    return true;
}

/* Waits without occupying a core: a wait inside MPI may poll without a
 * pause. */
static void complete(MPI_Request *request)
{
    int is_done = 0;
    for (int looks = 0;; bestdag_communicator_back_off(&looks)) {
        MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (is_done)
            return;
    }
}

static int piece(int64_t at, int64_t size)
{
    return (int)(size - at < AT_ONCE ? size - at : AT_ONCE);
}

static void share(void *wire, void *bytes, int64_t size)
{
    struct wire *w = wire;
    MPI_Request request;
    for (int64_t at = 0; at < size; at += AT_ONCE) {
        MPI_Ibcast((char *)bytes + at, piece(at, size), MPI_BYTE, 0, w->comm,
                   &request);
        complete(&request);
    }
}

static void sum(void *wire, void *number, int64_t count, int bytes)
{
    struct wire *w = wire;
    MPI_Request request;
    for (int64_t at = 0; at < count; at += AT_ONCE) {
        MPI_Iallreduce(MPI_IN_PLACE, (char *)number + at * bytes,
                       piece(at, count), bytes == 4 ? MPI_INT32_T : MPI_INT64_T,
                       MPI_SUM, w->comm, &request);
        complete(&request);
    }
}

static void close_wire(void *wire)
{
    struct wire *w = wire;
    complete_sends(w, true);
    MPI_Comm_free(&w->comm);
    if (w->is_ours)
        MPI_Finalize();
    free(w);
}

static const struct bestdag_transport by_mpi = {.send = send_async,
                                                .receive = fetch,
                                                .share = share,
                                                .sum = sum,
                                                .close = close_wire};

/* Number of ranks on this machine. */
static int count_here(MPI_Comm comm)
{
    MPI_Comm here;
    int count = 1;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return count;
}

static int join(struct bestdag_run *run, MPI_Comm comm, bool is_ours)
{
    struct bestdag_communicator draft = {.by = &by_mpi};
    struct wire *w = calloc(1, sizeof *w);
    if (!w)
        return bestdag_fail(run, BESTDAG_MEMORY, "out of memory");
    w->is_ours = is_ours;
    MPI_Comm_dup(comm, &w->comm);
    MPI_Comm_rank(w->comm, &draft.rank);
    MPI_Comm_size(w->comm, &draft.ranks);
    draft.here = count_here(w->comm);
    draft.wire = w;
    bestdag_communicator_join(run, draft);
    return bestdag_run_status(run);
}

int bestdag_run_set_ranks(struct bestdag_run *run, const void *communicator)
{
    int is_ready = 0, level = 0;
    if (bestdag_lacks(run, communicator, "communicator"))
        return bestdag_run_status(run);
    MPI_Initialized(&is_ready);
    if (is_ready)
        MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "MPI must be initialised with MPI_THREAD_FUNNELED "
                            "before a run gets its ranks");
    return join(run, *(const MPI_Comm *)communicator, false);
}

/* One of these is set by mpirun of Open MPI, by mpiexec of MPICH and its
 * derivatives, and by srun with PMI or PMIx. */
static bool is_launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK",
                                        "PMI_RANK", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

int bestdag_run_launch(struct bestdag_run *run)
{
    int level = 0;
    if (bestdag_run_status(run) || !is_launched())
        return bestdag_run_status(run);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    if (level < MPI_THREAD_FUNNELED)
        return bestdag_fail(run, BESTDAG_FAILED,
                            "this MPI does not support threads");
    return join(run, MPI_COMM_WORLD, true);
}

#else

int bestdag_run_set_ranks(struct bestdag_run *run, const void *communicator)
{
    if (bestdag_lacks(run, communicator, "communicator"))
        return bestdag_run_status(run);
    return bestdag_fail(run, BESTDAG_USAGE,
                        "this build of bestdag has no MPI: configure it with "
                        "-DBESTDAG_MPI=ON");
}

int bestdag_run_launch(struct bestdag_run *run)
{
    return bestdag_run_status(run);
}

#endif

int bestdag_run_land(struct bestdag_run *run, int code)
{
    return run ? bestdag_communicator_leave(run, code) : code;
}

int bestdag_run_rank(const struct bestdag_run *run)
{
    return run && run->communicator ? run->communicator->rank : 0;
}

int bestdag_run_ranks(const struct bestdag_run *run)
{
    return run && run->communicator ? run->communicator->ranks : 1;
}
