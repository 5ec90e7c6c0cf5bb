/* SPDX-License-Identifier: MIT */
/* test_query.c -- queries in words against going through all assignments, their
 * errors, and answers of another program. */
#include "nets.h"

#include "base/json.h"

enum { MOST = 8, MOST_ITEMS = 8 };

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

/* ---- random queries --------------------------------------------------------
 */

/* An item of a query, as text and as plain numbers. */
struct item {
    char text[200];
    int variable, doing; /* doing -1: it is evidence */
    double weight[4];
};

struct asked {
    char text[2000];
    int target[MOST], targets;
    struct item item[MOST_ITEMS];
    int items;
};

static int below(struct bestdag_random *random, int n)
{
    return (int)bestdag_random_below(random, (uint64_t)n);
}

/* A name or label, in quotes now and then. */
static void add_word(char *to, const char *word, struct bestdag_random *random)
{
    bool is_quoted = below(random, 3) == 0;
    snprintf(to + strlen(to), 40, "%s%s%s", is_quoted ? "\"" : "", word,
             is_quoted ? "\"" : "");
}

static void draw_item(const struct bestdag_network *net, struct item *i,
                      struct bestdag_random *random)
{
    const struct bestdag_variable *x = &net->variable[i->variable];
    int kind = below(random, 3), seen = below(random, x->states);
    i->doing = -1;
    *i->text = 0;
    add_word(i->text, x->name, random);
    strcat(i->text, kind == 0   ? below(random, 2) ? "=" : " = "
                    : kind == 1 ? " in"
                                : "~");
    for (int s = 0; s < x->states; s++) {
        i->weight[s] = kind == 0   ? s == seen
                       : kind == 1 ? s == seen || below(random, 2)
                                   : (below(random, 4) || s == seen) * 0.25 *
                                         (1 + below(random, 8));
        if (kind == 2)
            sprintf(i->text + strlen(i->text), " %g", i->weight[s]);
        if (kind == 1 && i->weight[s] > 0)
            strcat(i->text, " ");
        if (kind < 2 && i->weight[s] > 0)
            add_word(i->text, x->labels[s], random);
    }
}

static void draw_do(const struct bestdag_network *net, struct item *i,
                    struct bestdag_random *random)
{
    const struct bestdag_variable *x = &net->variable[i->variable];
    i->doing = below(random, x->states);
    strcpy(i->text, "do(");
    add_word(i->text, x->name, random);
    strcat(i->text, "=");
    add_word(i->text, x->labels[i->doing], random);
    strcat(i->text, ")");
}

static void draw_query(const struct bestdag_network *net, struct asked *q,
                       struct bestdag_random *random)
{
    int n = net->dag->n, is_set[MOST] = {0};
    *q = (struct asked){.targets = 0};
    for (int v = 0; v < n; v++)
        if (!below(random, 3))
            q->target[q->targets++] = v;
    q->items = below(random, 5);
    for (int k = 0; k < q->items; k++) {
        struct item *i = &q->item[k];
        i->variable = below(random, n);
        if (!below(random, 4) && !is_set[i->variable]++)
            draw_do(net, i, random);
        else
            draw_item(net, i, random);
    }
    for (int k = 0; k < q->targets; k++) {
        strcat(q->text, k ? ", " : " ");
        add_word(q->text, net->variable[q->target[k]].name, random);
    }
    strcat(q->text, q->items ? " | " : "");
    for (int k = 0; k < q->items; k++)
        sprintf(q->text + strlen(q->text), "%s%s", k ? "," : "",
                q->item[k].text);
}

/* The weight of an assignment under the items for which use[i]; NULL: all. */
static double weight_of(const struct bestdag_network *net,
                        const struct asked *q, const bool *use,
                        const int *state)
{
    double p = 1;
    int doing[MOST];
    for (int v = 0; v < net->dag->n; v++)
        doing[v] = -1;
    for (int k = 0; k < q->items; k++) {
        const struct item *i = &q->item[k];
        if (i->doing >= 0)
            doing[i->variable] = i->doing;
        else if (!use || use[k])
            p *= i->weight[state[i->variable]];
    }
    for (int v = 0; v < net->dag->n; v++)
        p *= doing[v] >= 0 ? state[v] == doing[v] : nets_factor(net, v, state);
    return p;
}

