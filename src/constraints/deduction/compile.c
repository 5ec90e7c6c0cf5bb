/* SPDX-License-Identifier: MIT */
/* compile.c -- compiles rules into facts about one child, and clauses. */
#include "constraints/deduction/compile.h"

#include <limits.h>
#include <string.h>

#include "constraints/deduction/compiler.h"

/* ---- a literal, for one choice ------------------------------------------- */

/* A literal whose names were looked up: variables, or ~placeholder. */
struct form {
    const struct bestdag_literal *literal;
    int a, b;
};

static int add_degree(struct bestdag_fact *to, int child, int low, int high)
{
    *to = (struct bestdag_fact){.kind = low <= high ? BESTDAG_FACT_DEGREE
                                                    : BESTDAG_FACT_FALSE,
                                .child = child,
                                .parent = -1,
                                .low = low,
                                .high = high};
    return 1;
}

/* The allowed numbers of parents: one range, or all but one number. */
static int make_degree(const struct bestdag_literal *l, int child,
                       struct bestdag_fact *to)
{
    int low = 0, high = INT_MAX, k = l->value;
    if (l->compare == BESTDAG_LESS)
        high = k - 1;
    if (l->compare == BESTDAG_AT_MOST || l->compare == BESTDAG_EQUAL)
        high = k;
    if (l->compare == BESTDAG_AT_LEAST || l->compare == BESTDAG_EQUAL)
        low = k;
    if (l->compare == BESTDAG_MORE)
        low = k + 1;
    if (!l->negated)
        return add_degree(to, child, low, high);
    int count = 0;
    if (low > 0)
        count += add_degree(to, child, 0, low - 1);
    if (high < INT_MAX)
        count += add_degree(to + count, child, high + 1, INT_MAX);
    return count ? count : add_degree(to, child, 1, 0);
}

static int make_fact(struct bestdag_fact *to, enum bestdag_fact_kind kind,
                     int parent, int child)
{
    *to = (struct bestdag_fact){.kind = kind, .child = child, .parent = parent};
    return 1;
}

/* Makes one or two facts, at least one of which holds; returns how many. */
static int make_facts(const struct bestdag_literal *l, int a, int b,
                      struct bestdag_fact to[2])
{
    bool negated = l->negated;
    switch (l->kind) {
    case BESTDAG_ARC:
        return make_fact(to, negated ? BESTDAG_FACT_LACKS : BESTDAG_FACT_HAS, a,
                         b);
    case BESTDAG_ROOT:
        return add_degree(to, a, negated ? 1 : 0, negated ? INT_MAX : 0);
    case BESTDAG_LEAF:
        return make_fact(to, negated ? BESTDAG_FACT_USED : BESTDAG_FACT_LEAF, a,
                         -1);
    case BESTDAG_ADJACENT:
        if (negated)
            return make_fact(to, BESTDAG_FACT_APART, a, b);
        return make_fact(to, BESTDAG_FACT_HAS, a, b) +
               make_fact(to + 1, BESTDAG_FACT_HAS, b, a);
    case BESTDAG_ANCESTOR:
        return make_fact(
            to, negated ? BESTDAG_FACT_NOT_ANCESTOR : BESTDAG_FACT_ANCESTOR, a,
            b);
    case BESTDAG_INDEGREE:
        return make_degree(l, a, to);
    }
    return 0;
}

/* ---- clauses ------------------------------------------------------------- */

/* Rules with more literals than this are refused, not expanded. */
#define MOST_FACTS 0x1p27

static int check_size(struct bestdag_compiler *m,
                      const struct bestdag_rule *rule,
                      const struct bestdag_choice *c)
{
    double count = bestdag_choice_count(c);
    bool single = rule->kind != BESTDAG_RULE_CLAUSE || rule->clause.count == 1;
    double facts = single ? 0 : 2 * count * rule->clause.count;
    if (facts <= MOST_FACTS && count <= 0x1p34)
        return BESTDAG_OK;
    return bestdag_rule_fail(m->run, rule, NULL,
                             "'for all' expands to %.3g cases here, too many",
                             count);
}

static int make_clause(struct bestdag_compiler *m, const struct form *forms,
                       int count, const struct bestdag_choice *c,
                       struct bestdag_fact *facts)
{
    int made = 0;
    for (int i = 0; i < count; i++)
        made += make_facts(forms[i].literal, bestdag_choice_of(c, forms[i].a),
                           bestdag_choice_of(c, forms[i].b), facts + made);
    return bestdag_compiler_clause(m, facts, made) ? BESTDAG_OK
                                                   : bestdag_run_status(m->run);
}

