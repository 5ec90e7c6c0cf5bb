/* SPDX-License-Identifier: MIT */
/* engine.c -- a network compiled for inference.
 *
 * Variables that are neither asked about nor ancestors of such variables are
 * left out. The moral graph of the rest is triangulated, which gives the sizes
 * of all tables before any is made: a junction tree is compiled if a session
 * fits into memory and time. If not, it chooses variables to condition on,
 * first those that occur in most of the large tables, until a session fits; if
 * that takes too many assignments, sessions sample. */
#include "inference/engine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/row.h"
#include "inference/session.h"
#include "network/regression.h"

static const struct bestdag_option option_rows[] = {
    {"inference", BESTDAG_CHOICE, "auto", .choices = "auto|exact|sampling",
     .value = "HOW",
     .help = "auto: exact where memory and time allow it, else by samples; "
             "exact: an error instead of samples"},
    {"table-size", BESTDAG_INTEGER, "0", 0, 1e15, .value = "N",
     .help = "most numbers that the tables of exact inference may have "
             "together; 0: what memory and time allow"},
    {"samples", BESTDAG_INTEGER, "100000", 100, 1e12, .value = "N",
     .help = "samples to draw where exact inference does not fit"},
    {"tries", BESTDAG_INTEGER, "40", 1, 1e6, .value = "N",
     .help = "elimination orders to try for the junction tree"},
    {0}};
const struct bestdag_option_group bestdag_inference_options = {"inference",
                                                               option_rows};

int bestdag_options_need_exact(struct bestdag_run *run,
                               struct bestdag_options *options)
{
    assert(!strcmp(option_rows[0].key, "inference"));
    return bestdag_option_put(run, options, "inference", &option_rows[0],
                              "exact");
}

/* Limits. MOST_WORK: multiplications for all marginals, some minutes; a time
 * limit replaces it by the work that it has time for. */
enum {
    MOST_CUTS = 24, /* variables to condition on */
    CUT_TRIES = 4
};
static const double MOST_ASSIGNMENTS = 1e6;
static const double MOST_WORK = 2e11, WORK_A_SECOND = 5e8;

/* ---- what matters -------------------------------------------------------- */

static int mark(struct bestdag_run *run, struct bestdag_engine *e,
                const int *variables, int count)
{
    const struct bestdag_dag *dag = e->network->dag;
    for (int v = 0; v < dag->n; v++)
        e->local[v] = -1;
    for (int i = 0; i < (variables ? count : dag->n); i++) {
        int v = variables ? variables[i] : i;
        if (v < 0 || v >= dag->n)
            return bestdag_fail(run, BESTDAG_USAGE, "there is no variable %d",
                                v);
        if (e->local[v] < 0) {
            e->local[v] = 0;
            e->of[e->n++] = v;
        }
    }
    for (int i = 0; i < e->n; i++) {
        const struct bestdag_parents *p = &dag->parents[e->of[i]];
        for (int k = 0; k < p->count; k++)
            if (e->local[p->at[k]] < 0) {
                e->local[p->at[k]] = 0;
                e->of[e->n++] = p->at[k];
            }
    }
    int next = 0; /* in the order of the network, not in that of the question */
    for (int v = 0; v < dag->n; v++)
        if (e->local[v] >= 0) {
            e->of[next] = v;
            e->local[v] = next++;
        }
    return BESTDAG_OK;
}

static int list_potentials(struct bestdag_run *run, struct bestdag_engine *e)
{
    const struct bestdag_network *net = e->network;
    size_t n = (size_t)e->n, scopes = 0;
    for (int v = 0; v < e->n; v++)
        scopes += (size_t)net->dag->parents[e->of[v]].count + 1;
    e->states = bestdag_alloc(run, n * sizeof *e->states);
    e->cut = bestdag_alloc(run, n * sizeof *e->cut);
    e->scope = bestdag_alloc(run, scopes * sizeof *e->scope);
    e->item = bestdag_alloc(run, n * sizeof *e->item);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    int *scope = e->scope;
    for (int v = 0; v < e->n; v++) {
        const struct bestdag_parents *p = &net->dag->parents[e->of[v]];
        const struct bestdag_variable *x = &net->variable[e->of[v]];
        e->states[v] = x->states;
        e->cut[v] = x->states == 1;
        e->item[v] =
            (struct bestdag_potential){p->count + 1, scope, x->table, v};
        for (int k = 0; k < p->count; k++)
            *scope++ = e->local[p->at[k]];
        *scope++ = v;
    }
    return BESTDAG_OK;
}

