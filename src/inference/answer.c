/* SPDX-License-Identifier: MIT */
/* answer.c -- the answers of a session, by the method that suits. */
#include <math.h>

#include "inference/session.h"

/* Below this much work only the junction tree is considered. */
static const double CHEAP = 1e6;
/* Cost of one multiplication of an elimination, which still has to be planned,
 * in multiplications of the tree. */
static const double ELIMINATION_PRICE = 4;

/* ---- evidence ------------------------------------------------------------ */

/* As collect_evidence(), but fails if the evidence is impossible. */
static int get_ready(struct bestdag_run *run, struct bestdag_session *s)
{
    if (bestdag_tree_evidence(run, s))
        return bestdag_run_status(run);
    if (!(s->ln > -INFINITY))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the evidence has probability 0");
    return BESTDAG_OK;
}

static bool has_tree(const struct bestdag_session *s)
{
    return s->engine->method == BESTDAG_BY_TREE;
}

/* Clears an out-of-memory or out-of-time error, so that a method that needs
 * less can be tried; returns whether it did. */
static bool gives_up(struct bestdag_run *run, const struct bestdag_session *s)
{
    char text[256];
    bool is_late = bestdag_run_status(run) == BESTDAG_FAILED &&
                   s->engine->method == BESTDAG_BY_SAMPLING;
    if (bestdag_run_status(run) != BESTDAG_MEMORY && !is_late)
        return false;
    bestdag_run_recover(run, text, sizeof text);
    return true;
}

/* Work that all eliminations for this evidence together may take; after that,
 * the engine's own method computes all answers at once. */
static double most_eliminated(struct bestdag_run *run,
                              const struct bestdag_session *s)
{
    double most = bestdag_most_work(run);
    switch (s->engine->method) {
    case BESTDAG_BY_CONDITIONING:
        return fmin(s->engine->work, most);
    case BESTDAG_BY_SAMPLING:
        return run->time_limit > 0 ? most / 2
                                   : most; /* leaves time to sample */
    default:
        return most;
    }
}

static bool fits(const struct bestdag_session *s,
                 const struct bestdag_reduction *r)
{
    return (double)r->bytes / sizeof(double) <= s->engine->most_numbers;
}

/* ln P(evidence) by elimination, if that fits; *done: it did. */
static int eliminate_all(struct bestdag_run *run, struct bestdag_session *s,
                         double *ln, bool *done)
{
    struct bestdag_reduction r;
    double one;
    *done = false;
    if (s->engine->is_sampled)
        return BESTDAG_OK;
    if (!bestdag_joint_plan(run, s->joint, &s->evidence, false, NULL, 0, &r) &&
        r.work + s->spent < bestdag_most_work(run) && fits(s, &r)) {
        s->method = BESTDAG_BY_ELIMINATION;
        s->spent += r.work;
        *done = !bestdag_joint_finish(run, &r, &one, 1, ln);
    }
    bestdag_reduction_release(&r);
    *ln += bestdag_evidence_scale(&s->evidence);
    return gives_up(run, s) ? BESTDAG_OK : bestdag_run_status(run);
}

/* Samples, unless only exact answers are wanted. */
static int sample(struct bestdag_run *run, struct bestdag_session *s, int count,
                  struct bestdag_totals *joint)
{
    if (s->engine->is_exact)
        return bestdag_fail(run, BESTDAG_MEMORY,
                            "exact inference needs tables of %.3g numbers",
                            s->engine->total);
    return bestdag_session_sample(run, s, s->asked, count, joint);
}

/* Computes s->all by conditioning or by sampling. */
static int find_all(struct bestdag_run *run, struct bestdag_session *s)
{
    bool fit;
    s->method = s->engine->method;
    if (s->has_all)
        return BESTDAG_OK;
    if (s->method == BESTDAG_BY_CONDITIONING)
        return bestdag_session_condition(run, s, 0, NULL, &fit);
    return sample(run, s, 0, NULL);
}

