/* SPDX-License-Identifier: MIT */
/* imputed_table.c -- filled tables, and tables of probabilities.
 *
 * A column keeps its values; states that it did not have are appended to its
 * own. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "models/query/impute.h"

/* A column of codes that is being made. */
struct code_column {
    const char **label; /* owns the array */
    int32_t *code;      /* owns; [rows] */
    int labels;
};

static int new_codes(struct bestdag_run *run, struct code_column *c, int labels,
                     int64_t rows)
{
    *c = (struct code_column){0};
    c->label = bestdag_alloc(run, ((size_t)labels + 1) * sizeof *c->label);
    c->code = bestdag_alloc(run, ((size_t)rows + 1) * sizeof *c->code);
    return bestdag_run_status(run);
}

static int code_of(struct code_column *c, const char *label)
{
    int i = 0;
    while (i < c->labels && strcmp(c->label[i], label) != 0)
        i++;
    if (i == c->labels)
        c->label[c->labels++] = label;
    return i;
}

/* A column without any value has no states: it becomes one of numbers. */
static int add_empty(struct bestdag_run *run, struct bestdag_table *to,
                     const char *name)
{
    double *value = bestdag_alloc(run, ((size_t)to->rows + 1) * sizeof *value);
    if (!value)
        return bestdag_run_status(run);
    for (int64_t r = 0; r < to->rows; r++)
        value[r] = NAN;
    bestdag_table_add_numbers(run, to, name, value);
    bestdag_free(value);
    return bestdag_run_status(run);
}

static int end_codes(struct bestdag_run *run, struct bestdag_table *to,
                     const char *name, struct code_column *c, int status)
{
    if (!status)
        status = c->labels ? bestdag_table_add_codes(run, to, name, c->code,
                                                     sizeof *c->code, c->labels,
                                                     c->label)
                           : add_empty(run, to, name);
    bestdag_free(c->label);
    bestdag_free(c->code);
    return status;
}

/* ---- the filled table ---------------------------------------------------- */

/* The source that fills a column, or -1. */
static int source_of(const struct bestdag_imputation *m, int column)
{
    for (int i = 0; i < m->rows.sources; i++)
        if (m->rows.source[i].column == column && m->can_fill[i])
            return i;
    return -1;
}

/* The index of this source's hole in a row; -1: there is none. */
static int64_t hole_of(const struct bestdag_imputation *m, int64_t row,
                       int source)
{
    for (int64_t h = m->first[row]; h < m->first[row + 1]; h++)
        if (m->hole[h].source == source)
            return h;
    return -1;
}

/* The state that a hole is filled with; -1: none. */
static int filled(const struct bestdag_imputation *m, int table, int64_t row,
                  int source)
{
    int64_t h = hole_of(m, row, source);
    return h < 0 ? -1 : m->state[table * m->holes + h];
}

static int add_codes(const struct bestdag_imputation *m,
                     struct bestdag_table *to, const struct bestdag_column *c,
                     int source)
{
    struct bestdag_run *run = m->a.run;
    const struct bestdag_variable *x =
        source >= 0 ? &m->a.network->variable[m->rows.source[source].variable]
                    : NULL;
    struct code_column made;
    int64_t rows = m->table->rows;
    int status = new_codes(run, &made, c->states + (x ? x->states : 0),
                           rows * m->tables);
    for (int s = 0; !status && s < c->states; s++)
        made.label[made.labels++] = c->labels[s];
    for (int t = 0; !status && t < m->tables; t++)
        for (int64_t r = 0; r < rows; r++) {
            int code =
                c->kind == BESTDAG_CODES ? bestdag_column_code(c, r) : -1;
            int state = code < 0 && x ? filled(m, t, r, source) : -1;
            made.code[t * rows + r] =
                state >= 0 ? code_of(&made, x->labels[state]) : code;
        }
    return end_codes(run, to, c->name, &made, status);
}

/* A column of numbers, for all tables drawn. */
static double *new_numbers(const struct bestdag_imputation *m)
{
    size_t rows = (size_t)(m->table->rows * m->tables);
    return bestdag_alloc(m->a.run, (rows + 1) * sizeof(double));
}

static int add_numbers(const struct bestdag_imputation *m,
                       struct bestdag_table *to, const struct bestdag_column *c,
                       int source)
{
    struct bestdag_run *run = m->a.run;
    int64_t rows = m->table->rows;
    double *value = new_numbers(m);
    if (!value)
        return bestdag_run_status(run);
    for (int t = 0; t < m->tables; t++)
        for (int64_t r = 0; r < rows; r++) {
            double x = ((const double *)c->cells)[r];
            int state = isnan(x) && source >= 0 ? filled(m, t, r, source) : -1;
            if (state >= 0)
                bestdag_imputation_number(
                    m->a.network->variable[m->rows.source[source].variable]
                        .labels[state],
                    &x);
            value[t * rows + r] = x;
        }
    bestdag_table_add_numbers(run, to, c->name, value);
    bestdag_free(value);
    return bestdag_run_status(run);
}

