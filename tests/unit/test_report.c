/* SPDX-License-Identifier: MIT */
/* test_report.c -- what a result has in addition to its network: strengths of
 * arcs against the scores of single families, the course, and the page. */
#include "scratch.h"

#include <math.h>

#include "data/table.h"
#include "learn/result.h"
#include "random_table.h"
#include "report/page.h"

enum { MOST = 8 };

static const struct bestdag_json *strengths_of(struct bestdag_json *json)
{
    return bestdag_json_get(json, "strengths");
}

static struct bestdag_json *json_of(struct bestdag_run *run,
                                    const struct bestdag_result *r)
{
    char *text = bestdag_result_json(run, r);
    struct bestdag_json *json = bestdag_json_read(run, text);
    bestdag_text_free(text);
    assert_fine(run);
    return json;
}

/* ---- strengths -------------------------------------------------------------
 */

/* The family's score less that without its i-th parent, from the table. */
static double lost_from_table(struct bestdag_run *run,
                              const struct bestdag_table *t,
                              const struct bestdag_options *o, int v,
                              const int *parents, int count, int i)
{
    double whole, part;
    int rest[MOST], k = 0;
    for (int j = 0; j < count; j++)
        if (j != i)
            rest[k++] = parents[j];
    bestdag_score(run, t, NULL, o, v, parents, count, &whole);
    bestdag_score(run, t, NULL, o, v, rest, k, &part);
    assert_fine(run);
    return whole - part;
}

/* All arcs, in order, with the right names and strengths. */
static int check_strengths(struct bestdag_run *run,
                           const struct bestdag_table *t,
                           const struct bestdag_options *o,
                           const struct bestdag_result *r)
{
    const struct bestdag_network *net = bestdag_result_network(r);
    struct bestdag_json *json = json_of(run, r);
    int64_t at = 0;
    for (int v = 0; v < bestdag_network_variables(net); v++) {
        int parents[MOST];
        int count = bestdag_network_parents(net, v, parents, MOST);
        for (int i = 0; i < count; i++, at++) {
            const struct bestdag_json *row =
                bestdag_json_at(strengths_of(json), at);
            double lost = bestdag_json_number(bestdag_json_get(row, "lost"));
            double right = lost_from_table(run, t, o, v, parents, count, i);
            assert_string_equal(
                bestdag_json_text(bestdag_json_get(row, "from")),
                bestdag_network_name(net, parents[i]));
            assert_string_equal(bestdag_json_text(bestdag_json_get(row, "to")),
                                bestdag_network_name(net, v));
            if (!(fabs(lost - right) < 1e-6))
                fail_msg("lost %.12f, by the scores %.12f", lost, right);
        }
    }
    assert_int_equal(bestdag_json_count(strengths_of(json)), at);
    bestdag_json_free(json);
    return (int)at;
}

static void strengths_are_differences_of_scores(void **state)
{
    (void)state;
    static const char *const scores[] = {"bic", "aic", "bdeu", "k2", "mit"};
    struct bestdag_run *run = bestdag_run_new();
    int arcs = 0;
    for (int seed = 0; seed < 15; seed++) {
        struct random_table how = {
            .seed = (uint64_t)seed, .columns = 6, .most = 3, .rows = 300};
        struct bestdag_table *t = random_table(run, how);
        struct bestdag_options *o = bestdag_options_new(run);
        bestdag_options_set(run, o, "score", scores[seed % COUNT(scores)]);
        struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
        assert_fine(run);
        arcs += check_strengths(run, t, o, r);
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_table_free(t);
    }
    assert_true(arcs > 15);
    scratch_end(run);
}

/* Of score files: what both lists have is known, else null. */
static void strengths_of_lists_are_known_where_both_sets_are(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make(), *path = scratch_path(folder, "s.jkl");
    static const char text[] = "3\na 1\n-9 0\nb 2\n-1 1 a\n-3 0\n"
                               "c 2\n-1 2 a b\n-5.5 1 b\n";
    scratch_write(path, text, strlen(text));
    struct bestdag_sets *sets = bestdag_sets_read(run, path);
    struct bestdag_result *r = bestdag_solve(run, sets, NULL, NULL);
    struct bestdag_json *json = json_of(run, r);
    static const double right[] = {2, 4.5, NAN}; /* a b, a c, b c */
    static const bool known[] = {true, true, false};
    for (int i = 0; i < 3; i++) {
        double lost = bestdag_json_number(
            bestdag_json_get(bestdag_json_at(strengths_of(json), i), "lost"));
        assert_int_equal(!isnan(lost), known[i]);
        if (known[i])
            assert_true(fabs(lost - right[i]) < 1e-12);
    }
    bestdag_json_free(json);
    bestdag_result_free(r);
    bestdag_sets_free(sets);
    scratch_files(folder, true);
    scratch_end(run);
}