/* Unnormalised joint of some variables. */
static double *enumerate(const struct bestdag_network *net,
                         const struct asked *q, const bool *use,
                         const int *variables, int count)
{
    double *to = calloc((size_t)nets_cells(net, variables, count), sizeof *to);
    int state[MOST] = {0};
    do {
        int64_t at = 0;
        for (int i = 0; i < count; i++)
            at = at * net->variable[variables[i]].states + state[variables[i]];
        to[at] += weight_of(net, q, use, state);
    } while (nets_next(net, state));
    return to;
}

static double total(const struct bestdag_network *net, const struct asked *q,
                    const bool *use)
{
    double *one = enumerate(net, q, use, NULL, 0), sum = one[0];
    free(one);
    return sum;
}

/* ---- checks ----------------------------------------------------------------
 */

#define CHECK(holds, seed, q)                                                  \
    do {                                                                       \
        if (!(holds))                                                          \
            fail_msg("seed %llu, query '%s': does not hold: %s",               \
                     (unsigned long long)(seed), (q)->text, #holds);           \
    } while (0)

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-11 * (1 + fabs(b));
}

static double number_at(const struct bestdag_json *object, const char *key)
{
    return bestdag_json_number(bestdag_json_get(object, key));
}

static void set(struct bestdag_run *run, struct bestdag_options *options,
                const char *key, const char *value)
{
    assert_int_equal(bestdag_options_set(run, options, key, value), BESTDAG_OK);
}

static struct bestdag_json *ask(struct bestdag_run *run,
                                const struct bestdag_network *net,
                                const char *text,
                                const struct bestdag_options *options)
{
    char *json = bestdag_network_query(run, net, text, options);
    struct bestdag_json *root = json ? bestdag_json_read(run, json) : NULL;
    bestdag_text_free(json);
    return root;
}

static void check_marginals(const struct bestdag_network *net,
                            const struct asked *q,
                            const struct bestdag_json *root, double sum,
                            uint64_t seed)
{
    const struct bestdag_json *all = bestdag_json_get(root, "marginals");
    int n = net->dag->n, count = q->targets ? q->targets : n;
    CHECK(bestdag_json_count(all) == count, seed, q);
    for (int i = 0; i < count; i++) {
        int v = q->targets ? q->target[i] : i;
        double *want = enumerate(net, q, NULL, &v, 1);
        const struct bestdag_json *one = bestdag_json_at(all, i);
        CHECK(!strcmp(bestdag_json_key(all, i), net->variable[v].name), seed,
              q);
        for (int s = 0; s < net->variable[v].states; s++)
            CHECK(is_near(number_at(one, net->variable[v].labels[s]),
                          want[s] / sum),
                  seed, q);
        free(want);
    }
}

static void check_joint(struct bestdag_run *run,
                        const struct bestdag_network *net,
                        const struct asked *q, double sum, uint64_t seed)
{
    struct bestdag_options *options = bestdag_options_new(run);
    set(run, options, "joint", "yes");
    struct bestdag_json *root = ask(run, net, q->text, options);
    const struct bestdag_json *joint = bestdag_json_get(root, "joint");
    double *want = enumerate(net, q, NULL, q->target, q->targets);
    int64_t cells = nets_cells(net, q->target, q->targets);
    CHECK(bestdag_json_count(joint) == cells, seed, q);
    CHECK(!bestdag_json_get(root, "marginals"), seed, q);
    for (int64_t c = 0; c < cells; c++)
        CHECK(is_near(number_at(bestdag_json_at(joint, c), "probability"),
                      want[c] / sum),
              seed, q);
    free(want);
    bestdag_json_free(root);
    bestdag_options_free(options);
}

/* Of an assignment that an explanation gives, with the states that the query
 * gives. */
