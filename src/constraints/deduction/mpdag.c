/* SPDX-License-Identifier: MIT */
/* mpdag.c -- which arcs all DAGs of a class have that obey arc and order rules.
 *
 * An arc whose reverse is forbidden has its direction for good, and others
 * follow by Meek's rules (graph/meek.h), which find all of them where
 * directions of adjacent pairs are all that is known. An order of variables
 * that are not adjacent says more: with a < c and a - b - c, where c -> b would
 * make c -> b -> a, the arc b -> c is compelled. So under order rules each edge
 * that is left is turned for a try: it can be if the graph then has a
 * consistent extension that agrees with the order (graph/pdag.h). An extension
 * also answers for all other edges that it turns.
 *
 * Memory as of a pdag, but only where the rules fix an arc that the class does
 * not. Time: at most one extension for each edge that stays. */
#include "constraints/deduction/mpdag.h"

#include "constraints/deduction/checker.h"
#include "graph/meek.h"

/* ---- rules --------------------------------------------------------------- */

static bool considers_literal(const struct bestdag_literal *l)
{
    return l->kind == BESTDAG_ARC ||
           ((l->kind == BESTDAG_ROOT || l->kind == BESTDAG_LEAF) &&
            !l->negated);
}

bool bestdag_mpdag_considers(const struct bestdag_rule *rule)
{
    const struct bestdag_clause *c = &rule->clause;
    int adjacent = 0;
    if (rule->kind == BESTDAG_RULE_STATES)
        return true;
    if (rule->kind != BESTDAG_RULE_CLAUSE)
        return !bestdag_rule_has_parameters(rule);
    while (adjacent < c->count && c->literal[adjacent].kind == BESTDAG_ADJACENT)
        adjacent++;
    return adjacent == c->count ||
           (c->count == 1 && considers_literal(&c->literal[0]));
}

/* ---- labels -------------------------------------------------------------- */

struct orienter {
    struct bestdag_run *run;
    const struct bestdag_dag *dag;
    const struct bestdag_knowledge *k;
    struct bestdag_labels *labels;
    struct bestdag_pdag *graph; /* owns */
    uint64_t *after;            /* owns; rows: what comes after v */
    bool *turns; /* owns; [arcs]: a DAG that obeys has it reversed */
};

/* Can the rules fix an arc that the class does not? */
static bool has_fixed(const struct bestdag_dag *dag,
                      const struct bestdag_knowledge *k,
                      const struct bestdag_labels *labels)
{
    bool has_order = k && k->needs & BESTDAG_NEEDS_ORDER;
    for (int v = 0; k && v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            if (!labels->compelled[labels->start[v] + i] &&
                (has_order ||
                 !bestdag_knowledge_allows(k, dag->parents[v].at[i], v)))
                return true;
    return false;
}

static bool is_open(const struct orienter *o, int u, int v)
{
    return bestdag_row_has(o->graph->neighbours + (size_t)v * o->graph->words,
                           u);
}

static void fix_arcs(struct orienter *o)
{
    for (int v = 0; v < o->dag->n; v++)
        for (int i = 0; i < o->dag->parents[v].count; i++) {
            int u = o->dag->parents[v].at[i];
            if (is_open(o, u, v) && !bestdag_knowledge_allows(o->k, u, v))
                bestdag_pdag_add_arc(o->graph, u, v);
        }
    bestdag_pdag_direct(o->graph);
}

static bool has_parent(const struct bestdag_dag *dag, int v, int u)
{
    const struct bestdag_parents *p = &dag->parents[v];
    int low = 0, high = p->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->at[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->count && p->at[low] == u;
}

static void note_turned(struct orienter *o, const struct bestdag_dag *other)
{
    for (int v = 0; v < o->dag->n; v++)
        for (int i = 0; i < o->dag->parents[v].count; i++)
            if (!has_parent(other, v, o->dag->parents[v].at[i]))
                o->turns[o->labels->start[v] + i] = true;
}

/* u -> v is open: is there a DAG with v -> u that agrees with the order? */
static void try_turning(struct orienter *o, int u, int v)
{
    struct bestdag_order order = {o->k->before, o->after};
    bestdag_pdag_add_arc(o->graph, v, u);
    struct bestdag_dag *other =
        bestdag_pdag_extend_under(o->run, o->graph, &order);
    if (other) {
        note_turned(o, other);
        bestdag_pdag_add_edge(o->graph, u, v);
    } else {
        bestdag_pdag_add_arc(o->graph, u, v);
        bestdag_pdag_direct(o->graph);
    }
    bestdag_dag_free(other);
}

static void try_all(struct orienter *o)
{
    for (int v = 0; v < o->dag->n; v++)
        for (int i = 0; i < o->dag->parents[v].count; i++) {
            int u = o->dag->parents[v].at[i];
            if (bestdag_run_status(o->run))
                return;
            if (is_open(o, u, v) && !o->turns[o->labels->start[v] + i])
                try_turning(o, u, v);
        }
}

static int orient(struct orienter *o)
{
    const struct bestdag_dag *dag = o->dag;
    size_t arcs = (size_t)o->labels->start[dag->n];
    o->graph = bestdag_pdag_class(o->run, dag);
    o->turns = bestdag_calloc(o->run, arcs, sizeof *o->turns);
    if (o->graph && o->turns) {
        fix_arcs(o);
        if (o->k->needs & BESTDAG_NEEDS_ORDER)
            o->after = bestdag_knowledge_after(o->run, o->k);
        if (o->after)
            try_all(o);
        for (int v = 0; v < dag->n; v++)
            for (int i = 0; i < dag->parents[v].count; i++)
                o->labels->compelled[o->labels->start[v] + i] =
                    !is_open(o, dag->parents[v].at[i], v);
    }
    bestdag_pdag_free(o->graph);
    bestdag_free(o->turns);
    bestdag_free(o->after);
    return bestdag_run_status(o->run);
}

int bestdag_mpdag_label(struct bestdag_run *run, const struct bestdag_dag *dag,
                        const struct bestdag_knowledge *k,
                        struct bestdag_labels *to)
{
    struct orienter o = {.run = run, .dag = dag, .k = k, .labels = to};
    if (bestdag_cpdag_label(run, dag, to) || !has_fixed(dag, k, to))
        return bestdag_run_status(run);
    return orient(&o);
}

static int refuse_broken(struct bestdag_run *run, const struct bestdag_dag *dag,
                         const struct bestdag_rules *rules,
                         const char *const *names)
{
    int broken = -1;
    char place[128];
    if (!bestdag_rules_check(run, rules, names, dag, &broken) && broken >= 0)
        return bestdag_fail(run, BESTDAG_USAGE, "the network breaks %s",
                            bestdag_rule_place(&rules->rule[broken], place));
    return bestdag_run_status(run);
}

int bestdag_mpdag_label_under(struct bestdag_run *run,
                              const struct bestdag_dag *dag,
                              const struct bestdag_rules *rules,
                              const char *const *names,
                              struct bestdag_labels *to)
{
    *to = (struct bestdag_labels){0};
    if (!rules || !rules->count)
        return bestdag_cpdag_label(run, dag, to);
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, names, dag->n);
    if (k && !refuse_broken(run, dag, rules, names))
        bestdag_mpdag_label(run, dag, k, to);
    bestdag_knowledge_free(k);
    return bestdag_run_status(run);
}
