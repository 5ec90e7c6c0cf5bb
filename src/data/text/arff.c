/* SPDX-License-Identifier: MIT */
/* arff.c -- Weka's format: attributes declared line by line, then rows.
 *
 * Nominal attributes keep their declared order. A row may be sparse, {index
 * value, ...}: omitted values are the first state, or 0; and it may end in a
 * weight, {5}. Each row is given a hidden last field for that weight. */
#include <string.h>
#include <strings.h>

#include "data/text/reading.h"

/* A part of the window: the rest of a line. */
struct span {
    size_t at, end;
};

static void skip_blanks(const struct bestdag_window *w, struct span *s)
{
    while (s->at < s->end &&
           (w->bytes[s->at] == ' ' || w->bytes[s->at] == '\t'))
        s->at++;
}

static bool at_sign(const struct bestdag_window *w, const struct span *s,
                    const char *signs)
{
    return s->at < s->end && strchr(signs, w->bytes[s->at]) != NULL;
}

static bool take_sign(const struct bestdag_window *w, struct span *s, char sign)
{
    skip_blanks(w, s);
    bool there = s->at < s->end && w->bytes[s->at] == sign;
    s->at += there;
    return there;
}

static const char *take_quoted(const struct bestdag_window *w, struct span *s,
                               struct bestdag_field *f)
{
    char quote = w->bytes[s->at];
    size_t from = s->at + 1, at = from;
    for (; at < s->end && w->bytes[at] != quote; at++)
        if (w->bytes[at] == '\\') {
            f->escaped = 1;
            at++;
        }
    if (at >= s->end)
        return "this quote is not closed";
    f->at = (uint32_t)from;
    f->length = (uint32_t)(at - from) & 0x1fffffff;
    f->quoted = 1;
    s->at = at + 1;
    return NULL;
}

/* Takes a quoted text, or everything up to one of the given characters, without
 * blanks around it. Returns NULL, or what is wrong. */
static const char *take_item(const struct bestdag_window *w, struct span *s,
                             const char *signs, struct bestdag_field *f)
{
    *f = (struct bestdag_field){0};
    skip_blanks(w, s);
    if (at_sign(w, s, "'\""))
        return take_quoted(w, s, f);
    size_t from = s->at, to;
    while (s->at < s->end && !at_sign(w, s, signs))
        s->at++;
    for (to = s->at; to > from && strchr(" \t", w->bytes[to - 1]);)
        to--;
    f->at = (uint32_t)from;
    f->length = (uint32_t)(to - from) & 0x1fffffff;
    return to > from ? NULL : "expected a name or value";
}

/* ---- the head ------------------------------------------------------------ */

static bool is_word(const struct bestdag_window *w, struct bestdag_field f,
                    const char *word)
{
    return strlen(word) == f.length &&
           !strncasecmp(w->bytes + f.at, word, f.length);
}

static int declare_state(struct bestdag_table_reader *r, struct bestdag_field f)
{
    struct bestdag_table_builder *g = &r->builder;
    int column = g->count - 1;
    if (g->column[column].values.count == BESTDAG_MOST_STATES)
        return bestdag_window_fail(&r->window, f.at,
                                   "more than %d states of attribute '%s'",
                                   BESTDAG_MOST_STATES, g->column[column].name);
    char *text = bestdag_calloc(r->run, 1, (size_t)f.length + 8);
    if (!text)
        return bestdag_run_status(r->run);
    size_t n = bestdag_field_resolve(&r->window, &r->dialect, f, text);
    if (bestdag_table_builder_declare(g, column, text, n) == BESTDAG_INPUT)
        bestdag_window_fail(&r->window, f.at,
                            "attribute '%s' declares the state '%.100s' twice",
                            g->column[column].name, text);
    bestdag_free(text);
    return bestdag_run_status(r->run);
}

static int read_states(struct bestdag_table_reader *r, struct span *s)
{
    struct bestdag_field f;
    do {
        const char *wrong = take_item(&r->window, s, ",}", &f);
        if (wrong)
            return bestdag_window_fail(&r->window, s->at, "%s", wrong);
        if (declare_state(r, f))
            return bestdag_run_status(r->run);
    } while (take_sign(&r->window, s, ','));
    if (!take_sign(&r->window, s, '}'))
        return bestdag_window_fail(&r->window, s->at, "expected ',' or '}'");
    r->builder.column[r->builder.count - 1].closed = true;
    return BESTDAG_OK;
}

