/* SPDX-License-Identifier: MIT */
/* popcount.c -- AND and population count, for what the processor can do.
 *
 * With AVX-512 VPOPCNTDQ an instruction counts 8 words. With AVX2 a shuffle
 * looks up the bits of each half byte; carry-save adders merge eight vectors
 * first, so that most of them are never looked up (Mula, Kurz and Lemire 2018,
 * after Harley and Seal). The portable one leaves it to the compiler. */
#include "base/popcount.h"

#include <stddef.h>

#include "base/simd.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define X86 1
#include <immintrin.h>
#endif

static void plain(const uint64_t *mask, const uint64_t *columns, int64_t words,
                  int count, int32_t *to)
{
    for (int i = 0; i < count; i++, columns += words) {
        int64_t sum = 0;
        for (int64_t w = 0; w < words; w++)
            sum += __builtin_popcountll(mask[w] & columns[w]);
        to[i] = (int32_t)sum;
    }
}

#ifdef X86
__attribute__((target("popcnt"))) static void scalar(const uint64_t *mask,
                                                     const uint64_t *columns,
                                                     int64_t words, int count,
                                                     int32_t *to)
{
    for (int i = 0; i < count; i++, columns += words) {
        int64_t a = 0, b = 0, c = 0, d = 0;
        for (int64_t w = 0; w < words; w += 4) {
            a += __builtin_popcountll(mask[w] & columns[w]);
            b += __builtin_popcountll(mask[w + 1] & columns[w + 1]);
            c += __builtin_popcountll(mask[w + 2] & columns[w + 2]);
            d += __builtin_popcountll(mask[w + 3] & columns[w + 3]);
        }
        to[i] = (int32_t)(a + b + c + d);
    }
}

#define AVX2 __attribute__((target("avx2,popcnt"), always_inline)) static inline

/* Bits of each byte. */
AVX2 __m256i bytes_of(__m256i v)
{
    const __m256i bits =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1,
                         1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i a = _mm256_and_si256(v, low);
    __m256i b = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
    return _mm256_add_epi8(_mm256_shuffle_epi8(bits, a),
                           _mm256_shuffle_epi8(bits, b));
}

AVX2 __m256i both(const uint64_t *mask, const uint64_t *column, int64_t word)
{
    return _mm256_and_si256(_mm256_load_si256((const void *)(mask + word)),
                            _mm256_load_si256((const void *)(column + word)));
}

/* a + b + c = *sum + 2 * the carry that comes back. */
AVX2 __m256i add3(__m256i a, __m256i b, __m256i c, __m256i *sum)
{
    __m256i u = _mm256_xor_si256(a, b);
    *sum = _mm256_xor_si256(u, c);
    return _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(u, c));
}

/* Bits of eight vectors as bytes of at most 8 * 8 = 64: fours weigh 4 and so
 * on. */
AVX2 __m256i bytes_of_eight(const uint64_t *mask, const uint64_t *column)
{
    __m256i one, two, ones, a, b, four;
    a = add3(both(mask, column, 0), both(mask, column, 4),
             both(mask, column, 8), &ones);
    b = add3(both(mask, column, 12), both(mask, column, 16), ones, &one);
    __m256i c = add3(both(mask, column, 20), both(mask, column, 24), one, &one);
    four = add3(a, b, c, &two);
    __m256i sum = bytes_of(one);
    sum = _mm256_add_epi8(sum, bytes_of(both(mask, column, 28)));
    __m256i twos = bytes_of(two), fours = bytes_of(four);
    sum = _mm256_add_epi8(sum, _mm256_add_epi8(twos, twos));
    fours = _mm256_add_epi8(fours, fours);
    return _mm256_add_epi8(sum, _mm256_add_epi8(fours, fours));
}

AVX2 int32_t total(__m256i sums)
{
    __m128i low = _mm256_castsi256_si128(sums);
    __m128i both = _mm_add_epi64(low, _mm256_extracti128_si256(sums, 1));
    return (int32_t)(_mm_cvtsi128_si64(both) + _mm_extract_epi64(both, 1));
}

__attribute__((target("avx2,popcnt"))) static void avx2(const uint64_t *mask,
                                                        const uint64_t *columns,
                                                        int64_t words,
                                                        int count, int32_t *to)
{
    const __m256i zero = _mm256_setzero_si256();
    for (int i = 0; i < count; i++, columns += words) {
        __m256i sums = zero;
        int64_t w = 0;
        for (; w + 32 <= words; w += 32)
            sums = _mm256_add_epi64(
                sums,
                _mm256_sad_epu8(bytes_of_eight(mask + w, columns + w), zero));
        if (w < words) {
            __m256i bytes = zero; /* at most 6 vectors: no byte passes 48 */
            for (; w < words; w += 8)
                bytes = _mm256_add_epi8(
                    bytes,
                    _mm256_add_epi8(bytes_of(both(mask, columns, w)),
                                    bytes_of(both(mask, columns, w + 4))));
            sums = _mm256_add_epi64(sums, _mm256_sad_epu8(bytes, zero));
        }
        to[i] = total(sums);
    }
}

__attribute__((target("avx512f,avx512vpopcntdq"))) static void avx512(
    const uint64_t *mask, const uint64_t *columns, int64_t words, int count,
    int32_t *to)
{
    for (int i = 0; i < count; i++, columns += words) {
        __m512i sum = _mm512_setzero_si512();
        for (int64_t w = 0; w < words; w += 8) {
            __m512i v = _mm512_and_si512(
                _mm512_load_si512((const void *)(mask + w)),
                _mm512_load_si512((const void *)(columns + w)));
            sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(v));
        }
        to[i] = (int32_t)_mm512_reduce_add_epi64(sum);
    }
}
#endif

static const struct {
    const char *name;
    bestdag_popcount_fn *count;
    enum bestdag_simd needs;
} rows[] = {/* the fastest first */
#ifdef X86
            {"avx512", avx512, BESTDAG_WITH_AVX512},
            {"avx2", avx2, BESTDAG_WITH_AVX2},
            {"popcnt", scalar, BESTDAG_SCALAR},
#endif
            {"plain", plain, BESTDAG_SCALAR}};

static bool can_run(bestdag_popcount_fn *fn)
{
#ifdef X86
    if (fn == avx512)
        return __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512vpopcntdq");
    if (fn == avx2)
        return __builtin_cpu_supports("avx2");
    if (fn == scalar)
        return __builtin_cpu_supports("popcnt");
#endif
    return fn == plain;
}

bestdag_popcount_fn *bestdag_popcount_at(int i, const char **name)
{
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        if (can_run(rows[row].count) && i-- == 0) {
            *name = rows[row].name;
            return rows[row].count;
        }
    return NULL;
}

bestdag_popcount_fn *bestdag_popcount_pick(void)
{
    size_t row = 0; /* the last one always fits */
    while (rows[row].needs > bestdag_simd() || !can_run(rows[row].count))
        row++;
    return rows[row].count;
}
