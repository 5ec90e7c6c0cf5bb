/* SPDX-License-Identifier: MIT */
/* test_neighbour_families.c -- lists that grow around a network, against all
 * families one step away, scored one by one. */
#include "scratch.h"

#include <math.h>

#include "parents/merged_lists.h"
#include "parents/neighbour_families.h"
#include "random_table.h"

enum { COLUMNS = 9 }; /* so few that the best few of a row are all of it */

struct scene {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    struct bestdag_scorer *scorer;
    struct bestdag_sets *sets;
    struct bestdag_dag *dag;
    struct bestdag_random random;
};

/* Lists with the empty set alone, and a random network. */
static void open_scene(struct scene *s, uint64_t seed, const char *score)
{
    *s = (struct scene){.run = bestdag_run_new(),
                        .random = bestdag_random_init(seed, 5)};
    print_message("seed %d, %s\n", (int)seed, score);
    s->table =
        random_table(s->run, (struct random_table){.seed = seed,
                                                   .columns = COLUMNS,
                                                   .most = 3,
                                                   .constant = seed % 3 == 0,
                                                   .rows = 120});
    s->options = bestdag_options_new(s->run);
    bestdag_options_set(s->run, s->options, "score", score);
    s->scorer = bestdag_scorer_new(s->run, s->table, s->options);
    s->sets = bestdag_sets_new(s->run, COLUMNS);
    s->dag = bestdag_dag_new(s->run, COLUMNS);
    struct bestdag_collector *c = bestdag_collector_new(s->run);
    for (int v = 0; v < COLUMNS; v++) {
        int parents[COLUMNS], count = 0;
        double nats;
        for (int u = 0; u < v && count < 4; u++)
            if (bestdag_random_below(&s->random, 3) == 0)
                parents[count++] = u;
        bestdag_dag_set_parents(s->run, s->dag, v, parents, count);
        bestdag_scorer_exact(s->run, s->scorer, v, NULL, 0, &nats);
        bestdag_collector_add(c, NULL, 0, nats);
        bestdag_collector_finish(c, true, &s->sets->list[v]);
        s->sets->list[v].ceiling = INFINITY;
        s->sets->list[v].max_parents = -1;
    }
    bestdag_collector_free(c);
    assert_fine(s->run);
}

static void close_scene(struct scene *s)
{
    bestdag_dag_free(s->dag);
    bestdag_sets_free(s->sets);
    bestdag_scorer_free(s->scorer);
    bestdag_options_free(s->options);
    bestdag_table_free(s->table);
    bestdag_run_free(s->run);
}

static struct bestdag_neighbour_families around_of(const struct scene *s)
{
    return (struct bestdag_neighbour_families){
        .scorer = s->scorer, .dag = s->dag, .max_parents = -1};
}

static unsigned mask_of(const int32_t *member, int64_t count)
{
    unsigned mask = 0;
    for (int64_t i = 0; i < count; i++)
        mask |= 1u << member[i];
    return mask;
}

static int list_of(unsigned mask, int *to)
{
    int count = 0;
    for (int u = 0; u < COLUMNS; u++)
        if (mask >> u & 1)
            to[count++] = u;
    return count;
}

static double score_of(struct scene *s, int v, unsigned mask)
{
    int parents[COLUMNS], count = list_of(mask, parents);
    double nats;
    assert_int_equal(
        bestdag_scorer_exact(s->run, s->scorer, v, parents, count, &nats),
        BESTDAG_OK);
    return nats;
}

static bool is_listed(const struct scene *s, int v, unsigned mask)
{
    const struct bestdag_list *list = &s->sets->list[v];
    for (int64_t i = 0; i < list->count; i++)
        if (mask_of(list->member + list->start[i],
                    list->start[i + 1] - list->start[i]) == mask)
            return true;
    return false;
}

/* Is it, or a subset that is as good, on the list? */
static bool is_covered(struct scene *s, int v, unsigned mask)
{
    double own = score_of(s, v, mask);
    for (unsigned sub = mask;; sub = (sub - 1) & mask) {
        if (is_listed(s, v, sub) && score_of(s, v, sub) >= own - 1e-6)
            return true;
        if (!sub)
            return false;
    }
}

