/* SPDX-License-Identifier: MIT */
/* node_average.c -- pnal: the node-average log-likelihood of tables with
 * missing values (Bodewes and Scutari 2021).
 *
 *     local(X | P) = LL(X | P over the rows that have X and P) / their number
 *                    - k / N (r - 1) q
 *
 * Each family is scored on the rows in which it is complete, so no inference is
 * needed; dividing by their number makes families on different rows comparable.
 * N is the number of all rows. k: (ln N) / 2 as in bic, 1 as in aic, N^(3/4) /
 * n, the rate at which the paper proves that the true structure is found if
 * values are missing completely at random, or a number. `rows`, which is not in
 * the paper, is bic with k divided by the number of rows in which the family is
 * complete, not by N: the variance of its parameters depends on these.
 *
 * It is not score equivalent: X -> Y and Y -> X use the same rows for the arc,
 * but others for the family of the parent. Another parent changes the rows, so
 * the likelihood may fall, and does not bound that of supersets. But LL <= 0: P
 * and its supersets score at most -penalty(P), and that is all that the rules
 * of BESTDAG_PRUNE_PENALTY need if they are given entropies that are too large:
 * the entropy rule prunes R + Y and its supersets T if -LL(R) <= cost of Y on
 * top of R; then score(R) >= -penalty(R + Y) >= -penalty(T) >= score(T).
 * parents_joint falls by `most`, at least any -LL, with each parent, so that
 * the other half of that rule never decides on its own.
 *
 * With `rows`, penalty() still divides by N, and the rest of the penalty,
 * excess(), is subtracted from LL, which stays <= 0: the above holds, except
 * that -LL may exceed `most`, so that the other half of the rule may decide.
 * Then penalty(R + Y) - penalty(R) >= `most` >= -LL(R) without the excess; on
 * the rows of R, which are no more than N, the difference is at least that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counts/score_terms.h"
#include "scores/available_rows.h"
#include "scores/score.h"

static const struct bestdag_option penalty_row[] = {
    {"pnal-penalty", BESTDAG_TEXT, "bic", .value = "K",
     .help =
         "penalty of pnal per free parameter, times the number of rows N: "
         "bic, (ln N)/2; aic, 1; rate, N^(3/4) / n for n columns, which "
         "makes the score consistent; rows, as bic, but divided by the rows "
         "that have the family instead of N; or a number"},
    {0}};
static const struct bestdag_option_group penalty_options = {"score",
                                                            penalty_row};

struct own {
    struct bestdag_score_terms *xlogx; /* owns */
    int64_t most;    /* in units; LL without the excess is at least -most */
    bool is_by_rows; /* penalty `rows` */
};

static int read_penalty(struct bestdag_run *run, struct bestdag_scorer *s,
                        const char *text)
{
    double rows = (double)(s->total > 0 ? s->total : 1), k;
    struct own *own = s->own;
    own->is_by_rows = !strcmp(text, "rows");
    if (!strcmp(text, "bic") || own->is_by_rows)
        k = log(rows) / 2;
    else if (!strcmp(text, "aic"))
        k = 1;
    else if (!strcmp(text, "rate"))
        k = pow(rows, 0.75) / s->n;
    else if (!bestdag_number_parse(text, strlen(text), &k) || k < 0 || k > 1e9)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "pnal-penalty: '%s' is not one of bic|aic|rate|"
                            "rows, nor a number from 0 to 1e9",
                            text);
    s->weight = k / rows;
    return BESTDAG_OK;
}

static int check_values(struct bestdag_run *run, const struct bestdag_scorer *s)
{
    for (int v = 0; v < s->n; v++)
        if (s->table->column[v].missing == s->table->rows && s->table->rows)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' has no value: leave it out "
                                "(--ignore)",
                                s->table->column[v].name);
    return BESTDAG_OK;
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    struct own *own = bestdag_calloc(run, 1, sizeof *own);
    int widest = 2, shift = 32;
    s->own = own;
    if (!own ||
        read_penalty(
            run, s,
            bestdag_option_value(options, &penalty_options, "pnal-penalty")
                .text) ||
        check_values(run, s))
        return bestdag_run_status(run);
    for (int v = 0; v < s->n; v++)
        widest = s->states[v] > widest ? s->states[v] : widest;
    double least = log(widest) + 1, rows = (double)s->total + 1;
    bestdag_scorer_units(run, s, 4 * least, 4 * least * (s->n + 1));
    own->most = (int64_t)(least * s->scale);
    while (ldexp(rows * (log(rows) + 1), shift) >= (double)BESTDAG_UNITS_MOST)
        shift--;
    int64_t limit = s->total < 1 << 20 ? s->total + 1 : 1 << 20;
    own->xlogx =
        bestdag_score_terms_new(run, BESTDAG_XLOGX, ldexp(1, shift), limit);
    return bestdag_run_status(run);
}

