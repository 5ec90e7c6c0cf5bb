/* SPDX-License-Identifier: MIT */
/* test_discretize.c -- cuts of every method against plain ones; labels; the
 * cuts file. */
#include "small_tables.h"

#include <unistd.h>

#include "base/json.h"
#include "data/discretize/discretize.h"

/* ---- what all tests use -------------------------------------------------- */

struct setting {
    const char *key, *value;
};

/* Settings end with { NULL }. NULL: failed, the run says why. */
static struct bestdag_table *discretize(struct bestdag_run *run,
                                        const struct bestdag_table *t,
                                        const struct setting *settings)
{
    struct bestdag_options *options = bestdag_options_new(run);
    for (; settings->key; settings++)
        bestdag_options_set(run, options, settings->key, settings->value);
    struct bestdag_table *to = bestdag_table_discretize(run, t, options);
    bestdag_options_free(options);
    return to;
}

#define DISCRETIZE(run, t, ...)                                                \
    discretize(run, t, (const struct setting[]){__VA_ARGS__, {NULL, NULL}})

struct cuts {
    int count;
    double at[1001];
};

static const char *cuts_path(char to[64])
{
    snprintf(to, 64, "/tmp/bestdag-cuts-%d.json", (int)getpid());
    return to;
}

/* The saved cuts of a column; the table must have been saved to cuts_path. */
static struct cuts read_cuts(struct bestdag_run *run, int column)
{
    char path[64];
    struct bestdag_file file;
    struct cuts cuts = {0};
    bestdag_file_read(run, cuts_path(path), &file);
    struct bestdag_json *root = bestdag_json_parse(run, &file);
    assert_ok(run);
    const struct bestdag_json *list = bestdag_json_get(
        bestdag_json_at(bestdag_json_get(root, "columns"), column), "cuts");
    cuts.count = (int)bestdag_json_count(list);
    for (int i = 0; i < cuts.count; i++)
        cuts.at[i] = bestdag_json_number(bestdag_json_at(list, i));
    bestdag_json_free(root);
    bestdag_free(file.bytes);
    return cuts;
}

/* Codes of `to` are those that the cuts give for the numbers of `from`. */
static void assert_codes(const struct bestdag_column *from,
                         const struct bestdag_column *to, int64_t rows,
                         const struct cuts *cuts)
{
    assert_int_equal(to->kind, BESTDAG_CODES);
    assert_int_equal(to->states, cuts->count + 1);
    for (int64_t r = 0; r < rows; r++) {
        double x = cell_number(from, r);
        int code = 0;
        while (code < cuts->count && cuts->at[code] <= x)
            code++;
        assert_int_equal(bestdag_column_code(to, r), isnan(x) ? -1 : code);
    }
}

static struct cuts cuts_by(struct bestdag_run *run,
                           const struct bestdag_table *t, const char *method)
{
    char path[64];
    struct bestdag_table *to =
        DISCRETIZE(run, t, {"method", method}, {"save-cuts", cuts_path(path)});
    assert_ok(run);
    struct cuts cuts = read_cuts(run, 0);
    assert_codes(&t->column[0], &to->column[0], t->rows, &cuts);
    bestdag_table_free(to);
    unlink(path);
    return cuts;
}

static void assert_cuts(const struct cuts *got, const double *expected,
                        int count)
{
    assert_int_equal(got->count, count);
    for (int i = 0; i < count; i++)
        assert_true(got->at[i] == expected[i]);
}

static struct bestdag_table *one_column(struct bestdag_run *run,
                                        const double *x, int64_t rows)
{
    struct bestdag_table *t = bestdag_table_new(run, rows);
    bestdag_table_add_numbers(run, t, "x", x);
    assert_ok(run);
    return t;
}

/* ---- values checked by hand ---------------------------------------------- */