/* a -> c <- b is compelled, x -> y alone is not. */
static void compelled_arcs_are_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make(), *path = scratch_path(folder, "s.jkl");
    static const char text[] = "5\na 1\n-9 0\nb 1\n-9 0\nc 2\n-1 2 a b\n-5 0\n"
                               "x 1\n-9 0\ny 2\n-1 1 x\n-3 0\n";
    scratch_write(path, text, strlen(text));
    struct bestdag_sets *sets = bestdag_sets_read(run, path);
    struct bestdag_result *r = bestdag_solve(run, sets, NULL, NULL);
    struct bestdag_json *json = json_of(run, r);
    static const int right[] = {1, 1, 0};
    for (int i = 0; i < 3; i++)
        assert_true(bestdag_json_number(bestdag_json_get(
                        bestdag_json_at(strengths_of(json), i), "compelled")) ==
                    right[i]);
    bestdag_json_free(json);
    bestdag_result_free(r);
    bestdag_sets_free(sets);
    scratch_files(folder, true);
    scratch_end(run);
}

/* ---- the course
 * --------------------------------------------------------------
 */

/* A step that is no more than rounding is none: the chart of it would show
 * nothing else. */
static bool is_step(double from, double to)
{
    return from == to || fabs(from - to) > 1e-6;
}

static void check_course(uint64_t seed, const char *solver)
{
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {
        .seed = seed, .columns = 8, .most = 3, .rows = 200};
    struct bestdag_table *t = random_table(run, how);
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "solver", solver);
    struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
    assert_fine(run);
    const struct bestdag_run_record *s = r->record;
    assert_true(s->points >= 2);
    for (int i = 1; i < s->points; i++) {
        const struct bestdag_point *p = &s->point[i - 1], *q = p + 1;
        assert_true(q->seconds >= p->seconds);
        assert_false(q->best < p->best);
        assert_false(q->bound > p->bound);
        assert_true(isnan(p->best) || is_step(p->best, q->best));
        assert_true(isnan(p->bound) || is_step(p->bound, q->bound));
    }
    assert_true(s->point[s->points - 1].best ==
                bestdag_result_number(r, "score"));
    assert_true(s->point[s->points - 1].bound ==
                bestdag_result_number(r, "bound"));
    assert_null(run->progress_log);
    bestdag_result_free(r);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

static void the_course_ends_with_the_result(void **state)
{
    static const char *const solvers[] = {"orders", "astar", "cluster", "bnb"};
    (void)state;
    for (int i = 0; i < 12; i++)
        check_course((uint64_t)i, solvers[i % 4]);
}

/* ---- the page
 * ------------------------------------------------------------------
 */

static const char *const evil[] = {
    "</script><script>alert(1)</script>", "<!--", "a&b \"quoted\" 'name'",
    "]]> \xe2\x80\xa8 \\u003c \\", "</title></style><img src=x onerror=y>"};

