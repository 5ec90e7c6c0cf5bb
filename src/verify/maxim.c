/* SPDX-License-Identifier: MIT */
/* maxim.c -- rules as they were read: their text, whether they ask for
 * something, and every choice of variables for the names after "for all". */
#include <limits.h>

#include "base/text.h"
#include "verify/rulebook.h"

/* Choices that are gone through, times the terms of the rule. */
static const double MOST_CHOICES = 4e6;

char *bestdag_rulebook_text(const struct bestdag_rulebook *book)
{
    struct bestdag_buffer b = {.run = book->run};
    bestdag_buffer_text(&b, "");
    for (int i = 0; i < book->count; i++)
        bestdag_buffer_format(&b, "%s%s", i ? "; " : "", book->maxim[i].text);
    return bestdag_buffer_take(&b);
}

static bool only_forbids(const struct bestdag_term *t)
{
    switch (t->kind) {
    case BESTDAG_TERM_ROOT:
    case BESTDAG_TERM_LEAF:
        return !t->negated;
    case BESTDAG_TERM_ARC:
    case BESTDAG_TERM_ADJACENT:
    case BESTDAG_TERM_ANCESTOR:
        return t->negated;
    case BESTDAG_TERM_DEGREE:
        return t->negated ? t->high == INT_MAX : t->low == 0;
    default:
        return true;
    }
}

bool bestdag_rulebook_obliges(const struct bestdag_rulebook *book)
{
    for (int i = 0; i < book->count; i++)
        if (book->maxim[i].kind == BESTDAG_MAXIM_CHANCE)
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

static bool is_allowed(const struct bestdag_rulebook *book,
                       const struct bestdag_maxim *m, const int *chosen)
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

int bestdag_maxim_each(const struct bestdag_rulebook *book,
                       const struct bestdag_maxim *m, bestdag_choice_fn *visit,
                       void *user)
{
    int chosen[BESTDAG_MAXIM_NAMES] = {0}, n = book->lists->n, status = 0;
    double choices = (double)(m->to - m->from + 1);
    for (int i = 0; i < m->each; i++)
        choices *= n;
    if (choices > MOST_CHOICES)
        return BESTDAG_USAGE;
    if (!m->each)
        return visit(user, m, chosen);
    if (!n)
        return BESTDAG_OK;
    do
        if (is_allowed(book, m, chosen))
            status = visit(user, m, chosen);
    while (!status && next_choice(chosen, m->each, n));
    return status;
}
