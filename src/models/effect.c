/* SPDX-License-Identifier: MIT */
/* effect.c -- P(effect | do(cause), seen) in a network, and in all networks of
 * its equivalence class.
 *
 * In the network itself the intervention is graph surgery: the cause loses its
 * parents (Pearl 2000), which the engine does (bestdag_session_intervene). Data
 * cannot tell the members of the equivalence class apart, but interventions
 * differ between them. They differ by the parents of the cause only: given
 * these, the effect follows from the distribution, which all members share. So
 * the effect is computed once for each set of parents that the cause has in the
 * class (IDA: Maathuis, Kalisch, Buehlmann, Annals of Statistics 2009;
 * class_members.h), by adjustment in a member that has it (effect_adjust.c).
 * Members with the same adjustment set and the same descendants among the
 * variables of the question share the answer.
 *
 * The assumptions, no hidden common causes and a correct graph, cannot be
 * checked here: the report states them. */
#include "models/effect.h"

#include <math.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/text.h"
#include "constraints/parameters/state_order.h"
#include "models/query/language.h"
#include "models/number_effect.h"

enum {
    /* Sets of parents of the cause to try, at most: those of 12 mutually
     * adjacent neighbours. */
    MOST_SETS = 4096
};

struct asker {
    struct bestdag_run *run;
    struct bestdag_effect_question q;
    struct bestdag_effect_graph graph;
    const struct bestdag_rules *rules;
    const char **names;         /* owns; [n] */
    struct bestdag_query query; /* owns */
    int *seen, *state;          /* own; of the question */
    double **weight;            /* owns; of the question */
    struct bestdag_effects all; /* owns */
};

/* ---- the question -------------------------------------------------------- */

static int read_cause(struct asker *a, const char *text)
{
    struct bestdag_name_list list = {0};
    if (!bestdag_names_parse(a->run, a->q.network, text, "cause", &list)) {
        if (list.count == 1)
            a->q.cause = list.at[0];
        else
            bestdag_fail(a->run, BESTDAG_USAGE,
                         "expected one cause, found %d variables", list.count);
    }
    bestdag_names_release(&list);
    return bestdag_run_status(a->run);
}

/* Items about one variable share a place: their likelihoods are multiplied. */
static int place_of(struct asker *a, int v)
{
    int states = a->q.network->variable[v].states;
    for (int i = 0; i < a->q.count; i++)
        if (a->seen[i] == v)
            return i;
    double *weight = bestdag_alloc(a->run, (size_t)states * sizeof *weight);
    if (!weight)
        return -1;
    a->seen[a->q.count] = v;
    a->weight[a->q.count] = weight;
    return a->q.count++;
}

/* The only state of positive weight; -1: there are several, or none. */
static int only_state(const double *weight, int states)
{
    int found = -1;
    for (int s = 0; s < states; s++) {
        if (!(weight[s] > 0))
            continue;
        if (found >= 0)
            return -1;
        found = s;
    }
    return found;
}

static int check_item(const struct asker *a,
                      const struct bestdag_query_item *item)
{
    int v = item->variable;
    if (item->is_do)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "'%s': the effect of several interventions at once "
                            "is not known over the equivalence class; 'bestdag "
                            "query' answers it in this network",
                            item->text);
    if (v == a->q.cause || v == a->q.effect)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "'%s' is the %s: it cannot be evidence, too",
                            a->q.network->variable[v].name,
                            v == a->q.cause ? "cause" : "effect");
    return BESTDAG_OK;
}

/* Computes the products of the items for which use[i], or of all (NULL). */
static void weigh(struct asker *a, const bool *use)
{
    for (int i = 0; i < a->q.count; i++) {
        int states = a->q.network->variable[a->seen[i]].states;
        for (int s = 0; s < states; s++)
            a->weight[i][s] = 1;
        for (int k = 0; k < a->query.items; k++)
            if (a->query.item[k].variable == a->seen[i] && (!use || use[k]))
                bestdag_likelihood_multiply(
                    a->weight[i], a->query.item[k].likelihood, states);
        a->state[i] = only_state(a->weight[i], states);
    }
}

