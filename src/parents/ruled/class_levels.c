/* SPDX-License-Identifier: MIT */
/* class_levels.c -- the levels of a class, and the classes of a child; see
 * class_levels.h.
 *
 * As in sparse.c, a level holds the sets that are alive, and the next one joins
 * pairs of them that differ in their last member, if all other subsets with one
 * free parent less are alive, too. */
#include "parents/ruled/class_levels.h"

#include <string.h>

#include "constraints/deduction/compile.h"

int bestdag_class_levels_init(struct bestdag_class_levels *a,
                              const struct bestdag_plan *plan)
{
    struct bestdag_run *run = plan->run;
    size_t n = (size_t)plan->n + 2;
    *a = (struct bestdag_class_levels){
        .plan = plan, .run = run, .scorer = plan->scorer};
    a->scratch = bestdag_scorer_scratch_new(run, plan->scorer);
    a->collector = bestdag_collector_new(run);
    bestdag_marked_classes_init(&a->markings, plan);
    a->set = bestdag_alloc(run, n * sizeof *a->set);
    a->sorted = bestdag_alloc(run, n * sizeof *a->sorted);
    a->place = bestdag_alloc(run, n * sizeof *a->place);
    a->less = bestdag_alloc(run, n * sizeof *a->less);
    a->subset = bestdag_alloc(run, n * sizeof *a->subset);
    return bestdag_run_status(run);
}

void bestdag_class_levels_release(struct bestdag_class_levels *a)
{
    bestdag_tier_release(&a->now);
    bestdag_tier_release(&a->next);
    bestdag_collector_free(a->collector);
    bestdag_scorer_scratch_free(a->scratch);
    bestdag_marked_classes_release(&a->markings);
    bestdag_free(a->gain);
    bestdag_free(a->set);
    bestdag_free(a->sorted);
    bestdag_free(a->place);
    bestdag_free(a->less);
    bestdag_free(a->subset);
}

static bool has_ended(struct bestdag_class_levels *a)
{
    const struct bestdag_plan *plan = a->plan;
    int64_t cap = bestdag_memory_limit(a->run) / 16;
    int64_t most = bestdag_plan_most(plan, a->markings.child);
    int64_t bytes = a->bytes + (a->now.count + a->next.count) *
                                   (40 + 2 * (int64_t)a->next.size);
    bool done = a->ended || bestdag_run_stopped(a->run) || (cap && bytes > cap);
    if (!plan->complete)
        done = done || a->now.count + a->next.count >= plan->most_records ||
               (most && a->scored >= most);
    /* without any set a variable would allow no network: it gets its first */
    if ((!plan->complete || plan->is_timed) && a->bytes && a->deadline > 0)
        done = done || bestdag_seconds() >= a->deadline;
    return a->ended = done;
}

/* ---- one set ---------------------------------------------------------- */

/* Fills set, and sorted (ascending), with base and members; returns their
 * number. */
static int make_set(struct bestdag_class_levels *a, int size)
{
    int count = a->markings.bases + size;
    for (int i = 0; i < a->markings.bases; i++)
        a->set[i] = a->markings.base[i];
    for (int i = 0; i < size; i++)
        a->set[a->markings.bases + i] = a->markings.free[a->place[i]];
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j > 0 && a->sorted[j - 1] > a->set[i]; j--)
            a->sorted[j] = a->sorted[j - 1];
        a->sorted[j] = a->set[i];
    }
    return count;
}

/* N H(Y) of every variable. */
static int find_gains(struct bestdag_class_levels *a)
{
    const struct bestdag_scorer *s = a->scorer;
    const struct bestdag_score_terms *terms = s->xlogx;
    struct bestdag_tally *t = bestdag_scorer_scratch_tally(a->scratch);
    if (a->gain)
        return BESTDAG_OK;
    a->gain = bestdag_alloc(a->run, (size_t)s->n * sizeof *a->gain);
    if (!a->gain || bestdag_tally_path(t, NULL, 0))
        return BESTDAG_MEMORY;
    for (int v = 0; v < s->n; v++) {
        int64_t sum, cells;
        if (bestdag_tally_sum(t, v, &terms, 1, &sum, &cells))
            return BESTDAG_MEMORY;
        a->gain[v] = bestdag_score_terms_at(terms, s->total) - sum;
    }
    return BESTDAG_OK;
}

