/* SPDX-License-Identifier: MIT */
/* compare.c -- how far one network is from another.
 *
 * Variables are matched by name, and the learned graph is renumbered as the
 * true one. Then every arc is looked up in the other graph: arcs are few, pairs
 * are many. Equivalence classes are compared by one flag per arc (cpdag.h),
 * moral graphs node by node (moral.h), so memory is O(n + arcs), and time O(n
 * log n + arcs log n + sum of squared parent counts). */
#include "models/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "graph/cpdag.h"
#include "graph/moral.h"
#include "network/network.h"

/* clang-format off */
static const struct bestdag_compare_field fields[] = {
    {"shd_dag", "structural Hamming distance of the DAGs: pairs of variables "
                "whose relation (none, ->, <-) differs; a reversed arc counts "
                "1"},
    {"shd_cpdag", "the same distance of the equivalence classes (CPDAGs), "
                  "where undirected is a fourth relation"},
    {"equivalent", "whether both are in the same equivalence class: their CPDAGs are equal"},
    {"skeleton", "precision, recall and f1 of the adjacent pairs, in any direction"},
    {"arcs", "precision, recall and f1 of the directed arcs of the DAGs"},
    {"precision", "fraction of the learned that is true; 1 if nothing was learned"},
    {"recall", "fraction of the true that was learned; 1 if nothing is true"},
    {"f1", "harmonic mean of precision and recall; 0 if both are 0"},
    {"moral_hamming", "pairs of variables that are adjacent in one moral graph "
                      "and not in the other"},
    {"variables", "number of variables"},
    {"arcs_truth", "arcs of the true network"},
    {"arcs_learned", "arcs of the learned network"},
    {"missing", "pairs adjacent in the true network only"},
    {"extra", "pairs adjacent in the learned network only"},
    {"reversed", "pairs joined by an arc in both, in opposite directions"},
};
/* clang-format on */

const struct bestdag_compare_field *bestdag_compare_field_at(int i)
{
    int count = (int)(sizeof fields / sizeof *fields);
    return i >= 0 && i < count ? &fields[i] : NULL;
}

/* ---- names --------------------------------------------------------------- */

struct entry {
    const char *name;
    int v;
};

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->v > y->v) - (x->v < y->v);
}

static struct entry *sort_names(struct bestdag_run *run,
                                const struct bestdag_network *network)
{
    int n = network->dag->n;
    struct entry *list = bestdag_alloc(run, (size_t)n * sizeof *list);
    for (int v = 0; list && v < n; v++) {
        const char *name = network->variable[v].name;
        list[v] = (struct entry){name ? name : "", v};
    }
    if (list)
        qsort(list, (size_t)n, sizeof *list, by_name);
    return list;
}

static const char *name_of_entry(const void *list, int i)
{
    return ((const struct entry *)list)[i].name;
}

/* Both sorted. Sets to[] (at v of b) to the variable of a with that name, and
 * moves unmatched names to the front of their list, in order. */
static void pair_up(struct entry *a, struct entry *b, int *alone, int *to)
{
    int i = 0, j = 0, count[2] = {alone[0], alone[1]};
    alone[0] = alone[1] = 0;
    while (i < count[0] || j < count[1]) {
        int order = i == count[0]   ? 1
                    : j == count[1] ? -1
                                    : strcmp(a[i].name, b[j].name);
        if (!order)
            to[b[j++].v] = a[i++].v;
        else if (order < 0)
            a[alone[0]++] = a[i++];
        else
            b[alone[1]++] = b[j++];
    }
}

static int refuse(struct bestdag_run *run, struct entry *lists[2],
                  const int alone[2])
{
    static const char *const which[] = {"true", "learned"};
    int lack = alone[0] ? 1 : 0; /* the network that lacks a name */
    const char *name = lists[!lack][0].name;
    const char *nearest =
        bestdag_nearest(name, name_of_entry, lists[lack], alone[lack]);
    char more[128];
    return bestdag_fail(run, BESTDAG_INPUT,
                        "the %s network has no variable '%s'%s", which[lack],
                        name, bestdag_suggest(more, nearest));
}

