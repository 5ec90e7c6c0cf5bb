/* SPDX-License-Identifier: MIT */
/* test_gaussian_em.c -- expectation-maximisation on numbers against the joint
 * normal distribution, conditioned row by row by Gaussian elimination: expected
 * moments, log-likelihood, scores; stationary points; threads; allocations that
 * fail; constants, empty rows. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bestdag.h"
#include "learn/expected_moments.h"
#include "models/holes/gaussian_em.h"
#include "network/regression.h"
#include "random_numbers.h"
#include "scores/moments.h"
#include "scores/score.h"

enum { MOST = 8 };

static int setup(void **state)
{
    *state = bestdag_run_new();
    return !*state;
}

static int teardown(void **state)
{
    bestdag_run_free(*state);
    return 0;
}

/* ---- the joint distribution ------------------------------------------------
 */

struct joint {
    int n;
    long double mean[MOST], cov[MOST][MOST];
};

/* Columns are an order: parents come before. */
static struct joint joint_of(const struct bestdag_network *net)
{
    struct joint j = {.n = net->dag->n};
    for (int v = 0; v < j.n; v++) {
        const struct bestdag_parents *p = &net->dag->parents[v];
        const double *b = net->variable[v].regression;
        j.mean[v] = b[0];
        j.cov[v][v] = (long double)b[p->count + 1] * b[p->count + 1];
        for (int i = 0; i < p->count; i++)
            j.mean[v] += b[i + 1] * j.mean[p->at[i]];
        for (int u = 0; u < v; u++) {
            for (int i = 0; i < p->count; i++)
                j.cov[v][u] += b[i + 1] * j.cov[p->at[i]][u];
            j.cov[u][v] = j.cov[v][u];
        }
        for (int i = 0; i < p->count; i++)
            j.cov[v][v] += b[i + 1] * j.cov[v][p->at[i]];
    }
    return j;
}

/* Conditions on x[v] of one variable after the other; the log-density. */
static long double condition(struct joint *j, const double *x)
{
    long double ln = 0;
    for (int v = 0; v < j->n; v++) {
        if (isnan(x[v]))
            continue;
        long double var = j->cov[v][v], off = x[v] - j->mean[v];
        long double row[MOST];
        ln -= (logl(2 * acosl(-1) * var) + off * off / var) / 2;
        for (int i = 0; i < j->n; i++)
            row[i] = j->cov[i][v];
        for (int i = 0; i < j->n; i++) {
            j->mean[i] += row[i] * off / var;
            for (int k = 0; k < j->n; k++)
                j->cov[i][k] -= row[i] * row[k] / var;
        }
    }
    return ln;
}

struct moments {
    double ln, total;
    long double mean[MOST], second[MOST][MOST];
};

static struct moments expect_slowly(const struct bestdag_network *net,
                                    const struct bestdag_table *t)
{
    struct moments m = {0};
    int n = t->columns;
    for (int64_t r = 0; r < t->rows; r++) {
        struct joint j = joint_of(net);
        double x[MOST], w = t->weights ? t->weights[r] : 1;
        int values = 0;
        for (int v = 0; v < n; v++) {
            x[v] = ((double *)t->column[v].cells)[r];
            values += !isnan(x[v]);
        }
        if (!values || w <= 0)
            continue;
        m.ln += (double)(w * condition(&j, x));
        m.total += w;
        for (int v = 0; v < n; v++)
            j.mean[v] = isnan(x[v]) ? j.mean[v] : x[v];
        for (int v = 0; v < n; v++) {
            m.mean[v] += w * j.mean[v];
            for (int u = 0; u < n; u++)
                m.second[v][u] +=
                    w * (j.mean[v] * j.mean[u] +
                         (isnan(x[v]) && isnan(x[u]) ? j.cov[v][u] : 0));
        }
    }
    for (int v = 0; v < n; v++)
        m.mean[v] /= m.total;
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++)
            m.second[v][u] -= m.total * m.mean[v] * m.mean[u];
    return m;
}

/* ---- cases -----------------------------------------------------------------
 */

struct case_ {
    struct bestdag_table *t;
    struct bestdag_network *net;
    struct bestdag_gaussian_em em;
    const double *number[MOST];
};

static void punch(struct bestdag_table *t, double share, uint64_t seed)
{
    struct bestdag_random r = bestdag_random_init(seed, 77);
    for (int v = 0; v < t->columns; v++)
        for (int64_t i = 0; i < t->rows; i++)
            if (bestdag_random_unit(&r) < share) {
                ((double *)t->column[v].cells)[i] = NAN;
                t->column[v].missing++;
            }
}

