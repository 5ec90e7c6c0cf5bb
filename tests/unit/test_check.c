/* SPDX-License-Identifier: MIT */
/* test_check.c -- what check says, against counting by hand and over all pairs
 * of rows. */
#include "small_tables.h"

#include "base/json.h"
#include "data/check/column_facts.h"

/* ---- what all tests use -------------------------------------------------- */

static struct bestdag_json *check(struct bestdag_run *run,
                                  const struct bestdag_table *t)
{
    char *text = bestdag_table_check(run, t);
    assert_ok(run);
    struct bestdag_json *root = bestdag_json_read(run, text);
    assert_ok(run);
    bestdag_text_free(text);
    return root;
}

static double number(const struct bestdag_json *root, const char *key)
{
    return bestdag_json_number(bestdag_json_get(root, key));
}

/* The texts of an array, each followed by a blank. */
static const char *texts(const struct bestdag_json *list, char to[1000])
{
    to[0] = 0;
    for (int64_t i = 0; i < bestdag_json_count(list); i++)
        strcat(strcat(to, bestdag_json_text(bestdag_json_at(list, i))), " ");
    return to;
}

static void assert_names(const struct bestdag_json *root, const char *key,
                         const char *expected)
{
    char got[1000];
    const struct bestdag_json *list = bestdag_json_get(root, key);
    assert_non_null(list);
    assert_string_equal(texts(list, got), expected);
}

/* ---- tables checked by hand ---------------------------------------------- */

static void a_small_table_is_described(void **state)
{
    (void)state;
    const char *labels[] = {"no", "yes", "never"};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 5);
    bestdag_table_add_codes(run, t, "a", (const int8_t[]){0, 1, 1, -1, 0}, 1, 3,
                            labels);
    bestdag_table_add_numbers(run, t, "x",
                              (const double[]){1, 2.5, (double)NAN, -1, 1});
    bestdag_table_add_codes(run, t, "k", (const int8_t[]){2, 2, -1, 2, 2}, 1, 3,
                            labels);
    add_opaque(run, t, "o", 70000);
    set_weights(run, t, (const int32_t[]){1, 4, 1, 2, 3});
    struct bestdag_json *root = check(run, t);
    assert_true(number(root, "rows") == 5);
    assert_true(number(root, "total_weight") == 11);
    assert_true(number(root, "columns") == 4);
    assert_true(number(root, "distinct_rows") == 4);
    assert_true(number(root, "cells_missing") == 3);
    assert_true(number(root, "rows_complete") == 3);
    assert_true(number(root, "searched") == 1);
    const struct bestdag_json *columns = bestdag_json_get(root, "column");
    const struct bestdag_json *a = bestdag_json_at(columns, 0);
    assert_string_equal(bestdag_json_text(bestdag_json_get(a, "name")), "a");
    assert_string_equal(bestdag_json_text(bestdag_json_get(a, "kind")),
                        "codes");
    assert_true(number(a, "states") == 3);
    assert_true(number(a, "distinct") == 2);
    assert_true(number(a, "missing") == 1);
    assert_string_equal(bestdag_json_text(bestdag_json_get(a, "most_common")),
                        "yes");
    assert_true(fabs(number(a, "share") - 5 / 9.0) < 1e-12);
    const struct bestdag_json *x = bestdag_json_at(columns, 1);
    assert_string_equal(bestdag_json_text(bestdag_json_get(x, "kind")),
                        "numbers");
    assert_true(number(x, "least") == -1);
    assert_true(number(x, "most") == 2.5);
    assert_true(number(x, "mean") == 1.2); /* (1 + 10 - 2 + 3) / 10 */
    assert_true(number(x, "distinct") == 3);
    const struct bestdag_json *o = bestdag_json_at(columns, 3);
    assert_string_equal(bestdag_json_text(bestdag_json_get(o, "kind")),
                        "opaque");
    assert_true(number(o, "distinct") == 70000);
    assert_names(root, "constant", "k ");
    assert_names(root, "need_discretising", "x ");
    assert_names(root, "many_states", "o ");
    assert_names(root, "likely_identifiers", "o ");
    bestdag_json_free(root);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void empty_tables_are_described(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 0);
    struct bestdag_json *root = check(run, t);
    assert_true(number(root, "columns") == 0);
    assert_true(number(root, "distinct_rows") == 0);
    bestdag_json_free(root);
    bestdag_table_add_numbers(run, t, "x", (const double[]){0});
    bestdag_table_add_codes(run, t, "a", "", 1, 2, NULL);
    root = check(run, t);
    assert_names(root, "constant", "x a ");
    const struct bestdag_json *x =
        bestdag_json_at(bestdag_json_get(root, "column"), 0);
    assert_int_equal(bestdag_json_get(x, "mean")->kind, BESTDAG_JSON_NULL);
    bestdag_json_free(root);
    bestdag_table_free(t);
    assert_null(bestdag_table_check(run, NULL));
    assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
    bestdag_run_free(run);
}

