/* SPDX-License-Identifier: MIT */
/* test_node_table.c -- what searches over sets keep: the table of nodes against
 * a sorted list, its bytes, queues by f, layers in memory and on disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/subsets/layer.h"
#include "search/subsets/open_list.h"

static const uint64_t SEED = 20261116;

enum { FEW = 3000, MANY = 300000 };

struct known {
    uint64_t set[BESTDAG_MOST_WORDS];
    int64_t cost;
};

/* Small sets, so that many are drawn again. */
static void draw(struct bestdag_random *r, int words, struct known *to)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < 2; i++) {
        uint64_t v = bestdag_random_below(r, (uint64_t)(64 * words));
        to->set[v / 64] |= (uint64_t)1 << (v % 64);
    }
    to->cost = (int64_t)bestdag_random_below(r, 1000);
}

static int by_set(const void *a, const void *b)
{
    return memcmp(((const struct known *)a)->set,
                  ((const struct known *)b)->set,
                  sizeof((const struct known *)a)->set);
}

/* Sorts, and leaves each set once, at its least cost. */
static int thin(struct known *all, int count)
{
    int left = 0;
    qsort(all, (size_t)count, sizeof *all, by_set);
    for (int i = 0; i < count; i++) {
        if (!left || by_set(&all[left - 1], &all[i]))
            all[left++] = all[i];
        else if (all[i].cost < all[left - 1].cost)
            all[left - 1].cost = all[i].cost;
    }
    return left;
}

static void put(struct bestdag_node_table *nodes, const struct known *k)
{
    int words = nodes->words;
    uint64_t hash = BESTDAG_WORDS(words, bestdag_set_hash, k->set);
    uint64_t *node =
        BESTDAG_WORDS(words, bestdag_node_table_put, nodes, k->set, hash);
    assert_non_null(node);
    if (k->cost < *bestdag_node_cost(node, words))
        *bestdag_node_cost(node, words) = k->cost;
}

static void the_table_knows_what_was_put(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (int words = 1; words <= BESTDAG_MOST_WORDS; words++) {
        struct bestdag_random r = bestdag_random_init(SEED, (uint64_t)words);
        struct bestdag_node_table nodes = {
            .run = bestdag_run_new(), .words = words, .bytes = INT64_MAX};
        struct known *all = malloc(FEW * sizeof *all), other;
        for (int i = 0; i < FEW; i++) {
            draw(&r, words, &all[i]);
            put(&nodes, &all[i]);
        }
        int count = thin(all, FEW);
        assert_int_equal(bestdag_node_table_count(&nodes), count);
        for (int i = 0; i < 2 * count; i++) {
            draw(&r, words, &other);
            const struct known *one = i < count ? &all[i] : &other;
            const struct known *there =
                bsearch(one, all, (size_t)count, sizeof *all, by_set);
            uint64_t hash = BESTDAG_WORDS(words, bestdag_set_hash, one->set);
            uint64_t *node = BESTDAG_WORDS(words, bestdag_node_table_find,
                                           &nodes, one->set, hash);
            assert_true(!node == !there);
            if (node)
                assert_int_equal(*bestdag_node_cost(node, words), there->cost);
        }
        bestdag_node_table_clear(&nodes);
        assert_int_equal(nodes.taken, 0);
        bestdag_run_free(nodes.run);
        free(all);
    }
}

/* Of one word, once there are many: never more than 25 bytes, 24 on average. */
static void a_node_takes_24_bytes_with_its_empty_slots(void **state)
{
    struct bestdag_node_table nodes = {
        .run = bestdag_run_new(), .words = 1, .bytes = INT64_MAX};
    double sum = 0, most = 0;
    int looks = 0;
    (void)state;
    for (uint64_t i = 1; i <= MANY; i++) {
        struct known k = {.set = {bestdag_mix(i)}};
        put(&nodes, &k);
        if (i % 1000 || i < MANY / 10)
            continue;
        double bytes = (double)nodes.taken / (double)i;
        sum += bytes;
        looks++;
        most = bytes > most ? bytes : most;
    }
    print_message("%.1f bytes on average, %.1f at most\n", sum / looks, most);
    assert_true(sum / looks <= 24 && most <= 25);
    nodes.bytes = nodes.taken;
    uint64_t *node = NULL;
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t set = bestdag_mix(i + 2 * MANY);
        node =
            bestdag_node_table_put(&nodes, &set, bestdag_set_hash(&set, 1), 1);
        if (!node)
            break;
        *bestdag_node_cost(node, 1) = 0;
    }
    assert_null(node); /* no more room, and no error */
    assert_int_equal(bestdag_run_status(nodes.run), BESTDAG_OK);
    bestdag_node_table_clear(&nodes);
    bestdag_run_free(nodes.run);
}

