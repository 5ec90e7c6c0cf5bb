/* SPDX-License-Identifier: MIT */
/* Candidate sets: the collector against brute force, .jkl files there and back,
 * sidecars, files of other programs, bad files, work that goes on. */
#include <math.h>

#include "scratch.h"
#include "small_tables.h"

#include "base/options.h"
#include "parents/files/jkl.h"
#include "parents/sets.h"

/* ---- the collector ----------------------------------------------------------
 */

struct plain {
    uint32_t mask;
    double score;
};

static bool is_dominated(const struct plain *all, int count, int i)
{
    for (int j = 0; j < count; j++)
        if (j != i && !(all[j].mask & ~all[i].mask) &&
            all[j].mask != all[i].mask && all[j].score >= all[i].score)
            return true;
    return false;
}

static void collect_at_random(struct bestdag_random *random, int places,
                              int count, bool prune)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_collector *c = bestdag_collector_new(run);
    struct bestdag_list list = {0};
    struct plain *all = calloc((size_t)count, sizeof *all);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int set[32], size = 0;
        bool again = true;
        while (again) { /* different sets */
            again = false;
            all[i].mask =
                (uint32_t)bestdag_random_below(random, (uint64_t)1 << places);
            for (int j = 0; j < i; j++)
                again |= all[j].mask == all[i].mask;
        }
        all[i].score = -(double)bestdag_random_below(random, 20);
        for (int v = 0; v < places; v++)
            if (all[i].mask >> v & 1)
                set[size++] = v;
        bestdag_collector_add(c, set, size, all[i].score);
        if (i % 7 == 0) /* twice, and worse */
            bestdag_collector_add(c, set, size, all[i].score - 1);
    }
    assert_int_equal(bestdag_collector_finish(c, prune, &list), BESTDAG_OK);
    for (int i = 0; i < count; i++) {
        if (prune && is_dominated(all, count, i))
            continue;
        kept++;
        bool found = false;
        for (int64_t k = 0; k < list.count; k++) {
            uint32_t mask = 0;
            for (int64_t j = list.start[k]; j < list.start[k + 1]; j++)
                mask |= 1u << list.member[j];
            found |= mask == all[i].mask && list.score[k] == all[i].score;
        }
        assert_true(found);
    }
    assert_int_equal(list.count, kept);
    for (int64_t k = 1; k < list.count; k++)
        assert_true(list.score[k] <= list.score[k - 1]);
    bestdag_list_release(&list);
    bestdag_collector_free(c);
    free(all);
    scratch_end(run);
}

static void the_collector_keeps_what_brute_force_keeps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 0);
        int places = 1 + (int)(seed % 24);
        int most = places < 8 ? 1 << places : 200;
        collect_at_random(&random, places, 1 + below(&random, most),
                          seed % 3 != 0);
    }
}

/* ---- files
 * ------------------------------------------------------------------- */

static struct bestdag_sets *read_text(struct bestdag_run *run, const char *text)
{
    struct bestdag_source *s =
        bestdag_source_memory(run, "t.jkl", text, strlen(text));
    struct bestdag_sets *sets = s ? bestdag_jkl_read(run, s) : NULL;
    bestdag_source_close(s);
    return sets;
}

static void assert_same(const struct bestdag_sets *a,
                        const struct bestdag_sets *b)
{
    assert_int_equal(a->n, b->n);
    for (int v = 0; v < a->n; v++) {
        const struct bestdag_list *x = &a->list[v], *y = &b->list[v];
        assert_string_equal(a->names[v], b->names[v]);
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->score, y->score,
                            (size_t)x->count * sizeof *x->score);
        assert_memory_equal(x->start, y->start,
                            ((size_t)x->count + 1) * sizeof *x->start);
        assert_memory_equal(x->member, y->member,
                            (size_t)x->start[x->count] * sizeof *x->member);
    }
}

