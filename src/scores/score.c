/* SPDX-License-Identifier: MIT */
/* score.c -- the table of scores. A new score is a row here and its functions
 * in a file beside this one. */
#include "scores/score.h"

#include <string.h>

static const struct bestdag_score_type *const rows[] = {
    &bestdag_score_bic, &bestdag_score_aic,  &bestdag_score_ll,
    &bestdag_score_k2,  &bestdag_score_bdeu, &bestdag_score_bde,
    &bestdag_score_bd,  &bestdag_score_mit,
};

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
