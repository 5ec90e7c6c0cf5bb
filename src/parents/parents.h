/* SPDX-License-Identifier: MIT */
/* parents.h -- strategies that find candidate parent sets. A new strategy is
 * one file that defines bestdag_strategy_foo and one row in parents.c. */
#ifndef BESTDAG_PARENTS_PARENTS_H
#define BESTDAG_PARENTS_PARENTS_H

#include "base/stream.h"
#include "constraints/deduction/compile.h"
#include "parents/sets.h"
#include "scores/scorer.h"

struct bestdag_likely_parents;
struct bestdag_resume_file;

/* The input of a strategy, and the lists it fills. */
struct bestdag_plan {
    struct bestdag_run *run;
    const struct bestdag_scorer *scorer;
    int n;
    int max_parents; /* -1: no limit */
    bool prune;      /* else every scored set is listed */
    bool complete;   /* lists are to be complete: of the limits per variable
                        below, only a time that the user set applies */
    bool theorem_2;
    bool single_queue; /* independence: one open list for all sizes */
    const struct bestdag_knowledge *knowledge; /* the rules; NULL: none */
    int *limit; /* owns; [n]: largest number of parents by rules and
                   max_parents; -1: no limit. NULL: max_parents */
    /* Possible parents of each variable, ascending, without constant columns
     * and those that rules forbid. NULL: all others. */
    int **candidate;                             /* owns; [n] */
    int *candidates;                             /* owns; [n] */
    bool restricted;                             /* others are left out, too */
    const struct bestdag_likely_parents *likely; /* NULL: all are likely */
    /* Limits per variable; derived from the limits given, not from what is
     * left. */
    double seconds;       /* 0: no limit */
    bool is_timed;        /* the user set these seconds */
    int64_t more;         /* families with more than one parent to score; 0: no
                             limit */
    int64_t most_records; /* families to record */
    int64_t most_open;    /* sets that may wait to be scored */
    int64_t most_kept;    /* bytes of cached counts; 0: few */
    struct bestdag_sets *sets; /* the strategy fills list[v] for all v with
                                  !is_done[v] */
    bool *is_done;             /* owns; [n] */
    struct bestdag_resume_file *part; /* owns; for finished lists, or NULL */
    struct bestdag_sink *trace;       /* owns; or NULL */
};

struct bestdag_strategy {
    const char *name, *help;
    const char *const *own; /* keys of the options that no other strategy uses;
                               NULL-terminated; NULL: none */
    /* Fills the lists, calling bestdag_plan_finish() for each. When the run is
     * stopped it returns early, and parents.c fills missing lists. */
    int (*find)(struct bestdag_plan *plan);
};

extern const struct bestdag_option_group bestdag_parents_options;

/* The i-th row; NULL after the last. */
const struct bestdag_strategy *bestdag_strategy_at(int i);
/* Sets one of bestdag_parents_options. */
int bestdag_parents_option_put(struct bestdag_run *run,
                               struct bestdag_options *options, const char *key,
                               const char *value);
/* Refuses options that only other strategies than the chosen one use
 * (BESTDAG_USAGE). */
int bestdag_parents_check(struct bestdag_run *run,
                          const struct bestdag_options *options);

/* bestdag_sets_find() restricted to likely parents if there are too many sets
 * for all (likely NULL: unrestricted), by a given score (type NULL: that of the
 * options). */
struct bestdag_sets *bestdag_sets_find_likely(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options,
    const struct bestdag_likely_parents *likely,
    const struct bestdag_score_type *type);

/* On the calling thread: the list of this variable is final; `scored` families
 * were scored for it. */
int bestdag_plan_finish(struct bestdag_plan *plan, int child, int64_t scored);
static inline int bestdag_plan_limit(const struct bestdag_plan *plan, int child)
{
    return plan->limit ? plan->limit[child] : plan->max_parents;
}
/* The number of candidates of a child, and the i-th of them. */
static inline int bestdag_plan_candidates(const struct bestdag_plan *plan,
                                          int child)
{
    return plan->candidate ? plan->candidates[child] : plan->n - 1;
}
static inline int bestdag_plan_candidate(const struct bestdag_plan *plan,
                                         int child, int i)
{
    return plan->candidate ? plan->candidate[child][i] : i + (i >= child);
}
/* The limit on families of a child, including those with one parent, which are
 * always scored; 0: no limit. */
static inline int64_t bestdag_plan_most(const struct bestdag_plan *plan,
                                        int child)
{
    return plan->more ? plan->more + bestdag_plan_candidates(plan, child) : 0;
}

#endif
