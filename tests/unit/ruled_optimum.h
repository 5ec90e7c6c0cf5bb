/* SPDX-License-Identifier: MIT */
/* ruled_optimum.h -- the best DAG under plain rules, for up to ten variables.
 *
 * An oracle that shares nothing with the searches. A dynamic program over
 * subsets of variables finds the best DAG that obeys the order rules; tiers,
 * `parents` and `allow only` take families away beforehand. If its DAG breaks a
 * clause, one of the literals of the clause holds in every DAG that obeys: the
 * families are thinned for each literal in turn, and the program runs again
 * (branch and bound, depth first). Literals that no single family decides
 * branch further: `not leaf a` over the children of a, `ancestor a b` over the
 * arcs that leave what a reaches for certain, `not ancestor a b` over the arcs
 * of the path that is there. */
#ifndef BESTDAG_TESTS_RULEDOPTIMUM_H
#define BESTDAG_TESTS_RULEDOPTIMUM_H

#include <math.h>

#include "plain_rules.h"

enum { ORACLE_SUBSETS = 1 << PLAIN_VARIABLES, ORACLE_NODES = 60000 };

/* The families that are left: bit `mask` of v's row. */
struct oracle_state {
    uint64_t left[PLAIN_VARIABLES][ORACLE_SUBSETS / 64];
};

struct oracle {
    int n;
    const struct plain_rules *rules;
    double score[PLAIN_VARIABLES][ORACLE_SUBSETS]; /* -INFINITY: not listed */
    uint32_t before[PLAIN_VARIABLES]; /* by order rules; not closed */
    double best;                      /* -INFINITY: no DAG obeys */
    struct small graph;               /* a best one */
    int nodes;
    bool gave_up; /* more than ORACLE_NODES: `best` means nothing */
    /* of the dynamic program */
    double family[PLAIN_VARIABLES][ORACLE_SUBSETS];
    uint16_t choice[PLAIN_VARIABLES][ORACLE_SUBSETS];
    double total[ORACLE_SUBSETS];
    int8_t last[ORACLE_SUBSETS];
};

static inline bool oracle_has(const struct oracle_state *s, int v, uint32_t m)
{
    return s->left[v][m / 64] >> (m % 64) & 1;
}

static inline void oracle_drop(struct oracle_state *s, int v, uint32_t m)
{
    s->left[v][m / 64] &= ~((uint64_t)1 << (m % 64));
}

/* ---- the dynamic program ----------------------------------------------------
 */

/* The best family of v within each set of others. */
static inline void oracle_families(struct oracle *o,
                                   const struct oracle_state *s, int v)
{
    uint32_t subsets = (uint32_t)1 << o->n;
    for (uint32_t m = 0; m < subsets; m++) {
        o->family[v][m] = oracle_has(s, v, m) ? o->score[v][m] : -INFINITY;
        o->choice[v][m] = (uint16_t)m;
    }
    for (int u = 0; u < o->n; u++)
        for (uint32_t m = 0; m < subsets; m++) {
            uint32_t less = m & ~((uint32_t)1 << u);
            if (less != m && o->family[v][less] > o->family[v][m]) {
                o->family[v][m] = o->family[v][less];
                o->choice[v][m] = o->choice[v][less];
            }
        }
}

/* The best DAG of what is left, by the order rules. */
static inline double oracle_relax(struct oracle *o,
                                  const struct oracle_state *s,
                                  struct small *graph)
{
    uint32_t all = ((uint32_t)1 << o->n) - 1;
    for (int v = 0; v < o->n; v++)
        oracle_families(o, s, v);
    o->total[0] = 0;
    for (uint32_t set = 1; set <= all; set++) {
        o->total[set] = -INFINITY;
        for (int v = 0; v < o->n; v++) {
            uint32_t rest = set & ~((uint32_t)1 << v);
            if (rest == set || (o->before[v] & ~rest))
                continue;
            double sum = o->total[rest] + o->family[v][rest];
            if (sum > o->total[set]) {
                o->total[set] = sum;
                o->last[set] = (int8_t)v;
            }
        }
    }
    *graph = (struct small){.n = o->n};
    for (uint32_t set = all; set && o->total[all] > -INFINITY;) {
        int v = o->last[set];
        set &= ~((uint32_t)1 << v);
        graph->parents[v] = o->choice[v][set];
    }
    return o->total[all];
}

