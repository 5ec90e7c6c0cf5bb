/* SPDX-License-Identifier: MIT */
/* numeric.c -- queries of networks with numbers, answered as JSON.
 *
 * The query language is the same; evidence on a number is its value (x=1.5) or
 * a value that is set (do(x=2)). inference/mixed.c answers. */
#include "models/query/numeric.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "models/query/asking.h"
#include "network/regression.h"

static struct bestdag_value option(const struct bestdag_numeric *a,
                                   const char *key)
{
    return bestdag_option_value(a->options, &bestdag_query_options, key);
}

/* ---- what is asked ------------------------------------------------------- */

static int check_request(struct bestdag_numeric *a)
{
    const struct bestdag_name_list *t = &a->query.target;
    a->has_joint = option(a, "joint").integer != 0;
    if (a->has_joint && !t->count)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "joint: covariances need targets, as in 'x, y | "
                            "z=1'");
    for (int i = 0; i < t->count && a->has_joint; i++)
        if (!a->network->variable[t->at[i]].is_number)
            return bestdag_fail(a->run, BESTDAG_USAGE,
                                "joint: '%s' has states; in a network with "
                                "numbers it takes numbers only",
                                a->network->variable[t->at[i]].name);
    return bestdag_numeric_choose(a);
}

static int target_all(struct bestdag_numeric *a)
{
    struct bestdag_name_list *t = &a->query.target;
    int n = a->network->dag->n;
    if (t->count || a->is_mpe)
        return BESTDAG_OK;
    a->is_of_all = true;
    t->at = bestdag_alloc(a->run, ((size_t)n + 1) * sizeof *t->at);
    for (int v = 0; t->at && v < n; v++)
        t->at[t->count++] = v;
    return bestdag_run_status(a->run);
}

/* ---- what is known ------------------------------------------------------- */

static int weigh(struct bestdag_numeric *a,
                 const struct bestdag_query_item *item)
{
    int v = item->variable, states = a->network->variable[v].states;
    bool is_first = !a->weight[v];
    double sum = 0;
    if (is_first)
        a->weight[v] =
            bestdag_alloc(a->run, (size_t)states * sizeof **a->weight);
    for (int s = 0; a->weight[v] && s < states; s++)
        sum += a->weight[v][s] =
            (is_first ? 1 : a->weight[v][s]) * item->likelihood[s];
    a->is_contradictory |= !(sum > 0);
    return bestdag_run_status(a->run);
}

static void give(struct bestdag_numeric *a,
                 const struct bestdag_query_item *item)
{
    int v = item->variable;
    a->is_contradictory |= !isnan(a->value[v]) && a->value[v] != item->value;
    a->value[v] = item->value;
    a->is_set[v] |= item->is_do;
}

static void forget(struct bestdag_numeric *a)
{
    for (int v = 0; v < a->network->dag->n; v++) {
        bestdag_free(a->weight[v]);
        a->weight[v] = NULL;
        a->doing[v] = -1;
        a->value[v] = NAN;
        a->is_set[v] = false;
    }
    a->is_contradictory = a->has_values = false;
}

/* Takes the items for which use[i], or all (NULL). */
static int take_items(struct bestdag_numeric *a, const bool *use)
{
    forget(a);
    for (int i = 0; i < a->query.items; i++) {
        const struct bestdag_query_item *item = &a->query.item[i];
        if (use && !use[i] && !item->is_do)
            continue;
        if (a->network->variable[item->variable].is_number)
            give(a, item);
        else if (item->is_do)
            a->doing[item->variable] = item->state;
        else if (weigh(a, item))
            break;
    }
    for (int v = 0; v < a->network->dag->n; v++)
        a->has_values |= !isnan(a->value[v]) && !a->is_set[v];
    return bestdag_run_status(a->run);
}

static int make_room(struct bestdag_numeric *a)
{
    size_t targets = (size_t)a->query.target.count, width;
    a->width = bestdag_mixed_width(a->network, a->query.target.at,
                                   a->query.target.count);
    width = (size_t)a->width + 1;
    a->answer.value = bestdag_calloc(a->run, width, sizeof(double));
    a->answer.error = bestdag_calloc(a->run, width, sizeof(double));
    if (a->has_joint)
        a->answer.covariance =
            bestdag_calloc(a->run, targets * targets + 1, sizeof(double));
    return bestdag_run_status(a->run);
}

