/* SPDX-License-Identifier: MIT */
/* rule_deduction.c -- consequences of rules for lists of parent sets.
 *
 * Facts about one child are rows of bits (possible and required parents) and a
 * range for the number of parents. From them follow others: required arcs and
 * `order` lines put variables before others, and a variable that comes before
 * another cannot be its child; a range that leaves no choice fixes arcs; a
 * clause loses its false literals, and the last one left is a fact. At the end
 * a set is dropped if it breaks a fact, or a clause that is about its child
 * alone. Anything that cannot be used is ignored: lists stay longer, bounds
 * weaker. */
#include <limits.h>
#include <string.h>

#include "base/place.h"
#include "base/row.h"
#include "base/growing_array.h"
#include "verify/rules/rule_deducer.h"

enum { PASSES = 64 };
/* Limit of the literals of clauses. */
static const int64_t MOST_LITERALS = (int64_t)1 << 23;

/* ---- facts --------------------------------------------------------------- */

static void forbid(struct verify_deducer *m, int parent, int child)
{
    uint64_t *allowed = bestdag_deducer_row(m, m->x->allowed, child);
    if (!bestdag_row_has(allowed, parent))
        return;
    bestdag_row_drop(allowed, parent);
    m->changed = true;
}

static void require(struct verify_deducer *m, int parent, int child)
{
    uint64_t *required = bestdag_deducer_row(m, m->required, child);
    if (bestdag_row_has(required, parent))
        return;
    bestdag_row_add(required, parent);
    m->changed = true;
}

static void put_before(struct verify_deducer *m, int first, int then)
{
    uint64_t *direct = bestdag_deducer_row(m, m->direct, then);
    if (bestdag_row_has(direct, first))
        return;
    bestdag_row_add(direct, first);
    m->changed = true;
}

static void bound_degree(struct verify_deducer *m, int v, int low, int high)
{
    m->changed |= low > m->least[v] || high < m->most[v];
    m->least[v] = low > m->least[v] ? low : m->least[v];
    m->most[v] = high < m->most[v] ? high : m->most[v];
    if (m->least[v] > m->most[v])
        m->x->impossible = true;
}

static void apply(struct verify_deducer *m, const struct verify_literal *l)
{
    if (l->kind == HAS)
        require(m, l->parent, l->child);
    else if (l->kind == LACKS || l->kind == NO_PATH) /* its shortest form */
        forbid(m, l->parent, l->child);
    else if (l->kind == PATH) /* its order */
        put_before(m, l->parent, l->child);
    else
        bound_degree(m, l->child, l->low, l->high);
}

static void apply_unit(struct verify_deducer *m, const struct verify_literal *l,
                       struct verify_rule *rule)
{
    apply(m, l);
    rule->unused |= bestdag_literal_is_path(l);
}

/* ---- clauses ------------------------------------------------------------- */

/* BESTDAG_USAGE: there are too many of them. */
static int add_literal(struct verify_deducer *m, struct verify_literal l)
{
    if (m->literals == MOST_LITERALS)
        return BESTDAG_USAGE;
    if (!BESTDAG_GROW(m->run, m->literal, m->literal_room, m->literals + 1))
        return BESTDAG_MEMORY;
    m->literal[m->literals++] = l;
    return BESTDAG_OK;
}

/* Makes the literals from `from` on a clause, or a fact. */
static int add_clause(struct verify_deducer *m, int64_t from)
{
    m->changed = true;
    if (m->literals == from) {
        m->x->impossible = true;
        return BESTDAG_OK;
    }
    if (m->literals == from + 1) {
        apply_unit(m, &m->literal[--m->literals], m->rule);
        return BESTDAG_OK;
    }
    if (!BESTDAG_GROW(m->run, m->clause, m->clause_room, m->clauses + 1))
        return BESTDAG_MEMORY;
    m->clause[m->clauses++] =
        (struct verify_clause){from, m->literals, m->rule};
    return BESTDAG_OK;
}

