/* SPDX-License-Identifier: MIT */
/* BIF: every way to write it is read, and what we write is what others read. */
#include "networks.h"

extern const struct bestdag_format bestdag_format_bif;
static struct bestdag_run *run;
static char notes[4096];

static int keep_note(void *user, const struct bestdag_progress *now)
{
    (void)user;
    if (now->note)
        snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%d %s\n",
                 now->detail, now->note);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    run = bestdag_run_new();
    bestdag_run_on_progress(run, keep_note, NULL);
    notes[0] = 0;
    return !run;
}

static int tear_down(void **state)
{
    (void)state;
    bestdag_run_free(run);
    return 0;
}

static struct bestdag_network *read_bif(const char *text)
{
    struct bestdag_network *net =
        read_text(run, &bestdag_format_bif, "t.bif", text);
    if (!net)
        fail_msg("%s", bestdag_run_error(run));
    return net;
}

static void expect_error(const char *text, const char *error)
{
    struct bestdag_network *net =
        read_text(run, &bestdag_format_bif, "t.bif", text);
    assert_null(net);
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(run), error);
    bestdag_run_clear(run);
}

static void expect_row(const struct bestdag_network *net, int v, int row,
                       double first)
{
    const struct bestdag_variable *x = &net->variable[v];
    assert_true(x->table[row * x->states] == first);
}

/* ---- reading ------------------------------------------------------------- */

#define AB                                                                     \
    "network unknown {\n}\n"                                                   \
    "variable a { type discrete [ 2 ] { yes, no }; }\n"                        \
    "variable b { type discrete [ 3 ] { low, mid, high }; }\n"                 \
    "probability ( a ) { table 0.25, 0.75; }\n"

static void rows_may_come_in_any_order(void **state)
{
    (void)state;
    struct bestdag_network *net = read_bif(AB "probability ( b | a ) {\n"
                                              "  (no) 0.5, 0.25, 0.25;\n"
                                              "  (yes) 0.125 0.375 | 5e-1;\n"
                                              "}\n");
    expect_row(net, 1, 0, 0.125);
    expect_row(net, 1, 1, 0.5);
    bestdag_network_free(net);
}

static void variables_may_follow_their_use(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_bif("network {}\n"
                 "probability(b|a){(x)1 0;(y)0 1;}\n"
                 "probability(a){table 1,0;}\n"
                 "variable b{type discrete[2]={u,v};}\n"
                 "variable a{type discrete[2]{x,y};}\n");
    assert_string_equal(net->variable[0].name, "b");
    expect_row(net, 0, 0, 1);
    expect_row(net, 0, 1, 0);
    bestdag_network_free(net);
}

static void a_default_fills_the_rows_that_are_not_given(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_bif("network unknown {}\n"
                 "variable a { type discrete [ 2 ] { a0, a1 }; }\n"
                 "variable b { type discrete [ 3 ] { b0, b1, b2 }; }\n"
                 "variable c { type discrete [ 2 ] { c0, c1 }; }\n"
                 "probability ( a ) { table 0.5, 0.5; }\n"
                 "probability ( b ) { default 0.5, 0.25, 0.25; }\n"
                 "probability ( c | b, a ) {\n"
                 "  (b1, *) 0.25, 0.75;\n"
                 "  (b1, a1) 0.75, 0.25;\n"
                 "  (*, a0) 0.125, 0.875;\n"
                 "  default 1, 0;\n"
                 "}\n");
    /* rows: a slowest, then b */
    static const double first[] = {0.125, 0.125, 0.125, 1, 0.75, 1};
    for (int j = 0; j < 6; j++)
        expect_row(net, 2, j, first[j]);
    bestdag_network_free(net);
}

/* d with the parents a, b, c of 20 states each and 8000 rows, which are uniform
 * but for every `step`-th. */
