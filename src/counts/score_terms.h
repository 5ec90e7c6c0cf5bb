/* SPDX-License-Identifier: MIT */
/* score_terms.h -- what a cell adds to a score, as a function of its count.
 *
 * Every score is made of sums over cells of n ln n, or of ln Gamma(n + a) -
 * ln Gamma(a) for some a. The values are whole numbers of units and the same
 * function of the count whether they come from the table or not, so neither
 * the size of a table nor the thread that built it shows in a sum. */
#ifndef BESTDAG_COUNTS_SCORE_TERMS_H
#define BESTDAG_COUNTS_SCORE_TERMS_H

#include "base/run.h"

struct bestdag_score_terms {
    struct bestdag_score_terms *next; /* for whoever keeps a list */
    double a;                         /* pseudo-count; < 0: n ln n */
    double scale;                     /* units a nat */
    int64_t limit;                    /* value[n] for n < limit */
    int64_t *value;                   /* owns; NULL: no table */
};

enum { BESTDAG_XLOGX = -1 }; /* as a */

/* ln Gamma(a + n) - ln Gamma(a) for a > 0, n >= 0; better than 1e-13 of it. */
double bestdag_log_rising_factorial(double a, double n);

/* A table for counts below `limit`; 0: none. */
struct bestdag_score_terms *bestdag_score_terms_new(struct bestdag_run *run,
                                                    double a, double scale,
                                                    int64_t limit);
void bestdag_score_terms_free(struct bestdag_score_terms *terms);
int64_t bestdag_score_terms_far(const struct bestdag_score_terms *terms,
                                int64_t count);

static inline int64_t bestdag_score_terms_at(
    const struct bestdag_score_terms *t, int64_t count)
{
    return count < t->limit ? t->value[count]
                            : bestdag_score_terms_far(t, count);
}

#endif
