/* SPDX-License-Identifier: MIT */
/* Tables out: what the files look like, and that they come back the same. */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/tables.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/bestdag-write-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Writes, reads the bytes back, removes the file. */
static char *written(struct bestdag_run *run, const struct bestdag_table *t,
                     const char *name)
{
    struct bestdag_file file;
    assert_int_equal(bestdag_table_write(run, t, path_of(name)), BESTDAG_OK);
    assert_int_equal(bestdag_file_read(run, path_of(name), &file), BESTDAG_OK);
    unlink(path_of(name));
    return file.bytes;
}

static struct bestdag_table *make_table(struct bestdag_run *run, bool numbers)
{
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_codes(run, t, "x", (int8_t[]){0, 1, -1, 1}, 1, 2,
                            (const char *[]){"no", "yes"});
    if (numbers)
        bestdag_table_add_numbers(run, t, "y", (double[]){0.1, NAN, 1e-7, -3});
    bestdag_table_add_codes(run, t, "z", (int8_t[]){0, 1, 2, 1}, 1, 3, NULL);
    return t;
}

static void give_weights(struct bestdag_run *run, struct bestdag_table *t)
{
    t->weights = bestdag_alloc(run, (size_t)t->rows * sizeof *t->weights);
    t->total = 0;
    for (int r = 0; r < t->rows; r++)
        t->total += t->weights[r] = r + 2;
}

static void expect_file(struct bestdag_run *run, const struct bestdag_table *t,
                        const char *name, const char *expected)
{
    char *bytes = written(run, t, name);
    assert_string_equal(bytes, expected);
    bestdag_free(bytes);
}

static void formats_look_as_they_should(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run, true);
    struct bestdag_table *codes = make_table(run, false);
    expect_file(run, t, "t.csv",
                "x,y,z\nno,0.1,0\nyes,,1\n,1e-07,2\nyes,-3,1\n");
    expect_file(run, t, "t.tsv",
                "x\ty\tz\nno\t0.1\t0\nyes\t\t1\n\t1e-07\t2\nyes\t-3\t1\n");
    expect_file(run, t, "t.arff",
                "@relation table\n\n@attribute x {no,yes}\n@attribute y "
                "numeric\n@attribute z {0,1,2}\n\n@data\nno,0.1,0\nyes,?,1\n"
                "?,1e-07,2\nyes,-3,1\n");
    expect_file(run, codes, "t.dat", "x z\n2 3\nno 0\nyes 1\n? 2\nyes 1\n");
    give_weights(run, codes);
    expect_file(run, codes, "t.csv",
                "x,z,weight\nno,0,2\nyes,1,3\n,2,4\nyes,1,5\n");
    expect_file(run, codes, "t.arff",
                "@relation table\n\n@attribute x {no,yes}\n@attribute z "
                "{0,1,2}\n\n@data\nno,0,{2}\nyes,1,{3}\n?,2,{4}\nyes,1,{5}\n");
    expect_file(run, codes, "t.dat",
                "x z\n2 3\nno 0\nno 0\nyes 1\nyes 1\nyes 1\n? 2\n? 2\n? 2\n"
                "? 2\nyes 1\nyes 1\nyes 1\nyes 1\nyes 1\n");
    bestdag_table_free(t);
    bestdag_table_free(codes);
    bestdag_run_free(run);
}