static struct bestdag_network *long_table(int64_t step)
{
    struct bestdag_network *net = bestdag_network_empty(run, 4);
    for (int v = 0; v < 4; v++) {
        int states = v < 3 ? 20 : 3;
        char **labels = bestdag_calloc(run, (size_t)states, sizeof *labels);
        for (int i = 0; i < states; i++) {
            char text[16];
            snprintf(text, sizeof text, "s%d", i);
            labels[i] = bestdag_strdup(run, text);
        }
        bestdag_network_set_variable(
            run, net, v, bestdag_strndup(run, &"abcd"[v], 1), labels, states);
    }
    bestdag_dag_set_parents(run, net->dag, 3, (int[]){0, 1, 2}, 3);
    for (int v = 0; v < 4; v++) {
        bestdag_network_new_table(run, net, v);
        int r = net->variable[v].states;
        double *cell = net->variable[v].table;
        for (int64_t j = 0; j < (v < 3 ? 1 : 8000); j++, cell += r)
            for (int k = 0; k < r; k++)
                cell[k] = v < 3 || j % step ? 1.0 / r : k ? 0.1 : 0.8;
    }
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return net;
}

/* Rows without data go without saying; nothing is lost. */
static void long_uniform_tables_are_written_with_a_default(void **state)
{
    (void)state;
    static const int64_t steps[] = {1, 2, 7, 9000};
    for (int i = 0; i < (int)(sizeof steps / sizeof *steps); i++) {
        struct bestdag_network *net = long_table(steps[i]);
        char *text = write_text(run, &bestdag_format_bif, net);
        assert_non_null(text);
        assert_true((strstr(text, "  default 0.3333333333333333, ") != NULL) ==
                    (steps[i] > 1));
        int rows = 0;
        for (const char *at = text; (at = strstr(at, "\n  (")); at++)
            rows++;
        assert_int_equal(rows, (8000 + steps[i] - 1) / steps[i]);
        struct bestdag_network *back = read_bif(text);
        for (int v = 0; v < 4; v++)
            assert_memory_equal(
                net->variable[v].table, back->variable[v].table,
                (size_t)(bestdag_network_configurations(net, v) *
                         net->variable[v].states) *
                    sizeof(double));
        bestdag_network_free(back);
        bestdag_network_free(net);
        bestdag_free(text);
    }
}

static void labels_that_break_simple_readers_are_read(void **state)
{
    static const char *const labels[] = {
        "<5",      ">=7.5", "12+",          "5-12",  "Asy/Patch", "Transp.",
        "[0.5-1]", "a|b",   "LessUnstable", "table", "*"};
    (void)state;
    struct bestdag_network *net = read_bif(
        "network unknown {\n}\n"
        "variable table { type discrete [ 11 ] { <5, >=7.5, 12+, 5-12, "
        "Asy/Patch, Transp., [0.5-1], a|b, LessUnstable, table, * }; }\n"
        "variable default { type discrete [ 2 ] { default, property }; }\n"
        "probability ( table ) { table .5 .5 0 0 0 0 0 0 0 0 0; }\n"
        "probability ( default | table ) {\n"
        "  (*) 0.25, 0.75;\n"
        "  (a|b) 0, 1;\n"
        "  default 1, 0;\n"
        "}\n");
    for (int s = 0; s < 11; s++)
        assert_string_equal(net->variable[0].labels[s], labels[s]);
    expect_row(net, 1, 7, 0);
    expect_row(net, 1, 10, 0.25); /* a label of that name is no wildcard */
    expect_row(net, 1, 0, 1);
    bestdag_network_free(net);
}

static void labels_of_several_words_need_commas_only(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_bif("network unknown {}\n"
                 "variable a { type discrete [ 2 ] { very low, high }; }\n"
                 "variable b { type discrete [ 2 ] { x y }; }\n"
                 "variable c { type discrete [ 2 ] { u, v }; }\n"
                 "probability ( a ) { table 1, 0; }\n"
                 "probability ( b ) { table 1, 0; }\n"
                 "probability ( c | a, b ) {\n"
                 "  (very low, x) 0.5, 0.5;\n"
                 "  (high y) 0.25, 0.75;\n"
                 "  (\"very low\" y) 1, 0;\n"
                 "  default 0, 1; }\n");
    assert_string_equal(net->variable[0].labels[0], "very low");
    expect_row(net, 2, 0, 0.5);
    expect_row(net, 2, 1, 1);
    expect_row(net, 2, 2, 0);
    expect_row(net, 2, 3, 0.25);
    bestdag_network_free(net);
}

