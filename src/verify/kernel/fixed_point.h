/* SPDX-License-Identifier: MIT */
/* fixed_point.h -- nats as whole multiples of 2^-64, which the checker adds and
 * subtracts exactly, so that every rounding has a known direction.
 *
 * ldexp() by 64 is exact (numbers below 2^-1022 become larger, not smaller),
 * and a double without a fraction below 2^127 is a whole number that the wide
 * type holds. */
#ifndef BESTDAG_VERIFY_FIXED_POINT_H
#define BESTDAG_VERIFY_FIXED_POINT_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* For sums that no file can make overflow. */
__extension__ typedef __int128 kernel_wide;

enum { KERNEL_FIXED_BITS = 64 }; /* 2^-64 nat */

/* Scores are within +-2^48 nat, so that 2^14 of them add up without overflow
 * and differences of two always exist. */
#define KERNEL_FIXED_MOST 0x1p48

/* The largest multiple that is not above x, |x| <= KERNEL_FIXED_MOST; the
 * smallest that is not below. Equal unless x has bits below 2^-64. */
static inline kernel_wide kernel_fixed_floor(double x)
{
    assert(fabs(x) <= KERNEL_FIXED_MOST);
    return (kernel_wide)floor(ldexp(x, KERNEL_FIXED_BITS));
}

static inline kernel_wide kernel_fixed_ceil(double x)
{
    return -kernel_fixed_floor(-x);
}

/* A double that is not below x, or not above, at most one step away. The
 * conversion is to a neighbour of x; |x| may be rounded up to 2^127, which does
 * not fit back. */
static inline double kernel_fixed_up(kernel_wide x)
{
    double y = (double)x, nats = ldexp(y, -KERNEL_FIXED_BITS);
    bool below = y < 0x1p127 && (kernel_wide)y < x;
    return below ? nextafter(nats, (double)INFINITY) : nats;
}

static inline double kernel_fixed_down(kernel_wide x)
{
    double y = (double)x, nats = ldexp(y, -KERNEL_FIXED_BITS);
    bool above = y >= 0x1p127 || (kernel_wide)y > x;
    return above ? nextafter(nats, -(double)INFINITY) : nats;
}

/* *sum += x; false: overflow, and *sum is undefined. */
static inline bool kernel_fixed_add(kernel_wide *sum, kernel_wide x)
{
    return !__builtin_add_overflow(*sum, x, sum);
}

#endif
