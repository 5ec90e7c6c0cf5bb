/* SPDX-License-Identifier: MIT */
/* score.c -- the table of scores. A new score is a row here and a file in this
 * folder. */
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
    ROW(mit)                                                                   \
    ROW(pnal)                                                                  \
    ROW(bic_g)                                                                 \
    ROW(aic_g)                                                                 \
    ROW(ll_g)                                                                  \
    ROW(bge)                                                                   \
    ROW(bic_cg)                                                                \
    ROW(aic_cg)                                                                \
    ROW(ll_cg)
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

bool bestdag_score_takes(const struct bestdag_score_type *type,
                         const struct bestdag_table *table)
{
    int numbers = 0, states = 0;
    for (int v = 0; v < table->columns; v++) {
        numbers += table->column[v].kind == BESTDAG_NUMBERS;
        states += table->column[v].kind == BESTDAG_CODES;
    }
    if (numbers + states < table->columns)
        return false;
    return type->columns == BESTDAG_SCORE_STATES    ? !numbers
           : type->columns == BESTDAG_SCORE_NUMBERS ? !states
                                                    : numbers > 0;
}

const struct bestdag_score_type *bestdag_score_asked(
    const struct bestdag_table *table, const struct bestdag_options *options)
{
    static const char *const defaults[] = {"bic", "bic-g", "bic-cg"};
    const char *name =
        bestdag_option_value(options, &bestdag_score_options, "score").text;
    if (!table ||
        bestdag_option_given(options, &bestdag_score_options, "score"))
        return bestdag_score_find(name);
    if (table->use == BESTDAG_HOLES_AVAILABLE)
        return bestdag_score_find("pnal");
    for (int i = 0; i < 3; i++) {
        const struct bestdag_score_type *t = bestdag_score_find(defaults[i]);
        if (bestdag_score_takes(t, table))
            return t;
    }
    return bestdag_score_find(name);
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
