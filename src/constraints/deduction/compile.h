/* SPDX-License-Identifier: MIT */
/* compile.h -- rules in the form that candidate sets and searches use.
 *
 * Rules that speak of one child become, for each child, required parents,
 * allowed parents, a least and a most number of parents, and clauses that one
 * parent set satisfies or not. "order" becomes predecessor sets. What is left
 * are clauses over several children, or with paths.
 *
 * Facts follow from each other, and are drawn: a required arc orders its ends,
 * an order forbids arcs, a forbidden arc is false in a clause, a clause with
 * one literal left is a fact. So "adjacent a b" with tiers is a required arc,
 * and the kinds say what is left for a search, not what stood in the file.
 * Every DAG that obeys the rules obeys the compiled form, and the other way
 * round (for states and parameters see parameters.h).
 *
 * Memory: rows of n bits per variable, only those that are needed; "for all"
 * over a single literal fills rows and is never written out. */
#ifndef BESTDAG_CONSTRAINTS_DEDUCTION_COMPILE_H
#define BESTDAG_CONSTRAINTS_DEDUCTION_COMPILE_H

#include "base/row.h"
#include "constraints/language/rules.h"

/* The abilities that rules demand of a search. */
enum bestdag_rule_needs {
    BESTDAG_NEEDS_LOCAL = 1,         /* choose among the sets allowed */
    BESTDAG_NEEDS_ORDER = 2,         /* keep to `before` */
    BESTDAG_NEEDS_CROSS = 4,         /* clauses over several children */
    BESTDAG_NEEDS_ANCESTOR = 8,      /* required paths */
    BESTDAG_NEEDS_NOT_ANCESTOR = 16, /* forbidden paths */
    BESTDAG_NEEDS_PARAMETERS = 32
};
enum { BESTDAG_NEEDS = 6 };

enum bestdag_fact_kind {
    BESTDAG_FACT_HAS,          /* parent -> child */
    BESTDAG_FACT_LACKS,        /* no parent -> child */
    BESTDAG_FACT_DEGREE,       /* child has low to high parents */
    BESTDAG_FACT_LEAF,         /* no child has this parent */
    BESTDAG_FACT_USED,         /* some child has this parent */
    BESTDAG_FACT_APART,        /* no arc between child and parent */
    BESTDAG_FACT_ANCESTOR,     /* a path from parent to child */
    BESTDAG_FACT_NOT_ANCESTOR, /* none */
    BESTDAG_FACT_FALSE         /* was found to be false */
};

/* A literal. child is -1 where the kind has none, parent likewise. */
struct bestdag_fact {
    enum bestdag_fact_kind kind;
    int child, parent;
    int low, high;
};

/* At least one of fact[from .. to) holds. */
struct bestdag_disjunction {
    int64_t from, to;
    int rule; /* where it comes from */
};

/* A list of clauses. */
struct bestdag_clauses {
    int64_t count, room;
    struct bestdag_disjunction *clause; /* owns */
    int64_t facts, fact_room;
    struct bestdag_fact *fact; /* owns */
};

struct bestdag_knowledge {
    const struct bestdag_rules *rules; /* borrowed */
    int n;
    size_t words;    /* of a row */
    bool impossible; /* no DAG obeys: never set wrongly, but not always detected
                      */
    unsigned needs;  /* bits of bestdag_rule_needs */
    int first[BESTDAG_NEEDS]; /* the first rule with this need; -1: none */
    /* Rows of n bits each; see the functions below. NULL: all others may be
     * parents; none must be; no order. */
    uint64_t *allowed;  /* owns */
    uint64_t *required; /* owns */
    uint64_t *before;   /* owns; what precedes v in every order */
    int *least, *most;  /* owns; [n]: parents */
    bool *parameters;   /* owns; [n]: has rules about its parameters */
    struct bestdag_clauses local; /* all of child v: */
    int64_t *local_start;         /* owns; [n + 1] */
    struct bestdag_clauses cross; /* all others */
    /* Literals of cross clauses that a smaller set may fail: HAS and DEGREE
     * with low > 0, each once. A bit of the signature each. */
    struct bestdag_fact *mark; /* owns */
    int64_t *mark_start;       /* owns; [n + 1] */
    uint64_t *marked;          /* owns; rows; NULL: none; see below */
    int *settled;              /* owns; [n]: see below */
    uint64_t *path;            /* owns; a row: may lie on an ancestor path */
};