static void labels_are_quoted_where_they_must(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = bestdag_table_new(run, 9);
    bestdag_table_add_codes(run, t, "a b",
                            (int8_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8}, 1, 9,
                            (const char *[]){"a,b", "q\"q", "l\nl", " x", "x ",
                                             "NA", "", "in side", "it's"});
    bestdag_table_add_codes(run, t, "weight",
                            (int8_t[]){0, 0, 0, 0, 0, 0, 0, 0, 0}, 1, 1, NULL);
    expect_file(run, t, "t.csv",
                "a b,weight\n\"a,b\",0\n\"q\"\"q\",0\n\"l\nl\",0\n\" x\",0\n"
                "\"x \",0\n\"NA\",0\n\"\",0\nin side,0\nit's,0\n");
    give_weights(run, t);
    char *bytes = written(run, t, "t.csv");
    assert_memory_equal(bytes, "a b,weight,weight_2\n", 20);
    bestdag_free(bytes);
    bestdag_table_free(t);
    t = bestdag_table_new(run, 3); /* one column: a blank would be taken for a
                                      delimiter, an empty line for the end */
    bestdag_table_add_codes(run, t, "a b", (int8_t[]){0, -1, 0}, 1, 1,
                            (const char *[]){"c d"});
    expect_file(run, t, "t.csv", "\"a b\"\n\"c d\"\nNA\n\"c d\"\n");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- round trips -----------------------------------------------------------
 */

static const char *const labels[] = {
    "0",     "1",        "10",
    "2",     "a",        "a b",
    "yes",   "a,b",      "q\"q",
    "l\nl",  "NA",       "",
    " x ",   "it's",     "back\\slash",
    "{x}",   "%",        "?",
    "cr\rx", "\xc3\xa9", "x;y",
    "p|q",   "t\tt",     "-1.5",
    "@data", "None",     "a very long label indeed",
    "'",     "\\",       "\"",
    "#"};
enum { LABELS = sizeof labels / sizeof *labels };

/* Every column uses all its labels, so that nothing is lost as unobserved. */
static struct bestdag_table *random_table(struct bestdag_run *run,
                                          struct bestdag_random *random,
                                          bool plain)
{
    int rows = 60, columns = 1 + (int)bestdag_random_below(random, 5);
    struct bestdag_table *t = bestdag_table_new(run, rows);
    for (int c = 0; c < columns; c++) {
        int states = 1 + (int)bestdag_random_below(random, plain ? 3 : LABELS);
        int16_t codes[60];
        const char *names[LABELS];
        char name[64];
        int first = plain ? 0 : (int)bestdag_random_below(random, LABELS);
        for (int s = 0; s < states; s++)
            names[s] = labels[(first + s) % LABELS];
        for (int r = 0; r < rows; r++)
            codes[r] =
                (int16_t)(r < states ? r
                                     : (int)bestdag_random_below(
                                           random, (uint64_t)states + 1) -
                                           1);
        snprintf(name, sizeof name, "%s%d",
                 plain ? "V" : labels[(c + first) % LABELS], c);
        bestdag_table_add_codes(run, t, name, codes, 2, states, names);
    }
    if (bestdag_random_below(random, 2))
        give_weights(run, t);
    return t;
}

/* The same cells by label; states may stand in another order (not in ARFF). */
static void assert_same_labels(const struct bestdag_table *a,
                               const struct bestdag_table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->total, b->total);
    for (int c = 0; c < a->columns; c++) {
        assert_string_equal(a->column[c].name, b->column[c].name);
        assert_int_equal(a->column[c].kind, b->column[c].kind);
        assert_int_equal(a->column[c].states, b->column[c].states);
        for (int64_t r = 0; r < a->rows; r++)
            assert_string_equal(cell(a, c, r), cell(b, c, r));
    }
    for (int64_t r = 0; r < a->rows; r++)
        assert_int_equal(bestdag_table_weight(a, r),
                         bestdag_table_weight(b, r));
}

static struct bestdag_table *through(struct bestdag_run *run,
                                     const struct bestdag_table *t,
                                     const char *name)
{
    bool dat = strstr(name, ".dat") != NULL;
    bool column = t->weights && !dat && !strstr(name, ".arff");
    struct bestdag_options *o = options_of(
        run, column ? "missing=keep weights=weight" : "missing=keep");
    assert_int_equal(bestdag_table_write(run, t, path_of(name)), BESTDAG_OK);
    struct bestdag_table *back = bestdag_table_read(run, path_of(name), o);
    if (!back)
        fail_msg("%s: %s", name, bestdag_run_error(run));
    unlink(path_of(name));
    bestdag_options_free(o);
    return back;
}

static void tables_survive_round_trips(void **state)
{
    (void)state;
    static const char *const names[] = {"t.csv", "t.tsv", "t.arff", "t.csv.gz",
                                        "t.arff.zst"};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct bestdag_run *run = new_run();
        struct bestdag_random random = bestdag_random_init(seed, 3);
        struct bestdag_table *t = random_table(run, &random, false);
        print_message(seed == 60 ? "%d\n" : "%d ", (int)seed);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            struct bestdag_table *back = through(run, t, names[k]);
            assert_same_labels(t, back);
            if (strstr(names[k], "arff"))
                assert_same_tables(t, back);
            bestdag_table_free(back);
        }
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

