/* SPDX-License-Identifier: MIT */
/* plain_rules.h -- random rules over a few variables, each both as text and as
 * a plain evaluation over graphs of bit masks, which never sees the text. */
#ifndef BESTDAG_TESTS_PLAINRULES_H
#define BESTDAG_TESTS_PLAINRULES_H

#include <stdarg.h>

#include "constraints/language/rules.h"
#include "small_graphs.h"

enum { MOST_RULES = 8, MOST_LITERALS = 3, PLAIN_VARIABLES = 10 };

static const char *const PLAIN_NAMES[PLAIN_VARIABLES] = {
    "A", "B", "C", "D", "E", "F", "G", "H", "I", "J"};

/* A name: a variable, or 10 and 11 for the placeholders X and Y. */
struct plain_literal {
    enum { ARC, ROOT, LEAF, ADJACENT, ANCESTOR, INDEGREE } kind;
    bool negated;
    int a, b, compare, value;
};

struct plain_rule {
    enum { CLAUSE, TIERS, ORDER, ALLOW, PARENTS, KINDS } kind;
    int each;        /* placeholders */
    uint32_t except; /* variables */
    int count, ifs;  /* literals; how many stand behind "if" */
    struct plain_literal literal[MOST_LITERALS];
    int tier[PLAIN_VARIABLES]; /* -1: none */
    uint32_t apart;            /* tiers */
    int list[PLAIN_VARIABLES]; /* a chain */
    int child;
    uint32_t mask;  /* parents allowed */
    int arcs[3][2]; /* count of them */
    char text[512];
};

struct plain_rules {
    int n, count;
    struct plain_rule rule[MOST_RULES];
};

/* ---- what it means ----------------------------------------------------------
 */

static inline uint32_t plain_ancestors(const struct small *g, int v)
{
    uint32_t all = g->parents[v];
    for (int round = 0; round < g->n; round++)
        for (int u = 0; u < g->n; u++)
            if (has(all, u))
                all |= g->parents[u];
    return all;
}

static inline bool plain_literal_holds(const struct plain_literal *l,
                                       const struct small *g, const int *value)
{
    int a = value && l->a >= 10 ? value[l->a - 10] : l->a;
    int b = value && l->b >= 10 ? value[l->b - 10] : l->b;
    int count = __builtin_popcount(g->parents[a]);
    uint32_t children = 0;
    for (int v = 0; v < g->n; v++)
        children |= g->parents[v];
    bool holds = false;
    switch (l->kind) {
    case ARC:
        holds = has(g->parents[b], a);
        break;
    case ROOT:
        holds = !g->parents[a];
        break;
    case LEAF:
        holds = !has(children, a);
        break;
    case ADJACENT:
        holds = adjacent(g, a, b);
        break;
    case ANCESTOR:
        holds = has(plain_ancestors(g, b), a);
        break;
    case INDEGREE:
        holds = l->compare == 0   ? count < l->value
                : l->compare == 1 ? count <= l->value
                : l->compare == 2 ? count == l->value
                : l->compare == 3 ? count >= l->value
                                  : count > l->value;
    }
    return holds != l->negated;
}

/* Literals behind "if" are there as they read: the rule is broken if all of
 * them hold and none of the others does. */
static inline bool plain_clause_holds(const struct plain_rule *r,
                                      const struct small *g, const int *value)
{
    for (int i = 0; i < r->count; i++)
        if (plain_literal_holds(&r->literal[i], g, value) != (i < r->ifs))
            return true;
    return false;
}

static inline bool plain_choices_hold(const struct plain_rule *r,
                                      const struct small *g)
{
    int value[2] = {0, 0};
    int first = r->each > 0 ? g->n : 1, second = r->each > 1 ? g->n : 1;
    for (value[0] = 0; value[0] < first; value[0]++)
        for (value[1] = 0; value[1] < second; value[1]++) {
            if ((r->each > 0 && has(r->except, value[0])) ||
                (r->each > 1 &&
                 (has(r->except, value[1]) || value[0] == value[1])))
                continue;
            if (!plain_clause_holds(r, g, value))
                return false;
        }
    return true;
}

static inline bool plain_tiers_hold(const struct plain_rule *r,
                                    const struct small *g)
{
    for (int v = 0; v < g->n; v++)
        for (int u = 0; u < g->n; u++)
            if (has(g->parents[v], u) && r->tier[u] >= 0 && r->tier[v] >= 0 &&
                (r->tier[u] > r->tier[v] ||
                 (r->tier[u] == r->tier[v] && has(r->apart, r->tier[u]))))
                return false;
    return true;
}

/* The number of the first rule that is broken; -1: none. "order" and "allow
 * only" are looked at together. */
