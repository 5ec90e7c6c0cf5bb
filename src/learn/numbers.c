/* SPDX-License-Identifier: MIT */
/* numbers.c -- discretises or checks columns of numbers before learning. */
#include "learn/numbers.h"

#include "constraints/deduction/conflict.h"
#include "data/discretize/cutting.h"
#include "learn/candidate_supply.h"
#include "network/cuts.h"

/* Rules are not checked against more impossible arcs than this: that would take
 * a second. */
enum { MOST_ARCS = 1000000 };

/* The table with its numbers discretised, and the cuts in *list; the caller
 * frees both. NULL: error. */
static struct bestdag_table *cut_numbers(struct bestdag_run *run,
                                         const struct bestdag_table *table,
                                         const char *method,
                                         struct bestdag_interval_list *list)
{
    struct bestdag_cutting how = {.table = table};
    if (bestdag_cutting_method(run, method, &how))
        return NULL;
    if (how.method->is_classed) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "discretize: the method '%s' needs a class: use 'bestdag "
                     "discretize --class' first",
                     how.method->name);
        return NULL;
    }
    return bestdag_cutting_all(run, &how, list);
}

static int mark_cuts(struct bestdag_run *run, struct bestdag_result *result,
                     const struct bestdag_interval_list *list)
{
    struct bestdag_network *network = result->network;
    for (int i = 0; i < list->count && network; i++)
        if (bestdag_variable_mark_cuts(
                run, &network->variable[list->of[i].column], &list->of[i].cuts))
            break;
    return bestdag_run_status(run);
}

struct bestdag_result *bestdag_numbers_learn(
    bestdag_learn_fn *learner, struct bestdag_run *run,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options)
{
    const char *method =
        bestdag_option_value(options, &bestdag_learn_options, "discretize")
            .text;
    struct bestdag_interval_list list = {0};
    struct bestdag_table *cut = NULL;
    if (method && !bestdag_lacks(run, table, "table"))
        cut = cut_numbers(run, table, method, &list);
    struct bestdag_result *result =
        bestdag_run_status(run)
            ? NULL
            : learner(run, cut ? cut : table, rules, options);
    if (result && cut && mark_cuts(run, result, &list)) {
        bestdag_result_free(result);
        result = NULL;
    }
    bestdag_intervals_release(&list);
    bestdag_table_free(cut);
    return result;
}

/* Returns the number of pairs of a numeric and a categorical column. Unless
 * `to` is NULL, it gets for each pair that the arc from the number is absent.
 */
static int64_t list_arcs(const struct bestdag_table *t, struct bestdag_fact *to)
{
    int64_t count = 0;
    for (int v = 0; v < t->columns; v++)
        for (int u = 0; u < t->columns; u++)
            if (t->column[v].kind == BESTDAG_CODES &&
                t->column[u].kind == BESTDAG_NUMBERS) {
                if (to)
                    to[count] = (struct bestdag_fact){
                        .kind = BESTDAG_FACT_LACKS, .child = v, .parent = u};
                count++;
            }
    return count;
}

int bestdag_numbers_check(struct bestdag_run *run,
                          const struct bestdag_table *table,
                          const struct bestdag_knowledge *k,
                          const char *const *names)
{
    int64_t arcs = k ? list_arcs(table, NULL) : 0;
    if (!arcs || arcs > MOST_ARCS)
        return BESTDAG_OK;
    struct bestdag_fact *none = bestdag_alloc(run, (size_t)arcs * sizeof *none);
    if (!none)
        return bestdag_run_status(run);
    list_arcs(table, none);
    struct bestdag_knowledge_query question = {.rules = k->rules,
                                               .names = names,
                                               .n = table->columns,
                                               .assumed = none,
                                               .assumptions = (int)arcs};
    bestdag_rules_need_network(
        run, &question,
        "a number cannot be a parent of a state (--discretize, --as-states or "
        "--as-numbers)");
    bestdag_free(none);
    return bestdag_run_status(run);
}

int bestdag_numbers_label(struct bestdag_run *run,
                          const struct bestdag_table *table,
                          const struct bestdag_dag *dag,
                          struct bestdag_labels *labels)
{
    int numbers = 0;
    for (int v = 0; table && v < table->columns; v++)
        numbers += table->column[v].kind == BESTDAG_NUMBERS;
    if (!numbers || numbers == table->columns)
        return bestdag_run_status(run);
    bool *is_number =
        bestdag_calloc(run, (size_t)table->columns, sizeof *is_number);
    for (int v = 0; is_number && v < table->columns; v++)
        is_number[v] = table->column[v].kind == BESTDAG_NUMBERS;
    if (is_number)
        bestdag_number_arcs_label(run, dag, is_number, labels);
    bestdag_free(is_number);
    return bestdag_run_status(run);
}
