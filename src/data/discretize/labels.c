/* SPDX-License-Identifier: MIT */
/* labels.c -- labels of the states of a cut column.
 *
 *     cuts 5.8433..., 6.3:   s1_below_5.84   s2_5.84_to_6.3   s3_from_6.3
 *     no cut:                s1_all
 *
 * Letters, digits, '_', '.' and '-' only, and a letter first, so that every
 * network format can hold them; in natural order they are in the order of the
 * intervals. A cut of more than six digits is shown with three, or as many more
 * as it takes to keep its whole part (up to 15 digits) and to separate the
 * values of the table and the other cuts exactly as the cut itself does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "data/discretize/intervals.h"

enum { SHOWN_DIGITS = 3, SHORT_DIGITS = 6, EXACT_DIGITS = 15, ALL_DIGITS = 17 };

double bestdag_number_rounded(double x, int digits)
{
    char raw[64], text[64], *to = text;
    snprintf(raw, sizeof raw, "%.*e", digits - 1, x);
    const char *e = strchr(raw, 'e');
    for (const char *p = raw; p < e; p++) /* without the locale's point */
        if ((*p >= '0' && *p <= '9') || *p == '-')
            *to++ = *p;
    snprintf(to, sizeof text - (size_t)(to - text), "e%d",
             atoi(e + 1) - (digits - 1));
    double y = x;
    return bestdag_number_parse(text, strlen(text), &y) ? y : x;
}

/* Bounds for a shown cut: low < shown <= high, shown < next. */
struct limits {
    double low, high, next;
};

static double shown(double cut, struct limits l)
{
    if (bestdag_number_rounded(cut, SHORT_DIGITS) == cut)
        return cut;
    int whole = fabs(cut) < 1 ? 0 : (int)floor(log10(fabs(cut))) + 1;
    int digits =
        whole > SHOWN_DIGITS && whole <= EXACT_DIGITS ? whole : SHOWN_DIGITS;
    for (; digits < ALL_DIGITS; digits++) {
        double x = bestdag_number_rounded(cut, digits);
        if (x > l.low && x <= l.high && x < l.next)
            return x;
    }
    return cut;
}

static void write_number(struct bestdag_buffer *b, double x)
{
    char text[BESTDAG_NUMBER_ROOM];
    bestdag_number_format(x, text);
    for (const char *p = text; *p; p++)
        if (*p != '+') /* "1e+20" */
            bestdag_buffer_add(b, p, 1);
}

/* The label between two shown cuts; NAN: there is none on that side. */
static char *label(struct bestdag_run *run, int number, double low, double high)
{
    struct bestdag_buffer b = {.run = run};
    bestdag_buffer_format(&b, "s%d_%s", number,
                          isnan(low) && isnan(high) ? "all"
                          : isnan(low)              ? "below_"
                          : isnan(high)             ? "from_"
                                                    : "");
    if (!isnan(low))
        write_number(&b, low);
    if (!isnan(low) && !isnan(high))
        bestdag_buffer_text(&b, "_to_");
    if (!isnan(high))
        write_number(&b, high);
    return bestdag_buffer_take(&b);
}

static double shown_at(const struct bestdag_sample *s,
                       const struct bestdag_cuts *cuts, int i, double before)
{
    if (i >= cuts->count)
        return NAN;
    double cut = cuts->at[i];
    int64_t below = bestdag_sample_below(s, cut);
    struct limits l = {
        .low = below ? bestdag_sample_value(s, below - 1) : -INFINITY,
        .high = below < s->count ? bestdag_sample_value(s, below) : INFINITY,
        .next = i + 1 < cuts->count ? cuts->at[i + 1] : INFINITY};
    if (before > l.low)
        l.low = before;
    return shown(cut, l);
}

int bestdag_intervals_label(struct bestdag_run *run,
                            const struct bestdag_sample *sample,
                            struct bestdag_intervals *to)
{
    const struct bestdag_cuts *cuts = &to->cuts;
    to->labels =
        bestdag_calloc(run, (size_t)cuts->count + 1, sizeof *to->labels);
    double low = NAN;
    for (int i = 0; to->labels && i <= cuts->count; i++) {
        double high = shown_at(sample, cuts, i, low);
        to->labels[i] = label(run, i + 1, low, high);
        if (!to->labels[i])
            break;
        low = high;
    }
    return bestdag_run_status(run);
}