/* Scores are right, best first, and no set has a subset that is as good. */
static void expect_proper(struct scene *s, int v)
{
    const struct bestdag_list *list = &s->sets->list[v];
    for (int64_t i = 0; i < list->count; i++) {
        unsigned mask = mask_of(list->member + list->start[i],
                                list->start[i + 1] - list->start[i]);
        assert_float_equal(list->score[i], score_of(s, v, mask), 1e-6);
        assert_true(!i || list->score[i] <= list->score[i - 1]);
        assert_false(mask >> v & 1);
        for (int64_t j = 0; j < i; j++) {
            unsigned other = mask_of(list->member + list->start[j],
                                     list->start[j + 1] - list->start[j]);
            assert_int_not_equal(mask & other, other);
        }
    }
}

static void expect_covered(struct scene *s, int v, unsigned mask)
{
    if (!is_covered(s, v, mask))
        fail_msg("variable %d: the set %#x is not covered", v, mask);
}

static void all_sets_one_step_away_are_covered(void **state)
{
    (void)state;
    static const char *const scores[] = {"bic", "aic", "bdeu", "k2"};
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct scene s;
        int64_t more, total = COLUMNS;
        open_scene(&s, seed, scores[seed % 4]);
        struct bestdag_neighbour_families around = around_of(&s);
        assert_int_equal(bestdag_sets_grow(s.run, s.sets, &around, &more),
                         BESTDAG_OK);
        for (int v = 0; v < COLUMNS; v++) {
            const struct bestdag_parents *p = &s.dag->parents[v];
            unsigned own = mask_of(p->at, p->count);
            expect_proper(&s, v);
            expect_covered(&s, v, own);
            for (int u = 0; u < COLUMNS; u++)
                if (u != v && s.scorer->states[u] > 1)
                    expect_covered(&s, v, own ^ 1u << u);
            for (int i = 0; i < p->count; i++)
                for (int u = 0; u < COLUMNS; u++)
                    if (u != v && s.scorer->states[u] > 1 && !(own >> u & 1))
                        expect_covered(&s, v,
                                       (own & ~(1u << p->at[i])) | 1u << u);
        }
        total += more;
        assert_true(total >= bestdag_sets_total(s.sets));
        assert_int_equal(bestdag_sets_grow(s.run, s.sets, &around, &more),
                         BESTDAG_OK);
        assert_int_equal(more, 0);
        close_scene(&s);
    }
}

static void limits_and_rules_are_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct scene s;
        int64_t more;
        open_scene(&s, seed, "aic");
        struct bestdag_rules *rules = bestdag_rules_new(s.run);
        bestdag_rules_add(s.run, rules, "not V1 -> V5");
        bestdag_rules_add(s.run, rules, "not V2 -> V5");
        const char *names[COLUMNS];
        for (int v = 0; v < COLUMNS; v++)
            names[v] = s.table->column[v].name;
        struct bestdag_knowledge *k =
            bestdag_knowledge_new(s.run, rules, names, COLUMNS);
        assert_fine(s.run);
        struct bestdag_neighbour_families around = around_of(&s);
        around.knowledge = k;
        around.max_parents = 4;
        assert_int_equal(bestdag_sets_grow(s.run, s.sets, &around, &more),
                         BESTDAG_OK);
        assert_true(more > 0);
        for (int v = 0; v < COLUMNS; v++) {
            const struct bestdag_list *list = &s.sets->list[v];
            for (int64_t i = 0; i < list->count; i++) {
                int64_t size = list->start[i + 1] - list->start[i];
                unsigned mask = mask_of(list->member + list->start[i], size);
                assert_true(size <= 4);
                assert_false(v == 4 && mask & 3u);
            }
        }
        bestdag_knowledge_free(k);
        bestdag_rules_free(rules);
        close_scene(&s);
    }
}

/* Time ended before: only the network's own families are added. Complete lists
 * stay as they are. */
static void what_is_stopped_or_complete_is_left_alone(void **state)
{
    (void)state;
    struct scene s;
    int64_t more;
    open_scene(&s, 7, "aic");
    struct bestdag_neighbour_families around = around_of(&s);
    s.sets->list[8].ceiling = -INFINITY;
    bestdag_run_stop(s.run);
    assert_int_equal(bestdag_sets_grow(s.run, s.sets, &around, &more),
                     BESTDAG_OK);
    for (int v = 0; v < COLUMNS; v++) {
        const struct bestdag_parents *p = &s.dag->parents[v];
        if (v < 8)
            expect_covered(&s, v, mask_of(p->at, p->count));
        assert_true(s.sets->list[v].count <= 1 + (v < 8));
    }
    close_scene(&s);
}

