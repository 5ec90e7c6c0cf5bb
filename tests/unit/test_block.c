/* SPDX-License-Identifier: MIT */
/* test_block.c -- constrained likelihoods: closed forms by hand and against the
 * interior-point method, that one against spectral projected gradients. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "constraints/parameters/block.h"
#include "projecting.h"

enum { SEED = 20091 };

struct answer {
    bool feasible;
    enum bestdag_block_end end;
    double theta[MOST_ENTRIES], loss;
};

static int add_limits(struct bestdag_run *run, struct bestdag_block *block,
                      const struct problem *p)
{
    int entry[MOST_ENTRIES], status = 0;
    for (int k = 0; k < p->n; k++)
        entry[k] = k;
    for (int i = 0; i < p->limits && !status; i++) {
        int count = 0;
        double factor[MOST_ENTRIES];
        for (int k = 0; k < p->n; k++)
            if (p->limit[i].factor[k] != 0) {
                entry[count] = k;
                factor[count++] = p->limit[i].factor[k];
            }
        struct bestdag_limit limit = {count, entry, factor,
                                      p->limit[i].relation, p->limit[i].bound};
        status = bestdag_block_limit(run, block, &limit);
    }
    return status;
}

static int build(struct bestdag_run *run, struct bestdag_block *block,
                 const struct problem *p)
{
    int status = add_limits(run, block, p);
    for (int i = 0; i < p->balls && !status; i++)
        status = bestdag_block_near(run, block, p->ball[i].row,
                                    p->ball[i].centre, p->ball[i].most);
    return status;
}

static void find_answer(struct bestdag_run *run, struct bestdag_block *block,
                        const double *counts, struct answer *a)
{
    double *scratch =
        bestdag_alloc(run, bestdag_block_room(block) * sizeof *scratch);
    if (scratch)
        a->end =
            bestdag_block_solve(block, counts, a->theta, &a->loss, scratch);
    bestdag_free(scratch);
}

static struct answer solve_in(struct bestdag_run *run, const struct problem *p)
{
    struct answer a = {0};
    struct bestdag_block *block = bestdag_block_new(run, p->states, p->rows);
    if (block && !build(run, block, p) &&
        !bestdag_block_settle(run, block, &a.feasible) && a.feasible)
        find_answer(run, block, p->counts, &a);
    bestdag_block_free(block);
    return a;
}

static struct answer solve(const struct problem *p)
{
    struct bestdag_run *run = bestdag_run_new();
    struct answer a = solve_in(run, p);
    assert_string_equal(bestdag_run_error(run), "");
    assert_int_equal(bestdag_memory_used(run), 0);
    bestdag_run_free(run);
    return a;
}

static double entropy_part(const struct problem *p)
{
    double sum = 0;
    for (int j = 0; j < p->rows; j++) {
        double total = 0;
        for (int k = 0; k < p->states; k++)
            total += p->counts[j * p->states + k];
        for (int k = 0; k < p->states; k++) {
            double c = p->counts[j * p->states + k];
            sum += c > 0 ? c * log(c / total) : 0;
        }
    }
    return sum;
}

static void expect_sound(const struct problem *p, const struct answer *a)
{
    assert_true(a->feasible);
    assert_int_equal(a->end, BESTDAG_BLOCK_SOLVED);
    assert_true(violation(p, a->theta) <= 1e-9);
    assert_true(fabs(entropy_part(p) - a->loss - objective(p, a->theta)) <=
                1e-9 * (1 + fabs(objective(p, a->theta))));
}

/* ---- problems -------------------------------------------------------------
 */

static struct problem empty(int states, int rows)
{
    return (struct problem){.states = states, .rows = rows, .n = states * rows};
}

static void draw_counts(struct problem *p, struct bestdag_random *r, int most)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        bool none = bestdag_random_below(r, 3) == 0;
        p->counts[i] = none ? 0 : (double)bestdag_random_below(r, most);
        sum += p->counts[i];
    }
    p->counts[0] += sum == 0;
}