static double weight_of_states(const struct bestdag_network *net,
                               const struct asked *q,
                               const struct bestdag_json *states)
{
    int state[MOST] = {0};
    double all = 0;
    do {
        bool fits = true;
        for (int v = 0; v < net->dag->n; v++) {
            const char *label = bestdag_json_text(
                bestdag_json_get(states, net->variable[v].name));
            fits &= !label || !strcmp(label, net->variable[v].labels[state[v]]);
        }
        all += fits ? weight_of(net, q, NULL, state) : 0;
    } while (nets_next(net, state));
    return all;
}

static int down(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* `variables` NULL: --mpe. */
static void check_explanations(struct bestdag_run *run,
                               const struct bestdag_network *net,
                               const struct asked *q, const int *variables,
                               int count, double sum, uint64_t seed)
{
    struct bestdag_options *options = bestdag_options_new(run);
    char list[200] = "";
    int all[MOST], best = 3;
    for (int i = 0; i < count; i++) {
        sprintf(list + strlen(list), "%sv%d", i ? "," : "", variables[i]);
        all[i] = variables[i];
    }
    for (int v = 0; !variables && v < net->dag->n; v++)
        all[count++] = v;
    set(run, options, variables ? "map" : "mpe", variables ? list : "yes");
    set(run, options, "best", "3");
    struct bestdag_json *root = ask(run, net, q->text, options);
    const struct bestdag_json *found = bestdag_json_get(root, "explanations");
    double *want = enumerate(net, q, NULL, all, count);
    int64_t cells = nets_cells(net, all, count);
    qsort(want, (size_t)cells, sizeof *want, down);
    CHECK(found, seed, q);
    for (int k = 0; k < best && k < cells && want[k] > 0; k++) {
        const struct bestdag_json *one = bestdag_json_at(found, k);
        CHECK(one, seed, q);
        CHECK(is_near(number_at(one, "probability"), want[k] / sum), seed, q);
        CHECK(is_near(weight_of_states(net, q, bestdag_json_get(one, "states")),
                      want[k]),
              seed, q);
    }
    free(want);
    bestdag_json_free(root);
    bestdag_options_free(options);
}

/* The error names items that are impossible together, and no more. */
static void check_refusal(struct bestdag_run *run,
                          const struct bestdag_network *net,
                          const struct asked *q, uint64_t seed)
{
    bool use[MOST_ITEMS] = {false};
    char quoted[210];
    int named = 0;
    CHECK(bestdag_run_status(run) == BESTDAG_INFEASIBLE, seed, q);
    for (int k = 0; k < q->items; k++) {
        bool is_twice = false;
        for (int j = 0; j < k; j++)
            is_twice |= !strcmp(q->item[k].text, q->item[j].text);
        snprintf(quoted, sizeof quoted, "'%s'", q->item[k].text);
        use[k] = !is_twice && q->item[k].doing < 0 &&
                 strstr(bestdag_run_error(run), quoted);
        named += use[k];
    }
    CHECK(named > 0, seed, q);
    CHECK(!(total(net, q, use) > 0), seed, q);
    for (int k = 0; k < q->items; k++)
        if (use[k]) {
            use[k] = false;
            CHECK(total(net, q, use) > 0, seed, q);
            use[k] = true;
        }
    bestdag_run_clear(run);
}

static struct bestdag_network *draw_network(struct bestdag_run *run,
                                            uint64_t seed, int n)
{
    return nets_random(run, (struct shape){.seed = seed,
                                           .n = n,
                                           .least_states = 1,
                                           .most_states = 4,
                                           .most_parents = 3,
                                           .zeros = seed % 2 ? 0 : 0.5});
}

static void answers_are_those_of_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    int impossible = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 5);
        struct bestdag_network *net =
            draw_network(run, seed, 2 + below(&random, 5));
        struct asked q;
        draw_query(net, &q, &random);
        double sum = total(net, &q, NULL);
        struct bestdag_json *root = ask(run, net, q.text, NULL);
        if (sum > 0) {
            CHECK(root, seed, &q);
            CHECK(is_near(number_at(root, "evidence_probability"), sum), seed,
                  &q);
            check_marginals(net, &q, root, sum, seed);
            if (q.targets) {
                check_joint(run, net, &q, sum, seed);
                check_explanations(run, net, &q, q.target, q.targets, sum,
                                   seed);
            }
            check_explanations(run, net, &q, NULL, 0, sum, seed);
        } else {
            impossible++;
            check_refusal(run, net, &q, seed);
        }
        bestdag_json_free(root);
        bestdag_network_free(net);
    }
    assert_true(impossible > 10);
}