static int make_clauses(struct bestdag_compiler *m,
                        const struct bestdag_rule *rule,
                        struct bestdag_choice *c)
{
    int count = rule->clause.count, status = BESTDAG_OK;
    struct form *forms = bestdag_alloc(m->run, (size_t)count * sizeof *forms);
    struct bestdag_fact *facts =
        bestdag_alloc(m->run, 2 * (size_t)count * sizeof *facts);
    if (!forms || !facts)
        status = bestdag_run_status(m->run);
    for (int i = 0; i < count && !status; i++) {
        const struct bestdag_literal *l = &rule->clause.literal[i];
        forms[i].literal = l;
        forms[i].a = bestdag_scope_name(&m->scope, rule, &l->a);
        forms[i].b = l->b.text ? bestdag_scope_name(&m->scope, rule, &l->b) : 0;
    }
    while (!status && bestdag_choice_next(c))
        status = make_clause(m, forms, count, c, facts);
    bestdag_free(facts);
    bestdag_free(forms);
    return status;
}

/* ---- the other kinds, for one choice ------------------------------------- */

static int name_of(const struct bestdag_compiler *m,
                   const struct bestdag_choice *c,
                   const struct bestdag_rule_word *word)
{
    return bestdag_choice_of(c, bestdag_scope_name(&m->scope, c->rule, word));
}

static void fill_row(struct bestdag_compiler *m, const struct bestdag_choice *c,
                     const struct bestdag_rule_words *words, uint64_t *row)
{
    memset(row, 0, m->k->words * sizeof *row);
    for (int i = 0; i < words->count; i++)
        bestdag_row_add(row, name_of(m, c, &words->at[i]));
}

static bool make_order(struct bestdag_compiler *m,
                       const struct bestdag_choice *c)
{
    const struct bestdag_rule_words *order = &c->rule->order;
    bool good = true;
    bestdag_compiler_need(m, BESTDAG_NEEDS_ORDER);
    for (int i = 1; i < order->count && good; i++)
        good = bestdag_compiler_order(m, name_of(m, c, &order->at[i - 1]),
                                      name_of(m, c, &order->at[i]));
    return good;
}

static bool make_block(struct bestdag_compiler *m,
                       const struct bestdag_choice *c,
                       const struct bestdag_arc_block *block)
{
    bool good = true;
    fill_row(m, c, &block->from, m->row);
    for (int i = 0; i < block->to.count && good; i++) {
        int child = name_of(m, c, &block->to.at[i]);
        if (c->rule->kind == BESTDAG_RULE_FORBID)
            good = bestdag_compiler_forbid_row(m, m->row, child);
        else if (c->rule->kind == BESTDAG_RULE_REQUIRE)
            good = bestdag_compiler_require_row(m, m->row, child);
        else
            bestdag_row_join(bestdag_knowledge_row(m->k, m->allow, child),
                             m->row, m->k->words);
    }
    return good;
}

static bool make_arcs(struct bestdag_compiler *m,
                      const struct bestdag_choice *c)
{
    bool good = true;
    if (c->rule->kind == BESTDAG_RULE_ALLOW) {
        bestdag_compiler_need(m, BESTDAG_NEEDS_LOCAL);
        if (!m->allow) {
            m->allow = bestdag_compiler_rows(m);
            m->first_allow = m->rule;
        }
        good = m->allow != NULL;
    }
    for (int i = 0; i < c->rule->arcs.count && good; i++)
        good = make_block(m, c, &c->rule->arcs.at[i]);
    return good;
}

static bool make_parents(struct bestdag_compiler *m,
                         const struct bestdag_choice *c)
{
    fill_row(m, c, &c->rule->from.names, m->row);
    for (size_t w = 0; w < m->k->words; w++)
        m->row[w] = ~m->row[w];
    return bestdag_compiler_forbid_row(m, m->row,
                                       name_of(m, c, &c->rule->from.child));
}

/* row: the tiers after t, also t itself if it is apart, and tiers that may only
 * reach the tier before t. */
static bool make_tier(struct bestdag_compiler *m,
                      const struct bestdag_choice *c, int t,
                      const uint64_t *row)
{
    const struct bestdag_rule_words *names = &c->rule->tiers.at[t].names;
    bool good = true;
    for (int i = 0; i < names->count && good; i++)
        good =
            bestdag_compiler_forbid_row(m, row, name_of(m, c, &names->at[i]));
    return good;
}