/* Does Y cost more on top of R, the set without Y, than it can gain? */
static bool is_dead_by_gain(const struct bestdag_class_levels *a, int y,
                            int64_t cost)
{
    int64_t slack = a->scorer->total + 16; /* rounding */
    return a->gain[y] + slack <= cost;
}

/* The entropy rule for each free parent; joint is that of the set, or
 * BESTDAG_ABSENT if not known yet. */
static bool is_dead_by_entropy(const struct bestdag_class_levels *a, int size,
                               int64_t joint)
{
    const struct bestdag_scorer *s = a->scorer;
    int count = a->markings.bases + size;
    double states = bestdag_scorer_joint_states(s, a->set, count);
    if (a->kind != BESTDAG_PRUNE_PENALTY || count - 1 < a->markings.settled)
        return false;
    for (int y = 0; y < size; y++) {
        int variable = a->set[a->markings.bases + y], own = s->states[variable];
        int64_t r = a->now.joint[a->subset[y]];
        int64_t rx = r + a->now.likelihood[a->subset[y]];
        int64_t cost = bestdag_cost_on_top(s, s->states[a->markings.child], own,
                                           states / own);
        if (a->hooked ? is_dead_by_gain(a, variable, cost)
                      : r != BESTDAG_ABSENT &&
                            bestdag_prune_by_entropy(r, rx, joint, cost))
            return true;
    }
    return false;
}

/* Is the set excluded before it is scored? */
static bool is_dead(const struct bestdag_class_levels *a, int size,
                    int64_t best)
{
    int64_t penalty = bestdag_scorer_penalty(a->scorer, a->markings.child,
                                             a->set, a->markings.bases + size);
    return penalty >= BESTDAG_UNITS_MOST ||
           (a->kind == BESTDAG_PRUNE_PENALTY &&
            bestdag_prune_by_penalty(penalty, best)) ||
           is_dead_by_entropy(a, size, BESTDAG_ABSENT);
}

static int list_set(struct bestdag_class_levels *a, int count, int64_t score)
{
    a->bytes += 24 + 4 * count;
    return bestdag_marked_classes_add(&a->markings, a->collector, a->sorted,
                                      count,
                                      bestdag_scorer_nats(a->scorer, score));
}

/* Scores the set in a->place, all of whose subsets are alive; `best`: best
 * score of those that may prune it. */
static int try_set(struct bestdag_class_levels *a, int size, int64_t best)
{
    struct bestdag_family f;
    int count = make_set(a, size);
    int64_t values[] = {BESTDAG_FLOORLESS, BESTDAG_ABSENT, 0};
    if (!bestdag_knowledge_local(a->plan->knowledge, a->markings.child,
                                 a->sorted, count))
        return count < a->markings.settled
                   ? bestdag_tier_add(a->run, &a->next, a->place, values)
                   : BESTDAG_OK;
    if (is_dead(a, size, best))
        return BESTDAG_OK;
    if (bestdag_scorer_family(a->scorer, a->scratch, a->markings.child, a->set,
                              count, &f))
        return BESTDAG_MEMORY;
    a->scored++;
    if (bestdag_scorer_lacks(a->scorer, a->markings.child, f.score))
        return BESTDAG_OK;
    if (a->kind == BESTDAG_PRUNE_URN &&
        best >= bestdag_urn_bound(a->scorer, a->markings.child, count, f.cells))
        return BESTDAG_OK;
    if (is_dead_by_entropy(a, size, f.parents_joint))
        return BESTDAG_OK;
    if ((!a->markings.prunes || f.score > best) && list_set(a, count, f.score))
        return BESTDAG_MEMORY;
    best = f.score > best ? f.score : best;
    if (!size)
        a->ground = f.score;
    values[0] = count < a->markings.settled ? BESTDAG_FLOORLESS : best;
    values[1] = f.parents_joint;
    values[2] = f.likelihood;
    return bestdag_tier_add(a->run, &a->next, a->place, values);
}