static int add_degree(struct verify_deducer *m, int v, int low, int high)
{
    if (low > high)
        return BESTDAG_OK; /* false: nothing to add */
    return add_literal(
        m, (struct verify_literal){
               .kind = DEGREE, .child = v, .low = low, .high = high});
}

static int add_arc(struct verify_deducer *m, enum verify_literal_kind kind,
                   int parent, int child)
{
    return add_literal(m, (struct verify_literal){kind, child, parent, 0, 0});
}

/* Is the term a conjunction, not a disjunction? */
static bool is_conjunction(const struct verify_term *t)
{
    return (t->kind == VERIFY_TERM_LEAF && !t->negated) ||
           (t->kind == VERIFY_TERM_ADJACENT && t->negated);
}

/* The literals of a term that is no conjunction. */
static int add_term(struct verify_deducer *m, const struct verify_term *t)
{
    int status = BESTDAG_OK, low = t->low, high = t->high;
    switch (t->kind) {
    case VERIFY_TERM_ARC:
        return add_arc(m, t->negated ? LACKS : HAS, t->a, t->b);
    case VERIFY_TERM_ANCESTOR:
        return add_arc(m, t->negated ? NO_PATH : PATH, t->a, t->b);
    case VERIFY_TERM_ADJACENT:
        status = add_arc(m, HAS, t->a, t->b);
        return status ? status : add_arc(m, HAS, t->b, t->a);
    case VERIFY_TERM_LEAF:
        for (int v = 0; v < m->x->n && !status; v++)
            if (v != t->a)
                status = add_arc(m, HAS, t->a, v);
        return status;
    case VERIFY_TERM_ROOT:
        low = high = 0; /* fall through */
    case VERIFY_TERM_DEGREE:
        if (!t->negated)
            return add_degree(m, t->a, low, high);
        status = add_degree(m, t->a, 0, low - 1);
        return status || high == INT_MAX
                   ? status
                   : add_degree(m, t->a, high + 1, INT_MAX);
    default:
        return BESTDAG_USAGE;
    }
}

/* Adds the clause of all terms but `but`, and the literal. */
static int add_with(struct verify_deducer *m, const int *chosen, int64_t but,
                    const struct verify_literal *last)
{
    int64_t from = m->literals;
    int status = BESTDAG_OK;
    for (int64_t i = m->rule->from; i < m->rule->to && !status; i++) {
        struct verify_term t = bestdag_rulebook_term(m->book, i, chosen);
        if (i != but)
            status = add_term(m, &t);
    }
    if (!status && last)
        status = add_literal(m, *last);
    if (!status)
        return add_clause(m, from);
    m->literals = from;
    return status;
}

/* (a and b) or c: (a or c) and (b or c). */
static int distribute(struct verify_deducer *m, const int *chosen, int64_t at)
{
    struct verify_term t = bestdag_rulebook_term(m->book, at, chosen);
    int status = BESTDAG_OK;
    if (t.kind == VERIFY_TERM_ADJACENT) {
        struct verify_literal one = {
            .kind = LACKS, .child = t.b, .parent = t.a};
        struct verify_literal other = {
            .kind = LACKS, .child = t.a, .parent = t.b};
        status = add_with(m, chosen, at, &one);
        return status ? status : add_with(m, chosen, at, &other);
    }
    for (int v = 0; v < m->x->n && !status; v++) {
        struct verify_literal l = {.kind = LACKS, .child = v, .parent = t.a};
        if (v != t.a)
            status = add_with(m, chosen, at, &l);
    }
    return status;
}

static int take_clause(struct verify_deducer *m, const int *chosen)
{
    int64_t conjunction = -1;
    for (int64_t i = m->rule->from; i < m->rule->to; i++) {
        struct verify_term t = bestdag_rulebook_term(m->book, i, chosen);
        if (is_conjunction(&t) && conjunction >= 0)
            return BESTDAG_USAGE;
        conjunction = is_conjunction(&t) ? i : conjunction;
    }
    return conjunction < 0 ? add_with(m, chosen, -1, NULL)
                           : distribute(m, chosen, conjunction);
}

