/* SPDX-License-Identifier: MIT */
/* test_faults.c -- the n-th allocation fails, for all n, in every public
 * function.
 *
 * A scenario makes a few calls on tiny inputs. It is repeated with the first
 * allocation failing, the second, ... until one is never asked for. Each time:
 *   the run has BESTDAG_MEMORY and every call said so, or all went well;
 *   all memory is given back (and a sanitiser sees what else leaks);
 *   the old output file is as it was, and no temporary file is left;
 *   the inputs are unharmed: the same calls succeed at the end.
 * Formats and methods are taken from the tables, so new rows are tested, too.
 */
#include "base/random.h"
#include "scratch.h"

#include "base/json.h"
#include "base/lexer.h"
#include "base/options.h"
#include "data/discretize/discretize.h"
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "network/network.h"
#include "search/solver.h"

/* What the scenarios work on; made once, with a run that never fails. */
struct scene {
    struct bestdag_run *run; /* the one that fails */
    const char *folder;
    char out[512];                /* holds "old" before each round */
    const char *what;             /* which row of a table */
    int row;                      /* of the formats */
    struct bestdag_table *codes;  /* a, b, c */
    struct bestdag_table *mixed;  /* numbers x, y and class k */
    struct bestdag_network *net;  /* a -> b, a -> c, b -> c; with tables */
    struct bestdag_network *bare; /* the same without tables */
    struct bestdag_sets *sets;    /* of a, b, c */
    struct bestdag_result *result;
};

typedef void scenario_fn(struct scene *s);

/* The call reports success exactly if the run has no error. */
#define AGREE(call)                                                            \
    do {                                                                       \
        bool is_good = (call) != 0;                                            \
        assert_int_equal(is_good, !bestdag_run_status(s->run));                \
    } while (0)

static const char *path_in(struct scene *s, const char *name)
{
    return scratch_path(s->folder, name);
}

static void free_text(char *text)
{
    bestdag_text_free(text);
}

/* ---- base -----------------------------------------------------------------
 */

static void buffers(struct scene *s)
{
    struct bestdag_buffer b = {.run = s->run};
    for (int i = 0; i < 100; i++)
        bestdag_buffer_format(&b, "%d and more text ", i);
    char *text = bestdag_buffer_take(&b);
    AGREE(text);
    free_text(text);
}

static void json(struct scene *s)
{
    static const char text[] = "{\"a\": [1, 2, {\"b\": \"c\\n\"}, null, true],"
                               " \"d\": {\"e\": {}, \"f\": []}}";
    struct bestdag_json *j = bestdag_json_read(s->run, text);
    AGREE(j);
    bestdag_json_free(j);
}

static void bad_json(struct scene *s)
{
    static const char text[] = "{\"a\": [1, {\"b\": \"c\"}, \"d\", nul]}";
    assert_null(bestdag_json_read(s->run, text));
    if (bestdag_run_status(s->run) == BESTDAG_INPUT)
        bestdag_run_clear(s->run); /* that is its right answer */
}

static void options(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    AGREE(o);
    AGREE(!bestdag_options_set(s->run, o, "missing", "state"));
    AGREE(!bestdag_options_set(s->run, o, "missing", "drop"));
    AGREE(!bestdag_options_set(s->run, o, "ignore", "x,y"));
    bestdag_options_free(o);
}

static void lists(struct scene *s)
{
    char *text = bestdag_list(s->run, s->what);
    AGREE(text);
    free_text(text);
}

static void text_files(struct scene *s)
{
    AGREE(!bestdag_text_write(s->run, "some text\n", s->out));
    struct bestdag_file file;
    int status = bestdag_file_read(s->run, s->out, &file);
    AGREE(!status);
    if (!status)
        assert_string_equal(file.bytes, "some text\n");
    bestdag_free(file.bytes);
}

static void packed_files(struct scene *s)
{
    const char *path = path_in(s, s->what);
    int status = bestdag_text_write(s->run, "some text\n", path);
    if (status == BESTDAG_USAGE) /* this build cannot pack */
        bestdag_run_clear(s->run);
    struct bestdag_file file = {0};
    if (!status && !bestdag_file_read(s->run, path, &file))
        assert_string_equal(file.bytes, "some text\n");
    bestdag_free(file.bytes);
    unlink(path);
}

static void lexers(struct scene *s)
{
    static char text[] = "word \"a \\\" string\" { 12 } other";
    struct bestdag_file file = {"text", text, strlen(text)};
    struct bestdag_lexer x = {.signs = "{}", .comments = "/"};
    int64_t number = 0;
    bestdag_lexer_start(&x, s->run, &file);
    char *a = bestdag_lexer_name(&x, "a name");
    AGREE(a);
    char *b =
        bestdag_run_status(s->run) ? NULL : bestdag_lexer_name(&x, "a name");
    AGREE(b);
    if (b) {
        bestdag_lexer_expect(&x, "{");
        bestdag_lexer_integer(&x, 0, 20, &number);
        assert_int_equal(number, 12);
    }
    bestdag_free(a);
    bestdag_free(b);
}

