/* SPDX-License-Identifier: MIT */
/* json.c -- a JSON reader (RFC 8259, nesting limited).
 *
 * Values wait on one stack until their array or object closes; then they move,
 * together, into one exact block. */
#include "base/json.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { DEEPEST = 200 };

struct parser {
    struct bestdag_run *run;
    const char *name, *at, *end, *line_start;
    const char *look; /* where to check for a stop next */
    int line;
    struct bestdag_json *stack; /* owns: values whose container is open */
    size_t have, room;
};

static int fail(struct parser *p, const char *what)
{
    struct bestdag_place at = {p->line, p->at - p->line_start + 1};
    return bestdag_fail_at(p->run, p->name, at, "%s", what);
}

static void release(struct bestdag_json *v)
{
    for (int64_t i = 0; i < v->count; i++)
        release(&v->items[i]);
    bestdag_free(v->items);
    bestdag_free(v->text);
    bestdag_free(v->key);
}

void bestdag_json_free(struct bestdag_json *root)
{
    if (!root)
        return;
    release(root);
    bestdag_free(root);
}

void bestdag_json_tidy(struct bestdag_json *root)
{
    if (!root)
        return;
    if (root->text)
        bestdag_text_tidy(root->text);
    if (root->key)
        bestdag_text_tidy(root->key);
    for (int64_t i = 0; i < root->count; i++)
        bestdag_json_tidy(&root->items[i]);
}

static void look(struct parser *p)
{
    p->look = p->end - p->at > BESTDAG_READ_AT_ONCE
                  ? p->at + BESTDAG_READ_AT_ONCE
                  : p->end;
    if (bestdag_stopped_reading(p->run, p->name))
        p->at = p->end; /* nothing more is expected there */
}

static void skip_blanks(struct parser *p)
{
    for (; p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at; p->at++) {
        if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        }
        if (p->at >= p->look)
            look(p);
    }
    if (p->at >= p->look && p->at < p->end)
        look(p);
}

