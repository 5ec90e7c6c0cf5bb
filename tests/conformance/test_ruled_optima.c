/* SPDX-License-Identifier: MIT */
/* test_ruled_optima.c -- random rules of every kind on problems of eight to ten
 * variables: every solver that takes them gives a network that obeys, never
 * above the optimum; its bound is never below; it says `optimal` only of the
 * optimum; and it says that there is no network only if there is none. The
 * optimum is found by ruled_optimum.h, which shares nothing with the searches.
 *
 * BESTDAG_TEST_SEED and BESTDAG_TEST_TRIALS choose others, and more. */
#include "../unit/ruled_optimum.h"

#include "../unit/random_lists.h"
#include "../unit/random_table.h"
#include "constraints/deduction/compile.h"
#include "network/network.h"
#include "parents/ruled/rule_filter.h"
#include "scores/scorer.h"
#include "search/solver.h"

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261116;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

static uint64_t trials_of(uint64_t usual)
{
    const char *text = getenv("BESTDAG_TEST_TRIALS");
    return text                     ? strtoull(text, NULL, 10)
           : getenv("BESTDAG_LONG") ? 20 * usual
                                    : usual;
}

/* ---- random rules -----------------------------------------------------------
 */

enum mix { LOCAL_AND_ORDER, CROSS, PATHS, MIXES };

static void set_names(struct bestdag_run *run, char **names, int n)
{
    for (int v = 0; v < n; v++) {
        bestdag_free(names[v]);
        names[v] = bestdag_strdup(run, PLAIN_NAMES[v]);
    }
}

/* One of the plain ones that bind: an arc, an order, `not leaf`, `adjacent`, a
 * number of parents. */
static void draw_binding(struct bestdag_random *r, int n, enum mix mix,
                         struct plain_rule *to)
{
    int name[MOST_NODES];
    shuffle(r, name, n);
    memset(to, 0, sizeof *to);
    to->count = 1;
    struct plain_literal *l = &to->literal[0];
    *l = (struct plain_literal){.kind = ARC, .a = name[0], .b = name[1]};
    l->compare = plain_draw(r, 5);
    l->value = 1 + plain_draw(r, 3);
    switch (plain_draw(r, mix == LOCAL_AND_ORDER ? 5 : 7)) {
    case 0:
    case 1:
        to->kind = ORDER;
        to->count = 2 + plain_draw(r, 3);
        memcpy(to->list, name, sizeof to->list);
        break;
    case 2:
        break;
    case 3:
        l->kind = ROOT;
        l->negated = plain_draw(r, 2);
        break;
    case 4:
        l->kind = INDEGREE;
        break;
    case 5:
        l->kind = LEAF;
        l->negated = true;
        break;
    default:
        l->kind = ADJACENT;
    }
    plain_say_rule(to);
}

/* All literals about one child. */
static bool is_local(const struct plain_rule *r)
{
    int child = -1;
    for (int i = 0; r->kind == CLAUSE && i < r->count; i++) {
        const struct plain_literal *l = &r->literal[i];
        int of = l->kind == ARC ? l->b : l->a;
        if ((l->kind != ARC && l->kind != ROOT && l->kind != INDEGREE) ||
            (child >= 0 && child != of))
            return false;
        child = of;
    }
    return true;
}

static void draw_rule(struct bestdag_random *r, int n, enum mix mix,
                      struct plain_rule *to)
{
    if (plain_draw(r, 2)) {
        draw_binding(r, n, mix, to);
        return;
    }
    do
        plain_random_rule(r, n, mix == PATHS, to);
    while ((mix == LOCAL_AND_ORDER && !is_local(to)) ||
           (to->kind == ALLOW && plain_draw(r, 8)));
}

struct law {
    struct plain_rules plain;
    struct bestdag_rules *rules;
    struct bestdag_knowledge *knowledge;
};

static struct law make_law(struct bestdag_run *run, struct bestdag_random *r,
                           int n, enum mix mix)
{
    struct law law = {.plain = {.n = n, .count = 1 + plain_draw(r, 5)}};
    for (int i = 0; i < law.plain.count; i++)
        draw_rule(r, n, mix, &law.plain.rule[i]);
    law.rules = plain_read(run, &law.plain);
    law.knowledge = bestdag_knowledge_new(run, law.rules, PLAIN_NAMES, n);
    assert_non_null(law.knowledge);
    return law;
}

