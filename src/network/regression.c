/* SPDX-License-Identifier: MIT */
/* regression.c -- variables that are numbers: making, checking and accessing
 * their regressions, in linear time. */
#include "network/regression.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

bool bestdag_network_has_numbers(const struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        if (network->variable[v].is_number)
            return true;
    return false;
}

bool bestdag_network_is_gaussian(const struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        if (!network->variable[v].is_number)
            return false;
    return true;
}

bool bestdag_network_is_fitted(const struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        if (!network->variable[v].table && !network->variable[v].regression)
            return false;
    return true;
}

int bestdag_network_numeric_parents(const struct bestdag_network *network,
                                    int v, int *to)
{
    const struct bestdag_parents *p = &network->dag->parents[v];
    int count = 0;
    for (int i = 0; i < p->count; i++)
        if (network->variable[p->at[i]].is_number) {
            if (to)
                to[count] = p->at[i];
            count++;
        }
    return count;
}

int bestdag_network_terms(const struct bestdag_network *network, int v)
{
    return bestdag_network_numeric_parents(network, v, NULL) + 2;
}

int bestdag_network_new_regression(struct bestdag_run *run,
                                   struct bestdag_network *network, int v)
{
    struct bestdag_variable *x = &network->variable[v];
    int64_t q = bestdag_network_configurations(network, v), numbers;
    int terms = bestdag_network_terms(network, v);
    if (!x->is_number)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "no regressions for '%s': it is not a number",
                            x->name);
    if (q < 0 || __builtin_mul_overflow(q, (int64_t)terms, &numbers) ||
        numbers > INT64_MAX / 8)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "no regressions for '%s': its parents have too "
                            "many configurations, or states that are not known",
                            x->name);
    bestdag_free(x->regression);
    bestdag_free(x->counts);
    x->counts = NULL;
    x->regression = bestdag_calloc(run, (size_t)numbers, sizeof *x->regression);
    return bestdag_run_status(run);
}

int bestdag_network_store_regression(struct bestdag_run *run,
                                     struct bestdag_network *network, int v,
                                     const int *parents, int count,
                                     const double *regression)
{
    struct bestdag_variable *x = &network->variable[v];
    if (bestdag_network_new_regression(run, network, v))
        return bestdag_run_status(run);
    struct bestdag_reordering way = {parents, count,
                                     (size_t)bestdag_network_terms(network, v) *
                                         sizeof *regression};
    bestdag_network_reorder(network, v, &way, regression, x->regression);
    return BESTDAG_OK;
}

double bestdag_network_mean(const struct bestdag_network *network, int v,
                            int64_t j, const double *value)
{
    const struct bestdag_parents *p = &network->dag->parents[v];
    const double *term =
        network->variable[v].regression + j * bestdag_network_terms(network, v);
    double mean = *term++;
    for (int i = 0; i < p->count; i++)
        if (network->variable[p->at[i]].is_number)
            mean += *term++ * value[p->at[i]];
    return mean;
}

/* ---- checks -------------------------------------------------------------- */

int bestdag_network_check_arcs(struct bestdag_run *run,
                               const struct bestdag_network *network, int v,
                               const char *file)
{
    const struct bestdag_parents *p = &network->dag->parents[v];
    const struct bestdag_variable *x = &network->variable[v];
    if (x->is_number || !x->states)
        return BESTDAG_OK;
    for (int i = 0; i < p->count; i++)
        if (network->variable[p->at[i]].is_number)
            return bestdag_variable_fail(
                run, file, x,
                "the arc '%s' -> '%s' goes from a number to a variable with "
                "states, which a network cannot have: turn it round, or cut "
                "'%s' into states (bestdag discretize)",
                network->variable[p->at[i]].name, x->name,
                network->variable[p->at[i]].name);
    return BESTDAG_OK;
}

