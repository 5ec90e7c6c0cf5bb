/* SPDX-License-Identifier: MIT */
/* network.c -- building, checking and accessing networks. */
#include "network/network.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/table.h"
#include "network/regression.h"

/* Limit of the numbers in a table, so that no size overflows. */
static const int64_t LARGEST_TABLE = (int64_t)1 << 40;

struct bestdag_network *bestdag_network_empty(struct bestdag_run *run, int n)
{
    struct bestdag_network *net = bestdag_calloc(run, 1, sizeof *net);
    if (!net)
        return NULL;
    net->dag = bestdag_dag_new(run, n);
    net->variable = bestdag_calloc(run, (size_t)n, sizeof *net->variable);
    if (net->dag && net->variable)
        return net;
    bestdag_network_free(net);
    return NULL;
}

static void free_list(char **list, int count)
{
    for (int i = 0; list && i < count; i++)
        bestdag_free(list[i]);
    bestdag_free(list);
}

static void release_variable(struct bestdag_variable *v)
{
    free_list(v->labels, v->states);
    free_list(v->property, v->properties);
    bestdag_free(v->table);
    bestdag_free(v->regression);
    bestdag_free(v->counts);
    bestdag_free(v->name);
}

void bestdag_network_free(struct bestdag_network *network)
{
    if (!network)
        return;
    int n = network->dag && network->variable ? network->dag->n : 0;
    for (int v = 0; v < n; v++)
        release_variable(&network->variable[v]);
    free_list(network->property, network->properties);
    free_list(network->note, 2 * network->notes);
    bestdag_dag_free(network->dag);
    bestdag_free(network->variable);
    bestdag_free(network->bucket);
    bestdag_free(network->name);
    bestdag_free(network);
}

int bestdag_network_set_variable(struct bestdag_run *run,
                                 struct bestdag_network *network, int v,
                                 char *name, char **labels, int states)
{
    struct bestdag_variable *to = &network->variable[v];
    if (bestdag_run_status(run) || !name || (states && !labels)) {
        bestdag_free(name);
        free_list(labels, states);
        return bestdag_run_status(run);
    }
    to->name = name;
    to->labels = labels;
    to->states = states;
    return BESTDAG_OK;
}

char **bestdag_labels_copy(struct bestdag_run *run, char *const *labels,
                           int count)
{
    char **copy = bestdag_calloc(run, (size_t)count, sizeof *copy);
    for (int i = 0; copy && i < count; i++) {
        copy[i] = bestdag_strdup(run, labels[i]);
        if (!copy[i]) {
            free_list(copy, count);
            return NULL;
        }
    }
    return copy;
}

struct bestdag_network *bestdag_network_new(
    struct bestdag_run *run, const struct bestdag_table *names_and_states)
{
    const struct bestdag_table *t = names_and_states;
    if (bestdag_lacks(run, t, "table"))
        return NULL;
    struct bestdag_network *net = bestdag_network_empty(run, t->columns);
    for (int v = 0; net && v < t->columns; v++) {
        const struct bestdag_column *c = &t->column[v];
        net->variable[v].is_number = c->kind == BESTDAG_NUMBERS;
        if (c->kind == BESTDAG_OPAQUE)
            bestdag_column_need_codes(run, c);
        if (bestdag_network_set_variable(
                run, net, v, bestdag_strdup(run, c->name),
                bestdag_labels_copy(run, c->labels, c->states), c->states)) {
            bestdag_network_free(net);
            return NULL;
        }
    }
    return net;
}

static int copy_texts(struct bestdag_run *run, char *const *from, int count,
                      char ***to, int *to_count)
{
    if (!count)
        return BESTDAG_OK;
    *to = bestdag_labels_copy(run, from, count);
    *to_count = *to ? count : 0;
    return bestdag_run_status(run);
}

static int copy_variable(struct bestdag_run *run,
                         const struct bestdag_variable *from,
                         struct bestdag_variable *to)
{
    to->name = bestdag_strdup(run, from->name);
    to->is_number = from->is_number;
    if (!to->name ||
        copy_texts(run, from->labels, from->states, &to->labels, &to->states))
        return bestdag_run_status(run);
    return copy_texts(run, from->property, from->properties, &to->property,
                      &to->properties);
}