int bestdag_numeric_init(struct bestdag_run *run, struct bestdag_numeric *to,
                         const struct bestdag_network *network,
                         const char *text,
                         const struct bestdag_options *options)
{
    size_t n = (size_t)network->dag->n + 1;
    *to = (struct bestdag_numeric){
        .run = run, .network = network, .options = options};
    if (!bestdag_network_is_fitted(network))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "the network has no parameters to answer with: "
                            "'bestdag fit' estimates them");
    to->weight = bestdag_calloc(run, n, sizeof *to->weight);
    to->doing = bestdag_alloc(run, n * sizeof *to->doing);
    to->value = bestdag_alloc(run, n * sizeof *to->value);
    to->is_set = bestdag_calloc(run, n, sizeof *to->is_set);
    if (bestdag_run_status(run) ||
        bestdag_query_parse(run, network, text ? text : "", &to->query) ||
        bestdag_query_parse_settings(run, network, option(to, "do").text,
                                     &to->query) ||
        take_items(to, NULL) || check_request(to) || target_all(to))
        return bestdag_run_status(run);
    return make_room(to);
}

void bestdag_numeric_release(struct bestdag_numeric *a)
{
    for (int v = 0; a->weight && v < a->network->dag->n; v++)
        bestdag_free(a->weight[v]);
    bestdag_free(a->weight);
    bestdag_free(a->doing);
    bestdag_free(a->value);
    bestdag_free(a->is_set);
    bestdag_free(a->answer.value);
    bestdag_free(a->answer.error);
    bestdag_free(a->answer.covariance);
    bestdag_free(a->explained.ln);
    bestdag_free(a->explained.state);
    bestdag_free(a->explained.value);
    bestdag_query_release(&a->query);
    *a = (struct bestdag_numeric){0};
}

int bestdag_numeric_ask(struct bestdag_numeric *a)
{
    struct bestdag_mixed_question q = {
        .network = a->network,
        .weight = a->weight,
        .doing = a->doing,
        .value = a->value,
        .is_set = a->is_set,
        .target = a->query.target.at,
        .targets = a->query.target.count,
        .has_covariance = a->answer.covariance != NULL,
    };
    a->answer.ln_evidence = -INFINITY;
    if (a->is_contradictory)
        return BESTDAG_OK;
    return a->is_mpe || a->is_map
               ? bestdag_numeric_explain(a, &q)
               : bestdag_mixed_ask(a->run, &q, a->options, &a->answer);
}

/* ---- the answer ---------------------------------------------------------- */

static void write_states(struct bestdag_json_writer *w,
                         const struct bestdag_numeric *a, const char *key,
                         const double *value)
{
    bestdag_json_open(w, key, '{');
    for (int i = 0; i < a->query.target.count; i++) {
        const struct bestdag_variable *x =
            &a->network->variable[a->query.target.at[i]];
        if (x->is_number) {
            value += 2;
            continue;
        }
        bestdag_json_open(w, x->name, '{');
        for (int s = 0; s < x->states; s++)
            bestdag_json_add_number(w, x->labels[s], *value++);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, '}');
}

static void write_numbers(struct bestdag_json_writer *w,
                          const struct bestdag_numeric *a)
{
    const double *value = a->answer.value, *error = a->answer.error;
    bestdag_json_open(w, "numbers", '{');
    for (int i = 0, at = 0; i < a->query.target.count; i++) {
        const struct bestdag_variable *x =
            &a->network->variable[a->query.target.at[i]];
        if (x->is_number) {
            bestdag_json_open(w, x->name, '{');
            bestdag_json_add_number(w, "mean", value[at]);
            bestdag_json_add_number(w, "sd", value[at + 1]);
            if (a->answer.sample_size > 0) {
                bestdag_json_add_number(w, "mean_error", error[at]);
                bestdag_json_add_number(w, "sd_error", error[at + 1]);
            }
            bestdag_json_close(w, '}');
        }
        at += x->is_number ? 2 : x->states;
    }
    bestdag_json_close(w, '}');
}

