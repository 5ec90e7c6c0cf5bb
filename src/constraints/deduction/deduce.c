/* SPDX-License-Identifier: MIT */
/* deduce.c -- facts about one child, and what follows from them: required arcs
 * and orders put variables before others, what comes before forbids arcs,
 * numbers of parents that leave no choice make arcs required or forbidden, and
 * clauses lose the literals that are false. Passes go on until nothing new is
 * found; ending earlier is sound. A pass: O(arcs known * n / 64 + literals). */
#include "constraints/deduction/compiler.h"

#include <string.h>

#include "base/growing_array.h"
#include "graph/dag.h"

enum { PASSES = 64 };

/* ---- facts --------------------------------------------------------------- */

void bestdag_compiler_need(struct bestdag_compiler *m, unsigned needs)
{
    struct bestdag_knowledge *k = m->k;
    k->needs |= needs;
    for (int i = 0; i < BESTDAG_NEEDS; i++)
        if (needs >> i & 1 && (k->first[i] < 0 || m->rule < k->first[i]))
            k->first[i] = m->rule;
}

uint64_t *bestdag_compiler_rows(struct bestdag_compiler *m)
{
    return bestdag_calloc(m->run, (size_t)m->k->n + 1,
                          m->k->words * sizeof(uint64_t));
}

/* Rows in which every other variable is allowed. */
static bool allow_all(struct bestdag_compiler *m)
{
    struct bestdag_knowledge *k = m->k;
    if (k->allowed)
        return true;
    k->allowed = bestdag_compiler_rows(m);
    for (int v = 0; k->allowed && v < k->n; v++) {
        uint64_t *row = bestdag_knowledge_row(k, k->allowed, v);
        memset(row, 0xff, k->words * sizeof *row);
        if (k->n % 64)
            row[k->words - 1] = ((uint64_t)1 << (k->n % 64)) - 1;
        bestdag_row_drop(row, v);
    }
    return k->allowed != NULL;
}

static bool require_none(struct bestdag_compiler *m)
{
    if (!m->k->required)
        m->k->required = bestdag_compiler_rows(m);
    return m->k->required != NULL;
}

/* Notes whether this word of the child's rows has changed. */
static void note(struct bestdag_compiler *m, int child, size_t word,
                 bool differs)
{
    struct bestdag_knowledge *k = m->k;
    uint64_t *required = bestdag_knowledge_row(k, k->required, child);
    uint64_t *allowed = bestdag_knowledge_row(k, k->allowed, child);
    if (!differs)
        return;
    m->changed = true;
    bestdag_compiler_need(m, BESTDAG_NEEDS_LOCAL);
    if (required && allowed && required[word] & ~allowed[word])
        k->impossible = true;
}

static bool forbid_word(struct bestdag_compiler *m, int child, size_t word,
                        uint64_t bits)
{
    uint64_t *to = bestdag_knowledge_row(m->k, m->k->allowed, child) + word;
    uint64_t old = *to;
    *to &= ~bits;
    note(m, child, word, *to != old);
    return true;
}

static bool forbid_arc(struct bestdag_compiler *m, int parent, int child)
{
    return allow_all(m) && forbid_word(m, child, (size_t)parent / 64,
                                       (uint64_t)1 << (parent % 64));
}

bool bestdag_compiler_forbid_row(struct bestdag_compiler *m,
                                 const uint64_t *row, int child)
{
    if (!allow_all(m))
        return false;
    for (size_t w = 0; w < m->k->words; w++)
        forbid_word(m, child, w, row[w]);
    return true;
}

static bool require_word(struct bestdag_compiler *m, int child, size_t word,
                         uint64_t bits)
{
    uint64_t *to = bestdag_knowledge_row(m->k, m->k->required, child) + word;
    uint64_t old = *to;
    if (word == (size_t)child / 64)
        bits &= ~((uint64_t)1 << (child % 64));
    *to |= bits;
    note(m, child, word, *to != old);
    return true;
}

bool bestdag_compiler_require(struct bestdag_compiler *m, int parent, int child)
{
    return require_none(m) && require_word(m, child, (size_t)parent / 64,
                                           (uint64_t)1 << (parent % 64));
}

bool bestdag_compiler_require_row(struct bestdag_compiler *m,
                                  const uint64_t *row, int child)
{
    if (!require_none(m))
        return false;
    for (size_t w = 0; w < m->k->words; w++)
        require_word(m, child, w, row[w]);
    return true;
}