static void identifiers_and_many_states_are_named(void **state)
{
    (void)state;
    enum { ROWS = 400 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, ROWS);
    int codes[ROWS];
    double x[ROWS];
    for (int r = 0; r < ROWS; r++)
        codes[r] = r;
    bestdag_table_add_codes(run, t, "id", codes, sizeof *codes, ROWS, NULL);
    for (int r = 0; r < ROWS; r++)
        codes[r] = r % 90;
    bestdag_table_add_codes(run, t, "town", codes, sizeof *codes, 90, NULL);
    for (int r = 0; r < ROWS; r++)
        codes[r] = r * 7 % 50;
    bestdag_table_add_codes(run, t, "fifty", codes, sizeof *codes, 50, NULL);
    for (int r = 0; r < ROWS; r++)
        x[r] = 1000 + r;
    bestdag_table_add_numbers(run, t, "number", x);
    for (int r = 0; r < ROWS; r++)
        x[r] = r / 7.0;
    bestdag_table_add_numbers(run, t, "measured", x);
    add_opaque(run, t, "remarks", 399);
    add_opaque(run, t, "letters", 65535); /* at least */
    add_opaque(run, t, "words", 0);       /* not known */
    add_opaque(run, t, "nothing", 0);
    t->column[t->columns - 1].missing = ROWS;
    struct bestdag_json *root = check(run, t);
    assert_names(root, "likely_identifiers", "id number remarks letters ");
    assert_names(root, "many_states", "town remarks letters words ");
    assert_names(root, "constant", "nothing ");
    bestdag_json_free(root);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void copies_and_functions_are_named(void **state)
{
    (void)state;
    enum { ROWS = 60 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, ROWS);
    int city[ROWS], code[ROWS], land[ROWS], other[ROWS], hole[ROWS];
    double height[ROWS];
    struct bestdag_random random = bestdag_random_init(5, 5);
    for (int r = 0; r < ROWS; r++) {
        city[r] = below(&random, 6);
        code[r] = 5 - city[r];
        height[r] = 100.5 * city[r];
        land[r] = city[r] / 3;
        other[r] = below(&random, 2);
        hole[r] = r == 7 ? -1 : city[r];
    }
    bestdag_table_add_codes(run, t, "city", city, sizeof *city, 6, NULL);
    bestdag_table_add_codes(run, t, "land", land, sizeof *land, 2, NULL);
    bestdag_table_add_codes(run, t, "code", code, sizeof *code, 6, NULL);
    bestdag_table_add_codes(run, t, "other", other, sizeof *other, 2, NULL);
    bestdag_table_add_numbers(run, t, "height", height);
    bestdag_table_add_codes(run, t, "hole", hole, sizeof *hole, 6, NULL);
    struct bestdag_json *root = check(run, t);
    char got[1000];
    const struct bestdag_json *groups = bestdag_json_get(root, "duplicated");
    assert_int_equal(bestdag_json_count(groups), 1);
    assert_string_equal(texts(bestdag_json_at(groups, 0), got),
                        "city code height ");
    const struct bestdag_json *list = bestdag_json_get(root, "dependent");
    static const char *const expected[][2] = {
        {"city", "hole"}, {"land", "city"}, {"hole", "city"}};
    assert_int_equal(bestdag_json_count(list), 3);
    for (int i = 0; i < 3; i++) {
        const struct bestdag_json *one = bestdag_json_at(list, i);
        assert_string_equal(bestdag_json_text(bestdag_json_get(one, "column")),
                            expected[i][0]);
        assert_string_equal(
            bestdag_json_text(bestdag_json_get(one, "determined_by")),
            expected[i][1]);
    }
    bestdag_json_free(root);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- against all pairs --------------------------------------------------- */

static bool is_known(const struct bestdag_column *c, int64_t r)
{
    return !isnan(cell_number(c, r));
}

/* By comparing all rows with one another. */
static bool determines(const struct bestdag_table *t, int b, int a)
{
    const struct bestdag_column *x = &t->column[a], *by = &t->column[b];
    bool varies = false;
    for (int64_t r = 0; r < t->rows; r++)
        for (int64_t s = 0; s < r; s++) {
            if (!is_known(x, r) || !is_known(x, s) || !is_known(by, r) ||
                !is_known(by, s))
                continue;
            bool differs = !same_cell(x, r, s);
            if (differs && same_cell(by, r, s))
                return false;
            varies |= differs;
        }
    return varies;
}

static int64_t count_distinct(const struct bestdag_table *t, int c)
{
    int64_t distinct = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        int64_t s = 0;
        while (s < r && !(same_cell(&t->column[c], r, s)))
            s++;
        distinct += is_known(&t->column[c], r) && s == r;
    }
    return distinct;
}

static bool are_duplicates(const struct bestdag_table *t, int a, int b)
{
    for (int64_t r = 0; r < t->rows; r++)
        if (is_known(&t->column[a], r) != is_known(&t->column[b], r))
            return false;
    if (t->column[a].kind != BESTDAG_CODES ||
        t->column[b].kind != BESTDAG_CODES) {
        bool are_same = t->column[a].kind == t->column[b].kind;
        for (int64_t r = 0; are_same && r < t->rows; r++)
            are_same = !is_known(&t->column[a], r) ||
                       ((const double *)t->column[a].cells)[r] ==
                           ((const double *)t->column[b].cells)[r];
        if (count_distinct(t, a) > (t->rows - t->column[a].missing) / 2)
            return are_same;
    }
    return determines(t, a, b) && determines(t, b, a);
}

/* What check must say of each column; -1: nothing. */
struct truth {
    int64_t distinct;
    int leader, by;
    bool may_determine;
};

/* A row with the most common value; of several, the one that comes first. */
static int64_t common_row(const struct bestdag_table *t, int a)
{
    int64_t best = 0, most = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        int64_t count = 0;
        double x = cell_number(&t->column[a], r);
        for (int64_t k = 0; k < t->rows; k++)
            count += cell_number(&t->column[a], k) == x;
        if (count > most) {
            most = count;
            best = r;
        }
    }
    return best;
}

