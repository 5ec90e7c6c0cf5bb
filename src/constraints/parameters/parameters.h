/* SPDX-License-Identifier: MIT */
/* parameters.h -- rules about probabilities, in the form that blocks take.
 *
 * A rule about parameters speaks of one child and names some of its parents; it
 * holds for every configuration of the others. For a parent set P the rules
 * whose parents are all in P apply. Their constraints are those of one block
 * over the parents that any of them names, and the block is there once for
 * every configuration of the rest (de Campos, Zeng and Ji 2009, section 3.1).
 */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_PARAMETERS_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_PARAMETERS_H

#include "constraints/language/rules.h"
#include "constraints/parameters/block.h"

/* A variable that rules are about. All pointers are borrowed. */
struct bestdag_subject {
    const char *name;
    int states;
    char *const *labels; /* [states] */
    bool ordered;        /* they were declared in this order */
};

/* Made from rules, which must outlive it, and subjects, which need not.
 */
struct bestdag_parameters;
/* Fails where a rule makes no sense for these variables and states, and with
 * BESTDAG_INFEASIBLE where the rules that always apply have no solution. */
struct bestdag_parameters *bestdag_parameters_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const struct bestdag_subject *subjects, int n);
void bestdag_parameters_free(struct bestdag_parameters *parameters);
/* Are there rules about this child? */
bool bestdag_parameters_about(const struct bestdag_parameters *parameters,
                              int child);

/* The rules that apply to one child and parent set. */
struct bestdag_block_list {
    int count;                   /* parents that they name */
    int *parent;                 /* owns; [count], ascending */
    int rows;                    /* configurations of these; last fastest */
    struct bestdag_block *block; /* owns; NULL: not feasible */
    bool feasible; /* else no parameters satisfy the rules, or a required parent
                      is missing: */
    int rule, missing; /* a rule and its missing parent; -1: none */
};
/* parents: ascending. */
int bestdag_parameters_blocks(struct bestdag_run *run,
                              const struct bestdag_parameters *parameters,
                              int child, const int *parents, int count,
                              struct bestdag_block_list *to);
void bestdag_block_list_release(struct bestdag_block_list *block_list);
/* Fails with BESTDAG_INFEASIBLE: the rules about this child give probability 0
 * to what the data have. */
int bestdag_parameters_exclude(struct bestdag_run *run,
                               const struct bestdag_parameters *parameters,
                               int child, const char *name);
/* Fails: a list lacks a parent that its rules name. */
int bestdag_parameters_lack(struct bestdag_run *run,
                            const struct bestdag_parameters *parameters,
                            const struct bestdag_block_list *block_list,
                            const char *child, const char *parent);
/* Identifies the rules that apply: parent sets of a child with the same key
 * have the same blocks. */
uint64_t bestdag_parameters_key(const struct bestdag_parameters *parameters,
                                int child, const int *parents, int count);
/* Fails with BESTDAG_INFEASIBLE and the rules that contradict each other for
 * this child and parent set, whose blocks are not feasible. */
int bestdag_parameters_fail(struct bestdag_run *run,
                            const struct bestdag_parameters *parameters,
                            int child, const int *parents, int count);

#endif
