/* SPDX-License-Identifier: MIT */
/* first_families.c -- the first families of a variable: the empty set, or the
 * parents that the rules require, and these with one more parent. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parents/anytime/explorer.h"
#include "parents/candidate_parents.h"
#include "parents/ruled/marked_classes.h"
#include "scores/score.h"

static double guide_of(const struct bestdag_scorer *s)
{
    if (s->pruning == BESTDAG_PRUNE_PENALTY)
        return s->weight;
    return s->total > 1 ? log((double)s->total) / 2 : 0;
}

static int reserve_universe(struct bestdag_explorer *e, int room)
{
    if (room <= e->universe_room)
        return BESTDAG_OK;
    int *universe =
        bestdag_realloc(e->run, e->universe, (size_t)room * sizeof *universe);
    if (!universe)
        return BESTDAG_MEMORY;
    e->universe = universe;
    int64_t *single =
        bestdag_realloc(e->run, e->single, (size_t)room * sizeof *single);
    if (!single)
        return BESTDAG_MEMORY;
    e->single = single;
    e->universe_room = room;
    return BESTDAG_OK;
}

struct single {
    int64_t score, record;
    int variable;
};

struct ranked {
    int64_t score;
    const struct bestdag_family *family;
    int variable;
};

static int best_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

/* Raises the ceiling for a singleton that is not recorded, and its
 * supersets. */
static void give_up_single(struct bestdag_explorer *e, int variable)
{
    bestdag_explorer_give_up(
        e, bestdag_explorer_bound(
               e, (struct bestdag_superset_bound){e->scorer->states[variable],
                                                  1, e->record[0].cells, 0}));
}

/* Fewer candidates than n / this are counted one by one, others all together.
 * Affects time only; only rules and --candidates leave so few. */
enum { FEW_PART = 4 };

/* Scores all candidates and ranks them in `ranked`; returns their number, or
 * -1. */
static int rank_singles(struct bestdag_explorer *e, struct ranked *ranked)
{
    int all = bestdag_plan_candidates(e->plan, e->child), count = 0;
    const struct bestdag_family *family =
        all < e->plan->n / FEW_PART
            ? bestdag_pairwise_score_some(e->pairwise, e->child,
                                          e->plan->candidate[e->child], all)
            : bestdag_pairwise_score(e->pairwise, e->child);
    if (!family)
        return -1;
    for (int i = 0; i < all; i++) {
        int v = bestdag_plan_candidate(e->plan, e->child, i);
        if (family[v].configurations < 0) {
            give_up_single(e, v);
            continue;
        }
        bestdag_explorer_note(e, 1, family[v].score);
        ranked[count++] = (struct ranked){family[v].score, &family[v], v};
    }
    if (count)
        qsort(ranked, (size_t)count, sizeof *ranked, best_first);
    return count;
}

/* Records the singletons, best first, as far as memory allows. */
static int take_singles(struct bestdag_explorer *e, const struct ranked *ranked,
                        int count)
{
    for (int i = 0; i < count; i++) {
        int v = ranked[i].variable;
        if (e->records >= e->plan->most_records) {
            give_up_single(e, v);
            continue;
        }
        int64_t r = bestdag_explorer_remember(e, &v, 1, ranked[i].family,
                                              e->record[0].best);
        if (r < 0)
            return BESTDAG_MEMORY;
        e->universe[e->universe_count] = v;
        e->single[e->universe_count] = r;
        if (bestdag_explorer_kills_step(e, 0, e->universe_count))
            e->record[r].alive = false;
        if (e->record[r].alive)
            e->universe_count++;
    }
    return BESTDAG_OK;
}

static int score_singles(struct bestdag_explorer *e)
{
    int room = bestdag_plan_candidates(e->plan, e->child);
    if (reserve_universe(e, room))
        return BESTDAG_MEMORY;
    struct ranked *ranked =
        bestdag_alloc(e->run, (size_t)room * sizeof *ranked);
    int count = ranked ? rank_singles(e, ranked) : -1;
    int status = count < 0 ? BESTDAG_MEMORY : take_singles(e, ranked, count);
    bestdag_free(ranked);
    return status;
}

/* Clears all records. */
static void forget(struct bestdag_explorer *e)
{
    e->records = e->members = 0;
    e->universe_count = 0;
    e->ended = false;
    e->asked = 0;
    e->used = 0;
    if (e->slot)
        memset(e->slot, 0, (e->mask + 1) * sizeof *e->slot);
}

