/* SPDX-License-Identifier: MIT */
/* fixed_point.c -- doubles to multiples of 2^-64 nat and back, with the
 * direction of rounding chosen by the caller.
 *
 * ldexp() by 64 is exact (numbers below 2^-1022 become larger, not smaller),
 * and a double without a fraction below 2^127 is a whole number that the wide
 * type holds. */
#include "verify/kernel/fixed_point.h"

#include <assert.h>
#include <math.h>

static kernel_wide whole(double x)
{
    assert(x == floor(x) && fabs(x) <= 0x1p126); /* else it is undefined */
    return (kernel_wide)x;
}

kernel_wide bestdag_fixed_floor(double x)
{
    return whole(floor(ldexp(x, BESTDAG_FIXED_BITS)));
}

kernel_wide bestdag_fixed_ceil(double x)
{
    return whole(ceil(ldexp(x, BESTDAG_FIXED_BITS)));
}

/* The conversion is to a neighbour of x, below or above; |x| may be rounded up
 * to 2^127, which does not fit back. */
static double nearest(kernel_wide x, int *side)
{
    double y = (double)x;
    *side = y >= 0x1p127         ? 1
            : (kernel_wide)y > x ? 1
            : (kernel_wide)y < x ? -1
                                 : 0;
    return ldexp(y, -BESTDAG_FIXED_BITS);
}

double bestdag_fixed_down(kernel_wide x)
{
    int side;
    double y = nearest(x, &side);
    return side > 0 ? nextafter(y, -(double)INFINITY) : y;
}

double bestdag_fixed_up(kernel_wide x)
{
    int side;
    double y = nearest(x, &side);
    return side < 0 ? nextafter(y, (double)INFINITY) : y;
}

bool bestdag_fixed_add(kernel_wide *sum, kernel_wide x)
{
    return !__builtin_add_overflow(*sum, x, sum);
}
