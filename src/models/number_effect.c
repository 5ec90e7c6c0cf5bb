/* SPDX-License-Identifier: MIT */
/* number_effect.c -- effects in networks with numbers: reads the question and
 * chooses by the kinds of cause and effect.
 *
 *   cause   effect
 *   number  number  a slope (slope_effect.c)
 *   states  number  means of the effect (mean_effect.c)
 *   states  states  as without numbers, which are no ancestors of states
 *   number  states  none: a number has no directed path to states
 *
 * Admissible members of the equivalence class have no arc from a number to
 * states, so the parents of states vary only within the class of the network of
 * states. Evidence is on variables with states only. */
#include "models/number_effect.h"

#include <math.h>
#include <string.h>

#include "inference/engine.h"
#include "models/query/language.h"

enum {
    MOST_SETS = 4096 /* sets of parents of the cause, at most; as for states */
};

/* ---- the question -------------------------------------------------------- */

static int read_cause(struct bestdag_number_question *q, const char *text)
{
    struct bestdag_name_list list = {0};
    if (!bestdag_names_parse(q->run, q->network, text, "cause", &list)) {
        if (list.count == 1)
            q->cause = list.at[0];
        else
            bestdag_fail(q->run, BESTDAG_USAGE,
                         "expected one cause, found %d variables", list.count);
    }
    bestdag_names_release(&list);
    return bestdag_run_status(q->run);
}

static int take_item(struct bestdag_number_question *q,
                     const struct bestdag_query_item *item)
{
    int v = item->variable, states = q->network->variable[v].states;
    if (item->is_do)
        return bestdag_fail(q->run, BESTDAG_USAGE,
                            "'%s': the effect of several interventions at once "
                            "is not known over the equivalence class; 'bestdag "
                            "query' answers it in this network",
                            item->text);
    if (q->is_number[v])
        return bestdag_fail(q->run, BESTDAG_USAGE,
                            "'%s': evidence on a number is not available for "
                            "effects; 'bestdag query' answers it in this "
                            "network",
                            item->text);
    if (v == q->cause || v == q->effect)
        return bestdag_fail(q->run, BESTDAG_USAGE,
                            "'%s' is the %s: it cannot be evidence, too",
                            q->names[v], v == q->cause ? "cause" : "effect");
    bool is_first = !q->weight[v];
    if (is_first)
        q->weight[v] =
            bestdag_alloc(q->run, (size_t)states * sizeof **q->weight);
    for (int s = 0; q->weight[v] && s < states; s++)
        q->weight[v][s] =
            (is_first ? 1 : q->weight[v][s]) * item->likelihood[s];
    return bestdag_run_status(q->run);
}

static int take_query(struct bestdag_number_question *q,
                      const struct bestdag_query *query)
{
    if (query->target.count != 1)
        return bestdag_fail(q->run, BESTDAG_USAGE,
                            "expected one effect, found %d variables",
                            query->target.count);
    q->effect = query->target.at[0];
    if (q->effect == q->cause)
        return bestdag_fail(q->run, BESTDAG_USAGE,
                            "'%s' is both the cause and the effect",
                            q->names[q->cause]);
    for (int i = 0; i < query->items; i++)
        if (take_item(q, &query->item[i]))
            break;
    return bestdag_run_status(q->run);
}

static int read_question(struct bestdag_number_question *q, const char *cause,
                         const char *effect)
{
    struct bestdag_query query = {0};
    if (!read_cause(q, cause) &&
        !bestdag_query_parse(q->run, q->network, effect, &query))
        take_query(q, &query);
    bestdag_query_release(&query);
    return bestdag_run_status(q->run);
}

/* ---- the network of states ----------------------------------------------- */

static int add_variable(struct bestdag_number_question *q, int v)
{
    const struct bestdag_variable *x = &q->network->variable[v];
    const struct bestdag_parents *p = &q->network->dag->parents[v];
    char only[] = "number", *labels[] = {only};
    if (bestdag_network_set_variable(
            q->run, q->states, v, bestdag_strdup(q->run, x->name),
            bestdag_labels_copy(q->run, x->is_number ? labels : x->labels,
                                x->is_number ? 1 : x->states),
            x->is_number ? 1 : x->states))
        return bestdag_run_status(q->run);
    return bestdag_dag_set_parents(q->run, q->states->dag, v, p->at,
                                   x->is_number ? 0 : p->count);
}

static int add_table(struct bestdag_number_question *q, int v)
{
    const struct bestdag_variable *x = &q->network->variable[v];
    if (bestdag_network_new_table(q->run, q->states, v))
        return bestdag_run_status(q->run);
    double *to = q->states->variable[v].table;
    if (x->is_number)
        to[0] = 1;
    else
        memcpy(to, x->table,
               (size_t)bestdag_network_configurations(q->network, v) *
                   (size_t)x->states * sizeof *to);
    return BESTDAG_OK;
}