static void drop_law(struct law *law)
{
    bestdag_knowledge_free(law->knowledge);
    bestdag_rules_free(law->rules);
}

/* ---- the oracle itself ------------------------------------------------------
 */

static struct oracle oracle;

static void oracle_agrees_with_all_dags(void **state)
{
    uint64_t seed = seed_of();
    static struct small dags[29281];
    int dag_count[6] = {[4] = list_dags(4, dags)}, feasible = 0;
    (void)state;
    for (uint64_t t = 0; t < 120; t++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_random r = bestdag_random_init(seed, 5000 + t);
        double best = -INFINITY;
        if (t == 100)
            dag_count[5] = list_dags(5, dags);
        oracle.n = t < 100 ? 4 : 5;
        struct law law = make_law(run, &r, oracle.n, (enum mix)(t % MIXES));
        for (int v = 0; v < oracle.n; v++)
            for (uint32_t m = 0; m < 1u << oracle.n; m++)
                oracle.score[v][m] = has(m, v) || !plain_draw(&r, 6)
                                         ? -INFINITY
                                         : bestdag_random_unit(&r);
        for (int i = 0; i < dag_count[oracle.n]; i++) {
            double sum = 0;
            for (int v = 0; v < oracle.n; v++)
                sum += oracle.score[v][dags[i].parents[v]];
            if (sum > best && plain_broken(&law.plain, &dags[i]) < 0)
                best = sum;
        }
        oracle_solve(&oracle, &law.plain);
        feasible += !isinf(best);
        if (!(oracle.best == best || fabs(oracle.best - best) < 1e-9))
            fail_msg("trial %llu: %g, not %g, under %s", (unsigned long long)t,
                     oracle.best, best, plain_all(&law.plain));
        drop_law(&law);
        bestdag_run_free(run);
    }
    assert_in_range(feasible, 40, 110);
}

/* ---- what is said of an answer ----------------------------------------------
 */

struct said {
    const char *who;
    uint64_t trial;
    const struct plain_rules *plain;
    int status;        /* of the run */
    const char *error; /* likewise */
    double score, bound;
    const char *word; /* status of the answer */
    struct small graph;
    bool must_prove;
    bool is_cut;     /* it may end before it has a network */
    bool lacks_sets; /* the lists may have none that obeys */
};

static void check_said(const struct said *s)
{
    const char *wrong = NULL;
    double best = oracle.best;
    if (s->is_cut && s->status == BESTDAG_FAILED &&
        strstr(s->error, "ended before it found a network"))
        return;
    if (s->lacks_sets && s->status == BESTDAG_INFEASIBLE && !isinf(best) &&
        strstr(s->error, "though others do"))
        return;
    if (isinf(best)) {
        if (s->status != BESTDAG_INFEASIBLE)
            wrong = "there is no network";
    } else if (s->status)
        wrong = "failed";
    else if (!acyclic(&s->graph))
        wrong = "has a cycle";
    else if (plain_broken(s->plain, &s->graph) >= 0)
        wrong = s->plain->rule[plain_broken(s->plain, &s->graph)].text;
    else if (s->score > best + 1e-6)
        wrong = "better than the optimum";
    else if (s->bound < best - 1e-6)
        wrong = "the bound is below the optimum";
    else if (!strcmp(s->word, "optimal") && s->score < best - 1e-6)
        wrong = "not optimal";
    else if (s->must_prove && strcmp(s->word, "optimal") != 0)
        wrong = "proves nothing";
    if (wrong)
        fail_msg("trial %llu, %s: %s; score %.9g, bound %.9g, optimum %.9g; "
                 "status %d %s; under %s",
                 (unsigned long long)s->trial, s->who, wrong, s->score,
                 s->bound, best, s->status, s->error, plain_all(s->plain));
}

/* ---- solvers over candidate sets --------------------------------------------
 */

