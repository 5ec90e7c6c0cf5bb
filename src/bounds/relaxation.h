/* SPDX-License-Identifier: MIT */
/* relaxation.h -- the cluster relaxation: a lower bound on what a network
 * costs.
 *
 * In a DAG every set C of variables, a cluster, has a member without a parent
 * inside C. Let a cluster pay y_C >= 0 to each member that takes a set without
 * parents in C. Since at least one does, no network costs less than
 *
 *     B(y) = sum of y_C + sum over v of pi_v,
 *     pi_v = min over P of cost(v, P) - sum of y_C: v in C, P and C share none
 *
 * (Jaakkola and others 2010 for the inequalities; Trosser, de Givry and
 * Katsirelos 2021 for the ascent). The cost of a set above pi_v is its reduced
 * cost: a network with this set costs at least B plus that.
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
 * All numbers are whole units, so that B is exact. */
#ifndef BESTDAG_BOUNDS_RELAXATION_H
#define BESTDAG_BOUNDS_RELAXATION_H

#include <string.h>

#include "base/random.h"
#include "base/run.h"
#include "problem/candidates.h"

/* The candidate list of one variable with reduced costs. A list that is only
 * borrowed owns nothing but the two. */
struct bestdag_reduced_list {
    BESTDAG_CANDIDATES_HEAD; /* ids are numbers of the problem's sets */
    int64_t *reduced;        /* owns; [count]: reduced costs, never < 0 */
    int32_t *tight;          /* owns; [count]: sets of reduced cost 0 */
    int tights;
};

/* The members of a cluster are divided into classes. A set of parents spans a
 * member if it meets the member's own class, or at least `least` classes; if it
 * does not, the member misses the cluster. In every DAG at least `least`
 * members miss it: their sets span no more than those before them in its order
 * do, and the members that are not spanned by those before them are a basis of
 * a matroid of rank `least`, in which the classes are parallel elements and the
 * rest is uniform (Studeny 2015 has matroids of one class with more than one
 * member). With classes of one member each, those with fewer than `least`
 * parents inside miss it; of rank 1, no other classes are needed. It never
 * changes once it is made, but for `idle`. */
struct bestdag_cluster {
    uint64_t hash;
    int idle; /* how often it was found without a multiplier */
    int size, least;
    int classes;      /* with more than one member */
    int32_t *member;  /* [size], ascending; in the same block of memory */
    int32_t *label;   /* [size]: its class, 1 to `classes` in order of their
                         first members; 0: it is alone in it; likewise */
    uint64_t *inside; /* of each member in turn the words of its list: which
                         of its universe have label 0, 1, ... */
};

/* What a cluster is made of. Without classes, `label` may be NULL. */
struct bestdag_shape {
    const int32_t *member, *label;
    int size, classes, least;
};

/* A cluster as one of its members sees it. */
struct bestdag_cluster_view {
    const uint64_t *inside;
    int32_t least;
    int16_t classes, own; /* the label of the member */
};

/* A walk along the members of a cluster. */
struct bestdag_walk {
    int v; /* the member */
    int next;
    struct bestdag_cluster_view view;
};

struct bestdag_pool {
    int count, room;
    struct bestdag_cluster **at; /* owns both */
    int64_t *y;                  /* owns; [room] */
    int32_t *slot;               /* owns; hash table of numbers; -1: empty */
    int slots;                   /* a power of two */
    int borrowed;                /* the first ones are another pool's */
};

