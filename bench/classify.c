/* SPDX-License-Identifier: MIT */
/* classify.c -- cells x classes a second at prediction, on one thread.
 *
 *     build/bench/classify TABLE MODEL
 *
 * Trains a model by the likelihood and predicts the rows of the table again and
 * again; prints a row of Markdown with the processor time of the median round.
 * classify.sh calls it. */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "data/table.h"
#include "models/classify.h"
#include "models/predictions.h"

enum { ROUNDS = 15 };

static int in_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int measure(struct bestdag_run *run, const struct bestdag_network *model,
                   const struct bestdag_table *table, const char *name)
{
    double seconds[ROUNDS] = {0};
    struct bestdag_predictor p;
    if (bestdag_predictor_init(run, &p, model, -1, table, NULL))
        return bestdag_run_status(run);
    for (int i = 0; i < ROUNDS; i++) {
        struct bestdag_predictions f;
        double start = cpu_seconds();
        if (!bestdag_predictions_new(run, table->rows, p.classes, &f))
            bestdag_predictor_run(run, &p, table->rows, &f);
        seconds[i] = cpu_seconds() - start;
        bestdag_predictions_release(&f, p.classes);
    }
    qsort(seconds, ROUNDS, sizeof *seconds, in_order);
    double cells = (double)table->rows * (p.n - 1) * p.classes;
    printf("| %lld | %d | %d | %s | %.1f | %.0f |\n", (long long)table->rows,
           p.n - 1, p.classes, name, 1e3 * seconds[ROUNDS / 2],
           cells / seconds[ROUNDS / 2] / 1e6);
    bestdag_predictor_release(&p);
    return bestdag_run_status(run);
}

int main(int count, char **words)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    if (count != 3)
        return BESTDAG_USAGE;
    bestdag_run_set(run, "threads", "1");
    bestdag_options_set(run, options, "max-states", "10");
    bestdag_options_set(run, options, "score", "ll");
    bestdag_options_set(run, options, "model", words[2]);
    struct bestdag_table *table = bestdag_table_read(run, words[1], options);
    struct bestdag_network *model =
        bestdag_classifier_train(run, table, options);
    if (model)
        measure(run, model, table, words[2]);
    if (bestdag_run_status(run))
        fprintf(stderr, "classify: %s\n", bestdag_run_error(run));
    int status = bestdag_run_status(run);
    bestdag_network_free(model);
    bestdag_table_free(table);
    bestdag_options_free(options);
    bestdag_run_free(run);
    return status;
}