static void slices(struct scene *s)
{
    struct bestdag_run *slice =
        bestdag_run_slice(s->run, (struct bestdag_slice_limits){.index = 3});
    if (!slice)
        return;
    char *a = bestdag_strdup(slice, "a"), *b = bestdag_strdup(slice, "b");
    bestdag_run_join(slice);
    AGREE(a && b);
    bestdag_free(a);
    bestdag_free(b);
}

/* ---- tables ---------------------------------------------------------------
 */

static void building_a_table(struct scene *s)
{
    static const int codes[] = {0, 1, 2, -1};
    static const double numbers[] = {1, 2.5, 3, 4};
    static const char *const labels[] = {"low", "mid", "high"};
    struct bestdag_table *t = bestdag_table_new(s->run, 4);
    AGREE(t);
    for (int c = 0; c < 20; c++) { /* so that the list of columns grows */
        char name[16];
        snprintf(name, sizeof name, "c%d", c);
        int before = bestdag_table_columns(t);
        AGREE(!bestdag_table_add_codes(s->run, t, name, codes, 4, 3, labels));
        if (bestdag_run_status(s->run))
            assert_int_equal(bestdag_table_columns(t), before);
    }
    AGREE(!bestdag_table_add_numbers(s->run, t, "x", numbers));
    bestdag_table_free(t);
}

static const struct {
    const char *name, *text;
} tables[] = {
    {"t.csv", "a,b,\"c d\"\n1,x,0.5\n2,y,NA\n10,\"x\",1.5\n1,y,2\n"},
    {"t.tsv", "a\tb\n1\tx\n2\ty\n1\tx\n"},
    {"semicolon.csv", "a;b;c\r\n1;x;0,5\r\n2;y;1,5\r\n"},
    {"blank.txt", "a b c\n1 x 2\n2 y 3\n"},
    {"t.dat", "a b\n2 3\n0 1\n1 2\n0 0\n"},
    {"t.arff", "@relation r\n@attribute a {x,y}\n@attribute b numeric\n"
               "@data\nx,1\ny,2.5\n?,3\n"},
};

static void reading_a_table(struct scene *s)
{
    struct bestdag_table *t =
        bestdag_table_read(s->run, path_in(s, s->what), NULL);
    AGREE(t);
    bestdag_table_free(t);
}

static void reading_a_table_with_options(struct scene *s)
{
    static const struct {
        const char *key, *value;
    } settings[] = {{"missing", "state"},
                    {"arity", "declared"},
                    {"ignore", "b"},
                    {"na", "NA,?"}};
    struct bestdag_options *o = bestdag_options_new(s->run);
    for (int i = 0; i < COUNT(settings); i++)
        bestdag_options_set(s->run, o, settings[i].key, settings[i].value);
    struct bestdag_table *t =
        bestdag_table_read(s->run, path_in(s, s->what), o);
    AGREE(t);
    bestdag_table_free(t);
    bestdag_options_free(o);
}

static void a_table_that_is_damaged(struct scene *s)
{
    assert_null(bestdag_table_read(s->run, path_in(s, "damaged.csv"), NULL));
    if (bestdag_run_status(s->run) == BESTDAG_INPUT)
        bestdag_run_clear(s->run);
}

static void writing_a_table(struct scene *s)
{
    AGREE(!bestdag_table_write_as(s->run, s->codes, s->what, s->out));
}

static void writing_numbers(struct scene *s)
{
    int status = bestdag_table_write_as(s->run, s->mixed, s->what, s->out);
    AGREE(!status);
    if (status == BESTDAG_USAGE || status == BESTDAG_INPUT)
        bestdag_run_clear(s->run); /* a format that holds states only */
}

static void collapsing(struct scene *s)
{
    struct bestdag_table *t = bestdag_table_collapse(s->run, s->codes);
    AGREE(t);
    bestdag_table_free(t);
}

static void checking(struct scene *s)
{
    char *text = bestdag_table_check(
        s->run, strcmp(s->what, "codes") ? s->mixed : s->codes);
    AGREE(text);
    free_text(text);
}

static void discretizing(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "method", s->what);
    bestdag_options_set(s->run, o, "class", "k");
    struct bestdag_table *t = bestdag_table_discretize(s->run, s->mixed, o);
    AGREE(t);
    bestdag_table_free(t);
    bestdag_options_free(o);
}

static void cuts_to_a_file_and_back(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "method", "quantile:3");
    bestdag_options_set(s->run, o, "save-cuts", s->out);
    struct bestdag_table *t = bestdag_table_discretize(s->run, s->mixed, o);
    AGREE(t);
    bestdag_table_free(t);
    bestdag_options_free(o);
    o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "cuts", s->out);
    t = bestdag_table_discretize(s->run, s->mixed, o);
    AGREE(t);
    bestdag_table_free(t);
    bestdag_options_free(o);
}

