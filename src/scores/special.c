/* SPDX-License-Identifier: MIT */
/* special.c -- the chi-square distribution through the incomplete gamma
 * function: its power series below the mean, Lentz's continued fraction above,
 * and Newton's method inside a bracket for the quantile. Accurate to about
 * 1e-12. */
#include "scores/special.h"

#include <math.h>
#include <stdbool.h>

double bestdag_log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* x^a e^-x / Gamma(a + 1) */
static double front(double a, double x)
{
    return exp(a * log(x) - x - bestdag_log_gamma(a + 1));
}

static double lower_series(double a, double x)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 100000 && term > 1e-17 * sum; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return front(a, x) * sum;
}

static double upper_fraction(double a, double x)
{
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int k = 1; k < 100000; k++) {
        double an = k * (a - k);
        b += 2;
        d = an * d + b;
        d = fabs(d) < 1e-300 ? 1e300 : 1 / d;
        c = b + an / c;
        c = fabs(c) < 1e-300 ? 1e-300 : c;
        h *= c * d;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return front(a, x) * a * h;
}

/* Lower and upper tail; both, because near 1 only the other is precise. */
static void tails(double x, double freedom, double *lower, double *upper)
{
    double a = freedom / 2, y = x / 2;
    if (y <= 0) {
        *lower = 0;
        *upper = 1;
    } else if (y < a + 1) {
        *lower = lower_series(a, y);
        *upper = 1 - *lower;
    } else {
        *upper = upper_fraction(a, y);
        *lower = 1 - *upper;
    }
}

double bestdag_chi2(double x, double freedom)
{
    double lower, upper;
    tails(x, freedom, &lower, &upper);
    return lower;
}

double bestdag_chi2_upper(double x, double freedom)
{
    double lower, upper;
    tails(x, freedom, &lower, &upper);
    return upper;
}

/* A rough approximation suffices: the bracketed Newton iteration corrects
 * it. */
static double normal_quantile(double p)
{
    double q = p < 0.5 ? p : 1 - p, t = sqrt(-2 * log(q));
    double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    return p < 0.5 ? -z : z;
}

/* The approximation of Wilson and Hilferty. */
static double start(double p, double freedom)
{
    double s = 2 / (9 * freedom);
    double cube = 1 - s + normal_quantile(p) * sqrt(s);
    double x = freedom * cube * cube * cube;
    return cube > 0 && x > 1e-300 ? x : freedom * 1e-3;
}

double bestdag_chi2_quantile(double p, double freedom)
{
    double x = start(p, freedom), low = 0, high = INFINITY;
    if (freedom > 1e7) /* there the start is accurate to 1e-9 */
        return x;
    for (int i = 0; i < 200; i++) {
        double lower, upper;
        tails(x, freedom, &lower, &upper);
        double off = p < 0.5 ? lower - p : (1 - p) - upper;
        if (off > 0)
            high = x;
        else
            low = x;
        double slope = front(freedom / 2, x / 2) * freedom / 2 / x;
        double next = x - off / slope;
        if (!(next > low) || !(next < high))
            next = isinf(high) ? 2 * x : (low + high) / 2;
        bool close = fabs(next - x) <= 1e-15 * x;
        x = next;
        if (close)
            break;
    }
    return x;
}
