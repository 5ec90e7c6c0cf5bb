/* SPDX-License-Identifier: MIT */
/* simd.c -- which instructions are used. */
#include "base/simd.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {[BESTDAG_SCALAR] = "scalar",
                                    [BESTDAG_WITH_AVX2] = "avx2",
                                    [BESTDAG_WITH_AVX512] = "avx512"};
enum { COUNT = sizeof names / sizeof *names };

static enum bestdag_simd chosen;

static enum bestdag_simd best_of_machine(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vpopcntdq"))
        return BESTDAG_WITH_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return BESTDAG_WITH_AVX2;
#endif
    return BESTDAG_SCALAR;
}

/* Features that the processor lacks, and unknown words, are ignored. */
static void choose(void)
{
    const char *word = getenv("BESTDAG_SIMD");
    enum bestdag_simd best = best_of_machine();
    chosen = best;
    for (int i = 0; word && i < COUNT; i++)
        if (!strcmp(word, names[i]) && i < (int)best)
            chosen = (enum bestdag_simd)i;
}

enum bestdag_simd bestdag_simd(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return chosen;
}

const char *bestdag_simd_name(void)
{
    return names[bestdag_simd()];
}
