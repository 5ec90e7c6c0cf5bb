/* SPDX-License-Identifier: MIT */
/* effect_report.c -- effects as JSON.
 *
 *     {"cause": "lamp", "effect": "aground", "given": {"season": "winter"},
 *      "given_do": {"lit": {"no": 0.97, "yes": 0.03}, ...},
 *      "means": {"lit": 1.2, ...}, "scale": "numbers",
 *      "differences": [{"from": "lit", "to": "dark",
 *                       "difference": {"no": -0.1, "yes": 0.1}, "mean": 0.2,
 *                       "range": {"no": [-0.1, 0], ...}, "mean_range": [0, 0.2]
 *                      }, ...],
 *      "adjustment": ["keeper"], "causal_path": true, "identified": false,
 *      "range": {"lit": {"no": [0.95, 0.97], ...}, ...},
 *      "reversible": ["season"], "parent_sets": 3, "complete": true,
 *      "alternatives": [{"parents": [...], "adjustment": [...],
 *                        "causal_path": true, "given_do": {...}}, ...],
 *      "method": "junction tree", "assumption": "..."}
 *
 * "given" has a state, a list of the possible ones, or an object with the
 * likelihood of each. "given_do", "adjustment" and "causal_path" are of the
 * network as it is; "alternatives" has one object for each set of parents of
 * the cause in the equivalence class, the network's own first; ranges are over
 * these. Means are there if the states of the effect have values: numbers, or
 * ranks from 1 on. A number that does not exist is null: the evidence is
 * impossible after the intervention, or the data have no case of it. */
#include <math.h>

#include "models/effect.h"

const char bestdag_effect_assumption[] =
    "causal only if the arcs of the network are the causal directions and no "
    "two of its variables have a common cause outside it";

struct reporter {
    const struct bestdag_effect_question *q;
    const struct bestdag_effects *all;
    struct bestdag_json_writer w;
};

/* A value of each member: p or a difference, for a state or for the mean. y -1:
 * the mean; from -1: no difference. */
struct measure {
    int from, to, y;
};

static const struct bestdag_variable *variable(const struct reporter *r, int v)
{
    return &r->q->network->variable[v];
}

static double mean_of(const struct reporter *r, const double *p)
{
    double sum = 0;
    for (int y = 0; y < r->q->effects; y++)
        sum += p[y] * r->all->value[y];
    return sum;
}

static double value_of(const struct reporter *r, const struct bestdag_effect *e,
                       struct measure m)
{
    const double *to = e->p + (int64_t)m.to * r->q->effects;
    const double *from = e->p + (int64_t)m.from * r->q->effects;
    if (m.from < 0)
        return m.y < 0 ? mean_of(r, to) : to[m.y];
    return m.y < 0 ? mean_of(r, to) - mean_of(r, from) : to[m.y] - from[m.y];
}

/* Writes [low, high] over the members that have the value; null if none has. */
static void add_range(struct reporter *r, const char *key, struct measure m)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < r->all->count; i++) {
        double value = value_of(r, &r->all->at[i], m);
        if (isnan(value) || r->all->at[i].sampled)
            continue;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    bestdag_json_open(&r->w, key, '[');
    bestdag_json_add_number(&r->w, NULL, low);
    bestdag_json_add_number(&r->w, NULL, high);
    bestdag_json_close(&r->w, ']');
}

static void add_names(struct reporter *r, const char *key, const int *list,
                      int count)
{
    if (count < 0) {
        bestdag_json_add_text(&r->w, key, NULL);
        return;
    }
    bestdag_json_open(&r->w, key, '[');
    for (int i = 0; i < count; i++)
        bestdag_json_add_text(&r->w, NULL, variable(r, list[i])->name);
    bestdag_json_close(&r->w, ']');
}

/* Writes an object of objects, by state of the cause and of the effect. */
static void add_table(struct reporter *r, const char *key, const double *p)
{
    const struct bestdag_variable *x = variable(r, r->q->cause);
    const struct bestdag_variable *y = variable(r, r->q->effect);
    bestdag_json_open(&r->w, key, '{');
    for (int s = 0; s < x->states; s++) {
        bestdag_json_open(&r->w, x->labels[s], '{');
        for (int t = 0; t < y->states; t++)
            bestdag_json_add_number(&r->w, y->labels[t],
                                    p[(int64_t)s * y->states + t]);
        bestdag_json_close(&r->w, '}');
    }
    bestdag_json_close(&r->w, '}');
}

static void add_ranges(struct reporter *r)
{
    const struct bestdag_variable *x = variable(r, r->q->cause);
    const struct bestdag_variable *y = variable(r, r->q->effect);
    bestdag_json_open(&r->w, "range", '{');
    for (int s = 0; s < x->states; s++) {
        bestdag_json_open(&r->w, x->labels[s], '{');
        for (int t = 0; t < y->states; t++)
            add_range(r, y->labels[t], (struct measure){-1, s, t});
        bestdag_json_close(&r->w, '}');
    }
    bestdag_json_close(&r->w, '}');
}

static void add_means(struct reporter *r)
{
    const struct bestdag_variable *x = variable(r, r->q->cause);
    if (!r->all->value)
        return;
    bestdag_json_add_text(&r->w, "scale", r->all->ranks ? "ranks" : "numbers");
    bestdag_json_open(&r->w, "means", '{');
    for (int s = 0; s < x->states; s++)
        bestdag_json_add_number(
            &r->w, x->labels[s],
            value_of(r, &r->all->at[0], (struct measure){-1, s, -1}));
    bestdag_json_close(&r->w, '}');
}