static int read_type(struct bestdag_table_reader *r, struct span *s)
{
    struct bestdag_window *w = &r->window;
    struct bestdag_column_builder *builder =
        &r->builder.column[r->builder.count - 1];
    struct bestdag_field f;
    if (take_sign(w, s, '{'))
        return read_states(r, s);
    if (take_item(w, s, " \t", &f))
        return bestdag_window_fail(w, s->at,
                                   "attribute '%s' has no type, expected "
                                   "{...}, numeric, real, integer or string",
                                   builder->name);
    builder->numeric = is_word(w, f, "numeric") || is_word(w, f, "real") ||
                       is_word(w, f, "integer");
    if (builder->numeric || is_word(w, f, "string"))
        return BESTDAG_OK;
    return bestdag_window_fail(
        w, f.at,
        "attribute '%s' has the unsupported type '%.*s'; expected {...}, "
        "numeric, real, integer or string",
        builder->name, f.length < 50 ? (int)f.length : 50, w->bytes + f.at);
}

static int read_attribute(struct bestdag_table_reader *r, struct span *s)
{
    struct bestdag_window *w = &r->window;
    struct bestdag_field f;
    const char *wrong = take_item(w, s, " \t{", &f);
    if (wrong)
        return bestdag_window_fail(w, s->at, "%s", wrong);
    char *name = bestdag_field_text(w, &r->dialect, f);
    if (name && !*name)
        bestdag_window_fail(w, f.at, "an attribute has no name");
    if (!bestdag_table_builder_append(&r->builder, name) ||
        bestdag_run_status(r->run))
        return bestdag_run_status(r->run);
    return read_type(r, s);
}

/* Reads one line of the head; *data: it was @data. */
static int read_declaration(struct bestdag_table_reader *r, struct span s,
                            bool *data)
{
    struct bestdag_window *w = &r->window;
    struct bestdag_field f;
    skip_blanks(w, &s);
    if (s.at == s.end || w->bytes[s.at] == '%')
        return BESTDAG_OK;
    size_t at = s.at;
    if (take_item(w, &s, " \t{", &f))
        f.length = 0;
    *data = is_word(w, f, "@data");
    if (*data || is_word(w, f, "@relation"))
        return BESTDAG_OK;
    if (is_word(w, f, "@attribute"))
        return read_attribute(r, &s);
    return bestdag_window_fail(w, at,
                               "expected @relation, @attribute or @data");
}

static int read_head(struct bestdag_table_reader *r)
{
    struct bestdag_window *w = &r->window;
    struct span s;
    size_t next;
    bool data = false;
    while (!data) {
        if (!bestdag_window_line(w, &s.end, &next))
            return bestdag_run_status(r->run)
                       ? bestdag_run_status(r->run)
                       : bestdag_fail(r->run, BESTDAG_INPUT,
                                      "%s: ends before @data",
                                      bestdag_source_name(w->source));
        s.at = w->at;
        if (read_declaration(r, s, &data))
            return bestdag_run_status(r->run);
        bestdag_window_step(w, next, 1);
    }
    if (!r->builder.count)
        return bestdag_fail(r->run, BESTDAG_INPUT,
                            "%s: no @attribute before @data",
                            bestdag_source_name(w->source));
    return BESTDAG_OK;
}

bool bestdag_arff_sniff(const struct bestdag_window *w)
{
    static const char *const words[] = {"@relation", "@attribute"};
    const char *p = w->bytes + w->at;
    for (;;) {
        p += strspn(p, " \t\r\n");
        if (*p != '%')
            break;
        p += strcspn(p, "\r\n");
    }
    for (size_t i = 0; i < 2; i++) {
        size_t n = strlen(words[i]);
        if (!strncasecmp(p, words[i], n) && (p[n] == ' ' || p[n] == '\t'))
            return true;
    }
    return false;
}

/* ---- rows ---------------------------------------------------------------- */

static enum bestdag_split broken(struct bestdag_row *row, size_t at,
                                 const char *what)
{
    row->wrong = what;
    row->wrong_at = at;
    return BESTDAG_BROKEN;
}

/* {5} becomes 5. */
static const char *take_weight(const struct bestdag_window *w, struct span *s,
                               struct bestdag_field *f)
{
    const char *wrong = NULL;
    if (!take_sign(w, s, '{'))
        return "expected a weight such as {5}";
    wrong = take_item(w, s, "}", f);
    if (!wrong && !take_sign(w, s, '}'))
        wrong = "expected '}'";
    return wrong;
}

