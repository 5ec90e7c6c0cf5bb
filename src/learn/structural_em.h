/* SPDX-License-Identifier: MIT */
/* structural_em.h -- learning from a table with missing values: structural
 * expectation-maximisation. */
#ifndef BESTDAG_LEARN_STRUCTURAL_EM_H
#define BESTDAG_LEARN_STRUCTURAL_EM_H

#include "learn/expected_moments.h"
#include "learn/expected_score.h"
#include "models/holes/gaussian_em.h"
#include "search/solver.h"

/* Searches for the best network of a table by a score, beginning with `start`
 * (NULL: empty). is_quick: by hill climbing only. *scorer: the scorer used,
 * which lives until the next call; table and score must live as long. */
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
    const struct bestdag_table *table;     /* the table to search on */
    const struct bestdag_score_type *type; /* its score */
    /* for states: */
    struct bestdag_network *network;      /* owns; completed the table */
    struct bestdag_completion completion; /* owns */
    struct bestdag_expected_score score;
    /* for numbers: */
    struct bestdag_table *full;              /* owns; missing values at their
                                                means */
    struct bestdag_expected_moments moments; /* owns */
};

struct bestdag_structural_em;

/* What differs between tables of states and tables of numbers. */
struct bestdag_em_kind {
    int (*prepare)(struct bestdag_structural_em *em);
    /* Zeroed parameters. */
    int (*new_parameters)(struct bestdag_structural_em *em,
                          struct bestdag_network *network);
    /* Some iterations of EM; is_here: beginning with the present parameters.
     * *ln: log-likelihood of the observed values. */
    int (*estimate)(struct bestdag_structural_em *em,
                    struct bestdag_network *network, bool is_here, double *ln);
    /* The best parameters for the expectations of the last problem. */
    int (*take_expected)(struct bestdag_structural_em *em,
                         struct bestdag_network *network);
    /* Completes the table by a network; `to` is empty. *done: false if
     * stopped. */
    int (*complete)(struct bestdag_structural_em *em,
                    const struct bestdag_network *network,
                    struct bestdag_completed_problem *to, bool *done);
    /* In nats; scorer: that of a completed problem. */
    double (*penalty)(const struct bestdag_scorer *scorer, int child,
                      const int *parents, int count);
    const char *third; /* name of the start besides "empty" and "complete
                          rows" */
    /* Chooses what to search for the third start; table NULL: there is none.
     * is_last: there is no network yet, and no time left. */
    int (*begin)(struct bestdag_structural_em *em, bool is_last,
                 struct bestdag_completed_search *what);
};
extern const struct bestdag_em_kind bestdag_em_states, bestdag_em_numbers;

struct bestdag_structural_em {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    const struct bestdag_score_type *like; /* bic, aic, ll or their forms for
                                              numbers */
    bool is_quick; /* hill climbing takes the rules: use it for starts */
    void *learning;
    bestdag_completed_search_fn *search;
    /* Results: */
    const char *start;    /* name of the best start: "available" ... */
    int starts, problems; /* starts tried; completed problems searched */
    double penalty;       /* of the outcome's graph; NaN: not known */
    bool has_converged;   /* the search of the last problem was not stopped and
                             changed nothing */
    bool has_problem;     /* the outcome refers to a completed problem */
    bool is_of_last;      /* the outcome is that of the last search */
    int64_t large;        /* distinct rows with too many joint states to list */
    int64_t incomplete;   /* rows with a missing value */
    /* Private: */
    const struct bestdag_em_kind *kind;
    struct bestdag_digit *column;           /* owns; for states */
    struct bestdag_hole_rows all, holes;    /* own; for states */
    struct bestdag_gaussian_em gauss;       /* owns; for numbers */
    struct bestdag_completed_problem at[2]; /* own; the last two problems */
    int turn;                               /* index of the last one */
    int searches;                           /* so far */
    const struct bestdag_scorer *scorer;    /* of the last search */
    struct bestdag_table *complete;         /* owns; rows without holes */
};

/* Refuses scores without an expected form, tables with both states and numbers,
 * and columns without a value. */
int bestdag_structural_em_check(struct bestdag_run *run,
                                const struct bestdag_table *table,
                                const struct bestdag_score_type *like);
/* Requires that the members before the results are set. The problems that
 * scorers point to live until release. */
int bestdag_structural_em_run(struct bestdag_structural_em *em,
                              struct bestdag_outcome *to);
void bestdag_structural_em_release(struct bestdag_structural_em *em);

/* The table's variables with the arcs of a graph (NULL: none), and zeroed
 * parameters. */
struct bestdag_network *bestdag_structural_em_network(
    struct bestdag_structural_em *em, const struct bestdag_dag *dag);
/* Completes the table by a network, or, if it is NULL, without one (numbers
 * only), and replaces the problem before the last. */
int bestdag_structural_em_complete(struct bestdag_structural_em *em,
                                   const struct bestdag_network *network,
                                   bool *done);
/* Settings of EM between two searches, where parameters need not converge: any
 * gain will do. */
extern const struct bestdag_em_settings bestdag_em_between;

#endif
