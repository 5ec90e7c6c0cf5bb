/* SPDX-License-Identifier: MIT */
/* explorer.h -- the search among the parent sets of one variable, shared by
 * greedy and independence.
 *
 * The explorer records the sets it has scored, determines which sets cannot be
 * better than one of their subsets, and keeps a ceiling: an upper bound on the
 * scores of all sets left unscored.
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
 * Integers are in units of the scorer. */
#ifndef BESTDAG_PARENTS_ANYTIME_EXPLORER_H
#define BESTDAG_PARENTS_ANYTIME_EXPLORER_H

#include "base/text.h"
#include "parents/parents.h"
#include "scores/extended_family.h"
#include "scores/pairwise.h"
#include "scores/score.h"

enum { BESTDAG_MOST_EXPLORED = 64 }; /* parents of an explored set, at most */

struct bestdag_record {
    int64_t start; /* of its members in explorer.member, ascending */
    int count;
    bool alive;  /* a superset may be better than all its subsets */
    bool scored; /* else it is known to be dominated */
    bool obeys;  /* it obeys the rules about the child */
    bool leaf;   /* supersets are known to be dominated (Theorem 2) */
    int64_t score, likelihood;
    int64_t best;  /* best score of it and its known subsets */
    int64_t joint; /* sum of n ln n over the joint states of the parents */
    int64_t cells; /* joint states with the child that occur */
    double states; /* product of the parents' states */
    uint64_t hash;
};

struct bestdag_slot {
    uint64_t hash;
    int64_t value; /* value + 1; 0: free */
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
    int limit; /* on parents; -1: none */
    /* Under rules: sets are explored class by class; NULL: all at once. */
    struct bestdag_marked_classes *markings; /* borrowed */
    int settled;  /* least size of sets that may prune */
    bool prune;   /* plan->prune, and the rules allow it */
    int64_t most; /* families of this class, at most; 0: no limit */
    enum bestdag_pruning pruning;
    bool bounded;    /* the rules of `pruning` may be used */
    double guide;    /* penalty of BIC* per joint state of the parents */
    int64_t slack;   /* largest rounding error of a score */
    double deadline; /* 0: none */
    int64_t scored;  /* families scored so far */
    bool ended;      /* a limit was reached: nothing more is scored */
    unsigned asked;  /* number of checks of the limits */
    struct bestdag_record *record; /* owns; 0 is the base: the empty set, or
                                      that of the class */
    int64_t records, record_room;
    int32_t *member; /* owns */
    int64_t members, member_room;
    struct bestdag_slot *slot; /* owns; open addressing */
    uint64_t mask;             /* slots - 1 */
    uint64_t used;             /* slots */
    /* Candidates whose singleton (base + candidate) is alive, best first. */
    int *universe;   /* owns */
    int64_t *single; /* owns; their records */
    int universe_count, universe_room;
    int least_states; /* in the universe */
    double ceiling;   /* of the sets given up so far, in nats */
    int *ahead; /* owns; [n]: for bestdag_explorer_ahead(); NULL: rows are not
                   spread over ranks */
    struct bestdag_buffer trace;
    bool tracing;
};

/* Borrows `rows`, those of the plan's table. */
int bestdag_explorer_init(struct bestdag_explorer *e,
                          const struct bestdag_plan *plan,
                          const struct bestdag_distinct *rows);
void bestdag_explorer_release(struct bestdag_explorer *e);
/* Clears the explorer, scores the empty set and the singletons and makes the
 * universe. The singletons count towards the variable's time, but only the end
 * of the run cuts them short. */
int bestdag_explorer_start(struct bestdag_explorer *e, int child);
/* The same for the present class of the markings; floor: score of a set that
 * may prune the whole class, or INT64_MIN. What was scored for the child before
 * counts: classes share its time. */
struct bestdag_explorer_turn {
    struct bestdag_marked_classes *markings;
    int64_t floor;
    bool first;   /* it is the first class of the child */
    double share; /* of what is left for the child, up to 1 */
    double end;   /* when the child's time ends; 0: never */
};
int bestdag_explorer_begin(struct bestdag_explorer *e,
                           const struct bestdag_explorer_turn *turn);

/* Was a limit reached, or is the run stopped? */
bool bestdag_explorer_ended(struct bestdag_explorer *e);
/* Scores and records a set, whose last member may be out of order. `best`: best
 * score of its known subsets. Returns the record, or -1: out of memory. */
int64_t bestdag_explorer_score(struct bestdag_explorer *e, const int *set,
                               int count, int64_t best);
/* If rows are spread over ranks, counts together the families of record[base]
 * with each of the first `count` variables of e->ahead, which will be scored
 * soon; is_guess: only the first is certain to be. */
int bestdag_explorer_ahead(struct bestdag_explorer *e, int64_t base, int count,
                           bool is_guess);
/* Records a set that was scored. */
int64_t bestdag_explorer_remember(struct bestdag_explorer *e, const int *set,
                                  int count,
                                  const struct bestdag_family *family,
                                  int64_t best);
/* Counts a scored family, for limits and trace. */
void bestdag_explorer_note(struct bestdag_explorer *e, int count,
                           int64_t score);
/* Records a set as dominated, with all its supersets. */
int64_t bestdag_explorer_add_dead(struct bestdag_explorer *e, const int *set,
                                  int count);
/* The hash of base + universe[added]. */
static inline uint64_t bestdag_explorer_hash_step(
    const struct bestdag_explorer *e, int64_t base, int added)
{
    return e->record[base].hash ^ e->record[e->single[added]].hash ^
           e->record[0].hash;
}
/* Do base + universe[added] and all its supersets break a rule? */
bool bestdag_explorer_forbids(const struct bestdag_explorer *e, int64_t base,
                              int added);
/* Are base + universe[added] and all its supersets dominated? */
bool bestdag_explorer_kills_step(const struct bestdag_explorer *e, int64_t base,
                                 int added);
/* Are base + Y and all its supersets dominated for every Y with this many
 * states and N H(Y) at most `entropy`? */
bool bestdag_explorer_kills_like(const struct bestdag_explorer *e, int64_t base,
                                 int states, int64_t entropy);
bool bestdag_explorer_has(const struct bestdag_explorer *e, int64_t base,
                          int member);

/* For an upper bound on the scores of a set and its supersets: joint states of
 * the parents, their number, cells of a subset, and an upper bound on the
 * likelihood. */
struct bestdag_superset_bound {
    double states;
    int count;
    int64_t cells, likelihood;
};
/* Are this unscored set and all its supersets dominated? `best`: best score of
 * its known subsets. */
bool bestdag_explorer_kills(const struct bestdag_explorer *e,
                            const struct bestdag_superset_bound *reach,
                            int64_t best);
double bestdag_explorer_bound(const struct bestdag_explorer *e,
                              struct bestdag_superset_bound reach);
/* Raises the ceiling to `bound`. */
void bestdag_explorer_give_up(struct bestdag_explorer *e, double bound);

/* The hash of a set is the XOR of those of its members. */
uint64_t bestdag_explorer_hash(int member);
/* The record of the set with this hash; -1: none. */
int64_t bestdag_explorer_find(const struct bestdag_explorer *e, uint64_t hash);

/* Independence selection for Gaussian scores (scored_extensions.c). */
int bestdag_explore_scored(struct bestdag_explorer *e);

/* Runs `explore` on every variable that is not done, on all threads, and makes
 * its list from the scored records. */
typedef int bestdag_explore_fn(struct bestdag_explorer *e);
int bestdag_plan_explore(struct bestdag_plan *plan,
                         bestdag_explore_fn *explore);

#endif