static void cuts_of_small_columns_are_known(void **state)
{
    (void)state;
    static const double x[] = {10, 0, 1, 3, 4, 6};
    static const struct {
        const char *method;
        int count;
        double cuts[3];
    } known[] = {{"mean", 1, {4}},
                 {"median", 1, {3.5}},
                 {"width:4", 3, {2.5, 5, 7.5}},
                 {"width:2", 1, {5}},
                 {"quantile:2", 1, {3.5}},
                 {"quantile:4", 3, {1.5, 3.5, 5.5}}};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, x, 6);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct cuts cuts = cuts_by(run, t, known[i].method);
        assert_cuts(&cuts, known[i].cuts, known[i].count);
    }
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void a_quantile_at_the_least_value_moves_up(void **state)
{
    (void)state;
    static const double x[] = {0, 0, 0, 0, 0, 0, 2, 3, 7, 9};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, x, 10);
    struct cuts median = cuts_by(run, t, "median");
    assert_cuts(&median, (const double[]){2}, 1);
    struct cuts quarters = cuts_by(run, t, "quantile:4");
    assert_cuts(&quarters, (const double[]){2, 2.75}, 2);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void huge_numbers_do_not_overflow(void **state)
{
    (void)state;
    static const double x[] = {-1.7e308, 1.7e308, 1.7e308, 1.6e308};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, x, 4);
    struct cuts mean = cuts_by(run, t, "mean");
    assert_int_equal(mean.count, 1);
    assert_true(fabs(mean.at[0] - 0.825e308) < 1e293);
    struct cuts width = cuts_by(run, t, "width:2");
    assert_cuts(&width, (const double[]){0}, 1);
    struct cuts median = cuts_by(run, t, "median");
    assert_true(fabs(median.at[0] - 1.65e308) < 1e293);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void equal_values_give_one_state(void **state)
{
    (void)state;
    static const char *const methods[] = {"mean", "median", "width:3",
                                          "quantile:3"};
    static const double x[] = {0.1, 0.1, 0.1};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, x, 3);
    struct bestdag_table *none = one_column(run, x, 0);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct bestdag_table *to = DISCRETIZE(run, t, {"method", methods[i]});
        assert_int_equal(bestdag_table_states(to, 0), 1);
        assert_string_equal(bestdag_table_label(to, 0, 0), "s1_all");
        bestdag_table_free(to);
        to = DISCRETIZE(run, none, {"method", methods[i]});
        assert_int_equal(bestdag_table_states(to, 0), 1);
        bestdag_table_free(to);
    }
    bestdag_table_free(t);
    bestdag_table_free(none);
    bestdag_run_free(run);
}

/* ---- random tables ------------------------------------------------------- */

/* Known numbers of column 0, repeated by weight, ascending. */
static int expand(const struct bestdag_table *t, double *to)
{
    int n = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        double x = cell_number(&t->column[0], r);
        for (int64_t w = bestdag_table_weight(t, r); w > 0 && !isnan(x); w--) {
            int i = n++;
            for (; i > 0 && to[i - 1] > x; i--)
                to[i] = to[i - 1];
            to[i] = x;
        }
    }
    return n;
}

static void keep_cut(struct cuts *cuts, const double *x, int n, double cut)
{
    bool is_below = x[0] < cut, is_above = x[n - 1] >= cut;
    if (is_below && is_above &&
        (!cuts->count || cuts->at[cuts->count - 1] < cut))
        cuts->at[cuts->count++] = cut;
}

static int count_below(const double *x, int n, double cut)
{
    int count = 0;
    while (count < n && x[count] < cut)
        count++;
    return count;
}

/* By sorting and interpolating; no interval is empty. */
static struct cuts expected_quantiles(const double *x, int n, int k)
{
    struct cuts cuts = {0};
    for (int i = 1; n && i < k; i++) {
        int low = (n - 1) * i / k;
        double cut = x[low];
        if (low + 1 < n)
            cut += (x[low + 1] - x[low]) * ((n - 1) * i % k) / k;
        int next = 0;
        while (next < n && x[next] <= x[0])
            next++;
        if (cut <= x[0] && next < n)
            cut = x[next];
        if (!cuts.count ||
            count_below(x, n, cut) > count_below(x, n, cuts.at[cuts.count - 1]))
            keep_cut(&cuts, x, n, cut);
    }
    return cuts;
}

static void assert_near(const struct cuts *got, const struct cuts *expected)
{
    for (int i = 0; i < got->count; i++)
        assert_true(fabs(got->at[i] - expected->at[i]) < 1e-9);
}

static void random_columns_are_cut_as_sorting_says(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 1);
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t =
            bestdag_table_new(run, 1 + below(&random, 60));
        double x[400];
        char method[32];
        print_message("seed %d\r", (int)seed);
        add_random_numbers(run, t, &random, 2 + below(&random, 40),
                           below(&random, 2) * 5);
        if (below(&random, 2))
            set_random_weights(run, t, &random, 5);
        int n = expand(t, x), k = 2 + below(&random, 9);

        snprintf(method, sizeof method, "quantile:%d", k);
        struct cuts got = cuts_by(run, t, method);
        struct cuts expected = expected_quantiles(x, n, k);
        assert_near(&got, &expected);
        got = cuts_by(run, t, "median");
        expected = expected_quantiles(x, n, 2);
        assert_near(&got, &expected);

        struct cuts mean = {0}, width = {0};
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += x[i];
        if (n)
            keep_cut(&mean, x, n, sum / n);
        for (int i = 1; n && i < k; i++)
            keep_cut(&width, x, n, x[0] + (x[n - 1] - x[0]) * i / k);
        got = cuts_by(run, t, "mean");
        assert_near(&got, &mean);
        snprintf(method, sizeof method, "width:%d", k);
        got = cuts_by(run, t, method);
        assert_near(&got, &width);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