struct bestdag_relaxation {
    struct bestdag_run *run;
    int n;
    struct bestdag_reduced_list *list; /* owns; [n] */
    int64_t *pi;                       /* owns; [n] */
    int64_t bound;                     /* B of the pool's multipliers */
    struct bestdag_pool pool;
    struct bestdag_random random;
    struct bestdag_tight_order
        *tight_order;                      /* owns; scratch of dual_ascent.c */
    struct bestdag_long_lists *long_lists; /* owns; NULL: there are none */
    int64_t work;    /* sets looked at: what time goes by */
    int near_length; /* lists are not made shorter for smoothing than this, see
                        near_relaxation.h */
    bool is_copy;    /* lists and the first clusters are another's */
    bool owns_lists; /* though it is a copy */
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

/* Is it to end? Another thread's copy does not look at the clock. */
static inline bool bestdag_relaxation_stopped(struct bestdag_relaxation *r)
{
    return r->is_copy ? bestdag_run_stopped(r->run)
                      : bestdag_run_watch(r->run, 0);
}

/* Steps on to the next member, from {.next = 0}; false: there is none. */
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

/* NULL: failed. n variables without sets. */
struct bestdag_relaxation *bestdag_relaxation_new(struct bestdag_run *run,
                                                  int n);
void bestdag_relaxation_free(struct bestdag_relaxation *relax);

/* Gives v its list: `from`, with its variables renamed (NULL: as they are; -1:
 * no longer a parent). Sets that have a subset as cheap are left out, as far as
 * that is quickly seen, unless all are wanted (is_whole). */
int bestdag_relaxation_fill(struct bestdag_relaxation *relax, int v,
                            const struct bestdag_candidates *from,
                            const int32_t *rename, bool is_whole);
/* After all lists are there: reduced costs without multipliers. */
int bestdag_relaxation_ready(struct bestdag_relaxation *relax);

/* The number of a cluster in the pool, made if it is new, with y = 0. Negative:
 * failed. */
int bestdag_relaxation_cluster(struct bestdag_relaxation *relax,
                               const struct bestdag_shape *shape);
/* Room for more clusters; rebuilds the hash table after clusters were removed.
 */
int bestdag_pool_grow(struct bestdag_relaxation *relax);
void bestdag_pool_index(struct bestdag_pool *pool);
/* Takes y off the reduced cost of every set that misses the cluster. */
void bestdag_relaxation_pay(struct bestdag_relaxation *relax,
                            const struct bestdag_cluster *cluster, int64_t y);
/* Likewise, on long lists only with the next bestdag_long_lists_settle(). */
void bestdag_relaxation_pay_late(struct bestdag_relaxation *relax,
                                 const struct bestdag_cluster *cluster,
                                 int64_t y);
/* Replaces the multipliers, and recomputes reduced costs, pi and the bound.
 * y may be the pool's own. */
void bestdag_relaxation_set(struct bestdag_relaxation *relax, const int64_t *y);
/* Takes clusters off the pool whose multiplier is 0 for the third time. */
void bestdag_relaxation_drop_idle(struct bestdag_relaxation *relax);
/* Deletes sets with which no network costs less than `limit`; how many. */
int64_t bestdag_reduced_cost_fixing(struct bestdag_relaxation *relax,
                                    int64_t limit);

/* Raises the bound as long as the sets of reduced cost 0 make no DAG. `order`
 * (may be NULL) gets an order in which every variable has such a set of those
 * before it; false: there is none, because it was stopped, or failed, or the
 * bound reached `enough`. */
bool bestdag_dual_ascent(struct bestdag_relaxation *relax, int64_t enough,
                         int *order);

/* Lowers multipliers one by one where that raises the bound; by how much.
 * pick[v] is the set of v in a DAG of sets of reduced cost 0. */
int64_t bestdag_multipliers_decrease(struct bestdag_relaxation *relax,
                                     const int32_t *pick);

/* Moves the multipliers to where B is higher, by a smooth function near to B
 * whose edges are rounded with `width` units; `steps` of it. The fractional
 * solution that comes with it is in `fraction`, one number per set of each list
 * in turn (NULL: not wanted). B itself may be higher or lower afterwards.
 * Stopped, it leaves multipliers on the way, with their reduced costs and
 * bound, and in `fraction` nothing of use. */
int bestdag_smooth_dual(struct bestdag_relaxation *relax, double width,
                        int steps, double *fraction);
/* How clusters of rank 2, with classes, are looked for. */
struct bestdag_class_limits {
    int64_t work;     /* about this much; 0: not at all */
    int most;         /* that are added */
    bool is_thorough; /* again and again, as long as it finds some */
};
/* Adds clusters that the fractional solution violates, at most twice `most`
 * of rank 1; how many, negative: failed. */
int bestdag_separate(struct bestdag_relaxation *relax, const double *fraction,
                     int most, const struct bestdag_class_limits *classes);

#endif
