/* SPDX-License-Identifier: MIT */
/* parse.c -- reads the rule language: one rule per line, as in the grammar of
 * docs/constraints.md. Parameters are read in parameter_rules.c. */
#include "constraints/language/parse.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- lists, words, texts ------------------------------------------------- */

int bestdag_parser_push(struct bestdag_parser *p, const void *item, size_t size)
{
    struct bestdag_parse_stack *pile = &p->pile;
    if (pile->room - pile->length < size) {
        size_t room = pile->room ? 2 * pile->room : 1024;
        while (room - pile->length < size)
            room *= 2;
        char *more = bestdag_realloc(p->run, pile->at, room);
        if (!more)
            return bestdag_run_status(p->run);
        pile->at = more;
        pile->room = room;
    }
    memcpy(pile->at + pile->length, item, size);
    pile->length += size;
    return BESTDAG_OK;
}

int bestdag_parser_end(struct bestdag_parser *p, size_t begin, size_t size,
                       void **to)
{
    size_t length = p->pile.length - begin;
    p->pile.length = begin;
    *to = NULL;
    if (bestdag_run_status(p->run))
        return -1;
    if (length / size > INT32_MAX / 2) {
        bestdag_fail(p->run, BESTDAG_INPUT, "a rule is too long");
        return -1;
    }
    *to = bestdag_rules_store(p->run, p->rules, 1, length);
    if (!*to)
        return -1;
    if (length)
        memcpy(*to, p->pile.at + begin, length);
    return (int)(length / size);
}

static int placeholder_of(const struct bestdag_rule *rule, const char *text)
{
    for (int i = 0; i < rule->each.count; i++)
        if (!strcmp(rule->each.at[i].text, text))
            return i;
    return -1;
}

struct bestdag_rule_word bestdag_parser_word(struct bestdag_parser *p,
                                             const char *text, size_t n,
                                             int line, int column)
{
    struct bestdag_rule_word word = {.line = line, .column = column};
    word.text = bestdag_rules_text(p->run, p->rules, text, n);
    word.placeholder = word.text ? placeholder_of(&p->rule, word.text) : -1;
    return word;
}

/* Copies the text between two places in one line, without comments. */
static size_t join_lines(const char *from, const char *end, char *to)
{
    bool quoted = false, blank = false;
    size_t n = 0;
    for (; from < end; from++) {
        if (*from == '#' && !quoted) {
            while (from + 1 < end && from[1] != '\n')
                from++;
            continue;
        }
        if (strchr(" \t\r\n\f\v", *from) && !quoted)
            blank = n > 0;
        else {
            if (blank)
                to[n++] = ' ';
            blank = false;
            to[n++] = *from;
        }
        quoted ^= *from == '"';
    }
    return n;
}

int bestdag_parser_finish(struct bestdag_parser *p, const char *text, size_t n)
{
    char *copy = bestdag_rules_store(p->run, p->rules, n + 1, 1);
    if (!copy)
        return bestdag_run_status(p->run);
    copy[join_lines(text, text + n, copy)] = 0;
    p->rule.text = copy;
    p->rule.file = p->file;
    return bestdag_rules_append(p->run, p->rules, &p->rule);
}

/* ---- names --------------------------------------------------------------- */

/* Those of them that begin something only before "(" may be names. */
static bool is_keyword(const struct bestdag_tokens *t)
{
    static const char *const words[] = {
        "for",      "all",      "except",  "tiers",    "apart",    "order",
        "states",   "allow",    "only",    "parents",  "in",       "if",
        "and",      "then",     "or",      "not",      "root",     "leaf",
        "adjacent", "ancestor", "synergy", "positive", "negative", "zero",
        "present",  NULL};
    static const char *const calls[] = {"indegree", "P", "near", NULL};
    for (int i = 0; words[i]; i++)
        if (bestdag_tokens_is(t, words[i]))
            return true;
    for (int i = 0; calls[i]; i++)
        if (bestdag_tokens_is(t, calls[i]) && bestdag_tokens_then(t, "("))
            return true;
    return false;
}