/* ---- networks -------------------------------------------------------------
 */

static void building_a_network(struct scene *s)
{
    struct bestdag_network *net = bestdag_network_new(s->run, s->codes);
    AGREE(net);
    AGREE(!bestdag_network_set_parents(s->run, net, 2, (int[]){1, 0}, 2));
    AGREE(!bestdag_network_set_parents(s->run, net, 1, (int[]){0}, 1));
    AGREE(!bestdag_network_note(s->run, net, "data", "x"));
    AGREE(!bestdag_network_note(s->run, net, "data", "y"));
    int parents[2];
    if (net && bestdag_network_parents(net, 2, parents, 2) == 2)
        assert_int_equal(parents[1], 1);
    bestdag_network_free(net);
}

static void a_cycle(struct scene *s)
{
    struct bestdag_network *net = bestdag_network_new(s->run, s->codes);
    bestdag_network_set_parents(s->run, net, 1, (int[]){0}, 1);
    bestdag_network_set_parents(s->run, net, 0, (int[]){1}, 1);
    if (bestdag_run_status(s->run) == BESTDAG_INPUT)
        bestdag_run_clear(s->run);
    bestdag_network_free(net);
}

static void settling(struct scene *s)
{
    struct bestdag_network *net =
        bestdag_network_copy_structure(s->run, s->net);
    AGREE(net);
    if (net)
        AGREE(!bestdag_network_check_consistency(s->run, net, "file"));
    bestdag_network_free(net);
}

static void writing_a_network(struct scene *s)
{
    AGREE(!bestdag_network_write_as(s->run, s->net, s->what, s->out));
}

static void reading_a_network(struct scene *s)
{
    struct bestdag_network *net =
        bestdag_network_read(s->run, path_in(s, s->what));
    AGREE(net);
    if (net)
        assert_int_equal(bestdag_network_variables(net), 3);
    bestdag_network_free(net);
}

/* Half a file may still be a network; else it is damaged, or memory is out. */
static void reading_half_a_network(struct scene *s)
{
    size_t n;
    char *bytes = scratch_read(path_in(s, s->what), &n);
    const struct bestdag_format *f = bestdag_format_at(s->row);
    bytes[n / 2] = 0;
    struct bestdag_file file = {"half", bytes, n / 2};
    struct bestdag_network *net = bestdag_format_read(s->run, f, &file);
    AGREE(net);
    if (bestdag_run_status(s->run) == BESTDAG_INPUT)
        bestdag_run_clear(s->run);
    bestdag_network_free(net);
    free(bytes);
}

static void writing_a_class(struct scene *s)
{
    int status = bestdag_network_write_class(s->run, s->net, s->what, s->out);
    AGREE(!status);
}

static void fitting(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, s->what, "1");
    struct bestdag_network *net =
        bestdag_network_fit(s->run, s->bare, s->codes, o);
    AGREE(net);
    if (net)
        assert_true(bestdag_network_has_tables(net));
    bestdag_network_free(net);
    bestdag_options_free(o);
}

static void sampling(struct scene *s)
{
    struct bestdag_table *t = bestdag_network_sample(s->run, s->net, 100);
    AGREE(t);
    if (t)
        assert_int_equal(bestdag_table_rows(t), 100);
    bestdag_table_free(t);
}

static void generating(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "recipe", s->what);
    bestdag_options_set(s->run, o, "variables", "6");
    struct bestdag_network *net = bestdag_network_generate(s->run, o);
    AGREE(net);
    bestdag_network_free(net);
    bestdag_options_free(o);
}

static void generating_with_arcs(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "arcs", "5");
    bestdag_options_set(s->run, o, "variables", "5");
    struct bestdag_network *net = bestdag_network_generate(s->run, o);
    AGREE(net);
    bestdag_network_free(net);
    bestdag_options_free(o);
}

/* Everything with a small network of numbers; "1": all are, "0.5": half. */
static void numbers(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "variables", "4");
    bestdag_options_set(s->run, o, "numbers", s->what);
    struct bestdag_network *net = bestdag_network_generate(s->run, o);
    AGREE(net);
    struct bestdag_table *rows =
        net ? bestdag_network_sample(s->run, net, 12) : NULL;
    struct bestdag_network *fitted =
        rows ? bestdag_network_fit(s->run, net, rows, NULL) : NULL;
    AGREE(fitted);
    int64_t size = 0;
    char *text =
        fitted ? bestdag_network_text(s->run, fitted, "json", &size) : NULL;
    struct bestdag_network *back =
        text ? bestdag_network_parse(s->run, "x.json", text, size) : NULL;
    AGREE(back);
    free_text(text);
    if (back) {
        text = bestdag_network_evaluate(s->run, back, rows, NULL);
        AGREE(text);
        free_text(text);
    }
    bestdag_network_free(back);
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(rows);
    bestdag_options_free(o);
}

