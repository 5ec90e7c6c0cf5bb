/* SPDX-License-Identifier: MIT */
/* score_terms.c -- n ln n and differences of log-gamma, in units.
 *
 * ln Gamma(a + n) - ln Gamma(a) = ln a + ln(a + 1) + ... is computed as the
 * logarithm of a product for few factors, and otherwise by Stirling's series,
 * written so that nothing large cancels:
 *
 *     n ln(a + n) + (a - 1/2) ln(1 + n/a) - n + s(a + n) - s(a)
 *
 * with s(x) = 1/12x - 1/360x^3 + ...; a below 16 is raised first. */
#include "counts/score_terms.h"

#include <assert.h>
#include <math.h>

enum { SHORT = 16, RAISED = 16 };

static double series(double x)
{
    double y = 1 / (x * x);
    return (1.0 / 12 -
            y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) /
           x;
}

/* ln of a (a + 1) ... (a + count - 1), for few factors. */
static double few(double a, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i += 4) {
        double product = a + i;
        for (int j = i + 1; j < count && j < i + 4; j++)
            product *= a + j;
        sum += log(product);
    }
    return sum;
}

double bestdag_log_rising_factorial(double a, double n)
{
    assert(a > 0 && n >= 0);
    double low = 0;
    if (n <= SHORT)
        return few(a, (int)n);
    if (a < RAISED) { /* the first factors one by one */
        low = few(a, RAISED);
        a += RAISED;
        n -= RAISED;
    }
    return low + n * log(a + n) + (a - 0.5) * log1p(n / a) - n + series(a + n) -
           series(a);
}

/* In nats, not rounded. */
static double nats(const struct bestdag_score_terms *t, double count)
{
    if (t->a >= 0)
        return bestdag_log_rising_factorial(t->a, count);
    return count > 0 ? count * log(count) : 0;
}

int64_t bestdag_score_terms_far(const struct bestdag_score_terms *t,
                                int64_t count)
{
    assert(count >= 0);
    return llround(nats(t, (double)count) * t->scale);
}

struct bestdag_score_terms *bestdag_score_terms_new(struct bestdag_run *run,
                                                    double a, double scale,
                                                    int64_t limit)
{
    struct bestdag_score_terms *t = bestdag_calloc(run, 1, sizeof *t);
    if (!t)
        return NULL;
    t->a = a;
    t->scale = scale;
    if (limit > 0) {
        t->value = bestdag_alloc(run, (size_t)limit * sizeof *t->value);
        if (!t->value) {
            bestdag_free(t);
            return NULL;
        }
    }
    for (int64_t n = 0; n < limit; n++)
        t->value[n] = bestdag_score_terms_far(t, n);
    t->limit = limit;
    return t;
}

void bestdag_score_terms_free(struct bestdag_score_terms *t)
{
    if (!t)
        return;
    bestdag_free(t->value);
    bestdag_free(t);
}
