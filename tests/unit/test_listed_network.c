/* SPDX-License-Identifier: MIT */
/* test_listed_network.c -- networks whose families were pruned, against all
 * subsets of them. */
#include "scratch.h"

#include <math.h>

#include "learn/listed_network.h"
#include "random_table.h"
#include "search/answer_check.h"

enum { COLUMNS = 8, MOST = 5 };

struct scene {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    struct bestdag_scorer *scorer;
    struct bestdag_sets *sets;
    struct bestdag_problem *problem;
    struct bestdag_dag *dag;
    double score[COLUMNS][1 << COLUMNS];
    bool is_listed[COLUMNS][1 << COLUMNS];
};

static int list_of(unsigned mask, int *to)
{
    int count = 0;
    for (int u = 0; u < COLUMNS; u++)
        if (mask >> u & 1)
            to[count++] = u;
    return count;
}

static unsigned mask_of(const int *at, int64_t count)
{
    unsigned mask = 0;
    for (int64_t i = 0; i < count; i++)
        mask |= 1u << at[i];
    return mask;
}

/* All sets of v, of which the dominated ones are pruned. */
static void fill_list(struct scene *s, struct bestdag_collector *c, int v)
{
    for (unsigned mask = 0; mask < 1u << COLUMNS; mask++) {
        int set[COLUMNS], count = list_of(mask, set);
        if (mask >> v & 1)
            continue;
        bestdag_scorer_exact(s->run, s->scorer, v, set, count,
                             &s->score[v][mask]);
        bestdag_collector_add(c, set, count, s->score[v][mask]);
    }
    struct bestdag_list *list = &s->sets->list[v];
    bestdag_collector_finish(c, true, list);
    list->ceiling = INFINITY;
    list->max_parents = -1;
    for (int64_t i = 0; i < list->count; i++)
        s->is_listed[v][mask_of(list->member + list->start[i],
                                list->start[i + 1] - list->start[i])] = true;
}

static void open_scene(struct scene *s, uint64_t seed)
{
    struct bestdag_random random = bestdag_random_init(seed, 7);
    *s = (struct scene){.run = bestdag_run_new()};
    print_message("seed %d\n", (int)seed);
    s->table = random_table(
        s->run, (struct random_table){
                    .seed = seed, .columns = COLUMNS, .most = 3, .rows = 400});
    s->options = bestdag_options_new(s->run);
    s->scorer = bestdag_scorer_new(s->run, s->table, s->options);
    s->sets = bestdag_sets_new(s->run, COLUMNS);
    s->dag = bestdag_dag_new(s->run, COLUMNS);
    struct bestdag_collector *c = bestdag_collector_new(s->run);
    for (int v = 0; v < COLUMNS; v++) {
        int parents[COLUMNS], count = 0;
        for (int u = 0; u < v && count < MOST; u++)
            if (bestdag_random_below(&random, 2))
                parents[count++] = u;
        bestdag_dag_set_parents(s->run, s->dag, v, parents, count);
        fill_list(s, c, v);
    }
    bestdag_collector_free(c);
    s->problem = bestdag_problem_new(s->run, s->sets);
    assert_fine(s->run);
}

static void close_scene(struct scene *s)
{
    bestdag_problem_free(s->problem);
    bestdag_dag_free(s->dag);
    bestdag_sets_free(s->sets);
    bestdag_scorer_free(s->scorer);
    bestdag_options_free(s->options);
    bestdag_table_free(s->table);
    assert_int_equal(bestdag_memory_used(s->run), 0);
    bestdag_run_free(s->run);
}

/* The best score of a listed subset. */
static double best_below(const struct scene *s, int v, unsigned mask)
{
    double best = -INFINITY;
    for (unsigned sub = mask;; sub = (sub - 1) & mask) {
        if (s->is_listed[v][sub] && s->score[v][sub] > best)
            best = s->score[v][sub];
        if (!sub)
            return best;
    }
}

static void pruned_families_are_replaced(void **state)
{
    int replaced = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct scene *s = calloc(1, sizeof *s);
        unsigned before[COLUMNS];
        double score = -1, old = 0;
        int changed, expected = 0;
        open_scene(s, seed);
        for (int v = 0; v < COLUMNS; v++) {
            before[v] =
                mask_of(s->dag->parents[v].at, s->dag->parents[v].count);
            expected += !s->is_listed[v][before[v]];
            old += s->score[v][before[v]];
        }
        struct bestdag_task task = {.run = s->run,
                                    .n = COLUMNS,
                                    .problem = s->problem,
                                    .scorer = s->scorer,
                                    .max_parents = -1};
        assert_int_equal(
            bestdag_network_keep_listed(&task, s->dag, &score, &changed), 0);
        assert_int_equal(changed, expected);
        double sum = 0;
        for (int v = 0; v < COLUMNS; v++) {
            unsigned now =
                mask_of(s->dag->parents[v].at, s->dag->parents[v].count);
            assert_true(s->is_listed[v][now] && !(now & ~before[v]));
            assert_true(!s->is_listed[v][before[v]] || now == before[v]);
            if (now != before[v])
                assert_true(s->score[v][now] == best_below(s, v, before[v]));
            sum += s->score[v][now];
        }
        assert_true(sum >= old - 1e-9);
        if (changed)
            assert_true(fabs(score - sum) < 1e-9 * fabs(sum));
        else
            assert_true(score == -1);
        replaced += changed;
        close_scene(s);
        free(s);
    }
    assert_true(replaced > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pruned_families_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
