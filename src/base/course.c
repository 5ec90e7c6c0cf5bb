/* SPDX-License-Identifier: MIT */
/* course.c -- how best and bound went over time, thinned out. */
#include "base/course.h"

#include <assert.h>
#include <math.h>

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || !(a < b || a > b || isnan(a) || isnan(b));
}

static bool is_change(const struct bestdag_course *c, struct bestdag_point p)
{
    if (isnan(p.best) && isnan(p.bound))
        return false;
    if (!c->count)
        return true;
    const struct bestdag_point *last = &c->at[c->count - 1];
    return !is_same(last->best, p.best) || !is_same(last->bound, p.bound);
}

static void thin_out(struct bestdag_course *c)
{
    int kept = 0;
    for (int i = 0; i < c->count; i += 2)
        c->at[kept++] = c->at[i];
    c->count = kept;
    c->stride *= 2;
}

/* The last place always has the last change, whether it will be kept or not. */
void bestdag_course_add(struct bestdag_course *c, struct bestdag_point p)
{
    if (!c || !is_change(c, p))
        return;
    if (!c->stride)
        c->stride = 1;
    if (++c->skipped < c->stride && c->count > 1) {
        c->at[c->count - 1] = p;
        return;
    }
    if (c->count == BESTDAG_COURSE_MOST)
        thin_out(c);
    assert(c->count < BESTDAG_COURSE_MOST);
    c->at[c->count++] = p;
    c->skipped = 0;
}
