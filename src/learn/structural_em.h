/* SPDX-License-Identifier: MIT */
/* structural_em.h -- learning from a table with missing values: structural
 * expectation-maximisation. */
#ifndef BESTDAG_LEARN_STRUCTURAL_EM_H
#define BESTDAG_LEARN_STRUCTURAL_EM_H

#include "learn/expected_score.h"
#include "search/solver.h"

/* Searches the best network of a table by a score, from `start` on (NULL: from
 * nothing). is_quick: by hill climbing alone. *scorer: what it was scored by,
 * which lives until the next call. The table and the score outlive that. */
struct bestdag_completed_search {
    const struct bestdag_table *table;
    const struct bestdag_score_type *type;
    const struct bestdag_dag *start;
    bool is_quick;
};
typedef int bestdag_completed_search_fn(
    void *learning, const struct bestdag_completed_search *what,
    struct bestdag_outcome *to, const struct bestdag_scorer **scorer);

/* A table completed by a network, and the score on it. */
struct bestdag_completed_problem {
    struct bestdag_network *network;      /* owns; that completes it */
    struct bestdag_completion completion; /* owns */
    struct bestdag_expected_score score;
};

struct bestdag_structural_em {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    const struct bestdag_score_type *like; /* bic, aic or ll */
    bool is_quick; /* hill climbing takes the rules: start with it */
    void *learning;
    bestdag_completed_search_fn *search;
    /* What it found: */
    const char *start;     /* which start was the best: "available" ... */
    int starts, problems;  /* made; completed problems that were searched */
    double log_likelihood; /* of the values that are there, of the network
                              that completed the last problem; NaN: none */
    double observed_score; /* that less the penalty */
    bool has_converged;    /* searching the last problem changed nothing */
    bool has_problem;      /* the outcome is of a completed problem */
    int64_t large; /* kinds of rows with too many joint states to list */
    /* Its own: */
    struct bestdag_digit *column;           /* owns */
    struct bestdag_hole_rows all, holes;    /* own */
    struct bestdag_completed_problem at[2]; /* own; the last two problems */
    int turn;                               /* which is the last */
    const struct bestdag_scorer *scorer;    /* of the last search */
    struct bestdag_table *complete;         /* owns; rows without holes */
};

/* Refuses scores that are no expected likelihoods, and columns of numbers or
 * without a value. */
int bestdag_structural_em_check(struct bestdag_run *run,
                                const struct bestdag_table *table,
                                const struct bestdag_score_type *like);
/* The first members are set. The problems that scorers point to live until
 * release. */
int bestdag_structural_em_run(struct bestdag_structural_em *em,
                              struct bestdag_outcome *to);
void bestdag_structural_em_release(struct bestdag_structural_em *em);

#endif
