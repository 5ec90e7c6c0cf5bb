/* SPDX-License-Identifier: MIT */
/* generate.c -- random networks.
 *
 * The steps are: a random order of the variables; a number of parents for each;
 * parents drawn without repetition from the variables before it; table rows
 * from a symmetric Dirichlet distribution. The number of parents comes from
 *   - a draw from 0 .. max-parents for each variable (as in Scanagatta et al.,
 *     NIPS 2015: 0 to 6 parents, 2 to 4 states), or
 *   - a number of arcs, put one by one where there is room, each possible arc
 *     with equal chance (as in de Campos et al., ICML 2009: at most 3n arcs).
 *
 * Numbers have coefficients of a given range of sizes with either sign, one
 * regression for each configuration of their parents with states.
 *
 * Time: arcs times log n, and the size of the tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/random.h"
#include "data/table.h"
#include "network/regression.h"

static const struct bestdag_option option_rows[] = {
    {"recipe", BESTDAG_CHOICE, "plain", .choices = "plain|nips2015|icml2009",
     .value = "NAME",
     .help = "plain, nips2015 or icml2009; plain: by the options below; "
             "nips2015: 2 to 4 states and 0 to 6 parents each, as in "
             "Scanagatta et al. 2015; icml2009: 2 to 4 states, at most 6 "
             "parents each and 3N arcs in total, as in de Campos et al. 2009"},
    {"variables", BESTDAG_INTEGER, "20", 1, 100000, .value = "N",
     .help = "number of variables"},
    {"max-parents", BESTDAG_INTEGER, "3", 0, 20, .value = "K",
     .help =
         "maximum number of parents of a variable; 6 with the other recipes"},
    {"states", BESTDAG_TEXT, "2:4", .value = "A:B",
     .help = "number of states of each variable, from A to B"},
    {"arcs", BESTDAG_INTEGER, NULL, 0, 1e9, .value = "N",
     .help = "number of arcs; by default each variable draws its number of "
             "parents"},
    {"concentration", BESTDAG_NUMBER, "1", 1e-3, 1e6, .value = "X",
     .help = "parameter of the symmetric Dirichlet distribution from which "
             "table rows are drawn; near 0 one state takes nearly all of the "
             "probability, large values make states equally likely"},
    {"numbers", BESTDAG_NUMBER, "0", 0, 1, .value = "X",
     .help = "share of the variables that are numbers, 1: all (a Gaussian "
             "network); no number is a parent of states; written as JSON"},
    {"coefficients", BESTDAG_TEXT, "0.5:1", .value = "A:B",
     .help = "size of the coefficients of numbers, from A to B, with either "
             "sign; intercepts are standard normal, standard deviations from "
             "0.5 to 1"},
    {0}};
const struct bestdag_option_group bestdag_generate_options = {"generate",
                                                              option_rows};

enum { SALT = 0x6e3e7a7, ARCS_A_VARIABLE = 3, MOST_PARENTS_OF_RECIPE = 6 };

struct recipe {
    int variables, max_parents, least_states, most_states;
    int64_t arcs; /* negative: each variable draws its number of parents */
    bool at_most; /* this many arcs or fewer */
    double concentration;
    int numbers;         /* variables that are numbers */
    double weak, strong; /* sizes of coefficients */
    const char *name;
};

/* ---- options ------------------------------------------------------------- */

static bool whole_number(const char *text, size_t n, int *to)
{
    double x;
    if (!bestdag_number_parse(text, n, &x) || x < 1 ||
        x > BESTDAG_MOST_STATES || x != floor(x))
        return false;
    *to = (int)x;
    return true;
}

/* "A:B", or "A" for A:A. */
static int read_states(struct bestdag_run *run, const char *text,
                       struct recipe *to)
{
    size_t first = strcspn(text, ":");
    const char *second = text[first] ? text + first + 1 : text;
    if (whole_number(text, first, &to->least_states) &&
        whole_number(second, strlen(second), &to->most_states) &&
        to->least_states <= to->most_states)
        return BESTDAG_OK;
    return bestdag_fail(run, BESTDAG_USAGE,
                        "states: '%s' is not A:B with 1 <= A <= B <= %d", text,
                        BESTDAG_MOST_STATES);
}

static int read_coefficients(struct bestdag_run *run, const char *text,
                             struct recipe *to)
{
    size_t first = strcspn(text, ":");
    const char *second = text[first] ? text + first + 1 : text;
    if (bestdag_number_parse(text, first, &to->weak) &&
        bestdag_number_parse(second, strlen(second), &to->strong) &&
        to->weak >= 0 && to->weak <= to->strong && to->strong <= 1e6)
        return BESTDAG_OK;
    return bestdag_fail(run, BESTDAG_USAGE,
                        "coefficients: '%s' is not A:B with 0 <= A <= B <= 1e6",
                        text);
}

