/* SPDX-License-Identifier: MIT */
/* parameter_rules.c -- reads rules about the probabilities of one child:
 * qualitative influences, sums of P( ), distances from a distribution. */
#include "constraints/language/parse.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static bool at_number(const struct bestdag_tokens *t)
{
    double x;
    return t->kind == BESTDAG_RULE_WORD &&
           bestdag_number_parse(t->text, t->length, &x);
}

static int take_number(struct bestdag_parser *p, double *to)
{
    if (!at_number(&p->t))
        return bestdag_tokens_expected(&p->t, "a number");
    bestdag_number_parse(p->t.text, p->t.length, to);
    return bestdag_tokens_next(&p->t);
}

static int parse_if_present(struct bestdag_parser *p)
{
    p->rule.if_present = bestdag_tokens_skip(&p->t, "if");
    return p->rule.if_present ? bestdag_parse_expect(p, "present")
                              : bestdag_run_status(p->run);
}

/* ---- influences ---------------------------------------------------------- */

static const char *const signs[] = {"negative", "zero", "positive"};

bool bestdag_parse_is_quality(const struct bestdag_parser *p)
{
    for (int i = 0; i < 3; i++)
        if (bestdag_tokens_is(&p->t, signs[i]))
            return true;
    return false;
}

static int check_different(struct bestdag_parser *p)
{
    const struct bestdag_quality *q = &p->rule.quality;
    for (int i = 0; i < q->parents; i++)
        if (!strcmp(q->parent[i].text, q->child.text))
            return bestdag_parse_fail(p, &q->parent[i],
                                      "'%s' cannot be its own parent",
                                      q->child.text);
    if (q->parents == 2 && !strcmp(q->parent[0].text, q->parent[1].text))
        return bestdag_parse_fail(p, &q->parent[1], "'%s' is repeated",
                                  q->parent[1].text);
    return BESTDAG_OK;
}

int bestdag_parse_quality(struct bestdag_parser *p)
{
    struct bestdag_quality *q = &p->rule.quality;
    p->rule.kind = BESTDAG_RULE_QUALITY;
    for (int i = 0; i < 3; i++)
        if (bestdag_tokens_is(&p->t, signs[i]))
            q->sign = i - 1;
    int status = bestdag_tokens_next(&p->t);
    if (!status && bestdag_tokens_is(&p->t, "product") &&
        bestdag_tokens_then(&p->t, "synergy"))
        return bestdag_tokens_fail(
            &p->t, "product synergies are not convex and not supported; "
                   "'synergy' alone is the additive one");
    q->parents = bestdag_tokens_skip(&p->t, "synergy") ? 2 : 1;
    for (int i = 0; i < q->parents && !status; i++)
        status = bestdag_parse_name(p, &q->parent[i]);
    if (!status)
        status = bestdag_parse_expect(p, "->");
    if (!status)
        status = bestdag_parse_name(p, &q->child);
    if (!status)
        status = check_different(p);
    return status ? status : parse_if_present(p);
}

/* ---- P( ) ---------------------------------------------------------------- */

static int parse_event(struct bestdag_parser *p, struct bestdag_event *to)
{
    int status = bestdag_parse_name(p, &to->name);
    if (status)
        return status;
    if (bestdag_tokens_skip(&p->t, "="))
        to->compare = BESTDAG_EQUAL;
    else if (bestdag_tokens_skip(&p->t, "<="))
        to->compare = BESTDAG_AT_MOST;
    else if (bestdag_tokens_skip(&p->t, ">="))
        to->compare = BESTDAG_AT_LEAST;
    else
        return bestdag_tokens_expected(&p->t, "'=', '<=' or '>='");
    return bestdag_parse_label(p, &to->label);
}

static int check_given(struct bestdag_parser *p,
                       const struct bestdag_probability *chance)
{
    for (int i = 0; i < chance->count; i++) {
        const struct bestdag_rule_word *name = &chance->given[i].name;
        bool twice = !strcmp(name->text, chance->child.name.text);
        for (int j = 0; j < i && !twice; j++)
            twice = !strcmp(name->text, chance->given[j].name.text);
        if (twice)
            return bestdag_parse_fail(p, name, "'%s' is repeated in this P( )",
                                      name->text);
    }
    return BESTDAG_OK;
}

/* More parents than this have no table that could be filled. */
enum { MOST_GIVEN = 64 };

/* "P" "(" event [ "|" event { "," event } ] ")"; of near( ) a name is in the
 * place of the first event. */
