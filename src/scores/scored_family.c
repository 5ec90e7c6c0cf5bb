/* SPDX-License-Identifier: MIT */
/* scored_family.c -- the score of one family, and the scratch of a thread. */
#include <string.h>

#include "scores/score.h"

struct bestdag_scorer_scratch {
    struct bestdag_tally *tally;
    int *parents; /* owns; [n]: parents that the following belongs to */
    int count;    /* -1: none yet */
    int64_t occur;
    const struct bestdag_score_terms *bottom_terms;
    int64_t bottom, joint; /* sums over the joint states of the parents */
    struct bestdag_beliefs beliefs;
    struct bestdag_run *run;
    const struct bestdag_hook *hook; /* that `hooked` belongs to */
    void *hooked;                    /* owns; NULL: not used yet */
    const struct bestdag_score_families *families; /* that `own` belongs to; or
                                                      NULL */
    void *own;                                     /* owns; opened by
                                                      `families` */
};

struct bestdag_scorer_scratch *bestdag_scorer_scratch_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer)
{
    struct bestdag_scorer_scratch *scratch =
        bestdag_calloc(run, 1, sizeof *scratch);
    if (!scratch)
        return NULL;
    scratch->count = -1;
    scratch->beliefs.run = scratch->run = run;
    scratch->hook = scorer->hook;
    scratch->families = scorer->type->families;
    if (scratch->families) {
        if (scratch->families->open)
            scratch->own = scratch->families->open(run, scorer);
        if (scratch->own || !scratch->families->open)
            return scratch;
        bestdag_scorer_scratch_free(scratch);
        return NULL;
    }
    scratch->tally = bestdag_tally_new(run, scorer->columns);
    scratch->parents =
        bestdag_alloc(run, (size_t)scorer->n * sizeof *scratch->parents);
    if (scratch->tally && scratch->parents)
        return scratch;
    bestdag_scorer_scratch_free(scratch);
    return NULL;
}

void bestdag_scorer_scratch_free(struct bestdag_scorer_scratch *scratch)
{
    if (!scratch)
        return;
    if (scratch->hooked)
        scratch->hook->close(scratch->hooked);
    if (scratch->own)
        scratch->families->close(scratch->own);
    bestdag_beliefs_release(&scratch->beliefs);
    bestdag_tally_free(scratch->tally);
    bestdag_free(scratch->parents);
    bestdag_free(scratch);
}

struct bestdag_tally *bestdag_scorer_scratch_tally(
    struct bestdag_scorer_scratch *scratch)
{
    scratch->count = -1; /* the caller may change the path */
    return scratch->tally;
}

static int64_t sum_weights(const struct bestdag_tally *t,
                           const struct bestdag_score_terms *terms,
                           int64_t *occur)
{
    const int64_t *weight = bestdag_tally_weights(t);
    int64_t sum = 0, groups = bestdag_tally_groups(t);
    *occur = 0;
    for (int64_t g = 0; g < groups; g++) {
        sum += bestdag_score_terms_at(terms, weight[g]);
        *occur += weight[g] > 0;
    }
    return sum;
}

/* Moves the scratch to these parents. */
static int look_at(const struct bestdag_scorer *s,
                   struct bestdag_scorer_scratch *scratch, const int *parents,
                   int count)
{
    size_t bytes = (size_t)count * sizeof *parents;
    if (scratch->count == count &&
        (!count || !memcmp(scratch->parents, parents, bytes)))
        return BESTDAG_OK;
    scratch->count = -1;
    if (bestdag_tally_path(scratch->tally, parents, count))
        return BESTDAG_MEMORY;
    if (count)
        memcpy(scratch->parents, parents, bytes);
    scratch->count = count;
    scratch->joint = sum_weights(scratch->tally, s->xlogx, &scratch->occur);
    scratch->bottom_terms = NULL;
    return BESTDAG_OK;
}

/* The score without penalty, for scores that look at each cell. */
static int local_by_cells(const struct bestdag_scorer *s,
                          struct bestdag_scorer_scratch *scratch, int child,
                          struct bestdag_family *to)
{
    struct bestdag_score_view v = bestdag_score_view_of(
        scratch->tally, child, scratch->parents, scratch->count);
    v.beliefs = &scratch->beliefs;
    if (bestdag_tally_cells(scratch->tally, child, &v.cell, &v.cells) ||
        s->type->local(s, &v, &to->score))
        return BESTDAG_MEMORY;
    int64_t joint = 0;
    for (int64_t i = 0; i < v.cells; i++)
        joint += bestdag_score_terms_at(s->xlogx, v.cell[i].count);
    to->cells = v.cells;
    to->likelihood = joint - scratch->joint;
    return BESTDAG_OK;
}