static int list_order(struct bestdag_run *run, struct bestdag_engine *e)
{
    const struct bestdag_dag *dag = e->network->dag;
    int *order = bestdag_alloc(run, (size_t)dag->n * sizeof *order), next = 0;
    e->offset = bestdag_alloc(run, ((size_t)e->n + 1) * sizeof *e->offset);
    e->order = bestdag_alloc(run, (size_t)e->n * sizeof *e->order);
    if (!bestdag_run_status(run) && bestdag_dag_order(run, dag, order) >= 0) {
        e->offset[0] = 0;
        for (int v = 0; v < e->n; v++)
            e->offset[v + 1] = e->offset[v] + e->states[v];
        for (int i = 0; i < dag->n; i++)
            if (e->local[order[i]] >= 0)
                e->order[next++] = order[i];
    }
    bestdag_free(order);
    return bestdag_run_status(run);
}

/* ---- the tree ------------------------------------------------------------ */

double bestdag_most_work(const struct bestdag_run *run)
{
    return run->time_limit > 0 ? run->time_limit * WORK_A_SECOND : MOST_WORK;
}

/* Bytes that sessions may take. Of the limit, a part is left for what the
 * system counts in addition (base/memory.c), and room for an answer as text. */
static double most_bytes(const struct bestdag_run *run,
                         const struct bestdag_engine *e)
{
    enum { TEXT = 512 }; /* bytes of a state, with the tree it is read into */
    double limit = (double)bestdag_memory_limit(run);
    double physical = (double)bestdag_memory_physical();
    if (limit > 0)
        return limit - limit / 8 - TEXT * (double)e->offset[e->n] -
               (double)bestdag_memory_used(run);
    return physical > 0 ? physical / 2 : 0x1p33;
}

int bestdag_engine_sessions(const struct bestdag_run *run,
                            const struct bestdag_engine *engine, int threads)
{
    double fit = floor(most_bytes(run, engine) / fmax(engine->bytes, 1));
    return fit < 1 ? 1 : fit < threads ? (int)fit : threads;
}

/* Of the copies of the tables that a tree has. */
static double tree_bytes(const struct bestdag_engine *e)
{
    double numbers = 0;
    for (int v = 0; v < e->n; v++)
        numbers +=
            (double)bestdag_network_configurations(e->network, e->of[v]) *
            e->states[v];
    return 2 * numbers * sizeof(double);
}

static void set_sizes(struct bestdag_engine *e,
                      const struct bestdag_triangulation *order)
{
    e->heuristic = order->heuristic;
    e->tries = order->tries;
    e->total = order->total;
    e->largest = order->largest;
}

/* Compiles the tree if a session fits into memory and time. */
static int compile(struct bestdag_run *run, struct bestdag_engine *e,
                   const struct bestdag_potentials *potentials,
                   const struct bestdag_interaction *graph,
                   const struct bestdag_triangulation *order)
{
    double most = bestdag_most_work(run) / e->assignments;
    if (e->assignments == 1) /* of the whole, if none fits */
        set_sizes(e, order);
    if (order->largest > BESTDAG_MOST_NUMBERS ||
        order->total > e->most_numbers || 4 * order->total > most ||
        tree_bytes(e) > most_bytes(run, e))
        return BESTDAG_OK;
    e->tree = bestdag_junction_tree_new(run, potentials, graph, order);
    if (!e->tree)
        return bestdag_run_status(run);
    double bytes = (double)bestdag_messages_bytes(e->tree);
    if (bytes <= most_bytes(run, e) && e->tree->work <= most) {
        set_sizes(e, order);
        e->bytes = bytes;
        e->work = e->tree->work * e->assignments;
        return BESTDAG_OK;
    }
    bestdag_junction_tree_free(e->tree);
    e->tree = NULL;
    return BESTDAG_OK;
}

/* Chooses the next variable to condition on: the one that saves the most
 * numbers for each doubling of the assignments. */
