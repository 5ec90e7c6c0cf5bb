/* SPDX-License-Identifier: MIT */
/* memory.c -- allocation against a budget.
 *
 * Each block is preceded by a header with its size and the budget it counts
 * against, so that bestdag_free() needs nothing but the pointer, and a table
 * may outlive the run that read it. The header counts too, so that a million
 * short texts are not taken for nothing:
 *
 *     | budget | bytes | what the caller sees ...
 *
 * A budget lives as long as its run or one of its blocks. The budget of a slice
 * charges its outer one as well.
 *
 * A run that has the process for itself keeps to its limit with all that the
 * process has. What plans are made with is the same in every run: a fixed part
 * of the limit is kept for the program, its libraries and stacks. What else the
 * system counts (pieces that malloc keeps, pages that are not full) is measured
 * while blocks are taken, and decides only whether there is room for one. */
#include <assert.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/run.h"
#include "base/temp_bytes.h"
#include "base/text.h"

struct bestdag_budget {
    struct bestdag_budget *outer; /* one reference; NULL: outermost */
    _Atomic int64_t used, peak, limit, references;
    _Atomic int64_t on_disk;   /* bytes in temporary files, ever */
    _Atomic int64_t countdown; /* to a failure; below 0: it has happened */
    /* of a run that owns the whole process */
    _Atomic bool is_process;
    _Atomic int64_t
        slack; /* memory of the process beyond `used` and the kept part */
    _Atomic int64_t taken;   /* bytes since that was measured */
    _Atomic int64_t trimmed; /* milliseconds: when malloc gave back last */
};

enum {
    KEPT = 4 << 20,     /* bytes for the program, its libraries and stacks */
    KEPT_PART = 8,      /* at most this part of the limit */
    MEASURED_PART = 64, /* of the limit is taken between two measurements */
    TRIM_EVERY = 50     /* milliseconds at least */
};

struct header {
    _Alignas(max_align_t) struct bestdag_budget *budget;
    size_t bytes; /* charged: the header is among them */
};

struct bestdag_budget *bestdag_budget_new(struct bestdag_budget *outer)
{
    struct bestdag_budget *budget = calloc(1, sizeof *budget);
    if (!budget)
        return NULL;
    budget->references = 1;
    budget->outer = outer;
    if (outer)
        atomic_fetch_add(&outer->references, 1);
    return budget;
}

void bestdag_budget_release(struct bestdag_budget *budget)
{
    assert(!budget || atomic_load(&budget->references) > 0);
    while (budget && atomic_fetch_sub(&budget->references, 1) == 1) {
        struct bestdag_budget *outer = budget->outer;
        free(budget);
        budget = outer;
    }
}

void bestdag_budget_limit(struct bestdag_budget *budget, int64_t bytes)
{
    atomic_store(&budget->limit, bytes);
}

void bestdag_run_own_process(struct bestdag_run *run)
{
    if (run)
        atomic_store(&run->budget->is_process, true);
}

/* The part of the limit that no block may use. */
static int64_t kept(const struct bestdag_budget *budget)
{
    int64_t part = atomic_load(&budget->limit) / KEPT_PART;
    if (!atomic_load(&budget->is_process))
        return 0;
    return part < KEPT ? part : KEPT;
}

static int64_t used_of(const struct bestdag_budget *budget)
{
    return atomic_load(&budget->used) + kept(budget);
}

/* Resident bytes; 0: not known. */
static int64_t resident(void)
{
    char text[64] = "";
    long long pages = 0;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    if (n <= 0 || sscanf(text, "%*d %lld", &pages) != 1)
        return 0;
    return pages * sysconf(_SC_PAGESIZE);
}

static void measure(struct bestdag_budget *budget)
{
    int64_t most = atomic_load(&budget->limit) / KEPT_PART;
    int64_t slack = resident() - used_of(budget);
    atomic_store(&budget->taken, 0);
    atomic_store(&budget->slack, slack < 0 ? 0 : slack < most ? slack : most);
}

/* Before a request is refused: can malloc return memory? */
static bool make_room(struct bestdag_budget *budget)
{
    int64_t now = (int64_t)(bestdag_seconds() * 1e3);
    int64_t last = atomic_load(&budget->trimmed);
    if (!atomic_load(&budget->slack) || now - last < TRIM_EVERY ||
        !atomic_compare_exchange_strong(&budget->trimmed, &last, now))
        return false;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    measure(budget);
    return true;
}

