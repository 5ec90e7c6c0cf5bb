/* SPDX-License-Identifier: MIT */
/* compiler.h -- the parts of the compiler: rules become facts and clauses
 * (compile.c), facts are drawn from each other (deduce.c), and what is left is
 * sorted by child and marked (clause_index.c). */
#ifndef BESTDAG_CONSTRAINTS_DEDUCTION_COMPILER_H
#define BESTDAG_CONSTRAINTS_DEDUCTION_COMPILER_H

#include "constraints/deduction/compile.h"
#include "constraints/language/scope.h"

struct bestdag_compiler {
    struct bestdag_run *run;
    struct bestdag_knowledge *k;
    struct bestdag_rule_scope scope;
    int rule;            /* that is being made or applied */
    bool changed;        /* something new is known */
    uint64_t *allow;     /* owns; rows: what "allow only" names */
    int first_allow;     /* the first such rule */
    uint64_t *direct;    /* owns; rows: direct[v] come before v */
    uint64_t *ancestors; /* owns; rows: along required arcs */
    uint64_t *row;       /* owns; scratch */
    int *uses; /* owns; [n]: how many variables may have it as a parent */
    int *used; /* owns; [n]: how many must have it as a parent */
    struct bestdag_clauses all; /* of two literals and more, or not local */
};

/* Add facts, noting what is new and what is impossible; false: failed. */
bool bestdag_compiler_require(struct bestdag_compiler *m, int parent,
                              int child);
/* For a whole row; the child itself is skipped. */
bool bestdag_compiler_forbid_row(struct bestdag_compiler *m,
                                 const uint64_t *row, int child);
bool bestdag_compiler_require_row(struct bestdag_compiler *m,
                                  const uint64_t *row, int child);
bool bestdag_compiler_order(struct bestdag_compiler *m, int first, int then);
/* Adds a fact that holds to the rows, or keeps it as a clause of its own. */
bool bestdag_compiler_fact(struct bestdag_compiler *m,
                           const struct bestdag_fact *fact);
/* Adds a clause: at least one of the facts holds. */
bool bestdag_compiler_clause(struct bestdag_compiler *m,
                             const struct bestdag_fact *facts, int count);
void bestdag_compiler_need(struct bestdag_compiler *m, unsigned needs);
/* n rows, all empty. NULL: failed. */
uint64_t *bestdag_compiler_rows(struct bestdag_compiler *m);

/* Deduces until nothing new follows. */
int bestdag_compiler_deduce(struct bestdag_compiler *m);
/* Sorts clauses by child; computes signatures, marks, paths and needs. */
int bestdag_compiler_sort(struct bestdag_compiler *m);

#endif
