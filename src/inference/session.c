/* SPDX-License-Identifier: MIT */
/* session.c -- evidence in, answers out. */
#include "inference/session.h"

#include <math.h>
#include <string.h>

struct bestdag_session *bestdag_session_new(struct bestdag_run *run,
                                            const struct bestdag_engine *engine)
{
    if (bestdag_lacks(run, engine, "engine"))
        return NULL;
    struct bestdag_session *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    s->engine = engine;
    s->joint = bestdag_joint_new(run, engine->network, true);
    if (!s->joint || bestdag_evidence_new(run, engine->network, &s->evidence)) {
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
    bestdag_joint_free(session->joint);
    bestdag_free(session);
}

const struct bestdag_evidence *bestdag_session_known(
    const struct bestdag_session *session)
{
    return &session->evidence;
}

/* ---- evidence --------------------------------------------------------------
 */

static int check(struct bestdag_run *run, const struct bestdag_session *s,
                 int v, int state)
{
    if (bestdag_lacks(run, s, "session"))
        return bestdag_run_status(run);
    if (v < 0 || v >= s->evidence.n)
        return bestdag_fail(run, BESTDAG_USAGE, "there is no variable %d", v);
    if (state >= bestdag_evidence_states(&s->evidence, v))
        return bestdag_fail(run, BESTDAG_USAGE, "variable '%s' has no state %d",
                            s->engine->network->variable[v].name, state);
    return BESTDAG_OK;
}

void bestdag_session_clear(struct bestdag_session *session)
{
    if (session)
        bestdag_evidence_clear(&session->evidence);
}

int bestdag_session_observe(struct bestdag_run *run,
                            struct bestdag_session *session, int variable,
                            int state)
{
    if (!check(run, session, variable, state))
        bestdag_evidence_observe(&session->evidence, variable, state);
    return bestdag_run_status(run);
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
    size_t all = (size_t)bestdag_evidence_states(&session->evidence, variable);
    double *weight = bestdag_calloc(run, all, sizeof *weight);
    if (!weight)
        return bestdag_run_status(run);
    for (int i = 0; i < count; i++)
        if (states[i] >= 0)
            weight[states[i]] = 1;
    bestdag_evidence_weigh(&session->evidence, variable, weight);
    bestdag_free(weight);
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
    bestdag_evidence_weigh(&session->evidence, variable, likelihood);
    return BESTDAG_OK;
}

int bestdag_session_intervene(struct bestdag_run *run,
                              struct bestdag_session *session, int variable,
                              int state)
{
    if (!check(run, session, variable, state))
        bestdag_evidence_intervene(&session->evidence, variable, state);
    return bestdag_run_status(run);
}

/* ---- answers ---------------------------------------------------------------
 */

double bestdag_session_evidence(struct bestdag_run *run,
                                struct bestdag_session *session)
{
    double one, ln;
    if (bestdag_lacks(run, session, "session") ||
        bestdag_joint_given(run, session->joint, &session->evidence, NULL, 0,
                            &one, 1, &ln))
        return NAN;
    return ln;
}

int bestdag_session_joint(struct bestdag_run *run,
                          struct bestdag_session *session, const int *variables,
                          int count, double *to, int64_t room)
{
    double ln;
    if (bestdag_lacks(run, session, "session") ||
        (count > 0 && bestdag_lacks(run, variables, "list of variables")) ||
        bestdag_lacks(run, to, "place for the probabilities") ||
        bestdag_joint_given(run, session->joint, &session->evidence, variables,
                            count, to, room, &ln))
        return bestdag_run_status(run);
    if (isinf(ln))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the evidence has probability 0");
    return BESTDAG_OK;
}

int bestdag_session_marginal(struct bestdag_run *run,
                             struct bestdag_session *session, int variable,
                             double *to, int room)
{
    return bestdag_session_joint(run, session, &variable, 1, to, room);
}

/* ---- explanations, one assignment after the other --------------------------
 */

struct ranking {
    int best, found, count;
    int *states;
    double *ln;
};

static void insert(struct ranking *r, const int *states, double ln)
{
    int at = r->found;
    while (at > 0 && r->ln[at - 1] < ln)
        at--;
    if (at == r->best)
        return;
    if (r->found < r->best)
        r->found++;
    for (int k = r->found - 1; k > at; k--) {
        r->ln[k] = r->ln[k - 1];
        memcpy(r->states + (size_t)k * (size_t)r->count,
               r->states + (size_t)(k - 1) * (size_t)r->count,
               (size_t)r->count * sizeof *states);
    }
    r->ln[at] = ln;
    memcpy(r->states + (size_t)at * (size_t)r->count, states,
           (size_t)r->count * sizeof *states);
}

int bestdag_session_explain(struct bestdag_run *run,
                            struct bestdag_session *session,
                            const int *variables, int count, int best,
                            int *states, double *ln_p)
{
    if (bestdag_lacks(run, session, "session"))
        return -1;
    const struct bestdag_evidence *e = &session->evidence;
    int64_t cells = 1;
    int *all = bestdag_alloc(run, ((size_t)count + 1) * 2 * sizeof *all);
    for (int i = 0; all && i < count; i++) {
        all[i] = variables ? variables[i] : i;
        if (check(run, session, all[i], -1))
            break;
        cells *= bestdag_evidence_states(e, all[i]);
        if (cells > 1 << 22) {
            bestdag_fail(run, BESTDAG_MEMORY, "too many assignments");
            break;
        }
    }
    double ln, *joint = bestdag_alloc(run, (size_t)cells * sizeof *joint);
    struct ranking r = {best, 0, count, states, ln_p};
    if (!bestdag_run_status(run) &&
        !bestdag_joint_given(run, session->joint, e, all, count, joint, cells,
                             &ln))
        for (int64_t c = 0; c < cells; c++) {
            int64_t rest = c;
            for (int i = count - 1; i >= 0; i--) {
                int k = bestdag_evidence_states(e, all[i]);
                all[count + i] = (int)(rest % k);
                rest /= k;
            }
            if (joint[c] > 0)
                insert(&r, all + count, log(joint[c]) + ln);
        }
    bestdag_free(all);
    bestdag_free(joint);
    return bestdag_run_status(run) ? -1 : r.found;
}

/* ---- conflicts -------------------------------------------------------------
 */

int bestdag_session_conflict(struct bestdag_run *run,
                             struct bestdag_session *session, int *variables,
                             int room)
{
    if (bestdag_lacks(run, session, "session"))
        return -1;
    struct bestdag_evidence *e = &session->evidence;
    int count = 0;
    bool *known = bestdag_alloc(run, (size_t)e->n * sizeof *known);
    if (!known)
        return -1;
    memcpy(known, e->known, (size_t)e->n * sizeof *known);
    bool possible = !isinf(bestdag_session_evidence(run, session));
    for (int v = 0; !possible && v < e->n; v++) {
        if (!e->known[v])
            continue;
        e->known[v] = false;
        if (isinf(bestdag_session_evidence(run, session)))
            continue;
        e->known[v] = true;
        if (count < room)
            variables[count] = v;
        count++;
    }
    memcpy(e->known, known, (size_t)e->n * sizeof *known);
    bestdag_free(known);
    return bestdag_run_status(run) ? -1 : count;
}

/* ---- about the answer ------------------------------------------------------
 */

const char *bestdag_session_method(const struct bestdag_session *session)
{
    return session ? "variable elimination" : "";
}

double bestdag_session_sample_size(const struct bestdag_session *session)
{
    (void)session;
    return 0;
}

int bestdag_session_errors(struct bestdag_run *run,
                           const struct bestdag_session *session, double *to,
                           int64_t room)
{
    if (bestdag_lacks(run, session, "session") ||
        bestdag_lacks(run, to, "place for the errors"))
        return bestdag_run_status(run);
    memset(to, 0, (size_t)room * sizeof *to);
    return BESTDAG_OK;
}
