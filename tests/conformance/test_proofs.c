/* SPDX-License-Identifier: MIT */
/* test_proofs.c -- what every row of the table of solvers claims, against the
 * optimum by dynamic programming over all subsets, in double, written here:
 *
 *     the network has no cycle, keeps to its lists and rules, and scores what
 *     is said; no score is above the optimum, no bound below it; `optimal` if
 *     and only if bound and score agree, and then the score is the optimum.
 *
 * Scores are plain, huge, tiny or equal; lists with and without the empty set,
 * complete or not; with and without "order" rules. BESTDAG_TEST_SEED and
 * BESTDAG_TEST_TRIALS choose others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/climbing.h"
#include "../unit/solving.h"
#include "parents/ruled/rule_filter.h"

enum { VARIABLES = 9, BY_DEFAULT = 60 };

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- the optimum -----------------------------------------------------------
 */

/* Candidate sets as masks, and who must come before whom. */
struct instance {
    int n;
    const struct bestdag_sets *sets;
    uint32_t before[VARIABLES];
};

static uint32_t mask_of(const struct bestdag_list *list, int64_t i)
{
    uint32_t mask = 0;
    for (int64_t k = list->start[i]; k < list->start[i + 1]; k++)
        mask |= 1u << list->member[k];
    return mask;
}

static double best_of(const struct bestdag_list *list, uint32_t allowed)
{
    double best = -INFINITY;
    for (int64_t i = 0; i < list->count; i++)
        if (!(mask_of(list, i) & ~allowed) && list->score[i] > best)
            best = list->score[i];
    return best;
}

/* -INFINITY: there is no network. */
static double optimum(const struct instance *x)
{
    double best[1 << VARIABLES];
    best[0] = 0;
    for (uint32_t set = 1; set < 1u << x->n; set++) {
        best[set] = -INFINITY;
        for (int v = 0; v < x->n; v++) {
            uint32_t rest = set & ~(1u << v);
            if (rest == set || (x->before[v] & ~rest))
                continue;
            double score = best[rest] + best_of(&x->sets->list[v], rest);
            best[set] = score > best[set] ? score : best[set];
        }
    }
    return best[(1u << x->n) - 1];
}

static uint32_t parents_of(const struct bestdag_dag *dag, int v)
{
    uint32_t mask = 0;
    for (int i = 0; i < dag->parents[v].count; i++)
        mask |= 1u << dag->parents[v].at[i];
    return mask;
}

/* Can all be placed, those first that must come before? */
static bool has_order(const struct instance *x, const struct bestdag_dag *dag)
{
    uint32_t placed = 0;
    for (int round = 0; round < x->n; round++)
        for (int v = 0; v < x->n; v++)
            if (!((parents_of(dag, v) | x->before[v]) & ~placed))
                placed |= 1u << v;
    return placed == (1u << x->n) - 1;
}

/* The sum over the lists; -INFINITY: a family is not there. */
static double score_of_dag(const struct instance *x,
                           const struct bestdag_dag *dag)
{
    double sum = 0;
    for (int v = 0; v < x->n; v++) {
        const struct bestdag_list *list = &x->sets->list[v];
        double score = -INFINITY;
        for (int64_t i = 0; i < list->count; i++)
            if (mask_of(list, i) == parents_of(dag, v))
                score = list->score[i];
        sum += score;
    }
    return sum;
}

/* ---- claims ----------------------------------------------------------------
 */

/* n units of 2^-32 nat by which bounds are rounded up, as much for costs, and
 * sums in double. */
static double tolerance(int n, double score)
{
    return ldexp(2.0 * n, -32) + 1e-14 * fabs(score);
}

static void check_claims(const struct bestdag_outcome *got, int n, double best)
{
    double slack = tolerance(n, best);
    bool is_optimal = !strcmp(got->status, "optimal");
    assert_true(got->score <= best + slack);
    assert_true(got->bound >= best - 1e-14 * fabs(best));
    assert_true(got->bound >= got->score);
    assert_true(is_optimal == (got->bound - got->score <= slack));
    assert_true(!is_optimal || got->score >= best - slack);
    double scale = fabs(got->score) > 1 ? fabs(got->score) : 1;
    assert_true(got->gap == (got->bound - got->score) / scale);
}

/* ---- solvers on lists ------------------------------------------------------
 */

enum kind { PLAIN, HUGE_ONES, TINY, EQUAL, FAR, HUGE_BUT_FIRST, KINDS };

