/* SPDX-License-Identifier: MIT */
/* double_double.h -- numbers of 106 bits: the unevaluated sum of two doubles
 * (Dekker 1971). Sums and products err by a few 2^-104 of the result, as long
 * as nothing overflows or underflows; a compiler must not contract a * b + c.
 */
#ifndef BESTDAG_BASE_DOUBLE_DOUBLE_H
#define BESTDAG_BASE_DOUBLE_DOUBLE_H

struct bestdag_double_double {
    double high, low; /* |low| is at most half a unit of the last bit of high */
};

/* a + b, if |a| >= |b|. */
static inline struct bestdag_double_double bestdag_dd_normalise(double a,
                                                                double b)
{
    double sum = a + b;
    return (struct bestdag_double_double){sum, b - (sum - a)};
}

/* a + b exactly (Knuth). */
static inline struct bestdag_double_double bestdag_dd_two_sum(double a,
                                                              double b)
{
    double sum = a + b, part = sum - a;
    return (struct bestdag_double_double){sum, (a - (sum - part)) + (b - part)};
}

/* a * b exactly (Dekker, Veltkamp), for |a|, |b| < 2^995. */
static inline struct bestdag_double_double bestdag_dd_two_product(double a,
                                                                  double b)
{
    const double split = 0x1p27 + 1;
    double p = a * b, x = split * a, y = split * b;
    double a1 = x - (x - a), b1 = y - (y - b), a2 = a - a1, b2 = b - b1;
    return (struct bestdag_double_double){
        p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline struct bestdag_double_double bestdag_dd_add(
    struct bestdag_double_double a, struct bestdag_double_double b)
{
    struct bestdag_double_double s = bestdag_dd_two_sum(a.high, b.high);
    struct bestdag_double_double t = bestdag_dd_two_sum(a.low, b.low);
    s = bestdag_dd_normalise(s.high, s.low + t.high);
    return bestdag_dd_normalise(s.high, s.low + t.low);
}

static inline struct bestdag_double_double bestdag_dd_multiply(
    struct bestdag_double_double a, struct bestdag_double_double b)
{
    struct bestdag_double_double p = bestdag_dd_two_product(a.high, b.high);
    return bestdag_dd_normalise(p.high,
                                p.low + (a.high * b.low + a.low * b.high));
}

/* a - b * c. */
static inline struct bestdag_double_double bestdag_dd_subtract_product(
    struct bestdag_double_double a, struct bestdag_double_double b,
    struct bestdag_double_double c)
{
    struct bestdag_double_double p = bestdag_dd_multiply(b, c);
    return bestdag_dd_add(a, (struct bestdag_double_double){-p.high, -p.low});
}

static inline struct bestdag_double_double bestdag_dd_divide(
    struct bestdag_double_double a, struct bestdag_double_double b)
{
    double first = a.high / b.high;
    struct bestdag_double_double rest = bestdag_dd_subtract_product(
        a, b, (struct bestdag_double_double){first, 0});
    double second = rest.high / b.high;
    rest = bestdag_dd_subtract_product(
        rest, b, (struct bestdag_double_double){second, 0});
    struct bestdag_double_double sum = bestdag_dd_normalise(first, second);
    return bestdag_dd_add(
        sum, (struct bestdag_double_double){rest.high / b.high, 0});
}

#endif
