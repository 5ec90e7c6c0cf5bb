/* SPDX-License-Identifier: MIT */
/* candidate_supply.h -- the candidate sets of a table and the problem that they
 * pose. They can grow while a search goes on between its turns. */
#ifndef BESTDAG_LEARN_CANDIDATE_SUPPLY_H
#define BESTDAG_LEARN_CANDIDATE_SUPPLY_H

#include "base/options.h"
#include "parents/neighbour_families.h"
#include "problem/problem.h"
#include "scores/scorer.h"

struct bestdag_supply {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    const struct bestdag_rules *rules; /* NULL: none */
    const struct bestdag_options *options;
    const struct bestdag_knowledge *knowledge; /* NULL: no rules */
    const struct bestdag_scorer *scorer;
    const struct bestdag_score_type *type; /* its own; NULL: of the options */
    struct bestdag_likely_parents *likely; /* of the caller, and grows; NULL:
                                              all are */
    bool is_free;                    /* how sets are found is left to us */
    struct bestdag_sets *sets;       /* owns; NULL: none yet */
    struct bestdag_problem *problem; /* owns; of the sets as they are */
    struct bestdag_grown *grown;     /* owns; around what they grew; NULL */
    int64_t more;  /* sets that were added since they were first found */
    int64_t saved; /* as many of these were there when they were saved; -1:
                      they were not yet */
    int level;     /* all sets of up to so many parents were scored */
    double families, scored; /* then: those of that many parents; all */
    double alive; /* of what could have been of that many parents, the part that
                     was scored */
    double spent; /* nominal seconds by all who work for the run; by the caller
                   */
    bool is_too_large; /* memory cannot hold all sets */
    double seconds;    /* of all that */
    double work; /* nominal seconds that it took; the caller sets it to 0 */
};

/* Sets as a search takes them. NULL: there is no room, or it failed. */
struct bestdag_problem *bestdag_problem_from_sets(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge);

/* Nominal seconds of scoring all families of one parent. */
double bestdag_supply_pairs_work(const struct bestdag_table *table);
/* Is nothing said of how to find sets? */
bool bestdag_supply_is_free(const struct bestdag_options *options);
void bestdag_supply_release(struct bestdag_supply *s);
/* Finds sets by the strategy of the options, beside those that are there, and
 * poses the problem. *more: sets that are new, or all if they are complete now.
 * Where it is free and not all sets can be scored, or not yet, it scores all
 * small ones, too. At most for `amount`: of
 * counted work where it is free, else of time alone, since strategies have
 * limits of their own. */
int bestdag_supply_find(struct bestdag_supply *s, double amount, int64_t *more);
/* The amount of the first search, where it is free. */
double bestdag_supply_first_amount(const struct bestdag_supply *s);
/* May they grow: are they free, and not complete? */
bool bestdag_supply_is_open(const struct bestdag_supply *s);
/* Around a network; *more: sets that are new. The problem is another one then.
 */
int bestdag_supply_grow(struct bestdag_supply *s, const struct bestdag_dag *dag,
                        double amount, int64_t *more);
/* For `--save-scores`: as they are, unless they are there already. */
int bestdag_supply_save(struct bestdag_supply *s);

/* Of the group "learn", whose rows are in learn.c. */
extern const struct bestdag_option_group bestdag_learn_options;

#endif