static inline int plain_broken(const struct plain_rules *rules,
                               const struct small *g)
{
    uint32_t allowed[PLAIN_VARIABLES] = {0};
    struct small ordered = *g;
    int allow = -1;
    for (int i = rules->count - 1; i >= 0; i--)
        if (rules->rule[i].kind == ALLOW) {
            for (int j = 0; j < rules->rule[i].count; j++)
                allowed[rules->rule[i].arcs[j][1]] |=
                    (uint32_t)1 << rules->rule[i].arcs[j][0];
            allow = i;
        }
    for (int i = 0; i < rules->count; i++) {
        const struct plain_rule *r = &rules->rule[i];
        bool holds = true;
        if (r->kind == CLAUSE)
            holds = plain_choices_hold(r, g);
        else if (r->kind == TIERS)
            holds = plain_tiers_hold(r, g);
        else if (r->kind == PARENTS)
            holds = !(g->parents[r->child] & ~r->mask);
        else if (r->kind == ORDER) {
            for (int j = 1; j < r->count; j++)
                ordered.parents[r->list[j]] |= (uint32_t)1 << r->list[j - 1];
            holds = acyclic(&ordered);
        } else
            for (int v = 0; i == allow && v < g->n; v++)
                holds &= !(g->parents[v] & ~allowed[v]);
        if (!holds)
            return i;
    }
    return -1;
}

/* ---- its text
 * ----------------------------------------------------------------- */

struct plain_text {
    char *at;
    size_t length, room;
};

__attribute__((format(printf, 2, 3))) static inline void plain_say(
    struct plain_text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->length +=
        (size_t)vsnprintf(t->at + t->length, t->room - t->length, format, list);
    va_end(list);
    assert_true(t->length < t->room);
}

static inline const char *plain_name(int name)
{
    return name == 10 ? "X" : name == 11 ? "Y" : PLAIN_NAMES[name];
}

static inline void plain_say_literal(struct plain_text *t,
                                     const struct plain_literal *l)
{
    static const char *const compare[] = {"<", "<=", "=", ">=", ">"};
    const char *a = plain_name(l->a), *b = plain_name(l->b);
    if (l->negated)
        plain_say(t, "not ");
    if (l->kind == ARC)
        plain_say(t, "%s -> %s", a, b);
    else if (l->kind == ROOT || l->kind == LEAF)
        plain_say(t, "%s %s", l->kind == ROOT ? "root" : "leaf", a);
    else if (l->kind == INDEGREE)
        plain_say(t, "indegree(%s) %s %d", a, compare[l->compare], l->value);
    else
        plain_say(t, "%s %s %s", l->kind == ADJACENT ? "adjacent" : "ancestor",
                  a, b);
}

static inline void plain_say_clause(struct plain_text *t,
                                    const struct plain_rule *r)
{
    if (r->each) {
        plain_say(t, "for all X%s", r->each > 1 ? ", Y" : "");
        const char *word = " except ";
        for (int v = 0; v < PLAIN_VARIABLES; v++)
            if (has(r->except, v)) {
                plain_say(t, "%s%s", word, PLAIN_NAMES[v]);
                word = " ";
            }
        plain_say(t, ": ");
    }
    for (int i = 0; i < r->count; i++) {
        if (i == 0 && r->ifs)
            plain_say(t, "if ");
        else if (i)
            plain_say(t, i < r->ifs    ? " and "
                         : i == r->ifs ? " then "
                                       : " or ");
        plain_say_literal(t, &r->literal[i]);
    }
}

static inline void plain_say_tiers(struct plain_text *t,
                                   const struct plain_rule *r)
{
    bool first = true;
    plain_say(t, "tiers:");
    for (int tier = 0; tier < 3; tier++) {
        bool any = false;
        for (int v = 0; v < PLAIN_VARIABLES; v++)
            if (r->tier[v] == tier) {
                plain_say(t, "%s %s", any || first ? "" : " |", PLAIN_NAMES[v]);
                any = true;
                first = false;
            }
        if (any && has(r->apart, tier))
            plain_say(t, " apart");
    }
}

static inline void plain_say_rule(struct plain_rule *r)
{
    struct plain_text t = {r->text, 0, sizeof r->text};
    if (r->kind == CLAUSE)
        plain_say_clause(&t, r);
    else if (r->kind == TIERS)
        plain_say_tiers(&t, r);
    else if (r->kind == PARENTS) {
        plain_say(&t, "parents %s in", PLAIN_NAMES[r->child]);
        for (int v = 0; v < PLAIN_VARIABLES; v++)
            if (has(r->mask, v))
                plain_say(&t, " %s", PLAIN_NAMES[v]);
    } else {
        plain_say(&t, r->kind == ORDER ? "order " : "allow only ");
        for (int i = 0; i < r->count; i++)
            if (r->kind == ORDER)
                plain_say(&t, "%s%s", i ? " < " : "", PLAIN_NAMES[r->list[i]]);
            else
                plain_say(&t, "%s%s -> %s", i ? ", " : "",
                          PLAIN_NAMES[r->arcs[i][0]],
                          PLAIN_NAMES[r->arcs[i][1]]);
    }
}

/* ---- at random
 * ---------------------------------------------------------------- */

