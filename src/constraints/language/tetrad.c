/* SPDX-License-Identifier: MIT */
/* tetrad.c -- reads Tetrad's knowledge files.
 *
 *     /knowledge              or "/knowledge comma": names end at commas
 *     addtemporal             tiers: number, then names
 *     1 A B
 *     2*- C D                 *: no arcs inside; -: arcs to the next tier only
 *     forbiddirect            or requiredirect: one arc per line
 *     A B
 *     forbiddengroup          or requiredgroup: two lines, from and to
 *     A B
 *     C D
 *     tierstructure NAME      more tiers, which hold as well
 *
 * Tiers are numbered from 0 or 1, with gaps. A blank in a name stands as a
 * period. Sections come in any order, again, or empty. */
#include "constraints/language/parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum section {
    NONE,
    TIERS,
    FORBIDDEN_ARCS,
    REQUIRED_ARCS,
    FORBIDDEN_GROUPS,
    REQUIRED_GROUPS
};

struct tetrad {
    struct bestdag_parser *p;
    struct bestdag_lines l;
    bool commas, more; /* is there a line that was not read yet? */
};

static bool is_text(const struct bestdag_lines *l, const char *word, bool whole)
{
    size_t n = strlen(word);
    return l->length >= n && bestdag_same_word(l->text, word, n) &&
           (l->length == n || (!whole && strchr(" \t", l->text[n])));
}