static int prepare(struct bestdag_number_question *q)
{
    int n = q->network->dag->n;
    size_t room = (size_t)n + 1;
    if (!bestdag_network_is_fitted(q->network))
        return bestdag_fail(q->run, BESTDAG_USAGE,
                            "the network has no parameters: 'bestdag fit' "
                            "estimates them");
    q->names = bestdag_alloc(q->run, room * sizeof *q->names);
    q->is_number = bestdag_alloc(q->run, room * sizeof *q->is_number);
    q->weight = bestdag_calloc(q->run, room, sizeof *q->weight);
    q->states = bestdag_network_empty(q->run, n);
    if (bestdag_run_status(q->run))
        return bestdag_run_status(q->run);
    for (int v = 0; v < n; v++) {
        q->names[v] = q->network->variable[v].name;
        q->is_number[v] = q->network->variable[v].is_number;
    }
    for (int v = 0; v < n; v++)
        if (add_variable(q, v))
            return bestdag_run_status(q->run);
    for (int v = 0; v < n; v++)
        if (add_table(q, v))
            return bestdag_run_status(q->run);
    return BESTDAG_OK;
}

static void release(struct bestdag_number_question *q)
{
    for (int v = 0; q->weight && v < q->network->dag->n; v++)
        bestdag_free(q->weight[v]);
    bestdag_free(q->weight);
    bestdag_free(q->names);
    bestdag_free(q->is_number);
    bestdag_network_free(q->states);
}

/* ---- what is shared ------------------------------------------------------ */

static int observe(const struct bestdag_number_question *q,
                   struct bestdag_session *session)
{
    for (int v = 0; v < q->network->dag->n; v++)
        if (q->weight[v])
            bestdag_session_weigh(q->run, session, v, q->weight[v],
                                  q->network->variable[v].states);
    return bestdag_run_status(q->run);
}

int bestdag_number_effect_joint(const struct bestdag_number_question *q,
                                const int *variables, int count, double *to,
                                int64_t cells)
{
    struct bestdag_engine *engine =
        bestdag_engine_new(q->run, q->states, NULL, 0, q->options);
    struct bestdag_session *session =
        engine ? bestdag_session_new(q->run, engine) : NULL;
    if (session && !observe(q, session)) {
        double ln = bestdag_session_evidence(q->run, session);
        for (int64_t i = 0; i < cells; i++)
            to[i] = count || isinf(ln) ? 0 : 1;
        if (!bestdag_run_status(q->run) && !isinf(ln) && count)
            bestdag_session_joint(q->run, session, variables, count, to, cells);
        if (bestdag_session_sample_size(session) > 0)
            bestdag_fail(q->run, BESTDAG_MEMORY,
                         "effects in a network with numbers need exact "
                         "probabilities of states, whose tables do not fit");
    }
    bestdag_session_free(session);
    bestdag_engine_free(engine);
    return bestdag_run_status(q->run);
}

int bestdag_number_effect_class(const struct bestdag_number_question *q,
                                bestdag_class_member_fn *each, void *user,
                                struct bestdag_class_found *to)
{
    struct bestdag_class_request request = {.dag = q->network->dag,
                                            .rules = q->rules,
                                            .names = q->names,
                                            .is_number = q->is_number,
                                            .variable = q->cause,
                                            .most = MOST_SETS,
                                            .each = each,
                                            .user = user};
    return bestdag_class_members(q->run, &request, to);
}

/* The only state that the evidence on v allows; -1: there are several. */
static int only_state(const struct bestdag_number_question *q, int v)
{
    int found = -1;
    for (int s = 0; s < q->network->variable[v].states; s++)
        if (q->weight[v][s] > 0) {
            if (found >= 0)
                return -1;
            found = s;
        }
    return found;
}

/* Writes a state, or the weights of all states. */
static void add_evidence(struct bestdag_json_writer *w,
                         const struct bestdag_number_question *q, int v)
{
    const struct bestdag_variable *x = &q->network->variable[v];
    int only = only_state(q, v);
    if (only >= 0) {
        bestdag_json_add_text(w, x->name, x->labels[only]);
        return;
    }
    bestdag_json_open(w, x->name, '{');
    for (int s = 0; s < x->states; s++)
        bestdag_json_add_number(w, x->labels[s], q->weight[v][s]);
    bestdag_json_close(w, '}');
}

void bestdag_number_effect_begin(struct bestdag_json_writer *w,
                                 const struct bestdag_number_question *q)
{
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "cause", q->names[q->cause]);
    bestdag_json_add_text(w, "effect", q->names[q->effect]);
    bestdag_json_open(w, "given", '{');
    for (int v = 0; v < q->network->dag->n; v++)
        if (q->weight[v])
            add_evidence(w, q, v);
    bestdag_json_close(w, '}');
}

