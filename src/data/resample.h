/* SPDX-License-Identifier: MIT */
/* resample.h -- tables of rows drawn with replacement (the bootstrap). */
#ifndef BESTDAG_DATA_RESAMPLE_H
#define BESTDAG_DATA_RESAMPLE_H

#include "base/random.h"
#include "data/table.h"

struct bestdag_resampler {
    const struct bestdag_table *table; /* borrowed */
    int64_t *end; /* owns; [rows]: sum of the weights up to this row; NULL: all
                     rows weigh 1 */
};

/* Fails if the table holds anything but codes, or has no rows. */
int bestdag_resampler_init(struct bestdag_run *run, struct bestdag_resampler *r,
                           const struct bestdag_table *table);
void bestdag_resampler_release(struct bestdag_resampler *r);
/* As many rows as the table has, or weighs, each drawn from all of them; in the
 * order of the table. States and labels are the table's, including states that
 * no longer occur. May run on any thread. NULL: failed. */
struct bestdag_table *bestdag_resampler_draw(struct bestdag_run *run,
                                             const struct bestdag_resampler *r,
                                             struct bestdag_random *random);

#endif
