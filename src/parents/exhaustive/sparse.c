/* SPDX-License-Identifier: MIT */
/* sparse.c -- levels of one child that keep only sets that are alive.
 *
 * A set of size k + 1 is the join of two sets of size k that differ in their
 * last members, provided that all its subsets of size k are alive; sets come in
 * lexicographic order, so that consecutive ones share counts. Children are
 * independent items of work. Time: one family counted per set that the rules do
 * not exclude beforehand. Memory: about 60 bytes per set of two sizes; a child
 * that would need more than a sixteenth of the memory limit ends early, which
 * its ceiling and a note say. */
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "parallel/parallel.h"
#include "parents/exhaustive/levels.h"
#include "parents/trace.h"

enum {
    BATCH = 1 << 10, /* sets scored between two checks of the clock */
    LOOK = 16        /* the same for a child with its own time limit */
};

/* ---- tiers ----------------------------------------------------------- */

void bestdag_tier_release(struct bestdag_tier *t)
{
    bestdag_free(t->member);
    bestdag_free(t->best);
    bestdag_free(t->joint);
    bestdag_free(t->likelihood);
    bestdag_free(t->slot);
    *t = (struct bestdag_tier){0};
}

static int64_t bytes_a_set(int size)
{
    return 24 + 2 * size + 8; /* values, members, slots */
}

static int grow(struct bestdag_run *run, void **array, int64_t room,
                size_t bytes)
{
    void *more = bestdag_realloc(run, *array, (size_t)room * bytes);
    if (!more)
        return BESTDAG_MEMORY;
    *array = more;
    return BESTDAG_OK;
}

static int grow_tier(struct bestdag_run *run, struct bestdag_tier *t)
{
    int64_t room = t->room + t->room / 2 + 64;
    if (grow(run, (void **)&t->member, room,
             (size_t)t->size * sizeof *t->member) ||
        grow(run, (void **)&t->best, room, sizeof *t->best) ||
        grow(run, (void **)&t->joint, room, sizeof *t->joint) ||
        grow(run, (void **)&t->likelihood, room, sizeof *t->likelihood))
        return BESTDAG_MEMORY;
    t->room = room;
    return BESTDAG_OK;
}

int bestdag_tier_add(struct bestdag_run *run, struct bestdag_tier *t,
                     const int *places, const int64_t values[3])
{
    if (t->count == t->room && grow_tier(run, t))
        return BESTDAG_MEMORY;
    for (int i = 0; i < t->size; i++)
        t->member[t->count * t->size + i] = (uint16_t)places[i];
    t->best[t->count] = values[0];
    t->joint[t->count] = values[1];
    t->likelihood[t->count++] = values[2];
    return BESTDAG_OK;
}

static uint64_t hash(const uint16_t *member, int size)
{
    uint64_t h = 0;
    for (int i = 0; i < size; i++)
        h = bestdag_mix(h ^ member[i]);
    return h;
}

int bestdag_tier_index(struct bestdag_run *run, struct bestdag_tier *t)
{
    t->slots = 16;
    while (t->slots < 2 * t->count)
        t->slots *= 2;
    t->slot = bestdag_calloc(run, (size_t)t->slots, sizeof *t->slot);
    if (!t->slot)
        return BESTDAG_MEMORY;
    for (int64_t i = 0; i < t->count; i++) {
        uint64_t at = hash(t->member + i * t->size, t->size);
        while (t->slot[at & (uint64_t)(t->slots - 1)])
            at++;
        t->slot[at & (uint64_t)(t->slots - 1)] = (uint32_t)(i + 1);
    }
    return BESTDAG_OK;
}

int64_t bestdag_tier_find(const struct bestdag_tier *t, const uint16_t *member)
{
    uint64_t at = hash(member, t->size);
    for (uint32_t i; (i = t->slot[at & (uint64_t)(t->slots - 1)]); at++)
        if (!memcmp(t->member + (int64_t)(i - 1) * t->size, member,
                    (size_t)t->size * sizeof *member))
            return i - 1;
    return -1;
}

/* ---- one child ------------------------------------------------------- */

struct scored_before {
    int worker;
    int64_t sets;   /* the worker's sets of this child at that time */
    int64_t scored; /* since then */
};

