/* SPDX-License-Identifier: MIT */
/* rulebook.h -- the checker's own reading of rule files (docs/constraints.md):
 * what it needs of the language to thin lists and to look at a network.
 *
 * It shares nothing with src/constraints. A rule that it cannot use only makes
 * the bound weaker, and is named. */
#ifndef BESTDAG_VERIFY_RULEBOOK_H
#define BESTDAG_VERIFY_RULEBOOK_H

#include "verify/lists.h"

enum bestdag_maxim_kind {
    BESTDAG_MAXIM_CLAUSE,
    BESTDAG_MAXIM_TIERS,
    BESTDAG_MAXIM_ORDER,
    BESTDAG_MAXIM_ALLOW,
    BESTDAG_MAXIM_PARENTS,
    BESTDAG_MAXIM_CHANCE /* about probabilities */
};

enum bestdag_term_kind {
    BESTDAG_TERM_ARC, /* a -> b */
    BESTDAG_TERM_ROOT,
    BESTDAG_TERM_LEAF,
    BESTDAG_TERM_ADJACENT,
    BESTDAG_TERM_ANCESTOR,
    BESTDAG_TERM_DEGREE, /* low <= number of parents of a <= high */
    BESTDAG_TERM_NAME,   /* a, of an order or a list of parents */
    BESTDAG_TERM_TIER    /* a is in tier `low`; negated: which is apart */
};

/* Variables are numbers; -1 - i is the i-th name after "for all". */
struct bestdag_term {
    enum bestdag_term_kind kind;
    bool negated;
    int a, b, low, high;
};

enum { BESTDAG_MAXIM_NAMES = 4 }; /* after "for all", at most */

struct bestdag_maxim {
    enum bestdag_maxim_kind kind;
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

struct bestdag_rulebook {
    struct bestdag_run *run;
    const struct bestdag_lists *lists;
    struct bestdag_maxim *maxim; /* owns */
    int count;
    int64_t room;
    struct bestdag_term *term; /* owns */
    int64_t terms, term_room;
    int *spared; /* owns */
    int64_t spares, spare_room;
    int *sorted; /* owns; variables by name */
    char **file; /* owns; names of files */
    int files;
};

/* Start from { .run, .lists }. Reads one more file; release in any case. */
int bestdag_rulebook_read(struct bestdag_rulebook *book, const char *path);
int bestdag_rulebook_parse(struct bestdag_rulebook *book,
                           const struct bestdag_file *file);
void bestdag_rulebook_release(struct bestdag_rulebook *book);
/* All texts in one, joined by "; ". */
char *bestdag_rulebook_text(const struct bestdag_rulebook *book);
/* Does a rule ask for something, and not only forbid? Then lists that were
 * made without it may lack sets that it needs. */
bool bestdag_rulebook_obliges(const struct bestdag_rulebook *book);

/* Calls `visit` with each choice of variables for the names after "for all";
 * it may say to stop by not returning 0. BESTDAG_USAGE: there are too many. */
typedef int bestdag_choice_fn(void *user, const struct bestdag_maxim *maxim,
                              const int *chosen);
int bestdag_maxim_each(const struct bestdag_rulebook *book,
                       const struct bestdag_maxim *maxim,
                       bestdag_choice_fn *visit, void *user);
/* A term with the chosen variables in it. */
static inline struct bestdag_term bestdag_term_at(
    const struct bestdag_rulebook *book, int64_t i, const int *chosen)
{
    struct bestdag_term t = book->term[i];
    t.a = t.a < 0 ? chosen[-1 - t.a] : t.a;
    t.b = t.b < 0 ? chosen[-1 - t.b] : t.b;
    return t;
}

/* ---- what follows for the lists -------------------------------------------
 */

struct bestdag_inference {
    int n;
    size_t words;
    bool impossible;   /* no network obeys */
    uint64_t *allowed; /* owns; [n * words]: possible parents of v */
    uint64_t *before;  /* owns; who comes before v */
    int *most;         /* owns; [n]: parents of v, at most */
    bool clauses;      /* some are left that neither of these says */
};

/* Takes sets that break a rule off the lists, and marks the rules that could
 * not be used. */
int bestdag_inference_make(struct bestdag_rulebook *book,
                           struct bestdag_lists *lists,
                           struct bestdag_inference *to);
void bestdag_inference_release(struct bestdag_inference *x);

/* ---- a network ------------------------------------------------------------
 */

struct bestdag_structure {
    int n;
    int64_t *start;  /* owns; [n + 1] */
    int32_t *parent; /* owns; ascending */
};

/* Has it a cycle, with the arcs extra[2 i] -> extra[2 i + 1] added? */
int bestdag_structure_cyclic(struct bestdag_run *run,
                             const struct bestdag_structure *g,
                             const int *extra, int64_t count, bool *cyclic);
/* Marks the rules that it breaks; the structure has no cycle. */
int bestdag_structure_obey(struct bestdag_rulebook *book,
                           const struct bestdag_structure *g);

#endif