/* to[v]: the variable of `truth` with the name of variable v of `learned`. */
static int match(struct bestdag_run *run, const struct bestdag_network *truth,
                 const struct bestdag_network *learned, int *to)
{
    int alone[2] = {truth->dag->n, learned->dag->n};
    struct entry *lists[] = {sort_names(run, truth), sort_names(run, learned)};
    if (lists[0] && lists[1]) {
        pair_up(lists[0], lists[1], alone, to);
        if (alone[0] || alone[1])
            refuse(run, lists, alone);
    }
    bestdag_free(lists[0]);
    bestdag_free(lists[1]);
    return bestdag_run_status(run);
}

static int renumber(struct bestdag_run *run, const struct bestdag_dag *from,
                    const int *number, struct bestdag_dag *to)
{
    int *parents = bestdag_alloc(run, (size_t)from->n * sizeof *parents);
    for (int v = 0; parents && v < from->n; v++) {
        const struct bestdag_parents *p = &from->parents[v];
        for (int i = 0; i < p->count; i++)
            parents[i] = number[p->at[i]];
        if (bestdag_dag_set_parents(run, to, number[v], parents, p->count))
            break;
    }
    bestdag_free(parents);
    return bestdag_run_status(run);
}

/* The graph of `learned` with the numbers of `truth`; NULL: failed. */
static struct bestdag_dag *bring_in_line(struct bestdag_run *run,
                                         const struct bestdag_network *truth,
                                         const struct bestdag_network *learned)
{
    struct bestdag_dag *dag = NULL;
    size_t n = (size_t)learned->dag->n;
    int *number = bestdag_alloc(run, n * sizeof *number);
    if (number && !match(run, truth, learned, number))
        dag = bestdag_dag_new(run, learned->dag->n);
    if (dag && renumber(run, learned->dag, number, dag)) {
        bestdag_dag_free(dag);
        dag = NULL;
    }
    bestdag_free(number);
    return dag;
}

/* ---- distances ----------------------------------------------------------- */

struct distances {
    int64_t truth, learned;   /* arcs */
    int64_t common, reversed; /* arcs of both */
    int64_t relabelled;       /* adjacent in both, CPDAGs differ there */
    int64_t moral;
};

/* One side: a graph and which of its arcs are compelled. */
struct side {
    const struct bestdag_dag *dag;
    struct bestdag_labels labels; /* owns */
};

static bool is_compelled(const struct side *s, int to, int place)
{
    return s->labels.compelled[s->labels.start[to] + place];
}

/* Looks up the i-th parent of v on the true side in the learned graph. */
static void look_up(const struct side *truth, const struct side *learned, int v,
                    int i, struct distances *d)
{
    int from = truth->dag->parents[v].at[i];
    bool compelled = is_compelled(truth, v, i);
    int place = bestdag_dag_parent_at(learned->dag, from, v);
    if (place >= 0) {
        d->common++;
        d->relabelled += compelled != is_compelled(learned, v, place);
        return;
    }
    place = bestdag_dag_parent_at(learned->dag, v, from);
    if (place >= 0) {
        d->reversed++;
        d->relabelled += compelled || is_compelled(learned, from, place);
    }
}

static int count_arcs(struct bestdag_run *run, struct side *truth,
                      struct side *learned, struct distances *d)
{
    d->truth = bestdag_dag_arcs(truth->dag);
    d->learned = bestdag_dag_arcs(learned->dag);
    if (!bestdag_cpdag_label(run, truth->dag, &truth->labels) &&
        !bestdag_cpdag_label(run, learned->dag, &learned->labels))
        for (int v = 0; v < truth->dag->n; v++)
            for (int i = 0; i < truth->dag->parents[v].count; i++)
                look_up(truth, learned, v, i, d);
    bestdag_cpdag_release(&truth->labels);
    bestdag_cpdag_release(&learned->labels);
    return bestdag_run_status(run);
}

/* Scratch for traversing one moral graph. */
struct moral {
    const struct bestdag_dag *dag;
    struct bestdag_adjacency children; /* owns */
    int *stamp, *list;                 /* owns; [n] */
};

static int moral_open(struct bestdag_run *run, struct moral *m)
{
    size_t n = (size_t)m->dag->n;
    m->stamp = bestdag_calloc(run, n, sizeof *m->stamp);
    m->list = bestdag_alloc(run, n * sizeof *m->list);
    bestdag_adjacency_of_children(run, m->dag, &m->children);
    return bestdag_run_status(run);
}

