/* SPDX-License-Identifier: MIT */
/* edges.c -- structures as a CSV list of arcs, one per line:
 *
 *     from,to
 *     smoke,lung
 *     age,            a variable without arcs: `to` is empty
 *
 * A class has a third column, `kind`: directed or undirected.
 *
 * The reader accepts columns in any order, by the names in the header (from or
 * source, to or target, kind; others are ignored); without a header, one or two
 * fields per line. The delimiter is the one of comma, semicolon and tab that
 * the first line has. Blanks around an unquoted field are ignored. Undirected
 * edges are refused: a network needs directions. */
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/growing_array.h"
#include "formats/cursor.h"
#include "formats/format.h"
#include "formats/refusal.h"
#include "formats/structure_draft.h"

/* ---- one line ------------------------------------------------------------ */

struct field {
    size_t start; /* in the text of the record */
    struct bestdag_place place;
};

struct record {
    struct bestdag_buffer text; /* the fields, each ended by 0 */
    struct field *field;        /* owns */
    int count;
    int64_t room;
};

struct reader {
    struct bestdag_cursor c;
    char delimiter;
    struct record record;
    struct bestdag_draft draft;
    int from, to, kind; /* columns; -1: there is none */
    bool has_header;
};

static bool is_break(const struct bestdag_cursor *c)
{
    return c->at >= c->end || *c->at == '\n' || *c->at == '\r';
}

static void skip_blanks(struct reader *r)
{
    while (r->c.at < r->c.end && (*r->c.at == ' ' || *r->c.at == '\t') &&
           *r->c.at != r->delimiter)
        bestdag_cursor_step(&r->c);
}

static int start_field(struct reader *r)
{
    struct record *rec = &r->record;
    if (!BESTDAG_GROW(r->c.run, rec->field, rec->room, rec->count + 1))
        return bestdag_run_status(r->c.run);
    rec->field[rec->count++] =
        (struct field){rec->text.length, bestdag_cursor_place(&r->c)};
    return BESTDAG_OK;
}

/* At the opening quote. */
static int take_quoted(struct reader *r)
{
    struct bestdag_cursor *c = &r->c;
    struct bestdag_place place = bestdag_cursor_place(c);
    bestdag_cursor_step(c);
    for (;;) {
        const char *from = c->at;
        while (c->at < c->end && *c->at != '"')
            bestdag_cursor_step(c);
        bestdag_buffer_add(&r->record.text, from, (size_t)(c->at - from));
        if (c->at >= c->end)
            return bestdag_cursor_fail(c, place,
                                       "this quoted field has no closing '\"'");
        bestdag_cursor_step(c);
        if (c->at >= c->end || *c->at != '"')
            break;
        bestdag_cursor_step(c);
        bestdag_buffer_add(&r->record.text, "\"", 1);
    }
    skip_blanks(r);
    if (!is_break(c) && *c->at != r->delimiter)
        return bestdag_cursor_fail(c, bestdag_cursor_place(c),
                                   "expected the end of the field after '\"', "
                                   "found '%c'",
                                   *c->at);
    return bestdag_run_status(c->run);
}

static int take_plain(struct reader *r)
{
    struct bestdag_cursor *c = &r->c;
    const char *from = c->at;
    for (; !is_break(c) && *c->at != r->delimiter; bestdag_cursor_step(c))
        if (*c->at == '"')
            return bestdag_cursor_fail(c, bestdag_cursor_place(c),
                                       "a '\"' inside a field, expected the "
                                       "whole field in quotes");
    size_t n = (size_t)(c->at - from);
    while (n && (from[n - 1] == ' ' || from[n - 1] == '\t'))
        n--;
    bestdag_buffer_add(&r->record.text, from, n);
    return bestdag_run_status(c->run);
}

static void skip_empty_lines(struct reader *r)
{
    struct bestdag_cursor *c = &r->c;
    struct bestdag_cursor line;
    do {
        line = *c;
        skip_blanks(r);
        if (c->at < c->end && is_break(c))
            bestdag_cursor_step(c);
        else
            break;
    } while (true);
    if (c->at < c->end)
        *c = line;
}

/* Reads the next line that is not empty; no fields: end of file. */
static int take_record(struct reader *r)
{
    struct bestdag_cursor *c = &r->c;
    r->record.count = 0;
    r->record.text.length = 0;
    skip_empty_lines(r);
    bool more = c->at < c->end;
    while (more) {
        skip_blanks(r);
        if (start_field(r))
            return bestdag_run_status(c->run);
        bool quoted = c->at < c->end && *c->at == '"';
        if (quoted ? take_quoted(r) : take_plain(r))
            return bestdag_run_status(c->run);
        bestdag_buffer_add(&r->record.text, "", 1);
        more = !is_break(c);
        if (c->at < c->end) /* a delimiter or the line break */
            bestdag_cursor_step(c);
    }
    return bestdag_run_status(c->run);
}