static bool at_name(const struct bestdag_tokens *t)
{
    return t->kind == BESTDAG_RULE_QUOTED ||
           (t->kind == BESTDAG_RULE_WORD && !is_keyword(t));
}

static bool at_end(const struct bestdag_tokens *t)
{
    return t->kind == BESTDAG_RULE_END || t->kind == BESTDAG_RULES_END;
}

/* The current word or quoted word, and steps on. */
static int take_word(struct bestdag_parser *p, struct bestdag_rule_word *to)
{
    struct bestdag_tokens *t = &p->t;
    char *text = bestdag_rules_text(p->run, p->rules, t->text, t->length);
    if (!text)
        return bestdag_run_status(p->run);
    if (t->kind == BESTDAG_RULE_QUOTED)
        bestdag_tokens_unquote(text);
    *to = (struct bestdag_rule_word){.text = text,
                                     .line = t->token_line,
                                     .column = t->token_column,
                                     .placeholder =
                                         placeholder_of(&p->rule, text)};
    return bestdag_tokens_next(t);
}

int bestdag_parse_name(struct bestdag_parser *p, struct bestdag_rule_word *to)
{
    struct bestdag_tokens *t = &p->t;
    if (at_name(t))
        return take_word(p, to);
    if (t->kind == BESTDAG_RULE_WORD)
        return bestdag_tokens_fail(t,
                                   "expected the name of a variable, found "
                                   "'%.*s' (if it is one: \"%.*s\" in quotes)",
                                   (int)t->length, t->text, (int)t->length,
                                   t->text);
    return bestdag_tokens_expected(t, "the name of a variable");
}

int bestdag_parse_label(struct bestdag_parser *p, struct bestdag_rule_word *to)
{
    if (p->t.kind != BESTDAG_RULE_WORD && p->t.kind != BESTDAG_RULE_QUOTED)
        return bestdag_tokens_expected(&p->t, "a state");
    int status = take_word(p, to);
    to->placeholder = -1;
    return status;
}

int bestdag_parse_fail(struct bestdag_parser *p,
                       const struct bestdag_rule_word *word, const char *format,
                       ...)
{
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    p->t.token_line = word->line;
    p->t.token_column = word->column;
    return bestdag_tokens_fail(&p->t, "%s", message);
}

int bestdag_parse_expect(struct bestdag_parser *p, const char *text)
{
    char what[32];
    if (bestdag_tokens_is(&p->t, text))
        return bestdag_tokens_next(&p->t);
    snprintf(what, sizeof what, "'%s'", text);
    return bestdag_tokens_expected(&p->t, what);
}

static int push_name(struct bestdag_parser *p)
{
    struct bestdag_rule_word word;
    int status = bestdag_parse_name(p, &word);
    return status ? status : bestdag_parser_push(p, &word, sizeof word);
}

static int end_words(struct bestdag_parser *p, size_t begin,
                     struct bestdag_rule_words *to)
{
    void *at;
    to->count =
        bestdag_parser_end(p, begin, sizeof(struct bestdag_rule_word), &at);
    to->at = at;
    return bestdag_run_status(p->run);
}

/* name { [","] name } */
static int parse_names(struct bestdag_parser *p, struct bestdag_rule_words *to)
{
    size_t begin = bestdag_parser_begin(p);
    bool more = true;
    while (!bestdag_run_status(p->run) && more) {
        push_name(p);
        more = bestdag_tokens_skip(&p->t, ",") || at_name(&p->t);
    }
    return end_words(p, begin, to);
}

