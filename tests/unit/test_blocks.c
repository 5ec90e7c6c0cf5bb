/* SPDX-License-Identifier: MIT */
/* Random tables, written out in many ways and read back in blocks of any size,
 * by the fast path and the general one; what must come out is worked out here
 * from the values themselves. */
#include "base/text.h"
#include "unit/tables.h"

enum { MOST_ROWS = 700, MOST_COLUMNS = 150 };

/* What was written: cell[r][c] is a label or NULL for missing. */
struct truth {
    int rows, columns;
    const char *cell[MOST_ROWS][MOST_COLUMNS];
};

static struct truth truth; /* too big for a stack */

static const char *const singles[] = {"0", "1", "2", "3", "4", "5", "6", "7",
                                      "8", "9", "a", "b", "Z", "!", "~", "'"};
static const char *const any[] = {"0",
                                  "1",
                                  "10",
                                  "2",
                                  "a",
                                  "a b",
                                  "yes",
                                  "no",
                                  "-5",
                                  "1.0",
                                  "12345678",
                                  "123456789",
                                  "a,b",
                                  "q\"q",
                                  "l\nl",
                                  "NA",
                                  "",
                                  " x ",
                                  "\xc3\xa9t\xc3\xa9",
                                  "a rather long label",
                                  "a rather long labeL",
                                  "cr\r\nlf",
                                  ";",
                                  "|",
                                  "\t",
                                  "?",
                                  "x\ry"};

/* How a table is made and written. */
struct way {
    bool only_singles;
    double odd;     /* share of cells from the longer list */
    double missing; /* share of missing cells */
    bool quote_all;
    const char *line_end;
    bool ends; /* the last row has a line break */
    char delimiter;
};

static bool needs_quotes(const char *label)
{
    static const char *const tokens[] = {"", "NA", "?", "NaN", "<NA>"};
    for (size_t i = 0; i < 5; i++)
        if (!strcmp(label, tokens[i]))
            return true;
    return strpbrk(label, " \t,;|\"\r\n") != NULL;
}

static char *put_label(char *to, const char *label, bool quote)
{
    if (!label)
        return stpcpy(to, "?");
    if (!quote && !needs_quotes(label))
        return stpcpy(to, label);
    *to++ = '"';
    for (; *label; label++) {
        if (*label == '"')
            *to++ = '"';
        *to++ = *label;
    }
    *to++ = '"';
    return to;
}

static void make_truth(struct bestdag_random *random, const struct way *way)
{
    truth.rows = 1 + (int)bestdag_random_below(random, MOST_ROWS);
    truth.columns =
        1 + (int)bestdag_random_below(
                random, bestdag_random_below(random, 2) ? MOST_COLUMNS : 6);
    for (int r = 0; r < truth.rows; r++)
        for (int c = 0; c < truth.columns; c++) {
            double u = bestdag_random_unit(random);
            const char **to = &truth.cell[r][c];
            if (u < way->missing)
                *to = NULL;
            else if (!way->only_singles && u < way->missing + way->odd)
                *to =
                    any[bestdag_random_below(random, sizeof any / sizeof *any)];
            else
                *to = singles[bestdag_random_below(random,
                                                   1 + (uint64_t)(c % 16))];
        }
}

static char *write_truth(const struct way *way)
{
    char *text =
        malloc((size_t)(truth.rows + 1) * (size_t)truth.columns * 48 + 64);
    char *p = text;
    for (int r = -1; r < truth.rows; r++) {
        for (int c = 0; c < truth.columns; c++) {
            if (c)
                *p++ = way->delimiter;
            if (r < 0)
                p += sprintf(p, "V%d", c + 1);
            else
                p = put_label(p, truth.cell[r][c], way->quote_all);
        }
        if (r < truth.rows - 1 || way->ends)
            p = stpcpy(p, way->line_end);
    }
    *p = 0;
    return text;
}

static int by_nature(const void *a, const void *b)
{
    return bestdag_natural_compare(*(const char *const *)a,
                                   *(const char *const *)b);
}

/* The different labels of a column in natural order. */
static int levels_of(int column, const char **level)
{
    int count = 0;
    for (int r = 0; r < truth.rows; r++) {
        const char *label = truth.cell[r][column];
        bool known = !label;
        for (int i = 0; i < count && !known; i++)
            known = !strcmp(level[i], label);
        if (!known)
            level[count++] = label;
    }
    qsort(level, (size_t)count, sizeof *level, by_nature);
    return count;
}

