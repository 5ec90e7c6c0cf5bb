/* SPDX-License-Identifier: MIT */
/* gobnilp.c -- reads GOBNILP's constraints on the graph, one per line:
 *
 *     x-y   ~x-y              adjacent, not adjacent
 *     x<-y  ~x<-y             y is a parent of x, is none
 *     x<--y ~x<--y            y is an ancestor of x, is none
 *     x->z<-y ~x->z<-y        both are parents of z and not adjacent; not so
 *     x<y                     x comes before y in an order
 *     sink x                  x has no children
 *     A_|_B  A_|_B|S          independence: refused by name
 *
 * Other than its own reader ours goes on behind a blank line, takes blanks
 * around the signs, and reports every line that it does not understand. A name
 * may have a "-" in it where another sign stands in the line. */
#include "constraints/language/parse.h"

#include <string.h>

#include "base/text.h"

enum form {
    UNKNOWN,
    ADJACENT,
    PARENT,
    ANCESTOR,
    MEETING,
    BEFORE,
    SINK,
    INDEPENDENT
};

/* A line taken to pieces; the parts are without blanks around them. */
struct pieces {
    enum form form;
    bool negated;
    const char *part[3];
    size_t length[3];
    int parts;
};

static const char *find(const char *from, const char *end, const char *sign)
{
    size_t n = strlen(sign);
    for (; from + n <= end; from++)
        if (!memcmp(from, sign, n))
            return from;
    return NULL;
}

static void add_part(struct pieces *to, const char *from, const char *end)
{
    while (from < end && strchr(" \t", *from))
        from++;
    while (end > from && strchr(" \t", end[-1]))
        end--;
    to->part[to->parts] = from;
    to->length[to->parts++] = (size_t)(end - from);
}

static void split(struct pieces *to, enum form form, const char *from,
                  const char *end, const char *sign)
{
    const char *at = find(from, end, sign);
    to->form = form;
    add_part(to, from, at);
    add_part(to, at + strlen(sign), end);
}

static void parse_line(const struct bestdag_lines *l, struct pieces *to)
{
    const char *from = l->text, *end = from + l->length;
    *to = (struct pieces){.negated = *from == '~'};
    from += to->negated;
    const char *right = find(from, end, "->");
    if (find(from, end, "_|_"))
        split(to, INDEPENDENT, from, end, "_|_");
    else if (right && find(right, end, "<-")) {
        const char *left = find(right, end, "<-");
        to->form = MEETING;
        add_part(to, from, right);
        add_part(to, right + 2, left);
        add_part(to, left + 2, end);
    } else if (right)
        to->form = UNKNOWN;
    else if (find(from, end, "<--"))
        split(to, ANCESTOR, from, end, "<--");
    else if (find(from, end, "<-"))
        split(to, PARENT, from, end, "<-");
    else if (find(from, end, "<"))
        split(to, BEFORE, from, end, "<");
    else if (end - from > 4 && !memcmp(from, "sink", 4) &&
             !find(from, end, "-")) {
        to->form = SINK;
        add_part(to, from + 4, end);
    } else if (find(from, end, "-"))
        split(to, ADJACENT, from, end, "-");
}

/* Can GOBNILP have such a name? */
static bool is_name(const char *text, size_t n, bool hyphens)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("~<> \t\"", text[i]) || (text[i] == '-' && !hyphens))
            return false;
    return n > 0;
}

static bool is_sound(const struct pieces *x)
{
    if (x->form == UNKNOWN || (x->negated && x->form >= BEFORE))
        return false;
    for (int i = 0; i < x->parts; i++)
        if (!is_name(x->part[i], x->length[i], x->form != ADJACENT))
            return false;
    return true;
}

/* The first line decides; in our language none of these is a rule. */
bool bestdag_gobnilp_recognise(struct bestdag_run *run,
                               const struct bestdag_file *file)
{
    struct bestdag_lines l = bestdag_lines_of(run, file);
    struct pieces x;
    if (!bestdag_lines_next(&l, "#"))
        return false;
    parse_line(&l, &x);
    for (size_t i = 0; i < l.length && x.form != INDEPENDENT; i++)
        if (strchr("(:|,", l.text[i]))
            return false;
    return x.form == INDEPENDENT || is_sound(&x);
}

/* ---- the rules ----------------------------------------------------------- */

struct gobnilp {
    struct bestdag_parser *p;
    struct bestdag_lines l;
    struct pieces x;
    struct bestdag_rule_word word[3];
};

