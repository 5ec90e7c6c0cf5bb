/* SPDX-License-Identifier: MIT */
/* em_numbers.c -- structural expectation-maximisation on tables of numbers:
 * expected first and second moments.
 *
 * A completed table has the expectations of its missing values, and the sum of
 * their covariances, which enters the moments that families are scored on
 * (expected_moments.c). The third start is from the moments that a saturated
 * network expects, one with all arcs: the maximum-likelihood normal
 * distribution (Little and Rubin 2002, chapter 11). */
#include <math.h>
#include <string.h>

#include "data/missing.h"
#include "data/states.h"
#include "learn/structural_em.h"
#include "network/regression.h"

enum { MOST_SATURATED = 64 }; /* columns */
/* The cube of the columns times the rows: an M-step takes some tenths of a
 * second. */
static const double MOST_PRODUCTS = 1e9;

static int prepare(struct bestdag_structural_em *em)
{
    const struct bestdag_table *t = em->table;
    const double **number =
        bestdag_alloc(em->run, ((size_t)t->columns + 1) * sizeof *number);
    for (int v = 0; number && v < t->columns; v++)
        number[v] = t->column[v].cells;
    if (number)
        bestdag_gaussian_em_new(em->run, number, t->columns, t->rows,
                                t->weights, &em->gauss);
    bestdag_free(number);
    em->incomplete = em->gauss.lacking;
    if (em->gauss.empty && !bestdag_run_status(em->run))
        bestdag_note(em->run, 0, "%lld rows without any value are left out",
                     (long long)em->gauss.empty);
    return bestdag_run_status(em->run);
}

static int new_regressions(struct bestdag_structural_em *em,
                           struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        if (bestdag_network_new_regression(em->run, network, v))
            break;
    return bestdag_run_status(em->run);
}

static int estimate(struct bestdag_structural_em *em,
                    struct bestdag_network *network, bool is_here, double *ln)
{
    struct bestdag_em_report report = {0};
    if (bestdag_gaussian_em_run(em->run, &em->gauss, network,
                                &bestdag_em_between, is_here, &report))
        return bestdag_run_status(em->run);
    *ln = report.ln;
    return BESTDAG_OK;
}

static int take_expected(struct bestdag_structural_em *em,
                         struct bestdag_network *network)
{
    return bestdag_gaussian_em_maximise(em->run, &em->gauss, network, NULL);
}

/* A copy of the table without its empty rows; missing values are replaced by
 * their means. */
static struct bestdag_table *fill(struct bestdag_structural_em *em)
{
    const struct bestdag_gaussian_em *g = &em->gauss;
    struct bestdag_table *full = bestdag_table_copy(em->run, em->table);
    uint8_t *gone = bestdag_alloc(em->run, (size_t)em->table->rows + 1);
    if (full && gone) {
        memset(gone, 1, (size_t)em->table->rows);
        for (int64_t i = 0; i < g->count; i++) {
            const struct bestdag_number_pattern *p =
                &g->pattern[g->pattern_of[i]];
            gone[g->row[i]] = 0;
            for (int h = p->hole; h < p->hole + p->holes; h++) {
                int v = g->hole[h];
                ((double *)full->column[v].cells)[g->row[i]] =
                    g->centre[v] + ldexp(g->value[v][i], g->exponent[v]);
            }
        }
        for (int v = 0; v < g->n; v++)
            full->column[v].missing = 0;
        if (g->count < em->table->rows)
            bestdag_table_drop(em->run, full, gone);
    }
    bestdag_free(gone);
    if (!bestdag_run_status(em->run))
        return full;
    bestdag_table_free(full);
    return NULL;
}

/* Makes the problem from the present expectations. */
static int take_problem(struct bestdag_structural_em *em,
                        struct bestdag_completed_problem *p)
{
    p->full = fill(em);
    if (!p->full || bestdag_expected_moments_init(em->run, em->like, &em->gauss,
                                                  &p->moments))
        return bestdag_run_status(em->run);
    p->table = p->full;
    p->type = &p->moments.type;
    return BESTDAG_OK;
}

static int complete(struct bestdag_structural_em *em,
                    const struct bestdag_network *network,
                    struct bestdag_completed_problem *p, bool *done)
{
    double ln;
    *done = !network;
    if (!network)
        bestdag_gaussian_em_blank(&em->gauss);
    else if (bestdag_gaussian_em_expect(em->run, &em->gauss, network, &ln,
                                        done) ||
             !*done)
        return bestdag_run_status(em->run);
    return take_problem(em, p);
}

/* The ceiling of the likelihood, which differs between problems, is left out. A
 * constant column costs nothing. */
static double penalty(const struct bestdag_scorer *scorer, int child,
                      const int *parents, int count)
{
    (void)parents;
    return scorer->states[child] < 2
               ? 0
               : scorer->weight * (count + 2) + scorer->arc_cost * count;
}

/* A DAG with all arcs, in the order of the columns. */
static struct bestdag_dag *saturated(struct bestdag_structural_em *em)
{
    int n = em->gauss.n;
    struct bestdag_dag *dag = bestdag_dag_new(em->run, n);
    int *all = bestdag_alloc(em->run, ((size_t)n + 1) * sizeof *all);
    for (int v = 0; dag && all && v < n; v++) {
        all[v] = v;
        if (bestdag_dag_set_parents(em->run, dag, v, all, v))
            break;
    }
    bestdag_free(all);
    return dag;
}

/* Are there enough rows for the saturated network, and is it not too much
 * work? */
static bool may_saturate(const struct bestdag_gaussian_em *g)
{
    double n = g->n;
    return g->n <= MOST_SATURATED && g->total >= 2 * n &&
           n * n * n * (double)g->count <= MOST_PRODUCTS;
}

static int begin(struct bestdag_structural_em *em, bool is_last,
                 struct bestdag_completed_search *what)
{
    bool done = false;
    double ln;
    struct bestdag_network *network = NULL;
    if (!is_last && !may_saturate(&em->gauss))
        return BESTDAG_OK;
    if (!is_last) {
        struct bestdag_dag *dag = saturated(em);
        network = dag ? bestdag_structural_em_network(em, dag) : NULL;
        bestdag_dag_free(dag);
        if (network)
            estimate(em, network, false, &ln);
    }
    if (!bestdag_run_status(em->run))
        bestdag_structural_em_complete(em, network, &done);
    bestdag_network_free(network);
    if (done && !bestdag_run_status(em->run)) {
        what->table = em->at[em->turn].table;
        what->type = em->at[em->turn].type;
    }
    return bestdag_run_status(em->run);
}

const struct bestdag_em_kind bestdag_em_numbers = {
    .prepare = prepare,
    .new_parameters = new_regressions,
    .estimate = estimate,
    .take_expected = take_expected,
    .complete = complete,
    .penalty = penalty,
    .third = "saturated",
    .begin = begin};