/* Fails where a rule makes no sense for these variables. Rules are borrowed. */
struct bestdag_knowledge *bestdag_knowledge_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const char *const *names, int n);
void bestdag_knowledge_free(struct bestdag_knowledge *k);
/* The same for some of the rules, with additional facts (HAS or LACKS) that are
 * assumed. */
struct bestdag_knowledge_query {
    const struct bestdag_rules *rules;
    const char *const *names;
    int n;
    const bool *chosen;                 /* [rules]; NULL: all */
    const struct bestdag_fact *assumed; /* [assumptions] */
    int assumptions;
};
struct bestdag_knowledge *bestdag_knowledge_ask(
    struct bestdag_run *run, const struct bestdag_knowledge_query *question);
/* Fails with BESTDAG_USAGE if the rules need more than `able`: "solver 'hc'
 * does not take 'ancestor' rules (expert.rules:7)"; user is "solver 'hc'". */
int bestdag_knowledge_demand(struct bestdag_run *run,
                             const struct bestdag_knowledge *k, unsigned able,
                             const char *user);
/* The rules for a public function: *to is NULL without rules (NULL, or none).
 * Fails where they make no sense for these variables, where no network obeys
 * them (BESTDAG_INFEASIBLE, with those that contradict each other), and where
 * they need more than `able`. */
struct bestdag_knowledge_request {
    const struct bestdag_rules *rules; /* may be NULL */
    const char *const *names;
    int n;
    unsigned able;
    const char *user; /* that is able, for messages */
};
int bestdag_knowledge_meet(struct bestdag_run *run,
                           const struct bestdag_knowledge_request *demand,
                           struct bestdag_knowledge **to);
/* The same for the columns of a table, which become names and n of the
 * request. */
int bestdag_table_knowledge(struct bestdag_run *run,
                            const struct bestdag_table *table,
                            struct bestdag_knowledge_request demand,
                            struct bestdag_knowledge **to);
/* The name of a need: 0 is "local", ... 5 "parameter". */
const char *bestdag_need_name(int need);

bool bestdag_knowledge_allows(const struct bestdag_knowledge *k, int child,
                              int parent);
bool bestdag_knowledge_requires(const struct bestdag_knowledge *k, int child,
                                int parent);
/* Does this set, ascending, obey all rules about this child alone? */
bool bestdag_knowledge_local(const struct bestdag_knowledge *k, int child,
                             const int *parents, int count);
/* The truth of a HAS, LACKS or DEGREE literal for this set of its child. */
bool bestdag_fact_holds(const struct bestdag_fact *fact, const int *parents,
                        int count);

/* The variables after v in every order: the transpose of the rows `before`,
 * which must exist. Owned by the caller; NULL: failed. */
uint64_t *bestdag_knowledge_after(struct bestdag_run *run,
                                  const struct bestdag_knowledge *k);

/* Words of the signature of this child's sets; 0: no signature is needed. */
int bestdag_knowledge_signature_words(const struct bestdag_knowledge *k,
                                      int child);
/* A set may prune a superset only if its signature contains the other's, it
 * obeys the local rules itself, and the child is on no ancestor path. */
void bestdag_knowledge_signature(const struct bestdag_knowledge *k, int child,
                                 const int *parents, int count,
                                 uint64_t *signature);

/* For pruning of all supersets at once, by a comparison of each set Z with Z
 * less e: that is sound if e is no marked parent (one that a positive literal
 * of any clause, local ones too, names) nor a required one, and Z less e has at
 * least settled[child] parents. */
bool bestdag_knowledge_marks(const struct bestdag_knowledge *k, int child,
                             int parent);
/* May an ancestor path need an arc into this child? Then no set prunes
 * another. */
bool bestdag_knowledge_on_path(const struct bestdag_knowledge *k, int child);

static inline uint64_t *bestdag_knowledge_row(const struct bestdag_knowledge *k,
                                              uint64_t *rows, int v)
{
    return rows ? rows + (size_t)v * k->words : NULL;
}

#endif
