/* SPDX-License-Identifier: MIT */
/* explorer.h -- what greedy and independence share: the search among the parent
 * sets of one variable.
 *
 * The explorer remembers the sets it has scored, knows which sets cannot be
 * better than one of their subsets, and keeps a ceiling: a bound on every set
 * that it will not have scored in the end.
 *
 * Pruning. With penalty(P) the part of the score that grows with P, and gains
 * in nats:
 *   bic, aic   a set whose penalty alone is not above the score of a subset is
 *              dominated, with its supersets (Lemma 2 of de Campos, Zeng, Ji
 *              2009); so is P + Y if N min(H(X|P), H(Y)) does not exceed the
 *              growth of the penalty (de Campos et al. 2018)
 *   bdeu, k2   no superset of P scores above -K ln r, K joint states seen
 *   others     nothing; their ceiling is unknown
 *
 * Whole numbers are units of the scorer. */
#ifndef BESTDAG_PARENTS_ANYTIME_EXPLORER_H
#define BESTDAG_PARENTS_ANYTIME_EXPLORER_H

#include "base/text.h"
#include "parents/parents.h"
#include "scores/extended_family.h"
#include "scores/pairwise.h"
#include "scores/score.h"

enum { BESTDAG_MOST_EXPLORED = 64 }; /* parents of a set that is explored */

struct bestdag_record {
    int64_t start; /* its members in explorer.member, ascending */
    int count;
    bool alive;  /* supersets may be better than all their subsets */
    bool scored; /* else it is known to be dominated */
    bool obeys;  /* the rules about the child */
    bool leaf;   /* supersets are known to be dominated (Theorem 2) */
    int64_t score, likelihood;
    int64_t best;  /* score of the best of it and its known subsets */
    int64_t joint; /* sum of n ln n over the joint states of the parents */
    int64_t cells; /* joint states with the child that occur */
    double states; /* product of the parents' states */
    uint64_t hash;
};

struct bestdag_slot {
    uint64_t hash;
    int64_t value; /* + 1; 0: free */
};

struct bestdag_marked_classes;

struct bestdag_explorer {
    const struct bestdag_plan *plan;
    const struct bestdag_scorer *scorer;
    struct bestdag_run *run;
    struct bestdag_scorer_scratch *scratch;    /* owns */
    struct bestdag_pairwise *pairwise;         /* owns */
    struct bestdag_extended_counts *extension; /* owns */
    int child;
    int limit; /* parents; -1: none */
    /* Under rules: one class of sets after the other; NULL: all at once. */
    struct bestdag_marked_classes *markings; /* borrowed */
    int settled;  /* parents of sets that may prune */
    bool prune;   /* plan->prune, and the rules let us */
    int64_t most; /* families of this class; 0: no limit */
    enum bestdag_pruning pruning;
    bool bounded;    /* the rules of `pruning` may be used */
    double guide;    /* penalty of BIC* per joint state of the parents */
    int64_t slack;   /* what rounding can add to a score */
    double deadline; /* 0: none */
    int64_t scored;  /* families so far */
    bool ended;      /* a limit was reached: no more is scored */
    unsigned asked;  /* how often whether it has ended */
    struct bestdag_record *record; /* owns; 0 is the base: the empty set, if
                                      there is no class */
    int64_t records, record_room;
    int32_t *member; /* owns */
    int64_t members, member_room;
    struct bestdag_slot *slot; /* owns; open addressing */
    uint64_t mask;             /* slots - 1 */
    uint64_t used;             /* slots */
    /* Candidates whose singleton (base and candidate) is alive, best singleton
     * first. */
    int *universe;   /* owns */
    int64_t *single; /* owns; record of each of them */
    int universe_count, universe_room;
    int least_states; /* of the universe */
    double ceiling;   /* of what was given up so far, in nats */
    int *ahead; /* owns; [n], for bestdag_explorer_ahead(); NULL: all rows are
                   here */
    struct bestdag_buffer trace;
    bool tracing;
};

/* `rows` are those of the plan's table, borrowed. */
int bestdag_explorer_init(struct bestdag_explorer *e,
                          const struct bestdag_plan *plan,
                          const struct bestdag_distinct *rows);
