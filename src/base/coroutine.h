/* SPDX-License-Identifier: MIT */
/* coroutine.h -- a function that can pause and be resumed later.
 *
 * It has a thread of its own, so that any code can pause however deep it is in
 * its calls; but the thread and the one that resumes it take turns: one of the
 * two always waits for the other, and no data need a lock. */
#ifndef BESTDAG_BASE_COROUTINE_H
#define BESTDAG_BASE_COROUTINE_H

#include <stdbool.h>

struct bestdag_run;
struct bestdag_coroutine;

/* Nothing of `body` runs before the first resume. NULL: failed. */
struct bestdag_coroutine *bestdag_coroutine_new(struct bestdag_run *run,
                                                void (*body)(void *argument),
                                                void *argument);
/* Runs the body until it pauses (true) or has returned (false). */
bool bestdag_coroutine_resume(struct bestdag_coroutine *c);
/* Inside the body, on its own thread: returns when it is resumed. */
void bestdag_coroutine_pause(struct bestdag_coroutine *c);
/* Inside the body: makes `call` on the thread that resumed it, for code that
 * must not run on another, such as the user's callbacks. */
void bestdag_coroutine_ask(struct bestdag_coroutine *c, void (*call)(void *),
                           void *argument);
/* Only for one that was never resumed, or has returned. NULL is allowed. */
void bestdag_coroutine_free(struct bestdag_coroutine *c);

#endif
