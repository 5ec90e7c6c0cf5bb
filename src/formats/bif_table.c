/* SPDX-License-Identifier: MIT */
/* bif_table.c -- the probability blocks of BIF.
 *
 * A block fills its table with a `table` of all numbers, with rows that name
 * the states of the parents (`*` is any), with a `default`, or with a mixture.
 * An empty row is an error that names the first one, unless all blocks of the
 * file are empty: then it holds a structure only. */
#include <string.h>

#include "formats/bif.h"

enum seen { NO, IMPLIED, GIVEN }; /* whether a row is set */

struct table {
    struct bestdag_read_family family;
    unsigned char *seen; /* owns; [rows] */
    double *fallback;    /* owns; `default`; NULL: none */
    int *state;          /* owns; [parents]; of a row, -1: any */
};

/* ( child | parent, parent ) */
static int read_header(struct bestdag_reader *r, struct bestdag_read_family *f,
                       int block)
{
    struct bestdag_lexer *x = &r->x;
    if (bestdag_reader_begin_family(r, f, block))
        return bestdag_run_status(r->run);
    if (!bestdag_lexer_skip(x, "|"))
        bestdag_lexer_skip(x, ",");
    return bestdag_reader_parents(r, f) ? bestdag_run_status(r->run)
                                        : bestdag_lexer_expect(x, ")");
}

/* `count` numbers, then ';'. */
static int read_numbers(struct bestdag_reader *r, int64_t count, double *to)
{
    struct bestdag_lexer *x = &r->x;
    for (int64_t i = 0; i < count; i++) {
        if (bestdag_lexer_is(x, ";"))
            return bestdag_lexer_fail(x, "expected %lld numbers, found %lld",
                                      (long long)count, (long long)i);
        if (bestdag_reader_probability(r, &to[i]))
            return bestdag_run_status(r->run);
        if (!bestdag_lexer_skip(x, ","))
            bestdag_lexer_skip(x, "|");
    }
    if (!bestdag_lexer_is(x, ";") && !bestdag_run_status(r->run))
        return bestdag_lexer_fail(x, "expected ';' after %lld numbers",
                                  (long long)count);
    return bestdag_lexer_expect(x, ";");
}

/* The labels of a row up to ')'; any: one of them is '*'. */
static int read_row_labels(struct bestdag_reader *r, struct table *t, bool *any)
{
    struct bestdag_lexer *x = &r->x;
    const struct bestdag_read_family *f = &t->family;
    int i = 0;
    *any = false;
    for (; !bestdag_lexer_is(x, ")"); i++) {
        struct bestdag_spot spot = bestdag_reader_here(r);
        bool star = bestdag_lexer_is(x, "*");
        if (i == f->count)
            return bestdag_lexer_fail(x, "expected ')' after %d labels", i);
        int words = bestdag_bif_take_label(r, true);
        t->state[i] =
            words ? bestdag_reader_state(r, f->parents[i], r->word.at) : -1;
        if (words > 1 && t->state[i] < 0) { /* labels without commas */
            bestdag_reader_return(r, spot);
            if (bestdag_bif_take_label(r, false))
                t->state[i] =
                    bestdag_reader_state(r, f->parents[i], r->word.at);
        }
        if (bestdag_run_status(r->run))
            return bestdag_run_status(r->run);
        if (t->state[i] < 0 && !star)
            return bestdag_reader_no_state(r, f->parents[i], spot);
        *any |= t->state[i] < 0;
        bestdag_lexer_skip(x, ",");
    }
    if (i < f->count)
        return bestdag_lexer_fail(x, "expected %d labels, found %d", f->count,
                                  i);
    x->signs = BESTDAG_BIF_SIGNS;
    return bestdag_lexer_expect(x, ")");
}

/* Copies the row to all rows that match the labels in t->state. */
static int spread_row(struct bestdag_reader *r, struct table *t,
                      const double *row, struct bestdag_spot spot)
{
    const struct bestdag_read_family *f = &t->family;
    int64_t fitting = 1;
    for (int i = 0; i < f->count; i++)
        if (t->state[i] < 0)
            fitting *= r->network->variable[f->parents[i]].states;
    if (bestdag_reader_spend(r, spot, fitting))
        return BESTDAG_INPUT;
    for (int64_t k = 0; k < fitting; k++) {
        int64_t rest = k, place = 0, step = 1;
        for (int i = f->count - 1; i >= 0; i--) {
            int states = r->network->variable[f->parents[i]].states;
            place += step * (t->state[i] < 0 ? rest % states : t->state[i]);
            if (t->state[i] < 0)
                rest /= states;
            step *= states;
        }
        if (t->seen[place] == GIVEN)
            continue;
        t->seen[place] = IMPLIED;
        memcpy(f->cell + place * f->states, row,
               (size_t)f->states * sizeof *row);
    }
    return BESTDAG_OK;
}

/* (yes, no) 0.1, 0.9; */
static int read_row(struct bestdag_reader *r, struct table *t, double *row)
{
    const struct bestdag_read_family *f = &t->family;
    struct bestdag_spot spot = bestdag_reader_here(r);
    int64_t place = 0;
    bool any;
    r->x.signs = BESTDAG_BIF_LABEL_SIGNS;
    if (bestdag_lexer_next(&r->x) || read_row_labels(r, t, &any) ||
        read_numbers(r, f->states, row) ||
        bestdag_reader_check_row(r, f, row, spot))
        return bestdag_run_status(r->run);
    if (any)
        return spread_row(r, t, row, spot);
    for (int i = 0; i < f->count; i++)
        place =
            place * r->network->variable[f->parents[i]].states + t->state[i];
    if (t->seen[place] == GIVEN)
        return bestdag_reader_fail_at(r, spot, "this row is given twice");
    t->seen[place] = GIVEN;
    memcpy(f->cell + place * f->states, row, (size_t)f->states * sizeof *row);
    return BESTDAG_OK;
}