void bestdag_number_effect_names(struct bestdag_json_writer *w,
                                 const struct bestdag_number_question *q,
                                 const char *key, const int *list, int count)
{
    if (count < 0) {
        bestdag_json_add_text(w, key, NULL);
        return;
    }
    bestdag_json_open(w, key, '[');
    for (int i = 0; i < count; i++)
        bestdag_json_add_text(w, NULL, q->names[list[i]]);
    bestdag_json_close(w, ']');
}

int bestdag_number_effect_adjustment(struct bestdag_json_writer *w,
                                     const struct bestdag_number_question *q)
{
    size_t room = (size_t)q->network->dag->n + 1;
    int *seen = bestdag_alloc(q->run, room * sizeof *seen);
    int *state = bestdag_calloc(q->run, room, sizeof *state);
    struct bestdag_effect_question graph = {.network = q->network,
                                            .cause = q->cause,
                                            .effect = q->effect,
                                            .seen = seen,
                                            .state = state};
    struct bestdag_effect own = {0};
    for (int v = 0; seen && state && v < q->network->dag->n; v++)
        if (q->weight[v]) {
            state[graph.count] = only_state(q, v);
            seen[graph.count++] = v;
        }
    if (seen && state &&
        !bestdag_effect_adjust(q->run, &graph, q->network->dag, false, &own)) {
        bestdag_number_effect_names(w, q, "adjustment", own.set, own.size);
        bestdag_json_add_bool(w, "causal_path", own.reaches);
    }
    bestdag_effect_release(&own);
    bestdag_free(seen);
    bestdag_free(state);
    return bestdag_run_status(q->run);
}

char *bestdag_number_effect_end(struct bestdag_json_writer *w,
                                const struct bestdag_number_question *q,
                                const struct bestdag_class_found *found)
{
    bestdag_number_effect_names(w, q, "reversible", found->open, found->opens);
    bestdag_json_add_integer(w, "parent_sets", found->members);
    bestdag_json_add_bool(w, "complete", found->complete);
    if (q->rules && q->rules->count)
        bestdag_class_add_ignored(w, q->rules);
    bestdag_json_add_text(w, "assumption", bestdag_effect_assumption);
    bestdag_json_close(w, '}');
    return bestdag_json_take(w);
}

/* ---- the kinds ----------------------------------------------------------- */

/* The answer "no effect", which holds for any value of the number and in every
 * network of the class. */
static char *no_effect(struct bestdag_number_question *q)
{
    const struct bestdag_variable *y = &q->network->variable[q->effect];
    struct bestdag_json_writer w = {.out.run = q->run};
    struct bestdag_class_found none = {.complete = true, .members = 1};
    double *p = bestdag_alloc(q->run, (size_t)y->states * sizeof *p);
    double sum = 0;
    char *report = NULL;
    if (p && !bestdag_number_effect_joint(q, &q->effect, 1, p, y->states)) {
        for (int s = 0; s < y->states; s++)
            sum += p[s];
        if (!(sum > 0))
            bestdag_fail(q->run, BESTDAG_INFEASIBLE,
                         "the evidence is impossible");
        bestdag_number_effect_begin(&w, q);
        bestdag_json_open(&w, "probabilities", '{');
        for (int s = 0; s < y->states; s++)
            bestdag_json_add_number(&w, y->labels[s], p[s]);
        bestdag_json_close(&w, '}');
        bestdag_number_effect_names(&w, q, "adjustment", NULL, 0);
        bestdag_json_add_bool(&w, "causal_path", false);
        bestdag_json_add_bool(&w, "identified", true);
        report = bestdag_number_effect_end(&w, q, &none);
    }
    bestdag_free(p);
    return report;
}

char *bestdag_number_effect(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const char *cause, const char *effect,
                            const struct bestdag_rules *rules,
                            const struct bestdag_options *options)
{
    struct bestdag_number_question q = {
        .run = run, .network = network, .rules = rules, .options = options};
    char *report = NULL;
    if (!prepare(&q) && !read_question(&q, cause, effect)) {
        bool is_from = q.is_number[q.cause], is_to = q.is_number[q.effect];
        struct bestdag_effect_graph graph = {network->dag, q.is_number};
        report = is_from && is_to ? bestdag_slope_effect(&q)
                 : is_from        ? no_effect(&q)
                 : is_to          ? bestdag_mean_effect(&q)
                         : bestdag_states_effect(run, q.states, graph, cause,
                                                 effect, rules, options);
    }
    release(&q);
    if (bestdag_run_status(run)) {
        bestdag_free(report);
        report = NULL;
    }
    return report;
}