/* ---- rows ------------------------------------------------------------------
 */

/* The text of a row's cells, but for the target. */
static void text_of_row(const struct bestdag_network *net,
                        const struct bestdag_table *table, int64_t row,
                        int target, char *to)
{
    sprintf(to, "v%d |", target);
    for (int v = 0; v < net->dag->n; v++) {
        int code;
        bestdag_table_codes(table, v, row, 1, &code);
        if (code >= 0 && v != target)
            sprintf(to + strlen(to), "%s v%d=l%d",
                    to[strlen(to) - 1] == '|' ? "" : ",", v, code);
    }
}

static void a_table_gives_what_its_rows_give(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bestdag_network *net = draw_network(run, 2 * seed + 1, 6);
        struct bestdag_table *table = nets_table(run, net, 40, 0.4, seed);
        struct bestdag_table *got =
            bestdag_network_query_table(run, net, "v2", table, NULL);
        assert_non_null(got);
        assert_int_equal(bestdag_table_rows(got), 40);
        assert_int_equal(bestdag_table_columns(got),
                         1 + net->variable[2].states);
        for (int64_t r = 0; r < 40; r++) {
            char text[400];
            double p, share;
            text_of_row(net, table, r, 2, text);
            struct bestdag_json *root = ask(run, net, text, NULL);
            const struct bestdag_json *one =
                bestdag_json_get(bestdag_json_get(root, "marginals"), "v2");
            assert_non_null(one);
            bestdag_table_numbers(got, 0, r, 1, &p);
            assert_true(is_near(p, number_at(root, "evidence_probability")));
            for (int s = 0; s < net->variable[2].states; s++) {
                bestdag_table_numbers(got, 1 + s, r, 1, &share);
                assert_true(is_near(
                    share, bestdag_json_number(bestdag_json_at(one, s))));
            }
            bestdag_json_free(root);
        }
        bestdag_table_free(got);
        bestdag_table_free(table);
        bestdag_network_free(net);
    }
}

/* ---- imputation ------------------------------------------------------------
 */

/* The joint probability of a row of a table without holes. */
static double weight_of_row(const struct bestdag_network *net,
                            const struct bestdag_table *table, int first,
                            int64_t row)
{
    int state[MOST];
    double p = 1;
    for (int v = 0; v < net->dag->n; v++) {
        bestdag_table_codes(table, first + v, row, 1, &state[v]);
        assert_true(state[v] >= 0);
    }
    for (int v = 0; v < net->dag->n; v++)
        p *= nets_factor(net, v, state);
    return p;
}

/* The greatest probability of a row with holes. */
static double best_of_row(const struct bestdag_network *net,
                          const struct bestdag_table *table, int64_t row,
                          double *all)
{
    int state[MOST] = {0};
    double best = 0;
    *all = 0;
    do {
        double p = 1;
        for (int v = 0; v < net->dag->n; v++) {
            int code;
            bestdag_table_codes(table, v, row, 1, &code);
            p *= nets_factor(net, v, state) * (code < 0 || code == state[v]);
        }
        best = p > best ? p : best;
        *all += p;
    } while (nets_next(net, state));
    return best;
}

static void rows_are_filled_with_their_best_states(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct bestdag_network *net = draw_network(run, 2 * seed + 1, 7);
        struct bestdag_table *table = nets_table(run, net, 20, 0.3, seed);
        struct bestdag_table *full =
            bestdag_network_impute(run, net, table, NULL);
        assert_non_null(full);
        for (int64_t r = 0; r < 20; r++) {
            double all, best = best_of_row(net, table, r, &all);
            if (!is_near(weight_of_row(net, full, 0, r) / best, 1))
                fail_msg("seed %llu, row %lld", (unsigned long long)seed,
                         (long long)r);
        }
        bestdag_table_free(full);
        bestdag_table_free(table);
        bestdag_network_free(net);
    }
}

