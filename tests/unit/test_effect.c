/* SPDX-License-Identifier: MIT */
/* test_effect.c -- effects against graph surgery on the whole joint
 * distribution, in the network and in all members of its equivalence class. */
#include "nets.h"
#include "small_paths.h"

#include "models/effect.h"

enum { MOST_STATES = 3, MOST_CELLS = 6561 };

struct asked {
    int x, y, seen[2], state[2], count; /* state -1: weight */
    double weight[2][MOST_STATES];
};

/* ---- surgery by enumeration -------------------------------------------------
 */

/* The states of v's parents in g, as one number. */
static int64_t place(const struct bestdag_network *net, const struct small *g,
                     int v, const int *state)
{
    int64_t at = 0;
    for (int u = 0; u < g->n; u++)
        if (has(g->parents[v], u))
            at = at * net->variable[u].states + state[u];
    return at;
}

/* P(v's state | its parents' states in g) of all assignments, from the joint
 * distribution. */
static void condition(const struct bestdag_network *net, const double *joint,
                      const struct small *g, int v, double *factor)
{
    static double sum[MOST_CELLS], with[MOST_CELLS][MOST_STATES];
    int state[MOST_NODES] = {0};
    int64_t cell = 0;
    memset(sum, 0, sizeof sum);
    memset(with, 0, sizeof with);
    do {
        int64_t at = place(net, g, v, state);
        sum[at] += joint[cell];
        with[at][state[v]] += joint[cell++];
    } while (nets_next(net, state));
    cell = 0;
    do {
        int64_t at = place(net, g, v, state);
        factor[cell++ * g->n + v] = with[at][state[v]] / sum[at];
    } while (nets_next(net, state));
}

/* All factors of all assignments: factor[cell * n + v]. joint NULL: the
 * network's own. */
static double *factors(const struct bestdag_network *net, const double *joint,
                       const struct small *g)
{
    int n = g->n, state[MOST_NODES] = {0};
    double *to = malloc((size_t)MOST_CELLS * (size_t)n * sizeof *to);
    int64_t cell = 0;
    do {
        for (int v = 0; v < n && !joint; v++)
            to[cell * n + v] = nets_factor(net, v, state);
        cell++;
    } while (nets_next(net, state));
    for (int v = 0; v < n && joint; v++)
        condition(net, joint, g, v, to);
    return to;
}

/* P(y | do(x = s), seen); NaN: impossible. */
static void operate(const struct bestdag_network *net, const double *factor,
                    const struct asked *a, int s, double *to)
{
    int n = net->dag->n, state[MOST_NODES] = {0};
    double sum = 0;
    int64_t cell = 0;
    memset(to, 0, MOST_STATES * sizeof *to);
    do {
        bool agrees = state[a->x] == s;
        double p = 1;
        for (int i = 0; i < a->count; i++)
            p *= a->weight[i][state[a->seen[i]]];
        for (int v = 0; v < n; v++)
            p *= v == a->x ? 1 : factor[cell * n + v];
        to[state[a->y]] += agrees ? p : 0;
        sum += agrees ? p : 0;
        cell++;
    } while (nets_next(net, state));
    for (int k = 0; k < MOST_STATES; k++)
        to[k] = sum > 0 ? to[k] / sum : NAN;
}

/* ---- asking -----------------------------------------------------------------
 */

/* A state, several, or likelihoods; always of all networks possible. */
static void draw_evidence(struct bestdag_random *random, int states, int *state,
                          double *weight)
{
    int kind = (int)bestdag_random_below(random, 4);
    *state = (int)bestdag_random_below(random, (uint64_t)states);
    for (int s = 0; s < states; s++)
        weight[s] = kind == 3   ? 0.05 + bestdag_random_unit(random)
                    : kind == 2 ? (s == *state ? 0 : 1)
                                : (s == *state);
    if (kind == 3 || (kind == 2 && states > 2))
        *state = -1;
    for (int s = 0; kind == 2 && states == 2 && s < 2; s++)
        *state = weight[s] > 0 ? s : *state;
}

