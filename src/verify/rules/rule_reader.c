/* SPDX-License-Identifier: MIT */
/* rule_reader.c -- the checker's own reader of rules. One pass over the tokens
 * of a rule, no recursion. Only the text is kept of rules about
 * probabilities.
 */
#include "verify/rules/rulebook.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/growing_array.h"
#include "verify/rules/rule_tokens.h"

struct verify_rule_parser {
    struct verify_rulebook *book;
    struct verify_tokens scan;
    int at; /* the current token */
    struct verify_rule rule;
    const struct verify_token *each[VERIFY_RULE_NAMES];
};

/* ---- store --------------------------------------------------------------- */

void bestdag_rulebook_release(struct verify_rulebook *book)
{
    for (int i = 0; i < book->count; i++)
        bestdag_free(book->rule[i].text);
    for (int i = 0; i < book->files; i++)
        bestdag_free(book->file[i]);
    bestdag_free(book->file);
    bestdag_free(book->rule);
    bestdag_free(book->term);
    bestdag_free(book->spared);
    bestdag_free(book->sorted);
}

static int add_term(struct verify_rule_parser *p, struct verify_term term)
{
    struct verify_rulebook *b = p->book;
    if (!BESTDAG_GROW(b->run, b->term, b->term_room, b->terms + 1))
        return BESTDAG_MEMORY;
    b->term[b->terms++] = term;
    return BESTDAG_OK;
}

static int add_spared(struct verify_rule_parser *p, int v)
{
    struct verify_rulebook *b = p->book;
    if (!BESTDAG_GROW(b->run, b->spared, b->spare_room, b->spares + 1))
        return BESTDAG_MEMORY;
    b->spared[b->spares++] = v;
    return BESTDAG_OK;
}

static int add_rule(struct verify_rule_parser *p)
{
    struct verify_rulebook *b = p->book;
    if (!BESTDAG_GROW(b->run, b->rule, b->room, b->count + 1))
        return BESTDAG_MEMORY;
    p->rule.to = b->terms;
    p->rule.spare_to = b->spares;
    b->rule[b->count++] = p->rule;
    p->rule.text = NULL;
    return BESTDAG_OK;
}

/* ---- tokens -------------------------------------------------------------- */

static const struct verify_token *token(const struct verify_rule_parser *p)
{
    return &p->scan.token[p->at];
}

static bool is(const struct verify_rule_parser *p, const char *text)
{
    return bestdag_rule_token_is(token(p), text);
}

static bool take(struct verify_rule_parser *p, const char *text)
{
    bool there = is(p, text);
    p->at += there;
    return there;
}

static int expected(struct verify_rule_parser *p, const char *what)
{
    const struct verify_token *t = token(p);
    if (t->kind == VERIFY_TOKEN_END)
        return bestdag_rule_tokens_fail(
            &p->scan, t->line, "expected %s, but the rule ends here", what);
    return bestdag_rule_tokens_fail(&p->scan, t->line,
                                    "expected %s, found '%.*s'", what,
                                    t->length < 60 ? t->length : 60, t->text);
}

static int expect(struct verify_rule_parser *p, const char *text)
{
    char what[32];
    snprintf(what, sizeof what, "'%s'", text);
    return take(p, text) ? BESTDAG_OK : expected(p, what);
}

