/* SPDX-License-Identifier: MIT */
/* test_operators.c -- Chickering's six operators on every CPDAG of four and
 * five nodes against "edit, extend, complete"; rows by all three ways; gains of
 * turns against the scores of the classes; random walks. */
#include "climbing.h"
#include "search/classes/fges.h"

static const uint64_t SEED = 20261116;

/* Every CPDAG of n nodes, once: `use` gets a DAG of it. */
static int for_all_classes(int n, void (*use)(const struct bestdag_dag *dag))
{
    int *seen = calloc((size_t)codes(n, 4), sizeof *seen), count = 0;
    struct bestdag_run *run = bestdag_run_new();
    for (int code = 0; code < codes(n, 3); code++) {
        struct small g = decode(n, 3, code);
        if (!acyclic(&g))
            continue;
        struct bestdag_dag *dag = to_dag(run, &g);
        struct bestdag_pdag *pdag = bestdag_pdag_class(run, dag);
        struct small c = of_pdag(pdag);
        if (!seen[encode(&c, 4)]++) {
            use(dag);
            count++;
        }
        bestdag_pdag_free(pdag);
        bestdag_dag_free(dag);
    }
    bestdag_run_free(run);
    free(seen);
    return count;
}

/* ---- the truth -------------------------------------------------------------
 */

static bool is_possible(const struct small *c,
                        const struct bestdag_operation *t)
{
    enum relation r = relation(c, t->x, t->y);
    switch (t->operation) {
    case BESTDAG_INSERT_U:
    case BESTDAG_INSERT_D:
        return r == NONE;
    case BESTDAG_DELETE_U:
        return r == UNDIRECTED;
    case BESTDAG_DELETE_D:
    case BESTDAG_REVERSE_D:
        return r == FORTH;
    case BESTDAG_MAKE_V:
        return r == NONE && has(c->neighbours[t->x], t->z) &&
               has(c->neighbours[t->y], t->z);
    case BESTDAG_OPERATORS:
        break;
    }
    return false;
}

/* Makes the turn; is there an extension, and is a new edge as it was meant? */
static bool is_truly_valid(struct bestdag_run *run,
                           const struct bestdag_equivalence_class *at,
                           const struct bestdag_operation *t)
{
    struct bestdag_equivalence_class *e =
        bestdag_equivalence_class_new(run, at->n, at->dag);
    bool is_made = bestdag_operation_apply(run, e, t, e->n);
    struct small c = of_pdag(e->pdag);
    bestdag_equivalence_class_free(e);
    if (!is_made)
        return false;
    if (t->operation == BESTDAG_INSERT_U)
        return relation(&c, t->x, t->y) == UNDIRECTED;
    return t->operation != BESTDAG_INSERT_D ||
           relation(&c, t->x, t->y) == FORTH;
}

/* ---- every class -----------------------------------------------------------
 */

static int64_t valid, invalid;

static void check_turn(struct bestdag_run *run,
                       struct bestdag_operator_tests *v,
                       const struct bestdag_equivalence_class *e,
                       const struct bestdag_operation *t)
{
    struct small c = of_pdag(e->pdag);
    if (!is_possible(&c, t))
        return;
    bool truth = is_truly_valid(run, e, t);
    assert_true(bestdag_operator_is_valid(v, e, t->operation, t->x, t->y) ==
                truth);
    *(truth ? &valid : &invalid) += 1;
}

static void check_class(const struct bestdag_dag *dag)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_equivalence_class *e =
        bestdag_equivalence_class_new(run, dag->n, dag);
    struct bestdag_operator_tests *v =
        bestdag_operator_tests_new(run, dag->n, 0);
    for (int o = 0; o < BESTDAG_OPERATORS; o++)
        for (int x = 0; x < dag->n; x++)
            for (int y = 0; y < dag->n; y++)
                for (int z = 0; z < (o == BESTDAG_MAKE_V ? dag->n : 1); z++) {
                    struct bestdag_operation t = {(enum bestdag_operator)o, x,
                                                  y, z};
                    if (x != y)
                        check_turn(run, v, e, &t);
                }
    bestdag_operator_tests_free(v);
    bestdag_equivalence_class_free(e);
    bestdag_run_free(run);
}

