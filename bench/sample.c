/* SPDX-License-Identifier: MIT */
/* sample.c -- rows a second: a plain sampler against ours, in one process.
 *
 *     ./dev bench sample [NETWORK [ROWS]]
 *
 * The plain sampler is what one would write first: row by row, variables in
 * topological order, xoshiro256++, tables of doubles, linear search. It writes
 * ints into a buffer of a few rows again and again, so that it never waits for
 * fresh memory. Ours makes a whole table. Both run on one thread, in turns, and
 * the best round of each counts; the very first round of ours, in which the
 * system hands out the memory, is shown separately. */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "base/random.h"
#include "network/network.h"

enum { ROUNDS = 7, PLAIN_ROWS = 64 };

static void plain_row(const struct bestdag_network *net, const int *order,
                      struct bestdag_random *random, int *row)
{
    for (int i = 0; i < net->dag->n; i++) {
        int v = order[i], state = 0;
        const struct bestdag_variable *x = &net->variable[v];
        const struct bestdag_parents *p = &net->dag->parents[v];
        int64_t j = 0;
        for (int k = 0; k < p->count; k++)
            j = j * net->variable[p->at[k]].states + row[p->at[k]];
        const double *probability = x->table + j * x->states;
        double u = bestdag_random_unit(random) - probability[0];
        while (u >= 0 && state < x->states - 1)
            u -= probability[++state];
        row[v] = state;
    }
}

/* Seconds; the sum of all states goes to *sum, so that nothing is left out. */
static double time_plain(const struct bestdag_network *net, const int *order,
                         int64_t rows, int64_t *sum)
{
    int n = net->dag->n;
    int *buffer = calloc((size_t)n * PLAIN_ROWS, sizeof *buffer);
    struct bestdag_random random = bestdag_random_init(1, 0);
    double start = cpu_seconds();
    for (int64_t r = 0; buffer && r < rows; r++) {
        int *row = buffer + r % PLAIN_ROWS * n;
        plain_row(net, order, &random, row);
        *sum += row[n - 1];
    }
    start = cpu_seconds() - start;
    free(buffer);
    return start;
}

static double time_ours(struct bestdag_run *run,
                        const struct bestdag_network *net, int64_t rows,
                        double (*clock)(void))
{
    double start = clock();
    struct bestdag_table *table = bestdag_network_sample(run, net, rows);
    start = clock() - start;
    bestdag_table_free(table);
    return start;
}

static struct bestdag_network *open_network(struct bestdag_run *run,
                                            const char *path)
{
    char munin[4096];
    const char *data = getenv("BESTDAG_DATA");
    if (!path && data) {
        snprintf(munin, sizeof munin, "%s/networks/munin.bif.gz", data);
        path = munin;
    }
    printf("network       %s\n",
           path ? path : "generated: BESTDAG_DATA is not set");
    if (path)
        return bestdag_network_read(run, path);
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "variables", "1041");
    bestdag_options_set(run, options, "states", "2:8");
    bestdag_options_set(run, options, "arcs", "1397");
    struct bestdag_network *net = bestdag_network_generate(run, options);
    bestdag_options_free(options);
    return net;
}

static void measure(struct bestdag_run *run, const struct bestdag_network *net,
                    const int *order, int64_t rows)
{
    double plain = 1e300, ours = 1e300, all = 1e300, first = 0, t;
    int64_t sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        bestdag_run_set(run, "threads", "1");
        t = time_ours(run, net, rows, cpu_seconds);
        first = i ? first : t;
        ours = t < ours ? t : ours;
        t = time_plain(net, order, rows, &sum);
        plain = t < plain ? t : plain;
        bestdag_run_set(run, "threads", "0");
        t = time_ours(run, net, rows, bestdag_seconds);
        all = t < all ? t : all;
    }
    double n = (double)rows;
    printf("plain         %10.0f rows/s   (check %lld)\n", n / plain,
           (long long)sum);
    printf("one thread    %10.0f rows/s   %.1f times\n", n / ours,
           plain / ours);
    printf("  first round %10.0f rows/s   %.1f times\n", n / first,
           plain / first);
    printf("%2d threads    %10.0f rows/s   %.1f times\n",
           bestdag_run_threads(run), n / all, plain / all);
}

int main(int argc, char **argv)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = open_network(run, argc > 1 ? argv[1] : NULL);
    int64_t rows = argc > 2 ? atoll(argv[2]) : 100000;
    if (net && rows > 0) {
        int *order = calloc((size_t)net->dag->n, sizeof *order);
        printf("variables     %d\nrows          %lld\n", net->dag->n,
               (long long)rows);
        if (order && bestdag_dag_order(run, net->dag, order) == net->dag->n)
            measure(run, net, order, rows);
        free(order);
    }
    int status = bestdag_run_status(run);
    if (status)
        fprintf(stderr, "bench sample: %s\n", bestdag_run_error(run));
    bestdag_network_free(net);
    bestdag_run_free(run);
    return status;
}
