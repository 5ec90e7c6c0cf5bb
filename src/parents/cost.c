/* SPDX-License-Identifier: MIT */
/* cost.c -- estimates the cost of learning from a table: the number of
 * families.
 *
 * Without a limit on the parents, BIC implies one: a set of k parents has at
 * least 2^k joint states, and no gain exceeds N ln r. So it cannot be better
 * than the empty set if (r - 1) (2^k - 1) (ln N) / 2 >= N ln r. Other scores
 * have no such limit in advance; the same number serves as an estimate. Numbers
 * have no states: for them any number of parents counts. */
#include "parents/cost.h"
#include "parents/parents.h"

#include <math.h>

#include "scores/score.h"

double bestdag_cost_sets(int candidates, int parents)
{
    double sum = 1, sets = 1;
    for (int k = 1; k <= parents && k <= candidates; k++) {
        sets = sets * (candidates - k + 1) / k;
        sum += sets;
        if (sum > 1e300)
            return sum;
    }
    return sum;
}

static bool has_numbers(const struct bestdag_table *table)
{
    for (int v = 0; v < table->columns; v++)
        if (table->column[v].kind == BESTDAG_NUMBERS)
            return true;
    return false;
}

static int useful_parents(const struct bestdag_table *table, int candidates)
{
    double rows = (double)table->total;
    if (has_numbers(table))
        return candidates;
    if (rows < 3)
        return 1;
    /* ln r / (r - 1) is largest for two states */
    double most = log2(1 + 2 * rows * log(2) / log(rows));
    return most < 1 ? 1 : (int)most;
}

/* The cost of a family relative to families that are counted together: some 500
 * if it is computed on its own, and ten times that for expected counts of rows
 * with missing values; a score that enumerates families itself (leaps.c)
 * examines few of them. */
static double price_of(const struct bestdag_table *table,
                       const struct bestdag_options *options)
{
    const struct bestdag_score_families *own =
        bestdag_score_asked(table, options)->families;
    bool prunes = own && own->list && table->total > table->columns;
    if (!own && table->use == BESTDAG_HOLES_EM && bestdag_table_missing(table))
        return 5000;
    return !own || prunes ? 1 : 500;
}

struct bestdag_cost bestdag_cost_of(const struct bestdag_table *table,
                                    const struct bestdag_options *options)
{
    struct bestdag_cost cost = {0};
    for (int v = 0; v < table->columns; v++)
        cost.variables += table->column[v].kind == BESTDAG_NUMBERS ||
                          (table->column[v].kind == BESTDAG_CODES &&
                           table->column[v].states > 1);
    cost.candidates = cost.variables > 0 ? cost.variables - 1 : 0;
    int64_t k =
        bestdag_option_value(options, &bestdag_parents_options, "candidates")
            .integer;
    if (k > 0 && k < cost.candidates)
        cost.candidates = (int)k;
    cost.limited =
        bestdag_option_given(options, &bestdag_parents_options, "max-parents");
    int64_t limit =
        cost.limited ? bestdag_option_value(options, &bestdag_parents_options,
                                            "max-parents")
                           .integer
                     : useful_parents(table, cost.candidates);
    cost.parents = limit < cost.candidates ? (int)limit : cost.candidates;
    cost.families =
        cost.variables * bestdag_cost_sets(cost.candidates, cost.parents);
    cost.work = cost.families * price_of(table, options);
    return cost;
}

/* For up to 1, 2, ... parents: families, and the memory of their scores. */
static void add_sizes(struct bestdag_json_writer *w,
                      const struct bestdag_cost *cost)
{
    bestdag_json_open(w, "by_max_parents", '[');
    for (int k = 1; k <= cost->parents && k <= 12; k++) {
        double families =
            cost->variables * bestdag_cost_sets(cost->candidates, k);
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_integer(w, "max_parents", k);
        bestdag_json_add_number(w, "families", families);
        bestdag_json_add_number(w, "bytes_at_most", families * (16 + 4.0 * k));
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

void bestdag_cost_write(struct bestdag_json_writer *w,
                        const struct bestdag_table *table,
                        const struct bestdag_options *options)
{
    struct bestdag_cost cost = bestdag_cost_of(table, options);
    bool few = cost.work <= BESTDAG_FEW_FAMILIES;
    bestdag_json_add_integer(w, "variables", cost.variables);
    bestdag_json_add_integer(w, "parents", cost.parents);
    bestdag_json_add_bool(w, "limited", cost.limited);
    bestdag_json_add_number(w, "families", cost.families);
    bestdag_json_add_text(w, "strategy", few ? "sequential" : "independence");
    add_sizes(w, &cost);
}

char *bestdag_sets_cost(struct bestdag_run *run,
                        const struct bestdag_table *table,
                        const struct bestdag_options *options)
{
    struct bestdag_json_writer w = {.out.run = run};
    if (bestdag_lacks(run, table, "table"))
        return NULL;
    bestdag_json_open(&w, NULL, '{');
    bestdag_cost_write(&w, table, options);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}