/* What stands between signs: a < b < c. At least two of them. */
static int parse_chain(struct bestdag_parser *p, bool labels,
                       struct bestdag_rule_words *to)
{
    size_t begin = bestdag_parser_begin(p);
    int status = BESTDAG_OK;
    do {
        struct bestdag_rule_word word;
        status = labels ? bestdag_parse_label(p, &word)
                        : bestdag_parse_name(p, &word);
        if (!status)
            status = bestdag_parser_push(p, &word, sizeof word);
    } while (!status && bestdag_tokens_skip(&p->t, "<"));
    if (!status)
        status = end_words(p, begin, to);
    return !status && to->count < 2 ? bestdag_tokens_expected(&p->t, "'<'")
                                    : status;
}

/* ---- clauses ------------------------------------------------------------- */

static int parse_compare(struct bestdag_parser *p, enum bestdag_compare *to)
{
    static const char *const signs[] = {"<", "<=", "=", ">=", ">"};
    for (int i = 0; i < 5; i++)
        if (bestdag_tokens_skip(&p->t, signs[i])) {
            *to = (enum bestdag_compare)i;
            return BESTDAG_OK;
        }
    return bestdag_tokens_expected(&p->t, "one of < <= = >= >");
}

static int parse_count(struct bestdag_parser *p, int *to)
{
    double x;
    if (p->t.kind != BESTDAG_RULE_WORD ||
        !bestdag_number_parse(p->t.text, p->t.length, &x) || x < 0 || x > 1e9 ||
        x != (int)x)
        return bestdag_tokens_expected(&p->t, "a number of parents");
    *to = (int)x;
    return bestdag_tokens_next(&p->t);
}

static int parse_indegree(struct bestdag_parser *p, struct bestdag_literal *to)
{
    to->kind = BESTDAG_INDEGREE;
    int status = bestdag_parse_expect(p, "(");
    if (!status)
        status = bestdag_parse_name(p, &to->a);
    if (!status)
        status = bestdag_parse_expect(p, ")");
    if (!status)
        status = parse_compare(p, &to->compare);
    return status ? status : parse_count(p, &to->value);
}

static int parse_arc(struct bestdag_parser *p, struct bestdag_rule_word *from,
                     struct bestdag_rule_word *to)
{
    int status = bestdag_parse_name(p, from);
    if (!status)
        status = bestdag_parse_expect(p, "->");
    return status ? status : bestdag_parse_name(p, to);
}

/* [ "not" ] ( arc | "root" name | ... ) */
static int parse_literal(struct bestdag_parser *p, struct bestdag_literal *to)
{
    static const struct {
        const char *word;
        enum bestdag_literal_kind kind;
        int names;
    } kinds[] = {{"root", BESTDAG_ROOT, 1},
                 {"leaf", BESTDAG_LEAF, 1},
                 {"adjacent", BESTDAG_ADJACENT, 2},
                 {"ancestor", BESTDAG_ANCESTOR, 2}};
    *to = (struct bestdag_literal){.kind = BESTDAG_ARC};
    to->negated = bestdag_tokens_skip(&p->t, "not");
    if (bestdag_tokens_is(&p->t, "indegree") && bestdag_tokens_then(&p->t, "("))
        return bestdag_tokens_next(&p->t) ? bestdag_run_status(p->run)
                                          : parse_indegree(p, to);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (bestdag_tokens_skip(&p->t, kinds[i].word)) {
            to->kind = kinds[i].kind;
            int status = bestdag_parse_name(p, &to->a);
            return status || kinds[i].names == 1
                       ? status
                       : bestdag_parse_name(p, &to->b);
        }
    return parse_arc(p, &to->a, &to->b);
}

/* Reads literals with a word between them; those after "if" are negated. */
static int parse_literals(struct bestdag_parser *p, const char *between,
                          bool turned)
{
    int status;
    do {
        struct bestdag_literal literal;
        status = parse_literal(p, &literal);
        literal.negated ^= turned;
        if (!status)
            status = bestdag_parser_push(p, &literal, sizeof literal);
    } while (!status && bestdag_tokens_skip(&p->t, between));
    return status;
}