static int check_terms(struct bestdag_run *run,
                       const struct bestdag_network *network, int v,
                       const char *file)
{
    const struct bestdag_variable *x = &network->variable[v];
    int terms = bestdag_network_terms(network, v);
    int64_t all = bestdag_network_configurations(network, v) * terms;
    char number[BESTDAG_NUMBER_ROOM];
    for (int64_t i = 0; i < all; i++) {
        bool is_sd = i % terms == terms - 1;
        double value = x->regression[i];
        /* The variance, the square of sd, must be finite, too. */
        if (isfinite(value) && !(is_sd && !(value >= 0 && value <= 1e150)))
            continue;
        bestdag_number_brief(value, number);
        return bestdag_variable_fail(
            run, file, x, "a regression of '%s' has %s, expected %s", x->name,
            number,
            is_sd ? "a standard deviation from 0 to 1e150" : "a finite number");
    }
    return BESTDAG_OK;
}

int bestdag_network_check_numbers(struct bestdag_run *run,
                                  const struct bestdag_network *network,
                                  const char *file)
{
    for (int v = 0; v < network->dag->n; v++) {
        if (bestdag_network_check_arcs(run, network, v, file))
            break;
        if (network->variable[v].regression &&
            check_terms(run, network, v, file))
            break;
    }
    return bestdag_run_status(run);
}

int bestdag_network_need_states(struct bestdag_run *run,
                                const struct bestdag_network *network,
                                const char *what)
{
    for (int v = 0; v < network->dag->n; v++)
        if (network->variable[v].is_number)
            return bestdag_fail(
                run, BESTDAG_USAGE,
                "variable '%s' is a number, and %s needs states: cut the "
                "numbers first (bestdag discretize, or learn --discretize)",
                network->variable[v].name, what);
    return BESTDAG_OK;
}

/* ---- the public side ----------------------------------------------------- */

static const struct bestdag_variable *number_at(
    const struct bestdag_network *network, int v)
{
    return network && v >= 0 && v < network->dag->n &&
                   network->variable[v].is_number
               ? &network->variable[v]
               : NULL;
}

int bestdag_network_is_number(const struct bestdag_network *network,
                              int variable)
{
    return number_at(network, variable) ? 1 : 0;
}

const double *bestdag_network_regression(const struct bestdag_network *network,
                                         int child, int64_t *configurations,
                                         int *terms)
{
    const struct bestdag_variable *x = number_at(network, child);
    if (!x || !x->regression)
        return NULL;
    if (configurations)
        *configurations = bestdag_network_configurations(network, child);
    if (terms)
        *terms = bestdag_network_terms(network, child);
    return x->regression;
}

int bestdag_network_set_number(struct bestdag_run *run,
                               struct bestdag_network *network, int variable)
{
    if (bestdag_lacks(run, network, "network"))
        return bestdag_run_status(run);
    if (variable < 0 || variable >= network->dag->n)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "there is no variable %d, expected 0 to %d",
                            variable, network->dag->n - 1);
    struct bestdag_variable *x = &network->variable[variable];
    if (x->states)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "'%s' has states and cannot be a number", x->name);
    x->is_number = true;
    if (bestdag_network_check_numbers(run, network, "network"))
        x->is_number = false;
    return bestdag_run_status(run);
}

int bestdag_network_set_regression(struct bestdag_run *run,
                                   struct bestdag_network *network,
                                   int variable, const double *regression,
                                   int64_t count)
{
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, regression, "list of regressions"))
        return bestdag_run_status(run);
    if (!number_at(network, variable))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "variable %d is not a number of the network",
                            variable);
    struct bestdag_variable *x = &network->variable[variable];
    int64_t q = bestdag_network_configurations(network, variable);
    int terms = bestdag_network_terms(network, variable);
    if (q >= 0 && count != q * terms)
        return bestdag_fail(
            run, BESTDAG_USAGE,
            "the regressions of '%s' have %lld numbers, expected %lld", x->name,
            (long long)count, (long long)(q * terms));
    if (bestdag_network_new_regression(run, network, variable))
        return bestdag_run_status(run);
    memcpy(x->regression, regression, (size_t)count * sizeof *regression);
    if (check_terms(run, network, variable, "network")) {
        bestdag_free(x->regression);
        x->regression = NULL;
    }
    return bestdag_run_status(run);
}
