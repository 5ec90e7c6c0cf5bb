/* SPDX-License-Identifier: MIT */
/* rules.h -- rules of an expert as parsed: one syntax tree per rule.
 *
 * Names and labels are text here; they are looked up when the rules are applied
 * to variables (compile.h, checker.h). For messages, every rule keeps its place
 * and text, and every name its place. The language is in docs/constraints.md;
 * other readers (Tetrad, GOBNILP) make the same trees.
 *
 * The trees are in the store of the rules and are freed together. Pointers into
 * them stay valid when rules are added, except for the array `rule` itself. */
#ifndef BESTDAG_CONSTRAINTS_LANGUAGE_RULES_H
#define BESTDAG_CONSTRAINTS_LANGUAGE_RULES_H

#include "base/run.h"

/* A name or label, where it stands. */
struct bestdag_rule_word {
    const char *text;
    int line, column; /* from 1 */
    int placeholder;  /* the number of a name after "for all"; -1: none */
};

enum { BESTDAG_PLACEHOLDERS = 4 }; /* at most this many in a rule */

struct bestdag_rule_words {
    int count;
    struct bestdag_rule_word *at;
};

enum bestdag_compare {
    BESTDAG_LESS,
    BESTDAG_AT_MOST,
    BESTDAG_EQUAL,
    BESTDAG_AT_LEAST,
    BESTDAG_MORE
};

/* ---- structure ----------------------------------------------------------- */

enum bestdag_literal_kind {
    BESTDAG_ARC,      /* a -> b */
    BESTDAG_ROOT,     /* a has no parents */
    BESTDAG_LEAF,     /* a has no children */
    BESTDAG_ADJACENT, /* a -> b or b -> a */
    BESTDAG_ANCESTOR, /* a path from a to b */
    BESTDAG_INDEGREE  /* the number of parents of a, compared to value */
};

struct bestdag_literal {
    enum bestdag_literal_kind kind;
    bool negated; /* as a member of the clause: those after "if" are turned */
    struct bestdag_rule_word a,
        b; /* b of arcs, adjacencies and ancestors only */
    enum bestdag_compare compare;
    int value;
};

/* At least one of them is true. */
struct bestdag_clause {
    int count;
    struct bestdag_literal *literal;
};

struct bestdag_rule_tier {
    struct bestdag_rule_words names;
    bool apart; /* no arcs inside it */
    bool next;  /* arcs out of it go to the next tier only (Tetrad) */
};

/* No arc goes to an earlier tier. */
struct bestdag_rule_tiers {
    int count;
    struct bestdag_rule_tier *at;
};

/* Arcs from each of `from` to each of `to`: "allow only" has one per block,
 * Tetrad's groups have many. */
struct bestdag_arc_block {
    struct bestdag_rule_words from, to;
};

struct bestdag_arcs {
    int count;
    struct bestdag_arc_block *at;
};

/* The parents of child come from names only. */
struct bestdag_allowed_parents {
    struct bestdag_rule_word child;
    struct bestdag_rule_words names;
};

/* The labels of a variable, from low to high. */
struct bestdag_ranking {
    struct bestdag_rule_word name;
    struct bestdag_rule_words labels;
};

/* ---- parameters of one child --------------------------------------------- */

/* "positive a -> b": one parent; "positive synergy a b -> c": two. */
struct bestdag_quality {
    int sign; /* 1: positive, -1: negative, 0: zero */
    int parents;
    struct bestdag_rule_word parent[2], child;
};

/* name = label, name <= label, name >= label. */
struct bestdag_event {
    struct bestdag_rule_word name, label;
    enum bestdag_compare compare; /* EQUAL, AT_MOST or AT_LEAST */
};

/* P(child | given, given ...). Of near(P(X | ...), ...) the child's label has
 * no text (NULL). */
struct bestdag_probability {
    struct bestdag_event child;
    int count;
    struct bestdag_event *given;
};

struct bestdag_term {
    double factor;
    struct bestdag_probability chance;
};