/* ---- branching --------------------------------------------------------------
 */

static inline void oracle_search(struct oracle *o,
                                 const struct oracle_state *s);

/* Families of v that do not hold u, or those that do, go. */
static inline void oracle_arc(const struct oracle *o, struct oracle_state *s,
                              int u, int v, bool wanted)
{
    for (uint32_t m = 0; m < (uint32_t)1 << o->n; m++)
        if (has(m, u) != wanted)
            oracle_drop(s, v, m);
}

static inline void oracle_branch_arc(struct oracle *o,
                                     const struct oracle_state *s, int u, int v,
                                     bool wanted)
{
    struct oracle_state less = *s;
    oracle_arc(o, &less, u, v, wanted);
    oracle_search(o, &less);
}

/* Is u in all families of v that are left? */
static inline bool oracle_certain(const struct oracle *o,
                                  const struct oracle_state *s, int u, int v)
{
    for (uint32_t m = 0; m < (uint32_t)1 << o->n; m++)
        if (oracle_has(s, v, m) && !has(m, u))
            return false;
    return true;
}

static inline void oracle_make_path(struct oracle *o,
                                    const struct oracle_state *s, int a)
{
    uint32_t reached = (uint32_t)1 << a;
    for (int round = 0; round < o->n; round++)
        for (int u = 0; u < o->n; u++)
            for (int v = 0; v < o->n && has(reached, u); v++)
                if (u != v && oracle_certain(o, s, u, v))
                    reached |= (uint32_t)1 << v;
    for (int u = 0; u < o->n; u++)
        for (int v = 0; v < o->n; v++)
            if (has(reached, u) && !has(reached, v))
                oracle_branch_arc(o, s, u, v, true);
}

/* The graph has a path from a to b. */
static inline void oracle_break_path(struct oracle *o,
                                     const struct oracle_state *s,
                                     const struct small *g, int a, int b)
{
    while (b != a) {
        int u = 0;
        while (!has(g->parents[b], u) ||
               (u != a && !has(plain_ancestors(g, u), a)))
            u++;
        oracle_branch_arc(o, s, u, b, false);
        b = u;
    }
}

/* A literal about the number of parents of a. */
static inline void oracle_branch_count(struct oracle *o,
                                       const struct oracle_state *s,
                                       const struct plain_literal *l, int a,
                                       bool wanted)
{
    struct oracle_state less = *s;
    struct plain_literal plain = *l;
    struct small g = {.n = o->n};
    plain.a = a;
    plain.negated = false;
    for (uint32_t m = 0; m < (uint32_t)1 << o->n; m++) {
        g.parents[a] = m;
        if (plain_literal_holds(&plain, &g, NULL) != wanted)
            oracle_drop(&less, a, m);
    }
    oracle_search(o, &less);
}

