/* SPDX-License-Identifier: MIT */
/* test_classify.c -- classifiers: smoothing by hand, structures against each
 * other and against rules, posteriors by brute force, folds. */
#include "nets.h"

#include "base/json.h"
#include "data/states.h"
#include "models/classify.h"
#include "models/predictions.h"
#include "models/stratify.h"
#include "random_table.h"

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

/* settings: "model=tan score=ll" */
static struct bestdag_options *settings(struct bestdag_run *run,
                                        const char *text)
{
    struct bestdag_options *options = bestdag_options_new(run);
    char copy[256], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(word, '=');
        *equals = 0;
        bestdag_options_set(run, options, word, equals + 1);
    }
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return options;
}

static struct bestdag_network *train(struct bestdag_run *run,
                                     const struct bestdag_table *table,
                                     const char *text)
{
    struct bestdag_options *options = settings(run, text);
    struct bestdag_network *net = bestdag_classifier_train(run, table, options);
    bestdag_options_free(options);
    if (!net)
        fail_msg("%s: %s", text, bestdag_run_error(run));
    return net;
}

static double score_of(const struct bestdag_network *net)
{
    return strtod(bestdag_network_noted(net, "score"), NULL);
}

/* ---- tables ----------------------------------------------------------------
 */

static void smoothing_is_what_one_gets_by_hand(void **state)
{
    struct bestdag_run *run = *state;
    const int8_t x[] = {0, 0, 1, 0, 1, 2}, c[] = {0, 0, 0, 1, 1, 1};
    struct bestdag_table *t = bestdag_table_new(run, 6);
    bestdag_table_add_codes(run, t, "x", x, 1, 3, NULL);
    bestdag_table_add_codes(run, t, "c", c, 1, 2, NULL);
    struct bestdag_network *net = train(run, t, "model=nb smoothing=5");
    const double *p = net->variable[0].table;
    /* shares of x: 3/6, 2/6, 1/6; counts given 0: 2 1 0, given 1: 1 1 1 */
    const double want[] = {(2 + 2.5) / 8, (1 + 5 / 3.0) / 8, (5 / 6.0) / 8,
                           (1 + 2.5) / 8, (1 + 5 / 3.0) / 8, (1 + 5 / 6.0) / 8};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(p[i] - want[i]) < 1e-15);
    assert_true(fabs(net->variable[1].table[0] - 0.5) < 1e-15);
    bestdag_network_free(net);
    net = train(run, t, "model=nb smoothing=0");
    assert_true(fabs(net->variable[0].table[0] - 2 / 3.0) < 1e-15);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void states_that_do_not_occur_are_not_in_the_model(void **state)
{
    struct bestdag_run *run = *state;
    const int8_t x[] = {0, 2, 2, 0}, c[] = {0, 0, 1, 1};
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_codes(run, t, "x", x, 1, 3, NULL);
    bestdag_table_add_codes(run, t, "c", c, 1, 2, NULL);
    struct bestdag_network *net = train(run, t, "model=tan");
    assert_int_equal(net->variable[0].states, 2);
    assert_string_equal(net->variable[0].labels[1], "2");
    bestdag_network_free(net);
    bestdag_table_free(t);
}

/* ---- structures ------------------------------------------------------------
 */

static const char *const scores[] = {"ll", "bic",  "aic", "k2",
                                     "bd", "bdeu", "mit"};
enum { SCORES = sizeof scores / sizeof *scores };

static void more_room_never_scores_less(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct bestdag_table *t =
            random_table(run, (struct random_table){.seed = seed,
                                                    .columns = 8,
                                                    .most = 4,
                                                    .rows = 150,
                                                    .weights = seed % 3 == 0});
        for (int i = 0; i < SCORES; i++) {
            double got[4];
            const char *const models[] = {"nb", "tan", "ckg max-parents=1",
                                          "ckg"};
            for (int m = 0; m < 4; m++) {
                char text[128];
                snprintf(text, sizeof text, "class=V1 score=%s model=%s",
                         scores[i], models[m]);
                struct bestdag_network *net = train(run, t, text);
                got[m] = score_of(net);
                bestdag_network_free(net);
            }
            for (int m = 1; m < 4; m++)
                if (got[m] < got[m - 1] - 1e-6)
                    fail_msg("seed %llu, %s: %s has %.9f, below %.9f",
                             (unsigned long long)seed, scores[i], models[m],
                             got[m], got[m - 1]);
        }
        bestdag_table_free(t);
    }
}