/* Row j's chance of state k or above is at most row i's. */
static void put_order(struct problem *p, int j, int i, int k)
{
    double *f = p->limit[p->limits].factor;
    memset(f, 0, sizeof p->limit->factor);
    for (int s = k; s < p->states; s++) {
        f[j * p->states + s] = 1;
        f[i * p->states + s] = -1;
    }
    p->limit[p->limits].bound = 0;
    p->limit[p->limits++].relation = -1;
}

/* A ball that holds everything: the closed forms do not know it. */
static void hide(struct problem *p)
{
    for (int j = 0; j < p->rows; j++) {
        p->ball[p->balls].row = j;
        for (int k = 0; k < p->states; k++)
            p->ball[p->balls].centre[k] = 1. / p->states;
        p->ball[p->balls++].most = 9;
    }
}

static void draw_point(struct problem *p, struct bestdag_random *r, double *x,
                       bool with_zeros)
{
    for (int j = 0; j < p->rows; j++) {
        double sum = 0, *row = x + j * p->states;
        for (int k = 0; k < p->states; k++) {
            row[k] = .05 - log(1 - bestdag_random_unit(r));
            if (with_zeros && k && bestdag_random_below(r, 4) == 0)
                row[k] = 0;
            sum += row[k];
        }
        for (int k = 0; k < p->states; k++)
            row[k] /= sum;
    }
}

/* A linear constraint that x satisfies: with room, or just. */
static void draw_limit(struct problem *p, struct bestdag_random *r,
                       const double *x, double room)
{
    double *f = p->limit[p->limits].factor, at = 0;
    memset(f, 0, sizeof p->limit->factor);
    for (int t = 2 + (int)bestdag_random_below(r, 3); t > 0; t--)
        f[bestdag_random_below(r, (uint64_t)p->n)] +=
            (double)bestdag_random_below(r, 7) - 3;
    for (int k = 0; k < p->n; k++)
        at += f[k] * x[k];
    int relation = (int)bestdag_random_below(r, 3) - 1;
    p->limit[p->limits].relation = relation;
    p->limit[p->limits++].bound = at - relation * room * bestdag_random_unit(r);
}

static void draw_ball(struct problem *p, struct bestdag_random *r,
                      const double *x)
{
    int row = (int)bestdag_random_below(r, (uint64_t)p->rows);
    double sum = 0;
    struct problem one = empty(p->states, 1);
    draw_point(&one, r, p->ball[p->balls].centre, false);
    for (int k = 0; k < p->states; k++)
        sum += pow(x[row * p->states + k] - p->ball[p->balls].centre[k], 2);
    p->ball[p->balls].row = row;
    p->ball[p->balls++].most = sum + .02;
}

/* ---- tests ----------------------------------------------------------------
 */

static void rows_without_constraints_are_frequencies(void **state)
{
    (void)state;
    struct problem p = empty(3, 2);
    double counts[] = {1, 2, 1, 0, 0, 0};
    memcpy(p.counts, counts, sizeof counts);
    struct answer a = solve(&p);
    assert_true(a.theta[0] == .25 && a.theta[1] == .5 && a.loss == 0);
    assert_true(fabs(a.theta[3] - 1. / 3) < 1e-15);
}

static void two_rows_against_their_order_are_pooled(void **state)
{
    (void)state;
    struct problem p =
        empty(2, 2); /* 50 x of the low a, 50 not-x of the high */
    double counts[] = {0, 50, 50, 0};
    memcpy(p.counts, counts, sizeof counts);
    put_order(&p, 0, 1, 1);
    struct answer a = solve(&p);
    assert_true(fabs(a.theta[1] - .5) < 1e-15 && fabs(a.theta[3] - .5) < 1e-15);
    assert_true(fabs(a.loss - 100 * log(2)) < 1e-12);
}

