/* SPDX-License-Identifier: MIT */
/* tree_answer.c -- what the junction tree of a session answers.
 *
 * Numbers are doubles as long as none comes near to underflow. If one does, or
 * the evidence seems impossible, max-product with logarithms says whether it
 * is, and if not, logarithms are used for all.
 *
 * Variables that no clique holds together are put in each of their joint states
 * in turn, all but the last, whose marginal is read:
 *
 *     P(a, b | e) = P(a, e) / P(e) P(b | a, e)
 *
 * Nothing is allocated. */
#include <math.h>

#include "inference/session.h"

/* ---- evidence ------------------------------------------------------------ */

int bestdag_tree_collect(struct bestdag_run *run, struct bestdag_session *s,
                         enum bestdag_algebra algebra, double *ln)
{
    bestdag_messages_set(run, s->p, &s->evidence, s->engine->of, NULL, algebra);
    return bestdag_messages_collect(s->p, ln);
}

/* With logarithms, after doubles have underflowed, or may have. */
static int collect_wide(struct bestdag_run *run, struct bestdag_session *s)
{
    if (bestdag_tree_collect(run, s, BESTDAG_MAX_PRODUCT, &s->ln))
        return bestdag_run_status(run);
    if (!(s->ln > -INFINITY))
        return BESTDAG_OK;
    return bestdag_tree_collect(run, s, BESTDAG_LOG_SUM, &s->ln);
}

int bestdag_tree_evidence(struct bestdag_run *run, struct bestdag_session *s)
{
    if (s->is_ready)
        return BESTDAG_OK;
    if (bestdag_tree_collect(run, s, BESTDAG_SUM_PRODUCT, &s->ln) ||
        ((s->p->is_tiny || !(s->ln > -INFINITY)) && collect_wide(run, s)))
        return bestdag_run_status(run);
    s->ln += bestdag_evidence_scale(&s->evidence);
    s->is_ready = true;
    return BESTDAG_OK;
}

/* ---- in a clique --------------------------------------------------------- */

static int ask(struct bestdag_session *s, int clique, const int *asked,
               int count, double *to, int64_t room)
{
    if (count == 1)
        return bestdag_messages_marginal(s->p, asked[0], to);
    return bestdag_messages_joint(s->p, clique, asked, count, to, room);
}

static int read_clique(struct bestdag_run *run, struct bestdag_session *s,
                       int clique, const int *asked, int count, double *to,
                       int64_t room)
{
    if (ask(s, clique, asked, count, to, room) || !s->p->is_tiny ||
        s->p->algebra != BESTDAG_SUM_PRODUCT)
        return bestdag_run_status(run);
    if (collect_wide(run, s)) /* a number has come near to underflow */
        return bestdag_run_status(run);
    s->ln += bestdag_evidence_scale(&s->evidence);
    return ask(s, clique, asked, count, to, room);
}

/* ---- in several cliques -------------------------------------------------- */

/* Leaves of the evidence on asked[count] a joint state of them. */
static void narrow(struct bestdag_session *s, int count, int64_t joint_state)
{
    for (int i = count - 1; i >= 0; i--) {
        int v = s->engine->of[s->asked[i]];
        int states = bestdag_evidence_states(&s->evidence, v);
        const double *given = bestdag_evidence_of(&s->kept, v);
        for (int k = 0; k < states; k++)
            s->weight[k] = k == joint_state % states ? given[k] : 0;
        bestdag_evidence_weigh(&s->evidence, v, s->weight);
        s->evidence.exponent[v] = s->kept.exponent[v];
        joint_state /= states;
    }
}

/* P(asked | evidence) of one joint state of all but the last. */
static int read_part(struct bestdag_run *run, struct bestdag_session *s,
                     int last, double whole, double *to, int states)
{
    s->is_ready = false;
    if (bestdag_tree_evidence(run, s))
        return bestdag_run_status(run);
    if (s->ln > -INFINITY &&
        read_clique(run, s, -1, &s->asked[last], 1, to, states))
        return bestdag_run_status(run);
    for (int k = 0; k < states; k++)
        to[k] = s->ln > -INFINITY ? to[k] * exp(s->ln - whole) : 0;
    return BESTDAG_OK;
}

static int read_parts(struct bestdag_run *run, struct bestdag_session *s,
                      int count, double *to, int64_t room)
{
    const struct bestdag_engine *e = s->engine;
    int last = count - 1, states = e->states[s->asked[last]], status = 0;
    double whole = s->ln;
    for (int i = 0; i < last; i++)
        bestdag_evidence_copy(&s->kept, e->of[s->asked[i]], &s->evidence,
                              e->of[s->asked[i]]);
    for (int64_t at = 0; at < room && !status; at += states) {
        narrow(s, last, at / states);
        status = read_part(run, s, last, whole, to + at, states);
    }
    for (int i = 0; i < last; i++)
        bestdag_evidence_copy(&s->evidence, e->of[s->asked[i]], &s->kept,
                              e->of[s->asked[i]]);
    s->is_ready = false;
    return status;
}

int bestdag_tree_joint(struct bestdag_run *run, struct bestdag_session *s,
                       int count, double *to, int64_t room, double most,
                       bool *done)
{
    int clique =
        count == 1 ? -1 : bestdag_messages_clique(s->p, s->asked, count);
    *done = true;
    s->method = BESTDAG_BY_TREE;
    if (count == 1 || clique >= 0)
        return read_clique(run, s, clique, s->asked, count, to, room);
    double parts = (double)room / s->engine->states[s->asked[count - 1]];
    *done = parts * bestdag_messages_work(s->p) <= most;
    return *done ? read_parts(run, s, count, to, room) : BESTDAG_OK;
}
