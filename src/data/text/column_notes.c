/* SPDX-License-Identifier: MIT */
/* column_notes.c -- notes about the columns that were read: one line for each
 * kind of surprise, however many columns have it. */
#include <math.h>
#include <stdio.h>

#include "data/text/table_builder.h"

struct bestdag_word bestdag_builder_text(const struct bestdag_table_builder *g,
                                         const struct bestdag_column_builder *s)
{
    struct bestdag_word w = {.text = ""};
    double x;
    for (int i = 0; i < s->values.count; i++) {
        w.text = bestdag_dictionary_text(&s->values, &g->store, i, &w.length);
        if (!bestdag_settings_number(g->settings, w.text, w.length, &x))
            break;
    }
    return w;
}

static bool became_numbers(const struct bestdag_table_builder *g,
                           const struct bestdag_column_builder *s)
{
    (void)g;
    return s->kind == BESTDAG_STRAND_NUMBERS;
}

static bool became_opaque(const struct bestdag_table_builder *g,
                          const struct bestdag_column_builder *s)
{
    (void)g;
    return s->kind == BESTDAG_STRAND_OPAQUE && s->distinct && !*s->example;
}

static bool is_mixed_up(const struct bestdag_table_builder *g,
                        const struct bestdag_column_builder *s)
{
    (void)g;
    return s->kind == BESTDAG_STRAND_OPAQUE && *s->example;
}

static bool is_empty(const struct bestdag_table_builder *g,
                     const struct bestdag_column_builder *s)
{
    (void)g;
    return s->kind == BESTDAG_STRAND_OPAQUE && !s->distinct;
}

static bool is_nearly_numbers(const struct bestdag_table_builder *g,
                              const struct bestdag_column_builder *s)
{
    int texts = s->values.count - s->numbers;
    return s->kind == BESTDAG_STRAND_CODES && bestdag_builder_is_free(s) &&
           texts > 0 && texts <= 3 && !s->as_states &&
           s->numbers > bestdag_builder_most_states(g, s);
}

static bool has_decimal_commas(const struct bestdag_table_builder *g,
                               const struct bestdag_column_builder *s)
{
    struct bestdag_settings comma = {.decimal = ','};
    bool any = false;
    if (s->kind != BESTDAG_STRAND_CODES || !bestdag_builder_is_free(s) ||
        g->settings->decimal == ',' ||
        s->values.count <= BESTDAG_FRACTIONAL_STATES)
        return false;
    for (int i = 0; i < s->values.count; i++) {
        size_t n;
        double x;
        const char *text =
            bestdag_dictionary_text(&s->values, &g->store, i, &n);
        if (!bestdag_settings_number(&comma, text, n, &x))
            return false;
        any = any || memchr(text, ',', n);
    }
    return any;
}

static bool has_empty_state(const struct bestdag_table_builder *g,
                            const struct bestdag_column_builder *s)
{
    struct bestdag_word empty = {.text = ""};
    return s->kind == BESTDAG_STRAND_CODES && s->token_is_value &&
           bestdag_dictionary_find(&s->values, &g->store, empty) >= 0;
}

static const struct finding {
    bool (*holds)(const struct bestdag_table_builder *,
                  const struct bestdag_column_builder *);
    const char *one, *many, *advice;
    int detail; /* 1: code that cannot use it fails with an error */
} findings[] = {
    {became_numbers, "holds numbers", "hold numbers",
     "; 'bestdag discretize' turns numbers into states", 1},
    {became_opaque, "has too many different values for states",
     "have too many different values for states", "", 0},
    {is_mixed_up, "has text among too many numbers for states",
     "have text among too many numbers for states",
     "; --na lists the marks of missing values", 0},
    {is_empty, "has no value at all", "have no value at all", "", 0},
    {is_nearly_numbers, "has text among many numbers",
     "have text among many numbers",
     ": read as states; --na lists the marks of missing values, --as-numbers "
     "says where the text is",
     0},
    {has_decimal_commas, "looks like numbers with a decimal comma",
     "look like numbers with a decimal comma",
     "; --decimal , reads them as numbers", 0},
    {has_empty_state, "has the empty text, in quotes, as a state",
     "have the empty text, in quotes, as a state", "", 0},
};

enum { NAMED = 5 }; /* columns that a note names */

