/* SPDX-License-Identifier: MIT */
/* simd.h -- one body, compiled twice: for any machine, and for AVX2.
 *
 * A kernel is written once as a BESTDAG_INLINE function in plain C. Two small
 * wrappers call it, one of them marked BESTDAG_AVX2, and the caller asks
 * bestdag_has_avx2() which to take. Kernels work on integers, so that both give
 * the same bytes. */
#ifndef BESTDAG_BASE_SIMD_H
#define BESTDAG_BASE_SIMD_H

#include <stdbool.h>

#define BESTDAG_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define BESTDAG_AVX2 __attribute__((target("avx2")))
static inline bool bestdag_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}
#else
#define BESTDAG_AVX2
static inline bool bestdag_has_avx2(void)
{
    return false;
}
#endif

#endif