/* sum of factor * chance  <=, = or >=  bound. What stood on the right is
 * already on the left, and the numbers on the right. A line with two relations
 * has two of these. Factors are finite; they may be 0, and the same chance may
 * be there twice. */
struct bestdag_linear {
    int count;
    struct bestdag_term *term;
    enum bestdag_compare compare; /* AT_MOST, EQUAL or AT_LEAST */
    double bound;
};

/* The sum over the states of the child of (P(state | given) - target)^2 is at
 * most bound. Targets are in the order of the child's states. */
struct bestdag_near {
    struct bestdag_probability chance;
    int count;
    double *target;
    double bound;
};

/* A function of the caller. The events of the chance have names only. */
struct bestdag_convexity {
    struct bestdag_probability chance;
    bestdag_convex_fn *function;
    void *data;
};

/* ---- rules --------------------------------------------------------------- */

enum bestdag_rule_kind {
    BESTDAG_RULE_CLAUSE,
    BESTDAG_RULE_TIERS,
    BESTDAG_RULE_ORDER,   /* words: one chain, first to last */
    BESTDAG_RULE_ALLOW,   /* arcs: none but those of all such rules */
    BESTDAG_RULE_FORBID,  /* arcs: none of them */
    BESTDAG_RULE_REQUIRE, /* arcs: all of them */
    BESTDAG_RULE_PARENTS, /* from */
    BESTDAG_RULE_STATES,  /* ranking */
    BESTDAG_RULE_QUALITY,
    BESTDAG_RULE_LINEAR,
    BESTDAG_RULE_NEAR,
    BESTDAG_RULE_CONVEX /* of the C API */
};

struct bestdag_rule {
    enum bestdag_rule_kind kind;
    const char *file; /* for messages; NULL: it was given without a file */
    const char *text; /* in one line, without its comment */
    int line, column;
    bool dotted; /* from Tetrad: blanks in its names may stand as periods */
    struct bestdag_rule_words each;   /* "for all": the placeholders */
    struct bestdag_rule_words except; /* and what they do not stand for */
    bool if_present; /* of parameters: only for sets with all parents named */
    union {
        struct bestdag_clause clause;
        struct bestdag_rule_tiers tiers;
        struct bestdag_rule_words order;
        struct bestdag_arcs arcs;
        struct bestdag_allowed_parents from;
        struct bestdag_ranking states;
        struct bestdag_quality quality;
        struct {
            int count; /* 1 or 2 */
            struct bestdag_linear at[2];
        } linear;
        struct bestdag_near near;
        struct bestdag_convexity convex;
    };
};

struct bestdag_store;

struct bestdag_rules {
    int count, room;
    struct bestdag_rule *rule;   /* owns */
    struct bestdag_store *store; /* owns; the newest block */
};

/* Memory that lives as long as the rules, zeroed. NULL: failed. */
void *bestdag_rules_store(struct bestdag_run *run, struct bestdag_rules *rules,
                          size_t count, size_t bytes);
char *bestdag_rules_text(struct bestdag_run *run, struct bestdag_rules *rules,
                         const char *text, size_t n);
/* A copy of the rule becomes the last one. */
int bestdag_rules_append(struct bestdag_run *run, struct bestdag_rules *rules,
                         const struct bestdag_rule *rule);
/* Is the rule about probabilities (quality, linear, near or convex)? */
bool bestdag_rule_has_parameters(const struct bestdag_rule *rule);

/* "expert.rules:7:3: <message>" and BESTDAG_INPUT; of a rule that was given by
 * itself "rule 'A -> B': <message>" and BESTDAG_USAGE. word NULL: where the
 * rule begins. */
int bestdag_rule_fail(struct bestdag_run *run, const struct bestdag_rule *rule,
                      const struct bestdag_rule_word *word, const char *format,
                      ...) BESTDAG_PRINTF(4, 5);
/* "expert.rules:7", or "rule 'A -> B'"; cut to fit. */
const char *bestdag_rule_place(const struct bestdag_rule *rule, char to[128]);

#endif
