/* SPDX-License-Identifier: MIT */
/* dot.c -- structures in the language of Graphviz.
 *
 * Every id is quoted, with \" and \\ for quote and backslash; all nodes are
 * listed, in their order, before the arcs. An undirected edge of a class is
 * written as a -> b [dir=none].
 *
 * The reader accepts what we write, and other common syntax: comments,
 * attributes, ids without quotes, ports, chains a -> b -> c. Subgraphs and
 * edges that are not plainly directed are refused. */
#include "formats/dot.h"

#include <string.h>
#include <strings.h>

#include "base/lexer.h"
#include "base/text.h"
#include "formats/format.h"
#include "formats/refusal.h"
#include "formats/structure_draft.h"

/* ---- writing ------------------------------------------------------------- */

static const char look[] =
    "    graph [rankdir=TB, nodesep=0.3, ranksep=0.45];\n"
    "    node [shape=box, style=\"rounded,filled\", color=\"#4a6785\",\n"
    "          fillcolor=\"#eef3f8\", fontname=\"Helvetica\", fontsize=12,\n"
    "          height=0.35, margin=\"0.15,0.06\"];\n"
    "    edge [color=\"#4a6785\", arrowsize=0.7];\n";

static void write_id(struct bestdag_sink *to, const char *text)
{
    bestdag_sink_text(to, "\"");
    while (*text) {
        size_t n = strcspn(text, "\"\\");
        bestdag_sink_write(to, text, n);
        text += n;
        if (*text)
            bestdag_sink_format(to, "\\%c", *text++);
    }
    bestdag_sink_text(to, "\"");
}

/* Graphviz reads &lt; in a label as <: a name with & needs its own label. */
static void write_node(struct bestdag_sink *to, const char *name)
{
    bestdag_sink_text(to, "    ");
    write_id(to, name);
    if (strchr(name, '&')) {
        bestdag_sink_text(to, " [label=\"");
        for (; *name; name++)
            if (*name == '&')
                bestdag_sink_text(to, "&amp;");
            else
                bestdag_sink_format(to, strchr("\"\\", *name) ? "\\%c" : "%c",
                                    *name);
        bestdag_sink_text(to, "\"]");
    }
    bestdag_sink_text(to, ";\n");
}

static void write_arc(const struct bestdag_network *net, int from, int v,
                      struct bestdag_sink *to)
{
    bestdag_sink_text(to, "    ");
    write_id(to, net->variable[from].name);
    bestdag_sink_text(to, " -> ");
    write_id(to, net->variable[v].name);
}

static void write_arcs(const struct bestdag_network *net,
                       struct bestdag_sink *to)
{
    for (int v = 0; v < net->dag->n; v++)
        for (int i = 0; i < net->dag->parents[v].count; i++) {
            write_arc(net, net->dag->parents[v].at[i], v, to);
            bestdag_sink_text(to, ";\n");
        }
}

static void write_edges(const struct bestdag_network *net,
                        const struct bestdag_pdag *pdag,
                        struct bestdag_sink *to)
{
    for (int v = 0; v < pdag->n; v++) {
        const uint64_t *row = pdag->parents + (size_t)v * pdag->words;
        for (int u = 0; (u = bestdag_row_next(row, pdag->words, u)) >= 0; u++) {
            write_arc(net, u, v, to);
            bestdag_sink_text(to, ";\n");
        }
        row = pdag->neighbours + (size_t)v * pdag->words;
        for (int u = 0;
             (u = bestdag_row_next(row, pdag->words, u)) >= 0 && u < v; u++) {
            write_arc(net, u, v, to);
            bestdag_sink_text(to, " [dir=none];\n");
        }
    }
}

void bestdag_dot_write(struct bestdag_run *run,
                       const struct bestdag_network *network,
                       const struct bestdag_pdag *pdag, struct bestdag_sink *to)
{
    static const struct bestdag_refusal refusal = {
        .format = "DOT", .unfit = bestdag_refusal_control};
    if (bestdag_refusal_check(run, network, &refusal))
        return;
    bestdag_sink_text(to, "digraph {\n");
    bestdag_sink_text(to, look);
    bestdag_sink_text(to, "\n");
    for (int v = 0; v < network->dag->n; v++)
        write_node(to, network->variable[v].name);
    bestdag_sink_text(to, "\n");
    if (pdag)
        write_edges(network, pdag, to);
    else
        write_arcs(network, to);
    bestdag_sink_text(to, "}\n");
}

