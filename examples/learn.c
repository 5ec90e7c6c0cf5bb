/* SPDX-License-Identifier: MIT */
/* learn.c -- learns a network from a table, writes it as BIF, and prints how
 * good it is.
 *
 *     cc learn.c $(pkg-config --cflags --libs bestdag) -o learn
 *     ./learn lighthouse.csv net.bif
 */
#include <bestdag.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: learn TABLE OUTPUT\n");
        return BESTDAG_USAGE;
    }
    struct bestdag_run *run = bestdag_run_new();
    bestdag_run_set(run, "time-limit", "60s");
    struct bestdag_table *rows = bestdag_table_read(run, argv[1], NULL);
    struct bestdag_result *result = bestdag_learn(run, rows, NULL, NULL);
    const struct bestdag_network *net = bestdag_result_network(result);
    bestdag_network_write_as(run, net, "bif", argv[2]);

    /* The first error stays in the run, so one check at the end is enough. */
    int status = bestdag_run_status(run);
    if (status)
        fprintf(stderr, "learn: %s\n", bestdag_run_error(run));
    else
        printf("%.6f, at most %.6f over the candidate sets (%s)\n",
               bestdag_result_number(result, "score"),
               bestdag_result_number(result, "bound"),
               bestdag_result_text(result, "status"));
    bestdag_result_free(result);
    bestdag_table_free(rows);
    bestdag_run_free(run);
    return status;
}
