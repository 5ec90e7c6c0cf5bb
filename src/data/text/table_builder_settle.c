/* SPDX-License-Identifier: MIT */
/* table_builder_settle.c -- applies the settings of columns, by name, once all
 * names are known. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "data/text/table_builder.h"

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(struct bestdag_column_builder *const *)a)->name,
                  (*(struct bestdag_column_builder *const *)b)->name);
}

static int check_unique(struct bestdag_table_builder *g)
{
    struct bestdag_column_builder **order =
        bestdag_alloc(g->run, (size_t)g->count * sizeof *order);
    if (!order)
        return bestdag_run_status(g->run);
    for (int c = 0; c < g->count; c++)
        order[c] = &g->column[c];
    qsort(order, (size_t)g->count, sizeof *order, compare_names);
    for (int c = 1; c < g->count; c++)
        if (!compare_names(&order[c - 1], &order[c])) {
            long a = order[c - 1] - g->column, b = order[c] - g->column;
            double x;
            const char *name = order[c]->name;
            bool value = bestdag_number_parse(name, strlen(name), &x);
            bestdag_fail(g->run, BESTDAG_INPUT,
                         "%s: two columns are called '%s' (numbers %ld and "
                         "%ld), expected different names%s",
                         bestdag_source_name(g->window->source), name,
                         (a < b ? a : b) + 1, (a < b ? b : a) + 1,
                         value ? " (--no-header if the first line is a row)"
                               : "");
            break;
        }
    bestdag_free(order);
    return bestdag_run_status(g->run);
}

static const char *name_of_builder(const void *table_builder, int c)
{
    return ((const struct bestdag_table_builder *)table_builder)
        ->column[c]
        .name;
}

static struct bestdag_column_builder *find(struct bestdag_table_builder *g,
                                           const char *key, const char *name)
{
    char suggestion[128];
    for (int c = 0; c < g->count; c++)
        if (!strcmp(g->column[c].name, name))
            return &g->column[c];
    bestdag_fail(
        g->run, BESTDAG_USAGE, "%s: %s has no column '%s'%s", key,
        bestdag_source_name(g->window->source), name,
        bestdag_suggest(suggestion,
                        bestdag_nearest(name, name_of_builder, g, g->count)));
    return NULL;
}

/* Applies the user's choice of kinds of columns. */
static int settle_kinds(struct bestdag_table_builder *g)
{
    const struct bestdag_settings *set = g->settings;
    for (int i = 0; i < set->as_states.count; i++) {
        struct bestdag_column_builder *s =
            find(g, "as-states", set->as_states.word[i]);
        if (!s)
            return bestdag_run_status(g->run);
        s->as_states = true;
        s->numeric = false;
    }
    for (int i = 0; i < set->as_numbers.count; i++) {
        struct bestdag_column_builder *s =
            find(g, "as-numbers", set->as_numbers.word[i]);
        if (!s)
            return bestdag_run_status(g->run);
        if (s->as_states || s->closed)
            return bestdag_fail(
                g->run, BESTDAG_USAGE, "as-numbers: column '%s' %s", s->name,
                s->closed ? "has declared states" : "is in as-states, too");
        s->as_numbers = s->numeric = true;
    }
    return BESTDAG_OK;
}

int bestdag_table_builder_settle(struct bestdag_table_builder *g)
{
    const struct bestdag_settings *set = g->settings;
    int left = 0;
    if (check_unique(g))
        return bestdag_run_status(g->run);
    for (int i = 0; i < set->ignore.count; i++) {
        struct bestdag_column_builder *s =
            find(g, "ignore", set->ignore.word[i]);
        if (!s)
            return bestdag_run_status(g->run);
        s->kind = BESTDAG_STRAND_SKIPPED;
        s->bytes = 0;
    }
    if (settle_kinds(g))
        return bestdag_run_status(g->run);
    if (set->weights) {
        struct bestdag_column_builder *s = find(g, "weights", set->weights);
        if (!s)
            return bestdag_run_status(g->run);
        s->kind = BESTDAG_STRAND_WEIGHTS;
        s->bytes = sizeof(int32_t);
        bestdag_dictionary_release(&s->values);
    }
    for (int c = 0; c < g->count; c++)
        left += g->column[c].kind < BESTDAG_STRAND_WEIGHTS;
    if (!left)
        return bestdag_fail(g->run, BESTDAG_INPUT,
                            "%s: no column is left to read",
                            bestdag_source_name(g->window->source));
    return BESTDAG_OK;
}