static void write_dot(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      struct bestdag_sink *to)
{
    bestdag_dot_write(run, network, NULL, to);
}

/* ---- reading ------------------------------------------------------------- */

struct reader {
    struct bestdag_lexer x;
    struct bestdag_draft draft;
};

static int status_of(const struct reader *r)
{
    return bestdag_run_status(r->draft.run);
}

/* A word, a string, or a negative number; NULL: none of them. */
static char *take_id(struct reader *r, const char *what)
{
    if (r->x.kind == BESTDAG_SIGN && bestdag_lexer_is(&r->x, "<")) {
        bestdag_lexer_fail(&r->x, "expected %s, found an HTML string", what);
        return NULL;
    }
    bool negative = bestdag_lexer_skip(&r->x, "-");
    char *id = bestdag_lexer_name(&r->x, what);
    if (!id || !negative)
        return id;
    struct bestdag_buffer b = {.run = r->draft.run};
    bestdag_buffer_format(&b, "-%s", id);
    bestdag_free(id);
    return bestdag_buffer_take(&b);
}

static int skip_id(struct reader *r, const char *what)
{
    bestdag_free(take_id(r, what));
    return status_of(r);
}

static int skip_html(struct reader *r)
{
    int depth = 0;
    do {
        depth += bestdag_lexer_is(&r->x, "<");
        depth -= bestdag_lexer_is(&r->x, ">");
        if (r->x.kind == BESTDAG_END)
            return bestdag_lexer_expected(&r->x, "'>'");
        if (bestdag_lexer_next(&r->x))
            return status_of(r);
    } while (depth);
    return BESTDAG_OK;
}

static bool is_text(const char *text, size_t n, const char *word)
{
    return strlen(word) == n && !strncasecmp(text, word, n);
}

/* key = value; for an edge, the value may remove its direction. */
static int take_value(struct reader *r, const char *key, size_t n, bool of_edge)
{
    bool is_dir = is_text(key, n, "dir"),
         is_head = is_text(key, n, "arrowhead");
    const char *value = r->x.text;
    size_t length = r->x.length;
    if (of_edge && ((is_dir && !is_text(value, length, "forward")) ||
                    (is_head && is_text(value, length, "none"))))
        return bestdag_lexer_fail(
            &r->x,
            "'%.*s=%.*s' makes this edge undirected or reverses it, but a "
            "network needs directed arcs",
            (int)n, key, length > 40 ? 40 : (int)length, value);
    if (bestdag_lexer_is(&r->x, "<"))
        return skip_html(r);
    return skip_id(r, "a value");
}

/* [key=value, key=value; key] any number of times. */
static int take_attributes(struct reader *r, bool of_edge)
{
    while (bestdag_lexer_skip(&r->x, "[")) {
        while (!bestdag_lexer_is(&r->x, "]")) {
            const char *key = r->x.text;
            size_t n = r->x.length;
            if (skip_id(r, "an attribute or ']'"))
                return status_of(r);
            if (bestdag_lexer_skip(&r->x, "=") &&
                take_value(r, key, n, of_edge))
                return status_of(r);
            if (!bestdag_lexer_skip(&r->x, ","))
                bestdag_lexer_skip(&r->x, ";");
        }
        if (bestdag_lexer_expect(&r->x, "]"))
            return status_of(r);
    }
    return status_of(r);
}

static bool is_subgraph(const struct reader *r)
{
    return bestdag_lexer_is(&r->x, "{") || bestdag_lexer_is(&r->x, "subgraph");
}

/* The variable of an id with its port; -1: failed. */
static int take_node(struct reader *r)
{
    if (is_subgraph(r))
        bestdag_lexer_fail(&r->x, "subgraphs are not supported");
    else if (r->x.kind == BESTDAG_STRING && !r->x.length)
        bestdag_lexer_fail(&r->x, "a name is empty");
    if (status_of(r))
        return -1;
    char *id = take_id(r, "a node or '}'");
    int v = id ? bestdag_draft_variable(&r->draft, id, strlen(id)) : -1;
    bestdag_free(id);
    while (v >= 0 && bestdag_lexer_skip(&r->x, ":"))
        if (skip_id(r, "a port"))
            return -1;
    return status_of(r) ? -1 : v;
}

