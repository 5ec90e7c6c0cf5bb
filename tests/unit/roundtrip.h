/* SPDX-License-Identifier: MIT */
/* roundtrip.h -- what the tests of the formats share: random networks with
 * awkward names, comparison bit by bit, and hostile files made of good ones. */
#ifndef BESTDAG_TESTS_ROUNDTRIP_H
#define BESTDAG_TESTS_ROUNDTRIP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "formats/format.h"

enum { CONTROL = 1, BRACKETS = 2 }; /* what names a format can hold */

/* clang-format off */
static const char *const plain_names[] = {
    "A", "light on", "na\xc3\xafve", "a\"b", "x/y", "<5", "R&D", "&lt;",
    "back\\slash", "it's", "semi;", "com,ma", " leading", "trailing ",
    "\xe6\x97\xa5\xe6\x9c\xac", "digraph", "node", "-1", "NA", "from", "to",
    "#hash", "//c", "{x}", "a->b", "\"\"", "\\", "1e5", "<!-- no -->",
};
/* clang-format on */
static const char *const control_names[] = {"new\nline", "tab\tx", "\rcr"};
static const char *const bracket_names[] = {"[x]", "a|b", "a:b", "]]>"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static inline const char *pick_name(struct bestdag_random *r, int allowed)
{
    uint64_t from = bestdag_random_below(r, 8);
    if (from == 0 && allowed & CONTROL)
        return control_names[bestdag_random_below(r, COUNT(control_names))];
    if (from == 1 && allowed & BRACKETS)
        return bracket_names[bestdag_random_below(r, COUNT(bracket_names))];
    return plain_names[bestdag_random_below(r, COUNT(plain_names))];
}

/* Unique by its number, which stands somewhere inside; sometimes long. */
static inline char *make_name(struct bestdag_run *run, struct bestdag_random *r,
                              int number, int allowed)
{
    struct bestdag_buffer b = {.run = run};
    if (bestdag_random_below(r, 2))
        bestdag_buffer_format(&b, "%s%d%s", pick_name(r, allowed), number,
                              pick_name(r, allowed));
    else
        bestdag_buffer_format(&b, "%d%s", number, pick_name(r, allowed));
    while (bestdag_random_below(r, 16) == 0 && b.length < 200)
        for (int i = 0; i < 20; i++)
            bestdag_buffer_text(&b, pick_name(r, allowed));
    return bestdag_buffer_take(&b);
}

static inline void random_row(struct bestdag_random *r, double *row, int states)
{
    double sum = 0;
    for (int s = 0; s < states; s++) {
        row[s] = bestdag_random_unit(r);
        uint64_t kind = bestdag_random_below(r, 12);
        if (kind == 0)
            row[s] = 0;
        else if (kind == 1)
            row[s] *= 1e-300;
        else if (kind == 2)
            row[s] = 5e-324;
        sum += row[s];
    }
    for (int s = 0; s < states && sum > 1e-3; s++)
        row[s] /= sum;
    if (sum <= 1e-3)
        row[0] = 1;
}

static inline void random_parents(struct bestdag_run *run,
                                  struct bestdag_network *net,
                                  struct bestdag_random *r)
{
    int n = net->dag->n, rank[16], parents[16];
    for (int v = 0; v < n; v++) { /* a random order of the variables */
        int k = (int)bestdag_random_below(r, (uint64_t)v + 1);
        rank[v] = rank[k];
        rank[k] = v;
    }
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int k = 0; k < i && count < 4; k++)
            if (bestdag_random_below(r, 3) == 0)
                parents[count++] = rank[k];
        assert_int_equal(
            bestdag_dag_set_parents(run, net->dag, rank[i], parents, count),
            BESTDAG_OK);
    }
}

/* 1 to 9 variables, 1 to 4 states. `full`: with states, tables, properties. */
static inline struct bestdag_network *random_network(struct bestdag_run *run,
                                                     struct bestdag_random *r,
                                                     int allowed, bool full)
{
    int n = 1 + (int)bestdag_random_below(r, 9);
    struct bestdag_network *net = bestdag_network_empty(run, n);
    for (int v = 0; v < n; v++) {
        struct bestdag_variable *x = &net->variable[v];
        int states = full ? 1 + (int)bestdag_random_below(r, 4) : 0;
        x->name = make_name(run, r, v, allowed);
        for (int s = 0; s < states; s++) {
            char *label = make_name(run, r, s, allowed);
            bestdag_network_add_property(run, &x->labels, &x->states, label);
            bestdag_free(label);
        }
        if (full && bestdag_random_below(r, 3) == 0)
            bestdag_network_add_property(run, &x->property, &x->properties,
                                         "position = (7, \"<8>\")");
    }
    random_parents(run, net, r);
    for (int v = 0; v < n && full; v++) {
        assert_int_equal(bestdag_network_new_table(run, net, v), BESTDAG_OK);
        int states = net->variable[v].states;
        for (int64_t j = 0; j < bestdag_network_configurations(net, v); j++)
            random_row(r, net->variable[v].table + j * states, states);
    }
    assert_int_equal(bestdag_network_check_consistency(run, net, "random"),
                     BESTDAG_OK);
    return net;
}