struct job {
    struct bestdag_levels *levels;
    const struct bestdag_dense *dense;
    int size;                                  /* of the first sets */
    struct bestdag_scorer_scratch **scratches; /* owns; [threads] */
    bool *ended;                               /* owns; [n]: ended by the memory
                                                  cap */
    struct scored_before *scored_before;       /* owns; [n] */
};

struct climb { /* the state of a child */
    struct bestdag_levels *levels;
    struct bestdag_scorer_scratch *scratch;
    struct bestdag_scored_sets *scored_sets;
    int child; /* place - from */
    struct bestdag_tier now, next;
    int set[BESTDAG_SET_MOST], variable[BESTDAG_SET_MOST]; /* the present set */
    int64_t subset[BESTDAG_SET_MOST]; /* index in `now` of the set without its
                                         i-th member */
    int *ahead;                       /* owns; [n]: variables to count together
                                         .. */
    int aheads;                       /* .. and their number; ahead NULL: all
                                         rows are local */
    int64_t scored, all_scored;       /* not yet reported; in total */
    int64_t reported;                 /* sets reported to progress */
    int64_t cap;                      /* bytes of a tier; 0: no limit */
    bool capped;                      /* the cap was reached */
    bool ended;                       /* by the cap, or by its time limit */
    double deadline;                  /* 0: none */
    int64_t steps;                    /* sets traced */
    struct bestdag_buffer trace;
};

/* Finds the present set's subsets; false: one is not alive. *best: their best
 * score. */
static bool find_subsets(struct climb *c, int count, int64_t *best)
{
    uint16_t less[BESTDAG_SET_MOST];
    *best = INT64_MIN / 4;
    for (int y = 0; y < count; y++) {
        for (int i = 0, j = 0; i < count; i++)
            if (i != y)
                less[j++] = (uint16_t)c->set[i];
        int64_t i = c->subset[y] = bestdag_tier_find(&c->now, less);
        if (i < 0)
            return false;
        *best = c->now.best[i] > *best ? c->now.best[i] : *best;
    }
    return true;
}

/* The entropy rule; parents is joint(P), or BESTDAG_ABSENT if not known yet.
 * with_more: for proper supersets. */
static bool is_dead_by_entropy(const struct climb *c, int count,
                               int64_t parents, bool with_more)
{
    const struct bestdag_scorer *s = c->levels->scorer;
    int child = bestdag_levels_variable(c->levels, c->child);
    double joint = bestdag_scorer_joint_states(s, c->variable, count);
    for (int y = 0; y < count; y++) {
        int states = s->states[c->variable[y]];
        int64_t r = c->now.joint[c->subset[y]];
        int64_t cost =
            with_more ? bestdag_levels_cost_with_more(
                            c->levels, s->states[child], states, joint / states)
                      : bestdag_cost_on_top(s, s->states[child], states,
                                            joint / states);
        if (r != BESTDAG_ABSENT &&
            bestdag_prune_by_entropy(r, r + c->now.likelihood[c->subset[y]],
                                     parents, cost))
            return true;
    }
    return false;
}

/* Are all proper supersets excluded? `best` includes the set's own score. */
static bool is_barren(const struct climb *c, int count, int64_t parents,
                      int64_t penalty, int64_t best)
{
    const struct bestdag_levels *l = c->levels;
    int child = bestdag_levels_variable(l, c->child);
    if (l->kind != BESTDAG_PRUNE_PENALTY)
        return false;
    double joint = bestdag_scorer_joint_states(l->scorer, c->variable, count);
    return bestdag_prune_by_penalty(
               bestdag_levels_penalty_more(l, child, penalty, joint), best) ||
           is_dead_by_entropy(c, count, parents, true);
}

static int keep(struct climb *c, int count, const struct bestdag_family *f,
                int64_t penalty, int64_t best)
{
    struct bestdag_levels *l = c->levels;
    int64_t values[] = {f->score > best ? f->score : best, f->parents_joint,
                        f->likelihood};
    if ((!l->job->prune || f->score > best) &&
        bestdag_scored_sets_add(l->run, c->scored_sets, &l->keys, c->set, count,
                                f->score))
        return BESTDAG_MEMORY;
    return is_barren(c, count, f->parents_joint, penalty, values[0])
               ? BESTDAG_OK
               : bestdag_tier_add(l->run, &c->next, c->set, values);
}