static void add_names(struct bestdag_compiler *m,
                      const struct bestdag_choice *c, int t, uint64_t *row)
{
    const struct bestdag_rule_words *names = &c->rule->tiers.at[t].names;
    for (int i = 0; i < names->count; i++)
        bestdag_row_add(row, name_of(m, c, &names->at[i]));
}

static bool make_tiers(struct bestdag_compiler *m,
                       const struct bestdag_choice *c)
{
    const struct bestdag_rule_tiers *tiers = &c->rule->tiers;
    uint64_t *row = m->row;
    bool good = true;
    memset(row, 0, m->k->words * sizeof *row);
    for (int t = tiers->count - 1; t >= 0 && good; t--) { /* no way back */
        good = make_tier(m, c, t, row);
        add_names(m, c, t, row);
    }
    memset(row, 0, m->k->words * sizeof *row);
    for (int t = 2; t < tiers->count && good; t++) { /* only to the next */
        if (tiers->at[t - 2].next)
            add_names(m, c, t - 2, row);
        good = make_tier(m, c, t, row);
    }
    for (int t = 0; t < tiers->count && good; t++)
        if (tiers->at[t].apart) {
            fill_row(m, c, &tiers->at[t].names, row);
            good = make_tier(m, c, t, row);
        }
    return good;
}

/* Requires the parents that a rule about parameters names. */
static bool need_parent(struct bestdag_compiler *m,
                        const struct bestdag_choice *c,
                        const struct bestdag_rule_word *parent, int child)
{
    return c->rule->if_present ||
           bestdag_compiler_require(m, name_of(m, c, parent), child);
}

static bool make_chance(struct bestdag_compiler *m,
                        const struct bestdag_choice *c,
                        const struct bestdag_probability *chance)
{
    int child = name_of(m, c, &chance->child.name);
    bool good = true;
    m->k->parameters[child] = true;
    for (int i = 0; i < chance->count && good; i++)
        good = need_parent(m, c, &chance->given[i].name, child);
    return good;
}

static bool make_parameters(struct bestdag_compiler *m,
                            const struct bestdag_choice *c)
{
    const struct bestdag_rule *rule = c->rule;
    bestdag_compiler_need(m, BESTDAG_NEEDS_PARAMETERS);
    if (rule->kind == BESTDAG_RULE_LINEAR) {
        /* every chance of the line has the same child and parents */
        const struct bestdag_linear *l = rule->linear.at;
        return make_chance(m, c, &(l->count ? l : l + 1)->term[0].chance);
    }
    if (rule->kind == BESTDAG_RULE_NEAR)
        return make_chance(m, c, &rule->near.chance);
    if (rule->kind == BESTDAG_RULE_CONVEX)
        return make_chance(m, c, &rule->convex.chance);
    int child = name_of(m, c, &rule->quality.child);
    bool good = true;
    m->k->parameters[child] = true;
    for (int i = 0; i < rule->quality.parents && good; i++)
        good = need_parent(m, c, &rule->quality.parent[i], child);
    return good;
}

static bool make_choice(struct bestdag_compiler *m,
                        const struct bestdag_choice *c)
{
    switch (c->rule->kind) {
    case BESTDAG_RULE_TIERS:
        return make_tiers(m, c);
    case BESTDAG_RULE_ORDER:
        return make_order(m, c);
    case BESTDAG_RULE_ALLOW:
    case BESTDAG_RULE_FORBID:
    case BESTDAG_RULE_REQUIRE:
        return make_arcs(m, c);
    case BESTDAG_RULE_PARENTS:
        return make_parents(m, c);
    case BESTDAG_RULE_QUALITY:
    case BESTDAG_RULE_LINEAR:
    case BESTDAG_RULE_NEAR:
    case BESTDAG_RULE_CONVEX:
        return make_parameters(m, c);
    case BESTDAG_RULE_CLAUSE: /* not here */
    case BESTDAG_RULE_STATES: /* says nothing about the graph */
        break;
    }
    return true;
}

static int make_rule(struct bestdag_compiler *m,
                     const struct bestdag_rule *rule)
{
    struct bestdag_choice c;
    int status = bestdag_choice_start(m->run, &c, &m->scope, rule);
    if (!status)
        status = check_size(m, rule, &c);
    if (!status && rule->kind == BESTDAG_RULE_CLAUSE)
        status = make_clauses(m, rule, &c);
    else
        while (!status && bestdag_choice_next(&c))
            if (!make_choice(m, &c))
                status = bestdag_run_status(m->run);
    bestdag_choice_release(&c);
    return status;
}

