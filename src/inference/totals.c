/* SPDX-License-Identifier: MIT */
/* totals.c -- sums of weights by state, over samples or over a cutset. */
#include "inference/totals.h"

#include <string.h>

int bestdag_totals_new(struct bestdag_run *run, int64_t cells,
                       struct bestdag_totals *to)
{
    size_t bytes = (size_t)cells * sizeof *to->cell;
    *to = (struct bestdag_totals){.cells = cells};
    to->cell = bestdag_alloc(run, bytes);
    to->cell_square = bestdag_alloc(run, bytes);
    if (!bestdag_run_status(run))
        bestdag_totals_clear(to);
    return bestdag_run_status(run);
}

void bestdag_totals_release(struct bestdag_totals *t)
{
    bestdag_free(t->cell);
    bestdag_free(t->cell_square);
}

void bestdag_totals_clear(struct bestdag_totals *t)
{
    t->most = -INFINITY;
    t->sum = t->square = 0;
    t->count = 0;
    memset(t->cell, 0, (size_t)t->cells * sizeof *t->cell);
    memset(t->cell_square, 0, (size_t)t->cells * sizeof *t->cell_square);
}

double bestdag_totals_weigh(struct bestdag_totals *t, double ln)
{
    t->count++;
    if (!(ln > -INFINITY))
        return 0;
    if (ln > t->most) {
        double scale = exp(t->most - ln); /* 0 for the first weight */
        for (int64_t i = 0; i < t->cells; i++) {
            t->cell[i] *= scale;
            t->cell_square[i] *= scale * scale;
        }
        t->sum *= scale;
        t->square *= scale * scale;
        t->most = ln;
    }
    double weight = exp(ln - t->most);
    t->sum += weight;
    t->square += weight * weight;
    return weight;
}
