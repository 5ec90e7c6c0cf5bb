/* SPDX-License-Identifier: MIT */
/* The file of --trace: it has every scored set in order, for all strategies;
 * sequential goes by size; a single queue goes as the paper's open list does,
 * which is written down here once more, without cursors. */
#include <math.h>

#include "scratch.h"

#include "base/options.h"
#include "parents/parents.h"
#include "random_table.h"

enum { MOST_N = 7, MOST_SETS = 1 << MOST_N, MOST_LINES = 1 << 14 };

struct line {
    char name[16];
    int64_t step;
    int size;
    double score;
};

static struct line line[MOST_LINES];

static int read_lines(const char *path)
{
    int count = 0;
    FILE *file = fopen(path, "r");
    char text[256];
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "variable,step,size,score\n");
    while (fgets(text, sizeof text, file)) {
        struct line *l = &line[count++];
        long long step;
        assert_true(count < MOST_LINES);
        assert_int_equal(sscanf(text, "%15[^,],%lld,%d,%lf", l->name, &step,
                                &l->size, &l->score),
                         4);
        l->step = step;
    }
    fclose(file);
    return count;
}

struct traced {
    const char *folder;
    struct bestdag_run *run;
    struct bestdag_options *options;
    struct bestdag_table *table;
    struct bestdag_sets *sets;
    int lines;
};

static struct traced trace(const char *folder, int n, uint64_t seed,
                           const char *const *settings)
{
    struct traced t = {.folder = folder, .run = bestdag_run_new()};
    t.options = bestdag_options_new(t.run);
    t.table = random_table(
        t.run, (struct random_table){.seed = seed,
                                     .columns = n,
                                     .most = 4,
                                     .rows = 60 + (int)(seed % 7) * 40,
                                     .constant = seed % 3 == 0});
    bestdag_options_set(t.run, t.options, "trace",
                        scratch_path(folder, "trace"));
    for (; *settings; settings += 2)
        bestdag_options_set(t.run, t.options, settings[0], settings[1]);
    t.sets = bestdag_sets_find(t.run, t.table, NULL, t.options);
    assert_fine(t.run);
    t.lines = read_lines(scratch_path(folder, "trace"));
    return t;
}

static void end_trace(struct traced *t)
{
    bestdag_sets_free(t->sets);
    bestdag_table_free(t->table);
    bestdag_options_free(t->options);
    scratch_end(t->run);
}

/* ---- what the file has ----------------------------------------------------
 */

static void check_lines(const struct traced *t, bool by_size)
{
    int at = 0;
    assert_int_equal(t->lines, t->sets->scored);
    for (int v = 0; v < t->sets->n; v++) {
        double best = -INFINITY;
        int size = 0;
        int64_t step = 0;
        for (; at < t->lines && !strcmp(line[at].name, t->sets->names[v]);
             at++) {
            assert_int_equal(line[at].step, ++step);
            assert_true(!by_size || line[at].size >= size);
            size = line[at].size;
            best = line[at].score > best ? line[at].score : best;
        }
        assert_true(best == t->sets->list[v].score[0]);
    }
    assert_int_equal(at, t->lines);
}

static void every_scored_set_is_there(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    static const char *const ways[][7] = {
        {"parents", "sequential", NULL},
        {"parents", "greedy", NULL},
        {"parents", "independence", NULL},
        {"parents", "independence", "queue", "single", NULL},
        {"parents", "sequential", "parents.max-parents", "2", "no-prune", "yes",
         NULL}};
    for (uint64_t seed = 1; seed <= 12; seed++)
        for (int i = 0; i < COUNT(ways); i++) {
            print_message("seed %d, %s\n", (int)seed, ways[i][1]);
            struct traced t = trace(folder, 3 + (int)(seed % 5), seed, ways[i]);
            check_lines(&t, ways[i][1][0] == 's');
            end_trace(&t);
        }
    scratch_files(folder, true);
}

