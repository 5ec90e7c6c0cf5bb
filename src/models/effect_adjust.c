/* SPDX-License-Identifier: MIT */
/* effect_adjust.c -- an effect in one graph, by adjustment.
 *
 * Let x be the cause, y the effect, d what was seen of descendants of x, and g
 * what was seen of others. With a set Z from graph/adjustment.h for x and {y} +
 * d given g
 *
 *     P(y, d | do(x), g) = sum over z of P(y, d | x, z, g) P(z | g),
 *
 * from which P(y | do(x), d, g) follows by division. If y is no descendant of
 * x, it belongs to what is given: Z is for x and d given g + {y}, and
 *
 *     P(y, d | do(x), g) = sum over z of P(d | x, y, z, g) P(y, z | g),
 *
 * which without d is P(y | g), for any x. All of it is in two tables of the
 * network's distribution: of x, y, Z with all that was seen, and with g alone.
 * So the graph may be any whose tables give this distribution, as those of the
 * equivalence class do.
 *
 * A likelihood on a variable (its states are not known, only weighed) is a
 * finding on a child of the variable that is not in the graph. On a descendant
 * of x it belongs to d. On another variable it cannot be conditioned on, but
 * the variable can: it joins Z, found as if it were given, and the likelihood
 * weighs the states of Z.
 *
 * Where a possible state of Z never occurs with a state of x, P(y | do(x)) is
 * not determined: the answer is NaN.
 *
 * Memory and time: states of x, y and Z multiplied, and the inference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/adjustment.h"
#include "graph/reach.h"
#include "models/effect.h"

struct adjuster {
    struct bestdag_run *run;
    const struct bestdag_effect_question *q;
    const struct bestdag_dag *dag;
    struct bestdag_effect *to;
    struct bestdag_adjacency children; /* owns */
    bool *below;                       /* owns; [n]: x and its descendants */
    enum bestdag_role *role;           /* owns; [n] */
    bool has_later;                    /* some evidence is on descendants */
    int *axis, axes;                   /* owns; x, y, Z */
    int64_t cells;                     /* states of Z */
};

/* ---- the set ------------------------------------------------------------- */