/* Do the rules not exclude the present set before counting? */
static bool is_worth_counting(struct climb *c, int count, int64_t best)
{
    const struct bestdag_levels *l = c->levels;
    int child = bestdag_levels_variable(l, c->child);
    for (int i = 0; i < count; i++)
        c->variable[i] = bestdag_levels_variable(l, c->set[i]);
    int64_t penalty =
        bestdag_scorer_penalty(l->scorer, child, c->variable, count);
    return penalty < BESTDAG_UNITS_MOST &&
           !(l->kind == BESTDAG_PRUNE_PENALTY &&
             (bestdag_prune_by_penalty(penalty, best) ||
              is_dead_by_entropy(c, count, BESTDAG_ABSENT, false)));
}

/* Scores the present set, of `count` members, all of whose subsets are
 * alive. */
static int try_set(struct climb *c, int count, int64_t best)
{
    struct bestdag_levels *l = c->levels;
    struct bestdag_family f;
    int child = bestdag_levels_variable(l, c->child);
    if (!is_worth_counting(c, count, best))
        return BESTDAG_OK;
    int64_t penalty =
        bestdag_scorer_penalty(l->scorer, child, c->variable, count);
    if (bestdag_scorer_family(l->scorer, c->scratch, child, c->variable, count,
                              &f))
        return BESTDAG_MEMORY;
    c->scored++;
    if (l->job->trace)
        bestdag_trace_add(&c->trace, ++c->steps, count,
                          bestdag_scorer_nats(l->scorer, f.score));
    if (bestdag_scorer_lacks(l->scorer, child, f.score))
        return BESTDAG_OK;
    if (l->kind == BESTDAG_PRUNE_URN &&
        best >= bestdag_urn_bound(l->scorer, child, count, f.cells))
        return BESTDAG_OK;
    if (l->kind == BESTDAG_PRUNE_PENALTY &&
        is_dead_by_entropy(c, count, f.parents_joint, false))
        return BESTDAG_OK;
    return keep(c, count, &f, penalty, best);
}

/* Updates progress and checks the clock. */
static void report_levels(struct climb *c)
{
    c->levels->scored += c->scored;
    c->all_scored += c->scored;
    c->levels->kept += c->scored_sets->count - c->reported;
    c->scored = 0;
    c->reported = c->scored_sets->count;
    bestdag_levels_check_time(c->levels);
}

static bool must_end(struct climb *c)
{
    if (c->scored >= BATCH)
        report_levels(c);
    if (c->cap && c->next.count * bytes_a_set(c->next.size) > c->cap)
        c->ended = c->capped = true;
    if (c->deadline > 0 && !(c->steps % LOOK) &&
        bestdag_seconds() >= c->deadline)
        c->ended = true;
    return c->ended || bestdag_run_stopped(c->levels->run);
}

static bool may_be_parent(const struct climb *c, int place)
{
    return place != c->child &&
           bestdag_levels_allow(c->levels, c->child, place);
}

/* If rows are spread over ranks: counts the sets that join() makes from one set
 * together: its members plus one of c->ahead. */
static int count_ahead(struct climb *c, int size)
{
    for (int i = 0; i < size; i++)
        c->variable[i] = bestdag_levels_variable(c->levels, c->set[i]);
    struct bestdag_parents_ahead ahead = {
        .child = bestdag_levels_variable(c->levels, c->child),
        .parents = c->variable,
        .count = size,
        .last = c->ahead,
        .lasts = c->aheads};
    c->aheads = 0;
    return ahead.lasts
               ? bestdag_scorer_ahead(c->levels->scorer, c->scratch, &ahead)
               : BESTDAG_OK;
}

static int count_singles_ahead(struct climb *c)
{
    if (!c->ahead)
        return BESTDAG_OK;
    for (int place = 0; place < c->levels->n; place++) {
        c->set[0] = place;
        c->subset[0] = 0;
        if (may_be_parent(c, place) && is_worth_counting(c, 1, c->now.best[0]))
            c->ahead[c->aheads++] = bestdag_levels_variable(c->levels, place);
    }
    return count_ahead(c, 0);
}

