/* SPDX-License-Identifier: MIT */
/* numeric_explain.c -- the most probable explanations of networks with numbers:
 * --mpe, --map and --best (inference/mixed_explain.c). */
#include <math.h>

#include "models/query/asking.h"
#include "models/query/numeric.h"

static struct bestdag_value option(const struct bestdag_numeric *a,
                                   const char *key)
{
    return bestdag_option_value(a->options, &bestdag_query_options, key);
}

/* Does the query give the value of v? */
static bool is_given(const struct bestdag_numeric *a, int v)
{
    int states = a->network->variable[v].states, possible = 0;
    if (a->network->variable[v].is_number)
        return !isnan(a->value[v]);
    for (int s = 0; a->weight[v] && s < states; s++)
        possible += a->weight[v][s] > 0;
    return a->doing[v] >= 0 || possible == 1;
}

static int target_unknown(struct bestdag_numeric *a)
{
    struct bestdag_name_list *t = &a->query.target;
    int n = a->network->dag->n;
    t->at = bestdag_alloc(a->run, ((size_t)n + 1) * sizeof *t->at);
    for (int v = 0; t->at && v < n; v++)
        if (!is_given(a, v))
            t->at[t->count++] = v;
    return bestdag_run_status(a->run);
}

static int target_some(struct bestdag_numeric *a)
{
    struct bestdag_name_list *t = &a->query.target;
    bool is_gaussian = bestdag_network_is_gaussian(a->network);
    bestdag_names_release(t);
    if (bestdag_names_parse(a->run, a->network, option(a, "map").text, "map",
                            t))
        return bestdag_run_status(a->run);
    for (int i = 0; i < t->count && !is_gaussian; i++)
        if (a->network->variable[t->at[i]].is_number)
            return bestdag_fail(a->run, BESTDAG_USAGE,
                                "map: '%s' is a number, whose distribution is "
                                "a mixture of normals here, the mode of which "
                                "is not computed; mpe is about all variables "
                                "together",
                                a->network->variable[t->at[i]].name);
    return BESTDAG_OK;
}

static int make_room(struct bestdag_numeric *a)
{
    struct bestdag_mixed_explanations *e = &a->explained;
    size_t n = (size_t)a->network->dag->n + 1, best = (size_t)e->best;
    if (bestdag_reserve(a->run, (int64_t)(best * (12 * n + 8)),
                        "the explanations"))
        return bestdag_run_status(a->run);
    e->ln = bestdag_alloc(a->run, best * sizeof *e->ln);
    e->state = bestdag_alloc(a->run, best * n * sizeof *e->state);
    e->value = bestdag_alloc(a->run, best * n * sizeof *e->value);
    return bestdag_run_status(a->run);
}

static int check(struct bestdag_numeric *a)
{
    bool is_explained = a->is_mpe || a->is_map;
    if (a->is_mpe && a->is_map)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "mpe and map exclude each other: mpe is over all "
                            "variables, map over some");
    if (a->explained.best > 1 && !is_explained)
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "best: it needs mpe or map: several explanations "
                            "of what?");
    if (a->explained.best > 1 && bestdag_network_is_gaussian(a->network))
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "best: numbers have one most probable value, and "
                            "no next one");
    if (is_explained && (a->query.target.count || a->has_joint))
        return bestdag_fail(a->run, BESTDAG_USAGE,
                            "%s: it takes no targets in a network with numbers",
                            a->is_mpe ? "mpe" : "map");
    return BESTDAG_OK;
}

int bestdag_numeric_choose(struct bestdag_numeric *a)
{
    a->is_mpe = option(a, "mpe").integer != 0;
    a->is_map = option(a, "map").text != NULL;
    a->explained.best = (int)option(a, "best").integer;
    if (check(a) || !(a->is_mpe || a->is_map))
        return bestdag_run_status(a->run);
    if (a->is_mpe ? target_unknown(a) : target_some(a))
        return bestdag_run_status(a->run);
    return make_room(a);
}

bool bestdag_numeric_is_mode(const struct bestdag_numeric *a)
{
    return a->is_mpe || bestdag_network_is_gaussian(a->network);
}

int bestdag_numeric_explain(struct bestdag_numeric *a,
                            const struct bestdag_mixed_question *q)
{
    struct bestdag_mixed_explanations *e = &a->explained;
    if (bestdag_numeric_is_mode(a))
        bestdag_mixed_modes(a->run, q, a->options, e);
    else
        bestdag_mixed_map(a->run, q, a->options, e);
    a->answer.ln_evidence = e->ln_evidence;
    a->answer.method = e->method;
    a->answer.sample_size = 0;
    return bestdag_run_status(a->run);
}

static void write_one(struct bestdag_json_writer *w,
                      const struct bestdag_numeric *a, int k)
{
    const struct bestdag_name_list *t = &a->query.target;
    const struct bestdag_mixed_explanations *e = &a->explained;
    ptrdiff_t row = (ptrdiff_t)k * a->network->dag->n;
    bool is_mode = bestdag_numeric_is_mode(a);
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_number(w, is_mode ? "density" : "probability",
                            exp(e->ln[k]));
    if (is_mode)
        bestdag_json_add_number(w, "log_density", e->ln[k]);
    for (int kind = 0; kind < 2; kind++) {
        if (kind ? !is_mode : bestdag_network_is_gaussian(a->network))
            continue;
        bestdag_json_open(w, kind ? "values" : "states", '{');
        for (int i = 0; i < t->count; i++) {
            const struct bestdag_variable *x = &a->network->variable[t->at[i]];
            if (x->is_number != (kind == 1))
                continue;
            if (kind)
                bestdag_json_add_number(w, x->name, e->value[row + t->at[i]]);
            else
                bestdag_json_add_text(w, x->name,
                                      x->labels[e->state[row + t->at[i]]]);
        }
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, '}');
}

void bestdag_numeric_write_explanations(struct bestdag_json_writer *w,
                                        const struct bestdag_numeric *a)
{
    bestdag_json_open(w, "explanations", '[');
    for (int k = 0; k < a->explained.found; k++)
        write_one(w, a, k);
    bestdag_json_close(w, ']');
}
