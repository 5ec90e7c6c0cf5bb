/* SPDX-License-Identifier: MIT */
/* maker.h -- the parts of the compiler: rules become facts and clauses
 * (compile.c), facts are drawn from each other (deduce.c), and what is left is
 * sorted by child and marked (marks.c). */
#ifndef BESTDAG_CONSTRAINTS_MAKER_H
#define BESTDAG_CONSTRAINTS_MAKER_H

#include "constraints/compile.h"
#include "constraints/scope.h"

struct bestdag_maker {
    struct bestdag_run *run;
    struct bestdag_knowledge *k;
    struct bestdag_rule_scope scope;
    int rule;                   /* that is being made or applied */
    bool changed;               /* something new is known */
    uint64_t *allow;            /* owns; rows: what "allow only" names */
    int first_allow;            /* the first such rule */
    uint64_t *direct;           /* owns; rows: direct[v] come before v */
    uint64_t *ancestors;        /* owns; rows: along required arcs */
    uint64_t *row;              /* owns; scratch */
    int *uses;                  /* owns; [n]: who may have it as a parent */
    int *used;                  /* owns; [n]: who must */
    struct bestdag_clauses all; /* of two literals and more, or not local */
};

/* Facts. They note what is new and what is impossible; false: failed. */
bool bestdag_maker_forbid(struct bestdag_maker *m, int parent, int child);
bool bestdag_maker_require(struct bestdag_maker *m, int parent, int child);
/* Of a whole row; the child itself in it is passed over. */
bool bestdag_maker_forbid_row(struct bestdag_maker *m, const uint64_t *row,
                              int child);
bool bestdag_maker_require_row(struct bestdag_maker *m, const uint64_t *row,
                               int child);
bool bestdag_maker_order(struct bestdag_maker *m, int first, int then);
bool bestdag_maker_degree(struct bestdag_maker *m, int child, int low,
                          int high);
/* A fact that holds: goes to the rows, or remains as a clause by itself. */
bool bestdag_maker_fact(struct bestdag_maker *m,
                        const struct bestdag_fact *fact);
/* A clause: at least one of them holds. */
bool bestdag_maker_clause(struct bestdag_maker *m,
                          const struct bestdag_fact *facts, int count);
void bestdag_maker_need(struct bestdag_maker *m, unsigned needs);
/* n rows, all empty. NULL: failed. */
uint64_t *bestdag_maker_rows(struct bestdag_maker *m);

/* Draws what follows until nothing new does. */
int bestdag_maker_deduce(struct bestdag_maker *m);
/* Clauses by child; signatures; marks; paths; needs. */
int bestdag_maker_sort(struct bestdag_maker *m);

#endif