static void a_range_cuts_off(void **state)
{
    (void)state;
    struct problem p = empty(2, 1);
    p.counts[0] = 3;
    p.counts[1] = 7;
    p.limits = 2;
    p.limit[0].factor[1] = p.limit[1].factor[1] = 1;
    p.limit[0].bound = .2;
    p.limit[0].relation = 1;
    p.limit[1].bound = .6;
    p.limit[1].relation = -1;
    struct answer a = solve(&p);
    assert_true(fabs(a.theta[1] - .6) < 1e-12);
    assert_true(fabs(a.loss - 3 * log(.3 / .4) - 7 * log(.7 / .6)) < 1e-10);
}

static void expect_same_answers(struct problem *p)
{
    struct answer closed = solve(p);
    expect_sound(p, &closed);
    hide(p);
    struct answer general = solve(p);
    expect_sound(p, &general);
    assert_true(fabs(closed.loss - general.loss) <= 1e-8);
}

static void chains_are_pooled_as_the_general_way_has_it(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 1);
    for (int t = 0; t < 1000; t++) {
        struct problem p = empty(2, 2 + (int)bestdag_random_below(&r, 6));
        draw_counts(&p, &r, 30);
        bool falls = bestdag_random_below(&r, 2);
        for (int j = 1; j < p.rows; j++)
            put_order(&p, falls ? j : j - 1, falls ? j - 1 : j, 1);
        expect_same_answers(&p);
    }
}

static void stochastic_order_of_two_is_pooled_as_the_general_way_has_it(
    void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 2);
    for (int t = 0; t < 1000; t++) {
        struct problem p = empty(3 + (int)bestdag_random_below(&r, 4), 2);
        draw_counts(&p, &r, 30);
        int low = (int)bestdag_random_below(&r, 2);
        for (int k = 1; k < p.states; k++)
            put_order(&p, low, 1 - low, k);
        expect_same_answers(&p);
    }
}

/* Gradients from the library's point must not gain, and from elsewhere must
 * come close to it. False: their projections were too coarse to tell. */
static bool expect_best(const struct problem *p, const struct answer *a,
                        const double *start)
{
    double x[MOST_ENTRIES] = {0}, y[MOST_ENTRIES] = {0};
    double found = objective(p, a->theta);
    memcpy(x, a->theta, (size_t)p->n * sizeof *x);
    memcpy(y, start, (size_t)p->n * sizeof *y);
    double from_here = project_gradients(p, x, 100);
    double from_there = project_gradients(p, y, 300);
    if (violation(p, x) > 1e-10 || violation(p, y) > 1e-10)
        return false;
    assert_true(from_here <= found + 1e-8 * (1 + fabs(found)));
    assert_true(from_there <= found + 1e-8 * (1 + fabs(found)));
    assert_true(from_there >= found - 1e-2 * (1 + fabs(found)));
    return true;
}

static void random_constraints_are_solved_as_by_projected_gradients(
    void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 3);
    int compared = 0;
    for (int t = 0; t < 150; t++) {
        struct problem p = empty(2 + (int)bestdag_random_below(&r, 3),
                                 1 + (int)bestdag_random_below(&r, 4));
        double x[MOST_ENTRIES] = {0};
        draw_point(&p, &r, x, false);
        draw_counts(&p, &r, 30);
        for (int i = 1 + (int)bestdag_random_below(&r, 3); i > 0; i--)
            draw_limit(&p, &r, x, .05);
        for (int i = (int)bestdag_random_below(&r, 3); i > 0; i--)
            draw_ball(&p, &r, x);
        struct answer a = solve(&p);
        expect_sound(&p, &a);
        compared += expect_best(&p, &a, x);
    }
    assert_true(compared > 120);
}

