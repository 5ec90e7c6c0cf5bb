/* SPDX-License-Identifier: MIT */
/* obliged.c -- the parent sets of children of whom rules ask something: one
 * ascent (ascent.h) for each choice of marked parents, smaller choices first.
 *
 * A set may be left out for a subset in another class as well if both do the
 * same for the rules across children: marked parents that only rules about the
 * child itself name do not matter then. The list is made by a collector that
 * compares all sets of one kind: the same marked parents of rules across
 * children, and the same number of parents up to `settled`. The kind goes there
 * as a member beyond the variables.
 *
 * Time and memory: at least one family for every choice of marked parents that
 * the rules allow. */
#include "parents/obliged.h"

#include <math.h>
#include <string.h>

#include "constraints/compile.h"
#include "counts/ranks.h"
#include "parallel/parallel.h"
#include "parents/ascent.h"
#include "parents/cost.h"
#include "parents/universe.h"

/* More sets of one child that nothing prunes are too many to list. */
#define MOST_SETS 0x1p27

enum { MOST_BITS = 24 }; /* of a kind that is a mask of marked parents */

struct yield {
    int child;
    int64_t scored;
    bool final; /* not cut short by the end of the run */
};

struct hand { /* of a thread */
    struct bestdag_ascent ascent;
    int *marked; /* owns; [n]: candidates; those of rules across first */
    int *chosen; /* owns; [n]: of them */
    int marks, across, required;
    int kinds; /* used so far, where they are numbers */
};

struct job {
    struct bestdag_plan *plan;
    struct yield *yield; /* owns; of each item */
    struct hand *hand;   /* owns; of each thread */
    int threads;
};

/* ---- what the rules say ----------------------------------------------- */

static bool is_in_row(const struct bestdag_knowledge *k, uint64_t *rows, int v)
{
    const uint64_t *row = bestdag_knowledge_row(k, rows, v);
    return row && bestdag_row_next(row, k->words, 0) >= 0;
}

bool bestdag_knowledge_obliges(const struct bestdag_knowledge *k, int v)
{
    return is_in_row(k, k->required, v) || is_in_row(k, k->marked, v) ||
           k->settled[v] > 0 || k->local_start[v] < k->local_start[v + 1] ||
           bestdag_knowledge_on_path(k, v) || k->parameters[v];
}

int bestdag_plan_limits(struct bestdag_plan *plan)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    if (!k)
        return BESTDAG_OK;
    plan->limit =
        bestdag_alloc(plan->run, (size_t)plan->n * sizeof *plan->limit);
    for (int v = 0; plan->limit && v < plan->n; v++) {
        int most = k->most[v] < plan->n - 1 ? k->most[v] : -1;
        plan->limit[v] = plan->max_parents;
        if (most >= 0 && (plan->max_parents < 0 || most < plan->max_parents))
            plan->limit[v] = most;
    }
    return bestdag_run_status(plan->run);
}

/* Rules across children ask for this parent. */
static bool is_across(const struct bestdag_knowledge *k, int child, int parent)
{
    for (int64_t i = k->mark_start[child]; i < k->mark_start[child + 1]; i++)
        if (k->mark[i].kind == BESTDAG_FACT_HAS && k->mark[i].parent == parent)
            return true;
    return false;
}

double bestdag_obliged_sets(const struct bestdag_plan *plan, int child)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    bool all = bestdag_knowledge_on_path(k, child);
    int limit = bestdag_plan_limit(plan, child), required = 0, marks = 0;
    for (int v = 0; v < plan->n; v++)
        if (bestdag_knowledge_requires(k, child, v))
            required++;
        else if (bestdag_knowledge_allows(k, child, v))
            marks += all || bestdag_knowledge_marks(k, child, v);
    return bestdag_cost_sets(marks, limit < 0 ? plan->n : limit - required);
}

/* ---- one child --------------------------------------------------------- */

/* Constant columns are nobody's parents, unless the number of parents or a path
 * may need them. */
static bool takes_constants(const struct bestdag_ascent *a)
{
    const struct bestdag_knowledge *k = a->plan->knowledge;
    return a->settled > 0 || bestdag_knowledge_on_path(k, a->child);
}

static bool is_candidate(const struct bestdag_ascent *a, int v, int *next)
{
    const struct bestdag_plan *plan = a->plan;
    const int *states = plan->scorer->states;
    int count = bestdag_plan_candidates(plan, a->child);
    while (*next < count && bestdag_plan_candidate(plan, a->child, *next) < v)
        ++*next;
    if (states[v] < 2 || states[a->child] < 2)
        return takes_constants(a);
    return *next < count && bestdag_plan_candidate(plan, a->child, *next) == v;
}

