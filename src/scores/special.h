/* SPDX-License-Identifier: MIT */
/* special.h -- log gamma and the chi-square distribution. */
#ifndef BESTDAG_SCORES_SPECIAL_H
#define BESTDAG_SCORES_SPECIAL_H

/* log Gamma(x), x > 0. Thread-safe, unlike lgamma(), which writes a global. */
double bestdag_log_gamma(double x);
/* The probability that a chi-square variable with `freedom` degrees is at most
 * x. */
double bestdag_chi2(double x, double freedom);
/* The probability that it is more; precise where that is nearly 0. */
double bestdag_chi2_upper(double x, double freedom);
/* The x at which bestdag_chi2() is p, 0 < p < 1; freedom > 0. */
double bestdag_chi2_quantile(double p, double freedom);

#endif