/* x -> y, both numbers, and for "mixed" c -> x, which has states. */
static struct bestdag_network *numbered(struct scene *s, bool is_mixed)
{
    static const char gaussian[] =
        "{\"bestdag\": \"network\", \"version\": 1, \"variables\": ["
        "{\"name\": \"x\", \"kind\": \"number\", \"regressions\": "
        "[{\"intercept\": 1, \"sd\": 2}]},"
        "{\"name\": \"y\", \"kind\": \"number\", \"parents\": [\"x\"], "
        "\"regressions\": [{\"intercept\": 0, \"coefficients\": {\"x\": 2}, "
        "\"sd\": 1}]}]}";
    static const char mixed[] =
        "{\"bestdag\": \"network\", \"version\": 1, \"variables\": ["
        "{\"name\": \"c\", \"states\": [\"a\", \"b\"], \"table\": [[0.5, "
        "0.5]]}, {\"name\": \"x\", \"kind\": \"number\", \"parents\": "
        "[\"c\"], \"regressions\": [{\"intercept\": 1, \"sd\": 2}, "
        "{\"intercept\": 2, \"sd\": 1}]},"
        "{\"name\": \"y\", \"kind\": \"number\", \"parents\": [\"x\"], "
        "\"regressions\": [{\"intercept\": 0, \"coefficients\": {\"x\": 2}, "
        "\"sd\": 1}]}]}";
    const char *text = is_mixed ? mixed : gaussian;
    return bestdag_network_parse(s->run, "x.json", text, (int64_t)strlen(text));
}

/* Missing cells by values and by draws; explanations. */
static void filling_numbers(struct scene *s, const struct bestdag_network *net,
                            const struct bestdag_table *rows)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bool is_mixed = !strcmp(s->what, "mixed");
    struct bestdag_table *to = bestdag_network_impute(s->run, net, rows, NULL);
    AGREE(to);
    bestdag_table_free(to);
    bestdag_options_set(s->run, o, "tables", "2");
    to = bestdag_network_impute(s->run, net, rows, o);
    AGREE(to);
    bestdag_table_free(to);
    bestdag_options_free(o);
    o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, is_mixed ? "map" : "mpe",
                        is_mixed ? "c" : "yes");
    char *text = bestdag_network_query(s->run, net, "| y=3", o);
    AGREE(text);
    free_text(text);
    bestdag_options_free(o);
}

static void asking_numbers(struct scene *s)
{
    bool is_mixed = !strcmp(s->what, "mixed");
    struct bestdag_network *net = numbered(s, is_mixed);
    AGREE(net);
    struct bestdag_table *rows = bestdag_table_new(s->run, 2);
    bestdag_table_add_numbers(s->run, rows, "x", (double[]){1, NAN});
    bestdag_table_add_numbers(s->run, rows, "y", (double[]){NAN, 3});
    char *text = bestdag_network_query(s->run, net, "x | y=3", NULL);
    AGREE(text);
    free_text(text);
    struct bestdag_table *to =
        bestdag_network_query_table(s->run, net, "y", rows, NULL);
    AGREE(to);
    bestdag_table_free(to);
    if (!is_mixed) {
        text = bestdag_network_evaluate(s->run, net, rows, NULL);
        AGREE(text);
        free_text(text);
    }
    filling_numbers(s, net, rows);
    text = bestdag_network_effect(s->run, net, "x", "y", NULL, NULL);
    AGREE(text);
    free_text(text);
    if (is_mixed) {
        text = bestdag_network_effect(s->run, net, "c", "y", NULL, NULL);
        AGREE(text);
        free_text(text);
    }
    text = bestdag_network_class(s->run, net);
    AGREE(text);
    free_text(text);
    bestdag_table_free(rows);
    bestdag_network_free(net);
}

static void joint(struct scene *s)
{
    double to[6], sum = 0;
    AGREE(!bestdag_network_joint(s->run, s->net, (int[]){2, 0}, 2, to, 6));
    for (int i = 0; i < 6 && !bestdag_run_status(s->run); i++)
        sum += to[i];
    if (!bestdag_run_status(s->run))
        assert_true(sum > 0.999999 && sum < 1.000001);
}

static void evaluating(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "per-row", s->what);
    char *text = bestdag_network_evaluate(s->run, s->net, s->codes, o);
    AGREE(text);
    free_text(text);
    bestdag_options_free(o);
}

static void comparing(struct scene *s)
{
    char *text = bestdag_network_compare(s->run, s->net, s->bare);
    AGREE(text);
    free_text(text);
}

static void classing(struct scene *s)
{
    char *text = bestdag_network_class(s->run, s->net);
    AGREE(text);
    free_text(text);
}

static void describing(struct scene *s)
{
    char *text = bestdag_network_describe(s->run, s->net);
    AGREE(text);
    free_text(text);
}

