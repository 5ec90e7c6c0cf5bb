/* SPDX-License-Identifier: MIT */
/* test_rulings.c -- random rules x every solver: what it does not take it
 * refuses by name; else its answer obeys, is never above the best of all DAGs
 * that obey, is that if it proves, and there is none only if there is none. The
 * rules are held against every DAG of four or five variables by the checker of
 * finished graphs. */
#include "../unit/climbing.h"
#include "../unit/random_lists.h"
#include "constraints/deduction/checker.h"
#include "constraints/deduction/compile.h"
#include "constraints/language/rules.h"
#include "parents/ruled/rule_filter.h"

enum { MOST_VARIABLES = 5, TRIALS = 120, TABLES = 40 };

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20090614;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

/* ---- random rules ----------------------------------------------------------
 */

/* a to d stand for different variables, e for any, k for a number 0 to 2. */
static const char *const texts[] = {
    "a -> b",
    "not a -> b",
    "root a",
    "leaf a",
    "indegree(a) <= k",
    "indegree(a) >= 1",
    "indegree(a) = k",
    "not root a",
    "not adjacent a b",
    "parents a in b c",
    "a -> b or c -> b",
    "not a -> b or c -> b",
    "root a or b -> a",
    "indegree(a) < 1 or indegree(a) > 1",
    "tiers: a b | c d",
    "tiers: a | b c apart",
    "for all X except a: not X -> a or b -> a",
    /* order */
    "order a < b",
    "order a < b < c",
    "order a < b < c < d",
    /* over several children */
    "adjacent a b",
    "not leaf a",
    "a -> b or c -> d",
    "if a -> b then c -> d",
    "if a -> b then not b -> c",
    "not a -> b or indegree(c) >= k",
    "root a or root b",
    "leaf a or a -> b",
    "for all X except a: adjacent a X",
    /* paths */
    "ancestor a b",
    "not ancestor a b",
    "ancestor a b or c -> d",
    "ancestor a b or ancestor c d",
    "if ancestor a b then not c -> d",
    "not ancestor a b or not ancestor c d",
    "if a -> b then ancestor c d",
};
enum {
    LOCAL = 17,
    ORDER = 20,
    CROSS = 29,
    TEXTS = sizeof texts / sizeof *texts
};

static int draw(struct bestdag_random *r, int n)
{
    return (int)bestdag_random_below(r, (uint64_t)n);
}

/* A rule with names for its letters. */
static void write_rule(struct bestdag_random *r, int n, int kinds, char *to)
{
    const char *from = texts[draw(r, kinds)];
    int name[MOST_VARIABLES];
    shuffle(r, name, n);
    for (char before = ' '; *from; before = *from++) {
        bool is_word = (from[1] >= 'a' && from[1] <= 'z') ||
                       (before >= 'a' && before <= 'z');
        if (*from >= 'a' && *from <= 'd' && !is_word)
            to += sprintf(to, "V%d", name[*from - 'a'] + 1);
        else if (*from == 'k' && !is_word)
            to += sprintf(to, "%d", draw(r, 3));
        else
            *to++ = *from;
    }
    *to = 0;
}

/* ---- a law: rules, and the DAGs that obey them ------------------------------
 */

struct law {
    struct bestdag_rules *rules;
    struct bestdag_knowledge *knowledge;
    int n;
    bool *obeys; /* [codes(n, 3)]: is a DAG, and obeys */
    bool any;
    char text[2048];
};

static const char *const names[] = {"V1", "V2", "V3", "V4", "V5"};

static struct law make_law(struct bestdag_run *run, struct bestdag_random *r,
                           int n, int kinds)
{
    struct law law = {.n = n, .rules = bestdag_rules_new(run)};
    int count = 1 + draw(r, 4);
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        char rule[256];
        write_rule(r, n, kinds, rule);
        assert_int_equal(bestdag_rules_add(run, law.rules, rule), BESTDAG_OK);
        used += (size_t)snprintf(law.text + used, sizeof law.text - used,
                                 "%s\n", rule);
    }
    law.knowledge = bestdag_knowledge_new(run, law.rules, names, n);
    assert_non_null(law.knowledge);
    law.obeys = calloc((size_t)codes(n, 3), sizeof *law.obeys);
    for (int code = 0; code < codes(n, 3); code++) {
        struct small g = decode(n, 3, code);
        int broken = -1;
        if (!acyclic(&g))
            continue;
        struct bestdag_dag *dag = to_dag(run, &g);
        bestdag_rules_check(run, law.rules, names, dag, &broken);
        law.obeys[code] = broken < 0;
        law.any |= broken < 0;
        bestdag_dag_free(dag);
    }
    return law;
}