static int parse_chance(struct bestdag_parser *p, bool whole,
                        struct bestdag_probability *to)
{
    size_t begin = bestdag_parser_begin(p);
    struct bestdag_event event;
    void *at;
    *to = (struct bestdag_probability){.count = 0};
    int status = bestdag_parse_expect(p, "P");
    if (!status)
        status = bestdag_parse_expect(p, "(");
    if (!status)
        status = whole ? bestdag_parse_name(p, &to->child.name)
                       : parse_event(p, &to->child);
    if (!status && bestdag_tokens_skip(&p->t, "|"))
        do {
            status = parse_event(p, &event);
            if (!status)
                status = bestdag_parser_push(p, &event, sizeof event);
        } while (!status && bestdag_tokens_skip(&p->t, ","));
    to->count = bestdag_parser_end(p, begin, sizeof event, &at);
    to->given = at;
    if (!status && to->count > MOST_GIVEN)
        return bestdag_tokens_fail(&p->t, "more than %d parents in P( )",
                                   (int)MOST_GIVEN);
    if (!status)
        status = check_given(p, to);
    return status ? status : bestdag_parse_expect(p, ")");
}

static bool at_chance(const struct bestdag_tokens *t)
{
    return bestdag_tokens_is(t, "P") && bestdag_tokens_then(t, "(");
}

/* ---- sums ---------------------------------------------------------------- */

/* A name that looks like a number may stand at the tail of an arc. */
bool bestdag_parse_is_linear(const struct bestdag_parser *p)
{
    const struct bestdag_tokens *t = &p->t;
    return at_chance(t) || ((at_number(t) || bestdag_tokens_is(t, "-")) &&
                            !bestdag_tokens_then(t, "->"));
}

struct sum {
    int count;
    struct bestdag_term *term; /* in the store */
    double number;
};

/* number [ [ "*" ] chance ] | chance */
static int parse_term(struct bestdag_parser *p, double sign, double *number)
{
    struct bestdag_term term = {.factor = 1};
    bool has_number = at_number(&p->t);
    int status = has_number ? take_number(p, &term.factor) : BESTDAG_OK;
    bool times = has_number && bestdag_tokens_skip(&p->t, "*");
    term.factor *= sign;
    if (has_number && !times && !at_chance(&p->t)) {
        *number += term.factor;
        return bestdag_run_status(p->run);
    }
    if (!status && !at_chance(&p->t))
        return bestdag_tokens_expected(&p->t, has_number ? "P( )"
                                                         : "a number or P( )");
    if (!status)
        status = parse_chance(p, false, &term.chance);
    return status ? status : bestdag_parser_push(p, &term, sizeof term);
}

static int parse_sum(struct bestdag_parser *p, struct sum *to)
{
    size_t begin = bestdag_parser_begin(p);
    double sign = bestdag_tokens_skip(&p->t, "-") ? -1 : 1;
    void *at;
    to->number = 0;
    int status = bestdag_run_status(p->run);
    while (!status) {
        status = parse_term(p, sign, &to->number);
        bool plus = bestdag_tokens_is(&p->t, "+");
        if (status || (!plus && !bestdag_tokens_is(&p->t, "-")))
            break;
        sign = plus ? 1 : -1;
        status = bestdag_tokens_next(&p->t);
    }
    to->count = bestdag_parser_end(p, begin, sizeof(struct bestdag_term), &at);
    to->term = at;
    if (!bestdag_run_status(p->run) && !isfinite(to->number))
        return bestdag_tokens_fail(&p->t, "the numbers are too large");
    return bestdag_run_status(p->run);
}

/* left - right  <=, = or >=  number */
static int make_linear(struct bestdag_parser *p, const struct sum *left,
                       const struct sum *right, struct bestdag_linear *to)
{
    int64_t count = (int64_t)left->count + right->count;
    to->bound = right->number - left->number;
    if (count > INT32_MAX / 2 || !isfinite(to->bound))
        return bestdag_tokens_fail(&p->t, "the sums are too long");
    to->count = (int)count;
    to->term =
        bestdag_rules_store(p->run, p->rules, (size_t)count, sizeof *to->term);
    if (!to->term)
        return bestdag_run_status(p->run);
    for (int i = 0; i < to->count; i++) {
        bool from_left = i < left->count;
        to->term[i] = from_left ? left->term[i] : right->term[i - left->count];
        to->term[i].factor *= from_left ? 1 : -1;
    }
    return BESTDAG_OK;
}

static bool is_given(const struct bestdag_probability *chance, const char *name)
{
    for (int i = 0; i < chance->count; i++)
        if (!strcmp(chance->given[i].name.text, name))
            return true;
    return false;
}