static bool next_is(struct parser *p, char c)
{
    skip_blanks(p);
    if (p->at >= p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static int hex4(struct parser *p, unsigned *to)
{
    *to = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *d =
            p->at < p->end && *p->at ? strchr(digits, *p->at) : NULL;
        if (!d)
            return fail(p, "expected four hexadecimal digits");
        unsigned value = (unsigned)(d - digits);
        *to = *to * 16 + (value > 15 ? value - 6 : value);
    }
    return BESTDAG_OK;
}

static void add_code_point(struct bestdag_buffer *b, unsigned c)
{
    char utf8[4];
    size_t n = 0;
    if (c < 0x80)
        utf8[n++] = (char)c;
    else if (c < 0x800)
        utf8[n++] = (char)(0xc0 | c >> 6);
    else if (c < 0x10000) {
        utf8[n++] = (char)(0xe0 | c >> 12);
        utf8[n++] = (char)(0x80 | (c >> 6 & 63));
    } else {
        utf8[n++] = (char)(0xf0 | c >> 18);
        utf8[n++] = (char)(0x80 | (c >> 12 & 63));
        utf8[n++] = (char)(0x80 | (c >> 6 & 63));
    }
    if (c >= 0x80)
        utf8[n++] = (char)(0x80 | (c & 63));
    bestdag_buffer_add(b, utf8, n);
}

static int unicode_escape(struct parser *p, struct bestdag_buffer *b)
{
    unsigned c, low;
    if (hex4(p, &c))
        return BESTDAG_INPUT;
    if (c >= 0xd800 && c < 0xdc00) {
        if (p->end - p->at < 2 || p->at[0] != '\\' || p->at[1] != 'u')
            return fail(p, "half a surrogate pair");
        p->at += 2;
        if (hex4(p, &low))
            return BESTDAG_INPUT;
        if (low < 0xdc00 || low > 0xdfff)
            return fail(p, "half a surrogate pair");
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xdc00 && c <= 0xdfff)
        return fail(p, "half a surrogate pair");
    if (!c)
        return fail(p, "a NUL character in a text");
    add_code_point(b, c);
    return BESTDAG_OK;
}

static int escape(struct parser *p, struct bestdag_buffer *b)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = p->at < p->end ? *p->at++ : 0;
    const char *found = c ? strchr(from, c) : NULL;
    if (found) {
        bestdag_buffer_add(b, to + (found - from), 1);
        return BESTDAG_OK;
    }
    if (c == 'u')
        return unicode_escape(p, b);
    return fail(p, "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
}

/* After the opening quote. */
static char *parse_text(struct parser *p)
{
    struct bestdag_buffer b = {.run = p->run};
    for (;;) {
        const char *from = p->at;
        while (p->at < p->end && *p->at != '"' && *p->at != '\\' &&
               (unsigned char)*p->at >= ' ')
            p->at++;
        bestdag_buffer_add(&b, from, (size_t)(p->at - from));
        if (p->at >= p->end || (unsigned char)*p->at < ' ') {
            fail(p, p->at < p->end && *p->at != '\n'
                        ? "a control character in a text, expected an escape"
                        : "this text has no closing '\"'");
            break;
        }
        if (*p->at++ == '"')
            return bestdag_buffer_take(&b);
        if (escape(p, &b))
            break;
    }
    bestdag_buffer_release(&b);
    return NULL;
}

static int push(struct parser *p, struct bestdag_json v)
{
    if (p->have == p->room) {
        size_t room = p->room ? p->room * 2 : 64;
        void *stack =
            bestdag_realloc(p->run, p->stack, room * sizeof *p->stack);
        if (!stack) {
            release(&v);
            return BESTDAG_MEMORY;
        }
        p->stack = stack;
        p->room = room;
    }
    p->stack[p->have++] = v;
    return BESTDAG_OK;
}

/* Names in an object must be unique; otherwise it would be ambiguous which
 * counts. */
static int check_names(struct parser *p, const struct bestdag_json *items,
                       size_t n)
{
    const char *twice = NULL;
    const char **names = bestdag_alloc(p->run, n * sizeof *names);
    for (size_t i = 0; names && i < n; i++)
        names[i] = items[i].key;
    if (names && n <= INT_MAX)
        bestdag_text_twice(p->run, names, (int)n, &twice);
    bestdag_free(names);
    while (twice && strcmp(items[n - 1].key, twice))
        n--;
    if (twice)
        bestdag_fail_at(p->run, p->name, bestdag_json_place(&items[n - 1]),
                        "a second '%s' in one object", twice);
    return bestdag_run_status(p->run);
}

/* Moves the values above `base` on the stack into v. */
static int collect(struct parser *p, size_t base, struct bestdag_json *v)
{
    size_t n = p->have - base;
    if (v->kind == BESTDAG_JSON_OBJECT && n > 1 &&
        check_names(p, p->stack + base, n))
        return bestdag_run_status(p->run);
    v->items = bestdag_alloc(p->run, (n ? n : 1) * sizeof *v->items);
    if (!v->items)
        return BESTDAG_MEMORY;
    if (n)
        memcpy(v->items, p->stack + base, n * sizeof *v->items);
    v->count = (int64_t)n;
    p->have = base;
    return BESTDAG_OK;
}

static int parse_value(struct parser *p, int depth, char *key);

static int parse_member(struct parser *p, int depth, bool is_object)
{
    char *key = NULL;
    if (is_object) {
        if (!next_is(p, '"'))
            return fail(p, "expected a name in '\"'");
        key = parse_text(p);
        if (!key)
            return bestdag_run_status(p->run);
        if (!next_is(p, ':')) {
            bestdag_free(key);
            return fail(p, "expected ':'");
        }
    }
    return parse_value(p, depth + 1, key);
}

/* After the opening bracket. */
static int parse_items(struct parser *p, int depth, struct bestdag_json *v)
{
    bool is_object = v->kind == BESTDAG_JSON_OBJECT;
    char close = is_object ? '}' : ']';
    size_t base = p->have;
    if (depth >= DEEPEST)
        return fail(p, "nested too deeply");
    if (!next_is(p, close))
        do {
            if (parse_member(p, depth, is_object))
                return bestdag_run_status(p->run);
            if (next_is(p, close))
                break;
            if (!next_is(p, ','))
                return fail(p, is_object ? "expected ',' or '}'"
                                         : "expected ',' or ']'");
        } while (true);
    return collect(p, base, v);
}

static bool take_word(struct parser *p, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(p->end - p->at) < n || strncmp(p->at, word, n))
        return false;
    p->at += n;
    return true;
}

static size_t digits_at(const char *p)
{
    return strspn(p, "0123456789");
}

/* Length of the number at p; 0: none. The text ends in 0. */
static size_t number_length(const char *p)
{
    const char *from = p;
    p += *p == '-';
    size_t whole = digits_at(p);
    if (!whole || (whole > 1 && *p == '0'))
        return 0;
    p += whole;
    if (*p == '.') {
        size_t fraction = digits_at(p + 1);
        if (!fraction)
            return 0;
        p += 1 + fraction;
    }
    if (*p == 'e' || *p == 'E') {
        size_t sign = p[1] == '-' || p[1] == '+';
        size_t exponent = digits_at(p + 1 + sign);
        if (!exponent)
            return 0;
        p += 1 + sign + exponent;
    }
    return (size_t)(p - from);
}

static int parse_number(struct parser *p, struct bestdag_json *v)
{
    size_t n = p->at < p->end ? number_length(p->at) : 0;
    v->kind = BESTDAG_JSON_NUMBER;
    if (!n)
        return fail(p, p->at < p->end ? "expected a value"
                                      : "expected a value, found the end");
    if (!bestdag_number_parse(p->at, n, &v->number))
        return fail(p, "this number is too large");
    p->at += n;
    return BESTDAG_OK;
}

