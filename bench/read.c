/* SPDX-License-Identifier: MIT */
/* read.c -- the two halves of the benchmark of reading that need our library;
 * bench/read.sh puts them together with pandas.
 *
 *     read make ROWS COLUMNS FILE   a table of random digits, always the same
 *     read time FILE                seconds, peak resident bytes
 *
 * A process that times reads once and does nothing else, so that the peak of
 * its memory is the peak of reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/random.h"
#include "base/run.h"

/* One row of one digit per cell, 12 digits from each draw. */
static void fill_row(struct bestdag_random *random, int columns, char *row)
{
    for (int c = 0; c < columns;) {
        uint64_t bits = bestdag_random_bits(random);
        for (int k = 0; k < 12 && c < columns; k++, c++, bits /= 10)
            row[2 * c] = (char)('0' + bits % 10);
    }
}

static int make(long rows, int columns, const char *path)
{
    struct bestdag_random random = bestdag_random_init(1, 1);
    FILE *file = fopen(path, "w");
    if (!file)
        return 1;
    char *row = malloc(2 * (size_t)columns);
    if (!row)
        return fclose(file), 1;
    for (int c = 0; c < columns; c++) {
        fprintf(file, "%sV%d", c ? "," : "", c + 1);
        row[2 * c + 1] = c == columns - 1 ? '\n' : ',';
    }
    fputc('\n', file);
    for (long r = 0; r < rows; r++) {
        fill_row(&random, columns, row);
        fwrite(row, 1, 2 * (size_t)columns, file);
    }
    free(row);
    return fclose(file) != 0;
}

static int time_one(const char *path)
{
    struct bestdag_run *run = bestdag_run_new();
    double start = bestdag_seconds();
    struct bestdag_table *table = bestdag_table_read(run, path, NULL);
    double seconds = bestdag_seconds() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (table)
        printf("%.4f %ld\n", seconds, usage.ru_maxrss * 1024);
    else
        fprintf(stderr, "%s\n", bestdag_run_error(run));
    bestdag_table_free(table);
    int failed = bestdag_run_status(run);
    bestdag_run_free(run);
    return failed;
}

int main(int count, char **word)
{
    if (count == 5 && !strcmp(word[1], "make"))
        return make(atol(word[2]), atoi(word[3]), word[4]);
    if (count == 3 && !strcmp(word[1], "time"))
        return time_one(word[2]);
    fprintf(stderr, "read make ROWS COLUMNS FILE | read time FILE\n");
    return 2;
}
