/* SPDX-License-Identifier: MIT */
/* candidate_supply.h -- the candidate lists of a table, and the problem made
 * from them. Lists can grow between the turns of a search. */
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
    const struct bestdag_score_type *type; /* NULL: the score that the options
                                              name */
    struct bestdag_likely_parents *likely; /* borrowed; grows; NULL: all are
                                              likely */
    bool is_free;                    /* the options leave the strategy to us */
    struct bestdag_sets *sets;       /* owns; NULL: none yet */
    struct bestdag_problem *problem; /* owns; made from the present sets */
    struct bestdag_grown *grown;     /* owns; around which parents lists grew */
    int64_t more;  /* sets added after the first search for sets */
    int64_t saved; /* `more` when the lists were last saved; -1: never */
    int level;     /* all sets of up to this many parents were scored */
    double families, scored; /* at that time: sets with `level` parents scored;
                                all sets scored */
    double alive; /* the part of the possible sets with `level` parents that was
                     scored */
    double spent; /* nominal seconds spent by all stages of the run; set by the
                     caller */
    bool is_too_large; /* memory cannot hold the lists of all sets */
    double seconds;    /* on the clock, spent here */
    double work; /* nominal seconds spent here; the caller resets it to 0 */
};

/* Candidate lists as solvers take them. NULL: too little memory, or an
 * error. */
struct bestdag_problem *bestdag_problem_from_sets(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge);

/* Nominal seconds of scoring all families of one parent. */
double bestdag_supply_pairs_work(const struct bestdag_table *table);
/* Do the options leave open how to find sets? */
bool bestdag_supply_is_free(const struct bestdag_options *options);
void bestdag_supply_release(struct bestdag_supply *s);
/* Finds sets by the strategy of the options, adds them to those found before,
 * and makes the problem. *more: new sets, or all if the lists are now complete.
 * If the strategy is free and not all sets can be scored, or not yet, it also
 * scores all small ones. Takes at most `amount`: of counted work if the
 * strategy is free, else of time only, since strategies have their own
 * limits. */
int bestdag_supply_find(struct bestdag_supply *s, double amount, int64_t *more);
/* The amount of the first search, if the strategy is free. */
double bestdag_supply_first_amount(const struct bestdag_supply *s);
/* May the lists grow: is the strategy free, and are they incomplete? */
bool bestdag_supply_is_open(const struct bestdag_supply *s);
/* Adds families around a network; *more: new sets. Replaces the problem if
 * there are any. */
int bestdag_supply_grow(struct bestdag_supply *s, const struct bestdag_dag *dag,
                        double amount, int64_t *more);
/* For `--save-scores`: writes the lists, unless they were saved already. */
int bestdag_supply_save(struct bestdag_supply *s);

/* The group "learn"; its rows are in learn.c. */
extern const struct bestdag_option_group bestdag_learn_options;

#endif
