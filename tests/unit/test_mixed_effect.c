/* SPDX-License-Identifier: MIT */
/* test_mixed_effect.c -- effects in networks with numbers against all graphs of
 * the equivalence class, each fitted to the joint distribution, and surgery in
 * each of them. */
#include "mixed_slow.h"

#include "base/json.h"

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

/* ---- the class ------------------------------------------------------------
 */

static bool has_arc(bool arc[N][N], int a, int b)
{
    return arc[a][b];
}

static bool is_adjacent(bool arc[N][N], int a, int b)
{
    return arc[a][b] || arc[b][a];
}

static bool is_acyclic(bool arc[N][N], int n)
{
    bool out[N] = {false};
    for (int left = n; left; left--) {
        int v = -1;
        for (int i = 0; i < n && v < 0; i++) {
            bool is_free = !out[i];
            for (int p = 0; p < n; p++)
                is_free &= !arc[p][i] || out[p];
            v = is_free ? i : -1;
        }
        if (v < 0)
            return false;
        out[v] = true;
    }
    return true;
}

/* Same v-structures? Of the same skeleton. */
static bool is_equivalent(bool a[N][N], bool b[N][N], int n)
{
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            for (int z = y + 1; z < n; z++)
                if (x != y && x != z && !is_adjacent(a, y, z) &&
                    (has_arc(a, y, x) && has_arc(a, z, x)) !=
                        (has_arc(b, y, x) && has_arc(b, z, x)))
                    return false;
    return true;
}

/* ---- effects by surgery ---------------------------------------------------
 */

/* A graph of the class, with a sum for each state of the cause. */
struct member {
    const struct bestdag_network *net;
    bool (*arc)[N];
    int cause, effect, order[N];
};

static void sort(struct member *m)
{
    int n = m->net->dag->n, count = 0;
    bool out[N] = {false};
    while (count < n)
        for (int v = 0; v < n; v++) {
            bool is_free = !out[v];
            for (int p = 0; p < n; p++)
                is_free &= !m->arc[p][v] || out[p];
            if (is_free) {
                m->order[count++] = v;
                out[v] = true;
            }
        }
}

/* P of an assignment of the states in the network; with known[] (-1: any)
 * summed over the others. */
static double probability(const struct bestdag_network *net, const int *known)
{
    int state[N] = {0};
    double sum = 0;
    do {
        double p = 1;
        for (int v = 0; v < net->dag->n; v++) {
            const struct bestdag_variable *x = &net->variable[v];
            if (x->is_number)
                continue;
            if (known[v] >= 0 && known[v] != state[v])
                p = 0;
            p *= x->table[mixed_configuration(net, v, state) * x->states +
                          state[v]];
        }
        sum += p;
    } while (mixed_next(net, state));
    return sum;
}

/* P(v | its parents in the member), from the joint. */
static double conditional(const struct member *m, int v, const int *state)
{
    int known[N];
    for (int u = 0; u < m->net->dag->n; u++)
        known[u] = m->arc[u][v] || u == v ? state[u] : -1;
    double with = probability(m->net, known);
    known[v] = -1;
    return with / probability(m->net, known);
}

/* The regression of v on its numeric parents in the member, in a configuration,
 * from the joint normal: coefficients, and the intercept. */
static double regress(const struct member *m, int v, const double mean[N],
                      double cov[N][N], double *coefficient)
{
    int p[N], k = 0, n = m->net->dag->n;
    double a[N][N], inv[N][N], intercept = mean[v];
    for (int u = 0; u < n; u++) {
        coefficient[u] = 0;
        if (m->arc[u][v] && m->net->variable[u].is_number)
            p[k++] = u;
    }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            a[i][j] = cov[p[i]][p[j]];
    invert(k, a, inv);
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++)
            coefficient[p[i]] += inv[i][j] * cov[p[j]][v];
        intercept -= coefficient[p[i]] * mean[p[i]];
    }
    return intercept;
}