/* The whole table: the child is slowest, the last parent fastest. */
static int read_whole(struct bestdag_reader *r, struct table *t)
{
    const struct bestdag_read_family *f = &t->family;
    struct bestdag_spot spot = bestdag_reader_here(r);
    int64_t count = f->rows * f->states;
    if (memchr(t->seen, GIVEN, (size_t)f->rows))
        return bestdag_lexer_fail(&r->x, "a table and rows in the same block");
    double *flat = bestdag_alloc(r->run, (size_t)count * sizeof *flat);
    if (flat && !bestdag_lexer_next(&r->x) && !read_numbers(r, count, flat)) {
        for (int64_t i = 0; i < count; i++)
            f->cell[i % f->rows * f->states + i / f->rows] = flat[i];
        for (int64_t j = 0; j < f->rows; j++)
            if (bestdag_reader_check_row(r, f, f->cell + j * f->states, spot))
                break;
        memset(t->seen, GIVEN, (size_t)f->rows);
    }
    bestdag_free(flat);
    return bestdag_run_status(r->run);
}

static int read_default(struct bestdag_reader *r, struct table *t)
{
    struct bestdag_spot spot = bestdag_reader_here(r);
    if (t->fallback)
        return bestdag_lexer_fail(&r->x, "a second default");
    t->fallback =
        bestdag_alloc(r->run, (size_t)t->family.states * sizeof *t->fallback);
    if (!t->fallback || bestdag_lexer_next(&r->x) ||
        read_numbers(r, t->family.states, t->fallback))
        return bestdag_run_status(r->run);
    return bestdag_reader_check_row(r, &t->family, t->fallback, spot);
}

static int fail_missing(struct bestdag_reader *r, const struct table *t,
                        int64_t row)
{
    const struct bestdag_read_family *f = &t->family;
    const struct bestdag_variable *x = r->network->variable;
    struct bestdag_buffer b = {.run = r->run};
    for (int i = f->count - 1; i >= 0; i--) {
        t->state[i] = (int)(row % x[f->parents[i]].states);
        row /= x[f->parents[i]].states;
    }
    for (int i = 0; i < f->count; i++)
        bestdag_buffer_format(&b, "%s%s", i ? ", " : "",
                              x[f->parents[i]].labels[t->state[i]]);
    char *labels = bestdag_buffer_take(&b);
    if (labels)
        bestdag_reader_fail_at(r, f->spot,
                               "the table of '%.200s' lacks the row (%.200s)",
                               x[f->child].name, labels);
    bestdag_free(labels);
    return bestdag_run_status(r->run);
}

static int fill_default(struct bestdag_reader *r, struct table *t)
{
    const struct bestdag_read_family *f = &t->family;
    for (int64_t j = 0; j < f->rows; j++) {
        if (t->seen[j])
            continue;
        if (!t->fallback)
            return fail_missing(r, t, j);
        memcpy(f->cell + j * f->states, t->fallback,
               (size_t)f->states * sizeof *t->fallback);
    }
    return BESTDAG_OK;
}

static int read_entries(struct bestdag_reader *r, struct table *t, double *row)
{
    struct bestdag_lexer *x = &r->x;
    while (!bestdag_lexer_is(x, "}") && !bestdag_run_status(r->run)) {
        if (bestdag_lexer_is(x, "("))
            read_row(r, t, row);
        else if (bestdag_lexer_is(x, "table"))
            read_whole(r, t);
        else if (bestdag_lexer_is(x, "default"))
            read_default(r, t);
        else if (bestdag_lexer_is(x, "property"))
            bestdag_bif_read_property(r, t->family.child,
                                      &r->original[t->family.child]);
        else
            return bestdag_lexer_expected(x, "'table', 'default', a row of "
                                             "labels, or '}'");
    }
    return bestdag_run_status(r->run) ? bestdag_run_status(r->run)
                                      : fill_default(r, t);
}

int bestdag_bif_read_table(struct bestdag_reader *r, int block)
{
    struct table t = {0};
    struct bestdag_read_family *f = &t.family;
    double *row = NULL;
    r->x.signs = BESTDAG_BIF_SIGNS;
    if (bestdag_reader_return(r, r->tables.at[block]) ||
        read_header(r, f, block) || bestdag_lexer_expect(&r->x, "{"))
        ;
    else if (r->is_bare)
        bestdag_dag_set_parents(r->run, r->network->dag, f->child, f->parents,
                                f->count);
    else if (!bestdag_reader_begin_table(r, f)) {
        t.seen = bestdag_calloc(r->run, (size_t)f->rows, 1);
        t.state = bestdag_alloc(r->run, (size_t)f->count * sizeof *t.state);
        row = bestdag_alloc(r->run, (size_t)f->states * sizeof *row);
        if (t.seen && t.state && row && !read_entries(r, &t, row))
            bestdag_reader_end_table(r, f);
    }
    bestdag_free(row);
    bestdag_free(t.state);
    bestdag_free(t.seen);
    bestdag_free(t.fallback);
    bestdag_family_release(f);
    return bestdag_run_status(r->run);
}
