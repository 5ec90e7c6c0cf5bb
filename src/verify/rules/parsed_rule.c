/* SPDX-License-Identifier: MIT */
/* parsed_rule.c -- parsed rules: their text, whether they require something,
 * and every choice of variables for the names after "for all". */
#include <limits.h>

#include "base/text.h"
#include "verify/rules/rulebook.h"

/* Limit of choices enumerated, times the terms of the rule. */
static const double MOST_CHOICES = 4e6;

char *bestdag_rulebook_text(const struct verify_rulebook *book)
{
    struct bestdag_buffer b = {.run = book->run};
    bestdag_buffer_text(&b, "");
    for (int i = 0; i < book->count; i++)
        bestdag_buffer_format(&b, "%s%s", i ? "; " : "", book->rule[i].text);
    return bestdag_buffer_take(&b);
}

static bool only_forbids(const struct verify_term *t)
{
    switch (t->kind) {
    case VERIFY_TERM_ROOT:
    case VERIFY_TERM_LEAF:
        return !t->negated;
    case VERIFY_TERM_ARC:
    case VERIFY_TERM_ADJACENT:
    case VERIFY_TERM_ANCESTOR:
        return t->negated;
    case VERIFY_TERM_DEGREE:
        return t->negated ? t->high == INT_MAX : t->low == 0;
    default:
        return true;
    }
}

bool bestdag_rulebook_obliges(const struct verify_rulebook *book)
{
    for (int i = 0; i < book->count; i++)
        if (book->rule[i].kind == VERIFY_RULE_CHANCE)
            return true;
    for (int64_t i = 0; i < book->terms; i++)
        if (!only_forbids(&book->term[i]))
            return true;
    return false;
}

/* Steps to the next choice, like an odometer. */
static bool next_choice(int *chosen, int each, int n)
{
    for (int i = each - 1; i >= 0; i--) {
        if (++chosen[i] < n)
            return true;
        chosen[i] = 0;
    }
    return false;
}

static bool is_allowed(const struct verify_rulebook *book,
                       const struct verify_rule *m, const int *chosen)
{
    for (int i = 0; i < m->each; i++) {
        for (int j = 0; j < i; j++)
            if (chosen[i] == chosen[j])
                return false;
        for (int64_t k = m->spare_from; k < m->spare_to; k++)
            if (book->spared[k] == chosen[i])
                return false;
    }
    return true;
}

int bestdag_rulebook_each(const struct verify_rulebook *book,
                          const struct verify_rule *rule,
                          verify_choice_fn *visit, void *user)
{
    int chosen[VERIFY_RULE_NAMES] = {0}, n = book->lists->n, status = 0;
    double choices = (double)(rule->to - rule->from + 1);
    for (int i = 0; i < rule->each; i++)
        choices *= n;
    if (choices > MOST_CHOICES)
        return BESTDAG_USAGE;
    if (!rule->each)
        return visit(user, rule, chosen);
    if (!n)
        return BESTDAG_OK;
    do
        if (is_allowed(book, rule, chosen))
            status = visit(user, rule, chosen);
    while (!status && next_choice(chosen, rule->each, n));
    return status;
}
