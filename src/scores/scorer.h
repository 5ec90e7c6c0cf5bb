/* SPDX-License-Identifier: MIT */
/* scorer.h -- local scores of families.
 *
 * Scores are integers in units of 2^-shift nat, so that a local score is the
 * same for every kernel, order of summation and thread. A scorer is made once
 * for a table and a score; then many threads read it, each with its own
 * scratch.
 *
 * Nearly every score is a difference of set functions,
 *
 *     local(X | P) = factor * (top(P + X) - bottom(P)) - penalty(X, P)
 *
 * where top and bottom are sums over the cells of a set of a function of the
 * cell's count (counts/score_terms.h). So the sums of a set serve all its
 * members. Scores that are not (bd with pseudo-counts per state, bde) are
 * `by_family`; so are those that are no sums over cells (`families` in
 * score.h). */
#ifndef BESTDAG_SCORES_SCORER_H
#define BESTDAG_SCORES_SCORER_H

#include <pthread.h>

#include "base/options.h"
#include "counts/tally.h"
#include "graph/dag.h"

/* Options of all scores; each adds its own: score.h. */
extern const struct bestdag_option_group bestdag_score_options;

/* Which rules may prune a parent set P of a child and all its supersets. */
enum bestdag_pruning {
    BESTDAG_PRUNE_DOMINATED, /* only a subset that scores at least as well */
    BESTDAG_PRUNE_PENALTY,   /* bic, aic: the penalty outgrows any gain */
    BESTDAG_PRUNE_URN        /* bdeu, k2: -K ln r bounds all supersets */
};

struct bestdag_score_type; /* a row: see score.h */
struct bestdag_network;

/* Scores and penalties of candidates are smaller than this; a family whose
 * penalty is not is no candidate. */
#define BESTDAG_UNITS_MOST ((int64_t)1 << 61)

enum { BESTDAG_TERM_BUCKETS = 512 };

struct bestdag_score_view;
struct bestdag_scorer;

/* The cost of constraints on the parameters of some children: see
 * constraints/parameters/constrained_score.h, which makes these. */
struct bestdag_hook {
    const bool *applies; /* [n]: does it apply to this child? */
    /* The loss of a family: its likelihood without constraints less that with
     * them, in nats and in units; INFINITY and BESTDAG_UNITS_MOST if no
     * parameters satisfy them. Parents are in any order. */
    int (*loss)(const struct bestdag_hook *hook, void *scratch,
                const struct bestdag_scorer *scorer,
                const struct bestdag_score_view *view, double *nats,
                int64_t *units);
    void *(*open)(struct bestdag_run *run, const struct bestdag_hook *hook);
    void (*close)(void *scratch); /* frees the result of open, one per thread;
                                     or NULL */
    void (*release)(struct bestdag_hook *hook);
};

struct bestdag_scorer {
    const struct bestdag_score_type *type;
    const struct bestdag_table *table; /* borrowed; complete and all codes,
                                          unless the score takes others */
    int n;
    int64_t total;    /* weight of all rows */
    int *states;      /* owns; [n] */
    const int *order; /* [n]: variables, ascending in states */
    int shift;        /* units are 2^-shift nat */
    double scale;     /* 2^shift */
    double arc_cost;  /* of --structure-prior arcs:X; part of every local
                         score */

    struct bestdag_hook *hook; /* owns; NULL: no constraints */

    struct bestdag_run *run;         /* tables are charged to it */
    struct bestdag_columns *columns; /* owns; NULL: type->families is used */
    void *own;                       /* owns; for type->families */
    int *own_order;                  /* owns; for type->families: `order` */
    enum bestdag_pruning pruning;    /* the type's, or DOMINATED */
    bool additive; /* a parent costs `weight`, whatever its states */
    int factor;
    bool by_family;  /* families are computed one at a time */
    double slowness; /* cost of a family relative to one counted row by row, for
                        amounts of work */
    double weight;   /* per free parameter: bic, aic; or per parent */
    double ess, alpha;
    struct bestdag_score_terms *xlogx;     /* owns */
    struct bestdag_score_terms **function; /* owns; [functions] */
    int functions;     /* 0: bdeu, whose function depends on the set */
    int *top, *bottom; /* own; [n]: function of each child */
    int **by_state;    /* owns; [n]: functions by state of a child */
    double **pseudo;   /* owns; [n]: their pseudo-counts */
    int64_t *base;     /* owns; [n]: part of every penalty of a child */
    struct bestdag_network *prior; /* owns; for bde */
    int *prior_variable;           /* owns; [n]: index in the prior */
    int **prior_state;             /* owns; [n]: state in the prior of each
                                      code */
    _Atomic double *quantile;      /* owns; of chi-square, 0: not computed
                                      yet */
    struct bestdag_known *known;   /* owns; [n]: for exact_score.c; needs the
                                      lock */
    pthread_mutex_t lock;          /* for `known`, bucket and table_bytes */
    _Atomic(struct bestdag_score_terms *) bucket[BESTDAG_TERM_BUCKETS];
    int64_t table_bytes; /* of the tables in the buckets */
};