static int parse_plain(struct parser *p, struct bestdag_json *v)
{
    v->kind = BESTDAG_JSON_BOOL;
    if (take_word(p, "true")) {
        v->number = 1;
        return BESTDAG_OK;
    }
    if (take_word(p, "false"))
        return BESTDAG_OK;
    v->kind = BESTDAG_JSON_NULL;
    if (take_word(p, "null"))
        return BESTDAG_OK;
    return parse_number(p, v);
}

/* Owns key; pushes the value, or releases everything. */
static int parse_value(struct parser *p, int depth, char *key)
{
    skip_blanks(p);
    struct bestdag_json v = {.key = key, .line = p->line};
    v.column = (int)(p->at - p->line_start) + 1;
    int status;
    if (next_is(p, '{')) {
        v.kind = BESTDAG_JSON_OBJECT;
        status = parse_items(p, depth, &v);
    } else if (next_is(p, '[')) {
        v.kind = BESTDAG_JSON_ARRAY;
        status = parse_items(p, depth, &v);
    } else if (next_is(p, '"')) {
        v.kind = BESTDAG_JSON_TEXT;
        v.text = parse_text(p);
        status = bestdag_run_status(p->run);
    } else
        status = parse_plain(p, &v);
    if (!status)
        return push(p, v);
    release(&v);
    return status;
}

static struct bestdag_json *parse_root(struct parser *p)
{
    if (parse_value(p, 0, NULL))
        return NULL;
    skip_blanks(p);
    if (p->at < p->end) {
        fail(p, "expected the end of the text");
        return NULL;
    }
    struct bestdag_json *root = bestdag_alloc(p->run, sizeof *root);
    if (root)
        *root = p->stack[--p->have];
    return root;
}

/* Counts lines up to `at`. */
static void go_to(struct parser *p, const char *at)
{
    for (; p->at < at; p->at++)
        if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        }
}

/* Text that the library has made is read to its end even if the run must stop:
 * it describes the result. */
static struct bestdag_json *parse(struct bestdag_run *run,
                                  const struct bestdag_file *file,
                                  bool may_stop)
{
    struct parser p = {.run = run,
                       .name = file->name,
                       .at = file->bytes,
                       .end = file->bytes + file->size,
                       .line_start = file->bytes,
                       .line = 1};
    if (bestdag_run_status(run))
        return NULL;
    bool is_long = file->size > BESTDAG_READ_AT_ONCE;
    p.look = may_stop && is_long ? file->bytes + BESTDAG_READ_AT_ONCE : p.end;
    size_t valid = may_stop ? bestdag_file_valid(run, file, file->size)
                            : bestdag_utf8_valid(file->bytes, file->size);
    if (valid < file->size) {
        go_to(&p, file->bytes + valid);
        fail(&p, "this byte is not UTF-8 text");
        return NULL;
    }
    if (file->size >= 3 && !memcmp(file->bytes, "\xef\xbb\xbf", 3))
        p.line_start = p.at += 3;
    struct bestdag_json *root = parse_root(&p);
    while (p.have)
        release(&p.stack[--p.have]);
    bestdag_free(p.stack);
    return root;
}

struct bestdag_json *bestdag_json_parse(struct bestdag_run *run,
                                        const struct bestdag_file *file)
{
    return parse(run, file, true);
}

struct bestdag_json *bestdag_json_read(struct bestdag_run *run,
                                       const char *text)
{
    if (bestdag_lacks(run, text, "JSON text"))
        return NULL;
    struct bestdag_file file = {"text", (char *)text, strlen(text)};
    return parse(run, &file, false);
}

/* ---- looking at a tree --------------------------------------------------- */

const struct bestdag_json *bestdag_json_get(const struct bestdag_json *value,
                                            const char *key)
{
    if (value && key && value->kind == BESTDAG_JSON_OBJECT)
        for (int64_t i = 0; i < value->count; i++)
            if (!strcmp(value->items[i].key, key))
                return &value->items[i];
    return NULL;
}

const struct bestdag_json *bestdag_json_at(const struct bestdag_json *value,
                                           int64_t index)
{
    return value && index >= 0 && index < value->count ? &value->items[index]
                                                       : NULL;
}

int64_t bestdag_json_count(const struct bestdag_json *value)
{
    return value ? value->count : 0;
}

const char *bestdag_json_key(const struct bestdag_json *value, int64_t index)
{
    const struct bestdag_json *item = bestdag_json_at(value, index);
    return item ? item->key : NULL;
}

double bestdag_json_number(const struct bestdag_json *value)
{
    return value && (value->kind == BESTDAG_JSON_NUMBER ||
                     value->kind == BESTDAG_JSON_BOOL)
               ? value->number
               : NAN;
}

const char *bestdag_json_text(const struct bestdag_json *value)
{
    return value && value->kind == BESTDAG_JSON_TEXT ? value->text : NULL;
}