static void sort_out(struct hand *h)
{
    struct bestdag_ascent *a = &h->ascent;
    const struct bestdag_knowledge *k = a->plan->knowledge;
    int next = 0, local = 0, *later = h->chosen;
    h->marks = h->required = 0;
    a->frees = 0;
    for (int v = 0; v < a->plan->n; v++) {
        if (!bestdag_knowledge_allows(k, a->child, v))
            continue;
        if (bestdag_knowledge_requires(k, a->child, v))
            a->base[h->required++] = v;
        else if (is_across(k, a->child, v))
            h->marked[h->marks++] = v;
        else if (bestdag_knowledge_marks(k, a->child, v))
            later[local++] = v;
        else if (is_candidate(a, v, &next))
            a->free[a->frees++] = v;
    }
    h->across = h->marks;
    for (int i = 0; i < local; i++)
        h->marked[h->marks++] = later[i];
}

static void start(struct hand *h, int child)
{
    struct bestdag_ascent *a = &h->ascent;
    const struct bestdag_plan *plan = a->plan;
    const struct bestdag_knowledge *k = plan->knowledge;
    const struct bestdag_scorer *s = plan->scorer;
    a->child = child;
    a->limit = bestdag_plan_limit(plan, child);
    if (a->limit < 0)
        a->limit = plan->n - 1;
    a->settled = k->settled[child];
    a->prunes = plan->prune && !bestdag_knowledge_on_path(k, child);
    a->kind = a->prunes && s->arc_cost >= 0 ? s->type->pruning
                                            : BESTDAG_PRUNE_DOMINATED;
    a->scored = a->bytes = 0;
    a->deadline = plan->seconds > 0 ? bestdag_seconds() + plan->seconds : 0;
    a->ended = false;
    h->kinds = 0;
    sort_out(h);
}

/* The member that stands for the kind of this class, less the number of
 * parents; -1: all sets are of one kind. */
static int kind_of(struct hand *h, int count)
{
    const struct bestdag_ascent *a = &h->ascent;
    const struct bestdag_knowledge *k = a->plan->knowledge;
    int mask = 0;
    if (!a->prunes || !bestdag_knowledge_signature_words(k, a->child))
        return -1;
    if (h->across > MOST_BITS || a->settled > 63) {
        h->kinds += a->settled + 1;
        return h->kinds - a->settled - 1;
    }
    for (int i = 0; i < count; i++)
        if (h->chosen[i] < h->across)
            mask |= 1 << h->chosen[i];
    return mask * (a->settled + 1);
}

/* The class of these marked parents. */
static int climb_class(struct hand *h, int count, int64_t ground)
{
    struct bestdag_ascent *a = &h->ascent;
    bool across = false;
    for (int i = 0; i < count; i++) {
        a->base[h->required + i] = h->marked[h->chosen[i]];
        across |= h->chosen[i] < h->across;
    }
    a->bases = h->required + count;
    a->mark = kind_of(h, count);
    a->floor = across || h->required < a->settled ? BESTDAG_FLOORLESS : ground;
    return bestdag_ascent_climb(a);
}

static int climb_classes(struct hand *h)
{
    struct bestdag_ascent *a = &h->ascent;
    int64_t ground = BESTDAG_FLOORLESS;
    int most = a->limit - h->required;
    for (int count = 0; count <= most && count <= h->marks; count++) {
        for (int i = 0; i < count; i++)
            h->chosen[i] = i;
        do {
            if (climb_class(h, count, ground))
                return BESTDAG_MEMORY;
            if (!count && a->prunes)
                ground = a->ground;
        } while (!a->ended && count &&
                 bestdag_rank_next(h->marks, h->chosen, count));
        if (a->ended)
            break;
    }
    return BESTDAG_OK;
}

/* Takes the member for the kind out of each set. */
static void strip(struct bestdag_list *list)
{
    for (int64_t i = 0, from = 0; i < list->count; i++) {
        int64_t next = list->start[i + 1], count = next - from - 1;
        memmove(list->member + list->start[i], list->member + from,
                (size_t)count * sizeof *list->member);
        list->start[i + 1] = list->start[i] + count;
        from = next;
    }
}

/* What a set that was not reached can score at most. */
static double bound(const struct hand *h)
{
    const struct bestdag_ascent *a = &h->ascent;
    const struct bestdag_scorer *s = a->scorer;
    double slack = ((double)s->total + 16) / s->scale;
    if (s->arc_cost < 0 || s->type->pruning == BESTDAG_PRUNE_DOMINATED)
        return INFINITY;
    if (s->type->pruning == BESTDAG_PRUNE_URN)
        return slack - log(s->states[a->child]) * (s->total > 0) -
               s->arc_cost * h->required;
    int64_t penalty = bestdag_scorer_penalty(s, a->child, a->base, h->required);
    return slack - bestdag_scorer_nats(s, penalty);
}