/* Keeps the order of the list. */
static void change_scores(struct bestdag_list *list, enum kind kind)
{
    for (int64_t i = 0; i < list->count; i++) {
        double *score = &list->score[i];
        if (kind == TINY)
            *score *= 1e-7;
        if (kind == FAR)
            *score -= 1e7;
        if ((kind == HUGE_ONES && i > list->count / 2) ||
            (kind == HUGE_BUT_FIRST && i))
            *score -= i + 1 == list->count ? 1e100 : 1e20;
    }
}

struct trial {
    struct bestdag_run *run;
    struct bestdag_options *options;
    struct bestdag_rules *rules;         /* NULL: none */
    struct bestdag_knowledge *knowledge; /* NULL: none */
    struct bestdag_sets *all, *sets;     /* drawn; that obey the rules */
    struct instance instance;
};

/* Three variables that have an order. */
static void draw_rules(struct trial *t, struct bestdag_random *r)
{
    char text[64];
    int n = t->instance.n, at[3];
    for (int i = 0; i < 3; i++)
        do
            at[i] = (int)bestdag_random_below(r, (uint64_t)n);
        while ((i > 0 && at[i] == at[0]) || (i > 1 && at[i] == at[1]));
    snprintf(text, sizeof text, "order V%d < V%d < V%d", at[0] + 1, at[1] + 1,
             at[2] + 1);
    t->rules = bestdag_rules_new(t->run);
    assert_int_equal(bestdag_rules_add(t->run, t->rules, text), BESTDAG_OK);
    t->knowledge = bestdag_knowledge_new(t->run, t->rules,
                                         (const char *const *)t->all->names, n);
    t->sets = bestdag_sets_obeying(t->run, t->all, t->knowledge);
    t->instance.before[at[1]] = 1u << at[0];
    t->instance.before[at[2]] = 1u << at[0] | 1u << at[1];
}

static struct trial make_trial(uint64_t seed, uint64_t number)
{
    struct bestdag_random r = bestdag_random_init(seed + number, 5);
    struct random_sets shape = {.seed = seed + number,
                                .n = 3 + (int)(number % (VARIABLES - 2)),
                                .sets = 10,
                                .most_parents = 3,
                                .no_empty = number % 4 == 1,
                                .no_prune = number % 5 == 2};
    enum kind kind = (enum kind)(number / 2 % KINDS);
    struct trial t = {.run = bestdag_run_new()};
    shape.levels = kind == EQUAL ? 3 : 0;
    t.options = bestdag_options_new(t.run);
    t.all = t.sets = random_sets(t.run, shape);
    for (int v = 0; v < shape.n; v++)
        change_scores(&t.all->list[v], kind);
    t.instance.n = shape.n;
    if (number % 3 == 0)
        draw_rules(&t, &r);
    t.instance.sets = t.sets;
    return t;
}

static void drop_trial(struct trial *t)
{
    if (t->sets != t->all)
        bestdag_sets_free(t->sets);
    bestdag_sets_free(t->all);
    bestdag_knowledge_free(t->knowledge);
    bestdag_rules_free(t->rules);
    bestdag_options_free(t->options);
    bestdag_run_free(t->run);
}

/* Rows that prove must, when nothing ends them. */
static void check_search(struct trial *t, const struct bestdag_solver *s)
{
    struct bestdag_outcome got = {0};
    double best = optimum(&t->instance);
    struct bestdag_problem *problem =
        bestdag_problem_under(t->run, t->sets, t->knowledge);
    struct bestdag_task task = {.run = t->run,
                                .solver = s,
                                .options = t->options,
                                .problem = problem,
                                .knowledge = t->knowledge,
                                .n = t->instance.n,
                                .max_parents = -1};
    if (best < -1e15 && best > -INFINITY) { /* no network without a huge one */
        assert_int_equal(bestdag_run_status(t->run), BESTDAG_INPUT);
        return;
    }
    assert_non_null(problem);
    if (!s->proves && bestdag_solver_has(s, "steps"))
        bestdag_options_set(t->run, t->options, "set", "steps=2000");
    int status = bestdag_search(&task, &got);
    if (status)
        print_message("%s\n", bestdag_run_error(t->run));
    if (t->knowledge && t->knowledge->needs & ~s->takes)
        assert_int_equal(status, BESTDAG_USAGE);
    else if (status)
        assert_true(best == -INFINITY && status == BESTDAG_INFEASIBLE);
    else {
        assert_true(has_order(&t->instance, got.dag));
        assert_true(fabs(score_of_dag(&t->instance, got.dag) - got.score) <=
                    1e-14 * fabs(best));
        check_claims(&got, t->instance.n, best);
        assert_true(!s->proves || !strcmp(got.status, "optimal"));
    }
    bestdag_dag_free(got.dag);
    bestdag_problem_free(problem);
}