static int copy_rest(struct bestdag_run *run,
                     const struct bestdag_network *from,
                     struct bestdag_network *to)
{
    int n = from->dag->n, notes = 0;
    for (int v = 0; v < n; v++)
        if (copy_variable(run, &from->variable[v], &to->variable[v]) ||
            bestdag_dag_set_parents(run, to->dag, v, from->dag->parents[v].at,
                                    from->dag->parents[v].count))
            return bestdag_run_status(run);
    if (from->name)
        to->name = bestdag_strdup(run, from->name);
    copy_texts(run, from->note, 2 * from->notes, &to->note, &notes);
    to->notes = notes / 2;
    copy_texts(run, from->property, from->properties, &to->property,
               &to->properties);
    return bestdag_run_status(run);
}

struct bestdag_network *bestdag_network_copy_structure(
    struct bestdag_run *run, const struct bestdag_network *from)
{
    struct bestdag_network *net =
        bestdag_run_status(run) ? NULL
                                : bestdag_network_empty(run, from->dag->n);
    if (net && copy_rest(run, from, net)) {
        bestdag_network_free(net);
        return NULL;
    }
    return net;
}

int bestdag_network_set_parents(struct bestdag_run *run,
                                struct bestdag_network *network, int child,
                                const int *parents, int count)
{
    if (bestdag_lacks(run, network, "network") ||
        (count && bestdag_lacks(run, parents, "list of parents")))
        return bestdag_run_status(run);
    if (count < 0 || child < 0 || child >= network->dag->n)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "variable %d cannot have %d parents", child, count);
    struct bestdag_parents old = network->dag->parents[child];
    network->dag->parents[child] = (struct bestdag_parents){0};
    int status =
        bestdag_dag_set_parents(run, network->dag, child, parents, count);
    if (!status)
        status = bestdag_network_check_acyclic(run, network, "parents");
    if (!status)
        status = bestdag_network_check_arcs(run, network, child, "parents");
    if (status) {
        bestdag_free(network->dag->parents[child].at);
        network->dag->parents[child] = old;
        return status;
    }
    bestdag_free(old.at);
    bestdag_free(network->variable[child].table);
    bestdag_free(network->variable[child].regression);
    bestdag_free(network->variable[child].counts);
    network->variable[child].table = NULL;
    network->variable[child].regression = NULL;
    network->variable[child].counts = NULL;
    return BESTDAG_OK;
}

int bestdag_network_add_property(struct bestdag_run *run, char ***list,
                                 int *count, const char *text)
{
    char *copy = bestdag_strdup(run, text);
    char **longer =
        copy
            ? bestdag_realloc(run, *list, (size_t)(*count + 1) * sizeof *longer)
            : NULL;
    if (!longer) {
        bestdag_free(copy);
        return bestdag_run_status(run);
    }
    *list = longer;
    longer[(*count)++] = copy;
    return BESTDAG_OK;
}

int bestdag_network_note(struct bestdag_run *run,
                         struct bestdag_network *network, const char *key,
                         const char *value)
{
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, key, "key of a note") ||
        bestdag_lacks(run, value, "value of a note"))
        return bestdag_run_status(run);
    for (int i = 0; i < network->notes; i++)
        if (!strcmp(network->note[2 * i], key)) {
            char *copy = bestdag_strdup(run, value);
            if (!copy)
                return BESTDAG_MEMORY;
            bestdag_free(network->note[2 * i + 1]);
            network->note[2 * i + 1] = copy;
            return BESTDAG_OK;
        }
    int count = 2 * network->notes;
    if (bestdag_network_add_property(run, &network->note, &count, key))
        return bestdag_run_status(run);
    if (bestdag_network_add_property(run, &network->note, &count, value)) {
        bestdag_free(network->note[count - 1]);
        return bestdag_run_status(run);
    }
    network->notes++;
    return BESTDAG_OK;
}

const char *bestdag_network_noted(const struct bestdag_network *network,
                                  const char *key)
{
    for (int i = 0; network && key && i < network->notes; i++)
        if (!strcmp(network->note[2 * i], key))
            return network->note[2 * i + 1];
    return NULL;
}

/* ---- tables -------------------------------------------------------------- */

int64_t bestdag_network_configurations(const struct bestdag_network *network,
                                       int v)
{
    const struct bestdag_parents *p = &network->dag->parents[v];
    int64_t q = 1;
    for (int i = 0; i < p->count; i++) {
        int states = network->variable[p->at[i]].states;
        if (network->variable[p->at[i]].is_number)
            continue;
        if (states < 1 || q > LARGEST_TABLE / states)
            return -1;
        q *= states;
    }
    return q;
}