/* The mean of the effect if the cause is set: to a state, or to a value. */
static double set_and_look(const struct member *m, int to, double value)
{
    int n = m->net->dag->n, state[N] = {0};
    double sum = 0;
    bool sets_number = m->net->variable[m->cause].is_number;
    struct question none;
    nothing(&none, n);
    do {
        double p = 1, mean[N], cov[N][N], now[N], c[N];
        for (int v = 0; v < n; v++)
            if (!m->net->variable[v].is_number) {
                if (v == m->cause)
                    p *= state[v] == to;
                else
                    p *= conditional(m, v, state);
            }
        if (!(p > 0))
            continue;
        plain_normal(m->net, &none, state, mean, cov);
        for (int i = 0; i < n; i++) {
            int v = m->order[i];
            if (!m->net->variable[v].is_number)
                continue;
            now[v] = regress(m, v, mean, cov, c);
            for (int u = 0; u < n; u++)
                now[v] += c[u] != 0 ? c[u] * now[u] : 0;
            if (sets_number && v == m->cause)
                now[v] = value;
        }
        sum += p * now[m->effect];
    } while (mixed_next(m->net, state));
    return sum;
}

/* ---- all of it ------------------------------------------------------------
 */

struct range {
    double own[3], least[3],
        most[3]; /* of differences to state 0; slope: [1] */
    int members;
};

static void look(const struct member *m, bool is_own, struct range *to)
{
    bool is_number = m->net->variable[m->cause].is_number;
    int states = is_number ? 2 : m->net->variable[m->cause].states;
    double base = set_and_look(m, 0, 0);
    for (int s = 1; s < states; s++) {
        double d = set_and_look(m, s, 1) - base;
        if (is_own)
            to->own[s] = d;
        to->least[s] = to->members ? fmin(to->least[s], d) : d;
        to->most[s] = to->members ? fmax(to->most[s], d) : d;
    }
    to->members++;
}

static void go_through(const struct bestdag_network *net, int cause, int effect,
                       struct range *to)
{
    int n = net->dag->n, from[N * N], into[N * N], edges = 0;
    bool own[N][N] = {{false}};
    for (int v = 0; v < n; v++)
        for (int i = 0; i < net->dag->parents[v].count; i++) {
            own[net->dag->parents[v].at[i]][v] = true;
            from[edges] = net->dag->parents[v].at[i];
            into[edges++] = v;
        }
    memset(to, 0, sizeof *to);
    for (int mask = 0; mask < 1 << edges; mask++) {
        bool arc[N][N] = {{false}}, is_allowed = true;
        for (int e = 0; e < edges; e++) {
            int a = mask >> e & 1 ? into[e] : from[e];
            int b = mask >> e & 1 ? from[e] : into[e];
            arc[a][b] = true;
            is_allowed &=
                !net->variable[a].is_number || net->variable[b].is_number;
        }
        if (!is_allowed || !is_acyclic(arc, n) || !is_equivalent(own, arc, n))
            continue;
        struct member m = {net, arc, cause, effect, {0}};
        sort(&m);
        look(&m, mask == 0, to);
    }
}

static void near(double got, double want, uint64_t seed, const char *what)
{
    if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want))))
        fail_msg("seed %llu, %s: %.12g is not %.12g", (unsigned long long)seed,
                 what, got, want);
}

static double number_at(const struct bestdag_json *list, int64_t i)
{
    return bestdag_json_number(bestdag_json_at(list, i));
}

static void check_slope(const struct bestdag_json *report,
                        const struct range *want, uint64_t seed)
{
    const struct bestdag_json *range = bestdag_json_get(report, "range");
    near(bestdag_json_number(bestdag_json_get(report, "slope")), want->own[1],
         seed, "slope");
    near(number_at(range, 0), want->least[1], seed, "least slope");
    near(number_at(range, 1), want->most[1], seed, "largest slope");
}

static void check_means(const struct bestdag_network *net, int cause,
                        const struct bestdag_json *report,
                        const struct range *want, uint64_t seed)
{
    const struct bestdag_json *list = bestdag_json_get(report, "differences");
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *d = bestdag_json_at(list, i);
        const struct bestdag_json *range = bestdag_json_get(d, "mean_range");
        const struct bestdag_variable *x = &net->variable[cause];
        int to = bestdag_variable_state(
            x, bestdag_json_text(bestdag_json_get(d, "to")));
        if (strcmp(bestdag_json_text(bestdag_json_get(d, "from")),
                   x->labels[0]) != 0)
            continue;
        near(bestdag_json_number(bestdag_json_get(d, "mean")), want->own[to],
             seed, "difference");
        near(number_at(range, 0), want->least[to], seed, "least difference");
        near(number_at(range, 1), want->most[to], seed, "largest difference");
    }
}

