/* SPDX-License-Identifier: MIT */
/* score.c -- the table of scores. A new score is a row here and a file beside
 * this one. */
#include "scores/score.h"

#include <string.h>

#define SCORES(ROW)                                                            \
    ROW(bic)                                                                   \
    ROW(aic)                                                                   \
    ROW(ll)                                                                    \
    ROW(k2)                                                                    \
    ROW(bdeu)                                                                  \
    ROW(bde)                                                                   \
    ROW(bd)                                                                    \
    ROW(mit)
#define DECLARE(name)                                                          \
    extern const struct bestdag_score_type bestdag_score_##name;
#define ENTRY(name) &bestdag_score_##name,
SCORES(DECLARE)
static const struct bestdag_score_type *const rows[] = {SCORES(ENTRY)};

const struct bestdag_score_type *bestdag_score_at(int i)
{
    return i >= 0 && i < (int)(sizeof rows / sizeof *rows) ? rows[i] : NULL;
}

const struct bestdag_score_type *bestdag_score_find(const char *name)
{
    const struct bestdag_score_type *t;
    for (int i = 0; (t = bestdag_score_at(i)); i++)
        if (!strcmp(t->name, name) || (t->alias && !strcmp(t->alias, name)))
            return t;
    return NULL;
}

bool bestdag_score_uses(const struct bestdag_score_type *type, const char *key)
{
    for (int g = 0; g < BESTDAG_SCORE_GROUPS && type->options[g]; g++)
        if (bestdag_option_row(type->options[g], key))
            return true;
    return false;
}

const char *bestdag_score_choice(int i)
{
    const struct bestdag_score_type *t;
    for (int k = 0; (t = bestdag_score_at(k)); k++) {
        if (!i--)
            return t->name;
        if (t->alias && !i--)
            return t->alias;
    }
    return NULL;
}