static int take_query(struct asker *a)
{
    const struct bestdag_query *query = &a->query;
    size_t room = (size_t)query->items + 1;
    if (query->target.count != 1)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "expected one effect, found %d variables",
                            query->target.count);
    a->q.effect = query->target.at[0];
    if (a->q.effect == a->q.cause)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "'%s' is both the cause and the effect",
                            a->q.network->variable[a->q.cause].name);
    a->q.seen = a->seen = bestdag_alloc(a->run, room * sizeof *a->seen);
    a->q.state = a->state = bestdag_alloc(a->run, room * sizeof *a->state);
    a->weight = bestdag_calloc(a->run, room, sizeof *a->weight);
    a->q.weight = a->weight;
    if (!a->seen || !a->state || !a->weight)
        return bestdag_run_status(a->run);
    for (int i = 0; i < query->items; i++)
        if (check_item(a, &query->item[i]) ||
            place_of(a, query->item[i].variable) < 0)
            return bestdag_run_status(a->run);
    weigh(a, NULL);
    return BESTDAG_OK;
}

static int read_question(struct asker *a, const char *cause, const char *effect)
{
    if (read_cause(a, cause) ||
        bestdag_query_parse(a->run, a->q.network, effect, &a->query) ||
        take_query(a))
        return bestdag_run_status(a->run);
    a->q.causes = a->q.network->variable[a->q.cause].states;
    a->q.effects = a->q.network->variable[a->q.effect].states;
    return BESTDAG_OK;
}

/* ---- values of the states ------------------------------------------------ */

/* Reads every label as a number; false: one is none. */
static bool take_numbers(const struct bestdag_variable *y, double *value)
{
    for (int s = 0; s < y->states; s++)
        if (!bestdag_number_parse(y->labels[s], strlen(y->labels[s]),
                                  &value[s]))
            return false;
    return true;
}

static int take_ranks(struct asker *a, const struct bestdag_subject *subjects,
                      double *value, bool *is_known)
{
    static const struct bestdag_rules none = {0};
    int n = a->q.network->dag->n;
    struct bestdag_rule_scope scope;
    struct bestdag_state_order *orders = NULL;
    if (!bestdag_scope_init(a->run, &scope, a->names, n))
        orders = bestdag_state_orders_new(a->run, a->rules ? a->rules : &none,
                                          &scope, subjects);
    if (orders) {
        const struct bestdag_state_order *y = &orders[a->q.effect];
        *is_known = y->known && a->q.effects > 1;
        for (int s = 0; s < a->q.effects; s++)
            value[s] = y->place[s] + 1;
    }
    bestdag_state_orders_free(orders, n);
    bestdag_scope_release(&scope);
    return bestdag_run_status(a->run);
}

/* Values of the effect's states: numbers, or ranks from 1 on where rules, or
 * labels of intervals, give an order. */
static int find_values(struct asker *a)
{
    const struct bestdag_network *net = a->q.network;
    double *value = bestdag_alloc(a->run, (size_t)a->q.effects * sizeof *value);
    struct bestdag_subject *subjects =
        bestdag_alloc(a->run, ((size_t)net->dag->n + 1) * sizeof *subjects);
    bool is_known = false;
    for (int v = 0; subjects && v < net->dag->n; v++)
        subjects[v] =
            (struct bestdag_subject){.name = net->variable[v].name,
                                     .states = net->variable[v].states,
                                     .labels = net->variable[v].labels};
    if (value && subjects) {
        is_known = take_numbers(&net->variable[a->q.effect], value);
        if (!is_known && !take_ranks(a, subjects, value, &is_known))
            a->all.ranks = is_known;
    }
    bestdag_free(subjects);
    if (is_known)
        a->all.value = value;
    else
        bestdag_free(value);
    return bestdag_run_status(a->run);
}

/* ---- the network itself -------------------------------------------------- */

int bestdag_effect_observe(struct bestdag_run *run,
                           const struct bestdag_effect_question *question,
                           int i, struct bestdag_session *session)
{
    int v = question->seen[i];
    if (question->state[i] >= 0)
        return bestdag_session_observe(run, session, v, question->state[i]);
    return bestdag_session_weigh(run, session, v, question->weight[i],
                                 question->network->variable[v].states);
}

/* Sets do(cause = x) and the evidence; returns ln P(evidence). */
static double set_evidence(struct asker *a, struct bestdag_session *session,
                           int x)
{
    bestdag_session_clear(session);
    for (int i = 0; i < a->q.count; i++)
        bestdag_effect_observe(a->run, &a->q, i, session);
    bestdag_session_intervene(a->run, session, a->q.cause, x);
    return bestdag_session_evidence(a->run, session);
}