/* The lists of sequential are the same as without a trace. */
static void a_trace_changes_no_list(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    static const char *const way[] = {"parents", "sequential", "score", "bdeu",
                                      NULL};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct traced t = trace(folder, 9, seed, way);
        struct bestdag_options *plain = bestdag_options_new(t.run);
        for (int i = 0; way[i]; i += 2)
            bestdag_options_set(t.run, plain, way[i], way[i + 1]);
        struct bestdag_sets *sets =
            bestdag_sets_find(t.run, t.table, NULL, plain);
        assert_fine(t.run);
        for (int v = 0; v < 9; v++) {
            const struct bestdag_list *a = &sets->list[v];
            const struct bestdag_list *b = &t.sets->list[v];
            assert_int_equal(a->count, b->count);
            assert_memory_equal(a->score, b->score,
                                (size_t)a->count * sizeof *a->score);
            assert_memory_equal(a->start, b->start,
                                ((size_t)a->count + 1) * sizeof *a->start);
            assert_memory_equal(a->member, b->member,
                                (size_t)a->start[a->count] * sizeof *a->member);
            assert_true(a->ceiling == b->ceiling);
        }
        bestdag_sets_free(sets);
        bestdag_options_free(plain);
        end_trace(&t);
    }
    scratch_files(folder, true);
}

/* ---- the open list of the paper -------------------------------------------
 */

struct world { /* of one child */
    int n, child;
    double score[MOST_SETS], likelihood[MOST_SETS], penalty[MOST_SETS];
};

static void score_all(struct world *w, struct bestdag_run *run,
                      const struct bestdag_scorer *scorer)
{
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(run, scorer);
    for (int mask = 0; mask < 1 << w->n; mask++) {
        struct bestdag_family family;
        int set[MOST_N], count = 0;
        double states = scorer->states[w->child] - 1;
        for (int v = 0; v < w->n; v++)
            if (mask >> v & 1) {
                set[count++] = v;
                states *= scorer->states[v];
            }
        if (mask >> w->child & 1)
            continue;
        bestdag_scorer_family(scorer, scratch, w->child, set, count, &family);
        w->score[mask] = bestdag_scorer_nats(scorer, family.score);
        w->penalty[mask] = states * log((double)scorer->total) / 2;
        w->likelihood[mask] = w->score[mask] + w->penalty[mask];
    }
    bestdag_scorer_scratch_free(scratch);
}

static double estimate(const struct world *w, int set, int added)
{
    return w->likelihood[set] + w->likelihood[added] - w->likelihood[0] -
           w->penalty[set | added];
}

/* Sets in the order in which the paper's algorithm scores them. */
static int explore_plainly(const struct world *w, int *order)
{
    bool is_known[MOST_SETS] = {false}; /* in open or closed */
    double open[MOST_SETS];
    int count = 0;
    for (int mask = 0; mask < MOST_SETS; mask++)
        open[mask] = -INFINITY;
    for (int a = 0; a < w->n; a++)
        for (int b = 0; b < a; b++)
            if (a != w->child && b != w->child) {
                open[1 << a | 1 << b] = estimate(w, 1 << a, 1 << b);
                is_known[1 << a | 1 << b] = true;
            }
    for (;;) {
        int best = 0;
        for (int mask = 1; mask < 1 << w->n; mask++)
            if (open[mask] > open[best])
                best = mask;
        if (open[best] == -INFINITY)
            return count;
        open[best] = -INFINITY;
        order[count++] = best;
        for (int y = 0; y < w->n; y++) {
            int next = best | 1 << y;
            if (y != w->child && !is_known[next]) {
                is_known[next] = true;
                open[next] = estimate(w, best, 1 << y);
            }
        }
    }
}

static void a_single_queue_is_the_open_list_of_the_paper(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    static const char *const way[] = {
        "parents", "independence", "queue", "single", "no-prune", "yes", NULL};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        int n = 4 + (int)(seed % 4), at = 0;
        if (seed % 3 == 0) /* constant columns are no parents */
            continue;
        print_message("seed %d\n", (int)seed);
        struct traced t = trace(folder, n, seed, way);
        struct bestdag_scorer *scorer =
            bestdag_scorer_new(t.run, t.table, t.options);
        for (int v = 0; v < n; v++) {
            struct world w = {.n = n, .child = v};
            int order[MOST_SETS];
            score_all(&w, t.run, scorer);
            int count = explore_plainly(&w, order);
            at += n; /* the empty set and single parents */
            assert_int_equal(count, (1 << (n - 1)) - n);
            for (int i = 0; i < count; i++, at++) {
                assert_string_equal(line[at].name, t.sets->names[v]);
                assert_true(fabs(line[at].score - w.score[order[i]]) < 1e-6);
            }
        }
        assert_int_equal(at, t.lines);
        bestdag_scorer_free(scorer);
        end_trace(&t);
    }
    scratch_files(folder, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scored_set_is_there),
        cmocka_unit_test(a_trace_changes_no_list),
        cmocka_unit_test(a_single_queue_is_the_open_list_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
