/* SPDX-License-Identifier: MIT */
/* checker.c -- does a finished graph obey the rules? Plain on purpose: each
 * rule is evaluated as it reads, for each choice of its placeholders. */
#include "constraints/deduction/checker.h"

#include <string.h>

#include "base/growing_array.h"
#include "base/row.h"
#include "constraints/language/scope.h"
#include "graph/reach.h"

/* from < to, as a rule says. */
struct link {
    int from, to, rule;
};

struct checker {
    struct bestdag_run *run;
    const struct bestdag_rules *rules;
    const struct bestdag_dag *dag;
    struct bestdag_rule_scope scope;
    uint64_t *ancestors; /* owns; rows; NULL until needed */
    size_t words;
    bool *childless;   /* owns; [n] */
    int *tier;         /* owns; [n]: scratch */
    uint8_t *named;    /* owns; [n]: scratch */
    uint8_t *excepted; /* owns; [n]: by the rule */
    /* arcs of the graph, children ascending: those of v from start[v] on */
    int64_t *start;    /* owns; [n + 1] */
    uint8_t *covered;  /* owns; [arcs]: named by "allow only" */
    struct link *link; /* owns; of all "order" rules, in their order */
    int64_t links, room;
    const struct bestdag_rule *rule;
    int value[BESTDAG_PLACEHOLDERS];
    bool failed; /* an allocation failed; the error is in the run */
};

static int value_of(const struct checker *c,
                    const struct bestdag_rule_word *word)
{
    if (word->placeholder >= 0)
        return c->value[word->placeholder];
    return bestdag_scope_name(&c->scope, c->rule, word);
}

static bool has_arc(const struct checker *c,
                    const struct bestdag_rule_word *from,
                    const struct bestdag_rule_word *to)
{
    return bestdag_dag_has_arc(c->dag, value_of(c, from), value_of(c, to));
}

/* ---- clauses ------------------------------------------------------------- */

static bool is_ancestor(struct checker *c, int from, int to)
{
    if (!c->ancestors)
        c->ancestors = bestdag_reach_ancestors(c->run, c->dag);
    if (!c->ancestors) {
        c->failed = true;
        return false;
    }
    return bestdag_row_has(c->ancestors + (size_t)to * c->words, from);
}

static bool compare(int count, enum bestdag_compare how, int value)
{
    switch (how) {
    case BESTDAG_LESS:
        return count < value;
    case BESTDAG_AT_MOST:
        return count <= value;
    case BESTDAG_EQUAL:
        return count == value;
    case BESTDAG_AT_LEAST:
        return count >= value;
    case BESTDAG_MORE:
        return count > value;
    }
    return false;
}

static bool is_true(struct checker *c, const struct bestdag_literal *l)
{
    int a = value_of(c, &l->a), count = c->dag->parents[a].count;
    switch (l->kind) {
    case BESTDAG_ARC:
        return has_arc(c, &l->a, &l->b);
    case BESTDAG_ROOT:
        return count == 0;
    case BESTDAG_LEAF:
        return c->childless[a];
    case BESTDAG_ADJACENT:
        return has_arc(c, &l->a, &l->b) || has_arc(c, &l->b, &l->a);
    case BESTDAG_ANCESTOR:
        return is_ancestor(c, a, value_of(c, &l->b));
    case BESTDAG_INDEGREE:
        return compare(count, l->compare, l->value);
    }
    return false;
}

static bool obeys_clause(struct checker *c)
{
    const struct bestdag_clause *clause = &c->rule->clause;
    for (int i = 0; i < clause->count; i++)
        if (is_true(c, &clause->literal[i]) != clause->literal[i].negated)
            return true;
    return false;
}

/* ---- arcs, tiers, parents
 * ---------------------------------------------------- */