static void add_difference(struct reporter *r, int from, int to)
{
    const struct bestdag_variable *x = variable(r, r->q->cause);
    const struct bestdag_variable *y = variable(r, r->q->effect);
    struct measure mean = {from, to, -1};
    bestdag_json_open(&r->w, NULL, '{');
    bestdag_json_add_text(&r->w, "from", x->labels[from]);
    bestdag_json_add_text(&r->w, "to", x->labels[to]);
    bestdag_json_open(&r->w, "difference", '{');
    for (int t = 0; t < y->states; t++)
        bestdag_json_add_number(
            &r->w, y->labels[t],
            value_of(r, &r->all->at[0], (struct measure){from, to, t}));
    bestdag_json_close(&r->w, '}');
    bestdag_json_open(&r->w, "range", '{');
    for (int t = 0; t < y->states; t++)
        add_range(r, y->labels[t], (struct measure){from, to, t});
    bestdag_json_close(&r->w, '}');
    if (r->all->value) {
        bestdag_json_add_number(&r->w, "mean",
                                value_of(r, &r->all->at[0], mean));
        add_range(r, "mean_range", mean);
    }
    bestdag_json_close(&r->w, '}');
}

static void add_alternatives(struct reporter *r)
{
    bestdag_json_open(&r->w, "alternatives", '[');
    for (int64_t i = 0; i < r->all->count; i++) {
        const struct bestdag_effect *e = &r->all->at[i];
        bestdag_json_open(&r->w, NULL, '{');
        add_names(r, "parents", e->parents, e->parent_count);
        add_names(r, "adjustment", e->set, e->size);
        bestdag_json_add_bool(&r->w, "causal_path", e->reaches);
        if (e->sampled)
            bestdag_json_add_text(&r->w, "given_do", NULL);
        else
            add_table(r, "given_do", e->p);
        bestdag_json_close(&r->w, '}');
    }
    bestdag_json_close(&r->w, ']');
}

/* Are all weights the same, or 0? */
static bool is_choice(const double *weight, int states)
{
    double most = 0;
    for (int s = 0; s < states; s++)
        most = fmax(most, weight[s]);
    for (int s = 0; s < states; s++)
        if (weight[s] > 0 && weight[s] < most)
            return false;
    return true;
}

static void add_evidence(struct reporter *r, int i)
{
    const struct bestdag_variable *v = variable(r, r->q->seen[i]);
    const double *weight = r->q->weight[i];
    bool is_list = is_choice(weight, v->states);
    if (r->q->state[i] >= 0) {
        bestdag_json_add_text(&r->w, v->name, v->labels[r->q->state[i]]);
        return;
    }
    bestdag_json_open(&r->w, v->name, is_list ? '[' : '{');
    for (int s = 0; s < v->states; s++)
        if (!is_list)
            bestdag_json_add_number(&r->w, v->labels[s], weight[s]);
        else if (weight[s] > 0)
            bestdag_json_add_text(&r->w, NULL, v->labels[s]);
    bestdag_json_close(&r->w, is_list ? ']' : '}');
}

static void add_question(struct reporter *r)
{
    bestdag_json_add_text(&r->w, "cause", variable(r, r->q->cause)->name);
    bestdag_json_add_text(&r->w, "effect", variable(r, r->q->effect)->name);
    bestdag_json_open(&r->w, "given", '{');
    for (int i = 0; i < r->q->count; i++)
        add_evidence(r, i);
    bestdag_json_close(&r->w, '}');
}

static void add_class(struct reporter *r, const struct bestdag_rules *rules)
{
    bestdag_json_add_bool(&r->w, "identified",
                          bestdag_effects_are_same(r->q, r->all));
    add_ranges(r);
    add_names(r, "reversible", r->all->class.open, r->all->class.opens);
    bestdag_json_add_integer(&r->w, "parent_sets", r->all->class.members);
    bestdag_json_add_bool(&r->w, "complete", r->all->class.complete);
    bestdag_class_add_ignored(&r->w, rules);
    add_alternatives(r);
}

char *bestdag_effects_report(struct bestdag_run *run,
                             const struct bestdag_effect_question *question,
                             const struct bestdag_rules *rules,
                             const struct bestdag_effects *effects)
{
    struct reporter r = {.q = question, .all = effects, .w = {.out.run = run}};
    const struct bestdag_effect *own = &effects->at[0];
    bestdag_json_open(&r.w, NULL, '{');
    add_question(&r);
    add_table(&r, "given_do", own->p);
    add_means(&r);
    bestdag_json_open(&r.w, "differences", '[');
    for (int to = 1; to < question->causes; to++)
        for (int from = 0; from < to; from++)
            add_difference(&r, from, to);
    bestdag_json_close(&r.w, ']');
    add_names(&r, "adjustment", own->set, own->size);
    bestdag_json_add_bool(&r.w, "causal_path", own->reaches);
    add_class(&r, rules);
    bestdag_json_add_text(&r.w, "method", effects->method);
    if (effects->sample_size > 0) {
        bestdag_json_add_number(&r.w, "sample_size", effects->sample_size);
        add_table(&r, "standard_errors", effects->errors);
    }
    bestdag_json_add_text(&r.w, "assumption", bestdag_effect_assumption);
    bestdag_json_close(&r.w, '}');
    return bestdag_json_take(&r.w);
}