bool bestdag_compiler_order(struct bestdag_compiler *m, int first, int then)
{
    if (!m->direct)
        m->direct = bestdag_compiler_rows(m);
    if (!m->direct)
        return false;
    uint64_t *row = bestdag_knowledge_row(m->k, m->direct, then);
    m->changed |= !bestdag_row_has(row, first);
    bestdag_row_add(row, first);
    return true;
}

static bool bound_degree(struct bestdag_compiler *m, int child, int low,
                         int high)
{
    struct bestdag_knowledge *k = m->k;
    if (low > k->least[child] || high < k->most[child]) {
        m->changed = true;
        bestdag_compiler_need(m, BESTDAG_NEEDS_LOCAL);
    }
    if (low > k->least[child])
        k->least[child] = low;
    if (high < k->most[child])
        k->most[child] = high;
    if (k->least[child] > k->most[child])
        k->impossible = true;
    return true;
}

/* ---- clauses ------------------------------------------------------------- */

static bool store_clause(struct bestdag_compiler *m,
                         const struct bestdag_fact *facts, int count)
{
    struct bestdag_clauses *c = &m->all;
    if (!BESTDAG_GROW(m->run, c->clause, c->room, c->count + 1))
        return false;
    if (!BESTDAG_GROW(m->run, c->fact, c->fact_room, c->facts + count))
        return false;
    memcpy(c->fact + c->facts, facts, (size_t)count * sizeof *facts);
    c->clause[c->count++] =
        (struct bestdag_disjunction){c->facts, c->facts + count, m->rule};
    c->facts += count;
    m->changed = true;
    return true;
}

static bool forbid_children(struct bestdag_compiler *m, int parent)
{
    for (int v = 0; v < m->k->n; v++)
        if (v != parent && !forbid_arc(m, parent, v))
            return false;
    return true;
}

/* Sets *rest if the fact says more than rows can express. */
static bool apply(struct bestdag_compiler *m, const struct bestdag_fact *f,
                  bool *rest)
{
    *rest = false;
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
        return bestdag_compiler_require(m, f->parent, f->child);
    case BESTDAG_FACT_LACKS:
        return forbid_arc(m, f->parent, f->child);
    case BESTDAG_FACT_DEGREE:
        return bound_degree(m, f->child, f->low, f->high);
    case BESTDAG_FACT_LEAF:
        return forbid_children(m, f->parent);
    case BESTDAG_FACT_APART:
        return forbid_arc(m, f->parent, f->child) &&
               forbid_arc(m, f->child, f->parent);
    case BESTDAG_FACT_ANCESTOR:
        *rest = true;
        return bestdag_compiler_order(m, f->parent, f->child);
    case BESTDAG_FACT_NOT_ANCESTOR:
        *rest = true;
        return forbid_arc(m, f->parent, f->child);
    case BESTDAG_FACT_USED:
        *rest = true;
        return true;
    case BESTDAG_FACT_FALSE:
        m->k->impossible = true;
    }
    return true;
}

bool bestdag_compiler_fact(struct bestdag_compiler *m,
                           const struct bestdag_fact *fact)
{
    bool rest;
    return apply(m, fact, &rest) && (!rest || store_clause(m, fact, 1));
}

bool bestdag_compiler_clause(struct bestdag_compiler *m,
                             const struct bestdag_fact *facts, int count)
{
    return count == 1 ? bestdag_compiler_fact(m, facts)
                      : store_clause(m, facts, count);
}

/* ---- what comes before what ---------------------------------------------- */

static int list_row(const struct bestdag_knowledge *k, const uint64_t *row,
                    int *to)
{
    int count = 0;
    for (int u = bestdag_row_next(row, k->words, 0); u >= 0;
         u = bestdag_row_next(row, k->words, u + 1))
        to[count++] = u;
    return count;
}

/* closure[v]: the variables from which v is reachable; arcs[v]: the parents of
 * v. */
static int close_over(struct bestdag_compiler *m, const uint64_t *arcs,
                      uint64_t *closure)
{
    struct bestdag_knowledge *k = m->k;
    int n = k->n, placed = 0, status = BESTDAG_OK;
    int *list = bestdag_alloc(m->run, (size_t)(n + 1) * sizeof *list);
    struct bestdag_dag *dag = list ? bestdag_dag_new(m->run, n) : NULL;
    for (int v = 0; dag && v < n && !status; v++)
        status = bestdag_dag_set_parents(
            m->run, dag, v, list,
            list_row(k, arcs + (size_t)v * k->words, list));
    if (dag && !status)
        placed = bestdag_dag_order(m->run, dag, list);
    for (int i = 0; i < placed; i++) {
        uint64_t *to = closure + (size_t)list[i] * k->words;
        const struct bestdag_parents *parents = &dag->parents[list[i]];
        memset(to, 0, k->words * sizeof *to);
        for (int j = 0; j < parents->count; j++) {
            bestdag_row_join(to, closure + (size_t)parents->at[j] * k->words,
                             k->words);
            bestdag_row_add(to, parents->at[j]);
        }
    }
    status = bestdag_run_status(m->run);
    if (!status && placed < n)
        k->impossible = true;
    bestdag_dag_free(dag);
    bestdag_free(list);
    return status;
}