static bool obeys_tiers(struct checker *c)
{
    const struct bestdag_rule_tiers *tiers = &c->rule->tiers;
    memset(c->tier, -1, (size_t)c->dag->n * sizeof *c->tier);
    for (int t = 0; t < tiers->count; t++)
        for (int i = 0; i < tiers->at[t].names.count; i++)
            c->tier[value_of(c, &tiers->at[t].names.at[i])] = t;
    for (int v = 0; v < c->dag->n; v++)
        for (int i = 0; i < c->dag->parents[v].count; i++) {
            int from = c->tier[c->dag->parents[v].at[i]], to = c->tier[v];
            if (from < 0 || to < 0)
                continue;
            if (from > to || (from == to && tiers->at[to].apart) ||
                (to > from + 1 && tiers->at[from].next))
                return false;
        }
    return true;
}

static void mark_names(struct checker *c,
                       const struct bestdag_rule_words *words)
{
    memset(c->named, 0, (size_t)c->dag->n);
    for (int i = 0; i < words->count; i++)
        c->named[value_of(c, &words->at[i])] = 1;
}

/* Does the graph have all, or none, of the arcs of a block? */
static bool obeys_block(struct checker *c,
                        const struct bestdag_arc_block *block)
{
    mark_names(c, &block->from);
    int wanted = 0;
    for (int u = 0; u < c->dag->n; u++)
        wanted += c->named[u];
    for (int i = 0; i < block->to.count; i++) {
        int v = value_of(c, &block->to.at[i]), found = 0;
        const struct bestdag_parents *parents = &c->dag->parents[v];
        for (int j = 0; j < parents->count; j++)
            found += c->named[parents->at[j]];
        if (c->rule->kind == BESTDAG_RULE_FORBID && found)
            return false;
        if (c->rule->kind == BESTDAG_RULE_REQUIRE &&
            found < wanted - c->named[v])
            return false;
    }
    return true;
}

static bool obeys_blocks(struct checker *c)
{
    for (int i = 0; i < c->rule->arcs.count; i++)
        if (!obeys_block(c, &c->rule->arcs.at[i]))
            return false;
    return true;
}

static bool obeys_parents(struct checker *c)
{
    const struct bestdag_parents *parents =
        &c->dag->parents[value_of(c, &c->rule->from.child)];
    mark_names(c, &c->rule->from.names);
    for (int i = 0; i < parents->count; i++)
        if (!c->named[parents->at[i]])
            return false;
    return true;
}

/* ---- parameters: their parents are there
 * -------------------------------------- */

static bool obeys_chance(struct checker *c,
                         const struct bestdag_probability *chance)
{
    for (int i = 0; i < chance->count; i++)
        if (!has_arc(c, &chance->given[i].name, &chance->child.name))
            return false;
    return true;
}

static bool obeys_linear(struct checker *c)
{
    for (int i = 0; i < c->rule->linear.count; i++)
        for (int j = 0; j < c->rule->linear.at[i].count; j++)
            if (!obeys_chance(c, &c->rule->linear.at[i].term[j].chance))
                return false;
    return true;
}

static bool obeys_quality(struct checker *c)
{
    const struct bestdag_quality *q = &c->rule->quality;
    for (int i = 0; i < q->parents; i++)
        if (!has_arc(c, &q->parent[i], &q->child))
            return false;
    return true;
}

static bool obeys_choice(struct checker *c)
{
    switch (c->rule->kind) {
    case BESTDAG_RULE_CLAUSE:
        return obeys_clause(c);
    case BESTDAG_RULE_TIERS:
        return obeys_tiers(c);
    case BESTDAG_RULE_FORBID:
    case BESTDAG_RULE_REQUIRE:
        return obeys_blocks(c);
    case BESTDAG_RULE_PARENTS:
        return obeys_parents(c);
    case BESTDAG_RULE_QUALITY:
        return c->rule->if_present || obeys_quality(c);
    case BESTDAG_RULE_LINEAR:
        return c->rule->if_present || obeys_linear(c);
    case BESTDAG_RULE_NEAR:
        return c->rule->if_present || obeys_chance(c, &c->rule->near.chance);
    case BESTDAG_RULE_CONVEX:
        return c->rule->if_present || obeys_chance(c, &c->rule->convex.chance);
    case BESTDAG_RULE_ORDER: /* checked together */
    case BESTDAG_RULE_ALLOW:
    case BESTDAG_RULE_STATES: /* says nothing about a graph */
        break;
    }
    return true;
}

