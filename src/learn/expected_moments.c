/* SPDX-License-Identifier: MIT */
/* expected_moments.c -- bic-g, aic-g and ll-g on the moments that a network
 * expects.
 *
 * The expected cross-products of a completed table are those of the table with
 * missing values at their means, plus the covariances of the missing values.
 * They form a positive semidefinite matrix like any other, so everything that
 * holds for these scores holds for it, ceilings and pruning included. */
#include "learn/expected_moments.h"

#include <math.h>
#include <string.h>

#include "scores/gaussian_score.h"

double bestdag_expected_moments_weight(const struct bestdag_score_type *like,
                                       double rows)
{
    if (!strcmp(like->name, "bic-g"))
        return rows > 1 ? log(rows) / 2 : 0;
    if (!strcmp(like->name, "aic-g"))
        return 1;
    return strcmp(like->name, "ll-g") ? -1 : 0;
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    const struct bestdag_expected_moments *from =
        (const struct bestdag_expected_moments *)(const void *)s->type;
    struct bestdag_moments *m = bestdag_moments_new(run, s->table);
    (void)options;
    for (int i = 0; m && i < s->n; i++)
        for (int j = 0; j <= i; j++) {
            size_t at = bestdag_triangle(i, j);
            m->cross[at] +=
                ldexp(from->spread[at], from->exponent[i] + from->exponent[j] -
                                            m->exponent[i] - m->exponent[j]);
        }
    if (m)
        m->is_of_rows = false;
    return bestdag_gaussian_score_weigh(run, s, m, from->weight);
}

int bestdag_expected_moments_init(struct bestdag_run *run,
                                  const struct bestdag_score_type *like,
                                  const struct bestdag_gaussian_em *em,
                                  struct bestdag_expected_moments *to)
{
    size_t n = (size_t)em->n, pairs = n * (n + 1) / 2;
    *to = (struct bestdag_expected_moments){
        .type = *like,
        .weight = bestdag_expected_moments_weight(like, em->total)};
    to->type.prepare = prepare;
    to->spread = bestdag_alloc(run, (pairs + 1) * sizeof *to->spread);
    to->exponent = bestdag_alloc(run, (n + 1) * sizeof *to->exponent);
    if (!to->spread || !to->exponent)
        return bestdag_run_status(run);
    memcpy(to->exponent, em->exponent, n * sizeof *to->exponent);
    for (size_t i = 0; i < pairs; i++)
        to->spread[i] =
            (double)ldexpl((long double)em->spread[i], -BESTDAG_SPREAD_SHIFT);
    return BESTDAG_OK;
}

void bestdag_expected_moments_release(struct bestdag_expected_moments *m)
{
    bestdag_free(m->spread);
    bestdag_free(m->exponent);
    *m = (struct bestdag_expected_moments){0};
}