static void properties_are_kept(void **state)
{
    static const char text[] =
        "network dog {\n"
        "  property \"author = me; you\";\n"
        "  property version 1;\n"
        "}\n"
        "variable a {\n"
        "  type discrete [ 2 ] { x, y };\n"
        "  property position = (73, 165);\n"
        "  property 5\" pipe // no comment ;\n"
        "}\n"
        "probability ( a ) {\n  property \"quoted\" ;\n  table 0.5, 0.5;\n}\n";
    (void)state;
    struct bestdag_network *net = read_bif(text);
    for (int round = 0; round < 2; round++) {
        const struct bestdag_variable *a = &net->variable[0];
        assert_string_equal(net->name, "dog");
        assert_int_equal(net->properties, 2);
        assert_string_equal(net->property[0], "author = me; you");
        assert_string_equal(net->property[1], "version 1");
        assert_int_equal(a->properties, 3);
        assert_string_equal(a->property[0], "position = (73, 165)");
        assert_string_equal(a->property[1], "5\" pipe // no comment");
        assert_string_equal(a->property[2], "quoted");
        char *again = write_text(run, &bestdag_format_bif, net);
        bestdag_network_free(net);
        net = read_bif(again);
        bestdag_free(again);
    }
    bestdag_network_free(net);
}

static void comments_and_line_ends_do_not_matter(void **state)
{
    (void)state;
    struct bestdag_network *net = read_bif(
        "\xef\xbb\xbf// head\r\n/* more */ NETWORK unknown {\r\n}\r\n"
        "variable a { // x }\r\n type discrete [ 1 ] { only };\r\n}\r\n"
        "probability ( a ) { /* { */ table 1; }");
    assert_int_equal(net->variable[0].states, 1);
    bestdag_network_free(net);
}

/* ---- an independent writer, as wild as the grammar allows ---------------- */

static void put(struct bestdag_buffer *b, struct bestdag_random *random,
                const char *text)
{
    static const char *const gaps[] = {"", " ", "\n", " // c\n", "/* c */"};
    bestdag_buffer_text(b, text);
    bestdag_buffer_text(b, gaps[bestdag_random_below(random, 5)]);
}

static void put_name(struct bestdag_buffer *b, const char *text, bool quote)
{
    bestdag_buffer_text(b, quote ? "\"" : " ");
    for (; *text; text++)
        bestdag_buffer_format(
            b, quote && (*text == '"' || *text == '\\') ? "\\%c" : "%c", *text);
    bestdag_buffer_text(b, quote ? "\"" : " ");
}

static void shuffle(struct bestdag_random *random, int *list, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = (int)bestdag_random_below(random, (uint64_t)i + 1);
        int other = list[i];
        list[i] = list[k];
        list[k] = other;
    }
}

/* Row of v's table for states given in the order of `parents`. */
static int64_t row_of(const struct bestdag_network *net, int v,
                      const int *parents, const int *states)
{
    const struct bestdag_parents *own = &net->dag->parents[v];
    int64_t row = 0;
    for (int i = 0; i < own->count; i++) {
        int k = 0;
        while (parents[k] != own->at[i])
            k++;
        row = row * net->variable[own->at[i]].states + states[k];
    }
    return row;
}

/* The j-th combination, the last of `parents` fastest. */
static void states_of(const struct bestdag_network *net, const int *parents,
                      int count, int64_t j, int *states)
{
    for (int i = count - 1; i >= 0; i--) {
        states[i] = (int)(j % net->variable[parents[i]].states);
        j /= net->variable[parents[i]].states;
    }
}

/* A table whose parents stand in an order of their own. */
struct table {
    const struct bestdag_network *net;
    int v, parents[4], count;
    bool quote;
};