/* Constraints that hold with equality at a point, chances of 0 among them. */
static void constraints_without_room_are_solved(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 4);
    for (int t = 0; t < 1000; t++) {
        struct problem p = empty(2 + (int)bestdag_random_below(&r, 3),
                                 1 + (int)bestdag_random_below(&r, 4));
        double x[MOST_ENTRIES] = {0};
        draw_point(&p, &r, x, true);
        draw_counts(&p, &r, 30);
        for (int i = 0; i < p.n; i++)
            if (x[i] == 0)
                p.counts[i] = 0;
        p.counts[0] += 1;
        for (int i = 1 + (int)bestdag_random_below(&r, 5); i > 0; i--)
            draw_limit(&p, &r, x, 0);
        if (bestdag_random_below(&r, 3) == 0)
            draw_ball(&p, &r, x);
        struct answer a = solve(&p);
        assert_true(a.feasible);
        if (a.end == BESTDAG_BLOCK_EXCLUDED)
            continue; /* it may be: x need not be near the counts */
        expect_sound(&p, &a);
        assert_true(objective(&p, x) <= objective(&p, a.theta) + 1e-8);
    }
}

static void what_cannot_hold_is_told(void **state)
{
    (void)state;
    struct problem p = empty(3, 2);
    p.counts[0] = 1;
    p.limits = 2; /* p0 >= .6 in row 0, p0 <= .5 in row 1, row 0 <= row 1 */
    p.limit[0].factor[0] = 1;
    p.limit[0].bound = .6;
    p.limit[0].relation = 1;
    p.limit[1].factor[3] = 1;
    p.limit[1].bound = .5;
    p.limit[1].relation = -1;
    assert_true(solve(&p).feasible);
    p.limits = 3;
    p.limit[2].factor[0] = 1;
    p.limit[2].factor[3] = -1;
    p.limit[2].relation = -1;
    assert_false(solve(&p).feasible);
    p.limit[0].bound = .5 + 1e-7;
    assert_false(solve(&p).feasible);
    p.limit[0].bound = .5;
    assert_true(solve(&p).feasible);
    p.limit[2].relation = 0; /* equations that contradict each other */
    p.limit[0].relation = 0;
    p.limit[1].relation = 0;
    assert_true(solve(&p).feasible);
    p.limit[1].bound = .4;
    assert_false(solve(&p).feasible);
}

static void random_contradictions_are_told(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 5);
    int refused = 0;
    for (int t = 0; t < 1000; t++) {
        struct problem p = empty(2 + (int)bestdag_random_below(&r, 3),
                                 1 + (int)bestdag_random_below(&r, 3));
        double x[MOST_ENTRIES] = {0}, sum[MOST_ENTRIES] = {0}, bound = 0;
        draw_point(&p, &r, x, false);
        draw_counts(&p, &r, 9);
        for (int i = 0; i < 3; i++) {
            draw_limit(&p, &r, x, .1);
            int relation = p.limit[i].relation ? p.limit[i].relation : 1;
            for (int k = 0; k < p.n; k++)
                sum[k] -= relation * p.limit[i].factor[k];
            bound -= relation * p.limit[i].bound;
        }
        /* All of them give sum . x <= bound; ask for more. */
        memcpy(p.limit[3].factor, sum, sizeof sum);
        p.limit[3].relation = 1;
        p.limits = 4;
        p.limit[3].bound = bound + 1e-3;
        refused += !solve(&p).feasible;
    }
    assert_int_equal(refused, 1000);
}

static void what_was_seen_but_cannot_be_is_told(void **state)
{
    (void)state;
    struct problem p = empty(3, 1);
    p.counts[0] = 4;
    p.counts[2] = 1;
    p.limits = 1;
    p.limit[0].factor[2] = 1;
    p.limit[0].relation = -1;
    struct answer a = solve(&p);
    assert_true(a.feasible && isinf(a.loss));
    assert_int_equal(a.end, BESTDAG_BLOCK_EXCLUDED);
    assert_true(violation(&p, a.theta) <= 1e-9);
    p.counts[2] = 0;
    a = solve(&p);
    expect_sound(&p, &a);
    assert_true(a.loss == 0);
}