static bool has_parent_without_states(const struct bestdag_network *network,
                                      int v)
{
    const struct bestdag_parents *p = &network->dag->parents[v];
    for (int i = 0; i < p->count; i++)
        if (network->variable[p->at[i]].states < 1)
            return true;
    return false;
}

int bestdag_network_new_table(struct bestdag_run *run,
                              struct bestdag_network *network, int v)
{
    struct bestdag_variable *x = &network->variable[v];
    int64_t q = bestdag_network_configurations(network, v);
    if (x->states < 1 || has_parent_without_states(network, v))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "no table for '%s': its states or those of a "
                            "parent are not known",
                            x->name);
    if (q < 0 || q > LARGEST_TABLE / x->states)
        return bestdag_fail(run, BESTDAG_MEMORY,
                            "the table of '%s' with %d parents is too large",
                            x->name, network->dag->parents[v].count);
    char what[256];
    snprintf(what, sizeof what, "the table of '%s'", x->name);
    size_t bytes = (size_t)q * (size_t)x->states * sizeof(double);
    if (bestdag_reserve(run, (int64_t)bytes, what))
        return BESTDAG_MEMORY;
    bestdag_free(x->table);
    bestdag_free(x->counts);
    x->counts = NULL;
    x->table = bestdag_calloc(run, bytes / sizeof(double), sizeof(double));
    return x->table ? BESTDAG_OK : BESTDAG_MEMORY;
}

bool bestdag_network_has_tables(const struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        if (!network->variable[v].table)
            return false;
    return true;
}

bool bestdag_network_has_states(const struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        if (!network->variable[v].states)
            return false;
    return true;
}

int64_t bestdag_network_entries(const struct bestdag_network *network,
                                int *widest, int64_t *most)
{
    int64_t all = 0;
    *widest = 0;
    *most = -1;
    for (int v = 0; v < network->dag->n && *most < INT64_MAX; v++) {
        int64_t q = bestdag_network_configurations(network, v), r;
        r = network->variable[v].is_number ? bestdag_network_terms(network, v)
                                           : network->variable[v].states;
        int64_t entries = q < 0 || !r ? INT64_MAX : q * r;
        if (entries > *most) {
            *most = entries;
            *widest = v;
        }
        if (__builtin_add_overflow(all, entries, &all))
            all = INT64_MAX;
    }
    return all;
}

/* A parent of a table in another order, in terms of our order. Parents with one
 * state do not matter, so there are at most 40: see LARGEST_TABLE. */
struct digit {
    int state, states;
    int64_t stride; /* rows of our table from one state to the next */
};

static int64_t stride_of(const struct bestdag_network *network,
                         const struct bestdag_parents *own, int parent)
{
    int64_t stride = 1;
    for (int k = own->count - 1; own->at[k] != parent; k--)
        if (!network->variable[own->at[k]].is_number)
            stride *= network->variable[own->at[k]].states;
    return stride;
}

void bestdag_network_reorder(const struct bestdag_network *network, int v,
                             const struct bestdag_reordering *way,
                             const void *from, void *to)
{
    const int *parents = way->parents;
    int count = way->count;
    size_t size = way->size;
    struct digit digit[40];
    int digits = 0;
    for (int i = 0; i < count; i++) {
        int states = network->variable[parents[i]].states;
        if (states > 1)
            digit[digits++] = (struct digit){
                0, states,
                stride_of(network, &network->dag->parents[v], parents[i])};
    }
    int64_t q = bestdag_network_configurations(network, v), at = 0;
    for (int64_t j = 0; j < q; j++) {
        memcpy((char *)to + (size_t)at * size,
               (const char *)from + (size_t)j * size, size);
        for (int i = digits - 1; i >= 0; i--) { /* count up */
            at += digit[i].stride;
            if (++digit[i].state < digit[i].states)
                break;
            at -= digit[i].stride * digit[i].state;
            digit[i].state = 0;
        }
    }
}

int bestdag_network_set_table(struct bestdag_run *run,
                              struct bestdag_network *network, int v,
                              const int *parents, int count,
                              const double *table)
{
    struct bestdag_variable *x = &network->variable[v];
    if (bestdag_network_new_table(run, network, v))
        return bestdag_run_status(run);
    struct bestdag_reordering way = {parents, count,
                                     (size_t)x->states * sizeof *table};
    bestdag_network_reorder(network, v, &way, table, x->table);
    return BESTDAG_OK;
}