/* P(effect | do(cause = x), seen), by surgery. */
static int intervene(struct asker *a, struct bestdag_session *session, int x,
                     double *p, double *errors)
{
    double known = set_evidence(a, session, x);
    for (int y = 0; y < a->q.effects; y++) {
        p[y] = NAN;
        errors[y] = 0;
    }
    if (bestdag_run_status(a->run) || isinf(known))
        return bestdag_run_status(a->run);
    bestdag_session_marginal(a->run, session, a->q.effect, p, a->q.effects);
    double size = bestdag_session_sample_size(session);
    if (size > 0) {
        bool is_least = a->all.sample_size <= 0 || size < a->all.sample_size;
        a->all.sample_size = is_least ? size : a->all.sample_size;
        bestdag_session_errors(a->run, session, errors, a->q.effects);
    }
    a->all.method = bestdag_session_method(session);
    return bestdag_run_status(a->run);
}

static bool is_possible(struct asker *a, struct bestdag_session *session)
{
    for (int x = 0; x < a->q.causes; x++)
        if (!isinf(set_evidence(a, session, x)))
            return true; /* or failed */
    return false;
}

/* Fails, naming a minimal set of items that are impossible together. */
static int refuse(struct asker *a, struct bestdag_session *session)
{
    size_t items = (size_t)a->query.items;
    bool *use = bestdag_alloc(a->run, (items + 1) * sizeof *use);
    struct bestdag_buffer more = {.run = a->run};
    if (use)
        memset(use, true, items * sizeof *use);
    for (size_t i = 0; use && i < items; i++) {
        use[i] = false;
        weigh(a, use);
        use[i] = is_possible(a, session);
    }
    bestdag_buffer_format(&more, ", whatever state '%s' is set to",
                          a->q.network->variable[a->q.cause].name);
    if (use && more.at && !bestdag_run_status(a->run))
        bestdag_query_exclude(a->run, &a->query, use, more.at);
    bestdag_buffer_release(&more);
    bestdag_free(use);
    return bestdag_run_status(a->run);
}

static int fill_own(struct asker *a, struct bestdag_session *session, double *p)
{
    bool has_answer = false;
    for (int x = 0; x < a->q.causes; x++) {
        int64_t row = (int64_t)x * a->q.effects;
        if (intervene(a, session, x, p + row, a->all.errors + row))
            return bestdag_run_status(a->run);
        has_answer |= !isnan(p[row]);
    }
    return has_answer ? BESTDAG_OK : refuse(a, session);
}

static int find_own(struct asker *a, struct bestdag_effect *to)
{
    size_t cells = (size_t)a->q.causes * (size_t)a->q.effects;
    int count = 2 + a->q.count;
    int *all = bestdag_alloc(a->run, (size_t)count * sizeof *all);
    struct bestdag_engine *engine = NULL;
    struct bestdag_session *session = NULL;
    to->p = bestdag_alloc(a->run, cells * sizeof *to->p);
    a->all.errors = bestdag_calloc(a->run, cells, sizeof *a->all.errors);
    if (all && to->p && a->all.errors) {
        all[0] = a->q.cause;
        all[1] = a->q.effect;
        for (int i = 0; i < a->q.count; i++)
            all[i + 2] = a->seen[i];
        engine =
            bestdag_engine_new(a->run, a->q.network, all, count, a->q.options);
    }
    if (engine)
        session = bestdag_session_new(a->run, engine);
    if (session)
        fill_own(a, session, to->p);
    bestdag_session_free(session);
    bestdag_engine_free(engine);
    bestdag_free(all);
    return bestdag_run_status(a->run);
}

/* ---- the class ----------------------------------------------------------- */

/* An earlier member with the same answer, or NULL. With
 * evidence none is shared: members may differ in which of it is on descendants
 * of the cause. */
static const struct bestdag_effect *find_like(const struct asker *a,
                                              const struct bestdag_effect *e)
{
    for (int64_t i = 0; i < a->all.count && !a->q.count; i++) {
        const struct bestdag_effect *other = &a->all.at[i];
        if (other->reaches == e->reaches &&
            (!e->reaches ||
             (other->size == e->size &&
              !memcmp(other->set, e->set,
                      (size_t)(e->size > 0 ? e->size : 0) * sizeof *e->set))))
            return other;
    }
    return NULL;
}

static int copy_answer(struct asker *a, const struct bestdag_effect *from,
                       struct bestdag_effect *to)
{
    size_t bytes = (size_t)a->q.causes * (size_t)a->q.effects * sizeof *to->p;
    to->p = bestdag_alloc(a->run, bytes);
    if (to->p)
        memcpy(to->p, from->p, bytes);
    to->sampled = from->sampled;
    return bestdag_run_status(a->run);
}

