/* SPDX-License-Identifier: MIT */
/* fixed_point.h -- nats as whole multiples of 2^-64: what the checker adds and
 * subtracts exactly, so that every rounding has a known direction. */
#ifndef BESTDAG_VERIFY_FIXED_POINT_H
#define BESTDAG_VERIFY_FIXED_POINT_H

#include <stdbool.h>

/* Sums that no file can make overflow. */
__extension__ typedef __int128 kernel_wide;

enum { BESTDAG_FIXED_BITS = 64 }; /* 2^-64 nat */

/* Scores are within +-2^48 nat, so that 2^14 of them add up without overflow
 * and differences of two always exist. */
#define BESTDAG_FIXED_MOST 0x1p48

/* The largest multiple that is not above x, |x| <= BESTDAG_FIXED_MOST; the
 * smallest that is not below. Equal unless x has bits below 2^-64. */
kernel_wide bestdag_fixed_floor(double x);
kernel_wide bestdag_fixed_ceil(double x);
/* A double that is not above x, or not below; at most one step away. */
double bestdag_fixed_down(kernel_wide x);
double bestdag_fixed_up(kernel_wide x);
/* *sum += x; false: overflow, and *sum is of no use. */
bool bestdag_fixed_add(kernel_wide *sum, kernel_wide x);

#endif
