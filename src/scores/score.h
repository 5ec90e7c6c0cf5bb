/* SPDX-License-Identifier: MIT */
/* score.h -- the scores, one row each. A new score is one file that defines
 * bestdag_score_foo, and one row in score.c. */
#ifndef BESTDAG_SCORES_SCORE_H
#define BESTDAG_SCORES_SCORE_H

#include "scores/scorer.h"

/* Probabilities of a prior network, for one thread: see prior.c. */
struct bestdag_prior;
struct bestdag_beliefs {
    struct bestdag_run *run;
    struct bestdag_joint *joint; /* owns; NULL: not used yet */
    struct bestdag_prior *kept;  /* owns; tables of sets, by hash */
    int64_t held;                /* bytes of these tables */
    int *set;                    /* owns; [2 * n]: scratch */
    int64_t *stride;             /* owns; [n]: scratch */
    uint8_t *seen;               /* owns; [rows]: groups that were visited */
};
void bestdag_beliefs_release(struct bestdag_beliefs *beliefs);

/* Counts of a family. */
struct bestdag_score_view {
    int child;
    const int *parents;
    int count;
    const struct bestdag_cell *cell;
    int64_t cells;
    const int64_t *weight; /* [groups]: of the joint states of the parents */
    int64_t groups;
    struct bestdag_beliefs *beliefs;
};

/* The view of a child whose parents are the path of the tally; without
 * cells. */
static inline struct bestdag_score_view bestdag_score_view_of(
    const struct bestdag_tally *t, int child, const int *parents, int count)
{
    return (struct bestdag_score_view){.child = child,
                                       .parents = parents,
                                       .count = count,
                                       .weight = bestdag_tally_weights(t),
                                       .groups = bestdag_tally_groups(t)};
}

/* The interface for scores that are no sums over the cells of one complete
 * table of codes: the score computes whole families itself.
 *
 * If a row sets `families`, it is asked for one family at a time everywhere: by
 * strategies, pairs, neighbours and searches. The scorer then has no columns,
 * no tally and no xlogx; `prepare` puts what the score needs instead into
 * scorer->own, and `open` makes what one thread needs. `prepare` also sets
 *
 *     units       by bestdag_scorer_units(), first of all
 *     states[v]   those of codes; of other columns 2, or 1 if it is constant:
 *                 then it gets no arcs
 *     pruning     DOMINATED unless something is proved (below)
 *     additive    a parent costs `weight`, whatever its states are
 *     base[v]     with PENALTY: what a likelihood of 0 stands for, negated
 *
 * The rules of BESTDAG_PRUNE_PENALTY hold for any score whose families have
 *
 *     score       = likelihood - bestdag_scorer_penalty(), where
 *     likelihood <= 0 and does not fall with another parent, and
 *     joint(R + Y) - joint(R) = likelihood of Y given R, for parents_joint.
 *
 * Without PENALTY the likelihood only ranks (candidates, BIC-star). A family
 * that has no score (singular, not allowed, without rows) gets
 * bestdag_family_none(): then none of its supersets may have one, and the set
 * without parents must. */
/* A request for all sets of one child, for the strategy `sequential`. */
struct bestdag_family_search {
    int child;
    const int *candidate; /* [candidates]: possible parents */
    int candidates;
    int limit; /* on parents */
    void *user;
    /* Takes a set that scores above its subsets, as far as these were scored;
     * not OK: out of memory. */
    int (*take)(void *user, const int *set, int count, int64_t score);
    /* After so many sets: should the enumeration end? */
    bool (*must_end)(void *user, int64_t looked);
};

/* A child with some parents, and one more. */
struct bestdag_added_families {
    int child;
    const int *parents; /* ascending */
    int count;
    const int *added; /* [many]: ascending, neither parents nor the child */
    int many;         /* up to BESTDAG_MOST_ADDED */
};
enum { BESTDAG_MOST_ADDED = 64 };

struct bestdag_score_families {
    bool takes_missing; /* accepts missing values */
    /* Makes and frees the scratch of one thread; NULL: none is needed. */
    void *(*open)(struct bestdag_run *run, const struct bestdag_scorer *scorer);
    void (*close)(void *scratch);
    /* Fills all of `to`, including the structure prior. The parents come in any
     * order; the result must not depend on it, nor on earlier uses of the
     * scratch. Not OK: out of memory. */
    int (*family)(const struct bestdag_scorer *scorer, void *scratch, int child,
                  const int *parents, int count, struct bestdag_family *to);
    /* The families with each of ask->added as an additional parent, all at
     * once: to[i] as `family` would give it. NULL: not available. */
    int (*add)(const struct bestdag_scorer *scorer, void *scratch,
               const struct bestdag_added_families *ask,
               struct bestdag_family *to);
    /* The local score by libm and the textbook formula, without the structure
     * prior; -INFINITY: none. */
    int (*exact)(const struct bestdag_scorer *scorer, void *scratch, int child,
                 const int *parents, int count, double *nats);
    /* If can_list(): takes every set that may be better than all its subsets,
     * and perhaps others; cheaper than levels of sets. NULL: not available. */
    int (*list)(const struct bestdag_scorer *scorer, void *scratch,
                const struct bestdag_family_search *search);
    bool (*can_list)(const struct bestdag_scorer *scorer);
    /* Prints notes about the table; NULL: none. */
    void (*note)(struct bestdag_run *run, const struct bestdag_scorer *scorer);
    void (*release)(void *own); /* frees scorer->own, even if half built or
                                   NULL */
};

