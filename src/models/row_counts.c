/* SPDX-License-Identifier: MIT */
/* row_counts.c -- the number of data rows behind each row of a network's
 * tables, for a network that was not fitted here.
 *
 * Counted as in fit.c, block by block, without the child: rows times (variables
 * + arcs). Rows with a missing value are left out. */
#include "models/match.h"

enum { BLOCK = 4096 };

struct counting {
    struct bestdag_run *run;
    struct bestdag_network *network;
    struct bestdag_match match;  /* owns */
    struct bestdag_digit *digit; /* owns; of one family */
    uint32_t index[BLOCK];
};

/* Adds the counts of the configurations of v's parents. */
static void add_block(struct counting *c, int64_t from, int n, int64_t *count)
{
    const int32_t *weights = c->match.weights;
    for (int i = 0; i < n; i++) {
        int32_t weight = weights ? weights[from + i] : 1;
        if (weight > 0) /* else the index is arbitrary */
            count[c->index[i]] += weight;
    }
}

static int count_parents(struct counting *c, int v, int64_t rows)
{
    struct bestdag_variable *x = &c->network->variable[v];
    int64_t q = bestdag_network_configurations(c->network, v);
    if (q < 0 || q > BESTDAG_DIGITS_MOST)
        return bestdag_fail(c->run, BESTDAG_INPUT,
                            "the rows of the table of '%s' cannot be counted: "
                            "its parents have %s",
                            x->name, q < 0 ? "no states" : "too many states");
    bestdag_free(x->counts);
    x->counts = bestdag_calloc(c->run, (size_t)q, sizeof *x->counts);
    int parents =
        bestdag_match_family(&c->match, c->network->dag, v, c->digit) -
        (x->is_number ? 0 : 1);
    for (int64_t from = 0; x->counts && from < rows; from += BLOCK) {
        int n = rows - from < BLOCK ? (int)(rows - from) : BLOCK;
        if (bestdag_run_stopped(c->run))
            return bestdag_fail(c->run, BESTDAG_FAILED,
                                "stopped while counting rows");
        bestdag_digits_index(c->digit, parents, from, n, c->index);
        add_block(c, from, n, x->counts);
    }
    return bestdag_run_status(c->run);
}

int bestdag_network_count(struct bestdag_run *run,
                          struct bestdag_network *network,
                          const struct bestdag_table *table)
{
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, table, "table"))
        return bestdag_run_status(run);
    struct counting *c = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return bestdag_run_status(run);
    *c = (struct counting){.run = run, .network = network};
    c->digit = bestdag_alloc(run, (size_t)bestdag_match_widest(network->dag) *
                                      sizeof *c->digit);
    if (c->digit && !bestdag_match_columns(run, network, table, &c->match) &&
        !bestdag_match_cells(run, network, table, &c->match))
        for (int v = 0; v < network->dag->n; v++)
            if (count_parents(c, v, table->rows))
                break;
    bestdag_match_release(&c->match);
    bestdag_free(c->digit);
    bestdag_free(c);
    return bestdag_run_status(run);
}
