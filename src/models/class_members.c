/* SPDX-License-Identifier: MIT */
/* class_members.c -- one member of an equivalence class for each set of parents
 * that a variable can have.
 *
 * The parents that a variable x has in all members are known; of its undirected
 * neighbours in the graph of the class any clique S may be added, and without
 * rules every clique, and no other set, gives a member, since two parents that
 * are not adjacent would be a new v-structure (Maathuis, Kalisch, Buehlmann,
 * Annals of Statistics 2009, lemma 3.1). Under rules some cliques give none, so
 * each is tried: S -> x and x -> the other neighbours are directed; a
 * consistent extension, which must also agree with order rules if there are
 * any, is a member.
 *
 * Undirected components of the graph can be directed independently: edges
 * between them are directed, and a node outside that is a parent of one end of
 * an undirected edge is one of both (Meek's first rule), so no extension of a
 * part makes a v-structure or a cycle with the rest. So only the component of x
 * is extended; order rules can connect components, and then the whole graph is.
 *
 * The number of cliques is exponential in the number of neighbours at worst:
 * hence the limit. */
#include "models/class_members.h"

#include "constraints/deduction/mpdag.h"
#include "graph/number_arcs.h"
#include "network/regression.h"
#include "graph/adjacency.h"
#include "graph/pdag.h"

struct members {
    struct bestdag_run *run;
    const struct bestdag_class_request *request;
    struct bestdag_class_found *found;
    struct bestdag_labels labels;      /* owns */
    struct bestdag_knowledge *k;       /* owns; NULL: no rules */
    uint64_t *after;                   /* owns; NULL: no order rules */
    struct bestdag_adjacency children; /* owns */
    int *node, nodes;     /* owns; [nodes], ascending: the component */
    int *place;           /* owns; [n]: index of a node in it, or -1 */
    int *clique, cliques; /* owns; members of S */
    int64_t tries;        /* cliques so far */
    int *scratch;         /* owns; [n] */
};

/* ---- the part around the variable ---------------------------------------- */

static bool is_open(const struct members *m, int from, int to)
{
    int at = bestdag_dag_parent_at(m->request->dag, from, to);
    return at >= 0 && !m->labels.compelled[m->labels.start[to] + at];
}

static void add_node(struct members *m, int v)
{
    if (m->place[v] < 0)
        m->node[m->nodes++] = v;
    m->place[v] = 0;
}

static void collect_part(struct members *m)
{
    const struct bestdag_dag *dag = m->request->dag;
    add_node(m, m->request->variable);
    for (int i = 0; i < m->nodes; i++) {
        int v = m->node[i];
        for (int k = 0; k < dag->parents[v].count; k++)
            if (is_open(m, dag->parents[v].at[k], v))
                add_node(m, dag->parents[v].at[k]);
        for (int64_t k = m->children.start[v]; k < m->children.start[v + 1];
             k++)
            if (is_open(m, v, m->children.to[k]))
                add_node(m, m->children.to[k]);
    }
}

static void find_part(struct members *m)
{
    int n = m->request->dag->n;
    for (int v = 0; v < n; v++)
        m->place[v] = -1;
    if (m->after)
        for (int v = 0; v < n; v++)
            add_node(m, v);
    else
        collect_part(m);
    m->nodes = 0;
    for (int v = 0; v < n; v++)
        if (m->place[v] >= 0) {
            m->place[v] = m->nodes;
            m->node[m->nodes++] = v;
        }
}

static bool adjacent(const struct members *m, int a, int b)
{
    return bestdag_dag_has_arc(m->request->dag, a, b) ||
           bestdag_dag_has_arc(m->request->dag, b, a);
}

static void find_open(struct members *m)
{
    int x = m->request->variable;
    for (int i = 0; i < m->nodes; i++)
        if (is_open(m, m->node[i], x) || is_open(m, x, m->node[i]))
            m->found->open[m->found->opens++] = m->node[i];
}

/* ---- members ------------------------------------------------------------- */

static bool is_in_clique(const struct members *m, int v)
{
    for (int i = 0; i < m->cliques; i++)
        if (m->clique[i] == v)
            return true;
    return false;
}

/* The component, with the edges of the variable directed. */
static struct bestdag_pdag *direct(struct members *m)
{
    const struct bestdag_dag *dag = m->request->dag;
    int x = m->request->variable;
    struct bestdag_pdag *pdag = bestdag_pdag_new(m->run, m->nodes);
    for (int i = 0; pdag && i < m->nodes; i++) {
        const struct bestdag_parents *p = &dag->parents[m->node[i]];
        for (int k = 0; k < p->count; k++) {
            int from = m->place[p->at[k]];
            if (from < 0)
                continue;
            if (is_open(m, p->at[k], m->node[i]))
                bestdag_pdag_add_edge(pdag, from, i);
            else
                bestdag_pdag_add_arc(pdag, from, i);
        }
    }
    for (int i = 0; pdag && i < m->found->opens; i++) {
        int v = m->found->open[i];
        bool is_parent = is_in_clique(m, v);
        bestdag_pdag_add_arc(pdag, m->place[is_parent ? v : x],
                             m->place[is_parent ? x : v]);
    }
    return pdag;
}

