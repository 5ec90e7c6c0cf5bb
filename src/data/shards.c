/* SPDX-License-Identifier: MIT */
/* shards.c -- rank 0 requests counts from the other ranks.
 *
 * A request is one message to every rank and one sum over all. Only the thread
 * that called the library sends (bestdag_parallel_ask), so requests of several
 * workers come one after the other. The sum has one number in addition to the
 * cells: how many ranks could not count. */
#include "data/shards.h"

#include <string.h>

#include "data/shard_bits.h"
#include "parallel/collective.h"
#include "parallel/parallel.h"

/* Rows times sets of one request, so that a stop is noticed in a second. */
static const int64_t MOST_WORK = (int64_t)1 << 30;

struct bestdag_shards *bestdag_shards_new(struct bestdag_run *run,
                                          struct bestdag_table *own,
                                          bool is_weighted, int64_t most_rows,
                                          int64_t total)
{
    struct bestdag_shards *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s) {
        bestdag_table_free(own);
        return NULL;
    }
    *s = (struct bestdag_shards){.ranks = run,
                                 .own = own,
                                 .is_weighted = is_weighted,
                                 .most_rows = most_rows,
                                 .total = total};
    s->number = bestdag_alloc(run, ((size_t)BESTDAG_SHARD_CELLS + 1) *
                                       sizeof *s->number);
    if (s->number) {
        s->bits = bestdag_shard_bits_new(run, own);
        return s;
    }
    bestdag_shards_free(s);
    return NULL;
}

void bestdag_shards_free(struct bestdag_shards *s)
{
    if (!s)
        return;
    bestdag_shard_bits_free(s->bits);
    bestdag_table_free(s->own);
    bestdag_free(s->number);
    bestdag_free(s);
}

int64_t bestdag_shard_cells(const struct bestdag_table *table,
                            const int *variables, int count)
{
    int64_t cells = 1;
    for (int i = 0; i < count; i++) {
        cells *= table->column[variables[i]].states;
        if (cells > BESTDAG_SHARD_CELLS)
            return -1;
    }
    return cells;
}

/* ---- counting ------------------------------------------------------------ */

/* Narrows numbers in place to half as many bytes, and widens them again. */
static void narrow(int64_t *number, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int32_t half = (int32_t)number[i];
        memcpy((char *)number + i * (int64_t)sizeof half, &half, sizeof half);
    }
}

static void widen(int64_t *number, int64_t count)
{
    for (int64_t i = count - 1; i >= 0; i--) {
        int32_t half;
        memcpy(&half, (char *)number + i * (int64_t)sizeof half, sizeof half);
        number[i] = half;
    }
}

/* Sums the counts of this rank and the others. */
static int count_and_sum(struct bestdag_run *run, struct bestdag_shards *s,
                         const struct bestdag_shard_request *r, int64_t cells)
{
    struct bestdag_communicator *all = s->ranks->communicator;
    memset(s->number, 0, ((size_t)cells + 1) * sizeof *s->number);
    s->number[cells] = bestdag_shard_count_rows(run, s, r, s->number) != 0;
    bool is_narrow = s->total <= INT32_MAX; /* no cell has more */
    int bytes = is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    if (is_narrow)
        narrow(s->number, cells + 1);
    all->messages++;
    all->bytes += 2 * (cells + 1) * bytes;
    all->by->sum(all->wire, s->number, cells + 1, bytes);
    if (is_narrow)
        widen(s->number, cells + 1);
    return s->number[cells] ? bestdag_fail(run, BESTDAG_FAILED,
                                           "a rank could not count its rows")
                            : BESTDAG_OK;
}

struct asking {
    struct bestdag_run *run;
    struct bestdag_shards *shards;
    struct bestdag_shard_request request;
    int64_t cells;
    int64_t *to;
    int status;
};

static void ask(void *argument)
{
    struct asking *a = argument;
    const struct bestdag_shard_request *r = &a->request;
    struct bestdag_buffer b = {.run = a->run};
    bestdag_buffer_add(&b, (const char *)r->variables,
                       (size_t)r->count * sizeof *r->variables);
    bestdag_buffer_add(&b, (const char *)r->more,
                       (size_t)r->mores * sizeof *r->more);
    a->status = bestdag_run_status(a->run);
    if (!a->status) {
        struct bestdag_message message = {
            .kind = BESTDAG_MESSAGE_COUNT,
            .number = {r->count, r->mores, a->cells},
            .bytes = b.at,
            .size = (int64_t)b.length};
        bestdag_communicator_send_all(a->shards->ranks, &message);
        a->status = count_and_sum(a->run, a->shards, r, a->cells);
        memcpy(a->to, a->shards->number, (size_t)a->cells * sizeof *a->to);
    }
    bestdag_buffer_release(&b);
}

static int refuse(struct bestdag_run *run, const struct bestdag_table *table,
                  int child, int parents)
{
    return bestdag_fail(run, BESTDAG_USAGE,
                        "rows-by-rank: the table of '%s' with %d parents has "
                        "more than %d cells, which is not summed over ranks: "
                        "set --max-parents",
                        table->column[child].name, parents,
                        BESTDAG_SHARD_CELLS);
}

