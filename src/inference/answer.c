/* SPDX-License-Identifier: MIT */
/* answer.c -- the answers of a session, by the method that suits.
 *
 * With a junction tree, numbers are doubles as long as none comes near to
 * underflow. If one does, or the evidence seems impossible, max-product with
 * logarithms says whether it is, and if not, logarithms are used for all. */
#include <math.h>
#include <string.h>

#include "inference/session.h"

/* Work below which no other method than the tree is considered. */
static const double CHEAP = 1e6;
/* Of a multiplication of an elimination, which has no plan to begin with, in
 * multiplications of the tree. */
static const double ELIMINATION_PRICE = 4;

/* ---- evidence --------------------------------------------------------------
 */

static int collect(struct bestdag_run *run, struct bestdag_session *s,
                   enum bestdag_algebra algebra, double *ln)
{
    bestdag_propagation_set(run, s->p, &s->evidence, s->engine->of, NULL,
                            algebra);
    return bestdag_propagation_collect(s->p, ln);
}

/* With logarithms, after doubles have underflowed, or may have. */
static int collect_wide(struct bestdag_run *run, struct bestdag_session *s)
{
    if (collect(run, s, BESTDAG_MAX_PRODUCT, &s->ln))
        return bestdag_run_status(run);
    if (!(s->ln > -INFINITY))
        return BESTDAG_OK;
    return collect(run, s, BESTDAG_LOG_SUM, &s->ln);
}

int bestdag_session_ready(struct bestdag_run *run, struct bestdag_session *s)
{
    if (s->is_ready)
        return BESTDAG_OK;
    if (collect(run, s, BESTDAG_SUM_PRODUCT, &s->ln) ||
        ((s->p->is_tiny || !(s->ln > -INFINITY)) && collect_wide(run, s)))
        return bestdag_run_status(run);
    s->ln += bestdag_evidence_scale(&s->evidence);
    s->is_ready = true;
    return BESTDAG_OK;
}

/* Fails if it is impossible. */
static int get_ready(struct bestdag_run *run, struct bestdag_session *s)
{
    if (bestdag_session_ready(run, s))
        return bestdag_run_status(run);
    if (!(s->ln > -INFINITY))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the evidence has probability 0");
    return BESTDAG_OK;
}

static double eliminate_all(struct bestdag_run *run, struct bestdag_session *s)
{
    struct bestdag_reduction r;
    double one, ln = NAN;
    s->method = BESTDAG_BY_ELIMINATION;
    if (!bestdag_joint_plan(run, s->joint, &s->evidence, false, NULL, 0, &r))
        bestdag_joint_finish(run, &r, &one, 1, &ln);
    bestdag_reduction_release(&r);
    return ln + bestdag_evidence_scale(&s->evidence);
}

double bestdag_session_evidence(struct bestdag_run *run,
                                struct bestdag_session *session)
{
    if (bestdag_lacks(run, session, "session"))
        return NAN;
    if (!session->p)
        return eliminate_all(run, session);
    return bestdag_session_ready(run, session) ? NAN : session->ln;
}

/* ---- probabilities ---------------------------------------------------------
 */

/* Checks what is asked; s->asked: the engine's numbers of the variables. */
static int list_asked(struct bestdag_run *run, struct bestdag_session *s,
                      const int *variables, int count, int64_t room)
{
    const struct bestdag_engine *e = s->engine;
    int64_t cells = 1;
    if (count < 0 || count > s->evidence.n)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "there are %d variables, not %d", s->evidence.n,
                            count);
    for (int i = 0; i < count; i++) {
        int v = variables[i];
        if (v < 0 || v >= s->evidence.n)
            return bestdag_fail(run, BESTDAG_USAGE, "there is no variable %d",
                                v);
        s->asked[i] = e->local[v];
        if (s->asked[i] < 0)
            return bestdag_fail(run, BESTDAG_USAGE,
                                "variable '%s' is not among those that the "
                                "engine was made for",
                                e->network->variable[v].name);
        for (int k = 0; k < i; k++)
            if (s->asked[k] == s->asked[i])
                return bestdag_fail(run, BESTDAG_USAGE,
                                    "variable '%s' is requested twice",
                                    e->network->variable[v].name);
        if (__builtin_mul_overflow(cells, e->states[s->asked[i]], &cells))
            cells = INT64_MAX;
    }
    if (room >= 0 && cells != room)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "the joint probability of %d variables has %lld "
                            "numbers, there is room for %lld",
                            count, (long long)cells, (long long)room);
    return BESTDAG_OK;
}