static int refuse(const struct hand *h)
{
    const struct bestdag_ascent *a = &h->ascent;
    const char *name = a->scorer->table->column[a->child].name;
    int most = a->plan->max_parents;
    if (most >= 0)
        return bestdag_fail(a->run, BESTDAG_INFEASIBLE,
                            "no parent set of '%s' with at most %d parents "
                            "(max-parents) satisfies the rules",
                            name, most);
    return bestdag_fail(a->run, BESTDAG_INFEASIBLE,
                        "no parent set of '%s' satisfies the rules", name);
}

static int find_child(struct hand *h, int child)
{
    struct bestdag_ascent *a = &h->ascent;
    struct bestdag_list *list = &a->plan->sets->list[child];
    start(h, child);
    if (climb_classes(h) ||
        bestdag_collector_finish(a->collector, a->prunes, list))
        return bestdag_run_status(a->run);
    if (!list->count && !a->ended)
        return refuse(h);
    if (a->mark >= 0)
        strip(list);
    double left_out = bestdag_universe_ceiling(a->plan, child);
    list->max_parents = a->plan->max_parents;
    list->ceiling = a->ended ? fmax(left_out, bound(h)) : left_out;
    return BESTDAG_OK;
}

/* ---- all children ------------------------------------------------------ */

static int work(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct hand *h = &job->hand[worker];
    struct yield *yield = &job->yield[item];
    int status = find_child(h, yield->child);
    yield->scored = h->ascent.scored;
    yield->final = !bestdag_run_stopped(h->ascent.run) || !h->ascent.ended;
    return status;
}

static int take(void *data, int64_t item)
{
    struct job *job = data;
    const struct yield *yield = &job->yield[item];
    if (yield->final)
        return bestdag_plan_finish(job->plan, yield->child, yield->scored);
    job->plan->sets->scored += yield->scored;
    return BESTDAG_OK;
}

static int prepare_hand(struct bestdag_plan *plan, struct hand *h)
{
    size_t n = (size_t)plan->n + 1;
    h->marked = bestdag_alloc(plan->run, n * sizeof *h->marked);
    h->chosen = bestdag_alloc(plan->run, n * sizeof *h->chosen);
    bestdag_ascent_init(&h->ascent, plan);
    return bestdag_run_status(plan->run);
}

static int prepare(struct job *job, int items)
{
    struct bestdag_plan *plan = job->plan;
    job->threads = bestdag_parallel_threads(plan->run, items);
    job->hand =
        bestdag_calloc(plan->run, (size_t)job->threads + 1, sizeof *job->hand);
    for (int i = 0; job->hand && i < job->threads; i++)
        prepare_hand(plan, &job->hand[i]);
    return bestdag_run_status(plan->run);
}

static void release(struct job *job)
{
    for (int i = 0; job->hand && i < job->threads; i++) {
        bestdag_ascent_release(&job->hand[i].ascent);
        bestdag_free(job->hand[i].marked);
        bestdag_free(job->hand[i].chosen);
    }
    bestdag_free(job->hand);
    bestdag_free(job->yield);
}

/* What an ancestor rule, or one across children, costs. */
static int weigh(struct bestdag_plan *plan, int child)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    bool path = bestdag_knowledge_on_path(k, child);
    int need = path ? 3 : 2;
    char place[128];
    double sets = bestdag_obliged_sets(plan, child);
    if (!plan->complete || sets <= MOST_SETS)
        return BESTDAG_OK;
    return bestdag_fail(
        plan->run, BESTDAG_USAGE,
        "'%s' rules (%s) keep %.2g parent sets of '%s' that pruning may not "
        "leave out: give --max-parents, or forbid arcs",
        bestdag_need_name(need),
        k->first[need] >= 0
            ? bestdag_rule_place(&k->rules->rule[k->first[need]], place)
            : "the first",
        sets, plan->scorer->table->column[child].name);
}

static void tell_paths(struct bestdag_plan *plan)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    int count = 0;
    for (int v = 0; v < plan->n; v++)
        count += bestdag_knowledge_on_path(k, v);
    if (count)
        bestdag_note(plan->run, 0,
                     "'ancestor' rules: no parent set of %d variables is left "
                     "out for a smaller one",
                     count);
}

int bestdag_obliged_find(struct bestdag_plan *plan)
{
    struct job job = {.plan = plan};
    struct bestdag_work w = {.job = &job, .work = work, .take = take};
    if (!plan->knowledge)
        return BESTDAG_OK;
    tell_paths(plan);
    job.yield =
        bestdag_calloc(plan->run, (size_t)plan->n + 1, sizeof *job.yield);
    for (int v = 0; job.yield && v < plan->n; v++)
        if (!plan->is_done[v] && bestdag_plan_obliges(plan, v)) {
            job.yield[w.items++].child = v;
            if (weigh(plan, v))
                break;
        }
    if (w.items && !bestdag_run_status(plan->run) &&
        !prepare(&job, (int)w.items)) {
        bestdag_run_phase(plan->run, "scoring", w.items);
        bestdag_parallel(plan->run, &w, NULL);
    }
    release(&job);
    return bestdag_run_status(plan->run);
}