/* A family without a score, which no list or search accepts. */
static inline void bestdag_family_none(struct bestdag_family *to)
{
    *to = (struct bestdag_family){.score = -BESTDAG_UNITS_MOST,
                                  .likelihood = -BESTDAG_UNITS_MOST,
                                  .configurations = 1,
                                  .cells = 1};
}

enum { BESTDAG_SCORE_GROUPS = 2 }; /* of options, at most */

/* The columns that a score takes. */
enum bestdag_score_columns {
    BESTDAG_SCORE_STATES,  /* all hold states (codes) */
    BESTDAG_SCORE_NUMBERS, /* all hold numbers */
    BESTDAG_SCORE_MIXED    /* states and numbers, at least one of numbers */
};

struct bestdag_score_type {
    const char *name, *alias, *help; /* help: the formula */
    const struct bestdag_option_group *options[BESTDAG_SCORE_GROUPS];
    const char *required; /* key of an option that it needs; NULL: none */
    enum bestdag_score_columns columns;
    bool equivalent;  /* the same for all graphs of an equivalence class */
    bool symmetric;   /* or at least the score of a single arc is the same in
                         both directions */
    bool likelihood;  /* the log-likelihood less a penalty per parameter */
    bool dirichlet;   /* a marginal likelihood: log-gamma terms */
    bool never_falls; /* with another parent, so that no set is pruned */
    enum bestdag_pruning pruning;
    /* Sets factor, weight, functions ... of a scorer whose table is set. */
    int (*prepare)(struct bestdag_run *run, struct bestdag_scorer *scorer,
                   const struct bestdag_options *options);
    /* In nats, without the structure prior; NULL: none. */
    double (*penalty)(const struct bestdag_scorer *scorer, int child,
                      const int *parents, int count);
    /* The local score by libm, without the structure prior. */
    double (*nats)(const struct bestdag_scorer *scorer,
                   const struct bestdag_score_view *view);
    /* For scores that are by_family; else NULL. */
    int (*local)(const struct bestdag_scorer *scorer,
                 const struct bestdag_score_view *view, int64_t *units);
    /* Replaces penalty, nats and local; NULL: a sum over cells. */
    const struct bestdag_score_families *families;
};

/* The i-th row; NULL after the last. */
const struct bestdag_score_type *bestdag_score_at(int i);
/* Finds a score by name or alias; NULL: none. */
const struct bestdag_score_type *bestdag_score_find(const char *name);

/* The score of the option "score"; by default bic, or bic-g if all columns hold
 * numbers, bic-cg if some do, and pnal for a table whose missing values are
 * used family by family. */
const struct bestdag_score_type *bestdag_score_asked(
    const struct bestdag_table *table, const struct bestdag_options *options);
/* Does the score take the columns of this table? */
bool bestdag_score_takes(const struct bestdag_score_type *type,
                         const struct bestdag_table *table);
/* Does the score have this option? */
bool bestdag_score_uses(const struct bestdag_score_type *type, const char *key);
/* The i-th name or alias: the choices of the option "score". */
const char *bestdag_score_choice(int i);

/* Options of several scores. */
extern const struct bestdag_option_group bestdag_ess_options,
    bestdag_prior_options;

/* families->add with a scratch of the scorer, and whether it is available. */
bool bestdag_scorer_can_add(const struct bestdag_scorer *scorer);
int bestdag_scorer_add_each(const struct bestdag_scorer *scorer,
                            struct bestdag_scorer_scratch *scratch,
                            const struct bestdag_added_families *ask,
                            struct bestdag_family *to);
/* families->list with a scratch of the scorer. */
int bestdag_scorer_list(const struct bestdag_scorer *scorer,
                        struct bestdag_scorer_scratch *scratch,
                        const struct bestdag_family_search *search);
/* Notes which columns are numbers, the score chosen for them, and the score's
 * own notes about the table; once per command. */
void bestdag_scorer_note(struct bestdag_run *run,
                         const struct bestdag_scorer *scorer);
/* Sets the finest units with which neither the score of a family, at most `one`
 * nats, nor the sum over a network, at most `all`, can overflow. */
void bestdag_scorer_units(struct bestdag_run *run,
                          struct bestdag_scorer *scorer, double one,
                          double all);
/* Adds a function with pseudo-count a (or BESTDAG_XLOGX) unless it exists;
 * returns its index, or -1. */
int bestdag_scorer_add(struct bestdag_run *run, struct bestdag_scorer *scorer,
                       double a);

/* The families that exact_score.c counted last; data, settings and hook of the
 * scorer do not change once it has counted one. */
struct bestdag_known *bestdag_known_new(struct bestdag_run *run, int n);
void bestdag_known_free(struct bestdag_scorer *scorer);

#endif
