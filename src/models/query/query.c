/* SPDX-License-Identifier: MIT */
/* query.c -- one query, answered as JSON; the interface of this folder. */
#include <math.h>

#include "models/query/asking.h"
#include "models/query/numeric.h"
#include "models/query/report.h"

static void write_marginals(struct bestdag_json_writer *w,
                            const struct bestdag_asking *a, const char *key,
                            const double *value)
{
    bestdag_json_open(w, key, '{');
    for (int i = 0; i < a->query.target.count; i++) {
        const struct bestdag_variable *x =
            &a->network->variable[a->query.target.at[i]];
        bestdag_json_open(w, x->name, '{');
        for (int s = 0; s < x->states; s++)
            bestdag_json_add_number(w, x->labels[s], *value++);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, '}');
}

static void write_states(struct bestdag_json_writer *w,
                         const struct bestdag_asking *a, const int *variables,
                         int count, const int *state)
{
    bestdag_json_open(w, "states", '{');
    for (int i = 0; i < count; i++) {
        const struct bestdag_variable *x = &a->network->variable[variables[i]];
        bestdag_json_add_text(w, x->name, x->labels[state[i]]);
    }
    bestdag_json_close(w, '}');
}

bool bestdag_states_step(const struct bestdag_asking *a, int *state)
{
    for (int i = a->query.target.count - 1; i >= 0; i--) {
        if (++state[i] < a->network->variable[a->query.target.at[i]].states)
            return true;
        state[i] = 0;
    }
    return false;
}

static void write_joint(struct bestdag_json_writer *w,
                        const struct bestdag_asking *a,
                        const struct bestdag_query_answer *answer)
{
    const struct bestdag_name_list *t = &a->query.target;
    int *state = bestdag_calloc(a->run, (size_t)t->count + 1, sizeof *state);
    int64_t i = 0;
    if (!state)
        return;
    bestdag_json_open(w, "joint", '[');
    do {
        bestdag_json_open(w, NULL, '{');
        write_states(w, a, t->at, t->count, state);
        bestdag_json_add_number(w, "probability", answer->value[i]);
        if (answer->sample_size > 0)
            bestdag_json_add_number(w, "standard_error", answer->error[i]);
        bestdag_json_close(w, '}');
        i++;
    } while (bestdag_states_step(a, state));
    bestdag_json_close(w, ']');
    bestdag_free(state);
}

static void write_explanations(struct bestdag_json_writer *w,
                               const struct bestdag_asking *a,
                               const struct bestdag_query_answer *answer)
{
    bestdag_json_open(w, "explanations", '[');
    for (int64_t k = 0; k < answer->explanations; k++) {
        double p = exp(answer->ln_p[k] - answer->ln_evidence);
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_number(w, "probability", p);
        if (answer->sample_size > 0) /* of the evidence */
            bestdag_json_add_number(w, "standard_error",
                                    p * answer->ln_evidence_error);
        write_states(w, a, a->reported, a->reports,
                     answer->state + k * a->reports);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

void bestdag_query_answer_write(struct bestdag_json_writer *w,
                                const struct bestdag_asking *a,
                                const struct bestdag_query_answer *answer)
{
    bool is_sampled = answer->sample_size > 0;
    double p = exp(answer->ln_evidence);
    bestdag_json_add_number(w, "evidence_probability", p);
    bestdag_json_add_number(w, "log_evidence_probability", answer->ln_evidence);
    if (answer->ln_evidence == -INFINITY)
        return;
    bestdag_json_add_text(w, "method", answer->method);
    if (is_sampled) {
        bestdag_json_add_number(w, "effective_sample_size",
                                answer->sample_size);
        bestdag_json_add_number(w, "evidence_standard_error",
                                p * answer->ln_evidence_error);
    }
    if (a->has_marginals)
        write_marginals(w, a, "marginals", answer->value);
    if (a->has_marginals && is_sampled)
        write_marginals(w, a, "standard_errors", answer->error);
    if (a->has_joint)
        write_joint(w, a, answer);
    if (a->has_explanations)
        write_explanations(w, a, answer);
}

static char *write_report(struct bestdag_asking *a,
                          const struct bestdag_query_answer *answer)
{
    struct bestdag_json_writer w = {.out.run = a->run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_query_answer_write(&w, a, answer);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

char *bestdag_network_query(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const char *text,
                            const struct bestdag_options *options)
{
    struct bestdag_asking a = {0};
    struct bestdag_query_answer answer = {0};
    struct bestdag_session *session = NULL;
    char *report = NULL;
    bestdag_run_phase(run, "answering", 0);
    if (bestdag_numeric_is(run, network, network))
        return bestdag_numeric_query(run, network, text, options);
    if (!bestdag_asking_init(run, &a, network, text, options) &&
        !bestdag_query_answer_new(run, &a, &answer) &&
        !bestdag_asking_compile(&a, NULL, 0) &&
        (session = bestdag_asking_session(run, &a)) &&
        !bestdag_asking_answer(run, &a, session, &answer)) {
        if (answer.ln_evidence == -INFINITY)
            bestdag_asking_refuse(&a, session);
        else
            report = write_report(&a, &answer);
    }
    bestdag_session_free(session);
    bestdag_query_answer_release(&answer);
    bestdag_asking_release(&a);
    return report;
}