static inline int plain_draw(struct bestdag_random *random, int below)
{
    return (int)bestdag_random_below(random, (uint64_t)below);
}

static inline struct plain_literal plain_random_literal(
    struct bestdag_random *random, int n, int each, bool paths)
{
    struct plain_literal l = {.kind = ARC};
    int names = n + each;
    int kind = plain_draw(random, 10);
    if (kind >= 5)
        l.kind = kind - 4;
    if (l.kind == ANCESTOR && !paths)
        l.kind = ARC;
    l.negated = plain_draw(random, 3) == 0;
    l.a = plain_draw(random, names);
    do
        l.b = plain_draw(random, names);
    while (l.b == l.a);
    l.a = l.a < n ? l.a : 10 + l.a - n;
    l.b = l.b < n ? l.b : 10 + l.b - n;
    l.compare = plain_draw(random, 5);
    l.value = plain_draw(random, 4);
    return l;
}

static inline bool plain_uses(const struct plain_rule *r, int name)
{
    for (int i = 0; i < r->count; i++)
        if (r->literal[i].a == name ||
            (r->literal[i].b == name && r->literal[i].kind != ROOT &&
             r->literal[i].kind != LEAF && r->literal[i].kind != INDEGREE))
            return true;
    return false;
}

static inline void plain_random_clause(struct bestdag_random *random, int n,
                                       bool paths, struct plain_rule *r)
{
    bool all = false;
    while (!all) {
        r->each = plain_draw(random, 4) == 0 ? 1 + plain_draw(random, 2) : 0;
        r->count = 1 + plain_draw(random, MOST_LITERALS);
        r->ifs = plain_draw(random, 2) ? 0 : plain_draw(random, r->count);
        for (int i = 0; i < r->count; i++)
            r->literal[i] = plain_random_literal(random, n, r->each, paths);
        all = true; /* a placeholder that is not used is refused */
        for (int i = 0; i < r->each; i++)
            all &= plain_uses(r, 10 + i);
    }
    for (int v = 0; v < n && r->each; v++)
        if (plain_uses(r, v) || plain_draw(random, 6) == 0)
            r->except |= (uint32_t)1 << v;
}

static inline void plain_random_rule(struct bestdag_random *random, int n,
                                     bool paths, struct plain_rule *r)
{
    static const int often[] = {CLAUSE, CLAUSE, CLAUSE, CLAUSE,  CLAUSE,
                                CLAUSE, TIERS,  ORDER,  PARENTS, ALLOW};
    int order[MOST_NODES];
    memset(r, 0, sizeof *r);
    r->kind = often[plain_draw(random, 10)];
    shuffle(random, order, n);
    for (int v = 0; v < PLAIN_VARIABLES; v++)
        r->tier[v] = v < n ? plain_draw(random, 4) - 1 : -1;
    r->tier[order[0]] = 0;
    r->apart = (uint32_t)plain_draw(random, 8);
    memcpy(r->list, order, (size_t)n * sizeof *order);
    r->child = order[0];
    r->mask = (uint32_t)1 << order[1];
    for (int v = 0; v < n; v++)
        if (v != r->child && plain_draw(random, 2))
            r->mask |= (uint32_t)1 << v;
    r->count = r->kind == ORDER ? 2 + plain_draw(random, n - 1) : 3;
    for (int i = 0; i < 3; i++) {
        shuffle(random, order, n);
        r->arcs[i][0] = order[0];
        r->arcs[i][1] = order[1];
    }
    if (r->kind == CLAUSE)
        plain_random_clause(random, n, paths, r);
    plain_say_rule(r);
}

static inline struct plain_rules plain_random(struct bestdag_random *random,
                                              int n, int count, bool paths)
{
    struct plain_rules rules = {.n = n, .count = count};
    for (int i = 0; i < count; i++)
        plain_random_rule(random, n, paths, &rules.rule[i]);
    return rules;
}

static inline struct bestdag_rules *plain_read(struct bestdag_run *run,
                                               const struct plain_rules *plain)
{
    struct bestdag_rules *rules = bestdag_rules_new(run);
    for (int i = 0; i < plain->count; i++)
        if (bestdag_rules_add(run, rules, plain->rule[i].text))
            fail_msg("%s", bestdag_run_error(run));
    return rules;
}

/* All of them, for a message. */
static inline const char *plain_all(const struct plain_rules *plain)
{
    static char text[MOST_RULES * 520];
    struct plain_text t = {text, 0, sizeof text};
    for (int i = 0; i < plain->count; i++)
        plain_say(&t, "%s; ", plain->rule[i].text);
    return text;
}

/* All DAGs of n variables: 543 of four, 29,281 of five. How many there are. */
static inline int list_dags(int n, struct small *to)
{
    int count = 0;
    for (int code = 0; code < codes(n, 3); code++) {
        struct small g = decode(n, 3, code);
        if (acyclic(&g))
            to[count++] = g;
    }
    return count;
}

#endif