static double cell_of(const struct table *t, const int *states, int s)
{
    const struct bestdag_variable *x = &t->net->variable[t->v];
    return x->table[row_of(t->net, t->v, t->parents, states) * x->states + s];
}

static void put_header(struct bestdag_buffer *b, struct bestdag_random *random,
                       const struct table *t)
{
    put(b, random, "probability (");
    put_name(b, t->net->variable[t->v].name, t->quote);
    put(b, random, t->count && bestdag_random_below(random, 2) ? " | " : " ");
    for (int i = 0; i < t->count; i++) {
        bool comma = i + 1 < t->count && bestdag_random_below(random, 2);
        put_name(b, t->net->variable[t->parents[i]].name, t->quote);
        put(b, random, comma ? "," : " ");
    }
    put(b, random, ") {");
}

static void put_whole(struct bestdag_buffer *b, struct bestdag_random *random,
                      const struct table *t)
{
    int64_t rows = bestdag_network_configurations(t->net, t->v);
    int states[4];
    put(b, random, "table ");
    for (int s = 0; s < t->net->variable[t->v].states; s++)
        for (int64_t j = 0; j < rows; j++) {
            states_of(t->net, t->parents, t->count, j, states);
            bestdag_buffer_format(b, "%.17g ", cell_of(t, states, s));
            put(b, random, bestdag_random_below(random, 2) ? "," : " ");
        }
    put(b, random, ";");
}

static void put_rows(struct bestdag_buffer *b, struct bestdag_random *random,
                     const struct table *t)
{
    int rows = (int)bestdag_network_configurations(t->net, t->v), states[4];
    int *order = malloc((size_t)rows * sizeof *order);
    for (int j = 0; j < rows; j++)
        order[j] = j;
    shuffle(random, order, rows);
    for (int j = 0; j < rows; j++) {
        states_of(t->net, t->parents, t->count, order[j], states);
        put(b, random, "(");
        for (int i = 0; i < t->count; i++) {
            const struct bestdag_variable *p = &t->net->variable[t->parents[i]];
            put_name(b, p->labels[states[i]], t->quote);
            put(b, random, i + 1 < t->count ? "," : "");
        }
        put(b, random, ")");
        for (int s = 0; s < t->net->variable[t->v].states; s++)
            bestdag_buffer_format(b, "%.17g ", cell_of(t, states, s));
        put(b, random, ";");
    }
    free(order);
}

static void put_table(struct bestdag_buffer *b, struct bestdag_random *random,
                      const struct bestdag_network *net, int v, bool quote)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    struct table t = {.net = net, .v = v, .count = p->count, .quote = quote};
    memcpy(t.parents, p->at, (size_t)p->count * sizeof *p->at);
    shuffle(random, t.parents, t.count);
    put_header(b, random, &t);
    if (bestdag_random_below(random, 2))
        put_whole(b, random, &t);
    else
        put_rows(b, random, &t);
    put(b, random, "}");
}

static void put_variable(struct bestdag_buffer *b,
                         struct bestdag_random *random,
                         const struct bestdag_variable *x, bool quote)
{
    put(b, random, "variable ");
    put_name(b, x->name, quote);
    put(b, random, "{");
    put(b, random, "type ");
    put(b, random, "discrete ");
    bestdag_buffer_format(b, "[%d] ", x->states);
    put(b, random, bestdag_random_below(random, 2) ? "= {" : "{");
    for (int s = 0; s < x->states; s++) {
        put_name(b, x->labels[s], quote);
        put(b, random, s + 1 < x->states ? "," : "");
    }
    put(b, random, "}");
    put(b, random, ";");
    put(b, random, "}");
}