/* ---- rules that are looked at together
 * ---------------------------------------- */

static bool cover(struct checker *c)
{
    for (int i = 0; i < c->rule->arcs.count; i++) {
        const struct bestdag_arc_block *b = &c->rule->arcs.at[i];
        for (int j = 0; j < b->from.count; j++)
            for (int k = 0; k < b->to.count; k++) {
                int to = value_of(c, &b->to.at[k]);
                int at = bestdag_dag_parent_at(c->dag,
                                               value_of(c, &b->from.at[j]), to);
                if (at >= 0)
                    c->covered[c->start[to] + at] = 1;
            }
    }
    return true;
}

static bool add_link(struct checker *c, int from, int to)
{
    if (!BESTDAG_GROW(c->run, c->link, c->room, c->links + 1)) {
        c->failed = true;
        return false;
    }
    int rule = (int)(c->rule - c->rules->rule);
    c->link[c->links++] = (struct link){from, to, rule};
    return true;
}

static bool add_links(struct checker *c)
{
    const struct bestdag_rule_words *order = &c->rule->order;
    for (int i = 1; i < order->count; i++)
        if (!add_link(c, value_of(c, &order->at[i - 1]),
                      value_of(c, &order->at[i])))
            return false;
    return true;
}

/* Removes variables that no other must precede, until none is left (true) or
 * all remaining ones wait for each other. */
static bool is_ordered(struct checker *c, int64_t links)
{
    int n = c->dag->n, *waits = c->tier;
    bool moved = true;
    int left = n;
    memset(c->named, 0, (size_t)n); /* 1: removed */
    while (moved && left) {
        moved = false;
        memset(waits, 0, (size_t)n * sizeof *waits);
        for (int64_t i = 0; i < links; i++)
            if (!c->named[c->link[i].from])
                waits[c->link[i].to]++;
        for (int v = 0; v < n; v++)
            for (int i = 0; i < c->dag->parents[v].count; i++)
                waits[v] += !c->named[c->dag->parents[v].at[i]];
        for (int v = 0; v < n; v++)
            if (!c->named[v] && !waits[v]) {
                c->named[v] = 1;
                left--;
                moved = true;
            }
    }
    return !left;
}

/* ---- choices
 * ------------------------------------------------------------------ */

static bool is_taken(const struct checker *c, int place, int v)
{
    for (int i = 0; i < place; i++)
        if (c->value[i] == v)
            return true;
    return false;
}

typedef bool visit_fn(struct checker *c);

/* Calls visit for every choice of places `place` and on, until it returns
 * false. Depth is at most BESTDAG_PLACEHOLDERS. */
static bool visit_choices(struct checker *c, visit_fn *visit, int place)
{
    if (place == c->rule->each.count || place == BESTDAG_PLACEHOLDERS)
        return visit(c);
    for (int v = 0; v < c->dag->n && !c->failed; v++) {
        if (is_taken(c, place, v) || c->excepted[v])
            continue;
        c->value[place] = v;
        if (!visit_choices(c, visit, place + 1))
            return false;
    }
    return true;
}

static bool visit_rule(struct checker *c, int i, visit_fn *visit)
{
    c->rule = &c->rules->rule[i];
    memset(c->excepted, 0, (size_t)c->dag->n);
    for (int j = 0; j < c->rule->except.count; j++)
        c->excepted[value_of(c, &c->rule->except.at[j])] = 1;
    return visit_choices(c, visit, 0);
}

/* ---- all of it
 * ------------------------------------------------------------------ */

static int first_of_kind(const struct checker *c, enum bestdag_rule_kind kind)
{
    for (int i = 0; i < c->rules->count; i++)
        if (c->rules->rule[i].kind == kind)
            return i;
    return -1;
}

