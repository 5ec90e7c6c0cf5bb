/* SPDX-License-Identifier: MIT */
/* number_columns.c -- see number_columns.h. One pass over the rows per parent.
 * Random numbers belong to a stream, which callers give to a block and a
 * variable, so that results are the same for any number of threads. */
#include "models/number_columns.h"

#include <math.h>

#include "base/random_normal.h"

int bestdag_number_family_init(struct bestdag_run *run,
                               const struct bestdag_network *network, int v,
                               struct bestdag_number_family *to)
{
    size_t room = (size_t)network->dag->parents[v].count + 1;
    *to = (struct bestdag_number_family){
        .x = &network->variable[v],
        .terms = bestdag_network_terms(network, v),
        .configurations = bestdag_network_configurations(network, v),
    };
    to->digit = bestdag_alloc(run, room * sizeof *to->digit);
    to->parent = bestdag_alloc(run, room * sizeof *to->parent);
    if (!bestdag_run_status(run) && to->configurations > BESTDAG_DIGITS_MOST)
        bestdag_fail(run, BESTDAG_MEMORY,
                     "the parents of '%s' have too many configurations",
                     to->x->name);
    return bestdag_run_status(run);
}

void bestdag_number_family_release(struct bestdag_number_family *f)
{
    bestdag_free(f->digit);
    bestdag_free(f->parent);
    *f = (struct bestdag_number_family){0};
}

void bestdag_number_means(const struct bestdag_number_family *f,
                          const struct bestdag_row_block *block, double *to)
{
    const double *term = f->x->regression;
    uint32_t *index = block->index;
    bestdag_digits_index(f->digit, f->digits, block->from, block->n, index);
    for (int i = 0; i < block->n; i++) {
        if (index[i] >= (uint32_t)f->configurations)
            index[i] = 0;
        to[i] = term[(int64_t)index[i] * f->terms];
    }
    for (int k = 0; k < f->terms - 2; k++)
        for (int i = 0; i < block->n; i++)
            to[i] += term[(int64_t)index[i] * f->terms + k + 1] *
                     f->parent[k][block->from + i];
}

static double sd_of(const struct bestdag_number_family *f, uint32_t j)
{
    return f->x->regression[(int64_t)(j + 1) * f->terms - 1];
}

void bestdag_number_draw(const struct bestdag_number_family *f,
                         const struct bestdag_row_block *block, uint64_t seed,
                         uint64_t stream, double *to)
{
    struct bestdag_random random = bestdag_random_init(seed, stream);
    double pair[2];
    bestdag_number_means(f, block, to + block->from);
    for (int i = 0; i < block->n; i++) {
        if (i % 2 == 0)
            bestdag_random_normals(&random, pair);
        to[block->from + i] += sd_of(f, block->index[i]) * pair[i % 2];
    }
}

double bestdag_normal_log_density(double x, double mean, double sd)
{
    /* ln of the root of 2 pi; rounding of a mean that follows from parents. */
    const double constant = 0.91893853320467274178, rounding = 1e-9;
    double distance = x - mean, z = distance / sd;
    if (sd > 0)
        return -0.5 * z * z - log(sd) - constant;
    return fabs(distance) <= rounding * fmax(fabs(x), fabs(mean)) ? INFINITY
                                                                  : -INFINITY;
}

void bestdag_number_log_density(const struct bestdag_number_family *f,
                                const struct bestdag_row_block *block,
                                const double *cells, double *mean, double *row)
{
    bestdag_number_means(f, block, mean);
    for (int i = 0; i < block->n; i++)
        row[i] += bestdag_normal_log_density(cells[block->from + i], mean[i],
                                             sd_of(f, block->index[i]));
}
