/* SPDX-License-Identifier: MIT */
/* equivalence_class.c -- the equivalence class of a network, as a report.
 *
 * The report is about the class, not about the network that stands for it:
 * pairs are sorted by the numbers of their variables, reversible ones have the
 * lower first, so all members of a class give the same text. */
#include <stdlib.h>

#include "base/json.h"
#include "constraints/deduction/mpdag.h"
#include "formats/format.h"
#include "models/class_members.h"

/* Finds the arcs that are compelled under rules (NULL: none). Fails if the
 * network breaks a rule. `to` must be released, also on failure. */
static int find_compelled(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_rules *rules,
                          struct bestdag_labels *to)
{
    int n = network->dag->n;
    const char **names = bestdag_alloc(run, ((size_t)n + 1) * sizeof *names);
    *to = (struct bestdag_labels){0};
    for (int v = 0; names && v < n; v++)
        names[v] = network->variable[v].name;
    if (names &&
        !bestdag_mpdag_label_under(run, network->dag, rules, names, to))
        bestdag_class_label_kinds(run, network, to);
    bestdag_free(names);
    return bestdag_run_status(run);
}

struct pair {
    bool reversible;
    int from, to;
};

static int in_report(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->reversible != y->reversible)
        return x->reversible ? 1 : -1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static struct pair pair_of(int from, int to, bool compelled)
{
    if (!compelled && from > to)
        return (struct pair){true, to, from};
    return (struct pair){!compelled, from, to};
}

/* Compelled pairs come first; returns how many there are. */
static int64_t sort_pairs(const struct bestdag_dag *dag,
                          const struct bestdag_labels *labels,
                          struct pair *pairs)
{
    int64_t count = 0, compelled = 0;
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++) {
            bool is_compelled = labels->compelled[count];
            compelled += is_compelled;
            pairs[count++] = pair_of(dag->parents[v].at[i], v, is_compelled);
        }
    qsort(pairs, (size_t)count, sizeof *pairs, in_report);
    return compelled;
}

static void add_pairs(struct bestdag_json_writer *w, const char *key,
                      const struct bestdag_network *network,
                      const struct pair *from, const struct pair *end)
{
    bestdag_json_open(w, key, '[');
    for (; from < end; from++) {
        bestdag_json_open(w, NULL, '[');
        bestdag_json_add_text(w, NULL, network->variable[from->from].name);
        bestdag_json_add_text(w, NULL, network->variable[from->to].name);
        bestdag_json_close(w, ']');
    }
    bestdag_json_close(w, ']');
}

static char *write_report(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_rules *rules,
                          const struct pair *pairs, int64_t compelled)
{
    struct bestdag_json_writer w = {.out.run = run};
    int64_t arcs = bestdag_dag_arcs(network->dag);
    int64_t v_structures = bestdag_cpdag_v_structures(run, network->dag);
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_integer(&w, "variables", network->dag->n);
    bestdag_json_add_integer(&w, "arcs", arcs);
    add_pairs(&w, "compelled", network, pairs, pairs + compelled);
    add_pairs(&w, "reversible", network, pairs + compelled, pairs + arcs);
    bestdag_json_add_integer(&w, "v_structures", v_structures);
    if (rules && rules->count)
        bestdag_class_add_ignored(&w, rules);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

char *bestdag_network_class(struct bestdag_run *run,
                            const struct bestdag_network *network)
{
    return bestdag_network_class_under(run, network, NULL);
}

char *bestdag_network_class_under(struct bestdag_run *run,
                                  const struct bestdag_network *network,
                                  const struct bestdag_rules *rules)
{
    if (bestdag_run_status(run))
        return NULL;
    if (!network) {
        bestdag_fail(run, BESTDAG_USAGE, "a network is needed for its class");
        return NULL;
    }
    char *report = NULL;
    struct pair *pairs = NULL;
    struct bestdag_labels labels;
    size_t arcs = (size_t)bestdag_dag_arcs(network->dag);
    if (!find_compelled(run, network, rules, &labels))
        pairs = bestdag_alloc(run, arcs * sizeof *pairs);
    if (pairs)
        report = write_report(run, network, rules, pairs,
                              sort_pairs(network->dag, &labels, pairs));
    bestdag_free(pairs);
    bestdag_cpdag_release(&labels);
    return report;
}

int bestdag_network_write_class(struct bestdag_run *run,
                                const struct bestdag_network *network,
                                const char *format, const char *path)
{
    return bestdag_network_write_class_under(run, network, NULL, format, path);
}

int bestdag_network_write_class_under(struct bestdag_run *run,
                                      const struct bestdag_network *network,
                                      const struct bestdag_rules *rules,
                                      const char *format, const char *path)
{
    struct bestdag_pdag *pdag = NULL;
    struct bestdag_labels labels;
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, path, "file to write"))
        return bestdag_run_status(run);
    const struct bestdag_format *to =
        bestdag_format_for_class(run, format, path);
    if (!to)
        return bestdag_run_status(run);
    if (!find_compelled(run, network, rules, &labels))
        pdag = bestdag_pdag_labelled(run, network->dag, &labels);
    bestdag_cpdag_release(&labels);
    struct bestdag_sink *sink = pdag ? bestdag_sink_open(run, path) : NULL;
    if (sink) {
        bestdag_sink_obey(sink);
        to->write_class(run, network, pdag, sink);
        bestdag_sink_close(sink);
    }
    bestdag_pdag_free(pdag);
    return bestdag_run_status(run);
}