/* ---- mdl ----------------------------------------------------------------- */

enum { CLASSES = 3, MOST_ROWS = 400 };

struct labelled {
    double x;
    int class;
};

static int compare_labelled(const void *a, const void *b)
{
    double x = ((const struct labelled *)a)->x;
    double y = ((const struct labelled *)b)->x;
    return (x > y) - (x < y);
}

/* Entropy in bits, and the number of classes. */
static double entropy(const struct labelled *at, int n, int *classes)
{
    int count[CLASSES] = {0};
    double bits = 0;
    *classes = 0;
    for (int i = 0; i < n; i++)
        count[at[i].class]++;
    for (int c = 0; c < CLASSES; c++)
        if (count[c]) {
            bits -= (double)count[c] / n * log2((double)count[c] / n);
            ++*classes;
        }
    return bits;
}

/* The paper, word by word: every cut point, entropies from scratch. */
static void cut_as_in_the_paper(const struct labelled *at, int n,
                                struct cuts *to)
{
    int k, k1, k2, best = 0;
    double whole = entropy(at, n, &k), least = INFINITY;
    for (int i = 1; i < n; i++) {
        if (at[i].x <= at[i - 1].x)
            continue;
        double mean =
            (i * entropy(at, i, &k1) + (n - i) * entropy(at + i, n - i, &k2)) /
            n;
        if (mean < least - 1e-11) {
            least = mean;
            best = i;
        }
    }
    if (!best)
        return;
    double one = entropy(at, best, &k1),
           two = entropy(at + best, n - best, &k2);
    double delta = log2(pow(3, k) - 2) - (k * whole - k1 * one - k2 * two);
    if (whole - least <= log2(n - 1) / n + delta / n)
        return;
    cut_as_in_the_paper(at, best, to);
    to->at[to->count++] = (at[best - 1].x + at[best].x) / 2;
    cut_as_in_the_paper(at + best, n - best, to);
}

/* Numbers that say something about a class: c0 numbers, c1 class. */
static struct bestdag_table *classified(struct bestdag_run *run,
                                        struct bestdag_random *random)
{
    int rows = 1 + below(random, 100), noise = 1 + below(random, 12);
    double x[100];
    int class[100];
    for (int r = 0; r < rows; r++) {
        class[r] = below(random, CLASSES);
        x[r] = class[r] % 2 * 5 + class[r] + below(random, 4 * noise) / 4.0;
        if (!below(random, 15))
            x[r] = (double)NAN;
        if (!below(random, 15))
            class[r] = -1;
    }
    struct bestdag_table *t = bestdag_table_new(run, rows);
    bestdag_table_add_numbers(run, t, "x", x);
    bestdag_table_add_codes(run, t, "class", class, sizeof *class, CLASSES,
                            NULL);
    if (below(random, 2))
        set_random_weights(run, t, random, 3);
    return t;
}

static struct cuts expected_mdl(const struct bestdag_table *t)
{
    struct labelled at[MOST_ROWS];
    struct cuts cuts = {0};
    int n = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        double x = cell_number(&t->column[0], r);
        int class = bestdag_column_code(&t->column[1], r);
        for (int64_t w = bestdag_table_weight(t, r); w > 0; w--)
            if (!isnan(x) && class >= 0)
                at[n++] = (struct labelled){x, class};
    }
    qsort(at, (size_t)n, sizeof *at, compare_labelled);
    cut_as_in_the_paper(at, n, &cuts);
    return cuts;
}

static void mdl_cuts_as_in_the_paper(void **state)
{
    (void)state;
    int with_cuts = 0, with_several = 0, without = 0;
    char path[64];
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 2);
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t = classified(run, &random);
        struct cuts expected = expected_mdl(t);
        print_message("seed %d\r", (int)seed);
        struct bestdag_table *to =
            DISCRETIZE(run, t, {"method", "mdl"}, {"class", "class"},
                       {"save-cuts", cuts_path(path)});
        assert_ok(run);
        struct cuts got = read_cuts(run, 0);
        assert_cuts(&got, expected.at, expected.count);
        assert_codes(&t->column[0], &to->column[0], t->rows, &got);
        with_cuts += got.count > 0;
        with_several += got.count > 1;
        without += !got.count;
        bestdag_table_free(to);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
    unlink(path);
    assert_true(with_cuts > 100 && with_several > 30 && without > 30);
}