static void claims_over_lists_are_true(void **state)
{
    uint64_t seed = number_of("BESTDAG_TEST_SEED", 20261116);
    uint64_t trials = number_of("BESTDAG_TEST_TRIALS", BY_DEFAULT);
    const struct bestdag_solver *s;
    (void)state;
    for (int i = 0; (s = bestdag_solver_at(i)); i++)
        for (uint64_t k = 0; k < trials && s->ground == BESTDAG_ON_SETS; k++) {
            struct trial t = make_trial(seed, k);
            print_message("%s, seed %llu + %llu\n", s->name,
                          (unsigned long long)seed, (unsigned long long)k);
            check_search(&t, s);
            drop_trial(&t);
        }
}

/* ---- solvers on the table --------------------------------------------------
 */

/* All families as lists. */
static struct bestdag_sets *all_families(struct bench *b)
{
    int n = b->task.n, set[MOST];
    struct bestdag_sets *all = bestdag_sets_new(b->run, n);
    struct bestdag_collector *c = bestdag_collector_new(b->run);
    for (int v = 0; v < n; v++) {
        all->names[v] = bestdag_strdup(b->run, b->table->column[v].name);
        for (uint32_t mask = 0; mask < 1u << n; mask++) {
            int count = 0;
            for (int u = 0; u < n; u++)
                if (mask >> u & 1)
                    set[count++] = u;
            if (!(mask >> v & 1))
                bestdag_collector_add(
                    c, set, count,
                    bestdag_scorer_nats(b->scorer, b->family[v][mask]));
        }
        bestdag_collector_finish(c, false, &all->list[v]);
    }
    bestdag_collector_free(c);
    return all;
}

/* Is every family on its list, or is the list complete as far as it goes? */
static bool is_within(const struct bestdag_sets *sets,
                      const struct bestdag_dag *dag)
{
    for (int v = 0; v < sets->n; v++) {
        const struct bestdag_list *list = &sets->list[v];
        bool is_there = list->ceiling == -INFINITY &&
                        (list->max_parents < 0 ||
                         dag->parents[v].count <= list->max_parents);
        for (int64_t i = 0; i < list->count; i++)
            is_there |= mask_of(list, i) == parents_of(dag, v);
        if (!is_there)
            return false;
    }
    return true;
}

/* From the table the score is not rounded, on the lists it is: a unit a cell.
 */
static void check_table_search(struct bench *b, const struct bestdag_sets *sets,
                               const struct bestdag_sets *all)
{
    const double cells = 1e-6;
    struct instance listed = {.n = b->task.n, .sets = sets};
    struct instance whole = {.n = b->task.n, .sets = all};
    struct bestdag_outcome got;
    b->task.has_bounds = false;
    assert_int_equal(bestdag_search(&b->task, &got), BESTDAG_OK);
    double most = optimum(&whole);
    double best = is_within(sets, got.dag) ? optimum(&listed) : most;
    assert_true(has_order(&whole, got.dag));
    assert_true(fabs(score_of_dag(&whole, got.dag) - got.score) <= cells);
    assert_true(got.score <= most + cells);
    assert_false(got.global_bound < most - cells);
    if (!isnan(got.bound)) {
        bool is_optimal = !strcmp(got.status, "optimal");
        double slack = tolerance(b->task.n, got.score);
        assert_true(got.bound >= best - cells && got.bound >= got.score);
        assert_true(is_optimal || got.bound - got.score > slack);
        assert_true(!is_optimal || got.bound - got.score <= slack + cells);
        assert_true(!is_optimal || fabs(got.score - best) <= cells);
    } else
        assert_string_not_equal(got.status, "optimal");
    bestdag_dag_free(got.dag);
}

