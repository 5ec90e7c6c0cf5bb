/* SPDX-License-Identifier: MIT */
/* duplicates.c -- columns that are equal up to the names of their values.
 *
 * Two columns are duplicates if they are missing in the same rows and each is a
 * function of the other. Columns are sorted by their shape (column_facts.c);
 * those of equal shape are compared exactly, with the first column of each
 * kind. Constant and opaque columns have no duplicates. Measurements that
 * hardly repeat a value are all functions of each other, which means nothing:
 * such columns must hold the same numbers. Time O(columns x rows).
 */
#include <stdlib.h>
#include <string.h>

#include "data/check/column_facts.h"

struct entry {
    uint64_t shape;
    int column;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return x->column - y->column;
}

/* Scratch for two columns. */
struct pair {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    uint32_t *one, *other; /* own */
    int column;            /* the one that `one` holds; -1: none */
};

/* Are both columns of numbers, and the same? NaN is where one is missing. */
static bool are_same_numbers(const struct bestdag_table *t, int a, int b)
{
    return t->column[a].kind == BESTDAG_NUMBERS &&
           t->column[b].kind == BESTDAG_NUMBERS &&
           !memcmp(t->column[a].cells, t->column[b].cells,
                   (size_t)t->rows * sizeof(double));
}

/* Are two columns of one shape, with `distinct` values each, duplicates? */
static bool are_equal(struct pair *p, int leader, int column,
                      const struct bestdag_column_facts *facts)
{
    const struct bestdag_table *t = p->table;
    bool are_states = t->column[leader].kind == BESTDAG_CODES &&
                      t->column[column].kind == BESTDAG_CODES;
    if (!are_states && !bestdag_column_facts_is_repetitive(facts))
        return are_same_numbers(t, leader, column);
    if (p->column != leader) {
        if (bestdag_column_represent(p->run, &t->column[leader], t->rows,
                                     p->one))
            return false;
        p->column = leader;
    }
    if (bestdag_column_represent(p->run, &t->column[column], t->rows, p->other))
        return false;
    return !memcmp(p->one, p->other, (size_t)t->rows * sizeof *p->one);
}

/* Finds the leader of every entry of one shape; nearly always the first. */
static void find_leaders(struct pair *p, const struct entry *e, int count,
                         struct bestdag_column_facts *facts)
{
    for (int i = 1; i < count && !bestdag_run_stopped(p->run); i++)
        for (int k = 0; k < i; k++) {
            int leader = e[k].column;
            if (facts[leader].leader == leader &&
                are_equal(p, leader, e[i].column, &facts[leader])) {
                facts[e[i].column].leader = leader;
                break;
            }
        }
}

static int find_all_leaders(struct pair *p, const struct entry *e, int count,
                            struct bestdag_column_facts *facts)
{
    for (int from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && e[to].shape == e[from].shape; to++)
            ;
        find_leaders(p, e + from, to - from, facts);
        if (bestdag_run_watch(p->run, p->run->now.done))
            break;
    }
    return bestdag_run_status(p->run);
}

int bestdag_duplicates_find(struct bestdag_run *run,
                            const struct bestdag_table *table,
                            struct bestdag_column_facts *facts)
{
    struct pair p = {.run = run, .table = table, .column = -1};
    size_t bytes = (size_t)table->rows * sizeof *p.one;
    int count = 0;
    struct entry *e = bestdag_calloc(run, (size_t)table->columns, sizeof *e);
    p.one = bestdag_alloc(run, bytes);
    p.other = bestdag_alloc(run, bytes);
    if (e && p.one && p.other) {
        for (int c = 0; c < table->columns; c++)
            if (table->column[c].kind != BESTDAG_OPAQUE &&
                !facts[c].is_constant)
                e[count++] = (struct entry){facts[c].shape, c};
        qsort(e, (size_t)count, sizeof *e, compare_entries);
        find_all_leaders(&p, e, count, facts);
    }
    bestdag_free(e);
    bestdag_free(p.one);
    bestdag_free(p.other);
    return bestdag_run_status(run);
}
