/* SPDX-License-Identifier: MIT */
/* invariant.h -- conditions on arrays for asserts only: a build without asserts
 * does not evaluate them. */
#ifndef BESTDAG_BASE_INVARIANT_H
#define BESTDAG_BASE_INVARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Is each smaller than the next, and are all in 0 .. n - 1? */
static inline bool bestdag_is_set(const int *at, int64_t count, int n)
{
    for (int64_t i = 0; i < count; i++)
        if (at[i] < 0 || at[i] >= n || (i && at[i - 1] >= at[i]))
            return false;
    return true;
}

/* Is none smaller than the one before? */
static inline bool bestdag_is_ascending(const int64_t *at, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (at[i - 1] > at[i])
            return false;
    return true;
}

/* Is none larger than the one before, and none NaN? */
static inline bool bestdag_is_descending(const double *at, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(at[i] <= (i ? at[i - 1] : at[i])))
            return false;
    return true;
}

/* Does each of 0 .. n - 1 occur once? True, too, if there is no memory to
 * check. */
static inline bool bestdag_is_permutation(const int *at, int n)
{
    unsigned char *seen = calloc((size_t)n + 1, 1);
    bool fine = true;
    for (int i = 0; seen && fine && i < n; i++) {
        fine = at[i] >= 0 && at[i] < n && !seen[at[i]];
        if (fine)
            seen[at[i]] = 1;
    }
    free(seen);
    return fine;
}

/* Has a row no bit at n or beyond? */
static inline bool bestdag_is_row_of(const uint64_t *row, int n)
{
    return n % 64 == 0 || !(row[n / 64] >> (n % 64));
}

#endif