static void parents_may_be_named_before_their_block(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets =
        read_text(run, "# comment\n 3\n#\nb 3\n-2.5 2 c a\n-2.5 1 c\n-9 0\n"
                       "  # more\na 1\n-1e-3 0\nc 2\r\n-4 1 b\n-5 0");
    int parents[2];
    double score;
    assert_fine(run);
    assert_string_equal(bestdag_sets_name(sets, 0), "b");
    assert_string_equal(bestdag_sets_name(sets, 1), "a");
    assert_string_equal(bestdag_sets_name(sets, 2), "c");
    assert_int_equal(bestdag_sets_count(sets, 0), 3);
    assert_int_equal(bestdag_sets_get(sets, 0, 0, &score, parents, 2), 1);
    assert_int_equal(parents[0], 2); /* the smaller of two equals */
    assert_int_equal(bestdag_sets_get(sets, 0, 1, &score, parents, 2), 2);
    assert_int_equal(parents[0], 1);
    assert_int_equal(parents[1], 2);
    assert_true(score == -2.5);
    assert_true(bestdag_sets_ceiling(sets, 0) == INFINITY);
    assert_int_equal(bestdag_sets_get(sets, 0, 3, &score, parents, 2), -1);
    assert_int_equal(bestdag_sets_get(sets, 3, 0, &score, parents, 2), -1);
    bestdag_sets_free(sets);
    scratch_end(run);
}

static void bad_files_say_where(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "t.jkl:1:1: the file ends here, expected the number of variables"},
        {"x", "t.jkl:1:1: expected the number of variables, found 'x'"},
        {"-1", "expected the number of variables"},
        {"1.5", "expected the number of variables"},
        {"1e30", "expected the number of variables"},
        {"1", "the file ends here, expected the name of a variable"},
        {"1\na", "expected the number of its sets"},
        {"1\na x", "t.jkl:2:3: expected the number of its sets, found 'x'"},
        {"1\na 1\n", "expected the score of a set"},
        {"1\na 1\nnan 0", "t.jkl:3:1: expected the score of a set"},
        {"1\na 1\n-1 1 b", "t.jkl:3:4: expected a number of parents"},
        {"2\na 1\n-1 1 a", "t.jkl:3:6: 'a' is a parent of itself"},
        {"3\na 1\n-1 2 b b", "t.jkl:3:1: this set has 'b' twice"},
        {"2\na 1\n-1 1 b\nc 1", "t.jkl:4:1: 'c' is one variable more"},
        {"2\na 1\n-1 0\na 1\n-1 0", "t.jkl:4:1: a second block of 'a'"},
        {"1\na 1\n-1 0\nb", "t.jkl:4:1: expected the end of the file"},
        {"1\na 99999999999\n-1 0\n", "expected the score of a set"},
        {"999999999\na 1\n-1 0\n", "expected the name of a variable"},
        {"1\n\xff 1\n-1 0\n", "not UTF-8"},
        {"1\n\x01 1\n-1 0\n", "control character"},
    };
    struct bestdag_run *run = bestdag_run_new();
    for (int i = 0; i < COUNT(bad); i++) {
        assert_null(read_text(run, bad[i][0]));
        assert_failed(run, BESTDAG_INPUT, bad[i][1]);
    }
    scratch_end(run);
}

struct heard {
    char text[1024];
};

static int hear(void *user, const struct bestdag_progress *now)
{
    struct heard *heard = user;
    size_t used = strlen(heard->text);
    if (now->note)
        snprintf(heard->text + used, sizeof heard->text - used, "%s\n",
                 now->note);
    return 0;
}

static void a_missing_empty_set_is_told(void **state)
{
    (void)state;
    struct heard heard = {""};
    struct bestdag_run *run = bestdag_run_new();
    bestdag_run_on_progress(run, hear, &heard);
    bestdag_sets_free(read_text(run, "2\na 1\n-1 1 b\nb 1\n-1 0\n"));
    assert_fine(run);
    assert_non_null(strstr(heard.text, "'a' has no empty set"));
    scratch_end(run);
}