static void raise_peak(struct bestdag_budget *budget, int64_t used)
{
    int64_t peak = atomic_load(&budget->peak);
    while (used > peak &&
           !atomic_compare_exchange_weak(&budget->peak, &peak, used))
        ;
}

static void refund(struct bestdag_budget *budget, int64_t bytes,
                   const struct bestdag_budget *until)
{
    for (; budget != until; budget = budget->outer) {
        int64_t before = atomic_fetch_sub(&budget->used, bytes);
        assert(before >= bytes); /* nothing is given back that was not taken */
        (void)before;
    }
}

/* A budget never holds, not even for a moment, a request that it refuses:
 * another thread's small request must not fail because of it. */
static bool charge_one(struct bestdag_budget *budget, int64_t bytes)
{
    int64_t used = atomic_load(&budget->used);
    do {
        int64_t limit = atomic_load(&budget->limit), room = limit - used;
        if (limit > 0)
            room -= kept(budget) + atomic_load(&budget->slack);
        if (limit > 0 && bytes > 0 && bytes > room)
            return false;
    } while (!atomic_compare_exchange_weak(&budget->used, &used, used + bytes));
    return true;
}

/* The same for a run that owns the whole process: measures the process now and
 * then. */
static bool charge_process(struct bestdag_budget *budget, int64_t bytes)
{
    int64_t limit = atomic_load(&budget->limit);
    if (limit > 0 && bytes > 0 &&
        atomic_fetch_add(&budget->taken, bytes) + bytes > limit / MEASURED_PART)
        measure(budget);
    return charge_one(budget, bytes) ||
           (make_room(budget) && charge_one(budget, bytes));
}

/* NULL if all budgets of the chain are charged, else the one that has no room,
 * and none is charged. */
static struct bestdag_budget *charge(struct bestdag_budget *budget,
                                     int64_t bytes)
{
    struct bestdag_budget *b = budget;
    for (; b; b = b->outer)
        if (!(atomic_load(&b->is_process) ? charge_process(b, bytes)
                                          : charge_one(b, bytes))) {
            refund(budget, bytes, b);
            return b;
        }
    for (b = budget; b; b = b->outer)
        raise_peak(b, atomic_load(&b->used));
    return NULL;
}

static bool has_counted_down(struct bestdag_budget *budget)
{
    bool fails = false;
    for (; budget; budget = budget->outer)
        if (atomic_load(&budget->countdown) > 0 &&
            atomic_fetch_sub(&budget->countdown, 1) == 1) {
            /* others may count on meanwhile, and must not come round */
            atomic_store(&budget->countdown, INT64_MIN / 2);
            fails = true;
        }
    return fails;
}

/* `full` is the budget without room; NULL: the machine is out of memory. */
static void *refuse(struct bestdag_run *run, const struct bestdag_budget *full,
                    size_t bytes)
{
    char more[32], used[32], limit[32];
    const struct bestdag_budget *b = full ? full : run->budget;
    bestdag_size_format(bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes, more);
    bestdag_size_format(used_of(b) + atomic_load(&b->slack), used);
    bestdag_size_format(atomic_load(&b->limit), limit);
    bestdag_fail(run, BESTDAG_MEMORY,
                 "out of memory: %s more needed, %s in use%s%s", more, used,
                 full ? ", limit " : "", full ? limit : "");
    return NULL;
}

static void *take(struct bestdag_run *run, size_t bytes, bool zeroed)
{
    if (bytes > (size_t)INT64_MAX / 2 || has_counted_down(run->budget))
        return refuse(run, NULL, bytes);
    size_t all = sizeof(struct header) + bytes;
    struct bestdag_budget *full = charge(run->budget, (int64_t)all);
    if (full)
        return refuse(run, full, bytes);
    struct header *head = zeroed ? calloc(1, all) : malloc(all);
    if (!head) {
        refund(run->budget, (int64_t)all, NULL);
        return refuse(run, NULL, bytes);
    }
    atomic_fetch_add(&run->budget->references, 1);
    head->budget = run->budget;
    head->bytes = all;
    return head + 1;
}

void *bestdag_alloc(struct bestdag_run *run, size_t bytes)
{
    return take(run, bytes, false);
}

void *bestdag_calloc(struct bestdag_run *run, size_t count, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all))
        all = SIZE_MAX; /* which is refused */
    return take(run, all, true);
}