/* ---- the other rules ----------------------------------------------------- */

static void take_order(struct verify_deducer *m, const int *chosen)
{
    for (int64_t i = m->rule->from; i + 1 < m->rule->to; i++) {
        int a = bestdag_rulebook_term(m->book, i, chosen).a;
        int b = bestdag_rulebook_term(m->book, i + 1, chosen).a;
        if (a == b)
            m->x->impossible = true;
        else
            put_before(m, a, b);
    }
}

static int take_parents(struct verify_deducer *m, const int *chosen)
{
    uint64_t *listed = bestdag_calloc(m->run, m->x->words + 1, sizeof *listed);
    if (!listed)
        return BESTDAG_MEMORY;
    int child = bestdag_rulebook_term(m->book, m->rule->from, chosen).a;
    for (int64_t i = m->rule->from + 1; i < m->rule->to; i++)
        bestdag_row_add(listed, bestdag_rulebook_term(m->book, i, chosen).a);
    for (int u = 0; u < m->x->n; u++)
        if (!bestdag_row_has(listed, u))
            forbid(m, u, child);
    bestdag_free(listed);
    return BESTDAG_OK;
}

static int take_allow(struct verify_deducer *m, const int *chosen)
{
    if (!m->listed)
        m->listed = bestdag_calloc(m->run, (size_t)m->x->n * m->x->words + 1,
                                   sizeof *m->listed);
    if (!m->listed)
        return BESTDAG_MEMORY;
    for (int64_t i = m->rule->from; i < m->rule->to; i++) {
        struct verify_term t = bestdag_rulebook_term(m->book, i, chosen);
        bestdag_row_add(bestdag_deducer_row(m, m->listed, t.b), t.a);
    }
    return BESTDAG_OK;
}

/* No arc from a later tier to an earlier one, nor inside one that is apart. */
static int take_tiers(struct verify_deducer *m)
{
    const struct verify_term *term = m->book->term;
    for (int64_t i = m->rule->from; i < m->rule->to; i++)
        for (int64_t j = m->rule->from; j < m->rule->to; j++) {
            if (i != j && term[i].a == term[j].a)
                return bestdag_fail_at(m->run, m->rule->file,
                                       (struct bestdag_place){m->rule->line, 0},
                                       "'%s' is in two tiers",
                                       m->book->lists->names[term[i].a]);
            if (term[i].low > term[j].low ||
                (i != j && term[i].low == term[j].low && term[i].negated))
                forbid(m, term[i].a, term[j].a);
        }
    return BESTDAG_OK;
}

static int take_choice(void *user, const struct verify_rule *rule,
                       const int *chosen)
{
    struct verify_deducer *m = user;
    switch (rule->kind) {
    case VERIFY_RULE_CLAUSE:
        return take_clause(m, chosen);
    case VERIFY_RULE_ORDER:
        take_order(m, chosen);
        return BESTDAG_OK;
    case VERIFY_RULE_PARENTS:
        return take_parents(m, chosen);
    case VERIFY_RULE_ALLOW:
        return take_allow(m, chosen);
    case VERIFY_RULE_TIERS:
        return rule->each ? BESTDAG_USAGE : take_tiers(m);
    default:
        return BESTDAG_USAGE;
    }
}

static int take_rules(struct verify_deducer *m)
{
    for (int i = 0; i < m->book->count; i++) {
        m->rule = &m->book->rule[i];
        int status = bestdag_rulebook_each(m->book, m->rule, take_choice, m);
        if (bestdag_run_status(m->run))
            return bestdag_run_status(m->run);
        m->rule->unused |= status == BESTDAG_USAGE;
        /* half of an `allow only` would forbid arcs that it allows */
        if (status && m->rule->kind == VERIFY_RULE_ALLOW)
            return bestdag_fail_at(m->run, m->rule->file,
                                   (struct bestdag_place){m->rule->line, 0},
                                   "this rule has too many choices");
    }
    for (int v = 0; m->listed && v < m->x->n; v++)
        for (int u = 0; u < m->x->n; u++)
            if (!bestdag_row_has(bestdag_deducer_row(m, m->listed, v), u))
                forbid(m, u, v);
    return BESTDAG_OK;
}

