/* SPDX-License-Identifier: MIT */
/* asking.c -- a query prepared for answering: targets, evidence, engine.
 *
 * Evidence that is impossible is explained in two steps: the engine names a
 * minimal set of variables whose evidence is impossible; where there are
 * several items about one of these variables, items are dropped one by one
 * while the rest stays impossible. */
#include "models/query/asking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct bestdag_option option_rows[] = {
    {"joint", BESTDAG_FLAG, "no",
     .help = "one table of the joint probabilities of the targets, not one "
             "for each target"},
    {"do", BESTDAG_PAIRS, NULL, .value = "X=STATE",
     .help = "set X to a state: arcs into X are cut; the same as do(X=STATE) "
             "in the evidence; can be repeated"},
    {"mpe", BESTDAG_FLAG, "no",
     .help = "the most probable explanation: the most probable states of all "
             "variables together"},
    {"map", BESTDAG_TEXT, NULL, .value = "A,B",
     .help = "the most probable states of these variables together, the others "
             "summed out"},
    {"best", BESTDAG_INTEGER, "1", 1, 1e6, .value = "K",
     .help = "with --mpe or --map: the K most probable ones"},
    {"evidence", BESTDAG_FILE, NULL, .value = "FILE",
     .help = "a table; the query is answered for each row, with the row's "
             "cells as evidence; missing cells, and the columns of targets, "
             "are not used"},
    {0}};
const struct bestdag_option_group bestdag_query_options = {"query",
                                                           option_rows};

static struct bestdag_value option(const struct bestdag_asking *a,
                                   const char *key)
{
    return bestdag_option_value(a->options, &bestdag_query_options, key);
}

/* ---- what is asked ------------------------------------------------------- */

static int check_request(struct bestdag_asking *a)
{
    bool is_map = option(a, "map").text != NULL;
    bool is_mpe = option(a, "mpe").integer != 0;
    a->best = (int)option(a, "best").integer;
    a->has_joint = option(a, "joint").integer != 0;
    a->has_explanations = is_map || is_mpe;
    a->is_of_all =
        !a->query.target.count && (a->has_joint || !a->has_explanations);
    a->has_marginals = (a->is_of_all || a->query.target.count) && !a->has_joint;
    if (is_map && is_mpe)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "mpe and map exclude each other: mpe is over all "
                            "variables, map over some");
    if (a->best > 1 && !a->has_explanations)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "best: the number of explanations needs --mpe or "
                            "--map");
    if (is_map)
        bestdag_names_parse(a->run, a->network, option(a, "map").text, "map",
                            &a->explained);
    return bestdag_run_status(a->run);
}

static int target_all(struct bestdag_asking *a)
{
    struct bestdag_name_list *t = &a->query.target;
    int n = a->network->dag->n;
    t->at = bestdag_alloc(a->run, ((size_t)n + 1) * sizeof *t->at);
    for (int v = 0; t->at && v < n; v++)
        t->at[t->count++] = v;
    return bestdag_run_status(a->run);
}

/* ---- what is known ------------------------------------------------------- */

static int multiply(struct bestdag_asking *a,
                    const struct bestdag_query_item *item)
{
    int v = item->variable, states = a->network->variable[v].states;
    bool is_first = !a->weight[v];
    if (is_first)
        a->weight[v] =
            bestdag_alloc(a->run, (size_t)states * sizeof **a->weight);
    for (int s = 0; a->weight[v] && is_first && s < states; s++)
        a->weight[v][s] = 1;
    if (a->weight[v])
        a->exponent +=
            bestdag_likelihood_multiply(a->weight[v], item->likelihood, states);
    return bestdag_run_status(a->run);
}

/* Do the items about v exclude each other? */
static bool is_contradicted(const struct bestdag_asking *a, int v)
{
    if (!a->weight[v])
        return false;
    for (int s = 0; s < a->network->variable[v].states; s++)
        if (a->weight[v][s] > 0 && (a->doing[v] < 0 || a->doing[v] == s))
            return false;
    return true;
}

/* Computes the products of the items for which use[i], or of all (NULL). */
static int weigh(struct bestdag_asking *a, const bool *use)
{
    a->contradicted = -1;
    a->exponent = 0;
    for (int v = 0; v < a->network->dag->n; v++) {
        bestdag_free(a->weight[v]);
        a->weight[v] = NULL;
        a->doing[v] = -1;
    }
    for (int i = 0; i < a->query.items; i++) {
        const struct bestdag_query_item *item = &a->query.item[i];
        int v = item->variable;
        if (item->is_do)
            a->doing[v] = item->state;
        else if ((!use || use[i]) && multiply(a, item))
            return bestdag_run_status(a->run);
    }
    for (int v = 0; v < a->network->dag->n && a->contradicted < 0; v++)
        a->contradicted = is_contradicted(a, v) ? v : -1;
    return BESTDAG_OK;
}