static void mdl_bears_many_classes(void **state)
{
    (void)state;
    enum { ROWS = 4000 };
    struct bestdag_run *run = bestdag_run_new();
    double x[ROWS];
    int class[ROWS];
    for (int r = 0; r < ROWS; r++) {
        x[r] = r;
        class[r] = r / 40;
    }
    struct bestdag_table *t = bestdag_table_new(run, ROWS);
    bestdag_table_add_numbers(run, t, "x", x);
    bestdag_table_add_codes(run, t, "y", class, sizeof *class, 100, NULL);
    struct bestdag_table *to =
        DISCRETIZE(run, t, {"method", "mdl"}, {"class", "y"});
    assert_ok(run);
    assert_int_equal(bestdag_table_states(to, 0), 100);
    for (int r = 0; r < ROWS; r++)
        assert_int_equal(bestdag_column_code(&to->column[0], r), class[r]);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* As other implementations of Fayyad and Irani's method cut it. */
static void mdl_cuts_irises_where_others_do(void **state)
{
    (void)state;
    static const double expected[][2] = {
        {5.55, 6.15}, {2.95, 3.35}, {2.45, 4.75}, {0.8, 1.75}};
    char path[1000], cuts[64];
    const char *folder = getenv("BESTDAG_DATA");
    if (!folder)
        skip();
    struct bestdag_run *run = bestdag_run_new();
    snprintf(path, sizeof path, "%s/uci/iris.csv", folder);
    struct bestdag_table *t = bestdag_table_read(run, path, NULL);
    struct bestdag_table *to =
        DISCRETIZE(run, t, {"method", "mdl"}, {"class", "class"},
                   {"save-cuts", cuts_path(cuts)});
    assert_ok(run);
    for (int c = 0; c < 4; c++) {
        struct cuts got = read_cuts(run, c);
        assert_cuts(&got, expected[c], 2);
    }
    unlink(cuts);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- labels -------------------------------------------------------------- */

static void labels_say_the_interval(void **state)
{
    (void)state;
    static const double iris[] = {5.1, 5.8, 5.9, 6.57333};
    static const double wide[] = {-1e300, -1.5, 1234567.25, 3e20, 4e20};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, iris, 4);
    struct bestdag_table *to = DISCRETIZE(run, t, {"method", "mean"});
    assert_string_equal(bestdag_table_label(to, 0, 0), "s1_below_5.84");
    assert_string_equal(bestdag_table_label(to, 0, 1), "s2_from_5.84");
    bestdag_table_free(to);
    bestdag_table_free(t);
    t = one_column(run, wide, 5);
    to = DISCRETIZE(run, t, {"method", "quantile:5"});
    assert_ok(run);
    assert_int_equal(bestdag_table_states(to, 0), 5);
    assert_string_equal(bestdag_table_label(to, 0, 0), "s1_below_-2e299");
    assert_string_equal(bestdag_table_label(to, 0, 3), "s4_1.2e20_to_3.2e20");
    assert_string_equal(bestdag_table_label(to, 0, 4), "s5_from_3.2e20");
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void cuts_are_free_of_the_noise_of_rounding(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, (const double[]){3.3, 3.4}, 2);
    struct cuts cuts = cuts_by(run, t, "median");
    assert_cuts(&cuts, (const double[]){3.35}, 1);
    bestdag_table_free(t);
    double next = nextafter(3.5, 4); /* what separates is no noise */
    t = one_column(run, (const double[]){3.5, next}, 2);
    cuts = cuts_by(run, t, "median");
    assert_cuts(&cuts, &next, 1);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* The number after a word of a label. */
static double number_after(const char *label, const char *word)
{
    const char *at = strstr(label, word);
    return at ? strtod(at + strlen(word), NULL) : (double)NAN;
}

static void labels_hold_for_every_value_and_sort_naturally(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 3);
        struct bestdag_run *run = bestdag_run_new();
        double x[80], scale = pow(10, below(&random, 40) - 20);
        char method[32];
        print_message("seed %d\r", (int)seed);
        for (int r = 0; r < 80; r++)
            x[r] = (bestdag_random_unit(&random) - 0.5) * scale +
                   (seed % 3 ? 0 : 1000 * scale);
        struct bestdag_table *t = one_column(run, x, 80);
        snprintf(method, sizeof method, "%s:%d",
                 seed % 2 ? "width" : "quantile", 2 + below(&random, 400));
        struct bestdag_table *to = DISCRETIZE(run, t, {"method", method});
        assert_ok(run);
        const struct bestdag_column *c = &to->column[0];
        for (int s = 0; s < c->states; s++) {
            const char *safe = "abcdefghijklmnopqrstuvwxyz0123456789_.-";
            assert_int_equal(strspn(c->labels[s], safe), strlen(c->labels[s]));
            assert_true(!s || bestdag_natural_compare(c->labels[s - 1],
                                                      c->labels[s]) < 0);
            double low = number_after(c->labels[s], "_");
            double high = number_after(c->labels[s], "_to_");
            assert_true(isnan(high) || low < high);
        }
        for (int r = 0; r < 80; r++) {
            const char *label = c->labels[bestdag_column_code(c, r)];
            double high = number_after(label, "_to_");
            double low = number_after(label, "_from_");
            if (isnan(high))
                high = number_after(label, "_below_");
            if (isnan(low))
                low = number_after(label, "_");
            assert_true(isnan(high) || x[r] < high);
            assert_true(strstr(label, "below") || x[r] >= low);
        }
        bestdag_table_free(to);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

/* ---- columns ------------------------------------------------------------- */

/* x: numbers; code: states that are numbers; text: others; many: opaque. */
static struct bestdag_table *mixed(struct bestdag_run *run)
{
    const char *numbers[] = {"1", "2", "10"}, *texts[] = {"low", "7", "high"};
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_numbers(run, t, "x", (const double[]){1, 2, 3, 4});
    bestdag_table_add_codes(run, t, "code", (const int8_t[]){0, 2, -1, 1}, 1, 3,
                            numbers);
    bestdag_table_add_codes(run, t, "text", (const int8_t[]){0, 1, 2, -1}, 1, 3,
                            texts);
    add_opaque(run, t, "many", 70000);
    return t;
}

static void other_columns_and_weights_are_copied(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = mixed(run);
    set_weights(run, t, (const int32_t[]){1, 1, 1, 3});
    struct bestdag_table *to = DISCRETIZE(run, t, {"method", "mean"});
    assert_ok(run);
    assert_int_equal(bestdag_table_columns(to), 4);
    assert_int_equal(to->total, 6);
    assert_int_equal(bestdag_table_weight(to, 3), 3);
    assert_int_equal(bestdag_column_code(&to->column[0], 1), 0); /* mean 3 */
    assert_int_equal(bestdag_column_code(&to->column[0], 2), 1);
    for (int c = 1; c < 3; c++) {
        assert_int_equal(to->column[c].missing, 1);
        for (int r = 0; r < 4; r++)
            assert_int_equal(bestdag_column_code(&to->column[c], r),
                             bestdag_column_code(&t->column[c], r));
        assert_string_equal(bestdag_table_label(to, c, 2),
                            bestdag_table_label(t, c, 2));
    }
    assert_int_equal(to->column[3].kind, BESTDAG_OPAQUE);
    assert_int_equal(to->column[3].distinct, 70000);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void codes_that_are_numbers_may_be_listed(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = mixed(run);
    struct bestdag_table *to =
        DISCRETIZE(run, t, {"method", "width:2"}, {"columns", "code"});
    assert_ok(run);
    assert_int_equal(bestdag_table_states(to, 0), 0);
    assert_string_equal(bestdag_table_label(to, 1, 0), "s1_below_5.5");
    const int expected[] = {0, 1, -1, 0};
    for (int r = 0; r < 4; r++)
        assert_int_equal(bestdag_column_code(&to->column[1], r), expected[r]);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct setting settings[3];
        int status;
        const char *says;
    } wrong[] = {
        {{{"method", "meen"}}, BESTDAG_USAGE, "did you mean 'mean'?"},
        {{{"method", "width"}}, BESTDAG_USAGE, "width:K"},
        {{{"method", "width:"}}, BESTDAG_USAGE, "width:K"},
        {{{"method", "width:1"}}, BESTDAG_USAGE, "from 2 to 1000"},
        {{{"method", "quantile:1001"}}, BESTDAG_USAGE, "from 2 to 1000"},
        {{{"method", "quantile:2.5"}}, BESTDAG_USAGE, "whole number"},
        {{{"method", "mean:2"}}, BESTDAG_USAGE, "takes no number"},
        {{{"method", ""}}, BESTDAG_USAGE, "mean, median, width:K"},
        {{{"method", "mdl"}}, BESTDAG_USAGE, "needs a class"},
        {{{"method", "mdl"}, {"class", "txt"}},
         BESTDAG_USAGE,
         "did you mean 'text'?"},
        {{{"method", "mdl"}, {"class", "x"}}, BESTDAG_USAGE, "no states"},
        {{{"columns", "x,cod"}}, BESTDAG_USAGE, "did you mean 'code'?"},
        {{{"columns", "x,"}}, BESTDAG_USAGE, "no column ''"},
        {{{"columns", "x, text"}}, BESTDAG_INPUT, "the state 'low'"},
        {{{"columns", "many"}}, BESTDAG_INPUT, "'many' holds text"},
        {{{"cuts", "c.json"}, {"method", "mean"}}, BESTDAG_USAGE, "exclude"},
        {{{"cuts", "c.json"}, {"columns", "x"}}, BESTDAG_USAGE, "exclude"},
    };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = mixed(run);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(discretize(run, t, wrong[i].settings));
        assert_int_equal(bestdag_run_status(run), wrong[i].status);
        if (!strstr(bestdag_run_error(run), wrong[i].says))
            fail_msg("'%s' does not say '%s'", bestdag_run_error(run),
                     wrong[i].says);
        bestdag_run_clear(run);
    }
    assert_null(bestdag_table_discretize(run, NULL, NULL));
    assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void the_class_cannot_be_cut_itself(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = mixed(run);
    assert_null(DISCRETIZE(run, t, {"method", "mdl"}, {"class", "code"},
                           {"columns", "code"}));
    assert_non_null(strstr(bestdag_run_error(run), "is the class"));
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static int collect_notes(void *to, const struct bestdag_progress *now)
{
    if (now->note && !now->detail)
        strcat(strcat(to, now->note), "\n");
    return 0;
}

static void what_is_unusual_is_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char notes[1000] = "";
    bestdag_run_on_progress(run, collect_notes, notes);
    struct bestdag_table *t = bestdag_table_new(run, 6);
    bestdag_table_add_numbers(run, t, "same",
                              (const double[]){1, 1, 1, 1, 1, 1});
    bestdag_table_add_numbers(run, t, "ties",
                              (const double[]){0, 0, 0, 1, 1, 1});
    struct bestdag_table *to = DISCRETIZE(run, t, {"method", "quantile:5"});
    assert_string_equal(notes,
                        "1 of 2 columns: no cut, one state\n1 of 2 columns: "
                        "fewer states than requested, equal cuts merged\n");
    assert_int_equal(bestdag_table_states(to, 1), 2);
    bestdag_table_free(to);
    notes[0] = 0;
    to = DISCRETIZE(run, t, {"method", "width:3"}, {"columns", "ties"});
    assert_string_equal(notes, "1 of 1 columns: some states are empty\n");
    assert_int_equal(bestdag_table_states(to, 1), 3);
    bestdag_table_free(t);
    t = bestdag_table_new(run, 0);
    notes[0] = 0;
    bestdag_table_free(DISCRETIZE(run, t, {"method", "mean"}));
    assert_string_equal(notes, "no numeric column, nothing to discretise\n");
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void columns_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(11, 4);
    struct bestdag_table *t = bestdag_table_new(run, 500);
    for (int c = 0; c < 20; c++)
        add_random_numbers(run, t, &random, 100, 10);
    bestdag_run_set(run, "threads", "1");
    struct bestdag_table *one = DISCRETIZE(run, t, {"method", "quantile:7"});
    bestdag_run_set(run, "threads", "5");
    struct bestdag_table *five = DISCRETIZE(run, t, {"method", "quantile:7"});
    assert_ok(run);
    for (int c = 0; c < 20; c++) {
        assert_memory_equal(one->column[c].cells, five->column[c].cells, 500);
        assert_string_equal(bestdag_table_label(one, c, 1),
                            bestdag_table_label(five, c, 1));
    }
    bestdag_table_free(one);
    bestdag_table_free(five);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- the cuts file ------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void saved_cuts_apply_to_other_tables(void **state)
{
    (void)state;
    char path[64];
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t =
        one_column(run, (const double[]){0, 1.1, 2.2, 3.3, 1e-9, 1 / 3.0}, 6);
    struct bestdag_table *first = DISCRETIZE(run, t, {"method", "quantile:4"},
                                             {"save-cuts", cuts_path(path)});
    struct bestdag_table *again = DISCRETIZE(run, t, {"cuts", path});
    assert_ok(run);
    assert_int_equal(bestdag_table_states(again, 0), 4);
    for (int r = 0; r < 6; r++)
        assert_int_equal(bestdag_column_code(&first->column[0], r),
                         bestdag_column_code(&again->column[0], r));
    for (int s = 0; s < 4; s++)
        assert_string_equal(bestdag_table_label(first, 0, s),
                            bestdag_table_label(again, 0, s));

    const char *labels[] = {"-100", "100"}; /* numbers as states */
    struct bestdag_table *other = bestdag_table_new(run, 3);
    bestdag_table_add_codes(run, other, "y", (const int8_t[]){0, 0, 0}, 1, 1,
                            NULL);
    bestdag_table_add_codes(run, other, "x", (const int8_t[]){1, 0, -1}, 1, 2,
                            labels);
    struct bestdag_table *applied = DISCRETIZE(run, other, {"cuts", path});
    assert_ok(run);
    assert_int_equal(bestdag_table_states(applied, 1), 4);
    assert_int_equal(bestdag_column_code(&applied->column[1], 0), 3);
    assert_int_equal(bestdag_column_code(&applied->column[1], 1), 0);
    assert_int_equal(bestdag_column_code(&applied->column[1], 2), -1);
    bestdag_table_free(applied);
    bestdag_table_free(other);
    bestdag_table_free(again);
    bestdag_table_free(first);
    bestdag_table_free(t);
    bestdag_run_free(run);
    unlink(path);
}

static void malformed_cuts_are_refused_with_their_place(void **state)
{
    (void)state;
#define HEAD "{\"bestdag\": \"cuts\", \"version\": 1,\n \"columns\": ["
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", ":1:1: "},
        {"[]", ":1:1: expected an object"},
        {"{}", ":1:1: there is no 'bestdag'"},
        {"{\"bestdag\": 3}", "expected a text"},
        {"{\"bestdag\": \"network\"}", "this is not a file of cuts"},
        {"{\"bestdag\": \"cuts\"}", "there is no 'version'"},
        {"{\"bestdag\": \"cuts\", \"version\": 2}", "expected 1"},
        {"{\"bestdag\": \"cuts\", \"version\": 1}", "there is no 'columns'"},
        {HEAD "7]}", ":2:14: expected an object"},
        {HEAD "{}]}", ":2:14: there is no 'name'"},
        {HEAD "{\"name\": \"xx\"}]}", "did you mean 'x'?"},
        {HEAD "{\"name\": \"x\"}]}", "there is no 'cuts'"},
        {HEAD "{\"name\": \"x\", \"cuts\": [\"a\"]}]}",
         ":2:37: expected a number"},
        {HEAD "{\"name\": \"x\", \"cuts\": [1, 1]}]}", ":2:40: expected a "},
        {HEAD "{\"name\": \"x\", \"cuts\": [2, 1]}]}", "above"},
        {HEAD "{\"name\": \"x\", \"cuts\": [1e999]}]}", ":2:37: "},
        {HEAD "{\"name\": \"x\", \"cuts\": [1]}]}", "there is no 'labels'"},
        {HEAD "{\"name\": \"x\", \"cuts\": [1], \"labels\": [\"a\"]}]}",
         "expected one label more"},
        {HEAD "{\"name\": \"x\", \"cuts\": [1], \"labels\": [\"a\", 1]}]}",
         "expected a label"},
        {HEAD "{\"name\": \"x\", \"cuts\": [1], \"labels\": [\"a\", \"\"]}]}",
         "expected a label"},
        {HEAD "{\"name\": \"x\", \"cuts\": [1], \"labels\": [\"a\", \"a\"]}]}",
         "two labels"},
        {HEAD "{\"name\": \"x\", \"cuts\": [], \"labels\": [\"a\"]},\n"
              "{\"name\": \"x\", \"cuts\": [], \"labels\": [\"a\"]}]}",
         ":3:10: this column is repeated"},
    };
    char path[64];
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, (const double[]){0, 1}, 2);
    cuts_path(path);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_file(path, wrong[i].text);
        assert_null(DISCRETIZE(run, t, {"cuts", path}));
        assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
        if (!strstr(bestdag_run_error(run), wrong[i].says) ||
            !strstr(bestdag_run_error(run), path))
            fail_msg("'%s' does not say '%s'", bestdag_run_error(run),
                     wrong[i].says);
        bestdag_run_clear(run);
    }
    unlink(path);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void cuts_for_a_column_of_text_are_refused(void **state)
{
    (void)state;
    char path[64];
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = mixed(run);
    write_file(cuts_path(path),
               "{\"bestdag\": \"cuts\", \"version\": 1, \"columns\": "
               "[{\"name\": \"text\", \"cuts\": [], \"labels\": [\"a\"]}]}");
    assert_null(DISCRETIZE(run, t, {"cuts", path}));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_non_null(strstr(bestdag_run_error(run), "'text'"));
    unlink(path);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- faults -------------------------------------------------------------- */

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    static const struct setting settings[][4] = {
        {{"method", "mean"}},
        {{"method", "quantile:4"}, {"columns", "x,c1"}},
        {{"method", "mdl"}, {"class", "c1"}, {"save-cuts", "/dev/null"}},
        {{"cuts", NULL}},
    };
    char path[64];
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(9, 5);
    bestdag_run_set(run, "threads", "1");
    struct bestdag_table *t = bestdag_table_new(run, 30);
    double x[30];
    for (int r = 0; r < 30; r++)
        x[r] = r;
    bestdag_table_add_numbers(run, t, "x", x);
    add_random_codes(run, t, &random, 3, 0);
    for (int r = 0; r < 30; r++)
        ((uint8_t *)t->column[1].cells)[r] = (uint8_t)(r / 10);
    bestdag_table_free(DISCRETIZE(run, t, {"method", "width:3"},
                                  {"save-cuts", cuts_path(path)}));
    assert_ok(run);
    for (int i = 0; i < 4; i++) {
        struct bestdag_options *options = bestdag_options_new(run);
        struct bestdag_table *to = NULL;
        for (int k = 0; k < 4 && settings[i][k].key; k++) {
            const char *value = settings[i][k].value;
            if (!value || !strcmp(value, "/dev/null"))
                value = path;
            bestdag_options_set(run, options, settings[i][k].key, value);
        }
        int64_t used = bestdag_memory_used(run), n = 1;
        for (; !to; n++) {
            bestdag_memory_fail_at(run, n);
            to = bestdag_table_discretize(run, t, options);
            assert_true(to || bestdag_run_status(run) == BESTDAG_MEMORY);
            assert_true(to || bestdag_memory_used(run) == used);
            bestdag_run_clear(run);
        }
        assert_true(n > 10);
        bestdag_memory_fail_at(run, 0);
        bestdag_table_free(to);
        bestdag_options_free(options);
    }
    unlink(path);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void a_stop_is_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = one_column(run, (const double[]){0, 1}, 2);
    bestdag_run_stop(run);
    assert_null(DISCRETIZE(run, t, {"method", "mean"}));
    assert_int_equal(bestdag_run_status(run), BESTDAG_FAILED);
    assert_non_null(strstr(bestdag_run_error(run), "stopped"));
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void methods_have_names_and_help(void **state)
{
    (void)state;
    int count = 0;
    const struct bestdag_discretizer *d;
    for (; (d = bestdag_discretizer_at(count)); count++)
        assert_true(*d->name && *d->help && d->cut);
    assert_int_equal(count, 5);
    assert_null(bestdag_discretizer_at(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_of_small_columns_are_known),
        cmocka_unit_test(a_quantile_at_the_least_value_moves_up),
        cmocka_unit_test(huge_numbers_do_not_overflow),
        cmocka_unit_test(equal_values_give_one_state),
        cmocka_unit_test(random_columns_are_cut_as_sorting_says),
        cmocka_unit_test(mdl_cuts_as_in_the_paper),
        cmocka_unit_test(mdl_bears_many_classes),
        cmocka_unit_test(mdl_cuts_irises_where_others_do),
        cmocka_unit_test(labels_say_the_interval),
        cmocka_unit_test(cuts_are_free_of_the_noise_of_rounding),
        cmocka_unit_test(labels_hold_for_every_value_and_sort_naturally),
        cmocka_unit_test(other_columns_and_weights_are_copied),
        cmocka_unit_test(codes_that_are_numbers_may_be_listed),
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(the_class_cannot_be_cut_itself),
        cmocka_unit_test(what_is_unusual_is_told),
        cmocka_unit_test(columns_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(saved_cuts_apply_to_other_tables),
        cmocka_unit_test(malformed_cuts_are_refused_with_their_place),
        cmocka_unit_test(cuts_for_a_column_of_text_are_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(a_stop_is_told),
        cmocka_unit_test(methods_have_names_and_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
