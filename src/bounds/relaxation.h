/* SPDX-License-Identifier: MIT */
/* relaxation.h -- the cluster relaxation: a lower bound on the cost of a
 * network.
 *
 * In a DAG every set C of variables, a cluster, has a member without a parent
 * inside C. Let a cluster pay y_C >= 0 (its multiplier) to each member that
 * takes a set without parents in C. Since at least one member does, no network
 * costs less than
 *
 *     B(y) = sum of y_C + sum over v of pi_v,
 *     pi_v = min over P of cost(v, P) - sum of y_C: v in C, P and C share none
 *
 * (Jaakkola and others 2010 for the inequalities; Trösser, de Givry and
 * Katsirelos 2021 for the ascent). What a set costs above pi_v, after these
 * payments, is its reduced cost: a network with this set costs at least B plus
 * that.
 *
 *     dual_ascent.c           raises the multipliers of minimal clusters
 *     multiplier_decrease.c   lowers multipliers where that raises B
 *     smooth_dual.c           moves all multipliers at once, on a working set
 *                             (near_sets.c), where lists are long without the
 *                             sets that are far (near_relaxation.c)
 *     long_lists.c            payments to long lists, many at a time
 *     separation.c            clusters that a fractional solution violates, by
 *                             cycle_separation.c and class_separation.c
 *     cutting_planes.c        rounds of all these
 *     root_bound.c            the bound of a whole problem
 *     filtered_relaxation.c   the same over fewer sets
 *
 * All numbers are integers, in units, so B is exact. */
#ifndef BESTDAG_BOUNDS_RELAXATION_H
#define BESTDAG_BOUNDS_RELAXATION_H

#include <string.h>

#include "base/random.h"
#include "base/run.h"
#include "problem/candidates.h"

/* The candidate list of one variable with reduced costs. A borrowed list owns
 * only `reduced` and `tight`. */
struct bestdag_reduced_list {
    BESTDAG_CANDIDATES_HEAD; /* ids are set numbers of the problem */
    int64_t *reduced;        /* owns; [count]: reduced costs, never < 0 */
    int32_t *tight;          /* owns; [count]: sets of reduced cost 0 */
    int tights;
};

/* The members of a cluster are divided into classes. A set of parents spans a
 * member if it meets (has an element in) the member's own class, or at least
 * `least` classes; otherwise the set, and the member that takes it, miss the
 * cluster. In every DAG at least `least` members miss it: a parent set spans no
 * more than all predecessors in the order do, and the members that are not
 * spanned by their predecessors are a basis of a matroid of rank `least`, in
 * which the classes are parallel elements and the rest is uniform (Studený 2015
 * has matroids of one class with more than one member). If all classes have one
 * member, the members with fewer than `least` parents inside miss it (a
 * k-cluster); rank 1 needs no other classes. A cluster never changes once it is
 * made, except for `idle`. */
struct bestdag_cluster {
    uint64_t hash;
    int idle; /* how often it was found with multiplier 0 */
    int size, least;
    int classes;      /* with more than one member */
    int32_t *member;  /* [size], ascending; in the same block of memory */
    int32_t *label;   /* [size]: its class, 1 to `classes` in order of first
                         members; 0: alone in its class; in the same block */
    uint64_t *inside; /* for each member in turn, masks of its list: the
                         variables with label 0, 1, ... */
};

/* The definition of a cluster. Without classes, `label` may be NULL. */
struct bestdag_shape {
    const int32_t *member, *label;
    int size, classes, least;
};

/* A cluster from the point of view of one member. */
struct bestdag_cluster_view {
    const uint64_t *inside;
    int32_t least;
    int16_t classes, own; /* own: label of the member */
};

/* An iteration over the members of a cluster. */
struct bestdag_walk {
    int v; /* the present member */
    int next;
    struct bestdag_cluster_view view;
};

struct bestdag_pool {
    int count, room;
    struct bestdag_cluster **at; /* owns both */
    int64_t *y;                  /* owns; [room] */
    int32_t *slot;               /* owns; hash table of indices; -1: empty */
    int slots;                   /* a power of two */
    int borrowed;                /* the first clusters are owned by another
                                    pool */
};

struct bestdag_relaxation {
    struct bestdag_run *run;
    int n;
    struct bestdag_reduced_list *list; /* owns; [n] */
    int64_t *pi;                       /* owns; [n] */
    int64_t bound;                     /* B of the pool's multipliers */
    struct bestdag_pool pool;
    struct bestdag_random random;
    struct bestdag_tight_order *tight_order; /* owns; for dual_ascent.c */
    struct bestdag_long_lists *long_lists;   /* owns; NULL: none */
    int64_t work;    /* sets examined, a measure of time */
    int64_t most;    /* dual ascent ends when work exceeds it; 0: no limit */
    int near_length; /* least length to which lists are shortened for smoothing;
                        see near_relaxation.h */
    bool is_copy;    /* lists and the first clusters are borrowed */
    bool owns_lists; /* even if it is a copy */
};

static inline const uint64_t *bestdag_reduced_list_mask(
    const struct bestdag_reduced_list *s, int set)
{
    return bestdag_candidates_mask(&s->head, set);
}

