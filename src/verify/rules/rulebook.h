/* SPDX-License-Identifier: MIT */
/* rulebook.h -- the checker's own reading of rule files (docs/constraints.md):
 * the part of the language that it needs to thin lists and to check a network.
 *
 * It shares nothing with src/constraints. A rule that it cannot use only makes
 * the bound weaker, and is named. */
#ifndef BESTDAG_VERIFY_RULEBOOK_H
#define BESTDAG_VERIFY_RULEBOOK_H

#include "verify/kernel/kernel.h"

enum verify_rule_kind {
    VERIFY_RULE_CLAUSE,
    VERIFY_RULE_TIERS,
    VERIFY_RULE_ORDER,
    VERIFY_RULE_ALLOW,
    VERIFY_RULE_PARENTS,
    VERIFY_RULE_CHANCE /* about probabilities */
};

enum verify_term_kind {
    VERIFY_TERM_ARC, /* a -> b */
    VERIFY_TERM_ROOT,
    VERIFY_TERM_LEAF,
    VERIFY_TERM_ADJACENT,
    VERIFY_TERM_ANCESTOR,
    VERIFY_TERM_DEGREE, /* low <= number of parents of a <= high */
    VERIFY_TERM_NAME,   /* a, of an order or a list of parents */
    VERIFY_TERM_TIER    /* a is in tier `low`; negated: which is apart */
};

/* Variables are numbers; -1 - i is the i-th name after "for all". */
struct verify_term {
    enum verify_term_kind kind;
    bool negated;
    int a, b, low, high;
};

enum { VERIFY_RULE_NAMES = 4 }; /* after "for all", at most */

struct verify_rule {
    enum verify_rule_kind kind;
    int line;
    const char *file;             /* borrowed from the book */
    char *text;                   /* owns; in one line */
    int64_t from, to;             /* its terms */
    int each;                     /* names after "for all" */
    int64_t spare_from, spare_to; /* those after "except", in `spared` */
    bool unused;                  /* the bound does without it */
    bool unchecked;               /* nor was the network checked against it */
    bool broken;                  /* by the network */
};

struct verify_rulebook {
    struct bestdag_run *run;
    const struct kernel_lists *lists;
    struct verify_rule *rule; /* owns */
    int count;
    int64_t room;
    struct verify_term *term; /* owns */
    int64_t terms, term_room;
    int *spared; /* owns */
    int64_t spares, spare_room;
    int *sorted; /* owns; variables by name */
    char **file; /* owns; names of files */
    int files;
};

/* Start from { .run, .lists }. Reads one more file; release in any case. */
int bestdag_rulebook_read(struct verify_rulebook *book, const char *path);
int bestdag_rulebook_parse(struct verify_rulebook *book,
                           const struct bestdag_file *file);
void bestdag_rulebook_release(struct verify_rulebook *book);
/* All texts in one, joined by "; ". */
char *bestdag_rulebook_text(const struct verify_rulebook *book);
/* Does a rule require something, and not only forbid? Then lists that were made
 * without it may lack sets that it needs. */
bool bestdag_rulebook_obliges(const struct verify_rulebook *book);

/* Calls `visit` with each choice of variables for the names after "for all";
 * a result other than 0 ends it. BESTDAG_USAGE: there are too many. */
typedef int verify_choice_fn(void *user, const struct verify_rule *rule,
                             const int *chosen);
int bestdag_rulebook_each(const struct verify_rulebook *book,
                          const struct verify_rule *rule,
                          verify_choice_fn *visit, void *user);
/* A term with the chosen variables in it. */
static inline struct verify_term bestdag_rulebook_term(
    const struct verify_rulebook *book, int64_t i, const int *chosen)
{
    struct verify_term t = book->term[i];
    t.a = t.a < 0 ? chosen[-1 - t.a] : t.a;
    t.b = t.b < 0 ? chosen[-1 - t.b] : t.b;
    return t;
}

/* ---- what follows for the lists ------------------------------------------ */

struct verify_deduction {
    int n;
    size_t words;
    bool impossible;   /* no network obeys */
    uint64_t *allowed; /* owns; [n * words]: possible parents of v */
    uint64_t *before;  /* owns; variables before v */
    int *most;         /* owns; [n]: parents of v, at most */
    bool clauses;      /* clauses are left that these do not express */
};

/* Drops sets that break a rule (clears lists->remains), and marks the rules
 * that could not be used. */
int bestdag_deduction_make(struct verify_rulebook *book,
                           struct kernel_lists *lists,
                           struct verify_deduction *to);
void bestdag_deduction_release(struct verify_deduction *x);

/* ---- a network ----------------------------------------------------------- */

/* Marks the rules that the network breaks; the structure must be acyclic. */
int bestdag_rulebook_check(struct verify_rulebook *book,
                           const struct kernel_network *g);

#endif