/* Two halves of a list make the whole again. */
static void joined_lists_have_what_both_had(void **state)
{
    (void)state;
    struct scene one, other;
    int64_t more, again;
    open_scene(&one, 3, "bic");
    open_scene(&other, 3, "bic");
    struct bestdag_neighbour_families around = around_of(&one);
    bestdag_sets_grow(one.run, one.sets, &around, &more);
    assert_int_equal(bestdag_sets_join(other.run, other.sets, one.sets, &again),
                     BESTDAG_OK);
    assert_true(again > 0 && again <= more); /* some were dominated later */
    for (int v = 0; v < COLUMNS; v++) {
        assert_int_equal(one.sets->list[v].count, other.sets->list[v].count);
        expect_proper(&other, v);
    }
    bestdag_sets_join(other.run, other.sets, one.sets, &again);
    assert_int_equal(again, 0);
    close_scene(&other);
    close_scene(&one);
}

/* Whatever is missing: nothing is lost, and the lists are as they were or
 * proper. */
static void failing_memory_is_survived(void **state)
{
    (void)state;
    for (int64_t n = 1;; n++) {
        struct scene s;
        int64_t more;
        open_scene(&s, 5, "bic");
        bestdag_run_set(s.run, "threads", "1");
        struct bestdag_neighbour_families around = around_of(&s);
        bestdag_memory_fail_at(s.run, n);
        int status = bestdag_sets_grow(s.run, s.sets, &around, &more);
        if (!status)
            status = bestdag_sets_join(s.run, s.sets, s.sets, &more);
        bestdag_memory_fail_at(s.run, 0);
        assert_true(!status || status == BESTDAG_MEMORY);
        bestdag_run_clear(s.run);
        for (int v = 0; v < COLUMNS; v++)
            expect_proper(&s, v);
        close_scene(&s);
        if (!status)
            break;
    }
}

/* The whole of learn, where sets grow: allocations that fail here and there. */
static void learning_with_growing_sets_survives_failing_memory(void **state)
{
    (void)state;
    struct bestdag_run *calm = bestdag_run_new();
    struct bestdag_table *t = random_table(
        calm, (struct random_table){
                  .seed = 2, .columns = 70, .most = 2, .rows = 400});
    struct bestdag_random random = bestdag_random_init(9, 1);
    int failed = 0;
    for (int i = 0; i < 40; i++) {
        struct bestdag_run *run = bestdag_run_new();
        int64_t n = 1 + (int64_t)bestdag_random_below(&random,
                                                      (uint64_t)40 << (i % 10));
        bestdag_run_set(run, "time-limit", "0.3");
        bestdag_run_set(run, "threads", "2");
        struct bestdag_options *o = bestdag_options_new(run);
        bestdag_memory_fail_at(run, n);
        struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
        bestdag_memory_fail_at(run, 0);
        print_message("allocation %d: %s\n", (int)n, bestdag_run_error(run));
        assert_int_equal(r == NULL, bestdag_run_status(run) != BESTDAG_OK);
        assert_true(r || bestdag_run_status(run) == BESTDAG_MEMORY);
        failed += !r;
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_run_free(run);
    }
    assert_true(failed > 0);
    bestdag_table_free(t);
    bestdag_run_free(calm);
}

/* ---- a child as a parent ---------------------------------------------------
 */

/* Of the listed sets of v that come before it: the best score without u. */
static double best_before(struct scene *s, const int *place, int v, int u)
{
    const struct bestdag_list *list = &s->sets->list[v];
    double best = -INFINITY;
    for (int64_t i = 0; i < list->count; i++) {
        bool fits = true;
        for (int64_t k = list->start[i]; k < list->start[i + 1]; k++)
            fits = fits && list->member[k] != u &&
                   place[list->member[k]] < place[v];
        if (fits)
            best = fmax(best, list->score[i]);
    }
    return best;
}

/* Forward selection from the child on, scored one by one; how many of the sets
 * on its way would gain, if the two changed places? */
