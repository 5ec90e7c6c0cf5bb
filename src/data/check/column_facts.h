/* SPDX-License-Identifier: MIT */
/* column_facts.h -- what `check` determines about columns. */
#ifndef BESTDAG_DATA_CHECK_COLUMN_FACTS_H
#define BESTDAG_DATA_CHECK_COLUMN_FACTS_H

#include "data/table.h"

struct bestdag_column_facts {
    int64_t distinct; /* different values; of opaque columns: at least */
    int64_t present;  /* rows in which it is not missing */
    int64_t weight;   /* of these rows */
    double least, most, mean; /* of numbers; NAN: there are none */
    bool is_whole;            /* all numbers are whole */
    int common;               /* the most common state; -1: none */
    int64_t common_weight;
    int64_t common_row; /* a row with the most frequent value; -1: none */
    uint64_t shape;     /* equal for columns that are equal up to names */
    bool is_constant;
    bool is_identifier;
    int leader;        /* the first column equal up to names; itself if none */
    int determined_by; /* another column that determines it; -1: none known */
};

/* Sets all but `leader` and `determined_by`. May run on any thread. */
int bestdag_column_facts_find(struct bestdag_run *run,
                              const struct bestdag_table *table, int column,
                              struct bestdag_column_facts *to);

/* Sets `leader` of all columns. */
int bestdag_duplicates_find(struct bestdag_run *run,
                            const struct bestdag_table *table,
                            struct bestdag_column_facts *facts);

/* Sets `determined_by` of all columns. *complete: every pair was examined. */
int bestdag_dependences_find(struct bestdag_run *run,
                             const struct bestdag_table *table,
                             struct bestdag_column_facts *facts,
                             bool *complete);

/* representative[r] is the first row with the same value as row r, UINT32_MAX
 * where it is missing. Not for opaque columns.
 */
int bestdag_column_represent(struct bestdag_run *run,
                             const struct bestdag_column *column, int64_t rows,
                             uint32_t *representative);

static inline bool bestdag_column_facts_is_repetitive(
    const struct bestdag_column_facts *f)
{
    return f->distinct <= f->present / 2;
}

#endif