static struct bestdag_table *evil_table(struct bestdag_run *run)
{
    static const int codes[][8] = {{0, 1, 0, 1, 0, 0, 1, 0},
                                   {0, 1, 0, 1, 0, 0, 1, 0},
                                   {0, 1, 1, 1, 0, 0, 1, 0},
                                   {1, 1, 0, 0, 1, 0, 0, 1},
                                   {0, 0, 1, 1, 0, 1, 1, 0}};
    struct bestdag_table *t = bestdag_table_new(run, 8);
    for (int c = 0; c < COUNT(evil); c++) {
        const char *labels[] = {evil[c], evil[(c + 1) % COUNT(evil)]};
        bestdag_table_add_codes(run, t, evil[c], codes[c], 4, 2, labels);
    }
    assert_fine(run);
    return t;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void evil_names_do_no_harm(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = evil_table(run);
    struct bestdag_result *r = bestdag_learn(run, t, NULL, NULL);
    for (int c = 0; c < COUNT(evil); c++)
        bestdag_result_note(run, r, c ? evil[c] : "title", evil[0]);
    struct bestdag_report report = {
        .network = r->network, .record = r->record, .summary = r->report};
    char *data = bestdag_report_data(run, &report);
    assert_fine(run);
    assert_null(strchr(data, '<'));
    struct bestdag_json *json = bestdag_json_read(run, data);
    assert_fine(run);
    for (int c = 0; c < COUNT(evil); c++) {
        const struct bestdag_json *node =
            bestdag_json_at(bestdag_json_get(json, "nodes"), c);
        assert_string_equal(bestdag_json_text(bestdag_json_at(node, 0)),
                            evil[c]);
    }
    const char *folder = scratch_make(), *path = scratch_path(folder, "p.html");
    size_t size;
    assert_int_equal(bestdag_result_write(run, r, "report", path), 0);
    char *page = scratch_read(path, &size);
    assert_int_equal(count_of(page, "</script>"), 2);
    assert_int_equal(count_of(page, "<script"), 2);
    assert_int_equal(count_of(page, "</title>"), 1);
    assert_int_equal(count_of(page, "<img"), 0);
    assert_int_equal(count_of(page, "&lt;/script&gt;"), 2); /* the title */
    assert_non_null(strstr(page, data));
    free(page);
    bestdag_text_free(data);
    bestdag_json_free(json);
    bestdag_result_free(r);
    bestdag_table_free(t);
    scratch_files(folder, true);
    scratch_end(run);
}

static const struct bestdag_json *at(const struct bestdag_json *j,
                                     const char *key, int i, int k)
{
    return bestdag_json_at(bestdag_json_at(bestdag_json_get(j, key), i), k);
}

/* A network with nothing but its arcs, and what resamples say of them. */
static void strengths_of_resamples_are_passed_on(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = evil_table(run);
    struct bestdag_network *net = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, net, 2, (int[]){0, 4}, 2);
    struct bestdag_support support[] = {{0.75, 0.5}, {1, NAN}};
    struct bestdag_report report = {.network = net, .support = support};
    char *data = bestdag_report_data(run, &report);
    struct bestdag_json *json = bestdag_json_read(run, data);
    assert_fine(run);
    assert_int_equal(bestdag_json_count(bestdag_json_get(json, "arcs")), 2);
    assert_true(bestdag_json_number(at(json, "arcs", 0, 5)) == 0.75);
    assert_true(bestdag_json_number(at(json, "arcs", 0, 6)) == 0.5);
    assert_true(bestdag_json_number(at(json, "arcs", 1, 0)) == 4);
    assert_true(isnan(bestdag_json_number(at(json, "arcs", 1, 6))));
    bestdag_json_free(json);
    bestdag_text_free(data);
    bestdag_network_free(net);
    bestdag_table_free(t);
    scratch_end(run);
}

/* A table of 2^20 rows: cut, and the page says how much of it is there. */
static void large_tables_are_cut(void **state)
{
    (void)state;
    enum { N = 21 };
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {.seed = 9, .columns = N, .most = 2, .rows = 50};
    struct bestdag_table *t = random_table(run, how);
    struct bestdag_network *bare = bestdag_network_new(run, t);
    int parents[N - 1];
    for (int i = 0; i < N - 1; i++)
        parents[i] = i;
    bestdag_network_set_parents(run, bare, N - 1, parents, N - 1);
    struct bestdag_network *net = bestdag_network_fit(run, bare, t, NULL);
    struct bestdag_report report = {.network = net};
    char *data = bestdag_report_data(run, &report);
    struct bestdag_json *json = bestdag_json_read(run, data);
    assert_fine(run);
    assert_true(bestdag_json_number(at(json, "nodes", N - 1, 5)) == 1 << 20);
    double shown = bestdag_json_number(at(json, "nodes", N - 1, 6));
    assert_true(shown > 0 && shown < 1 << 20);
    const char *numbers = bestdag_json_text(at(json, "nodes", N - 1, 7));
    assert_int_equal(count_of(numbers, " ") + 1, (int)shown * 2);
    assert_true(bestdag_json_number(at(json, "nodes", 0, 5)) == 1);
    bestdag_json_free(json);
    bestdag_text_free(data);
    bestdag_network_free(net);
    bestdag_network_free(bare);
    bestdag_table_free(t);
    scratch_end(run);
}

/* How many rows of the table have the parents' states of row j of v's table. */
static int64_t count_directly(const struct bestdag_table *t,
                              const struct bestdag_network *net, int v,
                              int64_t j)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t count = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        int64_t row = 0;
        for (int i = 0; i < p->count; i++)
            row = row * net->variable[p->at[i]].states +
                  bestdag_column_code(&t->column[p->at[i]], r);
        count += row == j;
    }
    return count;
}