static void start_child(struct bestdag_explorer *e, int child)
{
    const struct bestdag_plan *plan = e->plan;
    e->child = child;
    e->limit = bestdag_plan_limit(plan, child);
    e->markings = NULL;
    e->settled = 0;
    e->prune = plan->prune;
    e->most = bestdag_plan_most(plan, child);
    e->scored = 0;
    e->ceiling = -INFINITY;
    e->guide = guide_of(e->scorer);
    if (!e->scorer->additive)
        e->guide *= e->scorer->states[child] - 1;
    e->deadline = plan->seconds > 0 ? bestdag_seconds() + plan->seconds : 0;
    e->trace.length = 0;
    e->least_states = 2;
}

int bestdag_explorer_start(struct bestdag_explorer *e, int child)
{
    start_child(e, child);
    forget(e);
    if (bestdag_explorer_score(e, NULL, 0, INT64_MIN) < 0)
        return bestdag_run_status(e->run);
    if (e->limit == 0 || e->scorer->states[child] < 2)
        return BESTDAG_OK;
    bestdag_explorer_give_up(e,
                             bestdag_candidate_parents_ceiling(e->plan, child));
    return score_singles(e);
}

/* ---- a class ------------------------------------------------------------- */

static int better_single(const void *a, const void *b)
{
    const struct single *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

/* Scores base + v for a free candidate v. */
static int score_single(struct bestdag_explorer *e, int v, int *count)
{
    const struct bestdag_marked_classes *m = e->markings;
    int set[BESTDAG_MOST_EXPLORED + 1];
    memcpy(set, m->base, (size_t)m->bases * sizeof *set);
    set[m->bases] = e->universe[*count] = v;
    if (bestdag_run_stopped(e->run) || e->records >= e->plan->most_records) {
        bestdag_explorer_give_up(e, bestdag_marked_classes_bound(m));
        return BESTDAG_OK;
    }
    if (bestdag_explorer_forbids(e, 0, *count))
        return BESTDAG_OK;
    int64_t r = bestdag_explorer_score(e, set, m->bases + 1, e->record[0].best);
    if (r < 0)
        return BESTDAG_MEMORY;
    e->single[*count] = r;
    if (bestdag_explorer_kills_step(e, 0, *count))
        e->record[r].alive = false;
    *count += e->record[r].alive;
    return BESTDAG_OK;
}

/* Sorts the universe, best first. */
static int order_universe(struct bestdag_explorer *e)
{
    int n = e->universe_count;
    struct single *at = bestdag_alloc(e->run, ((size_t)n + 1) * sizeof *at);
    if (!at)
        return BESTDAG_MEMORY;
    for (int i = 0; i < n; i++)
        at[i] = (struct single){e->record[e->single[i]].score, e->single[i],
                                e->universe[i]};
    if (n)
        qsort(at, (size_t)n, sizeof *at, better_single);
    for (int i = 0; i < n; i++) {
        e->single[i] = at[i].record;
        e->universe[i] = at[i].variable;
    }
    bestdag_free(at);
    return BESTDAG_OK;
}

static int score_class(struct bestdag_explorer *e, int64_t floor)
{
    const struct bestdag_marked_classes *m = e->markings;
    if (m->bases > BESTDAG_MOST_EXPLORED - 1) {
        bestdag_explorer_give_up(e, bestdag_marked_classes_bound(m));
        return bestdag_explorer_add_dead(e, NULL, 0) < 0 ? BESTDAG_MEMORY
                                                         : BESTDAG_OK;
    }
    if (bestdag_explorer_score(e, m->base, m->bases, floor) < 0)
        return bestdag_run_status(e->run);
    if (!e->record[0].obeys && m->bases >= e->settled)
        return BESTDAG_OK;
    if (m->bases >= m->limit || reserve_universe(e, m->frees + 1))
        return bestdag_run_status(e->run);
    for (int i = 0; i < m->frees; i++)
        if (score_single(e, m->free[i], &e->universe_count))
            return bestdag_run_status(e->run);
    return order_universe(e);
}

int bestdag_explorer_begin(struct bestdag_explorer *e,
                           const struct bestdag_explorer_turn *turn)
{
    const struct bestdag_marked_classes *m = turn->markings;
    const struct bestdag_plan *plan = e->plan;
    if (turn->first) {
        start_child(e, m->child);
        bestdag_explorer_give_up(
            e, bestdag_candidate_parents_ceiling(plan, m->child));
    }
    forget(e);
    e->markings = turn->markings;
    e->settled = m->settled;
    e->prune = m->prunes;
    for (int i = 0; i < m->frees; i++)
        if (e->scorer->states[m->free[i]] < e->least_states)
            e->least_states = e->scorer->states[m->free[i]];
    int64_t most = bestdag_plan_most(plan, m->child);
    if (most)
        e->most =
            e->scored + (int64_t)((double)(most - e->scored) * turn->share) + 1;
    if (turn->end > 0) {
        double now = bestdag_seconds();
        e->deadline = now + (turn->end - now) * turn->share;
    }
    return score_class(e, turn->floor);
}