/* ---- what follows -------------------------------------------------------- */

/* `to`: all variables before each, from those directly before it; variables are
 * placed as soon as all before them are. */
static int close_over(struct verify_deducer *m, uint64_t *direct, uint64_t *to)
{
    struct verify_deduction *x = m->x;
    size_t n = (size_t)x->n;
    int *left = bestdag_calloc(m->run, n + 1, sizeof *left);
    int *queue = bestdag_calloc(m->run, n + 1, sizeof *queue);
    int head = 0, tail = 0;
    for (int v = 0; left && queue && v < x->n; v++) {
        left[v] =
            bestdag_row_count(bestdag_deducer_row(m, direct, v), x->words);
        if (!left[v])
            queue[tail++] = v;
    }
    if (left && queue)
        memset(to, 0, n * x->words * sizeof *to);
    while (head < tail) {
        int u = queue[head++];
        for (int v = 0; v < x->n; v++)
            if (bestdag_row_has(bestdag_deducer_row(m, direct, v), u)) {
                bestdag_row_join(bestdag_deducer_row(m, to, v),
                                 bestdag_deducer_row(m, to, u), x->words);
                bestdag_row_add(bestdag_deducer_row(m, to, v), u);
                if (!--left[v])
                    queue[tail++] = v;
            }
    }
    bestdag_free(left);
    bestdag_free(queue);
    if (bestdag_run_status(m->run))
        return BESTDAG_MEMORY;
    x->impossible |= tail < x->n;
    return BESTDAG_OK;
}

static int infer_order(struct verify_deducer *m)
{
    struct verify_deduction *x = m->x;
    bestdag_row_join(m->direct, m->required, (size_t)x->n * x->words);
    int status = close_over(m, m->required, m->ancestors);
    if (!status)
        status = close_over(m, m->direct, x->before);
    for (int v = 0; v < x->n && !status && !x->impossible; v++) {
        const uint64_t *before = bestdag_deducer_row(m, x->before, v);
        for (int u = bestdag_row_next(before, x->words, 0); u >= 0;
             u = bestdag_row_next(before, x->words, u + 1))
            forbid(m, v, u);
    }
    return status;
}

static void infer_degrees(struct verify_deducer *m)
{
    struct verify_deduction *x = m->x;
    for (int v = 0; v < x->n; v++) {
        uint64_t *may = bestdag_deducer_row(m, x->allowed, v),
                 *must = bestdag_deducer_row(m, m->required, v);
        int most = bestdag_row_count(may, x->words);
        int least = bestdag_row_count(must, x->words);
        for (size_t w = 0; w < x->words; w++)
            x->impossible |= (must[w] & ~may[w]) != 0;
        bound_degree(m, v, least, most);
        if (x->impossible || least == most)
            continue;
        if (m->most[v] == least)
            memcpy(may, must, x->words * sizeof *may);
        else if (m->least[v] == most)
            memcpy(must, may, x->words * sizeof *may);
        else
            continue;
        m->changed = true;
    }
}

enum verify_truth { FALSE, UNKNOWN, TRUE };

