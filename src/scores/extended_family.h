/* SPDX-License-Identifier: MIT */
/* extended_family.h -- the family of a child whose parents are a known set and
 * one more variable, for searches that jump from set to set. Identical to the
 * result of bestdag_scorer_family(), bit for bit; the cheaper of two ways to
 * count is chosen. */
#ifndef BESTDAG_SCORES_EXTENDED_FAMILY_H
#define BESTDAG_SCORES_EXTENDED_FAMILY_H

#include "counts/extended_counts.h"
#include "scores/scorer.h"

/* set->base and set->added must be adjacent: base[count] is added. */
int bestdag_scorer_grow(const struct bestdag_scorer *scorer,
                        struct bestdag_scorer_scratch *scratch,
                        struct bestdag_extended_counts *extension,
                        const struct bestdag_extended *set,
                        struct bestdag_family *to);

#endif
