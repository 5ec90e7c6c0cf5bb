/* SPDX-License-Identifier: MIT */
/* json_numbers.c -- the regressions of numbers in our JSON format.
 *
 *     { "name": "weight", "kind": "number", "parents": ["sex", "height"],
 *       "regressions": [
 *         { "intercept": -60.2, "coefficients": { "height": 0.7 }, "sd": 9 },
 *         { "intercept": -71.5, "coefficients": { "height": 0.85 }, "sd": 11 }
 *       ], "counts": [51, 49] }
 *
 * One regression for each configuration of the parents with states, in the
 * order of "parents", the last changing fastest; a coefficient for each parent
 * that is a number. "kind" is "number"; without it a variable has states. */
#include "formats/json_numbers.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "network/regression.h"

/* ---- writing ------------------------------------------------------------- */

static void write_coefficients(struct bestdag_buffer *name,
                               struct bestdag_sink *to,
                               const struct bestdag_network *net, int v,
                               const double *term)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    const char *between = "";
    for (int i = 0; i < p->count; i++) {
        if (!net->variable[p->at[i]].is_number)
            continue;
        name->length = 0;
        bestdag_json_quote(name, net->variable[p->at[i]].name);
        if (bestdag_run_status(name->run))
            return;
        bestdag_sink_text(to, between);
        bestdag_sink_write(to, name->at, name->length);
        bestdag_sink_text(to, ": ");
        bestdag_sink_number(to, *term++);
        between = ", ";
    }
}

void bestdag_json_write_regressions(struct bestdag_run *run,
                                    struct bestdag_sink *to,
                                    const struct bestdag_network *net, int v)
{
    struct bestdag_buffer name = {.run = run};
    int64_t q = bestdag_network_configurations(net, v);
    int terms = bestdag_network_terms(net, v);
    const double *term = net->variable[v].regression;
    bestdag_sink_text(to, "\"regressions\": [");
    for (int64_t j = 0; j < q; j++, term += terms) {
        bestdag_sink_text(to, j ? ",\n        " : "\n        ");
        bestdag_sink_text(to, "{\"intercept\": ");
        bestdag_sink_number(to, term[0]);
        bestdag_sink_text(to, ", \"coefficients\": {");
        write_coefficients(&name, to, net, v, term + 1);
        bestdag_sink_text(to, "}, \"sd\": ");
        bestdag_sink_number(to, term[terms - 1]);
        bestdag_sink_text(to, "}");
    }
    bestdag_sink_text(to, "\n      ]");
    bestdag_buffer_release(&name);
}

/* ---- reading ------------------------------------------------------------- */

BESTDAG_PRINTF(4, 5)
static int fail_at(struct bestdag_run *run, const char *file,
                   const struct bestdag_json *at, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int status =
        bestdag_fail_at_list(run, file, bestdag_json_place(at), format, list);
    va_end(list);
    return status;
}

int bestdag_json_take_kind(struct bestdag_run *run, const char *file,
                           const struct bestdag_json *kind,
                           struct bestdag_variable *x)
{
    const char *text = kind ? bestdag_json_text(kind) : "states";
    if (!text || (strcmp(text, "number") != 0 && strcmp(text, "states") != 0))
        return fail_at(run, file, kind,
                       "expected \"number\" or \"states\" for 'kind'");
    x->is_number = !strcmp(text, "number");
    if (x->is_number && x->states)
        return fail_at(run, file, kind,
                       "'%.256s' is a number and cannot have states", x->name);
    return BESTDAG_OK;
}

/* A finite number under `key`. */
static int take_number(struct bestdag_run *run,
                       const struct bestdag_json_regressions *job,
                       const struct bestdag_json *object, const char *key,
                       double *to)
{
    const struct bestdag_json *value = bestdag_json_get(object, key);
    if (!value || value->kind != BESTDAG_JSON_NUMBER)
        return fail_at(run, job->file, value ? value : object,
                       "expected a number for '%.256s'", key);
    *to = value->number;
    return isfinite(*to)
               ? BESTDAG_OK
               : fail_at(run, job->file, value,
                         "'%.256s' is not finite, expected a number", key);
}

