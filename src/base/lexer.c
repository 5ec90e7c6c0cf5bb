/* SPDX-License-Identifier: MIT */
/* lexer.c -- words, strings and punctuation of a text file. */
#include "base/lexer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "base/text.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
           c == '\v';
}

static bool is_sign(const struct bestdag_lexer *x, char c)
{
    return c && strchr(x->signs, c);
}

/* Which comment begins at p: '/' to the end of line, '*' a block, 0 none. */
static char comment_at(const struct bestdag_lexer *x, const char *p)
{
    bool slashes = strchr(x->comments, '/') != NULL;
    if (*p == '/' && slashes && p + 1 < x->end)
        return p[1] == '/' || p[1] == '*' ? p[1] : 0;
    return *p && *p != '/' && strchr(x->comments, *p) ? '/' : 0;
}

/* Is the place well beyond the last check, or before it (readers may go
 * back)? */
static bool is_due(const struct bestdag_lexer *x)
{
    return (size_t)(x->look - x->at) - 1 >= BESTDAG_READ_AT_ONCE &&
           x->at < x->end;
}

static void look(struct bestdag_lexer *x)
{
    x->look = x->end - x->at > BESTDAG_READ_AT_ONCE
                  ? x->at + BESTDAG_READ_AT_ONCE
                  : x->end;
    if (bestdag_stopped_reading(x->run, x->name))
        x->at = x->end; /* ends all loops */
}

static void step(struct bestdag_lexer *x)
{
    if (*x->at++ == '\n') {
        x->line++;
        x->line_start = x->at;
    }
    if (is_due(x))
        look(x);
}

static void mark(struct bestdag_lexer *x)
{
    x->token_line = x->line;
    x->token_column = (int)(x->at - x->line_start) + 1;
    x->text = x->at;
    x->length = 0;
    x->kind = BESTDAG_END;
}

static int skip_block_comment(struct bestdag_lexer *x)
{
    mark(x);
    x->at += 2;
    while (x->at + 1 < x->end && !(x->at[0] == '*' && x->at[1] == '/'))
        step(x);
    if (x->at + 1 >= x->end)
        return bestdag_lexer_fail(x, "this comment has no end");
    x->at += 2;
    return BESTDAG_OK;
}

static int skip_blanks(struct bestdag_lexer *x)
{
    while (x->at < x->end) {
        char comment = comment_at(x, x->at);
        if (is_blank(*x->at))
            step(x);
        else if (comment == '/')
            while (x->at < x->end && *x->at != '\n')
                step(x);
        else if (comment == '*') {
            if (skip_block_comment(x))
                return BESTDAG_INPUT;
        } else
            break;
    }
    return BESTDAG_OK;
}

static int take_string(struct bestdag_lexer *x)
{
    x->kind = BESTDAG_STRING;
    x->text = ++x->at;
    while (x->at < x->end && *x->at != '"') {
        if (*x->at == '\\' && x->at + 1 < x->end)
            step(x);
        step(x);
    }
    if (x->at >= x->end) {
        x->kind = BESTDAG_END;
        return bestdag_lexer_fail(x, "this string has no closing '\"'");
    }
    x->length = (size_t)(x->at - x->text);
    x->at++;
    return BESTDAG_OK;
}

/* A '/' inside a word is part of it (Asy/Patch) unless it begins a comment. */
static void take_word(struct bestdag_lexer *x)
{
    x->kind = BESTDAG_WORD;
    while (x->at < x->end && !is_blank(*x->at) && !is_sign(x, *x->at) &&
           *x->at != '"' && !comment_at(x, x->at)) {
        x->at++;
        if (is_due(x))
            look(x);
    }
    x->length = (size_t)(x->at - x->text);
}

int bestdag_lexer_next(struct bestdag_lexer *x)
{
    if (bestdag_run_status(x->run) || skip_blanks(x)) {
        x->kind = BESTDAG_END; /* so that no loop waits for a token */
        return bestdag_run_status(x->run);
    }
    mark(x);
    if (x->at >= x->end)
        return bestdag_run_status(x->run);
    if (*x->at == '"')
        return take_string(x);
    if (is_sign(x, *x->at)) {
        x->kind = BESTDAG_SIGN;
        x->length = 1;
        x->at++;
    } else
        take_word(x);
    return bestdag_run_status(x->run);
}

