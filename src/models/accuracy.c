/* SPDX-License-Identifier: MIT */
/* accuracy.c -- how good predictions were: accuracy and its interval, confusion
 * matrix, logarithmic loss.
 *
 * The interval is 1.96 standard errors of a share, sqrt(a (1 - a) / rows), on
 * each side. The loss is the mean of -ln p of the true class; a p below LEAST
 * counts as LEAST, so that one row cannot make it infinite. */
#include "models/accuracy.h"

#include <math.h>
#include <string.h>

static const double LEAST = 1e-15, ERRORS = 1.96;

static int add_label(struct bestdag_run *run, struct bestdag_accuracy *v,
                     const char *label)
{
    v->label[v->classes] = bestdag_strdup(run, label);
    v->classes += v->label[v->classes] != NULL;
    return bestdag_run_status(run);
}

int bestdag_accuracy_init(struct bestdag_run *run, struct bestdag_accuracy *to,
                          char *const *first, int first_count,
                          char *const *second, int second_count)
{
    size_t most = (size_t)first_count + (size_t)second_count;
    *to = (struct bestdag_accuracy){0};
    to->label = bestdag_calloc(run, most, sizeof *to->label);
    for (int i = 0; to->label && i < first_count; i++)
        if (add_label(run, to, first[i]))
            return bestdag_run_status(run);
    for (int i = 0; to->label && i < second_count; i++)
        if (bestdag_accuracy_find(to, second[i]) < 0 &&
            add_label(run, to, second[i]))
            return bestdag_run_status(run);
    size_t cells = (size_t)to->classes * (size_t)to->classes;
    if (bestdag_reserve(run, (int64_t)(cells * sizeof *to->confusion),
                        "the confusion matrix"))
        return bestdag_run_status(run);
    to->confusion = bestdag_calloc(run, cells, sizeof *to->confusion);
    return bestdag_run_status(run);
}

void bestdag_accuracy_release(struct bestdag_accuracy *v)
{
    for (int c = 0; v->label && c < v->classes; c++)
        bestdag_free(v->label[c]);
    bestdag_free(v->label);
    bestdag_free(v->confusion);
    *v = (struct bestdag_accuracy){0};
}

int bestdag_accuracy_find(const struct bestdag_accuracy *v, const char *label)
{
    for (int c = 0; c < v->classes; c++)
        if (!strcmp(v->label[c], label))
            return c;
    return -1;
}

void bestdag_accuracy_add(struct bestdag_accuracy *v, int truth, int predicted,
                          double p, int64_t weight)
{
    v->confusion[(size_t)truth * (size_t)v->classes + (size_t)predicted] +=
        weight;
    v->total += weight;
    v->loss -= (double)weight * log(p > LEAST ? p : LEAST);
    v->denied += p > 0 ? 0 : weight;
}

/* ---- the report ---------------------------------------------------------- */

static int64_t cell(const struct bestdag_accuracy *v, int truth, int predicted)
{
    return v->confusion[(size_t)truth * (size_t)v->classes + (size_t)predicted];
}

static double share(int64_t part, int64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static void write_accuracy(const struct bestdag_accuracy *v,
                           struct bestdag_json_writer *w)
{
    int64_t right = 0;
    for (int c = 0; c < v->classes; c++)
        right += cell(v, c, c);
    double a = share(right, v->total);
    double wide = ERRORS * sqrt(a * (1 - a) / (double)v->total);
    bestdag_json_add_integer(w, "rows", v->total);
    bestdag_json_add_number(w, "accuracy", a);
    bestdag_json_open(w, "interval", '[');
    bestdag_json_add_number(w, NULL, a - wide > 0 ? a - wide : 0);
    bestdag_json_add_number(w, NULL, a + wide < 1 ? a + wide : 1);
    bestdag_json_close(w, ']');
    bestdag_json_add_number(w, "log_loss", v->loss / (double)v->total);
    bestdag_json_add_integer(w, "zero_probability_rows", v->denied);
}

static void write_class(const struct bestdag_accuracy *v, int c,
                        struct bestdag_json_writer *w)
{
    int64_t rows = 0, predicted = 0;
    for (int k = 0; k < v->classes; k++) {
        rows += cell(v, c, k);
        predicted += cell(v, k, c);
    }
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "name", v->label[c]);
    bestdag_json_add_integer(w, "rows", rows);
    bestdag_json_add_number(w, "precision", share(cell(v, c, c), predicted));
    bestdag_json_add_number(w, "recall", share(cell(v, c, c), rows));
    bestdag_json_close(w, '}');
}

void bestdag_accuracy_write(const struct bestdag_accuracy *v,
                            struct bestdag_json_writer *w)
{
    write_accuracy(v, w);
    bestdag_json_open(w, "classes", '[');
    for (int c = 0; c < v->classes; c++)
        bestdag_json_add_text(w, NULL, v->label[c]);
    bestdag_json_close(w, ']');
    bestdag_json_open(w, "per_class", '[');
    for (int c = 0; c < v->classes; c++)
        write_class(v, c, w);
    bestdag_json_close(w, ']');
    bestdag_json_open(w, "confusion", '[');
    for (int c = 0; c < v->classes; c++) {
        bestdag_json_open(w, NULL, '[');
        for (int k = 0; k < v->classes; k++)
            bestdag_json_add_integer(w, NULL, cell(v, c, k));
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
}
