/* SPDX-License-Identifier: MIT */
/* query_answer.c -- the numbers of one answer: probability of the evidence,
 * marginals or joint, explanations; with standard errors where they were
 * sampled. */
#include <math.h>
#include <string.h>

#include "inference/session.h"
#include "models/query/asking.h"

int bestdag_query_answer_new(struct bestdag_run *run,
                             const struct bestdag_asking *a,
                             struct bestdag_query_answer *to)
{
    int64_t width = bestdag_asking_width(a), n = a->network->dag->n;
    *to = (struct bestdag_query_answer){.method = ""};
    if (bestdag_run_status(run) ||
        bestdag_reserve(run, 2 * width * (int64_t)sizeof *to->value,
                        "the answer"))
        return bestdag_run_status(run);
    to->value = bestdag_alloc(run, ((size_t)width + 1) * sizeof *to->value);
    to->error = bestdag_calloc(run, (size_t)width + 1, sizeof *to->error);
    if (!a->has_explanations)
        return bestdag_run_status(run);
    if (bestdag_reserve(run, a->best * n * (int64_t)sizeof *to->state,
                        "the explanations"))
        return bestdag_run_status(run);
    to->state = bestdag_alloc(run, ((size_t)(a->best * n) + 1) * sizeof(int));
    to->ln_p = bestdag_alloc(run, ((size_t)a->best + 1) * sizeof *to->ln_p);
    return bestdag_run_status(run);
}

void bestdag_query_answer_release(struct bestdag_query_answer *to)
{
    bestdag_free(to->value);
    bestdag_free(to->error);
    bestdag_free(to->state);
    bestdag_free(to->ln_p);
    *to = (struct bestdag_query_answer){.method = ""};
}

/* Called after every answer of the session: takes its errors and sample size.
 * If one answer was sampled, that is the method of the whole. */
static int take_errors(struct bestdag_run *run, struct bestdag_session *session,
                       struct bestdag_query_answer *to, double *error,
                       int64_t count)
{
    double size = bestdag_session_sample_size(session);
    if (size > 0 || !(to->sample_size > 0))
        to->method = bestdag_session_method(session);
    if (!(size > 0))
        return bestdag_run_status(run);
    if (!(to->sample_size > 0) || size < to->sample_size)
        to->sample_size = size;
    return error ? bestdag_session_errors(run, session, error, count)
                 : bestdag_run_status(run);
}

static int find_marginals(struct bestdag_run *run,
                          const struct bestdag_asking *a,
                          struct bestdag_session *session,
                          struct bestdag_query_answer *to)
{
    double *value = to->value, *error = to->error;
    for (int i = 0; i < a->query.target.count; i++) {
        int v = a->query.target.at[i];
        int states = a->network->variable[v].states;
        if (bestdag_session_marginal(run, session, v, value, states) ||
            take_errors(run, session, to, error, states))
            return bestdag_run_status(run);
        value += states;
        error += error ? states : 0;
    }
    return BESTDAG_OK;
}

static int find_joint(struct bestdag_run *run, const struct bestdag_asking *a,
                      struct bestdag_session *session,
                      struct bestdag_query_answer *to)
{
    int64_t width = bestdag_asking_width(a);
    if (bestdag_session_joint(run, session, a->query.target.at,
                              a->query.target.count, to->value, width))
        return bestdag_run_status(run);
    return take_errors(run, session, to, to->error, width);
}

/* For --mpe the engine gives all variables: drops those that are not
 * reported. */
static void keep_reported(const struct bestdag_asking *a,
                          struct bestdag_query_answer *to)
{
    int64_t n = a->network->dag->n;
    for (int64_t k = 0; k < to->explanations; k++)
        for (int i = 0; i < a->reports; i++)
            to->state[k * a->reports + i] = to->state[k * n + a->reported[i]];
}

static int find_explanations(struct bestdag_run *run,
                             const struct bestdag_asking *a,
                             struct bestdag_session *session,
                             struct bestdag_query_answer *to)
{
    const struct bestdag_name_list *map = &a->explained;
    int count = map->count ? map->count : a->network->dag->n;
    to->explanations =
        bestdag_session_explain(run, session, map->count ? map->at : NULL,
                                count, a->best, to->state, to->ln_p);
    if (to->explanations < 0 || take_errors(run, session, to, NULL, 0))
        return bestdag_run_status(run);
    if (!map->count)
        keep_reported(a, to);
    return BESTDAG_OK;
}

/* Fails if P(evidence) cannot be computed; -infinity: it is impossible. */
static int find_evidence(struct bestdag_run *run,
                         const struct bestdag_asking *a,
                         struct bestdag_session *session,
                         struct bestdag_query_answer *to)
{
    to->ln_evidence = a->contradicted >= 0
                          ? -INFINITY
                          : bestdag_session_evidence(run, session);
    return bestdag_run_status(run)
               ? bestdag_run_status(run)
               : take_errors(run, session, to, &to->ln_evidence_error, 1);
}

/* Samples for a joint also serve for the evidence, so the joint comes first;
 * the error that the evidence is impossible is cleared here. */
static int find_joint_first(struct bestdag_run *run,
                            const struct bestdag_asking *a,
                            struct bestdag_session *session,
                            struct bestdag_query_answer *to)
{
    char text[256];
    if (!find_joint(run, a, session, to))
        return BESTDAG_OK;
    if (bestdag_run_status(run) == BESTDAG_INPUT &&
        strcmp(bestdag_session_method(session),
               bestdag_method_name(BESTDAG_BY_SAMPLING)) != 0)
        bestdag_run_recover(run, text, sizeof text);
    return bestdag_run_status(run);
}

/* Multiplies by the power of 2 that was taken out of the query's weights. */
static void scale(const struct bestdag_asking *a,
                  struct bestdag_query_answer *to)
{
    double more = (double)a->exponent * log(2);
    to->ln_evidence += more;
    for (int k = 0; k < to->explanations; k++)
        to->ln_p[k] += more;
}

int bestdag_asking_answer(struct bestdag_run *run,
                          const struct bestdag_asking *a,
                          struct bestdag_session *session,
                          struct bestdag_query_answer *to)
{
    bool is_joint_first = a->has_joint && a->contradicted < 0 &&
                          bestdag_engine_may_sample(a->engine, true);
    int status = BESTDAG_OK;
    to->ln_evidence_error = 0;
    to->sample_size = 0;
    to->explanations = 0;
    if (is_joint_first && find_joint_first(run, a, session, to))
        return bestdag_run_status(run);
    const char *method = to->method;
    if (find_evidence(run, a, session, to) || to->ln_evidence == -INFINITY)
        return bestdag_run_status(run);
    if (is_joint_first && !(to->sample_size > 0))
        to->method = method;
    if (a->has_joint && !is_joint_first)
        status = find_joint(run, a, session, to);
    else if (a->has_marginals)
        status = find_marginals(run, a, session, to);
    if (!status && a->has_explanations)
        status = find_explanations(run, a, session, to);
    if (!status)
        scale(a, to);
    return status;
}