/* "" for a column that the record does not have. */
static const char *text_of(const struct record *r, int column)
{
    return column >= 0 && column < r->count
               ? r->text.at + r->field[column].start
               : "";
}

static struct bestdag_place place_of(const struct record *r, int column)
{
    return r->field[column >= 0 && column < r->count ? column : 0].place;
}

/* ---- reading ------------------------------------------------------------- */

static char sniff_delimiter(const struct bestdag_cursor *start)
{
    bool quoted = false;
    for (const char *p = start->at; p < start->end; p++) {
        quoted ^= *p == '"';
        if (!quoted && (*p == '\n' || *p == '\r'))
            break;
        if (!quoted && (*p == ',' || *p == ';' || *p == '\t'))
            return *p;
    }
    return ',';
}

static int find_column(const struct record *r, const char *name,
                       const char *other)
{
    for (int i = 0; i < r->count; i++)
        if (!strcasecmp(text_of(r, i), name) ||
            !strcasecmp(text_of(r, i), other))
            return i;
    return -1;
}

static void note_ignored(struct reader *r)
{
    struct bestdag_buffer b = {.run = r->c.run};
    for (int i = 0; i < r->record.count && b.length < 200; i++)
        if (i != r->from && i != r->to && i != r->kind)
            bestdag_buffer_format(&b, "%s'%.64s'", b.length ? ", " : "",
                                  text_of(&r->record, i));
    if (b.length)
        bestdag_note(r->c.run, 1, "%s: ignored the columns %s", r->c.name,
                     b.at);
    bestdag_buffer_release(&b);
}

/* Was the first record a header? */
static bool take_header(struct reader *r)
{
    r->from = find_column(&r->record, "from", "source");
    r->to = find_column(&r->record, "to", "target");
    r->kind = find_column(&r->record, "kind", "kind");
    r->has_header = r->from >= 0 && r->to >= 0;
    if (r->has_header)
        note_ignored(r);
    else {
        r->from = 0;
        r->to = 1;
        r->kind = -1;
    }
    return r->has_header;
}

static int check_kind(struct reader *r)
{
    const char *kind = text_of(&r->record, r->kind);
    if (!*kind || !strcasecmp(kind, "directed"))
        return BESTDAG_OK;
    if (!strcasecmp(kind, "undirected"))
        return bestdag_cursor_fail(
            &r->c, place_of(&r->record, r->kind),
            "'%s' - '%s' is undirected, but a network needs directed arcs",
            text_of(&r->record, r->from), text_of(&r->record, r->to));
    return bestdag_cursor_fail(&r->c, place_of(&r->record, r->kind),
                               "expected 'directed', found '%s'", kind);
}

static int add_variable(struct reader *r, const char *name)
{
    return *name ? bestdag_draft_variable(&r->draft, name, strlen(name)) : -1;
}

static int take_arc(struct reader *r)
{
    const char *from = text_of(&r->record, r->from);
    const char *to = text_of(&r->record, r->to);
    if (!r->has_header && r->record.count > 2)
        return bestdag_cursor_fail(
            &r->c, place_of(&r->record, 2),
            "expected two fields, or a header with the columns 'from' and "
            "'to', found '%.64s'",
            text_of(&r->record, 2));
    if (!*from && !*to)
        return bestdag_cursor_fail(&r->c, place_of(&r->record, r->from),
                                   "expected a name, found an empty field");
    if (check_kind(r))
        return BESTDAG_INPUT;
    int parent = add_variable(r, from), child = add_variable(r, to);
    if (bestdag_run_status(r->c.run) || !*from || !*to)
        return bestdag_run_status(r->c.run);
    if (parent == child)
        return bestdag_cursor_fail(&r->c, place_of(&r->record, r->to),
                                   "'%s' cannot be its own parent", to);
    return bestdag_draft_add_arc(&r->draft, parent, child);
}

static int take_records(struct reader *r)
{
    if (take_record(r))
        return bestdag_run_status(r->c.run);
    if (!r->record.count)
        return bestdag_cursor_fail(&r->c, bestdag_cursor_place(&r->c),
                                   "expected a line like 'from,to', found the "
                                   "end of the file");
    if (take_header(r) && take_record(r))
        return bestdag_run_status(r->c.run);
    while (r->record.count)
        if (take_arc(r) || take_record(r))
            return bestdag_run_status(r->c.run);
    return BESTDAG_OK;
}