/* Rows that agree in B and in A, as unlikely by chance as check asks for. */
static bool is_no_chance(const struct bestdag_table *t, int b, int a)
{
    const struct bestdag_column *ca = &t->column[a], *cb = &t->column[b];
    double common = cell_number(ca, common_row(t, a));
    double rows = 0, rare = 0, confirmed = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        double x = cell_number(ca, r), y = cell_number(cb, r);
        bool is_shared = false;
        if (isnan(x) || isnan(y))
            continue;
        for (int64_t k = 0; k < t->rows; k++)
            is_shared |=
                k != r && !isnan(cell_number(ca, k)) && cell_number(cb, k) == y;
        rows++;
        rare += x != common;
        confirmed += is_shared;
    }
    double q = rows > 0 ? rare / rows : 0;
    return confirmed / 2 * -log((1 - q) * (1 - q) + q * q) >
           log(1000.0 * t->columns * t->columns);
}

static void find_truth(const struct bestdag_table *t, struct truth *truth)
{
    for (int c = 0; c < t->columns; c++) {
        int64_t present = t->rows - t->column[c].missing;
        truth[c].distinct = count_distinct(t, c);
        truth[c].leader = c;
        for (int k = c - 1; k >= 0; k--)
            if (truth[c].distinct > 1 && are_duplicates(t, k, c))
                truth[c].leader = k;
        truth[c].may_determine = truth[c].distinct > 1 &&
                                 truth[c].leader == c &&
                                 truth[c].distinct <= present / 2;
    }
    for (int a = 0; a < t->columns; a++) {
        truth[a].by = -1;
        for (int b = 0; b < t->columns; b++)
            if (a != b && truth[a].distinct > 1 && truth[a].leader == a &&
                truth[b].may_determine && determines(t, b, a) &&
                is_no_chance(t, b, a) &&
                (truth[a].by < 0 ||
                 truth[b].distinct < truth[truth[a].by].distinct))
                truth[a].by = b;
    }
}