static bool is_given(const struct bestdag_asking *a, int v)
{
    int possible = 0;
    for (int s = 0; a->weight[v] && s < a->network->variable[v].states; s++)
        possible += a->weight[v][s] > 0;
    return a->doing[v] >= 0 || possible == 1;
}

static int list_reported(struct bestdag_asking *a)
{
    int n = a->network->dag->n;
    a->reported = bestdag_alloc(a->run, ((size_t)n + 1) * sizeof(int));
    if (!a->reported)
        return bestdag_run_status(a->run);
    for (int i = 0; i < a->explained.count; i++)
        a->reported[a->reports++] = a->explained.at[i];
    for (int v = 0; !a->explained.count && v < n; v++)
        if (!is_given(a, v))
            a->reported[a->reports++] = v;
    return BESTDAG_OK;
}

int bestdag_asking_init(struct bestdag_run *run, struct bestdag_asking *to,
                        const struct bestdag_network *network, const char *text,
                        const struct bestdag_options *options)
{
    *to = (struct bestdag_asking){.run = run, .options = options};
    if (bestdag_lacks(run, network, "network"))
        return bestdag_run_status(run);
    to->network = network;
    if (!bestdag_network_has_tables(network))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "the network has no probabilities to answer with: "
                            "'bestdag fit' estimates them");
    size_t n = (size_t)network->dag->n;
    to->weight = bestdag_calloc(run, n + 1, sizeof *to->weight);
    to->doing = bestdag_alloc(run, (n + 1) * sizeof *to->doing);
    if (!to->weight || !to->doing ||
        bestdag_query_parse(run, network, text ? text : "", &to->query) ||
        bestdag_query_parse_settings(run, network, option(to, "do").text,
                                     &to->query) ||
        check_request(to) || (to->is_of_all && target_all(to)) ||
        weigh(to, NULL))
        return bestdag_run_status(run);
    return list_reported(to);
}

void bestdag_asking_release(struct bestdag_asking *a)
{
    for (int v = 0; a->weight && v < a->network->dag->n; v++)
        bestdag_free(a->weight[v]);
    bestdag_free(a->weight);
    bestdag_free(a->doing);
    bestdag_free(a->reported);
    bestdag_engine_free(a->engine);
    bestdag_names_release(&a->explained);
    bestdag_query_release(&a->query);
    *a = (struct bestdag_asking){0};
}

/* ---- the engine ---------------------------------------------------------- */

/* Notes, for -v, what the work will cost before it begins. */
static void note_cost(const struct bestdag_asking *a)
{
    char *text = bestdag_engine_describe(a->run, a->engine);
    struct bestdag_json *j = text ? bestdag_json_read(a->run, text) : NULL;
    const char *method = bestdag_json_text(bestdag_json_get(j, "method"));
    double cliques = bestdag_json_number(bestdag_json_get(j, "cliques"));
    double total = bestdag_json_number(bestdag_json_get(j, "total_table_size"));
    double assignments =
        bestdag_json_number(bestdag_json_get(j, "assignments"));
    char size[32], more[64] = "";
    bestdag_size_format(
        (int64_t)bestdag_json_number(bestdag_json_get(j, "bytes")), size);
    if (j && isnan(cliques)) {
        if (total > 0)
            snprintf(more, sizeof more,
                     "; exact tables would have %.3g numbers", total);
        bestdag_note(a->run, 1, "%s: %.0f samples%s", method,
                     bestdag_json_number(bestdag_json_get(j, "samples")), more);
    } else if (j) {
        if (assignments > 1)
            snprintf(more, sizeof more, ", %.0f assignments of the cutset",
                     assignments);
        bestdag_note(
            a->run, 1,
            "%s: %.0f clique%s, the largest with %.0f numbers, %.0f in all%s, "
            "%s for each thread",
            method, cliques, cliques > 1 ? "s" : "",
            bestdag_json_number(bestdag_json_get(j, "largest_clique")), total,
            more, size);
    }
    bestdag_json_free(j);
    bestdag_text_free(text);
}

/* Lists the variables that the query names, ascending, then `more`; returns how
 * many. */
static int list_named(const struct bestdag_asking *a, const int *more,
                      int count, bool *mark, int *to)
{
    int n = a->network->dag->n, named = 0;
    for (int i = 0; i < count; i++)
        mark[more[i]] = true;
    for (int i = 0; i < a->query.target.count; i++)
        mark[a->query.target.at[i]] = true;
    for (int i = 0; i < a->explained.count; i++)
        mark[a->explained.at[i]] = true;
    for (int i = 0; i < a->query.items; i++)
        mark[a->query.item[i].variable] = true;
    for (int v = 0; v < n; v++)
        if (mark[v])
            to[named++] = v;
    return named;
}