/* Makes room for the standard errors of an answer of that many numbers. */
static int make_errors(struct bestdag_run *run, struct bestdag_session *s,
                       int64_t count)
{
    if (count > s->error_room) {
        double *error =
            bestdag_realloc(run, s->error, (size_t)count * sizeof *error);
        if (!error)
            return bestdag_run_status(run);
        s->error = error;
        s->error_room = count;
    }
    s->errors = count;
    return BESTDAG_OK;
}

/* Computes the standard error of ln P(evidence) from the sampled weights. */
static int sampled_evidence(struct bestdag_run *run, struct bestdag_session *s)
{
    if (s->method != BESTDAG_BY_SAMPLING || make_errors(run, s, 1))
        return bestdag_run_status(run);
    s->error[0] = bestdag_totals_error(&s->all);
    return BESTDAG_OK;
}

double bestdag_session_evidence(struct bestdag_run *run,
                                struct bestdag_session *session)
{
    struct bestdag_session *s = session;
    double ln = 0;
    bool done;
    if (bestdag_lacks(run, s, "session"))
        return NAN;
    s->errors = 0;
    if (has_tree(s)) {
        s->method = BESTDAG_BY_TREE;
        return bestdag_tree_evidence(run, s) ? NAN : s->ln;
    }
    if (!s->has_all && eliminate_all(run, s, &ln, &done))
        return NAN;
    if (!s->has_all && done)
        return ln;
    return find_all(run, s) || sampled_evidence(run, s) ? NAN : s->ln;
}

/* ---- probabilities ------------------------------------------------------- */

/* Checks the variables asked for; s->asked gets their numbers in the engine. */
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

/* Answers by elimination if its work is below `limit` (INFINITY: always);
 * *done: it did. */
static int eliminate(struct bestdag_run *run, struct bestdag_session *s,
                     const int *variables, int count, double *to, int64_t room,
                     double limit, bool *done)
{
    struct bestdag_reduction r;
    double ln = 0;
    *done = false;
    if (!bestdag_joint_plan(run, s->joint, &s->evidence, true, variables, count,
                            &r) &&
        ELIMINATION_PRICE * r.work + s->spent < limit &&
        (limit == INFINITY || fits(s, &r))) {
        *done = true;
        s->method = BESTDAG_BY_ELIMINATION;
        s->spent += ELIMINATION_PRICE * r.work;
        bestdag_joint_finish(run, &r, to, room, &ln);
    }
    bestdag_reduction_release(&r);
    if (limit < INFINITY && gives_up(run, s))
        *done = false; /* another method can be tried */
    if (!bestdag_run_status(run) && !(ln > -INFINITY))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the evidence has probability 0");
    return bestdag_run_status(run);
}

/* Work of all messages that this evidence needs. It does not depend on earlier
 * answers: they must not influence the choice of method. */
static double pending_work(struct bestdag_run *run, struct bestdag_session *s)
{
    if (s->is_ready)
        return 0;
    bestdag_messages_set(run, s->p, &s->evidence, s->engine->of, NULL,
                         BESTDAG_SUM_PRODUCT);
    return bestdag_messages_work(s->p);
}

/* Does the evidence allow this joint state of s->asked[count]? */
static bool is_allowed(const struct bestdag_session *s, int count, int64_t cell)
{
    const struct bestdag_evidence *e = &s->evidence;
    for (int i = count - 1; i >= 0; i--) {
        int v = s->engine->of[s->asked[i]];
        int states = bestdag_evidence_states(e, v);
        int state = (int)(cell % states);
        cell /= states;
        if ((e->doing[v] >= 0 && e->doing[v] != state) ||
            (e->known[v] && !(bestdag_evidence_of(e, v)[state] > 0)))
            return false;
    }
    return true;
}

/* States that the evidence decides have no error. */
static void clear_errors(struct bestdag_session *s, int count, int64_t room)
{
    int64_t allowed = 0;
    for (int64_t i = 0; i < room; i++)
        if (is_allowed(s, count, i))
            allowed++;
        else
            s->error[i] = 0;
    for (int64_t i = 0; allowed == 1 && i < room; i++)
        s->error[i] = 0;
}