static inline char *write_as(struct bestdag_run *run,
                             const struct bestdag_format *format,
                             const struct bestdag_network *net, size_t *size)
{
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    if (!sink)
        return NULL;
    format->write(run, net, sink);
    char *text = bestdag_sink_take(sink, size);
    bestdag_sink_close(sink);
    return text;
}

/* Reads from a block that ends where the text ends, for the sanitizer. */
static inline struct bestdag_network *read_as(
    struct bestdag_run *run, const struct bestdag_format *format,
    const char *bytes, size_t size)
{
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    copy[size] = 0;
    struct bestdag_file file = {"net", copy, size};
    if (format->sniff)
        format->sniff(&file);
    struct bestdag_network *net = format->read(run, &file);
    free(copy);
    return net;
}

static inline struct bestdag_network *read_text(
    struct bestdag_run *run, const struct bestdag_format *format,
    const char *text)
{
    struct bestdag_network *net = read_as(run, format, text, strlen(text));
    if (net && bestdag_network_check_consistency(run, net, "net")) {
        bestdag_network_free(net);
        return NULL;
    }
    return net;
}

static inline struct bestdag_network *must_read(
    struct bestdag_run *run, const struct bestdag_format *format,
    const char *text)
{
    struct bestdag_network *net = read_text(run, format, text);
    if (!net)
        print_message("%s\n", bestdag_run_error(run));
    assert_non_null(net);
    return net;
}

/* The text is refused; the message begins with `start` and has `part`. */
static inline void must_refuse_for(const struct bestdag_format *format,
                                   const char *text, const char *start,
                                   const char *part)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = read_text(run, format, text);
    const char *error = bestdag_run_error(run);
    bool right = !strncmp(error, start, strlen(start)) && strstr(error, part);
    if (!right)
        print_message("got:      %s\nexpected: %s ... %s\n", error, start,
                      part);
    assert_null(net);
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_true(right);
    bestdag_run_free(run);
}

static inline void must_refuse(const struct bestdag_format *format,
                               const char *text, const char *start)
{
    must_refuse_for(format, text, start, "");
}

/* The network cannot be written: BESTDAG_USAGE, nothing written. */
static inline void must_not_write(const struct bestdag_format *format,
                                  struct bestdag_network *net,
                                  const char *message)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    size_t size = 1;
    format->write(run, net, sink);
    assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
    assert_string_equal(bestdag_run_error(run), message);
    bestdag_run_clear(run);
    char *text = bestdag_sink_take(sink, &size);
    assert_int_equal(size, 0);
    bestdag_free(text);
    bestdag_sink_close(sink);
    bestdag_run_free(run);
}

static inline void same_texts(char *const *a, int count, char *const *b,
                              int other)
{
    assert_int_equal(count, other);
    for (int i = 0; i < count; i++)
        assert_string_equal(a[i], b[i]);
}

/* Same names and arcs; the numbers of the variables may differ. */
static inline void assert_same_structure(const struct bestdag_network *a,
                                         const struct bestdag_network *b)
{
    assert_int_equal(a->dag->n, b->dag->n);
    for (int v = 0; v < a->dag->n; v++) {
        const struct bestdag_parents *p = &a->dag->parents[v];
        int w = bestdag_network_search(b, a->variable[v].name);
        assert_true(w >= 0);
        assert_int_equal(p->count, b->dag->parents[w].count);
        for (int i = 0; i < p->count; i++) {
            const char *name = a->variable[p->at[i]].name;
            assert_true(bestdag_dag_has_arc(
                b->dag, bestdag_network_search(b, name), w));
        }
    }
}

/* Everything, in the same order, every number bit by bit. */
static inline void assert_same(const struct bestdag_network *a,
                               const struct bestdag_network *b)
{
    assert_same_structure(a, b);
    same_texts(a->property, a->properties, b->property, b->properties);
    assert_string_equal(a->name ? a->name : "", b->name ? b->name : "");
    for (int v = 0; v < a->dag->n; v++) {
        const struct bestdag_variable *x = &a->variable[v];
        const struct bestdag_variable *y = &b->variable[v];
        assert_string_equal(x->name, y->name);
        same_texts(x->labels, x->states, y->labels, y->states);
        same_texts(x->property, x->properties, y->property, y->properties);
        assert_int_equal(!x->table, !y->table);
        size_t size = (size_t)bestdag_network_configurations(a, v) *
                      (size_t)x->states * sizeof(double);
        if (x->table)
            assert_memory_equal(x->table, y->table, size);
    }
}

typedef void same_fn(const struct bestdag_network *a,
                     const struct bestdag_network *b);