enum { VALUES = 331 }; /* a prime: x -> 4 x + 64 has no collisions */

/* Columns at random, copies, functions of others, with holes or without. */
static struct bestdag_table *related(struct bestdag_run *run,
                                     struct bestdag_random *random)
{
    int rows = 2 + below(random, 200), columns = 1 + below(random, 9);
    struct bestdag_table *t = bestdag_table_new(run, rows);
    for (int c = 0; c < columns; c++) {
        int missing = below(random, 3) ? 0 : 2 + below(random, 8);
        if (!c || below(random, 2)) {
            if (below(random, 3))
                add_random_codes(run, t, random, 1 + below(random, 6), missing);
            else
                add_random_numbers(run, t, random, 1 + below(random, 12),
                                   missing);
            continue;
        }
        int codes[256], map[VALUES], from = below(random, c),
                                     merge = below(random, 3);
        char name[16];
        snprintf(name, sizeof name, "c%d", c);
        for (int v = 0; v < VALUES; v++)
            map[v] = merge ? below(random, 1 + merge * 2) : v;
        for (int r = 0; r < rows; r++) {
            double x = cell_number(&t->column[from], r);
            codes[r] = isnan(x) || (missing && !below(random, missing))
                           ? -1
                           : map[((int)(x * 4) + 64) % VALUES];
        }
        if (below(random, 4) == 0) /* but for one row */
            codes[below(random, rows)] = below(random, VALUES);
        bestdag_table_add_codes(run, t, name, codes, sizeof *codes, VALUES,
                                NULL);
    }
    return t;
}

static int column_named(const struct bestdag_table *t,
                        const struct bestdag_json *text)
{
    return bestdag_table_find(t, bestdag_json_text(text));
}

