/* SPDX-License-Identifier: MIT */
/* rule_deducer.h -- shared by deduction from rules (rule_deduction.c) and
 * thinning of lists (list_thinning.c). */
#ifndef BESTDAG_VERIFY_RULES_RULE_DEDUCER_H
#define BESTDAG_VERIFY_RULES_RULE_DEDUCER_H

#include "verify/rules/rulebook.h"

enum verify_literal_kind { HAS, LACKS, DEGREE, PATH, NO_PATH };

struct verify_literal {
    enum verify_literal_kind kind;
    int child, parent; /* parent: not of DEGREE */
    int low, high;     /* of DEGREE */
};

struct verify_clause {
    int64_t from, to;
    struct verify_rule *rule;
};

struct verify_deducer {
    struct bestdag_run *run;
    struct verify_rulebook *book;
    struct verify_deduction *x;
    struct verify_rule *rule;       /* the current one */
    uint64_t *required, *direct;    /* own; rows like those of x */
    uint64_t *ancestors;            /* owns; by required arcs alone */
    uint64_t *listed;               /* owns; arcs that `allow only` names */
    int *least;                     /* owns */
    int *most;                      /* of x */
    struct verify_literal *literal; /* owns */
    int64_t literals, literal_room;
    struct verify_clause *clause; /* owns */
    int64_t clauses, clause_room;
    bool changed;
};

static inline uint64_t *bestdag_deducer_row(const struct verify_deducer *m,
                                            uint64_t *rows, int v)
{
    return rows + (size_t)v * m->x->words;
}

/* Of a path, only its order, or its shortest form, is used as a fact. */
static inline bool bestdag_literal_is_path(const struct verify_literal *l)
{
    return l->kind == PATH || l->kind == NO_PATH;
}

/* Drops the sets that break a fact, or a clause about their child alone. */
void bestdag_deducer_thin(struct verify_deducer *m, struct kernel_lists *lists);

#endif