/* After "a": "-> b -> c". */
static int take_chain(struct reader *r, int from)
{
    while (bestdag_lexer_skip(&r->x, "-")) {
        if (bestdag_lexer_is(&r->x, "-"))
            return bestdag_lexer_fail(&r->x, "'--' is an undirected edge, but "
                                             "a network needs directed arcs");
        if (bestdag_lexer_expect(&r->x, ">"))
            return status_of(r);
        struct bestdag_lexer before = r->x;
        int to = take_node(r);
        if (to < 0)
            return status_of(r);
        if (to == from)
            return bestdag_lexer_fail(&before, "'%s' cannot be its own parent",
                                      r->draft.name[to]);
        if (bestdag_draft_add_arc(&r->draft, from, to))
            return status_of(r);
        from = to;
    }
    return status_of(r);
}

static int take_statement(struct reader *r)
{
    bool defaults = bestdag_lexer_is(&r->x, "graph") ||
                    bestdag_lexer_is(&r->x, "node") ||
                    bestdag_lexer_is(&r->x, "edge");
    if (defaults) {
        bool of_edge = bestdag_lexer_is(&r->x, "edge");
        if (bestdag_lexer_next(&r->x))
            return status_of(r);
        if (!bestdag_lexer_is(&r->x, "["))
            return bestdag_lexer_expected(&r->x, "'['");
        return take_attributes(r, of_edge);
    }
    struct bestdag_lexer before = r->x, after = r->x;
    if (!is_subgraph(r) && !bestdag_lexer_next(&after) &&
        bestdag_lexer_is(&after, "=")) { /* rankdir = LR */
        r->x = after;
        if (bestdag_lexer_next(&r->x))
            return status_of(r);
        return take_value(r, before.text, before.length, false);
    }
    int v = take_node(r);
    bool of_edge = bestdag_lexer_is(&r->x, "-");
    if (v < 0 || take_chain(r, v))
        return status_of(r);
    return take_attributes(r, of_edge);
}

static int take_graph(struct reader *r)
{
    struct bestdag_lexer *x = &r->x;
    bestdag_lexer_skip(x, "strict");
    if (bestdag_lexer_is(x, "graph"))
        return bestdag_lexer_fail(x, "this graph is undirected, but a network "
                                     "needs a 'digraph'");
    if (bestdag_lexer_expect(x, "digraph"))
        return status_of(r);
    if (!bestdag_lexer_is(x, "{") && skip_id(r, "a name or '{'"))
        return status_of(r);
    if (bestdag_lexer_expect(x, "{"))
        return status_of(r);
    while (!bestdag_lexer_is(x, "}"))
        if (!bestdag_lexer_skip(x, ";") && (status_of(r) || take_statement(r)))
            return status_of(r);
    if (bestdag_lexer_next(x))
        return status_of(r);
    return x->kind == BESTDAG_END
               ? BESTDAG_OK
               : bestdag_lexer_expected(x, "the end of the file");
}

static struct bestdag_network *read_dot(struct bestdag_run *run,
                                        const struct bestdag_file *file)
{
    struct reader r = {.x = {.signs = "{}[];,=:<>-", .comments = "/#"},
                       .draft = {.run = run}};
    struct bestdag_network *net = NULL;
    if (bestdag_run_status(run))
        return NULL;
    if (!bestdag_lexer_start(&r.x, run, file) && !take_graph(&r))
        net = bestdag_draft_finish(&r.draft, file->name);
    bestdag_draft_release(&r.draft);
    return net;
}

/* "digraph" or "strict", after blanks and comments. */
static bool looks_like_dot(const struct bestdag_file *file)
{
    const char *at = file->bytes;
    for (;;) {
        at += strspn(at, " \t\r\n");
        const char *end = !strncmp(at, "//", 2) || *at == '#' ? strchr(at, '\n')
                          : !strncmp(at, "/*", 2)             ? strstr(at, "*/")
                                                              : NULL;
        if (!end)
            break;
        at = end + (*end == '*' ? 2 : 1);
    }
    return !strncasecmp(at, "digraph", 7) || !strncasecmp(at, "strict", 6);
}

const struct bestdag_format bestdag_format_dot = {
    .name = "dot",
    .suffixes = "dot|gv",
    .help = "structure as a Graphviz graph",
    .keeps = BESTDAG_KEEPS_STRUCTURE,
    .sniff = looks_like_dot,
    .read = read_dot,
    .write = write_dot,
    .write_class = bestdag_dot_write,
};