static void any_way_to_write_a_network_reads_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 3);
        bool quote = seed % 2;
        int n = 1 + (int)(seed % 7);
        struct bestdag_network *net =
            random_network(run, seed, n, quote ? NASTY_NAMES : PLAIN_NAMES);
        struct bestdag_buffer b = {.run = run};
        print_message("seed %d\n", (int)seed);
        put(&b, &random, "network ");
        put(&b, &random, "unknown {");
        put(&b, &random, "}");
        for (int v = 0; v < n; v++) { /* tables before, between, after */
            if (v % 2)
                put_table(&b, &random, net, v, quote);
            put_variable(&b, &random, &net->variable[v], quote);
        }
        for (int v = 0; v < n; v += 2)
            put_table(&b, &random, net, v, quote);
        char *text = bestdag_buffer_take(&b);
        struct bestdag_network *back = read_bif(text);
        assert_same_network(net, back);
        bestdag_free(text);
        bestdag_network_free(back);
        bestdag_network_free(net);
    }
}

/* ---- writing ------------------------------------------------------------- */

static void files_look_like_the_published_ones(void **state)
{
    static const char text[] = "network unknown {\n"
                               "}\n"
                               "variable asia {\n"
                               "  type discrete [ 2 ] { yes, no };\n"
                               "}\n"
                               "variable tub {\n"
                               "  type discrete [ 2 ] { <5, Asy/Patch };\n"
                               "}\n"
                               "variable x {\n"
                               "  type discrete [ 3 ] { 0, 1, 12+ };\n"
                               "}\n"
                               "probability ( asia ) {\n"
                               "  table 0.01, 0.99;\n"
                               "}\n"
                               "probability ( tub | asia ) {\n"
                               "  (yes) 0.05, 0.95;\n"
                               "  (no) 0.01, 0.99;\n"
                               "}\n"
                               "probability ( x | asia, tub ) {\n"
                               "  (yes, <5) 1, 0, 0;\n"
                               "  (no, <5) 0, 1, 0;\n"
                               "  (yes, Asy/Patch) 0, 0, 1;\n"
                               "  (no, Asy/Patch) 1e-05, 0.5, 0.49999;\n"
                               "}\n";
    (void)state;
    struct bestdag_network *net = read_bif(text);
    char *again = write_text(run, &bestdag_format_bif, net);
    assert_string_equal(again, text);
    assert_string_equal(notes, "");
    bestdag_free(again);
    bestdag_network_free(net);
}

static void what_cannot_be_written_is_respelt_and_told(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_bif("network unknown {}\n"
                 "variable \"a b\" { type discrete [ 3 ] "
                 "{ \"x,y\", \"x;y\", \"x y\" }; }\n"
                 "variable a_b { type discrete [ 1 ] { \"\" }; }\n"
                 "variable c.d { type discrete [ 1 ] { only }; }\n"
                 "probability ( \"a b\" ) { table 1 0 0; }\n"
                 "probability ( a_b | \"a b\" ) { default 1; }\n"
                 "probability ( c.d ) { default 1; }\n");
    char *text = write_text(run, &bestdag_format_bif, net);
    assert_non_null(strstr(text, "variable a_b_1 {\n"
                                 "  type discrete [ 3 ] "
                                 "{ x_y, x_y_2, x_y_3 };\n"
                                 "  property bestdag_name = \"a b\";\n"
                                 "  property bestdag_states = "
                                 "\"x,y\" \"x;y\" \"x y\";\n"
                                 "}\n"
                                 "variable a_b {\n"));
    assert_non_null(strstr(text, "probability ( a_b | a_b_1 ) {\n"
                                 "  (x_y) 1;\n  (x_y_2) 1;\n  (x_y_3) 1;\n"));
    assert_non_null(strstr(notes, "0 memory: "));
    assert_non_null(strstr(notes, "'a b' is a_b_1, 'x,y' is x_y, "));
    assert_non_null(strstr(text, "property bestdag_name = \"c.d\";"));
    struct bestdag_network *back = read_bif(text);
    assert_same_network(net, back);
    bestdag_free(text);
    bestdag_network_free(back);
    bestdag_network_free(net);
}

/* ---- bad files ----------------------------------------------------------- */