/* By elimination: always, or if that is cheaper than the messages that the tree
 * lacks; *done: it was. */
static int eliminate(struct bestdag_run *run, struct bestdag_session *s,
                     const int *variables, int count, double *to, int64_t room,
                     double limit, bool *done)
{
    struct bestdag_reduction r;
    double ln = 0;
    *done = false;
    if (!bestdag_joint_plan(run, s->joint, &s->evidence, true, variables, count,
                            &r) &&
        ELIMINATION_PRICE * r.work + s->spent < limit) {
        *done = true;
        s->method = BESTDAG_BY_ELIMINATION;
        s->spent += ELIMINATION_PRICE * r.work;
        bestdag_joint_finish(run, &r, to, room, &ln);
    }
    bestdag_reduction_release(&r);
    if (limit < INFINITY && bestdag_run_status(run) == BESTDAG_MEMORY) {
        char text[256]; /* the tree is there */
        *done = false;
        bestdag_run_recover(run, text, sizeof text);
    }
    if (!bestdag_run_status(run) && !(ln > -INFINITY))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the evidence has probability 0");
    return bestdag_run_status(run);
}

static int ask_tree(struct bestdag_run *run, struct bestdag_session *s,
                    int clique, int count, double *to, int64_t room)
{
    s->method = BESTDAG_BY_TREE;
    if (count == 1)
        return bestdag_propagation_marginal(s->p, s->asked[0], to);
    return bestdag_propagation_joint(s->p, clique, s->asked, count, to, room);
    (void)run;
}

/* Of the messages that this evidence lacks. */
static double pending_work(struct bestdag_run *run, struct bestdag_session *s)
{
    if (s->is_ready)
        return 0;
    bestdag_propagation_set(run, s->p, &s->evidence, s->engine->of, NULL,
                            BESTDAG_SUM_PRODUCT);
    return bestdag_propagation_pending(s->p);
}

int bestdag_session_joint(struct bestdag_run *run,
                          struct bestdag_session *session, const int *variables,
                          int count, double *to, int64_t room)
{
    struct bestdag_session *s = session;
    int clique = -1;
    bool done;
    if (bestdag_lacks(run, s, "session") ||
        (count > 0 && bestdag_lacks(run, variables, "list of variables")) ||
        bestdag_lacks(run, to, "place for the probabilities") ||
        list_asked(run, s, variables, count, room))
        return bestdag_run_status(run);
    double pending = s->p ? pending_work(run, s) : INFINITY;
    if (pending > CHEAP &&
        (eliminate(run, s, variables, count, to, room, pending, &done) || done))
        return bestdag_run_status(run);
    if (get_ready(run, s))
        return bestdag_run_status(run);
    if (count != 1)
        clique = bestdag_propagation_clique(s->p, s->asked, count);
    if (count != 1 && clique < 0)
        return eliminate(run, s, variables, count, to, room, INFINITY, &done);
    if (ask_tree(run, s, clique, count, to, room))
        return bestdag_run_status(run);
    if (!s->p->is_tiny || s->p->algebra != BESTDAG_SUM_PRODUCT)
        return BESTDAG_OK;
    if (collect_wide(run, s)) /* a number has come near to underflow */
        return bestdag_run_status(run);
    s->ln += bestdag_evidence_scale(&s->evidence);
    return ask_tree(run, s, clique, count, to, room);
}

int bestdag_session_marginal(struct bestdag_run *run,
                             struct bestdag_session *session, int variable,
                             double *to, int room)
{
    return bestdag_session_joint(run, session, &variable, 1, to, room);
}

