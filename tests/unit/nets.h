/* SPDX-License-Identifier: MIT */
/* nets.h -- random networks and tables for tests, and slow ways to be right. */
#ifndef BESTDAG_TEST_NETS_H
#define BESTDAG_TEST_NETS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "data/table.h"
#include "network/network.h"

struct shape {
    uint64_t seed;
    int n, least_states, most_states, most_parents;
    double zeros; /* chance of a 0 in a table */
};

static inline void nets_name(struct bestdag_run *run,
                             struct bestdag_network *net, int v, int states)
{
    char text[32];
    char **labels = bestdag_calloc(run, (size_t)states, sizeof *labels);
    for (int s = 0; labels && s < states; s++) {
        snprintf(text, sizeof text, "l%d", s);
        labels[s] = bestdag_strdup(run, text);
    }
    snprintf(text, sizeof text, "v%d", v);
    bestdag_network_set_variable(run, net, v, bestdag_strdup(run, text), labels,
                                 states);
}

static inline void nets_fill_table(struct bestdag_run *run,
                                   struct bestdag_network *net, int v,
                                   double zeros, struct bestdag_random *random)
{
    struct bestdag_variable *x = &net->variable[v];
    assert_int_equal(bestdag_network_new_table(run, net, v), BESTDAG_OK);
    int64_t q = bestdag_network_configurations(net, v);
    for (int64_t j = 0; j < q; j++) {
        double *row = x->table + j * x->states, sum = 0;
        for (int s = 0; s < x->states; s++) {
            row[s] = bestdag_random_unit(random) < zeros
                         ? 0
                         : bestdag_random_unit(random) + 1e-3;
            sum += row[s];
        }
        if (sum == 0)
            sum = row[bestdag_random_below(random, (uint64_t)x->states)] = 1;
        for (int s = 0; s < x->states; s++)
            row[s] /= sum;
    }
}

/* Parents are drawn along a random order, so numbers are no order. */
static inline struct bestdag_network *nets_random(struct bestdag_run *run,
                                                  struct shape shape)
{
    struct bestdag_random random = bestdag_random_init(shape.seed, 77);
    struct bestdag_network *net = bestdag_network_empty(run, shape.n);
    int *order = calloc((size_t)shape.n, sizeof *order);
    assert_non_null(net);
    for (int i = 0; i < shape.n; i++) {
        int k = (int)bestdag_random_below(&random, (uint64_t)i + 1);
        int states = shape.least_states +
                     (int)bestdag_random_below(
                         &random, (uint64_t)(shape.most_states -
                                             shape.least_states + 1));
        nets_name(run, net, i, states);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < shape.n; i++) {
        int parents[16], count = 0;
        for (int k = 0; k < i && count < shape.most_parents; k++)
            if (bestdag_random_below(&random, (uint64_t)i) <
                (uint64_t)shape.most_parents)
                parents[count++] = order[k];
        assert_int_equal(
            bestdag_dag_set_parents(run, net->dag, order[i], parents, count),
            BESTDAG_OK);
    }
    for (int v = 0; v < shape.n; v++)
        nets_fill_table(run, net, v, shape.zeros, &random);
    free(order);
    return net;
}

/* The probability of v's state in a full assignment. */
static inline double nets_factor(const struct bestdag_network *net, int v,
                                 const int *state)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t j = 0;
    for (int i = 0; i < p->count; i++)
        j = j * net->variable[p->at[i]].states + state[p->at[i]];
    return net->variable[v].table[j * net->variable[v].states + state[v]];
}

/* Next assignment, the last variable fastest; false after the last. */
static inline bool nets_next(const struct bestdag_network *net, int *state)
{
    for (int v = net->dag->n - 1; v >= 0; v--) {
        if (++state[v] < net->variable[v].states)
            return true;
        state[v] = 0;
    }
    return false;
}

static inline int64_t nets_cells(const struct bestdag_network *net,
                                 const int *variables, int count)
{
    int64_t cells = 1;
    for (int i = 0; i < count; i++)
        cells *= net->variable[variables[i]].states;
    return cells;
}

/* Some variables of the network in some order. */
static inline int nets_pick(struct bestdag_random *random, int n, int *to)
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

/* The joint probability by going through all assignments. */
static inline double *nets_enumerate(const struct bestdag_network *net,
                                     const int *variables, int count)
{
    double *to = calloc((size_t)nets_cells(net, variables, count), sizeof *to);
    int *state = calloc((size_t)net->dag->n, sizeof *state);
    do {
        double p = 1;
        int64_t at = 0;
        for (int v = 0; v < net->dag->n; v++)
            p *= nets_factor(net, v, state);
        for (int i = 0; i < count; i++)
            at = at * net->variable[variables[i]].states + state[variables[i]];
        to[at] += p;
    } while (nets_next(net, state));
    free(state);
    return to;
}

/* A table with the network's columns and codes drawn evenly; -1 (missing) with
 * the given chance. */
static inline struct bestdag_table *nets_table(
    struct bestdag_run *run, const struct bestdag_network *net, int64_t rows,
    double missing, uint64_t seed)
{
    struct bestdag_random random = bestdag_random_init(seed, 78);
    struct bestdag_table *table = bestdag_table_new(run, rows);
    int32_t *codes = malloc((size_t)rows * sizeof *codes + 1);
    assert_non_null(table);
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        for (int64_t r = 0; r < rows; r++)
            codes[r] = bestdag_random_unit(&random) < missing
                           ? -1
                           : (int32_t)bestdag_random_below(&random,
                                                           (uint64_t)x->states);
        assert_int_equal(
            bestdag_table_add_codes(run, table, x->name, codes, 4, x->states,
                                    (const char *const *)x->labels),
            BESTDAG_OK);
    }
    free(codes);
    return table;
}

/* Every two of n roots meet in a link of a chain: whoever asks for its end has
 * to hold a table of almost all roots at some time. */
static inline struct bestdag_network *nets_knot(struct bestdag_run *run, int n)
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

/* Keeps the notes that a run gives, one after the other. */
struct notes {
    char text[4096];
};

static inline int notes_add(void *user, const struct bestdag_progress *now)
{
    struct notes *notes = user;
    size_t length = strlen(notes->text);
    if (now->note && now->detail == 0)
        snprintf(notes->text + length, sizeof notes->text - length, "%s\n",
                 now->note);
    return 0;
}

#define assert_error(run, expected_status, part)                               \
    do {                                                                       \
        assert_int_equal(bestdag_run_status(run), expected_status);            \
        if (!strstr(bestdag_run_error(run), part))                             \
            fail_msg("'%s' lacks '%s'", bestdag_run_error(run), part);         \
        bestdag_run_clear(run);                                                \
    } while (0)

#endif