static void queues_give_the_least_bucket_first(void **state)
{
    struct bestdag_random r = bestdag_random_init(SEED, 9);
    struct bestdag_open_list q = {.run = bestdag_run_new()};
    int64_t f[FEW], sum = 0, taken = 0;
    (void)state;
    assert_int_equal(bestdag_open_list_init(&q, 100, 100000, 256), BESTDAG_OK);
    assert_true(q.buckets <= 257);
    for (uint64_t i = 0; i < FEW; i++) {
        f[i] = 100 + (int64_t)bestdag_random_below(&r, 99900);
        sum += f[i];
        assert_int_equal(bestdag_open_list_put(&q, f[i], (uint64_t[]){i, 7}, 2),
                         BESTDAG_OK);
    }
    for (int b; (b = bestdag_open_list_least(&q)) < q.buckets;) {
        uint64_t set[2] = {0};
        assert_true(bestdag_open_list_take(&q, b, set, 2));
        int64_t edge = bestdag_open_list_edge(&q, b);
        assert_int_equal(set[1], 7);
        assert_true(f[set[0]] >= edge &&
                    f[set[0]] < bestdag_open_list_edge(&q, b + 1));
        taken += f[set[0]];
    }
    assert_int_equal(taken, sum); /* each once */
    assert_int_equal(bestdag_open_list_put(&q, 50, (uint64_t[]){1, 7}, 2), 0);
    assert_int_equal(bestdag_open_list_least(&q),
                     0); /* below all comes first */
    bestdag_open_list_release(&q);
    bestdag_run_free(q.run);
}

/* ---- layers ----------------------------------------------------------------
 */

struct scene {
    struct bestdag_run *run;
    struct bestdag_layer layer;
    struct known *all; /* owns; [count], thinned */
    int count;
    int64_t wrote;
};

/* A layer of three runs, one of them on disk. */
static struct scene make_layer(int words)
{
    struct scene s = {.run = bestdag_run_new(), .layer = {.words = words}};
    struct bestdag_random r = bestdag_random_init(SEED, (uint64_t)words);
    struct bestdag_node_table nodes = {
        .run = s.run, .words = words, .bytes = INT64_MAX};
    s.all = malloc(FEW * sizeof *s.all);
    for (int i = 0; i < FEW; i++) {
        draw(&r, words, &s.all[i]);
        put(&nodes, &s.all[i]);
        if (i % (FEW / 3) == FEW / 3 - 1)
            assert_int_equal(bestdag_layer_add(&s.layer, &nodes, false), 0);
        if (i == FEW / 3)
            assert_true(bestdag_layer_store(s.run, &s.layer, "/tmp", &s.wrote));
    }
    assert_int_equal(s.layer.runs, 3);
    s.count = thin(s.all, FEW);
    return s;
}

static void check_known(const struct scene *s, const uint64_t *node)
{
    int words = s->layer.words;
    struct known k = {{0}, (int64_t)node[words]};
    memcpy(k.set, node, (size_t)words * sizeof *node);
    const struct known *there =
        bsearch(&k, s->all, (size_t)s->count, sizeof *s->all, by_set);
    assert_non_null(there);
    assert_int_equal(there->cost, k.cost);
}

/* Reads one part, which goes to disk meanwhile; the sets there were. */
static int read_part(struct scene *s, int part)
{
    struct bestdag_layer_reader reader = {.part = part};
    struct bestdag_messages got = {0};
    int seen = 0, size = s->layer.words + 1;
    assert_int_equal(
        bestdag_layer_reader_open(s->run, &reader, &s->layer, 4000), 0);
    do {
        assert_int_equal(
            bestdag_layer_reader_take(s->run, &reader, &s->layer, 17, &got), 0);
        for (int64_t i = 0; i < got.used; i += size, seen++)
            check_known(s, got.at + i);
        if (part == BESTDAG_PARTS / 2)
            assert_true(
                bestdag_layer_store(s->run, &s->layer, "/tmp", &s->wrote));
    } while (got.used);
    bestdag_layer_reader_close(&reader);
    bestdag_free(got.at);
    return seen;
}

static void layers_give_each_set_once_at_its_least_cost(void **state)
{
    const uint64_t none[BESTDAG_MOST_WORDS] = {0};
    (void)state;
    for (int words = 1; words <= BESTDAG_MOST_WORDS; words++) {
        struct scene s = make_layer(words);
        int seen = 0;
        for (int p = 0; p < BESTDAG_PARTS; p++)
            seen += read_part(&s, p);
        assert_int_equal(seen, s.count);
        assert_int_equal(bestdag_layer_bytes(&s.layer), 0);
        for (int i = 0; i < s.count; i++)
            assert_int_equal(bestdag_layer_cost(s.run, &s.layer, s.all[i].set),
                             s.all[i].cost);
        assert_true(bestdag_layer_cost(s.run, &s.layer, none) ==
                    BESTDAG_NO_NODE);
        bestdag_layer_release(&s.layer);
        bestdag_run_free(s.run);
        free(s.all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_knows_what_was_put),
        cmocka_unit_test(a_node_takes_24_bytes_with_its_empty_slots),
        cmocka_unit_test(queues_give_the_least_bucket_first),
        cmocka_unit_test(layers_give_each_set_once_at_its_least_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
