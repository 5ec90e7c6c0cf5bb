/* SPDX-License-Identifier: MIT */
/* split.c -- the fields of a row: one pass, no copy.
 *
 * Every scan stops at the NUL after the window, so no loop tests for the
 * end. */
#include "data/text/split.h"

#include <assert.h>
#include <string.h>

void bestdag_dialect_prepare(struct bestdag_dialect *d)
{
    memset(d->stop, 0, sizeof d->stop);
    d->stop[0] = d->stop['\n'] = d->stop['\r'] = d->stop['"'] = true;
    d->stop[(unsigned char)d->delimiter] = true;
    if (d->delimiter == ' ')
        d->stop['\t'] = true;
    if (d->arff)
        d->stop['\''] = true;
}

/* The state of one split. */
struct scan {
    const struct bestdag_window *w;
    const struct bestdag_dialect *d;
    const char *p;
    struct bestdag_row *row;
};

static enum bestdag_split broken(struct scan *s, const char *at,
                                 const char *what)
{
    s->row->wrong = what;
    s->row->wrong_at = (size_t)(at - s->w->bytes);
    return BESTDAG_BROKEN;
}

static void skip_blanks(struct scan *s)
{
    const char *p = s->p;
    bool tabs = s->d->delimiter != '\t';
    while (*p == ' ' || (*p == '\t' && tabs))
        p++;
    s->p = p;
}

static bool at_end(const struct scan *s)
{
    return s->p == s->w->bytes + s->w->end;
}

static bool at_line_end(const struct scan *s)
{
    return *s->p == '\n' || *s->p == '\r' || at_end(s);
}

/* Steps over the line break, if its end is known. */
static enum bestdag_split end_row(struct scan *s)
{
    size_t here = (size_t)(s->p - s->w->bytes);
    if (!s->w->last && (at_end(s) || (*s->p == '\r' && here + 1 == s->w->end)))
        return BESTDAG_CUT;
    s->row->next = here + !at_end(s) + (s->p[0] == '\r' && s->p[1] == '\n');
    s->row->lines++;
    return BESTDAG_SPLIT;
}

/* Scans from after the opening quote to after the closing one. */
static enum bestdag_split scan_quoted(struct scan *s, char quote,
                                      struct bestdag_field *f)
{
    const char *open = s->p++;
    f->at = (uint32_t)(s->p - s->w->bytes);
    f->quoted = 1;
    for (;; s->p++) {
        if (at_end(s))
            return s->w->last ? broken(s, open, "this quote is not closed")
                              : BESTDAG_CUT;
        bool backslash =
            s->d->arff && *s->p == '\\' && s->p + 1 < s->w->bytes + s->w->end;
        bool doubled = !s->d->arff && *s->p == quote && s->p[1] == quote;
        if (backslash || doubled) {
            s->p++;
            f->escaped = 1;
        } else if (*s->p == quote)
            break;
        else
            s->row->lines +=
                *s->p == '\n' || (*s->p == '\r' && s->p[1] != '\n');
    }
    f->length = (uint32_t)(s->p - open - 1) & 0x1fffffff;
    s->p++;
    return BESTDAG_SPLIT;
}

static void scan_plain(struct scan *s, struct bestdag_field *f)
{
    const char *from = s->p, *p = from;
    const bool *stop = s->d->stop;
    while (!stop[(unsigned char)*p])
        p++;
    s->p = p;
    while (p > from && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    f->at = (uint32_t)(from - s->w->bytes);
    f->length = (uint32_t)(p - from) & 0x1fffffff;
}

/* Scans one field and the blanks around it, up to the character that ends
 * it. */
static enum bestdag_split scan_field(struct scan *s)
{
    struct bestdag_field f = {0};
    skip_blanks(s);
    bool quoted = *s->p == '"' || (s->d->arff && *s->p == '\'');
    if (quoted) {
        enum bestdag_split result = scan_quoted(s, *s->p, &f);
        if (result != BESTDAG_SPLIT)
            return result;
    } else
        scan_plain(s, &f);
    const char *end = s->p;
    skip_blanks(s);
    bool apart = s->d->delimiter == ' ' && s->p > end;
    if (!at_line_end(s) && *s->p != s->d->delimiter && !apart)
        return broken(s, s->p,
                      quoted ? "text after a closing quote, expected a "
                               "delimiter or the end of the line"
                             : "a quote inside a field that is not quoted");
    if (s->row->count < s->row->room)
        s->row->field[s->row->count] = f;
    assert((size_t)f.at + f.length <= s->w->end);
    s->row->last = f;
    s->row->count++;
    return BESTDAG_SPLIT;
}

enum bestdag_split bestdag_split_row(const struct bestdag_window *w,
                                     const struct bestdag_dialect *d, size_t at,
                                     struct bestdag_row *row)
{
    struct scan s = {.w = w, .d = d, .p = w->bytes + at, .row = row};
    row->count = 0;
    row->lines = 0;
    skip_blanks(&s);
    row->comment = d->comment && *s.p == d->comment;
    if (row->comment)
        s.p += strcspn(s.p, "\r\n");
    while (!row->comment && !(row->count == 0 && at_line_end(&s))) {
        enum bestdag_split result = scan_field(&s);
        if (result != BESTDAG_SPLIT)
            return result;
        if (at_line_end(&s))
            break;
        s.p += d->delimiter != ' ';
    }
    return end_row(&s);
}

static char escaped_character(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

size_t bestdag_field_resolve(const struct bestdag_window *w,
                             const struct bestdag_dialect *d,
                             struct bestdag_field field, char *to)
{
    const char *from = w->bytes + field.at;
    size_t n = 0;
    for (size_t i = 0; i < field.length; i++) {
        char c = from[i];
        if (field.escaped && i + 1 < field.length) {
            if (d->arff && c == '\\')
                c = escaped_character(from[++i]);
            else if (!d->arff && c == '"')
                i++;
        }
        to[n++] = c;
    }
    return n;
}

char *bestdag_field_text(const struct bestdag_window *w,
                         const struct bestdag_dialect *d,
                         struct bestdag_field field)
{
    char *text = bestdag_alloc(w->run, (size_t)field.length + 1);
    if (text)
        text[bestdag_field_resolve(w, d, field, text)] = 0;
    return text;
}