int bestdag_lexer_start(struct bestdag_lexer *x, struct bestdag_run *run,
                        const struct bestdag_file *file)
{
    x->run = run;
    x->name = file->name;
    x->begin = x->at = x->line_start = file->bytes;
    x->end = file->bytes + file->size;
    x->line = 1;
    x->look = file->size > BESTDAG_READ_AT_ONCE
                  ? x->begin + BESTDAG_READ_AT_ONCE
                  : x->end;
    size_t nul = strnlen(file->bytes, file->size);
    size_t bad = bestdag_file_valid(run, file, nul);
    if (bad < file->size) {
        while (x->at < file->bytes + bad)
            step(x);
        mark(x);
        return bestdag_lexer_fail(
            x, "expected a text file, but this byte is not UTF-8 text");
    }
    if (file->size >= 3 && !memcmp(file->bytes, "\xef\xbb\xbf", 3))
        x->line_start = x->at += 3;
    return bestdag_lexer_next(x);
}

bool bestdag_lexer_is(const struct bestdag_lexer *x, const char *text)
{
    return (x->kind == BESTDAG_WORD || x->kind == BESTDAG_SIGN) &&
           strlen(text) == x->length &&
           bestdag_same_word(x->text, text, x->length);
}

bool bestdag_lexer_skip(struct bestdag_lexer *x, const char *text)
{
    return bestdag_lexer_is(x, text) && !bestdag_lexer_next(x);
}

int bestdag_lexer_expect(struct bestdag_lexer *x, const char *text)
{
    char what[64];
    if (bestdag_lexer_is(x, text))
        return bestdag_lexer_next(x);
    snprintf(what, sizeof what, "'%s'", text);
    return bestdag_lexer_expected(x, what);
}

char *bestdag_lexer_name(struct bestdag_lexer *x, const char *what)
{
    if (x->kind != BESTDAG_WORD && x->kind != BESTDAG_STRING) {
        bestdag_lexer_expected(x, what);
        return NULL;
    }
    char *name = bestdag_strndup(x->run, x->text, x->length);
    if (!name)
        return NULL;
    if (x->kind == BESTDAG_STRING) {
        char *to = name;
        for (const char *from = name; *from; from++) {
            if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
                from++;
            *to++ = *from;
        }
        *to = 0;
    }
    if (!bestdag_lexer_next(x))
        return name;
    bestdag_free(name);
    return NULL;
}

/* Digits are read one by one, because a double has only 53 bits; else a number
 * without a fraction (1e3, 2.0) will do. */
static bool parse_integer(const char *p, size_t n, int64_t *to)
{
    const char *end = p + n;
    bool negative = n && *p == '-';
    double value;
    *to = 0;
    p += n && (*p == '-' || *p == '+');
    while (p < end && *p >= '0' && *p <= '9' &&
           !__builtin_mul_overflow(*to, 10, to) &&
           !__builtin_sub_overflow(*to, *p - '0', to))
        p++; /* negative, since there is one more of those */
    if (p == end)
        return (end[-1] >= '0' && end[-1] <= '9') &&
               (negative || !__builtin_sub_overflow(0, *to, to));
    if (!bestdag_number_parse(end - n, n, &value) || !(fabs(value) <= 0x1p53) ||
        value != floor(value))
        return false;
    *to = (int64_t)value;
    return true;
}

int bestdag_lexer_integer(struct bestdag_lexer *x, int64_t least, int64_t most,
                          int64_t *to)
{
    int64_t value;
    char what[96];
    if (x->kind == BESTDAG_WORD && parse_integer(x->text, x->length, &value) &&
        value >= least && value <= most) {
        *to = value;
        return bestdag_lexer_next(x);
    }
    snprintf(what, sizeof what, "a whole number from %lld to %lld",
             (long long)least, (long long)most);
    return bestdag_lexer_expected(x, what);
}

int bestdag_lexer_fail(struct bestdag_lexer *x, const char *format, ...)
{
    struct bestdag_place at = {x->token_line, x->token_column};
    va_list list;
    va_start(list, format);
    int status = bestdag_fail_at_list(x->run, x->name, at, format, list);
    va_end(list);
    return status;
}

int bestdag_lexer_expected(struct bestdag_lexer *x, const char *what)
{
    if (x->kind == BESTDAG_END)
        return bestdag_lexer_fail(x, "expected %s, found the end of the file",
                                  what);
    int shown =
        x->length > 40 ? (int)bestdag_utf8_valid(x->text, 40) : (int)x->length;
    return bestdag_lexer_fail(x, "expected %s, found '%.*s%s'", what, shown,
                              x->text, x->length > 40 ? "..." : "");
}