/* The i-th set is in c->set. */
static int count_joins_ahead(struct climb *c, int64_t i)
{
    const struct bestdag_tier *t = &c->now;
    int size = t->size;
    size_t shared = (size_t)(size - 1) * sizeof *t->member;
    if (!c->ahead)
        return BESTDAG_OK;
    for (int64_t j = i + 1; j < t->count; j++) {
        const uint16_t *b = t->member + j * size;
        int64_t best;
        if (memcmp(t->member + i * size, b, shared))
            break;
        c->set[size] = b[size - 1];
        if (find_subsets(c, size + 1, &best) &&
            is_worth_counting(c, size + 1, best))
            c->ahead[c->aheads++] =
                bestdag_levels_variable(c->levels, b[size - 1]);
    }
    return count_ahead(c, size);
}

static int join_singles(struct climb *c)
{
    if (count_singles_ahead(c))
        return BESTDAG_MEMORY;
    for (int place = 0; place < c->levels->n; place++) {
        if (must_end(c))
            break;
        c->set[0] = place;
        c->subset[0] = 0;
        if (may_be_parent(c, place) && try_set(c, 1, c->now.best[0]))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

static int join(struct climb *c)
{
    const struct bestdag_tier *t = &c->now;
    int size = t->size;
    size_t shared = (size_t)(size - 1) * sizeof *t->member;
    for (int64_t i = 0; i < t->count; i++) {
        const uint16_t *a = t->member + i * size;
        for (int k = 0; k < size; k++)
            c->set[k] = a[k];
        if (count_joins_ahead(c, i))
            return BESTDAG_MEMORY;
        for (int64_t j = i + 1; j < t->count; j++) {
            const uint16_t *b = t->member + j * size;
            int64_t best;
            if (memcmp(a, b, shared) || must_end(c))
                break;
            c->set[size] = b[size - 1];
            if (find_subsets(c, size + 1, &best) && try_set(c, size + 1, best))
                return BESTDAG_MEMORY;
        }
        if (must_end(c))
            break;
    }
    return BESTDAG_OK;
}

/* From sets of size now.size to those with one more member. */
static int climb_level(struct climb *c)
{
    c->next = (struct bestdag_tier){.size = c->now.size + 1};
    if (bestdag_tier_index(c->levels->run, &c->now))
        return BESTDAG_MEMORY;
    int status = c->now.size ? join(c) : join_singles(c);
    bestdag_tier_release(&c->now);
    c->now = c->next;
    c->next = (struct bestdag_tier){0};
    return status;
}

static int try_empty(struct climb *c)
{
    c->next.size = 0;
    int status = try_set(c, 0, INT64_MIN / 4);
    c->now = c->next;
    c->next = (struct bestdag_tier){0};
    return status;
}

static int climb(struct climb *c, int size)
{
    struct bestdag_levels *l = c->levels;
    int limit = l->limit[c->child];
    int most = limit < BESTDAG_SET_MOST ? limit : BESTDAG_SET_MOST - 1;
    if (limit < 0)
        return BESTDAG_OK;
    if (!size) {
        if (try_empty(c))
            return BESTDAG_MEMORY;
        size = 1;
    }
    for (; size <= most && c->now.count; size++) {
        if (climb_level(c))
            return BESTDAG_MEMORY;
        if (c->ended || bestdag_run_stopped(l->run)) {
            l->incomplete[c->child] = size; /* even if no set is alive so far */
            return BESTDAG_OK;
        }
    }
    if (c->now.count && size <= limit)
        l->incomplete[c->child] = size;
    return BESTDAG_OK;
}

static int take(void *job, int64_t item)
{
    const struct job *j = job;
    (void)item;
    bestdag_levels_report(j->levels);
    return BESTDAG_OK;
}

static int pass(void *job, int64_t item, struct bestdag_archive *p)
{
    struct job *j = job;
    struct bestdag_levels *l = j->levels;
    struct scored_before *scored_before = &j->scored_before[item];
    bool opens = bestdag_archive_opens(p);
    char **trace = l->job->trace
                       ? &l->job->trace[bestdag_levels_variable(l, (int)item)]
                       : NULL;
    struct bestdag_scored_sets *sets =
        opens ? bestdag_levels_sent(l, (int)item)
              : &l->scored_sets[(int64_t)scored_before->worker * l->n + item];
    int64_t kept = sets->count - scored_before->sets;
    BESTDAG_PASS(p, l->incomplete[item]);
    BESTDAG_PASS(p, j->ended[item]);
    BESTDAG_PASS(p, scored_before->scored);
    BESTDAG_PASS(p, kept);
    if (trace)
        bestdag_archive_text(p, l->run, trace);
    if (opens) {
        l->scored += scored_before->scored;
        l->kept += kept;
    }
    return bestdag_scored_sets_pass(l->run, sets, scored_before->sets, p);
}

static int work(void *job, int64_t item, int worker)
{
    struct job *j = job;
    struct bestdag_levels *l = j->levels;
    struct climb *c = bestdag_calloc(l->run, 1, sizeof *c);
    if (!c)
        return BESTDAG_MEMORY;
    c->levels = l;
    c->scratch = j->scratches[worker];
    c->scored_sets = &l->scored_sets[(int64_t)worker * l->n + item];
    c->reported = c->scored_sets->count;
    j->scored_before[item] =
        (struct scored_before){.worker = worker, .sets = c->scored_sets->count};
    c->child = (int)item;
    c->cap = bestdag_memory_limit(l->run) / 16;
    c->trace.run = l->run;
    if (l->scorer->columns && bestdag_columns_are_sharded(l->scorer->columns)) {
        c->ahead = bestdag_alloc(l->run, (size_t)l->n * sizeof *c->ahead);
        if (!c->ahead) {
            bestdag_free(c);
            return BESTDAG_MEMORY;
        }
    }
    if (l->job->seconds > 0)
        c->deadline = bestdag_seconds() + l->job->seconds;
    int status = BESTDAG_OK;
    if (j->dense)
        status = bestdag_dense_tier(l->run, j->dense, c->child, &c->now);
    l->incomplete[item] = j->size; /* until it is complete */
    if (!status) {
        l->incomplete[item] = -1;
        status = climb(c, j->size);
    }
    j->ended[item] = c->capped;
    if (l->job->trace && !status)
        l->job->trace[bestdag_levels_variable(l, c->child)] =
            bestdag_buffer_take(&c->trace);
    bestdag_buffer_release(&c->trace);
    report_levels(c);
    j->scored_before[item].scored = c->all_scored;
    bestdag_tier_release(&c->now);
    bestdag_tier_release(&c->next);
    bestdag_free(c->ahead);
    bestdag_free(c);
    return status;
}

/* Prints one note about all children that the cap ended. */
static void note_ended(const struct job *j)
{
    const struct bestdag_levels *l = j->levels;
    int count = 0, first = 0;
    char limit[32];
    for (int x = l->n - 1; x >= 0; x--)
        if (j->ended[x]) {
            count++;
            first = x;
        }
    if (!count)
        return;
    int v = bestdag_levels_variable(l, first);
    bestdag_size_format(bestdag_memory_limit(l->run), limit);
    bestdag_note(l->run, 0,
                 "the sets of %d of %d variables ('%s'%s) would take more than "
                 "a sixteenth of the memory limit (%s): their lists end early "
                 "and are not complete",
                 count, l->n, l->scorer->table->column[v].name,
                 count > 1 ? ", ..." : "", limit);
}

int bestdag_sparse_run(struct bestdag_levels *levels,
                       const struct bestdag_dense *dense, int size)
{
    struct bestdag_run *run = levels->run;
    struct job j = {.levels = levels, .dense = dense, .size = size};
    struct bestdag_work w = {.job = &j,
                             .items = levels->n,
                             .work = work,
                             .take = take,
                             .pass = pass};
    j.ended = bestdag_calloc(run, (size_t)levels->n, sizeof *j.ended);
    j.scored_before =
        bestdag_calloc(run, (size_t)levels->n, sizeof *j.scored_before);
    j.scratches =
        bestdag_calloc(run, (size_t)levels->threads, sizeof *j.scratches);
    for (int i = 0; j.scratches && i < levels->threads; i++)
        j.scratches[i] = bestdag_scorer_scratch_new(run, levels->scorer);
    for (int x = 0; x < levels->n; x++)
        levels->incomplete[x] = /* until its turn */
            levels->limit[x] < size ? -1 : size;
    int status = bestdag_run_status(run);
    if (!status) {
        bestdag_run_phase(run, "scoring", levels->n);
        bestdag_levels_report(levels);
        status = bestdag_parallel(run, &w, NULL);
        note_ended(&j);
    }
    for (int i = 0; j.scratches && i < levels->threads; i++)
        bestdag_scorer_scratch_free(j.scratches[i]);
    bestdag_free(j.scratches);
    bestdag_free(j.ended);
    bestdag_free(j.scored_before);
    return status;
}
