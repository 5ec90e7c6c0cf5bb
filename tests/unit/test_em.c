/* SPDX-License-Identifier: MIT */
/* test_em.c -- expectation-maximisation against all completions of every row:
 * expected counts, log-likelihood, one M-step; the junction tree's rows; what
 * never falls; threads; allocations that fail; stops at every point; rows and
 * columns without a value. */
#include "nets.h"

#include "learn/fitting.h"
#include "models/holes/completed_table.h"
#include "models/holes/em.h"

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

/* The columns of a table as the step reads them. */
static struct bestdag_digit *digits_of(const struct bestdag_table *t)
{
    struct bestdag_digit *d = calloc((size_t)t->columns, sizeof *d);
    for (int v = 0; v < t->columns; v++)
        d[v] = (struct bestdag_digit){t->column[v].cells, t->column[v].bytes,
                                      t->column[v].states};
    return d;
}

struct slow {
    const struct bestdag_network *net;
    const struct bestdag_expectation *e;
    int state[64];
    double *count; /* expected */
    double *row;   /* of one row, not normalised */
    double ln;
};

static int64_t cell_of(const struct bestdag_network *net, const int *state,
                       int v)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t at = 0;
    for (int i = 0; i < p->count; i++)
        at = at * net->variable[p->at[i]].states + state[p->at[i]];
    return at * net->variable[v].states + state[v];
}

/* All completions from variable v on; returns the sum of their
 * probabilities. */
static double complete(struct slow *s, int v, double probability)
{
    int n = s->net->dag->n;
    double sum = 0;
    if (v == n) {
        for (int u = 0; u < n; u++)
            probability *=
                s->net->variable[u].table[cell_of(s->net, s->state, u)];
        for (int u = 0; u < n; u++)
            s->row[s->e->offset[u] + cell_of(s->net, s->state, u)] +=
                probability;
        return probability;
    }
    if (s->state[v] >= 0)
        return complete(s, v + 1, probability);
    for (int k = 0; k < s->net->variable[v].states; k++) {
        s->state[v] = k;
        sum += complete(s, v + 1, probability);
    }
    s->state[v] = -1;
    return sum;
}

/* Expected counts and log-likelihood by full enumeration; rows without any
 * value are left out. */
static struct slow count_slowly(const struct bestdag_expectation *e,
                                const struct bestdag_table *t)
{
    struct slow s = {.net = e->network, .e = e};
    size_t entries = (size_t)e->offset[t->columns];
    s.count = calloc(entries, sizeof *s.count);
    s.row = calloc(entries, sizeof *s.row);
    for (int64_t r = 0; r < t->rows; r++) {
        int values = 0;
        double weight = t->weights ? t->weights[r] : 1;
        for (int v = 0; v < t->columns; v++)
            values += (s.state[v] = bestdag_column_code(&t->column[v], r)) >= 0;
        if (!values || weight <= 0)
            continue;
        memset(s.row, 0, entries * sizeof *s.row);
        double sum = complete(&s, 0, 1);
        s.ln += weight * log(sum);
        for (size_t i = 0; i < entries; i++)
            s.count[i] += weight * s.row[i] / sum;
    }
    free(s.row);
    return s;
}

struct case_ {
    struct bestdag_network *net;
    struct bestdag_table *t;
    struct bestdag_digit *digit;
    struct bestdag_hole_rows rows;
    struct bestdag_expectation e;
};

static void open_case(struct bestdag_run *run, struct shape shape, int64_t rows,
                      double missing, struct case_ *c)
{
    *c = (struct case_){.net = nets_random(run, shape)};
    c->t = nets_table(run, c->net, rows, missing, shape.seed);
    c->digit = digits_of(c->t);
    if (shape.seed % 3 == 0) {
        c->t->weights = bestdag_alloc(run, (size_t)c->t->rows * 4);
        c->t->total = 0;
        for (int64_t r = 0; r < c->t->rows; r++)
            c->t->total += c->t->weights[r] = (int32_t)(r % 4);
    }
    assert_int_equal(bestdag_hole_rows_find(run, c->digit, c->t->columns,
                                            c->t->rows, c->t->weights, false,
                                            &c->rows),
                     BESTDAG_OK);
    assert_int_equal(bestdag_expectation_new(run, c->net, c->digit, c->t->rows,
                                             c->t->weights, &c->rows,
                                             c->t->total, &c->e),
                     BESTDAG_OK);
}

static void close_case(struct case_ *c)
{
    bestdag_expectation_release(&c->e);
    bestdag_hole_rows_release(&c->rows);
    bestdag_table_free(c->t);
    bestdag_network_free(c->net);
    free(c->digit);
}