/* Names that do and do not fit, sets of all sizes, odd numbers. */
static struct bestdag_sets *some_sets(struct bestdag_run *run, bool blanks)
{
    struct bestdag_random random = bestdag_random_init(11, 0);
    struct bestdag_sets *sets = bestdag_sets_new(run, 9);
    struct bestdag_collector *c = bestdag_collector_new(run);
    for (int v = 0; v < 9; v++) {
        char name[32];
        snprintf(name, sizeof name, blanks ? "v \xc3\xa4 %d" : "v\xc3\xa4%d",
                 v);
        sets->names[v] = bestdag_strdup(run, name);
        for (int i = 0; i < 1 + 20 * v; i++) {
            int set[8], size = 0;
            for (int u = 0; u < 9; u++)
                if (u != v && i && below(&random, 3) == 0)
                    set[size++] = u;
            bestdag_collector_add(c, set, size,
                                  -1e3 * bestdag_random_unit(&random));
        }
        bestdag_collector_finish(c, v % 2, &sets->list[v]);
        sets->list[v].ceiling = v % 3 == 0   ? -INFINITY
                                : v % 3 == 1 ? INFINITY
                                             : -v / 3.0;
        sets->list[v].max_parents = v % 2 ? v : -1;
    }
    bestdag_sets_note(run, sets, "score", "bic");
    bestdag_sets_note(run, sets, "score", "bdeu");
    bestdag_sets_note(run, sets, "odd", "line\nbreak");
    sets->scored = 12345;
    bestdag_collector_free(c);
    assert_fine(run);
    return sets;
}

static void files_come_back_as_they_were(void **state)
{
    (void)state;
    static const char *const names[] = {"a.jkl", "b.jkl.gz", "c.jkl.zst"};
    const char *folder = scratch_make();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "comments", "yes");
    for (int i = 0; i < 2 * COUNT(names); i++) {
        const char *path = scratch_path(folder, names[i / 2]);
        struct bestdag_sets *sets = some_sets(run, i % 2);
#ifndef BESTDAG_ZLIB
        if (i / 2 == 1)
            path = scratch_path(folder, "a.jkl");
#endif
#ifndef BESTDAG_ZSTD
        if (i / 2 == 2)
            path = scratch_path(folder, "a.jkl");
#endif
        bestdag_sets_write(run, sets, path, i % 3 ? options : NULL);
        struct bestdag_sets *back = bestdag_sets_read(run, path);
        assert_fine(run);
        assert_same(sets, back);
        for (int v = 0; v < 9; v++) {
            assert_true(back->list[v].ceiling == sets->list[v].ceiling);
            assert_int_equal(back->list[v].max_parents,
                             sets->list[v].max_parents);
        }
        assert_int_equal(back->scored, 12345);
        assert_string_equal(bestdag_sets_noted(back, "score"), "bdeu");
        assert_null(bestdag_sets_noted(back, "data"));
        bestdag_sets_free(sets);
        bestdag_sets_free(back);
    }
    bestdag_options_free(options);
    scratch_end(run);
    scratch_files(folder, true);
}

static void digits_cut_the_scores(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = read_text(run, "1\na 1\n-1234.56789 0\n");
    struct bestdag_sink *to = bestdag_sink_memory(run);
    struct bestdag_jkl_style style = {.digits = 6};
    size_t size;
    bestdag_jkl_write(run, sets, &style, to);
    char *text = bestdag_sink_take(to, &size);
    assert_string_equal(text, "1\na 1\n-1234.57 0\n");
    bestdag_free(text);
    bestdag_sink_close(to);
    bestdag_sets_free(sets);
    scratch_end(run);
}

/* Lists of these lengths end in a chunk of lines, at its edge, or go through
 * several; one is empty, one has nothing but its head. */
static char *long_text(struct bestdag_run *run, bool backwards)
{
    static const int sets[] = {1,    4094, 0, 4095, 9001, 2, 4097, 300,
                               4096, 1,    1, 1,    1,    1, 1,    1};
    struct bestdag_buffer b = {.run = run};
    bestdag_buffer_format(&b, "%d\n", COUNT(sets));
    for (int v = 0; v < COUNT(sets); v++) {
        bestdag_buffer_format(&b, "name-%d %d\n", v * 1000, sets[v]);
        for (int j = 0; j < sets[v]; j++) {
            char score[BESTDAG_NUMBER_ROOM];
            int i = backwards ? sets[v] - 1 - j : j, bits = 0;
            bestdag_number_format(-1000.0 / 3 - (i / 3) / 7.0, score);
            for (int rest = i; rest; rest &= rest - 1)
                bits++;
            bestdag_buffer_format(&b, "%s %d", score, bits);
            for (int u = 0, bit = 0; u < COUNT(sets); u++)
                if (u != v && i >> bit++ & 1)
                    bestdag_buffer_format(&b, " name-%d", u * 1000);
            bestdag_buffer_text(&b, "\n");
        }
    }
    return bestdag_buffer_take(&b);
}