/* ---- search ---------------------------------------------------------------
 */

static struct bestdag_options *solver_options(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "solver", s->what);
    bestdag_options_set(s->run, o, "steps", "50");
    if (!strcmp(s->what, "acoe")) /* else it would take all its rounds */
        bestdag_options_set(s->run, o, "set", "tmax=1");
    bestdag_options_set(s->run, o, "start", path_in(s, "start.modelstring"));
    return o;
}

static void look_into(struct scene *s, struct bestdag_result *result)
{
    AGREE(result);
    if (!result)
        return;
    char *text = bestdag_result_json(s->run, result);
    AGREE(text);
    free_text(text);
    assert_non_null(bestdag_result_network(result));
    assert_string_equal(bestdag_result_text(result, "solver"), s->what);
    bestdag_result_free(result);
}

static void learning(struct scene *s)
{
    struct bestdag_options *o = solver_options(s);
    look_into(s, bestdag_learn(s->run, s->codes, NULL, o));
    bestdag_options_free(o);
}

/* The page of a result; the run that made it never fails. */
static void reporting(struct scene *s)
{
    AGREE(!bestdag_result_write(s->run, s->result, "report", s->out));
}

static void solving(struct scene *s)
{
    struct bestdag_options *o = solver_options(s);
    look_into(s, bestdag_solve(s->run, s->sets, NULL, o));
    bestdag_options_free(o);
}

/* Rules of one child, and across children for those that take them. */
static struct bestdag_rules *some_rules(struct scene *s, bool across)
{
    struct bestdag_rules *rules = bestdag_rules_new(s->run);
    AGREE(rules);
    if (rules)
        AGREE(!bestdag_rules_add(s->run, rules, "a -> c"));
    if (rules && across)
        AGREE(!bestdag_rules_add(s->run, rules, "adjacent a b or root c"));
    return rules;
}

static void scoring_under_rules(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "parents", s->what);
    struct bestdag_rules *rules = some_rules(s, true);
    struct bestdag_sets *sets = bestdag_sets_find(s->run, s->codes, rules, o);
    AGREE(sets);
    bestdag_sets_free(sets);
    bestdag_rules_free(rules);
    bestdag_options_free(o);
}

static void learning_under_rules(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "solver", s->what);
    struct bestdag_rules *rules = some_rules(s, !strcmp(s->what, "bnb"));
    look_into(s, bestdag_learn(s->run, s->codes, rules, o));
    bestdag_rules_free(rules);
    bestdag_options_free(o);
}

static void solving_under_rules(struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(s->run);
    bestdag_options_set(s->run, o, "solver", s->what);
    struct bestdag_rules *rules = bestdag_rules_new(s->run);
    bestdag_rules_add(s->run, rules, "not c -> b");
    look_into(s, bestdag_solve(s->run, s->sets, rules, o));
    bestdag_rules_free(rules);
    bestdag_options_free(o);
}

/* ---- the harness ----------------------------------------------------------
 */

enum { MOST_ALLOCATIONS = 20000 };

/* Makes the n-th allocation fail; says whether there was an n-th. */
static bool try_one(struct scene *s, const char *name, scenario_fn *scenario,
                    int n)
{
    s->run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(s->run, "threads", "2"), BESTDAG_OK);
    struct stat info; /* writing it each time takes longer than the rest */
    if (stat(s->out, &info) || info.st_size != 3)
        scratch_write(s->out, "old", 3);
    int files = scratch_files(s->folder, false);
    if (n)
        bestdag_memory_fail_at(s->run, n);
    scenario(s);
    bool failed = bestdag_memory_has_failed(s->run);
    int status = bestdag_run_status(s->run);
    /* a search that had a network before returns it */
    bool may_keep = failed && !status &&
                    (strstr(name, "learning") || strstr(name, "solving"));
    if (status != (failed ? BESTDAG_MEMORY : BESTDAG_OK) && !may_keep)
        fail_msg("%s %s, allocation %d%s: status %d, '%s'", name, s->what, n,
                 failed ? " failed" : "", status, bestdag_run_error(s->run));
    if (failed && !may_keep && !strstr(bestdag_run_error(s->run), "memory"))
        fail_msg("%s %s, allocation %d: '%s'", name, s->what, n,
                 bestdag_run_error(s->run));
    if (bestdag_memory_used(s->run))
        fail_msg("%s %s, allocation %d: %lld bytes leaked", name, s->what, n,
                 (long long)bestdag_memory_used(s->run));
    if (!failed)
        unlink(path_in(s, "out.names")); /* which UAI has beside its file */
    if (scratch_files(s->folder, false) != files)
        fail_msg("%s %s, allocation %d: files left behind", name, s->what, n);
    bestdag_run_free(s->run);
    s->run = NULL;
    return failed;
}

/* The next allocation to fail: every one of the first, then one of some, other
 * ones with every seed; all of them with BESTDAG_LONG. */