static void draw_parents(struct bestdag_run *run, struct bestdag_network *net,
                         uint64_t seed)
{
    struct bestdag_random r = bestdag_random_init(seed, 78);
    for (int v = 0; v < net->dag->n; v++) {
        int parents[MOST], count = 0;
        for (int u = 0; u < v; u++)
            if (bestdag_random_unit(&r) < 0.4)
                parents[count++] = u;
        bestdag_dag_set_parents(run, net->dag, v, parents, count);
        bestdag_network_new_regression(run, net, v);
        double *b = net->variable[v].regression;
        for (int i = 0; i <= count; i++)
            b[i] = random_normal(&r);
        b[count + 1] = 0.5 + bestdag_random_unit(&r);
    }
}

static void open_case(struct bestdag_run *run, uint64_t seed, int64_t rows,
                      double share, struct case_ *c)
{
    struct random_numbers how = {.seed = seed,
                                 .numbers = 2 + (int)(seed % 6),
                                 .rows = rows,
                                 .weights = seed % 3 ? 0 : 3,
                                 .parts = 0.5};
    *c = (struct case_){.t = random_numbers(run, how)};
    punch(c->t, share, seed);
    for (int v = 0; v < c->t->columns; v++)
        c->number[v] = c->t->column[v].cells;
    c->net = bestdag_network_new(run, c->t);
    draw_parents(run, c->net, seed);
    assert_int_equal(bestdag_gaussian_em_new(run, c->number, c->t->columns,
                                             rows, c->t->weights, &c->em),
                     BESTDAG_OK);
}

static void close_case(struct case_ *c)
{
    bestdag_gaussian_em_release(&c->em);
    bestdag_network_free(c->net);
    bestdag_table_free(c->t);
}

static void near(double got, double want, double scale, uint64_t seed,
                 const char *what)
{
    if (!(fabs(got - want) <= 1e-9 * (fabs(scale) + 1)))
        fail_msg("seed %d: %s %.17g is not %.17g", (int)seed, what, got, want);
}

/* ---- tests -----------------------------------------------------------------
 */

/* Regressions of one M-step, from the slow moments, by elimination. */
static void check_regression(const struct case_ *c, const struct moments *m,
                             int v, uint64_t seed)
{
    const struct bestdag_parents *p = &c->net->dag->parents[v];
    const double *b = c->net->variable[v].regression;
    double rest = (double)m->second[v][v], at = b[0];
    for (int i = 0; i < p->count; i++) {
        double gradient = (double)m->second[p->at[i]][v], scale = 0;
        for (int k = 0; k < p->count; k++) {
            gradient -= b[k + 1] * (double)m->second[p->at[i]][p->at[k]];
            scale += fabs(b[k + 1] * (double)m->second[p->at[i]][p->at[k]]);
        }
        near(gradient, 0, scale, seed, "normal equation");
        rest -= b[i + 1] * (double)m->second[p->at[i]][v];
        at += b[i + 1] * (double)m->mean[p->at[i]];
    }
    near(at, (double)m->mean[v], 1, seed, "mean");
    double sd = b[p->count + 1];
    near(sd * sd * m->total, rest, (double)m->second[v][v], seed, "variance");
}

static void check_scores(struct bestdag_run *run, struct case_ *c,
                         const struct moments *m, uint64_t seed)
{
    static const char *const names[] = {"bic-g", "aic-g", "ll-g"};
    const struct bestdag_score_type *like = bestdag_score_find(names[seed % 3]);
    struct bestdag_expected_moments expected;
    struct bestdag_table *full = c->t; /* whose holes are now at their means */
    for (int64_t i = 0; i < c->em.count; i++)
        for (int v = 0; v < c->em.n; v++) {
            double *cell = (double *)full->column[v].cells + c->em.row[i];
            if (isnan(*cell))
                *cell = c->em.centre[v] +
                        ldexp(c->em.value[v][i], c->em.exponent[v]);
        }
    for (int v = 0; v < c->em.n; v++) {
        double *cell = full->column[v].cells;
        full->column[v].missing = 0;
        for (int64_t r = 0; r < full->rows; r++) /* of no weight */
            cell[r] = isnan(cell[r]) ? 0 : cell[r];
    }
    assert_int_equal(
        bestdag_expected_moments_init(run, like, &c->em, &expected),
        BESTDAG_OK);
    struct bestdag_scorer *s =
        bestdag_scorer_of(run, full, &expected.type, NULL);
    assert_non_null(s);
    double weight = seed % 3 == 0 ? log(m->total) / 2 : seed % 3 == 1 ? 1 : 0;
    double var = (double)(m->second[1][1] -
                          m->second[1][0] * m->second[1][0] / m->second[0][0]);
    double want = -m->total / 2 * (log(2 * M_PI * var / m->total) + 1);
    double *nats = calloc((size_t)c->em.n, sizeof *nats);
    struct bestdag_dag *dag = bestdag_dag_new(run, c->em.n);
    bestdag_dag_set_parents(run, dag, 1, (int[]){0}, 1);
    assert_int_equal(bestdag_scorer_exact_all(run, s, dag, nats), BESTDAG_OK);
    near(nats[1], want - 3 * weight, want, seed, "score");
    free(nats);
    bestdag_dag_free(dag);
    bestdag_scorer_free(s);
    bestdag_expected_moments_release(&expected);
}