static bool next_parents(int *parent, int n)
{
    for (int v = n - 1; v > 0; v--) {
        if (++parent[v] < n)
            return true;
        parent[v] = 0;
    }
    return false;
}

/* All branchings of the attributes by brute force: each has no parent or one,
 * without a cycle; one that spans has one root. V1 is the class. */
static double best_branching(struct bestdag_run *run,
                             const struct bestdag_table *t,
                             const struct bestdag_options *options, bool spans)
{
    int n = t->columns, parent[8] = {0};
    double local[8][8], best = -INFINITY, class_score;
    bestdag_score(run, t, NULL, options, 0, NULL, 0, &class_score);
    for (int v = 1; v < n; v++)
        for (int u = 0; u < n; u++)
            if (u != v)
                bestdag_score(run, t, NULL, options, v, (int[]){0, u},
                              u ? 2 : 1, &local[v][u]);
    do { /* parent 0: the class alone; of itself: not allowed */
        bool is_wrong = false;
        double sum = class_score;
        int roots = 0;
        for (int v = 1; v < n; v++)
            roots += !parent[v];
        is_wrong = spans && roots > 1;
        for (int v = 1; v < n && !is_wrong; v++) {
            int steps = 0;
            for (int u = v; u && steps <= n; u = parent[u])
                steps++;
            is_wrong = steps > n;
            sum += is_wrong ? 0 : local[v][parent[v]];
        }
        if (!is_wrong && sum > best)
            best = sum;
    } while (next_parents(parent, n));
    return best;
}

/* Each attribute with its best set of at most two of its ancestors in the tree
 * of a tan. */
static double best_in_tree(struct bestdag_run *run,
                           const struct bestdag_table *t,
                           const struct bestdag_options *options,
                           const struct bestdag_network *tan)
{
    double sum, score;
    bestdag_score(run, t, NULL, options, 0, NULL, 0, &sum);
    for (int v = 1; v < t->columns; v++) {
        int above[8], count = 0;
        double best = -INFINITY;
        for (int u = v; u > 0;) {
            const struct bestdag_parents *p = &tan->dag->parents[u];
            u = p->count > 1 ? p->at[p->at[0] == 0] : 0;
            if (u)
                above[count++] = u;
        }
        for (int i = -1; i < count; i++)
            for (int j = -1; j < (i < 0 ? 0 : i); j++) {
                int set[3] = {0}, size = 1;
                if (i >= 0)
                    set[size++] = above[i];
                if (j >= 0)
                    set[size++] = above[j];
                bestdag_score(run, t, NULL, options, v, set, size, &score);
                best = score > best ? score : best;
            }
        sum += best;
    }
    return sum;
}

static void the_branching_of_the_paper_spans_all(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 30; seed < 38; seed++) {
        struct bestdag_table *t = random_table(
            run, (struct random_table){
                     .seed = seed, .columns = 6, .most = 3, .rows = 60});
        bestdag_table_prune(run, t);
        for (int i = 0; i < SCORES; i++) {
            char text[96];
            snprintf(text, sizeof text, "class=V1 score=%s branching=tree",
                     scores[i]);
            struct bestdag_options *options = settings(run, text);
            struct bestdag_network *tan = train(run, t, text);
            print_message("seed %d, %s\n", (int)seed, scores[i]);
            assert_true(fabs(score_of(tan) -
                             best_branching(run, t, options, true)) < 1e-6);
            strcat(text, " model=ckg");
            struct bestdag_network *ckg = train(run, t, text);
            assert_true(fabs(score_of(ckg) -
                             best_in_tree(run, t, options, tan)) < 1e-6);
            bestdag_network_free(ckg);
            bestdag_network_free(tan);
            bestdag_options_free(options);
        }
        bestdag_table_free(t);
    }
}

static void tan_is_the_best_of_all_branchings(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 20; seed < 26; seed++) {
        struct bestdag_table *t = random_table(
            run, (struct random_table){
                     .seed = seed, .columns = 5, .most = 3, .rows = 120});
        bestdag_table_prune(run, t); /* as training does */
        for (int i = 0; i < SCORES; i++) {
            char text[64];
            snprintf(text, sizeof text, "class=V1 score=%s", scores[i]);
            struct bestdag_options *options = settings(run, text);
            struct bestdag_network *net = train(run, t, text);
            double want = best_branching(run, t, options, false);
            if (fabs(score_of(net) - want) > 1e-6)
                fail_msg("seed %llu, %s: %.9f, the best is %.9f",
                         (unsigned long long)seed, scores[i], score_of(net),
                         want);
            bestdag_network_free(net);
            bestdag_options_free(options);
        }
        bestdag_table_free(t);
    }
}