static int next_of(int n)
{
    static const int dense = 300;
    const char *seed = getenv("BESTDAG_TEST_SEED");
    if (n < dense || getenv("BESTDAG_LONG"))
        return n + 1;
    uint64_t mixed =
        bestdag_mix((seed ? strtoull(seed, NULL, 10) : 1) + (uint64_t)n);
    return n + 1 + (int)(mixed % (uint64_t)(n / 50));
}

static void try_all(struct scene *s, const char *name, scenario_fn *scenario,
                    const char *what)
{
    int n = 1;
    s->what = what;
    try_one(s, name, scenario, 0); /* it works at all */
    while (try_one(s, name, scenario, n) && n < MOST_ALLOCATIONS)
        n = next_of(n);
    print_message("%s %s: about %d allocations\n", name, what, n - 1);
    assert_true(n > 1 && n < MOST_ALLOCATIONS);
}

/* A scenario that writes once: whatever fails, the old file stays. */
static void try_writing(struct scene *s, const char *name,
                        scenario_fn *scenario, const char *what)
{
    s->what = what;
    for (int n = 1;; n++) {
        size_t size;
        bool failed = try_one(s, name, scenario, n);
        char *bytes = scratch_read(s->out, &size);
        bool is_old = !strcmp(bytes, "old");
        free(bytes);
        if (failed != is_old)
            fail_msg("%s %s, allocation %d: the file is %s", name, what, n,
                     is_old ? "old" : "new");
        if (!failed)
            break;
    }
    try_all(s, name, scenario, what);
}

static struct scene scene;

static void make_tables(struct bestdag_run *run, struct scene *s)
{
    static const int a[] = {0, 1, 0, 1, 0, 0, 1, 0},
                     b[] = {0, 1, 1, 1, 0, 0, 1, 0},
                     c[] = {2, 1, 0, 2, 1, 2, 1, 2},
                     k[] = {0, 0, 0, 0, 1, 1, 1, 1};
    static const double x[] = {1, 2, 3, 4, 50, 60, 70, 80},
                        y[] = {0.5, 3, 0.25, 8, 1, 2.5, 9, 4};
    static const char *const labels[] = {"no", "yes"};
    s->codes = bestdag_table_new(run, 8);
    bestdag_table_add_codes(run, s->codes, "a", a, 4, 2, labels);
    bestdag_table_add_codes(run, s->codes, "b", b, 4, 2, NULL);
    bestdag_table_add_codes(run, s->codes, "c", c, 4, 3, NULL);
    s->mixed = bestdag_table_new(run, 8);
    bestdag_table_add_numbers(run, s->mixed, "x", x);
    bestdag_table_add_numbers(run, s->mixed, "y", y);
    bestdag_table_add_codes(run, s->mixed, "k", k, 4, 2, labels);
}

static void make_networks(struct bestdag_run *run, struct scene *s)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "pseudo", "1");
    s->bare = bestdag_network_new(run, s->codes);
    bestdag_network_set_parents(run, s->bare, 1, (int[]){0}, 1);
    bestdag_network_set_parents(run, s->bare, 2, (int[]){0, 1}, 2);
    bestdag_network_note(run, s->bare, "note", "value");
    s->net = bestdag_network_fit(run, s->bare, s->codes, o);
    bestdag_options_free(o);
}

static int set_up(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    scene.folder = strdup(scratch_make());
    strcpy(scene.out, path_in(&scene, "out"));
    for (int i = 0; i < COUNT(tables); i++)
        scratch_write(path_in(&scene, tables[i].name), tables[i].text,
                      strlen(tables[i].text));
    scratch_write(path_in(&scene, "damaged.csv"), "a,b\n1,2\n\"3,4\n", 12);
    make_tables(run, &scene);
    make_networks(run, &scene);
    scene.sets = bestdag_sets_find(run, scene.codes, NULL, NULL);
    scene.result = bestdag_learn(run, scene.codes, NULL, NULL);
    bestdag_result_note(run, scene.result, "title", "a table");
    scratch_write(path_in(&scene, "start.modelstring"), "[c][a|c]", 8);
    int status = bestdag_run_status(run);
    if (status)
        print_message("%s\n", bestdag_run_error(run));
    bestdag_run_free(run);
    return status;
}

static int tear_down(void **state)
{
    (void)state;
    bestdag_table_free(scene.codes);
    bestdag_table_free(scene.mixed);
    bestdag_network_free(scene.net);
    bestdag_network_free(scene.bare);
    bestdag_sets_free(scene.sets);
    bestdag_result_free(scene.result);
    scratch_files(scene.folder, true);
    free((char *)scene.folder);
    return 0;
}

/* ---- the tests ------------------------------------------------------------
 */

#define TRY(scenario, what) try_all(&scene, #scenario, scenario, what)