static void effects_are_those_of_all_members(void **state)
{
    struct bestdag_run *run = *state;
    int slopes = 0, means = 0, open = 0, shared = 0;
    for (uint64_t seed = 1; seed <= 250; seed++) {
        struct bestdag_network *net = mixed_random(
            run, (struct mixed_shape){seed, 4, 2, seed % 3 ? 0.5 : 0.75, 0});
        int cause = (int)(seed % 4), effect = (int)(seed / 4 % 4);
        struct range want;
        if (cause != effect && net->variable[effect].is_number) {
            bool is_slope = net->variable[cause].is_number;
            char *text =
                bestdag_network_effect(run, net, net->variable[cause].name,
                                       net->variable[effect].name, NULL, NULL);
            if (!text)
                fail_msg("seed %llu: %s", (unsigned long long)seed,
                         bestdag_run_error(run));
            struct bestdag_json *report = bestdag_json_read(run, text);
            assert_non_null(report);
            go_through(net, cause, effect, &want);
            if (is_slope)
                check_slope(report, &want, seed);
            else
                check_means(net, cause, report, &want, seed);
            bool is_open = want.most[1] - want.least[1] > 1e-5;
            bool says =
                bestdag_json_number(bestdag_json_get(report, "identified")) > 0;
            if (is_open)
                assert_false(says);
            assert_non_null(strstr(
                bestdag_json_text(bestdag_json_get(report, "assumption")),
                "causal only if"));
            slopes += is_slope;
            means += !is_slope;
            open += is_open;
            shared += says;
            bestdag_json_free(report);
            bestdag_text_free(text);
        }
        bestdag_network_free(net);
    }
    print_message("%d slopes, %d means, %d not identified, %d identified\n",
                  slopes, means, open, shared);
    assert_true(slopes > 30 && means > 20 && open > 10 && shared > 20);
}

/* States on states: the numbers do not matter. */
static void effects_on_states_are_those_without_numbers(void **state)
{
    struct bestdag_run *run = *state;
    int asked = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 6, 3, 0.4, 0});
        int place[N], count = 0, parents[N];
        for (int v = 0; v < 6; v++)
            place[v] = net->variable[v].is_number ? -1 : count++;
        struct bestdag_network *alone = bestdag_network_empty(run, count);
        for (int v = 0; v < 6; v++)
            if (place[v] >= 0) {
                const struct bestdag_variable *x = &net->variable[v];
                bestdag_network_set_variable(
                    run, alone, place[v], bestdag_strdup(run, x->name),
                    bestdag_labels_copy(run, x->labels, x->states), x->states);
            }
        for (int v = 0; v < 6; v++)
            if (place[v] >= 0) {
                const struct bestdag_parents *p = &net->dag->parents[v];
                for (int i = 0; i < p->count; i++)
                    parents[i] = place[p->at[i]];
                bestdag_dag_set_parents(run, alone->dag, place[v], parents,
                                        p->count);
                bestdag_network_set_table(run, alone, place[v], parents,
                                          p->count, net->variable[v].table);
            }
        assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
        for (int a = 0; a + 1 < count && a < 2; a++) {
            const char *x = alone->variable[a].name;
            const char *y = alone->variable[a + 1].name;
            char *got = bestdag_network_effect(run, net, x, y, NULL, NULL);
            char *want = bestdag_network_effect(run, alone, x, y, NULL, NULL);
            assert_non_null(got);
            assert_non_null(want);
            assert_string_equal(got, want);
            bestdag_text_free(got);
            bestdag_text_free(want);
            asked++;
        }
        bestdag_network_free(alone);
        bestdag_network_free(net);
    }
    assert_true(asked > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(effects_are_those_of_all_members, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            effects_on_states_are_those_without_numbers, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