static char *written(struct bestdag_run *run, const struct bestdag_sets *sets)
{
    struct bestdag_sink *to = bestdag_sink_memory(run);
    struct bestdag_jkl_style style = {.digits = 17};
    size_t size;
    bestdag_jkl_write(run, sets, &style, to);
    char *text = bestdag_sink_take(to, &size);
    bestdag_sink_close(to);
    return text;
}

static int lines_of(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void long_lists_are_the_same_for_any_threads_and_order(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *forward = long_text(run, false), *backward = long_text(run, true);
    struct bestdag_sets *sets = read_text(run, forward);
    struct bestdag_sets *other = read_text(run, backward);
    assert_fine(run);
    assert_same(sets, other);
    assert_int_equal(sets->list[4].count, 9001);
    bestdag_run_set(run, "threads", "1");
    char *one = written(run, sets);
    assert_int_equal(lines_of(one), 1 + sets->n + bestdag_sets_total(sets));
    bestdag_run_set(run, "threads", "5");
    char *five = written(run, sets);
    assert_string_equal(one, five);
    struct bestdag_sets *back = read_text(run, one);
    assert_same(sets, back);
    bestdag_free(forward);
    bestdag_free(backward);
    bestdag_free(one);
    bestdag_free(five);
    bestdag_sets_free(sets);
    bestdag_sets_free(other);
    bestdag_sets_free(back);
    scratch_end(run);
}

static void a_sidecar_of_another_file_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "2\na 1\n-1 0\nb 1\n-1 0\n", /* more variables */
        "1\nb 1\n-1 0\n",            /* another name */
        "1\na 2\n-1 0\n-1 0\n",      /* is one set: fits */
        "1\na 0\n",                  /* fewer sets */
    };
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "a.jkl");
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = read_text(run, "1\na 1\n-1 0\n");
    bestdag_sets_write(run, sets, path, NULL);
    assert_fine(run);
    for (int i = 0; i < COUNT(texts); i++) {
        scratch_write(path, texts[i], strlen(texts[i]));
        struct bestdag_sets *back = bestdag_sets_read(run, path);
        if (i == 2)
            assert_fine(run);
        else
            assert_failed(run, BESTDAG_INPUT, "a.jkl.json:");
        bestdag_sets_free(back);
    }
    scratch_write(scratch_path(folder, "a.jkl.json"), "[1", 2);
    assert_null(bestdag_sets_read(run, path));
    assert_failed(run, BESTDAG_INPUT, "a.jkl.json:1:");
    bestdag_sets_free(sets);
    scratch_end(run);
    scratch_files(folder, true);
}

static void mangled_files_never_crash(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = some_sets(run, false);
    struct bestdag_sink *to = bestdag_sink_memory(run);
    struct bestdag_jkl_style style = {.digits = 5, .comments = true};
    struct bestdag_random random = bestdag_random_init(5, 5);
    size_t size;
    bestdag_jkl_write(run, sets, &style, to);
    char *text = bestdag_sink_take(to, &size);
    bestdag_sink_close(to);
    for (int i = 0; i < 3000; i++) {
        char *copy = strdup(text);
        for (int k = 0; k <= below(&random, 4); k++)
            copy[below(&random, (int)size)] =
                "0123456789 \n-.#ax\xff\x01"[below(&random, 19)];
        if (i % 3 == 0)
            copy[below(&random, (int)size)] = 0;
        struct bestdag_sets *back = read_text(run, copy);
        assert_true((back != NULL) == !bestdag_run_status(run));
        bestdag_sets_free(back);
        bestdag_run_clear(run);
        free(copy);
    }
    bestdag_free(text);
    bestdag_sets_free(sets);
    scratch_end(run);
}

static void reading_survives_failing_allocations(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int status = BESTDAG_MEMORY;
    for (int64_t n = 1; status == BESTDAG_MEMORY; n++) {
        bestdag_memory_fail_at(run, n);
        bestdag_sets_free(read_text(run, "2\na 2\n-1 1 b\n-2 0\nb 1\n-1 0\n"));
        bestdag_memory_fail_at(run, 0);
        status = bestdag_run_status(run);
        bestdag_run_clear(run);
    }
    assert_int_equal(status, BESTDAG_OK);
    scratch_end(run);
}

