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
#else
#define BESTDAG_AVX2
#endif

enum bestdag_simd { BESTDAG_SCALAR, BESTDAG_WITH_AVX2, BESTDAG_WITH_AVX512 };

/* What is used: the best that the processor has, or less if the environment
 * says so, for tests: BESTDAG_SIMD=scalar, avx2 or avx512. Other words, and
 * what the processor does not have, are ignored. It is looked at once. AVX-512
 * means that with VPOPCNTDQ. */
enum bestdag_simd bestdag_simd(void);

const char *bestdag_simd_name(void); /* of that */

static inline bool bestdag_has_avx2(void)
{
    return bestdag_simd() >= BESTDAG_WITH_AVX2;
}

#endif
