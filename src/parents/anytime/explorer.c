/* SPDX-License-Identifier: MIT */
/* explorer.c -- records, pruning and ceiling of a search among the parent sets
 * of one variable. */
#include "parents/anytime/explorer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/random.h"
#include "constraints/deduction/compile.h"
#include "parents/trace.h"
#include "scores/score.h"

/* ---- making -------------------------------------------------------------- */

int bestdag_explorer_init(struct bestdag_explorer *e,
                          const struct bestdag_plan *plan,
                          const struct bestdag_distinct *rows)
{
    const struct bestdag_scorer *s = plan->scorer;
    *e = (struct bestdag_explorer){.plan = plan,
                                   .scorer = s,
                                   .run = plan->run,
                                   .pruning = s->pruning,
                                   .trace.run = plan->run};
    e->bounded = s->arc_cost >= 0 && e->pruning != BESTDAG_PRUNE_DOMINATED;
    e->slack = s->total + 16;
    e->tracing = plan->trace != NULL;
    e->scratch = bestdag_scorer_scratch_new(plan->run, s);
    if (e->scratch)
        e->pairwise = bestdag_pairwise_new(plan->run, s, e->scratch);
    if (s->columns && bestdag_columns_are_sharded(s->columns))
        e->ahead = bestdag_alloc(plan->run, (size_t)s->n * sizeof *e->ahead);
    if (e->pairwise && rows)
        e->extension = bestdag_extended_counts_new(plan->run, s->columns, rows,
                                                   plan->most_kept);
    return bestdag_run_status(plan->run);
}

void bestdag_explorer_release(struct bestdag_explorer *e)
{
    bestdag_extended_counts_free(e->extension);
    bestdag_pairwise_free(e->pairwise);
    bestdag_scorer_scratch_free(e->scratch);
    bestdag_free(e->record);
    bestdag_free(e->member);
    bestdag_free(e->slot);
    bestdag_free(e->universe);
    bestdag_free(e->single);
    bestdag_free(e->ahead);
    bestdag_buffer_release(&e->trace);
}

/* ---- the hash of sets ---------------------------------------------------- */

uint64_t bestdag_explorer_hash(int member)
{
    return bestdag_mix((uint64_t)(uint32_t)member + 1);
}

static uint64_t hash_set(const int *set, int count)
{
    uint64_t hash = 0;
    for (int i = 0; i < count; i++)
        hash ^= bestdag_explorer_hash(set[i]);
    return hash;
}

/* The slot of a hash, or the free slot where it belongs. */
static uint64_t look(const struct bestdag_explorer *e, uint64_t hash)
{
    uint64_t at = hash & e->mask;
    while (e->slot[at].value && e->slot[at].hash != hash)
        at = (at + 1) & e->mask;
    return at;
}

int64_t bestdag_explorer_find(const struct bestdag_explorer *e, uint64_t hash)
{
    return e->slot ? e->slot[look(e, hash)].value - 1 : -1;
}

static int grow_slots(struct bestdag_explorer *e)
{
    struct bestdag_slot *old = e->slot;
    uint64_t count = old ? e->mask + 1 : 0, more = count ? 2 * count : 1024;
    if (old && 2 * e->used < e->mask)
        return BESTDAG_OK;
    struct bestdag_slot *slot = bestdag_calloc(e->run, more, sizeof *slot);
    if (!slot)
        return BESTDAG_MEMORY;
    e->slot = slot;
    e->mask = more - 1;
    for (uint64_t i = 0; i < count; i++)
        if (old[i].value)
            slot[look(e, old[i].hash)] = old[i];
    bestdag_free(old);
    return BESTDAG_OK;
}

static int put(struct bestdag_explorer *e, uint64_t hash, int64_t value)
{
    if (grow_slots(e))
        return BESTDAG_MEMORY;
    assert(e->used <= e->mask); /* a slot is free, so probing ends */
    uint64_t at = look(e, hash);
    e->used += !e->slot[at].value;
    e->slot[at] = (struct bestdag_slot){hash, value + 1};
    return BESTDAG_OK;
}

/* ---- records ------------------------------------------------------------- */