static void files_of_other_programs_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int n;
    } files[] = {{"abalone_BIC.jkl", 9},           {"asia_10000.dat.3.jkl", 8},
                 {"hailfinder-5000.jkl", 56},      {"link-5000.jkl.gz", 724},
                 {"munin1-5000.jkl.gz", 186},      {"wine.BIC.3.jkl", 14},
                 {"alarm1000_BIC.jkl", 37},        {"zoo_BIC.jkl", 17},
                 {"Diabetes_1000_1_2.jkl.gz", 413}};
    const char *data = getenv("BESTDAG_DATA");
    if (!data)
        skip();
    for (int i = 0; i < COUNT(files); i++) {
        struct bestdag_run *run = bestdag_run_new();
        char path[512];
        snprintf(path, sizeof path, "%s/scores/%s", data, files[i].name);
        struct bestdag_sets *sets = bestdag_sets_read(run, path);
        assert_fine(run);
        assert_int_equal(sets->n, files[i].n);
        struct bestdag_sink *to = bestdag_sink_memory(run);
        struct bestdag_jkl_style style = {.digits = 17};
        size_t size;
        bestdag_jkl_write(run, sets, &style, to);
        char *text = bestdag_sink_take(to, &size);
        bestdag_sink_close(to);
        struct bestdag_sets *back = read_text(run, text);
        assert_fine(run);
        assert_same(sets, back);
        bestdag_free(text);
        bestdag_sets_free(back);
        bestdag_sets_free(sets);
        scratch_end(run);
    }
}

/* ---- work that goes on
 * ------------------------------------------------------- */

static struct bestdag_table *make_table(struct bestdag_run *run, uint64_t seed)
{
    struct bestdag_random random = bestdag_random_init(seed, 0);
    struct bestdag_table *t = bestdag_table_new(run, 60);
    for (int v = 0; v < 6; v++)
        add_random_codes(run, t, &random, 2 + v % 2, 0);
    return t;
}

static struct bestdag_sets *find_with(struct bestdag_run *run, uint64_t seed,
                                      const char *score, const char *part,
                                      bool resume)
{
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_table *t = make_table(run, seed);
    bestdag_options_set(run, options, "parents", "independence");
    bestdag_options_set(run, options, "score", score);
    if (part)
        bestdag_options_set(run, options, "part", part);
    bestdag_options_set(run, options, "resume", resume ? "yes" : "no");
    struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, options);
    bestdag_table_free(t);
    bestdag_options_free(options);
    return sets;
}

static void work_goes_on_wherever_it_was_cut(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    char part[512];
    size_t size;
    snprintf(part, sizeof part, "%s/a.part", folder);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = find_with(run, 3, "aic", part, false);
    assert_fine(run);
    char *whole = scratch_read(part, &size);
    size_t head = strcspn(whole, "\n") + 1;
    for (size_t cut = head; cut <= size; cut += 1 + size / 97) {
        scratch_write(part, whole, cut);
        struct bestdag_sets *again = find_with(run, 3, "aic", part, true);
        assert_fine(run);
        assert_same(sets, again);
        assert_int_equal(again->scored, sets->scored);
        for (int v = 0; v < again->n; v++)
            assert_true(again->list[v].ceiling == sets->list[v].ceiling);
        bestdag_sets_free(again);
        size_t now;
        char *after = scratch_read(part, &now);
        assert_int_equal(now, size);
        assert_string_equal(after, whole);
        free(after);
    }
    free(whole);
    bestdag_sets_free(sets);
    scratch_end(run);
    scratch_files(folder, true);
}

static void work_of_something_else_is_refused(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    char part[512];
    snprintf(part, sizeof part, "%s/a.part", folder);
    struct bestdag_run *run = bestdag_run_new();
    bestdag_sets_free(find_with(run, 3, "aic", part, false));
    assert_null(find_with(run, 3, "bic", part, true));
    assert_failed(run, BESTDAG_USAGE,
                  "it has 'score=aic', this run has 'score=b");
    assert_null(find_with(run, 4, "aic", part, true));
    assert_failed(run, BESTDAG_USAGE, "it has 'data=");
    scratch_write(part, "nonsense\n", 9);
    assert_null(find_with(run, 3, "aic", part, true));
    assert_failed(run, BESTDAG_INPUT, "a.part:1:1: not a file of work");
    assert_null(find_with(run, 3, "aic", NULL, true));
    assert_failed(run, BESTDAG_USAGE, "resume");
    scratch_end(run);
    scratch_files(folder, true);
}

