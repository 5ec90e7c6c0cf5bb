/* SPDX-License-Identifier: MIT */
/* signals.c -- what signals do: the first asks the run to stop, so that the
 * best network so far is written; one that comes REPEATED seconds later or more
 * ends the process at once.
 *
 * Signals that come sooner are the same request: timeout(1) signals the process
 * and then its group, terminals and job managers do so, too. SIGXCPU never
 * ends at once: the kernel repeats it every second of processor time until the
 * hard limit.
 *
 * However a signal ends the process, files that are half written are removed
 * first. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { REPEATED = 2 }; /* seconds */

static struct bestdag_run *signalled_run;
/* Set once: several threads may be in the handler. */
static _Atomic int caught;
static _Atomic long long caught_at; /* milliseconds */
_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2,
               "the handler of signals needs atomics without locks");

static long long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void on_stop(int number)
{
    int reason = errno, none = 0;
    long long now = milliseconds(), never = 0;
    atomic_compare_exchange_strong(&caught_at, &never, now);
    atomic_compare_exchange_strong(&caught, &none, number);
    if (number != SIGXCPU &&
        now - atomic_load(&caught_at) >= 1000LL * REPEATED) {
        bestdag_run_discard(signalled_run);
        _exit(128 + number);
    }
    bestdag_run_stop(signalled_run);
    errno = reason;
}

/* Removes half-written files, then ends as without a handler. */
static void on_end(int number)
{
    bestdag_run_discard(signalled_run);
    raise(number); /* SA_RESETHAND has put the default back */
}

static void handle(int number, void (*handler)(int), bool unless_ignored)
{
    struct sigaction old, action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    if (handler == on_end)
        action.sa_flags = (int)SA_RESETHAND;
    if (!sigaction(number, NULL, &old) &&
        !(unless_ignored && old.sa_handler == SIG_IGN))
        sigaction(number, &action, NULL);
}

void catch_signals(struct bestdag_run *run)
{
    signalled_run = run;
    handle(SIGINT, on_stop, false);
    handle(SIGTERM, on_stop, false);
    handle(SIGUSR1, on_stop, true); /* of job managers, before they kill */
    handle(SIGHUP, on_stop, true);  /* nohup(1) ignores it for us */
    handle(SIGXCPU, on_stop, true);
    handle(SIGPIPE, on_end, true);
    handle(SIGQUIT, on_end, true);
    signal(SIGXFSZ, SIG_IGN); /* too large a file is a write error */
}

int signal_caught(void)
{
    return atomic_load(&caught);
}
