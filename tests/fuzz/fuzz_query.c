/* SPDX-License-Identifier: MIT */
/* fuzz_query.c -- the query language. What is accepted has variables and states
 * of the network; every item, written alone as its text says, reads as the same
 * item again. */
#include "fuzz.h"

#include "models/query/language.h"

enum { N = 4, MOST = 3 };

static const struct {
    const char *name, *label[MOST];
    int states;
} VARIABLES[N] = {{"fog", {"no", "yes"}, 2},
                  {"in", {"1", "2.50", "do"}, 3},
                  {"do", {"a b", "c|d", "e\"f"}, 3},
                  {"sea, state", {"calm"}, 1}};

static struct bestdag_network *make_network(struct bestdag_run *run)
{
    struct bestdag_table *table = bestdag_table_new(run, 1);
    int code = 0;
    for (int v = 0; v < N; v++)
        bestdag_table_add_codes(run, table, VARIABLES[v].name, &code, 4,
                                VARIABLES[v].states, VARIABLES[v].label);
    struct bestdag_network *network = bestdag_network_new(run, table);
    bestdag_table_free(table);
    fuzz_require(network != NULL, "there is a network");
    return network;
}

static void check_item(struct bestdag_run *run,
                       const struct bestdag_network *network,
                       const struct bestdag_query_item *item)
{
    int states = network->variable[item->variable].states;
    struct bestdag_query again = {0};
    struct bestdag_buffer b = {.run = run};
    bestdag_buffer_format(&b, "|%s", item->text);
    fuzz_require(item->state >= -1 && item->state < states, "a state");
    fuzz_require(item->is_do == !item->likelihood, "do() has no likelihood");
    fuzz_require(!bestdag_query_parse(run, network, b.at, &again),
                 "an item's text is an item");
    fuzz_require(again.items == 1 && again.target.count == 0, "one item");
    fuzz_require(again.item[0].variable == item->variable &&
                     again.item[0].state == item->state &&
                     again.item[0].is_do == item->is_do,
                 "the same item");
    for (int s = 0; item->likelihood && s < states; s++) {
        double x = item->likelihood[s], y = again.item[0].likelihood[s];
        fuzz_require(x >= 0 && !(x < y) && !(y < x), "the same likelihoods");
    }
    bestdag_query_release(&again);
    bestdag_buffer_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_network *network = make_network(run);
    struct bestdag_file file = fuzz_file(run, bytes, size);
    struct bestdag_query query = {0};
    bool good =
        file.bytes && !bestdag_query_parse(run, network, file.bytes, &query);
    fuzz_answer(run, good ? &query : NULL);
    for (int i = 0; good && i < query.target.count; i++)
        fuzz_require(query.target.at[i] >= 0 && query.target.at[i] < N,
                     "a target is a variable");
    for (int i = 0; good && i < query.items; i++)
        check_item(run, network, &query.item[i]);
    bestdag_query_release(&query);
    bestdag_free(file.bytes);
    bestdag_network_free(network);
    fuzz_end(run);
    return 0;
}