/* Required arcs are orders, too. */
static int deduce_order(struct bestdag_compiler *m)
{
    struct bestdag_knowledge *k = m->k;
    if (!m->direct && !k->required)
        return BESTDAG_OK;
    if (!m->direct)
        m->direct = bestdag_compiler_rows(m);
    if (m->direct && !k->before)
        k->before = bestdag_compiler_rows(m);
    if (m->direct && !m->ancestors && k->required)
        m->ancestors = bestdag_compiler_rows(m);
    int status = bestdag_run_status(m->run);
    if (status)
        return status;
    if (k->required) {
        bestdag_row_join(m->direct, k->required, (size_t)k->n * k->words);
        status = close_over(m, k->required, m->ancestors);
    }
    if (!status && !k->impossible)
        status = close_over(m, m->direct, k->before);
    for (int v = 0; v < k->n && !status && !k->impossible; v++) {
        const uint64_t *row = bestdag_knowledge_row(k, k->before, v);
        for (int u = bestdag_row_next(row, k->words, 0); u >= 0;
             u = bestdag_row_next(row, k->words, u + 1))
            if (!forbid_arc(m, v, u))
                return bestdag_run_status(m->run);
    }
    return status;
}

/* ---- numbers of parents -------------------------------------------------- */

/* The members of the row that are not in the other row. */
static void take_away(const struct bestdag_knowledge *k, const uint64_t *row,
                      const uint64_t *other, uint64_t *to)
{
    for (size_t w = 0; w < k->words; w++)
        to[w] = row[w] & ~(other ? other[w] : 0);
}

static bool deduce_degree(struct bestdag_compiler *m, int v)
{
    struct bestdag_knowledge *k = m->k;
    const uint64_t *allowed = bestdag_knowledge_row(k, k->allowed, v);
    const uint64_t *required = bestdag_knowledge_row(k, k->required, v);
    int may = allowed ? bestdag_row_count(allowed, k->words) : k->n - 1;
    int must = required ? bestdag_row_count(required, k->words) : 0;
    bound_degree(m, v, must, may);
    if (k->impossible || must == may)
        return true;
    if (k->most[v] == must) { /* no more than those required */
        if (!allow_all(m))
            return false;
        allowed = bestdag_knowledge_row(k, k->allowed, v);
        take_away(k, allowed, required, m->row);
        return bestdag_compiler_forbid_row(m, m->row, v);
    }
    if (k->least[v] == may) { /* all that are allowed */
        if (!allow_all(m))
            return false;
        allowed = bestdag_knowledge_row(k, k->allowed, v);
        return bestdag_compiler_require_row(m, allowed, v);
    }
    return true;
}

static int deduce_degrees(struct bestdag_compiler *m)
{
    for (int v = 0; v < m->k->n && !m->k->impossible; v++)
        if (!deduce_degree(m, v))
            return bestdag_run_status(m->run);
    return BESTDAG_OK;
}

/* ---- clauses ------------------------------------------------------------- */

enum truth { FALSE, UNKNOWN, TRUE };

static enum truth contrary(enum truth t)
{
    return TRUE - t;
}

static enum truth has(const struct bestdag_knowledge *k, int parent, int child)
{
    if (bestdag_knowledge_requires(k, child, parent))
        return TRUE;
    return bestdag_knowledge_allows(k, child, parent) ? UNKNOWN : FALSE;
}

static enum truth within(const struct bestdag_knowledge *k,
                         const struct bestdag_fact *f)
{
    int least = k->least[f->child], most = k->most[f->child];
    if (most < f->low || least > f->high)
        return FALSE;
    return least >= f->low && most <= f->high ? TRUE : UNKNOWN;
}

static enum truth used(const struct bestdag_compiler *m, int parent)
{
    return m->used[parent] ? TRUE : m->uses[parent] ? UNKNOWN : FALSE;
}

static enum truth apart(const struct bestdag_knowledge *k,
                        const struct bestdag_fact *f)
{
    enum truth one = has(k, f->parent, f->child);
    enum truth other = has(k, f->child, f->parent);
    return contrary(one > other ? one : other);
}