static void tests_agree_with_edit_extend_complete(void **state)
{
    (void)state;
    assert_int_equal(for_all_classes(4, check_class), 185);
    assert_int_equal(for_all_classes(5, check_class), 8782);
    print_message("%lld valid, %lld invalid\n", (long long)valid,
                  (long long)invalid);
    assert_true(valid > 100000 && invalid > 10000);
}

static void check_same_rows(struct bestdag_operator_tests *a,
                            struct bestdag_operator_tests *b,
                            const struct bestdag_equivalence_class *e)
{
    for (int o = 0; o < BESTDAG_OPERATORS; o++)
        for (int x = 0; x < e->n; x++) {
            enum bestdag_operator operation = (enum bestdag_operator)o;
            const uint64_t *one =
                bestdag_operator_tests_row(a, e, operation, x);
            const uint64_t *other =
                bestdag_operator_tests_row(b, e, operation, x);
            assert_memory_equal(one, other, e->words * sizeof *one);
        }
}

static void check_ways(const struct bestdag_dag *dag)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_equivalence_class *e =
        bestdag_equivalence_class_new(run, dag->n, dag);
    struct bestdag_operator_tests *full =
        bestdag_operator_tests_new(run, dag->n, BESTDAG_FULL);
    struct bestdag_operator_tests *restricted =
        bestdag_operator_tests_new(run, dag->n, BESTDAG_RESTRICTED);
    check_same_rows(full, restricted, e);
    bestdag_operator_tests_free(full);
    bestdag_operator_tests_free(restricted);
    bestdag_equivalence_class_free(e);
    bestdag_run_free(run);
}

static void restricted_rows_are_the_full_ones(void **state)
{
    (void)state;
    for_all_classes(4, check_ways);
    for_all_classes(5, check_ways);
}

/* ---- walks -----------------------------------------------------------------
 */

struct scene {
    struct bench bench;
    struct bestdag_shared_scores shared_scores;
    struct bestdag_class_state state;
    struct bestdag_random random;
};

static void open_scene(struct scene *s, int columns, const char *score,
                       uint64_t seed)
{
    struct random_table how = {
        .seed = seed, .columns = columns, .most = 3, .rows = 80};
    open_bench(&s->bench, how, score);
    s->random = bestdag_random_init(seed, 5);
    assert_int_equal(bestdag_shared_scores_init(s->bench.run, &s->shared_scores,
                                                s->bench.scorer, -1),
                     0);
    s->state.watches = false;
    assert_int_equal(bestdag_class_state_init(s->bench.run, &s->state,
                                              &s->shared_scores,
                                              BESTDAG_CACHED),
                     0);
    assert_int_equal(bestdag_class_state_place(&s->state, NULL), 0);
}

static void close_scene(struct scene *s)
{
    bestdag_class_state_release(&s->state);
    bestdag_shared_scores_release(&s->shared_scores);
    close_bench(&s->bench);
}

static bool stray(struct scene *s)
{
    struct bestdag_operation turn;
    int64_t gain;
    for (int i = 0; i < 1000; i++)
        if (bestdag_class_state_draw(&s->state, &s->random, &turn, &gain) &&
            bestdag_class_state_make(&s->state, &turn, gain))
            return true;
    return false;
}