static void take_sets(const struct bestdag_sets *sets)
{
    oracle.n = sets->n;
    for (int v = 0; v < sets->n; v++) {
        const struct bestdag_list *list = &sets->list[v];
        for (int m = 0; m < ORACLE_SUBSETS; m++)
            oracle.score[v][m] = -INFINITY;
        for (int64_t i = 0; i < list->count; i++) {
            uint32_t mask = 0;
            for (int64_t k = list->start[i]; k < list->start[i + 1]; k++)
                mask |= 1u << list->member[k];
            oracle.score[v][mask] = list->score[i];
        }
    }
}

struct tally {
    int taken, feasible, reached;
};

struct way {
    const char *bound; /* "bound=simple", or NULL */
    int steps;         /* it ends after this many; 0: on its own */
};

static void try_solver(const struct bestdag_solver *s, struct way way,
                       const struct law *law, const struct bestdag_sets *sets,
                       const struct small *start, uint64_t trial,
                       struct tally *tally)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_sets *some = bestdag_sets_obeying(run, sets, law->knowledge);
    struct bestdag_problem *problem =
        bestdag_problem_under(run, some, law->knowledge);
    struct bestdag_dag *from = start ? to_dag(run, start) : NULL;
    struct bestdag_task task = {.run = run,
                                .solver = s,
                                .options = options,
                                .problem = problem,
                                .knowledge = law->knowledge,
                                .start = from,
                                .n = sets->n,
                                .max_parents = -1};
    struct bestdag_outcome got;
    char who[64], steps[32];
    snprintf(who, sizeof who, "%s %s, %d steps", s->name,
             way.bound ? way.bound : "", way.steps);
    snprintf(steps, sizeof steps, "steps=%d", way.steps);
    if (way.bound)
        bestdag_options_set(run, options, "set", way.bound);
    if (way.steps)
        bestdag_options_set(run, options, "set", steps);
    int status = bestdag_search(&task, &got);
    struct said said = {.who = who,
                        .trial = trial,
                        .plain = &law->plain,
                        .status = status,
                        .error = bestdag_run_error(run),
                        .score = got.score,
                        .bound = got.bound,
                        .word = got.status,
                        .must_prove = s->proves && !way.steps,
                        .is_cut = s->proves && way.steps};
    if (!status)
        said.graph = of_dag(got.dag);
    check_said(&said);
    tally->taken += !said.is_cut;
    tally->feasible += !status && !said.is_cut;
    tally->reached +=
        !status && !said.is_cut && got.score >= oracle.best - 1e-6;
    bestdag_dag_free(got.dag);
    bestdag_dag_free(from);
    bestdag_problem_free(problem);
    bestdag_sets_free(some);
    bestdag_options_free(options);
    bestdag_run_free(run);
}

static void try_all(const struct law *law, const struct bestdag_sets *sets,
                    const struct small *start, uint64_t trial,
                    struct tally *tally)
{
    static const char *const bounds[] = {"bound=simple", "bound=patterns",
                                         "bound=cluster"};
    const struct bestdag_solver *s;
    for (int i = 0; (s = bestdag_solver_at(i)); i++) {
        if (s->ground != BESTDAG_ON_SETS || (law->knowledge->needs & ~s->takes))
            continue;
        bool has_bounds = !strcmp(s->name, "bnb");
        for (int k = 0; k < (has_bounds ? 3 : 1); k++) {
            struct way way = {.bound = has_bounds ? bounds[k] : NULL,
                              .steps = s->proves ? 0 : 2000};
            try_solver(s, way, law, sets, start, trial, &tally[i]);
            way.steps = 1 + (int)(trial % 20);
            if (s->proves && bestdag_solver_has(s, "steps"))
                try_solver(s, way, law, sets, start, trial, &tally[i]);
        }
    }
}

