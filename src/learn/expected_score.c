/* SPDX-License-Identifier: MIT */
/* expected_score.c -- bic, aic and ll on the counts that a network expects.
 *
 * Friedman 1998: the expected score of a network, over the completions of the
 * table weighted by another network, is the score on expected counts. That is
 * the score of one table of weighted rows, so whatever holds for these scores
 * holds for it, except that counts are rounded (completed_table.c); pruning
 * uses LL <= 0 only, which holds in any case, as node_average.c explains.
 *
 * Terms n ln n are rounded to whole units for each cell, so that a family's
 * score depends on its counts only. */
#include "learn/expected_score.h"

#include <math.h>
#include <string.h>

/* The cost of a row with missing values in a family, relative to a row that is
 * counted: on alarm with 30 % of the values missing about 50 ns (perf,
 * 2026-11), half of it for three missing values of one component. */
static const double OPEN_ROW = 30;

struct own {
    int64_t most; /* in units; no family has a likelihood below -most */
};

static const struct bestdag_expected_score *score_of(
    const struct bestdag_scorer *s)
{
    return (const struct bestdag_expected_score *)(const void *)s->type;
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    struct own *own = bestdag_calloc(run, 1, sizeof *own);
    int widest = 2;
    (void)options;
    s->own = own;
    if (!own)
        return bestdag_run_status(run);
    s->total = score_of(s)->completion->total;
    s->weight = score_of(s)->weight;
    s->slowness =
        1 + OPEN_ROW * bestdag_completion_share(score_of(s)->completion);
    for (int v = 0; v < s->n; v++)
        widest = s->states[v] > widest ? s->states[v] : widest;
    double rows = (double)s->total + 1;
    bestdag_scorer_units(run, s, rows * (log(rows) + 1),
                         rows * (log(rows) + 12) * (s->n + 1));
    own->most = (int64_t)(rows * (log(widest) + 1) * s->scale);
    return BESTDAG_OK;
}

static void release(void *own)
{
    bestdag_free(own);
}

static void *open_counts(struct bestdag_run *run,
                         const struct bestdag_scorer *s)
{
    struct bestdag_completed_counts *counts =
        bestdag_calloc(run, 1, sizeof *counts);
    if (counts &&
        !bestdag_completed_counts_new(run, score_of(s)->completion, counts))
        return counts;
    if (counts)
        bestdag_completed_counts_release(counts);
    bestdag_free(counts);
    return NULL;
}

static void close_counts(void *scratch)
{
    bestdag_completed_counts_release(scratch);
    bestdag_free(scratch);
}

static double penalty(const struct bestdag_scorer *s, int child,
                      const int *parents, int count)
{
    return s->weight * (s->states[child] - 1) *
           bestdag_scorer_joint_states(s, parents, count);
}

/* n ln n of a count that is given in units. */
static double term(const struct bestdag_scorer *s, int64_t units)
{
    double n = ldexp((double)units, -score_of(s)->completion->shift);
    return units > 0 ? n * log(n) : 0;
}

static int64_t rounded(const struct bestdag_scorer *s, int64_t units)
{
    return llround(term(s, units) * s->scale);
}

/* Are there more joint states than an index can hold? No list wants such a
 * family. */
static bool is_hopeless(const struct bestdag_scorer *s, int child,
                        const int *parents, int count)
{
    return bestdag_scorer_joint_states(s, parents, count) * s->states[child] >=
               0x1p60 ||
           count >= 60;
}

static int family(const struct bestdag_scorer *s, void *scratch, int child,
                  const int *parents, int count, struct bestdag_family *to)
{
    struct bestdag_completed_counts *c = scratch;
    const struct own *own = s->own;
    int64_t sum = 0;
    *to = (struct bestdag_family){0};
    if (is_hopeless(s, child, parents, count)) {
        bestdag_family_none(to);
        return BESTDAG_OK;
    }
    if (bestdag_completed_counts_find(c, child, parents, count))
        return BESTDAG_MEMORY;
    for (int64_t i = 0, all = 0; i < c->count; i++) {
        all += c->cell[i];
        sum += rounded(s, c->cell[i]);
        if (i + 1 == c->count || c->group[i + 1] != c->group[i]) {
            sum -= rounded(s, all);
            all = 0;
            to->configurations++;
        }
    }
    to->cells = c->count;
    to->likelihood = sum < 0 ? sum : 0;
    to->parents_joint = -own->most * count;
    to->score =
        to->likelihood - bestdag_scorer_penalty(s, child, parents, count);
    return BESTDAG_OK;
}

static int exact(const struct bestdag_scorer *s, void *scratch, int child,
                 const int *parents, int count, double *nats)
{
    struct bestdag_completed_counts *c = scratch;
    double sum = 0;
    *nats = -INFINITY;
    if (is_hopeless(s, child, parents, count))
        return BESTDAG_OK;
    if (bestdag_completed_counts_find(c, child, parents, count))
        return BESTDAG_MEMORY;
    for (int64_t i = 0, all = 0; i < c->count; i++) {
        all += c->cell[i];
        sum += term(s, c->cell[i]);
        if (i + 1 == c->count || c->group[i + 1] != c->group[i]) {
            sum -= term(s, all);
            all = 0;
        }
    }
    *nats = fmin(sum, 0) - penalty(s, child, parents, count);
    return BESTDAG_OK;
}

static const struct bestdag_score_families families = {.takes_missing = true,
                                                       .open = open_counts,
                                                       .close = close_counts,
                                                       .family = family,
                                                       .exact = exact,
                                                       .release = release};

void bestdag_expected_score_init(struct bestdag_expected_score *to,
                                 const struct bestdag_score_type *like,
                                 const struct bestdag_completion *completion)
{
    double rows = (double)completion->total;
    *to = (struct bestdag_expected_score){
        .type = {.name = like->name,
                 .help = like->help,
                 .equivalent = true,
                 .likelihood = true,
                 .never_falls = like->never_falls,
                 .pruning = like->pruning,
                 .prepare = prepare,
                 .penalty = like->penalty ? penalty : NULL,
                 .families = &families},
        .completion = completion};
    if (!strcmp(like->name, "bic"))
        to->weight = rows > 0 ? log(rows) / 2 : 0;
    else if (!strcmp(like->name, "aic"))
        to->weight = 1;
}