static int choose_cut(const struct bestdag_engine *e,
                      const struct bestdag_interaction *graph,
                      const struct bestdag_triangulation *order, double *gain)
{
    size_t words = (size_t)graph->words;
    int best = -1;
    for (int v = 0; v < e->n; v++)
        gain[v] = 0;
    for (int v = 0; v < e->n; v++) {
        const uint64_t *row = order->row + (size_t)v * words;
        double cells = graph->states[v];
        for (int u = -1; (u = bestdag_row_next(row, words, u + 1)) >= 0;)
            cells *= graph->states[u];
        gain[v] += cells;
        for (int u = -1; (u = bestdag_row_next(row, words, u + 1)) >= 0;)
            gain[u] += cells;
    }
    for (int v = 0; v < e->n; v++) {
        if (e->cut[v])
            continue;
        gain[v] *= (1 - 1.0 / e->states[v]) / log2(e->states[v]);
        if (best < 0 || gain[v] > gain[best])
            best = v;
    }
    return best;
}

/* Compiles a tree for all variables or, if that does not fit, conditions on as
 * few variables as make it fit; e->tree is NULL if none does. */
static int find_tree(struct bestdag_run *run, struct bestdag_engine *e,
                     int tries)
{
    struct bestdag_potentials potentials = {e->n, e->n, e->states, e->item,
                                            e->cut};
    double *gain = bestdag_alloc(run, (size_t)e->n * sizeof *gain);
    e->assignments = 1;
    for (int cuts = 0; gain && cuts <= MOST_CUTS; cuts++) {
        struct bestdag_interaction graph = {0};
        struct bestdag_triangulation order = {0};
        int cut = -1;
        if (!bestdag_potentials_graph(run, &potentials, &graph) &&
            !bestdag_triangulate(run, &graph, cuts ? CUT_TRIES : tries,
                                 &order) &&
            !compile(run, e, &potentials, &graph, &order) && !e->tree &&
            4 * order.total <=
                bestdag_most_work(
                    run)) /* else conditioning saves too little time */
            cut = choose_cut(e, &graph, &order, gain);
        bestdag_interaction_release(&graph);
        bestdag_triangulation_release(&order);
        if (cut < 0 || bestdag_run_status(run))
            break;
        e->cut[cut] = true;
        e->assignments *= e->states[cut];
        if (e->assignments > MOST_ASSIGNMENTS)
            break;
    }
    bestdag_free(gain);
    return bestdag_run_status(run);
}

static int fill(struct bestdag_run *run, struct bestdag_engine *e,
                const int *variables, int count,
                const struct bestdag_options *options)
{
    const struct bestdag_option_group *group = &bestdag_inference_options;
    size_t n = (size_t)e->network->dag->n;
    int tries = (int)bestdag_option_value(options, group, "tries").integer;
    const char *method = bestdag_option_value(options, group, "inference").text;
    e->samples = bestdag_option_value(options, group, "samples").integer;
    e->most_numbers = bestdag_option_value(options, group, "table-size").number;
    if (!(e->most_numbers > 0))
        e->most_numbers = INFINITY;
    e->is_exact = !strcmp(method, "exact");
    e->is_sampled = !strcmp(method, "sampling");
    e->of = bestdag_alloc(run, n * sizeof *e->of);
    e->local = bestdag_alloc(run, n * sizeof *e->local);
    if (bestdag_run_status(run) || mark(run, e, variables, count) ||
        list_potentials(run, e))
        return bestdag_run_status(run);
    if (list_order(run, e) || (!e->is_sampled && find_tree(run, e, tries)))
        return bestdag_run_status(run);
    e->method = !e->tree             ? BESTDAG_BY_SAMPLING
                : e->assignments > 1 ? BESTDAG_BY_CONDITIONING
                                     : BESTDAG_BY_TREE;
    return BESTDAG_OK;
}

/* ---- rows that sum to 1
 * ------------------------------------------------------
 */

/* Numbers in files are rounded. Which rounding errors cancel depends on which
 * variables are pruned, so without normalising, answers would depend on the
 * question. */
#define ROUNDING 1e-12

static double row_sum(const double *row, int states)
{
    double sum = 0;
    for (int s = 0; s < states; s++)
        sum += row[s];
    return sum;
}