/* Frequencies of the joint states of a row's holes, against probabilities:
 * within five standard errors. `missing` chooses joint draws (few holes) or
 * hole by hole (many). */
static void check_draws(struct bestdag_run *run, int n, double missing,
                        uint64_t seed)
{
    enum { DRAWS = 4000 };
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = seed,
                                        .n = n,
                                        .least_states = 2,
                                        .most_states = 4,
                                        .most_parents = 2});
    struct bestdag_table *table = nets_table(run, net, 1, missing, seed);
    set(run, options, "tables", "4000");
    struct bestdag_table *drawn =
        bestdag_network_impute(run, net, table, options);
    assert_non_null(drawn);
    assert_int_equal(bestdag_table_rows(drawn), DRAWS);
    assert_string_equal(bestdag_table_name(drawn, 0), "table");
    double all;
    best_of_row(net, table, 0, &all);
    for (int v = 0; v < n; v++) { /* pairs of neighbours, and single ones */
        int other = (v + 1) % n, a, b, state[MOST] = {0};
        double want = 0, got = 0;
        do {
            double p = 1;
            for (int w = 0; w < n; w++) {
                int code;
                bestdag_table_codes(table, w, 0, 1, &code);
                p *=
                    nets_factor(net, w, state) * (code < 0 || code == state[w]);
            }
            want += state[v] == 0 && state[other] == 1 ? p / all : 0;
        } while (nets_next(net, state));
        for (int64_t r = 0; r < DRAWS; r++) {
            bestdag_table_codes(drawn, 1 + v, r, 1, &a);
            bestdag_table_codes(drawn, 1 + other, r, 1, &b);
            got += !strcmp(bestdag_table_label(drawn, 1 + v, a), "l0") &&
                   !strcmp(bestdag_table_label(drawn, 1 + other, b), "l1");
        }
        if (fabs(got / DRAWS - want) >
            5 * sqrt(want * (1 - want) / DRAWS) + 1e-9)
            fail_msg("seed %llu, v%d: %g is not %g", (unsigned long long)seed,
                     v, got / DRAWS, want);
    }
    bestdag_table_free(drawn);
    bestdag_table_free(table);
    bestdag_network_free(net);
    bestdag_options_free(options);
}

static void draws_have_the_right_distribution(void **state)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        check_draws(*state, 5, 0.5, seed);
        check_draws(*state, 8, 1, seed);
    }
}

/* ---- errors ----------------------------------------------------------------
 */

static struct bestdag_network *sprinkler(struct bestdag_run *run)
{
    static const char *const weather[] = {"dry", "wet grass", "say \"hi\""};
    static const char *const yes[] = {"no", "yes"};
    static const int parents[] = {0};
    int code = 0;
    struct bestdag_table *table = bestdag_table_new(run, 1);
    bestdag_table_add_codes(run, table, "rain", &code, 4, 2, yes);
    bestdag_table_add_codes(run, table, "the lawn", &code, 4, 3, weather);
    struct bestdag_network *net = bestdag_network_new(run, table);
    bestdag_network_set_parents(run, net, 1, parents, 1);
    bestdag_table_free(table);
    bestdag_network_new_table(run, net, 0);
    bestdag_network_new_table(run, net, 1);
    static const double rain[] = {0.75, 0.25},
                        lawn[] = {1, 0, 0, 0.25, 0.5, 0.25};
    memcpy(net->variable[0].table, rain, sizeof rain);
    memcpy(net->variable[1].table, lawn, sizeof lawn);
    return net;
}