int bestdag_shards_count(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         const struct bestdag_shard_request *request,
                         int64_t *to)
{
    struct bestdag_shards *s = table->shards;
    int64_t shared =
        bestdag_shard_cells(table, request->variables, request->count);
    int64_t most = MOST_WORK / (s->most_rows + 1) + 1;
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (shared < 0)
        return refuse(run, table, request->variables[0], request->count - 1);
    for (int next = 0, first = 0; first < request->mores || !first;
         first = next) {
        struct asking a = {.run = run,
                           .shards = s,
                           .request = *request,
                           .cells = request->mores ? 0 : shared,
                           .to = to};
        for (; next < request->mores && next - first < most; next++) {
            int64_t cells = shared * table->column[request->more[next]].states;
            if (cells > BESTDAG_SHARD_CELLS)
                return refuse(run, table, request->more[next], request->count);
            if (a.cells + cells > BESTDAG_SHARD_CELLS)
                break;
            a.cells += cells;
        }
        if (request->mores)
            a.request.more += first;
        a.request.mores = next - first;
        bestdag_parallel_ask(run, ask, &a);
        if (a.status || !request->mores)
            return a.status;
        to += a.cells;
    }
    return BESTDAG_OK;
}

/* ---- a hash that goes from rank to rank ---------------------------------- */

struct hashing {
    struct bestdag_run *run;
    struct bestdag_shards *shards;
    int column;
    struct bestdag_sha256 *sha;
};

static void send_hash(struct bestdag_run *run, int to, int column,
                      struct bestdag_sha256 *sha)
{
    struct bestdag_message message = {.kind = BESTDAG_MESSAGE_HASH,
                                      .number = {column},
                                      .bytes = (char *)sha,
                                      .size = sizeof *sha};
    bestdag_communicator_send(run, to, &message);
}

static void take_hash(const struct bestdag_message *message,
                      struct bestdag_sha256 *sha)
{
    bestdag_sha256_mix_fn *mix = sha->mix; /* this machine's */
    if (message->size == sizeof *sha)
        memcpy(sha, message->bytes, sizeof *sha);
    sha->mix = mix;
}

/* Waits for the next message of rank i; it may first report a signal that it
 * has caught. */
static void wait_for_hash(struct bestdag_run *run, struct bestdag_message *to)
{
    bestdag_communicator_wait(run, to);
    while (to->kind == BESTDAG_MESSAGE_STOPPED) {
        bestdag_communicator_open(run, *to);
        bestdag_communicator_wait(run, to);
    }
}

/* Always passes through rank 0, whose messages arrive in order: those of
 * another rank could overtake the last one of earlier work. */
static void hash(void *argument)
{
    struct hashing *h = argument;
    struct bestdag_run *ranks = h->shards->ranks;
    bestdag_shard_hash_rows(h->shards->own, h->column, h->sha);
    for (int i = 1; i < ranks->communicator->ranks; i++) {
        struct bestdag_message message;
        send_hash(ranks, i, h->column, h->sha);
        wait_for_hash(ranks, &message);
        if (message.kind == BESTDAG_MESSAGE_HASH)
            take_hash(&message, h->sha);
        else
            bestdag_fail(h->run, BESTDAG_FAILED, "rank %d has ended",
                         message.from);
        bestdag_free(message.bytes);
        if (bestdag_run_status(h->run))
            return;
    }
}

int bestdag_shards_hash(struct bestdag_run *run,
                        const struct bestdag_table *table, int column,
                        struct bestdag_sha256 *sha)
{
    struct hashing h = {run, table->shards, column, sha};
    bestdag_parallel_ask(run, hash, &h);
    return bestdag_run_status(run);
}

/* ---- the other ranks ----------------------------------------------------- */

static void give_counts(struct bestdag_run *run, struct bestdag_shards *s,
                        const struct bestdag_message *message)
{
    const int *variable = (const int *)(const void *)message->bytes;
    struct bestdag_shard_request r = {
        .variables = variable,
        .count = (int)message->number[0],
        .more = variable + message->number[0],
        .mores = (int)message->number[1],
    };
    count_and_sum(run, s, &r, message->number[2]);
}

/* Receives the next message of rank 0; tells rank 0 once if this rank was
 * stopped. */
static void next_request(struct bestdag_run *run, bool *has_told,
                         struct bestdag_message *to)
{
    for (int looks = 0; !bestdag_communicator_receive(run, to);
         bestdag_communicator_back_off(&looks)) {
        struct bestdag_message stopped = {.kind = BESTDAG_MESSAGE_STOPPED,
                                          .number = {bestdag_run_ending(run)}};
        if (stopped.number[0] == BESTDAG_ENDED || *has_told)
            continue;
        bestdag_communicator_send(run, 0, &stopped);
        *has_told = true;
    }
}

int bestdag_shards_serve(struct bestdag_run *run, struct bestdag_shards *s)
{
    bool has_told = false;
    for (bool is_over = false; !is_over;) {
        struct bestdag_message message;
        struct bestdag_sha256 sha;
        next_request(run, &has_told, &message);
        switch (message.kind) {
        case BESTDAG_MESSAGE_COUNT:
            give_counts(run, s, &message);
            break;
        case BESTDAG_MESSAGE_HASH:
            bestdag_sha256_init(&sha);
            take_hash(&message, &sha);
            bestdag_shard_hash_rows(s->own, (int)message.number[0], &sha);
            send_hash(run, 0, (int)message.number[0], &sha);
            break;
        default: /* the program of rank 0 has ended */
            is_over = true;
        }
        bestdag_free(message.bytes);
    }
    return bestdag_run_status(run);
}