static void errors_name_the_place_and_the_slip(void **state)
{
    (void)state;
    expect_error("", "t.bif:1:1: expected 'network', found the end of the "
                     "file");
    expect_error("network x {\n}\nvarible a {}",
                 "t.bif:3:1: expected 'variable' or 'probability', found "
                 "'varible'");
    expect_error(AB "probability ( b | a ) {\n  (yes) 1, 0, 0;\n}",
                 "t.bif:6:15: the table of 'b' lacks the row (no)");
    expect_error(AB "probability ( b | a ) {\n  (yess) 1, 0, 0;\n}",
                 "t.bif:7:4: 'a' has no state 'yess', did you mean 'yes'?");
    expect_error(AB "probability ( b | aa ) {\n}",
                 "t.bif:6:19: there is no variable 'aa', did you mean 'a'?");
    expect_error(AB "probability ( b | a ) {\n  (yes) 1, 0;\n}",
                 "t.bif:7:13: expected 3 numbers, found 2");
    expect_error(AB "probability ( b | a ) {\n  (yes) 1, 0, 0, 0;\n}",
                 "t.bif:7:18: expected ';' after 3 numbers");
    expect_error(AB "probability ( b | a ) {\n  (yes, no) 1, 0, 0;\n}",
                 "t.bif:7:9: expected ')' after 1 labels");
    expect_error(AB "probability ( b | a ) {\n  () 1, 0, 0;\n}",
                 "t.bif:7:4: expected 1 labels, found 0");
    expect_error(AB "probability ( b ) {\n  table 0.1, 0.2, 0.3;\n}",
                 "t.bif:7:3: this row of the table of 'b' sums to 0.6, "
                 "expected 1");
    expect_error(AB "probability ( b ) {\n  table 0.1, -0.2, 0.3;\n}",
                 "t.bif:7:14: expected a probability, found '-0.2'");
    expect_error(AB "probability ( b ) {\n  table 0.1, nan, 0.3;\n}",
                 "t.bif:7:14: expected a number, found 'nan'");
    expect_error(AB "probability ( b | a, a ) {\n}",
                 "t.bif:6:22: 'a' is named twice as a parent of 'b'");
    expect_error(AB "probability ( b | b ) {\n}",
                 "t.bif:6:19: 'b' is its own parent");
    expect_error(AB "probability ( a ) { table 1 0; }",
                 "t.bif:6:15: 'a' already has a table, in line 5");
    expect_error(AB, "t.bif:4:1: 'b' has no probability block");
    expect_error(AB "probability ( b | a ) {\n (yes) 1 0 0;\n (yes) 1 0 0;\n}",
                 "t.bif:8:2: this row is given twice");
    expect_error(AB "variable a { type discrete [ 2 ] { u, v }; }",
                 "t.bif:6:1: two variables are called 'a'");
    expect_error("network x {}\nvariable a { type discrete [ 3 ] { u, v }; }",
                 "t.bif:2:41: expected 3 labels, found 2");
    expect_error("network x {}\nvariable a { type discrete [ 2 ] { u, u }; }",
                 "t.bif:2:34: two states of 'a' are called 'u'");
    expect_error("network x {}\nvariable a { type continuous; }",
                 "t.bif:2:19: expected 'discrete', the only supported type, "
                 "found 'continuous'");
    expect_error("network x {}\nvariable a { }", "t.bif:2:14: 'a' has no type");
    expect_error("network x {}\nvariable a { property",
                 "t.bif:2:14: this property has no ';' at its end");
}

static void a_cycle_is_shown_where_it_begins(void **state)
{
    (void)state;
    expect_error("network x {}\n"
                 "variable a { type discrete [ 1 ] { u }; }\n"
                 "variable b { type discrete [ 1 ] { u }; }\n"
                 "probability ( a | b ) { default 1; }\n"
                 "probability ( b | a ) { default 1; }\n",
                 "t.bif:5:1: the arcs form a cycle: b -> a -> b");
}

static void a_file_cut_before_its_end_is_never_taken(void **state)
{
    (void)state;
    struct bestdag_network *net = random_network(run, 8, 5, NASTY_NAMES);
    char *text = write_text(run, &bestdag_format_bif, net);
    for (size_t n = strlen(text) - 2;; n--) { /* the last are "}\n" */
        text[n] = 0;
        assert_null(read_text(run, &bestdag_format_bif, "cut", text));
        assert_true(names_a_place(bestdag_run_error(run), "cut"));
        bestdag_run_clear(run);
        if (!n)
            break;
    }
    bestdag_free(text);
    bestdag_network_free(net);
}