/* The best score under "V1 -> X" for all X and at most `most` parents. */
static double learn_by_rules(struct bestdag_run *run,
                             const struct bestdag_table *t, int most)
{
    struct bestdag_rules *rules = bestdag_rules_new(run);
    char line[64];
    for (int v = 1; v < t->columns; v++) {
        snprintf(line, sizeof line, "V1 -> V%d", v + 1);
        bestdag_rules_add(run, rules, line);
        snprintf(line, sizeof line, "indegree(V%d) <= %d", v + 1, most);
        bestdag_rules_add(run, rules, line);
    }
    struct bestdag_options *options = settings(run, "solver=bnb score=bic");
    struct bestdag_result *result = bestdag_learn(run, t, rules, options);
    if (!result)
        fail_msg("rules: %s", bestdag_run_error(run));
    double score = bestdag_result_number(result, "score");
    assert_string_equal(bestdag_result_text(result, "status"), "optimal");
    bestdag_result_free(result);
    bestdag_options_free(options);
    bestdag_rules_free(rules);
    return score;
}

static void rules_lead_to_the_same_scores(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 40; seed < 46; seed++) {
        struct bestdag_table *t = random_table(
            run, (struct random_table){
                     .seed = seed, .columns = 6, .most = 3, .rows = 200});
        struct bestdag_network *nb = train(run, t, "class=V1 model=nb");
        struct bestdag_network *tan = train(run, t, "class=V1 model=tan");
        assert_true(fabs(score_of(nb) - learn_by_rules(run, t, 1)) < 1e-6);
        assert_true(fabs(score_of(tan) - learn_by_rules(run, t, 2)) < 1e-6);
        bestdag_network_free(nb);
        bestdag_network_free(tan);
        bestdag_table_free(t);
    }
}

/* ---- predictions -----------------------------------------------------------
 */

/* P(class, what is seen) by going through all assignments. */
static void brute_force(const struct bestdag_network *net, int class,
                        const int *seen, double *to)
{
    int state[16] = {0};
    double sum = 0;
    int classes = net->variable[class].states;
    for (int c = 0; c < classes; c++)
        to[c] = 0;
    do {
        double p = 1;
        for (int v = 0; v < net->dag->n; v++) {
            if (v != class && seen[v] >= 0 && seen[v] != state[v])
                p = 0;
            p *= nets_factor(net, v, state);
        }
        to[state[class]] += p;
    } while (nets_next(net, state));
    for (int c = 0; c < classes; c++)
        sum += to[c];
    for (int c = 0; c < classes; c++)
        to[c] = sum > 0 ? to[c] / sum : 1.0 / classes;
}

static void compare_rows(struct bestdag_run *run,
                         const struct bestdag_network *net, int class,
                         const struct bestdag_table *t)
{
    char name[16];
    snprintf(name, sizeof name, "class=v%d", class);
    struct bestdag_options *options = settings(run, name);
    struct bestdag_table *got =
        bestdag_classifier_predict(run, net, t, options);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    assert_int_equal(got->columns, net->variable[class].states + 1);
    for (int64_t r = 0; r < t->rows; r++) {
        int seen[16];
        double want[16];
        for (int v = 0; v < net->dag->n; v++)
            seen[v] = bestdag_column_code(&t->column[v], r);
        brute_force(net, class, seen, want);
        for (int c = 0; c < got->columns - 1; c++) {
            double p = ((const double *)got->column[c + 1].cells)[r];
            if (!(fabs(p - want[c]) < 1e-9))
                fail_msg("row %lld, class %d: %.12g is not %.12g", (long long)r,
                         c, p, want[c]);
        }
    }
    bestdag_table_free(got);
    bestdag_options_free(options);
}