static void every_solver_over_sets_is_right(void **state)
{
    struct tally tally[32] = {{0}};
    uint64_t seed = seed_of(), trials = trials_of(240), gave_up = 0;
    (void)state;
    for (uint64_t t = 0; t < trials; t++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_random r = bestdag_random_init(seed, t);
        int n = 8 + (int)(t % 8 == 0) + (int)(t % 16 == 0);
        struct law law = make_law(run, &r, n, (enum mix)(t % MIXES));
        struct small start = random_small(&r, n, 0.3);
        struct random_sets shape = {.seed = seed + t,
                                    .n = n,
                                    .sets = 4 + (int)(t % 30),
                                    .most_parents = 2 + (int)(t % 4),
                                    .levels = t % 5 ? 0 : 3,
                                    .no_empty = t % 7 == 0,
                                    .no_prune = t % 3 != 0};
        struct bestdag_sets *sets = random_sets(run, shape);
        set_names(run, sets->names, n);
        take_sets(sets);
        oracle_solve(&oracle, &law.plain);
        if (oracle.gave_up)
            gave_up++;
        else
            try_all(&law, sets, t % 4 ? NULL : &start, t, tally);
        bestdag_sets_free(sets);
        drop_law(&law);
        bestdag_run_free(run);
    }
    print_message("%llu problems, %llu too hard for the oracle\n",
                  (unsigned long long)trials, (unsigned long long)gave_up);
    assert_true(gave_up * 20 <= trials);
    for (int i = 0; bestdag_solver_at(i); i++)
        if (tally[i].taken)
            print_message("%s: takes %d, of which %d have networks; the best "
                          "of %d\n",
                          bestdag_solver_at(i)->name, tally[i].taken,
                          tally[i].feasible, tally[i].reached);
}

/* ---- from a table -----------------------------------------------------------
 */

static void take_scores(struct bestdag_run *run,
                        const struct bestdag_table *table,
                        const struct bestdag_options *options, int max_parents)
{
    struct bestdag_scorer *s = bestdag_scorer_new(run, table, options);
    struct bestdag_scorer_scratch *scratch = bestdag_scorer_scratch_new(run, s);
    oracle.n = table->columns;
    for (int v = 0; v < oracle.n; v++)
        for (uint32_t mask = 0; mask < 1u << oracle.n; mask++) {
            struct bestdag_family f;
            int list[MOST_NODES], count = 0;
            oracle.score[v][mask] = -INFINITY;
            for (int u = 0; u < oracle.n; u++)
                if (has(mask, u))
                    list[count++] = u;
            if (has(mask, v) || (max_parents >= 0 && count > max_parents))
                continue;
            assert_false(bestdag_scorer_family(s, scratch, v, list, count, &f));
            oracle.score[v][mask] = bestdag_scorer_nats(s, f.score);
        }
    bestdag_scorer_scratch_free(scratch);
    bestdag_scorer_free(s);
}

/* What is said of the candidate sets alone says nothing here: lists that lack
 * sets know less than the oracle. */
static bool is_over_all(const struct bestdag_result *r)
{
    return !isnan(bestdag_result_number(r, "global_bound"));
}

static double bound_over_all(const struct bestdag_result *r)
{
    return bestdag_result_number(r, is_over_all(r) ? "global_bound" : "bound");
}

static const char *word_over_all(const struct bestdag_result *r)
{
    const char *over = bestdag_result_text(r, "proved_over");
    return over && !strcmp(over, "candidate sets")
               ? "optimal over candidate sets"
               : bestdag_result_text(r, "status");
}

static void try_learning(const struct law *law, const char *solver,
                         const struct bestdag_table *table,
                         const struct bestdag_options *options,
                         struct bestdag_run *run, uint64_t trial, bool proves,
                         bool lacks_sets)
{
    struct bestdag_result *got = bestdag_learn(run, table, law->rules, options);
    if (bestdag_run_status(run) != BESTDAG_USAGE) {
        struct said said = {.who = solver,
                            .trial = trial,
                            .plain = &law->plain,
                            .status = bestdag_run_status(run),
                            .error = bestdag_run_error(run),
                            .must_prove = proves,
                            .lacks_sets = lacks_sets};
        if (got) {
            said.score = bestdag_result_number(got, "score");
            said.bound = bound_over_all(got);
            said.word = word_over_all(got);
            said.graph = of_dag(bestdag_result_network(got)->dag);
        }
        check_said(&said);
    }
    bestdag_result_free(got);
    bestdag_run_clear(run);
}

/* A trial: rules, a table, options. */
struct trial {
    struct bestdag_run *run;
    struct law law;
    struct bestdag_table *table;
    struct bestdag_options *options;
};