static int answer(struct asker *a, const struct bestdag_dag *dag,
                  struct bestdag_effect *to)
{
    if (bestdag_effect_adjust(a->run, &a->q, dag, false, to))
        return bestdag_run_status(a->run);
    if (!a->all.count)
        return find_own(a, to);
    const struct bestdag_effect *like = find_like(a, to);
    if (like)
        return copy_answer(a, like, to);
    bestdag_effect_release(to);
    return bestdag_effect_adjust(a->run, &a->q, dag, true, to);
}

static int add_member(void *user, const struct bestdag_dag *member)
{
    struct asker *a = user;
    struct bestdag_effect effect = {0};
    struct bestdag_effects *all = &a->all;
    if (answer(a, member, &effect) ||
        !BESTDAG_GROW(a->run, all->at, all->room, all->count + 1))
        bestdag_effect_release(&effect);
    else
        all->at[all->count++] = effect;
    return bestdag_run_status(a->run);
}

static int ask_class(struct asker *a)
{
    struct bestdag_class_request request = {.dag = a->graph.dag,
                                            .rules = a->rules,
                                            .names = a->names,
                                            .is_number = a->graph.is_number,
                                            .variable = a->q.cause,
                                            .most = MOST_SETS,
                                            .each = add_member,
                                            .user = a};
    return bestdag_class_members(a->run, &request, &a->all.class);
}

bool bestdag_effects_are_same(const struct bestdag_effect_question *question,
                              const struct bestdag_effects *effects)
{
    enum {
        TENTHS = 9
    }; /* decimals; the rounding error of inference is far below */
    double tolerance = pow(10, -TENTHS);
    int cells = question->causes * question->effects;
    if (!effects->class.complete)
        return false;
    for (int64_t i = 1; i < effects->count; i++)
        for (int c = 0; c < cells; c++)
            if (effects->at[i].sampled ||
                !(fabs(effects->at[i].p[c] - effects->at[0].p[c]) <= tolerance))
                return false;
    return true;
}

/* ---- the whole ----------------------------------------------------------- */

static int prepare(struct asker *a, const char *cause, const char *effect)
{
    int n = a->q.network->dag->n;
    if (!bestdag_network_has_tables(a->q.network))
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "the network has no probabilities: 'bestdag fit' "
                            "estimates them from data");
    a->names = bestdag_alloc(a->run, ((size_t)n + 1) * sizeof *a->names);
    for (int v = 0; a->names && v < n; v++)
        a->names[v] = a->q.network->variable[v].name;
    if (!a->names || read_question(a, cause, effect))
        return bestdag_run_status(a->run);
    return find_values(a);
}

static void release(struct asker *a)
{
    for (int64_t i = 0; i < a->all.count; i++)
        bestdag_effect_release(&a->all.at[i]);
    bestdag_free(a->all.at);
    bestdag_free(a->all.class.open);
    bestdag_free(a->all.errors);
    bestdag_free(a->all.value);
    bestdag_free(a->names);
    bestdag_free(a->seen);
    bestdag_free(a->state);
    for (int i = 0; i < a->q.count; i++)
        bestdag_free(a->weight[i]);
    bestdag_free(a->weight);
    bestdag_query_release(&a->query);
}

char *bestdag_states_effect(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            struct bestdag_effect_graph graph,
                            const char *cause, const char *effect,
                            const struct bestdag_rules *rules,
                            const struct bestdag_options *options)
{
    struct asker a = {.run = run,
                      .q = {.network = network, .options = options},
                      .graph = graph,
                      .rules = rules};
    char *report = NULL;
    if (!prepare(&a, cause, effect) && !ask_class(&a))
        report = bestdag_effects_report(run, &a.q, rules, &a.all);
    release(&a);
    return report;
}

char *bestdag_network_effect(struct bestdag_run *run,
                             const struct bestdag_network *network,
                             const char *cause, const char *effect,
                             const struct bestdag_rules *rules,
                             const struct bestdag_options *options)
{
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, cause, "cause") ||
        bestdag_lacks(run, effect, "effect"))
        return NULL;
    if (bestdag_network_has_numbers(network))
        return bestdag_number_effect(run, network, cause, effect, rules,
                                     options);
    return bestdag_states_effect(
        run, network, (struct bestdag_effect_graph){.dag = network->dag}, cause,
        effect, rules, options);
}