static int check_allow(struct checker *c)
{
    int first = first_of_kind(c, BESTDAG_RULE_ALLOW);
    if (first < 0)
        return -1;
    for (int i = first; i < c->rules->count; i++)
        if (c->rules->rule[i].kind == BESTDAG_RULE_ALLOW)
            visit_rule(c, i, cover);
    for (int64_t i = 0; i < c->start[c->dag->n]; i++)
        if (!c->covered[i])
            return first;
    return -1;
}

/* The rule that, together with those before it, allows no order. */
static int check_orders(struct checker *c)
{
    for (int i = 0; i < c->rules->count && !c->failed; i++)
        if (c->rules->rule[i].kind == BESTDAG_RULE_ORDER)
            visit_rule(c, i, add_links);
    if (c->failed || !c->links || is_ordered(c, c->links))
        return -1;
    int64_t good = 0, bad = c->links;
    while (bad - good > 1) {
        int64_t middle = good + (bad - good) / 2;
        if (is_ordered(c, middle))
            good = middle;
        else
            bad = middle;
    }
    return c->link[bad - 1].rule;
}

static int prepare(struct checker *c, const char *const *names)
{
    struct bestdag_run *run = c->run;
    size_t n = (size_t)c->dag->n;
    c->words = bestdag_row_words(c->dag->n);
    c->childless = bestdag_alloc(run, n + 1);
    c->tier = bestdag_calloc(run, n + 1, sizeof *c->tier);
    c->named = bestdag_calloc(run, n + 1, 1);
    c->excepted = bestdag_calloc(run, n + 1, 1);
    c->start = bestdag_calloc(run, n + 1, sizeof *c->start);
    c->covered = bestdag_calloc(run, (size_t)bestdag_dag_arcs(c->dag) + 1, 1);
    if (!c->childless || !c->tier || !c->named || !c->excepted || !c->start ||
        !c->covered)
        return bestdag_run_status(run);
    memset(c->childless, 1, n);
    for (int v = 0; v < c->dag->n; v++) {
        c->start[v + 1] = c->start[v] + c->dag->parents[v].count;
        for (int i = 0; i < c->dag->parents[v].count; i++)
            c->childless[c->dag->parents[v].at[i]] = false;
    }
    int status = bestdag_scope_init(run, &c->scope, names, c->dag->n);
    return status ? status : bestdag_scope_check(run, &c->scope, c->rules);
}

static void release(struct checker *c)
{
    bestdag_free(c->ancestors);
    bestdag_free(c->childless);
    bestdag_free(c->tier);
    bestdag_free(c->named);
    bestdag_free(c->excepted);
    bestdag_free(c->start);
    bestdag_free(c->covered);
    bestdag_free(c->link);
    bestdag_scope_release(&c->scope);
}

int bestdag_rules_check(struct bestdag_run *run,
                        const struct bestdag_rules *rules,
                        const char *const *names, const struct bestdag_dag *dag,
                        int *broken)
{
    struct checker c = {.run = run, .rules = rules, .dag = dag};
    int status = prepare(&c, names);
    *broken = -1;
    if (!status) {
        int allow = check_allow(&c), order = check_orders(&c);
        for (int i = 0; i < rules->count && *broken < 0 && !c.failed; i++)
            if (i == allow || i == order || !visit_rule(&c, i, obeys_choice))
                *broken = i;
        status = bestdag_run_status(run);
    }
    release(&c);
    return status;
}

int bestdag_rules_enforce(struct bestdag_run *run,
                          const struct bestdag_rules *rules,
                          const char *const *names,
                          const struct bestdag_dag *dag)
{
    char place[128];
    int broken;
    int status = bestdag_rules_check(run, rules, names, dag, &broken);
    if (status || broken < 0)
        return status;
    const struct bestdag_rule *rule = &rules->rule[broken];
    return bestdag_fail(run, BESTDAG_FAILED, "the network breaks %s%s%.200s",
                        bestdag_rule_place(rule, place), rule->file ? ": " : "",
                        rule->file ? rule->text : "");
}
