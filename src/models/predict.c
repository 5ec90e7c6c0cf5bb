/* SPDX-License-Identifier: MIT */
/* predict.c -- a table of predictions: the most probable class of every row,
 * and the probability of each class. */
#include <string.h>

#include "models/classify.h"
#include "models/predictions.h"

int bestdag_predictions_new(struct bestdag_run *run, int64_t rows, int classes,
                            struct bestdag_predictions *to)
{
    *to = (struct bestdag_predictions){0};
    to->best = bestdag_alloc(run, ((size_t)rows + 1) * sizeof *to->best);
    to->share = bestdag_calloc(run, (size_t)classes, sizeof *to->share);
    for (int c = 0; to->share && c < classes; c++)
        to->share[c] =
            bestdag_alloc(run, ((size_t)rows + 1) * sizeof **to->share);
    return bestdag_run_status(run);
}

void bestdag_predictions_release(struct bestdag_predictions *f, int classes)
{
    for (int c = 0; f->share && c < classes; c++)
        bestdag_free(f->share[c]);
    bestdag_free(f->share);
    bestdag_free(f->best);
    *f = (struct bestdag_predictions){0};
}

void bestdag_predictions_note(struct bestdag_run *run,
                              const struct bestdag_predictions *f)
{
    if (f->missing)
        bestdag_note(run, 0, "missing values: %lld, summed out",
                     (long long)f->missing);
    if (f->sampled)
        bestdag_note(run, 0,
                     "rows whose missing values could not be summed out "
                     "exactly: %lld; their probabilities are estimates from "
                     "samples",
                     (long long)f->sampled);
    if (f->impossible)
        bestdag_note(run, 0,
                     "rows of probability 0 under every class: %lld; their "
                     "classes are equally likely",
                     (long long)f->impossible);
}

/* ---- the table ----------------------------------------------------------- */

static int add_best(struct bestdag_run *run, struct bestdag_table *to,
                    const struct bestdag_variable *class,
                    const struct bestdag_predictions *f)
{
    int32_t *codes = bestdag_alloc(run, ((size_t)to->rows + 1) * sizeof *codes);
    if (!codes)
        return bestdag_run_status(run);
    for (int64_t r = 0; r < to->rows; r++)
        codes[r] = f->best[r];
    bestdag_table_add_codes(run, to, class->name, codes, 4, class->states,
                            (const char *const *)class->labels);
    bestdag_free(codes);
    return bestdag_run_status(run);
}

static int add_shares(struct bestdag_run *run, struct bestdag_table *to,
                      const struct bestdag_variable *class,
                      const struct bestdag_predictions *f)
{
    for (int c = 0; c < class->states; c++) {
        struct bestdag_buffer name = {.run = run};
        bestdag_buffer_format(&name, "p(%s)", class->labels[c]);
        if (!bestdag_run_status(run))
            bestdag_table_add_numbers(run, to, name.at, f->share[c]);
        bestdag_buffer_release(&name);
        if (bestdag_run_status(run))
            break;
    }
    return bestdag_run_status(run);
}

static void note_unknown(struct bestdag_run *run,
                         const struct bestdag_predictor *p, int64_t rows)
{
    struct bestdag_unknown unknown = {.text.run = run};
    for (int v = 0; v < p->n; v++)
        if (v != p->class)
            bestdag_encoder_unknown(&p->encoder[v], rows, &unknown);
    bestdag_unknown_note(&unknown);
}

static struct bestdag_table *make_table(struct bestdag_run *run,
                                        const struct bestdag_predictor *p,
                                        int64_t rows)
{
    const struct bestdag_variable *class = &p->model->variable[p->class];
    struct bestdag_table *to = bestdag_table_new(run, rows);
    struct bestdag_predictions f = {0};
    if (to && !bestdag_predictions_new(run, rows, p->classes, &f) &&
        !bestdag_predictor_run(run, p, rows, &f)) {
        bestdag_predictions_note(run, &f);
        if (f.holes > f.missing)
            note_unknown(run, p, rows);
        if (!add_best(run, to, class, &f))
            add_shares(run, to, class, &f);
    }
    bestdag_predictions_release(&f, p->classes);
    if (!bestdag_run_status(run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

struct bestdag_table *bestdag_classifier_predict(
    struct bestdag_run *run, const struct bestdag_network *model,
    const struct bestdag_table *table, const struct bestdag_options *options)
{
    const char *name =
        bestdag_option_value(options, &bestdag_classify_options, "class").text;
    struct bestdag_predictor p = {0};
    struct bestdag_table *to = NULL;
    if (bestdag_lacks(run, model, "model") ||
        bestdag_lacks(run, table, "table"))
        return NULL;
    int class = name ? bestdag_network_search(model, name) : -1;
    if (name && class < 0) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "class: the model has no variable "
                     "'%s'",
                     name);
        return NULL;
    }
    struct bestdag_settings settings = {0};
    if (!bestdag_settings_init(&settings, run, options) &&
        !bestdag_predictor_init(run, &p, model, class, table,
                                &settings.ignore)) {
        p.options = options;
        to = make_table(run, &p, table->rows);
    }
    bestdag_predictor_release(&p);
    bestdag_settings_release(&settings);
    return to;
}