static void errors_say_where_and_what(void **state)
{
    static const struct {
        const char *text;
        int status;
        const char *part;
    } rows[] = {
        {"ran", 2, "column 1: unknown variable 'ran', did you mean 'rain'?"},
        {"rain | \"the lawn\"=wett", 2, "column 19: unknown state 'wett'"},
        {"rain | rain=sun", 2, "expected 'no' or 'yes'"},
        {"rain | rain=yess", 2, "did you mean 'yes'?"},
        {"rain | the lawn=dry", 2, "column 8: unknown variable 'the'"},
        {"rain rain", 2, "column 6: expected ',' or '|'"},
        {"rain, rain", 2, "column 7: 'rain' is named twice"},
        {"rain, | rain=no", 2, "expected the name of a variable, found '|'"},
        {"rain=yes", 2, "evidence stands behind '|'"},
        {"=", 2, "expected a name or '|', found '='"},
        {", rain", 2, "expected a name or '|', found ','"},
        {"| rain", 2, "expected '=' and a state"},
        {"| rain=", 2, "expected a state, found the end of the query"},
        {"| rain ~ 1", 2, "'rain' has 2 states, but there is 1 likelihood"},
        {"| rain ~ 0 0", 2, "sum above 0"},
        {"| rain ~ 1 -1", 2, "expected a number of at least 0, found '-1'"},
        {"| rain ~ 1 x", 2, "expected a number"},
        {"| do(rain=no), do(rain=yes)", 2, "column 19: 'rain' is set twice"},
        {"| do(rain)", 2, "expected '=', found ')'"},
        {"| do(rain=no", 2, "expected ',' or ')'"},
        {"| \"rain", 2, "no closing"},
        {"| rain in", 2, "expected a state"},
        {"rain | rain=no rain=yes", 2, "column 16: expected ','"},
        {"rain | rain=no, rain=yes", 4,
         "'rain=no' and 'rain=yes' exclude each other"},
        {"| rain=no, \"the lawn\"=\"wet grass\"", 4,
         "'rain=no' and '\"the lawn\"=\"wet grass\"' exclude each other"},
        {"| do(rain=no), \"the lawn\" in \"wet grass\" \"say \"\"hi\"\"\"", 4,
         "has probability 0 under do(rain=no)"},
        {"| do(rain=no), rain=yes", 4, "'rain=yes' has probability 0 under"},
    };
    struct bestdag_run *run = *state;
    struct bestdag_network *net = sprinkler(run);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(bestdag_network_query(run, net, rows[i].text, NULL));
        assert_error(run, rows[i].status, rows[i].part);
    }
    bestdag_network_free(net);
}

static void odd_names_and_several_items(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = sprinkler(run);
    struct bestdag_json *root =
        ask(run, net,
            "\"the lawn\" | rain ~ 1 2, rain ~ 0.5 0.5, \"the lawn\" in dry "
            "\"say \"\"hi\"\"\"",
            NULL);
    const struct bestdag_json *lawn =
        bestdag_json_get(bestdag_json_get(root, "marginals"), "the lawn");
    double dry = 0.75 * 0.5 + 0.25 * 1 * 0.25, hi = 0.25 * 0.25;
    assert_true(is_near(number_at(root, "evidence_probability"), dry + hi));
    assert_true(is_near(number_at(lawn, "say \"hi\""), hi / (dry + hi)));
    bestdag_json_free(root);
    bestdag_network_free(net);
}

static void a_structure_cannot_answer(void **state)
{
    struct bestdag_run *run = *state;
    int code = 0;
    struct bestdag_table *table = bestdag_table_new(run, 1);
    bestdag_table_add_codes(run, table, "a", &code, 4, 2, NULL);
    struct bestdag_network *net = bestdag_network_new(run, table);
    assert_null(bestdag_network_query(run, net, "a", NULL));
    assert_error(run, BESTDAG_USAGE, "no probabilities");
    assert_null(bestdag_network_impute(run, net, table, NULL));
    assert_error(run, BESTDAG_USAGE, "no probabilities");
    bestdag_table_free(table);
    bestdag_network_free(net);
}

