/* SPDX-License-Identifier: MIT */
/* sets.h -- candidate parent sets of every variable with their scores.
 *
 * The list of a variable is sorted: best score first; among equals the smaller
 * set, then the one that comes first as a list of numbers. No set in it has a
 * subset in it that scores as well (unless pruning is off). */
#ifndef BESTDAG_PARENTS_SETS_H
#define BESTDAG_PARENTS_SETS_H

#include "base/run.h"

struct bestdag_list {
    int64_t count;
    double *score;   /* owns; [count], nats, descending */
    int64_t *start;  /* owns; [count + 1]: set i is member[start[i] ..) */
    int32_t *member; /* owns; parents, ascending within a set */
    double ceiling;  /* no allowed, undominated set outside the list scores
                        above it; -INFINITY: the list is complete; INFINITY:
                        not known */
    int max_parents; /* the limit it was made with; -1: none */
};

struct bestdag_sets {
    int n;
    char **names;              /* owns */
    struct bestdag_list *list; /* owns; [n] */
    char **note;               /* owns; key, value, ...: score, rows, limits,
                                  pruning, data hash: what .jkl cannot say */
    int notes;                 /* of keys and values together */
    int64_t scored;            /* families that were scored to make it */
    enum bestdag_ending ending;
    double seconds_before, seconds; /* of the run until it began; of making */
};

/* Names are NULL, lists empty and of unknown completeness. */
struct bestdag_sets *bestdag_sets_new(struct bestdag_run *run, int n);
/* Replaces what was noted under this key. */
int bestdag_sets_note(struct bestdag_run *run, struct bestdag_sets *sets,
                      const char *key, const char *value);
/* NULL: nothing was noted. */
const char *bestdag_sets_noted(const struct bestdag_sets *sets,
                               const char *key);
/* Rules as they are noted under "rules": their text, or its hash where that is
 * long. The caller's; NULL: failed. */
struct bestdag_rules;
char *bestdag_rules_noted(struct bestdag_run *run,
                          const struct bestdag_rules *rules);
void bestdag_list_release(struct bestdag_list *list);
/* The whole list; an empty one is filled when the archive is opened. */
struct bestdag_archive;
void bestdag_list_pass(struct bestdag_run *run, struct bestdag_list *list,
                       struct bestdag_archive *p);
/* Is the score of every network over these sets a number? Else BESTDAG_INPUT;
 * file: where they come from, or NULL. */
int bestdag_sets_check_sums(struct bestdag_run *run,
                            const struct bestdag_sets *sets, const char *file);
int64_t bestdag_sets_total(const struct bestdag_sets *sets);
/* What a proof over these sets is a proof over: "all parent sets", "parent sets
 * up to 3", either of them "that the rules allow", or "candidate sets". Are all
 * lists complete? */
bool bestdag_sets_scope(const struct bestdag_sets *sets, char to[64]);

/* Collects sets of one variable in any order; then sorts, removes dominated
 * ones, and becomes a list. */
struct bestdag_collector;
struct bestdag_collector *bestdag_collector_new(struct bestdag_run *run);
void bestdag_collector_free(struct bestdag_collector *c);
/* parents ascending. Not OK: memory failed. */
int bestdag_collector_add(struct bestdag_collector *c, const int *parents,
                          int count, double score);
/* Fills count, score, start and member of `to` and leaves the collector empty,
 * to be used again. prune: sets with a proper subset that scores as well are
 * left out. A set that was added twice stays once, with its better score. */
int bestdag_collector_finish(struct bestdag_collector *c, bool prune,
                             struct bestdag_list *to);
/* Hands the sets over as they were added, unsorted, to an empty list; the
 * collector is empty then. */
int bestdag_collector_hand_over(struct bestdag_collector *c,
                                struct bestdag_list *to);
/* The other way round: an empty collector takes the sets of a list over, which
 * is empty then. Never fails. */
void bestdag_collector_take_back(struct bestdag_collector *c,
                                 struct bestdag_list *from);

#endif
