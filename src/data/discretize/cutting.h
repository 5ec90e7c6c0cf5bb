/* SPDX-License-Identifier: MIT */
/* cutting.h -- finding the cuts of columns, and applying them. */
#ifndef BESTDAG_DATA_DISCRETIZE_CUTTING_H
#define BESTDAG_DATA_DISCRETIZE_CUTTING_H

#include "data/discretize/intervals.h"

/* Task and settings. All pointers are borrowed. */
struct bestdag_cutting {
    const struct bestdag_table *table;
    const struct bestdag_discretizer *method;
    const char *text;                   /* "width:5" */
    int intervals;                      /* 5; 0: the method takes none */
    const struct bestdag_column *class; /* or NULL */
};

/* Sets method, text and intervals from "width:5". */
int bestdag_cutting_method(struct bestdag_run *run, const char *text,
                           struct bestdag_cutting *how);
/* Finds cuts and labels for the listed columns, and notes about them. */
int bestdag_cutting_find(struct bestdag_run *run,
                         const struct bestdag_cutting *how,
                         struct bestdag_interval_list *list);
/* The table with the listed columns as codes. */
/* Finds and applies cuts for all columns of numbers; the caller releases the
 * list. NULL: failed.
 */
struct bestdag_table *bestdag_cutting_all(struct bestdag_run *run,
                                          const struct bestdag_cutting *how,
                                          struct bestdag_interval_list *list);
struct bestdag_table *bestdag_cutting_apply(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_interval_list *list);

/* Cells of a column as numbers; codes through their labels, which must be
 * numbers. */
struct bestdag_values {
    const struct bestdag_column *column;
    double *of_state; /* owns; NULL: a column of numbers */
};

int bestdag_values_new(struct bestdag_run *run, const struct bestdag_column *c,
                       struct bestdag_values *to);

static inline double bestdag_value_at(const struct bestdag_values *v,
                                      int64_t row)
{
    if (!v->of_state)
        return ((const double *)v->column->cells)[row];
    int code = bestdag_column_code(v->column, row);
    return code < 0 ? NAN : v->of_state[code];
}

#endif
