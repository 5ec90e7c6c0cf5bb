/* SPDX-License-Identifier: MIT */
/* networks.h -- for tests: random networks with names that are hard to write,
 * and what it means that two networks are the same. */
#ifndef BESTDAG_TESTS_NETWORKS_H
#define BESTDAG_TESTS_NETWORKS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"
#include "formats/format.h"

/* How hard the names are. */
enum { PLAIN_NAMES, ODD_NAMES, NASTY_NAMES };

static inline const char *pick_text(struct bestdag_random *random, int hard)
{
    static const char *const texts[] = {/* plain */ "a",
                                        "rain",
                                        "Smoke_2",
                                        "x1",
                                        /* odd */ "12",
                                        "0",
                                        "blood pressure",
                                        "a.b",
                                        "light-on",
                                        "net",
                                        "node",
                                        "M\xc3\xbcller",
                                        "<5",
                                        ">=7.5",
                                        "12+",
                                        "5-12",
                                        "Asy/Patch",
                                        "Transp.",
                                        "NA",
                                        "None",
                                        "LessUnstable",
                                        "variable",
                                        "probability",
                                        "table",
                                        /* nasty */ "a,b",
                                        "a;b",
                                        "x{y}",
                                        "(1,2]",
                                        "[0,1)",
                                        "a|b",
                                        "say \"hi\"",
                                        "back\\slash",
                                        "a//b",
                                        "/*",
                                        "*/",
                                        "100%",
                                        "#1",
                                        "a & b",
                                        "it's",
                                        "*",
                                        "=",
                                        "a\\\"b",
                                        "<b>x</b>",
                                        "property",
                                        "default",
                                        "two  blanks"};
    static const int ends[] = {4, 24, sizeof texts / sizeof *texts};
    return texts[bestdag_random_below(random, (uint64_t)ends[hard])];
}

/* A text that `used` of the texts so far do not have. */
static inline char *fresh_text(struct bestdag_run *run,
                               struct bestdag_random *random, int hard,
                               char *const *texts, int used)
{
    char text[128];
    for (int k = 0;; k++) {
        int length = snprintf(text, sizeof text, "%s", pick_text(random, hard));
        if (k > 3)
            snprintf(text + length, sizeof text - (size_t)length, "%s%d",
                     hard == NASTY_NAMES ? " " : "_", k);
        int i = 0;
        while (i < used && strcmp(texts[i], text))
            i++;
        if (i == used)
            return bestdag_strdup(run, text);
    }
}

static inline double random_number(struct bestdag_random *random)
{
    switch (bestdag_random_below(random, 6)) {
    case 0:
        return 0;
    case 1:
        return 5e-324;
    case 2:
        return 1e-300 * bestdag_random_unit(random);
    case 3:
        return 1e-5 * bestdag_random_unit(random);
    default:
        return bestdag_random_unit(random);
    }
}

static inline void fill_table(struct bestdag_random *random,
                              struct bestdag_network *net, int v)
{
    struct bestdag_variable *x = &net->variable[v];
    int64_t rows = bestdag_network_configurations(net, v);
    for (int64_t j = 0; j < rows; j++) {
        double *row = x->table + j * x->states, sum = 0;
        for (int s = 0; s < x->states; s++)
            sum += row[s] = random_number(random);
        for (int s = 0; s < x->states; s++)
            row[s] = sum > 1e-3 ? row[s] / sum : (s == 0);
    }
}

static inline void add_variable(struct bestdag_run *run,
                                struct bestdag_random *random,
                                struct bestdag_network *net, int v, int hard)
{
    char **names = calloc((size_t)v + 1, sizeof *names);
    for (int i = 0; i < v; i++)
        names[i] = net->variable[i].name;
    int states = 1 + (int)bestdag_random_below(random, 5);
    if (!bestdag_random_below(random, 20))
        states = 40;
    char **labels = bestdag_calloc(run, (size_t)states, sizeof *labels);
    for (int s = 0; s < states; s++)
        labels[s] = fresh_text(run, random, hard, labels, s);
    bestdag_network_set_variable(
        run, net, v, fresh_text(run, random, hard, names, v), labels, states);
    free(names);
}