static struct asked draw(struct bestdag_random *random,
                         const struct bestdag_network *net, int most_seen)
{
    int list[MOST_NODES];
    struct asked a = {0};
    shuffle(random, list, net->dag->n);
    a.x = list[0];
    a.y = list[1];
    a.count = (int)bestdag_random_below(random, (uint64_t)most_seen + 1);
    for (int i = 0; i < a.count; i++) {
        a.seen[i] = list[2 + i];
        draw_evidence(random, net->variable[a.seen[i]].states, &a.state[i],
                      a.weight[i]);
    }
    return a;
}

static struct bestdag_json *ask(struct bestdag_run *run,
                                const struct bestdag_network *net,
                                const struct asked *a)
{
    char effect[400];
    int n = snprintf(effect, sizeof effect, "%s", net->variable[a->y].name);
    for (int i = 0; i < a->count; i++) {
        const struct bestdag_variable *v = &net->variable[a->seen[i]];
        n += snprintf(effect + n, sizeof effect - (size_t)n, "%s%s%s%s",
                      i ? ", " : " | ", v->name, a->state[i] < 0 ? " ~" : "=",
                      a->state[i] < 0 ? "" : v->labels[a->state[i]]);
        for (int s = 0; a->state[i] < 0 && s < v->states; s++)
            n += snprintf(effect + n, sizeof effect - (size_t)n, " %.17g",
                          a->weight[i][s]);
    }
    char *text = bestdag_network_effect(run, net, net->variable[a->x].name,
                                        effect, NULL, NULL);
    struct bestdag_json *report = text ? bestdag_json_read(run, text) : NULL;
    bestdag_text_free(text);
    return report;
}

static double number_at(const struct bestdag_json *table, int s, int t)
{
    return bestdag_json_number(bestdag_json_at(bestdag_json_at(table, s), t));
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-11 || (isnan(a) && isnan(b));
}

static uint32_t mask_of(const struct bestdag_network *net,
                        const struct bestdag_json *names)
{
    uint32_t set = 0;
    for (int64_t i = 0; i < bestdag_json_count(names); i++)
        set |= bit(bestdag_network_search(
            net, bestdag_json_text(bestdag_json_at(names, i))));
    return set;
}

/* ---- the network itself -----------------------------------------------------
 */

static struct bestdag_network *random_net(struct bestdag_run *run, int round,
                                          int n, double zeros)
{
    return nets_random(run, (struct shape){.seed = (uint64_t)round,
                                           .n = n,
                                           .least_states = 2,
                                           .most_states = n > 6 ? 2 : 3,
                                           .most_parents = 1 + round % 3,
                                           .zeros = zeros});
}

/* The sum over z of P(y | x, z) P(z), from the joint, by the book. */
static double by_the_book(const struct bestdag_network *net, uint32_t set,
                          const struct asked *a, int s, int t)
{
    int list[MOST_NODES] = {a->x, a->y}, count = 2;
    for (int v = 0; v < net->dag->n; v++)
        if (has(set, v))
            list[count++] = v;
    double *joint = nets_enumerate(net, list, count), sum = 0;
    int64_t cells = nets_cells(net, list + 2, count - 2);
    int r = net->variable[a->x].states, k = net->variable[a->y].states;
    for (int64_t z = 0; z < cells; z++) {
        double of_z = 0, of_xz = 0;
        for (int i = 0; i < r * k; i++) {
            of_z += joint[i * cells + z];
            of_xz += i / k == s ? joint[i * cells + z] : 0;
        }
        sum += joint[(s * k + t) * cells + z] / of_xz * of_z;
    }
    free(joint);
    return sum;
}