static void assert_step(struct bestdag_run *run, struct case_ *c, uint64_t seed)
{
    bool done;
    assert_int_equal(bestdag_expectation_step(run, &c->e, &done), BESTDAG_OK);
    assert_true(done);
    struct slow slow = count_slowly(&c->e, c->t);
    if (!(fabs(slow.ln - c->e.ln) <= 1e-10 * (1 + fabs(slow.ln))))
        fail_msg("seed %d: log-likelihood %.17g is not %.17g", (int)seed,
                 c->e.ln, slow.ln);
    for (int64_t i = 0; i < c->e.offset[c->net->dag->n]; i++) {
        double have = ldexp((double)c->e.count[i], -c->e.shift);
        if (!(fabs(have - slow.count[i]) < 1e-9))
            fail_msg("seed %d, cell %d: %.17g is not %.17g", (int)seed, (int)i,
                     have, slow.count[i]);
    }
    free(slow.count);
}

static void expected_counts_are_those_of_all_completions(void **state)
{
    static const char *const threads[] = {"1", "2", "5"};
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct case_ c;
        bestdag_run_set(run, "threads", threads[seed % 3]);
        open_case(run,
                  (struct shape){.seed = seed,
                                 .n = 2 + (int)seed % 7,
                                 .least_states = 1 + (int)seed % 2,
                                 .most_states = 3,
                                 .most_parents = (int)seed % 4},
                  60, seed % 5 * 0.2 + 0.05, &c);
        assert_step(run, &c, seed);
        close_case(&c);
    }
}

/* ---- families that the network does not have ------------------------------
 */

struct any_family {
    const struct bestdag_network *net;
    int state[64];
    int child, parents[8], count;
    double cell[4096]; /* of one row */
};

static double complete_any(struct any_family *f, int v, double probability)
{
    int n = f->net->dag->n;
    double sum = 0;
    if (v == n) {
        int64_t at = 0;
        for (int u = 0; u < n; u++)
            probability *=
                f->net->variable[u].table[cell_of(f->net, f->state, u)];
        for (int i = 0; i < f->count; i++)
            at = at * f->net->variable[f->parents[i]].states +
                 f->state[f->parents[i]];
        at = at * f->net->variable[f->child].states + f->state[f->child];
        f->cell[at] += probability;
        return probability;
    }
    if (f->state[v] >= 0)
        return complete_any(f, v + 1, probability);
    for (int k = 0; k < f->net->variable[v].states; k++) {
        f->state[v] = k;
        sum += complete_any(f, v + 1, probability);
    }
    f->state[v] = -1;
    return sum;
}

/* Against all completions; parents ascend. */
static void assert_family(struct bestdag_completed_counts *counts,
                          const struct bestdag_completion *completion,
                          const struct bestdag_table *t, struct any_family *f,
                          uint64_t seed)
{
    static double want[4096];
    int shuffled[8], r = f->net->variable[f->child].states;
    memset(want, 0, sizeof want);
    for (int64_t row = 0; row < t->rows; row++) {
        int values = 0;
        double weight = t->weights ? t->weights[row] : 1;
        for (int v = 0; v < t->columns; v++)
            values +=
                (f->state[v] = bestdag_column_code(&t->column[v], row)) >= 0;
        if (!values || weight <= 0)
            continue;
        memset(f->cell, 0, sizeof f->cell);
        double sum = complete_any(f, 0, 1);
        for (int i = 0; i < 4096; i++)
            want[i] += weight * f->cell[i] / sum;
    }
    for (int i = 0; i < f->count; i++) /* any order */
        shuffled[i] = f->parents[f->count - 1 - i];
    assert_int_equal(
        bestdag_completed_counts_find(counts, f->child, shuffled, f->count),
        BESTDAG_OK);
    for (int64_t i = 0; i < counts->count; i++) {
        int64_t at = counts->group[i] * r + counts->state[i];
        want[at] -= ldexp((double)counts->cell[i], -completion->shift);
    }
    for (int i = 0; i < 4096; i++)
        /* completions that weigh little are left out (joint_list.c) */
        if (!(fabs(want[i]) < 0x1p-14 * (double)t->rows * 3))
            fail_msg("seed %d, child %d of %d parents, cell %d: off by %g",
                     (int)seed, f->child, f->count, i, want[i]);
}