static int take_coefficients(struct bestdag_run *run,
                             const struct bestdag_json_regressions *job,
                             const struct bestdag_json *list, double *to)
{
    const struct bestdag_network *net = job->net;
    const struct bestdag_parents *p = &net->dag->parents[job->variable];
    int count = 0;
    for (int i = 0; i < p->count; i++)
        if (net->variable[p->at[i]].is_number &&
            take_number(run, job, list, net->variable[p->at[i]].name,
                        &to[count++]))
            return bestdag_run_status(run);
    if (list->count != count)
        return fail_at(run, job->file, list,
                       "expected %d coefficient%s, one for each parent that is "
                       "a number, found %lld",
                       count, count == 1 ? "" : "s", (long long)list->count);
    return BESTDAG_OK;
}

static int take_one(struct bestdag_run *run,
                    const struct bestdag_json_regressions *job,
                    const struct bestdag_json *item, double *to)
{
    int terms = bestdag_network_terms(job->net, job->variable);
    const struct bestdag_json *list;
    if (item->kind != BESTDAG_JSON_OBJECT)
        return fail_at(run, job->file, item,
                       "expected a regression: {\"intercept\": .., "
                       "\"coefficients\": {..}, \"sd\": ..}");
    list = bestdag_json_get(item, "coefficients");
    if ((list && list->kind != BESTDAG_JSON_OBJECT) || (!list && terms > 2))
        return fail_at(run, job->file, list ? list : item,
                       "expected an object for 'coefficients'");
    if (take_number(run, job, item, "intercept", to) ||
        take_number(run, job, item, "sd", to + terms - 1) ||
        (list && take_coefficients(run, job, list, to + 1)))
        return bestdag_run_status(run);
    return to[terms - 1] >= 0
               ? BESTDAG_OK
               : fail_at(run, job->file, item,
                         "'sd' is negative, expected at least 0");
}

static int check_list(struct bestdag_run *run,
                      const struct bestdag_json_regressions *job)
{
    const struct bestdag_variable *x = &job->net->variable[job->variable];
    int64_t q = bestdag_network_configurations(job->net, job->variable);
    if (!x->is_number)
        return fail_at(run, job->file, job->list,
                       "'%.256s' has regressions, expected \"kind\": "
                       "\"number\"",
                       x->name);
    if (job->list->kind != BESTDAG_JSON_ARRAY)
        return fail_at(run, job->file, job->list,
                       "expected a list for 'regressions'");
    if (q < 0)
        return fail_at(run, job->file, job->list,
                       "unknown states for the regressions of '%.256s'",
                       x->name);
    return job->list->count == q
               ? BESTDAG_OK
               : fail_at(run, job->file, job->list,
                         "expected %lld regressions, found %lld", (long long)q,
                         (long long)job->list->count);
}

int bestdag_json_take_regressions(struct bestdag_run *run,
                                  const struct bestdag_json_regressions *job)
{
    if (!job->list)
        return BESTDAG_OK;
    if (check_list(run, job))
        return bestdag_run_status(run);
    int terms = bestdag_network_terms(job->net, job->variable);
    int64_t q = job->list->count;
    double *all = bestdag_calloc(run, (size_t)q * (size_t)terms, sizeof *all);
    struct bestdag_variable *x = &job->net->variable[job->variable];
    x->line = job->list->line;
    x->column = job->list->column;
    for (int64_t j = 0; all && j < q; j++)
        if (take_one(run, job, &job->list->items[j], all + j * terms))
            break;
    if (all && !bestdag_run_status(run))
        bestdag_network_store_regression(
            run, job->net, job->variable, job->parents,
            job->net->dag->parents[job->variable].count, all);
    bestdag_free(all);
    return bestdag_run_status(run);
}
