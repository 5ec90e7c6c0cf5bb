/* SPDX-License-Identifier: MIT */
/* course.h -- how best and bound went over time, in a few hundred points.
 *
 * Only changes are kept. When there is no room left, every second point goes,
 * and from then on every second change is passed over, so that the points stay
 * spread evenly over the changes. The last change is always there. */
#ifndef BESTDAG_BASE_COURSE_H
#define BESTDAG_BASE_COURSE_H

#include "base/run.h"

enum { BESTDAG_COURSE_MOST = 400 };

struct bestdag_point {
    double seconds;     /* since the run began */
    double best, bound; /* NaN: not known */
};

struct bestdag_course {
    int count;
    int64_t stride;  /* of so many changes one is kept; 0 is 1 */
    int64_t skipped; /* changes since the last that was kept */
    struct bestdag_point at[BESTDAG_COURSE_MOST];
};

/* A point, if it is a change; course NULL: nobody listens. */
void bestdag_course_add(struct bestdag_course *course,
                        struct bestdag_point point);

#endif