/* A chain of 17 variables of which a row has one: 2^16 joint states. */
static void rows_with_many_holes_go_through_the_tree(void **state)
{
    struct bestdag_run *run = *state;
    struct case_ c;
    open_case(run,
              (struct shape){.seed = 5,
                             .n = 17,
                             .least_states = 2,
                             .most_states = 2,
                             .most_parents = 2},
              12, 0, &c);
    bestdag_expectation_release(&c.e);
    bestdag_hole_rows_release(&c.rows);
    for (int v = 0; v < 17; v++)
        bestdag_dag_set_parents(run, c.net->dag, v, (int[]){v - 1}, v > 0);
    for (int v = 0; v < 17; v++) {
        double table[4] = {0.3, 0.7, 0.8, 0.2};
        bestdag_free(c.net->variable[v].table);
        bestdag_free(c.net->variable[v].counts);
        c.net->variable[v].counts = NULL;
        c.net->variable[v].table = NULL;
        bestdag_network_new_table(run, c.net, v);
        memcpy(c.net->variable[v].table, table, (v ? 4 : 2) * sizeof *table);
        for (int r = 0; r < 12; r++)
            if (v != r % 17 || r > 8)
                ((uint8_t *)c.t->column[v].cells)[r] = BESTDAG_MISSING_1;
        c.t->column[v].missing = 11;
    }
    assert_int_equal(
        bestdag_hole_rows_find(run, c.digit, 17, 12, NULL, false, &c.rows),
        BESTDAG_OK);
    assert_int_equal(c.rows.empty, 3);
    assert_int_equal(bestdag_expectation_new(run, c.net, c.digit, 12, NULL,
                                             &c.rows, 12, &c.e),
                     BESTDAG_OK);
    assert_true(c.e.by_tree > 0);
    assert_step(run, &c, 5);
    struct bestdag_completion completion;
    struct bestdag_completed_counts counts;
    struct any_family f = {
        .net = c.net, .child = 7, .parents = {2, 9}, .count = 2};
    bool done;
    assert_int_equal(
        bestdag_completion_make(run, c.net, &c.rows, &completion, &done),
        BESTDAG_OK);
    assert_true(done && completion.large > 0);
    assert_int_equal(bestdag_completed_counts_new(run, &completion, &counts),
                     BESTDAG_OK);
    assert_family(&counts, &completion, c.t, &f, 5);
    /* stopped: a search that ends still gets the families that it asks for, a
     * step and a completion end without an error */
    bestdag_run_expire(run);
    f = (struct any_family){
        .net = c.net, .child = 11, .parents = {4, 8, 14}, .count = 3};
    assert_family(&counts, &completion, c.t, &f, 5);
    bestdag_completed_counts_release(&counts);
    bestdag_completion_release(&completion);
    assert_int_equal(bestdag_expectation_step(run, &c.e, &done), BESTDAG_OK);
    assert_false(done);
    assert_int_equal(
        bestdag_completion_make(run, c.net, &c.rows, &completion, &done),
        BESTDAG_OK);
    assert_false(done);
    bestdag_completion_release(&completion);
    bestdag_run_clear(run);
    close_case(&c);
}

/* One M-step by hand from the slow counts. */
static void tables_are_shares_of_expected_counts(void **state)
{
    struct bestdag_run *run = *state;
    struct case_ c;
    bool done;
    open_case(run,
              (struct shape){.seed = 11,
                             .n = 5,
                             .least_states = 2,
                             .most_states = 3,
                             .most_parents = 2},
              50, 0.3, &c);
    struct slow slow = count_slowly(&c.e, c.t);
    assert_int_equal(bestdag_expectation_step(run, &c.e, &done), BESTDAG_OK);
    bestdag_em_maximise(&c.e, (struct bestdag_fit_prior){.pseudo = 0.5});
    for (int v = 0; v < 5; v++) {
        int r = c.net->variable[v].states;
        for (int64_t j = c.e.offset[v]; j < c.e.offset[v + 1]; j += r) {
            double sum = 0;
            for (int k = 0; k < r; k++)
                sum += slow.count[j + k] + 0.5;
            for (int k = 0; k < r; k++)
                assert_true(
                    fabs(c.net->variable[v].table[j - c.e.offset[v] + k] -
                         (slow.count[j + k] + 0.5) / sum) < 1e-9);
        }
    }
    free(slow.count);
    close_case(&c);
}

static void the_objective_never_falls(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct case_ c;
        struct bestdag_fit_prior prior = {.ess = seed % 2};
        struct bestdag_em_settings one = {1, 1, 0};
        struct bestdag_em_report report = {0};
        double last = -INFINITY;
        open_case(run,
                  (struct shape){.seed = seed,
                                 .n = 6,
                                 .least_states = 2,
                                 .most_states = 3,
                                 .most_parents = 2},
                  100, 0.4, &c);
        bestdag_em_available(&c.e, (struct bestdag_fit_prior){.pseudo = 1});
        for (int i = 0; i < 30; i++) {
            assert_int_equal(
                bestdag_em_run(run, &c.e, prior, &one, true, &report),
                BESTDAG_OK);
            if (report.objective < last - 1e-9)
                fail_msg("seed %d: from %.15g to %.15g", (int)seed, last,
                         report.objective);
            last = report.objective;
        }
        close_case(&c);
    }
}