static void assert_true_table(const struct bestdag_table *t)
{
    assert_int_equal(t->rows, truth.rows);
    assert_int_equal(t->columns, truth.columns);
    for (int c = 0; c < truth.columns; c++) {
        const char *level[64];
        const struct bestdag_column *column = &t->column[c];
        int count = levels_of(c, level);
        int64_t missing = 0;
        if (!count) {
            assert_int_equal(column->kind, BESTDAG_OPAQUE);
            continue;
        }
        assert_int_equal(column->states, count);
        for (int s = 0; s < count; s++)
            assert_string_equal(column->labels[s], level[s]);
        for (int r = 0; r < truth.rows; r++) {
            int code = bestdag_column_code(column, r);
            const char *label = truth.cell[r][c];
            missing += !label;
            assert_int_equal(code < 0, !label);
            if (label)
                assert_string_equal(column->labels[code], label);
        }
        assert_int_equal(column->missing, missing);
    }
}

static void check_way(uint64_t seed, const struct way *way)
{
    static const size_t blocks[] = {0, 1, 2, 3, 17, 64, 1000, 4096};
    struct bestdag_random random = bestdag_random_init(seed, 7);
    make_truth(&random, way);
    char *text = write_truth(way), settings[64];
    snprintf(settings, sizeof settings, "missing=keep delimiter=%s",
             way->delimiter == '\t'  ? "tab"
             : way->delimiter == ' ' ? "blank"
             : way->delimiter == ';' ? ";"
                                     : ",");
    for (int k = 0; k < 4; k++) {
        struct bestdag_probe probe = {blocks[bestdag_random_below(&random, 8)],
                                      k % 2};
        struct bestdag_run *run = new_run();
        struct bestdag_table *t = read_text(
            run,
            (struct text){.bytes = text, .settings = settings, .probe = probe});
        if (!t)
            fail_msg("seed %llu, block %zu: %s", (unsigned long long)seed,
                     probe.block, bestdag_run_error(run));
        assert_true_table(t);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
    free(text);
}

static void check_ways(const struct way *way, int count, int seeds)
{
    for (int i = 0; i < count; i++)
        for (int seed = 1; seed <= seeds; seed++) {
            print_message("%d ", 1000 * i + seed);
            check_way((uint64_t)(1000 * i + seed), &way[i]);
        }
}

static void fields_of_one_character_come_back(void **state)
{
    (void)state;
    static const struct way ways[] = {
        {.only_singles = true,
         .line_end = "\n",
         .ends = true,
         .delimiter = ','},
        {.only_singles = true,
         .line_end = "\r\n",
         .ends = true,
         .delimiter = ','},
        {.only_singles = true, .line_end = "\r", .delimiter = ','},
        {.only_singles = true, .line_end = "\n", .delimiter = ' '},
        {.only_singles = true,
         .missing = 0.05,
         .line_end = "\n",
         .ends = true,
         .delimiter = '\t'},
        {.only_singles = true,
         .missing = 0.5,
         .line_end = "\r\n",
         .delimiter = ';'}};
    check_ways(ways, sizeof ways / sizeof *ways, 12);
}

static void fields_of_any_kind_come_back(void **state)
{
    (void)state;
    static const struct way ways[] = {
        {.odd = 0.001, .line_end = "\n", .ends = true, .delimiter = ','},
        {.odd = 0.01,
         .missing = 0.01,
         .line_end = "\r\n",
         .ends = true,
         .delimiter = ','},
        {.odd = 0.5, .missing = 0.1, .line_end = "\n", .delimiter = ';'},
        {.odd = 1,
         .missing = 0.3,
         .line_end = "\n",
         .ends = true,
         .delimiter = ' '},
        {.odd = 0.3,
         .missing = 0.1,
         .quote_all = true,
         .line_end = "\r\n",
         .delimiter = '\t'},
        {.odd = 0.3, .line_end = "\r", .ends = true, .delimiter = ','}};
    check_ways(ways, sizeof ways / sizeof *ways, 12);
}

/* A run of plain rows with one that is not, at every place. */
static void one_odd_row_among_plain_ones_is_seen(void **state)
{
    (void)state;
    enum { ROWS = 600, COLUMNS = 5 };
    static const char *const odd[] = {"12", "\"x\"", "", " 3", "\xc3\xa9"};
    for (int at = 0; at < ROWS; at += 37)
        for (size_t k = 0; k < 5; k++) {
            char text[ROWS * COLUMNS * 4 + 64], *p = text;
            p += sprintf(p, "a,b,c,d,e\n");
            for (int r = 0; r < ROWS; r++)
                for (int c = 0; c < COLUMNS; c++)
                    p += r == at && c == 2
                             ? sprintf(p, "%s,", odd[k])
                             : sprintf(p, "%d%c", (r * 7 + c) % 3,
                                       c == COLUMNS - 1 ? '\n' : ',');
            struct bestdag_run *run = new_run();
            struct bestdag_table *fast = read_text(
                run, (struct text){.bytes = text, .settings = "missing=keep"});
            struct bestdag_table *slow =
                read_text(run, (struct text){.bytes = text,
                                             .settings = "missing=keep",
                                             .probe = {.only_general = true}});
            assert_non_null(fast);
            assert_same_tables(fast, slow);
            for (int r = 0; r < ROWS; r++) {
                char label[8];
                snprintf(label, sizeof label, "%d", (r * 7 + 1) % 3);
                assert_string_equal(cell(fast, 1, r), label);
            }
            bestdag_table_free(fast);
            bestdag_table_free(slow);
            bestdag_run_free(run);
        }
}

/* A line break where a delimiter should be keeps the length of the row. */
static void a_broken_row_of_the_right_length_is_no_plain_row(void **state)
{
    (void)state;
    for (int at = 0; at < 300; at += 23) {
        char text[4096], *p = text, error[64];
        p += sprintf(p, "a,b,c\n");
        for (int r = 0; r < 300; r++)
            p += sprintf(p, r == at ? "1\n2,3\n" : "1,2,3\n");
        snprintf(error, sizeof error, "t.csv:%d: found 1 field, expected 3",
                 at + 2);
        expect_error((struct text){.bytes = text}, BESTDAG_INPUT, error);
    }
}

static void every_error_has_the_same_place_on_both_paths(void **state)
{
    (void)state;
    for (int at = 0; at < 500; at += 41) {
        char text[8192], *p = text, error[128];
        p += sprintf(p, "a,b,c\n");
        for (int r = 0; r < 500; r++)
            p += sprintf(p, r == at ? "1,2,?\n" : "1,2,3\n");
        snprintf(error, sizeof error,
                 "t.csv:%d:5: a missing value (--missing drop or state accepts "
                 "it)",
                 at + 2);
        for (size_t block = 0; block < 3; block++)
            for (int general = 0; general < 2; general++)
                expect_error((struct text){.bytes = text,
                                           .settings = "missing=error",
                                           .probe = {block * 100, general}},
                             BESTDAG_INPUT, error);
    }
}

/* Many states make a column wide while the fast path is at work. */
static void columns_widen_in_the_middle(void **state)
{
    (void)state;
    enum { ROWS = 3000 };
    char *text = malloc(ROWS * 16), *p = text;
    p += sprintf(p, "a,b\n");
    for (int r = 0; r < ROWS; r++)
        p += r % 5 == 4 ? sprintf(p, "w%d,%d\n", r / 5, r % 2)
                        : sprintf(p, "%d,%d\n", r % 10, r % 2);
    struct bestdag_run *run = new_run();
    struct bestdag_table *t =
        read_text(run, (struct text){.bytes = text, .probe = {.block = 512}});
    assert_non_null(t);
    assert_int_equal(t->column[0].states, ROWS / 5 + 8);
    assert_int_equal(t->column[0].bytes, 2);
    for (int r = 0; r < ROWS; r++) {
        char label[16];
        snprintf(label, sizeof label, r % 5 == 4 ? "w%d" : "%d",
                 r % 5 == 4 ? r / 5 : r % 10);
        assert_string_equal(cell(t, 0, r), label);
    }
    bestdag_table_free(t);
    bestdag_run_free(run);
    free(text);
}

/* Mangled files end in a table or one line of error, never anything else. */
static void mangled_files_are_survived(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "x,y,z\n1,a,\"q\"\"q\"\n2,b,\n3,?,\"l\nl\"\n",
        "x;y\n1,5;2\n3,5;4\n\"\";NA\n",
        "a b c\n2 3 2\n0 1 1\n1 2 0\n# note\n1 0 0\n",
        ("@relation r\n@attribute a {x,'y z'}\n@attribute b numeric\n"
         "@data\nx,1\n{0 'y z'}\n?,2,{3}\n")};
    static const char signs[] = ",;\"'\n\r\t |{}@%#\\?0a\xc3\0";
    static const char *const names[] = {"m.csv", "m.csv", "m.dat", "m.arff"};
    static const char *const policies[] = {"missing=keep", "missing=drop",
                                           "missing=state", "missing=error"};
    struct bestdag_random random = bestdag_random_init(20240601, 1);
    for (int k = 0; k < 6000; k++) {
        char text[512];
        size_t n = strlen(seeds[k % 4]);
        memcpy(text, seeds[k % 4], n);
        for (int edits = 1 + (int)bestdag_random_below(&random, 4); edits;
             edits--) {
            size_t at = bestdag_random_below(&random, n);
            if (bestdag_random_below(&random, 3)) {
                text[at] = signs[bestdag_random_below(&random, sizeof signs)];
            } else if (n > 2)
                n = bestdag_random_below(&random, 2)
                        ? at + 1
                        : (memmove(text + at, text + at + 1, n - at - 1),
                           n - 1);
        }
        struct bestdag_run *run = new_run();
        struct bestdag_table *t = read_text(
            run, (struct text){
                     .name = names[k % 4],
                     .bytes = text,
                     .size = n,
                     .settings = policies[bestdag_random_below(&random, 4)],
                     .probe = {.block = bestdag_random_below(&random, 20)}});
        assert_int_equal(t == NULL, bestdag_run_status(run) != BESTDAG_OK);
        if (!t)
            assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
        for (int c = 0; t && c < t->columns; c++)
            for (int64_t r = 0;
                 t->column[c].kind == BESTDAG_CODES && r < t->rows; r++)
                assert_true(bestdag_column_code(&t->column[c], r) <
                            t->column[c].states);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

/* Fails the n-th allocation, for all n, until all succeed. */
static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {.bytes = "x,\"y\"\"\",z\n1,a,a long long label\n2,?,\"b\"\"\"\n"
                  "3,c,d\n",
         .settings = "missing=state ignore=x",
         .probe = {.block = 8}},
        {.bytes = "x,y,w\n1,a,1\n2,b,0\n3,?,2\n1,b,4\n",
         .settings = "weights=w"},
        {.name = "t.dat",
         .bytes = "x y\n3 2\n0 b\n2 c\n",
         .settings = "arity=declared"},
        {.name = "t.arff",
         .bytes = "@relation r\n@attribute a {x,'y\\' z',u}\n"
                  "@attribute b real\n@data\nx,1.5\n{0 u},{4}\n?,2\n"}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        int64_t n = 1;
        for (bool done = false; !done; n++) {
            struct bestdag_run *run = new_run();
            struct bestdag_options *o = options_of(run, texts[k].settings);
            struct text t = texts[k];
            bestdag_memory_fail_at(run, n);
            struct bestdag_source *source = bestdag_source_memory(
                run, t.name ? t.name : "t.csv", t.bytes, strlen(t.bytes));
            struct bestdag_table *table =
                bestdag_table_from(run, source, o, &t.probe);
            done = table != NULL;
            if (!done)
                assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
            bestdag_table_free(table);
            bestdag_source_close(source);
            bestdag_options_free(o);
            assert_int_equal(bestdag_memory_used(run), 0);
            bestdag_run_free(run);
        }
        assert_true(n > 15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_one_character_come_back),
        cmocka_unit_test(fields_of_any_kind_come_back),
        cmocka_unit_test(one_odd_row_among_plain_ones_is_seen),
        cmocka_unit_test(a_broken_row_of_the_right_length_is_no_plain_row),
        cmocka_unit_test(every_error_has_the_same_place_on_both_paths),
        cmocka_unit_test(columns_widen_in_the_middle),
        cmocka_unit_test(mangled_files_are_survived),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