/* Does this set miss the cluster? */
static inline bool bestdag_cluster_view_missed(
    const struct bestdag_cluster_view *view, const uint64_t *mask, int words)
{
    uint64_t shared = 0;
    int count = 0;
    if (view->least == 1) {
        for (int w = 0; w < words; w++)
            shared |= mask[w] & view->inside[w];
        return !shared;
    }
    for (int w = 0; w < words; w++) {
        shared = mask[w] & view->inside[w];
        for (; shared && count < view->least; shared &= shared - 1)
            count++;
    }
    const uint64_t *inside = view->inside;
    for (int k = 1; k <= view->classes && count < view->least; k++) {
        inside += words;
        shared = 0;
        for (int w = 0; w < words; w++)
            shared |= mask[w] & inside[w];
        if (shared)
            count += k == view->own ? view->least : 1;
    }
    return count < view->least;
}

/* Should it end? A copy in another thread does not check the clock. */
static inline bool bestdag_relaxation_stopped(struct bestdag_relaxation *r)
{
    return r->is_copy ? bestdag_run_stopped(r->run)
                      : bestdag_run_watch(r->run, 0);
}

/* Moves to the next member, beginning with {.next = 0}; false: the end. */
static inline bool bestdag_cluster_walk(const struct bestdag_relaxation *r,
                                        const struct bestdag_cluster *c,
                                        struct bestdag_walk *w)
{
    if (w->next == c->size)
        return false;
    const uint64_t *inside = c->inside;
    if (w->next)
        inside = w->view.inside + (c->classes + 1) * r->list[w->v].words;
    w->view = (struct bestdag_cluster_view){
        inside, c->least, (int16_t)c->classes, (int16_t)c->label[w->next]};
    w->v = c->member[w->next++];
    return true;
}

/* A relaxation of n variables without sets. NULL: error. */
struct bestdag_relaxation *bestdag_relaxation_new(struct bestdag_run *run,
                                                  int n);
void bestdag_relaxation_free(struct bestdag_relaxation *relax);

/* Sets the list of v to `from`, with its variables renamed (NULL: unchanged;
 * -1: no longer a parent). Sets with a subset that is as cheap are left out, as
 * far as a quick check finds them, unless is_whole. */
int bestdag_relaxation_fill(struct bestdag_relaxation *relax, int v,
                            const struct bestdag_candidates *from,
                            const int32_t *rename, bool is_whole);
/* To be called after all lists are set: computes reduced costs without
 * multipliers. */
int bestdag_relaxation_ready(struct bestdag_relaxation *relax);

/* The index of a cluster in the pool, created with y = 0 if it is new.
 * Negative: error. */
int bestdag_relaxation_cluster(struct bestdag_relaxation *relax,
                               const struct bestdag_shape *shape);
/* Makes room for more clusters; rebuilds the hash table after clusters were
 * removed. */
int bestdag_pool_grow(struct bestdag_relaxation *relax);
void bestdag_pool_index(struct bestdag_pool *pool);
/* Subtracts y from the reduced cost of every set that misses the cluster. */
void bestdag_relaxation_pay(struct bestdag_relaxation *relax,
                            const struct bestdag_cluster *cluster, int64_t y);
/* The same, but on long lists not before bestdag_long_lists_settle(). */
void bestdag_relaxation_pay_late(struct bestdag_relaxation *relax,
                                 const struct bestdag_cluster *cluster,
                                 int64_t y);
/* Replaces the multipliers and recomputes reduced costs, pi and the bound. y
 * may be the pool's own. */
void bestdag_relaxation_set(struct bestdag_relaxation *relax, const int64_t *y);
/* Removes clusters whose multiplier is 0 for the third time. */
void bestdag_relaxation_drop_idle(struct bestdag_relaxation *relax);
/* Removes sets with which no network costs less than `limit`; returns their
 * number. */
int64_t bestdag_reduced_cost_fixing(struct bestdag_relaxation *relax,
                                    int64_t limit);

/* Raises the bound as long as the sets of reduced cost 0 contain no DAG.
 * `order` (may be NULL) gets an order in which every variable has such a set
 * among its predecessors; false: none, because it was stopped, or an error, or
 * the bound reached `enough`, or the work r->most (then it may be called
 * again), or too many clusters of many variables would have to be raised one by
 * one. */
bool bestdag_dual_ascent(struct bestdag_relaxation *relax, int64_t enough,
                         int *order);

/* Lowers multipliers one by one where that raises the bound; returns by how
 * much. pick[v] is the set of v in a DAG of sets of reduced cost 0. */
int64_t bestdag_multipliers_decrease(struct bestdag_relaxation *relax,
                                     const int32_t *pick);

/* Moves the multipliers towards the maximum of B, by `steps` steps on a smooth
 * function close to B whose edges are rounded by `width` units. `fraction` (may
 * be NULL) gets the fractional solution, one number per set of each list in
 * turn. B itself may be higher or lower afterwards. If stopped, it leaves
 * intermediate multipliers with their reduced costs and bound, and nothing
 * useful in `fraction`. */
int bestdag_smooth_dual(struct bestdag_relaxation *relax, double width,
                        int steps, double *fraction);
/* Limits of the search for clusters of rank 2 with classes. */
struct bestdag_class_limits {
    int64_t work;     /* limit, about; 0: no search */
    int most;         /* clusters to add, at most */
    bool is_thorough; /* repeat as long as clusters are found */
};
/* Adds clusters that the fractional solution violates, at most twice `most` of
 * rank 1; returns their number, negative: error. */
int bestdag_separate(struct bestdag_relaxation *relax, const double *fraction,
                     int most, const struct bestdag_class_limits *classes);

#endif