/* The best of k starts is no worse than that of k - 1, and the tables and the
 * expected counts are its own. The first variable is hardly ever seen: there
 * are local maxima. */
static void the_best_start_counts(void **state)
{
    struct bestdag_run *run = *state;
    int better = 0, worse = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct case_ c;
        double last = -INFINITY;
        int start = 0;
        open_case(run,
                  (struct shape){.seed = 3 * seed + 1,
                                 .n = 5,
                                 .least_states = 3,
                                 .most_states = 3,
                                 .most_parents = 3},
                  60, 0.6, &c);
        for (int k = 1; k <= 5; k++) {
            struct bestdag_em_settings settings = {k, 60, 0};
            struct bestdag_em_report report;
            assert_int_equal(bestdag_em_run(run, &c.e,
                                            (struct bestdag_fit_prior){0},
                                            &settings, false, &report),
                             BESTDAG_OK);
            if (report.ln < last - 1e-7)
                fail_msg("seed %d: %d starts %.15g, one less %.15g", (int)seed,
                         k, report.ln, last);
            better += k > 1 && report.ln > last + 1e-3;
            worse += k > 1 && report.start == start;
            struct slow slow = count_slowly(&c.e, c.t);
            if (!(fabs(slow.ln - report.ln) < 1e-6))
                fail_msg("seed %d: tables of %.15g, not %.15g", (int)seed,
                         slow.ln, report.ln);
            for (int64_t i = 0; i < c.e.offset[5]; i++)
                assert_true(fabs(ldexp((double)c.e.count[i], -c.e.shift) -
                                 slow.count[i]) < 1e-6);
            free(slow.count);
            last = report.ln;
            start = report.start;
        }
        close_case(&c);
    }
    assert_true(better > 0 && worse > 0); /* else it tests nothing */
}

static struct bestdag_network *fit(struct bestdag_run *run,
                                   const struct bestdag_network *net,
                                   struct bestdag_table *t, const char *policy)
{
    struct bestdag_network *fitted =
        bestdag_table_complete(run, t, policy)
            ? NULL
            : bestdag_network_fit(run, net, t, NULL);
    return fitted;
}

static void threads_do_not_show(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 3,
                                        .n = 12,
                                        .least_states = 2,
                                        .most_states = 4,
                                        .most_parents = 3});
    struct bestdag_table *t = nets_table(run, net, 2000, 0.2, 3);
    struct bestdag_network *of[2];
    for (int i = 0; i < 2; i++) {
        bestdag_run_set(run, "threads", i ? "3" : "1");
        of[i] = fit(run, net, t, "em");
        assert_non_null(of[i]);
    }
    for (int v = 0; v < 12; v++)
        assert_memory_equal(of[0]->variable[v].table, of[1]->variable[v].table,
                            (size_t)bestdag_network_configurations(net, v) *
                                (size_t)net->variable[v].states *
                                sizeof(double));
    bestdag_network_free(of[0]);
    bestdag_network_free(of[1]);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void without_holes_nothing_changes(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 4,
                                        .n = 6,
                                        .least_states = 2,
                                        .most_states = 4,
                                        .most_parents = 3});
    struct bestdag_table *t = nets_table(run, net, 300, 0, 4);
    struct bestdag_network *plain = fit(run, net, t, "drop");
    static const char *const policies[] = {"em", "available"};
    for (int i = 0; i < 2; i++) {
        struct bestdag_network *other = fit(run, net, t, policies[i]);
        for (int v = 0; v < 6; v++)
            assert_memory_equal(
                plain->variable[v].table, other->variable[v].table,
                (size_t)bestdag_network_configurations(net, v) *
                    (size_t)net->variable[v].states * sizeof(double));
        assert_null(bestdag_network_noted(other, "em_iterations"));
        bestdag_network_free(other);
    }
    bestdag_network_free(plain);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void failing_allocations_are_survived(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 6,
                                        .n = 4,
                                        .least_states = 2,
                                        .most_states = 2,
                                        .most_parents = 2});
    struct bestdag_table *t = nets_table(run, net, 30, 0.3, 6);
    bool has_failed = true;
    for (int64_t n = 1; has_failed; n++) {
        bestdag_memory_fail_at(run, n);
        struct bestdag_network *fitted = fit(run, net, t, "em");
        has_failed = bestdag_memory_has_failed(run);
        bestdag_memory_fail_at(run, 0);
        assert_true(has_failed || fitted);
        bestdag_network_free(fitted);
        bestdag_run_clear(run);
    }
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void a_stopped_run_has_tables(void **state)
{
    struct bestdag_run *run = *state;
    struct case_ c;
    struct bestdag_em_settings settings = {3, 100, 0};
    struct bestdag_em_report report;
    open_case(run,
              (struct shape){.seed = 8,
                             .n = 5,
                             .least_states = 2,
                             .most_states = 3,
                             .most_parents = 2},
              80, 0.3, &c);
    bestdag_run_expire(run);
    assert_int_equal(bestdag_em_run(run, &c.e, (struct bestdag_fit_prior){0},
                                    &settings, false, &report),
                     BESTDAG_OK);
    assert_false(report.has_converged);
    double sum = 0;
    for (int k = 0; k < c.net->variable[0].states; k++)
        sum += c.net->variable[0].table[k];
    assert_true(fabs(sum - 1) < 1e-12);
    close_case(&c);
    bestdag_run_clear(run);
}