static bool sums_to_one(const struct bestdag_network *net, int v)
{
    int states = net->variable[v].states;
    int64_t rows = bestdag_network_configurations(net, v);
    for (int64_t j = 0; j < rows; j++)
        if (fabs(row_sum(net->variable[v].table + j * states, states) - 1) >
            ROUNDING)
            return false;
    return true;
}

static void scale_rows(const struct bestdag_variable *from,
                       struct bestdag_variable *to, int64_t rows)
{
    for (int64_t j = 0; j < rows; j++) {
        const double *row = from->table + j * from->states;
        double sum = row_sum(row, from->states);
        for (int s = 0; s < from->states; s++)
            to->table[j * from->states + s] = row[s] / sum;
    }
}

/* Takes the network itself, or a copy whose rows sum to 1. */
static int take_network(struct bestdag_run *run, struct bestdag_engine *e,
                        const struct bestdag_network *net)
{
    bool is_even = true;
    for (int v = 0; v < net->dag->n && is_even; v++)
        is_even = sums_to_one(net, v);
    e->network = net;
    if (is_even)
        return BESTDAG_OK;
    e->scaled = bestdag_network_copy_structure(run, net);
    for (int v = 0; e->scaled && v < net->dag->n; v++) {
        if (bestdag_network_new_table(run, e->scaled, v))
            return bestdag_run_status(run);
        scale_rows(&net->variable[v], &e->scaled->variable[v],
                   bestdag_network_configurations(net, v));
    }
    e->network = e->scaled;
    return bestdag_run_status(run);
}

struct bestdag_engine *bestdag_engine_new(struct bestdag_run *run,
                                          const struct bestdag_network *network,
                                          const int *variables, int count,
                                          const struct bestdag_options *options)
{
    if (bestdag_lacks(run, network, "network") ||
        bestdag_network_need_states(run, network, "a junction tree"))
        return NULL;
    if (!bestdag_network_has_tables(network)) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "inference needs a network with tables: fit it first");
        return NULL;
    }
    struct bestdag_engine *e = bestdag_calloc(run, 1, sizeof *e);
    if (!e)
        return NULL;
    if (take_network(run, e, network) ||
        fill(run, e, variables, count, options)) {
        bestdag_engine_free(e);
        return NULL;
    }
    return e;
}

void bestdag_engine_free(struct bestdag_engine *engine)
{
    if (!engine)
        return;
    bestdag_junction_tree_free(engine->tree);
    bestdag_network_free(engine->scaled);
    bestdag_free(engine->of);
    bestdag_free(engine->local);
    bestdag_free(engine->states);
    bestdag_free(engine->cut);
    bestdag_free(engine->offset);
    bestdag_free(engine->order);
    bestdag_free(engine->scope);
    bestdag_free(engine->item);
    bestdag_free(engine);
}

bool bestdag_engine_may_sample(const struct bestdag_engine *engine,
                               bool is_joint)
{
    return !engine->is_exact &&
           (engine->method == BESTDAG_BY_SAMPLING ||
            (is_joint && engine->method == BESTDAG_BY_CONDITIONING));
}

const char *bestdag_method_name(enum bestdag_method method)
{
    static const char *const names[] = {"junction tree", "variable elimination",
                                        "conditioning", "likelihood weighting"};
    return names[method];
}

char *bestdag_engine_describe(struct bestdag_run *run,
                              const struct bestdag_engine *engine)
{
    struct bestdag_json_writer w = {.out.run = run};
    if (bestdag_lacks(run, engine, "engine"))
        return NULL;
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "method", bestdag_method_name(engine->method));
    bestdag_json_add_integer(&w, "variables", engine->n);
    if (engine->tree)
        bestdag_json_add_integer(&w, "cliques", engine->tree->cliques);
    bestdag_json_add_number(&w, "largest_clique", engine->largest);
    bestdag_json_add_number(&w, "total_table_size", engine->total);
    bestdag_json_add_number(&w, "bytes", engine->bytes);
    bestdag_json_add_number(&w, "work", engine->work);
    bestdag_json_add_number(&w, "assignments", engine->assignments);
    bestdag_json_add_integer(&w, "samples", engine->samples);
    bestdag_json_add_text(&w, "heuristic", engine->heuristic);
    bestdag_json_add_integer(&w, "tries", engine->tries);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}
