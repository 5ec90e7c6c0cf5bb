/* SPDX-License-Identifier: MIT */
/* score_terms.h -- the contribution of a cell to a score, as a function of its
 * count.
 *
 * Every score is made of sums over cells of n ln n, or of ln Gamma(n + a) - ln
 * Gamma(a) for some a. The values are integers in units and the same function
 * of the count whether they come from the table or not, so sums depend neither
 * on the size of the table nor on the thread that built it. */
#ifndef BESTDAG_COUNTS_SCORE_TERMS_H
#define BESTDAG_COUNTS_SCORE_TERMS_H

#include "base/run.h"

struct bestdag_score_terms {
    struct bestdag_score_terms *next; /* for the owner of a list */
    double a;                         /* pseudo-count; < 0: n ln n */
    double scale;                     /* units per nat */
    int64_t limit;                    /* value[n] for n < limit */
    int64_t *value;                   /* owns; NULL: no table */
};

enum { BESTDAG_XLOGX = -1 }; /* value of `a` for n ln n */

/* ln Gamma(a + n) - ln Gamma(a) for a > 0, n >= 0; relative error below
 * 1e-13. */
double bestdag_log_rising_factorial(double a, double n);

/* Makes a table for counts below `limit`; 0: none. */
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
