/* SPDX-License-Identifier: MIT */
/* mpi_program.c -- a program that starts MPI itself: the even and the odd ranks
 * learn from the same table, each half twice with a communicator of its own.
 *
 *     mpirun -n N mpi_program TABLE OUTPUT
 *
 * Rank 0 of a half writes OUTPUT-HALF-TIME.bif. */
#include <bestdag.h>
#include <mpi.h>
#include <stdio.h>

static int learn(MPI_Comm ranks, const char *table, const char *output)
{
    int size = 0;
    struct bestdag_run *run = bestdag_run_new();
    MPI_Comm_size(ranks, &size);
    bestdag_run_set_ranks(run, &ranks);
    struct bestdag_table *rows = bestdag_table_read(run, table, NULL);
    struct bestdag_result *result = bestdag_learn(run, rows, NULL, NULL);
    bestdag_network_write_as(run, bestdag_result_network(result), "bif",
                             output);
    int status = bestdag_run_status(run);
    if (status)
        fprintf(stderr, "mpi_program: %s\n", bestdag_run_error(run));
    else if (bestdag_run_ranks(run) != size)
        status = BESTDAG_FAILED;
    bestdag_result_free(result);
    bestdag_table_free(rows);
    bestdag_run_free(run);
    return status;
}

int main(int argc, char **argv)
{
    int level, rank, status = argc == 3 ? BESTDAG_OK : BESTDAG_USAGE;
    MPI_Comm half;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int time = 0; time < 2 && !status; time++) {
        char output[1000];
        snprintf(output, sizeof output, "%s-%d-%d.bif", argv[2], rank % 2,
                 time);
        status = learn(half, argv[1], output);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return status;
}