static void claims_over_the_table_are_true(void **state)
{
    static const char *const lists[] = {
        "score=bic parents=sequential", "score=ll parents.max-parents=1",
        "score=bdeu parents=greedy", "score=bic candidates=2"};
    uint64_t seed = number_of("BESTDAG_TEST_SEED", 20261116);
    uint64_t trials = number_of("BESTDAG_TEST_TRIALS", BY_DEFAULT) / 3 + 1;
    const struct bestdag_solver *s;
    (void)state;
    for (uint64_t k = 0; k < trials; k++) {
        struct random_table how = {
            .seed = seed + k, .columns = 3 + (int)(k / 4 % 3), .most = 3};
        struct bench b;
        open_bench(&b, how, lists[k % 4]);
        score_all(&b);
        struct bestdag_sets *all = all_families(&b);
        struct bestdag_sets *sets =
            bestdag_sets_find(b.run, b.table, NULL, b.options);
        assert_non_null(sets);
        struct bestdag_problem *problem = bestdag_problem_new(b.run, sets);
        b.task.lists = problem;
        for (int i = 0; (s = bestdag_solver_at(i)); i++) {
            b.task.solver = s;
            if (s->ground != BESTDAG_ON_TABLE)
                continue;
            print_message("%s, seed %llu + %llu, %s\n", s->name,
                          (unsigned long long)seed, (unsigned long long)k,
                          lists[k % 4]);
            check_table_search(&b, sets, all);
        }
        bestdag_problem_free(problem);
        bestdag_sets_free(sets);
        bestdag_sets_free(all);
        close_bench(&b);
    }
}

/* ---- failures --------------------------------------------------------------
 */

/* Memory fails at every allocation in turn: there is an error or a network, and
 * a network from the moment on from which there can be one. */
static void a_failure_does_not_lose_the_network(void **state)
{
    const struct bestdag_solver *s;
    (void)state;
    for (int i = 0; (s = bestdag_solver_at(i)); i++) {
        int kept = 0;
        bool failed = s->ground == BESTDAG_ON_SETS;
        for (int64_t at = 1; failed && at < 2000; at++) {
            struct random_sets shape = {
                .seed = 9, .n = 6, .sets = 6, .most_parents = 2};
            struct world w = pose_random(shape, s->name);
            struct bestdag_outcome got = {0};
            if (!s->proves && bestdag_solver_has(s, "steps"))
                set(&w, "steps", 2000);
            bestdag_memory_fail_at(w.run, at);
            int status = bestdag_search(&w.task, &got);
            failed = bestdag_memory_has_failed(w.run);
            assert_true(!status || status == BESTDAG_MEMORY);
            if (!status && got.reason[0]) {
                struct instance x = {.n = 6, .sets = w.sets};
                check_claims(&got, 6, optimum(&x));
                kept++;
            }
            assert_true(failed || !got.reason[0]);
            bestdag_dag_free(got.dag);
            clear(&w);
        }
        print_message("%s: kept in %d failures\n", s->name, kept);
        assert_true(kept || s->ground != BESTDAG_ON_SETS);
    }
}

/* ---- what does not fit -----------------------------------------------------
 */

/* a and b can have each other as parent, or none, for these scores. */
static struct bestdag_sets *two(struct bestdag_run *run, double best,
                                double alone)
{
    struct bestdag_sets *sets = bestdag_sets_new(run, 2);
    struct bestdag_collector *c = bestdag_collector_new(run);
    for (int v = 0; v < 2; v++) {
        int parent = 1 - v;
        sets->names[v] = bestdag_strdup(run, v ? "b" : "a");
        bestdag_collector_add(c, &parent, 1, best);
        bestdag_collector_add(c, NULL, 0, alone);
        bestdag_collector_finish(c, true, &sets->list[v]);
    }
    bestdag_collector_free(c);
    return sets;
}

static void what_does_not_fit_is_refused(void **state)
{
    static const struct {
        double best, alone;
        const char *word; /* of the error; NULL: it fits */
    } cases[] = {{-1, -1e9, NULL},
                 {-1, -1e11, NULL},
                 {-1, -1e14, "too far"},
                 {-1, -1e20, "too far"},
                 {-1, -1e100, "too far"},
                 {-1e14, -1.00001e14, NULL},
                 {-1e14, -2e14, "too far"},
                 {-1e18, -2e18, "too large"},
                 {1e308, -1e308, "overflow"},
                 {1e308, 9e307, "overflow"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_sets *sets = two(run, cases[i].best, cases[i].alone);
        struct bestdag_problem *problem = bestdag_problem_new(run, sets);
        if (cases[i].word) {
            assert_null(problem);
            assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
            assert_non_null(strstr(bestdag_run_error(run), cases[i].word));
        } else {
            assert_non_null(problem);
            assert_in_range(problem->shift, 20, 32);
        }
        bestdag_problem_free(problem);
        bestdag_sets_free(sets);
        bestdag_run_free(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_over_lists_are_true),
        cmocka_unit_test(claims_over_the_table_are_true),
        cmocka_unit_test(a_failure_does_not_lose_the_network),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