static int expect_reversed(struct scene *s, int v, int child, double least)
{
    unsigned among =
        mask_of(s->dag->parents[v].at, s->dag->parents[v].count) |
        mask_of(s->dag->parents[child].at, s->dag->parents[child].count);
    unsigned now = 1u << child, next = now;
    int gaining = 0;
    for (double score = score_of(s, v, now); next; now = next) {
        if (score > least + 1e-6) {
            expect_covered(s, v, now);
            gaining++;
        }
        next = 0;
        for (int u = 0; u < COLUMNS; u++)
            if (u != v && (among & ~now) >> u & 1 && s->scorer->states[u] > 1 &&
                score_of(s, v, now | 1u << u) > score) {
                next = now | 1u << u;
                score = score_of(s, v, next);
            }
    }
    return gaining;
}

static void sets_that_reverse_an_arc_are_covered(void **state)
{
    (void)state;
    int gaining = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct scene s;
        int64_t more;
        int order[COLUMNS], place[COLUMNS];
        open_scene(&s, seed, seed % 2 ? "bic" : "aic");
        struct bestdag_neighbour_families around = around_of(&s);
        assert_int_equal(bestdag_sets_grow(s.run, s.sets, &around, &more),
                         BESTDAG_OK);
        bestdag_dag_order(s.run, s.dag, order);
        for (int i = 0; i < COLUMNS; i++)
            place[order[i]] = i;
        for (int v = 0; v < COLUMNS; v++)
            for (int c = 0; c < COLUMNS; c++)
                if (bestdag_dag_has_arc(s.dag, v, c))
                    gaining +=
                        expect_reversed(&s, v, c,
                                        best_before(&s, place, v, v) +
                                            best_before(&s, place, c, c) -
                                            best_before(&s, place, c, v));
        close_scene(&s);
    }
    assert_true(gaining > 20);
}

/* V1 is mostly what two of the other three are; the network has the arcs the
 * other way round, V4 as the child of all. One step away there is no set of
 * V1 with more than one parent. */
static void a_child_of_all_becomes_a_parent(void **state)
{
    (void)state;
    enum { ROWS = 1000, COUNT = 4 };
    static const int all[] = {0, 1, 2};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(4, 1);
    struct bestdag_table *t = bestdag_table_new(run, ROWS);
    int8_t code[COUNT][ROWS];
    for (int r = 0; r < ROWS; r++) {
        int sum = 0;
        for (int c = 1; c < COUNT; c++)
            sum += code[c][r] = (int8_t)bestdag_random_below(&random, 2);
        code[0][r] = (int8_t)((sum >= 2) ^ !bestdag_random_below(&random, 20));
    }
    static const char *const names[] = {"V1", "V2", "V3", "V4"};
    for (int c = 0; c < COUNT; c++)
        bestdag_table_add_codes(run, t, names[c], code[c], 1, 2, NULL);
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_scorer *scorer = bestdag_scorer_new(run, t, options);
    struct bestdag_sets *sets = bestdag_sets_new(run, COUNT);
    struct bestdag_dag *dag = bestdag_dag_new(run, COUNT);
    bestdag_dag_set_parents(run, dag, 3, all, 3);
    struct bestdag_neighbour_families around = {
        .scorer = scorer, .dag = dag, .max_parents = -1};
    for (int v = 0; v < COUNT; v++) {
        sets->list[v].ceiling = INFINITY;
        sets->list[v].max_parents = -1;
    }
    int64_t more;
    assert_int_equal(bestdag_sets_grow(run, sets, &around, &more), BESTDAG_OK);
    const struct bestdag_list *list = &sets->list[0];
    assert_int_equal(list->start[1] - list->start[0], 3); /* the best one */
    assert_int_equal(mask_of(list->member, 3), 0xe);
    bestdag_dag_free(dag);
    bestdag_sets_free(sets);
    bestdag_scorer_free(scorer);
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sets_one_step_away_are_covered),
        cmocka_unit_test(sets_that_reverse_an_arc_are_covered),
        cmocka_unit_test(a_child_of_all_becomes_a_parent),
        cmocka_unit_test(limits_and_rules_are_kept),
        cmocka_unit_test(what_is_stopped_or_complete_is_left_alone),
        cmocka_unit_test(joined_lists_have_what_both_had),
        cmocka_unit_test(failing_memory_is_survived),
        cmocka_unit_test(learning_with_growing_sets_survives_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