static void check_own(struct bestdag_run *run,
                      const struct bestdag_network *net, const struct asked *a,
                      const struct bestdag_json *report, int round)
{
    double *weight[] = {(double *)a->weight[0], (double *)a->weight[1]};
    struct bestdag_effect_question q = {.network = net,
                                        .cause = a->x,
                                        .effect = a->y,
                                        .seen = a->seen,
                                        .state = a->state,
                                        .weight = weight,
                                        .count = a->count,
                                        .causes = net->variable[a->x].states,
                                        .effects = net->variable[a->y].states};
    struct bestdag_effect e = {0};
    struct small g = of_dag(net->dag);
    const struct bestdag_json *table = bestdag_json_get(report, "given_do");
    const struct bestdag_json *set = bestdag_json_get(report, "adjustment");
    bool has_set = !(g.parents[a->x] & bit(a->y)) && !a->count;
    double *factor = factors(net, NULL, &g), truth[MOST_STATES];
    assert_int_equal(bestdag_effect_adjust(run, &q, net->dag, true, &e), 0);
    for (int s = 0; s < q.causes; s++) {
        operate(net, factor, a, s, truth);
        for (int t = 0; t < q.effects; t++) {
            double adjusted = e.p[s * q.effects + t];
            if (!near(number_at(table, s, t), truth[t]))
                fail_msg("network %d: %g by surgery, %g by enumeration", round,
                         number_at(table, s, t), truth[t]);
            if (!isnan(adjusted) && !near(adjusted, truth[t]))
                fail_msg("network %d: %g adjusted, %g by enumeration", round,
                         adjusted, truth[t]);
            double book =
                has_set ? by_the_book(net, mask_of(net, set), a, s, t) : NAN;
            if (!isnan(book) && !near(book, truth[t]))
                fail_msg("network %d: %g by the set, %g by enumeration", round,
                         book, truth[t]);
        }
    }
    bestdag_effect_release(&e);
    free(factor);
}

static void try_own(int rounds, double zeros)
{
    struct bestdag_run *run = bestdag_run_new();
    int impossible = 0;
    for (int round = 0; round < rounds; round++) {
        struct bestdag_random random =
            bestdag_random_init((uint64_t)round, 2110);
        struct bestdag_network *net =
            random_net(run, round, 4 + round / 3 % 5, zeros);
        struct asked a = draw(&random, net, round / 15 % 3);
        struct bestdag_json *report = ask(run, net, &a);
        if (!report) {
            assert_int_equal(bestdag_run_status(run), BESTDAG_INFEASIBLE);
            bestdag_run_clear(run);
            impossible++;
        } else
            check_own(run, net, &a, report, round);
        bestdag_json_free(report);
        bestdag_network_free(net);
    }
    assert_true(zeros > 0 || !impossible);
    bestdag_run_free(run);
}

static void surgery_and_adjustment(void **state)
{
    (void)state;
    try_own(3000, 0);
}

static void impossible_states(void **state)
{
    (void)state;
    try_own(600, 0.4);
}

/* ---- the equivalence class --------------------------------------------------
 */

/* What the class says, by going through all directions of the skeleton. */
struct truth {
    bool has[64];                            /* by set of parents of x */
    double p[64][MOST_STATES * MOST_STATES]; /* [x * MOST_STATES + y] */
    int sets;
};

static void try_member(const struct bestdag_network *net, const double *joint,
                       const struct small *g, const struct asked *a,
                       struct truth *to)
{
    uint32_t parents = g->parents[a->x];
    double *factor = factors(net, joint, g), p[MOST_STATES];
    for (int s = 0; s < net->variable[a->x].states; s++) {
        operate(net, factor, a, s, p);
        for (int t = 0; t < net->variable[a->y].states; t++) {
            double *at = &to->p[parents][s * MOST_STATES + t];
            if (to->has[parents] && !near(*at, p[t]))
                fail_msg("members with the same parents differ");
            *at = p[t];
        }
    }
    to->sets += !to->has[parents];
    to->has[parents] = true;
    free(factor);
}

static void find_truth(const struct bestdag_network *net, const struct asked *a,
                       struct truth *to)
{
    struct small own = of_dag(net->dag);
    int all[MOST_NODES], edge[32][2], edges = 0, n = own.n;
    memset(to, 0, sizeof *to);
    for (int b = 0; b < n; b++) {
        all[b] = b;
        for (int c = 0; c < b; c++)
            if (adjacent(&own, c, b)) {
                edge[edges][0] = c;
                edge[edges++][1] = b;
            }
    }
    double *joint = nets_enumerate(net, all, n);
    for (uint32_t directions = 0; directions < bit(edges); directions++) {
        struct small g = {.n = n};
        for (int e = 0; e < edges; e++)
            relate(&g, edge[e][0], edge[e][1],
                   has(directions, e) ? FORTH : BACK);
        if (acyclic(&g) && same_v(&g, &own))
            try_member(net, joint, &g, a, to);
    }
    free(joint);
}