/* Arcs go from higher to lower numbers as often as the other way. */
static inline struct bestdag_network *random_network(struct bestdag_run *run,
                                                     uint64_t seed, int n,
                                                     int hard)
{
    struct bestdag_random random = bestdag_random_init(seed, 77);
    struct bestdag_network *net = bestdag_network_empty(run, n);
    int *order = malloc(((size_t)n + 1) * sizeof *order);
    for (int v = 0; v < n; v++) {
        add_variable(run, &random, net, v, hard);
        int k = (int)bestdag_random_below(&random, (uint64_t)v + 1);
        order[v] = order[k];
        order[k] = v;
    }
    for (int i = 0; i < n; i++) {
        int parents[4], count = 0;
        int wanted = (int)bestdag_random_below(&random, 5);
        for (int k = 0; k < wanted && i; k++) {
            int p = order[bestdag_random_below(&random, (uint64_t)i)], old = 0;
            for (int m = 0; m < count; m++)
                old |= parents[m] == p;
            if (!old)
                parents[count++] = p;
        }
        bestdag_dag_set_parents(run, net->dag, order[i], parents, count);
        bestdag_network_new_table(run, net, order[i]);
        fill_table(&random, net, order[i]);
    }
    free(order);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return net;
}

static inline void assert_same_tables(const struct bestdag_network *a,
                                      const struct bestdag_network *b, int v)
{
    const struct bestdag_variable *x = &a->variable[v], *y = &b->variable[v];
    int64_t rows = bestdag_network_configurations(a, v);
    assert_int_equal(x->table == NULL, y->table == NULL);
    if (x->table)
        assert_memory_equal(x->table, y->table,
                            (size_t)(rows * x->states) * sizeof *x->table);
}

/* Names, labels, arcs, every bit of every number. */
static inline void assert_same_network(const struct bestdag_network *a,
                                       const struct bestdag_network *b)
{
    assert_int_equal(a->dag->n, b->dag->n);
    for (int v = 0; v < a->dag->n; v++) {
        const struct bestdag_variable *x = &a->variable[v];
        const struct bestdag_variable *y = &b->variable[v];
        const struct bestdag_parents *p = &a->dag->parents[v];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->states, y->states);
        for (int s = 0; s < x->states; s++)
            assert_string_equal(x->labels[s], y->labels[s]);
        assert_int_equal(p->count, b->dag->parents[v].count);
        assert_memory_equal(p->at, b->dag->parents[v].at,
                            (size_t)p->count * sizeof *p->at);
        assert_same_tables(a, b, v);
    }
}

/* Names and arcs, whatever the order of the variables. */
static inline void assert_same_structure(const struct bestdag_network *a,
                                         const struct bestdag_network *b)
{
    assert_int_equal(a->dag->n, b->dag->n);
    assert_int_equal(bestdag_dag_arcs(a->dag), bestdag_dag_arcs(b->dag));
    for (int v = 0; v < a->dag->n; v++) {
        const struct bestdag_parents *p = &a->dag->parents[v];
        int w = bestdag_network_search(b, a->variable[v].name);
        assert_true(w >= 0);
        for (int i = 0; i < p->count; i++) {
            const char *parent = a->variable[p->at[i]].name;
            assert_true(bestdag_dag_has_arc(
                b->dag, bestdag_network_search(b, parent), w));
        }
    }
}

/* Does the error begin with "name:line:column: "? */
static inline bool names_a_place(const char *error, const char *name)
{
    size_t n = strlen(name);
    int line, column, used = 0;
    return !strncmp(error, name, n) &&
           sscanf(error + n, ":%d:%d: %n", &line, &column, &used) == 2 &&
           used > 0;
}

static inline struct bestdag_network *read_text(
    struct bestdag_run *run, const struct bestdag_format *format,
    const char *name, const char *text)
{
    size_t n = strlen(text);
    struct bestdag_file file = {name, bestdag_alloc(run, n + 1), n};
    memcpy(file.bytes, text, n + 1);
    struct bestdag_network *net = bestdag_format_read(run, format, &file);
    bestdag_free(file.bytes);
    return net;
}

static inline char *write_text(struct bestdag_run *run,
                               const struct bestdag_format *format,
                               const struct bestdag_network *net)
{
    size_t size;
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    char *text = NULL;
    if (sink) {
        format->write(run, net, sink);
        text = bestdag_run_status(run) ? NULL : bestdag_sink_take(sink, &size);
        bestdag_sink_close(sink);
    }
    return text;
}

#endif
