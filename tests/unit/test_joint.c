/* SPDX-License-Identifier: MIT */
/* test_joint.c -- joint probabilities against going through all assignments. */
#include "nets.h"

#include "inference/joint.h"

static int setup(void **state)
{
    *state = bestdag_run_new();
    return !*state;
}

static int teardown(void **state)
{
    bestdag_run_free(*state);
    return 0;
}

static struct bestdag_network *chain(struct bestdag_run *run)
{
    return nets_random(run, (struct shape){.seed = 3,
                                           .n = 6,
                                           .least_states = 2,
                                           .most_states = 3,
                                           .most_parents = 2});
}

static void assert_close(const double *got, const double *want, int64_t cells,
                         uint64_t seed)
{
    for (int64_t i = 0; i < cells; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-13))
            fail_msg("seed %llu, cell %lld: %.17g is not %.17g",
                     (unsigned long long)seed, (long long)i, got[i], want[i]);
}

/* Some variables of the network in some order. */
static int pick(struct bestdag_random *random, int n, int *to)
{
    int all[16], count = (int)bestdag_random_below(random, (uint64_t)n + 1);
    for (int i = 0; i < n; i++) {
        int k = (int)bestdag_random_below(random, (uint64_t)i + 1);
        all[i] = all[k];
        all[k] = i;
    }
    memcpy(to, all, (size_t)count * sizeof *to);
    return count;
}

static void equals_enumeration_on_random_networks(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 1);
        int variables[16];
        struct bestdag_network *net = nets_random(
            run, (struct shape){.seed = seed,
                                .n = 1 + (int)bestdag_random_below(&random, 8),
                                .least_states = 1,
                                .most_states = 4,
                                .most_parents = 3,
                                .zeros = seed % 3 ? 0 : 0.4});
        struct bestdag_joint *joint = bestdag_joint_new(run, net, false);
        for (int again = 0; again < 4; again++) { /* on the same scratch */
            int count = pick(&random, net->dag->n, variables);
            int64_t cells = nets_cells(net, variables, count);
            double *got = malloc((size_t)cells * sizeof *got);
            double *want = nets_enumerate(net, variables, count);
            assert_int_equal(
                bestdag_joint_compute(run, joint, variables, count, got, cells),
                BESTDAG_OK);
            assert_close(got, want, cells, seed);
            assert_int_equal(
                bestdag_network_joint(run, net, variables, count, got, cells),
                BESTDAG_OK);
            assert_close(got, want, cells, seed);
            free(got);
            free(want);
        }
        bestdag_joint_free(joint);
        bestdag_network_free(net);
    }
}

static void of_no_variable_is_one(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = chain(run);
    double one = 0;
    assert_int_equal(bestdag_network_joint(run, net, NULL, 0, &one, 1),
                     BESTDAG_OK);
    assert_true(one == 1);
    bestdag_network_free(net);
}

static void rows_that_sum_to_nearly_one_are_no_reason_to_drift(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = chain(run);
    int v = 0;
    double p[3], sum = 0;
    for (int x = 0; x < net->dag->n; x++)
        for (int64_t i = bestdag_network_configurations(net, x) *
                         net->variable[x].states;
             i-- > 0;)
            net->variable[x].table[i] *= 1 + 1e-7;
    int states = net->variable[0].states;
    assert_int_equal(bestdag_network_joint(run, net, &v, 1, p, states),
                     BESTDAG_OK);
    for (int s = 0; s < states; s++)
        sum += p[s];
    assert_true(fabs(sum - 1) < 1e-15);
    bestdag_network_free(net);
}

static void wrong_questions_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = chain(run);
    double room[64];
    bestdag_network_joint(run, net, (int[]){1, 1}, 2, room, 4);
    assert_error(run, BESTDAG_USAGE, "'v1' is requested twice");
    bestdag_network_joint(run, net, (int[]){6}, 1, room, 2);
    assert_error(run, BESTDAG_USAGE, "no variable 6");
    bestdag_network_joint(run, net, (int[]){-1}, 1, room, 2);
    assert_error(run, BESTDAG_USAGE, "no variable -1");
    bestdag_network_joint(run, net, (int[]){0}, 1, room, 5);
    assert_error(run, BESTDAG_USAGE, "room for 5");
    bestdag_free(net->variable[2].table);
    net->variable[2].table = NULL;
    bestdag_network_joint(run, net, (int[]){0}, 1, room, 2);
    assert_error(run, BESTDAG_USAGE, "fit it first");
    bestdag_network_free(net);
}

/* Every two of n roots meet in a link of a chain: whoever asks for its end has
 * to hold a table of almost all roots at some time. */
static struct bestdag_network *knot(struct bestdag_run *run, int n)
{
    int links = n * (n - 1) / 2, link = n;
    struct bestdag_random random = bestdag_random_init(1, 1);
    struct bestdag_network *net = bestdag_network_empty(run, n + links);
    for (int v = 0; v < n + links; v++)
        nets_name(run, net, v, 2);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++, link++)
            bestdag_dag_set_parents(run, net->dag, link,
                                    (int[]){a, b, link - 1}, link > n ? 3 : 2);
    for (int v = 0; v < n + links; v++)
        nets_fill_table(run, net, v, 0, &random);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return net;
}

static void what_cannot_fit_is_said_before(void **state)
{
    struct bestdag_run *run = *state;
    double p[2];
    struct bestdag_network *net = knot(run, 20);
    char limit[32];
    snprintf(limit, sizeof limit, "%lld",
             (long long)bestdag_memory_used(run) + 1000000);
    bestdag_run_set(run, "memory-limit", limit);
    bestdag_network_joint(run, net, &(int){net->dag->n - 1}, 1, p, 2);
    assert_error(run, BESTDAG_MEMORY, "the joint probability needs");
    bestdag_network_free(net);
    bestdag_run_set(run, "memory-limit", "0");
    net = knot(run, 50);
    bestdag_network_joint(run, net, &(int){net->dag->n - 1}, 1, p, 2);
    assert_error(run, BESTDAG_MEMORY, "numbers");
    bestdag_network_free(net);
}

static void a_stop_ends_it(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = chain(run);
    double p[3];
    bestdag_run_stop(run);
    bestdag_network_joint(run, net, (int[]){0}, 1, p, net->variable[0].states);
    assert_error(run, BESTDAG_FAILED, "stopped");
    bestdag_network_free(net);
}

static void every_allocation_may_fail(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = chain(run);
    int variables[] = {5, 0};
    int64_t cells = nets_cells(net, variables, 2);
    double p[9];
    for (int64_t n = 1;; n++) {
        bestdag_memory_fail_at(run, n);
        int status = bestdag_network_joint(run, net, variables, 2, p, cells);
        bestdag_memory_fail_at(run, 0);
        assert_true(n < 1000);
        if (!status) {
            assert_true(n > 10);
            break;
        }
        assert_error(run, BESTDAG_MEMORY, "");
    }
    bestdag_network_free(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equals_enumeration_on_random_networks,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(of_no_variable_is_one, setup, teardown),
        cmocka_unit_test_setup_teardown(
            rows_that_sum_to_nearly_one_are_no_reason_to_drift, setup,
            teardown),
        cmocka_unit_test_setup_teardown(wrong_questions_are_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_cannot_fit_is_said_before, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_stop_ends_it, setup, teardown),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