static void predictions_are_those_of_the_joint_distribution(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct shape shape = {.seed = seed,
                              .n = 7,
                              .least_states = 1 + seed % 2,
                              .most_states = 3,
                              .most_parents = 3};
        struct bestdag_network *net = nets_random(run, shape);
        const double missing[] = {0, 0.3, 0.8};
        for (int i = 0; i < 3; i++) {
            struct bestdag_table *t =
                nets_table(run, net, 40, missing[i], seed);
            compare_rows(run, net, (int)(seed % 7), t);
            bestdag_table_free(t);
        }
        bestdag_network_free(net);
    }
}

/* Trained models with holes, of all kinds. */
static void trained_models_sum_holes_out(void **state)
{
    struct bestdag_run *run = *state;
    const char *const models[] = {"nb", "tan", "ckg"};
    for (uint64_t seed = 1; seed <= 9; seed++) {
        struct shape shape = {
            .seed = seed, .n = 7, .least_states = 2, .most_states = 3};
        struct bestdag_network *names = nets_random(run, shape);
        struct bestdag_table *t = nets_table(run, names, 300, 0, seed);
        struct bestdag_table *holes = nets_table(run, names, 60, 0.4, seed);
        char text[64];
        snprintf(text, sizeof text, "class=v3 score=ll model=%s",
                 models[seed % 3]);
        struct bestdag_network *net = train(run, t, text);
        compare_rows(run, net, 3, holes);
        bestdag_network_free(net);
        bestdag_table_free(t);
        bestdag_table_free(holes);
        bestdag_network_free(names);
    }
}