/* ---- explanations ----------------------------------------------------------
 */

/* All variables. */
static int explain_all(struct bestdag_run *run, struct bestdag_session *s,
                       int count, int best, int *states, double *ln)
{
    const struct bestdag_engine *e = s->engine;
    size_t n = (size_t)e->n, rooms = (size_t)best * n;
    int *own = best > 1 ? bestdag_alloc(run, rooms * sizeof *own) : s->states;
    int found = -1;
    s->is_ready = false;
    s->method = BESTDAG_BY_TREE;
    if (own)
        found = bestdag_explain(run, s->p, &s->evidence, e->of, NULL, best, own,
                                ln);
    for (int k = 0; k < found; k++)
        for (int v = 0; v < count; v++)
            states[(size_t)k * (size_t)count + (size_t)v] =
                e->local[v] < 0 ? -1 : own[(size_t)k * n + (size_t)e->local[v]];
    if (best > 1)
        bestdag_free(own);
    return found;
}

static int explain(struct bestdag_run *run, struct bestdag_session *s,
                   const int *variables, int count, int best, int *states,
                   double *ln)
{
    if (variables && list_asked(run, s, variables, count, -1))
        return -1;
    if (!variables && s->p)
        return explain_all(run, s, count, best, states, ln);
    if (!variables) {
        variables = s->asked;
        for (int v = 0; v < count; v++)
            s->asked[v] = v;
    }
    s->method = BESTDAG_BY_ELIMINATION;
    return bestdag_session_map(run, s, variables, count, best, states, ln);
}

int bestdag_session_explain(struct bestdag_run *run,
                            struct bestdag_session *session,
                            const int *variables, int count, int best,
                            int *states, double *ln_p)
{
    if (bestdag_lacks(run, session, "session") ||
        bestdag_lacks(run, states, "place for the states") ||
        bestdag_lacks(run, ln_p, "place for the probabilities"))
        return -1;
    if (best < 1 || (!variables && count != session->evidence.n)) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "%d explanations of %d variables cannot be given", best,
                     count);
        return -1;
    }
    int found = explain(run, session, variables, count, best, states, ln_p);
    for (int k = 0; k < found; k++)
        ln_p[k] += bestdag_evidence_scale(&session->evidence);
    return found;
}

/* ---- conflicts -------------------------------------------------------------
 */

/* Is it possible, by max-product? */
static bool is_possible(struct bestdag_run *run, struct bestdag_session *s)
{
    double ln = -INFINITY;
    if (s->p)
        collect(run, s, BESTDAG_MAX_PRODUCT, &ln);
    else
        ln = bestdag_session_evidence(run, s);
    return ln > -INFINITY;
}

enum { NOTHING = -2 };

/* Leaves out what is not needed, one after the other. */
int bestdag_session_conflict(struct bestdag_run *run,
                             struct bestdag_session *session, int *variables,
                             int room)
{
    if (bestdag_lacks(run, session, "session"))
        return -1;
    struct bestdag_evidence *e = &session->evidence;
    int *seen = session->asked, count = 0; /* of what is left out */
    session->is_ready = false;
    if (is_possible(run, session))
        return bestdag_run_status(run) ? -1 : 0;
    for (int v = 0; v < e->n; v++) {
        bool known = e->known[v];
        seen[v] = e->seen[v];
        e->known[v] = false;
        e->seen[v] = -1;
        if (!known || !is_possible(run, session)) {
            seen[v] = known ? seen[v] : NOTHING;
            continue;
        }
        e->known[v] = true;
        e->seen[v] = seen[v];
        seen[v] = NOTHING;
        if (count < room)
            variables[count] = v;
        count++;
    }
    for (int v = 0; v < e->n; v++)
        if (seen[v] != NOTHING) {
            e->known[v] = true;
            e->seen[v] = seen[v];
        }
    return bestdag_run_status(run) ? -1 : count;
}

/* ---- about the answer ------------------------------------------------------
 */

const char *bestdag_session_method(const struct bestdag_session *session)
{
    return session ? bestdag_method_name(session->method) : "";
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