static void drop_law(struct law *law)
{
    bestdag_knowledge_free(law->knowledge);
    bestdag_rules_free(law->rules);
    free(law->obeys);
}

/* The best of those that obey; worth[v][mask] is -INFINITY where v may not have
 * these parents. */
static double best_obeying(const struct law *law,
                           double worth[MOST_VARIABLES][1 << MOST_VARIABLES])
{
    double best = -INFINITY;
    for (int code = 0; code < codes(law->n, 3); code++) {
        struct small g = decode(law->n, 3, code);
        double score = 0;
        if (!law->obeys[code])
            continue;
        for (int v = 0; v < law->n; v++)
            score += worth[v][g.parents[v]];
        best = score > best ? score : best;
    }
    return best;
}

/* ---- solvers over candidate sets --------------------------------------------
 */

static void check_refusal(struct bestdag_run *run,
                          const struct bestdag_solver *s,
                          const struct bestdag_knowledge *k)
{
    unsigned beyond = k->needs & ~s->takes;
    char name[64];
    snprintf(name, sizeof name, "'%s' does not support '%s' rules", s->name,
             bestdag_need_name(__builtin_ctz(beyond)));
    assert_non_null(strstr(bestdag_run_error(run), name));
}

static void check_outcome(const struct bestdag_solver *s, const struct law *law,
                          struct bestdag_run *run,
                          const struct bestdag_outcome *got, double best)
{
    if (isinf(best)) {
        if (bestdag_run_status(run) != BESTDAG_INFEASIBLE)
            print_message("%s on\n%s", s->name, law->text);
        assert_int_equal(bestdag_run_status(run), BESTDAG_INFEASIBLE);
        assert_int_equal(!strstr(bestdag_run_error(run), "though others do"),
                         !law->any);
        return;
    }
    struct small g;
    if (bestdag_run_status(run) || got->score > best + 1e-6)
        print_message("%s: %s, %g, best %g, on\n%s", s->name,
                      bestdag_run_error(run), got->score, best, law->text);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    g = of_dag(got->dag);
    assert_true(law->obeys[encode(&g, 3)]);
    assert_true(got->score <= best + 1e-6);
    if (s->ground == BESTDAG_ON_SETS)
        assert_true(got->bound >= best - 1e-6);
    if (s->proves && got->score < best - 1e-6)
        print_message("%s: %g, best %g, on\n%s", s->name, got->score, best,
                      law->text);
    if (s->proves) {
        assert_string_equal(got->status, "optimal");
        assert_true(got->score >= best - 1e-6);
    }
}

struct count {
    int taken, refused, feasible, reached;
};

static void try_solver(const struct bestdag_solver *s, const struct law *law,
                       const struct bestdag_sets *sets, double best,
                       struct count *count)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_sets *some = bestdag_sets_obeying(run, sets, law->knowledge);
    struct bestdag_problem *problem =
        bestdag_problem_under(run, some, law->knowledge);
    struct bestdag_task task = {.run = run,
                                .solver = s,
                                .options = options,
                                .problem = problem,
                                .knowledge = law->knowledge,
                                .n = law->n,
                                .max_parents = -1};
    struct bestdag_outcome got;
    if (bestdag_solver_has(s, "steps") && !s->proves)
        bestdag_options_set(run, options, "set", "steps=3000");
    int status = bestdag_search(&task, &got);
    if (law->knowledge->needs & ~s->takes) {
        assert_int_equal(status, BESTDAG_USAGE);
        check_refusal(run, s, law->knowledge);
        count->refused++;
    } else {
        check_outcome(s, law, run, &got, best);
        count->taken++;
        count->feasible += !status;
        count->reached += !status && got.score >= best - 1e-6;
    }
    bestdag_dag_free(got.dag);
    bestdag_problem_free(problem);
    bestdag_sets_free(some);
    bestdag_options_free(options);
    bestdag_run_free(run);
}