/* Arcs that fit under max_parents: variable i has i others before it. */
static int64_t most_arcs(const struct recipe *r)
{
    int64_t n = r->variables, k = r->max_parents;
    return n <= k ? n * (n - 1) / 2 : k * (k - 1) / 2 + (n - k) * k;
}

static int check_arcs(struct bestdag_run *run, struct recipe *r)
{
    int64_t most = most_arcs(r);
    if (r->at_most && r->arcs > most)
        r->arcs = most;
    if (r->arcs > most)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "%lld arcs are too many: %d variables with at most "
                            "%d parents each have room for %lld",
                            (long long)r->arcs, r->variables, r->max_parents,
                            (long long)most);
    return BESTDAG_OK;
}

/* Options override the recipe. */
static int read_options(struct bestdag_run *run,
                        const struct bestdag_options *options, struct recipe *r)
{
    r->name =
        bestdag_option_value(options, &bestdag_generate_options, "recipe").text;
    bool is_plain = !strcmp(r->name, "plain");
    r->variables = (int)bestdag_option_value(options, &bestdag_generate_options,
                                             "variables")
                       .integer;
    r->max_parents = (int)bestdag_option_value(
                         options, &bestdag_generate_options, "max-parents")
                         .integer;
    r->concentration = bestdag_option_value(options, &bestdag_generate_options,
                                            "concentration")
                           .number;
    if (!is_plain && !bestdag_option_given(options, &bestdag_generate_options,
                                           "max-parents"))
        r->max_parents = MOST_PARENTS_OF_RECIPE;
    r->arcs = -1;
    if (bestdag_option_given(options, &bestdag_generate_options, "arcs"))
        r->arcs =
            bestdag_option_value(options, &bestdag_generate_options, "arcs")
                .integer;
    else if (!strcmp(r->name, "icml2009")) {
        r->arcs = (int64_t)ARCS_A_VARIABLE * r->variables;
        r->at_most = true;
    }
    const struct bestdag_option_group *group = &bestdag_generate_options;
    r->numbers = (int)floor(
        bestdag_option_value(options, group, "numbers").number * r->variables +
        0.5);
    if (read_coefficients(
            run, bestdag_option_value(options, group, "coefficients").text, r))
        return bestdag_run_status(run);
    if (read_states(
            run,
            bestdag_option_value(options, &bestdag_generate_options, "states")
                .text,
            r))
        return bestdag_run_status(run);
    return check_arcs(run, r);
}

/* ---- how many parents ---------------------------------------------------- */

/* Draws the number of parents of each place in the order. */
static void draw_each(const struct recipe *r, struct bestdag_random *random,
                      int *parents)
{
    for (int i = 0; i < r->variables; i++) {
        int drawn =
            (int)bestdag_random_below(random, (uint64_t)r->max_parents + 1);
        parents[i] = drawn < i ? drawn : i;
    }
}

/* Makes this many tries to add an arc between two random variables; a try fails
 * if the arc exists or the child has its most parents. Only the number of
 * parents is drawn here, so the parents of a variable are taken to be the first
 * in the order. */
static void try_arcs(const struct recipe *r, struct bestdag_random *random,
                     int *parents)
{
    uint64_t n = (uint64_t)r->variables;
    for (int64_t i = 0; i < r->arcs; i++) {
        int a = (int)bestdag_random_below(random, n);
        int b = (int)bestdag_random_below(random, n - 1);
        b += b >= a;
        int early = a < b ? a : b, late = a < b ? b : a;
        if (early >= parents[late] && parents[late] < r->max_parents)
            parents[late]++;
    }
}

/* A Fenwick tree: sum[i] covers the i & -i places up to i (from 1). */
static void tree_add(int64_t *sum, int n, int place, int64_t change)
{
    for (int i = place + 1; i <= n; i += i & -i)
        sum[i] += change;
}

/* The place in which the x-th unit lies. */
static int tree_find(const int64_t *sum, int n, int64_t x)
{
    int place = 0, step = 1;
    while (step <= n / 2)
        step *= 2;
    for (; step; step /= 2)
        if (place + step <= n && sum[place + step] <= x) {
            place += step;
            x -= sum[place];
        }
    return place;
}

/* Places exactly this many arcs, each on a random free pair. The tree holds the
 * number of free pairs of each place. */