/* A row without any value would be left a hole in check_scores(). */
static void fill_empty_rows(struct bestdag_table *t)
{
    for (int64_t r = 0; r < t->rows; r++) {
        int values = 0;
        for (int v = 0; v < t->columns; v++)
            values += !isnan(((double *)t->column[v].cells)[r]);
        if (!values)
            ((double *)t->column[0].cells)[r] = 1;
    }
}

static void moments_are_those_of_the_joint_distribution(void **state)
{
    static const char *const threads[] = {"1", "2", "5"};
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct case_ c;
        double ln;
        bool done;
        bestdag_run_set(run, "threads", threads[seed % 3]);
        open_case(run, seed, 150, seed % 5 * 0.15 + 0.05, &c);
        if (seed % 2) {
            fill_empty_rows(c.t);
            bestdag_gaussian_em_release(&c.em);
            bestdag_gaussian_em_new(run, c.number, c.t->columns, 150,
                                    c.t->weights, &c.em);
        }
        struct moments m = expect_slowly(c.net, c.t);
        assert_int_equal(
            bestdag_gaussian_em_expect(run, &c.em, c.net, &ln, &done),
            BESTDAG_OK);
        assert_true(done);
        near(ln, m.ln, m.ln, seed, "log-likelihood");
        assert_int_equal(bestdag_gaussian_em_maximise(run, &c.em, c.net, NULL),
                         BESTDAG_OK);
        for (int v = 0; v < c.em.n; v++)
            check_regression(&c, &m, v, seed);
        if (seed % 2)
            check_scores(run, &c, &m, seed);
        close_case(&c);
    }
}

/* No small change of a parameter is better, by the slow likelihood. */
static void it_ends_in_a_maximum(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct case_ c;
        struct bestdag_em_settings far = {2, 5000, 1e-14};
        struct bestdag_em_report report = {0};
        open_case(run, seed, 120, 0.25, &c);
        assert_int_equal(
            bestdag_gaussian_em_run(run, &c.em, c.net, &far, false, &report),
            BESTDAG_OK);
        assert_true(report.has_converged);
        double ln = expect_slowly(c.net, c.t).ln;
        near(report.ln, ln, ln, seed, "reported");
        for (int v = 0; v < c.em.n; v++) {
            double *b = c.net->variable[v].regression;
            for (int i = 0; i < c.net->dag->parents[v].count + 2; i++)
                for (int side = -1; side <= 1; side += 2) {
                    double before = b[i];
                    b[i] += side * 1e-3 * fmax(fabs(b[i]), 0.1);
                    double other = expect_slowly(c.net, c.t).ln;
                    if (other > ln + 1e-5)
                        fail_msg("seed %d: term %d of %d: %.12g to %.12g",
                                 (int)seed, i, v, ln, other);
                    b[i] = before;
                }
        }
        close_case(&c);
    }
}

static void the_likelihood_never_falls(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct case_ c;
        struct bestdag_em_settings one = {1, 1, 0};
        struct bestdag_em_report report = {0};
        double last = -INFINITY;
        open_case(run, seed, 40, 0.5, &c);
        bestdag_gaussian_em_blank(&c.em);
        bestdag_gaussian_em_maximise(run, &c.em, c.net, NULL);
        for (int i = 0; i < 200; i++) {
            assert_int_equal(
                bestdag_gaussian_em_run(run, &c.em, c.net, &one, true, &report),
                BESTDAG_OK);
            if (report.ln < last - 1e-9 * (1 + fabs(last)))
                fail_msg("seed %d: from %.15g to %.15g", (int)seed, last,
                         report.ln);
            last = report.ln;
        }
        close_case(&c);
    }
}