static double best_of_lists(const struct law *law,
                            const struct bestdag_sets *sets)
{
    static double worth[MOST_VARIABLES][1 << MOST_VARIABLES];
    for (int v = 0; v < law->n; v++) {
        const struct bestdag_list *list = &sets->list[v];
        for (int mask = 0; mask < 1 << MOST_VARIABLES; mask++)
            worth[v][mask] = -INFINITY;
        for (int64_t i = 0; i < list->count; i++) {
            uint32_t mask = 0;
            for (int64_t k = list->start[i]; k < list->start[i + 1]; k++)
                mask |= 1u << list->member[k];
            worth[v][mask] = list->score[i];
        }
    }
    return best_obeying(law, worth);
}

static void solvers_over_sets_obey(void **state)
{
    static const int kinds[] = {LOCAL, ORDER, CROSS, TEXTS};
    struct count count[32] = {{0}};
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_random r = bestdag_random_init(seed, t);
        int n = t % 8 ? 4 : 5;
        struct law law = make_law(run, &r, n, kinds[t % 4]);
        struct random_sets shape = {.seed = seed + t,
                                    .n = n,
                                    .sets = 4 + (int)(t % 12),
                                    .most_parents = n - 1,
                                    .levels = t % 5 ? 0 : 3,
                                    .no_empty = t % 7 == 0,
                                    .no_prune = t % 3 != 0};
        struct bestdag_sets *sets = random_sets(run, shape);
        double best = best_of_lists(&law, sets);
        const struct bestdag_solver *s;
        for (int i = 0; (s = bestdag_solver_at(i)); i++)
            if (s->ground == BESTDAG_ON_SETS)
                try_solver(s, &law, sets, best, &count[i]);
        bestdag_sets_free(sets);
        drop_law(&law);
        bestdag_run_free(run);
    }
    for (int i = 0; bestdag_solver_at(i); i++) {
        const struct count *c = &count[i];
        if (!c->taken)
            continue;
        print_message("%s: takes %d, refuses %d; the best in %d of %d\n",
                      bestdag_solver_at(i)->name, c->taken, c->refused,
                      c->reached, c->feasible);
        assert_true(c->reached * 4 > c->feasible * 3);
        assert_true(c->feasible > TRIALS / 8);
    }
}

/* ---- solvers on the table ---------------------------------------------------
 */

static void fill_worth(const struct bench *b, int max_parents,
                       double worth[MOST_VARIABLES][1 << MOST_VARIABLES])
{
    for (int v = 0; v < b->task.n; v++)
        for (uint32_t mask = 0; mask < 1u << b->task.n; mask++)
            worth[v][mask] =
                has(mask, v) ||
                        (max_parents >= 0 && count_bits(mask) > max_parents)
                    ? -INFINITY
                    : bestdag_scorer_nats(b->scorer, b->family[v][mask]);
}

static void hill_climbing_obeys(void **state)
{
    static double worth[MOST_VARIABLES][1 << MOST_VARIABLES];
    static const int kinds[] = {LOCAL, ORDER, ORDER, TEXTS};
    struct count count = {0};
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TABLES; t++) {
        struct bench b;
        struct random_table how = {
            .seed = seed + t, .columns = t % 8 ? 4 : 5, .most = 3, .rows = 60};
        struct bestdag_random r = bestdag_random_init(seed, t + 1000);
        struct bestdag_outcome got;
        open_bench(&b, how, "set:restarts=20 set:perturb=3");
        struct law law = make_law(b.run, &r, how.columns, kinds[t % 4]);
        b.task.knowledge = law.knowledge;
        b.task.max_parents = t % 5 ? -1 : 2;
        score_all(&b);
        fill_worth(&b, b.task.max_parents, worth);
        double best = best_obeying(&law, worth);
        int status = bestdag_search(&b.task, &got);
        if (law.knowledge->needs & ~b.task.solver->takes) {
            assert_int_equal(status, BESTDAG_USAGE);
            check_refusal(b.run, b.task.solver, law.knowledge);
            count.refused++;
        } else {
            check_outcome(b.task.solver, &law, b.run, &got, best);
            count.taken++;
            count.feasible += !status;
            count.reached += !status && got.score >= best - 1e-6;
        }
        bestdag_dag_free(got.dag);
        drop_law(&law);
        close_bench(&b);
    }
    print_message("hc: takes %d, refuses %d; the best in %d of %d\n",
                  count.taken, count.refused, count.reached, count.feasible);
    assert_true(count.reached * 2 > count.feasible);
    assert_true(count.feasible > TABLES / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_over_sets_obey),
        cmocka_unit_test(hill_climbing_obeys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