/* The range of the truth is that of the report. */
static void check_range(const struct bestdag_json *range,
                        const struct truth *truth, int from, int to, int t)
{
    double low = INFINITY, high = -INFINITY;
    for (int set = 0; set < 64; set++) {
        double x = truth->p[set][to * MOST_STATES + t];
        if (!truth->has[set])
            continue;
        if (from >= 0)
            x -= truth->p[set][from * MOST_STATES + t];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    assert_true(near(bestdag_json_number(bestdag_json_at(range, 0)), low));
    assert_true(near(bestdag_json_number(bestdag_json_at(range, 1)), high));
}

static void check_ranges(const struct bestdag_network *net,
                         const struct asked *a,
                         const struct bestdag_json *report,
                         const struct truth *truth)
{
    const struct bestdag_json *range = bestdag_json_get(report, "range");
    const struct bestdag_json *d = bestdag_json_get(report, "differences");
    int r = net->variable[a->x].states, k = net->variable[a->y].states, i = 0;
    for (int t = 0; t < k; t++)
        for (int s = 0; s < r; s++)
            check_range(bestdag_json_at(bestdag_json_at(range, s), t), truth,
                        -1, s, t);
    for (int to = 1; to < r; to++)
        for (int from = 0; from < to; from++, i++)
            for (int t = 0; t < k; t++)
                check_range(
                    bestdag_json_at(
                        bestdag_json_get(bestdag_json_at(d, i), "range"), t),
                    truth, from, to, t);
}

/* Each set of parents is there once, with its effect. */
static void check_alternatives(const struct bestdag_network *net,
                               const struct asked *a,
                               const struct bestdag_json *report,
                               const struct truth *truth)
{
    const struct bestdag_json *list = bestdag_json_get(report, "alternatives");
    bool is_same = true;
    const double *own = truth->p[of_dag(net->dag).parents[a->x]];
    assert_int_equal(bestdag_json_count(list), truth->sets);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *one = bestdag_json_at(list, i);
        uint32_t set = mask_of(net, bestdag_json_get(one, "parents"));
        assert_true(truth->has[set]);
        for (int s = 0; s < net->variable[a->x].states; s++)
            for (int t = 0; t < net->variable[a->y].states; t++) {
                double p = truth->p[set][s * MOST_STATES + t];
                assert_true(near(
                    number_at(bestdag_json_get(one, "given_do"), s, t), p));
                is_same &= fabs(p - own[s * MOST_STATES + t]) < 1e-10;
            }
    }
    assert_int_equal(
        bestdag_json_number(bestdag_json_get(report, "identified")), is_same);
}

static void ranges_over_the_class(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int identified = 0, rounds = 1500;
    static struct truth truth;
    for (int round = 0; round < rounds; round++) {
        struct bestdag_random random =
            bestdag_random_init((uint64_t)round, 2111);
        struct bestdag_network *net =
            random_net(run, 5000 + round, 2 + round / 3 % 5, 0);
        struct asked a =
            draw(&random, net, net->dag->n > 3 ? round / 15 % 3 : 0);
        find_truth(net, &a, &truth);
        struct bestdag_json *report = ask(run, net, &a);
        assert_non_null(report);
        check_alternatives(net, &a, report, &truth);
        check_ranges(net, &a, report, &truth);
        identified +=
            bestdag_json_number(bestdag_json_get(report, "identified")) > 0;
        bestdag_json_free(report);
        bestdag_network_free(net);
    }
    assert_in_range(identified, rounds / 20, rounds * 4 / 5);
    bestdag_run_free(run);
}

/* ---- means, rules, failing memory -------------------------------------------
 */