static int grow_records(struct bestdag_explorer *e, int members)
{
    if (!BESTDAG_GROW(e->run, e->record, e->record_room, e->records + 1))
        return BESTDAG_MEMORY;
    if (!BESTDAG_GROW(e->run, e->member, e->member_room, e->members + members))
        return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

/* Adds a record without its scores. NULL: out of memory. */
static struct bestdag_record *add_record(struct bestdag_explorer *e,
                                         const int *set, int count)
{
    uint64_t hash = hash_set(set, count);
    if (grow_records(e, count + 1) ||
        /* never NULL */ put(e, hash, e->records))
        return NULL;
    struct bestdag_record *r = &e->record[e->records++];
    int32_t *to = e->member + e->members;
    *r = (struct bestdag_record){
        .start = e->members, .count = count, .hash = hash};
    for (int i = 0; i < count; i++) { /* insertion sort: nearly sorted */
        int j = i;
        for (; j > 0 && to[j - 1] > set[i]; j--)
            to[j] = to[j - 1];
        to[j] = set[i];
    }
    e->members += count;
    r->states = bestdag_scorer_joint_states(e->scorer, set, count);
    return r;
}

int64_t bestdag_explorer_add_dead(struct bestdag_explorer *e, const int *set,
                                  int count)
{
    return add_record(e, set, count) ? e->records - 1 : -1;
}

void bestdag_explorer_note(struct bestdag_explorer *e, int count, int64_t score)
{
    e->scored++;
    if (e->tracing)
        bestdag_trace_add(&e->trace, e->scored, count,
                          bestdag_scorer_nats(e->scorer, score));
}

/* An upper bound, in nats, on the scores of all supersets of a counted set, for
 * bdeu and k2. */
static double urn(const struct bestdag_explorer *e, int64_t cells, int count)
{
    return -(double)cells * log(e->scorer->states[e->child]) -
           e->scorer->arc_cost * count + (double)e->slack / e->scorer->scale;
}

static bool obeys(const struct bestdag_explorer *e, const int32_t *set,
                  int count)
{
    return bestdag_knowledge_local(e->plan->knowledge, e->child, set, count);
}

int64_t bestdag_explorer_remember(struct bestdag_explorer *e, const int *set,
                                  int count,
                                  const struct bestdag_family *family,
                                  int64_t best)
{
    struct bestdag_record *r = add_record(e, set, count);
    if (!r)
        return -1;
    if (bestdag_scorer_lacks(e->scorer, e->child, family->score))
        return e->records - 1; /* neither it nor a superset has a score */
    r->score = family->score;
    r->likelihood = family->likelihood;
    r->joint = family->parents_joint;
    r->cells = family->cells;
    r->best = family->score > best ? family->score : best;
    r->scored = r->alive = true;
    r->obeys = !e->markings || obeys(e, e->member + r->start, count);
    if (count < e->settled)
        r->best = INT64_MIN;
    if (e->bounded && e->prune && e->pruning == BESTDAG_PRUNE_URN)
        r->alive =
            (double)r->best / e->scorer->scale < urn(e, r->cells, count + 1);
    return e->records - 1;
}

int64_t bestdag_explorer_score(struct bestdag_explorer *e, const int *set,
                               int count, int64_t best)
{
    struct bestdag_family family;
    struct bestdag_extended grown = {.base = set,
                                     .count = count - 1,
                                     .hash = hash_set(set, count - 1),
                                     .child = e->child};
    if (count)
        grown.added = set[count - 1];
    if (count > 1 ? bestdag_scorer_grow(e->scorer, e->scratch, e->extension,
                                        &grown, &family)
                  : bestdag_scorer_family(e->scorer, e->scratch, e->child, set,
                                          count, &family))
        return -1;
    bestdag_explorer_note(e, count, family.score);
    return bestdag_explorer_remember(e, set, count, &family, best);
}

int bestdag_explorer_ahead(struct bestdag_explorer *e, int64_t base, int count,
                           bool is_guess)
{
    const struct bestdag_record *r = &e->record[base];
    struct bestdag_parents_ahead ahead = {.child = e->child,
                                          .parents = e->member + r->start,
                                          .count = r->count,
                                          .last = e->ahead,
                                          .lasts = count,
                                          .is_guess = is_guess};
    return bestdag_scorer_ahead(e->scorer, e->scratch, &ahead);
}

/* ---- pruning ------------------------------------------------------------- */

/* N H of a set, given its sum of n ln n. */
static int64_t entropy(const struct bestdag_explorer *e, int64_t joint)
{
    return e->record[0].joint - joint;
}

static int states_of(const struct bestdag_explorer *e, int variable)
{
    return e->scorer->states[variable];
}

/* With P the base and Y of these states and entropy: is N min(H(X|P), H(Y)) too
 * small to pay for the larger penalty? */
static bool cannot_pay(const struct bestdag_explorer *e, int64_t base,
                       int states, int64_t gain)
{
    const struct bestdag_scorer *s = e->scorer;
    const struct bestdag_record *p = &e->record[base];
    if (!e->bounded || !e->prune || e->pruning != BESTDAG_PRUNE_PENALTY ||
        p->count < e->settled)
        return false;
    double parameters =
        s->additive ? 1
                    : (states_of(e, e->child) - 1) * p->states * (states - 1);
    double growth = s->weight * parameters + s->arc_cost;
    if (-p->likelihood < gain)
        gain = -p->likelihood;
    return (double)(gain + e->slack) <= growth * s->scale;
}

bool bestdag_explorer_forbids(const struct bestdag_explorer *e, int64_t base,
                              int added)
{
    const struct bestdag_record *p = &e->record[base];
    int32_t set[BESTDAG_MOST_EXPLORED + 1];
    int v = e->universe[added], i = p->count;
    if (!e->markings || p->count + 1 < e->settled)
        return false;
    memcpy(set, e->member + p->start, (size_t)p->count * sizeof *set);
    for (; i > 0 && set[i - 1] > v; i--)
        set[i] = set[i - 1];
    set[i] = v;
    return !obeys(e, set, p->count + 1);
}

bool bestdag_explorer_kills_step(const struct bestdag_explorer *e, int64_t base,
                                 int added)
{
    return cannot_pay(e, base, states_of(e, e->universe[added]),
                      entropy(e, e->record[e->single[added]].joint));
}

bool bestdag_explorer_kills_like(const struct bestdag_explorer *e, int64_t base,
                                 int states, int64_t gain)
{
    const struct bestdag_record *p = &e->record[base];
    struct bestdag_superset_bound reach = {p->states * states, p->count + 1,
                                           p->cells, 0};
    return cannot_pay(e, base, states, gain) ||
           bestdag_explorer_kills(e, &reach, p->best);
}

/* ---- ceiling ------------------------------------------------------------- */

static double penalty(const struct bestdag_explorer *e, double states,
                      int count)
{
    const struct bestdag_scorer *s = e->scorer;
    double parameters =
        s->additive ? count : (states_of(e, e->child) - 1) * states;
    return s->weight * parameters + s->arc_cost * count +
           bestdag_scorer_nats(s, s->base[e->child]);
}

bool bestdag_explorer_kills(const struct bestdag_explorer *e,
                            const struct bestdag_superset_bound *reach,
                            int64_t best)
{
    if (!e->bounded || !e->prune)
        return false;
    double most = e->pruning == BESTDAG_PRUNE_URN
                      ? urn(e, reach->cells, reach->count)
                      : -penalty(e, reach->states, reach->count);
    return (double)best >= most * e->scorer->scale;
}

double bestdag_explorer_bound(const struct bestdag_explorer *e,
                              struct bestdag_superset_bound reach)
{
    int limit = e->limit;
    if (!e->bounded)
        return INFINITY;
    if (e->pruning == BESTDAG_PRUNE_URN)
        return urn(e, reach.cells, reach.count);
    double slack = (double)e->slack / e->scorer->scale;
    double likelihood =
        reach.likelihood < 0 ? (double)reach.likelihood / e->scorer->scale : 0;
    double here = likelihood - penalty(e, reach.states, reach.count);
    double above = -penalty(e, reach.states * e->least_states, reach.count + 1);
    if (limit >= 0 && reach.count >= limit)
        above = here;
    return (here > above ? here : above) + slack;
}

void bestdag_explorer_give_up(struct bestdag_explorer *e, double bound)
{
    if (bound > e->ceiling)
        e->ceiling = bound;
}

/* ---- sets ---------------------------------------------------------------- */

bool bestdag_explorer_has(const struct bestdag_explorer *e, int64_t base,
                          int member)
{
    const struct bestdag_record *r = &e->record[base];
    for (int i = 0; i < r->count; i++)
        if (e->member[r->start + i] == member)
            return true;
    return false;
}

/* ---- limits -------------------------------------------------------------- */

bool bestdag_explorer_ended(struct bestdag_explorer *e)
{
    const struct bestdag_plan *plan = e->plan;
    if (!e->ended)
        e->ended = (e->most && e->scored >= e->most) ||
                   e->records >= plan->most_records ||
                   bestdag_run_stopped(e->run) ||
                   (e->deadline > 0 && e->asked++ % 16 == 0 &&
                    bestdag_seconds() >= e->deadline);
    return e->ended;
}
