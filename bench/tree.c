/* SPDX-License-Identifier: MIT */
/* tree.c -- the best tree over all variables against a plain counter of pairs.
 *
 *     build/bench/tree TABLE [threads]
 *
 * BIC. The plain counter makes one pass over the rows for each of a sample of
 * pairs (two seconds of them) into a dense table; its time for all pairs
 * follows. Printed: variables, rows, seconds of the solver `tree`, pairs a
 * second of processor time of both, the ratio, megabytes at the peak. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "base/random.h"
#include "data/table.h"
#include "plain.h"
#include "search/solver.h"

enum { SECONDS = 2 };

/* Codes of one byte each, and n ln n; what is not there ends the program. */
static struct plain make_plain(const struct bestdag_table *table,
                               const int *states)
{
    int n = bestdag_table_columns(table);
    int64_t rows = bestdag_table_rows(table);
    struct plain p = {.rows = rows, .states = states, .room = 1 << 16};
    uint8_t **column = calloc((size_t)n, sizeof *column);
    double *xlogx = calloc((size_t)rows + 1, sizeof *xlogx);
    int *codes = calloc((size_t)rows, sizeof *codes);
    p.cell = calloc((size_t)p.room, sizeof *p.cell);
    if (!column || !xlogx || !codes || !p.cell)
        exit(1);
    for (int64_t i = 1; i <= rows; i++)
        xlogx[i] = (double)i * log((double)i);
    for (int v = 0; v < n; v++) {
        column[v] = malloc((size_t)rows);
        if (!column[v] ||
            bestdag_table_codes(table, v, 0, (int)rows, codes) != rows)
            exit(1);
        for (int64_t i = 0; i < rows; i++)
            column[v][i] = (uint8_t)codes[i];
    }
    free(codes);
    p.column = (const uint8_t *const *)column;
    p.xlogx = xlogx;
    return p;
}

static double plain_pairs(const struct plain *p, int n)
{
    struct bestdag_random r = bestdag_random_init(1, 0);
    double start = cpu_seconds(), sum = 0;
    int64_t pairs = 0;
    for (; pairs % 16 || cpu_seconds() - start < SECONDS; pairs++) {
        int child = (int)bestdag_random_below(&r, (uint64_t)n);
        int parent = (int)bestdag_random_below(&r, (uint64_t)n - 1);
        parent += parent >= child;
        sum += plain_score(p, child, &parent, 1);
    }
    if (isnan(sum))
        exit(1);
    return (double)pairs / (cpu_seconds() - start);
}

int main(int argc, char **argv)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_run_set(run, "threads", argc > 2 ? argv[2] : "1");
    if (argc > 1 && strstr(argv[1], ".data"))
        bestdag_options_set(run, options, "no-header", "yes");
    struct bestdag_table *table =
        argc > 1 ? bestdag_table_read(run, argv[1], options) : NULL;
    struct bestdag_scorer *scorer =
        table ? bestdag_scorer_new(run, table, options) : NULL;
    if (!scorer) {
        fprintf(stderr, "tree: %s\n",
                argc > 1 ? bestdag_run_error(run) : "no table was given");
        return 1;
    }
    struct bestdag_task task = {.run = run,
                                .solver = bestdag_solver_find("tree"),
                                .options = options,
                                .scorer = scorer,
                                .n = scorer->n,
                                .max_parents = -1};
    struct bestdag_outcome got;
    double start = bestdag_seconds(), cpu = cpu_seconds();
    if (bestdag_search(&task, &got))
        return 1;
    double seconds = bestdag_seconds() - start, n = scorer->n;
    cpu = cpu_seconds() - cpu;
    struct plain p = make_plain(table, scorer->states);
    double ours = n * (n - 1) / 2 / cpu, theirs = plain_pairs(&p, scorer->n);
    printf("%d,%lld,%.3f,%.0f,%.0f,%.0f,%.0f\n", scorer->n,
           (long long)bestdag_table_rows(table), seconds, ours, theirs,
           ours / theirs, (double)bestdag_memory_peak(run) / 1e6);
    return 0;
}