/* Adds the column of a variable that is a number. */
static int add_measured(const struct bestdag_imputation *m,
                        struct bestdag_table *to,
                        const struct bestdag_column *c, int source)
{
    int64_t rows = m->table->rows;
    double *value = new_numbers(m);
    for (int t = 0; value && t < m->tables; t++)
        for (int64_t r = 0; r < rows; r++) {
            int64_t h = hole_of(m, r, source);
            value[t * rows + r] =
                h < 0 ? m->cells[source][r] : m->value[t * m->holes + h];
        }
    if (value)
        bestdag_table_add_numbers(m->a.run, to, c->name, value);
    bestdag_free(value);
    return bestdag_run_status(m->a.run);
}

/* Adds the first column of several tables: their number, 1, 2, ... */
static int add_number(const struct bestdag_imputation *m,
                      struct bestdag_table *to)
{
    struct bestdag_run *run = m->a.run;
    int64_t rows = m->table->rows;
    double *value = new_numbers(m);
    if (!value)
        return bestdag_run_status(run);
    for (int t = 0; t < m->tables; t++)
        for (int64_t r = 0; r < rows; r++)
            value[t * rows + r] = t + 1;
    const char *name =
        bestdag_table_find(m->table, "table") < 0 ? "table" : "table_number";
    bestdag_table_add_numbers(run, to, name, value);
    bestdag_free(value);
    return bestdag_run_status(run);
}

static int copy_weights(const struct bestdag_imputation *m,
                        struct bestdag_table *to)
{
    int64_t rows = m->table->rows;
    if (!m->table->weights)
        return BESTDAG_OK;
    to->weights =
        bestdag_alloc(m->a.run, ((size_t)to->rows + 1) * sizeof *to->weights);
    for (int t = 0; to->weights && t < m->tables; t++)
        memcpy(to->weights + t * rows, m->table->weights,
               (size_t)rows * sizeof *to->weights);
    to->total = m->table->total * m->tables;
    return bestdag_run_status(m->a.run);
}

struct bestdag_table *bestdag_imputation_table(
    const struct bestdag_imputation *m)
{
    struct bestdag_run *run = m->a.run;
    struct bestdag_table *to =
        bestdag_table_new(run, m->table->rows * m->tables);
    int status = to ? BESTDAG_OK : bestdag_run_status(run);
    if (!status && m->is_numbered)
        status = add_number(m, to);
    for (int c = 0; c < m->table->columns && !status; c++) {
        const struct bestdag_column *from = &m->table->column[c];
        int source = source_of(m, c);
        if (from->kind == BESTDAG_OPAQUE && from->distinct)
            status = bestdag_fail(run, BESTDAG_INPUT,
                                  "column '%s' has too many different values "
                                  "to be kept: leave it out (--ignore)",
                                  from->name);
        else if (source >= 0 && m->cells && m->cells[source])
            status = add_measured(m, to, from, source);
        else
            status = from->kind == BESTDAG_NUMBERS
                         ? add_numbers(m, to, from, source)
                         : add_codes(m, to, from, source);
    }
    if (!status)
        status = copy_weights(m, to);
    if (!status)
        return to;
    bestdag_table_free(to);
    return NULL;
}

/* ---- probabilities ------------------------------------------------------- */

static int64_t count_labels(const struct bestdag_imputation *m)
{
    int64_t all = m->rows.sources;
    for (int i = 0; i < m->rows.sources; i++)
        all += m->rows.source[i].encoder.states;
    return all;
}

struct bestdag_table *bestdag_imputation_probabilities(
    const struct bestdag_imputation *m)
{
    struct bestdag_run *run = m->a.run;
    struct bestdag_table *to = bestdag_table_new(run, m->numbers);
    struct code_column name, label;
    int labels = (int)count_labels(m);
    double *row = bestdag_alloc(run, ((size_t)m->numbers + 1) * sizeof *row);
    int status = new_codes(run, &name, labels, m->numbers);
    int other = new_codes(run, &label, labels, m->numbers);
    status = status ? status : other;
    int64_t at = 0;
    for (int64_t r = 0; row && !status && r < m->table->rows; r++)
        for (int64_t h = m->first[r]; h < m->first[r + 1]; h++) {
            const struct bestdag_variable *x =
                &m->a.network
                     ->variable[m->rows.source[m->hole[h].source].variable];
            for (int s = 0; s < x->states; s++, at++) {
                row[at] = (double)(r + 1);
                name.code[at] = code_of(&name, x->name);
                label.code[at] = code_of(&label, x->labels[s]);
            }
        }
    status = status ? status : bestdag_run_status(run);
    if (!status)
        status = bestdag_table_add_numbers(run, to, "row", row);
    status = end_codes(run, to, "variable", &name, status);
    status = end_codes(run, to, "state", &label, status);
    if (!status)
        status = bestdag_table_add_numbers(run, to, "probability", m->share);
    if (!status && m->is_sampled)
        status = bestdag_table_add_numbers(run, to, "standard_error", m->error);
    bestdag_free(row);
    if (!status)
        return to;
    bestdag_table_free(to);
    return NULL;
}