int bestdag_asking_compile(struct bestdag_asking *a, const int *more, int count)
{
    int n = a->network->dag->n;
    bool *mark = bestdag_calloc(a->run, (size_t)n + 1, sizeof *mark);
    int *list = bestdag_alloc(a->run, ((size_t)n + 1) * sizeof *list);
    bool is_mpe = a->has_explanations && !a->explained.count;
    if (mark && list) {
        int named = list_named(a, more, count, mark, list);
        bool is_all = is_mpe || named == n;
        a->engine = bestdag_engine_new(a->run, a->network, is_all ? NULL : list,
                                       is_all ? 0 : named, a->options);
    }
    bestdag_free(mark);
    bestdag_free(list);
    if (a->engine)
        note_cost(a);
    return bestdag_run_status(a->run);
}

/* Leaves out weights that are all 0: they would make the session useless. */
static int set_evidence(struct bestdag_run *run, const struct bestdag_asking *a,
                        struct bestdag_session *session)
{
    int status = BESTDAG_OK;
    bestdag_session_clear(session);
    for (int v = 0; v < a->network->dag->n && !status; v++) {
        if (a->doing[v] >= 0)
            status = bestdag_session_intervene(run, session, v, a->doing[v]);
        if (a->weight[v] && v != a->contradicted && !status)
            status = bestdag_session_weigh(run, session, v, a->weight[v],
                                           a->network->variable[v].states);
    }
    return status;
}

struct bestdag_session *bestdag_asking_session(struct bestdag_run *run,
                                               const struct bestdag_asking *a)
{
    struct bestdag_session *session = bestdag_session_new(run, a->engine);
    if (session && set_evidence(run, a, session)) {
        bestdag_session_free(session);
        return NULL;
    }
    return session;
}

/* ---- impossible evidence ------------------------------------------------- */

/* Sets use[i] for the items about a minimal set of variables whose evidence is
 * impossible. */
static int find_conflict(struct bestdag_asking *a,
                         struct bestdag_session *session, bool *use)
{
    int n = a->network->dag->n, count = 1;
    int *list = bestdag_alloc(a->run, ((size_t)n + 1) * sizeof *list);
    if (!list)
        return bestdag_run_status(a->run);
    list[0] = a->contradicted;
    if (a->contradicted < 0)
        count = bestdag_session_conflict(a->run, session, list, n);
    for (int i = 0; i < a->query.items; i++)
        for (int k = 0; k < count; k++)
            use[i] |=
                a->query.item[i].variable == list[k] && !a->query.item[i].is_do;
    bestdag_free(list);
    return bestdag_run_status(a->run);
}

/* Are the items in use impossible together? */
static bool is_impossible(struct bestdag_asking *a,
                          struct bestdag_session *session, const bool *use)
{
    if (weigh(a, use))
        return false;
    if (a->contradicted >= 0)
        return true;
    return !set_evidence(a->run, a, session) &&
           bestdag_session_evidence(a->run, session) == -INFINITY;
}

static bool has_others(const struct bestdag_asking *a, const bool *use, int i)
{
    for (int k = 0; k < a->query.items; k++)
        if (k != i && use[k] &&
            a->query.item[k].variable == a->query.item[i].variable)
            return true;
    return false;
}

int bestdag_asking_refuse(struct bestdag_asking *a,
                          struct bestdag_session *session)
{
    bool *use = bestdag_calloc(a->run, (size_t)a->query.items + 1, sizeof *use);
    if (use && !find_conflict(a, session, use)) {
        for (int i = 0; i < a->query.items; i++) {
            if (!use[i] || !has_others(a, use, i))
                continue;
            use[i] = false;
            use[i] = !is_impossible(a, session, use);
        }
        if (!bestdag_run_status(a->run))
            bestdag_query_exclude(a->run, &a->query, use, "");
    }
    bestdag_free(use);
    return bestdag_run_status(a->run);
}

/* ---- sizes --------------------------------------------------------------- */

int64_t bestdag_asking_width(const struct bestdag_asking *a)
{
    enum { MOST = 1 << 28 };
    int64_t sum = 0, product = 1;
    for (int i = 0; i < a->query.target.count; i++) {
        int states = a->network->variable[a->query.target.at[i]].states;
        sum += states;
        if (a->has_joint && product > MOST / states) {
            bestdag_fail(a->run, BESTDAG_MEMORY,
                         "the joint table of %d targets is too large: name "
                         "fewer",
                         a->query.target.count);
            return 0;
        }
        product *= a->has_joint ? states : 1;
    }
    return a->has_joint ? product : a->has_marginals ? sum : 0;
}
