/* SPDX-License-Identifier: MIT */
/* dp.h -- memory of dynamic programming over subsets. */
#ifndef BESTDAG_SEARCH_SUBSETS_DP_H
#define BESTDAG_SEARCH_SUBSETS_DP_H

#include "search/solver.h"

enum { BESTDAG_DP_MOST = 32 }; /* variables of one component */

/* Bytes for all subsets of this many variables, at most BESTDAG_DP_MOST. */
int64_t bestdag_dp_bytes(int variables);

#endif