static void assert_true_report(const struct bestdag_table *t,
                               const struct bestdag_json *root,
                               const struct truth *truth, int *related_columns)
{
    int leader[16], by[16];
    for (int c = 0; c < t->columns; c++) {
        leader[c] = c;
        by[c] = -1;
    }
    const struct bestdag_json *groups = bestdag_json_get(root, "duplicated");
    for (int64_t g = 0; g < bestdag_json_count(groups); g++) {
        const struct bestdag_json *group = bestdag_json_at(groups, g);
        assert_true(bestdag_json_count(group) > 1);
        for (int64_t i = 0; i < bestdag_json_count(group); i++)
            leader[column_named(t, bestdag_json_at(group, i))] =
                column_named(t, bestdag_json_at(group, 0));
    }
    const struct bestdag_json *list = bestdag_json_get(root, "dependent");
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *one = bestdag_json_at(list, i);
        by[column_named(t, bestdag_json_get(one, "column"))] =
            column_named(t, bestdag_json_get(one, "determined_by"));
    }
    for (int c = 0; c < t->columns; c++) {
        const struct bestdag_json *column =
            bestdag_json_at(bestdag_json_get(root, "column"), c);
        assert_true(number(column, "distinct") == (double)truth[c].distinct);
        assert_int_equal(leader[c], truth[c].leader);
        assert_int_equal(by[c], truth[c].by);
        *related_columns += leader[c] != c || by[c] >= 0;
    }
}

static void relations_are_those_of_all_pairs_of_rows(void **state)
{
    (void)state;
    int related_columns = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 1);
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t = related(run, &random);
        struct truth truth[16];
        print_message("seed %d\r", (int)seed);
        assert_ok(run);
        /* identifiers have their own test; and cannot be determining anyway */
        find_truth(t, truth);
        struct bestdag_json *root = check(run, t);
        assert_true_report(t, root, truth, &related_columns);
        bestdag_json_free(root);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
    assert_true(related_columns > 500);
}

static void columns_of_equal_hash_are_still_compared(void **state)
{
    (void)state;
    const int8_t codes[5][4] = {
        {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 0, 1, 0}, {0, 1, 1, 1}, {1, 1, 0, 0}};
    const int leaders[] = {0, 1, 0, 3, 1};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 4);
    struct bestdag_column_facts facts[5];
    for (int c = 0; c < 5; c++) {
        char name[2] = {(char)('a' + c), 0};
        bestdag_table_add_codes(run, t, name, codes[c], 1, 2, NULL);
        bestdag_column_facts_find(run, t, c, &facts[c]);
        facts[c].shape = 7;
    }
    assert_int_equal(bestdag_duplicates_find(run, t, facts), BESTDAG_OK);
    for (int c = 0; c < 5; c++)
        assert_int_equal(facts[c].leader, leaders[c]);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* A rare state is a function of another column but for one row. */