static void tied_rows_share_their_counts(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_block *block = bestdag_block_new(run, 2, 3);
    double counts[] = {1, 3, 5, 5, 3, 1};
    struct answer a;
    bestdag_block_tie(run, block, 0, 2);
    bestdag_block_settle(run, block, &a.feasible);
    find_answer(run, block, counts, &a);
    bestdag_block_free(block);
    bestdag_run_free(run);
    assert_true(a.theta[0] == .5 && a.theta[4] == .5 && a.theta[2] == .5);
    assert_true(fabs(a.loss - 2 * (log(.5) + 3 * log(1.5))) < 1e-12);
}

static void many_rows_of_the_table_do_not_spoil_it(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 6);
    for (int t = 0; t < 200; t++) {
        struct problem p = empty(3, 3);
        draw_counts(&p, &r, 30);
        for (int j = 1; j < 3; j++)
            for (int k = 1; k < 3; k++)
                put_order(&p, j - 1, j, k);
        struct answer few = solve(&p);
        expect_sound(&p, &few);
        for (int i = 0; i < p.n; i++)
            p.counts[i] *= 1e6;
        struct answer many = solve(&p);
        expect_sound(&p, &many);
        assert_true(fabs(many.loss / 1e6 - few.loss) <= 1e-9);
    }
}

/* ---- convex functions -----------------------------------------------------
 */

static double ball_value(void *data, const double *theta, double *gradient)
{
    const double *ball = data; /* centre[3], most */
    double sum = -ball[3];
    for (int k = 0; k < 3; k++) {
        sum += pow(theta[k] - ball[k], 2);
        gradient[k] = 2 * (theta[k] - ball[k]);
    }
    return sum;
}

static void a_ball_as_a_function_is_a_ball(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 7);
    for (int t = 0; t < 200; t++) {
        struct problem p = empty(3, 2);
        double x[MOST_ENTRIES] = {0};
        draw_point(&p, &r, x, false);
        draw_counts(&p, &r, 30);
        draw_limit(&p, &r, x, .05);
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_block *block = bestdag_block_new(run, 3, 2);
        struct answer by_function;
        build(run, block, &p);
        draw_ball(&p, &r, x);
        double data[4];
        memcpy(data, p.ball[0].centre, 3 * sizeof *data);
        data[3] = p.ball[0].most;
        int at = 3 * p.ball[0].row, entry[] = {at, at + 1, at + 2};
        struct bestdag_convex convex = {ball_value, data, 3, entry};
        bestdag_block_convex(run, block, &convex);
        bestdag_block_settle(run, block, &by_function.feasible);
        find_answer(run, block, p.counts, &by_function);
        bestdag_block_free(block);
        assert_string_equal(bestdag_run_error(run), "");
        bestdag_run_free(run);
        expect_sound(&p, &by_function);
        struct answer by_ball = solve(&p);
        assert_true(fabs(by_ball.loss - by_function.loss) <= 1e-8);
    }
}

/* The entropy is at least 1 nat. */
static double entropy_value(void *data, const double *theta, double *gradient)
{
    double sum = *(double *)data;
    for (int k = 0; k < 3; k++) {
        double x = fmax(theta[k], 1e-300);
        sum += theta[k] * log(x);
        gradient[k] = 1 + log(x);
    }
    return sum;
}

