/* SPDX-License-Identifier: MIT */
/* progress_log.h -- best and bound over time, in a few hundred points.
 *
 * Only changes are kept. When there is no room left, every second point is
 * removed, and from then on every second change is skipped, so that the points
 * stay spread evenly over the changes. The last change is always there. */
#ifndef BESTDAG_BASE_PROGRESS_LOG_H
#define BESTDAG_BASE_PROGRESS_LOG_H

#include "base/run.h"

enum { BESTDAG_PROGRESS_LOG_MOST = 400 };

struct bestdag_point {
    double seconds;     /* since the run began */
    double best, bound; /* NaN: not known */
};

struct bestdag_progress_log {
    int count;
    int64_t stride;  /* one of this many changes is kept; 0 is 1 */
    int64_t skipped; /* changes since the last that was kept */
    struct bestdag_point at[BESTDAG_PROGRESS_LOG_MOST];
};

/* Resets to unknown, when learning or solving begins or has ended. */
void bestdag_attained_clear(struct bestdag_run *run);
/* Calling thread: a network of this score was found; no network over the lists
 * scores above this bound. NaN, and values that are no better, change
 * nothing. */
void bestdag_attained_best(struct bestdag_run *run, double best);
void bestdag_attained_bound(struct bestdag_run *run, double bound);
/* The lists have changed, to this many sets: `bound` is over these, and
 * replaces all bounds before. */
void bestdag_attained_lists(struct bestdag_run *run, int64_t sets,
                            double bound);
/* Fills best, bound, improved, sets and grown. A bound below the best score
 * belongs to lists that do not contain that network: it is left out. */
void bestdag_attained_fill(const struct bestdag_run *run,
                           struct bestdag_progress *to);

/* Adds a point, if it is a change; NULL: nothing is recorded. */
void bestdag_progress_log_add(struct bestdag_progress_log *course,
                              struct bestdag_point point);

#endif