/* Do both speak of the same child and name the same parents? */
static int check_same(struct bestdag_parser *p,
                      const struct bestdag_probability *first,
                      const struct bestdag_probability *chance)
{
    const struct bestdag_rule_word *child = &chance->child.name;
    if (strcmp(first->child.name.text, child->text) != 0)
        return bestdag_parse_fail(
            p, child,
            "all P( ) of a rule must have the same child, here '%s' and '%s'",
            first->child.name.text, child->text);
    bool same = first->count == chance->count;
    for (int i = 0; same && i < chance->count; i++)
        same = is_given(first, chance->given[i].name.text);
    if (!same)
        return bestdag_parse_fail(
            p, child,
            "all P( ) of a rule must name the same parents after '|'");
    return BESTDAG_OK;
}

static int check_sums(struct bestdag_parser *p, const struct sum *sums,
                      int count)
{
    const struct bestdag_probability *first = NULL;
    int status = BESTDAG_OK;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < sums[i].count && !status; j++) {
            const struct bestdag_probability *chance = &sums[i].term[j].chance;
            if (first)
                status = check_same(p, first, chance);
            else
                first = chance;
        }
    if (!first)
        return bestdag_tokens_fail(&p->t, "this rule has no P( )");
    return status;
}

static int parse_relation(struct bestdag_parser *p, enum bestdag_compare *to)
{
    if (bestdag_tokens_skip(&p->t, "<="))
        *to = BESTDAG_AT_MOST;
    else if (bestdag_tokens_skip(&p->t, ">="))
        *to = BESTDAG_AT_LEAST;
    else if (bestdag_tokens_skip(&p->t, "="))
        *to = BESTDAG_EQUAL;
    else
        return bestdag_tokens_expected(&p->t, "'<=', '=' or '>='");
    return BESTDAG_OK;
}

/* sum relation sum [ relation sum ] [ "if" "present" ] */
int bestdag_parse_linear(struct bestdag_parser *p)
{
    struct sum sums[3];
    int count = 0, status = parse_sum(p, &sums[count++]);
    p->rule.kind = BESTDAG_RULE_LINEAR;
    while (!status && count < 3 &&
           (count == 1 || p->t.kind == BESTDAG_RULE_SIGN)) {
        struct bestdag_linear *linear = &p->rule.linear.at[count - 1];
        status = parse_relation(p, &linear->compare);
        if (!status)
            status = parse_sum(p, &sums[count++]);
        if (!status)
            status = make_linear(p, &sums[count - 2], &sums[count - 1], linear);
    }
    p->rule.linear.count = count - 1;
    if (!status)
        status = check_sums(p, sums, count);
    return status ? status : parse_if_present(p);
}

/* ---- distances ----------------------------------------------------------- */

bool bestdag_parse_is_near(const struct bestdag_parser *p)
{
    return bestdag_tokens_is(&p->t, "near") && bestdag_tokens_then(&p->t, "(");
}

/* number { [","] number } */
static int parse_targets(struct bestdag_parser *p, struct bestdag_near *near)
{
    size_t begin = bestdag_parser_begin(p);
    void *at;
    int status;
    do {
        double x = 0;
        status = take_number(p, &x);
        if (!status && !(x >= 0 && x <= 1))
            return bestdag_tokens_fail(&p->t,
                                       "probabilities must be from 0 to 1");
        if (!status)
            status = bestdag_parser_push(p, &x, sizeof x);
    } while (!status && (bestdag_tokens_skip(&p->t, ",") || at_number(&p->t)));
    near->count = bestdag_parser_end(p, begin, sizeof(double), &at);
    near->target = at;
    return bestdag_run_status(p->run);
}

/* "near" "(" "P" "(" name [ "|" event { "," event } ] ")" "," numbers ")"
 * "<=" number [ "if" "present" ] */
int bestdag_parse_near(struct bestdag_parser *p)
{
    struct bestdag_near *near = &p->rule.near;
    p->rule.kind = BESTDAG_RULE_NEAR;
    int status = bestdag_tokens_next(&p->t);
    if (!status)
        status = bestdag_parse_expect(p, "(");
    if (!status)
        status = parse_chance(p, true, &near->chance);
    if (!status)
        status = bestdag_parse_expect(p, ",");
    if (!status)
        status = parse_targets(p, near);
    if (!status)
        status = bestdag_parse_expect(p, ")");
    if (!status)
        status = bestdag_parse_expect(p, "<=");
    if (!status)
        status = take_number(p, &near->bound);
    if (!status && near->bound < 0)
        return bestdag_tokens_fail(&p->t, "a distance must not be negative");
    return status ? status : parse_if_present(p);
}
