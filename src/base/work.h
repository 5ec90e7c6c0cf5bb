/* SPDX-License-Identifier: MIT */
/* work.h -- counted work, which decides where no time limit is given.
 *
 * A search that looks at a clock to decide what to do next gives another answer
 * on another machine, on a busy one, or with another number of threads. So
 * without a time limit everything that ends before it is through ends by an
 * amount of work, which is counted at places that threads do not move: sets
 * looked up, families scored, sets looked at in a relaxation.
 *
 * Amounts of different kinds are made comparable by what they cost: the unit is
 * a nominal second, the work that one core of a machine of 2026 does in about a
 * second. The prices below are rounded from measurements, see
 * docs/solve.md; they are constants, and never measured at run time. */
#ifndef BESTDAG_BASE_WORK_H
#define BESTDAG_BASE_WORK_H

#include <stdint.h>

/* ---- prices, in nominal seconds ------------------------------------------ */

/* Of a row and a cell, where all pairs of columns are counted: a pair has as
 * many cells as the product of their states. */
#define BESTDAG_WORK_PAIR 3.0e-12
/* Of a family, for each of (rows + 1000): where all sets of one size are
 * counted together; and where a family differs from another in one parent. */
#define BESTDAG_WORK_LEVEL 5.0e-11
#define BESTDAG_WORK_NEIGHBOUR 3.0e-10
/* Of a family and a row, where families are counted one by one. */
#define BESTDAG_WORK_SET 1.3e-9
/* Of a set that is looked at in a relaxation. */
#define BESTDAG_WORK_RELAX 3.0e-9
/* Of a look-up by a search over orders, and for each set of an average list. */
#define BESTDAG_WORK_LOOKUP 2.2e-7
#define BESTDAG_WORK_LOOKUP_SET 3.0e-10
/* The same by a search over prefixes of orders, for each variable, and for each
 * set of an average list, of this many at most. */
#define BESTDAG_WORK_PREFIX 4.0e-8
#define BESTDAG_WORK_PREFIX_VARIABLE 2.0e-9
#define BESTDAG_WORK_PREFIX_SET 1.5e-9
#define BESTDAG_WORK_PREFIX_MOST 100

/* ---- amounts ------------------------------------------------------------- */

/* Of "low", "default" and "high". */
double bestdag_effort_scale(const char *word);
/* `amount` times the effort, at least 1. */
int64_t bestdag_effort_times(double effort, int64_t amount);
/* How many units of this price `work` pays for: at least 1. */
int64_t bestdag_work_units(double work, double price);

#endif