static void base_survives_every_failing_allocation(void **state)
{
    (void)state;
    TRY(buffers, "");
    TRY(json, "");
    TRY(bad_json, "");
    TRY(options, "");
    TRY(lexers, "");
    TRY(slices, "");
    TRY(text_files, "");
    TRY(packed_files, "f.gz");
    TRY(packed_files, "f.zst");
}

static void lists_survive_every_failing_allocation(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *text = bestdag_list(run, "lists");
    struct bestdag_json *all = bestdag_json_read(run, text);
    assert_fine(run);
    for (int64_t i = 0; i < bestdag_json_count(all); i++)
        TRY(lists, bestdag_json_text(
                       bestdag_json_get(bestdag_json_at(all, i), "name")));
    bestdag_json_free(all);
    bestdag_text_free(text);
    scratch_end(run);
}

static void tables_survive_every_failing_allocation(void **state)
{
    (void)state;
    TRY(building_a_table, "");
    for (int i = 0; i < COUNT(tables); i++)
        TRY(reading_a_table, tables[i].name);
    TRY(reading_a_table_with_options, "t.csv");
    TRY(reading_a_table_with_options, "t.arff");
    TRY(a_table_that_is_damaged, "");
    TRY(collapsing, "");
    TRY(checking, "codes");
    TRY(checking, "mixed");
    static const char *const formats[] = {"csv", "tsv", "arff", "dat"};
    for (int i = 0; i < COUNT(formats); i++)
        try_writing(&scene, "writing_a_table", writing_a_table, formats[i]);
    for (int i = 0; i < COUNT(formats); i++)
        TRY(writing_numbers, formats[i]);
}

static void discretizing_survives_every_failing_allocation(void **state)
{
    (void)state;
    const struct bestdag_discretizer *d;
    for (int i = 0; (d = bestdag_discretizer_at(i)); i++) {
        char method[32];
        snprintf(method, sizeof method, "%s%s", d->name,
                 d->is_counted ? ":3" : "");
        TRY(discretizing, method);
    }
    TRY(cuts_to_a_file_and_back, "");
}

extern const struct bestdag_option_group bestdag_generate_options;

static void networks_survive_every_failing_allocation(void **state)
{
    (void)state;
    TRY(building_a_network, "");
    TRY(a_cycle, "");
    TRY(settling, "");
    TRY(fitting, "pseudo");
    TRY(fitting, "ess");
    TRY(sampling, "");
    char recipes[64], *at = recipes;
    snprintf(recipes, sizeof recipes, "%s",
             bestdag_option_row(&bestdag_generate_options, "recipe")->choices);
    for (char *name; (name = strsep(&at, "|"));)
        TRY(generating, name);
    TRY(generating_with_arcs, "");
    TRY(numbers, "1");
    TRY(numbers, "0.5");
    TRY(asking_numbers, "gaussian");
    TRY(asking_numbers, "mixed");
    TRY(joint, "");
    TRY(evaluating, "no");
    TRY(evaluating, "yes");
    TRY(comparing, "");
    TRY(classing, "");
    TRY(describing, "");
}

static void searches_survive_every_failing_allocation(void **state)
{
    (void)state;
    const struct bestdag_solver *solver;
    for (int i = 0; (solver = bestdag_solver_at(i)); i++) {
        TRY(learning, solver->name);
        if (solver->ground == BESTDAG_ON_SETS)
            TRY(solving, solver->name);
    }
    try_writing(&scene, "reporting", reporting, "report");
}

static void rules_survive_every_failing_allocation(void **state)
{
    (void)state;
    TRY(scoring_under_rules, "sequential");
    TRY(scoring_under_rules, "greedy");
    TRY(scoring_under_rules, "independence");
    TRY(learning_under_rules, "dp");
    TRY(learning_under_rules, "bnb");
    TRY(learning_under_rules, "hc");
    TRY(solving_under_rules, "dp");
}

/* Written by a healthy run, for the readers; false if this build cannot. */
static bool write_for_reading(const struct bestdag_format *f, char name[32])
{
    struct bestdag_run *run = bestdag_run_new();
    snprintf(name, 32, "net.%.*s", (int)strcspn(f->suffixes, "|"), f->suffixes);
    int status = bestdag_network_write_as(run, scene.net, f->name,
                                          path_in(&scene, name));
    bestdag_run_free(run);
    return !status;
}

static bool can_read(const char *name)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net =
        bestdag_network_read(run, path_in(&scene, name));
    if (!net)
        print_message("%s\n", bestdag_run_error(run));
    bestdag_network_free(net);
    bestdag_run_free(run);
    return net != NULL;
}

static void formats_survive_every_failing_allocation(void **state)
{
    (void)state;
    const struct bestdag_format *f;
    for (int i = 0; (f = bestdag_format_at(i)); i++) {
        char name[32];
        if (!write_for_reading(f, name)) {
            print_message("%s cannot be written here\n", f->name);
            continue;
        }
        try_writing(&scene, "writing_a_network", writing_a_network, f->name);
        if (f->write_class)
            try_writing(&scene, "writing_a_class", writing_a_class, f->name);
        if (!f->read || !can_read(name))
            continue;
        TRY(reading_a_network, name);
        scene.row = i;
        TRY(reading_half_a_network, name);
    }
}