static void release(void *data)
{
    struct own *own = data;
    if (own)
        bestdag_score_terms_free(own->xlogx);
    bestdag_free(own);
}

static void *open_rows(struct bestdag_run *run,
                       const struct bestdag_scorer *scorer)
{
    return bestdag_available_rows_new(run, scorer->table);
}

static void close_rows(void *scratch)
{
    bestdag_available_rows_free(scratch);
}

static double penalty(const struct bestdag_scorer *s, int child,
                      const int *parents, int count)
{
    return s->weight * (s->states[child] - 1) *
           bestdag_scorer_joint_states(s, parents, count);
}

/* By how much the penalty exceeds penalty() if `rows` rows have the family. */
static double excess(const struct bestdag_scorer *s, int child,
                     const int *parents, int count, int64_t rows)
{
    const struct own *own = s->own;
    return own->is_by_rows ? penalty(s, child, parents, count) *
                                 ((double)s->total / (double)rows - 1)
                           : 0;
}

/* Sums are of integers: the order of groups does not matter. */
static int family(const struct bestdag_scorer *s, void *scratch, int child,
                  const int *parents, int count, struct bestdag_family *to)
{
    const struct own *own = s->own;
    struct bestdag_available_counts c;
    int64_t sum = 0;
    *to = (struct bestdag_family){0};
    if (bestdag_available_rows_count(scratch, child, parents, count, &c))
        return BESTDAG_MEMORY;
    if (!c.rows) {
        bestdag_family_none(to);
        return BESTDAG_OK;
    }
    for (int64_t g = 0; g < c.groups; g++) {
        int64_t all = 0;
        for (int k = 0; k < c.states; k++) {
            int64_t n = c.cell[g * c.states + k];
            all += n;
            to->cells += n > 0;
            sum += bestdag_score_terms_at(own->xlogx, n);
        }
        sum -= bestdag_score_terms_at(own->xlogx, all);
        to->configurations += all > 0;
    }
    double more = excess(s, child, parents, count, c.rows) * s->scale;
    if (!(more < (double)BESTDAG_UNITS_MOST / 2)) {
        bestdag_family_none(to);
        return BESTDAG_OK;
    }
    to->likelihood =
        llround((double)sum / (double)c.rows * (s->scale / own->xlogx->scale)) -
        llround(more);
    to->parents_joint = -own->most * count;
    to->score =
        to->likelihood - bestdag_scorer_penalty(s, child, parents, count);
    return BESTDAG_OK;
}

static int exact(const struct bestdag_scorer *s, void *scratch, int child,
                 const int *parents, int count, double *nats)
{
    struct bestdag_available_counts c;
    double sum = 0;
    if (bestdag_available_rows_count(scratch, child, parents, count, &c))
        return BESTDAG_MEMORY;
    for (int64_t g = 0; g < c.groups; g++) {
        double all = 0;
        for (int k = 0; k < c.states; k++)
            all += (double)c.cell[g * c.states + k];
        for (int k = 0; k < c.states; k++) {
            double n = (double)c.cell[g * c.states + k];
            sum += n > 0 ? n * log(n / all) : 0;
        }
    }
    *nats = c.rows ? sum / (double)c.rows - penalty(s, child, parents, count) -
                         excess(s, child, parents, count, c.rows)
                   : -INFINITY;
    return BESTDAG_OK;
}

static const struct bestdag_score_families families = {.takes_missing = true,
                                                       .open = open_rows,
                                                       .close = close_rows,
                                                       .family = family,
                                                       .exact = exact,
                                                       .release = release};

const struct bestdag_score_type bestdag_score_pnal = {
    .name = "pnal",
    .options = {&penalty_options},
    .help = "node-average log-likelihood, of each family over the rows that "
            "have it: ll / N_f - k / N (r - 1) q; with --missing available",
    .pruning = BESTDAG_PRUNE_PENALTY,
    .prepare = prepare,
    .penalty = penalty,
    .families = &families};