static void moral_close(struct moral *m)
{
    bestdag_adjacency_release(&m->children);
    bestdag_free(m->stamp);
    bestdag_free(m->list);
}

/* Each pair is counted from both ends. A run that was stopped, say by the time
 * limit of learning, may still compare its result. */
static int count_moral(struct bestdag_run *run, struct moral *a,
                       struct moral *b, int64_t *differ)
{
    int64_t ends = 0;
    bool was_stopped = bestdag_run_stopped(run);
    bestdag_run_phase(run, "comparing", a->dag->n);
    for (int v = 0; v < a->dag->n; v++) {
        int have =
            bestdag_moral_list(a->dag, &a->children, v, a->stamp, a->list);
        int want =
            bestdag_moral_list(b->dag, &b->children, v, b->stamp, b->list);
        ends += have + want;
        for (int i = 0; i < want; i++)
            ends -= 2 * (a->stamp[b->list[i]] == v + 1);
        if (bestdag_run_watch(run, v) && !was_stopped)
            return bestdag_fail(run, BESTDAG_FAILED,
                                "stopped before all was compared");
    }
    *differ = ends / 2;
    return BESTDAG_OK;
}

static int measure(struct bestdag_run *run, const struct bestdag_dag *truth,
                   const struct bestdag_dag *learned, struct distances *d)
{
    struct side side[] = {{.dag = truth}, {.dag = learned}};
    struct moral moral[] = {{.dag = truth}, {.dag = learned}};
    if (count_arcs(run, &side[0], &side[1], d))
        return bestdag_run_status(run);
    if (!moral_open(run, &moral[0]) && !moral_open(run, &moral[1]))
        count_moral(run, &moral[0], &moral[1], &d->moral);
    moral_close(&moral[0]);
    moral_close(&moral[1]);
    return bestdag_run_status(run);
}

/* ---- report -------------------------------------------------------------- */

/* 0 of 0 counts as 1. */
static double share(int64_t part, int64_t all)
{
    return all ? (double)part / (double)all : 1;
}

static void add_rates(struct bestdag_json_writer *w, const char *key,
                      int64_t hits, const struct distances *d)
{
    bestdag_json_open(w, key, '{');
    bestdag_json_add_number(w, "precision", share(hits, d->learned));
    bestdag_json_add_number(w, "recall", share(hits, d->truth));
    bestdag_json_add_number(w, "f1", share(2 * hits, d->truth + d->learned));
    bestdag_json_close(w, '}');
}

static char *write_report(struct bestdag_run *run, int variables,
                          const struct distances *d)
{
    struct bestdag_json_writer w = {.out.run = run};
    int64_t pairs = d->common + d->reversed;
    int64_t missing = d->truth - pairs, extra = d->learned - pairs;
    int64_t cpdag = missing + extra + d->relabelled;
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_integer(&w, "shd_dag", missing + extra + d->reversed);
    bestdag_json_add_integer(&w, "shd_cpdag", cpdag);
    bestdag_json_add_bool(&w, "equivalent", !cpdag);
    add_rates(&w, "skeleton", pairs, d);
    add_rates(&w, "arcs", d->common, d);
    bestdag_json_add_integer(&w, "moral_hamming", d->moral);
    bestdag_json_add_integer(&w, "variables", variables);
    bestdag_json_add_integer(&w, "arcs_truth", d->truth);
    bestdag_json_add_integer(&w, "arcs_learned", d->learned);
    bestdag_json_add_integer(&w, "missing", missing);
    bestdag_json_add_integer(&w, "extra", extra);
    bestdag_json_add_integer(&w, "reversed", d->reversed);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

char *bestdag_network_compare(struct bestdag_run *run,
                              const struct bestdag_network *truth,
                              const struct bestdag_network *learned)
{
    if (bestdag_run_status(run))
        return NULL;
    if (!truth || !learned) {
        bestdag_fail(run, BESTDAG_USAGE, "two networks are needed to compare");
        return NULL;
    }
    char *report = NULL;
    struct distances d = {0};
    struct bestdag_dag *dag = bring_in_line(run, truth, learned);
    if (dag && !measure(run, truth->dag, dag, &d))
        report = write_report(run, dag->n, &d);
    bestdag_dag_free(dag);
    return report;
}