static enum truth ancestor(const struct bestdag_compiler *m,
                           const struct bestdag_fact *f)
{
    const uint64_t *row = bestdag_knowledge_row(m->k, m->ancestors, f->child);
    if (row && bestdag_row_has(row, f->parent))
        return TRUE;
    row = bestdag_knowledge_row(m->k, m->k->before, f->parent);
    return row && bestdag_row_has(row, f->child) ? FALSE : UNKNOWN;
}

static enum truth truth_of(const struct bestdag_compiler *m,
                           const struct bestdag_fact *f)
{
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
        return has(m->k, f->parent, f->child);
    case BESTDAG_FACT_LACKS:
        return contrary(has(m->k, f->parent, f->child));
    case BESTDAG_FACT_DEGREE:
        return within(m->k, f);
    case BESTDAG_FACT_LEAF:
        return contrary(used(m, f->parent));
    case BESTDAG_FACT_USED:
        return used(m, f->parent);
    case BESTDAG_FACT_APART:
        return apart(m->k, f);
    case BESTDAG_FACT_ANCESTOR:
        return ancestor(m, f);
    case BESTDAG_FACT_NOT_ANCESTOR:
        return contrary(ancestor(m, f));
    case BESTDAG_FACT_FALSE:
        break;
    }
    return FALSE;
}

/* Counts the variables that may have, and that must have, each variable as a
 * parent. */
static int count_uses(struct bestdag_compiler *m)
{
    struct bestdag_knowledge *k = m->k;
    size_t n = (size_t)k->n;
    if (!m->uses)
        m->uses = bestdag_calloc(m->run, n + 1, sizeof *m->uses);
    if (!m->used)
        m->used = bestdag_calloc(m->run, n + 1, sizeof *m->used);
    if (!m->uses || !m->used)
        return bestdag_run_status(m->run);
    memset(m->used, 0, n * sizeof *m->used);
    for (int v = 0; v < k->n; v++)
        m->uses[v] = k->allowed ? 0 : k->n - 1;
    for (int v = 0; v < k->n; v++) {
        const uint64_t *may = bestdag_knowledge_row(k, k->allowed, v);
        const uint64_t *must = bestdag_knowledge_row(k, k->required, v);
        for (int u = may ? bestdag_row_next(may, k->words, 0) : -1; u >= 0;
             u = bestdag_row_next(may, k->words, u + 1))
            m->uses[u]++;
        for (int u = must ? bestdag_row_next(must, k->words, 0) : -1; u >= 0;
             u = bestdag_row_next(must, k->words, u + 1))
            m->used[u]++;
    }
    return BESTDAG_OK;
}

/* Drops false literals; a single one that is left becomes a fact. Is the clause
 * still needed? */
static bool reduce(struct bestdag_compiler *m, struct bestdag_disjunction *c,
                   bool *failed)
{
    int64_t to = c->from;
    struct bestdag_fact *fact = m->all.fact;
    for (int64_t i = c->from; i < c->to; i++) {
        enum truth t = truth_of(m, &fact[i]);
        if (t == TRUE)
            return false;
        if (t == UNKNOWN)
            fact[to++] = fact[i];
    }
    bool shorter = to < c->to, rest = true;
    c->to = to;
    if (to == c->from)
        m->k->impossible = true;
    if (to != c->from + 1)
        return true;
    m->rule = c->rule;
    if (shorter)
        *failed = !apply(m, &fact[c->from], &rest);
    return rest;
}

static int reduce_clauses(struct bestdag_compiler *m)
{
    struct bestdag_clauses *all = &m->all;
    int64_t left = 0;
    bool failed = false;
    int status = all->count ? count_uses(m) : BESTDAG_OK;
    if (status || !all->count)
        return status;
    for (int64_t i = 0; i < all->count; i++)
        if (failed || m->k->impossible || reduce(m, &all->clause[i], &failed))
            all->clause[left++] = all->clause[i];
    all->count = left;
    return bestdag_run_status(m->run);
}

/* The rule to name for consequences of several rules. */
static int blamed(const struct bestdag_knowledge *k)
{
    int local = k->first[0], order = k->first[1];
    if (local >= 0 && (order < 0 || local < order))
        return local;
    return order < 0 ? 0 : order;
}

int bestdag_compiler_deduce(struct bestdag_compiler *m)
{
    int status = BESTDAG_OK;
    for (int pass = 0; pass < PASSES && m->changed; pass++) {
        m->changed = false;
        m->rule = blamed(m->k);
        status = deduce_order(m);
        if (!status && !m->k->impossible)
            status = deduce_degrees(m);
        if (!status && !m->k->impossible)
            status = reduce_clauses(m);
        if (status || m->k->impossible)
            break;
    }
    return status;
}