/* What is not summed out exactly is counted, and an estimate. */
static void what_is_sampled_is_counted(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = bestdag_network_empty(run, 3);
    struct bestdag_random random = bestdag_random_init(5, 5);
    for (int v = 0; v < 3; v++)
        nets_name(run, net, v, 3);
    bestdag_dag_set_parents(run, net->dag, 1, (int[]){0}, 1);
    bestdag_dag_set_parents(run, net->dag, 2, (int[]){0, 1}, 2);
    for (int v = 0; v < 3; v++)
        nets_fill_table(run, net, v, 0, &random);
    const int8_t none[] = {-1}, two[] = {2};
    struct bestdag_table *t = bestdag_table_new(run, 1);
    bestdag_table_add_codes(run, t, "v1", none, 1, 3,
                            (const char *const *)net->variable[1].labels);
    bestdag_table_add_codes(run, t, "v2", two, 1, 3,
                            (const char *const *)net->variable[2].labels);
    double exact[3], want[3];
    brute_force(net, 0, (int[]){-1, -1, 2}, want);
    for (int i = 0; i < 2; i++) {
        struct bestdag_predictor p;
        struct bestdag_predictions f;
        assert_int_equal(bestdag_predictor_init(run, &p, net, 0, t, NULL), 0);
        struct bestdag_options *options =
            settings(run, i ? "inference=sampling" : "inference=exact");
        p.options = options;
        assert_int_equal(bestdag_predictions_new(run, 1, 3, &f), 0);
        assert_int_equal(bestdag_predictor_run(run, &p, 1, &f), 0);
        assert_int_equal(f.summed, 1);
        assert_int_equal(f.sampled, i);
        for (int c = 0; c < 3; c++) {
            exact[c] = f.share[c][0];
            assert_true(fabs(exact[c] - want[c]) < (i ? 0.02 : 1e-12));
        }
        bestdag_predictions_release(&f, 3);
        bestdag_predictor_release(&p);
        bestdag_options_free(options);
    }
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void unseen_values_are_taken_as_missing(void **state)
{
    struct bestdag_run *run = *state;
    const int8_t x[] = {0, 1, 1, 0, 1, 1}, c[] = {0, 0, 0, 1, 1, 1};
    const char *const labels[] = {"a", "b"}, *const others[] = {"new", "b"};
    struct bestdag_table *t = bestdag_table_new(run, 6);
    struct bestdag_table *u = bestdag_table_new(run, 2);
    struct notes notes = {{0}};
    bestdag_table_add_codes(run, t, "x", x, 1, 2, labels);
    bestdag_table_add_codes(run, t, "c", c, 1, 2, NULL);
    bestdag_table_add_codes(run, u, "x", x, 1, 2, others);
    struct bestdag_network *net = train(run, t, "model=nb");
    bestdag_run_on_progress(run, notes_add, &notes);
    struct bestdag_table *got = bestdag_classifier_predict(run, net, u, NULL);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    assert_true(fabs(((double *)got->column[1].cells)[0] - 0.5) < 1e-12);
    assert_non_null(strstr(notes.text, "unknown to the network: 1,"));
    bestdag_run_on_progress(run, NULL, NULL);
    bestdag_table_free(got);
    bestdag_network_free(net);
    bestdag_table_free(t);
    bestdag_table_free(u);
}

/* Numbers are cut alike on both sides, however a table was read. */
static void numbers_are_cut_as_in_training(void **state)
{
    struct bestdag_run *run = *state;
    double x[40], y[] = {-7, 3, 100, NAN};
    int8_t c[40];
    const int8_t code[] = {0, 1, 2, -1};
    const char *const labels[] = {"-7", "3.0", "1e2"};
    struct bestdag_table *t = bestdag_table_new(run, 40);
    struct bestdag_table *numbers = bestdag_table_new(run, 4);
    struct bestdag_table *codes = bestdag_table_new(run, 4);
    for (int i = 0; i < 40; i++) {
        x[i] = i;
        c[i] = i >= 20;
    }
    bestdag_table_add_numbers(run, t, "x", x);
    bestdag_table_add_codes(run, t, "c", c, 1, 2, NULL);
    bestdag_table_add_numbers(run, numbers, "x", y);
    bestdag_table_add_codes(run, codes, "x", code, 1, 3, labels);
    struct bestdag_network *net = train(run, t, "model=tan");
    struct bestdag_table *a =
        bestdag_classifier_predict(run, net, numbers, NULL);
    struct bestdag_table *b = bestdag_classifier_predict(run, net, codes, NULL);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    assert_int_equal(net->variable[0].states, 2);
    for (int i = 0; i < 4; i++)
        assert_int_equal(bestdag_column_code(&a->column[0], i),
                         bestdag_column_code(&b->column[0], i));
    assert_int_equal(bestdag_column_code(&a->column[0], 1), 0);
    assert_int_equal(bestdag_column_code(&a->column[0], 2), 1);
    bestdag_table_free(a);
    bestdag_table_free(b);
    bestdag_network_free(net);
    bestdag_table_free(t);
    bestdag_table_free(numbers);
    bestdag_table_free(codes);
}

static void a_model_without_a_class_needs_its_name(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = nets_random(
        run,
        (struct shape){.seed = 3, .n = 3, .least_states = 2, .most_states = 2});
    struct bestdag_table *t = nets_table(run, net, 5, 0, 1);
    assert_null(bestdag_classifier_predict(run, net, t, NULL));
    assert_error(run, BESTDAG_INPUT, "--class");
    struct bestdag_options *options = settings(run, "class=nobody");
    assert_null(bestdag_classifier_predict(run, net, t, options));
    assert_error(run, BESTDAG_USAGE, "no variable 'nobody'");
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

/* ---- validation ------------------------------------------------------------
 */

static void folds_have_the_same_mixture(void **state)
{
    struct bestdag_run *run = *state;
    int8_t code[103];
    int part[103], count[3][7] = {{0}};
    struct bestdag_table *t = bestdag_table_new(run, 103);
    for (int i = 0; i < 103; i++)
        code[i] = (int8_t)(i % 11 == 5 ? -1 : i % 3);
    bestdag_table_add_codes(run, t, "c", code, 1, 3, NULL);
    assert_int_equal(bestdag_stratify_folds(run, &t->column[0], 103, 7, part),
                     0);
    for (int i = 0; i < 103; i++)
        if (code[i] < 0)
            assert_int_equal(part[i], BESTDAG_NO_PART);
        else
            count[code[i]][part[i]]++;
    for (int c = 0; c < 3; c++)
        for (int k = 1; k < 7; k++)
            assert_true(abs(count[c][k] - count[c][0]) <= 1);
    assert_int_equal(bestdag_stratify_split(run, &t->column[0], 103, 0.7, part),
                     0);
    int taken = 0, all = 0;
    for (int i = 0; i < 103; i++) {
        taken += part[i] == 1;
        all += part[i] >= 0;
    }
    assert_true(abs(taken * 10 - all * 7) <= 10);
    bestdag_table_free(t);
}

/* Without what depends on time and threads. */
static char *stripped(char *report)
{
    char *cut = strstr(report, "\"seconds\"");
    assert_non_null(cut);
    *cut = 0;
    return report;
}

static void threads_do_not_change_the_report(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = random_table(
        run,
        (struct random_table){.seed = 8, .columns = 9, .most = 4, .rows = 300});
    struct bestdag_options *options = settings(run, "model=ckg score=aic");
    bestdag_run_set(run, "threads", "1");
    char *one = bestdag_classifier_validate(run, t, NULL, options);
    bestdag_run_set(run, "threads", "3");
    char *three = bestdag_classifier_validate(run, t, NULL, options);
    assert_string_equal(stripped(one), stripped(three));
    bestdag_run_set(run, "seed", "9");
    char *other = bestdag_classifier_validate(run, t, NULL, options);
    assert_string_not_equal(one, stripped(other));
    bestdag_text_free(one);
    bestdag_text_free(three);
    bestdag_text_free(other);
    bestdag_options_free(options);
    bestdag_table_free(t);
}

/* A test on the training table is what predict says of it. */
static void a_holdout_agrees_with_predict(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = random_table(
        run,
        (struct random_table){.seed = 4, .columns = 6, .most = 3, .rows = 200});
    struct bestdag_options *options = settings(run, "model=tan class=V2");
    struct bestdag_network *net = bestdag_classifier_train(run, t, options);
    struct bestdag_table *got = bestdag_classifier_predict(run, net, t, NULL);
    struct bestdag_table *copy = random_table(
        run,
        (struct random_table){.seed = 4, .columns = 6, .most = 3, .rows = 200});
    char *text = bestdag_classifier_validate(run, t, copy, options);
    struct bestdag_json *report = bestdag_json_read(run, text);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    double right = 0, loss = 0;
    for (int64_t r = 0; r < 200; r++) {
        int truth = bestdag_column_code(&t->column[1], r);
        right += bestdag_column_code(&got->column[0], r) == truth;
        loss -= log(((const double *)got->column[truth + 1].cells)[r]);
    }
    double a = bestdag_json_number(bestdag_json_get(report, "accuracy"));
    double l = bestdag_json_number(bestdag_json_get(report, "log_loss"));
    double low = bestdag_json_number(
        bestdag_json_at(bestdag_json_get(report, "interval"), 0));
    assert_true(fabs(a - right / 200) < 1e-12);
    assert_true(fabs(l - loss / 200) < 1e-9);
    assert_true(fabs(a - low - 1.96 * sqrt(a * (1 - a) / 200)) < 1e-12);
    bestdag_json_free(report);
    bestdag_text_free(text);
    bestdag_table_free(copy);
    bestdag_table_free(got);
    bestdag_network_free(net);
    bestdag_options_free(options);
    bestdag_table_free(t);
}

static void all_memory_can_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *names = nets_random(
        run,
        (struct shape){.seed = 2, .n = 5, .least_states = 2, .most_states = 2});
    struct bestdag_table *t = nets_table(run, names, 30, 0.1, 6);
    double x[30];
    for (int i = 0; i < 30; i++)
        x[i] = i * 0.37;
    bestdag_table_add_numbers(run, t, "x", x);
    struct bestdag_options *options =
        settings(run, "model=ckg score=ll class=v1 folds=2 method=median");
    bestdag_run_set(run, "threads", "1");
    for (int64_t n = 1;; n++) {
        bestdag_memory_fail_at(run, n);
        char *report = bestdag_classifier_validate(run, t, NULL, options);
        bool has_failed = bestdag_memory_has_failed(run);
        bestdag_memory_fail_at(run, 0);
        if (has_failed)
            assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
        else
            assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
        bestdag_text_free(report);
        bestdag_run_clear(run);
        if (!has_failed)
            break;
    }
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_network_free(names);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(smoothing_is_what_one_gets_by_hand,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            states_that_do_not_occur_are_not_in_the_model, setup, teardown),
        cmocka_unit_test_setup_teardown(more_room_never_scores_less, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_branching_of_the_paper_spans_all,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(tan_is_the_best_of_all_branchings,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(rules_lead_to_the_same_scores, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            predictions_are_those_of_the_joint_distribution, setup, teardown),
        cmocka_unit_test_setup_teardown(trained_models_sum_holes_out, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_is_sampled_is_counted, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(unseen_values_are_taken_as_missing,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_cut_as_in_training, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_model_without_a_class_needs_its_name,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(folds_have_the_same_mixture, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(threads_do_not_change_the_report, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_holdout_agrees_with_predict, setup,
                                        teardown),
        cmocka_unit_test(all_memory_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