static void cached_rows_are_the_full_ones_along_walks(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (int columns = 5; columns <= 70; columns += 13) {
        struct scene s = {0};
        open_scene(&s, columns, "score=bic", SEED + (uint64_t)columns);
        struct bestdag_operator_tests *full =
            bestdag_operator_tests_new(s.bench.run, columns, BESTDAG_FULL);
        for (int i = 0; i < (columns < 40 ? 600 : 100); i++) {
            check_same_rows(full, s.state.validity, s.state.at);
            assert_true(stray(&s));
        }
        assert_true(s.state.validity->made < full->made);
        bestdag_operator_tests_free(full);
        close_scene(&s);
    }
}

/* ---- gains -----------------------------------------------------------------
 */

static double exact_score(struct scene *s, const struct bestdag_dag *dag)
{
    double sum = 0;
    for (int v = 0; v < dag->n; v++) {
        double nats;
        assert_int_equal(bestdag_scorer_exact(s->bench.run, s->bench.scorer, v,
                                              dag->parents[v].at,
                                              dag->parents[v].count, &nats),
                         0);
        sum += nats;
    }
    return sum;
}

struct check {
    struct scene *scene;
    double now;
    int turns;
};

static void check_gain(void *user, const struct bestdag_operation *turn,
                       int64_t gain)
{
    struct check *c = user;
    struct scene *s = c->scene;
    struct bestdag_equivalence_class *e = bestdag_equivalence_class_new(
        s->bench.run, s->state.at->n, s->state.at->dag);
    assert_true(bestdag_operation_apply(s->bench.run, e, turn, e->n));
    double after = exact_score(s, e->dag);
    double nats = bestdag_scorer_nats(s->bench.scorer, gain);
    assert_true(fabs(after - c->now - nats) < 1e-6);
    c->turns++;
    bestdag_equivalence_class_free(e);
}

static void gains_are_differences_of_scores(void **state)
{
    static const char *const equivalent[] = {"score=bic", "score=aic",
                                             "score=ll", "score=bdeu ess=3"};
    int turns = 0;
    (void)state;
    for (uint64_t t = 0; t < 8; t++) {
        struct scene s = {0};
        open_scene(&s, 4 + (int)(t % 4), equivalent[t % 4], SEED + t);
        for (int i = 0; i < 25; i++) {
            struct check c = {&s, exact_score(&s, s.state.at->dag), 0};
            assert_true(
                fabs(bestdag_scorer_nats(s.bench.scorer, s.state.score) -
                     c.now) < 1e-6);
            bestdag_class_state_look(&s.state, INT64_MIN, check_gain, &c);
            turns += c.turns;
            assert_true(stray(&s));
        }
        close_scene(&s);
    }
    print_message("%d turns\n", turns);
    assert_true(turns > 2000);
}

/* What the turns gained is what the class scores, and no deletion is left. */
static void fges_adds_up(void **state)
{
    (void)state;
    for (uint64_t t = 0; t < 12; t++) {
        struct scene s = {0};
        open_scene(&s, 4 + (int)t, t % 2 ? "score=aic" : "score=bdeu ess=5",
                   SEED + t);
        for (int i = 0; i < (int)(t % 3) * 5; i++)
            assert_true(stray(&s));
        int64_t before = s.state.score;
        struct bestdag_fges *fges = bestdag_fges_new(&s.state);
        bestdag_fges_climb(fges, INT64_MAX, NULL, NULL);
        double nats = bestdag_scorer_nats(s.bench.scorer, s.state.score);
        assert_true(fabs(nats - exact_score(&s, s.state.at->dag)) < 1e-6);
        assert_true(s.state.score >= before);
        int64_t turns = s.state.moves;
        bestdag_fges_climb(fges, INT64_MAX, NULL, NULL);
        assert_true(s.state.moves - turns < 5);
        bestdag_fges_free(fges);
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_agree_with_edit_extend_complete),
        cmocka_unit_test(restricted_rows_are_the_full_ones),
        cmocka_unit_test(cached_rows_are_the_full_ones_along_walks),
        cmocka_unit_test(gains_are_differences_of_scores),
        cmocka_unit_test(fges_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