static int parse_clause(struct bestdag_parser *p)
{
    size_t begin = bestdag_parser_begin(p);
    int status = BESTDAG_OK;
    void *at;
    p->rule.kind = BESTDAG_RULE_CLAUSE;
    if (bestdag_tokens_skip(&p->t, "if")) {
        status = parse_literals(p, "and", true);
        if (!status)
            status = bestdag_parse_expect(p, "then");
    }
    if (!status)
        parse_literals(p, "or", false);
    p->rule.clause.count =
        bestdag_parser_end(p, begin, sizeof(struct bestdag_literal), &at);
    p->rule.clause.literal = at;
    return bestdag_run_status(p->run);
}

/* ---- the other rules ----------------------------------------------------- */

static int parse_tiers(struct bestdag_parser *p)
{
    struct bestdag_rule_tiers *tiers = &p->rule.tiers;
    size_t begin = bestdag_parser_begin(p);
    void *at;
    p->rule.kind = BESTDAG_RULE_TIERS;
    int status = bestdag_parse_expect(p, ":");
    while (!status) {
        struct bestdag_rule_tier tier = {.apart = false};
        status = parse_names(p, &tier.names);
        tier.apart = bestdag_tokens_skip(&p->t, "apart");
        if (!status)
            status = bestdag_parser_push(p, &tier, sizeof tier);
        if (!bestdag_tokens_skip(&p->t, "|"))
            break;
    }
    tiers->count =
        bestdag_parser_end(p, begin, sizeof(struct bestdag_rule_tier), &at);
    tiers->at = at;
    return bestdag_run_status(p->run);
}

static int parse_order(struct bestdag_parser *p)
{
    p->rule.kind = BESTDAG_RULE_ORDER;
    return parse_chain(p, false, &p->rule.order);
}

static int parse_states(struct bestdag_parser *p)
{
    p->rule.kind = BESTDAG_RULE_STATES;
    int status = bestdag_parse_name(p, &p->rule.states.name);
    if (!status)
        status = bestdag_parse_expect(p, ":");
    return status ? status : parse_chain(p, true, &p->rule.states.labels);
}

static int single(struct bestdag_parser *p,
                  const struct bestdag_rule_word *word,
                  struct bestdag_rule_words *to)
{
    to->count = 1;
    to->at = bestdag_rules_store(p->run, p->rules, 1, sizeof *word);
    if (!to->at)
        return bestdag_run_status(p->run);
    *to->at = *word;
    return BESTDAG_OK;
}

static int push_arc(struct bestdag_parser *p)
{
    struct bestdag_rule_word from, to;
    struct bestdag_arc_block block;
    int status = parse_arc(p, &from, &to);
    if (!status)
        status = single(p, &from, &block.from);
    if (!status)
        status = single(p, &to, &block.to);
    return status ? status : bestdag_parser_push(p, &block, sizeof block);
}

static int parse_allow(struct bestdag_parser *p)
{
    size_t begin = bestdag_parser_begin(p);
    void *at;
    p->rule.kind = BESTDAG_RULE_ALLOW;
    int status = bestdag_parse_expect(p, "only");
    do
        status = status ? status : push_arc(p);
    while (!status && bestdag_tokens_skip(&p->t, ","));
    p->rule.arcs.count =
        bestdag_parser_end(p, begin, sizeof(struct bestdag_arc_block), &at);
    p->rule.arcs.at = at;
    return bestdag_run_status(p->run);
}

static int parse_parents(struct bestdag_parser *p)
{
    p->rule.kind = BESTDAG_RULE_PARENTS;
    int status = bestdag_parse_name(p, &p->rule.from.child);
    if (!status)
        status = bestdag_parse_expect(p, "in");
    return status ? status : parse_names(p, &p->rule.from.names);
}

/* ---- a rule -------------------------------------------------------------- */