static bool is_reserved(const struct verify_token *t)
{
    static const char *const words[] = {
        "for",      "all",     "except",   "tiers",    "apart",    "order",
        "states",   "allow",   "only",     "parents",  "in",       "if",
        "and",      "then",    "or",       "not",      "root",     "leaf",
        "adjacent", "near",    "ancestor", "indegree", "positive", "negative",
        "zero",     "synergy", "present",  "P"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (bestdag_rule_token_is(t, words[i]))
            return true;
    return false;
}

static bool is_name(const struct verify_token *t)
{
    return t->kind == VERIFY_TOKEN_QUOTED ||
           (t->kind == VERIFY_TOKEN_WORD && !is_reserved(t));
}

/* Compares a name with a token, in which "" is one quote. */
static int compare(const char *name, const struct verify_token *t)
{
    int i = 0;
    for (; *name && i < t->length; name++, i++) {
        if (*name != t->text[i])
            return (unsigned char)*name < (unsigned char)t->text[i] ? -1 : 1;
        i += t->kind == VERIFY_TOKEN_QUOTED && t->text[i] == '"';
    }
    return (*name != 0) - (i < t->length);
}

static int by_name(const void *a, const void *b, void *names)
{
    char *const *name = names;
    return strcmp(name[*(const int *)a], name[*(const int *)b]);
}

static int sort_names(struct verify_rulebook *book)
{
    int n = book->lists->n;
    if (book->sorted)
        return BESTDAG_OK;
    book->sorted =
        bestdag_alloc(book->run, (size_t)(n + 1) * sizeof *book->sorted);
    if (!book->sorted)
        return BESTDAG_MEMORY;
    for (int v = 0; v < n; v++)
        book->sorted[v] = v;
    qsort_r(book->sorted, (size_t)n, sizeof *book->sorted, by_name,
            book->lists->names);
    return BESTDAG_OK;
}

static int find_variable(const struct verify_rulebook *book,
                         const struct verify_token *t)
{
    int low = 0, high = book->lists->n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = compare(book->lists->names[book->sorted[middle]], t);
        if (!order)
            return book->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static int unknown(struct verify_rule_parser *p, const struct verify_token *t)
{
    char word[128], suggestion[128];
    snprintf(word, sizeof word, "%.*s", t->length < 120 ? t->length : 120,
             t->text);
    const char *near = bestdag_nearest(
        word, bestdag_name_of_list, p->book->lists->names, p->book->lists->n);
    return bestdag_rule_tokens_fail(&p->scan, t->line,
                                    "unknown variable '%s'%s", word,
                                    bestdag_suggest(suggestion, near));
}

static bool is_same(const struct verify_token *a, const struct verify_token *b)
{
    return a->length == b->length &&
           !memcmp(a->text, b->text, (size_t)a->length);
}

/* A variable, or a name after "for all". */
static int take_name(struct verify_rule_parser *p, int *to)
{
    const struct verify_token *t = token(p);
    if (!is_name(t))
        return expected(p, "a variable");
    p->at++;
    for (int i = 0; i < p->rule.each; i++)
        if (is_same(p->each[i], t)) {
            *to = -1 - i;
            return BESTDAG_OK;
        }
    *to = find_variable(p->book, t);
    return *to < 0 ? unknown(p, t) : BESTDAG_OK;
}

/* ---- rules --------------------------------------------------------------- */

static int take_each(struct verify_rule_parser *p)
{
    if (!take(p, "for"))
        return BESTDAG_OK;
    if (expect(p, "all"))
        return BESTDAG_INPUT;
    for (; is_name(token(p)); take(p, ",")) {
        if (p->rule.each == VERIFY_RULE_NAMES)
            return bestdag_rule_tokens_fail(
                &p->scan, p->rule.line, "more than %d names after 'for all'",
                VERIFY_RULE_NAMES);
        if (find_variable(p->book, token(p)) >= 0)
            return bestdag_rule_tokens_fail(
                &p->scan, p->rule.line,
                "a name after 'for all' is that of a "
                "variable");
        p->each[p->rule.each] = token(p);
        for (int i = 0; i < p->rule.each; i++)
            if (is_same(p->each[i], token(p)))
                return bestdag_rule_tokens_fail(&p->scan, p->rule.line,
                                                "a name is repeated");
        p->rule.each++;
        p->at++;
    }
    if (!p->rule.each)
        return expected(p, "a name");
    if (take(p, "except"))
        for (int v = -1; !is(p, ":"); take(p, ",")) {
            if (take_name(p, &v))
                return BESTDAG_INPUT;
            if (v < 0)
                return expected(p, "a variable");
            if (add_spared(p, v))
                return BESTDAG_MEMORY;
        }
    return expect(p, ":");
}

static int take_tiers(struct verify_rule_parser *p)
{
    p->rule.kind = VERIFY_RULE_TIERS;
    int status = expect(p, ":");
    for (int tier = 0; !status; tier++) {
        int64_t from = p->book->terms;
        for (; is_name(token(p)) && !status; take(p, ",")) {
            struct verify_term t = {.kind = VERIFY_TERM_TIER, .low = tier};
            status = take_name(p, &t.a);
            if (!status)
                status = add_term(p, t);
        }
        if (!status && from == p->book->terms)
            status = expected(p, "a variable");
        bool apart = !status && take(p, "apart");
        for (int64_t i = from; i < p->book->terms; i++)
            p->book->term[i].negated = apart;
        if (status || !take(p, "|"))
            break;
    }
    return status;
}

static int take_order(struct verify_rule_parser *p)
{
    p->rule.kind = VERIFY_RULE_ORDER;
    int status = BESTDAG_OK;
    for (int count = 0; !status; count++) {
        struct verify_term t = {.kind = VERIFY_TERM_NAME};
        if (count && !take(p, "<"))
            return count < 2 ? expected(p, "'<'") : BESTDAG_OK;
        status = take_name(p, &t.a);
        if (!status)
            status = add_term(p, t);
    }
    return status;
}

static int take_arc(struct verify_rule_parser *p, struct verify_term *t)
{
    t->kind = VERIFY_TERM_ARC;
    int status = take_name(p, &t->a);
    if (!status)
        status = expect(p, "->");
    if (!status)
        status = take_name(p, &t->b);
    if (!status && t->a == t->b)
        status = bestdag_rule_tokens_fail(&p->scan, p->rule.line,
                                          "an arc from a variable to itself");
    return status;
}

static int take_allow(struct verify_rule_parser *p)
{
    p->rule.kind = VERIFY_RULE_ALLOW;
    int status = expect(p, "only");
    while (!status) {
        struct verify_term t = {0};
        status = take_arc(p, &t);
        if (!status)
            status = add_term(p, t);
        if (!take(p, ","))
            break;
    }
    return status;
}

static int take_parents(struct verify_rule_parser *p)
{
    struct verify_term t = {.kind = VERIFY_TERM_NAME};
    p->rule.kind = VERIFY_RULE_PARENTS;
    int status = take_name(p, &t.a);
    if (!status)
        status = add_term(p, t);
    if (!status)
        status = expect(p, "in");
    if (!status && !is_name(token(p)))
        status = expected(p, "a variable");
    for (; !status && is_name(token(p)); take(p, ",")) {
        status = take_name(p, &t.a);
        if (!status)
            status = add_term(p, t);
    }
    return status;
}

static int take_degree(struct verify_rule_parser *p, struct verify_term *t)
{
    static const char *const signs[] = {"<", "<=", "=", ">=", ">"};
    int sign = 0, value = 0;
    t->kind = VERIFY_TERM_DEGREE;
    if (expect(p, "(") || take_name(p, &t->a) || expect(p, ")"))
        return BESTDAG_INPUT;
    while (sign < 5 && !take(p, signs[sign]))
        sign++;
    if (sign == 5)
        return expected(p, "'<', '<=', '=', '>=' or '>'");
    const struct verify_token *number = token(p);
    for (int i = 0; i < number->length; i++) {
        char c = number->text[i];
        if (c < '0' || c > '9' || number->length > 9)
            return expected(p, "a whole number");
        value = 10 * value + (c - '0');
    }
    if (number->kind != VERIFY_TOKEN_WORD)
        return expected(p, "a whole number");
    p->at++;
    t->low = sign == 4 ? value + 1 : sign > 1 ? value : 0;
    t->high = sign == 0 ? value - 1 : sign < 3 ? value : INT_MAX;
    return BESTDAG_OK;
}

static int take_term(struct verify_rule_parser *p, bool turned)
{
    struct verify_term t = {.negated = take(p, "not") != turned};
    int status = BESTDAG_OK;
    if (take(p, "root") || is(p, "leaf")) {
        t.kind = take(p, "leaf") ? VERIFY_TERM_LEAF : VERIFY_TERM_ROOT;
        status = take_name(p, &t.a);
    } else if (take(p, "indegree"))
        status = take_degree(p, &t);
    else if (is(p, "adjacent") || is(p, "ancestor")) {
        t.kind =
            is(p, "adjacent") ? VERIFY_TERM_ADJACENT : VERIFY_TERM_ANCESTOR;
        p->at++;
        status = take_name(p, &t.a);
        if (!status)
            status = take_name(p, &t.b);
        if (!status && t.a == t.b)
            status = bestdag_rule_tokens_fail(&p->scan, p->rule.line,
                                              "a variable and itself");
    } else
        status = take_arc(p, &t);
    return status ? status : add_term(p, t);
}

static int take_clause(struct verify_rule_parser *p)
{
    p->rule.kind = VERIFY_RULE_CLAUSE;
    if (take(p, "if")) {
        do
            if (take_term(p, true))
                return bestdag_run_status(p->book->run);
        while (take(p, "and"));
        if (expect(p, "then"))
            return BESTDAG_INPUT;
    }
    do
        if (take_term(p, false))
            return bestdag_run_status(p->book->run);
    while (take(p, "or"));
    return BESTDAG_OK;
}

static bool is_about_chances(const struct verify_rule_parser *p)
{
    static const char *const first[] = {"states", "positive", "negative",
                                        "zero", "near"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (is(p, first[i]))
            return true;
    for (int i = p->at; i + 1 < p->scan.count; i++)
        if (bestdag_rule_token_is(&p->scan.token[i], "P") &&
            bestdag_rule_token_is(&p->scan.token[i + 1], "("))
            return true;
    return false;
}

static int take_body(struct verify_rule_parser *p)
{
    if (is_about_chances(p)) {
        p->rule.kind = VERIFY_RULE_CHANCE;
        p->at = p->scan.count;
        return BESTDAG_OK;
    }
    if (take(p, "tiers"))
        return take_tiers(p);
    if (take(p, "order"))
        return take_order(p);
    if (take(p, "allow"))
        return take_allow(p);
    if (take(p, "parents"))
        return take_parents(p);
    return take_clause(p);
}

/* The rule in one line, without comments. */
static char *join(struct verify_tokens *s)
{
    struct bestdag_buffer b = {.run = s->run};
    bool quoted = false, blank = false;
    for (const char *at = s->from; at < s->to; at++) {
        if (*at == '#' && !quoted) {
            while (at + 1 < s->to && at[1] != '\n')
                at++;
        } else if (strchr(" \t\r\n\f\v", *at) && !quoted)
            blank = true;
        else {
            if (blank)
                bestdag_buffer_add(&b, " ", 1);
            blank = false;
            bestdag_buffer_add(&b, at, 1);
            quoted ^= *at == '"';
        }
    }
    return bestdag_buffer_take(&b);
}

static int take_rule(struct verify_rule_parser *p)
{
    struct verify_rulebook *b = p->book;
    p->at = 0;
    p->rule = (struct verify_rule){.line = token(p)->line,
                                   .from = b->terms,
                                   .spare_from = b->spares,
                                   .file = b->file[b->files - 1]};
    int status = take_each(p);
    if (!status)
        status = take_body(p);
    if (!status && token(p)->kind != VERIFY_TOKEN_END)
        status = expected(p, "the end of the rule");
    if (!status) {
        p->rule.text = join(&p->scan);
        status = p->rule.text ? add_rule(p) : BESTDAG_MEMORY;
    }
    bestdag_free(p->rule.text);
    return status;
}

static int add_file(struct verify_rulebook *book, const char *name)
{
    void *more = bestdag_realloc(
        book->run, book->file, (size_t)(book->files + 1) * sizeof *book->file);
    if (!more)
        return BESTDAG_MEMORY;
    book->file = more;
    book->file[book->files] = bestdag_strdup(book->run, name);
    if (!book->file[book->files])
        return BESTDAG_MEMORY;
    book->files++;
    return BESTDAG_OK;
}

int bestdag_rulebook_parse(struct verify_rulebook *book,
                           const struct bestdag_file *file)
{
    struct verify_rule_parser p = {.book = book};
    p.scan = (struct verify_tokens){.run = book->run,
                                    .name = file->name,
                                    .at = file->bytes,
                                    .end = file->bytes + file->size,
                                    .line = 1};
    if (bestdag_utf8_valid(file->bytes, strnlen(file->bytes, file->size)) <
        file->size)
        return bestdag_fail(book->run, BESTDAG_INPUT,
                            "%s: this is not UTF-8 text", file->name);
    if (file->size >= 3 && !memcmp(file->bytes, "\xef\xbb\xbf", 3))
        p.scan.at += 3;
    int status = sort_names(book);
    if (!status)
        status = add_file(book, file->name);
    while (!status) {
        status = bestdag_rule_tokens_next(&p.scan);
        if (status || !p.scan.count)
            break;
        status = take_rule(&p);
    }
    bestdag_free(p.scan.token);
    return status;
}

int bestdag_rulebook_read(struct verify_rulebook *book, const char *path)
{
    struct bestdag_file file;
    if (bestdag_file_read(book->run, path, &file))
        return bestdag_run_status(book->run);
    int status = bestdag_rulebook_parse(book, &file);
    bestdag_free(file.bytes);
    return status;
}