/* ---- levels ------------------------------------------------------------ */

/* Finds the subsets of the set in a->place; false: one is not alive. */
static bool find_subsets(struct bestdag_class_levels *a, int size,
                         int64_t *best)
{
    *best = a->floor;
    for (int y = 0; y < size; y++) {
        for (int i = 0, j = 0; i < size; i++)
            if (i != y)
                a->less[j++] = (uint16_t)a->place[i];
        int64_t i = a->subset[y] = bestdag_tier_find(&a->now, a->less);
        if (i < 0)
            return false;
        *best = a->now.best[i] > *best ? a->now.best[i] : *best;
    }
    return true;
}

static int try_singles(struct bestdag_class_levels *a)
{
    int64_t best = a->now.best[0] > a->floor ? a->now.best[0] : a->floor;
    for (int i = 0; i < a->markings.frees && !has_ended(a); i++) {
        a->place[0] = i;
        a->subset[0] = 0;
        if (try_set(a, 1, best))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

static int join(struct bestdag_class_levels *a)
{
    const struct bestdag_tier *t = &a->now;
    int size = t->size;
    size_t shared = (size_t)(size - 1) * sizeof *t->member;
    for (int64_t i = 0; i < t->count; i++) {
        const uint16_t *one = t->member + i * size;
        for (int k = 0; k < size; k++)
            a->place[k] = one[k];
        for (int64_t j = i + 1; j < t->count; j++) {
            const uint16_t *two = t->member + j * size;
            int64_t best;
            if (memcmp(one, two, shared) != 0 || has_ended(a))
                break;
            a->place[size] = two[size - 1];
            if (find_subsets(a, size + 1, &best) && try_set(a, size + 1, best))
                return BESTDAG_MEMORY;
        }
    }
    return BESTDAG_OK;
}

static void step_up(struct bestdag_class_levels *a)
{
    int size = a->next.size + 1;
    bestdag_tier_release(&a->now);
    a->now = a->next;
    a->next = (struct bestdag_tier){.size = size};
}

static int climb_class(struct bestdag_class_levels *a)
{
    const struct bestdag_marked_classes *m = &a->markings;
    bestdag_tier_release(&a->now);
    bestdag_tier_release(&a->next);
    a->ground = BESTDAG_FLOORLESS;
    if (has_ended(a))
        return BESTDAG_OK;
    if (try_set(a, 0, a->floor))
        return BESTDAG_MEMORY;
    while (a->next.count && m->bases + a->next.size < m->limit &&
           a->next.size < m->frees && !a->ended) {
        step_up(a);
        if (bestdag_tier_index(a->run, &a->now) ||
            (a->now.size ? join(a) : try_singles(a)))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

int bestdag_class_levels_climb(struct bestdag_class_levels *a, int child)
{
    struct bestdag_marked_classes *m = &a->markings;
    const struct bestdag_scorer *s = a->scorer;
    double seconds = a->plan->seconds;
    int64_t ground = BESTDAG_FLOORLESS;
    bestdag_marked_classes_start(m, child);
    a->kind =
        m->prunes && s->arc_cost >= 0 ? s->pruning : BESTDAG_PRUNE_DOMINATED;
    a->hooked = bestdag_scorer_is_constrained(s, child);
    if (a->hooked && find_gains(a))
        return BESTDAG_MEMORY;
    a->scored = a->bytes = 0;
    a->deadline = seconds > 0 ? bestdag_seconds() + seconds : 0;
    a->ended = false;
    while (!a->ended && bestdag_marked_classes_next(m)) {
        a->floor = m->floors ? ground : BESTDAG_FLOORLESS;
        if (climb_class(a))
            return BESTDAG_MEMORY;
        if (!m->count)
            ground = a->ground;
    }
    return BESTDAG_OK;
}