static int place_arcs(struct bestdag_run *run, const struct recipe *r,
                      struct bestdag_random *random, int *parents)
{
    int n = r->variables;
    int64_t *sum = bestdag_calloc(run, (size_t)n + 1, sizeof *sum), free = 0;
    if (!sum)
        return bestdag_run_status(run);
    for (int i = 0; i < n && r->max_parents; i++) {
        tree_add(sum, n, i, i);
        free += i;
    }
    for (int64_t k = 0; k < r->arcs && free > 0; k++) {
        int64_t x = (int64_t)bestdag_random_below(random, (uint64_t)free);
        int i = tree_find(sum, n, x);
        int gone = ++parents[i] == r->max_parents ? i - parents[i] + 1 : 1;
        tree_add(sum, n, i, -gone);
        free -= gone;
    }
    bestdag_free(sum);
    return BESTDAG_OK;
}

/* ---- which parents ------------------------------------------------------- */

/* Draws `count` different numbers of 0 .. n - 1 (Floyd). */
static void draw_subset(struct bestdag_random *random, int n, int count,
                        int *to)
{
    for (int i = 0; i < count; i++) {
        int last = n - count + i;
        int pick = (int)bestdag_random_below(random, (uint64_t)last + 1);
        for (int k = 0; k < i; k++)
            if (to[k] == pick)
                pick =
                    last; /* cannot be drawn yet: it was out of range so far */
        to[i] = pick;
    }
}

static void shuffle(struct bestdag_random *random, int n, int *to)
{
    for (int i = 0; i < n; i++) {
        int k = (int)bestdag_random_below(random, (uint64_t)i + 1);
        to[i] = to[k];
        to[k] = i;
    }
}

/* The last variables of the order are numbers, so that none is a parent of
 * states. */
static void choose_numbers(const struct recipe *r, const int *order,
                           struct bestdag_network *network)
{
    for (int i = r->variables - r->numbers; i < r->variables; i++) {
        struct bestdag_variable *x = &network->variable[order[i]];
        for (int s = 0; s < x->states; s++)
            bestdag_free(x->labels[s]);
        bestdag_free(x->labels);
        x->labels = NULL;
        x->states = 0;
        x->is_number = true;
    }
}

static int draw_arcs(struct bestdag_run *run, const struct recipe *r,
                     struct bestdag_random *random,
                     struct bestdag_network *network)
{
    struct bestdag_dag *dag = network->dag;
    int n = r->variables, status = BESTDAG_OK;
    int *count = bestdag_calloc(run, (size_t)n, sizeof *count);
    int *order = bestdag_calloc(run, (size_t)n, sizeof *order);
    int *parents = bestdag_alloc(run, (size_t)r->max_parents * sizeof *parents);
    if (count && order && parents) {
        shuffle(random, n, order);
        choose_numbers(r, order, network);
        if (r->arcs < 0)
            draw_each(r, random, count);
        else if (r->at_most)
            try_arcs(r, random, count);
        else
            status = place_arcs(run, r, random, count);
        for (int i = 0; i < n && !status; i++) {
            draw_subset(random, i, count[i], parents);
            for (int k = 0; k < count[i]; k++)
                parents[k] = order[parents[k]];
            status =
                bestdag_dag_set_parents(run, dag, order[i], parents, count[i]);
        }
    }
    bestdag_free(count);
    bestdag_free(order);
    bestdag_free(parents);
    return bestdag_run_status(run);
}

/* ---- tables -------------------------------------------------------------- */

static double open_unit(struct bestdag_random *random) /* never 0, never 1 */
{
    return ((double)(bestdag_random_bits(random) >> 12) + 0.5) * 0x1p-52;
}

/* Marsaglia's polar method. */
static double normal(struct bestdag_random *random)
{
    double x, y, s;
    do {
        x = 2 * open_unit(random) - 1;
        y = 2 * open_unit(random) - 1;
        s = x * x + y * y;
    } while (s >= 1);
    return x * sqrt(-2 * log(s) / s);
}

/* The logarithm of a gamma variate (Marsaglia and Tsang 2000). For a shape
 * below 1: that of shape + 1, times u^(1/shape), which as a logarithm cannot
 * become 0. */
static double log_gamma_variate(struct bestdag_random *random, double shape)
{
    if (shape < 1)
        return log_gamma_variate(random, shape + 1) +
               log(open_unit(random)) / shape;
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(random), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(open_unit(random)) < x * x / 2 + d - d * v + d * log(v))
            return log(d * v);
    }
}

/* Draws a row from a symmetric Dirichlet distribution. The largest number is 1
 * minus the others, so that the row sums to 1. */
static void draw_row(struct bestdag_random *random, double concentration,
                     double *row, int states)
{
    int most = 0;
    double sum = 0, rest = 1;
    for (int s = 0; s < states; s++) {
        row[s] = log_gamma_variate(random, concentration);
        if (row[s] > row[most])
            most = s;
    }
    double top = row[most];
    for (int s = 0; s < states; s++) {
        row[s] = exp(row[s] - top);
        sum += row[s];
    }
    for (int s = 0; s < states; s++)
        if (s != most) {
            row[s] /= sum;
            rest -= row[s];
        }
    row[most] = rest;
}

