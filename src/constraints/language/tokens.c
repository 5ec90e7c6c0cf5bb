/* SPDX-License-Identifier: MIT */
/* tokens.c -- the words and signs of the rule language, and of queries. */
#include "constraints/language/tokens.h"

#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "base/text.h"

/* A text without lines takes the end of a line for a blank. */
static bool is_blank(const struct bestdag_tokens *t, char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' ||
           (c == '\n' && t->what);
}

static bool is_sign(const struct bestdag_tokens *t, char c)
{
    return c && strchr(t->what ? t->signs : ",:|()<>=+*", c);
}

static bool is_arrow(const struct bestdag_tokens *t, const char *p)
{
    return *p == '-' && p + 1 < t->end && p[1] == '>' && !t->what;
}

static void mark(struct bestdag_tokens *t, enum bestdag_rule_token kind)
{
    t->kind = kind;
    t->text = t->at;
    t->length = 0;
    t->token_line = t->line;
    t->token_column = (int)(t->at - t->line_start) + 1;
}

static void look(struct bestdag_tokens *t)
{
    t->look = t->end - t->at > BESTDAG_READ_AT_ONCE
                  ? t->at + BESTDAG_READ_AT_ONCE
                  : t->end;
    if (bestdag_stopped_reading(t->run, t->name ? t->name : "a rule"))
        t->at = t->end; /* ends all loops */
}

static void skip_blanks(struct bestdag_tokens *t)
{
    while (t->at < t->end && is_blank(t, *t->at)) {
        t->at++;
        if (t->at >= t->look && t->at < t->end)
            look(t);
    }
    if (t->at < t->end && *t->at == '#' && !t->what) {
        const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
        t->at = end ? end : t->end;
    }
    if (t->at >= t->look && t->at < t->end)
        look(t);
}

static void end_line(struct bestdag_tokens *t)
{
    t->at++;
    t->line++;
    t->line_start = t->at;
}

/* Does the current token ask for more, so that the line goes on? */
static bool goes_on(const struct bestdag_tokens *t)
{
    static const char *const more[] = {"|",  ",",   "+",    ":",
                                       "or", "and", "then", NULL};
    for (int i = 0; more[i]; i++)
        if (bestdag_tokens_is(t, more[i]))
            return true;
    return false;
}

static int take_quoted(struct bestdag_tokens *t)
{
    mark(t, BESTDAG_RULE_QUOTED);
    t->text = ++t->at;
    while (t->at < t->end && *t->at != '\n' &&
           (*t->at != '"' || (t->at + 1 < t->end && t->at[1] == '"')))
        t->at += 1 + (*t->at == '"');
    if (t->at == t->end || *t->at == '\n')
        return bestdag_tokens_fail(t, "this name has no closing '\"'");
    t->length = (size_t)(t->at - t->text);
    t->at++;
    if (!t->length)
        return bestdag_tokens_fail(t, "the name between the quotes is empty");
    return BESTDAG_OK;
}

/* The plus in a number like 1e+5. */
static bool is_exponent(const char *text, const char *plus)
{
    return plus - text >= 2 && (plus[-1] == 'e' || plus[-1] == 'E') &&
           strchr("0123456789.", plus[-2]) && strchr("0123456789-.", *text);
}

static void take_word(struct bestdag_tokens *t)
{
    mark(t, BESTDAG_RULE_WORD);
    while (
        t->at < t->end && !is_blank(t, *t->at) &&
        !strchr(t->what ? "\"" : "#\"\n", *t->at) && !is_arrow(t, t->at) &&
        (!is_sign(t, *t->at) || (*t->at == '+' && is_exponent(t->text, t->at))))
        t->at++;
    t->length = (size_t)(t->at - t->text);
}

static void take_sign(struct bestdag_tokens *t)
{
    mark(t, BESTDAG_RULE_SIGN);
    bool two = is_arrow(t, t->at) || ((*t->at == '<' || *t->at == '>') &&
                                      t->at + 1 < t->end && t->at[1] == '=');
    t->length = two ? 2 : 1;
    t->at += t->length;
}

int bestdag_tokens_next(struct bestdag_tokens *t)
{
    bool open = goes_on(t);
    skip_blanks(t);
    while (open && t->at < t->end && *t->at == '\n') {
        end_line(t);
        skip_blanks(t);
    }
    int status = bestdag_run_status(t->run);
    if (t->at == t->end || status)
        mark(t, BESTDAG_RULES_END);
    else if (*t->at == '\n') {
        mark(t, BESTDAG_RULE_END);
        end_line(t);
    } else if (*t->at == '"')
        status = take_quoted(t);
    else if (is_sign(t, *t->at) || is_arrow(t, t->at))
        take_sign(t);
    else
        take_word(t);
    if (status)
        t->kind = BESTDAG_RULES_END;
    if (t->kind > BESTDAG_RULE_END)
        t->last = t->at;
    return status;
}

