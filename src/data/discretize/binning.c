/* SPDX-License-Identifier: MIT */
/* binning.c -- cuts that depend on one column alone: mean, median, width,
 * quantile.
 *
 * Weights count as repeated rows. With values x[0] <= ... <= x[n - 1] (repeated
 * by weight) the quantile q lies at h = (n - 1) q: x[h], interpolated between
 * neighbours (type 7 of Hyndman and Fan 1996, the default of R and NumPy); the
 * median is the quantile 1/2. A quantile that is the least value, and would
 * leave nothing below it, moves up to the next value; of quantiles with no
 * value between them only the first is kept, so that no interval is empty. Time
 * O(n). */
#include "data/discretize/discretize.h"

/* Between a and b without overflow; at f = 0 it is a, at f = 1 b. */
static double between(double a, double b, double f)
{
    double x = a + (b - a) * f;
    if (!isfinite(x) || !isfinite(b - a))
        x = a * (1 - f) + b * f;
    return x < a ? a : x > b ? b : x;
}

/* Neumaier's sum of w x, of numbers scaled so that it cannot overflow. */
double bestdag_sample_mean(const struct bestdag_sample *s)
{
    double low = bestdag_sample_value(s, 0);
    double high = bestdag_sample_value(s, s->count - 1);
    double scale = fmax(fabs(low), fabs(high)) > 0x1p900 ? 0x1p-100 : 1;
    double sum = 0, lost = 0;
    for (int64_t i = 0; i < s->count; i++) {
        double x = bestdag_sample_value(s, i) * scale *
                   (double)bestdag_sample_weight(s, i);
        double next = sum + x;
        lost += fabs(sum) >= fabs(x) ? sum - next + x : x - next + sum;
        sum = next;
    }
    double mean = (sum + lost) / (double)s->total / scale;
    return mean < low ? low : mean > high ? high : mean;
}

static int cut_mean(struct bestdag_run *run, const struct bestdag_sample *s,
                    struct bestdag_cuts *cuts)
{
    return bestdag_cuts_add(run, cuts, bestdag_sample_mean(s));
}

static int cut_width(struct bestdag_run *run, const struct bestdag_sample *s,
                     struct bestdag_cuts *cuts)
{
    double low = bestdag_sample_value(s, 0);
    double high = bestdag_sample_value(s, s->count - 1);
    for (int k = 1; k < s->intervals; k++)
        if (bestdag_cuts_add(run, cuts,
                             between(low, high, (double)k / s->intervals)))
            return bestdag_run_status(run);
    return BESTDAG_OK;
}

/* A place in the repeated values: repeats [before, before + weight of i). */
struct place {
    int64_t i, before;
};

static double value_at(const struct bestdag_sample *s, struct place *p,
                       int64_t rank)
{
    while (rank - p->before >= bestdag_sample_weight(s, p->i))
        p->before += bestdag_sample_weight(s, p->i++);
    return bestdag_sample_value(s, p->i);
}

/* rank + rest / of = (total - 1) k / of, in whole numbers. */
static double quantile(const struct bestdag_sample *s, struct place *p, int k,
                       int of)
{
    int64_t n = s->total - 1;
    int64_t part = n % of * k;
    int64_t rank = n / of * k + part / of, rest = part % of;
    double low = value_at(s, p, rank);
    if (!rest)
        return low;
    struct place next = *p;
    return between(low, value_at(s, &next, rank + 1), (double)rest / of);
}

static int cut_quantiles(struct bestdag_run *run,
                         const struct bestdag_sample *s, int intervals,
                         struct bestdag_cuts *cuts)
{
    double least = bestdag_sample_value(s, 0);
    int64_t second = bestdag_sample_below(s, nextafter(least, INFINITY));
    int64_t below = 0;
    double before = least;
    struct place p = {0, 0};
    for (int k = 1; k < intervals; k++) {
        double x = quantile(s, &p, k, intervals);
        if (x <= least && second < s->count)
            x = bestdag_sample_value(s, second);
        if (bestdag_sample_below(s, x) == below)
            x = before; /* merged, and reported */
        below = bestdag_sample_below(s, x);
        before = x;
        if (bestdag_cuts_add(run, cuts, x))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

static int cut_median(struct bestdag_run *run, const struct bestdag_sample *s,
                      struct bestdag_cuts *cuts)
{
    return cut_quantiles(run, s, 2, cuts);
}

static int cut_quantile(struct bestdag_run *run, const struct bestdag_sample *s,
                        struct bestdag_cuts *cuts)
{
    return cut_quantiles(run, s, s->intervals, cuts);
}

const struct bestdag_discretizer bestdag_discretizer_mean = {
    .name = "mean",
    .help = "two states: below the mean, and the rest",
    .cut = cut_mean};

const struct bestdag_discretizer bestdag_discretizer_median = {
    .name = "median",
    .help = "two states: below the median, and the rest",
    .cut = cut_median};

const struct bestdag_discretizer bestdag_discretizer_width = {
    .name = "width",
    .help = "K intervals of equal width",
    .is_counted = true,
    .cut = cut_width};

const struct bestdag_discretizer bestdag_discretizer_quantile = {
    .name = "quantile",
    .help = "K intervals with equally many rows",
    .is_counted = true,
    .cut = cut_quantile};