/* index value */
static const char *take_pair(const struct bestdag_window *w, struct span *s,
                             struct bestdag_row *row)
{
    int index = 0, digits = 0, attributes = row->room - 1;
    skip_blanks(w, s);
    struct span start = *s;
    for (; at_sign(w, s, "0123456789") && index < attributes; digits++)
        index = index * 10 + (w->bytes[s->at++] - '0');
    if (!digits || !at_sign(w, s, " \t"))
        return "expected the number of an attribute and its value";
    bool known = index < attributes, used = known && !row->field[index].omitted;
    if (!known || used) {
        *s = start;
        return known
                   ? "this attribute already has a value in this row"
                   : "there is no attribute with this number (the first is 0)";
    }
    return take_item(w, s, ",}", &row->field[index]);
}

static const char *take_pairs(const struct bestdag_window *w, struct span *s,
                              struct bestdag_row *row)
{
    const char *wrong = NULL;
    take_sign(w, s, '{');
    if (take_sign(w, s, '}'))
        return NULL;
    do
        wrong = take_pair(w, s, row);
    while (!wrong && take_sign(w, s, ','));
    if (!wrong && !take_sign(w, s, '}'))
        wrong = "expected ',' or '}'";
    return wrong;
}

/* A row that begins with {; row->room is the number of fields. */
static enum bestdag_split split_sparse(const struct bestdag_window *w,
                                       struct span s, struct bestdag_row *row)
{
    for (int i = 0; i < row->room; i++)
        row->field[i] = (struct bestdag_field){.omitted = 1};
    const char *wrong = take_pairs(w, &s, row);
    if (!wrong && take_sign(w, &s, ','))
        wrong = take_weight(w, &s, &row->field[row->room - 1]);
    if (!wrong) {
        skip_blanks(w, &s);
        wrong = s.at < s.end ? "unexpected text after the row" : NULL;
    }
    if (wrong)
        return broken(row, s.at, wrong);
    row->count = row->room;
    row->last = row->field[row->room - 1];
    return BESTDAG_SPLIT;
}

/* Takes the last field of a dense row if it is a weight; else adds one. A comma
 * at the end is allowed. */
static enum bestdag_split split_weight(const struct bestdag_window *w,
                                       struct bestdag_row *row)
{
    struct bestdag_field *last = &row->field[row->room - 1];
    struct bestdag_field f = row->last;
    if (row->count == row->room && !f.quoted && f.length &&
        w->bytes[f.at] == '{') {
        struct span s = {f.at, (size_t)f.at + f.length};
        const char *wrong = take_weight(w, &s, last);
        return wrong ? broken(row, s.at, wrong) : BESTDAG_SPLIT;
    }
    bool trailing = row->count == row->room && !f.quoted && !f.length;
    row->count += !trailing;
    if (row->count == row->room)
        *last = (struct bestdag_field){.omitted = 1};
    return BESTDAG_SPLIT;
}

static enum bestdag_split split_row(const struct bestdag_window *w,
                                    const struct bestdag_dialect *d, size_t at,
                                    struct bestdag_row *row)
{
    struct span s = {at, w->end};
    skip_blanks(w, &s);
    if (!at_sign(w, &s, "{")) {
        enum bestdag_split result = bestdag_split_row(w, d, at, row);
        if (result == BESTDAG_SPLIT && row->count)
            return split_weight(w, row);
        return result;
    }
    s.end = s.at + strcspn(w->bytes + s.at, "\r\n");
    size_t end = s.end;
    if (!w->last &&
        (end == w->end || (w->bytes[end] == '\r' && end + 1 == w->end)))
        return BESTDAG_CUT;
    row->lines = 1;
    row->next = end + (end < w->end) +
                (w->bytes[end] == '\r' && w->bytes[end + 1] == '\n');
    row->comment = false;
    return split_sparse(w, s, row);
}

int bestdag_arff_read(struct bestdag_table_reader *r)
{
    r->dialect = (struct bestdag_dialect){.delimiter = ',',
                                          .comment = '%',
                                          .arff = true,
                                          .hidden = 1,
                                          .split = split_row};
    if (read_head(r))
        return bestdag_run_status(r->run);
    struct bestdag_column_builder *weights =
        bestdag_table_builder_append(&r->builder, bestdag_strdup(r->run, ""));
    if (!weights)
        return bestdag_run_status(r->run);
    weights->kind = BESTDAG_STRAND_WEIGHTS;
    weights->bytes = sizeof(int32_t);
    return bestdag_rows_read(r);
}
