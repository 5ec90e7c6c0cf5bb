/* SPDX-License-Identifier: MIT */
/* sets.h -- candidate parent sets of every variable with their scores.
 *
 * The list of a variable is sorted: best score first; among equals the smaller
 * set, then lexicographically. No set has a listed subset that scores as well
 * (unless pruning is off). */
#ifndef BESTDAG_PARENTS_SETS_H
#define BESTDAG_PARENTS_SETS_H

#include "base/run.h"

struct bestdag_list {
    int64_t count;
    double *score;   /* owns; [count], nats, descending */
    int64_t *start;  /* owns; [count + 1]: set i is member[start[i] ..) */
    int32_t *member; /* owns; parents, ascending within a set */
    double ceiling;  /* upper bound on the scores of allowed, undominated sets
                        that are not listed; -INFINITY: the list is complete;
                        INFINITY: unknown */
    int max_parents; /* limit it was made with; -1: none */
};

struct bestdag_sets {
    int n;
    char **names;              /* owns */
    struct bestdag_list *list; /* owns; [n] */
    char **note;               /* owns; key, value, ...: what .jkl cannot
                                  express: score, rows, limits, pruning, data
                                  hash */
    int notes;                 /* number of keys and values */
    int64_t scored;            /* families scored to make the lists */
    enum bestdag_ending ending;
    double seconds_before, seconds; /* of the run before; of making the lists */
};

/* Names are NULL; lists are empty, with unknown ceilings. */
struct bestdag_sets *bestdag_sets_new(struct bestdag_run *run, int n);
/* Replaces an earlier note under this key. */
int bestdag_sets_note(struct bestdag_run *run, struct bestdag_sets *sets,
                      const char *key, const char *value);
/* NULL: no such note. */
const char *bestdag_sets_noted(const struct bestdag_sets *sets,
                               const char *key);
/* The rules as noted under "rules": their text, or its hash if that is long.
 * Owned by the caller; NULL: error. */
struct bestdag_rules;
char *bestdag_rules_noted(struct bestdag_run *run,
                          const struct bestdag_rules *rules);
void bestdag_list_release(struct bestdag_list *list);
/* Passes the whole list; on reading, `list` must be empty. */
struct bestdag_archive;
void bestdag_list_pass(struct bestdag_run *run, struct bestdag_list *list,
                       struct bestdag_archive *p);
/* Fails with BESTDAG_INPUT if the score of some network over these sets is not
 * a number; file: where they come from, or NULL. */
int bestdag_sets_check_sums(struct bestdag_run *run,
                            const struct bestdag_sets *sets, const char *file);
int64_t bestdag_sets_total(const struct bestdag_sets *sets);
/* What a proof over these sets covers: "all parent sets", "parent sets up to
 * 3", either of them "that the rules allow", or "candidate sets". Returns
 * whether all lists are complete. */
bool bestdag_sets_scope(const struct bestdag_sets *sets, char to[64]);

/* Collects sets of one variable in any order; then sorts them, removes
 * dominated ones, and makes a list. */
struct bestdag_collector;
struct bestdag_collector *bestdag_collector_new(struct bestdag_run *run);
void bestdag_collector_free(struct bestdag_collector *c);
/* parents ascend. Not OK: out of memory. */
int bestdag_collector_add(struct bestdag_collector *c, const int *parents,
                          int count, double score);
/* Fills count, score, start and member of `to` and empties the collector, which
 * can be reused. prune: leaves out sets with a proper subset that scores as
 * well. A set that was added twice is listed once, with its better score. */
int bestdag_collector_finish(struct bestdag_collector *c, bool prune,
                             struct bestdag_list *to);
/* Moves the sets, unsorted, to an empty list; the collector is empty then. */
int bestdag_collector_hand_over(struct bestdag_collector *c,
                                struct bestdag_list *to);
/* The reverse: an empty collector takes over the sets of a list, which is empty
 * then. Never fails. */
void bestdag_collector_take_back(struct bestdag_collector *c,
                                 struct bestdag_list *from);

#endif
