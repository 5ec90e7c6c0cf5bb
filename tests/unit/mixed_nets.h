/* SPDX-License-Identifier: MIT */
/* mixed_nets.h -- random networks with numbers, and what they say, slowly. */
#ifndef BESTDAG_TEST_MIXED_NETS_H
#define BESTDAG_TEST_MIXED_NETS_H

#include "nets.h"

#include "network/regression.h"

enum { MIXED_MOST = 12 };

struct mixed_shape {
    uint64_t seed;
    int n, most_parents;
    double numbers;   /* share of variables that are numbers */
    double constants; /* chance that a standard deviation is 0 */
};

static inline double mixed_normal(struct bestdag_random *random)
{
    double u = 1 - bestdag_random_unit(random), w = bestdag_random_unit(random);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * w);
}

static inline void mixed_fill_regression(struct bestdag_run *run,
                                         struct bestdag_network *net, int v,
                                         double constants,
                                         struct bestdag_random *random)
{
    int terms = bestdag_network_terms(net, v);
    assert_int_equal(bestdag_network_new_regression(run, net, v), BESTDAG_OK);
    int64_t q = bestdag_network_configurations(net, v);
    for (int64_t i = 0; i < q * terms; i++) {
        bool is_sd = i % terms == terms - 1;
        double x = 2 * mixed_normal(random);
        if (is_sd)
            x = bestdag_random_unit(random) < constants ? 0 : 0.2 + fabs(x);
        net->variable[v].regression[i] = x;
    }
}

static inline struct bestdag_network *mixed_random(struct bestdag_run *run,
                                                   struct mixed_shape shape)
{
    struct bestdag_random random = bestdag_random_init(shape.seed, 78);
    struct bestdag_network *net = bestdag_network_empty(run, shape.n);
    int order[MIXED_MOST] = {0};
    assert_non_null(net);
    for (int i = 0; i < shape.n; i++) {
        int k = (int)bestdag_random_below(&random, (uint64_t)i + 1);
        bool is_number = bestdag_random_unit(&random) < shape.numbers;
        nets_name(run, net, i,
                  is_number ? 0 : 2 + (int)bestdag_random_below(&random, 2));
        net->variable[i].is_number = is_number;
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < shape.n; i++) {
        int parents[MIXED_MOST], count = 0, v = order[i];
        for (int k = 0; k < i && count < shape.most_parents; k++)
            if (bestdag_random_below(&random, (uint64_t)i) <
                    (uint64_t)shape.most_parents &&
                (net->variable[v].is_number ||
                 !net->variable[order[k]].is_number))
                parents[count++] = order[k];
        assert_int_equal(
            bestdag_dag_set_parents(run, net->dag, v, parents, count),
            BESTDAG_OK);
    }
    for (int v = 0; v < shape.n; v++)
        if (net->variable[v].is_number)
            mixed_fill_regression(run, net, v, shape.constants, &random);
        else
            nets_fill_table(run, net, v, 0, &random);
    return net;
}

/* The configuration of v's parents with states. */
static inline int64_t mixed_configuration(const struct bestdag_network *net,
                                          int v, const int *state)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t j = 0;
    for (int i = 0; i < p->count; i++)
        if (!net->variable[p->at[i]].is_number)
            j = j * net->variable[p->at[i]].states + state[p->at[i]];
    return j;
}

/* Terms of v's regression in an assignment of the states; coefficient[u] is
 * that of u, 0 unless it is a parent. */
static inline void mixed_terms(const struct bestdag_network *net, int v,
                               const int *state, double *intercept,
                               double *coefficient, double *sd)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    const double *term =
        net->variable[v].regression +
        mixed_configuration(net, v, state) * bestdag_network_terms(net, v);
    for (int u = 0; u < net->dag->n; u++)
        coefficient[u] = 0;
    *intercept = *term++;
    for (int i = 0; i < p->count; i++)
        if (net->variable[p->at[i]].is_number)
            coefficient[p->at[i]] = *term++;
    *sd = *term;
}

/* ln p of an assignment of everything. */
static inline double mixed_log_density(const struct bestdag_network *net,
                                       const int *state, const double *value)
{
    double sum = 0, c[MIXED_MOST], intercept, sd;
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        if (!x->is_number) {
            sum += log(x->table[mixed_configuration(net, v, state) * x->states +
                                state[v]]);
            continue;
        }
        mixed_terms(net, v, state, &intercept, c, &sd);
        double z = value[v] - intercept;
        for (int u = 0; u < net->dag->n; u++)
            z -= c[u] ? c[u] * value[u] : 0;
        z /= sd;
        sum -= 0.5 * z * z + log(sd) + 0.5 * log(2 * 3.14159265358979323846);
    }
    return sum;
}

/* Next assignment of the variables with states; false after the last. */
static inline bool mixed_next(const struct bestdag_network *net, int *state)
{
    for (int v = net->dag->n - 1; v >= 0; v--) {
        if (net->variable[v].is_number)
            continue;
        if (++state[v] < net->variable[v].states)
            return true;
        state[v] = 0;
    }
    return false;
}

/* A row drawn from the network, by its definition. */
static inline void mixed_draw(const struct bestdag_network *net,
                              const int *order, struct bestdag_random *random,
                              int *state, double *value)
{
    for (int i = 0; i < net->dag->n; i++) {
        int v = order[i];
        const struct bestdag_variable *x = &net->variable[v];
        int64_t j = mixed_configuration(net, v, state);
        if (x->is_number) {
            int terms = bestdag_network_terms(net, v);
            value[v] =
                bestdag_network_mean(net, v, j, value) +
                x->regression[j * terms + terms - 1] * mixed_normal(random);
            continue;
        }
        double u = bestdag_random_unit(random);
        state[v] = 0;
        while (state[v] < x->states - 1 &&
               u >= x->table[j * x->states + state[v]])
            u -= x->table[j * x->states + state[v]++];
    }
}

/* A table of such rows, with the network's names and labels. */
static inline struct bestdag_table *mixed_table(
    struct bestdag_run *run, const struct bestdag_network *net, int rows,
    uint64_t seed)
{
    struct bestdag_random random = bestdag_random_init(seed, 79);
    struct bestdag_table *t = bestdag_table_new(run, rows);
    int order[MIXED_MOST], state[MIXED_MOST] = {0}, n = net->dag->n;
    double value[MIXED_MOST] = {0};
    double *number = calloc((size_t)rows * (size_t)n, sizeof *number);
    int *code = calloc((size_t)rows * (size_t)n, sizeof *code);
    bestdag_dag_order(run, net->dag, order);
    for (int r = 0; r < rows; r++) {
        mixed_draw(net, order, &random, state, value);
        for (int v = 0; v < n; v++) {
            number[v * rows + r] = value[v];
            code[v * rows + r] = state[v];
        }
    }
    for (int v = 0; v < n; v++)
        if (net->variable[v].is_number)
            bestdag_table_add_numbers(run, t, net->variable[v].name,
                                      number + (ptrdiff_t)v * rows);
        else
            bestdag_table_add_codes(
                run, t, net->variable[v].name, code + (ptrdiff_t)v * rows, 4,
                net->variable[v].states,
                (const char *const *)net->variable[v].labels);
    free(number);
    free(code);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return t;
}

#endif