static void one_row_is_enough_to_deny_a_function(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    struct bestdag_run *run = bestdag_run_new();
    int by[ROWS], rare[ROWS], broken[ROWS];
    for (int r = 0; r < ROWS; r++) {
        by[r] = r % 50;
        rare[r] = r % 50 == 3;
        broken[r] = r % 50 == 3 && r != 4953;
    }
    struct bestdag_table *t = bestdag_table_new(run, ROWS);
    bestdag_table_add_codes(run, t, "by", by, sizeof *by, 50, NULL);
    bestdag_table_add_codes(run, t, "rare", rare, sizeof *rare, 2, NULL);
    bestdag_table_add_codes(run, t, "broken", broken, sizeof *broken, 2, NULL);
    struct bestdag_json *root = check(run, t);
    const struct bestdag_json *list = bestdag_json_get(root, "dependent");
    assert_int_equal(bestdag_json_count(list), 1);
    assert_string_equal(
        bestdag_json_text(bestdag_json_get(bestdag_json_at(list, 0), "column")),
        "rare");
    bestdag_json_free(root);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void the_report_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(8, 2);
    struct bestdag_table *t = bestdag_table_new(run, 300);
    for (int c = 0; c < 300; c++)
        add_random_codes(run, t, &random, 1 + below(&random, 20),
                         below(&random, 2) * 3);
    bestdag_run_set(run, "threads", "1");
    char *one = bestdag_table_check(run, t);
    bestdag_run_set(run, "threads", "4");
    char *four = bestdag_table_check(run, t);
    assert_ok(run);
    assert_string_equal(one, four);
    bestdag_text_free(one);
    bestdag_text_free(four);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- outside data -------------------------------------------------------- */

static struct bestdag_json *check_file(struct bestdag_run *run,
                                       const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", getenv("BESTDAG_DATA"), name);
    struct bestdag_table *t = bestdag_table_read(run, path, NULL);
    assert_ok(run);
    struct bestdag_json *root = check(run, t);
    bestdag_table_free(t);
    return root;
}

static void mushrooms_have_a_constant_column(void **state)
{
    (void)state;
    if (!getenv("BESTDAG_DATA"))
        skip();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_json *root = check_file(run, "uci/mushroom.csv.gz");
    assert_names(root, "constant", "veil-type ");
    assert_names(root, "likely_identifiers", "");
    bestdag_json_free(root);
    bestdag_run_free(run);
}

static void adults_have_their_education_twice(void **state)
{
    (void)state;
    char got[1000];
    if (!getenv("BESTDAG_DATA"))
        skip();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_json *root = check_file(run, "uci/adult_train.csv.gz");
    const struct bestdag_json *groups = bestdag_json_get(root, "duplicated");
    assert_int_equal(bestdag_json_count(groups), 1);
    assert_string_equal(texts(bestdag_json_at(groups, 0), got),
                        "education education-num ");
    bestdag_json_free(root);
    bestdag_run_free(run);
}

/* ---- faults -------------------------------------------------------------- */

static int stop_at_dependences(void *run, const struct bestdag_progress *now)
{
    ((struct bestdag_run *)run)->reported = 0; /* every look is reported */
    return !strcmp(now->phase, "dependences");
}

static void a_search_cut_short_says_so(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(8, 3);
    struct bestdag_table *t = bestdag_table_new(run, 100);
    for (int c = 0; c < 10; c++)
        add_random_codes(run, t, &random, 2 + c, 0);
    bestdag_run_on_progress(run, stop_at_dependences, run);
    struct bestdag_json *root = check(run, t);
    assert_true(number(root, "searched") == 0);
    assert_true(number(root, "distinct_rows") == 100);
    bestdag_json_free(root);
    assert_null(bestdag_table_check(run, t)); /* stopped from the start */
    assert_int_equal(bestdag_run_status(run), BESTDAG_FAILED);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(5, 5);
    bestdag_run_set(run, "threads", "1");
    struct bestdag_table *t = bestdag_table_new(run, 40);
    add_random_codes(run, t, &random, 8, 5);
    add_random_numbers(run, t, &random, 4, 5);
    add_random_codes(run, t, &random, 2, 0);
    memcpy(t->column[2].cells, t->column[0].cells, 40);
    t->column[2].missing = t->column[0].missing;
    for (int r = 0; r < 40; r++)
        ((uint8_t *)t->column[2].cells)[r] &= 1;
    t->column[2].missing = 0;
    int64_t used = bestdag_memory_used(run), n = 1;
    char *text = NULL;
    for (; !text; n++) {
        bestdag_memory_fail_at(run, n);
        text = bestdag_table_check(run, t);
        assert_true(text || bestdag_run_status(run) == BESTDAG_MEMORY);
        assert_true(text || bestdag_memory_used(run) == used);
        bestdag_run_clear(run);
    }
    assert_true(n > 20);
    bestdag_text_free(text);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_table_is_described),
        cmocka_unit_test(empty_tables_are_described),
        cmocka_unit_test(identifiers_and_many_states_are_named),
        cmocka_unit_test(copies_and_functions_are_named),
        cmocka_unit_test(relations_are_those_of_all_pairs_of_rows),
        cmocka_unit_test(columns_of_equal_hash_are_still_compared),
        cmocka_unit_test(one_row_is_enough_to_deny_a_function),
        cmocka_unit_test(the_report_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(mushrooms_have_a_constant_column),
        cmocka_unit_test(adults_have_their_education_twice),
        cmocka_unit_test(a_search_cut_short_says_so),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