/* Forbids the arcs that no "allow only" names. */
static bool apply_allow(struct bestdag_compiler *m)
{
    m->rule = m->first_allow;
    for (int v = 0; v < m->k->n; v++) {
        const uint64_t *row = bestdag_knowledge_row(m->k, m->allow, v);
        for (size_t w = 0; w < m->k->words; w++)
            m->row[w] = ~row[w];
        if (!bestdag_compiler_forbid_row(m, m->row, v))
            return false;
    }
    return true;
}

static int make_rules(struct bestdag_compiler *m,
                      const struct bestdag_knowledge_query *q)
{
    int status = bestdag_scope_check(m->run, &m->scope, q->rules);
    for (int i = 0; i < q->rules->count && !status; i++) {
        m->rule = i;
        if (!q->chosen || q->chosen[i])
            status = make_rule(m, &q->rules->rule[i]);
    }
    bool good = !status && (!m->allow || apply_allow(m));
    for (int i = 0; i < q->assumptions && good; i++)
        good = bestdag_compiler_fact(m, &q->assumed[i]);
    return good ? BESTDAG_OK : bestdag_run_status(m->run);
}

/* ---- all of it ----------------------------------------------------------- */

static struct bestdag_knowledge *start(struct bestdag_run *run,
                                       const struct bestdag_rules *rules, int n)
{
    struct bestdag_knowledge *k = bestdag_calloc(run, 1, sizeof *k);
    if (!k)
        return NULL;
    k->rules = rules;
    k->n = n;
    k->words = bestdag_row_words(n);
    for (int i = 0; i < BESTDAG_NEEDS; i++)
        k->first[i] = -1;
    k->least = bestdag_calloc(run, (size_t)n + 1, sizeof *k->least);
    k->most = bestdag_calloc(run, (size_t)n + 1, sizeof *k->most);
    k->settled = bestdag_calloc(run, (size_t)n + 1, sizeof *k->settled);
    k->parameters = bestdag_calloc(run, (size_t)n + 1, sizeof *k->parameters);
    if (k->least && k->most && k->settled && k->parameters) {
        for (int v = 0; v < n; v++)
            k->most[v] = n - 1;
        return k;
    }
    bestdag_knowledge_free(k);
    return NULL;
}

static void release(struct bestdag_compiler *m)
{
    bestdag_free(m->allow);
    bestdag_free(m->direct);
    bestdag_free(m->ancestors);
    bestdag_free(m->row);
    bestdag_free(m->uses);
    bestdag_free(m->used);
    bestdag_free(m->all.clause);
    bestdag_free(m->all.fact);
    bestdag_scope_release(&m->scope);
}

struct bestdag_knowledge *bestdag_knowledge_ask(
    struct bestdag_run *run, const struct bestdag_knowledge_query *q)
{
    if (bestdag_lacks(run, q->rules, "rule set"))
        return NULL;
    struct bestdag_compiler m = {.run = run, .k = start(run, q->rules, q->n)};
    if (!m.k)
        return NULL;
    m.row = bestdag_calloc(run, m.k->words + 1, sizeof *m.row);
    int status = m.row ? bestdag_scope_init(run, &m.scope, q->names, q->n)
                       : bestdag_run_status(run);
    if (!status)
        status = make_rules(&m, q);
    if (!status)
        status = bestdag_compiler_deduce(&m);
    if (!status)
        status = bestdag_compiler_sort(&m);
    release(&m);
    if (!status)
        return m.k;
    bestdag_knowledge_free(m.k);
    return NULL;
}

struct bestdag_knowledge *bestdag_knowledge_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const char *const *names, int n)
{
    struct bestdag_knowledge_query q = {.rules = rules, .names = names, .n = n};
    return bestdag_knowledge_ask(run, &q);
}

void bestdag_knowledge_free(struct bestdag_knowledge *k)
{
    if (!k)
        return;
    bestdag_free(k->allowed);
    bestdag_free(k->required);
    bestdag_free(k->before);
    bestdag_free(k->least);
    bestdag_free(k->most);
    bestdag_free(k->parameters);
    bestdag_free(k->local.clause);
    bestdag_free(k->local.fact);
    bestdag_free(k->local_start);
    bestdag_free(k->cross.clause);
    bestdag_free(k->cross.fact);
    bestdag_free(k->mark);
    bestdag_free(k->mark_start);
    bestdag_free(k->marked);
    bestdag_free(k->settled);
    bestdag_free(k->path);
    bestdag_free(k);
}