static enum section section_of(const struct bestdag_lines *l)
{
    static const struct {
        const char *word;
        bool whole;
        enum section section;
    } sections[] = {{"addtemporal", true, TIERS},
                    {"tierstructure", false, TIERS},
                    {"forbiddirect", true, FORBIDDEN_ARCS},
                    {"requiredirect", true, REQUIRED_ARCS},
                    {"forbiddengroup", true, FORBIDDEN_GROUPS},
                    {"requiredgroup", true, REQUIRED_GROUPS}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (is_text(l, sections[i].word, sections[i].whole))
            return sections[i].section;
    return NONE;
}

bool bestdag_tetrad_recognise(struct bestdag_run *run,
                              const struct bestdag_file *file)
{
    struct bestdag_lines l = bestdag_lines_of(run, file);
    return bestdag_lines_next(&l, "//") &&
           (is_text(&l, "/knowledge", false) || section_of(&l) != NONE);
}

static int fail(struct tetrad *x, const char *message)
{
    x->p->t.token_line = x->l.line;
    x->p->t.token_column = x->l.column;
    return bestdag_tokens_fail(&x->p->t, "%s", message);
}

static void next_line(struct tetrad *x)
{
    x->more = bestdag_lines_next(&x->l, "//");
}

/* ---- names --------------------------------------------------------------- */

/* The end of the name at `at`, which a comma or a blank ends. */
static const char *name_end(const struct tetrad *x, const char *at,
                            const char *end)
{
    bool quoted = false;
    for (; at < end; at++) {
        quoted ^= *at == '"';
        if (!quoted && (*at == ',' || (!x->commas && strchr(" \t", *at))))
            break;
    }
    return at;
}

static int push_name(struct tetrad *x, const char *at, const char *stop)
{
    int column = x->l.column + (int)(at - x->l.text);
    while (stop > at && strchr(" \t", stop[-1]))
        stop--;
    if (stop - at >= 2 && *at == '"' && stop[-1] == '"') {
        at++;
        stop--;
    }
    if (stop == at)
        return BESTDAG_OK;
    struct bestdag_rule_word word =
        bestdag_parser_word(x->p, at, (size_t)(stop - at), x->l.line, column);
    return word.text ? bestdag_parser_push(x->p, &word, sizeof word)
                     : bestdag_run_status(x->p->run);
}

/* The names of the line from `at` on. */
static int read_names(struct tetrad *x, const char *at,
                      struct bestdag_rule_words *to)
{
    const char *end = x->l.text + x->l.length;
    size_t begin = bestdag_parser_begin(x->p);
    int status = BESTDAG_OK;
    void *list;
    while (at < end && !status) {
        const char *stop = name_end(x, at, end);
        status = push_name(x, at, stop);
        at = stop < end ? stop + 1 : stop;
        while (at < end && strchr(" \t", *at))
            at++;
    }
    to->count = bestdag_parser_end(x->p, begin,
                                   sizeof(struct bestdag_rule_word), &list);
    to->at = list;
    return bestdag_run_status(x->p->run);
}

/* ---- arcs ---------------------------------------------------------------- */

static int add_arcs(struct tetrad *x, enum section section,
                    const struct bestdag_arc_block *block, const char *text)
{
    struct bestdag_parser *p = x->p;
    bool forbidden = section == FORBIDDEN_ARCS || section == FORBIDDEN_GROUPS;
    p->rule.kind = forbidden ? BESTDAG_RULE_FORBID : BESTDAG_RULE_REQUIRE;
    p->rule.arcs.count = 1;
    p->rule.arcs.at = bestdag_rules_store(p->run, p->rules, 1, sizeof *block);
    if (!p->rule.arcs.at)
        return bestdag_run_status(p->run);
    *p->rule.arcs.at = *block;
    return bestdag_parser_finish(p, text,
                                 (size_t)(x->l.text + x->l.length - text));
}

static void begin_rule(struct tetrad *x)
{
    x->p->rule = (struct bestdag_rule){
        .line = x->l.line, .column = x->l.column, .dotted = !x->commas};
}

static int read_arc(struct tetrad *x, enum section section)
{
    struct bestdag_arc_block block;
    struct bestdag_rule_words both;
    begin_rule(x);
    int status = read_names(x, x->l.text, &both);
    if (status)
        return status;
    if (both.count != 2)
        return fail(x, "expected two names, from and to");
    block.from = (struct bestdag_rule_words){1, both.at};
    block.to = (struct bestdag_rule_words){1, both.at + 1};
    return add_arcs(x, section, &block, x->l.text);
}

static int read_group(struct tetrad *x, enum section section)
{
    struct bestdag_arc_block block;
    const char *text = x->l.text;
    begin_rule(x);
    int status = read_names(x, x->l.text, &block.from);
    if (status)
        return status;
    next_line(x);
    if (!x->more || section_of(&x->l) != NONE)
        return fail(x, "a group needs two lines, from and to");
    status = read_names(x, x->l.text, &block.to);
    return status ? status : add_arcs(x, section, &block, text);
}

/* ---- tiers --------------------------------------------------------------- */

struct numbered {
    int64_t number, place;
    struct bestdag_rule_tier tier;
};

static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* A line: number, perhaps "*" and "-", names. */
static int read_tier(struct tetrad *x, int64_t place)
{
    struct numbered line = {.place = place};
    const char *at = x->l.text, *end = at + x->l.length;
    for (; at < end && *at >= '0' && *at <= '9' && line.number < 1000000; at++)
        line.number = line.number * 10 + (*at - '0');
    bool has_number = at > x->l.text && line.number < 1000000;
    for (; at < end && (*at == '*' || *at == '-'); at++) {
        line.tier.apart |= *at == '*';
        line.tier.next |= *at == '-';
    }
    if (!has_number || (at < end && !strchr(" \t,", *at)))
        return fail(x, "expected the number of a tier, optionally with '*' or "
                       "'-', and names");
    while (at < end && strchr(" \t,", *at))
        at++;
    int status = read_names(x, at, &line.tier.names);
    return status ? status : bestdag_parser_push(x->p, &line, sizeof line);
}

static int join_names(struct tetrad *x, struct bestdag_rule_words *to,
                      const struct bestdag_rule_words *more)
{
    struct bestdag_parser *p = x->p;
    size_t count = (size_t)to->count + (size_t)more->count;
    struct bestdag_rule_word *at =
        bestdag_rules_store(p->run, p->rules, count, sizeof *at);
    if (!at)
        return bestdag_run_status(p->run);
    if (to->count)
        memcpy(at, to->at, (size_t)to->count * sizeof *at);
    if (more->count)
        memcpy(at + to->count, more->at, (size_t)more->count * sizeof *at);
    *to = (struct bestdag_rule_words){(int)count, at};
    return BESTDAG_OK;
}

/* Lines of the same number are one tier. After a tier whose arcs go only to the
 * next one, a missing number is an empty tier. */
static int merge_tiers(struct tetrad *x, struct numbered *lines, int count)
{
    struct bestdag_parser *p = x->p;
    struct bestdag_rule_tier *tier =
        bestdag_rules_store(p->run, p->rules, 2 * (size_t)count, sizeof *tier);
    int tiers = 0, status = tier ? BESTDAG_OK : bestdag_run_status(p->run);
    for (int i = 0; i < count && !status; i++) {
        int64_t gap = i ? lines[i].number - lines[i - 1].number : 1;
        if (gap > 1 && tier[tiers - 1].next)
            tier[tiers++] = (struct bestdag_rule_tier){.apart = false};
        if (gap) {
            tier[tiers++] = lines[i].tier;
            continue;
        }
        tier[tiers - 1].apart |= lines[i].tier.apart;
        tier[tiers - 1].next |= lines[i].tier.next;
        status = join_names(x, &tier[tiers - 1].names, &lines[i].tier.names);
    }
    p->rule.kind = BESTDAG_RULE_TIERS;
    p->rule.tiers = (struct bestdag_rule_tiers){tiers, tier};
    return status;
}

static int read_tiers(struct tetrad *x)
{
    struct bestdag_parser *p = x->p;
    const char *text = x->l.text, *end = text + x->l.length;
    size_t begin = bestdag_parser_begin(p);
    int status = BESTDAG_OK;
    int64_t place = 0;
    void *lines;
    begin_rule(x);
    for (next_line(x); x->more && !section_of(&x->l) && !status; next_line(x)) {
        status = read_tier(x, place++);
        end = x->l.text + x->l.length;
    }
    int count = bestdag_parser_end(p, begin, sizeof(struct numbered), &lines);
    if (count <= 0)
        return bestdag_run_status(p->run);
    qsort(lines, (size_t)count, sizeof(struct numbered), by_number);
    status = merge_tiers(x, lines, count);
    return status ? status
                  : bestdag_parser_finish(p, text, (size_t)(end - text));
}

/* ---- the file ------------------------------------------------------------ */

static int read_section(struct tetrad *x)
{
    enum section section = section_of(&x->l);
    int status = BESTDAG_OK;
    if (section == NONE)
        return fail(x, "expected addtemporal, forbiddirect, requiredirect, "
                       "forbiddengroup, requiredgroup or tierstructure");
    if (section == TIERS)
        return read_tiers(x);
    for (next_line(x); x->more && !section_of(&x->l) && !status; next_line(x))
        status = section == FORBIDDEN_ARCS || section == REQUIRED_ARCS
                     ? read_arc(x, section)
                     : read_group(x, section);
    return status;
}

int bestdag_tetrad_parse(struct bestdag_parser *p,
                         const struct bestdag_file *file)
{
    struct tetrad x = {.p = p, .l = bestdag_lines_of(p->run, file)};
    int status = BESTDAG_OK;
    next_line(&x);
    if (x.more && is_text(&x.l, "/knowledge", false)) {
        const char *rest = x.l.text + strlen("/knowledge");
        rest += strspn(rest, " \t");
        x.commas = bestdag_same_word(rest, "comma", 5);
        next_line(&x);
    }
    while (x.more && !status)
        status = read_section(&x);
    return status;
}