/* The time of the search is over. EM gets a little more, in which so many rows
 * allow few iterations, and is not begun again without a limit: that would make
 * all of them. */
static void a_learned_network_is_fitted_once(void **state)
{
    struct bestdag_run *run = *state;
    const char most[] = "20";
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 12,
                                        .n = 14,
                                        .least_states = 3,
                                        .most_states = 3,
                                        .most_parents = 2});
    struct bestdag_table *t = nets_table(run, net, 60000, 0.4, 12);
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "em-iterations", most);
    bestdag_options_set(run, options, "em-starts", "1");
    assert_int_equal(bestdag_table_complete(run, t, "em"), BESTDAG_OK);
    bestdag_run_expire(run);
    struct bestdag_network *fitted =
        bestdag_fitting_unstopped(run, net->dag, t, NULL, options);
    assert_non_null(fitted);
    assert_string_equal(bestdag_network_noted(fitted, "em_converged"), "no");
    assert_string_not_equal(bestdag_network_noted(fitted, "em_iterations"),
                            most);
    assert_non_null(bestdag_network_noted(fitted, "data_sha256"));
    bestdag_run_clear(run);
    bestdag_network_free(fitted);
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void any_family_of_a_completed_table_is_counted(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct case_ c;
        struct bestdag_hole_rows all;
        struct bestdag_completion completion;
        struct bestdag_completed_counts counts;
        struct bestdag_random random = bestdag_random_init(seed, 9);
        bool done;
        open_case(run,
                  (struct shape){.seed = seed,
                                 .n = 4 + (int)seed % 4,
                                 .least_states = 1 + (int)seed % 2,
                                 .most_states = 3,
                                 .most_parents = (int)seed % 4},
                  40, seed % 4 * 0.2 + 0.1, &c);
        assert_int_equal(bestdag_hole_rows_find(run, c.digit, c.t->columns,
                                                c.t->rows, c.t->weights, true,
                                                &all),
                         BESTDAG_OK);
        assert_int_equal(
            bestdag_completion_make(run, c.net, &all, &completion, &done),
            BESTDAG_OK);
        assert_true(done);
        assert_int_equal(
            bestdag_completed_counts_new(run, &completion, &counts),
            BESTDAG_OK);
        for (int k = 0; k < 12; k++) {
            struct any_family f = {.net = c.net};
            f.child =
                (int)bestdag_random_below(&random, (uint64_t)c.t->columns);
            for (int v = 0; v < c.t->columns && f.count < 4; v++)
                if (v != f.child && bestdag_random_unit(&random) < 0.5)
                    f.parents[f.count++] = v;
            assert_family(&counts, &completion, c.t, &f, seed);
        }
        bestdag_completed_counts_release(&counts);
        bestdag_completion_release(&completion);
        bestdag_hole_rows_release(&all);
        close_case(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_counts_are_those_of_all_completions),
        cmocka_unit_test(rows_with_many_holes_go_through_the_tree),
        cmocka_unit_test(any_family_of_a_completed_table_is_counted),
        cmocka_unit_test(tables_are_shares_of_expected_counts),
        cmocka_unit_test(the_objective_never_falls),
        cmocka_unit_test(the_best_start_counts),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(without_holes_nothing_changes),
        cmocka_unit_test(failing_allocations_are_survived),
        cmocka_unit_test(a_stopped_run_has_tables),
        cmocka_unit_test(a_learned_network_is_fitted_once),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