static int draw_regressions(struct bestdag_run *run, const struct recipe *r,
                            struct bestdag_network *network, int v,
                            struct bestdag_random *random)
{
    if (bestdag_network_new_regression(run, network, v))
        return bestdag_run_status(run);
    int terms = bestdag_network_terms(network, v);
    int64_t q = bestdag_network_configurations(network, v);
    double *term = network->variable[v].regression;
    for (int64_t j = 0; j < q; j++, term += terms) {
        term[0] = normal(random);
        for (int k = 1; k < terms - 1; k++) {
            double size = r->weak + (r->strong - r->weak) * open_unit(random);
            term[k] = bestdag_random_below(random, 2) ? size : -size;
        }
        term[terms - 1] = 0.5 + 0.5 * open_unit(random);
    }
    return BESTDAG_OK;
}

static int draw_tables(struct bestdag_run *run, const struct recipe *r,
                       struct bestdag_network *network)
{
    for (int v = 0; v < r->variables; v++) {
        struct bestdag_variable *x = &network->variable[v];
        struct bestdag_random random =
            bestdag_random_init(run->seed ^ SALT, 1 + (uint64_t)v);
        if (bestdag_run_watch(run, v))
            return bestdag_fail(run, BESTDAG_FAILED,
                                "stopped before the network was complete");
        if (x->is_number) {
            if (draw_regressions(run, r, network, v, &random))
                return bestdag_run_status(run);
            continue;
        }
        if (bestdag_network_new_table(run, network, v))
            return bestdag_run_status(run);
        int64_t q = bestdag_network_configurations(network, v);
        for (int64_t j = 0; j < q; j++)
            draw_row(&random, r->concentration, x->table + j * x->states,
                     x->states);
    }
    return BESTDAG_OK;
}

/* ---- the whole ----------------------------------------------------------- */

/* Labels s1, s2, ...: words in every format. */
static char **new_labels(struct bestdag_run *run, int states)
{
    char text[16];
    char **labels = bestdag_calloc(run, (size_t)states, sizeof *labels);
    for (int s = 0; labels && s < states; s++) {
        snprintf(text, sizeof text, "s%d", s + 1);
        labels[s] = bestdag_strdup(run, text); /* NULL: the run has failed */
    }
    return labels;
}

static int name_variables(struct bestdag_run *run, const struct recipe *r,
                          struct bestdag_random *random,
                          struct bestdag_network *network)
{
    uint64_t span = (uint64_t)(r->most_states - r->least_states) + 1;
    char name[16];
    for (int v = 0; v < r->variables; v++) {
        int states = r->least_states + (int)bestdag_random_below(random, span);
        snprintf(name, sizeof name, "X%d", v + 1);
        char **labels = new_labels(run, states);
        if (bestdag_network_set_variable(
                run, network, v, bestdag_strdup(run, name), labels, states))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

static int check_memory(struct bestdag_run *run,
                        const struct bestdag_network *network)
{
    double bytes = 0;
    for (int v = 0; v < network->dag->n; v++) {
        int64_t q = bestdag_network_configurations(network, v);
        if (q < 0)
            return BESTDAG_OK; /* the table itself will be refused, with the
                                  name */
        bytes +=
            (double)q * sizeof(double) *
            (network->variable[v].is_number ? bestdag_network_terms(network, v)
                                            : network->variable[v].states);
    }
    return bestdag_reserve(run, bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX,
                           "the network's tables");
}

static int write_provenance(struct bestdag_run *run, const struct recipe *r,
                            struct bestdag_network *network)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->seed);
    bestdag_network_note(run, network, "recipe", r->name);
    bestdag_network_note(run, network, "seed", seed);
    bestdag_network_note(run, network, "version", bestdag_version());
    return bestdag_run_status(run);
}

struct bestdag_network *bestdag_network_generate(
    struct bestdag_run *run, const struct bestdag_options *options)
{
    struct recipe r = {0};
    if (bestdag_run_status(run) || read_options(run, options, &r))
        return NULL;
    struct bestdag_random random = bestdag_random_init(run->seed ^ SALT, 0);
    struct bestdag_network *network = bestdag_network_empty(run, r.variables);
    bestdag_run_phase(run, "generating", r.variables);
    if (network && !name_variables(run, &r, &random, network) &&
        !draw_arcs(run, &r, &random, network) && !check_memory(run, network) &&
        !draw_tables(run, &r, network) && !write_provenance(run, &r, network))
        return network;
    bestdag_network_free(network);
    return NULL;
}