static struct bestdag_network *fit(struct bestdag_run *run,
                                   const struct case_ *c, const char *policy)
{
    return bestdag_table_complete(run, c->t, policy)
               ? NULL
               : bestdag_network_fit(run, c->net, c->t, NULL);
}

static void assert_same(const struct bestdag_network *a,
                        const struct bestdag_network *b)
{
    for (int v = 0; v < a->dag->n; v++)
        assert_memory_equal(
            a->variable[v].regression, b->variable[v].regression,
            (size_t)(a->dag->parents[v].count + 2) * sizeof(double));
}

static void threads_do_not_show(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *of[2];
    struct case_ c;
    open_case(run, 5, 3000, 0.2, &c);
    for (int i = 0; i < 2; i++) {
        bestdag_run_set(run, "threads", i ? "4" : "1");
        of[i] = fit(run, &c, "em");
        assert_non_null(of[i]);
    }
    assert_same(of[0], of[1]);
    bestdag_network_free(of[0]);
    bestdag_network_free(of[1]);
    close_case(&c);
}

static void without_holes_nothing_changes(void **state)
{
    struct bestdag_run *run = *state;
    struct case_ c;
    open_case(run, 4, 200, 0, &c);
    struct bestdag_network *plain = fit(run, &c, "drop");
    struct bestdag_network *other = fit(run, &c, "em");
    assert_true(plain && other);
    assert_same(plain, other);
    bestdag_network_free(plain);
    bestdag_network_free(other);
    close_case(&c);
}

/* A constant column stays what it is, whether its value is there or not; one
 * that another determines keeps a deviation; a column without values and rows
 * without any. */
static void odd_columns(void **state)
{
    struct bestdag_run *run = *state;
    struct case_ c;
    open_case(run, 10, 60, 0.2, &c); /* 6 columns */
    double *x = c.t->column[2].cells, *y = c.t->column[4].cells;
    const double *from = c.t->column[3].cells;
    for (int64_t r = 0; r < 60; r++) {
        x[r] = r % 7 ? 3.5 : NAN;
        y[r] = r % 5 ? 2 * from[r] + 1 : NAN;
    }
    bestdag_dag_set_parents(run, c.net->dag, 4, (int[]){2, 3}, 2);
    bestdag_dag_set_parents(run, c.net->dag, 2, (int[]){0}, 1);
    for (int v = 0; v < 6; v++)
        c.t->column[v].missing = 1; /* some */
    struct bestdag_network *net = fit(run, &c, "em");
    assert_non_null(net);
    assert_true(net->variable[2].regression[0] == 3.5);
    assert_true(net->variable[2].regression[1] == 0);
    assert_true(net->variable[2].regression[2] == 0);
    const double *b = net->variable[4].regression;
    assert_true(fabs(b[2] - 2) < 1e-4 && b[3] > 0 && b[3] < 1e-3);
    bestdag_network_free(net);
    close_case(&c);
}

static void every_allocation_may_fail(void **state)
{
    struct bestdag_run *run = *state;
    struct case_ c;
    open_case(run, 3, 40, 0.3, &c);
    bestdag_table_complete(run, c.t, "em");
    for (int64_t at = 1;; at++) {
        bestdag_memory_fail_at(run, at);
        struct bestdag_result *result =
            at % 2 ? bestdag_learn(run, c.t, NULL, NULL) : NULL;
        struct bestdag_network *net =
            at % 2 ? NULL : bestdag_network_fit(run, c.net, c.t, NULL);
        bestdag_memory_fail_at(run, 0);
        bool is_done = at > 40 && at % 2 && result;
        if (!bestdag_run_status(run) && at % 2)
            assert_non_null(result);
        bestdag_result_free(result);
        bestdag_network_free(net);
        bestdag_run_clear(run);
        if (is_done || at > 20000)
            break;
    }
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            moments_are_those_of_the_joint_distribution, setup, teardown),
        cmocka_unit_test_setup_teardown(it_ends_in_a_maximum, setup, teardown),
        cmocka_unit_test_setup_teardown(the_likelihood_never_falls, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(threads_do_not_show, setup, teardown),
        cmocka_unit_test_setup_teardown(without_holes_nothing_changes, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(odd_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, setup,
                                        teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