static int find_below(struct adjuster *a)
{
    a->below[a->q->cause] = true;
    bestdag_reach_mark_descendants(a->run, &a->children, a->below);
    for (int i = 0; i < a->q->count; i++)
        a->has_later |= a->below[a->q->seen[i]];
    a->to->reaches = a->below[a->q->effect];
    return bestdag_run_status(a->run);
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Adds the variables with likelihoods that are not descendants of x. */
static void add_weighed(struct adjuster *a)
{
    const struct bestdag_effect_question *q = a->q;
    for (int i = 0; i < q->count && a->to->size >= 0; i++)
        if (q->state[i] < 0 && !a->below[q->seen[i]])
            a->to->set[a->to->size++] = q->seen[i];
    if (a->to->size > 1)
        qsort(a->to->set, (size_t)a->to->size, sizeof *a->to->set, ascending);
}

/* Finds Z for y and the evidence on descendants of x; if there is such evidence
 * and y is no descendant, y is given instead. */
static int find_set(struct adjuster *a)
{
    const struct bestdag_effect_question *q = a->q;
    struct bestdag_d_question graph = {a->dag, &a->children, a->role};
    bool is_given = !a->to->reaches && a->has_later;
    a->role[q->cause] = BESTDAG_ROLE_FROM;
    a->role[q->effect] = is_given ? BESTDAG_ROLE_GIVEN : BESTDAG_ROLE_TO;
    for (int i = 0; i < q->count; i++)
        a->role[q->seen[i]] =
            a->below[q->seen[i]] ? BESTDAG_ROLE_TO : BESTDAG_ROLE_GIVEN;
    if (!bestdag_adjustment_find(a->run, &graph, a->to->set, &a->to->size))
        add_weighed(a);
    return bestdag_run_status(a->run);
}

static int prepare(struct adjuster *a)
{
    size_t n = (size_t)a->dag->n;
    const struct bestdag_parents *p = &a->dag->parents[a->q->cause];
    a->below = bestdag_calloc(a->run, n, sizeof *a->below);
    a->role = bestdag_calloc(a->run, n, sizeof *a->role);
    a->axis = bestdag_alloc(a->run, (n + 2) * sizeof *a->axis);
    a->to->set = bestdag_alloc(a->run, n * sizeof *a->to->set);
    a->to->parents =
        bestdag_alloc(a->run, ((size_t)p->count + 1) * sizeof *p->at);
    bestdag_adjacency_of_children(a->run, a->dag, &a->children);
    if (bestdag_run_status(a->run))
        return bestdag_run_status(a->run);
    a->to->parent_count = p->count;
    if (p->count)
        memcpy(a->to->parents, p->at, (size_t)p->count * sizeof *p->at);
    if (find_below(a))
        return bestdag_run_status(a->run);
    return find_set(a);
}

/* ---- the tables ---------------------------------------------------------- */

/* Chooses the axes of the tables; without an effect Z is not needed. */
static int choose_axes(struct adjuster *a)
{
    const struct bestdag_variable *variable = a->q->network->variable;
    a->axes = 2;
    a->axis[0] = a->q->cause;
    a->axis[1] = a->q->effect;
    a->cells = 1;
    for (int i = 0; i < a->to->size && (a->to->reaches || a->has_later); i++) {
        a->axis[a->axes++] = a->to->set[i];
        if (__builtin_mul_overflow(
                a->cells, (int64_t)variable[a->to->set[i]].states, &a->cells) ||
            a->cells > INT64_MAX / 64 / a->q->causes / a->q->effects)
            return bestdag_fail(a->run, BESTDAG_MEMORY,
                                "the table of %d variables to adjust for is "
                                "too large",
                                a->to->size);
    }
    return BESTDAG_OK;
}

static int observe(struct adjuster *a, struct bestdag_session *session,
                   bool is_all)
{
    bestdag_session_clear(session);
    for (int i = 0; i < a->q->count; i++)
        if (is_all || !a->below[a->q->seen[i]])
            bestdag_effect_observe(a->run, a->q, i, session);
    return bestdag_run_status(a->run);
}

/* Computes the table of x, y, Z given all evidence, or that on non-descendants
 * only; zeros if that is impossible. */
static int fill(struct adjuster *a, struct bestdag_session *session,
                bool is_all, double *to)
{
    int64_t room = a->cells * a->q->causes * a->q->effects;
    if (observe(a, session, is_all))
        return bestdag_run_status(a->run);
    double known = bestdag_session_evidence(a->run, session);
    if (isinf(known))
        memset(to, 0, (size_t)room * sizeof *to);
    else if (!bestdag_run_status(a->run))
        bestdag_session_joint(a->run, session, a->axis, a->axes, to, room);
    a->to->sampled |= bestdag_session_sample_size(session) > 0;
    return bestdag_run_status(a->run);
}

/* An engine for the variables that are asked about or observed. */
static struct bestdag_engine *new_engine(struct adjuster *a)
{
    int count = a->axes;
    int *all = bestdag_alloc(a->run, ((size_t)count + (size_t)a->q->count) *
                                         sizeof *all);
    struct bestdag_engine *engine = NULL;
    if (all) {
        memcpy(all, a->axis, (size_t)count * sizeof *all);
        for (int i = 0; i < a->q->count; i++)
            all[count++] = a->q->seen[i];
        engine = bestdag_engine_new(a->run, a->q->network, all, count,
                                    a->q->options);
    }
    bestdag_free(all);
    return engine;
}

static int fill_both(struct adjuster *a, double *all, double *before)
{
    struct bestdag_engine *engine = new_engine(a);
    struct bestdag_session *session =
        engine ? bestdag_session_new(a->run, engine) : NULL;
    int64_t room = a->cells * a->q->causes * a->q->effects;
    if (session && !fill(a, session, true, all)) {
        if (a->has_later)
            fill(a, session, false, before);
        else
            memcpy(before, all, (size_t)room * sizeof *before);
    }
    bestdag_session_free(session);
    bestdag_engine_free(engine);
    return bestdag_run_status(a->run);
}

/* ---- adjustment ---------------------------------------------------------- */

/* Sums y out of a table. */
static void sum_effect(const struct adjuster *a, double *table)
{
    int64_t cells = a->cells, k = a->q->effects;
    for (int x = 0; x < a->q->causes; x++)
        for (int64_t z = 0; z < cells; z++) {
            double sum = 0;
            for (int64_t y = 0; y < k; y++)
                sum += table[((int64_t)x * k + y) * cells + z];
            table[(int64_t)x * cells + z] = sum;
        }
}

/* The sum over x for a context: a state of Z, or of y and Z. */
static double total(const struct adjuster *a, const double *before,
                    int64_t contexts, int64_t context)
{
    double sum = 0;
    for (int x = 0; x < a->q->causes; x++)
        sum += before[(int64_t)x * contexts + context];
    return sum;
}

/* Writes P(y, seen | do(x)) up to a factor that is the same for all y. before:
 * weights of the contexts. */
static void adjust(struct adjuster *a, const double *all, const double *before,
                   int x)
{
    int64_t k = a->q->effects, cells = a->cells;
    int64_t contexts = a->to->reaches ? cells : k * cells;
    double *to = a->to->p + x * k;
    for (int64_t y = 0; y < k; y++)
        to[y] = 0;
    for (int64_t y = 0; y < k; y++)
        for (int64_t z = 0; z < cells; z++) {
            int64_t c = a->to->reaches ? z : y * cells + z;
            double with = before[x * contexts + c];
            double of_context = total(a, before, contexts, c);
            if (!a->to->reaches && !a->has_later)
                to[y] += of_context;
            else if (with > 0)
                to[y] += all[(x * k + y) * cells + z] / with * of_context;
            else if (of_context > 0)
                to[y] = NAN; /* stays NaN */
        }
}

static void normalise(double *p, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += p[i];
    for (int i = 0; i < count; i++)
        p[i] = sum > 0 ? p[i] / sum : NAN;
}

static int compute(struct adjuster *a)
{
    int causes = a->q->causes, effects = a->q->effects;
    if (choose_axes(a))
        return bestdag_run_status(a->run);
    int64_t room = a->cells * causes * effects;
    if (bestdag_reserve(a->run, 16 * room, "adjusting"))
        return bestdag_run_status(a->run);
    double *all = bestdag_alloc(a->run, (size_t)room * sizeof *all);
    double *before = bestdag_alloc(a->run, (size_t)room * sizeof *before);
    a->to->p = bestdag_alloc(a->run, (size_t)causes * (size_t)effects *
                                         sizeof *a->to->p);
    if (all && before && a->to->p && !fill_both(a, all, before)) {
        if (a->to->reaches)
            sum_effect(a, before);
        for (int x = 0; x < causes; x++) {
            adjust(a, all, before, x);
            normalise(a->to->p + (int64_t)x * effects, effects);
        }
    }
    bestdag_free(all);
    bestdag_free(before);
    return bestdag_run_status(a->run);
}

int bestdag_effect_adjust(struct bestdag_run *run,
                          const struct bestdag_effect_question *question,
                          const struct bestdag_dag *dag, bool computes,
                          struct bestdag_effect *to)
{
    struct adjuster a = {.run = run, .q = question, .dag = dag, .to = to};
    if (!prepare(&a) && computes)
        compute(&a);
    bestdag_adjacency_release(&a.children);
    bestdag_free(a.below);
    bestdag_free(a.role);
    bestdag_free(a.axis);
    return bestdag_run_status(run);
}

void bestdag_effect_release(struct bestdag_effect *effect)
{
    bestdag_free(effect->parents);
    bestdag_free(effect->set);
    bestdag_free(effect->p);
    *effect = (struct bestdag_effect){0};
}