static enum verify_truth truth_of(const struct verify_deducer *m,
                                  const struct verify_literal *l)
{
    if (l->kind == DEGREE) {
        int least = m->least[l->child], most = m->most[l->child];
        if (most < l->low || least > l->high)
            return FALSE;
        return least >= l->low && most <= l->high ? TRUE : UNKNOWN;
    }
    if (bestdag_literal_is_path(l)) {
        bool holds = bestdag_row_has(
            bestdag_deducer_row(m, m->ancestors, l->child), l->parent);
        bool cannot = bestdag_row_has(
            bestdag_deducer_row(m, m->x->before, l->parent), l->child);
        if (!holds && !cannot)
            return UNKNOWN;
        return holds == (l->kind == PATH) ? TRUE : FALSE;
    }
    bool may = bestdag_row_has(bestdag_deducer_row(m, m->x->allowed, l->child),
                               l->parent);
    bool must = bestdag_row_has(bestdag_deducer_row(m, m->required, l->child),
                                l->parent);
    if (!may)
        return l->kind == HAS ? FALSE : TRUE;
    if (must)
        return l->kind == HAS ? TRUE : FALSE;
    return UNKNOWN;
}

/* Is the clause still needed? */
static bool reduce(struct verify_deducer *m, struct verify_clause *c)
{
    int64_t to = c->from;
    for (int64_t i = c->from; i < c->to; i++) {
        enum verify_truth t = truth_of(m, &m->literal[i]);
        if (t == TRUE)
            return false;
        if (t == UNKNOWN)
            m->literal[to++] = m->literal[i];
    }
    c->to = to;
    if (to == c->from)
        m->x->impossible = true;
    if (to != c->from + 1)
        return true;
    apply_unit(m, &m->literal[c->from], c->rule);
    return false;
}

static int infer(struct verify_deducer *m)
{
    int status = BESTDAG_OK;
    for (int pass = 0; pass < PASSES && !status; pass++) {
        int64_t left = 0;
        if (!m->changed || m->x->impossible)
            break;
        m->changed = false;
        status = infer_order(m);
        infer_degrees(m);
        for (int64_t i = 0; i < m->clauses; i++)
            if (m->x->impossible || reduce(m, &m->clause[i]))
                m->clause[left++] = m->clause[i];
        m->clauses = left;
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------- */

static int start(struct verify_deducer *m)
{
    struct verify_deduction *x = m->x;
    size_t rows = (size_t)x->n * x->words + 1, n = (size_t)x->n + 1;
    x->allowed = bestdag_calloc(m->run, rows, sizeof *x->allowed);
    x->before = bestdag_calloc(m->run, rows, sizeof *x->before);
    m->required = bestdag_calloc(m->run, rows, sizeof *m->required);
    m->direct = bestdag_calloc(m->run, rows, sizeof *m->direct);
    m->ancestors = bestdag_calloc(m->run, rows, sizeof *m->ancestors);
    m->least = bestdag_calloc(m->run, n, sizeof *m->least);
    m->most = x->most = bestdag_calloc(m->run, n, sizeof *m->most);
    if (bestdag_run_status(m->run))
        return BESTDAG_MEMORY;
    for (int v = 0; v < x->n; v++) {
        m->most[v] = x->n - 1;
        for (int u = 0; u < x->n; u++)
            if (u != v)
                bestdag_row_add(bestdag_deducer_row(m, x->allowed, v), u);
    }
    return BESTDAG_OK;
}

int bestdag_deduction_make(struct verify_rulebook *book,
                           struct kernel_lists *lists,
                           struct verify_deduction *to)
{
    struct verify_deducer m = {
        .run = book->run, .book = book, .x = to, .changed = true};
    *to = (struct verify_deduction){.n = lists->n};
    to->words = bestdag_row_words(lists->n);
    int status = start(&m);
    if (!status)
        status = take_rules(&m);
    if (!status)
        status = infer(&m);
    if (!status && !to->impossible)
        bestdag_deducer_thin(&m, lists);
    to->clauses = m.clauses > 0;
    bestdag_free(m.required);
    bestdag_free(m.direct);
    bestdag_free(m.ancestors);
    bestdag_free(m.listed);
    bestdag_free(m.least);
    bestdag_free(m.literal);
    bestdag_free(m.clause);
    return status;
}

void bestdag_deduction_release(struct verify_deduction *x)
{
    bestdag_free(x->allowed);
    bestdag_free(x->before);
    bestdag_free(x->most);
}