static inline void round_trips(const struct bestdag_format *format, int allowed,
                               same_fn *same, int times)
{
    print_message("seeds 1 to %d\n", times);
    for (int seed = 1; seed <= times; seed++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 0);
        bool full = format->keeps == BESTDAG_KEEPS_ALL && seed % 4;
        struct bestdag_network *net = random_network(run, &r, allowed, full);
        size_t size = 0;
        char *text = write_as(run, format, net, &size);
        if (!text)
            print_message("seed %d: %s\n", seed, bestdag_run_error(run));
        assert_non_null(text);
        struct bestdag_file file = {"net", text, size};
        if (format->sniff)
            assert_true(format->sniff(&file));
        struct bestdag_network *back = must_read(run, format, text);
        same(net, back);
        bestdag_free(text);
        bestdag_network_free(back);
        bestdag_network_free(net);
        bestdag_run_free(run);
    }
}

/* Good, or BESTDAG_INPUT with "net:line:column: ". */
static inline void must_survive(const struct bestdag_format *format,
                                const char *bytes, size_t size)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = read_as(run, format, bytes, size);
    if (!net) {
        int line = 0, column = 0, end = 0;
        if (bestdag_run_status(run) != BESTDAG_INPUT)
            print_message("%s\n", bestdag_run_error(run));
        assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
        sscanf(bestdag_run_error(run), "net:%d:%d: %n", &line, &column, &end);
        if (!end)
            print_message("%s\n", bestdag_run_error(run));
        assert_true(end > 0 && line > 0 && column > 0);
    } else if (bestdag_network_check_consistency(run, net, "net"))
        assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    bestdag_network_free(net);
    assert_int_equal(bestdag_memory_used(run), 0);
    bestdag_run_free(run);
}

static inline void survives_truncation(const struct bestdag_format *format,
                                       const char *text)
{
    for (size_t n = 0; n <= strlen(text); n++)
        must_survive(format, text, n);
}

static inline void survives_mangling(const struct bestdag_format *format,
                                     const char *text, int times)
{
    size_t n = strlen(text);
    char *copy = malloc(2 * n + 64);
    assert_non_null(copy);
    print_message("seeds 1 to %d\n", times);
    for (int seed = 1; seed <= times; seed++) {
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 1);
        size_t size = n;
        memcpy(copy, text, n);
        for (uint64_t k = 1 + bestdag_random_below(&r, 4); k; k--) {
            size_t at = bestdag_random_below(&r, size);
            size_t other = bestdag_random_below(&r, size);
            size_t length = bestdag_random_below(&r, 24);
            if (length > size - at)
                length = size - at;
            switch (bestdag_random_below(&r, 4)) {
            case 0: /* another byte */
                copy[at] = (char)bestdag_random_bits(&r);
                break;
            case 1: /* a byte of the text itself */
                copy[at] = copy[other];
                break;
            case 2: /* a hole */
                if (length < size) {
                    memmove(copy + at, copy + at + length, size - at - length);
                    size -= length;
                }
                break;
            default: /* something twice */
                if (size + length < 2 * n + 64) {
                    memmove(copy + at + length, copy + at, size - at);
                    size += length;
                }
            }
        }
        must_survive(format, copy, size);
    }
    free(copy);
}

/* Reading and writing with the k-th allocation failing, for all k. */
static inline void survives_lack_of_memory(const struct bestdag_format *format,
                                           const char *text)
{
    int failed = 1;
    for (int64_t k = 1; failed; k++) {
        struct bestdag_run *run = bestdag_run_new();
        bestdag_memory_fail_at(run, k);
        size_t size = 0;
        struct bestdag_network *net = read_text(run, format, text);
        char *back = net ? write_as(run, format, net, &size) : NULL;
        failed = bestdag_run_status(run);
        assert_int_equal(!back, failed != 0);
        assert_true(!failed || failed == BESTDAG_MEMORY);
        bestdag_free(back);
        bestdag_network_free(net);
        assert_int_equal(bestdag_memory_used(run), 0);
        bestdag_run_free(run);
    }
}

/* Counts notes of each detail. */
static inline int count_notes(void *user, const struct bestdag_progress *now)
{
    if (now->note)
        ((int *)user)[now->detail]++;
    return 0;
}

/* A network of `n` variables called A, B, ... without arcs. */
static inline struct bestdag_network *lettered(struct bestdag_run *run, int n)
{
    struct bestdag_network *net = bestdag_network_empty(run, n);
    for (int v = 0; v < n; v++) {
        char name[2] = {(char)('A' + v), 0};
        net->variable[v].name = bestdag_strdup(run, name);
    }
    return net;
}

static inline void set_name(struct bestdag_run *run,
                            struct bestdag_network *net, int v,
                            const char *name)
{
    bestdag_free(net->variable[v].name);
    net->variable[v].name = bestdag_strdup(run, name);
}

#endif