/* Writes the probabilities from s->all or from a joint of s->asked[count], with
 * standard errors if they were sampled. */
static int take_shares(struct bestdag_run *run, struct bestdag_session *s,
                       const struct bestdag_totals *t, int64_t first, int count,
                       double *to, int64_t room)
{
    bool sampled = s->method == BESTDAG_BY_SAMPLING;
    if (!(t->sum > 0))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the evidence has probability 0");
    if (sampled && make_errors(run, s, room))
        return bestdag_run_status(run);
    for (int64_t i = 0; i < room; i++) {
        double error;
        to[i] = bestdag_totals_share(t, first + i, &error);
        if (sampled)
            s->error[i] = error;
    }
    if (sampled)
        clear_errors(s, count, room);
    return BESTDAG_OK;
}

/* Computes a joint by conditioning or, if no clique contains it, by
 * sampling. */
static int ask_joint(struct bestdag_run *run, struct bestdag_session *s,
                     int count, double *to, int64_t room)
{
    struct bestdag_totals joint;
    bool fit = false;
    if (!bestdag_totals_new(run, room, &joint)) {
        if (s->engine->method == BESTDAG_BY_CONDITIONING)
            bestdag_session_condition(run, s, count, &joint, &fit);
        if (!fit && !bestdag_run_status(run)) {
            bestdag_totals_clear(&joint);
            sample(run, s, count, &joint);
            if (s->p)
                s->has_all = false; /* conditioning gives exact ones */
        }
        if (!bestdag_run_status(run))
            take_shares(run, s, &joint, 0, count, to, room);
    }
    bestdag_totals_release(&joint);
    return bestdag_run_status(run);
}

/* Answers without a junction tree of the whole network. */
static int ask_otherwise(struct bestdag_run *run, struct bestdag_session *s,
                         const int *variables, int count, double *to,
                         int64_t room)
{
    bool done = false;
    if (!s->engine->is_sampled && (!s->has_all || count != 1) &&
        eliminate(run, s, variables, count, to, room, most_eliminated(run, s),
                  &done))
        return bestdag_run_status(run);
    if (done)
        return BESTDAG_OK;
    if (count != 1)
        return ask_joint(run, s, count, to, room);
    if (find_all(run, s))
        return bestdag_run_status(run);
    return take_shares(run, s, &s->all, s->engine->offset[s->asked[0]], 1, to,
                       room);
}

int bestdag_session_joint(struct bestdag_run *run,
                          struct bestdag_session *session, const int *variables,
                          int count, double *to, int64_t room)
{
    struct bestdag_session *s = session;
    bool done;
    if (bestdag_lacks(run, s, "session") ||
        (count > 0 && bestdag_lacks(run, variables, "list of variables")) ||
        bestdag_lacks(run, to, "place for the probabilities") ||
        list_asked(run, s, variables, count, room))
        return bestdag_run_status(run);
    s->errors = 0;
    if (!has_tree(s))
        return ask_otherwise(run, s, variables, count, to, room);
    double pending = pending_work(run, s);
    if (pending > CHEAP &&
        (eliminate(run, s, variables, count, to, room, pending, &done) || done))
        return bestdag_run_status(run);
    if (get_ready(run, s) ||
        bestdag_tree_joint(run, s, count, to, room, CHEAP, &done) || done)
        return bestdag_run_status(run);
    return eliminate(run, s, variables, count, to, room, INFINITY, &done);
}

int bestdag_session_marginal(struct bestdag_run *run,
                             struct bestdag_session *session, int variable,
                             double *to, int room)
{
    return bestdag_session_joint(run, session, &variable, 1, to, room);
}

/* ---- explanations -------------------------------------------------------- */

