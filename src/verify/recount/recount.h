/* SPDX-License-Identifier: MIT */
/* recount.h -- the checker's own counting and scoring of a table: are the
 * listed scores right, and are the lists complete? */
#ifndef BESTDAG_VERIFY_RECOUNT_H
#define BESTDAG_VERIFY_RECOUNT_H

#include "verify/recount/sidecar_check.h"

enum verify_formula {
    VERIFY_FORMULA_NONE, /* not known here */
    VERIFY_FORMULA_LIKELIHOOD,
    VERIFY_FORMULA_PENALISED, /* with `weight` per free parameter */
    VERIFY_FORMULA_CONSTANT,  /* Dirichlet, every pseudo-count is `prior` */
    VERIFY_FORMULA_SPREAD,    /* Dirichlet, `prior` spread over all cells */
    VERIFY_FORMULA_GAUSSIAN, /* regressions, with `weight` per parameter; states
                                as in PENALISED */
    VERIFY_FORMULA_BGE       /* normal-Wishart, of `iss_mu` and `iss_w` */
};

struct verify_recount {
    struct bestdag_run *run;
    const struct kernel_lists *lists;
    /* the score */
    enum verify_formula formula;
    const char *score; /* its name */
    double weight, prior, arc_cost;
    double iss_mu, iss_w; /* iss_w 0: the default */
    /* the table */
    int64_t rows, total;
    int *states;     /* owns; [n] */
    uint16_t **code; /* owns; [n][rows] */
    int64_t *times;  /* owns; [rows]: weights */
    double **value;  /* owns; [n][rows]: of a column of numbers; else NULL. It
                        has 2 states here, or 1 if it is constant */
    long double *whole; /* owns; [n * n]: centred cross-products; NULL: none */
    /* the current family: its numeric parents, and those that may still be
     * added */
    int *number; /* owns; [n] */
    int numbers;
    const int *later; /* borrowed */
    int laters;
    /* scratch */
    int32_t *cell, *of;   /* own; [rows]: cell of a row; group of a cell */
    int64_t *count, *sum; /* own; [rows]: of cells, of groups */
    int32_t *table;       /* owns; numbers of new groups */
    int64_t table_room;
    uint64_t *key; /* owns; the same where there are too many for a table */
    int32_t *key_number;
    int64_t *stamp;
    int64_t key_room, stamps;
    /* limits and results */
    int64_t budget;    /* families that may still be scored */
    int64_t checked;   /* listed sets whose score was computed */
    int64_t families;  /* all families whose score was computed */
    int complete;      /* variables whose lists are complete */
    bool enumerated;   /* completeness was checked */
    char wrong[320];   /* a score that differs, or a missing set; or "" */
    char skipped[200]; /* why something was not checked, or "" */
};

/* Rows split by the states of one more variable. */
struct verify_grouping {
    int32_t *of; /* [rows]; owned by its maker */
    int32_t count;
};

/* Reads the score from the sidecar, then the table. Start from { .run, .lists,
 * .budget }; release in any case. */
int bestdag_recount_start(struct verify_recount *r,
                          const struct verify_sidecar *sidecar,
                          const struct bestdag_table *table);
void bestdag_recount_release(struct verify_recount *r);
/* All rows as one group; then a split. to->of has room for the rows. */
void bestdag_recount_whole(const struct verify_recount *r,
                           struct verify_grouping *to);
int bestdag_recount_split(struct verify_recount *r,
                          const struct verify_grouping *from, int variable,
                          struct verify_grouping *to);
/* The score of a child whose parents make these groups: `q` joint states,
 * `arcs` parents. *ceiling: no superset scores more. */
int bestdag_recount_score(struct verify_recount *r, int child,
                          const struct verify_grouping *g, double q, int arcs,
                          double *score, double *ceiling);
/* By how much two computations of one score may differ. */
double bestdag_recount_slack(const struct verify_recount *r, double score);

/* ---- regressions.c ---- */

/* The score of a number whose parents of states make these groups, of q joint
 * states, without the structure prior; -INFINITY: singular. *ceiling as above,
 * for proper supersets among the later ones. */
int bestdag_recount_number(struct verify_recount *r, int child,
                           const struct verify_grouping *g, double q,
                           double *score, double *ceiling);
/* Sorts numbers by their correlation with a child, strongest first: ceilings
 * then fall fast. */
void bestdag_recount_rank(const struct verify_recount *r, int child, int *at,
                          int count);
/* Computes `whole` and marks constants. */
int bestdag_recount_moments(struct verify_recount *r);

/* Are the listed scores right? Sets `wrong` and `checked`. */
int bestdag_recount_lists(struct verify_recount *r);
/* Which sets are allowed. */
struct verify_reach {
    int limit;               /* of parents; -1: none */
    const uint64_t *allowed; /* rows of bits: parents of v; NULL: all */
    const int *most;         /* [n]: parents of v, at most; NULL: no limit */
};
/* Do the lists have every allowed set that is better than all its subsets? Sets
 * `wrong` and `complete`. */
int bestdag_recount_completeness(struct verify_recount *r,
                                 const struct verify_reach *reach);

#endif