static void failing_memory_is_survived(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = sprinkler(run);
    struct bestdag_table *table = nets_table(run, net, 3, 0.5, 1);
    struct bestdag_options *options = bestdag_options_new(run);
    set(run, options, "map", "rain");
    int64_t used = bestdag_memory_used(run);
    int kinds = 3, done = 0;
    for (int kind = 0; kind < kinds; kind++)
        for (int64_t n = 1; n < 5000; n++) {
            bestdag_memory_fail_at(run, n);
            if (kind == 0)
                bestdag_text_free(bestdag_network_query(
                    run, net, "rain | \"the lawn\"=dry", options));
            else if (kind == 1)
                bestdag_table_free(bestdag_network_query_table(
                    run, net, "| rain in no yes", table, NULL));
            else
                bestdag_table_free(
                    bestdag_network_impute(run, net, table, NULL));
            bool has_failed = bestdag_memory_has_failed(run);
            bestdag_memory_fail_at(run, 0);
            assert_int_equal(bestdag_run_status(run),
                             has_failed ? BESTDAG_MEMORY : BESTDAG_OK);
            bestdag_run_clear(run);
            if (bestdag_memory_used(run) != used)
                fail_msg("kind %d, allocation %lld leaks", kind, (long long)n);
            if (!has_failed) {
                done++;
                break;
            }
        }
    assert_int_equal(done, kinds);
    bestdag_options_free(options);
    bestdag_table_free(table);
    bestdag_network_free(net);
}

/* ---- another program's answers ---------------------------------------------
 */

/* "A, B | C=x, do(D=y)" of a stored query; every word in quotes. */
static void text_of_query(const struct bestdag_json *q,
                          struct bestdag_buffer *to)
{
    const struct bestdag_json *targets = bestdag_json_get(q, "targets");
    const struct bestdag_json *evidence = bestdag_json_get(q, "evidence");
    const struct bestdag_json *set = bestdag_json_get(q, "do");
    const char *separator = "";
    for (int64_t i = 0; i < bestdag_json_count(targets); i++)
        bestdag_buffer_format(to, "%s\"%s\"", i ? ", " : "",
                              bestdag_json_text(bestdag_json_at(targets, i)));
    bestdag_buffer_text(to, " | ");
    for (int64_t i = 0; i < bestdag_json_count(evidence); i++) {
        bestdag_buffer_format(to, "%s\"%s\"=\"%s\"", separator,
                              bestdag_json_key(evidence, i),
                              bestdag_json_text(bestdag_json_at(evidence, i)));
        separator = ", ";
    }
    for (int64_t i = 0; i < bestdag_json_count(set); i++) {
        bestdag_buffer_format(to, "%sdo(\"%s\"=\"%s\")", separator,
                              bestdag_json_key(set, i),
                              bestdag_json_text(bestdag_json_at(set, i)));
        separator = ", ";
    }
}

static void compare_marginals(const struct bestdag_json *q,
                              const struct bestdag_json *root, const char *text)
{
    const struct bestdag_json *want = bestdag_json_get(q, "marginals");
    const struct bestdag_json *got = bestdag_json_get(root, "marginals");
    for (int64_t i = 0; i < bestdag_json_count(want); i++) {
        const struct bestdag_json *one = bestdag_json_at(want, i);
        const struct bestdag_json *other =
            bestdag_json_get(got, bestdag_json_key(want, i));
        for (int64_t s = 0; s < bestdag_json_count(one); s++) {
            double p = bestdag_json_number(bestdag_json_at(one, s));
            if (!(fabs(number_at(other, bestdag_json_key(one, s)) - p) < 1e-7))
                fail_msg("%s: %s=%s", text, bestdag_json_key(want, i),
                         bestdag_json_key(one, s));
        }
    }
}

static void compare_joint(struct bestdag_run *run,
                          const struct bestdag_network *net,
                          const struct bestdag_json *q, const char *text)
{
    const struct bestdag_json *want = bestdag_json_get(q, "joint");
    struct bestdag_options *options = bestdag_options_new(run);
    set(run, options, "joint", "yes");
    struct bestdag_json *root =
        bestdag_json_count(want) ? ask(run, net, text, options) : NULL;
    const struct bestdag_json *got = bestdag_json_get(root, "joint");
    assert_int_equal(bestdag_json_count(got), bestdag_json_count(want));
    for (int64_t i = 0; i < bestdag_json_count(want); i++)
        if (!(fabs(number_at(bestdag_json_at(got, i), "probability") -
                   bestdag_json_number(bestdag_json_at(want, i))) < 1e-7))
            fail_msg("%s: joint %lld", text, (long long)i);
    bestdag_json_free(root);
    bestdag_options_free(options);
}