/* x -> y with states of given names; P(y | x) in steps of 1/10. */
static struct bestdag_network *pair(struct bestdag_run *run,
                                    const char *const labels[3])
{
    static const double of_x[] = {0.5, 0.5};
    static const double of_y[] = {0.1, 0.2, 0.7, 0.6, 0.2, 0.2};
    struct bestdag_network *net = bestdag_network_empty(run, 2);
    nets_name(run, net, 0, 2);
    char **copy = bestdag_calloc(run, 3, sizeof *copy);
    for (int s = 0; s < 3; s++)
        copy[s] = bestdag_strdup(run, labels[s]);
    bestdag_network_set_variable(run, net, 1, bestdag_strdup(run, "y"), copy,
                                 3);
    bestdag_dag_set_parents(run, net->dag, 1, (int[]){0}, 1);
    bestdag_network_set_table(run, net, 0, NULL, 0, of_x);
    bestdag_network_set_table(run, net, 1, (int[]){0}, 1, of_y);
    return net;
}

static void check_mean(const char *const labels[3], const char *rule,
                       const char *scale, double mean)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = pair(run, labels);
    struct bestdag_rules *rules = bestdag_rules_new(run);
    if (rule)
        assert_int_equal(bestdag_rules_add(run, rules, rule), BESTDAG_OK);
    char *text = bestdag_network_effect(run, net, net->variable[0].name, "y",
                                        rules, NULL);
    struct bestdag_json *report = bestdag_json_read(run, text);
    const struct bestdag_json *d =
        bestdag_json_at(bestdag_json_get(report, "differences"), 0);
    if (scale)
        assert_string_equal(
            bestdag_json_text(bestdag_json_get(report, "scale")), scale);
    else
        assert_null(bestdag_json_get(report, "scale"));
    assert_true(near(bestdag_json_number(bestdag_json_get(d, "mean")),
                     scale ? mean : NAN));
    bestdag_text_free(text);
    bestdag_json_free(report);
    bestdag_rules_free(rules);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void means(void **state)
{
    (void)state;
    static const char *const numbers[] = {"-1", "10", "2.5"};
    static const char *const words[] = {"low", "high", "mid"};
    static const char *const cuts[] = {"s1_below_2", "s3_from_5", "s2_from_2"};
    /* from 0.1 0.2 0.7 to 0.6 0.2 0.2: 0.5 more of the first, less of the last
     */
    check_mean(numbers, NULL, "numbers", 0.5 * -1 - 0.5 * 2.5);
    check_mean(words, NULL, NULL, 0);
    check_mean(words, "states y: low < mid < high", "ranks", 0.5 * 1 - 0.5 * 2);
    check_mean(words, "states y: mid < high < low", "ranks", 0.5 * 3 - 0.5 * 1);
    check_mean(cuts, NULL, "ranks", 0.5 * 1 - 0.5 * 2);
}

/* Rules that fix the arc make the effect identified. */
static void rules_identify(void **state)
{
    (void)state;
    static const char *const words[] = {"a", "b", "c"};
    static const char *const rule[] = {NULL, "v0 -> y", "tiers: v0 | y",
                                       "order v0 < y"};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = pair(run, words);
    for (int i = 0; i < 4; i++) {
        struct bestdag_rules *rules = bestdag_rules_new(run);
        if (rule[i])
            assert_int_equal(bestdag_rules_add(run, rules, rule[i]), 0);
        char *text = bestdag_network_effect(run, net, "v0", "y", rules, NULL);
        struct bestdag_json *report = bestdag_json_read(run, text);
        assert_int_equal(
            bestdag_json_number(bestdag_json_get(report, "identified")),
            rule[i] != NULL);
        bestdag_text_free(text);
        bestdag_json_free(report);
        bestdag_rules_free(rules);
    }
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static bool do_effect(struct bestdag_run *run, const void *input)
{
    const struct bestdag_network *net = input;
    char *text = bestdag_network_effect(run, net, net->variable[1].name,
                                        net->variable[2].name, NULL, NULL);
    bestdag_text_free(text);
    return text != NULL;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = random_net(run, 3, 5, 0);
    survives_failing_allocations(do_effect, net);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surgery_and_adjustment),
        cmocka_unit_test(impossible_states),
        cmocka_unit_test(ranges_over_the_class),
        cmocka_unit_test(means),
        cmocka_unit_test(rules_identify),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