int bestdag_tokens_check(struct bestdag_tokens *t, struct bestdag_run *run,
                         const struct bestdag_file *file)
{
    *t = (struct bestdag_tokens){.run = run, .name = file->name, .line = 1};
    t->begin = t->at = t->line_start = t->last = file->bytes;
    t->end = file->bytes + file->size;
    t->look = file->size > BESTDAG_READ_AT_ONCE
                  ? t->begin + BESTDAG_READ_AT_ONCE
                  : t->end;
    size_t good =
        bestdag_file_valid(run, file, strnlen(file->bytes, file->size));
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (good < file->size) {
        for (; t->at < file->bytes + good; t->at++)
            if (*t->at == '\n') {
                t->line++;
                t->line_start = t->at + 1;
            }
        mark(t, BESTDAG_RULES_END);
        return bestdag_tokens_fail(
            t, "expected a text file, but this byte is not UTF-8 text");
    }
    if (file->size >= 3 && !memcmp(file->bytes, "\xef\xbb\xbf", 3))
        t->line_start = t->at += 3;
    mark(t, BESTDAG_RULE_END);
    return BESTDAG_OK;
}

int bestdag_tokens_start(struct bestdag_tokens *t, struct bestdag_run *run,
                         const struct bestdag_file *file)
{
    int status = bestdag_tokens_check(t, run, file);
    return status ? status : bestdag_tokens_next(t);
}

int bestdag_tokens_text(struct bestdag_tokens *t, struct bestdag_run *run,
                        const char *text, const char *what, const char *signs)
{
    size_t size = strlen(text), good = bestdag_utf8_valid(text, size);
    *t = (struct bestdag_tokens){
        .run = run, .line = 1, .what = what, .signs = signs};
    t->begin = t->at = t->line_start = t->last = text;
    t->end = t->look = text + good;
    mark(t, BESTDAG_RULE_END);
    t->token_column = (int)good + 1;
    return good < size ? bestdag_tokens_fail(t, "this byte is not UTF-8 text")
                       : bestdag_tokens_next(t);
}

void bestdag_tokens_unquote(char *text)
{
    char *end = text;
    for (const char *from = text; *from; from++) {
        *end++ = *from;
        from += *from == '"';
    }
    *end = 0;
}

bool bestdag_tokens_is(const struct bestdag_tokens *t, const char *text)
{
    return (t->kind == BESTDAG_RULE_WORD || t->kind == BESTDAG_RULE_SIGN) &&
           strlen(text) == t->length && !memcmp(t->text, text, t->length);
}

bool bestdag_tokens_skip(struct bestdag_tokens *t, const char *text)
{
    return bestdag_tokens_is(t, text) && !bestdag_tokens_next(t);
}

/* An unended quote after the current token is reported when it is reached. */
bool bestdag_tokens_then(const struct bestdag_tokens *t, const char *text)
{
    struct bestdag_tokens ahead = *t;
    const char *p = ahead.at;
    while (p < ahead.end && is_blank(t, *p))
        p++;
    return p < ahead.end && *p != '"' && !bestdag_tokens_next(&ahead) &&
           bestdag_tokens_is(&ahead, text);
}

int bestdag_tokens_fail(struct bestdag_tokens *t, const char *format, ...)
{
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (t->name)
        return bestdag_fail_at(
            t->run, t->name,
            (struct bestdag_place){t->token_line, t->token_column}, "%s",
            message);
    size_t n = (size_t)(t->end - t->begin);
    if (n > 80)
        n = bestdag_utf8_valid(t->begin, 80);
    if (t->what)
        return bestdag_fail(t->run, BESTDAG_USAGE, "%s '%.*s%s', column %d: %s",
                            t->what, (int)n, t->begin,
                            t->begin + n < t->end ? "..." : "", t->token_column,
                            message);
    return bestdag_fail(t->run, BESTDAG_USAGE, "rule '%.*s': %s", (int)n,
                        t->begin, message);
}

int bestdag_tokens_expected(struct bestdag_tokens *t, const char *what)
{
    if (t->kind == BESTDAG_RULES_END || t->kind == BESTDAG_RULE_END)
        return bestdag_tokens_fail(t, "expected %s, found the end of the %s",
                                   what,
                                   t->what                       ? t->what
                                   : !t->name                    ? "rule"
                                   : t->kind == BESTDAG_RULE_END ? "line"
                                                                 : "file");
    size_t n = t->length > 40 ? bestdag_utf8_valid(t->text, 40) : t->length;
    return bestdag_tokens_fail(t, "expected %s, found '%.*s%s'", what, (int)n,
                               t->text, n < t->length ? "..." : "");
}