void bestdag_explorer_release(struct bestdag_explorer *e);
/* Forgets the last variable, scores the empty set and the singletons and makes
 * the universe. The singletons take part of the variable's time, but only the
 * end of the run cuts them short. */
int bestdag_explorer_start(struct bestdag_explorer *e, int child);
/* The same for the class that the markings are at; floor is the score of a set
 * that may prune all of it, or INT64_MIN. What was scored for the child before
 * counts: classes share its time. */
struct bestdag_explorer_turn {
    struct bestdag_marked_classes *markings;
    int64_t floor;
    bool first;   /* class of the child */
    double share; /* of what is left for the child, up to 1 */
    double end;   /* of its time; 0: none */
};
int bestdag_explorer_begin(struct bestdag_explorer *e,
                           const struct bestdag_explorer_turn *turn);

/* Has a limit been reached, or is the run to stop? */
bool bestdag_explorer_ended(struct bestdag_explorer *e);
/* Scores a set and remembers it; the last member may be out of order. `best` is
 * that of its known subsets. Its record, or -1: memory failed. */
int64_t bestdag_explorer_score(struct bestdag_explorer *e, const int *set,
                               int count, int64_t best);
/* Where rows are spread over ranks: base with each of the first `count`
 * variables of e->ahead is scored soon, so they are counted together; a guess:
 * the first is, and the others may be. */
int bestdag_explorer_ahead(struct bestdag_explorer *e, int64_t base, int count,
                           bool is_guess);
/* Remembers a set that was scored. */
int64_t bestdag_explorer_remember(struct bestdag_explorer *e, const int *set,
                                  int count,
                                  const struct bestdag_family *family,
                                  int64_t best);
/* Counts a family that was scored, for limits and trace. */
void bestdag_explorer_note(struct bestdag_explorer *e, int count,
                           int64_t score);
/* Remembers a set as dominated with its supersets. */
int64_t bestdag_explorer_add_dead(struct bestdag_explorer *e, const int *set,
                                  int count);
/* The hash of base + universe[added]. */
static inline uint64_t bestdag_explorer_hash_step(
    const struct bestdag_explorer *e, int64_t base, int added)
{
    return e->record[base].hash ^ e->record[e->single[added]].hash ^
           e->record[0].hash;
}
/* Does base + universe[added], with all its supersets, break a rule? */
bool bestdag_explorer_forbids(const struct bestdag_explorer *e, int64_t base,
                              int added);
/* Is base + universe[added], with all its supersets, dominated? */
bool bestdag_explorer_kills_step(const struct bestdag_explorer *e, int64_t base,
                                 int added);
/* Is base + Y, with all its supersets, dominated for every Y with this many
 * states and an entropy N H(Y) of at most this? */
bool bestdag_explorer_kills_like(const struct bestdag_explorer *e, int64_t base,
                                 int states, int64_t entropy);
bool bestdag_explorer_has(const struct bestdag_explorer *e, int64_t base,
                          int member);

/* What a set and its supersets can score at most, in nats: joint states of the
 * parents, their number, cells of a subset, the most its likelihood can be. */
struct bestdag_superset_bound {
    double states;
    int count;
    int64_t cells, likelihood;
};
/* Is this unscored set, with all its supersets, dominated? `best` is that of
 * known subsets. */
bool bestdag_explorer_kills(const struct bestdag_explorer *e,
                            const struct bestdag_superset_bound *reach,
                            int64_t best);
double bestdag_explorer_bound(const struct bestdag_explorer *e,
                              struct bestdag_superset_bound reach);
/* Raises the ceiling to this. */
void bestdag_explorer_give_up(struct bestdag_explorer *e, double bound);

/* The hash of a set is the XOR of those of its members. */
uint64_t bestdag_explorer_hash(int member);
/* The record of the set with this hash; -1: there is none. */
int64_t bestdag_explorer_find(const struct bestdag_explorer *e, uint64_t hash);

/* Independence selection of scores that can add (scored_extensions.c). */
int bestdag_explore_scored(struct bestdag_explorer *e);

/* Runs `explore` on every variable that is not done, on all threads, and makes
 * its list of the scored records. */
typedef int bestdag_explore_fn(struct bestdag_explorer *e);
int bestdag_plan_explore(struct bestdag_plan *plan,
                         bestdag_explore_fn *explore);

#endif