static void add_name(const struct bestdag_table_builder *g,
                     const struct bestdag_column_builder *s,
                     struct bestdag_buffer *names)
{
    bestdag_buffer_format(names, "%s'%.100s'", names->length ? ", " : "",
                          s->name);
    if (*s->example)
        bestdag_buffer_format(names, " ('%s')", s->example);
    else if (is_nearly_numbers(g, s)) {
        struct bestdag_word w = bestdag_builder_text(g, s);
        if (w.length < 32)
            bestdag_buffer_format(names, " ('%.*s')", (int)w.length, w.text);
    }
}

static void report(struct bestdag_table_builder *g, const struct finding *f)
{
    struct bestdag_buffer names = {.run = g->run};
    const char *file = bestdag_source_name(g->window->source);
    int count = 0;
    for (int c = 0; c < g->count; c++)
        if (f->holds(g, &g->column[c]) && ++count <= NAMED)
            add_name(g, &g->column[c], &names);
    if (count == 1 && names.at)
        bestdag_note(g->run, f->detail, "%s: column %s %s%s", file, names.at,
                     f->one, f->advice);
    else if (count && names.at)
        bestdag_note(g->run, f->detail, "%s: %d columns %s (%s%s)%s", file,
                     count, f->many, names.at, count > NAMED ? ", ..." : "",
                     f->advice);
    bestdag_buffer_release(&names);
}

void bestdag_table_builder_note(struct bestdag_table_builder *g)
{
    for (size_t k = 0; k < sizeof findings / sizeof *findings; k++)
        report(g, &findings[k]);
}

/* ---- a row in place of the names ----------------------------------------- */

/* The least and the greatest value of a column that holds only numbers; false:
 * it does not. */
static bool find_range(const struct bestdag_table_builder *g,
                       const struct bestdag_column *c, double *least,
                       double *most)
{
    int64_t count = c->kind == BESTDAG_NUMBERS ? g->rows : c->states;
    *least = INFINITY;
    *most = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double x;
        if (c->kind == BESTDAG_NUMBERS)
            x = ((const double *)c->cells)[i];
        else if (!bestdag_settings_number(g->settings, c->labels[i],
                                          strlen(c->labels[i]), &x))
            return false;
        *least = fmin(*least, x);
        *most = fmax(*most, x);
    }
    return *least <= *most;
}

static bool has_label(const struct bestdag_column *c, const char *label)
{
    for (int s = 0; s < c->states; s++)
        if (!strcmp(c->labels[s], label))
            return true;
    return false;
}

/* Could the column's name be one of its values: one that occurs, a number not
 * far from its numbers, or a missing value? */
static bool is_named_by_value(const struct bestdag_table_builder *g,
                              const struct bestdag_column *c)
{
    size_t n = strlen(c->name);
    double x, least, most;
    if (bestdag_settings_is_missing(g->settings, c->name, n) ||
        (c->kind == BESTDAG_CODES && has_label(c, c->name)))
        return true;
    if (c->kind == BESTDAG_OPAQUE ||
        !bestdag_settings_number(g->settings, c->name, n, &x) ||
        !find_range(g, c, &least, &most))
        return false;
    double width = most - least;
    return x >= least - width && x <= most + width;
}

/* Are the names years, or 0, 1, 2, ...? Whole numbers that rise from column to
 * column are proper names. */
static bool are_counted(const struct bestdag_table_builder *g,
                        const struct bestdag_table *t)
{
    double before = -INFINITY;
    for (int c = 0; c < t->columns; c++) {
        const char *name = t->column[c].name;
        double x;
        if (!bestdag_settings_number(g->settings, name, strlen(name), &x) ||
            x != floor(x) || x <= before)
            return false;
        before = x;
    }
    return true;
}

bool bestdag_table_builder_has_odd_names(const struct bestdag_table_builder *g,
                                         const struct bestdag_table *t)
{
    struct bestdag_buffer names = {.run = g->run};
    if (!g->has_header || g->rows < 2 || t->columns < 2)
        return false;
    for (int c = 0; c < t->columns; c++)
        if (!is_named_by_value(g, &t->column[c]))
            return false;
    if (are_counted(g, t))
        return false;
    for (int c = 0; c < t->columns && c < NAMED; c++)
        bestdag_buffer_format(&names, "%s'%.40s'", c ? ", " : "",
                              t->column[c].name);
    bestdag_note(g->run, 0,
                 "warning: %s: the first line looks like a row, not like names "
                 "(%s%s); --no-header reads it as one",
                 bestdag_source_name(g->window->source),
                 names.at ? names.at : "", t->columns > NAMED ? ", ..." : "");
    bestdag_buffer_release(&names);
    return true;
}
