/* SPDX-License-Identifier: MIT */
/* rule_tokens.c -- splits a rule file, rule by rule: a rule is a line,
 * continued on the next if it ends in a word or sign that needs more. */
#include "verify/rules/rule_tokens.h"

#include <string.h>

#include "base/place.h"

int bestdag_rule_tokens_fail(struct verify_tokens *s, int line,
                             const char *format, ...)
{
    struct bestdag_place at = {line, 0};
    va_list list;
    va_start(list, format);
    int status = bestdag_fail_at_list(s->run, s->name, at, format, list);
    va_end(list);
    return status;
}

bool bestdag_rule_token_is(const struct verify_token *t, const char *text)
{
    return (t->kind == VERIFY_TOKEN_WORD || t->kind == VERIFY_TOKEN_SIGN) &&
           (size_t)t->length == strlen(text) &&
           !memcmp(t->text, text, (size_t)t->length);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_sign(char c)
{
    return c && strchr(",:|()<>=+*", c);
}

static bool is_arrow(const struct verify_tokens *s, const char *at)
{
    return *at == '-' && at + 1 < s->end && at[1] == '>';
}

static void skip(struct verify_tokens *s)
{
    while (s->at < s->end && is_blank(*s->at))
        s->at++;
    if (s->at < s->end && *s->at == '#')
        while (s->at < s->end && *s->at != '\n')
            s->at++;
}

static int push(struct verify_tokens *s, struct verify_token token)
{
    if (s->count + 1 >= s->room) {
        int room = 2 * s->room + 32;
        void *more =
            bestdag_realloc(s->run, s->token, (size_t)room * sizeof *s->token);
        if (!more)
            return BESTDAG_MEMORY;
        s->token = more;
        s->room = room;
    }
    s->token[s->count++] = token;
    s->token[s->count] = (struct verify_token){.text = "", .line = token.line};
    return BESTDAG_OK;
}

static int take_quoted(struct verify_tokens *s)
{
    struct verify_token t = {VERIFY_TOKEN_QUOTED, ++s->at, 0, s->line};
    for (; s->at < s->end && *s->at != '\n'; s->at++) {
        if (*s->at != '"')
            continue;
        if (s->at + 1 == s->end || s->at[1] != '"')
            break;
        s->at++;
    }
    t.length = (int)(s->at - t.text);
    if (s->at == s->end || *s->at != '"' || !t.length)
        return bestdag_rule_tokens_fail(s, s->line,
                                        "expected a name in quotes");
    s->at++;
    return push(s, t);
}

static int take_plain(struct verify_tokens *s)
{
    struct verify_token t = {VERIFY_TOKEN_SIGN, s->at, 1, s->line};
    if (is_arrow(s, s->at) || ((*s->at == '<' || *s->at == '>') &&
                               s->at + 1 < s->end && s->at[1] == '='))
        t.length = 2;
    else if (!is_sign(*s->at)) {
        t.kind = VERIFY_TOKEN_WORD;
        while (s->at < s->end && !is_blank(*s->at) && !is_sign(*s->at) &&
               *s->at && !strchr("#\"\n", *s->at) && !is_arrow(s, s->at))
            s->at++;
        t.length = (int)(s->at - t.text);
    }
    s->at = t.text + t.length;
    return push(s, t);
}

/* Does the rule continue on the next line? */
static bool goes_on(const struct verify_tokens *s)
{
    static const char *const more[] = {"|", ",", "+", ":", "or", "and", "then"};
    for (size_t i = 0; s->count && i < sizeof more / sizeof *more; i++)
        if (bestdag_rule_token_is(&s->token[s->count - 1], more[i]))
            return true;
    return false;
}

int bestdag_rule_tokens_next(struct verify_tokens *s)
{
    int status = BESTDAG_OK;
    s->count = 0;
    for (skip(s); s->at < s->end && !status; skip(s)) {
        if (*s->at == '\n') {
            if (s->count && !goes_on(s))
                break;
            s->at++;
            s->line++;
            continue;
        }
        if (!s->count)
            s->from = s->at;
        status = *s->at == '"' ? take_quoted(s) : take_plain(s);
        s->to = s->at;
    }
    return status;
}