/* Options: the group "score". */
struct bestdag_scorer *bestdag_scorer_new(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_options *options);
/* A scorer of the given score, whatever the option "score" says; settings of
 * other scores are ignored. */
struct bestdag_scorer *bestdag_scorer_of(struct bestdag_run *run,
                                         const struct bestdag_table *table,
                                         const struct bestdag_score_type *type,
                                         const struct bestdag_options *options);
void bestdag_scorer_free(struct bestdag_scorer *scorer);

/* Function f for sets with this many joint states. NULL: out of memory. */
const struct bestdag_score_terms *bestdag_scorer_terms(
    const struct bestdag_scorer *scorer, int f, double joint_states);
/* In units, including the structure prior; BESTDAG_UNITS_MOST if it is that or
 * more. */
int64_t bestdag_scorer_penalty(const struct bestdag_scorer *scorer, int child,
                               const int *parents, int count);
/* The product of the numbers of states of some variables. */
double bestdag_scorer_joint_states(const struct bestdag_scorer *scorer,
                                   const int *variables, int count);

/* Scratch of one thread. */
struct bestdag_scorer_scratch;
struct bestdag_scorer_scratch *bestdag_scorer_scratch_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer);
void bestdag_scorer_scratch_free(struct bestdag_scorer_scratch *scratch);
/* NULL if type->families is used. */
struct bestdag_tally *bestdag_scorer_scratch_tally(
    struct bestdag_scorer_scratch *scratch);

/* Are there constraints on the parameters of this child? Then its score is no
 * sum over cells, and entropies say nothing about it. */
static inline bool bestdag_scorer_is_constrained(const struct bestdag_scorer *s,
                                                 int child)
{
    return s->hook && s->hook->applies[child];
}
/* The score of a family without admissible parameters, or without a score, is
 * below this. */
#define BESTDAG_NO_PARAMETERS (-BESTDAG_UNITS_MOST / 4)
/* Is it the score of such a family? Other scores may be as low for sets with
 * very many configurations; only constraints and scores that compute whole
 * families have such families. */
static inline bool bestdag_scorer_lacks(const struct bestdag_scorer *s,
                                        int child, int64_t score)
{
    return score < BESTDAG_NO_PARAMETERS &&
           (!s->columns || bestdag_scorer_is_constrained(s, child));
}

/* Does the family contain a constant column? These get no arcs, but scores that
 * compute whole families could gain by them: they select rows, or add to the
 * prior. */
static inline bool bestdag_scorer_has_constant(const struct bestdag_scorer *s,
                                               int child, const int *parents,
                                               int count)
{
    bool found = count && s->states[child] < 2;
    for (int i = 0; i < count; i++)
        found = found || s->states[parents[i]] < 2;
    return found && !s->columns;
}

/* What is known of a counted family. */
struct bestdag_family {
    int64_t score;          /* units; structure prior included */
    int64_t likelihood;     /* units: LL(child | parents) <= 0 */
    int64_t parents_joint;  /* units: sum of n ln n over the parents' cells */
    int64_t configurations; /* joint states of the parents that occur */
    int64_t cells;          /* joint states of child and parents that occur:
                               K */
};

/* Parents do not include the child. Fast when the parents stay the same or are
 * extended at their end from call to call. Not OK: out of memory. */
int bestdag_scorer_family(const struct bestdag_scorer *scorer,
                          struct bestdag_scorer_scratch *scratch, int child,
                          const int *parents, int count,
                          struct bestdag_family *to);
/* Announces families that will be requested soon: rows that are spread over
 * ranks are counted for all of them at once. Otherwise it does nothing. */
int bestdag_scorer_ahead(const struct bestdag_scorer *scorer,
                         struct bestdag_scorer_scratch *scratch,
                         const struct bestdag_parents_ahead *ahead);
double bestdag_scorer_nats(const struct bestdag_scorer *scorer, int64_t units);
/* The same score in double directly from the counts, by libm. */
int bestdag_scorer_exact(struct bestdag_run *run,
                         const struct bestdag_scorer *scorer, int child,
                         const int *parents, int count, double *nats);
/* The same for all families of a network: nats[v]. It goes on even if the run
 * was stopped. */
int bestdag_scorer_exact_all(struct bestdag_run *run,
                             const struct bestdag_scorer *scorer,
                             const struct bestdag_dag *dag, double *nats);
/* The same, but fails if the run is stopped. */
int bestdag_scorer_exact_until_stopped(struct bestdag_run *run,
                                       const struct bestdag_scorer *scorer,
                                       const struct bestdag_dag *dag,
                                       double *nats);

#endif