/* "for" "all" names [ "except" names ] ":" */
static int parse_each(struct bestdag_parser *p)
{
    struct bestdag_rule *rule = &p->rule;
    struct bestdag_rule_words each = {.count = 0};
    int status = bestdag_parse_expect(p, "all");
    if (!status)
        status = parse_names(p, &each);
    for (int i = 0; !status && i < each.count; i++) {
        rule->each = (struct bestdag_rule_words){i, each.at};
        if (i == BESTDAG_PLACEHOLDERS)
            return bestdag_parse_fail(p, &each.at[i],
                                      "at most %d names after 'for all'",
                                      BESTDAG_PLACEHOLDERS);
        if (placeholder_of(rule, each.at[i].text) >= 0)
            return bestdag_parse_fail(p, &each.at[i], "'%s' is repeated",
                                      each.at[i].text);
        each.at[i].placeholder = i;
    }
    rule->each.count = 0; /* a placeholder cannot be excepted */
    if (!status && bestdag_tokens_skip(&p->t, "except"))
        status = parse_names(p, &rule->except);
    if (!status)
        rule->each = each;
    return status ? status : bestdag_parse_expect(p, ":");
}

static int parse_body(struct bestdag_parser *p)
{
    static const struct {
        const char *word;
        int (*parse)(struct bestdag_parser *);
    } bodies[] = {{"tiers", parse_tiers},
                  {"order", parse_order},
                  {"states", parse_states},
                  {"allow", parse_allow},
                  {"parents", parse_parents}};
    if (bestdag_tokens_is(&p->t, "tiers") && p->rule.each.count)
        return bestdag_tokens_fail(&p->t,
                                   "'for all' cannot be combined with 'tiers'");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (bestdag_tokens_skip(&p->t, bodies[i].word))
            return bodies[i].parse(p);
    if (bestdag_parse_is_quality(p))
        return bestdag_parse_quality(p);
    if (bestdag_parse_is_near(p))
        return bestdag_parse_near(p);
    if (bestdag_parse_is_linear(p))
        return bestdag_parse_linear(p);
    return parse_clause(p);
}

static int parse_rule(struct bestdag_parser *p)
{
    struct bestdag_tokens *t = &p->t;
    const char *begin = t->text - (t->kind == BESTDAG_RULE_QUOTED);
    p->rule =
        (struct bestdag_rule){.line = t->token_line, .column = t->token_column};
    int status = bestdag_tokens_skip(t, "for") ? parse_each(p)
                                               : bestdag_run_status(p->run);
    if (!status)
        status = parse_body(p);
    if (!status && !at_end(t))
        return bestdag_tokens_expected(t, "the end of the line");
    if (!status)
        status = bestdag_parser_finish(p, begin, (size_t)(t->last - begin));
    return status;
}

static int parse_rules(struct bestdag_parser *p,
                       const struct bestdag_file *file)
{
    int status = bestdag_tokens_start(&p->t, p->run, file);
    while (!status && p->t.kind != BESTDAG_RULES_END)
        status = p->t.kind == BESTDAG_RULE_END ? bestdag_tokens_next(&p->t)
                                               : parse_rule(p);
    return status;
}

int bestdag_rules_parse(struct bestdag_run *run, struct bestdag_rules *rules,
                        const struct bestdag_file *file)
{
    struct bestdag_parser p = {.run = run, .rules = rules};
    int status = bestdag_tokens_check(&p.t, run, file);
    if (status)
        return status;
    if (file->name) {
        p.file = bestdag_rules_text(run, rules, file->name, strlen(file->name));
        if (!p.file)
            return bestdag_run_status(run);
    }
    if (file->name && bestdag_tetrad_recognise(run, file))
        status = bestdag_tetrad_parse(&p, file);
    else if (file->name && bestdag_gobnilp_recognise(run, file))
        status = bestdag_gobnilp_parse(&p, file);
    else
        status = parse_rules(&p, file);
    bestdag_free(p.pile.at);
    return status ? status : bestdag_run_status(run);
}