static void write_covariances(struct bestdag_json_writer *w,
                              const struct bestdag_numeric *a)
{
    const struct bestdag_name_list *t = &a->query.target;
    bestdag_json_open(w, "covariances", '{');
    for (int i = 0; i < t->count; i++) {
        bestdag_json_open(w, a->network->variable[t->at[i]].name, '{');
        for (int j = 0; j < t->count; j++)
            bestdag_json_add_number(w, a->network->variable[t->at[j]].name,
                                    a->answer.covariance[i * t->count + j]);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, '}');
}

/* Counts the numbers and the states among the targets. */
static void count_targets(const struct bestdag_numeric *a, int count[2])
{
    count[0] = count[1] = 0;
    for (int i = 0; i < a->query.target.count; i++)
        count[a->network->variable[a->query.target.at[i]].is_number]++;
}

void bestdag_numeric_write(struct bestdag_json_writer *w,
                           const struct bestdag_numeric *a, bool is_density)
{
    const struct bestdag_mixed_answer *answer = &a->answer;
    double p = exp(answer->ln_evidence);
    bool is_explained = a->is_mpe || a->is_map;
    int count[2];
    count_targets(a, count);
    bestdag_json_add_number(
        w, is_density ? "evidence_density" : "evidence_probability", p);
    bestdag_json_add_number(
        w, is_density ? "log_evidence_density" : "log_evidence_probability",
        answer->ln_evidence);
    if (answer->ln_evidence == -INFINITY)
        return;
    bestdag_json_add_text(w, "method", answer->method);
    if (answer->sample_size > 0) {
        bestdag_json_add_number(w, "effective_sample_size",
                                answer->sample_size);
        bestdag_json_add_number(w, "evidence_standard_error",
                                p * answer->ln_error);
    }
    if (count[0] && !is_explained)
        write_states(w, a, "marginals", answer->value);
    if (count[0] && !is_explained && answer->sample_size > 0)
        write_states(w, a, "standard_errors", answer->error);
    if (count[1] && !is_explained)
        write_numbers(w, a);
    if (a->has_joint)
        write_covariances(w, a);
    if (is_explained)
        bestdag_numeric_write_explanations(w, a);
}

static char *write_report(const struct bestdag_numeric *a)
{
    struct bestdag_json_writer w = {.out.run = a->run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_numeric_write(&w, a, a->has_values);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

static bool is_sampled(const struct bestdag_mixed_answer *answer)
{
    return answer->method && !strcmp(answer->method, "likelihood weighting");
}

/* Are the items for which use[i] impossible together? False also if that is not
 * known. */
static bool is_impossible(struct bestdag_numeric *a, const bool *use)
{
    struct bestdag_mixed_answer answer = {.value = a->answer.value,
                                          .error = a->answer.error};
    struct bestdag_mixed_question q = {.network = a->network,
                                       .weight = a->weight,
                                       .doing = a->doing,
                                       .value = a->value,
                                       .is_set = a->is_set};
    if (take_items(a, use) || a->is_contradictory)
        return true;
    return !bestdag_mixed_ask(a->run, &q, a->options, &answer) &&
           answer.ln_evidence == -INFINITY && !is_sampled(&answer);
}

/* Fails, naming a minimal set of items that are impossible together. */
static int refuse(struct bestdag_numeric *a)
{
    size_t items = (size_t)a->query.items;
    if (!a->is_contradictory && is_sampled(&a->answer))
        return bestdag_fail(a->run, BESTDAG_INPUT,
                            "no sample agrees with the evidence: it is "
                            "impossible, or too improbable for sampling");
    bool *use = bestdag_alloc(a->run, (items + 1) * sizeof *use);
    for (size_t i = 0; use && i < items; i++)
        use[i] = !a->query.item[i].is_do;
    for (size_t i = 0; use && i < items; i++)
        if (use[i]) {
            use[i] = false;
            use[i] = !is_impossible(a, use);
        }
    if (use && !bestdag_run_status(a->run))
        bestdag_query_exclude(a->run, &a->query, use, "");
    bestdag_free(use);
    return bestdag_run_status(a->run);
}

char *bestdag_numeric_query(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const char *text,
                            const struct bestdag_options *options)
{
    struct bestdag_numeric a = {0};
    char *report = NULL;
    if (!bestdag_numeric_init(run, &a, network, text, options) &&
        !bestdag_numeric_ask(&a)) {
        if (a.answer.ln_evidence == -INFINITY)
            refuse(&a);
        else
            report = write_report(&a);
    }
    bestdag_numeric_release(&a);
    return report;
}