static void dat_survives_what_it_can_hold(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bestdag_run *run = new_run();
        struct bestdag_random random = bestdag_random_init(seed, 4);
        struct bestdag_table *t = random_table(run, &random, true);
        bestdag_free(t->weights);
        t->weights = NULL;
        t->total = t->rows;
        struct bestdag_table *back = through(run, t, "t.dat");
        assert_same_labels(t, back);
        bestdag_table_free(back);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

static void numbers_come_back_to_the_last_bit(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_random random = bestdag_random_init(5, 5);
    struct bestdag_table *t = bestdag_table_new(run, 500);
    double x[500];
    for (int i = 0; i < 500; i++)
        x[i] = ldexp(bestdag_random_unit(&random) - 0.5,
                     (int)bestdag_random_below(&random, 200) - 100);
    x[7] = x[99] = NAN;
    bestdag_table_add_numbers(run, t, "x", x);
    bestdag_table_add_numbers(run, t, "y", x);
    static const char *const names[] = {"t.csv", "t.tsv", "t.arff"};
    for (size_t k = 0; k < 3; k++) {
        struct bestdag_table *back = through(run, t, names[k]);
        assert_int_equal(back->column[1].kind, BESTDAG_NUMBERS);
        assert_int_equal(back->column[1].missing, 2);
        for (int i = 0; i < 500; i++) {
            double y = ((double *)back->column[1].cells)[i];
            assert_true(isnan(x[i]) ? isnan(y) : y == x[i]);
        }
        bestdag_table_free(back);
    }
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- refusals --------------------------------------------------------------
 */

static void expect_refusal(struct bestdag_run *run,
                           const struct bestdag_table *t, const char *name,
                           const char *error)
{
    assert_int_not_equal(bestdag_table_write(run, t, path_of(name)),
                         BESTDAG_OK);
    assert_non_null(strstr(bestdag_run_error(run), error));
    assert_int_equal(access(path_of(name), F_OK), -1); /* nothing is left */
    bestdag_run_clear(run);
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run, true);
    expect_refusal(run, t, "t.dat",
                   "column 'y' holds numbers, the dat format holds states");
    expect_refusal(run, t, "t.foo", "expected .csv .tsv .dat or .arff");
    bestdag_table_free(t);
    static const char *const bad[] = {"a b", "", "NA", "#x", "a,b", "\"a\""};
    for (size_t i = 0; i < 6; i++) {
        t = bestdag_table_new(run, 1);
        bestdag_table_add_codes(run, t, "x", (int8_t[]){0}, 1, 1, &bad[i]);
        expect_refusal(run, t, "t.dat", "the dat format cannot hold the label");
        bestdag_table_free(t);
    }
    t = bestdag_table_new(run, 1);
    expect_refusal(run, t, "t.csv", "a table without columns");
    expect_refusal(run, NULL, "t.csv", "a table without columns");
    bestdag_table_free(t);
    t = read_text(run, (struct text){.bytes = "x,y\n1,\n"});
    expect_refusal(run, t, "t.dat", "column 'y' has no value at all");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* So that what is written is read back: codes stay within what is declared. */
static void numbers_of_states_hold_the_largest_code(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"a,b,c\n0,1,5\n5,3,7\n", "a b c\n6 3 2\n0 1 5\n5 3 7\n"},
        {"a,b,c\n0,01,x\n1,9,0\n", "a b c\n2 2 2\n0 01 x\n1 9 0\n"},
        {"a,b\n2,1\n4,2\n", "a b\n2 2\n2 1\n4 2\n"}};
    for (int i = 0; i < 3; i++) {
        struct bestdag_run *run = new_run();
        struct bestdag_table *t = read_text(
            run, (struct text){.name = "t.csv", .bytes = files[i][0]});
        expect_file(run, t, "t.dat", files[i][1]);
        struct bestdag_table *back = through(run, t, "t.dat");
        assert_non_null(back);
        expect_file(run, back, "t.csv", files[i][0]);
        bestdag_table_free(back);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = read_text(
        run, (struct text){.name = "t.csv", .bytes = "a\n0\n1000000\n"});
    expect_refusal(run, t, "t.dat", "'a' has labels that count up to 1000001");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void formats_can_be_named(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run, false);
    struct bestdag_file file;
    assert_int_equal(bestdag_table_write_as(run, t, "tsv", path_of("t.csv")),
                     BESTDAG_OK);
    assert_int_equal(bestdag_file_read(run, path_of("t.csv"), &file), 0);
    assert_memory_equal(file.bytes, "x\tz\n", 4);
    bestdag_free(file.bytes);
    unlink(path_of("t.csv"));
    assert_int_equal(bestdag_table_write_as(run, t, "arf", path_of("t.csv")),
                     BESTDAG_USAGE);
    assert_string_equal(bestdag_run_error(run),
                        "there is no table format 'arf', did you mean 'arff'?");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static int stop_at_once(void *user, const struct bestdag_progress *now)
{
    (void)user;
    (void)now;
    return 1;
}

static void writing_can_be_stopped_and_leaves_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 200000);
    int8_t *codes = calloc(200000, 1);
    bestdag_table_add_codes(run, t, "x", codes, 1, 1, NULL);
    free(codes);
    bestdag_run_on_progress(run, stop_at_once, NULL);
    assert_int_equal(bestdag_table_write(run, t, path_of("t.csv")),
                     BESTDAG_FAILED);
    assert_non_null(strstr(bestdag_run_error(run), "stopped while writing"));
    assert_int_equal(access(path_of("t.csv"), F_OK), -1);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    static const char *const names[] = {"t.csv", "t.dat", "t.arff"};
    for (size_t k = 0; k < 3; k++)
        for (int64_t n = 1, done = 0; !done; n++) {
            struct bestdag_run *run = new_run();
            struct bestdag_table *t = make_table(run, false);
            give_weights(run, t);
            bestdag_memory_fail_at(run, n);
            done = !bestdag_table_write(run, t, path_of(names[k]));
            if (!done)
                assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
            bestdag_table_free(t);
            assert_int_equal(bestdag_memory_used(run), 0);
            bestdag_run_free(run);
            assert_int_equal(unlink(path_of(names[k])), done ? 0 : -1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_look_as_they_should),
        cmocka_unit_test(labels_are_quoted_where_they_must),
        cmocka_unit_test(tables_survive_round_trips),
        cmocka_unit_test(dat_survives_what_it_can_hold),
        cmocka_unit_test(numbers_come_back_to_the_last_bit),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(numbers_of_states_hold_the_largest_code),
        cmocka_unit_test(formats_can_be_named),
        cmocka_unit_test(writing_can_be_stopped_and_leaves_nothing),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