static struct trial make_trial(uint64_t seed, uint64_t t, int n, enum mix mix)
{
    struct trial trial = {.run = bestdag_run_new()};
    struct bestdag_random r = bestdag_random_init(seed, t + 100000);
    struct random_table how = {
        .seed = seed + t, .columns = n, .most = 3, .rows = 20 + t % 200};
    trial.law = make_law(trial.run, &r, n, mix);
    trial.table = random_table(trial.run, how);
    trial.options = bestdag_options_new(trial.run);
    for (int v = 0; v < n; v++) {
        bestdag_free(trial.table->column[v].name);
        trial.table->column[v].name = bestdag_strdup(trial.run, PLAIN_NAMES[v]);
    }
    return trial;
}

static void set_option(struct trial *t, const char *key, const char *value)
{
    assert_int_equal(bestdag_options_set(t->run, t->options, key, value), 0);
}

static void drop_trial(struct trial *t)
{
    bestdag_options_free(t->options);
    bestdag_table_free(t->table);
    drop_law(&t->law);
    bestdag_run_free(t->run);
}

static void learning_is_right(void **state)
{
    static const char *const solvers[] = {"auto",   "bnb", "hc",   "auto",
                                          "orders", "hc",  "auto", "cluster"};
    uint64_t seed = seed_of(), trials = trials_of(60), gave_up = 0;
    (void)state;
    for (uint64_t t = 0; t < trials; t++) {
        const char *solver = solvers[t % 8];
        bool takes_all = !strcmp(solver, "auto") || !strcmp(solver, "bnb");
        bool is_whole = t / 3 % 4 != 3; /* else lists lack sets */
        enum mix mix = takes_all ? (enum mix)(t / 8 % MIXES) : LOCAL_AND_ORDER;
        struct trial trial = make_trial(seed, t, 8, mix);
        set_option(&trial, "score", t % 2 ? "bic" : "bdeu");
        set_option(&trial, "solver", solver);
        set_option(&trial, "parents",
                   is_whole ? "sequential"
                   : t % 2  ? "greedy"
                            : "independence");
        if (!is_whole)
            set_option(&trial, "candidates", t % 4 < 2 ? "3" : "5");
        if (t % 5 == 0)
            set_option(&trial, "max-parents", "2");
        take_scores(trial.run, trial.table, trial.options, t % 5 ? -1 : 2);
        oracle_solve(&oracle, &trial.law.plain);
        gave_up += oracle.gave_up;
        if (!oracle.gave_up)
            try_learning(&trial.law, solver, trial.table, trial.options,
                         trial.run, t, takes_all && is_whole, !is_whole);
        drop_trial(&trial);
    }
    assert_true(gave_up * 10 <= trials);
}

/* The average of networks that obey obeys. */
static void averages_obey(void **state)
{
    uint64_t seed = seed_of(), trials = trials_of(30), feasible = 0;
    (void)state;
    for (uint64_t t = 0; t < trials; t++) {
        struct trial trial =
            make_trial(seed, t + 50000, 8, (enum mix)(t % MIXES));
        const struct plain_rules *plain = &trial.law.plain;
        set_option(&trial, "resamples", "5");
        if (t % 2)
            set_option(&trial, "threshold", "0.2");
        struct bestdag_result *got = bestdag_bootstrap(
            trial.run, trial.table, trial.law.rules, trial.options);
        struct small g = {.n = 8};
        if (got)
            g = of_dag(bestdag_result_network(got)->dag);
        if (got ? plain_broken(plain, &g) >= 0 || !acyclic(&g)
                : bestdag_run_status(trial.run) != BESTDAG_INFEASIBLE)
            fail_msg("trial %llu: %s, under %s", (unsigned long long)t,
                     got ? "breaks a rule" : bestdag_run_error(trial.run),
                     plain_all(plain));
        feasible += got != NULL;
        bestdag_result_free(got);
        drop_trial(&trial);
    }
    assert_true(feasible * 3 > trials);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_agrees_with_all_dags),
        cmocka_unit_test(every_solver_over_sets_is_right),
        cmocka_unit_test(learning_is_right),
        cmocka_unit_test(averages_obey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