/* ---- nothing given --------------------------------------------------------
 */

/* A call that gives NULL or BESTDAG_OK although it did nothing would mislead.
 */
#define REFUSED(call)                                                          \
    do {                                                                       \
        (void)(call);                                                          \
        if (bestdag_run_status(run) != BESTDAG_USAGE)                          \
            fail_msg("%s: status %d, '%s'", #call, bestdag_run_status(run),    \
                     bestdag_run_error(run));                                  \
        bestdag_run_clear(run);                                                \
    } while (0)

static void what_is_not_given_is_told_about_tables(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *out = scene.out;
    REFUSED(bestdag_list(run, NULL));
    REFUSED(bestdag_list(run, "nonsense"));
    REFUSED(bestdag_text_write(run, NULL, out));
    REFUSED(bestdag_text_write(run, "x", NULL));
    REFUSED(bestdag_json_read(run, NULL));
    REFUSED(bestdag_table_read(run, NULL, NULL));
    REFUSED(bestdag_table_discretize(run, NULL, NULL));
    REFUSED(bestdag_table_collapse(run, NULL));
    REFUSED(bestdag_table_check(run, NULL));
    REFUSED(bestdag_table_write(run, NULL, out));
    REFUSED(bestdag_table_write(run, scene.codes, NULL));
    REFUSED(bestdag_table_write_as(run, NULL, "csv", out));
    REFUSED(bestdag_table_write_as(run, scene.codes, "csv", NULL));
    REFUSED(bestdag_table_write_as(run, scene.codes, "nonsense", out));
    scratch_end(run);
}

static void what_is_not_given_is_told_about_networks(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const struct bestdag_network *net = scene.net, *bare = scene.bare;
    const char *out = scene.out;
    int a = 0, far = 3;
    double p[2];
    REFUSED(bestdag_network_new(run, NULL));
    REFUSED(bestdag_network_read(run, NULL));
    REFUSED(bestdag_network_write(run, NULL, out));
    REFUSED(bestdag_network_write(run, net, NULL));
    REFUSED(bestdag_network_write_as(run, NULL, "bif", out));
    REFUSED(bestdag_network_write_as(run, net, "bif", NULL));
    REFUSED(bestdag_network_write_as(run, net, "nonsense", out));
    REFUSED(bestdag_network_describe(run, NULL));
    REFUSED(bestdag_network_fit(run, NULL, scene.codes, NULL));
    REFUSED(bestdag_network_fit(run, net, NULL, NULL));
    REFUSED(bestdag_network_sample(run, NULL, 5));
    REFUSED(bestdag_network_sample(run, bare, 5));
    REFUSED(bestdag_network_sample(run, net, -1));
    REFUSED(bestdag_network_joint(run, NULL, &a, 1, p, 2));
    REFUSED(bestdag_network_joint(run, bare, &a, 1, p, 2));
    REFUSED(bestdag_network_joint(run, net, NULL, 1, p, 2));
    REFUSED(bestdag_network_joint(run, net, &a, 1, NULL, 2));
    REFUSED(bestdag_network_joint(run, net, &a, 1, p, 1));
    REFUSED(bestdag_network_joint(run, net, &far, 1, p, 2));
    REFUSED(bestdag_network_evaluate(run, NULL, scene.codes, NULL));
    REFUSED(bestdag_network_evaluate(run, net, NULL, NULL));
    REFUSED(bestdag_network_evaluate(run, bare, scene.codes, NULL));
    REFUSED(bestdag_network_compare(run, NULL, net));
    REFUSED(bestdag_network_compare(run, net, NULL));
    REFUSED(bestdag_network_class(run, NULL));
    REFUSED(bestdag_network_write_class(run, NULL, "dot", out));
    REFUSED(bestdag_network_write_class(run, net, "dot", NULL));
    REFUSED(bestdag_network_write_class(run, net, "bif", out));
    assert_null(bestdag_network_noted(net, NULL));
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_survives_every_failing_allocation),
        cmocka_unit_test(lists_survive_every_failing_allocation),
        cmocka_unit_test(tables_survive_every_failing_allocation),
        cmocka_unit_test(discretizing_survives_every_failing_allocation),
        cmocka_unit_test(networks_survive_every_failing_allocation),
        cmocka_unit_test(searches_survive_every_failing_allocation),
        cmocka_unit_test(rules_survive_every_failing_allocation),
        cmocka_unit_test(formats_survive_every_failing_allocation),
        cmocka_unit_test(what_is_not_given_is_told_about_tables),
        cmocka_unit_test(what_is_not_given_is_told_about_networks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
