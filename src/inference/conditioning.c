/* SPDX-License-Identifier: MIT */
/* conditioning.c -- exact inference by cutset conditioning.
 *
 * Once the cutset variables are fixed, the junction tree of the others is small
 * enough. It is propagated for each assignment c of the cutset (Pearl 1988,
 * Dechter 1990):
 *
 *     P(x, e) = sum over c of P(c, e) P(x | c, e)
 *
 * Cost: a propagation for each assignment that the evidence leaves open. */
#include <string.h>

#include "inference/session.h"

/* Steps to the next assignment of the cutset variables that the evidence leaves
 * open; false after the last. */
static bool next(const struct bestdag_session *s)
{
    const struct bestdag_engine *e = s->engine;
    for (int v = e->n - 1; v >= 0; v--) {
        int x = e->of[v];
        if (!e->cut[v] || s->evidence.doing[x] >= 0 || s->evidence.seen[x] >= 0)
            continue;
        if (++s->states[v] < e->states[v])
            return true;
        s->states[v] = 0;
    }
    return false;
}

static void begin(struct bestdag_session *s)
{
    const struct bestdag_engine *e = s->engine;
    for (int v = 0; v < e->n; v++) {
        int x = e->of[v], seen = s->evidence.seen[x];
        s->states[v] = s->evidence.doing[x] >= 0 ? s->evidence.doing[x]
                       : seen >= 0               ? seen
                                                 : 0;
    }
}

static int collect(struct bestdag_run *run, struct bestdag_session *s,
                   enum bestdag_algebra algebra, double *ln)
{
    bestdag_messages_set(run, s->p, &s->evidence, s->engine->of, s->states,
                         algebra);
    return bestdag_messages_collect(s->p, ln);
}

/* Collects for one assignment, with logarithms where doubles underflow. */
static int collect_safely(struct bestdag_run *run, struct bestdag_session *s,
                          double *ln)
{
    if (collect(run, s, BESTDAG_SUM_PRODUCT, ln) ||
        (!s->p->is_tiny && *ln > -INFINITY) ||
        collect(run, s, BESTDAG_MAX_PRODUCT, ln) || !(*ln > -INFINITY))
        return bestdag_run_status(run);
    return collect(run, s, BESTDAG_LOG_SUM, ln);
}

static int add_marginals(struct bestdag_run *run, struct bestdag_session *s,
                         double weight)
{
    const struct bestdag_engine *e = s->engine;
    for (int v = 0; v < e->n; v++) {
        if (bestdag_messages_marginal(s->p, v, s->weight))
            return bestdag_run_status(run);
        for (int k = 0; k < e->states[v]; k++)
            s->all.cell[e->offset[v] + k] += weight * s->weight[k];
    }
    return BESTDAG_OK;
}

/* Writes P(asked | c, e) to `part` and adds it to the joint. */
static int add_joint(struct bestdag_run *run, struct bestdag_session *s,
                     int clique, int count, double ln,
                     struct bestdag_totals *joint, double *part)
{
    double weight = bestdag_totals_weigh(joint, ln);
    if (bestdag_messages_joint(s->p, clique, s->asked, count, part,
                               joint->cells))
        return bestdag_run_status(run);
    for (int64_t i = 0; i < joint->cells; i++)
        joint->cell[i] += weight * part[i];
    return BESTDAG_OK;
}

int bestdag_session_condition(struct bestdag_run *run,
                              struct bestdag_session *s, int count,
                              struct bestdag_totals *joint, bool *fits)
{
    double *part =
        joint ? bestdag_alloc(run, (size_t)joint->cells * sizeof *part) : NULL;
    *fits = true;
    bestdag_totals_clear(&s->all);
    begin(s);
    do {
        double ln;
        if (collect_safely(run, s, &ln))
            break;
        double weight = bestdag_totals_weigh(&s->all, ln);
        if (!(ln > -INFINITY))
            continue;
        int clique =
            joint ? bestdag_messages_clique(s->p, s->asked, count) : -1;
        *fits = !joint || clique >= 0;
        if (joint && *fits)
            add_joint(run, s, clique, count, ln, joint, part);
        else if (!joint)
            add_marginals(run, s, weight);
    } while (*fits && !bestdag_run_status(run) && next(s));
    bestdag_free(part);
    s->is_ready = false;
    s->method = BESTDAG_BY_CONDITIONING;
    s->has_all = !joint && !bestdag_run_status(run);
    s->ln = s->all.sum > 0 ? s->all.most + log(s->all.sum) +
                                 bestdag_evidence_scale(&s->evidence)
                           : -INFINITY;
    return bestdag_run_status(run);
}

bool bestdag_session_condition_possible(struct bestdag_run *run,
                                        struct bestdag_session *s)
{
    begin(s);
    do {
        double ln = -INFINITY;
        if (collect(run, s, BESTDAG_MAX_PRODUCT, &ln) || ln > -INFINITY)
            return true;
    } while (next(s));
    return false;
}

/* ---- explanations -------------------------------------------------------- */

/* Merges the explanations of one assignment into the best so far. */
static int merge(int best, size_t n, int found, int *states, double *ln,
                 const int *other, const double *other_ln, int others)
{
    for (int k = 0; k < others; k++) {
        int at = found;
        while (at > 0 && ln[at - 1] < other_ln[k])
            at--;
        if (at == best)
            continue;
        found += found < best;
        size_t behind = (size_t)(found - 1 - at);
        memmove(ln + at + 1, ln + at, behind * sizeof *ln);
        memmove(states + (size_t)(at + 1) * n, states + (size_t)at * n,
                behind * n * sizeof *states);
        ln[at] = other_ln[k];
        memcpy(states + (size_t)at * n, other + (size_t)k * n,
               n * sizeof *states);
    }
    return found;
}

int bestdag_session_condition_explain(struct bestdag_run *run,
                                      struct bestdag_session *s, int best,
                                      int *states, double *ln)
{
    size_t n = (size_t)s->engine->n, rooms = (size_t)best;
    int *other = bestdag_alloc(run, rooms * n * sizeof *other);
    double *other_ln = bestdag_alloc(run, rooms * sizeof *other_ln);
    int found = 0;
    begin(s);
    if (other && other_ln)
        do {
            int others = bestdag_explain(run, s->p, &s->evidence, s->engine->of,
                                         s->states, best, other, other_ln);
            found = merge(best, n, found, states, ln, other, other_ln, others);
        } while (!bestdag_run_status(run) && next(s));
    bestdag_free(other);
    bestdag_free(other_ln);
    s->is_ready = false;
    s->method = BESTDAG_BY_CONDITIONING;
    return bestdag_run_status(run) ? -1 : found;
}