static bool is_true(const struct bestdag_json *q, const char *key)
{
    return number_at(q, key) > 0;
}

/* ln_max is of the assignment with the evidence. */
static void compare_explanation(const struct bestdag_json *q,
                                const struct bestdag_json *root,
                                const char *text)
{
    const struct bestdag_json *want = bestdag_json_get(q, "assignment");
    const struct bestdag_json *one =
        bestdag_json_at(bestdag_json_get(root, "explanations"), 0);
    const struct bestdag_json *states = bestdag_json_get(one, "states");
    double ln = log(number_at(one, "probability")) +
                number_at(root, "log_evidence_probability");
    if (!(fabs(ln - number_at(q, "ln_max")) < 1e-6))
        fail_msg("%s: ln max %.17g is not %.17g", text, ln,
                 number_at(q, "ln_max"));
    for (int64_t i = 0; is_true(q, "unique") && i < bestdag_json_count(states);
         i++)
        assert_string_equal(bestdag_json_text(bestdag_json_at(states, i)),
                            bestdag_json_text(bestdag_json_get(
                                want, bestdag_json_key(states, i))));
}

static void compare(struct bestdag_run *run, const struct bestdag_network *net,
                    const struct bestdag_json *q)
{
    struct bestdag_buffer text = {.run = run};
    struct bestdag_options *options = bestdag_options_new(run);
    bool is_mpe =
        !strcmp(bestdag_json_text(bestdag_json_get(q, "kind")), "mpe");
    text_of_query(q, &text);
    set(run, options, "mpe", is_mpe ? "yes" : "no");
    struct bestdag_json *root = ask(run, net, text.at, options);
    if (!root)
        fail_msg("%s: %s", text.at, bestdag_run_error(run));
    if (bestdag_json_get(q, "ln_evidence") &&
        !(fabs(number_at(root, "log_evidence_probability") -
               number_at(q, "ln_evidence")) < 1e-6))
        fail_msg("%s: ln evidence", text.at);
    if (is_mpe)
        compare_explanation(q, root, text.at);
    else {
        compare_marginals(q, root, text.at);
        compare_joint(run, net, q, text.at);
    }
    bestdag_json_free(root);
    bestdag_options_free(options);
    bestdag_buffer_release(&text);
}

static void another_program_agrees(void **state)
{
    struct bestdag_run *run = *state;
    const char *data = getenv("BESTDAG_DATA");
    char path[1000];
    if (!data)
        skip();
    snprintf(path, sizeof path, "%s/references/queries.json.gz", data);
    struct bestdag_file file;
    assert_int_equal(bestdag_file_read(run, path, &file), BESTDAG_OK);
    struct bestdag_json *root = bestdag_json_parse(run, &file);
    const struct bestdag_json *all = bestdag_json_get(root, "queries");
    struct bestdag_network *net = NULL;
    const char *now = "";
    assert_int_equal(bestdag_json_count(all), 480);
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *q = bestdag_json_at(all, i);
        const char *name = bestdag_json_text(bestdag_json_get(q, "network"));
        if (strcmp(name, now) != 0) {
            bestdag_network_free(net);
            snprintf(path, sizeof path, "%s/networks/%s.bif", data, name);
            net = bestdag_network_read(run, path);
            assert_non_null(net);
            now = name;
        }
        compare(run, net, q);
    }
    bestdag_network_free(net);
    bestdag_json_free(root);
    bestdag_free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_those_of_enumeration, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_table_gives_what_its_rows_give, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(rows_are_filled_with_their_best_states,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(draws_have_the_right_distribution,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(errors_say_where_and_what, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(odd_names_and_several_items, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_structure_cannot_answer, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(failing_memory_is_survived, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(another_program_agrees, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