static void a_least_entropy_is_kept(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_block *block = bestdag_block_new(run, 3, 1);
    double least = 1, counts[] = {90, 9, 1}, gradient[3], best = -INFINITY;
    int entry[] = {0, 1, 2};
    struct answer a;
    struct bestdag_convex convex = {entropy_value, &least, 3, entry};
    bestdag_block_convex(run, block, &convex);
    assert_int_equal(bestdag_block_settle(run, block, &a.feasible), 0);
    find_answer(run, block, counts, &a);
    assert_int_equal(a.end, BESTDAG_BLOCK_SOLVED);
    assert_true(entropy_value(&least, a.theta, gradient) <= 1e-9);
    double found = 90 * log(a.theta[0]) + 9 * log(a.theta[1]) + log(a.theta[2]);
    for (int i = 1; i < 1000; i++)
        for (int j = 1; i + j < 1000; j++) {
            double x[] = {i / 1e3, j / 1e3, (1000 - i - j) / 1e3};
            if (entropy_value(&least, x, gradient) <= 0)
                best = fmax(best, 90 * log(x[0]) + 9 * log(x[1]) + log(x[2]));
        }
    assert_true(best <= found + 1e-9 && best >= found - .1);
    bestdag_block_free(block);
    least = 1.2; /* more than ln 3 */
    block = bestdag_block_new(run, 3, 1);
    bestdag_block_convex(run, block, &convex);
    assert_int_equal(bestdag_block_settle(run, block, &a.feasible), 0);
    assert_false(a.feasible);
    bestdag_block_free(block);
    bestdag_run_free(run);
}

static double no_number(void *data, const double *theta, double *gradient)
{
    (void)data;
    gradient[0] = 0;
    return theta[0] * (double)NAN;
}

static void a_function_without_numbers_fails(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_block *block = bestdag_block_new(run, 2, 1);
    int entry[] = {0};
    bool feasible;
    struct bestdag_convex convex = {no_number, NULL, 1, entry};
    bestdag_block_convex(run, block, &convex);
    assert_int_equal(bestdag_block_settle(run, block, &feasible),
                     BESTDAG_FAILED);
    bestdag_block_free(block);
    bestdag_run_free(run);
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 8);
    struct problem p = empty(3, 3);
    double x[MOST_ENTRIES] = {0};
    draw_point(&p, &r, x, true);
    draw_counts(&p, &r, 30);
    for (int i = 0; i < 6; i++)
        draw_limit(&p, &r, x, 0);
    draw_ball(&p, &r, x);
    int failed = 0;
    for (int at = 1; at < 1000; at++) {
        struct bestdag_run *run = bestdag_run_new();
        bestdag_memory_fail_at(run, at);
        solve_in(run, &p);
        bool has_failed = bestdag_memory_has_failed(run);
        assert_int_equal(bestdag_run_status(run),
                         has_failed ? BESTDAG_MEMORY : BESTDAG_OK);
        bestdag_memory_fail_at(run, 0);
        assert_int_equal(bestdag_memory_used(run), 0);
        bestdag_run_free(run);
        failed += has_failed;
        if (!has_failed)
            break;
    }
    assert_true(failed > 20);
}

int main(void)
{
    printf("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_without_constraints_are_frequencies),
        cmocka_unit_test(two_rows_against_their_order_are_pooled),
        cmocka_unit_test(a_range_cuts_off),
        cmocka_unit_test(chains_are_pooled_as_the_general_way_has_it),
        cmocka_unit_test(
            stochastic_order_of_two_is_pooled_as_the_general_way_has_it),
        cmocka_unit_test(
            random_constraints_are_solved_as_by_projected_gradients),
        cmocka_unit_test(constraints_without_room_are_solved),
        cmocka_unit_test(what_cannot_hold_is_told),
        cmocka_unit_test(random_contradictions_are_told),
        cmocka_unit_test(what_was_seen_but_cannot_be_is_told),
        cmocka_unit_test(tied_rows_share_their_counts),
        cmocka_unit_test(many_rows_of_the_table_do_not_spoil_it),
        cmocka_unit_test(a_ball_as_a_function_is_a_ball),
        cmocka_unit_test(a_least_entropy_is_kept),
        cmocka_unit_test(a_function_without_numbers_fails),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