static struct bestdag_network *read_edges(struct bestdag_run *run,
                                          const struct bestdag_file *file)
{
    struct reader r = {.record = {.text = {.run = run}}, .draft = {.run = run}};
    struct bestdag_network *net = NULL;
    if (bestdag_run_status(run) || bestdag_cursor_start(&r.c, run, file))
        return NULL;
    r.delimiter = sniff_delimiter(&r.c);
    if (!take_records(&r))
        net = bestdag_draft_finish(&r.draft, file->name);
    bestdag_draft_release(&r.draft);
    bestdag_buffer_release(&r.record.text);
    bestdag_free(r.record.field);
    return net;
}

/* Does the first line have the words from and to? */
static bool looks_like_edges(const struct bestdag_file *file)
{
    static const char separators[] = ",;\t\" ";
    const char *at = file->bytes;
    bool from = false, to = false;
    if (!strncmp(at, "\xef\xbb\xbf", 3))
        at += 3;
    while (*at && *at != '\n' && *at != '\r') {
        size_t n = strcspn(at, ",;\t\" \r\n");
        from |= n == 4 && !strncasecmp(at, "from", 4);
        to |= n == 2 && !strncasecmp(at, "to", 2);
        at += n;
        at += strspn(at, separators);
    }
    return from && to;
}

/* ---- writing ------------------------------------------------------------- */

static void write_field(struct bestdag_sink *to, const char *text)
{
    size_t n = strlen(text);
    bool plain = n && !strpbrk(text, ",;\t\"\r\n") && text[0] != ' ' &&
                 text[n - 1] != ' ';
    if (plain) {
        bestdag_sink_write(to, text, n);
        return;
    }
    bestdag_sink_text(to, "\"");
    while (*text) {
        n = strcspn(text, "\"");
        bestdag_sink_write(to, text, n);
        text += n;
        if (*text) {
            bestdag_sink_text(to, "\"\"");
            text++;
        }
    }
    bestdag_sink_text(to, "\"");
}

static void write_line(struct bestdag_sink *to, const char *a, const char *b,
                       const char *rest)
{
    write_field(to, a);
    bestdag_sink_text(to, ",");
    if (b)
        write_field(to, b);
    bestdag_sink_text(to, rest);
}

static bool can_write(struct bestdag_run *run,
                      const struct bestdag_network *network)
{
    static const struct bestdag_refusal refusal = {.format = "CSV"};
    return !bestdag_refusal_check(run, network, &refusal);
}

static void write_edges(struct bestdag_run *run,
                        const struct bestdag_network *network,
                        struct bestdag_sink *to)
{
    int n = network->dag->n;
    bool *has_child = bestdag_calloc(run, (size_t)n, sizeof *has_child);
    if (!has_child || !can_write(run, network)) {
        bestdag_free(has_child);
        return;
    }
    for (int v = 0; v < n; v++)
        for (int i = 0; i < network->dag->parents[v].count; i++)
            has_child[network->dag->parents[v].at[i]] = true;
    bestdag_sink_text(to, "from,to\n");
    for (int v = 0; v < n; v++) {
        const struct bestdag_parents *p = &network->dag->parents[v];
        const char *name = network->variable[v].name;
        for (int i = 0; i < p->count; i++)
            write_line(to, network->variable[p->at[i]].name, name, "\n");
        if (!p->count && !has_child[v])
            write_line(to, name, NULL, "\n");
    }
    bestdag_free(has_child);
}

static void write_class(struct bestdag_run *run,
                        const struct bestdag_network *network,
                        const struct bestdag_pdag *pdag,
                        struct bestdag_sink *to)
{
    size_t w = pdag->words;
    if (!can_write(run, network))
        return;
    bestdag_sink_text(to, "from,to,kind\n");
    for (int v = 0; v < pdag->n; v++) {
        const uint64_t *parents = pdag->parents + (size_t)v * w;
        const uint64_t *children = pdag->children + (size_t)v * w;
        const uint64_t *others = pdag->neighbours + (size_t)v * w;
        const char *name = network->variable[v].name;
        for (int u = 0; (u = bestdag_row_next(parents, w, u)) >= 0; u++)
            write_line(to, network->variable[u].name, name, ",directed\n");
        for (int u = 0; (u = bestdag_row_next(others, w, u)) >= 0 && u < v; u++)
            write_line(to, network->variable[u].name, name, ",undirected\n");
        if (!bestdag_row_count(parents, w) && !bestdag_row_count(children, w) &&
            !bestdag_row_count(others, w))
            write_line(to, name, NULL, ",\n");
    }
}

const struct bestdag_format bestdag_format_edges = {
    .name = "edges",
    .suffixes = "csv|edges",
    .help = "structure as a list of arcs: from,to (to empty: no arcs)",
    .keeps = BESTDAG_KEEPS_STRUCTURE,
    .sniff = looks_like_edges,
    .read = read_edges,
    .write = write_edges,
    .write_class = write_class,
};