/* Explains all variables. */
static int explain_all(struct bestdag_run *run, struct bestdag_session *s,
                       int count, int best, int *states, double *ln)
{
    const struct bestdag_engine *e = s->engine;
    size_t n = (size_t)e->n, rooms = (size_t)best * n;
    bool takes = best > 1 || !has_tree(s); /* s->states is the cutset's */
    int *own = takes ? bestdag_alloc(run, rooms * sizeof *own) : s->states;
    int found = -1;
    s->is_ready = false;
    s->method = e->method;
    if (own && e->method == BESTDAG_BY_CONDITIONING)
        found = bestdag_session_condition_explain(run, s, best, own, ln);
    else if (own)
        found = bestdag_explain(run, s->p, &s->evidence, e->of, NULL, best, own,
                                ln);
    for (int k = 0; k < found; k++)
        for (int v = 0; v < count; v++)
            states[(size_t)k * (size_t)count + (size_t)v] =
                e->local[v] < 0 ? -1 : own[(size_t)k * n + (size_t)e->local[v]];
    if (takes)
        bestdag_free(own);
    return found;
}

static int explain(struct bestdag_run *run, struct bestdag_session *s,
                   const int *variables, int count, int best, int *states,
                   double *ln)
{
    if (variables && list_asked(run, s, variables, count, -1))
        return -1;
    s->errors = 0;
    if (!variables && s->p)
        return explain_all(run, s, count, best, states, ln);
    if (!variables && s->engine->is_sampled) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "the most probable explanation cannot be sampled "
                     "(--inference sampling)");
        return -1;
    }
    if (!variables) {
        bestdag_fail(run, BESTDAG_MEMORY,
                     "the most probable explanation needs tables of %.3g "
                     "numbers, and cannot be sampled",
                     s->engine->total);
        return -1;
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

/* ---- conflicts ----------------------------------------------------------- */

/* Is the evidence possible, by max-product? *is_known: this could be computed;
 * with a tree it always can. */
static bool is_possible(struct bestdag_run *run, struct bestdag_session *s,
                        bool *is_known)
{
    double ln = -INFINITY;
    *is_known = true;
    if (has_tree(s))
        bestdag_tree_collect(run, s, BESTDAG_MAX_PRODUCT, &ln);
    else if (s->p)
        return bestdag_session_condition_possible(run, s);
    else
        eliminate_all(run, s, &ln, is_known);
    return ln > -INFINITY;
}

enum { NOTHING = -2 };

/* Drops items of evidence one by one as long as the rest stays impossible. An
 * item for which this cannot be decided is kept. */
int bestdag_session_conflict(struct bestdag_run *run,
                             struct bestdag_session *session, int *variables,
                             int room)
{
    if (bestdag_lacks(run, session, "session"))
        return -1;
    struct bestdag_evidence *e = &session->evidence;
    int *seen = session->asked, count = 0; /* seen[]: of the dropped items */
    bool is_known;
    session->is_ready = false;
    if (is_possible(run, session, &is_known) && is_known)
        return bestdag_run_status(run) ? -1 : 0;
    if (!is_known && !bestdag_run_status(run))
        bestdag_fail(run, BESTDAG_MEMORY,
                     "which evidence contradicts which needs tables of %.3g "
                     "numbers, and cannot be sampled",
                     session->engine->total);
    if (bestdag_run_status(run))
        return -1;
    for (int v = 0; v < e->n; v++) {
        bool known = e->known[v];
        seen[v] = e->seen[v];
        e->known[v] = false;
        e->seen[v] = -1;
        session->spent = 0;
        if (!known || (!is_possible(run, session, &is_known) && is_known)) {
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

/* ---- about the answer ---------------------------------------------------- */

const char *bestdag_session_method(const struct bestdag_session *session)
{
    return session ? bestdag_method_name(session->method) : "";
}

double bestdag_session_sample_size(const struct bestdag_session *session)
{
    bool sampled = session && session->method == BESTDAG_BY_SAMPLING;
    return sampled ? bestdag_totals_size(&session->all) : 0;
}

int bestdag_session_errors(struct bestdag_run *run,
                           const struct bestdag_session *session, double *to,
                           int64_t room)
{
    if (bestdag_lacks(run, session, "session") ||
        bestdag_lacks(run, to, "place for the errors"))
        return bestdag_run_status(run);
    for (int64_t i = 0; i < room; i++)
        to[i] = i < session->errors ? session->error[i] : 0;
    return BESTDAG_OK;
}