/* All DAGs in which the literal, as it reads without `not`, is `wanted`. */
static inline void oracle_branch(struct oracle *o, const struct oracle_state *s,
                                 const struct small *g,
                                 const struct plain_literal *l,
                                 const int *value, bool wanted)
{
    int a = l->a >= 10 ? value[l->a - 10] : l->a;
    int b = l->b >= 10 ? value[l->b - 10] : l->b;
    struct oracle_state less = *s;
    switch (l->kind) {
    case ARC:
        oracle_branch_arc(o, s, a, b, wanted);
        break;
    case ROOT:
    case INDEGREE:
        oracle_branch_count(o, s, l, a, wanted);
        break;
    case LEAF:
        for (int v = 0; v < o->n; v++)
            if (v != a && wanted)
                oracle_arc(o, &less, a, v, false);
            else if (v != a)
                oracle_branch_arc(o, s, a, v, true);
        if (wanted)
            oracle_search(o, &less);
        break;
    case ADJACENT:
        oracle_arc(o, &less, a, b, wanted);
        if (!wanted)
            oracle_arc(o, &less, b, a, false);
        oracle_search(o, &less);
        if (wanted)
            oracle_branch_arc(o, s, b, a, true);
        break;
    case ANCESTOR:
        if (wanted)
            oracle_make_path(o, s, a);
        else
            oracle_break_path(o, s, g, a, b);
    }
}

/* The values of the placeholders for which the graph breaks the rule. */
static inline bool oracle_find_broken(const struct plain_rule *r,
                                      const struct small *g, int value[2])
{
    int first = r->each > 0 ? g->n : 1, second = r->each > 1 ? g->n : 1;
    for (value[0] = 0; value[0] < first; value[0]++)
        for (value[1] = 0; value[1] < second; value[1]++) {
            bool skips = (r->each > 0 && has(r->except, value[0])) ||
                         (r->each > 1 &&
                          (has(r->except, value[1]) || value[0] == value[1]));
            if (!skips && !plain_clause_holds(r, g, value))
                return true;
        }
    return false;
}

static inline void oracle_search(struct oracle *o, const struct oracle_state *s)
{
    struct small g;
    if (o->gave_up || o->nodes++ >= ORACLE_NODES) {
        o->gave_up = true;
        return;
    }
    double score = oracle_relax(o, s, &g);
    if (!(score > o->best))
        return;
    for (int i = 0; i < o->rules->count; i++) {
        const struct plain_rule *r = &o->rules->rule[i];
        int value[2];
        if (r->kind != CLAUSE || !oracle_find_broken(r, &g, value))
            continue;
        for (int k = 0; k < r->count; k++)
            oracle_branch(o, s, &g, &r->literal[k], value,
                          (k < r->ifs) == r->literal[k].negated);
        return;
    }
    assert_true(plain_broken(o->rules, &g) < 0);
    o->best = score;
    o->graph = g;
}

/* ---- all of it --------------------------------------------------------------
 */

/* What the rules that only forbid arcs leave. */
static inline bool oracle_allows(const struct plain_rules *rules, int u, int v)
{
    struct small g = {.n = rules->n};
    struct plain_rules some = {.n = rules->n};
    for (int i = 0; i < rules->count; i++)
        if (rules->rule[i].kind != CLAUSE && rules->rule[i].kind != ORDER)
            some.rule[some.count++] = rules->rule[i];
    g.parents[v] = (uint32_t)1 << u;
    return plain_broken(&some, &g) < 0;
}

/* o->n and o->score are set. */
static inline void oracle_solve(struct oracle *o,
                                const struct plain_rules *rules)
{
    static struct oracle_state all;
    o->rules = rules;
    o->best = -INFINITY;
    o->nodes = 0;
    o->gave_up = false;
    memset(o->before, 0, sizeof o->before);
    for (int i = 0; i < rules->count; i++)
        for (int k = 1;
             rules->rule[i].kind == ORDER && k < rules->rule[i].count; k++)
            o->before[rules->rule[i].list[k]] |= (uint32_t)1
                                                 << rules->rule[i].list[k - 1];
    memset(&all, 0, sizeof all);
    for (int v = 0; v < o->n; v++) {
        for (uint32_t m = 0; m < (uint32_t)1 << o->n; m++)
            if (o->score[v][m] > -INFINITY)
                all.left[v][m / 64] |= (uint64_t)1 << (m % 64);
        for (int u = 0; u < o->n; u++)
            if (u != v && !oracle_allows(rules, u, v))
                oracle_arc(o, &all, u, v, false);
    }
    oracle_search(o, &all);
}

#endif
