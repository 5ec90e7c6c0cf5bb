/* SPDX-License-Identifier: MIT */
/* xmlbif_build.c -- builds a network from the parts of an XMLBIF file.
 *
 * Definitions may name variables that stand later in the file, which is why
 * this happens at the end. Linear in the file. */
#include <string.h>

#include "base/text.h"
#include "formats/xmlbif_parts.h"

int bestdag_xml_fail(const struct bestdag_xml_parts *parts,
                     struct bestdag_place at, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int status =
        bestdag_fail_at_list(parts->run, parts->file, at, format, list);
    va_end(list);
    return status;
}

struct builder {
    struct bestdag_xml_parts *parts;
    struct bestdag_run *run;
    struct bestdag_network *net;
    int *parent;   /* owns; of the present definition, in its order */
    int *mark;     /* owns; v + 1: the variable is a parent of v */
    bool *defined; /* owns */
};

static void move_variables(struct builder *b)
{
    struct bestdag_xml_parts *p = b->parts;
    for (int v = 0; v < p->variables; v++) {
        b->net->variable[v] = p->variable[v].v;
        p->variable[v].v = (struct bestdag_variable){0};
    }
    if (p->name && *p->name && strcmp(p->name, "unknown")) {
        b->net->name = p->name;
        p->name = NULL;
    }
    b->net->property = p->property;
    b->net->properties = p->properties;
    p->property = NULL;
    p->properties = 0;
}

static int check_names(struct builder *b)
{
    for (int v = 0; v < b->net->dag->n; v++) {
        const char *name = b->net->variable[v].name;
        if (bestdag_network_find(b->run, b->net, name) != v)
            return bestdag_xml_fail(b->parts, b->parts->variable[v].place,
                                    "two variables are called '%s'", name);
    }
    return BESTDAG_OK;
}

static int find(struct builder *b, const struct bestdag_xml_definition *d,
                const char *name)
{
    int v = bestdag_network_find(b->run, b->net, name);
    char hint[128];
    if (v < 0) {
        bestdag_suggest(hint, bestdag_nearest(name, bestdag_network_name_at,
                                              b->net, b->net->dag->n));
        bestdag_xml_fail(b->parts, d->place, "unknown variable '%.256s'%s",
                         name, hint);
    }
    return v;
}

static int set_parents(struct builder *b, int v,
                       const struct bestdag_xml_definition *d)
{
    for (int i = 0; i < d->givens; i++) {
        int u = find(b, d, d->given[i]);
        if (u < 0)
            return bestdag_run_status(b->run);
        if (u == v || b->mark[u] == v + 1)
            return bestdag_xml_fail(b->parts, d->place, "'%s' is %s",
                                    d->given[i],
                                    u == v ? "its own parent" : "given twice");
        b->mark[u] = v + 1;
        b->parent[i] = u;
    }
    return bestdag_dag_set_parents(b->run, b->net->dag, v, b->parent,
                                   d->givens);
}

static int set_table(struct builder *b, int v,
                     const struct bestdag_xml_definition *d)
{
    const struct bestdag_variable *x = &b->net->variable[v];
    int64_t rows = bestdag_network_configurations(b->net, v);
    if (rows < 0 || !x->states)
        return bestdag_xml_fail(b->parts, d->table_place,
                                "the table of '%s' is too large, or outcomes "
                                "of it or of a parent are missing",
                                x->name);
    if (d->numbers % x->states || d->numbers / x->states != rows)
        return bestdag_xml_fail(
            b->parts, d->table_place,
            "the table of '%s' has %lld numbers, expected %lld x %d", x->name,
            (long long)d->numbers, (long long)rows, x->states);
    b->net->variable[v].line = (int)d->table_place.line;
    b->net->variable[v].column = (int)d->table_place.column;
    return bestdag_network_set_table(b->run, b->net, v, b->parent, d->givens,
                                     d->number);
}

static int add_definition(struct builder *b, struct bestdag_xml_definition *d)
{
    int v = find(b, d, d->of);
    if (v < 0)
        return bestdag_run_status(b->run);
    if (b->defined[v])
        return bestdag_xml_fail(b->parts, d->place,
                                "there are two definitions of '%s'", d->of);
    b->defined[v] = true;
    if (set_parents(b, v, d) || (d->has_table && set_table(b, v, d)))
        return bestdag_run_status(b->run);
    bestdag_free(d->number); /* so that tables are held once, not twice */
    d->number = NULL;
    return BESTDAG_OK;
}

static void note_missing_tables(const struct builder *b)
{
    int missing = 0, n = b->net->dag->n;
    for (int v = 0; v < n; v++)
        missing += !b->net->variable[v].table;
    if (missing && missing < n)
        bestdag_note(b->run, 0, "%s: %d of %d variables have no table",
                     b->parts->file, missing, n);
}

static int build(struct builder *b)
{
    size_t n = (size_t)b->parts->variables;
    b->net = bestdag_network_empty(b->run, b->parts->variables);
    b->parent = bestdag_alloc(b->run, n * sizeof *b->parent);
    b->mark = bestdag_calloc(b->run, n, sizeof *b->mark);
    b->defined = bestdag_calloc(b->run, n, sizeof *b->defined);
    if (bestdag_run_status(b->run))
        return bestdag_run_status(b->run);
    move_variables(b);
    if (check_names(b))
        return bestdag_run_status(b->run);
    for (int i = 0; i < b->parts->definitions; i++)
        if (add_definition(b, &b->parts->definition[i]))
            return bestdag_run_status(b->run);
    note_missing_tables(b);
    return BESTDAG_OK;
}

struct bestdag_network *bestdag_xml_build(struct bestdag_xml_parts *parts)
{
    struct builder b = {.parts = parts, .run = parts->run};
    int status = build(&b);
    bestdag_free(b.parent);
    bestdag_free(b.mark);
    bestdag_free(b.defined);
    if (!status)
        return b.net;
    bestdag_network_free(b.net);
    return NULL;
}

static void free_texts(char **list, int count)
{
    for (int i = 0; i < count; i++)
        bestdag_free(list[i]);
    bestdag_free(list);
}

void bestdag_xml_release(struct bestdag_xml_parts *parts)
{
    for (int i = 0; i < parts->variables; i++) {
        struct bestdag_variable *v = &parts->variable[i].v;
        free_texts(v->labels, v->states);
        free_texts(v->property, v->properties);
        bestdag_free(v->name);
    }
    for (int i = 0; i < parts->definitions; i++) {
        struct bestdag_xml_definition *d = &parts->definition[i];
        free_texts(d->given, d->givens);
        bestdag_free(d->number);
        bestdag_free(d->of);
    }
    free_texts(parts->property, parts->properties);
    bestdag_free(parts->variable);
    bestdag_free(parts->definition);
    bestdag_free(parts->name);
}
