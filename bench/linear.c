/* SPDX-License-Identifier: MIT */
/* linear.c -- the root bound over time: our ascent and smoothing against Clp.
 *
 *     build/bench/linear SCORES.jkl ...
 *
 * Both get the same lists and find new clusters by the same code, from a
 * fractional network: ours from smoothed shares, Clp's from its optimal basis.
 * Clp solves the linear program of all clusters found so far again and again,
 * from the last basis, until none is broken. A row a stage: clusters, bound in
 * nats, seconds of processor time. "the same clusters" is the optimum over
 * those that ours ended with: what the ascent leaves of its own relaxation. */
#include <coin/Clp_C_Interface.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bounds/cutting_planes.h"
#include "bounds/root_bound.h"
#include "clock.h"

enum { ROUNDS = 200, CLASS_WORK = 100000000 };
static const double SECONDS = 60, MOST_SECONDS = 300;
static const int64_t MOST_WORK = 1000000000;

static void say(const char *what, const struct bestdag_problem *p, int clusters,
                double cost, double seconds)
{
    printf("| %s | %d | %.4f | %.2f |\n", what, clusters,
           p->best - ldexp(cost, -p->shift), seconds);
}

/* ---- ours -------------------------------------------------------------------
 */

static void on_order(void *job, struct bestdag_cutting_settings *polish,
                     const int *order)
{
    const struct bestdag_relaxation *r = job;
    int64_t cost = bestdag_relaxation_cost(r, order, NULL);
    if (cost >= 0 && cost < polish->upper)
        polish->upper = cost;
}

/* ---- Clp --------------------------------------------------------------------
 */

/* Columns are sets, each in the row of its variable. Costs are in nats. */
static void add_columns(Clp_Simplex *model, const struct bestdag_relaxation *r,
                        double unit)
{
    int sets = 0, n = r->n;
    for (int v = 0; v < n; v++)
        sets += r->list[v].count;
    double *one = malloc((size_t)(sets + n) * sizeof *one);
    double *zero = calloc((size_t)sets, sizeof *zero);
    double *cost = malloc((size_t)sets * sizeof *cost);
    CoinBigIndex *start = malloc(((size_t)sets + 1) * sizeof *start);
    int *in = malloc((size_t)sets * sizeof *in);
    Clp_resize(model, n, 0);
    for (int i = 0; i < sets + n; i++)
        one[i] = 1;
    Clp_chgRowLower(model, one);
    Clp_chgRowUpper(model, one);
    for (int v = 0, k = 0; v < n; v++)
        for (int i = 0; i < r->list[v].count; i++, k++) {
            cost[k] = (double)r->list[v].cost[i] * unit;
            start[k] = k;
            in[k] = v;
        }
    start[sets] = sets;
    Clp_addColumns(model, sets, zero, one, cost, start, in, one);
    free(one);
    free(zero);
    free(cost);
    free(start);
    free(in);
}

/* The row of a cluster: those who miss it are at least this many. */
static void add_row(Clp_Simplex *model, const struct bestdag_relaxation *r,
                    const struct bestdag_cluster *c, const int *offset)
{
    int count = 0, room = offset[r->n];
    int *column = malloc((size_t)room * sizeof *column);
    double *one = malloc((size_t)room * sizeof *one);
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(r, c, &w);) {
        const struct bestdag_reduced_list *s = &r->list[w.v];
        for (int i = 0; i < s->count; i++)
            if (bestdag_cluster_view_missed(
                    &w.view, bestdag_reduced_list_mask(s, i), s->words)) {
                one[count] = 1;
                column[count++] = offset[w.v] + i;
            }
    }
    double lower = c->least, upper = 1e30;
    CoinBigIndex start[2] = {0, count};
    Clp_addRows(model, 1, &lower, &upper, start, column, one);
    free(column);
    free(one);
}

/* The linear program of the lists, and of the pool's clusters from `from` on;
 * how many there are. */
static int add_rows(Clp_Simplex *model, const struct bestdag_relaxation *r,
                    int from)
{
    int *offset = calloc((size_t)r->n + 1, sizeof *offset);
    for (int v = 0; v < r->n; v++)
        offset[v + 1] = offset[v] + r->list[v].count;
    for (; from < r->pool.count; from++)
        add_row(model, r, r->pool.at[from], offset);
    free(offset);
    return from;
}

static void measure_same(const struct bestdag_relaxation *r,
                         const struct bestdag_problem *p)
{
    double start = cpu_seconds();
    Clp_Simplex *model = Clp_newModel();
    Clp_setLogLevel(model, 0);
    add_columns(model, r, ldexp(1, -p->shift));
    add_rows(model, r, 0);
    Clp_setMaximumSeconds(model, MOST_SECONDS);
    Clp_dual(model, 0);
    bool is_optimal = !Clp_status(model);
    say(is_optimal ? "the same clusters" : "the same clusters, not optimal", p,
        r->pool.count, ldexp(Clp_getObjValue(model), p->shift),
        cpu_seconds() - start);
    Clp_deleteModel(model);
}

static void measure_ours(struct bestdag_run *run,
                         const struct bestdag_problem *p)
{
    for (int64_t work = 1000000; work <= MOST_WORK; work *= 10) {
        double start = cpu_seconds();
        struct bestdag_relaxation *r = bestdag_relaxation_of(run, p, false);
        struct bestdag_cutting_settings plan = {.upper = BESTDAG_UNKNOWN_COST,
                                                .most_work = work,
                                                .job = r,
                                                .on_order = on_order};
        bestdag_cutting_planes(r, &plan);
        say("ours", p, r->pool.count, (double)r->bound, cpu_seconds() - start);
        if (10 * work > MOST_WORK)
            measure_same(r, p);
        bestdag_relaxation_free(r);
    }
}

static void measure_clp(struct bestdag_run *run,
                        const struct bestdag_problem *p)
{
    double start = cpu_seconds(), printed = 0;
    struct bestdag_relaxation *r = bestdag_relaxation_of(run, p, false);
    bestdag_dual_ascent(r, INT64_MAX, NULL);
    Clp_Simplex *model = Clp_newModel();
    Clp_setLogLevel(model, 0);
    add_columns(model, r, ldexp(1, -p->shift));
    int rows = 0;
    for (int round = 0; round < ROUNDS; round++) {
        rows = add_rows(model, r, rows);
        Clp_dual(model, 0);
        double bound = ldexp(Clp_getObjValue(model), p->shift);
        double seconds = cpu_seconds() - start;
        int found = bestdag_separate(r, Clp_getColSolution(model), r->n,
                                     &(struct bestdag_class_limits){
                                         .work = CLASS_WORK, .most = 3 * r->n});
        if (seconds > 2 * printed || found <= 0) {
            say("Clp", p, rows, bound, seconds);
            printed = seconds;
        }
        if (found <= 0 || seconds > SECONDS)
            break;
    }
    Clp_deleteModel(model);
    bestdag_relaxation_free(r);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_sets *sets = bestdag_sets_read(run, argv[i]);
        struct bestdag_problem *p =
            sets ? bestdag_problem_new(run, sets) : NULL;
        if (!p) {
            fprintf(stderr, "linear: %s\n", bestdag_run_error(run));
            return 1;
        }
        const char *name = strrchr(argv[i], '/');
        printf("\n### %s: the root bound over time\n\n"
               "| | clusters | bound | seconds |\n|---|---|---|---|\n",
               name ? name + 1 : argv[i]);
        measure_ours(run, p);
        measure_clp(run, p);
        bestdag_problem_free(p);
        bestdag_sets_free(sets);
        bestdag_run_free(run);
    }
    return 0;
}