int bestdag_network_set_counts(struct bestdag_run *run,
                               struct bestdag_network *network, int v,
                               const int *parents, int count,
                               const int64_t *counts)
{
    struct bestdag_variable *x = &network->variable[v];
    int64_t q = bestdag_network_configurations(network, v);
    struct bestdag_reordering way = {parents, count, sizeof *counts};
    assert(x->table || x->regression);
    bestdag_free(x->counts);
    x->counts = bestdag_calloc(run, (size_t)q, sizeof *x->counts);
    if (x->counts)
        bestdag_network_reorder(network, v, &way, counts, x->counts);
    return bestdag_run_status(run);
}

/* ---- names --------------------------------------------------------------- */

static uint32_t hash_text(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h ^ h >> 15;
}

/* Open addressing; bucket holds v + 1, 0 is free. */
static int build_index(struct bestdag_run *run, struct bestdag_network *network)
{
    int n = network->dag->n, buckets = 8;
    while (buckets < 2 * n)
        buckets *= 2;
    network->bucket =
        bestdag_calloc(run, (size_t)buckets, sizeof *network->bucket);
    if (!network->bucket)
        return bestdag_run_status(run);
    network->buckets = buckets;
    for (int v = 0; v < n; v++) {
        uint32_t h = hash_text(network->variable[v].name);
        while (network->bucket[h & (uint32_t)(buckets - 1)])
            h++;
        network->bucket[h & (uint32_t)(buckets - 1)] = v + 1;
    }
    return BESTDAG_OK;
}

int bestdag_network_find(struct bestdag_run *run,
                         struct bestdag_network *network, const char *name)
{
    if (!network->bucket && build_index(run, network))
        return -1;
    uint32_t mask = (uint32_t)(network->buckets - 1), h = hash_text(name);
    for (int32_t v; (v = network->bucket[h & mask]); h++)
        if (!strcmp(network->variable[v - 1].name, name))
            return v - 1;
    return -1;
}

int bestdag_network_search(const struct bestdag_network *network,
                           const char *name)
{
    for (int v = 0; v < network->dag->n; v++)
        if (!strcmp(network->variable[v].name, name))
            return v;
    return -1;
}

int bestdag_variable_state(const struct bestdag_variable *v, const char *label)
{
    for (int s = 0; s < v->states; s++)
        if (!strcmp(v->labels[s], label))
            return s;
    return -1;
}

const char *bestdag_network_name_at(const void *network, int v)
{
    return ((const struct bestdag_network *)network)->variable[v].name;
}

/* ---- looking
 * ----------------------------------------------------------------- */

static const struct bestdag_variable *variable_at(
    const struct bestdag_network *network, int v)
{
    return network && v >= 0 && v < network->dag->n ? &network->variable[v]
                                                    : NULL;
}

int bestdag_network_variables(const struct bestdag_network *network)
{
    return network ? network->dag->n : 0;
}

const char *bestdag_network_name(const struct bestdag_network *network,
                                 int variable)
{
    const struct bestdag_variable *v = variable_at(network, variable);
    return v ? v->name : NULL;
}

int bestdag_network_states(const struct bestdag_network *network, int variable)
{
    const struct bestdag_variable *v = variable_at(network, variable);
    return v ? v->states : 0;
}

const char *bestdag_network_label(const struct bestdag_network *network,
                                  int variable, int state)
{
    const struct bestdag_variable *v = variable_at(network, variable);
    return v && state >= 0 && state < v->states ? v->labels[state] : NULL;
}

int bestdag_network_parents(const struct bestdag_network *network, int child,
                            int *parents, int room)
{
    if (!variable_at(network, child))
        return 0;
    const struct bestdag_parents *p = &network->dag->parents[child];
    for (int i = 0; i < p->count && i < room; i++)
        parents[i] = p->at[i];
    return p->count;
}

const double *bestdag_network_table(const struct bestdag_network *network,
                                    int child, int64_t *configurations,
                                    int *states)
{
    const struct bestdag_variable *v = variable_at(network, child);
    if (!v || !v->table)
        return NULL;
    if (configurations)
        *configurations = bestdag_network_configurations(network, child);
    if (states)
        *states = v->states;
    return v->table;
}