void *bestdag_realloc(struct bestdag_run *run, void *p, size_t bytes)
{
    if (!p)
        return bestdag_alloc(run, bytes);
    if (bytes > (size_t)INT64_MAX / 2 || has_counted_down(run->budget))
        return refuse(run, NULL, bytes);
    struct header *head = (struct header *)p - 1;
    struct bestdag_budget *budget = head->budget;
    size_t all = sizeof *head + bytes;
    assert(budget && head->bytes >= sizeof *head);
    int64_t more = (int64_t)all - (int64_t)head->bytes;
    struct bestdag_budget *full = charge(budget, more);
    if (full)
        return refuse(run, full, bytes);
    head = realloc(head, all);
    if (!head) {
        refund(budget, more, NULL);
        return refuse(run, NULL, bytes);
    }
    head->bytes = all;
    return head + 1;
}

void bestdag_free(void *p)
{
    if (!p)
        return;
    struct header *head = (struct header *)p - 1;
    struct bestdag_budget *budget = head->budget;
    assert(budget && head->bytes >= sizeof *head);
    refund(budget, (int64_t)head->bytes, NULL);
    free(head);
    bestdag_budget_release(budget);
}

char *bestdag_strndup(struct bestdag_run *run, const char *text, size_t n)
{
    char *copy = bestdag_alloc(run, n + 1);
    if (!copy)
        return NULL;
    if (n)
        memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

char *bestdag_strdup(struct bestdag_run *run, const char *text)
{
    return bestdag_strndup(run, text, strlen(text));
}

/* Refuses a plan for more than the machine has: the process would be killed.
 * Users with swap space can set a limit. */
static int refuse_plan(struct bestdag_run *run, int64_t bytes, int64_t physical,
                       const char *what)
{
    char more[32], most[32];
    bestdag_size_format(bytes, more);
    bestdag_size_format(physical, most);
    return bestdag_fail(run, BESTDAG_MEMORY,
                        "%s needs %s; the machine has %s (--memory-limit "
                        "allows more)",
                        what, more, most);
}

int bestdag_reserve(struct bestdag_run *run, int64_t bytes, const char *what)
{
    if (bytes < 0 || bytes > INT64_MAX / 2)
        return bestdag_fail(run, BESTDAG_MEMORY,
                            "%s needs more than any machine has", what);
    int64_t physical = bestdag_memory_physical();
    if (physical && bytes > physical && !bestdag_memory_limit(run))
        return refuse_plan(run, bytes, physical, what);
    for (struct bestdag_budget *b = run->budget; b; b = b->outer) {
        int64_t limit = atomic_load(&b->limit), used = used_of(b);
        if (limit > 0 && bytes > limit - used) {
            char more[32], now[32], most[32];
            bestdag_size_format(bytes, more);
            bestdag_size_format(used, now);
            bestdag_size_format(limit, most);
            return bestdag_fail(run, BESTDAG_MEMORY,
                                "%s needs %s; %s in use, limit %s", what, more,
                                now, most);
        }
    }
    return BESTDAG_OK;
}

int64_t bestdag_memory_used(const struct bestdag_run *run)
{
    return used_of(run->budget);
}

int64_t bestdag_memory_peak(const struct bestdag_run *run)
{
    struct rusage usage;
    if (!atomic_load(&run->budget->is_process) ||
        getrusage(RUSAGE_SELF, &usage))
        return atomic_load(&run->budget->peak);
    return (int64_t)usage.ru_maxrss * 1024;
}

void bestdag_temp_bytes_add(struct bestdag_run *run, int64_t bytes)
{
    for (struct bestdag_budget *b = run->budget; b; b = b->outer)
        atomic_fetch_add(&b->on_disk, bytes);
}

int64_t bestdag_temp_bytes(const struct bestdag_run *run)
{
    return atomic_load(&run->budget->on_disk);
}

int64_t bestdag_memory_limit(const struct bestdag_run *run)
{
    int64_t least = 0;
    for (struct bestdag_budget *b = run->budget; b; b = b->outer) {
        int64_t limit = atomic_load(&b->limit);
        if (limit > 0 && (!least || limit < least))
            least = limit;
    }
    return least;
}

int64_t bestdag_memory_physical(void)
{
    int64_t pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? pages * bytes : 0;
}

void bestdag_memory_fail_at(struct bestdag_run *run, int64_t n)
{
    atomic_store(&run->budget->countdown, n);
}

bool bestdag_memory_has_failed(const struct bestdag_run *run)
{
    return atomic_load(&run->budget->countdown) < 0;
}