/* A copy of the DAG in which the component is as in `part`. */
static struct bestdag_dag *combine(struct members *m,
                                   const struct bestdag_dag *part)
{
    const struct bestdag_dag *dag = m->request->dag;
    struct bestdag_dag *to = bestdag_dag_copy(m->run, dag);
    for (int i = 0; to && i < m->nodes; i++) {
        int v = m->node[i], count = 0;
        for (int k = 0; k < dag->parents[v].count; k++)
            if (m->place[dag->parents[v].at[k]] < 0)
                m->scratch[count++] = dag->parents[v].at[k];
        for (int k = 0; k < part->parents[i].count; k++)
            m->scratch[count++] = m->node[part->parents[i].at[k]];
        bestdag_dag_set_parents(m->run, to, v, m->scratch, count);
    }
    return to;
}

static int give(struct members *m, const struct bestdag_dag *member)
{
    m->found->members++;
    return m->request->each(m->request->user, member);
}

/* Are the clique's members the DAG's own parents? */
static bool is_own(const struct members *m)
{
    for (int i = 0; i < m->found->opens; i++)
        if (is_in_clique(m, m->found->open[i]) !=
            bestdag_dag_has_arc(m->request->dag, m->found->open[i],
                                m->request->variable))
            return false;
    return true;
}

/* Not 0: the enumeration ends. */
static int try_clique(struct members *m)
{
    struct bestdag_order order = {m->k ? m->k->before : NULL, m->after};
    if (is_own(m))
        return 0;
    if (++m->tries >= m->request->most) {
        m->found->complete = false;
        return 1;
    }
    if (bestdag_run_watch(m->run, m->found->members))
        return bestdag_fail(m->run, BESTDAG_FAILED,
                            "stopped within the equivalence class");
    struct bestdag_pdag *pdag = direct(m);
    struct bestdag_dag *part =
        pdag ? bestdag_pdag_extend_under(m->run, pdag, m->after ? &order : NULL)
             : NULL;
    struct bestdag_dag *member = part ? combine(m, part) : NULL;
    int ends = bestdag_run_status(m->run);
    if (member && !ends)
        ends = give(m, member);
    bestdag_pdag_free(pdag);
    bestdag_dag_free(part);
    bestdag_dag_free(member);
    return ends;
}

/* Tries all cliques that extend the present one by neighbours from number
 * `from` on. */
static int try_cliques(struct members *m, int from)
{
    int ends = try_clique(m);
    for (int i = from; !ends && i < m->found->opens; i++) {
        int v = m->found->open[i], k = 0;
        while (k < m->cliques && adjacent(m, m->clique[k], v))
            k++;
        if (k < m->cliques)
            continue;
        m->clique[m->cliques++] = v;
        ends = try_cliques(m, i + 1);
        m->cliques--;
    }
    return ends;
}

/* ---- the whole ----------------------------------------------------------- */

static int prepare(struct members *m)
{
    const struct bestdag_class_request *q = m->request;
    size_t n = (size_t)q->dag->n;
    if (bestdag_mpdag_label_under(m->run, q->dag, q->rules, q->names,
                                  &m->labels) ||
        (q->is_number &&
         bestdag_number_arcs_label(m->run, q->dag, q->is_number, &m->labels)))
        return bestdag_run_status(m->run);
    if (q->rules && q->rules->count)
        m->k = bestdag_knowledge_new(m->run, q->rules, q->names, q->dag->n);
    if (m->k && m->k->needs & BESTDAG_NEEDS_ORDER)
        m->after = bestdag_knowledge_after(m->run, m->k);
    bestdag_adjacency_of_children(m->run, q->dag, &m->children);
    m->node = bestdag_alloc(m->run, n * sizeof *m->node);
    m->place = bestdag_alloc(m->run, n * sizeof *m->place);
    m->clique = bestdag_alloc(m->run, n * sizeof *m->clique);
    m->scratch = bestdag_alloc(m->run, n * sizeof *m->scratch);
    m->found->open = bestdag_alloc(m->run, n * sizeof *m->found->open);
    if (bestdag_run_status(m->run))
        return bestdag_run_status(m->run);
    find_part(m);
    find_open(m);
    return BESTDAG_OK;
}

int bestdag_class_members(struct bestdag_run *run,
                          const struct bestdag_class_request *request,
                          struct bestdag_class_found *to)
{
    struct members m = {.run = run, .request = request, .found = to};
    *to = (struct bestdag_class_found){.complete = true};
    if (!prepare(&m) && !give(&m, request->dag))
        try_cliques(&m, 0);
    bestdag_cpdag_release(&m.labels);
    bestdag_knowledge_free(m.k);
    bestdag_adjacency_release(&m.children);
    bestdag_free(m.after);
    bestdag_free(m.node);
    bestdag_free(m.place);
    bestdag_free(m.clique);
    bestdag_free(m.scratch);
    return bestdag_run_status(run);
}

int bestdag_class_label_kinds(struct bestdag_run *run,
                              const struct bestdag_network *network,
                              struct bestdag_labels *labels)
{
    int n = network->dag->n;
    if (!bestdag_network_has_numbers(network) ||
        bestdag_network_is_gaussian(network))
        return BESTDAG_OK;
    bool *is_number = bestdag_calloc(run, (size_t)n + 1, sizeof *is_number);
    for (int v = 0; is_number && v < n; v++)
        is_number[v] = network->variable[v].is_number;
    if (is_number)
        bestdag_number_arcs_label(run, network->dag, is_number, labels);
    bestdag_free(is_number);
    return bestdag_run_status(run);
}

void bestdag_class_add_ignored(struct bestdag_json_writer *w,
                               const struct bestdag_rules *rules)
{
    bestdag_json_open(w, "reversible_ignores", '[');
    for (int i = 0; rules && i < rules->count; i++)
        if (!bestdag_mpdag_considers(&rules->rule[i]))
            bestdag_json_add_text(w, NULL, rules->rule[i].text);
    bestdag_json_close(w, ']');
}