static int local_by_sums(const struct bestdag_scorer *s,
                         struct bestdag_scorer_scratch *scratch, int child,
                         struct bestdag_family *to)
{
    double states =
        bestdag_scorer_joint_states(s, scratch->parents, scratch->count);
    const struct bestdag_score_terms *bottom =
        bestdag_scorer_terms(s, s->bottom[child], states);
    const struct bestdag_score_terms *terms[2] = {
        s->xlogx,
        bestdag_scorer_terms(s, s->top[child], states * s->states[child])};
    bool same = terms[1] && terms[1]->a < 0;
    int64_t sums[2];
    if (!bottom || !terms[1] ||
        bestdag_tally_sum(scratch->tally, child, terms, same ? 1 : 2, sums,
                          &to->cells))
        return BESTDAG_MEMORY;
    to->likelihood = sums[0] - scratch->joint;
    if (same) {
        to->score = s->factor * to->likelihood;
        return BESTDAG_OK;
    }
    if (bottom != scratch->bottom_terms) {
        scratch->bottom = sum_weights(scratch->tally, bottom, &scratch->occur);
        scratch->bottom_terms = bottom;
    }
    to->score = s->factor * (sums[1] - scratch->bottom);
    return BESTDAG_OK;
}

/* Subtracts the loss by constraints from likelihood and score. */
static int subtract_loss(const struct bestdag_scorer *s,
                         struct bestdag_scorer_scratch *scratch, int child,
                         struct bestdag_family *to)
{
    struct bestdag_score_view v = bestdag_score_view_of(
        scratch->tally, child, scratch->parents, scratch->count);
    double nats;
    int64_t units;
    if (!scratch->hooked)
        scratch->hooked = s->hook->open(scratch->run, s->hook);
    if (!scratch->hooked ||
        bestdag_tally_cells(scratch->tally, child, &v.cell, &v.cells) ||
        s->hook->loss(s->hook, scratch->hooked, s, &v, &nats, &units))
        return bestdag_run_status(scratch->run);
    if (units >= BESTDAG_UNITS_MOST / 2)
        to->score = to->likelihood = -BESTDAG_UNITS_MOST / 2;
    else {
        to->likelihood -= units;
        to->score -= s->factor * units;
    }
    return BESTDAG_OK;
}

int bestdag_scorer_family(const struct bestdag_scorer *s,
                          struct bestdag_scorer_scratch *scratch, int child,
                          const int *parents, int count,
                          struct bestdag_family *to)
{
    *to = (struct bestdag_family){0};
    if (s->type->families)
        return s->type->families->family(s, scratch->own, child, parents, count,
                                         to);
    if (bestdag_columns_are_sharded(s->columns) &&
        (bestdag_tally_path(scratch->tally, parents, count) ||
         bestdag_tally_ahead(scratch->tally, &child, 1)))
        return BESTDAG_MEMORY;
    if (look_at(s, scratch, parents, count))
        return BESTDAG_MEMORY;
    int status = s->by_family ? local_by_cells(s, scratch, child, to)
                              : local_by_sums(s, scratch, child, to);
    if (!status && bestdag_scorer_is_constrained(s, child))
        status = subtract_loss(s, scratch, child, to);
    to->configurations = scratch->occur;
    to->parents_joint = scratch->joint;
    to->score -= bestdag_scorer_penalty(s, child, parents, count);
    return status;
}

bool bestdag_scorer_can_add(const struct bestdag_scorer *s)
{
    return s->type->families && s->type->families->add;
}

int bestdag_scorer_add_each(const struct bestdag_scorer *s,
                            struct bestdag_scorer_scratch *scratch,
                            const struct bestdag_added_families *ask,
                            struct bestdag_family *to)
{
    return s->type->families->add(s, scratch->own, ask, to);
}

int bestdag_scorer_ahead(const struct bestdag_scorer *s,
                         struct bestdag_scorer_scratch *scratch,
                         const struct bestdag_parents_ahead *ahead)
{
    return s->columns ? bestdag_tally_ahead_of(scratch->tally, ahead)
                      : BESTDAG_OK;
}

int bestdag_scorer_list(const struct bestdag_scorer *s,
                        struct bestdag_scorer_scratch *scratch,
                        const struct bestdag_family_search *search)
{
    return s->type->families->list(s, scratch->own, search);
}
