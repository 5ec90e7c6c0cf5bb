/* SPDX-License-Identifier: MIT */
/* session.c -- evidence in, answers out. */
#include "inference/session.h"

#include <math.h>
#include <string.h>

static int take_memory(struct bestdag_run *run, struct bestdag_session *s)
{
    const struct bestdag_engine *e = s->engine;
    const struct bestdag_network *net = e->network;
    size_t n = (size_t)net->dag->n, widest = 1;
    int *states = bestdag_alloc(run, n * sizeof *states);
    for (size_t v = 0; states && v < n; v++) {
        states[v] = net->variable[v].states;
        widest = (size_t)states[v] > widest ? (size_t)states[v] : widest;
    }
    if (states && !bestdag_evidence_new(run, (int)n, states, &s->evidence))
        bestdag_evidence_new(run, (int)n, states, &s->kept);
    bestdag_free(states);
    s->joint = bestdag_joint_new(run, net, true);
    s->asked = bestdag_alloc(run, n * sizeof *s->asked);
    s->states = bestdag_alloc(run, (size_t)e->n * sizeof *s->states);
    s->weight = bestdag_alloc(run, widest * sizeof *s->weight);
    if (e->method != BESTDAG_BY_TREE)
        bestdag_totals_new(run, e->offset[e->n], &s->all);
    if (e->tree && !bestdag_run_status(run) &&
        !bestdag_reserve(run, (int64_t)e->bytes, "inference"))
        s->p = bestdag_messages_new(run, e->tree);
    return bestdag_run_status(run);
}

struct bestdag_session *bestdag_session_new(struct bestdag_run *run,
                                            const struct bestdag_engine *engine)
{
    if (bestdag_lacks(run, engine, "engine"))
        return NULL;
    struct bestdag_session *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    s->engine = engine;
    s->method = engine->method;
    if (take_memory(run, s)) {
        bestdag_session_free(s);
        return NULL;
    }
    return s;
}

void bestdag_session_free(struct bestdag_session *session)
{
    if (!session)
        return;
    bestdag_evidence_release(&session->evidence);
    bestdag_evidence_release(&session->kept);
    bestdag_joint_free(session->joint);
    bestdag_messages_free(session->p);
    bestdag_free(session->asked);
    bestdag_free(session->states);
    bestdag_free(session->weight);
    bestdag_free(session->error);
    bestdag_totals_release(&session->all);
    bestdag_free(session);
}

const struct bestdag_evidence *bestdag_session_known(
    const struct bestdag_session *session)
{
    return &session->evidence;
}

/* ---- evidence ------------------------------------------------------------ */

/* Checks that v is in the engine and has this state. */
static int check(struct bestdag_run *run, const struct bestdag_session *s,
                 int v, int state)
{
    if (bestdag_lacks(run, s, "session"))
        return bestdag_run_status(run);
    if (v < 0 || v >= s->evidence.n)
        return bestdag_fail(run, BESTDAG_USAGE, "there is no variable %d", v);
    if (s->engine->local[v] < 0)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "variable '%s' is not among those that the engine "
                            "was made for",
                            s->engine->network->variable[v].name);
    if (state >= bestdag_evidence_states(&s->evidence, v))
        return bestdag_fail(run, BESTDAG_USAGE, "variable '%s' has no state %d",
                            s->engine->network->variable[v].name, state);
    return BESTDAG_OK;
}

/* Drops the answers, as the evidence changes. */
static void forget(struct bestdag_session *s)
{
    s->is_ready = s->has_all = false;
    s->spent = 0;
}

void bestdag_session_clear(struct bestdag_session *session)
{
    if (!session)
        return;
    bestdag_evidence_clear(&session->evidence);
    forget(session);
}

int bestdag_session_observe(struct bestdag_run *run,
                            struct bestdag_session *session, int variable,
                            int state)
{
    if (check(run, session, variable, state))
        return bestdag_run_status(run);
    bestdag_evidence_observe(&session->evidence, variable, state);
    forget(session);
    return BESTDAG_OK;
}

int bestdag_session_allow(struct bestdag_run *run,
                          struct bestdag_session *session, int variable,
                          const int *states, int count)
{
    if (check(run, session, variable, -1) ||
        bestdag_lacks(run, states, "list of states"))
        return bestdag_run_status(run);
    for (int i = 0; i < count; i++)
        if (check(run, session, variable, states[i]))
            return bestdag_run_status(run);
    int all = bestdag_evidence_states(&session->evidence, variable);
    for (int i = 0; i < all; i++)
        session->weight[i] = 0;
    for (int i = 0; i < count; i++)
        if (states[i] >= 0)
            session->weight[states[i]] = 1;
    bestdag_evidence_weigh(&session->evidence, variable, session->weight);
    forget(session);
    return BESTDAG_OK;
}

int bestdag_session_weigh(struct bestdag_run *run,
                          struct bestdag_session *session, int variable,
                          const double *likelihood, int count)
{
    if (check(run, session, variable, -1) ||
        bestdag_lacks(run, likelihood, "likelihood"))
        return bestdag_run_status(run);
    const char *name = session->engine->network->variable[variable].name;
    int states = bestdag_evidence_states(&session->evidence, variable);
    if (count != states)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "variable '%s' has %d states, the likelihood has "
                            "%d numbers",
                            name, states, count);
    for (int i = 0; i < count; i++)
        if (!(likelihood[i] >= 0 && isfinite(likelihood[i])))
            return bestdag_fail(run, BESTDAG_USAGE,
                                "the likelihood of variable '%s' has a number "
                                "that is negative or not finite",
                                name);
    bestdag_evidence_likelihood(&session->evidence, variable, likelihood);
    forget(session);
    return BESTDAG_OK;
}

int bestdag_session_intervene(struct bestdag_run *run,
                              struct bestdag_session *session, int variable,
                              int state)
{
    if (check(run, session, variable, state))
        return bestdag_run_status(run);
    bestdag_evidence_intervene(&session->evidence, variable, state);
    forget(session);
    return BESTDAG_OK;
}