static void a_default_for_too_many_parents_is_refused(void **state)
{
    struct bestdag_buffer b = {.run = run};
    (void)state;
    bestdag_buffer_text(&b, "network x {}\n");
    for (int v = 0; v < 61; v++)
        bestdag_buffer_format(&b,
                              "variable v%d { type discrete [ 2 ] { u, v }; }\n"
                              "probability ( v%d ) { table 0.5 0.5; }\n",
                              v, v);
    bestdag_buffer_text(&b, "variable x { type discrete [ 1 ] { u }; }\n"
                            "probability ( x |");
    for (int v = 0; v < 61; v++)
        bestdag_buffer_format(&b, " v%d", v);
    bestdag_buffer_text(&b, " ) { default 1; }\n");
    char *text = bestdag_buffer_take(&b);
    assert_null(read_text(run, &bestdag_format_bif, "t.bif", text));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_non_null(strstr(bestdag_run_error(run), "more numbers than"));
    bestdag_free(text);
}

static void large_files_are_read_in_one_go(void **state)
{
    enum { MANY = 100000, STATES = 60000 };
    struct bestdag_buffer b = {.run = run};
    (void)state;
    bestdag_buffer_text(&b, "network x {}\n");
    for (int v = 0; v < MANY; v++) {
        bestdag_buffer_format(&b,
                              "variable v%d { type discrete [ 1 ] { u }; }\n"
                              "probability ( v%d",
                              v, v);
        if (v)
            bestdag_buffer_format(&b, " | v%d", v - 1);
        bestdag_buffer_text(&b, " ) { default 1; }\n");
    }
    char *text = bestdag_buffer_take(&b);
    struct bestdag_network *net = read_bif(text);
    assert_int_equal(bestdag_dag_arcs(net->dag), MANY - 1);
    bestdag_network_free(net);
    bestdag_free(text);

    b = (struct bestdag_buffer){.run = run};
    bestdag_buffer_format(&b,
                          "network x {}\nvariable a { type discrete [ %d "
                          "] { ",
                          STATES);
    for (int s = 0; s < STATES; s++)
        bestdag_buffer_format(&b, s ? ", s%d" : "s%d", s);
    bestdag_buffer_text(&b, " }; }\nvariable b { type discrete [ 1 ] { u }; }\n"
                            "probability ( a ) { table 1");
    for (int s = 1; s < STATES; s++)
        bestdag_buffer_text(&b, " 0");
    bestdag_buffer_text(&b, "; }\nprobability ( b | a ) {\n");
    for (int s = STATES - 1; s >= 0; s--)
        bestdag_buffer_format(&b, "(s%d) 1;\n", s);
    bestdag_buffer_text(&b, "}\n");
    text = bestdag_buffer_take(&b);
    net = read_bif(text);
    assert_int_equal(net->variable[0].states, STATES);
    bestdag_network_free(net);
    bestdag_free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_may_come_in_any_order),
        TEST(variables_may_follow_their_use),
        TEST(a_default_fills_the_rows_that_are_not_given),
        TEST(long_uniform_tables_are_written_with_a_default),
        TEST(labels_that_break_simple_readers_are_read),
        TEST(labels_of_several_words_need_commas_only),
        TEST(properties_are_kept),
        TEST(comments_and_line_ends_do_not_matter),
        TEST(any_way_to_write_a_network_reads_the_same),
        TEST(files_look_like_the_published_ones),
        TEST(what_cannot_be_written_is_respelt_and_told),
        TEST(errors_name_the_place_and_the_slip),
        TEST(a_cycle_is_shown_where_it_begins),
        TEST(a_file_cut_before_its_end_is_never_taken),
        TEST(a_default_for_too_many_parents_is_refused),
        TEST(large_files_are_read_in_one_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