static struct bestdag_literal literal(enum bestdag_literal_kind kind,
                                      bool negated, struct bestdag_rule_word a,
                                      struct bestdag_rule_word b)
{
    return (struct bestdag_literal){
        .kind = kind, .negated = negated, .a = a, .b = b};
}

static int add_clause(struct gobnilp *g, const struct bestdag_literal *literals,
                      int count)
{
    struct bestdag_parser *p = g->p;
    struct bestdag_literal *copy =
        bestdag_rules_store(p->run, p->rules, (size_t)count, sizeof *literals);
    if (!copy)
        return bestdag_run_status(p->run);
    memcpy(copy, literals, (size_t)count * sizeof *literals);
    p->rule.kind = BESTDAG_RULE_CLAUSE;
    p->rule.clause = (struct bestdag_clause){count, copy};
    return bestdag_parser_finish(p, g->l.text, g->l.length);
}

static int add_order(struct gobnilp *g)
{
    struct bestdag_parser *p = g->p;
    struct bestdag_rule_word *both =
        bestdag_rules_store(p->run, p->rules, 2, sizeof *both);
    if (!both)
        return bestdag_run_status(p->run);
    both[0] = g->word[0];
    both[1] = g->word[1];
    p->rule.kind = BESTDAG_RULE_ORDER;
    p->rule.order = (struct bestdag_rule_words){2, both};
    return bestdag_parser_finish(p, g->l.text, g->l.length);
}

/* x -> z <- y, and x and y are not adjacent: three rules, or one clause. */
static int add_meeting(struct gobnilp *g)
{
    const struct bestdag_rule_word *w = g->word;
    bool negated = g->x.negated;
    struct bestdag_literal all[3] = {
        literal(BESTDAG_ARC, negated, w[0], w[1]),
        literal(BESTDAG_ARC, negated, w[2], w[1]),
        literal(BESTDAG_ADJACENT, !negated, w[0], w[2])};
    if (negated)
        return add_clause(g, all, 3);
    int status = BESTDAG_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = add_clause(g, &all[i], 1);
    return status;
}

static int add_rule(struct gobnilp *g)
{
    struct bestdag_rule_word *w = g->word, none = {.text = NULL};
    bool negated = g->x.negated;
    struct bestdag_literal one;
    if (g->x.form == BEFORE)
        return add_order(g);
    if (g->x.form == MEETING)
        return add_meeting(g);
    if (g->x.form == ADJACENT)
        one = literal(BESTDAG_ADJACENT, negated, w[0], w[1]);
    else if (g->x.form == PARENT)
        one = literal(BESTDAG_ARC, negated, w[1], w[0]);
    else if (g->x.form == ANCESTOR)
        one = literal(BESTDAG_ANCESTOR, negated, w[1], w[0]);
    else
        one = literal(BESTDAG_LEAF, false, w[0], none);
    return add_clause(g, &one, 1);
}

static int read_line(struct gobnilp *g)
{
    struct bestdag_parser *p = g->p;
    parse_line(&g->l, &g->x);
    p->t.token_line = g->l.line;
    p->t.token_column = g->l.column;
    if (g->x.form == INDEPENDENT)
        return bestdag_tokens_fail(
            &p->t, "independence '%.*s' is not a rule that bestdag supports",
            (int)(g->l.length > 60 ? 60 : g->l.length), g->l.text);
    if (!is_sound(&g->x))
        return bestdag_tokens_fail(
            &p->t, "expected a GOBNILP constraint, like the first line of this "
                   "file: x-y, x<-y, x<--y, x->z<-y, each optionally after "
                   "'~', or x<y or sink x");
    p->rule = (struct bestdag_rule){.line = g->l.line, .column = g->l.column};
    for (int i = 0; i < g->x.parts; i++) {
        int column = g->l.column + (int)(g->x.part[i] - g->l.text);
        g->word[i] = bestdag_parser_word(p, g->x.part[i], g->x.length[i],
                                         g->l.line, column);
        if (!g->word[i].text)
            return bestdag_run_status(p->run);
    }
    return add_rule(g);
}

int bestdag_gobnilp_parse(struct bestdag_parser *p,
                          const struct bestdag_file *file)
{
    struct gobnilp g = {.p = p, .l = bestdag_lines_of(p->run, file)};
    int status = BESTDAG_OK;
    while (!status && bestdag_lines_next(&g.l, "#"))
        status = read_line(&g);
    return status;
}