static void counts_behind_the_rows_are_those_of_the_table(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {
        .seed = 11, .columns = 6, .most = 3, .rows = 200};
    struct bestdag_table *t = random_table(run, how);
    struct bestdag_result *r = bestdag_learn(run, t, NULL, NULL);
    assert_fine(run);
    struct bestdag_report report = {.network = r->network};
    char *data = bestdag_report_data(run, &report);
    struct bestdag_json *json = bestdag_json_read(run, data);
    for (int v = 0; v < t->columns; v++) {
        const char *text = bestdag_json_text(at(json, "nodes", v, 9));
        int64_t rows = bestdag_network_configurations(r->network, v);
        for (int64_t j = 0; j < rows; j++) {
            char *end;
            assert_int_equal(strtoll(text, &end, 10),
                             count_directly(t, r->network, v, j));
            text = end;
        }
        assert_string_equal(text, "");
    }
    for (int v = 0; v < t->columns; v++) { /* again, without fitting */
        bestdag_free(r->network->variable[v].counts);
        r->network->variable[v].counts = NULL;
    }
    assert_int_equal(bestdag_network_count(run, r->network, t), 0);
    char *again = bestdag_report_data(run, &report);
    assert_string_equal(again, data);
    bestdag_text_free(again);
    bestdag_json_free(json);
    bestdag_text_free(data);
    bestdag_result_free(r);
    bestdag_table_free(t);
    scratch_end(run);
}

/* Without a run: no record, no counts; arcs are labelled all the same. */
static void a_network_alone_has_a_page(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = evil_table(run);
    struct bestdag_network *net = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, net, 2, (int[]){0, 4}, 2);
    bestdag_network_note(run, net, "title", evil[0]);
    const char *folder = scratch_make(), *path = scratch_path(folder, "n.html");
    assert_int_equal(bestdag_network_report(run, net, path), 0);
    size_t size;
    char *page = scratch_read(path, &size);
    assert_int_equal(count_of(page, "</script>"), 2);
    assert_int_equal(count_of(page, "&lt;/script&gt;"), 2); /* the title */
    assert_int_equal(count_of(page, "\"whole\": false"), 1);
    const char *arcs = strstr(page, "\"arcs\": [");
    assert_non_null(arcs);
    assert_non_null(strstr(arcs, "null, true"));
    free(page);
    assert_int_equal(bestdag_network_report(run, NULL, path), BESTDAG_USAGE);
    bestdag_network_free(net);
    bestdag_table_free(t);
    scratch_files(folder, true);
    bestdag_run_free(run);
}

static void rules_and_rows_are_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make(), *path = scratch_path(folder, "t.csv");
    static const char text[] = "a,b\nx,0\ny,1\n,1\nx,0\ny,NA\ny,1\nx,\n";
    scratch_write(path, text, strlen(text));
    struct bestdag_table *t = bestdag_table_read(run, path, NULL);
    struct bestdag_rules *rules = bestdag_rules_new(run);
    bestdag_rules_add(run, rules, "not b -> a");
    bestdag_rules_add(run, rules, "indegree(a) <= 1");
    struct bestdag_result *r = bestdag_learn(run, t, rules, NULL);
    assert_fine(run);
    const struct bestdag_run_record *s = r->record;
    assert_int_equal(s->rules, 2);
    assert_string_equal(s->rule[0].text, "not b -> a");
    assert_true(s->rule[0].is_met && s->rule[1].is_met);
    assert_int_equal(s->rows, 4);
    assert_int_equal(s->dropped, 3);
    assert_int_equal(s->lacked[0], 1);
    assert_int_equal(s->lacked[1], 2);
    assert_int_equal(s->count[0], 2); /* a = x */
    assert_int_equal(s->count[3], 2); /* b = 1 */
    bestdag_result_free(r);
    bestdag_rules_free(rules);
    bestdag_table_free(t);
    scratch_files(folder, true);
    scratch_end(run);
}

static void what_there_is_not_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = evil_table(run);
    struct bestdag_result *r = bestdag_learn(run, t, NULL, NULL);
    bestdag_result_write(run, NULL, "report", "-");
    assert_failed(run, BESTDAG_USAGE, "no result");
    bestdag_result_write(run, r, "poem", "-");
    assert_failed(run, BESTDAG_USAGE, "'poem'");
    bestdag_result_write(run, r, "report", NULL);
    assert_failed(run, BESTDAG_USAGE, "no path");
    bestdag_result_note(run, r, "key", NULL);
    assert_failed(run, BESTDAG_USAGE, "key and value");
    bestdag_result_free(r);
    bestdag_table_free(t);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strengths_are_differences_of_scores),
        cmocka_unit_test(strengths_of_lists_are_known_where_both_sets_are),
        cmocka_unit_test(compelled_arcs_are_told),
        cmocka_unit_test(the_course_ends_with_the_result),
        cmocka_unit_test(evil_names_do_no_harm),
        cmocka_unit_test(strengths_of_resamples_are_passed_on),
        cmocka_unit_test(large_tables_are_cut),
        cmocka_unit_test(counts_behind_the_rows_are_those_of_the_table),
        cmocka_unit_test(a_network_alone_has_a_page),
        cmocka_unit_test(rules_and_rows_are_told),
        cmocka_unit_test(what_there_is_not_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