/* ---- refusals
 * ------------------------------------------------------------------ */

static void what_would_never_end_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_random random = bestdag_random_init(1, 0);
    struct bestdag_table *t = bestdag_table_new(run, 20);
    for (int v = 0; v < 20; v++)
        add_random_codes(run, t, &random, 2, 0);
    bestdag_options_set(run, options, "score", "ll");
    assert_null(bestdag_sets_find(run, t, NULL, options));
    assert_failed(run, BESTDAG_USAGE, "max-parents");
    bestdag_table_free(t);
    bestdag_options_free(options);
    scratch_end(run);
}

static void constant_columns_are_told_and_isolated(void **state)
{
    (void)state;
    static const char *const names[] = {"sequential", "greedy", "independence"};
    for (int s = 0; s < COUNT(names); s++) {
        struct heard heard = {""};
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_options *options = bestdag_options_new(run);
        struct bestdag_table *t = make_table(run, 3);
        int64_t zeros[60] = {0};
        bestdag_table_add_codes(run, t, "flat", zeros, 8, 1, NULL);
        bestdag_options_set(run, options, "parents", names[s]);
        bestdag_options_set(run, options, "score", "aic");
        bestdag_run_on_progress(run, hear, &heard);
        struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, options);
        assert_fine(run);
        assert_non_null(strstr(heard.text, "'flat' is constant"));
        assert_int_equal(bestdag_sets_count(sets, 6), 1);
        for (int v = 0; v < 7; v++) {
            const struct bestdag_list *list = &sets->list[v];
            assert_true(list->ceiling == -INFINITY);
            for (int64_t j = 0; j < list->start[list->count]; j++)
                assert_true(list->member[j] != 6);
        }
        bestdag_sets_free(sets);
        bestdag_table_free(t);
        bestdag_options_free(options);
        scratch_end(run);
    }
}

static void one_score_is_that_of_the_list(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = find_with(run, 3, "bic", NULL, false);
    struct bestdag_table *t = make_table(run, 3);
    for (int v = 0; v < 6; v++)
        for (int i = 0; i < bestdag_sets_count(sets, v); i++) {
            int parents[6];
            double listed, one;
            int count = bestdag_sets_get(sets, v, i, &listed, parents, 6);
            bestdag_score(run, t, NULL, NULL, v, parents, count, &one);
            assert_fine(run);
            assert_true(fabs(one - listed) < 1e-6);
        }
    double x;
    bestdag_score(run, t, NULL, NULL, 0, (int[]){0}, 1, &x);
    assert_failed(run, BESTDAG_USAGE, "not a family");
    bestdag_score(run, t, NULL, NULL, 0, (int[]){1, 1}, 2, &x);
    assert_failed(run, BESTDAG_USAGE, "not a family");
    bestdag_score(run, t, NULL, NULL, 6, NULL, 0, &x);
    assert_failed(run, BESTDAG_USAGE, "not a family");
    bestdag_table_free(t);
    bestdag_sets_free(sets);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_collector_keeps_what_brute_force_keeps),
        cmocka_unit_test(parents_may_be_named_before_their_block),
        cmocka_unit_test(bad_files_say_where),
        cmocka_unit_test(a_missing_empty_set_is_told),
        cmocka_unit_test(files_come_back_as_they_were),
        cmocka_unit_test(digits_cut_the_scores),
        cmocka_unit_test(long_lists_are_the_same_for_any_threads_and_order),
        cmocka_unit_test(a_sidecar_of_another_file_is_refused),
        cmocka_unit_test(mangled_files_never_crash),
        cmocka_unit_test(reading_survives_failing_allocations),
        cmocka_unit_test(files_of_other_programs_are_read),
        cmocka_unit_test(work_goes_on_wherever_it_was_cut),
        cmocka_unit_test(work_of_something_else_is_refused),
        cmocka_unit_test(what_would_never_end_is_refused),
        cmocka_unit_test(constant_columns_are_told_and_isolated),
        cmocka_unit_test(one_score_is_that_of_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
