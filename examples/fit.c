/* SPDX-License-Identifier: MIT */
/* fit.c -- reads a table, fits the probabilities of a given structure to it,
 * and writes the network as BIF.
 *
 *     cc fit.c $(pkg-config --cflags --libs bestdag) -o fit
 *     ./fit rows.csv structure.bif fitted.bif
 */
#include <bestdag.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: fit TABLE STRUCTURE OUTPUT\n");
        return BESTDAG_USAGE;
    }
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *rows = bestdag_table_read(run, argv[1], NULL);
    struct bestdag_network *structure = bestdag_network_read(run, argv[2]);
    struct bestdag_network *fitted =
        bestdag_network_fit(run, structure, rows, NULL);
    bestdag_network_write_as(run, fitted, "bif", argv[3]);

    /* The first error stays in the run, so one check at the end is enough. */
    int status = bestdag_run_status(run);
    if (status)
        fprintf(stderr, "fit: %s\n", bestdag_run_error(run));
    bestdag_network_free(fitted);
    bestdag_network_free(structure);
    bestdag_table_free(rows);
    bestdag_run_free(run);
    return status;
}
